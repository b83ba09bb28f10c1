"""The speed of the package and of others, from what people have, as `make bench` measures it. The page *How fast?* says how.

First the values are compared: a disagreement beyond 1e-9 ends the run with an error, and nothing is timed. The results replace
the text between the markers in book/speed.md and README.md, unless something else kept the machine busy meanwhile.
The other libraries are imported when they are needed, so the tests can import this file without.
"""

import os
import platform
import re
import sys
import tracemalloc
import warnings
from collections import namedtuple
from concurrent.futures import ProcessPoolExecutor
from datetime import date
from functools import partial
from importlib import import_module
from importlib.metadata import version
from itertools import product, takewhile
from multiprocessing import get_context
from pathlib import Path
from statistics import median
from time import perf_counter, process_time
from timeit import Timer

import numpy as np

import metrics
from book._sphinx.paths import BUILD, ROOT
from metrics import Hits

PAGE, README = ROOT / "book" / "speed.md", ROOT / "README.md"
FILES = BUILD / "bench" / "files"
BEGIN, END = "<!-- bench:begin -->", "<!-- bench:end -->"
TOLERANCE, ROUNDS = 1e-9, 5
BUSY = 0.05  # of a core: more than that, used by others, and nothing is published
say = partial(print, file=sys.stderr, flush=True)
OURS, DENSE, BLOCKS, RANX, SKLEARN, TREC, IR = "this package", "dense NumPy", "dense, in blocks", "ranx", "scikit-learn", "pytrec_eval", "ir_measures"

# ---- The rankings -----------------------------------------------------------------------------------------


def matrix(queries, length, relevant, seed=20):
    """Rankings as rows of 0 and 1, uint8; at least one entry of each row is 1. `relevant` is drawn for each row."""
    rng = np.random.default_rng(seed)
    counts = np.clip(relevant(rng, queries), 1, length - 1)
    rows = np.zeros((queries, length), np.uint8)
    for row, count in zip(rows, counts):
        row[rng.choice(length, count, replace=False)] = 1
    return rows


RELEVANT = {
    "1": lambda rng, queries: np.ones(queries, int),
    "about 10": lambda rng, queries: rng.poisson(10, queries),
    "about 61": lambda rng, queries: rng.poisson(61, queries),
}
QUERIES, LENGTH = 7_000, 1_000
WHAT = f"{QUERIES:,} rankings of {LENGTH:,} items"


def numbers(relevance, seed=3):
    """Items as whole numbers, in a separate order for each query: the rankings as an array, and the relevant items of each query."""
    queries, length = relevance.shape
    ranked = np.random.default_rng(seed).permuted(np.tile(np.arange(length), (queries, 1)), axis=1)
    return ranked, [own[row != 0] for own, row in zip(ranked, relevance)]


def large_numbers(relevance):
    """The same data with distinct numbers up to 2^60."""
    ranked, relevant = numbers(relevance)
    number = np.random.default_rng(5).integers(2**60, size=ranked.max() + 1)
    return number[ranked], [number[own] for own in relevant]


def text(relevance):
    """The same data as names: a list for each query, and the set of its relevant names, each with its own strings, as from a file."""
    ranked, relevant = numbers(relevance)
    return [list(map("d{:07}".format, own)) for own in ranked.tolist()], [set(map("d{:07}".format, own.tolist())) for own in relevant]


def scored(relevance, seed=4):
    """Distinct scores and labels in no order; the label of the best score is the label at rank 1."""
    queries, length = relevance.shape
    place = np.random.default_rng(seed).permuted(np.tile(np.arange(length), (queries, 1)), axis=1)
    labels, scores = np.empty_like(relevance), np.empty(relevance.shape)
    np.put_along_axis(labels, place, relevance, axis=1)
    np.put_along_axis(scores, place, np.linspace(1, 0, length)[None, :], axis=1)
    return scores, labels


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
EIGHT, SEVEN, SIX = tuple(METRICS), tuple(METRICS)[:7], tuple(METRICS)[:6]


def from_hits(hits, names=EIGHT):
    return {name: METRICS[name](hits) for name in names}


def from_matrix(relevance, names=EIGHT):
    """The code that you would write: the hits once, then the metrics."""
    return from_hits(Hits.from_relevance(relevance), names)


def from_ids(lists, names=SEVEN):
    return from_hits(Hits.from_ids(rankings=lists[0], relevant=lists[1]), names)


def from_scores(both, names=EIGHT):
    return from_hits(Hits.from_scores(scores=both[0], labels=both[1], ties="stable"), names)


def from_dictionaries(both, names=SEVEN):
    found = metrics.evaluate(both[1], [IR_NAMES[SEVEN.index(name)] for name in names], qrels=both[0])
    return dict(zip(names, map(np.asarray, found.values())))


# ---- Dense NumPy, as you would write it without hit positions -------------------------------------------------


def dense(relevance, names=EIGHT):
    """One cumulative sum, and a matrix product for every metric that is a weighted sum over ranks: six metrics, or all eight at once."""
    queries, length = relevance.shape
    rank = np.arange(1.0, length + 1)
    discount = 1 / np.log2(rank + 1)
    best = np.cumsum(discount)
    nonzero = relevance != 0
    hits = np.cumsum(nonzero, axis=1, dtype=np.int32)  # four times as fast as a sum of floats
    n_relevant = hits[:, -1]
    found = {
        "P@10": hits[:, min(10, length) - 1] / 10,
        "recall@100": hits[:, min(100, length) - 1] / n_relevant,
        "R-precision": hits[np.arange(queries), n_relevant - 1] / n_relevant,
        "reciprocal rank": 1 / (nonzero.argmax(axis=1) + 1),
        "nDCG@10": nonzero[:, :10] @ discount[:10] / best[np.minimum(n_relevant, 10) - 1],
    }
    if names == SIX:
        return found | {"AP": (nonzero * hits) @ (1 / rank) / n_relevant}
    relevant = nonzero.astype(np.float64)
    dcg, rank_sum = (relevant @ np.stack([discount, rank], axis=1)).T
    relevant *= hits
    return found | {
        "AP": relevant @ (1 / rank) / n_relevant,
        "nDCG": dcg / best[n_relevant - 1],
        "AUC": 1 - (rank_sum - n_relevant * (n_relevant + 1) / 2) / (n_relevant * (length - n_relevant)),
    }


def in_blocks(relevance, names=EIGHT, rows=256):
    """The same values, computed in blocks of rankings, each so small that intermediate results stay in the cache."""
    blocks = [dense(relevance[start:start + rows], names) for start in range(0, len(relevance), rows)]
    return {name: np.concatenate([block[name] for block in blocks]) for name in blocks[0]}


def marked(lists):
    """The relevance of numbered items by a table of marks, one query at a time, then dense in blocks; nothing is checked."""
    ranked, relevant = lists
    relevance, marks = np.empty(ranked.shape, np.uint8), np.zeros(ranked.max() + 1, np.uint8)
    for row, own, wanted in zip(relevance, ranked, relevant):
        marks[wanted] = 1
        np.take(marks, own, out=row)
        marks[wanted] = 0
    return in_blocks(relevance)


def sorted_by_score(both):
    """The labels in rank order, sorted in the usual way."""
    scores, labels = both
    return np.take_along_axis(labels, np.argsort(-scores, axis=1), axis=1)


# ---- The others --------------------------------------------------------------------------------------------


def learned(both):
    """The values of scikit-learn's functions, which give the mean over the queries."""
    (scores, labels), learn = both, import_module("sklearn.metrics")
    return {
        "AP": learn.label_ranking_average_precision_score(labels, scores),
        "nDCG@10": learn.ndcg_score(labels, scores, k=10, ignore_ties=True),
        "nDCG": learn.ndcg_score(labels, scores, ignore_ties=True),
        "AUC": 1 - learn.label_ranking_loss(labels, scores),
    }


def ranx_of_numbers(lists):
    """ranx's compiled kernels on its own typed lists: for each query the number and grade, and the number and score, of each item."""
    typed_list, kernels, (ranked, relevant) = import_module("numba.typed").List, import_module("ranx.metrics"), lists
    scores = np.arange(ranked.shape[1], 0, -1.0)
    run = typed_list([np.column_stack((own, scores)) for own in ranked])
    qrels = typed_list([np.column_stack((own, np.ones(own.size))) for own in relevant])
    return {
        "P@10": kernels.precision(qrels, run, 10),
        "recall@100": kernels.recall(qrels, run, 100),
        "AP": kernels.average_precision(qrels, run),
        "R-precision": kernels.r_precision(qrels, run),
        "reciprocal rank": kernels.reciprocal_rank(qrels, run),
        "nDCG@10": kernels.ndcg(qrels, run, 10),
        "nDCG": kernels.ndcg(qrels, run),
    }


def in_rank_order(relevance):
    """The position of each entry, which every other library needs besides a matrix."""
    return np.tile(np.arange(relevance.shape[1]), (len(relevance), 1))


def learned_from_matrix(relevance):
    return learned((-1.0 * in_rank_order(relevance), relevance))


# What they call the seven.
RANX_NAMES = "precision@10 recall@100 map r-precision mrr ndcg@10 ndcg".split()
TREC_NAMES = "P_10 recall_100 map Rprec recip_rank ndcg_cut_10 ndcg".split()
IR_NAMES = "P@10 R@100 AP Rprec RR nDCG@10 nDCG".split()


def dictionaries(lists):
    """The dictionaries that most libraries ask for: for each query, the names with their grades, and those with their scores."""
    rankings, relevant = lists
    qrels = {str(query): dict.fromkeys(own, 1) for query, own in enumerate(relevant)}
    scores = [range(len(own), 0, -1) for own in rankings]
    return qrels, {str(query): dict(zip(own, map(float, values))) for query, (own, values) in enumerate(zip(rankings, scores))}


def trec_answers(qrels, run):
    found = import_module("pytrec_eval").RelevanceEvaluator(qrels, set(TREC_NAMES)).evaluate(run)
    return {name: np.array([found[query][theirs] for query in qrels]) for name, theirs in zip(SEVEN, TREC_NAMES)}


def ranx_answers(qrels, run):
    import_module("ranx").evaluate(qrels, run, RANX_NAMES)
    return {name: np.array([run.scores[theirs][str(query)] for query in range(len(qrels))]) for name, theirs in zip(SEVEN, RANX_NAMES)}


def ranx_of_dictionaries(both):
    ranx, (qrels, run) = import_module("ranx"), both
    return ranx_answers(ranx.Qrels(qrels), ranx.Run(run))


def ir_answers(qrels, run):
    ir = import_module("ir_measures")
    values = {name: [] for name in IR_NAMES}
    for each in ir.iter_calc(map(ir.parse_measure, IR_NAMES), qrels, run):
        values[str(each.measure)].append((int(each.query_id), each.value))
    return {name: np.array([value for _, value in sorted(found)]) for name, found in zip(SEVEN, values.values())}


def trec_of_matrix(relevance):
    names = [f"d{number:07}" for number in range(relevance.shape[1])]
    relevant = [[names[place] for place in np.flatnonzero(row)] for row in relevance]
    return trec_answers(*dictionaries(([names] * len(relevance), relevant)))


# ---- Who starts from what -----------------------------------------------------------------------------------------


COURSES = {  # what people have: how it is made from a matrix in rank order, and who computes metrics from it
    "a 0/1 matrix": (lambda relevance: relevance, {
        OURS: from_matrix, DENSE: dense, BLOCKS: in_blocks, f"{BLOCKS}, six": partial(in_blocks, names=SIX),
        RANX: lambda relevance: ranx_of_numbers((in_rank_order(relevance), list(map(np.flatnonzero, relevance)))),
        SKLEARN: learned_from_matrix, TREC: trec_of_matrix}),
    "ids, text": (text, {OURS: from_ids, RANX: lambda lists: ranx_of_dictionaries(dictionaries(lists)), TREC: lambda lists: trec_answers(*dictionaries(lists)),
                         IR: lambda lists: ir_answers(*dictionaries(lists))}),
    "nested dictionaries": (lambda relevance: dictionaries(text(relevance)), {
        OURS: from_dictionaries, RANX: ranx_of_dictionaries, TREC: lambda both: trec_answers(*both), IR: lambda both: ir_answers(*both)}),
    "ids, small numbers": (numbers, {OURS: from_ids, "a table of marks, dense": marked, RANX: ranx_of_numbers}),
    "ids, large numbers": (large_numbers, {OURS: from_ids, RANX: ranx_of_numbers}),
    "scores, unsorted": (scored, {
        OURS: from_scores, "argsort, then this package": lambda both: from_matrix(sorted_by_score(both)),
        "argsort, then dense": lambda both: in_blocks(sorted_by_score(both)), SKLEARN: learned}),
}  # fmt: skip


# ---- Run files: each in a process of its own, so that memory and imports count ----------------------------------------------------


def write_files(relevance, run, qrels):
    """Write a run file and its judgements: the relevant documents with grade 1, and as many others judged irrelevant."""
    rankings, relevant = text(relevance)
    with run.open("w", encoding="ascii") as lines:
        for query, own in enumerate(rankings):
            lines.write("".join(f"{query} Q0 clue-{item} {rank} {30 - rank / 64:.6f} run\n" for rank, item in enumerate(own, 1)))
    with qrels.open("w", encoding="ascii") as lines:
        for query, (own, wanted) in enumerate(zip(rankings, relevant)):
            others = [item for item in own if item not in wanted][:len(wanted)]
            lines.write("".join(f"{query} 0 clue-{item} {int(item in wanted)}\n" for item in sorted([*wanted, *others])))


def file_ours(qrels, run):
    return dict(zip(SEVEN, metrics.trec.evaluate(qrels, run, TREC_NAMES).mean(undefined="raise").values()))


def file_ours_plain(qrels, run):
    sys.modules["pyarrow"] = None
    return file_ours(qrels, run)


def file_pytrec_eval(qrels, run):
    pytrec_eval = import_module("pytrec_eval")
    with open(qrels) as judged, open(run) as ranked:
        return trec_answers(pytrec_eval.parse_qrel(judged), pytrec_eval.parse_run(ranked))


def file_ir_measures(qrels, run):
    ir = import_module("ir_measures")
    return ir_answers(ir.read_trec_qrels(qrels), ir.read_trec_run(run))


def file_ranx(qrels, run):
    ranx = import_module("ranx")
    return ranx_answers(ranx.Qrels.from_file(qrels, kind="trec"), ranx.Run.from_file(run, kind="trec"))


READERS = {OURS: file_ours, f"{OURS}, plain Python": file_ours_plain, TREC: file_pytrec_eval, IR: file_ir_measures, RANX: file_ranx}


def file_cost(who, qrels, run):
    """The means that one library gives, the processor seconds of this process, and its peak memory in MB."""
    warnings.simplefilter("ignore")
    means = {name: float(np.mean(values)) for name, values in READERS[who](qrels, run).items()}
    most = re.search(r"VmHWM:\s+(\d+)", Path("/proc/self/status").read_text(encoding="ascii"))[1]
    return means, process_time(), int(most) / 1024


# ---- Agreement -------------------------------------------------------------------------------------------------


def compare(who, values, expected, where):
    """Raise an AssertionError that names the library if any values differ; a single number stands for the mean over the queries."""
    for name, theirs in values.items():
        right = expected[name] if np.ndim(theirs) else np.mean(expected[name])
        np.testing.assert_allclose(theirs, right, rtol=0, atol=TOLERANCE, err_msg=f"{who}: {name}, {where}")


def compare_all(relevances):
    """Compare all libraries on all inputs before anything is timed; the values of the dense way on the matrix are the standard."""
    for (course, (make, everyone)), (relevant, relevance) in product(COURSES.items(), relevances.items()):
        where = f"{course}, {relevant} relevant"
        say(f"Do all agree? {where}")
        expected, have = dense(relevance), make(relevance)
        for who, action in everyone.items():
            compare(who, action(have), expected, where)


# ---- The clock ---------------------------------------------------------------------------------------------------


def in_turns(actions, rounds=ROUNDS, timer=process_time):
    """The milliseconds of processor time in all threads, action -> one number per round; in every round each action has its turn."""
    costs = {name: [] for name in actions}
    for action in actions.values():
        action()
    for _, (name, action) in product(range(rounds), actions.items()):
        times, seconds = Timer(action, timer=timer).autorange()  # repeated while it is short, without the garbage collector
        costs[name].append(1000 * seconds / times)
    return costs


def read(relevance):
    """The fastest of four ways to look at every byte of the matrix."""
    words = relevance.reshape(-1).view(np.uint64)
    ways = {"max": relevance.max, "max of words": words.max, "sum": words.sum, "or": partial(np.bitwise_or.reduce, words)}
    return min(median(costs) for costs in in_turns(ways).values())


def peak_memory(course, relevance):
    """The peak extra memory of this package, as a multiple of its input."""
    make, everyone = COURSES[course]
    have = make(relevance)
    everyone[OURS](have)
    tracemalloc.start()
    everyone[OURS](have)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return most / held(have)


def held(have):
    """The number of bytes in the arrays that people have."""
    return have.nbytes if isinstance(have, np.ndarray) else sum(map(held, have))


def used_by_others():
    """The processor seconds that everything else on the machine has used so far, without this process and its finished children."""
    times = import_module("psutil").cpu_times()
    return sum(times) - times.idle - getattr(times, "iowait", 0) - getattr(times, "guest", 0) - sum(os.times()[:4])


# ---- The measurements ---------------------------------------------------------------------------------------------


Row = namedtuple("Row", "who more costs ratio")  # `more`: how many metrics, or the MB of memory; the ratio to ours, round by round


def row_of(who, more, costs, ours):
    return Row(who, more, costs, median(one / other for one, other in zip(costs, ours)))


def time_course(course, relevant, relevance):
    """A row for each library: its milliseconds, and the ratio to ours for the same metrics in the same round."""
    say(f"Timing {course}, {relevant} relevant")
    make, everyone = COURSES[course]
    have = make(relevance)
    names = {who: tuple(action(have)) for who, action in everyone.items()}
    actions = {(who, names[who]): partial(action, have) for who, action in everyone.items()}
    costs = in_turns(actions | {(OURS, each): partial(everyone[OURS], have, each) for each in names.values()})
    return [row_of(who, len(each), costs[who, each], costs[OURS, each]) for who, each in names.items()]


def time_files(relevances, rounds=3):
    """The MB of the run file with about 61 relevant, and a row for each reader: seconds of processor time and MB of memory."""
    FILES.mkdir(parents=True, exist_ok=True)
    run, qrels = FILES / "run.txt", FILES / "qrels.txt"
    say("Writing a run file")
    write_files(relevances, run, qrels)
    answers = {who: [] for who in READERS}
    for turn, who in product(range(1, rounds + 1), READERS):
        say(f"Timing {who}: the run file, round {turn} of {rounds}")
        with ProcessPoolExecutor(1, get_context("spawn")) as alone:
            answers[who].append(alone.submit(file_cost, who, str(qrels), str(run)).result())
        compare(who, answers[who][-1][0], answers[OURS][0][0], "the run file")
    seconds = {who: [used for _, used, _ in answers[who]] for who in READERS}
    return run.stat().st_size / 1e6, [row_of(who, digits(max(most for *_, most in answers[who])), seconds[who], seconds[OURS]) for who in READERS]


def time_one_ranking():
    """The microseconds for a list of 100 items with five relevant, fastest first. The cost is the calls, not the data."""
    say("Timing one ranking of 100")
    one = matrix(1, 100, lambda rng, queries: [5])
    ways = {OURS: from_matrix, DENSE: dense, TREC: trec_of_matrix, SKLEARN: learned_from_matrix}
    costs = {who: 1000 * median(each) for who, each in in_turns({who: partial(way, one) for who, way in ways.items()}).items()}
    return [(who, len(ways[who](one)), digits(costs[who])) for who in sorted(costs, key=costs.get)]


def measure(relevances):
    """All measurements, by name."""
    size, files = time_files(relevances["about 61"])
    return {
        "by_course": {course: {relevant: time_course(course, relevant, relevance) for relevant, relevance in relevances.items()} for course in COURSES},
        "read": {relevant: read(relevance) for relevant, relevance in relevances.items()},
        "memory": [(course, relevant, digits(peak_memory(course, relevance)))
                   for course in COURSES if course not in ("ids, text", "nested dictionaries") for relevant, relevance in relevances.items()],
        "one_ranking": time_one_ranking(), "files": files, "size": size,
    }  # fmt: skip


# ---- What is said ------------------------------------------------------------------------------------------------


def digits(number):
    """The number with three significant figures, and with commas for thousands."""
    return f"{float(f'{number:.3g}'):,.0f}" if number >= 99.95 else f"{number:#.3g}"


def table(head, rows):
    """A Markdown table with numbers aligned to the right."""
    sides = ["right" if all(set(str(cell)) <= set("0123456789.,– ") for cell in column) else "left" for column in zip(*rows)]
    return import_module("tabulate").tabulate(rows, head, "pipe", colalign=sides, disable_numparse=True)


def cost(row):
    return digits(median(row.costs))


def costs_table(rows, unit, more):
    """The costs of all libraries, lowest first, and whatever else a row has, under the name `more`."""
    spread = (" – ".join(dict.fromkeys([digits(min(row.costs)), digits(max(row.costs))])) for row in rows)
    cells = [(row.who, row.more, cost(row), digits(row.ratio), next(spread)) for row in rows]
    return table(["Who", more, unit, "Ratio", "from – to"], cells)


def processor():
    """The name of the processor, if the system reports it."""
    return re.search(r"model name\s*: (.*)|$", Path("/proc/cpuinfo").read_text(encoding="utf-8"))[1] or platform.machine()


def conditions(share):
    """The day, the machine and the versions, as sentences."""
    libraries = ("NumPy", "pyarrow", "ranx", "numba", "pytrec_eval-terrier", "ir-measures", "scikit-learn")
    installed = ", ".join(f"{name} {version(name)}" for name in libraries)
    return (f"{date.today():%-d %B %Y}, {processor()}, {os.cpu_count()} cores, {platform.system()}. Python {platform.python_version()}, {installed}.\n"
            f"Everything else on the machine used {100 * share:.1f} per cent of one core meanwhile.")


def summary_row(course, by_relevant):
    """The row for one kind of input: our milliseconds with 1, 10 and 61 relevant, and the best other library's ratios, bold if it is faster."""
    ours, *others = zip(*by_relevant.values())
    others = [rows for rows in others if rows[0].who != "argsort, then this package"]
    best = min(others, key=lambda rows: sum(np.log(row.ratio) for row in rows))
    ratios = " / ".join(digits(row.ratio) if row.ratio >= 1 else f"**{digits(row.ratio)}**" for row in best)
    return course, *map(cost, ours), f"{best[0].who}: {ratios}"


def summary(results):
    lines = table(["From", *RELEVANT, "The best other"], [summary_row(*each) for each in results["by_course"].items()])
    mine, plain, trec, *_ = (f"{cost(row)} s and {row.more} MB" for row in results["files"])  # in the order of READERS
    return (f"The table is for {WHAT} each, of which 1, about 10 or about 61 are relevant. It gives the milliseconds "
            f"of processor time for seven or eight metrics, and how many times as long "
            f"the best of the others takes for the same metrics; bold if it is faster:\n\n{lines}\n\n"
            f"From a run file of {results['size']:.0f} MB: {mine} of memory ({plain} in plain Python, without pyarrow); {TREC} {trec}.")


def report(results, share):
    """The generated part of the page."""
    reads = results["read"]
    parts = [conditions(share), "## The short answer", summary(results)]
    for name, by_relevant in results["by_course"].items():
        parts.append(f"## From {name}")
        for relevant, rows in by_relevant.items():
            parts += [f"{relevant.capitalize()} relevant per query:", costs_table(rows, "ms", "Metrics")]
        if name == "a 0/1 matrix":
            matrix_rows = [(relevant, digits(reads[relevant]), *(digits(median(row.costs) / reads[relevant]) for row in rows[:3]))
                           for relevant, rows in by_relevant.items()]
            parts += ["The same in reads: how many times the whole matrix could have been read in that time.",
                      table(["Relevant", "a read, ms", OURS, DENSE, BLOCKS], matrix_rows)]
    faster = list(takewhile(lambda who: who != OURS, (who for who, *_ in results["one_ranking"])))  # they stand in this order
    return "\n\n".join([
        *parts,
        f"## From a run file\n\n{results['size']:.0f} MB, {QUERIES * LENGTH:,} lines, about 61 relevant per topic and as many judged irrelevant; "
        "seconds of processor time, each in a process of its own, imports included, and its peak memory.",
        costs_table(results["files"], "s", "MB"),
        "## One ranking\n\nA single list of 100 with five relevant, in microseconds. Here the cost is the calls, not the data.",
        table(["Who", "Metrics", "µs"], results["one_ranking"]),
        f"Faster than we are: {', '.join(faster)}." if faster else "Nobody here is faster than we are.",
        "## Memory\n\n<!-- answers: how much memory; out of memory; large data -->\n\n"
        "The peak extra memory of this package, as a multiple of what it is given:",
        table(["From", "Relevant", "Memory"], results["memory"]),
    ])


def readme_lines(results):
    return f"{summary(results)}\n\nMeasured on {date.today():%-d %B %Y} on {processor()}; " \
        "the page *How fast?* says what is compared, and `make bench` measures it on yours."


def replace_between_markers(path, text):
    before, rest = path.read_text(encoding="utf-8").split(BEGIN)
    after = rest.split(END)[1]
    path.write_text(f"{before}{BEGIN}\n\n{text}\n\n{END}{after}", encoding="utf-8")


def main():
    # The kernels of ranx cast lengths; that is no news, and it would stand between the lines.
    warnings.filterwarnings("ignore", message="unsafe cast from uint64 to int64")
    relevances = {relevant: matrix(QUERIES, LENGTH, count) for relevant, count in RELEVANT.items()}
    compare_all({relevant: relevance[:500] for relevant, relevance in relevances.items()})
    say("All agree to 1e-9.")
    start, before = perf_counter(), used_by_others()
    results = measure(relevances)
    share = max(0.0, used_by_others() - before) / (perf_counter() - start)
    text = report(results, share)
    print(text)
    if share > BUSY:
        return f"Nothing is published: something else used {100 * share:.0f} per cent of a core meanwhile (at most {100 * BUSY:.0f}). Close it, and try again."
    replace_between_markers(PAGE, text)
    replace_between_markers(README, readme_lines(results))


if __name__ == "__main__":
    sys.exit(main())
