"""Each rule of lint.py accepts a good notebook, and finds what was broken in it on purpose."""

import copy
import json
import re

import pytest

from book._sphinx import sources
from tools import first_cell, lint, store

ALT = "Precision falls from one to one half while recall climbs to one at rank five."


def markdown(source):
    return {"cell_type": "markdown", "metadata": {}, "source": source}


def code(source, *outputs, **metadata):
    return {"cell_type": "code", "metadata": metadata, "source": source, "outputs": list(outputs)}


def result(text, **more):
    return {"output_type": "execute_result", "data": {"text/plain": text, **more}, "metadata": {}}


def display(metadata=None, **data):
    return {"output_type": "display_data", "data": data, "metadata": metadata or {}}


def stream(text, name="stdout"):
    return {"output_type": "stream", "name": name, "text": text}


def glue_output(name):
    return display({"scrapbook": {"name": name}}, **{"text/plain": "0.533"})


def claim_output(label):
    return result("proved", **{sources.RECORD: {"label": label}})


def exercise(label):
    return [markdown(f"```{{exercise}}\n:label: {label}\nProve it.\n```"),
            markdown(f"```{{solution-start}} {label}\n:class: dropdown\n```"), code("assert 1 + 1 == 2"),
            markdown("```{solution-end}\n```")]


def figure_cell(source="fig, ax = figure()\nax.plot([1, 2])\nshow(fig)", alt=ALT, **more):
    frame = {"caption": "Two curves.", "name": "fig-curves"}
    return code(source, display(**{"image/svg+xml": "<svg/>"}), tags=["hide-input"],
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
    code("values = np.random.default_rng(7).random(3)\nglue('mean', values.mean())", glue_output("mean")),
    markdown("The mean is {glue:text}`mean`. See $0.5 = \\frac{1}{2}$ and `0.75` in section 8.4 of the book of 2008."),
    markdown("```{prf:theorem} A name\n:label: B1\nIt holds.\n```"),
    code("claim('B1')", claim_output("B1")),
    code("values.sum() < 3", result("True")),
    figure_cell(),
    markdown("## By hand\n\n:::{admonition} In a hurry?\n:class: in-a-hurry\n\nReport the mean.\n:::"),
    markdown("## Deeper"),
    markdown("## What goes wrong in practice\n\n:::{admonition} To copy\n:class: report\n\nThe mean is ...\n:::\n\n## Exercises"),
    markdown(":::{admonition} Ask yourself\n:class: check-yourself\n\n1. Why?\n2. How?\n3. What would you reply?\n:::"),
    markdown(BREAK_IT),
    *exercise("one"), *exercise("two"), *exercise("three"),
]


def notebook(cells, chapter=True, change=None):
    """The cells as a stored notebook: ids and counts as the tool gives them, then `change`d."""
    raw = {"cells": copy.deepcopy(cells), "metadata": copy.deepcopy(store.NOTEBOOK_METADATA), "nbformat": 4, "nbformat_minor": 5}
    count = 0
    for number, cell in enumerate(raw["cells"]):
        cell.setdefault("id", f"cell-{number}")
        if cell["cell_type"] == "code":
            count += 1
            cell["execution_count"] = count
    if change:
        change(raw)
    return sources.Notebook("book/precision-and-recall.ipynb" if chapter else "book/notation.ipynb", raw, store.as_canonical_text(raw))


def broken_rules(*cells, **settings):
    return {problem.rule for problem in lint.problems(notebook([*GOOD, *cells], **settings))}


def test_a_comparison_that_may_be_left_out_passes():
    assert not broken_rules(code("if installed('scikit-learn'):\n    import sklearn.metrics\n    print(sklearn.metrics)"))


def test_a_good_notebook_passes():
    assert lint.problems(notebook(GOOD)) == []


def test_a_problem_names_notebook_cell_rule_and_text():
    [problem] = lint.problems(notebook([*GOOD, code("1 == 1;")]))
    assert str(problem) == f"book/precision-and-recall.ipynb, cell {len(GOOD) + 1}: shows nothing, write `assert not` if so meant: 1 == 1 [checks_nothing]"


LONG = "\n".join(f"x{n} = {n}" for n in range(21))
TALL = [code("a = 1\n" * 7) for _ in range(20)]
WIDE = "x" * (lint.WIDEST_SOURCE - len("    "))
HIDDEN = {"tags": ["hide-input"]}

BROKEN_CELLS = [
    ("plain_python", code("%time x = 1")),
    ("something_to_break", markdown(BREAK_IT)),
    ("plain_python", code("!ls")),
    ("plain_python", code("")),
    ("short_cells", code(LONG)),
    ("short_on_the_whole", TALL),
    ("tags", code("x = 1", tags=["remove-input"])),
    ("tags", code("x = 1", tags=["nbval-skip"])),
    ("tags", code("# NBVAL_IGNORE_OUTPUT\nx = 1")),
    ("tags", code("x = 1", tags=["remove-cell"])),
    ("finds_the_package", code("Path('x')")),
    ("leaves_out_what_is_missing", code("from sklearn.metrics import auc")),
    ("leaves_out_what_is_missing", code("if installed('scikit-learn'):\n    print(1)\nelse:\n    import sklearn")),
    ("leaves_out_what_is_missing", code("if values.any():\n    import pytrec_eval as other")),
    ("hidden_code", code("x = 1", **HIDDEN)),
    ("hidden_code", [figure_cell("fig, ax = figure()\ntotal = 3\nshow(fig)"), code("total + 1", result("4"))]),
    ("hidden_code", [figure_cell("fig, ax = figure()\ndef double(x):\n    return 2 * x\nshow(fig)"), code("double(1)", result("2"))]),
    ("hidden_code", [figure_cell(), code("for x in ax.lines:\n    print(x)")]),
    ("hidden_code", figure_cell("fig, ax = figure()\nvalues[0] = 3\nshow(fig)")),
    ("hidden_code", figure_cell("fig, ax = figure()\nvalues += 3\nshow(fig)")),
    ("hidden_code", figure_cell("fig, ax = figure()\nvalues.sort()\nshow(fig)")),
    ("hidden_code", figure_cell("fig, ax = figure()\nglue('x', 3)\nshow(fig)")),
    ("checks_nothing", code("all(v < 1 for v in values)\nx = 3")),
    ("checks_nothing", code("not values.any()\nx = 1")),
    ("checks_nothing", code("1 + 1 == 3", result("False"))),
    ("checks_nothing", code("1 + 1 == 2;")),
    ("seeds", code("rng = np.random.default_rng()")),
    ("seeds", code("rng = np.random.default_rng(None)")),
    ("seeds", code("rng = default_rng(seed=None)")),
    ("nothing_from_outside", code("text = open('/tmp/x.csv').read()")),
    ("nothing_from_outside", code("import subprocess")),
    ("nothing_from_outside", code("text = open('../metrics/sets.py').read()")),
    ("nothing_from_outside", code("text = open('~/x.csv').read()")),
    ("nothing_from_outside", code("table = load('https://example.org/x.csv')")),
    ("no_errors", code("1 / 0", {"output_type": "error", "ename": "ZeroDivisionError", "evalue": "division by zero", "traceback": []})),
    ("no_errors", code("warn('x')", stream("UserWarning: x\n", "stderr"))),
    ("no_raster_images", code("draw()", display(**{"image/png": "iVBO"}))),
    ("no_raster_images", code("draw()", display(**{"text/html": "<img src='data:image/png;base64,iVBO'>"}))),
    ("figures_have_text", figure_cell(alt="")),
    ("figures_have_text", figure_cell(alt="Two curves.")),
    ("figures_have_text", figure_cell(alt="_build/jupyter_execute/curves.svg")),
    ("figures_have_text", figure_cell(caption="")),
    ("sources_fit", code("source(precision)", result(f"def precision(tp, fp):\n    {WIDE}x"))),
    ("rounded_numbers", code("1 / 3", result("0.3333333333333333"))),
    ("rounded_numbers", code("print(1e-9 / 3)", stream("3.3333333333e-10\n"))),
    ("rounded_numbers", code("values", result("array([0.5, 0.12345678])"))),
    ("typed_numbers", markdown("The mean is 0.53.")),
    ("typed_numbers", markdown("It rose by 12 %.")),
    ("typed_numbers", markdown("It rose by 12.5%, and more.")),
    ("typed_numbers", markdown("There are 1,001 goals.")),
    ("typed_numbers", markdown("There are 7000 goals.")),
    ("typed_numbers", markdown("It is 3/5 of them.")),
    ("typed_numbers", markdown("It is ½ of them.")),
    ("typed_numbers", markdown("It fell to -0.25 at once.")),
    ("typed_numbers", markdown("```{prf:remark}\n:label: r\nThe mean is 0.53.\n```")),
    ("typed_numbers", markdown(":::{admonition} ★ 12% more\n:class: starred\nText.\n:::")),
    ("typed_numbers", markdown("One line.\n\n---\n\nThe mean is 0.53.\n\n---\n")),
    ("typed_numbers", figure_cell(caption="Precision falls to 0.53.")),
    ("typed_numbers", figure_cell(alt="Precision falls from one to 0.53 while recall climbs to one.")),
    ("glued", markdown("{glue:text}`unknown`")),
    ("glued", code("glue('unused', 1)", glue_output("unused"))),
    ("glued", code("glue('mean', 1)", glue_output("mean"))),
    ("exercises", exercise("four")[0]),
    ("exercises", exercise("four")[1]),
    ("statements_are_checked", markdown("```{prf:lemma}\n:label: B2\nText.\n```")),
    ("statements_are_checked", [code("claim('B2')", claim_output("B2")), markdown("```{prf:lemma}\n:label: B2\nText.\n```")]),
    ("statements_are_checked", code("claim('B3')", claim_output("B3"))),
]


@pytest.mark.parametrize("rule, cells", BROKEN_CELLS)
def test_a_broken_cell_is_found_by_its_rule_alone(rule, cells):
    added = cells if isinstance(cells, list) else [cells]
    assert broken_rules(*added) == {rule}


FOR_RUFF = {  # what ruff must find in a cell, with the settings of pyproject.toml -> the cell
    "B015": "1 + 1 == 2\nx = 3",
    "B018": "1 + 1\nx = 3",
    "F631": "assert (1 + 1 == 3, 'sum')",
    "F401": "from statistics import median",
    "F821": "print(unknown)",
    "NPY002": "import numpy as np\n\nnp.random.seed(3)",
    "TID251": "import urllib.request\n\nurllib.request.urlopen",
    "TID251 ": "from random import shuffle\n\nshuffle([])",
    "TID251  ": "import datetime\n\ndatetime.date.today()",
    "invalid-syntax": "if True",
}


@pytest.mark.parametrize("code_of_rule", FOR_RUFF)
def test_ruff_finds_what_is_wrong_with_any_python(tmp_path, code_of_rule):
    path = tmp_path / "draft.ipynb"
    path.write_text(notebook([code(FOR_RUFF[code_of_rule])]).text)
    assert re.findall(r"draft.ipynb:cell 1:\d+:\d+: ([\w-]+)", lint.ruff("--config=pyproject.toml", path)) == [code_of_rule.strip()]


def no_id(raw):
    del raw["cells"][3]["id"]


def same_id(raw):
    raw["cells"][3]["id"] = raw["cells"][1]["id"]


def wrong_order(raw):
    raw["cells"][1]["execution_count"] = 7


def settings_of_an_editor(raw):
    raw["metadata"]["vscode"] = {}


def cell_settings(raw):
    raw["cells"][1]["metadata"]["collapsed"] = True


def no_first_cell(raw):
    raw["cells"][1] |= {"id": "cell-1", "source": "x = 1", "metadata": {}}


def never_run(raw):
    for cell in raw["cells"]:
        if cell["cell_type"] == "code":
            cell["execution_count"] = None


def no_title(raw):
    raw["cells"][0]["source"] = raw["cells"][0]["source"].replace("# A title", "A title")


def no_card(raw):
    raw["cells"][0]["source"] = "# A title"


def replaced(old, new):
    """A change of the one cell that has some text."""
    def change(raw):
        [cell] = [cell for cell in raw["cells"] if old in cell["source"]]
        cell["source"] = cell["source"].replace(old, new)
    return change


def boxes_exchanged(raw):
    other = {"in-a-hurry": "report", "report": "in-a-hurry"}
    for cell in raw["cells"]:
        cell["source"] = re.sub(":class: (in-a-hurry|report)", lambda name: f":class: {other[name[1]]}", cell["source"])


def two_exercises(raw):
    del raw["cells"][-4:]


def two_questions(raw):
    for cell in raw["cells"]:
        cell["source"] = cell["source"].replace("1. Why?\n", "")


BROKEN_FILES = [
    ("ids", no_id),
    ("ids", same_id),
    ("finds_the_package", no_first_cell),
    ("run_in_order", wrong_order),
    ("run_in_order", never_run),
    ("stored_by_the_tool", settings_of_an_editor),
    ("stored_by_the_tool", cell_settings),
    ("opens_with_a_card", no_title),
    ("opens_with_a_card", no_card),
    ("opens_with_a_card", replaced("You need\n: - sets\n", "")),
    ("opens_with_a_card", replaced(": - sets", ": sets")),
    ("opens_with_a_card", replaced("25", "0")),
    ("opens_with_a_card", replaced("about 25", "half an hour of")),
    ("opens_with_a_card", replaced(": It is all the same.", "It is all the same.")),
    ("opens_with_a_card", replaced("25 minutes, 20", "25 minutes, and 20")),
    ("reading_first", replaced("## Deeper", "## Details")),
    ("reading_first", replaced("## Deeper", "## Real data")),
    ("reading_first", replaced("The mean is {glue", "## Too early\n\nThe mean is {glue")),
    ("reading_first", replaced(":class: in-a-hurry", ":class: tip")),
    ("reading_first", replaced(":class: report", ":class: in-a-hurry")),
    ("reading_first", replaced("## By hand", "## First\n\n## By hand")),
    ("reading_first", boxes_exchanged),
    ("reading_first", replaced("\n\n## Exercises", "\n\n## Exercises\n\n## More")),
    ("exercises", two_exercises),
    ("questions", two_questions),
    ("something_to_break", replaced(":class: break-it", ":class: tip")),
    ("something_to_break", replaced("break-B1", "break-B9")),
    ("something_to_break", replaced('claim("B1")', 'claim("B2")')),
    ("something_to_break", replaced("`claim` to", "`clam` to")),
]


@pytest.mark.parametrize("rule, change", BROKEN_FILES)
def test_a_broken_notebook_is_found_by_its_rule_alone(rule, change):
    assert broken_rules(change=change) == {rule}


def test_a_notebook_written_by_another_tool_is_found():
    good = notebook(GOOD)
    good.text = json.dumps(good.raw)
    assert {problem.rule for problem in lint.problems(good)} == {"stored_by_the_tool"}


def test_every_rule_was_broken_at_least_once():
    broken = {rule for rule, _ in BROKEN_CELLS + BROKEN_FILES}
    assert broken == {rule.__name__ for rule in lint.RULES + lint.STRUCTURE}


def test_other_pages_need_no_card_and_no_exercises():
    assert lint.problems(notebook(GOOD[1:5], chapter=False)) == []


@pytest.mark.parametrize("cell", [
    code('"""A text."""'),
    code("def f(x):\n    '''A docstring.'''\n    ..."),
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
    code("rng = np.random.default_rng(seed=3)\nrng.shuffle(values)"),
    code("table = open('data/iset-1001.csv')\ntext = f'{1}/{2}'"),
    figure_cell("fig, ax = figure()\nfor x in values:\n    ax.plot(x)\nassert len(ax.lines) == 3\nshow(fig)"),
    figure_cell("fig, ax = figure()\nax.plot(np.append(values, 1))\nshow(fig)"),
    markdown("Precision at 10 is P@10, and F1 is its friend; item 3 of 7, in the years 1979-2009 and 2012."),
    markdown("See chapter 8.4, pp. 1042-1043, with Python 3.11; a 0/1 ranking; 0/0; the set iset-1001."),
    markdown("$$0.25$$\n\n```python\n0.5\n```\n\n[a link](https://example.org/1.25/3,000) {cite}`x2.5`"),
    markdown("```{figure} a.svg\n:width: 62.5%\nCaption.\n```\n\n```{list-table}\n---\nwidths: 12.5% 87.5%\n---\n* - x\n```"),
])
def test_good_cells_pass(cell):
    assert broken_rules(cell) == set()


def test_two_figures_in_a_row_may_use_the_same_names():
    assert broken_rules(figure_cell(), figure_cell()) == set()
