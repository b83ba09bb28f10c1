"""Metrics of the top k, and R-precision, whose cutoff is the number of relevant items."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from ._base.arrays import ratio
from ._base.checks import number, of_hits, recall_weight, refuse, require_same_labels, whole, whole_numbers
from ._base.records import metric
from ._base.types import Number, Numbers, Values, Whole, per_ranking
from .curve import SAME_LEVEL
from .hits import Relevance, as_hits

__all__ = [
    "hits_at", "precision_at", "recall_at", "normalized_recall_at", "f_score_at", "success_at", "accuracy_at",
    "r_precision", "r_precision_at", "judged_at",
]  # fmt: skip


@metric(
    "Hits@k", "hits at k", purpose="The top k is looked at", asks="How many relevant items are in the top k?", formula="s(k)",
    rewards="Each relevant item of the top k, whatever there is to find.", place="from-sets-to-rankings#def-ranking",
    see="precision_at, success_at",
)
@per_ranking
@of_hits
def hits_at(relevance: Relevance, k: Whole) -> Values:
    """s(k): the number of relevant items in the top k.

    relevance: (..., n) grades in rank order, or `Hits`;
    k: one whole number >= 1.
    Returns (...,) in 0 ... k.
    Raises ValueError for bad grades or a bad k.
    Source: the count in Manning, Raghavan and Schütze
    (2008), section 8.4.

    >>> print(hits_at([0, 1, 0, 1, 1, 0], k=4))
    2.0
    """
    hits, k = as_hits(relevance), whole("k", k, at_least=1)
    return hits.result(hits.within(k).astype(np.float64))


@metric(
    "P@k", "precision at k", purpose="The top k is looked at", asks="How much of what I am shown is right?",
    formula=r"\frac{s(k)}{k}", rewards="Few wrong items in the top k; cannot be 1 with fewer than k relevant ones.",
    place="from-sets-to-rankings#def-at-k", also="prec@k", see="recall_at, r_precision, ties.precision_at",
    not_for="if some goals have fewer than k relevant items, because then no list reaches 1",
)
@per_ranking
@of_hits
def precision_at(relevance: Relevance, k: Whole) -> Values:
    """P@k: the fraction of the top k that is relevant.

    relevance: (..., n) grades in rank order, or `Hits`;
    k: one whole number >= 1.
    Returns (...,) in [0, 1]; where k > n the missing items
    count as irrelevant.
    Raises ValueError for bad grades or a bad k.
    Source: Manning, Raghavan and Schütze (2008), section 8.4.

    >>> print(precision_at([0, 1, 0, 1, 1, 0], k=4))
    0.5
    """
    hits, k = as_hits(relevance), whole("k", k, at_least=1)
    return hits.result(hits.within(k) / k)


@metric(
    "R@k", "recall at k", purpose="The top k is looked at", asks="How much of what there is have I been shown?",
    formula=r"\frac{s(k)}{R}", rewards="Few relevant items missing from the top k; cannot be 1 with more than k of them.",
    place="from-sets-to-rankings#def-at-k", also="sensitivity at k", see="precision_at, normalized_recall_at",
)
@per_ranking
@of_hits
def recall_at(
    relevance: Relevance, k: Whole,
    n_relevant: Numbers | None = None,
) -> Values:
    """recall@k: the share of the relevant items in the top k.

    relevance: (..., n) grades in rank order, or `Hits`;
    k: one whole number >= 1;
    n_relevant: |A|, broadcast to (...,), default: what the
    `Hits` know, or the relevant items in the ranking.
    Returns (...,) in [0, 1], nan where nothing is relevant.
    Raises ValueError for bad grades, k or n_relevant.
    Source: Manning, Raghavan and Schütze (2008), section 8.4.

    >>> print(recall_at([0, 1, 0, 1, 1, 0], k=4, n_relevant=4))
    0.5
    """
    hits, k = as_hits(relevance), whole("k", k, at_least=1)
    R = hits.relevant(n_relevant)
    return hits.result(ratio(hits.within(k), R))


@metric(
    "NormalizedRecall@k", "normalised recall at k", purpose="The top k is looked at",
    asks="How much of what a list of k could show have I been shown?", formula=r"\frac{s(k)}{\min(k, R)}",
    rewards="As many hits in the top k as there can be.", place="discounted-gain#normalised-recall",
    also="normalised recall, capped recall, R_cap, relative recall at k", see="recall_at, set_normalized_recall",
)
@per_ranking
def normalized_recall_at(
    relevance: Relevance, k: Whole,
    n_relevant: Numbers | None = None,
) -> Values:
    """The hits in the top k over the greatest possible number.

    relevance: (..., n) grades in rank order, or `Hits`;
    k: one whole number >= 1;
    n_relevant: R, broadcast to (...,), default: what the `Hits`
    know, or the relevant items in the ranking.
    Returns s(k) / min(k, R), (...,) in [0, 1], nan where
    nothing is relevant.
    Raises ValueError for bad grades, k or n_relevant.
    Source: Chalkidis and others (2019), the "RP@K" of
    multi-label classification, there a mean over texts.

    >>> print(normalized_recall_at([1, 0, 0, 0], k=4))
    1.0
    """
    hits, k = as_hits(relevance), whole("k", k, at_least=1)
    most = np.minimum(float(k), hits.relevant(n_relevant))
    return hits.result(ratio(hits.within(k), most))


@metric(
    "F@k", "F at k", purpose="The top k is looked at", asks="One number for precision and recall at a cutoff",
    formula=r"\frac{(1 + \beta^2)\, s(k)}{k + \beta^2 R}",
    rewards="Precision and recall of the top k at once; with a larger β recall counts more.",
    place="f-and-e#f-along-a-ranking", also="F1@k, F-measure at k, F-beta at k", example={"beta": 1},
    see="precision_at, recall_at, f_score",
)
@per_ranking
@of_hits
def f_score_at(
    relevance: Relevance, k: Whole,
    n_relevant: Numbers | None = None, beta: Number = 1,
) -> Values:
    """F_beta of the top k: (1 + beta^2) s(k) / (k + beta^2 R).

    relevance: (..., n) grades in rank order, or `Hits`;
    k: one whole number >= 1;
    n_relevant: |A|, broadcast to (...,), default: what the
    `Hits` know, or the relevant items in the ranking;
    beta: one finite number >= 0.
    Returns (...,) in [0, 1]; k items are predicted, so F is
    never 0/0: without a hit it is 0, by convention also where
    nothing is relevant and recall is undefined.
    Raises ValueError for bad grades, k, n_relevant or beta.
    Source: van Rijsbergen (1979), chapter 7, at a cutoff.

    >>> print(f_score_at([1, 0, 1, 0], k=2, n_relevant=2))
    0.5
    """
    hits, k = as_hits(relevance), whole("k", k, at_least=1)
    weight = recall_weight(beta)
    R = hits.relevant(n_relevant)
    hit = hits.within(k)
    found = (1 + weight) * hit
    others = weight * (R - hit) + k - hit
    return hits.result(found / (found + others))


@metric(
    "Success@k", "success at k", purpose="One good answer is enough", asks="Is anything right in the top k?",
    formula=r"1 \text{ if } s(k) > 0, \text{ else } 0", rewards="Anything relevant in the top k, at whatever rank.",
    place="order-and-auc#def-ranks-of-hits",
    also="hit rate, hit ratio, hit rate@k, HR, HR@k, hit@k, hit, hit ratio@k, S@k, top-k accuracy, accuracy in the top k, "
    "recall@k of one item",
    see="hits_at, reciprocal_rank", not_for="if more than one hit matters, because the second adds nothing",
)
@per_ranking
@of_hits
def success_at(relevance: Relevance, k: Whole) -> Values:
    """1 if any item in the top k is relevant, else 0.

    Also called hit rate.
    relevance: (..., n) grades in rank order, or `Hits`;
    k: one whole number >= 1.
    Returns (...,) of 0 or 1.
    Raises ValueError for bad grades or a bad k.
    Source: the "success" measure of trec_eval.

    >>> [float(success_at([0, 1, 0], k)) for k in (1, 2, 3)]
    [0.0, 1.0, 1.0]
    """
    hits, k = as_hits(relevance), whole("k", k, at_least=1)
    return hits.result((hits.within(k) > 0).astype(np.float64))


@metric(
    "Accuracy@k", "accuracy at k", purpose="The top k is looked at", asks="Is the top k a good classifier of everything?",
    formula=r"1 - \frac{k + R - 2 s(k)}{N}",
    rewards="Right decisions about all items, of which most are easy: rarely what you want.",
    place="precision-and-recall#def-accuracy",
    instead="'Success@10' (whether there is a hit, as in BEIR), or metrics.accuracy_at (of all decisions)",
    measure=False, see="accuracy, success_at",
    not_for="if few items are relevant, because a list without a hit is then almost as good",
)
@per_ranking
def accuracy_at(
    relevance: Relevance, k: Whole,
    n_relevant: Numbers | None = None,
    universe_size: Numbers | None = None,
) -> Values:
    """The fraction of all items that are classified correctly.

    The top k are predicted, and nothing else.
    relevance: (..., n) grades in rank order, or `Hits`;
    k: one whole number >= 1;
    n_relevant: |A|, broadcast to (...,), default: what the
    `Hits` know, or the relevant items in the ranking;
    universe_size: N, broadcast to (...,), default: max(n, k)
    plus the relevant items not ranked.
    Returns (...,) in [0, 1].
    Raises ValueError for bad grades, k, n_relevant, or a
    smaller universe.
    Source: Manning, Raghavan and Schütze (2008),
    section 8.3, at a cutoff.

    >>> print(accuracy_at([1, 0, 1, 0], k=1))
    0.75
    """
    require_same_labels(
        relevance=relevance, n_relevant=n_relevant,
        universe_size=universe_size,
    )
    hits, k = as_hits(relevance), whole("k", k, at_least=1)
    R = hits.relevant(n_relevant)
    ranked = np.maximum(hits.length, float(k))
    smallest = ranked + R - hits.count
    universe = smallest
    if universe_size is not None:
        universe = whole_numbers(
            "universe_size", universe_size, hits.shape
        )
    for query in np.flatnonzero(universe < smallest):
        items = "the items ranked, predicted or relevant"
        least = f"at least {smallest[query]:.0f}, {items}"
        refuse("universe_size", universe[query], least)
    wrong = float(k) + R - 2 * hits.within(k)
    return hits.result(1 - wrong / universe)


@metric(
    "Rprec", "R-precision", purpose="The top k is looked at", asks="Precision at the cutoff that suits the goal",
    formula=r"\frac{s(R)}{R}", rewards="Hits at the cutoff that suits the query, where precision equals recall.",
    place="r-precision#def-r-precision", also="precision at R, R-precision at k", see="precision_at, break_even_ranks",
)
@per_ranking
@of_hits
def r_precision(
    relevance: Relevance, n_relevant: Numbers | None = None
) -> Values:
    """P@R, where R is the number of relevant items.

    At rank R, precision equals recall.
    relevance: (..., n) grades in rank order, or `Hits`;
    n_relevant: R, broadcast to (...,), default: what the `Hits`
    know, or the relevant items in the ranking.
    Returns (...,) in [0, 1], nan where nothing is relevant.
    Raises ValueError for bad grades or n_relevant.
    Source: Manning, Raghavan and Schütze (2008), section 8.4.

    >>> print(r_precision([1, 0, 0, 1]))
    0.5
    """
    hits = as_hits(relevance)
    R = hits.relevant(n_relevant)
    return hits.result(ratio(hits.within(R), R))


@metric(
    "Rprec@m", "R-precision at a multiple", purpose="The top k is looked at",
    asks="Precision at half or twice the cutoff that suits the goal",
    formula=r"\frac{s(\lceil m R \rceil)}{\lceil m R \rceil}",
    rewards="Hits at m times that cutoff: a small m looks at the top, a large one further down.",
    place="r-precision#at-a-multiple-of-r", tried={"multiple": (Fraction(1, 5), Fraction(1, 3), 1, 1.5, 2, 0.5)},
    see="r_precision",
)
@per_ranking
def r_precision_at(
    relevance: Relevance, multiple: Number,
    n_relevant: Numbers | None = None,
) -> Values:
    """P@k at k = multiple * R, rounded up to a whole rank.

    At multiple 1 this is R-precision. Precision-minded tools win
    at small multiples, recall-minded ones at large ones.
    relevance: (..., n) grades in rank order, or `Hits`;
    multiple: one number > 0, a float within 1e-9 of j/R
    means j/R;
    n_relevant: R, broadcast to (...,), default: what the `Hits`
    know, or the relevant items in the ranking.
    Returns (...,) in [0, 1], nan where nothing is relevant.
    Raises ValueError for bad grades, multiple or n_relevant.
    Source: the "Rprec_mult" of trec_eval, which rounds up
    only from a tenth on.

    >>> print(r_precision_at([1, 0, 0, 1], multiple=0.5))
    1.0
    """
    hits = as_hits(relevance)
    m = float(number(
        "multiple", multiple,
        "that is finite and > 0", lambda x: 0 < x < np.inf,
    ))
    R = hits.relevant(n_relevant)
    with np.errstate(over="ignore"):  # a k beyond floats is inf
        k = np.maximum(np.ceil(m * R - SAME_LEVEL * R), R > 0)
    return hits.result(ratio(hits.within(k), k))


@metric(
    "Judged@k", "judged at k", purpose="Not everything was judged", asks="How much of what I am shown was judged at all?",
    formula=r"\frac{\text{judged in the top } k}{\min(k, N)}",
    rewards="Nothing: it says how far to trust the numbers beside it.", place="order-and-auc#def-bpref",
    of="judgements", default={"k": 2**53}, see="bpref",
)
@per_ranking
def judged_at(relevance: Relevance, k: Whole) -> Values:
    """The fraction of the top k that was judged.

    relevance: (..., n) grades in rank order, or `Hits`, which
    know what was judged if grades by id were given; else
    everything ranked was;
    k: one whole number >= 1.
    Returns (...,) in [0, 1], of the items that are there
    where fewer than k are ranked, nan where none is.
    Raises ValueError for bad grades or a bad k.
    Source: the "Judged" of ir_measures.

    >>> from metrics import Hits
    >>> hits = Hits.from_ids(
    ...     rankings=[list("abcd")], relevant=[{"a": 1, "c": 0}])
    >>> judged_at(hits, k=4).tolist()
    [0.5]
    """
    hits, k = as_hits(relevance), whole("k", k, at_least=1)
    top = np.minimum(hits.length, min(k, hits.longest))
    if hits.irrelevant is None:
        return hits.result(ratio(top, top))
    known = hits.within(k) + hits.irrelevant.within(k)
    return hits.result(ratio(known, top))
