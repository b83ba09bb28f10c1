"""The checker fails when it must: every way in which a claim can be wrong is tried; each wish of an AP@k is broken by its smallest counterexample."""

import math
from dataclasses import FrozenInstanceError
from fractions import Fraction
from functools import cache
from itertools import pairwise, product

import pytest
import sympy as sp

import metrics
import metrics.exact.wishes_of_ap_at_k as wishes
from metrics import exact
from metrics.exact import ClaimFailed, claim, defined, definitions, grid, heights, nearest_fraction, proofs, rankings, shipped, sign

WITH_A_HIT = rankings(6).with_a_hit()
ap = definitions.average_precision


def in_rank_form(relevance):
    return sum(heights(relevance)) / sum(relevance)


def over_n(relevance):
    """a mean over all ranks.
    Only the first line counts."""
    return sum(heights(relevance)) / len(relevance)


RIGHT = {"measured": ap, "stated": in_rank_form, "over": WITH_A_HIT, "near_miss": over_n}


def check(**changes):
    return claim("A7", **RIGHT | changes)


def test_a_true_claim_is_recorded():
    record = check()
    assert (record.strength, record.cases, record.precision) == ("exhausted", sum(2**n - 1 for n in range(1, 7)), "exact")
    assert (record.near_miss_fails, record.near_miss_fails_at) == (114, "relevance = [0, 1]")
    assert repr(record) == (
        "✓ A7 exhausted: 120 cases, exact: all 0/1 rankings of length 1 to 6, with a hit. "
        "Near miss: a mean over all ranks; fails in 114 cases, first at relevance = [0, 1]."
    )
    with pytest.raises(FrozenInstanceError):
        record.cases = 121


# What fails, and what is refused


def told(relevance):
    return int(definitions.reciprocal_rank(relevance) > Fraction(1, 2))


half = Fraction(1, 2)
few = lambda relevance: sum(relevance) < 3
TOP = {"stated": lambda relevance: int(relevance[0] == 1), "near_miss": ("-", lambda relevance: int(any(relevance[:2])))}
RR = {"stated": lambda relevance: definitions.reciprocal_rank(relevance) / sum(relevance), "near_miss": ("-", lambda relevance: 1 - over_n(relevance) / 2)}
MANY = {
    "measured": definitions.recall_at, "stated": lambda relevance, k, n_relevant: Fraction(sum(relevance), n_relevant),
    "over": rankings(3).with_cutoff().with_n_relevant(), "near_miss": ("-", ap),
}  # fmt: skip
NEAR_TO = {"measured": lambda relevance: float(ap(relevance)), "tolerance": 1e-12}
PAIRS = NEAR_TO | {
    "measured": lambda relevance: (float(ap(relevance)), len(relevance)), "stated": lambda relevance: (in_rank_form(relevance), len(relevance)),
    "near_miss": ("by rank alone", lambda relevance: (in_rank_form(relevance), relevance.index(1) + 1)),
}  # fmt: skip
remembered = cache(ap)
uses = lambda case: lambda a: ap((1,)) if a == case else 1


WRONG = {
    ClaimFailed: [
        ({"stated": over_n}, r"claim A7 fails at relevance = \[0, 1\]: 1/2 = 1/4 is false"),
        (MANY, r"relevance = \[0, 1\], k = 1, n_relevant = 1: 0 = 1 is false"),
        (RR | {"relation": ">"}, r"relevance = \[1\]: 1 > 1 is false"),
        ({"relation": "<"}, r"relevance = \[1\]: 1 < 1 is false"),
        *(({"stated": lambda bound=bound: bound, "relation": relation, "near_miss": ("-", lambda: half)}, "no case reaches the bound, so a weaker bound")
          for bound, relation in ((2, "<="), (0, ">="))),
        ({"near_miss": ("it", in_rank_form)}, "the near miss 'it' never fails"),
        ({"near_miss": ("it", lambda: -1)}, "the near miss 'it' never holds"),
        ({"near_miss": ("it", lambda relevance: in_rank_form(relevance) + (relevance == (1, 1)))}, r"fails only at relevance = \[1, 1\]"),
        ({"near_miss": ("it", lambda relevance: in_rank_form(relevance) + (relevance[0] == 1))}, r"already fails at relevance = \[1\]"),
        ({"measured": lambda relevance, twice: ap(relevance), "over": rankings(4).with_a_hit().with_each("both", "twice", (1, 2)),
          "near_miss": ("it", lambda relevance, twice: in_rank_form(relevance) * (twice if len(relevance) < 3 else 1))},
         r"already fails at relevance = \[1\], twice = 2"),
        ({"measured": lambda relevance: (ap(relevance) != 2, ap(relevance) != 3), "stated": lambda: (True, True), "near_miss": ("-", few)},
         r"is \[True, True\] in every case, so the check shows nothing"),
        ({"measured": lambda relevance: ap(relevance) == 1, "stated": lambda: True, "over": rankings(1).with_a_hit()}, "is True in every case"),
        (TOP | {"measured": lambda relevance: sign(definitions.reciprocal_rank(relevance) - Fraction(1, 2))}, r"\[0, 0, 1\]: -1 = 0 is false"),
        ({"over": rankings(2).where("never", lambda: False)}, "there are no cases"),
        (PAIRS | {"stated": lambda relevance: (in_rank_form(relevance), len(relevance) + 1e-9)}, "fails at"),
        *(({"measured": lambda relevance, value=value: value}, "is false") for value in
          (2, True, sp.sqrt(2), float("inf"), (1, Fraction(1, 2)))),
    ],
    TypeError: [
        ({"relation": "=="}, "got the relation '=='"),
        ({"measured": lambda ranking, k: 1}, r"<lambda> asks for ranking, k; a case has relevance"),
        ({"over": WITH_A_HIT.with_each("twice", "extra", (1, 2))}, "neither side asks for extra; a case has relevance, extra"),
        ({"near_miss": lambda relevance: 1}, "the near miss <lambda> needs a docstring that says what it states"),
        (TOP | {"measured": told}, "told reports an order as yes or no, so greater passes for equal; use sign"),
        ({"measured": lambda relevance: (ap(relevance), ap(relevance) >= 1),
          "stated": lambda relevance: (in_rank_form(relevance), relevance == tuple(sorted(relevance, reverse=True)))},
         "reports an order as yes or no"),
        ({"stated": ap}, "it agrees with itself"),
        ({"measured": lambda relevance: ap(relevance), "stated": lambda relevance: ap(relevance) + 0},
         "both sides use definitions.average_precision, .*so an error there would go unseen"),
        ({"measured": lambda relevance: remembered(relevance), "stated": lambda relevance: remembered(relevance) + 0}, "both sides use definitions.average"),
        *(({"over": grid("some", a=range(60)), "measured": uses(one), "stated": uses(other), "near_miss": ("-", lambda a: a)}, "both sides use definitions.av")
          for one, other in [(0, 1), (2, 1), (2, 3), (58, 59)]),
        ({"measured": lambda relevance: sum(heights(relevance)) / sum(relevance)}, "both sides use cases.heights"),
        *((side, "not exact")
          for value in (0.5, (1, 0.5), sp.Float(0.5), sp.Symbol("x") * 0.5, 1j, None, "1/2", float("nan"), metrics.average_precision([0, 1]))
          for side in ({"measured": lambda relevance, value=value: value}, {"stated": lambda value=value: value})),
        ({"tolerance": float("inf")}, "tolerance inf"),
        (NEAR_TO | {"relation": ">"}, "> cannot hold within a tolerance; state >="),
        ({"proof": {"-": (sp.Symbol("x"), 1)}, "steps": {"-": (1, 1)}}, "give one of them"),
        ({"unless": "N = 1"}, "`unless` says where a step is undefined, but there is no step to show here"),
    ],
}  # fmt: skip


@pytest.mark.parametrize("error, changes, words", [(error, *row) for error, rows in WRONG.items() for row in rows])
def test_what_fails_names_the_smallest_counterexample_and_what_checks_nothing_is_refused(error, changes, words):
    with pytest.raises(error, match=words):
        check(**changes)


def test_a_counterexample_names_its_sides_where_their_names_tell_them_apart():
    for stated, names in ((over_n, ["average_precision", "over_n"]), (lambda relevance: 0, ["", ""])):
        with pytest.raises(ClaimFailed) as failed:
            check(stated=stated, near_miss=("-", few))
        assert [name for name, _ in failed.value.counterexample["sides"]] == names


ENDLESS = {"measured": lambda relevance: float("inf") if len(relevance) > 1 else 1.0, "stated": lambda relevance: [1.0, float("inf")][len(relevance) > 1]}


@pytest.mark.parametrize("changes, precision", [
    (RR | {"relation": ">="}, "exact"),
    ({"measured": lambda relevance: ap(relevance) == 1, "stated": lambda relevance: list(relevance) == sorted(relevance, reverse=True),
      "near_miss": ("all are relevant", lambda relevance: all(relevance))}, "exact"),
    ({"measured": lambda relevance: (True, 2), "stated": lambda: (True, 2), "near_miss": ("-", lambda relevance: (few(relevance), 2))}, "exact"),
    ({"measured": lambda relevance: float(len(relevance)), "stated": lambda relevance: len(relevance) + Fraction(1, 4), "tolerance": 0.25,
      "near_miss": ("-", lambda relevance: len(relevance) ** 2)}, "to 0.25"),
    (NEAR_TO, "to 1e-12"),
    (PAIRS, "to 1e-12"),
    ({"measured": lambda relevance: all(one >= other for one, other in pairwise(heights(relevance))),  # orders within `all` are no inequality
      "stated": lambda relevance: ap(relevance) == definitions.interpolated_average_precision(relevance),
      "near_miss": ("the ideal alone", lambda relevance: ap(relevance) == 1)}, "exact"),
    ({"measured": lambda relevance: definitions.mean(exact.hit_ranks(relevance)),  # both may share the words of checks, and the neutral ones
      "stated": lambda relevance: definitions.over(sum(exact.hit_ranks(relevance)), sum(relevance)),
      "near_miss": ("the middle of the list", lambda relevance: Fraction(len(relevance) + 1, 2))}, "exact"),
    ({"measured": shipped("precision_curve"), "stated": defined("precision_curve"),
      "near_miss": ("a miss costs nothing", lambda relevance: ((*map(Fraction, relevance),),))}, "floats within 1e-12 of the exact value"),
    (NEAR_TO | ENDLESS | {"near_miss": ("-", lambda: 1.0)}, "to 1e-12"),
])  # fmt: skip
def test_what_holds_is_recorded_with_its_precision(changes, precision):
    record = check(**changes)
    assert (record.strength, record.precision, record.cases) == ("exhausted", precision, 120) and f"120 cases, {precision}" in repr(record)


def test_a_float_stands_for_the_one_fraction_that_it_is_near():
    assert nearest_fraction(float("inf")) == float("inf") and nearest_fraction(1 - 9e-13) == 1
    for value in map(Fraction, "1/500000 1/499999 249999/499999 1/2 1/3 0".split()):
        assert {nearest_fraction(last_bit) for last_bit in (float(value), math.nextafter(value, 2), math.nextafter(value, -1))} == {value}
    for value in (1 - 1e-10, 1 - 1.1e-12, 1 - 9e-7, 1 / 500_001, float("nan")):
        with pytest.raises(ValueError, match="^value: got .*within 1e-12 of a fraction" if value == value else None):
            nearest_fraction(value)


def test_an_error_of_1e_10_in_a_shipped_function_is_seen(monkeypatch):
    right = {"stated": defined("average_precision"), "over": rankings(4).with_n_relevant(),
             "near_miss": ("R may be left out", lambda relevance: (ap(relevance) if any(relevance) else 0,))}  # fmt: skip
    assert "floats within 1e-12 of the exact value" in repr(check(measured=shipped("average_precision"), **right))
    exact = metrics.average_precision
    monkeypatch.setattr(metrics, "average_precision", lambda relevance, n_relevant: exact(relevance, n_relevant) * n_relevant / (n_relevant + 1e-10))
    with pytest.raises(ValueError, match="within 1e-12 of a fraction"):
        check(measured=shipped("average_precision"), **right)


def test_shipped_and_defined_give_all_values_of_all_functions_and_what_is_undefined():
    names = ("break_even_ranks", "precision_curve", "average_precision", "auc")
    curve = (0, Fraction(1, 2), Fraction(1, 3), Fraction(1, 2), Fraction(3, 5), Fraction(1, 2))
    for side in (shipped, defined):
        assert side(*names)(relevance=(0, 1, 0, 1, 1, 0), n_relevant=4) == ((1, 4), curve, Fraction(2, 5), Fraction(4, 9))
        assert side(*names)(relevance=(0, 0), n_relevant=0) == ((), (0, 0), (), ())
    lists = {"suggestions": ["a", "x"], "required": {"a", "b"}}
    assert shipped("premise_selection.cover")(**lists) == defined("premise_cover")(**lists) == (Fraction(1, 2),)


def test_samples_are_called_samples():
    few = exact.Cases("four rankings", ("relevance",), lambda: ((r,) for r in [(1,), (0, 1), (1, 0, 1), (0, 0, 1)]), sampled=True)
    more = few.with_each("both", "twice", (1, 2)), few.with_n_relevant(0), rankings(4).with_a_hit().with_each("p = 1/2", "p", (Fraction(1, 2),))
    for over in (few, grid("four", relevance=list(few)), few.where("all of them", lambda: True), *more):
        assert check(over=over, measured=lambda relevance, **_: ap(relevance), stated=lambda relevance, **_: in_rank_form(relevance)).strength == "sampled"


# Proofs

tp, fp, fn = sp.symbols("tp fp fn", positive=True)
p, r = tp / (tp + fp), tp / (tp + fn)
harmonic_mean = 2 / (1 / p + 1 / r)
BY_COUNTS = {"F is a ratio of counts": (harmonic_mean, 2 * tp / (2 * tp + fp + fn))}
UNSIGNED = sp.Symbol("y", real=True)
N = sp.Symbol("N", positive=True, integer=True)
NOT_AT_1 = {"not at 1": (N / (N - 1) - 1 / (N - 1), 1)}
I, K = sp.symbols("i k", positive=True, integer=True)
S, DELTA = sp.Function("s"), sp.Function("delta")
RISE = S(K) / (K + 1) + DELTA(K) / (K + 1) - S(K) / K


def test_a_proof_is_recorded_with_its_assumptions():
    record = check(proof=BY_COUNTS)
    assert record.strength == "proved" and record.shown == ("F is a ratio of counts",)
    assert repr(record).startswith("✓ A7 proved: SymPy shows the computations of the proof for positive real fn, fp and tp; 120 cases, exact: ")
    assert repr(exact.cited("X", "Hardy (1940)")) == "✓ X cited: cited from Hardy (1940)."
    record = check(near_miss=("a < b", over_n), steps=BY_COUNTS)
    assert record.strength == "exhausted" and "SymPy shows a part (F is a ratio of counts) for positive real fn, fp and tp;" in repr(record)
    bundle = record._repr_mimebundle_()
    data = bundle["application/vnd.metrics.claim+json"]
    assert data["label"] == "A7" and data["shown"] == ["F is a ratio of counts"] and data["cases"] == 120
    assert "a &lt; b" in bundle["text/html"] and 'data-claim="A7"' in bundle["text/html"]


def test_a_proof_may_be_shown_before_and_joined_to_another():
    shown, other = proofs.prove(BY_COUNTS), proofs.prove(NOT_AT_1, unless="N = 1")
    assert repr(shown) == "F is a ratio of counts: 2/((fn + tp)/tp + (fp + tp)/tp) = 2*tp/(fn + fp + 2*tp)"
    with pytest.raises(TypeError, match="no step to show here"):
        check(proof=shown, unless="N = 1")
    both = shown | other | other
    assert list(both) == ["F is a ratio of counts", "not at 1"] and check(proof=shown) == check(proof=BY_COUNTS)
    assert check(proof=both).assumptions == "for positive integer N and positive real fn, fp and tp, unless N = 1"
    assert "for positive integer N, unless N = 1;" in repr(check(steps=NOT_AT_1, unless="N = 1"))


@pytest.mark.parametrize("step", [
    ((p + r) / 2, ">=", harmonic_mean), (UNSIGNED**2 + 1, ">", 0), (UNSIGNED**2, ">=", 0), (RISE, (DELTA(K) - S(K) / K) / (K + 1)),
    (tp / 2 + sp.Rational(1, 100), ">", tp / 2),  # a gap of less than 1 everywhere
    (sp.Sum(1 / I, (I, 1, K + 1)), sp.harmonic(K) + 1 / (K + 1)),
])  # fmt: skip
def test_steps_that_are_right(step):
    assert list(proofs.prove({"-": step})) == ["-"]


square = lambda x: ((x + 1) ** 2, x**2 + 2 * x + 1)


@pytest.mark.parametrize("step, words", [
    *((step, "^-: .* was not shown") for step in [
        (p, r), (p, ">", r), ((p + r) / 2, ">", harmonic_mean), (UNSIGNED, ">=", 0), (UNSIGNED**2, ">", 0), (p, ">=", r), (tp, "=", fp),
        (RISE, (DELTA(K) - S(K)) / (K + 1)),
    ]),
    *((step, "shows nothing") for step in ((p, p), (1, 1), (sp.Integer(1), ">", 0))),
    ((tp * 0.5, tp / 2), "a float cannot be part of a proof"),
    *((step, r"expected \(left, right\)") for step in ((p, "<", r), (p, r, p, r))),
    *((square(x), "no other assumption") for x in (sp.Symbol("x", negative=True), sp.Symbol("n", even=True), sp.Symbol("z"))),
    (NOT_AT_1["not at 1"], "is undefined at N = 1; say so with `unless`"),
])  # fmt: skip
def test_steps_that_are_wrong_or_hide_something(step, words):
    with pytest.raises((TypeError, ClaimFailed), match=words):
        proofs.prove({"-": step})


@pytest.mark.parametrize("step", [
    (K + sp.sqrt(2) + sp.sqrt(3), ">", K + sp.sqrt(5 + 2 * sp.sqrt(6))), (p, r), (p, ">", r), (p, ">=", r), (UNSIGNED, sp.Abs(UNSIGNED)),
    (tp + sp.Rational(1, 2), ">", tp * tp), (UNSIGNED + 1, ">", 0),
])  # fmt: skip
def test_numbers_catch_what_simplify_believes(monkeypatch, step):
    """If simplification were wrong, the numbers put in for the symbols would still tell."""
    monkeypatch.setattr(proofs, "shows", lambda left, relation, right: (sp.Integer(0), True))
    with pytest.raises(ClaimFailed, match="fails at"):
        proofs.prove({"-": step})


def test_the_spots_are_twelve_the_first_of_them_the_smallest():
    n, x = sp.Symbol("n", positive=True, integer=True), sp.Symbol("x", nonnegative=True)
    found = list(proofs.spots(n + x + UNSIGNED, x))
    assert "; ".join(values for values, _ in found) == (
        "n = 1, x = 0, y = 0; n = 3, x = 1/5, y = -2/17; n = 8, x = 7/4, y = 2/17; n = 7, x = 7, y = 4/5; n = 2, x = 6, y = 1; "
        "n = 7, x = 4/17, y = -1/4; n = 8, x = 9/4, y = 3/2; n = 8, x = 5, y = 7; n = 5, x = 1/5, y = 9/17; n = 5, x = 5/17, y = 9/17; "
        "n = 8, x = 4/17, y = -7/4; n = 9, x = 6, y = 8"
    )
    assert [float(difference) for _, difference in found[:5:4]] == [1, 3]


# Cases


@pytest.mark.parametrize("cases, expected", [
    (rankings(1, max_grade=2), [(0,), (1,), (2,)]),
    (exact.sizes(3, at_least=2), [(2, 1), (2, 2), (3, 1), (3, 2), (3, 3)]),
    (grid("all", a=(1, 2), b="xy"), [(1, "x"), (1, "y"), (2, "x"), (2, "y")]),
    (rankings(2).with_cutoff().where("full", lambda relevance: all(relevance)), [((1,), 1), ((1, 1), 1), ((1, 1), 2)]),
    (rankings(1).with_cutoff(beyond=1), [((0,), 1), ((0,), 2), ((1,), 1), ((1,), 2)]),
    (rankings(1).with_n_relevant(), [((1,), 1), ((0,), 1), ((1,), 2), ((0,), 2), ((1,), 3)]),
    (rankings(1).with_n_relevant(0, at_least=0), [((0,), 0), ((1,), 1)]),
    (rankings(3, at_least=3).with_swaps(), [((0, 0, 1), 2), ((0, 1, 0), 1), ((0, 1, 1), 1), ((1, 0, 1), 2)]),
    (rankings(2).with_a_hit(), [(1,), (0, 1), (1, 0), (1, 1)]),
    (rankings(2).with_cutoff().with_a_hit(), [((1,), 1), ((0, 1), 2), ((1, 0), 1), ((1, 0), 2), ((1, 1), 1), ((1, 1), 2)]),
    (rankings(2).mixed(), [(0, 1), (1, 0)]),
    (rankings(1).with_each("itself", "copy", lambda relevance: relevance), [((0,), 0), ((1,), 1)]),
])  # fmt: skip
def test_cases_are_all_and_smallest_first(cases, expected):
    assert list(cases) == expected


def test_how_many_cases_there_are_and_what_they_say_they_are():
    counts = {rankings(12): 2**13 - 2, exact.pairs_of_sets(3): 4 + 16 + 64, exact.confusion_tables(3): 4 + 10 + 20, exact.pairs_of_rankings(2): 2 + 6}
    assert [len(list(cases)) for cases in counts] == list(counts.values())
    assert {sum(table) for table in exact.confusion_tables(3)} == {1, 2, 3}
    assert rankings(3, max_grade=2).with_cutoff(beyond=1).with_n_relevant(1).with_swaps().mixed().with_a_hit().what == (
        "all rankings with grades 0 to 2 of length 1 to 3, every cutoff k up to n + 1, every R with at most 1 relevant item unranked, "
        "each rank i with an irrelevant item directly above a relevant one, 0 < R < N, with a hit in the top k"
    )


def test_the_words_of_checks():
    assert exact.hit_ranks((0, 1, 0, 2)) == [2, 4] and heights((0, 1, 0, 2)) == [Fraction(1, 2), Fraction(1, 2)]
    assert exact.exchanged((1, 2, 3), 1) == (2, 1, 3) and exact.exchanged([1, 2, 3], 1, 3) == (3, 2, 1)
    assert sorted(exact.placements(4, 2)) == [r for r in product((0, 1), repeat=4) if sum(r) == 2]
    assert [sign(value) for value in (Fraction(-1, 9), 0, sp.sqrt(2) - 1, float("inf"))] == [-1, 0, 1, 1]
    assert exact.harmonic(0) == 0 and exact.harmonic(3) == Fraction(11, 6)


def test_steps_are_written_as_a_teacher_would():
    """A side that goes on is left out; what is subtracted stands last, a denominator before its sum; k_ has an index."""
    j, R, k = *sp.symbols("j R", positive=True, integer=True), sp.Function("k_")
    by_rank, in_front = sp.Sum(j / k(j) / R, (j, 1, R)), sp.Sum(j / k(j), (j, 1, R)) / R
    steps = proofs.prove({"-": (by_rank, in_front), "back": (in_front, by_rank), "+": (sp.harmonic(N + 1) - sp.harmonic(N), 1 / (N + 1))})
    assert steps._repr_markdown_().splitlines()[2:5] == [
        r"| $\displaystyle \sum_{j=1}^{R} \frac{j}{R k_{j}}$ | $\displaystyle = \frac{1}{R} \sum_{j=1}^{R} \frac{j}{k_{j}}$ | - |",
        r"|  | $\displaystyle = \sum_{j=1}^{R} \frac{j}{R k_{j}}$ | back |",
        r"| $\displaystyle H_{N + 1} - H_{N}$ | $\displaystyle = \frac{1}{N + 1}$ | + |",
    ]
    assert proofs.printer().doprint(sp.Sum(j, (j, 1, R)) / 2**N) == r"2^{- N} \sum_{j=1}^{R} j"


YES = None
DENOMINATORS = ("retrieved", "relevant", "ideal", "cutoff")
TABLE = {  # (relevance, k, n_relevant) for each denominator
    wishes.at_most_1: (YES, YES, YES, YES),
    wishes.ideal_is_1: (YES, ((1, 1), 1, 2), YES, ((1, 0), 2, 1)),
    wishes.only_ideal_is_1: (((1, 0), 2, 2), YES, YES, YES),
    wishes.is_defined: (((0,), 1, 1), YES, YES, YES),
    wishes.is_ap_at_the_end: (YES, YES, YES, ((0, 1), 2, 1)),
    wishes.grows_with_k: (((1, 0, 1), 2, 2), YES, ((1, 0), 1, 2), ((1, 0), 1, 1)),
    wishes.swap_in_the_top_raises: (YES, YES, YES, YES),
    wishes.swap_across_never_lowers: (((1, 0, 0, 1), 3, 2), YES, YES, YES),
    wishes.better_for_worse_never_lowers: (((1, 0, 0, 1), 3, 2), YES, YES, YES),
    wishes.one_more_judged_relevant_never_lowers: (((1, 0, 0), 3, 1), ((1, 0, 0), 3, 1), ((1, 0, 0), 3, 1), YES),
    wishes.needs_only_the_top: (YES, ((1,), 1, 1), ((0, 1), 2, 1), YES),
    wishes.one_more_not_found_lowers: (((1,), 1, 1), YES, ((1,), 1, 1), ((1,), 1, 1)),
}
CASE = (0, 1, 0, 1), 3, 2
NEIGHBOURS = {  # of the case; the other wishes compare it with none
    wishes.grows_with_k: {((0, 1, 0, 1), 4, 2)},
    wishes.swap_in_the_top_raises: {((1, 0, 0, 1), 3, 2)},
    wishes.swap_across_never_lowers: {((0, 1, 1, 0), 3, 2)},
    wishes.better_for_worse_never_lowers: {((1, 1, 0, 0), 3, 2), ((0, 1, 1, 0), 3, 2)},
    wishes.one_more_judged_relevant_never_lowers: {((1, 1, 0, 1), 3, 3), ((0, 1, 1, 1), 3, 3)},
    wishes.needs_only_the_top: {((0, 1, 0), 3, 3)},
    wishes.one_more_not_found_lowers: {((0, 1, 0, 1), 3, 3)},
}


@pytest.mark.parametrize("wish", wishes.WISHES, ids=lambda wish: wish.__name__)
def test_the_smallest_counterexample_and_what_it_is_compared_with(wish):
    asked = set()
    for denominator, expected in zip(DENOMINATORS, TABLE[wish], strict=True):
        ap = cache(lambda relevance, k, n_relevant: definitions.average_precision_at(relevance, k, denominator=denominator, n_relevant=n_relevant))
        assert wishes.smallest_counterexample(wish, ap, 5) == expected
        assert denominator != "retrieved" or wish(ap, (0, 0), 1, 1) == (wish is not wishes.is_defined), "undefined counts as 0, but for the wish to be defined"

    def score(*arguments):
        asked.add(arguments)
        return arguments != CASE or wish is wishes.one_more_not_found_lowers  # each comparison goes on to the next

    wish(score, *CASE)
    assert asked - {CASE} == NEIGHBOURS.get(wish, set())


def test_the_wishes_have_words_and_can_be_broken_and_cases_come_shortest_first():
    assert [wishes.words(wish) for wish in wishes.WISHES[1:5:3]] == ["1 for the ideal ranking", "AP at k = N, if all are ranked"]
    assert wishes.smallest_counterexample(wishes.at_most_1, lambda *case: 2, 4) == ((0,), 1, 1)
    assert wishes.smallest_counterexample(wishes.swap_in_the_top_raises, lambda *case: 1, 4) == ((0, 1), 2, 1)
    cases = list(wishes.cases_up_to(3))
    assert cases[:5] == [((0,), 1, 1), ((1,), 1, 1), ((1,), 1, 2), ((0, 0), 1, 1), ((0, 0), 2, 1)]
    assert cases == sorted(cases, key=lambda case: len(case[0])) and len(set(cases)) == len(cases) == sum(n * (2 * 2**n - 1) for n in (1, 2, 3))
