"""Search: what it finds first, and the first words of every section, statement and term, so that its results ask for no page of the book.

It finds names (of metrics under all that they are called, functions, claims, exercises, calls of libraries), questions that a section says
it answers, titles and terms. A section says so in a comment, which no reader sees: `<!-- answers: how many queries do I need; sample size -->`,
or, of what the book lacks, where the nearest is: `<!-- not here: serendipity -->`.

names.js has these, and finds in them (search_names.js); a page loads it when a search field gets the focus (search-field.js), and it
then makes suggestions (search_suggestions.js). The search page loads it at once, and excerpts.js when something is asked (search.js).
"""

import json
import re
from pathlib import Path
from xml.etree import ElementTree

from docutils import nodes
from sphinx.errors import ExtensionError

import metrics
from metrics.names.sheet import RECORDS

from .formulas import render
from .pages import pages_in_order
from .sources import ROOT, read
from .theme_edits import minified, scoped

LENGTH = 150  # of an excerpt, in characters
# Before each part of a formula, but the first, that does not stand on its line.
SIGNS = {"mfrac": "/", "msub": "_", "munder": "_", "msup": "^", "mover": "^", "msubsup": "_^", "munderover": "_^"}
APPLIED = "\u2061"  # what MathML has between a function and its argument, and nobody sees

_places = {}  # page -> [anchor, title, first words, whether it is a section, what it answers, what is not here] of each place, in the order of the page
HERE = Path(__file__).parent
NOTE = re.compile(r"<!-- (answers|not here): (.*?) -->", re.DOTALL)


def note_answers(here):
    """Keep with each section the questions that it answers and what it is only near to, and take these comments off the page."""
    for comment in list(here.document.findall(nodes.raw)):
        for kind, words in NOTE.findall(comment.astext()):
            if not isinstance(comment.parent, nodes.section):
                raise ExtensionError(f"search.py: “{kind}: …” stands in no section of {here.env.docname}: {words[:60]!r}")
            comment.parent.setdefault(kind, []).extend(words.split("; "))
            comment["noted"] = True
        if comment.get("noted"):
            comment.parent.remove(comment)


def collect(app, pagename, templatename, context, doctree):
    """Note the places of a page, which stands here as it is shown; the search page, the last one, gets them all."""
    if doctree:
        _places[pagename] = [place for node in doctree.findall(nodes.Element) if (place := _place(node))]
    elif pagename == "search":
        excerpts = {page: [place[:3] for place in places] for page, places in _places.items()}
        titles = {page: {anchor: title for anchor, title, _, is_section, *_ in places if is_section} for page, places in _places.items()}
        titles = {page: {anchor: title for anchor, title in each.items() if not anchor.startswith("#teach-")} for page, each in titles.items()}
        found = list(dict.fromkeys(names(code_of(app), _places)))
        scripts = {"names.js": names_script(titles, found), "excerpts.js": f"const EXCERPTS = {as_json(excerpts)};"}
        for name, script in scripts.items():
            Path(app.outdir, "_static", name).write_text(script, encoding="utf-8")
        for script in ("names.js", "search.js"):
            app.add_js_file(script, loading_method="defer")


def names_script(titles, found):
    """The script that finds, and makes suggestions: what another script may call of it is global."""
    finder, suggestions = ((HERE / f"search_{part}.js").read_text(encoding="utf-8") for part in ("names", "suggestions"))
    shared = (HERE.parent / "_static" / "shared.js").read_text(encoding="utf-8")
    offers = "{ findAnswers, whereIs, british }"
    code = f"const {offers} = (() => {{\n{finder}\nreturn {offers};\n}})();\n" + scoped(f"{shared}\n{suggestions}")
    # The data are not minified with it: that would change the order of constants.
    return f"const TITLES = {as_json(titles)};\nconst NAMES = {as_json(found)};\n" + minified("names.js", code)


def as_json(value):
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _place(node):
    """The place that a section, a statement or a term is; nothing for any other node."""
    if isinstance(node, nodes.section) and (title := next((child for child in node[:2] if isinstance(child, nodes.title)), None)):
        anchor = "#" + node["ids"][0] if isinstance(node.parent, nodes.section) else ""
        words = (_text(each) for each in node.findall(nodes.paragraph) if isinstance(each.parent, nodes.section))
        return anchor, _text(title), next(words, ""), True, node.get("answers", []), node.get("not here", [])
    if node.get("ids") and len(node) > 1 and (node.get("realtype") or "exercise" in node.get("classes", ())):
        title, words = [part for part in node if not isinstance(part, nodes.raw)][:2]
        return "#" + node["ids"][0], re.sub(r"^Exercise [\w.]+ ", "", _text(title)).strip("()"), _text(words), False, [], []
    if isinstance(node, nodes.definition_list_item) and node[0]["ids"]:
        return "#" + node[0]["ids"][0], _text(node[0]), _text(node[-1]), False, [], []


def _text(node):
    """The beginning of what a node says, cut after a word; a formula as it is read, not as it is typed."""
    words = " ".join("".join(_words(node)).split())
    return words if len(words) <= LENGTH else words[:LENGTH].rpartition(" ")[0] + " …"


def _words(node):
    for leaf in node.findall(lambda leaf: isinstance(leaf, (nodes.Text, nodes.paragraph))):
        if isinstance(leaf, nodes.paragraph):
            yield " "
        elif isinstance(leaf.parent, (nodes.math, nodes.math_block)):
            [formula] = render([(leaf.parent.astext(), isinstance(leaf.parent, nodes.math_block))])
            if "math" in formula:
                yield in_line(formula["math"]) + leaf.parent.get("mark", "")
        else:
            yield leaf


def in_line(pieces):
    """A rendered formula as text of one line."""
    return "".join(_line(ElementTree.fromstring(piece)) for piece in pieces)


def _line(math):
    """A formula on one line: a/b for a fraction, ∑_(i=1)^n x_i for a sum."""
    signs = SIGNS.get(_name(math))
    if not signs or math.get("accent"):
        return (math.text or "").replace(APPLIED, "") + "".join(map(_line, math))
    first, *others = (_bracketed(_line(part)) for part in math if part.text != APPLIED)
    after = " " if _name(math[0]) == "mo" else ""
    return first + "".join(sign + part for sign, part in zip(signs, others, strict=True)) + after


def _name(math):
    return math.tag.rpartition("}")[2]


def _bracketed(part):
    return f"({part})" if re.search(r".[^\w.¯]|[^\w.¯].", part) and not part.endswith(")") else part


# ---- Names ----------------------------------------------------------------------------------------------------

NOTHING = "query without no relevant items undefined nan"  # what is asked of every row
CALLED = {"scikit-learn": "sklearn", "trec_eval": "pytrec_eval", "Spark": "MLlib", "InformationRetrievalEvaluator": "SBERT", "BEIR": "MTEB"}


def names(pages, places):
    """Each name with what is shown for it and where it leads: (words, shown, target). The first of a target wins."""
    leads = {name: f"book/{its.chapter}.html#{its.anchor}" for name, its in RECORDS.items()}
    for name, its in RECORDS.items():
        for other in its.names:
            yield other, f"{other}: see {name}" if other != name else name, leads[name]
    for page, found in places.items():
        for anchor, title, _, _, answers, not_here in found:
            yield from ((question, question, f"{page}.html{anchor}") for question in answers)
            yield from ((word, f"Not in this book: {word}. Nearest: {title}", f"{page}.html{anchor}") for word in not_here)
    by_call = {its.path: leads[name] for name, its in RECORDS.items()}
    for function in sorted({*by_call, *(name for name in metrics.__all__ if not name.startswith("_"))}):
        yield f"metrics.{function}", f"metrics.{function}", by_call.get(function) or home(function, pages)
        if function in metrics.MODULE_OF:
            yield f"metrics.{function} reference", f"metrics.{function}: reference", f"book/api-reference.html#metrics.{function}"
    for page, found in places.items():
        for anchor, title, *_ in found:
            if label := re.fullmatch(r"#([A-Z]\d+)", anchor):
                yield f"{label[1]} {title}", f"{label[1]}: {title}", f"{page}.html{anchor}"
            elif "-exercise-" in anchor or anchor.startswith(("#exercise", "#ex-")):
                yield title, f"Exercise: {title}", f"{page}.html{anchor}"
            elif anchor.startswith("#term-"):
                yield title, f"{title}: in the glossary", f"{page}.html{anchor}"
    for library in json.loads((ROOT / "book/data/rosetta.json").read_text(encoding="utf-8"))["libraries"]:
        name = library["name"]
        called = f"{name} {library['package'] or library['version']} {CALLED.get(name, '')}"
        yield called, f"{name}: which of our calls matches theirs", rosetta_anchor(name)
        for row in library["rows"]:
            words = f"{called} {row['theirs']} {row['metric']} M{row['metric']} {NOTHING}"  # with its mean: MAP, MRR
            counts = "" if row["undefined"] in (0, "skip") else f", undefined counts as {row['undefined']:g}"
            yield words, f"{name}: {row['theirs']} is {row['ours']}{counts}", rosetta_anchor(name, row["metric"])


def rosetta_anchor(*names):
    """Where the notebook puts a library, or a metric of it."""
    return "book/rosetta.html#" + re.sub(r"[\W_]+", "-", " ".join(("rosetta", *names)).lower()).strip("-")


def code_of(app):
    """The text in which a page calls functions: page -> the code of a notebook, or all of another page."""
    paths = {page: Path(app.env.doc2path(page)) for page in pages_in_order(app.config)}
    notebooks = {page: read(path) for page, path in paths.items() if path.suffix == ".ipynb"}
    return {page: "\n".join(cell.source for cell in notebooks[page].code) if page in notebooks else path.read_text("utf-8") for page, path in paths.items()}


def home(function, pages):
    """The page whose code calls a function most often."""
    count, page = max(((len(re.findall(rf"\b{re.escape(function)}\b", text)), page) for page, text in pages.items()), key=lambda both: both[0])
    return f"{page}.html" if count else "book/all-metrics.html"
