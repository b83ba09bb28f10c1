"""Many metrics at once, by the names that ir_measures and the tables of papers use."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from difflib import get_close_matches
from inspect import signature
from typing import Any

from ._checks import refuse
from ._types import Number, Numbers, Values, Whole
from .areas import (
    average_precision,
    average_precision_at,
    eleven_point_average_precision,
    interpolated_average_precision,
    trapezoidal_area,
)
from .curve import interpolated_precision, precision_at_recall, rank_at_recall
from .cutoff import f_score_at, hits_at, normalized_recall_at, precision_at, r_precision, recall_at, success_at
from .gain import dcg, expected_reciprocal_rank, ndcg, rank_biased_precision
from .hits import Relevance, as_hits
from .order import auc, bpref, full_recall, inversions, mean_rank, reciprocal_rank


def evaluate(
    relevance: Relevance, measures: str | Iterable[str], *,
    n_relevant: Numbers | None = None,
) -> dict[str, Values]:
    """Every measure of every ranking, by name.

    relevance: (..., n) grades in rank order, or `Hits`;
    measures: names with blanks between, or a list of names,
    in the syntax of ir_measures: a cutoff after @, parameters
    in parentheses, such as P@5 or RBP(p=0.8);
    n_relevant: |A|, broadcast to (...,), default the relevant
    items in the ranking.
    Returns name -> (...,), each as the metric gives it, nan
    where it is undefined.
    Raises ValueError for bad grades or n_relevant, and for
    a measure that is unknown, twice there, or lacks something.
    Source: the names of MacAvaney, Macdonald and Ounis (2022),
    ir_measures.

    >>> values = evaluate([[0, 1], [1, 0]], "RR P@1")
    >>> {name: each.tolist() for name, each in values.items()}
    {'RR': [0.5, 1.0], 'P@1': [0.0, 1.0]}
    """
    hits = as_hits(relevance)
    hits.relevant(n_relevant)
    values = {}
    for name in names_of(measures):
        metric, options = understood(name)
        if "n_relevant" in signature(metric).parameters:
            options["n_relevant"] = n_relevant
        try:
            values[name] = metric(hits, **options)
        except ValueError as error:
            given = f"measures: got {name!r}"
            raise ValueError(f"{given}, but {error}") from None
    return values


def reciprocal_rank_at(relevance: Relevance, k: Whole) -> Values:
    """1 over the rank of the first relevant item of the top k, or 0."""
    return reciprocal_rank(as_hits(relevance).top(k))


def rank_biased_precision_at(relevance: Relevance, k: Whole, persistence: Number) -> Values:
    """RBP of a reader who is shown k items."""
    return rank_biased_precision(as_hits(relevance).top(k), persistence)


def expected_reciprocal_rank_at(relevance: Relevance, k: Whole, max_grade: Number) -> Values:
    """ERR of a reader who is shown k items."""
    return expected_reciprocal_rank(as_hits(relevance).top(k), max_grade)


OF_THE_RANKING: dict[str, Callable[..., Values]] = {
    "AP": average_precision,
    "AUC": auc,
    "Bpref": bpref,
    "DCG": dcg,
    "ElevenPointAP": eleven_point_average_precision,
    "ERR": expected_reciprocal_rank,
    "FullRecall": full_recall,
    "InterpolatedAP": interpolated_average_precision,
    "Inversions": inversions,
    "MeanRank": mean_rank,
    "nDCG": ndcg,
    "RBP": rank_biased_precision,
    "RR": reciprocal_rank,
    "Rprec": r_precision,
    "TrapezoidalArea": trapezoidal_area,
}
AT_A_CUTOFF: dict[str, Callable[..., Values]] = {
    "AP": average_precision_at,
    "DCG": dcg,
    "ERR": expected_reciprocal_rank_at,
    "F": f_score_at,
    "Hits": hits_at,
    "IPrec": interpolated_precision,
    "nDCG": ndcg,
    "NormalizedRecall": normalized_recall_at,
    "P": precision_at,
    "PrecisionAtRecall": precision_at_recall,
    "R": recall_at,
    "RankAtRecall": rank_at_recall,
    "RBP": rank_biased_precision_at,
    "RR": reciprocal_rank_at,
    "Success": success_at,
}
KNOWN = sorted({*OF_THE_RANKING, *AT_A_CUTOFF}, key=str.lower)
SHORT = {"p": "persistence"}  # as ir_measures calls it
NOT_A_WORD = {"relevance", "n_relevant", "k", "level", "ideal", "judged", "n_irrelevant"}
NAME = re.compile(r"(?P<name>\w+)(?:\((?P<before>[^()]*)\))?(?:@(?P<cutoff>[^()@]+))?(?:\((?P<after>[^()]*)\))?")


def names_of(measures: Any) -> list[str]:
    """The names, each once; blanks within parentheses do not end a name."""
    listed = re.split(r"\s+(?![^(]*\))", measures.strip()) if isinstance(measures, str) else measures
    if not isinstance(listed, Iterable) or not (listed := list(listed)) or listed == [""]:
        refuse("measures", repr(measures), "names such as 'AP P@5 nDCG@10'")
    for place, name in enumerate(listed):
        if not isinstance(name, str):
            refuse("measures", repr(name), "the name of a measure, such as 'nDCG@10'")
        if name in listed[:place]:
            refuse("measures", f"{name!r} twice", "each measure once")
    return listed


def understood(written: str) -> tuple[Callable[..., Values], dict[str, Any]]:
    """The metric that a name means, and what it is called with besides the ranking."""
    parts = NAME.fullmatch(written)
    if not parts:
        refuse("measures", repr(written), "a name such as 'P@5', 'nDCG@10' or 'RBP(p=0.8)'")
    name, cutoff = parts["name"], parts["cutoff"]
    if name not in KNOWN:
        nearest = " or ".join(get_close_matches(name, KNOWN)) or "which"
        refuse("measures", repr(written), f"one of {', '.join(KNOWN)} ({nearest}?)")
    metrics = OF_THE_RANKING if cutoff is None else AT_A_CUTOFF
    if name not in metrics:
        without = f"a cutoff, such as '{name}@10'" if cutoff is None else f"{name!r} without a cutoff"
        refuse("measures", repr(written), without)
    parameters = signature(metrics[name]).parameters
    options = given_options(written, parts, set(parameters) - NOT_A_WORD)
    if cutoff is not None:
        options["level" if "level" in parameters else "k"] = value_of(cutoff)
    for parameter in parameters.values():
        if parameter.default is parameter.empty and parameter.name not in {"relevance", *options}:
            refuse("measures", f"{written!r} without {parameter.name}", f"'{written}({parameter.name}=...)'")
    return metrics[name], options


def given_options(written: str, parts: re.Match[str], allowed: set[str]) -> dict[str, Any]:
    """The parameters of a name, by the names that the metric has for them."""
    options: dict[str, Any] = {}
    for given in ",".join(filter(None, (parts["before"], parts["after"]))).split(","):
        key, equals, text = (part.strip() for part in given.partition("="))
        parameter = SHORT.get(key, key)
        if not key and not equals:
            continue
        if parameter not in allowed:
            expected = " or ".join(sorted(allowed)) or "no parameter"
            refuse("measures", f"{key!r} in {written!r}", expected)
        if not text or parameter in options:
            refuse("measures", repr(written), f"one value for {key!r}")
        options[parameter] = value_of(text)
    return options


def value_of(text: str) -> int | float | str:
    """A whole number, another number, or the word."""
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text.strip("'\"")
