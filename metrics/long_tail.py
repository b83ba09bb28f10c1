"""Metrics by decile of label frequency: how well are rare labels served?

`predictions` and `actual` are sequences of label lists, one for each instance, predictions best first;
`decile` is a mapping or an array from label to 1 ... 10 (10 = most frequent). Labels without a decile belong to none.
"""

import math
from collections.abc import Mapping
from fractions import Fraction
from itertools import accumulate

import numpy as np

from ._checks import choice, complain, fraction, id_lists, non_negative, number, numeric, whole
from .curve import hits_needed
from .hits import ratio

DECILES = range(1, 11)


def frequency_deciles(counts, *, equal="labels"):
    """The decile 1 ... 10 of each label, 10 for the most frequent.

    counts: label counts >= 0, a mapping (then a mapping is returned) or an array (then an integer array);
    equal: "labels" makes ten groups of as many labels, "mass" of as much total count. Ties keep the input order.
    Returns deciles in 1 ... 10. Raises ValueError for negative or non-finite counts, and for "mass" of zeros only.
    Source: the label deciles of long-tail classification.

    >>> frequency_deciles({"rare": 1, "common": 9}, equal="mass")
    {'rare': 1, 'common': 10}
    """
    choice("equal", equal, ("labels", "mass"))
    if isinstance(counts, Mapping):
        values = frequency_deciles(list(counts.values()), equal=equal)
        return dict(zip(counts, values.tolist()))
    non_negative("counts", counts)
    counts = numeric("counts", counts)
    if counts.ndim != 1:
        complain("counts", f"an array of shape {counts.shape}", "one list of counts")
    ascending = np.argsort(counts, kind="stable")
    result = np.empty(counts.size, dtype=np.int64)
    if equal == "labels":
        result[ascending] = 10 * np.arange(counts.size) // max(counts.size, 1) + 1
        return result
    exact = [count if isinstance(count, int) else Fraction(count) for count in counts[ascending].tolist()]
    cumulative = list(accumulate(exact))
    if cumulative and cumulative[-1] == 0:
        complain("counts", "zeros only", 'some count above 0 for equal="mass"')
    result[ascending] = [max(1, -(-10 * mass // cumulative[-1])) for mass in cumulative]
    return result


def precision_by_decile(predictions, actual, decile, k, top=500):
    """The precision of the first k predictions in each decile, over the instances with an actual label there.

    k: one whole number >= 1, meant within the decile; top: how many predictions of an instance are looked at.
    Divides by the predictions present (at most k); no predictions give 0.
    Returns (10,) in [0, 1], entry d - 1 for decile d, nan where no instance has an actual label there.
    Raises ValueError for duplicates, different numbers of instances, deciles outside 1 ... 10, a bad k or top.
    Source: the by-decile metrics of long-tail classification.

    >>> print(precision_by_decile([["a", "b"]], [["a"]], {"a": 10, "b": 10}, k=2)[9])
    0.5
    """
    k = whole("k", k, at_least=1)

    def value(ranks, predicted, wanted):
        shown = min(k, predicted)
        return sum(rank <= k for rank in ranks) / shown if shown else 0.0

    return by_decile(predictions, actual, decile, top, value)


def ndcg_by_decile(predictions, actual, decile, k, top=500):
    """nDCG@k within each decile, over the instances with an actual label there.

    Arguments as for `precision_by_decile`; the ideal is cut at k. Returns (10,) in [0, 1].
    Raises ValueError as `precision_by_decile` does.
    Source: the by-decile metrics of long-tail classification.

    >>> print(ndcg_by_decile([["b", "a"]], [["a"]], {"a": 10, "b": 1}, k=2)[9])
    1.0
    """
    k = whole("k", k, at_least=1)

    def value(ranks, predicted, wanted):
        gained = sum(1 / math.log2(rank + 1) for rank in ranks if rank <= k)
        return gained / sum(1 / math.log2(rank + 1) for rank in range(1, min(k, wanted) + 1))

    return by_decile(predictions, actual, decile, top, value)


def rank_for_recall_by_decile(predictions, actual, decile, level, *, aggregate, unreached, top=500):
    """The rank within each decile by which a level of recall is reached, over the instances with an actual label there.

    level: one number in [0, 1]; aggregate: "median" or "mean" over instances; unreached: one number, or inf, that stands for never.
    Other arguments as for `precision_by_decile`. Returns (10,), nan where no instance has an actual label there.
    Raises ValueError as `precision_by_decile` does, and for a bad level, aggregate or unreached.
    Source: the "k for recall" of long-tail classification.

    >>> predictions, actual, decile = [["a"], ["x"]], [["a"], ["a"]], {"a": 10, "x": 10}
    >>> print(rank_for_recall_by_decile(predictions, actual, decile, 1, aggregate="mean", unreached=3)[9])
    2.0
    """
    level = fraction("level", level)
    unreached = float(number("unreached", unreached, "or inf", lambda x: True))
    choice("aggregate", aggregate, ("median", "mean"))

    def value(ranks, predicted, wanted):
        needed = hits_needed(level, np.array([wanted]))[0]
        return 0.0 if needed == 0 else ranks[needed - 1] if needed <= len(ranks) else unreached

    return by_decile(predictions, actual, decile, top, value, np.median if aggregate == "median" else np.mean)


def prediction_proportions_at(predictions, decile, k):
    """The share of each decile in the top k predictions, out of k for each instance.

    k: one whole number >= 1, the overall cut. Returns (10,) in [0, 1], nan where there are no instances.
    Raises ValueError for duplicates, deciles outside 1 ... 10, a bad k.
    Source: the by-decile metrics of long-tail classification.

    >>> print(prediction_proportions_at([["a", "b"]], {"a": 10, "b": 1}, k=4)[[0, 9]])
    [0.25 0.25]
    """
    k, predictions, decile_of = whole("k", k, at_least=1), id_lists("predictions", predictions), lookup(decile)
    placed = np.array([decile_of(label) for labels in predictions for label in labels[:k]], dtype=np.int64)
    total = k * len(predictions)
    return np.bincount(placed, minlength=11)[1:] / total if total else np.full(10, np.nan)


def prediction_precision_at(predictions, actual, decile, k):
    """The fraction of the top k predictions in each decile, of all instances together, that is right.

    Times `prediction_proportions_at` and added up over the deciles it is P@k, if every prediction has a decile.
    k: one whole number >= 1, the overall cut. Returns (10,) in [0, 1], nan where no prediction lies in the decile.
    Raises ValueError for duplicates, different numbers of instances, deciles outside 1 ... 10, a bad k.
    Source: the missing half of the by-decile metrics of long-tail classification.

    >>> print(prediction_precision_at([["a"], ["a"]], [["a"], ["b"]], {"a": 10, "b": 10}, k=1)[9])
    0.5
    """
    k, decile_of = whole("k", k, at_least=1), lookup(decile)
    made, right = np.zeros(11), np.zeros(11)
    for predicted, labels in instances(predictions, actual):
        wanted = set(labels)
        for label in predicted[:k]:
            made[decile_of(label)] += 1
            right[decile_of(label)] += label in wanted
    return ratio(right, made)[1:]


def positive_coverage_at(predictions, actual, decile, k):
    """The fraction of the distinct actual labels of each decile that some instance predicts rightly in its top k.

    k: one whole number >= 1, the overall cut. Returns (10,) in [0, 1], nan where a decile has no actual label.
    Raises ValueError for duplicates, different numbers of instances, deciles outside 1 ... 10, a bad k.
    Source: the by-decile metrics of long-tail classification.

    >>> print(positive_coverage_at([["a"], ["a"]], [["a"], ["b"]], {"a": 10, "b": 10}, k=1)[9])
    0.5
    """
    k, decile_of = whole("k", k, at_least=1), lookup(decile)
    pairs = instances(predictions, actual)
    wanted = {label for _, labels in pairs for label in labels}
    right = {label for predicted, labels in pairs for label in set(predicted[:k]) & set(labels)}
    covered, all_of_them = (np.bincount([decile_of(label) for label in labels] or [0], minlength=11)[1:] for labels in (right, wanted))
    return np.divide(covered, all_of_them, out=np.full(10, np.nan), where=all_of_them > 0)


def by_decile(predictions, actual, decile, top, value, aggregate=np.mean):
    """The aggregate, in each decile, of `value(ranks of the hits, predictions, actual labels)`, all within the decile."""
    top, decile_of = whole("top", top, at_least=1), lookup(decile)
    values = {d: [] for d in DECILES}
    for predicted, labels in instances(predictions, actual):
        shown, wanted = [split(ids, decile_of) for ids in (predicted[:top], labels)]
        for d in DECILES:
            if wanted[d]:
                actual_here = set(wanted[d])
                ranks = [rank for rank, label in enumerate(shown[d], 1) if label in actual_here]
                values[d].append(value(ranks, len(shown[d]), len(wanted[d])))
    return np.array([aggregate(values[d]) if values[d] else np.nan for d in DECILES])


def split(labels, decile_of):
    """The labels of each decile, in their order."""
    parts = {d: [] for d in range(11)}
    for label in labels:
        parts[decile_of(label)].append(label)
    return parts


def instances(predictions, actual):
    """The pairs of predicted and actual labels, one pair an instance."""
    predictions, actual = id_lists("predictions", predictions), id_lists("actual", actual, ordered=False)
    if len(predictions) != len(actual):
        complain("actual", f"{len(actual)} label lists", f"one for each of the {len(predictions)} instances in predictions")
    return list(zip(predictions, actual))


def lookup(decile):
    """A function from label to decile, 0 for a label that has none."""
    if not isinstance(decile, Mapping):
        array = numeric("decile", decile, "whole numbers from 1 to 10")
        if array.ndim != 1:
            complain("decile", f"an array of shape {array.shape}", "a mapping, or one list, from label to 1 ... 10")
    values = decile if isinstance(decile, Mapping) else dict(enumerate(array.tolist()))
    for label, d in values.items():
        if isinstance(d, (bool, np.bool_)) or d not in DECILES:
            complain("decile", f"{d!r} for label {label!r}", "whole numbers from 1 to 10")
    return lambda label: int(values.get(label, 0))
