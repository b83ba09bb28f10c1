"""Hits from tables and from columns: of every library the same, and those of lists of ids."""

import re
import sys
from fractions import Fraction
from itertools import product

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, strategies as st

import metrics
from metrics import Hits, from_columns, from_frame
from metrics._base.tables import COLUMNS

LIBRARIES = {
    "pandas": pd.DataFrame,
    "polars": pl.DataFrame,
    "polars, lazy": pl.LazyFrame,
    "pyarrow": pa.table,
    "duckdb": lambda columns: duckdb.from_arrow(pa.table(columns)),
}
RUN = {"query": ["q1", "q1", "q2", "q2", "q3"], "item": ["a", "b", "a", "c", "z"], "score": [0.2, 0.9, 0.5, 0.7, 1.0]}
QRELS = {"query": ["q2", "q2", "q1", "q4"], "item": ["a", "x", "a", "y"], "grade": [1, 0, 2, 1]}


def held(hits):
    """All that `Hits` hold, in lists."""
    if hits is None:
        return None
    arrays = [getattr(hits, name).tolist() for name in ("length", "row", "rank", "grade", "n_relevant", "count")]
    return arrays, hits.shape, np.all(hits.graded), hits.ideal.grade.tolist(), held(hits.irrelevant), held(hits.unjudged)


@pytest.mark.check
@pytest.mark.parametrize("of_run, of_qrels", list(product(LIBRARIES, repeat=2)))
def test_every_library_gives_the_hits_of_the_ids(of_run, of_qrels):
    run, qrels, rankings = LIBRARIES[of_run](RUN), LIBRARIES[of_qrels](QRELS), [["c", "a"], ["b", "a"], []]
    for grade, relevant in (("grade", [{"a": 1, "x": 0}, {"a": 2}, {"y": 1}]), (None, [["a", "x"], ["a"], ["y"]])):
        hits = from_frame(run, qrels, grade=grade)
        assert hits.query_ids == ("q2", "q1", "q4")
        assert held(hits) == held(Hits.from_ids(rankings=rankings, relevant=relevant))


def in_order(items, ties):
    """Items (id, score, grade), the best first, as plain Python sorts them."""
    if ties != "trec_eval":
        way = {"stable": 0, "best": -1, "worst": 1}[ties]
        return sorted(items, key=lambda item: (-item[1], way * item[2]))
    with np.errstate(over="ignore"):
        return sorted(items, key=lambda item: (np.float32(item[1]), str(item[0])), reverse=True)


SCORES = st.sampled_from([-np.inf, -1.5, -0.0, 0.0, 0.5, 0.5 + 1e-12, 16777216.0, 16777217.0, 1e39, np.inf])
TABLES = st.lists(st.tuples(st.integers(1, 3), st.integers(1, 12), SCORES), unique_by=lambda line: line[:2], min_size=1, max_size=30)
# No grade of -1: where it ties with what has no grade, no measure depends on the order, and none is looked for.
JUDGED = st.lists(
    st.tuples(st.integers(1, 4), st.integers(1, 12), st.sampled_from([-2.0, -0.5, 0.0, 1.0, 2.0, 2.5])), unique_by=lambda line: line[:2], min_size=1
)


@given(TABLES, JUDGED, st.sampled_from(["stable", "best", "worst", "trec_eval"]), st.booleans(), st.sampled_from([pd.DataFrame, pl.DataFrame]))
def test_any_table_gives_the_hits_of_the_ids(lines, judged, ties, graded, library):
    run = library(dict(zip(("query", "item", "score"), map(list, zip(*lines)))))
    qrels = library(dict(zip(("query", "item", "grade"), map(list, zip(*judged)))))
    grade, absent, known = ("grade" if graded else None), (-1 if graded else 0), {}
    for query, item, value in judged:
        known.setdefault(query, {})[item] = value if graded else 1
    of = {query: [(i, score, known[query].get(i, absent)) for q, i, score in lines if q == query] for query in known}

    def expected(ties):
        rankings = [[item for item, *_ in in_order(items, ties)] for items in of.values()]
        return Hits.from_ids(rankings=rankings, relevant=[grades if graded else list(grades) for grades in known.values()])

    hits = from_frame(run, qrels, grade=grade, ties=ties)
    assert hits.query_ids == tuple(known)
    assert held(hits) == held(expected(ties))
    if any(a[1] == b[1] and a[2] != b[2] for items in of.values() for a, b in product(items, repeat=2)):
        with pytest.raises(ValueError, match="^run: got the score .* which are judged differently, expected other scores"):
            from_frame(run, qrels, grade=grade)
    else:
        assert held(from_frame(run, qrels, grade=grade)) == held(expected("stable"))


def made(run, qrels, **more):
    return held(from_frame(run, qrels, grade="grade", **more))


HELD = made(pd.DataFrame(RUN), pd.DataFrame(QRELS))


TEXT = [pd.Categorical, lambda column: pd.Series(column, dtype="string"), lambda column: pd.Series(column, dtype=object)]
BY_POLARS = pl.DataFrame(RUN), pl.DataFrame(QRELS)
IN_NUMBERS = [each.with_columns(pl.col("query").str.slice(1).cast(pl.Int64), pl.col("item").map_elements(ord, pl.Int64)) for each in BY_POLARS]


@pytest.mark.parametrize("run, qrels", [
    *((pd.DataFrame(RUN | {"item": one(RUN["item"])}), pd.DataFrame(QRELS | {"item": other(QRELS["item"])})) for one, other in product(TEXT, repeat=2)),
    (pa.table(RUN).set_column(1, "item", pa.array(RUN["item"], pa.large_string())), pa.table(QRELS)),
    (pd.DataFrame(RUN | {"score": [1, 2, 3, 2**53, 5]}), pd.DataFrame(QRELS)),
    *((BY_POLARS[0], BY_POLARS[1].cast({"grade": kind})) for kind in (pl.Int8, pl.Decimal(10, 2))),
    *((to(IN_NUMBERS[0].cast({"item": pl.UInt8})), to(IN_NUMBERS[1])) for to in (pl.DataFrame.clone, pl.DataFrame.to_arrow, pl.DataFrame.to_pandas)),
])  # fmt: skip
def test_types_of_columns(run, qrels):
    assert made(run, qrels) == HELD


def test_empty_tables_other_names_and_grades_that_are_true_or_false():
    (run, qrels), above = BY_POLARS, pl.col("grade") > 0
    assert made(run, qrels.with_columns(above)) == made(run, qrels.with_columns(above.cast(pl.Int8)))
    assert made(run.rename({"query": "user"}), qrels, query=("user", "query")) == HELD
    hits = from_frame(run.clear(), qrels, grade="grade")
    assert (hits.query_ids, hits.length.tolist(), hits.n_relevant.tolist()) == (("q2", "q1", "q4"), [0, 0, 0], [1, 1, 1])
    assert from_frame(run, qrels.clear(), grade="grade").shape == (0,)


@pytest.mark.check
@pytest.mark.parametrize("name", [*COLUMNS["grade"], "rating", "note"])
@pytest.mark.parametrize("library", LIBRARIES.values(), ids=LIBRARIES.keys())
def test_a_column_of_grades_is_found_or_asked_for(library, name):
    """A grade of 0 is not relevant because nobody said in which column it stands; without grades each row is relevant."""
    run, qrels = library(RUN), {"query": QRELS["query"], "item": QRELS["item"]}
    graded = library(qrels | {name: QRELS["grade"] if name != "note" else list("abcd")})
    whole = held(from_frame(run, library(qrels)))
    assert held(from_frame(run, graded, grade=None)) == whole
    if name == "rating":
        with pytest.raises(ValueError, match=r"^qrels: got columns .*'rating'\], expected grade='rating', or grade=None if each row"):
            from_frame(run, graded)
    elif name not in ("note", "grade"):
        with pytest.raises(ValueError, match=r"expected grade='digits', or grade=None if each row"):
            from_frame(run, library(qrels | {"digits": list("0101")}))
        with pytest.raises(ValueError, match=r"expected grade='.*' or '.*', or grade=None if each row"):
            from_frame(run, library(qrels | {name: QRELS["grade"], "grade": QRELS["grade"]}))
    assert name == "note" or held(from_frame(run, graded, grade=name)) == HELD != whole
    assert name == "rating" or held(from_frame(run, graded)) == (HELD if name != "note" else whole)


def changed(columns, library=pd.DataFrame, **other):
    return library({name: column for name, column in (columns | other).items() if column is not None})


@pytest.mark.check
@pytest.mark.parametrize("more, words", [
    ({"run": [1]}, "run: got a list, expected a data frame of pandas or Polars, a pyarrow table or a DuckDB relation"),
    ({"run": changed(RUN, item=None, doc=RUN["item"])}, "run: got columns ['query', 'score', 'doc'], expected a column 'item'"),
    ({"run": changed(RUN, item=["a", None, "a", "c", "z"])}, "run: got no value in column 'item', row 1, expected a value in every row"),
    ({"run": changed(RUN, score=list("abcde"))}, "run: got String in column 'score', expected numbers"),
    ({"run": changed(RUN, pl.DataFrame, score=[1.0, 2.0, np.nan, 3.0, 4.0])}, "run: got nan in column 'score', row 2, expected numbers that can be ordered"),
    ({"run": changed(RUN, score=[1, 2, 3, 4, 2**53 + 1])}, "run: got whole numbers beyond 2^53 in column 'score'"),
    ({"qrels": changed(QRELS, grade=[1, 2, np.inf, 0]), "grade": "grade"}, "qrels: got inf in column 'grade', row 2, expected finite grades"),
    ({"run": changed(RUN, query=["q1", "q1", "q2", "q2", "q1"], item=["a", "b", "a", "c", "b"])}, "run: got item 'b' of query 'q1' a second time, expected"),
    ({"qrels": changed(QRELS, item=[1, 2, 3, 4])}, "qrels: got Int64 in column 'item', expected String, as in column 'item' of run: ids of different types"),
    ({"run": changed(RUN, score=[0.5, 0.5, 1, 2, 3])},
     "run: got the score 0.5 for 'a' and 'b' of query 'q1', which are judged differently, expected other scores, or ties='stable' or"),
    ({"run": changed(RUN, item=[b"a"] * 5), "qrels": changed(QRELS, item=[("a",)] * 4)}, "run: got b'a' beside ('a',) in qrels, expected ids of one kind"),
    ({"run": changed(RUN, item=np.array([2**64 - 1, 1, 2, 3, 4], "u8"))}, "run: got a whole number of 2^63 or more in column 'item'"),
    ({"run": changed(RUN, query=pd.Categorical([1] * 5))}, "run: got categories that are not text in column 'query'"),
    ({"item": ("a", "b", "c")}, "item: got ('a', 'b', 'c'), expected the name of a column, or a pair of names, for run and for qrels"),
])  # fmt: skip
def test_what_is_wrong_is_named(more, words):
    with pytest.raises(ValueError, match="^" + re.escape(words)):
        from_frame(**{"run": pd.DataFrame(RUN), "qrels": pd.DataFrame(QRELS)} | more)


def test_without_narwhals_it_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "narwhals", None)
    with pytest.raises(ImportError, match="from_frame needs narwhals.*: pip install narwhals$"):
        from_frame(pd.DataFrame(RUN), pd.DataFrame(QRELS))


ROWS = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 2), st.integers(0, 3)), min_size=1, max_size=12)


@given(ROWS, st.sampled_from(["stable", "best", "worst"]), st.sampled_from([list, np.array, lambda ids: np.array(ids).astype(str)]))
def test_each_query_is_ranked_by_its_scores(rows, ties, kind):
    query, label, score = zip(*rows)
    hits = from_columns(query_id=kind(list(query)), label=label, score=score, ties=ties)
    assert list(map(int, hits.query_ids)) == list(dict.fromkeys(query))
    for place, name in enumerate(dict.fromkeys(query)):
        its = [row[1:] for row in rows if row[0] == name]
        alone = Hits.from_scores(scores=[score for _, score in its], labels=[label for label, _ in its], ties=ties)
        assert hits.rank[hits.row == place].tolist() == alone.rank.tolist() and hits.length[place] == len(its)
        assert hits.grade[hits.row == place].tolist() == alone.grade.tolist()


BIG = 2**53


@pytest.mark.parametrize("scores", [
    [BIG, BIG + 1, BIG + 2], np.array([BIG, BIG + 1, BIG + 2]), pd.Series([BIG, BIG + 1, BIG + 2], dtype="Int64"), pl.Series([-BIG - 2, -BIG - 1, -BIG]),
    [2**64 - 3, 2**64 - 2, 2**64 - 1], np.array([2**64 - 2, 2**64 - 1, 0], "u8")[[2, 0, 1]], [-(2**63), 0, 2**63 - 1], [True, 2, 3], [False, False, True],
    np.longdouble(1) + np.arange(3, dtype=np.longdouble) * np.finfo(np.longdouble).eps,
])  # fmt: skip
def test_scores_that_numpy_tells_apart_are_ranked_as_they_are(scores):
    """The highest is the last, and by `from_columns` the ranks are those of `from_scores`."""
    hits = from_columns(query_id=[1, 1, 1], label=[0, 0, 1], score=scores)
    assert hits.rank.tolist() == Hits.from_scores(scores=scores, labels=[0, 0, 1], ties="raise").rank.tolist() == [1]
    if len(set(np.asarray(scores).tolist())) == 3:
        assert from_columns(query_id=[1, 1, 1], label=[0, 1, 0], score=scores).rank.tolist() == [2]


@pytest.mark.parametrize("scores", [
    [BIG, BIG + 1, 0.5], [Fraction(1, 3), 1 / 3, 1], [2**70, 2**70 + 1, 0], [np.uint64(2**64 - 1), np.uint64(2**64 - 2), -1],
    np.array([2**70, 2**70 + 1, 0], dtype=object), pd.Series([Fraction(1, 3), 1 / 3, 1]),
])  # fmt: skip
def test_scores_that_only_rounding_makes_equal_are_no_tie(scores):
    for name, call in {
        "score": lambda: from_columns(query_id=[1, 1, 1], label=[0, 1, 1], score=scores, ties="stable"),
        "scores": lambda: Hits.from_scores(scores=[scores, [1, 2, 3]] if isinstance(scores, list) else scores, labels=[[0, 1, 1]] * 2
                                           if isinstance(scores, list) else [0, 1, 1], ties="stable"),
        "a": lambda: metrics.kendall_tau(scores, [1, 2, 3]),
    }.items():  # fmt: skip
        with pytest.raises(ValueError, match=rf"^{name}: got .* and .*, which are equal as float64, expected numbers that NumPy tells apart"):
            call()
    assert from_columns(query_id=[1, 2, 3], label=[0, 1, 1], score=[Fraction(1, 3), 2**70, 0.5]).rank.tolist() == [1, 1]


@pytest.mark.parametrize("change, words", [
    ({"label": [1, 0]}, "label: got 2 values, expected one for each of the 3 rows of query_id"),
    ({"label": pd.Series([1, 0, 1], list("abc")), "score": pd.Series([2, 1, 5], list("acb"))}, "score: got label 'c' at position 1, expected 'b' as in label"),
    ({"score": [5, 5, 0]}, "score: got the score 5 twice in query 'q', for labels 1.0 and 0.0, expected other scores, or ties='stable' or"),
])  # fmt: skip
def test_a_bad_column_is_named(change, words):
    with pytest.raises(ValueError, match=f"^{words}"):
        from_columns(**{"query_id": ["q", "q", "r"], "label": [1, 0, 1], "score": [2, 1, 5]} | change)
