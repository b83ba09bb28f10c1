"""What other libraries made of equal scores, in book/data/ties.json, and which rule fits their answers."""

import json
import re
from functools import lru_cache
from itertools import combinations, product
from typing import NamedTuple

from metrics.exact import definitions
from metrics.notebook import data
from tools.surveys.ap_at_k import fits

UNSPECIFIED = "unspecified"


class Example(NamedTuple):
    """Items in the order in which they are given: their ids, scores and relevance, and a cut."""

    name: str
    ids: tuple
    scores: tuple
    relevance: tuple
    k: int


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


# ---- What fits the answers -------------------------------------------------------------------------------


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


EXAMPLES = list(map(example_of, json.loads(data("ties.json").read_text(encoding="utf-8"))["examples"]))
SHORT, LONG, NEAR = EXAMPLES[:5], EXAMPLES[5:8], EXAMPLES[8:]
