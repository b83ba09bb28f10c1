"""`Hits`: a batch of rankings as the ranks of its relevant items, found once and used by every metric."""

import math
from collections.abc import Mapping
from functools import cached_property

import numpy as np

from ._checks import complain, id_lists, numeric, place, whole, whole_numbers


class Hits:
    """The hit positions of a batch of rankings.

    Made by `from_relevance`, `from_ids` or `from_ranks`; every metric takes one in place of an array.
    With H hits in all and Q queries (the leading axes, flattened):

    shape: the leading axes (...,), () for one ranking.  length: (Q,) items in each ranking; longest: the most.
    row: (H,) query of each hit, ascending.              rank: (H,) its 1-based rank, ascending in a query.
    grade: (H,) its grade, > 0.                          order: (H,) 1 for the first hit of its query, then 2 ...
    count: (Q,) hits of each query.                      n_relevant: (Q,) |A|, at least `count`.

    >>> hits = Hits.from_relevance([0, 1, 0, 1, 1, 0])
    >>> hits.rank.tolist(), hits.order.tolist()
    ([2, 4, 5], [1, 2, 3])
    """

    def __init__(self, shape, length, row, rank, grade, n_relevant=None):
        self.shape, self.queries = shape, math.prod(shape)
        self.row, self.rank, self.grade = map(frozen, (row, rank, grade))
        self.length, self.longest = np.broadcast_to(length, self.queries), int(np.max(length, initial=0))
        self.count = frozen(np.bincount(self.row, minlength=self.queries))
        self.n_relevant, self.knows_n_relevant = self.count, n_relevant is not None
        self.n_relevant = self.relevant(n_relevant)

    def __repr__(self):
        shortest = int(self.length.min(initial=self.longest))
        length = self.longest if shortest == self.longest else f"{shortest} to {self.longest}"
        return f"Hits(shape={self.shape}, length={length}, hits={self.rank.size})"

    @classmethod
    def from_relevance(cls, relevance, n_relevant=None):
        """The hits of an array of grades in rank order.

        relevance: (..., n) bool, 0/1 or grades >= 0. n_relevant: |A|, broadcast to (...,); default the hits.
        Raises ValueError for text, ragged rows, a single value, grades that are nan, infinite or negative.

        >>> Hits.from_relevance([[0, 1], [0, 0]], n_relevant=1).count.tolist()
        [1, 0]
        """
        array = numeric("relevance", relevance, "finite grades >= 0")
        if array.ndim == 0:
            complain("relevance", f"the single value {array[()]}", "at least one ranking, such as [0, 1, 0]")
        *shape, length = array.shape
        flat = np.ascontiguousarray(array).reshape(-1)
        position = nonzero(flat)
        grade = flat[position].astype(np.float64)
        bad = np.flatnonzero(~((grade > 0) & (grade < np.inf)))
        if bad.size:
            *query, rank = place(position[bad[0]], array.shape)
            where = f"query {list(query)}, rank {rank + 1}" if query else f"rank {rank + 1}"
            complain("relevance", f"{grade[bad[0]]} at {where}", "finite grades >= 0")
        row = position // max(length, 1)
        return cls(tuple(shape), length, row, position - row * length + 1, grade, n_relevant)

    @classmethod
    def from_ids(cls, rankings, relevant):
        """The hits of lists of ids, best first, given the collections of relevant ids, one of each a query.

        The lists may differ in length; relevant ids that were not ranked count as misses.
        Raises ValueError for duplicates, text in place of a list, and different numbers of queries.

        >>> hits = Hits.from_ids([["x", "a", "y"]], [{"a", "b"}])
        >>> hits.rank.tolist(), hits.n_relevant.tolist()
        ([2], [2])
        """
        rankings, relevant = id_lists("rankings", rankings), id_lists("relevant", relevant, ordered=False)
        if len(rankings) != len(relevant):
            complain("relevant", f"{len(relevant)} collections", f"one for each of the {len(rankings)} rankings")
        wanted = [set(ids) for ids in relevant]
        ranks = [[rank for rank, item in enumerate(ids, 1) if item in want] for ids, want in zip(rankings, wanted)]
        lengths = np.array([len(ids) for ids in rankings], dtype=np.int64)
        return cls._from_sorted_ranks((len(ranks),), ranks, lengths, np.array([len(ids) for ids in relevant], dtype=np.int64))

    @classmethod
    def from_ranks(cls, ranks, length, n_relevant=None):
        """The hits of rankings of which only the 1-based ranks of the relevant items are known.

        ranks: whole numbers, distinct, in any order, for one ranking; or one such list for each query.
        length: items ranked, one number or one for each query. n_relevant: |A|; default the hits.
        Raises ValueError for a rank below 1 or above the length, and for a rank given twice.

        >>> Hits.from_ranks([[5, 2], []], length=6, n_relevant=3).count.tolist()
        [2, 0]
        """
        if not iterable(ranks) or isinstance(ranks, Mapping):
            complain("ranks", repr(ranks), "a list of 1-based ranks, or one such list for each query")
        batch = np.ndim(ranks) == 2 if isinstance(ranks, np.ndarray) else any(map(iterable, ranks := list(ranks)))
        shape = (len(ranks),) if batch else ()
        lengths = whole_numbers("length", length, shape)
        lists = ranks if batch else [ranks]
        checked = [
            checked_ranks(f"ranks[{query}]" if batch else "ranks", entries, limit)
            for query, (entries, limit) in enumerate(zip(lists, lengths.tolist()))
        ]
        return cls._from_sorted_ranks(shape, checked, lengths, n_relevant)

    @classmethod
    def _from_sorted_ranks(cls, shape, ranks, lengths, n_relevant):
        counts = [len(entries) for entries in ranks]
        row = np.repeat(np.arange(len(ranks)), counts)
        rank = np.concatenate([np.zeros(0, np.int64), *(np.asarray(entries, np.int64) for entries in ranks)])
        return cls(shape, lengths, row, rank, np.ones(rank.size), n_relevant)

    @cached_property
    def start(self):
        """(Q,) the place of each query's first hit in `row`, `rank`, `grade` and `order`."""
        return frozen(np.cumsum(self.count) - self.count)

    @cached_property
    def order(self):
        return frozen(np.arange(1, self.row.size + 1) - self.start[self.row])

    @cached_property
    def ideal(self):
        """The same hits in the best order: highest grades first, at ranks 1, 2, ..."""
        grade = self.grade
        if not (grade == grade[:1]).all():
            grade = grade[np.lexsort((-grade, self.row))]
        return Hits(self.shape, self.length, self.row, self.order, grade)

    def relevant(self, n_relevant=None):
        """(Q,) |A| of each query: what the caller says, or else what these hits were made with."""
        if n_relevant is None:
            return self.n_relevant
        given = whole_numbers("n_relevant", n_relevant, self.shape)
        short = np.flatnonzero(given < self.count)
        if short.size:
            where = f" for query {place(short[0], self.shape)}" if self.shape else ""
            complain("n_relevant", f"{given[short[0]]}{where}", f"at least the {self.count[short[0]]} relevant items in the ranking")
        return frozen(given)

    def only(self, kept, n_relevant):
        """The same rankings with some of their hits."""
        return Hits(self.shape, self.length, self.row[kept], self.rank[kept], self.grade[kept], n_relevant)

    def total(self, weight):
        """(Q,) the sum of `weight`, one for each hit, over the hits of each query."""
        return np.bincount(self.row, weight, minlength=self.queries).astype(np.float64, copy=False)

    def within(self, k):
        """(Q,) the hits in the top k, for one k or one for each query."""
        limit = k if np.ndim(k) == 0 else k[self.row]
        return np.bincount(self.row[self.rank <= limit], minlength=self.queries)

    def accumulate(self, combine, values):
        """(H,) each value combined with all earlier ones of its query, by an associative `combine`."""
        values, step = values.copy(), 1
        while step < self.count.max(initial=0):
            later = np.flatnonzero(self.order > step)
            values[later] = combine(values[later], values[later - step])
            step *= 2
        return values

    def curve(self):
        """(Q, n) the hits in the top k for k = 1 ... n, as float64."""
        steps = np.zeros((self.queries, self.longest))
        steps[self.row, self.rank - 1] = 1
        return np.cumsum(steps, axis=1, out=steps)

    def result(self, values):
        """The (Q, ...) values in the shape of the batch; a scalar for one ranking."""
        return values.reshape(self.shape + values.shape[1:])[()]


def as_hits(relevance):
    """The `Hits` given, or those of an array of grades."""
    return relevance if isinstance(relevance, Hits) else Hits.from_relevance(relevance)


def frozen(array):
    """The same array, which nobody can change any more: it is shared by all metrics."""
    array.setflags(write=False)
    return array


def iterable(entry):
    return hasattr(entry, "__iter__") and not isinstance(entry, (str, bytes)) and (not isinstance(entry, np.ndarray) or entry.ndim > 0)


def ratio(numerator, denominator):
    """numerator / denominator, where 0/0 is nan (undefined) and warns nobody."""
    numerator, denominator = np.broadcast_arrays(numerator, denominator)
    undefined = np.full(numerator.shape, np.nan)
    return np.divide(numerator, denominator, out=undefined, where=denominator != 0)


def nonzero(flat):
    """The positions of the nonzero entries, eight bytes at a glance: most words of a ranking are zero."""
    per_word = 8 // flat.itemsize
    if per_word == 0:
        return np.flatnonzero(flat != 0)
    whole_part = flat.size - flat.size % per_word
    words = flat[:whole_part].view(np.uint64)
    # `!= 0` first: on numbers, flatnonzero branches at each entry and is seven times slower than on bool.
    busy = np.flatnonzero(words != 0)
    if 4 * busy.size > words.size:
        return np.flatnonzero(flat != 0)
    inside = np.flatnonzero(words[busy].view(flat.dtype) != 0)
    found = busy[inside // per_word] * per_word + inside % per_word
    return np.concatenate([found, whole_part + np.flatnonzero(flat[whole_part:] != 0)])


def checked_ranks(name, ranks, length):
    """The ranks of one query, ascending."""
    if not iterable(ranks):
        complain(name, repr(ranks), "a list of 1-based ranks")
    ranks = sorted(whole(name, rank, at_least=1) for rank in ranks)
    if ranks and ranks[-1] > length:
        complain(name, f"rank {ranks[-1]}", f"at most the length {length}")
    for one, next_one in zip(ranks, ranks[1:]):
        if one == next_one:
            complain(name, f"rank {one} twice", "distinct ranks")
    return ranks
