"""The index: Sphinx's own, in the table of contents, with the title of every definition and theorem.

Sphinx itself enters the terms of the glossary and whatever a page marks with {index}. What explains a term, its
place in the glossary and its definition, is set in bold. Names that people look up, those of libraries and of ideas that have no
definition here, stand in the index with the section of each page that says most of them.
"""

import re

from docutils import nodes
from sphinx import addnodes
from sphinx.transforms import SphinxTransform

INDEXED = {"definition", "theorem"}
# What is looked up: the words of the index, and how they are found in the text where they differ. A library must be named twice.
LIBRARIES = {
    "BEIR": "", "CatBoost": "", "haystack": "", "ir_measures": "", "LightGBM": "", "llama-index": "", "pytrec_eval": "", "ragas": "",
    "ranx": "", "RecBole": "(?i:recbole)", "RecTools": "(?i:rectools)", "scikit-learn": "", "Spark": "", "torchmetrics": "",
    "trec_eval": r"(?<!py)\btrec_eval", "XGBoost": "",
}  # fmt: skip
IDEAS = {
    "Bonferroni": "", "bootstrap": "(?i:bootstrap)", "Cranfield": "", "effect size": "", "false discovery": "false discover", "geometric mean": "",
    "harmonic mean": "", "hit rate": "(?i:hit rate)", "Holm": "", "induction": "by induction", "informedness": "", "k-NN": "",
    "language model as a judge": "language model", "Lean": r"\bLean\b", "Lorenz curve": "Lorenz", "Mann–Whitney": "Mann.Whitney",
    "Matthews correlation": "Matthews|MCC", "naive Bayes": "", "p-value": "", "pooling": r"\bpool(ing|ed)\b|\bpool of\b", "position bias": "",
    "power of a test": r"power of (a|the) test|\bmore power", "premise selection": "", "propensity": "propensit", "reciprocal rank fusion": "",
    "recommender systems": "recommender", "retrieval-augmented generation": "retrieval-augmented|RAG", "sign test": "(?i:sign test)",
    "Simpson’s paradox": "Simpson", "Stieltjes integral": "Stieltjes", "Student’s t-test": "t-test", "TREC": r"\bTREC\b", "Wilcoxon": "",
    "Zipf’s law": "Zipf",
}  # fmt: skip
TABLE = re.compile(r'<details class="fold library" id="([\w-]+)"><summary>([^,]+?)(?: \d|,)')  # what Rosetta says of a library
LISTS = {f"book/{page}" for page in ("all-metrics", "api-reference", "bibliography", "claims", "glossary", "metric-finder", "ranking-lab", "sources")}


class Index(SphinxTransform):
    """Enter the titles of definitions and theorems into the index, and end with it the table of contents: in _toc.yml only pages that have a file can stand."""

    default_priority = 101  # right after the table of contents was read from _toc.yml

    def apply(self, **_):
        if self.env.docname == self.config.root_doc:
            for last in list(self.document.findall(addnodes.toctree))[-1:]:
                last["entries"].append((None, "genindex"))
        for box in list(self.document.findall(nodes.Admonition)):
            if box.get("realtype") in INDEXED and box["title"]:
                title = box["title"].strip()[1:-1].replace("*", "")  # the brackets are those of the page
                weight = "main" if box["realtype"] == "definition" else ""
                if article := re.match(r"(the|an?) (.)", title, re.IGNORECASE):  # "The gain of a swap" stands under G
                    title = f"{article[2].upper()}{title[article.end():]}, {article[1].lower()}"
                entry = ("single", title.replace(";", ","), box["ids"][0], weight, None)
                box.parent.insert(box.parent.index(box), addnodes.index(entries=[entry]))
        if self.env.docname not in LISTS:
            self.enter_what_is_looked_up()
        for output in list(self.document.findall(nodes.raw)):
            tables = [("single", name, anchor, "", None) for anchor, name in TABLE.findall(output.astext())]
            output.parent.insert(output.parent.index(output), addnodes.index(entries=tables))

    def enter_what_is_looked_up(self):
        sections = [(section, said_in(section)) for section in self.document.findall(nodes.section) if "solution-content" not in section["ids"]]
        for words, pattern in (LIBRARIES | IDEAS).items():
            counts = [len(re.findall(pattern or re.escape(words), text)) for _, text in sections]
            if sum(counts) > (words in LIBRARIES):
                section = sections[counts.index(max(counts))][0]
                section.insert(1, addnodes.index(entries=[("single", words, section["ids"][0], "", None)]))


def said_in(section):
    """The prose of a section, without that of the sections in it."""
    parts = [child for child in section if not isinstance(child, nodes.section)]
    parts = [part for part in parts if isinstance(part, nodes.Element) and "solution" not in part.get("classes", ())]
    return "\n".join(paragraph.astext() for part in parts for paragraph in part.findall(lambda node: isinstance(node, (nodes.paragraph, nodes.title))))


def join_glossary(app, env):
    """Put a title that is a term of the glossary under that: 'Blind guess, the' under 'blind guess'."""
    terms = {name.casefold().replace("\N{RIGHT SINGLE QUOTATION MARK}", "'"): name for name, _, kind, *_ in env.domains["std"].get_objects() if kind == "term"}
    for entries in env.domains["index"].entries.values():
        for number, (kind, value, *rest) in enumerate(entries):
            bare = re.sub(r", (the|an?)$", "", value).casefold()
            entries[number] = (kind, terms.get(bare, value), *rest)
