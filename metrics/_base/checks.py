"""Checks of every function's arguments: an error names and shows the bad input, and says what was expected (long: one
check for each kind of argument).
"""

import math
import operator
import sys
from collections.abc import Callable, Collection, Iterable, KeysView, Mapping, Sequence, Set
from fractions import Fraction
from functools import wraps
from inspect import Parameter, signature
from itertools import chain, product, starmap
from numbers import Rational, Real
from typing import Any, NoReturn, ParamSpec, TypeVar

import numpy as np

from .text import visible
from .types import Array, Floats, Grades, Ids, Ints, Lists, Number, Shape

P = ParamSpec("P")
T = TypeVar("T")
BEYOND = "a number beyond the range of floats"
MASKED = "a masked array with masked entries"
OF_MASKS = "numpy.ma"  # NumPy loads it late, and before that there is no masked array
EMPTY = object()
SHOWN = 300  # characters of what was given
LOOKED_UP = "ids that can be looked up, such as text or whole numbers"
OTHERWISE = "; Hits.from_scores makes hits of scores and labels, Hits.from_ids of ids"
PLAIN = {str, int, bool, bytes, np.str_, np.bytes_, np.bool_, np.int32, np.int64}  # kinds of ids that can


def refuse(name: str, given: object, expected: str) -> NoReturn:
    """Raise a ValueError in this package's form; long values are cut, and invisible characters are written out."""
    shown = str(given)
    if len(shown) > SHOWN:
        shown = f"{shown[:SHOWN]}... ({len(shown):,} characters)"
    raise ValueError(visible(f"{name}: got {shown}, expected {expected}"))


def by_name(function: Callable[P, T]) -> Callable[P, T]:
    """Wrap a function: if it gets too many positional arguments, the error says which arguments must be named."""
    kinds = [(name, each.kind, each.default) for name, each in signature(function).parameters.items()]
    first = sum(kind is not Parameter.KEYWORD_ONLY for _, kind, _ in kinds)
    needed = ", ".join(f"{name}=..." for name, kind, default in kinds if kind is Parameter.KEYWORD_ONLY and default is Parameter.empty)

    @wraps(function)
    def named(*given: P.args, **options: P.kwargs) -> T:
        if len(given) > first:
            raise TypeError(f"{function.__name__} takes its arguments by name: {needed}")
        return function(*given, **options)

    return named


def of_hits(function: Callable[P, T]) -> Callable[P, T]:
    """Wrap a function: if it is called as in another library, the error shows how to call it here."""
    call = f"{function.__name__}({', '.join(signature(function).parameters)})"
    return told(function, f"{call}, of grades in rank order or Hits{OTHERWISE}")


def told(function: Callable[P, T], call: str) -> Callable[P, T]:
    """Wrap a function: if it is called with wrong arguments, the error shows the right call."""

    @wraps(function)
    def called(*given: P.args, **options: P.kwargs) -> T:
        try:
            return function(*given, **options)
        except TypeError as error:
            raise TypeError(f"{error}; here it is {call}") from None

    return called


def whole(name: str, value: Any, at_least: int) -> int:
    """One whole number: 3 and np.int64(3) are accepted, True and 3.0 are not."""
    expected = f"one whole number >= {at_least}" + OTHERWISE * (name == "k" and iterable(value))
    if isinstance(value, (bool, np.bool_)) or is_masked(value):
        refuse(name, repr(value), expected)
    try:
        count = operator.index(value)
        float(count)
    except TypeError:
        refuse(name, repr(value), expected)
    except OverflowError:
        refuse(name, BEYOND, expected)
    if count < at_least:
        refuse(name, count, expected)
    return count


def flag(name: str, value: Any) -> bool:
    """The value as a bool, if it is True or False."""
    if not isinstance(value, (bool, np.bool_)):
        refuse(name, repr(value), "True or False")
    return bool(value)


def number(name: str, value: Any, expected: str, allowed: Callable[[Any], bool]) -> Any:
    """One real number, not nan, for which `allowed` is true; `expected` describes such a number in words."""
    expected = f"one number {expected}".rstrip()
    single = isinstance(value, Real) or (isinstance(value, np.ndarray) and value.ndim == 0)
    kind = value.dtype.kind if isinstance(value, (np.generic, np.ndarray)) else "f"
    if not single or isinstance(value, bool) or kind not in "iuf" or is_masked(value):
        refuse(name, repr(value), expected)
    try:
        with np.errstate(over="raise"):
            undefined = math.isnan(value)
    except (OverflowError, FloatingPointError):
        refuse(name, BEYOND, expected)
    if undefined or not allowed(value):
        refuse(name, repr(value), expected)
    return value[()] if isinstance(value, np.ndarray) else value


def number_or_inf(name: str, value: Any) -> float:
    """One real number or infinity, not nan."""
    return float(number(name, value, "or inf", lambda x: True))


def fraction(name: str, value: Any) -> Number:
    """One number in [0, 1]; a rational number stays exact."""
    value = number(name, value, "in [0, 1]", lambda x: 0 <= x <= 1)
    if isinstance(value, Rational):
        return Fraction(int(value.numerator), int(value.denominator))
    return float(value)


def recall_weight(beta: Any) -> float:
    """The square of beta, kept above 0 unless beta is 0, and at most 1e100, where F equals recall in every digit."""
    beta = number("beta", beta, "that is finite and >= 0", lambda b: 0 <= b < math.inf)
    return min(max(float(beta) * float(beta), 1e-317), 1e100) if beta > 0 else 0.0


def choice(name: str, value: Any, options: Iterable[str]) -> Any:
    """One of the named options."""
    if not isinstance(value, str) or value not in options:
        refuse(name, repr(value), " or ".join(map(repr, options)))
    return value


def numeric(name: str, values: Any, expected: str = "numbers", apart: bool = False) -> Array:
    """An array of bool, int or float; anything else is refused, such as text or ragged rows. With `apart`, different
    numbers in one row are refused, too, if rounding makes them equal.
    """
    if isinstance(values, (str, bytes)):
        refuse(name, f"the text {values!r}", expected)
    if masked_within(values):
        refuse(name, MASKED, f"{expected}, as made by filled(...)")
    try:
        array = np.asarray(values)
    except ValueError:
        refuse(name, describe_ragged(values), f"{expected} in rows of equal length")
    except (TypeError, RuntimeError) as error:
        refuse(name, f"a {type(values).__name__} that cannot be made into an array ({error})", expected)
    if array.dtype.kind in "biuf":
        if array.dtype.itemsize > 8:
            as_floats(name, array, expected)
        if apart and array.dtype.kind == "f" and not hasattr(values, "dtype") and (abs(array) >= 2**53).any():
            refuse_merged(name, np.array(values, dtype=object), array)
        return array
    for entry in array.reshape(-1).tolist():
        if not isinstance(entry, Real):
            text = isinstance(entry, (str, bytes))
            given = f"text, such as {entry!r}" if text else f"{entry!r} of type {type(entry).__name__}"
            refuse(name, given, expected + OTHERWISE * (name == "relevance"))
    if array.dtype.kind != "O":
        refuse(name, f"an array of type {array.dtype}", expected)
    floats = as_floats(name, array, expected)  # of Fractions, and of whole numbers that no NumPy integer holds
    if apart:
        refuse_merged(name, array, floats)
    return floats


def refuse_merged(name: str, exact: Array, floats: Floats) -> None:
    """Refuse different numbers in one row that are equal as floats; the error names the first two."""
    if floats.ndim:
        order = np.argsort(floats, axis=-1)
        exact, floats = (np.take_along_axis(each, order, axis=-1) for each in (exact, floats))
        merged = (floats[..., 1:] == floats[..., :-1]) & (exact[..., 1:] != exact[..., :-1]).astype(bool)
        for *row, place in np.argwhere(merged)[:1]:
            one, other = exact[tuple(row)][place : place + 2]
            refuse(name, f"{one} and {other}, which are equal as float64", "numbers that NumPy tells apart, such as 64-bit whole numbers")


def as_floats(name: str, array: Array, expected: str) -> Floats:
    """The array as float64; numbers beyond the range of float64 are refused."""
    try:
        with np.errstate(over="raise"):
            return array.astype(np.float64)
    except (OverflowError, FloatingPointError):
        refuse(name, BEYOND, expected)


def is_masked(values: Any) -> bool:
    """Whether the mask of an array hides some of its entries."""
    return OF_MASKS in sys.modules and isinstance(values, np.ma.MaskedArray) and bool(np.ma.is_masked(values))


def masked_within(values: Any) -> bool:
    """Whether a mask hides entries of an array, or of an array inside a list."""
    if OF_MASKS not in sys.modules or not isinstance(values, (list, tuple)):
        return is_masked(values)
    kinds = set(map(type, values))
    nested = any(issubclass(kind, (list, tuple, np.ma.MaskedArray)) for kind in kinds)
    return nested and any(map(masked_within, values))


def describe_ragged(values: Iterable[Any]) -> str:
    """A description of the first row whose length differs from that of row 0."""
    lengths = map(length_of, values)
    sizes = ["a single value" if n is None else f"of length {n}" for n in lengths]
    for index, size in enumerate(sizes):
        if size != sizes[0]:
            return f"ragged rows: row {index} is {size}, row 0 is {sizes[0]}"
    return "ragged rows"


def length_of(row: Any) -> int | None:
    """The length of a row, or None for a single value."""
    try:
        return len(row) if np.ndim(row) else None
    except ValueError:  # its own rows are ragged
        return len(row)


def place(index: Any, shape: Sequence[int]) -> list[int]:
    """The indices, one for each axis, of an entry of an array of this shape, given its flat index; for a message."""
    return [int(i) for i in np.unravel_index(int(index), shape)] if shape else []


def non_negative(name: str, values: Any) -> Floats:
    """An array of finite numbers >= 0, as float64."""
    expected = "finite numbers >= 0"
    array = numeric(name, values, expected)
    bad = np.flatnonzero(~((array >= 0) & np.isfinite(array)))
    if bad.size:
        where = f" at {place(bad[0], array.shape)}" if array.ndim else ""
        refuse(name, f"{array.flat[bad[0]]}{where}", expected)
    array = array.astype(np.float64)
    if (array > 1e300).any():
        refuse(name, array.max(), f"{expected} whose sum is finite too")
    return array


def within(name: str, values: Any, expected: str, allowed: Callable[[Floats], Any]) -> Floats:
    """An array of numbers for which `allowed` is true, as float64; `expected` describes such numbers in words."""
    array = numeric(name, values, expected).astype(np.float64)
    for bad in array[~allowed(array)]:
        refuse(name, bad, expected)
    return array


def together(**named: Array) -> tuple[Array, ...]:
    """The arrays broadcast to one shape."""
    try:
        return np.broadcast_arrays(*named.values())
    except ValueError:
        shapes = ", ".join(str(array.shape) for array in named.values())
        refuse(", ".join(named), f"shapes {shapes}", "shapes that broadcast together")


def whole_numbers(name: str, values: Any, shape: Shape) -> Ints:
    """Whole numbers >= 0 (2.0 is accepted), broadcast to the shape of the queries and flattened."""
    expected = "whole numbers >= 0"
    array = numeric(name, values, expected)
    of_queries = f"one number, or numbers that broadcast to the queries' shape {shape}"
    if array.ndim > len(shape) and array.size > 1:
        refuse(name, f"shape {array.shape}", of_queries + OTHERWISE * (name == "n_relevant"))
    if array.dtype.kind == "b":
        refuse(name, f"bool ({array.reshape(-1)[:1].tolist()})", expected)
    array = array.astype(np.float64) if array.dtype.kind == "f" else array
    exact = (array >= 0) & (array <= 2**53) & (np.trunc(array) == array)  # what floats hold exactly
    bad = np.flatnonzero(~exact)
    if bad.size:
        refuse(name, array.flat[bad[0]], f"{expected}, at most 2^53")
    try:
        return np.broadcast_to(array.astype(np.int64), shape).reshape(-1)
    except ValueError:
        refuse(name, f"shape {array.shape}", of_queries)


def iterable(entry: Any) -> bool:
    """Whether this is a collection; text is not one, nor is an array without axes."""
    if isinstance(entry, np.ndarray):
        return entry.ndim > 0
    return hasattr(entry, "__iter__") and not isinstance(entry, (str, bytes))


def checked_ranks(name: str, ranks: Iterable[Any], length: int) -> list[int]:
    """The checked ranks of one query, in ascending order."""
    if not iterable(ranks):
        refuse(name, repr(ranks), "a list of 1-based ranks")
    ascending = sorted(whole(name, rank, at_least=1) for rank in ranks)
    if ascending and ascending[-1] > length:
        refuse(name, f"rank {ascending[-1]}", f"at most the length {length}")
    for one, next_one in zip(ascending, ascending[1:]):
        if one == next_one:
            refuse(name, f"rank {one} twice", "distinct ranks")
    return ascending


def collection(name: str, ids: Any) -> list[Any]:
    """The entries of a collection of ids; text, a single value, a table and a mapping are refused."""
    ids = as_array(name, ids)
    if isinstance(ids, (str, bytes)) or not isinstance(ids, Iterable) or axes(ids) != 1:
        refuse(name, repr(ids), "a collection of ids")
    if isinstance(ids, Mapping):
        refuse(name, f"a {type(ids).__name__}", "a collection of ids, not a mapping")
    if is_masked(ids):
        refuse(name, MASKED, "a collection of ids")
    if isinstance(ids, np.ndarray) and ids.dtype.kind not in "Mm":  # of dates, Python would make whole numbers
        return ids.tolist()
    return list(ids)


def axes(values: Any) -> int:
    """The number of axes of an array or a table; any other collection has one."""
    shape: Any = getattr(values, "shape", None)
    return len(shape) if hasattr(shape, "__len__") else 1


def as_array(name: str, values: Any) -> Any:
    """A tensor of another library, whose entries are tensors, too, is made into an array; anything else is unchanged."""
    if isinstance(values, (list, np.ndarray)) or not hasattr(values, "__array__") or not axes(values) or is_label(next(iter(values), None)):
        return values
    try:
        return np.asarray(values)
    except (TypeError, ValueError, RuntimeError) as error:
        refuse(name, f"a {type(values).__name__} that cannot be made into an array ({error})", "something that numpy.asarray accepts")


def id_list(name: str, ids: Ids, ordered: bool = True) -> list[Any]:
    """A list of the ids in any collection, which must be distinct and hashable; if order matters, a set is refused."""
    return distinct_ids(name, ids, ordered)[0]


def distinct_ids(name: str, ids: Ids, ordered: bool = True, every: bool = True) -> tuple[list[Any], set[Any]]:
    """The ids, which must be distinct, as a list, not to be changed, and as a set; every id must be one that can be
    looked up, but without `every` this is tested only if the type of the last id is not in `PLAIN`.
    """
    listed = as_list(name, ids, ordered)
    try:
        distinct = set(listed)
    except TypeError:
        distinct = set()
    if len(distinct) != len(listed) or (listed and (every or type(listed[-1]) not in PLAIN)):
        refuse_odd(name, listed)
    if len(distinct) != len(listed):
        first = {item: position for position, item in reversed(list(enumerate(listed)))}
        position = next(position for position, item in enumerate(listed) if first[item] < position)
        refuse(name, f"{listed[position]!r} a second time, at position {position}", "distinct ids")
    return listed, distinct


def as_list(name: str, ids: Ids, ordered: bool = True) -> list[Any]:
    """The ids of any collection as a list, which must not be changed; sets are refused if order matters."""
    if type(ids) is list:
        return ids
    if ordered and unordered(ids):
        refuse(name, f"a {type(ids).__name__}, which has no order", "a list of ids, best first")
    return collection(name, ids)


def unordered(values: Any) -> bool:
    """Whether this is a set without an order; the keys of a mapping have the mapping's order."""
    return isinstance(values, Set) and not isinstance(values, KeysView)


def refuse_odd(name: str, ids: Collection[Any], expected: str = LOOKED_UP) -> None:
    """Refuse ids that cannot be looked up; the error names the first."""
    if not are_texts(ids) and not PLAIN.issuperset(map(type, ids)):
        for position, item in enumerate(ids):
            if not is_label(item):
                refuse(name, f"{item!r} at position {position}", expected)


def are_texts(ids: Iterable[Any]) -> bool:
    """Whether all ids are text; joining them is the fastest way to find out."""
    try:
        return "".join(ids) is not None
    except TypeError:
        return False


def as_lists(name: str, lists: Lists) -> list[list[Any]]:
    """One list of ids for each query; an id may still occur twice."""
    return [as_list(f"{name}[{i}]", ids) for i, ids in enumerate(queries(name, lists))]


def id_lists(name: str, lists: Lists) -> list[list[Any]]:
    """One list of distinct ids for each query."""
    return [id_list(f"{name}[{i}]", ids) for i, ids in enumerate(queries(name, lists))]


def id_sets(name: str, lists: Lists) -> list[set[Any]]:
    """One set of distinct ids for each query."""
    return [distinct_ids(f"{name}[{i}]", ids, False)[1] for i, ids in enumerate(queries(name, lists))]


def judgements(name: str, lists: Any) -> list[Any]:
    """A set of distinct ids, or a dict of ids and grades, for each query."""

    def judged(which: str, ids: Any) -> Any:
        if isinstance(ids, Mapping):
            return grades(which, ids)
        if type(ids) not in (set, frozenset):
            return distinct_ids(which, ids, False)[1]
        refuse_odd(which, ids)
        return ids

    return [judged(f"{name}[{i}]", ids) for i, ids in enumerate(queries(name, lists))]


def queries(name: str, lists: Any, expected: str = "a sequence of id lists, one for each query") -> Iterable[Any]:
    """The entries, one for each query, in order; those of a mapping are its values."""
    lists = as_array(name, lists)
    one_axis = axes(lists) == 1 or (isinstance(lists, np.ndarray) and lists.ndim > 1)
    if isinstance(lists, Mapping):
        return list(lists.values())  # of several mappings, `by_key` has made lists in one order
    if isinstance(lists, (str, bytes)) or not isinstance(lists, Iterable) or not one_axis:
        refuse(name, repr(lists), expected)
    if unordered(lists):
        refuse(name, f"a {type(lists).__name__}, which has no order", expected)
    if is_masked(lists):
        refuse(name, MASKED, expected)
    return lists


def by_label(name: str, values: Any) -> Any:
    """A pandas Series whose index names labels is made into a mapping; anything else is unchanged. Labels that cannot be looked up are refused."""
    if isinstance(values, Mapping):
        refuse_odd(name, values)
        return values
    labels = labels_of(values) if getattr(values, "ndim", None) == 1 else None
    return values if labels is None else dict(zip(id_list(name, labels), values.tolist()))


def require_one_kind(
    name: str, ids: Iterable[Collection[Any]], beside: str, others: Iterable[Collection[Any]], query: int | None = None
) -> None:
    """Refuse ids none of which can ever equal any of the others, such as whole numbers beside text; if they were
    accepted, the ranking would merely look bad.
    """
    first, second = (next(chain.from_iterable(side), EMPTY) for side in (ids, others))
    if first is EMPTY or second is EMPTY or comparable(first, second):
        return
    of_each_type = ({type(item): item for item in chain.from_iterable(side)} for side in (ids, others))
    if not any(starmap(comparable, product(*map(dict.values, of_each_type)))):
        place = "" if query is None else f"[{query}]"
        given = f"{first!r} beside {second!r} in {beside}{place}"
        refuse(f"{name}{place}", given, "ids of one kind, because these are never equal: convert one side")


def require_each_of_one_kind(
    name: str, lists: list[Any], beside: str, others: list[Any], key: str, known: Collection[Any]
) -> None:
    """Refuse ids of kinds that are never equal, both within each query and between the ids of all queries and the
    labels of `known`.
    """
    for query, (ids, wanted) in enumerate(zip(lists, others)):
        require_one_kind(name, [ids], beside, [wanted], query)
    require_one_kind(name, lists, key, [known])
    require_one_kind(beside, others, key, [known])


def comparable(one: Any, other: Any) -> bool:
    """Whether ids of these kinds can be equal in Python; 1, 1.0 and True are equal, but 1 never equals "1", and b"a" never equals "a"."""
    one, other = (item.item() if isinstance(item, np.generic) and item.dtype.kind not in "Mm" else item for item in (one, other))
    if type(one) is type(other):
        return True
    return not (type(one).__eq__(one, other) is type(other).__eq__(other, one) is NotImplemented)  # type: ignore[call-arg]


def is_label(label: Any) -> bool:
    """Whether a label can be looked up, that is, can be hashed and equals itself; nan does not equal itself, and comparing tensors gives a tensor."""
    try:
        itself = hash(label) is not None and label == label
    except (TypeError, ValueError, RuntimeError):
        return False
    return isinstance(itself, (bool, np.bool_)) and bool(itself) and (not isinstance(label, (tuple, frozenset)) or all(map(is_label, label)))


def grades(name: str, given: Grades) -> dict[Any, float]:
    """The mapping id -> grade; each grade must be a bool or a finite real number of either sign."""
    known = given if type(given) is dict else dict(given.items())
    refuse_odd(name, known)
    try:
        real = all(issubclass(kind, (Real, np.bool_)) for kind in set(map(type, known.values())))
        if real and all(map(math.isfinite, known.values())):
            return known
    except OverflowError:
        pass
    for item, grade in known.items():
        try:
            finite = isinstance(grade, (Real, np.bool_)) and math.isfinite(grade)
        except OverflowError:
            refuse(name, f"{BEYOND} for id {item!r}", "finite grades")
        if not finite:
            refuse(name, f"{grade!r} for id {item!r}", "finite grades")
    return known


def index_of(given: Any) -> Any:
    """The index of a Series or data frame, from pandas or another library; None if there is none (the `index` of a list is a method)."""
    index = getattr(given, "index", None)
    return None if callable(index) else index


WITHOUT_LABELS = {list, tuple, np.ndarray, int, float, type(None)}


def only_counts(labels: Any) -> bool:
    """Whether this is the index 0, 1, 2, ... that pandas gives to data that come without an index."""
    return type(labels).__name__ == "RangeIndex" and (labels.start, labels.step) == (0, 1)


def rows_of(given: Any) -> Any:
    """The labels of the entries or rows: the index, the topics of a column, or the query ids of `Hits`; None if there are none."""
    index = index_of(given)
    return getattr(given, "topics", getattr(given, "query_ids", None)) if index is None else index


def columns_of(given: Any) -> Any:
    """The names of the columns of a data frame; None for anything else."""
    return getattr(given, "column_names", getattr(given, "columns", None))


def labels_of(given: Any) -> list[Any] | None:
    """The label of each entry of a pandas object, a column or `Hits`; None for plain values, and if the index only counts."""
    labels = rows_of(given)
    return None if labels is None or only_counts(labels) else list(labels)


def require_same_labels(**named: Any) -> None:
    """Refuse arguments whose labels differ, because their entries are paired by position.

    Plain values have no labels. An index that only counts is ignored beside ids, but compared with another index, because
    sorting one of two columns of a table leaves one index that only counts and one that does not.
    """
    if WITHOUT_LABELS.issuperset(map(type, named.values())):
        return
    for axis in (rows_of, columns_of):
        labels = {name: its for name, given in named.items() if (its := axis(given)) is not None}
        if not all(hasattr(its, "equals") for its in labels.values()):
            labels = {name: its for name, its in labels.items() if not only_counts(its)}
        first = next(iter(labels), "")
        for name, its in labels.items():
            if name != first:
                refuse_other_labels(name, its, first, labels[first])


def require_same_labels_within(**named: Any) -> None:
    """Refuse arguments whose rows have different labels, as `require_same_labels` does; if the rows come in lists, such
    as lists of Series, rows at the same position must also have the same labels for their entries.
    """
    require_same_labels(**named)
    lists = {name: given for name, given in named.items() if isinstance(given, (list, tuple)) and set(map(type, given)) - WITHOUT_LABELS}
    for place, rows in enumerate(zip(*lists.values())):
        require_same_labels(**{f"{name}[{place}]": row for name, row in zip(lists, rows)})


def refuse_other_labels(name: str, its: Any, first: str, known: Any) -> None:
    """Refuse labels that are not those of the first argument; the error names the first label that differs."""
    if its is known or (its.equals(known) if hasattr(its, "equals") and hasattr(known, "equals") else list(its) == list(known)):
        return
    way_out = "align them by label, or hand over np.asarray of both to go by position"
    for place, (label, other) in enumerate(zip(its, known)):
        if label != other:
            refuse(name, f"label {label!r} at position {place}", f"{other!r} as in {first}: {way_out}")
    refuse(name, f"{len(its)} labels", f"the {len(known)} of {first}: {way_out}")
