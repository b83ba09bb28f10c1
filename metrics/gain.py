"""Metrics that give each rank a discount, and each grade a gain (long: it includes four experiments of trec_eval)."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from ._base.arrays import bincount, differing, frozen, ratio
from ._base.checks import choice, number, of_hits, refuse, require_same_labels, whole
from ._base.records import metric
from ._base.types import Array, Floats, Gain, Ints, Number, Numbers, Values, Whole, per_ranking
from .hits import Hits, Relevance, RelevantItems, as_hits

__all__ = [
    "dcg", "ndcg", "rank_biased_precision", "expected_reciprocal_rank", "binary_g", "graded_g", "mean_ndcg_at_hits",
    "mean_ndcg_at_levels",
]  # fmt: skip

GAINS = {
    "linear": "the grade, as in trec_eval, ir_measures, scikit-learn, torchmetrics and CatBoost",
    "exponential": "2^grade - 1, as in LightGBM, XGBoost and Elasticsearch",
}
TABULATED_RANKS = 100_000  # ranks whose discounts are looked up, which is four times as fast


@metric(
    "DCG@k", "discounted cumulative gain", purpose="Grades, and a reader's patience",
    asks="Some items matter more than others",
    formula=r"\sum_{i \le k} \frac{G(g_i)}{\log_2(i + 1)}, \quad G(g) = g \text{ or } 2^g - 1",
    rewards="High grades at high ranks; grows with the number of relevant items.", place="discounted-gain#def-ndcg",
    also="DCG, discounted cumulative gain at k", of="grades", see="ndcg",
)
@per_ranking
@of_hits
def dcg(
    relevance: Relevance,
    k: Whole | None = None, gain: Gain = "linear",
) -> Values:
    """DCG: the gains of the top k, each divided by log2(rank + 1).

    The letters stand for discounted cumulative gain.
    relevance: (..., n) grades in rank order, or `Hits`;
    k: one whole number >= 1, default: all ranks;
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


@metric(
    "nDCG@k", "normalised discounted cumulative gain", purpose="Grades, and a reader's patience",
    asks="Some items matter more than others", formula=r"\frac{\mathrm{DCG@}k}{\mathrm{DCG@}k \text{ of the ideal}}",
    rewards="High grades at high ranks, as a share of what the best list gets.", place="discounted-gain#def-ndcg",
    also="NDCG, normalized discounted cumulative gain, ndcg_cut_k, normalized DCG, normalised DCG, normalized DCG at k, "
    "mean NDCG, normalized discounted cumulative gain at k",
    of="grades", choose={"gain": GAINS}, see="dcg, ties.ndcg, expected_reciprocal_rank",
    not_for="on arrays that lack relevant items, without `ideal` or `n_relevant`, because then nothing counts as missed",
)
@per_ranking
@of_hits
def ndcg(
    relevance: Relevance,
    k: Whole | None = None, gain: Gain = "linear",
    ideal: Relevance | None = None,
    n_relevant: Numbers | None = None,
) -> Values:
    """nDCG: DCG over that of the best ranking, both cut at k.

    relevance: (..., n) grades in rank order, or `Hits`;
    k: one whole number >= 1, default: all ranks;
    gain: "linear" (the grade g) or "exponential" (2^g - 1);
    ideal: all grades of the universe, (..., m) or (m,) for
    every query, in any order;
    n_relevant: |A|, broadcast to (...,). Without an `ideal`
    the grades are those of the mapping, or of the ranking and
    1 for each relevant item beyond it; by default an array has
    none beyond.
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


@metric(
    "RBP", "rank-biased precision", purpose="Grades, and a reader's patience",
    asks="At what rate does a reader of given patience find something?", formula=r"(1 - p) \sum_{j} p^{k_j - 1}",
    rewards="Hits that are reached by a reader who goes on with probability p; needs no R, and what unjudged items can add is known.",
    place="discounted-gain#def-rbp", also="RBP@k", at_k=True, tried={"persistence": (0, 0.5, 0.8)},
    see="expected_reciprocal_rank, rank_biased_overlap", not_for="to compare values of different persistence",
)
@per_ranking
def rank_biased_precision(
    relevance: Relevance, persistence: Number
) -> Values:
    """RBP: the expected rate of relevant items for a user.

    The user goes on from each item to the next with
    probability p.
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
    value = (1 - p) * hits.total(reached)
    return hits.result(np.minimum(value, 1))


@metric(
    "ERR", "expected reciprocal rank", purpose="One good answer is enough",
    asks="How soon does a good answer come, for a reader whom an item satisfies by chance?",
    formula=r"\sum_{i} \frac{1}{i}\, q_i \prod_{l < i} (1 - q_l), \quad q_i = \frac{2^{g_i} - 1}{2^{g_{\max}}}",
    rewards="An early item of a high grade; the better what stood above, the less an item adds.",
    place="discounted-gain#def-err", also="ERR@k", of="grades", at_k=True, default={"max_grade": 4},
    tried={"max_grade": (1, 3)}, see="reciprocal_rank, rank_biased_precision, ndcg",
)
@per_ranking
def expected_reciprocal_rank(
    relevance: Relevance, max_grade: Number
) -> Values:
    """ERR: the expected 1 / r for a user who stops at rank r.

    The user stops at the first item that satisfies.
    Grade g satisfies with probability
    (2^g - 1) / 2^max_grade.
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


@metric(
    "BinaryG", "binG of trec_eval", purpose="Experiments of trec_eval",
    asks="What `binG`, `G`, `ndcg_rel` and `Rndcg` of trec_eval are",
    formula=r"\frac{1}{R} \sum_{j} \frac{1}{\log_2(2 + k_j - j)}",
    rewards="Every hit, the less the more irrelevant items stand above it.",
    place="discounted-gain#four-experiments-of-trec-eval", see="graded_g, average_precision",
)
@per_ranking
def binary_g(
    relevance: Relevance, n_relevant: Numbers | None = None
) -> Values:
    """binG: a mean like AP's, with DCG's discount for the misses above.

    Each relevant item found counts 1 / log2(2 + m), with m
    irrelevant items above it.
    relevance: (..., n) grades in rank order, or `Hits`;
    n_relevant: R, broadcast to (...,), default: what the `Hits`
    know, or the relevant items in the ranking.
    Returns (...,) in [0, 1], nan where nothing is relevant.
    Raises ValueError for bad grades or n_relevant.
    Source: the "binG" of trec_eval, an experiment of
    Buckley's (2008).

    >>> print(binary_g([1, 1, 0, 0], n_relevant=4))
    0.5
    """
    hits = as_hits(relevance)
    R = hits.relevant(n_relevant)
    missed = hits.rank - hits.ordinal
    kept = hits.total(1 / np.log2(2 + missed))
    return hits.result(ratio(kept, R))


@metric(
    "G", "G of trec_eval", purpose="Experiments of trec_eval",
    asks="What `binG`, `G`, `ndcg_rel` and `Rndcg` of trec_eval are",
    formula=r"\frac{1}{\sum_{i} g^*_i} \sum_{i} \frac{g_i}{\log_2(2 + v_i)}",
    rewards="High grades, each the less the more gain was missed down to its rank.",
    place="discounted-gain#four-experiments-of-trec-eval", of="grades", see="binary_g, ndcg",
)
@per_ranking
def graded_g(
    relevance: Relevance, n_relevant: Numbers | None = None
) -> Values:
    """G: the gains, each discounted by the gain missed so far.

    The gain missed down to an item is how much more the best
    ranking would have gained; in that ranking a grade between 0
    and 1, and a rank beyond the end, count as 1. The item
    counts its grade over log2(2 + the gain missed).
    relevance: (..., n) grades in rank order, or `Hits`;
    n_relevant: R, broadcast to (...,), default: what the `Hits`
    know, or the relevant items in the ranking.
    Returns (...,) in [0, 1], over the sum of all grades, nan
    where it is 0.
    Raises ValueError for bad grades or n_relevant, and where
    items of unknown grade were not ranked and the grades of
    others are not all 1.
    Source: the "G" of trec_eval, an experiment of
    Buckley's (2008).

    >>> print(graded_g([2, 1, 0, 0]))
    1.0
    >>> print(graded_g([0, 0, 1]))
    0.5
    """
    hits = as_hits(relevance)
    R = hits.relevant(n_relevant)
    cost = np.maximum(hits.ideal.grade, 1)
    at = hits.row, hits.rank
    possible = best_sum(hits, R, cost, np.positive, *at)
    possible += np.maximum(hits.rank - R[hits.row], 0)
    missed = possible - hits.accumulate(np.add, hits.grade)
    gained = hits.total(hits.grade / np.log2(2 + missed))
    whole = np.arange(hits.queries), R
    best = best_sum(hits, R, hits.ideal.grade, np.positive, *whole)
    return hits.result(ratio(gained, best))


@metric(
    "nDCGAtHits", "ndcg_rel of trec_eval", purpose="Experiments of trec_eval",
    asks="What `binG`, `G`, `ndcg_rel` and `Rndcg` of trec_eval are", formula=r"\frac{1}{R} \sum_{j} \mathrm{nDCG@}k_j",
    rewards="As nDCG, with every hit as a cutoff; what was never ranked counts as the whole list does.",
    place="discounted-gain#four-experiments-of-trec-eval", of="grades", see="ndcg, mean_ndcg_at_levels",
)
@per_ranking
def mean_ndcg_at_hits(
    relevance: Relevance, n_relevant: Numbers | None = None
) -> Values:
    """The mean of nDCG@k over the ranks of the relevant items.

    An item that was not ranked counts as the nDCG of the whole
    ranking.
    relevance: (..., n) grades in rank order, or `Hits`;
    n_relevant: R, broadcast to (...,), default: what the `Hits`
    know, or the relevant items in the ranking.
    Returns (...,) in [0, 1], nan where nothing is relevant.
    Raises ValueError for bad grades or n_relevant, and where
    items of unknown grade were not ranked and the grades of
    others are not all 1.
    Source: the "ndcg_rel" of trec_eval.

    >>> print(mean_ndcg_at_hits([0, 0, 1]))
    0.5
    """
    hits = as_hits(relevance)
    R = hits.relevant(n_relevant)
    gained = hits.accumulate(np.add, linear_gains(hits))
    found = hits.total(gained / best_dcg(hits, R, hits.row, hits.rank))
    missed = (R - hits.count) * full_ndcg(hits, R)
    return hits.result(ratio(found + missed, R))


@metric(
    "nDCGAtLevels", "Rndcg of trec_eval", purpose="Experiments of trec_eval",
    asks="What `binG`, `G`, `ndcg_rel` and `Rndcg` of trec_eval are",
    formula=r"\operatorname{mean} \mathrm{nDCG@}k,\ k:\ g^*_k > g^*_{k+1}, \text{ or } k = N > R + 1",
    rewards="As nDCG, with a cutoff below each grade of the ideal list; uncut, too, if 2 ranks or more follow.",
    place="discounted-gain#four-experiments-of-trec-eval", of="grades", see="ndcg, mean_ndcg_at_hits",
)
@per_ranking
def mean_ndcg_at_levels(
    relevance: Relevance, n_relevant: Numbers | None = None
) -> Values:
    """The mean of nDCG@k over the ranks where the best ranking steps down.

    k is the number of items of the highest grade, of the two
    highest, and so on to all relevant ones; and the whole
    length, where it is greater by 2 or more.
    relevance, n_relevant: as in `mean_ndcg_at_hits`.
    Returns (...,) in [0, 1], nan where nothing is relevant.
    Raises ValueError as `mean_ndcg_at_hits` does.
    Source: the "Rndcg" of trec_eval.

    >>> print(mean_ndcg_at_levels([0, 0, 1]))
    0.25
    """
    hits = as_hits(relevance)
    R, best = hits.relevant(n_relevant), hits.ideal
    down = np.diff(best.grade, append=0) != 0
    inside = down & (best.ordinal < best.count[best.row])
    ends = np.flatnonzero(R)
    row = np.append(best.row[inside], ends)
    k = np.append(best.ordinal[inside], R[ends])
    steps = dcg_at(hits, row, k) / best_dcg(hits, R, row, k)
    goes_on = (hits.length > R + 1) & (R > 0)
    end = np.where(goes_on, full_ndcg(hits, R), 0)
    total = bincount(row, steps, hits.queries) + end
    points = bincount(row, minlength=hits.queries) + goes_on
    return hits.result(ratio(total, points))


def dcg_at(hits: Hits, row: Ints, k: Ints) -> Floats:
    """The DCG of the top k for each of the given queries."""
    gained = hits.accumulate(np.add, linear_gains(hits))
    width = max(hits.longest, int(k.max(initial=0))) + 1
    within = np.searchsorted(hits.row * width + hits.rank, row * width + k, "right")
    return np.where(within > hits.start[row], np.append(gained, 0)[within - 1], 0)


def best_dcg(hits: Hits, total: Ints, row: Ints, k: Ints) -> Floats:
    """The DCG of the top k of the best ranking for each of the given queries."""
    best = hits.ideal
    return best_sum(hits, total, linear_gains(best), discount_sum, row, k)


def full_ndcg(hits: Hits, total: Ints) -> Floats:
    """(Q,) the nDCG of the whole ranking."""
    best = best_dcg(hits, total, np.arange(hits.queries), total)
    return ratio(hits.total(linear_gains(hits)), best)


def best_sum(
    hits: Hits, total: Ints, weight: Floats, of_ones: Callable[[Ints], Array], row: Ints, k: Ints
) -> Floats:
    """The sum of the weights of the best k items of the ideal; if not all grades are known, all count
    as 1, and `of_ones` gives the sum.
    """
    best, unknown = hits.ideal, unknown_grades(hits, total)
    place = best.start[row] + np.minimum(k, best.count[row])
    known = np.where(k > 0, np.append(0, best.accumulate(np.add, weight))[place], 0)
    return np.where(unknown[row], of_ones(np.minimum(k, total[row])), known)


def unknown_grades(hits: RelevantItems, total: Ints) -> Array:
    """(Q,) whether some relevant items have no known grade; these grades are taken to be 1 if all known grades are 1."""
    known = hits.ideal
    unknown = total != known.count
    if not unknown.any():
        return unknown
    other = bincount(known.row[known.grade != 1], minlength=hits.queries) > 0
    for query in np.flatnonzero(unknown & other):
        items = f"not all of the {total[query]} relevant items have a known grade"
        refuse("ideal", f"none{hits.named(query)}, although {items}", "all grades of the universe")
    return unknown


def linear_gains(hits: Hits) -> Floats:
    """(H,) each grade multiplied by the discount of its rank."""
    return discounts(hits.rank, hits.longest) * hits.grade


def cutoff(k: Whole | None) -> int | None:
    """The cutoff as one whole number, or None for all ranks."""
    return None if k is None else whole("k", k, at_least=1)


@cache
def discount_table() -> Floats:
    """The table with the discount 1 / log2(rank + 1) at index `rank`; index 0 is unused."""
    return frozen(np.append(1.0, 1 / np.log2(np.arange(2, TABULATED_RANKS + 2))))


def discounts(rank: Ints, longest: int) -> Floats:
    """The discount 1 / log2(rank + 1) of each rank; `longest` is the length of the longest ranking."""
    return discount_table()[rank] if longest <= TABULATED_RANKS else 1 / np.log2(rank + 1)


def discounted(hits: Hits, k: int | None, gain: str, name: str) -> Floats:
    """(Q,) the discounted gains of the top k."""
    seen, count = (slice(None), hits.count) if k is None or k >= hits.longest else hits.seen(k)
    value = discounts(hits.rank[seen], hits.longest) * gains(hits.grade[seen], gain, name)
    return hits.total(value, seen, count)


def normalized(gained: Floats, best: Floats) -> Floats:
    """The value gained as a share of the best possible value, capped at 1, which rounding may exceed."""
    return np.minimum(ratio(gained, best), 1)


def ideal_dcg(hits: RelevantItems, k: int | None, gain: str, ideal: Any, n_relevant: Any) -> Floats:
    """(Q,) the discounted gains of the top k of the best possible ranking."""
    total, known = hits.relevant(n_relevant), hits.ideal
    if ideal is not None:
        chosen = checked_ideal(ideal, hits)
        if chosen.shape:
            require_same_labels(relevance=hits, n_relevant=n_relevant, ideal=ideal)
        best = discounted(chosen, k, gain, "ideal")
        return np.broadcast_to(best, hits.queries)
    best, unknown = discounted(known, k, gain, "relevance"), unknown_grades(hits, total)
    if not unknown.any():
        return best
    ones = discount_sum(total if k is None else np.minimum(total, min(k, 2**53)))
    return np.where(unknown, ones, best)


@cache
def discount_sums() -> Floats:
    """The sums of the first 0, 1, 2, ... discounts."""
    return frozen(np.append(0.0, np.cumsum(discount_table()[1:])))


def discount_sum(count: Ints) -> Floats:
    """The sum of the first `count` discounts, from the table or, beyond the table, from the Euler-Maclaurin formula."""
    value, far = discount_sums()[np.minimum(count, TABULATED_RANKS)], count > TABULATED_RANKS
    value[far] += sum_beyond(count[far]) - sum_beyond(np.array([TABULATED_RANKS]))
    return value


def sum_beyond(count: Ints) -> Floats:
    """The sum of the first `count` discounts up to a constant; beyond the table its error is below 1e-15.

    The integral of 1 / ln x is ln ln x plus the sum of (ln x)^i / (i i!) over i = 1, 2, ...
    """
    x, i = count + 1.0, np.arange(1, 151)
    log = np.log(x)
    integral = np.log(log) + (np.cumprod(log[:, None] / i, axis=1) / i).sum(axis=1)
    return np.log(2) * (integral + 1 / (2 * log) - 1 / (12 * x * log**2))


def gains(grade: Floats, gain: str, name: str) -> Floats:
    """(H,) the gains: the grades g, or 2^g - 1."""
    choice("gain", gain, ("linear", "exponential"))
    with np.errstate(over="ignore"):
        gained = grade if gain == "linear" else np.exp2(grade) - 1
    if (differing(gained) > 1e300).any():
        given = f"grade {grade.max():g} with the {gain} gain"
        refuse(name, given, "grades whose gains can be added up")
    return gained


def checked_ideal(ideal: Any, hits: RelevantItems) -> Hits:
    """The best order of all grades of the universe; these must include the grades of the hits."""
    try:
        best = as_hits(ideal).ideal
    except ValueError as error:
        raise ValueError(str(error).replace("relevance", "ideal", 1)) from None
    if isinstance(ideal, RelevantItems) and (best.count != ideal.n_relevant).any():
        refuse("ideal", "hits in which some relevant items are only counted", "all grades of the universe")
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
        refuse("ideal", given, "all grades of the universe, including those of the ranking")
    return best
