"""What every function does at its door: bad input is named, shown, and told what was expected."""

import math
import operator
from collections.abc import Iterable, KeysView, Mapping, Set
from fractions import Fraction
from numbers import Rational, Real

import numpy as np


def complain(name, given, expected):
    """Raise the one kind of error of this package."""
    raise ValueError(f"{name}: got {given}, expected {expected}")


def whole(name, value, at_least):
    """One whole number: 3 and np.int64(3) will do, True and 3.0 will not."""
    expected = f"one whole number >= {at_least}"
    if isinstance(value, (bool, np.bool_)):
        complain(name, repr(value), expected)
    try:
        count = operator.index(value)
    except TypeError:
        complain(name, repr(value), expected)
    if count < at_least:
        complain(name, count, expected)
    return count


def number(name, value, expected, allowed):
    """One real number, not nan, for which `allowed` is true; `expected` says so in words."""
    expected = f"one number {expected}".rstrip()
    single = isinstance(value, Real) or (isinstance(value, np.ndarray) and value.ndim == 0)
    if not single or isinstance(value, (bool, np.bool_)) or getattr(value, "dtype", np.dtype(float)).kind not in "iuf":
        complain(name, repr(value), expected)
    try:
        undefined = math.isnan(value)
    except OverflowError:
        complain(name, "a number beyond the range of floats", expected)
    if undefined or not allowed(value):
        complain(name, repr(value), expected)
    return value


def fraction(name, value):
    """One number in [0, 1]; a `Fraction` stays exact."""
    value = number(name, value, "in [0, 1]", lambda x: 0 <= x <= 1)
    return Fraction(int(value.numerator), int(value.denominator)) if isinstance(value, Rational) else float(value)


def choice(name, value, options):
    """One of the named options."""
    if not isinstance(value, str) or value not in options:
        complain(name, repr(value), " or ".join(map(repr, options)))
    return value


def numeric(name, values, expected="numbers"):
    """An array of bool, int or float; text, ragged rows and anything else are refused."""
    if isinstance(values, (str, bytes)):
        complain(name, f"the text {values!r}", expected)
    try:
        array = np.asarray(values)
    except ValueError:
        complain(name, describe_ragged(values), f"{expected} in rows of equal length")
    if array.dtype.kind in "biuf":
        return array
    for entry in array.reshape(-1).tolist():
        if isinstance(entry, (str, bytes)):
            complain(name, f"text, such as {entry!r}", expected)
        if not isinstance(entry, Real):
            complain(name, f"{entry!r} of type {type(entry).__name__}", expected)
    if array.dtype.kind != "O":
        complain(name, f"an array of type {array.dtype}", expected)
    try:
        return array.astype(np.float64)  # Fractions, and whole numbers that no NumPy integer holds
    except OverflowError:
        complain(name, "a number beyond the range of floats", expected)


def describe_ragged(values):
    """Which row differs in length from the first."""
    sizes = ["a single value" if length_of(row) is None else f"of length {length_of(row)}" for row in values]
    for index, size in enumerate(sizes):
        if size != sizes[0]:
            return f"ragged rows: row {index} is {size}, row 0 is {sizes[0]}"
    return "ragged rows"


def length_of(row):
    """The length of a row, None for a single value."""
    try:
        return len(row) if np.ndim(row) else None
    except ValueError:  # its own rows are ragged
        return len(row)


def place(index, shape):
    """Where a flat index lies in an array of this shape, for a message."""
    return [int(i) for i in np.unravel_index(int(index), shape)] if shape else []


def non_negative(name, values):
    """An array of finite numbers >= 0, as float64."""
    expected = "finite numbers >= 0"
    array = numeric(name, values, expected)
    bad = np.flatnonzero(~((array >= 0) & np.isfinite(array)))
    if bad.size:
        where = f" at {place(bad[0], array.shape)}" if array.ndim else ""
        complain(name, f"{array.reshape(-1)[bad[0]]}{where}", expected)
    array = array.astype(np.float64)
    if array.max(initial=0) > 1e300:
        complain(name, array.max(), f"{expected} whose sum is finite too")
    return array


def together(**named):
    """The arrays in one shape."""
    try:
        return np.broadcast_arrays(*named.values())
    except ValueError:
        shapes = ", ".join(str(array.shape) for array in named.values())
        complain(", ".join(named), f"shapes {shapes}", "shapes that broadcast together")


def whole_numbers(name, values, shape):
    """Whole numbers >= 0 (2.0 will do), one for each place of `shape`, flattened; they may not enlarge it."""
    expected = "whole numbers >= 0"
    array = numeric(name, values, expected)
    if array.dtype.kind == "b":
        complain(name, f"bool ({array.reshape(-1)[:1].tolist()})", expected)
    array = array.astype(np.float64) if array.dtype.kind == "f" else array
    bad = np.flatnonzero(~((array >= 0) & (array <= 2**53) & (np.trunc(array) == array)))  # what floats hold exactly
    if bad.size:
        complain(name, array.reshape(-1)[bad[0]], f"{expected}, at most 2^53")
    try:
        return np.broadcast_to(array.astype(np.int64), shape).reshape(-1)
    except ValueError:
        complain(name, f"shape {array.shape}", f"one number, or numbers that broadcast to the queries' shape {shape}")


def id_list(name, ids, ordered=True):
    """A list of distinct ids (hashable), from any collection but text; where order matters, from no set."""
    if isinstance(ids, (str, bytes)) or not isinstance(ids, Iterable) or (isinstance(ids, np.ndarray) and not ids.ndim):
        complain(name, repr(ids), "a collection of ids")
    if ordered and isinstance(ids, Set) and not isinstance(ids, KeysView):
        complain(name, f"a {type(ids).__name__}, which has no order", "a list of ids, best first")
    ids = ids.tolist() if isinstance(ids, np.ndarray) else list(ids)
    seen = set()
    for position, item in enumerate(ids):
        try:
            known = item in seen
        except TypeError:
            complain(name, f"{item!r} at position {position}", "ids that can be hashed, such as text or whole numbers")
        if known:
            complain(name, f"{item!r} a second time, at position {position}", "distinct ids")
        seen.add(item)
    return ids


def id_lists(name, lists, ordered=True):
    """One list of distinct ids for each query."""
    if isinstance(lists, (str, bytes, Mapping)) or not isinstance(lists, Iterable):
        complain(name, repr(lists), "a sequence of id lists, one for each query")
    return [id_list(f"{name}[{query}]", ids, ordered) for query, ids in enumerate(lists)]
