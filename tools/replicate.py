"""Rank 994 goals of Metamath's `set.mm` by the predictors of the book, and store the ranks of their premises.

Usage: python -m tools.replicate /usr/share/metamath/databases/set.mm [OUTPUT]

OUTPUT is the file to write, by default book/data/set-994.txt.gz. A file that already holds the right text
stays as it is. Another version of set.mm gives another text: then nothing is written, and the checksum
found is printed.
"""

import sys
from pathlib import Path

import numpy as np

from metrics.library.iset_1001 import every, library_of
from metrics.library.predictors import PREDICTORS
from metrics.library.set_994 import ARTEFACT, SHA256, StoredRanks, by_neighbours_then_recency, to_text
from tools.metamath import MetamathError, read_statements
from tools.rebuild_data import write_if_right

RANKERS = PREDICTORS | {"k-NN, then recency": by_neighbours_then_recency}


def library_at(path):
    """The library in the Metamath file at `path`, its goals every 36th theorem that cites a premise, from position 2000."""
    statements = read_statements(path)
    return library_of(statements, every(36, 2000, statements))


def rank_premises(library, rankers, report=lambda done: None):
    """The `StoredRanks` of these rankers, name -> ranker, on the goals of the library."""
    ranks = {name: [] for name in rankers}
    for done, goal in enumerate(library.goals, 1):
        for name, ranker in rankers.items():
            rank_of = np.empty(goal, dtype=int)
            rank_of[ranker(library, goal)] = np.arange(1, goal + 1)
            ranks[name].append(rank_of[list(library.premises[goal])])
        report(done)
    goals = np.array(library.goals)
    return StoredRanks(tuple(library.labels[goal] for goal in goals), tuple(library.sections[goal] for goal in goals), goals, ranks)


def main(arguments):
    if len(arguments) not in (1, 2):
        sys.exit(__doc__)
    source, output = arguments[0], Path(arguments[1] if len(arguments) == 2 else ARTEFACT)
    try:
        library = library_at(source)
    except (MetamathError, OSError) as error:
        sys.exit(f"replicate: {error}")
    report = lambda done: print(f"\r{done} of {len(library.goals)} goals", end="", file=sys.stderr, flush=True)
    text = to_text(rank_premises(library, RANKERS, report))
    print(file=sys.stderr)
    write_if_right("replicate", source, text, SHA256, output)


if __name__ == "__main__":
    main(sys.argv[1:])
