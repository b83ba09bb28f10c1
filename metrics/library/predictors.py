"""Seven predictors of premises, from random order to machine learning: which earlier statements will a proof cite?

    from metrics.library.iset_1001 import load
    from metrics.library.predictors import PREDICTORS, hits_of

A predictor is a ranker as in metrics.library.iset_1001: `predictor(library, goal)` returns the positions
0 to goal - 1, best first. It looks at the statements before the goal, at their proofs, and at the
goal's own symbols; so deleting everything that comes later changes no ranking. Scores are rounded
before they are sorted, so that another processor gives the same ranking.

    python -m metrics.predictors mine.py

scores the function `my_predictor(library, goal)` of a file of your own, or of several, beside the seven,
on the development goals.
"""

import sys
from argparse import ArgumentParser
from functools import wraps
from itertools import pairwise
from pathlib import Path
from runpy import run_path

import numpy as np
from scipy.sparse import csr_array, eye_array

from ..areas import average_precision
from ..hits import Hits
from ..topics.significance import leaderboard
from .iset_1001 import by_popularity, by_recency, load, premise_ranks


def features_of(library, position):
    """The symbols in a statement and in its hypotheses, and the pairs of neighbouring symbols.

    >>> load().statements[2]
    '( ph -> ( ps -> ph ) )'
    >>> features = list(features_of(load(), 2))
    >>> features[:4], features[-2:]
    (['(', 'ph', '->', '('], [('ph', ')'), (')', ')')])
    """
    for expression in (*library.hypotheses[position], library.statements[position]):
        symbols = expression.split()
        yield from symbols
        yield from pairwise(symbols)


class Index:
    """The counts that predictors look up in a library, made once: matrices with a row for each statement.

    features  (statements, features) 1 where the statement has the feature
    having    its transpose
    citing    (statements, statements) 1 where the proof of the row cites the column
    uses      the same, and each statement uses itself
    """

    def __init__(self, library):
        number, size = {}, len(library)  # of each feature, in the order of first appearance
        rows = [
            sorted({number.setdefault(name, len(number)) for name in features_of(library, position)})
            for position in range(size)
        ]
        self.features = matrix_of(rows, len(number))
        self.having = self.features.T.tocsr()
        self.citing = matrix_of(library.premises, size)
        self.uses = (self.citing + eye_array(size)).tocsr()

    def seen_from(self, goal):
        """The features of the goal, and the number of statements, up to the goal, that have each feature."""
        start, stop = self.features.indptr[goal : goal + 2]
        columns = self.features.indices
        return columns[start:stop], np.bincount(columns[:stop], minlength=self.features.shape[1])


def matrix_of(rows, width):
    """The sparse matrix in which each row has a 1 in every column that the same entry of `rows` lists."""
    columns = np.array([column for row in rows for column in row], dtype=int)
    starts = np.cumsum([0, *map(len, rows)])
    return csr_array((np.ones(len(columns)), columns, starts), shape=(len(rows), width))


def rows_before(goal, matrix):
    """The same matrix with empty rows from the goal's row on."""
    starts = np.minimum(matrix.indptr, matrix.indptr[goal])
    return csr_array((matrix.data, matrix.indices, starts), shape=matrix.shape)


def index_of(library):
    """The index of a library, made when first needed and then kept with the library."""
    kept = vars(library)
    if "index" not in kept:
        kept["index"] = Index(library)
    return kept["index"]


def remembered(ranker):
    """Wrap a ranker so that its last answer is kept in the index of the library, because fusion asks for it again."""

    @wraps(ranker)
    def asked(library, goal, **settings):
        kept = vars(index_of(library)).setdefault("answers", {})
        question = goal, settings
        if kept.get(ranker, (None,))[0] != question:
            kept[ranker] = question, ranker(library, goal, **settings)
        return kept[ranker][1].copy()

    return asked


def best_first(scores, order):
    """The positions by score (rounded to ten decimal places), highest first; equal scores keep the given order.

    >>> best_first(np.array([0.1 + 0.2, 0.3, 1]), np.array([1, 0, 2]))
    array([2, 1, 0])
    """
    return order[np.argsort(-np.round(scores, 10)[order], kind="stable")]


def at_random(library, goal):
    """Rank at random, but in the same order for the same goal.

    >>> sorted(at_random(load(), 4).tolist())
    [0, 1, 2, 3]
    """
    statements = by_recency(library, goal)
    chance = np.random.default_rng(goal)
    return chance.permutation(statements)


def by_decayed_popularity(library, goal, *, scale=500):
    """Rank by citations that fade as the library grows.

    A citation by the statement d positions before the goal
    counts exp(-d / scale).

    >>> library = load()
    >>> goal = library.position("syl")
    >>> by_decayed_popularity(library, goal)[:3]
    array([4, 8, 6])
    """
    order = by_popularity(library, goal)
    cited, before = library.citations
    fade = np.exp((np.arange(goal) - goal) / scale)
    weight = np.repeat(fade, np.diff(before[: goal + 1]))
    scores = np.bincount(cited[: before[goal]], weight, goal)
    return best_first(scores, order)


@remembered
def by_nearest_neighbours(
    library, goal, *, neighbours=100, power=4, itself=0.3
):
    """Rank by the votes of the statements most like the goal.

    Likeness is the cosine of their features, symbols and pairs
    of symbols, where a rare feature weighs more (idf). A
    neighbour votes with likeness^power for its premises,
    divided by the square root of their number, and with a share
    for itself.
    Source: Kaliszyk and Urban (2015).

    >>> library = load()
    >>> goal = library.position("syl")
    >>> by_nearest_neighbours(library, goal)[:3]
    array([4, 8, 5])
    """
    order = by_popularity(library, goal)
    index = index_of(library)
    own, having = index.seen_from(goal)
    rarity = np.log((goal + 1) / np.maximum(having, 1)) ** 2
    shared = np.zeros_like(rarity)
    shared[own] = rarity[own]
    squares = (index.features @ rarity)[:goal] * shared.sum()
    overlap = (index.features @ shared)[:goal]
    likeness = overlap / np.sqrt(np.maximum(squares, 1e-12))
    newest_first = by_recency(library, goal)
    nearest = best_first(likeness, newest_first)[:neighbours]
    vote = likeness[nearest] ** power
    citing = index.citing[nearest]
    premises = np.maximum(citing.sum(axis=1), 1)
    scores = (vote / np.sqrt(premises)) @ citing
    scores[nearest] += itself * vote
    return best_first(scores[:goal], order)


@remembered
def by_naive_bayes(library, goal, *, trust=0.2, smoothing=0.1):
    """Rank by how often a statement's users look like the goal.

    The score of a statement with t users, itself included, is
    log t plus trust times the sum of log lifts of the goal's
    features: the share of the users with the feature, over that
    of all statements. A little of an average user, `smoothing`,
    keeps the lift above 0.
    Source: Kühlwein, Blanchette, Kaliszyk and Urban (2013).

    >>> library = load()
    >>> goal = library.position("syl")
    >>> by_naive_bayes(library, goal)[:3]
    array([4, 8, 3])
    """
    order = by_popularity(library, goal)
    index = index_of(library)
    own, having = index.seen_from(goal)
    share = having[own] / (goal + 1)
    uses = rows_before(goal, index.uses)
    times = uses.sum(axis=0)[:goal]
    together = (index.having[own] @ uses).tocoo()
    seen = together.data / (smoothing * share[together.row])
    lift = np.bincount(together.col, np.log1p(seen), goal)
    unseen = np.log(smoothing / (times + smoothing))
    sums = lift[:goal] + len(own) * unseen
    return best_first(np.log(times) + trust * sums, order)


def by_fusion(library, goal, *, constant=20):
    """Rank by the nearest neighbours and naive Bayes together.

    The score is the sum of 1 / (constant + rank) over the two:
    reciprocal rank fusion.
    Source: Cormack, Clarke and Büttcher (2009).

    >>> library = load()
    >>> by_fusion(library, library.position("syl"))[:3]
    array([4, 8, 3])
    """
    order, scores = by_popularity(library, goal), np.zeros(goal)
    for ranker in by_nearest_neighbours, by_naive_bayes:
        ranks = np.arange(1, goal + 1)
        scores[ranker(library, goal)] += 1 / (constant + ranks)
    return best_first(scores, order)


PREDICTORS = {
    "random": at_random,
    "recency": by_recency,
    "popularity": by_popularity,
    "decayed popularity": by_decayed_popularity,
    "k-NN": by_nearest_neighbours,
    "naive Bayes": by_naive_bayes,
    "fusion": by_fusion,
}


def hits_of(library, predictors=PREDICTORS, goals=None, *, progress=None):
    """The hits of each predictor for the premises of each goal: a dictionary from names to `Hits`.

    predictors: a dictionary from names to rankers. goals: default `library.goals`. progress:
    whether to count the goals on the error stream; default: if that is a terminal.

    >>> hits_of(load(), {"popularity": by_popularity}, [load().position("syl")])
    {'popularity': Hits(shape=(1,), length=11, hits=2)}
    """
    goals = library.goals if goals is None else goals
    progress = sys.stderr.isatty() if progress is None else progress
    ranks = {name: [] for name in predictors}
    for done, goal in enumerate(goals, 1):
        for name, ranker in predictors.items():
            ranks[name] += premise_ranks(library, ranker, [goal])[0]
        if progress:
            print(f"\r{done} of {len(goals)} goals", end="\n" * (done == len(goals)), file=sys.stderr)
    return {name: Hits.from_ranks(found, goals) for name, found in ranks.items()}


MANY = 20  # runs: with more, each pair is not tested by itself
LOOKED_AT = 5  # goals for which a ranking is made again without the future


def main(arguments=None):
    """Score predictors of your own beside the seven, on the development goals."""
    parser = ArgumentParser(prog="python -m metrics.predictors", description=main.__doc__)
    help = "a file that defines my_predictor(library, goal); its code is run as it is, so run the code of strangers in a container"
    parser.add_argument("files", type=Path, nargs="+", metavar="file", help=help)
    files = parser.parse_args(arguments).files
    library, hits, said = load(), {}, []
    for file, name in zip(files, unlike(files)):
        try:
            mine = predictor_in(file)
            hits |= hits_of(library, {name: mine}, library.development_goals)
            if looks_ahead(library, mine):
                said.append(f"{name}: its ranking changes if everything after the goal is deleted, so it looks at the future")
        except (Exception, SystemExit) as error:  # of one file: the others are scored
            said.append(f"{name}: {error if isinstance(error, ValueError | SyntaxError | OSError) else f'{type(error).__name__}: {error}'}")
    if not hits:
        parser.error("; ".join(said))
    values = {name: average_precision(found) for name, found in (hits_of(library, goals=library.development_goals) | hits).items()}
    print(f"Average precision on the {len(library.development_goals)} development goals\n")
    print(leaderboard(values, undefined="raise", correction="max" if len(values) > MANY else "holm"))
    if said:
        parser.exit(2, "\n" + "\n".join(said) + "\n")


def predictor_in(file):
    """The function `my_predictor` of a file. Raises ValueError if there is none."""
    if not file.is_file():
        raise ValueError("no such file")
    mine = run_path(str(file)).get("my_predictor")
    if not callable(mine):
        raise ValueError("the file defines no function my_predictor(library, goal)")
    return mine


def looks_ahead(library, ranker):
    """Whether a ranking changes for one of some goals if everything after the goal, and its proof, is deleted."""
    goals = library.development_goals[:: len(library.development_goals) // LOOKED_AT]
    return any(list(ranker(library, goal)) != list(ranker(library.seen_from(goal), goal)) for goal in goals)


def unlike(files):
    """The name of each file, with its folder where two files have the same name."""
    names = [file.name for file in files]
    return [name if names.count(name) == 1 else f"{file.parent.name}/{name}" for file, name in zip(files, names)]


if __name__ == "__main__":
    main()
