"""How sure you can be that two systems differ: paired tests, and an interval of the difference."""

from __future__ import annotations

from dataclasses import dataclass
from textwrap import fill

import numpy as np

from ..._base.arrays import ratio
from ..._base.checks import choice, refuse
from ..._base.text import in_a_cell
from ..._base.types import Floats, Number, Test, Undefined, Whole
from .pairing import Groups, OfGoals, values_by_topic
from .resampling import by_group, checked_settings, design_effect, gaps, intervals, means, randomisation, signed_rank
from .sentences import chance, one_of, over_goals, with_decimals_for

TESTS = {
    "randomisation": "paired randomisation test",
    "t": "paired t test",
    "wilcoxon": "Wilcoxon signed-rank test",
    "sign": "sign test",
}


@dataclass(frozen=True)
class Comparison:
    """Two systems on the same goals, as compared by `compare`; `str` gives one sentence, and `repr` gives the same sentence broken into lines.

    mean_a, mean_b, difference: the two means over the goals, and the first minus the second.
    low, high: the limits of the bootstrap interval of the difference; confidence: its level.
    p: two-sided; test: the name of the test; exact: whether p is free of chance and of approximation;
    resamples: the number of random sign flips, 0 if there are none.
    n: the number of goals; skipped: the number left out as undefined; groups: the number of groups, or None.
    won, lost, tied: the numbers of goals for which a is higher, lower, or equal up to rounding.
    effect_size: the mean of the differences over their standard deviation, nan if all differences are equal.
    design_effect: the variance of the difference with groups, divided by the variance without groups; 1 if there are no groups.
    of: what the sentence calls the goals; names: the names of the two systems, if they have any.
    """

    mean_a: float
    mean_b: float
    difference: float
    low: float
    high: float
    confidence: float
    p: float
    test: Test
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
    of: str = "goals"
    names: tuple[str, str] | None = None

    def __str__(self) -> str:
        show = with_decimals_for(self.high - self.low)
        first, of_both = ("the first", "") if self.names is None else (self.names[0], f" of {self.names[0]} and {self.names[1]}")
        return in_a_cell(
            f"{over_goals(self)} the means{of_both} are {show(self.mean_a)} and {show(self.mean_b)}, "
            f"a difference of {show(self.difference)} ({100 * self.confidence:g}% bootstrap interval "
            f"{show(self.low)} to {show(self.high)}; two-sided {TESTS[self.test]}{self.how()}, "
            f"{chance(self.p)}); {first} is higher on "
            f"{self.won:,} {one_of(self.of) if self.won == 1 else self.of}, lower on {self.lost:,} and equal on {self.tied:,}."
        )

    def __repr__(self) -> str:
        return fill(str(self), 60)

    def too_few(self) -> str:
        """A sentence that says so if a test by signs can find nothing, because no pattern of so few signs is rare; otherwise empty."""
        least = 2.0 ** (1 - self.won - self.lost)
        if self.test == "t" or self.groups is not None or not 0.05 < least < 1:
            return ""
        return f"With {self.won + self.lost} {self.of} that differ, p cannot be below {least:.3g}."

    def how(self) -> str:
        """The words of the sentence that say in which way p was found."""
        of_groups = "" if self.groups is None else " of whole groups"
        if self.test != "randomisation":
            by = "" if self.exact or self.test != "wilcoxon" else " by the normal approximation"
            return by + (of_groups and " of the sums of the groups")
        return f" by {'all' if self.exact else f'{self.resamples:,} random'} sign flips{of_groups}"


def compare(
    a: OfGoals, b: OfGoals, *,
    test: Test, undefined: Undefined,
    groups: Groups | None = None,
    confidence: Number = 0.95,
    resamples: Whole = 100_000, seed: Whole = 0,
    of: str = "goals",
) -> Comparison:
    """Whether two systems differ by more than chance.

    The sentence for a paper is `str` of the result.

    a, b: one value per goal, in the same order; or with the goals
    that they are of, and then paired by goal: mappings, pandas
    Series, or what trec.evaluate gives, of the same goals;
    test: "randomisation" (does it matter which of the two a
    value comes from?), "t" (is the mean difference 0, if means
    are about normal?), "wilcoxon" (do differences lie evenly
    about 0, by rank?), "sign" (is each as often the higher?);
    "wilcoxon" leaves out differences of 0, gives equal sizes the
    mean of their ranks, and is exact up to 500 differences;
    beyond that it uses the normal approximation; in all tests
    differences are rounded to 2^-40 of the largest value;
    undefined: "raise", "skip" (the goal, in both), or one
    number that stands in for nan;
    groups: a label for each goal, or a mapping or a Series by
    goal, where goals of one group are not independent. The tests
    then see one sum of differences for each group, so that
    whole groups are flipped; the bootstrap draws whole groups;
    confidence: of the interval, in (0, 1);
    resamples: random sign flips, where more than 20
    differences (with groups, sums) are not 0; the bootstrap has at most 10,000;
    seed: one whole number >= 0; of: what the sentence calls
    the goals, such as "topics", "queries" or "users".
    Returns a `Comparison`: the means, their difference with a
    percentile bootstrap interval, p in [0, 1], and more.
    Raises ValueError for text, infinite values, goals that
    differ, fewer than two goals or groups, nan with "raise",
    and "t" where the differences, or with groups their sums,
    are all the same and not 0.
    Source: Smucker, Allan and Carterette (2007); Efron and
    Tibshirani (1993).

    >>> a, b = [0.5, 0.9, 0.4, 0.8], [0.4, 0.7, 0.4, 0.5]
    >>> found = compare(a, b, test="randomisation", undefined=0)
    >>> found.p, found.exact, found.won, found.tied
    (0.25, True, 3, 1)
    """
    choice("test", test, TESTS)
    one_of(of)
    settings = level, resamples, seed = checked_settings(confidence, resamples, seed)
    values, group, skipped = values_by_topic(
        {"a": a, "b": b}, undefined, groups
    )
    mean_a, mean_b = means(values)
    gap, unit, rounds = gaps(values)
    difference = gap[0] - gap[1]
    d = np.rint(difference / unit)
    sums, sizes = by_group(difference, group)
    sums = np.rint(sums / unit)
    [[low, high]] = intervals(sums[None], sizes, *settings)
    slack = sums.size if rounds else 0
    p, exact = p_value(test, sums, slack, resamples, seed)
    sampled = test == "randomisation" and not exact
    return Comparison(
        mean_a=mean_a, mean_b=mean_b,
        difference=mean_a - mean_b,
        low=float(low * unit), high=float(high * unit),
        confidence=level,
        p=p, test=test, exact=exact,
        resamples=resamples if sampled else 0,
        n=d.size, skipped=skipped,
        groups=None if groups is None else sums.size,
        won=int((difference > 0).sum()),
        lost=int((difference < 0).sum()),
        tied=int((difference == 0).sum()),
        effect_size=float(ratio(d.mean(), d.std(ddof=1) * (np.ptp(d) > 0))),
        design_effect=design_effect(d, sums, sizes),
        of=of,
    )


def p_value(test: str, d: Floats, slack: int, resamples: int, seed: int) -> tuple[float, bool]:
    """The two-sided p-value of a test of paired differences, and whether it is exact."""
    if not d.any():
        return 1.0, True
    if test == "randomisation":
        return randomisation(d, slack, resamples, seed)
    if test == "wilcoxon":
        return signed_rank(d[d != 0], 1 if slack else 0)
    try:
        from scipy import stats
    except ImportError:
        raise ImportError(f"test={test!r} needs SciPy, which is not installed: pip install scipy") from None
    if test == "t":
        if not np.ptp(d):
            refuse("test", "'t', although all differences (of groups: their sums) are the same", "differences that vary, or another test")
        return float(stats.ttest_1samp(d, 0).pvalue), False
    return float(stats.binomtest(int((d > 0).sum()), np.count_nonzero(d)).pvalue), True
