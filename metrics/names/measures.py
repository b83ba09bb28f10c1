"""Many metrics at once, by the names that ir_measures and the tables of papers use."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Mapping
from difflib import get_close_matches
from functools import partial
from typing import Any, overload

import numpy as np

from .._base.checks import MASKED, as_array, axes, masked_within, refuse, refuse_odd, require_same_labels, told
from .._base.keyed import Missing
from .._base.lookup import numbering
from .._base.records import AFTER_AT, Record
from .._base.types import Array, Grades, Ids, Number, Numbers, Undefined, Values
from ..hits import Hits, Relevance, TiedHits, as_hits
from ..inputs.by_query import Pairing, RankedIn, hits_of_runs, pairing
from ..ties import MEAN_OF
from ..topics.results import Evaluation, Results, added, labels_for
from . import trec_names
from .also_called import WHICH, asked_for, meant
from .sheet import RECORDS

__all__ = ["evaluate"]


@overload
def evaluate(
    relevance: Mapping[Any, Relevance], measures: str | Iterable[str], *, n_relevant: Numbers | None = None,
    relevance_level: Number | None = None, groups: None = None, topics: Any = None, undefined: Undefined | None = None,
) -> Results: ...  # fmt: skip
@overload
def evaluate(
    relevance: Mapping[Any, Mapping[Any, RankedIn]], measures: str | Iterable[str], *, qrels: Mapping[Any, Ids | Grades],
    relevance_level: Number | None = None, undefined: Undefined | None = None,
    missing: Missing = "raise", passages: str | None = None, judged_only: bool = False,
) -> Results: ...  # fmt: skip
@overload
def evaluate(
    relevance: Mapping[Any, RankedIn], measures: str | Iterable[str], *, qrels: Mapping[Any, Ids | Grades],
    relevance_level: Number | None = None, undefined: Undefined | None = None,
    missing: Missing = "raise", passages: str | None = None, judged_only: bool = False,
) -> Evaluation: ...  # fmt: skip
@overload
def evaluate(
    relevance: Relevance, measures: str | Iterable[str], *, n_relevant: Numbers | None = None,
    relevance_level: Number | None = None, groups: None = None, topics: Any = None, undefined: Undefined | None = None,
) -> Evaluation: ...  # fmt: skip
@overload
def evaluate(
    relevance: Relevance, measures: str | Iterable[str], *, n_relevant: Numbers | None = None,
    relevance_level: Number | None = None, groups: Iterable[Hashable], topics: Any = None, undefined: Undefined | None = None,
) -> dict[Any, Evaluation]: ...  # fmt: skip
@partial(told, call="evaluate(relevance, measures), or evaluate(runs, measures, qrels=qrels) of dictionaries by query")
def evaluate(
    relevance: Any, measures: str | Iterable[str], *,
    n_relevant: Numbers | None = None,
    relevance_level: Number | None = None,
    groups: Any = None,
    topics: Any = None, undefined: Undefined | None = None,
    qrels: Any = None, missing: Missing = "raise",
    passages: str | None = None, judged_only: bool = False,
) -> Any:
    """The value of every measure for every ranking, by name.

    relevance: (..., n) grades in rank order, or `Hits`; or a
    mapping of either by the names of several systems. With
    qrels, runs as nested dictionaries: query -> document ->
    score, query -> documents in rank order, or system ->
    either; equal scores are ordered as in trec_eval;
    measures: names with blanks between, or a list of names,
    in the syntax of ir_measures: a cutoff after @, or several
    with commas, parameters in parentheses, such as P@5,10,
    RBP(p=0.8), or AP(rel=2) for a relevance level of its own;
    n_relevant: |A|, broadcast to (...,), default: what the
    rankings know, or the relevant items in them;
    relevance_level: the lowest grade that counts as relevant,
    one number > 0, default: every grade above 0; DCG, nDCG, ERR
    and other measures of gain see all grades at any level;
    groups: (...,) a label for each ranking, not a tuple;
    topics: (Q,) an id for each of the rankings of one axis,
    default: those that the `Hits` know;
    undefined: what 0/0 counts as in means and comparisons: "skip",
    a number, or "raise", which is the default;
    qrels: query -> document -> grade, or query -> relevant
    documents, paired with runs by query;
    missing: what becomes of a query that one side lacks:
    "raise"; "skip", it is left out; or "empty", nothing was
    ranked, or is relevant, there;
    passages: a mark such as "#"; the part of an id before it
    is the document, and its best passage counts;
    judged_only: whether documents without a judgement, or with
    a negative grade, are taken out of the rankings.
    Returns an `Evaluation`, which is name -> (...,), each as
    the metric gives it, nan where it is undefined, and a table
    for the eye; for several systems `Results`, which is system
    -> `Evaluation`; with groups, label -> `Evaluation`.
    Raises ValueError for bad grades, n_relevant, levels or
    groups, for a query that one side lacks, for a measure that is unknown, named twice, or lacks
    something, and for an n_relevant beside a measure that
    counts at another level.
    Source: the names of MacAvaney, Macdonald and Ounis (2022),
    ir_measures.

    >>> values = evaluate([[0, 1], [1, 0]], "RR P@1")
    >>> {name: each.tolist() for name, each in values.items()}
    {'RR': [0.5, 1.0], 'P@1': [0.0, 1.0]}
    >>> both = evaluate([[0, 1], [1, 0]], "RR", groups=["new", "old"])
    >>> {label: each["RR"].tolist() for label, each in both.items()}
    {'new': [0.5], 'old': [1.0]}
    >>> found = evaluate(
    ...     {"q1": {"a": 0.5, "b": 0.9}, "q2": {"c": 1.5}}, "RR",
    ...     qrels={"q1": {"a": 1, "b": 0}, "q2": {"d": 2}})
    >>> found.by_query()
    {'q1': {'RR': 0.5}, 'q2': {'RR': 0.0}}
    """
    how = pairing(missing, passages, judged_only)
    if qrels is not None:
        beside = {"n_relevant": n_relevant, "groups": groups, "topics": topics}
        for name in (name for name, given in beside.items() if given is not None):
            refuse(name, "a value beside qrels", "none, because qrels determine it")
        return of_runs(relevance, qrels, how, measures, {"relevance_level": relevance_level, "undefined": undefined})
    if how != Pairing():
        refuse("qrels", "none", "query -> document -> grade, to go with missing, passages or judged_only")
    if isinstance(relevance, Mapping):
        options = {"n_relevant": n_relevant, "relevance_level": relevance_level, "groups": groups, "topics": topics, "undefined": undefined}
        return of_systems(relevance, measures, options)
    require_same_labels(
        relevance=relevance, n_relevant=n_relevant, groups=groups,
        topics=topics,
    )
    hits = as_hits(relevance)
    ids = hits.query_ids if topics is None else labels_for(topics, hits.shape)
    levels = Levels(hits, relevance_level, n_relevant)
    values = {name: levels.value(name) for name in of_this_package(names_of(measures))}
    found = evaluation(values, ids, undefined=undefined, level=relevance_level)
    if groups is None:
        return found
    return {label: select_rows(found, kept) for label, kept in members(groups, hits).items()}


def evaluation(values: Mapping[str, Any], ids: Iterable[Any] | None, **known: Any) -> Evaluation:
    """The values of this package's measures as an `Evaluation`; counts are added up, and the measures for which lower is better are known."""
    summaries = {name: added for name in values if name.startswith("Num")}
    lower = [name for name in values if NAME.match(name)["name"] in LOWER_IS_BETTER]  # type: ignore[index]
    return Evaluation(values, ids, summaries=summaries, no_mean=summaries, lower=lower, **known)


def select_rows(found: Evaluation, kept: Array) -> Evaluation:
    """The evaluation of only some of the rankings."""
    ids = [topic for topic, its in zip(found.queries, kept) if its] if found.named else None
    values = {name: np.asarray(of)[kept] for name, of in found.items()}
    return evaluation(values, ids, undefined=found.undefined, level=found.level)


def of_runs(runs: Any, qrels: Any, how: Pairing, measures: Any, options: dict[str, Any]) -> Evaluation | Results:
    """The values of every measure for one run by query, or for several runs; the evaluations record which queries one side lacks."""
    hits = hits_of_runs("relevance", runs, qrels, how)
    found: Any = evaluate(hits, measures, **options)
    for its, run in [(found, runs)] if isinstance(hits, Hits) else [(found[name], runs[name]) for name in found]:
        its.missing, its.unjudged = (tuple(key for key in one if key not in other) for one, other in ((qrels, run), (run, qrels)))
    return found


def of_systems(systems: Mapping[Any, Any], measures: Any, options: dict[str, Any]) -> Results:
    """The values of every measure for every system."""
    if not systems or options["groups"] is not None:
        refuse("relevance", f"{len(systems)} systems" + " with groups" * bool(systems), "a mapping of names to rankings, and no groups")
    names, made = names_of(measures), Results()
    first = next(iter(systems))
    for name, its in systems.items():
        if isinstance(its, Mapping):
            expected = "grades in rank order, or Hits; for runs by query, qrels=... says what is relevant"
            refuse(f"relevance[{name!r}]", f"a {type(its).__name__}", expected)
        try:
            made[name] = evaluate(its, names, **options)
        except ValueError as error:
            raise ValueError(f"relevance[{name!r}]: {error}") from None
        made[name].name = str(name)
        if not made[name].named and made[first].is_table() and len(made[name].topics) != len(made[first].topics):
            given, expected = f"{len(made[name].topics)} rankings", f"as many as relevance[{first!r}] has, {len(made[first].topics)}"
            refuse(f"relevance[{name!r}]", given, f"{expected}; or Hits that know the ids of their queries")
    return made


class Levels:
    """The hits at each relevance level that measures ask for; those of a level are made only once."""

    def __init__(self, hits: Hits, level: Number | None, n_relevant: Numbers | None) -> None:
        usual = hits if level is None else hits.at_level(level)
        usual.relevant(n_relevant)
        self.n_relevant, self.usual = n_relevant, None if level is None else np.asarray(level)[()]
        self.by_level: dict[Any, Hits] = {None: hits, self.usual: usual}

    def value(self, name: str) -> Values:
        """The value of the measure with this name for each ranking."""
        record, options = measure_named(name)
        metric = record.function
        if isinstance(self.by_level[None], TiedHits):
            metric = MEAN_OF.get(metric, metric)
        level: Any = options.pop("rel", self.usual)
        level = None if record.grades else level
        if self.n_relevant is not None and level != self.usual:
            at_level = f"a number at relevance level {self.usual or 'above 0'}"
            refuse("n_relevant", at_level, f"none beside {name!r}, which has another level")
        if "n_relevant" in record.parameters:
            options["n_relevant"] = self.n_relevant
        try:
            if level not in self.by_level:
                self.by_level[level] = self.by_level[None].at_level(level)
            hits = self.by_level[level]
            return metric(hits.top(options.pop("k")) if record.at_k and "k" in options else hits, **options)
        except ValueError as error:
            raise ValueError(f"measures: got {name!r}, but {error}") from None


def members(groups: Any, hits: Hits) -> dict[Any, Array]:
    """The mapping of each label to an array (...,) that says which rankings have this label, in the order in which the labels first appear."""
    if masked_within(groups):
        refuse("groups", MASKED, "a label for each ranking")
    labels = np.array(as_array("groups", groups), dtype=object)
    if labels.shape != hits.shape or not hits.shape:
        refuse("groups", f"shape {labels.shape}", f"a label for each of the rankings, of shape {hits.shape}")
    refuse_odd("groups", list(labels.flat), "a label for each ranking that can be looked up, such as text or a whole number")
    number = numbering(())
    numbers = np.array([number[label] for label in labels.flat], dtype=np.int64).reshape(labels.shape)
    return {label: numbers == its for label, its in number.items()}


MEASURES = [its for its in RECORDS.values() if its.of_a_ranking and its.measure]
OF_THE_RANKING = {its.base: its for its in MEASURES if its.whole}
AT_A_CUTOFF = {its.base: its for its in MEASURES if its.after_at or its.at_k}
KNOWN = sorted({*OF_THE_RANKING, *AT_A_CUTOFF}, key=str.lower)
LOWER_IS_BETTER = {its.base for its in MEASURES if its.lower}
SHORT = {"p": "persistence"}  # as ir_measures calls it
NOT_A_WORD = {"relevance", "n_relevant", "ideal", "judged", "n_irrelevant", *AFTER_AT}
SEVERAL = re.compile(r"([^@]*@)([^@()]*,[^@()]*)(\(.*\))?")
NAME = re.compile(r"(?P<name>\w+)(?:\((?P<before>[^()]*)\))?(?:@(?P<cutoff>[^()@]+))?(?:\((?P<after>[^()]*)\))?")


def names_of(measures: Any) -> list[str]:
    """The names, each of which may occur only once; blanks within parentheses do not end a name, and P@5,10 means P@5 and P@10."""
    listed = re.split(r"\s+(?![^(]*\))", measures.strip()) if isinstance(measures, str) else measures
    blank = isinstance(measures, str) and not measures.strip()
    if blank or not isinstance(listed, Iterable) or axes(listed) != 1 or not (listed := list(listed)):
        refuse("measures", repr(measures), "names such as 'AP P@5 nDCG@10'")
    asked = [one for name in listed for one in one_a_cutoff(name)]
    listed = list(map(as_here, asked))
    for place, name in enumerate(listed):
        if not isinstance(name, str):
            refuse("measures", repr(name), "the name of a measure, such as 'nDCG@10'")
        if name in listed[:place]:
            spellings = dict.fromkeys((asked[listed.index(name)], asked[place]))
            refuse("measures", f"{name!r} twice" + f", as {' and as '.join(map(repr, spellings))}" * (len(spellings) > 1), "each measure once")
    return listed


def one_a_cutoff(name: Any) -> list[Any]:
    """The name repeated for each of its cutoffs, with one cutoff each time."""
    several = isinstance(name, str) and SEVERAL.fullmatch(name)
    if not several:
        return [name]
    before, cutoffs, after = several.groups(default="")
    if not all(cutoff.strip() for cutoff in cutoffs.split(",")):
        refuse("measures", repr(name), "a cutoff on each side of a comma")
    return [before + cutoff.strip() + after for cutoff in cutoffs.split(",")]


def as_here(name: Any) -> Any:
    """The book's own form of a name, if it can mean only one thing, as Recall@5 does; what trec_eval prints under a name may differ."""
    parts = NAME.fullmatch(name) if isinstance(name, str) and not trec_names.is_name(name) else None
    if not parts or parts["name"] in KNOWN or not (parts["cutoff"] or "1").strip().isdigit():
        return name
    before, after = (f"({its})" if its else "" for its in (parts["before"], parts["after"]))
    asked = parts["name"] + f"@{parts['cutoff']}" * bool(parts["cutoff"])
    chosen = "denominator" in before + after and "denominator" in (asked_for(asked) or "")
    here = f"AP@{parts['cutoff']}" if chosen else meant(asked)
    metric, at, cutoff = (here or name).partition("@")
    return metric + before + at + cutoff + after if here else name


def is_name(written: str) -> bool:
    """Whether the book has a measure with this name, even if its parameters or cutoff are wrong."""
    parts = NAME.fullmatch(written)
    return parts is not None and parts["name"] in KNOWN


def of_this_package(names: list[str]) -> list[str]:
    """The names as they were given; if several are other libraries' names for measures of this package, one error says what each is called here."""
    instead = {name: asked_for(name) for name in names if not is_name(name)}
    known = {name: here for name, here in instead.items() if here}
    if len(known) > 1:
        refuse("measures", ", ".join(map(repr, known)), f"{', '.join(known.values())}, as they are called here")
    return names


def measure_named(written: str) -> tuple[Record, dict[str, Any]]:
    """The metric that a name means, and its arguments besides the ranking."""
    parts = NAME.fullmatch(written)
    if not (parts and parts["name"] in KNOWN) and (instead := asked_for(written)):
        refuse("measures", repr(written), f"{instead}, as it is called here" + f", {WHICH}" * ("denominator" in instead))
    if not parts:
        refuse("measures", repr(written), "a name such as 'P@5', 'nDCG@10' or 'RBP(p=0.8)'")
    name, cutoff = parts["name"], parts["cutoff"]
    if name not in KNOWN:
        lower = {known.lower(): known for known in KNOWN}
        nearest = asked_for(written, misspelt=True) or " or ".join(lower[close] for close in get_close_matches(name.lower(), lower)) or "which"
        refuse("measures", repr(written), f"one of {', '.join(KNOWN)} ({nearest}?)")
    measures = OF_THE_RANKING if cutoff is None else AT_A_CUTOFF
    if name not in measures:
        such_as = "0.5" if name in AT_A_CUTOFF and AT_A_CUTOFF[name].after_at == "level" else "10"
        needs = ", ".join(f"{need}=..." for need in RECORDS[name].needs) if cutoff is not None else ""
        without = f"a cutoff, such as '{name}@{such_as}'" if cutoff is None else f"'{name}{f'({needs})' if needs else ''}' without a cutoff"
        refuse("measures", repr(written), without)
    record = measures[name]
    allowed = set(record.parameters) - NOT_A_WORD | {"rel"}
    if record.grades or name == "Judged":
        allowed -= {"rel"}
    options = dict(record.default) | given_options(written, parts, allowed)
    if cutoff is not None:
        options[record.after_at or "k"] = as_value(cutoff)
    if name == "NumRet" and "rel" in options:
        return RECORDS["NumRelRet"], options  # ir_measures has one name for both
    for name in record.needs:
        if name not in options:
            refuse("measures", f"{written!r} without {name}", f"'{written}({name}=...)'" + f" {WHICH}" * (name == "denominator"))
    return record, options


def given_options(written: str, parts: re.Match[str], allowed: set[str]) -> dict[str, Any]:
    """The parameters in a name, under the metric's own parameter names."""
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
        options[parameter] = as_value(text)
    return options


def as_value(text: str) -> int | float | str:
    """The value as a whole number, as another number, or as a word."""
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text.strip("'\"")
