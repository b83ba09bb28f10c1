"""Ask other libraries for their metrics: the same inputs to each, and the call of ours that gives the same number.

    python -m tools.rosetta             asks, says what differs from book/data/rosetta.json, and stores the answers there
    python -m tools.rosetta --check     only says what differs, and exits with 1 if anything does

`make ask` does the latter, in an environment that has the libraries. One that is not installed keeps what is stored of it.
The stored file is the table of what is asked, too. To ask for more, copy a line there.
"""

import difflib
import json
import math
import sys
import warnings
from functools import lru_cache, partial
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from itertools import zip_longest
from pathlib import Path
from string import ascii_lowercase
from types import SimpleNamespace
from typing import NamedTuple

import numpy as np

import metrics
from metrics import Hits, trec_names
from metrics.notebook import data

UNDEFINED = "undefined"

# ---- The inputs: one line each -----------------------------------------------------------------------------


class Query(NamedTuple):
    """A query: its items in the given order, their scores, and the grades of all judged items."""

    items: list | None  # None: the run does not have this query
    scores: list
    judged: dict

    @property
    def relevant(self):
        return {item for item, grade in self.judged.items() if grade > 0}

    @property
    def intents(self):
        """The items relevant to each intent: an item of grade g has the intents 1 to g."""
        return [{item for item, grade in self.judged.items() if grade >= intent} for intent in range(1, max(self.judged.values(), default=0) + 1)]

    @property
    def grades(self):
        return [self.judged.get(item, 0) for item in self.items]


def query_of(line):
    """The query that a line stands for: one grade per item, in the order in which the items were given, the highest score first.

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
    """An input that tells conventions apart, written on one line, with semicolons between queries."""

    def __init__(self, name, line):
        self.name = name
        self.queries = {str(number): query_of(each) for number, each in enumerate(line.split(";"), 1)}
        self.answered = {name: query for name, query in self.queries.items() if query.items is not None}
        self.repeats = any(len(set(query.items)) < len(query.items) for query in self.answered.values())
        self.qrels = {name: query.judged for name, query in self.queries.items()}
        self.run = {name: dict(zip(query.items, query.scores)) for name, query in self.answered.items()}

    def __repr__(self):
        return self.name

    @property
    def matrices(self):
        """The grades and the scores as arrays, one row per query."""
        return (np.array([getattr(query, part) for query in self.answered.values()]) for part in ("grades", "scores"))


def tops(scores):
    """A 1 for each of the three highest scores in a row, where the first of equal scores counts as higher; 0 elsewhere."""
    return (np.argsort(np.argsort(-scores, kind="stable"), kind="stable") < 3).astype(int)


# ---- How each library is asked: a function of what the user writes, and the example -------------------------


def ask_pytrec_eval(theirs, example):
    """The mean over the queries, as trec_eval takes it."""
    measure, *level = theirs.split(" -l ")
    pytrec_eval = import_module("pytrec_eval")
    found = pytrec_eval.RelevanceEvaluator(example.qrels, {measure}, relevance_level=int(*level or [1])).evaluate(example.run)
    return pytrec_eval.compute_aggregated_measure(measure, [next(iter(each.values())) for each in found.values()])


def ask_pyndeval(theirs, example):
    """The mean over the queries of ndeval, which is given the intents as subtopics."""
    qrels = [(name, str(number), item, 1) for name, query in example.queries.items() for number, intent in enumerate(query.intents) for item in intent]
    run = [(name, item, score) for name, query in example.answered.items() for item, score in zip(query.items, query.scores)]
    return np.mean([each[theirs] for each in import_module("pyndeval").ndeval(qrels, run, [theirs]).values()])


def ask_ir_measures(theirs, example):
    ir = import_module("ir_measures")
    [value] = ir.calc_aggregate([ir.parse_measure(theirs)], example.qrels, example.run).values()
    return value


def ask_ranx(theirs, example):
    ranx = import_module("ranx")
    return ranx.evaluate(ranx.Qrels(example.qrels), ranx.Run(example.run), theirs, make_comparable=True)


def ask_cwl_eval(theirs, example):
    """The gain per item of cwl_eval's reader down to rank 1000, its default; each cost is 1."""
    ruler = import_module("cwl.ruler.cwl_ruler")
    measure, found = eval(theirs, vars(ruler)), []
    for name, query in example.answered.items():
        gains = [float(query.judged.get(item, math.nan)) for item in query.items]
        ranking = ruler.Ranking(name, gains, [1.0] * len(gains))
        ranking.total_qrel_rels = len(query.relevant)
        found.append(measure.measure(ranking))
    return np.mean(found)


def ask_sklearn(theirs, example):
    learn = import_module("sklearn.metrics")
    y, s = example.matrices
    names = {"y": y, "s": s, "top": tops(s)}
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
    """The relevant items and the ranked items, one row per item."""
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


def learner(theirs, example):
    """The input for learning to rank, which here starts from the scores and learns nothing: metric, settings, rows, grades, scores, query sizes."""
    measure, *settings = theirs.split()
    y, s = map(np.ravel, example.matrices)
    return measure, dict(each.split("=") for each in settings), np.zeros((y.size, 1)), y, s, [len(query.items) for query in example.answered.values()]


def ask_lightgbm(theirs, example):
    measure, settings, rows, y, s, sizes = learner(theirs, example)
    lightgbm, settings = import_module("lightgbm"), settings | {"verbose": -1, "objective": "lambdarank", "metric": measure.partition("@")[0], "eval_at": 3}
    return lightgbm.Booster(settings, lightgbm.Dataset(rows, y, group=sizes, init_score=s, params=settings)).eval_train()[0][2]


def ask_xgboost(theirs, example):
    measure, settings, rows, y, s, sizes = learner(theirs, example)
    xgboost, settings = import_module("xgboost"), settings | {"objective": "rank:ndcg", "eval_metric": measure}
    given = xgboost.DMatrix(rows, y, group=sizes, base_margin=s)
    return xgboost.train(settings, given, 0).eval(given).rpartition(":")[2]


def ask_catboost(theirs, example):
    measure, _, _, y, s, sizes = learner(theirs, example)
    return import_module("catboost.utils").eval_metric(y, s, measure, group_id=np.repeat(np.arange(len(sizes)), sizes))[0]


def ask_retrieval_evaluator(theirs, example):
    """The values that follow once the evaluator's model has scored the documents."""
    ids, relevant = {name: name for name in example.queries}, {name: query.relevant for name, query in example.queries.items()}
    cuts = dict.fromkeys(("mrr_at_k", "ndcg_at_k", "accuracy_at_k", "precision_recall_at_k", "map_at_k"), [3])
    evaluator = import_module("sentence_transformers.sentence_transformer.evaluation").InformationRetrievalEvaluator(ids, ids, relevant, **cuts)
    found = [[{"corpus_id": item, "score": score} for item, score in example.run[name].items()] for name in evaluator.queries_ids]
    return evaluator.compute_metrics(found)[theirs.replace("3", "k")][3]


def ask_reranking_evaluator(theirs, example):
    """The value of the evaluator, for which a document is its score here, and so is the output of the model."""
    evaluation, tensor = import_module("sentence_transformers.sentence_transformer.evaluation"), import_module("torch").tensor
    model = SimpleNamespace(**dict.fromkeys(("encode_query", "encode_document"), lambda texts, **_: tensor(texts)))
    pairs = [list(zip(query.scores, query.grades)) for query in example.answered.values()]
    samples = [{"query": 0.0, "positive": [s for s, y in each if y], "negative": [s for s, y in each if not y]} for each in pairs]
    return evaluation.RerankingEvaluator(samples, at_k=3, similarity_fct=lambda _, scores: scores).compute_metrics(model)[theirs.partition("@")[0]]


def ask_recbole(theirs, example):
    """The value from the data of RecBole's collector: the hits in the top 3, and R; for the whole list, the sum of the hits' ranks, and two counts."""
    vars(np).setdefault("float", float)  # it was written for NumPy before 1.24
    of = [(np.array(query.grades, bool), len(query.relevant)) for query in example.answered.values()]
    made = {"rec.topk": [[*np.append(hits, [0, 0, 0])[:3], n] for hits, n in of],
            "rec.meanrank": [[np.flatnonzero(hits).sum() + hits.sum(), hits.size, hits.sum()] for hits, _ in of]}  # fmt: skip
    metric = getattr(import_module("recbole.evaluator.metrics"), theirs.partition("@")[0])({"topk": [3], "metric_decimal_place": 12})
    return metric.calculate_metric({name: import_module("torch").tensor(np.array(rows)) for name, rows in made.items()})[theirs.lower()]


def ask_beir(theirs, example):
    evaluation = import_module("beir.retrieval.evaluation").EvaluateRetrieval
    custom = evaluation.evaluate_custom(example.qrels, example.run, [3], theirs.partition("@")[0])
    return next(each[theirs] for each in ([custom] if custom else evaluation.evaluate(example.qrels, example.run, [3])) if theirs in each)


def ask_implicit(theirs, example):
    """The value for a model that recommends the items of the example, and -1 if there are no more, as implicit's own models do."""
    likes = import_module("scipy.sparse").csr_matrix([[float(item in query.relevant) for item in ascii_lowercase] for query in example.queries.values()])
    ranked = np.array([([*map(ascii_lowercase.index, query.items)] + [-1] * 3)[:3] for query in example.queries.values()], np.int32)
    model = SimpleNamespace(recommend=lambda users, *_, **__: (ranked[users], np.zeros(ranked[users].shape, np.float32)))
    return import_module("implicit.evaluation").ranking_metrics_at_k(model, likes * 0, likes, K=3, show_progress=False)[theirs]


def ask_lenskit(theirs, example):
    collection, lenskit = import_module("lenskit.data").ItemListCollection, import_module("lenskit.metrics")
    test, ranked = (collection.from_df(each, ["user_id"]) for each in frames(example, "user_id", "item_id", "rating", "score", "rank"))
    return lenskit.RunAnalysis(eval(theirs, vars(lenskit) | vars(lenskit.ranking))).measure(ranked, test).list_summary()["mean"].iloc[0]


# Elasticsearch needs a server. What is stored of it follows from the formulas of its documentation, so to ask again would say nothing new.
# Nor would it of Kaggle and MS MARCO: theirs are a few lines each, which were run, and no package that installs.
# Evidently and ragas were run in environments of their own: the one wants pandas before 3, the other LangChain before 1.
ASK = {
    "trec_eval": ask_pytrec_eval, "ndeval": ask_pyndeval, "ir_measures": ask_ir_measures, "ranx": ask_ranx, "scikit-learn": ask_sklearn,
    "torchmetrics": ask_torchmetrics, "cwl-eval": ask_cwl_eval,
    "Spark": ask_spark, "recommenders": ask_recommenders, "RecTools": ask_rectools,
    "LightGBM": ask_lightgbm, "XGBoost": ask_xgboost, "CatBoost": ask_catboost, "InformationRetrievalEvaluator": ask_retrieval_evaluator,
    "RerankingEvaluator": ask_reranking_evaluator, "RecBole": ask_recbole, "BEIR": ask_beir, "implicit": ask_implicit, "LensKit": ask_lenskit,
    "nDCG@3, given grades": partial(ask_spark, graded=True),  # a row of Spark
}  # fmt: skip


# ---- The calls of ours ---------------------------------------------------------------------------------------


def namespace(library, example):
    """The names that our calls find: `hits` from the judgements, `binary` from the relevant items alone, `rankings` and `intents`, or else
    `grades` and `scores` of the lists, and `top`, which marks the three highest scores."""
    names = {"metrics": metrics, "Hits": Hits, "trec_names": trec_names, "np": np}
    if library["sees"] == "a list":
        grades, scores = example.matrices
        return names | {"grades": grades, "scores": scores, "top": tops(scores)}
    queries = example.queries.values() if library["absent"] == "empty" else example.answered.values()
    queries = [query for query in queries if query.relevant or library["nothing"] == "counts"]

    def order(query):
        given = zip(query.items or [], query.scores)
        by = (lambda pair: (-np.float32(pair[1]), [-ord(letter) for letter in pair[0]])) if library["ties"] == "id" else lambda pair: -pair[1]
        return [item for item, _ in sorted(given, key=by)]

    rankings = list(map(order, queries))
    hits = Hits.from_ids(rankings=rankings, relevant=[query.judged for query in queries])
    names |= {"hits": hits, "rankings": rankings, "intents": [query.intents for query in queries]}
    return names | {"binary": Hits.from_ids(rankings=rankings, relevant=[query.relevant for query in queries])}


def ours(library, row, example):
    """Our number: the mean of the call over the queries, where an undefined value counts as the row says."""
    values = eval(row["ours"], namespace(library, example))
    return float(metrics.mean(values, undefined=row["undefined"]) if np.ndim(values) else values)


def same(library, row, theirs, mine):
    """Whether the two numbers are the same, up to the precision of the library, or both undefined."""
    if not isinstance(theirs, float):
        return theirs == UNDEFINED and math.isnan(mine)
    return abs(theirs - mine) <= row.get("within", library["tolerance"])


# ---- What they answer ------------------------------------------------------------------------------------------


def answer(ask, theirs, example):
    """A value rounded to twelve digits, "undefined", or the error."""
    try:
        value = float(ask(theirs, example))
    except ImportError:
        raise  # half installed is no answer
    except Exception as error:
        return f"{type(error).__name__}: {error}".splitlines()[0]
    return UNDEFINED if math.isnan(value) else round(value, 12)


def ask(entry):
    """The values to store for a library now, for each row and all inputs; a null stays, because the library cannot take that input."""

    def of_row(row):
        how = ASK.get(row["metric"], ASK[entry["name"]])
        cannot = [value is None for value in row["values"]]
        return [None if no else answer(how, row["theirs"], example) for example, no in zip_longest(EXAMPLES, cannot)]

    if not entry["package"]:
        return entry
    return entry | {"version": version(entry["package"]), "rows": [row | {"values": of_row(row)} for row in entry["rows"]]}


def as_text(stored):
    """The stored data as text: one line per example, one per field of a library, and one per object in a list."""

    def field(value):
        rows = [f"\n        {json.dumps(each)}" for each in value] if isinstance(value, list) and value and isinstance(value[0], dict) else []
        return f"[{','.join(rows)}\n      ]" if rows else json.dumps(value)

    examples = ",\n".join(f"    {json.dumps(example)}" for example in stored["examples"])
    libraries = [",\n".join(f"      {json.dumps(key)}: {field(value)}" for key, value in entry.items()) for entry in stored["libraries"]]
    each = ",\n".join(f"    {{\n{fields}\n    }}" for fields in libraries)
    return f'{{\n  "examples": [\n{examples}\n  ],\n  "libraries": [\n{each}\n  ]\n}}\n'


def main(arguments):
    """Ask, say what differs, store the answers unless `--check` is given, and return the exit status."""
    warnings.simplefilter("ignore")
    sys.path.append(str(Path(sys.prefix, "beside")))  # what cannot be installed with the others
    now = []
    for entry in STORED["libraries"]:
        print(f"asking {entry['name']}", file=sys.stderr)
        try:
            now.append(ask(entry))
        except PackageNotFoundError:
            print(f"{entry['name']}: not installed here")
            now.append(entry)
    before, after = as_text(STORED), as_text(STORED | {"libraries": now})
    differs = list(difflib.unified_diff(before.splitlines(), after.splitlines(), "stored", "now", n=0, lineterm=""))
    print(*differs or ["Nothing has changed."], sep="\n")
    if arguments != ["--check"]:
        data("rosetta.json").write_text(after, encoding="utf-8")
    return int(arguments == ["--check"] and bool(differs))


STORED = json.loads(data("rosetta.json").read_text(encoding="utf-8"))
EXAMPLES = [Example(**each) for each in STORED["examples"]]

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
