"""Grade a folder of homework: marks as a table, a text file for each student, and a page on what the class believes.

From a notebook, only imports from a short list and what gives a value to a name that a task's function uses are run: each task in a separate
process, which has no answers and locks itself in (`worker`). The values that come back are compared as plain numbers (`judging`), as `check` does
in the sheet. Whatever a student hands in, the marks of all others are the same: nothing here waits for it, follows it or runs it.
"""

import argparse
import csv
import html
import io
import os
import re
import unicodedata
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from .._base.text import in_a_cell, in_markdown, safe_for_a_spreadsheet
from .beliefs import UNDEFINED, Verdict
from .chapters import CHAPTERS, chapter
from .handed_in import archives, is_archive, moment, read_roster, students, unseen
from .judging import alone, answered
from .worker import BLANK, KINDS, NOTHING, ONLY, RENAMED, STOPS, UNREADABLE

NOT_HANDED_IN = "not handed in"
WRITTEN = "A function is “written by” all who handed in something and did not leave it as the sheet has it, whether it is right or not."
NOT_FOUND = f" Those in the row “{RENAMED}” are among them: they gave it another name, or did not hand in its sheet, and the grader cannot tell which."


def has(task, cells):
    """Whether these cells seem to define the function of a task, at whatever depth, even if they cannot be read."""
    return any(re.search(rf"^[ \t]*def[ \t]+{task.name}\b|^{task.name}[ \t]*=", text, re.M) for text in cells)


def checks(task, cells):
    """The places, from 1 on, of the cells that check a task."""
    return [place for place, text in enumerate(cells, 1) if re.search(rf"^check\(task\([\"']{task.name}[\"']\)", text, re.M)]


def checked(task, cells):
    """The cells up to the last that checks a task: what stands below has not been checked."""
    places = checks(task, cells)
    return cells[: places[-1]] if places else cells


def grade(folder, out, chapters=None, floor=1, roster=None, due=None, tell=str):
    """Grade every notebook below a folder, and return the verdicts of each student, one for each task.

    folder, out: paths. A folder in `folder` is one student; so is a notebook, or a script, directly in it.
    chapters: the chapters whose tasks count, handed in or not; if None, those from which at least half of those who hand in any task do so.
    floor: the share of the cases of a task above which there are points in part; 1: all cases or none.
    roster: the list of the class as a CSV file, with the columns name, id and e-mail; who handed in nothing is on the list, too. Moodle's
    grading worksheet is such a list, and is written again with grades. due: a date such as 2026-12-01T12:00, after which a file is late;
    without a time, the end of that day. tell: called with each line that the teacher should see at once.
    Writes marks.csv, class.html, for-the-teacher.md and a text file for each student into `out`; the same files give the same marks.
    Raises ValueError if there is no notebook, or no notebook with a task, or if the list or the date cannot be read.
    """
    folder, out = Path(folder), Path(out)
    if folder.is_file() and is_archive(folder):
        raise ValueError(f"{folder} is an archive: unpack it first")
    listed, due = read_roster(roster) if roster else None, moment(due) if due else None
    if listed:
        tell(listed.told())
    handed = students(folder, listed.students if listed else ())
    if not any(each.sheets for each in handed):
        raise ValueError(f"there is no notebook in {folder}{still_packed(folder, handed)}")
    of_each = [found for each in handed if (found := chapters_of(each.sheets))]
    of_chapter = Counter(name for found in of_each for name in found)
    usual = [name for name in CHAPTERS if 2 * of_chapter[name] >= len(of_each) > 0] or [name for name in CHAPTERS if of_chapter[name]]
    tasks = [(task, name) for name in dict.fromkeys(chapters or usual) for task in chapter(name).TASKS]
    if not tasks:
        raise ValueError(f"no notebook in {folder} has a function for a task{still_packed(folder, handed)}")
    out.mkdir(parents=True, exist_ok=True)
    with ThreadPoolExecutor(min(os.cpu_count() or 1, 8)) as pool:
        jobs = [(each, [pool.submit(verdict, task, each.sheets) for task, _ in tasks]) for each in handed]
    rows = [Row(each, [job.result() for job in of_tasks], due, floor) for each, of_tasks in jobs]
    names = unlike([row.student.name for row in rows])
    rows = [row for _, row in sorted(zip(names, rows), key=lambda pair: pair[0])]
    names.sort()
    tasks = [task for task, _ in tasks]
    write(out / "marks.csv", table_of(rows, tasks, names), "utf-8-sig")  # with its mark, Excel reads it as UTF-8
    write(out / "class.html", of_the_class([row.verdicts for row in rows], tasks))
    uncounted = [name for name in of_chapter if name not in (chapters or usual)]
    total = sum(task.points for task in tasks)
    maxima = [of_another_total(total, maximum) for maximum in (listed.other_maxima(total) if listed else ())]
    for words in maxima:
        tell(words)
    write(out / "for-the-teacher.md", for_the_teacher(rows, tasks, names, uncounted, unseen(folder), maxima))
    if listed and listed.is_worksheet:
        write(out / "moodle.csv", worksheet(listed, rows))
    files = file_names(names)
    for name, row in zip(names, rows):
        write(out / f"{files[name]}.txt", row.letter())
    return dict(zip(names, [row.verdicts for row in rows]))


def still_packed(folder, handed):
    """The end of a message that finds no notebook: which archives there are instead."""
    found = archives(folder, handed)
    if not found:
        return ""
    there_is, it = ("there is an archive", "it") if len(found) == 1 else ("there are archives", "them")
    names = ", ".join([*map(in_a_cell, found[:MOST_IGNORED]), *["…"] * (len(found) > MOST_IGNORED)])
    return f"; {there_is} here ({names}): unpack {it} first"


def of_another_total(total, maximum):
    return f"the sheets total {total} points, but the worksheet's maximum is {maximum}: set it to {total} in Moodle"


def chapters_of(sheets):
    """The chapters from which a student hands in a task: those that the sheets check, because one function may be a helper; without checks, any."""
    for sign in (checks, has):
        if found := [name for name in CHAPTERS if any(sign(task, sheet.cells) for sheet in sheets for task in chapter(name).TASKS)]:
            return found
    return []


def unlike(names):
    """Names of which no two are the same: of two Bobs one is "Bob", the other "Bob (2)"."""
    found = []
    for name in names:
        found.append(next(each for each in (name, *(f"{name} ({n})" for n in range(2, len(names) + 2))) if each not in found))
    return found


def write(path, text, encoding="utf-8"):
    """Write a file anew: a link in its place is not followed."""
    path.unlink(missing_ok=True)
    path.write_text(text, encoding=encoding, newline="")


def verdict(task, sheets):
    """The verdict on a student's newest sheet that has the function of a task."""
    for sheet in reversed(sheets):
        if has(task, sheet.cells):
            try:
                found = the_better(task, list(sheet.cells))
            except Exception as error:  # whatever it is, it is no other student's
                found = Verdict(task, trouble=f"the grader fails at this function ({type(error).__name__})", kind=STOPS)
            found.sheet = sheet
            return found
    lost = next((sheet.trouble for sheet in sheets if sheet.trouble), "")
    if lost and not all(sheet.trouble for sheet in sheets):
        lost = f"not in the files that can be read; {lost}"
    words = lost or (f"there is no `def {task.name}` in what was handed in" if sheets else NOT_HANDED_IN)
    return Verdict(task, trouble=words, kind=UNREADABLE if lost else RENAMED if sheets else NOT_HANDED_IN)


def the_better(task, cells):
    """The verdict on what was checked last, unless what stands below is right, or is all there is."""
    found = answered(task, checked(task, cells))
    if found.right or checked(task, cells) == cells:
        return found
    below = answered(task, cells)
    return below if below.right or found.kind in (BLANK, RENAMED) else found


@dataclass
class Row:
    """A student with the verdicts on all tasks."""

    student: object
    verdicts: list
    due: float | None
    floor: float

    def __post_init__(self):
        for each in self.verdicts:
            each.floor = self.floor

    @property
    def points(self):
        return sum(each.points for each in self.verdicts)

    @property
    def graded(self):
        """The files that count, in order."""
        return list(dict.fromkeys(each.sheet for each in self.verdicts if each.sheet))

    @property
    def late(self):
        return [sheet for sheet in self.graded if self.due and sheet.date > self.due]

    def letter(self):
        older = [sheet for sheet in self.student.sheets if sheet not in self.graded and not sheet.trouble]
        with_task = [sheet for sheet in older if any(has(each.task, sheet.cells) for each in self.verdicts)]
        lines = [f"graded file: {sheet.name}{' (late, by its date)' if sheet in self.late else ''}" for sheet in self.graded]
        lines += [f"not graded, as another is newer: {sheet.name}" for sheet in with_task]
        lines += [f"not graded, as it has no task: {sheet.name}" for sheet in older if sheet not in with_task]
        told = self.feedback()
        lines += [f"not graded: {sheet.trouble}" for sheet in self.student.sheets if sheet.trouble and sheet.trouble not in told]
        files = "\n".join(lines)
        return f"{told}\n\n{self.points:g} of {sum(each.task.points for each in self.verdicts)} points\n" + (f"\n{files}\n" if lines else "")

    def feedback(self):
        """What the student is told: tasks that are in no sheet share a line, and only the first import that is not run names those that are."""
        said = {}
        for each in self.verdicts:
            said.setdefault(each.task.name if each.sheet else each.trouble, []).append(each)
        parts = [str(group[0]) if group[0].sheet else f"✗ {', '.join(each.task.name for each in group)}: {words}." for words, group in said.items()]
        before, only, after = "\n\n".join(parts).partition(ONLY)
        return before + only + after.replace(ONLY, "")


def file_names(students):
    """For each student, a file name that is valid on any system and that no other student has; names that need no change come first."""
    plain = {name: re.sub(r'[\\/:*?"<>|]', "_", in_a_cell(name)).encode()[:200].decode(errors="ignore") for name in students}
    names, taken = {}, set()
    for name in sorted(plain, key=lambda name: (plain[name] != name, name)):
        tries = (plain[name], *(f"{plain[name]} ({n})" for n in range(2, len(plain) + 2)))
        names[name] = next(each for each in tries if unicodedata.normalize("NFKC", each).casefold() not in taken)
        taken.add(unicodedata.normalize("NFKC", names[name]).casefold())
    return names


def table_of(rows, tasks, names):
    """The table of marks, which a spreadsheet opens as it is."""
    written = io.StringIO()
    table = csv.writer(written)
    heads = ["student", "id", "e-mail", "points", "of", "late"]
    table.writerow([*heads, *(f"{task.name}{what}" for task in tasks for what in ("", ": cases", ": belief", ": first failure"))])
    for name, row in zip(names, rows):
        who, late = row.student, ", ".join(sheet.name for sheet in row.late)
        fields = [name, who.id, who.mail, f"{row.points:g}", sum(each.task.points for each in row.verdicts), late]
        for each in row.verdicts:
            fields += of_a_task(each)
        table.writerow([safe_for_a_spreadsheet(field) if isinstance(field, str) else field for field in fields])
    return written.getvalue()


def worksheet(listed, rows):
    """Moodle's grading worksheet with grades and, if it has a column for it, what the student is told; all else as it came."""
    of = {row.student: row for row in rows}
    written = io.StringIO()
    table = csv.writer(written)
    table.writerow(listed.rows[0])
    for fields, student in zip(listed.rows[1:], listed.students):
        fields = fields + [""] * (len(listed.rows[0]) - len(fields))
        if student.sheets:
            fields[listed.columns["grade"]] = f"{of[student].points:g}"
            if "feedback" in listed.columns:
                fields[listed.columns["feedback"]] = html.escape(of[student].feedback()).replace("\n", "<br>")
        table.writerow(fields)
    return written.getvalue()


LONG_ENOUGH = 120  # characters: shorter functions are alike by chance
MOST_IGNORED = 100  # files that are named to the teacher


def for_the_teacher(rows, tasks, names, uncounted, ignored, maxima=()):
    """What only the teacher should see: another maximum in Moodle, who is missing or on no list, and functions that are equal but for blanks and remarks."""
    names, squeezed = [in_markdown(name) for name in names], lambda text: re.sub(r"#.*|\s+", "", text)
    several = [f"{name} ({', '.join(map(in_markdown, row.student.places))})" for name, row in zip(names, rows) if len(row.student.places) > 1]
    listed = [name for name, row in zip(names, rows) if row.student.listed]
    missing = [name for name, row in zip(names, rows) if row.student.listed and not row.student.sheets]
    strange = [name for name, row in zip(names, rows) if listed and not row.student.listed]
    parts = [*maxima]
    parts += [f"handed in nothing: {', '.join(missing)}"] * bool(missing) + [f"not on the list of the class: {', '.join(strange)}"] * bool(strange)
    parts += [f"files from several places, and the newest count: {', '.join(several)}"] * bool(several)
    parts += [f"not looked at, because hidden or neither a notebook nor a script: {', '.join(map(in_markdown, ignored[:MOST_IGNORED]))}"] * bool(ignored)
    parts += [f"handed in by few, and not counted unless it is named after --chapters: {name}" for name in uncounted]
    for n, task in enumerate(tasks):
        alike = {}
        for name, row in zip(names, rows):
            if sheet := row.verdicts[n].sheet:
                text = next(squeezed(cell) for cell in reversed(sheet.cells) if has(task, [cell]))
                if len(text) >= LONG_ENOUGH:
                    alike.setdefault(text, []).append(name)
        own = alike.pop(squeezed(task.solved), [])
        parts += [f"{task.name}: the same code: {', '.join(group)}" for group in alike.values() if len(group) > 1]
        parts += [f"{task.name}: the same code as the book's own solution: {', '.join(own)}"] * bool(own)
    return "\n".join(map(in_a_cell, parts or ["Nothing stands out."])) + "\n"


def of_a_task(each):
    """A verdict as four fields of the table."""
    failure = each.trouble or (f"{each.at}: {each.said}, not {each.expected}" if not each.right else "")
    return [f"{each.points:g}", f"{each.agreed} of {each.cases}" if each.cases else "", each.belief.name if each.belief else "", failure]


def of_the_class(marks, tasks):
    """A page for the teacher: for each task, how many students have it right, and which beliefs the others hold."""
    parts, found_none = [], any(verdict.kind == RENAMED for each in marks for verdict in each)
    for n, task in enumerate(tasks):
        verdicts = [each[n] for each in marks]
        counts = Counter(each.belief.words for each in verdicts if each.belief)
        others = Counter(another_way(each) for each in verdicts if not (each.right or each.belief or each.trouble))
        troubles = Counter(each.kind for each in verdicts if each.trouble)
        blank = troubles[BLANK] + troubles[NOT_HANDED_IN]
        none = [(kind, troubles[kind]) for kind in (*KINDS, NOT_HANDED_IN)]
        rows = [("right", sum(each.right for each in verdicts)), *counts.most_common(), *others.most_common(), *none]
        bars = ((html.escape(words), count, count / len(verdicts)) for words, count in rows if count)
        lines = "".join(f"<tr><th scope=row>{words}<td>{count}<td class=bar><i style='width:{share:.0%}'></i>" for words, count, share in bars)
        parts.append(f"<table><caption>{task.name}, {task.points} points, written by {len(verdicts) - blank} of {len(verdicts)}</caption>{lines}</table>")
    return f"""<!doctype html><html lang=en><meta charset=utf-8><title>What the class believes</title>
<style>body{{font:16px/1.5 system-ui,sans-serif;max-width:50rem;margin:2rem auto;padding:0 1rem}}table{{width:100%;margin:2rem 0;border-collapse:collapse}}
caption{{text-align:left;font-weight:600}}th{{text-align:left;font-weight:400;width:60%}}td,th{{border-top:1px solid #ccc;padding:.2rem .6rem .2rem 0}}
.bar{{width:35%}}i{{display:block;height:1em;background:#00785a;print-color-adjust:exact}}</style>
<h1>What the class believes</h1><p>{len(marks)} student{"s" * (len(marks) != 1)}. {WRITTEN}{NOT_FOUND * found_none}</p>{"".join(parts)}</html>
"""


def another_way(each):
    """What the page of the class says of a function that no belief explains: numbers, and no words of a student."""
    plain = each.said in (UNDEFINED, NOTHING) or re.fullmatch(r"-?(inf|[0-9/.e+-]+)", each.said)
    return f"right in {each.agreed:,} of {each.cases:,} cases, first wrong at {each.at}: {each.said if plain else 'no number'}, not {each.expected}"


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
    parser.add_argument("out", help="the folder into which marks.csv, class.html, for-the-teacher.md and a text file for each student are written")
    which = f"chapters whose tasks count, handed in or not (default: those that at least half of those who hand in any task hand in): {', '.join(CHAPTERS)}"
    parser.add_argument("--chapters", nargs="+", metavar="CHAPTER", help=which)
    parser.add_argument("--partial", nargs="?", type=share, const=0.5, default=1, metavar="FLOOR", dest="floor",
                        help="give points in part, in halves of a point: for the share of right cases above this floor (0.5 if none is given)")  # fmt: skip
    parser.add_argument("--roster", metavar="CLASS.CSV",
                        help="the list of the class: name, id, e-mail; of Moodle's grading worksheet, moodle.csv is a copy with grades")  # fmt: skip
    parser.add_argument("--due", metavar="DATE",
                        help="a date such as 2026-12-01T12:00, or 2026-12-01 (the end of that day); a file that was changed later is late")  # fmt: skip
    given = parser.parse_args(arguments)
    try:
        marks = grade(given.folder, given.out, given.chapters, given.floor, given.roster, given.due, print)
    except (ValueError, OSError) as error:
        parser.error(str(error))
    border = "each function ran alone, without files or a network" if alone() else "this system does not keep their code apart: use a container for strangers"
    print(f"{len(marks)} student{'s' * (len(marks) != 1)}; {border}: {Path(given.out) / 'marks.csv'}")
