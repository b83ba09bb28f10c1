"""The page of sources names nothing that does not exist and forgets no function; every correction is run, or says that it is not."""

import ast
import inspect
import re
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import pytest

import metrics
from book._sphinx import sources

BOOK = sources.ROOT / "book"
PAGE = BOOK / "sources.md"
SOURCES = {"A blog note", "A thesis on premise selection", "Course notes on retrieval", "A student's list of metrics"}
ADDED = "What the book adds"
COLUMNS = ["definition", "chapter", "function", "claims"]


@dataclass(frozen=True)
class Row:
    """One line of a table: a definition of a source and its place in the book."""

    source: str
    definition: str
    chapter: str
    function: str
    claims: str

    @property
    def functions(self):
        """The functions named, none where the cell gives a reason instead."""
        return [] if self.function.startswith("none: ") else re.findall(r"`([^`]+)`", self.function)

    @property
    def labels(self):
        return re.findall(r"\b[A-Z]\d+\b", self.claims)

    def __str__(self):
        return f"{self.source}, {self.definition}"


# ---- Reading -------------------------------------------------------------------------------------------


def sections(text):
    """Heading -> text below it."""
    parts = re.split(r"(?m)^## (.+)$", text)
    return dict(zip(parts[1::2], parts[2::2]))


def rows(text):
    """The rows of all tables, the headings of the columns left out."""
    for source, below in sections(text).items():
        for line in re.findall(r"(?m)^\|(.*)\|$", below):
            cells = [cell.strip() for cell in line.split("|")]
            if cells != COLUMNS and set("".join(cells)) != {"-"}:
                yield Row(source, *(cells + [""] * len(COLUMNS))[: len(COLUMNS)])


def added(text):
    """The functions that the page gives to no source."""
    return re.findall(r"`([^`]+)`", sections(text).get(ADDED, ""))


def public_functions():
    """Every public function of the package, those of a namespace with its name before theirs."""
    modules = {name for name in metrics.__all__ if inspect.ismodule(getattr(metrics, name))}
    named = {f"{module}.{name}" for module in ("premise_selection", "ties") for name in getattr(metrics, module).__all__}
    return set(metrics.__all__) - modules | named


def labels_of_chapters():
    """Label of a claim -> name of the chapter that stores it."""
    return {claim["label"]: path.stem for path in BOOK.glob("*.ipynb") for claim in sources.read(path).claims}


def chapters():
    return {Path(file).name for file in sources.chapters()}


# ---- The guard -----------------------------------------------------------------------------------------


def problems(text, chapters, labels, functions):
    """What is wrong with the page, given the chapters, label -> chapter, and the public functions."""
    table = list(rows(text))
    named = {name for row in table for name in row.functions}
    for source in sorted(SOURCES - {row.source for row in table}):
        yield f"no row of the source '{source}'"
    for source in sorted({row.source for row in table} - SOURCES):
        yield f"an unknown source '{source}'"
    for (source, definition), count in Counter((row.source, row.definition) for row in table).items():
        if count > 1:
            yield f"{source}, {definition}: stands here {count} times"
    for row in table:
        yield from problems_of_row(row, chapters, labels, functions)
    for name in sorted(functions - named - set(added(text))):
        yield f"the function {name} has no row, and is not among what the book adds"
    for name in sorted(set(added(text)) - functions):
        yield f"what the book adds: no function {name}"
    for name in sorted(set(added(text)) & named):
        yield f"the function {name} has a row, and is among what the book adds"


def problems_of_row(row, chapters, labels, functions):
    name = row.chapter.removeprefix("{doc}`").removesuffix("`")
    if name not in chapters:
        yield f"{row}: no chapter '{row.chapter}'"
    elif row.chapter != f"{{doc}}`{name}`":
        yield f"{row}: the chapter is there, write {{doc}}`{name}`"
    if not row.functions and not re.fullmatch(r"none: .{10,}", row.function):
        yield f"{row}: neither a function nor a reason for none: '{row.function}'"
    for function in row.functions:
        if function not in functions:
            yield f"{row}: no function {function}"
    if not row.labels and row.claims != "–":
        yield f"{row}: neither a claim nor a dash: '{row.claims}'"
    for label in row.labels:
        if label not in labels:
            yield f"{row}: no chapter stores the claim {label}"
        elif labels[label] != name:
            yield f"{row}: the claim {label} belongs to {labels[label]}, not to {name}"
        elif f"{{prf:ref}}`{label}`" not in row.claims:
            yield f"{row}: the claim is there, write {{prf:ref}}`{label}`"


# ---- The page passes it ----------------------------------------------------------------------------------


def test_the_page_is_right_and_complete():
    found = list(problems(PAGE.read_text(encoding="utf-8"), chapters(), labels_of_chapters(), public_functions()))
    assert not found, "\n" + "\n".join(found)


def test_every_row_is_read():
    text = PAGE.read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if line.startswith("|")]
    tables = sum(line == f"| {' | '.join(COLUMNS)} |" for line in lines)
    assert tables == len(SOURCES) and len(list(rows(text))) == len(lines) - 2 * tables > 70


# ---- The guard can fail ----------------------------------------------------------------------------------

GOOD = f"""# A page

{"".join(f'''## {source}

| definition | chapter | function | claims |
| --- | --- | --- | --- |
| precision | {{doc}}`sets` | `precision` | {{prf:ref}}`B1` |
| nDCG | {{doc}}`curves` | `ndcg`, `mean` | {{prf:ref}}`A1` |
| the input | {{doc}}`sets` | none: it is the argument `relevance` | – |

''' for source in sorted(SOURCES))}## {ADDED}

`jaccard`, `bpref`.
"""
WORLD = {"chapters": {"sets", "curves"}, "labels": {"B1": "sets", "A1": "curves"},
         "functions": {"precision", "ndcg", "mean", "jaccard", "bpref"}}


def test_a_good_page_passes():
    assert list(problems(GOOD, **WORLD)) == []


@pytest.mark.parametrize(("old", "new", "message"), [
    ("{doc}`sets`", "{doc}`gone`", "no chapter '{doc}`gone`'"),
    ("{doc}`sets`", "sets", "the chapter is there, write {doc}`sets`"),
    ("`precision`", "`precison`", "no function precison"),
    ("`precision`", "none", "neither a function nor a reason for none: 'none'"),
    ("`precision`", "", "neither a function nor a reason for none: ''"),
    ("{prf:ref}`B1`", "{prf:ref}`B9`", "no chapter stores the claim B9"),
    ("{prf:ref}`B1`", "{prf:ref}`A1`", "the claim A1 belongs to curves, not to sets"),
    ("{prf:ref}`B1`", "B1", "the claim is there, write {prf:ref}`B1`"),
    ("{prf:ref}`B1`", "", "neither a claim nor a dash: ''"),
    ("| {prf:ref}`A1` |", "|", "neither a claim nor a dash: ''"),
    ("| nDCG |", "| precision |", "stands here 2 times"),
    ("## Course notes on retrieval", "## Notes", "no row of the source 'Course notes on retrieval'"),
    ("## Course notes on retrieval", "## Notes", "an unknown source 'Notes'"),
    ("`ndcg`, `mean`", "`ndcg`", "the function mean has no row"),
    ("`jaccard`, ", "", "the function jaccard has no row"),
    ("`jaccard`, ", "`jaccard`, `gone`, ", "what the book adds: no function gone"),
    ("`jaccard`, ", "`jaccard`, `ndcg`, ", "the function ndcg has a row, and is among what the book adds"),
])
def test_a_fault_is_named(old, new, message):
    assert old in GOOD
    found = list(problems(GOOD.replace(old, new), **WORLD))
    assert any(message in problem for problem in found), found


def test_the_public_functions_are_found():
    assert {"Hits", "precision", "premise_selection.cover", "positive_coverage_at"} <= public_functions()
    assert not {"claims", "definitions", "premise_selection", "premise_selection.found"} & public_functions()


# ---- The metric finder -----------------------------------------------------------------------------------


def test_the_metric_finder_has_every_function_and_its_chapter():
    finder = (BOOK / "metric-finder.md").read_text(encoding="utf-8")
    found = {}
    for row in re.findall(r"(?m)^\|(.*)\|$", finder):
        cells = [cell.strip() for cell in row.split("|")]
        if len(cells) != 4:
            continue  # the last table names chapters only
        *_, chapter, functions = cells
        found |= {name: chapter.removeprefix("{doc}`").removesuffix("`") for name in re.findall(r"`([^`]+)`", functions)}
    assert set(found) == public_functions()
    text = {chapter: (BOOK / f"{chapter}.ipynb").read_text(encoding="utf-8") for chapter in chapters()}
    assert [f"{chapter} never names {name}" for name, chapter in found.items() if name.split(".")[-1] not in text[chapter]] == []


# ---- What the sources got wrong --------------------------------------------------------------------------


def corrections(notebook):
    """Target of an entry -> (its text, whether a cell below it asserts something)."""
    entries, current = {}, None
    for cell in notebook.cells:
        if cell.kind == "markdown" and "##" in cell.source:
            target = re.match(r"\(correction-(\d+)-(\d+)\)=\n### (\d+)\. ", cell.source)
            current = tuple(map(int, target.groups())) if target else None
            if target:
                entries[current] = [cell.source, False]
        elif current and cell.kind == "code":
            entries[current][1] |= any(isinstance(node, ast.Assert) for node in ast.walk(cell.tree))
    return entries


def test_every_correction_is_run_or_says_that_it_is_not():
    entries = corrections(sources.read(BOOK / "corrections.ipynb"))
    numbers = Counter(source for source, _, _ in entries)
    assert list(entries) == [(source, i, i) for source in sorted(numbers) for i in range(1, numbers[source] + 1)]
    assert len(numbers) == len(SOURCES)
    for entry, (text, runs) in entries.items():
        assert runs != ("*Read, not run:*" in text), entry
