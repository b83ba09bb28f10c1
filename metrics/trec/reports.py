"""The formats in which the numbers of runs are printed: table, CSV, JSON, LaTeX, and the format of trec_eval."""

import codecs
import errno
import os
import shutil
import sys
import textwrap
from collections.abc import Iterable, Sequence
from contextlib import suppress
from math import isnan
from typing import Any, NamedTuple

from .._base.checks import refuse
from .._base.text import in_a_cell, visible
from ..names import trec_names
from ..names.explanations import explanation
from ..topics.tables import as_csv as csv_of, as_json as json_of, escaped_cell, in_booktabs, in_columns

ALL = "all"
RUN_ID = "runid"


class Report(NamedTuple):
    """The contents of a report: for each measure in each section, the value of every run, or None if the run has no value."""

    runs: list[str]
    section: str  # "topic", "group", or "" where there is but one
    rows: list[tuple[str, str, list[Any]]]


def rewards(name: str) -> str:
    """A sentence on what a measure rewards; empty if the book does not say."""
    try:
        return explanation(name).rewards
    except ValueError:
        return ""


def write(text: str, stream: Any) -> None:
    """Print a text at once, with control characters written out, so that no terminal obeys them, and only with characters that the stream can encode."""
    encoding = getattr(stream, "encoding", None) or "utf-8"
    try:
        if stream is None:
            raise OSError(errno.EBADF, os.strerror(errno.EBADF))
        stream.write(visible(text).encode(encoding, "metrics.words").decode(encoding))
        stream.flush()
    except OSError as error:
        if stream:
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())  # where what is left to flush goes
        raise OSError(error.errno, error.strerror, "standard output") from None


def complain(text: str) -> None:
    """Print on standard error, if that is possible."""
    with suppress(OSError):
        write(text, sys.stderr)


WORDS = {"Σ": "sum", "Π": "product", "≤": "<=", "≥": ">=", "⌈": "ceil(", "⌉": ")", "α": "alpha", "β": "beta", "ε": "epsilon",
         "²": "^2", "↓": "lower is better:", "“": '"', "”": '"', "…": "..."}  # fmt: skip


def in_words(error: UnicodeError) -> tuple[str, int]:
    """The words that replace characters that an encoding lacks, and the position behind these characters."""
    assert isinstance(error, UnicodeEncodeError)
    lacking = error.object[error.start : error.end]
    return "".join(WORDS.get(letter) or ascii(letter)[1:-1] for letter in lacking), error.end


codecs.register_error("metrics.words", in_words)


def shown(name: str, value: float | str | None) -> str:
    """A value as text: a number with four decimals, or, under a name of trec_eval, as trec_eval prints it."""
    if isinstance(value, str):
        return in_a_cell(value)
    if value is None or isnan(value):
        return "-" if value is None else "undefined"
    return trec_names.printed(name, value) if trec_names.is_name(name) else f"{value:.4f}"


def in_words_and_numbers(report: Report) -> list[list[str]]:
    """The cells of a table, the head first; if the report has several sections, their names form a column."""
    rows = [[report.section, "measure", *report.runs], *([section, name, *(shown(name, value) for value in its)] for section, name, its in report.rows)]
    return rows if report.section else [row[1:] for row in rows]


def as_table(report: Report) -> str:
    """The report as a table in columns; for a single run without sections, a last column says what each measure rewards."""
    rows = [list(map(in_a_cell, row)) for row in in_words_and_numbers(report)]
    lines = in_columns(rows, "<" * (1 + bool(report.section)) + ">" * len(report.runs))
    if report.section or len(report.runs) > 1:
        return "\n".join(lines)
    return beside(lines, ["what it rewards", *(rewards(name) for _, name, _ in report.rows)])


def beside(lines: Sequence[str], texts: Iterable[str]) -> str:
    """The lines, each with a text beside it that is wrapped to the width left in the terminal."""
    width = max(map(len, lines)) + 2
    room = max(width_of_terminal() - width, 24)
    return "\n".join((f"{line:{width}}" + f"\n{' ' * width}".join(textwrap.wrap(text, room))).rstrip() for line, text in zip(lines, texts))


def as_csv(report: Report) -> str:
    """The report as CSV with every digit, for other programs; a cell is empty if its value is undefined."""
    return csv_of([report.section or "topic", "measure", *report.runs], ([section, name, *its] for section, name, its in report.rows))


def as_json(report: Report) -> str:
    """The report as JSON, run -> topic or group or all -> measure -> number, or null if undefined or infinite."""
    numbers: dict[str, Any] = {}
    for section, name, its in report.rows:
        for run, value in zip(report.runs, its):
            if name in numbers.get(run, {}).get(section, {}):
                refuse("--format json", f"a {report.section} called {section!r}", "another name, because the mean has this name; or --format csv")
            if value is not None:
                numbers.setdefault(run, {}).setdefault(section, {})[name] = value
    return json_of(numbers)


def as_latex(report: Report) -> str:
    """The report as a LaTeX table for a paper, with the rules of booktabs."""
    return in_booktabs([list(map(escaped_cell, row)) for row in in_words_and_numbers(report)], 1 + bool(report.section))


def as_trec_eval(report: Report) -> str:
    """The report as trec_eval prints it: in its own order, with tabs between name, topic and value; 0/0 is 0."""
    order = {base: place for place, base in enumerate([RUN_ID, *trec_names.MEASURES])}
    sections = {section: place for place, section in enumerate(dict.fromkeys(row[0] for row in report.rows))}

    def place(row: tuple[str, str, Any]) -> tuple[int, int]:
        section, name, _ = row
        base = trec_names.parsed(name)[0] if trec_names.is_name(name) else name
        return sections[section], order.get(base, len(order))

    lines = [(name, in_a_cell(section), shown(name, value)) for section, name, (value,) in sorted(report.rows, key=place)]
    return "\n".join(f"{name:<22}\t{section}\t{'0.0000' if value == 'undefined' else value}" for name, section, value in lines)


def width_of_terminal() -> int:
    """The number of columns of the terminal, or 80 if there is none."""
    return shutil.get_terminal_size().columns


FORMATS = {"table": as_table, "csv": as_csv, "json": as_json, "latex": as_latex, "trec_eval": as_trec_eval}
