"""Ties: the closed forms equal the enumeration of every order, and bad input is named."""

from itertools import product

import numpy as np
import pytest

import metrics
from metrics import ties
from metrics.exact import definitions
from metrics.exact.definitions import mean_over_ties, orders_of_ties


def cases(n, grades=(0, 1), scores=(1, 2, 3)):
    """Every list of grades of length n with every list of scores, one in seven of four: two arrays."""
    pairs = list(product(product(grades, repeat=n), product(scores, repeat=n)))[:: 7 if n == 4 else 1]
    return np.array([g for g, _ in pairs]), np.array([s for _, s in pairs])


def enumerated(metric, grades, scores):
    """The mean of a definition over all orders, list by list."""
    return [float(mean_over_ties(metric, g, s)) for g, s in zip(grades.tolist(), scores.tolist())]


def assert_close(values, expected):
    np.testing.assert_allclose(values, expected, rtol=0, atol=1e-12)


@pytest.mark.parametrize("n", range(1, 5))
def test_means_equal_those_of_the_enumeration(n):
    grades, scores = cases(n)
    assert_close(ties.reciprocal_rank(grades, scores=scores), enumerated(definitions.reciprocal_rank, grades, scores))
    for k in range(1, n + 2):
        assert_close(ties.precision_at(grades, scores=scores, k=k), enumerated(lambda order: definitions.precision_at(order, k), grades, scores))
    precision_sums = np.array(enumerated(lambda order: definitions.precision_sum(order, n), grades, scores))
    for unranked in (1, 2):
        total = grades.sum(axis=1) + unranked
        assert_close(ties.average_precision(grades, scores=scores, n_relevant=total), precision_sums / total)
    some = grades.any(axis=1)
    assert_close(ties.average_precision(grades, scores=scores)[some], precision_sums[some] / grades.sum(axis=1)[some])
    assert np.isnan(ties.average_precision(grades, scores=scores)[~some]).all()


@pytest.mark.parametrize("gain", ["linear", "exponential"])
@pytest.mark.parametrize("n", range(1, 5))
def test_the_mean_of_ndcg_with_grades(n, gain):
    grades, scores = cases(n, (0, 1, 3), (1, 2))
    some = grades.any(axis=1)
    assert np.isnan(ties.ndcg(grades, scores=scores, gain=gain)[~some]).all()
    grades, scores = grades[some], scores[some]
    for k, extra in product((None, 1, 2), ([], [3])):
        own = [[*g, *extra] for g in grades.tolist()]
        expected = [
            float(mean_over_ties(lambda order: definitions.ndcg(order, k, gain, ideal), g, s))
            for g, s, ideal in zip(grades.tolist(), scores.tolist(), own)
        ]
        assert_close(ties.ndcg(grades, scores=scores, k=k, gain=gain, ideal=own if extra else None), expected)


@pytest.mark.parametrize("n", range(1, 5))
def test_the_mean_of_ndcg_with_items_that_have_no_score(n):
    grades, scores = cases(n, scores=(1, 2))
    for k, extra, gain in product((None, 1, 3), (1, 4), ("linear", "exponential")):
        total = grades.sum(axis=1) + extra
        expected = [
            float(mean_over_ties(lambda order: definitions.ndcg(order, k, gain, n_relevant=t), g, s))
            for g, s, t in zip(grades.tolist(), scores.tolist(), total.tolist())
        ]
        assert_close(ties.ndcg(grades, scores=scores, k=k, gain=gain, n_relevant=total), expected)


@pytest.mark.parametrize("n", range(1, 5))
def test_best_and_worst_are_the_extremes_and_shared_has_the_mean_of_dcg(n):
    grades, scores = cases(n, (0, 1, 3), (1, 2))
    assert_close(metrics.dcg(ties.shared(grades, scores=scores)), enumerated(definitions.dcg, grades, scores))
    best, worst = ties.best(grades, scores=scores), ties.worst(grades, scores=scores)
    orders = [orders_of_ties(g, s) for g, s in zip(grades.tolist(), scores.tolist())]
    for metric in (lambda o: metrics.average_precision(o, n), metrics.reciprocal_rank, lambda o: metrics.precision_at(o, 2), metrics.dcg):
        values = [metric(each) for each in orders]
        assert_close(metric(best), [each.max() for each in values])
        assert_close(metric(worst), [each.min() for each in values])


FULL = [ties.best, ties.worst, ties.shared]
SINGLE = [
    ties.average_precision, ties.reciprocal_rank, ties.ndcg,
    lambda g, scores: ties.precision_at(g, scores=scores, k=3),
    lambda g, scores: ties.ndcg(g, scores=scores, k=2, ideal=[2] * g.shape[-1]),
]  # fmt: skip


def test_a_batch_is_one_list_at_a_time():
    generator = np.random.default_rng(7)
    grades, scores = generator.integers(0, 3, (3, 4, 6)), generator.integers(0, 4, (3, 4, 6))
    for function in FULL + SINGLE:
        one_by_one = [[function(g, scores=s) for g, s in zip(*rows)] for rows in zip(grades, scores)]
        assert_close(function(grades, scores=scores), one_by_one)
    for total in (np.array([9, 7, 8])[:, None], np.full(4, 6), 8):
        expected = [
            [ties.average_precision(g, scores=s, n_relevant=int(t)) for g, s, t in zip(*rows)] for rows in zip(grades, scores, np.broadcast_to(total, (3, 4)))
        ]
        assert_close(ties.average_precision(grades, scores=scores, n_relevant=total), expected)
    for shape in [(0, 5), (2, 0), (2, 0, 5), (0,)]:
        nothing = np.zeros(shape)
        assert all(function(nothing, scores=nothing).shape == shape for function in FULL)
        assert all(np.shape(function(nothing, scores=nothing)) == shape[:-1] for function in SINGLE)
    assert all(isinstance(function(np.array([0, 1]), scores=[1, 1]), np.float64) for function in SINGLE)


def test_without_ties_it_is_the_metric_of_the_ranking():
    grades = np.random.default_rng(8).integers(0, 2, (50, 7))
    scores = np.broadcast_to(np.arange(7, 0, -1), grades.shape)
    assert_close(ties.average_precision(grades, scores=scores), metrics.average_precision(grades))
    assert_close(ties.reciprocal_rank(grades, scores=scores), metrics.reciprocal_rank(grades))
    assert_close(ties.precision_at(grades, scores=scores, k=4), metrics.precision_at(grades, 4))
    assert_close(ties.ndcg(grades, scores=scores, k=4), metrics.ndcg(grades, 4))


def test_ndcg_stays_within_one():
    assert ties.ndcg([0.1] * 3, scores=[1] * 3) == 1
    grades = np.random.default_rng(9).random((2000, 5))
    assert (ties.ndcg(grades, scores=np.ones((2000, 5))) <= 1).all()


@pytest.mark.parametrize("scores", [np.array([0, 255, 255], "u1"), [False, True, True], [-np.inf, np.inf, np.inf], [-(2**63), 2**63 - 1, 2**63 - 1]])
def test_scores_of_every_kind(scores):
    assert ties.worst([1, 1, 0], scores=scores).tolist() == [0, 1, 1]


def test_inputs_are_not_modified():
    grades, scores = np.array([0.0, 2, 1]), np.array([1, 1, 2])
    for array in (grades, scores):
        array.setflags(write=False)
    for function in FULL + SINGLE:
        function(grades, scores=scores)
    assert grades.tolist() == [0, 2, 1] and scores.tolist() == [1, 1, 2]
