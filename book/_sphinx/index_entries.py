"""The index: Sphinx's own, in the table of contents, with the title of every definition and theorem.

Sphinx itself enters the terms of the glossary and whatever a page marks with {index}. What explains a term, its
place in the glossary and its definition, is set in bold.
"""

import re

from docutils import nodes
from sphinx import addnodes
from sphinx.transforms import SphinxTransform

INDEXED = {"definition", "theorem"}


class Index(SphinxTransform):
    """Enter the titles of definitions and theorems into the index, and end with it the table of contents: in _toc.yml only pages that have a file can stand."""

    default_priority = 101  # right after the table of contents was read from _toc.yml

    def apply(self, **_):
        if self.env.docname == self.config.root_doc:
            for last in list(self.document.findall(addnodes.toctree))[-1:]:
                last["entries"].append((None, "genindex"))
        for box in list(self.document.findall(nodes.Admonition)):
            if box.get("realtype") in INDEXED and box["title"]:
                title = box["title"].strip()[1:-1]  # the brackets are those of the page
                weight = "main" if box["realtype"] == "definition" else ""
                if article := re.match(r"(the|an?) (.)", title, re.IGNORECASE):  # "The gain of a swap" stands under G
                    title = f"{article[2].upper()}{title[article.end():]}, {article[1].lower()}"
                entry = ("single", title.replace(";", ","), box["ids"][0], weight, None)
                box.parent.insert(box.parent.index(box), addnodes.index(entries=[entry]))


def join_glossary(app, env):
    """Put a title that is a term of the glossary under that: 'Blind guess, the' under 'blind guess'."""
    terms = {name.casefold().replace("\N{RIGHT SINGLE QUOTATION MARK}", "'"): name for name, _, kind, *_ in env.domains["std"].get_objects() if kind == "term"}
    for entries in env.domains["index"].entries.values():
        for number, (kind, value, *rest) in enumerate(entries):
            bare = re.sub(r", (the|an?)$", "", value).casefold()
            entries[number] = (kind, terms.get(bare, value), *rest)
