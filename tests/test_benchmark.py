"""What `make bench` compares with and writes; the others are not needed for this."""

import re
import sys
from datetime import datetime
from functools import partial

import numpy as np
import pytest

from tools import benchmark

SMALL = benchmark.matrix(300, 150, benchmark.between(1, 40))


def generated(path):
    """What stands between the markers of a file."""
    [text] = re.findall(f"{benchmark.BEGIN}\n(.*?)\n{benchmark.END}", path.read_text(encoding="utf-8"), re.DOTALL)
    return text


def test_the_others_are_not_imported():
    assert not {"ranx", "numba"} & sys.modules.keys()


@pytest.mark.parametrize("relevance", [SMALL, SMALL[:1], SMALL[:, :8] | np.eye(8, dtype=np.uint8)[0]], ids=["batch", "one", "short"])
def test_whoever_needs_numpy_alone_agrees_from_everything(relevance):
    relevance = relevance[(relevance == 0).any(axis=1)]
    expected, courses = benchmark.dense(relevance), {course.name: course for course in benchmark.courses()}
    ways = {name: [courses[name].ours] for name in courses}
    ways["a 0/1 matrix"] += [partial(benchmark.in_blocks, way) for way in (benchmark.dense, benchmark.dense_six)]
    ways["ids, small numbers"] += [benchmark.marked]
    ways["scores, unsorted"] += [action for who, (action, _) in courses["scores, unsorted"].others.items() if who.startswith("argsort")]
    for name, actions in ways.items():
        for action in actions:
            assert benchmark.disagreements("someone", action(courses[name].make(relevance)), expected, name) == []


def test_the_run_file_holds_the_same_rankings(tmp_path):
    benchmark.write_files(SMALL, tmp_path / "run.txt", tmp_path / "qrels.txt")
    expected = {theirs: benchmark.dense(SMALL)[name].mean() for name, theirs in benchmark.TREC_NAMES.items()}
    for read in (benchmark.file_ours, benchmark.file_pytrec_eval):
        assert benchmark.disagreements("someone", read(str(tmp_path / "qrels.txt"), str(tmp_path / "run.txt")), expected, "here") == []


@pytest.mark.parametrize("name", benchmark.METRICS)
def test_a_disagreement_is_named_with_its_place(name):
    expected = benchmark.from_matrix(SMALL)
    other = expected | {name: expected[name].copy()}
    other[name][7] += 1e-8
    [found] = benchmark.disagreements("someone", other, expected, "here")
    assert found.startswith(f"someone: {name}, here: query 7 is ") and "1 of 300" in found
    other[name][7] = np.nan
    assert len(benchmark.disagreements("someone", other, expected, "here")) == 1
    assert benchmark.disagreements("someone", {name: expected[name][:5]}, expected, "here")
    assert benchmark.disagreements("someone", {name: expected[name].mean() + 1e-8}, expected, "here")
    assert not benchmark.disagreements("someone", {name: expected[name].mean()}, expected, "here")


def failing(*_):
    raise ZeroDivisionError("theirs")


def test_nothing_is_timed_or_written_after_a_disagreement(monkeypatch):
    alone = benchmark.Course("here", lambda relevance: relevance, benchmark.from_matrix, benchmark.EIGHT, {"someone": (failing, benchmark.EIGHT)})
    monkeypatch.setattr(benchmark, "QUERIES", 50)
    monkeypatch.setattr(benchmark, "check_others", lambda: None)
    monkeypatch.setattr(benchmark, "courses", lambda: [alone])
    monkeypatch.setattr(benchmark, "measure", None)
    monkeypatch.setattr(benchmark, "replace_between_markers", None)
    assert "someone: failed, here, 1 relevant: ZeroDivisionError('theirs')" in benchmark.main()


def test_nothing_is_published_from_a_busy_machine(monkeypatch, capsys):
    class Busy:
        share = staticmethod(lambda: 0.5)

    monkeypatch.setattr(benchmark, "QUERIES", 50)
    monkeypatch.setattr(benchmark, "check_others", lambda: None)
    monkeypatch.setattr(benchmark, "courses", lambda: [])
    monkeypatch.setattr(benchmark, "Others", Busy)
    monkeypatch.setattr(benchmark, "measure", lambda *_: None)
    monkeypatch.setattr(benchmark, "report", lambda *_: "the tables")
    monkeypatch.setattr(benchmark, "replace_between_markers", None)
    assert benchmark.main().startswith("Nothing is published: something else used 50 per cent of a core meanwhile")
    assert "the tables" in capsys.readouterr().out


def test_all_take_turns():
    turns = []
    costs = benchmark.in_turns({"one": lambda: turns.append(1), "other": lambda: turns.append(2)}, rounds=2)
    assert [len(each) for each in costs.values()] == [2, 2]
    assert [one for one, before in zip(turns, [0, *turns]) if one != before] == [1, 2] * 3


def test_a_missing_library_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "ranx", None)
    assert benchmark.main().startswith("ranx is missing here. `make bench` installs")


@pytest.mark.parametrize("number, text", [(0.06931, "0.0693"), (0.997, "0.997"), (1.0, "1.00"), (46.43, "46.4"), (900.4, "900"), (9.999, "10.0"),
                                          (1367, "1,370"), (999.9, "1,000"), (0.0, "0"), (None, "–")])
def test_numbers_have_three_figures(number, text):
    assert benchmark.digits(number) == text


def test_the_readme_and_the_page_are_of_one_run():
    page, readme = generated(benchmark.PAGE), generated(benchmark.README)
    day = re.match(r"\s*(\d+ \w+ \d{4}), ", page)[1]
    assert datetime.strptime(day, "%d %B %Y") and f"Measured on {day} on " in readme
    short_answer = page.partition("## The short answer\n\n")[2].partition("\n\n## ")[0]
    assert short_answer and readme.strip().startswith(short_answer)


def test_the_tables_are_narrow():
    for line in generated(benchmark.PAGE).splitlines():
        assert not line.startswith("|") or line.count("|") <= 6, line
