"""Search: the first words of every section, statement and term, so that its results ask for no page of the book, and the names that
it finds first: of metrics under all that they are called, of functions, claims, exercises, and calls of libraries.

They go into one script, which the search page alone loads: it works from a file too. search_names.js and search.js find in them.
"""

import json
import re
from pathlib import Path
from xml.etree import ElementTree

from docutils import nodes

import metrics
from metrics.names.sheet import RECORDS

from .formulas import render
from .pages import pages_in_order
from .sources import ROOT, read
from .theme_edits import minified

LENGTH = 150  # of an excerpt, in characters
# Before each part of a formula, but the first, that does not stand on its line.
SIGNS = {"mfrac": "/", "msub": "_", "munder": "_", "msup": "^", "mover": "^", "msubsup": "_^", "munderover": "_^"}
APPLIED = "\u2061"  # what MathML has between a function and its argument, and nobody sees

_excerpts = {}  # page -> [anchor, title, first words] of each place, in the order of the page


def collect(app, pagename, templatename, context, doctree):
    """Note the places of a page, which stands here as it is shown; the search page, the last one, gets them all."""
    if doctree:
        _excerpts[pagename] = [place for node in doctree.findall(nodes.Element) if (place := _place(node))]
    elif pagename == "search":
        found = list(dict.fromkeys(names(code_of(app), _excerpts)))
        excerpts, found = (json.dumps(each, ensure_ascii=False, separators=(",", ":")) for each in (_excerpts, found))
        finder = (Path(__file__).parent / "search_names.js").read_text(encoding="utf-8")
        script = f"const EXCERPTS ={excerpts}\n" + minified("names.js", f"const NAMES = {found};\n{finder}")
        Path(app.outdir, "_static", "excerpts.js").write_text(script, encoding="utf-8")
        for script in ("excerpts.js", "search.js"):
            app.add_js_file(script, loading_method="defer")


def _place(node):
    """The anchor, the title and the first words of a section, a statement or a term; nothing for any other node."""
    if isinstance(node, nodes.section) and isinstance(node[0], nodes.title):
        anchor = "#" + node["ids"][0] if isinstance(node.parent, nodes.section) else ""
        words = (_text(each) for each in node.findall(nodes.paragraph) if isinstance(each.parent, nodes.section))
        return anchor, _text(node[0]), next(words, "")
    if node.get("ids") and len(node) > 1 and (node.get("realtype") or "exercise" in node.get("classes", ())):
        title, words = [part for part in node if not isinstance(part, nodes.raw)][:2]
        return "#" + node["ids"][0], re.sub(r"^Exercise [\w.]+ ", "", _text(title)).strip("()"), _text(words)
    if isinstance(node, nodes.definition_list_item) and node[0]["ids"]:
        return "#" + node[0]["ids"][0], _text(node[0]), _text(node[-1])


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

PAGES = {  # what somebody asks for that is no metric -> its page
    "book/which-metric.html": ("which metric for RAG", "which metric for search", "which metric for recommendations", "RAG",
                                "retrieval augmented generation", "choose a metric", "macro F1", "micro F1", "weighted F1", "multi-class", "multiclass",
                                "multi-label", "classification report", "balanced accuracy", "session search", "object detection", "detection mAP", "COCO mAP"),
    "book/is-the-difference-real.html": ("significance test", "statistical significance", "t-test", "permutation test", "confidence interval", "bootstrap",
                                         "metrics.compare", "metrics.leaderboard"),
    "book/your-runs.html": ("TREC run file", "qrels", "command line", "data frame", "pandas"),
    "book/your-runs.html#what-a-topic-without-a-relevant-document-counts-as": ("no relevant item", "query without relevant items", "0/0", "nan"),
    "book/ties-and-samples.html": ("ties", "tied scores", "equal scores", "ties mean"),
    "book/order-and-auc.html#reciprocal-rank": ("MRR@10", "MRR scale", "AMRI", "adjusted mean rank index", "knowledge graph completion",
                                                 "link prediction", "filtered MRR"),
    "book/f-and-e.html#are-the-probabilities-right": ("Brier score", "calibration", "calibrated probabilities", "reliability diagram"),
    "book/premise-selection-metrics.html#todays-selectors": ("ReProver recall@1", "LeanDojo", "Magnushammer", "Sledgehammer", "MaSh", "MePo", "LeanHammer",
                                                              "recall@1"),
    "book/judges-that-err.html": ("assessor disagreement", "LLM as a judge", "language model as a judge", "judgement errors", "noisy labels",
                                  "annotator agreement", "inter-rater agreement", "prevalence paradox"),
    "book/judges-that-err.html#language-models-as-judges-and-rag": ("RAG evaluation", "context precision", "context recall", "ragas", "nuggets", "UMBRELA"),
    "book/rank-correlation.html": ("rank correlation", "agreement of two metrics", "compare two rankings"),
    "book/readers-and-clicks.html": ("interleaving", "position bias", "INST", "clicks", "C/W/L", "user model", "counterfactual evaluation"),
}  # fmt: skip
NOTHING = "query without no relevant items undefined nan"  # what is asked of every row
CALLED = {"scikit-learn": "sklearn", "trec_eval": "pytrec_eval", "Spark": "MLlib", "InformationRetrievalEvaluator": "SBERT", "BEIR": "MTEB"}


def names(pages, places):
    """Each name with what is shown for it and where it leads: (words, shown, target). The first of a target wins."""
    leads = {name: f"book/{its.chapter}.html#{its.anchor}" for name, its in RECORDS.items()}
    for name, its in RECORDS.items():
        for other in its.names:
            yield other, f"{other}: see {name}" if other != name else name, leads[name]
    for target, words in PAGES.items():
        yield from ((word, word, target) for word in words)
    by_call = {its.path: leads[name] for name, its in RECORDS.items()}
    for function in sorted({*by_call, *(name for name in metrics.__all__ if not name.startswith("_"))}):
        yield f"metrics.{function}", f"metrics.{function}", by_call.get(function) or home(function, pages)
        if function in metrics.MODULE_OF:
            yield f"metrics.{function} reference", f"metrics.{function}: reference", f"book/api-reference.html#metrics.{function}"
    for page, found in places.items():
        for anchor, title, _ in found:
            if label := re.fullmatch(r"#([A-Z]\d+)", anchor):
                yield f"{label[1]} {title}", f"{label[1]}: {title}", f"{page}.html{anchor}"
            elif "-exercise-" in anchor or anchor.startswith(("#exercise", "#ex-")):
                yield title, f"Exercise: {title}", f"{page}.html{anchor}"
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
