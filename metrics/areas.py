"""Areas under the precision-recall curve: average precision and its relatives."""

from __future__ import annotations

import numpy as np

from ._base.arrays import ratio
from ._base.checks import choice, of_hits, whole
from ._base.records import metric
from ._base.types import Denominator, Numbers, Values, Whole, per_ranking
from .curve import at_hit, envelope
from .hits import Relevance, as_hits

__all__ = [
    "average_precision", "average_precision_at", "eleven_point_average_precision", "interpolated_average_precision",
    "trapezoidal_area", "inferred_average_precision",
]  # fmt: skip
DENOMINATORS = {
    "relevant": "R, as in trec_eval, ir_measures, ranx and RecTools",
    "ideal": "the smaller of k and R, as in Spark and map_at_k of recommenders",
    "retrieved": "the hits in the top k, as in torchmetrics",
    "cutoff": "k, as in RecTools with divide_by_k",
}

SMOOTHING = 1e-5  # of the share of relevant items among the judged, in trec_eval


@metric(
    "AP", "average precision", purpose="All that is relevant, and early",
    asks="The whole trade-off between precision and recall, in one number", formula=r"\frac{1}{R} \sum_{j} \frac{j}{k_j}",
    rewards="Every hit, the upper ones most; what was never ranked counts as missed.",
    place="average-precision#def-average-precision",
    also="MAP, mean average precision, label ranking average precision, LRAP",
    see="average_precision_at, ties.average_precision, mean",
    not_for="on arrays that lack relevant items, without `n_relevant`, because then nothing counts as missed",
)
@per_ranking
@of_hits
def average_precision(
    relevance: Relevance, n_relevant: Numbers | None = None
) -> Values:
    """AP: the mean precision at the rank of each relevant item.

    For a bare list, the default `n_relevant` is the number of
    its relevant items. If some were never ranked, that hides
    them: a list that is one hit long then has an AP of 1. Pass
    |A|.

    relevance: (..., n) grades in rank order, or `Hits`;
    n_relevant: |A|, broadcast to (...,).
    Returns (...,) in [0, 1], nan where nothing is relevant.
    Raises ValueError for bad grades or n_relevant.
    Source: Manning, Raghavan and Schütze (2008), section 8.4.

    >>> print(average_precision([1, 0, 0, 1]))
    0.75
    >>> print(average_precision([1], n_relevant=1000))
    0.001
    """
    hits = as_hits(relevance)
    R = hits.relevant(n_relevant)
    precision_sum = hits.total(hits.ordinal / hits.rank)
    return hits.result(ratio(precision_sum, R))


@metric(
    "AP@k", "average precision at k", purpose="All that is relevant, and early", asks="AP of a list that was cut",
    formula=r"\frac{1}{d} \sum_{k_j \le k} \frac{j}{k_j}, \quad d = s(k),\ R,\ \min(k, R) \text{ or } k",
    rewards="As AP, for a list that was cut; with d = s(k), finding less can score more.", place="ap-at-k#def-ap-at-k",
    also="MAP@k, MAP cut k, mean average precision at k", example={"denominator": "relevant"}, choose={"denominator": DENOMINATORS},
    see="average_precision, ndcg",
    not_for='to compare tools with the denominator "retrieved", because finding less can score more',
)
@per_ranking
@of_hits
def average_precision_at(
    relevance: Relevance, k: Whole, *,
    denominator: Denominator, n_relevant: Numbers | None = None,
) -> Values:
    """AP@k: average precision, cut at rank k.

    The sum of the precisions at the relevant items of the top
    k, divided by a denominator. There are four, and no default:
    you must choose.
    relevance: (..., n) grades in rank order, or `Hits`;
    k: one whole number >= 1;
    denominator: "retrieved" s(k), "relevant" R,
    "ideal" min(k, R), or "cutoff" k;
    n_relevant: R, broadcast to (...,), default: what the `Hits`
    know, or the relevant items in the ranking.
    Returns (...,) in [0, 1], nan where the denominator is 0.
    Raises ValueError for bad grades, k, n_relevant or
    denominator.
    Source: "relevant" is trec_eval's map_cut; the others are
    discussed in this book.

    >>> four = ("retrieved", "relevant", "ideal", "cutoff")
    >>> [float(average_precision_at(
    ...     [1, 0, 0, 0], 4, denominator=one, n_relevant=8))
    ...     for one in four]
    [1.0, 0.125, 0.25, 0.25]
    """
    hits, k = as_hits(relevance), whole("k", k, at_least=1)
    R = hits.relevant(n_relevant)
    precision, in_top = hits.ordinal / hits.rank, hits.rank <= k
    precision_sum = hits.total(np.where(in_top, precision, 0))
    choices = {
        "retrieved": hits.within(k),
        "relevant": R,
        "ideal": np.minimum(float(k), R),
        "cutoff": float(k),
    }
    chosen = choice("denominator", denominator, choices)
    return hits.result(ratio(precision_sum, choices[chosen]))


@metric(
    "ElevenPointAP", "eleven-point average precision", purpose="All that is relevant, and early",
    asks="The area under the precision-recall curve, drawn in a different way from AP's",
    formula=r"\frac{1}{11} \sum_{0 \le l \le 10} p_{\mathrm{int}}\bigl(\frac{l}{10}\bigr)",
    rewards="As InterpolatedAP, seen at eleven levels; for tables of older papers.",
    place="areas-under-the-curve#def-six-areas", also="11-point average precision, 11pt_avg",
    see="interpolated_average_precision, average_precision",
    not_for="for new results, which AP describes without rounding to levels",
)
@per_ranking
def eleven_point_average_precision(
    relevance: Relevance, n_relevant: Numbers | None = None
) -> Values:
    """The mean interpolated precision at recall 0, 0.1, ... 1.

    relevance: (..., n) grades in rank order, or `Hits`;
    n_relevant: |A|, broadcast to (...,), default: what the
    `Hits` know, or the relevant items in the ranking.
    Returns (...,) in [0, 1], nan where nothing is relevant.
    Raises ValueError for bad grades or n_relevant.
    Source: Manning, Raghavan and Schütze (2008), section 8.4.

    >>> print(eleven_point_average_precision([0, 1]))
    0.5
    """
    hits = as_hits(relevance)
    R, best = hits.relevant(n_relevant), envelope(hits)
    needed = (
        np.maximum(-(-tenth * R // 10), 1)
        for tenth in range(11)
    )
    heights = (at_hit(hits, best, wanted) for wanted in needed)
    mean = sum(heights) / 11
    return hits.result(np.where(R == 0, np.nan, mean))


@metric(
    "InterpolatedAP", "interpolated average precision", purpose="All that is relevant, and early",
    asks="The area under the precision-recall curve, drawn in a different way from AP's",
    formula=r"\frac{1}{R} \sum_{j} \max_{i \ge j} \frac{i}{k_i}",
    rewards="As AP, for a reader who goes on where precision is going to rise.",
    place="areas-under-the-curve#def-six-areas", also="VOC average precision, all-point interpolated AP",
    see="average_precision, interpolated_precision",
)
@per_ranking
def interpolated_average_precision(
    relevance: Relevance, n_relevant: Numbers | None = None
) -> Values:
    """The area under the interpolated precision.

    That is the envelope of the precision-recall curve.
    relevance: (..., n) grades in rank order, or `Hits`;
    n_relevant: |A|, broadcast to (...,), default: what the
    `Hits` know, or the relevant items in the ranking.
    Returns (...,) in [0, 1], at least AP, nan where nothing
    is relevant.
    Raises ValueError for bad grades or n_relevant.
    Source: Manning, Raghavan and Schütze (2008), section 8.4.

    >>> print(interpolated_average_precision([0, 1, 0, 1]))
    0.5
    """
    hits = as_hits(relevance)
    R = hits.relevant(n_relevant)
    precision_sum = hits.total(envelope(hits))
    return hits.result(ratio(precision_sum, R))


@metric(
    "TrapezoidalArea", "area by trapezoids", purpose="All that is relevant, and early",
    asks="The area under the precision-recall curve, drawn in a different way from AP's",
    formula=r"\frac{1}{R} \sum_j \frac{p(k_j - 1) + p(k_j)}{2}, \quad p(0) = 1",
    rewards="As AP, by straight lines from point to point; below AP wherever an irrelevant item stands above a hit.",
    place="areas-under-the-curve#def-six-areas",
    also="PR AUC, AUPRC, area under the precision-recall curve, auc_pr, precision recall AUC",
    instead="'AP' or, of straight lines between the points, 'TrapezoidalArea'",
    see="average_precision, precision_recall_curve",
)
@per_ranking
def trapezoidal_area(
    relevance: Relevance, n_relevant: Numbers | None = None
) -> Values:
    """The area under straight lines from point to point.

    The points are (recall@k, P@k), from (0, 1) on.
    That p(0) = 1 is a convention: the precision of no items
    is 0/0.

    relevance: (..., n) grades in rank order, or `Hits`;
    n_relevant: |A|, broadcast to (...,), default: what the
    `Hits` know, or the relevant items in the ranking.
    Returns (...,) in [0, 1], nan where nothing is relevant.
    Raises ValueError for bad grades or n_relevant.
    Source: Davis and Goadrich (2006), who warn of it.

    >>> print(trapezoidal_area([0, 1]))
    0.25
    """
    hits = as_hits(relevance)
    R = hits.relevant(n_relevant)
    ordinal, rank = hits.ordinal, hits.rank
    at, before = ordinal / rank, np.ones(rank.size)  # p(0) = 1
    np.divide(ordinal - 1, rank - 1, out=before, where=rank > 1)
    precision_sum = hits.total((before + at) / 2)
    return hits.result(ratio(precision_sum, R))


@metric(
    "infAP", "inferred average precision", purpose="Not everything was judged",
    asks="Of a pool of items, only a sample was judged",
    formula=r"\frac{1}{R} \sum_{j} \frac{1 + (r_j + i_j + u_j)\, c_j}{k_j}, \quad c_j = \frac{r_j + \epsilon}{r_j + i_j + 2 \epsilon}",
    rewards="As AP, where a random sample of a pool was judged.",
    place="ties-and-samples#where-a-sample-of-a-pool-was-judged", also="inferred AP",
    of="hits and judgements", see="average_precision, bpref",
    not_for="if the judged items are no random sample of the pool",
)
@per_ranking
def inferred_average_precision(
    relevance: Relevance, n_relevant: Numbers | None = None
) -> Values:
    """infAP: AP when only a sample of a pool was judged.

    It is the expected AP if the pooled items above each hit are
    relevant in the proportion of the judged ones there. Items
    of a grade below 0 are pooled and not judged, those without
    a grade count as irrelevant.
    relevance: (..., n) grades in rank order, or `Hits`, which
    knows from a mapping what was pooled and judged; without
    one everything ranked was;
    n_relevant: R, the relevant items among the judged,
    broadcast to (...,), default: what the `Hits` know, or those
    in the ranking.
    Returns (...,) in [0, 1], nan where nothing is relevant.
    Raises ValueError for bad grades or n_relevant.
    Source: Yilmaz and Aslam (2006), with the smoothing of
    trec_eval.

    >>> from metrics import Hits
    >>> judged = {"a": 1, "b": 0, "c": -1, "d": 1}
    >>> hits = Hits.from_ids(
    ...     rankings=[["a", "b", "c", "d"]], relevant=[judged])
    >>> inferred_average_precision(hits).round(2).tolist()
    [0.81]
    """
    hits = as_hits(relevance)
    R, relevant = hits.relevant(n_relevant), hits.ordinal - 1
    irrelevant, sampled = hits.rank - hits.ordinal, 0 * hits.rank
    if hits.irrelevant is not None:
        irrelevant = hits.above(hits.irrelevant)
    if hits.unjudged is not None:
        sampled = hits.above(hits.unjudged)
    judged = relevant + irrelevant
    share = (relevant + SMOOTHING) / (judged + 2 * SMOOTHING)
    precision = (1 + (judged + sampled) * share) / hits.rank
    return hits.result(ratio(hits.total(precision), R))
