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


@belief("you divide by K or by the number of relevant items, whichever is larger", "How many hits can the best list of K items have?")
def over_the_larger(relevance, k, n_relevant):
    return precision_sum(relevance, k) / max(k, n_relevant)


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
        "3 <= k <= 5, hits among the first k and below, K and R different", lambda relevance, k, n_relevant: 3 <= k <= 5 and 0 < sum(relevance[:k]) < sum(relevance) < n_relevant != k
    )
)


def said(relevance, k, n_relevant):
    return (
        f"A tool returns this list (1 means relevant, best first): {written(relevance)}. In all, {n_relevant} items are relevant. What is AP@{k}, if its sum is divided by "
    )


def way(relevance, k, denominator, value):
    terms = " + ".join(f"{j}/{rank}" for j, rank in enumerate(hit_ranks(relevance[:k]), 1))
    return f"({terms}) / {denominator} = {value}."


STEPS = "the hits among the first K", "the sum", "the divisor"
QUESTIONS = (
    Question(
        "apk-ideal", lambda relevance, k, n_relevant: said(relevance, k, n_relevant) + f"the smaller of {k} and the number of relevant items?",
        CUT, ideal, (over_hits, over_the_larger), lambda relevance, k, n_relevant: way(relevance, k, min(k, n_relevant), ideal(relevance, k, n_relevant)), steps=STEPS,
    ),
    Question(
        "apk-relevant", lambda relevance, k, n_relevant: said(relevance, k, n_relevant) + "the number of all relevant items?",
        CUT, all_relevant, (over_hits, over_k), lambda relevance, k, n_relevant: way(relevance, k, n_relevant, all_relevant(relevance, k, n_relevant)), steps=STEPS,
    ),
    Question(
        "apk-retrieved", lambda relevance, k, n_relevant: said(relevance, k, n_relevant) + f"the hits among the first {k} items?",
        CUT, retrieved, (over_relevant, over_k), lambda relevance, k: way(relevance, k, sum(relevance[:k]), retrieved(relevance, k)), steps=STEPS,
    ),
)  # fmt: skip


@belief("you take the mean over all levels, with height 0 beyond 1/2", "How wide is the part of the curve that the question asks about?", "K2")
def area_up_to_the_cut(relevance, k, n_relevant):
    return all_relevant(relevance, k, n_relevant)


def affected(relevance, k, before, after):
    """The names of those of the four AP@K that change if the number of relevant items does."""
    return [name for name, value in by.items() if value(relevance, k, n_relevant=before) != value(relevance, k, n_relevant=after)]


AFFECTED = " and ".join(f"*{name}*" for name in affected((1, 0, 1, 0, 0), 5, 3, 4))
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
        "apk-fourth-item",
        "Three items are relevant, and a list of five has two of them. Then a fourth relevant item is found, which is not in the list. Which of the four AP@5 change?",
        AFFECTED, r"Both now divide by 4 instead of 3, since $\min(5, 4)$ is 4. The hits in the list and the cutoff are the same as before.",
        (
            Saying("*relevant* alone", "The list has room for five. How many hits has an ideal list now, and how many did it have before?"),
            Saying("all but *retrieved*", "The number of hits in the list is the same. What does *cutoff* divide by?"),
            Saying("none, since the list is the same", "The sum is the same. Is each of the four denominators the same?"),
        ),
        objective=2,
    ),
    Vote(
        "apk-one-hit-more",
        "For `[1, 0, 0, 1]`, AP@3, divided by the hits among the first three items, is 1. A better version of the tool moves the second hit up, and returns `[1, 0, 1, 0]`. What happens to this AP@3?",
        "it falls", r"At the new hit, precision is $\frac23$, and this joins a mean that was $1$. The reader sees one more hit, and the value is now $\frac56$.",
        (
            Saying("it rises", "The sum rises. What is it divided by now?"),
            Saying("it does not change", "There was one hit among the first three, and its precision was 1. What is the precision at the hit that joins it?"),
            Saying("it depends on $R$", "Is $R$ in this denominator?"),
        ),
        objective=3,
    ),
    Vote(
        "apk-two-means",
        "A paper reports the mean of recall@10 over many goals, and the mean of AP@10, divided by the hits. You want the mean of AP@10, divided by $R$. Is it the product of these two means?",
        "no, the product must be taken goal by goal", r"For each goal it is recall@10 times the other AP@10. With recalls of $\frac{1}{10}$ and $1$, and values of $1$ and $\frac12$, the mean of the products is $0.30$, and the product of the means is $0.41$.",
        (
            Saying("yes, since this AP@10 is recall@10 times the other", "So it is for one goal. Try two goals, with recalls of 0.1 and 1, and values of 1 and 0.5."),
            Saying("yes, if all goals have the same $R$", "Can two goals with the same $R$ have different recalls?"),
            Saying("no, the product of the two means is always too large", "Let one goal have a high recall and a high value, and another goal low ones. Which is larger then?"),
        ),
        objective=2,
    ),
)  # fmt: skip

# Which exercises measure an objective on the chapter's card, by its number.
EXERCISES = {
    1: ["ex-four-by-hand"],
    2: ["ex-recover-total"],
    3: ["ex-beat-the-hack"],
    4: ["ex-ten-places", "ex-project-rankings"],
}
