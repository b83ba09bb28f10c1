"""Anchors of earlier editions: a link to one still leads to its place, which book/moved.toml names: what has the new anchor takes the old one too."""

import tomllib
from pathlib import Path

from docutils import nodes
from sphinx.errors import ExtensionError

from .pages import add_transform


def read(folder):
    """What moved: "page#anchor" -> "page#anchor"; nothing, where nothing is said of it."""
    path = Path(folder, "book", "moved.toml")
    return tomllib.loads(path.read_text(encoding="utf-8")) if path.exists() else {}


def keep_anchors(document, name, moves):
    """Give the page of this name its old anchors."""
    places = {f"{name}#{anchor}": element for element in document.findall(nodes.Element) for anchor in element.get("ids", ())}
    for source, target in moves.items():
        page, old = source.split("#")
        if page == name:
            if target not in places:
                raise ExtensionError(f"book/moved.toml: {name} has nothing with the anchor {target}")
            places[target]["ids"].append(old)


def setup(app):
    # before the links to pages are resolved
    add_transform(app, 4, lambda here: keep_anchors(here.document, here.env.docname, read(here.env.srcdir)))
