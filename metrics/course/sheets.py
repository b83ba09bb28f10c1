"""The homework of a chapter as a notebook: holes, each with a line below it that tries what was written."""

import json

from .chapters import chapter

START = """# Homework: {title}

Write each function in plain Python and exact arithmetic, with whole numbers and `Fraction`. Keep its `def` line, and import \
nothing but modules of the standard library that compute, such as `fractions`, `math`, `itertools` and `collections`, as the grader runs no other imports. \
The cell below each function tries it on all small cases \
and shows the smallest one for which it is wrong; run this cell as often as you like. Nothing is sent anywhere. Hand in this file.

This sheet needs the book's package `metrics`, and nothing else: `pip install` the wheel that is in the same folder as this file."""


def sheet(name, solved=False):
    """The homework of a chapter, given the name of its page, as the text of a notebook; if solved, with the solutions in the holes."""
    tasks = chapter(name).TASKS
    cells = [
        cell("markdown", START.format(title=chapter(name).TITLE.lower()), "start"),
        cell("code", "from fractions import Fraction\n\nfrom metrics.course import check, task", "imports"),
    ]
    for n, task in enumerate(tasks, 1):
        cells += [
            cell("markdown", f"## {n}. `{task.name}` ({task.points} points)\n\n{task.statement}", f"task-{n}"),
            cell("code", task.solved if solved else task.hole, f"hole-{n}"),
            cell("code", f'check(task("{task.name}"), {task.name})', f"check-{n}"),
        ]
    kernel = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}, "language_info": {"name": "python"}}
    return json.dumps({"cells": cells, "metadata": kernel, "nbformat": 4, "nbformat_minor": 5}, indent=1, ensure_ascii=False) + "\n"


def cell(kind, text, name):
    made = {"cell_type": kind, "id": name, "metadata": {}, "source": text.splitlines(keepends=True)}
    return made | ({"execution_count": None, "outputs": []} if kind == "code" else {})
