"""Every NumPy function equals its definition, on all rankings of the stated lengths."""

import inspect
import re
from fractions import Fraction
from itertools import islice, product
from math import isclose, isnan, nan
from pathlib import Path

import numpy as np
import pytest

import metrics
from metrics.exact import definitions

SHORT, LONG = 4, 8  # every k and n_relevant up to SHORT; every ranking, with a few of each, up to LONG
DENOMINATORS = ("retrieved", "relevant", "ideal", "cutoff")


def lengths(most):
    """1 to `most`; the first few are looked at by `make check`, too."""
    return [pytest.param(n, marks=pytest.mark.check if n <= 4 else ()) for n in range(1, most + 1)]


def exact(definition, *args, **kwargs):
    """The value of the definition, nan where it is 0/0."""
    try:
        return definition(*args, **kwargs)
    except ZeroDivisionError:
        return nan


def same(value, expected):
    value, expected = float(value), float(expected)
    return value == expected or isclose(value, expected, rel_tol=0, abs_tol=1e-12) or (isnan(value) and isnan(expected))


def all_rankings(n, grades=(0, 1)):
    return np.array(list(product(grades, repeat=n)), dtype=np.uint8)


def assert_same(name, batch, values, expected):
    """Each value of the batch against the definition of its ranking; the first difference is shown."""
    for ranking, value, want in zip(batch.tolist(), values, expected, strict=True):
        assert np.shape(value) == np.shape(want), (name, ranking)
        pairs = zip(np.ravel(value), np.ravel(want))
        assert all(same(got, right) for got, right in pairs), f"{name} of {ranking}: {value}, by definition {want}"


def assert_all_same(values, expected, case):
    """Neither list may be shorter."""
    assert all(same(value, want) for value, want in zip(values, expected, strict=True)), case


def compare(name, batch, *args, extra=None, **kwargs):
    """A function of a whole batch against its definition, ranking by ranking; R is the number of hits and `extra` more."""
    totals = [None] * len(batch) if extra is None else (batch > 0).sum(axis=1) + extra
    given = {} if extra is None else {"n_relevant": totals}
    expected = []
    for ranking, total in zip(batch.tolist(), totals):
        value = exact(getattr(definitions, name), ranking, *args, **kwargs, **({} if extra is None else {"n_relevant": int(total)}))
        expected.append(np.full(len(ranking), nan) if name == "recall_curve" and not isinstance(value, list) else value)
    assert_same(name, batch, getattr(metrics, name)(batch, *args, **kwargs, **given), expected)


def metrics_of(*needed, n_relevant):
    """The metrics of a ranking that need exactly these arguments besides, and whether they may be told how many items are relevant."""
    for name in metrics.MODULE_OF:
        signature = inspect.signature(getattr(metrics, name))
        given = {p.name for p in signature.parameters.values() if p.default is p.empty}
        if given == {"relevance", *needed} and ("n_relevant" in signature.parameters) == n_relevant and signature.return_annotation != "Ints":
            yield name


RANKING_ALONE, WITH_N_RELEVANT = (list(metrics_of(n_relevant=told)) for told in (False, True))
WITH_K, WITH_K_AND_N_RELEVANT = (list(metrics_of("k", n_relevant=told)) for told in (False, True))
WITH_LEVEL = list(metrics_of("level", n_relevant=True))
COMPARED_ON_ALL_RANKINGS = {*RANKING_ALONE, *WITH_N_RELEVANT, *WITH_K, *WITH_K_AND_N_RELEVANT, *WITH_LEVEL}


@pytest.mark.parametrize("n", lengths(LONG))
def test_all_rankings(n):
    batch = all_rankings(n)
    for name in RANKING_ALONE + WITH_N_RELEVANT:
        compare(name, batch)
    for name, k in product(WITH_K + WITH_K_AND_N_RELEVANT, {1, n // 2 or 1, n}):
        compare(name, batch, k)
    for name, level in product(WITH_LEVEL, (Fraction(1, 3), 1)):
        compare(name, batch, level)
    for denominator in DENOMINATORS:
        compare("average_precision_at", batch, n // 2 or 1, denominator=denominator)
    for p in (0, 0.5, 0.8):
        compare("rank_biased_precision", batch, p)
    for ranking, extra in product(batch.tolist(), (0, 1)):
        found = metrics.break_even_ranks(ranking, sum(ranking) + extra)
        assert found.tolist() == definitions.break_even_ranks(ranking, sum(ranking) + extra) and found.dtype.kind == "i"


@pytest.mark.parametrize("n", lengths(SHORT))
def test_every_k_and_n_relevant(n):
    batch = all_rankings(n)
    for name, k in product(WITH_K, range(1, n + 3)):
        compare(name, batch, k)
    for extra in range(n + 2):
        for name in WITH_N_RELEVANT:
            compare(name, batch, extra=extra)
        for name, k in product(WITH_K_AND_N_RELEVANT, range(1, n + 3)):
            compare(name, batch, k, extra=extra)
        for denominator, k in product(DENOMINATORS, range(1, n + 2)):
            compare("average_precision_at", batch, k, denominator=denominator, extra=extra)
        for k, gain in product((None, 1, 2, n + 1), ("linear", "exponential")):
            compare("ndcg", batch, k, gain, extra=extra)
        for multiple in (Fraction(1, 5), Fraction(1, 3), 0.5, 1, 1.5, 2):
            compare("r_precision_at", batch, multiple, extra=extra)


@pytest.mark.parametrize("name", WITH_LEVEL)
@pytest.mark.parametrize("n", lengths(SHORT))
def test_every_level(name, n):
    batch = all_rankings(n)
    levels = {Fraction(i, 2 * d) for d in range(1, n + 2) for i in range(2 * d + 1)}
    for extra, level in product((0, 1), levels):
        total = batch.sum(axis=1, dtype=int) + extra
        expected = [exact(getattr(definitions, name), r, level, t) for r, t in zip(batch.tolist(), total.tolist())]
        for given in (level, float(level)):
            assert_same(name, batch, getattr(metrics, name)(batch, given, total), expected)


@pytest.mark.parametrize("n", lengths(SHORT))
def test_graded(n):
    batch = all_rankings(n, grades=(0, 1, 2, 3))
    for gain, k in product(("linear", "exponential"), (None, 1, 3)):
        for name in ("dcg", "ndcg"):
            compare(name, batch, k, gain)
        for ideal in ([3] * n, [3] * n + [2, 1]):
            compare("ndcg", batch, k, gain, ideal)
    for most in (3, 4):
        compare("expected_reciprocal_rank", batch, most)


def test_definitions_by_hand():
    """With a discount that is exact: 1/2 of 1 + 1/2 + 1/3."""
    assert definitions.ndcg([0, 1], n_relevant=3, discount=lambda rank: Fraction(1, rank)) == Fraction(1, 2) / Fraction(11, 6)
    assert definitions.ndcg([0, 1], 2, n_relevant=3, discount=lambda rank: Fraction(1, rank)) == Fraction(1, 3)
    assert definitions.ndcg([2, 0, 1], n_relevant=2) == definitions.ndcg([2, 0, 1])
    assert same(definitions.ndcg([0, 0], n_relevant=1), 0) and isnan(exact(definitions.ndcg, [0, 0], n_relevant=0))
    assert definitions.count([0, 2, 1]) == 2 and definitions.count([0, 2, 1], 5) == 5 and definitions.count([0], 0) == 0


def test_bpref_with_judgements():
    for n in range(1, 4):
        for ranking, judged in product(all_rankings(n).tolist(), all_rankings(n).astype(bool).tolist()):
            kept = sum(r for r, known in zip(ranking, judged) if known)
            seen = sum(judged) - kept
            for extra, unseen in product((0, 2), (None, 0, 1, 5)):
                irrelevant = None if unseen is None else seen + unseen
                value = metrics.bpref(ranking, sum(ranking) + extra, judged=judged, n_irrelevant=irrelevant)
                want = exact(definitions.bpref, ranking, sum(ranking) + extra, judged=judged, n_irrelevant=irrelevant)
                assert same(value, want), (ranking, judged, extra, irrelevant)
            assert same(metrics.bpref(ranking, judged=judged), exact(definitions.bpref, ranking, judged=judged))


def test_judged_and_pooled():
    """Each item is relevant, irrelevant, pooled, or not in the pool; some of the judged were not ranked."""
    for n in range(1, 5):
        for kinds in product((2, 0, -1, None), repeat=n):
            relevance, judged, pooled = [kind == 2 for kind in kinds], [kind in (0, 2) for kind in kinds], [kind is not None for kind in kinds]
            for missing in ({}, {90: 1, 91: 0, 92: -2}):
                hits = metrics.Hits.from_ids(rankings=[range(n)], relevant=[{i: kind for i, kind in enumerate(kinds) if kind is not None} | missing])
                want = exact(definitions.inferred_average_precision, relevance, sum(relevance) + bool(missing), judged=judged, pooled=pooled)
                assert same(metrics.inferred_average_precision(hits)[0], want), kinds
                for k in range(1, n + 2):
                    assert same(metrics.judged_at(hits, k)[0], definitions.judged_at(relevance, k, judged))


def test_graded_experiments():
    batch = all_rankings(4, grades=(0, 1, 2, 3))
    for name in ("graded_g", "mean_ndcg_at_hits", "mean_ndcg_at_levels"):
        compare(name, batch)
        with pytest.raises(ValueError, match="^ideal: got none for query .*, where not all of the 5 relevant items"):
            getattr(metrics, name)(batch, 5)


def test_auc_from_scores():
    for n in range(1, 5):
        for labels in all_rankings(n).tolist():
            batch = np.array(list(product(range(3), repeat=n)))
            values = metrics.auc_from_scores(scores=batch, labels=np.broadcast_to(labels, batch.shape))
            assert_same("auc_from_scores", batch, values, [exact(definitions.auc_from_scores, s, labels) for s in batch.tolist()])


def test_precision_recall_curve():
    for n in range(1, 5):
        for labels, scores in product(all_rankings(n).tolist(), product(range(3), repeat=n)):
            curve = metrics.precision_recall_curve(scores=scores, labels=labels)
            if not any(labels):
                assert np.isnan(curve.recall[:-1]).all() and curve.recall[-1] == 0
                continue
            for values, expected in zip(curve, definitions.precision_recall_curve(scores, labels), strict=True):
                assert_all_same(values, expected, (scores, labels))
            for beta in (0, 1, 2):
                by_f = [(exact(definitions.f_score, *counts_at(s, scores, labels), beta), s) for s in scores]
                f, threshold = max(by_f)
                assert curve.best_f(beta)[0] == threshold and same(curve.best_f(beta)[1], f), (scores, labels, beta)


def counts_at(threshold, scores, labels):
    """tp, fp and fn of the items that score at least the threshold."""
    chosen = [label for score, label in zip(scores, labels) if score >= threshold]
    return sum(chosen), len(chosen) - sum(chosen), sum(labels) - sum(chosen)


def test_sets():
    counts = np.array(list(product(range(3), repeat=4)))
    options = {"f_score": [{}, {"beta": 0}, {"beta": Fraction(1, 2)}, {"beta": 2}], "utility": [{}, {"weights": (2, -1, -0.5, 0.25)}]}
    options["e_measure"] = options["f_score"]
    for name in ("precision", "recall", "accuracy", "jaccard", "f_score", "e_measure", "utility"):
        columns = ["tp fp fn tn".split().index(p) for p in inspect.signature(getattr(metrics, name)).parameters if p in ("tp", "fp", "fn", "tn")]
        chosen = counts[:, columns]
        for given in options.get(name, [{}]):
            expected = [exact(getattr(definitions, name), *row, **given) for row in chosen.tolist()]
            assert_same(name, chosen, getattr(metrics, name)(*chosen.T, **given), expected)
    assert metrics.utility(1, 2, 0, nan) == definitions.utility(1, 2, 0, nan) == -1


def test_weighted_harmonic_mean():
    grid = [Fraction(i, 4) for i in range(5)]
    for p, r, alpha in product(grid, grid, grid):
        value = metrics.weighted_harmonic_mean(float(p), float(r), alpha)
        assert same(value, definitions.weighted_harmonic_mean(p, r, alpha)), (p, r, alpha)


def subsets(items):
    return [[i for i, kept in zip(items, mask) if kept] for mask in product((0, 1), repeat=len(items))]


def test_confusion_and_premise_selection():
    for suggestions, required in product(subsets("abc"), subsets("acx")):
        for size in (None, 6, 9):
            got = metrics.confusion(predicted=suggestions, actual=required, universe_size=size)
            assert_all_same(got, definitions.confusion(suggestions, required, size), (suggestions, required))
        for name in ("cover", "precision", "recall", "rank", "auc"):
            function, definition = getattr(metrics.premise_selection, name), getattr(definitions, f"premise_{name}")
            for extra in [{"n": 2}, {}] if name in ("cover", "precision") else [{}]:
                value = function(suggestions=suggestions, required=required, **extra)
                assert same(value, exact(definition, suggestions, required, **extra)), (name, suggestions, required)


def instance_cases():
    """Predictions and labels of two instances over four labels in three deciles, one label without a decile."""
    decile = {"a": 10, "b": 10, "c": 1}
    orders = [list("abcx"), list("xcba"), list("ba"), []]
    pairs = product(product(orders, repeat=2), product(subsets("abcx"), repeat=2))
    for made, wanted in islice(pairs, None, None, 37):
        yield {"predictions": list(made), "actual": list(wanted), "decile": decile}


def averaged(lists, average=definitions.mean):
    return [exact(average, values) if values else nan for values in lists]


def test_by_decile():
    for case in instance_cases():
        for (k, top), name in product([(1, 500), (2, 2), (1, 1)], ("precision_by_decile", "ndcg_by_decile")):
            want = averaged(getattr(definitions, name)(**case, k=k, top=top))
            assert_all_same(getattr(metrics, name)(**case, k=k, top=top), want, (name, case))
        for level in (0, Fraction(1, 2), 0.5, 1):
            want = averaged(definitions.rank_for_recall_by_decile(**case, level=level, unreached=7))
            assert_all_same(metrics.rank_for_recall_by_decile(**case, level=level, aggregate="mean", unreached=7), want, case)
        for name in ("prediction_precision_at", "positive_coverage_at"):
            want = [exact(definitions.over, *pair) for pair in getattr(definitions, name)(**case, k=2)]
            assert_all_same(getattr(metrics, name)(**case, k=2), want, (name, case))
        del case["actual"]
        assert_all_same(metrics.prediction_proportions_at(**case, k=2), definitions.prediction_proportions_at(**case, k=2), case)


def test_the_median_and_the_mean_of_three_instances():
    for made in product([list("abx"), list("xab"), list("xba"), []], repeat=3):
        case = {"predictions": list(made), "actual": [["a"], ["a", "b"], ["b"]], "decile": dict.fromkeys("abx", 3), "level": 1, "unreached": 9}
        ranks = definitions.rank_for_recall_by_decile(**case)
        for name, average in {"mean": definitions.mean, "median": lambda values: sorted(values)[1]}.items():
            assert_all_same(metrics.rank_for_recall_by_decile(**case, aggregate=name), averaged(ranks, average), (name, case))


@pytest.mark.parametrize("top, place", [(1, 0), (1, 1), (501, 500), (501, 501), (None, 499), (None, 500)])
def test_how_many_predictions_are_looked_at(top, place):
    """`top` cuts the list before it is split; the default is 500."""
    many = [f"x{i}" for i in range(502)]
    case = {"predictions": [many], "actual": [[many[place]]], "decile": dict.fromkeys(many, 10)} | ({} if top is None else {"top": top})
    seen = place < (top or 500)
    for module, name in product((metrics, definitions), ("precision_by_decile", "ndcg_by_decile")):
        assert (np.ravel(getattr(module, name)(**case, k=502)[9]) > 0).tolist() == [seen], (module, name)
    [rank] = definitions.rank_for_recall_by_decile(**case, level=1, unreached=0)[9]
    assert rank == metrics.rank_for_recall_by_decile(**case, level=1, aggregate="mean", unreached=0)[9] == (place + 1 if seen else 0)


def test_how_many_suggestions_are_looked_at():
    many = list(range(102))
    for place, n in product((0, 1, 99, 100), (None, 1, 2, 100, 101)):
        given = {} if n is None else {"n": n}
        for name in ("cover", "precision"):
            value = getattr(definitions, f"premise_{name}")(many, [place], **given)
            assert (value > 0) == (place < (n or 100))
            assert same(getattr(metrics.premise_selection, name)(suggestions=many, required=[place], **given), value)


def test_frequency_deciles():
    for counts in product(range(3), repeat=4):
        table = dict(zip("abcd", counts))
        for equal in ("labels", "mass") if any(counts) else ("labels",):
            want = definitions.frequency_deciles(table, equal=equal)
            assert metrics.frequency_deciles(table, equal=equal) == want
            assert metrics.frequency_deciles(list(counts), equal=equal).tolist() == [want[label] for label in "abcd"]
    for size in (1, 7, 10, 23):
        table = dict(enumerate(range(size, 0, -1)))
        for equal in ("labels", "mass"):
            assert metrics.frequency_deciles(table, equal=equal) == definitions.frequency_deciles(table, equal=equal)


def test_aggregates():
    for values in product((Fraction(0), Fraction(1, 2), Fraction(1)), repeat=4):
        assert same(metrics.mean([float(v) for v in values], undefined="raise"), definitions.mean(values))
        assert same(metrics.geometric_mean([float(v) for v in values], undefined="raise"), definitions.geometric_mean(values))


def test_definitions_are_exact_and_symbolic():
    import sympy as sp

    assert definitions.average_precision([0, 1, 0, 1, 1, 0]) == Fraction(8, 15)
    assert isinstance(definitions.trapezoidal_area([0, 1, 1]), Fraction)
    assert definitions.relevant([sp.Integer(2), sp.Integer(0), sp.Symbol("x"), True, 2.5]) == [1, 0, sp.Symbol("x"), 1, 1]
    d = sp.symbols("d1:4")
    n_relevant = sp.Symbol("R", positive=True)
    for name in ("average_precision", "trapezoidal_area", "reciprocal_rank", "inversions", "auc", "mean_rank"):
        told = (3,) if name in ("average_precision", "trapezoidal_area") else ()
        formula = sp.sympify(getattr(definitions, name)(d, *(n_relevant,) * len(told)))
        for ranking in product((0, 1), repeat=3):
            if told or 0 < sum(ranking) < 3:
                value = formula.subs(dict(zip(d, ranking))).subs(n_relevant, 3)
                assert value == sp.Rational(*Fraction(getattr(definitions, name)(ranking, *told)).as_integer_ratio())


@pytest.mark.check
def test_every_metric_is_compared_with_its_definition():
    text = Path(__file__).read_text()
    no_metrics = {"Hits", "Total", "LogTotal", "evaluate", "from_frame", "split_by_item", "compare", "leaderboard"}  # they have tests of their own
    forgotten = [name for name in metrics.MODULE_OF if name not in no_metrics | COMPARED_ON_ALL_RANKINGS and not re.search(rf"\b{name}\b", text)]
    assert not forgotten, f"tests/test_definitions.py: add a comparison of {', '.join(forgotten)} with the definition of that name"
