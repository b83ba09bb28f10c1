"""The value of a metric when scores are tied: at best, at worst, and on average over all orders.

`best`, `worst` and `shared` return rankings, which any metric of a ranking takes. The others are
means over all orders of the tied items, all equally likely, in closed form. Relevance is an
array here, or the hits of `Hits.from_scores` with ties="mean", never other `Hits`, which are in rank
order already. Scores are compared as NumPy holds them: Fractions, and whole numbers beyond 64 bits,
as float64.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np

from . import areas, cutoff as at_a_cutoff, gain as with_gains, order
from ._base.arrays import ratio
from ._base.checks import numeric, refuse, require_same_labels_within, whole
from ._base.scored import Places, refuse_nan
from ._base.types import Floats, Gain, Numbers, Shape, Values, Whole, per_ranking
from .gain import cutoff, discounts, gains, ideal_dcg, normalized
from .hits import Hits, TiedHits, as_hits, by_score, labels_of_queries

__all__ = ["best", "worst", "shared", "precision_at", "average_precision", "reciprocal_rank", "ndcg"]

Scored: TypeAlias = Numbers | TiedHits  # grades in any order, or hits whose ties have no order


def best(relevance: Numbers, *, scores: Numbers) -> Floats:
    """The ranking by score; in a tie, the higher grade first.

    relevance: (..., n) grades in any order;
    scores: numbers of the same shape, not nan.
    Returns (..., n) grades in rank order, the
    highest score first.
    Raises ValueError for bad grades, nan scores, or
    different shapes.
    Source: McSherry and Najork (2008).

    >>> best([0, 1, 1], scores=[2, 2, 3]).tolist()
    [1.0, 1.0, 0.0]
    """
    hits = tied(relevance, scores, of_hits=False).best()
    return in_rank_order(hits, np.shape(relevance))


def worst(relevance: Numbers, *, scores: Numbers) -> Floats:
    """The ranking by score; in a tie, the lower grade first.

    relevance, scores: as in `best`.
    Returns (..., n) grades in rank order, the
    highest score first.
    Raises ValueError as `best` does.
    Source: McSherry and Najork (2008).

    >>> worst([0, 1, 1], scores=[2, 2, 3]).tolist()
    [1.0, 0.0, 1.0]
    """
    hits = tied(relevance, scores, of_hits=False).worst()
    return in_rank_order(hits, np.shape(relevance))


def shared(relevance: Numbers, *, scores: Numbers) -> Floats:
    """The ranking by score; equal scores share their mean grade.

    A sum of weights times grades, such as DCG with the linear
    gain, then equals its mean over all orders. A metric that
    counts every grade above 0 as a whole hit, such as P@k, does
    not: use `precision_at`.
    relevance, scores: as in `best`.
    Returns (..., n) grades in rank order, the
    highest score first.
    Raises ValueError as `best` does.
    Source: McSherry and Najork (2008).

    >>> shared([0, 1, 1], scores=[2, 2, 3]).tolist()
    [1.0, 0.5, 0.5]
    """
    hits = tied(relevance, scores, of_hits=False)
    mean_grade = hits.block_mean(hits.grade)
    grades = np.zeros((hits.queries, hits.longest))
    for block in hits.block.places():
        here = block.row, block.rank - 1
        grades[here] = mean_grade[block.index, None]
    return grades.reshape(np.shape(relevance))


@per_ranking
def precision_at(
    relevance: Scored, *, scores: Numbers | None = None, k: Whole
) -> Values:
    """The mean of P@k over all orders of the tied items.

    relevance: (..., n) grades in any order, or the `Hits` of
    `from_scores` with ties="mean", which know their scores;
    scores: numbers of the same shape, not nan;
    k: one whole number >= 1.
    Returns (...,) in [0, 1].
    Raises ValueError for bad grades, nan scores, different
    shapes, or a bad k.
    Source: McSherry and Najork (2008).

    >>> print(precision_at([0, 1, 1], scores=[2, 2, 3], k=2))
    0.75
    """
    hits, k = tied(relevance, scores), whole("k", k, at_least=1)
    found = hits.mean_sum(
        lambda block: block.chance * (block.rank <= k)
    )
    return hits.result(found / k)


@per_ranking
def average_precision(
    relevance: Scored, *, scores: Numbers | None = None,
    n_relevant: Numbers | None = None,
) -> Values:
    """The mean of AP over all orders of the tied items.

    relevance, scores: as in `precision_at`;
    n_relevant: |A|, broadcast to (...,), default: the relevant
    items that have a score.
    Returns (...,) in [0, 1], nan where nothing is relevant.
    Raises ValueError for bad grades, nan scores, different
    shapes, or a bad n_relevant.
    Source: McSherry and Najork (2008).

    >>> print(average_precision([0, 1], scores=[2, 2]))
    0.75
    """
    hits = tied(relevance, scores)
    R = hits.relevant(n_relevant)

    def precision(block: Places) -> Floats:
        # The relevant items above the place in its block, on
        # average, if the item at the place is relevant.
        others = max(block.size - 1, 1)
        beside = (block.place - 1) * (block.relevant - 1) / others
        ordinal = block.above + beside + 1
        return block.chance * ordinal / block.rank

    precision_sum = hits.mean_sum(precision)
    return hits.result(ratio(precision_sum, R))


@per_ranking
def reciprocal_rank(
    relevance: Scored, *, scores: Numbers | None = None
) -> Values:
    """The mean reciprocal rank over all orders of tied items.

    relevance, scores: as in `precision_at`.
    Returns (...,) in [0, 1], 0 where nothing is relevant.
    Raises ValueError for bad grades, nan scores, or
    different shapes.
    Source: McSherry and Najork (2008).

    >>> print(reciprocal_rank([0, 1, 0], scores=[2, 2, 1]))
    0.75
    """
    hits = tied(relevance, scores)

    def first_hit(block: Places) -> Floats:
        # The probability, if no hit was before: then at most 1.
        left = block.size - block.place + 1
        hit_now = block.relevant / left
        none_yet = np.cumprod(1 - hit_now, axis=-1)
        none_before = np.ones_like(none_yet)
        none_before[:, 1:] = none_yet[:, :-1]
        in_first = block.above == 0
        return in_first * none_before * hit_now / block.rank

    return hits.result(hits.mean_sum(first_hit))


@per_ranking
def ndcg(
    relevance: Scored, *, scores: Numbers | None = None,
    k: Whole | None = None, gain: Gain = "linear",
    ideal: Numbers | None = None,
    n_relevant: Numbers | None = None,
) -> Values:
    """The mean of nDCG over all orders of the tied items.

    relevance, scores: as in `precision_at`;
    k: one whole number >= 1, default: all ranks;
    gain: "linear" (the grade g) or "exponential" (2^g - 1);
    ideal: all grades of the universe, (..., m) or (m,) for
    every query, in any order;
    n_relevant: |A|, broadcast to (...,), default: the
    relevant items that have a score; without an `ideal` the
    others have grade 1.
    Returns (...,) in [0, 1], nan where the ideal DCG is 0.
    Raises ValueError for bad grades, nan scores, different
    shapes, bad k, gain or n_relevant, for an ideal below the
    ranking's own grades, and, without one, where items have no
    score and the grades of others are not all 1.
    Source: McSherry and Najork (2008).

    >>> print(ndcg([0, 1], scores=[2, 2], k=1))
    0.5
    """
    hits, k = tied(relevance, scores), cutoff(k)
    gained = gains(hits.grade, gain, "relevance")
    mean_gain = hits.block_mean(gained)

    def discounted(block: Places) -> Floats:
        shown = block.rank <= (np.inf if k is None else k)
        mean = mean_gain[block.index, None]
        discount = discounts(block.rank, block.longest)
        return mean * discount * shown

    gained = hits.mean_sum(discounted)
    most = ideal_dcg(hits, k, gain, ideal, n_relevant)
    return hits.result(normalized(gained, most))


MEAN_OF: dict[Callable[..., Values], Callable[..., Values]] = {
    at_a_cutoff.precision_at: precision_at,
    areas.average_precision: average_precision,
    order.reciprocal_rank: reciprocal_rank,
    with_gains.ndcg: ndcg,
}


def tied(relevance: Scored, scores: Numbers | None, of_hits: bool = True) -> TiedHits:
    """The hits with unordered ties."""
    if isinstance(relevance, TiedHits):
        if not of_hits:
            means = "precision_at, average_precision, reciprocal_rank and ndcg take hits"
            refuse("relevance", repr(relevance), f"grades in an array, with their scores; {means}")
        if scores is not None:
            refuse("scores", "scores besides hits that have their own", "hits alone, or grades with scores")
        return relevance
    if isinstance(relevance, Hits):
        refuse("relevance", "Hits whose ties were broken", 'those of ties="mean", or grades with their scores')
    if scores is None:
        refuse("scores", "None", "numbers of the shape of relevance, or, as relevance, the Hits of metrics.Hits.from_scores(..., ties='mean')")
    require_same_labels_within(relevance=relevance, scores=scores)
    grades = numeric("relevance", relevance, "finite grades >= 0")
    given = as_hits(grades)  # refuses bad grades
    gains(given.grade, "linear", "relevance")  # and those whose sum is not finite
    score = numeric("scores", scores, apart=True)
    if grades.shape != score.shape:
        refuse("scores", f"shape {score.shape}", f"the shape {grades.shape} of the grades")
    refuse_nan(score)
    return TiedHits(given, *by_score(given, score), **labels_of_queries(given.shape, relevance, scores))


def in_rank_order(hits: Hits, shape: Shape) -> Floats:
    """The grades of the rankings in rank order, as an array of this shape."""
    grades = np.zeros((hits.queries, hits.longest))
    grades[hits.row, hits.rank - 1] = hits.grade
    return grades.reshape(shape)
