"""Metrics that give each rank a discount, and each grade a gain."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from ._checks import choice, number, refuse, whole
from ._types import Floats, Ints, Number, Numbers, Values, Whole
from .hits import Hits, Relevance, as_hits, frozen, ratio

TABLE = 100_000  # ranks whose discounts are looked up, which is four times as fast


def dcg(
    relevance: Relevance,
    k: Whole | None = None, gain: str = "linear",
) -> Values:
    """DCG: the gains of the top k, each over log2(rank + 1).

    The letters stand for discounted cumulative gain.
    relevance: (..., n) grades in rank order, or `Hits`;
    k: one whole number >= 1, default all ranks;
    gain: "linear" (the grade g) or "exponential" (2^g - 1).
    Returns (...,) >= 0, unbounded.
    Raises ValueError for bad grades, k or gain.
    Source: Järvelin and Kekäläinen (2000), SIGIR; the discount
    of Burges and others (2005).

    >>> print(dcg([1, 0, 1]))
    1.5
    >>> print(dcg([2, 0, 1], gain="exponential"))
    3.5
    """
    hits, k = as_hits(relevance), cutoff(k)
    return hits.result(discounted(hits, k, gain, "relevance"))


def ndcg(
    relevance: Relevance,
    k: Whole | None = None, gain: str = "linear",
    ideal: Relevance | None = None,
    n_relevant: Numbers | None = None,
) -> Values:
    """nDCG: DCG over that of the best ranking, both cut at k.

    relevance: (..., n) grades in rank order, or `Hits`;
    k: one whole number >= 1, default all ranks;
    gain: "linear" (the grade g) or "exponential" (2^g - 1);
    ideal: all grades of the universe, (..., m) or (m,) for
    every query, in any order;
    n_relevant: |A|, broadcast to (...,). Without an `ideal`
    the grades are those of the mapping, or of the ranking and
    1 for each relevant item beyond it; the default of an array
    knows of none beyond.
    Returns (...,) in [0, 1], nan where the ideal DCG is 0.
    Raises ValueError for bad grades, k, gain or n_relevant, for
    an ideal below the ranking's own grades, and, without one,
    where items were not ranked and the grades of others are not
    all 1.
    Source: Järvelin and Kekäläinen (2002), the paper in
    a journal.

    >>> print(ndcg([1, 0, 0]))
    1.0
    >>> print(ndcg([1, 0, 0], k=1, ideal=[1, 1, 1, 0]))
    1.0
    >>> print(ndcg([0, 1, 0], k=2, n_relevant=2).round(3))
    0.387
    """
    hits, k = as_hits(relevance), cutoff(k)
    gained = discounted(hits, k, gain, "relevance")
    best = ideal_dcg(hits, k, gain, ideal, n_relevant)
    return hits.result(normalized(gained, best))


def rank_biased_precision(
    relevance: Relevance, persistence: Number
) -> Values:
    """RBP: the expected rate of relevant items for a user.

    The user goes on from each item to the next with chance p.
    relevance: (..., n) grades in rank order, or `Hits`;
    persistence: p, one number in [0, 1).
    Returns (...,) in [0, 1], 1 - p times the sum of
    p^(rank - 1) over the relevant items.
    Raises ValueError for bad grades or persistence.
    Source: Moffat and Zobel (2008).

    >>> print(rank_biased_precision([1, 0, 1], persistence=0.5))
    0.625
    """
    hits = as_hits(relevance)
    p = float(number(
        "persistence", persistence,
        "in [0, 1)", lambda x: 0 <= x < 1,
    ))
    reached = p ** (hits.rank - 1)
    return hits.result((1 - p) * hits.total(reached))


def expected_reciprocal_rank(
    relevance: Relevance, max_grade: Number
) -> Values:
    """ERR: the expected 1 / rank at which a user stops.

    The user stops at the first item that satisfies.
    Grade g satisfies with chance (2^g - 1) / 2^max_grade.
    relevance: (..., n) grades in rank order, or `Hits`;
    max_grade: one number, at least the largest grade.
    Returns (...,) in [0, 1].
    Raises ValueError for bad grades or max_grade.
    Source: Chapelle, Metzler, Zhang and Grinspan (2009).

    >>> print(expected_reciprocal_rank([1, 1, 0], max_grade=1))
    0.625
    """
    hits = as_hits(relevance)
    largest = hits.grade.max(initial=0)
    expected = f"at least the largest grade, {largest:g}"
    highest = float(number(
        "max_grade", max_grade,
        expected, lambda g: largest <= g < np.inf,
    ))
    with np.errstate(under="ignore"):
        stop = np.exp2(hits.grade - highest) - np.exp2(-highest)
    going_on = hits.accumulate(np.multiply, 1 - stop)
    before = np.concatenate([[1.0], going_on])[:-1]
    arriving = np.where(hits.ordinal == 1, 1.0, before)
    return hits.result(hits.total(arriving * stop / hits.rank))


def cutoff(k: Whole | None) -> int | None:
    """One whole number, or None for all ranks."""
    return None if k is None else whole("k", k, at_least=1)


@cache
def discount_table() -> Floats:
    """1 / log2(rank + 1) at place `rank`; place 0 is unused."""
    return frozen(np.append(1.0, 1 / np.log2(np.arange(2, TABLE + 2))))


def discounts(rank: Ints, longest: int) -> Floats:
    """1 / log2(rank + 1) of ranks up to the longest."""
    return discount_table()[rank] if longest <= TABLE else 1 / np.log2(rank + 1)


def discounted(hits: Hits, k: int | None, gain: str, name: str) -> Floats:
    """(Q,) the discounted gains of the top k."""
    seen = slice(None) if k is None or k >= hits.longest else np.flatnonzero(hits.rank <= k)
    value = np.zeros(hits.rank.size)
    value[seen] = discounts(hits.rank[seen], hits.longest) * gains(hits.grade[seen], gain, name)
    return hits.total(value)


def normalized(gained: Floats, best: Floats) -> Floats:
    """The share of the best possible, which rounding may exceed."""
    return np.minimum(ratio(gained, best), 1)


def ideal_dcg(hits: Hits, k: int | None, gain: str, ideal: Any, n_relevant: Any) -> Floats:
    """(Q,) the discounted gains of the top k of the best possible ranking."""
    total, known = hits.relevant(n_relevant), hits.ideal
    if ideal is not None:
        best = discounted(checked_ideal(ideal, hits), k, gain, "ideal")
        return np.broadcast_to(best, hits.queries)
    best = discounted(known, k, gain, "relevance")
    unknown = total != known.count
    if not unknown.any():
        return best
    other = np.bincount(known.row[known.grade != 1], minlength=hits.queries) > 0
    for query in np.flatnonzero(unknown & other):
        items = f"not all of the {total[query]} relevant items have a known grade"
        refuse("ideal", f"none{hits.named(query)}, where {items}", "all grades of the universe")
    ones = discount_sum(total if k is None else np.minimum(total, min(k, 2**53)))
    return np.where(unknown, ones, best)


@cache
def discount_sums() -> Floats:
    """The sum of the first 0, 1, 2 ... discounts."""
    return frozen(np.append(0.0, np.cumsum(discount_table()[1:])))


def discount_sum(count: Ints) -> Floats:
    """The sum of so many discounts: looked up, and beyond the table by Euler and Maclaurin."""
    value, far = discount_sums()[np.minimum(count, TABLE)], count > TABLE
    value[far] += sum_beyond(count[far]) - sum_beyond(np.array([TABLE]))
    return value


def sum_beyond(count: Ints) -> Floats:
    """The sum of so many discounts but for a constant, with an error below 1e-15 beyond the table.

    The integral of 1 / ln x is ln ln x plus the sum of (ln x)^i / (i i!) over i = 1, 2, ...
    """
    x, i = count + 1.0, np.arange(1, 151)
    log = np.log(x)
    integral = np.log(log) + (np.cumprod(log[:, None] / i, axis=1) / i).sum(axis=1)
    return np.log(2) * (integral + 1 / (2 * log) - 1 / (12 * x * log**2))


def gains(grade: Floats, gain: str, name: str) -> Floats:
    """(H,) the grades g, or 2^g - 1."""
    choice("gain", gain, ("linear", "exponential"))
    with np.errstate(over="ignore"):
        gained = grade if gain == "linear" else np.exp2(grade) - 1
    if (gained > 1e300).any():
        given = f"grade {grade.max():g} with the {gain} gain"
        refuse(name, given, "grades whose gains can be added up")
    return gained


def checked_ideal(ideal: Any, hits: Hits) -> Hits:
    """The best order of all grades of the universe, which must hold the hits' own."""
    try:
        best = as_hits(ideal).ideal
    except ValueError as error:
        raise ValueError(str(error).replace("relevance", "ideal", 1)) from None
    if best.shape not in ((), hits.shape):
        expected = f"one list of grades, or the queries' shape {hits.shape}"
        refuse("ideal", f"leading shape {best.shape}", expected)
    own = hits.best_first
    row = own.row if best.shape else np.zeros_like(own.row)
    enough = own.ordinal <= best.count[row]
    beside = best.start[row[enough]] + own.ordinal[enough] - 1
    enough[enough] = best.grade[beside] >= own.grade[enough]
    for query in own.row[~enough]:
        given = f"too few high grades{hits.named(query)}"
        refuse("ideal", given, "all grades of the universe, with those of the ranking among them")
    return best
