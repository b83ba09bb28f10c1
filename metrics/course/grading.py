"""Grades a folder of homework: marks as a table, a text for each student, and what the class believes.

Of a notebook only imports of a short list, constants, functions and classes are run, and of these only what a task's function uses:
each task in a process of its own, which has no answers, with limits of time and memory, and, where the system can, without network.
The values that come back are compared here, as plain numbers. That stops mistakes and mischief; for strangers' code use a container.
"""

import argparse
import csv
import html
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from functools import cache
from pathlib import Path

from .beliefs import BLANK, UNDEFINED, Verdict, exact, judge
from .chapters import CHAPTERS, chapter

WORKER = Path(__file__).with_name("worker.py")
SECONDS, MEMORY = 5, 1 << 30
NEEDED = {name: os.environ[name] for name in ("SYSTEMROOT",) if name in os.environ}  # Python does not start on Windows without it
LARGEST_NOTEBOOK = 5_000_000  # bytes
LARGEST_ANSWER = 1 << 20  # bytes, as in the worker
FORMULA = ("=", "+", "-", "@", "\t", "\r")  # a spreadsheet takes a field that begins so for a formula


@cache
def alone():
    """The words before a command that take the network and other processes out of its sight; none where the system has no such thing."""
    words = ["unshare", "--user", "--map-root-user", "--net", "--pid", "--fork", "--kill-child", "--"]
    try:
        return words if subprocess.run([*words, "true"], capture_output=True, timeout=10).returncode == 0 else []
    except (OSError, subprocess.TimeoutExpired):
        return []


def cells_of(path):
    """The texts of the code cells of a notebook. Raises ValueError for what is none."""
    if path.stat().st_size > LARGEST_NOTEBOOK:
        raise ValueError(f"it has more than {LARGEST_NOTEBOOK:,} bytes")
    try:
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        return ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise ValueError(f"it is not a notebook ({type(error).__name__})") from None


def answered(task, cells):
    """The verdict on a task in these cells."""
    said = ran(task, cells)
    if "trouble" in said:
        return Verdict(task, trouble=said["trouble"])
    return judge(task, map(understood, said["values"]))


def has(task, cells):
    return any(re.search(rf"^def {task.name}\b", text, re.M) for text in cells)


def written(value):
    """A set or a fraction as JSON, which the worker reads again."""
    return {"fraction": [value.numerator, value.denominator]} if isinstance(value, Fraction) else {"set": list(value)}


def ran(task, cells):
    """What the worker says of a task: its values, or the trouble that it had."""
    job = {"name": task.name, "names": task.cases.names, "cases": list(task.cases.make()), "cells": cells, "seconds": SECONDS, "memory": MEMORY}
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryFile() as answer:  # a file: the system limits its size
        command = [*alone(), sys.executable, "-I", "-S", str(WORKER)]
        with subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=answer, stderr=subprocess.DEVNULL, cwd=folder, env=NEEDED, start_new_session=True
        ) as process:
            try:
                process.communicate(json.dumps(job, default=written).encode(), timeout=SECONDS)
            except subprocess.TimeoutExpired:
                return {"trouble": f"there is no answer within {SECONDS} seconds"}
            finally:
                end(process)
        answer.seek(0)
        output = answer.read(LARGEST_ANSWER)
    try:
        said = json.loads(output)
        return said if isinstance(said.get("values", said.get("trouble")), list | str) else {"trouble": "it ended without an answer"}
    except (ValueError, AttributeError, RecursionError):
        return {"trouble": "it ended without an answer"}


def end(process):
    """Stop a worker, and what it may have started."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except AttributeError:  # Windows
        process.kill()
    except ProcessLookupError:
        pass


def understood(value):
    """A value as the worker wrote it."""
    try:
        if isinstance(value, list):
            return Fraction(int(value[0]), int(value[1]))
        return exact(float(value))
    except (ValueError, IndexError, TypeError, ZeroDivisionError):
        return value if value == UNDEFINED else str(value)[:40]


def grade(folder, out, chapters=None):
    """Grade every notebook below a folder into another one, and return what each student has: a verdict for each task, None for one of a sheet not handed in.

    folder, out: paths. A folder in `folder` is one student's; a notebook directly in it is a student of its own.
    chapters: whose tasks count, handed in or not; if None, of each student those of the sheets that are there.
    Writes marks.csv, class.html and a text for each student; the same notebooks give the same files.
    Raises ValueError if there is no notebook, or none with a task.
    """
    folder, out = Path(folder), Path(out)
    paths = sorted(path for path in folder.rglob("*.ipynb") if ".ipynb_checkpoints" not in path.parts)
    if not paths:
        raise ValueError(f"there is no notebook in {folder}")
    sheets = {}
    for path in paths:
        sheets.setdefault(student(path, folder), []).append(readable(path))
    for path in folder.iterdir():  # of somebody who handed in nothing that can be graded, but no marks of an earlier day
        if path.is_dir() and path.name[0] not in "._" and not (path / "marks.csv").exists():
            sheets.setdefault(student(path / "nothing", folder), [])
    found = [name for name in CHAPTERS if any(has(task, cells) for each in sheets.values() for cells, _ in each for task in chapter(name).TASKS)]
    tasks = [(task, name) for name in dict.fromkeys(chapters or found) for task in chapter(name).TASKS]
    if not tasks:
        raise ValueError(f"no notebook in {folder} has a function of a task")
    out.mkdir(parents=True, exist_ok=True)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        jobs = {name: [pool.submit(verdict, task, page, each, bool(chapters)) for task, page in tasks] for name, each in sheets.items()}
    marks = {name: [job.result() for job in jobs[name]] for name in sorted(jobs)}
    for name, verdicts in marks.items():
        (out / f"{name}.txt").write_text(letter(verdicts), encoding="utf-8")
    tasks = [task for task, _ in tasks]
    write_marks(out / "marks.csv", marks, tasks)
    (out / "class.html").write_text(of_the_class(marks, tasks), encoding="utf-8")
    return marks


def readable(path):
    """The cells of a notebook, and why there are none."""
    try:
        return cells_of(path), ""
    except (ValueError, OSError) as error:
        return [], f"the file cannot be read: {error}"


def verdict(task, page, sheets, must):
    """What the sheets of a student say of a task of a page; None if its sheet is not there, and need not be."""
    for cells, _ in reversed(sheets):
        if has(task, cells):
            return answered(task, cells)
    unread = next((trouble for _, trouble in sheets if trouble), "")
    if unread or must or any(has(other, cells) for cells, _ in sheets for other in chapter(page).TASKS):
        return Verdict(task, trouble=unread or f"there is no `def {task.name}` in what was handed in")


def student(path, folder):
    """Whose a notebook is: its folder's name, or its own, without what a file's name cannot have."""
    return re.sub(r"[^\w.@=+ -]", "_", path.relative_to(folder).with_suffix("").parts[0]) or "_"


def letter(verdicts):
    given = list(filter(None, verdicts))
    points, most = sum(each.points for each in given), sum(each.task.points for each in given)
    return "\n\n".join(map(str, given)) + f"\n\n{points} of {most} points\n"


def write_marks(path, marks, tasks):
    """The table of marks, which a spreadsheet opens as it stands; what was not handed in is empty."""
    columns = ["student", "points", "of", *(f"{task.name}{what}" for task in tasks for what in ("", ": cases", ": belief", ": first failure"))]
    with path.open("w", newline="", encoding="utf-8-sig") as file:  # with its mark, Excel reads it as UTF-8
        table = csv.writer(file)
        table.writerow(columns)
        for name, verdicts in marks.items():
            given = list(filter(None, verdicts))
            fields = [name, sum(each.points for each in given), sum(each.task.points for each in given)]
            for each in verdicts:
                fields += of_a_task(each) if each else [""] * 4
            table.writerow([guarded(field) for field in fields])


def of_a_task(each):
    """A verdict as four fields of the table."""
    failure = each.trouble or (f"{each.at}: {each.said}, not {each.expected}" if not each.right else "")
    return [each.points, f"{each.agreed} of {each.cases}" if each.cases else "", each.belief.name if each.belief else "", failure]


def guarded(field):
    return f"'{field}" if isinstance(field, str) and field.startswith(FORMULA) else field


def row(words, count, share):
    return f"<tr><th scope=row>{html.escape(words)}<td>{count}<td class=bar><i style='width:{share:.0%}'></i>"


def of_the_class(marks, tasks):
    """A page for the teacher: of each task how many have it right, and which beliefs the others hold."""
    parts = []
    for n, task in enumerate(tasks):
        verdicts = [each[n] for each in marks.values() if each[n]]
        counts = Counter(each.belief.words for each in verdicts if each.belief)
        other = sum(not (each.right or each.belief or each.trouble) for each in verdicts)
        blank = sum(each.trouble == BLANK for each in verdicts)
        none = sum(bool(each.trouble) for each in verdicts) - blank
        rows = [("right", sum(each.right for each in verdicts)), *counts.most_common(), ("wrong in another way", other), ("no values", none), (BLANK, blank)]
        lines = "".join(row(words, count, count / len(verdicts)) for words, count in rows if count)
        parts.append(f"<table><caption>{task.name}, {task.points} points, written by {len(verdicts) - blank} of {len(verdicts)}</caption>{lines}</table>")
    return f"""<!doctype html><html lang=en><meta charset=utf-8><title>What the class believes</title>
<style>body{{font:16px/1.5 system-ui,sans-serif;max-width:50rem;margin:2rem auto;padding:0 1rem}}table{{width:100%;margin:2rem 0;border-collapse:collapse}}
caption{{text-align:left;font-weight:600}}th{{text-align:left;font-weight:400;width:60%}}td,th{{border-top:1px solid #ccc;padding:.2rem .6rem .2rem 0}}
.bar{{width:35%}}i{{display:block;height:1em;background:#00785a;print-color-adjust:exact}}</style>
<h1>What the class believes</h1><p>{len(marks)} students.</p>{"".join(parts)}</html>
"""


def main(arguments=None):
    parser = argparse.ArgumentParser("python -m metrics.grade", description="Grade a folder of homework notebooks.")
    parser.add_argument("folder", help="where the notebooks are: those of a student in a folder, or one notebook for each student")
    parser.add_argument("out", help="where marks.csv, class.html and a text for each student are written")
    which = f"whose tasks count, handed in or not (if none is named, of each student the sheets that are there): {', '.join(CHAPTERS)}"
    parser.add_argument("--chapters", nargs="+", metavar="CHAPTER", help=which)
    given = parser.parse_args(arguments)
    try:
        marks = grade(given.folder, given.out, given.chapters)
    except (ValueError, OSError) as error:
        parser.error(str(error))
    print(f"{len(marks)} students; {'without network' if alone() else 'this system cannot take the network from them'}: {Path(given.out) / 'marks.csv'}")
