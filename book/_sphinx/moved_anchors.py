"""Anchors of earlier editions: a link to one still leads to its place, which book/moved.toml names: what has the new anchor takes the old one too."""

import tomllib
from pathlib import Path

from docutils import nodes
from sphinx.errors import ExtensionError
from sphinx.transforms.post_transforms import SphinxPostTransform


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


class KeepAnchors(SphinxPostTransform):
    default_priority = 4  # before the links to pages are resolved
    formats = ("html",)

    def run(self, **_):
        keep_anchors(self.document, self.env.docname, read(self.env.srcdir))


def setup(app):
    app.add_post_transform(KeepAnchors)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
