"""What a metric is worth when scores are tied: at best, at worst, on average over all orders.

`best`, `worst` and `shared` return rankings, which any metric of a ranking takes. The others are
means over all orders of the tied items, each as likely as the next, in closed form. Relevance is an
array here, never `Hits`, which are in rank order already. Scores are compared as NumPy holds them:
Fractions, and whole numbers beyond 64 bits, as float64.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from ._checks import numeric, refuse, whole
from ._types import Array, Floats, Ints, Numbers, Values, Whole
from .gain import cutoff, discounted, gains, ideal_dcg, normalized
from .hits import as_hits, ratio

__all__ = ["best", "worst", "shared", "precision_at", "average_precision", "reciprocal_rank", "ndcg"]


def best(relevance: Numbers, *, scores: Numbers) -> Floats:
    """The ranking by score, of equals the higher grade first.

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
    grades, levels = checked(relevance, scores)
    return descending(grades, levels, then_by=grades)


def worst(relevance: Numbers, *, scores: Numbers) -> Floats:
    """The ranking by score, of equals the lower grade first.

    relevance: (..., n) grades in any order;
    scores: numbers of the same shape, not nan.
    Returns (..., n) grades in rank order, the
    highest score first.
    Raises ValueError for bad grades, nan scores, or
    different shapes.
    Source: McSherry and Najork (2008).

    >>> worst([0, 1, 1], scores=[2, 2, 3]).tolist()
    [1.0, 0.0, 1.0]
    """
    grades, levels = checked(relevance, scores)
    return descending(grades, levels, then_by=-grades)


def shared(relevance: Numbers, *, scores: Numbers) -> Floats:
    """The ranking by score, equals sharing their mean grade.

    A sum of weights times grades, such as DCG with the linear
    gain, has here its mean over all orders. A metric that takes
    every grade above 0 for a whole hit, such as P@k, has not:
    use `precision_at`.
    relevance: (..., n) grades in any order;
    scores: numbers of the same shape, not nan.
    Returns (..., n) grades in rank order, the
    highest score first.
    Raises ValueError for bad grades, nan scores, or
    different shapes.
    Source: McSherry and Najork (2008).

    >>> shared([0, 1, 1], scores=[2, 2, 3]).tolist()
    [1.0, 0.5, 0.5]
    """
    return Blocks(*checked(relevance, scores)).mean_grade


def precision_at(
    relevance: Numbers, *, scores: Numbers, k: Whole
) -> Values:
    """The mean of P@k over all orders of the tied items.

    relevance: (..., n) grades in any order;
    scores: numbers of the same shape, not nan;
    k: one whole number >= 1.
    Returns (...,) in [0, 1].
    Raises ValueError for bad grades, nan scores, different
    shapes, or a bad k.
    Source: McSherry and Najork (2008).

    >>> print(precision_at([0, 1, 1], scores=[2, 2, 3], k=2))
    0.75
    """
    block = Blocks(*checked(relevance, scores))
    k = whole("k", k, at_least=1)
    return block.chance[..., :k].sum(axis=-1) / k


def average_precision(
    relevance: Numbers, *, scores: Numbers,
    n_relevant: Numbers | None = None,
) -> Values:
    """The mean of AP over all orders of the tied items.

    relevance: (..., n) grades in any order;
    scores: numbers of the same shape, not nan;
    n_relevant: |A|, broadcast to (...,), default the relevant
    items that have a score.
    Returns (...,) in [0, 1], nan where nothing is relevant.
    Raises ValueError for bad grades, nan scores, different
    shapes, or a bad n_relevant.
    Source: McSherry and Najork (2008).

    >>> print(average_precision([0, 1], scores=[2, 2]))
    0.75
    """
    block = Blocks(*checked(relevance, scores))
    hits = as_hits(block.grade)
    total = hits.relevant(n_relevant).reshape(hits.shape)
    others = np.maximum(block.size - 1, 1)
    # The relevant items above it in its block, on average, if
    # the item itself is relevant.
    beside = (block.place - 1) * (block.relevant - 1) / others
    ordinal = block.above + beside + 1
    precision = block.chance * ordinal / block.rank
    return ratio(precision.sum(axis=-1), total)[()]


def reciprocal_rank(
    relevance: Numbers, *, scores: Numbers
) -> Values:
    """The mean reciprocal rank over all orders of tied items.

    relevance: (..., n) grades in any order;
    scores: numbers of the same shape, not nan.
    Returns (...,) in [0, 1], 0 where nothing is relevant.
    Raises ValueError for bad grades, nan scores, or
    different shapes.
    Source: McSherry and Najork (2008).

    >>> print(reciprocal_rank([0, 1, 0], scores=[2, 2, 1]))
    0.75
    """
    block = Blocks(*checked(relevance, scores))
    # The chance, if there was no hit before: then at most 1.
    hit_now = block.relevant / (block.size - block.place + 1)
    none_yet = np.cumprod(1 - hit_now, axis=-1)
    at_first = np.ones_like(none_yet[..., :1])
    none_before = np.concatenate(
        [at_first, none_yet[..., :-1]], axis=-1
    )
    return (none_before * hit_now / block.rank).sum(axis=-1)


def ndcg(
    relevance: Numbers, *, scores: Numbers,
    k: Whole | None = None, gain: str = "linear",
    ideal: Numbers | None = None,
    n_relevant: Numbers | None = None,
) -> Values:
    """The mean of nDCG over all orders of the tied items.

    relevance: (..., n) grades in any order;
    scores: numbers of the same shape, not nan;
    k: one whole number >= 1, default all ranks;
    gain: "linear" (the grade g) or "exponential" (2^g - 1);
    ideal: all grades of the universe, (..., m) or (m,) for
    every query, in any order;
    n_relevant: |A|, broadcast to (...,), default the
    relevant items that have a score; without an `ideal` the
    others have grade 1.
    Returns (...,) in [0, 1], nan where the ideal DCG is 0.
    Raises ValueError for bad grades, nan scores, different
    shapes, bad k, gain or n_relevant, for an ideal below the
    own grades, and, without one, where items have no score and
    the grades of others are not all 1.
    Source: McSherry and Najork (2008).

    >>> print(ndcg([0, 1], scores=[2, 2], k=1))
    0.5
    """
    grades, levels = checked(relevance, scores)
    hits, k = as_hits(grades), cutoff(k)
    gained = gains(grades, gain, "relevance")
    mean_gain = as_hits(Blocks(gained, levels).mean_grade)
    gained = discounted(mean_gain, k, "linear", "relevance")
    most = ideal_dcg(hits, k, gain, ideal, n_relevant)
    return hits.result(normalized(gained, most))


class Blocks:
    """The items of one score, block after block, as seen from each rank: arrays (..., n)."""

    def __init__(self, grades: Floats, scores: Array) -> None:
        order = np.argsort(scores)[..., ::-1]  # within a block any order will do
        self.grade: Floats = np.take_along_axis(grades, order, axis=-1)
        scores = np.take_along_axis(scores, order, axis=-1)
        first = np.ones(scores.shape, dtype=bool)
        first[..., 1:] = scores[..., 1:] != scores[..., :-1]
        self.first, self.number = np.flatnonzero(first), np.cumsum(first) - 1
        self.rank = np.arange(1, scores.shape[-1] + 1)

    def at_first(self, values: Array) -> Array:
        """The value at the first rank of the block."""
        return values.reshape(-1)[self.first][self.number].reshape(values.shape)

    def total(self, values: Array) -> Floats:
        """The sum of the values over the block."""
        return np.bincount(self.number, values.reshape(-1))[self.number].reshape(values.shape)

    @cached_property
    def size(self) -> Floats:
        return self.total(np.ones(self.grade.shape))

    @cached_property
    def place(self) -> Ints:
        """1 for the first rank of the block, then 2, ..."""
        rank = np.broadcast_to(self.rank, self.grade.shape)
        return rank - self.at_first(rank) + 1

    @cached_property
    def mean_grade(self) -> Floats:
        return self.total(self.grade) / self.size

    @cached_property
    def hit(self) -> Floats:
        return (self.grade > 0).astype(np.float64)

    @cached_property
    def relevant(self) -> Floats:
        """The relevant items of the block."""
        return self.total(self.hit)

    @cached_property
    def chance(self) -> Floats:
        """How likely the item at this rank is relevant."""
        return self.relevant / self.size

    @cached_property
    def above(self) -> Floats:
        """The relevant items with a higher score."""
        return self.at_first(np.cumsum(self.hit, axis=-1) - self.hit)


def descending(values: Floats, scores: Array, then_by: Floats) -> Floats:
    """The values by descending score, and among equal scores by descending `then_by`."""
    order = np.lexsort((then_by, scores))[..., ::-1]
    return np.take_along_axis(values, order, axis=-1)


def checked(relevance: Any, scores: Any) -> tuple[Any, Any]:
    """The grades as float64, and the scores, of one shape."""
    grades = numeric("relevance", relevance, "finite grades >= 0")
    as_hits(grades)  # refuses bad grades
    gains(grades, "linear", "relevance")  # and those whose sum is not finite
    scores = numeric("scores", scores)
    if grades.shape != scores.shape:
        refuse("scores", f"shape {scores.shape}", f"the shape {grades.shape} of the grades")
    if np.isnan(scores).any():
        refuse("scores", "nan", "numbers that can be ordered")
    return grades.astype(np.float64), scores
