"""Metrics of a set: what was predicted against what is relevant, order ignored."""

import math

import numpy as np

from ._checks import complain, fraction, id_list, non_negative, number, numeric, together, whole
from .hits import ratio


def confusion(predicted, actual, universe_size=None):
    """Count the predicted and actual items: (tp, fp, fn, tn).

    predicted, actual: collections of distinct ids. universe_size: how many items there are.
    Returns four whole numbers >= 0; tn is nan without a universe_size.
    Raises ValueError for duplicates, text in place of a collection, a universe smaller than the union.
    Source: Manning, Raghavan and Schütze (2008), section 8.3.

    >>> confusion(["a", "b", "x"], ["a", "b", "c"], universe_size=6)
    (2, 1, 1, 2)
    """
    predicted, actual = (set(id_list(n, ids, ordered=False)) for n, ids in (("predicted", predicted), ("actual", actual)))
    tp = len(predicted & actual)
    fp, fn = len(predicted) - tp, len(actual) - tp
    if universe_size is None:
        return tp, fp, fn, math.nan
    universe_size = whole("universe_size", universe_size, at_least=0)
    if universe_size < tp + fp + fn:
        complain("universe_size", universe_size, f"at least the {tp + fp + fn} items predicted or actual")
    return tp, fp, fn, universe_size - tp - fp - fn


def precision(tp, fp):
    """The fraction of the predicted items that are actual: tp / (tp + fp).

    tp, fp: counts >= 0, broadcast together. Returns values in [0, 1], nan where nothing is predicted.
    Raises ValueError for negative or non-finite counts.
    Source: Manning, Raghavan and Schütze (2008), section 8.3.

    >>> print(precision(tp=2, fp=2))
    0.5
    """
    tp, fp = counts(tp=tp, fp=fp)
    return ratio(tp, tp + fp)[()]


def recall(tp, fn):
    """The fraction of the actual items that are predicted: tp / (tp + fn).

    tp, fn: counts >= 0, broadcast together. Returns values in [0, 1], nan where nothing is actual.
    Raises ValueError for negative or non-finite counts.
    Source: Manning, Raghavan and Schütze (2008), section 8.3.

    >>> print(recall(tp=2, fn=6))
    0.25
    """
    tp, fn = counts(tp=tp, fn=fn)
    return ratio(tp, tp + fn)[()]


def accuracy(tp, fp, fn, tn):
    """The fraction of all items that are classified rightly: (tp + tn) / (tp + fp + fn + tn).

    Counts >= 0, broadcast together. Returns values in [0, 1], nan in an empty universe.
    Raises ValueError for negative or non-finite counts.
    Source: Manning, Raghavan and Schütze (2008), section 8.3.

    >>> print(accuracy(tp=1, fp=0, fn=1, tn=6))
    0.875
    """
    tp, fp, fn, tn = counts(tp=tp, fp=fp, fn=fn, tn=tn)
    return ratio(tp + tn, tp + fp + fn + tn)[()]


def jaccard(tp, fp, fn):
    """The size of the intersection over that of the union: tp / (tp + fp + fn).

    Counts >= 0, broadcast together. Returns values in [0, 1], nan where both sets are empty.
    Raises ValueError for negative or non-finite counts.
    Source: Jaccard (1912).

    >>> print(jaccard(tp=2, fp=1, fn=1))
    0.5
    """
    tp, fp, fn = counts(tp=tp, fp=fp, fn=fn)
    return ratio(tp, tp + fp + fn)[()]


def f_score(tp, fp, fn, beta=1):
    """F_beta, the harmonic mean of precision and recall with recall weighted beta^2 to 1, by counts.

    Counts >= 0, broadcast together; beta: one finite number >= 0. Returns values in [0, 1]:
    0 where tp = 0 < fp + fn, nan where both sets are empty.
    Raises ValueError for negative or non-finite counts or beta.
    Source: van Rijsbergen (1979), chapter 7.

    >>> print(f_score(tp=2, fp=1, fn=3))
    0.5
    """
    tp, fp, fn = counts(tp=tp, fp=fp, fn=fn)
    weight = recall_weight(beta)
    score = ratio((1 + weight) * tp, (1 + weight) * tp + weight * fn + fp)
    return np.where((tp == 0) & (fp + fn > 0), 0.0, score)[()]


def e_measure(tp, fp, fn, beta=1):
    """Van Rijsbergen's effectiveness E = 1 - F_beta: 0 is best.

    Counts >= 0, broadcast together; beta: one finite number >= 0. Returns values in [0, 1], nan where F is undefined.
    Raises ValueError for negative or non-finite counts or beta.
    Source: van Rijsbergen (1979), chapter 7.

    >>> print(e_measure(tp=2, fp=1, fn=3))
    0.5
    """
    tp, fp, fn = counts(tp=tp, fp=fp, fn=fn)
    weight = recall_weight(beta)
    error = ratio(weight * fn + fp, (1 + weight) * tp + weight * fn + fp)
    return np.where((tp == 0) & (fp + fn > 0), 1.0, error)[()]


def weighted_harmonic_mean(precision, recall, alpha):
    """1 / (alpha / precision + (1 - alpha) / recall), the form in which F was first written.

    precision, recall: values in [0, 1], broadcast together; alpha: one number in [0, 1].
    Returns values in [0, 1]: 0 where a value with positive weight is 0, else nan where one is nan.
    Raises ValueError for values outside [0, 1].
    Source: van Rijsbergen (1979), chapter 7.

    >>> print(weighted_harmonic_mean(0.5, 1.0, alpha=1))
    0.5
    """
    alpha = float(fraction("alpha", alpha))
    p, r = together(precision=unit("precision", precision), recall=unit("recall", recall))
    if alpha in (0, 1):
        return (p if alpha else r).copy()[()]
    mean = ratio(p * r, alpha * r + (1 - alpha) * p)
    return np.where((p == 0) | (r == 0), 0.0, mean)[()]


def counts(**named):
    """The counts as float64 arrays of one shape."""
    return together(**{name: non_negative(name, values) for name, values in named.items()})


def recall_weight(beta):
    """beta^2, capped where F is recall to all digits and the counts would overflow."""
    beta = float(number("beta", beta, "that is finite and >= 0", lambda b: 0 <= b < math.inf))
    return min(beta * beta, 1e100)


def unit(name, values):
    """Values in [0, 1] or nan, as float64."""
    array = numeric(name, values, "values in [0, 1]").astype(np.float64)
    bad = array[(array < 0) | (array > 1)]
    if bad.size:
        complain(name, bad[0], "values in [0, 1]")
    return array
