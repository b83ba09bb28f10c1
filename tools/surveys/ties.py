"""Ask other libraries what they make of equal scores: the same examples to each, and which rule their answers fit.

Usage: python -m tools.surveys.ties [--check], as survey.py says.
"""

import sys
from functools import lru_cache, partial
from importlib import import_module
from itertools import combinations, product
from typing import NamedTuple

import numpy as np

from metrics.exact import definitions
from tools.surveys.survey import Survey, answer, ask_ir_measures, ask_pytrec_eval, ask_ranx, fits, installed

UNSPECIFIED = "unspecified"


class Example(NamedTuple):
    """Items in the order in which they are given: their ids, scores and relevance, and a cut."""

    name: str
    ids: tuple
    scores: tuple
    relevance: tuple
    k: int

    def asked(self, copies):
        """The judgements and the run of so many queries, all the same; some libraries insist on floats."""
        queries, relevant = [f"query {number}" for number in range(copies)], [item for item, hit in zip(self.ids, self.relevance) if hit]
        return dict.fromkeys(queries, dict.fromkeys(relevant, 1)), dict.fromkeys(queries, dict(zip(self.ids, map(float, self.scores))))


def long_list(relevant):
    """200 items in ten blocks of equal scores; the ids are numbers in a mixed order."""
    scores = tuple(item % 10 for item in range(200))
    ids = tuple(str(37 * item % 200) for item in range(200))
    name = f"200 items: item i, counted from 0, has the score i % 10 and the id 37 i % 200; item {relevant} is relevant"
    return Example(name, ids, scores, tuple(int(item == relevant) for item in range(200)), k=5)


SHORT = [
    Example("four equal scores, the first item is relevant", ("a", "b", "c", "d"), (1, 1, 1, 1), (1, 0, 0, 0), k=2),
    Example("four equal scores, the last item is relevant", ("a", "b", "c", "d"), (1, 1, 1, 1), (0, 0, 0, 1), k=2),
    Example("four equal scores, the first item is relevant, the ids reversed", ("d", "c", "b", "a"), (1, 1, 1, 1), (1, 0, 0, 0), k=2),
    Example("a tie across the cut", ("a", "b", "c", "d"), (2, 1, 1, 0), (0, 1, 0, 1), k=2),
    Example("five equal scores across the cut, the ids are numbers", ("8", "6", "7", "12", "10", "9", "11"), (3, 2, 2, 2, 2, 1, 2), (0, 0, 0, 1, 0, 0, 1), k=3),
]
LONG = [long_list(19), long_list(29), long_list(159)]
NEAR = [
    Example(f"{low!r} and {high!r}, the higher is {place}", ("a", "b"), scores, relevance, k=1)
    for low, high in [(0.3, 0.1 + 0.2), (40.0, 50.0)]
    for place, scores, relevance in [("last", (low, high), (0, 1)), ("first", (high, low), (1, 0))]
]
EXAMPLES = SHORT + LONG + NEAR
COPIES = 200  # so many queries at once, all of them the first example


def described(example):
    """What is stored of an example: of a long list the name says it all."""
    return {"name": example.name, "k": example.k} if example in LONG else example._asdict()


# ---- What the answers may be: each rule for ties gives a value ---------------------------------------------

METRICS = {
    "AP": lambda ranking, k: definitions.average_precision(ranking),
    "P@k": definitions.precision_at,
    "RR": lambda ranking, k: definitions.reciprocal_rank(ranking),
    "nDCG@k": definitions.ndcg,
    "AUC": lambda ranking, k: definitions.auc(ranking),
}
ORDERS = {  # what comes first among equal scores
    "input order": lambda example, item: item,
    "reverse input order": lambda example, item: -item,
    "by id, ascending": lambda example, item: sorted(example.ids).index(example.ids[item]),
    "by id, descending": lambda example, item: -sorted(example.ids).index(example.ids[item]),
}
RANDOM, BLOCK, HALF = "expected over random order", "one threshold per block of equal scores", "half a pair"
BEST, WORST = "best", "worst"


def rules(metric):
    """The rules that a metric may follow. For AUC, the expected value is that of half a pair."""
    return [*ORDERS, HALF if metric == "AUC" else RANDOM, *([BLOCK] if metric == "AP" else []), BEST, WORST]


def blocks(example):
    """The relevance of the items of each score, the highest score first."""
    return [[hit for score, hit in zip(example.scores, example.relevance) if score == level] for level in sorted(set(example.scores), reverse=True)]


@lru_cache(maxsize=None)
def over_all_orders(example, metric):
    """The value of every ranking that the scores allow; all are equally likely, for each stands for as many orders of the items."""
    places = [[[int(i in chosen) for i in range(len(block))] for chosen in combinations(range(len(block)), sum(block))] for block in blocks(example)]
    return [METRICS[metric](sum(ranking, []), example.k) for ranking in product(*places)]


@lru_cache(maxsize=None)
def expected(example, metric, rule):
    """The value of a metric where ties are treated by a rule."""
    if rule in ORDERS:
        order = sorted(range(len(example.ids)), key=lambda item: (-example.scores[item], ORDERS[rule](example, item)))
        return float(METRICS[metric]([example.relevance[item] for item in order], example.k))
    if rule == HALF:
        return float(definitions.auc_from_scores(example.scores, example.relevance))
    if rule == BLOCK:
        return float(one_threshold_per_block(blocks(example)))
    values = over_all_orders(example, metric)
    return float({BEST: max, WORST: min, RANDOM: definitions.mean}[rule](values))


def one_threshold_per_block(blocks):
    """AP where a block of equal scores is retrieved at once: its hits count the precision at its end."""
    ends = [sum(blocks[: number], []) for number in range(1, len(blocks) + 1)]
    total = sum(sum(block) * definitions.over(sum(end), len(end)) for block, end in zip(blocks, ends))
    return definitions.over(total, 1) / sum(ends[-1])


# ---- The libraries: each function gives the mean of a metric over so many copies of an example ---------------


def ask_by_name(ask, names, metric, example, copies):
    """Ask one that takes judgements and a run; `names` has its names of AP, P@k, RR and nDCG@k."""
    return ask(names[THE_FOUR.index(metric)].format(k=example.k, n=len(example.ids)), *example.asked(copies))


def ask_sklearn(metric, example, copies, **options):
    learn = import_module("sklearn.metrics")
    if metric == "nDCG@k":
        return learn.ndcg_score([example.relevance] * copies, [example.scores] * copies, k=example.k, **options)
    return {"AP": learn.average_precision_score, "AUC": learn.roc_auc_score}[metric](example.relevance, example.scores)


def ask_sklearn_of_labels(metric, example, copies):
    return import_module("sklearn.metrics").label_ranking_average_precision_score([example.relevance] * copies, [example.scores] * copies)


def ask_torchmetrics(metric, example, copies):
    torch, retrieval = import_module("torch"), import_module("torchmetrics.retrieval")
    scores = torch.tensor(example.scores * copies, dtype=torch.float64)
    query = torch.arange(copies).repeat_interleave(len(example.ids))
    at_k = {"top_k": example.k} if metric.endswith("@k") else {}
    name = {"AP": "MAP", "P@k": "Precision", "RR": "MRR", "nDCG@k": "NormalizedDCG", "AUC": "AUROC"}[metric]
    return getattr(retrieval, f"Retrieval{name}")(**at_k)(scores, torch.tensor(example.relevance * copies), indexes=query).item()


def ask_torchmetrics_binary(metric, example, copies):
    torch, classification = import_module("torch"), import_module("torchmetrics.classification")
    of = {"AP": classification.BinaryAveragePrecision, "AUC": classification.BinaryAUROC}[metric]()
    return of(torch.tensor(example.scores, dtype=torch.float64), torch.tensor(example.relevance)).item()


def ask_implicit(metric, example, copies):
    matrix, evaluation = import_module("scipy.sparse").csr_matrix, import_module("implicit.evaluation")
    model = import_module("implicit.cpu.als").AlternatingLeastSquares(factors=1)
    model.user_factors, model.item_factors = np.ones((copies, 1), np.float32), np.array(example.scores, np.float32)[:, None]
    liked = matrix([example.relevance] * copies)
    k = example.k if metric == "nDCG@k" else len(example.ids)
    name = {"AP": "map", "nDCG@k": "ndcg", "AUC": "auc"}[metric]
    return evaluation.ranking_metrics_at_k(model, matrix(liked.shape), liked, K=k, show_progress=False)[name]


def ask_ml_metrics(metric, example, copies):
    return import_module("ml_metrics").auc(example.relevance, example.scores)


class Library(NamedTuple):
    """Whom to ask: the name in the package index, the call for each metric as text, how to call it, and what to know about it."""

    package: str
    licence: str
    calls: dict = {}  # none: it takes a list, which has no ties
    ask: object = None
    at_once: tuple = ()  # the metrics that it computes for many queries at once
    beside: str = ""  # its folder, if it is not installed with the others
    note: str = ""
    see: tuple = ()  # where its makers or its users say so


THE_FOUR = ("AP", "P@k", "RR", "nDCG@k")
LIBRARIES = {
    "pytrec_eval": Library(
        "pytrec-eval-terrier", "MIT",
        {metric: f'RelevanceEvaluator(qrels, {{"{name}"}}).evaluate(run)' for metric, name in zip(THE_FOUR, ("map", "P.2", "recip_rank", "ndcg_cut.2"))},
        partial(ask_by_name, ask_pytrec_eval, ("map", "P.{k}", "recip_rank", "ndcg_cut.{k}")), THE_FOUR, note="trec_eval itself, called from Python. Ids are compared as text, scores in single precision.",
        see=("https://github.com/usnistgov/trec_eval/issues/22", "https://github.com/usnistgov/trec_eval/issues/34", "https://github.com/cvangysel/pytrec_eval/issues/56"),
    ),
    "ir_measures": Library(
        "ir-measures", "Apache-2.0", {metric: f"calc_aggregate([{name}], qrels, run)" for metric, name in zip(THE_FOUR, ("AP", "P@2", "RR", "nDCG@2"))},
        partial(ask_by_name, ask_ir_measures, ("AP", "P@{k}", "RR", "nDCG@{k}")), THE_FOUR, note="Computed by pytrec_eval, its first provider for these.", see=("https://github.com/terrierteam/ir_measures/issues/18",),
    ),
    "ir_measures, RR with a cut": Library(
        "ir-measures", "Apache-2.0", {"RR": "calc_aggregate([RR@10], qrels, run)"}, partial(ask_by_name, ask_ir_measures, ("", "", "RR@{n}")), ("RR",),
        note="Computed by another provider, the script of MS MARCO; asked with the cut at the length of the list.", see=("https://github.com/terrierteam/ir_measures/issues/18",),
    ),
    "ranx": Library(
        "ranx", "MIT", {metric: f'evaluate(qrels, run, "{name}")' for metric, name in zip(THE_FOUR, ("map", "precision@2", "mrr", "ndcg@2"))},
        partial(ask_by_name, ask_ranx, ("map", "precision@{k}", "mrr", "ndcg@{k}")), THE_FOUR, note="It sorts by Numba's quicksort, which is an insertion sort for at most 15 items.", see=("https://github.com/numba/numba/blob/13ece9b97e6f01f750e870347f231282325f60c3/numba/misc/quicksort.py",),
    ),
    "scikit-learn": Library(
        "scikit-learn", "BSD-3-Clause",
        {"AP": "average_precision_score(relevance, scores)", "nDCG@k": "ndcg_score([relevance], [scores], k=2)", "AUC": "roc_auc_score(relevance, scores)"},
        ask_sklearn, ("nDCG@k",), see=("https://github.com/scikit-learn/scikit-learn/issues/6377", "https://github.com/scikit-learn/scikit-learn/pull/9951"),
    ),
    "scikit-learn, ignore_ties": Library(
        "scikit-learn", "BSD-3-Clause", {"nDCG@k": "ndcg_score([relevance], [scores], k=2, ignore_ties=True)"}, partial(ask_sklearn, ignore_ties=True), ("nDCG@k",),
        note="It reverses an ascending sort by NumPy that is not stable, and that differs between processors.",
        see=("https://github.com/scikit-learn/scikit-learn/pull/9951",),
    ),
    "scikit-learn, ranking of labels": Library(
        "scikit-learn", "BSD-3-Clause", {"AP": "label_ranking_average_precision_score([relevance], [scores])"}, ask_sklearn_of_labels, ("AP",),
    ),
    "torchmetrics": Library(
        "torchmetrics", "Apache-2.0",
        {"AP": "RetrievalMAP()(scores, relevance, indexes=query)", "P@k": "RetrievalPrecision(top_k=2)(scores, relevance, indexes=query)",
         "RR": "RetrievalMRR()(scores, relevance, indexes=query)", "nDCG@k": "RetrievalNormalizedDCG(top_k=2)(scores, relevance, indexes=query)",
         "AUC": "RetrievalAUROC()(scores, relevance, indexes=query)"},
        ask_torchmetrics, tuple(METRICS), note="It sorts the items by their query with torch.sort, then those of each query by torch.topk; neither keeps the order of equal values.",
        see=("https://github.com/pytorch/pytorch/issues/88227", "https://github.com/Lightning-AI/torchmetrics/pull/2031"),
    ),
    "torchmetrics, classification": Library(
        "torchmetrics", "Apache-2.0", {"AP": "BinaryAveragePrecision()(scores, relevance)", "AUC": "BinaryAUROC()(scores, relevance)"}, ask_torchmetrics_binary,
        note="Scores outside [0, 1] go through the logistic function first, which rounds high ones to 1: so it makes ties.",
    ),
    "implicit": Library(
        "implicit", "MIT", {metric: f'ranking_metrics_at_k(model, train, test, K={k})["{name}"]' for metric, name, k in [("AP", "map", "n"), ("nDCG@k", "ndcg", 2), ("AUC", "auc", "n")]},
        ask_implicit, ("AP", "nDCG@k", "AUC"), note="It asks a model, which ranks by scores in single precision, and ranks otherwise for another K. Its precision divides by min(K, R): not asked.",
    ),
    "ml_metrics": Library("ml_metrics", "BSD-2-Clause", {"AUC": "auc(actual, posterior)"}, ask_ml_metrics, beside="ml_metrics", note="Its average precision takes a list."),
    "rectools": Library("rectools", "Apache-2.0", beside="rectools", note="Each item comes with its rank."),
    "recmetrics": Library("recmetrics", "MIT", beside="recmetrics"),
    "llama-index": Library("llama-index-core", "MIT"),
    "haystack": Library("haystack-ai", "Apache-2.0"),
    "ragas": Library("ragas", "Apache-2.0"),
}


# ---- What they answer, and what fits it ------------------------------------------------------------------


def answers(library):
    """The version of one library, the values of each metric for all examples, and for many queries at once; None if it is not installed."""
    found = installed(library)
    return found and {
        "version": found,
        "values": {metric: [answer(library.ask, metric, example, 1) for example in EXAMPLES] for metric in library.calls},
        "of_many": {metric: answer(library.ask, metric, SHORT[0], COPIES) for metric in library.at_once},
    }


def fitting(metric, values, examples):
    """The rules that fit the values of a metric for the examples."""
    return [rule for rule in rules(metric) if all(fits(value, expected(example, metric, rule)) for value, example in zip(values, examples))]


def rule_of(metric, values, examples):
    """The one rule that fits, or "unspecified"."""
    found = fitting(metric, values, examples)
    return found[0] if len(found) == 1 else UNSPECIFIED


def changes_with(values):
    """What changes the value besides scores and relevance, from the three examples of four equal scores."""
    first, last, renamed = values[:3]
    changed = {"ids": first != renamed, "input order": last != renamed}
    return [what for what, does in changed.items() if does]


def ties_of_its_own(values):
    """The pairs of different scores that some metric treats as equal: told apart, the higher one is always on top."""
    near = {metric: of_all[-len(NEAR):] for metric, of_all in values.items()}
    pairs = range(0, len(NEAR), 2)
    return [list(NEAR[i].scores) for i in pairs if any(not fits(value, 1.0) for of_near in near.values() for value in of_near[i : i + 2])]


def entry(name, library, found):
    """What is stored of a library."""
    known = {"name": name, "package": library.package, "version": found["version"], "licence": library.licence, "note": library.note}
    if not library.calls:
        return known | {"takes": "a list"}
    values = found["values"]
    return known | {
        "takes": "scores", "calls": library.calls, "see": list(library.see), "values": values, "of_many": found["of_many"],
        "rule": {metric: rule_of(metric, of_all, SHORT) for metric, of_all in values.items()},
        "rule_in_long_lists": {metric: rule_of(metric, of_all, SHORT + LONG) for metric, of_all in values.items()},
        "changes_with": {metric: changes_with(of_all) for metric, of_all in values.items()},
        "ties_of_its_own": ties_of_its_own(values),
    }


SURVEY = Survey("ties", EXAMPLES, LIBRARIES, answers, entry, described)

if __name__ == "__main__":
    sys.exit(SURVEY.main(sys.argv[1:]))
