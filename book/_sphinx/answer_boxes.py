"""Exercises that check themselves: a box for each number that the solution computes.

The cell of a solution says in its metadata what it answers, `"answer": {"exercise": "ex-two-answers", "parts": [["AP", 0]]}`: for each
part its words, the place of its number among those that the cell has printed (or a list of places), and, if one likes, what
other numbers would mean: `{"3/4": "That takes each part for a list of its own."}`. So the right answer is computed, never typed.
"""

import json
import re
from html import escape

from sphinx.errors import ExtensionError
from sphinx_exercise.nodes import is_exercise_node

from .html_boxes import raw
from .pages import notebook_of

NUMBER = re.compile(r"(?<![\w.@/])-?\d+(?:,\d{3})*(?:\.\d+)?(?:/\d+)?(?![\w@])")


def printed(cell):
    """The numbers that a cell has printed, in their order, as written."""
    texts = (output.get("text") or output.get("data", {}).get("text/plain", "") for output in cell.outputs)
    return NUMBER.findall("\n".join("".join(text) for text in texts))


def parts_of(cell):
    """For each part of the answer of a cell: its words, its numbers as written, and what other numbers mean."""
    numbers = printed(cell)
    for words, places, *meanings in cell.metadata["answer"]["parts"]:
        yield words, [numbers[place] for place in ([places] if isinstance(places, int) else places)], *(meanings or [{}])


def form(cell):
    fields = "".join(
        f'<label>{escape(words)} <input size="{8 * len(right)}" autocomplete="off" data-answer="{escape(json.dumps([right, meanings]))}"></label>'
        for words, right, meanings in parts_of(cell)
    )
    return f'<form class="answer" data-exercise="{cell.metadata["answer"]["exercise"]}">{fields}<button>Check</button><output></output></form>'


def add_boxes(here):
    notebook, _ = notebook_of(here)
    exercises = {box["label"]: box for box in here.document.findall(is_exercise_node)}
    for cell in notebook.code if notebook else ():
        if "answer" in cell.metadata:
            label = cell.metadata["answer"]["exercise"]
            if label not in exercises:
                raise ExtensionError(f"{notebook.name}, cell {cell.number}: answers {label}, which is no exercise of this page")
            exercises[label] += raw(form(cell))
