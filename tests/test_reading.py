"""The reading-first page: what is folded, what stands beside what, and the words of the line of a check."""

import re

import pytest
from docutils import nodes
from sphinx.errors import ExtensionError

from book._sphinx import reading

RECORD = {
    "label": "A6", "strength": "proved", "shown": ["one step"], "assumptions": "for R positive integer", "cases": 1012, "precision": "exact",
    "over": "all 0/1 rankings of length 1 to 8, every R", "near_miss": "the dips are filled", "near_miss_fails": 628,
    "near_miss_fails_at": "relevance = [0, 1, 1], n_relevant = 2", "source": None,
}  # fmt: skip


@pytest.mark.parametrize("changes, line", [
    ({}, "✓ A6 proved and checked by computer on 1,012 cases, exactly. Tempting but wrong: the dips are filled (fails at [0, 1, 1]) how it was checked"),
    ({"strength": "exhausted", "precision": "to 1e-12", "near_miss": None}, "✓ A6 exhausted by computer, on all 1,012 cases, to 1e-12 how it was checked"),
    ({"strength": "cited", "cases": 0, "near_miss": None, "source": "Boyd (2012)"}, "✓ A6 cited cited from Boyd (2012) how it was checked"),
])  # fmt: skip
def test_the_line_of_a_check_says_what_was_tried_and_where_the_near_miss_fails(changes, line):
    assert re.sub("<.*?>", "", reading.check_line(RECORD | changes)) == line


@pytest.mark.parametrize("case, words", [
    ("relevance = [0, 1, 1], n_relevant = 2", "[0, 1, 1]"),
    ("relevance = [1], n_relevant = 2", "[1], R = 2"),
    ("relevance = [0, 1], n_relevant = 1, k = 2", "[0, 1], k = 2"),
    ("relevance = [1, 1]", "[1, 1]"),
    ("N = 3, R = 2", "N = 3, R = 2"),
    ("actual = [[a, b, u], [b, u], [b, u, w]], predictions = [[a]]", "actual = [[a, b, u], [b, u], [b, …"),
])  # fmt: skip
def test_a_counterexample_is_short(case, words):
    assert reading.short(case) == words


def test_terms_are_coloured_as_whole_words():
    html = reading.coloured("R = hits.R(n)\nreturn total / R\nRank", ["total", "R"])
    assert html.count('class="term-1"') == 1 and html.count('class="term-2"') == 3
    assert re.sub("<.*?>", "", html) == "R = hits.R(n)\nreturn total / R\nRank\n"
    formula = nodes.math("", r"\sum_{j=1}^{R} \delta_{j} \cdot R_{j} R")
    reading.colour_terms([formula], [r"\sum_{j=1}^{R}", "R"])
    assert formula.astext() == r"\htmlClass{term-1}{\sum_{j=1}^{R}} \delta_{j} \cdot R_{j} \htmlClass{term-2}{R}"
    with pytest.raises(ExtensionError, match="no formula of the pair has the term d"):
        reading.colour_terms([formula], ["d"])


def test_a_listing_shows_the_first_line_of_a_docstring():
    code = 'def f(x):\n    """The first.\n\n    The rest.\n    """\n    return x'
    assert reading.first_line_of_docstring(code) == 'def f(x):\n    """The first."""\n    return x'
    short = 'def f(x):\n    """One line."""\n    return x'
    assert reading.first_line_of_docstring(short) == short


@pytest.mark.parametrize("latex, count", [
    (r"\displaystyle \frac{1}{R} \sum_{j=1}^{R} \frac{j}{k_{j}}", 6),
    (r"\frac{a + b + c}{d}", 5),
    (r"\left(x + y\right)", 5),
    (r"\frac{\frac{j}{k_{j}} + \frac{j - 1}{k_{j} - 1}}{2 R}", 7),
    (r"\int\limits_{0}^{\frac{j}{R}} \frac{r}{o + r}\, dr", 6),
    (r"\log{\left(x_{q} \right)} \cdot \frac{1}{\mathrm{fp}}", 8),
])  # fmt: skip
def test_a_fraction_and_a_sum_are_as_wide_as_their_wider_part(latex, count):
    assert reading.letters(latex) == count


@pytest.mark.parametrize("kinds, columns", [
    ("text statement proof listing listing cell", [[["statement", "proof"], ["listing", "listing"]]]),  # a statement and its proof beside their source
    ("text cell text figure", [[["cell", "text"], ["figure"]]]),  # a figure beside the last step before it, and the text around it
    ("cell figure text cell", [[["cell"], ["figure"], ["text"]]]),
    ("own-line text cell figure cell hurry", [[["text", "cell"], ["figure", "hurry"], ["cell"]]]),  # what to report beside all of its section
    ("own-line figure own-line text", []),
])  # fmt: skip
def test_what_belongs_together_stands_side_by_side(kinds, columns):
    kinds = [kind.replace("-", " ") for kind in kinds.split()]
    rows = reading.rows(kinds)
    assert [[[kinds[place] for place in places] for _, places in row] for row in rows] == columns
    assert all([name for name, _ in row] == ["main", "side", "main"][: len(row)] for row in rows)


def test_a_row_stands_where_its_first_node_stood():
    title, text, figure, end = (nodes.paragraph("", words) for words in ("title", "text", "figure", "end"))
    section = nodes.section("", title, text, figure, end)
    reading.put_beside(section, [("main", [text]), ("side", [figure])])
    assert [part["classes"] for part in section] == [[], ["beside"], []]
    assert [(column["classes"], column.astext()) for column in section[1]] == [(["beside-main"], "text"), (["beside-side"], "figure")]
