"""From text, or from a mapping, to lines; a line that is wrong is named."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from typing import Any

import numpy as np

from .._base.checks import number, refuse
from .._base.types import Floats, Ints
from .documents import arrow, encoded, packed, pool
from .files import wrong
from .lines import BATCH, QRELS, RUN, Kind, Lines

OTHER = {4: "this looks like qrels", 6: "this looks like a run"}


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
    topic, documents, numbers = (column.chunk(0) for column in table.columns)
    value: Any = np.from_dlpack(numbers)
    if np.count_nonzero(space) != len(kind.columns) * table.num_rows or not are_numbers(value, kind):
        return None
    stretches = pa.compute.run_end_encode(topic, memory_pool=pool())
    length = np.diff(np.from_dlpack(stretches.run_ends), prepend=0).astype(np.int64)
    number = np.arange(first, first + table.num_rows, dtype=np.int64)
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
                        np.arange(first, first + count, dtype=np.int64), kind)


def line_by_line(source: str, first: int, text: bytes, kind: Kind) -> Lines:
    """The lines one at a time, whatever stands between the columns; a wrong one is named."""
    columns = kind.columns
    wanted = [columns.index(name) for name in ("topic", "document", kind.value)]
    kept: list[list[bytes]] = []
    places: list[int] = []
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
        if np.isnan(number_in(words[wanted[2]], kind)):
            allowed = "a number" if kind is RUN else "a finite number"
            wrong(source, place, line, f"{kind.expected}, with {allowed} as {kind.value}")
        kept.append([words[column] for column in wanted])
        places.append(place)
    topic, document, value = zip(*kept) if kept else ((), (), ())
    return in_stretches(source, topic, list(document), value, np.array(places, dtype=np.int64), kind)  # type: ignore[return-value]


def comments_in(text: bytes) -> bool:
    """Whether a line may begin with #."""
    return b"#" in text and (b"\n#" in text or text.startswith(b"#") or b" #" in text or b"\t#" in text)


def number_in(word: bytes, kind: Kind) -> float:
    """The number that a word is, nan if it is none."""
    try:
        value = float(word) if b"_" not in word else np.nan
    except ValueError:
        value = np.nan
    return value if kind is RUN or np.isfinite(value) else np.nan


def are_numbers(value: Floats, kind: Kind) -> bool:
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
    if b"_" in b"".join(words) or not are_numbers(value, kind):
        return None
    stretches = [(name, len(list(lines))) for name, lines in groupby(topic)]
    topics = [name for name, _ in stretches]
    length = np.array([count for _, count in stretches], dtype=np.int64)
    return Lines(source, topics, length, packed(documents), value, number)


def of_mapping(name: str, given: Any, kind: Kind) -> Iterator[Lines]:
    """The lines that a file of the mapping would hold, some topics at a time."""
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
    """What is given, if it is a mapping topic -> document -> score or grade."""
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
            allowed = "or inf" if kind is RUN else "that is finite"
            number(f"{name}[{item!r}]", value, allowed, lambda x: kind is RUN or np.isfinite(x))
        array = np.array(list(map(float, values)), dtype=np.float64)
    return array
