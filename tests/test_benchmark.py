"""What `make bench` compares with and writes; the others are not needed for this."""

import re
import sys
from datetime import datetime

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
def test_dense_numpy_and_this_package_agree(relevance):
    relevance = relevance[(relevance == 0).any(axis=1)]
    assert benchmark.disagreements_of_numpy(relevance, "here") == []


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


class Failing:
    name, run, values = "someone", None, dict
    prepare = staticmethod(lambda relevance: 1 / 0)


def test_nothing_is_timed_or_written_after_a_disagreement(monkeypatch):
    monkeypatch.setattr(benchmark, "MATRICES", {"here": lambda: SMALL})
    monkeypatch.setattr(benchmark, "contestants", lambda: [Failing])
    monkeypatch.setattr(benchmark, "measure", None)
    monkeypatch.setattr(benchmark, "replace_between_markers", None)
    assert "someone: failed, here: ZeroDivisionError" in benchmark.main()


def test_a_missing_library_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "sklearn", None)
    monkeypatch.setitem(sys.modules, "sklearn.metrics", None)
    assert benchmark.main().startswith("sklearn.metrics is missing here. `make bench` installs")


@pytest.mark.parametrize("number, text", [(0.06931, "0.0693"), (0.997, "0.997"), (1.0, "1.00"), (46.43, "46.4"), (900.4, "900"), (9.999, "10.0"),
                                          (1367, "1,370"), (999.9, "1,000"), (0.0, "0"), (None, "–")])
def test_numbers_have_three_figures(number, text):
    assert benchmark.digits(number) == text


def times(section):
    """The milliseconds in the first table of a section of the page, by name, as they are printed."""
    after = generated(benchmark.PAGE).partition(section)[2].partition("\n#")[0]
    rows = [[cell.strip() for cell in line.strip("| ").split("|")] for line in after.splitlines() if line.startswith("|")][2:]
    return {row[0]: row[2] for row in rows}


def test_the_readme_and_the_page_are_of_one_run():
    page, readme = generated(benchmark.PAGE), generated(benchmark.README)
    day = re.match(r"\s*(\d+ \w+ \d{4}), ", page)[1]
    assert datetime.strptime(day, "%d %B %Y") and f"Measured on {day} on " in readme
    tables = times("## The short answer"), times(f"### {benchmark.TEN}"), times("## From names")
    assert list(tables[0]) == list(benchmark.MAIN)
    assert benchmark.readme_sentences(*tables) == readme.strip().splitlines()[:-1]


def test_the_tables_are_narrow():
    for line in generated(benchmark.PAGE).splitlines():
        assert not line.startswith("|") or line.count("|") <= 6, line
