"""The lines in a text or in a mapping; an error names the line that is wrong."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from math import isfinite
from typing import Any

import numpy as np

from .._base.checks import number, refuse
from .._base.types import Floats, Ints
from .documents import Documents, arrow, encoded, packed, pool, taken, unpacked
from .files import wrong
from .lines import BATCH, QRELS, RUN, Kind, Lines
from .noticed import Noticed

KNOWN = "or a table with a header, JSON, JSONL, Parquet"
OTHER = {RUN: {4: "this looks like qrels"}, QRELS: {6: "this looks like a run"}}  # by the words in the first line


def by_arrow(source: str, first: int, text: bytes, kind: Kind) -> Lines | None:
    """The lines read by Arrow, if single blanks or tabs separate the columns; otherwise None."""
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
    value = np.asarray(np.from_dlpack(value), dtype=np.float64)
    if np.count_nonzero(space) != len(kind.columns) * table.num_rows or not are_numbers(value, kind):
        return None
    topics, length = stretches_of(topic)
    after = np.cumsum(length)
    if "rank" in kind.columns and ((value[after - 1] > value[after - length]).any() or not ranks_rise(text, kind)):
        return by_columns(source, first, text, kind)  # with the ranks, on which there may be a remark
    return Lines(source, topics, length, documents, value, np.arange(first, first + table.num_rows, dtype=np.int64))


def ranks_rise(text: bytes, kind: Kind) -> bool:
    """Whether the first two lines are of one topic and have ascending ranks."""
    one, other = map(bytes.split, text[:4096].split(b"\n", 2)[:2])
    rank = kind.columns.index("rank")
    return len(one) == len(other) and one[0] == other[0] and number_in(one[rank], kind) < number_in(other[rank], kind)


def stretches_of(topic: Any) -> tuple[list[bytes], Ints]:
    """The topic and the length of each stretch of equal entries in an Arrow column."""
    stretches = arrow().compute.run_end_encode(topic, memory_pool=pool())
    return stretches.values.to_pylist(), np.diff(np.from_dlpack(stretches.run_ends), prepend=0).astype(np.int64)


def by_columns(source: str, first: int, text: bytes, kind: Kind) -> Lines | None:
    """The lines read by plain Python, if each line has the columns of the given kind; otherwise None."""
    if comments_in(text) or b"\0" in text:
        return None
    columns, count = kind.columns, text.count(b"\n")
    width = len(columns) + 1
    words = text.replace(b"\n", b" \0 ").split()
    if words[width - 1 :: width] != [b"\0"] * count or len(words) != width * count:
        return None
    topic, document, values, *rank = (words[columns.index(name) :: width] for name in columns_read(kind))
    try:
        value = np.array(list(map(float, values)), dtype=np.float64)
    except ValueError:
        return None
    if b"_" in b"".join(values) or not are_numbers(value, kind):
        return None
    lines = stretched(source, topic, document, value, np.arange(first, first + count, dtype=np.int64), kind, *rank)
    return None if lines.rank is not None and np.isnan(lines.rank).any() else lines


def line_by_line(source: str, first: int, text: bytes, kind: Kind, noticed: Noticed) -> Lines:
    """The lines read one at a time, with any white space between the columns; an error names the line that is wrong."""
    columns = kind.columns
    topic, document, value, *rank = (columns.index(name) for name in columns_read(kind))
    rows: list[Any] = []
    places: list[int] = []
    for place, line in enumerate(text.split(b"\n")[:-1], first):
        words = line.split()
        if not words:
            continue
        if words[0].startswith(b"#"):
            if len(words) >= len(columns) and words[0] != b"#" and is_number(words[value], kind):
                noticed.note("comment", place, f"the first is line {place}")
            continue
        if b"\0" in line:
            wrong(source, place, line, f"text of {kind.expected}, not a binary file")
        if len(words) < len(columns) or kind is not RUN and len(words) > len(columns):
            at_the_start = kind in OTHER and first == 1 and not rows
            wrong(source, place, line, kind.expected + at_the_start * f" ({OTHER[kind].get(len(words), KNOWN) if at_the_start else ''})")
        if np.isnan(number := number_in(words[value], kind)):
            allowed = "a number" if kind.ranked else "a finite number"
            wrong(source, place, line, f"{kind.expected}, with {allowed} as {kind.value}")
        if kind is RUN and is_number(words[5], kind) and (len(words) > 6 or not is_number(words[3], kind)):
            wrong(source, place, line, f"{kind.expected}, without blanks in ids; for such ids use a table with a header")
        rows.append((words[topic], words[document], number, *(words[column] for column in rank)))
        places.append(place)
    topics, documents, values, *ranks = zip(*rows) if rows else ((), (), ())
    return stretched(source, topics, list(documents), values, np.array(places, dtype=np.int64), kind, *ranks)


def columns_read(kind: Kind) -> list[str]:
    """The columns that are used: the topic, the document, the score or the grade, and, if there is one, the rank."""
    return ["topic", "document", kind.value] + ["rank"] * ("rank" in kind.columns)


def comments_in(text: bytes) -> bool:
    """Whether there may be a line that begins with #."""
    return b"#" in text and (b"\n#" in text or text.startswith(b"#") or b" #" in text or b"\t#" in text)


def number_in(word: bytes, kind: Kind) -> float:
    """The number that a word stands for, which must be finite in judgements; nan if it stands for none."""
    try:
        value = float(word) if b"_" not in word else np.nan
    except ValueError:
        value = np.nan
    return value if kind.ranked or np.isfinite(value) else np.nan


def is_number(word: bytes, kind: Kind) -> bool:
    """Whether a word is a score or a grade."""
    return not np.isnan(number_in(word, kind))


def are_numbers(value: Floats, kind: Kind) -> bool:
    """Whether all values are scores or grades."""
    return not np.isnan(value).any() if kind.ranked else bool(np.isfinite(value).all())


def stretched(source: str, topic: Iterable[bytes], documents: list[bytes], value: Any, number: Ints, kind: Kind, *rank: Sequence[Any]) -> Lines:
    """The lines that have these columns, in stretches of one topic each."""
    stretches = [(name, len(list(lines))) for name, lines in groupby(topic)]
    topics = [name for name, _ in stretches]
    length = np.array([count for _, count in stretches], dtype=np.int64)
    ends = (at_the_ends(list(its), length, kind) for its in rank)
    return Lines(source, topics, length, packed(documents), np.asarray(value, dtype=np.float64), number, *ends)


def at_the_ends(ranks: Documents, length: Ints, kind: Kind) -> Floats:
    """(2, stretches) the ranks in the first and the last line of each stretch, nan where the rank is not a number."""
    after = np.cumsum(length)
    places = np.concatenate([after - length, after - 1])
    ends = (number_in(rank, kind) if isinstance(rank, bytes) else rank for rank in unpacked(taken(ranks, places)))
    return np.array([rank if isinstance(rank, (int, float)) else np.nan for rank in ends], dtype=np.float64).reshape(2, -1)


def of_mapping(name: str, given: Any, kind: Kind) -> Iterator[Lines]:
    """The lines that a file with the mapping's content would hold, some topics at a time."""
    topics = list(by_topic(name, given, kind).items())
    for start in range(0, len(topics), BATCH):
        batch = topics[start : start + BATCH]
        documents = encoded(name, [document for _, items in batch for document in items])
        value = np.concatenate([values_of_topic(f"{name}[{topic!r}]", items, kind) for topic, items in batch])
        length = np.array([len(items) for _, items in batch], dtype=np.int64)
        line = np.zeros(value.size, dtype=np.int64)
        names = encoded(name, [topic for topic, _ in batch])
        yield Lines(name, names, length, packed(documents), value, line)


def by_topic(name: str, given: Any, kind: Kind) -> Mapping[Any, Mapping[Any, float]]:
    """The argument as it was given, if it is a mapping topic -> document -> score or grade; anything else is refused."""
    if not isinstance(given, Mapping):
        refuse(name, repr(given), f"a path, or a mapping topic -> document -> {kind.value}")
    if not given:
        refuse(name, "no topics", f"a mapping topic -> document -> {kind.value}")
    for topic, items in given.items():
        if not isinstance(items, Mapping):
            refuse(f"{name}[{topic!r}]", repr(items), f"a mapping document -> {kind.value}")
    return given


def values_of_topic(name: str, items: Mapping[str, float], kind: Kind) -> Floats:
    """The scores or grades of a topic."""
    values = list(items.values())
    try:
        fine = set(map(type, values)) <= {int, float} and are_numbers(array := np.array(values, dtype=np.float64), kind)
    except OverflowError:
        fine = False
    if not fine:
        for item, value in items.items():
            allowed = "or inf" if kind.ranked else "that is finite"
            number(f"{name}[{item!r}]", value, allowed, lambda x: kind.ranked or isfinite(x))
        array = np.array(list(map(float, values)), dtype=np.float64)
    return array
