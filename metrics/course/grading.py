"""Grade a folder of homework: marks as a table, a text file for each student, and a page on what the class believes.

From a notebook, only imports from a short list and what gives a value to a name that a task's function uses are run: each task in a separate
process, which has no answers and locks itself in (`worker`). The values that come back are compared as plain numbers (`judging`), as `check` does
in the sheet. Whatever a student hands in, the marks of all others are the same: nothing here waits for it, follows it or runs it.
"""

import argparse
import csv
import html
import io
import json
import os
import re
import stat
import unicodedata
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from .._base.text import in_a_cell, safe_for_a_spreadsheet
from .beliefs import Verdict
from .chapters import CHAPTERS, chapter
from .judging import alone, answered
from .worker import BLANK, KINDS, RENAMED, STOPS, UNREADABLE

LARGEST_NOTEBOOK = 5_000_000  # bytes
MOST_CODE = 500_000  # characters of a notebook
MOST_NOTEBOOKS, MOST_FILES = 100, 100_000  # of a student
UNSEEN = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)


def cells_of(path):
    """The texts of the code cells of a notebook. Raises ValueError if it is not a notebook, or not a regular file."""
    if path.is_symlink():
        raise ValueError("the notebook is a link, not the file itself")
    with open(path, "rb", opener=lambda name, flags: os.open(name, flags | UNSEEN)) as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise ValueError("the notebook is not a regular file")
        data = file.read(LARGEST_NOTEBOOK + 1)
    if len(data) > LARGEST_NOTEBOOK:
        raise ValueError(f"the notebook is larger than {LARGEST_NOTEBOOK:,} bytes")
    try:
        cells = ["".join(cell["source"]) for cell in json.loads(data)["cells"] if cell["cell_type"] == "code"]
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise ValueError(f"the file is not a notebook ({type(error).__name__})") from None
    if sum(map(len, cells)) > MOST_CODE:
        raise ValueError(f"the notebook has more than {MOST_CODE:,} characters of code")
    return [text.replace("\r\n", "\n").replace("\r", "\n") for text in cells]


def has(task, cells):
    """Whether these cells seem to define the function of a task, at whatever depth, even if they cannot be read."""
    return any(re.search(rf"^[ \t]*def[ \t]+{task.name}\b|^{task.name}[ \t]*=", text, re.M) for text in cells)


def checked(task, cells):
    """The cells up to the last that checks a task: what stands below has not been checked."""
    checks = [place for place, text in enumerate(cells, 1) if re.search(rf"^check\(task\([\"']{task.name}[\"']\)", text, re.M)]
    return cells[: checks[-1]] if checks else cells


def grade(folder, out, chapters=None, floor=1):
    """Grade every notebook below a folder, and return the verdicts of each student: one for each task, None if its sheet was not handed in, and need not be.

    folder, out: paths. A folder in `folder` is one student; so is a notebook directly in it.
    chapters: the chapters whose tasks count, handed in or not; if None, for each student the tasks of the sheets handed in.
    floor: the share of the cases of a task above which there are points in part; 1: all cases or none.
    Writes marks.csv, class.html and a text file for each student into `out`; the same notebooks give the same files.
    Raises ValueError if there is no notebook, or no notebook with a task.
    """
    folder, out = Path(folder), Path(out)
    handed = students(folder)
    with ThreadPoolExecutor(min(os.cpu_count() or 1, 8)) as pool:
        sheets = zip(handed, pool.map(sheets_of, handed.values()))
        sheets = {name: each for name, each in sheets if each or not marked_before(handed[name])}
        if not any(sheets.values()):
            raise ValueError(f"there is no notebook in {folder}")
        found = [name for name in CHAPTERS if any(has(task, cells) for each in sheets.values() for cells, _ in each for task in chapter(name).TASKS)]
        tasks = [(task, name) for name in dict.fromkeys(chapters or found) for task in chapter(name).TASKS]
        if not tasks:
            raise ValueError(f"no notebook in {folder} has a function for a task")
        out.mkdir(parents=True, exist_ok=True)
        jobs = {name: [pool.submit(verdict, task, page, each, bool(chapters)) for task, page in tasks] for name, each in sheets.items()}
    marks = {name: [job.result() for job in jobs[name]] for name in sorted(jobs)}
    for each in [each for verdicts in marks.values() for each in verdicts if each]:
        each.floor = floor
    tasks = [task for task, _ in tasks]
    write(out / "marks.csv", table_of(marks, tasks), "utf-8-sig")  # with its mark, Excel reads it as UTF-8
    write(out / "class.html", of_the_class(marks, tasks))
    for name, file in file_names(marks).items():
        write(out / f"{file}.txt", letter(marks[name]))
    return marks


def write(path, text, encoding="utf-8"):
    """Write a file anew: a link in its place is not followed."""
    path.unlink(missing_ok=True)
    path.write_text(text, encoding=encoding, newline="")


def students(folder):
    """The mapping of each student's name to a path; the name is that of a folder or of a notebook (without its ending, unless another has that name)."""
    paths = {path.name: path for path in sorted(folder.iterdir()) if not hidden(path.name) and (path.is_dir() or is_notebook(path))}
    short = {name: name if path.is_dir() else path.stem for name, path in paths.items()}
    of_one = Counter([*short.values(), *(name for name in paths if short[name] != name)])
    return {short[name] if of_one[short[name]] == 1 else name: path for name, path in paths.items()}


def hidden(name):
    """Whether a name is one that operating systems or programs add: .ipynb_checkpoints, or ._bob.ipynb and __MACOSX in a Mac's archive."""
    return name.startswith(".") or name == "__MACOSX"


def is_notebook(path):
    return path.suffix.lower() == ".ipynb"


def marked_before(path):
    """Whether a folder has marks from an earlier grading."""
    return all(os.path.isfile(path / name) for name in ("marks.csv", "class.html"))


def sheets_of(path):
    """For each notebook of a student, its cells and, if it cannot be read, the reason."""
    try:
        return [readable(each) for each in notebooks(path)]
    except Exception as error:  # whatever it is, it is no other student's
        return [([], unread(path, error))]


def notebooks(path):
    """The notebooks of a student in order, however deep the folders in which they lie. Raises ValueError if there are too many to look at."""
    if path.is_symlink() or not path.is_dir():
        return [path]
    found, left, seen = [], [path], 0
    while left:
        with os.scandir(left.pop()) as entries:
            for seen, entry in enumerate(entries, seen + 1):
                if max(seen / MOST_FILES, len(found) / MOST_NOTEBOOKS) > 1:
                    raise ValueError(f"the folder has more than {MOST_NOTEBOOKS} notebooks or {MOST_FILES:,} files")
                if hidden(entry.name):
                    continue
                if entry.is_dir(follow_symlinks=False):
                    left.append(entry.path)
                elif is_notebook(Path(entry.name)):
                    found.append(Path(entry.path))
    return sorted(found)


def readable(path):
    """The cells of a notebook and, if it cannot be read, the reason."""
    try:
        return cells_of(path), ""
    except (ValueError, OSError) as error:
        return [], unread(path, error)


def unread(path, error):
    return f"{in_a_cell(path.name)} cannot be read: {getattr(error, 'strerror', None) or error}"


def verdict(task, page, sheets, must):
    """The verdict on a student's sheets for a task of a page; None if the sheet of the task was not handed in, and need not be."""
    for cells, _ in reversed(sheets):
        if has(task, cells):
            try:
                said = answered(task, checked(task, cells))
                again = not said.right and checked(task, cells) != cells  # a better one may stand below
                return next((each for each in [answered(task, cells)] if each.right), said) if again else said
            except Exception as error:  # whatever it is, it is no other student's
                return Verdict(task, trouble=f"the grader fails at this function ({type(error).__name__})", kind=STOPS)
    lost = next((trouble for _, trouble in sheets if trouble), "")
    if lost or must or any(has(other, cells) for cells, _ in sheets for other in chapter(page).TASKS):
        words, kind = (lost, UNREADABLE) if lost else (f"there is no `def {task.name}` in what was handed in", RENAMED)
        return Verdict(task, trouble=words, kind=kind)


def file_names(students):
    """For each student, a file name that is valid on any system and that no other student has; names that need no change come first."""
    plain = {name: re.sub(r'[\\/:*?"<>|]', "_", in_a_cell(name)).encode()[:200].decode(errors="ignore") for name in students}
    names, taken = {}, set()
    for name in sorted(plain, key=lambda name: (plain[name] != name, name)):
        tries = (plain[name], *(f"{plain[name]} ({n})" for n in range(2, len(plain) + 2)))
        names[name] = next(each for each in tries if unicodedata.normalize("NFKC", each).casefold() not in taken)
        taken.add(unicodedata.normalize("NFKC", names[name]).casefold())
    return names


def letter(verdicts):
    given = list(filter(None, verdicts))
    points, most = sum(each.points for each in given), sum(each.task.points for each in given)
    return "\n\n".join(map(str, given)) + f"\n\n{points:g} of {most} points\n"


def table_of(marks, tasks):
    """The table of marks, which a spreadsheet opens as it is; what was not handed in is empty."""
    written = io.StringIO()
    table = csv.writer(written)
    table.writerow(["student", "points", "of", *(f"{task.name}{what}" for task in tasks for what in ("", ": cases", ": belief", ": first failure"))])
    for name, verdicts in marks.items():
        given = list(filter(None, verdicts))
        fields = [name, f"{sum(each.points for each in given):g}", sum(each.task.points for each in given)]
        for each in verdicts:
            fields += of_a_task(each) if each else [""] * 4
        table.writerow([safe_for_a_spreadsheet(field) if isinstance(field, str) else field for field in fields])
    return written.getvalue()


def of_a_task(each):
    """A verdict as four fields of the table."""
    failure = each.trouble or (f"{each.at}: {each.said}, not {each.expected}" if not each.right else "")
    return [f"{each.points:g}", f"{each.agreed} of {each.cases}" if each.cases else "", each.belief.name if each.belief else "", failure]


def of_the_class(marks, tasks):
    """A page for the teacher: for each task, how many students have it right, and which beliefs the others hold."""
    parts = []
    for n, task in enumerate(tasks):
        verdicts = [each[n] for each in marks.values() if each[n]]
        counts = Counter(each.belief.words for each in verdicts if each.belief)
        others = Counter(another_way(each) for each in verdicts if not (each.right or each.belief or each.trouble))
        troubles = Counter(each.kind for each in verdicts if each.trouble)
        blank = troubles[BLANK]
        rows = [("right", sum(each.right for each in verdicts)), *counts.most_common(), *others.most_common(), *((kind, troubles[kind]) for kind in KINDS)]
        bars = ((html.escape(words), count, count / len(verdicts)) for words, count in rows if count)
        lines = "".join(f"<tr><th scope=row>{words}<td>{count}<td class=bar><i style='width:{share:.0%}'></i>" for words, count, share in bars)
        parts.append(f"<table><caption>{task.name}, {task.points} points, written by {len(verdicts) - blank} of {len(verdicts)}</caption>{lines}</table>")
    return f"""<!doctype html><html lang=en><meta charset=utf-8><title>What the class believes</title>
<style>body{{font:16px/1.5 system-ui,sans-serif;max-width:50rem;margin:2rem auto;padding:0 1rem}}table{{width:100%;margin:2rem 0;border-collapse:collapse}}
caption{{text-align:left;font-weight:600}}th{{text-align:left;font-weight:400;width:60%}}td,th{{border-top:1px solid #ccc;padding:.2rem .6rem .2rem 0}}
.bar{{width:35%}}i{{display:block;height:1em;background:#00785a;print-color-adjust:exact}}</style>
<h1>What the class believes</h1><p>{len(marks)} students.</p>{"".join(parts)}</html>
"""


def another_way(each):
    """What the page of the class says of a function that no belief explains."""
    return f"right in {each.agreed:,} of {each.cases:,} cases, first wrong at {each.at}: {each.said}, not {each.expected}"


def share(text):
    """A share that leaves something above it: 0.5 of "0.5". Raises argparse.ArgumentTypeError for any other text."""
    try:
        value = float(text)
    except ValueError:
        value = -1
    if not 0 <= value < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is no share from 0 up to, but not including, 1, such as 0.5")
    return value


def main(arguments=None):
    parser = argparse.ArgumentParser("python -m metrics.grade", description="Grade a folder of homework notebooks.")
    parser.add_argument("folder", help="the folder with the notebooks: a folder for each student, or one notebook for each student")
    parser.add_argument("out", help="the folder into which marks.csv, class.html and a text file for each student are written")
    which = f"chapters whose tasks count, handed in or not (default: for each student, the chapters of the sheets handed in): {', '.join(CHAPTERS)}"
    parser.add_argument("--chapters", nargs="+", metavar="CHAPTER", help=which)
    parser.add_argument("--partial", nargs="?", type=share, const=0.5, default=1, metavar="FLOOR", dest="floor",
                        help="give points in part, in halves of a point: for the share of right cases above this floor (0.5 if none is given)")  # fmt: skip
    given = parser.parse_args(arguments)
    try:
        marks = grade(given.folder, given.out, given.chapters, given.floor)
    except (ValueError, OSError) as error:
        parser.error(str(error))
    border = "each function ran alone, without files or a network" if alone() else "this system does not keep their code apart: use a container for strangers"
    print(f"{len(marks)} students; {border}: {Path(given.out) / 'marks.csv'}")
