"""The command line: `python -m metrics QRELS RUN` says how good the rankings of a TREC run file are.

Names of measures are read by `metrics.evaluate` and `metrics.trec_names`. The parser of ir_measures is not
used, because it knows none of the measures that only this package has, and because Python is about to drop what it is built on.
"""

import argparse
import sys
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from itertools import compress
from math import isnan
from typing import Any
from warnings import catch_warnings

import numpy as np

from .. import plots
from .._base.checks import refuse, whole
from .._base.text import in_a_cell
from ..inputs.groups import split_by_item
from ..names import measures, trec_names
from ..names.also_called import called_here
from ..names.explanations import explain
from ..names.sheet import RECORDS
from ..topics.means import mean
from ..topics.results import Results
from .arguments import DEFAULT, OF_TREC_EVAL, misuse, parser_of_arguments
from .documents import decoded, encoded
from .evaluation import evaluate_open_sources, kinds_of_names, require_judged_topics, short_names, values_of
from .files import numbered_lines
from .lines import QRELS, RUN
from .ranking import Judgements
from .reports import ALL, FORMATS, RUN_ID, Report, beside, complain, rewards, width_of_terminal, write
from .source import Source, read

RELEVANT = "num_rel"  # asked for in any case: it says why a value is 0/0


def main(arguments: Sequence[str] | None = None) -> int:
    """Do what the arguments say; the exit status is 0 for success, 1 for wrong input, 2 for wrong usage, 130 for an interruption."""
    try:
        parser = parser_of_arguments()
        options = parser.parse_args(arguments)
        if error := misuse(options):
            parser.error(error)
        for text in answer(options):
            write(text + "\n", sys.stdout)
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:  # as of `| head`
        return 0
    except (ValueError, OSError, ImportError, OverflowError) as error:
        say([in_one_line(error)])
        return 1
    return 0


def answer(options: argparse.Namespace) -> Iterable[str]:
    """The texts to print, one after another."""
    default = OF_TREC_EVAL if options.format == "trec_eval" else DEFAULT
    if options.list_measures:
        names = {its.name: its.rewards for its in measures.MEASURES}
        yield beside(list(names), names.values())
    options.measures = " ".join(options.measures or [default])
    options.names = kinds_of_names(options.measures, options.version)  # name -> whether it is trec_eval's
    if options.format == "trec_eval":
        options.names = {name: trec_names.is_name(name) for name in options.names}
    if options.runs:
        yield from numbers_of_runs(options)
    if options.explain is not None:
        for name in names_to_explain(options.explain) if options.explain else options.names:
            yield from [""] * bool(options.runs) + [explain(name)]


def names_to_explain(written: str) -> list[str]:
    """The names in a text: a single name that contains blanks, several names separated by blanks, or the names in a set of trec_eval."""
    names = [written] if written in RECORDS or called_here(written) else measures.names_of(written)
    return [one for name in names for one in (trec_names.names_of(name) if name in trec_names.TOGETHER else [name])]


def numbers_of_runs(options: argparse.Namespace) -> Iterable[str]:
    """The numbers of all runs, in the requested format, and the results of the tests on these numbers."""
    if options.plot is not None:
        if not of_one_topic(options.names):
            refuse("--plot", ", ".join(options.names), "a measure with a value for a single topic")
        plots.refuse_kind(options.plot)
    groups, options.noticed = read_groups(options), {}
    runs = short_names(options.runs)
    if options.item_groups:
        report, remarks = of_item_groups(options, runs, groups)
        found = Results()
    else:
        found = evaluations(options, runs)
        remarks = list(remarks_on(found, options))
        report = sections_of(found, options, groups)
    printed = FORMATS[options.format](report)
    if not options.quiet:
        say(remarks)
    yield printed
    if options.plot is not None:
        draw(found, options)
    if options.compare is not None:
        yield from comparisons(found, options)


def evaluations(options: argparse.Namespace, runs: Mapping[str, str]) -> Results:
    """The mapping of each run to its values; every file is read once, because it may be a pipe."""
    judgements, found = Judgements(options.qrels), Results()
    for run, path in runs.items():
        source = Source("run", path, RUN, progress=True)
        evaluation = evaluate_open_sources(
            judgements, source, options.names | {RELEVANT: True}, complete=options.complete,
            relevance_level=options.level, depth=options.depth, version=options.version, ties=options.ties,
            passages=options.passages, judged_only=options.judged_only,
        )  # fmt: skip
        found[run] = require_judged_topics(evaluation, path)
        options.tag, options.judgements = source.tag, judgements
        options.noticed |= {options.qrels: judgements.noticed, run: source.noticed}
    return found


def draw(found: Results, options: argparse.Namespace) -> None:
    """Save a picture of the first measure to a file."""
    name = of_one_topic(options.names)[0]
    require_same_topics(found)
    columns, undefined = found.of(name), counted(name, options)
    if len(found) == 2:
        ax = plots.differences(columns, undefined=undefined, measure=name)
    else:
        ax = plots.systems(columns, undefined=undefined, measure=name, lower_is_better=rewards(name).startswith("↓"))
    with catch_warnings(action="ignore"):  # of letters that the font has not
        ax.figure.savefig(options.plot, metadata={"Date": None} if options.plot.endswith(".svg") else None)


def require_same_topics(found: Results) -> None:
    """Refuse runs with different topics, and runs with fewer than two topics."""
    for run, one in found.items():
        if len(one.queries) < 2:
            refuse(run, f"values of {len(one.queries)} topic{'s' * (len(one.queries) != 1)}", "values of two topics or more, to be compared")
    for run, other in zip(found, [*list(found)[1:], *found]):
        for topic in found[run].queries:
            if topic not in found[other].queries:
                refuse(other, f"no topic {topic!r}", f'the topics of {run}; -c counts the topic with nothing found; in Python, missing="skip" leaves it out')


def comparisons(found: Results, options: argparse.Namespace) -> Iterable[str]:
    """The results of the tests for each measure; a measure that cannot be tested does not stop the others."""
    errors: list[Exception] = []
    for name in of_one_topic(options.names):
        try:
            yield f"\n{compared(name, found, options)}"
        except (ValueError, ImportError) as error:
            errors.append(error)
    if errors:
        raise errors[0]


def sections_of(found: Mapping[str, Any], options: argparse.Namespace, groups: Mapping[str, str]) -> Report:
    """The values for each topic or group of topics, if requested, and the values for all topics together."""
    rows = []
    if options.by_query:
        by_topic = [one.by_query() for one in found.values()]
        missing = set(in_order(one.missing for one in found.values()))
        rows = [
            (topic, name, [its.get(topic, {}).get(name) for its in by_topic])
            for topic in in_order(one.queries for one in found.values())
            if options.format != "trec_eval" or options.version == 10 or topic not in missing
            for name in of_one_topic(options.names)
        ]
    elif options.groups:
        rows = of_topic_groups(found, options, groups)
    if options.format == "trec_eval" and set(options.measures.split()) & trec_names.TOGETHER.keys():
        rows.append((ALL, RUN_ID, [options.tag]))
    totals = {name: [total(one[name], name, options) for one in found.values()] for name in options.names}
    if options.format == "trec_eval" and options.complete and RELEVANT in totals:
        totals[RELEVANT] = [float(options.judgements.relevant)]  # with -c, trec_eval counts every grade above 0, at any level
    rows += [(ALL, name, values) for name, values in totals.items()]
    return Report(list(found), "topic" * options.by_query or "group" * bool(options.groups), rows)


def of_one_topic(names: Iterable[str]) -> list[str]:
    """The measures that also have a value for a single topic."""
    return [name for name in names if not trec_names.only_in_summary(name)]


def of_topic_groups(found: Mapping[str, Any], options: argparse.Namespace, group_of: Mapping[str, str]) -> list[Any]:
    """The summary of each measure over the topics of each group."""
    for run, one in found.items():
        for topic in one.queries:
            if topic not in group_of:
                refuse(options.groups, f"no group for topic {topic!r} of {run}", "a line 'topic group' for each topic")

    def value(one: Any, name: str, group: str) -> float | None:
        its = np.array([group_of[topic] == group for topic in one.queries])
        return total(one[name][its], name, options) if its.any() else None

    return [
        (group, name, [value(one, name, group) for one in found.values()])
        for group in dict.fromkeys(group_of.values())
        for name in options.names
    ]


def of_item_groups(options: argparse.Namespace, runs: Mapping[str, str], group_of: Mapping[str, str]) -> tuple[Report, list[str]]:
    """A report of the summary of each measure for each group of documents on its own, and the remarks to print."""
    depth = None if options.depth is None else whole("depth", options.depth, at_least=1)
    qrels, options.noticed[options.qrels] = read(options.qrels, QRELS)
    means: dict[str, dict[tuple[str, str], float]] = {}
    remarks: list[str] = []
    for run, path in runs.items():
        ranked, options.noticed[run] = read(path, RUN)
        missing = [topic for topic in qrels if topic not in ranked]
        topics = [topic for topic in qrels if options.complete or topic in ranked]
        for topic in topics:
            for item in {**qrels[topic], **ranked.get(topic, {})}.keys() - group_of.keys():
                refuse(options.item_groups, f"no group for document {item!r}", "a line 'document group' for each document")
        by_group = split_by_item(
            rankings=[best_first(ranked.get(topic, {}), options.version)[:depth] for topic in topics],
            relevant=[qrels[topic] for topic in topics],
            group=group_of, ungrouped="raise",
        )  # fmt: skip
        its = means[run] = {}
        for group, hits in by_group.items():
            values = values_of(options.names, hits, options.level, options.version)
            for name, of_trec in options.names.items():
                if options.undefined == "raise" and not of_trec and (nowhere := list(compress(topics, np.isnan(values[name])))):
                    what = f"for {topics_named(nowhere)} {name} is 0/0 in group {group!r}"
                    refuse(run, what, "a value for each topic; --undefined skip, or a number, says what 0/0 counts as")
                its[group, name] = total(values[name], name, options)
        for topic in topics:
            if (found := ranked.get(topic)) and qrels[topic] and found.keys().isdisjoint(qrels[topic]):
                options.noticed[run].strangers(*encoded(run, [topic, next(iter(found)), next(iter(qrels[topic]))]))
        remarks += left_out(run, missing, [topic for topic in ranked if topic not in qrels], options)
    if options.undefined is None and not all(options.names.values()):
        what = "topics without a relevant document of it are left out where a measure is 0/0; --undefined 0 counts them"
        remarks.append(f"for each group, {what}{', as the measures of trec_eval do' * any(options.names.values())}")
    rows = [(*key, [its.get(key) for its in means.values()]) for key in in_order(means.values())]
    return Report(list(runs), "group", rows), [*remarks_on_files(options), *remarks]


def best_first(scores: Mapping[str, float], version: int) -> list[str]:
    """The documents in the order of trec_eval: by score (in single precision for version 9), then by name, both in descending order."""
    precision = np.float64 if version == 10 else np.float32
    with np.errstate(over="ignore"):
        keys = {item: (precision(score), item.encode("utf-8", "surrogateescape")) for item, score in scores.items()}
    return sorted(scores, key=keys.__getitem__, reverse=True)


def total(of_topics: Any, name: str, options: argparse.Namespace) -> float:
    """The single number of a measure for many topics; counts are added up, as in trec_eval and ir_measures."""
    if options.names[name]:
        return trec_names.summary(name, of_topics)
    return float(of_topics.sum() if name.startswith("Num") else mean(of_topics, undefined=counted(name, options)))


def counted(name: str, options: argparse.Namespace) -> Any:
    """What an undefined value counts as: by default 0, but it is skipped if 0 would be the best value, and in groups of documents."""
    if options.undefined is not None:
        return options.undefined
    return "skip" if options.item_groups or rewards(name).startswith("↓") else 0


def compared(name: str, found: Results, options: argparse.Namespace) -> str:
    """Sentences on whether the runs differ by more than chance in one measure."""
    require_same_topics(found)
    undefined = counted(name, options)
    try:
        if len(found) == 2:
            first, second = found
            sentence = found.compare(first, second, name, test=options.compare or "randomisation", undefined=undefined)
            said = f"{sentence} {sentence.too_few()}".strip()
            return f"{name}:\n{textwrap.fill(said, width_of_terminal(), break_on_hyphens=False)}"
        board = found.leaderboard(name, undefined=undefined, correction=options.compare or "holm", lower_is_better=rewards(name).startswith("↓"))
    except ValueError as error:
        raise ValueError(f"--compare for {name}: {error}") from None
    return f"{name}\n{board}"


def remarks_on(found: Mapping[str, Any], options: argparse.Namespace) -> Iterable[str]:
    """Remarks on oddities in the files, on topics left out, and on what undefined values count as."""
    yield from remarks_on_files(options)
    for run, one in found.items():
        yield from left_out(run, one.missing, one.unjudged, options)
    yield from undefined_values(found, options)
    if options.compare is not None and (alone := [name for name in options.names if trec_names.only_in_summary(name)]):
        yield f"{', '.join(alone)}: no value for a single topic, so there is nothing to compare"
    if len({one.queries for one in found.values()}) > 1:
        yield "the means of these runs are over different topics; to compare them, use -c"


def remarks_on_files(options: argparse.Namespace) -> Iterable[str]:
    """Remarks on oddities in the files."""
    return (f"{name}: {remark}" for name, noticed in options.noticed.items() for remark in noticed.remarks())


def left_out(run: str, missing: Sequence[str], unjudged: Sequence[str], options: argparse.Namespace) -> Iterable[str]:
    """Remarks on topics that are in only one of the two files, and on how these topics are counted."""
    if missing:
        how = "counted with nothing found" if options.complete else "left out; -c counts what is missing, with nothing found"
        yield f"{run} lacks {topics_named(missing)} of the judgements: {how}"
    if unjudged:
        yield f"{run} has {topics_named(unjudged)} without judgements: left out"


def undefined_values(found: Mapping[str, Any], options: argparse.Namespace) -> Iterable[str]:
    """Remarks on measures that are 0/0 for some topics, and on what 0/0 counts as; an error if 0/0 is not allowed."""
    where: dict[tuple[Any, ...], dict[str, list[str]]] = {}
    barren: set[str] = set()
    for run, one in found.items():
        barren.update(topic for topic, count in zip(one.queries, one[RELEVANT].tolist()) if not count)
        for name, of_trec in options.names.items():
            topics = tuple(topic for topic, value in zip(one.queries, one[name].tolist()) if isnan(value))
            if topics and not of_trec:
                where.setdefault((counted(name, options), *topics), {}).setdefault(name, []).append(run)
    for (counts, *nowhere), names in where.items():
        what = f"nothing is relevant for {topics_named(nowhere)}, so" if barren.issuperset(nowhere) else f"for {topics_named(nowhere)}"
        what += f" {', '.join(names)} {'is' if len(names) == 1 else 'are'} 0/0"
        runs = ", ".join(in_order(names.values()))
        if counts == "raise":
            refuse(runs, what, "a value for each topic; --undefined skip, or a number, says what 0/0 counts as")
        how = "left out" if counts == "skip" else f"counted as {counts:g}"
        if options.undefined is None:
            how += ", for 0 would be the best value" if counts == "skip" else ", as in trec_eval; --undefined skip leaves it out"
        yield f"{runs}: {what}: {how}"


def say(remarks: Iterable[str]) -> None:
    """Print remarks on standard error, one per line."""
    complain("".join(f"metrics: {in_a_cell(remark)}\n" for remark in remarks))


def topics_named(names: Sequence[str]) -> str:
    """The number of topics, and the names of at most three of them."""
    few = ", ".join(names[:3]) + ", ..." * (len(names) > 3)
    return f"{len(names):,} topic{'s' * (len(names) != 1)} ({few})"


def in_one_line(error: Exception) -> str:
    """The error message on one line; an error of the operating system begins with the name of the file."""
    if isinstance(error, OSError) and error.filename is not None:
        return " ".join(f"{error.filename}: {error.strerror}".split())
    if isinstance(error, OverflowError):
        return f"got a number that is too large: {error}"
    return " ".join(str(error).split())


def read_groups(options: argparse.Namespace) -> dict[str, str]:
    """The mapping item -> group from the named file of lines 'topic group' or 'document group'; empty if no file was named."""
    path, what = options.groups or options.item_groups, "topic" if options.groups else "document"
    groups: dict[str, str] = {}
    for number, line in numbered_lines(path) if path else ():
        item, group = ([decoded(words.strip()) for words in line.split(None, 1)] + ["", ""])[:2]
        if not item or item.startswith("#"):
            continue
        if not group:
            refuse(f"{path}, line {number}", repr(item), f"one {what} and its group")
        if options.groups and group == ALL:
            refuse(f"{path}, line {number}", f"a group called {ALL!r}", "another name, because the mean has this name")
        if groups.setdefault(item, group) != group:
            refuse(f"{path}, line {number}", f"another group {group!r} for {item!r}", f"each {what} in one group")
    return groups


def in_order(lists: Iterable[Iterable[Any]]) -> list[Any]:
    """All distinct entries, in the order of their first appearance."""
    return list(dict.fromkeys(entry for entries in lists for entry in entries))
