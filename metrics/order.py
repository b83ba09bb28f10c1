"""Metrics of the order of relevant and irrelevant items."""

from __future__ import annotations

import math
from typing import Any, overload

import numpy as np

from ._base.arrays import ratio
from ._base.checks import number_or_inf, numeric, of_hits, refuse, require_same_labels_within, whole_numbers
from ._base.records import metric
from ._base.types import Ints, Number, Numbers, OneList, Values, per_ranking
from .curve import at_hit
from .hits import Hits, Relevance, as_hits, by_score, scored

__all__ = ["reciprocal_rank", "full_recall", "mean_rank", "inversions", "auc", "bpref", "auc_from_scores"]


@metric(
    "RR", "reciprocal rank", purpose="One good answer is enough", asks="I need one good answer: how soon does it come?",
    formula=r"\frac{1}{k_1}", rewards="An early first hit; what follows it does not count.",
    place="order-and-auc#def-ranks-of-hits",
    also="MRR, MRR@k, mean reciprocal rank, recip_rank, mean reciprocal rank at k, reciprocal rank at k, RR@k", at_k=True,
    see="success_at, expected_reciprocal_rank", not_for="if more than one hit matters, because only the first counts",
)
@per_ranking
@of_hits
def reciprocal_rank(relevance: Relevance) -> Values:
    """1 over the rank of the first relevant item.

    relevance: (..., n) grades in rank order, or `Hits`.
    Returns (...,) in [0, 1], 0 where nothing relevant
    is ranked.
    Raises ValueError for bad grades.
    Source: Voorhees (1999), the TREC-8 question
    answering track.

    >>> print(reciprocal_rank([0, 1, 0, 1]))
    0.5
    """
    hits = as_hits(relevance)
    first = at_hit(hits, hits.rank, np.ones(hits.queries))
    return hits.result(np.divide(1, first, out=np.zeros(hits.queries), where=first > 0))


@metric(
    "FullRecall", "full recall", purpose="How far must one read?", asks="How far must I read to have seen everything?",
    formula="k_R", rewards="↓ A short way to the very last relevant item; one straggler decides.",
    place="order-and-auc#def-ranks-of-hits", also="coverage error", see="rank_at_recall, mean_rank",
    not_for="if one judgement may be wrong, because the last relevant item decides",
)
@per_ranking
def full_recall(
    relevance: Relevance, n_relevant: Numbers | None = None,
    unreached: Number = math.inf,
) -> Values:
    """The rank by which every relevant item has been seen.

    relevance: (..., n) grades in rank order, or `Hits`;
    n_relevant: |A|, broadcast to (...,), default: what the
    `Hits` know, or the relevant items in the ranking;
    unreached: one number, or inf, that stands for never.
    Returns (...,): a rank in 1 ... n, `unreached` where a
    relevant item was not ranked, nan where nothing is relevant.
    Raises ValueError for bad grades, n_relevant or unreached.
    Source: the "recall" of the premise-selection literature,
    with misses kept apart.

    >>> print(full_recall([0, 1, 0, 1]))
    4.0
    >>> print(full_recall([0, 1, 0, 1], n_relevant=3))
    inf
    """
    hits = as_hits(relevance)
    R = hits.relevant(n_relevant)
    never = number_or_inf("unreached", unreached)
    last = at_hit(hits, hits.rank, R)
    rank = np.where(R > hits.count, never, last)
    return hits.result(np.where(R == 0, np.nan, rank))


@metric(
    "MeanRank", "mean rank", purpose="How far must one read?", asks="Where do the relevant items stand on average?",
    formula=r"\frac{1}{s(N)} \sum_{j} k_j", rewards="↓ Hits high up on average; one that is far down carries it.",
    place="order-and-auc#def-ranks-of-hits", also="average rank, mean rank of the hits", see="reciprocal_rank, inversions",
    not_for="if items are missing, because only those that were ranked count",
)
@per_ranking
@of_hits
def mean_rank(relevance: Relevance) -> Values:
    """The mean rank of the relevant items that were ranked.

    relevance: (..., n) grades in rank order, or `Hits`.
    Returns (...,) in [1, n], nan where there are none.
    Raises ValueError for bad grades.
    Source: the 1-based form of the "rank" of the
    premise-selection literature.

    >>> print(mean_rank([0, 1, 0, 1]))
    3.0
    """
    hits = as_hits(relevance)
    return hits.result(ratio(hits.total(hits.rank), hits.count))


@metric(
    "Inversions", "inversions", purpose="The order of the whole list",
    asks="How many swaps of neighbours is it away from the ideal?", formula=r"\sum_{j} (k_j - j)",
    rewards="↓ Few irrelevant items above relevant ones; a longer list can have more.", place="order-and-auc#def-auc",
    see="auc, kendall_tau",
)
@per_ranking
def inversions(relevance: Relevance) -> Values:
    """The number of pairs with an irrelevant item above a relevant one.

    relevance: (..., n) grades in rank order, or `Hits`.
    Returns (...,) in 0 ... m (n - m), if m of the n items
    are relevant.
    Raises ValueError for bad grades.
    Source: Kendall (1938), for a ranking against its ideal.

    >>> print(inversions([0, 1, 0, 1]))
    3.0
    """
    hits = as_hits(relevance)
    return hits.result(hits.total(hits.rank - hits.ordinal))


@metric(
    "AUC", "area under the ROC curve", purpose="The order of the whole list", asks="Is the list as a whole in order?",
    formula=r"1 - \frac{1}{m (N - m)} \sum_{j} (k_j - j), \quad m = s(N)",
    rewards="Relevant above irrelevant, pair by pair; the top counts no more than the rest.", place="order-and-auc#def-auc",
    also="ROC AUC, ROC, ROC curve, AUROC, concordance, c-statistic, Mann-Whitney U, GAUC, AUC at k",
    see="auc_from_scores, inversions", not_for="if only the top is read, because a pair counts the same everywhere",
)
@per_ranking
@of_hits
def auc(relevance: Relevance) -> Values:
    """The area under the ROC curve.

    It is the probability that a relevant item is above an
    irrelevant one.
    relevance: (..., n) grades in rank order, or `Hits`; the
    ranking is taken as the whole universe.
    Returns (...,) in [0, 1], nan where all items are
    relevant or none is.
    Raises ValueError for bad grades.
    Source: Hanley and McNeil (1982).

    >>> print(auc([0, 1, 0, 1]))
    0.25
    """
    hits = as_hits(relevance)
    inverted = hits.total(hits.rank - hits.ordinal)
    pairs = hits.count * (hits.length - hits.count)
    return hits.result(1 - ratio(inverted, pairs))


@overload
def auc_from_scores(*, scores: OneList, labels: OneList) -> np.float64: ...
@overload
def auc_from_scores(*, scores: Numbers, labels: Numbers) -> Values: ...
def auc_from_scores(
    *, scores: Numbers, labels: Numbers
) -> Values:
    """The probability that a relevant item has the higher score.

    Equal scores count one half.
    scores: (..., n) numbers, not nan;
    labels: 0/1 or bool of the same shape.
    Returns (...,) in [0, 1], nan where all items are
    relevant or none is.
    Raises ValueError for nan scores, other labels, or
    different shapes.
    Source: Mann and Whitney (1947).

    >>> print(auc_from_scores(
    ...     scores=[3, 2, 2, 1], labels=[1, 1, 0, 0]))
    0.875
    """
    hits, score = scored(scores, labels, binary=True)
    before, size = by_score(hits, score)
    relevant, n = hits.count, hits.length
    mid_rank = before + (size + 1) / 2
    inverted = hits.total(mid_rank) - relevant * (relevant + 1) / 2
    pairs = relevant * (n - relevant)
    return hits.result(1 - ratio(inverted, pairs))


@metric(
    "Bpref", "binary preference", purpose="Not everything was judged", asks="Many items were never judged",
    formula=r"\frac{1}{R} \sum_{j} \bigl(1 - \frac{\min(n_j, M)}{M}\bigr)",
    rewards="As AUC, against the first R items judged irrelevant; for judgements that are incomplete.",
    place="order-and-auc#def-bpref",
    of="hits and judgements", see="auc, inferred_average_precision, judged_at",
    not_for="if all items were judged, because bpref stops at the first R irrelevant items",
)
@per_ranking
def bpref(
    relevance: Relevance, n_relevant: Numbers | None = None, *,
    judged: Numbers | None = None,
    n_irrelevant: Numbers | None = None,
) -> Values:
    """bpref: the mean of 1 - (irrelevant items above) / M.

    The mean is over the relevant items, and the items judged
    irrelevant above each are counted. As in trec_eval,
    M = min(R, n_irrelevant), and no more than M are counted.
    Unjudged items are passed over, relevant or not.
    relevance: (..., n) grades in rank order, or `Hits`;
    n_relevant: R, broadcast to (...,), default: what the `Hits`
    know, or the judged relevant items in the ranking;
    judged: (..., n) mask of bool or 0/1, default: what a mapping
    judges, else all items;
    n_irrelevant: how many items were judged irrelevant, ranked
    or not, broadcast to (...,), default: every grade 0 of a
    mapping, else, or beside `judged`, those in the ranking.
    Returns (...,) in [0, 1], nan where nothing is relevant. By
    convention each hit counts as 1 where M = 0.
    Raises ValueError for bad grades, n_relevant, judged, or an
    n_irrelevant below the ranking's own.
    Source: Buckley and Voorhees (2004), with the
    denominator of trec_eval.

    >>> print(bpref([0, 1, 0, 1]))
    0.25
    """
    require_same_labels_within(
        relevance=relevance, n_relevant=n_relevant,
        judged=judged, n_irrelevant=n_irrelevant,
    )
    hits = as_hits(relevance)
    hits, above, ranked, known = judged_items(hits, judged)
    R = hits.relevant(n_relevant)
    if n_irrelevant is not None:
        known = whole_numbers(
            "n_irrelevant", n_irrelevant, hits.shape
        )
        for query in np.flatnonzero(known < ranked):
            items = "irrelevant items in the ranking"
            least = f"at least the {ranked[query]} {items}"
            refuse("n_irrelevant", known[query], least)
    most = np.minimum(R, known)[hits.row]
    counted, lost = np.minimum(above, most), np.zeros(most.size)
    np.divide(counted, most, out=lost, where=most > 0)
    return hits.result(ratio(hits.total(1 - lost), R))


def judged_items(hits: Hits, judged: Any) -> tuple[Hits, Ints, Ints, Ints]:
    """The judged hits, and the numbers of judged irrelevant items above each hit, in the ranking, and in all."""
    others = hits.irrelevant
    if judged is not None:
        hits, others = masked(hits, judged)
    elif others is None:
        irrelevant = hits.length - hits.count
        return hits, hits.rank - hits.ordinal, irrelevant, irrelevant
    in_all = np.where(hits.graded, others.in_all, others.count)
    return hits, hits.above(others), others.count, in_all


def masked(hits: Hits, judged: Any) -> tuple[Hits, Hits]:
    """The hits and the irrelevant items that the mask keeps."""
    expected = "a mask of bool or 0/1"
    mask, shape = numeric("judged", judged, expected), (*hits.shape, hits.longest)
    if mask.shape != shape:
        refuse("judged", f"shape {mask.shape}", f"{expected} of shape {shape}")
    for other in mask[(mask != 0) & (mask != 1)]:
        refuse("judged", other, "bool or 0/1")
    kept = mask.reshape(hits.queries, hits.longest) != 0
    kept &= np.arange(1, hits.longest + 1) <= hits.length[:, None]
    relevant = kept[hits.row, hits.rank - 1]
    kept[hits.row, hits.rank - 1] = False
    row, place = np.nonzero(kept)
    others = Hits(hits.shape, hits.length, row, place + 1, np.ones(row.size))
    total = hits.in_all if hits.knows_n_relevant else None
    return hits.only(relevant, hits.length, total), others
