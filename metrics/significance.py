"""How sure can I be that two systems differ: paired tests, intervals, and a table of many systems.

Metrics are rounded numbers, and differences that are equal on paper may differ in their last bits.
So the tests see whole numbers: differences in units of 2^-40, a millionth of a millionth, of the
largest value.
"""

from __future__ import annotations

import textwrap
from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations, compress, islice
from math import ceil, floor, fsum, log10
from string import ascii_letters
from typing import Any, TypeAlias

import numpy as np

from ._checks import choice, collection, flag, id_list, index_of, labels_of, number, numeric, refuse, whole
from ._column import Column
from ._types import Array, Floats, Ints, Number, Numbers, Whole
from .aggregate import defined
from .hits import ratio

OfGoals: TypeAlias = Numbers | Mapping[Any, float]  # one value a goal, or goal -> value
Groups: TypeAlias = Iterable[Hashable] | Mapping[Any, Hashable]  # one label a goal, or goal -> label

PRECISION = 2.0**-40
ENUMERATED = 20  # so many differences have 2^20 patterns of signs, which are all looked at
DRAWS = 10_000  # of the bootstrap, at most: another 10,000 move a limit by about 1 % of the width
AT_ONCE = 2**17  # goals or groups that it draws at a time, so that they fit the cache, however many there are
TESTS = {
    "randomisation": "paired randomisation test",
    "t": "paired t test",
    "wilcoxon": "Wilcoxon signed-rank test",
    "sign": "sign test",
}
CORRECTIONS = {
    "holm": "paired randomisation tests, corrected by Holm",
    "max": "randomised Tukey HSD",
}
WIDTH = 72  # of a printed table


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
            f"{self.won:,} goal{'s' * (self.won != 1)}, lower on {self.lost:,} and equal on {self.tied:,}."
        )

    def how(self) -> str:
        """How p was found, for the sentence."""
        of_groups = "" if self.groups is None else " of whole groups"
        if self.test != "randomisation":
            return of_groups and " of the sums of the groups"
        return f" by {'all' if self.exact else f'{self.resamples:,} random'} sign flips{of_groups}"


def compare(
    a: OfGoals, b: OfGoals, *,
    test: str, undefined: Number | str,
    groups: Groups | None = None,
    confidence: Number = 0.95,
    resamples: Whole = 100_000, seed: Whole = 0,
) -> Comparison:
    """Whether two systems differ by more than chance.

    The sentence for a paper is `str` of the result.

    a, b: one value a goal, in the same order; or with the goals
    that they are of, and then paired by goal: mappings, pandas
    Series, or what trec.evaluate gives, of the same goals;
    test: "randomisation" (does it matter which of the two a
    value comes from?), "t" (is the mean difference 0, if means
    are about normal?), "wilcoxon" (do differences lie evenly
    about 0, by rank?), "sign" (is each as often the higher?);
    undefined: "raise", "skip" (the goal, in both), or one
    number that stands in for nan;
    groups: a label for each goal, or a mapping or a Series by
    goal, where goals of one group are not independent. The tests
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
    settings = checked_settings(confidence, resamples, seed)
    level, resamples, seed = settings
    values, group, skipped = table(
        {"a": a, "b": b}, undefined, groups
    )
    mean_a, mean_b = means(values)
    unit, difference = unit_of(values), values[0] - values[1]
    d = np.rint(difference / unit)
    sums, sizes = by_group(difference, group)
    sums = np.rint(sums / unit)
    [[low, high]] = intervals(sums[None], sizes, *settings)
    p, exact = p_value(test, sums, resamples, seed)
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
        won=int((d > 0).sum()),
        lost=int((d < 0).sum()),
        tied=int((d == 0).sum()),
        effect_size=float(ratio(d.mean(), d.std(ddof=1))),
        design_effect=design_effect(d, sums, sizes),
    )


@dataclass(frozen=True, eq=False)
class Leaderboard:
    """Many systems on the same goals, best first, as `leaderboard` finds them; `str` is a table.

    names, mean, low, high: of each run, with the bootstrap interval of its mean alone.
    letters: of each run: two that share a letter are not distinguishable, others are.
    p: (runs, runs) of each pair, corrected for the number of pairs; correction: how.
    confidence: of the intervals; pairs with p <= 1 - confidence are distinguishable.
    n, skipped, groups: the goals, those left out as undefined, and how many groups, or None.
    """

    names: list[str]
    mean: list[float]
    low: list[float]
    high: list[float]
    letters: list[str]
    p: Floats
    correction: str
    confidence: float
    n: int
    skipped: int
    groups: int | None

    def __str__(self) -> str:
        show = with_decimals_for(max(high - low for low, high in zip(self.low, self.high)))
        intervals = [f"{show(low)} to {show(high)}" for low, high in zip(self.low, self.high)]
        every = sorted(set("".join(self.letters)), key=ascii_letters.index)
        letters = ["".join(letter if letter in its else " " for letter in every) for its in self.letters]
        columns = [
            [">rank", *(str(rank) for rank in range(1, len(self.names) + 1))],
            ["<run", *self.names],
            [">mean", *map(show, self.mean)],
            [f">{100 * self.confidence:g}% interval", *intervals],
            ["<letters", *letters],
        ]
        note = (
            f"{over_goals(self)}; bootstrap interval of each mean alone. Runs that share a letter are not "
            f"distinguishable at the {100 - 100 * self.confidence:g}% level ({CORRECTIONS[self.correction]})."
        )
        return "\n".join([*aligned(columns), "", *textwrap.wrap(note, WIDTH)])


def leaderboard(
    runs: Mapping[str, OfGoals], *,
    undefined: Number | str, correction: str = "holm",
    lower_is_better: bool = False,
    groups: Groups | None = None,
    confidence: Number = 0.95,
    resamples: Whole = 10_000, seed: Whole = 0,
) -> Leaderboard:
    """Many systems in order, and which of them surely differ.

    runs: for two names or more, one value a goal, in the same
    order; or with the goals that they are of, and then paired
    by goal: mappings, pandas Series, or what trec.evaluate gives,
    of the same goals;
    undefined: "raise", "skip" (the goal, in every run), or one
    number that stands in for nan;
    correction: "holm" (a randomisation test of each pair, and
    of m pairs the smallest p counts m times) or "max" (against
    the largest difference of two means, if the values of each
    goal are exchanged at random among all runs: one run far
    below, or that goes its own way, makes it harder to tell the
    others apart);
    lower_is_better: True for ranks;
    groups: a label for each goal, or a mapping or a Series by
    goal; whole groups are then exchanged or flipped, and drawn;
    confidence: of the intervals, in (0, 1), and 1 less the
    chance to tell apart any two of runs that are all alike;
    resamples: random flips or exchanges: of m pairs, no p is
    below m / (resamples + 1), so too few are refused; the
    bootstrap has at most 10,000;
    seed: one whole number >= 0.
    Returns a `Leaderboard`: names, means, bootstrap intervals,
    corrected p in [0, 1] of each pair, and letters.
    Raises ValueError for fewer than two runs, text, infinite
    values, goals that differ, fewer than two goals or groups,
    too few resamples, and nan with "raise".
    Source: Carterette (2012), and Holm (1979); the letters as
    of Piepho (2004).

    >>> up, down = range(8), range(7, -1, -1)
    >>> runs = {"A": range(1, 9), "B": up, "C": down}
    >>> board = leaderboard(runs, undefined="raise")
    >>> board.names, board.letters
    (['A', 'B', 'C'], ['a', 'b', 'ab'])
    """
    choice("correction", correction, CORRECTIONS)
    settings = checked_settings(confidence, resamples, seed)
    level, resamples, seed = settings
    if not isinstance(runs, Mapping) or len(runs) < 2:
        expected = "a mapping of two names or more to values"
        refuse("runs", describe_runs(runs), expected)
    named = {f"runs[{name!r}]": runs[name] for name in runs}
    values, group, skipped = table(named, undefined, groups)
    way = 1 if flag("lower_is_better", lower_is_better) else -1
    best_first = np.argsort(
        way * np.array(means(values)), kind="stable"
    )
    values, unit = values[best_first], unit_of(values)
    sums, sizes = by_group(values, group)
    sums = np.rint(sums / unit)
    low, high = intervals(sums, sizes, *settings).T * unit
    if correction == "holm":
        enough_for_holm(resamples, *sums.shape, level)
    by = largest_differences if correction == "max" else holm
    p = by(sums, resamples, seed)
    return Leaderboard(
        names=[str(list(runs)[run]) for run in best_first],
        mean=means(values),
        low=low.tolist(), high=high.tolist(),
        letters=letters_of(p <= 1 - level),
        p=p, correction=correction, confidence=level,
        n=values.shape[1], skipped=skipped,
        groups=None if groups is None else sizes.size,
    )


def largest_differences(
    sums: Floats, resamples: int, seed: int
) -> Floats:
    """The p of every pair, against the largest difference.

    If all runs are alike, the values of a goal could as well be
    those of other runs. p is the share of random exchanges
    after which some two runs differ as much, the exchange found
    among them.
    """
    random = np.random.default_rng(seed)
    exchanged = np.zeros((resamples, len(sums)))
    ascending = np.sort(sums, axis=0)
    of_goals = ascending[:, np.lexsort(ascending[::-1])].T
    for values in of_goals:
        rows = np.broadcast_to(values, exchanged.shape)
        exchanged += random.permuted(rows, axis=1)
    largest = np.sort(np.ptp(exchanged, axis=1))
    total = sums.sum(axis=1)
    least = abs(total[:, None] - total) - 2 * sums.shape[1]
    as_far = resamples - np.searchsorted(largest, least)
    return (1 + as_far) / (1 + resamples)


def holm(
    sums: Floats, resamples: int, seed: int
) -> Floats:
    """The p of the test of every pair, corrected by Holm.

    The smallest of m is multiplied by m, the next by m - 1, and
    so on; none becomes smaller than the one before.
    """
    pairs = list(combinations(range(len(sums)), 2))
    found = np.array([
        randomisation(sums[i] - sums[j], resamples, seed)[0]
        for i, j in pairs
    ])
    ascending = np.argsort(found, kind="stable")
    times = np.arange(len(pairs), 0, -1)
    corrected = np.maximum.accumulate(found[ascending] * times)
    p = np.ones((len(sums), len(sums)))
    for pair, value in zip(ascending, np.minimum(corrected, 1)):
        i, j = pairs[pair]
        p[i, j] = p[j, i] = value
    return p


def letters_of(differ: Array) -> list[str]:
    """Letters: two runs share one just if they do not differ.

    All share one at first. Each pair that differs splits every
    letter that it shares, and what is left within another
    letter goes.
    """
    shared = [frozenset(range(len(differ)))]
    for pair in np.argwhere(np.triu(differ, 1)).tolist():
        split = {
            part for group in shared
            for part in ([group - {run} for run in pair]
                         if group.issuperset(pair) else [group])
        }
        shared = [
            one for one in split
            if not any(one < other for other in split)
        ]
    groups = sorted(shared, key=sorted)
    if len(groups) > len(ascii_letters):
        given = f"{len(groups)} overlapping groups"
        expected = f"at most {len(ascii_letters)} to name by letters"
        refuse("runs", given, expected)
    return [
        "".join(
            letter
            for letter, group in zip(ascii_letters, groups)
            if run in group
        )
        for run in range(len(differ))
    ]


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
        for size in d:
            sums = np.concatenate([sums + size, sums - size])
        return float((abs(sums) >= least).mean()), True
    sums = random_signs(d, resamples, seed)
    as_far = int((abs(sums) >= least).sum())
    return (1 + as_far) / (1 + resamples), False


def random_signs(
    d: Floats, resamples: int, seed: int
) -> Floats:
    """The sums of differences with random signs.

    A random byte has the signs of eight differences, and looks
    up their sum among 256.
    """
    random = np.random.default_rng(seed)
    byte = np.arange(256, dtype=np.uint8)[:, None]
    signs = 1.0 - 2 * np.unpackbits(byte, axis=1)
    sums = np.zeros(resamples)
    for eight in np.pad(d, (0, -d.size % 8)).reshape(-1, 8):
        drawn = random.integers(0, 256, resamples, dtype=np.uint8)
        sums += (signs @ eight)[drawn]
    return sums


def intervals(
    sums: Floats, sizes: Floats,
    confidence: float, resamples: int, seed: int,
) -> Floats:
    """(runs, 2) the percentile bootstrap interval of each mean.

    Groups are drawn with replacement, as many as there are; the
    sum of their sums over the sum of their sizes is a mean that
    could have been found. All runs see the same draws.
    """
    random = np.random.default_rng(seed)
    groups, draws = sizes.size, min(resamples, DRAWS)
    parts = sums if (sizes == 1).all() else [*sums, sizes]
    total = np.zeros((len(parts), draws))
    for rows, columns in in_pieces(draws, groups):
        shape = rows.stop - rows.start, columns.stop - columns.start
        drawn = random.integers(0, groups, shape)
        for part, values in zip(total, parts):
            part[rows] += values.take(drawn).sum(axis=1)
    size = groups if len(parts) == len(sums) else total[-1]
    tail = (1 - confidence) / 2
    means = total[:len(sums)] / size
    return np.quantile(means, [tail, 1 - tail], axis=1).T


def in_pieces(rows: int, columns: int) -> Iterator[tuple[slice, slice]]:
    """A table cut so that no piece has more than `AT_ONCE` entries: between rows, or where one is more, within."""
    step = max(AT_ONCE // columns, 1)
    for top in range(0, rows, step):
        for left in range(0, columns, AT_ONCE):
            yield slice(top, min(top + step, rows)), slice(left, min(left + AT_ONCE, columns))


def p_value(test: str, d: Floats, resamples: int, seed: int) -> tuple[float, bool]:
    """The two-sided p of a test of paired differences, and whether it is exact."""
    if not d.any():
        return 1.0, True
    if test == "randomisation":
        return randomisation(d, resamples, seed)
    stats = scipy_stats(f"test={test!r}")
    if test == "t":
        if not np.ptp(d):
            refuse("test", "'t' where all differences are the same", "differences that vary, or another test")
        return float(stats.ttest_1samp(d, 0).pvalue), False
    d = d[d != 0]
    if test == "sign":
        return float(stats.binomtest(int((d > 0).sum()), d.size).pvalue), True
    exact = np.unique(abs(d)).size == d.size <= 50
    return float(stats.wilcoxon(d, method="exact" if exact else "approx").pvalue), exact


def scipy_stats(what: str) -> Any:
    """SciPy's statistics, which the randomisation test and the intervals do not need."""
    try:
        from scipy import stats
    except ImportError:
        raise ImportError(f"{what} needs SciPy, which is not installed: pip install scipy") from None
    return stats


def describe_runs(runs: Any) -> str:
    """What was given in place of runs."""
    return f"{len(runs)} runs" if isinstance(runs, Mapping) else f"a {type(runs).__name__}"


def checked_settings(confidence: Any, resamples: Any, seed: Any) -> tuple[float, int, int]:
    """The level of confidence, how many resamples, and the seed."""
    level = float(number("confidence", confidence, "in (0, 1)", lambda x: 0 < x < 1))
    return level, whole("resamples", resamples, at_least=2), whole("seed", seed, at_least=0)


def enough_for_holm(resamples: int, runs: int, goals: int, confidence: float) -> None:
    """Random flips must be so many that the smallest p of all pairs can count."""
    pairs = runs * (runs - 1) // 2
    fewest = ceil(round(pairs / (1 - confidence), 6)) - 1
    if goals > ENUMERATED and resamples < fewest:
        refuse("resamples", resamples, f"at least {fewest}: with fewer, no two of {runs} runs could be told apart")


def table(runs: Mapping[str, Any], undefined: Any, groups: Any) -> tuple[Floats, Ints | None, int]:
    """The values, a row for each run; the number of each goal's group, or None; and the number of goals left out."""
    goals, rows = paired(runs)
    (first, row), *others = rows.items()
    for name, other in others:
        if other.size != row.size:
            refuse(name, f"{other.size} values", f"as many as {first} has, {row.size}")
    labels = None if groups is None else labels_of_groups(groups, goals, row.size)
    values = np.array(list(rows.values()))
    kept = np.ones(row.size, dtype=bool)
    if isinstance(undefined, str) and undefined == "skip":
        kept = ~np.isnan(values).any(axis=0)
    values = np.array([defined(name, row[kept], undefined) for name, row in rows.items()])
    for name, row in zip(rows, values):
        for extreme in row[np.isinf(row)]:
            refuse(name, extreme, "finite values, such as `full_recall` has with a number for `unreached`")
    group = None if labels is None else numbers_of(compress(labels, kept))
    found = values.shape[1] if group is None else int(group.max(initial=-1)) + 1
    if found < 2:
        named, what = (first, "goal") if groups is None else ("groups", "group")
        refuse(named, f"{found} {what}{'s' * (found != 1)} with values", f"two {what}s or more")
    return values, group, int((~kept).sum())


def paired(runs: Mapping[str, Any]) -> tuple[list[Any] | None, dict[str, Floats]]:
    """The goals of the first run, None where no run names them, and the values of each run in this order."""
    (first, run), *others = runs.items()
    goals, rows = goals_of(first, run), {first: column(first, run)}
    for name, other in others:
        its, rows[name] = goals_of(name, other), column(name, other)
        if (goals is None) != (its is None):
            such_as = f"with goals such as {(goals or its or [None])[0]!r} in both, or, by position, plain values in both"
            refuse(name, kind_of(other), f"the kind of {first}, {kind_of(run)}: {such_as}")
        if goals is not None and its is not None and its != goals:
            rows[name] = rows[name][places(first, goals, name, its)]
    return goals, rows


def goals_of(name: str, given: Any) -> list[Any] | None:
    """The goals that values are of, each once; None where they are not said."""
    if isinstance(given, Mapping):
        return list(given)
    if isinstance(given, Column) and given.topics is None:
        lost = "what was computed from a column in a way that lost its topics"
        refuse(name, lost, "a column with them, or np.asarray of all, to go by position")
    labels = labels_of(given)
    return None if labels is None else id_list(name, labels)


def kind_of(values: Any) -> str:
    """What somebody gave, for a message."""
    plain = index_of(values) is not None and labels_of(values) is None
    return f"a {type(values).__name__}{' whose index only counts' * plain}"


def places(first: str, goals: list[Any], name: str, its: list[Any]) -> list[int]:
    """Where the goals of the first stand among those of the other, which must be the same."""
    at, known = {goal: place for place, goal in enumerate(its)}, set(goals)
    for one, its_goals, than, more in ((name, at, first, goals), (first, known, name, its)):
        for goal in more:
            if goal not in its_goals:
                complete = "trec.evaluate(..., complete=True) counts what a run lacks"
                refuse(one, f"no value for goal {goal!r}", f"the goals of {than}; {complete}")
    return [at[goal] for goal in goals]


def column(name: str, values: Any) -> Floats:
    """One value a goal, as floats."""
    array = numeric(name, list(values.values()) if isinstance(values, Mapping) else values)
    if array.ndim != 1:
        refuse(name, f"an array of shape {array.shape}", "one value for each goal")
    return array.astype(np.float64)


def labels_of_groups(groups: Any, goals: list[Any] | None, n: int) -> list[Any]:
    """The label of each goal's group."""
    named = goals_of("groups", groups)
    if (named is None) != (goals is None):
        refuse("groups", kind_of(groups), "labels for the goals in the way in which the values are given: goal -> label, or a list")
    labels = collection("groups", groups.values() if isinstance(groups, Mapping) else groups)
    if goals is not None and named is not None:
        label_of = dict(zip(named, labels))
        for goal in goals:
            if goal not in label_of:
                refuse("groups", f"no label for goal {goal!r}", "one for each goal")
        labels = [label_of[goal] for goal in goals]
    if len(labels) != n:
        refuse("groups", f"{len(labels)} labels", f"one for each of the {n} goals")
    for label in labels:
        if not isinstance(label, Hashable):
            refuse("groups", repr(label), "labels that can be hashed")
    return labels


def numbers_of(labels: Iterable[Hashable]) -> Ints:
    """0 for the first label and all that are equal to it, then 1 ..."""
    number: dict[Hashable, int] = {}
    return np.array([number.setdefault(label, len(number)) for label in labels], dtype=np.int64)


def means(values: Floats) -> list[float]:
    """The mean of each row, whatever the order of its values."""
    return [fsum(row.tolist()) / row.size for row in values]


def by_group(values: Floats, group: Ints | None) -> tuple[Floats, Floats]:
    """(..., groups) the sums over the goals of each group, whatever their order; and their numbers."""
    if group is None:
        return values, np.ones(values.shape[-1])
    order, sizes = np.argsort(group, kind="stable"), np.bincount(group)

    def sums(row: Floats) -> list[float]:
        in_order = iter(row[order].tolist())
        return [fsum(islice(in_order, size)) for size in sizes.tolist()]

    return np.apply_along_axis(sums, -1, values), sizes.astype(np.float64)


def unit_of(values: Floats) -> float:
    """2^-40 of the largest value."""
    return float(PRECISION * (abs(values).max() or 1))


def design_effect(d: Floats, sums: Floats, sizes: Floats) -> float:
    """The variance of the mean with groups, by the ratio estimator, over that of independent goals."""
    in_groups = ((sums - sizes * d.mean()) ** 2).sum() * sums.size / (sums.size - 1)
    alone = ((d - d.mean()) ** 2).sum() * d.size / (d.size - 1)
    return float(ratio(in_groups, alone))


def with_decimals_for(width: float) -> Any:
    """How to print numbers that are known to this width: with two of its digits, and -0.000 for what is just below 0."""
    decimals = min(max(0, 1 - floor(log10(width))), 9) if width else 3
    return lambda value: f"{round(value + 0.0, decimals):,.{decimals}f}"


def aligned(columns: list[list[str]]) -> list[str]:
    """The lines of a table; each column begins with its side, < or >, and the second is cropped."""
    widths = [max(len(cell.lstrip("<>")) for cell in cells) for cells in columns]
    room = WIDTH - sum(widths) + widths[1] - 2 * (len(widths) - 1)
    widths[1] = max(min(widths[1], room), 4)
    rows = zip(*([cells[0][1:], *cells[1:]] for cells in columns))
    sides = [cells[0][0] for cells in columns]

    def line(row: Iterable[str]) -> str:
        cells = (cell if len(cell) <= width else f"{cell[: width - 1]}…" for cell, width in zip(row, widths))
        return "  ".join(f"{cell:{side}{width}}" for cell, side, width in zip(cells, sides, widths)).rstrip()

    return [line(row) for row in rows]


def over_goals(found: Any) -> str:
    """What the means are over, for a sentence."""
    in_groups = "" if found.groups is None else f" in {found.groups:,} groups"
    left_out = f" ({found.skipped:,} more are undefined and left out)" if found.skipped else ""
    return f"Over {found.n:,} goals{in_groups}{left_out}"
