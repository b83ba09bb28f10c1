"""Figures: the SVG that a cell stored goes into the page itself, so that it follows dark mode.

Each colour of the house becomes a CSS variable of the same value (book.css gives the dark
ones), identifiers are made unique on the page, and the alternative text becomes the label that a
screen reader speaks. A figure without a real text, or with a colour of its own, fails the build.
"""

import re
from html import escape
from pathlib import Path

from docutils import nodes
from sphinx.util import logging

from metrics._base.ink import LARGER
from metrics.notebook import COLOURS, FONT_SIZE, TOOL_COLOURS

from .hands_on import to_move
from .html_boxes import raw

logger = logging.getLogger(__name__)

SHORTEST_TEXT = 40
SMALLEST = 11  # pixels that the smallest letters of a figure have on a telephone
LARGEST = 1.25  # how large a part of a figure may become there, in pixels a point
OPENING, LETTER = 1.3, 18  # how much larger the picture that opens a chapter becomes, unless its letters would then be larger than so many pixels
BEYOND = 2  # points that a letter may reach beyond the box of its figure
COLOUR = re.compile(r"((?:fill|stroke|stop-color|color)\s*[:=]\s*\"?)(#[0-9a-fA-F]{3,8})\b")
PLACE = re.compile(r'\b(?:d|x|y)="[^"]*"')  # a tenth of a point is enough, and matplotlib writes a millionth
# What Matplotlib writes about a letter: its size is that of another font, the family is a matter of the page, and most are not turned.
SIZE = re.compile(r"font-size: ([\d.]+)px; font-family: [^;\"]*")
NOT_TURNED = re.compile(r' transform="rotate\(-?0 [^)]*\)"')
INK = re.compile(r' data-ink="([\d.-]+) ([\d.-]+) ([\d.]+) ([\d.]+)"')
VARIABLES = {
    **{colour: f"var(--tool-{name.lower().replace(' ', '-')})" for name, colour in TOOL_COLOURS.items()},
    **{colour: f"var(--fig-{name})" for name, colour in COLOURS.items()},  # last, because fusion has the colour of ink
}


def text_problem(text, caption="", name=""):
    """What is wrong with the alternative text of a figure, or None."""
    text = (text or "").strip()
    if not text:
        return "it is missing"
    if re.search(r"\.(svg|png|jpe?g|gif)\b|_build/|^[./\w-]*/[./\w-]*$", text):
        return "it is the path of a file"
    if _bare(text) in (_bare(caption), _bare(name)):
        return "it repeats the caption or the label"
    if re.match(r"(an?|the)?\s*(figure|image|picture|graphic|screenshot)\b", text, re.IGNORECASE):
        return "it begins with boilerplate: say what the figure shows"
    if len(text) < SHORTEST_TEXT:
        return f"it has fewer than {SHORTEST_TEXT} characters: state what the figure shows"


def _bare(text):
    return re.sub(r"\W+", " ", text).strip().lower()


def foreign_colours(svg):
    """The colours in an SVG that are not of the house palette: dark mode would lose them."""
    return sorted({match[2].lower() for match in COLOUR.finditer(svg)} - set(VARIABLES))


def points(svg):
    """The width of what a figure draws, in points, 0 where it is not given."""
    width = re.search(r'width="([\d.]+)(?:pt)?"', svg)
    return float(width[1]) if width else 0


def letters(svg):
    """The smallest and the largest size of the letters of a figure."""
    sizes = [float(size) for size in re.findall(r"font-size: ([\d.]+)px", svg)] or [FONT_SIZE * LARGER]
    return min(sizes), max(sizes)


def pixels_a_point(svg):
    """How small a figure may become while its smallest letters can be read."""
    return SMALLEST / letters(svg)[0]


def _view(svg):
    """Left, top, width and height of what an SVG shows."""
    return [float(number) for number in re.search(r'viewBox="([^"]*)"', svg)[1].split()]


def without_rim(svg):
    """The SVG as large as what is drawn in it, with a pixel for each point, where there is room: then its letters have about 13 pixels.

    Matplotlib leaves a rim, and room for letters that are wider than those of the page.
    """
    if not (box := INK.search(svg)):
        return svg
    left, top, width, height = box.groups()
    svg = svg.replace(box[0], "", 1)
    svg = re.sub(r'width="[\d.]+pt" height="[\d.]+pt"', f'width="{width}" height="{height}"', svg, count=1)
    return re.sub(r'viewBox="[^"]*"', f'viewBox="{left} {top} {width} {height}"', svg, count=1)


def inlined(svg, text, prefix):
    """The SVG as an element of an HTML page."""
    svg = svg[svg.index("<svg"):]
    svg = re.sub(r"<metadata>.*?</metadata>|<style.*?</style>|<!--.*?-->|<defs>\s*</defs>", "", svg, flags=re.DOTALL)
    wanted = {"figure_1", *re.findall(r'(?:href="|url\()#([\w.-]+)', svg)}
    svg = re.sub(r' id="step-(\d)[^"]*"', r' data-step="\1"', svg)  # a layer, which slides show at a press of a key
    svg = re.sub(r' id="([^"]*)"', lambda name: name[0] if name[1] in wanted else "", svg)
    svg = re.sub(r'\b(id="|href="#|url\(#)', rf"\g<1>{prefix}", svg)
    svg = SIZE.sub(lambda size: f"font-size: {float(size[1]) * LARGER:.4g}px", NOT_TURNED.sub("", svg))
    svg = COLOUR.sub(lambda match: match[1] + VARIABLES.get(match[2].lower(), match[2]), svg)
    svg = PLACE.sub(lambda place: re.sub(r"-?\d+\.\d+", lambda number: f"{float(number[0]):.1f}".removesuffix(".0"), place[0]), svg)
    svg = re.sub(r"\s*\n\s*", "\n", svg).strip()
    parts = stacked_parts(svg, prefix)
    svg = without_rim(svg)
    drawn = _view(svg)[2]
    least = f' style="min-width: {drawn * pixels_a_point(svg):.0f}px; --opening: {drawn * max(1, min(OPENING, LETTER / letters(svg)[1])):.0f}px"'
    whole = svg.replace("<svg", f'<svg class="house-figure" role="img" aria-label="{escape(text)}"{least}', 1)
    return f'<div class="picture{f" stacks widest-{widest(parts)}" if parts else ""}">{whole}{parts}</div>'


def stacked_parts(svg, prefix):
    """The parts of a figure that may be cut, each a window on the whole, for a telephone to show below each other."""
    cuts = re.search(r'data-stacks-at="([\d. ]+)"', svg)
    if not cuts:
        return ""
    whole = _view(svg)[2]
    left, top, width, height = _view(without_rim(svg))
    edges = [left - BEYOND, *(float(cut) * whole for cut in cuts[1].split()), left + width + BEYOND]
    return "".join(
        f'<svg class="part" aria-hidden="true" viewBox="{start:.1f} {top} {end - start:.1f} {height}"'
        f' style="max-width: {(end - start) * LARGEST:.0f}px; min-width: {(end - start) * pixels_a_point(svg):.0f}px"><use href="#{prefix}figure_1"/></svg>'
        for start, end in zip(edges, edges[1:])
    )  # fmt: skip


def widest(parts):
    """The number of the widest part, the last of several, which stands for the whole where there is little room."""
    widths = [float(width) for width in re.findall(r'viewBox="\S+ \S+ (\S+)', parts)]
    return max(range(len(widths)), key=lambda at: (widths[at], at))


def put_figures_in(here):
    """Replace each SVG picture of a page by the SVG itself."""
    for number, image in enumerate(list(here.document.findall(nodes.image)), start=1):
        figure, text = image.parent, image.get("alt", "")
        caption = next((child.astext() for child in figure.children if isinstance(child, nodes.caption)), "")
        if problem := text_problem(text, caption, " ".join(figure.get("names", []))):
            logger.warning("alternative text of a figure: %s (%r)", problem, text, location=image)
        if image["uri"].endswith(".svg"):
            svg = Path(here.env.srcdir, image["uri"]).read_text(encoding="utf-8")
            for colour in foreign_colours(svg):
                logger.warning("figure with the colour %s, which is neither in COLOURS nor in TOOL_COLOURS", colour, location=image)
            moving = to_move(here, svg) if isinstance(figure, nodes.figure) else None  # not on the cover, which has copies
            image.replace_self(raw(moving or inlined(svg, text, f"fig{number}-")))
            figure["classes"] += ["moves"] if moving else []
