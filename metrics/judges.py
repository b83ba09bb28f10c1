"""Judgements that differ or err: the agreement of two assessors, and the true share behind what a judge reports."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain
from typing import Any, TypeAlias, overload

import numpy as np

from ._base.arrays import bincount, ratio
from ._base.checks import MASKED, as_array, masked_within, numeric, refuse, refuse_odd, require_one_kind, require_same_labels, together, within
from ._base.columns import with_labels
from ._base.lookup import numbering
from ._base.records import metric
from ._base.types import Array, Ints, Numbers, OneList, Values

__all__ = ["cohen_kappa", "rogan_gladen"]

Labels: TypeAlias = Any  # an array or nested lists of labels, or id -> label, or topic -> id -> label
LABELS = "labels (..., n), or a mapping from ids to labels"


@metric(
    "Cohen's kappa", purpose="Judgements that differ, or err",
    asks="How far do two assessors agree, beyond what luck gives?", formula=r"\frac{p_o - p_e}{1 - p_e}",
    rewards="The same label for the same item; where nearly all labels are the same, luck explains most of it.",
    place="judges-that-err#def-cohen-kappa", also="kappa, Cohen kappa, κ, inter-annotator agreement, assessor agreement",
    instead="metrics.cohen_kappa, of two lists of labels", see="rogan_gladen, kendall_tau",
    not_for="for a comparison of two collections with different shares of relevant items",
    reads={
        r"(p_o - p_e)/(1 - p_e)": "(p_o - p_e) / (1 - p_e)",
        "The same label for the same item": "(v == 1) == (p_o == 1)",
        "where nearly all labels are the same, luck explains most of it": "v <= p_o",
    },
)  # fmt: skip
def cohen_kappa(first: Labels, second: Labels) -> Values:
    """Cohen's kappa: how far two assessors agree beyond luck.

    It is the agreement p_o minus the agreement p_e by luck,
    divided by 1 - p_e, the most it can be with this p_e.
    Luck gives each pair of labels the product of the shares
    that the two assessors give them. It does not matter how
    far two labels differ: grades 0 and 3 are no worse than
    2 and 3.
    first, second: (..., n) labels, numbers or text, position
    by position; or mappings id -> label, of which those ids
    count that are in both; or mappings topic -> id -> label,
    as `trec.read_qrels` gives them, all topics in one pool.
    Returns (p_o - p_e) / (1 - p_e) in [-1, 1] of shape (...,),
    nan for 0/0: no labels, or one label alone, given by both.
    Raises ValueError for nan, for labels or ids that are never
    equal, for shapes that do not go together, or for a mapping
    beside a list.
    Source: Cohen (1960).

    >>> print(cohen_kappa([1, 1, 0, 0], [1, 0, 0, 0]))
    0.5
    """
    first, second = as_array("first", first), as_array("second", second)
    mappings = [isinstance(its, Mapping) for its in (first, second)]
    if all(mappings):
        first, second = judged_by_both(first, second)
    elif any(mappings):
        refuse("first, second", " beside ".join(type(its).__name__ for its in (first, second)), "two mappings, or two lists")
    else:
        require_same_labels(first=first, second=second)
    codes = together(**dict(zip(("first", "second"), as_codes(first, second))))
    return of_codes(*codes)[()]


def judged_by_both(first: Mapping[Any, Any], second: Mapping[Any, Any]) -> tuple[list[Any], list[Any]]:
    """The labels that both mappings have for the same ids, or for the same topics and ids."""
    nested = {isinstance(its, Mapping) for its in chain(first.values(), second.values())}
    if len(nested) > 1:
        refuse("first, second", "labels beside mappings from ids to labels", "labels alone, or such mappings alone")
    require_one_kind("first", [first], "second", [second])
    both = [key for key in first if key in second]
    if nested != {True}:
        return [first[key] for key in both], [second[key] for key in both]
    for name, its in (("first", first), ("second", second)):
        for topic in both:
            refuse_odd(f"{name}[{topic!r}]", its[topic])
    if both:
        require_one_kind("first", [first[topic] for topic in both], "second", [second[topic] for topic in both])
    pairs = [(first[topic][item], second[topic][item]) for topic in both for item in first[topic] if item in second[topic]]
    return [one for one, _ in pairs], [other for _, other in pairs]


def as_codes(first: Any, second: Any) -> list[Ints]:
    """A whole number for each label, the same for equal labels, in the shapes of the arguments."""
    arrays = [as_labels(name, its) for name, its in (("first", first), ("second", second))]
    if all(array.dtype.kind != "O" for array in arrays):
        joined = np.concatenate([array.ravel() for array in arrays])
        number = few_numbers(joined)
        if number is None:
            number = np.unique(joined, return_inverse=True)[1].astype(np.int64)
        return [part.reshape(array.shape) for part, array in zip(np.split(number, [arrays[0].size]), arrays)]
    known = [dict.fromkeys(array.ravel().tolist()) for array in arrays]
    for name, labels in zip(("first", "second"), known):
        refuse_odd(name, labels, "labels that can be compared, and are not nan")
    require_one_kind("first", [known[0]], "second", [known[1]])
    of = numbering(known[0])
    return [np.array([of[label] for label in array.ravel().tolist()], np.int64).reshape(array.shape) for array in arrays]


def few_numbers(labels: Array) -> Ints | None:
    """Whole-number labels in a narrow range, renumbered from 0; None for other labels, which are numbered by sorting."""
    if labels.dtype.kind not in "bi" or not labels.size:
        return None
    least = int(labels.min())
    return labels.astype(np.int64) - least if int(labels.max()) - least < labels.size else None


def as_labels(name: str, given: Any) -> Array:
    """The labels as an array of numbers, or else an array of objects."""
    if masked_within(given):
        refuse(name, MASKED, LABELS)
    if isinstance(given, (str, bytes)) or not hasattr(given, "__iter__"):
        refuse(name, repr(given), LABELS)
    given = list(given) if not isinstance(given, np.ndarray) and not hasattr(given, "__len__") else given
    try:
        array = np.asarray(given)
    except ValueError:
        array = np.asarray(None)
    if array.dtype.kind in "buif" and array.ndim:
        numbers = numeric(name, given, LABELS, apart=True)
        if numbers.dtype.kind == "f" and np.isnan(numbers).any():
            refuse(name, "nan", LABELS)
        return numbers
    objects = np.array(given, dtype=object)
    if not objects.ndim:
        refuse(name, repr(given), LABELS)
    try:
        dict.fromkeys(objects.ravel().tolist())
    except TypeError:
        refuse(name, "rows of different lengths, or labels that cannot be looked up", LABELS)
    return objects


def of_codes(first: Ints, second: Ints) -> Array:
    """The kappa of each row, computed in whole numbers until the only division: (n A - E) / (n^2 - E)."""
    shape, n = first.shape[:-1], first.shape[-1]
    if not n:
        return np.full(shape, np.nan)
    agreed = np.count_nonzero(first == second, axis=-1).reshape(-1)
    rows = np.arange(agreed.size)[:, None]
    width = int(max(first.max(initial=0), second.max(initial=0))) + 1
    keys = [(its.reshape(-1, n) + width * rows).ravel() for its in (first, second)]
    if width * agreed.size <= 4 * first.size + 1000:
        counts = [bincount(part, minlength=width * agreed.size).reshape(-1, width) for part in keys]
        by_luck = (counts[0] * counts[1]).sum(axis=-1)
    else:
        present, number = np.unique(np.concatenate(keys), return_inverse=True)
        counts = [bincount(part, minlength=present.size) for part in np.split(number.ravel(), 2)]
        by_luck = np.add.reduceat(counts[0] * counts[1], np.searchsorted(present, width * np.arange(agreed.size)))
    return ratio(n * agreed - by_luck, n * n - by_luck).reshape(shape)


@overload
def rogan_gladen(seen: float, *, tpr: float, fpr: float) -> np.float64: ...
@overload
def rogan_gladen(seen: OneList, *, tpr: Numbers, fpr: Numbers) -> Values: ...
@overload
def rogan_gladen(seen: Numbers, *, tpr: Numbers, fpr: Numbers) -> Values: ...
@metric(
    "Rogan–Gladen", "Rogan-Gladen estimate", purpose="Judgements that differ, or err",
    asks="What is the share of relevant items, if the judge errs at known rates?", formula=r"\frac{x - \mathrm{FPR}}{\mathrm{TPR} - \mathrm{FPR}}",
    rewards="A higher share seen, if the judge's TPR exceeds its FPR; it may leave [0, 1].",
    place="judges-that-err#def-rogan-gladen", also="Rogan Gladen, true prevalence, corrected prevalence, misclassification correction",
    instead="metrics.rogan_gladen, of a share", see="cohen_kappa, precision",
    not_for="if the rates of the judge were measured on other kinds of items, or differ between the tools",
    reads={
        r"(x - FPR)/(TPR - FPR)": "(x - fpr) / (tpr - fpr) if tpr != fpr else nan",
        "A higher share seen, if the judge's TPR exceeds its FPR": "tpr <= fpr or x == 1 or again(seen=1) > v",
        "it may leave [0, 1]": "min(found.values()) < 0 and max(found.values()) > 1",
    },
)  # fmt: skip
def rogan_gladen(seen: Numbers, *, tpr: Numbers, fpr: Numbers) -> Values:
    """The share of relevant items, estimated from the share that an erring judge calls relevant.

    A judge calls a relevant item relevant with probability
    TPR, and an irrelevant one with probability FPR. So the
    share called relevant is p TPR + (1 - p) FPR, which is
    solved for p.
    seen: values in [0, 1], or nan, such as precisions or their
    mean; tpr, fpr: rates in [0, 1]; all broadcast together.
    Returns (seen - fpr) / (tpr - fpr), nan where tpr = fpr: such
    a judge tells nothing. The value is not clipped: below 0
    or above 1 it says that the rates do not fit, or that few
    items were judged.
    Raises ValueError for values outside [0, 1].
    Source: Rogan and Gladen (1978).

    >>> print(rogan_gladen(0.25, tpr=0.75, fpr=0.125))
    0.2
    """
    require_same_labels(seen=seen, tpr=tpr, fpr=fpr)
    x, hit, slip = together(**{
        name: within(name, its, "values in [0, 1]", lambda rate: ~((rate < 0) | (rate > 1)))
        for name, its in (("seen", seen), ("tpr", tpr), ("fpr", fpr))
    })  # fmt: skip
    apart = np.where(hit == slip, np.nan, hit - slip)
    return with_labels(((x - slip) / apart)[()], seen, tpr, fpr)
