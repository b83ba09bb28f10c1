"""The checker behind every numbered claim: all small cases, a symbolic proof, and a near miss that must fail.

A claim says that two functions of a case, `measured` and `stated`, agree on every case: they give equal
values, or values of which the first is at least (at most) the second. Values are compared exactly: a float
raises, unless the claim states a tolerance. The near miss is something that a person might state instead.
It is put in the place of `stated`, so the same check must tell it apart: right in some cases, wrong in others.
"""

import operator
import random
from dataclasses import asdict, dataclass
from fractions import Fraction
from html import escape
from itertools import chain, combinations, product
from math import inf


class ClaimFailed(AssertionError):
    """A claim, its proof or its near miss did not come out as stated."""


@dataclass(frozen=True)
class Cases:
    """Finitely many cases, smallest first, that know what they are.

    what: in words, with the size, as the page prints it. names: the arguments of a case, for messages.
    make: a function that yields the cases, a tuple of arguments each. sampled: True if these are not all.
    """

    what: str
    names: tuple
    make: object
    sampled: bool = False

    def __iter__(self):
        return (case[0] if len(self.names) == 1 else case for case in self.make())

    def describe(self, case):
        return ", ".join(f"{name} = {plain(value)}" for name, value in zip(self.names, case))

    def with_each(self, what, name, values):
        """Every case with every one of `values(*case)` as one more argument."""
        return Cases(
            f"{self.what}, {what}",
            (*self.names, name),
            lambda: ((*case, value) for case in self.make() for value in values(*case)),
            self.sampled,
        )

    def with_cutoff(self):
        """Every case with each cutoff k = 1 ... n of its ranking, the first argument."""
        return self.with_each("every cutoff k", "k", lambda ranking, *_: range(1, len(ranking) + 1))

    def with_n_relevant(self, unranked=2):
        """Every case with each R from the relevant items in the ranking to `unranked` more, at least 1."""
        return self.with_each(
            f"every R with at most {unranked} relevant items unranked",
            "n_relevant",
            lambda ranking, *_: range(max(1, sum(ranking)), sum(ranking) + unranked + 1),
        )

    def where(self, what, condition):
        """The cases for which the condition holds."""
        return Cases(
            f"{self.what}, {what}", self.names, lambda: (c for c in self.make() if condition(*c)), self.sampled
        )


def rankings(n, at_least=1, max_grade=1):
    """Every ranking of length `at_least` to n, shortest first, as tuples of 0 and 1 (or of grades up to `max_grade`).

    >>> list(rankings(2))
    [(0,), (1,), (0, 0), (0, 1), (1, 0), (1, 1)]
    """
    kind = "0/1 rankings" if max_grade == 1 else f"rankings with grades 0 to {max_grade}"
    return Cases(
        f"all {kind} of length {at_least} to {n}",
        ("ranking",),
        lambda: ((r,) for length in range(at_least, n + 1) for r in product(range(max_grade + 1), repeat=length)),
    )


def pairs_of_rankings(n):
    """Every pair of 0/1 rankings of the same length 1 ... n and the same number of relevant items."""

    def make():
        for length in range(1, n + 1):
            every = list(product((0, 1), repeat=length))
            yield from ((a, b) for a in every for b in every if sum(a) == sum(b))

    return Cases(f"all pairs of 0/1 rankings of one length up to {n} with the same R", ("first", "second"), make)


def pairs_of_sets(n):
    """Every universe {1 ... N}, N = 1 ... n, with every pair of its subsets: what is predicted, what is actual."""

    def subsets(size):
        items = range(1, size + 1)
        return [set(s) for s in chain.from_iterable(combinations(items, r) for r in range(size + 1))]

    def make():
        for size in range(1, n + 1):
            yield from ((p, a, size) for p, a in product(subsets(size), repeat=2))

    return Cases(f"all pairs of subsets of universes of 1 to {n} items", ("predicted", "actual", "universe_size"), make)


def confusion_tables(n):
    """Every confusion table (tp, fp, fn, tn) of 1 to n items, smallest universes first."""

    def make():
        for size in range(1, n + 1):
            for tp, fp, fn in product(range(size + 1), repeat=3):
                if tp + fp + fn <= size:
                    yield tp, fp, fn, size - tp - fp - fn

    return Cases(f"all confusion tables of 1 to {n} items", ("tp", "fp", "fn", "tn"), make)


@dataclass(frozen=True)
class Claim:
    """What was checked. A notebook shows it as one line; the page of claims collects it."""

    label: str
    statement: str
    strength: str  # proved, exhausted, sampled or cited
    proved: tuple = ()  # what was shown, in words
    part: str | None = None  # what the proof covers, where that is not the whole statement
    assumptions: str = ""
    over: str | None = None
    cases: int = 0
    exact: bool = True
    tolerance: float | None = None
    near_miss: str | None = None
    near_miss_fails: int = 0
    near_miss_fails_at: str | None = None
    source: str | None = None

    @property
    def by_proof(self):
        """What SymPy has shown, in words."""
        return f"SymPy proves {self.part or 'it'} {self.assumptions}" if self.proved else ""

    @property
    def by_cases(self):
        """What was tried, and how exactly, in words; how many they are is in `cases`."""
        return f"{'exact' if self.exact else f'to {self.tolerance:g}'}: {self.over}" if self.cases else ""

    @property
    def by_source(self):
        """Where it was taken from, in words."""
        return f"cited from {self.source}" if self.source else ""

    @property
    def done(self):
        """What was done, in words."""
        return joined(self.by_proof, self.by_cases and f"{self.cases:,} cases, {self.by_cases}", self.by_source)

    @property
    def refuted(self):
        """The near miss and where it fails, in words."""
        fails = f"fails in {self.near_miss_fails:,} cases, first at {self.near_miss_fails_at}"
        return f"{self.near_miss}; {fails}." if self.near_miss else ""

    @property
    def miss(self):
        return f"Near miss: {self.refuted}" if self.refuted else ""

    def __repr__(self):
        return f"✓ {self.label} {self.strength}: {self.done}. {self.miss}".rstrip()

    def _repr_mimebundle_(self, include=None, exclude=None):
        spans = {"label": self.label, "strength": self.strength, "detail": f"{self.done}.", "near-miss": self.miss}
        inside = " ".join(f'<span class="claim-{kind}">{escape(text)}</span>' for kind, text in spans.items() if text)
        return {
            "text/plain": repr(self),
            "text/html": f'<div class="claim-check" data-claim="{escape(self.label)}">{inside}</div>',
            "application/vnd.metrics.claim+json": asdict(self) | {"proved": list(self.proved)},
        }


def joined(*words):
    """The words that are there, with semicolons between them."""
    return "; ".join(filter(None, words))


RELATIONS = {"=": operator.eq, "<=": operator.le, ">=": operator.ge, "<": operator.lt, ">": operator.gt}


def claim(
    label, statement, measured, stated, over, *, near_miss, relation="=", tolerance=None, proof=None, part=None, unless=None
):
    """Check a claim and return its record; raise `ClaimFailed`, with the smallest counterexample, if it fails.

    label: its name in the book. statement: in words, with its conditions.
    measured, stated: functions of a case, which share nothing of what they check. over: the `Cases`.
    near_miss: (words, wrong), to be put in the place of `stated`. relation: "=", "<=", ">=", "<" or ">".
    tolerance: None for exact values, else the largest difference that counts as none.
    proof: {words: step}, a step being a pair (left, right) of SymPy expressions to show equal, or (left, ">", right)
    or (left, ">=", right), for all values that the assumptions of their symbols allow.
    part: what the proof covers, where that is not the whole. unless: where a step is undefined, in words.

    >>> pairs = Cases("all pairs from 0, 1, 2", ("a", "b"), lambda: product(range(3), repeat=2))
    >>> def largest(a, b): return max(a, b)
    >>> def by_sum(a, b): return Fraction(a + b + abs(a - b), 2)
    >>> claim("max", "a maximum by a sum", largest, by_sum, pairs, near_miss=("it is the last", lambda a, b: b))
    ✓ max exhausted: 9 cases, exact: all pairs from 0, 1, 2. Near miss: it is the last; fails in 3 cases, first at a = 1, b = 0.
    """
    if part and not proof:
        raise TypeError(f"claim {label}: it names the part that is proved, but there is no proof")
    if unless and not proof:
        raise TypeError(f"claim {label}: `unless` says where a proof is undefined, but there is no proof")
    for words, step in (proof or {}).items():
        prove(f"claim {label}: {words}", step, unless)
    compare = comparison(label, relation, tolerance)
    if measured is stated:
        raise TypeError(f"claim {label}: one function is measured and stated; it agrees with itself")
    cases, values = 0, set()
    for cases, case in enumerate(over.make(), 1):
        value, expected = measured(*case), stated(*case)
        values.add(truth(value))
        if not compare(value, expected):
            where = over.describe(case)
            raise ClaimFailed(f"claim {label} fails at {where}: {plain(value)} {relation} {plain(expected)} is false")
    if not cases:
        raise ClaimFailed(f"claim {label}: there are no cases: {over.what}")
    if len(values) == 1 and values != {None}:
        raise ClaimFailed(f"claim {label}: what is measured is {plain(values.pop())} in every case, which checks nothing")
    words, wrong = near_miss
    fails, first = failures(label, words, measured, wrong, over, compare)
    whole = not over.sampled and tolerance is None
    strength = "proved" if proof and not part else "exhausted" if whole else "sampled"
    return Claim(
        label, statement, strength, tuple(proof or ()), part, assumptions((proof or {}).values(), unless),
        over.what, cases, tolerance is None, tolerance, words, fails, first,
    )  # fmt: skip


def cited(label, statement, source):
    """The record of a claim that is only cited."""
    return Claim(label, statement, "cited", source=source)


def failures(label, words, measured, wrong, over, compare):
    """In how many cases the near miss fails, and the first. It must hold somewhere, and fail more than once."""
    fails, first, cases = 0, None, 0
    for cases, case in enumerate(over.make(), 1):
        if not compare(measured(*case), wrong(*case)):
            fails, first = fails + 1, first or over.describe(case)
    if fails == cases:
        raise ClaimFailed(f"claim {label}: the near miss '{words}' never holds, so nobody would believe it")
    if fails < 2:
        often = "never fails" if not fails else f"fails at {first} alone"
        raise ClaimFailed(f"claim {label}: the near miss '{words}' {often}, so the check hardly tells it from the claim")
    return fails, first


def truth(value):
    """A truth value, or several; None for anything else."""
    parts = value if isinstance(value, tuple) else (value,)
    return value if all(isinstance(part, bool) for part in parts) else None


def comparison(label, relation, tolerance):
    """The function that says whether a measured value and a stated one agree."""
    if relation not in RELATIONS:
        raise TypeError(f"claim {label}: got the relation {relation!r}, expected one of {', '.join(RELATIONS)}")
    if tolerance is not None and not 0 < tolerance < inf:
        raise TypeError(f"claim {label}: got the tolerance {tolerance!r}, expected a finite number above 0")
    if tolerance is not None and relation in ("<", ">"):
        raise TypeError(f"claim {label}: {relation} cannot hold to a tolerance; state {relation}=")

    def compare(value, expected):
        if tolerance is not None and isinstance(value, tuple):
            return len(value) == len(expected) and all(map(compare, value, expected))
        if tolerance is not None:
            return RELATIONS[relation](value, expected) or abs(value - expected) <= tolerance
        if inexact(value) or inexact(expected):
            raise TypeError(f"claim {label}: {value!r} and {expected!r} are not exact; use Fractions or state a tolerance")
        return RELATIONS[relation](value, expected)

    return compare


def inexact(value):
    """Whether a value is or holds a finite float, of Python, NumPy or SymPy. (Infinity stands for 'never' and is exact.)"""
    if isinstance(value, (tuple, list, set, frozenset)):
        return any(map(inexact, value))
    if hasattr(value, "atoms"):
        return any(atom.is_Float for atom in value.atoms())
    return not (isinstance(value, (int, Fraction)) or (isinstance(value, float) and abs(value) == inf))


def plain(value):
    """A value as a student would write it."""
    if isinstance(value, (tuple, list)):
        return "[" + ", ".join(map(plain, value)) + "]"
    if isinstance(value, (set, frozenset)):
        return "{" + ", ".join(map(plain, sorted(value))) + "}"
    return str(value)


# Symbolic proofs: SymPy is loaded only where one is given.


def prove(name, step, unless):
    """Show a step for all values that the assumptions allow, then check it again with numbers."""
    from sympy import Float, factor, simplify

    left, relation, right = sides(name, step)
    if left.has(Float) or right.has(Float):
        raise TypeError(f"{name}: a float cannot be part of a proof; use Rational")
    if left == right or not (left.free_symbols or right.free_symbols):
        raise TypeError(f"{name}: {left} {relation} {right} shows nothing; give the sides before they were simplified")
    gap = simplify((left - right).doit())
    shown = {"=": gap == 0, ">": factor(gap).is_positive, ">=": factor(gap).is_nonnegative}[relation]
    if not shown:
        raise ClaimFailed(f"{name}: {left} {relation} {right} was not shown; {gap} is left")
    for values, difference in spots(left, right):
        if not difference.is_finite:
            if not unless:
                raise ClaimFailed(f"{name}: {left} {relation} {right} is undefined at {values}; say so with `unless`")
        elif not {"=": abs(difference) < TINY, ">": difference > 0, ">=": difference > -TINY}[relation]:
            raise ClaimFailed(f"{name}: {left} {relation} {right} fails at {values}")


TINY = 1e-20


def sides(name, step):
    from sympy import sympify

    if len(step) not in (2, 3) or (len(step) == 3 and step[1] not in ("=", ">", ">=")):
        raise TypeError(f"{name}: got {step!r}, expected (left, right), (left, '>', right) or (left, '>=', right)")
    return sympify(step[0]), step[1] if len(step) == 3 else "=", sympify(step[-1])


def spots(left, right):
    """Numbers for the symbols, the smallest that are allowed and some at random, and the difference of the sides there."""
    from sympy import Tuple
    from sympy.core.function import AppliedUndef

    numbers, both = random.Random(1), Tuple(left, right)
    for attempt in range(12):
        values = {s: spot_value(s, numbers, attempt == 0) for s in sorted(both.free_symbols, key=str)}
        there = both.subs(values).doit()
        there = there.subs({f: spot_value(f, numbers, False) for f in sorted(there.atoms(AppliedUndef), key=str)})
        yield ", ".join(f"{s} = {value}" for s, value in values.items()), (there[0] - there[1]).evalf(30, chop=True)


def spot_value(symbol, numbers, smallest):
    """A small number that the assumptions of the symbol allow; of the fractions, many lie below 1."""
    from sympy import Rational

    if smallest:
        return Rational(1 if symbol.is_positive else 0)
    value = Rational(numbers.randint(1, 9), 1 if symbol.is_integer else numbers.choice([1, 4, 10, 17]))
    return value if symbol.is_nonnegative else value * numbers.choice([1, -1])


def assumptions(steps, unless):
    """What is assumed of the symbols of these steps, in words."""
    symbols = {s for step in steps for side in sides("", step)[::2] for s in side.free_symbols}
    groups = {}
    for symbol in sorted(symbols, key=str):
        groups.setdefault(assumed(symbol), []).append(str(symbol))
    words = ", ".join(f"{', '.join(names)} {kind}" for kind, names in groups.items())
    return (f"for {words}" if words else "") + (f", unless {unless}" if unless else "")


def assumed(symbol):
    """The assumptions of a symbol in words; others than these few would go unsaid, and are refused."""
    from sympy import Symbol

    for sign, sign_words in ({"positive": True}, "positive "), ({"nonnegative": True}, "non-negative "), ({}, ""):
        for kind, kind_words in ({"integer": True}, "integer"), ({"real": True}, "real"):
            if Symbol("x", **sign, **kind).assumptions0 == symbol.assumptions0:
                return sign_words + kind_words
    raise TypeError(f"{symbol}: expected positive, non-negative or no sign, integer or real, and no other assumption")
