"""The pages: figures are inlined, described in words and legible in either scheme; what stands beside what, and the line of a check."""

import re
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from docutils import nodes
from sphinx.errors import ExtensionError

from book._sphinx import inline_figures as figures, reading
from metrics.library.predictors import PREDICTORS
from metrics.notebook import COLOURS, TOOL_COLOURS

CSS = (Path(__file__).resolve().parent.parent / "book" / "_static" / "book.css").read_text(encoding="utf-8")
SVG = """<?xml version="1.0"?>
<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="10pt" height="10pt" viewBox="0 0 10 10">
 <metadata>made</metadata><defs><style type="text/css">*{stroke-linejoin: round}</style></defs>
 <defs><clipPath id="c1"><rect/></clipPath><path id="m1" style="stroke: #0072b2"/></defs>
 <g id="figure_1" clip-path="url(#c1)"><use xlink:href="#m1"/><path style="fill: #8a5a00"/></g>
</svg>"""


def test_an_inlined_figure_follows_the_colour_scheme_and_keeps_its_names_to_itself():
    svg = figures.inlined(SVG, 'It says "so" & rises', "fig1-")
    assert 'role="img" aria-label="It says &quot;so&quot; &amp; rises"' in svg and "stacks" not in svg
    assert "#0072b2" not in svg and "var(--fig-relevant)" in svg and figures.foreign_colours(SVG) == []
    assert figures.foreign_colours('<path style="fill: #123456; stroke: #0072b2"/>') == ["#123456"]
    ids = re.findall(r'\bid="([^"]+)"', svg)
    assert "var(--fig-a)" in svg and "var(--tool-k-nn)" in figures.inlined(SVG.replace("#8a5a00", "#7b3fa3"), "It says so", "")
    assert ids and all(name.startswith("fig1-") for name in ids)
    assert set(re.findall(r'(?:href="#|url\(#)([^")]+)', svg)) <= set(ids)


LETTERS = """<text style="font-size: 10px; font-family: 'DejaVu Sans', sans-serif; fill: #1f2328" x="3" y="4.56" transform="rotate(-0 3 4.56)">so</text>"""


def test_letters_of_a_figure_are_those_of_the_page_and_its_rim_is_cut_off():
    svg = figures.inlined(SVG.replace("<svg ", '<svg data-ink="1.5 2.0 6.5 7.0" ', 1).replace("</svg>", f"{LETTERS}</svg>"), "It says so", "fig1-")
    assert '<text style="font-size: 10.8px; fill: var(--fig-ink)" x="3" y="4.6">so</text>' in svg
    assert 'width="6.5" height="7.0" viewBox="1.5 2.0 6.5 7.0"' in svg and "data-ink" not in svg


def test_a_wide_figure_can_stand_in_parts_on_a_telephone():
    svg = figures.inlined(SVG.replace("<svg ", '<svg data-stacks-at="0.3 0.6" data-ink="1.0 2.0 8.0 6.0" ', 1), "It says so, and rises", "fig1-")
    windows = re.findall(r'<svg class="part" aria-hidden="true" viewBox="(.*?)" style="max-[^"]*px"><use href="#fig1-figure_1"/></svg>', svg)
    assert "stacks" in svg and windows == ["-1.0 2.0 4.0 6.0", "3.0 2.0 3.0 6.0", "6.0 2.0 5.0 6.0"]


@pytest.mark.parametrize("text, problem", [
    (None, "missing"),
    ("../_build/jupyter_execute/0123456789abcdef0123456789abcdef.svg", "path"),
    ("Figure of precision against recall over all the goals of the library", "boilerplate"),
    ("Precision falls.", "fewer than 40"),
    ("Precision falls as the cut-off grows, for every one of four rankers.", "repeats"),
    ("Precision falls from 1 to 0.3 over the first twenty ranks; recall climbs to 0.9.", None),
])  # fmt: skip
def test_a_text_that_says_nothing_is_refused(text, problem):
    caption = "Precision falls as the cut-off grows, for every one of four rankers."
    found = figures.text_problem(text, caption, "fig-precision-falls-as-the-cutoff-grows-for-four-rankers")
    assert problem in found if problem else found is None


# Those who do not see red, and green: Machado, Oliveira and Fernandes (2009), severity 1, on linear RGB.
COLOUR_BLIND = [
    [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
]
ROLES = {f"fig-{name}": colour for name, colour in COLOURS.items()}
TOOLS = {f"tool-{name.lower().replace(' ', '-')}": colour for name, colour in TOOL_COLOURS.items()}
PALETTE = re.findall(r"--((?:fig|tool)-[a-z-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\);", CSS)
LIGHT, DARK = {name: light for name, light, _ in PALETTE}, {name: dark for name, _, dark in PALETTE}
TOGETHER = ("fig-relevant", "fig-a", "fig-b")  # in one figure, without a name at each
ONLY_GRAPHICS = ("tool-random",)
OF_THE_PAGE = ("fig-ink", "fig-paper", "tool-fusion")  # ink and paper are those of the page, and black and white elsewhere


def linear(colour):
    channels = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    return np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)


def contrast(one, other):
    light, dark = sorted((linear(colour) @ [0.2126, 0.7152, 0.0722] for colour in (one, other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def lab(rgb):
    xyz = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]) @ rgb / [0.9505, 1, 1.089]
    f = np.where(xyz > 0.008856, np.cbrt(xyz), 7.787 * xyz + 16 / 116)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


@pytest.mark.parametrize("scheme", [LIGHT, DARK], ids=["light", "dark"])
def test_every_colour_stands_out_from_the_paper_and_those_of_lists_and_metrics_stay_apart_for_the_colour_blind(scheme):
    differ = {name for name, colour in (ROLES | TOOLS).items() if LIGHT[name] != colour}
    assert differ <= set(OF_THE_PAGE) and (ROLES | TOOLS).keys() == LIGHT.keys() == DARK.keys() and TOOL_COLOURS.keys() == PREDICTORS.keys()
    contrasts = {name: contrast(colour, scheme["fig-paper"]) for name, colour in scheme.items() if name not in ("fig-paper", "fig-faint")}
    assert {name: value for name, value in contrasts.items() if value < (3 if name in ONLY_GRAPHICS else 4.5)} == {} and contrasts["fig-ink"] >= 7
    for seen_by in COLOUR_BLIND:
        seen = {name: lab(np.clip(np.array(seen_by) @ linear(scheme[name]), 0, 1)) for name in TOGETHER}
        apart = {pair: np.linalg.norm(seen[pair[0]] - seen[pair[1]]) for pair in combinations(TOGETHER, 2)}
        assert {pair: value for pair, value in apart.items() if value < 15} == {}


RECORD = {
    "label": "A6", "strength": "proved", "shown": ["one step"], "assumptions": "for positive integer R", "cases": 1012, "precision": "exact",
    "over": "all 0/1 rankings of length 1 to 8, every R", "near_miss": "the dips are filled", "near_miss_fails": 628,
    "near_miss_fails_at": "relevance = [0, 1, 1], n_relevant = 2", "source": None,
}  # fmt: skip
@pytest.mark.parametrize("changes, line, detail", [
    ({}, "proved, and checked on 1,012 cases", "Compared exactly. Tempting but wrong: the dips are filled (fails at [0, 1, 1])."),
    ({"strength": "exhausted", "precision": "to 1e-12", "near_miss": None}, "exhausted, on all 1,012 cases", "Compared to 1e-12."),
    ({"near_miss_fails_at": "relevance = [1], n_relevant = 2"}, "proved, and checked on 1,012 cases",
     "Compared exactly. Tempting but wrong: the dips are filled (fails at [1], R = 2)."),
    ({"near_miss_fails_at": "actual = [[a, b, u], [b, u], [b, u, w]], predictions = [[a]]"}, "proved, and checked on 1,012 cases",
     "Compared exactly. Tempting but wrong: the dips are filled (fails at actual = [[a, b, u], [b, u], [b, …)."),
    ({"strength": "cited", "cases": 0, "near_miss": None, "source": "Boyd (2012)"}, "cited from Boyd (2012)", ""),
])  # fmt: skip
def test_the_line_of_a_check_says_what_was_tried_and_what_opens_where_the_near_miss_fails(changes, line, detail):
    assert re.sub("<.*?>", "", reading.check_line(RECORD | changes)) == f"✓ A6 {line}"
    assert reading.check_detail(RECORD | changes) == detail


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
