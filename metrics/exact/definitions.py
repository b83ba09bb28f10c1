"""The book's definitions: each metric once more, straight from its formula, in exact arithmetic (long: every metric is here).

Whole numbers and `Fraction`s give exact values; SymPy symbols give the formula. There are no
special cases but those that a docstring names: what is 0/0 on paper raises ZeroDivisionError here.
A ranking is a list of grades, best first; the entries may be symbols that stand for 0 or 1, unless
the docstring says that positions must be known. Nothing here is fast, and nothing here imports
NumPy: the functions of the package are tested against it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import chain, combinations, islice, permutations, product, repeat
from math import ceil, inf, isqrt, log, log2, nan, prod, sqrt
from numbers import Real
from typing import Any, TypeAlias

Value: TypeAlias = Any  # a whole number, a Fraction, a float, or a symbol
Ranking: TypeAlias = Sequence[Value]  # grades, best first
Ids: TypeAlias = Any  # a collection of ids, best first where the order counts
Lists: TypeAlias = Sequence[Ids]
Metric: TypeAlias = Callable[[list[Value]], Value]
Discount: TypeAlias = Callable[[Value], Value]


def over(numerator: Value, denominator: Value) -> Value:
    """The ratio numerator / denominator, exact for whole numbers."""
    return Fraction(numerator) / denominator if isinstance(numerator, int) else numerator / denominator


def relevant(relevance: Ranking) -> list[Value]:
    """The ranking as 0s and 1s: a grade above 0 becomes 1; a symbol stays as it is."""
    number: Any = Real  # type checkers do not know that real numbers are ordered
    return [(1 if grade > 0 else 0) if isinstance(grade, number) else grade for grade in relevance]


def count(relevance: Ranking, n_relevant: Value = None) -> Value:
    """R: the given number, or else the number of relevant items in the ranking."""
    return sum(relevant(relevance)) if n_relevant is None else n_relevant


# Sets


def confusion(
    predicted: Ids, actual: Ids, universe_size: Value = None
) -> tuple[int, int, int, Value]:
    """The counts (tp, fp, fn, tn) from a comparison of the two sets; without a universe tn is nan."""
    predicted, actual = set(predicted), set(actual)
    tp, fp, fn = len(predicted & actual), len(predicted - actual), len(actual - predicted)
    return tp, fp, fn, nan if universe_size is None else universe_size - len(predicted | actual)


def precision(tp: Value, fp: Value) -> Value:
    """The fraction of the predicted items that are actual."""
    return over(tp, tp + fp)


def recall(tp: Value, fn: Value) -> Value:
    """The fraction of the actual items that are predicted."""
    return over(tp, tp + fn)


def accuracy(tp: Value, fp: Value, fn: Value, tn: Value) -> Value:
    """The fraction of all items that are classified correctly."""
    return over(tp + tn, tp + fp + fn + tn)


def jaccard(tp: Value, fp: Value, fn: Value) -> Value:
    """The size of the intersection over the size of the union."""
    return over(tp, tp + fp + fn)


def f_score(
    tp: Value, fp: Value, fn: Value, beta: Value = 1
) -> Value:
    """The F-score from the counts.

    Where tp > 0 it equals the weighted harmonic mean of
    precision and recall.
    """
    found = (1 + beta**2) * tp
    return over(found, found + beta**2 * fn + fp)


def e_measure(tp: Value, fp: Value, fn: Value, beta: Value = 1) -> Value:
    """E, which is 1 - F."""
    return 1 - f_score(tp, fp, fn, beta)


def weighted_harmonic_mean(
    precision: Value, recall: Value, alpha: Value
) -> Value:
    """The mean 1 / (alpha / precision + (1 - alpha) / recall).

    It tends to 0 if a value of positive weight does.
    """
    if alpha in (0, 1):
        return precision if alpha == 1 else recall
    if precision == 0 or recall == 0:
        return 0
    inverse = over(alpha, precision) + over(1 - alpha, recall)
    return 1 / inverse


def utility(tp: Value, fp: Value, fn: Value, tn: Value, weights: Sequence[Value] = (1, -1, 0, 0)) -> Value:
    """The sum of the four counts, each times its weight."""
    return sum(weight * number for weight, number in zip(weights, (tp, fp, fn, tn)) if weight)


# The ranking as a set


def number_retrieved(relevance: Ranking) -> Value:
    """The number N of ranked items."""
    return len(relevance)


def number_relevant(relevance: Ranking, n_relevant: Value = None) -> Value:
    """The number R of relevant items."""
    return count(relevance, n_relevant)


def number_found(relevance: Ranking) -> Value:
    """The number s(N) of relevant items that were ranked."""
    return sum(relevant(relevance))


def set_precision(relevance: Ranking) -> Value:
    """The precision s(N) / N."""
    return over(number_found(relevance), len(relevance))


def set_recall(relevance: Ranking, n_relevant: Value = None) -> Value:
    """The recall s(N) / R."""
    return over(number_found(relevance), count(relevance, n_relevant))


def set_f_score(relevance: Ranking, n_relevant: Value = None, beta: Value = 1) -> Value:
    """The F-score of all ranked items against the relevant items."""
    tp = number_found(relevance)
    return f_score(tp, len(relevance) - tp, count(relevance, n_relevant) - tp, beta)


def set_average_precision(relevance: Ranking, n_relevant: Value = None) -> Value:
    """The sum of p(N) over the relevant items that were ranked, times 1/R."""
    found, total = number_found(relevance), count(relevance, n_relevant)
    return over(sum(hit * over(found, len(relevance)) for hit in relevant(relevance)), total)


def set_normalized_recall(relevance: Ranking, n_relevant: Value = None) -> Value:
    """The normalised recall s(N) / min(N, R). R must be known."""
    return over(number_found(relevance), min(len(relevance), count(relevance, n_relevant)))


# At a cutoff


def hits_at(relevance: Ranking, k: Value) -> Value:
    """The number s(k) of relevant items in the top k."""
    return sum(relevant(relevance)[:k])


def precision_at(relevance: Ranking, k: Value) -> Value:
    """The precision p(k) = s(k) / k."""
    return over(hits_at(relevance, k), k)


def recall_at(
    relevance: Ranking, k: Value, n_relevant: Value = None
) -> Value:
    """The recall r(k) = s(k) / R."""
    total = count(relevance, n_relevant)
    return over(hits_at(relevance, k), total)


def normalized_recall_at(relevance: Ranking, k: Value, n_relevant: Value = None) -> Value:
    """The normalised recall s(k) / min(k, R). R must be known."""
    return over(hits_at(relevance, k), min(k, count(relevance, n_relevant)))


def f_score_at(relevance: Ranking, k: Value, n_relevant: Value = None, beta: Value = 1) -> Value:
    """The F-score of the top k against the relevant items."""
    tp = hits_at(relevance, k)
    return f_score(tp, k - tp, count(relevance, n_relevant) - tp, beta)


def success_at(relevance: Ranking, k: Value) -> Value:
    """Whether any item in the top k is relevant."""
    return 1 - prod(1 - hit for hit in relevant(relevance)[:k])


def accuracy_at(
    relevance: Ranking, k: Value, n_relevant: Value = None, universe_size: Value = None
) -> Value:
    """The accuracy of the top k against the relevant items."""
    tp, total = hits_at(relevance, k), count(relevance, n_relevant)
    if universe_size is None:
        universe_size = max(len(relevance), k) + total - sum(relevant(relevance))
    return accuracy(tp, k - tp, total - tp, universe_size - k - total + tp)


def r_precision(
    relevance: Ranking, n_relevant: Value = None
) -> Value:
    """The precision p(R). R must be known."""
    return precision_at(relevance, count(relevance, n_relevant))


def r_precision_at(relevance: Ranking, multiple: Value, n_relevant: Value = None) -> Value:
    """The precision p(k) at k = multiple * R, rounded up. R must be known."""
    return precision_at(relevance, ceil(multiple * count(relevance, n_relevant)))


def judged_at(relevance: Ranking, k: Value, judged: Ranking | None = None) -> Value:
    """The share of judged items among the top k, or among all items if there are fewer than k."""
    top = (judged or [1] * len(relevance))[:k]
    return over(sum(top), len(top))


# Along the ranking


def precision_curve(relevance: Ranking) -> list[Value]:
    """The precisions p(1) ... p(N)."""
    return [precision_at(relevance, k) for k in range(1, len(relevance) + 1)]


def recall_curve(relevance: Ranking, n_relevant: Value = None) -> list[Value]:
    """The recalls r(1) ... r(N)."""
    return [recall_at(relevance, k, n_relevant) for k in range(1, len(relevance) + 1)]


def rank_at_recall(
    relevance: Ranking, level: Value, n_relevant: Value = None
) -> Value:
    """k@recall: the smallest k with r(k) >= level.

    It is in 0 ... N; inf if there is none.
    Positions must be known.
    """
    reached = (
        k for k in range(len(relevance) + 1)
        if recall_at(relevance, k, n_relevant) >= level
    )
    return min(reached, default=inf)


def precision_at_recall(relevance: Ranking, level: Value, n_relevant: Value = None) -> Value:
    """The precision p(k@recall(level)), 0 if the level is never reached. Positions must be known."""
    k = rank_at_recall(relevance, level, n_relevant)
    return Fraction(0) if k == inf else precision_at(relevance, k)


def interpolated_precision(relevance: Ranking, level: Value, n_relevant: Value = None) -> Value:
    """The largest p(k) with k >= 1 and r(k) >= level, 0 if there is none. Positions must be known."""
    recalls = [recall_at(relevance, k, n_relevant) for k in range(len(relevance) + 1)]
    return max((precision_at(relevance, k) for k, r in enumerate(recalls) if k and r >= level), default=Fraction(0))


def break_even_ranks(relevance: Ranking, n_relevant: Value = None) -> list[int]:
    """All k >= 1 with p(k) = r(k); none if no item is relevant. Positions must be known."""
    total = count(relevance, n_relevant)
    ranks = range(1, len(relevance) + 1)
    return [k for k in ranks if total and precision_at(relevance, k) == recall_at(relevance, k, n_relevant)]


# Areas


def average_precision(
    relevance: Ranking, n_relevant: Value = None
) -> Value:
    """The sum over k of p(k) delta(k), times 1/R."""
    total = count(relevance, n_relevant)
    return over(precision_sum(relevance, len(relevance)), total)


def precision_sum(relevance: Ranking, k: Value) -> Value:
    """S(k): the sum of p(i) delta(i) over i = 1 ... k."""
    top = enumerate(relevant(relevance)[:k], 1)
    return sum(
        precision_at(relevance, i) * delta for i, delta in top
    )


def average_precision_at(
    relevance: Ranking, k: Value, *,
    denominator: str, n_relevant: Value = None,
) -> Value:
    """The sum S(k) divided by s(k), R, min(k, R) or k.

    For min(k, R), R must be known.
    """
    total = count(relevance, n_relevant)
    S = precision_sum(relevance, k)
    if denominator == "retrieved":
        return over(S, hits_at(relevance, k))
    if denominator == "relevant":
        return over(S, total)
    if denominator == "ideal":
        return over(S, min(k, total))
    return over(S, k)


def eleven_point_average_precision(relevance: Ranking, n_relevant: Value = None) -> Value:
    """The mean of the interpolated precision at recall 0, 1/10, ... 1. Positions must be known."""
    return sum(interpolated_precision(relevance, Fraction(i, 10), n_relevant) for i in range(11)) / 11


def interpolated_average_precision(relevance: Ranking, n_relevant: Value = None) -> Value:
    """The area under the interpolated precision: R steps of width 1/R. Positions must be known."""
    total = count(relevance, n_relevant)
    steps = [interpolated_precision(relevance, Fraction(j, total), n_relevant) for j in range(1, total + 1)]
    return over(sum(steps), total)


def trapezoidal_area(relevance: Ranking, n_relevant: Value = None) -> Value:
    """The area of the trapezoids between all neighbouring points (r(k), p(k)), k = 0 ... N, with p(0) = 1."""
    precisions = [1, *precision_curve(relevance)]
    recalls = [recall_at(relevance, k, n_relevant) for k in range(len(relevance) + 1)]
    return sum(
        (recalls[k] - recalls[k - 1]) * (precisions[k] + precisions[k - 1]) / 2 for k in range(1, len(relevance) + 1)
    )


def inferred_average_precision(
    relevance: Ranking,
    n_relevant: Value = None,
    *,
    judged: Ranking | None = None,
    pooled: Ranking | None = None,
    smoothing: Value = Fraction(1, 10**5),
) -> Value:
    """The sum of the expected precisions at the hits, times 1/R; each hit also counts itself.

    Of the pooled items above a hit, the same share is expected to be relevant as of the judged items there,
    smoothed; items that are not pooled are irrelevant. Positions must be known.
    """
    hits, places = relevant(relevance), range(len(relevance))
    known = [True] * len(hits) if judged is None else judged
    in_pool = known if pooled is None else pooled
    expected: list[Value] = []
    for k in places:
        if hits[k] and known[k]:
            seen = [hits[i] for i in range(k) if known[i]]
            share = over(sum(seen) + smoothing, len(seen) + 2 * smoothing)
            expected.append(over(1 + share * sum(map(bool, in_pool[:k])), k + 1))
    return over(sum(expected), count([hit for hit, kept in zip(hits, known) if kept], n_relevant))


# Order


def reciprocal_rank(relevance: Ranking) -> Value:
    """The value 1/k at the first hit, written as the sum of (1/k) delta(k) over every k that has no hit above it."""
    hits = relevant(relevance)
    return sum(over(1, k) * hit * prod(1 - above for above in hits[: k - 1]) for k, hit in enumerate(hits, 1))


def full_recall(relevance: Ranking, n_relevant: Value = None, unreached: Value = inf) -> Value:
    """The rank k@recall(1). Positions must be known."""
    k = rank_at_recall(relevance, 1, n_relevant)
    return unreached if k == inf else k


def mean_rank(relevance: Ranking) -> Value:
    """The sum of k delta(k), divided by the sum of delta(k)."""
    hits = relevant(relevance)
    return over(sum(k * hit for k, hit in enumerate(hits, 1)), sum(hits))


def inversions(relevance: Ranking) -> Value:
    """The number of pairs i < j with an irrelevant item at i and a relevant one at j."""
    hits = relevant(relevance)
    return sum((1 - hits[i]) * hits[j] for j in range(len(hits)) for i in range(j))


def auc(relevance: Ranking) -> Value:
    """The fraction of all pairs of one relevant and one irrelevant item that are in the right order."""
    hits = relevant(relevance)
    right = sum(hits[i] * (1 - hits[j]) for j in range(len(hits)) for i in range(j))
    return over(right, sum(hits) * (len(hits) - sum(hits)))


def auc_from_scores(scores: Ranking, labels: Ids) -> Value:
    """The AUC from scores, with equal scores counted as one half. Scores and labels must be known."""
    ups = [score for score, label in zip(scores, labels) if label]
    downs = [score for score, label in zip(scores, labels) if not label]
    right = sum(Fraction((up > down) * 2 + (up == down), 2) for up in ups for down in downs)
    return over(right, len(ups) * len(downs))


def precision_recall_curve(scores: Ranking, labels: Ids) -> tuple[list[Value], list[Value], list[Value]]:
    """The precision and recall of all items that score at least s, for every score s, lowest first; the last pair is 1 and 0."""
    thresholds = sorted(set(scores))
    lists = [[label for score, label in zip(scores, labels) if score >= s] for s in thresholds]
    precisions = [Fraction(sum(each), len(each)) for each in lists]
    recalls = [over(sum(each), sum(labels)) for each in lists]
    return [*precisions, 1], [*recalls, 0], thresholds


def bpref(
    relevance: Ranking,
    n_relevant: Value = None,
    *,
    judged: Ranking | None = None,
    n_irrelevant: Value = None,
) -> Value:
    """trec_eval's bpref over the judged items; without irrelevant items each hit counts as 1. Positions must be known."""
    hits = [hit for hit, known in zip(relevant(relevance), judged or [1] * len(relevance)) if known]
    total = count(hits, n_relevant)
    irrelevant = len(hits) - sum(hits) if n_irrelevant is None else n_irrelevant
    most = min(total, irrelevant)
    kept = [1 - over(min(k - sum(hits[:k]), most), most) if most else 1 for k, hit in enumerate(hits) if hit]
    return over(sum(kept), total)


# Gain


def log2_discount(rank: Value) -> Value:
    """The discount 1 / log2(rank + 1). For exact results pass another function, such as `lambda k: 1 / sympy.log(k + 1, 2)`."""
    return 1 / log2(rank + 1)


def gain_of(grade: Value, gain: str) -> Value:
    """The gain of a grade g: g or 2^g - 1."""
    return grade if gain == "linear" else 2**grade - 1


def dcg(
    relevance: Iterable[Value],
    k: Value = None,
    gain: str = "linear",
    discount: Discount = log2_discount,
) -> Value:
    """The sum of gain times discount over the top k."""
    top = enumerate(islice(relevance, k), 1)
    return sum(
        gain_of(grade, gain) * discount(rank)
        for rank, grade in top
    )


def ndcg(
    relevance: Ranking,
    k: Value = None,
    gain: str = "linear",
    ideal: Ranking | None = None,
    n_relevant: Value = None,
    discount: Discount = log2_discount,
) -> Value:
    """The DCG divided by that of the grades in descending order, both cut at k. Grades must be known."""
    best = best_grades(relevance, n_relevant) if ideal is None else sorted(ideal, reverse=True)
    return dcg(relevance, k, gain, discount) / dcg(best, k, gain, discount)


def best_grades(relevance: Ranking, n_relevant: Value) -> Iterable[Value]:
    """The grades in descending order, or, if some relevant items were not ranked, a 1 for each relevant item.

    Raises ValueError if some were not ranked and the ranked items do not all have grade 0 or 1.
    """
    best = sorted(relevance, reverse=True)
    if count(relevance, n_relevant) == count(relevance):
        return best
    if any(grade not in (0, 1) for grade in best):
        raise ValueError("ideal: got none, although not all grades are known; expected all grades of the universe")
    return repeat(1, n_relevant)


def binary_g(relevance: Ranking, n_relevant: Value = None) -> Value:
    """The sum of 1 / log2(2 + m) over the hits, times 1/R; m is the number of irrelevant items above the hit. Positions must be known."""
    hits = relevant(relevance)
    kept = [log2_discount(1 + k - sum(hits[:k])) for k, hit in enumerate(hits) if hit]
    return over(sum(kept), count(relevance, n_relevant))


def graded_g(relevance: Ranking, n_relevant: Value = None) -> Value:
    """The sum of grade / log2(2 + gain missed so far), divided by the sum of all grades. Grades must be known."""
    best = relevant_grades(relevance, n_relevant)
    kept = 0
    for k, grade in enumerate(relevance, 1):
        possible = sum(max(of, 1) for of in best[:k]) + max(k - len(best), 0)
        kept += grade * log2_discount(1 + possible - sum(relevance[:k]))
    return over(kept, sum(best))


def mean_ndcg_at_hits(
    relevance: Ranking, n_relevant: Value = None, discount: Discount = log2_discount
) -> Value:
    """The mean of nDCG(k) over the ranks k of the relevant items; each relevant item not ranked counts as nDCG(N). Grades must be known."""
    best = relevant_grades(relevance, n_relevant)
    ends = [k for k, grade in enumerate(relevance, 1) if grade > 0]
    values = [ndcg(relevance, k, ideal=best, discount=discount) for k in ends]
    values += [ndcg(relevance, ideal=best, discount=discount)] * (len(best) - len(ends))
    return over(sum(values), len(values))


def mean_ndcg_at_levels(
    relevance: Ranking, n_relevant: Value = None, discount: Discount = log2_discount
) -> Value:
    """The mean of nDCG(k) over every k at which the best ranking steps down to a lower grade.

    The whole ranking counts, too, if it is longer than the number of relevant items by at least two. Grades must be known.
    """
    best = relevant_grades(relevance, n_relevant)
    ends = [k for k, grade in enumerate(best, 1) if [*best, 0][k] < grade]
    values = [ndcg(relevance, k, ideal=best, discount=discount) for k in ends]
    if best and len(relevance) > len(best) + 1:
        values.append(ndcg(relevance, ideal=best, discount=discount))
    return over(sum(values), len(values))


def relevant_grades(relevance: Ranking, n_relevant: Value) -> list[Value]:
    """The grades above 0 in descending order, with a 1 for each relevant item that was not ranked."""
    return [grade for grade in best_grades(relevance, n_relevant) if grade > 0]


def rank_biased_precision(relevance: Ranking, persistence: Value) -> Value:
    """The sum of delta(k) p^(k-1), times 1 - p."""
    return (1 - persistence) * sum(hit * persistence ** (k - 1) for k, hit in enumerate(relevant(relevance), 1))


def expected_reciprocal_rank(relevance: Ranking, max_grade: Value) -> Value:
    """The sum over k of (1/k) times the probability of stopping at k and not before."""
    stop = [over(2**grade - 1, 2**max_grade) for grade in relevance]
    return sum(over(1, k) * q * prod(1 - above for above in stop[: k - 1]) for k, q in enumerate(stop, 1))


def weights_of(continuation: Ranking) -> list[Value]:
    """The probability that each rank is read, divided by the sum of these probabilities; rank k is read if the reader goes on from all ranks above it."""
    read = [prod(continuation[:k]) for k in range(len(continuation))]
    return [over(each, sum(read)) for each in read]


def last_read(continuation: Ranking) -> list[Value]:
    """The probability that rank k is the last one read: the reader goes on k - 1 times, and then stops."""
    return [prod(continuation[:k]) * (1 - c) for k, c in enumerate(continuation)]


def inst_continuation(relevance: Ranking, expected: Value) -> list[Value]:
    """The probability ((k + T + T_k - 1) / (k + T + T_k))^2 of going on after rank k, where T_k is T minus the number of hits in the top k."""
    depth = [k + 2 * expected - sum(relevant(relevance)[:k]) for k in range(1, len(relevance) + 1)]
    return [over(each - 1, each) ** 2 for each in depth]


def inst(relevance: Ranking, expected: Value) -> Value:
    """The expected number of hits read, divided by the expected number of items read, to the end of an endless list.

    Below the list nothing is relevant: 30,000 ranks are added one by one, and the rest as an integral; so the value is a float.
    """
    hits, go_on = relevant(relevance), inst_continuation(relevance, expected)
    read = [prod(go_on[:k]) for k in range(len(go_on) + 1)]
    start, far = len(hits) + 2 * expected - sum(hits), 30_000
    below = sum((float(start) / float(start + m)) ** 2 for m in range(far)) + float(start) ** 2 / (float(start) + far - 0.5)
    return float(sum(hit * each for hit, each in zip(hits, read))) / (float(sum(read[:-1])) + float(read[-1]) * below)


def team_draft(first: Ids, second: Ids, coins: Sequence[int]) -> tuple[list[Any], list[int]]:
    """The drafted list and the team of each item: in each round both teams pick their best remaining item, and a coin says
    who picks first.
    """
    items: list[Any] = []
    teams: list[int] = []
    while set(first) - set(items) and set(second) - set(items):
        team = coins[len(items) // 2] if len(items) % 2 == 0 else 1 - teams[-1]
        items.append(next(item for item in (first, second)[team] if item not in items))
        teams.append(team)
    return items, teams


def team_drafts(first: Ids, second: Ids) -> list[tuple[list[Any], list[int]]]:
    """The drafts for all sequences of coins, which are equally likely."""
    return [team_draft(first, second, coins) for coins in product((0, 1), repeat=ceil(len({*first, *second}) / 2))]


def balanced_interleaving(first: Ids, second: Ids, coin: int) -> list[Any]:
    """The list that two lists make by taking turns; one coin says which of them begins, and items already there are skipped."""
    items: list[Any] = []
    pointers = [0, 0]
    while pointers[0] < len(first) and pointers[1] < len(second):
        team = coin if pointers[0] == pointers[1] else int(pointers[0] > pointers[1])
        item = (first, second)[team][pointers[team]]
        items += [item] * (item not in items)
        pointers[team] += 1
    return items


def balanced_winner(first: Ids, second: Ids, clicked: Any) -> int:
    """The winner after one click: 1 if the clicked item is higher in the first list, -1 if it is higher in the second, and 0 if in neither."""
    k = min(list(first).index(clicked), list(second).index(clicked)) + 1
    return (clicked in first[:k]) - (clicked in second[:k])


# Ties. Scores must be known.


def orders_of_ties(relevance: Ranking, scores: Ranking) -> list[list[Value]]:
    """Every ranking by descending score, one for each order of the items that share a score."""
    by_score = [[g for g, s in zip(relevance, scores) if s == score] for score in sorted(set(scores), reverse=True)]
    return [list(chain.from_iterable(order)) for order in product(*map(permutations, by_score))]


def mean_over_ties(metric: Metric, relevance: Ranking, scores: Ranking) -> Value:
    """The mean of a metric over all orders of the tied items."""
    return mean([metric(order) for order in orders_of_ties(relevance, scores)])


# Two orders of the same items, each a list with a number for each of them, the larger the better.


def order(values: Ranking, i: int, j: int) -> int:
    """1 if item i is before item j, -1 if it is after item j, 0 if they are tied."""
    return (values[i] > values[j]) - (values[i] < values[j])


def pair_sum(a: Ranking, b: Ranking, weight: Callable[[int, int], Value] = lambda i, j: 1) -> Value:
    """The sum of the weights of the pairs in the same order minus that of the pairs in opposite order."""
    pairs = combinations(range(len(a)), 2)
    return sum(weight(i, j) * order(a, i, j) * order(b, i, j) for i, j in pairs)


def root(square: Value) -> Value:
    """The square root, as a Fraction if it is rational."""
    square = Fraction(square)
    exact = Fraction(isqrt(square.numerator), isqrt(square.denominator))
    return exact if exact**2 == square else sqrt(square)


def kendall_tau(a: Ranking, b: Ranking, variant: str = "b") -> Value:
    """The number of pairs in the same order minus the number in opposite order, divided by the number of all pairs or,
    in variant "b", by the geometric mean of the numbers of pairs that a and that b put in an order.
    """
    if variant == "a":
        return over(2 * pair_sum(a, b), len(a) * (len(a) - 1))
    return over(pair_sum(a, b), root(pair_sum(a, a) * pair_sum(b, b)))


def spearman_rho(a: Ranking, b: Ranking) -> Value:
    """The correlation of the ranks; tied items share the mean of their ranks."""
    ranks = [[sum(order(values, i, j) for j in range(len(values))) for i in range(len(values))] for values in (a, b)]
    along = lambda x, y: sum(first * second for first, second in zip(x, y))
    return over(along(*ranks), root(along(ranks[0], ranks[0]) * along(ranks[1], ranks[1])))


def ap_correlation(reference: Ranking, other: Ranking) -> Value:
    """The mean, over all items but the first, of the share of the items above it that belong there; mapped from [0, 1] to [-1, 1]."""
    ranked = sorted(range(len(other)), key=lambda item: other[item], reverse=True)
    shares = [
        over(sum(reference[above] > reference[item] for above in ranked[:i]), i)
        for i, item in enumerate(ranked) if i > 0
    ]  # fmt: skip
    return 2 * over(sum(shares), len(shares)) - 1


def weighted_tau(a: Ranking, b: Ranking) -> Value:
    """Tau in which a pair of items at the ranks r and s counts 1/r + 1/s: the mean of two such values, one with the
    ranks in a and one with the ranks in b.
    """
    return over(tau_by_ranks(a, b, list(zip(a, b))) + tau_by_ranks(a, b, list(zip(b, a))), 2)


def tau_by_ranks(a: Ranking, b: Ranking, ranked: Sequence[Value]) -> Value:
    """The weighted tau with the ranks in one order only."""
    rank = {item: r for r, item in enumerate(sorted(range(len(a)), key=lambda item: ranked[item], reverse=True), 1)}
    weight = lambda i, j: Fraction(1, rank[i]) + Fraction(1, rank[j])
    return over(pair_sum(a, b, weight), root(pair_sum(a, a, weight) * pair_sum(b, b, weight)))


# Two judges of the same items, each a list with a label for each of them; and a judge that errs at known rates.


def observed_agreement(first: Sequence[Any], second: Sequence[Any]) -> Value:
    """The share of the items to which both judges give the same label."""
    return over(sum(one == other for one, other in zip(first, second, strict=True)), len(first))


def agreement_by_luck(first: Sequence[Any], second: Sequence[Any]) -> Value:
    """The probability of the same label if each judge draws one at random from the labels that they gave."""
    labels = {*first, *second}
    return sum(over(sum(one == label for one in first), len(first)) * over(sum(other == label for other in second), len(second)) for label in labels)


def cohen_kappa(first: Sequence[Any], second: Sequence[Any]) -> Value:
    """The excess of the agreement over luck, divided by the greatest possible excess."""
    by_luck = agreement_by_luck(first, second)
    return over(observed_agreement(first, second) - by_luck, 1 - by_luck)


def seen_share(share: Value, tpr: Value, fpr: Value) -> Value:
    """The share of the items that a judge calls relevant, if the rate is tpr among the relevant items and fpr among the others."""
    return share * tpr + (1 - share) * fpr


def rogan_gladen(seen: Value, tpr: Value, fpr: Value) -> Value:
    """The share of relevant items, if a judge with these rates calls the share `seen` relevant."""
    return over(seen - fpr, tpr - fpr)


# Two lists of ids, best first; a set in a list holds ids that are tied.


def rank_biased_overlap(
    a: Ids, b: Ids, persistence: Value, depth: Value = None, kind: str = "extrapolated", ln: Callable[[Value], Value] = log
) -> Value:
    """The value of the equation for the given kind, averaged over all orders of the tied ids."""
    equation: Callable[..., Value] = {"extrapolated": rbo_extrapolated, "minimum": rbo_minimum, "residual": rbo_residual}[kind]
    orders = [(first[:depth], second[:depth]) for first in orders_of_list(a) for second in orders_of_list(b)]
    return over(sum(equation(*sorted(pair, key=len), persistence, ln) for pair in orders), len(orders))


def orders_of_list(ids: Ids) -> list[list[Any]]:
    """Every order of a list whose sets are ties."""
    blocks = [permutations(block if isinstance(block, set) else [block]) for block in ids]
    return [list(chain.from_iterable(parts)) for parts in product(*blocks)]


def overlap(short: Ids, long: Ids, d: int) -> int:
    """X_d: the number of ids among the first d of both lists."""
    return len(set(short[:d]) & set(long[:d]))


def rbo_minimum(short: Ids, long: Ids, p: Value, ln: Callable[[Value], Value] = log) -> Value:
    """Equation 11: nothing is shared further down, but ids already shared continue to count."""
    k, shared = len(long), overlap(short, long, len(long))
    gains = sum(over((overlap(short, long, d) - shared) * p**d, d) for d in range(1, k + 1))
    return (1 - p) / p * (gains - shared * ln(1 - p))


def rbo_residual(short: Ids, long: Ids, p: Value, ln: Callable[[Value], Value] = log) -> Value:
    """Equation 30: the value that could be added further down."""
    s, l, shared = len(short), len(long), overlap(short, long, len(long))
    full = s + l - shared
    part = lambda after: sum(over(p**d, d) for d in range(after + 1, full + 1))
    return p**s + p**l - p**full - (1 - p) / p * (s * part(s) + l * part(l) + shared * (-ln(1 - p) - part(0)))


def rbo_extrapolated(short: Ids, long: Ids, p: Value, ln: Callable[[Value], Value] = log) -> Value:
    """Equation 32: beyond the end of each list, the agreement stays as it was there."""
    s, l = len(short), len(long)
    X = lambda d: overlap(short, long, d)
    seen = sum(over(X(d) * p**d, d) for d in range(1, l + 1))
    hoped = sum(over(X(s) * (d - s) * p**d, s * d) for d in range(s + 1, l + 1))
    return (1 - p) / p * (seen + hoped) + (over(X(l) - X(s), l) + over(X(s), s)) * p**l


# The premise-selection thesis. Positions must be known.


def premise_cover(suggestions: Ids, required: Ids, n: Value = 100) -> Value:
    """The ratio |top n and required| / |required|."""
    return over(len(set(suggestions[:n]) & set(required)), len(required))


def premise_precision(suggestions: Ids, required: Ids, n: Value = 100) -> Value:
    """The ratio |top n and required| / |top n|."""
    return over(len(set(suggestions[:n]) & set(required)), len(suggestions[:n]))


def premise_recall(suggestions: Ids, required: Ids) -> Value:
    """The first i for which the top i contain every required premise, or the number of suggestions plus one."""
    complete = [i for i in range(len(suggestions) + 1) if set(required) <= set(suggestions[:i])]
    return min(complete, default=len(suggestions) + 1)


def premise_rank(suggestions: Ids, required: Ids) -> Value:
    """The mean 0-based position of the required premises that were suggested."""
    positions = [suggestions.index(premise) for premise in required if premise in suggestions]
    return over(sum(positions), len(positions))


def premise_auc(suggestions: Ids, required: Ids) -> Value:
    """The fraction of all pairs (required, not required) of suggestions that are in the right order."""
    return auc([int(premise in required) for premise in suggestions])


# By decile of label frequency. Positions must be known.


def frequency_deciles(counts: Mapping[Any, Value], *, equal: str = "labels") -> dict[Any, int]:
    """The decile, at least 1, of each label: the labels, sorted by count, are cut into ten parts with equal numbers of labels or equal total counts."""
    ascending = sorted(counts, key=counts.__getitem__)
    if equal == "labels":
        return {label: 10 * i // len(ascending) + 1 for i, label in enumerate(ascending)}
    total = sum(counts.values())
    below = {label: sum(counts[other] for other in ascending[: i + 1]) for i, label in enumerate(ascending)}
    return {label: max(1, ceil(over(10 * below[label], total))) for label in ascending}


def in_decile(labels: Ids, decile: Mapping[Any, int], d: int) -> Ids:
    """The labels of decile d, in the given order."""
    return [label for label in labels if decile.get(label) == d]


def by_decile(
    predictions: Lists,
    actual: Lists,
    decile: Mapping[Any, int],
    top: int,
    value: Callable[[Ids, Ids], Value],
) -> list[list[Value]]:
    """For each decile, the values of the instances that have an actual label in it."""
    return [
        [
            value(in_decile(predicted[:top], decile, d), in_decile(labels, decile, d))
            for predicted, labels in zip(predictions, actual)
            if in_decile(labels, decile, d)
        ]
        for d in range(1, 11)
    ]


def precision_by_decile(
    predictions: Lists, actual: Lists, decile: Mapping[Any, int], k: Value, top: int = 500
) -> list[list[Value]]:
    """For each decile, the values whose mean is its precision: hits divided by predictions present, or 0 without predictions."""

    def value(predicted: Ids, labels: Ids) -> Value:
        shown = predicted[:k]
        return over(len(set(shown) & set(labels)), len(shown)) if shown else Fraction(0)

    return by_decile(predictions, actual, decile, top, value)


def ndcg_by_decile(
    predictions: Lists, actual: Lists, decile: Mapping[Any, int], k: Value, top: int = 500
) -> list[list[Value]]:
    """For each decile, the values whose mean is its nDCG@k."""
    value = lambda predicted, labels: ndcg([int(label in labels) for label in predicted], k, ideal=[1] * len(labels))
    return by_decile(predictions, actual, decile, top, value)


def rank_for_recall_by_decile(
    predictions: Lists,
    actual: Lists,
    decile: Mapping[Any, int],
    level: Value,
    unreached: Value,
    top: int = 500,
) -> list[list[Value]]:
    """For each decile, the ranks at which it reaches the level; `unreached` stands in if it never does."""

    def value(predicted: Ids, labels: Ids) -> Value:
        k = rank_at_recall([int(label in labels) for label in predicted], level, len(labels))
        return unreached if k == inf else k

    return by_decile(predictions, actual, decile, top, value)


def prediction_proportions_at(
    predictions: Lists, decile: Mapping[Any, int], k: Value
) -> list[Value]:
    """For each decile, the number of its predictions in the top k of all instances, divided by k times the number of instances."""
    shown = shown_at(predictions, k)
    return [over(len(in_decile(shown, decile, d)), k * len(predictions)) for d in range(1, 11)]


def prediction_precision_at(
    predictions: Lists, actual: Lists, decile: Mapping[Any, int], k: Value
) -> list[tuple[int, int]]:
    """For each decile, (the number of its predictions in the top k that are right, the number of all its predictions there)."""
    right = [label for predicted, labels in zip(predictions, actual) for label in predicted[:k] if label in labels]
    shown = shown_at(predictions, k)
    return [(len(in_decile(right, decile, d)), len(in_decile(shown, decile, d))) for d in range(1, 11)]


def positive_coverage_at(
    predictions: Lists, actual: Lists, decile: Mapping[Any, int], k: Value
) -> list[tuple[int, int]]:
    """For each decile, (the number of distinct labels predicted rightly, the number of distinct actual labels)."""
    right = {label for predicted, labels in zip(predictions, actual) for label in predicted[:k] if label in labels}
    wanted = {label for labels in actual for label in labels}
    return [(len(in_decile(right, decile, d)), len(in_decile(wanted, decile, d))) for d in range(1, 11)]


# Of a whole catalogue. Positions must be known.


def shown_at(predictions: Lists, k: Value) -> Ids:
    """The labels in the top k of all instances, each as often as it occurs there."""
    return [label for predicted in predictions for label in predicted[:k]]


def catalogue_coverage_at(
    predictions: Lists, catalogue: Ids, k: Value
) -> Value:
    """The share of the catalogue's labels that are in some top k."""
    shown = set(shown_at(predictions, k)) & set(catalogue)
    return over(len(shown), len(catalogue))


def gini_at(predictions: Lists, catalogue: Ids, k: Value) -> Value:
    """The mean difference of two labels' counts, divided by twice their mean.

    The count of a label is how often it occurs in a top k.
    """
    shown = shown_at(predictions, k)
    times = [shown.count(label) for label in catalogue]
    apart = sum(abs(x - y) for x in times for y in times)
    return over(apart, 2 * len(times) * sum(times))


def self_information(share: Value) -> Value:
    """The information -log2(share). For exact results pass another function, such as `lambda share: -sympy.log(share, 2)`."""
    return -log2(share) if share else inf


def novelty_at(
    predictions: Lists, counts: Mapping[Any, Value], k: Value, information: Callable[[Value], Value] = self_information
) -> Value:
    """The mean information of the labels in the top k; the share of a label is its count divided by the sum of all counts."""
    total = sum(counts.values())
    return mean([information(over(counts[label], total)) for label in shown_at(predictions, k)])


def propensities(
    counts: Mapping[Any, Value], n_instances: int, a: Value = 0.55, b: Value = 1.5
) -> dict[Any, Value]:
    """The propensity 1 / (1 + C (count + b)^-a) of each label, where C = (log n - 1) (b + 1)^a."""
    return {label: 1 / (1 + (log(n_instances) - 1) * ((b + 1) / (number + b)) ** a) for label, number in counts.items()}


def propensity_scored_precision_at(
    predictions: Lists, actual: Lists, propensity: Mapping[Any, Value],
    k: Value, normalised: bool = True,
) -> Value:
    """The mean of (1/k) times the sum of 1/propensity over the hits.

    If normalised, divided by the mean of the best lists.
    """
    found, best = weighed(predictions, actual, propensity, k, lambda rank: 1)
    found = mean([over(sum(each), k) for each in found])
    best = mean([over(sum(each), k) for each in best])
    return over(found, best) if normalised else found


def propensity_scored_ndcg_at(
    predictions: Lists, actual: Lists, propensity: Mapping[Any, Value], k: Value, normalised: bool = True,
    discount: Discount = log2_discount,
) -> Value:
    """The mean of a quotient: DCG@k with gains 1/propensity, divided by the DCG@k of min(k, R) gains of 1; it is 0 if R = 0.

    If normalised, divided by the mean of the best lists.
    """
    found, best = weighed(predictions, actual, propensity, k, discount)
    ones = [sum(discount(rank) for rank, _ in enumerate(each, 1)) for each in best]
    values, of_best = ([sum(each) / one if one else 0 for each, one in zip(lists, ones)] for lists in (found, best))
    return over(mean(values), mean(of_best)) if normalised else mean(values)


def weighed(
    predictions: Lists, actual: Lists, propensity: Mapping[Any, Value], k: Value, discount: Discount
) -> tuple[list[list[Value]], list[list[Value]]]:
    """For each instance, the discount of each hit in the top k divided by its propensity, and the same values for the best list."""
    best_lists = [sorted(labels, key=propensity.__getitem__) for labels in actual]
    found, best = (
        [
            [over(1, propensity[label]) * discount(rank) for rank, label in enumerate(made[:k], 1) if label in labels]
            for made, labels in zip(lists, actual)
        ]
        for lists in (predictions, best_lists)
    )
    return found, best


# By intent. Positions must be known.


def grade_in(item: Any, intent: Ids) -> Value:
    """The grade of an item for an intent: from a mapping, or 1 if the item is in a collection."""
    return intent.get(item, 0) if isinstance(intent, Mapping) else int(item in intent)


def alpha_dcg(
    ranking: Ids, intents: Lists, k: Value = None,
    alpha: Value = Fraction(1, 2),
    discount: Discount = log2_discount,
) -> Value:
    """The sum over the top k of discount times gain.

    An item gains, for each of its intents, (1 - alpha)^m, where
    m items above it have this intent, too.
    """
    total = 0
    for intent in intents:
        hits = [grade_in(item, intent) > 0 for item in ranking[:k]]
        total += sum(
            discount(rank) * (1 - alpha) ** sum(hits[: rank - 1])
            for rank, hit in enumerate(hits, 1) if hit
        )
    return total


def greedy_ideal(intents: Lists, alpha: Value = Fraction(1, 2)) -> Ids:
    """All relevant items in greedy order: the item that gains most is next; among equals, one of the earlier intents."""
    relevant_ids = dict.fromkeys(item for intent in intents for item in intent if grade_in(item, intent) > 0)
    left = sorted(relevant_ids, key=lambda item: [not grade_in(item, intent) > 0 for intent in intents])
    chosen: list[Any] = []
    while left:
        chosen.append(max(left, key=lambda item: alpha_dcg([*chosen, item], intents, None, alpha, lambda rank: 1)))
        left.remove(chosen[-1])
    return chosen


def alpha_ndcg(
    ranking: Ids, intents: Lists, k: Value = None, alpha: Value = Fraction(1, 2), discount: Discount = log2_discount
) -> Value:
    """The alpha-DCG of one query divided by that of the greedy ideal, both cut at k."""
    best = alpha_dcg(greedy_ideal(intents, alpha), intents, k, alpha, discount)
    return over(alpha_dcg(ranking, intents, k, alpha, discount), best)


def err_ia(ranking: Ids, intents: Lists, k: Value = None, max_grade: Value = 1) -> Value:
    """The mean of ERR@k over the intents of one query."""
    return mean([
        expected_reciprocal_rank([grade_in(item, intent) for item in ranking[:k]], max_grade) for intent in intents
    ])


# Over queries


def mean(values: Ranking) -> Value:
    """The sum divided by the number of values; ZeroDivisionError if there are no values."""
    return over(sum(values), len(values))


def median(values: Ranking) -> Value:
    """The middle value, or the mean of the two middle values, in sorted order; IndexError if there are no values."""
    ascending, half = sorted(values), len(values) // 2
    return over(ascending[half] + ascending[-1 - half], 2)


def geometric_mean(values: Ranking) -> Value:
    """The n-th root of the product of the n defined values."""
    return prod(values) ** over(1, len(values))
