"""No function pairs the wrong topics in silence: whatever happens to the labels of one side, the value stays, or an error says why not."""

import copy
import inspect
import pickle
from itertools import permutations, product

import numpy as np
import pandas as pd
import polars as pl
import pytest
from test_doors import DOORS, GOOD

import metrics
from metrics import Hits, ties, trec
from metrics._base import columns
from metrics._base.columns import Column

TOPICS = ["q1", "q10", "q2", "q3"]
GRADES = np.array([[1, 0, 1], [0, 1, 0], [1, 1, 0], [0, 0, 1]])
SCORES = np.array([[3, 2, 1], [1, 3, 2], [2, 1, 3], [3, 1, 2]])
LISTS = [["a", "b"], ["c", "a"], ["b"], ["a", "c", "b"]]

# A value for each of four topics, of every parameter that is paired with others topic by topic.
PAIRED = {
    "a": np.array([0.1, 0.7, 0.4, 0.2]), "b": np.array([0.9, 0.2, 0.3, 0.8]), "groups": ["g", "h", "g", "k"],
    "relevance": GRADES, "scores": SCORES, "labels": GRADES, "judged": 1 - GRADES * (SCORES == 2), "ideal": GRADES[:, ::-1] + [[2], [1], [1], [3]],
    "n_relevant": np.array([3, 5, 2, 4]), "n_irrelevant": np.array([3, 2, 4, 5]), "universe_size": np.array([9, 20, 12, 30]),
    **{name: np.array([3, 1, 4, 2]) + place for place, name in enumerate(("tp", "fp", "fn", "tn"))},
    "precision": np.array([0.1, 0.7, 0.4, 0.2]), "recall": np.array([0.9, 0.2, 0.3, 0.8]),
    "first": np.array([1, 0, 2, 1]), "second": np.array([1, 2, 2, 0]),
    "seen": np.array([0.1, 0.7, 0.4, 0.2]), "tpr": np.array([0.9, 0.8, 0.7, 1]), "fpr": np.array([0.1, 0.3, 0, 0.2]),
    "rankings": LISTS, "predictions": LISTS, "relevant": [["a"], ["a", "b"], ["b"], ["c"]], "actual": [["a"], ["a", "b"], ["b"], ["c"]],
    "intents": [[["a"], ["b"]], [["a", "b"]], [["b"], ["c"], ["a"]], [["c"]]], "ranks": [[1], [2, 3], [1, 4], [3]], "length": np.array([4, 6, 5, 3]),
}  # fmt: skip
# And those that are not: numbers and names, tables with keys, and single columns.
ALONE = set(
    "alpha beta confidence correction decile denominator equal floor gain group k level lower_is_better max_grade measures multiple n other persistence "
    "relevance_level of resamples seed test ties top topics undefined ungrouped unreached weights aggregate "
    "counts depth item grade kind predicted qrels label query query_id reference required run score suggestions values variant runs "
    "catalogue n_instances normalised propensity missing passages judged_only continuation coins expected".split()
)


def leaderboard(a, b, groups=None, resamples=30, undefined=0):
    """That of two runs, each of which is an argument."""
    return metrics.leaderboard({"a": a, "b": b}, groups=groups, resamples=resamples, undefined=undefined)


def paired_parameters(function):
    """The parameters that are paired; one that is in neither table is asked for."""
    parameters = inspect.signature(function).parameters
    new = parameters.keys() - PAIRED.keys() - ALONE
    assert not new, f"tests/test_pairing.py: add {', '.join(sorted(new))} to PAIRED, if paired with others entry by entry, else to ALONE"
    return [key for key in parameters if key in PAIRED]


OF_ONE = {"confusion", "break_even_ranks", "propensities", "rank_biased_overlap", "team_draft"}  # one set, one ranking, one table, one pair: without topics
EVERY = {name: function for name, function, _ in DOORS} | {"leaderboard": leaderboard}
FUNCTIONS = {name: function for name, function in EVERY.items() if len(paired_parameters(function)) > 1 and name not in OF_ONE}


def called(name, **given):
    """The value, as plain lists."""
    parameters = inspect.signature(FUNCTIONS[name]).parameters
    needed = [key for key, each in parameters.items() if each.default is each.empty or key in ("scores", "resamples")]
    return listed(FUNCTIONS[name](**{key: PAIRED.get(key, GOOD.get(key)) for key in needed} | given))


def listed(found):
    if isinstance(found, Hits):
        return [found.length.tolist(), found.row.tolist(), found.rank.tolist(), found.grade.tolist(), found.n_relevant.tolist()]
    if hasattr(found, "low"):  # a comparison, of which the order of the goals chooses the draws of the bootstrap
        return {key: listed(each) for key, each in vars(found).items() if key not in ("low", "high", "effect_size")}
    if isinstance(found, dict):
        return {key: listed(each) for key, each in found.items()}
    if isinstance(found, tuple):
        return list(map(listed, found))
    return repr(found.tolist() if isinstance(found, np.ndarray) else found)


def as_kind(kind, values, labels):
    """The values with their labels, as pandas, this package or plain Python has them."""
    if kind == "mapping":
        return dict(zip(labels, values))
    if kind == "column":
        return Column(values, labels)
    if kind == "hits":
        made = Hits.from_relevance(values)
        return Hits(made.shape, made.length, made.row, made.rank, made.grade, query_ids=tuple(labels))
    index = pd.RangeIndex(len(labels)) if labels == list(range(len(labels))) else labels
    return pd.DataFrame(values, index=index) if isinstance(values, np.ndarray) and values.ndim == 2 else pd.Series(list(values), index=index)


def kinds(name, key):
    """The kinds with labels that a parameter may have."""
    annotation = str(inspect.signature(FUNCTIONS[name]).parameters[key].annotation)
    comparison, array = name in ("compare", "leaderboard"), isinstance(PAIRED[key], np.ndarray)
    return ["pandas"] + ["column"] * (array and PAIRED[key].ndim == 1) + ["hits"] * ("Relevance" in annotation) + ["mapping"] * comparison


# Which of four topics one side has, in which order, and under which number: so are they permuted, dropped, doubled and renamed.
CHANGES = [
    (places, names)
    for places in ([0, 1, 2, 3], [1, 0, 2, 3], [3, 2, 1, 0], [2, 3, 1, 0], [0, 1, 2], [1, 2, 3], [0, 1, 2, 3, 3], [0, 1, 1, 3])
    for names in (places, [*places[:-1], 4], [4, *places[1:]])
]  # fmt: skip


@pytest.mark.check
@pytest.mark.parametrize("name", FUNCTIONS)
def test_other_labels_never_change_a_value_in_silence(name):
    """Of two arguments with labels, one is changed: the value is the same, or an error says what differs."""
    for one, other in permutations(paired_parameters(FUNCTIONS[name]), 2):
        values, others = ((PAIRED[key][:, 0] if name == "precision_recall_curve" else PAIRED[key]) for key in (one, other))
        expected = called(name, **{one: values, other: others})
        for labels, kind, other_kind in product((["q1", "q10", "q2", "q3", "new"], [7, 5, 8, 6, 9], [0, 1, 2, 3, 4]), kinds(name, one), kinds(name, other)):
            if labels[0] == 0 and (kind == "pandas") != (other_kind == "pandas"):
                continue  # an index that only counts is no label beside ids
            third = {key: as_kind(kind, PAIRED[key], labels[:4]) for key in ({"a", "b"} - {one, other} if "mapping" in kinds(name, one) else ())}
            for places, names in CHANGES:
                theirs = [labels[number] for number in names]
                changed = others[places] if isinstance(others, np.ndarray) else [others[place] for place in places]
                try:
                    found = called(name, **third | {one: as_kind(kind, values, labels[:4]), other: as_kind(other_kind, changed, theirs)})
                except ValueError as error:
                    assert theirs != labels[:4] and ", expected " in str(error), (one, other, kind, other_kind, places, theirs)
                else:
                    assert found == expected and set(theirs) >= set(labels[:4]), (one, other, kind, other_kind, places, theirs)


def columns_in(found):
    """Every array that has a value for each of the four topics."""
    if isinstance(found, Hits):
        return [found.result(found.count)]
    if isinstance(found, dict):
        return [column for each in found.values() for column in columns_in(each)]
    return [found] if isinstance(found, np.ndarray) and found.shape == (4,) else []


@pytest.mark.parametrize("name", FUNCTIONS)
def test_the_topics_of_what_is_given_are_those_of_what_comes_out(name):
    """Or two results could be paired by position."""
    given = {key: as_kind("pandas", PAIRED[key], TOPICS) for key in paired_parameters(FUNCTIONS[name]) if key not in ("ideal", "groups")}
    if name in ("ties.best", "ties.worst", "ties.shared", "evaluate"):
        given.pop("judged", None)
    needed = inspect.signature(FUNCTIONS[name]).parameters
    try:
        found = FUNCTIONS[name](**{key: GOOD[key] for key, each in needed.items() if each.default is each.empty and key not in given} | given)
    except ValueError:
        return  # numbers that contradict each other
    assert [column for column in columns_in(found) if getattr(column, "topics", None) != tuple(TOPICS)] == []


@pytest.mark.parametrize("function, one, other", [
    (metrics.auc_from_scores, "scores", "labels"), (ties.ndcg, "relevance", "scores"), (metrics.bpref, "relevance", "judged"),
])  # fmt: skip
@pytest.mark.parametrize("table, words", [
    (lambda rows, names: pd.DataFrame(rows, columns=names), ""), (lambda rows, names: pl.DataFrame(dict(zip(names, rows.T))), ""),
    (lambda rows, names: [pd.Series(row, index=names) for row in rows], r"\[0\]"),
])  # fmt: skip
def test_nor_do_other_names_of_columns_or_labels_of_rows(function, one, other, table, words):
    left, right = table(PAIRED[one], list("abc")), PAIRED[other]
    same = function(**{one: left, other: table(right, list("abc"))})
    assert np.array_equal(same, function(**{one: PAIRED[one], other: right}), equal_nan=True)
    with pytest.raises(ValueError, match=f"^{other}{words}: got label 'c' at position 0, expected 'a' as in {one}{words}: align"):
        function(**{one: left, other: table(right[:, ::-1], list("cba"))})


def test_labels_beside_none_go_by_position():
    """Plain values have none, and in `compare` neither has the index that pandas gives to what has none."""
    scores, labels = pd.Series(SCORES[0], index=TOPICS[:3]), GRADES[0]
    assert metrics.auc_from_scores(scores=scores, labels=labels) == metrics.auc_from_scores(scores=SCORES[0], labels=pl.Series(labels)) == 0.5
    expected = called("compare")
    for kind, other in product((list, pd.Series), (tuple, pl.Series)):
        assert called("compare", a=kind(PAIRED["a"]), b=other(PAIRED["b"])) == expected


# ---- Columns -----------------------------------------------------------------------------------------------

QRELS = {"q1": {"a": 1}, "q2": {"a": 1, "b": 1}, "q3": {"b": 1}}
FOUND, LESS = (trec.evaluate(QRELS, run, "AP RR") for run in ({"q1": {"a": 1}, "q2": {"b": 1, "c": 2}}, {"q2": {"a": 1}, "q3": {"b": 1, "c": 2}}))
AP = FOUND["AP"]


def test_runs_that_lack_different_topics_are_not_compared():
    words = r"b: got no value for goal 'q1', expected the goals of a; trec.evaluate\(..., complete=True\) counts what a run lacks"
    with pytest.raises(ValueError, match=f"^{words}$"):
        metrics.compare(AP, LESS["AP"], test="randomisation", undefined=0)
    with pytest.raises(ValueError, match="^a: got values computed from a column in a way that lost its topics"):
        metrics.compare(np.sort(AP), np.sort(AP), test="randomisation", undefined=0)
    for calculation in (np.subtract, np.minimum, np.less, lambda a, b: np.where(a > 0, a, b), lambda a, b: a[b > 0]):
        with pytest.raises(ValueError, match="got label 'q2' at position 0, expected 'q1' as in "):
            calculation(AP, LESS["AP"])


KEEP = {
    "a mask": (lambda a: a[a < 1], ("q2",)), "a slice": (lambda a: a[::-1], ("q2", "q1")), "places": (lambda a: a[[1, 1]], ("q2", "q2")),
    "arithmetic": (lambda a: 1 - 2 * a * a + np.array([1, 2]), ("q1", "q2")), "functions": (lambda a: np.maximum(np.log(a), 0).round(2), ("q1", "q2")),
    "a stand-in": (lambda a: np.nan_to_num(np.where(np.isnan(a), 0, a)), ("q1", "q2")), "a copy": (lambda a: a.copy(), ("q1", "q2")),
    "in place": (lambda a: a.copy().__iadd__(1), ("q1", "q2")), "two results": (lambda a: np.divmod(a, 2)[1], ("q1", "q2")),
    "joined": (lambda a: np.concatenate([a[1:], a]), ("q2", "q1", "q2")), "joined with plain values": (lambda a: np.hstack([a, [0]]), None),
    "a pickle": (lambda a: pickle.loads(pickle.dumps(a)), ("q1", "q2")), "a deep copy": (copy.deepcopy, ("q1", "q2")),
    "sorted": (np.sort, None), "in part": (lambda a: np.partition(a, 1), None), "shifted": (lambda a: np.roll(a, 1), None),
    "two axes": (lambda a: a[:, None], None), "reshaped": (lambda a: a.reshape(2), None), "with a plain matrix": (lambda a: a + np.ones((3, 2)), None),
}  # fmt: skip


@pytest.mark.parametrize(("change", "topics"), KEEP.values(), ids=KEEP)
def test_what_keeps_its_topics(change, topics):
    values = np.array([1, 0.25])
    assert change(AP.copy()).topics == topics
    np.testing.assert_array_equal(change(AP.copy()), change(values), strict=False)
    assert repr(change(AP.copy())) == repr(change(values)) and AP.topics == ("q1", "q2")


def test_columns_of_the_same_topics_meet_without_a_look_at_each_label(monkeypatch):
    monkeypatch.setattr(columns, "require_same_labels", lambda **named: pytest.fail("each label is compared"))
    monkeypatch.setattr(Column, "__getitem__", lambda self, key: pytest.fail("each value is looked up"))
    assert (AP + FOUND["RR"] * 2 - np.abs(AP)).topics == AP.topics and list(AP) == [1, 0.25] and type(next(iter(AP))) is np.float64


OTHER = Column([5.0, 6.0], ["q2", "q1"])
MEETINGS = {
    "a mask in a tuple": lambda a: a[(OTHER > 5,)], "a slice is set": lambda a: a.__setitem__(slice(None), OTHER),
    "a mask is set": lambda a: a.__setitem__(OTHER > 5, 0),
    "put": lambda a: a.put([0, 1], OTHER), "copied": lambda a: np.copyto(a, OTHER), "by a mask": lambda a: np.putmask(a, OTHER > 5, 0),
    "placed": lambda a: np.place(a, OTHER > 5, [0]), "chosen": lambda a: np.select([a > 0], [OTHER]), "a sum": lambda a: np.sum(a, where=OTHER > 5),
    "an output": lambda a: np.add(OTHER, 1, where=OTHER > 5, out=a), "multiplied and added": lambda a: a.dot(OTHER),
    **{each.__name__: lambda a, each=each: each(a, OTHER) for each in (np.dot, np.matmul, np.gradient)},
    "stacked": lambda a: np.stack([a, OTHER]), "weighted": lambda a: np.average(a, weights=OTHER),
    "beside a Series": lambda a: pd.Series([5, 6], index=["q2", "q1"]) - a, "compared": lambda a: pd.Series([5, 6], index=["q2", "q1"]) < a,
    "a function of a Series": lambda a: np.subtract(pd.Series([5, 6], index=["q2", "q1"]), a), "added at": lambda a: np.add.at(a, [0, 1], OTHER),
    "in another type": lambda a: a.astype("f4") - OTHER,
}  # fmt: skip


@pytest.mark.parametrize("meet", MEETINGS.values(), ids=MEETINGS)
def test_entries_of_other_topics_are_not_put_into_a_column(meet):
    values = AP.copy()
    with pytest.raises(ValueError, match="got label 'q[12]' at position 0, expected 'q[12]' as in "):
        meet(values)
    assert values.tolist() == AP.tolist()


@pytest.mark.parametrize("move", [
    lambda a, view: view.sort(), lambda a, view: a.sort(), lambda a, view: a.partition(1), lambda a, view: a.__setitem__(slice(None), [2, 1]),
    lambda a, view: a.put([0, 1], [2, 1]), lambda a, view: np.copyto(view, [2, 1]), lambda a, view: np.add(OTHER, 1, out=a),
    lambda a, view: np.random.default_rng(3).shuffle(a), lambda a, view: view.reshape(-1).sort(),
])  # fmt: skip
def test_where_values_move_neither_they_nor_a_view_of_them_have_topics(move):
    values = AP.copy()
    view = values[::-1]
    move(values, view)
    assert view.topics is None and AP.topics == ("q1", "q2") and values.topics in (None, OTHER.topics)


def test_in_all_else_a_column_is_an_array():
    assert repr(AP) == "array([1.  , 0.25])" and str(AP) == "[1.   0.25]" and AP.tolist() == [1, 0.25] and AP.dtype == np.float64
    for value in (AP[0], AP.sum(), AP.mean(), AP.max(), np.median(AP), np.quantile(AP, 0.5), AP @ AP, np.diff(AP)[0]):
        assert type(value) is np.float64
    assert type(np.array(AP)) is type(AP.cumsum()) is np.ndarray
    assert type(pd.Series([1, 2], index=["q1", "q2"]) - AP) is type(AP - pd.Series([1, 2])) is pd.Series
    with pytest.raises(ValueError, match="^the right side: got label 'q3'"):
        AP - pd.Series([1, 2], index=["q1", "q3"])


def test_the_topics_of_hits_are_those_of_the_values():
    table = pd.DataFrame(GRADES, index=TOPICS)
    new = metrics.evaluate(Hits.from_relevance(table).at_level(1).top(2), "AP", groups=["x", "y", "x", "y"])["x"]["AP"]
    assert new.topics == ("q1", "q2") and type(metrics.precision_curve(table)) is np.ndarray


def test_an_evaluation_is_a_table():
    for found in (FOUND, copy.deepcopy(FOUND), pickle.loads(pickle.dumps(FOUND))):
        table = pd.DataFrame(found, index=found.queries)
        assert table.to_dict("index") == found.by_query() == FOUND.by_query()
        assert pd.DataFrame(found).to_dict("list") == pl.DataFrame(found).to_dict(as_series=False) == table.to_dict("list")
        assert found["AP"].topics == found.queries and (found.missing, found.unjudged) == (("q3",), ()) and "Means over 2 topics" in repr(found)
        assert metrics.compare(table["AP"][::-1], found["AP"], test="randomisation", undefined=0).tied == 2
    for change in (lambda its: its["AP"].sort(), lambda its: its.update(LESS), lambda its: its.update(RR=AP[:1]), lambda its: its.update(RR=[1])):
        found = copy.deepcopy(FOUND)
        change(found)
        with pytest.raises(ValueError, match="^(AP|RR): got values .*, expected one value for each topic in queries"):
            found.by_query()
