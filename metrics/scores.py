"""Scores in any order: where the relevant items stand, without putting the others in order.

Values are sorted, not places, which is three times as fast; then the rank of each relevant item is
found by binary search. Where few are relevant they are only counted, and where many stand in ties
the row is put in order after all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Any, NamedTuple, NoReturn

import numpy as np

from ._checks import choice, numeric, place, refuse, same_labels
from ._types import Array, Floats, Ints, Number, Numbers, Shape
from .hits import Hits, nonzero, ratio
from .sets import recall_weight

PIECE = 2**17  # scores that are sorted at a time: they fit the cache
FEW = 2  # relevant items a row that are counted faster than the row is sorted
MANY = 25  # of them in ties, from which on it is faster to put the row in order


class PrecisionRecallCurve(NamedTuple):
    """Precision and recall at every threshold, the lowest first.

    precision, recall: (t + 1,), of the items that score at least the threshold; the last point,
    precision 1 at recall 0, has none.
    thresholds: (t,) the distinct scores, ascending.
    """

    precision: Floats
    recall: Floats
    thresholds: Array

    def best_f(self, beta: Number = 1) -> tuple[Any, float]:
        """The threshold with the highest F, and this F.

        Of several, the highest threshold, which retrieves the fewest items.
        beta: one finite number >= 0.
        Returns (threshold, F in [0, 1]).
        Raises ValueError for a bad beta, and where there is no threshold.

        >>> curve = precision_recall_curve(scores=[3, 2, 2, 1], labels=[1, 1, 0, 0])
        >>> threshold, f = curve.best_f()
        >>> print(threshold, round(f, 3))
        2 0.8
        """
        weight = recall_weight(beta)
        if not self.thresholds.size:
            refuse("thresholds", "none", "at least one score")
        precision, recall = self.precision[:-1], self.recall[:-1]
        f = ratio((1 + weight) * precision * recall, weight * precision + recall)
        f = np.nan_to_num(f)  # nothing relevant was retrieved
        best = np.flatnonzero(f >= f.max() * (1 - 1e-14))[-1]
        return self.thresholds[best], float(f[best])


def precision_recall_curve(
    *, scores: Numbers, labels: Numbers
) -> PrecisionRecallCurve:
    """Precision and recall at every threshold on the scores.

    Items of one score are retrieved together, so each distinct
    score is one threshold. As in scikit-learn, the lowest comes
    first, and a last point has precision 1 at recall 0.
    scores: (n,) numbers, not nan;
    labels: 0/1 or bool of the same shape.
    Returns precision (t + 1,), recall (t + 1,) and thresholds
    (t,), a named tuple whose `best_f(beta=1)` is the threshold
    with the highest F, and this F. Recall is nan where nothing
    is relevant, but at the last point.
    Raises ValueError for nan scores, other labels, different
    shapes, or more than one ranking.
    Source: Raghavan, Bollmann and Jung (1989); the order of
    scikit-learn.

    >>> curve = precision_recall_curve(
    ...     scores=[3, 2, 2, 1], labels=[1, 1, 0, 0])
    >>> curve.thresholds.tolist(), curve.recall.tolist()
    ([1, 2, 3], [1.0, 1.0, 0.5, 0.0])
    """
    given, score = checked(scores, labels, binary=True)
    if given.shape:
        refuse("scores", f"shape {score.shape}", "one list of scores")
    ascending = np.sort(score)
    relevant = np.sort(score[given.rank - 1])
    is_new = np.ones(ascending.size, dtype=bool)
    is_new[1:] = ascending[1:] != ascending[:-1]
    below = np.flatnonzero(is_new)
    thresholds = ascending[below]
    missed = np.searchsorted(relevant, thresholds)
    found = relevant.size - missed
    precision = found / (ascending.size - below)
    recall = ratio(found, relevant.size)
    return PrecisionRecallCurve(
        np.append(precision, 1.0), np.append(recall, 0.0), thresholds
    )


class Blocks(NamedTuple):
    """The blocks of equal scores that have a hit, each field (B,), the highest of a row first.

    row: its ranking; before, above: the items, and the relevant ones, of higher score;
    size, relevant: its items, and the relevant ones; first: its first hit.
    """

    row: Ints
    before: Ints
    above: Ints
    size: Ints
    relevant: Ints
    first: Ints

    def places(self) -> Iterator[Places]:
        """All places, those of many blocks of one size at a time."""
        by_size = np.argsort(self.size, kind="stable")
        sizes, starts = np.unique(self.size[by_size], return_index=True)
        for size, of_one_size in zip(sizes.tolist(), np.split(by_size, starts[1:])):
            step = max(PIECE // size, 1)
            for low in range(0, of_one_size.size, step):
                yield Places(self, size, of_one_size[low : low + step])


class Places:
    """The places of b blocks of one size.

    index: (b,) which blocks these are; size: the items of each; place: (size,) 1, 2, ...; above,
    relevant, chance: (b, 1) the relevant items of higher score, those of the block, and how likely
    the item at a place is relevant; rank: (b, size); longest: the highest rank.
    """

    def __init__(self, blocks: Blocks, size: int, index: Ints) -> None:
        self.index, self.size, self.place = index, size, np.arange(1, size + 1)
        self.row, self.above = blocks.row[index, None], blocks.above[index, None]
        self.relevant = blocks.relevant[index, None]
        self.chance: Floats = self.relevant / size
        self.rank = blocks.before[index, None] + self.place
        self.longest = int(self.rank.max())


class TiedHits(Hits):
    """The relevant items of scored queries whose ties have no order, so that they have no `rank`.

    They stand by row, by block, and in a block by descending grade.

    before, size: (H,) the items of higher score, and those of the same;
    number, place: (H,) the block of each hit, and its place among the hits of the block, from 1 on;
    block: the B blocks that have a hit.
    """

    def __init__(self, given: Hits, before: Ints, size: Ints) -> None:
        width, grade = given.longest + 1, given.grade
        key = given.row * width + before
        self.untied = bool((size == 1).all())
        if self.untied and alike(grade):
            key = np.sort(key)
        elif (np.diff(key) <= 0).any():
            order = np.argsort(key) if alike(grade) else np.lexsort((-grade, key))
            key, size, grade = key[order], size[order], grade[order]
        row = key // width
        super().__init__(given.shape, given.length, row, row, grade, given.count.reshape(given.shape))
        del self.rank
        self.before, self.size = key - row * width, size

    def __getattr__(self, name: str) -> NoReturn:
        """Refuse the ranks, which every metric of one order asks for."""
        if name == "rank":
            means = "average_precision, ndcg, precision_at or reciprocal_rank of metrics.ties"
            refuse("relevance", 'Hits with ties="mean", which have no one order', f"them in {means}")
        raise AttributeError(f"'TiedHits' has no attribute {name!r}")

    @cached_property
    def block(self) -> Blocks:
        """The blocks that have a hit."""
        same = (np.diff(self.before) == 0) & (np.diff(self.row) == 0)
        first = np.flatnonzero(np.append(True, ~same)[: self.row.size])
        row, relevant = self.row[first], np.diff(first, append=self.row.size)
        above = first - self.start[row]
        return Blocks(row, self.before[first], above, self.size[first], relevant, first)

    @cached_property
    def number(self) -> Ints:
        """(H,) the block of each hit."""
        return np.repeat(np.arange(self.block.first.size), self.block.relevant)

    @cached_property
    def place(self) -> Ints:
        """(H,) 1 for the first hit of its block, then 2 ..."""
        return np.arange(1, self.row.size + 1) - self.block.first[self.number]

    def block_mean(self, values: Floats) -> Floats:
        """(B,) the mean over the items of each block; `values` (H,) are those of the hits."""
        return np.bincount(self.number, values, minlength=self.block.size.size) / self.block.size

    def mean_sum(self, term: Callable[[Places], Floats]) -> Floats:
        """(Q,) the sum of a term (b, size) over all places of the blocks."""
        sums = np.zeros(self.block.size.size)
        for block in self.block.places():
            sums[block.index] = term(block).sum(axis=-1)
        return np.bincount(self.block.row, sums, minlength=self.queries)

    def best(self) -> Hits:
        """The order with the higher grades first."""
        place = 1 if self.untied else self.place
        return self.at(self.before + place, self.grade)

    def worst(self) -> Hits:
        """The order with the lower grades first, and before them what is irrelevant."""
        if self.untied:
            return self.best()
        relevant, first = self.block.relevant[self.number], self.block.first[self.number]
        last = self.before + self.size - relevant
        return self.at(last + self.place, self.grade[first + relevant - self.place])

    def at(self, rank: Ints, grade: Floats) -> Hits:
        """These hits at ranks that ascend in each row."""
        count = self.count.reshape(self.shape)
        return Hits(self.shape, self.length, self.row, rank, grade, count)

    def undecided(self) -> Ints:
        """The blocks whose order makes a difference: their grades differ."""
        if self.untied:
            return np.array([], dtype=np.int64)
        block = self.block
        highest = self.grade[block.first]
        lowest = self.grade[block.first + block.relevant - 1]
        return np.flatnonzero((block.relevant < block.size) | (lowest < highest))


def hits_from_scores(scores: Numbers, labels: Numbers, ties: str) -> Hits:
    """The hits of scored items, as `Hits.from_scores` says."""
    choice("ties", ties, ("raise", "stable", "best", "worst", "mean"))
    given, score = checked(scores, labels)
    rows = score.reshape(given.queries, given.longest)
    before, size = standing(rows, given)
    if ties == "stable" and (size > 1).any():
        return stable(rows, given, before, size)
    tied = TiedHits(given, before, size)
    if ties == "mean":
        return tied
    if ties == "raise" and (undecided := tied.undecided()).size:
        refuse_tie(rows, tied, undecided[0])
    return tied.worst() if ties == "worst" else tied.best()


def refuse_tie(rows: Array, tied: TiedHits, block: int) -> NoReturn:
    """Name the query and the score of a tie."""
    row, before, size = (of[block] for of in (tied.block.row, tied.block.before, tied.block.size))
    score = np.sort(rows[row])[tied.longest - 1 - before]
    given = f"{size} items of score {score} and different grades{tied.named(row)}"
    refuse("scores", given, 'distinct scores, or ties="mean", "best", "worst" or "stable"')


def stable(rows: Array, given: Hits, before: Ints, size: Ints) -> Hits:
    """The order that ties have in the input; rows with many are put in order."""
    rank, n, tied = before + 1, given.longest, np.flatnonzero(size > 1)
    row, place = given.row[tied], given.rank[tied] - 1
    uneven = np.unique(row)
    if 2 * n <= PIECE and tied.size <= MANY * uneven.size:
        rank[tied] += equals_before(rows, row, place)
    else:
        for each in uneven:
            here = slice(given.start[each], given.start[each] + given.count[each])
            backwards = np.argsort(rows[each, ::-1], kind="stable")[::-1]
            rank_of = np.empty(n, dtype=np.int64)
            rank_of[n - 1 - backwards] = np.arange(1, n + 1)
            rank[here] = rank_of[given.rank[here] - 1]
    order = np.argsort(given.row * (n + 1) + rank)
    items = given.row[order], rank[order], given.grade[order]
    return Hits(given.shape, given.length, *items, given.count.reshape(given.shape))


def equals_before(rows: Array, row: Ints, place: Ints) -> Ints:
    """How many entries of its row equal each one, and stand before it."""
    found, column, step = np.empty_like(row), np.arange(rows.shape[1]), PIECE // rows.shape[1]
    for low in range(0, row.size, step):
        here = slice(low, low + step)
        beside, at = rows[row[here]], place[here, None]
        same = beside == np.take_along_axis(beside, at, axis=1)
        found[here] = (same & (column < at)).sum(axis=1)
    return found


def standing(rows: Array, given: Hits) -> tuple[Ints, Ints]:
    """(H,) how many items score more than each hit, and how many the same.

    Hits of a row longer than half a piece may be exchanged, if all have the same grade.
    """
    before, size = np.empty_like(given.row), np.empty_like(given.row)
    step, exchange = max(PIECE // max(given.longest, 1), 1), alike(given.grade)
    for low in range(0, given.queries, step):
        here = slice(*np.searchsorted(given.row, [low, low + step]))
        piece, row = rows[low : low + step], given.row[here] - low
        score = piece[row, given.rank[here] - 1]
        if step > 1:
            before[here], size[here] = among(piece, row, score)
        elif exchange:
            before[here], size[here] = in_one(piece[0], np.sort(score)[::-1])
        else:
            order = np.argsort(score)
            before[here][order], size[here][order] = in_one(piece[0], score[order])
    return before, size


def in_one(row: Array, score: Array) -> tuple[Ints, Ints]:
    """How many entries of the row are above each score, and how many equal it; sorted is faster."""
    ascending = np.sort(row)
    up_to = np.searchsorted(ascending, score, side="right")
    return row.size - up_to, up_to - np.searchsorted(ascending, score)


def among(rows: Array, row: Ints, score: Array) -> tuple[Ints, Ints]:
    """How many entries of its row are above each score, and how many equal it."""
    if row.size <= FEW * len(rows):
        beside, score = rows[row], score[:, None]
        return (beside > score).sum(axis=1), (beside == score).sum(axis=1)
    ascending, size = np.sort(rows, axis=1), np.ones_like(row)
    up_to = count(np.less_equal, ascending, row, score)
    tied = np.flatnonzero(ascending[row, np.maximum(up_to, 2) - 2] == score)
    size[tied] = up_to[tied] - count(np.less, ascending, row[tied], score[tied])
    return rows.shape[1] - up_to, size


def count(compare: np.ufunc, ascending: Array, row: Ints, score: Array) -> Ints:
    """How many entries of its row are less than each score, by halving all rows at once."""
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


def checked(scores: Numbers, labels: Numbers, binary: bool = False) -> tuple[Hits, Array]:
    """The relevant items, their place in the input as rank, and the scores."""
    same_labels(scores=scores, labels=labels)
    expected = "0/1 or bool" if binary else "finite grades >= 0"
    score, label = numeric("scores", scores), numeric("labels", labels, expected)
    if score.ndim == 0:
        refuse("scores", f"the single value {score[()]}", "at least one list of scores")
    if label.shape != score.shape:
        refuse("labels", f"shape {label.shape}", f"the shape {score.shape} of the scores")
    refuse_nan(score)
    flat = np.ascontiguousarray(label).reshape(-1)
    position = nonzero(flat)
    grade = flat[position].astype(np.float64)
    fine = grade == 1 if binary else (grade > 0) & (grade < np.inf)
    for bad in position[~fine][:1]:
        refuse("labels", f"{flat[bad]}{'' if binary else item(bad, score.shape)}", expected)
    *shape, length = score.shape
    row = position // max(length, 1)
    return Hits(tuple(shape), length, row, position - row * length + 1, grade), score


def refuse_nan(score: Array) -> None:
    """Name the first score that is nan."""
    if score.dtype.kind == "f" and np.isnan(score.max(initial=-np.inf)):
        where = item(np.flatnonzero(np.isnan(score))[0], score.shape)
        refuse("scores", f"nan{where}", "numbers that can be ordered")


def item(position: Any, shape: Shape) -> str:
    """Where an item stands in the input, for a message."""
    *query, index = place(position, shape)
    return f" at query {query}, item {index + 1}" if query else f" at item {index + 1}"
