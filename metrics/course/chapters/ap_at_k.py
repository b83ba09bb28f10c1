"""AP@K: tasks and questions."""

from fractions import Fraction
from functools import partial

from metrics.exact import definitions, heights, hit_ranks, rankings

from ..beliefs import Question, Task, belief, written
from ..votes import Saying, Vote, shuffled

TITLE = "AP at K"
by = {name: partial(definitions.average_precision_at, denominator=name) for name in ("retrieved", "relevant", "ideal", "k")}


def precision_sum(relevance, k):
    return sum(heights(relevance[:k]), Fraction(0))


@belief("you divide by the hits among the first K", "What happens to the value if the tool leaves out its last hit?")
def over_hits(relevance, k):
    return precision_sum(relevance, k) / Fraction(sum(relevance[:k]))


@belief("you divide by all relevant items", "Can a list of K items reach 1 if more than K items are relevant?")
def over_relevant(relevance, k, n_relevant):
    return precision_sum(relevance, k) / n_relevant


@belief("you divide by K", "Can a list reach 1 if fewer than K items are relevant?")
def over_k(relevance, k):
    return precision_sum(relevance, k) / k


@belief("you divide by K or by the number of relevant items, whichever is smaller", "What does the question ask you to divide by?")
def over_ideal(relevance, k, n_relevant):
    return precision_sum(relevance, k) / min(k, n_relevant)


@belief("you do not cut the list", "How many items does the reader see?")
def not_cut(relevance, k, n_relevant):
    return precision_sum(relevance, len(relevance)) / min(k, n_relevant)


@belief("the first k items go on to rank k + 1", "How many items has `relevance[:k + 1]`?")
def one_too_many(relevance, k, n_relevant):
    return precision_sum(relevance, k + 1) / min(k, n_relevant)


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
        ap_at_k_ideal, "Write AP@K. Its divisor is the number of hits that the best list of `k` items would have: `k`, or `n_relevant` if fewer items are relevant.",
        ideal, rankings(6).with_cutoff().with_n_relevant(unranked=2), (over_hits, over_relevant, over_k, not_cut, one_too_many), points=4,
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
        f"A tool returns this list (1 means relevant, best first): {written(relevance)}. In all, {n_relevant} items are relevant. What is AP@{k}, divided by "
    )


def way(relevance, k, denominator, value):
    terms = " + ".join(f"{j}/{rank}" for j, rank in enumerate(hit_ranks(relevance[:k]), 1))
    return f"({terms}) / {denominator} = {value}."


QUESTIONS = (
    Question(
        "apk-ideal", lambda relevance, k, n_relevant: said(relevance, k, n_relevant) + f"{k}, or by the number of relevant items if that is smaller?",
        CUT, ideal, (over_hits, not_cut), lambda relevance, k, n_relevant: way(relevance, k, min(k, n_relevant), ideal(relevance, k, n_relevant)),
    ),
    Question(
        "apk-relevant", lambda relevance, k, n_relevant: said(relevance, k, n_relevant) + "the number of all relevant items?",
        CUT, all_relevant, (over_hits, over_k), lambda relevance, k, n_relevant: way(relevance, k, n_relevant, all_relevant(relevance, k, n_relevant)),
    ),
    Question(
        "apk-retrieved", lambda relevance, k, n_relevant: said(relevance, k, n_relevant) + f"the hits among the first {k} items?",
        CUT, retrieved, (over_relevant, over_k), lambda relevance, k: way(relevance, k, sum(relevance[:k]), retrieved(relevance, k)),
    ),
)  # fmt: skip


@belief("you take the mean over all levels, with height 0 beyond 1/2", "How wide is the part of the curve that the question asks about?", "K2")
def area_up_to_the_cut(relevance, k, n_relevant):
    return all_relevant(relevance, k, n_relevant)


@belief("you multiply the area by the recall", "The area is a width times a mean height. Which of the two is the recall?", "K2")
def area_times_recall(relevance, k, n_relevant):
    return all_relevant(relevance, k, n_relevant) * Fraction(sum(relevance[:k]), n_relevant)


@belief("you divide the sum of the heights by the number of items read", "The curve has a step for each hit. How many steps are there up to the cutoff?", "K2")
def sum_over_items(relevance, k):
    return precision_sum(relevance, k) / k


@belief("one more hit above the cutoff cannot lower AP@K, which was 1", "What is the sum divided by now?", "K10")
def stays_at_one():
    return 1


@belief("you take the precision of the first K items", "What is the precision at the hit at rank 1?", "K10")
def precision_of_the_cut(relevance, k):
    return Fraction(sum(relevance[:k]), k)


def mean_over_goals(recalls, retrieved_values):
    """The mean over goals of recall@K times the AP@K that is divided by the number of hits."""
    return definitions.mean([recall * value for recall, value in zip(recalls, retrieved_values)])


@belief("you multiply the two means", "Compute $S(10)/R$ for each of the two goals first.", "K5")
def product_of_the_means(recalls, retrieved_values):
    return definitions.mean(list(recalls)) * definitions.mean(list(retrieved_values))


@belief("you average the values that have the hits as their divisor", "What share of the relevant items did the first list find?", "K5")
def mean_of_retrieved(retrieved_values):
    return definitions.mean(list(retrieved_values))


@belief("you average the recalls", "How well are the hits of the second list ordered?", "K5")
def mean_of_recalls(recalls):
    return definitions.mean(list(recalls))


VOTES = shuffled(
    __name__,
    Vote(
        "apk-two-calls",
        "You give a program a list of ten items with one hit, at the top, and tell it that $R = 1000$ items are relevant. It says that AP@10 is 1/10. What does it divide by?",
        r"10, or $\min(10, R)$", "Both are 10 here, and the sum is 1. A second call with $R = 1$ tells them apart: it gives 1/10 if the program divides by 10, and 1 if it divides by the smaller of 10 and $R$.",
        (
            Saying("the hits", "How many hits are among the ten? What would AP@10 be then?"),
            Saying("all $R$ relevant items", "The sum is 1. What is 1 over 1000?"),
            Saying("10, for certain", "That is one way to get 1/10. What would you get from a program that divides by the number of hits in an ideal list of ten?"),
        ),
    ),
    Vote(
        "apk-mean-height",
        "Four items are relevant, and the first three items of a list include two of them, at ranks 1 and 3. Up to the recall of 1/2 that these reach, the area under the curve is 5/12. What is the mean height of the curve up to there?",
        retrieved, r"It is the area divided by its width, $\frac{5}{12} / \frac12$, which is the mean of the two steps, $1$ and $\frac23$. The four has cancelled out.",
        (area_up_to_the_cut, area_times_recall, sum_over_items),
        {"relevance": (1, 0, 1), "k": 3, "n_relevant": 4}, objective=2,
    ),
    Vote(
        "apk-one-hit-more",
        "For `[1, 0, 0, 1]`, AP@3, divided by the hits among the first three items, is 1. A better version of the tool moves the second hit up, and returns `[1, 0, 1, 0]`. What is this AP@3 now?",
        retrieved, r"At the new hit, precision is $\frac23$, and this joins the mean over the hits: $\frac12\left(1 + \frac23\right)$. The reader sees one more hit, and the value falls.",
        (stays_at_one, precision_of_the_cut, sum_over_items),
        {"relevance": (1, 0, 1, 0), "k": 3}, objective=3,
    ),
    Vote(
        "apk-two-goals",
        "For one goal, recall@10 is 1/10, and AP@10, with the hits as its divisor, is 1. For another goal, these values are 1 and 1/2. What is the mean, over both goals, of AP@10 with all relevant items as its divisor?",
        mean_over_goals, r"For each goal, this AP@10 is recall@10 times the value with the hits as divisor, which gives $\frac{1}{10}$ and $\frac12$. The product of the two means, 0.41, is another number.",
        (product_of_the_means, mean_of_retrieved, mean_of_recalls),
        {"recalls": (Fraction(1, 10), Fraction(1)), "retrieved_values": (Fraction(1), Fraction(1, 2))}, lambda value: f"{float(value):.2f}", objective=2,
    ),
)  # fmt: skip

# Which exercises measure an objective on the chapter's card, by its number.
EXERCISES = {
    1: ["ex-four-by-hand"],
    2: ["ex-recover-total"],
    3: ["ex-beat-the-hack"],
    4: ["ex-ten-places", "ex-project-rankings"],
}
