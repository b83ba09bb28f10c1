"""Readers and clicks: tasks and questions."""

from fractions import Fraction
from itertools import combinations, permutations, product

from metrics.exact import Cases, definitions, grid

from ..beliefs import Question, Task, belief, written
from ..votes import Saying, Vote, shuffled

TITLE = "Readers and clicks"


def right_weight(continuation, k):
    return definitions.weights_of(continuation)[k - 1]


def read_with(continuation):
    """The probability that each rank is read."""
    read = [Fraction(1)]
    for go_on in continuation[:-1]:
        read.append(read[-1] * go_on)
    return read


@belief("you take the probability that the rank is read", "What do the weights of all ranks add up to?", "Y1")
def not_divided(continuation, k):
    return read_with(continuation)[k - 1]


@belief("you take the probability that the rank is the last one read", "Which readers have read rank 1, and where do they stop?", "Y1")
def last_one(continuation, k):
    return definitions.last_read(continuation)[k - 1]


@belief("a rank is read with the probability of going on from the rank above it", "Does every reader get to the rank above it?", "Y1")
def from_the_rank_above(continuation, k):
    read = [1, *continuation[:-1]]
    return Fraction(read[k - 1]) / sum(read)


@belief("a rank is read only if the reader goes on after it", "How many readers read rank 1?", "Y1")
def goes_on_after_it(continuation, k):
    passed = [each * go_on for each, go_on in zip(read_with(continuation), continuation)]
    return Fraction(passed[k - 1]) / sum(passed)


def weight_of_rank(continuation, k):
    read, probability = [], Fraction(1)
    for go_on in continuation:
        read.append(probability)
        probability *= go_on
    return read[k - 1] / sum(read)


def right_estimate(clicks, propensities):
    return definitions.mean([Fraction(click) / e for click, e in zip(clicks, propensities)])


@belief("you take the share of clicks", "What does it say about a relevant item that was shown only where few readers look?", "Y3")
def share_of_clicks(clicks, propensities):
    return definitions.mean(clicks)


@belief("you multiply by the propensity", "Which says more, a click at a rank that all readers examine, or one at a rank that few examine?", "Y3")
def multiplied(clicks, propensities):
    return definitions.mean([click * e for click, e in zip(clicks, propensities)])


@belief("you take the mean over only the clicks", "What does an impression without a click say?", "Y3")
def clicked_alone(clicks, propensities):
    return sum(Fraction(click) / e for click, e in zip(clicks, propensities)) / sum(clicks)


@belief("you divide all clicks by all propensities", "That is right on average, too. But which number does each impression give here, on its own?", "Y3")
def all_by_all(clicks, propensities):
    return sum(clicks) / Fraction(sum(propensities))


def relevance_from_clicks(clicks, propensities):
    total = Fraction(0)
    for click, propensity in zip(clicks, propensities):
        total += Fraction(click) / propensity
    return total / len(clicks)


def right_team(first, second, coins, item):
    items, teams = definitions.team_draft(first, second, coins)
    return teams[items.index(item)]


@belief("the tool that ranks the item higher owns it", "Can the other tool pick it first?", "Y4")
def higher_rank(first, second, coins, item):
    return int(second.index(item) < first.index(item))


@belief("one coin decides for the whole list", "Who picks first in round 2?", "Y4")
def one_coin(first, second, coins, item):
    return right_team(first, second, [coins[0]] * len(coins), item)


@belief("you look up the coin at the rank that the item has in the first list", "What is its rank in the draft?", "Y4")
def rank_in_first(first, second, coins, item):
    place = first.index(item)
    return coins[place // 2] if place % 2 == 0 else 1 - coins[place // 2]


def drafted_by(first, second, coins, item):
    lists, taken = (first, second), []
    for coin in coins:
        for tool in (coin, 1 - coin):
            left = [each for each in lists[tool] if each not in taken]
            if left and left[0] == item:
                return tool
            taken += left[:1]


def ways_to_read(n):
    """Every reader of up to n ranks who goes on with probability 0, 1/2 or 1 after each rank but the last."""
    some = (Fraction(1, 2), Fraction(1), Fraction(0))
    made = lambda: (((*go_on, Fraction(0)),) for size in range(n) for go_on in product(some, repeat=size))
    return Cases(f"all readers of up to {n} ranks, each probability 0, 1/2 or 1", ("continuation",), made, True)


def logs(n):
    """Every log of up to n impressions, with the propensities 1, 1/2 and 1/4."""
    shares = (Fraction(1), Fraction(1, 2), Fraction(1, 4))
    made = lambda: (case for size in range(1, n + 1) for case in product(product((0, 1), repeat=size), product(shares, repeat=size)))
    return Cases(f"all logs of up to {n} impressions, propensities 1, 1/2 and 1/4", ("clicks", "propensities"), made, True)


def pairs_of_tools(n, at_least=2):
    """Every order of up to n items, paired with the order 1, 2, 3, ..."""
    made = lambda: ((tuple(range(1, size + 1)), second) for size in range(at_least, n + 1) for second in permutations(range(1, size + 1)))
    return Cases(f"all orders of {at_least} to {n} items against the order 1, 2, 3, ...", ("first", "second"), made)


TASKS = (
    Task(
        weight_of_rank, "Write the weight of rank `k`. A reader goes on after each rank with the probability that `continuation` gives for it, a `Fraction`; the last of these is 0.",
        right_weight, ways_to_read(4).with_each("each rank k", "k", lambda continuation: range(1, len(continuation) + 1)),
        (not_divided, last_one, from_the_rank_above, goes_on_after_it),
    ),
    Task(
        relevance_from_clicks, "Estimate how relevant an item is, as the mean of one number for each impression. `clicks` holds 1 for a click and 0 for none; `propensities` holds the probability, a `Fraction`, that the rank was examined.",
        right_estimate, logs(3), (share_of_clicks, multiplied, clicked_alone, all_by_all), objective=2,
    ),
    Task(
        drafted_by, "Return the tool that drafts `item`, 0 for the first and 1 for the second. `first` and `second` rank the same items. `coins` holds, for each round of team draft, the tool that picks first.",
        right_team, pairs_of_tools(4).with_each("all coins", "coins", lambda first: product((0, 1), repeat=(len(first) + 1) // 2), every=True).with_each(
            "each item", "item", lambda first: first, every=True),
        (higher_rank, one_coin, rank_in_first), objective=3,
    ),
)  # fmt: skip


def added(weights, relevance):
    return sum(weight * hit for weight, hit in zip(weights, relevance))


def right_value(c1, c2, relevance):
    return added(definitions.weights_of((c1, c2, 0)), relevance)


@belief("you add up the probabilities that the hits are read", "What does yours give for a list of nothing but hits?", "Y1")
def gain_alone(c1, c2, relevance):
    return added(read_with((c1, c2, 0)), relevance)


@belief("you weigh a rank by the probability that it is the last one read", "Which ranks does a reader who stops at the third see?", "Y1")
def by_last_read(c1, c2, relevance):
    return added(definitions.last_read((c1, c2, 0)), relevance)


@belief("the third rank is read with the probability of going on after the second", "Does every reader get to the second rank?", "Y1")
def by_rank_above(c1, c2, relevance):
    return added((1, c1, c2), relevance) / (1 + c1 + c2)


def way_to_value(c1, c2, relevance):
    read = read_with((c1, c2, 0))
    terms = " + ".join(f"{each} · {hit}" for each, hit in zip(read, relevance))
    return f"The ranks are read with probabilities {read[0]}, {read[1]} and {read[2]}. So the value is ({terms})/({' + '.join(map(str, read))}) = {right_value(c1, c2, relevance)}."


def right_variance(e, r):
    return r * (1 / e - r)


@belief("you take the variance of the clicks as they are", "What number does a click count as?", "Y3")
def of_raw_clicks(e, r):
    return e * r * (1 - e * r)


@belief("the division undoes the rank, as if every reader examined the item", "Which values can the number have, and how often?", "Y3")
def as_if_examined(e, r):
    return r * (1 - r)


@belief("you divide the variance of the clicks by the propensity once", "By what factor does the variance change if every number is doubled?", "Y3")
def divided_once(e, r):
    return r * (1 - e * r)


@belief("you take the mean of the square", "What still has to be subtracted?", "Y3")
def mean_square(e, r):
    return r / e


def over(above, below):
    """A quotient of two fractions, as the way to an answer shows it."""
    return "/".join(str(each) if each.denominator == 1 else f"({each})" for each in (above, below))


def right_ratio(x, e, y, f):
    return (y / Fraction(f)) / (x / Fraction(e))


@belief("you compare the clicks as they are", "How many readers have looked at each item?", "Y3")
def raw_ratio(x, y):
    return Fraction(y, x)


@belief("you multiply by the propensities", "Which says more, a click at a rank that all readers examine, or one at a rank that few examine?", "Y3")
def wrong_way(x, e, y, f):
    return y * f / (x * e)


@belief("you correct only the clicks of the lower item", "Does every reader examine the upper rank?", "Y3")
def lower_alone(x, y, f):
    return y / (x * f)


def drafts_of(first, second):
    """The drafts for all sequences of coin tosses, with one toss for each round."""
    return [(coins, *definitions.team_draft(first, second, coins)) for coins in product((0, 1), repeat=(len(first) + 1) // 2)]


def right_credit(first, second, clicked):
    return definitions.mean([sum(team for item, team in zip(items, teams) if item in clicked) for _, items, teams in drafts_of(first, second)])


@belief("the tool that ranks an item higher gets its click, and at equal ranks each tool gets half", "Can the other tool pick the item first?", "Y4")
def to_the_higher(first, second, clicked):
    return sum(Fraction(1 + (first.index(item) > second.index(item)) - (first.index(item) < second.index(item)), 2) for item in clicked)


@belief("a coin is tossed for each rank, not for each round", "Who picks after the winner of a coin toss?", "Y4")
def coin_for_each_rank(first, second, clicked):
    credits = []
    for coins in product((0, 1), repeat=len(first)):
        taken = []
        for coin in coins:
            taken.append(next(each for each in (first, second)[coin] if each not in taken))
        credits.append(sum(coin for item, coin in zip(taken, coins) if item in clicked))
    return definitions.mean(credits)


def way_to_credit(first, second, clicked):
    drafts = drafts_of(first, second)
    owned = [[item for item, team in zip(items, teams) if team and item in clicked] for _, items, teams in drafts]
    parts = [
        f"{' '.join('AB'[coin] for coin in coins)} gives {written(items)}, where B picks {' and '.join(map(str, own)) or 'none of them'}"
        for (coins, items, _), own in zip(drafts, owned)
    ]
    return f"The coins of the two rounds can fall in four ways: {'; '.join(parts)}. So the mean is ({' + '.join(str(len(own)) for own in owned)})/4 = {right_credit(first, second, clicked)}."


PARTS = [Fraction(1, 2), Fraction(1, 3), Fraction(2, 3), Fraction(1, 4), Fraction(3, 4)]
LOOKS = [Fraction(1, k) for k in (2, 3, 4, 5)]
EASY = [*LOOKS, *(Fraction(k, n) for n in (3, 4, 5, 10) for k in range(2, n) if n < 10 or k % 2)]

QUESTIONS = (
    Question(
        "rd-value-by-hand", lambda c1, c2, relevance: f"A tool returns this list (1 means relevant, best first): {written(relevance)}. A reader reads the first item, goes on to the second with probability {c1}, goes on from there to the third with probability {c2}, and reads no further. What is the value of this reader's metric?",
        grid("readers and lists", c1=PARTS, c2=PARTS, relevance=[(0, 0, 1), (0, 1, 1), (1, 0, 1), (1, 1, 0), (0, 1, 0)]),
        right_value, (gain_alone, by_last_read, by_rank_above), way_to_value, minutes=5,
    ),
    Question(
        "rd-variance", lambda e, r: f"An item is at a rank that a reader examines with probability {e}. If examined, it is clicked with probability {r}. A click counts as one over the probability that the rank is examined, and an impression without a click counts as nothing. What is the variance of this number, for one impression?",
        grid("propensities and relevance", e=EASY, r=EASY),
        right_variance, (of_raw_clicks, as_if_examined, divided_once, mean_square),
        lambda e, r: f"The number is {1 / e} with probability {e * r}, and otherwise 0. Its mean is {r}, and the mean of its square is {1 / e} · {r} = {mean_square(e, r)}. So the variance is {mean_square(e, r)} - ({r})^2 = {right_variance(e, r)}.",
        minutes=5, objective=2,
    ),
    Question(
        "rd-position-bias", lambda x, e, y, f: f"Two items were shown equally often. The upper one, at a rank that a reader examines with probability {e}, had {x} clicks, and the lower one, at a rank that is examined with probability {f}, had {y} clicks. An examined item is clicked if the reader finds it relevant, whatever its rank. What is the relevance of the lower item divided by that of the upper one, according to these clicks?",
        grid("clicks and propensities", x=range(20, 61, 10), e=[Fraction(2, 3), Fraction(3, 4), Fraction(4, 5)], y=range(10, 31, 5), f=LOOKS).where(
            "fewer clicks below", lambda x, y: y < x),
        right_ratio, (raw_ratio, wrong_way, lower_alone),
        lambda x, e, y, f: f"With its clicks divided by the probability of examination, the lower item has {y}/({f}) = {y / f}, and the upper one has {x}/({e}) = {x / e}. So the quotient is {over(y / f, x / e)} = {right_ratio(x, e, y, f)}.",
        minutes=4, objective=2,
    ),
    Question(
        "rd-credit", lambda first, second, clicked: f"Tool A ranks the items in the order {written(first)}, and tool B in the order {written(second)}. Team draft with fair coins mixes both lists into one. Every reader clicks on the items {clicked[0]} and {clicked[1]}, and on nothing else. How many of a reader's clicks count for tool B on average?",
        pairs_of_tools(4, at_least=3).with_each("each pair of items", "clicked", lambda first: combinations(first, 2), every=True),
        right_credit, (to_the_higher, coin_for_each_rank), way_to_credit, minutes=6, objective=3,
    ),
)  # fmt: skip

VOTES = shuffled(
    __name__,
    Vote(
        "rd-which-reader",
        "A reader reads rank 1, goes on with probability 1/2 after each of ranks 1 and 2, and stops at rank 3. The metric of this reader weights a rank by its share of the items read. Which change makes rank 1 weigh less?",
        "the reader goes on with probability 3/4", r"The ranks are read with probabilities $1$, $\frac12$ and $\frac14$, so rank 1 has the weight $\frac47$. If more readers go on, more of the items read are further down, and it has $\frac{16}{37}$.",
        (
            Saying("the reader goes on with probability 1/4", "How many items are read at ranks 2 and 3 then, for each one at rank 1?"),
            Saying("the reader stops at rank 2", "What happens to the number of items read, and what to those read at rank 1?"),
            Saying("none, since every reader reads rank 1", "Every reader reads rank 1. How many items does a reader read in all?"),
        ),
    ),
    Vote(
        "rd-rank-ten",
        "Item a is at rank 1 and item b at rank 10, and both get ten clicks in a thousand impressions. Every reader examines rank 1, and one in ten examines rank 10. Which item is more relevant?",
        "b, ten times as relevant", r"A click has probability $e r$, so $r$ is $\frac{1}{100}$ for item a and $\frac{1}{10}$ for item b.",
        (
            Saying("neither, since both have equally many clicks", "How many readers have looked at item b?"),
            Saying("a, since it is at rank 1", "Rank 1 shows what the tool thinks. What do the readers who looked think?"),
            Saying("nobody can tell", "What if you divide the clicks by the readers who examined the item?"),
        ),
        objective=2,
    ),
    Vote(
        "rd-fair",
        "A reader clicks at each rank with a probability that depends only on the rank. Team draft mixes two rankings of the same items. Which tool gets more credit on average?",
        "neither", "In each round a fair coin decides which tool owns which of two ranks.",
        (
            Saying("the one whose coin falls first", "How often does the coin fall for each tool?"),
            Saying("the one that ranks more items higher than the other", "That is so in balanced interleaving if all ranks are clicked equally often. Which tool owns rank 1 here, and how often?"),
            Saying("it depends on how steeply the clicks fall", "Is there any rank that one tool owns more often than the other?"),
        ),
        objective=3,
    ),
    Vote(
        "rd-shared",
        "Only c is relevant, and it is always clicked. Tool A ranks a b c, and tool B ranks b c a. What does team draft say after very many readers?",
        "no preference", "Each tool drafts one of a and b in round 1, so the coin of round 2 decides which tool drafts c.",
        (
            Saying("B is better", "By rank, it is. Which tool drafts c if B begins, and what did A take?"),
            Saying("A is better", "Which tool owns c if the coin of round 2 falls for B?"),
            Saying("B is better, but only with many readers", "What is the probability that c belongs to B?"),
        ),
        objective=3,
    ),
)  # fmt: skip

# Which exercises measure an objective on the chapter's card, by its number.
EXERCISES = {
    1: ["ex-reader-by-hand"],
    2: ["ex-price-of-rank-ten"],
    3: ["ex-no-winner"],
    4: ["ex-two-reports"],
}
