"""`from_frame`: rankings and judgements from tables, whichever library they come from."""

from __future__ import annotations

from collections.abc import Callable
from math import isfinite
from typing import Any, Literal, TypeAlias

import numpy as np

from .._base.arrays import bincount
from .._base.checks import LOOKED_UP, choice, refuse, refuse_odd, require_one_kind
from .._base.tables import COLUMNS
from .._base.types import Floats, Ints
from ..hits import Hits

__all__ = ["from_frame"]

Frame: TypeAlias = Any  # of narwhals, which is no requirement
TIES = ("raise", "stable", "best", "worst", "trec_eval")
OF_QUERIES, OF_RUN, OF_QRELS = "number of the query", "row of the run", "row of the qrels"


def from_frame(
    run: Any,
    qrels: Any,
    *,
    query: str | tuple[str, str] = "query",
    item: str | tuple[str, str] = "item",
    score: str = "score",
    grade: str | tuple[str, ...] | None = COLUMNS["grade"],
    ties: Literal["raise", "stable", "best", "worst", "trec_eval"] = "raise",
) -> Hits:
    """The hits of a table of scored items, given a table of judgements.

    The tables are data frames of pandas or Polars (lazy ones, too), pyarrow tables or DuckDB relations.
    run: a row for each ranked item, in any order, with query, item and score; high scores come first.
    qrels: a row for each judgement, with query and item, and with a grade if there are any.
    query, item: names of columns; a pair, as in ("user", "user_id"), where run and qrels differ.
    score, grade: a column of run, and one of qrels; of several names, the one that is there. A grade above 0 is
    relevant, 0 judged irrelevant, and below 0, as without a row, unjudged. With None the items of qrels are
    relevant and all others are not, as where qrels has only text besides query and item.
    ties: which of equal scores comes first: "raise" if it matters; "stable", the one that comes
    first in run; the "best" or the "worst", by grade; or, as "trec_eval" has it, scores being taken
    in single precision, the id that is the last in the alphabet.
    Returns `Hits`, a ranking for each query of qrels, in the order in which they first appear there,
    with their ids in `query_ids`. One that is missing in run has nothing ranked. Queries of run without
    a judgement cannot be judged and are left out: in pandas and Polars, lazy frames being collected
    first, they are set(run[query]) - set(hits.query_ids).
    Raises ValueError for columns that are missing, for two columns of grades, or for numbers that may be grades by another name,
    for columns that hold nulls, nan, or text in place of numbers; for ids of different types, an item that occurs
    twice in a query, and ties; ImportError without narwhals.
    Source: the fields of trec_eval's two files.

    >>> import pandas
    >>> hits = from_frame(
    ...     pandas.DataFrame({"query": [7, 7, 8], "item": ["a", "b", "c"], "score": [0.2, 0.9, 0.5]}),
    ...     pandas.DataFrame({"query": [7, 8], "item": ["a", "d"]}))
    >>> hits.query_ids, hits.row.tolist(), hits.rank.tolist(), hits.n_relevant.tolist()
    ((7, 8), [0], [2], [1, 1])
    """
    choice("ties", ties, TIES)
    ranked, scores, judged, grades, graded = checked(run, qrels, pair("query", query), pair("item", item), score, grade)
    query_ids, query_of, pool_row, (line, judgement) = looked_up(ranked, judged)
    known = np.full(len(ranked), -1.0 if graded else 0.0)
    known[line] = grades[judgement]
    order = best_first(query_of, scores, known, ties, lambda rows: ranked[rows.tolist()])
    place = np.empty(len(ranked), dtype=np.int64)
    place[order] = np.arange(1, len(ranked) + 1)
    line = line[np.argsort(place[line])]
    length = bincount(query_of, minlength=len(query_ids) + 1)[:-1]
    row = query_of[line]
    rank = place[line] - (np.cumsum(length) - length)[row]
    if graded:
        return Hits.from_judged(length=length, row=row, rank=rank, grade=known[line], pool_row=pool_row, pool_grade=grades, query_ids=query_ids)
    return Hits(length.shape, length, row, rank, known[line], bincount(pool_row, minlength=length.size), query_ids=query_ids)


def checked(
    run: Any, qrels: Any, query: tuple[str, str], item: tuple[str, str], score: str, grade: str | tuple[str, ...] | None
) -> tuple[Frame, Floats, Frame, Floats, bool]:
    """The ranked items and their scores, the judged items and their grades (1 without a column of grades), and
    whether there is such a column.
    """
    in_run, in_qrels = ({"query": query[side], "item": item[side]} for side in (0, 1))
    ranked = columns_named("run", opened("run", run), in_run | {"score": require_name("score", score)})
    judged = opened("qrels", qrels)
    if isinstance(grade, tuple):
        grade = column_of_grades(judged, [require_name("grade", name) for name in grade], in_qrels)
    judged = columns_named("qrels", judged, in_qrels | ({} if grade is None else {"grade": require_name("grade", grade)}))
    scores = numbers("run", ranked["score"], score)
    grades = np.ones(len(judged)) if grade is None else numbers("qrels", judged["grade"], grade)
    if (bad := np.flatnonzero(~np.isfinite(grades))).size:
        refuse("qrels", f"{grades[bad[0]]} in column {grade!r}, row {bad[0]}", "finite grades")
    ranked, judged = comparable(ranked, judged, in_run, in_qrels)
    require_items_once("run", ranked)
    require_items_once("qrels", judged)
    return ranked, scores, judged, grades, grade is not None


def column_of_grades(qrels: Frame, names: list[str], ids: dict[str, str]) -> str | None:
    """The one of the names that is in the table; None if no column but those of the ids could hold grades, that is, numbers or objects."""
    types, known = qrels.collect_schema(), {name.lower() for name in names}
    numbers = [name for name, dtype in types.items() if name not in ids.values() and (name.lower() in known or may_be_grades(qrels, name, dtype))]
    found = [name for name in names if name in types.names()]
    if len(found) > 1 or numbers and not found:
        which = " or ".join(map(repr, found or numbers))
        refuse("qrels", f"columns {types.names()}", f"grade={which}, or grade=None if each row is of a relevant item")
    return found[0] if found else None


def may_be_grades(qrels: Frame, name: str, dtype: Any) -> bool:
    """Whether a column holds numbers, or values that may be numbers: objects, or text that reads as numbers."""
    if dtype.is_numeric() or dtype.is_boolean() or str(dtype) in ("Object", "Unknown"):
        return True
    try:
        some = qrels.select(name).lazy().collect()[name].to_list()
        return bool(some) and all(isfinite(float(value)) for value in some)
    except (TypeError, ValueError):
        return False


def looked_up(ranked: Frame, judged: Frame) -> tuple[tuple[Any, ...], Ints, Ints, list[Ints]]:
    """The ids of the queries of qrels; the number of the query of each row of run (one beyond the last if the query is
    not judged) and of qrels; and the numbers of the rows, in both tables, of each item that is in both.
    """
    pooled = judged.with_row_index(OF_QRELS)
    queries = pooled.unique("query", keep="first").sort(OF_QRELS).select("query")  # `unique` alone keeps no order in Arrow
    numbered = queries.with_row_index(OF_QUERIES)
    lines = ranked.with_row_index(OF_RUN)
    row = np.full(len(ranked), len(queries))
    line, number = joined(lines, numbered, ["query"], OF_RUN, OF_QUERIES)
    row[line] = number
    pool_row = np.empty(len(judged), dtype=np.int64)
    judgement, number = joined(pooled, numbered, ["query"], OF_QRELS, OF_QUERIES)
    pool_row[judgement] = number
    return tuple(queries["query"].to_list()), row, pool_row, joined(lines, pooled, ["query", "item"], OF_RUN, OF_QRELS)


def pair(name: str, columns: Any) -> tuple[str, str]:
    """The names of a column in run and in qrels."""
    both = (columns, columns) if isinstance(columns, str) else columns
    if not (isinstance(both, tuple) and len(both) == 2 and all(isinstance(column, str) for column in both)):
        refuse(name, repr(columns), "the name of a column, or a pair of names, for run and for qrels")
    return both


def require_name(name: str, column: Any) -> str:
    """The checked name of a column."""
    if not isinstance(column, str):
        refuse(name, repr(column), "the name of a column")
    return column


def opened(which: str, given: Any) -> Frame:
    """The table as a narwhals frame, whichever library it comes from."""
    try:
        import narwhals
    except ImportError:
        raise ImportError("from_frame needs narwhals, which is not installed: pip install narwhals") from None
    try:
        frame = narwhals.from_native(given)
        frame.collect_schema()
    except TypeError:
        refuse(which, f"a {type(given).__name__}", "a data frame of pandas or Polars, a pyarrow table or a DuckDB relation")
    except narwhals.exceptions.DuplicateError:
        refuse(which, "several columns with the same name", "columns with different names")
    return frame


def columns_named(which: str, frame: Frame, columns: dict[str, str]) -> Frame:
    """The named columns, under our own names for them; nulls are refused."""
    import narwhals

    there = frame.collect_schema().names()
    for column in columns.values():
        if column not in there:
            ours = next(name for name, its in columns.items() if its == column)
            refuse(which, f"columns {there}", f"a column {column!r}, or {ours}= with its name in this table")
    frame = frame.select(**{ours: narwhals.col(theirs) for ours, theirs in columns.items()})
    frame = frame.collect() if isinstance(frame, narwhals.LazyFrame) else frame
    for ours, theirs in columns.items():
        dtype = frame[ours].dtype
        if dtype == narwhals.Categorical and not all(isinstance(value, str) for value in frame[ours].drop_nulls().unique().to_list()):
            refuse(which, f"categories that are not text in column {theirs!r}", "the values themselves, such as astype(int) gives")
        if dtype == narwhals.UInt64 and len(frame) and int(frame[ours].max()) >= 2**63:
            refuse(which, f"a whole number of 2^63 or more in column {theirs!r}", "smaller numbers, or text")
        if frame[ours].null_count():
            row = int(np.argmax(frame[ours].is_null().to_numpy()))
            refuse(which, f"no value in column {theirs!r}, row {row}", "a value in every row")
        if ours in ("query", "item"):
            require_ids(which, frame[ours], theirs)
    return frame


def require_ids(which: str, ids: Any, column: str) -> None:
    """Refuse ids that cannot be looked up: lists and, except in pandas, values that a library stores without knowing their type."""
    import narwhals

    untyped = isinstance(ids.dtype, (narwhals.Object, narwhals.Unknown))
    if ids.dtype.is_nested() or (untyped and not ids.implementation.is_pandas_like()):
        refuse(which, f"{ids.dtype} in column {column!r}", LOOKED_UP)
    if untyped:
        refuse_odd(f"{which}[{column!r}]", ids.to_list())


def numbers(which: str, values: Any, column: str) -> Floats:
    """A column as floats; nan is refused."""
    import narwhals

    if not values.dtype.is_numeric() and values.dtype != narwhals.Boolean:
        refuse(which, f"{values.dtype} in column {column!r}", "numbers")
    if values.dtype.is_integer() and len(values) and max(abs(int(values.min())), abs(int(values.max()))) > 2**53:
        refuse(which, f"whole numbers beyond 2^53 in column {column!r}", "numbers that float64 tells apart")
    floats: Floats = np.asarray(values.cast(narwhals.Float64).to_numpy())
    if (bad := np.flatnonzero(np.isnan(floats))).size:
        refuse(which, f"nan in column {column!r}, row {bad[0]}", "numbers that can be ordered")
    return floats


def comparable(ranked: Frame, judged: Frame, in_run: dict[str, str], in_qrels: dict[str, str]) -> tuple[Frame, Frame]:
    """Both tables in one library, with ids of one type."""
    import narwhals

    if judged.implementation != ranked.implementation:
        columns = {name: judged[name].to_list() for name in in_run}
        judged = narwhals.from_dict(columns, backend=ranked.implementation)
    for name, column in in_run.items():
        one, other = (kind(frame[name].dtype) for frame in (ranked, judged))
        if one != other:
            of_run = f"{one}, as in column {column!r} of run"
            refuse("qrels", f"{other} in column {in_qrels[name]!r}", f"{of_run}: ids of different types are not matched, so convert one side")
        if one == narwhals.Object:
            require_one_kind("run", [ranked[name].to_list()], "qrels", [judged[name].to_list()])
        if one in (narwhals.String, narwhals.Int64):
            cast = narwhals.col(name).cast(one)
            ranked, judged = ranked.with_columns(cast), judged.with_columns(cast)
    return ranked, judged


def kind(dtype: Any) -> Any:
    """The type in which ids can be compared: one for all text, one for all whole numbers."""
    import narwhals

    if isinstance(dtype, (narwhals.String, narwhals.Categorical, narwhals.Enum)):
        return narwhals.String()
    return narwhals.Int64() if dtype.is_integer() else dtype


def require_items_once(which: str, frame: Frame) -> None:
    """Refuse an item that occurs twice in a query."""
    ids = frame.select("query", "item")
    if len(ids.unique()) < len(ids):
        query, item = ids.row(int(np.argmax(ids.is_duplicated().to_numpy())))
        item, query = (getattr(each, "item", lambda each=each: each)() for each in (item, query))
        refuse(which, f"item {item!r} of query {query!r} a second time", "each item once per query; drop_duplicates() keeps one")


def joined(left: Frame, right: Frame, on: list[str], *numbers: str) -> list[Ints]:
    """The numbers of the matching rows, in the left and in the right table."""
    both = left.select(numbers[0], *on).join(right.select(numbers[1], *on), on=on)
    return [both[number].to_numpy().astype(np.int64) for number in numbers]


def best_first(row: Ints, scores: Floats, grade: Floats, ties: str, ids: Callable[[Ints], Frame]) -> Ints:
    """The lines of the run, query by query, with the highest scores first; `ids` gives the ids of some lines."""
    if ties == "trec_eval":
        with np.errstate(over="ignore"):
            scores = scores.astype(np.float32)
    keys = np.empty(row.size, dtype=np.complex128)  # which are sorted by the real part first
    keys.real, keys.imag = row, -scores
    order = np.argsort(keys, kind="stable")
    ordered, grades = keys[order], grade[order]
    same = ordered[1:] == ordered[:-1]
    matters = np.flatnonzero(same & (np.diff(grades) != 0))
    if ties == "stable" or not matters.size:
        return order
    if ties == "raise":
        (query, one), (_, other) = ids(order[matters[0] : matters[0] + 2]).select("query", "item").rows()
        given = f"the score {scores[order[matters[0]]]} for {one!r} and {other!r} of query {query!r}"
        refuse("run", f"{given}, which are judged differently", f"other scores, or ties={' or '.join(map(repr, TIES[1:]))}")
    block = np.concatenate([[0], np.cumsum(~same)])
    tied = np.flatnonzero(np.isin(block, block[matters]))
    if ties == "trec_eval":
        names = np.array(list(map(str, ids(order[tied])["item"].to_list())))
        last_first: Any = -np.unique(names, return_inverse=True)[1]
    else:
        last_first = grades[tied] if ties == "worst" else -grades[tied]
    order[tied] = order[tied[np.lexsort((last_first, block[tied]))]]
    return order
