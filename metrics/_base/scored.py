"""Scores in any order: the ranks of the relevant items, found without sorting all items.

The scores themselves are sorted, not the positions of the items, because that is three times as fast; then the
rank of each relevant item is found by binary search. If few items are relevant, the items above them are only
counted; if many are tied, the positions are sorted after all.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from .checks import place, refuse
from .types import Array, Floats, Ints, Shape

PIECE = 2**17  # scores that are sorted at a time: they fit the cache
FEW = 2  # relevant items a row that are counted faster than the row is sorted
MANY = 25  # of them in ties, from which on it is faster to put the row in order


class Blocks(NamedTuple):
    """The blocks of equal scores that contain a hit; each field has shape (B,), with the highest block of a row first."""

    row: Ints  # the ranking
    before: Ints  # the items of higher score
    above: Ints  # the relevant ones of them
    size: Ints  # the items of the block
    relevant: Ints  # the relevant ones of them
    first: Ints  # the first hit

    def places(self) -> Iterator[Places]:
        """The places of all blocks, in batches of blocks of one size."""
        by_size = np.argsort(self.size, kind="stable")
        sizes, starts = np.unique(self.size[by_size], return_index=True)
        for size, of_one_size in zip(sizes.tolist(), np.split(by_size, starts[1:])):
            step = max(PIECE // size, 1)
            for low in range(0, of_one_size.size, step):
                yield Places(self, size, of_one_size[low : low + step])


class Places:
    """The places 1, 2, ... in b blocks of one size, whose numbers are `index`, and the data of these blocks, in shape (b, 1)."""

    def __init__(self, blocks: Blocks, size: int, index: Ints) -> None:
        self.index, self.size, self.place = index, size, np.arange(1, size + 1)
        self.row, self.above = blocks.row[index, None], blocks.above[index, None]
        self.relevant = blocks.relevant[index, None]
        self.chance: Floats = self.relevant / size  # that the item at a place is relevant
        self.rank = blocks.before[index, None] + self.place  # (b, size)
        self.longest = int(self.rank.max())


def ranks_as_given(rows: Array, row: Ints, place: Ints, before: Ints, size: Ints) -> Ints:
    """(H,) the 1-based ranks of items if those of equal score keep the input order; rows with many ties are sorted."""
    rank, n, tied = before + 1, rows.shape[1], np.flatnonzero(size > 1)
    uneven = np.unique(row[tied])
    if 2 * n <= PIECE and tied.size <= MANY * uneven.size:
        rank[tied] += equals_before(rows, row[tied], place[tied])
        return rank
    for each in uneven:
        here = slice(*np.searchsorted(row, [each, each + 1]))
        backwards = np.argsort(rows[each, ::-1], kind="stable")[::-1]
        rank_of = np.empty(n, dtype=np.int64)
        rank_of[n - 1 - backwards] = np.arange(1, n + 1)
        rank[here] = rank_of[place[here]]
    return rank


def equals_before(rows: Array, row: Ints, place: Ints) -> Ints:
    """For each entry at row and place, the number of equal entries before it in its row."""
    found, column, step = np.empty_like(row), np.arange(rows.shape[1]), PIECE // rows.shape[1]
    for low in range(0, row.size, step):
        here = slice(low, low + step)
        beside, at = rows[row[here]], place[here, None]
        same = beside == np.take_along_axis(beside, at, axis=1)
        found[here] = (same & (column < at)).sum(axis=1)
    return found


def standing(rows: Array, row: Ints, place: Ints, exchangeable: bool) -> tuple[Ints, Ints]:
    """(H,) for each item at row and place (rows ascending), how many items of its row score more, and how many score the same."""
    before, size = np.empty_like(row), np.empty_like(row)
    step = max(PIECE // max(rows.shape[1], 1), 1)
    for low in range(0, len(rows), step):
        here = slice(*np.searchsorted(row, [low, low + step]))
        piece, own = rows[low : low + step], row[here] - low
        score = piece[own, place[here]]
        if step > 1:
            before[here], size[here] = among(piece, own, score)
        elif exchangeable:  # the items of a row may change places, which is faster
            before[here], size[here] = in_one(piece[0], np.sort(score)[::-1])
        else:
            order = np.argsort(score)
            before[here][order], size[here][order] = in_one(piece[0], score[order])
    return before, size


def in_one(row: Array, score: Array) -> tuple[Ints, Ints]:
    """For each score, the number of entries of one row that are above it, and the number equal to it; this is faster if the scores are sorted."""
    ascending = np.sort(row)
    up_to = np.searchsorted(ascending, score, side="right")
    return row.size - up_to, up_to - np.searchsorted(ascending, score)


def among(rows: Array, row: Ints, score: Array) -> tuple[Ints, Ints]:
    """For each score, the number of entries of its row that are above it, and the number equal to it."""
    if row.size <= FEW * len(rows):
        beside, score = rows[row], score[:, None]
        return (beside > score).sum(axis=1), (beside == score).sum(axis=1)
    ascending, size = np.sort(rows, axis=1), np.ones_like(row)
    up_to = count(np.less_equal, ascending, row, score)
    tied = np.flatnonzero(ascending[row, np.maximum(up_to, 2) - 2] == score)
    size[tied] = up_to[tied] - count(np.less, ascending, row[tied], score[tied])
    return rows.shape[1] - up_to, size


def count(compare: np.ufunc, ascending: Array, row: Ints, score: Array) -> Ints:
    """For each score, the number of entries of its row for which `compare` (< or <=) holds, found by bisecting all rows at once."""
    flat, start, length = ascending.reshape(-1), row * ascending.shape[1], ascending.shape[1]
    at = start.copy()
    while length > 1:
        half = length // 2
        at += half * compare(flat[at + (half - 1)], score)
        length -= half
    return at + compare(flat[at], score) - start


def alike(values: Array) -> bool:
    """Whether all values are equal."""
    return bool((values == values[:1]).all())


def refuse_nan(score: Array) -> None:
    """Refuse scores that are nan; the error says where the first is."""
    if score.dtype.kind == "f" and np.isnan(score.max(initial=-np.inf)):
        where = item(np.flatnonzero(np.isnan(score))[0], score.shape)
        refuse("scores", f"nan{where}", "numbers that can be ordered")


def item(position: Any, shape: Shape) -> str:
    """The position of an item in the input, for a message."""
    *query, index = place(position, shape)
    return f" at query {query}, item {index + 1}" if query else f" at item {index + 1}"
