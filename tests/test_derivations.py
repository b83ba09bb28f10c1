"""The core of each chapter derives in sight: in cells that stand open on the page SymPy computes, and the page shows what it found."""

import ast
import re
from functools import cache
from types import SimpleNamespace

import pytest
from bs4 import BeautifulSoup
from test_pages import CHAPTERS, book_folder, html, page_of

from book._sphinx.page_cells import cells_of, imports
from book._static.in_the_page import Page
from metrics.names.sheet import RECORDS

CASE_STUDY = ("the-metrics-disagree", "a-library-as-data", "seven-predictors", "is-the-difference-real", "does-it-replicate", "one-machine-to-many")
FOUND = {"integrate", "summation", "doit", "solve", "limit", "diff"}  # SymPy finds what was not there
REWRITTEN = {"cancel", "expand", "factor", "factor_list", "factor_terms", "series", "simplify", "subs", "together"}  # and writes it otherwise
FEWEST, FEWEST_FOUND = 3, 2
FEWEST_LINES, MOST_LINES = 12, 35  # in 1,000 words
MOST_IMPORTS = 3
WORDS = re.compile(r"\\(displaystyle|left|right|frac|begin|end|text|mathrm|sqrt|limits|operatorname)(?![a-zA-Z])|\{[a-z]*matrix\}")
ZERO = r"$\displaystyle 0$"
PLUMBING = {"glue", "print", "rounded"}

# The derivations that the notes asked for from which this book grew, by the names of their cells.
SEEDS = {
    "from-sets-to-rankings": ["worked-table"],
    "average-precision": ["area-of-the-example", "one-box", "the-boxes", "dr-is-delta-over-R", "change-of-variables", "ranks-of-the-example"],
    "ap-at-k": ["stop-at-r-K", "s-N-becomes-s-K", "what-it-divides", "area-is-recall-times-hack"],
    "r-precision": ["solve-for-K", "equation-at-s-0", "solve-for-s", "every-solution"],
    "f-and-e": ["harmonic-mean-to-counts", "one-minus-F", "symmetric-difference", "alpha-to-beta"],
    "premise-selection-metrics": ["five-on-six-letters"],
    "long-tail": ["by-decile-on-six"],
}


def name_of(chapter):
    return chapter.name.removeprefix("book/").removesuffix(".ipynb")


@cache
def core(name):
    """What of a chapter is open before "Deeper": its words, the ids of its places, and its cells, in order."""
    chapter = next(each for each in CHAPTERS if name_of(each) == name)
    article = BeautifulSoup(html(page_of(book_folder(), chapter)), "html.parser").select_one("article")
    deeper = article.select_one("section#deeper")
    for section in [deeper, *deeper.find_next_siblings("section")]:
        section.decompose()
    anchors = {tag["id"] for tag in article.select("[id]")}
    for fold in article.select("details"):
        fold.decompose()
    opened = {tag["id"].removeprefix("code-") for tag in article.select(".cell_input[id^=code-]")}
    for formula in article.select(".formula, math"):
        formula.replace_with("x")
    for tag in article.select(".cell, figure, pre"):
        tag.decompose()
    cells = [cell for cell in chapter.code if cell.id in opened]
    return SimpleNamespace(chapter=chapter, cells=cells, anchors=anchors, words=len(re.findall(r"\S*\w\S*", article.get_text(" "))))


def calls(cell):
    """The names of what a cell calls: the last part of each, and of a definition its own name."""
    called = [node.func for node in ast.walk(cell.tree) if isinstance(node, ast.Call)]
    return {getattr(function, "attr", getattr(function, "id", "")) for function in called}


def definitions(chapter):
    """The names that a chapter gives to exact definitions, such as `ap`, with those that they have."""
    found = {}
    for cell in chapter.code:
        for node in ast.walk(cell.tree):
            if isinstance(node, ast.Assign):
                values = getattr(node.value, "elts", [node.value])
                for target, value in zip(getattr(node.targets[0], "elts", node.targets), values, strict=False):
                    if isinstance(value, ast.Attribute) and ast.unparse(value.value) == "definitions":
                        found[ast.unparse(target)] = value.attr
    return found


def latex(cell):
    """What a cell ends with, as a formula, or nothing."""
    return next(("".join(data["text/latex"]) for data in cell.shown if "text/latex" in data), "")


def has_letters(formula):
    return bool(re.search(r"[a-zA-Z]", WORDS.sub("", formula)))


def computes(cell, chapter):
    """How a cell computes: by a verb that finds, by a definition that is run on letters, by another writing, or not at all."""
    called, named = calls(cell), definitions(chapter)
    exact = {node.attr for node in ast.walk(cell.tree) if isinstance(node, ast.Attribute) and ast.unparse(node.value) == "definitions"}
    defined = exact | (cell.uses & named.keys())
    if not latex(cell):
        return None
    if called & FOUND or defined and has_letters(latex(cell)):
        return "found"
    return "rewritten" if called & REWRITTEN or defined else None


NAMES = [name_of(chapter) for chapter in CHAPTERS]
METRIC_CHAPTERS = [name for name in NAMES if name not in CASE_STUDY]


@pytest.mark.parametrize("name", METRIC_CHAPTERS)
def test_a_chapter_derives_in_sight(name):
    """Three cells at least in which SymPy computes, two of them more than another writing of what was typed."""
    kinds = [computes(cell, core(name).chapter) for cell in core(name).cells]
    assert len(list(filter(None, kinds))) >= FEWEST and kinds.count("found") >= FEWEST_FOUND, kinds


@pytest.mark.parametrize("name", NAMES)
def test_what_is_found_was_not_typed(name):
    """The page shows formulas, and none that stands in the code of its cell."""
    for cell in core(name).cells:
        if computes(cell, core(name).chapter):
            found = re.sub(r"\s", "", "".join(next(data for data in cell.shown if "text/latex" in data)["text/plain"]))
            assert latex(cell).strip("$ ") and (len(found) < 4 or found not in re.sub(r"\s", "", cell.source)), (cell.id, found)


@pytest.mark.parametrize("name", NAMES)
def test_code_is_a_fair_share_of_the_core(name):
    lines = sum(bool(line.strip()) for cell in core(name).cells for line in cell.source.splitlines())
    assert FEWEST_LINES <= 1000 * lines / core(name).words <= MOST_LINES, (lines, core(name).words)


@pytest.mark.parametrize("name", NAMES)
def test_cells_are_models(name):
    """A student may imitate them: a value ends the cell, and few imports stand before the first derivation."""
    first = next((place for place, cell in enumerate(core(name).cells) if computes(cell, core(name).chapter)), 0)
    before = [node for cell in core(name).cells[: first + 1] for node in ast.walk(cell.tree) if imports(node)]
    assert len(before) <= MOST_IMPORTS, list(map(ast.unparse, before))
    for cell in core(name).cells:
        assert not calls(cell) & PLUMBING, (cell.id, calls(cell) & PLUMBING)


@pytest.mark.parametrize("name", SEEDS)
def test_the_derivations_of_the_notes_are_there(name):
    found = {cell.id: computes(cell, core(name).chapter) for cell in core(name).cells}
    assert {label for label in SEEDS[name] if not found.get(label)} == set()


@pytest.mark.parametrize("name", METRIC_CHAPTERS)
def test_each_metric_of_the_core_is_run_there(name):
    """By its exact definition, or by the function that ships."""
    words = {word for cell in core(name).cells for word in re.findall(r"\w+", cell.source)} | set(definitions(core(name).chapter).values())
    of_the_core = {record.function.__name__ for record in RECORDS.values() if record.chapter == name and record.anchor in core(name).anchors}
    assert of_the_core - words == set()


def value_of(cells, place):
    """What a cell ends with when it is run after those that it needs."""
    page, namespace = Page(cells), {}
    own = [page.steps[at] for at in range(page.first[place], page.first[place + 1])]
    needed = {at for number, step in enumerate(own) for at in page.closure(step, page.first[place] + number)}
    for at in sorted(needed - set(range(page.first[place], page.first[place + 1]))):
        exec(compile(ast.Module(page.steps[at].body, []), "cell", "exec"), namespace)
    for step in own[:-1]:
        exec(compile(ast.Module(step.body, []), "cell", "exec"), namespace)
    return str(eval(compile(ast.Expression(own[-1].body[0].value), "cell", "eval"), namespace))


def examples(cell):
    """The rankings that a cell names: their texts."""
    for node in cell.tree.body:
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Tuple) and len(node.value.elts) >= 5:
            if {ast.unparse(part) for part in node.value.elts} == {"0", "1"}:
                yield node.targets[0].id, ast.unparse(node.value)


@pytest.mark.parametrize("name", METRIC_CHAPTERS)
def test_another_ranking_gives_another_value(name):
    """What begins with an example computes it: it is not written down."""
    cells = cells_of(core(name).chapter)
    page, place = Page(cells), {cell["id"]: cell["place"] for cell in cells}

    def steps_of(cell):
        return range(page.first[place[cell.id]], page.first[place[cell.id] + 1])

    def needs(cell):
        return {before for at in steps_of(cell) for before in page.closure(page.steps[at], at)} | set(steps_of(cell))

    values = [cell for cell in core(name).cells if computes(cell, core(name).chapter) and not has_letters(latex(cell)) and latex(cell) != ZERO]
    for cell in core(name).cells:
        for ranking, text in examples(cell):
            *others, last = example = ast.literal_eval(text)
            makers = {at for at in steps_of(cell) if ranking in page.steps[at].binds}
            depend = [place[later.id] for later in values if makers & needs(later)]
            unchanged = set(depend)
            for other in ((last, *others), example[::-1]):
                source = cell.source.replace(text, str(other))
                changed = [each | {"source": source} if each["id"] == cell.id else each for each in cells]
                unchanged -= {at for at in unchanged if value_of(cells, at) != value_of(changed, at)}
            assert {cells[at]["id"] for at in unchanged} == set()
