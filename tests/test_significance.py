"""Tests, intervals and leaderboards: against full enumeration, against SciPy, and what may not change them; rank correlation against SciPy and sums."""

import re
import sys
from fractions import Fraction
from itertools import combinations, permutations, product
from math import inf, isnan, nan, sqrt

import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy import stats

import metrics
from metrics.topics.significance import TESTS, resampling, sentences
from metrics.topics.significance.many_systems import letters_of


def found(a, b, test="randomisation", undefined="raise", **more):
    return metrics.compare(a, b, test=test, undefined=undefined, **more)


def board(runs, undefined="raise", **more):
    return metrics.leaderboard(runs, undefined=undefined, **more)


def random_pair(n, seed=0, effect=0.05):
    random = np.random.default_rng(seed)
    a = random.random(n)
    return a, a + random.normal(effect, 0.2, n)


def some_runs(k=5, n=60, seed=0, step=0.04):
    random = np.random.default_rng(seed)
    base = random.random(n)
    return {f"run {i}": base + random.normal(step * i, 0.15, n) for i in range(k)}


# ---- p -----------------------------------------------------------------------------------------------------


def by_enumeration(differences):
    """The share of sign patterns whose sum is at least as far from 0, in exact arithmetic."""
    sums = [sum(s * d for s, d in zip(signs, differences)) for signs in product((1, -1), repeat=len(differences))]
    return Fraction(sum(abs(one) >= abs(sum(differences)) for one in sums), len(sums))


@pytest.mark.check
@pytest.mark.parametrize("n", range(2, 6))
def test_p_is_the_share_of_sign_patterns(n):
    """Columns of 0, 1/3 and 7/10, all or some: their floats add up to other last bits than the fractions."""
    pairs = list(product([Fraction(0), Fraction(1, 3), Fraction(7, 10)], repeat=2))
    chosen = product(pairs, repeat=n) if n < 4 else ([pairs[i] for i in row] for row in np.random.default_rng(n).choice(len(pairs), (300, n)))
    for rows in chosen:
        a, b = zip(*rows)
        d = [x - y for x, y in rows]
        result = found(list(map(float, a)), list(map(float, b)), resamples=50)
        assert result.exact and result.p == by_enumeration(d), d
        assert (result.won, result.lost, result.tied) == (sum(x > 0 for x in d), sum(x < 0 for x in d), d.count(0))


@pytest.mark.parametrize("seed", [0, 1])
@pytest.mark.parametrize("n", [21, 24, 33, 50])
def test_sampled_p_is_near_the_exact_one(n, seed):
    """Of whole numbers from 1 to n it is that of Wilcoxon's test, for they are their own ranks."""
    random = np.random.default_rng(seed)
    d, nothing = random.permutation(n) + 1, np.zeros(n)
    d = d * random.choice([-1, 1], n, p=[0.35, 0.65])
    result, exact = found(d, nothing, resamples=20_000, seed=seed), found(d, nothing, "wilcoxon").p
    assert not result.exact and result.resamples == 20_000
    assert abs(result.p - exact) < 4 * sqrt(exact * (1 - exact) / 20_000) + 1e-4


def test_up_to_twenty_differences_that_are_not_0_are_enumerated_and_draws_are_at_most_ten_thousand():
    for n, zeros in ((20, 0), (9, 291)):
        result = found(np.repeat([1, 0], [n, zeros]), np.zeros(n + zeros))
        assert result.exact and (result.p, result.resamples, result.tied) == (2 / 2**n, 0, zeros)
    sampled = found(np.ones(40), np.zeros(40), resamples=999)
    assert sampled.p == 1 / 1000 and not sampled.exact and "p = 0.001)" in str(sampled), "the pattern found is one of them"
    low = [found(*random_pair(30), resamples=resamples).low for resamples in (9_999, 10_000, 100_000)]
    assert low[0] != low[1] == low[2]


@pytest.mark.parametrize("grouped", [False, True])
@pytest.mark.parametrize("n", [2, 9, 50, 300, 501])
def test_t_wilcoxon_and_sign_are_those_of_scipy(n, grouped):
    """Of groups each test sees the sums, and the randomisation test, too."""
    a, b = random_pair(4 * n if grouped else n, n)
    d, more = ((a - b).reshape(4, n).sum(axis=0), {"groups": np.arange(4 * n) % n}) if grouped else (a - b, {})
    expected = {
        "t": stats.ttest_1samp(d, 0).pvalue, "sign": stats.binomtest(int((d > 0).sum()), n).pvalue,
        "wilcoxon": stats.wilcoxon(d, method="exact" if n <= 500 else "approx").pvalue, "randomisation": found(d, 0 * d, resamples=500).p,
    }  # fmt: skip
    results = {test: found(a, b, test, resamples=500, **more) for test in expected}
    assert {test: result.p for test, result in results.items()} == pytest.approx(expected, rel=1e-9)
    assert [result.exact for result in results.values()] == [False, True, n <= 500, n <= 20]
    assert ("signed-rank test by the normal approximation" in str(results["wilcoxon"])) == (n > 500)


@pytest.mark.check
@pytest.mark.parametrize("n", range(2, 11))
def test_wilcoxon_is_the_randomisation_test_of_mean_ranks(n):
    """With equal sizes, in different last bits, and with differences of 0, which have no rank."""
    random = np.random.default_rng(n)
    for most in (1, 2, n) * 20:
        d = random.integers(-most, most + 1, n)
        d[:2] = abs(d[:2]) if d.any() else 1
        ranks = np.zeros(n)
        ranks[d != 0] = stats.rankdata(abs(d[d != 0]))
        result = found((d + most) / 10, np.full(n, most / 10), "wilcoxon")
        assert result.exact and result.p == by_enumeration((2 * ranks * np.sign(d)).astype(int).tolist()), d


def test_equal_sizes_have_one_rank_if_they_differ_by_a_unit_of_rounding_or_are_many():
    assert resampling.signed_rank(np.array([7.0, -8, 9, 20]), 1) == resampling.signed_rank(np.array([7.0, -7, 7, 20]), 0)
    d = np.random.default_rng(0).integers(-9, 11, 5_000)
    assert found(d, 0 * d, "wilcoxon").p == pytest.approx(stats.wilcoxon(d, method="approx").pvalue)


@pytest.mark.parametrize("test", TESTS)
def test_all_equal_is_no_difference(test):
    result = found([1, 0.3, 0], [1, 0.1 * 3, 0], test)
    assert result.p == 1 and result.exact and result.tied == 3 and isnan(result.effect_size)
    assert str(result).startswith("Over 3 goals the means are 0.433 and 0.433, a difference of ")


def test_without_scipy_two_tests_say_what_to_install(monkeypatch):
    for name in [name for name in sys.modules if name.split(".")[0] == "scipy"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "scipy", None)
    pair = random_pair(30)
    assert 0 < found(*pair, "wilcoxon").p < 1 and 0 < found(*pair).p < 1 and board(dict(zip("ab", pair))).names == ["b", "a"]
    for test in ("t", "sign"):
        with pytest.raises(ImportError, match=f"^test='{test}' needs SciPy, which is not installed: pip install scipy$"):
            found(*pair, test)


# ---- The interval ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("grouped", [False, True])
@pytest.mark.parametrize("at_once", [70, 5_000, 2**17])
def test_the_interval_is_that_of_scipy_however_many_draws_are_made_at_once(at_once, grouped, monkeypatch):
    """Whole groups are drawn, of several sizes."""
    monkeypatch.setattr(resampling, "AT_ONCE", at_once)
    for seed, (n, level) in enumerate([(2, 0.5), (7, 0.9), (90, 0.95), (333, 0.99)]):
        sizes = np.random.default_rng(seed).integers(1, 4, n) if grouped else np.ones(n, dtype=int)
        labels = np.repeat(np.arange(n), sizes)
        a, b = random_pair(labels.size, seed)
        theirs = stats.bootstrap(
            (np.bincount(labels, a - b), sizes), lambda s, n, axis: s.sum(axis) / n.sum(axis), paired=True, method="percentile",
            n_resamples=234, confidence_level=level, random_state=np.random.default_rng(seed),
        )  # fmt: skip
        result = found(a, b, groups=labels if grouped else None, confidence=level, resamples=234, seed=seed)
        assert np.allclose([result.low, result.high], theirs.confidence_interval, rtol=1e-9)
        assert (result.confidence, result.groups) == (level, n if grouped else None)


values = st.lists(st.tuples(*[st.sampled_from([0, 0.1, 0.2, 0.3, 1 / 3, 0.5, 2 / 3, 1])] * 2, st.sampled_from("xyz")), min_size=2, max_size=30)


@given(values, st.randoms(use_true_random=False), st.booleans(), st.sampled_from(["randomisation", "wilcoxon", "sign"]), st.sampled_from([2.0**-30, 100, 1e6]))
def test_neither_the_order_of_the_goals_nor_of_the_columns_nor_the_scale(rows, random, grouped, test, scale):
    grouped = grouped and len({label for *_, label in rows}) > 1

    def of(rows, a=0, b=1, scale=1):
        columns = list(zip(*rows))
        return found(scale * np.array(columns[a]), scale * np.array(columns[b]), test, resamples=500, groups=columns[2] if grouped else None)

    one, other, turned, scaled = of(rows), of(random.sample(rows, len(rows))), of(rows, 1, 0), of(rows, scale=scale)
    for field in "p exact mean_a mean_b difference won lost tied n".split():
        assert getattr(one, field) == getattr(other, field), field
    assert np.isclose(one.effect_size, other.effect_size, equal_nan=True)
    assert (one.p, one.mean_a, one.won, one.difference) == (turned.p, turned.mean_b, turned.lost, -turned.difference)
    assert (one.p, one.won, one.tied) == (scaled.p, scaled.won, scaled.tied)
    assert np.allclose([one.low, one.high, one.low], [-turned.high, -turned.low, scaled.low / scale])
    assert 0 < one.p <= 1 and one.won + one.lost + one.tied == one.n == len(rows)


# ---- What is given -----------------------------------------------------------------------------------------


def test_undefined_goals():
    a, b = [1, nan, 0.5, nan, 0.25], [0, 0, nan, nan, 0]
    skipped, filled = found(a, b, undefined="skip", groups="xyzxy".__iter__()), found(a, b, undefined=0)
    assert (skipped.n, skipped.skipped, skipped.mean_a, skipped.groups) == (2, 3, 0.625, 2)
    assert "Over 2 goals in 2 groups (3 more are undefined and left out) the means are" in str(skipped)
    assert (filled.n, filled.skipped, filled.mean_a, filled.tied) == (5, 0, 0.35, 2)
    ranked = board({"a": [1, nan, 0.5, 0.2], "b": [0, 1, nan, 0.1], "c": [1, 1, 1, 0.3]}, undefined="skip")
    assert (ranked.n, ranked.skipped, ranked.names) == (2, 2, ["c", "a", "b"])


XYZ, XY = ([1, 2, 3], [3, 2, 2]), {"x": 1, "y": 2}


@pytest.mark.parametrize("call, given, more, words", [
    (found, ([1, 2], [1, 2, 3]), {}, "b: got 3 values, expected as many as a has, 2"),
    (found, ([], []), {}, "a: got 0 goals with values, expected two goals or more"),
    (found, ([1, 2], [1, -inf]), {}, "b: got -inf, expected finite values"),
    (found, ([0.3, 0.2], [0.2, 0.1]), {"test": "t"}, "test: got 't', although all differences (of groups: their sums) are the same"),
    (found, (XY, {"y": 1}), {}, "b: got no value for goal 'x', expected the goals of a"),
    (found, XYZ, {"groups": [1, 1, 1]}, "groups: got 1 group with values, expected two groups or more"),
    (board, ({"x": [1, 2]},), {}, "runs: got 1 runs, expected a mapping of two names or more to values"),
    (letters_of, (np.ones((53, 53), dtype=bool),), {}, "runs: got 53 overlapping groups, expected at most 52 to name by letters"),
])  # fmt: skip
def test_an_error_names_the_argument_what_was_given_and_what_is_expected(call, given, more, words):
    with pytest.raises(ValueError, match="^" + re.escape(words)):
        call(*given, **more)


# ---- The sentence ------------------------------------------------------------------------------------------


def test_the_sentence():
    assert str(found([0.5, 0.9, 0.4, 0.8], [0.4, 0.7, 0.4, 0.5])) == (
        "Over 4 goals the means are 0.65 and 0.50, a difference of 0.15 (95% bootstrap interval 0.05 to 0.25; two-sided "
        "paired randomisation test by all sign flips, p = 0.250); the first is higher on 3 goals, lower on 0 and equal on 1."
    )
    assert found([0.5, 0.9, 0.4, 0.8], [0.4, 0.7, 0.4, 0.5]).too_few() == "With 3 goals that differ, p cannot be below 0.25."
    assert found([0.5, 0.9, 0.4, 0.8], [0.4, 0.7, 0.4, 0.5], "t").too_few() == found(list(range(6)), [9] * 6).too_few() == ""
    for test, n in product(("randomisation", "sign", "wilcoxon"), (2, 3, 4)):
        of_all = [found(list(sizes), [0] * n, test) for sizes in product((1, 2, 3), repeat=n)]
        assert {each.too_few() for each in of_all} == {f"With {n} goals that differ, p cannot be below {2.0 ** (1 - n):.3g}."}
        assert min(each.p for each in of_all) == pytest.approx(2.0 ** (1 - n))
    a = np.repeat([10_000.0, 10_002, 10_004], 500)
    shown = str(found(a, a[::-1] - 3, "t", groups=np.arange(1500) // 10, confidence=0.9))
    assert shown.startswith("Over 1,500 goals in 150 groups the means are 10,002.00 and 9,999.00, a difference of 3.00 (90% bootstrap interval 2.")
    assert "two-sided paired t test of the sums of the groups, p < 0.001); the first is higher on 1,000 goals, lower on 500" in shown
    assert "by 100,000 random sign flips of whole groups, p" in str(found(a, a[::-1], groups=np.arange(1500) // 10))


def test_how_many_decimals():
    """Two digits of the width, at most nine; in a table, of the widest interval."""
    shown = [sentences.with_decimals_for(width)(1234.56789) for width in (0, 1e-12, 0.011, 0.11, 1.1, 11, 110, 1e6)]
    assert shown == ["1,234.568", "1,234.567890000", "1,234.568", "1,234.57", "1,234.6", "1,235", "1,235", "1,235"]
    assert sentences.with_decimals_for(1)(-0.0) == "0.0"
    assert str(board({"wide": [0.0, 1.0] * 20, "narrow": [0.3, 0.31] * 20})).splitlines()[1].startswith("   1  wide    0.50  0.")


# ---- Leaderboards ------------------------------------------------------------------------------------------


@pytest.mark.check
@pytest.mark.parametrize("k", range(1, 6))
def test_letters_of_every_graph(k):
    """Each letter stands for a largest set of runs of which no two differ; in their order."""
    pairs = list(combinations(range(k), 2))
    sets = [set(some) for size in range(1, k + 1) for some in combinations(range(k), size)]
    for chosen in product((False, True), repeat=len(pairs)):
        apart = [pair for pair, value in zip(pairs, chosen) if value]
        differ = np.zeros((k, k), dtype=bool)
        for i, j in apart:
            differ[i, j] = differ[j, i] = True
        alike = [one for one in sets if not any(one.issuperset(pair) for pair in apart)]
        wanted = sorted(sorted(one) for one in alike if not any(one < other for other in alike))
        letters = letters_of(differ)
        assert [[run for run in range(k) if letter in letters[run]] for letter in sorted(set("".join(letters)))] == wanted
        assert all(list(its) == sorted(its) for its in letters)
    assert letters_of(np.ones((52, 52), dtype=bool))[51] == "Z"


@pytest.mark.parametrize("correction, enough", [("holm", 719), ("max", 19)])
def test_draws_that_can_tell_nothing_apart_are_refused(correction, enough):
    apart = {f"run {i}": np.arange(30) % 3 + 10.0 * i for i in range(9)}
    words = f"resamples: got {enough - 1}, expected at least {enough}: with fewer, no two of 9 runs could be told apart"
    with pytest.raises(ValueError, match=f"^{words}$"):
        board(apart, correction=correction, resamples=enough - 1)
    assert "a" in board(apart, correction=correction, resamples=enough).letters
    assert board({name: values[:20] for name, values in apart.items()}, correction="holm", resamples=2).letters == list("abcdefghi")


def test_holm_step_by_step():
    """The smallest p counts m times, the next m - 1 times, and none becomes smaller than the one before."""
    runs = some_runs(5)
    result = board(runs, correction="holm", resamples=2_000)
    raw = {pair: found(*map(runs.__getitem__, pair), resamples=2_000).p for pair in combinations(result.names, 2)}
    largest = 0
    for times, (one, other) in zip(range(len(raw), 0, -1), sorted(raw, key=raw.get)):
        largest = max(largest, times * raw[one, other])
        assert np.isclose(result.p[result.names.index(one), result.names.index(other)], min(largest, 1), rtol=1e-12)
    assert (result.p == result.p.T).all() and (np.diag(result.p) == 1).all()


def test_the_largest_difference_against_all_exchanges():
    values = np.array([[0.5, 0.9, 0.4, 0.75], [0.0, 0.1, 1.0, 0.2], [0.25, 0.3, 0.4, 0.0]])
    ranges = [np.ptp(np.sum(rows, axis=0)) for rows in product(*map(list, map(permutations, values.T)))]
    exact = np.mean(np.array(ranges) >= abs(values.sum(axis=1)[:, None] - values.sum(axis=1))[..., None] - 1e-9, axis=-1)
    result = board(dict(zip("abc", values)), correction="max", resamples=40_000)
    assert result.names == list("abc") and len(ranges) == 6**4
    assert np.allclose(result.p, exact, rtol=0, atol=0.01) and (result.p == result.p.T).all() and (np.diag(result.p) == 1).all()


def test_the_largest_difference_of_thirds_is_that_of_whole_numbers():
    """Of thirds the sums are off in their last bits, and exchanges that reach a difference exactly must be counted."""
    for seed in range(20):
        thirds = np.random.default_rng(seed).integers(0, 4, (3, 7))
        of_thirds, of_whole = (board(dict(zip("abc", values)), correction="max", resamples=200) for values in (thirds / 3, thirds))
        assert of_thirds.names == of_whole.names and (of_thirds.p == of_whole.p).all()


@pytest.mark.parametrize("correction", ["holm", "max"])
def test_a_leaderboard_is_that_of_whole_groups_in_any_order(correction):
    runs = some_runs(4, 30, 5)

    def of(runs, **more):
        return board(runs, correction=correction, resamples=500, **more)

    one, order = of(runs), np.random.default_rng(1).permutation(30)
    shuffled = of({name: runs[name][order] for name in reversed(runs)})
    fourfold = {name: np.repeat(values, 4) for name, values in runs.items()}
    grouped = of(fourfold, groups=np.repeat(np.arange(30), 4))
    assert of({name: -values for name, values in runs.items()}, lower_is_better=True).names == one.names
    assert len({one, shuffled, grouped, one}) == 3, "each is itself"
    for same in (shuffled, grouped):
        assert (one.names, one.letters) == (same.names, same.letters) and np.allclose(one.mean, same.mean, rtol=1e-12)
        assert np.array_equal(one.p, same.p) and one.mean == sorted(one.mean, reverse=True)
    assert np.allclose([*grouped.low, *grouped.high], [*one.low, *one.high]) and grouped.groups == 30
    assert (of(fourfold).p <= grouped.p).all()


def test_the_table():
    runs = {"A": [0.5] * 30 + [0.3] * 31, "B": [0.4] * 30 + [0.3] * 31, "C": [0.1] * 61}
    shown = """\
rank  run    mean    95% interval  letters
   1  A     0.398  0.372 to 0.425  a
   2  B     0.349  0.336 to 0.362   b
   3  C     0.100  0.100 to 0.100    c

Over 61 goals; bootstrap interval of each mean alone. Runs that share a
letter are not distinguishable at the 5% level (paired randomisation
tests, corrected by Holm)."""
    assert str(board(runs, correction="holm", resamples=5000)) == shown
    names = [f"run {i}" for i in range(40)]
    assert board({name: [0, 1] for name in names}, resamples=10).names == names, "equal means keep their order"


def test_the_design_effect_by_hand():
    """The leads are (5, 2) and (9, 4, 1) tenths: the sums of the groups are 1.4 tenths from what the mean would give them."""
    groups, leads = [1, 1, 2, 2, 2], [0.5, 0.2, 0.9, 0.4, 0.1]
    assert found(leads, [0] * 5, groups=groups).design_effect == pytest.approx(2 * (0.14**2 + 0.14**2) / (5 / 4 * 0.388))
    assert found(leads, [0] * 5, groups=range(5)).design_effect == pytest.approx(1)


# ---- Rank correlation --------------------------------------------------------------------------------------


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


# ---- Judges ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("labels", (2, 4, 300))
def test_kappa_is_that_of_scikit_learn_whatever_the_labels_are(labels):
    scikit = pytest.importorskip("sklearn.metrics").cohen_kappa_score
    rng = np.random.default_rng(labels)
    first, second = rng.integers(labels, size=(2, 3, 400))
    second = np.where(rng.random(second.shape) < 0.5, first, second)
    expected = [scikit(one, other) for one, other in zip(first, second)]
    for kind in (lambda x: x, lambda x: x.tolist(), lambda x: x * 10**12, lambda x: x / 8, lambda x: x.astype(str), lambda x: x.astype(str).tolist()):
        np.testing.assert_allclose(metrics.cohen_kappa(kind(first), kind(second)), expected, rtol=1e-12)
    one, other = ({f"d{i}": int(grade) for i, grade in enumerate(row) if i % step} for row, step in ((first[0], 3), (second[0], 5)))
    both = [i for i in range(400) if i % 3 and i % 5]
    pooled = metrics.cohen_kappa({"q": one, "r": {}}, {"q": other})
    assert pooled == metrics.cohen_kappa(one, other) == metrics.cohen_kappa(first[0][both], second[0][both])


def test_kappa_of_what_cannot_be_compared():
    assert isnan(metrics.cohen_kappa([], [])) and isnan(metrics.cohen_kappa(["a", "a"], ["a", "a"])) and isnan(metrics.cohen_kappa({"x": 1}, {"y": 1}))
    assert metrics.cohen_kappa([0, 0], [1, 1]) == 0 and metrics.cohen_kappa(np.zeros((3, 0)), np.zeros((3, 0))).shape == (3,)
    for one, other in (([1], ["1"]), ([nan], [1]), ({"x": 1}, [1]), ({"x": 1}, {"q": {"x": 1}}), ([1, 2], [1, 2, 3]), ({"x": 1}, {1: 1})):
        with pytest.raises(ValueError, match="^first.*: got .*, expected "):
            metrics.cohen_kappa(one, other)


def test_where_nothing_is_known():
    def rbo(a, b, persistence, **more):
        return [metrics.rank_biased_overlap(a, b, persistence=persistence, kind=kind, **more) for kind in ("minimum", "residual", "extrapolated")]

    assert rbo([], [], 0.5)[:2] == [0, 1] and isnan(rbo([], ["a"], 0.5)[2])
    assert rbo([*"ab"], [*"ab"], 0.5) == rbo([*"abc"], [*"abd"], 0.5, depth=2)
    assert rbo(["a"], ["a"], 0) == [1, 0, 1] and rbo(["a"], ["b"], 0) == [0, 0, 0]
    with pytest.raises(TypeError):
        metrics.ap_correlation([1, 2], [1, 2])
