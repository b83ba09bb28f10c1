"""How the numbers of runs are printed: as a table, CSV, JSON, LaTeX, or as trec_eval prints them."""

from __future__ import annotations

import codecs
import errno
import os
import shutil
import sys
import textwrap
from collections.abc import Callable
from contextlib import suppress
from math import isnan
from typing import Any, NamedTuple

from .._base.checks import refuse
from .._base.text import in_a_cell, visible
from ..names import trec_names
from ..names.explanations import explanation
from ..topics.tables import as_csv as csv_of, as_json as json_of, escaped_cell, in_booktabs

ALL = "all"
RUN_ID = "runid"


class Report(NamedTuple):
    """What is to be printed: for each measure of each section a value of every run, None where there is none."""

    runs: list[str]
    section: str  # "topic", "group", or "" where there is but one
    rows: list[tuple[str, str, list[Any]]]


def rewards(name: str) -> str:
    """What a measure rewards, in a sentence; nothing where the book does not say."""
    try:
        return explanation(name).rewards
    except ValueError:
        return ""


def write(text: str, stream: Any) -> None:
    """Print at once, with nothing that a terminal would obey, and in what letters the stream has."""
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
    """Print on standard error, if somebody listens."""
    with suppress(OSError):
        write(text, sys.stderr)


WORDS = {"Σ": "sum", "Π": "product", "≤": "<=", "≥": ">=", "⌈": "ceil(", "⌉": ")", "α": "alpha", "β": "beta", "ε": "epsilon",
         "²": "^2", "↓": "lower is better:", "“": '"', "”": '"', "…": "..."}  # fmt: skip


def in_words(error: UnicodeError) -> tuple[str, int]:
    """What stands for letters that an encoding lacks."""
    assert isinstance(error, UnicodeEncodeError)
    lacking = error.object[error.start : error.end]
    return "".join(WORDS.get(letter) or ascii(letter)[1:-1] for letter in lacking), error.end


codecs.register_error("metrics.words", in_words)


def in_cells(report: Report, cell: Callable[[str], str] = in_a_cell) -> Report:
    """The report, with all that files and topics are called in cells."""
    rows = [(cell(section), cell(name), its) for section, name, its in report.rows]
    return Report([cell(run) for run in report.runs], report.section, rows)


def shown(name: str, value: float | str | None) -> str:
    """A number with four decimals, or as trec_eval prints it."""
    if isinstance(value, str):
        return in_a_cell(value)
    if value is None or isnan(value):
        return "-" if value is None else "undefined"
    return trec_names.printed(name, value) if trec_names.is_name(name) else f"{value:.4f}"


def as_table(report: Report) -> str:
    """Columns; one run alone has a column of words."""
    words = len(report.runs) == 1 and not report.section
    report = in_cells(report)
    rows = [["measure", *report.runs], *([name, *(shown(name, value) for value in its)] for _, name, its in report.rows)]
    if report.section:
        rows = [[left, *row] for left, row in zip([report.section, *(section for section, *_ in report.rows)], rows)]
    texts = 1 + bool(report.section)
    widths = [max(map(len, column)) for column in zip(*rows)]
    lines = [
        "  ".join(f"{cell:{'<' if place < texts else '>'}{width}}" for place, (cell, width) in enumerate(zip(row, widths)))
        for row in rows
    ]
    if words:
        room = max(width_of_terminal() - len(lines[0]) - 2, 24)
        meanings = ["what it rewards", *(rewards(name) for _, name, _ in report.rows)]
        lines = [
            f"{line}  " + f"\n{' ' * (len(line) + 2)}".join(textwrap.wrap(meaning, room))
            for line, meaning in zip(lines, meanings)
        ]
    return "\n".join(line.rstrip() for line in lines)


def as_csv(report: Report) -> str:
    """Every digit, for other programs; empty where a value is undefined."""
    return csv_of([report.section or "topic", "measure", *report.runs], ([section, name, *its] for section, name, its in report.rows))


def as_json(report: Report) -> str:
    """Run -> topic or group or all -> measure -> number, or null where it is undefined or infinite."""
    numbers: dict[str, Any] = {}
    for section, name, its in report.rows:
        for run, value in zip(report.runs, its):
            if name in numbers.get(run, {}).get(section, {}):
                refuse("--format json", f"a {report.section} of the name {section!r}", "another name, for that is the mean's; or --format csv")
            if value is not None:
                numbers.setdefault(run, {}).setdefault(section, {})[name] = value
    return json_of(numbers)


def as_latex(report: Report) -> str:
    """A table for a paper, with the lines of booktabs."""
    rows = [[report.section, "measure", *report.runs], *([section, name, *(shown(name, value) for value in its)] for section, name, its in report.rows)]
    texts = 1 + bool(report.section)
    return in_booktabs([list(map(escaped_cell, row if report.section else row[1:])) for row in rows], texts)


def as_trec_eval(report: Report) -> str:
    """As trec_eval prints them: in its own order, with tabs between name, topic and value; 0/0 is 0."""
    report, order = in_cells(report), {base: place for place, base in enumerate([RUN_ID, *trec_names.MEASURES])}
    sections = {section: place for place, section in enumerate(dict.fromkeys(row[0] for row in report.rows))}

    def place(row: tuple[str, str, Any]) -> tuple[int, int]:
        section, name, _ = row
        base = trec_names.parsed(name)[0] if trec_names.is_name(name) else name
        return sections[section], order.get(base, len(order))

    lines = [(name, section, shown(name, value)) for section, name, (value,) in sorted(report.rows, key=place)]
    return "\n".join(f"{name:<22}\t{section}\t{'0.0000' if value == 'undefined' else value}" for name, section, value in lines)


def width_of_terminal() -> int:
    """The columns of the terminal, or 80 where there is none."""
    return shutil.get_terminal_size().columns


FORMATS = {"table": as_table, "csv": as_csv, "json": as_json, "latex": as_latex, "trec_eval": as_trec_eval}
