"""The built pages as paper and e-readers take them: in the order of the book, without what works only in a browser, in light colours."""

import re
from pathlib import Path

import yaml

from book._sphinx.paths import ROOT

BOOK = "Precision, Recall, and All That"
BROWSER_ONLY = {"book/ranking-lab", "book/metric-finder"}
SVG_NAMES = {name.lower(): name for name in ("viewBox", "preserveAspectRatio", "clipPath", "patternUnits")}  # those that our pictures have


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
