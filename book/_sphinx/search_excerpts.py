"""Search: the first words of every section, statement and term, so that its results ask for no page of the book.

They go into one script, which the search page alone loads: it works from a file too. search.js shows them.
"""

import json
import re
from pathlib import Path
from xml.etree import ElementTree

from docutils import nodes

from . import search_names
from .formulas import render

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
        excerpts = json.dumps(_excerpts, ensure_ascii=False, separators=(",", ":"))
        script = f"const EXCERPTS ={excerpts}\n{search_names.script(app, _excerpts)}"
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
        return "#" + node["ids"][0], _text(node[0]).strip("()"), _text(node[1])
    if isinstance(node, nodes.definition_list_item) and node[0]["ids"]:
        return "#" + node[0]["ids"][0], _text(node[0]), _text(node[-1])
    return None


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
    return f"({part})" if re.search(r".[^\w.]|[^\w.].", part) and not part.endswith(")") else part


def setup(app):
    app.connect("html-page-context", collect)
