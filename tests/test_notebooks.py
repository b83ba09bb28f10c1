"""Every notebook keeps the rules of lint.py, what only checks is found and little, and pages name no source, function or correction that is not there."""

import ast
import inspect
import re
from collections import Counter

import pytest

import metrics
from book._sphinx import sources
from book._sphinx.claims_page import label_problems
from metrics.exact.claims import STRENGTHS
from metrics.names.sheet import RECORDS
from tools import lint

pytestmark = pytest.mark.check
BOOK = sources.ROOT / "book"
NOTEBOOKS = sorted(BOOK.glob("*.ipynb"))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_keeps_the_rules(path):
    found = lint.problems(sources.read(path))
    assert not found, "\n" + "\n".join(map(str, found))


def test_python_files_and_cells_keep_the_rules_of_ruff():
    found = lint.ruff()
    assert not found, f"\n{found}Much of it is mended by: .venv/bin/ruff check --fix"


def test_every_statement_of_the_book_has_one_check_and_a_label_of_its_own():
    notebooks = [sources.read(path) for path in NOTEBOOKS]
    stated = [label for each in notebooks for label in lint.placed(each, *(f"prf:{kind}" for kind in lint.STATEMENTS))]
    checked = [claim["label"] for each in notebooks for claim in each.claims]
    assert len(checked) > 100 and label_problems(stated, checked) == []


CLAIM = {"output_type": "display_data", "metadata": {}, "data": {sources.RECORD: {"label": "A1"}, "text/plain": "A1"}}
SHOWN = {"output_type": "execute_result", "metadata": {}, "data": {"text/plain": "1"}}
GLUED = {"output_type": "display_data", "metadata": {}, "data": {"application/papermill.record/text/plain": "1"}}


def notebook(*parts):
    """A notebook: text for prose, (source, outputs) for code."""
    cells = [{"cell_type": "markdown", "source": [part]} if isinstance(part, str)
             else {"cell_type": "code", "source": part[0].splitlines(keepends=True), "outputs": part[1]} for part in parts]  # fmt: skip
    return sources.Notebook("x.ipynb", {"cells": cells})


@pytest.mark.parametrize("parts, expected", [
    ([("a", [SHOWN]), ("b", [GLUED]), ("claim()", [CLAIM])], [[1, 2]]),
    ([("a", []), "Words.", ("claim()", [CLAIM])], [[2]]),
    ([("a", []), ("import math\na = 1", []), ("claim()", [CLAIM])], [[2]]),
    ([("claim()", [CLAIM]), ("a", []), ("claim()", [CLAIM]), ("b", [])], [[0], [1, 2]]),
])  # fmt: skip
def test_a_check_is_a_run_of_silent_cells_that_ends_in_a_claim(parts, expected):
    assert [[cell.number - 1 for cell in run] for run in notebook(*parts).checks] == expected


@pytest.mark.parametrize("name", sources.chapters())
def test_a_chapter_computes_more_than_it_checks_and_a_check_fits_on_a_screen(name):
    """A reader comes for what is derived and computed; whoever opens a check sees all of it at once."""
    notebook = sources.read(sources.ROOT / f"{name}.ipynb")
    lines = [sum(bool(line) for cell in run for line in cell.source.splitlines()) for run in notebook.checks]
    of_all = sum(bool(line) for cell in notebook.code for line in cell.source.splitlines())
    assert 0 < sum(lines) < of_all - sum(lines) and max(lines) <= 40


@pytest.mark.parametrize("page", ["how-to-use.ipynb", "glossary.md"])
def test_strength_has_one_rule_on_all_pages(page):
    text = sources.prose(sources.ROOT / "book" / page)
    assert [strength for strength, rule in STRENGTHS.items() if strength != "cited" and rule not in text] == []


SOURCES = 4  # a note, a thesis, course notes, a list


def public_functions():
    """Every public function of the package, those of a namespace with its name before theirs."""
    modules = {name for name in metrics.__all__ if inspect.ismodule(getattr(metrics, name))}
    named = {f"{module}.{name}" for module in ("premise_selection", "ties") for name in getattr(metrics, module).__all__}
    return set(metrics.__all__) - modules | named


def rows(text):
    """The rows of four cells in the tables in Markdown, without the heads; with the heading above."""
    for part in re.split(r"(?m)^## ", text):
        for line in re.findall(r"(?m)^\|(.*)\|$", part):
            cells = [cell.strip() for cell in line.split("|")]
            if len(cells) == 4 and cells[1] not in ("chapter", "Metric", "---"):
                yield part.partition("\n")[0], cells


def test_the_page_of_sources_names_functions_that_there_are_and_claims_of_the_chapter():
    labels = {claim["label"]: f"{{doc}}`{path.stem}`" for path in BOOK.glob("*.ipynb") for claim in sources.read(path).claims}
    table = list(rows((BOOK / "sources.md").read_text(encoding="utf-8")))
    assert len({source for source, _ in table}) == SOURCES
    for _, (definition, chapter, function, claims) in table:
        named = set(re.findall("`(.*?)`", function))
        assert function.startswith("none: ") or named and named <= public_functions(), definition
        assert {labels.get(label) for label in re.findall("{prf:ref}`(.*?)`", claims)} <= {chapter}, definition


def test_the_metric_finder_has_every_function_and_its_chapter_names_it():
    table = [row for _, row in rows((BOOK / "metric-finder.md").read_text(encoding="utf-8")) if row[2].startswith("{doc}")]  # not the last, of chapters only
    by_hand = {name: row[2][6:-1] for row in table for name in re.findall("`(.*?)`", row[3])}
    found = {its.path: its.chapter for its in RECORDS.values()} | by_hand
    assert found.keys() == public_functions(), "a function without a record: | What you want to know | Its name | {doc}`chapter` | `function` |"
    pages = {chapter: (BOOK / f"{chapter}.ipynb").read_text(encoding="utf-8") for chapter in {*found.values()}}
    silent = [f"book/{chapter}.ipynb: {name}" for name, chapter in found.items() if not re.search(rf"\b{name.split('.')[-1]}\b", pages[chapter])]
    assert not silent, f"write a sentence that names the function in {', '.join(silent)}"


def test_every_correction_is_run_or_says_that_it_is_not():
    """Below each entry, up to the next heading, a cell asserts something, or else its text says so."""
    entries, current = {}, None  # (source, number) -> what speaks for it
    for cell in sources.read(BOOK / "corrections.ipynb").cells:
        if cell.kind == "markdown" and "##" in cell.source:
            target = re.match(r"\(correction-(\d+)-(\d+)\)=\n### \2\. ", cell.source)
            current = tuple(map(int, target.groups())) if target else None
            if target:
                entries[current] = {"its text"} if "*Read, not run:*" in cell.source else set()
        elif current and any(isinstance(node, ast.Assert) for node in ast.walk(cell.tree)):
            entries[current].add("a cell")
    assert [entry for entry, checks in entries.items() if len(checks) != 1] == []
    numbers = Counter(source for source, _ in entries)
    assert list(entries) == [(source, i) for source in range(1, SOURCES + 1) for i in range(1, numbers[source] + 1)]


README_PICTURE = sources.ROOT / "book/_static/four-denominators.svg"


def picture_of_the_cover():
    """The figure of the four denominators that the cover stores, with the background that it needs on a page of its own."""
    outputs = [output for cell in sources.read(sources.ROOT / "book/cover.ipynb").cells for output in cell.outputs]
    figures = ["".join(output["data"]["image/svg+xml"]) for output in outputs if "image/svg+xml" in output.get("data", {})]
    [figure] = [figure for figure in figures if 'data-moves="four-denominators"' in figure]
    return figure.replace("<svg ", '<svg style="background: #ffffff" ', 1)


def test_the_picture_of_the_readme_is_that_of_the_cover():
    again = ".venv/bin/python tests/test_notebooks.py"
    assert README_PICTURE.read_text() == picture_of_the_cover(), f"the cover has a new figure; store it with {again}"


if __name__ == "__main__":
    README_PICTURE.write_text(picture_of_the_cover())
