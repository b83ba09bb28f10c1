"""Lines of judgements and runs, in stretches of one topic each, and ways to join stretches of the same topic."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from typing import Any

import numpy as np

from .._base.arrays import bincount, ranges, repeat, rows
from .._base.checks import refuse
from .._base.types import Array, Floats, Ints
from .documents import Documents, concatenated, decoded, taken, unpacked

BATCH = 256  # topics whose values are computed at once
SORTED = 2**20  # lines that are put into the order of their topics at once


@dataclass(frozen=True)
class Kind:
    """The kind of lines that a file holds."""

    expected: str
    value: str

    @cached_property
    def columns(self) -> list[str]:
        """The names of the columns."""
        return self.expected.split(": ")[1].split()

    @property
    def ranked(self) -> bool:
        """Whether the lines are from a run and not from judgements."""
        return self.value == "score"


RUN = Kind("six columns: topic Q0 document rank score tag", "score")
QRELS = Kind("four columns: topic iteration document grade", "grade")


@dataclass(frozen=True)
class Lines:
    """The lines of one file or mapping, in stretches of one topic each."""

    source: str
    topics: list[bytes]  # of each stretch
    length: Ints  # lines of each stretch
    documents: Documents
    value: Floats  # score or grade
    number: Ints  # where a line stands in the file, from 1; 0 if there is no file
    rank: Floats | None = None  # (2, stretches) what the file says in the first and the last line of each, as long as they stand in its order

    @property
    def row(self) -> Ints:
        """The number of the stretch to which each line belongs."""
        return rows(self.length)

    def taken(self, stretches: Any) -> Lines:
        """The lines of the given stretches only."""
        if len(stretches) == len(self.topics) and (np.diff(stretches) > 0).all():
            return self
        stretches = np.asarray(stretches, dtype=np.int64)
        length = self.length[stretches]
        lines = ranges((np.cumsum(self.length) - self.length)[stretches], length)
        topics = [self.topics[stretch] for stretch in stretches.tolist()]
        documents = taken(self.documents, lines)
        return Lines(self.source, topics, length, documents, self.value[lines], self.number[lines])

    def between(self, start: int, stop: int) -> Lines:
        """The stretches from `start` up to but not including `stop`."""
        lines = slice(int(self.length[:start].sum()), int(self.length[:stop].sum()))
        return Lines(self.source, self.topics[start:stop], self.length[start:stop], self.documents[lines], self.value[lines], self.number[lines])

    def merged(self) -> Lines:
        """The same lines, with neighbouring stretches of the same topic joined."""
        new = [i for i, topic in enumerate(self.topics) if not i or topic != self.topics[i - 1]]
        topics, length = [self.topics[i] for i in new], np.add.reduceat(self.length, new)
        return replace(self, topics=topics, length=length)

    def where(self, line: Any) -> str:
        """The name by which a message refers to a line."""
        return f"{self.source}, line {self.number[line]}" if self.number[line] else self.source


def joined_lines(parts: list[Lines]) -> Lines:
    """The lines of all parts, joined end to end."""
    if len(parts) == 1:
        return parts[0]
    topics = list(chain.from_iterable(part.topics for part in parts))
    length, value, number = (
        np.concatenate([getattr(part, name) for part in parts]) for name in ("length", "value", "number")
    )
    documents = concatenated([part.documents for part in parts])
    return Lines(parts[0].source, topics, length, documents, value, number).merged()


def gathered(lines: Lines) -> Lines:
    """The same lines with each topic in one stretch, in the order in which the topics first appear."""
    index = {topic: place for place, topic in enumerate(dict.fromkeys(lines.topics))}
    if len(index) == len(lines.topics):
        return lines
    topic = np.array([index[topic] for topic in lines.topics])
    return lines.taken(np.argsort(topic, kind="stable")).merged()


def gathered_by_topic(source: str, parts: Iterable[Lines], topics: list[bytes]) -> Iterator[Lines]:
    """The lines of these topics, some topics at a time; the lines of each topic are gathered into one stretch."""
    long = list(in_long_parts(source, parts, topics))
    for start in range(0, len(topics), BATCH):
        some = gathered(joined_lines([part.between(start, start + BATCH) for part in long]))
        if some.value.size:
            yield some.taken(np.flatnonzero(some.length))


def in_long_parts(source: str, parts: Iterable[Lines], topics: list[bytes]) -> Iterator[Lines]:
    """The lines of these topics in long parts; each part has one stretch, perhaps an empty one, for each topic."""
    index = {topic: place for place, topic in enumerate(topics)}
    waiting: list[tuple[Ints, Documents, Floats, Ints]] = []
    for lines in parts:
        topic = repeat([index.get(topic, -1) for topic in lines.topics], lines.length)
        kept = np.flatnonzero(topic >= 0)
        waiting.append((topic[kept], taken(lines.documents, kept), lines.value[kept], lines.number[kept]))
        if sum(part[0].size for part in waiting) >= SORTED:
            yield in_order(source, topics, waiting)
            waiting = []
    if waiting:
        yield in_order(source, topics, waiting)


def in_order(source: str, topics: list[bytes], parts: list[tuple[Ints, Documents, Floats, Ints]]) -> Lines:
    """The lines sorted by topic number; the lines of one topic keep their order."""
    of_topics, documents, values, numbers = map(list, zip(*parts))
    topic = np.concatenate(of_topics)
    order = np.argsort(topic, kind="stable")
    length = bincount(topic, minlength=len(topics))
    return Lines(source, topics, length, taken(concatenated(documents), order), np.concatenate(values)[order], np.concatenate(numbers)[order])


def whole_topics(parts: Iterable[Lines]) -> Iterator[Lines]:
    """The same lines, in parts that are cut only where a topic ends."""
    held: list[Lines] = []
    for part in parts:
        before, last = part.between(0, len(part.topics) - 1), part.between(len(part.topics) - 1, len(part.topics))
        if held and (before.topics or last.topics != held[0].topics):
            yield joined_lines([*held, before] if before.topics else held)
            held = []
        elif before.topics:
            yield before
        held.append(last)
    if held:
        yield joined_lines(held)


def refuse_duplicates(lines: Lines, code: Array) -> None:
    """Refuse a document that occurs twice in one topic; the error names it."""
    key = lines.row * (int(code.max(initial=0)) + 1) + code
    ascending = np.sort(key)
    twice = np.flatnonzero(ascending[1:] == ascending[:-1])
    if twice.size:
        one, other = np.flatnonzero(key == ascending[twice[0]])[:2].tolist()
        document = decoded(unpacked(taken(lines.documents, np.array([one])))[0])
        topic = decoded(lines.topics[lines.row[one]])
        first = f" (first in line {lines.number[one]})" if lines.number[one] else ""
        again = f"{document!r} of topic {topic!r} a second time{first}"
        refuse(lines.where(other), again, "each document of a topic once")
