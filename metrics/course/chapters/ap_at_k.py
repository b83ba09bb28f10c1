"""AP@K: tasks and questions."""

from fractions import Fraction
from functools import partial

from metrics.exact import definitions, heights, hit_ranks, rankings

from ..beliefs import Question, Task, belief, written

TITLE = "AP at K"
by = {name: partial(definitions.average_precision_at, denominator=name) for name in ("retrieved", "relevant", "ideal", "k")}


def precision_sum(relevance, k):
    return sum(heights(relevance[:k]), Fraction(0))


@belief("you divide by the hits among the first K", "What happens to the value if the tool leaves out its last hit?")
def over_hits(relevance, k):
    return precision_sum(relevance, k) / Fraction(sum(relevance[:k]))


@belief("you divide by all relevant items", "Can a list of K reach 1 if more than K items are relevant?")
def over_relevant(relevance, k, n_relevant):
    return precision_sum(relevance, k) / n_relevant


@belief("you divide by K", "Can a list reach 1 if fewer than K items are relevant?")
def over_k(relevance, k):
    return precision_sum(relevance, k) / k


@belief("you divide by K or by the relevant items, whichever are fewer", "What does the question ask to divide by?")
def over_ideal(relevance, k, n_relevant):
    return precision_sum(relevance, k) / min(k, n_relevant)


@belief("you do not cut the list", "How many items does the reader see?")
def not_cut(relevance, k, n_relevant):
    return precision_sum(relevance, len(relevance)) / min(k, n_relevant)


def ap_at_k_ideal(relevance, k, n_relevant):
    hits, total = 0, Fraction(0)
    for rank, relevant in enumerate(relevance[:k], 1):
        if relevant:
            hits += 1
            total += Fraction(hits, rank)
    return total / min(k, n_relevant)


def ideal(relevance, k, n_relevant):
    return by["ideal"](relevance, k, n_relevant=n_relevant)


def all_relevant(relevance, k, n_relevant):
    return by["relevant"](relevance, k, n_relevant=n_relevant)


def retrieved(relevance, k):
    return by["retrieved"](relevance, k)


TASKS = (
    Task(
        ap_at_k_ideal, "Write AP@K, divided by what the best list of `k` items would have: `k`, or `n_relevant` if fewer items are relevant.",
        ideal, rankings(6).with_cutoff().with_n_relevant(unranked=2), (over_hits, over_relevant, over_k, not_cut), points=4,
    ),
)  # fmt: skip

CUT = (
    rankings(7, at_least=7)
    .with_cutoff()
    .with_n_relevant()
    .where(
        "3 <= k <= 5, hits among the first k and below", lambda relevance, k, n_relevant: 3 <= k <= 5 and 0 < sum(relevance[:k]) < sum(relevance) < n_relevant
    )
)


def said(relevance, k, n_relevant):
    return (
        f"A tool returns this list (1 is relevant, the best first): {written(relevance)}. In all, {n_relevant} items are relevant. What is AP@{k}, divided by "
    )


def way(relevance, k, denominator, value):
    terms = " + ".join(f"{j}/{rank}" for j, rank in enumerate(hit_ranks(relevance[:k]), 1))
    return f"({terms}) / {denominator} = {value}."


QUESTIONS = (
    Question(
        "apk-ideal", lambda relevance, k, n_relevant: said(relevance, k, n_relevant) + f"{k}, or by the number of relevant items if they are fewer?",
        CUT, ideal, (over_hits, not_cut), lambda relevance, k, n_relevant: way(relevance, k, min(k, n_relevant), ideal(relevance, k, n_relevant)),
    ),
    Question(
        "apk-relevant", lambda relevance, k, n_relevant: said(relevance, k, n_relevant) + "the number of all relevant items?",
        CUT, all_relevant, (over_hits, over_k), lambda relevance, k, n_relevant: way(relevance, k, n_relevant, all_relevant(relevance, k, n_relevant)),
    ),
    Question(
        "apk-retrieved", lambda relevance, k, n_relevant: said(relevance, k, n_relevant) + f"the hits among the first {k}?",
        CUT, retrieved, (over_relevant, over_k), lambda relevance, k: way(relevance, k, sum(relevance[:k]), retrieved(relevance, k)), objective=2,
    ),
)  # fmt: skip

VOTES = ()
