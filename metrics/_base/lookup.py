"""The positions, in the rankings, of the ids that the judgements name.

They are found in one of two ways, which give the same answer: with Python's own hash tables, for ids of every
kind, or with a table in NumPy, for whole numbers in arrays, which is ten times as fast.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from itertools import chain, compress, count, islice, pairwise
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from .arrays import bincount, repeat, rows
from .checks import distinct_ids, grades, refuse, refuse_odd, require_one_kind
from .types import Array, Floats, Ints

Judged: TypeAlias = "set[Any] | frozenset[Any] | dict[Any, float]"

BLOCK = 2**16  # items looked up at a time, so that their table stays near the processor
SLOTS = 4  # of the table for each item: fewer make more items meet, more do not fit in the cache
ROUNDS = 16
GOLDEN = np.uint64(0x9E3779B97F4A7C15)  # 2^64 over the golden ratio: its multiples spread evenly
HALF = np.uint64(32)
NOTHING = np.zeros(0, dtype=np.int64)


class JudgedItems(NamedTuple):
    """The ranked items that the judgements name, sorted by row, then by rank."""

    length: Ints  # (Q,) items ranked
    row: Ints
    rank: Ints
    grade: Floats  # 1 where a collection names the item
    pool_row: Ints  # every judgement, ranked or not
    pool_grade: Floats


def by_dictionary(rankings: Iterable[Any], judged: list[Judged], name: str = "rankings") -> JudgedItems:
    """Look up ids of every kind, list by list; duplicates are refused."""
    places: list[int] = []
    lengths, ranks, ranked, pool = [], [], [], []
    some_graded = any(isinstance(wanted, dict) for wanted in judged)
    for query, ids in enumerate(rankings):
        own, distinct = distinct_ids(f"{name}[{query}]", ids, every=False)
        lengths.append(len(own))
        if query >= len(judged):
            continue
        places.extend(range(len(places) + 1, len(own) + 1))
        wanted = graded(own, judged[query]) if some_graded else judged[query]
        names = wanted.keys() if isinstance(wanted, dict) else wanted
        named = compress(places, map(wanted.__contains__, own))
        # once as many are found as there are, what stands below them is not looked at
        ranks.append(list(islice(named, len(names & distinct))))
        if len(ranks[-1]) < len(names):
            refuse_odd(f"{name}[{query}]", own)
        if not ranks[-1] or wanted is not judged[query]:
            require_one_kind(name, [own], "relevant", [judged[query]], query)
        if isinstance(wanted, dict):
            ranked.append([wanted[own[rank - 1]] for rank in ranks[-1]])
            pool.append(wanted.values())
    if len(lengths) != len(judged):
        expected = f"one for each of the {len(lengths)} rankings"
        refuse("relevant", f"{len(judged)} collections", expected)
    length, (row, rank) = np.array(lengths, dtype=np.int64), flattened(ranks, np.int64)
    if some_graded:
        grade, pooled = flattened(ranked, np.float64)[1], flattened(pool, np.float64)
        return JudgedItems(length, row, rank, grade, *pooled)
    pool_row = rows(sizes(judged))
    return JudgedItems(length, row, rank, np.ones(rank.size), pool_row, np.ones(pool_row.size))


def graded(ranking: list[Any], wanted: Judged) -> dict[Any, float]:
    """The mapping for which a collection stands: its own items have grade 1, and all other ranked items have grade 0."""
    if isinstance(wanted, dict):
        return wanted
    return dict.fromkeys(ranking, 0) | dict.fromkeys(wanted, 1)


def by_arrays(rankings: Any, judged: list[Any]) -> JudgedItems | None:
    """Look up whole numbers in arrays, all at once; return None for ids of any other kind, and if a list holds an id twice."""
    ranked, named = whole_number_ids(rankings), whole_number_ids(judged, lists_too=True)
    if ranked is None or named is None or len(rankings) != len(judged):
        return None
    wanted, n_wanted = named
    if judged and isinstance(judged[0], dict):
        for query, given in enumerate(judged):
            grades(f"relevant[{query}]", given)
    return in_arrays(*ranked, *named, grades_of(judged))


def grades_of(judged: list[Any]) -> Floats:
    """The grades of all mappings, joined end to end, or, for collections, a 1 for each id."""
    if judged and isinstance(judged[0], dict):
        return flattened(map(dict.values, judged), np.float64)[1]
    return np.ones(sizes(judged).sum())


def in_arrays(
    items: Array, length: Ints, wanted: Array, n_wanted: Ints, grade: Floats
) -> JudgedItems | None:
    """Look up the wanted ids among the items, list by list; return None if a list holds an id twice."""
    start, first = begins(length), begins(n_wanted)
    cuts = [*np.flatnonzero(np.diff(start[:-1] // BLOCK, prepend=-1)), length.size]
    place = np.full(wanted.size, -1)
    for low, high in pairwise(cuts):
        own, asked = slice(start[low], start[high]), slice(first[low], first[high])
        found = places(items[own], length[low:high], wanted[asked], n_wanted[low:high])
        if found is None:
            return None
        place[asked] = np.where(found < 0, -1, found + start[low])
    pool_row, there = rows(n_wanted), np.flatnonzero(place >= 0)
    there = there[np.argsort(place[there])]
    missing = place < 0
    left_over = wanted[missing], bincount(pool_row[missing], minlength=length.size)
    if (np.diff(place[there]) == 0).any() or places(*left_over) is None:
        return None
    row = pool_row[there]
    return JudgedItems(length, row, place[there] - start[row] + 1, grade[there], pool_row, grade)


def whole_number_ids(lists: Any, lists_too: bool = False) -> tuple[Array, Ints] | None:
    """The whole numbers of all lists, joined end to end, and the length of each list; None for ids of any other kind or in other forms."""
    kinds = set(map(type, lists)) if isinstance(lists, (list, tuple)) else None
    if isinstance(lists, np.ndarray) and lists.ndim == 2:
        flat, length = lists.reshape(-1), np.full(len(lists), lists.shape[1], dtype=np.int64)
    elif kinds == {np.ndarray} and all(ids.ndim == 1 for ids in lists):
        flat, length = np.concatenate(lists), sizes(lists)
    elif lists_too and kinds and (kinds == {dict} or kinds <= {list, tuple, set, frozenset}):
        ids, length = list(chain.from_iterable(lists)), sizes(lists)
        flat = np.array(ids, dtype=None if set(map(type, ids)) == {int} else object)
    else:
        return None
    fits = flat.dtype.kind == "i" or (flat.dtype.kind == "u" and flat.max(initial=0) < 2**63)
    return (flat.astype(np.int64, copy=False), length) if fits else None


def places(
    items: Array, length: Ints, wanted: Array = NOTHING, n_wanted: Ints | int = 0
) -> Ints | None:
    """The position in `items` of each wanted id, or -1 if its own list does not hold it; None if a list holds an item twice."""
    n_ids = int(items.max(initial=-1)) + 1
    if items.min(initial=0) < 0 or length.size * n_ids > SLOTS * items.size:
        return by_hash_in_numpy(items, length, wanted, n_wanted)
    return by_table_of_marks(items, length, wanted, n_wanted, n_ids)


def by_table_of_marks(
    items: Array, length: Ints, wanted: Array, n_wanted: Ints | int, n_ids: int
) -> Ints | None:
    """The positions, if every item is below n_ids: each list has its own part of one table, with a slot for every id."""
    begin, table = n_ids * np.arange(length.size), np.full(length.size * n_ids + 1, -1, np.int32)
    table[repeat(begin, length) + items] = np.arange(items.size, dtype=np.int32)
    if np.count_nonzero(table >= 0) < items.size:
        return None
    known = (wanted >= 0) & (wanted < n_ids)
    return table[np.where(known, repeat(begin, n_wanted) + wanted, -1)].astype(np.int64)


def by_hash_in_numpy(
    items: Array, length: Ints, wanted: Array, n_wanted: Ints | int
) -> Ints | None:
    """The positions of ids of any size: each id has a computed slot; if several ids share a slot, the last of them gets
    it, and the others try another slot.
    """
    place, sought = np.full(wanted.size, -1), np.arange(wanted.size)
    left = np.arange(items.size, dtype=np.int32)
    room = (SLOTS * length + 1).astype(np.uint64)
    table = np.empty(int(room.sum()), dtype=np.int32)
    parts = np.cumsum(room) - room, room
    own = items.view(np.uint64), *(repeat(part, length) for part in parts)
    asked = wanted.view(np.uint64), *(repeat(part, n_wanted) for part in parts)
    for _ in range(ROUNDS if items.size else 0):
        own, asked = (own[0] * GOLDEN, *own[1:]), (asked[0] * GOLDEN, *asked[1:])
        table.fill(-1)
        slot = slots(*own)
        table[slot] = left
        holder, answer = table[slot], table[slots(*asked)]
        hit = (answer >= 0) & (items[answer] == wanted[sought])
        place[sought[hit]] = answer[hit]
        lost = np.flatnonzero(holder != left)
        if not lost.size:
            return place
        if (items[holder[lost]] == items[left[lost]]).any():
            return None
        left, sought = left[lost], sought[~hit]
        own, asked = tuple(each[lost] for each in own), tuple(each[~hit] for each in asked)
    return None if items.size else place


def slots(key: Array, begin: Array, room: Array) -> Ints:
    """The slot of each key in its part of the table: the key's upper bits, scaled to the size of the part."""
    return (begin + ((key >> HALF) * room >> HALF)).view(np.int64)


def numbering(known: Iterable[Any]) -> defaultdict[Any, int]:
    """A numbering 0, 1, 2, ... of the known ids in their order, continued with each new id that is looked up."""
    number = {item: place for place, item in enumerate(known)}
    return defaultdict(count(len(number)).__next__, number)


def numbered(lists: list[Any], number: defaultdict[Any, int]) -> tuple[Array, Ints]:
    """The numbers of the ids of all lists, joined end to end, and the length of each list."""
    length = sizes(lists)
    ids = map(number.__getitem__, chain.from_iterable(lists))
    return np.fromiter(ids, np.int64, length.sum()), length


def begins(length: Ints) -> Ints:
    """The position at which each list begins and, as the last number, the position at which all lists end."""
    return np.concatenate([[0], np.cumsum(length)])


def sizes(lists: Iterable[Any]) -> Ints:
    """The length of each list."""
    return np.array(list(map(len, lists)), dtype=np.int64)


def flattened(lists: Iterable[Any], dtype: Any) -> tuple[Ints, Array]:
    """The number of the list of each entry, and the entries of all lists, joined end to end."""
    length = sizes(lists := list(lists))
    row = rows(length)
    return row, np.fromiter(chain.from_iterable(lists), dtype, row.size)
