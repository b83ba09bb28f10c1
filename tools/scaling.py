"""Measure what an evaluation costs in one process, and on Dask with two, by the number of judged items.

Usage: python -m tools.scaling [OUTPUT]

OUTPUT is the file to write, by default book/data/scaling.json; the chapter "From one machine to many" draws it.
Only processor seconds are measured, of all processes together, since waiting time says what else a machine does.
Both ways take turns, and a number is the median of three. It takes some ten minutes and four gigabytes.
"""

import json
import os
import platform
import statistics
import sys
import tempfile
import time
from contextlib import contextmanager
from datetime import date
from functools import partial
from pathlib import Path

import dask
import numpy as np
from dask.distributed import Client, LocalCluster, wait

from metrics import Hits, Total, many, trec
from metrics.notebook import data

MEASURES = "AP P@10 nDCG@10"
LENGTH, RELEVANT = 1000, 10
QUERIES = 1000  # of a block, so that one has a million items
SIZES = (1, 10, 100)
TURNS = 3
WORKERS = 2


# ---- What is evaluated ---------------------------------------------------------------------------------


def scored(seed):
    """Scores and labels of a block: relevant items score somewhat higher."""
    random = np.random.default_rng(seed)
    labels = np.zeros((QUERIES, LENGTH), np.uint8)
    labels[:, :RELEVANT] = 1
    labels = random.permuted(labels, axis=1)
    return random.random((QUERIES, LENGTH)) + labels, labels


def in_order(seed):
    """Zeros and ones of a block in rank order."""
    scores, labels = scored(seed)
    return np.take_along_axis(labels, np.argsort(-scores, axis=1), axis=1)


def by_scores(block):
    """The hits of a block of scores and labels."""
    scores, labels = block
    return Hits.from_scores(scores=scores, labels=labels, ties="stable")


def write_files(folder, runs):
    """One file of judgements, and the paths of so many runs of a million lines: links to one file, which is read each time."""
    scores, labels = scored(0)
    first, *others = [folder / f"run-{number}" for number in range(runs)]
    (folder / "qrels").write_text("".join(f"{query} 0 document-{item} 1\n" for query, item in np.argwhere(labels).tolist()))
    first.write_text("".join(
        f"{query} Q0 document-{item} {rank} {scores[query, item]:.6f} tool\n"
        for query, order in enumerate(np.argsort(-scores, axis=1).tolist()) for rank, item in enumerate(order, 1)
    ))
    for other in others:
        other.hardlink_to(first)
    return folder / "qrels", [first, *others]


# ---- How it is measured --------------------------------------------------------------------------------


def used(client):
    """Processor seconds of this process and of the workers together."""
    return time.process_time() + sum(client.run(time.process_time).values())


def seconds(client, work):
    """What the work takes."""
    before = used(client)
    work()
    return used(client) - before


def compared(client, alone, spread):
    """The median seconds of both ways, in turns, once they agree."""
    assert alone() == spread(), "two ways to evaluate the same differ"
    turns = [[seconds(client, work) for work in (alone, spread)] for _ in range(TURNS)]
    return tuple(map(statistics.median, zip(*turns)))


@contextmanager
def started():
    """A client of a new cluster, and the processor seconds that its start takes."""
    before = time.process_time()
    with LocalCluster(n_workers=WORKERS, threads_per_worker=1, dashboard_address=":0", memory_limit=0) as cluster, Client(cluster) as client:
        yield client, used(client) - before


def in_memory(client, make, hits):
    """The seconds of both ways for blocks in memory, by size."""
    for size in SIZES:
        made = [make(seed) for seed in range(size)]
        there = client.persist([dask.delayed(make)(seed) for seed in range(size)])
        wait(there)
        blocks = [dask.delayed(hits)(block) for block in there]

        def alone():
            parts = [{name: Total.of(each) for name, each in many.evaluate(hits(block), MEASURES).items()} for block in made]
            return {name: sum((part[name] for part in parts), Total()) for name in parts[0]}

        yield compared(client, alone, partial(many.totals, blocks, MEASURES))


def in_files(client):
    """The seconds of both ways for run files, by size."""
    with tempfile.TemporaryDirectory() as folder:
        qrels, runs = write_files(Path(folder), max(SIZES))
        judged = trec.read_qrels(qrels)
        for size in SIZES:
            yield compared(
                client,
                lambda: [total_of(trec.evaluate(judged, run, MEASURES)) for run in runs[:size]],
                lambda: list(map(total_of, many.evaluate_runs(qrels, runs[:size], MEASURES).values())),
            )


def total_of(evaluation):
    """The totals of an evaluation, by name."""
    return {name: Total.of(values) for name, values in evaluation.items()}


def door(name, both):
    """The rows of one way to come in."""
    found = []
    for each in both:
        print(name, *map("{:.3f}".format, each), flush=True)
        found.append([round(one, 4) for one in each])
    alone, spread = map(list, zip(*found))
    return {"name": name, "items": [size * QUERIES * LENGTH for size in SIZES], "alone": alone, "dask": spread}


def main(output):
    starts = []
    for _ in range(TURNS):
        with started() as (_, took):
            starts.append(took)
    with started() as (client, _):
        doors = [
            door("zeros and ones", in_memory(client, in_order, Hits.from_relevance)),
            door("scores", in_memory(client, scored, by_scores)),
            door("run files", in_files(client)),
        ]
    found = {
        "date": date.today().isoformat(), "processor": platform.machine(), "processors": os.cpu_count(), "workers": WORKERS,
        "python": platform.python_version(), "numpy": np.__version__, "dask": dask.__version__, "load": round(os.getloadavg()[1], 1),
        "measures": MEASURES, "length": LENGTH, "relevant": RELEVANT, "start": round(statistics.median(starts), 3), "doors": doors,
    }
    Path(output).write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else data("scaling.json"))
