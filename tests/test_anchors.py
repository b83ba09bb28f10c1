"""The links that readers have still lead to their places.

tests/anchors.txt lists what they can have a link to in the pages of earlier editions: headings, definitions, theorems, figures,
exercises, terms, rows of tables. What is renamed or moved goes into book/moved.toml.
"""

from docutils import nodes
from test_pages import ROOT, book_folder, parsed

from book._sphinx import moved_anchors

LISTED = (ROOT / "tests" / "anchors.txt").read_text(encoding="utf-8").splitlines()


def test_every_anchor_of_earlier_editions_is_there():
    folder, moves = book_folder(), moved_anchors.read(ROOT)
    pages = {place.split("#")[0] for place in (*LISTED, *moves.values())}
    there = {f"{page}#{name}" for page in pages if (folder / f"{page}.html").exists() for name in parsed(folder / f"{page}.html").anchors}
    assert sorted({*LISTED} - there) == [], "gone: write in book/moved.toml where they are now"
    assert sorted({*moves.values()} - there) == [], "moved to a place that is not there"
    assert sorted(moves.keys() - {*LISTED}) == [], "these need no line in book/moved.toml: no earlier edition has them"
    assert LISTED == sorted(set(LISTED)) and len(LISTED) > 800


def test_an_anchor_that_moved_is_kept():
    document = nodes.document(None, None)
    document += nodes.section(ids=["here"])
    moved_anchors.keep_anchors(document, "a", {"a#old": "a#here", "b#old": "b#new"})
    assert document[0]["ids"] == ["here", "old"]
