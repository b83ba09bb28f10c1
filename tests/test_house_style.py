"""What the notebooks share: rounding, glued numbers, shown source, and figures that stay the same."""

import ast
import io
import re
from fractions import Fraction

import matplotlib.colors
import matplotlib.pyplot as plt
import myst_nb
import numpy as np
import pytest
import sympy
from fontTools.ttLib import TTFont

import metrics
from book._sphinx.pages import STATIC
from book._sphinx.sources import ROOT
from metrics import notebook
from metrics._base import ink
from metrics.exact import definitions, prove
from metrics.notebook import COLOURS, rounded
from tools.paper_fonts import still


@pytest.mark.parametrize("value, text", [
    (1 / 3, "0.333"), (np.float64(2) / 3, "0.667"), (-0.0001, "0.000"), (float("nan"), "undefined"), (float("inf"), "∞"), (float("-inf"), "-∞"),
    (5, "5"), (np.int64(5), "5"), (True, "True"), (Fraction(2, 3), "2/3"), (sympy.Rational(2, 3), "2/3"), (sympy.Symbol("x") / 2, "x/2"),
    (sympy.Float(1) / 3, "0.333"), ("text", "text"), ([1 / 3, Fraction(1, 2)], ["0.333", "1/2"]), (np.array([[0.5, np.nan]]), [["0.500", "undefined"]]),
])  # fmt: skip
def test_rounded(value, text):
    assert rounded(value) == text
    assert rounded(0.98765, digits=2) == "0.99"


@pytest.mark.parametrize("value, text", [("9,259", "9,259"), (0.58, "0.580"), (1 / 3, "0.333"), ([1, 0.5], "1, 0.500")])
def test_a_glued_number_reads_as_it_was_rounded(value, text, monkeypatch):
    """MyST-NB shows what Python makes of the stored text, read as a literal."""
    shown = []
    for display in ("IPython.display.display", "myst_nb.ext.glue.ipy_display"):
        monkeypatch.setattr(display, lambda *data, **more: shown.append((data, more)))
    notebook.glue("number", value)
    myst_nb.glue("number", text, display=False)
    ours, theirs = shown
    assert ours == theirs
    assert ast.literal_eval(ours[0][0]["application/papermill.record/text/plain"]) == text


def test_what_is_not_installed_is_said(capsys):
    assert notebook.installed("scikit-learn") is True and capsys.readouterr().out == ""
    assert notebook.installed("no-such-library") is False
    assert capsys.readouterr().out == "no-such-library is not installed here, so this comparison is left out.\n"


def test_source_is_what_ships():
    shown = notebook.source(rounded)._repr_mimebundle_()
    assert shown["text/plain"].startswith("def rounded(")
    assert shown["text/markdown"] == f"`metrics.notebook`\n\n```python\n{shown['text/plain']}\n```"


def shown_pair(**settings):
    j, R = sympy.symbols("j R", positive=True, integer=True)
    steps = prove({"a constant in front": (sympy.Sum(1 / R, (j, 1, R)), sympy.Sum(1, (j, 1, R)) / R)})
    return notebook.pair(steps, metrics.average_precision, [0, 1, 1], n_relevant=2, **settings)


def test_a_pair_shows_steps_and_body_and_one_number_by_both():
    shown = shown_pair(terms=[("R", "R")])._repr_mimebundle_()
    steps, code, number = shown["text/markdown"].split("```")
    assert "a constant in front" in steps and '"""' not in code and "hits.ordinal / hits.rank" in code
    assert "The formula gives 7/12; the function, `metrics.average_precision([0, 1, 1], n_relevant=2)`, gives 0.583." in number
    assert shown["application/vnd.metrics.pair+json"] == {"name": "average_precision", "terms": [["R", "R"]]}


def test_a_pair_whose_numbers_differ_is_refused_and_another_definition_taken(monkeypatch):
    monkeypatch.setattr(definitions, "average_precision", lambda relevance, n_relevant: Fraction(1, 2))
    assert shown_pair(definition=lambda relevance, n_relevant: Fraction(7, 12)).exact == Fraction(7, 12)
    assert notebook.same_numbers([np.nan, 1], [np.nan, 1 + 1e-13]) and not notebook.same_numbers([np.nan], [1.0])
    with pytest.raises(AssertionError, match="average_precision: the formula gives 1/2, but the function gives 0.58"):
        shown_pair()
    with pytest.raises(ValueError, match="shorter"):
        notebook.same_numbers([1, 1], [1.0])
    assert notebook.body(shown_pair).startswith("j, R = ")


@pytest.mark.parametrize("terms, message", [
    ([("j", "hit")], "got 'hit', which is not in the body of average_precision"),  # only in `hits`
    ([("su", "R")], "got 'su', which is not in the formulas"),  # only in \\sum
    ([("average", "R")], "got 'average', which is not in the formulas"),
    ([("R", "R")] * 4, "got 5, expected at most 4"),  # no more than colours
])  # fmt: skip
def test_a_term_that_stands_nowhere_alone_is_refused(terms, message):
    with pytest.raises(ValueError, match=message):
        shown_pair(terms=[("R", "R"), *terms])


def test_tiles_fill_what_is_relevant():
    fig, ax = notebook.figure()
    notebook.tiles(ax, "abc", "ac", left=2, top=1, notes={"s": [1, None, 2], "t": [None]}, faded=[3])
    notebook.tiles(ax, "d", [1], ranks=False, role="b")
    filled = [matplotlib.colors.to_hex(tile.get_facecolor()) for tile in ax.patches]
    assert filled == [COLOURS["relevant"], COLOURS["paper"], COLOURS["relevant"], COLOURS["b"]]
    assert [tile.get_alpha() for tile in ax.patches] == [1, 1, 0.35, 1] and {tile.get_linewidth() for tile in ax.patches} == {1.5}
    boxes = [np.round([tile.get_x(), tile.get_y(), tile.get_width(), tile.get_height()], 2).tolist() for tile in ax.patches[::3]]
    assert boxes == [[2.07, 0.07, 0.86, 0.86], [0.07, -0.93, 0.86, 0.86]]
    texts = [(text.get_text(), *np.round(text.get_position(), 2).tolist(), text.get_ha(), text.get_va()) for text in ax.texts]
    assert texts == [
        *((item, x, y, "center", at) for x, pair in ((2.5, "a1"), (3.5, "b2"), (4.5, "c3")) for item, y, at in zip(pair, (0.48, 1.06), ("center", "bottom"))),
        ("s", 1.85, -0.3, "right", "center"), ("1", 2.5, -0.3, "center", "center"), ("2", 4.5, -0.3, "center", "center"),
        ("t", 1.85, -0.85, "right", "center"), ("d", 0.5, -0.52, "center", "center"),
    ]  # fmt: skip
    assert [text.get_color() for text in ax.texts[:6:2]] == [COLOURS["paper"], COLOURS["ink"], COLOURS["ink"]]
    assert {text.get_fontsize() for text in ax.texts} == {notebook.FONT_SIZE}
    plt.close(fig)


def test_a_figure_is_the_same_at_every_run_and_has_the_size_and_the_colours_of_the_house(monkeypatch):
    shown = []
    monkeypatch.setattr("IPython.display.display", lambda data, raw: shown.append((data["image/svg+xml"], raw)))
    for _ in range(2):
        fig, ax = notebook.figure()
        [line] = ax.plot([0, 1], [0, 1], color=COLOURS["relevant"], label="line")
        assert line.get_linewidth() == 2
        assert tuple(fig.get_size_inches()) == (5.0, 3.2) and fig.get_constrained_layout()
        ax.fill_between([0, 1], 0.2, 0.4, color=COLOURS["a"], alpha=0.3)
        ax.legend()
        assert notebook.show(fig) is None
        assert not plt.fignum_exists(fig.number), "it is closed"
    (svg, raw), again = shown
    assert again == (svg, raw) and raw, "else it is shown as a dict"
    assert set(re.findall(r"#[0-9a-f]{6}\b", svg)) <= set(COLOURS.values()) and COLOURS["relevant"] in svg


def shown_svg(monkeypatch, fig):
    shown = []
    monkeypatch.setattr("IPython.display.display", lambda data, raw: shown.append(data["image/svg+xml"]))
    notebook.show(fig)
    return shown[0]


def test_letters_stand_where_they_should_in_any_font_and_the_ink_ends_where_those_of_the_book_do(monkeypatch):
    fig, ax = notebook.figure(4, 2)
    ax.set(xscale="log", xlim=(1, 10_000), xticks=[1, 1000], yticks=[0.5], yticklabels=["a long label\nof two lines"])
    svg = shown_svg(monkeypatch, fig)
    assert ">1,000</text>" in svg and "tspan" not in svg, "no raised digits"
    lines = re.findall(r'text-anchor: end[^>]*" x="([\d.]+)"[^>]*>(a long label|of two lines)<', svg)
    assert [line for _, line in lines] == ["a long label", "of two lines"] and lines[0][0] == lines[1][0]
    left = float(re.search(r'data-ink="([\d.]+) ', svg)[1])
    assert np.isclose(float(lines[0][0]) - left, ink.width("a long label", notebook.FONT_SIZE), atol=0.2)


@pytest.mark.parametrize("path", sorted(STATIC.glob("fonts/*.woff2")), ids=lambda path: path.stem)
def test_a_font_has_a_name_of_its_own_and_its_makers_are_named(path):
    """The licence of three of them reserves the name "Source"."""
    names = TTFont(io.BytesIO(still(path, 400)))["name"]
    assert all(names.getDebugName(kind).startswith("Book") for kind in (1, 4, 6))
    maker = re.search("Adobe|The STIX Fonts Project Authors", names.getDebugName(0))[0]
    assert all(maker in text.read_text(encoding="utf-8") for text in (path.with_name("LICENSE.txt"), ROOT / "NOTICE"))
