"""The links that readers have still lead to their places.

tests/anchors.txt lists what they can have a link to in the pages of earlier editions: headings, definitions, theorems, figures,
exercises, terms, rows of tables. What is renamed or moved goes into book/moved.toml.
"""

import pytest
from docutils import nodes
from sphinx.errors import ExtensionError
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


def test_the_list_is_in_order():
    assert LISTED == sorted(set(LISTED)) and len(LISTED) > 800


@pytest.mark.parametrize("listed, moves, problem", [
    (["a#gone"], {}, "a#gone is gone"),
    (["away#x"], {}, "away#x is gone"),
    (["a#here"], {"a#here": "a#nowhere"}, "a#nowhere, which is not there"),
    (["a#here"], {"a#new": "a#here"}, "a#new needs no line"),
])  # fmt: skip
def test_a_lost_anchor_is_named(listed, moves, problem):
    [found] = problems(listed, moves, {"a": ["here"]})
    assert problem in found


def test_what_moved_can_be_reached_by_its_old_anchor():
    kept = nodes.section(ids=["new"])
    document = nodes.document(None, None)
    document += nodes.section("", nodes.title("", "Page"), kept, ids=["page"])
    moved_anchors.keep_anchors(document, "a", {"a#old": "a#new", "b#old": "b#new"})
    assert kept["ids"] == ["new", "old"]
    for place in ("a#lost", "b#there"):
        with pytest.raises(ExtensionError, match=f"a has nothing with the anchor {place}"):
            moved_anchors.keep_anchors(document, "a", {"a#old": place})
