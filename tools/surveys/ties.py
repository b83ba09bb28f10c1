"""Ask other libraries what they make of equal scores: the same examples to each, and which rule their answers fit.

Usage: python -m tools.surveys.ties [--check], as survey.py says.
"""

import re
import sys
from functools import lru_cache, partial
from importlib import import_module
from itertools import combinations, product
from typing import NamedTuple

import numpy as np

from metrics.exact import definitions
from tools.surveys.survey import Survey, answer, ask_ir_measures, ask_pytrec_eval, ask_ranx, fits

UNSPECIFIED = "unspecified"
COPIES = 200  # so many queries at once, all of them the first example


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


def example_of(stored):
    """An example as it is stored; of a long list the name says how it is made: ten blocks of equal scores, and the ids in a mixed order."""
    if "ids" not in stored:
        [relevant] = map(int, re.findall(r"item (\d+) is relevant", stored["name"]))
        items = range(200)
        stored = stored | {"ids": [str(37 * i % 200) for i in items], "scores": [i % 10 for i in items], "relevance": [int(i == relevant) for i in items]}
    return Example(**{key: tuple(value) if isinstance(value, list) else value for key, value in stored.items()})


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


def by_name(ask, **names):
    """One that takes judgements and a run, and what it calls AP, P@k, RR and nDCG@k, as far as it is asked."""
    return lambda metric, example, copies: ask(names[metric.removesuffix("@k")].format(k=example.k, n=len(example.ids)), *example.asked(copies))


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


ASK = {
    "pytrec_eval": by_name(ask_pytrec_eval, AP="map", P="P.{k}", RR="recip_rank", nDCG="ndcg_cut.{k}"),
    "ir_measures": by_name(ask_ir_measures, AP="AP", P="P@{k}", RR="RR", nDCG="nDCG@{k}"),
    "ir_measures, RR with a cut": by_name(ask_ir_measures, RR="RR@{n}"),
    "ranx": by_name(ask_ranx, AP="map", P="precision@{k}", RR="mrr", nDCG="ndcg@{k}"),
    "scikit-learn": ask_sklearn, "scikit-learn, ignore_ties": partial(ask_sklearn, ignore_ties=True), "scikit-learn, ranking of labels": ask_sklearn_of_labels,
    "torchmetrics": ask_torchmetrics, "torchmetrics, classification": ask_torchmetrics_binary, "implicit": ask_implicit, "ml_metrics": ask_ml_metrics,
}  # fmt: skip


# ---- What they answer, and what fits it ------------------------------------------------------------------


def answers(entry):
    """The values of each metric for all examples, and for many queries at once where that is asked; a library that takes a list has no ties."""
    if entry["takes"] == "a list":
        return {}
    ask = ASK[entry["name"]]
    return {
        "values": {metric: [answer(ask, metric, example, 1) for example in EXAMPLES] for metric in entry["calls"]},
        "of_many": {metric: answer(ask, metric, SHORT[0], COPIES) for metric in entry["of_many"]},
    }


def rule_of(metric, values, examples):
    """The one rule that fits the values of a metric for the examples, or "unspecified"."""
    found = [rule for rule in rules(metric) if all(fits(value, expected(example, metric, rule)) for value, example in zip(values, examples))]
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


def derived(entry):
    """What follows from the values of a library."""
    if entry["takes"] == "a list":
        return {}
    values = entry["values"]
    return {
        "rule": {metric: rule_of(metric, of_all, SHORT) for metric, of_all in values.items()},
        "rule_in_long_lists": {metric: rule_of(metric, of_all, SHORT + LONG) for metric, of_all in values.items()},
        "changes_with": {metric: changes_with(of_all) for metric, of_all in values.items()},
        "ties_of_its_own": ties_of_its_own(values),
    }


SURVEY = Survey("ties", answers, derived, beside=("ml_metrics", "rectools", "recmetrics"))
EXAMPLES = list(map(example_of, SURVEY.read()["examples"]))
SHORT, LONG, NEAR = EXAMPLES[:5], EXAMPLES[5:8], EXAMPLES[8:]

if __name__ == "__main__":
    sys.exit(SURVEY.main())
