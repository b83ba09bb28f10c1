"""The homework of a chapter as a notebook: holes, each with a line below it that tries what was written."""

import argparse
import json
import shutil
from pathlib import Path

from .. import __version__
from .chapters import CHAPTERS, chapter
from .settings import LEMMAS, SETTINGS, in_setting

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


README = """\
Homework for "Precision, Recall, and All That": notebooks with functions to write.
Keep the notebooks and {wheel} in one folder; the first cell of a notebook installs the package from there.
If that cell cannot run pip, install the package yourself, in that folder, on Linux or a Mac:

    python3 -m pip install --no-deps ./{wheel}

On Windows:

    py -m pip install --no-deps .\\{wheel}

The sheets need Python 3.11 or later, this package, and a program that opens notebooks (Jupyter, VS Code); they need nothing else, and no network.
Write your name, and your number on the list of the class if you have one, into the cell that begins with NAME.
Nothing that you write is sent anywhere. When you are done with a notebook, restart Python and run all cells, save the notebook,
and hand it in where your teacher says: every notebook that you worked on, without the package.
"""


def sheet(name, solved=False, site="", setting=LEMMAS):
    """The homework of a chapter, given the name of its page, as the text of a notebook; if solved, with the solutions in the holes.

    site: the address of the book, from which the first cell installs the package if its file is not beside the notebook.
    setting: what the tasks speak of, "lemmas", "search", "playlist" or "medical". Raises ValueError for a chapter without homework, and for another setting.
    """
    tasks = [in_setting(task, setting) for task in chapter(name).TASKS]
    told = "" if setting == LEMMAS else f', "{setting}"'
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
            cell("code", f'check(task("{task.name}"{told}), {task.name})', f"check-{n}"),
        ]
    kernel = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}, "language_info": {"name": "python"}}
    return json.dumps({"cells": cells, "metadata": kernel, "nbformat": 4, "nbformat_minor": 5}, indent=1, ensure_ascii=False) + "\n"


def cell(kind, text, name):
    made = {"cell_type": kind, "id": name, "metadata": {}, "source": text.splitlines(keepends=True)}
    return made | ({"execution_count": None, "outputs": []} if kind == "code" else {})


def main(arguments=None):
    parser = argparse.ArgumentParser("python -m metrics.homework", description="Write the homework of chapters as notebooks.")
    parser.add_argument("out", help="the folder into which the notebooks are written")
    which = f"of these chapters (default: all): {', '.join(CHAPTERS)}"
    parser.add_argument("--chapters", nargs="+", choices=CHAPTERS, default=CHAPTERS, metavar="CHAPTER", help=which)
    parser.add_argument("--setting", choices=SETTINGS, default=LEMMAS, help="what the tasks speak of; numbers are the same in all (default: lemmas)")
    parser.add_argument("--solved", action="store_true", help="write the solutions, too, for yourself")
    where = "the file of the package, to copy for students (default: one of its name in this folder, or in its folder homework)"
    parser.add_argument("--wheel", metavar="FILE", help=where)
    given = parser.parse_args(arguments)
    out = Path(given.out)
    wheel = next((path for path in (Path(WHEEL), Path("homework", WHEEL)) if path.is_file()), None)
    if given.wheel:
        wheel = Path(given.wheel)
        if wheel.name != WHEEL or not wheel.is_file():
            parser.error(f"{wheel} is not the file {WHEEL}, which the first cell of a sheet installs")
    try:
        out.mkdir(parents=True, exist_ok=True)
        for name in given.chapters:
            (out / f"homework-{name}.ipynb").write_text(sheet(name, given.solved, setting=given.setting), encoding="utf-8")
        if not given.solved:
            (out / "README.txt").write_text(README.format(wheel=WHEEL), encoding="utf-8")
        if wheel and not given.solved and wheel.resolve() != (out / WHEEL).resolve():
            shutil.copyfile(wheel, out / WHEEL)
    except OSError as error:
        parser.error(str(error))
    written = f"{len(given.chapters)} notebook{'s' * (len(given.chapters) > 1)}"
    if given.solved:
        print(f"{written} in {out}, with the solutions")
    elif (out / WHEEL).exists():
        print(f"{written} in {out}, with README.txt and {WHEEL}: hand out the whole folder")
    else:
        print(f"{written} in {out}, with README.txt; hand them out with {WHEEL}, which the first cell installs (--wheel copies it)")
