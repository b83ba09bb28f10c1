"""Rank correlation: against SciPy, and against sums that are written out. The definitions: test_definitions; what the chapter says: its claims."""

from math import isnan, nan

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from scipy.stats import kendalltau, weightedtau

import metrics

KINDS = ("minimum", "residual", "extrapolated")
COLUMNS = st.integers(0, 9).flatmap(lambda n: st.tuples(*[st.lists(st.integers(0, 6), min_size=n, max_size=n)] * 2))
NAMES = st.lists(st.sampled_from("abcdefghij"), unique=True, min_size=1)


def rbo(a, b, persistence, **more):
    return tuple(metrics.rank_biased_overlap(a, b, persistence=persistence, kind=kind, **more) for kind in KINDS)


@settings(deadline=None)
@given(COLUMNS)
def test_as_scipy_has_them(columns):
    a, b = columns
    theirs = (kendalltau(a, b).statistic, weightedtau(a, b).statistic) if len(a) > 1 else (nan, nan)
    np.testing.assert_allclose((metrics.kendall_tau(a, b), metrics.weighted_tau(a, b)), theirs, atol=1e-12, equal_nan=True)


def test_rows_at_once_and_numbers_of_any_kind():
    rng = np.random.default_rng(1)
    one, many = rng.permutation(7), np.array([rng.permutation(7) for _ in range(6)]).reshape(2, 3, 7)
    for function in (metrics.kendall_tau, metrics.weighted_tau, lambda a, b: metrics.ap_correlation(reference=a, other=b)):
        rows = [[function(one, row) for row in rows] for rows in many]
        np.testing.assert_array_equal(function(one, many), rows)
        np.testing.assert_array_equal(function(one.astype("u1"), many / 8), rows)
        assert function(np.append(one, np.inf), np.append(one, 9)) == 1 and isinstance(function(one, one), np.float64)
        assert isnan(function([], [])) and isnan(function([1], [2])) and function(np.zeros((3, 0)), np.zeros((3, 0))).shape == (3,)
    assert isnan(metrics.kendall_tau([1, 1], [1, 2])) and metrics.kendall_tau([1, 1], [1, 2], variant="a") == 0
    assert isnan(metrics.weighted_tau([1, 1], [1, 2]))


def written_out(a, b, p, depth=2000):
    """RBO of two lists that are over."""
    return (1 - p) * sum(p ** (d - 1) * len({*a[:d]} & {*b[:d]}) / d for d in range(1, depth))


@settings(deadline=None)
@given(NAMES, NAMES, st.sampled_from([0, 0.3, 0.9]))
def test_the_least_the_most_and_between(a, b, p):
    least, residual, extrapolated = rbo(a, b, p)
    assert np.isclose(least, written_out(a, b, p)) and -1e-9 <= residual and least + residual <= 1 + 1e-9
    assert least - 1e-9 <= extrapolated <= least + residual + 1e-9
    assert np.allclose(rbo(a, b, p), rbo(b, a, p)) and np.allclose(rbo(a, b, p, depth=2), rbo(a[:2], b[:2], p))
    # The best that can follow: each list goes on with what the other has and it lacks, then both with the same.
    more = list(range(50)) if p else []
    full_a, full_b = ([*one, *(item for item in other if item not in one), *more] for one, other in ((a, b), (b, a)))
    if p < 0.5:
        assert np.isclose(least + residual, rbo(full_a, full_b, p)[2], atol=1e-9)


def test_where_nothing_is_known():
    assert rbo([], [], 0.5)[:2] == (0, 1) and isnan(rbo([], ["a"], 0.5)[2]) and rbo([], ["a"], 0.5)[:2] == (0, 1)
    assert rbo([*"ab"], [*"ab"], 0.5) == rbo([*"abc"], [*"abd"], 0.5, depth=2)
    assert rbo(["a"], ["a"], 0) == (1, 0, 1) and rbo(["a"], ["b"], 0) == (0, 0, 0)
    with pytest.raises(TypeError):
        metrics.ap_correlation([1, 2], [1, 2])
