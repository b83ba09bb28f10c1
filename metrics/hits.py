"""`Hits`: a batch of rankings as the ranks of its relevant items, found once for all metrics (long: its constructors and what metrics ask of it)."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping
from functools import cached_property, partialmethod
from typing import Any, Literal, NoReturn, TypeAlias, cast, overload

import numpy as np

from ._base.arrays import bincount, differing, frozen, in_pieces, nonzero_in_rows, ranges, rows
from ._base.checks import (
    by_name,
    checked_ranks,
    choice,
    index_of,
    iterable,
    judgements,
    labels_of,
    number,
    numeric,
    place,
    queries,
    refuse,
    require_same_labels,
    require_same_labels_within,
    unordered,
    whole,
    whole_numbers,
)
from ._base.columns import of_queries
from ._base.keyed import Missing, by_key, named_by_key
from ._base.lookup import JudgedItems, by_arrays, by_dictionary, flattened
from ._base.scored import Blocks, Places, alike, item, ranks_as_given, refuse_nan, standing
from ._base.types import Array, ByQuery, Floats, Grades, Ids, Ints, Number, Numbers, Shape, Whole

__all__ = ["Hits"]

FEW = 16  # hits a query, of as many queries or more, that are counted faster than they are searched


class RelevantItems:
    """The relevant items of a batch of rankings, either with ranks (`Hits`) or with ties (`TiedHits`); neither these
    objects nor their copies can be changed.
    """

    shape: Shape
    queries: int
    length: Ints
    longest: int
    row: Ints
    grade: Floats
    count: Ints
    in_all: Ints
    graded: Any
    knows_n_relevant: bool
    irrelevant: Hits | None
    unjudged: Hits | None
    query_ids: tuple[Any, ...] | None
    index: Any

    def __init__(
        self, shape: Shape, length: Any, row: Ints, grade: Floats, in_all: Numbers | None, places: dict[str, Any], *,
        graded: Any = False, count: Ints | None = None, ideal: Hits | None = None, irrelevant: Hits | None = None,
        unjudged: Hits | None = None, query_ids: tuple[Any, ...] | None = None, index: Any = None,
    ) -> None:  # fmt: skip
        queries, row = math.prod(shape), frozen(np.asarray(row, dtype=np.int64))
        count = frozen(bincount(row, minlength=queries) if count is None else count)
        vars(self).update(
            places, shape=shape, queries=queries, row=row, grade=frozen(grade), count=count, in_all=count, graded=False,
            length=np.broadcast_to(np.array(length, dtype=np.int64), queries), longest=int(np.max(length, initial=0)),
            knows_n_relevant=in_all is not None, irrelevant=irrelevant, unjudged=unjudged, query_ids=query_ids, index=index,
        )  # fmt: skip
        vars(self).update({"ideal": ideal} if ideal else {}, in_all=self.relevant(in_all), graded=graded)

    def __setattr__(self, name: str, value: Any) -> NoReturn:
        raise AttributeError(f"{name}: {type(self).__name__} cannot be changed; top(k) and at_level(level) return new ones")

    __delattr__: Any = partialmethod(__setattr__, value=None)

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Restore a copy or a pickle, which cannot be changed either."""
        vars(self).update({name: frozen(its) if isinstance(its, np.ndarray) else its for name, its in state.items()})

    def __repr__(self) -> str:
        shortest = int(self.length.min(initial=self.longest))
        length = self.longest if shortest == self.longest else f"{shortest} to {self.longest}"
        return f"Hits(shape={self.shape}, length={length}, hits={self.row.size})"

    @property
    def n_relevant(self) -> Ints:
        """(Q,) |A|, the number of relevant items of each query, ranked or not."""
        return self.in_all

    @property
    def labels(self) -> dict[str, Any]:
        """The ids and the index of the queries, to be passed on to other hits for the same queries."""
        return {"query_ids": self.query_ids, "index": self.index}

    @cached_property
    def start(self) -> Ints:
        """(Q,) the place of each query's first hit in `row`, `rank`, `grade` and `ordinal`."""
        return frozen(np.cumsum(self.count) - self.count)

    @cached_property
    def ordinal(self) -> Ints:
        """(H,) 1 for the first hit of its query, then 2, ..."""
        ordinal = np.arange(1, self.row.size + 1, dtype=np.int64)
        for some in in_pieces(ordinal.size):
            ordinal[some] -= self.start[self.row[some]]
        return frozen(ordinal)

    @cached_property
    def best_first(self) -> Hits:
        """The same hits in the best order: the highest grades first, at ranks 1, 2, ..."""
        grade, some = self.grade, differing(self.grade)
        if not (some == some[:1]).all():
            grade = grade[np.lexsort((-grade, self.row))]
        return Hits(self.shape, self.length, self.row, self.ordinal, grade, count=self.count, on_top=True)

    @cached_property
    def ideal(self) -> Hits:
        """The relevant items with known grades, in the best order."""
        return self.best_first

    def ranked(self, rank: Ints, grade: Floats) -> Hits:
        """Hits with the given ranks and grades, as many for each query as there are here; the ranks ascend within a query."""
        return Hits(self.shape, self.length, self.row, rank, grade, self.count.reshape(self.shape), **self.labels)

    def relevant(self, n_relevant: Numbers | None = None) -> Ints:
        """(Q,) |A| of each query: the caller's number, or else the number with which these hits were made."""
        if n_relevant is None:
            return self.in_all
        require_same_labels(relevance=self, n_relevant=n_relevant)
        given = whole_numbers("n_relevant", n_relevant, self.shape)
        for bad, right, expected in (
            (given < self.count, self.count, "at least the {} relevant items in the ranking"),
            (self.graded & (given != self.in_all), self.in_all, "the {} grades above 0 of the mapping"),
        ):
            for query in np.flatnonzero(bad):
                refuse("n_relevant", f"{given[query]}{self.named(query)}", expected.format(right[query]))
        return frozen(given)

    def named(self, query: Any) -> str:
        """The query, for a message; empty if there is only one ranking."""
        return f" for query {place(query, self.shape)}" if self.shape else ""

    def total(self, weight: Array, seen: Any = slice(None), count: Ints | None = None) -> Floats:
        """(Q,) the sum of `weight` over the hits of each query, with one weight for each hit or for each hit in
        `seen`; `count` (Q,) is the number of hits summed for each query.
        """
        whole, count = count is None, self.count if count is None else count
        if count.max(initial=0) <= 2:  # two numbers add up alike in both ways, so a value never depends on other queries
            return bincount(self.row[seen], weight, minlength=self.queries)
        total, some = np.zeros(self.queries), count > 0
        first = self.start if whole else np.cumsum(count) - count
        total[some] = np.add.reduceat(weight, first[some].astype(np.intp, copy=False), dtype=np.float64)
        return total

    def result(self, values: Array) -> Any:
        """The (Q, ...) values in the shape of the batch; a scalar for one ranking."""
        return of_queries(values.reshape(self.shape + values.shape[1:])[()], self.query_ids)


class Hits(RelevantItems):
    """The hit positions of a batch of rankings.

    Made by `from_relevance`, `from_ids`, `from_ranks`, `from_scores` or `from_judged`; functions with an
    argument `relevance` take `Hits` there. With H hits in all and Q queries (the leading axes, flattened):

    shape: the leading axes (...,), () for one ranking.
    length: (Q,) the number of items in each ranking; longest: the largest of these.
    row: (H,) the query of each hit, ascending.
    rank: (H,) its 1-based rank, ascending in a query.
    ordinal: (H,) 1 for the first hit of its query, then 2 ...
    grade: (H,) its grade, > 0.
    count: (Q,) the number of hits of each query.
    n_relevant: (Q,) |A|, at least `count`.
    in_all: (Q,) the number of items of this kind, ranked or not: the same as n_relevant, or, for `irrelevant`, the number of irrelevant items.
    graded: (Q,) whether grades by id were given, in a mapping or a column; or False for all.
    ideal: the relevant items whose grades are known, ranked or not, as `Hits` in the best order.
    irrelevant: the items judged irrelevant, as `Hits`, where a mapping says so; else None.
    unjudged: the ranked items to which a mapping gives a negative grade, with these grades, as `Hits`; else None.
    query_ids: the ids of the queries, where they have some; else None. Values of a metric then know them, too.
    index: that of the pandas object that the queries came in; else None.

    >>> hits = Hits.from_relevance([0, 1, 0, 1, 1, 0])
    >>> hits.rank.tolist(), hits.ordinal.tolist()
    ([2, 4, 5], [1, 2, 3])
    """

    rank: Ints
    on_top: bool  # whether nothing stands above a hit but hits

    def __init__(
        self, shape: Shape, length: Any, row: Ints, rank: Ints, grade: Floats, n_relevant: Numbers | None = None, *, on_top: bool = False, **known: Any
    ) -> None:
        super().__init__(shape, length, row, grade, n_relevant, {"rank": frozen(np.asarray(rank, dtype=np.int64)), "on_top": on_top}, **known)

    @classmethod
    def from_relevance(cls, relevance: Numbers, n_relevant: Numbers | None = None) -> Hits:
        """The hits of an array of grades in rank order.

        relevance: (..., n) bool, 0/1 or grades >= 0. n_relevant: |A|, broadcast to (...,); default:
        the number of hits.
        Raises ValueError for text, ragged rows, a single value, grades that are nan, infinite or
        negative.

        >>> Hits.from_relevance([[0, 1], [0, 0]], n_relevant=1).count.tolist()
        [1, 0]
        """
        require_same_labels(relevance=relevance, n_relevant=n_relevant)
        array = numeric("relevance", relevance, "finite grades >= 0")
        if array.ndim == 0:
            lone = f"the single value {array[()]}"
            refuse("relevance", lone, "at least one ranking, such as [0, 1, 0]")
        *shape, length = array.shape
        row, rank, count, grade = nonzero_in_rows(array)
        some = differing(grade)
        if not (some.min(initial=1) > 0 and some.max(initial=1) < np.inf):
            [bad, *_] = np.flatnonzero(~((grade > 0) & (grade < np.inf)))
            where = f"query {place(row[bad], shape)}, rank {rank[bad]}" if shape else f"rank {rank[bad]}"
            refuse("relevance", f"{grade[bad]} at {where}", "finite grades >= 0")
        return cls(tuple(shape), length, row, rank, grade, n_relevant, count=count, **labels_of_queries(shape, relevance))

    @classmethod
    @by_name
    def from_ids(cls, *, rankings: ByQuery[Ids], relevant: ByQuery[Ids | Grades], missing: Missing = "raise") -> Hits:
        """The hits of lists of ids, given the relevant ids or the grades for each query.

        rankings: for each query a list of distinct ids, best first; the lists may differ in length.
        relevant: for each query a collection of distinct ids, or a mapping id -> grade: a grade
        above 0 is relevant with that gain, 0 is judged irrelevant, a negative or absent one is
        unjudged. A collection judges every ranked item; a Series is the collection of its values, so hand
        over `.to_dict()` where it has grades by id. What is relevant and was not ranked is a
        miss, and `ndcg` and `bpref` know it.
        Both may be mappings by query; then they are paired by key, and the hits know the `query_ids`.
        missing: what becomes of a key that one side lacks: "raise"; "skip", only keys of both sides count; or "empty", nothing
        was ranked, or is relevant, there.
        Raises ValueError for duplicates, text in place of a list, a grade that is no finite number,
        different numbers of queries, a key that one side lacks, and ids of kinds that are never equal, such as text and whole
        numbers.

        >>> hits = Hits.from_ids(rankings=[["x", "a", "y"]], relevant=[{"a": 1, "b": 2, "x": 0}])
        >>> hits.rank.tolist(), hits.n_relevant.tolist(), hits.ideal.grade.tolist()
        ([2], [2], [2.0, 1.0])
        """
        require_same_labels(rankings=rankings, relevant=relevant)
        keys, (rankings, relevant) = by_key(missing, rankings=rankings, relevant=relevant)
        with named_by_key(keys, rankings="rankings", relevant="relevant"):
            listed, judged = queries("rankings", rankings), list(queries("relevant", relevant))
            if keys and any(isinstance(ids, Mapping) for ids in listed):
                refuse("rankings", "documents with scores", "lists of ids, best first; metrics.evaluate(runs, measures, qrels=...) takes scores")
            return cls.from_lists(listed, judged, **labels_of_queries((len(judged),), rankings, relevant, keys=keys))

    @classmethod
    def from_lists(cls, rankings: Iterable[Any], relevant: list[Any], **labels: Any) -> Hits:
        """The hits of lists of ids, given the relevant ids or the grades for each list; `labels` are those of the queries."""
        found = by_arrays(rankings, relevant)
        if found is None:
            relevant = judgements("relevant", relevant)
            found = by_dictionary(rankings, relevant)
        mappings = {kind for kind in set(map(type, relevant)) if issubclass(kind, Mapping)}
        graded = [type(wanted) in mappings for wanted in relevant]
        return cls.from_found(found, np.array(graded, dtype=bool), **labels)

    @classmethod
    def from_ranks(
        cls, ranks: Iterable[Any], length: Numbers, n_relevant: Numbers | None = None
    ) -> Hits:
        """The hits of rankings known only by the 1-based ranks of their relevant items.

        ranks: whole numbers, distinct, in any order, for one ranking; or one such list for each
        query.
        length: how many items were ranked, one number or one for each query. n_relevant: |A|; default: the number of hits.
        Raises ValueError for a rank below 1 or above the length, and for a rank given twice.

        >>> Hits.from_ranks([[5, 2], []], length=6, n_relevant=3).count.tolist()
        [2, 0]
        """
        if not iterable(ranks) or isinstance(ranks, Mapping):
            refuse("ranks", repr(ranks), "a list of 1-based ranks, or one such list for each query")
        require_same_labels(ranks=ranks, length=length, n_relevant=n_relevant)
        two_axes = isinstance(ranks, np.ndarray) and ranks.ndim == 2
        given, ranks = ranks, list(ranks)
        batch = two_axes or any(map(iterable, ranks))
        if batch and unordered(given):
            refuse("ranks", f"a {type(given).__name__}, which has no order", "a list of ranks for each query")
        shape = (len(ranks),) if batch else ()
        lengths = whole_numbers("length", length, shape)
        lists = {f"ranks[{query}]": entries for query, entries in enumerate(ranks)} if batch else {"ranks": ranks}
        checked = [
            checked_ranks(name, entries, limit)
            for (name, entries), limit in zip(lists.items(), lengths.tolist())
        ]
        row, rank = flattened(checked, np.int64)
        return cls(shape, lengths, row, rank, np.ones(rank.size), n_relevant, **labels_of_queries(shape, given))

    @overload
    @classmethod
    def from_scores(cls, *, scores: Numbers, labels: Numbers, ties: Literal["mean"]) -> TiedHits: ...
    @overload
    @classmethod
    def from_scores(cls, *, scores: Numbers, labels: Numbers, ties: Literal["raise", "stable", "best", "worst"]) -> Hits: ...
    @classmethod
    @by_name
    def from_scores(cls, *, scores: Numbers, labels: Numbers, ties: Literal["raise", "stable", "best", "worst", "mean"]) -> Hits | TiedHits:
        """The hits of scored items in any order, the highest score first.

        scores: (..., n) numbers, not nan, compared as NumPy holds them (Fractions, and whole numbers beyond
        64 bits, as float64, if it tells them apart); labels: bool, 0/1 or grades >= 0 of the same shape.
        ties: what becomes of items of one score. "raise" refuses them where their order makes a
        difference, that is, where their grades differ; "stable" keeps the order of the input;
        "best" puts the higher grade first, and "worst" last; with "mean" they have no order, and
        the functions of `metrics.ties` take these hits for the mean over all orders.
        Raises ValueError for nan scores, bad labels, different shapes, and another `ties`.

        >>> Hits.from_scores(scores=[1, 3, 2], labels=[1, 0, 1], ties="raise").rank.tolist()
        [2, 3]
        """
        choice("ties", ties, ("raise", "stable", "best", "worst", "mean"))
        given, score = scored(scores, labels)
        rows = score.reshape(given.queries, given.longest)
        before, size = by_score(given, score)
        if ties == "stable" and (size > 1).any():
            rank = ranks_as_given(rows, given.row, given.rank - 1, before, size)
            order = np.argsort(given.row * (given.longest + 1) + rank)
            return given.ranked(rank[order], given.grade[order])
        tied = TiedHits(given, before, size)
        if ties == "raise" and (undecided := tied.undecided()).size:
            refuse_tie(rows, tied, undecided[0])
        return tied if ties == "mean" else tied.worst() if ties == "worst" else tied.best()

    @classmethod
    def from_judged(
        cls,
        *,
        length: Ints,
        row: Ints,
        rank: Ints,
        grade: Floats,
        pool_row: Ints,
        pool_grade: Floats,
        query_ids: Iterable[Hashable] | None = None,
    ) -> Hits:
        """The hits from judgements that were already looked up, treated as `from_ids` treats mappings.

        For programs that read files or tables; nothing is checked.
        length: (Q,) how many items each ranking has; row, rank, grade: (J,) the ranked items that the
        judgements name, by row, then by rank: above 0 relevant, 0 irrelevant, below 0 unjudged;
        pool_row, pool_grade: (P,) every judgement of the Q queries, ranked or not, in any order;
        query_ids: the ids of the queries.

        >>> hits = Hits.from_judged(
        ...     length=[3], row=[0, 0], rank=[1, 2], grade=[0, 2], pool_row=[0, 0, 0],
        ...     pool_grade=[1, 2, 0], query_ids=["q1"])
        >>> hits.rank.tolist(), hits.n_relevant.tolist(), hits.irrelevant.rank.tolist()
        ([2], [2], [1])
        """
        length, row, rank, pool_row = (
            np.asarray(whole, dtype=np.int64) for whole in (length, row, rank, pool_row)
        )
        grade, pool_grade = np.asarray(grade), np.asarray(pool_grade)
        found = JudgedItems(length, row, rank, grade, pool_row, pool_grade)
        return cls.from_found(found, np.ones(length.size, dtype=bool), query_ids=None if query_ids is None else tuple(query_ids))

    @classmethod
    def from_found(cls, found: JudgedItems, graded: Array, **labels: Any) -> Hits:
        """The hits among the ranked items that the judgements name; `graded`: (Q,) whether these came from a mapping;
        `labels` are those of the queries.
        """
        length, row, rank, grade, pool_row, pool_grade = found
        shape, queries = length.shape, length.size
        if not graded.any():
            total = bincount(pool_row, minlength=queries)
            return cls(shape, length, row, rank, grade, total, **labels)

        def those(ranked: Array, pooled: Array, **known: Any) -> Hits:
            total = bincount(pool_row[pooled], minlength=queries)
            items = row[ranked], rank[ranked], grade[ranked].astype(np.float64)
            return cls(shape, length, *items, total, graded=graded, **known)

        wanted = pool_grade > 0
        relevant = np.flatnonzero(wanted)
        if (np.diff(pool_row) < 0).any():
            relevant = relevant[np.argsort(pool_row[relevant], kind="stable")]
        items = pool_row[relevant], relevant, pool_grade[relevant].astype(np.float64)
        ideal = cls(shape, bincount(pool_row[relevant], minlength=queries), *items).best_first
        irrelevant, unjudged = those(grade == 0, pool_grade == 0), those(grade < 0, pool_grade < 0)
        return those(grade > 0, wanted, ideal=ideal, irrelevant=irrelevant, unjudged=unjudged, **labels)

    def top(self, k: Whole) -> Hits:
        """The same queries, with their rankings cut at rank k.

        k: one whole number >= 1. The length becomes min(length, k). What is known of the queries
        stays: R, the ideal and what a mapping judged; so recall, AP and nDCG count what the cut
        removed as missed. A ranking without a mapping judges the items that are left.
        Raises ValueError for a bad k.

        >>> cut = Hits.from_relevance([0, 1, 0, 1]).top(3)
        >>> cut.rank.tolist(), cut.length.tolist(), cut.n_relevant.tolist()
        ([2], [3], [2])
        """
        k = min(whole("k", k, at_least=1), self.longest)
        others = {name: its and its.top(max(k, 1)) for name, its in (("irrelevant", self.irrelevant), ("unjudged", self.unjudged))}
        return self.only(self.rank <= k, np.minimum(self.length, k), self.in_all, ideal=self.ideal, **others)

    def at_level(self, level: Number) -> Hits:
        """The same queries, but only grades of at least the level count as relevant.

        level: one number > 0; trec_eval's `-l`. What is below it counts as judged irrelevant; R and
        the ideal follow, and what is unjudged stays so. Metrics with gains (DCG, nDCG, ERR) then
        see nothing below the level, while those of trec_eval count a gain for every grade: ask them
        of the original.
        Raises ValueError for a bad level, and where the level needs the grades of relevant items
        that were only counted; next to hits of grade 1 they have grade 1 at a level of at most 1.

        >>> hits = Hits.from_relevance([1, 0, 2, 3]).at_level(2)
        >>> hits.rank.tolist(), hits.grade.tolist(), hits.n_relevant.tolist()
        ([3, 4], [2.0, 3.0], [2])
        """
        least: Any = number("level", level, "> 0", lambda x: 0 < x < math.inf)
        known, relevant = self.ideal, self.grade >= least
        counted = self.n_relevant - known.count
        all_ones = bincount(known.row[known.grade != 1], minlength=self.queries) == 0
        for query in np.flatnonzero((counted > 0) & ~(all_ones & (least <= 1))):
            items = f"{counted[query]} of the {self.n_relevant[query]} relevant items have no known grade"
            refuse("level", f"{least}{self.named(query)}, although {items}", "a mapping id -> grade")
        high = known.grade >= least
        total = bincount(known.row[high], minlength=self.queries) + counted
        irrelevant = self.irrelevant and self.irrelevant.merged(self.only(~relevant, self.length, self.in_all - total))
        ideal = known.only(high, total, None)
        in_all = total if self.knows_n_relevant else None
        return self.only(relevant, self.length, in_all, ideal=ideal, irrelevant=irrelevant, unjudged=self.unjudged)

    def only(self, kept: Array, length: Ints, in_all: Ints | None, **known: Any) -> Hits:
        """The same queries with rankings of the given length and with only some of the hits."""
        given = None if in_all is None else in_all.reshape(self.shape)
        row, rank, grade = self.row[kept], self.rank[kept], self.grade[kept]
        return Hits(self.shape, length, row, rank, grade, given, graded=self.graded, **self.labels, **known)

    def merged(self, others: Hits) -> Hits:
        """The hits of both arguments, which are different items of the same rankings."""
        row, rank, grade = (
            np.concatenate([getattr(self, name), getattr(others, name)])
            for name in ("row", "rank", "grade")
        )
        order = np.lexsort((rank, row))
        total = (self.in_all + others.in_all).reshape(self.shape)
        return Hits(self.shape, self.length, row[order], rank[order], grade[order], total)

    def above(self, others: Hits) -> Ints:
        """(H,) how many of the hits in `others` are above each hit of this object in the same query."""
        width = max(self.longest, others.longest) + 1
        keys, places = others.row * width + others.rank, self.row * width + self.rank
        return np.searchsorted(keys, places) - others.start[self.row]

    def within(self, k: Any) -> Ints:
        """(Q,) the number of hits in the top k, for one k or for one k per query."""
        if self.on_top:
            return np.minimum(self.count, k)
        if self.are_few:
            limit = k if np.ndim(k) == 0 else k[self.row]
            return bincount(self.row[self.rank <= limit], minlength=self.queries)
        most, last = int(min(self.count.max(), np.max(k))), self.row.size - 1
        found, step = np.zeros(self.queries, dtype=np.int64), 1 << most.bit_length()
        while step := step // 2:  # the ranks of a query ascend, so they can be halved
            there = found + step
            fits = (there <= self.count) & (self.rank[np.minimum(self.start + there - 1, last)] <= k)
            found = np.where(fits, there, found)
        return found

    def seen(self, k: int) -> tuple[Ints, Ints]:
        """The positions of all hits in the top k, and (Q,) how many of these each query has."""
        if self.are_few and not self.on_top:
            places = np.flatnonzero(self.rank <= k)
            return places, bincount(self.row[places], minlength=self.queries)
        count = self.within(k)
        return ranges(self.start, count), count

    @property
    def are_few(self) -> bool:
        """Whether there are so few hits that counting them is faster than searching them."""
        return self.row.size < FEW * max(self.queries, FEW)

    def accumulate(self, combine: np.ufunc, values: Floats) -> Floats:
        """(H,) each value combined with all earlier ones of its query; `combine` is associative."""
        values, step = values.copy(), 1
        while step < self.count.max(initial=0):
            later = np.flatnonzero(self.ordinal > step)
            values[later] = combine(values[later], values[later - step])
            step *= 2
        return values

    def curve(self) -> Floats:
        """(Q, n) the number of hits in the top k for k = 1 ... n, as float64."""
        steps = np.zeros((self.queries, self.longest))
        steps[self.row, self.rank - 1] = 1
        return np.cumsum(steps, axis=1, out=steps)

class NoOneOrder(ValueError, AttributeError):
    """The error raised if ranks are needed but tied scores give none."""


class TiedHits(RelevantItems):
    """The relevant items of scored queries with unordered ties (hence no `rank`), sorted by row, then by block, then by descending grade."""

    before: Ints  # (H,) the items of higher score
    size: Ints  # (H,) the items of the same score
    untied: bool  # whether each block has one item

    def __init__(self, given: Hits, before: Ints, size: Ints, **labels: Any) -> None:
        width, grade = given.longest + 1, given.grade
        key = given.row * width + before
        untied = bool((size == 1).all())
        if untied and alike(grade):
            key = np.sort(key)
        elif (np.diff(key) <= 0).any():
            order = np.argsort(key) if alike(grade) else np.lexsort((-grade, key))
            key, size, grade = key[order], size[order], grade[order]
        row = key // width
        ties = {"before": key - row * width, "size": size, "untied": untied}
        super().__init__(given.shape, given.length, row, grade, given.count.reshape(given.shape), ties, **given.labels | labels)

    def __getattr__(self, name: str) -> NoReturn:
        """Refuse attributes that only hits with ranks have; every metric of a single order asks for one of these."""
        if name != "rank" and not hasattr(Hits, name):
            raise AttributeError(f"'TiedHits' has no attribute {name!r}")
        means = "average_precision, ndcg, precision_at or reciprocal_rank of metrics.ties, auc_from_scores or evaluate"
        raise NoOneOrder(f'relevance: got Hits with ties="mean", which have no single order, expected hits in one order; for the mean over orders use {means}')

    @cached_property
    def block(self) -> Blocks:
        """The blocks of equal scores that contain a hit."""
        same = (np.diff(self.before) == 0) & (np.diff(self.row) == 0)
        first = np.flatnonzero(np.append(True, ~same)[: self.row.size]).astype(np.int64, copy=False)
        row, relevant = self.row[first], np.diff(first, append=self.row.size)
        above = first - self.start[row]
        return Blocks(row, self.before[first], above, self.size[first], relevant, first)

    @cached_property
    def number(self) -> Ints:
        """(H,) the block of each hit."""
        return rows(self.block.relevant)

    @cached_property
    def place(self) -> Ints:
        """(H,) 1 for the first hit of its block, then 2, ..."""
        return np.arange(1, self.row.size + 1) - self.block.first[self.number]

    def block_mean(self, values: Floats) -> Floats:
        """(B,) the mean over the items of each block; `values` (H,) are the values at the hits."""
        return bincount(self.number, values, minlength=self.block.size.size) / self.block.size

    def mean_sum(self, term: Callable[[Places], Floats]) -> Floats:
        """(Q,) the sum of a term (b, size) over all places of the blocks."""
        sums = np.zeros(self.block.size.size)
        for block in self.block.places():
            sums[block.index] = term(block).sum(axis=-1)
        return bincount(self.block.row, sums, minlength=self.queries)

    def undecided(self) -> Ints:
        """The blocks whose order matters because their grades differ."""
        if self.untied:
            return np.array([], dtype=np.int64)
        block = self.block
        highest = self.grade[block.first]
        lowest = self.grade[block.first + block.relevant - 1]
        return np.flatnonzero((block.relevant < block.size) | (lowest < highest))

    def best(self) -> Hits:
        """The hits in the order that puts the higher grades first in each tie."""
        place = 1 if self.untied else self.place
        return self.ranked(self.before + place, self.grade)

    def worst(self) -> Hits:
        """The hits in the order that puts the lower grades first in each tie, beginning with the irrelevant items."""
        if self.untied:
            return self.best()
        relevant, first = self.block.relevant[self.number], self.block.first[self.number]
        last = self.before + self.size - relevant
        return self.ranked(last + self.place, self.grade[first + relevant - self.place])


Relevance: TypeAlias = Numbers | Hits | TiedHits  # grades in rank order, or the hits made of them


def as_hits(relevance: Relevance) -> Hits:
    """The given hits, or the hits of an array of grades; tied hits raise an error once a rank is needed."""
    return cast("Hits", relevance) if isinstance(relevance, RelevantItems) else Hits.from_relevance(relevance)


def labels_of_queries(shape: Collection[int], *given: Any, keys: Iterable[Any] | None = None) -> dict[str, Any]:
    """The ids and the index of the queries, if each entry or row of the arguments is a query; the ids are its labels, or else `keys`."""
    if len(shape) != 1:
        return {}
    index = next((index for each in given if (index := index_of(each)) is not None), None)
    ids = next((labels for each in given if (labels := labels_of(each)) is not None), keys)
    return {"index": index, "query_ids": None if ids is None else tuple(ids)}


def scored(scores: Numbers, labels: Numbers, binary: bool = False) -> tuple[Hits, Array]:
    """The relevant items, with their position in the input as rank, and the scores."""
    require_same_labels_within(scores=scores, labels=labels)
    expected = "0/1 or bool" if binary else "finite grades >= 0"
    score, label = numeric("scores", scores, apart=True), numeric("labels", labels, expected)
    if score.ndim == 0:
        refuse("scores", f"the single value {score[()]}", "at least one list of scores")
    if label.shape != score.shape:
        refuse("labels", f"shape {label.shape}", f"the shape {score.shape} of the scores")
    refuse_nan(score)
    row, rank, count, grade = nonzero_in_rows(label)
    *shape, length = score.shape
    fine = grade == 1 if binary else (grade > 0) & (grade < np.inf)
    for bad in np.flatnonzero(~fine)[:1]:
        position = row[bad] * length + rank[bad] - 1
        refuse("labels", f"{label.flat[position]}{'' if binary else item(position, score.shape)}", expected)
    return Hits(tuple(shape), length, row, rank, grade, count=count, **labels_of_queries(shape, scores, labels)), score


def refuse_tie(rows: Array, tied: TiedHits, block: int) -> NoReturn:
    """Refuse a tie; the error names its query and its score."""
    row, before, size = (of[block] for of in (tied.block.row, tied.block.before, tied.block.size))
    score = np.sort(rows[row])[tied.longest - 1 - before]
    given = f"{size} items of score {score} and different grades{tied.named(row)}"
    refuse("scores", given, 'distinct scores, or ties="mean", "best", "worst" or "stable"')


def by_score(placed: Hits, score: Array) -> tuple[Ints, Ints]:
    """(H,) how many items score more than each hit, and how many score the same; each hit's rank is its position in the input."""
    rows = score.reshape(placed.queries, placed.longest)
    return standing(rows, placed.row, placed.rank - 1, alike(placed.grade))
