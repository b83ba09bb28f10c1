"""Hits within groups of items: as of rankings from which the other groups were taken out."""

import numpy as np
from hypothesis import given, settings, strategies as st

import metrics
from metrics import Hits, split_by_item

GROUP = {"a": "rare", "b": "rare", "c": "usual", "x": "usual", "y": None}
METRICS = [
    metrics.average_precision, metrics.ndcg, metrics.bpref, metrics.auc, metrics.reciprocal_rank,
    lambda hits: metrics.precision_at(hits, 2), lambda hits: metrics.recall_at(hits, 2),
]  # fmt: skip
IDS = st.sampled_from([*"abcxy", "stranger"])
RELEVANT = st.one_of(st.sets(IDS), st.dictionaries(IDS, st.integers(-1, 2)))


def alone(ids, group):
    """What is left of a list, a set or a mapping."""
    kept = [item for item in ids if item in GROUP and GROUP[item] == group]
    return {item: ids[item] for item in kept} if isinstance(ids, dict) else kept


@settings(max_examples=200, deadline=None)
@given(st.lists(st.tuples(st.lists(IDS, unique=True), RELEVANT), max_size=4))
def test_every_metric_of_a_group_is_that_of_its_own_lists(queries):
    rankings, relevant = [ids for ids, _ in queries], [ids for _, ids in queries]
    parts = split_by_item(rankings=rankings, relevant=relevant, group=GROUP, ungrouped="skip")
    assert list(parts) == ["rare", "usual", None]
    for group, hits in parts.items():
        expected = Hits.from_ids(rankings=[alone(ids, group) for ids in rankings], relevant=[alone(ids, group) for ids in relevant])
        for name in ("length", "row", "rank", "grade", "n_relevant"):
            np.testing.assert_array_equal(getattr(hits, name), getattr(expected, name))
        for metric in METRICS:
            np.testing.assert_array_equal(metric(hits), metric(expected))


def test_more_groups_than_two_bytes_can_name():
    ids = list(range(40_000))
    parts = split_by_item(rankings=[ids, ids[::-1]], relevant=[{39_999}, {7}], group={item: -item for item in ids}, ungrouped="raise")
    assert len(parts) == 40_000 and parts[-7].n_relevant.tolist() == [0, 1]
    assert parts[-7].row.tolist() == [1] and parts[-7].rank.tolist() == [1] and parts[-8].rank.size == 0


def test_what_may_be_read_once_empty_lists_and_arrays():
    parts = split_by_item(rankings=(iter(ids) for ids in (["a", "x"], ["b"])), relevant=iter([{"a": 1}, ["b"]]), group=GROUP, ungrouped="raise")
    assert parts["rare"].rank.tolist() == [1, 1]
    assert split_by_item(rankings=[], relevant=[], group=GROUP, ungrouped="raise")["rare"].shape == (0,)
    assert split_by_item(rankings=[["a"]], relevant=[["a"]], group={}, ungrouped="skip") == {}
    numbers = split_by_item(rankings=np.array([[3, 1], [1, 2]]), relevant=[[1], [1]], group={1: "odd", 3: "odd", 2: "even"}, ungrouped="raise")
    assert numbers["odd"].rank.tolist() == [2, 1] and numbers["odd"].length.tolist() == [2, 1]
