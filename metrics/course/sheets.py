"""The homework of a chapter as a notebook: holes, each with a line below it that tries what was written."""

import json

from .. import __version__
from .chapters import chapter

WHEEL = f"precision_recall_and_all_that-{__version__}-py3-none-any.whl"

# The first code cell of a notebook that stands alone, here and in the chapters.
FIND = """\
# Finds the package of this book, or installs it: from the wheel beside this notebook, or else from the book's site.
try:
    import {module}  # noqa: F401
except ImportError:
    import subprocess
    import sys
    from pathlib import Path
    wheel, site = Path("{wheel}"), "{site}"
    if not (wheel.exists() or site):
        raise FileNotFoundError(f"Put {{wheel}}, from the book's {archive}, into {{Path.cwd()}}, and run this again.") from None
    address = wheel.resolve().as_uri() if wheel.exists() else f"{{site}}/download/{{wheel}}"
    subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", {what}], check=True)
    sys.modules.pop("metrics", None)  # another package of this name"""

START = """# Homework: {title}

Write each function in plain Python and exact arithmetic, with whole numbers and `Fraction`. Keep its name, and import \
nothing but modules of the standard library that compute, such as `fractions`, `math`, `itertools` and `collections`; no other import is run. \
The cell below each function tries it on all small cases, as the grader will, \
and shows the smallest one for which it is wrong; run this cell as often as you like. Nothing is sent anywhere.

A function that is right in all cases gets its points; for others your teacher may give a part. Before you hand in this file, \
restart Python and run all cells: what then has a ✓ counts. You need about {minutes} minutes."""

SIGN = """NAME = ""  # yours, between the quotes
NUMBER = ""  # your number on the list of the class, if you have one"""


def sheet(name, solved=False, site=""):
    """The homework of a chapter, given the name of its page, as the text of a notebook; if solved, with the solutions in the holes.

    site: the address of the book, from which the first cell installs the package if its file is not beside the notebook.
    """
    tasks = chapter(name).TASKS
    find = FIND.format(module="metrics.course", wheel=WHEEL, site=site, archive="homework.zip", what='"--no-deps", address')
    cells = [
        cell("markdown", START.format(title=chapter(name).TITLE.lower(), minutes=sum(task.minutes for task in tasks)), "start"),
        cell("code", find, "find-metrics"),
        cell("code", SIGN, "sign"),
        cell("code", "from fractions import Fraction\n\nfrom metrics.course import check, task", "imports"),
    ]
    for n, task in enumerate(tasks, 1):
        cells += [
            cell("markdown", f"## {n}. `{task.name}` ({task.points} points, about {task.minutes} minutes)\n\n{task.statement}", f"task-{n}"),
            cell("code", task.solved if solved else task.hole, f"hole-{n}"),
            cell("code", f'check(task("{task.name}"), {task.name})', f"check-{n}"),
        ]
    kernel = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}, "language_info": {"name": "python"}}
    return json.dumps({"cells": cells, "metadata": kernel, "nbformat": 4, "nbformat_minor": 5}, indent=1, ensure_ascii=False) + "\n"


def cell(kind, text, name):
    made = {"cell_type": kind, "id": name, "metadata": {}, "source": text.splitlines(keepends=True)}
    return made | ({"execution_count": None, "outputs": []} if kind == "code" else {})
