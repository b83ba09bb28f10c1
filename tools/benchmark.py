"""How fast the package is, beside others: what `make bench` runs. It times nothing until all agree.

Everyone starts from the same relevance matrices. Their values are compared first; a disagreement beyond 1e-9 ends the
run with exit code 1. A target that is missed is said, and is no error. The results replace what stands between the
markers in book/speed.md and README.md.

The others, each under a licence of its own: ranx (MIT) with numba (BSD), pytrec_eval-terrier (MIT), which holds
trec_eval, and scikit-learn (BSD). They are imported when they are needed, so the tests can import this file without.
"""

import gc
import os
import platform
import sys
import tracemalloc
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from statistics import median
from time import perf_counter

import numpy as np

import metrics
from metrics import Hits

ROOT = Path(__file__).resolve().parent.parent
PAGE, README = ROOT / "book" / "speed.md", ROOT / "README.md"
BEGIN, END = "<!-- bench:begin -->", "<!-- bench:end -->"
TOLERANCE, ROUNDS = 1e-9, 3
OURS, DENSE, BLOCKS, RANX, SKLEARN, TREC = MAIN = "this package", "dense NumPy", "dense, in blocks", "ranx", "scikit-learn", "pytrec_eval"

# ---- The rankings -----------------------------------------------------------------------------------------


def matrix(queries, length, relevant, seed=20):
    """Rankings as rows of 0 and 1, uint8; at least one entry of each row is 1. `relevant` is drawn for each row."""
    rng = np.random.default_rng(seed)
    counts = np.clip(relevant(rng, queries), 1, length - 1)
    rows = np.zeros((queries, length), np.uint8)
    for row, count in zip(rows, counts):
        row[rng.choice(length, count, replace=False)] = 1
    return rows


def always(count):
    return lambda rng, queries: np.full(queries, count)


def about(count):
    return lambda rng, queries: rng.poisson(count, queries)


def between(low, high):
    return lambda rng, queries: rng.integers(low, high + 1, queries)


HEADLINE, TEN = "7,000 × 1,000, one relevant", "7,000 × 1,000, about 10 relevant"
MATRICES = {
    HEADLINE: lambda: matrix(7_000, 1_000, always(1)),
    TEN: lambda: matrix(7_000, 1_000, about(10)),
    "100,000 × 100, 1 to 5 relevant": lambda: matrix(100_000, 100, between(1, 5)),
    "50 × 1,000, about 61 relevant": lambda: matrix(50, 1_000, about(61)),
}
DTYPES = ("uint8", "bool", "int64", "float64")

# ---- This package -----------------------------------------------------------------------------------------

METRICS = {
    "P@10": lambda relevance: metrics.precision_at(relevance, 10),
    "recall@100": lambda relevance: metrics.recall_at(relevance, 100),
    "AP": metrics.average_precision,
    "R-precision": metrics.r_precision,
    "reciprocal rank": metrics.reciprocal_rank,
    "nDCG@10": lambda relevance: metrics.ndcg(relevance, 10),
    "nDCG": metrics.ndcg,
    "AUC": metrics.auc,
}


def from_hits(hits, names=METRICS):
    return {name: METRICS[name](hits) for name in names}


def from_matrix(relevance, names=METRICS):
    """What you would write: the hits once, then the metrics."""
    return from_hits(Hits.from_relevance(relevance), names)


def from_ids(lists, names=METRICS):
    rankings, relevant = lists
    return from_hits(Hits.from_ids(rankings=rankings, relevant=relevant), names)


# ---- Dense NumPy, as you would write it without hit positions -------------------------------------------------


def dense_precision_at_10(relevance):
    return np.count_nonzero(relevance[:, :10], axis=1) / 10


def dense_recall_at_100(relevance):
    return np.count_nonzero(relevance[:, :100], axis=1) / np.count_nonzero(relevance, axis=1)


def dense_average_precision(relevance):
    relevant = relevance != 0
    hits = np.cumsum(relevant, axis=1, dtype=np.int32)
    return (hits * relevant) @ (1 / np.arange(1, hits.shape[1] + 1)) / hits[:, -1]


def dense_r_precision(relevance):
    hits = np.cumsum(relevance != 0, axis=1, dtype=np.int32)
    n_relevant = hits[:, -1]
    return hits[np.arange(len(hits)), n_relevant - 1] / n_relevant


def dense_reciprocal_rank(relevance):
    return 1 / (np.argmax(relevance != 0, axis=1) + 1)


def dense_ndcg(relevance, k=None):
    k = min(k or relevance.shape[1], relevance.shape[1])
    discount = 1 / np.log2(np.arange(2, k + 2))
    n_relevant = np.count_nonzero(relevance, axis=1)
    return (relevance[:, :k] != 0) @ discount / np.cumsum(discount)[np.minimum(n_relevant, k) - 1]


def dense_auc(relevance):
    length, n_relevant = relevance.shape[1], np.count_nonzero(relevance, axis=1)
    rank_sum = (relevance != 0) @ np.arange(1.0, length + 1)
    return 1 - (rank_sum - n_relevant * (n_relevant + 1) / 2) / (n_relevant * (length - n_relevant))


DENSE_METRICS = {
    "P@10": dense_precision_at_10,
    "recall@100": dense_recall_at_100,
    "AP": dense_average_precision,
    "R-precision": dense_r_precision,
    "reciprocal rank": dense_reciprocal_rank,
    "nDCG@10": lambda relevance: dense_ndcg(relevance, 10),
    "nDCG": dense_ndcg,
    "AUC": dense_auc,
}


def dense(relevance):
    """All eight at once: one cumulative sum, and three matrix products for whatever is a weighted sum over ranks."""
    queries, length = relevance.shape
    rank = np.arange(1.0, length + 1)
    discount = 1 / np.log2(rank + 1)
    best = np.cumsum(discount)
    nonzero = relevance != 0
    hits = np.cumsum(nonzero, axis=1, dtype=np.int32)  # four times as fast as a sum of floats
    n_relevant = hits[:, -1]
    relevant = nonzero.astype(np.float64)
    dcg, rank_sum = (relevant @ np.stack([discount, rank], axis=1)).T
    relevant *= hits
    return {
        "P@10": hits[:, min(10, length) - 1] / 10,
        "recall@100": hits[:, min(100, length) - 1] / n_relevant,
        "AP": relevant @ (1 / rank) / n_relevant,
        "R-precision": hits[np.arange(queries), n_relevant - 1] / n_relevant,
        "reciprocal rank": 1 / (nonzero.argmax(axis=1) + 1),
        "nDCG@10": nonzero[:, :10] @ discount[:10] / best[np.minimum(n_relevant, 10) - 1],
        "nDCG": dcg / best[n_relevant - 1],
        "AUC": 1 - (rank_sum - n_relevant * (n_relevant + 1) / 2) / (n_relevant * (length - n_relevant)),
    }


def dense_in_blocks(relevance, rows=256):
    """The same, so many rankings at a time that what is computed on the way stays in the cache."""
    blocks = [dense(relevance[start:start + rows]) for start in range(0, len(relevance), rows)]
    return {name: np.concatenate([block[name] for block in blocks]) for name in METRICS}


# ---- scikit-learn: labels and scores; these functions give the mean over the queries ---------------------------


def sklearn_metrics():
    learn = import_module("sklearn.metrics")
    return {
        "AP": learn.label_ranking_average_precision_score,
        "nDCG@10": lambda labels, scores: learn.ndcg_score(labels, scores, k=10, ignore_ties=True),
        "nDCG": lambda labels, scores: learn.ndcg_score(labels, scores, ignore_ties=True),
        "AUC": lambda labels, scores: 1 - learn.label_ranking_loss(labels, scores),
    }


def sklearn_of_one_query():
    learn = import_module("sklearn.metrics")
    return {"AP": learn.average_precision_score, "AUC": learn.roc_auc_score}


def labels_and_scores(relevance):
    """A score for each entry, falling with the rank."""
    queries, length = relevance.shape
    return relevance, np.tile(np.arange(length, 0, -1.0), (queries, 1))


# ---- ranx: its compiled kernels, on the lists that it makes of its own dictionaries ----------------------------


def ranx_metrics():
    kernels = import_module("ranx.metrics")
    return {
        "P@10": lambda qrels, run: kernels.precision(qrels, run, 10),
        "recall@100": lambda qrels, run: kernels.recall(qrels, run, 100),
        "AP": kernels.average_precision,
        "R-precision": kernels.r_precision,
        "reciprocal rank": kernels.reciprocal_rank,
        "nDCG@10": lambda qrels, run: kernels.ndcg(qrels, run, 10),
        "nDCG": kernels.ndcg,
    }


def typed_lists(relevance, shuffled=False):
    """For each query, an array of the relevant documents and one of the ranked: number and grade, number and score."""
    typed_list = import_module("numba.typed").List
    scores = np.arange(relevance.shape[1], 0, -1.0)
    numbers = document_numbers(relevance.shape, shuffled)
    run = typed_list([np.column_stack((own, scores)) for own in numbers])
    qrels = typed_list([np.column_stack((own[row != 0], row[row != 0])).astype(np.float64) for own, row in zip(numbers, relevance)])
    return qrels, run


def document_numbers(shape, shuffled):
    """The number of the document at each rank of each query: the rank itself, or an order of each query's own."""
    numbers = np.tile(np.arange(shape[1]), (shape[0], 1))
    return np.random.default_rng(3).permuted(numbers, axis=1) if shuffled else numbers


# ---- pytrec_eval: dictionaries of names, which it sorts and joins at every call --------------------------------

TREC_NAMES = {"P@10": "P_10", "recall@100": "recall_100", "AP": "map", "R-precision": "Rprec", "reciprocal rank": "recip_rank",
              "nDCG@10": "ndcg_cut_10", "nDCG": "ndcg"}
TREC_ASKED = {"P.10", "recall.100", "map", "Rprec", "recip_rank", "ndcg_cut.10", "ndcg"}


def dictionaries(relevance, shuffled=False):
    """The evaluator, which holds the relevant names of each query, and the run: each query's names with their scores."""
    names = np.array([f"d{number:06}" for number in range(relevance.shape[1])], dtype=object)
    scores = np.arange(relevance.shape[1], 0, -1.0).tolist()
    ranked = names[document_numbers(relevance.shape, shuffled)]
    run = {str(query): dict(zip(own, scores)) for query, own in enumerate(ranked)}
    qrels = {str(query): dict.fromkeys(own[row != 0], 1) for query, (own, row) in enumerate(zip(ranked, relevance))}
    return import_module("pytrec_eval").RelevanceEvaluator(qrels, TREC_ASKED), run


def id_lists(relevance, shuffled=False):
    """The same names for this package: a list for each query, and the set of its relevant ones."""
    names = np.array([f"d{number:06}" for number in range(relevance.shape[1])], dtype=object)
    ranked = names[document_numbers(relevance.shape, shuffled)]
    return ranked.tolist(), [set(own[row != 0]) for own, row in zip(ranked, relevance)]


def trec_values(result):
    return {name: np.array([one[theirs] for one in result.values()]) for name, theirs in TREC_NAMES.items()}


# ---- All of them in one form -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Contestant:
    """Someone who turns a relevance matrix into a form of its own, and computes some of the metrics from it."""

    name: str
    form: str  # what the clock starts from
    prepare: Callable
    run: Callable
    names: tuple
    values: Callable = dict  # from what `run` returns to {metric: values}


def each_of(functions):
    return lambda prepared: {name: function(*prepared) for name, function in functions.items()}


def shuffled(prepare):
    return lambda relevance: prepare(relevance, shuffled=True)


def as_it_is(relevance):
    return relevance


def contestants():
    """Everyone, the others imported now: ImportError if one is missing."""
    learn, kernels, eight = sklearn_metrics(), ranx_metrics(), tuple(METRICS)

    def trec(prepared):
        evaluator, run = prepared
        return evaluator.evaluate(run)

    import_module("pytrec_eval")
    own_order = ", own order"
    return [
        Contestant(OURS, "matrix", as_it_is, from_matrix, eight),
        Contestant(DENSE, "matrix", as_it_is, dense, eight),
        Contestant(BLOCKS, "matrix", as_it_is, dense_in_blocks, eight),
        Contestant(RANX, "typed lists", typed_lists, each_of(kernels), tuple(kernels)),
        Contestant(SKLEARN, "arrays", labels_and_scores, each_of(learn), tuple(learn)),
        Contestant(TREC, "names", dictionaries, trec, tuple(TREC_NAMES), trec_values),
        Contestant(f"{OURS}, ids", "names", id_lists, from_ids, eight),
        Contestant(RANX + own_order, "typed lists", shuffled(typed_lists), each_of(kernels), tuple(kernels)),
        Contestant(TREC + own_order, "names", shuffled(dictionaries), trec, tuple(TREC_NAMES), trec_values),
        Contestant(f"{OURS}, ids{own_order}", "names", shuffled(id_lists), from_ids, eight),
    ]


# ---- Agreement -------------------------------------------------------------------------------------------------


def disagreements(who, values, expected, where):
    """A sentence for each metric in which the values differ; one number stands for the mean over the queries."""
    found = []
    for name, theirs in values.items():
        right = expected[name] if np.ndim(theirs) else np.mean(expected[name])
        if np.shape(theirs) != np.shape(right):
            found.append(f"{who}: {name}, {where}: shape {np.shape(theirs)}, not {np.shape(right)}")
            continue
        wrong = np.flatnonzero(~(np.abs(theirs - right) <= TOLERANCE))
        if wrong.size:
            query = f"query {wrong[0]}" if np.ndim(theirs) else "the mean"
            found.append(f"{who}: {name}, {where}: {query} is {np.ravel(theirs)[wrong[0]]!r}, {OURS} has {np.ravel(right)[wrong[0]]!r}"
                         f" ({wrong.size} of {np.size(theirs)} differ)")
    return found


def disagreements_of_numpy(relevance, where):
    """This package and dense NumPy, together and one by one, for every type of entry."""
    expected, found = from_matrix(relevance), []
    for dtype in DTYPES:
        array = relevance.astype(dtype)
        for who, values in {
            OURS: from_matrix(array),
            f"{OURS}, one metric": {name: metric(array) for name, metric in METRICS.items()},
            DENSE: dense(array),
            BLOCKS: dense_in_blocks(array),
            f"{DENSE}, one metric": {name: metric(array) for name, metric in DENSE_METRICS.items()},
        }.items():
            found += disagreements(who, values, expected, f"{where}, {dtype}")
    return found


# ---- The clock ---------------------------------------------------------------------------------------------------


def milliseconds(action, seconds=0.5, at_least=3, at_most=101):
    """The median time of an action, in as many runs as fit the time; it has run once before."""
    times, end = [], perf_counter() + seconds
    collecting = gc.isenabled()
    gc.collect()
    gc.disable()
    try:
        action()
        while len(times) < at_least or (perf_counter() < end and len(times) < at_most):
            start = perf_counter()
            action()
            times.append(perf_counter() - start)
    finally:
        if collecting:
            gc.enable()
    return 1000 * median(times)


def once(action):
    """The milliseconds and the result of doing it once; for what is too slow, or is done only once anyway."""
    start = perf_counter()
    result = action()
    return 1000 * (perf_counter() - start), result


def read(relevance):
    """The milliseconds of the fastest of four ways to look at every byte of the matrix."""
    words = relevance.reshape(-1).view(np.uint64)
    ways = (relevance.max, words.max, words.sum, lambda: np.bitwise_or.reduce(words))
    return min(milliseconds(way, seconds=0.3) for way in ways)


def peak_memory(relevance):
    """The most extra memory at any moment, as a multiple of the matrix."""
    from_matrix(relevance)
    tracemalloc.start()
    try:
        from_matrix(relevance)
        return tracemalloc.get_traced_memory()[1] / relevance.nbytes
    finally:
        tracemalloc.stop()


# ---- The measurements ---------------------------------------------------------------------------------------------


def say(text):
    print(text, file=sys.stderr, flush=True)


def compare_all(who):
    """Every contestant on every matrix, before anything is timed."""
    found = []
    for where, make in MATRICES.items():
        say(f"Do all agree? {where}")
        relevance = make()
        found += disagreements_of_numpy(relevance, where)
        expected = from_matrix(relevance)
        for one in who:
            try:
                found += disagreements(one.name, one.values(one.run(one.prepare(relevance))), expected, where)
            except Exception as error:  # theirs, of whatever kind: say whose it is
                found.append(f"{one.name}: failed, {where}: {error!r}")
    return found


def time_contestants(who, relevance, where):
    """For each: its time, that of this package for the same metrics, and that of preparing its input."""
    rows = []
    for one in who:
        say(f"Timing {one.name}: {where}")
        prepare, prepared = once(lambda: one.prepare(relevance))
        theirs = milliseconds(lambda: one.run(prepared))  # noqa: F821, deleted when it was used
        del prepared
        ours = theirs if one.name == OURS else milliseconds(lambda: from_matrix(relevance, one.names))
        rows.append({"who": one.name, "form": one.form, "metrics": len(one.names), "ms": theirs, "ours": ours,
                     "prepare": 0.0 if one.prepare is as_it_is else prepare})
    return rows


def median_of(rounds):
    """For each contestant the median times of several rounds: a neighbour on the machine disturbs some, and seldom most."""
    return [rows[0] | {time: median(row[time] for row in rows) for time in ("ms", "ours", "prepare")} for rows in zip(*rounds)]


def time_types(relevance):
    rows = []
    for dtype in DTYPES:
        say(f"Timing entries of type {dtype}")
        array = relevance.astype(dtype)
        rows.append((dtype, milliseconds(lambda: from_matrix(array)), milliseconds(lambda: dense(array))))
    return rows


def time_single_metrics(relevance):
    """Each metric alone: this package from the matrix and from `Hits`, then the others."""
    hits, lists = Hits.from_relevance(relevance), typed_lists(relevance)
    kernels = ranx_metrics()
    rows = []
    for name, ours in METRICS.items():
        say(f"Timing {name} alone")
        rows.append((
            name,
            milliseconds(lambda: ours(relevance)),
            milliseconds(lambda: ours(hits)),
            milliseconds(lambda: DENSE_METRICS[name](relevance)),
            milliseconds(lambda: kernels[name](*lists)) if name in kernels else None,
        ))
    return rows


def time_sklearn(relevance):
    """Its functions for a whole batch."""
    arrays = labels_and_scores(relevance)
    return [(name, milliseconds(lambda: function(*arrays), at_least=3), milliseconds(lambda: METRICS[name](relevance)))
            for name, function in sklearn_metrics().items()]


def time_query_by_query(relevance):
    """scikit-learn's functions for one query, called for each; on the small matrix, as they are slow."""
    labels, scores = labels_and_scores(relevance)
    return [(name, milliseconds(lambda: [function(*pair) for pair in zip(labels, scores)], at_least=3),
             milliseconds(lambda: METRICS[name](relevance))) for name, function in sklearn_of_one_query().items()]


def time_one_ranking(who):
    """Microseconds, the fastest first. On less than ten queries ranx takes one thread by itself; its kernels are told to."""
    say("Timing one ranking of 100")
    one, numba = matrix(1, 100, always(5)), import_module("numba")
    rows, threads = [], numba.get_num_threads()
    numba.set_num_threads(1)
    for contestant in who:
        prepared = contestant.prepare(one)
        rows.append((contestant.name, len(contestant.names), 1000 * milliseconds(lambda: contestant.run(prepared), at_most=1001)))
    numba.set_num_threads(threads)
    return sorted(rows, key=lambda row: row[2])


def time_growth():
    """Microseconds a query, for ever more queries."""
    rows = []
    for queries in (1_000, 10_000, 100_000):
        say(f"Timing {queries:,} queries")
        relevance = matrix(queries, 1_000, always(1))
        rows.append((queries, 1000 * milliseconds(lambda: from_matrix(relevance)) / queries))
    return rows


def measure(who):
    """Everything, by name."""
    main = [one for one in who if one.name in MAIN]
    by_matrix, memory = {}, {}
    for where, make in MATRICES.items():
        relevance = make()
        memory[where] = peak_memory(relevance)
        everyone = who if where == HEADLINE else main
        by_matrix[where] = median_of([time_contestants(everyone, relevance, f"{where}, round {turn} of {ROUNDS}")
                                      for turn in range(1, ROUNDS + 1)])
    relevance = MATRICES[HEADLINE]()
    return {
        "by_matrix": by_matrix,
        "memory": memory,
        "read": read(relevance),
        "hits": milliseconds(lambda: Hits.from_relevance(relevance)),
        "types": time_types(relevance),
        "single": time_single_metrics(relevance),
        "sklearn": time_sklearn(relevance),
        "query_by_query": time_query_by_query(list(MATRICES.values())[-1]()),
        "one_ranking": time_one_ranking([one for one in main if one.name != BLOCKS]),
        "growth": time_growth(),
    }


# ---- What is said ------------------------------------------------------------------------------------------------


def digits(number):
    """Three figures, with a comma in the thousands."""
    if number is None:
        return "–"
    number = float(f"{number:.3g}")
    decimals = 2 - int(np.floor(np.log10(number))) if number else 0
    return f"{number:,.{max(0, decimals)}f}"


def table(head, rows):
    """A Markdown table, padded so that it reads well in a terminal too; numbers stand to the right."""
    cells = [[str(cell) for cell in row] for row in (head, *rows)]
    widths = [max(map(len, column)) for column in zip(*cells)]
    numbers = [all(set(cell) <= set("0123456789.,–") for cell in column[1:]) for column in zip(*cells)]
    lines = ["| " + " | ".join(cell.rjust(width) if number else cell.ljust(width) for cell, width, number in zip(row, widths, numbers)) + " |"
             for row in cells]
    rule = "| " + " | ".join("-" * (width - 1) + (":" if number else "-") for width, number in zip(widths, numbers)) + " |"
    return "\n".join([lines[0], rule, *lines[1:]])


def processor():
    """The name of the processor, as well as the system tells."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        return next(line.split(":")[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()


def conditions(load):
    """The day, the machine and the versions, as sentences."""
    threads = import_module("numba").get_num_threads()
    libraries = ("NumPy", "ranx", "numba", "pytrec_eval-terrier", "scikit-learn")
    installed = ", ".join(f"{name} {version(name)}" for name in libraries)
    return (f"{today()}, {processor()}, {os.cpu_count()} cores, {platform.system()}. Python {platform.python_version()}, {installed}.\n"
            f"ranx uses {threads} threads, and so may the matrix products of dense NumPy; all else uses one.\n"
            f"Load of the machine when the run began: {load:.1f}. What others do on it slows most those who use several threads.")


def today():
    day = date.today()
    return f"{day.day} {day:%B %Y}"


def targets(results):
    """What this package wants to reach: (what, measured, wanted, reached)."""
    rows = {row["who"]: row for row in results["by_matrix"][HEADLINE]}
    reads = rows[OURS]["ms"] / results["read"]
    growth = [cost for _, cost in results["growth"]]
    found = [("reads of the matrix for eight metrics", reads, "at most 12", reads <= 12)]
    for who, least in ((RANX, 30), (TREC, 2000), (f"{TREC}, own order", 2000)):
        ratio = rows[who]["ms"] / rows[who]["ours"]
        found.append((f"times faster than {who}", ratio, f"at least {least:,}", ratio >= least))
    memory = results["memory"]
    return [
        *found,
        ("extra memory, in matrices", memory[HEADLINE], "below 2", memory[HEADLINE] < 2),
        ("the same, most of all sizes", max(memory.values()), "below 2", max(memory.values()) < 2),
        ("cost of a query, 100,000 over 1,000 queries", growth[-1] / growth[0], "at most 1.5", growth[-1] <= 1.5 * growth[0]),
    ]


def headline_table(rows):
    return table(["Who", "From", "ms", "Ratio", "Prepare"],
                 [(row["who"], row["form"], digits(row["ms"]), digits(row["ms"] / row["ours"]), digits(row["prepare"]) if row["prepare"] else "0")
                  for row in rows])


def same_metrics_table(rows):
    return table(["Who", "Metrics", "ms", "We", "Ratio"],
                 [(row["who"], row["metrics"], digits(row["ms"]), digits(row["ours"]), digits(row["ms"] / row["ours"])) for row in rows])


def against_sklearn(rows):
    return table(["Metric", "sklearn", "We", "Ratio"], [(name, digits(theirs), digits(ours), digits(theirs / ours)) for name, theirs, ours in rows])


def faster_than_we(rows):
    """Who computes one ranking faster than this package: the rows above ours."""
    names = [name for name, *_ in rows]
    before = names[:names.index(OURS)]
    return f"Faster than we are: {', '.join(before)}." if before else "Nobody here is faster than we are."


def report(results, load):
    """The generated part of the page."""
    headline = results["by_matrix"][HEADLINE]
    parts = [
        conditions(load),
        f"## The short answer\n\n{HEADLINE} a query, entries `uint8`. Times are medians, in milliseconds; here and under *Other sizes* the "
        f"median of {ROUNDS} rounds of such medians.",
        headline_table([row for row in headline if row["who"] in MAIN]),
        "*Ratio*: its time over ours for the same metrics. Whoever starts from the matrix computes all eight. ranx and pytrec_eval have no AUC. "
        "scikit-learn has AP, nDCG@10, nDCG and AUC. *Prepare*: milliseconds from the matrix to the form that it takes, done once and not in the time.",
        f"One read of the matrix takes {digits(results['read'])} ms, finding the hits {digits(results['hits'])} ms of ours.",
        "## The targets\n\nFor the rankings of the first table, unless the line says otherwise. pytrec_eval stands here twice: see *From names*.",
        table(["Target", "Measured", ""], [(f"{what}: {wanted}", digits(value), "reached" if reached else "missed")
                                           for what, value, wanted, reached in targets(results)]),
        "## From names\n\nA matrix is a join already done. From names of documents, everyone has to join, and the distance shrinks. "
        "The names follow the ranks, which is the easy case for a program that sorts them, or (*own order*) each query has an order of its own, "
        "as real runs have. ranx takes numbers in place of names.",
        headline_table([row for row in headline if row["form"] == "names" or row["who"].startswith(RANX)]),
        "*Ratio*: its time over ours from the matrix.",
        "## Other sizes\n\nIn milliseconds. *We*: this package, for the same metrics.",
        *(f"### {where}\n\n{same_metrics_table(rows)}" for where, rows in results["by_matrix"].items() if where != HEADLINE),
        "## Types of entries\n\nEight metrics, the rankings of the first table, in milliseconds.",
        table(["Type", "We", "Dense NumPy", "Ratio"], [(dtype, digits(ours), digits(other), digits(other / ours))
                                                         for dtype, ours, other in results["types"]]),
        "## One metric\n\nThe same rankings, in milliseconds. *We*: from the matrix. *Hits*: when the hits are found already.",
        table(["Metric", "We", "Hits", "Dense", "ranx"], [(name, *map(digits, times)) for name, *times in results["single"]]),
        "scikit-learn, on the same rankings:",
        against_sklearn(results["sklearn"]),
        f"Its `average_precision_score` and `roc_auc_score` take one query. Called for each, on {list(MATRICES)[-1]}:",
        against_sklearn(results["query_by_query"]),
        "## One ranking\n\nA single list of 100 with five relevant, in microseconds. Here the cost is that of the calls, not of the data.",
        table(["Who", "Metrics", "µs"], [(who, count, digits(time)) for who, count, time in results["one_ranking"]]),
        faster_than_we(results["one_ranking"]),
        "## More queries, more memory\n\nMicroseconds a query, eight metrics of rankings of 1,000 with one relevant:",
        table(["Queries", "µs a query"], [(f"{queries:,}", digits(cost)) for queries, cost in results["growth"]]),
        "A call has a cost of its own, that of a single ranking; few queries share it, many hardly notice it.",
        "The most extra memory at any moment, for eight metrics, as a multiple of the `uint8` matrix:",
        table(["Rankings", "Memory"], [(where, digits(memory)) for where, memory in results["memory"].items()]),
    ]
    return "\n\n".join(parts)


def printed(rows):
    """The times of some rows by name, as they are printed."""
    return {row["who"]: digits(row["ms"]) for row in rows}


def readme_sentences(one, ten, names):
    """What the tables say, in sentences, from times as they are printed: with one relevant, with ten, and from names."""
    mine = [float(names[f"this package, ids{order}"].replace(",", "")) for order in ("", ", own order")]
    trec, ranx = ([float(names[f"{who}{order}"].replace(",", "")) for order in ("", ", own order")] for who in (TREC, RANX))
    faster = sorted(theirs / ours for ours, theirs in zip(mine, trec))
    slower = sorted(ours / theirs for ours, theirs in zip(mine, ranx))
    return [
        f"Eight metrics of 7,000 rankings of 1,000 items, one of them relevant, take {one[OURS]} ms; dense NumPy, in blocks, {one[BLOCKS]} ms. "
        f"With about ten relevant it is {ten[OURS]} against {ten[BLOCKS]} ms.",
        f"Seven of them, with one relevant, take ranx {one[RANX]} ms and pytrec_eval {one[TREC]} ms, which joins names in that time; "
        f"four take scikit-learn {one[SKLEARN]} ms.",
        f"From names, which everyone has to join, this package is {faster[0]:.1f} to {faster[1]:.1f} times as fast as pytrec_eval, "
        f"and {slower[0]:.0f} to {slower[1]:.0f} times slower than ranx, which is given numbers in place of names.",
    ]


def readme_lines(results):
    """Four lines."""
    one, ten = (printed(results["by_matrix"][where]) for where in (HEADLINE, TEN))
    return "\n".join([*readme_sentences(one, ten, one),
                      f"Measured on {today()} on {processor()}; the page *How fast?* says what is compared, and `make bench` measures it on yours."])


def replace_between_markers(path, text):
    before, rest = path.read_text(encoding="utf-8").split(BEGIN)
    after = rest.split(END)[1]
    path.write_text(f"{before}{BEGIN}\n\n{text}\n\n{END}{after}", encoding="utf-8")


def main():
    # The kernels of ranx cast lengths; that is no news, and it would stand between the lines.
    warnings.filterwarnings("ignore", message="unsafe cast from uint64 to int64")
    try:
        who = contestants()
    except ImportError as error:
        return f"{error.name} is missing here. `make bench` installs what is needed, into _build/bench."
    load = os.getloadavg()[0]
    found = compare_all(who)
    if found:
        return "They disagree, so nothing is timed:\n" + "\n".join(found)
    say("All agree to 1e-9.")
    results = measure(who)
    text = report(results, load)
    print(text)
    replace_between_markers(PAGE, text)
    replace_between_markers(README, readme_lines(results))


if __name__ == "__main__":
    sys.exit(main())
