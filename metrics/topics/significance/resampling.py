"""Random draws and exact counts: sign flips of differences or of their ranks, and the bootstrap of goals or of groups of goals.

Metrics are rounded numbers, and differences that are equal on paper may differ in their last bits.
So two values of a goal are equal unless they differ by more than 2^-40, a millionth of a millionth,
of the larger one; and the tests see whole numbers: differences in units of 2^-40 of the largest value
among the goals where the systems differ. Values that are whole numbers, such as ranks, are exact.
"""

from collections.abc import Iterator
from itertools import islice
from math import erfc, fsum, sqrt
from typing import Any

import numpy as np

from ..._base.arrays import bincount, ratio
from ..._base.checks import number, refuse, whole
from ..._base.types import Floats, Ints

PRECISION = 2.0**-40
EXACT = 2.0**53  # whole numbers up to here are floats
ENUMERATED = 20  # so many differences have 2^20 patterns of signs, which are all looked at
COUNTED = 500  # so many ranks have a quarter of a million sums, and the patterns of signs of each are counted in a third of a second
DRAWS = 10_000  # of the bootstrap, at most: another 10,000 move a limit by about 1 % of the width
MOST = 10**8  # resamples, of which each takes eight bytes
AT_ONCE = 2**17  # goals or groups that it draws at a time, so that they fit the cache, however many there are


def randomisation(
    d: Floats, slack: int, resamples: int, seed: int
) -> tuple[float, bool]:
    """The p-value by randomisation, and whether it is exact.

    If it does not matter which system a value comes from, each
    difference could as well have the other sign. p is the share
    of the patterns of signs whose sum is as far from 0 as the
    sum found: of all 2^n, where few differences are not 0, else
    of random ones together with the one found. A difference is
    a whole number of units. Where it was rounded to that, a sum
    of n is n / 2 units off at most; so sums that differ by n
    units, the slack, count as equal.
    """
    least = abs(d.sum()) - slack
    d = np.sort(abs(d[d != 0]))
    if d.size <= ENUMERATED:
        sums = np.zeros(1)
        for size in d:
            sums = np.concatenate([sums + size, sums - size])
        return float((abs(sums) >= least).mean()), True
    sums = random_signs(d, resamples, seed)
    as_far = int((abs(sums) >= least).sum())
    return (1 + as_far) / (1 + resamples), False


def signed_rank(d: Floats, slack: int) -> tuple[float, bool]:
    """The p-value of Wilcoxon's test for differences that are not 0, and whether it is exact; all ranks are doubled, so that they are whole numbers."""
    order = np.argsort(abs(d))
    new = np.diff(abs(d)[order], prepend=-np.inf) > slack
    tie, size = np.cumsum(new) - 1, np.diff(np.append(np.flatnonzero(new), d.size))
    ranks = (2.0 * np.cumsum(size) - size + 1)[tie]
    above, whole = d[order] > 0, d.size * (d.size + 1)
    least = min(ranks[above].sum(), ranks[~above].sum())
    if d.size > COUNTED:
        return erfc((whole / 2 - least) / sqrt(ranks @ ranks / 2)), False
    if 2 * least == whole:
        return 1.0, True
    share = np.zeros(int(least) + 1)
    share[0] = 2.0**-d.size
    for rank in map(int, ranks[ranks <= least]):
        share[rank:] += share[:-rank].copy()
    return float(2 * share.sum()), True


def random_signs(
    d: Floats, resamples: int, seed: int
) -> Floats:
    """The sums of differences with random signs: a random byte gives eight signs, and their sum is looked up."""
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
    """(runs, 2) the percentile bootstrap interval of each mean; all runs share the same draws of groups."""
    random = np.random.default_rng(seed)
    groups, draws = sizes.size, min(resamples, DRAWS)
    parts = sums if (sizes == 1).all() else [*sums, sizes]
    total = np.zeros((len(parts), draws))
    for rows, columns in in_pieces(draws, groups):
        shape = rows.stop - rows.start, columns.stop - columns.start
        drawn = random.integers(0, groups, shape).astype(np.intp, copy=False)
        for part, values in zip(total, parts):
            part[rows] += values.take(drawn).sum(axis=1)
    size = groups if len(parts) == len(sums) else total[-1]
    tail = (1 - confidence) / 2
    means = total[:len(sums)] / size
    return np.quantile(means, [tail, 1 - tail], axis=1).T


def in_pieces(rows: int, columns: int) -> Iterator[tuple[slice, slice]]:
    """The pieces of a table, each with at most `AT_ONCE` entries: cut between rows, or within a row that is longer."""
    step = max(AT_ONCE // columns, 1)
    for top in range(0, rows, step):
        for left in range(0, columns, AT_ONCE):
            yield slice(top, min(top + step, rows)), slice(left, min(left + AT_ONCE, columns))


def checked_settings(confidence: Any, resamples: Any, seed: Any) -> tuple[float, int, int]:
    """The confidence level, the number of resamples, and the seed, all checked."""
    level = float(number("confidence", confidence, "in (0, 1)", lambda x: 0 < x < 1))
    drawn = whole("resamples", resamples, at_least=2)
    if drawn > MOST:
        refuse("resamples", drawn, f"at most {MOST:,}, whose sums fit the memory")
    return level, drawn, whole("seed", seed, at_least=0)


def means(values: Floats) -> list[float]:
    """The mean of each row, independent of the order of its values."""
    return [fsum(row.tolist()) / row.size for row in values]


def by_group(values: Floats, group: Ints | None) -> tuple[Floats, Floats]:
    """(..., groups) the sums over the goals of each group, independent of their order; and the sizes of the groups."""
    if group is None:
        return values, np.ones(values.shape[-1])
    order, sizes = np.argsort(group, kind="stable"), bincount(group)

    def sums(row: Floats) -> list[float]:
        in_order = iter(row[order].tolist())
        return [fsum(islice(in_order, size)) for size in sizes.tolist()]

    return np.apply_along_axis(sums, -1, values), sizes.astype(np.float64)


def gaps(values: Floats) -> tuple[Floats, float, bool]:
    """(runs, goals) how far each value is above the least of its goal, 0 if all are equal up to rounding; the unit of these gaps; whether they are rounded."""
    level, least = abs(values).max(axis=0), values.min(axis=0)
    gap = np.where(np.ptp(values, axis=0) > PRECISION * level, values - least, 0)
    if (values == np.rint(values)).all() and gap.sum() < EXACT:
        return gap, 1.0, False
    largest = level[gap.any(axis=0)].max(initial=0)
    return gap, max(float(PRECISION * (largest or 1)), 5e-324), True


def design_effect(d: Floats, sums: Floats, sizes: Floats) -> float:
    """The variance of the mean with groups, by the ratio estimator, divided by the variance for independent goals."""
    if not np.ptp(d):
        return 1.0 if (sizes == 1).all() else float("nan")
    in_groups = ((sums - sizes * d.mean()) ** 2).sum() * sums.size / (sums.size - 1)
    alone = ((d - d.mean()) ** 2).sum() * d.size / (d.size - 1)
    return float(ratio(in_groups, alone))
