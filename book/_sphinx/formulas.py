"""Formulas: made into MathML by KaTeX while the book is built, so that pages need no script for them.

All formulas of a page go to KaTeX in one call; what it cannot read is a warning that names the
place, and fails the build. There are no macros of our own: the same notebook must show the same
formulas in JupyterLab. Browsers draw MathML with the book's font, and screen readers speak it.
"""

import json
import re
from pathlib import Path

from docutils import nodes
from sphinx.util import logging
from sphinx.util.math import get_node_equation_number
from sphinxcontrib import katex

from .pages import by_node

logger = logging.getLogger(__name__)

KATEX = Path(katex.__file__).with_name("katex.min.js")
RENDER = Path(__file__).with_name("formulas.js")

# A fraction of two short parts, with nothing beside it that a slash would take for a part of it.
PART = r"(?:\{([\d.]+|[A-Za-z]'?(?:_\w)?|\\[a-z]+)\}|([\dA-Za-z]))"
RELATION = r"\\(?:le|ge|lt|gt|approx|ne|to|pm|quad)(?![a-z])"
ALONE = re.compile(rf"((?:^|[=+\-(,<>\[{{]|{RELATION})\s*)\\frac\s*{PART}\s*{PART}(?=\s*(?:$|[=+\-),.;<>\]}}]|{RELATION}))")

_rendered = {}


def in_a_line(formula):
    """A formula of a sentence: fractions of two short parts have a slash, since built-up ones push lines apart and have tiny digits."""
    found = ALONE.sub(lambda fraction: fraction[1] + "/".join(part for part in fraction.groups()[1:] if part), formula)
    return formula if "frac" in found else found


def render(formulas):
    """The results for formulas, pairs of LaTeX and "is it a display": {"math": pieces of MathML} or {"error": ...}."""
    formulas = [(text if display else in_a_line(text), display) for text, display in formulas]
    if new := sorted(set(formulas) - set(_rendered)):
        _rendered.update(zip(new, json.loads(by_node(RENDER, KATEX, input=json.dumps(new))), strict=True))
    return [_rendered[formula] for formula in formulas]


def render_formulas(here):
    """Render every formula of a page, in one call."""
    formulas = list(here.document.findall(lambda node: isinstance(node, nodes.math | nodes.math_block)))
    for node in here.document.findall(nodes.math):
        _take_mark(node)
    for node, result in zip(formulas, render([(node.astext(), isinstance(node, nodes.math_block)) for node in formulas]), strict=True):
        if "error" in result:
            logger.warning("formula that KaTeX cannot read: %s", result["error"], location=node)


def _take_mark(node):
    """Give a formula the punctuation mark that follows it."""
    following = node.next_node(descend=False, siblings=True)
    if isinstance(following, nodes.Text) and following[:1] in tuple(".,;:!?)"):
        node["mark"] = following[:1]
        # By identity: `replace` would take the first text that is equal, such as another comma.
        place = next(i for i, child in enumerate(following.parent) if child is following)
        following.parent[place] = nodes.Text(following[1:])


def html(node):
    """A formula: pieces between which a line may end, or in columns; the last one holds the mark after it, so that no line begins with that."""
    [result] = render([(node.astext(), isinstance(node, nodes.math_block))])
    *pieces, last = result.get("math", ['<code class="formula-error">formula in error</code>'])
    columns, mark = result.get("columns"), node.get("mark", "")
    if not pieces:
        if isinstance(node, nodes.math) and not mark:  # most formulas are: one element less for each
            return last.replace("<math", '<math class="formula"', 1)
        return f'<span class="formula{" closed" if mark else ""}">{last}{mark}</span>'
    last = f'<span class="closed">{last}{mark}</span>' if mark else last
    inside = f'<span class="columns-{columns}">{"".join([*pieces, last])}</span>' if columns else "<wbr>".join([*pieces, last])
    return f'<span class="formula">{inside}</span>'


def visit_inline(writer, node):
    writer.body.append(html(node))
    raise nodes.SkipNode


def visit_display(writer, node):
    writer.body.append(writer.starttag(node, "div", CLASS="math"))
    if node["number"]:
        writer.body.append(f'<span class="eqno">({get_node_equation_number(writer, node)})')
        writer.add_permalink_ref(node, "Link to this equation")
        writer.body.append("</span>")
    writer.body.append(f"{html(node)}</div>\n")
    raise nodes.SkipNode
