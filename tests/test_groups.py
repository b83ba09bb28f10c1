"""Hits within groups of items: as of rankings from which the other groups were taken out."""

import numpy as np
from hypothesis import given, settings, strategies as st

import metrics
from metrics import Hits, split_by_item

GROUP = {"a": "rare", "b": "rare", "c": "usual", "x": "usual", "y": None}
IDS = st.sampled_from([*"abcxy", "stranger"])
RELEVANT = st.one_of(st.sets(IDS), st.dictionaries(IDS, st.integers(-1, 2)))


def alone(ids, group):
    """What is left of a list, a set or a mapping."""
    kept = [item for item in ids if item in GROUP and GROUP[item] == group]
    return {item: ids[item] for item in kept} if isinstance(ids, dict) else kept


@settings(max_examples=200)
@given(st.lists(st.tuples(st.lists(IDS, unique=True), RELEVANT), max_size=4))
def test_every_metric_of_a_group_is_that_of_its_own_lists(queries):
    rankings, relevant = [ids for ids, _ in queries], [ids for _, ids in queries]
    parts = split_by_item(rankings=map(iter, rankings), relevant=iter(relevant), group=GROUP, ungrouped="skip")
    assert list(parts) == ["rare", "usual", None]
    for group, hits in parts.items():
        expected = Hits.from_ids(rankings=[alone(ids, group) for ids in rankings], relevant=[alone(ids, group) for ids in relevant])
        for name in ("length", "row", "rank", "grade", "n_relevant"):
            np.testing.assert_array_equal(getattr(hits, name), getattr(expected, name))
        for metric in (metrics.ndcg, metrics.bpref, metrics.auc):
            np.testing.assert_array_equal(metric(hits), metric(expected))


def test_arrays_and_more_groups_than_two_bytes_can_name():
    ids = np.arange(40_000)
    parts = split_by_item(rankings=np.array([ids, ids[::-1]]), relevant=[{39_999}, {7}], group={item: -item for item in range(40_000)}, ungrouped="raise")
    assert len(parts) == 40_000 and parts[-7].n_relevant.tolist() == [0, 1]
    assert parts[-7].row.tolist() == [1] and parts[-7].rank.tolist() == [1] and parts[-8].rank.size == 0
    assert split_by_item(rankings=[["a"]], relevant=[["a"]], group={}, ungrouped="skip") == {}
    assert np.isnan(metrics.precision_by_decile(predictions=[], actual=[], decile={"a": 1}, k=1)).all()
