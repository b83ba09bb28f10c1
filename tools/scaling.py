"""Measure what an evaluation costs in one process, and on Dask with two, by the number of judged items.

    python -m tools.scaling

It writes book/data/scaling.json; the chapter "From one machine to many" draws it.
Only processor seconds are measured, of all processes together, because waiting time says what else a machine does.
Both ways take turns, and a number is the median of three. It takes some ten minutes and four gigabytes.
"""

import json
import os
import platform
import tempfile
from contextlib import contextmanager
from datetime import date
from functools import partial
from pathlib import Path
from statistics import median
from time import process_time

import dask
import numpy as np
from dask.distributed import Client, LocalCluster, wait

from metrics import Hits, Total, many, trec
from metrics.notebook import data
from tools import benchmark

MEASURES, SIZES, TURNS, WORKERS = "AP P@10 nDCG@10", (1, 10, 100), 3, 2
QUERIES, LENGTH, RELEVANT = 1000, 1000, 10  # of a block, so that one has a million items


def in_order(seed):
    """The zeros and ones of a block in rank order."""
    return benchmark.matrix(QUERIES, LENGTH, lambda rng, queries: np.full(queries, RELEVANT), seed)


def scored(seed):
    return benchmark.scored(in_order(seed), seed)


def by_scores(block):
    return Hits.from_scores(scores=block[0], labels=block[1], ties="stable")


def write_files(folder):
    """One file of judgements, and the paths of runs of a million lines: links to one file, which is read each time."""
    qrels, first, *others = [folder / name for name in ("qrels", *(f"run-{number}" for number in range(max(SIZES))))]
    benchmark.write_files(in_order(0), first, qrels)
    for other in others:
        other.hardlink_to(first)
    return qrels, [first, *others]


def used(client):
    """The processor seconds of this process and of the workers together."""
    return process_time() + sum(client.run(process_time).values())


def compared(client, *ways):
    """The median seconds of each way, in turns, once they agree."""
    first, second = (way() for way in ways)
    assert first == second, "two ways to evaluate the same differ"
    costs = benchmark.in_turns(dict(enumerate(ways)), TURNS, partial(used, client))
    return [median(milliseconds) / 1000 for milliseconds in costs.values()]


@contextmanager
def started():
    """A client of a new cluster, and the processor seconds that its start takes."""
    before = process_time()
    with LocalCluster(n_workers=WORKERS, threads_per_worker=1, dashboard_address=":0", memory_limit=0) as cluster, Client(cluster) as client:
        yield client, used(client) - before


def totals(evaluation):
    return {name: Total.of(values) for name, values in evaluation.items()}


def in_memory(client, make, hits, size):
    """The seconds of both ways for so many blocks in memory."""
    made, there = [make(seed) for seed in range(size)], client.persist([dask.delayed(make)(seed) for seed in range(size)])
    wait(there)
    blocks = [dask.delayed(hits)(block) for block in there]

    def alone():
        parts = [totals(many.evaluate(hits(block), MEASURES)) for block in made]
        return {name: sum((part[name] for part in parts), Total()) for name in parts[0]}

    return compared(client, alone, partial(many.totals, blocks, MEASURES))


def in_files(client, qrels, runs):
    """The seconds of both ways for run files."""
    judged = trec.read_qrels(qrels)
    return compared(
        client,
        lambda: [totals(trec.evaluate(judged, run, MEASURES)) for run in runs],
        lambda: list(map(totals, many.evaluate_runs(qrels, runs, MEASURES).values())),
    )


def door(name, measure):
    """The rows for one kind of input."""
    both = []
    for size in SIZES:
        both.append([round(seconds, 4) for seconds in measure(size)])
        print(name, size, *both[-1], flush=True)
    alone, spread = map(list, zip(*both))
    return {"name": name, "items": [size * QUERIES * LENGTH for size in SIZES], "alone": alone, "dask": spread}


def main():
    starts = []
    for _ in range(TURNS):
        with started() as (_, took):
            starts.append(took)
    with started() as (client, _), tempfile.TemporaryDirectory() as folder:
        qrels, runs = write_files(Path(folder))
        doors = [
            door("zeros and ones", partial(in_memory, client, in_order, Hits.from_relevance)),
            door("scores", partial(in_memory, client, scored, by_scores)),
            door("run files", lambda size: in_files(client, qrels, runs[:size])),
        ]
    found = {
        "date": date.today().isoformat(), "processor": platform.machine(), "processors": os.cpu_count(), "workers": WORKERS,
        "python": platform.python_version(), "numpy": np.__version__, "dask": dask.__version__, "load": round(os.getloadavg()[1], 1),
        "measures": MEASURES, "length": LENGTH, "relevant": RELEVANT, "start": round(median(starts), 3), "doors": doors,
    }
    data("scaling.json").write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
