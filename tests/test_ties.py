"""Scores in any order, with ties: every way against a plain sort, and the means over ties against the enumeration of every order."""

import operator
import re
from itertools import product

import numpy as np
import pytest
from hypothesis import given, strategies as st

import metrics
from metrics import Hits, ties
from metrics._base import scored as kernel
from metrics.exact import definitions
from metrics.exact.definitions import mean_over_ties, orders_of_ties

TIE_BREAKERS = {"stable": lambda grade, place: place, "best": lambda grade, place: -grade, "worst": lambda grade, place: grade}


def by_sorting(scores, labels, way):
    """The grades in rank order, list by list."""
    both = [zip(*lists) for lists in zip(scores.tolist(), labels.tolist())]
    ranked = [sorted((-score, TIE_BREAKERS[way](grade, place), grade) for place, (score, grade) in enumerate(items)) for items in both]
    return [[grade for *_, grade in items] for items in ranked]


def in_rank_order(scores, labels, way):
    hits = Hits.from_scores(scores=scores, labels=labels, ties=way)
    grades = np.zeros((hits.queries, hits.longest))
    grades[hits.row, hits.rank - 1] = hits.grade
    return grades.tolist()


@st.composite
def scored(draw):
    """Scores and grades (Q, n), with few or many ties and relevant items."""
    shape = draw(st.integers(0, 5)), draw(st.integers(0, 12))
    dtype = draw(st.sampled_from(["float64", "float32", "float16", "int64", "uint8", "bool"]))
    values = [0, 1] if dtype == "bool" else draw(st.sampled_from([[0, 1, 2], list(range(100))]))
    if dtype.startswith("float"):
        values = [*values, -0.0, 0.5, -1.25, np.inf, -np.inf]
    entries = shape[0] * shape[1]
    scores = draw(st.lists(st.sampled_from(values), min_size=entries, max_size=entries))
    grades = draw(st.sampled_from([[0, 1], [0, 0, 0, 0, 0, 1], [0, 1, 2, 0.5]]))
    labels = draw(st.lists(st.sampled_from(grades), min_size=entries, max_size=entries))
    return np.array(scores, dtype).reshape(shape), np.array(labels).reshape(shape)


@given(scored(), st.sampled_from([1, 20, 2**15]), st.sampled_from([0, 2, 100]), st.sampled_from([1, 25]))
def test_every_order_is_that_of_a_plain_sort(example, piece, few, many):
    scores, labels = example
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kernel, "PIECE", piece)  # one row at a time, some, all
        patch.setattr(kernel, "FEW", few)  # by sorting, by counting
        patch.setattr(kernel, "MANY", many)
        for way in TIE_BREAKERS:
            assert in_rank_order(scores, labels, way) == by_sorting(scores, labels, way)
        hits = Hits.from_scores(scores=scores, labels=labels, ties="stable")
        ideal = [sorted(filter(None, grades), reverse=True) for grades in labels.tolist()]
        assert [hits.ideal.grade[hits.ideal.row == row].tolist() for row in range(len(labels))] == ideal
        same = list(map(operator.eq, by_sorting(scores, labels, "best"), by_sorting(scores, labels, "worst")))
        if all(same):
            assert in_rank_order(scores, labels, "raise") == by_sorting(scores, labels, "stable")
        else:
            with pytest.raises(ValueError, match=re.escape(f"different grades for query [{same.index(False)}]")):
                Hits.from_scores(scores=scores, labels=labels, ties="raise")


# Means over ties


def cases(n, grades=(0, 1), scores=(1, 2, 3)):
    """Every list of grades of length n with every list of scores, one in seven of four: two arrays."""
    pairs = list(product(product(grades, repeat=n), product(scores, repeat=n)))[:: 7 if n == 4 else 1]
    return np.array([g for g, _ in pairs]), np.array([s for _, s in pairs])


def enumerated(metric, grades, scores, *more):
    """The mean of a definition over all orders, list by list, each with its own of what more there is."""
    return [float(mean_over_ties(lambda order: metric(order, *own), g, s)) for g, s, *own in zip(grades.tolist(), scores.tolist(), *more)]


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
    with np.errstate(invalid="ignore"):
        assert_close(ties.average_precision(grades, scores=scores), precision_sums / grades.sum(axis=1))


@pytest.mark.parametrize("gain", ["linear", "exponential"])
@pytest.mark.parametrize("n", range(1, 5))
def test_the_mean_of_ndcg_with_grades_and_with_items_that_have_no_score(n, gain):
    grades, scores = cases(n, (0, 1, 3), (1, 2))
    some = grades.any(axis=1)
    assert np.isnan(ties.ndcg(grades, scores=scores, gain=gain)[~some]).all()
    grades, scores = grades[some], scores[some]
    ones, their_scores = cases(n, scores=(1, 2))
    for k, extra in product((None, 1, 2, 3), (0, 1, 4)):
        own = [[*g, *[3] * extra] for g in grades.tolist()]
        expected = enumerated(lambda order, ideal: definitions.ndcg(order, k, gain, ideal), grades, scores, own)
        assert_close(ties.ndcg(grades, scores=scores, k=k, gain=gain, ideal=own if extra else None), expected)
        if extra:
            total = ones.sum(axis=1) + extra
            expected = enumerated(lambda order, R: definitions.ndcg(order, k, gain, n_relevant=R), ones, their_scores, total.tolist())
            assert_close(ties.ndcg(ones, scores=their_scores, k=k, gain=gain, n_relevant=total), expected)


@pytest.mark.parametrize("n", range(1, 5))
def test_best_and_worst_are_the_extremes_and_shared_has_the_mean_of_dcg(n):
    grades, scores = cases(n, (0, 1, 3), (1, 2))
    assert_close(metrics.dcg(ties.shared(grades, scores=scores)), enumerated(definitions.dcg, grades, scores))
    orders = [orders_of_ties(g, s) for g, s in zip(grades.tolist(), scores.tolist())]
    for metric in (lambda o: metrics.average_precision(o, n), metrics.reciprocal_rank, lambda o: metrics.precision_at(o, 2), metrics.dcg):
        for function, extreme in ((ties.best, max), (ties.worst, min)):
            assert_close(metric(function(grades, scores=scores)), [extreme(metric(each)) for each in orders])


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
        assert_close(function(grades, scores=scores), [[function(g, scores=s) for g, s in zip(*rows)] for rows in zip(grades, scores)])
    for shape in [(0, 5), (2, 0), (2, 0, 5), (0,), (2,)]:
        nothing = np.zeros(shape)
        assert all(function(nothing, scores=nothing).shape == shape for function in FULL)
        assert all(function(nothing, scores=nothing).shape == shape[:-1] for function in SINGLE)
        assert all(function(nothing, scores=nothing).dtype == np.float64 for function in FULL + SINGLE)


def test_the_means_and_evaluate_take_hits_of_no_one_order():
    scores, labels = np.random.default_rng(5).integers(0, 4, (9, 7)), np.random.default_rng(6).integers(0, 2, (9, 7))
    hits, total = Hits.from_scores(scores=scores, labels=labels, ties="mean"), labels.sum(axis=1) + 2
    values = metrics.evaluate(hits, "AP P@3 RR nDCG@3", n_relevant=total)
    np.testing.assert_array_equal(values["AP"], ties.average_precision(labels, scores=scores, n_relevant=total))
    np.testing.assert_array_equal(values["P@3"], ties.precision_at(labels, scores=scores, k=3))
    np.testing.assert_array_equal(values["RR"], ties.reciprocal_rank(labels, scores=scores))
    np.testing.assert_array_equal(values["nDCG@3"], ties.ndcg(labels, scores=scores, k=3, n_relevant=total))
    for name in ("AUC", "RR@2", "AP@3(denominator=relevant)"):
        with pytest.raises(ValueError, match="no one order"):
            metrics.evaluate(hits, name)
    for metric in (metrics.average_precision, metrics.auc, metrics.ndcg, metrics.reciprocal_rank, lambda hits: metrics.recall_at(hits, 1)):
        with pytest.raises(ValueError, match='ties="mean", which have no one order, expected .* metrics.ties'):
            metric(hits)
    with pytest.raises(ValueError, match="scores: got scores besides hits that have their own"):
        ties.reciprocal_rank(hits, scores=scores)
    with pytest.raises(ValueError, match="scores: got None"):
        ties.reciprocal_rank([0, 1, 0])
    with pytest.raises(AttributeError, match="no attribute 'rang'"):
        getattr(hits, "rang")
    assert f"hits={labels.sum()}" in repr(hits)
