"""Readers: the weights that follow from the probability of reading on, a metric that adapts to what was found, and two lists drafted into one."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, NamedTuple

import numpy as np

from ._base.checks import as_list, by_name, distinct_ids, number, numeric, refuse, require_one_kind, within
from ._base.records import metric
from ._base.types import Floats, Ids, Number, Numbers, Values, per_ranking
from .hits import Relevance, as_hits

__all__ = ["weights_of", "inst", "team_draft"]

FAR = 12  # from here on five terms of the series of 1 / x^2 are exact to the last digits


def weights_of(continuation: Numbers) -> Floats:
    """The share of attention that a reader gives to each rank.

    A reader looks at rank 1, and reads on after rank k with
    probability C_k. So rank k is read with probability
    C_1 ... C_(k-1), and these are divided by their sum.
    continuation: (..., n) probabilities in [0, 1], rank 1
    first; the last one changes nothing.
    Returns (..., n), which add up to 1; their sum with the
    grades is the metric of that reader, and 1 over the first
    is the expected number of items that are read.
    Raises ValueError for a number that is no probability.
    Source: the C/W/L framework, as in cwl_eval (Azzopardi,
    Thomas and Moffat, 2019).

    >>> print(weights_of([0.5, 0.5, 0]).round(3))
    [0.571 0.286 0.143]
    """
    expected = "probabilities in [0, 1], one for each rank"
    given = within("continuation", continuation, expected, lambda c: (c >= 0) & (c <= 1))
    if given.ndim == 0:
        refuse("continuation", f"the single value {given}", expected)
    read = np.ones_like(given)
    np.cumprod(given[..., :-1], axis=-1, out=read[..., 1:])
    return read / read.sum(axis=-1, keepdims=True)


@metric(
    "INST", purpose="Grades, and a reader's patience", asks="At what rate does a reader who hopes for T relevant items find something?",
    formula=r"\frac{1}{V} \sum_{j} V(k_j)",
    rewards="Hits that are reached by a reader who wants T of them, and gives up the sooner the more of them were found.",
    place="readers-and-clicks#def-inst", tried={"expected": (0.5, 2, 1)}, see="rank_biased_precision, weights_of",
    reads={"1/V Σ_j V(k_j)": "metrics.definitions.inst(g, 1)"},
)
@per_ranking
def inst(relevance: Relevance, *, expected: Number) -> Values:
    """INST: the expected rate of hits for a reader who wants a given number of hits.

    After rank k with s hits the reader goes on with
    probability ((k + 2T - s - 1) / (k + 2T - s))^2.
    relevance: (..., n) grades in rank order, or `Hits`;
    items below the list are not relevant, and are read too;
    expected: T, the relevant items that the reader hopes for,
    one number >= 1/2.
    Returns (...,) in [0, 1].
    Raises ValueError for bad grades or expected.
    Source: Moffat, Bailey, Scholer and Thomas (2017), by the
    formula of cwl_eval, which stops at rank 1000; here the
    ranks below are summed to the end.

    >>> print(inst([1, 0, 1, 0, 0, 1], expected=1).round(6))
    0.743177
    """
    hits = as_hits(relevance)
    wanted = 2 * min(float(number("expected", expected, "at least 1/2", lambda t: 0.5 <= t < np.inf)), 1e300)  # so large, it is 0 as well
    above = hits.rank - hits.ordinal + wanted
    after = hits.accumulate(np.multiply, (1 - 1 / above) ** 2)
    before = np.where(hits.ordinal == 1, 1, np.concatenate([[0.0], after])[:-1])
    found = hits.total(before * (1 / above) ** 2)
    other = hits.total(after * squares_from(above) - before * squares_from(above + 1))
    read = other + squares_from(np.array([wanted]))[0]
    return hits.result(np.minimum(found / read, 1))


def squares_from(x: Any) -> Any:
    """The infinite sum 1/x^2 + 1/(x+1)^2 + ..."""
    near = sum((1 / (x + step)) ** 2 for step in range(FAR))
    y = 1 / (x + FAR)
    return np.asarray(near + y + y**2 / 2 + y**3 / 6 - y**5 / 30 + y**7 / 42 - y**9 / 30)


class Draft(NamedTuple):
    """An interleaved list, and the team of each of its items: 0 for the first tool, 1 for the second."""

    items: list[Hashable]
    teams: list[int]


@by_name
def team_draft(first: Ids, second: Ids, *, coins: Ids) -> Draft:
    """The list that two tools draft by taking turns, with the tool of each item.

    In each round a coin says who picks first; then each tool
    picks its best item that is not yet drafted. A click on an
    item is a credit for its team. The draft ends where one
    list has nothing left.
    first, second: distinct ids, best first;
    coins: 0 or 1 for each round, 0 if the first tool begins;
    coins that are left over are ignored.
    Returns a `Draft`: items, and teams with 0 or 1 for each.
    Raises ValueError for ids that are not distinct, for
    coins other than 0 and 1, or for too few of them.
    Source: Radlinski, Kurup and Joachims (2008), as in the
    library `interleaving` of M. P. Kato.

    >>> team_draft([*"abc"], [*"bca"], coins=[1, 0])
    Draft(items=['b', 'a', 'c'], teams=[1, 0, 0])
    """
    lists = [as_list("first", first), as_list("second", second)]
    for name, ids in zip(("first", "second"), lists, strict=True):
        distinct_ids(name, ids)
    require_one_kind("first", lists[:1], "second", lists[1:])
    thrown = numeric("coins", coins, expected := "0 or 1 for each round")
    if thrown.ndim != 1:
        refuse("coins", f"an array of shape {thrown.shape}", expected)
    for coin in thrown[(thrown != 0) & (thrown != 1)][:1]:
        refuse("coins", coin, expected)
    drafted: dict[Hashable, int] = {}
    left = [iter(ids) for ids in lists]
    best = [next(ids, None) for ids in left]
    rounds, members, waiting = 0, [set(ids) for ids in lists], [len(ids) for ids in lists]
    while all(waiting):
        if len(drafted) % 2 == 0:
            if rounds == len(thrown):
                refuse("coins", f"{rounds} coins", "one for each round of the draft")
            team = int(thrown[rounds])
            rounds += 1
        else:
            team = 1 - team
        while best[team] in drafted:
            best[team] = next(left[team])
        drafted[best[team]] = team
        waiting = [count - (best[team] in ids) for count, ids in zip(waiting, members, strict=True)]
    return Draft(list(drafted), list(drafted.values()))
