"""The agreement of two orders of the same items, such as two metrics' orders of systems, and of two lists of ids."""

from __future__ import annotations

from typing import Any, TypeAlias, overload

import numpy as np

from ._base.arrays import ratio
from ._base.checks import as_list, by_name, choice, distinct_ids, number, numeric, place, refuse, require_one_kind, require_same_labels_within, together, whole
from ._base.records import metric
from ._base.types import Array, Floats, Number, Numbers, OneList, OverlapKind, TauVariant, TiedIds, Values, Whole

__all__ = ["kendall_tau", "spearman_rho", "ap_correlation", "weighted_tau", "rank_biased_overlap"]

Places: TypeAlias = dict[Any, tuple[int, int]]  # id -> how many stand above it, how many are tied there


@overload
def kendall_tau(a: OneList, b: OneList, *, variant: TauVariant = ...) -> np.float64: ...
@overload
def kendall_tau(a: Numbers, b: Numbers, *, variant: TauVariant = ...) -> Values: ...
@metric(
    "Kendall's tau", purpose="Two orders of the same systems, or two lists",
    asks="Do two metrics, or two sets of judgements, order the same systems alike?", formula=r"1 - \frac{4 Q}{n (n - 1)}",
    rewards="Pairs in the same order, wherever they stand.", place="rank-correlation#def-kendall-tau",
    also="Kendall tau, tau-b, Kendall rank correlation, Kendall rank corr coef", example={"variant": "b"},
    instead="metrics.kendall_tau, of two lists of numbers", see="ap_correlation, weighted_tau",
    not_for="if the best systems matter most, because all pairs count the same",
)
def kendall_tau(a: Numbers, b: Numbers, *, variant: TauVariant = "b") -> Values:
    """Kendall's tau: pairs in the same order minus pairs in opposite order, over all pairs.

    A pair that is tied in a or in b counts for neither.
    a, b: (..., n) numbers, not nan, one for each item; whether
    larger is better does not matter, if it is the same in both;
    variant: "a" divides by all pairs, "b" by the geometric
    mean of the pairs that a and that b put in an order.
    Returns (...,) in [-1, 1], nan where there is nothing to
    divide by: fewer than two items, or, for "b", all tied.
    Raises ValueError for nan, for shapes that do not go
    together, or for another variant.
    Source: Kendall (1938); for ties, Kendall (1945).

    >>> print(kendall_tau([4, 3, 2, 1], [3, 4, 2, 1], variant="a").round(3))
    0.667
    """
    a, b = of_the_same_items(a=a, b=b)
    choice("variant", variant, ("a", "b"))
    a, b = order_of_pairs(a), order_of_pairs(b)
    pairs = np.float64(a.shape[-1] * (a.shape[-1] - 1))
    if variant == "b":
        pairs = np.sqrt(of_pairs(a * a) * of_pairs(b * b))
    return ratio(of_pairs(a * b), pairs)[()]


@overload
def spearman_rho(a: OneList, b: OneList) -> np.float64: ...
@overload
def spearman_rho(a: Numbers, b: Numbers) -> Values: ...
@metric(
    "Spearman's rho", purpose="Two orders of the same systems, or two lists",
    asks="How far apart do two metrics place the same systems?", formula=r"1 - \frac{6 \sum_{i} d_i^2}{n (n^2 - 1)}",
    rewards="Pairs in the same order, by the distance of their ranks.",
    place="rank-correlation#def-spearman-rho", also="Spearman, Spearman rank correlation, rank correlation coefficient",
    instead="metrics.spearman_rho, of two lists of numbers", see="kendall_tau, ap_correlation",
    not_for="if you want to say how many pairs are turned, because tau says that",
    reads={
        "1 - (6 Σ_i d_i²)/(n (n² - 1))": "1 - 6 * sum((r - s) ** 2 for _, r, s in turned) / (n * (n**2 - 1))",
        "Pairs in the same order, by the distance of their ranks": (
            "abs(1 - v - 12 * sum((a[i] - a[j]) * (b[i] < b[j]) for i in range(n) for j in range(n) if a[i] > a[j]) / (n * (n**2 - 1))) < 1e-9"),
    },
)
def spearman_rho(a: Numbers, b: Numbers) -> Values:
    """Spearman's rho: the correlation of the ranks.

    Tied items share the mean of their ranks.
    a, b: (..., n) numbers, not nan, one for each item; whether
    higher is better does not matter, if it is the same in both.
    Returns (...,) in [-1, 1], nan for fewer than two items, or
    where all are tied in a or in b.
    Raises ValueError for nan, or for shapes that do not go
    together.
    Source: Spearman (1904).

    >>> print(spearman_rho([4, 3, 2, 1], [3, 4, 2, 1]))
    0.8
    """
    first, second = (order_of_pairs(each).sum(axis=-1, dtype=np.float64) for each in of_the_same_items(a=a, b=b))
    norms = (first * first).sum(axis=-1) * (second * second).sum(axis=-1)
    return ratio((first * second).sum(axis=-1), np.sqrt(norms))[()]


@overload
def ap_correlation(*, reference: OneList, other: OneList) -> np.float64: ...
@overload
def ap_correlation(*, reference: Numbers, other: Numbers) -> Values: ...
@metric(
    "AP correlation", purpose="Two orders of the same systems, or two lists",
    asks="Do two metrics order the systems at the top alike?", formula=r"\frac{2}{n - 1} \sum_{i} \frac{C_i}{i} - 1",
    rewards="Pairs in the same order, those at the top most; which order is the reference matters.",
    place="rank-correlation#def-ap-correlation", also="tau_ap, τ_ap, AP rank correlation",
    instead="metrics.ap_correlation, of two lists of numbers", see="kendall_tau, weighted_tau",
)
def ap_correlation(*, reference: Numbers, other: Numbers) -> Values:
    """AP correlation: like tau, but the top counts more.

    Each item but the first of the order by `other` has a
    share: of the items above it, those that belong there. The
    value is the mean of these shares, mapped from [0, 1] to
    [-1, 1]. The two orders do not play the same part.
    reference: (..., n) numbers, not nan, one for each item,
    larger is better; it says which of two items belongs above;
    other: the same for the order that is judged.
    Returns (...,) in [-1, 1], nan for fewer than two items.
    Raises ValueError for nan, for two items with the same
    number, since then they have no order, or for shapes that
    do not go together.
    Source: Yilmaz, Aslam and Robertson (2008).

    >>> print(ap_correlation(reference=[4, 3, 2, 1], other=[3, 4, 2, 1]).round(3))
    0.333
    """
    reference, other = of_the_same_items(reference=reference, other=other)
    refuse_ties("reference", reference)
    refuse_ties("other", other)
    order = np.argsort(other, axis=-1)[..., ::-1]
    ranked = np.take_along_axis(reference, order, axis=-1)
    belongs = ranked[..., :, None] > ranked[..., None, :]
    right = np.triu(belongs).sum(axis=-2)[..., 1:]
    above = np.arange(1, ranked.shape[-1])
    shares = (right / above).sum(axis=-1)
    return (2 * ratio(shares, above.size) - 1)[()]


@overload
def weighted_tau(a: OneList, b: OneList) -> np.float64: ...
@overload
def weighted_tau(a: Numbers, b: Numbers) -> Values: ...
@metric(
    "weighted tau", purpose="Two orders of the same systems, or two lists",
    asks="Do two metrics order the systems at the top alike?",
    formula=r"1 - \frac{1}{(n - 1) H_n} \sum_{i} W_i (\frac{1}{r_i} + \frac{1}{s_i})",
    rewards="Pairs in the same order, those at the top most; which order comes first does not matter.",
    place="rank-correlation#def-weighted-tau", also="weighted Kendall tau, hyperbolic tau, tau_h",
    instead="metrics.weighted_tau, of two lists of numbers", see="kendall_tau, ap_correlation",
)
def weighted_tau(a: Numbers, b: Numbers) -> Values:
    """The weighted tau: a pair of items at the ranks r and s counts 1/r + 1/s.

    It is computed with the ranks by a, where b orders what a
    ties, and with those by b; the value is the mean of the two.
    As in tau-b, a tied pair counts for neither, and not in
    the norms by which the sum is divided.
    a, b: (..., n) numbers, not nan, one for each item,
    larger is better.
    Returns (...,) in [-1, 1], nan for fewer than two items,
    or where all are tied.
    Raises ValueError for nan, or for shapes that do not go
    together.
    Source: Vigna (2015), the additive hyperbolic version;
    SciPy's weightedtau by default.

    >>> print(weighted_tau([4, 3, 2, 1], [3, 4, 2, 1]).round(3))
    0.52
    """
    a, b = of_the_same_items(a=a, b=b)
    both = [weighted_by(hyperbolic(*ranked), a, b) for ranked in ((a, b), (b, a))]
    return np.clip((both[0] + both[1]) / 2, -1, 1)[()]


def hyperbolic(first: Array, then: Array) -> Floats:
    """1 over the rank of each item, with the largest number first; `then` breaks the ties of `first`."""
    order = np.lexsort((then, first), axis=-1)[..., ::-1]
    return 1 / (np.argsort(order, axis=-1) + 1)


def weighted_by(weight: Floats, a: Array, b: Array) -> Array:
    """Tau-b in which each pair counts as the sum of the weights of its items."""
    a, b = order_of_pairs(a), order_of_pairs(b)
    pair = weight[..., :, None] + weight[..., None, :]
    norms = of_pairs(pair * (a * a)) * of_pairs(pair * (b * b))
    return ratio(of_pairs(pair * (a * b)), np.sqrt(norms))


@metric(
    "RBO", "rank-biased overlap", purpose="Two orders of the same systems, or two lists",
    asks="How alike are two result lists that need not hold the same items?",
    formula=r"(1 - p) \sum_{d} p^{d - 1} \frac{X_d}{d}",
    rewards="Lists with the same items at the top; they need not have all items in common.",
    place="rank-correlation#def-rbo", also="rbo_ext, ranking similarity",
    instead="metrics.rank_biased_overlap, of two rankings", see="kendall_tau, rank_biased_precision",
)
@by_name
def rank_biased_overlap(
    a: TiedIds, b: TiedIds, *, persistence: Number,
    depth: Whole | None = None, kind: OverlapKind = "extrapolated",
) -> float:
    """RBO: the share that two lists have in common, averaged over all depths.

    At depth d it is the number of ids among the first d of
    both lists, over d; a reader who goes on with probability p
    at each depth stops there with probability
    (1 - p) p^(d-1). The lists may hold different ids, and be
    of different length.
    a, b: lists of distinct ids, best first; a `set` in a list
    holds ids that are tied, and the value is the mean over
    all orders of them;
    persistence: p, one number in [0, 1);
    depth: where to cut both lists, by default nowhere; it
    must not separate tied ids;
    kind: "minimum" if the lists share nothing further down,
    "residual" for what they could gain at most there,
    "extrapolated" if they go on to agree as they did.
    Returns one float in [0, 1]; "extrapolated" is nan for
    an empty list, since nothing is known to go on.
    Raises ValueError for ids that are not distinct or never
    equal, or for a bad persistence, depth or kind.
    Source: Webber, Moffat and Zobel (2010), equations 11,
    30 and 32; for ties, Corsi and Urbano (2024).

    >>> first, second = ["a", "b", "c"], ["b", "a", "d"]
    >>> print(round(rank_biased_overlap(first, second, persistence=0.5), 3))
    0.417
    """
    p = float(number("persistence", persistence, "in [0, 1)", lambda x: 0 <= x < 1))
    choice("kind", kind, ("extrapolated", "minimum", "residual"))
    first, second = (places(name, ids, depth) for name, ids in (("a", a), ("b", b)))
    require_one_kind("a", [first], "b", [second])
    short, long = sorted((len(first), len(second)))
    in_both = len(first.keys() & second.keys())
    if kind == "extrapolated":
        return extrapolated(overlaps(first, second, long), short, p)
    full = short + long - in_both
    d, shared = np.arange(1, full + 1), overlaps(first, second, full)
    weight = (1 - p) * p ** (d - 1.0) / d
    beyond = (1 - p) * (-np.log1p(-p) / p if p else 1) - weight.sum()
    if kind == "minimum":
        return float(weight @ shared + in_both * beyond)
    unseen = np.maximum(d - short, 0) + np.maximum(d - long, 0)
    gain = np.minimum(unseen, d - shared)
    return float(weight @ gain + p**full - in_both * beyond)


def extrapolated(shared: Floats, short: int, p: float) -> float:
    """RBO if, beyond their ends, both lists agreed as much as at their ends."""
    if short == 0:
        return float("nan")
    d, both = np.arange(1, shared.size + 1), shared[short - 1]
    hoped = shared + both / short * np.maximum(d - short, 0)
    agreed = hoped / d
    value = (1 - p) * p ** (d - 1.0) @ agreed + p**d.size * agreed[-1]
    return float(min(value, 1))


def overlaps(first: Places, second: Places, depth: int) -> Floats:
    """The expected number of shared ids at each depth: each id counts with the probability that it is within that depth in both lists."""
    d, shared = np.arange(1, depth + 1), np.zeros(depth)
    for item in first.keys() & second.keys():
        (above, tied), (above_too, tied_too) = first[item], second[item]
        chance = np.clip((d - above) / tied, 0, 1)
        shared += chance * np.clip((d - above_too) / tied_too, 0, 1)
    return shared


def places(name: str, ids: TiedIds, depth: Whole | None) -> Places:
    """For each id down to a depth, the number of ids above it and the number of ids in its tie, itself included."""
    blocks = [list(one) if isinstance(one, set) else [one] for one in as_list(name, ids)]
    distinct_ids(name, [item for block in blocks for item in block])
    last = None if depth is None else whole("depth", depth, at_least=1)
    found: Places = {}
    for block in blocks:
        above = len(found)
        if last is not None and above >= last:
            break
        if last is not None and above + len(block) > last:
            refuse("depth", last, f"a depth that does not separate {len(block)} tied ids of {name}")
        found |= dict.fromkeys(block, (above, len(block)))
    return found


def of_the_same_items(**named: Any) -> tuple[Array, ...]:
    """Both arrays in one shape, (..., n); nan is refused."""
    require_same_labels_within(**named)
    expected = "numbers that can be ordered"
    arrays = {name: numeric(name, given, expected, apart=True) for name, given in named.items()}
    for name, array in arrays.items():
        if array.ndim == 0:
            refuse(name, f"the single value {array}", "one number for each item")
        if np.isnan(array).any():
            where = place(np.flatnonzero(np.isnan(array))[0], array.shape)
            refuse(name, f"nan at {where}", expected)
    if len({array.shape[-1] for array in arrays.values()}) > 1:
        sizes = " and ".join(str(array.shape[-1]) for array in arrays.values())
        refuse(", ".join(named), f"{sizes} items", "a number for each item in both")
    return together(**arrays)


def refuse_ties(name: str, values: Array) -> None:
    """Refuse an order in which a number occurs twice; the error names such a number."""
    ordered = np.sort(values, axis=-1)
    for twice in ordered[..., 1:][ordered[..., 1:] == ordered[..., :-1]][:1]:
        refuse(name, f"{twice} twice", "distinct numbers, because tied items have no order")


def order_of_pairs(values: Array) -> Array:
    """(..., n, n): 1 if the first item of a pair has the larger number, -1 if the second has, 0 if they are tied."""
    first, second = values[..., :, None], values[..., None, :]
    return (first > second).astype(np.int8) - (first < second)


def of_pairs(values: Array) -> Any:
    """The sum of the values of all pairs of items."""
    return values.sum(axis=(-2, -1), dtype=np.float64)
