"""TREC's files of judgements and runs: read in pieces, ordered as trec_eval orders, and evaluated.

A judgement is a line `topic iteration document grade`, a ranked document one of a run,
`topic Q0 document rank score tag`; a line that begins with # is a comment. Text stays bytes until it is handed out: trec_eval orders
documents of equal score by their bytes.
"""

from __future__ import annotations

import gzip
import io
import os
import re
import stat
import sys
import zlib
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Set
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from functools import cache, cached_property
from itertools import chain, groupby
from typing import IO, Any, BinaryIO, NamedTuple, NoReturn, TypeAlias

import numpy as np

from . import measures as by_name, trec_names
from ._checks import choice, number, refuse, whole
from ._column import Column
from ._types import Array, Floats, Ints, Number, Whole
from .aggregate import mean
from .hits import Hits

Path: TypeAlias = str | os.PathLike[str]
Documents: TypeAlias = Any  # ids as Arrow's array of bytes, or as a list of bytes where there is no pyarrow
Progress: TypeAlias = Callable[[int, int], None] | bool | None

PIECE = 540_000  # bytes of text at a time: a third as many take 1.2 times as long, twice as many 0.9 times and 7 MB more
PLAIN = 6  # so many times smaller are the pieces of plain Python, whose words then stay in the cache: 0.8 times as long
BATCH = 256  # topics whose values are computed at once
LONGEST = 2**24  # bytes in a line
SORTED = 2**20  # lines that are put into the order of their topics at once
SHUFFLED = 4  # stretches a topic: with more, lines are in no order
COPIED = 2**30  # bytes of a pipe that are kept, in a file, to be read again


@dataclass(frozen=True)
class Kind:
    """What the lines of a file hold."""

    expected: str
    value: str

    @cached_property
    def columns(self) -> list[str]:
        """The names of the columns."""
        return self.expected.split(": ")[1].split()


RUN = Kind("six columns: topic Q0 document rank score tag", "score")
QRELS = Kind("four columns: topic iteration document grade", "grade")
OTHER = {4: "this looks like qrels", 6: "this looks like a run"}


# ---- lines

@dataclass(frozen=True)
class Lines:
    """Lines of one file, or of a mapping, in stretches of one topic each."""

    source: str
    topics: list[bytes]  # of each stretch
    length: Ints  # lines of each stretch
    documents: Documents
    value: Floats  # score or grade
    number: Ints  # where a line stands in the file, from 1; 0 if there is no file

    @property
    def row(self) -> Ints:
        """The stretch that each line belongs to."""
        return np.repeat(np.arange(len(self.topics)), self.length)

    def taken(self, stretches: Any) -> Lines:
        """Some of the stretches."""
        if len(stretches) == len(self.topics) and (np.diff(stretches) > 0).all():
            return self
        stretches = np.asarray(stretches, dtype=np.int64)
        length = self.length[stretches]
        lines = ranges((np.cumsum(self.length) - self.length)[stretches], length)
        topics = [self.topics[stretch] for stretch in stretches.tolist()]
        documents = taken(self.documents, lines)
        return Lines(self.source, topics, length, documents, self.value[lines], self.number[lines])

    def split(self) -> tuple[Lines, Lines]:
        """All but the last stretch, and the last."""
        cut = self.value.size - int(self.length[-1])

        def part(stretches: slice, lines: slice) -> Lines:
            arrays = self.documents[lines], self.value[lines], self.number[lines]
            return Lines(self.source, self.topics[stretches], self.length[stretches], *arrays)

        return part(slice(-1), slice(cut)), part(slice(-1, None), slice(cut, None))

    def merged(self) -> Lines:
        """Neighbouring stretches of one topic as one."""
        new = [i for i, topic in enumerate(self.topics) if not i or topic != self.topics[i - 1]]
        topics, length = [self.topics[i] for i in new], np.add.reduceat(self.length, new)
        return replace(self, topics=topics, length=length)

    def where(self, line: Any) -> str:
        """How a message names a line."""
        return f"{self.source}, line {self.number[line]}" if self.number[line] else self.source


def joined(parts: list[Lines]) -> Lines:
    """The lines one after the other."""
    if len(parts) == 1:
        return parts[0]
    topics = list(chain.from_iterable(part.topics for part in parts))
    length, value, number = (
        np.concatenate([getattr(part, name) for part in parts]) for name in ("length", "value", "number")
    )
    documents = concatenated([part.documents for part in parts])
    return Lines(parts[0].source, topics, length, documents, value, number).merged()


def gathered(lines: Lines) -> Lines:
    """The same lines with each topic in one stretch, in the order in which the topics first come."""
    index = {topic: place for place, topic in enumerate(dict.fromkeys(lines.topics))}
    if len(index) == len(lines.topics):
        return lines
    topic = np.array([index[topic] for topic in lines.topics])
    return lines.taken(np.argsort(topic, kind="stable")).merged()


class Placed(NamedTuple):
    """Lines whose topics have numbers."""

    topic: Ints
    documents: Documents
    value: Floats
    number: Ints

    def between(self, start: int, stop: int) -> Placed:
        """The lines of topics from start to stop, if topics ascend."""
        lines = slice(*np.searchsorted(self.topic, (start, stop)).tolist())
        return Placed(self.topic[lines], self.documents[lines], self.value[lines], self.number[lines])


def ascending(parts: list[Placed]) -> Placed:
    """All lines, those of a topic together and in their order."""
    topic, value, number = (np.concatenate([getattr(part, name) for part in parts]) for name in ("topic", "value", "number"))
    order = np.argsort(topic, kind="stable")
    documents = taken(concatenated([part.documents for part in parts]), order)
    return Placed(topic[order], documents, value[order], number[order])


def gathered_by_topic(source: str, parts: Iterable[Lines], topics: list[bytes]) -> Iterator[Lines]:
    """The lines of these topics, each topic in one stretch, some topics at a time.

    They wait in a few long parts in which topics ascend: some topics are then a slice of each part.
    """
    long = list(in_long_parts(parts, topics))
    for start in range(0, len(topics), BATCH):
        some = ascending([part.between(start, start + BATCH) for part in long])
        if some.topic.size:
            new = np.flatnonzero(np.diff(some.topic, prepend=-1))
            length = np.diff(new, append=some.topic.size)
            yield Lines(source, [topics[topic] for topic in some.topic[new].tolist()], length, *some[1:])


def in_long_parts(parts: Iterable[Lines], topics: list[bytes]) -> Iterator[Placed]:
    """The lines of these topics, many at a time, in which topics ascend."""
    index = {topic: place for place, topic in enumerate(topics)}
    waiting: list[Placed] = []
    for lines in parts:
        topic = np.repeat([index.get(topic, -1) for topic in lines.topics], lines.length)
        kept = np.flatnonzero(topic >= 0)
        waiting.append(Placed(topic[kept], taken(lines.documents, kept), lines.value[kept], lines.number[kept]))
        if sum(part.topic.size for part in waiting) >= SORTED:
            yield ascending(waiting)
            waiting = []
    if waiting:
        yield ascending(waiting)


def ranges(start: Ints, length: Ints) -> Ints:
    """start, start + 1 ... of each length, one after the other."""
    before = np.cumsum(length) - length
    return np.repeat(start - before, length) + np.arange(length.sum())


# ---- documents: Arrow's arrays where pyarrow is installed, lists where it is not

@cache
def arrow() -> Any:
    """The module pyarrow with its reader, or None."""
    try:
        import pyarrow
        import pyarrow.compute
        import pyarrow.csv
    except ImportError:
        return None
    return pyarrow


def pool() -> Any:
    """Memory that goes back to the system: Arrow's own pool keeps it."""
    return arrow().system_memory_pool()


def packed(ids: list[bytes]) -> Documents:
    """The documents as this module keeps them."""
    if not (pa := arrow()):
        return ids
    offset = np.concatenate([[0], np.cumsum(list(map(len, ids)), dtype=np.int64)]).astype(np.int64)
    buffers = [None, pa.py_buffer(offset), pa.py_buffer(b"".join(ids))]
    return pa.Array.from_buffers(pa.large_binary(), len(ids), buffers)


def unpacked(documents: Documents) -> list[bytes]:
    """The documents as a list."""
    return documents if isinstance(documents, list) else documents.to_pylist()


def concatenated(parts: list[Documents]) -> Documents:
    """All documents, one part after the other."""
    if isinstance(parts[0], list):
        return list(chain.from_iterable(parts))
    return arrow().concat_arrays(parts, memory_pool=pool())


def taken(documents: Documents, places: Ints) -> Documents:
    """The documents at these places."""
    if isinstance(documents, list):
        return [documents[place] for place in places.tolist()]
    pa = arrow()
    indices = pa.Array.from_buffers(pa.int64(), places.size, [None, pa.py_buffer(places)])
    return pa.compute.take(documents, indices, memory_pool=pool())


def numbered(documents: Documents) -> Array:
    """A number for each document, from 0, the same for the same document, in the order of first coming."""
    if not isinstance(documents, list):
        return np.from_dlpack(arrow().compute.dictionary_encode(documents, memory_pool=pool()).indices)
    numbers = dict(zip(dict.fromkeys(documents), range(len(documents))))
    return np.fromiter(map(numbers.__getitem__, documents), dtype=np.int64, count=len(documents))


# ---- reading

def wrong(source: str, number: int, line: bytes, expected: str) -> NoReturn:
    """Refuse a line, of which the message shows the beginning."""
    line = line.rstrip(b"\r\n")
    try:
        text, shown = line.decode(), repr(line.decode()[:60])
    except UnicodeDecodeError:
        text, shown = line, repr(line[:60])[1:]
    more = f" and {len(text) - 60} characters more" if len(text) > 60 else ""
    refuse(f"{source}, line {number}", shown + more, expected)


def decoded(text: bytes) -> str:
    """Text as Python has it; bytes that are no UTF-8 come back as they were."""
    return text.decode("utf-8", "surrogateescape")


def encoded(name: str, ids: list[Any]) -> list[bytes]:
    """The bytes of ids."""
    for item in ids:
        if not isinstance(item, str):
            refuse(name, f"the id {item!r} of type {type(item).__name__}", "ids that are text, as in files")
    return [item.encode("utf-8", "surrogateescape") for item in ids]


@contextmanager
def opened(path: Path) -> Iterator[tuple[BinaryIO, BinaryIO]]:
    """The file, and its text, which a .gz or a .zst holds packed: known by the first bytes."""
    with open(path, "rb") as file:
        first = file.peek(4)[:4]
        if first[:2] == b"\x1f\x8b":
            yield file, gzip.GzipFile(fileobj=file)
        elif first == b"\x28\xb5\x2f\xfd":
            yield file, unpacked_zst(str(path), file)
        else:
            yield file, file


def unpacked_zst(source: str, file: BinaryIO) -> BinaryIO:
    """The text of a .zst, which plain Python reads from 3.14 on."""
    if pa := arrow():
        return io.BufferedReader(pa.CompressedInputStream(pa.PythonFile(file), "zstd"))
    try:
        from compression import zstd
    except ImportError:
        refuse(source, "a .zst file", "one that is unpacked, or pyarrow: pip install pyarrow")
    return zstd.ZstdFile(file)


def texts(path: Path, progress: Progress = None) -> Iterator[tuple[int, bytes]]:
    """The text of a file in pieces of whole lines, each with the number of its first line."""
    report = reporter(path, progress)
    with opened(path) as (file, text):
        size = os.fstat(file.fileno()).st_size
        for numbered_piece in whole_lines(str(path), text):
            yield numbered_piece
            if report and file.seekable():
                report(file.tell(), size)


def whole_lines(source: str, text: IO[bytes]) -> Iterator[tuple[int, bytes]]:
    """The text in pieces of whole lines; LF, CR LF and CR end a line, and all become LF."""
    number, rest, more = 1, b"", True
    while more:
        try:
            block = text.read(max(PIECE if arrow() else PIECE // PLAIN, len(rest), 1))
        except (EOFError, OSError, zlib.error) as error:
            where = f"{source}, after line {number - 1}" if number > 1 else source
            refuse(where, f"the error {str(error)!r}", "a .gz or .zst file that can be unpacked to its end")
        more = bool(block)
        if b"\r" in block or rest.endswith(b"\r"):
            rest, block = b"", with_line_feeds(rest + block, ended=not more)
        stop = block.rfind(b"\n") + 1 if more else len(block)
        if stop or not more:
            piece, rest = b"".join((rest, memoryview(block)[:stop])), block[stop:]
        else:
            piece, rest = b"", rest + block
        if len(rest) >= LONGEST:
            wrong(source, number + piece.count(b"\n"), rest, "lines of at most 16 MB")
        if number == 1:
            piece = without_mark(source, piece)
        if piece:
            piece += b"\n" * (not piece.endswith(b"\n"))
            yield number, piece
            number += piece.count(b"\n")


def with_line_feeds(text: bytes, ended: bool) -> bytes:
    """The text with LF at the end of each line; a CR at the end waits for the LF that may follow."""
    waits = b"\r" * (text.endswith(b"\r") and not ended)
    return text[: len(text) - len(waits)].replace(b"\r\n", b"\n").replace(b"\r", b"\n") + waits


def without_mark(source: str, text: bytes) -> bytes:
    """The text without the mark EF BB BF that some editors put first."""
    if text.startswith((b"\xff\xfe", b"\xfe\xff")):
        refuse(f"{source}, line 1", "the byte-order mark of UTF-16", "UTF-8 or ASCII")
    return text.removeprefix(b"\xef\xbb\xbf")


def reporter(path: Path, progress: Progress) -> Callable[[int, int], None] | None:
    """What tells how far the reading is."""
    if callable(progress):
        return progress
    if not progress or not sys.stderr or not sys.stderr.isatty():
        return None

    def line(done: int, size: int) -> None:
        end = "\n" if done >= size else "\r"
        text = f"{visible(str(path))}: {done / max(size, 1):4.0%} of {size / 1e6:.0f} MB"
        print(text, end=end, file=sys.stderr, flush=True)

    return line


def pieces(path: Path, kind: Kind, progress: Progress = None) -> Iterator[Lines]:
    """The lines of a file, as many at a time as fit in a piece of text."""
    with closing(Source("", path, kind, progress)) as source:
        yield from source.lines()


class Source:
    """Where lines come from: a mapping, or a file, which is read once if it is a pipe."""

    def __init__(self, name: str, given: Any, kind: Kind, progress: Progress = None) -> None:
        self.name, self.given, self.kind = name, given, kind
        self.path = path_of(given)
        self.texts: Iterator[tuple[int, bytes]] = iter(()) if self.path is None else texts(self.path, progress)
        self.copy: IO[bytes] | None = None  # of a pipe
        self.last = b""  # the last piece of text that holds a line
        self.seen: set[bytes] = set()  # topics

    def lines(self) -> Iterator[Lines]:
        """All lines, for the first time."""
        if self.path is None:
            yield from of_mapping(self.name, self.given, self.kind)
            return
        yield from self.understood(self.copied() if is_pipe(self.path) else self.texts)
        if not self.last:
            refuse(str(self.path), "an empty file", f"lines of {self.kind.expected}")

    def understood(self, numbered_texts: Iterable[tuple[int, bytes]]) -> Iterator[Lines]:
        """The lines of pieces of text."""
        source, fast = str(self.path), by_arrow if arrow() else by_columns
        for first, text in numbered_texts:
            lines = fast(source, first, text, self.kind) or line_by_line(source, first, text, self.kind)
            if lines.topics:
                self.last = text
                yield lines

    def copied(self) -> Iterator[tuple[int, bytes]]:
        """The texts of a pipe, which are kept unless they are too long."""
        from tempfile import TemporaryFile  # which most have no use for, and takes 6 ms

        self.copy = TemporaryFile()
        for first, text in self.texts:
            if self.copy and self.copy.tell() + len(text) > COPIED:
                self.forget()
            if self.copy:
                self.copy.write(text)
            yield first, text

    def by_topic(self, wanted: Collection[bytes] | None = None) -> Iterator[Lines]:
        """The lines of the wanted topics, default all, whole topics at a time; one that comes again replaces what came before."""
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
        """All lines from the beginning, because of these topics."""
        path = str(self.path)
        if self.copy:
            self.copy.seek(0)
            self.texts = chain(whole_lines(path, self.copy), self.texts)
        elif is_pipe(path):
            apart = f"lines of topic {decoded(min(topics))!r} that do not stand together"
            refuse(path, apart, "a file, for this pipe is too long to be kept, or lines in the order of their topics")
        else:
            self.texts = texts(path)
        for lines in self.understood(self.texts):
            self.seen.update(lines.topics)
            yield lines

    def forget(self) -> None:
        """Close the copy."""
        if self.copy:
            self.copy.close()
            self.copy = None

    def close(self) -> None:
        """Close the file and its copy."""
        self.texts = iter(())
        self.forget()

    @property
    def tag(self) -> str:
        """The name of a run, as its last line has it; trec_eval takes that one, too."""
        words = (line.split() for line in reversed(self.last.split(b"\n")))
        return next(line[5].decode(errors="replace") for line in words if line and not line[0].startswith(b"#"))


def is_pipe(path: Path) -> bool:
    """Whether a file can be read but once."""
    mode = os.stat(path).st_mode
    return not stat.S_ISREG(mode) and not stat.S_ISDIR(mode)


HIDDEN = re.compile(r"[\0-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


def visible(text: str) -> str:
    r"""The text with letters written out that would do something to a terminal: \x1b, \u202e.

    They are all control characters but tab and line feed, what turns the direction of writing
    around, and what was no UTF-8.
    """
    return HIDDEN.sub(lambda letter: ascii(letter[0])[1:-1], text)


def by_arrow(source: str, first: int, text: bytes, kind: Kind) -> Lines | None:
    """The lines by Arrow's reader, where single blanks or tabs separate the columns; else None."""
    if comments_in(text):
        return None
    space = np.frombuffer(text, dtype=np.uint8) <= ord(" ")
    if space[0] or (space[1:] & space[:-1]).any():
        return None
    pa = arrow()
    delimiter = "\t" if b"\t" in text[: text.index(b"\n")] else " "
    wanted = {"topic": pa.binary(), "document": pa.large_binary(), kind.value: pa.float64()}
    csv = pa.csv
    try:
        table = csv.read_csv(
            pa.BufferReader(text),
            csv.ReadOptions(use_threads=False, block_size=len(text) + 1, column_names=kind.columns),
            csv.ParseOptions(delimiter=delimiter, quote_char=False, escape_char=False),
            csv.ConvertOptions(
                include_columns=list(wanted), column_types=wanted, check_utf8=False, null_values=[]
            ),
            memory_pool=pool(),
        )
    except pa.ArrowInvalid:
        return None
    topic, documents, value = (column.chunk(0) for column in table.columns)
    value = np.from_dlpack(value)
    if np.count_nonzero(space) != len(kind.columns) * table.num_rows or not numbers(value, kind):
        return None
    stretches = pa.compute.run_end_encode(topic, memory_pool=pool())
    length = np.diff(np.from_dlpack(stretches.run_ends), prepend=0).astype(np.int64)
    number = np.arange(first, first + table.num_rows)
    return Lines(source, stretches.values.to_pylist(), length, documents, value, number)


def by_columns(source: str, first: int, text: bytes, kind: Kind) -> Lines | None:
    """The lines by plain Python, where each has the columns of its kind; else None."""
    if comments_in(text) or b"\0" in text:
        return None
    width, count = len(kind.columns) + 1, text.count(b"\n")
    words = text.replace(b"\n", b" \0 ").split()
    if words[width - 1 :: width] != [b"\0"] * count or len(words) != width * count:
        return None
    column = dict(zip(kind.columns, (words[place::width] for place in range(width))))
    return in_stretches(source, column["topic"], column["document"], column[kind.value],
                        np.arange(first, first + count), kind)


def line_by_line(source: str, first: int, text: bytes, kind: Kind) -> Lines:
    """The lines one at a time, whatever stands between the columns; a wrong one is named."""
    columns = kind.columns
    wanted = [columns.index(name) for name in ("topic", "document", kind.value)]
    kept, places = [], []
    for place, line in enumerate(text.split(b"\n")[:-1], first):
        words = line.split()
        if not words or words[0].startswith(b"#"):
            continue
        if b"\0" in line:
            wrong(source, place, line, f"text of {kind.expected}, not a binary file")
        if len(words) < len(columns) or kind is QRELS and len(words) > len(columns):
            at_the_start = first == 1 and not kept and len(words) in OTHER
            hint = f" ({OTHER[len(words)]})" if at_the_start else ""
            wrong(source, place, line, kind.expected + hint)
        if np.isnan(value_of(words[wanted[2]], kind)):
            allowed = "a number" if kind is RUN else "a finite number"
            wrong(source, place, line, f"{kind.expected}, with {allowed} as {kind.value}")
        kept.append([words[column] for column in wanted])
        places.append(place)
    topic, document, value = zip(*kept) if kept else ((), (), ())
    return in_stretches(source, topic, list(document), value, np.array(places, dtype=np.int64), kind)


def comments_in(text: bytes) -> bool:
    """Whether a line may begin with #."""
    return b"#" in text and (b"\n#" in text or text.startswith(b"#") or b" #" in text or b"\t#" in text)


def value_of(word: bytes, kind: Kind) -> float:
    """The number that a word is, nan if it is none."""
    try:
        value = float(word) if b"_" not in word else np.nan
    except ValueError:
        value = np.nan
    return value if kind is RUN or np.isfinite(value) else np.nan


def numbers(value: Floats, kind: Kind) -> bool:
    """Whether all are scores or grades."""
    return not np.isnan(value).any() if kind is RUN else bool(np.isfinite(value).all())


def in_stretches(
    source: str, topic: Iterable[bytes], documents: list[bytes], words: Any, number: Ints, kind: Kind
) -> Lines | None:
    """The lines of which these are the columns; None where a value is no number."""
    try:
        value = np.array(list(map(float, words)), dtype=np.float64)
    except ValueError:
        return None
    if b"_" in b"".join(words) or not numbers(value, kind):
        return None
    stretches = [(name, len(list(lines))) for name, lines in groupby(topic)]
    topics = [name for name, _ in stretches]
    length = np.array([count for _, count in stretches], dtype=np.int64)
    return Lines(source, topics, length, packed(documents), value, number)


def of_mapping(name: str, given: Any, kind: Kind) -> Iterator[Lines]:
    """The lines that a file of the mapping would hold, some topics at a time."""
    if not isinstance(given, Mapping):
        refuse(name, repr(given), f"a path, or a mapping topic -> document -> {kind.value}")
    if not given:
        refuse(name, "no topics", f"a mapping topic -> document -> {kind.value}")
    topics = list(given.items())
    for start in range(0, len(topics), BATCH):
        batch = topics[start : start + BATCH]
        for topic, items in batch:
            if not isinstance(items, Mapping):
                refuse(f"{name}[{topic!r}]", repr(items), f"a mapping document -> {kind.value}")
        documents = encoded(name, [document for _, items in batch for document in items])
        value = np.concatenate([numbers_of(f"{name}[{topic!r}]", items, kind) for topic, items in batch])
        length = np.array([len(items) for _, items in batch], dtype=np.int64)
        line = np.zeros(value.size, dtype=np.int64)
        names = encoded(name, [topic for topic, _ in batch])
        yield Lines(name, names, length, packed(documents), value, line)


def numbers_of(name: str, items: Mapping[str, float], kind: Kind) -> Floats:
    """The scores or grades of a topic."""
    values = list(items.values())
    plain = set(map(type, values)) <= {int, float}
    if not plain or not numbers(array := np.array(values, dtype=np.float64), kind):
        for item, value in items.items():
            allowed = "or inf" if kind is RUN else "that is finite"
            number(f"{name}[{item!r}]", value, allowed, lambda x: kind is RUN or np.isfinite(x))
        array = np.array(list(map(float, values)), dtype=np.float64)
    return array


def whole_topics(parts: Iterable[Lines]) -> Iterator[Lines]:
    """The same lines, cut where a topic ends."""
    held: list[Lines] = []
    for part in parts:
        before, last = part.split()
        if held and (before.topics or last.topics != held[0].topics):
            yield joined([*held, before] if before.topics else held)
            held = []
        elif before.topics:
            yield before
        held.append(last)
    if held:
        yield joined(held)


def path_of(given: Any) -> Path | None:
    """Where the file is, None for a mapping."""
    given = given.path if isinstance(given, Run) and "_scores" not in vars(given) else given
    return given if isinstance(given, (str, os.PathLike)) else None


# ---- judgements and ranks

class Judgements:
    """What is judged, by topic."""

    def __init__(self, qrels: Path | Mapping[str, Mapping[str, float]]) -> None:
        self.place: dict[bytes, tuple[int, int, int]] = {}
        self.documents: list[Documents] = []
        self.grade: list[Array] = []
        with closing(Source("qrels", qrels, QRELS)) as source:
            for part in source.by_topic():
                self.add(part)

    def add(self, part: Lines) -> None:
        """Keep the judgements of whole topics."""
        refuse_duplicates(part, numbered(part.documents))
        stop, which = np.cumsum(part.length), len(self.documents)
        places = zip((stop - part.length).tolist(), stop.tolist())
        self.place.update((topic, (which, *place)) for topic, place in zip(part.topics, places))
        self.documents.append(part.documents)
        with np.errstate(invalid="ignore"):
            small = part.value.astype(np.int8)
        self.grade.append(small if (small == part.value).all() else part.value)

    @property
    def relevant(self) -> int:
        """How many grades are above 0."""
        return sum(int((self.grade[which][first:last] > 0).sum()) for which, first, last in self.place.values())

    def of(self, topics: list[bytes]) -> tuple[Ints, Documents, Floats]:
        """The row, the document and the grade of every judgement of these topics."""
        places = [self.place[topic] for topic in topics]
        row = np.repeat(np.arange(len(places)), [last - first for _, first, last in places])
        documents = concatenated([self.documents[which][first:last] for which, first, last in places])
        grades = [self.grade[which][first:last] for which, first, last in places]
        return row, documents, np.concatenate(grades, dtype=np.float64)


def refuse_duplicates(lines: Lines, code: Array) -> None:
    """Name the document that stands in one topic twice."""
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


@dataclass(frozen=True)
class Found:
    """The judgements of some topics, and the ranks at which the judged documents stand."""

    topics: list[bytes]
    length: Ints
    row: Ints
    rank: Ints
    grade: Floats
    pool_row: Ints
    pool_grade: Floats


def found(lines: Lines, judgements: Judgements, ties: str, depth: int | None, version: int) -> Found:
    """Look up what is judged; every topic is whole."""
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
    rank = ranks(lines, row, line, ties, version)
    place = np.lexsort((rank, row[line]))
    place = place if depth is None else place[rank[place] <= depth]
    length = lines.length if depth is None else np.minimum(lines.length, depth)
    grade = pool_grade[at[place]]
    return Found(lines.topics, length, row[line[place]], rank[place], grade, pool_row, pool_grade)


def ranks(lines: Lines, row: Ints, wanted: Ints, ties: str, version: int) -> Ints:
    """The 1-based ranks of the wanted lines in their topics."""
    start = (np.cumsum(lines.length) - lines.length)[row[wanted]]
    if ties == "file":
        return wanted - start + 1
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
        place[tied] = by_document(lines.documents, order, np.flatnonzero(new), wanted[tied], place[tied])
    return place - start + 1


def falling(row: Ints, score: Floats, version: int) -> Ints:
    """Whole numbers that ascend with the row and, in a row, as the score descends: as version 9 has it, in single precision."""
    if version == 10:
        return row * score.size + np.unique(0 - score, return_inverse=True)[1]
    with np.errstate(over="ignore"):
        negated = 0 - score.astype(np.float32)
    # The bits of two floats are in the order of the floats; of two negative ones, the other way round.
    bits = negated.view(np.int32).astype(np.int64)
    return (row << 32) + (bits ^ (bits >> 63) & 0x7FFFFFFF)


def by_document(documents: Documents, order: Ints, cuts: Ints, wanted: Ints, place: Ints) -> list[int]:
    """The places of lines of equal score: documents descend."""
    group = np.unique(np.searchsorted(cuts, place, side="right") - 1)
    length = cuts[group + 1] - cuts[group]
    places = ranges(cuts[group], length)
    members = order[places]
    first = np.repeat(-cuts[group], length)
    names = unpacked(taken(documents, members))
    falling = sorted(zip(first.tolist(), names, members.tolist()), reverse=True)
    at = dict(zip((line for _, _, line in falling), places.tolist()))
    return [at[line] for line in wanted.tolist()]


def refuse_tie(lines: Lines, order: Ints, place: int) -> NoReturn:
    """Name two documents of equal score."""
    pair = order[place - 1 : place + 1]
    one, other = map(decoded, unpacked(taken(lines.documents, pair)))
    topic = decoded(lines.topics[lines.row[pair[0]]])
    given = f"the score {lines.value[pair[1]]} for {one!r} and {other!r} of topic {topic!r}"
    refuse(lines.where(pair.max()), given, "distinct scores, or ties='trec_eval' or 'file'")


def hits_of(parts: list[Found]) -> Hits:
    """The hits of all topics together."""
    before = np.cumsum([0, *(len(part.topics) for part in parts)])

    def all_of(name: str, shifted: bool = False) -> Array:
        arrays = (getattr(part, name) for part in parts)
        return np.concatenate([a + shift if shifted else a for a, shift in zip(arrays, before)])

    return Hits.from_judged(
        length=all_of("length"), row=all_of("row", True), rank=all_of("rank"), grade=all_of("grade"),
        pool_row=all_of("pool_row", True), pool_grade=all_of("pool_grade"),
    )


class Table:
    """The values of topics, computed some topics at a time."""

    def __init__(self, names: dict[str, bool], relevance_level: Number, version: int) -> None:
        self.names, self.level, self.version = names, relevance_level, version
        self.topics: list[bytes] = []
        self.waiting: list[Found] = []
        self.values: dict[str, list[Floats]] = {name: [] for name in names}

    def add(self, part: Found) -> None:
        """Take what was found of some topics."""
        self.topics += part.topics
        self.waiting.append(part)
        if sum(len(part.topics) for part in self.waiting) >= BATCH:
            self.compute()

    def compute(self) -> None:
        """The values of the topics that wait."""
        if not self.waiting:
            return
        hits = hits_of(self.waiting)
        self.waiting = []
        of_book = [name for name, of_trec_eval in self.names.items() if not of_trec_eval]
        values = trec_names.values(self.names.keys() - set(of_book), hits, self.level, version=self.version)
        if of_book:
            values |= by_name.evaluate(hits, of_book, relevance_level=self.level)
        for name, batches in self.values.items():
            batches.append(values[name])

    def sorted(self) -> tuple[dict[str, Floats], list[bytes]]:
        """The values and the topics in trec_eval's order; of a topic that was added twice, the later."""
        self.compute()
        place = {topic: i for i, topic in enumerate(self.topics)}
        topics = sorted(place)
        order = [place[topic] for topic in topics]
        return {name: np.concatenate([np.zeros(0), *values])[order] for name, values in self.values.items()}, topics


# ---- what users call

def read_qrels(path: Path) -> dict[str, dict[str, int | float]]:
    """The grades of a file of judgements, by topic and document.

    path: lines of four columns, topic, iteration, document and grade, with blanks or tabs between
    them; also a .gz or .zst.
    Returns topic -> document -> grade, a whole number as int; any sign: a negative grade says that the
    document was not judged.
    Raises ValueError for a line that is wrong and a document that a topic has twice, and OSError for
    a file that cannot be opened.
    Source: the format of trec_eval.
    """
    judged = read(path, QRELS)
    return {
        topic: {item: int(grade) if grade.is_integer() else grade for item, grade in grades.items()}
        for topic, grades in judged.items()
    }


def read(path: Path, kind: Kind) -> dict[str, dict[str, float]]:
    """All of a file in memory."""
    lines = gathered(joined(list(pieces(path, kind))))
    refuse_duplicates(lines, numbered(lines.documents))
    ids, values = map(decoded, unpacked(lines.documents)), lines.value.tolist()
    pairs = zip(ids, values)
    return {
        decoded(topic): dict(next(pairs) for _ in range(count))
        for topic, count in zip(lines.topics, lines.length.tolist())
    }


class Run(Mapping[str, Mapping[str, float]]):
    """A run in a file: topic -> document -> score; the file is read when it is asked for."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @cached_property
    def _scores(self) -> dict[str, dict[str, float]]:
        return read(self.path, RUN)

    def __getitem__(self, topic: str) -> Mapping[str, float]:
        return self._scores[topic]

    def __iter__(self) -> Iterator[str]:
        return iter(self._scores)

    def __len__(self) -> int:
        return len(self._scores)

    def __repr__(self) -> str:
        return f"Run({str(self.path)!r})"


def read_run(path: Path) -> Run:
    """The scores of a run, by topic and document, read when they are asked for.

    path: lines of six columns, topic, Q0, document, rank, score and tag, with blanks or tabs between
    them; also a .gz or .zst. The beginning is read at once, so that a wrong file is refused here.
    Returns a mapping topic -> document -> score. Asked for a topic it keeps the whole file in memory;
    `evaluate` reads it piece by piece.
    Raises ValueError for a line that is wrong, and OSError for a file that cannot be opened.
    Source: the format of trec_eval.
    """
    if not is_pipe(path):
        next(pieces(path, RUN))
    return Run(path)


class Evaluation(dict[str, Floats]):
    """The values of each measure, one for each topic in `queries`.

    pandas.DataFrame(found, index=found.queries) is a table of topics and measures.

    queries: the topics, in trec_eval's order; missing: judged topics that the run lacks;
    unjudged: topics of the run that are not judged, and so not evaluated.
    """

    def __init__(
        self, values: dict[str, Floats], of_trec_eval: set[str],
        queries: tuple[str, ...], missing: tuple[str, ...], unjudged: tuple[str, ...],
    ) -> None:
        super().__init__({name: Column(of_topics, queries) for name, of_topics in values.items()})
        self.queries, self.missing, self.unjudged = queries, missing, unjudged
        self._of_trec_eval = of_trec_eval

    def __repr__(self) -> str:
        left_out = f", {len(self.missing)} missing, {len(self.unjudged)} unjudged"
        return f"Evaluation({' '.join(self)}; {len(self.queries)} topics{left_out})"

    def by_query(self) -> dict[str, dict[str, float]]:
        """topic -> name of a measure -> value."""
        rows = zip(*(values.tolist() for values in self.values()))
        return {topic: dict(zip(self, row)) for topic, row in zip(self.queries, rows)}

    def mean(self, *, undefined: str | Number) -> dict[str, float]:
        """The mean of each measure; counts are added up, and trec_eval's names as trec_eval does.

        undefined: "raise", "skip", or a number that stands in, as in `metrics.mean`.
        """
        return {
            name: float(trec_names.summary(name, values))
            if name in self._of_trec_eval
            else float(values.sum() if name.startswith("Num") else mean(values, undefined=undefined))
            for name, values in self.items()
        }


def understood(measures: Any, version: int = 9) -> dict[str, bool]:
    """Name -> whether it is trec_eval's. A name that both have goes with the others; alone it is the book's."""
    if isinstance(measures, dict):
        return measures
    asked = by_name.names_of(measures)
    of_trec_eval = [name for name in asked if trec_names.is_name(name)]
    of_book = [name for name in asked if name not in of_trec_eval or by_name.is_name(name)]
    if set(of_book) < set(of_trec_eval):
        of_book = []
    names: dict[str, bool] = {}
    for name in asked:
        if name in of_book:
            by_name.understood(name)
            names.setdefault(name, False)
        else:
            names.update((one, True) for one in trec_names.names_of(name, version=version) if one not in names)
    return names


def evaluate(
    qrels: Path | Mapping[str, Mapping[str, float]],
    run: Path | Mapping[str, Mapping[str, float]],
    measures: str | Iterable[str], *,
    complete: bool = False,
    relevance_level: Number = 1,
    ties: str = "trec_eval",
    depth: Whole | None = None,
    version: int = 9,
    progress: Progress = None,
) -> Evaluation:
    """Every measure of every judged topic of a run, from files or mappings.

    qrels: a file, or topic -> document -> grade; run: a file, or topic -> document -> score;
    measures: names with blanks between, or a list, as in `metrics.evaluate`, or trec_eval's own;
    complete: whether judged topics that the run lacks count, with nothing ranked (trec_eval's -c);
    relevance_level: the lowest grade that is relevant (-l); depth: documents of a topic that count
    (-M), default all; version: 9, which orders by scores in single precision, or 10, which rounds
    levels of recall otherwise, and whose all_trec has more measures;
    ties: "trec_eval" orders by the score, in the version's precision, then by document, both
    descending; "file" takes the order of the lines; "raise" refuses equal scores;
    progress: called with the bytes read and the bytes in all, or True for a line on a terminal.
    Returns an `Evaluation`, a dict name -> (Q,) values, which know their topics, so that `metrics.compare` pairs by topic.
    A run is read once, piece by piece, and memory holds a piece, not the run. Only where the lines
    of a topic do not stand together are they read again, and kept until the end; a pipe is copied
    to a temporary file for that, up to 1 GB of it.
    Raises ValueError for a wrong line, which it names, a document twice in a topic, a measure that
    is unknown, and a run of which no topic is judged; OSError for a file that cannot be opened.
    Source: trec_eval 9.0.8.

    >>> qrels = {"q1": {"a": 1, "b": 0, "c": 1}}
    >>> values = evaluate(qrels, {"q1": {"a": 0.5, "b": 0.9}}, "AP P@1")
    >>> values.by_query()
    {'q1': {'AP': 0.25, 'P@1': 0.0}}
    """
    evaluation = evaluated(
        qrels, run, measures, complete=complete, relevance_level=relevance_level, ties=ties, depth=depth,
        version=version, progress=progress,
    )  # fmt: skip
    return with_topics(evaluation, str(path_of(run) or "run"))


def with_topics(evaluation: Evaluation, name: str) -> Evaluation:
    """The evaluation, unless no topic of the run is judged."""
    if len(evaluation.queries) == len(set(evaluation.missing) & set(evaluation.queries)):
        one, other = evaluation.unjudged or ("",), evaluation.missing
        refuse(name, f"topics such as {one[0]!r}, none of which is judged", f"topics such as {other[0]!r}")
    return evaluation


def evaluated(
    qrels: Judgements | Path | Mapping[str, Mapping[str, float]],
    run: Source | Path | Mapping[str, Mapping[str, float]],
    measures: str | Iterable[str], *,
    complete: bool = False, relevance_level: Number = 1, ties: str = "trec_eval",
    depth: Whole | None = None, version: int = 9, progress: Progress = None,
) -> Evaluation:
    """The same, also of a run, or a part of one, of which no topic is judged; judgements and runs may be opened before."""
    if version not in (9, 10):
        refuse("version", repr(version), "9 or 10")
    names = understood(measures, version)
    choice("ties", ties, ("trec_eval", "file", "raise"))
    depth = None if depth is None else min(whole("depth", depth, at_least=1), sys.maxsize)
    number("relevance_level", relevance_level, "> 0", lambda x: 0 < x < np.inf)
    judgements = qrels if isinstance(qrels, Judgements) else Judgements(qrels)
    table = Table(names, relevance_level, version)
    with closing(run if isinstance(run, Source) else Source("run", run, RUN, progress)) as source:
        for lines in source.by_topic(judgements.place):
            table.add(found(lines, judgements, ties, depth, version))
    missing, unjudged = sorted(judgements.place.keys() - source.seen), sorted(source.seen - judgements.place.keys())
    if complete and missing:
        length, no_line = np.zeros(len(missing), dtype=np.int64), np.zeros(0, dtype=np.int64)
        nothing = Lines("", missing, length, packed([]), np.zeros(0), no_line)
        table.add(found(nothing, judgements, ties, depth, version))
    values, queries = table.sorted()
    names_of = (tuple(map(decoded, topics)) for topics in (queries, missing, unjudged))
    return Evaluation(values, {name for name, of_trec in names.items() if of_trec}, *names_of)
