"""R-precision: tasks and questions."""

from fractions import Fraction

from metrics.exact import definitions, hit_ranks, rankings

from ..beliefs import Question, Task, belief, reduced, written

TITLE = "R-precision"


@belief("you cut where the last hit stands: that is the precision at full recall", "At which rank does R-precision cut?")
def at_full_recall(relevance):
    return Fraction(sum(relevance), (hit_ranks(relevance) or [0])[-1])


@belief("you cut at the number of hits that you see", "How many relevant items are there, ranked or not?")
def cut_at_hits_seen(relevance):
    return definitions.precision_at(relevance, sum(relevance))


@belief("you take the precision of the whole list", "At which rank does R-precision cut?")
def whole_list(relevance):
    return Fraction(sum(relevance), len(relevance))


@belief("you take the recall of the whole list", "At which rank does R-precision cut?")
def recall_of_the_list(relevance, n_relevant):
    return Fraction(sum(relevance), n_relevant)


def r_precision(relevance, n_relevant):
    return Fraction(sum(relevance[:n_relevant]), n_relevant)


@belief("you count hits above misses: the pairs in the right order", "What is wrong about a pair?")
def right_pairs(relevance):
    return sum(1 - second for i, first in enumerate(relevance) if first for second in relevance[i + 1 :])


@belief("only neighbours count", "Is the first item above the third?")
def neighbours(relevance):
    return sum(first < second for first, second in zip(relevance, relevance[1:]))


@belief("you count the misses above the first hit", "What of the misses above the second hit?")
def above_the_first(relevance):
    return relevance.index(1) if 1 in relevance else 0


def inversions(relevance):
    misses, pairs = 0, 0
    for relevant in relevance:
        if relevant:
            pairs += misses
        else:
            misses += 1
    return pairs


TASKS = (
    Task(
        r_precision, "Write R-precision. `relevance` is a list of 0s and 1s, the best first; `n_relevant` is the number of all relevant items, also of those that are not in the list.",
        definitions.r_precision, rankings(7).with_n_relevant(unranked=2), (at_full_recall, cut_at_hits_seen, whole_list, recall_of_the_list), objective=2,
    ),
    Task(
        inversions, "How many pairs of a list stand in the wrong order, the irrelevant item above the relevant one?",
        definitions.inversions, rankings(8), (right_pairs, neighbours, above_the_first), objective=4,
    ),
)  # fmt: skip

LISTS = (
    rankings(8, at_least=7)
    .with_n_relevant()
    .where("3 to 5 relevant, at least 2 of them ranked", lambda relevance, n_relevant: 3 <= n_relevant <= 5 and sum(relevance) >= 2)
)


def said(relevance, n_relevant):
    return f"A tool returns this list (1 is relevant, the best first): {written(relevance)}. In all, {n_relevant} items are relevant."


def number_above(relevance):
    return " + ".join(str(k - j) for j, k in enumerate(hit_ranks(relevance), 1))


QUESTIONS = (
    Question(
        "r-precision-by-hand", lambda relevance, n_relevant: f"{said(relevance, n_relevant)} What is its R-precision?",
        LISTS, definitions.r_precision, (at_full_recall, cut_at_hits_seen, whole_list),
        lambda relevance, n_relevant: f"The hits among the first {n_relevant}, over {n_relevant}: {reduced(sum(relevance[:n_relevant]), n_relevant)}.", minutes=4, objective=2,
    ),
    Question(
        "precision-at-full-recall", lambda relevance: f"A tool ranks all items (1 is relevant, the best first): {written(relevance)}. What is the precision at the first rank at which all relevant items are found?",
        rankings(8, at_least=7).where("2 to 4 hits", lambda relevance: 2 <= sum(relevance) <= 4), at_full_recall.function,
        (cut_at_hits_seen, whole_list), lambda relevance: f"The last hit stands at rank {hit_ranks(relevance)[-1]}: {reduced(sum(relevance), hit_ranks(relevance)[-1])}.", minutes=4, objective=2,
    ),
    Question(
        "wrong-pairs", lambda relevance: f"In the ranking {written(relevance)} (1 is relevant, the best first), how many pairs stand in the wrong order?",
        rankings(8, at_least=6).with_a_hit(), definitions.inversions, (right_pairs, neighbours, above_the_first),
        lambda relevance: f"Above the hits, one after the other, stand {number_above(relevance)} = {definitions.inversions(relevance)} misses.", minutes=4, objective=4,
    ),
)  # fmt: skip

VOTES = ()
