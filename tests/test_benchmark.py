"""What `make bench` compares with and writes; the others are not needed for this."""

import re
import sys
from datetime import datetime
from functools import partial

import numpy as np
import pytest

from tools import benchmark

SMALL = benchmark.matrix(300, 150, lambda rng, queries: rng.integers(1, 41, queries))


def generated(path):
    """What stands between the markers of a file."""
    [text] = re.findall(f"{benchmark.BEGIN}\n(.*?)\n{benchmark.END}", path.read_text(encoding="utf-8"), re.DOTALL)
    return text


def test_the_others_are_not_imported():
    assert not {"ranx", "numba"} & sys.modules.keys()


@pytest.mark.parametrize("relevance", [SMALL, SMALL[:1], SMALL[:, :8] | np.eye(8, dtype=np.uint8)[0]], ids=["batch", "one", "short"])
def test_whoever_needs_numpy_alone_agrees_from_everything(relevance):
    relevance = relevance[(relevance == 0).any(axis=1)]
    for course in benchmark.courses():
        alone = [action for who, (action, _) in course.others.items() if who.startswith(("dense", "a table of marks", "argsort"))]
        for action in [course.ours, *alone]:
            assert benchmark.disagreements("someone", action(course.make(relevance)), benchmark.dense(relevance), course.name) == []


def test_the_run_file_holds_the_same_rankings(tmp_path):
    benchmark.write_files(SMALL, tmp_path / "run.txt", tmp_path / "qrels.txt")
    expected = {theirs: benchmark.dense(SMALL)[name].mean() for name, theirs in benchmark.TREC_NAMES.items()}
    for read in (benchmark.file_ours, benchmark.file_pytrec_eval):
        assert benchmark.disagreements("someone", read(str(tmp_path / "qrels.txt"), str(tmp_path / "run.txt")), expected, "here") == []


def test_a_disagreement_is_named_with_its_place():
    expected = benchmark.from_matrix(SMALL)
    differ = partial(benchmark.disagreements, "someone", expected=expected, where="here")
    for name, right in expected.items():
        for wrong in (right[7] + 1e-8, np.nan):
            [found] = differ({name: np.where(np.arange(300) == 7, wrong, right)})
            assert found.startswith(f"someone: {name}, here: query 7 is ") and "1 of 300" in found
        assert differ({name: right[:5]}) and differ({name: right.mean() + 1e-8}) and not differ({name: right.mean()})


@pytest.fixture
def small(monkeypatch):
    """A run in which nothing may be published, measured only if a test says how."""
    changes = {"QUERIES": 50, "check_others": lambda: None, "courses": lambda: [], "measure": None, "replace_between_markers": None}
    for name, value in changes.items():
        monkeypatch.setattr(benchmark, name, value)
    return partial(monkeypatch.setattr, benchmark)


def test_nothing_is_timed_or_written_after_a_disagreement(small):
    def failing(_):
        raise ZeroDivisionError("theirs")

    small("courses", lambda: [benchmark.Course("here", lambda relevance: relevance, benchmark.from_matrix, benchmark.EIGHT, {"someone": (failing, ())})])
    assert "someone: failed, here, 1 relevant: ZeroDivisionError('theirs')" in benchmark.main()


def test_nothing_is_published_from_a_busy_machine(small, capsys):
    small("used_by_others", iter([0, 1e9]).__next__)
    small("measure", lambda *_: None)
    small("report", lambda *_: "the tables")
    assert re.match(r"Nothing is published: something else used \d+ per cent of a core meanwhile", benchmark.main())
    assert "the tables" in capsys.readouterr().out


def test_all_take_turns():
    turns = []
    costs = benchmark.in_turns({"one": lambda: turns.append(1), "other": lambda: turns.append(2)}, rounds=2)
    assert [len(each) for each in costs.values()] == [2, 2]
    assert [one for one, before in zip(turns, [0, *turns]) if one != before] == [1, 2] * 3


def test_a_missing_library_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "ranx", None)
    assert benchmark.main().startswith("ranx is missing here. `make bench` installs")


def test_numbers_have_three_figures():
    numbers = {0.06931: "0.0693", 0.997: "0.997", 1.0: "1.00", 46.43: "46.4", 900.4: "900", 9.999: "10.0", 1367: "1,370", 999.9: "1,000", 0.0: "0"}
    assert {number: benchmark.digits(number) for number in numbers} == numbers


def test_the_page_and_the_readme_are_of_one_run_and_the_tables_narrow():
    page, readme = generated(benchmark.PAGE), generated(benchmark.README)
    day = re.match(r"\s*(\d+ \w+ \d{4}), ", page)[1]
    assert datetime.strptime(day, "%d %B %Y") and f"Measured on {day} on " in readme
    short_answer = page.partition("## The short answer\n\n")[2].partition("\n\n## ")[0]
    assert short_answer and readme.strip().startswith(short_answer)
    assert all(line.count("|") <= 6 for line in page.splitlines() if line.startswith("|"))
