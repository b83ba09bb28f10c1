"""Suggestions from a whole catalogue: their coverage, evenness and rarity; and hits that count more if their label is seldom written down.

`predictions` and `actual` are sequences of label lists, one for each instance, predictions best first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from itertools import chain
from typing import Any

import numpy as np

from ._base.arrays import ratio
from ._base.checks import (
    by_label,
    flag,
    id_list,
    id_lists,
    non_negative,
    number,
    refuse,
    require_each_of_one_kind,
    require_one_kind,
    whole,
    within,
)
from ._base.keyed import label_lists
from ._base.records import metric
from ._base.types import Array, Floats, Ids, Lists, Number, Numbers, Whole
from .gain import discount_sum, discounts
from .hits import Hits

__all__ = [
    "catalogue_coverage_at", "gini_at", "novelty_at", "propensities", "propensity_scored_precision_at",
    "propensity_scored_ndcg_at",
]  # fmt: skip


@metric(
    "catalogue coverage@k", "catalogue coverage", purpose="A whole catalogue, right or wrong",
    asks="How much of the catalogue is ever suggested, right or wrong?",
    formula=r"\frac{\text{labels in some top } k}{\text{labels of the catalogue}}",
    rewards="Variety, right or wrong: each label of the catalogue counts once.", place="long-tail#def-catalogue",
    also="catalog coverage, catalog coverage at k, item coverage, prediction coverage, coverage, coverage at k",
    instead="metrics.catalogue_coverage_at, which needs the catalogue", see="gini_at, positive_coverage_at",
    not_for="as the only number, because it does not see what is relevant",
)
def catalogue_coverage_at(
    *, predictions: Lists, catalogue: Ids, k: Whole
) -> np.float64:
    """The share of the catalogue that is in at least one top k.

    predictions: for each instance a list of distinct labels,
    best first;
    catalogue: all labels that could be suggested, or those that
    you ask about; others are not counted;
    k: one whole number >= 1.
    Returns a number in [0, 1], nan for an empty catalogue.
    Raises ValueError for duplicates, a bad k, and ids of kinds
    that are never equal.
    Source: Ge, Delgado-Battenfeld and Jannach (2010), RecSys.

    >>> print(catalogue_coverage_at(
    ...     predictions=[["a", "b"], ["a", "c"]],
    ...     catalogue="a b c d".split(), k=2))
    0.75
    """
    times = suggested(predictions, catalogue, k)
    return ratio(np.count_nonzero(times), times.size)[()]


@metric(
    "Gini@k", "Gini index", purpose="A whole catalogue, right or wrong",
    asks="How unevenly are the labels of the catalogue suggested?",
    formula=r"\frac{\sum_{i} \sum_{j} |x_i - x_j|}{2 n \sum_{i} x_i}",
    rewards="↓ Suggestions that are spread evenly, right or wrong.", place="long-tail#def-catalogue",
    also="Gini, Gini coefficient", instead="metrics.gini_at, which needs the catalogue",
    see="catalogue_coverage_at, novelty_at", not_for="as the only number, because it does not see what is relevant",
)
def gini_at(
    *, predictions: Lists, catalogue: Ids, k: Whole
) -> np.float64:
    """The Gini index of how often each label is suggested.

    predictions, catalogue, k: as in `catalogue_coverage_at`.
    Returns a number from 0, if all are suggested equally often,
    to 1 - 1/n, if one of n is; nan if none is.
    Raises ValueError as `catalogue_coverage_at` does.
    Source: Gini (1912); for recommendations Fleder and
    Hosanagar (2009).

    >>> print(gini_at(
    ...     predictions=[["a", "b"], ["a", "c"]],
    ...     catalogue="a b c d".split(), k=2))
    0.375
    """
    times = np.sort(suggested(predictions, catalogue, k))
    n = times.size
    above_less_below = 2 * np.arange(1, n + 1) - n - 1
    apart = (above_less_below * times).sum()
    return ratio(apart, n * times.sum())[()]


@metric(
    "novelty@k", "novelty", purpose="A whole catalogue, right or wrong", asks="How rare is what is suggested?",
    formula=r"\operatorname{mean} \log_2 \frac{1}{c}", rewards="Rare labels, right or wrong.",
    place="long-tail#def-catalogue",
    also="self-information, mean self-information, mean inverse user frequency, mean inv user freq, MIUF",
    instead="metrics.novelty_at, which needs the counts of the labels", see="gini_at, propensity_scored_precision_at",
    not_for="as the only number, because it does not see what is relevant",
)
def novelty_at(
    *, predictions: Lists,
    counts: Mapping[Any, float] | Numbers, k: Whole,
) -> np.float64:
    """The mean self-information of the suggested labels.

    A label with a share s of all counts has -log2(s) bits.
    predictions: for each instance a list of distinct labels,
    best first;
    counts: label -> count >= 0, a mapping or a list, such as
    how often each was used in training;
    k: one whole number >= 1.
    Returns a number >= 0, inf where a label of count 0 is
    suggested, nan where nothing is.
    Raises ValueError for duplicates, a bad k, a bad count, and
    a suggested label without a count.
    Source: Zhou and others (2010), PNAS, with the share of
    all counts for that of the users.

    >>> print(novelty_at(
    ...     predictions=[["a", "b"]],
    ...     counts={"a": 3, "b": 1}, k=2).round(3))
    1.208
    """
    cut, count_of = whole("k", k, at_least=1), numbers_by_label("counts", counts)
    lists = id_lists("predictions", predictions)
    require_one_kind("predictions", lists, "counts", [count_of])
    shown = list(chain.from_iterable(made[:cut] for made in lists))
    require_every("counts", count_of, shown, "a count for every label that is suggested")
    share = ratio([count_of[label] for label in shown], sum(count_of.values()))
    with np.errstate(divide="ignore"):
        bits = -np.log2(share)
    return ratio(bits.sum(), bits.size)[()]


def propensities(
    counts: Any, *, n_instances: Whole,
    a: Number = 0.55, b: Number = 1.5,
) -> Any:
    """Each label's modelled probability of being written down.

    It is 1 / (1 + C (count + b)^-a), where C stands for
    (log n - 1) (b + 1)^a.
    counts: label counts >= 0 in training, a mapping or a pandas
    Series with labels (then a mapping is returned), or an array;
    n_instances: n, one whole number >= 3, of which the labels
    were counted;
    a, b: one number in [0, 100] each; 0.5 and 0.4 are usual for
    Wikipedia, 0.6 and 2.6 for Amazon, else the defaults.
    Returns propensities in [0, 1), higher for more frequent
    labels; 0 only for a count of 0 with b = 0.
    Raises ValueError for bad counts, for more of a label than
    instances, a bad a or b.
    Source: Jain, Prabhu and Varma (2016), KDD.

    >>> print(propensities([1, 100], n_instances=1000).round(3))
    [0.145 0.565]
    """
    counts = by_label("counts", counts)
    if isinstance(counts, Mapping):
        values = propensities(list(counts.values()), n_instances=n_instances, a=a, b=b)
        return dict(zip(counts, values.tolist()))
    count = non_negative("counts", counts)
    if count.ndim != 1:
        refuse("counts", f"an array of shape {count.shape}", "one list of counts")
    n = whole("n_instances", n_instances, at_least=3)
    if count.max(initial=0) > n:
        refuse("n_instances", n, f"at least the largest count, {count.max():g}")
    expected = "in [0, 100]"
    power, shift = (float(number(name, value, expected, lambda x: 0 <= x <= 100)) for name, value in (("a", a), ("b", b)))
    with np.errstate(divide="ignore"):  # a count of 0 with b = 0 is never written down
        scarce = (np.log(float(n)) - 1) * ((shift + 1) / (count + shift)) ** power
    return 1 / (1 + scarce)


@metric(
    "PSP@k", "propensity-scored precision", purpose="Labels that are seldom written down",
    asks="What if rare labels are often not written down?",
    formula=r"\frac{\text{sum of } 1/p_l \text{, hits in the top } k}{\text{that of the best lists}}",
    rewards="Hits in the top k, those on rare labels most.", place="long-tail#def-propensity-scored",
    also="PSP, propensity scored precision at k, PSprec@k, psprecision, psprecision at k",
    instead="metrics.propensity_scored_precision_at, which needs the propensities",
    see="propensities, propensity_scored_ndcg_at",
)
def propensity_scored_precision_at(
    *, predictions: Lists, actual: Lists,
    propensity: Mapping[Any, float] | Numbers, k: Whole,
    normalised: bool = True,
) -> np.float64:
    """PSP@k: precision in which a hit counts 1/propensity.

    predictions, actual: for each instance a list of distinct
    labels, the predictions best first;
    propensity: label -> number in (0, 1], a mapping or a list,
    as `propensities` makes it; all actual labels have one;
    k: one whole number >= 1;
    normalised: True divides the mean over the instances by
    that of the best lists, as published numbers do.
    Returns a number in [0, 1], nan if no label is actual; or,
    not normalised, a number >= 0, nan without instances.
    Raises ValueError for duplicates, different numbers of
    instances, a bad k, and a bad or missing propensity.
    Source: Jain, Prabhu and Varma (2016), KDD.

    >>> print(propensity_scored_precision_at(
    ...     predictions=[["a"]], actual=[["a", "b"]],
    ...     propensity={"a": 0.5, "b": 0.25}, k=1))
    0.5
    """
    hits, best, cut = weighed(
        predictions, actual, propensity, k
    )
    return over_the_best(
        hits.total(hits.grade) / cut,
        best.total(best.grade) / cut, normalised,
    )


@metric(
    "PSnDCG@k", "propensity-scored nDCG", purpose="Labels that are seldom written down",
    asks="What if rare labels are often not written down?",
    formula=r"\frac{\text{mean of } \mathrm{DCG}(1/p_l) / \mathrm{IDCG}(1)}{\text{that of the best lists}}",
    rewards="The same hits, early.", place="long-tail#def-propensity-scored",
    also="PSnDCG, PSDCG, propensity scored nDCG at k",
    instead="metrics.propensity_scored_ndcg_at, which needs the propensities",
    see="propensities, propensity_scored_precision_at",
)
def propensity_scored_ndcg_at(
    *, predictions: Lists, actual: Lists,
    propensity: Mapping[Any, float] | Numbers, k: Whole,
    normalised: bool = True,
) -> np.float64:
    """PSnDCG@k: nDCG in which a hit gains 1/propensity.

    Each instance is divided by the DCG of min(k, R) gains of 1,
    where R of its labels are actual; it counts as 0 where R = 0.
    predictions, actual, propensity, k, normalised: as in
    `propensity_scored_precision_at`.
    Returns a number in [0, 1], nan if no label is actual; or,
    not normalised, a number >= 0, nan without instances.
    Raises ValueError as `propensity_scored_precision_at` does.
    Source: Jain, Prabhu and Varma (2016), KDD; the divisor by
    the code of the Extreme Classification Repository.

    >>> print(propensity_scored_ndcg_at(
    ...     predictions=[["a", "b"]], actual=[["a"]],
    ...     propensity={"a": 0.5}, k=2, normalised=False))
    2.0
    """
    hits, best, cut = weighed(
        predictions, actual, propensity, k
    )
    ones = discount_sum(np.minimum(hits.n_relevant, min(cut, 2**53)))
    found, most = (
        np.divide(
            each.total(each.grade * discounts(each.rank, each.longest)),
            ones, out=np.zeros(ones.size), where=ones > 0,
        )
        for each in (hits, best)
    )
    return over_the_best(found, most, normalised)


def suggested(predictions: Lists, catalogue: Ids, k: Whole) -> Floats:
    """(n,) how often each label of the catalogue is in a top k."""
    cut, lists = whole("k", k, at_least=1), id_lists("predictions", predictions)
    labels = id_list("catalogue", catalogue, ordered=False)
    require_one_kind("predictions", lists, "catalogue", [labels])
    times = Counter(chain.from_iterable(made[:cut] for made in lists))
    return np.fromiter((times[label] for label in labels), np.float64, len(labels))


def numbers_by_label(name: str, values: Any, check: Callable[[str, Any], Array] = non_negative) -> dict[Any, float]:
    """The mapping label -> number, from a mapping or a list; `check` decides which numbers are allowed."""
    values = by_label(name, values)
    array = check(name, list(values.values()) if isinstance(values, Mapping) else values)
    if array.ndim != 1:
        refuse(name, f"an array of shape {array.shape}", "a mapping, or one list, from label to number")
    return dict(zip(values if isinstance(values, Mapping) else range(array.size), array.tolist()))


def require_every(name: str, known: Mapping[Any, float], labels: Iterable[Any], expected: str) -> None:
    """Refuse a mapping that lacks any of the labels; the error names the first that it lacks."""
    for label in labels:
        if label not in known:
            refuse(name, f"none for {label!r}", expected)


def weighed(predictions: Lists, actual: Lists, propensity: Any, k: Whole) -> tuple[Hits, Hits, int]:
    """The hits in the top k with 1/propensity as their grades, the hits of the best lists, and k."""
    chances = partial(within, expected="numbers in (0, 1]", allowed=lambda x: (x >= 1e-300) & (x <= 1))
    cut, chance = whole("k", k, at_least=1), numbers_by_label("propensity", propensity, chances)
    made, wanted = label_lists(predictions, actual)
    lists = id_lists("predictions", made)
    require_each_of_one_kind("predictions", lists, "actual", wanted, "propensity", chance)
    require_every("propensity", chance, chain.from_iterable(wanted), "one for every actual label")
    gains = [{label: 1 / chance[label] for label in labels} for labels in wanted]
    hits = Hits.from_ids(rankings=lists, relevant=gains)
    ideal = hits.ideal
    best = ideal.only(ideal.ordinal <= cut, ideal.length, None)
    return hits.top(cut), best, cut


def over_the_best(found: Floats, best: Floats, normalised: bool) -> np.float64:
    """The mean of the values found; if normalised, it is divided by the mean of the best values and capped at 1, which
    rounding may exceed.
    """
    if flag("normalised", normalised):
        return np.minimum(ratio(found.sum(), best.sum()), 1)[()]
    return ratio(found.sum(), found.size)[()]
