"""How sure can I be that two systems differ: paired tests, intervals, and a table of many systems.

Metrics are rounded numbers, and differences that are equal on paper may differ in their last bits.
So the tests see whole numbers: differences in units of 2^-40, a millionth of a millionth, of the
largest value.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from math import floor, fsum, log10
from typing import Any, TypeAlias

import numpy as np

from ._checks import choice, collection, number, numeric, refuse, whole
from ._types import Floats, Number, Numbers, Whole
from .aggregate import defined
from .hits import ratio

Column: TypeAlias = Numbers | Mapping[Any, float]  # one value a goal, or goal -> value
Groups: TypeAlias = Iterable[Hashable] | Mapping[Any, Hashable]  # one label a goal, or goal -> label

PRECISION = 2.0**-40
ENUMERATED = 20  # so many differences have 2^20 patterns of signs, which are all looked at
DRAWS = 10_000  # of the bootstrap, at most: another 10,000 move a limit by about 1 % of the width
TESTS = {
    "randomisation": "paired randomisation test",
    "t": "paired t test",
    "wilcoxon": "Wilcoxon signed-rank test",
    "sign": "sign test",
}
CORRECTIONS = {
    "max": "the largest difference in {} random exchanges (randomised Tukey HSD)",
    "holm": "paired randomisation tests of up to {} sign flips, corrected by Holm",
}


@dataclass(frozen=True)
class Comparison:
    """Two systems on the same goals, as `compare` finds them; `str` makes a sentence of it.

    mean_a, mean_b, difference: the two means over the goals, and the first less the second.
    low, high: the limits of the bootstrap interval of the difference; confidence: its level.
    p: two-sided; test: of which test; exact: whether p is free of chance and of approximation;
    resamples: the random sign flips, 0 where there are none.
    n: goals; skipped: goals left out as undefined; groups: how many, None without groups.
    won, lost, tied: the goals in which a is higher, lower, equal.
    effect_size: the mean of the differences over their standard deviation, nan if they are equal.
    design_effect: the variance of the difference with groups over that without, 1 without.
    """

    mean_a: float
    mean_b: float
    difference: float
    low: float
    high: float
    confidence: float
    p: float
    test: str
    exact: bool
    resamples: int
    n: int
    skipped: int
    groups: int | None
    won: int
    lost: int
    tied: int
    effect_size: float
    design_effect: float

    def __str__(self) -> str:
        show = with_decimals_for(self.high - self.low)
        return (
            f"{over_goals(self)} the means are {show(self.mean_a)} and {show(self.mean_b)}, "
            f"a difference of {show(self.difference)} ({100 * self.confidence:g}% bootstrap interval "
            f"{show(self.low)} to {show(self.high)}; two-sided {TESTS[self.test]}{self.how()}, "
            f"{'p < 0.001' if self.p < 0.001 else f'p = {self.p:.3f}'}); the first is higher on "
            f"{self.won:,} goals, lower on {self.lost:,} and equal on {self.tied:,}."
        )

    def how(self) -> str:
        """How p was found, for the sentence."""
        of_groups = "" if self.groups is None else " of whole groups"
        if self.test != "randomisation":
            return of_groups and " of the sums of the groups"
        return f" by {'all' if self.exact else f'{self.resamples:,} random'} sign flips{of_groups}"


def compare(
    a: Column, b: Column, *,
    test: str, undefined: Number | str,
    groups: Groups | None = None,
    confidence: Number = 0.95,
    resamples: Whole = 100_000, seed: Whole = 0,
) -> Comparison:
    """Two systems on the same goals: how sure is the difference.

    The sentence for a paper is `str` of the result.

    a, b: one value a goal, in the same order, or mappings
    goal -> value with the same goals;
    test: "randomisation" (does it matter which of the two a
    value comes from?), "t" (is the mean difference 0, if means
    are about normal?), "wilcoxon" (do differences lie evenly
    about 0, by rank?), "sign" (is each as often the higher?);
    undefined: "raise", "skip" (the goal, in both), or one
    number that stands in for nan;
    groups: a label for each goal, or a mapping goal -> label,
    where goals of one group are not independent. The tests
    then see one sum of differences for each group, so that
    whole groups are flipped; the bootstrap draws whole groups;
    confidence: of the interval, in (0, 1);
    resamples: random sign flips, where more than 20
    differences are not 0; the bootstrap has at most 10,000;
    seed: one whole number >= 0.
    Returns a `Comparison`: the means, their difference with a
    percentile bootstrap interval, p in [0, 1], and more.
    Raises ValueError for text, infinite values, goals that
    differ, fewer than two goals or groups, nan with "raise",
    and "t" where the differences are all the same.
    Source: Smucker, Allan and Carterette (2007); Efron and
    Tibshirani (1993).

    >>> a, b = [0.5, 0.9, 0.4, 0.8], [0.4, 0.7, 0.4, 0.5]
    >>> found = compare(a, b, test="randomisation", undefined=0)
    >>> found.p, found.exact, found.won, found.tied
    (0.25, True, 3, 1)
    """
    choice("test", test, TESTS)
    level, resamples, seed = settings(confidence, resamples, seed)
    values, labels, skipped = table({"a": a, "b": b}, undefined, groups)
    mean_a, mean_b = means(values)
    d = values[0] - values[1]
    sums, sizes = by_group(d, labels)
    low, high = interval(sums, sizes, level, resamples, seed)
    unit = PRECISION * (abs(values).max() or 1)
    p, exact = p_value(test, np.rint(sums / unit), resamples, seed)
    higher = np.sign(np.rint(d / unit))
    return Comparison(
        mean_a, mean_b, mean_a - mean_b, low, high, level,
        p, test, exact, resamples if test == "randomisation" and not exact else 0,
        d.size, skipped, None if groups is None else sums.size,
        *(int((higher == way).sum()) for way in (1, -1, 0)),
        float(ratio(d.mean(), d.std(ddof=1))), design_effect(d, sums, sizes),
    )  # fmt: skip


def randomisation(
    d: Floats, resamples: int, seed: int
) -> tuple[float, bool]:
    """The p of the randomisation test, and whether it is exact.

    If it does not matter which system a value comes from, each
    difference could as well have the other sign. p is the share
    of the patterns of signs whose sum is as far from 0 as the
    sum found: of all 2^n, where few differences are not 0, else
    of random ones together with the one found. A difference is
    a whole number of units, and half a unit off at most: sums
    of n that differ by n units count as equal.
    """
    least = abs(d.sum()) - d.size
    d = np.sort(abs(d[d != 0]))
    if d.size <= ENUMERATED:
        sums = np.zeros(1)
        for difference in d:
            sums = np.concatenate([sums + difference, sums - difference])
        return float((abs(sums) >= least).mean()), True
    sums = random_signs(d, resamples, seed)
    as_far = int((abs(sums) >= least).sum())
    return (1 + as_far) / (1 + resamples), False


def random_signs(d: Floats, resamples: int, seed: int) -> Floats:
    """The sums of differences with random signs.

    A random byte has the signs of eight differences, and looks
    up their sum among 256.
    """
    random = np.random.default_rng(seed)
    byte = np.arange(256, dtype=np.uint8)[:, None]
    signs = 1.0 - 2 * np.unpackbits(byte, axis=1)
    eights = np.pad(d, (0, -d.size % 8)).reshape(-1, 8)
    sums = np.zeros(resamples)
    for sum_of_eight in eights @ signs.T:
        sums += sum_of_eight[
            random.integers(0, 256, resamples, dtype=np.uint8)
        ]
    return sums


def interval(
    sums: Floats, sizes: Floats,
    confidence: float, resamples: int, seed: int,
) -> tuple[float, float]:
    """The percentile bootstrap interval of a mean over goals.

    Groups are drawn with replacement, as many as there are; the
    sum of their sums over the sum of their sizes is a mean that
    could have been found. The order of the groups is of no
    account, and turning all signs turns the interval.
    """
    upright, turned = (
        sorted(zip(way * sums, sizes)) for way in (1, -1)
    )
    sums, sizes = np.array(min(upright, turned)).T
    random = np.random.default_rng(seed)
    total = np.zeros((2, min(resamples, DRAWS)))
    for _ in range(sums.size):
        drawn = random.integers(0, sums.size, total.shape[1])
        total += sums[drawn], sizes[drawn]
    tail = (1 - confidence) / 2
    low, high = np.quantile(total[0] / total[1], [tail, 1 - tail])
    if turned < upright:
        low, high = -high, -low
    return float(low), float(high)


def p_value(test: str, d: Floats, resamples: int, seed: int) -> tuple[float, bool]:
    """The two-sided p of a test of paired differences, and whether it is exact."""
    if not d.any():
        return 1.0, True
    if test == "randomisation":
        return randomisation(d, resamples, seed)
    stats = scipy_stats(test)
    if test == "t":
        if not np.ptp(d):
            refuse("test", "'t' where all differences are the same", "differences that vary, or another test")
        return float(stats.ttest_1samp(d, 0).pvalue), False
    d = d[d != 0]
    if test == "sign":
        return float(stats.binomtest(int((d > 0).sum()), d.size).pvalue), True
    exact = np.unique(abs(d)).size == d.size <= 50
    return float(stats.wilcoxon(d, method="exact" if exact else "approx").pvalue), exact


def scipy_stats(test: str) -> Any:
    """SciPy's tests, which only some of ours need."""
    try:
        from scipy import stats
    except ImportError:
        raise ImportError(f"test={test!r} needs SciPy, which is not installed; test='randomisation' does not") from None
    return stats


def settings(confidence: Any, resamples: Any, seed: Any) -> tuple[float, int, int]:
    """The level of confidence, the number of resamples and the seed."""
    level = float(number("confidence", confidence, "in (0, 1)", lambda x: 0 < x < 1))
    return level, whole("resamples", resamples, at_least=1), whole("seed", seed, at_least=0)


def table(runs: Mapping[str, Any], undefined: Any, groups: Any) -> tuple[Floats, list[Any], int]:
    """The values, a row for each run; the group of each goal; and the number of goals left out."""
    goals = goals_of(runs)
    rows = {name: column(name, run if goals is None else [run[goal] for goal in goals]) for name, run in runs.items()}
    (first, row), *others = rows.items()
    for name, other in others:
        if other.size != row.size:
            refuse(name, f"{other.size} values", f"as many as {first} has, {row.size}")
    labels = labels_of(groups, goals, row.size)
    values = np.array(list(rows.values()))
    kept = np.ones(row.size, dtype=bool)
    if isinstance(undefined, str) and undefined == "skip":
        kept = ~np.isnan(values).any(axis=0)
    values = np.array([defined(name, row[kept], undefined) for name, row in rows.items()])
    labels = [label for label, stays in zip(labels, kept) if stays]
    for name, row in zip(rows, values):
        for extreme in row[np.isinf(row)]:
            refuse(name, extreme, "finite values, such as `full_recall` has with a number for `unreached`")
    if len(set(labels)) < 2:
        named, what = (first, "goal") if groups is None else ("groups", "group")
        refuse(named, f"{len(set(labels))} {what} with values", f"two {what}s or more")
    return values, labels, int((~kept).sum())


def goals_of(runs: Mapping[str, Any]) -> list[Any] | None:
    """The goals of mappings goal -> value, which must be the same; None for columns of values."""
    (first, run), *others = runs.items()
    for name, other in others:
        if isinstance(other, Mapping) != isinstance(run, Mapping):
            refuse(name, f"a {type(other).__name__}", f"the kind of {first}, a {type(run).__name__}")
        if isinstance(run, Mapping):
            for one, its, than, more in ((name, other, first, run), (first, run, name, other)):
                for goal in more:
                    if goal not in its:
                        refuse(one, f"no value for goal {goal!r}", f"the goals of {than}")
    return list(run) if isinstance(run, Mapping) else None


def column(name: str, values: Any) -> Floats:
    """One value a goal, as floats."""
    array = numeric(name, values)
    if array.ndim != 1:
        refuse(name, f"an array of shape {array.shape}", "one value for each goal")
    return array.astype(np.float64)


def labels_of(groups: Any, goals: list[Any] | None, n: int) -> list[Any]:
    """The group of each goal; each goal is one of its own, if no groups are given."""
    if groups is None:
        return list(range(n))
    if isinstance(groups, Mapping) != (goals is not None):
        refuse("groups", f"a {type(groups).__name__}", "labels for the goals in the way in which the values are given")
    for goal in goals or ():
        if goal not in groups:
            refuse("groups", f"no label for goal {goal!r}", "one for each goal")
    labels = collection("groups", groups) if goals is None else [groups[goal] for goal in goals]
    if len(labels) != n:
        refuse("groups", f"{len(labels)} labels", f"one for each of the {n} goals")
    for label in labels:
        if not isinstance(label, Hashable):
            refuse("groups", repr(label), "labels that can be hashed")
    return labels


def means(values: Floats) -> list[float]:
    """The mean of each row, whatever the order of its values."""
    return [fsum(row) / row.size for row in values]


def by_group(d: Floats, labels: list[Any]) -> tuple[Floats, Floats]:
    """The sum of the differences of each group, and its number of goals."""
    members: dict[Any, list[float]] = {label: [] for label in labels}
    for label, difference in zip(labels, d.tolist()):
        members[label].append(difference)
    groups = members.values()
    return np.array([fsum(group) for group in groups]), np.array([float(len(group)) for group in groups])


def design_effect(d: Floats, sums: Floats, sizes: Floats) -> float:
    """The variance of the mean with groups, by the ratio estimator, over that of independent goals."""
    in_groups = ((sums - sizes * d.mean()) ** 2).sum() * sums.size / (sums.size - 1)
    alone = ((d - d.mean()) ** 2).sum() * d.size / (d.size - 1)
    return float(ratio(in_groups, alone))


def with_decimals_for(width: float) -> Any:
    """How to print numbers that are known to this width: with two of its digits."""
    decimals = min(max(0, 1 - floor(log10(width))), 9) if width else 3
    return lambda value: f"{round(value, decimals) + 0.0:,.{decimals}f}"


def over_goals(found: Any) -> str:
    """What the means are over, for a sentence."""
    in_groups = "" if found.groups is None else f" in {found.groups:,} groups"
    left_out = f" ({found.skipped:,} more are undefined and left out)" if found.skipped else ""
    return f"Over {found.n:,} goals{in_groups}{left_out}"
