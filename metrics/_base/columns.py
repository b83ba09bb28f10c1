"""Values with their topics, one value per topic: columns with different topics cannot be combined entry by entry,
whether in this package, in a universal function of NumPy, or in one of the functions in `ENTRIES_MEET`.

An `Evaluation` could keep the topics of its measures without columns. But without them the values of a single metric would
be unsafe: `average_precision(hits_a) - average_precision(hits_b)`, or `compare` of the two, pairs topics by position if the values are
plain arrays, and a run that lacks a topic is then silently compared with other topics. So each value keeps its topic, which it has from the hits.

Some uses cannot be checked. Functions that ask for plain arrays, such as those of SciPy and some of NumPy, go by position, and so does
whatever makes a column into a Series, a frame or a part of one; another shape (`c[:, None]`) has no topics; and `random.shuffle`, which
assigns one number after the other, leaves the topics where they were. Nor can pandas check `series -= column`: write `series = series - column`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from .checks import WITHOUT_LABELS, labels_of, require_same_labels
from .types import Array

ENTRY_BY_ENTRY = (np.where, np.nan_to_num)  # besides all universal functions
JOIN = (np.concatenate, np.hstack)
ASSIGN = (np.copyto, np.putmask, np.place)
ENTRIES_MEET = (
    *ENTRY_BY_ENTRY, *ASSIGN, np.select, np.choose, np.piecewise, np.extract, np.compress, np.lexsort,
    np.dot, np.vdot, np.inner, np.tensordot, np.einsum, np.correlate, np.cross, np.corrcoef, np.cov, np.polyfit, np.interp,
    np.stack, np.vstack, np.dstack, np.column_stack, np.array_equal, np.array_equiv,
    np.average, np.quantile, np.percentile, np.bincount, np.histogram, np.histogram2d,
)  # fmt: skip
WITH_NEIGHBOURS = ("diff", "ediff1d", "gradient", "trapezoid", "trapz")  # in one column, entries of different topics meet here, as they should
SIDES = ("the left side", "the right side", "the third")


class Column(np.ndarray[Any, np.dtype[Any]]):
    """An array (Q,) that knows the topic of each value; otherwise it is an ordinary array, and is printed like one.

    topics: the ids, a tuple; None once the values no longer belong to the topics one by one, as after this array, or a
    view of the same values, was sorted, or after several plain values were assigned.
    Parts, copies and what is computed entry by entry keep their topics. A computation entry by entry is refused if
    columns with different topics meet in it.
    """

    __array_priority__, __pandas_priority__ = 2000, 3500  # so that a Series on the left hands over to the right side
    _topics: tuple[Any, ...] | None = None
    _moved: Any = ()  # a list that all views of the same values share, empty until the values move

    def __new__(cls, values: Any, topics: Iterable[Any] | None) -> Column:
        column = np.asarray(values).view(cls)
        column._topics, column._moved = None if topics is None else tuple(topics), []
        return column

    def __array_finalize__(self, source: Any) -> None:
        """Share the source's record of whether the values were moved, if this is a view."""
        if isinstance(source, Column) and self.base is not None:
            self._moved = source._moved

    @property
    def topics(self) -> tuple[Any, ...] | None:
        known = self._topics is not None and not self._moved and self.shape == (len(self._topics),)
        return self._topics if known else None

    @topics.setter
    def topics(self, topics: tuple[Any, ...] | None) -> None:
        self._topics, self._moved = topics, []

    def __repr__(self) -> str:
        return repr(np.asarray(self))

    def __iter__(self) -> Any:
        return iter(np.asarray(self)) if self.ndim == 1 else super().__iter__()

    def __getitem__(self, key: Any) -> Any:
        key = key[0] if isinstance(key, tuple) and len(key) == 1 else key
        part = super().__getitem__(key)
        if self.topics is not None and isinstance(part, Column) and part.ndim == 1:
            require_same_labels(values=self, index=key)
            part.topics = tuple(self.topics[place] for place in np.arange(self.size)[key].tolist())
            part._moved = self._moved if isinstance(key, slice) else []
        return part

    def __setitem__(self, key: Any, value: Any) -> None:
        require_same_labels(values=self[key], value=value)
        self.assigned(value)
        super().__setitem__(key, plain(value))

    def put(self, indices: Any, values: Any, mode: Any = "raise") -> None:
        require_same_labels(values=self[indices], value=values)
        self.assigned(values)
        super().put(indices, plain(values), mode)

    def __array_ufunc__(self, ufunc: Any, method: Any, *inputs: Any, **kwargs: Any) -> Any:
        if method == "__call__" and not kwargs and (ufunc.nout, ufunc.signature) == (1, None) and QUICK.issuperset(map(type, inputs)):
            known = [each.topics for each in inputs if type(each) is Column]
            if known[0] is not None and known.count(known[0]) == len(known):
                return Column(ufunc(*map(plain, inputs)), known[0])
        one_by_one, out = method == "__call__", kwargs.pop("out", ())
        if method == "at" and len(inputs) > 2:
            require_same_labels(values=inputs[0][inputs[1]], value=inputs[2])
        if "where" in kwargs:
            require_same_labels(values=inputs[0], where=kwargs["where"], out=out[0] if out else None)
        topics = topics_of(inputs) if one_by_one else None
        options = {name: plain(value) for name, value in kwargs.items()} | ({"out": tuple(map(plain, out))} if out else {})
        found = getattr(ufunc, method)(*map(plain, inputs), **options)
        if not (out or one_by_one):
            return found
        filled = out or (found if isinstance(found, tuple) else (found,))
        made = tuple(each if out and not isinstance(each, Column) else labelled(each, topics) for each in filled)
        return made if len(made) > 1 else made[0]

    def __array_function__(self, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
        sides = [*args, *kwargs.values()]
        if func in ENTRIES_MEET or func.__name__ in WITH_NEIGHBOURS:
            topics_of(side for given in sides for side in (given if isinstance(given, (list, tuple)) else [given]))
        if func in ENTRY_BY_ENTRY:
            return labelled(super().__array_function__(func, types, args, kwargs), topics_of(sides))
        if func in ASSIGN and isinstance(args[0], Column):
            args[0].assigned(args[-1])
        if func.__name__ in WITH_NEIGHBOURS:
            return func(*map(plain, args), **kwargs)
        if func in JOIN:
            parts: list[Any] = [getattr(part, "topics", None) for part in sides[0]]
            topics = None if None in parts else sum(parts, ())
            return labelled(super().__array_function__(func, types, args, kwargs), topics)
        return super().__array_function__(func, types, args, kwargs)

    def __reduce__(self) -> Any:
        return Column, (np.asarray(self), self.topics)

    def copy(self, order: Any = "C") -> Column:
        return Column(super().copy(order), self.topics)

    def __copy__(self, memo: Any = None) -> Column:
        return self.copy()

    __deepcopy__ = __copy__

    def astype(self, *arguments: Any, **options: Any) -> Any:
        return Column(np.array(np.asarray(self).astype(*arguments, **options)), self.topics)

    def round(self, *arguments: Any, **options: Any) -> Any:
        return Column(np.asarray(self).round(*arguments, **options), self.topics)

    def dot(self, other: Any, *arguments: Any) -> Any:
        require_same_labels(values=self, other=other)
        return np.asarray(self).dot(plain(other), *arguments)

    def sort(self, *arguments: Any, **options: Any) -> None:
        self.forget()
        super().sort(*arguments, **options)

    def partition(self, *arguments: Any, **options: Any) -> None:
        self.forget()
        super().partition(*arguments, **options)

    def assigned(self, values: Any) -> None:
        """Forget the topics if several values without labels are assigned, or if a shuffle assigns values one by one."""
        many, shuffled = np.size(values) > 1, isinstance(values, Column) and not values.ndim
        if shuffled or many and (self.topics is None or labels_of(values) is None):
            self.forget()

    def forget(self) -> None:
        """Record that the values are about to move, for this column and for all views that share them."""
        if isinstance(self._moved, list):
            self._moved.append(True)


QUICK = {Column, np.ndarray, np.float64, float, int}  # all that has labels here is a column


def plain(values: Any) -> Any:
    """A column as a plain array without topics; anything else is unchanged."""
    return np.asarray(values) if isinstance(values, Column) else values


def topics_of(given: Iterable[Any]) -> tuple[Any, ...] | None:
    """The topics that all columns share, or None if one column has lost them; different topics are refused."""
    sides = {SIDES[place] if place < len(SIDES) else f"side {place + 1}": each for place, each in enumerate(given)}
    require_same_labels(**sides)
    topics = [each.topics for each in sides.values() if isinstance(each, Column)]
    return topics[0] if topics and None not in topics else None


def labelled(values: Any, topics: tuple[Any, ...] | None) -> Any:
    """An array of values as a column, with the topics if there is one topic for each value; anything else is unchanged."""
    if isinstance(values, np.ndarray):
        if not isinstance(values, Column):
            return Column(values, topics)
        if topics is None or topics != values.topics:
            values.forget()
            values.topics = topics
    return values


def of_queries(values: Array, query_ids: tuple[Any, ...] | None) -> Any:
    """The values as a column with the ids of the queries, if the queries have ids and there is one value for each query; otherwise unchanged."""
    return values if query_ids is None or values.shape != (len(query_ids),) else Column(values, query_ids)


def with_labels(values: Any, *given: Any) -> Any:
    """The values, each with the label of the entries from which it was computed; unchanged if no argument has labels."""
    if WITHOUT_LABELS.issuperset(map(type, given)):
        return values
    ids = next((labels for each in given if (labels := labels_of(each)) is not None), None)
    return of_queries(np.asarray(values), None if ids is None else tuple(ids))
