"""The value of every measure for every judged topic of a run."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from functools import partial
from pathlib import PurePath
from typing import Any, Literal, TypeAlias, overload

import numpy as np

from .._base.checks import choice, flag, id_list, iterable, number, refuse, require_one_kind, whole
from .._base.types import Floats, Number, Undefined, Whole
from ..hits import Hits
from ..inputs.by_query import Pairing, as_bytes, of_documents, pairing, ranked_by_score
from ..names import measures as by_name, trec_names
from ..topics.results import Evaluation, Results
from .documents import decoded, packed, unpacked
from .files import Path, Progress
from .lines import BATCH, RUN, Lines
from .parsing import by_topic
from .ranking import JudgedRanks, Judgements, judged_ranks, lines_of_documents
from .source import Source, path_of

Grades: TypeAlias = Mapping[str, Mapping[str, float]]  # topic -> document -> grade
Scores: TypeAlias = Mapping[str, Mapping[str, float]]  # topic -> document -> score


def hits_of(parts: list[JudgedRanks]) -> Hits:
    """The hits of all topics together."""
    before = np.cumsum([0, *(len(part.topics) for part in parts)])
    columns = {name: np.concatenate([getattr(part, name) for part in parts]) for name in ("length", "rank", "grade", "pool_grade")}
    rows = {name: np.concatenate([getattr(part, name) + first for part, first in zip(parts, before)]) for name in ("row", "pool_row")}
    return Hits.from_judged(**columns, **rows)


def values_of(names: dict[str, bool], hits: Hits, level: Number, version: int) -> dict[str, Floats]:
    """The values of trec_eval's measures and of the book's measures for these topics."""
    of_book = [name for name, of_trec_eval in names.items() if not of_trec_eval]
    values = trec_names.values(names.keys() - set(of_book), hits, level, version=version)
    return values | (by_name.evaluate(hits, of_book, relevance_level=level) if of_book else {})


def in_batches(parts: Iterable[JudgedRanks]) -> Iterator[list[JudgedRanks]]:
    """The parts in batches, each with at least `BATCH` topics (the last may have fewer), to be evaluated together."""
    waiting: list[JudgedRanks] = []
    for part in parts:
        waiting.append(part)
        if sum(len(one.topics) for one in waiting) >= BATCH:
            yield waiting
            waiting = []
    if waiting:
        yield waiting


def kinds_of_names(measures: Any, version: int = 9) -> dict[str, bool]:
    """The mapping of each name to whether it means a measure of trec_eval, and not one of the book.

    A name that both have means the book's measure, unless all the names are trec_eval's and at least one of them is not the book's.
    """
    if isinstance(measures, dict):
        return measures
    asked = by_name.names_of(measures)
    of_trec_eval = [name for name in asked if trec_names.is_name(name)]
    of_book = [name for name in asked if name not in of_trec_eval or by_name.is_name(name)]
    if set(of_book) < set(of_trec_eval):
        of_book = []
    by_name.of_this_package([name for name in asked if name not in of_trec_eval])
    names: dict[str, bool] = {}
    for name in asked:
        if name in of_book:
            by_name.measure_named(name)
            names.setdefault(name, False)
        else:
            names.update((one, True) for one in trec_names.names_of(name, version=version) if one not in names)
    return names


@overload
def evaluate(
    qrels: Path | Grades, run: list[Path] | tuple[Path, ...] | Mapping[str, Path | Scores], measures: str | Iterable[str], *,
    complete: bool = False, relevance_level: Number = 1, ties: Literal["trec_eval", "file", "raise"] = "trec_eval",
    depth: Whole | None = None, version: Literal[9, 10] = 9, progress: Progress = None, undefined: Undefined | None = None,
    passages: str | None = None, judged_only: bool = False,
) -> Results: ...  # fmt: skip
@overload
def evaluate(
    qrels: Path | Grades, run: Path | Scores, measures: str | Iterable[str], *,
    complete: bool = False, relevance_level: Number = 1, ties: Literal["trec_eval", "file", "raise"] = "trec_eval",
    depth: Whole | None = None, version: Literal[9, 10] = 9, progress: Progress = None, undefined: Undefined | None = None,
    passages: str | None = None, judged_only: bool = False,
) -> Evaluation: ...  # fmt: skip
def evaluate(
    qrels: Path | Grades,
    run: Any,
    measures: str | Iterable[str], *,
    complete: bool = False,
    relevance_level: Number = 1,
    ties: Literal["trec_eval", "file", "raise"] = "trec_eval",
    depth: Whole | None = None,
    version: Literal[9, 10] = 9,
    progress: Progress = None,
    undefined: Undefined | None = None,
    passages: str | None = None,
    judged_only: bool = False,
) -> Any:
    """The value of every measure for every judged topic of a run, from files or mappings.

    qrels: a file of lines or of Parquet, or a mapping topic -> document -> grade; run: a file, or a mapping topic -> document -> score;
    or several runs: a mapping from the names of the systems to such runs, or a list of files, whose names then name the systems;
    measures: names with blanks between them, or a list of names, as in `metrics.evaluate`, or trec_eval's own names;
    complete: whether judged topics that the run lacks count as topics with nothing ranked (trec_eval's -c);
    relevance_level: the lowest grade that is relevant (-l); depth: how many documents of a topic count
    (-M), default: all; version: 9, which orders by scores in single precision, or 10, which rounds
    levels of recall in another way, and whose all_trec has more measures;
    ties: "trec_eval" orders by the score, in the version's precision, then by document, both
    descending; "file" takes the order of the lines, whatever the scores; "raise" refuses equal scores;
    progress: a function that is called with the number of bytes read and of bytes in all, or True for a line on a terminal;
    undefined: what 0/0 counts as in means and comparisons: "skip", a number, or "raise", which is the default;
    passages: a mark such as "#"; the part of an id before it names the document, whose best passage counts;
    judged_only: whether documents without a judgement, or with a negative grade, are taken out of the ranking that the depth has cut (-J).
    Returns an `Evaluation`, a dict name -> (Q,) values, which know their topics, so that `metrics.compare` pairs them by topic;
    its `remarks` tell of oddities in the files, in the words of the command. For several runs it returns `Results`, a dict
    system -> `Evaluation`. A run is read once, piece by piece, and memory holds one piece, not the whole run. Only if the lines
    of a topic are not together are they read again, and kept until the end; for that, a pipe of up to 1 GB is copied
    to a temporary file.
    Raises ValueError for a wrong line, which it names, for a document that occurs twice in a topic, for an unknown
    measure, and for a run of which no topic is judged; OSError for a file that cannot be opened.
    Source: trec_eval 9.0.8.

    >>> qrels = {"q1": {"a": 1, "b": 0, "c": 1}}
    >>> values = evaluate(qrels, {"q1": {"a": 0.5, "b": 0.9}}, "AP P@1")
    >>> values.by_query()
    {'q1': {'AP': 0.25, 'P@1': 0.0}}
    """
    systems, names = systems_of(run), kinds_of_names(measures, trec_names.known_version(version))
    judgements = Judgements(qrels)

    def of_system(its: Any, name: str = "") -> Evaluation:
        source = None if path_of(its) is None else Source("run", its, RUN, progress)
        try:
            found = evaluate_open_sources(
                judgements, source or its, names, name=name, complete=complete, relevance_level=relevance_level, ties=ties, depth=depth,
                version=version, undefined=undefined, passages=passages, judged_only=judged_only,
            )  # fmt: skip
        except ValueError as error:
            if systems is None or source or not str(error).startswith("run"):
                raise
            raise ValueError(f"run[{name!r}]{str(error)[3:]}") from None
        noticed = {str(qrels): judgements.noticed} | ({str(its): source.noticed} if source else {})
        found.remarks = tuple(f"{file}: {remark}" for file, of in noticed.items() for remark in of.remarks())
        return require_judged_topics(found, str(path_of(its) or (f"run {name!r}" if name else "run")))

    return of_system(run) if systems is None else Results({name: of_system(its, name) for name, its in systems.items()})


def systems_of(run: Any) -> dict[str, Any] | None:
    """The mapping name -> run for several runs, given as a list of files or as a mapping of names to runs; None for a single run."""
    if isinstance(run, (list, tuple)):
        others = [type(its).__name__ for its in run if not isinstance(its, (str, os.PathLike))]
        if others or not run:
            given = f"a list with a {others[0]}" if others else "an empty list"
            refuse("run", given, "a list of files, or a mapping from the names of systems to files or mappings")
        id_list("run", list(map(os.fspath, run)))
        return dict(short_names([os.fspath(path) for path in run]))
    first = next((its for its in run.values() if not isinstance(its, Mapping) or its), None) if isinstance(run, Mapping) else None
    if isinstance(first, (str, os.PathLike)) or isinstance(first, Mapping) and iterable(next(iter(first.values()), None)):
        id_list("run", list(map(str, run)))
        return {str(name): its for name, its in run.items()}
    return None


def short_names(paths: Sequence[str]) -> dict[str, str]:
    """The mapping of each file's name to its path; if two files have the same name, every path is used as the name."""
    names = [PurePath(path).name for path in paths]
    return dict(zip(names if len(set(names)) == len(names) else paths, paths))


def require_judged_topics(evaluation: Evaluation, name: str) -> Evaluation:
    """The evaluation as it was given; the evaluation of a run without a judged topic is refused."""
    if len(evaluation.queries) == len(set(evaluation.missing) & set(evaluation.queries)):
        one, other = evaluation.unjudged or ("",), evaluation.missing
        refuse(name, f"topics such as {one[0]!r}, none of which is judged", f"topics such as {other[0]!r}")
    return evaluation


def evaluate_open_sources(
    qrels: Judgements | Path | Mapping[str, Mapping[str, float]],
    run: Source | Path | Mapping[str, Mapping[str, float]],
    measures: str | Iterable[str], *,
    complete: bool = False, relevance_level: Number = 1, ties: Literal["trec_eval", "file", "raise"] = "trec_eval",
    depth: Whole | None = None, version: Literal[9, 10] = 9, progress: Progress = None,
    undefined: Undefined | None = None, passages: str | None = None, judged_only: bool = False, name: str = "",
) -> Evaluation:
    """The result of `evaluate`, but also for a run, or part of a run, without a judged topic; the judgements and the run may already be open."""
    names = kinds_of_names(measures, trec_names.known_version(version))
    choice("ties", ties, ("trec_eval", "file", "raise"))
    complete = flag("complete", complete)
    depth = None if depth is None else min(whole("depth", depth, at_least=1), sys.maxsize)
    number("relevance_level", relevance_level, "> 0", lambda x: 0 < x < np.inf)
    judgements = qrels if isinstance(qrels, Judgements) else Judgements(qrels)
    how: dict[str, Any] = {"pairing": pairing("raise", passages, judged_only), "ties": ties, "depth": depth, "version": version}
    source = run if isinstance(run, Source) or path_of(run) is None else Source("run", run, RUN, progress)
    read = from_lines if isinstance(source, Source) else in_memory
    values, queries, missing, unjudged = read(judgements, source, names, relevance_level, complete, **how)
    found = by_name.evaluation(values, queries, level=relevance_level, undefined=undefined, name=name, missing=missing, unjudged=unjudged)
    return summed_as_trec_eval_does(found, [one for one, of_trec in names.items() if of_trec])


def from_lines(
    judgements: Judgements, source: Any, names: dict[str, bool], level: Number, complete: bool, *, pairing: Pairing, ties: str, depth: int | None, version: int
) -> tuple[Any, ...]:
    """The values of a run that is read piece by piece, and three tuples of topics: those evaluated, those missing and those not judged."""

    def parts() -> Iterator[JudgedRanks]:
        for lines in source.by_topic(judgements.place):
            lines = lines_of_documents(lines, judgements, pairing.passages)
            found = judged_ranks(lines, judgements, ties, depth, version, pairing.judged_only)
            source.noticed.judged(lines, found, lambda topic: unpacked(judgements.of([topic])[1][:1])[0])
            yield found
        if complete and (missing := sorted(judgements.place.keys() - source.seen)):
            length, no_line = np.zeros(len(missing), dtype=np.int64), np.zeros(0, dtype=np.int64)
            yield judged_ranks(Lines("", missing, length, packed([]), np.zeros(0), no_line), judgements, ties, depth, version, False)

    topics: list[bytes] = []
    values: dict[str, list[Floats]] = {name: [np.zeros(0)] for name in names}
    with closing(source):
        for batch in in_batches(parts()):
            topics += (topic for part in batch for topic in part.topics)
            for name, its in values_of(names, hits_of(batch), level, version).items():
                values[name].append(its)
    place = {topic: i for i, topic in enumerate(topics)}  # of a topic that came twice, the later
    queries = sorted(place)
    order = [place[topic] for topic in queries]
    sides = queries, sorted(judgements.place.keys() - source.seen), sorted(source.seen - judgements.place.keys())
    return {name: np.concatenate(its)[order] for name, its in values.items()}, *(tuple(map(decoded, side)) for side in sides)


def in_memory(judgements: Judgements, run: Any, names: dict[str, bool], level: Number, complete: bool, *, pairing: Pairing, **how: Any) -> tuple[Any, ...]:
    """The same results as `from_lines` for a run in a mapping."""
    ranked, judged = by_topic("run", run, RUN), judgements.by_document
    require_one_kind("run", [ranked], "qrels", [judged])
    sides = judged.keys() & ranked.keys(), judged.keys() - ranked.keys(), ranked.keys() - judged.keys()
    common, missing, unjudged = (sorted(topics, key=partial(as_bytes, "run")) for topics in sides)
    topics = sorted([*common, *missing], key=partial(as_bytes, "run")) if complete else common
    of_topics = [of_documents(f"run[{topic!r}]", ranked.get(topic, {}), judged[topic], pairing.passages) for topic in topics]
    found = ranked_by_score("run", topics, of_topics, [judged[topic] for topic in topics], judged_only=pairing.judged_only, **how)
    return values_of(names, Hits.from_found(found, np.ones(len(topics), dtype=bool)), level, how["version"]), topics, missing, unjudged


def summed_as_trec_eval_does(found: Evaluation, measures: list[str]) -> Evaluation:
    """The evaluation, with trec_eval's own summaries of its measures over all topics."""
    found.summaries |= {one: partial(trec_names.summary, one) for one in measures}
    found.no_mean |= {one for one in measures if one.startswith(("num_", "gm_"))}
    return found
