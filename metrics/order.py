"""Metrics of the order of relevant and irrelevant items."""

import math

import numpy as np

from ._checks import complain, number, numeric, whole_numbers
from .curve import at_hit
from .hits import as_hits, ratio


def reciprocal_rank(relevance):
    """1 over the rank of the first relevant item.

    relevance: (..., n) grades in rank order, or `Hits`. Returns (...,) in [0, 1], 0 where nothing relevant is ranked.
    Raises ValueError for bad grades.
    Source: Voorhees (1999), the TREC-8 question answering track.

    >>> print(reciprocal_rank([0, 1, 0, 1]))
    0.5
    """
    hits = as_hits(relevance)
    return hits.result(at_hit(hits, 1 / hits.rank, np.ones(hits.queries)))


def full_recall(relevance, n_relevant=None, unreached=math.inf):
    """The rank by which every relevant item has been seen.

    relevance: (..., n) grades in rank order, or `Hits`; n_relevant: |A|, default the relevant items in the ranking;
    unreached: one number that stands for never.
    Returns (...,): a rank in 1 ... n, `unreached` where a relevant item was not ranked, nan where nothing is relevant.
    Raises ValueError for bad grades, n_relevant or unreached.
    Source: the "recall" of the premise-selection literature, with misses kept apart.

    >>> print(full_recall([0, 1, 0, 1]), full_recall([0, 1, 0, 1], n_relevant=3))
    4.0 inf
    """
    hits = as_hits(relevance)
    n_relevant = hits.relevant(n_relevant)
    unreached = number("unreached", unreached, "or inf", lambda x: True)
    rank = np.where(n_relevant > hits.count, float(unreached), at_hit(hits, hits.rank, n_relevant))
    return hits.result(np.where(n_relevant == 0, np.nan, rank))


def mean_rank(relevance):
    """The mean rank of the relevant items that were ranked.

    relevance: (..., n) grades in rank order, or `Hits`. Returns (...,) in [1, n], nan where there are none.
    Raises ValueError for bad grades.
    Source: the 1-based form of the "rank" of the premise-selection literature.

    >>> print(mean_rank([0, 1, 0, 1]))
    3.0
    """
    hits = as_hits(relevance)
    return hits.result(ratio(hits.total(hits.rank), hits.count))


def inversions(relevance):
    """How many pairs have the irrelevant item above the relevant one.

    relevance: (..., n) grades in rank order, or `Hits`. Returns (...,) in 0 ... R (n - R). Raises ValueError for bad grades.
    Source: Kendall (1938), for a ranking against its ideal.

    >>> print(inversions([0, 1, 0, 1]))
    3.0
    """
    hits = as_hits(relevance)
    return hits.result(hits.total(hits.rank - hits.order))


def auc(relevance):
    """The area under the ROC curve: the chance that a relevant item stands above an irrelevant one.

    relevance: (..., n) grades in rank order, or `Hits`; the ranking is taken as the whole universe.
    Returns (...,) in [0, 1], nan where all items are relevant or none is. Raises ValueError for bad grades.
    Source: Hanley and McNeil (1982).

    >>> print(auc([0, 1, 0, 1]))
    0.25
    """
    hits = as_hits(relevance)
    pairs = hits.count * (hits.length - hits.count)
    return hits.result(1 - ratio(hits.total(hits.rank - hits.order), pairs))


def auc_from_scores(scores, labels):
    """The chance that a relevant item has the higher score; equal scores count one half.

    scores: (..., n) numbers, not nan; labels: 0/1 or bool of the same shape.
    Returns (...,) in [0, 1], nan where all items are relevant or none is.
    Raises ValueError for nan scores, other labels, or different shapes.
    Source: Mann and Whitney (1947).

    >>> print(auc_from_scores([3, 2, 2, 1], [1, 1, 0, 0]))
    0.875
    """
    scores, labels = numeric("scores", scores), numeric("labels", labels, "0/1 or bool")
    if scores.ndim == 0:
        complain("scores", f"the single value {scores[()]}", "at least one list of scores")
    if labels.shape != scores.shape:
        complain("labels", f"shape {labels.shape}", f"the shape {scores.shape} of the scores")
    if np.isnan(scores).any():
        complain("scores", "nan", "numbers that can be ordered")
    if ((labels != 0) & (labels != 1)).any():
        complain("labels", labels[(labels != 0) & (labels != 1)][0], "0/1 or bool")
    shape, n = scores.shape[:-1], scores.shape[-1]
    scores, labels = scores.reshape(math.prod(shape), n), labels.reshape(math.prod(shape), n).astype(np.float64)
    ascending = np.argsort(scores, axis=1)
    scores, labels = (np.take_along_axis(values, ascending, axis=1) for values in (scores, labels))
    relevant = labels.sum(axis=1)
    rank_sum = (labels * mid_ranks(scores)).sum(axis=1)
    value = ratio(rank_sum - relevant * (relevant + 1) / 2, relevant * (n - relevant))
    return value.reshape(shape)[()]


def mid_ranks(ascending):
    """(Q, n) the rank of each entry of ascending rows, equal entries sharing the mean of theirs."""
    ranks = np.broadcast_to(np.arange(1.0, ascending.shape[1] + 1), ascending.shape)
    starts = np.ones(ascending.shape, dtype=bool)
    starts[:, 1:] = ascending[:, 1:] != ascending[:, :-1]
    group = np.cumsum(starts) - 1
    mean = ratio(np.bincount(group, ranks.reshape(-1)), np.bincount(group))
    return mean[group].reshape(ascending.shape)


def bpref(relevance, n_relevant=None, *, judged=None, n_irrelevant=None):
    """bpref, in trec_eval's variant: over the relevant items, the mean of 1 - (judged irrelevant items above) / M.

    M = min(R, n_irrelevant), and no more than M are counted; with M = 0 each hit counts 1. Unjudged items are passed
    over, relevant or not; the default of R counts the judged hits.
    relevance: (..., n) grades in rank order, or `Hits`; n_relevant: |A|; judged: (..., n) mask, default all;
    n_irrelevant: the items judged irrelevant, ranked or not, default those in the ranking.
    Returns (...,) in [0, 1], nan where nothing is relevant. Raises ValueError for bad arguments.
    Source: Buckley and Voorhees (2004), with the denominator of trec_eval.

    >>> print(bpref([0, 1, 0, 1]))
    0.25
    """
    hits = as_hits(relevance)
    if judged is None:
        above, irrelevant = hits.rank - hits.order, hits.length - hits.count
    else:
        hits, above, irrelevant = judged_only(hits, judged)
    n_relevant = hits.relevant(n_relevant)
    if n_irrelevant is not None:
        given = whole_numbers("n_irrelevant", n_irrelevant, hits.shape)
        if (given < irrelevant).any():
            complain("n_irrelevant", given[given < irrelevant][0], f"at least the {irrelevant[given < irrelevant][0]} irrelevant items in the ranking")
        irrelevant = given
    most = np.minimum(n_relevant, irrelevant)[hits.row]
    lost = np.divide(np.minimum(above, most), most, out=np.zeros(above.size), where=most > 0)
    return hits.result(ratio(hits.total(1 - lost), n_relevant))


def judged_only(hits, judged):
    """The hits among the judged items, the judged irrelevant items above each, and those of each query."""
    mask = numeric("judged", judged, "a mask of bool or 0/1")
    shape = hits.shape + (hits.longest,)
    if mask.shape != shape:
        complain("judged", f"shape {mask.shape}", f"a mask of bool or 0/1 of shape {shape}")
    if ((mask != 0) & (mask != 1)).any():
        complain("judged", mask[(mask != 0) & (mask != 1)][0], "bool or 0/1")
    irrelevant = mask.reshape(hits.queries, hits.longest) != 0
    irrelevant &= np.arange(1, hits.longest + 1) <= hits.length[:, None]
    kept = irrelevant[hits.row, hits.rank - 1]
    irrelevant[hits.row, hits.rank - 1] = False
    above = np.cumsum(irrelevant, axis=1)[hits.row[kept], hits.rank[kept] - 1]
    n_relevant = hits.n_relevant.reshape(hits.shape) if hits.knows_n_relevant else None
    return hits.only(kept, n_relevant), above, irrelevant.sum(axis=1)
