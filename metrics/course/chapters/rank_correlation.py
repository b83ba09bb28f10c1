"""Rank correlation: tasks and questions."""

from fractions import Fraction
from itertools import combinations, permutations

from metrics.exact import Cases, definitions, grid, orders

from ..beliefs import Question, Task, belief, written
from ..votes import Saying, Vote, shuffled

TITLE = "Rank correlation"


def numbers(order):
    """The numbers that the reference gives to the tools 1 ... n, and those that the order gives; the tool in the first place has the largest number."""
    n = len(order)
    return list(range(n, 0, -1)), [n - order.index(k) for k in range(1, n + 1)]


def right_tau(order):
    return definitions.kendall_tau(*numbers(order), "a")


def right_ap_correlation(order):
    return definitions.ap_correlation(*numbers(order))


def discordant(order):
    return sum(first > second for first, second in combinations(order, 2))


@belief("you subtract the share of reversed pairs only once", "Tau is -1 for the reverse order. What does yours give?", "T1")
def counted_once(order):
    return 1 - Fraction(2 * discordant(order), len(order) * (len(order) - 1))


@belief("you compare neighbours only", "Are the first and the third tool in the right order?", "T1")
def neighbours_only(order):
    turned = sum(first > second for first, second in zip(order, order[1:]))
    return 1 - Fraction(4 * turned, len(order) * (len(order) - 1))


@belief("you count the tools that have left their place", "How many pairs can one tool reverse?", "T1")
def out_of_place(order):
    moved = sum(k != place for place, k in enumerate(order, 1))
    return 1 - Fraction(2 * moved, len(order))


@belief("you turn the sign: the pairs in the same order count -1", "What should the value be for two equal orders?", "T1")
def sign_turned(order):
    return -right_tau(order)


def shares(order):
    return [Fraction(sum(above < order[i] for above in order[:i]), i) for i in range(1, len(order))]


@belief("you take the mean of the shares as it is", "What is this mean for the reverse order, and what should the value be?", "T2")
def not_scaled(order):
    return sum(shares(order)) / (len(order) - 1)


@belief("you divide by the rank, not by the number of tools above it", "How many tools are above the second?", "T2")
def over_the_rank(order):
    return 2 * sum(share * i / (i + 1) for i, share in enumerate(shares(order), 1)) / (len(order) - 1) - 1


@belief("you exchange the roles of the two orders", "Which order's ranks do you go through, and which order says what belongs above?", "T2")
def roles_exchanged(order):
    return definitions.ap_correlation(*reversed(numbers(order)))


@belief("you take tau", "Do all shares count the same?", "T2")
def as_tau(order):
    return right_tau(order)


def tau(order):
    pairs = [(first, second) for i, first in enumerate(order) for second in order[i + 1 :]]
    return Fraction(sum(1 if first < second else -1 for first, second in pairs), len(pairs))


def ap_correlation(order):
    total = Fraction(0)
    for i in range(1, len(order)):
        total += Fraction(sum(above < order[i] for above in order[:i]), i)
    return 2 * total / (len(order) - 1) - 1


def right_overlap(first, second, persistence):
    return definitions.rank_biased_overlap(first, second, persistence)


def agreements(first, second):
    return [Fraction(len(set(first[:d]) & set(second[:d])), d) for d in range(1, len(first) + 1)]


@belief("you stop where the lists stop, and add nothing for what follows", "Which share gets the weight that is left?", "T4")
def cut_off(first, second, persistence):
    return (1 - persistence) * sum(persistence**d * share for d, share in enumerate(agreements(first, second)))


@belief("the first depth weighs as much as the second", "What is the probability that the reader sees the first depth?", "T4")
def one_further(first, second, persistence):
    return persistence * right_overlap(first, second, persistence)


@belief("you ask at each rank whether both lists have the same item there", "What about items that are in both lists, but not at the same rank?", "T4")
def place_by_place(first, second, persistence):
    same = [a == b for a, b in zip(first, second)]
    return (1 - persistence) * sum(persistence**d * hit for d, hit in enumerate(same)) + persistence ** len(same)


@belief("all depths count the same", "How many readers get to the last depth?", "T4")
def plain_mean(first, second):
    return definitions.mean(agreements(first, second))


def overlap(first, second, persistence):
    value, weight = Fraction(0), 1 - persistence
    for d in range(1, len(first) + 1):
        value += weight * Fraction(len(set(first[:d]) & set(second[:d])), d)
        weight *= persistence
    return value + persistence ** len(first)


def pairs_of_lists(n, at_least=1):
    """All pairs of lists of the same letters, of which the first list is in alphabetical order."""
    made = lambda: (
        (tuple("abcdef"[:size]), second, Fraction(1, 2)) for size in range(at_least, n + 1) for second in permutations("abcdef"[:size])
    )
    return Cases(f"two lists of the same {at_least} to {n} letters, p = 1/2", ("first", "second", "persistence"), made)


TASKS = (
    Task(
        tau, "Write Kendall's tau. `order` lists the tools 1, 2, 3, ... as one metric orders them; the other metric orders them as they are numbered.",
        right_tau, orders(5), (counted_once, neighbours_only, out_of_place, sign_turned),
    ),
    Task(
        ap_correlation, "Write the AP correlation of `order`, which lists the tools 1, 2, 3, ..., with a reference that orders them as they are numbered.",
        right_ap_correlation, orders(5), (not_scaled, over_the_rank, roles_exchanged, as_tau), objective=2,
    ),
    Task(
        overlap, "Write rank-biased overlap. `first` and `second` are lists of the same items, so at their end and at every depth beyond it they share everything.",
        right_overlap, pairs_of_lists(4), (cut_off, one_further, place_by_place, plain_mean), objective=3,
    ),
)  # fmt: skip


def said(order):
    return f"One metric puts {len(order)} tools in the order 1 to {len(order)}, and another puts them in the order {written(order)}."


def cost(n, i):
    """The loss of AP correlation if the items at ranks i and i + 1 are exchanged."""
    return 1 - right_ap_correlation([*range(1, i), i + 1, i, *range(i + 2, n + 1)])


@belief("an exchange costs AP correlation as much as it costs tau", "Is the cost the same at the top and at the end?", "T3")
def cost_in_tau(n):
    return Fraction(4, n * (n - 1))


@belief("the tool at rank i + 1 has i + 1 tools above it", "How many tools are above the second?", "T3")
def lower_rank(n, i):
    return Fraction(2, (n - 1) * (i + 1))


@belief("you forget to rescale the shares to [-1, 1]", "What is the range of AP correlation, and what is the range of a mean of shares?", "T3")
def cost_of_the_share(n, i):
    return Fraction(1, (n - 1) * i)


def written_shares(order):
    return " + ".join(map(str, shares(order)))


def written_overlap(first, second, persistence):
    terms = [f"{(1 - persistence) * persistence**d} · {share}" for d, share in enumerate(agreements(first, second))]
    return " + ".join([*terms, str(persistence ** len(first))])


QUESTIONS = (
    Question(
        "rc-tau-by-hand", lambda order: f"{said(order)} What is Kendall's tau?",
        orders(6, at_least=5), right_tau, (counted_once, neighbours_only, out_of_place),
        lambda order: f"{discordant(order)} of the {len(order) * (len(order) - 1) // 2} pairs are reversed, so tau is 1 - 2 · {discordant(order)} / {len(order) * (len(order) - 1) // 2} = {right_tau(order)}.", minutes=4,
    ),
    Question(
        "rc-ap-correlation-by-hand", lambda order: f"{said(order)} What is the AP correlation of the second order, with the first as the reference?",
        orders(5, at_least=4), right_ap_correlation, (not_scaled, roles_exchanged, as_tau),
        lambda order: f"Of the tools above the second, the third and so on, these shares belong there: {written_shares(order)}. Twice their mean, minus 1, is {right_ap_correlation(order)}.", minutes=6, objective=2,
    ),
    Question(
        "rc-cost-of-an-exchange", lambda n, i: f"Two orders of {n} tools are the same, except for the tools at the ranks {i} and {i + 1}, which are exchanged. By how much is AP correlation below 1?",
        grid("exchanges", n=range(3, 12), i=range(1, 11)).where("i < n", lambda n, i: i < n), cost, (cost_in_tau, lower_rank, cost_of_the_share),
        lambda n, i: f"One of the {n - 1} shares falls from 1 by 1/{i}, and the mean of the shares counts twice, so AP correlation is below 1 by 2 / ({n - 1} · {i}) = {cost(n, i)}.", minutes=4, objective=2,
    ),
    Question(
        "rc-overlap-by-hand", lambda first, second, persistence: f"Two lists have the same {len(first)} items: {' '.join(first)} and {' '.join(second)}. What is their rank-biased overlap with persistence {persistence}?",
        pairs_of_lists(5, at_least=4), right_overlap, (cut_off, one_further, place_by_place),
        lambda first, second, persistence: f"Add the weight times the share at each depth, and the weight of what follows, all of which is shared: {written_overlap(first, second, persistence)} = {right_overlap(first, second, persistence)}.", minutes=6, objective=3,
    ),
)  # fmt: skip


VOTES = shuffled(
    __name__,
    Vote(
        "rc-how-far",
        "Two metrics order the same seven tools. Which lowers their Kendall's tau more: if the first tool of one metric is the last of the other, or if three pairs of neighbours have changed places?",
        "the fall, since one tool passes six others", "The fall reverses six of the $21$ pairs, and the three exchanges reverse three.",
        (
            Saying("the exchanges, since six tools move", "Tau counts pairs of tools. How many pairs does each exchange reverse?"),
            Saying("the exchanges, since the fall leaves six tools in order", "The six keep their order. How many pairs does the seventh form with them?"),
            Saying("both cost the same", "How many pairs does each reverse?"),
        ),
    ),
    Vote(
        "rc-at-the-top",
        "You look for the best of seven tools. One metric exchanges the first two tools of the reference, and another metric exchanges the last two. Which of these metrics has the larger Kendall's tau with the reference?",
        "neither, since each reverses one pair", r"Both have a tau of $\frac{19}{21}$. For tau a pair is a pair, wherever it is. So if the best tool matters most, you need another coefficient.",
        (
            Saying("the first, since near the top the tools differ more", "Does tau know by how much two tools differ?"),
            Saying("the second, since it has the best tool right", "So it should be for your purpose. But what does tau count?"),
            Saying("it depends on the order of the tools between", "Do both metrics agree with the reference on all other pairs?"),
        ),
        objective=2,
    ),
    Vote(
        "rc-rbo-open",
        "Two lists of ten items have no item in common. Then each list goes on by one rank. How many items can the first eleven of both have in common, at most?",
        "two", "Each of the two new items can be one that the other list already has.",
        (
            Saying("none", "Neither list is at its end. What if one goes on with the top of the other?"),
            Saying("one", "What if each list now has an item that the other had before?"),
            Saying("eleven", "Ten items of each list are known. Are any of them in the other?"),
        ),
        objective=3,
    ),
    Vote(
        "rc-four-tools",
        "Two metrics order four tools. Which values of tau would chance alone give, in either direction, in less than one case in twenty?",
        "none, not even 1", r"Of the $4! = 24$ orders, one is the same and one is the reverse, and two in $24$ is more than one in twenty.",
        (
            Saying("1 alone", "Tau is 1 for one of how many orders? And what about the reverse?"),
            Saying("2/3 and 1", "How many of the $24$ orders have at most one reversed pair?"),
            Saying("it depends on the metrics", "If they have nothing to do with each other, how likely is each of the $24$ orders?"),
        ),
        objective=4,
    ),
)  # fmt: skip

# Which exercises measure an objective on the chapter's card, by its number.
EXERCISES = {
    1: ["ex-tau-by-hand"],
    2: ["ex-not-symmetric", "ex-cheap-judgements"],
    3: ["ex-deep-enough"],
    4: ["ex-how-many-systems"],
}
