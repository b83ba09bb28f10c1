"""What a class hands in, as it comes from a course page: whose it is, which version counts, and what goes back."""

import csv
import json
import os
import re

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


LISTED = "id;name\n1;Ada Byron\n20;An Li\n21;An Li Wang\n300;Zoë O'Neil\n4;—\n"


@pytest.mark.parametrize("files, whose", [
    ({"homework (1).ipynb": ""}, {}), ({"1.ipynb": ""}, {"1.ipynb": "Ada Byron"}), ({"homework-300.ipynb": ""}, {"homework-300.ipynb": "Zoë O'Neil"}),
    ({"An Li.ipynb": "", "An Li Wang.ipynb": ""}, {"An Li.ipynb": "An Li", "An Li Wang.ipynb": "An Li Wang"}),
    ({"a.ipynb": "NAME = \"Zoë O'Neil\""}, {"a.ipynb": "Zoë O'Neil"}), ({"a.ipynb": "NUMBER = '1'"}, {"a.ipynb": "Ada Byron"}),
    ({"a.ipynb": "NUMBER = '1'", "Ada Byron.ipynb": ""}, {"Ada Byron.ipynb": "Ada Byron"}),  # who signs with another's number replaces nothing
    ({"a.ipynb": "\n".join(f"NAME = 'nobody {n}'" for n in range(10)) + "\nNUMBER = '1'"}, {}),  # nor is everything read that somebody signs with
    ({"somebody.ipynb": ""}, {}),  # nor has the one whose name has no letters everybody's files
])  # fmt: skip
def test_what_a_sheet_says_counts_only_for_an_owner_without_files(files, whose, tmp_path):
    (tmp_path / "class.csv").write_text(LISTED, encoding="utf-8")
    for name, signed in files.items():
        put(tmp_path / "in", name, json.dumps({"cells": [{"cell_type": "code", "source": signed}]}))
    found = handed_in.students(tmp_path / "in", handed_in.read_roster(tmp_path / "class.csv").students)
    assert {path.name: each.name for each in found if each.listed for path in each.paths} == whose


@pytest.mark.parametrize("versions, graded", [
    ({"homework.ipynb": 2, "homework (1).ipynb": 1}, "homework.ipynb"),
    ({"homework.ipynb": 1, "homework (1).ipynb": 1}, "homework (1).ipynb"),
    ({"homework (9).ipynb": 1, "homework (10).ipynb": 1}, "homework (10).ipynb"),
    ({"homework-final.ipynb": 1, "homework-v2.ipynb": 1}, "homework-final.ipynb"),
    ({"sheet 1².ipynb": 1, "sheet 1٣.ipynb": 2}, "sheet 1٣.ipynb"),
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
    assert (out / "Zoë O'Neil.txt").read_text(encoding="utf-8").count("not handed in") == 1
    assert "not graded, as it has no task: notes.ipynb" in (out / "Ada Byron.txt").read_text(encoding="utf-8")
    assert "handed in nothing: Béla Bartók, Zoë O'Neil" in (out / "for-the-teacher.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name, data, said", [
    ("homework.zip", b"PK", "the grader reads notebooks (.ipynb)"), ("homework.ipynb.txt", RIGHT.encode(), "and scripts (.py)"),
    ("homework.pdf", b"%PDF", "the grader reads notebooks (.ipynb)"), ("homework.html", b"<html>", "the grader reads notebooks (.ipynb)"),
    ("homework.ipynb", b" " * 5_000_001, "larger than 5,000,000 bytes; clear its outputs and hand it in again"),
    ("homework.ipynb", RIGHT[:900].encode(), "the file is not a whole notebook (JSONDecodeError)"),
    ("homework.py", "# für Übung".encode("cp1252"), "the file is not text in UTF-8"),
])  # fmt: skip
def test_what_cannot_be_read_is_named_once_with_the_reason(name, data, said, tmp_path):
    put(tmp_path / "in", "Ada Byron.ipynb")
    put(tmp_path / "in", f"Ada Lovelace/{name}")
    (tmp_path / "in" / "Ada Lovelace" / name).write_bytes(data)
    _, out = marks_of(tmp_path)
    letter = (out / "Ada Lovelace.txt").read_text(encoding="utf-8")
    assert f"{name} cannot be read: " in letter and said in letter and letter.count("cannot be read") == letter.count("✗") == 1
    assert "handed in nothing: Béla Bartók, Zoë O'Neil\n" in (out / "for-the-teacher.md").read_text(encoding="utf-8")


def test_an_archive_beside_a_sheet_has_a_word_and_a_picture_none(tmp_path):
    for name in ("sheet.ipynb", "more.zip", "again.ipynb.txt", "picture.png"):
        put(tmp_path / "in" / "Ada Byron", name)
    rows, out = marks_of(tmp_path)
    told = re.findall("not graded: (.*) cannot be read", (out / "Ada Byron.txt").read_text(encoding="utf-8"))
    assert rows["Ada Byron"]["points"] == "10" and told == ["again.ipynb.txt", "more.zip"]


@pytest.mark.parametrize("name", ("Ada Lovelace.zip", "101.ipynb.txt", "Ada Lovelace_4711_assignsubmission_file_homework.pdf"))
def test_who_hands_in_an_archive_alone_hears_of_it(name, tmp_path):
    put(tmp_path / "in", name)
    put(tmp_path / "in", "Ada Byron.ipynb")
    rows, out = marks_of(tmp_path)
    assert len(rows) == 4 and f"{name} cannot be read" in (out / "Ada Lovelace.txt").read_text(encoding="utf-8")
    assert "handed in nothing: Béla Bartók, Zoë O'Neil" in (out / "for-the-teacher.md").read_text(encoding="utf-8")


def test_the_teacher_hears_what_was_not_looked_at_and_whose_files_come_from_several_places(tmp_path):
    for name in ("Ada Byron.ipynb", ".Ada/homework.ipynb", "Béla_Bartók.zip", ".DS_Store", "103.ipynb", "Zoë O'Neil/sheet.ipynb", "<b>*x*.ipynb"):
        put(tmp_path / "in", name)
    _, out = marks_of(tmp_path)
    told = (out / "for-the-teacher.md").read_text(encoding="utf-8")
    assert "not looked at, because hidden or neither a notebook nor a script: .Ada, Béla\\_Bartók.zip\n" in told
    assert "files from several places, and the newest count: Zoë O'Neil (103.ipynb, Zoë O'Neil)\n" in told
    assert "not on the list of the class: &lt;b>\\*x\\*\n" in told


def test_the_letters_of_an_earlier_grading_are_nobodys_homework(tmp_path):
    put(tmp_path / "in", "Bob.ipynb.ipynb")
    put(tmp_path / "in", "Bob/sheet.ipynb")
    assert [*grading.grade(tmp_path / "in", tmp_path / "in" / "marks")] == [*grading.grade(tmp_path / "in", tmp_path / "in" / "marks")]
    assert "Bob.ipynb.txt" in os.listdir(tmp_path / "in" / "marks")


def with_cells(before, after=""):
    """The solved sheet with a cell in the place of its first solution, and one at its end."""
    notebook = json.loads(RIGHT)
    next(each for each in notebook["cells"] if each["id"] == "hole-1")["source"] = before
    return json.dumps(notebook | {"cells": [*notebook["cells"], sheets.cell("code", after, "last")]})


def test_a_function_below_the_last_check_counts_where_the_hole_is_left(tmp_path):
    put(tmp_path / "in", "Ada Byron.ipynb", with_cells(FIRST.hole, FIRST.solved.replace("/ n_relevant", "/ len(relevance)")))
    _, out = marks_of(tmp_path)
    assert "you divide by the length of the list." in (out / "Ada Byron.txt").read_text(encoding="utf-8")


def test_a_helper_with_the_name_of_a_task_is_no_other_chapter(tmp_path):
    put(tmp_path / "in", "Ada Byron.ipynb", with_cells(FIRST.solved, "def precision(predicted, actual):\n    return 1"))
    rows, _ = marks_of(tmp_path)
    assert rows["Ada Byron"]["points"] == rows["Ada Byron"]["of"] == "10"


def test_the_modules_that_may_be_imported_are_named_once_in_a_letter(tmp_path):
    put(tmp_path / "in", "Ada Byron.ipynb", RIGHT.replace("from fractions import Fraction", "import numpy as np", 1).replace("return ", "return np."))
    _, out = marks_of(tmp_path)
    letter = (out / "Ada Byron.txt").read_text(encoding="utf-8")
    assert letter.count("its import is not run") > 1 == letter.count("for homework may import")


def test_the_page_of_the_class_has_no_words_of_a_student(tmp_path):
    hers = FIRST.hole.replace("raise NotImplementedError", "return Ada_is_here()")
    put(tmp_path / "in", "Ada Byron.ipynb", with_cells(f"class Ada_is_here:\n    pass\n{hers}"))
    _, out = marks_of(tmp_path)
    page = (out / "class.html").read_text(encoding="utf-8")
    assert "n_relevant = 1: no number, not 1<" in page and "Ada" not in page


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
    rows, _ = marks_of(tmp_path, due="2026-12-01")  # the end of that day
    assert rows["Béla Bartók"]["late"] == "" != rows["Ada Lovelace"]["late"]


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


@pytest.mark.parametrize("maximum, said", [
    ("10.00", ""), ("10,00", ""), ("Good", ""), ("100.00", "the sheets total 10 points, but the worksheet's maximum is 100.00: set it to 10 in Moodle"),
])  # fmt: skip
def test_another_maximum_in_the_worksheet_of_moodle_is_said_twice(maximum, said, tmp_path):
    put(tmp_path / "in", "Ada Lovelace.ipynb")
    told, roster = [], f'Identifier,Full name,Grade,Maximum grade\nParticipant 1,Ada Lovelace,,"{maximum}"\nParticipant 2,Ada Byron,,"{maximum}"\n'
    _, out = marks_of(tmp_path, roster, tell=told.append)
    noted = (out / "for-the-teacher.md").read_text(encoding="utf-8")
    assert [words for words in told if "Moodle" in words] == [said] * bool(said) and ("Moodle" in noted, said in noted) == (bool(said), True)


@pytest.mark.parametrize("heads, said", [
    ("id;Full name;E-mail", "id from “id”, name from “Full name”, e-mail from “E-mail”"),
    ("Matrikel;name;mail address", "id from none, name from “name”, e-mail from none"),
    ("First name;Surname;x", "id from none, name from “First name”, “Surname”, e-mail from none"),
])  # fmt: skip
def test_the_teacher_is_told_which_columns_of_the_list_were_used(heads, said, tmp_path):
    (tmp_path / "in").mkdir()
    told = []
    with pytest.raises(ValueError, match="there is no notebook"):
        marks_of(tmp_path, f"{heads}\n101;Ada Lovelace;ada@uni.example\n", tell=told.append)
    assert told == [f"columns of the list of the class: {said}"]


@pytest.mark.parametrize("name", ("n-a.ipynb", "none.ipynb", "@.ipynb"))
def test_what_is_no_address_identifies_nobody(name, tmp_path):
    put(tmp_path / "in", name)
    rows, _ = marks_of(tmp_path, "name,e-mail\nAda Lovelace,none\nAda Byron,n/a\nBéla Bartók,@\nZoë O'Neil,none\n")
    assert len(rows) == 5 and {row["points"] for row in rows.values() if row["e-mail"]} == {"0"}


@pytest.mark.parametrize("names, said", [
    (["class.zip"], r"there is no notebook in .*; there is an archive here \(class.zip\): unpack it first"),
    (["a.zip", "b.tar.gz", "readme.txt"], r"there are archives here \(a.zip, b.tar.gz\): unpack them first"),
    (["Ada/sheet.7z"], r"no notebook in .* has a function for a task; there is an archive here \(sheet.7z\): unpack it first"),
    (["readme.txt"], "there is no notebook in [^;]*$"),
])  # fmt: skip
def test_an_archive_in_the_place_of_notebooks_is_named(names, said, tmp_path):
    for name in names:
        put(tmp_path / "in", name)
    with pytest.raises(ValueError, match=said):
        grading.grade(tmp_path / "in", tmp_path / "out")


def test_an_archive_in_the_place_of_the_folder_is_named(tmp_path):
    put(tmp_path, "class.zip")
    with pytest.raises(ValueError, match="class.zip is an archive: unpack it first"):
        grading.grade(tmp_path / "class.zip", tmp_path / "out")


def test_the_same_code_is_a_note_for_the_teacher_alone(tmp_path):
    put(tmp_path / "in", "Ada Lovelace.ipynb")
    put(tmp_path / "in", "Béla Bartók.ipynb", RIGHT.replace("hits, total = 0, Fraction(0)", "hits, total  =  0, Fraction(0)  # mine"))
    for name in ("Ada Byron", "Zoë O'Neil"):
        put(tmp_path / "in", f"{name}.ipynb", RIGHT.replace("hits", "found"))
    _, out = marks_of(tmp_path)
    told = {path.name: "the same code" in path.read_text(encoding="utf-8-sig") for path in out.iterdir()}
    assert told.pop("for-the-teacher.md") and not any(told.values())
    seen = [path.read_text(encoding="utf-8") for path in out.glob("*.html")]
    noted = (out / "for-the-teacher.md").read_text(encoding="utf-8")
    assert "the same code as the book's own solution: Ada Lovelace, Béla Bartók\n" in noted and "the same code: Ada Byron, Zoë O'Neil\n" in noted
    assert seen and not [text for text in seen for word in ("Lovelace", "uni.example", "101") if word in text]


@pytest.mark.parametrize("roster, said", [
    ("who,where\n1,2\n", "needs a column “name”"), ("", "needs a column “name”"),
    ("id,name\n1,Zo\xeb\n".encode("latin-1"), "is not text in UTF-8; in Excel, save it as"),
    ("id,name\n1,Ada\n1,Bob\n", "line 3 of .* repeats '1' of line 2"), ("id,name\n1,\n", "line 2 of .* has no name"),
])  # fmt: skip
def test_a_list_that_cannot_be_read_is_refused_in_words(roster, said, tmp_path):
    (tmp_path / "class.csv").write_bytes(roster if isinstance(roster, bytes) else roster.encode())
    with pytest.raises(ValueError, match=said):
        handed_in.read_roster(tmp_path / "class.csv")


def test_a_date_that_is_none_is_refused_in_words():
    with pytest.raises(ValueError, match="no date such as"):
        handed_in.moment("tomorrow")


def test_a_sheet_of_the_third_edition_is_still_graded(tmp_path):
    put(tmp_path / "in", "Ada Lovelace.ipynb", (ROOT / "tests" / "homework_of_the_third_edition.ipynb").read_text(encoding="utf-8"))
    rows, _ = marks_of(tmp_path)
    assert rows["Ada Lovelace"]["points"] == rows["Ada Lovelace"]["of"] == "10"
