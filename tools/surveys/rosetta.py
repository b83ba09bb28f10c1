"""Ask other libraries for their metrics: the same inputs to each, and the call of ours that gives the same number.

Usage: python -m tools.surveys.rosetta [--check], as survey.py says.
"""

import math
import sys
from functools import cached_property, lru_cache, partial
from importlib import import_module
from string import ascii_lowercase
from typing import NamedTuple

import numpy as np

import metrics
from metrics import Hits, trec_names
from tools.surveys import survey
from tools.surveys.survey import UNDEFINED, Survey, answer, installed

# ---- The inputs: one line each -----------------------------------------------------------------------------


class Query(NamedTuple):
    """A query: its items as they were given, their scores, and the grades of all items that were judged."""

    items: list | None  # None: the run does not have this query
    scores: list
    judged: dict

    @property
    def relevant(self):
        return {item for item, grade in self.judged.items() if grade > 0}

    @property
    def grades(self):
        return [self.judged.get(item, 0) for item in self.items]


def query_of(line):
    """The query that a line stands for: a grade an item, in the order in which the items were given, the highest score first.

    `?` is an item that nobody judged, `again` the same item once more, `absent` a query that the run does not have;
    behind `@` stands a score, and behind `|` stand the grades of the items that are not ranked.
    """
    ranked, _, missing = (part.split() for part in line.partition("|"))
    names, items, scores, judged = iter(ascii_lowercase), [], [], {}
    absent = ranked == ["absent"]
    for place, (grade, _, score) in enumerate([] if absent else [word.partition("@") for word in ranked]):
        items.append(items[-1] if grade == "again" else next(names))
        scores.append(float(score or len(ranked) - place))
        if grade not in ("again", "?"):
            judged[items[-1]] = int(grade)
    return Query(None if absent else items, scores, judged | {next(names): int(grade) for grade in missing})


class Example:
    """An input that tells conventions apart, written on one line; a semicolon stands between queries."""

    def __init__(self, name, line):
        self.name, self.line = name, line
        self.queries = {str(number): query_of(each) for number, each in enumerate(line.split(";"), 1)}

    def __repr__(self):
        return self.name

    @cached_property
    def answered(self):
        return {name: query for name, query in self.queries.items() if query.items is not None}

    @property
    def repeats(self):
        return any(len(set(query.items)) < len(query.items) for query in self.answered.values())

    @property
    def qrels(self):
        return {name: query.judged for name, query in self.queries.items()}

    @property
    def run(self):
        return {name: dict(zip(query.items, query.scores)) for name, query in self.answered.items()}

    @property
    def matrices(self):
        """The grades and the scores as arrays, a row a query."""
        return (np.array([getattr(query, part) for query in self.answered.values()]) for part in ("grades", "scores"))


EXAMPLES = [
    Example("hits at ranks 2, 4 and 5", "0 1 0 1 1 0"),
    Example("a relevant item is not ranked", "0 1 0 1 1 0 | 1"),
    Example("fewer relevant items than k", "0 1 0 0 0"),
    Example("more relevant items than k", "1 0 1 1 0 | 1 1"),
    Example("fewer items ranked than k", "1 0 | 1 1"),
    Example("graded", "1 0 2 0 3"),
    Example("graded, and the best item is not ranked", "1 0 2 | 3 0"),
    Example("a tie", "0@2 0@2 1@2 1@2 0@2 0@1"),
    Example("a tie across the cut", "0@3 0@2 0@1 1@1"),
    Example("no hit above the cut", "0 0 0 1"),
    Example("no hit at all", "0 0 0 | 1"),
    Example("all items relevant", "1 1 1"),
    Example("nothing is relevant", "0 0 0"),
    Example("items that nobody judged", "? 1 0 ? 1 0 | 1 0"),
    Example("an empty list", "| 1 1"),
    Example("scores below zero", "1@-1 0@-2 1@-3"),
    Example("one query of two has nothing relevant", "1 0 ; 0 0"),
    Example("one query of two has no hit", "1 0 ; 0 0 | 1"),
    Example("one query of two is not in the run", "1 0 ; absent | 1"),
    Example("the same item twice", "1 again 0 | 1"),
]


# ---- How each library is asked: a function of what the user writes, and the example -------------------------


def ask_pytrec_eval(theirs, example):
    measure, *level = theirs.split(" -l ")
    return survey.ask_pytrec_eval(measure, example.qrels, example.run, int(*level or [1]))


def ask_ir_measures(theirs, example):
    return survey.ask_ir_measures(theirs, example.qrels, example.run)


def ask_ranx(theirs, example):
    return survey.ask_ranx(theirs, example.qrels, example.run, make_comparable=True)


def ask_sklearn(theirs, example):
    learn = import_module("sklearn.metrics")
    y, s = example.matrices
    top = np.argsort(np.argsort(-s, kind="stable"), kind="stable") < 3
    names = {"y": y, "s": s, "top": top.astype(int)}
    if "recall," in theirs:
        [y], [s] = y, s
        names["precision"], names["recall"], _ = learn.precision_recall_curve(y, s)
    return eval(theirs, vars(learn) | names)


def ask_torchmetrics(theirs, example):
    torch, retrieval = import_module("torch"), import_module("torchmetrics.retrieval")
    rows = [(score, grade, row) for row, query in enumerate(example.answered.values()) for score, grade in zip(query.scores, query.grades)]
    scores, grades, query = map(torch.tensor, zip(*rows))
    return eval(theirs, vars(retrieval))(scores, grades, indexes=query).item()


@lru_cache
def spark():
    """Spark on this machine; it writes nothing."""
    context = import_module("pyspark").SparkContext("local[1]", "rosetta")
    context.setLogLevel("OFF")
    return context


def ask_spark(theirs, example, graded=False):
    rows = [(query.items, sorted(query.relevant)) for query in example.answered.values()]
    if graded:
        rows = [(items, labels, [float(query.judged[label]) for label in labels]) for (items, labels), query in zip(rows, example.answered.values())]
    evaluation = import_module("pyspark.mllib.evaluation")
    return eval(f"metrics.{theirs}", {"metrics": evaluation.RankingMetrics(spark().parallelize(rows))})


def frames(example, *columns):
    """What is relevant, and what was ranked, a row an item."""
    frame = import_module("pandas").DataFrame
    relevant = [(name, item, grade) for name, query in example.queries.items() for item, grade in query.judged.items() if grade > 0]
    ranked = [(name, item, score, rank) for name, query in example.answered.items()
              for rank, (item, score) in enumerate(zip(query.items, query.scores), 1)]
    user, item, rating, score, rank = columns
    return frame(relevant, columns=[user, item, rating]), frame(ranked, columns=[user, item, score, rank])


def ask_recommenders(theirs, example):
    true, predicted = frames(example, "userID", "itemID", "rating", "prediction", "place")
    return eval(theirs, vars(import_module("recommenders.evaluation.python_evaluation")) | {"true": true, "pred": predicted.drop(columns="place")})


def ask_rectools(theirs, example):
    relevant, ranked = frames(example, "user_id", "item_id", "weight", "score", "rank")
    return eval(theirs, vars(import_module("rectools.metrics"))).calc(ranked, relevant)


# Elasticsearch needs a server: its metrics by their documented formulas, for a query each; the mean is over the queries.


def es_precision(ratings, judged, k=10, relevant_rating_threshold=1, ignore_unlabeled=False):
    top = [grade for grade in ratings[:k] if grade is not None or not ignore_unlabeled]
    return sum((grade or 0) >= relevant_rating_threshold for grade in top) / len(top) if top else 0


def es_recall(ratings, judged, k=10, relevant_rating_threshold=1):
    found, all_of_them = (sum((grade or 0) >= relevant_rating_threshold for grade in each) for each in (ratings[:k], judged))
    return found / all_of_them if all_of_them else 0


def es_mean_reciprocal_rank(ratings, judged, k=10, relevant_rating_threshold=1):
    return next((1 / rank for rank, grade in enumerate(ratings[:k], 1) if (grade or 0) >= relevant_rating_threshold), 0)


def es_dcg(ratings, judged, k=10, normalize=False):
    def total(grades):
        return sum((2 ** (grade or 0) - 1) / math.log2(rank + 1) for rank, grade in enumerate(grades, 1))

    top = ratings[:k]
    ideal = total(sorted(judged, reverse=True)[:len(top)])
    return total(top) if not normalize else total(top) / ideal if ideal else 0


def es_expected_reciprocal_rank(ratings, judged, maximum_relevance, k=10):
    value, left = 0, 1
    for rank, grade in enumerate(ratings[:k], 1):
        stops = (2 ** (grade or 0) - 1) / 2 ** maximum_relevance
        value, left = value + left * stops / rank, left * (1 - stops)
    return value


def ask_elasticsearch(theirs, example):
    [(name, settings)] = eval(theirs, {"true": True}).items()
    formula = globals()[f"es_{name}"]
    queries = [([query.judged.get(item) for item in query.items or []], list(query.judged.values())) for query in example.queries.values()]
    return np.mean([formula(*query, **settings) for query in queries])


# ---- The calls of ours ---------------------------------------------------------------------------------------


class Row(NamedTuple):
    """A metric of a library: what its user writes, the call of ours, and the convention in words.

    The mean over queries counts what is undefined as `undefined`; `but` says why the inputs that it names give another number.
    """

    metric: str
    theirs: str
    ours: str
    says: str = ""
    undefined: float | str = 0
    but: dict = {}
    tolerance: float | None = None  # if another than the library's
    ask: object = None  # likewise
    cannot: tuple = ()  # the inputs that it cannot be given, besides those of the library


def namespace(library, example):
    """What the calls of ours find: `hits` from the judgements, `binary` from the relevant items alone, `grades` and `scores` of the lists."""
    queries = example.queries.values() if library.absent == "empty" else example.answered.values()
    queries = [query for query in queries if query.relevant or library.nothing == "counts"]

    def order(query):
        given = zip(query.items or [], query.scores)
        by = (lambda pair: (-np.float32(pair[1]), [-ord(letter) for letter in pair[0]])) if library.ties == "id" else lambda pair: -pair[1]
        return [item for item, _ in sorted(given, key=by)]

    rankings = [order(query) for query in queries]
    names = {"metrics": metrics, "Hits": Hits, "trec_names": trec_names, "np": np}
    if library.sees == "a list":
        grades, scores = example.matrices
        return names | {"grades": grades, "scores": scores}
    hits = Hits.from_ids(rankings=rankings, relevant=[query.judged for query in queries])
    binary = Hits.from_ids(rankings=rankings, relevant=[query.relevant for query in queries])
    return names | {"hits": hits, "binary": binary}


def ours(library, row, example):
    """The number of ours: the mean of the call over the queries."""
    values = eval(row.ours, namespace(library, example))
    return float(metrics.mean(values, undefined=row.undefined) if np.ndim(values) else values)


def same(library, row, theirs, mine):
    """Whether the two are one number, up to the precision of the library, or both undefined."""
    if not isinstance(theirs, float):
        return theirs == UNDEFINED and math.isnan(mine)
    return abs(theirs - mine) <= (row.tolerance or library.tolerance)


GRADED, UNRANKED, TIE, TIE_AT_3 = "graded", "graded, and the best item is not ranked", "a tie", "a tie across the cut"
FEW, NO_HIT, ALL, NOTHING, BELOW_ZERO = "fewer items ranked than k", "no hit at all", "all items relevant", "nothing is relevant", "scores below zero"
TWICE, ABSENT, EMPTY = "the same item twice", "one query of two is not in the run", "an empty list"
ONE_EMPTY, ONE_MISSED = "one query of two has nothing relevant", "one query of two has no hit"


def because(reason, *names):
    """The same reason for several inputs."""
    return dict.fromkeys(names, reason)


AP_AT_3 = 'metrics.average_precision_at({}, 3, denominator="{}")'
TREC_EVAL = [
    Row("AP", "map", "metrics.average_precision(hits)"),
    Row("AP@3", "map_cut_3", AP_AT_3.format("hits", "relevant"), "divides by R"),
    Row("geometric MAP", "gm_map", "metrics.geometric_mean(metrics.average_precision(hits), undefined=0, floor=1e-5)", "AP below 0.00001 counts as 0.00001"),
    Row("P@3", "P_3", "metrics.precision_at(hits, 3)", "divides by 3, however short the list"),
    Row("P@3 from grade 2", "P_3 -l 2", "metrics.precision_at(hits.at_level(2), 3)"),
    Row("recall@3", "recall_3", "metrics.recall_at(hits, 3)"),
    Row("success@3", "success_3", "metrics.success_at(hits, 3)"),
    Row("R-precision", "Rprec", "metrics.r_precision(hits)"),
    Row("reciprocal rank", "recip_rank", "metrics.reciprocal_rank(hits)"),
    Row("nDCG", "ndcg", "metrics.ndcg(hits)", "linear gain; the ideal has all judged items"),
    Row("nDCG@3", "ndcg_cut_3", "metrics.ndcg(hits, 3)", "linear gain; the ideal is cut at 3 too"),
    Row("bpref", "bpref", "metrics.bpref(hits)"),
    Row("interpolated precision at recall 0.5", "iprec_at_recall_0.50", "metrics.interpolated_precision(hits, 0.5)"),
    Row("11-point AP", "11pt_avg", 'trec_names.value("11pt_avg", hits)', "a rounding of its own of the levels of recall: metrics.eleven_point_average_precision has none",
        but=because("from Python, undefined for an empty list", EMPTY)),
    Row("inferred AP", "infAP", "metrics.inferred_average_precision(hits)"),
    Row("precision of the list", "set_P", "metrics.set_precision(hits)"),
    Row("recall of the list", "set_recall", "metrics.set_recall(hits)"),
    Row("F of the list", "set_F", "metrics.set_f_score(hits)"),
    Row("precision times recall of the list", "set_map", "metrics.set_average_precision(hits)"),
]
IR_MEASURES = [
    Row("AP", "AP", "metrics.average_precision(hits)"),
    Row("AP@3", "AP@3", AP_AT_3.format("hits", "relevant"), "divides by R"),
    Row("P@3", "P@3", "metrics.precision_at(hits, 3)", "divides by 3, however short the list"),
    Row("P@3 from grade 2", "P(rel=2)@3", "metrics.precision_at(hits.at_level(2), 3)"),
    Row("recall@3", "R@3", "metrics.recall_at(hits, 3)"),
    Row("success@3", "Success@3", "metrics.success_at(hits, 3)"),
    Row("R-precision", "Rprec", "metrics.r_precision(hits)"),
    Row("reciprocal rank", "RR", "metrics.reciprocal_rank(hits)"),
    Row("RR@3", "RR@3", "metrics.reciprocal_rank(hits.top(3))", "by the script of MS MARCO",
        but=because("that script keeps the order of the run among equal scores", TIE, TIE_AT_3)),
    Row("nDCG", "nDCG", "metrics.ndcg(hits)", "linear gain"),
    Row("nDCG@3", "nDCG@3", "metrics.ndcg(hits, 3)", "linear gain"),
    Row("nDCG@3, exponential gain", "nDCG(dcg='exp-log2')@3", 'metrics.ndcg(hits, 3, gain="exponential")', "by the script gdeval, in Perl, which prints five digits", tolerance=6e-6),
    Row("ERR@3", "ERR@3", "metrics.expected_reciprocal_rank(hits.top(3), 4)", "by gdeval: the best grade is always 4; five digits", tolerance=6e-6),
    Row("RBP", "RBP(p=0.8,rel=1)", "metrics.rank_biased_precision(hits, 0.8)", "by cwl-eval",
        but=because("cwl-eval keeps the order of the run among equal scores", TIE, TIE_AT_3)),
    Row("bpref", "Bpref", "metrics.bpref(hits)"),
    Row("interpolated precision at recall 0.5", "IPrec@0.5", "metrics.interpolated_precision(hits, 0.5)"),
    Row("judged@3", "Judged@3", "metrics.judged_at(hits, 3)", "by a provider of its own"),
    Row("precision of the list", "SetP", "metrics.set_precision(hits)"),
    Row("F of the list", "SetF", "metrics.set_f_score(hits)"),
]
RANX = [
    Row("AP", "map", "metrics.average_precision(hits)"),
    Row("AP@3", "map@3", AP_AT_3.format("hits", "relevant"), "divides by R"),
    Row("P@3", "precision@3", "metrics.precision_at(hits, 3)"),
    Row("P@3 from grade 2", "precision@3-l2", "metrics.precision_at(hits.at_level(2), 3)"),
    Row("recall@3", "recall@3", "metrics.recall_at(hits, 3)"),
    Row("F@3", "f1@3", "metrics.f_score_at(hits, 3)"),
    Row("success@3", "hit_rate@3", "metrics.success_at(hits, 3)"),
    Row("R-precision", "r-precision", "metrics.r_precision(hits)"),
    Row("reciprocal rank", "mrr", "metrics.reciprocal_rank(hits)"),
    Row("RR@3", "mrr@3", "metrics.reciprocal_rank(hits.top(3))"),
    Row("DCG@3", "dcg@3", "metrics.dcg(hits, 3)"),
    Row("nDCG", "ndcg", "metrics.ndcg(hits)", "linear gain"),
    Row("nDCG@3", "ndcg@3", "metrics.ndcg(hits, 3)", "linear gain"),
    Row("nDCG@3, exponential gain", "ndcg_burges@3", 'metrics.ndcg(hits, 3, gain="exponential")'),
    Row("RBP", "rbp.80", "metrics.rank_biased_precision(hits, 0.8)",
        but=because("each hit counts as often as its grade says, so it can exceed 1; ours has binary relevance", GRADED, UNRANKED)),
    Row("bpref", "bpref", "metrics.bpref(hits)", but=because("0/0 if nothing was judged irrelevant; there ours counts each hit 1, as trec_eval does", ALL)),
]
ONE_STEP = "a block of equal scores is one threshold: the precision at its end, for all its hits"
SKLEARN = [
    Row("AP", 'average_precision_score(y, s, average="samples")', "metrics.average_precision(grades)", "of the list, as all of these", but=because(ONE_STEP, TIE)),
    Row("AP of labels", "label_ranking_average_precision_score(y, s)", "metrics.average_precision(grades)", undefined=1, but=because(ONE_STEP, TIE)),
    Row("AUC", 'roc_auc_score(y, s, average="samples")', "metrics.auc_from_scores(scores=scores, labels=grades)",
        undefined="skip", but=because("one undefined query makes the mean undefined", ONE_EMPTY, ONE_MISSED)),
    Row("area under the curve, trapezoids", "auc(recall, precision)", "metrics.trapezoidal_area(grades)", undefined=0.5,
        but=because("the curve has a point for each distinct score, and trapezoids between them", TIE), cannot=(ONE_EMPTY, ONE_MISSED)),
    Row("DCG@3", "dcg_score(y, s, k=3)", "metrics.dcg(metrics.ties.shared(grades, scores=scores), 3)", "linear gain; the mean over all orders of ties"),
    Row("nDCG", "ndcg_score(y, s)", "metrics.ties.ndcg(grades, scores=scores)", "linear gain; the mean over all orders of ties"),
    Row("nDCG@3", "ndcg_score(y, s, k=3)", "metrics.ties.ndcg(grades, scores=scores, k=3)", "likewise"),
    Row("P@3", 'precision_score(y, top, average="samples")', "metrics.precision_at(grades, min(3, grades.shape[-1]))", "divides by what was predicted"),
    Row("recall@3", 'recall_score(y, top, average="samples")', "metrics.recall_at(grades, 3)"),
    Row("F@3", 'f1_score(y, top, average="samples")', "metrics.f_score_at(grades, min(3, grades.shape[-1]))"),
    Row("success@3", "top_k_accuracy_score(y.argmax(1), s, k=3, labels=range(y.shape[1]))", "metrics.success_at(grades, 3)", "for exactly one relevant item",
        but=because("it takes one label, here the first of the greatest grade", GRADED, NO_HIT, NOTHING) | because("of equal scores the last comes first", TIE_AT_3)),
    Row("full recall", "coverage_error(y, s)", "metrics.full_recall(metrics.ties.worst(grades, scores=scores))", "equal scores at worst"),
    Row("pairs in the wrong order", "label_ranking_loss(y, s)", "1 - metrics.auc(metrics.ties.worst(grades, scores=scores))", "equal scores at worst"),
]
NOT_POSITIVE = because("a hit with a score of 0 or less does not count: add a constant to all scores first", BELOW_ZERO)
TOPK = NOT_POSITIVE | because("torch.topk decides among equal scores", TIE_AT_3)
TORCHMETRICS = [
    Row("AP", "RetrievalMAP()", "metrics.average_precision(grades)", "the relevant items of the list are all there are", but=TOPK),
    Row("AP@3", "RetrievalMAP(top_k=3)", AP_AT_3.format("grades", "retrieved"), "divides by the hits above the cut", but=TOPK),
    Row("P@3", "RetrievalPrecision(top_k=3)", "metrics.precision_at(grades, 3)", "divides by 3, however short the list", but=TOPK),
    Row("P@3, adaptive", "RetrievalPrecision(top_k=3, adaptive_k=True)", "metrics.precision_at(grades, min(3, grades.shape[-1]))", "divides by the length, if less", but=TOPK),
    Row("recall@3", "RetrievalRecall(top_k=3)", "metrics.recall_at(grades, 3)", but=NOT_POSITIVE),
    Row("recall@3, skipping", 'RetrievalRecall(top_k=3, empty_target_action="skip")', "metrics.recall_at(grades, 3)", undefined="skip",
        but=NOT_POSITIVE | because("0 if no query is left", NO_HIT, NOTHING)),
    Row("fall-out@3", "RetrievalFallOut(top_k=3)", "metrics.recall_at(1 - grades, 3)", "of the irrelevant items, the share above the cut", undefined=1),
    Row("success@3", "RetrievalHitRate(top_k=3)", "metrics.success_at(grades, 3)"),
    Row("R-precision", "RetrievalRPrecision()", "metrics.r_precision(grades)"),
    Row("reciprocal rank", "RetrievalMRR()", "metrics.reciprocal_rank(grades)", but=TOPK),
    Row("RR@3", "RetrievalMRR(top_k=3)", "metrics.reciprocal_rank(Hits.from_relevance(grades).top(3))", but=TOPK),
    Row("nDCG", "RetrievalNormalizedDCG()", "metrics.ties.ndcg(grades, scores=scores)", "linear gain; the mean over all orders of ties"),
    Row("nDCG@3", "RetrievalNormalizedDCG(top_k=3)", "metrics.ties.ndcg(grades, scores=scores, k=3)", "likewise"),
    Row("AUC", "RetrievalAUROC()", "metrics.auc_from_scores(scores=scores, labels=grades)"),
]
SPARK = [
    Row("AP", "meanAveragePrecision", "metrics.average_precision(hits)"),
    Row("AP@3", "meanAveragePrecisionAt(3)", AP_AT_3.format("hits", "ideal"), "divides by min(R, 3)"),
    Row("P@3", "precisionAt(3)", "metrics.precision_at(hits, 3)"),
    Row("recall@3", "recallAt(3)", "metrics.recall_at(hits, 3)"),
    Row("nDCG@3", "ndcgAt(3)", "metrics.ndcg(binary, 3)", "every gain is 1"),
    Row("nDCG@3, given grades", "ndcgAt(3)", "metrics.ndcg(binary, 3)", "from Python, a third list with the grades changes nothing", ask=partial(ask_spark, graded=True)),
]
ABSENT_IS_0 = because("a user without recommendations counts 0 here, and is left out by the other metrics", ABSENT)
RECOMMENDERS = [
    Row("AP@3", "map(true, pred, k=3)", AP_AT_3.format("hits", "relevant"), "divides by R"),
    Row("AP@3, at k", "map_at_k(true, pred, k=3)", AP_AT_3.format("hits", "ideal"), "divides by min(R, 3)"),
    Row("P@3", "precision_at_k(true, pred, k=3)", "metrics.precision_at(hits, 3)", "divides by 3, however short the list"),
    Row("recall@3", "recall_at_k(true, pred, k=3)", "metrics.recall_at(hits, 3)"),
    Row("R-precision", "r_precision_at_k(true, pred, k=1000)", "np.where(metrics.r_precision(hits) > 0, metrics.r_precision(hits), np.nan)",
        "users whose value is 0 are left out of the mean", "skip", because("0 if nobody has a hit", NO_HIT)),
    Row("nDCG@3", "ndcg_at_k(true, pred, k=3)", "metrics.ndcg(binary, 3)", "every gain is 1", but=ABSENT_IS_0),
    Row("nDCG@3, graded", 'ndcg_at_k(true, pred, k=3, score_type="raw")', "metrics.ndcg(hits, 3)", "linear gain", but=ABSENT_IS_0),
    Row("nDCG@3, exponential gain", 'ndcg_at_k(true, pred, k=3, score_type="exp")', 'metrics.ndcg(hits, 3, gain="exponential")', but=ABSENT_IS_0),
]
RECTOOLS = [
    Row("AP@3", "MAP(k=3)", AP_AT_3.format("hits", "relevant")),
    Row("AP@3, divided by k", "MAP(k=3, divide_by_k=True)", AP_AT_3.format("hits", "cutoff")),
    Row("P@3", "Precision(k=3)", "metrics.precision_at(hits, 3)"),
    Row("hits of min(R, 3)", "Precision(k=3, r_precision=True)", "metrics.normalized_recall_at(hits, 3)"),
    Row("recall@3", "Recall(k=3)", "metrics.recall_at(hits, 3)"),
    Row("F@3", "F1Beta(k=3)", "metrics.f_score_at(hits, 3)"),
    Row("success@3", "HitRate(k=3)", "metrics.success_at(hits, 3)"),
    Row("RR@3", "MRR(k=3)", "metrics.reciprocal_rank(hits.top(3))"),
    Row("nDCG@3", "NDCG(k=3)", "metrics.dcg(binary, 3) / metrics.dcg([1, 1, 1])"),
    Row("nDCG@3, achievable", "NDCG(k=3, divide_by_achievable=True)", "metrics.ndcg(binary, 3)"),
]
ELASTICSEARCH = [
    Row("P@3", '{"precision": {"k": 3}}', "metrics.precision(tp=hits.within(3), fp=np.minimum(hits.length, 3) - hits.within(3))", "divides by what was found, at most 3"),
    Row("P@3, judged only", '{"precision": {"k": 3, "ignore_unlabeled": true}}', "metrics.precision(tp=hits.within(3), fp=hits.irrelevant.within(3))", "divides by the judged ones among the top 3"),
    Row("P@3 from grade 2", '{"precision": {"k": 3, "relevant_rating_threshold": 2}}', "metrics.precision(tp=hits.at_level(2).within(3), fp=np.minimum(hits.length, 3) - hits.at_level(2).within(3))"),
    Row("recall@3", '{"recall": {"k": 3}}', "metrics.recall_at(hits, 3)"),
    Row("RR@3", '{"mean_reciprocal_rank": {"k": 3}}', "metrics.reciprocal_rank(hits.top(3))"),
    Row("DCG@3", '{"dcg": {"k": 3}}', 'metrics.dcg(hits, 3, gain="exponential")'),
    Row("nDCG@3", '{"dcg": {"k": 3, "normalize": true}}', 'metrics.ndcg(hits, 3, gain="exponential")', "exponential gain",
        but=because("the ideal is cut at the length of the list: metrics.ndcg(hits, 2, ...) here", FEW)),
    Row("ERR@3", '{"expected_reciprocal_rank": {"maximum_relevance": 3, "k": 3}}', "metrics.expected_reciprocal_rank(hits.top(3), 3)"),
]


class Library(NamedTuple):
    """Whom to ask, how, and what to know of it."""

    package: str
    licence: str
    rows: list
    ask: object
    sees: str = "ids"  # or "a list": then it knows nothing of what was not ranked
    ties: str = "as given"  # or "id": of equal scores the greater id first
    absent: str = "left out"  # a query that is not in the run; or "empty", as if its list were empty
    nothing: str = "counts"  # a query without a relevant item; or "left out"
    tolerance: float = 1e-9  # more where it computes in single precision
    cannot: tuple = ()  # the inputs that it cannot be given
    beside: str = ""  # its folder, if it is not installed with the others
    note: str = ""
    source: str = ""  # of a library that is not run


LIBRARIES = {
    "trec_eval": Library(
        "pytrec-eval-terrier", "MIT", TREC_EVAL, ask_pytrec_eval, ties="id", cannot=(TWICE,),
        note="This is trec_eval 9.0.8, compiled into pytrec_eval and called from Python. Of equal scores, in single precision, the greater id comes first. "
        "The mean is over the queries that the run and the judgements share.",
    ),
    "ir_measures": Library(
        "ir-measures", "Apache-2.0", IR_MEASURES, ask_ir_measures, ties="id", absent="empty", cannot=(TWICE,),
        note="It hands each measure to a provider that has it: pytrec_eval, unless the row names another. A query that is not in the run counts 0.",
    ),
    "ranx": Library(
        "ranx", "MIT", RANX, ask_ranx, absent="empty", cannot=(TWICE,),
        note="Asked with make_comparable=True, so that a query that is not in the run counts 0; without it, ranx refuses. Equal scores keep their order in lists of at most 15 items.",
    ),
    "scikit-learn": Library(
        "scikit-learn", "BSD-3-Clause", SKLEARN, ask_sklearn, sees="a list", cannot=(TWICE, ABSENT, EMPTY),
        note="It sees the list alone: to it, the relevant items of the list are all there are. y has the grades and s the scores, a row a query; top marks the three highest scores.",
    ),
    "torchmetrics": Library(
        "torchmetrics", "Apache-2.0", TORCHMETRICS, ask_torchmetrics, sees="a list", tolerance=1e-6, cannot=(TWICE, ABSENT, EMPTY),
        note="It sees the list alone, and computes in single precision. A query without a relevant item counts what empty_target_action says, by default 0.",
    ),
    "Spark": Library(
        "pyspark", "Apache-2.0", SPARK, ask_spark, cannot=(ABSENT,),
        note="RankingMetrics, from Python. It takes lists without scores. Its class in Scala also takes grades: by its source, which was read and not run, with exponential gain "
        "and an ideal in the order in which the labels are given.",
    ),
    "recommenders": Library(
        "recommenders", "MIT", RECOMMENDERS, ask_recommenders, nothing="left out", beside="recommenders",
        note="true has the items that each user took, pred the recommended ones. Users who are in only one of the two are left out.",
    ),
    "RecTools": Library(
        "rectools", "Apache-2.0", RECTOOLS, ask_rectools, absent="empty", nothing="left out", beside="rectools",
        note="calc(reco, interactions) takes ranks, no scores. Users without an interaction are left out, users without recommendations count 0.",
    ),
    "Elasticsearch": Library(
        "", "", ELASTICSEARCH, ask_elasticsearch, absent="empty", cannot=(TWICE,), source="https://www.elastic.co/guide/en/elasticsearch/reference/current/search-rank-eval.html",
        note="By the formulas of its documentation, which give the numbers that its own tests expect; no server was run. A query that finds nothing counts 0.",
    ),
}


# ---- What they answer ------------------------------------------------------------------------------------------


def answers(library):
    """The version of one library, and the values of each row for all inputs; None if it is not installed."""
    found = "as documented" if library.source else installed(library)
    return found and {"version": found, "values": [[asked(library, row, example) for example in EXAMPLES] for row in library.rows]}


def asked(library, row, example):
    """What the library answers; None where it cannot be given the input."""
    if example.name in library.cannot + row.cannot:
        return None
    return answer(row.ask or library.ask, row.theirs, example, digits=12)


def entry(name, library, found):
    """What is stored of a library."""
    rows = [{"metric": row.metric, "theirs": row.theirs, "ours": row.ours, "says": row.says, "undefined": row.undefined, "but": row.but, "values": values}
            for row, values in zip(library.rows, found["values"], strict=True)]
    return {"name": name, "package": library.package, "version": found["version"], "licence": library.licence, "sees": library.sees, "ties": library.ties,
            "absent": library.absent, "nothing": library.nothing, "tolerance": library.tolerance, "note": library.note, "source": library.source, "rows": rows}


SURVEY = Survey("rosetta", EXAMPLES, LIBRARIES, answers, entry, described=lambda example: {"name": example.name, "line": example.line})

if __name__ == "__main__":
    sys.exit(SURVEY.main(sys.argv[1:]))
