"""Metrics that give each rank a discount, and each grade a gain."""

from functools import lru_cache

import numpy as np

from ._checks import choice, complain, number, place, whole
from .hits import as_hits, frozen, ratio


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
    return hits.result(discounted(hits, k, gain, "relevance"))


def ndcg(relevance, k=None, gain="linear", ideal=None):
    """DCG over the DCG of the best possible ranking, both cut at k.

    Arguments as for `dcg`; ideal: all grades of the universe, (..., m) or (m,) for every query, in any order,
    default those in the ranking, which hides relevant items that were never ranked.
    Returns (...,) in [0, 1], nan where the ideal is all zeros.
    Raises ValueError for bad grades, k, gain, or an ideal that lies below the ranking's own grades.
    Source: Järvelin and Kekäläinen (2002).

    >>> print(ndcg([1, 0, 0]), ndcg([1, 0, 0], k=1, ideal=[1, 1, 1, 0]))
    1.0 1.0
    """
    hits, k = as_hits(relevance), cutoff(k)
    gained = discounted(hits, k, gain, "relevance")
    return hits.result(ratio(gained, ideal_dcg(hits, k, gain, ideal)))


def rank_biased_precision(relevance, persistence):
    """RBP: the expected rate of relevant items for a user who goes on to the next item with chance p.

    relevance: (..., n) grades in rank order, or `Hits`; persistence: p, one number in [0, 1).
    Returns (...,) in [0, 1], 1 - p times the sum of p^(rank - 1) over the relevant items.
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
    Returns (...,) in [0, 1]. Raises ValueError for bad grades or max_grade.
    Source: Chapelle, Metzler, Zhang and Grinspan (2009).

    >>> print(expected_reciprocal_rank([1, 1, 0], max_grade=1))
    0.625
    """
    hits = as_hits(relevance)
    largest = hits.grade.max(initial=0)
    max_grade = float(number("max_grade", max_grade, f"at least the largest grade, {largest:g}", lambda g: largest <= g < np.inf))
    with np.errstate(under="ignore"):
        stop = np.exp2(hits.grade - max_grade) - np.exp2(-max_grade)
    going_on = hits.accumulate(np.multiply, 1 - stop)
    arriving = np.where(hits.order == 1, 1.0, np.concatenate([[1.0], going_on])[:-1])
    return hits.result(hits.total(arriving * stop / hits.rank))


def cutoff(k):
    return None if k is None else whole("k", k, at_least=1)


@lru_cache(maxsize=4)
def discount_table(length):
    """1 / log2(rank + 1) at place `rank`, for ranks up to `length`; place 0 is unused."""
    return frozen(np.append(1.0, 1 / np.log2(np.arange(2, length + 2))))


def discounts(hits):
    """(H,) 1 / log2(rank + 1); looked up for rankings of usual length, where that is four times as fast."""
    return discount_table(hits.longest)[hits.rank] if hits.longest <= 100_000 else 1 / np.log2(hits.rank + 1)


def discounted(hits, k, gain, name):
    """(Q,) the discounted gains of the top k."""
    value = discounts(hits) * gains(hits.grade, gain, name)
    if k is not None:
        value = np.where(hits.rank <= k, value, 0)
    return hits.total(value)


def ideal_dcg(hits, k, gain, ideal):
    """(Q,) the discounted gains of the top k of the best possible ranking."""
    best = hits.ideal if ideal is None else checked_ideal(ideal, hits.ideal)
    return np.broadcast_to(discounted(best, k, gain, "ideal"), hits.queries)


def gains(grade, gain, name):
    """(H,) the grades g, or 2^g - 1."""
    choice("gain", gain, ("linear", "exponential"))
    with np.errstate(over="ignore"):
        gained = grade if gain == "linear" else np.exp2(grade) - 1
    if gained.max(initial=0) > 1e300:
        complain(name, f"grade {grade.max():g} with the {gain} gain", "grades whose gains can be added up")
    return gained


def checked_ideal(ideal, own):
    """The ideal order of all grades of the universe, one for all queries or one for each, which must hold those of `own`."""
    try:
        best = as_hits(ideal).ideal
    except ValueError as error:
        raise ValueError(str(error).replace("relevance", "ideal", 1)) from None
    if best.shape not in ((), own.shape):
        complain("ideal", f"leading shape {best.shape}", f"one list of grades, or the queries' shape {own.shape}")
    row = own.row if best.shape else np.zeros_like(own.row)
    enough = own.order <= best.count[row]
    beside = best.start[row[enough]] + own.order[enough] - 1
    enough[enough] = best.grade[beside] >= own.grade[enough]
    if not enough.all():
        where = f" for query {place(own.row[~enough][0], own.shape)}" if own.shape else ""
        complain("ideal", f"too few high grades{where}", "all grades of the universe, with those of the ranking among them")
    return best
