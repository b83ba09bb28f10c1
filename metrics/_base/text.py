"""Text that comes from files, made safe for a terminal, a cell of a table, a spreadsheet, and TeX."""

from __future__ import annotations

import re

# What does something, and then what has no width, such as a word joiner: two names that look alike would differ in it.
HIDDEN = re.compile(
    r"[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff"
    r"\xad\u180e\u200b\u2060-\u2065\u206a-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]"
)
FORMULA = "[=+@＝＋－＠-]"


def visible(text: str) -> str:
    r"""The text with letters written out that nobody would see: \x1b, \u202e.

    They are all control characters but tab and line feed, what turns the direction of writing
    around, what has no width (but for two joiners that scripts need), and what was no UTF-8.
    """
    return HIDDEN.sub(lambda letter: ascii(letter[0])[1:-1], text)


def in_a_cell(text: str) -> str:
    """The text in one line and one column, whatever it holds."""
    return visible(text).replace("\t", r"\t").replace("\n", r"\n")


def safe_for_a_spreadsheet(text: str) -> str:
    """The text in a cell, and with ' before what a spreadsheet would compute (OWASP, CSV injection)."""
    return re.sub(f"(^|;)(?={FORMULA})", r"\1'", in_a_cell(text))  # ; ends a field where the decimal sign is a comma


def as_before_a_spreadsheet(cell: str) -> str:
    """The text without the marks of `safe_for_a_spreadsheet`."""
    return re.sub(f"(^|;)'(?={FORMULA})", r"\1", cell)


def in_markdown(text: str) -> str:
    """The text in a cell of a table of Markdown, in which it is no markup, nor HTML."""
    return re.sub(r"([\\`*_\[\]|~$])", r"\\\1", in_a_cell(text).replace("&", "&amp;").replace("<", "&lt;"))


def escaped(text: str) -> str:
    """The text, with the letters that TeX takes for commands written out."""
    special = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"} | {letter: f"{{{letter}}}" for letter in "[]*"}
    return "".join(special.get(letter, f"\\{letter}" if letter in "_%&#${}" else letter) for letter in text)
