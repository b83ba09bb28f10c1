"""A table of many systems: means, intervals, and letters that show which systems certainly differ."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations, compress
from math import ceil
from string import ascii_letters

import numpy as np

from ..._base.checks import choice, flag, refuse
from ..._base.text import in_a_cell
from ..._base.types import Array, Correction, Floats, Number, Undefined, Whole
from ..tables import in_columns
from .pairing import Groups, OfGoals, values_by_topic
from .resampling import ENUMERATED, by_group, checked_settings, gaps, intervals, means, randomisation
from .sentences import WIDTH, one_of, over_goals, with_decimals_for

CORRECTIONS = {
    "holm": "paired randomisation tests, corrected by Holm",
    "max": "randomised Tukey HSD",
}


@dataclass(frozen=True, eq=False)
class Leaderboard:
    """Many systems on the same goals, best first, as ordered by `leaderboard`; `str` and `repr` give a table.

    names, mean, low, high: of each run, with the bootstrap interval of its mean alone.
    letters: of each run; two runs that share a letter are not distinguishable, all other pairs are.
    p: (runs, runs) of each pair, corrected for the number of pairs; correction: how it was corrected.
    confidence: of the intervals; pairs with p <= 1 - confidence are distinguishable.
    n, skipped, groups: the goals, those left out as undefined, and how many groups, or None; of: what the goals are called.
    """

    names: list[str]
    mean: list[float]
    low: list[float]
    high: list[float]
    letters: list[str]
    p: Floats
    correction: Correction
    confidence: float
    n: int
    skipped: int
    groups: int | None
    of: str = "goals"

    def __str__(self) -> str:
        show = with_decimals_for(max(high - low for low, high in zip(self.low, self.high)))
        intervals = [f"{show(low)} to {show(high)}" for low, high in zip(self.low, self.high)]
        every = sorted(set("".join(self.letters)), key=ascii_letters.index)
        letters = ["".join(letter if letter in its else " " for letter in every) for its in self.letters]
        columns = [
            ["rank", *(str(rank) for rank in range(1, len(self.names) + 1))],
            ["mean", *map(show, self.mean)],
            [f"{100 * self.confidence:g}% interval", *intervals],
            ["letters", *letters],
        ]
        room = max(WIDTH - sum(len(max(column, key=len)) + 2 for column in columns), 4)
        names = (in_a_cell(str(name)) for name in self.names)
        columns.insert(1, ["run ", *(name if len(name) <= room else f"{name[: room - 1]}…" for name in names)])
        note = (
            f"{over_goals(self)}; bootstrap interval of each mean alone. Runs that share a letter are not "
            f"distinguishable at the {100 - 100 * self.confidence:g}% level ({CORRECTIONS[self.correction]})."
        )
        return "\n".join([*in_columns(zip(*columns), "><>><"), "", *textwrap.wrap(note, WIDTH)])

    __repr__ = __str__


def leaderboard(
    runs: Mapping[str, OfGoals], *,
    undefined: Undefined, correction: Correction = "holm",
    lower_is_better: bool = False,
    groups: Groups | None = None,
    confidence: Number = 0.95,
    resamples: Whole = 10_000, seed: Whole = 0,
    of: str = "goals",
) -> Leaderboard:
    """Many systems in order, and which of them certainly differ.

    runs: for two names or more, one value per goal, in the same
    order; or with the goals that they are of, and then paired
    by goal: mappings, pandas Series, or what trec.evaluate gives,
    of the same goals;
    undefined: "raise", "skip" (the goal, in every run), or one
    number that stands in for nan;
    correction: "holm" (a randomisation test of each pair, and
    of m pairs the smallest p counts m times) or "max" (against
    the largest difference of two means, if the values of each
    goal are exchanged at random among all runs: a run far below
    the others, or one that goes its own way, makes it harder to
    tell the others apart);
    lower_is_better: True for ranks;
    groups: a label for each goal, or a mapping or a Series by
    goal; whole groups are then exchanged or flipped, and drawn;
    confidence: of the intervals, in (0, 1), and 1 minus the
    probability of telling apart any two of runs that are all
    alike;
    resamples: random flips, where more than 20 differences of a
    pair (with groups, sums of groups) are not 0, or exchanges.
    What is drawn has no p below 1 / (resamples + 1), before
    "holm" multiplies it; where all pairs are drawn, too few to
    tell any two apart are refused. The bootstrap has at most
    10,000;
    seed: one whole number >= 0; of: what the note below the
    table calls the goals, such as "topics" or "users".
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
    one_of(of)
    settings = level, resamples, seed = checked_settings(confidence, resamples, seed)
    if not isinstance(runs, Mapping) or len(runs) < 2:
        given = f"{len(runs)} runs" if isinstance(runs, Mapping) else f"a {type(runs).__name__}"
        refuse("runs", given, "a mapping of two names or more to values")
    named = {f"runs[{name!r}]": runs[name] for name in runs}
    values, group, skipped = values_by_topic(named, undefined, groups)
    way = 1 if flag("lower_is_better", lower_is_better) else -1
    best_first = np.argsort(
        way * np.array(means(values)), kind="stable"
    )
    values = values[best_first]
    gap, unit, rounds = gaps(values)
    sums, sizes = by_group(values, group)
    sums = np.rint(sums / unit)
    low, high = intervals(sums, sizes, *settings).T * unit
    sums = np.rint(by_group(gap, group)[0] / unit)
    require_enough_resamples(resamples, sums, level, correction)
    by = largest_differences if correction == "max" else holm
    p = by(sums, sizes.size if rounds else 0, resamples, seed)
    return Leaderboard(
        names=[str(list(runs)[run]) for run in best_first],
        mean=means(values),
        low=low.tolist(), high=high.tolist(),
        letters=letters_of(p <= round(1 - level, 12)),
        p=p, correction=correction, confidence=level,
        n=values.shape[1], skipped=skipped,
        groups=None if groups is None else sizes.size,
        of=of,
    )


def largest_differences(
    sums: Floats, slack: int, resamples: int, seed: int
) -> Floats:
    """The p-value of every pair: the share of random exchanges among runs, goal by goal, after which some two runs differ at least as much."""
    random = np.random.default_rng(seed)
    exchanged = np.zeros((resamples, len(sums)))
    ascending = np.sort(sums, axis=0)
    of_goals = ascending[:, np.lexsort(ascending[::-1])].T
    for values in of_goals:
        rows = np.broadcast_to(values, exchanged.shape)
        exchanged += random.permuted(rows, axis=1)
    largest = np.sort(np.ptp(exchanged, axis=1))
    total = sums.sum(axis=1)
    least = abs(total[:, None] - total) - 2 * slack
    as_far = resamples - np.searchsorted(largest, least)
    return (1 + as_far) / (1 + resamples)


def holm(
    sums: Floats, slack: int, resamples: int, seed: int
) -> Floats:
    """The p-value of every pair, corrected by Holm's method."""
    pairs = list(combinations(range(len(sums)), 2))
    found = np.array([
        randomisation(sums[i] - sums[j], slack, resamples, seed)[0]
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
    """The letters of each run: two runs share a letter if and only if they do not differ; a pair that differs splits each letter that it shares."""
    shared = [frozenset(range(len(differ)))]
    for pair in np.argwhere(np.triu(differ, 1)).tolist():
        split = {
            group - {run} if group.issuperset(pair) else group
            for group in shared for run in pair
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
        "".join(compress(ascii_letters, (run in group for group in groups)))
        for run in range(len(differ))
    ]


def require_enough_resamples(resamples: int, sums: Floats, confidence: float, correction: str) -> None:
    """Refuse a number of draws so small that even the smallest p-value could not be significant."""
    runs = len(sums)
    drawn = correction == "max" or all(np.count_nonzero(one - other) > ENUMERATED for one, other in combinations(sums, 2))
    pairs = 1 if correction == "max" else runs * (runs - 1) // 2
    fewest = ceil(round(pairs / (1 - confidence), 6)) - 1
    if drawn and resamples < fewest:
        refuse("resamples", resamples, f"at least {fewest}: with fewer, no two of {runs} runs could be told apart")
