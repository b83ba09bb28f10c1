"""Arrays as the metrics need them: shared but never changed, divided without warnings, and searched quickly for nonzero entries."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .types import Array, Floats, Ints

SPARSE = 8  # words for each that is not all false, from which on it is faster to look at words first
SAMPLE, SAMPLED = 1024, 64  # so many words, and one of so many more, show how many are not
ONE = np.ones(1)
AT_ONCE = 2**14  # entries whose rows and ranks are computed at a time, so that they stay in the cache


def frozen(array: Any) -> Any:
    """The same array, made read-only because all metrics share it."""
    array.setflags(write=False)
    return array


def repeat(values: Any, times: Any) -> Array:
    """`np.repeat` with 64-bit counts on every machine; NumPy requires the machine's own integers, which have 32 bits in browsers."""
    return np.repeat(values, np.asarray(times).astype(np.intp, copy=False))


def rows(sizes: Any) -> Ints:
    """For each entry of several lists joined end to end, the number of its list; `sizes` are the lengths of the lists."""
    return repeat(np.arange(len(sizes), dtype=np.int64), sizes)


def ranges(start: Ints, length: Ints) -> Ints:
    """For each start and length, that many numbers start, start + 1, ...; they are joined end to end."""
    before = np.cumsum(length) - length
    return repeat(start - before, length) + np.arange(length.sum())


def bincount(numbers: Any, weights: Any = None, minlength: int = 0) -> Array:
    """`np.bincount` of 64-bit numbers on every machine; the counts have 64 bits, too, so that their products do not overflow."""
    found = np.bincount(np.asarray(numbers).astype(np.intp, copy=False), weights, minlength)
    return found.astype(np.int64 if weights is None else np.float64, copy=False)


def ratio(numerator: Any, denominator: Any) -> Any:
    """The ratio numerator / denominator; 0/0 is nan (undefined) and gives no warning."""
    numerator, denominator = np.broadcast_arrays(numerator, denominator)
    undefined = np.full(numerator.shape, np.nan)
    return np.divide(numerator, denominator, out=undefined, where=denominator != 0)


def nonzero_in_rows(array: Array) -> tuple[Ints, Ints, Ints, Floats]:
    """The row and 1-based rank of each nonzero entry, the number of these in each row, and the value of each; rows are along the last axis."""
    length, flat = array.shape[-1], np.ascontiguousarray(array).reshape(-1)
    of_bytes = flat.dtype == bool or flat.itemsize == 1 and flat.view(np.uint8).max(initial=0) <= 1
    position = nonzero(flat.view(bool) if of_bytes else flat != 0)
    value = np.ndarray(position.size, buffer=ONE, strides=(0,)) if of_bytes else flat[position].astype(np.float64)
    rank, rows = position.astype(np.int64, copy=False), math.prod(array.shape[:-1])
    if rank.size <= AT_ONCE:
        row = rank // max(length, 1)
        return row, rank - (row * length - 1), bincount(row, minlength=rows), value
    count = np.diff(np.searchsorted(rank, np.arange(rows + 1, dtype=np.int64) * length)).astype(np.int64, copy=False)
    row = repeat(np.arange(rows, dtype=np.int64), count)
    for some in in_pieces(row.size):
        rank[some] -= row[some] * length - 1
    return row, rank, count, value


def differing(values: Array) -> Array:
    """The values, or just one of them if all share one place in memory, as the grades of 0/1 arrays do."""
    return values[:1] if values.strides == (0,) else values


def in_pieces(size: int) -> list[slice]:
    """Slices that together cover `size` entries, each small enough for the cache."""
    return [slice(start, start + AT_ONCE) for start in range(0, size, AT_ONCE)]


def nonzero(truth: Array) -> Ints:
    """The positions of the true entries; if most groups of eight entries are all false, only the other groups are searched."""
    whole_part = truth.size - truth.size % 8
    words = truth[:whole_part].view(np.uint64)
    sample = words[: SAMPLE + words.size // SAMPLED]
    if words.size < SAMPLE or SPARSE * np.count_nonzero(sample) > sample.size:
        return np.flatnonzero(truth)
    busy = nonzero(words != 0)
    inside = np.flatnonzero(words[busy].view(bool))
    found = busy[inside >> 3] * 8 + (inside & 7)
    return np.concatenate([found, whole_part + np.flatnonzero(truth[whole_part:])])
