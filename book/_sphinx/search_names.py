"""The names that a search finds first: of metrics under all that they are called, of functions, claims, exercises, and calls of libraries.

They stand in the script of the page of results. search_names.js finds in them.
"""

import json
import re
from pathlib import Path

import metrics
from metrics.names.also_called import ALSO_CALLED
from metrics.names.explanations import BY_PURPOSE

from .pages import pages_in_order
from .sources import ROOT, read
from .theme_edits import minified

PAGES = {  # what somebody asks for that is no metric -> its page
    "book/which-metric.html": ("which metric for RAG", "which metric for search", "which metric for recommendations", "RAG",
                                "retrieval augmented generation", "choose a metric"),
    "book/is-the-difference-real.html": ("significance test", "statistical significance", "t-test", "permutation test", "confidence interval", "bootstrap",
                                         "metrics.compare", "metrics.leaderboard"),
    "book/your-runs.html": ("TREC run file", "qrels", "command line", "data frame", "pandas"),
    "book/rank-correlation.html": ("rank correlation", "Spearman's rho", "agreement of two metrics", "compare two rankings"),
}  # fmt: skip
CALLED = {"scikit-learn": "sklearn", "trec_eval": "pytrec_eval", "Spark": "MLlib", "InformationRetrievalEvaluator": "SBERT", "BEIR": "MTEB"}


def names(pages, places):
    """Each name with what is shown for it and where it leads: (words, shown, target). The first of a target wins."""
    rows = {name: row for table in BY_PURPOSE.values() for name, row in table.items()}
    leads = {name: f"book/{row.chapter}.html#{row.anchor}" for name, row in rows.items()}
    for name, row in rows.items():
        for other in (name, *ALSO_CALLED.get(name, ())):
            yield other, f"{other}: see {name}" if other != name else name, leads[name]
    for target, words in PAGES.items():
        yield from ((word, word, target) for word in words)
    by_call = {row.call.partition("(")[0]: leads[name] for name, row in rows.items()}
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
        yield called, f"{name}: which call of ours is theirs", rosetta_anchor(name)
        for row in library["rows"]:
            words = f"{called} {row['theirs']} {row['metric']} M{row['metric']}"  # with its mean: MAP, MRR
            yield words, f"{name}: {row['theirs']} is {row['ours']}", rosetta_anchor(name, row["metric"])


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


def script(app, places):
    """The script with the names and what finds in them."""
    found = list(dict.fromkeys(names(code_of(app), places)))
    finder = (Path(__file__).parent / "search_names.js").read_text(encoding="utf-8")
    data = json.dumps(found, ensure_ascii=False, separators=(",", ":"))
    return minified("names.js", f"const NAMES = {data};\n{finder}")
