"""The cases on which a claim is tried, and the functions of which checks are made: hit ranks, heights, swaps, placements, signs.

The arguments of a case have the names that the package uses (`relevance`, `k`, `n_relevant`, `tp`, ...), and a
function gets those that it asks for. So a definition can be checked unchanged. Nothing here imports NumPy.
"""

import inspect
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import chain, combinations, permutations, product


def handed(function, names):
    """The given function as a function of a case: it gets, by name, those arguments of the case that it asks for."""
    parameters = inspect.signature(function).parameters.values()
    if any(p.kind is p.VAR_KEYWORD for p in parameters):
        return lambda case: function(**dict(zip(names, case)))
    required = [p.name for p in parameters if p.default is p.empty and p.kind is not p.VAR_POSITIONAL]
    missing = [name for name in required if name not in names]
    if missing:
        raise TypeError(f"{called(function)} asks for {', '.join(missing)}; a case has {', '.join(names)}")
    wanted = [(p.name, names.index(p.name)) for p in parameters if p.name in names]
    return lambda case: function(**{name: case[place] for name, place in wanted})


def called(function):
    """The name of a function, as shown in a message."""
    return getattr(function, "__name__", repr(function))


@dataclass(frozen=True)
class Cases:
    """Finitely many cases, smallest first, with a description in words.

    what: the description, with the size, as the page prints it. names: the names of the arguments of a case.
    make: a function that yields the cases, each a tuple of arguments. sampled: False if these are all cases up to a size.
    """

    what: str
    names: tuple
    make: object
    sampled: bool = False

    def __iter__(self):
        return (case[0] if len(self.names) == 1 else case for case in self.make())

    def describe(self, case):
        return ", ".join(f"{name} = {plain(value)}" for name, value in zip(self.names, case))

    def with_each(self, what, name, values, every=False):
        """Every case with each of `values` as one more argument; `values` may be a function of the case. every: as in `grid`."""
        of_case = handed(values, self.names) if callable(values) else lambda case: values
        made = lambda: ((*case, value) for case in self.make() for value in of_case(case))
        return Cases(f"{self.what}, {what}", (*self.names, name), made, self.sampled or picked(values, every))

    def where(self, what, condition):
        """The cases for which the condition holds."""
        holds = handed(condition, self.names)
        return Cases(f"{self.what}, {what}", self.names, lambda: filter(holds, self.make()), self.sampled)

    def with_cutoff(self, beyond=0):
        """Every case with each cutoff k = 1 ... n of its ranking, or up to n + `beyond`."""
        what = "every cutoff k" + (f" up to n + {beyond}" if beyond else "")
        return self.with_each(what, "k", lambda relevance: range(1, len(relevance) + beyond + 1))

    def with_n_relevant(self, unranked=2, at_least=1):
        """Every case with each R >= `at_least` from its number of ranked relevant items to `unranked` more; cases without a miss come first."""

        def made():
            for missing in range(unranked + 1):
                for case in self.make():
                    total = sum(map(bool, case[0])) + missing
                    if total >= at_least:
                        yield *case, total

        what = f"every R with at most {unranked} relevant item{'s' * (unranked != 1)} unranked" + ("" if at_least else ", R = 0 too")
        return Cases(f"{self.what}, {what}", (*self.names, "n_relevant"), made, self.sampled)

    def with_swaps(self):
        """Every case with each rank i at which an irrelevant item is directly above a relevant one."""
        what = "each rank i with an irrelevant item directly above a relevant one"
        return self.with_each(what, "i", lambda relevance: (i for i in range(1, len(relevance)) if relevance[i - 1] == 0 < relevance[i]))

    def with_a_hit(self):
        """The cases with a relevant item in the ranking, or, if the case has a k, in its top k."""
        if "k" in self.names:
            return self.where("with a hit in the top k", lambda relevance, k: any(relevance[:k]))
        return self.where("with a hit", lambda relevance: any(relevance))

    def mixed(self):
        """The cases with both relevant and irrelevant items in the ranking."""
        return self.where("0 < R < N", lambda relevance: any(relevance) and not all(relevance))


def grid(what, every=False, **values):
    """Every combination of the named values.

    Whole numbers in a `range` count as all numbers up to its end; other values are a sample, unless `every` says that there are no more.
    """
    return Cases(what, tuple(values), lambda: product(*values.values()), any(picked(each, every) for each in values.values()))


def picked(values, every):
    """Whether the values are only a sample of all possible values."""
    return not (every or isinstance(values, range) or callable(values))


def rankings(n, at_least=1, max_grade=1):
    """Every ranking of length `at_least` to n, shortest first, as tuples of 0s and 1s (or of grades up to `max_grade`).

    >>> list(rankings(2))
    [(0,), (1,), (0, 0), (0, 1), (1, 0), (1, 1)]
    """
    kind = "0/1 rankings" if max_grade == 1 else f"rankings with grades 0 to {max_grade}"
    return Cases(
        f"all {kind} of length {at_least} to {n}",
        ("relevance",),
        lambda: ((r,) for length in range(at_least, n + 1) for r in product(range(max_grade + 1), repeat=length)),
    )


def pairs_of_rankings(n):
    """Every pair of 0/1 rankings with the same length, from 1 to n, and the same number of relevant items."""

    def make():
        for length in range(1, n + 1):
            every = list(product((0, 1), repeat=length))
            yield from ((a, b) for a in every for b in every if sum(a) == sum(b))

    return Cases(f"all pairs of 0/1 rankings of one length up to {n} with the same R", ("first", "second"), make)


def orders(n, at_least=2):
    """Every order of the items 1 ... m for m = `at_least` to n; a reference order has 1 first, then 2, and so on."""
    made = lambda: ((order,) for m in range(at_least, n + 1) for order in permutations(range(1, m + 1)))
    return Cases(f"all orders of {at_least} to {n} items", ("order",), made)


def sizes(n, at_least=1):
    """Every number N of items from `at_least` to n, with every number R of relevant items from 1 to N."""
    made = lambda: ((N, R) for N in range(at_least, n + 1) for R in range(1, N + 1))
    return Cases(f"all N from {at_least} to {n} with all R from 1 to N", ("N", "R"), made)


def pairs_of_sets(n):
    """Every universe {1 ... N}, N = 1 ... n, with every pair of its subsets: the predicted items and the actual items."""

    def subsets(size):
        items = range(1, size + 1)
        return [set(s) for s in chain.from_iterable(combinations(items, r) for r in range(size + 1))]

    made = lambda: ((p, a, size) for size in range(1, n + 1) for p, a in product(subsets(size), repeat=2))
    return Cases(f"all pairs of subsets of universes of 1 to {n} items", ("predicted", "actual", "universe_size"), made)


def confusion_tables(n):
    """Every confusion table (tp, fp, fn, tn) of 1 to n items, smallest totals first."""

    def make():
        for size in range(1, n + 1):
            for tp, fp, fn in product(range(size + 1), repeat=3):
                if tp + fp + fn <= size:
                    yield tp, fp, fn, size - tp - fp - fn

    return Cases(f"all confusion tables of 1 to {n} items", ("tp", "fp", "fn", "tn"), make)


def plain(value):
    """A value as a student would write it."""
    if isinstance(value, (tuple, list)):
        return "[" + ", ".join(map(plain, value)) + "]"
    if isinstance(value, (set, frozenset)):
        return "{" + ", ".join(map(plain, sorted(value))) + "}"
    return str(value)


# The words in which checks are written. None of them is a metric, but for `heights`.


def hit_ranks(relevance):
    """The 1-based ranks k_1 < k_2 < ... of the relevant items."""
    return [k for k, grade in enumerate(relevance, 1) if grade]


def heights(relevance):
    """The precision j/k_j at each hit."""
    ranks = enumerate(hit_ranks(relevance), 1)
    return [Fraction(j, k) for j, k in ranks]


def exchanged(relevance, i, j=None):
    """The ranking with the items at ranks i and j exchanged; without j, those at i and i + 1."""
    changed, j = list(relevance), j or i + 1
    changed[i - 1], changed[j - 1] = changed[j - 1], changed[i - 1]
    return tuple(changed)


@cache
def placements(N, R):
    """Every 0/1 ranking of N items, R of which are relevant."""
    return tuple(tuple(int(k in hits) for k in range(N)) for hits in combinations(range(N), R))


def sign(value):
    """The sign -1, 0 or 1 of a number; in an inequality it tells "equal" from "greater", unlike True and False."""
    return int(bool(value > 0)) - int(bool(value < 0))


@cache
def harmonic(n):
    """The harmonic number H_n = 1 + 1/2 + ... + 1/n."""
    return sum((Fraction(1, m) for m in range(1, n + 1)), Fraction(0))
