"""The page of sources names nothing that does not exist, the metric finder forgets no function; every correction is run, or says that it is not."""

import ast
import inspect
import re
from collections import Counter
from pathlib import Path

import pytest

import metrics
from book._sphinx import sources

pytestmark = pytest.mark.check
BOOK = sources.ROOT / "book"
SOURCES = {"A blog note", "A thesis on premise selection", "Course notes on retrieval", "A student's list of metrics"}
COLUMNS = ["definition", "chapter", "function", "claims"]


def public_functions():
    """Every public function of the package, those of a namespace with its name before theirs."""
    modules = {name for name in metrics.__all__ if inspect.ismodule(getattr(metrics, name))}
    named = {f"{module}.{name}" for module in ("premise_selection", "ties") for name in getattr(metrics, module).__all__}
    return set(metrics.__all__) - modules | named


def rows(text):
    """The rows of all tables in Markdown, their cells without spaces around; with the heading above."""
    for part in re.split(r"(?m)^## ", text):
        for line in re.findall(r"(?m)^\|(.*)\|$", part):
            yield part.partition("\n")[0], [cell.strip() for cell in line.split("|")]


# ---- The page of sources -------------------------------------------------------------------------------


def problems(text, chapters, labels, functions):
    """What is wrong with the page, given the chapters, label -> chapter, and the public functions."""
    table = [(source, cells) for source, cells in rows(text) if cells != COLUMNS and set("".join(cells)) != {"-"}]
    for source in sorted({source for source, _ in table} ^ SOURCES):
        yield f"an unknown source '{source}'" if source not in SOURCES else f"no row of the source '{source}'"
    for (source, definition), count in Counter((source, cells[0]) for source, cells in table).items():
        if count > 1:
            yield f"{source}, {definition}: stands here {count} times"
    for source, (definition, chapter, function, *claims) in table:
        name, claims = re.sub("^{doc}`|`$", "", chapter), "".join(claims)
        named = [] if function.startswith("none: ") else re.findall(r"`([^`]+)`", function)
        stated = re.findall(r"\b[A-Z]\d+\b", claims)
        yield from (f"{source}, {definition}: {problem}" for wrong, problem in [
            (name not in chapters, f"no chapter '{chapter}'"),
            (name in chapters and chapter != f"{{doc}}`{name}`", f"the chapter is there, write {{doc}}`{name}`"),
            (not named and not re.fullmatch(r"none: .{10,}", function), f"neither a function nor a reason for none: '{function}'"),
            *((each not in functions, f"no function {each}") for each in named),
            (not stated and claims != "–", f"neither a claim nor a dash: '{claims}'"),
            *((labels.get(label) != name, f"the claim {label} belongs to {labels.get(label, 'no chapter')}, not to {name}") for label in stated),
            *((f"{{prf:ref}}`{label}`" not in claims, f"the claim is there, write {{prf:ref}}`{label}`") for label in stated),
        ] if wrong)  # fmt: skip


def test_the_page_of_sources_is_right():
    text = (BOOK / "sources.md").read_text(encoding="utf-8")
    labels = {claim["label"]: path.stem for path in sorted(BOOK.glob("*.ipynb")) for claim in sources.read(path).claims}
    found = list(problems(text, {Path(file).name for file in sources.chapters()}, labels, public_functions()))
    assert not found, "\n" + "\n".join(found)
    faults = "\n".join(problems(re.sub("{prf:ref}|none: ", "", text), set(), {}, set()))  # in a book without chapters, claims and functions
    least = {"no chapter '": 70, "no function ": 50, "belongs to no chapter": 40, "the claim is there, write": 40, "nor a reason for none": 5}
    assert {sign: number for sign, number in least.items() if faults.count(sign) < number} == {}


# ---- The metric finder -----------------------------------------------------------------------------------


def finder_problems(text, functions):
    """What is wrong with the metric finder, given the public functions."""
    table = [row for _, row in rows(text) if len(row) == 4 and row[2].startswith("{doc}")]  # the last table names chapters only
    found = {name: row[2][6:-1] for row in table for name in re.findall(r"`([^`]+)`", row[3])}
    for name in sorted(functions - found.keys()):
        yield f"no row for {name}; add to one of its tables: | What you want to know | Its name | {{doc}}`chapter` | `{name}` |"
    for name, chapter in sorted(found.items()):
        path = BOOK / f"{chapter}.ipynb"
        if name not in functions:
            yield f"there is no function {name}"
        elif not path.exists():
            yield f"the row of {name}: no chapter {chapter}"
        elif not re.search(rf"\b{name.split('.')[-1]}\b", path.read_text(encoding="utf-8")):
            yield f"the row of {name}: the chapter {chapter} never names it"


def test_the_metric_finder_has_every_function_and_its_chapter():
    text = (BOOK / "metric-finder.md").read_text(encoding="utf-8")
    found = list(finder_problems(text, public_functions()))
    assert not found, "book/metric-finder.md: " + "; ".join(found)
    faults = list(finder_problems(re.sub(r"{doc}`[^`]+`", "{doc}`cover`", text), public_functions() - {"auc"} | {"new"}))
    assert faults[0].startswith("no row for new") and "there is no function auc" in faults and "the row of ndcg: the chapter cover never names it" in faults


# ---- What the sources got wrong --------------------------------------------------------------------------


def test_every_correction_is_run_or_says_that_it_is_not():
    entries, current = {}, None  # numbers of an entry -> (its text, whether a cell below it asserts something)
    for cell in sources.read(BOOK / "corrections.ipynb").cells:
        if cell.kind == "markdown" and "##" in cell.source:
            target = re.match(r"\(correction-(\d+)-(\d+)\)=\n### (\d+)\. ", cell.source)
            current = tuple(map(int, target.groups())) if target else None
            if target:
                entries[current] = [cell.source, False]
        elif current and cell.kind == "code":
            entries[current][1] |= any(isinstance(node, ast.Assert) for node in ast.walk(cell.tree))
    numbers = Counter(source for source, _, _ in entries)
    assert list(entries) == [(source, i, i) for source in sorted(numbers) for i in range(1, numbers[source] + 1)]
    assert len(numbers) == len(SOURCES)
    for entry, (text, runs) in entries.items():
        assert runs != ("*Read, not run:*" in text), entry
