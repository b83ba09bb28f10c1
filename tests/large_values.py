"""Values of large inputs, whose counts and keys pass 2^31: printed as JSON, for test_elsewhere.py, which compares what other NumPys and machines print.

    python tests/large_values.py FOLDER
"""

import inspect
import json
import sys
from pathlib import Path

import numpy as np

import metrics
from metrics import Hits, ties, trec

random = np.random.default_rng(32)
SETTINGS = {"k": 30_000, "multiple": 0.5, "denominator": "ideal", "recall": 0.7, "rank": 20_000, "p": 0.999, "max_grade": 3, "level": 0.4}


def of_a_ranking(hits):
    """Every public metric that asks for nothing but a ranking and a setting."""
    for name in metrics.__all__:
        signature = inspect.signature(function).parameters if inspect.isfunction(function := getattr(metrics, name)) else {}
        asked = [one.name for one in signature.values() if one.default is one.empty and one.name != "relevance"]
        if next(iter(signature), "") == "relevance" and set(asked) <= SETTINGS.keys() and name not in ("break_even_ranks", "evaluate"):
            yield name, function(hits, **{one: SETTINGS[one] for one in asked})


def found(folder):
    """Name -> values."""
    grades = random.choice([0, 0, 0, 1, 2], (3, 100_000))  # products of counts, such as relevant times irrelevant, pass 2^31
    scores, some_tied = random.random(grades.shape), random.integers(0, 50_000, grades.shape)
    ids = np.array([random.permutation(200_000)[:100_000].astype(np.int64) * 2**33 for _ in grades])
    judged = [dict(zip(row[::2].tolist(), (grade[::2] - 1).tolist())) for row, grade in zip(ids, grades)]
    parity = {item: f"part {item // 2**33 % 2}" for row in ids.tolist() for item in row}
    by_mapping = Hits.from_ids(rankings=ids.tolist(), relevant=judged)
    doors = {
        "from_relevance": Hits.from_relevance(grades), "from_ids, mappings": by_mapping, "at_level": by_mapping.at_level(1),
        "from_ids": Hits.from_ids(rankings=ids, relevant=ids[:, ::3]), "top": by_mapping.top(70_000),
        "from_ranks": Hits.from_ranks([(np.flatnonzero(row) + 1).tolist() for row in grades], length=100_000),
        "from_columns": metrics.from_columns(query_id=np.repeat([7, 5, 6], 100_000), label=grades.reshape(-1), score=scores.reshape(-1)),
        **{f"from_scores, {how}": Hits.from_scores(scores=some_tied, labels=grades, ties=how) for how in ("stable", "best", "worst")},
        **metrics.split_by_item(rankings=ids.tolist(), relevant=judged, group=parity, ungrouped="raise"),
    }
    for door, hits in doors.items():
        yield from ((f"{door}: {name}", np.ravel(values)[:: max(np.size(values) // 50, 1)]) for name, values in of_a_ranking(hits))
    tied = Hits.from_scores(scores=some_tied, labels=grades, ties="mean")
    for mean in (ties.average_precision, ties.reciprocal_rank, ties.ndcg):
        yield f"ties: {mean.__name__}", mean(tied)
    for shared in (ties.shared, ties.best, ties.worst):
        yield f"ties: {shared.__name__}", shared(grades, scores=some_tied)[:, ::2000]
    yield "auc_from_scores", metrics.auc_from_scores(scores=some_tied, labels=grades > 0)
    yield "curve", metrics.precision_recall_curve(scores=some_tied[0], labels=grades[0] > 0).best_f()
    many = [70_000, 100_000, 2**31 - 1]
    for metric in (metrics.precision, metrics.recall, metrics.accuracy, metrics.jaccard, metrics.f_score, metrics.e_measure):
        wanted = {name: many for name in ("tp", "fp", "fn", "tn") if name in inspect.signature(metric).parameters}
        yield metric.__name__, metric(**wanted)
    one, other = random.integers(0, 300, (2, 3, 1500))
    yield from ((metric.__name__, metric(one, other)) for metric in (metrics.kendall_tau, metrics.weighted_tau))
    yield "ap_correlation", metrics.ap_correlation(reference=random.permutation(3000), other=random.permutation(3000))
    shown = ids[:, :60_000].tolist()
    for metric in (metrics.catalogue_coverage_at, metrics.gini_at):
        yield metric.__name__, metric(predictions=shown, catalogue=ids[0].tolist(), k=60_000)
    intents = [[set(row[:30_000]), set(row[20_000:50_000])] for row in shown]
    yield "err_ia", metrics.err_ia(rankings=shown, intents=intents)
    yield "alpha_ndcg", metrics.alpha_ndcg(rankings=shown, intents=intents, k=20)
    suggested = {"suggestions": ids[0].tolist(), "required": ids[0, ::2].tolist()}
    yield from ((f"premise_selection: {name}", getattr(metrics.premise_selection, name)(**suggested)) for name in metrics.premise_selection.__all__)
    systems = dict(zip("abc", random.random((3, 300))))
    yield "compare", [(each := metrics.compare(systems["a"], systems["b"], test="randomisation", undefined="raise")).p, each.low, each.high]
    yield "leaderboard", [(board := metrics.leaderboard(systems, undefined="raise")).low, board.high, *board.p]
    yield from of_files(folder)


def of_files(folder):
    """Whole runs: the number of a topic becomes a part of a key, with a score of 32 bits or the number of a document."""
    lines = [(topic, document, random.integers(0, 40)) for topic in range(300) for document in random.permutation(400)[:100]]
    run, shuffled, qrels = (folder / name for name in ("a.run", "shuffled.run", "a.qrels"))
    text = [f"t{topic} Q0 d{document} 0 {score} tag\n" for topic, document, score in lines]
    run.write_text("".join(text))
    shuffled.write_text("".join(text[place] for place in random.permutation(len(text))))
    qrels.write_text("".join(f"t{topic} 0 d{document} {random.integers(-1, 3)}\n" for topic in range(300) for document in range(0, 400, 2)))
    for name, version in ((run, 9), (run, 10), (shuffled, 9)):
        values = trec.evaluate(qrels, name, ["all_trec", "AP", "Bpref", "AUC"], version=version, depth=90)
        yield from ((f"{name.name}, {version}: {measure}", its[::10]) for measure, its in values.items())


if __name__ == "__main__":
    print(json.dumps({name: np.ravel(values).tolist() for name, values in found(Path(sys.argv[1]))}))
