"""The checker fails when it must: every way in which a claim can be wrong is tried."""

from fractions import Fraction

import pytest
import sympy as sp

import metrics
from metrics import definitions
from metrics.claims import Cases, ClaimFailed, claim, confusion_tables, pairs_of_rankings, pairs_of_sets, rankings

with_a_hit = rankings(6).where("with a relevant item", lambda ranking: any(ranking))


def ap_in_rank_form(ranking):
    ranks = [k for k, hit in enumerate(ranking, 1) if hit]
    return sum(Fraction(j, k) for j, k in enumerate(ranks, 1)) / len(ranks), definitions.average_precision(ranking)


def ap_over_n(ranking):
    ranks = [k for k, hit in enumerate(ranking, 1) if hit]
    return sum(Fraction(j, k) for j, k in enumerate(ranks, 1)) / len(ranking), definitions.average_precision(ranking)


def test_a_true_claim_is_recorded():
    record = claim("A7", "AP is the mean of j / k_j", ap_in_rank_form, with_a_hit, near_miss=("the mean over all ranks", ap_over_n))
    assert (record.strength, record.cases, record.exact) == ("exhausted", sum(2**n - 1 for n in range(1, 7)), True)
    assert record.near_miss_fails_at == "ranking = [0, 1]"
    assert repr(record).startswith("✓ A7 exhausted: 120 cases, exact: all 0/1 rankings of length 1 to 6, with")


def test_a_false_claim_names_its_smallest_counterexample():
    with pytest.raises(ClaimFailed, match=r"claim A7 fails at ranking = \[0, 1\]: 1/4 is not 1/2"):
        claim("A7", "wrong", ap_over_n, with_a_hit, near_miss=("right", ap_in_rank_form))


def test_a_false_claim_of_several_arguments_names_them_all():
    def wrong(ranking, k, n_relevant):
        return definitions.recall_at(ranking, k, n_relevant), definitions.precision_at(ranking, k)

    with pytest.raises(ClaimFailed, match=r"ranking = \[1\], k = 1, n_relevant = 2: 1/2 is not 1"):
        claim("X", "recall is precision", wrong, rankings(3).with_cutoff().with_n_relevant(), near_miss=("-", wrong))


def test_a_near_miss_that_never_fails_is_refused():
    with pytest.raises(ClaimFailed, match="never fails"):
        claim("A7", "right", ap_in_rank_form, with_a_hit, near_miss=("also right", ap_in_rank_form))


def test_a_near_miss_that_never_holds_is_refused():
    with pytest.raises(ClaimFailed, match="never holds"):
        claim("A7", "right", ap_in_rank_form, with_a_hit, near_miss=("absurd", lambda ranking: False))


@pytest.mark.parametrize(
    "check, words",
    [
        (lambda ranking: (0.5, Fraction(1, 2)), "not exact"),
        (lambda ranking: ((1, 0.5), (1, Fraction(1, 2))), "not exact"),
        (lambda ranking: (sp.Float(0.5), sp.Float(0.5)), "not exact"),
        (lambda ranking: ({"a": 0.5}, {"a": 0.5}), "not exact"),
        (lambda ranking: (1j, 1j), "not exact"),
        (lambda ranking: (metrics.average_precision(ranking), definitions.average_precision(ranking)), "not exact"),
        (lambda ranking: metrics.average_precision(ranking) <= 1, "expected True, False or a pair"),
        (lambda ranking: None, "returned None"),
        (lambda ranking: (1, 2, 3), "expected True, False or a pair"),
    ],
)
def test_inexact_or_odd_results_are_refused(check, words):
    with pytest.raises(TypeError, match=words):
        claim("X", "-", check, with_a_hit, near_miss=("-", check))


def test_a_stated_tolerance_makes_it_sampled():
    def close(ranking):
        return float(metrics.average_precision(ranking)), definitions.average_precision(ranking)

    def off(ranking):
        return float(metrics.average_precision(ranking)), definitions.reciprocal_rank(ranking)

    record = claim("X", "-", close, with_a_hit, tolerance=1e-12, near_miss=("it is RR", off))
    assert record.strength == "sampled" and not record.exact and "to 1e-12" in repr(record)
    with pytest.raises(ClaimFailed):
        claim("X", "-", off, with_a_hit, tolerance=1e-12, near_miss=("-", close))


def test_infinity_is_exact():
    def reached(ranking):
        return definitions.full_recall(ranking, n_relevant=9), float("inf")

    claim("X", "-", reached, with_a_hit, near_miss=("-", lambda ranking: (len(ranking), 1)))


def test_samples_are_called_samples():
    few = Cases("three rankings", ("ranking",), lambda: ((r,) for r in [(1,), (0, 1), (1, 0, 1)]), sampled=True)
    assert claim("X", "-", ap_in_rank_form, few, near_miss=("-", ap_over_n)).strength == "sampled"


def test_no_cases_no_claim():
    with pytest.raises(ClaimFailed, match="there are no cases"):
        claim("X", "-", ap_in_rank_form, rankings(2).where("never", lambda r: False), near_miss=("-", ap_over_n))


@pytest.mark.parametrize(
    "arguments, words",
    [
        ({}, "nothing to check"),
        ({"check": ap_in_rank_form}, "needs the cases"),
        ({"over": with_a_hit}, "cases need a check"),
        ({"check": ap_in_rank_form, "over": with_a_hit}, "near miss is missing"),
        ({"proof": {"-": (1, 1)}}, "near miss is missing"),
        ({"proof": {"-": (1, 1)}, "part": "one step", "near_miss": ("-", (1, 2))}, "needs a check of the whole"),
        ({"proof": {"-": (1, "<", 2)}, "near_miss": ("-", (1, 2))}, "got the relation '<'"),
    ],
)
def test_incomplete_claims(arguments, words):
    with pytest.raises(TypeError, match=words):
        claim("X", "-", **arguments)


# Proofs

tp, fp, fn = sp.symbols("tp fp fn", positive=True)
p, r = tp / (tp + fp), tp / (tp + fn)
harmonic = 2 / (1 / p + 1 / r)


def test_a_proof_is_recorded_with_its_assumptions():
    record = claim(
        "B2", "F by counts", proof={"F is a ratio of counts": (harmonic, 2 * tp / (2 * tp + fp + fn))},
        near_miss=("the arithmetic mean", ((p + r) / 2, 2 * tp / (2 * tp + fp + fn))),
    )  # fmt: skip
    assert record.strength == "proved" and record.proved == ("F is a ratio of counts",)
    assert record.assumptions == "for fn, fp, tp positive real"
    assert "tp = " in record.near_miss_fails_at


def test_a_wrong_proof_fails():
    with pytest.raises(ClaimFailed, match="was not shown"):
        claim("B2", "-", proof={"-": (harmonic, tp / (tp + fp + fn))}, near_miss=("-", (p, r)))


def test_a_near_miss_of_a_proof_must_fail():
    with pytest.raises(ClaimFailed, match="never fails"):
        claim("B2", "-", proof={"-": (harmonic, 2 * tp / (2 * tp + fp + fn))}, near_miss=("-", (p * r, r * p)))


def test_inequalities():
    ratio = {"the arithmetic mean is at least the harmonic": ((p + r) / 2, ">=", harmonic)}
    assert claim("B3", "-", proof=ratio, near_miss=("strictly", (harmonic, ">", (p + r) / 2))).strength == "proved"
    with pytest.raises(ClaimFailed, match="was not shown"):
        claim("B3", "-", proof={"-": (p, ">", r)}, near_miss=("-", (p, r)))


def test_numbers_catch_what_simplify_believes(monkeypatch):
    """If simplification were wrong, the numbers put in for the symbols would still tell."""
    monkeypatch.setattr(sp, "simplify", lambda expression: sp.Integer(0))
    with pytest.raises(ClaimFailed, match="fails at fn = "):
        claim("X", "-", proof={"-": (p, r)}, near_miss=("-", (p, r)))


def test_functions_and_sums_are_spot_checked():
    s, delta, k = sp.Function("s"), sp.Function("delta"), sp.Symbol("k", integer=True, positive=True)
    rise = s(k) / (k + 1) + delta(k) / (k + 1) - s(k) / k
    claim("A2", "-", proof={"-": (rise, (delta(k) - s(k) / k) / (k + 1))}, near_miss=("-", (rise, (delta(k) - s(k)) / k)))
    i = sp.Symbol("i", integer=True, positive=True)
    claim("sum", "-", proof={"-": (sp.summation(i, (i, 1, k)), k * (k + 1) / 2)}, near_miss=("-", (sp.Sum(i, (i, 1, k)), k**2 / 2)))


def test_a_part_proved_is_not_a_claim_proved():
    record = claim(
        "X", "-", ap_in_rank_form, with_a_hit, near_miss=("-", ap_over_n), proof={"-": (p, p)}, part="one step",
    )  # fmt: skip
    assert record.strength == "exhausted" and "SymPy proves one step for" in repr(record)


def test_numbers_keep_to_what_is_assumed():
    low, even = sp.Symbol("low", negative=True), sp.Symbol("even", even=True)
    whole = sp.Symbol("whole", integer=True)
    claim("X", "-", proof={"-": (-low, ">", 0)}, near_miss=("-", (low, ">=", low + whole)))
    claim("X", "-", proof={"-": (sp.cos(sp.pi * even), 1)}, near_miss=("-", (sp.cos(sp.pi * whole), 1)))
    odd_one = sp.Symbol("x", irrational=True)
    with pytest.raises(ClaimFailed, match="no small rational number"):
        claim("X", "-", proof={"-": (odd_one, odd_one)}, near_miss=("-", (odd_one, 0)))


def test_cited():
    assert claim("X", "a theorem", source="Hardy (1940)").strength == "cited"


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


def test_ten_thousand_exact_cases_take_seconds():
    from time import perf_counter

    start = perf_counter()
    record = claim("A7", "-", ap_in_rank_form, rankings(12).where("with a hit", any_hit), near_miss=("-", ap_over_n))
    assert record.cases == 8178 and perf_counter() - start < 10


def any_hit(ranking):
    return any(ranking)


def test_the_line_of_a_claim_is_html_and_data():
    record = claim("A7", "x < y & z", ap_in_rank_form, with_a_hit, near_miss=("a < b", ap_over_n))
    bundle = record._repr_mimebundle_()
    assert bundle["application/vnd.metrics.claim+json"]["statement"] == "x < y & z"
    assert "a &lt; b" in bundle["text/html"] and 'data-claim="A7"' in bundle["text/html"]
    assert bundle["text/plain"] == repr(record)
