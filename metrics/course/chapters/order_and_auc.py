"""Order and AUC: tasks, questions and votes."""

from fractions import Fraction
from itertools import permutations

from metrics.exact import definitions, grid, hit_ranks, rankings

from ..beliefs import Question, Task, belief, reduced, written
from ..votes import Saying, Vote, shuffled

TITLE = "Order and AUC"


def pairs(relevance):
    return sum(relevance) * (len(relevance) - sum(relevance))


@belief("you count the pairs in the wrong order", "What value should the ideal ranking have?")
def wrong_pairs(relevance):
    return Fraction(definitions.inversions(relevance), pairs(relevance))


@belief("you divide by all pairs of items", "Can a pair of two relevant items be in the wrong order?")
def over_all_pairs(relevance):
    n = len(relevance)
    return Fraction(pairs(relevance) - definitions.inversions(relevance), n * (n - 1) // 2)


@belief("only neighbours count", "Is the first item above the third?")
def neighbours(relevance):
    right = sum(first > second for first, second in zip(relevance, relevance[1:]))
    return Fraction(right, pairs(relevance))


def auc(relevance):
    above, right = 0, 0
    for relevant in relevance:
        if relevant:
            above += 1
        else:
            right += above
    return Fraction(right, sum(relevance) * (len(relevance) - sum(relevance)))


@belief("you average over all ranks", "Which items' ranks should be averaged?")
def middle_rank(relevance):
    return Fraction(len(relevance) + 1, 2)


@belief("ranks are counted from 0", "What is the rank of the first item?")
def mean_rank_from_zero(relevance):
    return Fraction(sum(hit_ranks(relevance)), sum(relevance)) - 1


@belief("you divide by the length of the list", "The mean rank is a mean of how many ranks?")
def over_the_length(relevance):
    return Fraction(sum(hit_ranks(relevance)), len(relevance))


def mean_rank(relevance):
    ranks = [rank for rank, relevant in enumerate(relevance, 1) if relevant]
    return Fraction(sum(ranks), len(ranks))


@belief("you take 1 over the mean of the ranks", "Which hit does the reader wait for?")
def over_the_mean_rank(relevance):
    return 1 / mean_rank(relevance)


@belief("you take 1 over the rank of the last hit", "Which hit does the reader wait for?")
def of_the_last_hit(relevance):
    return Fraction(1, hit_ranks(relevance)[-1])


@belief("you average 1 over the rank of every hit", "Which hit does the reader wait for?")
def mean_of_reciprocals(relevance):
    return sum(Fraction(1, k) for k in hit_ranks(relevance)) / sum(relevance)


TASKS = (
    Task(
        auc, "Write AUC. `relevance` is a full ranking of 0s and 1s, best first. If all items are relevant, or none is, AUC is 0/0, and the function may raise an error.",
        definitions.auc, rankings(8), (wrong_pairs, over_all_pairs, neighbours), points=4,
    ),
    Task(
        mean_rank, "Write the mean rank of the relevant items, of which there is at least one.",
        definitions.mean_rank, rankings(8).with_a_hit(), (middle_rank, mean_rank_from_zero, over_the_length), objective=1,
    ),
)  # fmt: skip

FULL = (
    rankings(8, at_least=6)
    .where("2 to 4 relevant", lambda relevance: 2 <= sum(relevance) <= 4)
    .where("not the vote auc-mean-rank", lambda relevance: (len(relevance), sum(relevance), sum(hit_ranks(relevance))) != (8, 3, 12))
)


def number_below(relevance):
    return " + ".join(str(sum(1 - each for each in relevance[rank:])) for rank in hit_ranks(relevance))


def from_mean_rank(relevance):
    R, N, mean = sum(relevance), len(relevance), mean_rank(relevance)
    return f"In a ranking of all items, the {R} relevant ones among the {N} have mean rank {mean}. What is its AUC?"


@belief("you forget that the best mean rank is (R + 1)/2, not 0", "What is the mean rank of the ideal ranking?")
def from_rank_zero(relevance):
    N, R = len(relevance), sum(relevance)
    return 1 - mean_rank(relevance) / (N - R)


@belief("you divide by all items, not by the irrelevant ones", "How much, at most, can the mean rank grow?")
def over_all_items(relevance):
    N, R = len(relevance), sum(relevance)
    return 1 - (mean_rank(relevance) - Fraction(R + 1, 2)) / N


@belief("you measure how far the mean rank is from the best, not how near it is", "What value should the ideal ranking have?")
def turned(relevance):
    return 1 - definitions.auc(relevance)


JUDGED = grid(
    "lists of seven items, two of them relevant, three irrelevant, two judged by nobody", every=True,
    items=sorted(set(permutations("rrnnn??"))),
)  # fmt: skip


def bpref_with(items, judged):
    return definitions.bpref([item == "r" for item in items], judged=judged)


def bpref(items):
    return bpref_with(items, [item != "?" for item in items])


@belief("an item that nobody judged counts as irrelevant", "What does bpref know about such an item?")
def unjudged_as_irrelevant(items):
    return bpref_with(items, [True] * len(items))


@belief("each irrelevant item above a hit costs 1 over the number of all irrelevant items", "How many of them can cost anything, if only two items are relevant?")
def over_all_irrelevant(items):
    return Fraction(sum(3 - items[:rank].count("n") for rank, item in enumerate(items) if item == "r"), 6)


@belief("you average, over the hits, the share of relevant items among the judged ones, as AP does", "What does bpref subtract for an irrelevant item above a hit?")
def ap_of_the_judged(items):
    return definitions.average_precision([item == "r" for item in items if item != "?"])


def above_the_hits(items):
    above = [items[:rank].count("n") for rank, item in enumerate(items) if item == "r"]
    return f"Above the two hits there are {above[0]} and {above[1]} items that were judged irrelevant. Each subtracts 1/2, but no more than two count, so the mean is {bpref(items)}."


QUESTIONS = (
    Question(
        "bpref-by-hand", lambda items: f"A tool ranks seven items, best first: {' '.join(items)}. Here r was judged relevant, n irrelevant, and ? was not judged; no other item was judged. What is bpref?",
        JUDGED, bpref, (unjudged_as_irrelevant, over_all_irrelevant, ap_of_the_judged), above_the_hits, objective=5,
        deeper="What does bpref do with what nobody judged?",
    ),
    Question(
        "auc-by-hand", lambda relevance: f"A tool ranks all items (1 means relevant, best first): {written(relevance)}. What is its AUC?",
        FULL, definitions.auc, (wrong_pairs, over_all_pairs, neighbours),
        lambda relevance: f"Below the hits, one after the other, there are {number_below(relevance)} irrelevant items, out of {pairs(relevance)} pairs, so AUC is {definitions.auc(relevance)}.", objective=2,
        steps=("the irrelevant items below each hit", "their sum", "the number of pairs"),
    ),
    Question(
        "auc-from-mean-rank", from_mean_rank, FULL, definitions.auc, (from_rank_zero, over_all_items, turned),
        lambda relevance: f"1 - (mean rank - (R + 1)/2) / (N - R) = 1 - ({mean_rank(relevance)} - {Fraction(sum(relevance) + 1, 2)}) / {len(relevance) - sum(relevance)} = {definitions.auc(relevance)}.",
    ),
    Question(
        "reciprocal-rank", lambda relevance: f"A tool ranks all items (1 means relevant, best first): {written(relevance)}. What is its reciprocal rank?",
        FULL, definitions.reciprocal_rank, (over_the_mean_rank, of_the_last_hit, mean_of_reciprocals),
        lambda relevance: f"The first hit is at rank {hit_ranks(relevance)[0]}, so the value is {reduced(1, hit_ranks(relevance)[0])}.", minutes=3, objective=3,
    ),
)  # fmt: skip

@belief("the best mean rank is 1, however many items are relevant", "Can two relevant items both be first?", "C1")
def best_is_one(relevance):
    return 1 - (mean_rank(relevance) - 1) / relevance.count(0)


@belief("you join (0, 0), the point at rank R and (1, 1) by straight lines", "Does the path follow these lines?", "C2")
def from_one_point(relevance):
    R = sum(relevance)
    found = sum(relevance[:R])
    return (1 + Fraction(found, R) - Fraction(R - found, relevance.count(0))) / 2


@belief("an appended item adds only one pair", "Which of the hits form a pair with a new item?", "A26")
def one_pair_each(relevance, z):
    return 1 - Fraction(definitions.inversions(relevance), pairs(relevance) + z)


VOTES = shuffled(
    __name__,
    Vote(
        "auc-mean-rank",
        "Three of eight items are relevant. They are at ranks 1, 4 and 7, so their mean rank is 4. What is AUC?",
        definitions.auc, "The best mean rank is 2. The mean rank here is 2 more, and it could be 5 more, one for each irrelevant item, so AUC is $1 - 2/5$.",
        (from_rank_zero, best_is_one, over_all_items),
        {"relevance": (1, 0, 0, 1, 0, 0, 1, 0)},
    ),
    Vote(
        "auc-area",
        "Cut the square around the ROC curve into boxes: a row for each hit, the first at the bottom, and a column for each irrelevant item. So each box is a pair. Which boxes are below the path?",
        "the pairs in the right order", "The path passes above a box if it has gone up for the hit before it goes to the right for the irrelevant item. So AUC, the area below the path, is the share of pairs in the right order.",
        (
            Saying("the pairs in the wrong order", "Let all hits be at the top of the list. Where does the path go, and how many boxes are below it?"),
            Saying("the pairs of neighbours in the list", "How many boxes are below the path if all hits are at the top? How many pairs of neighbours are there?"),
            Saying("the pairs with both items among the first $R$", "The path goes on below rank $R$. Which boxes does it pass there?"),
        ),
    ),
    Vote(
        "auc-one-step",
        "One tool moves a relevant item from rank 2 to 1, and another tool moves one from rank 1,000 to 999, each past an irrelevant item. Both rank the same library for the same goal. Which tool's AUC gains more?",
        "both gain the same", "Each swap puts one pair in order, and a pair is worth the same wherever it is.",
        (
            Saying("the first", "That is so for AP and for the reciprocal rank. How many pairs has each swap put in order?"),
            Saying("the second", "Many items are above that item. But how many of its pairs change with the swap?"),
            Saying("neither gains", "A pair was in the wrong order. What order is it in now?"),
        ),
        objective=3,
    ),
    Vote(
        "auc-padding",
        "A list has some hits, and some pairs in the wrong order. You append irrelevant items to its end, and they count as ranked. Which of these values rises?",
        "AUC", "As many pairs as before are in the wrong order, but there are more pairs, and all the new ones are in the right order.",
        (
            Saying("AP", "AP is a mean over the hits. Which rank of a hit has changed?"),
            Saying("nDCG at cutoff 10", "Which gain or discount among the first ten items has changed, in the list or in its ideal?"),
            Saying("none of them, since no hit has moved", "For some of these, it is enough to know the ranks of the hits. Which of them counts pairs?"),
        ),
        objective=2,
    ),
)  # fmt: skip

# Which exercises measure an objective on the chapter's card, by its number.
EXERCISES = {
    1: ["ex-auc-by-hand"],
    2: ["ex-chance"],
    3: ["ex-converse"],
    4: ["ex-high-auc", "ex-two-queues"],
    5: ["ex-not-judged"],
}
