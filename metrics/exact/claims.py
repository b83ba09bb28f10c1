"""The checker behind every numbered claim: all small cases, a symbolic proof, and a near miss that must fail.

A claim says that two functions of a case, `measured` and `stated`, agree on every case: they give equal
values, or values of which the first is at least (at most) the second. Values are compared exactly: a float
raises, unless the claim states a tolerance. The near miss is something that a person might state instead.
It takes the place of `stated` and must fail the same check: it is right in some cases and wrong in others.
The statement itself is in the text, once. `STRENGTHS` says what each strength means.
"""

import dis
import inspect
import math
import sys
from dataclasses import asdict, dataclass
from fractions import Fraction
from functools import cache
from html import escape
from importlib import import_module
from itertools import islice
from math import inf
from operator import attrgetter, eq, ge, gt, le, lt
from pathlib import Path

from .cases import (
    Cases,
    called,
    confusion_tables,
    exchanged,
    grid,
    handed,
    harmonic,
    heights,
    hit_ranks,
    orders,
    pairs_of_rankings,
    pairs_of_sets,
    placements,
    plain,
    rankings,
    sign,
    sizes,
)
from .proofs import ClaimFailed, Proof, prove

__all__ = [
    "Cases", "Claim", "ClaimFailed", "cited", "claim", "confusion_tables", "defined", "exchanged", "grid", "harmonic", "heights", "hit_ranks",
    "nearest_fraction", "orders", "pairs_of_rankings", "pairs_of_sets", "placements", "prove", "rankings", "shipped", "sign", "sizes",
    "together",
]  # fmt: skip


STRENGTHS = {
    "proved": "the proof in the text covers every size, and SymPy completes its computations with all parameters symbolic",
    "exhausted": "all cases up to the given size agree",
    "sampled": "all cases tried agree; they were picked by hand or from a grid of real numbers",
    "cited": "taken from a source",
}


@dataclass(frozen=True)
class Claim:
    """The record of a checked claim. A notebook shows it as one line; the page of claims collects these records."""

    label: str
    strength: str  # one of STRENGTHS
    shown: tuple = ()  # the steps that SymPy showed, in words
    assumptions: str = ""
    over: str | None = None
    cases: int = 0
    precision: str = "exact"
    near_miss: str | None = None
    near_miss_fails: int = 0
    near_miss_fails_at: str | None = None
    near_miss_truth: str | None = None  # what is measured there, and what the near miss says; of several values those that first disagree
    near_miss_claims: str | None = None
    source: str | None = None

    @property
    def by_proof(self):
        """The part that SymPy shows, in words."""
        what = "the computations of the proof" if self.strength == "proved" else f"a part ({'; '.join(self.shown)})"
        return f"SymPy shows {what} {self.assumptions}".rstrip() if self.shown else ""

    @property
    def by_cases(self):
        """In words, the cases that were tried, and how exactly values were compared; the number of cases is in `cases`."""
        return f"{self.precision}: {self.over}" if self.cases else ""

    @property
    def by_source(self):
        """The source of a cited claim, in words."""
        return f"cited from {self.source}" if self.source else ""

    @property
    def done(self):
        """The checks that were made, in words."""
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
        parts = [("b", "label", f"✓ {self.label}"), ("i", "strength", self.strength), ("span", "detail", f"{self.done}."), ("span", "near-miss", self.miss)]
        inside = " ".join(f'<{tag} class="claim-{kind}">{escape(text)}</{tag}>' for tag, kind, text in parts if text)
        return {
            "text/plain": repr(self),
            "text/html": f'<div class="claim-check" data-claim="{escape(self.label)}">{inside}</div>',
            "application/vnd.metrics.claim+json": asdict(self) | {"shown": list(self.shown)},
        }


def joined(*words):
    """The non-empty texts, with semicolons between them."""
    return "; ".join(filter(None, words))


RELATIONS = {"=": eq, "<=": le, ">=": ge, "<": lt, ">": gt}


def claim(label, measured, stated, over, *, near_miss, relation="=", tolerance=None, proof=None, steps=None, unless=None):
    """Check a claim and return its record; raise `ClaimFailed`, with the smallest counterexample, if it fails.

    label: the label of its statement in the book. measured, stated: two functions that share no code which computes a metric.
    over: the `Cases`; each function is handed, by name, the arguments that it asks for.
    near_miss: a function to be put in the place of `stated`, whose docstring says in one line what it states; or (words, function).
    relation: "=", "<=", ">=", "<" or ">". tolerance: None for exact values, else the largest difference that counts as none.
    proof: what `prove` has shown, or {words: step}, if it proves the whole statement; steps: the same, if it proves only a part.
    unless: where a step is undefined, in words, unless `prove` was told already.

    >>> def largest(a, b): return max(a, b)
    >>> def by_sum(a, b): return Fraction(a + b + abs(a - b), 2)
    >>> def last(b):
    ...     '''it is the last'''
    ...     return b
    >>> claim("max", largest, by_sum, grid("all pairs from 0, 1, 2", a=range(3), b=range(3)), near_miss=last)
    ✓ max exhausted: 9 cases, exact: all pairs from 0, 1, 2. Near miss: it is the last; fails in 3 cases, first at a = 1, b = 0.
    """
    shown = checked_steps(label, proof, steps, unless)
    (words, near_miss), agree = in_words(label, near_miss), comparison(label, relation, tolerance)
    ask = [handed(function, over.names) for function in (measured, stated, near_miss)]
    check_sides(label, measured, stated, ask, over)
    values, fails, kinds, reached = [], [], set(), False
    for case in over.make():
        value, expected, wrong = (function(case) for function in ask)
        values.append(value)
        kinds |= kinds_of(value) | kinds_of(expected)
        if not agree(value, expected):
            failed = ClaimFailed(f"claim {label} fails at {over.describe(case)}: {plain(value)} {relation} {plain(expected)} is false")
            sides = list(zip(names_of(measured, stated), (plain(value), plain(expected))))
            failed.counterexample = {"at": over.describe(case), "sides": sides, "relation": relation, "agreed": len(values) - 1}
            raise failed
        reached = reached or value == expected
        if not agree(value, wrong):
            fails.append((len(values), case, *first_apart(value, wrong, agree)) if not fails else None)
    check_values(label, measured, values, over)
    if relation in ("<=", ">=") and tolerance is None and not reached:
        raise ClaimFailed(f"claim {label}: no case reaches the bound, so a weaker bound would pass; state a sharp bound, or {relation[0]}")
    check_near_miss(label, words, fails, len(values), over)
    _, first, true, claimed = fails[0]
    signed = {"<=": "at most ", ">=": "at least ", "<": "less than ", ">": "more than "}.get(relation, "")
    strength = "proved" if proof else "sampled" if over.sampled else "exhausted"
    precision = f"to {tolerance:g}" if tolerance is not None else "exact" if NearestFraction not in kinds else f"floats within {NEAR:g} of the exact value"
    return Claim(
        label, strength, tuple(shown), shown.assumptions(),
        over.what, len(values), precision, words, len(fails), over.describe(first), plain(true), signed + plain(claimed),
    )  # fmt: skip


def names_of(*sides):
    """The names of the two sides, or two empty names if these are the same, or if one is not the name of a single function."""
    names = [called(side) for side in sides]
    return names if len(set(names)) == 2 and not set("< ") & set("".join(names)) else ["", ""]


def cited(label, source):
    """The record of a claim that is cited but not checked."""
    return Claim(label, "cited", source=source)


# What is compared


def comparison(label, relation, tolerance):
    """The function that says whether a measured value and a stated one agree."""
    if relation not in RELATIONS:
        raise TypeError(f"claim {label}: got the relation {relation!r}, expected one of {', '.join(RELATIONS)}")
    if tolerance is not None and not 0 < tolerance < inf:
        raise TypeError(f"claim {label}: got the tolerance {tolerance!r}, expected a finite number above 0")
    if tolerance is not None and relation in ("<", ">"):
        raise TypeError(f"claim {label}: {relation} cannot hold within a tolerance; state {relation}=")

    def compare(value, expected):
        if tolerance is not None and isinstance(value, tuple):
            return len(value) == len(expected) and all(map(compare, value, expected))
        if tolerance is not None:
            return RELATIONS[relation](value, expected) or abs(value - expected) <= tolerance
        if inexact(value) or inexact(expected):
            raise TypeError(f"claim {label}: {value!r} and {expected!r} are not exact; use Fractions or state a tolerance")
        return RELATIONS[relation](value, expected)

    return compare


def first_apart(value, wrong, agree):
    """Two values that disagree; of two tuples or lists the first parts that do."""
    if all(isinstance(side, (tuple, list)) for side in (value, wrong)) and len(value) == len(wrong):
        return next((first_apart(*parts, agree) for parts in zip(value, wrong) if not agree(*parts)), (value, wrong))
    return value, wrong


def inexact(value):
    """Whether a value is or contains a finite float, of Python, NumPy or SymPy. (Infinity stands for 'never' and is exact.)"""
    if isinstance(value, (tuple, list, set, frozenset)):
        return any(map(inexact, value))
    if hasattr(value, "atoms"):
        return any(atom.is_Float for atom in value.atoms())
    return not (isinstance(value, (int, Fraction)) or (isinstance(value, float) and abs(value) == inf))


NEAR = 1e-12


class NearestFraction(Fraction):
    """The fraction that a float stands for."""


def nearest_fraction(value):
    """The fraction with a denominator of at most 500,000 that a float stands for; infinity is unchanged.

    Two such fractions differ by at least 4e-12. A float that is further than 1e-12 from all of them stands for none,
    and raises ValueError. So a check of a function that returns floats sees every error except rounding.

    >>> nearest_fraction(1 / 3), nearest_fraction(float("inf"))
    (NearestFraction(1, 3), inf)
    """
    if math.isinf(value):
        return float(value)
    nearest = Fraction(float(value)).limit_denominator(500_000)
    if abs(Fraction(float(value)) - nearest) > NEAR:
        raise ValueError(f"value: got {value!r}, expected a float within {NEAR:g} of a fraction with a denominator up to 500,000")
    return NearestFraction(nearest)


def shipped(*names):
    """The functions of `metrics` with these names, joined into one function of a case, whose floats become the fractions that they stand for.

    A name may be that of a function in a module, such as "premise_selection.cover". An undefined value, nan, is shown as [].
    """
    return together(names, "metrics", nearest_fraction)


def defined(*names):
    """The definitions with these names, joined into one function of a case, which shows an undefined value, 0/0, as []."""
    return together(names, "metrics.exact.definitions", lambda value: value)


UNDEFINED = ()


def together(names, module, exact):
    """The functions of a module with these names, joined into one function of a case, whose value is the tuple of their values."""

    def of_each(value):
        if getattr(value, "ndim", isinstance(value, (list, tuple))):
            return tuple(map(of_each, value))
        return exact(value) if value == value else UNDEFINED

    @cache
    def ready(arguments):
        return [handed(attrgetter(name)(import_module(module)), arguments) for name in names]

    def values(**case):
        found = []
        for function in ready(tuple(case)):
            try:
                found.append(of_each(function(tuple(case.values()))))
            except ZeroDivisionError:
                found.append(UNDEFINED)
        return tuple(found)

    values.__name__ = ", ".join(names)
    return values


# What a check must be to check something


def checked_steps(label, proof, steps, unless):
    """The proof by the given steps, each shown by SymPy."""
    if proof and steps:
        raise TypeError(f"claim {label}: `proof` proves the whole and `steps` a part; give one of them")
    given = proof or steps or {}
    if unless and (isinstance(given, Proof) or not given):
        raise TypeError(f"claim {label}: `unless` says where a step is undefined, but there is no step to show here")
    return given if isinstance(given, Proof) else prove(given, unless, label)


def in_words(label, near_miss):
    """The statement of the near miss in words, and its function."""
    words, function = near_miss if isinstance(near_miss, tuple) else (inspect.getdoc(near_miss), near_miss)
    if not words:
        raise TypeError(f"claim {label}: the near miss {called(function)} needs a docstring that says what it states")
    return words.split("\n")[0].rstrip("."), function


def check_sides(label, measured, stated, ask, over):
    """Refuse sides that are the same function, leave an argument of a case unused, or share a function of the package that computes a metric."""
    if measured is stated:
        raise TypeError(f"claim {label}: the same function is measured and stated, so it agrees with itself")
    used = asked(measured, over.names) | asked(stated, over.names)
    unused = [name for name in over.names if name not in used]
    if unused:
        raise TypeError(f"claim {label}: neither side asks for {', '.join(unused)}; a case has {', '.join(over.names)}")
    first = list(islice(over.make(), 60))  # one side of each in turn, since a side may remember what it has computed
    both = functions_used(ask[0], first[::2]) & functions_used(ask[1], first[1::2])
    if both:
        raise TypeError(f"claim {label}: both sides use {', '.join(sorted(both))}, so an error there would go unseen")


def asked(function, names):
    """The given names that are parameters of a function."""
    parameters = inspect.signature(function).parameters
    return set(names) if any(p.kind is p.VAR_KEYWORD for p in parameters.values()) else set(parameters) & set(names)


PACKAGE = str(Path(__file__).parents[1])
NEUTRAL = {"over", "relevant", "count", "mean"}  # of the definitions; and the words of `cases`, but for `heights`


def functions_used(function, cases):
    """The names of the functions of this package that a side calls, except those that compute no metric."""
    found = set()

    def note(frame, event, _):
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(PACKAGE):
            module, name = Path(code.co_filename).stem, code.co_qualname.split(".")[0]
            if name == "heights" or module not in ("cases", "claims", "proofs", "__init__") and name not in NEUTRAL:
                found.add(f"{module}.{name}")

    before = sys.getprofile()
    try:
        for case in cases:
            sys.setprofile(note)
            function(case)
            sys.setprofile(before)
    finally:
        sys.setprofile(before)
    return found


def check_values(label, measured, values, over):
    """Refuse a check without values, one whose yes or no never varies, and one that reports an inequality as a mere yes or no."""
    if not values:
        raise ClaimFailed(f"claim {label}: there are no cases: {over.what}")
    tuples = (value if isinstance(value, tuple) else (value,) for value in values)
    answers = [all(isinstance(part, int) and part in (0, 1) for part in parts) for parts in zip(*tuples)]  # each a mere yes or no
    first, *others = values
    if all(answers) and all(value == first for value in others):
        raise ClaimFailed(f"claim {label}: the measured value is {plain(first)} in every case, so the check shows nothing")
    if any(answers) and compares(measured):
        raise TypeError(f"claim {label}: {called(measured)} reports an order as yes or no, so greater passes for equal; use sign(...)")


def compares(function):
    """Whether a function compares with <, <=, > or >= (in its own body, not within all(...) or any(...))."""
    code = getattr(inspect.unwrap(function), "__code__", None)
    signs = ("<", "<=", ">", ">=")
    return bool(code) and any(i.opname == "COMPARE_OP" and i.argrepr.removeprefix("bool(").rstrip(")") in signs for i in dis.get_instructions(code))


def kinds_of(value):
    """The types of a value, or of all values that it contains."""
    return set().union(*map(kinds_of, value)) if isinstance(value, (tuple, list)) else {type(value)}


def check_near_miss(label, words, fails, cases, over):
    """Refuse a near miss that never holds, never fails, fails only once, or fails in the very first cases."""
    miss = f"claim {label}: the near miss '{words}'"
    if not fails:
        raise ClaimFailed(f"{miss} never fails, so the check hardly tells it from the claim")
    number, first, *_ = fails[0]
    if len(fails) == cases:
        raise ClaimFailed(f"{miss} never holds, so nobody would believe it")
    if len(fails) == 1:
        raise ClaimFailed(f"{miss} fails only at {over.describe(first)}, so the check hardly tells it from the claim")
    if number == 1 or max(len(case[0]) if isinstance(case[0], tuple) else 2 for case in islice(over.make(), number)) < 2:
        raise ClaimFailed(f"{miss} already fails at {over.describe(first)}, so nobody would believe it")
