"""Metrics within groups of items, such as deciles of frequency, sections of a library, or kinds of product."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping
from itertools import islice
from typing import Any, Literal, NamedTuple

import numpy as np

from .._base.arrays import bincount, rows
from .._base.checks import as_lists, choice, judgements, refuse, refuse_odd, require_each_of_one_kind, require_same_labels
from .._base.keyed import by_key, named_by_key
from .._base.lookup import JudgedItems, begins, by_dictionary, graded, grades_of, in_arrays, numbered, numbering
from .._base.types import Array, ByQuery, Grades, Ids, Ints, Lists
from ..hits import Hits, labels_of_queries

__all__ = ["split_by_item"]

BESIDE = {"rankings": ("relevant", "group"), "predictions": ("actual", "decile")}


def split_by_item(
    *, rankings: Lists, relevant: ByQuery[Ids | Grades],
    group: Mapping[Any, Hashable], ungrouped: Literal["raise", "skip"],
) -> dict[Any, Hits]:
    """The hits within each group of items, for any metric.

    A group's ranking is the ranking without the items of other
    groups, and its relevant items are those of the group: so
    k, ranks and R are meant within the group, and R = 0 where
    the group has no relevant item of the query.
    rankings: for each query a list of distinct ids, best first;
    relevant: for each query a collection of distinct ids, or a
    mapping id -> grade; or both by query, in mappings;
    group: id -> group, a mapping;
    ungrouped: what becomes of an id without a group, "raise"
    or "skip".
    Returns group -> `Hits` of all queries, for every group of
    the mapping, in its order.
    Raises ValueError for an id without a group, for duplicates,
    a bad grade, different numbers of queries, and ids of kinds
    that are never equal, such as text and whole numbers.
    Source: the by-decile metrics of long-tail classification,
    of which this is the general form.

    >>> hits = split_by_item(
    ...     rankings=[["a", "x", "b"]], relevant=[["b", "c"]],
    ...     group={"a": 1, "b": 1, "c": 2, "x": 2},
    ...     ungrouped="raise")
    >>> hits[1].rank.tolist(), hits[2].n_relevant.tolist()
    ([2], [1])
    """
    choice("ungrouped", ungrouped, ("raise", "skip"))
    if not isinstance(group, Mapping):
        refuse("group", repr(group), "a mapping from id to group")
    refuse_odd("group", group)
    refuse_odd("group", list(group.values()), "groups that can be looked up, such as text or whole numbers")
    require_same_labels(rankings=rankings, relevant=relevant)
    keys, (rankings, relevant) = by_key(rankings=rankings, relevant=relevant)
    with named_by_key(keys, rankings="rankings", relevant="relevant"):
        listed, judged = as_lists("rankings", rankings), judgements("relevant", relevant)
    looked_up = look_up("rankings", listed, judged, group)
    if ungrouped == "raise" and len(looked_up.number) > len(group):
        stranger = next(islice(looked_up.number, len(group), None))
        refuse("group", f"none for {stranger!r}", "a group for every id, or ungrouped='skip'")
    names = list(dict.fromkeys(group.values()))
    number = {name: place for place, name in enumerate(names)}
    code = [number[name] for name in group.values()]
    labels = labels_of_queries((len(listed),), rankings, relevant, keys=keys)
    return dict(zip(names, split(looked_up, code, len(names), **labels)))


class LookedUp(NamedTuple):
    """Rankings and judgements with numbered ids, and the judged items that were found."""

    number: dict[Any, int]  # of each id
    items: Ints
    wanted: Ints
    graded: Array
    found: JudgedItems


def look_up(
    name: str, rankings: list[list[Any]], judged: list[Any], known: Collection[Any]
) -> LookedUp:
    """Number all ids 0, 1, ..., the known ones first, and look them up; duplicates are refused."""
    for query, ids in enumerate(rankings):
        refuse_odd(f"{name}[{query}]", ids)
    by_mapping, number = [isinstance(wanted, dict) for wanted in judged], numbering(known)
    all_judged = [graded(ids, wanted) for ids, wanted in zip(rankings, judged)] if any(by_mapping) else judged
    ranked, pool = numbered(rankings, number), numbered(all_judged, number)
    found = in_arrays(*ranked, *pool, grades_of(all_judged)) if len(rankings) == len(judged) else None
    found = found or by_dictionary(rankings, judged, name)
    beside, key = BESIDE[name]
    require_each_of_one_kind(name, rankings, beside, judged, key, known)
    return LookedUp(number, ranked[0], pool[0], np.array(by_mapping, dtype=bool), found)


def split(
    looked_up: LookedUp, code: Collection[int], n_groups: int, top: int | None = None, **labels: Any
) -> list[Hits]:
    """The hits within the groups 0, 1, ... among the first `top` items of each ranking; `code` is the group of each known id."""
    length, row, rank, grade, pool_row, pool_grade = looked_up.found
    shown = length if top is None else np.minimum(length, min(top, int(np.max(length, initial=0))))
    seen = rank <= shown[row]
    row, rank, grade = row[seen], rank[seen], grade[seen]
    query, start = rows(shown), begins(shown)[:-1]
    places = np.arange(query.size) + (begins(length)[:-1] - start)[query]
    # -1 is the code of an id in no group; small numbers are sorted ten times as fast
    codes = np.full(len(looked_up.number), -1, np.int16 if n_groups < 2**15 else np.int64)
    codes[: len(code)] = np.fromiter(code, np.int64, len(code))
    ranked, pooled = codes[looked_up.items[places]], codes[looked_up.wanted]
    # all rankings one after the other, sorted by group: each query's part of a group is one run
    place, order = np.empty_like(places), np.argsort(ranked, kind="stable")
    place[order] = np.arange(order.size)
    run = (ranked.astype(np.int64) + 1) * shown.size + query
    in_run = bincount(run, minlength=(n_groups + 1) * shown.size)
    named = start[row] + rank - 1
    rank = place[named] - begins(in_run)[run[named]] + 1
    of_groups = in_run.reshape(n_groups + 1, -1)[1:]
    members = by_group(ranked[named], n_groups), by_group(pooled, n_groups)
    return [
        Hits.from_found(
            JudgedItems(n, row[own], rank[own], grade[own], pool_row[pool], pool_grade[pool]),
            looked_up.graded, **labels,
        )
        for n, own, pool in zip(of_groups, *members)
    ]


def by_group(codes: Array, n_groups: int) -> list[Ints]:
    """The positions at which each group's code occurs."""
    order = np.argsort(codes, kind="stable")
    return np.split(order, np.searchsorted(codes[order], np.arange(n_groups + 1)))[1:-1]
