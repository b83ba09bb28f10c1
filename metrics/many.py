"""Evaluation on many processes or machines with Dask: each block of rankings gives totals, and totals merge exactly.

    from metrics import many
    many.totals(blocks, "AP nDCG@10")

Dask schedules the work, on an open `dask.distributed.Client` or else on threads of this process. Nothing here knows the number of
machines, and no result depends on it, except for the last digit of a sum of floats if blocks mix sets and mappings.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any

import numpy as np

from ._base.checks import refuse
from ._base.types import Floats
from .names.measures import evaluate
from .topics.results import Evaluation
from .topics.totals import Total
from .trec.documents import encoded
from .trec.evaluation import evaluate as evaluate_run, evaluate_open_sources, require_judged_topics
from .trec.source import read_qrels

try:
    import dask.array
    import dask.bag
    from dask.delayed import Delayed, delayed
except ImportError:
    raise ImportError('metrics.many needs Dask, which is not installed: pip install "dask[distributed]"') from None

AT_ONCE = 16  # so many totals are merged by one task


def by_block(make: Callable[..., Any], **given: Any) -> list[Delayed]:
    """The delayed results of a function, one per block of rows.

    make: such as Hits.from_scores, called with keywords;
    given: its arguments. Dask arrays are handed over block by
    block, cut between rows as the first of them is; anything
    else is handed to each call unchanged.
    Returns a list of delayed results, in the order of the rows.
    Raises ValueError without a Dask array, and for arrays
    of different lengths.
    Source: Dask's to_delayed.

    >>> import dask.array
    >>> rows = dask.array.from_array([[0, 1], [1, 0], [0, 1]], chunks=(2, 2))
    >>> from metrics import Hits
    >>> [hits.compute().queries for hits in by_block(Hits.from_relevance, relevance=rows)]
    [2, 1]
    """
    arrays = {name: each for name, each in given.items() if isinstance(each, dask.array.Array)}
    if not arrays:
        refuse("given", ", ".join(given) or "nothing", "a Dask array among them")
    if len(lengths := {len(each) for each in arrays.values()}) > 1:
        refuse(", ".join(arrays), f"lengths {sorted(lengths)}", "arrays of one length")
    rows = next(iter(arrays.values())).chunks[0]
    cut = {name: each.rechunk({0: rows} | {axis: -1 for axis in range(1, each.ndim)}) for name, each in arrays.items()}
    blocks = zip(*(each.to_delayed().ravel() for each in cut.values()))
    call = delayed(partial(make, **{name: each for name, each in given.items() if name not in arrays}))
    return [call(**dict(zip(cut, block))) for block in blocks]


def values(blocks: Any, measures: str | Iterable[str], **options: Any) -> dict[str, Floats]:
    """The value of every measure for every ranking, by name, in order.

    blocks: a Dask array with grades in rank order, one ranking
    per row, or a list of delayed results, each what
    metrics.evaluate takes (see `by_block`);
    measures, options: as in metrics.evaluate.
    Returns name -> (Q,), the values that one process gives, to
    the last bit unless its block mixes sets and mappings.
    Raises ValueError as metrics.evaluate does, and for options
    with an entry for each ranking: make blocks of `Hits` with
    by_block in their place.
    Source: metrics.evaluate.

    >>> import dask.array
    >>> rows = dask.array.from_array([[0, 1], [1, 0], [0, 1]], chunks=(2, 2))
    >>> print(values(rows, "RR")["RR"])
    [0.5 1.  0.5]
    """
    names = measures if isinstance(measures, str) else list(measures)
    evaluated = [delayed(evaluate)(block, names, **require_options_for_all(options)) for block in delayed_blocks(blocks)]
    by_blocks = dask.compute(*evaluated)
    return {name: np.concatenate([np.atleast_1d(each[name]) for each in by_blocks]) for name in by_blocks[0]}


def totals(blocks: Any, measures: str | Iterable[str], **options: Any) -> dict[str, Total]:
    """The total of every measure, by name, from which its mean follows.

    Each block is evaluated where it lies, and only its totals
    travel, some 120 bytes per measure. They are merged by
    a tree of tasks.
    blocks, measures, options: as in `values`.
    Returns name -> Total, the same however the data are cut,
    if the values are (see `values`).
    Raises ValueError as metrics.evaluate does.
    Source: metrics.evaluate, and the reductions of Dask's bags.

    >>> import dask.array
    >>> rows = dask.array.from_array([[0, 1], [1, 0], [0, 1]], chunks=(2, 2))
    >>> print(totals(rows, "P@1")["P@1"].mean(undefined="raise"))
    0.3333333333333333
    """
    names = measures if isinstance(measures, str) else list(measures)
    parts = [delayed(totals_of)(block, names, require_options_for_all(options)) for block in delayed_blocks(blocks)]
    return dask.bag.from_delayed(parts).fold(together, split_every=AT_ONCE).to_delayed().compute()


def delayed_blocks(blocks: Any) -> list[Delayed]:
    """The blocks of a Dask array, or the list of blocks unchanged."""
    if isinstance(blocks, dask.array.Array):
        if blocks.ndim != 2:
            refuse("blocks", f"an array of shape {blocks.shape}", "two axes, one ranking per row")
        return by_block(np.asarray, a=blocks)
    if not (listed := list(blocks) if isinstance(blocks, Iterable) else []) or not all(isinstance(block, Delayed) for block in listed):
        refuse("blocks", f"a {type(blocks).__name__}", "a Dask array, or a list of at least one delayed block")
    return listed


def require_options_for_all(options: dict[str, Any]) -> dict[str, Any]:
    """The options, none of which may have an entry for each ranking."""
    for name, given in options.items():
        if name == "groups" or np.ndim(given):
            way_out = "blocks of each group alone" if name == "groups" else "Hits.from_relevance with by_block takes n_relevant"
            refuse(name, "an entry for each ranking", f"options that hold for all; {way_out}")
    return options


def totals_of(block: Any, measures: str | Iterable[str], options: Mapping[str, Any]) -> list[dict[str, Total]]:
    """The totals of one block in a list of one entry, which is a part of a Dask bag."""
    return [{name: Total.of(each) for name, each in evaluate(block, measures, **options).items()}]


def together(some: Mapping[str, Total], others: Mapping[str, Total]) -> dict[str, Total]:
    """The totals of both arguments, merged name by name."""
    return {name: total + others[name] for name, total in some.items()}


def evaluate_runs(
    qrels: Any, runs: Iterable[Any], measures: str | Iterable[str], **options: Any
) -> dict[Any, Evaluation]:
    """The evaluations of many run files, with one task for each file; the judgements are read once.

    qrels: a file that every process can open, or a mapping;
    runs: files that they can open, each once;
    measures, options: as in metrics.trec.evaluate.
    Returns run -> what metrics.trec.evaluate gives for it.
    Raises what metrics.trec.evaluate raises.
    Source: metrics.trec.evaluate.
    """
    return each_alone(evaluate_run, qrels, runs, measures, options)


def each_alone(
    how: Callable[..., Evaluation], qrels: Any, runs: Iterable[Any], measures: Any, options: Mapping[str, Any]
) -> dict[Any, Evaluation]:
    """The mapping of each run to its evaluation, with one task for each run."""
    judged = delayed(qrels) if isinstance(qrels, Mapping) else delayed(read_qrels)(qrels)
    names = measures if isinstance(measures, str) else list(measures)
    call = delayed(partial(how, measures=names, **options))
    return dask.compute({run: call(judged, run) for run in runs})[0]


def evaluate_parts(
    qrels: Any, parts: Iterable[Any], measures: str | Iterable[str], **options: Any
) -> Evaluation:
    """The evaluation of one run whose topics are spread over several files.

    qrels, measures, options: as in `evaluate_runs`, but not
    `complete`, because each part lacks the others' topics;
    parts: files, a topic whole in one of them.
    Returns what metrics.trec.evaluate gives for all of them
    in one file, to the last bit.
    Raises ValueError for a topic in two parts, and what
    metrics.trec.evaluate raises.
    Source: metrics.trec.evaluate.
    """
    if "complete" in options:
        refuse("complete", options["complete"], "no such option for a run in parts")
    if not (parts := list(parts)):
        refuse("parts", "none", "at least one file")
    for place, part in enumerate(parts):
        if part in parts[:place]:
            refuse("parts", f"{part} a second time", "each file once")
    found = each_alone(evaluate_open_sources, qrels, parts, measures, options)
    first: dict[str, Any] = {}
    for part, evaluation in found.items():
        for topic in (*evaluation.queries, *evaluation.unjudged):
            if topic in first:
                refuse("parts", f"topic {topic!r} in {first[topic]} and in {part}", "each topic in one part")
            first[topic] = part
    return require_judged_topics(joined_evaluations(list(found.values())), "parts")


def joined_evaluations(parts: list[Evaluation]) -> Evaluation:
    """The evaluation of all topics of several parts, in trec_eval's order."""
    topics = [topic for part in parts for topic in part.queries]
    order = sorted(range(len(topics)), key=lambda place: encoded("parts", topics[place]))
    of_all = {name: np.concatenate([part[name] for part in parts])[order] for name in parts[0]}
    missing = set.intersection(*(set(part.missing) for part in parts))
    unjudged = sorted(topic for part in parts for topic in part.unjudged)
    known = {name: getattr(parts[0], name) for name in ("name", "undefined", "level", "lower", "summaries", "no_mean")}
    return Evaluation(of_all, (topics[place] for place in order), missing=sorted(missing), unjudged=unjudged, **known)
