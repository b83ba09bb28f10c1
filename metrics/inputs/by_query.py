"""Runs and judgements as dictionaries by query, the form used by pytrec_eval, ranx and BEIR."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import chain, count, groupby, islice, repeat
from math import nan
from typing import Any, NamedTuple, NoReturn, TypeAlias

import numpy as np

from .._base.arrays import bincount, ranges, rows
from .._base.checks import (
    are_texts,
    by_label,
    choice,
    comparable,
    flag,
    id_list,
    index_of,
    iterable,
    judgements,
    number_or_inf,
    only_counts,
    refuse,
    refuse_odd,
    require_one_kind,
    unordered,
)
from .._base.keyed import MISSING, Missing, by_key, named_by_key
from .._base.lookup import JudgedItems, graded, sizes
from .._base.types import Array, Ids, Ints
from ..hits import Hits, RelevantItems

RankedIn: TypeAlias = Mapping[Any, float] | Ids  # document -> score, or documents in rank order


class Pairing(NamedTuple):
    """The options for pairing runs with judgements, as in `metrics.evaluate`."""

    missing: Missing = "raise"
    passages: str | None = None
    judged_only: bool = False


def pairing(missing: Any, passages: Any, judged_only: Any) -> Pairing:
    """The checked options for pairing."""
    if not (passages is None or isinstance(passages, str) and passages):
        refuse("passages", repr(passages), "the mark that follows a document's id in the id of a passage, such as '#'")
    return Pairing(choice("missing", missing, MISSING), passages, flag("judged_only", judged_only))


def hits_of_runs(name: str, runs: Any, qrels: Any, how: Pairing) -> Hits | dict[Any, Hits]:
    """The hits of one run, or of each of several systems; the values of the inner mappings show which was given."""
    if not isinstance(runs, Mapping):
        expected = "query -> document -> score, query -> documents, or system -> either, beside qrels; files are for metrics.trec.evaluate"
        refuse(name, f"a {type(runs).__name__}", expected)
    if not isinstance(qrels, Mapping):
        refuse("qrels", f"a {type(qrels).__name__}", "query -> document -> grade, or query -> relevant documents; a file is for metrics.trec.evaluate")
    qrels = {key: list(its) if isinstance(its, Iterator) else its for key, its in qrels.items()}  # which several systems go through
    for key, its in runs.items():
        if isinstance(its, RelevantItems):
            refuse(f"{name}[{key!r}]", "Hits beside qrels", "no qrels, because hits know what is relevant")
    leaves = [leaf for its in runs.values() if isinstance(its, Mapping) for leaf in islice(its.values(), 1)]
    if runs and not leaves and all(isinstance(its, Mapping) for its in runs.values()) and not runs.keys() & qrels.keys():
        refuse(name, "only empty mappings, none for a query in qrels", "queries in qrels, or a system with a query, because nothing else tells the two apart")
    if leaves and iterable(leaves[0]):
        return {system: hits_of_run(f"{name}[{system!r}]", run, qrels, how) for system, run in runs.items()}
    return hits_of_run(name, runs, qrels, how)


def hits_of_run(name: str, run: Any, qrels: Mapping[Any, Any], how: Pairing) -> Hits:
    """The hits of a run, query -> document -> score or query -> documents in rank order; an empty mapping is an empty ranking."""
    if not isinstance(run, Mapping):
        refuse(name, f"a {type(run).__name__}", "query -> document -> score, or query -> documents")
    run, qrels = (
        {key: its if isinstance(its, Mapping) else by_its_label(f"{side}[{key!r}]", its) for key, its in of.items()}
        for side, of in ((name, run), ("qrels", qrels))
    )
    scored = any(isinstance(its, Mapping) and its for its in run.values())
    for key, its in run.items():
        if not isinstance(its, Mapping) and (scored or unordered(its) or not iterable(its)):
            refuse(f"{name}[{key!r}]", repr(its), "documents with their scores, as for other queries" if scored else "documents in rank order")
    keys, (ranked, judged) = by_key(how.missing, **{name: run, "qrels": qrels})
    keys = keys or []
    with named_by_key(keys, qrels="qrels"):
        judged = judgements("qrels", judged)
    ranked = [of_documents(f"{name}[{key!r}]", its, wanted, how.passages) for key, its, wanted in zip(keys, ranked, judged)]
    if not scored:
        lists = [() if isinstance(its, Mapping) else its for its in ranked]
        if how.judged_only:
            lists = [those_judged(f"{name}[{key!r}]", its, wanted) for key, its, wanted in zip(keys, lists, judged)]
        with named_by_key(keys, rankings=name, relevant="qrels"):
            return Hits.from_lists(lists, judged, query_ids=tuple(keys))
    mappings = np.array([isinstance(its, dict) for its in judged], dtype=bool)
    ranked = [its or {} for its in ranked]
    if not mappings.all():
        judged = [graded(list(its), wanted) if mappings.any() else dict.fromkeys(wanted, 1) for its, wanted in zip(ranked, judged)]
    return Hits.from_found(ranked_by_score(name, keys, ranked, judged, judged_only=how.judged_only), mappings, query_ids=tuple(keys))


def by_its_label(name: str, values: Any) -> Any:
    """A Series as a mapping by its labels, if it has labels; a Series of numbers without labels is refused, because
    the numbers could be ids, scores or grades; anything else is unchanged.
    """
    index = index_of(values)
    of_rows = index is not None and getattr(values, "name", None) is not None and index.name is None and np.asarray(index).dtype.kind in "iu"
    if index is not None and len(values) and (only_counts(index) or of_rows) and np.asarray(values).dtype.kind in "biuf":
        refuse(name, "a Series of numbers whose index only counts", "one whose index names documents, a mapping of documents, or a list of ids")
    return by_label(name, values)


def of_documents(name: str, ranked: Any, judged: Collection[Any], mark: str | None) -> Any:
    """A ranking of documents, each placed by its best passage; in the id of a passage, the mark follows the id of its document."""
    if mark is None:
        return ranked
    for item in judged:
        refuse_passage(item, document_of(item, mark), mark)
    ids = list(ranked) if isinstance(ranked, Mapping) else id_list(name, ranked)
    score = dict(zip(ids, scores_of(name, ranked).tolist())) if isinstance(ranked, Mapping) else dict.fromkeys(ids, 0)
    best: dict[Any, float] = {}
    for item in ids:
        document = document_of(item, mark)
        best[document] = max(best.get(document, score[item]), score[item])
    return best if isinstance(ranked, Mapping) else list(best)


def refuse_passage(item: Any, document: Any, mark: str) -> None:
    """Refuse the id of a passage in judgements of documents."""
    if document != item:
        refuse("qrels", f"the id {item!r}, which contains the mark of passages", f"ids of documents, without {mark!r}")


def those_judged(name: str, ranked: Any, judged: Collection[Any]) -> list[Any]:
    """The judged documents of a ranking; a document with a negative grade was not judged."""
    refuse_kinds(name, ids := id_list(name, ranked), judged)
    return [item for item in ids if item in judged and (not isinstance(judged, Mapping) or judged[item] >= 0)]


def without_unjudged(row: Ints, grade: Array, queries: int) -> tuple[Ints, Ints, Ints]:
    """For documents sorted by row and rank: the positions of those with a grade >= 0, their number in each row, and their new ranks."""
    kept = np.flatnonzero(grade >= 0)
    length = bincount(row[kept], minlength=queries)
    return kept, length, ranges(np.ones(queries, dtype=np.int64), length)


def document_of(passage: Any, mark: str) -> Any:
    """The part of a passage's id before the mark."""
    if isinstance(passage, bytes):
        return passage.partition(mark.encode())[0]
    return passage.partition(mark)[0] if isinstance(passage, str) else passage


def ranked_by_score(
    name: str, keys: Sequence[Any], ranked: Sequence[Mapping[Any, float]], judged: Sequence[Mapping[Any, float]], *,
    ties: str = "trec_eval", depth: int | None = None, version: int = 9, judged_only: bool = False,
) -> JudgedItems:
    """The judged documents at their ranks, which are by default those by score, then by id, both descending;
    trec_eval's version 9 takes scores in single precision.
    """
    places, ranks = [], []
    with np.errstate(over="ignore"):
        for key, its, wanted in zip(keys, ranked, judged):
            place, rank = ranks_of(f"{name}[{key!r}]", its, wanted, ties, np.float32 if version == 9 else np.float64)
            seen = slice(depth and np.searchsorted(rank, depth, side="right"))
            places.append(place[seen])
            ranks.append(rank[seen])
    pool, row, length = sizes(judged), rows(sizes(ranks)), sizes(ranked)
    before = np.cumsum(pool) - pool
    grade = np.fromiter(chain.from_iterable(wanted.values() for wanted in judged), np.float64, pool.sum())
    of_ranked = grade[joined(places) + before[row]]
    found = JudgedItems(np.minimum(length, depth or length), row, joined(ranks), of_ranked, rows(pool), grade)
    if judged_only:  # once the depth has cut the ranking, as in trec_eval
        kept, length, rank = without_unjudged(row, of_ranked, length.size)
        found = found._replace(length=length, row=row[kept], rank=rank, grade=of_ranked[kept])
    return found


def joined(parts: Sequence[Ints]) -> Ints:
    """The parts, joined end to end."""
    return np.concatenate([np.zeros(0, dtype=np.int64), *parts])


def ranks_of(name: str, ranked: Mapping[Any, float], judged: Mapping[Any, float], ties: str, precision: Any) -> tuple[Ints, Ints]:
    """In rank order, the positions among the judged documents of those that are ranked, and their ranks."""
    falling = (0 - scores_of(name, ranked).astype(np.float64, copy=False)).astype(precision)
    score = np.fromiter(map(ranked.get, judged, repeat(nan)), np.float64, len(judged))
    place = np.flatnonzero(score == score)
    if not place.size or not are_texts(judged) or not are_texts(ranked):
        refuse_kinds(name, ranked, judged)
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
    """The scores of a topic; nan is refused."""
    try:
        scores = np.array(list(ranked.values()))
    except ValueError:  # lists beside numbers
        scores = np.array(None)
    if scores.ndim != 1 or scores.dtype.kind not in "iuf" or (scores != scores).any():
        scores = np.array([number_or_inf(f"{name}[{item!r}]", score) for item, score in ranked.items()])
    return scores


def refuse_kinds(name: str, ranked: Collection[Any], judged: Collection[Any]) -> None:
    """Refuse ids that cannot be looked up, ids of kinds that are never equal, and ids that differ only in kind."""
    refuse_odd(name, ranked)
    refuse_odd("qrels", judged)
    require_one_kind(name, [ranked], "qrels", [judged])
    lost = {str(item): item for item in judged if item not in ranked}
    for item in ranked if lost else ():
        other = lost.get(str(item), item)
        if not comparable(other, item):
            refuse(name, f"{item!r} beside {other!r} in qrels", "ids of one kind, because these are never equal: convert one side")


def by_id(name: str, ranked: Mapping[Any, float], falling: Array, scores: Array) -> dict[Any, int]:
    """The mapping of each id with one of the given scores to its place among the ids of equal score, in descending order of their bytes in a file."""
    ids = list(ranked)
    some = np.flatnonzero(np.isin(falling, scores)).tolist()
    descending = sorted(((falling[each], as_bytes(name, ids[each]), ids[each]) for each in some), key=lambda row: row[:2], reverse=True)
    return {item: place for _, group in groupby(descending, key=lambda row: row[0]) for place, (*_, item) in enumerate(group)}


def as_bytes(name: str, item: Any) -> bytes:
    """The bytes of an id, by which trec_eval orders documents of equal score."""
    try:
        return str(item).encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        refuse(name, f"the id {item!r}", "ids that UTF-8 can encode")


def places_among(judged: Mapping[Any, float], which: Ints, place_of: Mapping[Any, int]) -> list[int]:
    """The places of some of the judged documents."""
    documents = list(judged)
    return [place_of[documents[each]] for each in which.tolist()]


def refuse_tie(name: str, ranked: list[tuple[Any, float]], falling: Array) -> NoReturn:
    """Refuse documents of equal score; the error names two of them."""
    order = np.argsort(falling, kind="stable")
    [first, *_] = np.flatnonzero(falling[order][1:] == falling[order][:-1]).tolist()
    (one, score), (other, _) = (ranked[place] for place in order[first:first + 2].tolist())
    refuse(name, f"the score {score} for {one!r} and {other!r}", "distinct scores, or ties='trec_eval' or 'file'")
