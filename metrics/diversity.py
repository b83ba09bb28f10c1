"""Metrics of a ranking for a query with several intents, each of which has its own relevant items."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import chain
from typing import Any

import numpy as np

from ._base.arrays import bincount, ratio, rows
from ._base.checks import axes, fraction, id_lists, judgements, queries, refuse, require_one_kind, require_same_labels
from ._base.keyed import by_key, named_by_key
from ._base.records import metric
from ._base.types import Floats, Ints, Lists, Number, Whole
from .gain import cutoff, discounts, expected_reciprocal_rank
from .hits import Hits, labels_of_queries

__all__ = ["alpha_ndcg", "err_ia"]


@metric(
    "alpha-nDCG@k", "α-nDCG", purpose="Several intents of a query",
    asks="A query can mean several things: is there something for each?",
    formula=r"\frac{\alpha\text{-DCG@}k}{\alpha\text{-DCG@}k \text{ of the greedy ideal}}",
    rewards="Items for many intents, early; the more of an intent stood above, the less one more item adds.",
    place="discounted-gain#def-alpha-ndcg", also="alpha-nDCG, α-nDCG@k, aNDCG, alpha-DCG, novelty-biased nDCG",
    instead="metrics.alpha_ndcg, which needs what is relevant to each intent", see="err_ia, ndcg",
)
def alpha_ndcg(
    *, rankings: Lists, intents: Iterable[Any],
    k: Whole | None = None, alpha: Number = 0.5,
) -> Floats:
    """alpha-nDCG: nDCG whose gains shrink as intents repeat.

    An item gains, for each of its intents, (1 - alpha)^m, if m
    items above it have this intent. The ideal is greedy: next
    comes the item that gains most; of several, one of the
    earlier intents. Finding the best order is NP-hard. The
    reference program ndeval is greedy, too, but may choose
    another item in a tie.
    rankings: for each query a list of distinct ids, best first;
    intents: for each query its intents, a list or a mapping,
    each a collection of the ids relevant to it, or a mapping
    id -> grade, of which those above 0 are relevant;
    k: one whole number >= 1, default: all ranks;
    alpha: one number in [0, 1].
    Returns (Q,) >= 0, which is above 1 where a list is better
    than the greedy one, nan where nothing is relevant.
    Raises ValueError for duplicates, different numbers of
    queries, ids of kinds that are never equal, a bad k, alpha
    or grade.
    Source: Clarke and others (2008), SIGIR.

    >>> print(alpha_ndcg(
    ...     rankings=[["a", "b", "c"]],
    ...     intents=[[["a", "b"], ["c"]]], k=2).round(3))
    [0.807]
    """
    cut, alpha = cutoff(k), float(fraction("alpha", alpha))
    query, owner, wanted, hits = by_intent(rankings, intents)
    seen = slice(None) if cut is None else hits.rank <= cut
    fresh = (1 - alpha) ** (hits.ordinal - 1.0)
    gain = fresh * discounts(hits.rank, hits.longest)
    gained = bincount(
        owner[hits.row[seen]], gain[seen], query.queries
    )
    best = [greedy_dcg(each, cut, alpha) for each in wanted]
    return query.result(ratio(gained, np.array(best)))


@metric(
    "ERR-IA@k", "intent-aware ERR", purpose="Several intents of a query",
    asks="A query can mean several things: is there something for each?",
    formula=r"\operatorname{mean} \text{ ERR@}k \text{ of an intent}", rewards="An early item for each intent.",
    place="discounted-gain#def-alpha-ndcg", also="ERR-IA, intent-aware expected reciprocal rank, intent aware ERR at k",
    instead="metrics.err_ia, which needs what is relevant to each intent", see="alpha_ndcg, expected_reciprocal_rank",
)
def err_ia(
    *, rankings: Lists, intents: Iterable[Any],
    k: Whole | None = None, max_grade: Number = 1,
) -> Floats:
    """ERR-IA: the mean of ERR over the intents of a query.

    All intents weigh the same; one to which nothing is relevant
    counts as 0. (ndeval leaves such an intent out, and divides
    by the ERR of k relevant items.)
    rankings: for each query a list of distinct ids, best first;
    intents: for each query its intents, a list or a mapping,
    each a collection of the ids relevant to it, which is grade
    1, or a mapping id -> grade;
    k: one whole number >= 1, default: all ranks;
    max_grade: one number, at least the largest grade. With 1 a
    relevant item satisfies with probability 1/2.
    Returns (Q,) in [0, 1], nan for a query without intents.
    Raises ValueError for duplicates, different numbers of
    queries, ids of kinds that are never equal, a bad k,
    max_grade or grade.
    Source: Chapelle and others (2011), Information Retrieval.

    >>> print(err_ia(
    ...     rankings=[["a", "b", "c"]],
    ...     intents=[[["a", "b"], ["a"]]]))
    [0.5625]
    """
    cut = cutoff(k)
    query, owner, _, hits = by_intent(rankings, intents)
    shown = hits if cut is None else hits.top(cut)
    each = expected_reciprocal_rank(shown, max_grade)
    total = bincount(owner, each, query.queries)
    return query.result(ratio(
        total, bincount(owner, minlength=query.queries)
    ))


def by_intent(rankings: Lists, intents: Iterable[Any]) -> tuple[Hits, Ints, list[list[Any]], Hits]:
    """The queries, the query of each intent, the intents of each query, and the hits, with one row for each intent."""
    require_same_labels(rankings=rankings, intents=intents)
    expected = "a sequence of lists of intents, one for each query"
    keys, (rankings, intents) = by_key(rankings=rankings, intents=intents)
    with named_by_key(keys, rankings="rankings", intents="intents"):
        lists = id_lists("rankings", rankings)
        wanted = [intents_of(f"intents[{q}]", given) for q, given in enumerate(queries("intents", intents, expected))]
    if len(wanted) != len(lists):
        refuse("intents", f"the intents of {len(wanted)} queries", f"the intents of each of the {len(lists)} queries in rankings")
    for q, (ids, each) in enumerate(zip(lists, wanted)):
        require_one_kind("rankings", [ids], "intents", each, q)
    owner = rows(list(map(len, wanted)))
    hits = Hits.from_ids(rankings=[lists[q] for q in owner], relevant=chain.from_iterable(wanted))
    shape, none = (len(lists),), np.zeros(0, dtype=np.int64)
    query = Hits(shape, 0, none, none, np.zeros(0), **labels_of_queries(shape, rankings, intents, keys=keys))
    return query, owner, wanted, hits


def intents_of(name: str, given: Any) -> list[Any]:
    """The relevant items for each intent of a query, given in a mapping or in a list."""
    given = list(given.values()) if isinstance(given, Mapping) else given
    if axes(given) != 1 and not isinstance(given, np.ndarray):
        refuse(name, repr(given), "a list of intents")
    return judgements(name, queries(name, given, "a list of intents, each a collection of ids"))


def greedy_dcg(intents: list[Any], k: int | None, alpha: float) -> float:
    """The alpha-DCG of the greedy list, which always takes the item that gains most; items with the same intents form one kind."""
    of_item: dict[Any, list[int]] = {}
    for number, intent in enumerate(intents):
        for item in intent:
            if not isinstance(intent, Mapping) or intent[item] > 0:
                of_item.setdefault(item, [0] * len(intents))[number] = 1
    kinds = Counter(map(tuple, of_item.values()))
    has = np.array(sorted(kinds, reverse=True), dtype=np.float64)  # of equal ones, one of the earlier intents comes first
    left = np.array([kinds[kind] for kind in sorted(kinds, reverse=True)])
    fresh, steps = np.ones(len(intents)), len(of_item) if k is None else min(k, len(of_item))
    gained = np.zeros(steps)
    for step in range(steps):
        gain = np.where(left > 0, has @ fresh, -1)
        best = int(np.argmax(gain >= gain.max() * (1 - 1e-12)))  # sums of powers that are equal but for rounding
        gained[step] = gain[best]
        left[best] -= 1
        fresh[has[best] > 0] *= 1 - alpha
    return float(gained @ discounts(np.arange(1, steps + 1), steps))
