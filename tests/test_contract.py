"""The conventions that hold for every function: input, shapes, undefined values, errors, nothing modified."""

import ast
import inspect
import re
import subprocess
import sys
import tracemalloc
import typing
import warnings
from fractions import Fraction
from functools import cached_property
from importlib import import_module
from itertools import product
from math import inf, isnan, log2, nan
from pathlib import Path
from types import MappingProxyType

import numpy as np
import pytest

import metrics
from metrics import Hits, premise_selection
from metrics.exact import definitions

WORKED = [0, 1, 0, 1, 1, 0]

# What the metrics of a ranking are called with, besides the ranking: a value for each parameter that one of them must have.
GIVEN = {"k": 3, "level": 0.5, "denominator": "ideal", "persistence": 0.8, "max_grade": 3, "multiple": 0.5}


def of_a_ranking(module, name):
    """The function of the module as one of a ranking, handed what it takes of `GIVEN` and of the options."""
    function = getattr(module, name)
    parameters = inspect.signature(function).parameters
    needed = {p.name for p in parameters.values() if p.default is p.empty} - {"relevance"} - GIVEN.keys()
    assert not needed, f"tests/test_contract.py: add to GIVEN a value for {', '.join(sorted(needed))}, which metrics.{name} needs"
    return lambda ranking, **options: function(ranking, **{key: value for key, value in (GIVEN | options).items() if key in parameters})


def is_of_a_ranking(name):
    signature = inspect.signature(getattr(metrics, name))
    return "relevance" in signature.parameters and signature.return_annotation in ("Values", "Floats")


OF_A_RANKING = {name: of_a_ranking(metrics, name) for name in metrics.MODULE_OF if is_of_a_ranking(name)}


def every_metric(test):
    """The test, of every metric of a ranking."""
    return pytest.mark.check(pytest.mark.parametrize("metric", OF_A_RANKING.values(), ids=OF_A_RANKING.keys())(test))


@pytest.fixture(autouse=True)
def no_warnings():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


@every_metric
def test_batches_of_any_leading_shape(metric):
    batch = np.random.default_rng(0).integers(0, 2, (3, 2, 5))
    one_by_one = [[metric(r) for r in rows] for rows in batch.tolist()]
    np.testing.assert_allclose(metric(batch), one_by_one, rtol=0, atol=1e-15)
    for shape in [(0, 5), (2, 0, 5), (3, 0), (0, 0), (0,)]:
        value = metric(np.zeros(shape))
        is_curve = np.shape(metric(WORKED)) == (6,)
        assert np.shape(value) == (shape if is_curve else shape[:-1])


@every_metric
def test_input_of_every_kind(metric):
    rows = [[0, 1, 0, 1, 1, 0, 0, 0, 1], [0, 0, 0, 0, 0, 0, 0, 1, 0], [0] * 9]
    expected = metric(rows)
    kinds = [np.array(rows, dtype) for dtype in ("u1", "?", "i1", "i8", "u8", "f2", "f4", "f8", ">f8", ">i4", "g")]
    kinds += [np.asfortranarray(kinds[0]), np.repeat(kinds[3], 2, axis=1)[:, ::2], tuple(map(tuple, rows)), Hits.from_relevance(rows)]
    kinds += [Hits.from_ranks([[2, 5, 4, 9], [8], []], 9), -0.0 + np.array(rows, float) * 1.0]
    for given in kinds:
        np.testing.assert_array_equal(metric(given), expected)


@every_metric
def test_floats_come_out_and_inputs_stay_as_they_are(metric):
    given, total = np.array([[0.0, 2, 1], [-0.0, 0, 0]]), np.array([2, 0])
    copies, total_copy = given.copy(), total.copy()
    given.setflags(write=False)
    hits = Hits.from_relevance(given)
    before = [array.copy() for array in (hits.row, hits.rank, hits.grade)]
    metric(given, n_relevant=total)
    metric(hits)
    assert metric(WORKED).dtype == np.float64 and isinstance(metric(WORKED), np.float64) == (np.ndim(metric(WORKED)) == 0)
    assert np.array_equal(given, copies) and np.array_equal(np.signbit(given), np.signbit(copies))
    assert np.array_equal(total, total_copy)
    assert all(map(np.array_equal, (hits.row, hits.rank, hits.grade), before))


ONE = {"predictions": [["a"]], "actual": [["a"]], "decile": {"a": 1}}
RANK_OF = {"predictions": [], "actual": [], "decile": {}, "level": 1, "aggregate": "mean", "unreached": 1}
RAGGED = "ragged rows: row 1 is of length 1, row 0 is of length 2, expected"
LARGE = "a number beyond the range of floats"
FINITE = "finite numbers >= 0"
ties, ids, ranks = metrics.ties, Hits.from_ids, Hits.from_ranks


def by_decile(**given):
    return metrics.precision_by_decile(**ONE | {"k": 1} | given)


def bad_grade(grade):
    return lambda: ids(rankings=[["a"]] * 2, relevant=[{"a": 1}, {"a": 1, "bad": grade, "worse": grade}])


def test_every_metric_refuses_what_is_no_relevance_or_fewer_relevant_items_than_hits():
    for name, metric in OF_A_RANKING.items():
        with pytest.raises(ValueError, match=r"^relevance: got nan at rank 2, expected"):
            metric([0, nan])
        if name != "ndcg" and not np.array_equal(metric(WORKED, n_relevant=9), metric(WORKED), equal_nan=True):
            with pytest.raises(ValueError, match=r"^n_relevant: got 1 for query \[1\], expected at least the 2 relevant items"):
                metric([[1, 0, 1], [0, 1, 1]], n_relevant=[2, 1])


def relevance(given):
    return lambda: metrics.average_precision(given)


def n_relevant(given):
    return lambda: metrics.average_precision([[1, 0, 1], [0, 1, 1]], given)


# What a message begins with: the argument, what was given, and mostly what was expected.
ERRORS = [
    (relevance("0110"), "relevance: got the text '0110', expected"),
    (relevance([["a", "b"]]), "relevance: got text, such as 'a'"),
    (relevance(np.float64(1)), "relevance: got the single value 1.0"),
    (relevance([[1, 0], [1]]), f"relevance: got {RAGGED}"),
    (relevance([[1, [0]], [1]]), f"relevance: got {RAGGED}"),
    (relevance([[[1, 0]], [[1]]]), "relevance: got ragged rows"),
    (relevance([1, [1]]), "relevance: got ragged rows: row 1 is of length 1, row 0 is a single value"),
    (relevance([[0, 1], [inf, 0]]), "relevance: got inf at query [1], rank 1"),
    (relevance([[[0, -1]]]), "relevance: got -1.0 at query [0, 0], rank 2"),
    (relevance([None]), "relevance: got None of type NoneType"),
    (relevance({1, 0}), "relevance: got {0, 1} of type set"),
    (relevance(np.array([], dtype="U1")), "relevance: got an array of type <U1"),
    (relevance([10**400]), f"relevance: got {LARGE}"),
    (n_relevant(1.5), "n_relevant: got 1.5, expected whole numbers >= 0"),
    (n_relevant([-1, -2]), "n_relevant: got -1, expected whole numbers >= 0, at most 2^53"),
    (n_relevant([[2], [3], [1]]), "n_relevant: got shape (3, 1), expected one number, or numbers that broadcast to the queries' shape (2,)"),
    (n_relevant([True, False]), "n_relevant: got bool ([True]), expected whole numbers"),
    (n_relevant(2**54), "n_relevant: got 18014398509481984, expected whole numbers"),
    (lambda: metrics.recall_at([[1, 1]] * 3, 1, n_relevant=[2, 1, 0]), "n_relevant: got 1 for query [1], expected at least the 2"),
    (lambda: ties.average_precision([0, 1], scores=[1, 1], n_relevant=0), "n_relevant: got 0"),
    (lambda: metrics.rank_at_recall(WORKED, 1.2), "level: got 1.2, expected one number in [0, 1]"),
    (lambda: metrics.rank_at_recall([1], np.array(True)), "level: got array(True), expected one number in [0, 1]"),
    (lambda: metrics.precision_at_recall(WORKED, Fraction(3, 2)), "level: got Fraction(3, 2)"),
    (lambda: metrics.rank_for_recall_by_decile(**RANK_OF | {"level": 2}), "level: got 2, expected one number in [0, 1]"),
    (lambda: metrics.rank_for_recall_by_decile(**RANK_OF | {"aggregate": "mode"}), "aggregate: got 'mode', expected 'median' or 'mean'"),
    (lambda: metrics.f_score(1, 1, 1, beta=-1), "beta: got -1, expected one number that is finite and >= 0"),
    (lambda: metrics.weighted_harmonic_mean(0.5, 0.5, alpha=2), "alpha: got 2, expected one number in [0, 1]"),
    (lambda: metrics.weighted_harmonic_mean([1.5, 2.5], 0.5, alpha=1), "precision: got 1.5, expected values in [0, 1]"),
    (lambda: metrics.weighted_harmonic_mean([0.5] * 2, [0.5] * 3, 0.5), "precision, recall: got shapes (2,), (3,)"),
    (lambda: metrics.precision(-1, 2), f"tp: got -1, expected {FINITE}"),
    (lambda: metrics.precision(1e308, 1e308), f"tp: got 1e+308, expected {FINITE} whose sum is finite too"),
    (lambda: metrics.recall([1, 2], [0, nan]), f"fn: got nan at [1], expected {FINITE}"),
    (lambda: metrics.jaccard([1, 2], [1, 2, 3], 1), "tp, fp, fn: got shapes (2,), (3,), ()"),
    (lambda: metrics.confusion(predicted=["a", "a"], actual=["a"]), "predicted: got 'a' a second time, at position 1, expected distinct ids"),
    (lambda: metrics.confusion(predicted=[["a"]], actual=["a"]), "predicted: got ['a'] at position 0, expected ids that can be hashed"),
    (lambda: metrics.confusion(predicted=["a"], actual={"a": 1}), "actual: got a dict, expected a collection of ids, not a mapping"),
    (lambda: metrics.confusion(predicted=["a"], actual=["b"], universe_size=1), "universe_size: got 1, expected at least the 2 items"),
    (lambda: metrics.accuracy_at([[1, 0]] * 3, 1, universe_size=[2, 1, 0]), "universe_size: got 1, expected at least 2"),
    (lambda: metrics.accuracy_at([1, 0], 5, universe_size=4), "universe_size: got 4, expected at least 5"),
    (lambda: metrics.average_precision_at(WORKED, 3, denominator="R"), "denominator: got 'R', expected 'retrieved' or"),
    (lambda: metrics.break_even_ranks([[1, 0]]), "relevance: got a batch of shape (1,), expected one ranking"),
    (lambda: metrics.bpref(WORKED, judged=[1, 1]), "judged: got shape (2,), expected a mask of bool or 0/1 of shape (6,)"),
    (lambda: metrics.bpref([1, 0, 1], judged=[1, 3, 2]), "judged: got 3, expected bool or 0/1"),
    (lambda: metrics.bpref([1, 0], judged=[2, 1]), "judged: got 2, expected bool or 0/1"),
    (lambda: metrics.bpref([[0], [0]], n_irrelevant=[1, 0]), "n_irrelevant: got 0, expected at least the 1 irrelevant"),
    (lambda: metrics.auc_from_scores(scores=[1, 2, 3], labels=[0, 3, 2]), "labels: got 3, expected 0/1 or bool"),
    (lambda: metrics.auc_from_scores(scores=[1, 2], labels=[0, 1, 1]), "labels: got shape (3,), expected the shape (2,)"),
    (lambda: ties.best([[0, 1], [1, 0]], scores=[1, 2, 3, 4]), "scores: got shape (4,), expected the shape (2, 2) of the grades"),
    (lambda: ties.shared([0, 1], scores=[1, nan]), "scores: got nan at item 2, expected numbers that can be ordered"),
    (lambda: ties.best(Hits.from_relevance([0, 1]), scores=[1, 1]), "relevance: got Hits"),
    (lambda: ties.shared([1e308] * 3, scores=[1] * 3), "relevance: got grade 1e"),
    (lambda: ties.ndcg([2000, 1], scores=[1, 1], gain="exponential"), "relevance: got grade 2000 with the exponential gain"),
    (lambda: ties.ndcg([0, 3], scores=[1, 1], ideal=[2, 2]), "ideal: got too few high grades"),
    (lambda: metrics.dcg(WORKED, gain="log"), "gain: got 'log', expected 'linear' or 'exponential'"),
    (lambda: metrics.dcg([2000], gain="exponential"), "relevance: got grade 2000 with the exponential gain"),
    (lambda: metrics.ndcg([1], gain="exponential", ideal=[2000]), "ideal: got grade 2000 with the exponential gain"),
    (lambda: metrics.ndcg([2, 1], ideal=[2]), "ideal: got too few high grades, expected all grades of the universe"),
    (lambda: metrics.ndcg([[1, 0], [2, 1], [3, 0]], ideal=[1, 1]), "ideal: got too few high grades for query [1]"),
    (lambda: metrics.ndcg([[1, 0]], ideal=[[1], [1]]), "ideal: got leading shape (2,), expected one list"),
    (lambda: metrics.rank_biased_precision(WORKED, 1), "persistence: got 1, expected one number in [0, 1)"),
    (lambda: metrics.expected_reciprocal_rank([0, 3], 2), "max_grade: got 2, expected one number at least the largest grade, 3"),
    (lambda: metrics.mean([1, nan, nan], undefined="raise"), "values: got nan at position 1, expected defined values"),
    (lambda: metrics.mean([1], undefined="drop"), "undefined: got 'drop', expected one number that stands in, or"),
    (lambda: metrics.geometric_mean([1, -0.5, -2], undefined=0), "values: got -0.5, expected values >= 0"),
    (lambda: metrics.geometric_mean([0.5], undefined=0, floor=inf), "floor: got inf, expected one number that is finite and >= 0"),
    (lambda: premise_selection.cover(suggestions=["a", "a"], required=["a"]), "suggestions: got 'a' a second time"),
    (lambda: premise_selection.rank(suggestions={"a"}, required=["a"]), "suggestions: got a set, which has no order, expected a list of ids"),
    (lambda: premise_selection.auc(suggestions={"a": 1}, required=["a"]), "suggestions: got a dict"),
    (lambda: by_decile(predictions=[["a", "a"]]), "predictions[0]: got 'a' a second time"),
    (lambda: by_decile(predictions=[{"a": 1}]), "predictions[0]: got a dict, expected a collection of ids, not a mapping"),
    (lambda: by_decile(actual=[{"a": 1}]), "actual[0]: got a dict"),
    (lambda: by_decile(actual=[]), "actual: got 0 label lists, expected one for each of the 1"),
    (lambda: by_decile(decile={"a": 11}), "decile: got 11 for label 'a', expected whole numbers from 1 to 10"),
    (lambda: by_decile(decile={"a": True}), "decile: got True for label 'a'"),
    (lambda: by_decile(decile=5), "decile: got an array of shape ()"),
    (lambda: by_decile(predictions=[[0]], actual=[[0]], decile=[[1]]), "decile: got an array of shape (1, 1)"),
    (lambda: metrics.frequency_deciles([1, -1, -2]), f"counts: got -1 at [1], expected {FINITE}"),
    (lambda: metrics.frequency_deciles([[1]]), "counts: got an array of shape (1, 1), expected one list of counts"),
    (lambda: metrics.frequency_deciles([0, 0], equal="mass"), "counts: got zeros only"),
    (lambda: ids(rankings=[{"a"}], relevant=[["a"]]), "rankings[0]: got a set, which has no order"),
    (lambda: ids(rankings=[{"a": 1}], relevant=[["a"]]), "rankings[0]: got a dict"),
    (lambda: ids(rankings=[["a", "a"]], relevant=[["a"]]), "rankings[0]: got 'a' a second time, at position 1"),
    (lambda: ids(rankings=[np.array("a")], relevant=[[]]), "rankings[0]: got array('a', dtype='<U1'), expected a collection"),
    (lambda: ids(rankings=5, relevant=[]), "rankings: got 5, expected a sequence of id lists"),
    (lambda: ids(rankings=[["a"]], relevant=[["a", "a"]]), "relevant[0]: got 'a' a second time"),
    (lambda: ids(rankings=[["a"]], relevant={"q": ["a"]}), "relevant: got {'q': ['a']}, expected a sequence"),
    (lambda: ids(rankings=[[]] * 3, relevant=[[], {"a", "b"}]), "relevant: got 2 collections, expected one for each of the 3"),
    *((bad_grade(grade), "relevant[1]: got ") for grade in (nan, -inf, np.float64("nan"), None, "1", 1j, [1], np.array([1]), Fraction(10**400))),
    (bad_grade(10**400), f"relevant[1]: got {LARGE} for id 'bad', expected finite grades"),
    (bad_grade(inf), "relevant[1]: got inf for id 'bad', expected finite grades"),
    (lambda: ranks({1: 2}, 3), "ranks: got {1: 2}, expected a list of 1-based ranks"),
    (lambda: ranks(np.array(3), 5), "ranks: got array(3), expected a list of 1-based ranks"),
    (lambda: ranks(3, 3), "ranks: got 3, expected a list of 1-based ranks"),
    (lambda: ranks([[1], 2], 3), "ranks[1]: got 2, expected a list of 1-based ranks"),
    (lambda: ranks([[1], [4]], 3), "ranks[1]: got rank 4, expected at most the length 3"),
    (lambda: ranks([2, 2], 3), "ranks: got rank 2 twice, expected distinct ranks"),
    (lambda: ranks([1], 3, n_relevant=0), "n_relevant: got 0, expected at least the 1 relevant items"),
]


@pytest.mark.parametrize("call, words", ERRORS)
def test_an_error_names_the_argument_what_was_given_and_what_is_expected(call, words):
    with pytest.raises(ValueError) as error:
        call()
    message = str(error.value)
    assert message.startswith(words) and ", expected " in message


def test_n_relevant_of_every_kind():
    batch = [[1, 0, 1], [0, 1, 1]]
    for given in (4, 4.0, np.int8(4), np.uint64(4), np.float16(4), [4, 4], (4.0, 4.0), np.full(2, 4, np.float16), np.array(4)):
        np.testing.assert_array_equal(metrics.average_precision(batch, given), metrics.average_precision(batch) / 2)


def test_large_or_odd_numbers_give_values_and_no_warning():
    assert metrics.average_precision([2**70, 0, Fraction(1, 2)]) == metrics.average_precision([1, 0, 1])
    assert metrics.dcg([1e300]) == 1e300 and metrics.precision(1e300, 0) == 1
    assert metrics.f_score(1, 1, 1, beta=1e200) == metrics.f_score_at([1, 0, 1], 2, beta=1e200) == 0.5
    assert metrics.weighted_harmonic_mean(nan, 0, 0.5) == 0 and isnan(metrics.weighted_harmonic_mean(nan, 1, 0.5))
    assert metrics.rank_at_recall([1] * 300, np.int8(1)) == 300
    assert isnan(metrics.mean([inf, -inf], undefined="raise"))
    assert metrics.frequency_deciles([2**53 + 1, 2**53]).tolist() == [6, 1]
    assert metrics.mean([Fraction(1, 2), 1], undefined="raise") == 0.75
    for dtype in ("f2", "f4", "u1", "i8", "g"):
        assert metrics.precision(np.array([1, 3], dtype), np.array([1, 1], dtype)).tolist() == [0.5, 0.75]


def test_what_the_metrics_share_cannot_be_changed():
    hits = Hits.from_relevance([[0, 1], [1, 1]])
    for name in ("row", "rank", "grade", "ordinal", "count", "start", "n_relevant"):
        with pytest.raises(ValueError, match="read-only"):
            getattr(hits, name)[0] = 9


@pytest.mark.check
@pytest.mark.parametrize("name", OF_A_RANKING)
def test_without_a_hit_what_is_0_over_0_by_definition_is_nan(name):
    try:
        expected = of_a_ranking(definitions, name)([0, 0, 0])
    except ZeroDivisionError:
        expected = nan
    value = OF_A_RANKING[name]([0, 0, 0])
    np.testing.assert_array_equal(value, np.broadcast_to(np.array(expected, float), np.shape(value)))


def test_confusion_of_sets_names_its_counts():
    table = metrics.confusion(predicted={"a", "b"}, actual=frozenset("b"), universe_size=2)
    assert table == (1, 1, 0, 0) and table._fields == ("tp", "fp", "fn", "tn") and all(type(value) is int for value in table)


def test_undefined_is_nan_never_reached_is_inf():
    assert metrics.precision([], []).shape == metrics.f_score([], 1, 1).shape == (0,)
    assert metrics.expected_reciprocal_rank([0, 0], 0) == metrics.expected_reciprocal_rank([0], 0.5) == 0
    nothing = [0, 0, 0]
    assert metrics.average_precision_at(nothing, 2, denominator="cutoff") == 0
    assert isnan(metrics.average_precision_at([0, 0, 1], 2, denominator="retrieved"))
    assert isnan(metrics.auc([1, 1]))
    assert metrics.full_recall([0, 1], n_relevant=2) == inf
    assert metrics.full_recall([0, 1], n_relevant=2, unreached=3) == 3
    assert metrics.rank_at_recall([0, 1], 1, n_relevant=2) == inf
    assert metrics.rank_at_recall([0, 1], 0) == 0
    assert isnan(metrics.precision_at_recall([0, 1], 0))
    assert metrics.precision_at_recall([0, 1], 1, n_relevant=2) == 0
    assert isnan(metrics.precision(0, 0)) and isnan(metrics.f_score(0, 0, 0)) and metrics.f_score(0, 1, 0) == 0
    assert metrics.break_even_ranks(nothing).size == 0
    assert metrics.break_even_ranks(nothing, 5).tolist() == [1, 2, 3]
    assert isnan(metrics.mean([nan], undefined="skip")) and metrics.mean([1, inf], undefined="raise") == inf


def test_every_level_j_over_r():
    for n_relevant in (1, 3, 7, 10, 49, 100, 199):
        ideal = Hits.from_ranks(range(1, n_relevant + 1), n_relevant)
        for j in range(1, n_relevant + 1):
            levels = {Fraction(j, n_relevant), j / n_relevant, 1 - (n_relevant - j) / n_relevant, min(j * (1 / n_relevant), 1)}
            assert all(metrics.rank_at_recall(ideal, level) == j for level in levels)


def test_levels_are_exact_or_meant():
    five = [1] * 5
    assert metrics.rank_at_recall(five, 0.6) == 3
    assert metrics.rank_at_recall(five, 0.6 + 1e-8) == 4
    assert metrics.rank_at_recall(five, Fraction(6, 10) + Fraction(1, 10**12)) == 4
    assert metrics.rank_at_recall(five, np.array(0.6)) == 3
    assert metrics.rank_at_recall([1], 1e-9) == 0 and metrics.rank_at_recall([1], 1.1e-9) == 1


def test_hits_keep_what_they_were_made_from():
    hits = Hits.from_ids(rankings=[["x", "a", "y"], ["b"], []], relevant=[{"a", "b"}, ["b"], []])
    assert hits.shape == (3,) and hits.length.tolist() == [3, 1, 0] and hits.n_relevant.tolist() == [2, 1, 0]
    np.testing.assert_array_equal(metrics.average_precision(hits), [1 / 4, 1, nan])
    np.testing.assert_array_equal(metrics.auc(hits), [1 / 2, nan, nan])
    assert metrics.recall_at(hits, 2, n_relevant=4)[0] == 1 / 4
    graded = Hits.from_relevance([[0, 3], [1, 2]])
    assert graded.grade.tolist() == [3, 1, 2]
    assert repr(graded) == "Hits(shape=(2,), length=2, hits=3)"


@pytest.mark.check
def test_public_names():
    assert set(metrics.__all__) <= set(dir(metrics))
    for name in metrics.__all__:
        assert getattr(metrics, name).__doc__, name
    assert not set(metrics.HOME) & set(metrics.__all__)
    with pytest.raises(AttributeError, match="no attribute 'precison_at'"):
        _ = metrics.precison_at


@pytest.mark.check
def test_tools_see_every_name():
    stub = Path(metrics.__file__).with_suffix(".pyi")
    nodes = [node for node in ast.parse(stub.read_text()).body if isinstance(node, ast.ImportFrom)]
    homes = {alias.name: node.module for node in nodes for alias in node.names}
    for name, home in metrics.MODULE_OF.items():
        assert homes.get(name) == home, f"metrics/__init__.pyi: from .{home} import {name} as {name}"
    assert homes.keys() == set(metrics.__all__)
    assert all(alias.asname == alias.name for node in nodes for alias in node.names)  # else no name of a typed package is exported


def test_modules_that_moved_are_found_by_their_older_names():
    for older, now in metrics.OLDER.items():
        assert import_module(f"metrics.{older}") is import_module(f"metrics.{now}")
    assert import_module("metrics.predictors") is import_module("metrics.library.predictors")
    assert metrics.scores.__spec__.name == "metrics.inputs.scores"


@pytest.mark.check
def test_every_function_that_gives_its_source_is_named():
    for module in metrics.HOME:
        made = {name: value for name, value in vars(import_module(f"metrics.{module}")).items() if inspect.isfunction(value) and name[0] != "_"}
        unnamed = [name for name, value in made.items() if "Source: " in (value.__doc__ or "") and name not in metrics.MODULE_OF]
        assert not unnamed, f"metrics/__init__.py: add {', '.join(unnamed)} of {module}.py, to HOME and to __init__.pyi"


def public_functions():
    """Every public function of NumPy, and every public method of `Hits`, by name."""
    functions = {name: getattr(metrics, name) for name in metrics.MODULE_OF if name != "Hits"}
    for module in (premise_selection, metrics.ties):
        functions |= {f"{module.__name__}.{name}": getattr(module, name) for name in module.__all__}
    methods = {f"Hits.{name}": getattr(Hits, name) for name in vars(Hits) if name[0] != "_"}
    properties = {name: method.func for name, method in methods.items() if isinstance(method, cached_property)}
    return functions, {name: method for name, method in methods.items() if inspect.isroutine(method)} | properties


@pytest.mark.check
def test_every_public_function_says_itself_what_it_needs():
    functions, methods = public_functions()
    for name, function in functions.items():
        text = function.__doc__ or ""
        missing = [word for word in ("Returns ", "Raises ValueError", "Source: ", ">>>") if word not in text]
        assert not missing, f"the docstring of {name} lacks {', '.join(missing)}"
        assert text.split("\n")[0].endswith((".", ":")), f"the first line of the docstring of {name} is no sentence"
        assert not re.search(r"as for|as `|does, and|do\.\n", text), f"{name} sends the reader elsewhere"
        for parameter in inspect.signature(function).parameters:
            assert re.search(rf"\b{parameter}\b[^:\n]*: ", text), f"{name} does not say what {parameter} is"
    assert all(method.__doc__ for method in methods.values()) and Hits.__doc__


@pytest.mark.check
def test_every_public_function_is_annotated():
    functions, methods = public_functions()
    assert {"Hits.from_ids", "Hits.top", "Hits.relevant"} <= methods.keys()
    exact = {name: value for name, value in vars(metrics.definitions).items() if inspect.isfunction(value)}
    assert len(exact) > 60 and "bpref" in exact
    for name, function in [*(functions | methods).items(), *exact.items(), ("Hits.__init__", Hits.__init__)]:
        signature = inspect.signature(function)
        assert signature.return_annotation is not signature.empty, name
        parameters = [p for p in signature.parameters.values() if p.name != "self"]
        assert all(p.annotation is not p.empty for p in parameters), name
        typing.get_type_hints(function)
    assert Path(metrics.__file__).with_name("py.typed").exists()


def test_definitions_and_claims_run_without_numpy():
    code = (
        "import sys; sys.modules['numpy'] = None\n"
        "import metrics, metrics.definitions as d, metrics.claims as c, metrics.exact.wishes\n"
        "print(d.average_precision([0, 1]), len(list(c.rankings(3))))\n"
        "try: metrics.precision_at\n"
        "except ImportError: print('NumPy is asked for late')\n"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert out == "1/2 14\nNumPy is asked for late\n"


def imports(path):
    """The modules that a file of the package imports, those of the package by their path."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            yield node.module.split(".")[0]
        elif isinstance(node, ast.ImportFrom):
            folder = path.parents[node.level - 1]
            names = [node.module] if node.module else [alias.name for alias in node.names]
            yield from (folder.joinpath(*name.split(".")).with_suffix(".py") for name in names)


@pytest.mark.check
def test_numpy_modules_and_definitions_never_import_each_other():
    home = Path(metrics.__file__).parent
    needs = {path: set(imports(path)) for path in home.rglob("*.py") if path.name != "__init__.py"}
    with_numpy = {path for path, modules in needs.items() if "numpy" in modules}
    while more := {path for path, modules in needs.items() if modules & with_numpy} - with_numpy:
        with_numpy |= more
    exact = {path for path in needs if path.parent.name == "exact"}
    modules = {home.joinpath(*module.split(".")) for module in metrics.HOME}
    assert {path.with_suffix(".py") for path in modules if not path.is_dir()} <= with_numpy
    assert len(exact) >= 5 and not exact & with_numpy
    assert not [path.name for path in with_numpy if needs[path] & (exact | {home / "exact.py", home / "definitions.py", home / "claims.py"})]


# Arguments by name


BY_NAME = {
    "confusion": "predicted actual universe_size",
    "Hits.from_ids": "rankings relevant",
    "Hits.from_scores": "scores labels ties",
    "auc_from_scores": "scores labels",
    "precision_recall_curve": "scores labels",
    "premise_selection.cover": "suggestions required n",
    "premise_selection.precision": "suggestions required n",
    "premise_selection.recall": "suggestions required",
    "premise_selection.rank": "suggestions required",
    "premise_selection.auc": "suggestions required",
    "precision_by_decile": "predictions actual decile k top",
    "ndcg_by_decile": "predictions actual decile k top",
    "rank_for_recall_by_decile": "predictions actual decile level aggregate unreached top",
    "prediction_proportions_at": "predictions decile k",
    "prediction_precision_at": "predictions actual decile k",
    "positive_coverage_at": "predictions actual decile k",
    "ties.best": "scores",
    "ties.worst": "scores",
    "ties.shared": "scores",
    "ties.precision_at": "scores k",
    "ties.average_precision": "scores n_relevant",
    "ties.reciprocal_rank": "scores",
    "ties.ndcg": "scores k gain ideal n_relevant",
    "average_precision_at": "denominator n_relevant",
    "bpref": "judged n_irrelevant",
    "frequency_deciles": "equal",
    "mean": "undefined",
    "geometric_mean": "undefined floor",
    "evaluate": "n_relevant relevance_level groups",
    "compare": "test undefined groups confidence resamples seed",
    "leaderboard": "undefined correction lower_is_better groups confidence resamples seed",
}


@pytest.mark.check
def test_these_arguments_go_by_name():
    functions, methods = public_functions()
    found = {}
    for name, function in (functions | methods).items():
        parameters = inspect.signature(function).parameters.values()
        if by_name := " ".join(p.name for p in parameters if p.kind is p.KEYWORD_ONLY):
            found[name.removeprefix("metrics.")] = by_name
    assert {name: found.get(name) for name in BY_NAME} == BY_NAME
    for call in (
        lambda: metrics.confusion(["a"], ["a"]),
        lambda: Hits.from_ids([["a"]], [["a"]]),
        lambda: metrics.auc_from_scores([1], [1]),
        lambda: premise_selection.cover(["a"], ["a"]),
        lambda: metrics.precision_by_decile([["a"]], [["a"]], {}, 1),
        lambda: metrics.ties.best([1], [1]),
    ):
        with pytest.raises(TypeError, match="positional argument"):
            call()


@pytest.mark.check
def test_defaults():
    default = {
        (name, p.name): p.default
        for name, function in public_functions()[0].items()
        for p in inspect.signature(function).parameters.values()
        if p.default not in (p.empty, None)
    }
    assert default.items() >= {
        ("metrics.premise_selection.cover", "n"): 100,
        ("metrics.premise_selection.precision", "n"): 100,
        ("precision_by_decile", "top"): 500,
        ("ndcg_by_decile", "top"): 500,
        ("rank_for_recall_by_decile", "top"): 500,
        ("f_score", "beta"): 1,
        ("e_measure", "beta"): 1,
        ("f_score_at", "beta"): 1,
        ("dcg", "gain"): "linear",
        ("ndcg", "gain"): "linear",
        ("metrics.ties.ndcg", "gain"): "linear",
        ("full_recall", "unreached"): inf,
        ("frequency_deciles", "equal"): "labels",
    }.items()


# Grades by id


def from_ids(*pairs):
    rankings, relevant = zip(*pairs)
    return Hits.from_ids(rankings=rankings, relevant=relevant)


GRADES = {"a": 3, "b": 1, "c": 2, "x": 0, "y": 0, "u": -1, "v": -2}  # c and y are not ranked below
RANKED = ["x", "a", "u", "w", "b"]


def test_a_mapping_gives_the_grades():
    hits = from_ids((RANKED, GRADES))
    assert hits.rank.tolist() == [2, 5] and hits.grade.tolist() == [3, 1] and hits.ordinal.tolist() == [1, 2]
    assert hits.n_relevant.tolist() == [3] and hits.length.tolist() == [5] and hits.count.tolist() == [2]
    assert hits.ideal.grade.tolist() == [3, 2, 1] and hits.ideal.rank.tolist() == [1, 2, 3]
    assert metrics.average_precision(hits) == (1 / 2 + 2 / 5) / 3
    for k, gain in product((None, 1, 2, 7), ("linear", "exponential")):
        assert metrics.ndcg(hits, k, gain) == metrics.ndcg([[0, 3, 0, 0, 1]], k, gain, ideal=[1, 2, 3])
    np.testing.assert_allclose(metrics.bpref(hits), (1 / 2 + 1 / 2) / 3)


def test_grades_of_every_kind():
    plain = from_ids((["a", "b", "x"], {"a": 1, "b": 1, "x": 0}))
    for one, zero in ((True, False), (np.bool_(True), np.bool_(False)), (np.int8(1), np.uint8(0)), (1.0, -0.0), (Fraction(1), Fraction(0))):
        hits = from_ids((["a", "b", "x"], {"a": one, "b": one, "x": zero}))
        assert hits.rank.tolist() == [1, 2] and hits.grade.tolist() == [1, 1]
        assert metrics.bpref(hits) == metrics.bpref(plain) == metrics.ndcg(hits) == 1
        assert hits.irrelevant.rank.tolist() == [3]
    assert from_ids(([1], MappingProxyType({1: np.float32(0.5)}))).grade.tolist() == [0.5]


def test_lists_of_ids_of_every_kind():
    expected = metrics.average_precision(from_ids((["x", "a"], ["a", "b"])))
    for rankings, relevant in (
        ((name for name in ["x", "a"]), (name for name in "ab")),
        (np.array(["x", "a"]), np.array(["a", "b"])),
        (("x", "a"), frozenset("ab")),
        (dict.fromkeys("xa").keys(), {"a": 2, "b": 1, "x": 0}.keys() - {"x"}),
    ):
        given = Hits.from_ids(rankings=(ids for ids in [rankings]), relevant=iter([relevant]))
        assert metrics.average_precision(given) == expected and given.length.tolist() == [2]
    assert from_ids((np.array([7, 8]), {8: 1})).rank.tolist() == [2]


def test_a_batch_may_mix_mappings_and_collections():
    pairs = [
        (RANKED, GRADES),
        (["x", "a", "y"], {"a", "b"}),
        (["a", "x"], {"a": -1, "b": 0}),
        ([], {"b": 2}),
        (["a", "b"], []),
        (["x", "b", "y", "a"], ["a", "b", "c", "d"]),
        (["a"], {}),
    ]
    together = from_ids(*pairs)
    assert together.graded.tolist() == [True, False, True, True, False, False, True]
    assert together.n_relevant.tolist() == [3, 2, 0, 1, 0, 4, 0]
    everything = [*OF_A_RANKING.values(), metrics.bpref, metrics.ndcg, lambda r: metrics.ndcg(r, 2, "exponential")]
    for k, metric in product((None, 2), everything):
        alone = [from_ids(pair) for pair in pairs]
        if metric not in (OF_A_RANKING["precision_curve"], OF_A_RANKING["recall_curve"]):
            values = [metric(hits if k is None else hits.top(k))[0] for hits in alone]
            np.testing.assert_allclose(metric(together if k is None else together.top(k)), values, rtol=0, atol=1e-15)


def test_an_n_relevant_that_contradicts_a_mapping():
    hits = from_ids((["a"], {"a", "b"}), (["a", "x"], {"a": 1, "b": 1, "x": 0}), (["a"], {"a": 1}))
    for name in "recall_at average_precision r_precision bpref full_recall f_score_at ndcg".split():
        metric = OF_A_RANKING[name]
        np.testing.assert_array_equal(metric(hits, n_relevant=[2, 2, 1]), metric(hits))
        for wrong in ([2, 3, 1], [2, 1, 2], 2):
            with pytest.raises(ValueError, match=r"^n_relevant: got \d for query \[[12]\], expected the [12] grades above 0 of the mapping"):
                metric(hits, n_relevant=wrong)
            with pytest.raises(ValueError, match="n_relevant"):
                metric(hits.top(1), n_relevant=wrong)
        assert metric(hits, n_relevant=[5, 2, 1])[0] <= metric(hits)[0] or name == "full_recall"
    with pytest.raises(ValueError, match="^n_relevant: got 3"):
        metrics.ndcg(hits, ideal=[1, 1, 1], n_relevant=3)


# nDCG knows what was not ranked


def by_hand(*grades):
    return sum(grade / log2(rank + 1) for rank, grade in enumerate(grades, 1))


@pytest.mark.parametrize("k", [None, 1, 2, 50])
@pytest.mark.parametrize("gain", ["linear", "exponential"])
def test_ndcg_asks_for_the_ideal_where_grades_are_unknown(k, gain):
    for call in (
        lambda **more: metrics.ndcg([3, 0, 1], k, gain, n_relevant=3, **more),
        lambda **more: metrics.ndcg(Hits.from_relevance([3, 0, 1], n_relevant=3), k, gain, **more),
        lambda **more: metrics.ndcg([0.5, 1, 1], k, gain, n_relevant=4, **more),
        lambda **more: metrics.ties.ndcg([3, 0, 1], scores=[3, 2, 1], k=k, gain=gain, n_relevant=3, **more),
        lambda **more: metrics.definitions.ndcg([3, 0, 1], k, gain, n_relevant=3, **more),
    ):
        with pytest.raises(ValueError, match="^ideal: got none.*expected all grades of the universe"):
            call()
        assert 0 < call(ideal=[4, 3, 2, 1, 1]) < 1
    batch = Hits.from_relevance([[1, 0], [2, 0], [3, 0], [0, 0]], n_relevant=[2, 1, 2, 1])
    with pytest.raises(ValueError, match=r"^ideal: got none for query \[2\], where not all of the 2 relevant"):
        metrics.ndcg(batch, k, gain)


def test_ndcg_is_never_above_one():
    grades = np.random.default_rng(3).random((3000, 6))
    best = -np.sort(-grades)
    for ideal, n_relevant in ((None, None), (best, None), (best[:, ::-1], 9)):
        assert metrics.ndcg(best, ideal=ideal, n_relevant=n_relevant).max() == 1
    assert metrics.ndcg([1] * 7, n_relevant=7) == 1 and metrics.ndcg(np.ones(100_001), n_relevant=100_001) == 1
    assert (metrics.ndcg([0.1] * 3), metrics.ndcg([1.0, np.nextafter(1, 2)])) <= (1, 1)


def test_ndcg_needs_no_memory_for_what_is_missing():
    tracemalloc.start()
    for hits in (Hits.from_relevance([1, 0, 1], n_relevant=2**40), Hits.from_ranks([1, 3], 3, 2**53)):
        assert 0 < metrics.ndcg(hits) < metrics.ndcg(hits, 2**20) < metrics.ndcg(hits, 3) < 1
    assert 0 < metrics.ties.ndcg([1, 0], scores=[1, 1], n_relevant=2**53) < 1e-10
    assert metrics.definitions.ndcg([1, 0], 1, n_relevant=2**53) == 1
    assert tracemalloc.get_traced_memory()[1] < 2**25
    tracemalloc.stop()


def test_the_sum_of_discounts_goes_on_beyond_the_table():
    exact = np.cumsum(1 / np.log2(np.arange(2, 300_002)))
    for total in (1, 2, 99_999, 100_000, 100_001, 150_000, 300_000):
        np.testing.assert_allclose(metrics.ndcg([1], n_relevant=total), 1 / exact[total - 1], rtol=1e-13)
    # ln 2 (li(2^40) - li(2^20)), with half the ends and a twelfth of the slopes, by mpmath.
    between = 1 / metrics.ndcg([1], n_relevant=2**40 - 1) - 1 / metrics.ndcg([1], n_relevant=2**20 - 1)
    np.testing.assert_allclose(between, 28559776761.968703, rtol=1e-12)


def test_dcg_of_a_ranking_beyond_the_table():
    ranks = [1, 99_999, 100_000, 100_001, 200_000]
    for length in (200_000, 2**40):
        expected = sum(1 / log2(rank + 1) for rank in ranks)
        np.testing.assert_allclose(metrics.dcg(Hits.from_ranks(ranks, length)), expected, rtol=1e-14)
    np.testing.assert_allclose(metrics.dcg(Hits.from_ranks([100_000], 100_000)), 1 / log2(100_001), rtol=1e-15)


# A ranking cut at a rank


def test_top_keeps_what_is_known_of_the_queries():
    hits = from_ids((RANKED, GRADES), (["x", "b", "y", "a"], {"a", "b", "c"}), (["a"], {"a": 1, "x": 0, "y": 0}))
    cut = hits.top(2)
    assert cut.length.tolist() == [2, 2, 1] and cut.longest == 2 and cut.shape == (3,)
    assert cut.rank.tolist() == [2, 2, 1] and cut.grade.tolist() == [3, 1, 1]
    assert cut.n_relevant.tolist() == [3, 3, 1] and cut.ideal.grade.tolist() == [3, 2, 1, 1, 1, 1, 1]
    by_cut_lists = from_ids((RANKED[:2], GRADES), (["x", "b"], {"a", "b", "c"}), (["a"], {"a": 1, "x": 0, "y": 0}))
    for metric in (metrics.average_precision, metrics.ndcg, metrics.bpref, metrics.auc, lambda h: metrics.recall_at(h, 5)):
        np.testing.assert_array_equal(metric(cut), metric(by_cut_lists))
    for metric in (metrics.average_precision, metrics.ndcg, metrics.bpref, metrics.auc):
        np.testing.assert_array_equal(metric(hits.top(4).top(2)), metric(cut))
        np.testing.assert_array_equal(metric(hits.top(2**70)), metric(hits))
    assert hits.rank.tolist() == [2, 5, 2, 4, 1]  # as it was


def test_top_of_an_array():
    hits = Hits.from_relevance([[[0, 1, 1]], [[1, 0, 1]]])
    cut = hits.top(2)
    assert cut.shape == (2, 1) and cut.n_relevant.tolist() == [2, 2] and cut.count.tolist() == [1, 1]
    np.testing.assert_array_equal(metrics.recall_at(cut, 3), [[1 / 2], [1 / 2]])
    np.testing.assert_allclose(metrics.ndcg(cut), [[by_hand(0, 1) / by_hand(1, 1)], [1 / by_hand(1, 1)]])
    assert metrics.ndcg(Hits.from_relevance([1, 1, 1]).top(2)) < metrics.ndcg([1, 1, 1], 2) == 1
    graded = Hits.from_relevance([1, 0, 2, 3]).top(1)
    np.testing.assert_allclose(metrics.ndcg(graded), 1 / by_hand(3, 2, 1))
    assert metrics.average_precision(graded) == 1 / 3
    assert metrics.ndcg(Hits.from_relevance([1, 1]).top(1), n_relevant=1) == 1
    empty = Hits.from_relevance(np.zeros((2, 0))).top(3)
    assert empty.length.tolist() == [0, 0] and empty.shape == (2,)


def test_top_keeps_that_grades_are_unknown():
    cut = Hits.from_relevance([1, 0, 2, 3], n_relevant=5).top(1)
    for given, more in ((cut, {}), (cut.top(1), {}), (Hits.from_relevance([1, 2]).top(1), {"n_relevant": 1})):
        with pytest.raises(ValueError, match="^ideal: got none"):
            metrics.ndcg(given, **more)
    np.testing.assert_allclose(metrics.ndcg(cut, ideal=[3, 2, 1, 1, 1]), 1 / by_hand(3, 2, 1, 1, 1))
    assert metrics.recall_at(cut, 1) == 1 / 5


def test_judgements_of_a_cut_ranking():
    grades = {"a": 1, "b": 1, "x": 0, "y": 0, "z": 0}
    cut = from_ids((["a", "x", "b", "y"], grades)).top(3)
    assert metrics.bpref(cut) == (1 + 1 / 2) / 2  # M = 2 of the three judged irrelevant
    assert metrics.bpref(cut, n_irrelevant=1) == (1 + 0) / 2
    with pytest.raises(ValueError, match="^n_irrelevant: got 0, expected at least the 1 irrelevant items"):
        metrics.bpref(cut, n_irrelevant=0)
    assert metrics.bpref(cut, judged=[[1, 0, 1]]) == 1
    plain = Hits.from_relevance([1, 0, 1, 0]).top(3)
    assert metrics.bpref(plain) == metrics.bpref([1, 0, 1]) == 1 / 2


def test_what_is_given_replaces_what_the_mapping_judges():
    hits = from_ids((["x", "a", "u", "b"], {"a": 1, "b": 1, "c": 1, "x": 0, "y": 0, "z": 0}))
    for more, kept in [
        ({}, 2 / 3 + 2 / 3),
        ({"n_irrelevant": 1}, 0),
        ({"n_irrelevant": 2}, 1 / 2 + 1 / 2),
        ({"judged": [[0, 1, 1, 1]]}, 1),  # u alone is irrelevant, and above b
        ({"judged": [[1, 1, 1, 0]]}, 1 / 2),
        ({"judged": [[1, 1, 1, 1]]}, 1 / 2),
        ({"judged": [[1, 1, 1, 1]], "n_irrelevant": 4}, 2 / 3 + 1 / 3),
    ]:
        np.testing.assert_allclose(metrics.bpref(hits, **more), kept / 3, atol=1e-15)


# Relevance levels, unjudged items, judgements that were looked up


def test_a_relevance_level_is_a_mapping_without_the_lower_grades():
    queries = [(RANKED, GRADES), (["x", "c", "y", "a"], {"a": 2, "b": 2, "c": 1, "x": 0}), ([], {"a": 1}), (["a"], {"a": 3.5, "u": -1})]
    hits = from_ids(*queries)
    for level in (0.5, 1, 2, Fraction(5, 2), 3, 4):
        expected = from_ids(*((ids, {item: grade if grade >= level or grade < 0 else 0 for item, grade in grades.items()}) for ids, grades in queries))
        made = hits.at_level(level)
        for ours, theirs in ((made, expected), (made.irrelevant, expected.irrelevant), (made.unjudged, expected.unjudged), (made.ideal, expected.ideal)):
            for name in ("length", "row", "rank", "n_relevant") + ("grade",) * (ours is not made.irrelevant):
                if name != "length" or ours is not made.ideal:
                    np.testing.assert_array_equal(getattr(ours, name), getattr(theirs, name))
        for metric in (*OF_A_RANKING.values(), metrics.bpref, metrics.ndcg):
            if metric is not OF_A_RANKING["expected_reciprocal_rank"]:
                np.testing.assert_array_equal(metric(made), metric(expected))
        np.testing.assert_array_equal(metrics.bpref(made.top(2)), metrics.bpref(expected.top(2)))
        np.testing.assert_array_equal(metrics.bpref(hits.top(2).at_level(level)), metrics.bpref(expected.top(2)))
    assert hits.grade.tolist() == [3, 1, 1, 2, 3.5]  # as it was


def test_a_relevance_level_of_an_array():
    grades = [[3, 0, 1, 2], [1, 1, 0, 0]]
    for level in (1, 2, 3, 4):
        made = Hits.from_relevance(grades).at_level(level)
        plain = np.array(grades) >= level
        assert not made.knows_n_relevant and made.n_relevant.tolist() == plain.sum(axis=1).tolist()
        for metric in (metrics.average_precision, metrics.bpref, metrics.auc, metrics.r_precision):
            np.testing.assert_array_equal(metric(made), metric(plain))
    cut = Hits.from_relevance([1, 0, 2, 3]).top(1).at_level(2)
    assert cut.n_relevant.tolist() == [2] and cut.rank.size == 0


def test_a_relevance_level_asks_for_grades_that_were_only_counted():
    counted = Hits.from_relevance([[1, 0], [0, 1]], n_relevant=[1, 3])
    assert counted.at_level(1).n_relevant.tolist() == [1, 3]
    assert from_ids((["a"], ["a", "b"])).at_level(0.5).n_relevant.tolist() == [2]
    for hits, level, message in (
        (counted, 2, "level: got 2 for query [1], where 2 of the 3 relevant items have no known grade, expected a mapping id -> grade"),
        (Hits.from_relevance([2, 0], n_relevant=2), 1, "level: got 1, where 1 of the 2 relevant items"),
        (from_ids((["a"], ["a", "b"])), 2, "level: got 2 for query [0], where 1 of the 2"),
        *((counted, bad, f"level: got {bad!r}, expected one number > 0") for bad in (0, -1, inf, nan, "2", True, None)),
    ):
        with pytest.raises(ValueError, match="^" + re.escape(message)):
            hits.at_level(level)


def test_what_a_mapping_calls_unjudged():
    hits = from_ids((["u", "a", "w", "v"], GRADES), (["a", "x"], ["a"]))
    assert hits.unjudged.row.tolist() == [0, 0] and hits.unjudged.rank.tolist() == [1, 4] and hits.unjudged.grade.tolist() == [-1, -2]
    assert hits.top(3).unjudged.rank.tolist() == [1]
    assert from_ids((["a"], ["a"])).unjudged is None and Hits.from_relevance([1]).unjudged is None


def test_judgements_that_were_looked_up():
    pairs = [(RANKED, GRADES), ([], {"a": 1}), (["b", "a"], {"a": 1, "b": 0, "u": -1})]
    by_id = from_ids(*pairs)
    named = [(q, r, grades[i]) for q, (ids, grades) in enumerate(pairs) for r, i in enumerate(ids, 1) if i in grades]
    pool = [(q, grade) for q, (_, grades) in enumerate(pairs) for grade in grades.values()]
    for order in (pool, pool[::-1]):
        row, rank, grade, pool_row, pool_grade = map(np.array, (*zip(*named), *zip(*order)))
        looked_up = {"length": np.array([5, 0, 2]), "row": row, "rank": rank, "grade": grade, "pool_row": pool_row, "pool_grade": pool_grade}
        hits = Hits.from_judged(**looked_up, query_ids=iter("abc"))
        assert hits.query_ids == hits.top(2).query_ids == hits.at_level(2).query_ids == ("a", "b", "c") and by_id.query_ids is None
        for metric in (*OF_A_RANKING.values(), metrics.bpref, metrics.ndcg):
            np.testing.assert_array_equal(metric(hits), metric(by_id))
        assert hits.graded.tolist() == [True] * 3 and hits.unjudged.rank.tolist() == by_id.unjudged.rank.tolist()
        assert all(array.flags.writeable for array in looked_up.values())
    empty = np.zeros(0, dtype=np.int64)
    none = Hits.from_judged(length=empty, row=empty, rank=empty, grade=empty, pool_row=empty, pool_grade=empty)
    assert none.shape == (0,) and none.query_ids is None and metrics.ndcg(none).shape == (0,)


# Zero over zero


def test_beta_zero_and_nothing_predicted_is_undefined():
    for zero in (0, 0.0, -0.0, Fraction(0), np.float64(0)):
        assert isnan(metrics.f_score(0, 0, 2, beta=zero)) and isnan(metrics.e_measure(0, 0, 2, beta=zero))
        np.testing.assert_array_equal(metrics.f_score([0, 0, 1], [0, 1, 1], [2, 2, 2], beta=zero), [nan, 0, 1 / 2])
        np.testing.assert_array_equal(metrics.e_measure([0, 0, 1], [0, 1, 1], [2, 2, 2], beta=zero), [nan, 1, 1 / 2])
    for tiny in (1e-200, 5e-324, Fraction(1, 10**400)):
        assert metrics.f_score(0, 0, 2, beta=tiny) == 0 and metrics.e_measure(0, 0, 2, beta=tiny) == 1
        assert metrics.f_score(1, 0, 1e300, beta=tiny) == 1 and metrics.f_score(0, 0, 1e-5, beta=tiny) == 0
    np.testing.assert_allclose(metrics.f_score(1, 0, 1e299, beta=1e-151), 1 / 1.001, rtol=1e-14)
    assert metrics.f_score_at([0, 0], 1, n_relevant=2, beta=0) == 0 and metrics.f_score_at([0], 1, beta=0) == 0


def test_geometric_mean_at_the_edges():
    for values in ([], [nan]):
        assert isnan(metrics.geometric_mean(values, undefined="skip"))
    assert isnan(metrics.geometric_mean([], undefined="raise")) and isnan(metrics.mean([], undefined=0))
    assert metrics.geometric_mean([0, inf], undefined="raise") == 0
    assert metrics.geometric_mean([0.25, inf], undefined="raise") == inf
    assert metrics.geometric_mean([nan, 1], undefined=0) == 0
    assert metrics.geometric_mean([nan, 1], undefined=0, floor=0.25) == 0.5
    assert metrics.geometric_mean([0, 1], undefined="raise", floor=0) == 0
    with np.errstate(all="raise"):
        assert metrics.geometric_mean([5e-324], undefined="raise") == 5e-324


def test_from_ranks_of_every_kind():
    assert Hits.from_ranks(np.zeros((0, 3), int), 5).shape == (0,)
    assert Hits.from_ranks([], 5).shape == () and Hits.from_ranks(np.array([], int), 5).shape == ()
    assert Hits.from_ranks([[]], 5).shape == (1,)
    for ranks in (np.array([4, 2]), (4, 2), {2, 4}, (rank for rank in (4, 2)), range(2, 5, 2)):
        hits = Hits.from_ranks(ranks, 5)
        assert hits.shape == () and hits.rank.tolist() == [2, 4]
    for ranks in (np.array([[4, 2], [1, 3]]), [np.array([4, 2]), (3, 1)], ((k for k in ks) for ks in [(4, 2), (1, 3)])):
        hits = Hits.from_ranks(ranks, [5, 4])
        assert hits.shape == (2,) and hits.rank.tolist() == [2, 4, 1, 3] and hits.row.tolist() == [0, 0, 1, 1]


def test_labels_may_be_places_of_a_list_and_actual_ones_a_set():
    case = {"predictions": [[0, 1], [1]], "actual": [{0}, {0, 1}], "k": 1}
    for name in ("precision_by_decile", "ndcg_by_decile", "positive_coverage_at", "prediction_precision_at"):
        by_list, by_mapping = (getattr(metrics, name)(**case, decile=decile) for decile in ([10, 1], {0: 10, 1: 1}))
        np.testing.assert_array_equal(by_list, by_mapping)


