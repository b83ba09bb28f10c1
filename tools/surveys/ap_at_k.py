"""Ask other libraries for AP@k: the same examples to each, and which denominator their answers fit.

Usage: python -m tools.surveys.ap_at_k [--check]

Writes book/data/ap_at_k.json. With --check it writes nothing: it says what differs from what is stored, and exits with 1
if anything does. `make ask` runs it so, in an environment that has the libraries. A library that is not installed keeps what is stored.
"""

import importlib.util
import sys
from typing import NamedTuple

from metrics import average_precision_at
from tools.surveys.survey import BESIDE, Survey, answer, fits, installed

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
    def scores(self):
        return {item: float(-rank) for rank, item in enumerate(self.ranking)}

    @property
    def top(self):
        return self.relevance[: self.k]


EXAMPLES = [
    Example("one hit, at the top, of a thousand relevant", [1, 0, 0, 0, 0, 0, 0, 0, 0, 0], n_relevant=1000, k=10),
    Example("one relevant item never ranked", [0, 1, 0, 1, 1, 0], n_relevant=4, k=5),
    Example("no hit above the cut", [0, 1], n_relevant=1, k=1),
    Example("fewer relevant items than places", [1, 0, 1, 0, 0, 0], n_relevant=2, k=5),
]


# ---- The libraries: each function gives one value for one example ----------------------------------------


def ask_pytrec_eval(example):
    import pytrec_eval

    measure = f"map_cut.{example.k}"
    evaluator = pytrec_eval.RelevanceEvaluator({"q": dict.fromkeys(example.relevant, 1)}, {measure})
    return evaluator.evaluate({"q": example.scores})["q"][measure.replace(".", "_")]


def ask_ir_measures(example):
    import ir_measures

    judged = {"q": dict.fromkeys(example.relevant, 1)}
    [answer] = ir_measures.calc_aggregate([ir_measures.AP @ example.k], judged, {"q": example.scores}).values()
    return answer


def ask_ranx(example):
    from ranx import Qrels, Run, evaluate

    return evaluate(Qrels({"q": dict.fromkeys(example.relevant, 1)}), Run({"q": example.scores}), f"map@{example.k}")


def ask_ml_metrics(example):
    from ml_metrics import apk

    return apk(example.relevant, example.ranking, example.k)


def ask_recmetrics(example):
    path = BESIDE / "recmetrics/recmetrics/metrics.py"  # the package itself also asks for drawing libraries
    spec = importlib.util.spec_from_file_location("recmetrics_metrics", path)
    spec.loader.exec_module(module := importlib.util.module_from_spec(spec))
    return module.mark([example.relevant], [example.ranking], example.k)


def ask_rectools(example, **options):
    import pandas
    from rectools.metrics import MAP

    ranked = pandas.DataFrame({"user_id": 1, "item_id": example.ranking, "rank": range(1, len(example.ranking) + 1)})
    relevant = pandas.DataFrame({"user_id": 1, "item_id": example.relevant})
    return MAP(k=example.k, **options).calc(ranked, relevant)


def ask_rectools_by_k(example):
    return ask_rectools(example, divide_by_k=True)


def ask_implicit(example):
    import numpy
    from implicit.evaluation import mean_average_precision_at_k
    from scipy.sparse import csr_matrix

    class Model:
        def recommend(self, users, user_items, N):
            return numpy.arange(N, dtype=numpy.int32)[None], None

    liked = csr_matrix([example.relevance + [1] * example.missing])
    return mean_average_precision_at_k(Model(), csr_matrix(liked.shape), liked, K=example.k, show_progress=False)


def ask_sklearn(example):
    from sklearn.metrics import average_precision_score

    return average_precision_score(example.top, range(len(example.top), 0, -1))


def ask_torchmetrics(example):
    import torch
    from torchmetrics.retrieval import RetrievalMAP

    relevance = torch.tensor(example.relevance + [1] * example.missing)
    scores = torch.arange(len(relevance), 0, -1) / len(relevance)
    return RetrievalMAP(top_k=example.k)(scores, relevance, indexes=torch.zeros_like(relevance)).item()


def ask_haystack(example):
    from haystack import Document
    from haystack.components.evaluators import DocumentMAPEvaluator

    relevant, ranked = ([Document(content=item) for item in items] for items in (example.relevant, example.ranking[: example.k]))
    return DocumentMAPEvaluator().run(ground_truth_documents=[relevant], retrieved_documents=[ranked])["score"]


def ask_llama_index(example):
    from llama_index.core.evaluation.retrieval.metrics import AveragePrecision

    return AveragePrecision().compute(expected_ids=example.relevant, retrieved_ids=example.ranking[: example.k]).score


def ask_ragas(example):
    import asyncio

    from ragas.dataset_schema import SingleTurnSample
    from ragas.metrics import ExactMatch, NonLLMContextPrecisionWithReference

    metric = NonLLMContextPrecisionWithReference(distance_measure=ExactMatch())
    sample = SingleTurnSample(retrieved_contexts=example.ranking[: example.k], reference_contexts=example.relevant)
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
    "pytrec_eval": Library("pytrec-eval-terrier", 'RelevanceEvaluator(qrels, {"map_cut.5"}).evaluate(run)', ask_pytrec_eval, "MIT", note="trec_eval itself, called from Python."),
    "ir_measures": Library("ir-measures", "calc_aggregate([AP@5], qrels, run)", ask_ir_measures, "Apache-2.0", note="Computed by pytrec_eval, its first provider for AP@k."),
    "ranx": Library("ranx", 'evaluate(qrels, run, "map@5")', ask_ranx, "MIT"),
    "ml_metrics": Library("ml_metrics", "apk(actual, predicted, k=5)", ask_ml_metrics, "BSD-2-Clause", beside="ml_metrics",
                          note="Version 0.1.4 is for Python 2; it installs only with setuptools before 58, and runs on Python 3."),
    "implicit": Library("implicit", "mean_average_precision_at_k(model, train, test, K=5)", ask_implicit, "MIT"),
    "rectools": Library("rectools", "MAP(k=5).calc(reco, interactions)", ask_rectools, "Apache-2.0", beside="rectools", note="Asks for NumPy before 2; its metric runs on NumPy 2."),
    "rectools, divide_by_k": Library("rectools", "MAP(k=5, divide_by_k=True).calc(reco, interactions)", ask_rectools_by_k, "Apache-2.0", beside="rectools"),
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


def described(example):
    """What is stored of an example."""
    return example._asdict()


SURVEY = Survey("ap_at_k", __doc__, EXAMPLES, LIBRARIES, answers, entry, described)

if __name__ == "__main__":
    sys.exit(SURVEY.main(sys.argv[1:]))
