"""Ties and samples: tasks and questions."""

from fractions import Fraction

from metrics.exact import definitions, grid

from ..beliefs import Question, Task, belief

TITLE = "Ties and samples"


def tied_on_top(relevant, tied):
    return (1,) * relevant + (0,) * (tied - relevant), (1,) * tied


def mean_reciprocal_rank(relevant, tied):
    return definitions.mean_over_ties(definitions.reciprocal_rank, *tied_on_top(relevant, tied))


@belief("the library puts the relevant one first", "Is that any order, or the best?")
def best_order():
    return 1


@belief("the first relevant item stands at the mean rank of the group", "Is 1 over a mean the mean of 1 over it?")
def at_the_mean_rank(tied):
    return Fraction(2, tied + 1)


@belief("the relevant item stands last", "Is that any order, or the worst?")
def worst_order(tied):
    return Fraction(1, tied)


def reciprocal_rank_of_one(tied):
    return sum(Fraction(1, rank) for rank in range(1, tied + 1)) / tied


def of_one(tied):
    return mean_reciprocal_rank(1, tied)


def expected_hits(relevant, tied, k):
    ranking, scores = tied_on_top(relevant, tied)
    return definitions.mean_over_ties(lambda order: definitions.hits_at(order, k), ranking, scores)


@belief("the relevant ones come first", "Is that any order, or the best?")
def all_at_the_top(relevant, k):
    return min(relevant, k)


@belief("the relevant ones come last", "Is that any order, or the worst?")
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
    Task(hits_in_the_first, "`tied` items have the same, highest score; `relevant` of them are relevant. How many hits do the first `k` have (`k` is at most `tied`), on average over all orders?", expected_hits, GROUPS, (all_at_the_top, all_at_the_end, only_the_share), objective=2),
)  # fmt: skip


def by_formula(relevant, tied, k):
    return Fraction(relevant, tied)


@belief("you take the best order", "Is that the mean of all orders?")
def best_precision(relevant, k):
    return Fraction(min(relevant, k), k)


@belief("you take the worst order", "Is that the mean of all orders?")
def worst_precision(relevant, tied, k):
    return Fraction(max(0, relevant - (tied - k)), k)


@belief("you take the middle of the best and the worst order", "Are both ends equally frequent?")
def middle(relevant, tied, k):
    return (best_precision(relevant, k) + worst_precision(relevant, tied, k)) / 2


def spread(relevant, tied, k):
    """The largest precision of the first k over all orders, less the smallest."""
    best, worst = (1,) * relevant + (0,) * (tied - relevant), (0,) * (tied - relevant) + (1,) * relevant
    return definitions.precision_at(best, k) - definitions.precision_at(worst, k)


@belief("the worst order has no hit among the first k", "Is there room for all relevant items below rank k?")
def from_nothing(relevant, k):
    return Fraction(min(relevant, k), k)


@belief("you take the distance from the mean", "What do best and worst differ by?")
def from_the_mean(relevant, tied, k):
    return Fraction(min(relevant, k), k) - Fraction(relevant, tied)


def sampled_rank(better, sample, items):
    """The mean rank of the relevant item among itself and a sample of the irrelevant ones."""
    return 1 + Fraction(better * sample, items)


@belief("the rank in a sample is the rank among all", "How many of the better items are in the sample?")
def rank_among_all(better):
    return better + 1


@belief("the rank shrinks like the list", "Does the relevant item itself shrink?")
def share_of_the_rank(better, sample, items):
    return Fraction((better + 1) * sample, items)


@belief("it stands in the middle of the sample", "Are half of all items better?")
def in_the_middle(sample):
    return Fraction(sample + 2, 2)


MORE = grid("groups", tied=range(4, 13)).with_each("relevant", "relevant", lambda tied: range(1, tied)).with_each("k", "k", lambda tied: range(2, tied))
QUESTIONS = (
    Question(
        "tie-precision", lambda relevant, tied, k: f"The {tied} best items have the same score; the number of relevant ones among them is {relevant}. What is the precision of the first {k}, on average over all orders of the tie?",
        MORE, by_formula, (best_precision, worst_precision, middle), lambda relevant, tied: f"At each rank of the tie the chance of a hit is the same: {relevant}/{tied}, which is {Fraction(relevant, tied)}.", minutes=4,
    ),
    Question(
        "tie-spread", lambda relevant, tied, k: f"The {tied} best items have the same score; the number of relevant ones among them is {relevant}. By how much do the best and the worst order of the tie differ in the precision of the first {k}?",
        MORE, spread, (from_nothing, from_the_mean), lambda relevant, tied, k: f"{Fraction(min(relevant, k), k)} - {Fraction(max(0, relevant - tied + k), k)} is {spread(relevant, tied, k)}.", minutes=4,
    ),
    Question(
        "rank-in-a-sample", lambda better, sample, items: f"One item is relevant, and {better} of the {items} irrelevant items stand above it. It is ranked against {sample} irrelevant items drawn at random. At which rank does it stand on average?",
        grid("samples", items=(100, 200, 400, 1000), sample=(10, 20, 50), better=(10, 20, 30, 40, 60, 80)), sampled_rank, (rank_among_all, share_of_the_rank, in_the_middle),
        lambda better, sample, items: f"Of the sample {sample} · {better}/{items} stand above it on average: 1 + {Fraction(better * sample, items)} = {sampled_rank(better, sample, items)}.", minutes=4, objective=4,
    ),
)  # fmt: skip

VOTES = ()
