"""A table of numbers as text, Markdown, LaTeX, HTML, CSV and JSON."""

from collections.abc import Iterable, Mapping, Sequence
from math import isfinite, isnan
from typing import Any, NamedTuple

from .._base.checks import refuse
from .._base.text import escaped, in_a_cell, in_markdown, safe_for_a_spreadsheet


class Cells(NamedTuple):
    """The contents of a table: its head and, for each row, a name, the numbers as text, and the letters to be set as superscripts after each number."""

    head: list[str]
    names: list[str]
    numbers: list[list[str]]
    raised: list[list[str]]

    def rows(self) -> list[list[str]]:
        return [[name, *numbers] for name, numbers in zip(self.names, self.numbers)]


def as_text(cells: Cells) -> str:
    """The table in columns, with names on the left and numbers on the right."""
    rows = [[in_a_cell(cell) for cell in row] for row in (cells.head, *cells.rows())]
    return "\n".join(in_columns(rows, "<" + ">" * (len(cells.head) - 1)))


def in_columns(rows: Iterable[Sequence[str]], sides: str) -> list[str]:
    """The lines of a table in columns; sides: the alignment of each column, < or >."""
    rows = list(rows)
    widths = [max(map(len, column)) for column in zip(*rows)]
    return ["  ".join(f"{cell:{side}{width}}" for cell, side, width in zip(row, sides, widths)).rstrip() for row in rows]


def as_markdown(cells: Cells) -> str:
    """The table in GitHub's Markdown."""
    rows = [list(map(in_markdown, row)) for row in (cells.head, *cells.rows())]
    rule = ["---", *["---:"] * (len(cells.head) - 1)]
    return "\n".join(f"| {' | '.join(row)} |" for row in (rows[0], rule, *rows[1:]))


def as_latex(cells: Cells) -> str:
    """The table in LaTeX with the rules of booktabs."""
    body = [[name, *(escaped(number) + (letters and f"$^{{{letters}}}$") for number, letters in zip(numbers, raised))]
            for name, numbers, raised in zip(map(escaped_cell, cells.names), cells.numbers, cells.raised)]  # fmt: skip
    return in_booktabs([list(map(escaped_cell, cells.head)), *body], 1)


def escaped_cell(text: str) -> str:
    """The text on one line, escaped so that TeX prints it."""
    return escaped(in_a_cell(text))


def in_booktabs(rows: Sequence[Sequence[str]], texts: int) -> str:
    """The rows, the head first, as a LaTeX tabular in which the first `texts` columns hold text."""
    first, *others = (" & ".join(row) + r" \\" for row in rows)
    columns = "l" * texts + "r" * (len(rows[0]) - texts)
    head = rf"\begin{{tabular}}{{{columns}}}  % \usepackage{{booktabs}}"
    return "\n".join([head, r"\toprule", first, r"\midrule", *others, r"\bottomrule", r"\end{tabular}"])


def as_html(cells: Cells, note: str) -> str:
    """The table in HTML for a notebook, with a row header and a column header for each number."""
    import html

    head = "".join(f'<th scope="col">{html.escape(in_a_cell(cell))}</th>' for cell in cells.head)
    body = ""
    for name, numbers in zip(cells.names, cells.numbers):
        row = "".join(f"<td>{html.escape(number)}</td>" for number in numbers)
        body += f'<tr><th scope="row">{html.escape(in_a_cell(name))}</th>{row}</tr>'
    return f"<table><caption>{html.escape(in_a_cell(note))}</caption><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def as_csv(head: Iterable[Any], rows: Iterable[Iterable[Any]]) -> str:
    """The table in CSV with every digit, for other programs; a cell is empty if its value is undefined or missing."""
    import csv  # loaded when it is asked for, as html and json are
    import io

    written = io.StringIO()
    writer = csv.writer(written, lineterminator="\n")
    for row in (head, *rows):
        known = (None if isinstance(cell, float) and isnan(cell) else cell for cell in row)
        writer.writerow([safe_for_a_spreadsheet(cell) if isinstance(cell, str) else cell for cell in known])
    return written.getvalue().rstrip("\n")


def as_json(numbers: Mapping[str, Any]) -> str:
    """Nested mappings as JSON, with null for a number that is undefined or infinite."""
    import json

    return json.dumps(without_nan(numbers), indent=2)


def without_nan(given: Any) -> Any:
    """The same mappings, with None for numbers that JSON lacks, and with text as keys."""
    if isinstance(given, Mapping):
        if len(texts := {str(key): key for key in given}) < len(given):
            two = next(key for key in given if texts[str(key)] != key)
            refuse("to_json", f"{two!r} beside {texts[str(two)]!r}, which are the same in JSON", "ids that differ as text")
        return {str(key): without_nan(value) for key, value in given.items()}
    return None if isinstance(given, float) and not isfinite(given) else given
