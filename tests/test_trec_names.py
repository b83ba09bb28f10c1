"""Every name of trec_eval gives trec_eval's number, topic by topic and in the summary."""

from math import log

import numpy as np
import pytest
import pytrec_eval
from test_by_query import in_order

from metrics import Hits, trec_names

NAMES = trec_names.names_of("all_trec")


def a_topic(rng):
    """Judgements from -2 to 4, some of items that were not retrieved, and scores with ties."""
    items = [f"d{i}" for i in range(rng.integers(1, 40))]
    judged, found = rng.integers(1, len(items) + 1, 2)
    lowest, highest = rng.choice([-2, -1, 0, 0, 0, 1]), rng.integers(1, 5)
    grades = dict(zip(rng.permutation(items)[:judged].tolist(), rng.integers(lowest, highest + 1, judged).tolist()))
    if max(grades.values()) < 0:
        grades["never retrieved"] = 0  # a topic whose judgements are all negative can crash trec_eval
    scores = np.round(3 * rng.random(found), rng.integers(0, 3))
    return grades, dict(zip(rng.permutation(items)[:found].tolist(), scores.tolist()))


def ours(judged, scores, level, names, **version):
    hits = Hits.from_ids(rankings=[in_order(its, 9) for its in scores], relevant=judged)
    return trec_names.values(names, hits, level, **version)


ASKED = ["P.3,7", "ndcg_cut.1,23", "iprec_at_recall.0.25,0.75", "Rprec_mult.0.35,5", "success.2", "map_cut_2,4", "recall.2000", "relative_P_6"]


@pytest.mark.parametrize("level, asked", [(1, ["all_trec"]), (2, ["all_trec"]), (3, ["all_trec"]), (1, ASKED)])
def test_every_measure_of_two_thousand_topics(level, asked):
    rng = np.random.default_rng(level)
    judged, scores = zip(*(a_topic(rng) for _ in range(2000)))
    # trec_eval keeps what it made of the last topic: another name each time, so that it starts anew
    qrels, run = ({f"{i} of level {level}, {len(asked)}": values for i, values in enumerate(each)} for each in (judged, scores))
    theirs = pytrec_eval.RelevanceEvaluator(qrels, set(asked), relevance_level=level).evaluate(run)
    found = ours(judged, scores, level, trec_names.names_of(asked))
    assert found.keys() == next(iter(theirs.values())).keys() - {"runid", "relstring"}
    for name, values in found.items():
        expected = np.array([theirs[topic][name] for topic in qrels])
        np.testing.assert_allclose(values, expected, rtol=0, atol=1e-12, err_msg=name)
        if name.startswith(("num_", "P_", "recip_", "iprec_", "recall_", "success_", "Rprec", "utility")):  # no sums of fractions
            np.testing.assert_array_equal(values, expected, err_msg=name)
        whole = pytrec_eval.compute_aggregated_measure(name, expected)
        assert trec_names.summary(name, values) == pytest.approx(whole, rel=1e-12, abs=1e-12), name


def test_parameters_taken_together():
    """By their formulas: pytrec_eval does not pass them on."""
    judged, scores = [{"a": 1, "b": 2, "z": 1, "c": 0}], [{"x": 9, "a": 8, "c": 7, "b": 6, "d": 5}]
    found = ours(judged, scores, 1, ["utility_2,-1,0.5,0", "utility_0,0,0,1", "set_F_2", "11pt_avg_0,1.0"])
    assert {name: values[0] for name, values in found.items()} == pytest.approx({
        "utility_2,-1,0.5,0": 2 * 2 - 3 + 0.5, "utility_0,0,0,1": 2 - 5 - 3, "set_F_2": 3 * (2 / 5) * (2 / 3) / (2 * 2 / 5 + 2 / 3), "11pt_avg_0,1.0": 1 / 4
    })


def test_version_10_rounds_levels_of_recall_to_the_nearest():
    """By its source: the hit number round(level R), counting one at least."""
    judged = [dict.fromkeys("abcd", 1)]
    scores = [{"a": 9, "x": 8, "b": 7, "y": 6, "c": 5, "d": 4, "z": 3}]
    best = {0: 1, 1: 1, 2: 2 / 3, 3: 2 / 3, 4: 2 / 3}
    for version, hit in ((9, {0.1: 1, 0.3: 2, 0.6: 3, 0.8: 4}), (10, {0.1: 0, 0.3: 1, 0.6: 2, 0.8: 3})):
        names = {f"iprec_at_recall_{level:.2f}": best[j] for level, j in hit.items()}
        assert {name: values[0] for name, values in ours(judged, scores, 1, names, version=version).items()} == names


def test_a_topic_that_was_not_answered():
    """As trec_eval -c counts it: 0, its relevant items, and the least in a geometric mean."""
    found = ours([{"a": 1, "b": 0}], [{}], 1, [*NAMES, "utility_1,1,1,1"])
    not_0 = {name: values[0] for name, values in found.items() if values[0]}
    assert not_0 == {"num_q": 1, "num_rel": 1, "gm_map": log(1e-5), "gm_bpref": log(1e-5)}


def test_rbp_takes_a_grade_as_its_share_of_the_greatest():
    judged = Hits.from_ids(rankings=[["a", "b", "c"], ["a"]], relevant=[{"a": 1, "c": 0}, {"a": 1}])
    assert trec_names.value("rbp_resid", judged) == pytest.approx([1 - 0.1 - 0.1 * 0.9**2, 0])
    assert trec_names.value("rbp", Hits.from_ids(rankings=[["a", "b", "c"]], relevant=[{"a": 2, "c": 1}])) == pytest.approx([0.1 * (1 + 0.5 * 0.9**2)])


def test_names():
    assert trec_names.names_of("set")[-2:] == ["set_map", "set_F"]
    assert trec_names.names_of(["P.10,5", "P_5", "map", "map"]) == ["P_5", "P_10", "map"]
    assert trec_names.names_of("ndcg_cut.10,20,23.4 P_2.5") == ["ndcg_cut_10", "ndcg_cut_20", "ndcg_cut_23", "P_2"], "whole, as trec_eval has them"
    more = ["rbp", "rbp_resid", "unj_5", "unj_10", "unj_20"]
    assert trec_names.names_of("all_trec P_2", version=10) == [*NAMES, *more, "P_2"] and trec_names.names_of("set", version=10) == trec_names.names_of("set")
    assert trec_names.names_of("iprec_at_recall.0.125,.5 utility.2,-1,0,0") == ["iprec_at_recall_0.125", "iprec_at_recall_0.50", "utility_2,-1,0,0"]
    for name in [*NAMES, *trec_names.MEASURES, *trec_names.TOGETHER, "11pt_avg_0" + 98 * ",1"]:
        assert trec_names.is_name(name)
    for name in ("AP", "P@10", "MAP", "runid", "map_5", "", "P_0", "P_0.5", "P_-1", "utility_1,2", "set_F_1,2", 5, None, ["map"]):
        assert not trec_names.is_name(name)


@pytest.mark.parametrize("name, words", [
    ("maps", "got 'maps', expected a measure of trec_eval, such as map"), ("zzzz", "got 'zzzz', expected a measure of trec_eval, such as map or P_10"),
    ("ndcg_cut_0", "got 0, expected one whole number >= 1"), ("utility_1", "got 'utility_1', expected utility"),
])  # fmt: skip
def test_what_is_no_name_is_said(name, words):
    with pytest.raises(ValueError, match=f"^measures: {words}"):
        trec_names.names_of(name)
    with pytest.raises(ValueError, match="measures: got 'P', expected P_5 or P_10"):
        trec_names.value("P", Hits.from_ids(rankings=[["a"]], relevant=[{"a": 1}]))


def test_summary_and_print():
    assert trec_names.summary("P_5", [0.2, 0.4, 0.4]) == (0.2 + 0.4 + 0.4) / 3 and trec_names.summary("map", []) == 0
    assert [trec_names.printed(name, number) for name, number in (("num_ret", 12.0), ("map", 1 / 3), ("utility", -498))] == ["12", "0.3333", "-498.0000"]
    assert [name for name in NAMES if trec_names.only_in_summary(name)] == ["num_q", "gm_map", "gm_bpref"]
