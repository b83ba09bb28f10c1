"""Properties that hold for any input."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, strategies as st

import metrics
from metrics import Hits
from metrics.hits import nonzero

with_a_hit = st.lists(st.integers(0, 1), min_size=1, max_size=40).filter(any)
BOUNDED = [
    *(lambda r, metric=metric: metric(r, 5) for metric in (
        metrics.precision_at, metrics.recall_at, metrics.normalized_recall_at, metrics.f_score_at, metrics.accuracy_at)),
    metrics.r_precision, metrics.average_precision, metrics.eleven_point_average_precision, metrics.interpolated_average_precision,
    metrics.trapezoidal_area, metrics.reciprocal_rank, metrics.bpref, metrics.ndcg,
    lambda r: metrics.rank_biased_precision(r, 0.8), lambda r: metrics.expected_reciprocal_rank(r, 4),
]  # fmt: skip


@given(with_a_hit, st.integers(0, 5))
def test_values_lie_between_0_and_that_of_the_ideal_ranking_and_misses_at_the_end_change_nothing(ranking, padding):
    for metric in BOUNDED:
        assert 0 <= metric(ranking) <= metric(sorted(ranking, reverse=True)) + 1e-12 <= 1 + 2e-12
    for metric in (metrics.average_precision, metrics.r_precision, metrics.reciprocal_rank, metrics.dcg):
        assert metric(ranking + [0] * padding) == metric(ranking)


@given(st.lists(st.lists(st.integers(0, 3), max_size=6), min_size=1, max_size=5))
def test_a_batch_is_its_rankings(rows):
    """Rankings of different length, as ranks, give what each gives alone."""
    hits = Hits.from_ranks([np.flatnonzero(row) + 1 for row in rows], [len(row) for row in rows])
    for metric in (metrics.average_precision, metrics.auc, lambda r: metrics.accuracy_at(r, 2), metrics.bpref, metrics.ndcg):
        np.testing.assert_allclose(metric(hits), [metric(np.array(row) > 0) for row in rows], atol=1e-12)


@pytest.mark.parametrize("dtype", ["u1", "?", "i2", "f2", "i4", "f4", "u8", "f8", ">f8", "g"])
def test_hits_are_found_wherever_they_lie(dtype):
    """Few take the fast way, whatever the size of an entry and the length of what is left over; many are looked for entry by entry."""
    for hit in np.ndindex(3, 37):
        array = np.zeros((3, 37), dtype)
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
