"""Values of systems, paired goal by goal; errors name what cannot be paired."""

from collections.abc import Hashable, Iterable, Mapping
from itertools import compress
from typing import Any, TypeAlias

import numpy as np

from ..._base.checks import collection, id_list, index_of, is_label, labels_of, numeric, refuse, require_one_kind
from ..._base.columns import Column
from ..._base.types import Floats, Ints, Numbers
from ..means import defined

OfGoals: TypeAlias = Numbers | Mapping[Any, float]  # one value per goal, or goal -> value
Groups: TypeAlias = Iterable[Hashable] | Mapping[Any, Hashable]  # one label per goal, or goal -> label


def values_by_topic(runs: Mapping[str, Any], undefined: Any, groups: Any) -> tuple[Floats, Ints | None, int]:
    """The values, with a row for each run; the number of each goal's group, or None; and the number of goals left out."""
    goals, rows = paired(runs)
    (first, row), *others = rows.items()
    for name, other in others:
        if other.size != row.size:
            refuse(name, f"{other.size} values", f"as many as {first} has, {row.size}")
    labels = None if groups is None else labels_of_groups(groups, goals, row.size)
    values = np.array(list(rows.values()))
    kept = np.ones(row.size, dtype=bool)
    if isinstance(undefined, str) and undefined == "skip":
        kept = ~np.isnan(values).any(axis=0)
    values = np.array([defined(name, row[kept], undefined) for name, row in rows.items()])
    for name, row in zip(rows, values):
        for extreme in row[np.isinf(row)]:
            refuse(name, extreme, "finite values, such as `full_recall` has with a number for `unreached`")
    number: dict[Hashable, int] = {}  # of each label, in the order in which they come
    group = None if labels is None else np.array([number.setdefault(label, len(number)) for label in compress(labels, kept)], dtype=np.int64)
    found = values.shape[1] if group is None else int(group.max(initial=-1)) + 1
    if found < 2:
        named, what = (first, "goal") if groups is None else ("groups", "group")
        refuse(named, f"{found} {what}{'s' * (found != 1)} with values", f"two {what}s or more")
    return values, group, int((~kept).sum())


def paired(runs: Mapping[str, Any]) -> tuple[list[Any] | None, dict[str, Floats]]:
    """The goals of the first run, or None if no run names them, and the values of each run in the order of these goals."""
    (first, run), *others = runs.items()
    goals, rows = goals_of(first, run), {first: column(first, run)}
    for name, other in others:
        its, rows[name] = goals_of(name, other), column(name, other)
        if (goals is None) != (its is None):
            such_as = f"either goals such as {(goals or its or [None])[0]!r} in both, or, to go by position, plain values in both"
            refuse(name, kind_of(other), f"the kind of {first}, {kind_of(run)}: {such_as}")
        if goals is not None and its is not None and its != goals:
            rows[name] = rows[name][places(first, goals, name, its)]
    return goals, rows


def goals_of(name: str, given: Any) -> list[Any] | None:
    """The goals of the given values, of which none may be repeated; None if the goals are not named."""
    if isinstance(given, Mapping):
        return list(given)
    if isinstance(given, Column) and given.topics is None:
        lost = "values computed from a column in a way that lost its topics"
        refuse(name, lost, "a column with its topics, or np.asarray of all runs, to go by position")
    labels = labels_of(given)
    return None if labels is None else id_list(name, labels)


def kind_of(values: Any) -> str:
    """The kind of the given values, as named in a message."""
    plain = index_of(values) is not None and labels_of(values) is None
    return f"a {type(values).__name__}{' whose index only counts' * plain}"


def places(first: str, goals: list[Any], name: str, its: list[Any]) -> list[int]:
    """The positions of the first run's goals among those of another run, which must have the same goals."""
    require_one_kind(name, [its], first, [goals])
    at, known = {goal: place for place, goal in enumerate(its)}, set(goals)
    for one, its_goals, than, more in ((name, at, first, goals), (first, known, name, its)):
        for goal in more:
            if goal not in its_goals:
                complete = "trec.evaluate(..., complete=True) counts what a run lacks"
                refuse(one, f"no value for goal {goal!r}", f"the goals of {than}; {complete}")
    return [at[goal] for goal in goals]


def column(name: str, values: Any) -> Floats:
    """One value per goal, as floats."""
    array = numeric(name, list(values.values()) if isinstance(values, Mapping) else values)
    if array.ndim != 1:
        refuse(name, f"an array of shape {array.shape}", "one value for each goal")
    array = array.astype(np.float64)
    for huge in array[np.isfinite(array) & (abs(array) > 1e300)]:
        refuse(name, huge, "values whose sum is finite too")
    return array


def labels_of_groups(groups: Any, goals: list[Any] | None, n: int) -> list[Any]:
    """The label of each goal's group."""
    named = goals_of("groups", groups)
    if (named is None) != (goals is None):
        refuse("groups", kind_of(groups), "labels in the same form as the values: goal -> label, or a list")
    labels = collection("groups", groups.values() if isinstance(groups, Mapping) else groups)
    if goals is not None and named is not None:
        label_of = dict(zip(named, labels))
        for goal in goals:
            if goal not in label_of:
                refuse("groups", f"no label for goal {goal!r}", "a label for each goal")
        labels = [label_of[goal] for goal in goals]
    if len(labels) != n:
        refuse("groups", f"{len(labels)} labels", f"a label for each of the {n} goals")
    for label in labels:
        if not is_label(label):
            refuse("groups", repr(label), "labels that can be looked up, such as text or whole numbers")
    return labels
