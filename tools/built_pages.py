"""The built pages as paper and e-readers take them: in the order of the book, without what works only in a browser, in light colours."""

import re
from pathlib import Path

import yaml
from bs4 import BeautifulSoup

from book._sphinx.inline_figures import inlined
from book._sphinx.paths import ROOT
from book._sphinx.sources import moves_as, read

BOOK = "Precision, Recall, and All That"
BROWSER_ONLY = {"book/ranking-lab", "book/metric-finder", "book/how-far", "book/final-test"}
SVG_NAMES = {name.lower(): name for name in ("viewBox", "preserveAspectRatio", "clipPath", "patternUnits")}  # those that our pictures have

# What a reader of the pages can move in a figure that paper shows as it was drawn.
MOVES = {
    "four-denominators": "the hits",
    "two-worlds": "the threshold and the share of needed lemmas",
    "cut-the-list": "the cut and the items",
    "by-decile": "the items of both lists",
    "fallback": "the fallback",
    "follow-a-goal": "from one premise to the next",
    "rank-weights": "the weights of the ranks",
    "swap-neighbours": "the tools of the second order",
    "sign-flips": "the signs, by tossing coins",
    "mix-of-groups": "the shares of the groups",
    "mean-of-hits": "the lemmas, and say which are needed",
    "two-machines": "the cut and the values",
}


def soup(html):
    return BeautifulSoup(html, "html.parser")


def contents():
    """The book in order: ("part", caption) and ("page", name)."""
    toc = yaml.safe_load((ROOT / "_toc.yml").read_text(encoding="utf-8"))
    yield "page", toc["root"]
    for part in toc["parts"]:
        if "caption" in part:
            yield "part", part["caption"]
        for chapter in part["chapters"]:
            if chapter["file"] not in BROWSER_ONLY:
                yield "page", chapter["file"]


def name_of(part):
    """The name of a part of the book, as used for a file or a place."""
    return "part-" + re.sub(r"\W+", "-", part.lower()).strip("-")


def lead(page, place_of):
    """Let each link from a page to itself or another page lead where `place_of(name, anchor)` says; a link without a place becomes plain text."""
    for link in page.article.select("a[href]"):
        if re.match(r"[a-z]+:", link["href"]):
            continue
        place, _, anchor = link["href"].partition("#")
        name = Path(place).stem if place.endswith(".html") else None if place else page.name
        if target := place_of(name, anchor):
            link["href"] = target
        else:
            link.name, link.attrs = "span", {}


def light_colours(html):
    """The value of each CSS variable in light mode: the first that the style sheet gives."""
    sheet = (html / "_static" / "book.css").read_text(encoding="utf-8")
    return dict(reversed(re.findall(r"(--[\w-]+):\s*([^;}]+)", re.sub(r"light-dark\((.*?),.*?\)", r"\1", sheet))))


def resolved(text, colours):
    """A text with CSS variables replaced by their values."""
    for _ in range(3):  # a variable may be given by another one
        text = re.sub(r"var\((--[\w-]+)(?:,[^()]*)?\)", lambda name: colours.get(name[1], "currentColor"), text)
    return text


def as_xml(tag):
    """A tree as XML, with the spelling of names that SVG asks for."""
    text = tag.decode(formatter="minimal")
    return re.sub(r"(?<=[</\s])(" + "|".join(SVG_NAMES) + r")(?=[\s=>/])", lambda name: SVG_NAMES[name[1]], text) if "<svg" in text else text


def draw_what_moves(page):
    """Show each figure that moves as its notebook drew it, and say what moves."""
    path = ROOT / "book" / f"{page.name}.ipynb"
    moving = page.article.select("figure.moves")
    drawn = [svg for cell in read(path).cells for data in cell.shown if (svg := "".join(data.get("image/svg+xml", ""))) and moves_as(svg)] if moving else []
    if len(drawn) != len(moving):
        raise ValueError(f"{page.name} shows {len(moving)} figures that move, and its notebook draws {len(drawn)}")
    for number, (figure, svg) in enumerate(zip(moving, drawn)):
        caption = figure.figcaption.extract()
        words = caption.select_one(".caption-text") or caption
        for text in words.find_all(string=re.compile(r"\(In the figure that moves")):
            text.replace_with(re.sub(r"\s*\(In the figure that moves[^)]*\)", "", text))
        figure.clear()
        figure.append(soup(inlined(svg, caption.get_text(" ", strip=True), f"still{number}-")))
        words.append(f" Online you can move {MOVES[moves_as(svg)[0]]}.")
        figure.append(caption)
