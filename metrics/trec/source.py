"""The sources of lines: a file, which is read once, piece by piece, or a mapping."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Set
from contextlib import closing
from functools import cached_property
from itertools import chain
from math import isnan
from pathlib import PurePath
from typing import IO, Any

from .._base.checks import refuse
from .documents import decoded, numbered, unpacked
from .files import Path, Progress, is_pipe, numbered_lines, pieces_of, texts, wrong
from .forms import read_in_its_form
from .lines import QRELS, RUN, Kind, Lines, gathered, gathered_by_topic, joined_lines, refuse_duplicates, whole_topics
from .noticed import Noticed
from .parsing import number_in, of_mapping

SHUFFLED = 4  # stretches a topic: with more, lines are in no order
SUBTOPICS = "four columns: topic subtopic document grade"
COPIED = 2**30  # bytes of a pipe that are kept, in a file, to be read again


class Source:
    """A source of lines: a mapping, or a file, which is read only once if it is a pipe."""

    def __init__(self, name: str, given: Any, kind: Kind, progress: Progress = None) -> None:
        self.name, self.given, self.kind = name, given, kind
        self.path = path_of(given)
        self.texts: Iterator[tuple[int, bytes]] = iter(()) if self.path is None else texts(self.path, progress)
        self.copy: IO[bytes] | None = None  # of a pipe
        self.seen: set[bytes] = set()  # topics
        self.noticed = Noticed()

    def lines(self) -> Iterator[Lines]:
        """All lines, read for the first time."""
        if self.path is None:
            yield from of_mapping(self.name, self.given, self.kind)
            return
        empty = True
        for lines in self.parsed(self.copied() if is_pipe(self.path) else self.texts):
            empty = False
            yield lines
        if empty:
            refuse(str(self.path), "no lines but comments and column names", f"lines of {self.kind.expected}")

    def parsed(self, numbered_texts: Iterable[tuple[int, bytes]]) -> Iterator[Lines]:
        """The lines that the pieces of text hold, in any known form."""
        for lines in read_in_its_form(str(self.path), numbered_texts, self.kind, self.noticed):
            if lines.topics:
                self.noticed.ranks(lines)
                yield lines

    def copied(self) -> Iterator[tuple[int, bytes]]:
        """The texts from a pipe, copied to a temporary file unless they are too long for this."""
        from tempfile import TemporaryFile  # which most have no use for, and takes 6 ms

        self.copy = TemporaryFile()
        for first, text in self.texts:
            if self.copy and self.copy.tell() + len(text) > COPIED:
                self.forget()
            if self.copy:
                self.copy.write(text)
            yield first, text

    def by_topic(self, wanted: Collection[bytes] | None = None) -> Iterator[Lines]:
        """The lines of the wanted topics (default: all), whole topics at a time.

        If a topic recurs, all its lines come together at the end, and replace those that came before.
        """
        scattered: set[bytes] = set()
        stretches = 0
        for part in whole_topics(self.lines()):
            count = Counter(part.topics)
            stretches += len(part.topics)
            scattered.update(topic for topic in count if count[topic] > 1 or topic in self.seen)
            self.seen.update(count)
            new = count.keys() - scattered
            if places := [place for place, topic in enumerate(part.topics) if topic in new and (wanted is None or topic in wanted)]:
                yield part.taken(places)
            if wanted is not None and stretches > SHUFFLED * len(self.seen):
                scattered = set(wanted)
                break
        if scattered := scattered if wanted is None else scattered.intersection(wanted):
            yield from gathered_by_topic(str(self.path), self.again(scattered), sorted(scattered))

    def again(self, topics: Set[bytes]) -> Iterator[Lines]:
        """All lines, read again from the beginning because the lines of these topics were not together."""
        path = str(self.path)
        if self.copy:
            self.copy.seek(0)
            self.texts = chain(pieces_of(path, self.copy), self.texts)
        elif is_pipe(path):
            apart = f"lines of topic {decoded(min(topics))!r} that are not together"
            refuse(path, apart, "a file, because this pipe is too long to be kept, or lines sorted by topic")
        else:
            self.texts = texts(path)
        for lines in self.parsed(self.texts):
            self.seen.update(lines.topics)
            yield lines

    def forget(self) -> None:
        """Close and forget the copy."""
        if self.copy:
            self.copy.close()
            self.copy = None

    def close(self) -> None:
        """Close the file and its copy."""
        self.texts = iter(())
        self.forget()

    @property
    def tag(self) -> str:
        """The name of a run: the tag in its last line, as in trec_eval, or, if there is no tag, the name of the file."""
        words = (line.split() for line in reversed(self.noticed.last.split(b"\n")))
        tags = (line[5].decode(errors="replace") for line in words if line and not line[0].startswith(b"#"))
        return next(tags, PurePath(str(self.path)).name)


def path_of(given: Any) -> Path | None:
    """The path of the file, or None for a mapping."""
    given = given.path if isinstance(given, Run) and "_read" not in vars(given) else given
    return given if isinstance(given, (str, os.PathLike)) else None


def read_qrels(path: Path) -> dict[str, dict[str, int | float]]:
    """The grades in a file of judgements, by topic and document.

    path: lines of four columns, topic, iteration, document and grade, with blanks or tabs between
    them; also a .gz or .zst.
    Returns topic -> document -> grade, a whole number as int. A grade may have any sign; a negative
    grade says that the document was not judged.
    Raises ValueError for a line that is wrong and for a document that a topic has twice, and OSError
    for a file that cannot be opened.
    Source: the format of trec_eval.
    """
    judged, _ = read(path, QRELS)
    return {
        topic: {item: int(grade) if grade.is_integer() else grade for item, grade in grades.items()}
        for topic, grades in judged.items()
    }


def read_subtopics(path: Path) -> dict[str, dict[str, dict[str, float]]]:
    """The grades in a file of judgements of subtopics, by topic, subtopic and document.

    path: lines of four columns, topic, subtopic, document and grade, with blanks or tabs between
    them; also compressed.
    Returns topic -> subtopic -> document -> grade, which `metrics.alpha_ndcg` and `metrics.err_ia`
    take as intents, beside rankings by topic.
    Raises ValueError for a line that is wrong and for a document that a subtopic has twice, and OSError
    for a file that cannot be opened.
    Source: the format of ndeval.
    """
    found: dict[str, dict[str, dict[str, float]]] = {}
    for place, line in numbered_lines(path):
        words = line.split()
        if not words or words[0].startswith(b"#"):
            continue
        if len(words) != 4 or isnan(grade := number_in(words[3], QRELS)):
            wrong(str(path), place, line, f"{SUBTOPICS}, with a finite number as grade")
        topic, subtopic, document = map(decoded, words[:3])
        grades = found.setdefault(topic, {}).setdefault(subtopic, {})
        if document in grades:
            wrong(str(path), place, line, "each document of a subtopic once")
        grades[document] = grade
    if not found:
        refuse(str(path), "no lines but comments", f"lines of {SUBTOPICS}")
    return found


def read(path: Path, kind: Kind) -> tuple[dict[str, dict[str, float]], Noticed]:
    """The whole content of a file, in memory, and the oddities that were noticed."""
    with closing(Source("", path, kind)) as source:
        lines = gathered(joined_lines(list(source.lines())))
    refuse_duplicates(lines, numbered(lines.documents))
    ids, values = map(decoded, unpacked(lines.documents)), lines.value.tolist()
    pairs = zip(ids, values)
    return {
        decoded(topic): dict(next(pairs) for _ in range(count))
        for topic, count in zip(lines.topics, lines.length.tolist())
    }, source.noticed


class Run(Mapping[str, Mapping[str, float]]):
    """A run in a file: topic -> document -> score; the file is read when it is first needed."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @cached_property
    def _read(self) -> tuple[dict[str, dict[str, float]], Noticed]:
        return read(self.path, RUN)

    def __getitem__(self, topic: str) -> Mapping[str, float]:
        return self._read[0][topic]

    def __iter__(self) -> Iterator[str]:
        return iter(self._read[0])

    def __len__(self) -> int:
        return len(self._read[0])

    def __repr__(self) -> str:
        return f"Run({str(self.path)!r})"


def read_run(path: Path) -> Run:
    """The scores of a run, by topic and document, read when first needed.

    path: lines of six columns, topic, Q0, document, rank, score and tag, with blanks or tabs between
    them; also a .gz or .zst. The beginning is read at once, so that a wrong file is refused here.
    Returns a mapping topic -> document -> score. Once it is asked for a topic, it keeps the whole
    file in memory; `evaluate` reads the file piece by piece.
    Raises ValueError for a wrong line, and OSError for a file that cannot be opened.
    Source: the format of trec_eval.
    """
    if not is_pipe(path):
        with closing(Source("", path, RUN)) as source:
            next(source.lines())
    return Run(path)
