"""The reading profile: how it splits text into sentences, and adds up pages."""

import pytest

from tools.reading_profile import KINDS, TABLES, lengths, paragraphs, sentences, table, total


@pytest.mark.parametrize("paragraph, expected", [
    ("One. Two? Three!", ["One.", "Two?", "Three!"]),
    ("He asks “Why?” Nobody knows.", ["He asks “Why?”", "Nobody knows."]),
    ("(Said apart.) FORMULA is small. CODE is its name.", ["(Said apart.)", "FORMULA is small.", "CODE is its name."]),
    ("Some, e.g. MAP, are means; see Manning et al. [2008], pp. 3 to 5.", ["Some, e.g. MAP, are means; see Manning et al. [2008], pp. 3 to 5."]),
    ("By C. J. van Rijsbergen. At 0.5 it stops.", ["By C. J. van Rijsbergen.", "At 0.5 it stops."]),
    ("It is so: the rest follows", ["It is so: the rest follows"]),
])  # fmt: skip
def test_sentences_end_where_a_reader_would_say(paragraph, expected):
    assert sentences(paragraph) == expected


def test_a_formula_on_its_own_lines_belongs_to_the_sentence_around_it():
    text = [("text", "The area is"), ("formula", "FORMULA,"), ("text", "the sum of all. It grows.")]
    text += [("text", "Next"), ("formula", "FORMULA"), ("text", "Then more.")]
    assert paragraphs(text) == ["The area is FORMULA, the sum of all. It grows.", "Next FORMULA", "Then more."]
    assert lengths(text) == [8, 2, 2, 2]


def test_dashes_are_no_words_and_formulas_alone_no_sentences():
    assert lengths([("text", "One – or two."), ("text", "FORMULA.")]) == [3]


def test_pages_are_added_and_set_beside_others():
    page = {"page": 900, "sentences": [4, 10], "prose": 300, "code": 100, "to figure": [450]}
    both = total([page, page | {"figures": 400, "to figure": []}])
    assert both == {"page": 1800, "sentences": [4, 10, 4, 10], "prose": 600, "code": 200, "figures": 400, "to figure": [450]}
    columns = {name: TABLES[title][name] for title, name in [("Screens", "as opened"), ("Share of the height", "prose"), ("Reading", "mean words")]}
    assert list(table(columns, {"a": page}))[2:] == ["| a | 1.0 | 75% | 7.0 |"]
    assert list(table(columns, {"a": page}, {"a": both}))[2:] == ["| a | 1.0 → 2.0 (+1.0) | 75% → 50% (-25%) | 7.0 → 7.0 (+0.0) |"]
    assert list(TABLES["Share of the height"]) == list(reversed(KINDS))
