"""Tables of runs and judgements, with columns known by name: CSV, TSV, rows in JSON, and Parquet."""

import csv
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

import numpy as np

from .._base.checks import refuse
from .._base.tables import COLUMNS
from .documents import arrow, decoded, encoded
from .files import LONGEST, wrong
from .lines import Kind, Lines
from .noticed import Noticed
from .parsing import are_numbers, at_the_ends, number_in, stretched, stretches_of, values_of_topic

Texts: TypeAlias = Iterable[tuple[int, bytes]]  # pieces of a file, each with the number of its first line
TOPIC, DOCUMENT, SCORE, RANK, GRADE = COLUMNS.values()
csv.field_size_limit(max(LONGEST, csv.field_size_limit()))  # a line may be one field


def squeezed(names: Iterable[object]) -> list[str]:
    """The names of columns in the form in which they are looked up: in lower case, and with letters and digits only."""
    return ["".join(filter(str.isalnum, str(name))).lower() for name in names]


def is_header(names: Iterable[object]) -> bool:
    """Whether these are the names of columns, with a topic and a document among them."""
    return all(set(squeezed(names)).intersection(squeezed(known)) for known in (TOPIC, DOCUMENT))


class Columns:
    """The positions of the columns that are used: the topic, the document, the score or the grade, and, if there is one, the rank."""

    def __init__(self, source: str, names: Iterable[str], kind: Kind) -> None:
        self.source, self.names, self.kind = source, list(names), kind
        self.topic, self.document = self.place_of(TOPIC), self.place_of(DOCUMENT)
        if not kind.ranked and len(grades := [name for name, its in zip(self.names, squeezed(self.names)) if its in GRADE]) > 1:
            refuse(source, f"the columns {' and '.join(grades)}", "one column of grades")
        self.value = self.place_of(SCORE + RANK if kind.ranked else GRADE + SCORE)
        self.rank = [self.place_of(RANK)] if kind.ranked and RANK[0] in squeezed(self.names) else []

    def place_of(self, known: Sequence[str]) -> int:
        """The position of the column that has one of these names."""
        its = squeezed(self.names)
        found = next((name for name in squeezed(known) if name in its), None)
        if found is None:
            looks = " (this looks like qrels)" if SCORE[0] in known and not set(its).isdisjoint(GRADE) else ""
            refuse(self.source, f"the columns {', '.join(self.names)}{looks}", f"a column called {' or '.join(known)}")
        if its.count(found) > 1:
            refuse(self.source, f"two columns called {self.names[its.index(found)]}", "one such column")
        return its.index(found)

    def by_score(self, lines: Lines) -> Lines:
        """The lines with scores; if there are only ranks, their negatives serve as scores."""
        return replace(lines, value=-lines.value, rank=None) if [self.value] == self.rank else lines


def fields_of(line: bytes, delimiter: str) -> list[str]:
    """The fields in a line of a table; no fields if a quotation mark is wrong. An empty delimiter stands for any number of blanks."""
    if not delimiter:
        return list(map(decoded, line.split()))
    try:
        return next(csv.reader([decoded(line)], delimiter=delimiter, strict=True), [])
    except csv.Error:
        return []


def of_text(columns: Columns, delimiter: str, headed: bool, numbered_texts: Texts) -> Iterator[Lines]:
    """The lines of a table in text; an error names a line with too few or too many fields, or with an unclosed quotation mark."""
    source, kind, width = columns.source, columns.kind, len(columns.names)
    for first, text in numbered_texts:
        rows, numbers, places = [], [], []
        for place, line in enumerate(text.split(b"\n")[:-1], first):
            if not line.strip():
                continue
            if headed:
                headed = line.lstrip().startswith(b"#")
                continue
            row = fields_of(line, delimiter)
            number = number_in(row[columns.value].encode("utf-8", "surrogateescape") if len(row) == width else b"", kind)
            if np.isnan(number) or not row[columns.topic] or not row[columns.document] or b"\0" in line:
                name = columns.names[columns.value]
                wrong(source, place, line, f"{width} columns, {', '.join(columns.names)}, with ids and a{' finite' * (not kind.ranked)} number as {name}")
            rows.append([word.encode("utf-8", "surrogateescape") for word in row])
            numbers.append(number)
            places.append(place)
        if rows:
            fields = list(zip(*rows))
            topic, document, *ranks = (fields[place] for place in (columns.topic, columns.document, *columns.rank))
            yield columns.by_score(stretched(source, topic, list(document), numbers, np.array(places, dtype=np.int64), kind, *ranks))


def of_objects(source: str, unit: str, numbered_rows: list[tuple[int, Any]], kind: Kind, columns: Columns | None) -> Iterator[Lines]:
    """The lines from rows such as {"qid": "1", "docid": "d7", "score": 0.5}, each with its number."""
    if not numbered_rows:
        return
    rows = {f"{source}, {unit} {number}": row for number, row in numbered_rows}
    if not isinstance(numbered_rows[0][1], dict):
        refuse(next(iter(rows)), repr(numbered_rows[0][1])[:60], f"an object with a topic, a document and a {kind.value}")
    columns = columns or Columns(source, numbered_rows[0][1], kind)
    topic, document, value = (columns.names[place] for place in (columns.topic, columns.document, columns.value))
    for place, row in rows.items():
        if not isinstance(row, dict) or not row.keys() >= {topic, document, value}:
            refuse(place, repr(row)[:60], f"an object with {topic}, {document} and {value}")
    topics, documents = (encoded(source, [id_of(place, row[name]) for place, row in rows.items()]) for name in (topic, document))
    values = [number_of(place, row, value, kind) for place, row in rows.items()]
    number = np.array([number for number, _ in numbered_rows], dtype=np.int64)
    ranks = ([row.get(columns.names[rank]) for row in rows.values()] for rank in columns.rank)
    yield columns.by_score(stretched(source, topics, documents, values, number, kind, *ranks))


def number_of(place: str, row: Any, name: str, kind: Kind) -> float:
    """The score or the grade of a row; a grade may be true or false."""
    given = row[name]
    return float(given) if isinstance(given, bool) and not kind.ranked else values_of_topic(place, {name: given}, kind)[0]


def id_of(where: str, given: Any) -> str:
    """An id as text; a whole number is written out."""
    if isinstance(given, str) and given:
        return given
    if not isinstance(given, int) or isinstance(given, bool):
        refuse(where, f"the id {given!r}", "non-empty text, or a whole number")
    return str(given)


def of_parquet(source: str, numbered_texts: Texts, kind: Kind, _: Noticed) -> Iterator[Lines]:
    """The lines of a Parquet table, some thousands at a time; the content of the file is given as one piece."""
    first, content = next(iter(numbered_texts))
    if not (pa := arrow()):
        refuse(source, "a Parquet file", "another form, or pyarrow: pip install pyarrow")
    from pyarrow import parquet

    try:
        table = parquet.ParquetFile(pa.BufferReader(content))
        columns = Columns(source, table.schema_arrow.names, kind)
        places = (columns.topic, columns.document, columns.value, *columns.rank)
        wanted = list(dict.fromkeys(columns.names[place] for place in places))
        for batch in table.iter_batches(columns=wanted):
            topic, documents, *numbers = (batch.column(columns.names[place]) for place in places)
            if numbers[1:] and columns.value not in columns.rank and not (are_numeric(numbers[1].type) and not numbers[1].null_count):
                numbers = numbers[:1]  # ranks that are none do not count
            topic = ids_in(f"{source}, column {columns.names[columns.topic]}", topic, first).cast(pa.binary())
            documents = ids_in(f"{source}, column {columns.names[columns.document]}", documents, first)
            value, *rank = (numbers_in(f"{source}, column {columns.names[place]}", its, first) for place, its in zip(places[2:], numbers))
            if not are_numbers(value, kind):
                bad = np.flatnonzero(np.isnan(value) if kind.ranked else ~np.isfinite(value))[0]
                refuse(f"{source}, row {first + bad}", value[bad], f"a{' finite' * (not kind.ranked)} number as {columns.names[columns.value]}")
            number = np.arange(first, first + len(batch), dtype=np.int64)
            topics, length = stretches_of(topic)
            yield columns.by_score(Lines(source, topics, length, documents, value, number, *(at_the_ends(its.tolist(), length, kind) for its in rank)))
            first += len(batch)
    except (pa.ArrowException, OSError, UnicodeError) as error:
        refuse(source, f"the error {str(error).splitlines()[0]!r}", "a Parquet file that can be read to its end")


def ids_in(name: str, column: Any, first: int) -> Any:
    """The ids as bytes, from text or whole numbers; other ids are refused."""
    pa = arrow()
    require_values(name, column, first)
    if pa.types.is_dictionary(column.type):
        column = column.dictionary_decode()
    if pa.types.is_integer(column.type):
        column = column.cast(pa.large_string())
    if not any(getattr(pa.types, f"is_{its}")(column.type) for its in ("string", "large_string", "string_view", "binary", "large_binary", "binary_view")):
        refuse(name, f"values of the type {column.type}", "ids that are text or whole numbers")
    column = column.cast(pa.large_binary())
    if empty := np.flatnonzero(np.from_dlpack(pa.compute.binary_length(column)) == 0).tolist():
        refuse(f"{name}, row {first + empty[0]}", "an empty id", "ids that are not empty")
    return column


def are_numeric(kind: Any) -> bool:
    """Whether an Arrow type is numeric; true and false count as numbers."""
    return any(getattr(arrow().types, f"is_{its}")(kind) for its in ("integer", "floating", "boolean", "decimal"))


def numbers_in(name: str, column: Any, first: int) -> Any:
    """The numbers of a column, as float64."""
    pa = arrow()
    require_values(name, column, first)
    if not are_numeric(column.type):
        refuse(name, f"values of the type {column.type}", "numbers")
    return np.from_dlpack(column.cast(pa.float64(), safe=False))


def require_values(name: str, column: Any, first: int) -> None:
    """Refuse a column that has no value in some row."""
    if column.null_count:
        refuse(f"{name}, row {first + column.is_null().to_pylist().index(True)}", "nothing", "a value in each row")
