"""A provider for ir_measures: its users keep their lines, and get their numbers from hit positions.

ir_measures finds no providers by itself, so one line is needed, once and anywhere before the first evaluation:

    import metrics.ir_measures_provider

From then on `ir_measures.calc_aggregate`, `iter_calc`, `evaluator` and all else that goes through its default
pipeline ask this package first. It answers for the measures below, whose values are those of trec_eval; every
other one, and every parameter that is not listed, goes on to the providers that ir_measures has.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

try:
    import ir_measures
except ImportError:
    raise ImportError("metrics.ir_measures_provider needs ir_measures: pip install ir-measures") from None
import numpy as np
from ir_measures import measures, providers
from ir_measures.providers.base import NOT_PROVIDED, Any as Anything, Choices
from ir_measures.util import Metric, QrelsConverter, RunConverter

from . import trec

WITHOUT = Choices(NOT_PROVIDED)
ALL_DOCUMENTS = Choices(False)  # of judged_only


class HitsProvider(providers.Provider):
    """The measures of pytrec_eval but for judged_only and gains of one's own, with equal values."""

    NAME = "metrics"
    SUPPORTED_MEASURES = [
        measures._AP(cutoff=Anything(), rel=Anything(), judged_only=ALL_DOCUMENTS),
        measures._Bpref(rel=Anything()),
        measures._infAP(rel=Anything()),
        measures._IPrec(recall=Anything(), rel=Anything(), judged_only=ALL_DOCUMENTS),
        measures._nDCG(cutoff=Anything(), dcg=Choices("log2"), gains=WITHOUT, judged_only=ALL_DOCUMENTS),
        measures._NumQ(),
        measures._NumRel(rel=Choices(1)),
        measures._NumRet(rel=Anything()),
        measures._P(cutoff=Anything(), rel=Anything(), judged_only=ALL_DOCUMENTS),
        measures._R(cutoff=Anything(), rel=Anything(), judged_only=ALL_DOCUMENTS),
        measures._RR(cutoff=WITHOUT, rel=Anything(), judged_only=ALL_DOCUMENTS),
        measures._Rprec(rel=Anything(), judged_only=ALL_DOCUMENTS),
        measures._SetAP(rel=Anything(), judged_only=ALL_DOCUMENTS),
        measures._SetF(rel=Anything(), beta=Anything(), judged_only=ALL_DOCUMENTS),
        measures._SetP(rel=Anything(), relative=Anything(), judged_only=ALL_DOCUMENTS),
        measures._SetR(rel=Anything()),
        measures._Success(rel=Anything(), cutoff=Anything(), judged_only=ALL_DOCUMENTS),
    ]

    def _evaluator(self, measures: Iterable[Any], qrels: Any) -> HitsEvaluator:
        return HitsEvaluator(list(measures), QrelsConverter(qrels).as_dict_of_dict())


class HitsEvaluator(providers.Evaluator):
    """Runs against one set of judgements."""

    def __init__(self, measures: list[Any], qrels: Mapping[str, Mapping[str, int]]) -> None:
        super().__init__(measures, set(qrels))
        self.qrels = qrels
        self.at_level: dict[int, dict[Any, str]] = {}
        for measure in measures:
            level = measure["rel"] if "rel" in measure.params else 1
            self.at_level.setdefault(level, {})[measure] = name_in_trec_eval(measure)

    def iter_calc(self, run: Any) -> Iterator[Metric]:
        """Every measure of every judged topic."""
        topics, columns = self.columns(run)
        for measure, values in columns.items():
            for topic, value in zip(topics, values):
                yield Metric(query_id=topic, measure=measure, value=value)

    def calc_aggregate(self, run: Any) -> dict[Any, float]:
        """The mean of every measure over the judged topics, or the sum where ir_measures has sums."""
        aggregates = {}
        for measure, values in self.columns(run)[1].items():
            aggregator = measure.aggregator()
            for value in values:
                aggregator.add(value)
            aggregates[measure] = aggregator.result()
        return aggregates

    def columns(self, run: Any) -> tuple[list[str], dict[Any, list[float]]]:
        """The judged topics, those that the run lacks last, and for each measure their values."""
        ranked = {topic: scores for topic, scores in RunConverter(run).as_dict_of_dict().items() if topic in self.qrels}
        missing = sorted(self.qrel_qids - set(ranked))
        columns: dict[Any, list[float]] = {measure: [measure.DEFAULT] * len(missing) for measure in self.measures}
        topics: tuple[str, ...] = ()
        for level, names in self.at_level.items() if ranked else ():
            found = trec.evaluate(self.qrels, ranked, list(dict.fromkeys(names.values())), relevance_level=level)
            topics = found.queries
            for measure, name in names.items():
                columns[measure] = np.nan_to_num(found[name]).tolist() + columns[measure]
        return [*topics, *missing], columns


TREC_EVAL = {
    "AP": "map", "AP@": "map_cut_{cutoff}", "Bpref": "bpref", "infAP": "infAP", "IPrec": "iprec_at_recall_{recall:.2f}",
    "nDCG": "ndcg", "nDCG@": "ndcg_cut_{cutoff}", "NumQ": "num_q", "NumRel": "num_rel", "NumRet": "num_ret",
    "P@": "P_{cutoff}", "R@": "recall_{cutoff}", "RR": "recip_rank", "Rprec": "Rprec",
    "SetAP": "set_map", "SetF": "set_F_{beta}", "SetP": "set_P", "SetR": "set_recall", "Success@": "success_{cutoff}",
}  # fmt: skip


def name_in_trec_eval(measure: Any) -> str:
    """What trec_eval calls a measure of ir_measures."""
    if measure.NAME == "NumRet" and "rel" in measure.params:
        return "num_rel_ret"
    if measure.NAME == "SetP" and measure["relative"]:
        return "set_relative_P"
    at = "@" if measure.params.get("cutoff", NOT_PROVIDED) is not NOT_PROVIDED else ""
    settings = {name: measure[name] for name in measure.SUPPORTED_PARAMS}
    return TREC_EVAL[measure.NAME + at].format(**settings)


def register() -> HitsProvider:
    """Put the provider before that of pytrec_eval."""
    provider = providers.register(HitsProvider())
    pipeline = ir_measures.DefaultPipeline.providers
    pipeline.insert(pipeline.index(ir_measures.pytrec_eval), provider)
    return provider


PROVIDER = register()
