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
from metrics import Total
from metrics.topics.totals import LogTotal

FINITE = st.floats(allow_nan=False, allow_infinity=False)
VALUES = st.lists(st.one_of(FINITE, st.just(math.nan), st.sampled_from([0.1, 1 / 3, 1e16, -1e16, 5e-324])), max_size=12)
SHARES = st.lists(st.one_of(st.floats(0, 1), st.just(math.nan)), max_size=12)


def nearest(exact):
    """The float nearest to a fraction, found among its neighbours."""
    close = float(exact.numerator / exact.denominator) if exact.denominator < 2**900 else float(exact)
    around = (math.nextafter(close, -math.inf), close, math.nextafter(close, math.inf))
    return min(filter(math.isfinite, around), key=lambda x: (abs(Fraction(x) - exact), x != close))


def cut(values, data):
    """The values in random order, in pieces, the totals of which are merged in a random tree."""
    shuffled = data.draw(st.permutations(values))
    ends = sorted(data.draw(st.lists(st.integers(0, len(values)), max_size=4)))
    return [shuffled[a:b] for a, b in zip([0, *ends], [*ends, len(values)])]


def merged(totals, data):
    """One total, by merging any two until one is left."""
    while len(totals) > 1:
        one = totals.pop(data.draw(st.integers(0, len(totals) - 1)))
        other = totals.pop(data.draw(st.integers(0, len(totals) - 1)))
        totals.append(one + other)
    return totals[0]


@given(VALUES, st.data())
def test_a_total_does_not_know_the_partition_the_order_or_the_tree(values, data):
    total = merged([Total.of(piece) for piece in cut(values, data)], data)
    known = [x for x in values if not math.isnan(x)]
    assert total == Total(len(known), len(values) - len(known), sum(map(Fraction, known), Fraction(0)))
    shares = [abs(x) for x in values]
    total = merged([LogTotal.of(piece) for piece in cut(shares, data)], data)
    assert total == LogTotal.of(shares) and type(total) is LogTotal


@given(VALUES)
def test_the_mean_is_rounded_once(values):
    known = [Fraction(x) for x in values if not math.isnan(x)]
    mean = Total.of(values).mean(undefined="skip")
    assert mean == nearest(sum(known) / len(known)) if known else math.isnan(mean)


@given(SHARES, st.sampled_from(["skip", 0, 1, 0.25, Fraction(1, 3)]), st.sampled_from([0, 1e-5, 0.5, 2]))
def test_the_means_of_the_package_are_the_same_but_for_rounding(values, undefined, floor):
    both = dict(rel=1e-13, abs=1e-300, nan_ok=True)
    assert Total.of(values).mean(undefined=undefined) == pytest.approx(metrics.mean(values, undefined=undefined), **both)
    for lifted, standing_in in ((None, undefined), (floor, "skip")):
        expected = metrics.geometric_mean(values, undefined=standing_in, floor=lifted)
        assert LogTotal.of(values, lifted).mean(undefined=standing_in) == pytest.approx(expected, **both | {"rel": 1e-11})


def test_sums_beyond_the_floats_of_the_smallest_of_them_and_of_arrays():
    assert Total.of([1.7e308] * 5).mean(undefined="raise") == 1.7e308 and Total.of([1.7e308] * 5).sum == 5 * Fraction(1.7e308)
    assert Total.of([5e-324, -5e-324, -5e-324]).sum == Fraction(-5e-324)
    assert Total.of(np.full((3, 4), 0.1)).sum == 12 * Fraction(0.1)
    assert Total.of([-1e308]).per(Total.of([1e-308])) == -math.inf


def test_infinite_values_as_in_metrics_mean():
    for values in ([math.inf, 1], [-math.inf, 1], [math.inf, -math.inf], [-math.inf, math.inf], [1]):
        for undefined in (math.inf, -math.inf, 0):
            given = [*values, math.nan]
            assert Total.of(given).mean(undefined=undefined) == pytest.approx(metrics.mean(given, undefined=undefined), nan_ok=True)
        assert Total.of(values) == Total.of(values[:1]) + Total.of(values[1:])
    assert LogTotal.of([0, 4]).mean(undefined="raise") == 0 == LogTotal.of([math.nan, 4]).mean(undefined=0)


def test_nothing_left_is_nan_and_a_stand_in_needs_somebody_to_stand_in_for():
    assert math.isnan(Total().mean(undefined=0)) and math.isnan(Total.of([math.nan]).mean(undefined="skip"))
    assert Total.of([math.nan]).mean(undefined=0.5) == 0.5 and Total.of([1.0]).mean(undefined=math.inf) == 1


def test_a_micro_mean_and_a_weighted_one():
    found, required = Total.of([2, 4, 1]), Total.of([2, 4, 8])
    assert found.per(required) == 0.5
    values, weights = np.array([0.1, 0.7, 0.4]), np.array([1.0, 2.0, 4.0])
    assert Total.of(values * weights).per(Total.of(weights)) == pytest.approx(np.average(values, weights=weights))
    assert math.isnan(Total().per(Total())) and math.isnan(Total.of([math.nan]).per(required))


def test_a_total_is_small_and_travels():
    million = Total.of(np.random.default_rng(0).random(1_000_000))
    sent = pickle.dumps(reduce(add, [million] * 1000))
    assert pickle.loads(sent) == sum([million] * 1000, Total()) and len(sent) < 200
