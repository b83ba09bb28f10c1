"""Ids of documents as bytes: in Arrow arrays if pyarrow is installed, otherwise in lists."""

from functools import cache
from itertools import chain
from typing import Any, TypeAlias

import numpy as np

from .._base.checks import refuse
from .._base.types import Array, Ints

Documents: TypeAlias = Any  # ids as Arrow's array of bytes, or as a list of bytes where there is no pyarrow


@cache
def arrow() -> Any:
    """The module pyarrow, with the parts of it that are used here, or None if it is not installed."""
    try:
        import pyarrow
        import pyarrow.compute
        import pyarrow.csv
    except ImportError:
        return None
    return pyarrow


def pool() -> Any:
    """A memory pool that returns freed memory to the system, whereas Arrow's own pool keeps it."""
    return arrow().system_memory_pool()


def packed(ids: list[bytes]) -> Documents:
    """The documents in the form in which this module keeps them."""
    if not (pa := arrow()):
        return ids
    offset = np.concatenate([[0], np.cumsum(list(map(len, ids)), dtype=np.int64)]).astype(np.int64)
    buffers = [None, pa.py_buffer(offset), pa.py_buffer(b"".join(ids))]
    return pa.Array.from_buffers(pa.large_binary(), len(ids), buffers)


def unpacked(documents: Documents) -> list[bytes]:
    """The documents as a list."""
    return documents if isinstance(documents, list) else documents.to_pylist()


def concatenated(parts: list[Documents]) -> Documents:
    """All documents, with the parts joined end to end."""
    if isinstance(parts[0], list):
        return list(chain.from_iterable(parts))
    return arrow().concat_arrays(parts, memory_pool=pool())


def taken(documents: Documents, places: Ints) -> Documents:
    """The documents at these places."""
    if isinstance(documents, list):
        return [documents[place] for place in places.tolist()]
    pa, places = arrow(), np.ascontiguousarray(places, dtype=np.int64)
    indices = pa.Array.from_buffers(pa.int64(), places.size, [None, pa.py_buffer(places)])
    return pa.compute.take(documents, indices, memory_pool=pool())


def numbered(documents: Documents) -> Array:
    """A number for each document; equal documents have equal numbers, counted from 0 in the order of first appearance."""
    if not isinstance(documents, list):
        return np.from_dlpack(arrow().compute.dictionary_encode(documents, memory_pool=pool()).indices)
    numbers = dict(zip(dict.fromkeys(documents), range(len(documents))))
    return np.fromiter(map(numbers.__getitem__, documents), dtype=np.int64, count=len(documents))


def decoded(text: bytes) -> str:
    """The bytes as Python text; bytes that are not UTF-8 are restored when the text is encoded again."""
    return text.decode("utf-8", "surrogateescape")


def encoded(name: str, ids: list[Any]) -> list[bytes]:
    """The ids as bytes."""
    for item in ids:
        if not isinstance(item, str):
            refuse(name, f"the id {item!r} of type {type(item).__name__}", "ids that are text, as in files")
    try:
        return [item.encode("utf-8", "surrogateescape") for item in ids]
    except UnicodeEncodeError as error:
        refuse(name, f"the id {error.object!r}", "ids that UTF-8 can encode")
