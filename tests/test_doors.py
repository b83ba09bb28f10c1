"""Whatever a public function is handed, it gives a value or a ValueError that names the argument: no other error, no warning, nothing changed."""

import inspect
import re
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

import metrics
from metrics import Hits, LogTotal, Total, premise_selection
from metrics.notebook import source

HITS = Hits.from_ids(rankings=[["x", "a"], ["b", "y"]], relevant=[{"a": 1, "x": 0}, {"b": 2}])
RUN = pd.DataFrame({"query": ["q", "q", "r"], "item": ["a", "b", "a"], "score": [1.0, 2.0, 3.0]})
QRELS = pd.DataFrame({"query": ["q", "r"], "item": ["a", "b"], "grade": [1, 2]})

# What every function takes, by the name of the parameter; and what some take of their own.
GOOD = {
    "a": [0.1, 0.2, 0.3, 0.4], "actual": ["a", "c"], "aggregate": "mean", "alpha": 0.5, "b": [0.2, 0.2, 0.1, 0.1], "beta": 2, "confidence": 0.9,
    "correction": "holm", "counts": [1, 2, 3], "decile": {"a": 10, "b": 1}, "denominator": "ideal", "equal": "labels", "floor": 0.1, "fn": [2, 0],
    "fp": [1, 1], "gain": "linear", "grade": "grade", "group": {"a": 1, "b": 2}, "groups": list("ssrr"), "ideal": [2, 1, 1, 1, 0], "item": "item",
    "judged": [1, 1, 0, 1], "k": 2, "labels": [1, 0, 1, 0], "length": 4, "level": 0.5, "lower_is_better": False, "max_grade": 3, "measures": "AP P@2",
    "multiple": 0.5, "n": 2, "n_irrelevant": 9, "n_relevant": 3, "other": Total.of([3]), "persistence": 0.8, "precision": 0.5, "predicted": ["a", "b"],
    "predictions": [["a", "b"]], "qrels": QRELS, "query": "query", "rankings": [["a", "b"]], "ranks": [1, 3], "recall": 0.5, "relevance": [1, 0, 1, 0],
    "relevance_level": 1, "relevant": [["a"]], "required": ["a"], "resamples": 50, "run": RUN, "runs": {"x": [0.1, 0.2, 0.3, 0.4], "y": [0.2, 0.2, 0.1, 0.1]},
    "score": "score", "scores": [3, 2, 2, 1], "seed": 1, "suggestions": ["a", "b"], "test": "randomisation", "ties": "stable", "tn": [1, 1], "top": 5,
    "tp": [3, 2], "undefined": 0, "ungrouped": "skip", "universe_size": 9, "unreached": 9, "values": [0.5, 1], "weights": (1, -1, 0, 0),
}  # fmt: skip
OF_ITS_OWN = {
    "accuracy_at": {"universe_size": None},
    "evaluate": {"relevance": [[1, 0], [0, 1]], "groups": ["x", "y"]},
    "LogTotal.merge": {"other": LogTotal.of([3])},
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
        assert not missing, f"tests/test_doors.py: add to GOOD a value for {', '.join(sorted(missing))}, which {name} takes"
        by_instance = {"actual": [["a"]]} if {"predictions", "actual"} <= parameters.keys() else {}
        yield name, function, {key: GOOD[key] for key in parameters} | by_instance | OF_ITS_OWN.get(name, {})


DOORS = list(doors())

# What nobody takes, wherever it is handed over.
REFUSED = {
    "text": lambda: "ab",
    "bytes": lambda: b"ab",
    "text without axes": lambda: np.array("ab"),
    "None without axes": lambda: np.array(None),
    "ragged": lambda: [[1, 0], [1]],
    "complex": lambda: 1j,
    "Decimal": lambda: Decimal("0.5"),
    "date": lambda: date(2020, 1, 1),
    "timedelta": lambda: np.timedelta64(1, "D"),
    "object": object,
    "2^1329": lambda: 10**400,
    "-2^1329": lambda: -(10**400),
    "a large fraction": lambda: Fraction(10**400, 3),
    "masked": lambda: np.ma.array([1, 0, 1, 0], mask=[1, 0, 0, 0]),
    "masked rows": lambda: [np.ma.array([1, 0, 1, 0], mask=[1, 0, 0, 0])],
    "masked matrix": lambda: np.ma.array([[1, 0], [0, 1]], mask=[[1, 0], [0, 0]]),
    "masked without axes": lambda: np.ma.array(2, mask=True),
    "masked within": lambda: [[np.ma.masked, 1, 0, 0]],
    "unhashable": lambda: [{"a"}, ["b"]],
    "a mapping to arrays": lambda: {"a": np.array([1, 0])},
    "a column of lists": lambda: pd.DataFrame({"query": ["q"], "item": [["a"]], "score": [1.0]}),
    "a column of lists of Polars": lambda: pl.DataFrame({"query": ["q"], "item": [["a"]], "score": [1.0]}),
    "columns of one name": lambda: pd.concat([RUN, RUN], axis=1),
}
# What somebody may take.
ODD = {
    "None": lambda: None,
    "True": lambda: np.bool_(True),
    "a": lambda: np.str_("a"),
    "-1": lambda: -1,
    "1": lambda: np.array(1),
    "10^19": lambda: 10**19,
    "10^30": lambda: 10**30,
    "2^64 - 1": lambda: np.uint64(2**64 - 1),
    "a small fraction": lambda: Fraction(1, 10**400),
    "nan": lambda: nan,
    "inf": lambda: inf,
    "beyond floats": lambda: np.longdouble("1e4000"),
    "long doubles": lambda: np.array([1, 0, 1, 0]) * np.longdouble("1e4000"),
    "structured": lambda: np.zeros(2, dtype=[("a", "i4")]),
    "numbers of pandas": lambda: pd.Series([1, None, 1, 0], dtype="Int64"),
    "numbers of Polars": lambda: pl.Series([1, 0, 1, 0]),
    "text of Polars": lambda: pl.Series(["2"]).cast(pl.Categorical),
    "one of Polars": lambda: pl.Series([1]),
    "table": lambda: RUN,
    "table of Polars": lambda: pl.DataFrame({"a": [1, 0]}),
    "hits": lambda: HITS,
}
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


def wrong(name, function, given, key, never):
    """What is wrong with the answer of a function, or nothing."""
    try:
        value = function(**given)
    except ValueError as error:
        named = re.match(r"(\w+)[\w\[\], ']*: got .*, expected ", str(error), re.DOTALL)
        if named and named[1] in inspect.signature(function).parameters.keys() | ALSO_NAMED:
            return []
        return [f"{name}({key}=...): {error!r} names no argument"]
    except Exception as error:
        return [f"{name}({key}=...): {error!r}"]
    return [f"{name}({key}=...) is {value!r}"] * never


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
            found += wrong(name, function, good | {key: value}, key, never=isinstance(odd, str) and odd in REFUSED)
    assert not found, f"{len(found)} doors, such as:\n" + "\n".join(found[:10])
    assert state(GOOD) == before and (isinstance(value, Iterator) or state(value) == as_it_was)


@pytest.mark.check
def test_every_function_takes_what_is_good():
    for _, function, good in DOORS:
        function(**good)


CUTOFFS = {"k", "n", "top"}
OUT_OF_RANGE = dict.fromkeys(CUTOFFS, (0, -3, 5.0, 2.5, True, np.bool_(True), "3", nan, [3], np.array([3, 4]))) | {
    "alpha": (-0.1, 2, nan), "beta": (-1, inf, nan, [1]), "confidence": (0, 1, nan), "counts": ([-1], [nan], [[1]]), "floor": (-1, inf, nan),
    "fp": (-1, nan, inf, 1e308), "ideal": ([-1], [nan], 1), "length": (-1, 1.5, nan), "level": (-0.1, nan, [0.5], np.array(True)),
    "max_grade": (0, inf, nan), "multiple": (0, inf, nan), "n_irrelevant": (-1, 1.5, nan), "n_relevant": (-1, 1.5, nan, inf, [True], 2**54),
    "persistence": (-0.1, 1, nan), "precision": (-0.1, 1.5), "ranks": ([0], [1.0], [5], [2, 2]), "recall": (-0.1, 1.5),
    "relevance": ([nan, 0, 0, 0], [0, -1, 0, 0], [inf, 0, 0, 0], 1), "relevance_level": (0, -1, inf, nan), "resamples": (0, 1.5),
    "scores": ([nan, 1, 2, 3], 1), "seed": (-1, 1.5), "tp": (-1, nan, inf, 1e308), "undefined": (nan, [0], True), "universe_size": (-1, 1.5, 1),
    "unreached": (nan, [1], True), "weights": ([1, 2, 3], [1, 2, 3, nan]),
}  # fmt: skip


@pytest.mark.check
def test_numbers_out_of_range_are_refused_wherever_they_go():
    cases = [(name, function, good, key) for name, function, good in DOORS for key in good.keys() & OUT_OF_RANGE.keys()]
    found = [words for name, function, good, key in cases for bad in OUT_OF_RANGE[key] for words in wrong(name, function, good | {key: bad}, key, never=True)]
    assert not found, "\n".join(found)


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


MATCHED = [
    ("rankings", "relevant"), ("rankings", "group"), ("predictions", "actual"), ("predictions", "decile"), ("suggestions", "required"), ("predicted", "actual"),
]  # fmt: skip


def converted(ids, kind):
    """The ids as something else, in lists and in mappings."""
    if isinstance(ids, str):
        return kind(ids)
    return {kind(item): value for item, value in ids.items()} if isinstance(ids, dict) else [converted(item, kind) for item in ids]


@pytest.mark.check
@pytest.mark.parametrize("one, other", MATCHED)
@pytest.mark.parametrize("kind", [ord, str.encode, Fraction, lambda item: (item,)], ids=["numbers", "bytes", "fractions", "tuples"])
def test_ids_of_kinds_that_are_never_equal_are_refused_wherever_ids_are_matched(one, other, kind):
    kind = (lambda item: Fraction(ord(item), 7)) if kind is Fraction else kind
    matching = [(function, good) for _, function, good in DOORS if {one, other} <= good.keys()]
    assert matching
    for function, good in matching:
        function(**good | {other: converted(good[other], np.str_)})
        for swapped in (other, one):
            with pytest.raises(ValueError, match=rf"{one}(\[0\])?: got .* beside .* in \w+(\[0\])?, expected ids of one kind.*: convert one side") as error:
                function(**good | {swapped: converted(good[swapped], kind)})
            assert re.search(rf" in ({other}|relevant|actual)", str(error.value))


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
