"""The results of an evaluation: systems, measures and topics in one object that knows what each number belongs to (long: it answers all questions)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from math import isfinite
from os import PathLike
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np

from .._base.checks import choice, collection, id_list, is_label, number, refuse
from .._base.columns import Column
from .._base.text import in_a_cell
from .._base.types import Floats, Number, Test, Undefined, Whole
from .means import defined, mean, stand_in
from .tables import Cells, as_csv, as_html, as_json, as_latex, as_markdown, as_text

Path: TypeAlias = str | PathLike[str] | None

if TYPE_CHECKING:  # the tests are loaded when they are asked for
    from .significance import Comparison, Leaderboard


def added(values: Floats) -> float:
    """The sum of counts, which is the single number for all topics."""
    return float(values.sum())


def require_all_defined(name: str, topics: Iterable[Any], values: Any, rule: Undefined) -> None:
    """Refuse undefined values if the rule makes them an error; the error names the first topic that has one."""
    if isinstance(rule, str) and rule == "raise":
        for place in np.flatnonzero(np.isnan(np.asarray(values, dtype=float)))[:1]:
            refuse(name, f"0/0 for topic {list(topics)[place]!r}", 'a value for each topic; or undefined="skip", or a number that stands in')


class Interval(NamedTuple):
    """A mean over topics with its bootstrap interval; `str` formats it for a paper.

    n: the number of topics; skipped: the number of topics left out as undefined.
    """

    mean: float
    low: float
    high: float
    confidence: float
    n: int
    skipped: int

    def __str__(self) -> str:
        from .significance.sentences import with_decimals_for

        show = with_decimals_for(self.high - self.low)
        return f"{show(self.mean)} ({100 * self.confidence:g}% bootstrap interval {show(self.low)} to {show(self.high)})"


class Evaluation(dict[str, Column]):
    """The values of one system: measure -> one value for each topic in `queries`; printed as a table.

    queries: the ids of the topics, () if none are known; topics: these, or else positions.
    missing: judged topics that the system did not answer; unjudged: topics that it answered and nobody
    judged, so that they were not evaluated. name: the name of the system, or "".
    undefined: what 0/0 counts as in a mean, None if it must be said; level: the lowest grade that is
    relevant, None for any above 0. lower: the measures for which lower is better. summaries: measure -> the
    number for all topics, if that is not the mean by the rule; no_mean: the measures for which it is no mean at all.
    remarks: sentences on oddities in the files.
    """

    remarks: tuple[str, ...] = ()

    def __init__(
        self, values: Mapping[str, Any], queries: Iterable[Any] | None = None, *,
        name: str = "", undefined: Undefined | None = None, level: Number | None = None, lower: Iterable[str] = (),
        summaries: Mapping[str, Callable[[Any], float]] | None = None, no_mean: Iterable[str] = (),
        missing: Iterable[Any] = (), unjudged: Iterable[Any] = (),
    ) -> None:
        self.named, self.queries = queries is not None, tuple(queries or ())
        super().__init__({of: Column(each, self.queries) if self.named else each for of, each in values.items()})
        self.name, self.level, self.lower = name, level, frozenset(lower)
        self.undefined = None if undefined is None else stand_in(undefined)
        self.summaries, self.no_mean = dict(summaries or {}), frozenset(no_mean)
        self.missing, self.unjudged = tuple(missing), tuple(unjudged)

    def __repr__(self) -> str:
        return repr(self.alone()) if self.is_table() else dict.__repr__(self)

    def _repr_html_(self) -> str | None:
        return self.alone()._repr_html_() if self.is_table() else None

    def is_table(self) -> bool:
        """Whether there is one value for each of several topics."""
        return bool(self) and all(np.ndim(each) == 1 for each in self.values())

    def alone(self) -> Results:
        """The `Results` of this system alone."""
        return Results({self.name or "mean": self})

    @property
    def topics(self) -> tuple[Any, ...]:
        """The ids of the topics, or their positions if no ids are known."""
        if not self.is_table():
            refuse("results", "values of one ranking, or of several axes", "one value for each of several topics")
        return self.queries if self.named else tuple(range(len(next(iter(self.values())))))

    def by_query(self) -> dict[Any, dict[str, float]]:
        """The mapping topic -> measure -> value; raises ValueError if values were replaced by others, or sorted."""
        queries = self.topics
        for name, values in self.items():
            topics = getattr(values, "topics", queries) if self.named else queries
            if topics != queries or len(values) != len(queries):
                given = "values that were moved" if topics is None else f"values of other topics, such as {topics[:1]}"
                refuse(name, given, "one value for each topic in queries, in this order; np.sort and copies leave values in place")
        rows = zip(*(np.asarray(values).tolist() for values in self.values()))
        return {topic: dict(zip(self, row)) for topic, row in zip(queries, rows)}

    def topic(self, topic: Any) -> dict[str, float]:
        """The mapping measure -> value for one topic."""
        its = self.by_query()
        return require_known("topic", topic, its, f"one of the {len(its)}, such as {next(iter(its), None)!r}")

    def mean(self, *, undefined: Undefined | None = None) -> dict[str, float]:
        """The mean of each measure; counts are added up, and measures with trec_eval's names are summarised as trec_eval does.

        undefined: "raise", "skip", or a number that stands in, as in `metrics.mean`; default: the rule that was given before.
        """
        return {name: self.total(name, undefined) for name in self}

    def total(self, measure: str, undefined: Undefined | None = None) -> float:
        """The single number of a measure for all topics together."""
        if measure in self.summaries:
            return float(self.summaries[measure](self[measure]))
        return float(mean(self[measure], undefined=self.rule_for(measure, undefined)))

    def rule_for(self, measure: str, undefined: Undefined | None) -> Undefined:
        """The rule for 0/0 in a measure; if 0/0 is an error by this rule, the error names the first topic with an undefined value."""
        rule = self.rule(undefined)
        if self.is_table():
            require_all_defined(measure, self.topics, self[measure], rule)
        return rule

    def rule(self, undefined: Undefined | None) -> Undefined:
        """The rule for 0/0: as given here, or as given before; otherwise 0/0 is an error."""
        said = self.undefined if undefined is None else undefined
        return "raise" if said is None else stand_in(said)

    def interval(self, measure: str, *, undefined: Undefined | None = None, confidence: Number = 0.95, resamples: Whole = 10_000, seed: Whole = 0) -> Interval:
        """The mean of a measure with its percentile bootstrap interval.

        undefined, confidence, resamples, seed: as in `metrics.leaderboard`.
        Raises ValueError for a measure whose value for all topics is not a mean, and for fewer than two topics.
        """
        require_known("measure", measure, self, f"one of {', '.join(self)}")
        if measure in self.no_mean:
            refuse("measure", f"{measure!r}, whose value for all topics is not a mean", "a measure that is averaged")
        from .significance.resampling import by_group, checked_settings, intervals

        values = defined(measure, self[measure], self.rule_for(measure, undefined))
        if values.size < 2 or not np.isfinite(values).all():
            refuse(measure, f"{values.size} values" if values.size < 2 else "inf", "finite values of two topics or more")
        level, draws, start = checked_settings(confidence, resamples, seed)
        [[low, high]] = intervals(*by_group(values[None], None), level, draws, start)
        return Interval(float(values.mean()), float(low), float(high), float(confidence), values.size, len(self[measure]) - values.size)

    def to_frame(self, library: str = "pandas") -> Any:
        """A pandas or Polars data frame: a row for each topic, a column for each measure; needs narwhals."""
        return self.alone().to_frame(library, of_systems=False)

    def to_markdown(self, path: Path = None) -> str:
        """The means as a Markdown table; the table is also written to a file if a path is given."""
        return self.alone().to_markdown(path)

    def to_latex(self, path: Path = None) -> str:
        """The means as a LaTeX table with booktabs rules; the table is also written to a file if a path is given."""
        return self.alone().to_latex(path)

    def to_csv(self, path: Path = None) -> str:
        """Every value as CSV, one line per topic, safe for a spreadsheet; the text is also written to a file if a path is given."""
        rows = ([topic, *its.values()] for topic, its in self.by_query().items())
        return written(as_csv(["topic", *self], rows), path)

    def to_json(self, path: Path = None) -> str:
        """Every value as JSON, topic -> measure -> value (null if undefined or infinite); the text is also written to a file if a path is given."""
        return written(as_json(self.by_query()), path)


class Results(dict[str, Evaluation]):
    """The values of several systems: name -> `Evaluation`; `repr` is a table of means.

    Every method takes the rule for 0/0 from the systems, unless its call gives one.

    >>> import metrics
    >>> found = metrics.evaluate({"old": [[0, 1], [0, 1], [1, 0]], "new": [[1, 0], [1, 0], [1, 0]]}, "AP P@1", undefined=0)
    >>> found
    system     AP    P@1
    old     0.667  0.333
    new     1.000  1.000
    Means over 3 topics; 0/0 counts as 0.
    >>> found.compare("new", "old", "AP", test="randomisation").p
    0.5
    """

    def __repr__(self) -> str:
        return f"{as_text(self.cells())}\n{self.note()}" if self.is_table() else dict.__repr__(self)

    def _repr_html_(self) -> str | None:
        return as_html(self.cells(), self.note()) if self.is_table() else None

    def is_table(self) -> bool:
        """Whether each system has one value for each of several topics."""
        return bool(self) and all(its.is_table() for its in self.values())

    @property
    def measures(self) -> list[str]:
        """All measures of the systems, in the order in which they first occur."""
        return list(dict.fromkeys(name for its in self.values() for name in its))

    def rule(self, undefined: Undefined | None) -> Undefined:
        """The rule for 0/0: as given here, or as given before for all systems; otherwise 0/0 is an error."""
        rules = {its.rule(undefined) for its in self.values()}
        return rules.pop() if len(rules) == 1 else "raise"

    def of(self, measure: str, missing: Undefined = "raise", only: Iterable[str] = ()) -> dict[str, dict[Any, float]]:
        """The mapping system -> topic -> value, with the same topics for all systems; missing: as in `compare`."""
        chosen = {name: self.system(name) for name in collection("only", only) or self}
        without = [name for name, its in chosen.items() if not its.named]
        if without and len(without) < len(chosen):
            other = next(name for name in chosen if name not in without)
            refuse(without[0], "values of topics without ids", f"ids, as {other} has them, such as topics=[...] gives")
        columns: dict[str, dict[Any, float]] = {}
        for name, its in chosen.items():
            values = require_known("measure", measure, its, f"one of {', '.join(its)}")
            columns[name] = dict(zip(its.topics, np.asarray(values).tolist()))
        topics = dict.fromkeys(topic for column in columns.values() for topic in column)
        for name, column in columns.items():
            lacking = [topic for topic in topics if topic not in column]
            if lacking and isinstance(missing, str) and missing == "raise":
                few = ", ".join(repr(topic) for topic in lacking[:3]) + ", ..." * (len(lacking) > 3)
                given = f"no value for {len(lacking)} topic{'s' * (len(lacking) != 1)} ({few})"
                refuse(name, given, 'the topics of the others; or missing="skip", or a number that stands in')
        if isinstance(missing, str):
            choice("missing", missing, ("raise", "skip"))
            topics = {topic: None for topic in topics if all(topic in column for column in columns.values())}
        counted = 0.0 if isinstance(missing, str) else float(number("missing", missing, 'that stands in, or "raise", or "skip"', isfinite))
        return {name: {topic: column.get(topic, counted) for topic in topics} for name, column in columns.items()}

    def paired(
        self, measure: str, undefined: Undefined | None, missing: Undefined, only: Iterable[str] = ()
    ) -> tuple[Undefined, dict[str, dict[Any, float]]]:
        """The rule for 0/0, and the values as in `of`; if 0/0 is an error by this rule, the error names the first topic with an undefined value."""
        rule, columns = self.rule(undefined), self.of(measure, missing, only)
        for name, column in columns.items():
            require_all_defined(f"{measure} of {name}", column, list(column.values()), rule)
        return rule, columns

    def system(self, name: str) -> Evaluation:
        """The evaluation of one system."""
        return require_known("system", name, self, f"one of {', '.join(map(repr, self))}")

    def topic(self, topic: Any) -> dict[str, dict[str, float]]:
        """The mapping system -> measure -> value for one topic."""
        return {name: its.topic(topic) for name, its in self.items()}

    def mean(self, *, undefined: Undefined | None = None) -> dict[str, dict[str, float]]:
        """The mapping system -> measure -> mean, as in `Evaluation.mean`."""
        return {name: its.mean(undefined=undefined) for name, its in self.items()}

    def compare(
        self, a: str, b: str, measure: str, *, test: Test = "randomisation",
        undefined: Undefined | None = None, missing: Undefined = "raise", of: str = "topics", **options: Any,
    ) -> Comparison:
        """Whether two of the systems differ in a measure by more than chance.

        a, b: their names; the values are paired by topic. missing: what a topic that one of them lacks counts as:
        "raise", "skip" (only the topics of both count), or a number. of: what the sentence calls the topics.
        All other arguments are as in `metrics.compare`.
        """
        from .significance import compare

        rule, columns = self.paired(measure, undefined, missing, (a, b))
        found = compare(columns[a], columns[b], test=test, undefined=rule, of=of, **options)
        return replace(found, names=(a, b))

    def average_seeds(self, seeds: Mapping[str, Iterable[str]], *, undefined: Undefined | None = None, missing: Undefined = "raise") -> Results:
        """The results with each value of a system averaged over its seeds, topic by topic: a comparison then counts topics, not seeds.

        seeds: system -> the names of its runs; undefined: what a topic counts as in a seed if it is 0/0 there and not in
        all seeds; missing: as in `compare`.
        Raises ValueError for a topic that a seed lacks, and for one that is 0/0 only in some seeds, with "raise".

        >>> import metrics
        >>> found = metrics.evaluate({"new-1": [[1, 0], [1, 0]], "new-2": [[0, 1], [1, 0]]}, "RR")
        >>> found.average_seeds({"new": ["new-1", "new-2"]})["new"]["RR"].tolist()
        [0.75, 1.0]
        """
        made = Results()
        for name, runs in self.grouped("seeds", seeds).items():
            values, topics, rule = {}, (), runs.rule(undefined)
            for measure in runs.measures:
                columns = runs.of(measure, missing)
                topics = tuple(next(iter(columns.values())))
                table = np.array([list(column.values()) for column in columns.values()])
                nowhere = np.isnan(table)
                in_some = nowhere.any(axis=0) & ~nowhere.all(axis=0)
                require_all_defined(f"{measure} of {name}, in some seeds", topics, np.where(in_some, np.nan, 0), rule)
                values[measure] = (table if isinstance(rule, str) else np.where(nowhere & in_some, float(rule), table)).mean(axis=0)
            made[name] = runs.as_one(name, values, topics)
        return made

    def join_folds(self, folds: Mapping[str, Iterable[str]]) -> Results:
        """The results with the folds of each system put together: the folds have different topics, so nothing is averaged.

        folds: system -> the names of its runs.
        Raises ValueError for a topic that two folds have.

        >>> import metrics
        >>> found = Results({f"fold {topic}": metrics.evaluate([[1, 0]], "RR", topics=[topic]) for topic in "ab"})
        >>> found.join_folds({"new": ["fold a", "fold b"]})["new"].by_query()
        {'a': {'RR': 1.0}, 'b': {'RR': 1.0}}
        """
        made = Results()
        for name, runs in self.grouped("folds", folds).items():
            fold_of: dict[Any, str] = {}
            for fold, its in runs.items():
                for topic in its.topics:
                    if topic in fold_of:
                        refuse(fold, f"topic {topic!r}, which {fold_of[topic]} has, too", "folds with different topics, with ids, and without complete=True")
                    fold_of[topic] = fold
            values = {measure: np.concatenate([list(runs.of(measure, only=[fold])[fold].values()) for fold in runs]) for measure in runs.measures}
            made[name] = runs.as_one(name, values, tuple(fold_of))
        return made

    def grouped(self, what: str, given: Mapping[str, Iterable[str]]) -> dict[str, Results]:
        """The mapping of each system to its distinct runs, which must all have the same relevance level."""
        if not isinstance(given, Mapping) or not given:
            refuse(what, repr(given), f"a mapping of each system to the names of its {what}")
        found = {}
        for name, runs in given.items():
            its = found[name] = Results({run: self.system(run) for run in id_list(f"{what}[{name!r}]", runs)})
            if len({run.level for run in its.values()}) != 1:
                refuse(f"{what}[{name!r}]", "several levels of relevance" if its else f"no {what}", f"{what} of one level")
        return found

    def as_one(self, name: str, values: Mapping[str, Any], topics: tuple[Any, ...]) -> Evaluation:
        """The evaluation with these values, which keeps what the evaluations that it joins have recorded."""
        first, rules, there = next(iter(self.values())), {its.undefined for its in self.values()}, set(topics)
        missing, unjudged = (
            dict.fromkeys(topic for its in self.values() for topic in getattr(its, each) if topic not in there) for each in ("missing", "unjudged")
        )
        return Evaluation(
            values, topics if first.named else None, name=str(name), undefined=rules.pop() if len(rules) == 1 else None, level=first.level,
            lower=first.lower, summaries=first.summaries, no_mean=first.no_mean,
            missing=missing, unjudged=unjudged,
        )  # fmt: skip

    def leaderboard(
        self, measure: str, *, undefined: Undefined | None = None, missing: Undefined = "raise", of: str = "topics", **options: Any
    ) -> Leaderboard:
        """All systems in the order of a measure, best first, with intervals, and with letters that show which systems certainly differ.

        missing: as in `compare`; whether lower is better is known for the measures of this package. All other arguments are as in `metrics.leaderboard`.
        """
        from .significance import leaderboard

        rule, columns = self.paired(measure, undefined, missing)
        lower = options.pop("lower_is_better", any(measure in its.lower for its in self.values()))
        return leaderboard(columns, undefined=rule, lower_is_better=lower, of=of, **options)

    def cells(self, letters: Mapping[str, Mapping[str, str]] | None = None) -> Cells:
        """The table of means as text: a row for each system and a column for each measure; for a single system, a row for each measure."""
        numbers = [[shown(its, measure) for measure in self.measures] for its in self.values()]
        raised = [[(letters or {}).get(measure, {}).get(name, "") for measure in self.measures] for name in self]
        if len(self) == 1:
            return Cells(["measure", *map(str, self)], self.measures, [[number] for number in numbers[0]], [[letters] for letters in raised[0]])
        return Cells(["system", *self.measures], list(map(str, self)), numbers, raised)

    def note(self) -> str:
        """A sentence that says what the means are over, and what 0/0 counts as."""
        counts = [len(its.topics) for its in self.values()]
        rules = {its.undefined for its in self.values()}
        [rule] = rules if len(rules) == 1 else [None]
        nowhere = any(np.isnan(np.asarray(each, dtype=float)).any() for its in self.values() for each in its.values())
        said = "0/0 is left out" if rule == "skip" else f"0/0 counts as {rule:g}" if isinstance(rule, (int, float)) else ""
        if rule == "skip":
            defined = {measure: [int((~np.isnan(its[measure])).sum()) for its in self.values() if measure in its] for measure in self.measures}
            said += "".join(f", {measure} is over {span(these)}" for measure, these in defined.items() if span(these) != span(counts))
        said = said or ("nan: 0/0 for some topic, and nobody said what it counts as (undefined=...)" if nowhere else "no value is 0/0")
        lacking = [f"{name} lacks {len(its.missing)} judged" for name, its in self.items() if its.missing]
        lacking += [f"{name} has {len(its.remarks)} remark{'s' * (len(its.remarks) > 1)}" for name, its in self.items() if its.remarks]
        return in_a_cell(f"Means over {span(counts)} topic{'s' * (set(counts) != {1})}; {'; '.join([said, *lacking])}.")

    def to_frame(self, library: Any = "pandas", *, of_systems: bool = True) -> Any:
        """A pandas or Polars data frame: a row for each system and topic, a column for each measure; needs narwhals."""
        try:
            import narwhals
        except ImportError:
            raise ImportError("to_frame needs narwhals, which is not installed: pip install narwhals") from None
        rows = [(name, topic, its) for name, each in self.items() for topic, its in each.by_query().items()]
        columns: dict[str, Any] = {"system": [name for name, _, _ in rows]} if of_systems else {}
        columns["topic"] = [topic for _, topic, _ in rows]
        columns |= {measure: [its.get(measure, float("nan")) for _, _, its in rows] for measure in self.measures}
        try:
            return narwhals.from_dict(columns, backend=library).to_native()
        except (TypeError, ValueError, LookupError) as error:
            if str(library).lower() in ("pandas", "polars"):
                refuse("topics", f"ids that {library} cannot put into a column ({error})", "ids of one kind")
            refuse("library", repr(library), "'pandas' or 'polars'")

    def to_markdown(self, path: Path = None) -> str:
        """The means as a Markdown table; the table is also written to a file if a path is given."""
        return written(as_markdown(self.cells()), path)

    def to_latex(self, path: Path = None, *, letters: bool = False, **options: Any) -> str:
        """The means as a LaTeX table with booktabs rules; the table is also written to a file if a path is given.

        letters: whether raised letters say which systems are not distinguishable, as `leaderboard` finds; all other options are passed to `leaderboard`.
        """
        raised = {}
        averaged = [measure for measure in self.measures if not any(measure in its.no_mean for its in self.values())]
        for measure in averaged if letters else ():
            board = self.leaderboard(measure, **options)
            raised[measure] = dict(zip(board.names, board.letters))
        return written(as_latex(self.cells(raised)), path)

    def to_csv(self, path: Path = None) -> str:
        """Every value as CSV, one line per system and topic, safe for a spreadsheet; the text is also written to a file if a path is given."""
        rows = [[name, topic, *(its.get(measure) for measure in self.measures)] for name, each in self.items() for topic, its in each.by_query().items()]
        return written(as_csv(["system", "topic", *self.measures], rows), path)

    def to_json(self, path: Path = None) -> str:
        """Every value as JSON, system -> topic -> measure -> value (null if undefined or infinite); the text is also written to a file if a path is given."""
        return written(as_json({name: its.by_query() for name, its in self.items()}), path)


def require_known(what: str, name: Any, among: Mapping[Any, Any], expected: str) -> Any:
    """The entry of a mapping under this name; any other name is refused."""
    if not is_label(name) or name not in among:
        refuse(what, repr(name), expected)
    return among[name]


def written(text: str, path: Path) -> str:
    """The text as it was given; it is also written to a file if a path is given."""
    if path is not None:
        if not isinstance(path, (str, PathLike)):
            refuse("path", repr(path), "the path of a file")
        with open(path, "w", encoding="utf-8", newline="\n") as file:
            file.write(text + "\n")
    return text


def shown(its: Evaluation, measure: str) -> str:
    """The number of a measure for a table: with three decimals, or without decimals for counts; nan if a value is 0/0 and no rule was given for it."""
    if measure not in its:
        return "-"
    unsaid = its.undefined in (None, "raise") and measure not in its.summaries
    value = float(np.mean(its[measure])) if unsaid and len(its[measure]) else its.total(measure)
    return f"{value:,.0f}" if measure in its.no_mean and value == round(value) else f"{value:.3f}"


def labels_for(topics: Any, shape: tuple[int, ...]) -> tuple[Any, ...]:
    """The given ids of the topics, of which there must be one for each ranking."""
    if len(shape) != 1:
        refuse("topics", repr(topics), f"none beside rankings of shape {shape}: ids are for the rows of one axis")
    ids = tuple(id_list("topics", topics))
    if len(ids) != shape[0]:
        refuse("topics", f"{len(ids)} ids", f"an id for each of the {shape[0]} rankings")
    return ids


def span(counts: list[int]) -> str:
    """The least and the greatest of the counts, as text, or just one number if they are equal."""
    return " to ".join(f"{count:,}" for count in sorted({min(counts), max(counts)}))
