"""Code shared by all notebooks of the book: rounding, numbers for the prose, shown source, pictures, data, comparisons.

    from metrics.notebook import rounded, glue, source, pair, as_table, figure, tiles, show, data, installed, COLOURS, TOOL_COLOURS
"""

import ast
import inspect
import io
import json
import math
import re
import textwrap
from collections.abc import Iterable
from fractions import Fraction
from html import escape
from importlib.util import find_spec
from itertools import chain
from numbers import Rational, Real
from pathlib import Path

from ._base import ink

# The colours of figures, one for each role, which it has in all chapters. On white all but "faint" reach a contrast of 3:1, and all
# but "random" the 4.5:1 that letters need. The build replaces each by a variable of book.css, so that figures follow dark mode.
COLOURS = {
    "ink": "#1f2328",
    "grey": "#6e7781",  # what is not relevant, axes, and all that is beside the point
    "faint": "#d0d7de",
    "paper": "#ffffff",
    "relevant": "#0072b2",  # and nothing else is blue
    "a": "#8a5a00",  # of two metrics, lists or groups the first, with solid lines
    "b": "#7a2d73",  # and the second, with dashed lines
    "right": "#00694e",  # an answer
    "wrong": "#b3360b",
}
TOOL_COLOURS = {
    "random": "#7b7f86",
    "recency": "#c2410c",
    "popularity": "#8f6a00",
    "decayed popularity": "#5f7300",
    "k-NN": "#7b3fa3",
    "naive Bayes": "#00796b",
    "fusion": "#1f2328",
}

FONT_SIZE = 12  # points, in a figure 5 inches wide: still 11 pixels on a telephone

STYLE = {
    "svg.fonttype": "none",  # text, which pages show in the font of the book, and other places in one of theirs
    "text.hinting": "none",
    "svg.hashsalt": "precision-recall",
    "figure.facecolor": "none",
    "axes.facecolor": "none",
    "savefig.facecolor": "none",
    "figure.constrained_layout.use": True,
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans"],  # the widest there is: what has room in it has room in any other
    "font.size": FONT_SIZE,
    "axes.titlesize": FONT_SIZE,
    "axes.labelsize": FONT_SIZE,
    "xtick.labelsize": FONT_SIZE,
    "ytick.labelsize": FONT_SIZE,
    "legend.fontsize": FONT_SIZE,
    "legend.frameon": False,
    "text.color": COLOURS["ink"],
    "axes.labelcolor": COLOURS["ink"],
    "axes.edgecolor": COLOURS["grey"],
    "xtick.color": COLOURS["grey"],
    "ytick.color": COLOURS["grey"],
    "xtick.labelcolor": COLOURS["ink"],
    "ytick.labelcolor": COLOURS["ink"],
    "grid.color": COLOURS["faint"],
    "patch.edgecolor": COLOURS["ink"],
    "hatch.color": COLOURS["ink"],
    "axes.titlelocation": "left",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "lines.linewidth": 2,
}
TERM_COLOURS = 4


def rounded(value, digits=3):
    """The value as text: floats with a fixed number of digits, exact values unchanged.

    Lists and arrays give lists. Printing every float through here keeps the stored outputs
    equal on machines whose last bits differ.
    """
    if isinstance(value, str) or isinstance(value, Rational):
        return str(value)
    if isinstance(value, Real):
        if not math.isfinite(value):
            return "undefined" if math.isnan(value) else "∞" if value > 0 else "-∞"
        text = f"{float(value):.{digits}f}"
        return text.lstrip("-") if float(text) == 0 else text
    if isinstance(value, Iterable):
        return [rounded(item, digits) for item in value]
    return str(value)


def house_style():
    """Show the value at the end of a cell as the book prints it: floats with three digits, fractions and SymPy's
    results as formulas.
    """
    from IPython import get_ipython

    if not (shell := get_ipython()):
        return
    formatters = shell.display_formatter.formatters
    text, latex = formatters["text/plain"], formatters["text/latex"]

    def as_text(value, printer, cycle):
        printer.text(rounded(value))

    def as_array(value, printer, cycle):
        from numpy import printoptions

        with printoptions(precision=3, suppress=True):
            printer.text(repr(value))

    def as_formula(value):
        from .exact.proofs import in_latex

        return f"$\\displaystyle {in_latex(value)}$"

    def parts(value):
        return chain(*map(parts, value)) if isinstance(value, tuple | list) else [value]

    def as_list(values):
        exact = any(isinstance(part, Fraction) or hasattr(part, "_repr_latex_") for part in parts(values))
        return as_formula(values) if exact and not any(isinstance(part, float) for part in parts(values)) else None

    text.for_type(float, as_text)
    for name in ("float64", "int64", "bool", "bool_"):
        text.pop(f"numpy.{name}", None)  # IPython has one of its own if NumPy was loaded before
        text.for_type_by_name("numpy", name, as_text)
    text.for_type_by_name("numpy", "ndarray", as_array)
    latex.for_type(Fraction, as_formula)
    latex.for_type_by_name("sympy.printing.defaults", "Printable", as_formula)
    latex.for_type(tuple, as_list)
    latex.for_type(list, as_list)


def in_line(value, digits=3):
    """The rounded value as text has it: on one line, several values with commas between them, a minus before what is negative."""
    text = rounded(value, digits)
    return re.sub(r"(?<![\w-])-(?=\d)", "−", text if isinstance(text, str) else ", ".join(text))


def glue(name, value, digits=3):
    """Store a rounded value under a name, for the prose to quote with {glue:text}`name`.

    It stores what MyST-NB's own `glue` stores, so that a chapter also runs without MyST-NB.
    """
    from IPython.display import display

    # The text of a string: MyST-NB reads it back as a literal, and would take bare 9,259 for a pair and 0.580 for 0.58.
    stored = repr(in_line(value, digits))
    prefix = "application/papermill.record/"
    display({f"{prefix}text/plain": stored}, raw=True, metadata={"scrapbook": {"name": name, "mime_prefix": prefix}})


def as_table(head, rows):
    """A table for the end of a cell: a name at the left of each row, and numbers, which are rounded, under their heads."""
    from IPython.display import Markdown

    lines = [head, ["---"] + ["---:"] * (len(head) - 1), *(map(in_line, row) for row in rows)]
    return Markdown("\n".join(f"| {' | '.join(line)} |" for line in lines))


class source:
    """Show the source of a function of the package exactly as shipped, but without its record and other decorators."""

    def __init__(self, function):
        code = textwrap.dedent(inspect.getsource(function)).rstrip()
        self.code = "\n".join(code.split("\n")[ast.parse(code).body[0].lineno - 1 :])
        self.module = function.__module__

    def _repr_mimebundle_(self, **_):
        listing = f"`{self.module}`\n\n```python\n{self.code}\n```"
        return {"text/plain": self.code, "text/markdown": listing}


class pair:
    """A formula in SymPy's steps beside the function that computes it, and the number that both give.

    steps: what `prove` has shown. function: one of `metrics`. arguments: those of the example, for the function and its definition;
    the definition has the same name unless you give another.
    terms: pairs (LaTeX, code) that mean the same, at most four, because the book gives each a colour.
    """

    def __init__(self, steps, function, *arguments, terms=(), definition=None, **named):
        from .exact import definitions

        self.steps, self.function, self.terms = steps, function, terms
        self.exact = (definition or getattr(definitions, function.__name__))(*arguments, **named)
        self.number = function(*arguments, **named)
        if not same_numbers(self.exact, self.number):
            raise AssertionError(f"{function.__name__}: the formula gives {self.exact}, but the function gives {self.number}")
        self.name = public_name(function)
        given = [*map(str, arguments), *(f"{name}={value!r}" for name, value in named.items())]
        self.call = f"{self.name}({', '.join(given)})"
        self.code = body(function)
        self.check_terms()

    def check_terms(self):
        """Refuse a term that is missing from the formulas or the code, and more terms than there are colours."""
        if len(self.terms) > TERM_COLOURS:
            raise ValueError(f"terms: got {len(self.terms)}, expected at most {TERM_COLOURS}, because each term has its own colour")
        formulas = " ".join(f"{left} {right}" for _, left, right in self.steps.formulas())
        places = {"formulas": formulas, f"body of {self.function.__name__}": self.code}
        for (place, text), terms in zip(places.items(), zip(*self.terms)):
            for term in absent(terms, text):
                raise ValueError(f"terms: got {term!r}, which is not in the {place}: {text}")

    def _repr_mimebundle_(self, **_):
        same = f"The formula gives {in_line(self.exact)}; the function, `metrics.{self.call}`, gives {in_line(self.number)}."
        parts = [self.steps._repr_markdown_(), f"```python\n{self.code}\n```", same]
        return {
            "text/plain": f"{self.steps!r}\n\n{self.code}\n\n{same}",
            "text/markdown": "\n\n".join(parts),
            "application/vnd.metrics.pair+json": {"name": self.name, "terms": [list(term) for term in self.terms]},
        }


def alone(terms):
    """A pattern that finds these terms in LaTeX or code, but not as parts of longer words or longer terms."""
    longest_first = sorted(terms, key=len, reverse=True)
    return re.compile(rf"(?<![\w\\])(?:{'|'.join(map(re.escape, longest_first)) or '(?!)'})(?!\w)")


def absent(terms, text):
    """The terms that never occur in a text on their own."""
    return sorted(set(terms) - set(alone(terms).findall(text)))


def same_numbers(exact, floats):
    """Whether every float, single or listed, is within 1e-12 of its exact value; two undefined values are equal."""
    lists = (list(each) if isinstance(each, Iterable) else [each] for each in (exact, floats))
    return all(math.isclose(left, right, rel_tol=0, abs_tol=1e-12) or math.isnan(left) and math.isnan(right) for left, right in zip(*lists, strict=True))


def public_name(function):
    """The name that a reader writes after `metrics.` in a call: "ndcg", or "premise_selection.rank"."""
    import metrics

    name, module = function.__name__, function.__module__.removeprefix("metrics.")
    return name if getattr(metrics, name, None) is function else f"{module}.{name}"


def body(function):
    """The lines of a function below its docstring."""
    lines, start = inspect.getsourcelines(function)
    first = ast.parse(inspect.cleandoc("\n" + "".join(lines))).body[0].body
    after = first[0].end_lineno if inspect.getdoc(function) else first[0].lineno - 1
    return textwrap.dedent("".join(lines[after:])).strip()


def tiles(ax, items, relevant, *, left=0, top=0, ranks=True, notes=None, faded=(), size=None, role="relevant"):
    """Draw a ranking as a strip of tiles, each one unit wide; those of relevant items are filled.

    items: their names, such as "xaybcz". relevant: the names of the relevant items, or a 0 or 1 for each item. notes: {name: a text for
    each tile, or None}, one row each below the tiles. faded: the ranks of tiles that are drawn pale, such as those below a cutoff. size: the
    size of the letters, in points. role: the colour of the filled tiles in COLOURS, if they do not show what is relevant.
    """
    from matplotlib.patches import FancyBboxPatch

    hits = [item in relevant for item in items] if isinstance(relevant, str) else relevant
    for rank, (item, hit) in enumerate(zip(items, hits, strict=True), 1):
        pale = 0.35 if rank in faded else 1
        x, shape = left + rank - 0.5, "round,pad=0,rounding_size=0.12"
        fill, edge = (COLOURS[role], COLOURS[role]) if hit else (COLOURS["paper"], COLOURS["grey"])
        ax.add_patch(FancyBboxPatch((x - 0.43, top - 0.93), 0.86, 0.86, shape, fc=fill, ec=edge, lw=1.5, alpha=pale))
        ax.text(x, top - 0.52, item, ha="center", va="center", color=COLOURS["paper" if hit and pale == 1 else "ink"], weight="bold", size=size)
        if ranks:
            ax.text(x, top + 0.06, rank, ha="center", va="bottom", color=COLOURS["grey"], size=size)
    for row, (name, texts) in enumerate((notes or {}).items(), 1):
        y = top - 0.75 - 0.55 * row
        ax.text(left - 0.15, y, name, ha="right", va="center", color=COLOURS["grey"])
        for rank, text in enumerate(texts, 1):
            if text is not None:
                ax.text(left + rank - 0.5, y, text, ha="center", va="center")


def figure(width=5.0, height=3.2, **subplots_kwargs):
    """A new figure in the house style and its axes, as the pair (fig, ax)."""
    import matplotlib.pyplot as plt

    plt.rcParams.update(STYLE)
    plt.rcParams["axes.prop_cycle"] = plt.cycler(color=[COLOURS["a"], COLOURS["b"]])
    return plt.subplots(figsize=(width, height), **subplots_kwargs)


def show(fig, stacks_at=(), moves="", data=None):
    """Display the figure as one SVG that is the same, byte for byte, on every run.

    stacks_at: where a telephone may cut the figure into parts, one below the other, as fractions of its width, in ascending order.
    moves: the name of an interactive figure that replaces this one on the page; data: what that figure needs, as JSON.
    """
    import matplotlib.pyplot as plt
    from IPython.display import display

    fig.set_dpi(72)  # as an SVG has
    ink.powers_in_words(fig)
    ink.keep_spaces(fig)
    fig.draw_without_rendering()
    fig.set_layout_engine("none")
    ink.split_lines(fig)
    box = " ".join(map(str, ink.ink(fig)))
    buffer = io.StringIO()
    fig.savefig(buffer, format="svg", metadata={"Date": None})
    plt.close(fig)
    svg = buffer.getvalue().replace("<svg ", f'<svg data-ink="{box}" ', 1)
    if stacks_at:
        svg = svg.replace("<svg ", f'<svg data-stacks-at="{" ".join(map(str, stacks_at))}" ', 1)
    if moves:
        text = escape(json.dumps(data, separators=(",", ":"), sort_keys=True))
        svg = svg.replace("<svg ", f'<svg data-moves="{moves}" data-of-it="{text}" ', 1)
    display({"image/svg+xml": svg, "text/plain": "a figure"}, raw=True)


def data(name):
    """The path of a data file of the book: beside this file in an installed package, in book/data in a clone."""
    installed = Path(__file__).with_name("data")
    return (installed if installed.exists() else Path(__file__).parents[1] / "book" / "data") / name


def installed(library):
    """Whether a library used in a chapter's comparison is installed; if not, print that the comparison is left out."""
    found = find_spec({"scikit-learn": "sklearn"}.get(library, library)) is not None
    if not found:
        print(f"{library} is not installed here, so this comparison is left out.")
    return found
