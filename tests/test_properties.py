"""Hits are found wherever they lie, and where they are few without a look at every entry."""

from itertools import product

import numpy as np
import pytest

from metrics import Hits
from metrics.hits import nonzero


@pytest.mark.parametrize("dtype", ["u1", "?", "i2", "f2", "i4", "f4", "u8", "f8", ">f8", "g"])
def test_hits_are_found_wherever_they_lie(dtype):
    """Few take the fast way, whatever the size of an entry and the length of what is left over; many are looked for entry by entry."""
    for hit in np.ndindex(3, 37):
        array = np.zeros((3, 37), dtype)
        array[hit] = 1
        hits = Hits.from_relevance(array)
        assert (hits.row.tolist(), hits.rank.tolist()) == ([hit[0]], [hit[1] + 1])
    for size, every, offset in product((0, 1, 7, 8, 9, 321), (1, 2, 5, 40), (0, 3)):
        flat = np.array([place % every == 0 for place in range(-offset, size)], dtype)[offset:]
        assert nonzero(flat).tolist() == [place for place in range(size) if place % every == 0]


def test_few_hits_are_found_word_by_word():
    """The numbers go through NumPy in words of eight bytes, and of the words only the busy ones are opened."""
    matrix = np.zeros(7 * 8 * 999, np.uint8)
    matrix[3 * 8 * 999 + 5] = 1
    opened = []

    class Counting(np.ndarray):
        def __array_ufunc__(self, ufunc, method, *inputs, **options):
            opened.append(max(np.size(each) for each in inputs))
            return getattr(ufunc, method)(*(np.asarray(each) for each in inputs), **options)

    assert nonzero(matrix.view(Counting)).tolist() == [3 * 8 * 999 + 5]
    assert opened and max(opened) == matrix.size // 8
