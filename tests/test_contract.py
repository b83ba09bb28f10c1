"""The conventions of every function: input, shapes, undefined values, names; what `Hits` know; the rooms of the package. Errors: test_doors."""

import ast
import copy
import inspect
import pickle
import re
import sys
import typing
from fractions import Fraction
from functools import partial
from importlib import import_module
from itertools import product
from math import inf, isnan, log2, nan
from operator import attrgetter
from pathlib import Path
from pkgutil import walk_packages
from types import MappingProxyType

import numpy as np
import pandas as pd
import pytest
from hypothesis import given as of_any, settings, strategies as st
from importlinter.cli import lint_imports
from test_doors import DOORS

import metrics
from metrics import Hits
from metrics.library.set_994 import StoredRanks
from metrics.names.sheet import RECORDS
from metrics.trec.lines import Lines

WORKED = [0, 1, 0, 1, 1, 0]

# What the metrics of a ranking are called with, besides the ranking: a value for each parameter that one of them must have.
GIVEN = {"k": 3, "level": 0.5, "denominator": "ideal"} | {key: values[-1] for its in RECORDS.values() for key, values in its.tried.items()}


def of_a_ranking(name):
    """The function as one of a ranking, handed what it takes of `GIVEN` and of the options."""
    function, parameters = getattr(metrics, name), inspect.signature(getattr(metrics, name)).parameters
    needed = {p.name for p in parameters.values() if p.default is p.empty} - {"relevance"} - GIVEN.keys()
    assert not needed, f"say in `tried` of its record values of {', '.join(sorted(needed))}, which metrics.{name} needs"
    return lambda ranking, **options: function(ranking, **{key: value for key, value in (GIVEN | options).items() if key in parameters})


OF_ALL = {name: inspect.signature(getattr(metrics, name)) for name in metrics.MODULE_OF}
OF_A_RANKING = {name: of_a_ranking(name) for name, its in OF_ALL.items() if "relevance" in its.parameters and its.return_annotation in ("Values", "Floats")}
every_metric = pytest.mark.parametrize("metric", OF_A_RANKING.values(), ids=OF_A_RANKING.keys())


@pytest.mark.check
@every_metric
def test_batches_of_any_leading_shape(metric):
    batch = np.random.default_rng(0).integers(0, 2, (3, 2, 5))
    one_by_one = [[metric(r) for r in rows] for rows in batch.tolist()]
    np.testing.assert_allclose(metric(batch), one_by_one, rtol=0, atol=1e-15)
    assert metric(WORKED).dtype == np.float64 and isinstance(metric(WORKED), np.float64) == (np.ndim(metric(WORKED)) == 0)
    for shape in [(0, 5), (2, 0, 5), (3, 0), (0, 0), (0,)]:
        value = metric(np.zeros(shape))
        is_curve = np.shape(metric(WORKED)) == (6,)
        assert np.shape(value) == (shape if is_curve else shape[:-1])


@pytest.mark.check
@every_metric
def test_input_of_every_kind(metric):
    rows = [[0, 1, 0, 1, 1, 0, 0, 0, 1], [0, 0, 0, 0, 0, 0, 0, 1, 0], [0] * 9]
    expected = metric(rows)
    kinds = [np.array(rows, dtype) for dtype in ("u1", "?", "i1", "i8", "u8", "f2", "f4", "f8", ">f8", ">i4", "g")]
    kinds += [np.asfortranarray(kinds[0]), np.repeat(kinds[3], 2, axis=1)[:, ::2], tuple(map(tuple, rows)), Hits.from_relevance(rows)]
    kinds += [Hits.from_ranks([[2, 5, 4, 9], [8], []], 9), -0.0 + np.array(rows, float) * 1.0]
    for given in kinds:
        np.testing.assert_array_equal(metric(given), expected)


def test_n_relevant_of_every_kind_and_below_the_hits():
    batch = [[1, 0, 1], [0, 1, 1]]
    for given in (4, 4.0, np.int8(4), np.uint64(4), np.float16(4), [4, 4], (4.0, 4.0), np.full(2, 4, np.float16), np.array(4)):
        np.testing.assert_array_equal(metrics.average_precision(batch, given), metrics.average_precision(batch) / 2)
    for name, metric in OF_A_RANKING.items():
        if name != "ndcg" and not np.array_equal(metric(WORKED, n_relevant=9), metric(WORKED), equal_nan=True):
            with pytest.raises(ValueError, match=r"^n_relevant: got 1 for query \[1\], expected at least the 2 relevant items"):
                metric(batch, n_relevant=[2, 1])


def test_large_or_odd_numbers_give_values_and_no_warning():
    assert metrics.average_precision([2**70, 0, Fraction(1, 2)]) == metrics.average_precision([1, 0, 1])
    assert metrics.dcg([1e300]) == 1e300 and metrics.precision(1e300, 0) == 1
    assert metrics.f_score(1, 1, 1, beta=1e200) == metrics.f_score_at([1, 0, 1], 2, beta=1e200) == 0.5
    assert metrics.weighted_harmonic_mean(nan, 0, 0.5) == 0 and isnan(metrics.weighted_harmonic_mean(nan, 1, 0.5))
    assert metrics.rank_at_recall([1] * 300, np.int8(1)) == 300
    assert metrics.expected_reciprocal_rank([0, 0], 0) == metrics.expected_reciprocal_rank([0], 0.5) == 0
    assert metrics.frequency_deciles([2**53 + 1, 2**53]).tolist() == [6, 1]
    assert metrics.mean([Fraction(1, 2), 1], undefined="raise") == 0.75
    for dtype in ("f2", "f4", "u1", "i8", "g"):
        assert metrics.precision(np.array([1, 3], dtype), np.array([1, 1], dtype)).tolist() == [0.5, 0.75]
    assert metrics.precision([], []).shape == metrics.f_score([], 1, 1).shape == (0,)
    assert all(type(value) is int for value in metrics.confusion(predicted={"a", "b"}, actual=frozenset("b"), universe_size=2))


def test_what_the_metrics_share_cannot_be_changed():
    hits = Hits.from_relevance([[0, 1], [1, 1]])
    for name in ("row", "rank", "grade", "ordinal", "count", "start", "n_relevant"):
        with pytest.raises(ValueError, match="read-only"):
            getattr(hits, name)[0] = 9
    tied = Hits.from_scores(scores=[1, 1, 2], labels=[1, 0, 1], ties="mean")
    for made in (hits, hits.top(1), copy.deepcopy(hits), pickle.loads(pickle.dumps(hits)), tied, hits.ideal):
        for change in (partial(setattr, made, "query_ids", ("q",)), partial(setattr, made, "new", 1), partial(delattr, made, "row")):
            with pytest.raises(AttributeError, match="Hits cannot be changed"):
                change()
        with pytest.raises(ValueError, match="read-only"):
            made.grade[0] = 9
    assert StoredRanks.__dataclass_params__.frozen and Lines.__dataclass_params__.frozen


def test_every_level_j_over_r_is_exact_or_meant():
    for n_relevant in (1, 3, 7, 10, 49, 100, 199):
        ideal = Hits.from_ranks(range(1, n_relevant + 1), n_relevant)
        for j in range(1, n_relevant + 1):
            levels = {Fraction(j, n_relevant), j / n_relevant, 1 - (n_relevant - j) / n_relevant, min(j * (1 / n_relevant), 1)}
            assert all(metrics.rank_at_recall(ideal, level) == j for level in levels)
    for level, rank in ((0.6, 3), (0.6 + 1e-8, 4), (Fraction(6, 10) + Fraction(1, 10**12), 4), (np.array(0.6), 3)):
        assert metrics.rank_at_recall([1] * 5, level) == rank
    assert metrics.rank_at_recall([1], 1e-9) == 0 and metrics.rank_at_recall([1], 1.1e-9) == metrics.r_precision_at([1], 1e-10) == 1


@pytest.mark.check
def test_public_names_are_explained_and_tools_see_them():
    assert set(metrics.__all__) <= set(dir(metrics)) and all(getattr(metrics, name).__doc__ for name in metrics.__all__)
    assert not set(metrics.MODULES) & set(metrics.__all__)
    with pytest.raises(AttributeError, match="no attribute 'precison_at'"):
        _ = metrics.precison_at
    nodes = [node for node in ast.parse(Path(metrics.__file__).with_suffix(".pyi").read_text()).body if isinstance(node, ast.ImportFrom)]
    whole = {node.module for node in nodes if node.names[0].name == "*"}
    assert whole == set(metrics.MODULES), "metrics/__init__.pyi: from .module import *"
    assert {alias.asname for node in nodes for alias in node.names} - {None} == set(metrics.NAMESPACES)
    for its in RECORDS.values():
        assert its.function.__name__ in sys.modules[its.function.__module__].__all__, f"{its.function.__module__}: add {its.function.__name__} to __all__"
    for module in metrics.MODULES:
        made = import_module(f"metrics.{module}")
        assert made.__all__ == [name for name, home in metrics.MODULE_OF.items() if home == module]
        functions = {name: value for name, value in vars(made).items() if inspect.isfunction(value) and name[0] != "_"}
        unnamed = [name for name, value in functions.items() if "Source: " in (value.__doc__ or "") and name not in metrics.MODULE_OF]
        assert not unnamed, f"{module}.py: add {', '.join(unnamed)} to __all__"


@pytest.mark.check
def test_no_module_has_the_name_of_what_a_package_exports():
    """Else an import of the module puts it in the place of the function."""
    modules = [each.name for each in walk_packages(metrics.__path__, "metrics.") if "__main__" not in each.name]
    for package, _, name in (module.rpartition(".") for module in modules):
        exported = {} if package == "metrics" else vars(import_module(package))
        of_a_page = package == "metrics.course.chapters"  # whose modules are called as their pages are
        assert of_a_page or name not in metrics.MODULE_OF, f"rename {package}.{name}: a function has its name"
        assert inspect.ismodule(exported.get(name, metrics)), f"rename {package}.{name}: its package exports another thing of this name"


@pytest.mark.parametrize("name", ["claims", "definitions", "predictors"])
def test_a_namespace_is_the_same_object_however_it_is_imported(name):
    assert import_module(f"metrics.{name}") is getattr(metrics, name) is import_module(getattr(metrics, name).__name__)


FUNCTIONS = {name: function for name, function, _ in DOORS if not re.match("Hits|Total|LogTotal", name)}


@pytest.mark.check
def test_every_public_function_says_itself_what_it_needs():
    for name, function in FUNCTIONS.items():
        text = function.__doc__ or ""
        missing = [word for word in ("Returns ", "Raises ValueError", "Source: ", ">>>") if word not in text]
        assert not missing, f"the docstring of {name} lacks {', '.join(missing)}"
        assert text.split("\n")[0].endswith((".", ":")), f"the first line of the docstring of {name} is no sentence"
        for other in re.findall(r"as (?:in )?\s*`(\w+)`", text):
            assert hasattr(sys.modules[function.__module__], other), f"{name} sends the reader to {other}"
        for its in (its for its in RECORDS.values() if its.path == name):
            assert re.search(rf"\n    See also: {re.escape(its.see)}\.\n" + f"    When not to use: {re.escape(its.not_for)}\\.\n" * bool(its.not_for), text)
            assert all(attrgetter(other)(metrics) for other in its.see.split(", "))
        parameters = inspect.signature(function).parameters
        assert typing.get_type_hints(function).keys() == {*parameters, "return"}, f"annotate {name}"
        for parameter in parameters:
            assert re.search(rf"\b{parameter}\b[^:\n]*: ", text), f"{name} does not say what {parameter} is"
    methods = [method for name, method in vars(Hits).items() if name[0] != "_" and inspect.isroutine(method)]
    assert all(method.__doc__ for method in methods) and Hits.__doc__


# Grades by id


@pytest.mark.parametrize("call, names", [
    (Hits.from_ids, "rankings=..., relevant=..."), (Hits.from_scores, "scores=..., labels=..., ties=..."),
    (metrics.from_columns, "query_id=..., label=..., score=..."), (partial(metrics.rank_biased_overlap, [1]), "persistence=..."),
])  # fmt: skip
def test_an_argument_without_a_name_is_told_its_names(call, names):
    with pytest.raises(TypeError, match=f"^{getattr(call, 'func', call).__name__} takes its arguments by name: {re.escape(names)}$"):
        call([1], [1])


@pytest.mark.parametrize("given, named", [(({}, {}, "AP"), {}), ((), {"runs": {}, "measures": "AP", "qrels": {}})])
def test_a_call_of_evaluate_with_other_arguments_is_told_its_own(given, named):
    with pytest.raises(TypeError, match=r"; here it is evaluate\(relevance, measures\), or evaluate\(runs, measures, qrels=qrels\) of dictionaries by query$"):
        metrics.evaluate(*given, **named)


def from_ids(*pairs):
    rankings, relevant = zip(*pairs)
    return Hits.from_ids(rankings=rankings, relevant=relevant)


IDS = st.sampled_from("abcdxyz")
QUERIES = st.tuples(st.lists(IDS, unique=True), st.one_of(st.sets(IDS), st.dictionaries(IDS, st.integers(-2, 3))))


def at_level(relevant, level):
    """What counts as relevant, in a mapping, at a level; at most 1 beside collections."""
    return {item: grade if grade >= level or grade < 0 else 0 for item, grade in relevant.items()} if isinstance(relevant, dict) else relevant


@settings(max_examples=25)
@of_any(st.lists(QUERIES, min_size=1, max_size=4), st.integers(1, 7), st.sampled_from([0.5, 1, 2, Fraction(5, 2), 3, 4]))
def test_a_batch_is_its_queries_a_cut_shorter_lists_and_a_level_a_mapping_without_the_lower_grades(queries, k, level):
    level = level if all(isinstance(relevant, dict) for _, relevant in queries) else min(level, 1)
    hits, cut = from_ids(*queries), from_ids(*((ids[:k], relevant) for ids, relevant in queries))
    high = from_ids(*((ids, at_level(relevant, level)) for ids, relevant in queries))
    both = from_ids(*((ids[:k], at_level(relevant, level)) for ids, relevant in queries))
    made = [(hits.top(k), cut), (hits.top(k + 1).top(k), cut), (hits.at_level(level), high), (hits.top(k).at_level(level), both)]
    made += [(hits.at_level(level).top(k), both), (hits.top(2**70), hits)]
    for name in "average_precision ndcg expected_reciprocal_rank bpref auc full_recall f_score_at judged_at inferred_average_precision".split():
        metric = OF_A_RANKING[name]
        for ours, theirs in made:
            np.testing.assert_array_equal(metric(ours), metric(theirs), err_msg=name)
        np.testing.assert_allclose(metric(hits), [metric(from_ids(query))[0] for query in queries], rtol=0, atol=1e-15, err_msg=name)
    for ours, theirs in made:
        for one, other in ((ours, theirs), (ours.unjudged, theirs.unjudged)):
            for part in ("length", "row", "rank", "grade", "n_relevant") if one is not None else ():
                np.testing.assert_array_equal(getattr(one, part), getattr(other, part))
        assert (ours.unjudged is None) == (theirs.unjudged is None)


def test_ids_and_grades_of_every_kind():
    for one, zero in ((True, False), (np.bool_(True), np.bool_(False)), (np.int8(1), np.uint8(0)), (1.0, -0.0), (Fraction(1), Fraction(0))):
        hits = from_ids((["a", "b", "x"], MappingProxyType({"a": one, "b": one, "x": zero})))
        assert (hits.rank.tolist(), hits.grade.tolist(), hits.irrelevant.rank.tolist()) == ([1, 2], [1, 1], [3])
    for ranking, relevant in ((iter("xa"), iter("ab")), (np.array(["x", "a"]), np.array(["a", "b"])), (dict.fromkeys("xa").keys(), frozenset("ab"))):
        hits = Hits.from_ids(rankings=iter([ranking]), relevant=iter([relevant]))
        assert (hits.rank.tolist(), hits.length.tolist(), hits.n_relevant.tolist()) == ([2], [2], [2])


def test_an_n_relevant_that_contradicts_a_mapping():
    hits = from_ids((["a"], {"a", "b"}), (["a", "x"], {"a": 1, "b": 1, "x": 0}), (["a"], {"a": 1}))
    for name in "recall_at average_precision r_precision bpref full_recall f_score_at ndcg".split():
        metric = OF_A_RANKING[name]
        np.testing.assert_array_equal(metric(hits, n_relevant=[2, 2, 1]), metric(hits))
        for wrong, made in product(([2, 3, 1], [2, 1, 2], 2), (hits, hits.top(1))):
            with pytest.raises(ValueError, match=r"^n_relevant: got \d for query \[[12]\], expected the [12] grades above 0 of the mapping"):
                metric(made, n_relevant=wrong)
        assert metric(hits, n_relevant=[5, 2, 1])[0] <= metric(hits)[0] or name == "full_recall"


# nDCG knows what was not ranked


@pytest.mark.parametrize("k", [None, 1, 2, 50])
@pytest.mark.parametrize("gain", ["linear", "exponential"])
def test_ndcg_asks_for_the_ideal_where_grades_are_unknown(k, gain):
    given = {"k": k, "gain": gain, "n_relevant": 4}
    for call in (
        lambda **more: metrics.ndcg([3, 0, 1], **given, **more),
        lambda **more: metrics.ndcg(Hits.from_relevance([3, 0, 1], n_relevant=4), k, gain, **more),
        lambda **more: metrics.ndcg([0.5, 1, 1], **given, **more),
        lambda **more: metrics.ties.ndcg([3, 0, 1], scores=[3, 2, 1], **given, **more),
        lambda **more: metrics.definitions.ndcg([3, 0, 1], **given, **more),
    ):
        with pytest.raises(ValueError, match="^ideal: got none.*expected all grades of the universe"):
            call()
        assert 0 < call(ideal=[4, 3, 2, 1]) < 1
    with pytest.raises(ValueError, match=r"^ideal: got none for query \[2\], although not all of the 2 relevant"):
        metrics.ndcg(Hits.from_relevance([[1, 0], [2, 0], [3, 0], [0, 0]], n_relevant=[2, 1, 2, 1]), k, gain)


def test_ndcg_is_never_above_one():
    grades = np.random.default_rng(3).random((3000, 6))
    best = -np.sort(-grades)
    for ideal, n_relevant in ((None, None), (best, None), (best[:, ::-1], 9)):
        assert metrics.ndcg(best, ideal=ideal, n_relevant=n_relevant).max() == 1
    assert metrics.ndcg([1] * 7, n_relevant=7) == 1 and metrics.ndcg(np.ones(100_001), n_relevant=100_001) == 1
    assert (metrics.ndcg([0.1] * 3), metrics.ndcg([1.0, np.nextafter(1, 2)])) <= (1, 1)
    assert metrics.ties.ndcg([0.1] * 3, scores=[1] * 3) == 1 and metrics.ties.ndcg(grades, scores=np.ones_like(grades)).max() <= 1


def test_ndcg_needs_no_memory_for_what_is_missing():
    for hits in (Hits.from_relevance([1, 0, 1], n_relevant=2**40), Hits.from_ranks([1, 3], 3, 2**53)):
        assert 0 < metrics.ndcg(hits) < metrics.ndcg(hits, 2**20) < metrics.ndcg(hits, 3) < 1
    assert 0 < metrics.ties.ndcg([1, 0], scores=[1, 1], n_relevant=2**53) < 1e-10
    assert metrics.definitions.ndcg([1, 0], 1, n_relevant=2**53) == 1


def test_discounts_beyond_the_table_and_their_sum():
    exact = np.cumsum(1 / np.log2(np.arange(2, 300_002)))
    for total in (1, 2, 99_999, 100_000, 100_001, 150_000, 300_000):
        np.testing.assert_allclose(metrics.ndcg([1], n_relevant=total), 1 / exact[total - 1], rtol=1e-13)
    # ln 2 (li(2^40) - li(2^20)), with half the ends and a twelfth of the slopes, by mpmath.
    between = 1 / metrics.ndcg([1], n_relevant=2**40 - 1) - 1 / metrics.ndcg([1], n_relevant=2**20 - 1)
    np.testing.assert_allclose(between, 28559776761.968703, rtol=1e-12)
    ranks = [1, 99_999, 100_000, 100_001, 200_000]
    for these, length in ((ranks, 200_000), (ranks, 2**40), ([100_000], 100_000)):
        expected = sum(1 / log2(rank + 1) for rank in these)
        np.testing.assert_allclose(metrics.dcg(Hits.from_ranks(these, length)), expected, rtol=1e-14)


# A ranking cut at a rank, or at a relevance level


def test_an_array_is_cut_as_ids_are():
    for grades, k, level in product(product(range(4), repeat=3), (1, 2, 9), (1, 2, 4)):
        array, by_id = Hits.from_relevance([grades]), from_ids((range(3), dict(enumerate(grades))))
        for metric in (metrics.average_precision, metrics.ndcg, metrics.auc, metrics.r_precision):
            for cut in (lambda hits: hits.top(k), lambda hits: hits.at_level(level), lambda hits: hits.top(k).at_level(level)):
                np.testing.assert_array_equal(metric(cut(array)), metric(cut(by_id)))
    cut = Hits.from_relevance([[[0, 1, 1]], [[1, 0, 1]]]).top(2)
    assert cut.shape == (2, 1) and not Hits.from_relevance([1, 0]).at_level(1).knows_n_relevant
    assert metrics.bpref(Hits.from_relevance([1, 0, 1, 0]).top(3)) == metrics.bpref(Hits.from_relevance([1, 0, 1, 0]).at_level(1).top(3)) == 1 / 2
    assert Hits.from_relevance(np.zeros((2, 0))).top(3).length.tolist() == [0, 0]


def test_a_relevance_level_asks_for_grades_that_were_only_counted():
    counted = Hits.from_relevance([[1, 0], [0, 1]], n_relevant=[1, 3])
    assert counted.at_level(1).n_relevant.tolist() == [1, 3]
    assert from_ids((["a"], ["a", "b"])).at_level(0.5).n_relevant.tolist() == [2]
    for hits, level, message in (
        (counted, 2, "level: got 2 for query [1], although 2 of the 3 relevant items have no known grade, expected a mapping id -> grade"),
        (Hits.from_relevance([2, 0], n_relevant=2), 1, "level: got 1, although 1 of the 2 relevant items"),
        (from_ids((["a"], ["a", "b"])), 2, "level: got 2 for query [0], although 1 of the 2"),
        *((counted, bad, f"level: got {bad!r}, expected one number > 0") for bad in (0, -1, inf, nan, "2", True, None)),
    ):
        with pytest.raises(ValueError, match="^" + re.escape(message)):
            hits.at_level(level)


# Zero over zero


def test_a_beta_near_zero():
    for tiny in (1e-200, 5e-324, Fraction(1, 10**400)):
        assert metrics.f_score(0, 0, 2, beta=tiny) == 0 and metrics.e_measure(0, 0, 2, beta=tiny) == 1
        assert metrics.f_score(1, 0, 1e300, beta=tiny) == 1 and metrics.f_score(0, 0, 1e-5, beta=tiny) == 0
    np.testing.assert_allclose(metrics.f_score(1, 0, 1e299, beta=1e-151), 1 / 1.001, rtol=1e-14)


@pytest.mark.parametrize("values, given, expected", [
    ([nan], {"undefined": "skip"}, nan), ([], {"undefined": "raise"}, nan), ([0, inf], {"undefined": "raise"}, 0), ([0.25, inf], {"undefined": "raise"}, inf),
    ([nan, 1], {"undefined": 0, "floor": 0.25}, 0.5), ([0, 1], {"undefined": "raise", "floor": 0}, 0), ([5e-324], {"undefined": "raise"}, 5e-324),
])  # fmt: skip
def test_geometric_mean_at_the_edges(values, given, expected):
    with np.errstate(all="raise"):
        np.testing.assert_array_equal(metrics.geometric_mean(values, **given), expected)


def test_from_ranks_of_every_kind():
    for ranks, shape in ((np.zeros((0, 3), int), (0,)), ([], ()), (np.array([], int), ()), ([[]], (1,))):
        assert Hits.from_ranks(ranks, 5).shape == shape
    for ranks in (np.array([4, 2]), (4, 2), {2, 4}, iter((4, 2)), range(2, 5, 2)):
        assert Hits.from_ranks(ranks, 5).rank.tolist() == [2, 4]
    for ranks in (np.array([[4, 2], [1, 3]]), [np.array([4, 2]), (3, 1)], map(iter, [(4, 2), (1, 3)])):
        hits = Hits.from_ranks(ranks, [5, 4])
        assert hits.shape == (2,) and hits.rank.tolist() == [2, 4, 1, 3] and hits.row.tolist() == [0, 0, 1, 1]


def test_labels_may_be_places_of_a_list_and_actual_ones_a_set():
    case = {"predictions": [[0, 1], [1]], "actual": [{0}, {0, 1}], "k": 1}
    for name in ("precision_by_decile", "ndcg_by_decile", "positive_coverage_at", "prediction_precision_at"):
        by_list, *others = (getattr(metrics, name)(**case, decile=decile) for decile in ([10, 1], {0: 10, 1: 1}, pd.Series([1, 10], index=[1, 0])))
        np.testing.assert_array_equal([by_list, by_list], others)


HOME = Path(metrics.__file__).parent
LONG = 450  # lines, from which on the first line of a module says why


@pytest.mark.check
def test_every_arrow_points_down(monkeypatch):
    monkeypatch.chdir(HOME.parent)
    monkeypatch.setattr(sys, "path", [str(HOME.parent), *sys.path])
    assert lint_imports(no_cache=True) == 0


@pytest.mark.check
def test_a_long_module_says_why():
    lines = {path: path.read_text(encoding="utf-8").splitlines() for path in HOME.rglob("*.py")}
    silent = [str(path) for path, text in lines.items() if len(text) > LONG and "long" not in text[0].lower()]
    assert not silent


def test_numbers_of_the_machines_size_are_made_in_one_place():
    """Where NumPy counts in 32 bits, as in a browser, these refuse numbers of 64; `_base/arrays.py` has those that take them."""
    package = Path(metrics.__file__).parent
    paths = [path for path in package.rglob("*.py") if path.name != "arrays.py" and path.parent.name != "library"]
    assert len(paths) > 80
    found = [f"{path.relative_to(package)}: {call}" for path in paths
             for call in re.findall(r"(?<!them, )np\.(?:repeat|bincount)\(", path.read_text(encoding="utf-8"))]
    assert not found, "take repeat, rows or bincount of _base/arrays.py"
