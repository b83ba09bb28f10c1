"""Runs and judgements as dictionaries by query, the form of pytrec_eval, ranx and BEIR."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain, count, groupby, islice, repeat
from math import nan
from typing import Any, NoReturn

import numpy as np

from .._base.checks import is_label, judgements, number, of_one_kind, refuse
from .._base.keyed import Missing, by_key, named_by_key
from .._base.lookup import JudgedItems, graded, sizes
from .._base.types import Array, Ints
from ..hits import Hits


def hits_of_run(name: str, run: Mapping[Any, Any], qrels: Mapping[Any, Any], missing: Missing) -> Hits:
    """The hits of a run: query -> document -> score, or query -> documents, best first; an empty mapping is an empty ranking."""
    scored = [key for key, its in run.items() if isinstance(its, Mapping) and its]
    if not scored:
        lists = {key: () if isinstance(its, Mapping) else its for key, its in run.items()}
        return Hits.from_ids(rankings=lists, relevant=qrels, missing=missing)
    for key, its in run.items():
        if not isinstance(its, Mapping):
            refuse(f"{name}[{key!r}]", f"a {type(its).__name__}", f"a mapping document -> score, as {name}[{scored[0]!r}] is")
    keys, (ranked, given) = by_key(missing, **{name: run, "qrels": qrels})
    with named_by_key(keys, "qrels"):
        judged = judgements("qrels", given)
    ranked = [its or {} for its in ranked]
    mappings = np.array([isinstance(its, dict) for its in judged], dtype=bool)
    wanted = [graded(list(its), own) if mappings.any() else dict.fromkeys(own, 1) for its, own in zip(ranked, judged)]
    return Hits.from_found(ranked_by_score(name, keys or [], ranked, wanted), mappings).of_rows(keys=keys)


def ranked_by_score(
    name: str, keys: Sequence[Any], ranked: Sequence[Mapping[Any, float]], judged: Sequence[Mapping[Any, float]], *,
    ties: str = "trec_eval", depth: int | None = None, version: int = 9,
) -> JudgedItems:
    """The judged documents at their ranks: by score, in version 9 of trec_eval in single precision, then by id, both descending.

    Only scores are put in order; an id is looked at where it is judged, or its score is tied.
    """
    places, ranks = [], []
    with np.errstate(over="ignore"):
        for key, its, wanted in zip(keys, ranked, judged):
            place, rank = ranks_of(f"{name}[{key!r}]", its, wanted, ties, np.float32 if version == 9 else np.float64)
            seen = slice(depth and np.searchsorted(rank, depth, side="right"))
            places.append(place[seen])
            ranks.append(rank[seen])
    pool, query, length = sizes(judged), np.arange(len(judged)), sizes(ranked)
    row, before = np.repeat(query, sizes(ranks)), np.cumsum(pool) - pool
    grade = np.fromiter(chain.from_iterable(wanted.values() for wanted in judged), np.float64, pool.sum())
    of_ranked = grade[joined(places) + before[row]]
    return JudgedItems(np.minimum(length, depth or length), row, joined(ranks), of_ranked, np.repeat(query, pool), grade)


def joined(parts: Sequence[Ints]) -> Ints:
    """The parts, one after the other."""
    return np.concatenate([np.zeros(0, dtype=np.int64), *parts])


def ranks_of(name: str, ranked: Mapping[Any, float], judged: Mapping[Any, float], ties: str, precision: Any) -> tuple[Ints, Ints]:
    """Which of the judged documents are ranked, in the order of their ranks, and the ranks."""
    falling = (0 - scores_of(name, ranked).astype(np.float64, copy=False)).astype(precision)
    if {*map(type, judged), *map(type, islice(ranked, 1))} - {str}:
        refuse_kinds(name, ranked, judged)
    score = np.fromiter(map(ranked.get, judged, repeat(nan)), np.float64, len(judged))
    place = np.flatnonzero(score == score)
    own, ascending = (0 - score[place]).astype(precision), np.sort(falling)
    before = np.searchsorted(ascending, own)
    tied = np.flatnonzero(np.searchsorted(ascending, own, side="right") > before + 1)
    if ties == "raise" and (ascending[1:] == ascending[:-1]).any():
        refuse_tie(name, list(ranked.items()), falling)
    if ties == "file":
        before[:] = places_among(judged, place, dict(zip(ranked, count())))
    elif tied.size:
        before[tied] += places_among(judged, place[tied], by_id(name, ranked, falling, own[tied]))
    order = np.argsort(before)
    return place[order], before[order] + 1


def scores_of(name: str, ranked: Mapping[Any, float]) -> Array:
    """The scores of a topic, none of them nan."""
    scores = np.array(list(ranked.values()))
    if scores.dtype.kind not in "iuf" or (scores != scores).any():
        scores = np.array([float(number(f"{name}[{item!r}]", score, "or inf", lambda x: True)) for item, score in ranked.items()])
    return scores


def refuse_kinds(name: str, ranked: Mapping[Any, float], judged: Mapping[Any, float]) -> None:
    """Refuse ids that cannot be looked up, and ids of kinds that are never equal."""
    for item in (*ranked, *judged):
        if not is_label(item):
            refuse(name, repr(item), "ids that can be looked up, such as text or whole numbers")
    of_one_kind(name, [ranked], "qrels", [judged])


def by_id(name: str, ranked: Mapping[Any, float], falling: Array, scores: Array) -> dict[Any, int]:
    """Id -> its place among those of equal score, for some scores: the ids, as a file would hold them, descend."""
    ids = list(ranked)
    some = np.flatnonzero(np.isin(falling, scores)).tolist()
    descending = sorted(((falling[each], as_bytes(name, ids[each]), ids[each]) for each in some), key=lambda row: row[:2], reverse=True)
    return {item: place for _, group in groupby(descending, key=lambda row: row[0]) for place, (*_, item) in enumerate(group)}


def as_bytes(name: str, item: Any) -> bytes:
    """The bytes of an id, in whose order trec_eval puts documents of equal score."""
    try:
        return str(item).encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        refuse(name, f"the id {item!r}", "ids of letters that UTF-8 has")


def places_among(judged: Mapping[Any, float], which: Ints, place_of: Mapping[Any, int]) -> list[int]:
    """The places of some of the judged documents."""
    documents = list(judged)
    return [place_of[documents[each]] for each in which.tolist()]


def refuse_tie(name: str, ranked: list[tuple[Any, float]], falling: Array) -> NoReturn:
    """Name two documents of equal score."""
    order = np.argsort(falling, kind="stable")
    [first, *_] = np.flatnonzero(falling[order][1:] == falling[order][:-1]).tolist()
    (one, score), (other, _) = (ranked[place] for place in order[first:first + 2].tolist())
    refuse(name, f"the score {score} for {one!r} and {other!r}", "distinct scores, or ties='trec_eval' or 'file'")
