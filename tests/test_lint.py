"""Each rule of lint.py finds what was broken on purpose in a chapter that keeps them all; what the tool stores keeps them, too."""

import copy
import json
import re
import subprocess
import sys

import nbformat
import pytest
import zmq

from book._sphinx import sources
from tools import first_cell, lint, store

CHAPTER = sources.read(sources.ROOT / "book/premise-selection-metrics.ipynb")


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


def figure_cell(source="ax.plot([1, 2])", **more):
    frame = {"caption": "Two curves.", "name": "fig-curves"}
    described = {"image": {"alt": "Precision falls."}, "figure": frame | more}
    return code(f"fig, ax = figure()\n{source}\nshow(fig)", display(**{"image/svg+xml": "<svg/>"}), tags=["hide-input"], mystnb=described)


def broken(*cells, change=lambda cells: None):
    """The problems of the chapter with these cells at its end, stored by the tool and then changed."""
    raw = copy.deepcopy(CHAPTER.raw)
    raw["cells"] += [{"id": f"new-{number}"} | copy.deepcopy(cell) for number, cell in enumerate(cells)]
    for count, cell in enumerate((cell for cell in raw["cells"] if cell["cell_type"] == "code"), 1):
        cell["execution_count"] = count
    raw = store.without_settings(nbformat.from_dict(raw))
    change(raw["cells"])
    return lint.problems(sources.Notebook(CHAPTER.name, raw, store.as_canonical_text(raw)))


def rules(problems):
    return {re.search(r"\[(\w+)\]$", problem)[1] for problem in problems}


def test_a_problem_names_notebook_cell_rule_and_text():
    [problem] = broken(code("1 == 1;"))
    assert problem == (f"{CHAPTER.name}, cell {len(CHAPTER.cells) + 1}: checks nothing; use `assert`, or `assert not` if you mean it: 1 == 1 [checks_nothing]")


def replaced(pattern, new):
    """A change of the first cell of prose that has such a text."""

    def change(cells):
        cell = next(cell for cell in cells if cell["cell_type"] == "markdown" and re.search(pattern, sources.joined(cell["source"])))
        cell["source"] = re.sub(pattern, new, sources.joined(cell["source"]), count=1)

    return change


def no_question(cells):
    """A chapter without votes."""
    cells[:] = [cell for cell in cells if not sources.joined(cell["source"]).startswith("ask(")]


BROKEN = {  # the rule that finds it -> a cell, or cells, or the source of one that shows nothing, or a change of the stored notebook
    "plain_python": ["%time x = 1", ""],
    "short_cells": ["\n".join(f"x{n} = {n}" for n in range(21))],
    "short_on_the_whole": [[code("a = 1\n" * 7)] * 50],
    "tags": [code("x = 1", tags=["remove-input"]), "# NBVAL_IGNORE_OUTPUT\nx = 1"],
    "leaves_out_what_is_missing": ["from sklearn.metrics import auc"],
    "hidden_code": [code("x = 1", tags=["hide-input"]), [figure_cell("total = 3"), code("total + 1", result("4"))], figure_cell("shares.sort()")],
    "checks_nothing": ["all(v < 1 for v in shares)\nx = 3", code("1 + 1 == 3", result("False"))],
    "nothing_from_outside": ["text = open('/tmp/x.csv').read()", "load('https://example.org/x.csv')"],
    "no_warnings": [code("print(1)", stream("a warning", "stderr"))],
    "no_raster_images": [code("draw()", display(**{"image/png": "iVBO"}))],
    "figures_have_captions": [figure_cell(caption=""), figure_cell(name="")],
    "sources_fit": [code("source(precision)", result(f"def precision(tp, fp):\n    {'x' * (lint.WIDEST_SOURCE - 3)}"))],
    "rounded_numbers": [code("print(1e-9 / 3)", stream("3.3333333333e-10\n")), code("shares", result("array([0.5, 0.12345678])"))],
    "typed_numbers": [*map(markdown, ["The mean is 0.53.", "It rose by 12 %.", "There are 1,001 goals.", "It is 3/5 of them."])],
    "exercises": [markdown("```{exercise}\n:label: four\nProve it.\n```"), replaced(":label: ex-drop-last", ":label: ex-other")],
    "statements_are_checked": [markdown("```{prf:lemma}\n:label: B2\nText.\n```")],
    "something_to_break": [replaced(":class: break-it", ":class: tip"), replaced("change `return", "change `back")],
    "stored_by_the_tool": [
        lambda cells: cells[3].update(metadata={"collapsed": True}),
        lambda cells: next(cell for cell in cells if cell["id"] == first_cell.ID).update(source="import metrics"),
    ],
    "opens_with_a_card": [replaced("^# ", ""), replaced("You need", "You want")],
    "reading_first": [replaced("## Deeper", "## Details"), replaced(":class: report", ":class: in-a-hurry")],
    "questions": [no_question],
}


def listed(cells):
    """A row of the table as a list of cells."""
    return cells if isinstance(cells, list) else [code(cells) if isinstance(cells, str) else cells]


@pytest.mark.parametrize("rule, row", [(rule, row) for rule, rows in BROKEN.items() for row in rows])
def test_what_is_broken_is_found_by_its_rule_alone(rule, row):
    assert rules(broken(change=row) if callable(row) else broken(*listed(row))) == {rule}


def test_a_notebook_written_by_another_tool_is_found():
    assert rules(lint.problems(sources.Notebook(CHAPTER.name, CHAPTER.raw, json.dumps(CHAPTER.raw)))) == {"stored_by_the_tool"}


def test_every_rule_was_broken_at_least_once():
    assert BROKEN.keys() == {rule.__name__ for rule in lint.RULES + lint.STRUCTURE}


def test_ruff_finds_what_is_wrong_in_the_cells_of_a_notebook(tmp_path):
    path = write(tmp_path, "1 + 1 == 2\nx = 3", "from random import shuffle\n\nshuffle([])")
    found = re.findall(r"draft.ipynb:cell (\d+):\d+:\d+: ([\w-]+)", lint.ruff("--config=pyproject.toml", path))
    assert found == [("2", "B015"), ("3", "TID251")]


@pytest.mark.parametrize("cells", [
    [figure_cell(), figure_cell()],  # two in a row may use the same names
    "if installed('scikit-learn'):\n    import sklearn.metrics\n    print(sklearn.metrics)",
    code("sympy.pi.evalf()", result("3.14159265358979", **{"text/latex": "$3.14159265358979$"})),
    code("print('1.0.4.20261018')", stream("1.0.4.20261018\n")),
    markdown("P@10, F1, chapter 8.4, in the years 1979-2009, with Python 3.11; a 0/1 ranking; the set iset-1001."),
    markdown("$$0.25$$\n\n```python\n0.5\n```\n\n[a link](https://example.org/1.25/3,000) {cite}`x2.5`"),
])  # fmt: skip
def test_good_cells_pass(cells):
    assert broken(*listed(cells)) == []


def write(folder, *sources):
    """A notebook as an editor may leave it: no ids, settings of its own, outputs of another day."""
    cells = [{"cell_type": "code", "execution_count": 9, "metadata": {"collapsed": True, "tags": []}, "outputs": [], "source": source} for source in sources]
    title = {"cell_type": "markdown", "metadata": {"editable": True}, "source": ["# A title\n", "\n", "Text"]}
    path = folder / "draft.ipynb"
    path.write_text(json.dumps({"nbformat": 4, "nbformat_minor": 4, "metadata": {"toc": {}}, "cells": [title, *cells]}), encoding="utf-8")
    return path


def test_running_again_changes_nothing_and_what_imports_the_package_finds_it(tmp_path, capsys):
    code = ["print('a')\nprint('b')", "x = {1, 2}", "sorted(x)  # two  blanks\n\n", "def f():\n    from metrics.exact import claim"]
    path = write(tmp_path, *code)
    assert store.run_and_write(path)
    first = path.read_bytes()
    assert not store.main([path]) and path.read_bytes() == first and "unchanged" in capsys.readouterr().out
    title, finder, *cells = sources.read(path).cells
    assert title.source == "# A title\n\nText"
    assert (finder.id, finder.source, finder.tags) == ("find-metrics", first_cell.source(), {"hide-input"})
    assert [cell.source for cell in cells] == code
    assert [cell.count for cell in (title, finder, *cells)] == [None, *range(1, 6)]
    assert cells[0].outputs == [{"name": "stdout", "output_type": "stream", "text": ["a\n", "b\n"]}]
    assert all(cell.metadata == {} for cell in (title, *cells))
    assert not lint.problems(sources.read(path))


@pytest.mark.parametrize("sources, message", [
    (("x = 1", "1 / 0"), r"draft.ipynb, cell 3 \(`\w+`\):[\s\S]*1 / 0[\s\S]*ZeroDivisionError"),
    (("object()",), r"draft.ipynb, cell 2 \(`\w+`\) prints a memory address: at 0x"),
])  # fmt: skip
def test_a_notebook_that_fails_is_named_and_left_alone(tmp_path, capsys, sources, message):
    path = write(tmp_path, *sources)
    before = path.read_bytes()
    assert store.main([path]).startswith("1 of 1 notebooks failed")
    assert re.search(f"NOT STORED. .*{message}", capsys.readouterr().out)
    assert path.read_bytes() == before and list(tmp_path.iterdir()) == [path]


RICH = """class Rich:
    def _repr_mimebundle_(self, **_):
        return {"text/plain": "rich", "image/svg+xml": "<svg/>"}"""
USED = """from numpy._core._multiarray_umath import __cpu_dispatch__ as names, __cpu_features__ as used
[name for name in names if used[name]]"""
SPOKEN_TO = """import json, ipykernel
json.load(open(ipykernel.get_connection_file()))["transport"]"""


def test_nbval_finds_every_change_with_the_simpler_processor_and_without_ports(tmp_path):
    path = write(tmp_path, RICH, "6 * 7", "Rich()", USED, SPOKEN_TO, "print('a')", "8")
    store.run_and_write(path)
    raw = json.loads(path.read_text())
    cells = raw["cells"]
    assert cells[4]["outputs"][0]["data"]["text/plain"] != ["[]"]
    assert cells[5]["outputs"][0]["data"]["text/plain"] == ["'tcp'"]
    there = [(4, "text/plain", "[]"), (5, "text/plain", "'ipc'" if zmq.has("ipc") else "'tcp'")]  # what nbval finds: no such instructions, and no ports
    for cell, kind, value in [(2, "text/plain", "43"), (3, "image/svg+xml", "<svg></svg>"), *there]:
        cells[cell]["outputs"][0]["data"][kind] = value
    cells[6]["outputs"][0]["text"] = "b\n"
    cells[7]["outputs"] = []
    path.write_text(store.as_canonical_text(raw))
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "tools.plain_processor", "-p", "tools.kernel_files", "--nbval", path]
    printed = subprocess.run(command, cwd=sources.ROOT, capture_output=True, text=True).stdout
    assert "4 failed, 3 passed" in printed, printed
