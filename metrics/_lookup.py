"""Where the ids that the judgements name stand in the rankings.

Two ways with one answer: by Python's own hash tables, for ids of every kind, and for whole numbers
in arrays by a hash table in NumPy, ten times as fast.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain, compress, islice, pairwise
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from ._checks import distinct_ids, grades, refuse
from ._types import Array, Floats, Ints

Judged: TypeAlias = "set[Any] | frozenset[Any] | dict[Any, float]"

BLOCK = 2**16  # items looked up at a time, so that their table stays near the processor
SLOTS = 4  # of the table for each item: fewer make more items meet, more do not fit in the cache
ROUNDS = 16
GOLDEN = np.uint64(0x9E3779B97F4A7C15)  # 2^64 over the golden ratio: its multiples spread evenly
HALF = np.uint64(32)


class Found(NamedTuple):
    """The ranked items that the judgements name: by row, then by rank."""

    length: Ints  # (Q,) items ranked
    row: Ints
    rank: Ints
    grade: Floats  # 1 where a collection names the item
    pool_row: Ints  # every judgement, ranked or not
    pool_grade: Floats


def by_hash(rankings: Iterable[Any], judged: list[Judged]) -> Found:
    """The ids of every kind, list by list; duplicates are refused.

    Next to mappings, a collection judges every ranked item: 1 for its own and 0 for others.
    """
    places: list[int] = []
    lengths, ranks, ranked, pool = [], [], [], []
    some_graded = any(isinstance(wanted, dict) for wanted in judged)
    for query, ids in enumerate(rankings):
        own, distinct = distinct_ids(f"rankings[{query}]", ids)
        lengths.append(len(own))
        if query >= len(judged):
            continue
        wanted = judged[query]
        places.extend(range(len(places) + 1, len(own) + 1))
        is_named = map(wanted.__contains__, own)
        by_mapping = isinstance(wanted, dict)
        named = len((wanted.keys() if by_mapping else wanted) & distinct)
        if some_graded and not by_mapping:
            ranks.append(places[: len(own)])
            ranked.append(list(is_named))
            pool.append([1] * len(wanted) + [0] * (len(own) - named))
            continue
        # `named` tells when the last one is found: what stands below is not looked at
        ranks.append(list(islice(compress(places, is_named), named)))
        if by_mapping:
            ranked.append([wanted[own[rank - 1]] for rank in ranks[-1]])
            pool.append(wanted.values())
    if len(lengths) != len(judged):
        refuse("relevant", f"{len(judged)} collections", f"one for each of the {len(lengths)} rankings")
    (row, rank), length = flattened(ranks, np.int64), np.array(lengths, dtype=np.int64)
    if not some_graded:
        pool_row = np.repeat(np.arange(length.size), sizes(judged))
        return Found(length, row, rank, np.ones(rank.size), pool_row, np.ones(pool_row.size))
    return Found(length, row, rank, flattened(ranked, np.float64)[1], *flattened(pool, np.float64))


def by_number(rankings: Any, judged: list[Any]) -> Found | None:
    """Arrays of whole numbers, all at once; None for anything else, and where an id stands twice."""
    ranked, named = numbers(rankings), numbers(judged, lists_too=True)
    if ranked is None or named is None or len(rankings) != len(judged):
        return None
    (items, length), (wanted, n_wanted) = ranked, named
    grade = np.ones(wanted.size)
    if judged and isinstance(judged[0], dict):
        checked = [grades(f"relevant[{query}]", given) for query, given in enumerate(judged)]
        grade = np.fromiter(chain.from_iterable(map(dict.values, checked)), np.float64, wanted.size)
    start, first = begins(length), begins(n_wanted)
    cuts = [*np.flatnonzero(np.diff(start[:-1] // BLOCK, prepend=-1)), length.size]
    place = np.full(wanted.size, -1)
    for low, high in pairwise(cuts):
        own, n_own = items[start[low] : start[high]], length[low:high]
        asked, n_asked = wanted[first[low] : first[high]], n_wanted[low:high]
        found = places(own, n_own, asked, n_asked)
        if found is None or places(asked, n_asked, asked, n_asked) is None:
            return None
        place[first[low] : first[high]] = np.where(found < 0, -1, found + start[low])
    pool_row, there = np.repeat(np.arange(length.size), n_wanted), np.flatnonzero(place >= 0)
    there = there[np.argsort(place[there])]
    row = pool_row[there]
    return Found(length, row, place[there] - start[row] + 1, grade[there], pool_row, grade)


def numbers(lists: Any, lists_too: bool = False) -> tuple[Array, Ints] | None:
    """The whole numbers of all lists, one after the other, and the length of each list."""
    kinds = set(map(type, lists)) if isinstance(lists, (list, tuple)) else None
    if isinstance(lists, np.ndarray) and lists.ndim == 2:
        flat, length = lists.reshape(-1), np.full(*lists.shape)
    elif kinds == {np.ndarray} and all(ids.ndim == 1 for ids in lists):
        flat, length = np.concatenate(lists), sizes(lists)
    elif lists_too and kinds and (kinds == {dict} or kinds <= {list, tuple, set, frozenset}):
        ids, length = list(chain.from_iterable(lists)), sizes(lists)
        flat = np.array(ids, dtype=None if set(map(type, ids)) == {int} else object)
    else:
        return None
    fits = flat.dtype.kind == "i" or (flat.dtype.kind == "u" and flat.max(initial=0) < 2**63)
    return (flat.astype(np.int64, copy=False).view(np.uint64), length) if fits else None


def places(items: Array, length: Ints, wanted: Array, n_wanted: Ints) -> Ints | None:
    """Where among the items each wanted id stands, in its own list, or -1; None for an item twice.

    Each list has a part of one table, and each id a slot of that part, computed from the id. The
    item written to a slot last has it; the others that met it there try again with other slots.
    """
    place, left, sought = np.full(wanted.size, -1), np.arange(items.size), np.arange(wanted.size)
    room = (SLOTS * length + 1).astype(np.uint64)
    table = np.empty(int(room.sum()), dtype=np.int64)
    parts = np.cumsum(room) - room, room
    own = items, *(np.repeat(part, length) for part in parts)
    asked = wanted, *(np.repeat(part, n_wanted) for part in parts)
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
    """The slot of each key in its part of the table: the upper bits, stretched over the room."""
    return (begin + ((key >> HALF) * room >> HALF)).view(np.int64)


def begins(length: Ints) -> Ints:
    """Where each list begins and, last, where all end."""
    return np.concatenate([[0], np.cumsum(length)])


def sizes(lists: Iterable[Any]) -> Ints:
    """How long each list is."""
    return np.array(list(map(len, lists)), dtype=np.int64)


def flattened(lists: list[Any], dtype: Any) -> tuple[Ints, Array]:
    """The query of each entry, and the entries, one list after the other."""
    length = sizes(lists)
    row = np.repeat(np.arange(length.size), length)
    return row, np.fromiter(chain.from_iterable(lists), dtype, row.size)
