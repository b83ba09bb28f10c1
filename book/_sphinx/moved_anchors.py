"""Anchors of earlier editions: a link to one still leads to its place, which book/moved.toml names.

On its page, what has the new anchor takes the old one too. If it is on another page now, the old page has a line that
leads there, and that is seen only by who comes for the old anchor; with scripts (book.js) the browser goes on at once.
"""

import tomllib
from pathlib import Path

from docutils import nodes
from sphinx.errors import ExtensionError
from sphinx.transforms.post_transforms import SphinxPostTransform

from book._sphinx.pages import page_link


def read(folder):
    """What moved: "page#anchor" -> "page#anchor"; nothing, where nothing is said of it."""
    path = Path(folder, "book", "moved.toml")
    return tomllib.loads(path.read_text(encoding="utf-8")) if path.exists() else {}


def keep_anchors(document, name, moves):
    """Give the page of this name what its old anchors need."""
    page = next(document.findall(nodes.section))
    for (old_page, old), (new_page, new) in ((source.split("#"), target.split("#")) for source, target in moves.items()):
        if old_page != name:
            continue
        if new_page == name:
            place = next((element for element in document.findall(nodes.Element) if new in element.get("ids", ())), None)
            if place is None:
                raise ExtensionError(f"book/moved.toml: {name} has nothing with the anchor {new}")
            place["ids"].append(old)
        else:
            link = page_link("", page=new_page, anchor=f"#{new}")
            page.insert(1, nodes.paragraph("", "", nodes.Text("This is now in "), link, nodes.Text("."), ids=[old], classes=["moved-away"]))


class KeepAnchors(SphinxPostTransform):
    default_priority = 4  # before the links to pages are resolved
    formats = ("html",)

    def run(self, **_):
        keep_anchors(self.document, self.env.docname, read(self.env.srcdir))


def setup(app):
    app.add_post_transform(KeepAnchors)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
