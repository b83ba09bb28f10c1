"""Text from files, made safe for a terminal, a table cell, a spreadsheet and TeX."""

from __future__ import annotations

import re

# What does something, and then what has no width, such as a word joiner: two names that look alike would differ in it.
HIDDEN = re.compile(
    r"[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff"
    r"\xad\u180e\u200b\u2060-\u2065\u206a-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]"
)
FORMULA = "[=+@＝＋－＠-]"


def visible(text: str) -> str:
    r"""The text with invisible characters written out: \x1b, \u202e.

    These are all control characters but tab and line feed, characters that reverse the direction of
    writing, those without width (except two joiners that scripts need), and bytes that were not UTF-8.
    """
    return HIDDEN.sub(lambda letter: ascii(letter[0])[1:-1], text)


def in_a_cell(text: str) -> str:
    """The text on one line and in one column, whatever it holds."""
    return visible(text).replace("\t", r"\t").replace("\n", r"\n")


def safe_for_a_spreadsheet(text: str) -> str:
    """The text for a cell, with ' before anything that a spreadsheet would compute (OWASP, CSV injection)."""
    return re.sub(f"(^|;)(?={FORMULA})", r"\1'", in_a_cell(text))  # ; ends a field where the decimal sign is a comma


def as_before_a_spreadsheet(cell: str) -> str:
    """The text without the marks that `safe_for_a_spreadsheet` adds."""
    return re.sub(f"(^|;)'(?={FORMULA})", r"\1", cell)


def in_markdown(text: str) -> str:
    """The text for a cell of a Markdown table, where it is neither markup nor HTML."""
    return re.sub(r"([\\`*_\[\]|~$])", r"\\\1", in_a_cell(text).replace("&", "&amp;").replace("<", "&lt;"))


def escaped(text: str) -> str:
    """The text with TeX's special characters written out."""
    special = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"} | {letter: f"{{{letter}}}" for letter in "[]*"}
    return "".join(special.get(letter, f"\\{letter}" if letter in "_%&#${}" else letter) for letter in text)
