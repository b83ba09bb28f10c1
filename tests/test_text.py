"""What comes from files is text for a terminal, a spreadsheet and Markdown, whatever it holds."""

import sys
from unicodedata import bidirectional, category

import pytest
from hypothesis import given, strategies
from markdown_it import MarkdownIt

from metrics._base.text import as_before_a_spreadsheet, escaped, safe_for_a_spreadsheet, visible
from metrics.topics.tables import Cells, as_markdown

TURN = {"LRE", "LRO", "RLE", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}
MARKS = "\u061c\u200e\u200f"  # which turn the direction without an effect on their category
READ = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])


def test_what_does_something_or_shows_nothing_is_written_out():
    for letter in map(chr, range(sys.maxunicode + 1)):
        hidden = category(letter) in ("Cc", "Cs", "Zl", "Zp") or bidirectional(letter) in TURN or letter in MARKS
        if letter in "\t\n\u200c\u200d" or category(letter)[0] in "LMNPS":
            assert visible(letter) == letter
        elif hidden or letter in "\xad\u200b\u2060\ufeff\U000e0041":
            assert visible(letter) == ascii(letter)[1:-1]
    assert visible("\u0915\u094d\u200d\u0937 e\u0301 \x1b[2J") == "\u0915\u094d\u200d\u0937 e\u0301 \\x1b[2J"


@pytest.mark.parametrize("sign", "=+-@＝＋－＠")
def test_what_a_spreadsheet_would_compute_is_text(sign):
    assert safe_for_a_spreadsheet(f"{sign}1;{sign}2;3") == f"'{sign}1;'{sign}2;3"
    assert safe_for_a_spreadsheet(f"1{sign}2") == f"1{sign}2"
    for text in (f"{sign}1", f"a;{sign}b", f"'1{sign}", f";;{sign}"):
        marked = safe_for_a_spreadsheet(text)
        assert marked[0] not in sign and f";{sign}" not in marked and as_before_a_spreadsheet(marked) == text and safe_for_a_spreadsheet(marked) == marked


PIECES = ["<script>", "<!--", "&lt;", "&#60;", "`a`", "**", "_a_", "~~a~~", "[a](b)", "![a](b)", "|", "\\", "<http://a.b>", "a", " ", "#", "$a$"]


@given(*[strategies.lists(strategies.sampled_from(PIECES)).map("".join).map(str.strip)] * 2)
def test_a_name_is_no_markup(first, second):
    table = as_markdown(Cells([first, "AP"], [second], [["0.5"]], [[""]]))
    cells = [token.children for token in READ.parse(table) if token.type == "inline"]
    assert [{part.type for part in cell} - {"text", "text_special"} for cell in cells] == [set()] * 4
    assert ["".join(part.content for part in cell) for cell in cells] == [first, "AP", second, "0.5"]
    assert table.count(r"\$") == table.count("$"), "GitHub reads it as a formula"


@pytest.mark.parametrize("text", ["[2pt]", "*2", "a]"])
def test_what_would_be_an_argument_of_a_command_before_it_is_text(text):
    """LaTeX looks for [ and * after the end of a row, and after a rule."""
    assert escaped(text).startswith(("{", "a")) and "".join(escaped(text).replace("{", "").split("}")) == text
