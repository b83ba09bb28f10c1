"""Rank 994 goals of Metamath's `set.mm` by the predictors of the book, and store the ranks of their premises:

    python -m tools.replicate /usr/share/metamath/databases/set.mm

A file that already holds the right text stays as it is. Another version of set.mm gives another text:
then nothing is written, and the checksum found is printed.
"""

import sys

import numpy as np

from metrics.library.iset_1001 import every, library_of
from metrics.library.predictors import PREDICTORS
from metrics.library.set_994 import ARTEFACT, SHA256, StoredRanks, by_neighbours_then_recency, to_text
from tools.metamath import read_statements
from tools.rebuild_data import write_if_right

RANKERS = PREDICTORS | {"k-NN, then recency": by_neighbours_then_recency}


def library_at(path):
    """The library in the Metamath file at `path`, its goals every 36th theorem that cites a premise, from position 2000."""
    statements = read_statements(path)
    return library_of(statements, every(36, 2000, statements))


def rank_premises(library, rankers=RANKERS):
    """The `StoredRanks` of these rankers, name -> ranker, on the goals of the library."""
    ranks = {name: [] for name in rankers}
    for done, goal in enumerate(library.goals, 1):
        for name, ranker in rankers.items():
            rank_of = np.empty(goal, dtype=int)
            rank_of[ranker(library, goal)] = np.arange(1, goal + 1)
            ranks[name].append(rank_of[list(library.premises[goal])])
        print(f"\r{done} of {len(library.goals)} goals", end="", file=sys.stderr, flush=True)
    goals = np.array(library.goals)
    return StoredRanks(tuple(library.labels[goal] for goal in goals), tuple(library.sections[goal] for goal in goals), goals, ranks)


if __name__ == "__main__":
    write_if_right(__doc__, lambda path: to_text(rank_premises(library_at(path))), SHA256, ARTEFACT)
