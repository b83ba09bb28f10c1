"""Formulas: rendered by KaTeX while the book is built, so that pages need no script for them.

All formulas of a page go to KaTeX in one call; what it cannot read is a warning that names the
place, and fails the build. There are no macros of our own: the same notebook must show the same
formulas in JupyterLab. Each formula carries MathML beside its picture, for screen readers.
"""

import json
from base64 import b64encode
from pathlib import Path

from docutils import nodes
from sphinx.util import logging
from sphinx.util.math import get_node_equation_number
from sphinxcontrib import katex

from .pages import add_transform, by_node, when_built

logger = logging.getLogger(__name__)

KATEX = Path(katex.__file__).with_name("katex.min.js")
RENDER = Path(__file__).with_name("katex_render.js")

# These faces stand in nearly every formula. They travel inside the style sheet and are started in
# the head of the page (templates/layout.html), so that they are there at the first paint and no
# line of text moves when they arrive. The others load when a page needs them.
EMBEDDED = {
    "KaTeX_Main-Regular": "1em KaTeX_Main",
    "KaTeX_Math-Italic": "italic 1em KaTeX_Math",
    "KaTeX_Size1-Regular": "1em KaTeX_Size1",
    "KaTeX_Size2-Regular": "1em KaTeX_Size2",
}

_rendered = {}


def render(formulas):
    """The results for formulas, pairs of LaTeX and "is it a display": {"html": ...} or {"error": ...}."""
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


def _html(node):
    [result] = render([(node.astext(), isinstance(node, nodes.math_block))])
    return result.get("html", '<code class="formula-error">formula in error</code>')


def visit_inline(writer, node):
    writer.body.append(_closed(_html(node), node.get("mark", "")).replace('class="katex"', 'class="katex math"', 1))
    raise nodes.SkipNode


def _closed(html, mark):
    """The formula with a punctuation mark that is read aloud, and held to the formula's last box, so that no line begins with it."""
    picture, base = '<span class="katex-html" aria-hidden="true">', '<span class="base">'
    before, found, last = html.rpartition(base)
    if not mark or not found:
        return html + mark
    last = last.removesuffix("</span></span>")  # of the picture, of the formula
    return f'{before}</span><span class="closed">{picture}{base}{last}</span>{mark}</span></span>'.replace(f"{picture}</span>", "")


def visit_display(writer, node):
    writer.body.append(writer.starttag(node, "div", CLASS="math"))
    if node["number"]:
        writer.body.append(f'<span class="eqno">({get_node_equation_number(writer, node)})')
        writer.add_permalink_ref(node, "Link to this equation")
        writer.body.append("</span>")
    writer.body.append(f"{_html(node)}</div>\n")
    raise nodes.SkipNode


def embed_fonts(app):
    """Put the commonest fonts into the style sheet."""
    source, sheet = Path(app.srcdir, "book", "_static", "katex", "fonts"), Path(app.outdir, "_static", "katex", "katex.css")
    css = sheet.read_text(encoding="utf-8")
    for name in EMBEDDED:
        font = b64encode((source / f"{name}.woff2").read_bytes()).decode("ascii")
        css = css.replace(f"url(fonts/{name}.woff2)", f"url(data:font/woff2;base64,{font})")
    sheet.write_text(css, encoding="utf-8")


def setup(app):
    app.add_html_math_renderer("katex", (visit_inline, None), (visit_display, None))
    app.add_css_file("katex/katex.css")
    add_transform(app, 900, render_formulas)  # after the outputs of cells and the glued values are in place
    app.config.html_context["formula_faces"] = list(EMBEDDED.values())
    when_built(app, embed_fonts)
