"""What an evaluation gives knows its topics, its systems and its rule, and every table of it holds the same numbers."""

import csv
import io
import json
import pickle

import pytest

import metrics
from metrics import trec
from metrics.names.explanations import EXPLAINED
from metrics.names.measures import LOWER_IS_BETTER, OF_THE_RANKING, evaluate

TOPICS = ["q1", "q2", "q3", "q4"]
OLD, NEW = [[0, 1, 1], [1, 0, 0], [0, 0, 0], [0, 0, 1]], [[1, 0, 1], [1, 0, 0], [0, 0, 0], [0, 1, 0]]
FOUND = evaluate({"=old": OLD, "new|": NEW}, "AP P@1 MeanRank NumRelRet", topics=TOPICS, undefined=0)


def test_two_systems_are_compared_topic_by_topic():
    turned = evaluate(OLD[::-1], "AP", topics=TOPICS[::-1])
    both = trec.Results({"new": FOUND["new|"], "old": turned})
    found = both.compare("new", "old", "AP", undefined=0, of="queries")
    plain = metrics.compare(evaluate(NEW, "AP")["AP"], evaluate(OLD, "AP")["AP"], test="randomisation", undefined=0, of="queries")
    assert found == plain and str(found).startswith("Over 4 queries ") and "lower on 0 and" in str(found)
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
    with pytest.raises(ValueError, match="^missing: got 'no', expected 'raise' or 'skip'"):
        found.leaderboard("AP", missing="no")


def test_a_mean_has_its_interval_and_its_rule():
    board = FOUND.leaderboard("AP")
    for name, mean, low, high in zip(board.names, board.mean, board.low, board.high):
        its = FOUND[name].interval("AP")
        assert (its.mean, its.n, its.skipped) == (pytest.approx(mean), 4, 0) and (its.low, its.high) == pytest.approx((low, high))
        assert FOUND[name].interval("AP", undefined="skip").skipped == 1 and str(its).startswith(f"{its.mean:.2f} (95% bootstrap interval ")
    assert FOUND.mean()["=old"]["AP"] == pytest.approx(metrics.mean(evaluate(OLD, "AP")["AP"], undefined=0)) and FOUND.mean()["=old"]["NumRelRet"] == 4
    with pytest.raises(ValueError, match="^measure: got 'NumRelRet', whose number for all topics is no mean"):
        FOUND["=old"].interval("NumRelRet")
    with pytest.raises(ValueError, match="^values: got nan at position 2"):
        evaluate(OLD, "AP").mean()


def test_it_is_known_of_which_measures_a_lower_value_is_better():
    assert {name for name in EXPLAINED if EXPLAINED[name].rewards[0] == "↓" and name.partition("@")[0] in {*OF_THE_RANKING, "RankAtRecall"}} == {
        *LOWER_IS_BETTER - {"RankAtRecall"}, "RankAtRecall@r"}  # fmt: skip
    assert FOUND.leaderboard("MeanRank", undefined=3).names == ["new|", "=old"] == FOUND.leaderboard("AP").names


def test_every_table_holds_the_numbers():
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
    assert repr(pickle.loads(pickle.dumps(FOUND))) == repr(FOUND) and "Means over 4 topics; 0/0 counts 0." in repr(FOUND["=old"])


@pytest.mark.parametrize("call, words", [
    (lambda: evaluate({}, "AP"), "relevance: got 0 systems, expected a mapping"),
    (lambda: evaluate({"x": [1, -1]}, "AP"), r"relevance\['x'\]: relevance: got -1.0"),
    (lambda: evaluate(OLD, "AP", topics=["a"]), "topics: got 1 ids, expected one for each of the 4 rankings"),
    (lambda: evaluate([0, 1], "AP", topics=["a", "b"]), r"topics: .* of shape \(\)"),
    (lambda: evaluate(OLD, "AP", undefined="no"), "undefined: got 'no', expected one number that stands in"),
    (lambda: FOUND.compare("old", "new|", "AP"), "system: got 'old', expected one of '=old', 'new|'"),
    (lambda: FOUND.leaderboard("RR"), "measure: got 'RR', expected one of AP"),
    (lambda: FOUND["=old"].topic("q9"), "topic: got 'q9', expected one of the 4, such as 'q1'"),
    (lambda: evaluate([0, 1], "AP").by_query(), "results: got values of one ranking"),
    (lambda: metrics.compare([1, 2], [2, 1], test="sign", undefined=0, of="user"), "of: got 'user', expected what"),
])  # fmt: skip
def test_what_cannot_be_answered_is_said(call, words):
    with pytest.raises(ValueError, match=f"^{words}"):
        call()
