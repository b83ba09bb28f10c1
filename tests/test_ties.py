"""Scores in any order, with ties: every way against a plain sort, and the means over ties against the enumeration of every order."""

import operator
import re
from functools import partial
from itertools import product

import numpy as np
import pytest
from hypothesis import given as of_any, strategies as st
from test_definitions import assert_same, exact

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


@of_any(scored(), st.sampled_from([1, 20, 2**15]), st.sampled_from([0, 2, 100]), st.sampled_from([1, 25]))
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


# A mean, what a list may have of its own because items have no score, and what is the same for all.
MEANS = [
    ("reciprocal_rank", None, {}), *(("precision_at", None, {"k": k}) for k in range(1, 6)), ("average_precision", "n_relevant", {}),
    *(("ndcg", key, {"k": k, "gain": gain}) for key in ("n_relevant", "ideal") for k in (None, 1, 2, 3) for gain in ("linear", "exponential")),
]  # fmt: skip


@pytest.mark.parametrize("n", range(1, 5))
@pytest.mark.parametrize("name, key, given", MEANS)
def test_a_mean_over_ties_is_that_over_all_orders(name, key, given, n):
    grades, scores = cases(n, (0, 1, 3), (1, 2)) if key == "ideal" else cases(n)
    for extra in (0, 1, 4) if key else (0,):
        own = [{key: [*g, *[3] * extra] if key == "ideal" else sum(g) + extra} if extra else {} for g in grades.tolist()]
        of_order = [lambda order, its=its: getattr(definitions, name)(order, **given, **its) for its in own]
        expected = list(map(partial(exact, mean_over_ties), of_order, grades.tolist(), scores.tolist()))
        told = {key: [its[key] for its in own]} if extra else {}
        assert_same(getattr(ties, name)(grades, scores=scores, **given, **told), expected, name, given, extra)


@pytest.mark.parametrize("n", range(1, 5))
def test_best_and_worst_are_the_extremes_and_shared_has_the_mean_of_dcg(n):
    grades, scores = cases(n, (0, 1, 3), (1, 2))
    assert_same(metrics.dcg(ties.shared(grades, scores=scores)), list(map(partial(mean_over_ties, definitions.dcg), grades.tolist(), scores.tolist())))
    orders = [orders_of_ties(g, s) for g, s in zip(grades.tolist(), scores.tolist())]
    for metric in (lambda o: metrics.average_precision(o, n), metrics.reciprocal_rank, lambda o: metrics.precision_at(o, 2), metrics.dcg):
        for function, extreme in ((ties.best, max), (ties.worst, min)):
            assert_same(metric(function(grades, scores=scores)), [extreme(metric(each)) for each in orders])


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
        assert_same(function(grades, scores=scores), [[function(g, scores=s) for g, s in zip(*rows)] for rows in zip(grades, scores)])
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
    of_one_order = [metrics.average_precision, metrics.auc, metrics.ndcg, metrics.reciprocal_rank, lambda hits: metrics.recall_at(hits, 1)]
    for error, words, call in [
        *((ValueError, "no single order", partial(metrics.evaluate, hits, name)) for name in ("AUC", "RR@2", "AP@3(denominator=relevant)")),
        *((ValueError, 'ties="mean", which have no single order, expected .* metrics.ties', partial(metric, hits)) for metric in of_one_order),
        (ValueError, "scores: got scores besides hits that have their own", partial(ties.reciprocal_rank, hits, scores=scores)),
        (ValueError, "scores: got None", partial(ties.reciprocal_rank, [0, 1, 0])), (AttributeError, "no attribute 'rang'", partial(getattr, hits, "rang")),
    ]:  # fmt: skip
        with pytest.raises(error, match=words):
            call()
    assert f"hits={labels.sum()}" in repr(hits)
