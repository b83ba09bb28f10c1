"""Ids are found as a loop over a set finds them, whatever they are and however they come."""

from itertools import product
from numbers import Real

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from metrics import Hits
from metrics._base.lookup import by_number, places


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
        kept = by_number(arrays[0], wanted)
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
def test_numbers_in_step_and_lists_of_very_different_length(step):
    rankings = [np.arange(size) * step for size in (0, 1, 70_000, 3, 0, 1)]
    relevant = [[0], [0], [69_999 * step, step, 70_000 * step], [2 * step], [], [5]]
    assert found(rankings, relevant) == [(1, 1, 1), (2, 2, 1), (2, 70_000, 1), (3, 3, 1)]
    assert by_number(rankings, relevant) is not None


def test_numbers_that_never_part_are_left_to_the_other_way(monkeypatch):
    monkeypatch.setattr("metrics._base.lookup.ROUNDS", 0)
    assert places(np.array([1, 99]), np.array([2])) is None
    assert found(np.array([[1, 99]]), [[99]]) == [(0, 2, 1)]
