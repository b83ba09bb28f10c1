"""Properties that hold for any input, and agreement with scikit-learn where the definitions coincide."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, strategies as st
from sklearn import metrics as sk

import metrics
from metrics import Hits
from metrics.hits import nonzero

rankings = st.lists(st.integers(0, 1), min_size=1, max_size=40)
with_a_hit = rankings.filter(any)
BOUNDED = [
    *(lambda r, metric=metric: metric(r, 5) for metric in (
        metrics.precision_at, metrics.recall_at, metrics.normalized_recall_at, metrics.f_score_at, metrics.accuracy_at)),
    metrics.r_precision, metrics.average_precision, metrics.eleven_point_average_precision, metrics.interpolated_average_precision,
    metrics.trapezoidal_area, metrics.reciprocal_rank, metrics.bpref, metrics.ndcg,
    lambda r: metrics.rank_biased_precision(r, 0.8), lambda r: metrics.expected_reciprocal_rank(r, 4),
]  # fmt: skip


@given(with_a_hit)
def test_values_lie_between_0_and_that_of_the_ideal_ranking(ranking):
    ideal = sorted(ranking, reverse=True)
    for metric in BOUNDED:
        assert 0 <= metric(ranking) <= metric(ideal) + 1e-12 <= 1 + 2e-12


@given(with_a_hit, st.integers(0, 5))
def test_irrelevant_items_at_the_end_change_what_they_should(ranking, padding):
    padded = ranking + [0] * padding
    for metric in (metrics.average_precision, metrics.r_precision, metrics.reciprocal_rank, metrics.dcg):
        assert metric(padded) == metric(ranking)
    if 0 < sum(ranking) < len(ranking):
        assert metrics.auc(padded) >= metrics.auc(ranking)


@given(st.lists(st.lists(st.integers(0, 3), max_size=6), max_size=5))
def test_a_batch_is_its_rankings(rows):
    """Rankings of different length, as ranks, give what each gives alone."""
    ranks = [[k for k, grade in enumerate(row, 1) if grade] for row in rows]
    hits = Hits.from_ranks(ranks, [len(row) for row in rows]) if rows else Hits.from_relevance(np.zeros((0, 3)))
    binary = [[int(grade > 0) for grade in row] for row in rows]
    for metric in (metrics.average_precision, metrics.auc, metrics.accuracy_at, metrics.bpref, metrics.ndcg):
        extra = (2,) if metric is metrics.accuracy_at else ()
        np.testing.assert_allclose(metric(hits, *extra), [metric(r, *extra) for r in binary], atol=1e-12)


@pytest.mark.parametrize("dtype", ["u1", "?", "i2", "f2", "i4", "f4", "u8", "f8", ">f8", "g"])
def test_hits_are_found_wherever_they_lie(dtype):
    """Few take the fast way, whatever the size of an entry and the length of what is left over; many are looked for entry by entry."""
    for shape in [(3, 37), (5, 16), (1, 63)]:
        for hit in np.ndindex(shape):
            array = np.zeros(shape, dtype)
            array[hit] = 1
            hits = Hits.from_relevance(array)
            assert (hits.row.tolist(), hits.rank.tolist()) == ([hit[0]], [hit[1] + 1])
    for size, every, offset in product((0, 1, 7, 8, 9, 321), (1, 2, 5, 40), (0, 3)):
        flat = np.array([place % every == 0 for place in range(-offset, size)], dtype)[offset:]
        assert nonzero(flat).tolist() == [place for place in range(size) if place % every == 0]


def test_few_hits_are_found_word_by_word():
    """The numbers go through NumPy in words of eight bytes, and of the words only the busy ones are opened."""
    matrix = np.zeros(7 * 8 * 999, np.uint8)
    matrix[3 * 8 * 999 + 5] = 1
    opened = []

    class Counting(np.ndarray):
        def __array_ufunc__(self, ufunc, method, *inputs, **options):
            opened.append(max(np.size(each) for each in inputs))
            return getattr(ufunc, method)(*(np.asarray(each) for each in inputs), **options)

    assert nonzero(matrix.view(Counting)).tolist() == [3 * 8 * 999 + 5]
    assert opened and max(opened) == matrix.size // 8


def test_bpref_of_a_mask_in_a_batch_of_different_lengths():
    hits = Hits.from_ranks([[1, 3], [2], [1]], length=[4, 2, 1], n_relevant=[2, 2, 1])
    mask = [[1, 0, 1, 1], [1, 1, 1, 1], [0, 1, 1, 1]]
    np.testing.assert_array_equal(metrics.bpref(hits, judged=mask), [1, 0, 0])


# scikit-learn, without ties: the scores n, n - 1, ... 1 rank the items as they stand.


@pytest.mark.parametrize("ranking", list(product((0, 1), repeat=3)))
def test_scikit_learn(ranking):
    n, scores = len(ranking), [3, 2, 1]
    graded = [2 * ranking[0], *ranking[1:]]
    pairs = [(sk.dcg_score([graded], [scores], k=2), metrics.dcg(graded, 2))]
    if any(ranking):
        precision, recall, _ = sk.precision_recall_curve(ranking, scores)
        pairs += [(sk.average_precision_score(ranking, scores), metrics.average_precision(ranking))]
        pairs += [(sk.auc(recall, precision), metrics.trapezoidal_area(ranking))]
    for k in range(1, n + 1) if any(ranking) else ():
        predicted = [int(place < k) for place in range(n)]
        tp, fp, fn, _ = metrics.confusion(predicted=range(k), actual=np.flatnonzero(ranking))
        pairs += [(sk.ndcg_score([ranking], [scores], k=k), metrics.ndcg(ranking, k))]
        pairs += [(sk.fbeta_score(ranking, predicted, beta=2), metrics.f_score_at(ranking, k, beta=2))]
        for name in ("precision", "recall", "accuracy"):
            pairs += [(getattr(sk, f"{name}_score")(ranking, predicted), getattr(metrics, f"{name}_at")(ranking, k))]
        pairs += [(sk.f1_score(ranking, predicted), metrics.f_score(tp, fp, fn)), (sk.jaccard_score(ranking, predicted), metrics.jaccard(tp, fp, fn))]
    if 0 < sum(ranking) < n:
        for each in (scores, [2, 1, 2]):
            pairs += [(sk.roc_auc_score(ranking, each), metrics.auc_from_scores(scores=each, labels=ranking))]
        pairs += [(sk.roc_auc_score(ranking, scores), metrics.auc(ranking))]
    np.testing.assert_allclose(*zip(*pairs), atol=1e-8)
