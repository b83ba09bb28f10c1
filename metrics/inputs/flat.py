"""`from_columns`: rankings from three columns, the query, the label and the score of each row, as used in learning to rank."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Literal

import numpy as np

from .._base.arrays import bincount
from .._base.checks import as_array, as_list, by_name, choice, numeric, refuse, refuse_odd, require_same_labels
from .._base.lookup import numbering
from .._base.types import Array, Ints, Numbers
from ..hits import Hits

__all__ = ["from_columns"]

TIES = ("raise", "stable", "best", "worst")


@by_name
def from_columns(
    *, query_id: Iterable[Hashable], label: Numbers,
    score: Numbers, ties: Literal["raise", "stable", "best", "worst"] = "raise",
) -> Hits:
    """The hits of a long table with a row for each scored item.

    query_id: (n,) the query of each row, such as text or
    whole numbers, in any order; from group sizes, as LightGBM
    has them, np.repeat(np.arange(len(sizes)), sizes) makes it;
    label: (n,) bool, 0/1 or grades >= 0; a relevant item that
    has no row is not known, so give `n_relevant` if a metric
    takes it; score: (n,) numbers, not nan, the highest first;
    ties: which of a query's equal scores comes first: "raise"
    if it matters; "stable", the first row; the "best" or the
    "worst", by label.
    Returns `Hits`, a ranking for each query in the order in
    which the queries first appear, with their ids in
    `query_ids`; so values of metrics pair by query.
    Raises ValueError for columns of different lengths, bad
    labels, nan scores, ids that cannot be looked up, and ties.
    Source: the columns of LightGBM, XGBoost and torchmetrics.

    >>> hits = from_columns(
    ...     query_id=["q", "r", "q"], label=[1, 1, 0], score=[0.2, 0.5, 0.9])
    >>> hits.query_ids, hits.rank.tolist(), hits.length.tolist()
    (('q', 'r'), [2, 1], [2, 1])
    """
    choice("ties", ties, TIES)
    require_same_labels(query_id=query_id, label=label, score=score)
    grades = column("label", label, "finite grades >= 0").astype(np.float64)
    scores = column("score", score, "numbers that can be ordered", apart=True)
    ids, row = numbered_queries(query_id)
    for name, other in {"label": grades, "score": scores}.items():
        if other.shape != row.shape:
            refuse(name, f"{other.size} values", f"one for each of the {row.size} rows of query_id")
    for place in np.flatnonzero(~((grades >= 0) & (grades < np.inf)))[:1]:
        refuse("label", f"{grades[place]} in row {place}", "finite grades >= 0")
    for place in np.flatnonzero(np.isnan(scores))[:1]:
        refuse("score", f"nan in row {place}", "numbers that can be ordered")
    first = {"best": -grades, "worst": grades}.get(ties, np.zeros(row.size))
    highest_first = -scores if scores.dtype.kind == "f" else ~scores  # which no whole number is too large for
    order = np.lexsort((first, highest_first, row))
    row, scores, grades = row[order], scores[order], grades[order]
    if ties == "raise":
        same = (row[1:] == row[:-1]) & (scores[1:] == scores[:-1]) & (grades[1:] != grades[:-1])
        for place in np.flatnonzero(same)[:1]:
            given = f"the score {scores[place]} twice in query {ids[row[place]]!r}, for labels {grades[place]} and {grades[place + 1]}"
            refuse("score", given, f"other scores, or ties={' or '.join(map(repr, TIES[1:]))}")
    length = bincount(row, minlength=len(ids))
    rank = np.arange(1, row.size + 1) - (np.cumsum(length) - length)[row]
    hit = grades > 0
    return Hits((len(ids),), length, row[hit], rank[hit], grades[hit], query_ids=tuple(ids))


def column(name: str, values: Numbers, expected: str, apart: bool = False) -> Array:
    """The column as an array of numbers with one axis."""
    array = numeric(name, values, expected, apart)
    if array.ndim != 1:
        refuse(name, f"an array of shape {array.shape}", "one value for each row")
    return array


def numbered_queries(query_id: Iterable[Hashable]) -> tuple[list[Hashable], Ints]:
    """The distinct ids, and the number of the query for each row."""
    query_id = as_array("query_id", query_id)
    if type(query_id) is np.ndarray and query_id.ndim == 1 and query_id.dtype.kind in "iuU":
        ids, first, row = np.unique(query_id, return_index=True, return_inverse=True)
        place = np.argsort(np.argsort(first))
        return ids[np.argsort(first)].tolist(), place[row]
    listed = as_list("query_id", query_id)
    refuse_odd("query_id", listed)
    number = numbering(())
    row = np.fromiter(map(number.__getitem__, listed), np.int64, len(listed))
    return list(number), row
