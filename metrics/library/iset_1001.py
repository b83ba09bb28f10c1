"""iset-1001: a library of formal mathematics, with 1,001 goals for which its statements are ranked.

The library is `iset.mm` of Metamath, intuitionistic logic and set theory: 9,259 statements in the
order of the file, so a proof cites only earlier statements. A statement is named by its
position, 0 to 9258. A goal is a theorem of the library; its premises are to be found among
the statements before it.

    from metrics.library.iset_1001 import load, by_popularity, premise_ranks

A ranker is any function `ranker(library, goal)` that returns the positions 0 to goal - 1, best
first. It may look at `library.seen_from(goal)` and at nothing else. book/data/README.md says
where the data comes from and what it looks like.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from ..notebook import data
from .data_file import DataError as DataError, from_text, read_text

ARTEFACT = data("iset-1001.txt.gz")
# Of the text inside, so that it does not depend on the version of zlib that packed it.
SHA256 = "47c4b65185fd9c59449c31f5cfa32306b682588861f7ecb370314a2afe0d22ff"


@dataclass(frozen=True)
class Library:
    """Statements in file order, and the goals among them. Entry `i` of each of the first six fields is about statement `i`.

    labels       its name in the library, such as "syl"
    kinds        "axiom", "definition" or "theorem"
    sections     its headings, outermost first, joined by " > "
    hypotheses   a tuple of expressions; an expression is symbols with one space between
    statements   one expression: what holds if the hypotheses do
    premises     the positions, distinct and all below `i`, of the statements that its proof cites
    goals              positions of the goals, ascending
    development_goals  positions of other goals, for choosing the settings of a ranker
    """

    labels: tuple[str, ...]
    kinds: tuple[str, ...]
    sections: tuple[str, ...]
    hypotheses: tuple[tuple[str, ...], ...]
    statements: tuple[str, ...]
    premises: tuple[tuple[int, ...], ...]
    goals: tuple[int, ...] = ()
    development_goals: tuple[int, ...] = ()

    def __len__(self):
        return len(self.labels)

    def __repr__(self):
        return f"<Library: {len(self)} statements, {len(self.goals)} goals>"

    def position(self, label):
        """The position of the statement with this label."""
        if label not in self.labels:
            raise ValueError(f"label: got {label!r}, expected the name of a statement in the library")
        return self.labels.index(label)

    def text(self, position):
        """The statement with its hypotheses, as one line to read.

        >>> library = load()
        >>> library.text(library.position("syl"))
        '( ph -> ps )  &  ( ps -> ch )  =>  ( ph -> ch )'
        """
        hypotheses = "  &  ".join(self.hypotheses[position])
        return hypotheses + ("  =>  " if hypotheses else "") + self.statements[position]

    def seen_from(self, goal):
        """The statements before the goal, and the goal without its proof: what a ranker may see."""
        seen = {name: getattr(self, name)[: goal + 1] for name in ("labels", "kinds", "sections", "hypotheses", "statements")}
        return replace(self, **seen, premises=(*self.premises[:goal], ()), goals=(goal,), development_goals=())

    @cached_property
    def citations(self):
        """All citations in file order, and, for each position, the number of citations before it."""
        cited = [premise for premises in self.premises for premise in premises]
        before = np.cumsum([0, *map(len, self.premises)])
        return np.array(cited, dtype=int), before


def citations_before(library, goal):
    """The number of times that each statement before the goal is cited by statements before the goal.

    >>> library = load()
    >>> citations_before(library, 6)  # only statement 5 cites anything: statement 4
    array([0, 0, 0, 0, 1, 0])
    """
    cited, before = library.citations
    return np.bincount(cited[: before[goal]], minlength=goal)


def by_recency(library, goal):
    """Rank the statements before the goal, the newest first.

    >>> by_recency(load(), 4)
    array([3, 2, 1, 0])
    """
    if not 0 <= goal < len(library):
        last = len(library) - 1
        raise ValueError(
            f"goal: expected a position from 0 to {last}, "
            f"got {goal!r}"
        )
    return np.arange(goal)[::-1]


def by_popularity(library, goal):
    """Rank the statements before the goal, most cited first.

    Only citations by statements before the goal count, and
    among equals the newest goes first.

    >>> library = load()
    >>> best = by_popularity(library, library.position("syl"))
    >>> [library.labels[position] for position in best[:3]]
    ['ax-mp', 'a2i', 'a1i']
    """
    newest_first = by_recency(library, goal)
    citations = citations_before(library, goal)[newest_first]
    return newest_first[np.argsort(-citations, kind="stable")]


def premise_ranks(library, ranker, goals=None):
    """The ranks that a ranker gives to the premises of each goal, as `Hits.from_ranks` needs them.

    Returns `ranks`, for each goal an ascending array of the 1-based ranks of its premises, and
    `lengths`, the array of the numbers of statements ranked. `goals` defaults to `library.goals`.
    Raises ValueError for a ranker that leaves a statement out, or ranks one twice.

    >>> library = load()
    >>> premise_ranks(library, by_popularity, [library.position("syl")])
    ([array([3, 6])], array([11]))
    """
    goals = library.goals if goals is None else goals
    ranks = []
    for goal in goals:
        given = ranker(library, goal)
        if isinstance(given, np.ndarray) and given.dtype.kind in "iu":
            ranking, complete = given, np.array_equal(np.sort(given), np.arange(goal))
        else:
            ranking = np.array(list(given) if isinstance(given, Iterable) else [], dtype=object)
            complete = ranking.shape == (goal,) and set(ranking.tolist()) == set(range(goal))
        if not complete:
            raise ValueError(f"ranker: got a wrong ranking for goal {goal}, expected the positions 0 to {goal - 1}, each once")
        ranking, rank_of = ranking.astype(int), np.empty(goal, dtype=int)
        rank_of[ranking] = np.arange(1, goal + 1)
        ranks.append(np.sort(rank_of[list(library.premises[goal])]))
    return ranks, np.array(goals, dtype=int)


def every(step, start, statements):
    """The positions of every `step`-th theorem that cites a premise, from position `start` on."""
    candidates = [i for i in range(start, len(statements)) if statements[i].premises]  # only theorems cite
    return tuple(candidates[::step])


def library_of(statements, goals=(), development_goals=()):
    """The `Library` of a list of `Statement` in which every premise comes before each statement that cites it."""
    position = {statement.label: i for i, statement in enumerate(statements)}
    return Library(
        labels=tuple(s.label for s in statements),
        kinds=tuple(s.kind for s in statements),
        sections=tuple(s.section for s in statements),
        hypotheses=tuple(s.hypotheses for s in statements),
        statements=tuple(s.statement for s in statements),
        premises=tuple(tuple(position[label] for label in s.premises) for s in statements),
        goals=tuple(goals),
        development_goals=tuple(development_goals),
    )


def load(path=ARTEFACT, sha256=SHA256):
    """The library of the book with its 1,001 goals and 200 development goals.

    A missing or damaged file raises DataError. `sha256=None` skips the checksum.

    >>> load()
    <Library: 9259 statements, 1001 goals>
    """
    statements = from_text(read_text(path, sha256), path)
    return library_of(statements, every(8, 1000, statements), every(40, 1004, statements))
