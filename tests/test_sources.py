"""The page of sources names nothing that does not exist, the metric finder forgets no function; every correction is run, or says that it is not."""

import ast
import inspect
import re
from collections import Counter

import pytest

import metrics
from book._sphinx import sources

pytestmark = pytest.mark.check
BOOK = sources.ROOT / "book"
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
    found = {name: row[2][6:-1] for row in table for name in re.findall("`(.*?)`", row[3])}
    assert found.keys() == public_functions(), "add or remove: | What you want to know | Its name | {doc}`chapter` | `function` |"
    pages = {chapter: (BOOK / f"{chapter}.ipynb").read_text(encoding="utf-8") for chapter in {*found.values()}}
    assert [(name, chapter) for name, chapter in found.items() if not re.search(rf"\b{name.split('.')[-1]}\b", pages[chapter])] == []


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
