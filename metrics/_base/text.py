"""Text that comes from files, made safe for a terminal, a cell of a table, a spreadsheet, and TeX."""

from __future__ import annotations

import re

HIDDEN = re.compile(r"[\0-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


def visible(text: str) -> str:
    r"""The text with letters written out that would do something to a terminal: \x1b, \u202e.

    They are all control characters but tab and line feed, what turns the direction of writing
    around, and what was no UTF-8.
    """
    return HIDDEN.sub(lambda letter: ascii(letter[0])[1:-1], text)


def in_a_cell(text: str) -> str:
    """The text in one line and one column, whatever it holds."""
    return visible(text).replace("\t", r"\t").replace("\n", r"\n")


def safe_for_a_spreadsheet(text: str) -> str:
    """The text in a cell, and with ' before it if a spreadsheet would compute it (OWASP, CSV injection)."""
    return "'" * text.startswith(tuple("=+-@＝＋－＠")) + in_a_cell(text)


def escaped(text: str) -> str:
    """The text, with the letters that TeX takes for commands written out."""
    special = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
    return "".join(special.get(letter, f"\\{letter}" if letter in "_%&#${}" else letter) for letter in text)
