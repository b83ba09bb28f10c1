"""Hits within groups of items: as of rankings from which the other groups were taken out."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

import metrics
from metrics import Hits, split_by_item

GROUP = {"a": "rare", "b": "rare", "c": "usual", "x": "usual", "y": None}
METRICS = [
    metrics.average_precision,
    metrics.ndcg,
    metrics.bpref,
    metrics.auc,
    metrics.reciprocal_rank,
    lambda hits: metrics.precision_at(hits, 2),
    lambda hits: metrics.recall_at(hits, 2),
]
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


@settings(max_examples=50, deadline=None)
@given(st.lists(st.tuples(st.lists(st.sampled_from("abcxyz"), unique=True), st.sets(st.sampled_from("abcxyz"))), max_size=5))
def test_deciles_are_groups(instances):
    """The functions by decile skip the instances without an actual label in the decile, where R = 0."""
    made, wanted, decile = [ids for ids, _ in instances], [ids for _, ids in instances], {"a": 10, "b": 10, "c": 1, "x": 3}
    case = {"predictions": made, "actual": wanted, "decile": decile}
    parts = split_by_item(rankings=made, relevant=wanted, group=decile, ungrouped="skip")
    for d, hits in parts.items():
        present = hits.n_relevant > 0
        values = {
            "precision_by_decile": metrics.hits_at(hits, 2)[present] / np.clip(hits.length, 1, 2)[present],
            "ndcg_by_decile": metrics.ndcg(hits, 2)[present],
        }
        for name, each in values.items():
            by_decile = getattr(metrics, name)(**case, k=2)
            assert by_decile[d - 1] == np.mean(each) if present.any() else np.isnan(by_decile[d - 1])


def test_recall_hit_rate_and_rr_by_decile_on_one_pass():
    made, wanted = [["a", "x", "b", "c"], ["c", "x"]], [["b", "c"], ["c", "a"]]
    parts = split_by_item(rankings=made, relevant=wanted, group={"a": 10, "b": 10, "c": 1, "x": 1}, ungrouped="raise")
    values = {d: metrics.evaluate(hits, "R@1 Success@2 RR") for d, hits in parts.items()}
    assert {name: each.tolist() for name, each in values[10].items()} == {"R@1": [0, 0], "Success@2": [1, 0], "RR": [1 / 2, 0]}
    assert {name: each.tolist() for name, each in values[1].items()} == {"R@1": [0, 1], "Success@2": [1, 1], "RR": [1 / 2, 1]}


def test_more_groups_than_two_bytes_can_name():
    ids = list(range(40_000))
    parts = split_by_item(rankings=[ids, ids[::-1]], relevant=[{39_999}, {7}], group={item: -item for item in ids}, ungrouped="raise")
    assert len(parts) == 40_000 and parts[-7].n_relevant.tolist() == [0, 1]
    assert parts[-7].row.tolist() == [1] and parts[-7].rank.tolist() == [1] and parts[-8].rank.size == 0


def test_the_input_stays_as_it_is_and_may_be_read_once():
    rankings, relevant, group = [["a", "x"], ["b"]], [{"a": 1}, ["b"]], dict(GROUP)
    split_by_item(rankings=rankings, relevant=relevant, group=group, ungrouped="raise")
    assert (rankings, relevant, group) == ([["a", "x"], ["b"]], [{"a": 1}, ["b"]], GROUP)
    parts = split_by_item(rankings=(iter(ids) for ids in rankings), relevant=iter(relevant), group=group, ungrouped="raise")
    assert parts["rare"].rank.tolist() == [1, 1]
    assert split_by_item(rankings=[], relevant=[], group=GROUP, ungrouped="raise")["rare"].shape == (0,)
    assert split_by_item(rankings=[["a"]], relevant=[["a"]], group={}, ungrouped="skip") == {}
    numbers = split_by_item(rankings=np.array([[3, 1], [1, 2]]), relevant=[[1], [1]], group={1: "odd", 3: "odd", 2: "even"}, ungrouped="raise")
    assert numbers["odd"].rank.tolist() == [2, 1] and numbers["odd"].length.tolist() == [2, 1]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"rankings": [["a", "who"]]}, "group: got none for 'who', expected a group for every id, or ungrouped='skip'"),
        ({"relevant": [["who"]]}, "group: got none for 'who'"),
        ({"relevant": [{"who": 0}]}, "group: got none for 'who'"),
        ({"group": [1, 2]}, "group: got [1, 2], expected a mapping from id to group"),
        ({"ungrouped": "other"}, "ungrouped: got 'other', expected 'raise' or 'skip'"),
        ({"rankings": [["a", "b", "a"]]}, "rankings[0]: got 'a' a second time, at position 2"),
        ({"rankings": [["a", []]]}, "rankings[0]: got [] at position 1, expected ids that can be hashed"),
        ({"rankings": [["a", []]], "relevant": [{"a": 1}]}, "rankings[0]: got [] at position 1"),
        ({"rankings": [{"a"}]}, "rankings[0]: got a set, which has no order"),
        ({"relevant": [["a", "a"]]}, "relevant[0]: got 'a' a second time"),
        ({"relevant": [{"a": "x"}]}, "relevant[0]: got 'x' for id 'a'"),
        ({"relevant": []}, "relevant: got 0 collections, expected one for each of the 1 rankings"),
        ({"relevant": [{"a": 1}, {"a": 1}]}, "relevant: got 2 collections, expected one for each of the 1 rankings"),
        ({"group": {"a": []}}, "group: got an unhashable type: 'list', expected groups that can be hashed"),
    ],
)
def test_what_is_refused(change, message):
    with pytest.raises(ValueError) as error:
        split_by_item(**{"rankings": [["a"]], "relevant": [["a"]], "group": GROUP, "ungrouped": "raise"} | change)
    assert str(error.value).startswith(message)


def test_labels_without_a_decile_are_in_none():
    case = {"predictions": [["u", "a"], ["a"]], "actual": [["a", "v"], ["v"]], "decile": {"a": 2}}
    for name, top in product(("precision_by_decile", "ndcg_by_decile"), (1, 2, 2**70)):
        value = getattr(metrics, name)(**case, k=1, top=top)
        assert value[1] == (top >= 2) and np.isnan(np.delete(value, 1)).all()
