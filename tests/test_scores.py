"""Unsorted scores: every way with ties against a plain sort, each path of the program, and bad input by name."""

import re

import numpy as np
import pytest
from hypothesis import given, strategies as st

import metrics
from metrics import Hits
from metrics._base import scored as kernel
from metrics.exact import definitions

inf, nan = float("inf"), float("nan")
TIE_BREAKERS = {"stable": lambda grade, place: place, "best": lambda grade, place: -grade, "worst": lambda grade, place: grade}


def by_sorting(scores, labels, ties):
    """The grades in rank order."""
    items = sorted((-score, TIE_BREAKERS[ties](grade, place), grade) for place, (score, grade) in enumerate(zip(scores, labels)))
    return [grade for *_, grade in items]


def in_rank_order(hits):
    """The grades of all rankings, row by row."""
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
        values = [*values, -0.0, 0.5, -1.25, inf, -inf]
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
        for ties in TIE_BREAKERS:
            hits = Hits.from_scores(scores=scores, labels=labels, ties=ties)
            assert in_rank_order(hits) == [by_sorting(*both, ties) for both in zip(scores.tolist(), labels.tolist())]
            np.testing.assert_array_equal(hits.n_relevant, (labels > 0).sum(axis=1))
            ideal = [sorted(filter(None, grades), reverse=True) for grades in labels.tolist()]
            assert [hits.ideal.grade[hits.ideal.row == row].tolist() for row in range(len(labels))] == ideal
        same = [by_sorting(*both, "best") == by_sorting(*both, "worst") for both in zip(scores.tolist(), labels.tolist())]
        if all(same):
            assert in_rank_order(Hits.from_scores(scores=scores, labels=labels, ties="raise")) == in_rank_order(hits)
        else:
            with pytest.raises(ValueError, match=re.escape(f"different grades for query [{same.index(False)}]")):
                Hits.from_scores(scores=scores, labels=labels, ties="raise")


def test_any_shape():
    scores, labels = np.arange(24).reshape(2, 3, 4), np.eye(6, 4).reshape(2, 3, 4)
    assert Hits.from_scores(scores=scores, labels=labels, ties="raise").shape == (2, 3)
    one = Hits.from_scores(scores=[3, 1, 2], labels=[True, False, True], ties="raise")
    assert one.shape == () and one.rank.tolist() == [1, 2] and isinstance(metrics.precision_at(one, 1), float)
    for shape in [(0,), (3, 0), (0, 3), (2, 0, 4)]:
        for ties in (*TIE_BREAKERS, "raise", "mean"):
            hits = Hits.from_scores(scores=np.zeros(shape), labels=np.zeros(shape), ties=ties)
            assert hits.shape == shape[:-1] and hits.count.sum() == 0


def test_a_fortran_array_a_view_and_a_list_are_all_one():
    scores, labels = np.random.default_rng(1).random((4, 10)), np.random.default_rng(2).random((4, 10)) < 0.3
    want = in_rank_order(Hits.from_scores(scores=scores, labels=labels, ties="raise"))
    for turned in (np.asfortranarray, lambda array: array.repeat(2, axis=1)[:, ::2], np.ndarray.tolist):
        assert in_rank_order(Hits.from_scores(scores=turned(scores), labels=turned(labels), ties="raise")) == want


@pytest.mark.parametrize("labels", [np.zeros(70_000), np.ones(70_000), np.random.default_rng(3).integers(0, 3, 70_000)])
def test_a_long_ranking(labels):
    scores = np.random.default_rng(4).integers(0, 9_000, labels.size)
    for ties in TIE_BREAKERS:
        assert in_rank_order(Hits.from_scores(scores=scores, labels=labels, ties=ties)) == [by_sorting(scores.tolist(), labels.tolist(), ties)]


def test_what_was_given_stays_as_it_is():
    scores, labels = np.array([[2.0, 1, 2, 3]]), np.array([[1, 0, 0, 1]])
    for ties in (*TIE_BREAKERS, "mean"):
        Hits.from_scores(scores=scores, labels=labels, ties=ties)
    assert scores.tolist() == [[2, 1, 2, 3]] and labels.tolist() == [[1, 0, 0, 1]]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (dict(scores=[[1, 2], [3, nan]]), "scores: got nan at query [1], item 2, expected numbers that can be ordered"),
        (dict(scores=[nan, 1], labels=[0, 1]), "scores: got nan at item 1, expected"),
        (dict(scores=np.array([[nan, 1], [1, nan]], "f4")), "scores: got nan at query [0], item 1"),
        (dict(scores="ab"), "scores: got the text 'ab', expected numbers"),
        (dict(scores=3, labels=1), "scores: got the single value 3, expected at least one list of scores"),
        (dict(labels=[0, 1]), "labels: got shape (2,), expected the shape (2, 2) of the scores"),
        (dict(labels=[[0, 1], [-1, 0]]), "labels: got -1 at query [1], item 1, expected finite grades >= 0"),
        (dict(labels=[[0, nan], [1, 0]]), "labels: got nan at query [0], item 2, expected finite grades >= 0"),
        (dict(labels=[[0, inf], [1, 0]]), "labels: got inf at query [0], item 2"),
        (dict(labels=[["a", "b"], ["c", "d"]]), "labels: got text, such as 'a'"),
        (dict(ties="random"), "ties: got 'random', expected 'raise' or 'stable' or 'best' or 'worst' or 'mean'"),
        (dict(ties=None), "ties: got None"),
        (dict(scores=[[1, 2], [7.5, 7.5]]), "scores: got 2 items of score 7.5 and different grades for query [1], expected distinct scores, or ties="),
    ],
)  # fmt: skip
def test_bad_input_is_named(given, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        Hits.from_scores(**{"scores": [[1, 2], [3, 4]], "labels": [[0, 1], [1, 0]], "ties": "raise", **given})


def test_ties_has_no_default():
    with pytest.raises(TypeError, match="ties"):
        Hits.from_scores(scores=[1, 2], labels=[0, 1])


def test_equal_grades_may_share_a_score():
    assert Hits.from_scores(scores=[1, 1, 2, 2], labels=[0, 0, 1, 1], ties="raise").rank.tolist() == [1, 2]


# Means over ties of the same hits


def test_the_means_take_these_hits():
    scores, labels = np.random.default_rng(5).integers(0, 4, (9, 7)), np.random.default_rng(6).integers(0, 2, (9, 7))
    hits = Hits.from_scores(scores=scores, labels=labels, ties="mean")
    for mean in metrics.ties.MEAN_OF.values():
        given = {"k": 3} if mean is metrics.ties.precision_at else {}
        np.testing.assert_array_equal(mean(hits, **given), mean(labels, scores=scores, **given))
    total = labels.sum(axis=1) + 2
    expected = metrics.ties.average_precision(labels, scores=scores, n_relevant=total)
    np.testing.assert_array_equal(metrics.ties.average_precision(hits, n_relevant=total), expected)


def test_evaluate_takes_the_means():
    hits = Hits.from_scores(scores=[2, 1, 1, 0], labels=[0, 1, 0, 1], ties="mean")
    values = metrics.evaluate(hits, "AP P@2 RR nDCG@3", n_relevant=3)
    assert values["AP"] == metrics.ties.average_precision(hits, n_relevant=3) and values["P@2"] == metrics.ties.precision_at(hits, k=2)
    assert values["RR"] == metrics.ties.reciprocal_rank(hits) and values["nDCG@3"] == metrics.ties.ndcg(hits, k=3, n_relevant=3)
    for name in ("AUC", "RR@2", "AP@3(denominator=relevant)"):
        with pytest.raises(ValueError, match="no one order"):
            metrics.evaluate(hits, name)


def test_a_metric_of_one_order_refuses_hits_without_one():
    hits = Hits.from_scores(scores=[1, 1, 2], labels=[0, 1, 0], ties="mean")
    for metric in (metrics.average_precision, metrics.auc, metrics.ndcg, metrics.reciprocal_rank, lambda hits: metrics.recall_at(hits, 1)):
        with pytest.raises(ValueError, match='ties="mean", which have no one order, expected .* metrics.ties'):
            metric(hits)
    with pytest.raises(ValueError, match="scores: got scores besides hits that have their own"):
        metrics.ties.reciprocal_rank(hits, scores=[1, 1, 2])
    with pytest.raises(ValueError, match="scores: got None"):
        metrics.ties.reciprocal_rank([0, 1, 0])
    with pytest.raises(AttributeError, match="no attribute 'rang'"):
        getattr(hits, "rang")
    assert "hits=1" in repr(hits) and metrics.ties.MEAN_OF[metrics.average_precision] is metrics.ties.average_precision


# The precision-recall curve

LISTS = st.lists(st.tuples(st.sampled_from([-inf, -1.5, 0.0, 0.25, 2.0, 7.0, inf]), st.booleans()), min_size=1, max_size=20)


@given(LISTS, st.sampled_from([0, 0.5, 1, 2]))
def test_the_best_threshold_is_that_of_a_search(items, beta):
    scores, labels = zip(*items)
    curve = metrics.precision_recall_curve(scores=scores, labels=labels)
    found = {s: [label for score, label in items if score >= s] for s in scores}
    by_f = {s: definitions.f_score(sum(each), len(each) - sum(each), sum(labels) - sum(each), beta) for s, each in found.items()}
    threshold, f = curve.best_f(beta)
    np.testing.assert_allclose(f, float(max(by_f.values())), rtol=1e-12)
    assert threshold == max(s for s in scores if by_f[s] >= max(by_f.values()) - 1e-12)


@given(LISTS.filter(lambda items: any(label for _, label in items) and all(map(np.isfinite, [score for score, _ in items]))))
def test_the_curve_is_that_of_scikit_learn(items):
    sk = pytest.importorskip("sklearn.metrics")
    scores, labels = zip(*items)
    curve = metrics.precision_recall_curve(scores=scores, labels=labels)
    for ours, theirs in zip(curve, sk.precision_recall_curve(labels, scores), strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=1e-14)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: metrics.precision_recall_curve(scores=[[1, 2]], labels=[[0, 1]]), "scores: got shape (1, 2), expected one list of scores"),
        (lambda: metrics.precision_recall_curve(scores=[1, 2], labels=[0, 2]), "labels: got 2, expected 0/1 or bool"),
        (lambda: metrics.precision_recall_curve(scores=[1, nan], labels=[0, 1]), "scores: got nan at item 2"),
        (lambda: metrics.precision_recall_curve(scores=[], labels=[]).best_f(), "thresholds: got none, expected at least one score"),
        (lambda: metrics.precision_recall_curve(scores=[1], labels=[1]).best_f(-1), "beta: got -1, expected one number that is finite and >= 0"),
    ],
)  # fmt: skip
def test_a_curve_that_cannot_be_is_refused(call, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        call()


def test_nothing_relevant():
    curve = metrics.precision_recall_curve(scores=[1, 2], labels=[0, 0])
    assert curve.precision.tolist() == [0, 0, 1] and np.isnan(curve.recall[:2]).all() and curve.recall[2] == 0
    assert curve.best_f() == (2, 0)
