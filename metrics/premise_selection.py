"""The five metrics of the premise-selection thesis, one goal per call, literally as defined there.

Their names mislead: `recall` and `rank` are lower-is-better, and `rank` and `auc` see only what was
suggested. The chapter on the metrics of premise selection says what each becomes in the terms of this book.
"""

from __future__ import annotations

import numpy as np

from ._base.arrays import ratio
from ._base.checks import id_list, require_one_kind, whole
from ._base.records import metric
from ._base.types import Ids, Ints, Whole

__all__ = ["cover", "precision", "recall", "rank", "auc"]


@metric(
    "n-cover", purpose="Premise selection, as its papers have it", asks="A table from the literature of premise selection",
    formula=r"\frac{s(n)}{R}", rewards="Recall of the top n suggestions.",
    place="premise-selection-metrics#def-premise-selection", example={"n": 100}, see="recall_at",
)
def cover(
    *, suggestions: Ids, required: Ids, n: Whole = 100
) -> np.float64:
    """The fraction of the required premises in the first n.

    suggestions: distinct ids, best first;
    required: distinct ids;
    n: one whole number >= 1.
    Returns a value in [0, 1], nan where nothing is required.
    Raises ValueError for duplicates, text, a mapping, a bad n.
    Source: the premise-selection thesis, "100cover".

    >>> print(cover(
    ...     suggestions=["a", "x", "b"],
    ...     required={"a", "b", "c", "d"}, n=2))
    0.25
    """
    ranks, _, wanted = found(suggestions, required)
    n = whole("n", n, at_least=1)
    return ratio((ranks <= n).sum(), wanted)[()]


@metric(
    "n-precision", purpose="Premise selection, as its papers have it",
    asks="A table from the literature of premise selection", formula=r"\frac{s(n)}{\min(n, L)}",
    rewards="Few wrong suggestions; making fewer than n costs nothing.",
    place="premise-selection-metrics#def-premise-selection", example={"n": 100}, see="precision_at",
)
def precision(
    *, suggestions: Ids, required: Ids, n: Whole = 100
) -> np.float64:
    """The fraction of the first n suggestions that is required.

    If there are fewer than n, it is the fraction of those.
    suggestions: distinct ids, best first;
    required: distinct ids;
    n: one whole number >= 1.
    Returns a value in [0, 1], nan where nothing is suggested.
    Raises ValueError for duplicates, text, a mapping, a bad n.
    Source: the premise-selection thesis, "100precision".

    >>> print(precision(
    ...     suggestions=["a", "x"], required={"a", "b"}))
    0.5
    """
    ranks, suggested, _ = found(suggestions, required)
    n = whole("n", n, at_least=1)
    return ratio((ranks <= n).sum(), min(n, suggested))[()]


@metric(
    "“recall”", purpose="Premise selection, as its papers have it", asks="A table from the literature of premise selection",
    formula=r"k_R, \text{ or } L + 1", rewards="↓ A short way to everything required; or silence.",
    place="premise-selection-metrics#def-premise-selection", see="full_recall",
)
def recall(*, suggestions: Ids, required: Ids) -> np.float64:
    """The rank by which every required premise has been seen.

    Lower is better.
    suggestions: distinct ids, best first;
    required: distinct ids.
    Returns the number of suggestions plus one when a required
    premise is missing, 0 when nothing is required.
    Raises ValueError for duplicates, text or a mapping.
    Source: the premise-selection thesis, "recall".

    >>> print(recall(
    ...     suggestions=["a", "x", "b"], required={"a", "b"}))
    3.0
    >>> print(recall(suggestions=[], required={"a"}))
    1.0
    """
    ranks, suggested, wanted = found(suggestions, required)
    if ranks.size < wanted:
        return np.float64(suggested + 1)
    return np.float64(ranks.max(initial=0))


@metric(
    "“rank”", purpose="Premise selection, as its papers have it", asks="A table from the literature of premise selection",
    formula=r"\frac{1}{s(L)} \sum_{j} (k_j - 1)", rewards="↓ What is found is found high up; what is missing is forgiven.",
    place="premise-selection-metrics#def-premise-selection", see="mean_rank",
    not_for="if premises are missing, because only those that were suggested count",
)
def rank(*, suggestions: Ids, required: Ids) -> np.float64:
    """The mean 0-based position of the required premises.

    The mean is over those suggested; lower is better.
    suggestions: distinct ids, best first;
    required: distinct ids.
    Returns a value >= 0, nan where none was suggested.
    Raises ValueError for duplicates, text or a mapping.
    Source: the premise-selection thesis, "rank".

    >>> print(rank(
    ...     suggestions=["a", "x", "y", "b"],
    ...     required={"a", "b"}))
    1.5
    """
    ranks, _, _ = found(suggestions, required)
    return ratio((ranks - 1).sum(), ranks.size)[()]


@metric(
    "“AUC”", purpose="Premise selection, as its papers have it", asks="A table from the literature of premise selection",
    formula=r"1 - \frac{1}{m (L - m)} \sum_{j} (k_j - j), \quad m = s(L)",
    rewards="The order of what was suggested; what is missing is forgiven.",
    place="premise-selection-metrics#def-premise-selection", see="auc",
    not_for="if premises are missing, because only those that were suggested count",
)
def auc(*, suggestions: Ids, required: Ids) -> np.float64:
    """The area under the ROC curve of the suggestions.

    It is the probability that a required suggestion is
    before one that is not required.
    suggestions: distinct ids, best first;
    required: distinct ids.
    Returns a value in [0, 1], nan where all suggestions are
    required or none is.
    Raises ValueError for duplicates, text or a mapping.
    Source: the premise-selection thesis, "AUC".

    >>> print(auc(
    ...     suggestions=["a", "x", "b"],
    ...     required={"a", "b", "c"}))
    0.5
    """
    ranks, suggested, _ = found(suggestions, required)
    inverted = (ranks - np.arange(1, ranks.size + 1)).sum()
    pairs = ranks.size * (suggested - ranks.size)
    return 1 - ratio(inverted, pairs)[()]


def found(suggestions: Ids, required: Ids) -> tuple[Ints, int, int]:
    """The ranks of the required premises among the suggestions, and the numbers of suggestions and of required premises."""
    made = id_list("suggestions", suggestions)
    wanted = set(id_list("required", required, ordered=False))
    require_one_kind("suggestions", [made], "required", [wanted])
    ranks = [rank for rank, item in enumerate(made, 1) if item in wanted]
    return np.array(ranks, dtype=np.int64), len(made), len(wanted)
