"""Wishes for an AP@k: each wish is true or false of a score and a case, and the smallest case that breaks it can be found.

A score is any function of (relevance, k, n_relevant) with exact values. A case is a 0/1 ranking, a cutoff k and the number R of relevant items.
If a score is 0/0, it raises ZeroDivisionError, as the definitions do: that breaks the wish to be defined, and counts as 0 for all other wishes.
Nothing here imports NumPy.

>>> from metrics.exact import definitions
>>> def cutoff(relevance, k, n_relevant):
...     return definitions.average_precision_at(relevance, k, denominator="cutoff", n_relevant=n_relevant)
>>> smallest_counterexample(ideal_is_1, cutoff, 4)
((1, 0), 2, 1)
"""

from fractions import Fraction

from . import definitions
from .cases import exchanged, rankings


def value(score, relevance, k, n_relevant):
    """The score of a case, or 0 if it is 0/0."""
    try:
        return score(relevance, k, n_relevant)
    except ZeroDivisionError:
        return Fraction(0)


def changed(score, relevance, k, n_relevant, other):
    """The change of the score if the ranking becomes `other`."""
    return value(score, other, k, n_relevant) - value(score, relevance, k, n_relevant)


def ideal(length, n_relevant):
    """The ranking of this length with the relevant items first, as many of them as fit."""
    hits = min(length, n_relevant)
    return (1,) * hits + (0,) * (length - hits)


def is_full(relevance, n_relevant):
    """Whether all relevant items are ranked."""
    return sum(relevance) == n_relevant


def swaps_up(relevance, ranks):
    """The rankings in which, at one of these ranks, an irrelevant item has changed places with a relevant one directly below it."""
    return [exchanged(relevance, i) for i in ranks if relevance[i - 1 : i + 1] == (0, 1)]


# The wishes. The first line of each docstring is the wish in words.


def at_most_1(score, relevance, k, n_relevant):
    """At most 1."""
    return value(score, relevance, k, n_relevant) <= 1


def ideal_is_1(score, relevance, k, n_relevant):
    """1 for the ideal ranking.

    That is the full one with all relevant items first, at every k.
    """
    best = is_full(relevance, n_relevant) and relevance == ideal(len(relevance), n_relevant)
    return not best or value(score, relevance, k, n_relevant) == 1


def only_ideal_is_1(score, relevance, k, n_relevant):
    """1 only for an ideal top k."""
    return relevance[:k] == ideal(len(relevance[:k]), n_relevant) or value(score, relevance, k, n_relevant) != 1


def is_defined(score, relevance, k, n_relevant):
    """Defined if R ≥ 1."""
    try:
        score(relevance, k, n_relevant)
    except ZeroDivisionError:
        return False
    return True


def is_ap_at_the_end(score, relevance, k, n_relevant):
    """AP at k = N, if all are ranked."""
    at_the_end = k == len(relevance) and is_full(relevance, n_relevant)
    return not at_the_end or value(score, relevance, k, n_relevant) == definitions.average_precision(relevance)


def grows_with_k(score, relevance, k, n_relevant):
    """Never falls as k grows."""
    return k == len(relevance) or value(score, relevance, k, n_relevant) <= value(score, relevance, k + 1, n_relevant)


def swap_in_the_top_raises(score, relevance, k, n_relevant):
    """A swap up in the top k raises it."""
    return all(changed(score, relevance, k, n_relevant, other) > 0 for other in swaps_up(relevance, range(1, k)))


def swap_across_never_lowers(score, relevance, k, n_relevant):
    """A swap up across the cut never lowers it."""
    return all(changed(score, relevance, k, n_relevant, other) >= 0 for other in swaps_up(relevance, [k]))


def better_for_worse_never_lowers(score, relevance, k, n_relevant):
    """A better item in place of a worse one never lowers it.

    A relevant item from below the cut takes the place of an irrelevant one above it.
    """
    above = [i for i in range(1, k + 1) if not relevance[i - 1]]
    below = [j for j in range(k + 1, len(relevance) + 1) if relevance[j - 1]]
    return all(changed(score, relevance, k, n_relevant, exchanged(relevance, i, j)) >= 0 for i in above for j in below)


def one_more_judged_relevant_never_lowers(
    score, relevance, k, n_relevant
):
    """One more item judged relevant never lowers it.

    An irrelevant item of the top k is judged relevant,
    and R grows by 1.
    """
    judged = [
        (*relevance[: i - 1], 1, *relevance[i:])
        for i in range(1, k + 1) if not relevance[i - 1]
    ]
    now = value(score, relevance, k, n_relevant)
    return all(
        value(score, other, k, n_relevant + 1) >= now
        for other in judged
    )


def needs_only_the_top(score, relevance, k, n_relevant):
    """Needs only the top k.

    Neither R nor the items below the cut make a difference.
    """
    return value(score, relevance[:k], k, n_relevant + 1) == value(score, relevance, k, n_relevant)


def one_more_not_found_lowers(score, relevance, k, n_relevant):
    """One more relevant item not found lowers it, if it is above 0.

    R grows by 1, and the ranking does not change.
    """
    now = value(score, relevance, k, n_relevant)
    return now == 0 or value(score, relevance, k, n_relevant + 1) < now


WISHES = (
    at_most_1, ideal_is_1, only_ideal_is_1, is_defined, is_ap_at_the_end, grows_with_k, swap_in_the_top_raises, swap_across_never_lowers,
    better_for_worse_never_lowers, one_more_judged_relevant_never_lowers, needs_only_the_top, one_more_not_found_lowers,
)  # fmt: skip


def words(wish):
    """The wish in words, as written in a table.

    >>> words(at_most_1)
    'at most 1'
    """
    text = wish.__doc__.split("\n")[0].rstrip(".")
    return text if text.startswith("AP") else text[0].lower() + text[1:]


def cases_up_to(n):
    """Every (relevance, k, n_relevant) with a ranking of length 1 to n and at most one relevant item unranked, shortest rankings first."""
    for relevance in rankings(n):
        for n_relevant in range(max(1, sum(relevance)), sum(relevance) + 2):
            for k in range(1, len(relevance) + 1):
                yield relevance, k, n_relevant


def smallest_counterexample(wish, score, n):
    """The first case up to length n that breaks the wish, as (relevance, k, n_relevant), or None if no case breaks it."""
    return next((case for case in cases_up_to(n) if not wish(score, *case)), None)
