"""Ask other libraries for AP@k: the same examples to each, and which denominator their answers fit.

Usage: python -m tools.surveys.ap_at_k [--check], as survey.py says.
"""

import asyncio
import importlib.util
import sys
from functools import partial
from importlib import import_module
from typing import NamedTuple

import numpy as np

from metrics import average_precision_at
from tools.surveys.survey import BESIDE, Survey, answer, ask_ir_measures, ask_pytrec_eval, ask_ranx, fits, installed

DENOMINATORS = ("retrieved", "relevant", "ideal", "cutoff")


class Example(NamedTuple):
    """A ranking by relevance, best first, how many items are relevant in all, and the cut."""

    name: str
    relevance: list
    n_relevant: int
    k: int

    @property
    def ranking(self):
        return [f"item {rank}" for rank in range(1, len(self.relevance) + 1)]

    @property
    def missing(self):
        """How many relevant items were never ranked."""
        return self.n_relevant - sum(self.relevance)

    @property
    def relevant(self):
        """The relevant items: those of the ranking, then those that were never ranked."""
        ranked = [item for item, hit in zip(self.ranking, self.relevance) if hit]
        return ranked + [f"not ranked {number}" for number in range(1, self.missing + 1)]

    @property
    def asked(self):
        """The judgements and the run of one query."""
        return {"q": dict.fromkeys(self.relevant, 1)}, {"q": {item: float(-rank) for rank, item in enumerate(self.ranking)}}

    @property
    def at_once(self):
        """All relevance, with the relevant items that were never ranked at the bottom."""
        return self.relevance + [1] * self.missing


EXAMPLES = [
    Example("one hit, at the top, of a thousand relevant", [1, 0, 0, 0, 0, 0, 0, 0, 0, 0], n_relevant=1000, k=10),
    Example("one relevant item never ranked", [0, 1, 0, 1, 1, 0], n_relevant=4, k=5),
    Example("no hit above the cut", [0, 1], n_relevant=1, k=1),
    Example("fewer relevant items than places", [1, 0, 1, 0, 0, 0], n_relevant=2, k=5),
]


# ---- The libraries: each function gives one value for one example ----------------------------------------


def ask_recmetrics(example):
    path = BESIDE / "recmetrics/recmetrics/metrics.py"  # the package itself also asks for drawing libraries
    spec = importlib.util.spec_from_file_location("recmetrics_metrics", path)
    spec.loader.exec_module(module := importlib.util.module_from_spec(spec))
    return module.mark([example.relevant], [example.ranking], example.k)


def ask_rectools(example, **options):
    frame, rectools = import_module("pandas").DataFrame, import_module("rectools.metrics")
    ranked = frame({"user_id": 1, "item_id": example.ranking, "rank": range(1, len(example.ranking) + 1)})
    return rectools.MAP(k=example.k, **options).calc(ranked, frame({"user_id": 1, "item_id": example.relevant}))


def ask_implicit(example):
    class Model:
        def recommend(self, users, user_items, N):
            return np.arange(N, dtype=np.int32)[None], None

    matrix, evaluation = import_module("scipy.sparse").csr_matrix, import_module("implicit.evaluation")
    liked = matrix([example.at_once])
    return evaluation.mean_average_precision_at_k(Model(), matrix(liked.shape), liked, K=example.k, show_progress=False)


def ask_sklearn(example):
    top = example.relevance[: example.k]
    return import_module("sklearn.metrics").average_precision_score(top, range(len(top), 0, -1))


def ask_torchmetrics(example):
    torch, retrieval = import_module("torch"), import_module("torchmetrics.retrieval")
    relevance = torch.tensor(example.at_once)
    scores = torch.arange(len(relevance), 0, -1) / len(relevance)
    return retrieval.RetrievalMAP(top_k=example.k)(scores, relevance, indexes=torch.zeros_like(relevance)).item()


def ask_haystack(example):
    document, evaluators = import_module("haystack").Document, import_module("haystack.components.evaluators")
    relevant, ranked = ([document(content=item) for item in items] for items in (example.relevant, example.ranking[: example.k]))
    return evaluators.DocumentMAPEvaluator().run(ground_truth_documents=[relevant], retrieved_documents=[ranked])["score"]


def ask_llama_index(example):
    metrics = import_module("llama_index.core.evaluation.retrieval.metrics")
    return metrics.AveragePrecision().compute(expected_ids=example.relevant, retrieved_ids=example.ranking[: example.k]).score


def ask_ragas(example):
    ragas = import_module("ragas.metrics")
    metric = ragas.NonLLMContextPrecisionWithReference(distance_measure=ragas.ExactMatch())
    sample = import_module("ragas.dataset_schema").SingleTurnSample(retrieved_contexts=example.ranking[: example.k], reference_contexts=example.relevant)
    return asyncio.run(metric.single_turn_ascore(sample))


class Library(NamedTuple):
    """Whom to ask: the name in the package index, the function and call as text, how to call it, and what to know about it."""

    package: str
    call: str
    ask: object
    licence: str
    takes_relevant: bool = True  # can it be told of relevant items that are not in the list?
    takes_k: bool = True  # does it cut the list itself?
    beside: str = ""  # its folder, if it is not installed with the others
    note: str = ""


LIBRARIES = {
    "pytrec_eval": Library("pytrec-eval-terrier", 'RelevanceEvaluator(qrels, {"map_cut.5"}).evaluate(run)',
                           lambda example: ask_pytrec_eval(f"map_cut.{example.k}", *example.asked), "MIT", note="trec_eval itself, called from Python."),
    "ir_measures": Library("ir-measures", "calc_aggregate([AP@5], qrels, run)", lambda example: ask_ir_measures(f"AP@{example.k}", *example.asked), "Apache-2.0", note="Computed by pytrec_eval, its first provider for AP@k."),
    "ranx": Library("ranx", 'evaluate(qrels, run, "map@5")', lambda example: ask_ranx(f"map@{example.k}", *example.asked), "MIT"),
    "ml_metrics": Library("ml_metrics", "apk(actual, predicted, k=5)",
                          lambda example: import_module("ml_metrics").apk(example.relevant, example.ranking, example.k), "BSD-2-Clause", beside="ml_metrics",
                          note="Version 0.1.4 is for Python 2; it installs only with setuptools before 58, and runs on Python 3."),
    "implicit": Library("implicit", "mean_average_precision_at_k(model, train, test, K=5)", ask_implicit, "MIT"),
    "rectools": Library("rectools", "MAP(k=5).calc(reco, interactions)", ask_rectools, "Apache-2.0", beside="rectools", note="Asks for NumPy before 2; its metric runs on NumPy 2."),
    "rectools, divide_by_k": Library("rectools", "MAP(k=5, divide_by_k=True).calc(reco, interactions)", partial(ask_rectools, divide_by_k=True), "Apache-2.0", beside="rectools"),
    "recmetrics": Library("recmetrics", "mark(actual, predicted, k=5)", ask_recmetrics, "MIT", beside="recmetrics", note="Documented as mean average recall at k. Its release has no function of the name MAP."),
    "llama-index": Library("llama-index-core", "AveragePrecision().compute(expected_ids=..., retrieved_ids=...)", ask_llama_index, "MIT", takes_k=False),
    "haystack": Library("haystack-ai", "DocumentMAPEvaluator().run(ground_truth_documents=..., retrieved_documents=...)", ask_haystack, "Apache-2.0", takes_k=False),
    "haystack, before": Library("haystack-ai", "DocumentMAPEvaluator().run(ground_truth_documents=..., retrieved_documents=...)", ask_haystack, "Apache-2.0", takes_k=False,
                                beside="haystack-ai", note="The last version before the denominator changed."),
    "scikit-learn": Library("scikit-learn", "average_precision_score(relevance[:5], scores[:5])", ask_sklearn, "BSD-3-Clause", takes_relevant=False, takes_k=False,
                            note="It sees the list alone: to it, the relevant items of the list are all there are."),
    "torchmetrics": Library("torchmetrics", "RetrievalMAP(top_k=5)(scores, relevance, indexes=...)", ask_torchmetrics, "Apache-2.0",
                            note="Told of the items that were never ranked, as further items at the bottom; they change nothing."),
    "ragas": Library("ragas", "NonLLMContextPrecisionWithReference(distance_measure=ExactMatch()).single_turn_ascore(sample)", ask_ragas, "Apache-2.0", takes_k=False,
                     note="It compares texts; the metrics in which a language model judges share its formula. It adds 1e-10 to the denominator."),
}


# ---- What they answer, and what fits it ------------------------------------------------------------------


def answers(library):
    """The version and the values of one library, for all examples; None if it is not installed."""
    found = installed(library)
    return found and {"version": found, "values": [answer(library.ask, example) for example in EXAMPLES]}


def ours(example, denominator):
    """The value of this package, for the example and a denominator; nan where it is 0/0."""
    return float(average_precision_at(example.relevance, example.k, denominator=denominator, n_relevant=example.n_relevant))


def diagnosis(values):
    """The denominators that fit the values of all examples, or ["none"]."""
    return [name for name in DENOMINATORS if all(fits(v, ours(e, name)) for v, e in zip(values, EXAMPLES, strict=True))] or ["none"]


def entry(name, library, found):
    """What is stored of a library."""
    known = {"name": name, "package": library.package, "version": found["version"], "licence": library.licence, "call": library.call,
             "takes_relevant": library.takes_relevant, "takes_k": library.takes_k, "note": library.note}
    return known | {"values": found["values"], "diagnosis": diagnosis(found["values"])}


SURVEY = Survey("ap_at_k", EXAMPLES, LIBRARIES, answers, entry, described=Example._asdict)

if __name__ == "__main__":
    sys.exit(SURVEY.main(sys.argv[1:]))
