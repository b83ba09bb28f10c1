"""Runs and judgements in Parquet files, as the lines of trec_eval's files."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from tempfile import TemporaryFile
from typing import IO, BinaryIO

from .._base.checks import refuse
from .._base.tables import COLUMNS
from .documents import arrow


@contextmanager
def lines_of(source: str, file: BinaryIO) -> Iterator[IO[bytes]]:
    """The lines of a run, if there is a column of scores, else of judgements."""
    pa = arrow()
    if not pa:
        refuse(source, "a Parquet file", "a file of lines, or pyarrow: pip install pyarrow")
    from pyarrow import csv, parquet

    try:
        table = parquet.ParquetFile(file)
    except (pa.ArrowInvalid, OSError):
        refuse(source, "a Parquet file that cannot be read", "a whole one, and no pipe")
    names = table.schema_arrow.names
    found = {what: next((name for name in known if name in names), "") for what, known in COLUMNS.items()}
    number = "score" if found["score"] else "grade"
    if lacking := [what for what in ("query", "document", number) if not found[what]]:
        wanted = COLUMNS[lacking[0]] + COLUMNS["score"] * (lacking[0] == "grade")
        refuse(source, f"the columns {', '.join(names)}", f"one called {' or '.join(wanted)}")
    with TemporaryFile() as text:
        for batch in table.iter_batches(columns=[found[what] for what in ("query", "document", number)]):
            query, document, value = (batch.column(found[what]) for what in ("query", "document", number))
            if query.null_count or document.null_count or value.null_count:
                refuse(source, "a row without an id or a number", "a value in each column of every row")
            same = pa.array(["0"] * len(batch))
            columns = [query, same, document, same, value, same] if number == "score" else [query, same, document, value]
            how = csv.WriteOptions(include_header=False, delimiter=" ", quoting_style="none")
            try:
                csv.write_csv(pa.RecordBatch.from_arrays(columns, [str(place) for place in range(len(columns))]), text, how)
            except pa.ArrowInvalid as error:
                refuse(source, f"an id with a blank, a quotation mark or a line break: {str(error).rpartition(': ')[2]!r}", "ids without")
        text.seek(0)
        yield text
