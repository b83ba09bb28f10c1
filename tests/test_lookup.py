"""Ids are found as a loop over a set finds them, whatever they are and however they come; hits wherever they lie, and within groups."""

import copy
import pickle
from itertools import product
from numbers import Real

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

import metrics
from metrics import Hits, split_by_item
from metrics._base.arrays import nonzero_in_rows
from metrics._base.lookup import by_arrays, places


def plainly(rankings, relevant):
    """(query, rank, grade) of all that is judged, in lists or in mappings; None if an id stands twice."""
    if any(len(set(ids)) < len(ids) for ids in (*map(list, rankings), *map(list, relevant))):
        return None
    grades = [ids if isinstance(ids, dict) else dict.fromkeys(ids, 1) for ids in relevant]
    return [(query, rank, grades[query][item]) for query, ids in enumerate(rankings) for rank, item in enumerate(ids, 1) if item in grades[query]]


def listed(hits):
    return list(zip(hits.row.tolist(), hits.rank.tolist(), hits.grade.tolist()))


def found(rankings, relevant):
    try:
        hits = Hits.from_ids(rankings=rankings, relevant=relevant)
    except ValueError as error:
        assert "a second time" in str(error)
        return None
    assert (hits.length.tolist(), hits.n_relevant.tolist()) == (list(map(len, rankings)), list(map(len, relevant)))
    return listed(hits)


NUMBERS = st.one_of(st.integers(-3, 12), st.sampled_from([2**31, 2**62, -(2**63), 2**63 - 1]))
DTYPES = st.sampled_from(["i8", "i4", "u8", "u2", ">i8", "?", "f8"])


@settings(max_examples=300)
@given(st.lists(st.tuples(st.lists(NUMBERS, max_size=8), st.lists(NUMBERS, max_size=5)), max_size=4))
def test_whole_numbers_in_arrays_in_lists_and_in_mappings(queries):
    ranked, wanted = [ids for ids, _ in queries], [ids for _, ids in queries]
    arrays = [[np.array(ids, dtype=np.int64) for ids in lists] for lists in (ranked, wanted)]
    expected = plainly(ranked, wanted)
    for rankings, relevant in product((ranked, arrays[0]), (wanted, arrays[1])):
        assert found(rankings, relevant) == expected
    if queries and expected is not None:
        kept = by_arrays(arrays[0], wanted)
        assert kept is None or listed(kept) == expected
        assert found(arrays[0], list(map(set, wanted))) == expected
        graded = [{item: item % 6 - 2 for item in ids} for ids in wanted]
        for hits in (Hits.from_ids(rankings=rankings, relevant=graded) for rankings in (ranked, arrays[0])):
            for kept, right in ((hits, lambda grade: grade > 0), (hits.irrelevant, lambda grade: grade == 0), (hits.unjudged, lambda grade: grade < 0)):
                assert listed(kept) == [each for each in plainly(ranked, graded) if right(each[2])]
                assert kept.n_relevant.tolist() == [sum(map(right, grades.values())) for grades in graded]
            assert hits.ideal.grade.tolist() == [g for grades in graded for g in sorted(grades.values(), reverse=True) if g > 0]


@settings(max_examples=200)
@given(st.data(), st.integers(0, 5), st.booleans())
def test_arrays_of_any_type_with_two_axes(data, n_queries, unique):
    arrays = []
    for n in (data.draw(st.integers(0, 5)), data.draw(st.integers(0, 5))):
        rows = [data.draw(st.lists(st.integers(0, 9), min_size=n, max_size=n, unique=unique)) for _ in range(n_queries)]
        arrays.append(np.array(rows).reshape(n_queries, n).astype(data.draw(DTYPES)))
    assert found(*arrays) == plainly(*(array.tolist() for array in arrays))


MIXED = st.sampled_from([1, 1.0, True, np.int64(1), 2, np.int64(2), np.float32(2), "1", "a", b"a", 0, False, (1,), None, 2**70])


def kinds(ids):
    return {"number" if isinstance(each, (Real, np.bool_)) else type(each) for each in ids}


@settings(max_examples=300)
@given(st.lists(st.tuples(st.lists(MIXED, max_size=6), st.lists(MIXED, max_size=4)), max_size=3), st.booleans())
def test_ids_that_are_equal_are_one_id_and_kinds_that_never_are_equal_are_refused(queries, graded):
    rankings, relevant = [ids for ids, _ in queries], [ids for _, ids in queries]
    expected = plainly(rankings, relevant)
    judged = relevant if expected is None or not graded else [dict.fromkeys(ids, 1) for ids in relevant]
    words = ["a second time"] * (expected is None)
    if any(ids and wanted and kinds(ids).isdisjoint(kinds(wanted)) for ids, wanted in queries):
        words.append(r"^rankings\[\d\]: got .* beside .* in relevant\[\d\], expected ids of one kind.*: convert one side")
    if words:
        with pytest.raises(ValueError, match="|".join(words)):
            Hits.from_ids(rankings=rankings, relevant=judged)
    else:
        assert found(rankings, judged) == expected


@pytest.mark.parametrize("step", [1, 2**32, 2654435769])
def test_numbers_in_step_and_lists_of_very_different_length_and_numbers_that_never_part(step, monkeypatch):
    rankings = [np.arange(size, dtype=np.int64) * step for size in (0, 1, 70_000, 3, 0, 1)]
    relevant = [[0], [0], [69_999 * step, step, 70_000 * step], [2 * step], [], [5]]
    assert found(rankings, relevant) == [(1, 1, 1), (2, 2, 1), (2, 70_000, 1), (3, 3, 1)]
    assert by_arrays(rankings, relevant) is not None
    monkeypatch.setattr("metrics._base.lookup.ROUNDS", 0)
    assert places(np.array([1, 99]), np.array([2])) is None
    assert found(np.array([[1, 99]]), [[99]]) == [(0, 2, 1)]


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
        ours, theirs = ((listed(each), each.length.tolist(), each.n_relevant.tolist()) for each in (hits, expected))
        assert ours == theirs
        for metric in (metrics.ndcg, metrics.bpref, metrics.auc):
            np.testing.assert_array_equal(metric(hits), metric(expected))


def test_arrays_and_more_groups_than_two_bytes_can_name():
    ids = np.arange(40_000)
    parts = split_by_item(rankings=np.array([ids, ids[::-1]]), relevant=[{39_999}, {7}], group={item: -item for item in range(40_000)}, ungrouped="raise")
    assert len(parts) == 40_000 and parts[-7].n_relevant.tolist() == [0, 1]
    assert parts[-7].row.tolist() == [1] and parts[-7].rank.tolist() == [1] and parts[-8].rank.size == 0
    assert split_by_item(rankings=[["a"]], relevant=[["a"]], group={}, ungrouped="skip") == {}
    assert np.isnan(metrics.precision_by_decile(predictions=[], actual=[], decile={"a": 1}, k=1)).all()


@pytest.mark.parametrize("dtype", ["u1", "?", "i2", "f2", "i4", "f4", "u8", "f8", ">f8", "g"])
def test_hits_are_found_wherever_they_lie(dtype):
    """Few take the fast way, whatever the size of an entry and the length of what is left over; many are looked for entry by entry."""
    for hit in np.ndindex(3, 37):
        array = np.zeros((3, 37), dtype)
        array[hit] = 1
        hits = Hits.from_relevance(array)
        assert (hits.row.tolist(), hits.rank.tolist()) == ([hit[0]], [hit[1] + 1])
    for size, every, offset, grade in product((0, 1, 7, 8, 9, 321), (1, 2, 5, 40), (0, 3), (1, 7)):
        flat = np.array([place % every == 0 for place in range(-offset, 3 * size)]).astype(dtype)[offset:] * np.dtype(dtype).type(grade)
        rows = flat.reshape(3, size)
        row, rank, count, value = nonzero_in_rows(rows)
        assert [row.tolist(), (rank - 1).tolist()] == [each.tolist() for each in np.nonzero(rows)]
        assert count.tolist() == np.count_nonzero(rows, axis=1).tolist() and value.tolist() == rows[rows != 0].tolist()


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, lambda hits: pickle.loads(pickle.dumps(hits))])
def test_hits_stay_as_they_were_made(copied):
    """Neither through what they were made of, nor in a copy or a pickle."""
    length = np.array([3, 3])
    hits = Hits.from_judged(length=length, row=np.array([0]), rank=np.array([1]), grade=np.ones(1), pool_row=np.array([0]), pool_grade=np.ones(1))
    length[0] = 99
    assert hits.length.tolist() == [3, 3]
    tied = Hits.from_scores(scores=[1, 1, 2], labels=[0, 1, 0], ties="mean")
    for made in (copied(hits), copied(hits).ideal, copied(tied)):
        arrays = [its for its in vars(made).values() if isinstance(its, np.ndarray)]
        assert arrays and not any(array.flags.writeable for array in arrays)
    assert not hasattr(copied(tied), "rank")
