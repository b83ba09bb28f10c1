"""Each rule of lint.py accepts a good notebook, and finds what was broken in it on purpose."""

import copy
import json
import re

import nbformat
import pytest

from book._sphinx import sources
from tools import first_cell, lint, store

ALT = "Precision falls from one to one half while recall climbs to one at rank five."


def markdown(source):
    return {"cell_type": "markdown", "metadata": {}, "source": source}


def code(source, *outputs, **metadata):
    return {"cell_type": "code", "metadata": metadata, "source": source, "outputs": list(outputs)}


def result(text, **more):
    return {"output_type": "execute_result", "data": {"text/plain": text, **more}, "metadata": {}, "execution_count": None}


def display(name=None, **data):
    return {"output_type": "display_data", "data": data, "metadata": {"scrapbook": {"name": name}} if name else {}}


def stream(text, name="stdout"):
    return {"output_type": "stream", "name": name, "text": text}


def glued(source, name):
    return code(source, display(name, **{"text/plain": "0.533"}))


def claim(label):
    return code(f"claim('{label}')", result("proved", **{sources.RECORD: {"label": label}}))


def exercise(label):
    return [markdown(f"```{{exercise}}\n:label: {label}\nProve it.\n```"),
            markdown(f"```{{solution-start}} {label}\n:class: dropdown\n```"), code("assert 1 + 1 == 2"), markdown("```{solution-end}\n```")]


def figure_cell(source="ax.plot([1, 2])", alt=ALT, **more):
    frame = {"caption": "Two curves.", "name": "fig-curves"}
    return code(f"fig, ax = figure()\n{source}\nshow(fig)", display(**{"image/svg+xml": "<svg/>"}), tags=["hide-input"],
                mystnb={"image": {"alt": alt}, "figure": frame | more})


CARD = """:::{admonition} Before you start
:class: chapter-card

After this chapter you can
: - compute
  - compare

You need
: - sets

Time
: about 25 minutes, 20 more for what is deeper, 5 for real data

A belief to give up
: It is all the same.
:::"""
BREAK_IT = ":::{admonition} Break it: one edit\n:class: break-it\n:name: break-B1\n\nChange `claim` to `cited`.\n\n```python\nclaim(\"B1\")\n```\n:::"
GOOD = [
    markdown(f"# A title\n\n{CARD}"),
    code(first_cell.source(), tags=["hide-input"]) | {"id": first_cell.ID},
    code("import numpy as np\nfrom metrics.notebook import figure, glue, rounded, show"),
    glued("values = np.random.default_rng(7).random(3)\nglue('mean', values.mean())", "mean"),
    markdown("The mean is {glue:text}`mean`. See $0.5 = \\frac{1}{2}$ and `0.75` in section 8.4 of the book of 2008."),
    markdown("```{prf:theorem} A name\n:label: B1\nIt holds.\n```"),
    claim("B1"),
    code("values.sum() < 3", result("True")),
    figure_cell(),
    markdown("## By hand\n\n:::{admonition} In a hurry?\n:class: in-a-hurry\n\nReport the mean.\n:::"),
    markdown("## Deeper"),
    markdown("## What goes wrong in practice\n\n:::{admonition} To copy\n:class: report\n\nThe mean is ...\n:::\n\n## Exercises"),
    markdown(":::{admonition} Ask yourself\n:class: check-yourself\n\n1. Why?\n2. How?\n3. What would you reply?\n:::"),
    markdown(BREAK_IT),
    *exercise("one"), *exercise("two"), *exercise("three"),
]


def notebook(*cells, chapter=True, change=None):
    """The cells as the tool stores them, then `change`d."""
    cells = copy.deepcopy([{"id": f"cell-{number}"} | cell for number, cell in enumerate(cells)])
    for count, cell in enumerate((cell for cell in cells if cell["cell_type"] == "code"), 1):
        cell["execution_count"] = count
    raw = store.without_settings(nbformat.from_dict({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}))
    if change:
        change(raw)
    return sources.Notebook("book/precision-and-recall.ipynb" if chapter else "book/notation.ipynb", raw, store.as_canonical_text(raw))


def broken_rules(*cells, **settings):
    return {problem.rule for problem in lint.problems(notebook(*GOOD, *cells, **settings))}


def test_a_problem_names_notebook_cell_rule_and_text():
    [problem] = lint.problems(notebook(*GOOD, code("1 == 1;")))
    assert str(problem) == f"book/precision-and-recall.ipynb, cell {len(GOOD) + 1}: shows nothing, write `assert not` if so meant: 1 == 1 [checks_nothing]"


WIDE = "x" * (lint.WIDEST_SOURCE - len("    "))
BROKEN_CELLS = {  # the rule that finds it -> a cell, or cells, or the source of one that shows nothing
    "plain_python": ["%time x = 1", "!ls", ""],
    "short_cells": ["\n".join(f"x{n} = {n}" for n in range(21))],
    "short_on_the_whole": [[code("a = 1\n" * 7)] * 20],
    "tags": [code("x = 1", tags=["remove-input"]), code("x = 1", tags=["nbval-skip"]), "# NBVAL_IGNORE_OUTPUT\nx = 1"],
    "finds_the_package": ["Path('x')"],
    "leaves_out_what_is_missing": [
        "from sklearn.metrics import auc", "if installed('scikit-learn'):\n    print(1)\nelse:\n    import sklearn",
        "if values.any():\n    import pytrec_eval as other"],
    "hidden_code": [
        code("x = 1", tags=["hide-input"]),
        [figure_cell("total = 3"), code("total + 1", result("4"))],
        [figure_cell("def double(x):\n    return 2 * x"), code("double(1)", result("2"))],
        [figure_cell(), code("for x in ax.lines:\n    print(x)")],
        *map(figure_cell, ["values[0] = 3", "values += 3", "values.sort()", "glue('x', 3)"])],
    "checks_nothing": ["all(v < 1 for v in values)\nx = 3", "not values.any()\nx = 1", "1 + 1 == 2;", code("1 + 1 == 3", result("False"))],
    "seeds": ["rng = np.random.default_rng()", "rng = np.random.default_rng(None)", "rng = default_rng(seed=None)"],
    "nothing_from_outside": [
        "text = open('/tmp/x.csv').read()", "import subprocess", "text = open('../metrics/sets.py').read()", "text = open('~/x.csv').read()",
        "table = load('https://example.org/x.csv')"],
    "no_errors": [
        code("1 / 0", {"output_type": "error", "ename": "ZeroDivisionError", "evalue": "division by zero", "traceback": []}),
        code("warn('x')", stream("UserWarning: x\n", "stderr"))],
    "no_raster_images": [
        code("draw()", display(**data)) for data in ({"image/png": "iVBO"}, {"text/html": "<img src='data:image/png;base64,iVBO'>"})],
    "figures_have_text": [*(figure_cell(alt=alt) for alt in ("", "Two curves.", "_build/jupyter_execute/curves.svg")), figure_cell(caption="")],
    "sources_fit": [code("source(precision)", result(f"def precision(tp, fp):\n    {WIDE}x"))],
    "rounded_numbers": [
        code("1 / 3", result("0.3333333333333333")), code("print(1e-9 / 3)", stream("3.3333333333e-10\n")),
        code("values", result("array([0.5, 0.12345678])"))],
    "typed_numbers": [
        *map(markdown, [
            "The mean is 0.53.", "It rose by 12 %.", "It rose by 12.5%, and more.", "There are 1,001 goals.", "There are 7000 goals.",
            "It is 3/5 of them.", "It is ½ of them.", "It fell to -0.25 at once.", "```{prf:remark}\n:label: r\nThe mean is 0.53.\n```",
            ":::{admonition} ★ 12% more\n:class: starred\nText.\n:::", "One line.\n\n---\n\nThe mean is 0.53.\n\n---\n"]),
        figure_cell(caption="Precision falls to 0.53."), figure_cell(alt="Precision falls from one to 0.53 while recall climbs to one.")],
    "glued": [markdown("{glue:text}`unknown`"), glued("glue('unused', 1)", "unused"), glued("glue('mean', 1)", "mean")],
    "exercises": [exercise("four")[0], exercise("four")[1]],
    "statements_are_checked": [
        markdown("```{prf:lemma}\n:label: B2\nText.\n```"), [claim("B2"), markdown("```{prf:lemma}\n:label: B2\nText.\n```")], claim("B3")],
    "something_to_break": [markdown(BREAK_IT)],
}


def listed(cells):
    """A row of the table as a list of cells."""
    return cells if isinstance(cells, list) else [code(cells) if isinstance(cells, str) else cells]


@pytest.mark.parametrize("rule, cells", [(rule, listed(cells)) for rule, rows in BROKEN_CELLS.items() for cells in rows])
def test_a_broken_cell_is_found_by_its_rule_alone(rule, cells):
    assert broken_rules(*cells) == {rule}


def test_ruff_finds_what_is_wrong_with_any_python(tmp_path):
    cells = ["1 + 1 == 2\nx = 3", "1 + 1\nx = 3", "assert (1 + 1 == 3, 'sum')", "from statistics import median", "print(unknown)",
             "import numpy as np\n\nnp.random.seed(3)", "import urllib.request\n\nurllib.request.urlopen", "from random import shuffle\n\nshuffle([])",
             "import datetime\n\ndatetime.date.today()"]
    path = tmp_path / "draft.ipynb"
    path.write_text(notebook(*map(code, cells)).text)
    found = re.findall(r"draft.ipynb:cell (\d+):\d+:\d+: ([\w-]+)", lint.ruff("--config=pyproject.toml", path))
    rules = ["B015", "B018", "F631", "F401", "F821", "NPY002", "TID251", "TID251", "TID251"]
    assert found == [(str(number), rule) for number, rule in enumerate(rules, 1)]


def of_cell(number, **changes):
    """A change of one cell: None takes something away."""
    def change(raw):
        raw["cells"][number].update(changes)
        for key in (key for key, value in changes.items() if value is None):
            del raw["cells"][number][key]
    return change


def replaced(old, new):
    """A change of the one cell that has some text."""
    def change(raw):
        [cell] = [cell for cell in raw["cells"] if old in cell["source"]]
        cell["source"] = cell["source"].replace(old, new)
    return change


def never_run(raw):
    for cell in raw["cells"]:
        cell["execution_count"] = None


def boxes_exchanged(raw):
    other = {"in-a-hurry": "report", "report": "in-a-hurry"}
    for cell in raw["cells"]:
        cell["source"] = re.sub(":class: (in-a-hurry|report)", lambda name: f":class: {other[name[1]]}", cell["source"])


BROKEN_FILES = {
    "ids": [of_cell(3, id=None), of_cell(3, id="cell-2")],
    "finds_the_package": [of_cell(1, id="cell-1", source="x = 1", metadata={})],
    "run_in_order": [of_cell(2, execution_count=7), never_run],
    "stored_by_the_tool": [lambda raw: raw["metadata"].update(vscode={}), of_cell(2, metadata={"collapsed": True})],
    "opens_with_a_card": [
        of_cell(0, source=f"A title\n\n{CARD}"), of_cell(0, source="# A title"), replaced("You need\n: - sets\n", ""), replaced(": - sets", ": sets"),
        replaced("25", "0"), replaced("about 25", "half an hour of"), replaced(": It is all the same.", "It is all the same."),
        replaced("25 minutes, 20", "25 minutes, and 20")],
    "reading_first": [
        replaced("## Deeper", "## Details"), replaced("## Deeper", "## Real data"), replaced("The mean is {glue", "## Too early\n\nThe mean is {glue"),
        replaced(":class: in-a-hurry", ":class: tip"), replaced(":class: report", ":class: in-a-hurry"), replaced("## By hand", "## First\n\n## By hand"),
        boxes_exchanged, replaced("\n\n## Exercises", "\n\n## Exercises\n\n## More")],
    "exercises": [lambda raw: raw["cells"].__delitem__(slice(-4, None))],
    "questions": [replaced("1. Why?\n", "")],
    "something_to_break": [
        replaced(":class: break-it", ":class: tip"), replaced("break-B1", "break-B9"), replaced('claim("B1")', 'claim("B2")'),
        replaced("`claim` to", "`clam` to")],
}


@pytest.mark.parametrize("rule, change", [(rule, change) for rule, changes in BROKEN_FILES.items() for change in changes])
def test_a_broken_notebook_is_found_by_its_rule_alone(rule, change):
    assert broken_rules(change=change) == {rule}


def test_a_notebook_written_by_another_tool_is_found():
    good = notebook(*GOOD)
    good.text = json.dumps(good.raw)
    assert {problem.rule for problem in lint.problems(good)} == {"stored_by_the_tool"}


def test_every_rule_was_broken_at_least_once():
    assert BROKEN_CELLS.keys() | BROKEN_FILES.keys() == {rule.__name__ for rule in lint.RULES + lint.STRUCTURE}


def test_other_pages_need_no_card_and_no_exercises():
    assert lint.problems(notebook(*GOOD[1:5], chapter=False)) == []


@pytest.mark.parametrize("cells", [
    [],
    [figure_cell(), figure_cell()],  # two in a row may use the same names
    "if installed('scikit-learn'):\n    import sklearn.metrics\n    print(sklearn.metrics)",
    '"""A text."""',
    "def f(x):\n    '''A docstring.'''\n    ...",
    code("values.sort()\nvalues.max() <= 1", result("True")),
    code("x = 3\nx", result("3")),
    code("values == 1", result("array([ True, False])")),
    code("values.sum() < 3", result("np.True_")),
    code("Fraction(1, 3)", result("Fraction(1, 3)")),
    code("sympy.pi.evalf()", result("3.14159265358979", **{"text/latex": "$3.14159265358979$"})),
    code("rounded(1 / 3)", result("0.333")),
    code("source(precision)", result(f"def precision(tp, fp):\n    {WIDE}")),
    code("text", result(f"    {WIDE}x")),
    code("10**20", result("100000000000000000000")),
    code("print('1.0.4.20261018')", stream("1.0.4.20261018\n")),
    "rng = np.random.default_rng(seed=3)\nrng.shuffle(values)",
    "table = open('data/iset-1001.csv')\ntext = f'{1}/{2}'",
    figure_cell("for x in values:\n    ax.plot(x)\nassert len(ax.lines) == 3"),
    figure_cell("ax.plot(np.append(values, 1))"),
    markdown("Precision at 10 is P@10, and F1 is its friend; item 3 of 7, in the years 1979-2009 and 2012."),
    markdown("See chapter 8.4, pp. 1042-1043, with Python 3.11; a 0/1 ranking; 0/0; the set iset-1001."),
    markdown("$$0.25$$\n\n```python\n0.5\n```\n\n[a link](https://example.org/1.25/3,000) {cite}`x2.5`"),
    markdown("```{figure} a.svg\n:width: 62.5%\nCaption.\n```\n\n```{list-table}\n---\nwidths: 12.5% 87.5%\n---\n* - x\n```"),
])
def test_good_cells_pass(cells):
    assert broken_rules(*listed(cells)) == set()
