"""Totals: exact, rounded once, and the same for every partition, order and bracketing."""

import math
import pickle
from fractions import Fraction
from functools import reduce
from operator import add

import numpy as np
import pytest
from hypothesis import given, strategies as st

import metrics
from metrics import LogTotal, Total

FINITE = st.floats(allow_nan=False, allow_infinity=False)
VALUES = st.lists(st.one_of(FINITE, st.just(math.nan), st.sampled_from([0.1, 1 / 3, 1e16, -1e16, 5e-324])), max_size=12)
SHARES = st.lists(st.one_of(st.floats(0, 1), st.just(math.nan)), max_size=12)
INFINITE = st.lists(st.sampled_from([math.inf, -math.inf]), max_size=2)
STAND_INS = st.sampled_from(["skip", 0, 1, 0.25, Fraction(1, 3), math.inf, -math.inf])


def merged(totals, data):
    """One total, by merging any two until one is left."""
    while len(totals) > 1:
        one, other = (totals.pop(data.draw(st.integers(0, len(totals) - 1))) for _ in "ab")
        totals.append(one + other)
    return totals[0]


@given(VALUES, st.data())
def test_a_total_does_not_know_the_partition_the_order_or_the_tree(values, data):
    shuffled, ends = data.draw(st.permutations(values)), sorted(data.draw(st.lists(st.integers(0, len(values)), max_size=4)))
    pieces = [shuffled[a:b] for a, b in zip([0, *ends], [*ends, len(values)])]
    known = [x for x in values if not math.isnan(x)]
    exact = sum(map(Fraction, known), Fraction(0))
    total = merged(list(map(Total.of, pieces)), data)
    assert total == Total(len(known), len(values) - len(known), exact)
    mean = total.mean(undefined="skip")
    assert mean == float(exact / len(known)) if known else math.isnan(mean), "it is rounded once"
    assert merged([LogTotal.of(np.abs(piece)) for piece in pieces], data) == LogTotal.of(np.abs(values))


@given(SHARES, INFINITE, STAND_INS, st.sampled_from([0, 1e-5, 0.5, 2]))
def test_the_means_of_the_package_are_the_same_but_for_rounding(shares, infinite, undefined, floor):
    both, values = dict(rel=1e-11, abs=1e-300, nan_ok=True), infinite + shares
    assert Total.of(values).mean(undefined=undefined) == pytest.approx(metrics.mean(values, undefined=undefined), **both)
    for lifted, standing_in in ((None, "skip" if undefined == -math.inf else undefined), (floor, "skip")):
        expected = metrics.geometric_mean(shares, undefined=standing_in, floor=lifted)
        assert math.isinf(expected) or LogTotal.of(shares, lifted).mean(undefined=standing_in) == pytest.approx(expected, **both)


def test_sums_beyond_the_floats_of_the_smallest_of_them_and_of_arrays():
    assert Total.of([1.7e308] * 5).mean(undefined="raise") == 1.7e308 and Total.of([1.7e308] * 5).sum == 5 * Fraction(1.7e308)
    assert Total.of(np.full((3, 4), 0.1)).sum == 12 * Fraction(0.1) and Total.of([math.inf, -math.inf]) == Total.of([math.inf]) + Total.of([-math.inf])
    assert LogTotal.of([0, 4]).mean(undefined="raise") == 0


def test_a_micro_mean_and_a_weighted_one():
    values, weights = np.array([0.1, 0.7, 0.4]), np.array([1.0, 2.0, 4.0])
    assert Total.of(values * weights).per(Total.of(weights)) == pytest.approx(np.average(values, weights=weights))
    assert math.isnan(Total().per(Total())) and math.isnan(Total.of([math.nan]).per(Total.of([2])))
    assert Total.of([-1e308]).per(Total.of([1e-308])) == -math.inf


def test_a_total_is_small_and_travels():
    million = Total.of(np.random.default_rng(0).random(1_000_000))
    sent = pickle.dumps(reduce(add, [million] * 1000))
    assert pickle.loads(sent) == sum([million] * 1000, Total()) and len(sent) < 200
