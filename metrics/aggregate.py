"""From one value a query to one value a system. What an undefined value (nan) counts must be said."""

import numpy as np

from ._checks import complain, number, numeric


def mean(values, *, undefined):
    """The arithmetic mean over queries.

    values: any shape, flattened; only nan counts as undefined.
    undefined: "raise", "skip", or one number that stands in. Returns a number, nan where nothing is left.
    Raises ValueError for text, a bad `undefined`, and for nan with "raise".
    Source: the mean over topics of trec_eval, with its silent choices made explicit.

    >>> print(mean([1.0, float("nan")], undefined="skip"), mean([1.0, float("nan")], undefined=0))
    1.0 0.5
    """
    values = defined("values", values, undefined)
    with np.errstate(all="ignore"):
        return values.mean() if values.size else np.float64(np.nan)


def geometric_mean(values, *, undefined, floor=None):
    """The geometric mean over queries: one value of 0 makes it 0, unless a floor lifts it.

    values: any shape, >= 0, flattened; undefined: as for `mean`; floor: one number >= 0, applied after the stand-in.
    Returns a number >= 0, nan where nothing is left.
    Raises ValueError for text, negative values, a bad `undefined` or floor, and for nan with "raise".
    Source: Robertson (2006), GMAP.

    >>> print(geometric_mean([0.25, 1.0], undefined="raise"), geometric_mean([0.0, 1.0], undefined="raise", floor=0.25))
    0.5 0.5
    """
    values = defined("values", values, undefined)
    if (values < 0).any():
        complain("values", values[values < 0][0], "values >= 0")
    if floor is not None:
        values = np.maximum(values, float(number("floor", floor, "that is finite and >= 0", lambda x: 0 <= x < np.inf)))
    if not values.size:
        return np.float64(np.nan)
    with np.errstate(all="ignore"):
        return np.exp(np.log(values).mean()) if values.all() else np.float64(0.0)


def defined(name, values, undefined):
    """The values as a flat array, with the undefined ones raised about, left out or replaced."""
    values = numeric(name, values).astype(np.float64).reshape(-1)
    missing = np.isnan(values)
    if isinstance(undefined, str) and undefined == "raise":
        if missing.any():
            complain(name, f"nan at position {np.flatnonzero(missing)[0]}", 'defined values, or undefined="skip", or a number that stands in')
        return values
    if isinstance(undefined, str) and undefined == "skip":
        return values[~missing]
    stand_in = number("undefined", undefined, 'that stands in, or "raise", or "skip"', lambda x: True)
    return np.where(missing, float(stand_in), values)
