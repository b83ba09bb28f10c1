"""Precision and recall along a ranking, and the way back from a level of recall to a rank."""

from __future__ import annotations

from fractions import Fraction
from math import ceil

import numpy as np

from ._base.arrays import ratio
from ._base.checks import fraction, refuse
from ._base.records import metric
from ._base.types import Array, Floats, Ints, Number, Numbers, Values, per_ranking
from .hits import Hits, Relevance, as_hits

__all__ = [
    "precision_curve", "recall_curve", "rank_at_recall", "precision_at_recall", "interpolated_precision",
    "break_even_ranks",
]  # fmt: skip

# A float this near to j/R means j/R: 0.6 * 5 is 3.0000000000000004 in some orders of work.
SAME_LEVEL = 1e-9


def precision_curve(relevance: Relevance) -> Floats:
    """The values of P@k for k = 1 ... n.

    relevance: (..., n) grades in rank order, or `Hits`.
    Returns (..., n) in [0, 1]; a shorter ranking of a batch is
    padded with irrelevant items.
    Raises ValueError for bad grades.
    Source: Manning, Raghavan and Schütze (2008), section 8.4.

    >>> precision_curve([1, 0, 0, 1]).round(2).tolist()
    [1.0, 0.5, 0.33, 0.5]
    """
    hits = as_hits(relevance)
    k = np.arange(1, hits.longest + 1)
    return hits.result(hits.curve() / k)


def recall_curve(
    relevance: Relevance, n_relevant: Numbers | None = None
) -> Floats:
    """The values of recall@k for k = 1 ... n.

    relevance: (..., n) grades in rank order, or `Hits`;
    n_relevant: |A|, broadcast to (...,), default: what the
    `Hits` know, or the relevant items in the ranking.
    Returns (..., n) in [0, 1], nan where nothing is relevant.
    Raises ValueError for bad grades or n_relevant.
    Source: Manning, Raghavan and Schütze (2008), section 8.4.

    >>> recall_curve([1, 0, 0, 1]).tolist()
    [0.5, 0.5, 0.5, 1.0]
    """
    hits = as_hits(relevance)
    R = hits.relevant(n_relevant)[:, None]
    return hits.result(ratio(hits.curve(), R))


@metric(
    "RankAtRecall@r", "k at recall", purpose="How far must one read?",
    asks="How far must I read for a share of what there is?", formula=r"\min_{r(k) \ge r} k",
    rewards="↓ A short way to a share r of all relevant items.", place="from-sets-to-rankings#def-k-at-recall",
    see="full_recall, precision_at_recall",
)
@per_ranking
def rank_at_recall(
    relevance: Relevance, level: Number,
    n_relevant: Numbers | None = None,
) -> Values:
    """k@recall: the smallest k with recall@k at least `level`.

    It is the rank of hit ceil(level R).
    relevance: (..., n) grades in rank order, or `Hits`;
    level: one number in [0, 1], a float within 1e-9
    of j/R means j/R;
    n_relevant: |A|, broadcast to (...,), default: what the
    `Hits` know, or the relevant items in the ranking.
    Returns (...,): 0 at level 0, inf where the level is never
    reached, nan where nothing is relevant.
    Raises ValueError for bad grades, level or n_relevant.
    Source: this book.

    >>> print(rank_at_recall([0, 1, 0, 1, 1, 0], level=0.5))
    4.0
    """
    hits = as_hits(relevance)
    R = hits.relevant(n_relevant)
    needed = hits_needed(level, R)
    rank = at_hit(hits, hits.rank, needed)
    rank[needed > hits.count] = np.inf
    return hits.result(np.where(R == 0, np.nan, rank))


@metric(
    "PrecisionAtRecall@r", "precision at recall", purpose="How far must one read?",
    asks="What precision do I have at a given recall?", formula=r"p(k), \quad k = \min_{r(i) \ge r} i",
    rewards="Few wrong items on the way to a share r of all relevant ones.",
    place="from-sets-to-rankings#def-precision-at-recall", see="rank_at_recall, interpolated_precision",
)
@per_ranking
def precision_at_recall(
    relevance: Relevance, level: Number,
    n_relevant: Numbers | None = None,
) -> Values:
    """precision@recall: P@k at k = k@recall(level).

    relevance: (..., n) grades in rank order, or `Hits`;
    level: one number in [0, 1], a float within 1e-9
    of j/R means j/R;
    n_relevant: |A|, broadcast to (...,), default: what the
    `Hits` know, or the relevant items in the ranking.
    Returns (...,) in [0, 1]: 0 where the level is never
    reached, nan at level 0 and where nothing is relevant.
    Raises ValueError for bad grades, level or n_relevant.
    Source: this book.

    >>> print(precision_at_recall([0, 1, 0, 1, 1], level=0.5))
    0.5
    """
    hits = as_hits(relevance)
    R = hits.relevant(n_relevant)
    needed = hits_needed(level, R)
    value = at_hit(hits, hits.ordinal / hits.rank, needed)
    return hits.result(np.where(needed == 0, np.nan, value))


@metric(
    "IPrec@r", "interpolated precision", purpose="How far must one read?",
    asks="What is the best precision at that recall or beyond?", formula=r"\max_{r(k) \ge r} p(k)",
    rewards="The best precision for a reader who wants at least a share r.", place="areas-under-the-curve#def-six-areas",
    see="precision_at_recall, eleven_point_average_precision",
)
@per_ranking
def interpolated_precision(
    relevance: Relevance, level: Number,
    n_relevant: Numbers | None = None,
) -> Values:
    """The best precision at this level of recall or above.

    relevance, level, n_relevant: as in `precision_at_recall`.
    Returns (...,) in [0, 1]: 0 above the recall reached, nan
    where nothing is relevant.
    Raises ValueError as `precision_at_recall` does.
    Source: Manning, Raghavan and Schütze (2008), section 8.4.

    >>> print(interpolated_precision([0, 1, 0, 1, 1], level=0))
    0.6
    """
    hits = as_hits(relevance)
    R = hits.relevant(n_relevant)
    needed = np.maximum(hits_needed(level, R), 1)
    best = at_hit(hits, envelope(hits), needed)
    return hits.result(np.where(R == 0, np.nan, best))


def break_even_ranks(
    relevance: Relevance, n_relevant: Numbers | None = None
) -> Ints:
    """All ranks k at which precision equals recall.

    They are R, and every k before the first hit.
    relevance: one ranking of n grades, or its `Hits`;
    n_relevant: |A|, default: what the `Hits` know, or the
    relevant items in the ranking.
    Returns an ascending integer array of ranks in 1 ... n,
    empty where nothing is relevant.
    Raises ValueError for a batch, for bad grades or n_relevant.
    Source: Manning, Raghavan and Schütze (2008), section 8.4.

    >>> break_even_ranks([0, 1, 0, 1, 1, 0]).tolist()
    [1, 3]
    """
    hits = as_hits(relevance)
    if hits.shape:
        batch = f"a batch of shape {hits.shape}"
        refuse("relevance", batch, "one ranking")
    R = hits.relevant(n_relevant)[0]
    k = np.arange(1, hits.longest + 1)
    first = hits.rank.min(initial=hits.longest + 1)
    return k[((k < first) | (k == R)) & (R > 0)]


def hits_needed(level: Number, n_relevant: Ints) -> Ints:
    """(Q,) the smallest j with j/R at least the level."""
    level = fraction("level", level)
    if isinstance(level, Fraction):
        R, which = np.unique(n_relevant, return_inverse=True)
        ordinals = [ceil(level * total) for total in R.tolist()]
        return np.array(ordinals, dtype=np.int64)[which]
    exact = level * n_relevant
    nearest = np.rint(exact)
    meant = np.abs(nearest - exact) <= SAME_LEVEL * n_relevant
    needed = np.where(meant, nearest, np.ceil(exact))
    return needed.astype(np.int64)


def envelope(hits: Hits) -> Floats:
    """(H,) for each hit, the best precision at this hit or at a later hit of its query."""
    from_the_end = hits.count[hits.row] + 1 - hits.ordinal
    mirror = hits.start[hits.row] + from_the_end - 1
    return hits.accumulate(np.maximum, (hits.ordinal / hits.rank)[mirror])[mirror]


def at_hit(hits: Hits, values: Array, wanted: Array) -> Floats:
    """(Q,) the value at the hit with the wanted ordinal, 0 if there is no such hit."""
    found = np.zeros(hits.queries)
    there = (1 <= wanted) & (wanted <= hits.count)
    found[there] = values[hits.start[there] + wanted[there].astype(np.int64) - 1]
    return found
