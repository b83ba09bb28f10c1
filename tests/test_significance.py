"""Tests, intervals and leaderboards: against full enumeration, against SciPy, and what may not change them."""

import sys
import tracemalloc
from dataclasses import FrozenInstanceError
from fractions import Fraction
from itertools import chain, combinations, permutations, product
from math import inf, isnan, nan, sqrt
from random import Random

import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy import stats

import metrics
from metrics.topics.significance import TESTS, resampling, sentences
from metrics.topics.significance.leaderboard import letters_of


def found(a, b, test="randomisation", undefined="raise", **more):
    return metrics.compare(a, b, test=test, undefined=undefined, **more)


def floats(values):
    return [float(value) for value in values]


def random_pair(n, seed=0, effect=0.05):
    random = np.random.default_rng(seed)
    a = random.random(n)
    return a, a + random.normal(effect, 0.2, n)


# ---- p of the randomisation test ---------------------------------------------------------------------------


def by_enumeration(differences):
    """The share of sign patterns whose sum is at least as far from 0, in exact arithmetic."""
    sums = [sum(s * d for s, d in zip(signs, differences)) for signs in product((1, -1), repeat=len(differences))]
    return Fraction(sum(abs(one) >= abs(sum(differences)) for one in sums), len(sums))


@pytest.mark.check
@pytest.mark.parametrize("n", range(2, 6))
def test_p_is_the_share_of_sign_patterns(n):
    """Columns of 0, 1/3 and 7/10, all or some: their floats add up to other last bits than the fractions."""
    values = [Fraction(0), Fraction(1, 3), Fraction(7, 10)]
    differences = sorted({x - y for x in values for y in values})
    pair_of = {x - y: (x, y) for x in values for y in values}
    chosen = product(differences, repeat=n) if n < 4 else np.random.default_rng(n).choice(len(differences), (300, n))
    for d in chosen if n < 4 else ([differences[i] for i in row] for row in chosen):
        a, b = zip(*map(pair_of.__getitem__, d))
        result = found(floats(a), floats(b), resamples=50)
        assert result.exact and result.p == by_enumeration(d), d
        assert (result.won, result.lost, result.tied) == tuple(sum((x > 0) - (x < 0) == way for x in d) for way in (1, -1, 0))


def test_sums_that_are_equal_on_paper_are_equal():
    assert 0.1 + 0.2 > 0.3  # so much for floats
    tenths = [Fraction(i, 10) for i in range(1, 8)]
    for signs in product((1, -1), repeat=6):
        d = [s * t for s, t in zip((*signs, 1), tenths)]
        a, b = [max(x, 0) for x in d], [max(-x, 0) for x in d]
        assert found(floats(a), floats(b), resamples=50).p == by_enumeration(d)
    assert found([0.1 * 3, 1], [0.3, 1]).tied == 2


@pytest.mark.parametrize("n", range(2, 11))
def test_p_against_scipy(n):
    for seed, effect in product(range(5), (0, 0.2)):
        a, b = random_pair(n, seed, effect)
        of_samples = stats.permutation_test(
            (a, b), lambda x, y, axis: (x - y).mean(axis), permutation_type="samples", vectorized=True, n_resamples=inf
        )
        assert found(a, b).exact and abs(found(a, b).p - of_samples.pvalue) < 1e-12


def share_at_least(sizes, least):
    """The share of all 2^n sign patterns whose sum is so far from 0, for whole numbers: by their distribution."""
    total = sum(sizes)
    ways = np.zeros(2 * total + 1, dtype=object)
    ways[total] = 1
    for size in sizes:
        ways = np.roll(ways, size) + np.roll(ways, -size)
    return Fraction(sum(ways[abs(np.arange(-total, total + 1)) >= least]), 2 ** len(sizes))


@pytest.mark.parametrize("seed", [0, 1])
@pytest.mark.parametrize("n", [21, 24, 33, 64, 200])
def test_sampled_p_is_near_the_exact_one(n, seed):
    d = np.random.default_rng(seed).integers(1, 9, n) * np.random.default_rng(seed + 9).choice([-1, 1], n, p=[0.4, 0.6])
    result = found(d, np.zeros(n), resamples=20_000, seed=seed)
    exact = float(share_at_least(abs(d).tolist(), abs(d.sum())))
    assert not result.exact and result.resamples == 20_000
    assert abs(result.p - exact) < 4 * sqrt(exact * (1 - exact) / 20_000) + 1e-4


def test_the_pattern_found_is_one_of_the_sampled():
    result = found(np.ones(40), np.zeros(40), resamples=999)
    assert result.p == 1 / 1000 and not result.exact and "p = 0.001)" in str(result)


def test_up_to_twenty_differences_are_enumerated_and_equal_values_do_not_count():
    result = found(np.ones(20), np.zeros(20))
    assert result.exact and result.p == 2 / 2**20 and result.resamples == 0
    a, b = np.arange(300.0), np.arange(300.0)
    a[:9] += 1
    assert found(a, b).exact and found(a, b).p == 2 / 2**9 and found(a, b).tied == 291


@pytest.mark.parametrize("n", [1, 7, 8, 9, 17])
def test_random_signs_are_signs_each_way_and_independent(n):
    """Powers of two: each sum tells its signs."""
    size = 20_000
    sums = resampling.random_signs(2.0 ** np.arange(n), size, 3)
    patterns = ((sums + 2**n - 1) / 2).astype(int)
    assert (2 * patterns - 2**n + 1 == sums).all() and patterns.min() >= 0 and patterns.max() < 2**n
    signs = 2 * (patterns[:, None] >> np.arange(n) & 1) - 1
    assert abs(signs.T @ signs / size - np.eye(n)).max() < 5 / sqrt(size) and abs(signs.mean(axis=0)).max() < 5 / sqrt(size)


def test_a_p_of_at_most_alpha_is_no_more_likely_than_alpha():
    """If signs are chance: for every alpha, at most that share of all patterns has so small a p."""
    sizes = [1, 1, 2, 3, 5, 8]
    ps = sorted(found([s * d for s, d in zip(signs, sizes)], [0] * 6).p for signs in product((1, -1), repeat=6))
    assert all(np.mean(np.array(ps) <= alpha) <= alpha for alpha in ps)


# ---- The other tests --------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(4))
def test_t_wilcoxon_and_sign_are_those_of_scipy(seed):
    for n in (2, 9, 50, 51, 300):
        a, b = random_pair(n, seed)
        won = int((a > b).sum())
        assert np.isclose(found(a, b, "t").p, stats.ttest_rel(a, b).pvalue, rtol=1e-9)
        assert np.isclose(found(a, b, "sign").p, stats.binomtest(won, n).pvalue, rtol=1e-12)
        method = "exact" if n <= 50 else "approx"
        assert np.isclose(found(a, b, "wilcoxon").p, stats.wilcoxon(a, b, method=method).pvalue, rtol=1e-9)
        assert [found(a, b, test).exact for test in ("t", "sign", "wilcoxon")] == [False, True, n <= 50]


def test_wilcoxon_and_sign_are_randomisation_tests_of_ranks_and_of_signs():
    for seed in range(5):
        a, b = random_pair(9, seed)
        d = a - b
        ranks = np.sign(d) * stats.rankdata(abs(d))
        assert np.isclose(found(a, b, "wilcoxon").p, found(ranks, 0 * ranks).p, rtol=1e-12)
        assert np.isclose(found(a, b, "sign").p, found(np.sign(d), 0 * d).p, rtol=1e-12)


def test_wilcoxon_gives_equal_differences_the_mean_of_their_ranks():
    a, b = [0.3, 0.2, 0.9, 0.5, 0.4], [0.2, 0.1, 0.0, 0.5, 0.6]  # 0.1 twice, in different last bits
    assert len({0.3 - 0.2, 0.2 - 0.1}) == 2
    expected = stats.wilcoxon([1, 1, 9, -2], method="approx").pvalue
    assert np.isclose(found(a, b, "wilcoxon").p, expected) and not found(a, b, "wilcoxon").exact


def test_all_equal_is_no_difference():
    for test in TESTS:
        result = found([1, 0.3, 0], [1, 0.1 * 3, 0], test)
        assert result.p == 1 and result.exact and result.tied == 3 and isnan(result.effect_size) and isnan(result.design_effect)
        assert str(result).startswith("Over 3 goals the means are 0.433 and 0.433, a difference of ")
    assert found([0, 0], [0, 0]).p == 1


def test_without_scipy_three_tests_say_what_to_install(monkeypatch):
    pair = random_pair(30)
    expected = found(*pair), str(board(dict(zip("ab", pair))))
    for name in [name for name in sys.modules if name.split(".")[0] == "scipy"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "scipy", None)
    assert expected == (found(*pair), str(board(dict(zip("ab", pair)))))
    for test in set(TESTS) - {"randomisation"}:
        with pytest.raises(ImportError, match=f"^test='{test}' needs SciPy, which is not installed: pip install scipy$"):
            found(*pair, test)


# ---- The interval ------------------------------------------------------------------------------------------


def test_the_interval_has_at_most_ten_thousand_draws():
    low = [found(*random_pair(30), resamples=resamples).low for resamples in (9_999, 10_000, 100_000)]
    assert low[0] != low[1] == low[2]


@pytest.mark.parametrize("at_once", [70, 5_000, 2**17])
def test_the_interval_is_that_of_scipy_however_many_draws_are_made_at_once(at_once, monkeypatch):
    monkeypatch.setattr(resampling, "AT_ONCE", at_once)
    for seed, (n, level) in enumerate([(2, 0.5), (7, 0.9), (90, 0.95), (333, 0.99)]):
        sums, sizes = np.random.default_rng(seed).normal(0.1, 1, (2, n)) * 2**40, np.random.default_rng(seed).integers(1, 4, n) * 1.0
        for row, limits in zip(sums, resampling.intervals(sums, sizes, level, 234, seed)):
            theirs = stats.bootstrap(
                (row, sizes), lambda s, n, axis: s.sum(axis) / n.sum(axis), paired=True, method="percentile",
                n_resamples=234, confidence_level=level, random_state=np.random.default_rng(seed),
            )  # fmt: skip
            assert np.allclose(limits, theirs.confidence_interval, rtol=1e-12)


def test_memory_is_bounded_however_many_goals_there_are():
    a, b = random_pair(200_000)
    tracemalloc.start()
    try:
        found(a, b, resamples=40)
        assert tracemalloc.get_traced_memory()[1] < 50e6
    finally:
        tracemalloc.stop()


def slow_interval(sums, sizes, level, draws=4_000):
    """The percentile interval once more, one draw after another."""
    random = Random(1)
    drawn = [random.choices(range(len(sums)), k=len(sums)) for _ in range(draws)]
    means = sorted(sum(sums[i] for i in draw) / sum(sizes[i] for i in draw) for draw in drawn)
    tail = round(draws * (1 - level) / 2)
    return means[tail], means[-tail]


@pytest.mark.parametrize("seed", range(3))
def test_the_interval_against_one_draw_after_another(seed):
    a, b = random_pair(80, seed)
    for level in (0.5, 0.95):
        result = found(a, b, confidence=level)
        low, high = slow_interval(a - b, np.ones(80), level)
        assert np.allclose([result.low, result.high], [low, high], rtol=0, atol=0.07 * (high - low))
        assert result.low < result.difference < result.high and result.confidence == level


def test_the_interval_of_three_goals_is_that_of_all_27_draws():
    d = [0.0, 1.0, 4.0]
    means = sorted(map(np.mean, product(d, repeat=3)))
    result = found(d, [0, 0, 0], confidence=0.8)  # draws 0 ... 2 of 27 have less than a tenth, 0 ... 3 more
    assert np.allclose([result.low, result.high], [means[2], means[24]])


def test_whole_groups_are_drawn():
    a, b = random_pair(60, 3)
    group = np.arange(60) % 12 // 3 * 3 + np.arange(60) % 3 * (np.arange(60) < 20)  # of several sizes
    labels, code = np.unique(group, return_inverse=True)
    sums, sizes = np.bincount(code, a - b), np.bincount(code)
    result = found(a, b, groups=group)
    low, high = slow_interval(sums, sizes, 0.95)
    assert result.groups == labels.size and len(set(sizes)) > 1
    assert np.allclose([result.low, result.high], [low, high], rtol=0, atol=0.07 * (high - low))


# ---- Groups ------------------------------------------------------------------------------------------------


def test_whole_groups_are_flipped():
    a = [Fraction(1, 3), Fraction(1, 2), Fraction(1), Fraction(0), Fraction(1, 4), Fraction(1, 7)]
    b = [Fraction(0), Fraction(1, 3), Fraction(1, 4), Fraction(1, 2), Fraction(1, 4), Fraction(0)]
    for labels in product("xyz", repeat=6):
        if len(set(labels)) > 1:
            sums = [sum(x - y for x, y, of in zip(a, b, labels) if of == label) for label in sorted(set(labels))]
            result = found(floats(a), floats(b), groups=labels, resamples=50)
            assert result.p == by_enumeration(sums) and result.groups == len(sums)


def test_every_test_sees_the_sums_of_groups():
    a, b = random_pair(40, 5)
    groups = np.arange(40) // 4
    sums = (a - b).reshape(10, 4).sum(axis=1)
    assert np.isclose(found(a, b, "t", groups=groups).p, stats.ttest_1samp(sums, 0).pvalue, rtol=1e-9)
    assert np.isclose(found(a, b, "wilcoxon", groups=groups).p, stats.wilcoxon(sums).pvalue, rtol=1e-9)
    assert np.isclose(found(a, b, "sign", groups=groups).p, stats.binomtest(int((sums > 0).sum()), 10).pvalue)


def test_groups_of_one_goal_are_no_groups():
    a, b = random_pair(50, 6)
    for test in TESTS:
        alone, grouped = found(a, b, test), found(a, b, test, groups=range(50))
        assert (alone.p, alone.low, alone.high, alone.design_effect) == (grouped.p, grouped.low, grouped.high, 1)
        assert (alone.groups, grouped.groups) == (None, 50)


def test_the_design_effect():
    """Each goal m times: m times the variance, but for what is estimated from fewer goals."""
    a, b = random_pair(30, 7)
    for m in (1, 2, 5):
        result = found(np.repeat(a, m), np.repeat(b, m), groups=np.repeat(np.arange(30), m))
        assert np.isclose(result.design_effect, m * (30 / 29) * (30 * m - 1) / (30 * m))
    d, labels = [Fraction(1), Fraction(0), Fraction(2), Fraction(-1), Fraction(3)], "aabbb"
    mean = sum(d) / 5
    residuals = [sum(x - mean for x, of in zip(d, labels) if of == label) for label in "ab"]
    by_hand = 2 * sum(r**2 for r in residuals) / (sum((x - mean) ** 2 for x in d) * Fraction(5, 4))
    assert np.isclose(found(floats(d), [0] * 5, groups=labels.__iter__()).design_effect, float(by_hand))


# ---- What may not change anything -----------------------------------------------------------------------

values = st.lists(st.tuples(*[st.sampled_from([0, 0.1, 0.2, 0.3, 1 / 3, 0.5, 2 / 3, 1])] * 2, st.sampled_from("xyz")), min_size=2, max_size=30)


@given(values, st.randoms(use_true_random=False), st.booleans(), st.sampled_from(["randomisation", "wilcoxon", "sign"]))
def test_neither_the_order_of_the_goals_nor_of_the_columns(rows, random, grouped, test):
    def of(rows, swap=False):
        a, b, labels = zip(*rows)
        if grouped and len(set(labels)) < 2:
            labels = range(len(rows))
        more = {"groups": labels} if grouped else {}
        return found(*((b, a) if swap else (a, b)), test, resamples=500, **more)

    shuffled = random.sample(rows, len(rows))
    one, other, turned = of(rows), of(shuffled), of(rows, swap=True)
    if not grouped or len({label for _, _, label in rows}) > 1:
        for field in "p exact mean_a mean_b difference won lost tied n".split():
            assert getattr(one, field) == getattr(other, field), field
        assert np.isclose(one.effect_size, other.effect_size, equal_nan=True)
    assert (one.p, one.mean_a, one.won, one.difference) == (turned.p, turned.mean_b, turned.lost, -turned.difference)
    assert np.allclose([one.low, one.high], [-turned.high, -turned.low])
    assert 0 < one.p <= 1 and one.won + one.lost + one.tied == one.n == len(rows)


@given(values, st.sampled_from([2.0**-30, 1 / 3, 100, 1e6]))
def test_neither_the_scale(rows, scale):
    a, b, _ = map(np.array, zip(*rows))
    one, other = found(a, b, resamples=200), found(scale * a, scale * b, resamples=200)
    assert (one.p, one.won, one.tied) == (other.p, other.won, other.tied)
    assert np.allclose([scale * one.low, scale * one.difference], [other.low, other.difference])


def test_a_seed_gives_the_same_and_another_seed_nearly_the_same():
    a, b = random_pair(60, 8, 0.03)
    assert found(a, b) == found(a, b, seed=0) != found(a, b, seed=1)
    assert abs(found(a, b).p - found(a, b, seed=1).p) < 0.01


# ---- What is given -----------------------------------------------------------------------------------------


def test_mappings_are_compared_goal_by_goal():
    a, b = {"g1": 0.5, "g2": 0.7, "g3": 0.1}, {"g3": 0.3, "g1": 0.1, "g2": 0.4}
    assert found(a, b) == found([0.5, 0.7, 0.1], [0.1, 0.4, 0.3])
    groups = {"g2": "x", "g1": "y", "g3": "x", "g4": "z"}
    assert found(a, b, groups=groups) == found([0.5, 0.7, 0.1], [0.1, 0.4, 0.3], groups=["y", "x", "x"])


def test_undefined_goals():
    a, b = [1, nan, 0.5, nan, 0.25], [0, 0, nan, nan, 0]
    skipped = found(a, b, undefined="skip")
    assert (skipped.n, skipped.skipped, skipped.mean_a) == (2, 3, 0.625)
    assert skipped == found([1, 0.25], [0, 0]).__class__(**vars(found([1, 0.25], [0, 0])) | {"skipped": 3})
    filled = found(a, b, undefined=0)
    assert (filled.n, filled.skipped, filled.mean_a, filled.tied) == (5, 0, 0.35, 2)
    grouped = found(a, b, undefined="skip", groups="xyzxy".__iter__())
    assert grouped.groups == 2
    assert "Over 2 goals in 2 groups (3 more are undefined and left out) the means are" in str(grouped)


PAIR = [1, 2, 3], [3, 2, 2]
ERRORS = [
    (lambda: found([1, 2], [1, 2, 3]), "b: got 3 values, expected as many as a has, 2"),
    (lambda: found([[1, 2]], [[1, 2]]), "a: got an array of shape (1, 2), expected one value for each goal"),
    (lambda: found(1, 2), "a: got an array of shape (), expected one value for each goal"),
    (lambda: found("ab", [1, 2]), "a: got the text 'ab'"),
    (lambda: found([1, 2], ["x", "y"]), "b: got text, such as 'x'"),
    (lambda: found([1], [2]), "a: got 1 goal with values, expected two goals or more"),
    (lambda: found([], []), "a: got 0 goals with values, expected two goals or more"),
    (lambda: found([1, nan], [1, 2], undefined="skip"), "a: got 1 goal with values"),
    (lambda: found([1, inf], [1, 2]), "a: got inf, expected finite values"),
    (lambda: found([1, 2], [1, -inf]), "b: got -inf, expected finite values"),
    (lambda: found([1, nan], [1, 2]), "a: got nan at position 1, expected defined values, or undefined="),
    (lambda: found([1, 2], [nan, 2]), "b: got nan at position 0"),
    (lambda: found(*PAIR, undefined="drop"), "undefined: got 'drop'"),
    (lambda: found(*PAIR, undefined=nan), "undefined: got nan"),
    (lambda: found(*PAIR, test="z"), "test: got 'z', expected 'randomisation' or 't' or 'wilcoxon' or 'sign'"),
    (lambda: found([1, 2], [2, 3], "t"), "test: got 't' where all differences are the same, expected differences that vary"),
    (lambda: found([0.3, 0.2], [0.2, 0.1], "t"), "test: got 't' where all differences are the same"),
    (lambda: found(*PAIR, confidence=1), "confidence: got 1, expected one number in (0, 1)"),
    (lambda: found(*PAIR, confidence=95), "confidence: got 95"),
    (lambda: found(*PAIR, resamples=1), "resamples: got 1, expected one whole number >= 2"),
    (lambda: found(*PAIR, seed=-1), "seed: got -1, expected one whole number >= 0"),
    (lambda: found(*PAIR, seed=None), "seed: got None"),
    (lambda: found({"x": 1, "y": 2}, {"y": 1}), "b: got no value for goal 'x', expected the goals of a"),
    (lambda: found({"y": 1}, {"x": 1, "y": 2}), "a: got no value for goal 'x', expected the goals of b"),
    (lambda: found({"x": 1, "y": 2}, [1, 2]), "b: got a list, expected the kind of a, a dict"),
    (lambda: found([1, 2], {"x": 1, "y": 2}), "b: got a dict, expected the kind of a, a list"),
    (lambda: found({"x": 1, "y": None}, {"x": 1, "y": 2}), "a: got None of type NoneType"),
    (lambda: found(*PAIR, groups=[1, 2]), "groups: got 2 labels, expected one for each of the 3 goals"),
    (lambda: found(*PAIR, groups="xyz"), "groups: got 'xyz', expected a collection"),
    (lambda: found(*PAIR, groups=[1, 1, 1]), "groups: got 1 group with values, expected two groups or more"),
    (lambda: found(*PAIR, groups=[[1], [2], [3]]), "groups: got [1], expected labels that can be hashed"),
    (lambda: found(*PAIR, groups={"x": 1}), "groups: got a dict, expected labels for the goals in the way in which the values are given"),
    (lambda: found({"x": 1, "y": 2}, {"x": 1, "y": 1}, groups=[1, 2]), "groups: got a list, expected labels for the goals in the way"),
    (lambda: found({"x": 1, "y": 2}, {"x": 1, "y": 1}, groups={"x": 1}), "groups: got no label for goal 'y', expected one for each goal"),
    (lambda: board({"x": [1, 2]}), "runs: got 1 runs, expected a mapping of two names or more to values"),
    (lambda: board([[1, 2], [2, 1]]), "runs: got a list, expected a mapping of two names or more to values"),
    (lambda: board({"x": [1, 2], "y": [1]}), "runs['y']: got 1 values, expected as many as runs['x'] has, 2"),
    (lambda: board({"x": {1: 1, 2: 2}, "y": {1: 1, 3: 1}}), "runs['y']: got no value for goal 2, expected the goals of runs['x']"),
    (lambda: board({"x": [1, 2], "y": [1, nan]}), "runs['y']: got nan at position 1"),
    (lambda: board({"x": [1, 2], "y": [1, 3]}, correction="bonferroni"), "correction: got 'bonferroni', expected 'holm' or 'max'"),
]


@pytest.mark.parametrize("call, words", ERRORS)
def test_an_error_names_the_argument_what_was_given_and_what_is_expected(call, words):
    with pytest.raises(ValueError) as error:
        call()
    assert str(error.value).startswith(words) and ", expected " in str(error.value)


def test_what_is_given_stays_as_it_is():
    a, b = random_pair(5)
    before = a.copy(), b.copy()
    a.setflags(write=False)
    board({"a": a, "b": b})
    found(a, b)
    assert (a == before[0]).all() and (b == before[1]).all()


# ---- The sentence ------------------------------------------------------------------------------------------


def test_the_sentence():
    assert str(found([0.5, 0.9, 0.4, 0.8], [0.4, 0.7, 0.4, 0.5])) == (
        "Over 4 goals the means are 0.65 and 0.50, a difference of 0.15 (95% bootstrap interval 0.05 to 0.25; two-sided "
        "paired randomisation test by all sign flips, p = 0.250); the first is higher on 3 goals, lower on 0 and equal on 1."
    )
    a = np.repeat([10_000.0, 10_002, 10_004], 500)
    shown = str(found(a, a[::-1] - 3, "t", groups=np.arange(1500) // 10, confidence=0.9))
    assert shown.startswith("Over 1,500 goals in 150 groups the means are 10,002.00 and 9,999.00, a difference of 3.00 (90% bootstrap interval 2.")
    assert "two-sided paired t test of the sums of the groups, p < 0.001); the first is higher on 1,000 goals, lower on 500" in shown
    assert "by 100,000 random sign flips of whole groups, p" in str(found(a, a[::-1], groups=np.arange(1500) // 10))


# ---- Leaderboards ------------------------------------------------------------------------------------------


def board(runs, undefined="raise", **more):
    return metrics.leaderboard(runs, undefined=undefined, **more)


def some_runs(k=5, n=60, seed=0, step=0.04):
    random = np.random.default_rng(seed)
    base = random.random(n)
    return {f"run {i}": base + random.normal(step * i, 0.15, n) for i in range(k)}


def maximal_sets_without_a_difference(differ):
    runs = range(len(differ))
    sets = chain.from_iterable(combinations(runs, size) for size in range(1, len(differ) + 1))
    alike = [set(some) for some in sets if not any(differ[i][j] for i, j in combinations(some, 2))]
    return [one for one in alike if not any(one < other for other in alike)]


@pytest.mark.check
@pytest.mark.parametrize("k", range(1, 6))
def test_letters_of_every_graph(k):
    """Two runs share a letter just if they do not differ, and each letter stands for a largest set of such runs."""
    pairs = list(combinations(range(k), 2))
    for chosen in product((False, True), repeat=len(pairs)):
        differ = np.zeros((k, k), dtype=bool)
        for (i, j), value in zip(pairs, chosen):
            differ[i, j] = differ[j, i] = value
        letters = letters_of(differ)
        assert all(bool(set(letters[i]) & set(letters[j])) != differ[i, j] for i, j in pairs)
        groups = [{run for run in range(k) if letter in letters[run]} for letter in sorted(set("".join(letters)))]
        wanted = maximal_sets_without_a_difference(differ)
        assert sorted(map(sorted, groups)) == sorted(map(sorted, wanted)) and groups == sorted(groups, key=sorted)
        assert all(list(its) == sorted(its) and its for its in letters)


def test_what_holm_cannot_tell_apart_is_refused():
    apart = {f"run {i}": np.arange(30) % 3 + 10.0 * i for i in range(9)}
    words = "resamples: got 718, expected at least 719: with fewer, no two of 9 runs could be told apart"
    with pytest.raises(ValueError, match=f"^{words}$"):
        board(apart, correction="holm", resamples=718)
    assert board(apart, correction="holm", resamples=719).letters == list("abcdefghi")
    assert board({name: values[:20] for name, values in apart.items()}, correction="holm", resamples=2).letters == list("abcdefghi")


def test_more_groups_than_letters_are_refused():
    differ = np.ones((53, 53), dtype=bool)
    assert letters_of(differ[:52, :52])[51] == "Z"
    with pytest.raises(ValueError, match="^runs: got 53 overlapping groups, expected at most 52 to name by letters$"):
        letters_of(differ)


def test_holm_step_by_step():
    """The smallest p against alpha / m, the next against alpha / (m - 1), until one is not below."""
    result = board(some_runs(5), correction="holm", resamples=2_000)
    runs = some_runs(5)
    pairs = list(combinations(result.names, 2))
    raw = {pair: found(*map(runs.__getitem__, pair), resamples=2_000).p for pair in pairs}
    corrected = {(x, y): result.p[result.names.index(x), result.names.index(y)] for x, y in pairs}
    for alpha in sorted(chain((m * p for p in raw.values() for m in range(1, 11)), (0.05, 0.01))):
        rejected = set()
        for place, pair in enumerate(sorted(pairs, key=raw.get)):
            if raw[pair] * (len(pairs) - place) > alpha:
                break
            rejected.add(pair)
        assert alpha >= 1 or rejected == {pair for pair in pairs if corrected[pair] <= alpha}
    assert (result.p == result.p.T).all() and (np.diag(result.p) == 1).all()


def test_the_largest_difference_against_all_exchanges():
    values = np.array([[0.5, 0.9, 0.4, 0.75], [0.0, 0.1, 1.0, 0.2], [0.25, 0.3, 0.4, 0.0]])
    ranges = [np.ptp(np.sum(rows, axis=0)) for rows in product(*map(list, map(permutations, values.T)))]
    exact = np.mean(np.array(ranges) >= abs(values.sum(axis=1)[:, None] - values.sum(axis=1))[..., None] - 1e-9, axis=-1)
    result = board(dict(zip("abc", values)), correction="max", resamples=40_000)
    assert result.names == list("abc") and len(ranges) == 6**4
    assert np.allclose(result.p, exact, rtol=0, atol=0.01) and (result.p == result.p.T).all() and (np.diag(result.p) == 1).all()


def test_of_two_runs_both_corrections_are_the_randomisation_test():
    a, b = random_pair(40, 4, 0.06)
    for correction in ("max", "holm"):
        assert abs(board({"a": a, "b": b}, correction=correction, resamples=40_000).p[0, 1] - found(a, b).p) < 0.01


def test_more_runs_make_it_harder():
    runs = some_runs(2, 40, 2, 0.08)
    noise = {f"noise {i}": np.random.default_rng(i).permutation(runs["run 0"]) for i in range(6)}
    for correction in ("holm", "max"):
        alone, among = board(runs, correction=correction), board(runs | noise, correction=correction)
        assert alone.p[0, 1] < among.p[tuple(map(among.names.index, runs))]


def test_a_run_far_below_hides_a_difference_from_the_largest_one_only():
    runs = some_runs(2, 60, 2, 0.08)
    far = {"far": runs["run 0"] - 5 * np.random.default_rng(1).random(60)}
    assert board(runs | far).letters == ["a", "b", "c"]
    assert board(runs | far, correction="max").letters == ["a", "a", "b"]


def test_whole_groups_are_exchanged():
    runs = {name: np.repeat(values, 4) for name, values in some_runs(4, 30, 3).items()}
    groups = np.repeat(np.arange(30), 4)
    for correction in ("max", "holm"):
        grouped, alone = board(runs, groups=groups, correction=correction), board(some_runs(4, 30, 3), correction=correction)
        assert np.array_equal(grouped.p, alone.p) and grouped.letters == alone.letters and grouped.groups == 30
        assert np.allclose([*grouped.low, *grouped.high], [*alone.low, *alone.high])
        assert (board(runs, correction=correction).p <= grouped.p).all()


def test_a_leaderboard_does_not_depend_on_orders():
    runs = some_runs(4, 30, 5)
    for correction in ("max", "holm"):
        one = board(runs, correction=correction, resamples=500)
        order = np.random.default_rng(1).permutation(30)
        other = board({name: runs[name][order] for name in reversed(runs)}, correction=correction, resamples=500)
        by_goal = board({name: dict(enumerate(values)) for name, values in runs.items()}, correction=correction, resamples=500)
        for same in (other, by_goal):
            assert (one.names, one.letters, one.mean) == (same.names, same.letters, same.mean)
            assert np.array_equal(one.p, same.p) and one.mean == sorted(one.mean, reverse=True)


def test_where_lower_is_better_the_order_turns():
    runs = some_runs(4, 30, 6)
    high, low = board(runs), board({name: -values for name, values in runs.items()}, lower_is_better=True)
    assert high.names == low.names and np.allclose(high.mean, -np.array(low.mean)) and np.allclose(high.low, -np.array(low.high))
    assert np.allclose(high.p, low.p, rtol=0, atol=0.02) and str(low).splitlines()[1].startswith("   1  run 3  -0.")


def test_a_leaderboard_leaves_out_what_one_run_lacks():
    runs = {"a": [1, nan, 0.5, 0.2], "b": [0, 1, nan, 0.1], "c": [1, 1, 1, 0.3]}
    result = board(runs, undefined="skip")
    assert (result.n, result.skipped) == (2, 2) and result.names == ["c", "a", "b"]
    assert "Over 2 goals (2 more are undefined and left out)" in str(result)


def test_the_table():
    runs = {"A": [0.5] * 30 + [0.3] * 31, "B": [0.4] * 30 + [0.3] * 31, "C": [0.1] * 61}
    assert str(board(runs, correction="holm", resamples=5000)) == """\
rank  run    mean    95% interval  letters
   1  A     0.398  0.372 to 0.425  a
   2  B     0.349  0.336 to 0.362   b
   3  C     0.100  0.100 to 0.100    c

Over 61 goals; bootstrap interval of each mean alone. Runs that share a
letter are not distinguishable at the 5% level (paired randomisation
tests, corrected by Holm)."""
    assert str(board({"A": [1, 1], "B": [1, 1]})).splitlines()[1:3] == ["   1  A     1.000  1.000 to 1.000  a", "   2  B     1.000  1.000 to 1.000  a"]


@pytest.mark.parametrize("scale", [1e-6, 1, 1e6])
@pytest.mark.parametrize("name", ["x", "a name", "a very long name of a system " * 4])
def test_a_table_fits(scale, name):
    runs = {f"{name} {i}": scale * values for i, values in enumerate(some_runs(9, 40).values())}
    lines = str(board(runs, resamples=800)).splitlines()
    assert max(map(len, lines)) <= 72
    if "very" in name:
        assert len(lines[0]) == 72 and {line.count("…") for line in lines[1:10]} == {1}


def test_how_many_decimals():
    """Two digits of the width, at most nine; in a table, of the widest interval."""
    shown = {width: sentences.with_decimals_for(width)(1234.56789) for width in (0, 1e-12, 0.011, 0.11, 1.1, 11, 110, 1e6)}
    assert list(shown.values()) == ["1,234.568", "1,234.567890000", "1,234.568", "1,234.57", "1,234.6", "1,235", "1,235", "1,235"]
    assert sentences.with_decimals_for(1)(-0.01) == "-0.0" and sentences.with_decimals_for(1)(-0.0) == "0.0"
    wide, narrow = [0.0, 1.0] * 20, [0.3, 0.31] * 20
    assert str(board({"wide": wide, "narrow": narrow})).splitlines()[1].startswith("   1  wide    0.50  0.")


def test_equal_means_keep_the_order_in_which_they_were_given():
    names = [f"run {i}" for i in range(40)]
    assert board({name: [0, 1] for name in names}, resamples=10).names == names


def test_what_was_found_stays_as_it_is():
    result, table = found([1, 2], [2, 1]), board({"a": [1, 2], "b": [2, 1]})
    assert table == table and table != board({"a": [1, 2], "b": [2, 1]})
    for thing in (result, table):
        with pytest.raises(FrozenInstanceError):
            thing.p = 0
