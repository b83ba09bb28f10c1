"""Ties and samples: tasks and questions."""

from fractions import Fraction

from metrics.exact import definitions, grid, placements

from ..beliefs import Question, Task, belief
from ..votes import Saying, Vote, shuffled

TITLE = "Ties and samples"


def tied_on_top(relevant, tied):
    return (1,) * relevant + (0,) * (tied - relevant), (1,) * tied


def mean_reciprocal_rank(relevant, tied):
    return definitions.mean_over_ties(definitions.reciprocal_rank, *tied_on_top(relevant, tied))


@belief("the library puts the relevant item first", "Is that the mean of all orders, or the best one?")
def best_order():
    return 1


@belief("the first relevant item is at the mean rank of the group", "Is 1 divided by a mean the same as the mean of 1 divided by each value?")
def at_the_mean_rank(tied):
    return Fraction(2, tied + 1)


@belief("the relevant item is last", "Is that the mean of all orders, or the worst one?")
def worst_order(tied):
    return Fraction(1, tied)


def reciprocal_rank_of_one(tied):
    return sum(Fraction(1, rank) for rank in range(1, tied + 1)) / tied


def of_one(tied):
    return mean_reciprocal_rank(1, tied)


def expected_hits(relevant, tied, k):
    ranking, scores = tied_on_top(relevant, tied)
    return definitions.mean_over_ties(lambda order: definitions.hits_at(order, k), ranking, scores)


@belief("the relevant items come first", "Is that the mean of all orders, or the best one?")
def all_at_the_top(relevant, k):
    return min(relevant, k)


@belief("the relevant items come last", "Is that the mean of all orders, or the worst one?")
def all_at_the_end(relevant, tied, k):
    return max(0, relevant - (tied - k))


@belief("you give the share of hits, not their number", "How many items are read?")
def only_the_share(relevant, tied):
    return Fraction(relevant, tied)


def hits_in_the_first(relevant, tied, k):
    return Fraction(k * relevant, tied)


GROUPS = (
    grid("groups of 1 to 6 tied items", tied=range(1, 7))
    .with_each("each number of relevant ones", "relevant", lambda tied: range(tied + 1))
    .with_each("each k", "k", lambda tied: range(1, tied + 1))
)
TASKS = (
    Task(reciprocal_rank_of_one, "`tied` items have the same, highest score, and one of them is relevant. What is the mean reciprocal rank over all orders of the tie?", of_one, grid("1 to 7 tied items", tied=range(1, 8)), (best_order, at_the_mean_rank, worst_order)),
    Task(hits_in_the_first, "`tied` items have the same, highest score; `relevant` of them are relevant. How many hits are among the first `k` items (`k` is at most `tied`), on average over all orders?", expected_hits, GROUPS, (all_at_the_top, all_at_the_end, only_the_share), objective=2),
)  # fmt: skip


def by_formula(relevant, tied, k):
    return Fraction(relevant, tied)


@belief("you take the best order", "Is that the mean of all orders?")
def best_precision(relevant, k):
    return Fraction(min(relevant, k), k)


@belief("you take the worst order", "Is that the mean of all orders?")
def worst_precision(relevant, tied, k):
    return Fraction(max(0, relevant - (tied - k)), k)


@belief("you take the midpoint between the best and the worst order", "Are the two ends equally frequent?")
def middle(relevant, tied, k):
    return (best_precision(relevant, k) + worst_precision(relevant, tied, k)) / 2


def spread(relevant, tied, k):
    """The largest precision of the first k items, over all orders of the tied items, minus the smallest."""
    best, worst = (1,) * relevant + (0,) * (tied - relevant), (0,) * (tied - relevant) + (1,) * relevant
    return definitions.precision_at(best, k) - definitions.precision_at(worst, k)


@belief("the worst order has no hit among the first k", "Is there room for all relevant items below rank k?")
def from_nothing(relevant, k):
    return Fraction(min(relevant, k), k)


@belief("you take the distance from the mean", "By how much do the best and the worst differ?")
def from_the_mean(relevant, tied, k):
    return Fraction(min(relevant, k), k) - Fraction(relevant, tied)


def sampled_rank(better, sample, items):
    """The mean rank of the relevant item when it is ranked together with a sample of the irrelevant items."""
    return 1 + Fraction(better * sample, items)


@belief("the rank in a sample is the rank among all items", "How many of the better items are in the sample?")
def rank_among_all(better):
    return better + 1


@belief("the rank shrinks in proportion to the list", "Does the relevant item's own place shrink, too?")
def share_of_the_rank(better, sample, items):
    return Fraction((better + 1) * sample, items)


@belief("the relevant item is in the middle of the sample", "Are half of all items better?")
def in_the_middle(sample):
    return Fraction(sample + 2, 2)


MORE = grid("groups", tied=range(4, 13)).with_each("relevant", "relevant", lambda tied: range(1, tied)).with_each("k", "k", lambda tied: range(2, tied))
MORE = MORE.where("not the vote ties-precision", lambda tied, relevant, k: (tied, relevant, k) != (5, 1, 2))
QUESTIONS = (
    Question(
        "tie-precision", lambda relevant, tied, k: f"The {tied} best items have the same score; the number of relevant ones among them is {relevant}. What is the precision of the first {k} items, on average over all orders of the tie?",
        MORE, by_formula, (best_precision, worst_precision, middle), lambda relevant, tied: f"At each rank of the tie the probability of a hit is the same: {relevant}/{tied}, which is {Fraction(relevant, tied)}.", minutes=4,
    ),
    Question(
        "tie-spread", lambda relevant, tied, k: f"The {tied} best items have the same score; the number of relevant ones among them is {relevant}. By how much do the best and the worst order of the tie differ in the precision of the first {k} items?",
        MORE, spread, (from_nothing, from_the_mean), lambda relevant, tied, k: f"{Fraction(min(relevant, k), k)} - {Fraction(max(0, relevant - tied + k), k)} is {spread(relevant, tied, k)}.", minutes=4,
    ),
    Question(
        "rank-in-a-sample", lambda better, sample, items: f"One item is relevant, and {better} of the {items} irrelevant items are above it. It is ranked against {sample} irrelevant items drawn at random. What is its rank among these, on average?",
        grid("samples", items=(100, 200, 400, 1000), sample=(10, 20, 50), better=(10, 20, 30, 40, 60, 80)), sampled_rank, (rank_among_all, share_of_the_rank, in_the_middle),
        lambda better, sample, items: f"On average {sample} · {better}/{items} items of the sample are above it, so its mean rank is 1 + {Fraction(better * sample, items)} = {sampled_rank(better, sample, items)}.", minutes=4, objective=4,
    ),
)  # fmt: skip


def hit_beside(relevant, tied):
    """The probability, over all orders of a tie, of a hit at its first place if there is a hit at its third."""
    return definitions.mean([order[0] for order in placements(tied, relevant) if order[2]])


@belief("the hit that you know of could be at the first place, too", "How many relevant items, and how many places, are left?", "C33")
def not_used_up(relevant, tied):
    return Fraction(relevant, tied)


@belief("you take away the relevant item, but not its place", "How many places are the other items spread over?", "C33")
def place_not_used_up(relevant, tied):
    return Fraction(relevant - 1, tied)


@belief("you ask for both hits at once", "You already know that there is a hit at the third place.", "C33")
def both_at_once(relevant, tied):
    return Fraction(relevant * (relevant - 1), tied * (tied - 1))


@belief("the reciprocal rank stays, on average, what it is among all items", "How many of those fifty are among the ten, on average?", "C37")
def reciprocal_of_the_rank(better):
    return Fraction(1, better + 1)


VOTES = shuffled(
    __name__,
    Vote(
        "ties-precision",
        "Five items share the best score, and one of them is relevant. What is P@2, on average over all orders of the tie?",
        by_formula, r"At each of the five places the probability of a hit is $\frac15$, so the mean of P@2 is $\frac12\left(\frac15 + \frac15\right)$.",
        (best_precision, worst_precision, middle),
        {"relevant": 1, "tied": 5, "k": 2},
    ),
    Vote(
        "ties-two-hits",
        "Three of five tied items are relevant, and all orders are equally likely. You learn that there is a hit at the third place. What is now the probability that there is a hit at the first place?",
        hit_beside, r"One relevant item is used up, and so is its place. Two relevant items are left for four places: $\frac{3 - 1}{5 - 1}$.",
        (not_used_up, place_not_used_up, both_at_once),
        {"relevant": 3, "tied": 5}, objective=2,
    ),
    Vote(
        "ties-one-threshold",
        "A library shows tied items together or not at all, and gives each hit the precision of all items shown when the hit appears. How does its AP compare with the AP of the single orders of the tied items?",
        "it is at least the smallest, and can exceed the largest", r"For the scores $2, 1, 1$, with the last two items relevant, each hit has precision $\frac23$. Either order of the two gives $\frac12\left(\frac12 + \frac23\right) = \frac{7}{12}$, which is less.",
        (
            Saying("it is their mean", "Take the scores $2, 1, 1$, with the last two items relevant. Do the two orders differ?"),
            Saying("it is the smallest, since each hit counts as last in its tie", "Let several hits be tied. In a single order, how many of them can be last?"),
            Saying("it is between the smallest and the largest", "Let several hits be tied. What precision does the first of them have in any order, and what precision has it here?"),
        ),
        objective=3,
    ),
    Vote(
        "ties-sampled",
        "Fifty of a thousand irrelevant items are above a hit, so its reciprocal rank is about $0.02$. You rank the hit against ten of the thousand, drawn at random. What is its reciprocal rank now, on average?",
        "more than 0.5", "In 60 per cent of the draws none of the ten is above the hit, and the reciprocal rank is 1. Over all draws, the mean is 0.78.",
        (
            Saying("about 0.02, since a random sample is fair", "How many of the fifty are among the ten, on average?"),
            Saying("about 0.09, since the hit is one of eleven items", "That is the value at the last place. How many of the ten are above the hit, on average?"),
            Saying("less than 0.02, since a sample loses something", "What does it lose: items above the hit, or the hit itself?"),
        ),
        objective=4,
    ),
)  # fmt: skip

# Which exercises measure an objective on the chapter's card, by its number.
EXERCISES = {1: ["ex-tie-by-hand"], 2: ["ex-no-tie"], 3: ["ex-five-levels"], 4: ["ex-reversal"]}
