"""Pictures of an evaluation, drawn with Matplotlib: curves, differences, systems, measures, and how many topics are enough.

Each function draws on `ax`, or on new axes, and returns them; nothing is shown or saved, and random draws have a seed.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from itertools import combinations
from pathlib import PurePath
from typing import Any

import numpy as np

from ._base.checks import refuse, whole
from ._base.text import in_a_cell
from ._base.types import Floats, Numbers, Undefined, Whole
from .curve import interpolated_precision
from .hits import Relevance
from .rank_correlation import kendall_tau
from .topics.means import mean
from .topics.significance import compare, leaderboard
from .topics.significance.pairing import OfGoals, column, values_by_topic
from .topics.significance.sentences import chance, with_decimals_for

FIRST, SECOND, *_ = COLOURS = "#8a5a00", "#7a2d73", "#00796b", "#1f2328"  # of systems, in the order in which they are named
GREY = "#6e7781"
STYLES = "-", "--", "-.", ":"
MOST_NAMES = 20  # topics that stand by name below a picture


def precision_recall(systems: Mapping[str, Relevance], *, n_relevant: Numbers | None = None, levels: Whole = 11, ax: Any = None) -> Any:
    """The mean curve of interpolated precision for each system; at each recall level, the best precision at that level or above.

    systems: name -> rankings, as `metrics.interpolated_precision` takes them; n_relevant: as there, for all of them;
    levels: how many, evenly spaced from 0 to 1. Queries without a relevant item are left out.

    >>> ax = precision_recall({"one": [[0, 1], [1, 0]]}, levels=3)
    >>> [line.get_ydata().tolist() for line in ax.lines]
    [[0.75, 0.75, 0.75]]
    """
    ax = axes(ax)
    at = np.linspace(0, 1, whole("levels", levels, at_least=2))
    for place, (name, relevance) in enumerate(mapped("systems", systems).items()):
        curve = [mean(interpolated_precision(relevance, float(level), n_relevant), undefined="skip") for level in at]
        ax.plot(at, curve, label=literal(name), color=COLOURS[place % 4], ls=STYLES[place // 4 % 4])
    ax.set(xlabel="recall", ylabel="mean interpolated precision", xlim=(0, 1), ylim=(0, 1.02))
    legend(ax)
    return ax


def differences(
    runs: Mapping[str, OfGoals], *, undefined: Undefined, measure: str = "", of: str = "topics", ax: Any = None, **options: Any
) -> Any:
    """The differences between two systems by topic, in descending order, with their mean and its bootstrap interval.

    runs: two names -> one value per topic, as in `metrics.leaderboard`, such as `found.of("AP", only=["new", "old"])`;
    measure: its name, for the picture; undefined, of and the options confidence, groups, resamples and seed: as in `metrics.compare`.

    >>> ax = differences({"new": [0.9, 0.5, 0.7], "old": [0.4, 0.6, 0.6]}, undefined=0)
    >>> [steps.get_data().values.round(2).tolist() for steps in ax.patches[:2]]
    [[0.5, 0.1, 0.0], [0.0, 0.0, -0.1]]
    """
    ax = axes(ax)
    if len(mapped("runs", runs)) != 2:
        refuse("runs", f"{len(runs)} systems", "two")
    (first, a), (second, b) = ((literal(name), its) for name, its in runs.items())
    found = compare(a, b, test="randomisation", undefined=undefined, of=of, **options)
    (one, other), _, _ = values_by_topic({"a": a, "b": b}, undefined, None)
    ordered = np.sort(one - other)[::-1]
    edges = np.arange(ordered.size + 1) + 0.5
    ax.stairs(np.maximum(ordered, 0), edges, fill=True, color=FIRST)
    ax.stairs(np.minimum(ordered, 0), edges, fill=True, color=SECOND)
    ax.axhline(0, color=GREY, lw=1)
    ax.axhspan(found.low, found.high, color=GREY, alpha=0.25, lw=0)
    ax.axhline(found.difference, color=GREY, lw=2)
    show = with_decimals_for(found.high - found.low)
    said = f"mean {show(found.difference)} ({100 * found.confidence:g}% interval {show(found.low)} to {show(found.high)}), {chance(found.p)}"
    if ordered.size <= MOST_NAMES:
        ax.set_xticks([])  # a position would be taken for a name
        if isinstance(a, Mapping) and ordered.size == len(a):
            names = list(a)
            ax.set_xticks(edges[1:] - 0.5, [literal(names[place]) for place in np.argsort(other - one, kind="stable")], rotation=90)
    ax.set(xlabel=f"{of}, in order of the difference", ylabel=f"{first} minus {second}{measure and f', {measure}'}")
    ax.set_title(said, loc="left")
    ax.text(0.98, 0.97, f"{first} is higher on {found.won:,}", color=FIRST, transform=ax.transAxes, ha="right", va="top")
    ax.text(0.02, 0.03, f"{second} is higher on {found.lost:,}", color=SECOND, transform=ax.transAxes)
    return ax


def systems(
    runs: Mapping[str, OfGoals], *, undefined: Undefined, measure: str = "", of: str = "topics", ax: Any = None, **options: Any
) -> Any:
    """The mean of each system with its bootstrap interval, best first, and letters: systems that share a letter are
    not distinguishable.

    measure: its name, for the picture; runs, undefined, of and the options
    correction, lower_is_better, confidence, groups, resamples and seed: as in `metrics.leaderboard`.
    """
    ax = axes(ax)
    board = leaderboard(mapped("runs", runs), undefined=undefined, of=of, **options)
    for y, (middle, low, high, letters) in enumerate(zip(board.mean, board.low, board.high, board.letters)):
        ax.plot([low, high], [y, y], color=GREY, lw=2)
        ax.plot(middle, y, "o", color=FIRST, ms=7)
        ax.text(1.02, y, letters, transform=ax.get_yaxis_transform(), va="center")
    ax.set(yticks=range(len(board.names)), yticklabels=list(map(literal, board.names)), ylim=(len(board.names) - 0.5, -0.5))
    ax.set_xlabel(f"mean{measure and f' {measure}'} over {board.n:,} {of}, {100 * board.confidence:g}% interval; a shared letter: not told apart")
    return ax


def agreement(means: Mapping[str, Mapping[str, float]], *, ax: Any = None) -> Any:
    """The agreement of measures on the order of systems: Kendall's tau-b for each pair of measures, as a colour and as a number.

    means: system -> measure -> value, as `found.mean(undefined=...)` gives it. A tau is undefined, and left blank, where a
    measure gives all systems the same value.

    >>> ax = agreement({"x": {"AP": 0.1, "RR": 0.5}, "y": {"AP": 0.2, "RR": 0.4}})
    >>> ax.texts[1].get_text()
    '-1.00'
    """
    ax = axes(ax)
    names = list(mapped("means of the first system", next(iter(mapped("means", means).values()))))
    for name, its in means.items():
        if not isinstance(its, Mapping) or its.keys() != set(names):
            refuse(f"means[{name!r}]", repr(its), f"a mapping of the measures {', '.join(map(repr, names))} to numbers")
    columns = np.array([column(f"means[{system!r}]", {name: its[name] for name in names}) for system, its in means.items()]).T
    tau = np.array([[kendall_tau(one, other, variant="b") for other in columns] for one in columns])
    ax.imshow(tau, vmin=-1, vmax=1, cmap="RdBu")
    for y, x in np.ndindex(tau.shape):
        if np.isfinite(tau[y, x]):
            ax.text(x, y, f"{tau[y, x]:.2f}", ha="center", va="center", color="white" if abs(tau[y, x]) > 0.6 else "black")
    ax.set(yticks=range(len(names)), yticklabels=names)
    ax.set_title(f"Kendall's tau-b over {len(means)} systems", loc="left")
    ax.set_xticks(range(len(names)), names, rotation=45, ha="right")
    return ax


def reliability(
    runs: Mapping[str, OfGoals], *, undefined: Undefined, of: str = "topics", samples: Whole = 1000, seed: Whole = 0, ax: Any = None
) -> Any:
    """The share of smaller topic samples (random, without replacement) that order two systems as all topics do: the
    mean over pairs of systems.

    runs, undefined, of: as in `metrics.leaderboard`; samples: draws for each number of topics. Pairs with equal means are left out.

    >>> ax = reliability({"one": [1, 1, 1, 0], "other": [0, 0, 0, 1]}, undefined=0)
    >>> float(ax.lines[0].get_ydata()[-1])
    1.0
    """
    ax = axes(ax)
    if len(mapped("runs", runs)) < 2:
        refuse("runs", f"{len(runs)} systems", "two or more")
    values, _, _ = values_by_topic(runs, undefined, None)
    sizes = np.unique(np.geomspace(1, values.shape[1], 12).astype(int))
    ax.plot(sizes, ordered_alike(values, sizes.tolist(), whole("samples", samples, 1), whole("seed", seed, 0)), "o-", color=FIRST)
    ax.set(xlabel=of, ylabel="pairs in the order of all", ylim=(0, 1.02))
    return ax


def ordered_alike(values: Floats, sizes: list[int], samples: int, seed: int) -> list[float]:
    """For each size, the share of random samples of columns that order a pair of rows as all columns do (a tie counts one half); the mean over pairs."""
    random = np.random.default_rng(seed)
    gaps = np.array([one - other for one, other in combinations(values, 2)])
    gaps = gaps[gaps.sum(axis=1) != 0]
    if not len(gaps):
        refuse("runs", "systems with equal means", "at least two systems with different means")
    way, found = np.sign(gaps.sum(axis=1)), np.zeros(len(sizes))
    for _ in range(samples):
        sums = np.cumsum(gaps[:, random.permutation(gaps.shape[1])], axis=1)
        for place, size in enumerate(sizes):
            found[place] += np.mean((1 + np.sign(sums[:, size - 1].round(9)) * way) / 2)
    return (found / samples).tolist()


def mapped(name: str, given: Any) -> Mapping[str, Any]:
    """The given mapping of names; an empty one and anything else are refused."""
    if not isinstance(given, Mapping) or not given:
        refuse(name, f"a {type(given).__name__} of {len(given)}" if isinstance(given, Mapping) else repr(given), "a mapping of names")
    return given


def legend(ax: Any) -> None:
    """Add a legend with names if there are several lines."""
    if len(ax.lines) > 1:
        ax.legend(frameon=False)


def literal(name: Any) -> str:
    """A name made ready to be drawn: without formulas, and with hidden characters written out."""
    text = in_a_cell(str(name)).replace("$", r"\$")
    return f" {text}" if text.startswith("_") else text  # which a legend would leave out


def matplotlib(module: str) -> Any:
    """The module of Matplotlib with this name."""
    try:
        return import_module(f"matplotlib.{module}")
    except ImportError:
        raise ImportError("metrics.plots needs Matplotlib, which is not installed: pip install matplotlib") from None


def refuse_kind(path: str) -> None:
    """Refuse a kind of file that Matplotlib cannot draw."""
    kinds = matplotlib("backend_bases").FigureCanvasBase.get_supported_filetypes().keys() - {"pgf"}  # which needs TeX
    if PurePath(path).suffix[1:].lower() not in kinds:
        refuse("--plot", repr(path), f"a file that ends in .{', .'.join(sorted(kinds))}")


def axes(ax: Any) -> Any:
    """The given axes, or new ones that appear in no window."""
    if ax is not None:
        return ax
    figure = matplotlib("figure").Figure(figsize=(6.4, 4), layout="constrained")
    made = figure.subplots()
    made.spines[["top", "right"]].set_visible(False)
    return made
