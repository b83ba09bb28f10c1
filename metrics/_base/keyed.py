"""Mappings by query or instance: their entries are put in one order, and errors name them by key."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Literal, TypeAlias

from .checks import as_lists, choice, id_sets, refuse, refuse_odd, require_one_kind, require_same_labels
from .types import Lists

Missing: TypeAlias = Literal["raise", "skip", "empty"]  # what becomes of a query that one side lacks
MISSING = "raise", "skip", "empty"


def by_key(missing: Missing | None = None, **sides: Any) -> tuple[list[Hashable] | None, list[Any]]:
    """The keys and, for each side, its entries in the order of the keys; if no side is a mapping, None and the sides unchanged.

    The keys are in the order of the last side, then in that of the others. missing: what becomes of a key that one side
    lacks: "raise", "skip" (it is left out) or "empty" (an empty collection is put there); None raises, too, and offers no choice.
    """
    if missing is not None:
        choice("missing", missing, MISSING)
    if not any(isinstance(side, Mapping) for side in sides.values()):
        return None, list(sides.values())
    (first, *_), (*_, last) = sides, sides
    for name, side in sides.items():
        if not isinstance(side, Mapping):
            other = next(name for name, its in sides.items() if isinstance(its, Mapping))
            refuse(name, f"a {type(side).__name__}", f"a mapping by query, as {other} is")
    require_one_kind(first, [sides[first].keys()], last, [sides[last].keys()])
    keys = list(dict.fromkeys(key for name in reversed(sides) for key in sides[name]))
    for name, side in sides.items():
        refuse_odd(name, side)
    if missing == "skip":
        keys = [key for key in keys if all(key in side for side in sides.values())]
        if not keys:
            refuse(first, f"no key of {last}", f"keys such as {next(iter(sides[last]), None)!r}")
    if missing in (None, "raise"):
        way_out = 'missing="skip" (such keys are left out) or "empty" (nothing is there)' if missing else "an empty list there"
        for name, side in sides.items():
            if lacking := [key for key in keys if key not in side]:
                few = ", ".join(map(repr, lacking[:3])) + ", ..." * (len(lacking) > 3)
                others = " and ".join(other for other in sides if other != name)
                refuse(name, f"nothing for {len(lacking)} of {len(keys)} keys ({few})", f"the keys of {others}; or {way_out}")
    nothing: dict[str, Any] = {name: {} if any(isinstance(its, Mapping) for its in side.values()) else () for name, side in sides.items()}
    return keys, [[side.get(key, nothing[name]) for key in keys] for name, side in sides.items()]


@contextmanager
def named_by_key(keys: Sequence[Hashable] | None, **names: str) -> Iterator[None]:
    """In an error that names a place by position, such as rankings[0], replace the position with the key, and the
    name of the argument with the caller's name for it.
    """
    try:
        yield
    except ValueError as error:
        if keys is None:
            raise
        place = re.compile(rf"\b({'|'.join(names)})\[(\d+)\]")
        raise ValueError(place.sub(lambda found: f"{names[found[1]]}[{keys[int(found[2])]!r}]", str(error))) from None


def label_lists(predictions: Lists, actual: Lists) -> tuple[list[list[Any]], list[set[Any]]]:
    """The predicted labels, with any duplicates, and the sets of actual labels."""
    require_same_labels(predictions=predictions, actual=actual)
    keys, (predictions, actual) = by_key(predictions=predictions, actual=actual)
    with named_by_key(keys, predictions="predictions", actual="actual"):
        made, wanted = as_lists("predictions", predictions), id_sets("actual", actual)
    if len(made) != len(wanted):
        expected = f"one for each of the {len(made)} instances in predictions"
        refuse("actual", f"{len(wanted)} label lists", expected)
    return made, wanted
