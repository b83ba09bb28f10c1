"""A user's script with every public name that has no record: mypy reads it with --strict, and a test runs it, in which `assert_type` looks at what came out.

Elements of a list have one type only if all have it: one `Any` among them, and the list is a `list[Any]`.
"""

from typing import Any, assert_type

import numpy as np
import polars
from numpy.typing import NDArray

import metrics

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Hits = metrics.Hits

one = [0, 1, 0, 1]
two = [[0, 1], [1, 0]]

# ---- A list of 0 and 1, or of grades, gives a number -------------------------------------------------------

assert_type(metrics.average_precision(relevance=one), np.float64)
assert_type(metrics.average_precision((0, 1), n_relevant=3), np.float64)
number: float = metrics.average_precision([True, False])

assert_type([metrics.ties.average_precision([0, 1], scores=[2, 2]), metrics.ties.precision_at([0, 1], scores=[2, 2], k=1)], list[np.float64])

# ---- Several give an array, and what may be either can be used as both ----------------------------------------

assert_type([
    metrics.accuracy_at(two, 2, universe_size=9), metrics.auc(two), metrics.average_precision(two),
    metrics.average_precision_at(two, 2, denominator="ideal"), metrics.ndcg(two, k=10), metrics.precision_at(two, 2), metrics.r_precision(two),
    metrics.rank_at_recall(two, 0.5), metrics.reciprocal_rank(two), metrics.set_recall(two), metrics.ties.average_precision(two, scores=two),
], list[Floats])  # fmt: skip
assert_type(len(metrics.average_precision(two)), int)
first: float = metrics.average_precision(two)[0]

hits = Hits.from_ids(rankings=[["x", "a"], ["b"]], relevant=[{"a": 2, "c": 1}, {"b"}])
others = Hits.from_scores(scores=[[0.3, 0.1], [0.2, 0.4]], labels=two, ties="raise")
assert_type([hits, others, Hits.from_relevance(np.array(two)), Hits.from_ranks([[2], [1]], length=2), hits.top(3)], list[Hits])
for of_many in (metrics.average_precision(hits), metrics.average_precision(np.array(two))):
    both: tuple[float, int] = of_many[0], len(of_many)
of_one: float = metrics.average_precision(np.array(one))

assert_type([metrics.precision_curve(one), metrics.recall_curve(two), metrics.ties.best(one, scores=one)], list[Floats])
assert_type(metrics.break_even_ranks(one), Ints)

# ---- Counts, lists of ids, scores ------------------------------------------------------------------------------

table = metrics.confusion(predicted=["a", "b"], actual={"a", "c"}, universe_size=9)
assert_type((table.tp, table.tn), tuple[int, float])
assert_type([
    metrics.precision(2, 1), metrics.recall(tp=2, fn=0), metrics.accuracy(1, 1, 1, 1), metrics.jaccard(2, 1, 1), metrics.f_score(2, 1, 1, beta=2),
    metrics.e_measure(2, 1, 1), metrics.weighted_harmonic_mean(0.5, 1.0, alpha=0.5), metrics.utility(2, 1, 1, 4),
    metrics.kendall_tau([3, 2, 1], [3, 1, 2]), metrics.ap_correlation(reference=[3, 2, 1], other=[3, 1, 2]), metrics.weighted_tau([3, 2], [2, 3]),
    metrics.auc_from_scores(scores=[3, 2], labels=[1, 0]),
    metrics.mean([1.0, float("nan")], undefined="skip"), metrics.median([0.5, 1.0], undefined="raise"),
    metrics.geometric_mean(metrics.average_precision(two), undefined=0),
], list[np.float64])  # fmt: skip
several: list[float] = [metrics.precision([2, 3], [1, 1])[0], metrics.kendall_tau(two, two)[0], metrics.auc_from_scores(scores=two, labels=two)[0]]
assert_type(metrics.weights_of([0.5, 0.25, 0]), Floats)
drafted: list[int] = metrics.team_draft(["a", "b"], ["b", "a"], coins=[0, 1]).teams
assert_type(metrics.rank_biased_overlap(["a", "b"], ["b", "c"], persistence=0.9), float)

rankings, relevant = [["a", "b"], ["c", "a"]], [["a"], ["a", "d"]]
frequency = {"a": 9, "b": 3, "c": 1, "d": 1}
decile: dict[str, int] = metrics.frequency_deciles(frequency)
propensity: dict[str, float] = metrics.propensities(frequency, n_instances=20)
assert_type([
    metrics.precision_by_decile(predictions=rankings, actual=relevant, decile=decile, k=2),
    metrics.ndcg_by_decile(predictions=rankings, actual=relevant, decile=decile, k=2),
    metrics.rank_for_recall_by_decile(predictions=rankings, actual=relevant, decile=decile, level=0.5, aggregate="mean", unreached=3),
    metrics.prediction_proportions_at(predictions=rankings, decile=decile, k=2),
    metrics.prediction_precision_at(predictions=rankings, actual=relevant, decile=decile, k=2),
    metrics.positive_coverage_at(predictions=rankings, actual=relevant, decile=decile, k=2),
    metrics.alpha_ndcg(rankings=rankings, intents=[[["a", "b"], ["c"]], [["a"]]], k=2),
    metrics.err_ia(rankings=rankings, intents=[[["a", "b"], ["c"]], [["a"]]]),
], list[Floats])  # fmt: skip
assert_type([
    metrics.catalogue_coverage_at(predictions=rankings, catalogue=set("abcd"), k=2), metrics.gini_at(predictions=rankings, catalogue=list("abcd"), k=2),
    metrics.novelty_at(predictions=rankings, counts=frequency, k=2),
    metrics.propensity_scored_precision_at(predictions=rankings, actual=relevant, propensity=propensity, k=1),
    metrics.propensity_scored_ndcg_at(predictions=rankings, actual=relevant, propensity=propensity, k=1),
    metrics.premise_selection.cover(suggestions=["a", "x"], required={"a", "b"}),
], list[np.float64])  # fmt: skip

curve = metrics.precision_recall_curve(scores=[3, 2, 1], labels=[1, 0, 1])
highest: float = curve.thresholds.max()
items, judged = polars.DataFrame({"query": [7, 7], "item": ["a", "b"], "score": [0.2, 0.9]}), polars.DataFrame({"query": [7], "item": ["a"]})
assert_type([
    metrics.from_columns(query_id=["q", "q"], label=[1, 0], score=[0.2, 0.5]), metrics.from_frame(items, judged),
], list[Hits])  # fmt: skip
groups = metrics.split_by_item(rankings=rankings, relevant=relevant, group=dict.fromkeys("abcd", 1), ungrouped="raise")
assert_type(groups[1], Hits)

# ---- Many metrics, systems and topics --------------------------------------------------------------------------------

found = metrics.evaluate({"new": two, "old": hits}, "AP P@1", undefined=0)
assert_type(found["new"].mean(), dict[str, float])
assert_type(found["new"]["AP"].round(2).tolist(), Any)
summed: float = metrics.evaluate(hits, ["RR"])["RR"].sum()
qrels, run = {"q": {"a": 1, "b": 0}}, {"q": {"a": 0.5, "b": 0.7}}
assert_type(metrics.trec.evaluate(qrels, run, "map").mean()["map"], float)
topics: list[tuple[Any, ...] | None] = [values.topics for values in metrics.trec.evaluate(qrels, run, "map P_5").values()]
assert_type(metrics.evaluate(run, "AP", qrels=qrels).mean(), dict[str, float])
assert_type(metrics.evaluate({"new": run, "old": {"q": {"b": 2.0}}}, "AP", qrels=qrels)["old"].mean(), dict[str, float])
assert_type(metrics.evaluate({"q": ["b", "a"]}, "AP", qrels={"q": {"a"}}).mean(), dict[str, float])
difference = metrics.compare([0.5, 0.9, 0.4], [0.4, 0.7, 0.4], test="randomisation", undefined=0)
board = metrics.leaderboard({"one": [0.5, 0.9, 0.4], "other": [0.4, 0.7, 0.3]}, undefined="raise")
sentence: tuple[str, float] = str(difference), difference.p
names: list[str] = list(board.names)
total = metrics.Total.of([0.5, 0.25]) + metrics.Total.of([0.125])
assert_type([total.mean(undefined="raise"), metrics.LogTotal.of([0.5]).mean(undefined="raise")], list[float])
assert_type(metrics.trec_names.value("map", hits), Floats)
metrics.plots.precision_recall({"one": two}, levels=3)

# ---- The exact side ------------------------------------------------------------------------------------------------------

exact = metrics.definitions.average_precision(one, 2)
checked = metrics.claims.rankings(3)
