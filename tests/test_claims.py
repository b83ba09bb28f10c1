"""The checker fails when it must: every way in which a claim can be wrong is tried."""

from fractions import Fraction

import pytest
import sympy as sp

import metrics
from metrics import definitions
from metrics.claims import (
    Cases,
    ClaimFailed,
    cited,
    claim,
    confusion_tables,
    pairs_of_rankings,
    pairs_of_sets,
    rankings,
)

WITH_A_HIT = rankings(6).where("with a relevant item", any)


def ap(ranking):
    return definitions.average_precision(ranking)


def in_rank_form(ranking):
    ranks = [k for k, hit in enumerate(ranking, 1) if hit]
    return sum(Fraction(j, k) for j, k in enumerate(ranks, 1)) / len(ranks)


def over_n(ranking):
    return in_rank_form(ranking) * sum(ranking) / len(ranking)


RIGHT = {"measured": ap, "stated": in_rank_form, "over": WITH_A_HIT, "near_miss": ("a mean over all ranks", over_n)}


def check(**changes):
    return claim("A7", "AP is the mean of j / k_j", **RIGHT | changes)


def test_a_true_claim_is_recorded():
    record = check()
    assert (record.strength, record.cases, record.exact) == ("exhausted", sum(2**n - 1 for n in range(1, 7)), True)
    assert (record.near_miss_fails, record.near_miss_fails_at) == (114, "ranking = [0, 1]")
    assert repr(record) == (
        "✓ A7 exhausted: 120 cases, exact: all 0/1 rankings of length 1 to 6, with a relevant item. "
        "Near miss: a mean over all ranks; fails in 114 cases, first at ranking = [0, 1]."
    )


def test_a_false_claim_names_its_smallest_counterexample():
    with pytest.raises(ClaimFailed, match=r"claim A7 fails at ranking = \[0, 1\]: 1/2 = 1/4 is false"):
        check(stated=over_n)


def test_a_false_claim_of_several_arguments_names_them_all():
    over = rankings(3).with_cutoff().with_n_relevant()
    with pytest.raises(ClaimFailed, match=r"ranking = \[1\], k = 1, n_relevant = 2: 1/2 = 1 is false"):
        claim("X", "-", definitions.recall_at, lambda r, k, n: definitions.precision_at(r, k), over, near_miss=("-", ap))


def test_inequalities():
    reciprocal = definitions.reciprocal_rank
    lower = {"stated": lambda r: reciprocal(r) / sum(r), "relation": ">="}
    assert check(**lower, near_miss=("RR alone", reciprocal)).strength == "exhausted"
    with pytest.raises(ClaimFailed, match=r"ranking = \[1\]: 1 > 1 is false"):
        check(**lower | {"relation": ">"})
    with pytest.raises(TypeError, match="got the relation '=='"):
        check(relation="==")


@pytest.mark.parametrize(
    "wrong, words",
    [
        (in_rank_form, "never fails"),
        (lambda ranking: -1, "never holds"),
        (lambda ranking: in_rank_form(ranking) + (len(ranking) == 1), r"fails at ranking = \[1\] alone"),
    ],
)
def test_a_near_miss_must_hold_somewhere_and_fail_more_than_once(wrong, words):
    with pytest.raises(ClaimFailed, match=f"the near miss 'it' {words}"):
        check(near_miss=("it", wrong))


def test_a_near_miss_is_required():
    with pytest.raises(TypeError, match="near_miss"):
        claim("A7", "-", ap, in_rank_form, WITH_A_HIT)


def test_a_truth_that_never_changes_checks_nothing():
    with pytest.raises(ClaimFailed, match=r"is \[True, True\] in every case, which checks nothing"):
        check(measured=lambda r: (ap(r) <= 1, ap(r) > 0), stated=lambda r: (True, True), near_miss=("-", any))
    with pytest.raises(ClaimFailed, match="is True in every case, which checks nothing"):
        check(measured=lambda ranking: ap(ranking) <= 1, stated=lambda ranking: True, near_miss=("-", any))
    assert check(measured=lambda r: ap(r) == 1, stated=lambda r: list(r) == sorted(r, reverse=True), near_miss=("-", all))


@pytest.mark.parametrize(
    "value",
    [0.5, (1, 0.5), sp.Float(0.5), sp.Symbol("x") * 0.5, 1j, None, "1/2", float("nan"), metrics.average_precision([0, 1])],
)
def test_inexact_or_odd_values_are_refused(value):
    for side in ("measured", "stated"):
        with pytest.raises(TypeError, match="not exact"):
            check(**{side: lambda ranking: value})


def test_what_is_exact():
    for value in (1, True, Fraction(1, 2), sp.Rational(1, 2), sp.sqrt(2), float("inf"), (1, Fraction(1, 2))):
        with pytest.raises(ClaimFailed, match="is false"):
            check(measured=lambda ranking: value)


def test_a_stated_tolerance_makes_it_sampled():
    record = check(measured=lambda ranking: float(metrics.average_precision(ranking)), tolerance=1e-12)
    assert record.strength == "sampled" and not record.exact and "120 cases, to 1e-12" in repr(record)
    with pytest.raises(ClaimFailed):
        check(measured=lambda ranking: float(metrics.average_precision(ranking)) + 1e-9, tolerance=1e-12)
    with pytest.raises(TypeError, match="tolerance inf"):
        check(tolerance=float("inf"))


def test_a_tolerance_holds_for_each_of_several_values():
    both = {"measured": lambda r: (float(ap(r)), len(r)), "stated": lambda r: (ap(r), len(r)), "tolerance": 1e-12}
    assert check(**both, near_miss=("by rank alone", lambda r: (ap(r), r.index(1) + 1))).strength == "sampled"
    with pytest.raises(ClaimFailed, match="fails at"):
        check(**both | {"stated": lambda r: (ap(r), len(r) + 1e-9)})
    with pytest.raises(ClaimFailed, match="fails at"):
        check(**both | {"stated": lambda r: (ap(r),)})


def test_relations_to_a_tolerance():
    approximate = {"measured": lambda r: float(ap(r)), "tolerance": 1e-12}
    assert check(**approximate, stated=lambda r: 0.0, relation=">=", near_miss=("-", definitions.reciprocal_rank))
    assert check(measured=lambda r: float("inf") if len(r) > 1 else 1.0, tolerance=1e-12,
                 stated=lambda r: float("inf") if len(r) > 1 else 1.0, near_miss=("-", lambda r: 1.0))  # fmt: skip
    with pytest.raises(TypeError, match="> cannot hold to a tolerance; state >="):
        check(**approximate, relation=">")


def test_a_function_is_not_compared_with_itself():
    with pytest.raises(TypeError, match="it agrees with itself"):
        check(stated=ap)


def test_samples_are_called_samples():
    few = Cases("four rankings", ("ranking",), lambda: ((r,) for r in [(1,), (0, 1), (1, 0, 1), (0, 0, 1)]), sampled=True)
    assert check(over=few).strength == "sampled"


def test_no_cases_no_claim():
    with pytest.raises(ClaimFailed, match="there are no cases"):
        check(over=rankings(2).where("never", lambda r: False))


def test_cited():
    record = cited("X", "a theorem", "Hardy (1940)")
    assert record.strength == "cited" and repr(record) == "✓ X cited: cited from Hardy (1940)."


# Proofs

tp, fp, fn = sp.symbols("tp fp fn", positive=True)
p, r = tp / (tp + fp), tp / (tp + fn)
harmonic = 2 / (1 / p + 1 / r)
BY_COUNTS = {"F is a ratio of counts": (harmonic, 2 * tp / (2 * tp + fp + fn))}


def test_a_proof_is_recorded_with_its_assumptions():
    record = check(proof=BY_COUNTS)
    assert record.strength == "proved" and record.proved == ("F is a ratio of counts",)
    assert repr(record).startswith("✓ A7 proved: SymPy proves it for fn, fp, tp positive real; 120 cases, exact: ")


def test_a_part_proved_is_not_a_claim_proved():
    record = check(proof=BY_COUNTS, part="one step")
    assert record.strength == "exhausted" and "SymPy proves one step for" in repr(record)
    for words in ("part", "unless"):
        with pytest.raises(TypeError, match="there is no proof"):
            check(**{words: "one step"})


def test_a_wrong_proof_fails():
    with pytest.raises(ClaimFailed, match="was not shown"):
        check(proof={"-": (harmonic, tp / (tp + fp + fn))})


def test_proofs_of_inequalities():
    assert check(proof={"-": ((p + r) / 2, ">=", harmonic)}).strength == "proved"
    for step in [(p, ">", r), ((p + r) / 2, ">", harmonic)]:
        with pytest.raises(ClaimFailed, match="was not shown"):
            check(proof={"-": step})


def square(x):
    return (x + 1) ** 2, x**2 + 2 * x + 1


@pytest.mark.parametrize(
    "step, words",
    [
        ((p, p), "shows nothing"),
        ((1, 1), "shows nothing"),
        ((sp.Integer(1), ">", 0), "shows nothing"),
        ((tp * 0.5, tp / 2), "a float cannot be part of a proof"),
        ((p, "<", r), "expected \\(left, right\\)"),
        ((p, r, p, r), "expected \\(left, right\\)"),
        (square(sp.Symbol("x", negative=True)), "no other assumption"),
        (square(sp.Symbol("n", even=True)), "no other assumption"),
        (square(sp.Symbol("z")), "no other assumption"),
    ],
)
def test_a_step_that_shows_nothing_or_hides_something_is_refused(step, words):
    with pytest.raises((TypeError, ClaimFailed), match=words):
        check(proof={"-": step})


def test_where_a_step_is_undefined_must_be_said():
    n = sp.Symbol("N", positive=True, integer=True)
    step = {"-": (n / (n - 1) - 1 / (n - 1), 1)}
    with pytest.raises(ClaimFailed, match="is undefined at N = 1; say so with `unless`"):
        check(proof=step)
    assert "for N positive integer, unless N = 1;" in repr(check(proof=step, unless="N = 1"))


def test_numbers_catch_what_simplify_believes(monkeypatch):
    """If simplification were wrong, the numbers put in for the symbols would still tell."""
    monkeypatch.setattr(sp, "simplify", lambda expression: sp.Integer(0))
    with pytest.raises(ClaimFailed, match="fails at fn = "):
        check(proof={"-": (p, r)})


def test_functions_and_sums_are_spot_checked():
    s, delta = sp.Function("s"), sp.Function("delta")
    k, i = sp.symbols("k i", integer=True, positive=True)
    rise = s(k) / (k + 1) + delta(k) / (k + 1) - s(k) / k
    check(proof={"-": (rise, (delta(k) - s(k) / k) / (k + 1))})
    check(proof={"-": (sp.summation(i, (i, 1, k)), k * (k + 1) / 2)})
    with pytest.raises(ClaimFailed):
        check(proof={"-": (rise, (delta(k) - s(k)) / (k + 1))})


# Cases


def test_cases_are_all_and_smallest_first():
    assert len(list(rankings(12))) == 2**13 - 2
    assert list(rankings(2, max_grade=2))[:4] == [(0,), (1,), (2,), (0, 0)]
    assert [len(r) for r in rankings(4, at_least=4)] == [4] * 16
    assert len(list(pairs_of_sets(3))) == 4 + 16 + 64
    assert len(list(confusion_tables(3))) == 4 + 10 + 20
    assert all(sum(table) >= 1 for table in confusion_tables(4))
    assert len(list(pairs_of_rankings(2))) == 2 + 6
    assert list(rankings(2).with_cutoff())[-2:] == [((1, 1), 1), ((1, 1), 2)]
    assert list(rankings(1).with_n_relevant(unranked=1)) == [((0,), 1), ((1,), 1), ((1,), 2)]


def test_ten_thousand_exact_cases_take_seconds():
    from time import perf_counter

    start = perf_counter()
    record = check(over=rankings(12).where("with a relevant item", any))
    assert record.cases == 8178 and perf_counter() - start < 10


def test_the_line_of_a_claim_is_html_and_data():
    record = claim("A7", "x < y & z", **RIGHT | {"near_miss": ("a < b", over_n)})
    bundle = record._repr_mimebundle_()
    assert bundle["application/vnd.metrics.claim+json"]["statement"] == "x < y & z"
    assert "a &lt; b" in bundle["text/html"] and 'data-claim="A7"' in bundle["text/html"]
    assert bundle["text/plain"] == repr(record)
