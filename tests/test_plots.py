"""A picture shows the numbers that the package computes, and says what they are."""

import doctest
import re
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import kendalltau

import metrics
from metrics import plots

README = Path(__file__).resolve().parents[1] / "README.md"
RANDOM = np.random.default_rng(0)
RUNS = {name: (RANDOM.random(30) + shift).tolist() for name, shift in (("low", 0), ("high", 0.5), ("middle", 0.2))}


def test_systems_stand_with_their_intervals_and_letters():
    ax, board = plots.systems(RUNS, undefined=0, of="users"), metrics.leaderboard(RUNS, undefined=0)
    drawn = [tuple(line.get_xdata()) for line in ax.lines]
    assert drawn[::2] == list(zip(board.low, board.high)) and [x for (x,) in drawn[1::2]] == board.mean
    assert [text.get_text() for text in ax.texts] == board.letters and [label.get_text() for label in ax.get_yticklabels()] == board.names
    assert ax.get_xlabel().startswith("mean over 30 users, 95% interval")


def test_differences_have_their_mean():
    two = {name: RUNS[name] for name in ("high", "low")}
    ax, found = plots.differences(two, undefined=0), metrics.compare(*two.values(), test="randomisation", undefined=0)
    assert ax.get_title("left") == f"mean {found.difference:.2f} (95% interval {found.low:.2f} to {found.high:.2f})"
    assert sum(steps.get_data().values.sum() for steps in ax.patches[:2]) == pytest.approx(30 * found.difference)
    assert [text.get_text() for text in ax.texts] == [f"high is higher on {found.won}", f"low is higher on {found.lost}"]


def test_measures_agree_as_scipy_says():
    names = ["a", "b", "c", "flat"]
    values = np.column_stack([RANDOM.integers(0, 4, (9, 3)), np.ones(9)])
    ax = plots.agreement({f"system {row}": dict(zip(names, each)) for row, each in enumerate(values.tolist())})
    said = {text.get_position(): text.get_text() for text in ax.texts}
    assert said == {(x, y): f"{kendalltau(values[:, x], values[:, y]).statistic:.2f}" for x in range(3) for y in range(3)}


def test_fewer_topics_agree_less_with_all():
    shares = plots.reliability(RUNS, undefined=0, samples=400).lines[0].get_ydata()
    alone = [np.mean([(1 + np.sign(one - other) * np.sign(np.sum(np.subtract(RUNS[a], RUNS[b])))) / 2 for one, other in zip(RUNS[a], RUNS[b])])
             for a, b in (("low", "high"), ("low", "middle"), ("high", "middle"))]  # fmt: skip
    assert shares[0] == pytest.approx(np.mean(alone), abs=0.05) and shares[-1] == 1 and shares[0] < shares[3] < 1


def test_a_curve_is_the_mean_of_the_curves():
    rankings, ax = [[0, 1, 1, 0], [1, 0, 0, 1], [0, 0, 0, 0]], None
    ax = plots.precision_recall({"one": rankings, "two": rankings[::-1]}, levels=5, ax=ax)
    assert ax.lines[0].get_ydata().tolist() == [np.mean([metrics.interpolated_precision(r, level) for r in rankings[:2]]) for level in ax.lines[0].get_xdata()]
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["one", "two"] and ax.get_ylabel() == "mean interpolated precision"


def test_the_picture_of_the_readme_is_drawn(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    [example] = [text for text in re.findall(r"^```python\n(.*?)^```", README.read_text(encoding="utf-8"), re.M | re.S) if "savefig" in text]
    exec("import metrics\n" + "".join(each.source for each in doctest.DocTestParser().get_examples(example)))
    assert Path("new-old.svg").read_text(encoding="utf-8").count("<path") > 10


@pytest.mark.parametrize("call, words", [
    (lambda: plots.differences(RUNS, undefined=0), "runs: got 3 systems, expected two"),
    (lambda: plots.systems([1], undefined=0), r"runs: got \[1\], expected a mapping of names"),
    (lambda: plots.reliability({"a": [1, 2], "b": [2, 1]}, undefined=0), "runs: got systems with equal means"),
    (lambda: plots.precision_recall({}), "systems: got a dict of 0"),
    (lambda: plots.precision_recall({"a": [1, 0]}, levels=1), "levels: got 1, expected one whole number >= 2"),
])  # fmt: skip
def test_what_cannot_be_drawn_is_said(call, words):
    with pytest.raises(ValueError, match=f"^{words}"):
        call()
