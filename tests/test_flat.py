"""Columns of query, label and score give the rankings that the same rows give elsewhere."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, strategies as st

import metrics
from metrics import Hits, from_columns

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


def test_values_pair_by_query():
    table = pd.DataFrame({"q": [7, 8, 7, 8], "y": [1, 0, 0, 1], "s": [0.1, 0.2, 0.9, 0.4]})
    one, other = (from_columns(query_id=its["q"], label=its["y"], score=its["s"]) for its in (table, table[::-1]))
    found = metrics.evaluate({"one": one, "other": other}, "AP", undefined=0)
    assert found.compare("one", "other", "AP").tied == 2 and found["other"].queries == (8, 7)


@pytest.mark.parametrize("change, words", [
    ({"label": [1, 0]}, "label: got 2 values, expected one for each of the 3 rows of query_id"),
    ({"label": [1, -1, 0]}, "label: got -1.0 in row 1, expected finite grades >= 0"),
    ({"score": [1, float("nan"), 0]}, "score: got nan in row 1"),
    ({"label": pd.Series([1, 0, 1], list("abc")), "score": pd.Series([2, 1, 5], list("acb"))}, "score: got label 'c' at position 1, expected 'b' as in label"),
    ({"score": [[1, 2, 3]]}, r"score: got an array of shape \(1, 3\)"),
    ({"query_id": ["q", ["r"], "q"]}, r"query_id: got \['r'\] in row 1"),
    ({"score": [5, 5, 0]}, "score: got the score 5.0 twice in query 'q', for labels 1.0 and 0.0, expected other scores, or ties='stable' or"),
])  # fmt: skip
def test_a_bad_column_is_named(change, words):
    with pytest.raises(ValueError, match=f"^{words}"):
        from_columns(**{"query_id": ["q", "q", "r"], "label": [1, 0, 1], "score": [2, 1, 5]} | change)
