"""What a class hands in, as it comes from a course page: whose it is, which version counts, and what goes back."""

import csv
import json
import os

import pytest

from metrics.course import grading, handed_in, sheets
from metrics.course.chapters import CHAPTERS, chapter
from tools.lint import ROOT

FIRST = chapter("average-precision").TASKS[0]
RIGHT = sheets.sheet("average-precision", solved=True)
BLANK = sheets.sheet("average-precision")
ROSTER = "id;Full name;E-mail\n101;Ada Lovelace;ada@uni.example\n102;Béla Bartók;bela@uni.example\n"
ROSTER += "103;Zoë O'Neil;zoe@uni.example\n104;Ada Byron;byron@uni.example\n"


def put(folder, name, text=RIGHT, day=1):
    """A file that was last changed on some day of December."""
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    os.utime(path, (handed_in.moment(f"2026-12-{day:02}T12:00"),) * 2)


def marks_of(tmp_path, roster=ROSTER, **options):
    """The rows of marks.csv by name, and the folder with all that is written."""
    out = tmp_path / "out"
    if roster:
        (tmp_path / "class.csv").write_text(roster, encoding="utf-8-sig")
        options["roster"] = tmp_path / "class.csv"
    grading.grade(tmp_path / "in", out, **options)
    return {row["student"]: row for row in csv.DictReader((out / "marks.csv").read_text(encoding="utf-8-sig").splitlines())}, out


WHOSE = {
    "Ada Lovelace_4711_assignsubmission_file_/homework.ipynb": "Ada Lovelace", "Béla Bartók_4712_assignsubmission_file_homework.ipynb": "Béla Bartók",
    "Bela-Bartok.ipynb": "Béla Bartók", "BARTOK Bela/a/b/sheet.ipynb": "Béla Bartók", "homework_101.ipynb": "Ada Lovelace", "103 final (1).ipynb": "Zoë O'Neil",
    "zoe@uni.example.ipynb": "Zoë O'Neil", "Zoe\u0308 ONeil O'Neil.ipynb": "Zoë O'Neil", "homework-byron.ipynb": "Ada Byron",
    "Ada.ipynb": "Ada Lovelace", "Lovelace.ipynb": None, "1015.ipynb": None,
    "__MACOSX/._Ada Lovelace.ipynb": "nobody", "ada lovelace.py": "Ada Lovelace",
}  # fmt: skip


@pytest.mark.parametrize("name", WHOSE)
def test_files_are_those_of_the_one_whom_their_name_names(name, tmp_path):
    put(tmp_path / "in", name, FIRST.solved if name.endswith(".py") else RIGHT)
    put(tmp_path / "in", "somebody.ipynb", BLANK)
    rows, out = marks_of(tmp_path)
    points = {who for who, row in rows.items() if row["points"] != "0"}
    strange = "not on the list of the class" in (out / "for-the-teacher.md").read_text(encoding="utf-8")
    assert strange and len(points) == (WHOSE[name] != "nobody")
    assert points <= {WHOSE[name]} if WHOSE[name] else not points & {"Ada Lovelace", "Béla Bartók", "Zoë O'Neil", "Ada Byron"}
    assert {rows[who]["id"] for who in ("Ada Lovelace", "Béla Bartók", "Zoë O'Neil", "Ada Byron")} == {"101", "102", "103", "104"}


def test_a_sheet_says_whose_it_is_where_its_name_does_not(tmp_path):
    signed = RIGHT.replace("from fractions import Fraction", "NUMBER = '102'\\nfrom fractions import Fraction", 1)
    put(tmp_path / "in", "homework.ipynb", signed)
    rows, _ = marks_of(tmp_path)
    assert len(rows) == 4 and rows["Béla Bartók"]["points"] == rows["Béla Bartók"]["of"] != "0"


@pytest.mark.parametrize("versions, graded", [
    ({"homework.ipynb": 2, "homework (1).ipynb": 1}, "homework.ipynb"),
    ({"homework.ipynb": 1, "homework (1).ipynb": 1}, "homework (1).ipynb"),
    ({"homework (9).ipynb": 1, "homework (10).ipynb": 1}, "homework (10).ipynb"),
    ({"homework-final.ipynb": 1, "homework-v2.ipynb": 1}, "homework-final.ipynb"),
])  # fmt: skip
def test_the_newest_version_counts_and_the_letter_says_which_that_is(versions, graded, tmp_path):
    for name, day in versions.items():
        put(tmp_path / "in" / "Ada Lovelace", name, RIGHT if name == graded else BLANK, day)
    rows, out = marks_of(tmp_path)
    letter = (out / "Ada Lovelace.txt").read_text(encoding="utf-8")
    [older] = versions.keys() - {graded}
    assert rows["Ada Lovelace"]["points"] == rows["Ada Lovelace"]["of"]
    assert f"graded file: {graded}\n" in letter and f"not graded, as another is newer: {older}\n" in letter


def test_who_hands_in_nothing_is_a_row_and_totals_are_equal(tmp_path):
    put(tmp_path / "in" / "Ada Lovelace", "homework.ipynb")
    put(tmp_path / "in" / "Ada Byron", "notes.ipynb", json.dumps({"cells": []}))
    rows, out = marks_of(tmp_path)
    assert len(rows) == 4 and len({row["of"] for row in rows.values()}) == 1
    assert "not handed in" in (out / "Zoë O'Neil.txt").read_text(encoding="utf-8")
    assert "not graded, as it has no task: notes.ipynb" in (out / "Ada Byron.txt").read_text(encoding="utf-8")
    assert "handed in nothing: Béla Bartók, Zoë O'Neil" in (out / "for-the-teacher.md").read_text(encoding="utf-8")


def test_one_student_does_not_change_what_counts_for_the_others(tmp_path):
    for name in ("Ada Lovelace", "Béla Bartók", "Zoë O'Neil"):
        put(tmp_path / "in", f"{name}.ipynb")
    alone, _ = marks_of(tmp_path)
    for name in CHAPTERS:
        put(tmp_path / "in" / "Ada Byron", f"{name}.ipynb", sheets.sheet(name, solved=True))
    rows, out = marks_of(tmp_path)
    assert [rows[name] for name in alone if name != "Ada Byron"] == [row for name, row in alone.items() if name != "Ada Byron"]
    assert "handed in by few, and not counted unless it is named after --chapters: f-and-e" in (out / "for-the-teacher.md").read_text(encoding="utf-8")


def test_late_is_said_and_costs_nothing(tmp_path):
    put(tmp_path / "in", "Ada Lovelace.ipynb", day=3)
    put(tmp_path / "in", "Béla Bartók.ipynb", day=1)
    rows, out = marks_of(tmp_path, due="2026-12-02T00:00")
    assert rows["Ada Lovelace"]["late"] == "Ada Lovelace.ipynb" and rows["Béla Bartók"]["late"] == ""
    assert rows["Ada Lovelace"]["points"] == rows["Béla Bartók"]["points"]
    assert "(late, by its date)" in (out / "Ada Lovelace.txt").read_text(encoding="utf-8")


def test_the_worksheet_of_moodle_comes_back_with_grades(tmp_path):
    heads = "Identifier,Full name,Email address,Status,Grade,Maximum grade,Grade can be changed,"
    heads += "Last modified (submission),Last modified (grade),Feedback comments"
    before = f'{heads}\nParticipant 4711,Ada Lovelace,ada@uni.example,Submitted,,10.00,Yes,"Tuesday, 1 December 2026, 12:00 PM",-,\n'
    before += "Participant 4712,Ada Lovelace,other@uni.example,No submission,,10.00,Yes,-,-,\n"
    put(tmp_path / "in", "Ada Lovelace_4711_assignsubmission_file_/homework.ipynb")
    _, out = marks_of(tmp_path, before)
    old, new = (list(csv.DictReader(text.splitlines())) for text in (before, (out / "moodle.csv").read_text(encoding="utf-8")))
    assert new[0]["Grade"] == "10" and "right in all 755 cases.<br>" in new[0]["Feedback comments"]
    assert new[1] == old[1] and new[0] == old[0] | {key: new[0][key] for key in ("Grade", "Feedback comments")}


def test_the_same_code_is_a_note_for_the_teacher_alone(tmp_path):
    put(tmp_path / "in", "Ada Lovelace.ipynb")
    put(tmp_path / "in", "Béla Bartók.ipynb", RIGHT.replace("hits, total = 0, Fraction(0)", "hits, total  =  0, Fraction(0)  # mine"))
    _, out = marks_of(tmp_path)
    told = {path.name: "the same code" in path.read_text(encoding="utf-8-sig") for path in out.iterdir()}
    assert told.pop("for-the-teacher.md") and not any(told.values())
    seen = [path.read_text(encoding="utf-8") for path in out.glob("*.html")]
    assert seen and not [text for text in seen for word in ("Lovelace", "uni.example", "101") if word in text]


@pytest.mark.parametrize("roster, said", [
    ("who,where\n1,2\n", "needs a column “name”"), ("", "needs a column “name”"),
    ("id,name\n1,Ada\n1,Bob\n", "line 3 of .* repeats '1' of line 2"), ("id,name\n1,\n", "line 2 of .* has no name"),
])  # fmt: skip
def test_a_list_that_cannot_be_read_is_refused_in_words(roster, said, tmp_path):
    (tmp_path / "class.csv").write_text(roster)
    with pytest.raises(ValueError, match=said):
        handed_in.read_roster(tmp_path / "class.csv")


def test_a_date_that_is_none_is_refused_in_words():
    with pytest.raises(ValueError, match="no date such as"):
        handed_in.moment("tomorrow")


def test_a_sheet_of_the_third_edition_is_still_graded(tmp_path):
    put(tmp_path / "in", "Ada Lovelace.ipynb", (ROOT / "tests" / "homework_of_the_third_edition.ipynb").read_text(encoding="utf-8"))
    rows, _ = marks_of(tmp_path)
    assert rows["Ada Lovelace"]["points"] == rows["Ada Lovelace"]["of"] == "10"
