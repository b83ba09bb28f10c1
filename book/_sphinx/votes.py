"""Votes: what `ask("...")` shows becomes a question whose options open, each with what is to be said of it.

The record of the cell has all that is needed, so nothing is run here. An option is a details element: it works without scripts,
by keys, and for a screen reader; `_static/votes.js`, a part of book.js, keeps what was chosen.
"""

import re

from docutils import nodes

from .html_boxes import raw
from .pages import notebook_of

RECORD = "application/vnd.metrics.question+json"
MARKED = re.compile(r"(\$[^$]+\$|`[^`]+`|\*[^*]+\*)")


def inline(text):
    """Text with $formulas$, `code` and *stress* as nodes."""
    kinds = {"$": nodes.math, "`": nodes.literal, "*": nodes.emphasis}
    return [kinds[part[0]]("", part[1:-1]) if MARKED.fullmatch(part) else nodes.Text(part.replace("'", "’")) for part in MARKED.split(text) if part]


def in_words(name):
    """A vote's name without its prefix: ap-ten-more is 'two draws'."""
    return name.partition("-")[2].replace("-", " ")


def question(record):
    """A vote, as a box."""
    box = nodes.container("", raw(f'<div class="vote" role="group" id="vote-{record["name"]}" aria-label="What do you think?">'))
    box += nodes.paragraph("", "", nodes.strong("", "What do you think?"), nodes.Text(" "), *inline(record["text"]), classes=["asked"])
    for option in record["options"]:
        kind, verdict = ("right", "Right.") if option["right"] else ("wrong", "Not so.")
        box += [raw(f'<details class="{kind}" name="vote-{record["name"]}"><summary>'), nodes.inline("", "", *inline(option["option"])), raw("</summary>")]
        box += [nodes.paragraph("", "", nodes.strong("", verdict), nodes.Text(" "), *inline(option["feedback"])), raw("</details>")]
    box += raw("</div>")
    return box


def set_votes(here):
    notebook, boxes = notebook_of(here)
    for cell in notebook.code if notebook else ():
        for record in (data[RECORD] for data in cell.shown if RECORD in data):
            boxes[cell.number - 1].children = [question(record)]
            boxes[cell.number - 1]["classes"] = ["vote-cell"]
