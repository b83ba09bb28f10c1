"""Judgements, and the ranks of the judged documents in a run that is ordered as in trec_eval."""

from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NoReturn

import numpy as np

from .._base.arrays import bincount, ranges, repeat, rows
from .._base.checks import judgements, refuse
from .._base.keyed import named_by_key
from .._base.types import Array, Floats, Ints
from ..inputs.by_query import refuse_passage, without_unjudged
from .documents import Documents, concatenated, decoded, encoded, numbered, packed, taken, unpacked
from .files import Path
from .lines import QRELS, Lines, refuse_duplicates
from .noticed import Noticed
from .parsing import by_topic
from .source import Source, path_of

TOP, MANY = 10, 5  # a remark is made on so many documents of equal score, or all of a topic, where they begin in these ranks


class Judgements:
    """The judgements by topic. A file is read at once, because it may be a pipe; a mapping is read only when it is needed."""

    def __init__(self, qrels: Path | Mapping[str, Mapping[str, float]]) -> None:
        self.given, self.noticed = qrels, Noticed()
        self.documents: list[Documents] = []
        self.grades: list[Array] = []
        if path_of(qrels) is not None:
            _ = self.place

    @cached_property
    def place(self) -> dict[bytes, tuple[int, int, int]]:
        """The mapping of each topic to the number of the part that holds its documents and grades, and to where they begin and end in this part."""
        place: dict[bytes, tuple[int, int, int]] = {}
        with closing(Source("qrels", self.given, QRELS)) as source:
            self.noticed = source.noticed
            for part in source.by_topic():
                refuse_duplicates(part, numbered(part.documents))
                stop = np.cumsum(part.length)
                ends = zip((stop - part.length).tolist(), stop.tolist())
                place.update((topic, (len(self.documents), *its)) for topic, its in zip(part.topics, ends))
                self.documents.append(part.documents)
                with np.errstate(invalid="ignore"):
                    small = part.value.astype(np.int8)
                self.grades.append(small if (small == part.value).all() else part.value)
        return place

    @cached_property
    def by_document(self) -> dict[Any, dict[Any, float]]:
        """The mapping topic -> document -> grade."""
        if path_of(self.given) is not None:
            return {
                decoded(topic): dict(zip(map(decoded, unpacked(self.documents[which][first:last])), self.grades[which][first:last].tolist()))
                for topic, (which, first, last) in self.place.items()
            }
        of_topics = by_topic("qrels", self.given, QRELS)
        with named_by_key(list(of_topics), qrels="qrels"):
            return dict(zip(of_topics, judgements("qrels", list(of_topics.values()))))

    @property
    def relevant(self) -> int:
        """The number of grades above 0."""
        return sum(int((self.grades[which][first:last] > 0).sum()) for which, first, last in self.place.values())

    def of(self, topics: list[bytes]) -> tuple[Ints, Documents, Floats]:
        """The row, the document and the grade of every judgement of these topics."""
        places = [self.place[topic] for topic in topics]
        row = rows([last - first for _, first, last in places])
        documents = concatenated([self.documents[which][first:last] for which, first, last in places])
        grades = [self.grades[which][first:last] for which, first, last in places]
        return row, documents, np.concatenate(grades, dtype=np.float64)


@dataclass(frozen=True)
class JudgedRanks:
    """The judgements of some topics, and the ranks of the judged documents."""

    topics: list[bytes]
    length: Ints
    row: Ints
    rank: Ints
    grade: Floats
    pool_row: Ints
    pool_grade: Floats
    tied: Ints  # the topics where names of documents decide at which of the first ranks a relevant one stands
    strange: Ints  # the topics that have lines, but no judged document


def lines_of_documents(lines: Lines, judgements: Judgements, passages: str | None) -> Lines:
    """The lines with documents in place of passages, each with the score of its best passage; all lines of a topic must be given together."""
    if passages is None:
        return lines
    refuse_duplicates(lines, numbered(lines.documents))
    [mark] = encoded("passages", [passages])
    for item in unpacked(judgements.of(lines.topics)[1]):
        refuse_passage(decoded(item), decoded(item.partition(mark)[0]), passages)
    documents = packed([passage.partition(mark)[0] for passage in unpacked(lines.documents)])
    code = numbered(documents).astype(np.int64)
    _, first, which = np.unique(lines.row * (int(code.max(initial=0)) + 1) + code, return_index=True, return_inverse=True)
    best = np.full(first.size, -np.inf)
    np.maximum.at(best, which, lines.value)
    kept = np.sort(first)
    length = bincount(lines.row[kept], minlength=len(lines.topics))
    return Lines(lines.source, lines.topics, length, taken(documents, kept), best[which[kept]], lines.number[kept])


def judged_ranks(lines: Lines, judgements: Judgements, ties: str, depth: int | None, version: int, judged_only: bool) -> JudgedRanks:
    """The judged documents, looked up among the lines; all lines of a topic must be given together."""
    pool_row, pool, pool_grade = judgements.of(lines.topics)
    code = numbered(concatenated([pool, lines.documents])).astype(np.int64)
    pool_code, code = code[: pool_row.size], code[pool_row.size :]
    refuse_duplicates(lines, code)
    row, codes = lines.row, int(code.max(initial=0)) + int(pool_code.max(initial=0)) + 1
    pool_key = pool_row * codes + pool_code
    order = np.argsort(pool_key)
    line = np.flatnonzero(code <= pool_code.max(initial=-1))  # the others are judged in no topic
    key = row[line] * codes + code[line]
    at = np.searchsorted(pool_key, key, sorter=order)
    judged = np.flatnonzero(pool_key[order[np.minimum(at, order.size - 1)]] == key)
    line, at = line[judged], order[at[judged]]
    rank, tied = ranks(lines, row, line, ties, version, TOP if depth is None else min(TOP, depth))
    tied = np.unique(row[line[tied[pool_grade[at[tied]] > 0]]])
    place = np.lexsort((rank, row[line]))
    place = place if depth is None else place[rank[place] <= depth]
    length = lines.length if depth is None else np.minimum(lines.length, depth)
    strange = np.flatnonzero((bincount(row[line], minlength=lines.length.size) == 0) & (lines.length > 0))
    its_row, rank, grade = row[line[place]], rank[place], pool_grade[at[place]]
    if judged_only:
        kept, length, rank = without_unjudged(its_row, grade, length.size)
        its_row, grade = its_row[kept], grade[kept]
    return JudgedRanks(lines.topics, length, its_row, rank, grade, pool_row, pool_grade, tied, strange)


def ranks(lines: Lines, row: Ints, wanted: Ints, ties: str, version: int, first: int) -> tuple[Ints, Ints]:
    """The 1-based ranks of the wanted lines in their topics, and which of these lines share their score with many lines at the first ranks."""
    start = (np.cumsum(lines.length) - lines.length)[row[wanted]]
    if ties == "file":
        return wanted - start + 1, np.zeros(0, dtype=np.int64)
    key = falling(row, lines.value, version)
    order = np.argsort(key)
    new = np.ones(order.size + 1, dtype=bool)
    new[1:-1] = np.diff(key[order]) != 0
    if ties == "raise" and not new.all():
        refuse_tie(lines, order, int(np.flatnonzero(~new)[0]))
    place = np.empty(order.size, dtype=np.int64)
    place[order] = np.arange(order.size)
    place = place[wanted]
    tied = np.flatnonzero(~(new[place] & new[place + 1]))
    if tied.size:
        cuts = np.flatnonzero(new)
        group = np.searchsorted(cuts, place[tied], side="right") - 1
        many = cuts[group + 1] - cuts[group] >= np.minimum(MANY, lines.length[row[wanted[tied]]])
        top = many & (cuts[group] - start[tied] < first)
        place[tied] = by_document(lines.documents, order, cuts, wanted[tied], place[tied])
        tied = tied[top]
    return place - start + 1, tied


def falling(row: Ints, score: Floats, version: int) -> Ints:
    """Whole numbers, one for each line, that ascend with the row and, within a row, as the score (in single precision for version 9) descends."""
    if version == 10:
        return row * score.size + np.unique(0 - score, return_inverse=True)[1]
    with np.errstate(over="ignore"):
        negated = 0 - score.astype(np.float32)
    # The bits of two floats are in the order of the floats; of two negative ones, the other way round.
    bits = negated.view(np.int32).astype(np.int64)
    return (row << 32) + (bits ^ (bits >> 63) & 0x7FFFFFFF)


def by_document(documents: Documents, order: Ints, cuts: Ints, wanted: Ints, place: Ints) -> list[int]:
    """The places of the wanted lines when lines of equal score are sorted by document, in descending order."""
    group = np.unique(np.searchsorted(cuts, place, side="right") - 1)
    length = cuts[group + 1] - cuts[group]
    places = ranges(cuts[group], length)
    members = order[places]
    first = repeat(-cuts[group], length)
    names = unpacked(taken(documents, members))
    descending = sorted(zip(first.tolist(), names, members.tolist()), reverse=True)
    at = dict(zip((line for _, _, line in descending), places.tolist()))
    return [at[line] for line in wanted.tolist()]


def refuse_tie(lines: Lines, order: Ints, place: int) -> NoReturn:
    """Refuse two documents of equal score; the error names them."""
    pair = order[place - 1 : place + 1]
    one, other = map(decoded, unpacked(taken(lines.documents, pair)))
    topic = decoded(lines.topics[lines.row[pair[0]]])
    given = f"the score {lines.value[pair[1]]} for {one!r} and {other!r} of topic {topic!r}"
    refuse(lines.where(pair.max()), given, "distinct scores, or ties='trec_eval' or 'file'")
