"""The reading-first page: what stands beside what, and the words of the line of a check."""

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
CHECKED = "✓ A6 proved and checked by computer on 1,012 cases, exactly. Tempting but wrong: the dips are filled (fails at "


@pytest.mark.parametrize("changes, line", [
    ({}, f"{CHECKED}[0, 1, 1])"),
    ({"strength": "exhausted", "precision": "to 1e-12", "near_miss": None}, "✓ A6 exhausted by computer, on all 1,012 cases, to 1e-12"),
    ({"near_miss_fails_at": "relevance = [1], n_relevant = 2"}, f"{CHECKED}[1], R = 2)"),
    ({"near_miss_fails_at": "actual = [[a, b, u], [b, u], [b, u, w]], predictions = [[a]]"}, f"{CHECKED}actual = [[a, b, u], [b, u], [b, …)"),
    ({"strength": "cited", "cases": 0, "near_miss": None, "source": "Boyd (2012)"}, "✓ A6 cited cited from Boyd (2012)"),
])  # fmt: skip
def test_the_line_of_a_check_says_what_was_tried_and_where_the_near_miss_fails(changes, line):
    assert re.sub("<.*?>", "", reading.check_line(RECORD | changes)) == f"{line} how it was checked"


def test_terms_are_coloured_as_whole_words():
    html = reading.coloured("R = hits.R(n)\nreturn total / R\nRank", ["total", "R"])
    assert html.count('class="firstterm"') == 1 and html.count('class="secondterm"') == 3
    assert re.sub("<.*?>", "", html) == "R = hits.R(n)\nreturn total / R\nRank\n"
    formula = nodes.math("", r"\sum_{j=1}^{R} \delta_{j} \cdot R_{j} R")
    reading.colour_terms([formula], [r"\sum_{j=1}^{R}", "R"])
    assert formula.astext() == r"\textcolor{firstterm}{\sum_{j=1}^{R}} \delta_{j} \cdot R_{j} \textcolor{secondterm}{R}"
    with pytest.raises(ExtensionError, match="no formula of the pair has the term d"):
        reading.colour_terms([formula], ["d"])


def test_a_listing_shows_the_first_line_of_a_docstring():
    short = 'def f(x):\n    """The first."""\n    return x'
    assert reading.first_line_of_docstring(short.replace("first.", "first.\n\n    The rest.\n    ")) == short == reading.first_line_of_docstring(short)


@pytest.mark.parametrize("kinds, columns", [
    ("text statement proof listing listing cell", [[["statement", "proof"], ["listing", "listing"]]]),  # a statement and its proof beside their source
    ("text cell text figure", [[["cell", "text"], ["figure"]]]),  # a figure beside the last step before it, and the text around it
    ("cell figure text cell", [[["cell"], ["figure"], ["text"]]]),
    ("statement statement listing", [[["statement", "statement"], ["listing"]]]),  # two statements that follow each other share their source
    ("text fold text figure fold text", [[["text", "fold", "text"], ["figure"], ["fold", "text"]]]),  # a folded cell parts nothing
    ("text figure text text figure text", [[["text"], ["figure"], ["text"]], [["text"], ["figure"], ["text"]]]),  # a figure takes its introduction along
    ("own-line text cell figure cell hurry", [[["text", "cell"], ["figure", "hurry"], ["cell"]]]),  # what to report beside all of its section
])  # fmt: skip
def test_what_belongs_together_stands_side_by_side_where_its_first_node_stood(kinds, columns):
    section = nodes.section("", *(nodes.paragraph("", kind.replace("-", " ")) for kind in kinds.split()))
    children = list(section.children)
    for row in reading.rows([child.astext() for child in children]):
        reading.put_beside(section, [(column, [children[place] for place in places]) for column, places in row])
    rows = [part for part in section if part["classes"] == ["beside"]]
    assert [[[node.astext() for node in column] for column in row] for row in rows] == columns
    assert all([column["classes"] for column in row] == [["beside-main"], ["beside-side"], ["beside-main"]][: len(row)] for row in rows)
    before, after = ([node.astext() for node in each] for each in (children, section))
    assert after.index(rows[0].astext()) == before.index(columns[0][0][0])
