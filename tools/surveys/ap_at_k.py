"""Ask other libraries for AP@k: the same examples to each, and which denominator their answers fit.

Usage: python -m tools.surveys.ap_at_k [--check], as survey.py says.
"""

import asyncio
import runpy
import sys
from functools import partial
from importlib import import_module
from typing import NamedTuple

import numpy as np

from metrics import average_precision_at
from tools.surveys.survey import Survey, answer, ask_ir_measures, ask_pytrec_eval, ask_ranx, fits

DENOMINATORS = ("retrieved", "relevant", "ideal", "cutoff")


class Example(NamedTuple):
    """A ranking by relevance, best first, how many items are relevant in all, and the cut, as they are stored."""

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


# ---- The libraries: each function gives one value for one example ----------------------------------------


def ask_recmetrics(example):
    [folder] = import_module("importlib.util").find_spec("recmetrics").submodule_search_locations
    module = runpy.run_path(f"{folder}/metrics.py")  # the package itself also asks for drawing libraries
    return module["mark"]([example.relevant], [example.ranking], example.k)


def ask_ml_metrics(example):
    return import_module("ml_metrics").apk(example.relevant, example.ranking, example.k)


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


ASK = {
    "pytrec_eval": lambda example: ask_pytrec_eval(f"map_cut.{example.k}", *example.asked),
    "ir_measures": lambda example: ask_ir_measures(f"AP@{example.k}", *example.asked),
    "ranx": lambda example: ask_ranx(f"map@{example.k}", *example.asked),
    "ml_metrics": ask_ml_metrics, "implicit": ask_implicit, "rectools": ask_rectools, "rectools, divide_by_k": partial(ask_rectools, divide_by_k=True),
    "recmetrics": ask_recmetrics, "llama-index": ask_llama_index, "haystack": ask_haystack, "haystack, before": ask_haystack,
    "scikit-learn": ask_sklearn, "torchmetrics": ask_torchmetrics, "ragas": ask_ragas,
}  # fmt: skip


# ---- What they answer, and what fits it ------------------------------------------------------------------


def answers(entry):
    """The values of one library, for all examples."""
    return {"values": [answer(ASK[entry["name"]], example) for example in EXAMPLES]}


def ours(example, denominator):
    """The value of this package, for the example and a denominator; nan where it is 0/0."""
    return float(average_precision_at(example.relevance, example.k, denominator=denominator, n_relevant=example.n_relevant))


def diagnosis(entry):
    """The denominators that fit the values of all examples, or ["none"]."""
    both = list(zip(entry["values"], EXAMPLES, strict=True))
    return {"diagnosis": [name for name in DENOMINATORS if all(fits(value, ours(example, name)) for value, example in both)] or ["none"]}


SURVEY = Survey("ap_at_k", answers, diagnosis, beside=("ml_metrics", "rectools", "rectools, divide_by_k", "recmetrics", "haystack, before"))
EXAMPLES = [Example(**each) for each in SURVEY.read()["examples"]]

if __name__ == "__main__":
    sys.exit(SURVEY.main())
