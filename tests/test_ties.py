"""Ties: the closed forms equal the enumeration of every order, and bad input is named."""

from itertools import product

import numpy as np
import pytest

import metrics
from metrics import definitions, ties
from metrics.definitions import mean_over_ties, orders_of_ties

METRICS = {
    "precision_at": lambda order, k: definitions.precision_at(order, k),
    "average_precision": lambda order, total: definitions.average_precision(order, total),
    "reciprocal_rank": lambda order: definitions.reciprocal_rank(order),
    "ndcg": lambda order, k: definitions.ndcg(order, k),
}


def cases(n, grades=(0, 1)):
    """Every list of grades of length n with every list of scores from 1, 2, 3."""
    return product(product(grades, repeat=n), product((1, 2, 3), repeat=n))


@pytest.mark.parametrize("n", range(1, 6))
def test_means_equal_those_of_the_enumeration(n):
    for grades, scores in cases(n):
        assert ties.reciprocal_rank(grades, scores) == pytest.approx(float(mean_over_ties(definitions.reciprocal_rank, grades, scores)), abs=1e-12)
        for k in range(1, n + 2):
            expected = mean_over_ties(lambda order: definitions.precision_at(order, k), grades, scores)
            assert ties.precision_at(grades, scores, k) == pytest.approx(float(expected), abs=1e-12)
        for total in range(max(1, sum(grades)), sum(grades) + 2):
            expected = mean_over_ties(lambda order: definitions.average_precision(order, total), grades, scores)
            assert ties.average_precision(grades, scores, total) == pytest.approx(float(expected), abs=1e-12)


@pytest.mark.parametrize("gain", ["linear", "exponential"])
@pytest.mark.parametrize("n", range(1, 5))
def test_the_mean_of_ndcg_with_grades(n, gain):
    for grades, scores in cases(n, (0, 1, 3)):
        if not any(grades):
            assert np.isnan(ties.ndcg(grades, scores, gain=gain))
            continue
        for k in (None, 1, 2):
            for ideal in (None, [*grades, 3]):
                expected = mean_over_ties(lambda order: definitions.ndcg(order, k, gain, ideal), grades, scores)
                assert ties.ndcg(grades, scores, k, gain, ideal) == pytest.approx(float(expected), abs=1e-12)


@pytest.mark.parametrize("n", range(1, 6))
def test_best_and_worst_are_the_extremes(n):
    for grades, scores in cases(n):
        orders, total = orders_of_ties(grades, scores), max(1, sum(grades))
        for metric in (definitions.reciprocal_rank, lambda o: definitions.average_precision(o, total), lambda o: definitions.precision_at(o, 2)):
            values = [metric(order) for order in orders]
            assert metric(ties.best(grades, scores).astype(int).tolist()) == max(values)
            assert metric(ties.worst(grades, scores).astype(int).tolist()) == min(values)


def test_a_batch_is_one_list_at_a_time():
    generator = np.random.default_rng(7)
    grades, scores = generator.integers(0, 3, (3, 4, 6)), generator.integers(0, 4, (3, 4, 6))
    functions = [
        ties.best, ties.worst, ties.shared, ties.average_precision, ties.reciprocal_rank, ties.ndcg,
        lambda g, s: ties.precision_at(g, s, 3), lambda g, s: ties.ndcg(g, s, 2, ideal=[2] * 6),
    ]  # fmt: skip
    for function in functions:
        one_by_one = [[function(g, s) for g, s in zip(*rows)] for rows in zip(grades, scores)]
        np.testing.assert_allclose(function(grades, scores), one_by_one, rtol=0, atol=1e-12)
        for shape in [(0, 5), (2, 0), (0,)]:
            assert function(np.zeros(shape), np.zeros(shape)).shape in (shape, shape[:-1])


def test_without_ties_it_is_the_metric_of_the_ranking():
    generator = np.random.default_rng(8)
    grades = generator.integers(0, 2, (50, 7))
    scores = np.broadcast_to(np.arange(7, 0, -1), grades.shape)
    np.testing.assert_allclose(ties.average_precision(grades, scores), metrics.average_precision(grades), atol=1e-12)
    np.testing.assert_allclose(ties.reciprocal_rank(grades, scores), metrics.reciprocal_rank(grades), atol=1e-12)
    np.testing.assert_allclose(ties.precision_at(grades, scores, 4), metrics.precision_at(grades, 4), atol=1e-12)
    np.testing.assert_allclose(ties.ndcg(grades, scores, 4), metrics.ndcg(grades, 4), atol=1e-12)


@pytest.mark.parametrize("scores", [np.array([0, 255, 255], "u1"), [False, True, True], [-np.inf, np.inf, np.inf], [-(2**63), 2**63 - 1, 2**63 - 1]])
def test_scores_of_every_kind(scores):
    assert ties.worst([1, 1, 0], scores).tolist() == [0, 1, 1]


@pytest.mark.parametrize(
    "call, words",
    [
        (lambda: ties.best([0, 1], [1]), r"scores: got shape \(1,\), expected the shape \(2,\) of the grades"),
        (lambda: ties.shared([0, 1], [1, np.nan]), "scores: got nan, expected numbers that can be ordered"),
        (lambda: ties.worst([0, -1], [1, 2]), "relevance: got -1.0 at rank 2"),
        (lambda: ties.best([0, 1], "ab"), "scores: got the text 'ab'"),
        (lambda: ties.average_precision([0, 1], [1, 1], n_relevant=0), "n_relevant: got 0"),
        (lambda: ties.precision_at([0, 1], [1, 1], k=0), "k: got 0"),
        (lambda: ties.ndcg([0, 1], [1, 1], k=1.0), "k: got 1.0"),
        (lambda: ties.ndcg([0, 3], [1, 1], ideal=[2, 2]), "ideal: got too few high grades"),
        (lambda: ties.ndcg([0, 3], [1, 1], gain="square"), "gain: got 'square'"),
        (lambda: ties.best(1, 1), "relevance: got the single value 1"),
    ],
)
def test_errors_name_what_was_wrong(call, words):
    with pytest.raises(ValueError, match=words):
        call()


def test_inputs_are_not_modified():
    grades, scores = np.array([0.0, 2, 1]), np.array([1, 1, 2])
    for array in (grades, scores):
        array.setflags(write=False)
    ties.ndcg(grades, scores), ties.average_precision(grades, scores), ties.reciprocal_rank(grades, scores)
    assert grades.tolist() == [0, 2, 1] and scores.tolist() == [1, 1, 2]
