"""The checker behind every numbered claim: all small cases, a symbolic proof, and a near miss that must fail.

A check is a function of one case. It returns True or False, or a pair that must be equal. Values are
compared exactly: a float raises, unless the claim states a tolerance. A near miss is a check of the
same cases that someone might believe; it must hold somewhere and fail somewhere.
"""

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
    proved: tuple  # what was shown, in words
    part: str | None  # what the proof covers, where that is not the whole statement
    assumptions: str
    over: str | None
    cases: int
    exact: bool
    tolerance: float | None
    near_miss: str | None
    near_miss_fails_at: str | None
    source: str | None

    @property
    def done(self):
        """What was done, in words."""
        how = "exact" if self.exact else f"to {self.tolerance:g}"
        return "; ".join(
            words
            for words, applies in [
                (f"SymPy proves {self.part or 'it'} {self.assumptions}".rstrip(), self.proved),
                (f"{self.cases:,} cases, {how}: {self.over}", self.cases),
                (f"cited from {self.source}", self.source),
            ]
            if applies
        )

    @property
    def miss(self):
        """The near miss and where it fails, in words."""
        return f"Near miss: {self.near_miss}; fails at {self.near_miss_fails_at}." if self.near_miss else ""

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


def claim(
    label, statement, check=None, over=None, *, near_miss=None, tolerance=None, proof=None, part=None, source=None
):
    """Check a claim and return its record; raise `ClaimFailed`, with the smallest counterexample, if it fails.

    label: its name in the book. statement: in words.
    check, over: a function of a case, and the `Cases` it must hold for.
    near_miss: (words, wrong check of the same cases); without cases, (words, wrong step of proof).
    tolerance: None for exact values, else the largest difference that counts as none.
    proof: {words: step}, a step being (left, right) to show equal or (left, ">" or ">=", right), in SymPy,
    for all values that the assumptions of the symbols allow; numbers put in for the symbols check it once more.
    part: what the proof covers, where that is not the whole statement. source: of what is only cited.

    >>> from fractions import Fraction
    >>> pairs = Cases("all pairs from 0, 1, 2", ("a", "b"), lambda: product(range(3), repeat=2))
    >>> def between(a, b): return min(a, b) <= Fraction(a + b, 2) <= max(a, b)
    >>> def first(a, b): return Fraction(a + b, 2), a
    >>> claim("mean", "a mean lies between", between, pairs, near_miss=("a mean is the first value", first))
    ✓ mean exhausted: 9 cases, exact: all pairs from 0, 1, 2. Near miss: a mean is the first value; fails at a = 0, b = 1.
    """
    if (check is None) != (over is None):
        raise TypeError(f"claim {label}: a check needs the cases it runs over, and cases need a check")
    if not (check or proof or source):
        raise TypeError(f"claim {label}: nothing to check; give a check with its cases, a proof, or a source")
    if part and not check:
        raise TypeError(f"claim {label}: what is proved in part needs a check of the whole, with its cases")
    if near_miss is None and source is None:
        raise TypeError(f"claim {label}: the near miss is missing; without it nobody knows that the check can fail")
    for words, step in (proof or {}).items():
        prove(f"claim {label}: {words}", step)
    cases, fails_at = 0, None
    if check:
        cases = count_cases(label, check, over, tolerance)
        fails_at = near_miss and first_failure(label, *near_miss, over, tolerance)
    elif near_miss:
        fails_at = refute(label, *near_miss)
    everything = check and not over.sampled and tolerance is None
    strength = "proved" if proof and not part else "exhausted" if everything else "sampled" if check else "cited"
    return Claim(
        label, statement, strength, tuple(proof or ()), part, assumptions((proof or {}).values()),
        over and over.what, cases, tolerance is None, tolerance, near_miss and near_miss[0], fails_at, source,
    )  # fmt: skip


def count_cases(label, check, over, tolerance):
    """The number of cases, all of which pass."""
    cases = 0
    for cases, case in enumerate(over.make(), 1):
        if not holds(label, check, case, tolerance):
            result = check(*case)
            values = "" if isinstance(result, bool) else f": {plain(result[0])} is not {plain(result[1])}"
            raise ClaimFailed(f"claim {label} fails at {over.describe(case)}{values}")
    if not cases:
        raise ClaimFailed(f"claim {label}: there are no cases: {over.what}")
    return cases


def first_failure(label, words, wrong, over, tolerance):
    """Where the near miss first fails. It must hold somewhere too, or it is a plain falsehood."""
    held, fails_at = False, None
    for case in over.make():
        if holds(label, wrong, case, tolerance):
            held = True
        elif fails_at is None:
            fails_at = over.describe(case)
        if held and fails_at:
            return fails_at
    trouble = "never fails, so the check cannot tell it from the claim" if held else "never holds, so nobody would believe it"
    raise ClaimFailed(f"claim {label}: the near miss '{words}' {trouble}")


def holds(label, check, case, tolerance):
    """Whether the check of this case comes out true, or its pair equal."""
    result = check(*case)
    if isinstance(result, bool):
        return result
    if not (isinstance(result, tuple) and len(result) == 2):
        raise TypeError(f"claim {label}: the check returned {result!r}; expected True, False or a pair of values")
    left, right = result
    if tolerance is not None:
        return left == right or abs(left - right) <= tolerance
    if inexact(left) or inexact(right):
        raise TypeError(f"claim {label}: {left!r} and {right!r} are not exact; use Fractions or state a tolerance")
    return left == right


def inexact(value):
    """Whether a value is or holds a finite float, of Python, NumPy or SymPy. (Infinity stands for 'never' and is exact.)"""
    if isinstance(value, (tuple, list, set, frozenset, dict)):
        return any(map(inexact, value.items() if isinstance(value, dict) else value))
    if hasattr(value, "atoms"):
        return any(atom.is_Float for atom in value.atoms())
    exact = isinstance(value, (int, Fraction, str, type(None))) or value in (inf, -inf)
    return not exact


def plain(value):
    """A value as a student would write it."""
    if isinstance(value, (tuple, list)):
        return "[" + ", ".join(map(plain, value)) + "]"
    if isinstance(value, (set, frozenset)):
        return "{" + ", ".join(map(plain, sorted(value))) + "}"
    return str(value)


# Symbolic proofs: SymPy is loaded only where one is given.


def prove(name, step):
    """Show a step for all values that the assumptions allow, then check it again with numbers."""
    from sympy import factor, simplify

    left, relation, right = sides(step)
    gap = simplify(left - right)
    shown = {"=": gap == 0, ">": factor(gap).is_positive, ">=": factor(gap).is_nonnegative}[relation]
    if not shown:
        raise ClaimFailed(f"{name}: {left} {relation} {right} was not shown; {gap} is left")
    for values, difference in spots(left, right):
        if not agrees(difference, relation):
            raise ClaimFailed(f"{name}: {left} {relation} {right} fails at {values}")


def refute(label, words, step):
    """Where numbers first contradict a wrong step."""
    left, relation, right = sides(step)
    for values, difference in spots(left, right):
        if not agrees(difference, relation):
            return values
    raise ClaimFailed(f"claim {label}: the near miss '{words}' never fails, so the proof cannot tell it from the claim")


def sides(step):
    from sympy import sympify

    left, relation, right = step if len(step) == 3 else (step[0], "=", step[1])
    if relation not in ("=", ">", ">="):
        raise TypeError(f"a step of proof: got the relation {relation!r}, expected '=', '>' or '>='")
    return sympify(left), relation, sympify(right)


def spots(left, right, wanted=5):
    """Numbers for the symbols, within their assumptions, and the difference of the sides there."""
    from sympy import Tuple
    from sympy.core.function import AppliedUndef

    numbers, both = random.Random(1), Tuple(left, right)
    for _ in range(20 * wanted):
        values = {symbol: spot_value(symbol, numbers) for symbol in sorted(both.free_symbols, key=str)}
        there = both.subs(values).doit()
        there = there.subs({f: spot_value(f, numbers) for f in sorted(there.atoms(AppliedUndef), key=str)})
        difference = (there[0] - there[1]).evalf(30, chop=True)
        if difference.is_finite:
            yield ", ".join(f"{symbol} = {value}" for symbol, value in values.items()), difference
            wanted -= 1
        if not wanted:
            return
    raise ClaimFailed(f"{left} and {right}: too few numbers for which both sides are finite")


def spot_value(symbol, numbers):
    """A small number that the assumptions of the symbol allow; of the fractions many lie below 1."""
    from sympy import Rational

    for _ in range(200):
        value = Rational(numbers.randint(-9, 9), 1 if symbol.is_integer else numbers.choice([1, 4, 10, 17]))
        if all(getattr(value, f"is_{fact}") == holds for fact, holds in symbol.assumptions0.items()):
            return value
    raise ClaimFailed(f"{symbol}: no small rational number has what is assumed of it: {symbol.assumptions0}")


def agrees(difference, relation):
    tiny = 1e-20
    return {"=": abs(difference) < tiny, ">": difference > 0, ">=": difference > -tiny}[relation]


def assumptions(steps):
    """What is assumed of the symbols of these steps, in words."""
    symbols = set().union(*(side.free_symbols for step in steps for side in sides(step)[::2])) if steps else set()
    groups = {}
    for symbol in sorted(symbols, key=str):
        sign = "positive " if symbol.is_positive else "non-negative " if symbol.is_nonnegative else ""
        kind = "integer" if symbol.is_integer else "real" if symbol.is_real else "complex"
        groups.setdefault(sign + kind, []).append(str(symbol))
    return "for " + ", ".join(f"{', '.join(names)} {kind}" for kind, names in groups.items()) if groups else ""
