"""The conventions that hold for every function: input, shapes, undefined values, errors, nothing modified."""

import ast
import re
import subprocess
import sys
import warnings
from fractions import Fraction
from math import inf, isnan, nan
from pathlib import Path

import numpy as np
import pytest

import metrics
from metrics import Hits, premise_selection

WORKED = [0, 1, 0, 1, 1, 0]

# One call for each metric of a ranking: what a table of rankings is turned into.
OF_A_RANKING = {
    "hits_at": lambda r, **o: metrics.hits_at(r, 3),
    "precision_at": lambda r, **o: metrics.precision_at(r, 3),
    "success_at": lambda r, **o: metrics.success_at(r, 3),
    "recall_at": lambda r, **o: metrics.recall_at(r, 3, **o),
    "normalized_recall_at": lambda r, **o: metrics.normalized_recall_at(r, 3, **o),
    "f_score_at": lambda r, **o: metrics.f_score_at(r, 3, **o),
    "accuracy_at": lambda r, **o: metrics.accuracy_at(r, 3, **o),
    "r_precision": lambda r, **o: metrics.r_precision(r, **o),
    "precision_curve": lambda r, **o: metrics.precision_curve(r),
    "recall_curve": lambda r, **o: metrics.recall_curve(r, **o),
    "rank_at_recall": lambda r, **o: metrics.rank_at_recall(r, 0.5, **o),
    "precision_at_recall": lambda r, **o: metrics.precision_at_recall(r, 0.5, **o),
    "interpolated_precision": lambda r, **o: metrics.interpolated_precision(r, 0.5, **o),
    "average_precision": lambda r, **o: metrics.average_precision(r, **o),
    "average_precision_at": lambda r, **o: metrics.average_precision_at(r, 3, denominator="ideal", **o),
    "eleven_point_average_precision": lambda r, **o: metrics.eleven_point_average_precision(r, **o),
    "interpolated_average_precision": lambda r, **o: metrics.interpolated_average_precision(r, **o),
    "trapezoidal_area": lambda r, **o: metrics.trapezoidal_area(r, **o),
    "reciprocal_rank": lambda r, **o: metrics.reciprocal_rank(r),
    "mean_rank": lambda r, **o: metrics.mean_rank(r),
    "inversions": lambda r, **o: metrics.inversions(r),
    "auc": lambda r, **o: metrics.auc(r),
    "full_recall": lambda r, **o: metrics.full_recall(r, **o),
    "bpref": lambda r, **o: metrics.bpref(r, **o),
    "dcg": lambda r, **o: metrics.dcg(r, 3),
    "ndcg": lambda r, **o: metrics.ndcg(r, 3),
    "rank_biased_precision": lambda r, **o: metrics.rank_biased_precision(r, 0.8),
    "expected_reciprocal_rank": lambda r, **o: metrics.expected_reciprocal_rank(r, 3),
}
every_metric = pytest.mark.parametrize("metric", OF_A_RANKING.values(), ids=OF_A_RANKING.keys())


@pytest.fixture(autouse=True)
def no_warnings():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


@every_metric
def test_batches_of_any_leading_shape(metric):
    batch = np.random.default_rng(0).integers(0, 2, (3, 2, 5))
    one_by_one = [[metric(r) for r in rows] for rows in batch.tolist()]
    np.testing.assert_allclose(metric(batch), one_by_one, rtol=0, atol=1e-15)
    for shape in [(0, 5), (2, 0, 5), (3, 0), (0, 0), (0,)]:
        value = metric(np.zeros(shape))
        is_curve = np.shape(metric(WORKED)) == (6,)
        assert np.shape(value) == (shape if is_curve else shape[:-1])


@every_metric
def test_input_of_every_kind(metric):
    rows = [[0, 1, 0, 1, 1, 0, 0, 0, 1], [0, 0, 0, 0, 0, 0, 0, 1, 0], [0] * 9]
    expected = metric(rows)
    kinds = [np.array(rows, dtype) for dtype in ("u1", "?", "i1", "i8", "u8", "f2", "f4", "f8", ">f8", ">i4", "g")]
    kinds += [np.asfortranarray(kinds[0]), np.repeat(kinds[3], 2, axis=1)[:, ::2], tuple(map(tuple, rows)), Hits.from_relevance(rows)]
    kinds += [Hits.from_ranks([[2, 5, 4, 9], [8], []], 9), -0.0 + np.array(rows, float) * 1.0]
    for given in kinds:
        np.testing.assert_array_equal(metric(given), expected)


@every_metric
def test_one_ranking_gives_a_float64(metric):
    value = metric(WORKED)
    assert value.dtype == np.float64
    assert isinstance(value, np.float64) or value.shape == (6,)


@every_metric
def test_inputs_are_never_modified(metric):
    given, total = np.array([[0.0, 2, 1], [-0.0, 0, 0]]), np.array([2, 0])
    copies, total_copy = given.copy(), total.copy()
    given.setflags(write=False)
    hits = Hits.from_relevance(given)
    before = [array.copy() for array in (hits.row, hits.rank, hits.grade)]
    metric(given, n_relevant=total)
    metric(hits)
    assert np.array_equal(given, copies) and np.array_equal(np.signbit(given), np.signbit(copies))
    assert np.array_equal(total, total_copy)
    assert all(map(np.array_equal, (hits.row, hits.rank, hits.grade), before))


@every_metric
@pytest.mark.parametrize(
    "given, words",
    [
        ("0110", "the text '0110'"),
        (b"01", "the text b'01'"),
        ([["a", "b"]], "text, such as 'a'"),
        (5, "the single value 5"),
        (np.float64(1), "the single value 1.0"),
        ([[1, 0], [1]], "ragged rows: row 1 is of length 1, row 0 is of length 2"),
        ([1, [1]], "ragged rows: row 1 is of length 1, row 0 is a single value"),
        ([0, nan], "nan at rank 2"),
        ([[0, 1], [inf, 0]], "inf at query [1], rank 1"),
        ([[[0, -1]]], "-1.0 at query [0, 0], rank 2"),
        ([None], "None of type NoneType"),
        ([1j], "1j of type complex"),
        ({1, 0}, "of type set"),
        (np.array([], dtype=object).astype("U1"), "an array of type <U1"),
        ([[[1, 0]], [[1]]], "ragged rows"),
        ([[1, [0]], [1]], "ragged rows: row 1 is of length 1, row 0 is of length 2"),
        ([10**400], "a number beyond the range of floats"),
    ],
)
def test_bad_relevance(metric, given, words):
    with pytest.raises(ValueError) as error:
        metric(given)
    message = str(error.value)
    assert message.startswith("relevance: got ") and words in message and "expected" in message


@pytest.mark.parametrize("name", "recall_at f_score_at accuracy_at average_precision r_precision bpref full_recall".split())
@pytest.mark.parametrize(
    "given, words",
    [
        ([2, 1], "1 for query [1], expected at least the 2 relevant items"),
        (1.5, "1.5, expected whole numbers >= 0"),
        (-1, "-1, expected whole numbers >= 0"),
        (nan, "nan, expected whole numbers"),
        (inf, "inf, expected whole numbers"),
        (True, "bool ([True]), expected whole numbers"),
        ("3", "the text '3'"),
        ([3, 3, 3], "shape (3,), expected one number, or numbers that broadcast to the queries' shape (2,)"),
        ([[3], [3]], "shape (2, 1)"),
    ],
)
def test_bad_n_relevant(name, given, words):
    with pytest.raises(ValueError) as error:
        OF_A_RANKING[name]([[1, 0, 1], [0, 1, 1]], n_relevant=given)
    assert str(error.value).startswith("n_relevant: got ") and words in str(error.value)


WITH_K = [
    metrics.hits_at,
    metrics.precision_at,
    metrics.recall_at,
    metrics.normalized_recall_at,
    metrics.f_score_at,
    metrics.success_at,
    metrics.accuracy_at,
    metrics.dcg,
    metrics.ndcg,
    lambda r, k: metrics.average_precision_at(r, k, denominator="cutoff"),
    lambda r, k: premise_selection.cover(["a"], ["a"], k),
    lambda r, k: premise_selection.precision(["a"], ["a"], k),
    lambda r, k: metrics.precision_by_decile([["a"]], [["a"]], {"a": 1}, k),
    lambda r, k: metrics.ndcg_by_decile([["a"]], [["a"]], {"a": 1}, k),
    lambda r, k: metrics.prediction_proportions_at([["a"]], {"a": 1}, k),
    lambda r, k: metrics.prediction_precision_at([["a"]], [["a"]], {"a": 1}, k),
    lambda r, k: metrics.positive_coverage_at([["a"]], [["a"]], {"a": 1}, k),
]


@pytest.mark.parametrize("function", WITH_K)
@pytest.mark.parametrize("k", [0, -3, 5.0, 2.5, True, np.bool_(True), "3", nan, [3], np.array([3, 4])])
def test_bad_k(function, k):
    with pytest.raises(ValueError, match=r"^[kn]: got .*, expected one whole number >= 1"):
        function(WORKED, k)


def test_good_k():
    for k in (3, np.int8(3), np.uint64(3), np.array(3)):
        assert metrics.precision_at(WORKED, k) == 1 / 3
    assert metrics.precision_at(WORKED, 12) == 3 / 12
    for function in WITH_K[:10]:
        assert np.isfinite(function(WORKED, 2**70))


def test_n_relevant_of_every_kind():
    batch = [[1, 0, 1], [0, 1, 1]]
    for given in (4, 4.0, np.int8(4), np.uint64(4), np.float16(4), [4, 4], (4.0, 4.0), np.full(2, 4, np.float16), np.array(4)):
        np.testing.assert_array_equal(metrics.average_precision(batch, given), metrics.average_precision(batch) / 2)


def test_large_or_odd_numbers_give_values_and_no_warning():
    assert metrics.average_precision([2**70, 0, Fraction(1, 2)]) == metrics.average_precision([1, 0, 1])
    assert metrics.f_score(1, 1, 1, beta=1e200) == metrics.f_score_at([1, 0, 1], 2, beta=1e200) == 0.5
    assert metrics.f_score(0, 0, 3, beta=0) == 0 and metrics.e_measure(0, 0, 3, beta=0) == 1
    assert metrics.weighted_harmonic_mean(nan, 0, 0.5) == 0 and isnan(metrics.weighted_harmonic_mean(nan, 1, 0.5))
    assert metrics.rank_at_recall([1] * 300, np.int8(1)) == 300
    assert isnan(metrics.mean([inf, -inf], undefined="raise"))
    assert metrics.frequency_deciles([2**53 + 1, 2**53]).tolist() == [6, 1]
    assert metrics.mean([Fraction(1, 2), 1], undefined="raise") == 0.75
    for dtype in ("f2", "f4", "u1", "i8", "g"):
        assert metrics.precision(np.array([1, 3], dtype), np.array([1, 1], dtype)).tolist() == [0.5, 0.75]


def test_what_the_metrics_share_cannot_be_changed():
    hits = Hits.from_relevance([[0, 1], [1, 1]])
    for name in ("row", "rank", "grade", "order", "count", "start", "n_relevant"):
        with pytest.raises(ValueError, match="read-only"):
            getattr(hits, name)[0] = 9


@pytest.mark.parametrize(
    "call, words",
    [
        (lambda: metrics.rank_at_recall(WORKED, 1.2), "level: got 1.2, expected one number in [0, 1]"),
        (lambda: metrics.rank_at_recall(WORKED, -0.1), "level: got -0.1"),
        (lambda: metrics.rank_at_recall(WORKED, nan), "level: got nan"),
        (lambda: metrics.rank_at_recall(WORKED, True), "level: got True"),
        (lambda: metrics.rank_at_recall(WORKED, [0.5]), "level: got [0.5]"),
        (lambda: metrics.interpolated_precision(WORKED, "1/2"), "level: got '1/2'"),
        (lambda: metrics.precision_at_recall(WORKED, Fraction(3, 2)), "level: got Fraction(3, 2)"),
        (lambda: metrics.f_score(1, 1, 1, beta=-1), "beta: got -1, expected one number that is finite and >= 0"),
        (lambda: metrics.f_score_at(WORKED, 2, beta=inf), "beta: got inf"),
        (lambda: metrics.e_measure(1, 1, 1, beta="2"), "beta: got '2'"),
        (lambda: metrics.weighted_harmonic_mean(0.5, 0.5, alpha=2), "alpha: got 2, expected one number in [0, 1]"),
        (lambda: metrics.weighted_harmonic_mean(1.5, 0.5, alpha=1), "precision: got 1.5, expected values in [0, 1]"),
        (lambda: metrics.weighted_harmonic_mean(0.5, "x", alpha=1), "recall: got the text 'x'"),
        (lambda: metrics.precision(-1, 2), "tp: got -1, expected finite numbers >= 0"),
        (lambda: metrics.recall([1, 2], [0, nan]), "fn: got nan at [1], expected finite numbers >= 0"),
        (lambda: metrics.accuracy(1, inf, 1, 1), "fp: got inf"),
        (lambda: metrics.jaccard("1", 1, 1), "tp: got the text '1'"),
        (lambda: metrics.jaccard([1, 2], [1, 2, 3], 1), "tp, fp, fn: got shapes (2,), (3,), ()"),
        (lambda: metrics.confusion(["a", "a"], ["a"]), "predicted: got 'a' a second time, at position 1, expected distinct ids"),
        (lambda: premise_selection.rank({"a"}, ["a"]), "suggestions: got a set, which has no order, expected a list of ids"),
        (lambda: Hits.from_ids([{"a"}], [["a"]]), "rankings[0]: got a set, which has no order"),
        (lambda: Hits.from_ranks({1: 2}, 3), "ranks: got {1: 2}, expected a list of 1-based ranks"),
        (lambda: metrics.precision_by_decile([["a"]], [["a"]], 5, 1), "decile: got an array of shape ()"),
        (lambda: metrics.weighted_harmonic_mean([0.5] * 2, [0.5] * 3, 0.5), "precision, recall: got shapes (2,), (3,)"),
        (lambda: metrics.precision(1e308, 1e308), "tp: got 1e+308, expected finite numbers >= 0 whose sum is finite too"),
        (lambda: metrics.f_score(1, 1, 1, beta=10**400), "beta: got a number beyond the range of floats"),
        (lambda: metrics.confusion("ab", ["a"]), "predicted: got 'ab', expected a collection of ids"),
        (lambda: metrics.confusion([["a"]], ["a"]), "predicted: got ['a'] at position 0, expected ids that can be hashed"),
        (lambda: metrics.confusion(["a"], ["b"], 1), "universe_size: got 1, expected at least the 2 items"),
        (lambda: metrics.confusion(["a"], ["b"], 4.0), "universe_size: got 4.0, expected one whole number"),
        (lambda: metrics.accuracy_at([1, 0], 1, universe_size=1), "universe_size: got 1, expected at least 2"),
        (lambda: metrics.accuracy_at([1, 0], 5, universe_size=4), "universe_size: got 4, expected at least 5"),
        (lambda: metrics.average_precision_at(WORKED, 3, denominator="R"), "denominator: got 'R', expected 'retrieved' or"),
        (lambda: metrics.average_precision_at(WORKED, 3, denominator=3), "denominator: got 3"),
        (lambda: metrics.full_recall(WORKED, unreached=nan), "unreached: got nan, expected one number or inf"),
        (lambda: metrics.full_recall(WORKED, unreached="never"), "unreached: got 'never'"),
        (lambda: metrics.break_even_ranks([[1, 0]]), "relevance: got a batch of shape (1,), expected one ranking"),
        (lambda: metrics.bpref(WORKED, judged=[1, 1]), "judged: got shape (2,), expected a mask of bool or 0/1 of shape (6,)"),
        (lambda: metrics.bpref([1, 0], judged=[2, 1]), "judged: got 2, expected bool or 0/1"),
        (lambda: metrics.bpref(WORKED, n_irrelevant=1), "n_irrelevant: got 1, expected at least the 3 irrelevant items"),
        (lambda: metrics.auc_from_scores(1, 1), "scores: got the single value 1"),
        (lambda: metrics.auc_from_scores([1, nan], [0, 1]), "scores: got nan"),
        (lambda: metrics.auc_from_scores([1, 2], [0, 1, 1]), "labels: got shape (3,), expected the shape (2,)"),
        (lambda: metrics.auc_from_scores([1, 2], [0, 2]), "labels: got 2, expected 0/1 or bool"),
        (lambda: metrics.auc_from_scores([1, 2], ["a", "b"]), "labels: got text, such as 'a'"),
        (lambda: metrics.dcg(WORKED, gain="log"), "gain: got 'log', expected 'linear' or 'exponential'"),
        (lambda: metrics.dcg([2000], gain="exponential"), "relevance: got grade 2000 with the exponential gain"),
        (lambda: metrics.ndcg([1], gain="exponential", ideal=[2000]), "ideal: got grade 2000 with the exponential gain"),
        (lambda: metrics.ndcg([2, 1], ideal=[2]), "ideal: got too few high grades, expected all grades of the universe"),
        (lambda: metrics.ndcg([[1, 0], [2, 1]], ideal=[1, 1]), "ideal: got too few high grades for query [1]"),
        (lambda: metrics.ndcg([1, 0], ideal=[-1]), "ideal: got -1.0 at rank 1"),
        (lambda: metrics.ndcg([[1, 0]], ideal=[[1], [1]]), "ideal: got leading shape (2,), expected one list"),
        (lambda: metrics.rank_biased_precision(WORKED, 1), "persistence: got 1, expected one number in [0, 1)"),
        (lambda: metrics.expected_reciprocal_rank([0, 3], 2), "max_grade: got 2, expected one number at least the largest grade, 3"),
        (lambda: metrics.mean([1, nan], undefined="raise"), "values: got nan at position 1, expected defined values"),
        (lambda: metrics.mean([1], undefined="drop"), "undefined: got 'drop', expected one number that stands in, or"),
        (lambda: metrics.mean([1], undefined=nan), "undefined: got nan"),
        (lambda: metrics.mean(["a"], undefined=0), "values: got text, such as 'a'"),
        (lambda: metrics.geometric_mean([-0.5], undefined=0), "values: got -0.5, expected values >= 0"),
        (lambda: metrics.geometric_mean([0.5], undefined=0, floor=-1), "floor: got -1, expected one number that is finite and >= 0"),
        (lambda: premise_selection.cover(["a", "a"], ["a"]), "suggestions: got 'a' a second time"),
        (lambda: premise_selection.recall(["a"], "a"), "required: got 'a', expected a collection of ids"),
        (lambda: metrics.precision_by_decile([["a", "a"]], [["a"]], {}, 1), "predictions[0]: got 'a' a second time"),
        (lambda: metrics.precision_by_decile([["a"]], [], {}, 1), "actual: got 0 label lists, expected one for each of the 1"),
        (lambda: metrics.precision_by_decile([["a"]], [["a"]], {"a": 11}, 1), "decile: got 11 for label 'a', expected whole numbers from 1 to 10"),
        (lambda: metrics.ndcg_by_decile([["a"]], [["a"]], {"a": True}, 1), "decile: got True for label 'a'"),
        (lambda: metrics.ndcg_by_decile([["a"]], [["a"]], {}, 1, top=0), "top: got 0"),
        (
            lambda: metrics.rank_for_recall_by_decile([], [], {}, 1, aggregate="mode", unreached=1),
            "aggregate: got 'mode', expected 'median' or 'mean'",
        ),
        (lambda: metrics.rank_for_recall_by_decile([], [], {}, 1, aggregate="mean", unreached=nan), "unreached: got nan"),
        (lambda: metrics.frequency_deciles([1, -1]), "counts: got -1 at [1], expected finite numbers >= 0"),
        (lambda: metrics.frequency_deciles([[1]]), "counts: got an array of shape (1, 1), expected one list of counts"),
        (lambda: metrics.frequency_deciles([0, 0], equal="mass"), "counts: got zeros only"),
        (lambda: metrics.frequency_deciles([1], equal="size"), "equal: got 'size', expected 'labels' or 'mass'"),
        (lambda: Hits.from_ids([["a", "a"]], [["a"]]), "rankings[0]: got 'a' a second time, at position 1"),
        (lambda: Hits.from_ids([["a"]], [["a", "a"]]), "relevant[0]: got 'a' a second time"),
        (lambda: Hits.from_ids(["ab"], [["a"]]), "rankings[0]: got 'ab', expected a collection of ids"),
        (lambda: Hits.from_ids([["a"]], []), "relevant: got 0 collections, expected one for each of the 1 rankings"),
        (lambda: Hits.from_ranks([0], 3), "ranks: got 0, expected one whole number >= 1"),
        (lambda: Hits.from_ranks([[1], [4]], 3), "ranks[1]: got rank 4, expected at most the length 3"),
        (lambda: Hits.from_ranks([2, 2], 3), "ranks: got rank 2 twice, expected distinct ranks"),
        (lambda: Hits.from_ranks([[1], 2], 3), "ranks[1]: got 2, expected a list of 1-based ranks"),
        (lambda: Hits.from_ranks([1.0], 3), "ranks: got 1.0, expected one whole number"),
        (lambda: Hits.from_ranks(3, 3), "ranks: got 3, expected a list of 1-based ranks"),
        (lambda: Hits.from_ranks([1], -1), "length: got -1, expected whole numbers >= 0"),
        (lambda: Hits.from_ranks([1], 3, n_relevant=0), "n_relevant: got 0, expected at least the 1 relevant items"),
    ],
)
def test_every_other_error(call, words):
    with pytest.raises(ValueError) as error:
        call()
    assert words in str(error.value)


WITHOUT_A_HIT = {
    0: "precision_at hits_at success_at f_score_at reciprocal_rank inversions dcg rank_biased_precision "
    "expected_reciprocal_rank accuracy_at precision_curve",
    nan: "recall_at normalized_recall_at r_precision rank_at_recall precision_at_recall interpolated_precision "
    "average_precision average_precision_at eleven_point_average_precision interpolated_average_precision "
    "trapezoidal_area mean_rank auc full_recall bpref ndcg recall_curve",
}


def test_undefined_is_nan_never_reached_is_inf():
    nothing = [0, 0, 0]
    expected = {name: value for value, names in WITHOUT_A_HIT.items() for name in names.split()}
    assert expected.keys() == OF_A_RANKING.keys()
    for name, metric in OF_A_RANKING.items():
        np.testing.assert_array_equal(np.ravel(metric(nothing)), np.full(np.size(metric(nothing)), expected[name]), err_msg=name)
    assert metrics.average_precision_at(nothing, 2, denominator="cutoff") == 0
    assert isnan(metrics.average_precision_at([0, 0, 1], 2, denominator="retrieved"))
    assert isnan(metrics.auc([1, 1]))
    assert metrics.full_recall([0, 1], n_relevant=2) == inf
    assert metrics.full_recall([0, 1], n_relevant=2, unreached=3) == 3
    assert metrics.rank_at_recall([0, 1], 1, n_relevant=2) == inf
    assert metrics.rank_at_recall([0, 1], 0) == 0
    assert isnan(metrics.precision_at_recall([0, 1], 0))
    assert metrics.precision_at_recall([0, 1], 1, n_relevant=2) == 0
    assert isnan(metrics.precision(0, 0)) and isnan(metrics.f_score(0, 0, 0)) and metrics.f_score(0, 1, 0) == 0
    assert metrics.break_even_ranks(nothing).size == 0
    assert metrics.break_even_ranks(nothing, 5).tolist() == [1, 2, 3]
    assert isnan(metrics.mean([nan], undefined="skip")) and metrics.mean([1, inf], undefined="raise") == inf


def test_every_level_j_over_r():
    for n_relevant in range(1, 201):
        ideal = Hits.from_ranks(range(1, n_relevant + 1), n_relevant)
        for j in range(1, n_relevant + 1):
            for level in (j / n_relevant, 1 - (n_relevant - j) / n_relevant, j * (1 / n_relevant), Fraction(j, n_relevant)):
                assert metrics.rank_at_recall(ideal, min(level, 1)) == j


def test_levels_are_exact_or_meant():
    five = [1] * 5
    assert metrics.rank_at_recall(five, 0.6) == 3
    assert metrics.rank_at_recall(five, 0.6 + 1e-8) == 4
    assert metrics.rank_at_recall(five, Fraction(6, 10) + Fraction(1, 10**12)) == 4


def test_hits_keep_what_they_were_made_from():
    hits = Hits.from_ids([["x", "a", "y"], ["b"], []], [{"a", "b"}, ["b"], []])
    assert hits.shape == (3,) and hits.length.tolist() == [3, 1, 0] and hits.n_relevant.tolist() == [2, 1, 0]
    np.testing.assert_array_equal(metrics.average_precision(hits), [1 / 4, 1, nan])
    np.testing.assert_array_equal(metrics.auc(hits), [1 / 2, nan, nan])
    assert metrics.recall_at(hits, 2, n_relevant=4)[0] == 1 / 4
    graded = Hits.from_relevance([[0, 3], [1, 2]])
    assert graded.grade.tolist() == [3, 1, 2]
    assert repr(graded) == "Hits(shape=(2,), length=2, hits=3)"


def test_functions_without_n_relevant_look_at_the_ranking_alone():
    known, alone = Hits.from_relevance([0, 1, 1, 0], n_relevant=9), [0, 1, 1, 0]
    for name in "precision_at reciprocal_rank mean_rank inversions auc dcg ndcg".split():
        assert OF_A_RANKING[name](known) == OF_A_RANKING[name](alone)
    assert metrics.recall_at(known, 4) == 2 / 9


def test_rankings_of_different_length():
    hits = Hits.from_ranks([[1], [2, 3]], length=[2, 4])
    one_by_one = [[1, 0], [0, 1, 1, 0]]
    for name, metric in OF_A_RANKING.items():
        if not name.endswith("_curve"):
            np.testing.assert_allclose(metric(hits), [metric(r) for r in one_by_one], err_msg=name)
    assert metrics.precision_curve(hits).tolist()[0] == [1, 1 / 2, 1 / 3, 1 / 4]


def test_public_names():
    assert set(metrics.__all__) <= set(dir(metrics))
    for name in metrics.__all__:
        assert getattr(metrics, name).__doc__, name
    assert not set(metrics.HOME) & set(metrics.__all__)
    with pytest.raises(AttributeError, match="no attribute 'precison_at'"):
        metrics.precison_at


def test_tools_see_every_name():
    tree = ast.parse(Path(metrics.__file__).read_text())
    [for_tools] = [node for node in tree.body if isinstance(node, ast.If)]
    assert {alias.name for node in for_tools.body for alias in node.names} == set(metrics.__all__)


def test_every_public_function_says_what_it_needs():
    documented = {name: getattr(metrics, name) for name in metrics.MODULE_OF}
    for module in (premise_selection, metrics.ties):
        documented |= {f"{module.__name__}.{name}": getattr(module, name) for name in module.__all__}
    for name, function in documented.items():
        text = function.__doc__
        assert text.split("\n")[0].endswith((".", ":")) and ">>>" in text, name
        if name != "Hits":
            short = re.sub(r"Arguments(, result and errors)? as for", "Returns Raises ValueError", text) if "result and errors" in text else text
            assert all(word in short for word in ("Source: ", "Returns ", "Raises ValueError")), name


def test_definitions_and_claims_run_without_numpy():
    code = (
        "import sys; sys.modules['numpy'] = None\n"
        "import metrics, metrics.definitions as d, metrics.claims as c\n"
        "print(d.average_precision([0, 1]), len(list(c.rankings(3))))\n"
        "try: metrics.precision_at\n"
        "except ImportError: print('NumPy is asked for late')\n"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert out == "1/2 14\nNumPy is asked for late\n"


def test_numpy_modules_and_definitions_never_import_each_other():
    for path in Path(metrics.__file__).parent.glob("*.py"):
        text = path.read_text()
        if path.name in ("definitions.py", "claims.py"):
            assert "import numpy" not in text and "from ." not in text
        elif path.name != "__init__.py":
            assert "definitions" not in text, path
