"""Whatever a public function is handed, it gives a value or a ValueError that names the argument, what was given and what is expected: no other error."""

import inspect
import re
import typing
from collections.abc import Hashable, Iterator
from datetime import date
from decimal import Decimal
from fractions import Fraction
from math import inf, nan

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import example, given, settings, strategies as st
from test_definitions import words_of

import metrics
from metrics import Hits, LogTotal, Total, premise_selection
from metrics.names import trec_names
from metrics.names.sheet import RECORDS
from metrics.notebook import source

HITS = Hits.from_ids(rankings=[["x", "a"], ["b", "y"]], relevant=[{"a": 1, "x": 0}, {"b": 2}])
RUN = pd.DataFrame({"query": ["q", "q", "r"], "item": ["a", "b", "a"], "score": [1.0, 2.0, 3.0]})
QRELS = pd.DataFrame({"query": ["q", "r"], "item": ["a", "b"], "grade": [1, 2]})

# What every function takes, by the name of the parameter; and what some take of their own.
GOOD = {
    "a": [0.1, 0.2, 0.3, 0.4], "actual": ["a", "c"], "aggregate": "mean", "alpha": 0.5, "b": [0.2, 0.2, 0.1, 0.1], "beta": 2, "confidence": 0.9,
    "catalogue": ["a", "b", "c"], "correction": "holm", "counts": [1, 2, 3], "decile": {"a": 10, "b": 1}, "denominator": "ideal", "depth": 1,
    "equal": "labels", "floor": 0.1, "fn": [2, 0], "fp": [1, 1], "fpr": 0.125,
    "gain": "linear", "grade": "grade", "group": {"a": 1, "b": 2}, "groups": list("ssrr"),
    "ideal": [2, 1, 1, 1, 0], "intents": [[["a"], {"a": 1, "b": 2}]], "item": "item", "judged": [1, 1, 0, 1], "judged_only": True, "k": 2, "kind": "minimum",
    "labels": [1, 0, 1, 0], "length": 4,
    "level": 0.5, "lower_is_better": False, "max_grade": 3, "measures": "AP P@2", "missing": "raise", "passages": "#",
    "label": [1, 0, 0, 2], "of": "topics", "query_id": list("qqrr"),
    "multiple": 0.5, "n": 2, "n_instances": 9, "n_irrelevant": 9, "n_relevant": 3, "normalised": True, "other": Total.of([3]), "persistence": 0.8,
    "precision": 0.5, "predicted": ["a", "b"], "predictions": [["a", "b"]], "propensity": {"a": 0.5, "b": 0.25, "c": 1}, "qrels": QRELS, "query": "query",
    "rankings": [["a", "b"]], "ranks": [1, 3], "recall": 0.5, "reference": [4, 3, 2, 1], "relevance": [1, 0, 1, 0], "relevance_level": 1,
    "relevant": [["a"]], "required": ["a"],
    "resamples": 50, "run": RUN, "runs": {"x": [0.1, 0.2, 0.3, 0.4], "y": [0.2, 0.2, 0.1, 0.1]}, "score": "score", "scores": [3, 2, 2, 1],
    "coins": [0, 1], "continuation": [0.5, 0.25, 0], "first": ["a", "b"], "second": ["b", "a"], "seed": 1, "seen": [0.25, 0.5],
    "suggestions": ["a", "b"], "test": "randomisation", "ties": "stable", "tn": [1, 1], "top": 5, "topics": ["q", "r"], "tp": [3, 2], "tpr": 0.75,
    "undefined": 0,
    "ungrouped": "skip", "universe_size": 9, "unreached": 9, "values": [0.5, 1], "variant": "a", "weights": (1, -1, 0, 0),
}  # fmt: skip
GOOD = {key: values[-1] for its in RECORDS.values() for key, values in its.tried.items()} | GOOD
OF_ITS_OWN = {
    "ap_correlation": {"other": [0.3, 0.4, 0.2, 0.1]},
    "rank_biased_overlap": {"a": ["a", {"b", "c"}], "b": ["b", "a", "d"]},
    "accuracy_at": {"universe_size": None},
    "evaluate": {"relevance": [[1, 0], [0, 1]], "groups": ["x", "y"], "qrels": None, "passages": None, "judged_only": False},
    "novelty_at": {"counts": {"a": 1, "b": 2}},
    "propensities": {"a": 0.55, "b": 1.5},
    "from_columns": {"score": [1, 2, 2, 1]},
    "LogTotal.merge": {"other": LogTotal.of([3])},
    "LogTotal.per": {"other": LogTotal.of([3])},
}
ALSO_NAMED = {"ideal", "level"}  # by functions that hand on what they were given


def doors():
    """Every public function, and every public method of a class that says what it raises, with what it takes."""
    functions = {name: getattr(metrics, name) for name in metrics.MODULE_OF}
    for module in (premise_selection, metrics.ties):
        functions |= {f"{module.__name__[8:]}.{name}": getattr(module, name) for name in module.__all__}
    for made in (HITS, Total.of([1]), LogTotal.of([1])):
        kind = type(functions.pop(type(made).__name__) and made)
        names = [name for name in dir(kind) if name[0] != "_" and "Raises ValueError" in (getattr(kind, name).__doc__ or "")]
        functions |= {f"{kind.__name__}.{name}": getattr(made, name) for name in names}
    for name, function in functions.items():
        parameters = inspect.signature(function).parameters
        missing = parameters.keys() - GOOD.keys()
        assert not missing, f"say in `tried` of a record, or in GOOD, a value of {', '.join(sorted(missing))}, which {name} takes"
        by_instance = {"actual": [["a"]]} if {"predictions", "actual"} <= parameters.keys() else {}
        yield name, function, {key: GOOD[key] for key in parameters} | by_instance | OF_ITS_OWN.get(name, {})


DOORS = list(doors())

# What nobody takes, wherever it is handed over.
REFUSED = {
    "text": lambda: "ab", "bytes": lambda: b"ab", "text without axes": lambda: np.array("ab"), "None without axes": lambda: np.array(None),
    "ragged": lambda: [[1, 0], [1]], "complex": lambda: 1j, "Decimal": lambda: Decimal("0.5"), "date": lambda: date(2020, 1, 1),
    "timedelta": lambda: np.timedelta64(1, "D"), "object": object, "2^1329": lambda: 10**400, "-2^1329": lambda: -(10**400),
    "a large fraction": lambda: Fraction(10**400, 3), "unhashable": lambda: [{"a"}, ["b"]], "a mapping to arrays": lambda: {"a": np.array([1, 0])},
    "masked": lambda: np.ma.array([1, 0, 1, 0], mask=[1, 0, 0, 0]), "masked rows": lambda: [np.ma.array([1, 0, 1, 0], mask=[1, 0, 0, 0])],
    "masked matrix": lambda: np.ma.array([[1, 0], [0, 1]], mask=[[1, 0], [0, 0]]), "masked without axes": lambda: np.ma.array(2, mask=True),
    "masked within": lambda: [[np.ma.masked, 1, 0, 0]], "columns of one name": lambda: pd.concat([RUN, RUN], axis=1),
    **{f"a column of lists of {kind.__module__}": lambda kind=kind: kind({"query": ["q"], "item": [["a"]], "score": [1.0]})
       for kind in (pd.DataFrame, pl.DataFrame)},
}  # fmt: skip
# What somebody may take.
ODD = {
    "None": lambda: None, "True": lambda: np.bool_(True), "a": lambda: np.str_("a"), "-1": lambda: -1, "1": lambda: np.array(1),
    "10^19": lambda: 10**19, "10^30": lambda: 10**30, "2^64 - 1": lambda: np.uint64(2**64 - 1), "a small fraction": lambda: Fraction(1, 10**400),
    "nan": lambda: nan, "inf": lambda: inf, "beyond floats": lambda: np.longdouble("1e4000"), "hits": lambda: HITS,
    "long doubles": lambda: np.array([1, 0, 1, 0]) * np.longdouble("1e4000"), "structured": lambda: np.zeros(2, dtype=[("a", "i4")]),
    "numbers of pandas": lambda: pd.Series([1, None, 1, 0], dtype="Int64"), "numbers of Polars": lambda: pl.Series([1, 0, 1, 0]),
    "text of Polars": lambda: pl.Series(["2"]).cast(pl.Categorical), "one of Polars": lambda: pl.Series([1]),
    "table": lambda: RUN, "table of Polars": lambda: pl.DataFrame({"a": [1, 0]}),
}  # fmt: skip
LEAVES = REFUSED | ODD
HOLDS = {
    "list": list,
    "tuple": tuple,
    "set": lambda items: {item for item in items if isinstance(item, Hashable)},
    "iterator": iter,
    "dict": lambda items: dict(enumerate(items)),
    "grades": lambda items: dict.fromkeys("abc", *items[:1]),
    "array": lambda items: np.array([*items, None], dtype=object)[:-1],
}


def made(of):
    """The value of a leaf, or what holds some."""
    if isinstance(of, str):
        return LEAVES[of]()
    holder, parts = of
    try:
        return HOLDS[holder](list(map(made, parts)))
    except (TypeError, ValueError):  # NumPy and sets do not hold everything
        return list(map(made, parts))


@pytest.mark.parametrize("name, function, given", DOORS, ids=[name for name, *_ in DOORS])
def test_the_words_of_a_type_are_those_that_are_taken(name, function, given):
    types = typing.get_type_hints(function)
    for parameter in given.keys() & {"aggregate", "correction", "denominator", "equal", "gain", "test", "ties", "undefined", "ungrouped"}:
        with pytest.raises(ValueError, match=f"^{parameter}: got 'nothing'") as error:
            function(**given | {parameter: "nothing"})
        assert words_of(types[parameter]) == set(re.findall(r"""['"](\w+)['"]""", str(error.value).partition(", expected ")[2])), parameter


def wrong(name, function, given, key, expected=None):
    """What is wrong with the answer of a function, or nothing; `expected` is what the message says, where there has to be one."""
    try:
        value = function(**given)
    except ValueError as error:
        named = re.match(rf"(\w+)[\w\[\], ']*: got .*, expected .*({expected or ''})", str(error), re.DOTALL)
        if named and named[1] in inspect.signature(function).parameters.keys() | ALSO_NAMED:
            return []
        return [f"{name}({key}=...): {error!r} names no argument, or expects something else"]
    except Exception as error:
        return [f"{name}({key}=...): {error!r}"]
    return [] if expected is None else [f"{name}({key}=...) is {value!r}"]


def with_each_example(test):
    for leaf in LEAVES:
        test = example(leaf)(test)
    return test


def state(values):
    return repr(values), getattr(getattr(values, "flags", None), "writeable", None)


@settings(max_examples=20)
@given(st.recursive(st.sampled_from(list(LEAVES)), lambda inner: st.tuples(st.sampled_from(list(HOLDS)), st.lists(inner, max_size=3)), max_leaves=4))
@with_each_example
def test_every_door_is_a_value_or_names_the_argument(odd):
    before, value = state(GOOD), made(odd)
    as_it_was = state(value)
    found = []
    for name, function, good in DOORS:
        for key in good:
            value = made(odd) if isinstance(value, Iterator) else value
            found += wrong(name, function, good | {key: value}, key, "" if isinstance(odd, str) and odd in REFUSED else None)
    assert not found, f"{len(found)} doors, such as:\n" + "\n".join(found[:10])
    assert state(GOOD) == before and (isinstance(value, Iterator) or state(value) == as_it_was)


@pytest.mark.check
def test_every_function_takes_what_is_good_and_writes_to_none_of_it():
    for _, function, good in DOORS:
        function(**good)
        arrays = {key: np.array(value) for key, value in good.items() if isinstance(value, list) and not isinstance(value[0], (str, list))}
        for array in arrays.values():
            array.setflags(write=False)
        function(**good | arrays)


CUTOFFS = {"k", "n", "top"}
WHOLE, ONE, EACH = "whole numbers >= 0", "one number that is finite and >= 0", "finite numbers >= 0"
# What is expected, and what is not that.
OUT_OF_RANGE = dict.fromkeys(CUTOFFS, ("one whole number >= 1", 0, -3, 5.0, 2.5, True, np.bool_(True), "3", nan, [3], np.array([3, 4]))) | {
    "aggregate": ("'median' or 'mean'", "mode"), "alpha": (r"one number in \[0, 1\]", -0.1, 2, nan), "beta": (ONE, -1, inf, nan, [1]),
    "confidence": (r"one number in \(0, 1\)", 0, 1, nan), "counts": (f"{EACH}|one list", [-1], [nan], [[1]]),
    "denominator": ("'retrieved' or 'relevant' or", "R"), "floor": (ONE, -1, inf, nan), "fp": (EACH, -1, nan, inf, 1e308),
    "gain": ("'linear' or 'exponential'", "log"), "ideal": ("finite grades >= 0|at least one", [-1], [nan], 1), "length": (WHOLE, -1, 1.5, nan),
    "depth": ("one whole number >= 1", 0, 1.5, True), "kind": ("'extrapolated' or", "mean"), "variant": ("'a' or 'b'", "c"),
    "level": (r"one number (in \[0, 1\]|> 0)", -0.1, nan, [0.5], np.array(True)), "max_grade": ("one number", 0, inf, nan),
    "multiple": ("one number", 0, inf, nan), "n_irrelevant": (WHOLE, -1, 1.5, nan), "n_relevant": (WHOLE, -1, 1.5, nan, inf, [True], 2**54),
    "persistence": (r"one number in \[0, 1\)", -0.1, 1, nan), "precision": (r"values in \[0, 1\]", -0.1, 1.5), "recall": (r"values in \[0, 1\]", -0.1, 1.5),
    "ranks": ("one whole number >= 1|at most the length|distinct ranks", [0], [1.0], [5], [2, 2]),
    "reference": ("numbers that can be ordered|one number for|a number for|distinct", [nan, 1, 2, 3], 1, [1, 2], [1, 1, 2, 3]),
    "relevance": ("finite grades >= 0|at least one", [nan, 0, 0, 0], [0, -0.5, 0, 0], [inf, 0, 0, 0], 1),
    "relevance_level": ("one number > 0", 0, -1, inf, nan),
    "resamples": ("one whole number", 0, 1.5), "scores": ("numbers that can be ordered|at least one list|one list|the shape", [nan, 1, 2, 3], 1),
    "n_instances": ("one whole number >= 3|at least the largest count, 3", 2, 1.5, nan), "normalised": ("True or False", 1, "yes", None),
    "propensity": (r"numbers in \(0, 1\]|a mapping, or one list", {"a": 0}, {"a": 1.5}, {"a": nan}, [[1]]),
    "seed": ("one whole number >= 0", -1, 1.5),
    "ties": ("'raise' or 'stable'", "random"), "tp": (EACH, -1, nan, inf, 1e308),
    "undefined": ("one number that stands in", nan, [0], True, "drop"), "ungrouped": ("'raise' or 'skip'", "other"),
    "universe_size": ("whole numbers? >= 0|at least", -1, 1.5, 1), "unreached": ("one number or inf", nan, [1], True),
    "weights": ("", [1, 2, 3], [1, 2, 3, nan]),
}  # fmt: skip


@pytest.mark.check
def test_numbers_out_of_range_are_refused_wherever_they_go():
    found = []
    for name, function, good in DOORS:
        for key in good.keys() & OUT_OF_RANGE.keys():
            expected, *values = OUT_OF_RANGE[key]
            for bad in values:
                found += wrong(name, function, good | {key: bad}, key, expected)
    assert not found, "\n".join(found)


RAGGED = "relevance: got ragged rows"
LARGE = "a number beyond the range of floats"
WORKED = [0, 1, 0, 1, 1, 0]
ties, ids, ranks, scored = metrics.ties, Hits.from_ids, Hits.from_ranks, Hits.from_scores


def by_decile(**given):
    return metrics.precision_by_decile(**{"predictions": [["a"]], "actual": [["a"]], "decile": {"a": 1}, "k": 1} | given)


def scored_precision(**given):
    return metrics.propensity_scored_precision_at(**{"predictions": [["a"]], "actual": [["a"]], "propensity": {"a": 1}, "k": 1} | given)


def split(**given):
    return metrics.split_by_item(**{"rankings": [["a"]], "relevant": [["a"]], "group": {"a": "rare", "b": None}, "ungrouped": "raise"} | given)


def graded(bad):
    return ids(rankings=[["a"]] * 2, relevant=[{"a": 1}, {"a": 1, "bad": bad, "worse": bad}])


# What a message begins with, where it says more than the tables above know: which of the entries, what it was, what goes beside it.
@pytest.mark.parametrize("call, words", [
    *((lambda given=given: metrics.average_precision(given), words) for given, words in [
        ([["a", "b"]], "relevance: got text, such as 'a'"), (np.float64(1), "relevance: got the single value 1.0"),
        ([[1, [0]], [1]], f"{RAGGED}: row 1 is of length 1, row 0 is of length 2"), ([1, [1]], f"{RAGGED}: row 1 is of length 1, row 0 is a single value"),
        ([[0, 1], [inf, 0]], "relevance: got inf at query [1], rank 1"), ([[[0, -1]]], "relevance: got -1.0 at query [0, 0], rank 2"),
    ]),
    (lambda: metrics.average_precision([[1, 0, 1], [0, 1, 1]], [[2], [3], [1]]), "n_relevant: got shape (3, 1), expected one number, or numbers"),
    (lambda: metrics.average_precision([[1], [1]], [2.5, -1]), "n_relevant: got 2.5, expected whole numbers >= 0, at most 2^53"),
    (lambda: metrics.rank_for_recall_by_decile(predictions=[], actual=[], decile={"a": 1}, level=2, aggregate="mean", unreached=9), "level: got 2"),
    (lambda: ties.average_precision([0, 1], scores=[1, 1], n_relevant=0), "n_relevant: got 0, expected at least the 1 relevant items"),
    (lambda: Hits.from_ranks({(3,), (1,)}, 3), "ranks: got a set, which has no order, expected a list of ranks for each query"),
    (lambda: metrics.ndcg(Hits.from_ids(rankings=[["a"]], relevant=[["a"]]), ideal=Hits.from_ids(rankings=[["a"]], relevant=[["a", "b"]])),
     "ideal: got hits in which some relevant items are only counted"),
    (lambda: metrics.compare([1e308, 0], [0, 0], test="sign", undefined=0), "a: got 1e+308, expected values whose sum is finite too"),
    (lambda: metrics.compare(range(9), [0] * 9, test="sign", undefined=0, resamples=10**9), "resamples: got 1000000000, expected at most 100,000,000"),
    (lambda: metrics.trec.evaluate({"q": {"a": 1}}, {"q": {"a": 1}}, "AP", complete="no"), "complete: got 'no', expected True or False"),
    (lambda: metrics.trec.evaluate({"q": {"a": 1}}, {"q": {"a": 10**400}}, "AP"), f"run['q']['a']: got {LARGE}"),
    (lambda: metrics.trec.evaluate({"q": {"\ud800": 1}}, {"q": {"a": 1, "\ud800": 1}}, "AP"),
     "run['q']: got the id '\\ud800', expected ids that UTF-8 can encode"),
    (lambda: metrics.precision(1e308, 1e308), f"tp: got 1e+308, expected {EACH} whose sum is finite too"),
    (lambda: metrics.jaccard([1, 2], [1, 2, 3], 1), "tp, fp, fn: got shapes (2,), (3,), ()"),
    (lambda: metrics.confusion(predicted=["a", "a"], actual=["a"]), "predicted: got 'a' a second time, at position 1, expected distinct ids"),
    (lambda: metrics.confusion(predicted=[["a"]], actual=["a"]), "predicted: got ['a'] at position 0, expected ids that can be looked up"),
    (lambda: metrics.accuracy_at([[1, 0]] * 3, 1, universe_size=[2, 1, 0]), "universe_size: got 1, expected at least 2"),
    (lambda: metrics.break_even_ranks([[1, 0]]), "relevance: got a batch of shape (1,), expected one ranking"),
    (lambda: metrics.bpref(WORKED, judged=[1, 1]), "judged: got shape (2,), expected a mask of bool or 0/1 of shape (6,)"),
    (lambda: metrics.bpref([1, 0, 1], judged=[1, 3, 2]), "judged: got 3, expected bool or 0/1"),
    (lambda: metrics.bpref([[0], [0]], n_irrelevant=[1, 0]), "n_irrelevant: got 0, expected at least the 1 irrelevant"),
    (lambda: metrics.auc_from_scores(scores=[1, 2, 3], labels=[0, 3, 2]), "labels: got 3, expected 0/1 or bool"),
    (lambda: ties.best([[0, 1], [1, 0]], scores=[1, 2, 3, 4]), "scores: got shape (4,), expected the shape (2, 2) of the grades"),
    (lambda: ties.best(Hits.from_relevance([0, 1]), scores=[1, 1]), "relevance: got Hits"),
    (lambda: ties.shared([1e308] * 3, scores=[1] * 3), "relevance: got grade 1e"),
    (lambda: metrics.dcg([2000], gain="exponential"), "relevance: got grade 2000 with the exponential gain"),
    (lambda: ties.ndcg([0, 3], scores=[1, 1], ideal=[2, 2]), "ideal: got too few high grades, expected all grades of the universe"),
    (lambda: metrics.ndcg([[1, 0], [2, 1], [3, 0]], ideal=[1, 1]), "ideal: got too few high grades for query [1]"),
    (lambda: metrics.ndcg([[1, 0]], ideal=[[1], [1]]), "ideal: got leading shape (2,), expected one list"),
    (lambda: metrics.expected_reciprocal_rank([0, 3], 2), "max_grade: got 2, expected one number at least the largest grade, 3"),
    (lambda: metrics.mean([1, nan, nan], undefined="raise"), "values: got nan at position 1, expected defined values"),
    (lambda: metrics.geometric_mean([1, -0.5, -2], undefined=0), "values: got -0.5, expected values >= 0"),
    (lambda: Total.of([1, nan, nan]).mean(undefined="raise"), "values: got nan 2 times, expected defined values"),
    (lambda: LogTotal.of([0.5, -1]), "values: got -1.0, expected values >= 0"),
    (lambda: LogTotal.of([0.5]).mean(undefined=-1), "undefined: got -1, expected one number that stands in and is >= 0"),
    (lambda: ties.best(Hits.from_scores(scores=[1], labels=[1], ties="mean"), scores=[1]), "relevance: got Hits(shape=(), length=1, hits=1), expected grades"),
    (lambda: ids(rankings=[[nan]], relevant=[[nan]]), "relevant[0]: got nan at position 0, expected ids that can be looked up"),
    (lambda: Total.of([2]).per(Total()), "other: got a sum of 0, expected another sum"),
    *((lambda one=one, other=other: one + other, "other: got ") for one, other in [(Total(), LogTotal()), (LogTotal(), Total()), (Total(), 1.0)]),
    (lambda: premise_selection.rank(suggestions={"a"}, required=["a"]), "suggestions: got a set, which has no order, expected a list of ids"),
    (lambda: by_decile(predictions=[["a", "a"]]), "predictions[0]: got 'a' a second time"),
    (lambda: by_decile(actual=[{"a": 1}]), "actual[0]: got a dict, expected a collection of ids, not a mapping"),
    (lambda: by_decile(actual=[]), "actual: got 0 label lists, expected one for each of the 1"),
    (lambda: by_decile(decile={"a": 11}), "decile: got 11 for label 'a', expected whole numbers from 1 to 10"),
    (lambda: by_decile(predictions=[[0]], actual=[[0]], decile=[[1]]), "decile: got an array of shape (1, 1)"),
    (lambda: metrics.frequency_deciles([1, -1, -2]), f"counts: got -1 at [1], expected {EACH}"),
    (lambda: metrics.frequency_deciles([0, 0], equal="mass"), "counts: got zeros only"),
    (lambda: metrics.novelty_at(predictions=[["a", "b"]], counts={"a": 1}, k=2), "counts: got none for 'b', expected a count for every label"),
    (lambda: metrics.propensities([4, 2], n_instances=3), "n_instances: got 3, expected at least the largest count, 4"),
    (lambda: metrics.propensities([1], n_instances=3, a=-1), "a: got -1, expected one number in [0, 100]"),
    (lambda: scored_precision(propensity={"b": 1}), "propensity: got none for 'a', expected one for every actual label"),
    (lambda: scored_precision(propensity={"a": 2}), "propensity: got 2.0, expected numbers in (0, 1]"),
    (lambda: scored_precision(predictions=[["b", "b"]]), "predictions[0]: got 'b' a second time"),
    (lambda: metrics.err_ia(rankings=[["a"]], intents=[["a"]]), "intents[0][0]: got 'a', expected a collection of ids"),
    (lambda: metrics.err_ia(rankings=[["a"]], intents=[{frozenset("a")}]), "intents[0]: got a set, which has no order, expected a list of intents"),
    (lambda: metrics.alpha_ndcg(rankings=[["a"]], intents=[]),
     "intents: got the intents of 0 queries, expected the intents of each of the 1 queries in rankings"),
    (lambda: metrics.alpha_ndcg(rankings=[["a"]], intents=[[{"a": nan}]]), "intents[0][0]: got nan for id 'a', expected finite grades"),
    (lambda: ids(rankings=[np.array("a")], relevant=[[]]), "rankings[0]: got array('a', dtype='<U1'), expected a collection"),
    (lambda: ids(rankings=5, relevant=[]), "rankings: got 5, expected a sequence of id lists"),
    (lambda: ids(rankings=[["a"]], relevant={"q": ["a"]}), "rankings: got a list, expected a mapping by query, as relevant is"),
    (lambda: ids(rankings=np.array([[1, 2]]), relevant=[[1], [1]]), "relevant: got 2 collections, expected one for each of the 1 rankings"),
    (lambda: ids(rankings=np.array([[1, 2], [7, 7]]), relevant=[[1], [7]]), "rankings[1]: got 7 a second time, at position 1"),
    (lambda: ids(rankings=np.array([[1, 2], [7, 8]]), relevant=[[1], [9, 7, 9]]), "relevant[1]: got 9 a second time, at position 2"),
    *((lambda bad=bad: graded(bad), "relevant[1]: got ") for bad in (nan, -inf, np.float64("nan"), None, "1", 1j, [1], np.array([1]), Fraction(10**400))),
    (lambda: graded(10**400), f"relevant[1]: got {LARGE} for id 'bad', expected finite grades"),
    (lambda: ranks({1: 2}, 3), "ranks: got {1: 2}, expected a list of 1-based ranks"),
    (lambda: ranks([[1], 2], 3), "ranks[1]: got 2, expected a list of 1-based ranks"),
    (lambda: ranks([[1], [4]], 3), "ranks[1]: got rank 4, expected at most the length 3"),
    (lambda: ranks([2, 2], 3), "ranks: got rank 2 twice, expected distinct ranks"),
    *((lambda given=given: scored(**{"scores": [[1, 2], [3, 4]], "labels": [[0, 1], [1, 0]], "ties": "raise"} | given), words) for given, words in [
        (dict(scores=[[1, 2], [3, nan]]), "scores: got nan at query [1], item 2, expected numbers that can be ordered"),
        (dict(scores=[nan, nan], labels=[0, 1]), "scores: got nan at item 1"), (dict(scores=3, labels=1), "scores: got the single value 3"),
        (dict(labels=[0, 1]), "labels: got shape (2,), expected the shape (2, 2) of the scores"),
        (dict(labels=[[0, 1], [-1, 0]]), "labels: got -1 at query [1], item 1, expected finite grades >= 0"),
        (dict(labels=[[0, nan], [1, 0]]), "labels: got nan at query [0], item 2"), (dict(labels=[[0, inf], [1, 0]]), "labels: got inf at query [0]"),
        (dict(scores=[[1, 2], [7.5, 7.5]]), "scores: got 2 items of score 7.5 and different grades for query [1], expected distinct scores, or ties="),
    ]),
    (lambda: metrics.ap_correlation(reference=[1, 2, 3], other=[5, 4, 5]), "other: got 5 twice, expected distinct numbers"),
    (lambda: metrics.kendall_tau([[1, 2], [3, nan]], [1, 2]), "a: got nan at [1, 1], expected numbers that can be ordered"),
    (lambda: metrics.weighted_tau([1, 2], [1, 2, 3]), "a, b: got 2 and 3 items, expected a number for each item in both"),
    (lambda: metrics.kendall_tau([[1, 2]] * 2, [[1, 2]] * 3), "a, b: got shapes (2, 2), (3, 2), expected shapes that broadcast together"),
    *((lambda given=given: metrics.rank_biased_overlap(**{"a": ["a", {"b", "c"}], "b": ["b"], "persistence": 0.5} | given), words) for given, words in [
        ({"depth": 2}, "depth: got 2, expected a depth that does not separate 2 tied ids of a"), ({"b": [{"b", "c"}, "c"]}, "b: got 'c' a second time"),
        ({"b": [1]}, "a: got 'a' beside 1 in b"), ({"b": {"b"}}, "b: got a set, which has no order"),
    ]),
    (lambda: metrics.precision_recall_curve(scores=[[1, 2]], labels=[[0, 1]]), "scores: got shape (1, 2), expected one list of scores"),
    (lambda: metrics.precision_recall_curve(scores=[], labels=[]).best_f(), "thresholds: got none, expected at least one score"),
    *((lambda given=given: split(**given), "group: got none for 'who', expected a group for every id") for given in [
        {"rankings": [["a", "who"]]}, {"relevant": [["who"]]}, {"relevant": [{"who": 0}]}]),
    (lambda: split(group=[1, 2]), "group: got [1, 2], expected a mapping from id to group"),
    (lambda: split(group={"a": []}), "group: got [] at position 0, expected groups that can be looked up"),
    (lambda: split(rankings=[["a", []]], relevant=[{"a": 1}]), "rankings[0]: got [] at position 1, expected ids that can be looked up"),
])  # fmt: skip
def test_an_error_names_the_argument_what_was_given_and_what_is_expected(call, words):
    with pytest.raises(ValueError, match="^" + re.escape(words)) as error:
        call()
    assert ", expected " in str(error.value)


def test_a_multiple_beyond_floats_finds_nothing_and_warns_of_nothing():
    with np.errstate(all="raise"):
        assert metrics.r_precision_at(ranks([1, 3], 3, 2**45), 1e300) == 0


@pytest.mark.parametrize("version", [np.array([9, 10]), [9], "9", 11, 8, None, True])
def test_a_version_of_trec_eval_is_one_number(version):
    for call in (lambda: trec_names.value("map", HITS, version=version), lambda: trec_names.names_of("all_trec", version=version)):
        with pytest.raises(ValueError, match="^version: got .*, expected (one whole number >= 9|9 or 10)"):
            call()


@pytest.mark.check
def test_cutoffs_are_whole_numbers_of_any_size():
    with_cutoff = [(function, good, key) for _, function, good in DOORS for key in good.keys() & CUTOFFS]
    assert len(with_cutoff) > 20
    for function, good, key in with_cutoff:
        at = lambda cutoff: getattr(value := function(**good | {key: cutoff}), "rank", value)
        for three in (np.int8(3), np.uint64(3), np.array(3)):
            np.testing.assert_array_equal(at(three), at(3))
        for far in (2**63, 10**19, 2**70, 10**300):
            np.testing.assert_allclose(at(far), at(10**12), rtol=0, atol=1e-9)


def converted(ids, kind):
    """The ids as something else, in lists and in mappings."""
    if isinstance(ids, str):
        return kind(ids)
    return {kind(item): value for item, value in ids.items()} if isinstance(ids, dict) else [converted(item, kind) for item in ids]


@pytest.mark.check
@pytest.mark.parametrize("one, other", [
    ("rankings", "relevant"), ("rankings", "group"), ("rankings", "intents"), ("predictions", "actual"), ("predictions", "decile"),
    ("predictions", "catalogue"), ("predictions", "propensity"), ("suggestions", "required"), ("predicted", "actual"),
])  # fmt: skip
@pytest.mark.parametrize("kind", [ord, str.encode, lambda item: Fraction(ord(item), 7), lambda item: (item,)])
def test_ids_of_kinds_that_are_never_equal_are_refused_wherever_ids_are_matched(one, other, kind):
    matching = [(function, good) for _, function, good in DOORS if {one, other} <= good.keys()]
    assert matching
    for function, good in matching:
        assert inspect.signature(function).parameters[other].kind is inspect.Parameter.KEYWORD_ONLY
        function(**good | {other: converted(good[other], np.str_)})
        for swapped in (other, one):
            with pytest.raises(ValueError, match=rf"{one}(\[0\])?: got .* beside .* in \w+(\[0\])?, expected ids of one kind.*: convert one side") as error:
                function(**good | {swapped: converted(good[swapped], kind)})
            assert re.search(rf" in ({other}|relevant|actual)", str(error.value))


class Tensor:
    """What PyTorch, JAX and others have: entries are tensors, `==` is a tensor, and a hash is that of the object."""

    def __init__(self, values):
        self.values = np.asarray(values)
        self.shape, self.dtype = self.values.shape, "int64"

    def __array__(self, dtype=None, copy=None):
        if "no array" in self.values:
            raise TypeError("can't convert cuda:0 device type tensor to numpy")
        return np.array(self.values, dtype=dtype)

    def __len__(self):
        return len(self.values)

    def __iter__(self):
        if not self.shape:
            raise TypeError("iteration over a 0-d tensor")
        return map(Tensor, self.values)

    def __eq__(self, other):
        return Tensor(self.values == np.asarray(other))

    def __bool__(self):
        return bool(self.values)

    __hash__ = object.__hash__


OF_IDS = {"rankings", "relevant", "predictions", "actual", "suggestions", "required", "predicted", "catalogue", "intents", "query_id", "groups", "topics"}
BY_ID = {"decile", "group", "counts", "propensity"}


def in_tensors(ids, kind):
    """The ids in tensors: a tensor for each list, or for each id, or none of both but something that is no id."""
    if isinstance(ids, dict):
        return {in_tensors(item, kind if kind is not list else Tensor): value for item, value in ids.items()}
    if isinstance(ids, (list, set)) and not any(isinstance(item, (list, dict, set)) for item in ids):
        return Tensor(list(ids)) if kind is list else type(ids)(map(kind, ids))
    return [in_tensors(item, kind) for item in ids] if isinstance(ids, list) else ids if kind is list else kind(ids)


def told(value):
    """What a function says, so that two can be compared."""
    if isinstance(value, Hits):
        return [getattr(value, name).tolist() for name in ("row", "rank", "grade", "length", "n_relevant")], value.query_ids
    return {key: told(its) for key, its in value.items()} if isinstance(value, dict) else repr(value)


ALSO_BY_ID = {  # doors and forms that the tables above do not have
    "rank_biased_overlap": {"a": list("acb"), "b": list("bad")}, "frequency_deciles": {"counts": {"a": 1, "b": 2}},
    "propensities": {"counts": {"a": 1, "b": 2}},
    "split_by_item": {"relevant": [{"a": 2, "b": 0}]},
    "confusion": {"predicted": {"a", "b"}, "actual": {"b"}}, "premise_selection.recall": {"required": {"a"}},
}  # fmt: skip
GRADED = {"rankings": [["b", "a"]], "relevant": [{"a": 1, "x": 0}]}
IN_SETS = {"rankings": [["b", "a"], ["a"]], "relevant": [{"a"}, {"b", "c"}]}
TAKES_IDS = [
    (f"{name}({key})", function, good, key)
    for name, function, given in [*DOORS, ("Hits.from_ids", Hits.from_ids, GRADED), ("Hits.from_ids", Hits.from_ids, IN_SETS)]
    for good in ({**given, **ALSO_BY_ID.get(name, {})}, given) for key, its in good.items()
    if key in OF_IDS or (key in BY_ID and isinstance(its, dict)) or (name, key) in {("rank_biased_overlap", "a"), ("rank_biased_overlap", "b")}
]  # fmt: skip


def in_numbers(ids):
    """The ids as whole numbers, wherever they stand; numbers as they are."""
    if isinstance(ids, dict):
        return {in_numbers(item): its for item, its in ids.items()}
    return type(ids)(map(in_numbers, ids)) if isinstance(ids, (list, set)) else ord(ids) if isinstance(ids, str) else ids


@pytest.mark.check
@pytest.mark.parametrize("kind", [list, Tensor, float("nan").__mul__, Decimal("nan").__mul__, lambda item: (float("nan"), item), lambda item: pd.NA],
                         ids=["a tensor", "tensors", "nan", "Decimal nan", "nan in a tuple", "NA"])  # fmt: skip
def test_a_tensor_of_ids_is_the_list_and_what_cannot_be_looked_up_is_named(kind):
    """No value but that of the list: what does not equal itself, or only in a tensor, would never be found."""
    assert len(TAKES_IDS) > 50
    found = []
    for name, function, usual, key in TAKES_IDS:
        good = usual | {each: in_numbers(its) for each, its in usual.items() if each in OF_IDS | BY_ID | {"a", "b"}}
        try:
            value = told(function(**good | {key: in_tensors(good[key], kind)}))
        except ValueError as error:
            if not re.match(rf"{key}[\[\d\]]*: got .*, expected .*(looked up|for each of the rankings)", str(error)):
                found.append(f"{name}: {error!r}")
        else:
            if kind is not list or value != told(function(**good)):
                found.append(f"{name}: {value}")
    assert not found, "\n".join(found)


TRUE, SCORES = [1, 0, 1, 0], [0.2, 0.9, 0.4, 0.1]
FROM_HITS = "Hits.from_scores makes hits of scores and labels, Hits.from_ids of ids"
COUNTED = r"confusion\(predicted=..., actual=...\) counts what is in two collections"


@pytest.mark.parametrize("call, words", [
    *((lambda call=call, given=given, more=more: getattr(metrics, call)(*given, **more), FROM_HITS) for call, given, more in [
        ("average_precision", (TRUE, SCORES), {}), ("average_precision", ([TRUE], [SCORES]), {}), ("average_precision", ({"a"}, ["a", "b"]), {}),
        ("average_precision", ({"q": {"a": 1}}, {"q": {"a": 0.5}}), {}), ("average_precision", (["a", "b"], ["a"]), {}), ("ndcg", (TRUE, SCORES), {}),
        ("ndcg", (TRUE, SCORES), {"k": 5}), ("ndcg", ([TRUE], [SCORES]), {}), ("precision_at", (TRUE, SCORES, 5), {}), ("precision_at", (["a"], ["a"], 1), {}),
        ("recall_at", (TRUE, SCORES, 5), {}), ("auc", ([0, 0.5, 1], [0, 0.7, 1]), {}), ("auc", (np.array(TRUE), np.array(SCORES)), {}),
        ("reciprocal_rank", (TRUE, SCORES), {}), ("hits_at", (TRUE, SCORES, 3), {}), ("dcg", (TRUE, SCORES), {}), ("r_precision", (TRUE, SCORES), {}),
        ("average_precision_at", (TRUE, SCORES, 5), {"denominator": "ideal"}), ("success_at", (TRUE, SCORES), {}),
        ("f_score_at", (TRUE, np.array(SCORES)), {})]),
    *((lambda call=call, given=given: getattr(metrics, call)(*given), COUNTED) for call in ("precision", "recall", "f_score", "jaccard", "accuracy")
      for given in (({"a"}, {"a", "b"}), (["x", "y"], ["x", "z"]), ({1}, {1, 2}))),
    *((lambda call=call: getattr(metrics, call)([0, 1, 2], [0, 2, 1]), COUNTED) for call in ("f_score", "jaccard", "accuracy")),
])  # fmt: skip
def test_a_call_with_the_arguments_of_another_library_says_how_it_is_called_here(call, words):
    with pytest.raises((TypeError, ValueError), match=f"; {words}$"):
        call()


def test_a_tensor_that_makes_no_array_is_named():
    lost = Tensor(["no array"])
    for call, name in ((lambda: ids(rankings=[lost], relevant=[["a"]]), r"rankings\[0\]"), (lambda: metrics.auc(lost), "relevance"),
                       (lambda: metrics.from_columns(query_id=lost, label=[1], score=[1]), "query_id")):  # fmt: skip
        with pytest.raises(ValueError, match=f"^{name}: got a Tensor that cannot be made into an array .can't convert cuda:0.*, expected "):
            call()


@pytest.mark.check
def test_labels_are_no_counts():
    """Two lists of 0 and 1 are handed over as scikit-learn takes them; by name, as numbers or as other counts they are never refused."""
    taking = {name: function for name, function, good in DOORS if {"tp", "fp"} <= good.keys() or {"tp", "fn"} <= good.keys()}
    assert taking.keys() == {"precision", "recall", "accuracy", "jaccard", "f_score", "e_measure", "utility"}
    del taking["utility"]
    for name, function in taking.items():
        names = [each for each in inspect.signature(function).parameters if each != "beta"]
        assert source(function).code.startswith(f"def {name}(") and list(inspect.signature(function).parameters)[:2] == names[:2]
        for labels in ([0, 1, 1], (True, False), np.array([1.0, 0.0]), pd.Series([0, 0, 1]), [[0, 1], [1, 1]]):
            with pytest.raises(ValueError, match=rf"^tp, f.: got two lists of 0 and 1, expected counts: .*predicted=.*{name}\(tp=..., f.=..."):
                function(labels, labels)
            function(**dict.fromkeys(names, labels))
            if len(names) > 2:
                function(labels, labels, **dict.fromkeys(names[2:], labels))
                function(*[labels] * len(names))
        for counts in (1, 0, [1], [0, 2], [], np.array([0.5, 1])):
            function(*[counts] * len(names))
    assert metrics.precision([0, 1], 1).tolist() == [0, 0.5] and metrics.recall([0, 1], fn=[1, 0]).tolist() == [0, 1]


def test_dates_are_ids():
    days = np.array(["2020-01-01", "2020-01-02"], dtype="datetime64[D]")
    assert metrics.average_precision(Hits.from_ids(rankings=[days], relevant=[list(days[:1])])) == [1]


def test_shares_are_at_most_1():
    assert metrics.f_score_at([1] * 3, 3, beta=0.3) == metrics.set_f_score([1] * 3, beta=0.3) == metrics.rank_biased_precision([1] * 5000, 0.9) == 1
