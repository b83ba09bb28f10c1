"""R-precision: tasks and questions."""

from fractions import Fraction

from metrics.exact import definitions, hit_ranks, rankings

from ..beliefs import Question, Task, belief, reduced, written
from ..votes import Saying, Vote, shuffled

TITLE = "R-precision"


@belief("you cut at the last hit, as the precision at full recall does", "Where does R-precision cut the list?")
def at_full_recall(relevance):
    return Fraction(sum(relevance), (hit_ranks(relevance) or [0])[-1])


@belief("you cut at the number of hits that you see", "How many relevant items are there, ranked or not?")
def cut_at_hits_seen(relevance):
    return definitions.precision_at(relevance, sum(relevance))


@belief("you take the precision of the whole list", "Where does R-precision cut the list?")
def whole_list(relevance):
    return Fraction(sum(relevance), len(relevance))


@belief("you take the recall of the whole list", "Where does R-precision cut the list?")
def recall_of_the_list(relevance, n_relevant):
    return Fraction(sum(relevance), n_relevant)


def r_precision(relevance, n_relevant):
    return Fraction(sum(relevance[:n_relevant]), n_relevant)


@belief("you count the pairs in the right order, with a hit above a miss", "When is a pair in the wrong order?")
def right_pairs(relevance):
    return sum(1 - second for i, first in enumerate(relevance) if first for second in relevance[i + 1 :])


@belief("only neighbours count", "Is the first item above the third?")
def neighbours(relevance):
    return sum(first < second for first, second in zip(relevance, relevance[1:]))


@belief("you count the misses above the first hit", "What about the misses above the second hit?")
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
        r_precision, "Write R-precision. `relevance` is a list of 0s and 1s, best first; `n_relevant` is the number of all relevant items, including those that are not in the list.",
        definitions.r_precision, rankings(7).with_n_relevant(unranked=2), (at_full_recall, cut_at_hits_seen, whole_list, recall_of_the_list), objective=2,
    ),
    Task(
        inversions, "How many pairs in a list are in the wrong order, with the irrelevant item above the relevant one?",
        definitions.inversions, rankings(8), (right_pairs, neighbours, above_the_first), objective=4,
    ),
)  # fmt: skip

LISTS = (
    rankings(8, at_least=7)
    .with_n_relevant()
    .where("3 to 5 relevant, at least 2 of them ranked", lambda relevance, n_relevant: 3 <= n_relevant <= 5 and sum(relevance) >= 2)
)


def said(relevance, n_relevant):
    return f"A tool returns this list (1 means relevant, best first): {written(relevance)}. In all, {n_relevant} items are relevant."


def number_above(relevance):
    return " + ".join(str(k - j) for j, k in enumerate(hit_ranks(relevance), 1))


QUESTIONS = (
    Question(
        "r-precision-by-hand", lambda relevance, n_relevant: f"{said(relevance, n_relevant)} What is its R-precision?",
        LISTS, definitions.r_precision, (at_full_recall, cut_at_hits_seen, whole_list),
        lambda relevance, n_relevant: f"The number of hits among the first {n_relevant} items, divided by {n_relevant}, is {reduced(sum(relevance[:n_relevant]), n_relevant)}.", minutes=4, objective=2,
    ),
    Question(
        "precision-at-full-recall", lambda relevance: f"A tool ranks all items (1 means relevant, best first): {written(relevance)}. What is the precision at the first rank by which all relevant items have been found?",
        rankings(8, at_least=7).where("2 to 4 hits", lambda relevance: 2 <= sum(relevance) <= 4), at_full_recall.function,
        (cut_at_hits_seen, whole_list), lambda relevance: f"The last hit is at rank {hit_ranks(relevance)[-1]}, so the precision there is {reduced(sum(relevance), hit_ranks(relevance)[-1])}.", minutes=4, objective=2,
    ),
    Question(
        "wrong-pairs", lambda relevance: f"In the ranking {written(relevance)} (1 means relevant, best first), how many pairs of a relevant and an irrelevant item are in the wrong order?",
        rankings(8, at_least=6).with_a_hit(), definitions.inversions, (right_pairs, neighbours, above_the_first),
        lambda relevance: f"Above the hits, one after the other, there are {number_above(relevance)} = {definitions.inversions(relevance)} misses.", minutes=4, objective=4,
    ),
)  # fmt: skip


def precision_over_recall(k, n_relevant):
    """Precision at rank k divided by recall at rank k, in a list that has a hit at every other rank."""
    relevance = (1, 0) * (k // 2)
    return definitions.precision_at(relevance, k) / definitions.recall_at(relevance, k, n_relevant)


@belief("recall is divided by precision", "Which of the two has the smaller denominator?", "A20")
def the_other_way_round(k, n_relevant):
    return Fraction(k, n_relevant)


@belief("precision and recall are equal wherever there is a hit", "Both have the same numerator. Do they have the same denominator?", "A20")
def equal_everywhere():
    return 1


def how_many_meet(relevance, n_relevant):
    return len(definitions.break_even_ranks(relevance, n_relevant))


@belief("rank R is the only such rank", "What are precision and recall at rank 1?", "A19")
def rank_r_alone():
    return 1


@belief("only the ranks before the first hit count", "What about rank R?", "A19")
def before_the_first_alone(relevance):
    return relevance.index(1)


@belief("the last hit, where recall is 1, counts too", "What is the precision there?", "A19")
def with_the_last_hit(relevance, n_relevant):
    return how_many_meet(relevance, n_relevant) + 1


@belief("AP equals R-precision", "Where can the two hits be among the top four? Does R-precision notice?", "A21")
def ap_is_r_precision(R, m):
    return Fraction(m, R)


VOTES = shuffled(
    __name__,
    Vote(
        "rp-ratio",
        "Twenty items are relevant, and some of the first ten items of a list are hits. What is precision at rank ten, divided by recall?",
        precision_over_recall, r"Both have the number of hits as numerator, and $\frac{s}{10}$ is twice $\frac{s}{20}$, whatever $s$ is.",
        (the_other_way_round, equal_everywhere, Saying("it depends on the hits", "Try one hit, then five. What do precision and recall share?")),
        {"k": 10, "n_relevant": 20},
    ),
    Vote(
        "rp-how-many",
        "In the full ranking `[0, 0, 1, 1, 0, 1]` three items are relevant. At how many of its six ranks is precision equal to recall?",
        how_many_meet, "At ranks 1 and 2, before the first hit, both are 0, and at rank $R = 3$ both are 1/3.",
        (rank_r_alone, before_the_first_alone, with_the_last_hit),
        {"relevance": (0, 0, 1, 1, 0, 1), "n_relevant": 3},
    ),
    Vote(
        "rp-best-f",
        "F lies between precision and recall, and at rank $R$ all three are equal. Can F be larger at another rank?",
        "yes, at a smaller or at a larger rank", r"In `x a y b c z` F is $\frac13$ at rank 3, and $\frac34$ at rank 5. If the hits are at rank 1 and far down, F is $\frac12$ at rank 1, and $\frac13$ at rank 3.",
        (
            Saying("no, F is largest where the two are equal", "Equal is not the same as large. What are precision and recall at rank 3 of `x a y b c z`?"),
            Saying("yes, but only at a smaller rank", "Let no hit be among the first $R$ items, and all of them directly below. What is F at rank $R$?"),
            Saying("yes, but only at a larger rank", "Let one of three hits be at rank 1, and the other two far down. What is F at ranks 1 and 3?"),
        ),
        objective=2,
    ),
    Vote(
        "rp-largest-ap",
        "Four of ten items are relevant, and two of them are among the first four, so R-precision is 1/2. Two neighbours in the list change places, a hit and a miss. When does this change AP, but not R-precision?",
        "always, except at ranks 4 and 5", "AP changes with every such exchange. R-precision only counts the hits among the first four, so it changes only if a hit crosses the border below rank 4.",
        (
            Saying("never, since both metrics see the same hits", "Which ranks does R-precision tell apart?"),
            Saying("only if both are among the first four", "Does AP look at the hits below rank 4?"),
            Saying("only if both are below rank 4", "Does R-precision see in which order the first four items are?"),
        ),
        objective=3,
    ),
)  # fmt: skip

# Which exercises measure an objective on the chapter's card, by its number.
EXERCISES = {
    1: ["ex-all-break-even"],
    2: ["ex-flip-r-precision"],
    3: ["ex-goals-without", "ex-two-premises-or-eighty"],
    4: ["ex-same-r-precision"],
}
