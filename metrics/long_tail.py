"""Metrics by decile of label frequency: how well are rare labels served?

`predictions` and `actual` are sequences of label lists, one for each instance, predictions best
first; `decile` is a mapping or an array from label to 1 ... 10 (10 = most frequent). Labels without
a decile belong to none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from itertools import accumulate, chain, repeat
from numbers import Real
from typing import Any, Literal

import numpy as np

from ._base.arrays import bincount, ratio
from ._base.checks import (
    by_label,
    choice,
    fraction,
    id_lists,
    non_negative,
    number_or_inf,
    numeric,
    refuse,
    require_each_of_one_kind,
    require_one_kind,
    whole,
)
from ._base.keyed import label_lists
from ._base.records import metric
from ._base.types import Deciles, Floats, Ints, Lists, Number, Whole
from .curve import rank_at_recall
from .gain import ndcg
from .hits import Hits
from .inputs.groups import look_up, split

__all__ = [
    "frequency_deciles", "precision_by_decile", "ndcg_by_decile", "rank_for_recall_by_decile",
    "prediction_proportions_at", "prediction_precision_at", "positive_coverage_at",
]  # fmt: skip

DECILES = {*range(1, 11)}


def frequency_deciles(
    counts: Any, *, equal: Literal["labels", "mass"] = "labels"
) -> Any:
    """Each label's decile, higher for more frequent labels.

    counts: label counts >= 0, a mapping or a pandas Series with
    labels (then a mapping is returned), or an array (then an
    integer array);
    equal: "labels" makes ten groups with equal numbers of
    labels, "mass" with equal total counts. Ties keep the
    input order.
    Returns deciles in 1 ... 10.
    Raises ValueError for negative or non-finite counts, and for
    "mass" of zeros only.
    Source: the label deciles of long-tail classification.

    >>> frequency_deciles({"rare": 1, "usual": 9}, equal="mass")
    {'rare': 1, 'usual': 10}
    """
    choice("equal", equal, ("labels", "mass"))
    counts = by_label("counts", counts)
    if isinstance(counts, Mapping):
        in_order = list(counts.values())
        values = frequency_deciles(in_order, equal=equal)
        return dict(zip(counts, values.tolist()))
    non_negative("counts", counts)
    array = numeric("counts", counts)
    if array.ndim != 1:
        given = f"an array of shape {array.shape}"
        refuse("counts", given, "one list of counts")
    ascending = np.argsort(array, kind="stable")
    result = np.empty(array.size, dtype=np.int64)
    by = by_number if equal == "labels" else by_mass
    result[ascending] = by(array[ascending].tolist())
    return result


def by_number(ascending: list[Any]) -> list[int]:
    """Ten groups with equal numbers of labels."""
    return [10 * place // len(ascending) + 1 for place in range(len(ascending))]


def by_mass(ascending: list[Any]) -> list[int]:
    """Ten groups with equal total counts; computed exactly, because sums of floats have errors."""
    exact = [count if isinstance(count, int) else Fraction(count) for count in ascending]
    cumulative = list(accumulate(exact))
    if cumulative and cumulative[-1] == 0:
        refuse("counts", "zeros only", 'some count above 0 for equal="mass"')
    return [max(1, -(-10 * mass // cumulative[-1])) for mass in cumulative]


@metric(
    "precision by decile", purpose="Rare and common labels, by decile d",
    asks="Are rare labels found, for the goals that need some?",
    formula=r"\operatorname{mean} \frac{\text{hits in the top } k \text{ of } P_d}{\min(k, |P_d|)}",
    rewards="Few wrong suggestions of the decile, for goals that need some of it.", place="long-tail#def-by-decile",
    see="prediction_precision_at, ndcg_by_decile, split_by_item",
)
def precision_by_decile(
    *, predictions: Lists, actual: Lists, decile: Deciles,
    k: Whole, top: Whole = 500,
) -> Floats:
    """The mean precision of the top k within each decile.

    The mean is over the instances with an actual label there.
    predictions, actual: for each instance a list of distinct
    labels, the predictions best first;
    decile: label -> 1 ... 10, a mapping or a list;
    k: one whole number >= 1, meant within the decile;
    top: how many predictions of an instance are looked at.
    The divisor is the number of predictions present (at most
    k); no predictions give 0.
    Returns (10,) in [0, 1], entry d - 1 for decile d, nan where
    no instance has an actual label there.
    Raises ValueError for duplicates, different numbers of
    instances, deciles outside 1 ... 10, a bad k or top.
    Source: the by-decile metrics of long-tail classification.

    >>> print(precision_by_decile(
    ...     predictions=[["a", "b"]], actual=[["a"]],
    ...     decile={"a": 10, "b": 10}, k=2)[9])
    0.5
    """
    cut = whole("k", k, at_least=1)

    def value(hits: Hits) -> Floats:
        shown = hits.top(cut)
        return shown.count / np.maximum(shown.length, 1)

    return by_decile(predictions, actual, decile, top, value)


@metric(
    "nDCG by decile", purpose="Rare and common labels, by decile d",
    asks="Are rare labels found, for the goals that need some?",
    formula=r"\operatorname{mean} \text{ nDCG@}k \text{ of } P_d", rewards="The same, early within the decile.",
    place="long-tail#def-by-decile", see="precision_by_decile, ndcg",
)
def ndcg_by_decile(
    *, predictions: Lists, actual: Lists, decile: Deciles,
    k: Whole, top: Whole = 500,
) -> Floats:
    """The mean nDCG@k within each decile.

    The mean is over the instances with an actual label there.
    predictions, actual, decile, k, top: as in
    `precision_by_decile`.
    The ideal has all actual labels of the decile, cut at k.
    Returns (10,) in [0, 1], entry d - 1 for decile d, nan where
    no instance has an actual label there.
    Raises ValueError as `precision_by_decile` does.
    Source: the by-decile metrics of long-tail classification.

    >>> print(ndcg_by_decile(
    ...     predictions=[["b", "a"]], actual=[["a"]],
    ...     decile={"a": 10, "b": 1}, k=2)[9])
    1.0
    """
    cut = whole("k", k, at_least=1)

    def value(hits: Hits) -> Floats:
        return ndcg(hits, cut)

    return by_decile(predictions, actual, decile, top, value)


@metric(
    "k for recall by decile", purpose="Rare and common labels, by decile d",
    asks="How many labels of one class of frequency must I read, not counting the others?",
    formula=r"\operatorname{median} \min_{r(k) \ge r} k \text{ in } P_d",
    rewards="↓ A short way through the decile; say what a level never reached counts as.", place="long-tail#def-by-decile",
    example={"aggregate": "median"}, see="rank_at_recall, precision_by_decile",
)
def rank_for_recall_by_decile(
    *, predictions: Lists, actual: Lists, decile: Deciles,
    level: Number, aggregate: Literal["median", "mean"],
    unreached: Number,
    top: Whole = 500,
) -> Floats:
    """The rank within each decile at which a recall is reached.

    The average is over instances with an actual label there.
    predictions, actual: for each instance a list of distinct
    labels, the predictions best first;
    decile: label -> 1 ... 10, a mapping or a list;
    level: one number in [0, 1];
    aggregate: "median" or "mean" over instances;
    unreached: one number, or inf, that stands for never;
    top: how many predictions of an instance are looked at.
    Returns (10,), entry d - 1 for decile d, nan where no
    instance has an actual label there.
    Raises ValueError for duplicates, different numbers of
    instances, deciles outside 1 ... 10, a bad level, aggregate,
    unreached or top.
    Source: the "k for recall" of long-tail classification.

    >>> print(rank_for_recall_by_decile(
    ...     predictions=[["a"], ["x"]], actual=[["a"], ["a"]],
    ...     decile={"a": 10, "x": 10},
    ...     level=1, aggregate="mean", unreached=3)[9])
    2.0
    """
    fraction("level", level)
    never = number_or_inf("unreached", unreached)
    choice("aggregate", aggregate, ("median", "mean"))

    def value(hits: Hits) -> Floats:
        ranks = rank_at_recall(hits, level)
        return np.where(ranks == np.inf, never, ranks)

    average = np.median if aggregate == "median" else np.mean
    return by_decile(
        predictions, actual, decile, top, value, average
    )


@metric(
    "proportion", "prediction proportion", purpose="Rare and common labels, by decile d",
    asks="What does the tool suggest: common or rare labels?", formula=r"\frac{n_d}{k\,n}",
    rewards="Nothing: it says what is suggested, right or not.", place="long-tail#def-proportion",
    see="prediction_precision_at, frequency_deciles", not_for="as the only number, because it does not see what is relevant",
)
def prediction_proportions_at(
    *, predictions: Lists, decile: Deciles, k: Whole
) -> Floats:
    """The share of each decile in the top k predictions.

    Each instance counts as k predictions, even with fewer.
    predictions: for each instance a list of distinct labels,
    best first;
    decile: label -> 1 ... 10, a mapping or a list;
    k: one whole number >= 1, the overall cutoff.
    Returns (10,) in [0, 1], entry d - 1 for decile d, nan where
    there are no instances.
    Raises ValueError for duplicates, deciles outside
    1 ... 10, a bad k.
    Source: the by-decile metrics of long-tail classification.

    >>> print(prediction_proportions_at(
    ...     predictions=[["a", "b"]],
    ...     decile={"a": 10, "b": 1}, k=4)[[0, 9]])
    [0.25 0.25]
    """
    cut, decile_of = whole("k", k, at_least=1), lookup(decile)
    lists = id_lists("predictions", predictions)
    require_one_kind(
        "predictions", lists, "decile", [decile_of]
    )
    shown = flatten(made[:cut] for made in lists)
    slots = float(cut) * len(lists)
    return ratio(tally(shown, decile_of), slots)


@metric(
    "precision of predictions", purpose="Rare and common labels, by decile d", asks="Are suggestions of rare labels right?",
    formula=r"\frac{h_d}{n_d}", rewards="Few wrong ones among all suggestions of the decile.",
    place="long-tail#def-proportion", see="precision_by_decile, prediction_proportions_at",
)
def prediction_precision_at(
    *, predictions: Lists, actual: Lists, decile: Deciles,
    k: Whole,
) -> Floats:
    """The precision of the top k predictions in each decile.

    The predictions of all instances are counted together.
    If every prediction has a decile, the products with
    `prediction_proportions_at` add up to P@k; add them with
    `np.nansum`, because a decile without predictions is nan
    and has a share of 0.
    predictions, actual: for each instance a list of distinct
    labels, the predictions best first;
    decile: label -> 1 ... 10, a mapping or a list;
    k: one whole number >= 1, the overall cutoff.
    Returns (10,) in [0, 1], entry d - 1 for decile d, nan where
    no prediction lies in the decile.
    Raises ValueError for duplicates, different numbers of
    instances, deciles outside 1 ... 10, a bad k.
    Source: the missing half of the by-decile metrics of
    long-tail classification.

    >>> print(prediction_precision_at(
    ...     predictions=[["a"], ["a"]], actual=[["a"], ["b"]],
    ...     decile={"a": 10, "b": 10}, k=1)[9])
    0.5
    """
    cut, decile_of = whole("k", k, at_least=1), lookup(decile)
    pairs = instances(predictions, actual, decile_of)
    shown = flatten(made[:cut] for made, _ in pairs)
    right = flatten(
        wanted.intersection(made[:cut])
        for made, wanted in pairs
    )
    return ratio(
        tally(right, decile_of), tally(shown, decile_of)
    )


@metric(
    "positive coverage", purpose="Rare and common labels, by decile d", asks="How many different labels are ever found?",
    formula=r"\frac{\text{labels of } d \text{ found at all}}{\text{labels of } d \text{ actual at all}}",
    rewards="Variety: each label found counts once.", place="long-tail#def-coverage", see="catalogue_coverage_at",
)
def positive_coverage_at(
    *, predictions: Lists, actual: Lists, decile: Deciles,
    k: Whole,
) -> Floats:
    """The share of each decile's actual labels that are found.

    Each distinct label that some instance finds counts once; an
    instance finds its actual labels in its top k.
    predictions, actual: for each instance a list of distinct
    labels, the predictions best first;
    decile: label -> 1 ... 10, a mapping or a list;
    k: one whole number >= 1, the overall cutoff.
    Returns (10,) in [0, 1], entry d - 1 for decile d, nan where
    a decile has no actual label.
    Raises ValueError for duplicates, different numbers of
    instances, deciles outside 1 ... 10, a bad k.
    Source: the by-decile metrics of long-tail classification.

    >>> print(positive_coverage_at(
    ...     predictions=[["a"], ["a"]], actual=[["a"], ["b"]],
    ...     decile={"a": 10, "b": 10}, k=1)[9])
    0.5
    """
    cut, decile_of = whole("k", k, at_least=1), lookup(decile)
    pairs = instances(predictions, actual, decile_of)
    wanted = set(flatten(labels for _, labels in pairs))
    right = set(flatten(
        labels.intersection(made[:cut])
        for made, labels in pairs
    ))
    return ratio(
        tally(right, decile_of), tally(wanted, decile_of)
    )


def by_decile(
    predictions: Lists, actual: Lists, decile: Deciles,
    top: Whole, value: Callable[[Hits], Floats],
    average: Callable[[Floats], Any] = np.mean,
) -> Floats:
    """The average of `value` in each decile over its instances.

    `value` takes the hits of all instances within a decile.
    """
    limit = whole("top", top, at_least=1)
    decile_of = lookup(decile)
    made, wanted = label_lists(predictions, actual)
    labels = look_up("predictions", made, wanted, decile_of)
    tenth = [d - 1 for d in decile_of.values()]
    averages = np.full(10, np.nan)
    for d, hits in enumerate(split(labels, tenth, 10, limit)):
        present = hits.n_relevant > 0
        if present.any():
            averages[d] = average(value(hits)[present])
    return averages


def flatten(lists: Iterable[Iterable[Any]]) -> Iterator[Any]:
    """The labels of all lists, one list after another."""
    return chain.from_iterable(lists)


def tally(labels: Iterable[Any], decile_of: dict[Any, int]) -> Ints:
    """(10,) the number of labels in each decile."""
    deciles = np.fromiter(map(decile_of.get, labels, repeat(0)), dtype=np.int64)
    return bincount(deciles, minlength=11)[1:]


def instances(
    predictions: Lists, actual: Lists, decile_of: dict[Any, int]
) -> list[tuple[list[Any], set[Any]]]:
    """The pairs of predicted and actual labels, one pair per instance."""
    made, wanted = label_lists(predictions, actual)
    lists = id_lists("predictions", made)
    require_each_of_one_kind("predictions", lists, "actual", wanted, "decile", decile_of)
    return list(zip(lists, wanted))


def lookup(decile: Deciles) -> dict[Any, int]:
    """The decile of each label that has one."""
    expected, decile = "whole numbers from 1 to 10", by_label("decile", decile)
    if isinstance(decile, Mapping):
        values = dict(decile)
    else:
        array = numeric("decile", decile, expected)
        if array.ndim != 1:
            one_axis = "a mapping, or one list, from label to 1 ... 10"
            refuse("decile", f"an array of shape {array.shape}", one_axis)
        values = dict(enumerate(array.tolist()))
    if set(map(type, values.values())) == {int} and DECILES.issuperset(values.values()):
        return values
    for label, d in values.items():
        if isinstance(d, bool) or not isinstance(d, Real) or d not in DECILES:
            refuse("decile", f"{d!r} for label {label!r}", expected)
    return {label: int(d) for label, d in values.items()}
