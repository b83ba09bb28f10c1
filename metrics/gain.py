"""Metrics that give each rank a discount, and each grade a gain."""

from functools import lru_cache

import numpy as np

from ._checks import choice, complain, number, place, whole
from .hits import Hits, as_hits, ratio


def dcg(relevance, k=None, gain="linear"):
    """Discounted cumulative gain: the gains of the top k, each over log2(rank + 1).

    relevance: (..., n) grades in rank order, or `Hits`; k: one whole number >= 1, default all ranks;
    gain: "linear" (the grade g) or "exponential" (2^g - 1).
    Returns (...,) >= 0, unbounded. Raises ValueError for bad grades, k or gain.
    Source: Järvelin and Kekäläinen (2002); the discount of Burges and others (2005).

    >>> print(dcg([1, 0, 1]), dcg([2, 0, 1], gain="exponential"))
    1.5 3.5
    """
    hits, k = as_hits(relevance), cutoff(k)
    return hits.result(discounted(hits, k, gain))


def ndcg(relevance, k=None, gain="linear", ideal=None):
    """DCG over the DCG of the best possible ranking, both cut at k.

    Arguments as for `dcg`; ideal: all grades of the universe, (..., m) or (m,) for every query, in any order,
    default those in the ranking, which hides relevant items that were never ranked.
    Returns (...,) in [0, 1], nan where every grade is 0.
    Raises ValueError for bad grades, k, gain, or an ideal that lies below the ranking's own grades.
    Source: Järvelin and Kekäläinen (2002).

    >>> print(ndcg([1, 0, 0]), ndcg([1, 0, 0], k=1, ideal=[1, 1, 1, 0]))
    1.0 1.0
    """
    hits, k = as_hits(relevance), cutoff(k)
    best = ideal_order(hits)
    if ideal is not None:
        best = checked_ideal(ideal, best)
    return hits.result(ratio(discounted(hits, k, gain), discounted(best, k, gain)))


def rank_biased_precision(relevance, persistence):
    """RBP: the expected rate of relevant items for a user who goes on to the next item with chance p.

    relevance: (..., n) grades in rank order, or `Hits`; persistence: p, one number in [0, 1).
    Returns (...,) in [0, 1), 1 - p times the sum of p^(rank - 1) over the relevant items.
    Raises ValueError for bad grades or persistence.
    Source: Moffat and Zobel (2008).

    >>> print(rank_biased_precision([1, 0, 1], persistence=0.5))
    0.625
    """
    hits = as_hits(relevance)
    p = float(number("persistence", persistence, "in [0, 1)", lambda x: 0 <= x < 1))
    return hits.result((1 - p) * hits.total(p ** (hits.rank - 1)))


def expected_reciprocal_rank(relevance, max_grade):
    """ERR: the expected 1 / rank at which a user stops who is satisfied by grade g with chance (2^g - 1) / 2^max_grade.

    relevance: (..., n) grades in rank order, or `Hits`; max_grade: one number, at least the largest grade.
    Returns (...,) in [0, 1). Raises ValueError for bad grades or max_grade.
    Source: Chapelle, Metlzer, Zhang and Grinspan (2009).

    >>> print(expected_reciprocal_rank([1, 1, 0], max_grade=1))
    0.625
    """
    hits = as_hits(relevance)
    largest = hits.grade.max(initial=0)
    max_grade = float(number("max_grade", max_grade, f"at least the largest grade, {largest:g}", lambda g: largest <= g < np.inf))
    stop = np.exp2(hits.grade - max_grade) - np.exp2(-max_grade)
    going_on = hits.accumulate(np.multiply, 1 - stop)
    arriving = np.where(hits.order == 1, 1.0, np.concatenate([[1.0], going_on])[:-1])
    return hits.result(hits.total(arriving * stop / hits.rank))


def cutoff(k):
    return None if k is None else whole("k", k, at_least=1)


@lru_cache(maxsize=8)
def discounts(length):
    """1 / log2(rank + 1) at place `rank`, for ranks up to `length`; place 0 is unused."""
    table = np.ones(length + 1)
    table[1:] = 1 / np.log2(np.arange(2, length + 2))
    table.setflags(write=False)
    return table


def discounted(hits, k, gain):
    """(Q,) the discounted gains of the top k."""
    choice("gain", gain, ("linear", "exponential"))
    value = discounts(hits.longest)[hits.rank] * gains(hits.grade, gain)
    if k is not None:
        value = np.where(hits.rank <= k, value, 0)
    return hits.total(value)


def gains(grade, gain):
    if gain == "linear":
        return grade
    with np.errstate(over="ignore"):
        exponential = np.exp2(grade) - 1
    if np.isinf(exponential).any():
        complain("relevance", f"grade {grade.max():g} with the exponential gain", "grades below 1024, whose gain is finite")
    return exponential


def ideal_order(hits):
    """The same hits in the best order: highest grades first, at ranks 1, 2, ..."""
    grade = hits.grade
    if not (grade == grade[:1]).all():
        grade = grade[np.lexsort((-grade, hits.row))]
    return Hits(hits.shape, hits.length, hits.row, hits.order, grade)


def checked_ideal(ideal, own):
    """The ideal order of all grades of the universe, which must hold the ranking's own, `own`, among them."""
    try:
        best = ideal_order(as_hits(ideal))
    except ValueError as error:
        raise ValueError(str(error).replace("relevance", "ideal", 1)) from None
    if best.shape not in ((), own.shape):
        complain("ideal", f"leading shape {best.shape}", f"one list of grades, or the queries' shape {own.shape}")
    if best.shape != own.shape:
        best = best.for_each(own.shape)
    enough = own.order <= best.count[own.row]
    beside = best.start[own.row[enough]] + own.order[enough] - 1
    enough[enough] = best.grade[beside] >= own.grade[enough]
    if not enough.all():
        where = f" for query {place(own.row[~enough][0], own.shape)}" if own.shape else ""
        complain("ideal", f"too few high grades{where}", "all grades of the universe, with those of the ranking among them")
    return best
