"""Metrics of a set: the predicted items compared with the relevant ones, regardless of order (long: the chapter has many).

They are computed from counts; those whose names start with `set_` or `number_`, from rankings taken as sets of items.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial, wraps
from inspect import signature
from typing import Any, NamedTuple, ParamSpec, overload

import numpy as np

from ._base.arrays import ratio
from ._base.checks import fraction, id_list, non_negative, numeric, recall_weight, refuse, require_one_kind, require_same_labels, together, whole, within
from ._base.columns import with_labels
from ._base.records import metric
from ._base.types import Array, Ids, Number, Numbers, Values, Whole, per_ranking
from .hits import Relevance, as_hits

__all__ = [
    "confusion", "precision", "recall", "accuracy", "jaccard", "f_score", "e_measure", "weighted_harmonic_mean",
    "utility", "number_retrieved", "number_relevant", "number_found", "set_precision", "set_recall", "set_f_score",
    "set_average_precision", "set_normalized_recall",
]  # fmt: skip

Counts = ParamSpec("Counts")


def of_counts(function: Callable[Counts, Values]) -> Callable[Counts, Values]:
    """Wrap a function so that it refuses two positional lists of 0s and 1s, which are labels as in scikit-learn, not counts."""
    names = [name for name in signature(function).parameters if name != "beta"]
    table, by_name = "confusion(predicted=np.flatnonzero(...), actual=np.flatnonzero(...))", ", ".join(f"{name}=..." for name in names)
    expected = f"counts: {table} counts labels, and counts of 0 and 1 go by name, as in {function.__name__}({by_name})"

    @wraps(function)
    def refusing_labels(*given: Counts.args, **named: Counts.kwargs) -> Values:
        lists = len(given) == 2 and named.keys().isdisjoint(names) and {int, float}.isdisjoint(map(type, given))
        try:
            if lists and are_labels(names, given):
                refuse(", ".join(names[:2]), "two lists of 0 and 1", expected)
            return with_labels(function(*given, **named), *given, *named.values())
        except (TypeError, ValueError) as error:
            if lists and "confusion(" not in str(error):
                raise type(error)(f"{error}; confusion(predicted=..., actual=...) counts what is in two collections") from None
            raise

    return refusing_labels


def are_labels(names: list[str], given: tuple[Any, ...]) -> bool:
    """Whether both arguments are lists of 0s and 1s, or of bools, and have the same length, which is above 1."""
    one, other = (numeric(name, values, "finite numbers >= 0") for name, values in zip(names, given))
    return one.size > 1 and one.shape == other.shape and all(((array == 0) | (array == 1)).all() for array in (one, other))


class Confusion(NamedTuple):
    """The four counts for a set of predictions; tn is nan if the universe is not known."""

    tp: int
    fp: int
    fn: int
    tn: float


def confusion(
    *, predicted: Ids, actual: Ids,
    universe_size: Whole | None = None,
) -> Confusion:
    """Compare the predicted and actual items in four counts.

    predicted, actual: collections of distinct ids;
    universe_size: how many items there are.
    Returns the named tuple (tp, fp, fn, tn) of whole numbers
    >= 0; tn is nan without a universe_size.
    Raises ValueError for duplicates, text or a mapping in place
    of a collection, ids of kinds that are never equal, such as
    text and whole numbers, and a universe smaller than the
    union.
    Source: Manning, Raghavan and Schütze (2008), section 8.3.

    >>> confusion(
    ...     predicted=["a", "b", "x"], actual=["a", "b", "c"],
    ...     universe_size=6)
    Confusion(tp=2, fp=1, fn=1, tn=2)
    """
    guessed = set(id_list("predicted", predicted, ordered=False))
    wanted = set(id_list("actual", actual, ordered=False))
    require_one_kind("predicted", [guessed], "actual", [wanted])
    tp = len(guessed & wanted)
    fp, fn = len(guessed) - tp, len(wanted) - tp
    if universe_size is None:
        return Confusion(tp, fp, fn, math.nan)
    size = whole("universe_size", universe_size, at_least=0)
    union = tp + fp + fn
    if size < union:
        items = f"the {union} items predicted or actual"
        refuse("universe_size", size, f"at least {items}")
    return Confusion(tp, fp, fn, size - union)


@overload
def precision(tp: float, fp: float) -> np.float64: ...
@overload
def precision(tp: Numbers, fp: Numbers) -> Values: ...
@metric(
    "precision", purpose="A set, without an order", asks="How much of the set is right?",
    formula=r"\frac{\mathrm{tp}}{\mathrm{tp} + \mathrm{fp}}", rewards="Few wrong items in the set.",
    place="precision-and-recall#def-precision-recall",
    also="positive predictive value, PPV, Präzision, Genauigkeit, précision, precisión", instead="'P@10' or 'SetP'",
    see="recall, f_score, precision_at",
)
@of_counts
def precision(tp: Numbers, fp: Numbers) -> Values:
    """The fraction of the predicted items that are actual.

    tp, fp: counts >= 0, broadcast together.
    Returns tp / (tp + fp) in [0, 1], nan where
    nothing is predicted.
    Raises ValueError for negative or non-finite counts, and for
    two lists of 0s and 1s, which are labels, unless passed by
    name (or with one entry).
    Source: Manning, Raghavan and Schütze (2008), section 8.3.

    >>> print(precision(tp=2, fp=2))
    0.5
    """
    tp, fp = counts(tp=tp, fp=fp)
    return ratio(tp, tp + fp)[()]


@overload
def recall(tp: float, fn: float) -> np.float64: ...
@overload
def recall(tp: Numbers, fn: Numbers) -> Values: ...
@metric(
    "recall", purpose="A set, without an order", asks="How much of what there is does it hold?",
    formula=r"\frac{\mathrm{tp}}{\mathrm{tp} + \mathrm{fn}}", rewards="Few relevant items left out.",
    place="precision-and-recall#def-precision-recall",
    also="sensitivity, true positive rate, TPR, hit rate of a classifier, Trefferquote, Sensitivität, rappel, sensibilité, "
    "exhaustividad",
    instead="'R@10' or 'SetR'", see="precision, f_score, recall_at",
)
@of_counts
def recall(tp: Numbers, fn: Numbers) -> Values:
    """The fraction of the actual items that are predicted.

    tp, fn: counts >= 0, broadcast together.
    Returns tp / (tp + fn) in [0, 1], nan where
    nothing is actual.
    Raises ValueError for negative or non-finite counts, and for
    two lists of 0s and 1s, which are labels, unless passed by
    name (or with one entry).
    Source: Manning, Raghavan and Schütze (2008), section 8.3.

    >>> print(recall(tp=2, fn=6))
    0.25
    """
    tp, fn = counts(tp=tp, fn=fn)
    return ratio(tp, tp + fn)[()]


@overload
def accuracy(tp: float, fp: float, fn: float, tn: float) -> np.float64: ...
@overload
def accuracy(tp: Numbers, fp: Numbers, fn: Numbers, tn: Numbers) -> Values: ...
@metric(
    "accuracy", purpose="A set, without an order", asks="How many decisions were right?",
    formula=r"\frac{\mathrm{tp} + \mathrm{tn}}{N}",
    rewards="Right decisions about all items; misleads where few are relevant.", place="precision-and-recall#def-accuracy",
    also="share of right decisions, Rand accuracy",
    instead="'Success@1' (of the first item), 'AUC' (of pairs, as in ir_measures), or metrics.accuracy (of counts)",
    see="precision, recall",
    not_for="if few items are relevant, because choosing none is then almost as good as the best answer",
)
@of_counts
def accuracy(
    tp: Numbers, fp: Numbers, fn: Numbers, tn: Numbers
) -> Values:
    """The fraction of all items that are classified correctly.

    tp, fp, fn, tn: counts >= 0, broadcast together.
    Returns (tp + tn) / (tp + fp + fn + tn) in [0, 1], nan in
    an empty universe.
    Raises ValueError for negative or non-finite counts.
    Source: Manning, Raghavan and Schütze (2008), section 8.3.

    >>> print(accuracy(tp=1, fp=0, fn=1, tn=6))
    0.875
    """
    tp, fp, fn, tn = counts(tp=tp, fp=fp, fn=fn, tn=tn)
    return ratio(tp + tn, tp + fp + fn + tn)[()]


@overload
def jaccard(tp: float, fp: float, fn: float) -> np.float64: ...
@overload
def jaccard(tp: Numbers, fp: Numbers, fn: Numbers) -> Values: ...
@metric(
    "Jaccard", "Jaccard index", purpose="A set, without an order", asks="How alike are two sets?",
    formula=r"\frac{\mathrm{tp}}{\mathrm{tp} + \mathrm{fp} + \mathrm{fn}}",
    rewards="Two sets that are alike; the order of F, and 1 minus it is a distance.", place="f-and-e#f-and-jaccard",
    also="IoU, intersection over union, Tanimoto, critical success index", instead="metrics.jaccard, of sets",
    see="f_score",
)
@of_counts
def jaccard(tp: Numbers, fp: Numbers, fn: Numbers) -> Values:
    """The size of the intersection over that of the union.

    tp, fp, fn: counts >= 0, broadcast together.
    Returns tp / (tp + fp + fn) in [0, 1], nan where
    both sets are empty.
    Raises ValueError for negative or non-finite counts.
    Source: Jaccard (1912).

    >>> print(jaccard(tp=2, fp=1, fn=1))
    0.5
    """
    tp, fp, fn = counts(tp=tp, fp=fp, fn=fn)
    return ratio(tp, tp + fp + fn)[()]


@overload
def f_score(tp: float, fp: float, fn: float, beta: Number = ...) -> np.float64: ...
@overload
def f_score(tp: Numbers, fp: Numbers, fn: Numbers, beta: Number = ...) -> Values: ...
@metric(
    "F", "F-measure", purpose="A set, without an order", asks="One number for both",
    formula=r"\frac{(1 + \beta^2)\, \mathrm{tp}}{(1 + \beta^2)\, \mathrm{tp} + \mathrm{fp} + \beta^2\, \mathrm{fn}}",
    rewards="Both at once; with β = 1 nearer to the smaller one, with a larger β recall counts more.",
    place="f-and-e#def-f", also="F1, Dice, Dice coefficient, Sørensen-Dice, F-Maß, F-beta", example={"beta": 1},
    instead="'F@10' or 'SetF'", see="e_measure, weighted_harmonic_mean, f_score_at",
)
@of_counts
def f_score(
    tp: Numbers, fp: Numbers, fn: Numbers, beta: Number = 1
) -> Values:
    """F_beta: the harmonic mean of precision and recall.

    Recall is weighted beta^2 to 1.
    tp, fp, fn: counts >= 0, broadcast together;
    beta: one finite number >= 0.
    Returns values in [0, 1], nan where the formula is 0/0: both
    sets are empty, or beta = 0 and nothing is predicted. By
    convention 0 where tp = 0 < fp + beta^2 fn, though precision
    or recall may be undefined.
    Raises ValueError for negative or non-finite counts or beta.
    Source: van Rijsbergen (1979), chapter 7, defines E = 1 - F;
    F is named so since MUC-4 (1992).

    >>> print(f_score(tp=2, fp=1, fn=3))
    0.5
    """
    tp, fp, fn = counts(tp=tp, fp=fp, fn=fn)
    weight = recall_weight(beta)
    found = (1 + weight) * tp
    return ratio(found, found + weight * fn + fp)[()]


@overload
def e_measure(tp: float, fp: float, fn: float, beta: Number = ...) -> np.float64: ...
@overload
def e_measure(tp: Numbers, fp: Numbers, fn: Numbers, beta: Number = ...) -> Values: ...
@metric(
    "E", "E-measure", purpose="A set, without an order", asks="One number for both", formula="1 - F",
    rewards="↓ The same, as an error.", place="f-and-e#def-f", also="van Rijsbergen's E", example={"beta": 1},
    instead="'F@10' or 'SetF', of which E is the difference from 1", see="f_score",
)
@of_counts
def e_measure(
    tp: Numbers, fp: Numbers, fn: Numbers, beta: Number = 1
) -> Values:
    """Van Rijsbergen's effectiveness E = 1 - F_beta: 0 is best.

    tp, fp, fn: counts >= 0, broadcast together;
    beta: one finite number >= 0.
    Returns values in [0, 1], nan where F_beta is. By convention
    1 where tp = 0 < fp + beta^2 fn, as F_beta is 0 there.
    Raises ValueError for negative or non-finite counts or beta.
    Source: van Rijsbergen (1979), chapter 7.

    >>> print(e_measure(tp=2, fp=1, fn=3))
    0.5
    """
    tp, fp, fn = counts(tp=tp, fp=fp, fn=fn)
    weight = recall_weight(beta)
    total = (1 + weight) * tp + weight * fn + fp
    return ratio(weight * fn + fp, total)[()]


@overload
def weighted_harmonic_mean(precision: float, recall: float, alpha: Number) -> np.float64: ...
@overload
def weighted_harmonic_mean(precision: Numbers, recall: Numbers, alpha: Number) -> Values: ...
@metric(
    "harmonic mean", "weighted harmonic mean", purpose="A set, without an order", asks="One number with your own weight",
    formula=r"\frac{1}{\frac{\alpha}{p} + \frac{1 - \alpha}{r}}", rewards="Both at once, with the weight α on precision.",
    place="f-and-e#def-f", see="f_score",
)
def weighted_harmonic_mean(
    precision: Numbers, recall: Numbers, alpha: Number
) -> Values:
    """The mean 1 / (alpha / precision + (1 - alpha) / recall).

    It is the form in which F was first written.
    precision, recall: values in [0, 1], broadcast together;
    alpha: one number in [0, 1].
    Returns values in [0, 1], nan where a value with positive
    weight is nan, unless the other has weight and is 0.
    By convention 0 where a value with positive weight is 0: the
    limit, because 1/0 is not defined.
    Raises ValueError for values outside [0, 1].
    Source: van Rijsbergen (1979), chapter 7.

    >>> print(weighted_harmonic_mean(0.5, 1.0, alpha=1))
    0.5
    """
    weight = float(fraction("alpha", alpha))
    require_same_labels(precision=precision, recall=recall)
    unit = partial(within, expected="values in [0, 1]", allowed=lambda x: ~((x < 0) | (x > 1)))  # or nan
    p, r = together(precision=unit("precision", precision), recall=unit("recall", recall))
    mean = ratio(p * r, weight * r + (1 - weight) * p)
    mean = np.where((p == 0) | (r == 0), 0.0, mean)
    if weight in (0, 1):
        mean = (p if weight else r).copy()
    return with_labels(mean[()], precision, recall)


@overload
def utility(tp: float, fp: float, fn: float, tn: float, weights: tuple[Number, Number, Number, Number] = ...) -> np.float64: ...
@overload
def utility(tp: Numbers, fp: Numbers, fn: Numbers, tn: Numbers, weights: tuple[Number, Number, Number, Number] = ...) -> Values: ...
@metric(
    "utility", "linear utility", purpose="A whole list as a set",
    asks="What is the answer worth, given what a hit and a false alarm are worth?",
    formula=r"w_1\, \mathrm{tp} + w_2\, \mathrm{fp} + w_3\, \mathrm{fn} + w_4\, \mathrm{tn}",
    rewards="What an answer is worth, if you know the worth of an item of each kind.",
    place="precision-and-recall#a-whole-list-as-a-set", example={"weights": (1, -1, 0, 0)}, see="confusion",
)
def utility(
    tp: Numbers, fp: Numbers, fn: Numbers, tn: Numbers,
    weights: tuple[Number, Number, Number, Number] = (1, -1, 0, 0),
) -> Values:
    """Linear utility: the total worth of the four outcomes.

    tp, fp, fn, tn: counts >= 0, broadcast together;
    weights: the worth of one item of each, in this order.
    Returns the weighted sum of the counts, unbounded; a weight
    of 0 leaves its count out, even where that is nan.
    Raises ValueError for a negative or non-finite count whose
    weight is not 0, and for weights that are not four finite
    numbers.
    Source: Lewis (1995), SIGIR; the default is trec_eval's.

    >>> print(utility(tp=3, fp=1, fn=2, tn=0))
    2.0
    >>> print(utility(3, 1, 2, 0, weights=(2, -1, 0, 0)))
    5.0
    """
    worth = numeric("weights", weights, "four numbers")
    if worth.shape != (4,) or not np.isfinite(worth).all():
        refuse("weights", repr(weights), "four finite numbers")
    named = {"tp": tp, "fp": fp, "fn": fn, "tn": tn}
    require_same_labels(**named)
    used = {
        name: values if weight else np.zeros(numeric(name, values).shape)
        for (name, values), weight in zip(named.items(), worth)
    }
    outcomes = counts(**used)
    value = sum(w * n for w, n in zip(worth, outcomes))[()]
    return with_labels(value, tp, fp, fn, tn)


@metric(
    "NumRet", "number retrieved", purpose="A whole list as a set",
    asks="How many items were shown, are relevant, and were found?", formula="N", rewards="Nothing: how many were ranked.",
    place="precision-and-recall#a-whole-list-as-a-set",
    of="items", see="number_found",
)
@per_ranking
def number_retrieved(relevance: Relevance) -> Values:
    """The number of ranked items.

    relevance: (..., n) grades in rank order, or `Hits`.
    Returns (...,), n or the length of each list.
    Raises ValueError for bad grades.
    Source: the "num_ret" of trec_eval.

    >>> print(number_retrieved([0, 1, 0, 1]))
    4.0
    """
    hits = as_hits(relevance)
    return hits.result(hits.length.astype(np.float64))


@metric(
    "NumRel", "number relevant", purpose="A whole list as a set",
    asks="How many items were shown, are relevant, and were found?", formula="R",
    rewards="Nothing: how many there are to find.", place="precision-and-recall#a-whole-list-as-a-set", see="number_found",
)
@per_ranking
def number_relevant(
    relevance: Relevance, n_relevant: Numbers | None = None
) -> Values:
    """R: the number of relevant items, ranked or not.

    relevance: (..., n) grades in rank order, or `Hits`;
    n_relevant: R, broadcast to (...,), default: what the `Hits`
    know, or the relevant items in the ranking.
    Returns (...,) >= 0.
    Raises ValueError for bad grades or n_relevant.
    Source: the "num_rel" of trec_eval.

    >>> print(number_relevant([0, 1, 0, 1], n_relevant=3))
    3.0
    """
    hits = as_hits(relevance)
    R = hits.relevant(n_relevant)
    return hits.result(R.astype(np.float64))


@metric(
    "NumRelRet", "number found", purpose="A whole list as a set",
    asks="How many items were shown, are relevant, and were found?", formula="s(N)",
    rewards="Each relevant item of the list, at whatever rank.", place="precision-and-recall#a-whole-list-as-a-set",
    see="hits_at, number_relevant",
)
@per_ranking
def number_found(relevance: Relevance) -> Values:
    """The number of relevant items that were ranked.

    relevance: (..., n) grades in rank order, or `Hits`.
    Returns (...,) in 0 ... n.
    Raises ValueError for bad grades.
    Source: the "num_rel_ret" of trec_eval.

    >>> print(number_found([0, 1, 0, 1]))
    2.0
    """
    hits = as_hits(relevance)
    return hits.result(hits.count.astype(np.float64))


@metric(
    "SetP", "precision of the list as a set", purpose="A whole list as a set", asks="A whole list, taken as a set",
    formula=r"\frac{s(N)}{N}", rewards="Few wrong items in the list, however long it is.",
    place="precision-and-recall#a-whole-list-as-a-set", see="set_recall, precision_at",
    not_for="if nothing says how long a list should be, because its length decides",
)
@per_ranking
def set_precision(relevance: Relevance) -> Values:
    """The fraction of all ranked items that is relevant.

    relevance: (..., n) grades in rank order, or `Hits`.
    Returns (...,) in [0, 1], nan where nothing is ranked.
    Raises ValueError for bad grades.
    Source: the "set_P" of trec_eval.

    >>> print(set_precision([0, 1, 0, 1]))
    0.5
    """
    hits = as_hits(relevance)
    return hits.result(ratio(hits.count, hits.length))


@metric(
    "SetR", "recall of the list as a set", purpose="A whole list as a set", asks="A whole list, taken as a set",
    formula=r"\frac{s(N)}{R}", rewards="Few relevant items left out; a longer list never loses.",
    place="precision-and-recall#a-whole-list-as-a-set", see="set_precision, recall_at",
)
@per_ranking
def set_recall(
    relevance: Relevance, n_relevant: Numbers | None = None
) -> Values:
    """The share of the relevant items that were ranked.

    relevance: (..., n) grades in rank order, or `Hits`;
    n_relevant: R, broadcast to (...,), default: what the `Hits`
    know, or the relevant items in the ranking.
    Returns (...,) in [0, 1], nan where nothing is relevant.
    Raises ValueError for bad grades or n_relevant.
    Source: the "set_recall" of trec_eval.

    >>> print(set_recall([0, 1, 0, 1], n_relevant=8))
    0.25
    """
    hits = as_hits(relevance)
    R = hits.relevant(n_relevant)
    return hits.result(ratio(hits.count, R))


@metric(
    "SetF", "F of the list as a set", purpose="A whole list as a set", asks="A whole list, taken as a set",
    formula=r"\frac{(1 + \beta^2)\, s(N)}{N + \beta^2 R}", rewards="Both at once.", place="precision-and-recall#a-whole-list-as-a-set",
    example={"beta": 1}, see="set_precision, set_recall, f_score",
    not_for="if nothing says how long a list should be, because its length decides",
)
@per_ranking
def set_f_score(
    relevance: Relevance,
    n_relevant: Numbers | None = None, beta: Number = 1,
) -> Values:
    """F_beta of all ranked items against the relevant ones.

    relevance: (..., n) grades in rank order, or `Hits`;
    n_relevant: R, broadcast to (...,), default: what the `Hits`
    know, or the relevant items in the ranking;
    beta: one finite number >= 0.
    Returns (...,) in [0, 1], nan where the formula is 0/0:
    nothing is ranked, and nothing is relevant or beta = 0.
    Raises ValueError for bad grades, n_relevant or beta.
    Source: van Rijsbergen (1979), chapter 7; the "set_F" of
    trec_eval, whose parameter is beta^2.

    >>> print(set_f_score([0, 1, 0, 1], n_relevant=4))
    0.5
    """
    hits = as_hits(relevance)
    weight = recall_weight(beta)
    R = hits.relevant(n_relevant)
    hit = hits.count
    found = (1 + weight) * hit
    others = hits.length - hit + weight * (R - hit)
    return hits.result(ratio(found, found + others))


@metric(
    "SetAP", "precision times recall", purpose="A whole list as a set", asks="A whole list, taken as a set",
    formula=r"\frac{s(N)}{N} \frac{s(N)}{R}", rewards="Both at once, by their product.",
    place="precision-and-recall#a-whole-list-as-a-set", see="set_f_score, average_precision",
)
@per_ranking
def set_average_precision(
    relevance: Relevance, n_relevant: Numbers | None = None
) -> Values:
    """Set AP: the product of set precision and set recall.

    It would be AP if each relevant item found had the
    precision of the whole list.
    relevance: (..., n) grades in rank order, or `Hits`;
    n_relevant: R, broadcast to (...,), default: what the `Hits`
    know, or the relevant items in the ranking.
    Returns (...,) in [0, 1], nan where nothing is ranked or
    nothing is relevant.
    Raises ValueError for bad grades or n_relevant.
    Source: the "set_map" of trec_eval.

    >>> print(set_average_precision([0, 1, 0, 1], n_relevant=4))
    0.25
    """
    hits = as_hits(relevance)
    R = hits.relevant(n_relevant)
    precision = ratio(hits.count, hits.length)
    return hits.result(precision * ratio(hits.count, R))


@metric(
    "SetRelP", "normalised recall of the list as a set", purpose="A whole list as a set",
    asks="A whole list, taken as a set", formula=r"\frac{s(N)}{\min(N, R)}",
    rewards="The greater of the two: as many hits as a list of that length can hold.",
    place="precision-and-recall#a-whole-list-as-a-set", see="normalized_recall_at",
)
@per_ranking
def set_normalized_recall(
    relevance: Relevance, n_relevant: Numbers | None = None
) -> Values:
    """The hits over the greatest number that a list of this length can hold.

    relevance: (..., n) grades in rank order, or `Hits`;
    n_relevant: R, broadcast to (...,), default: what the `Hits`
    know, or the relevant items in the ranking.
    Returns (...,) in [0, 1], the greater of set precision and
    set recall, nan where nothing is ranked or relevant.
    Raises ValueError for bad grades or n_relevant.
    Source: the "set_relative_P" of trec_eval.

    >>> print(set_normalized_recall([0, 1, 0, 1], n_relevant=8))
    0.5
    """
    hits = as_hits(relevance)
    R = hits.relevant(n_relevant)
    return hits.result(ratio(hits.count, np.minimum(hits.length, R)))


def counts(**named: Any) -> tuple[Array, ...]:
    """The counts as float64 arrays of one shape."""
    require_same_labels(**named)
    return together(**{name: non_negative(name, values) for name, values in named.items()})
