"""The links that readers have still lead to their places.

tests/anchors.txt lists what they can have a link to in the pages of earlier editions: headings, definitions, theorems, figures,
exercises, terms, rows of tables. What is renamed or moved goes into book/moved.toml.
"""

import re

from docutils import nodes
from test_pages import ROOT, book_folder, parsed

from book._sphinx import moved_anchors

LISTED = (ROOT / "tests" / "anchors.txt").read_text(encoding="utf-8").splitlines()


def problems(listed, moves, anchors):
    """What is wrong with the anchors of a book, page -> identifiers, in which some moved."""
    there = {f"{page}#{name}" for page, names in anchors.items() for name in names}
    return (
        [f"{old} is gone: write in book/moved.toml where it is now" for old in listed if old not in there]
        + [f"{old} moved to {new}, which is not there" for old, new in moves.items() if new not in there]
        + [f"{old} needs no line in book/moved.toml: no earlier edition has it" for old in moves if old not in listed]
    )


def test_every_anchor_of_earlier_editions_is_there():
    folder = book_folder()
    pages = {old.split("#")[0] for old in LISTED} | {new.split("#")[0] for new in moved_anchors.read(ROOT).values()}
    anchors = {page: parsed(folder / f"{page}.html").anchors for page in pages if (folder / f"{page}.html").exists()}
    assert problems(LISTED, moved_anchors.read(ROOT), anchors) == []
    assert LISTED == sorted(set(LISTED)) and len(LISTED) > 800


def test_a_lost_anchor_is_named_and_one_that_moved_is_kept():
    document = nodes.document(None, None)
    document += nodes.section(ids=["here"])
    moved_anchors.keep_anchors(document, "a", {"a#old": "a#here", "b#old": "b#new"})
    assert document[0]["ids"] == ["here", "old"]
    found = problems(["a#gone", "a#here"], {"a#here": "a#nowhere", "a#new": "a#here"}, {"a": ["here"]})
    assert [re.sub(":.*", "", each) for each in found] == [
        "a#gone is gone", "a#here moved to a#nowhere, which is not there", "a#new needs no line in book/moved.toml",
    ]  # fmt: skip
