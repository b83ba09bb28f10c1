"""A provider for ir_measures: users of ir_measures keep their code, and get numbers computed from hit positions.

ir_measures finds no providers by itself, so one line is needed, once and anywhere before the first evaluation:

    import metrics.ir_measures_provider

From then on `ir_measures.calc_aggregate`, `iter_calc`, `evaluator` and everything else that uses its default
pipeline ask this package first. It answers for the measures below, whose values are those of trec_eval; every
other measure, and every parameter that is not listed, goes on to the other providers of ir_measures. If this
provider itself is asked for one of those, it raises a ValueError.

ir_measures hands the beta of SetF to trec_eval, whose parameter is the square of beta. So the SetF(beta=4.0) of
ir_measures, here too, is what `metrics.evaluate` and the formula of the book call SetF(beta=2).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

try:
    import ir_measures
except ImportError:
    raise ImportError("metrics.ir_measures_provider needs ir_measures, which is not installed: pip install ir-measures") from None
import numpy as np
from ir_measures import measures, providers
from ir_measures.providers.base import NOT_PROVIDED, Choices, ParamSpec
from ir_measures.util import Metric, QrelsConverter, RunConverter

from ._base.arrays import rows
from ._base.checks import refuse
from ._base.types import Ints
from .hits import Hits
from .names import trec_names


class Where(ParamSpec):
    """The values of a parameter for which a condition holds."""

    def __init__(self, condition: Callable[[Any], bool]) -> None:
        self.condition = condition

    def validate(self, value: Any) -> bool:
        return self.condition(value)


WITHOUT = Choices(NOT_PROVIDED)
ALL_DOCUMENTS = Choices(False)  # of judged_only
FROM_1 = Where(lambda number: type(number) is int and number >= 1)
FROM_1_OR_NONE = Where(lambda number: number is NOT_PROVIDED or FROM_1.validate(number))
DECIMAL = Where(lambda number: bool(re.fullmatch(r"\d+(\.\d+)?", str(number))))  # of recall and beta


class HitsProvider(providers.Provider):
    """The measures of pytrec_eval, with equal values, except for judged_only and gains of your own."""

    NAME = "metrics"
    SUPPORTED_MEASURES = [
        measures._AP(cutoff=FROM_1_OR_NONE, rel=FROM_1, judged_only=ALL_DOCUMENTS),
        measures._Bpref(rel=FROM_1),
        measures._infAP(rel=FROM_1),
        measures._IPrec(recall=DECIMAL, rel=FROM_1, judged_only=ALL_DOCUMENTS),
        measures._nDCG(cutoff=FROM_1_OR_NONE, dcg=Choices("log2"), gains=WITHOUT, judged_only=ALL_DOCUMENTS),
        measures._NumQ(),
        measures._NumRel(rel=Choices(1)),
        measures._NumRet(rel=FROM_1_OR_NONE),
        measures._P(cutoff=FROM_1, rel=FROM_1, judged_only=ALL_DOCUMENTS),
        measures._R(cutoff=FROM_1, rel=FROM_1, judged_only=ALL_DOCUMENTS),
        measures._RR(cutoff=WITHOUT, rel=FROM_1, judged_only=ALL_DOCUMENTS),
        measures._Rprec(rel=FROM_1, judged_only=ALL_DOCUMENTS),
        measures._SetAP(rel=FROM_1, judged_only=ALL_DOCUMENTS),
        measures._SetF(rel=FROM_1, beta=DECIMAL, judged_only=ALL_DOCUMENTS),
        measures._SetP(rel=FROM_1, relative=Choices(False, True), judged_only=ALL_DOCUMENTS),
        measures._SetR(rel=FROM_1),
        measures._Success(rel=FROM_1, cutoff=FROM_1, judged_only=ALL_DOCUMENTS),
    ]

    def _evaluator(self, measures: Iterable[Any], qrels: Any) -> HitsEvaluator:
        measures = list(measures)
        if others := [str(measure) for measure in measures if not self.supports(measure)]:
            refuse("measures", ", ".join(others), "measures that this provider supports; ir_measures.calc_aggregate also asks the other providers")
        return HitsEvaluator(measures, QrelsConverter(qrels).as_dict_of_dict())


class HitsEvaluator(providers.Evaluator):
    """An evaluator of runs against one set of judgements."""

    def __init__(self, measures: list[Any], qrels: Mapping[str, Mapping[str, int]]) -> None:
        super().__init__(measures, set(qrels))
        self.qrels = qrels
        self.at_level: dict[int, dict[Any, str]] = {}
        for measure in measures:
            level = measure["rel"] if "rel" in measure.params else 1
            self.at_level.setdefault(level, {})[measure] = name_in_trec_eval(measure)

    def iter_calc(self, run: Any) -> Iterator[Metric]:
        """The value of every measure for every judged topic."""
        topics, columns = self.columns(run)
        for measure, values in columns.items():
            for topic, value in zip(topics, values):
                yield Metric(query_id=topic, measure=measure, value=value)

    def calc_aggregate(self, run: Any) -> dict[Any, float]:
        """The mean of every measure over the judged topics, or the sum where ir_measures gives the sum."""
        aggregates = {}
        for measure, values in self.columns(run)[1].items():
            aggregator = measure.aggregator()
            for value in values:
                aggregator.add(value)
            aggregates[measure] = aggregator.result()
        return aggregates

    def columns(self, run: Any) -> tuple[list[str], dict[Any, list[float]]]:
        """The judged topics, with those that the run lacks last, and the values of each measure for these topics."""
        ranked = RunConverter(run).as_dict_of_dict()
        topics, missing = sorted(self.qrel_qids & ranked.keys()), sorted(self.qrel_qids - ranked.keys())
        hits = hits_of([self.qrels[topic] for topic in topics], [ranked[topic] for topic in topics])
        columns: dict[Any, list[float]] = {}
        for level, names in self.at_level.items():
            found = trec_names.values(set(names.values()), hits, level)
            for measure, name in names.items():
                columns[measure] = found[name].tolist() + [measure.DEFAULT] * len(missing)
        return topics + missing, columns


def hits_of(judged: list[Mapping[str, float]], ranked: list[Mapping[str, float]]) -> Hits:
    """The hits of rankings given as scores, topic by topic."""
    found = [[item for item in grades if item in scores] for grades, scores in zip(judged, ranked)]
    rank = np.concatenate([NONE, *map(ranks_of, found, ranked)])
    row = rows(list(map(len, found)))
    grade = np.array([grades[item] for items, grades in zip(found, judged) for item in items], dtype=np.float64)
    order = np.lexsort((rank, row))
    return Hits.from_judged(
        length=np.array(list(map(len, ranked)), dtype=np.int64), row=row[order], rank=rank[order], grade=grade[order],
        pool_row=rows(list(map(len, judged))),
        pool_grade=np.array([grade for grades in judged for grade in grades.values()], dtype=np.float64),
    )  # fmt: skip


def ranks_of(items: list[str], scores: Mapping[str, float]) -> Ints:
    """The ranks of the items by score in single precision and, among equal scores, by name, both descending."""
    with np.errstate(over="ignore"):
        every = -np.fromiter(scores.values(), np.float32, len(scores))
        own = -np.fromiter(map(scores.__getitem__, items), np.float32, len(items))
    ascending = np.sort(every)
    above = np.searchsorted(ascending, own)
    tied = np.flatnonzero(np.searchsorted(ascending, own, side="right") - above > 1)
    if tied.size:
        names, equal = list(scores), dict[float, list[str]]((score, []) for score in own[tied].tolist())
        for place in np.flatnonzero(np.isin(every, own[tied])).tolist():
            equal[float(every[place])].append(names[place])
        for group in equal.values():
            group.sort(reverse=True)
        above[tied] += [equal[float(own[place])].index(items[place]) for place in tied.tolist()]
    return above + 1


NONE: Ints = np.zeros(0, dtype=np.int64)
TREC_EVAL = {
    "AP": "map", "AP@": "map_cut_{cutoff}", "Bpref": "bpref", "infAP": "infAP", "IPrec": "iprec_at_recall_{recall:.2f}",
    "nDCG": "ndcg", "nDCG@": "ndcg_cut_{cutoff}", "NumQ": "num_q", "NumRel": "num_rel", "NumRet": "num_ret",
    "P@": "P_{cutoff}", "R@": "recall_{cutoff}", "RR": "recip_rank", "Rprec": "Rprec",
    "SetAP": "set_map", "SetF": "set_F_{beta}", "SetP": "set_P", "SetR": "set_recall", "Success@": "success_{cutoff}",
}  # fmt: skip


def name_in_trec_eval(measure: Any) -> str:
    """The name in trec_eval of a measure of ir_measures."""
    if measure.NAME == "NumRet" and "rel" in measure.params:
        return "num_rel_ret"
    if measure.NAME == "SetP" and measure["relative"]:
        return "set_relative_P"
    at = "@" if measure.params.get("cutoff", NOT_PROVIDED) is not NOT_PROVIDED else ""
    settings = {name: measure[name] for name in measure.SUPPORTED_PARAMS}
    return TREC_EVAL[measure.NAME + at].format(**settings)


def register() -> HitsProvider:
    """Put the provider before pytrec_eval's."""
    provider = providers.register(HitsProvider())
    pipeline = ir_measures.DefaultPipeline.providers
    pipeline.insert(pipeline.index(ir_measures.pytrec_eval), provider)
    return provider


PROVIDER = register()
