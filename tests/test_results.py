"""What an evaluation gives knows its topics, its systems and its rule; tables and pictures show the same numbers; totals are exact however they merge."""

import csv
import doctest
import io
import json
import math
import pickle
import re
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy.stats import kendalltau

import metrics
from metrics import LogTotal, Total, plots, trec
from metrics.names.measures import evaluate

TOPICS = ["q1", "q2", "q3", "q4"]
OLD, NEW = [[0, 1, 1], [1, 0, 0], [0, 0, 0], [0, 0, 1]], [[1, 0, 1], [1, 0, 0], [0, 0, 0], [0, 1, 0]]
FOUND = evaluate({"=old": OLD, "new|": NEW}, "AP P@1 MeanRank NumRelRet", topics=TOPICS, undefined=0)


def test_two_systems_are_compared_topic_by_topic():
    turned = evaluate(OLD[::-1], "AP", topics=TOPICS[::-1])
    both = trec.Results({"new": FOUND["new|"], "old": turned})
    found = both.compare("new", "old", "AP", undefined=0, of="queries")
    plain = metrics.compare(evaluate(NEW, "AP")["AP"], evaluate(OLD, "AP")["AP"], test="randomisation", undefined=0, of="queries")
    assert found == replace(plain, names=("new", "old")) and str(found).startswith("Over 4 queries ") and "lower on 0 and" in str(found)
    assert both.leaderboard("AP", undefined=0).n == 4 and both.rule(None) == "raise"


@pytest.mark.parametrize("missing, n, mean", [("skip", 2, 0.75), (0, 4, 0.75 * 2 / 4)])
def test_a_topic_that_one_system_lacks_is_an_error_unless_somebody_says_what_it_counts(missing, n, mean):
    run = {"a": {"q1": {"x": 2, "y": 1}, "q2": {"x": 1}, "q3": {"x": 1}}, "b": {"q1": {"y": 1}, "q2": {"z": 1, "x": 0.5}, "q4": {"x": 1}}}
    qrels = {topic: {"x": 1} for topic in TOPICS}
    found = trec.evaluate(qrels, run, "AP RR", undefined="skip")
    with pytest.raises(ValueError, match=r"^a: got no value for 1 topic \('q4'\), expected the topics of the others"):
        found.compare("a", "b", "AP")
    compared = found.compare("a", "b", "RR", missing=missing)
    assert (compared.n, compared.mean_b) == (n, 0.25 if missing == "skip" else 0.375) and found.topic("q2")["b"]["RR"] == 0.5
    assert found["a"].missing == ("q4",) and "a lacks 1 judged" in repr(found)


def test_a_mean_has_its_interval_and_its_rule():
    board = FOUND.leaderboard("AP")
    for name, mean, low, high in zip(board.names, board.mean, board.low, board.high):
        its = FOUND[name].interval("AP")
        assert (its.mean, its.n, its.skipped) == (pytest.approx(mean), 4, 0) and (its.low, its.high) == pytest.approx((low, high))
        assert FOUND[name].interval("AP", undefined="skip").skipped == 1 and str(its).startswith(f"{its.mean:.2f} (95% bootstrap interval ")
    assert FOUND.mean()["=old"]["AP"] == pytest.approx(metrics.mean(evaluate(OLD, "AP")["AP"], undefined=0)) and FOUND.mean()["=old"]["NumRelRet"] == 4


SEEDS = evaluate({"a1": OLD, "a2": NEW, "b": NEW[::-1]}, "AP MeanRank NumRelRet", topics=TOPICS, undefined=0)


def test_seeds_are_averaged_topic_by_topic_and_a_comparison_counts_topics():
    both = SEEDS.average_seeds({"a": ["a2", "a1"], "b": ("b",)})
    for measure in SEEDS.measures:
        np.testing.assert_array_equal(both["a"][measure], (SEEDS["a1"][measure] + SEEDS["a2"][measure]) / 2)
        np.testing.assert_array_equal(both["b"][measure], SEEDS["b"][measure])
    assert both.compare("a", "b", "AP").n == 4 and both["a"].topics == tuple(TOPICS) and both["a"].name == "a"
    assert both["a"].mean()["NumRelRet"] == 4 and both.leaderboard("MeanRank", undefined=3).names == ["b", "a"]
    without_ids = metrics.evaluate({"x": OLD, "y": NEW}, "AP").average_seeds({"xy": ["x", "y"]})["xy"]
    assert without_ids.topics == (0, 1, 2, 3) and not without_ids.named
    turned = trec.Results({"x": evaluate(OLD, "AP", topics=TOPICS), "y": evaluate(NEW[::-1], "AP", topics=TOPICS[::-1])})
    assert turned.average_seeds({"a": ["x", "y"]}).mean(undefined=0)["a"]["AP"] == both.mean()["a"]["AP"]


@pytest.mark.parametrize("rule, values", [("skip", [1, math.nan, math.nan]), (3, [1, 2, math.nan])])
def test_what_is_undefined_for_some_seeds_counts_what_somebody_says(rule, values):
    """Of topic b the first seed finds something at rank 1, the second nothing; of c neither does."""
    found = evaluate({"s1": [[1, 0], [1, 0], [0, 0]], "s2": [[1, 0], [0, 0], [0, 0]]}, "MeanRank", topics=list("abc"))
    np.testing.assert_array_equal(found.average_seeds({"s": ["s1", "s2"]}, undefined=rule)["s"]["MeanRank"], values)
    with pytest.raises(ValueError, match="^MeanRank of s, in some seeds: got 0/0 for topic 'b', expected a value"):
        found.average_seeds({"s": ["s1", "s2"]})


def test_folds_are_joined():
    folds = trec.Results({"f1": evaluate(OLD[2:], "AP", topics=TOPICS[2:], undefined=0), "f2": evaluate(OLD[:2], "AP", topics=TOPICS[:2], undefined=0)})
    joined = folds.join_folds({"old": ["f1", "f2"]})
    assert trec.Results(joined | {"new": FOUND["new|"]}).compare("new", "old", "AP").p == FOUND.compare("new|", "=old", "AP").p
    qrels = {topic: {"x": 1} for topic in TOPICS}
    runs = trec.evaluate(qrels, {"f1": {"q1": {"x": 1}}, "f2": {"q3": {"y": 1}, "q9": {"x": 1}}}, "RR map")
    its = runs.join_folds({"f": ["f1", "f2"]})["f"]
    assert (its.queries, its.missing, its.unjudged, its.mean()) == (("q1", "q3"), ("q2", "q4"), ("q9",), {"RR": 0.5, "map": 0.5})


def test_an_export_is_read_and_compared_with_what_is_found_today(tmp_path):
    path = tmp_path / "old.csv"
    for exported in (FOUND, FOUND["=old"]):
        exported.to_csv(path)
        read = trec.read_results(path, undefined=0)
        for name, its in read.items():
            today = FOUND[name if name in FOUND else "=old"]
            assert its.queries == today.queries and repr(its.mean()) == repr(today.mean()) and repr(its.by_query()) == repr(today.by_query())
            assert trec.Results({"then": its, "now": today}).compare("then", "now", "AP").tied == 4
            assert (its.lower, its.no_mean) == (today.lower, today.no_mean) and trec.Results({name: its}).to_csv() == trec.Results({name: today}).to_csv()
    assert list(read) == ["old"] and list(trec.read_results(path).average_seeds({"x": ["old"]})) == ["x"]
    path.write_text("topic,num_rel,mine\n7,2,0.5\n8,3,\n", encoding="utf-8-sig")
    assert trec.read_results(path, topic=int, undefined="skip")["old"].mean() == {"num_rel": 5, "mine": 0.5}
    path.write_text("topic,measure,a,b\n1,AP,0.5,\n1,P@1,1,\n2,AP,,0.25\n2,P@1,0,1\nall,AP,9,9\nall,P@1,9,9\n")
    printed = trec.read_results(path)
    assert (printed["a"].queries, printed["b"].queries, printed["a"].by_query()["2"]["P@1"]) == (("1", "2"), ("2",), 0)
    path.write_text("topic,measure,a\nall,AP,0.5\n1,AP,1\nall,AP,0.75\n")  # a topic has the name of the means
    assert trec.read_results(path)["a"].by_query() == {"all": {"AP": 0.5}, "1": {"AP": 1}}


def test_it_is_known_of_which_measures_a_lower_value_is_better():
    assert FOUND.leaderboard("MeanRank", undefined=3).names == ["new|", "=old"] == FOUND.leaderboard("AP").names


def test_every_table_holds_the_numbers(tmp_path):
    path = tmp_path / "old.csv"
    values = {name: its.by_query() for name, its in FOUND.items()}
    rows = list(csv.reader(io.StringIO(FOUND.to_csv())))
    assert rows[0] == ["system", "topic", *FOUND.measures] and rows[1][0] == "'=old" and rows[3][2] == ""
    cells = [[name, topic, *its.values()] for name, each in values.items() for topic, its in each.items()]
    assert [[row[0].lstrip("'"), row[1], *(str(float(x or "nan")) for x in row[2:])] for row in rows[1:]] == [list(map(str, row)) for row in cells]
    assert json.loads(FOUND.to_json())["new|"]["q3"] == {"AP": None, "P@1": 0, "MeanRank": None, "NumRelRet": 0}
    for library in ("pandas", "polars"):
        frame = FOUND.to_frame(library)
        assert list(frame["topic"]) == TOPICS * 2 and list(map(str, frame["AP"].to_list())) == [str(row[2]) for row in cells]
        assert list(FOUND["=old"].to_frame(library).columns) == ["topic", *FOUND.measures]
    shown = ["0.479", "0.250", "1.625", "4"]
    assert FOUND.to_markdown().split("\n")[2:] == [f"| =old | {' | '.join(shown)} |", r"| new\| | 0.583 | 0.500 | 1.250 | 4 |"]
    assert f"=old & {' & '.join(shown)} \\\\" in FOUND.to_latex() and "0.479$^{a}$ & 0.250$^{a}$ & 1.625$^{a}$ & 4 " in FOUND.to_latex(letters=True)
    assert "<td>0.479</td>" in FOUND._repr_html_() and '<th scope="row">new|</th>' in FOUND._repr_html_()
    assert FOUND["=old"].to_csv(path) == path.read_text()[:-1] and path.read_text().startswith("topic,AP,P@1,MeanRank,NumRelRet\nq1,")
    assert repr(pickle.loads(pickle.dumps(FOUND))) == repr(FOUND) and "Means over 4 topics; 0/0 counts as 0." in repr(FOUND["=old"])
    left_out = metrics.evaluate([[0, 0], [1, 0]], "nDCG@5 Success@5", undefined="skip")
    assert repr(left_out).endswith("Means over 2 topics; 0/0 is left out, nDCG@5 is over 1.")


FINITE = st.floats(allow_nan=False, allow_infinity=False)
VALUES = st.lists(st.one_of(FINITE, st.just(math.nan), st.sampled_from([0.1, 1 / 3, 1e16, -1e16, 5e-324])), max_size=12)
SHARES = st.lists(st.one_of(st.floats(0, 1), st.just(math.nan)), max_size=12)
INFINITE = st.lists(st.sampled_from([math.inf, -math.inf]), max_size=2)
STAND_INS = st.sampled_from(["skip", 0, 1, 0.25, Fraction(1, 3), math.inf, -math.inf])


def merged(totals, data):
    """One total, by merging any two until one is left."""
    while len(totals) > 1:
        one, other = (totals.pop(data.draw(st.integers(0, len(totals) - 1))) for _ in "ab")
        totals.append(one + other)
    return totals[0]


@given(VALUES, st.data())
def test_a_total_does_not_know_the_partition_the_order_or_the_tree(values, data):
    shuffled, ends = data.draw(st.permutations(values)), sorted(data.draw(st.lists(st.integers(0, len(values)), max_size=4)))
    pieces = [shuffled[a:b] for a, b in zip([0, *ends], [*ends, len(values)])]
    known = [x for x in values if not math.isnan(x)]
    exact = sum(map(Fraction, known), Fraction(0))
    total = merged(list(map(Total.of, pieces)), data)
    assert total == Total(len(known), len(values) - len(known), exact)
    mean = total.mean(undefined="skip")
    assert mean == float(exact / len(known)) if known else math.isnan(mean), "it is rounded once"
    assert merged([LogTotal.of(np.abs(piece)) for piece in pieces], data) == LogTotal.of(np.abs(values))


@given(SHARES, INFINITE, STAND_INS, st.sampled_from([0, 1e-5, 0.5, 2]))
def test_the_means_of_the_package_are_the_same_but_for_rounding(shares, infinite, undefined, floor):
    both, values = dict(rel=1e-11, abs=1e-300, nan_ok=True), infinite + shares
    assert Total.of(values).mean(undefined=undefined) == pytest.approx(metrics.mean(values, undefined=undefined), **both)
    for lifted, standing_in in ((None, "skip" if undefined == -math.inf else undefined), (floor, "skip")):
        expected = metrics.geometric_mean(shares, undefined=standing_in, floor=lifted)
        assert math.isinf(expected) or LogTotal.of(shares, lifted).mean(undefined=standing_in) == pytest.approx(expected, **both)


def test_sums_beyond_the_floats_of_the_smallest_of_them_and_of_arrays_and_means_over_weights():
    assert Total.of([1.7e308] * 5).mean(undefined="raise") == 1.7e308 and Total.of([1.7e308] * 5).sum == 5 * Fraction(1.7e308)
    assert Total.of(np.full((3, 4), 0.1)).sum == 12 * Fraction(0.1) and Total.of([math.inf, -math.inf]) == Total.of([math.inf]) + Total.of([-math.inf])
    assert LogTotal.of([0, 4]).mean(undefined="raise") == 0
    values, weights = np.array([0.1, 0.7, 0.4]), np.array([1.0, 2.0, 4.0])
    assert Total.of(values * weights).per(Total.of(weights)) == pytest.approx(np.average(values, weights=weights))
    assert math.isnan(Total().per(Total())) and math.isnan(Total.of([math.nan]).per(Total.of([2])))
    assert Total.of([-1e308]).per(Total.of([1e-308])) == -math.inf


# ---- Pictures ---------------------------------------------------------------------------------------------

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
    p = "p < 0.001" if found.p < 0.001 else f"p = {found.p:.3f}"
    assert ax.get_title("left") == f"mean {found.difference:.2f} (95% interval {found.low:.2f} to {found.high:.2f}), {p}"
    few = plots.differences({"new": {"q1": 0.2, "q2": 0.9}, "old": {"q2": 0.1, "q1": 0.3}}, undefined=0)
    assert [label.get_text() for label in few.get_xticklabels()] == ["q2", "q1"]
    assert not plots.differences({"new": [0.2, 0.9], "old": [0.3, 0.1]}, undefined=0).get_xticks().size
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


@pytest.mark.parametrize("text, words", [
    ("", ", line 1: got '', expected a CSV with each topic"), ("group,measure,a\nx,AP,1", ", line 1: got 'group,measure,a', expected a CSV with"),
    ("topic,AP,AP\n1,2,3", ", line 1: got 'AP' a second time"), ("topic,AP\n1,2,3", ", line 2: got 3 columns, expected 2"),
    ("topic,AP\n1,2\n1,3", ", line 3: got topic '1' a second time"), ("topic,AP\n1,1_0", ", line 2: got '1_0', expected a number"),
    ("topic,measure,a\nall,AP,1", ": got no topic, expected a CSV with each topic"), ("topic,AP\nx\0,\xff", ": got invalid CSV"),
    ("topic,AP\n1,\n2,", ": got no value for old, expected a CSV with each topic"),
])  # fmt: skip
def test_a_wrong_export_is_named(text, words, tmp_path):
    path = tmp_path / "old.csv"
    path.write_bytes(text.encode("latin-1"))
    with pytest.raises(ValueError, match=f"^{re.escape(str(path) + words)}"):
        trec.read_results(path)
    path.write_text("topic,AP\nq1,1")
    with pytest.raises(ValueError, match=r"line 2: got the topic 'q1', expected a topic that int accepts$"):
        trec.read_results(path, topic=int)
    for odd, of in (({"path": None}, "path: got None"), ({"path": path, "topic": 3}, "topic: got 3"),
                    ({"path": path, "topic": {}.__getitem__}, f"{path}, line 2")):
        with pytest.raises(ValueError, match=f"^{re.escape(of)}"):
            trec.read_results(**odd)


def test_what_is_no_table_is_printed_as_it_is():
    one, none = evaluate({"A": [1, 0], "B": [0, 1]}, "RR"), evaluate(np.zeros((0, 3)), "RR")
    assert repr(one) == "{'A': {'RR': np.float64(1.0)}, 'B': {'RR': np.float64(0.5)}}" and one._repr_html_() is None
    assert "nan" in repr(none) and "over 0 topics" in repr(none) and "nan" in none.to_markdown()


def test_names_are_shown_whatever_they_are_and_do_nothing():
    named = evaluate({0: [[0, 1], [1, 0]], "\x1b[2J": [[1, 0], [1, 0]], "_c": [[1, 0], [0, 1]]}, "RR", undefined=0)
    pair, board = named.compare("\x1b[2J", "_c", "RR"), named.leaderboard("RR")
    shown = [repr(named), named._repr_html_(), named.to_markdown(), str(pair), str(board), repr(trec.Results())]
    assert all("x1b" in each for each in shown[:-1]) and "\x1b" not in "".join(shown)
    drawn = plots.precision_recall({"_c": [[0, 1], [1, 0]], "new": [[1, 0], [1, 0]]})
    assert [text.get_text() for text in drawn.get_legend().get_texts()] == [" _c", "new"]
    board = plots.systems({r"a$\foo$": [1, 0], "b\t": [0, 1]}, undefined=0)
    board.figure.canvas.draw()
    assert [label.get_text() for label in board.get_yticklabels()] == [r"a\$\foo\$", r"b\t"]


@pytest.mark.parametrize("call, words", [
    (lambda: evaluate({"x": metrics.Hits.from_ids(rankings={0: ["a"]}, relevant={0: ["a"]}), "y": [[1]]}, "RR").compare("x", "y", "RR"),
     "y: got values of topics without ids, expected ids, as x has them"),
    (lambda: evaluate({1: ["a"], "1": ["b"]}, "AP", qrels={1: ["a"], "1": ["a"]}).to_json(), "to_json: got 1 beside '1', which are the same in JSON"),
    (lambda: evaluate({1: ["a"], "b": ["b"]}, "AP", qrels={1: ["a"], "b": ["a"]}).to_frame("polars"), "topics: got ids that polars cannot put into a column"),
    (lambda: plots.reliability({"a": [1, 2]}, undefined=0), "runs: got 1 systems, expected two or more"),
    (lambda: FOUND.to_csv(1), "path: got 1, expected the path of a file"),
    (lambda: evaluate({"x": [1, -1]}, "AP"), r"relevance\['x'\]: relevance: got -1.0"),
    (lambda: evaluate({"x": OLD, "y": OLD[:2]}, "AP"), r"relevance\['y'\]: got 2 rankings, expected as many as relevance\['x'\] has, 4"),
    (lambda: evaluate([0, 1], "AP", topics=["a", "b"]), r"topics: .* of shape \(\)"),
    (lambda: FOUND["=old"].topic("q9"), "topic: got 'q9', expected one of the 4, such as 'q1'"),
    (lambda: evaluate([0, 1], "AP").by_query(), "results: got values of one ranking"),
    (lambda: SEEDS.average_seeds({"a": []}), "seeds.'a'.: got no seeds, expected seeds of one level"),
    (lambda: SEEDS.average_seeds(["a1", "a2"]), r"seeds: got \['a1', 'a2'\], expected a mapping of each system"),
    (lambda: SEEDS.join_folds({"a": ["a1", "a2"]}), "a2: got topic 'q1', which a1 has, too, expected folds with different topics"),
    (lambda: FOUND.to_frame([]), r"library: got \[\], expected 'pandas' or 'polars'"),
    (lambda: plots.agreement({"a": {"AP": 1}, "b": {"RR": 1}}), r"means\['b'\]: got {'RR': 1}, expected a mapping of the measures 'AP'"),
    (lambda: trec.Results({name: evaluate([[1]], "RR", topics=[name]) for name in "\x1bb"}).of("RR"), r"\\x1b: got no value"),
    (lambda: FOUND.leaderboard("AP", missing="no"), "missing: got 'no', expected 'raise' or 'skip'"),
    (lambda: FOUND["=old"].interval("NumRelRet"), "measure: got 'NumRelRet', whose value for all topics is not a mean"),
    (lambda: evaluate(OLD, "AP").mean(), "AP: got 0/0 for topic 2, expected a value for each topic"),
    (lambda: FOUND.compare("=old", "new|", "AP", undefined="raise"), "AP of =old: got 0/0 for topic 'q3', expected a value for each topic"),
    (lambda: FOUND.leaderboard("AP", undefined="raise"), "AP of =old: got 0/0 for topic 'q3', expected a value for each topic"),
    (lambda: plots.differences(RUNS, undefined=0), "runs: got 3 systems, expected two"),
    (lambda: plots.reliability({"a": [1, 2], "b": [2, 1]}, undefined=0), "runs: got systems with equal means"),
    (lambda: plots.precision_recall({"a": [1, 0]}, levels=1), "levels: got 1, expected one whole number >= 2"),
])  # fmt: skip
def test_what_cannot_be_answered_or_drawn_is_said(call, words):
    with pytest.raises(ValueError, match=f"^{words}"):
        call()


def test_sums_are_shown_as_sums_and_what_is_undefined_in_one_system_is_said():
    found = evaluate({"a": [[0, 0], [1, 0]], "b": [[1, 0], [1, 1]]}, "AP NumRelRet")
    assert "nan: 0/0 for some topic" in found.note() and re.search(r"a +nan +1\nb +1.000 +3\n", str(found))
    with pytest.raises(ValueError, match="^measure: got 'RR', expected one of AP, NumRelRet"):
        found["a"].interval("RR")
