"""The rules for the notebooks of the book. Each rule says why in its first line.

    python -m tools.lint book/notation.ipynb      print the problems of one notebook (of all, if none is named)

A rule takes a `Notebook` and yields pairs (cell number or None, what is wrong). `problems(notebook)`
runs them all. Those marked `structure` hold for chapters only: the notebooks in a numbered part of _toc.yml.
What is true of all Python, in a cell or a file, `ruff check` says: its rules are in pyproject.toml.
"""

import ast
import re
import statistics
import subprocess
import sys
from functools import partial

from book._sphinx.page_cells import CHANGE, FENCED, break_its, imports
from book._sphinx.sources import ROOT, STATEMENTS, directives, joined, read
from tools import first_cell
from tools.store import as_canonical_text, prepared, without_settings

LONGEST_CELL = 20
LARGEST_MEDIAN = 6
FEWEST = 3  # exercises, and questions
MOST_DIGITS = 6
WIDEST_SOURCE = 64


RULES, STRUCTURE = [], []


def rule(function, rules=RULES):
    rules.append(function)
    return function


structure = partial(rule, rules=STRUCTURE)


def problems(notebook):
    """All problems of a notebook, rule by rule: where, what, and the name of the rule."""
    found = [(check.__name__, *each) for check in RULES + (STRUCTURE if notebook.chapter else []) for each in check(notebook)]
    return [f"{notebook.name}{f', cell {cell}' if cell else ''}: {text} [{name}]" for name, cell, text in found]


def nodes(notebook, kind):
    """Each node of a kind in the code, with its cell before it."""
    return [(cell, node) for cell in notebook.code for node in ast.walk(cell.tree) if isinstance(node, kind)]


def captions(cell):
    """The alternative text, the caption and the name of the figure of a cell."""
    settings = cell.metadata.get("mystnb", {})
    return settings.get("image", {}).get("alt", ""), *(settings.get("figure", {}).get(part, "") for part in ("caption", "name"))


def has_figure(cell):
    return any("image/svg+xml" in data for data in cell.shown)


def boxes(text, kind):
    """The admonitions of a class."""
    return [box for box in directives(text, "admonition") if box.options.get("class") == kind]


def placed(notebook, *names):
    """The mapping label -> cell number of the directives with these names; the label is an option, or the argument."""
    found = [(each.options.get("label", each.argument), cell.number) for cell in notebook.prose for each in directives(cell.source, *names)]
    return {label: number for label, number in found if label}


# ---- The file ------------------------------------------------------------------------------------------


@rule
def stored_by_the_tool(notebook):
    """Other tools write settings, cells without an id, an order of keys that changes from run to run, or an outdated first cell."""
    if notebook.text != as_canonical_text(without_settings(prepared(notebook.raw))):
        yield None, f"not as the tool writes it, or with settings of an editor: make notebooks ONLY={notebook.name}"


# ---- The code ------------------------------------------------------------------------------------------


@rule
def plain_python(notebook):
    """Magics and shell commands cannot be read by the rules below, and not everyone can run them."""
    for cell in notebook.code:
        if not cell.tree.body:
            yield cell.number, f"empty, or not plain Python: {cell.source}"


@rule
def short_cells(notebook):
    """Each cell has one idea."""
    for cell in notebook.code:
        if (lines := len(cell.source.splitlines())) > LONGEST_CELL:
            yield cell.number, f"{lines} lines, at most {LONGEST_CELL}"


@structure
def short_on_the_whole(notebook):
    """Steps have about three lines, each explained by a sentence; a hidden plot is no step, and a page of reference has none."""
    lengths = [len(cell.source.splitlines()) for cell in notebook.code if not cell.tags]
    if lengths and statistics.median(lengths) > LARGEST_MEDIAN:
        yield None, f"the median cell has {statistics.median(lengths):g} lines, at most {LARGEST_MEDIAN}"


@rule
def tags(notebook):
    """A tag can hide a cell from the reader, or an output from the tests."""
    for cell in notebook.cells:
        for tag in sorted(cell.tags - {"hide-input"}):
            yield cell.number, f"tag '{tag}', known: hide-input"
        for marker in re.findall(r"#\s*((?:NB|PYTEST_)VAL\w+)", cell.source if cell.kind == "code" else ""):
            yield cell.number, f"'{marker}' takes the cell out of the tests"


COMPARED_WITH = {"dask", "pytrec_eval", "sklearn"}


@rule
def leaves_out_what_is_missing(notebook):
    """A library that the book compares with need not be installed where a chapter is opened."""
    guards = [node for _, node in nodes(notebook, ast.If) if ast.unparse(node.test).startswith("installed(")]
    guarded = {node for guard in guards for statement in guard.body for node in ast.walk(statement)}
    for cell, node in nodes(notebook, ast.Import | ast.ImportFrom):
        if node not in guarded and COMPARED_WITH & {origin.split(".")[0] for origin in imports(node).values()}:
            yield cell.number, f"must be below `if installed(...):`: {ast.unparse(node)}"


@rule
def hidden_code(notebook):
    """The tag is for plotting, and hides nothing that readers or later cells need; the page decides, by what cells show, what else is folded."""
    modules = {name for _, node in nodes(notebook, ast.Import) for name in imports(node)}
    for position, cell in enumerate(notebook.code):
        if "hide-input" not in cell.tags:
            continue
        for name in sorted(used_later(cell.binds, notebook.code[position + 1:])):
            yield cell.number, f"`{name}` is made in a hidden cell and used in a later one"
        if cell.id == first_cell.ID:
            continue
        called = {ast.unparse(node.func) for node in ast.walk(cell.tree) if isinstance(node, ast.Call)}
        if not called & {"figure", "show"}:
            yield cell.number, f"hidden, but draws nothing: {cell.source.splitlines()[0]}"
        for name in sorted(called & {"claim", "glue"}):
            yield cell.number, f"hides a call of {name}()"
        for name in sorted((cell.code.changes | (cell.code.binds & cell.code.uses)) - modules):
            yield cell.number, f"changes `{name}`, made elsewhere, where nobody sees it"


def used_later(names, cells):
    """The names that a cell reads before any cell gives these names a new value."""
    found, names = set(), set(names)
    for cell in cells:
        found |= cell.uses & names
        names -= cell.code.binds
    return found


YES_OR_NO = {"all", "any", "isinstance", "np.all", "np.any", "np.allclose", "np.isclose", "np.array_equal", "math.isclose"}


@rule
def checks_nothing(notebook):
    """An answer without `assert` is thrown away, unless it ends a cell and shows a value that is not False."""
    for cell, node in nodes(notebook, ast.Expr):
        if not is_yes_or_no(node.value):
            continue
        shown = joined(next((output["data"]["text/plain"] for output in cell.outputs if output["output_type"] == "execute_result"), ""))
        if node is not cell.tree.body[-1] or shown in ("", "False", "np.False_"):
            yield cell.number, f"checks nothing; use `assert`, or `assert not` if you mean it: {ast.unparse(node)}"


def is_yes_or_no(node):
    if isinstance(node, ast.Call):
        return ast.unparse(node.func) in YES_OR_NO
    return isinstance(node, ast.Compare | ast.BoolOp) or isinstance(getattr(node, "op", None), ast.Not)


OUTSIDE = re.compile(r"^(https?|ftp)://|^/\w+/|^~|^[A-Za-z]:\\|(^|/)\.\.(/|$)")


@rule
def nothing_from_outside(notebook):
    """A chapter runs offline, in any clone, and reads only what is in the book's folder."""
    for cell, node in nodes(notebook, ast.Constant):
        if cell.id != first_cell.ID and isinstance(node.value, str) and OUTSIDE.search(node.value):
            yield cell.number, f"an address or path outside the book: {node.value}"


# ---- The outputs ---------------------------------------------------------------------------------------


@rule
def no_warnings(notebook):
    """A stored warning would be published as it stands, and the tests do not compare it."""
    for cell in notebook.code:
        for output in cell.outputs:
            if output.get("name") == "stderr":
                yield cell.number, f"writes to stderr: {joined(output['text']).strip().splitlines()[0]}"


@rule
def no_raster_images(notebook):
    """The tests never compare a PNG: a wrong one would pass. Figures are SVG."""
    for cell in notebook.code:
        for data in cell.shown:
            for kind in sorted(data):
                if re.match(r"image/(?!svg)", kind) or (kind == "text/html" and "data:image" in joined(data[kind])):
                    yield cell.number, f"an output of type {kind}"


@rule
def figures_have_captions(notebook):
    """The caption says what readers should look at, and links point to the name; the build asks for the alternative text."""
    for cell in filter(has_figure, notebook.code):
        if not all(captions(cell)[1:]):
            yield cell.number, "a figure without caption or name in its metadata (mystnb: figure)"


@rule
def sources_fit(notebook):
    """A listing is in a column beside the text, which cuts longer lines at its edge."""
    for cell, node in nodes(notebook, ast.Call):
        too_long = [line for data in cell.shown for line in joined(data.get("text/plain", "")).splitlines() if len(line) > WIDEST_SOURCE]
        if ast.unparse(node.func) == "source" and too_long:
            yield cell.number, f"a line of {len(too_long[0])} characters in a source, at most {WIDEST_SOURCE}: {too_long[0].strip()}"


FLOAT = re.compile(r"(?<![\w.])(\d+\.\d+|\d+\.(?=e)|\d+(?=e[-+]))(e[-+]?\d+)?(?![\w.]*\.\d)", re.IGNORECASE)


@rule
def rounded_numbers(notebook):
    """The last digits of a float differ between processors: print it with rounded()."""
    for cell in notebook.code:
        texts = [joined(output["text"]) for output in cell.outputs if output["output_type"] == "stream"]
        texts += [joined(data.get("text/plain", "")) for data in cell.shown if "text/latex" not in data]
        for match in FLOAT.finditer("\n".join(texts)):
            digits = match[1].replace(".", "").strip("0")
            if len(digits) > MOST_DIGITS:
                yield cell.number, f"{len(digits)} digits in an output: {match.group()}"


# ---- The prose -----------------------------------------------------------------------------------------

# Numbers that no cell could give: each with an example of what it lets through.
TYPED_NUMBERS = [
    r"\b(1[89]|20)\d\d\b(?![,.]\d)",  # a year: 2012
    r"(?i)\b(chapter|chapters|section|sections|appendix|ch\.|sec\.|§+)\s*\d+(\.\d+)*",  # a place in a source: section 8.4
    r"(?i)\b(CC BY|Python|NumPy|SymPy|Jupyter Book|version|scikit-learn|trec_eval)\s+v?\d+(\.\d+)*",  # a version: Python 3.11
    r"\b[01]/[01]\b",  # the kind of ranking, and the undefined quotient: 0/1, 0/0
]
NUMBER = re.compile(
    r"(?<![\w@/])(?<!\w-)(?<!\w\.)("
    r"\d{1,3}(,\d{3})+(\.\d+)?\s?%?"  # 1,001
    r"|\d+\.\d+\s?%?"  # 0.53, 12.5%
    r"|\d+\s?(%|per\s?cent\b)"  # 12 %
    r"|\d+/\d+"  # 3/5
    r"|\d{4,}"  # 7000
    r"|[¼½¾⅐-⅞]"
    r")(?![\w/])"
)
NOT_PROSE = [  # code, mathematics, roles, options of directives and addresses
    r"(?ms)^(?P<fence>`{3,})(\{(code-block|math|raw)\})?[^`{\n]*$.*?^(?P=fence)\s*$",
    r"(?m)^\s*:[\w-]+:.*$",  # an option of a directive
    r"(?s)\$\$.*?\$\$|\\begin\{(\w+\*?)\}.*?\\end\{\1\}",
    r"(\{[\w:.-]+\})?(`+)[^`].*?\2",  # code, and roles such as glue and cite
    r"(?<![\\$])\$[^$]+\$",
    r"\]\([^)\s]*\)",  # where a link goes
    r"https?://\S+",
]


@rule
def typed_numbers(notebook):
    """A number in the text that does not come from a cell goes wrong silently: use {glue:text}."""
    texts = [(cell.number, cell.source) for cell in notebook.prose]
    texts += [(cell.number, text) for cell in notebook.code for text in captions(cell)[:2]]
    for number, text in texts:
        for pattern in NOT_PROSE + TYPED_NUMBERS:
            text = re.sub(pattern, " ", text)
        for match in NUMBER.finditer(text):
            around = " ".join(text[max(0, match.start() - 30):match.end() + 20].split())
            yield number, f"the number {match.group().strip()} is typed in the text: ... {around} ..."


# ---- Statements, and the plan of a chapter -------------------------------------------------------------


CARD = {  # each part of the card, and what its text must be like
    "After this chapter you can": (r"- \S", "a list, each item on a line after '- '"),
    "You need": (r"- \S", "a list, each item on a line after '- '"),
    "Time": (r"about [1-9]\d* minutes, [1-9]\d* more for the Deeper part, [1-9]\d* for real data$",
             "'about 30 minutes, 20 more for the Deeper part, 5 for real data', whole numbers"),
    "A belief to give up": (r"\S", "a sentence"),
}


@structure
def opens_with_a_card(notebook):
    """The card says, before the text, what you will be able to do; the page for teachers copies each part of the card."""
    start = "\n".join(cell.source for cell in notebook.cells[:2] if cell.kind == "markdown").lstrip()
    if not re.match(r"(\([\w-]+\)=\s+)?# \S.*\s+:{3,}\{admonition\} .*\n:class: chapter-card\n", start):
        yield 1, f"must open with '# Title' and an admonition of ':class: chapter-card': {start.splitlines()[0] if start else ''}"
        return
    body = next(directives(start, "admonition")).body
    for part, (form, expected) in CARD.items():
        text = re.search(rf"(?m)^{part}\n: (.*)$", body)
        if not text or not re.match(form, text[1]):
            yield 1, f"the card needs a line '{part}' and below it, after ': ', {expected}; found: {text[1] if text else 'nothing'}"


PRACTICE = "What goes wrong in practice"
PARTS = ["Deeper", "Real data", PRACTICE, "Exercises", "Further reading"]


@structure
def reading_first(notebook):
    """A reader of only the beginning has seen a figure and what to report; what few readers need is below, at the same place in every chapter."""
    text = "\n\n".join(cell.source for cell in notebook.prose)
    opening, *sections = re.split(r"(?m)^## +(.*)", text)
    titles, bodies = sections[::2], sections[1::2]
    last = [title for title in PARTS if title in titles]
    if titles[-len(last):] != last or not {"Deeper", PRACTICE, "Exercises"} <= set(last):
        yield None, f"the last sections must be {', '.join(PARTS)}, in this order; found {', '.join(titles)}"
    first_section = next((cell.number for cell in notebook.prose if re.search(r"(?m)^## ", cell.source)), 0)
    if not any(has_figure(cell) for cell in notebook.code if cell.number < first_section):
        yield first_section, "a figure must come before the first section"
    places = {
        "in-a-hurry": (bodies[titles.index("Deeper") - 1] if titles[1:] and "Deeper" in titles[1:] else "", "at the end of the core"),
        "report": (dict(zip(titles, bodies)).get(PRACTICE, ""), f"in '{PRACTICE}'"),
    }
    for kind, (place, words) in places.items():
        found, there = (len(boxes(part, kind)) for part in (text, place))
        if (found, there) != (1, 1):
            yield None, f"{found} admonitions of ':class: {kind}', {there} of them {words}; expected one, there"


@structure
def exercises(notebook):
    """There are at least three exercises, each with a solution."""
    asked = placed(notebook, "exercise", "exercise-start")
    solved = placed(notebook, "solution", "solution-start")
    if len(asked) < FEWEST:
        yield None, f"{len(asked)} exercises with a label, at least {FEWEST}"
    for label in sorted(asked.keys() ^ solved.keys()):
        yield (asked | solved)[label], f"exercise '{label}' has no solution, or is not in this notebook"


@structure
def questions(notebook):
    """There are at least three questions to ask yourself, as votes or below: the page for teachers is made from them."""
    below = sum(len(re.findall(r"(?m)^\d+\. ", box.body)) for cell in notebook.prose for box in boxes(cell.source, "check-yourself"))
    votes = sum(cell.source.startswith("ask(") for cell in notebook.code)
    if below + votes < FEWEST:
        yield None, f"{votes} votes and {below} numbered questions in an admonition of ':class: check-yourself', together at least {FEWEST}"


@structure
def something_to_break(notebook):
    """One box "Break it" has a name that says which claim its code checks: breaking a claim teaches what it says."""
    found = list(break_its(notebook))
    if len(found) != 1:
        yield None, f"{len(found)} admonitions of ':class: break-it', expected one"
    for label, box, _ in found:
        own, change = FENCED.search(box.body), CHANGE.search(" ".join(box.body.split()))
        if label not in {record["label"] for record in notebook.claims}:
            yield None, f"the box '{box.options.get('name')}' must be named 'break-' and the label of a claim of this chapter"
        elif not change or own and (own[1].count(change[1]) != 1 or f'"{label}"' not in own[1]):
            yield None, f"the box 'break-{label}' must say 'change `this` to `that`', with this once in its code, which checks {label}"


@rule
def statements_are_checked(notebook):
    """Each numbered statement is followed by the stored output of its check."""
    stated = placed(notebook, *(f"prf:{kind}" for kind in STATEMENTS))
    checked = {cell.claim["label"]: cell.number for cell in notebook.code if cell.claim}
    for label, cell in sorted(stated.items()):
        if checked.get(label, 0) < cell:
            yield cell, f"statement '{label}' is not followed by its claim check"


def ruff(*paths):
    """The messages of ruff about these files, one per line; empty if it finds nothing."""
    command = [sys.executable, "-m", "ruff", "check", "--quiet", "--output-format=concise", *paths]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    if done.returncode not in (0, 1) or bool(done.returncode) != bool(done.stdout):
        raise RuntimeError(f"ruff does not run: {done.stderr}")
    return done.stdout


if __name__ == "__main__":
    paths = sys.argv[1:] or sorted(map(str, ROOT.glob("book/*.ipynb")))
    if wrong := [path for path in paths if not path.endswith(".ipynb")]:
        sys.exit(f"{', '.join(wrong)}: the rules are for notebooks (.ipynb)")
    found = [*(problem for path in paths for problem in problems(read(path))), *ruff(*paths).splitlines()]
    print(*found or ["All rules are kept."], sep="\n")
    sys.exit(bool(found))
