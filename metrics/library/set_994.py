"""set-994: stored ranks, by seven predictors, of the premises of 994 goals in another library.

The library is `set.mm` of Metamath, classical logic and set theory: 39,137 statements, four times as
many as in iset-1001. To rank them takes minutes, so the numbers that every metric needs are stored: for each
predictor and each goal the rank of every premise. book/data/README.md says where the data comes from.

    from metrics.library.set_994 import load_ranks

    stored = load_ranks()
    metrics.average_precision(stored.hits["popularity"])
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..hits import Hits
from ..notebook import data
from .data_file import DataError as DataError, read_text

ARTEFACT = data("set-994.txt.gz")
SHA256 = "d4a843e6b369b7f67efb6b3d253a0fc3cb8d71306cd9823239fa99d65cba1c16"  # of the text inside, as for iset-1001
TITLE = "set-994, format 1, {} goals"


@dataclass(frozen=True)
class StoredRanks:
    """The goals in file order, and the ranks at which each predictor puts their premises.

    labels    the name of each goal in the library
    sections  the headings of each goal, outermost first, joined by " > "
    lengths   how many statements are before each goal, all of which are ranked
    ranks     name of a predictor -> for each goal the 1-based ranks of its premises, in the order in which its proof
              names them; the same position means the same premise for all predictors
    """

    labels: tuple[str, ...]
    sections: tuple[str, ...]
    lengths: np.ndarray
    ranks: dict[str, list[np.ndarray]]

    def __len__(self):
        return len(self.labels)

    @cached_property
    def hits(self):
        """The mapping of each predictor's name to its `Hits`, which every metric takes."""
        return {name: Hits.from_ranks(ranks, self.lengths) for name, ranks in self.ranks.items()}


def by_neighbours_then_recency(library, goal):
    """Rank as the nearest neighbours do, but put all statements after the first hundred in order from newest to oldest."""
    from .iset_1001 import by_recency
    from .predictors import by_nearest_neighbours

    first, newest = by_nearest_neighbours(library, goal)[:100], by_recency(library, goal)
    return np.concatenate([first, newest[~np.isin(newest, first)]])


def to_text(stored):
    """The text of the data file for these ranks."""
    lines = [TITLE.format(len(stored))]
    for i, (label, section, length) in enumerate(zip(stored.labels, stored.sections, stored.lengths)):
        lines += [f"goal {label}", f"section {section}", f"among {length}"]
        lines += [f"{name}: {' '.join(map(str, ranks[i]))}" for name, ranks in stored.ranks.items()]
    return "\n".join(lines) + "\n"


def from_text(text):
    """The `StoredRanks` from a text that `to_text` wrote."""
    columns, ranks = {"goal": [], "section": [], "among": []}, {}
    for line in text.splitlines()[1:]:
        word, _, rest = line.partition(" ")
        if word in columns:
            columns[word].append(rest)
        else:
            name, _, numbers = line.partition(": ")
            ranks.setdefault(name, []).append(np.array(numbers.split(), dtype=int))
    labels, sections, lengths = columns.values()
    return StoredRanks(tuple(labels), tuple(sections), np.array(lengths, dtype=int), ranks)


def load_ranks(path=ARTEFACT, sha256=SHA256):
    """The stored ranks of the book. A missing or damaged file raises DataError, which names it."""
    return from_text(read_text(path, sha256))
