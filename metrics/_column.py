"""One value a topic, with the topics: so that two columns are never paired by a position that means another topic in each."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from ._checks import same_labels
from ._types import Array

ENTRY_BY_ENTRY = (np.where, np.nan_to_num)  # besides all universal functions


class Column(np.ndarray[Any, np.dtype[Any]]):
    """An array (Q,) that knows of which topic each value is.

    topics: the ids, a tuple; None once the values are no longer those of the topics one by one.
    Parts, copies and what is computed entry by entry have their topics too; of two columns whose topics differ, nothing
    is computed so. In all else it is an array as any other, and is printed as one.
    """

    topics: tuple[Any, ...] | None = None

    def __new__(cls, values: Any, topics: Iterable[Any] | None) -> Column:
        column = np.asarray(values).view(cls)
        column.topics = None if topics is None else tuple(topics)
        return column

    def __repr__(self) -> str:
        return repr(np.asarray(self))

    def __getitem__(self, key: Any) -> Any:
        part = super().__getitem__(key)
        if self.topics is not None and isinstance(part, Column) and part.ndim == 1:
            same_labels(values=self, index=key)
            part.topics = tuple(self.topics[place] for place in np.arange(self.size)[key].tolist())
        return part

    def __array_ufunc__(self, function: Any, method: Any, *given: Any, out: Any = (), **options: Any) -> Any:
        entry_by_entry = method == "__call__"
        topics = topics_of(given) if entry_by_entry else None
        options = {name: plain(value) for name, value in options.items()} | ({"out": tuple(map(plain, out))} if out else {})
        found = super().__array_ufunc__(function, method, *map(plain, given), **options)
        if found is NotImplemented or not (out or entry_by_entry):
            return found
        made = out or (found if isinstance(found, tuple) else (found,))
        made = tuple(labelled(each, topics) for each in made)
        return made if len(made) > 1 else made[0]

    def __array_function__(self, function: Any, types: Any, arguments: Any, options: Any) -> Any:
        found = super().__array_function__(function, types, arguments, options)
        return labelled(found, topics_of([*arguments, *options.values()])) if function in ENTRY_BY_ENTRY else found

    def __reduce__(self) -> Any:
        return Column, (np.asarray(self), self.topics)

    def copy(self, order: Any = "C") -> Column:
        return Column(super().copy(order), self.topics)

    def __copy__(self) -> Column:
        return self.copy()

    def __deepcopy__(self, memo: Any) -> Column:
        return self.copy()

    def sort(self, *arguments: Any, **options: Any) -> None:
        self.topics = None
        super().sort(*arguments, **options)

    def partition(self, *arguments: Any, **options: Any) -> None:
        self.topics = None
        super().partition(*arguments, **options)


def plain(values: Any) -> Any:
    """The array alone."""
    return np.asarray(values) if isinstance(values, Column) else values


def topics_of(given: Iterable[Any]) -> tuple[Any, ...] | None:
    """The topics that all columns share, None where one has lost them; others are refused."""
    sides = dict(zip(("the left side", "the right side", "the third"), given))
    same_labels(**sides)
    columns = [each.topics for each in sides.values() if isinstance(each, Column)]
    return None if None in columns else columns[0]


def labelled(values: Any, topics: tuple[Any, ...] | None) -> Any:
    """The values as a column, if there is one for each topic."""
    if not isinstance(values, np.ndarray):
        return values
    fits = topics is not None and values.shape == (len(topics),)
    if isinstance(values, Column):
        values.topics = topics if fits else None
        return values
    return Column(values, topics if fits else None)


def of_queries(values: Array, query_ids: tuple[Any, ...] | None) -> Any:
    """The values with the ids of the queries, where there are some and a value for each."""
    return values if query_ids is None or values.shape != (len(query_ids),) else Column(values, query_ids)
