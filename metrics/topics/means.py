"""Means that turn one value per query into one value per system; you must say what an undefined value (nan) counts as."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._base.checks import number, numeric, refuse
from .._base.records import metric
from .._base.types import Floats, Number, Numbers, Undefined

__all__ = ["mean", "median", "geometric_mean"]


@metric(
    "mean", "macro mean", purpose="A mean over many goals", asks="Every goal counts the same",
    formula=r"\frac{1}{n} \sum_{q} x_q", rewards="Every goal alike; say what an undefined value counts as.",
    place="averaging#def-means", also="macro average, mean over queries", example={"undefined": "skip"},
    instead="the name of a measure, and metrics.mean of its values", see="median, geometric_mean, Total",
)
def mean(
    values: Numbers, *, undefined: Undefined
) -> np.float64:
    """The arithmetic mean over queries.

    A goal without a relevant item is nan here in AP, nDCG,
    R-precision, bpref and recall (and 0 in P@k or RR, as
    anywhere). trec_eval counts it as 0 if it was judged
    and answered, and leaves unanswered goals out; scikit-learn
    counts it as 0 in AP and nDCG.
    values: any shape, flattened; only nan counts as undefined;
    undefined: "raise", "skip", or one number that stands in.
    Returns a number, nan where nothing is left, and where both
    inf and -inf are; infinite or nan where a sum on the way is
    beyond floats.
    Raises ValueError for text, a bad `undefined`, and for
    nan with "raise".
    Source: the mean over topics of trec_eval, with its silent
    choices made explicit.

    >>> values = [1.0, float("nan")]
    >>> print(mean(values, undefined="skip"))
    1.0
    >>> print(mean(values, undefined=0))
    0.5
    """
    known = defined("values", values, undefined)
    if not known.size:
        return np.float64(np.nan)
    with np.errstate(all="ignore"):
        return known.mean()


@metric(
    "median", purpose="A mean over many goals", asks="What does the goal in the middle get?",
    formula=r"\text{the middle of all } x_q",
    rewards="What the goal in the middle gets; how far above it the best stand does not count.",
    place="averaging#def-means", also="median over queries", example={"undefined": "skip"},
    instead="the name of a measure, and metrics.median of its values", see="mean",
)
def median(
    values: Numbers, *, undefined: Undefined
) -> np.float64:
    """The median over queries, that is, the middle value.

    values: any shape, flattened; only nan counts as undefined;
    undefined: "raise", "skip", or one number that stands in.
    Returns a number, for an even number of values the mean of
    the two in the middle; nan where nothing is left, infinite
    where a sum on the way is beyond floats.
    Raises ValueError for text, a bad `undefined`, and for
    nan with "raise".
    Source: the middle of the values in their order.

    >>> print(median([0.0, 0.25, 1.0], undefined="raise"))
    0.25
    """
    known = defined("values", values, undefined)
    if not known.size:
        return np.float64(np.nan)
    with np.errstate(all="ignore"):
        return np.float64(np.median(known))


@metric(
    "geometric mean", purpose="A mean over many goals", asks="A bad goal must hurt",
    formula=r"\bigl(\prod_{q} x_q\bigr)^{1/n}",
    rewards="Goals that do badly count most; a zero decides, unless a floor is set.", place="averaging#def-means",
    also="GMAP, gm_map", example={"undefined": "skip", "floor": 0.00001},
    instead="'AP', and metrics.geometric_mean of its values", see="mean, LogTotal",
    not_for="if a value of 0 is no disaster, because without a floor a single 0 decides",
)
def geometric_mean(
    values: Numbers, *, undefined: Undefined,
    floor: Number | None = None,
) -> np.float64:
    """The geometric mean over queries.

    One value of 0 makes it 0, unless a floor lifts it.
    values: any shape, >= 0, flattened; only nan
    counts as undefined;
    undefined: "raise", "skip", or one number that stands in;
    floor: one number >= 0, applied after the stand-in.
    Returns a number >= 0, nan where nothing is left.
    Raises ValueError for text, negative values, a bad
    `undefined` or floor, and for nan with "raise".
    Source: Robertson (2006), GMAP.

    >>> print(geometric_mean([0.25, 1.0], undefined="raise"))
    0.5
    >>> values = [0.0, 1.0]
    >>> print(geometric_mean(values, undefined=0, floor=0.25))
    0.5
    """
    if not isinstance(undefined, str):
        expected = 'that stands in and is >= 0, or "raise", or "skip"'
        number("undefined", undefined, expected, lambda x: x >= 0)
    known = defined("values", values, undefined)
    for negative in known[known < 0]:
        refuse("values", negative, "values >= 0")
    if floor is not None:
        least = number(
            "floor", floor, "that is finite and >= 0",
            lambda x: 0 <= x < np.inf,
        )
        known = np.maximum(known, float(least))
    if not known.size:
        return np.float64(np.nan)
    if not known.all():
        return np.float64(0.0)
    with np.errstate(all="ignore"):
        return np.exp(np.log(known).mean())


def defined(name: str, values: Any, undefined: Any) -> Floats:
    """The values as a flat array; undefined values raise an error, are left out, or are replaced."""
    flat = numeric(name, values).astype(np.float64).reshape(-1)
    missing = np.isnan(flat)
    if isinstance(undefined, str) and undefined == "skip":
        return flat[~missing]
    if isinstance(undefined, str) and undefined == "raise":
        for position in np.flatnonzero(missing):
            expected = 'defined values, or undefined="skip", or a number that stands in'
            refuse(name, f"nan at position {position}", expected)
        return flat
    return np.where(missing, float(stand_in(undefined)), flat)


def stand_in(undefined: Any) -> Any:
    """The checked rule for undefined values: the word "raise" or "skip", or a number."""
    if isinstance(undefined, str) and undefined in ("raise", "skip"):
        return undefined
    return number("undefined", undefined, 'that stands in, or "raise", or "skip"', lambda x: True)
