"""Is the difference real?: tasks, questions and votes."""

from fractions import Fraction
from itertools import product
from math import comb
from statistics import NormalDist

from metrics.exact import grid

from ..beliefs import Question, Task, belief, written
from ..votes import Saying, Vote, shuffled

TITLE = "Is the difference real?"


def patterns(differences):
    """The sum of the differences under each pattern of signs."""
    return [sum(sign * d for sign, d in zip(signs, differences)) for signs in product((1, -1), repeat=len(differences))]


@belief("you count one side only", "Would a lead of the other tool have surprised you less?")
def one_side(differences):
    sums = patterns(differences)
    return Fraction(sum(s >= abs(sum(differences)) for s in sums), len(sums))


@belief("you count only the sums that are at least as large, with their signs", "If the second tool leads, are all the sums above this one as extreme?")
def with_their_signs(differences):
    sums = patterns(differences)
    return Fraction(sum(s >= sum(differences) for s in sums), len(sums))


@belief("you count only sums more extreme than the one seen", "Does the sum that was seen count?")
def strictly_beyond(differences):
    sums = patterns(differences)
    return Fraction(sum(abs(s) > abs(sum(differences)) for s in sums), len(sums))


@belief("you count signs, whatever the sizes, as the sign test does", "Do large differences say no more than small ones?")
def sign_test(differences):
    n = sum(d != 0 for d in differences)
    most = max(sum(d > 0 for d in differences), sum(d < 0 for d in differences))
    tail = sum(comb(n, k) for k in range(most, n + 1))
    return min(Fraction(1), Fraction(2 * tail, 2**n))


@belief("you give the share of patterns that are less extreme", "Is a small p evidence for a difference or against it?")
def turned(differences):
    return 1 - p_by_flipping(differences)


def p_value(differences):
    from itertools import product

    seen, count = abs(sum(differences)), 0
    for signs in product((1, -1), repeat=len(differences)):
        if abs(sum(sign * d for sign, d in zip(signs, differences))) >= seen:
            count += 1
    return Fraction(count, 2 ** len(differences))


def p_by_flipping(differences):
    """The p-value of the sign flips, found without listing patterns: the possible sums are counted, one difference after the other."""
    counts = {0: 1}
    for d in differences:
        after = {}
        for total, ways in counts.items():
            for moved in (total + d, total - d):
                after[moved] = after.get(moved, 0) + ways
        counts = after
    return Fraction(sum(ways for total, ways in counts.items() if abs(total) >= abs(sum(differences))), 2 ** len(differences))


@belief("one side is enough", "Would a lead of the other tool have surprised you less?")
def half_of_it(n):
    return Fraction(1, 2**n)


@belief("a p-value can be as small as you like", "How many patterns of signs are there?")
def zero():
    return 0


@belief("each goal has probability one in n", "How many patterns of signs do n goals have?")
def one_over_n(n):
    return Fraction(1, n)


def smallest_p(n):
    return Fraction(2, 2**n)


def least_of_all(n):
    return p_by_flipping([2**k for k in range(n)])


LISTS = grid("all lists of 1 to 4 differences from -2 to 2", every=True, differences=[each for n in range(1, 5) for each in product(range(-2, 3), repeat=n)])
TASKS = (
    Task(p_value, "Write the p-value by flipping signs: the share of all patterns of signs under which the sum of the `differences` (whole numbers) is at least as far from 0 as the one seen.", p_by_flipping, LISTS, (one_side, with_their_signs, strictly_beyond, sign_test, turned), points=4),
    Task(smallest_p, "Write the smallest p-value that flipping the signs of `n` differences can give (both sides count).", least_of_all, grid("n from 1 to 9", n=range(1, 10)), (half_of_it, zero, one_over_n)),
)  # fmt: skip

FOUR = grid(
    "lists",
    every=True,
    differences=[each for each in product((-3, -2, -1, 1, 2, 3, 4), repeat=4) if list(each) == sorted(each, reverse=True) and sum(each) > 0],
)
P_VALUES = (
    grid("two p-values, in per cent", first=range(1, 6))
    .with_each("the second", "second", lambda first: range(first + 1, 16))
    .with_each("the third", "third", lambda second: (second + 3, second + 20))
)


@belief("you do not correct at all", "How many comparisons were made?")
def uncorrected(second):
    return Fraction(second, 100)


@belief("you multiply every p-value by the number of comparisons, as Bonferroni does", "How many comparisons are left after the first?")
def bonferroni(second):
    return Fraction(3 * second, 100)


def holm(first, second):
    """The second smallest of three p-values, corrected by Holm's method, which never puts it below the corrected smallest."""
    corrected, largest = [], Fraction(0)
    for place, p in enumerate((first, second)):
        largest = max(largest, min(Fraction(1), (3 - place) * Fraction(p, 100)))
        corrected.append(largest)
    return corrected[1]


@belief("you also count sign patterns of the goals on which the tools are equal, and count all of these as less extreme", "Does the sum change if the sign of 0 is flipped?")
def shrunk_by_equal_goals(differences, equal):
    return p_by_flipping(differences) / 2**equal


LEADS = grid(
    "leads on five goals, one of them 0", every=True,
    differences=[each for each in product((-6, -3, 0, 3, 9), repeat=5) if each.count(0) == 1 and sum(each) > 0],
)  # fmt: skip
SECOND = (12, 30, 7, 45, 21)  # what the second tool has, in hundredths


def mean_lead(differences):
    return Fraction(sum(differences), len(differences))


@belief("a goal on which the tools are equal does not count", "Each tool's mean was taken over how many goals?")
def mean_without_equal_goals(differences):
    return Fraction(sum(differences), sum(d != 0 for d in differences))


@belief("what a paper reports is the lead on a typical goal, the median", "Which number does the interval next to it belong to?")
def median_lead(differences):
    return sorted(differences)[len(differences) // 2]


@belief("what counts is how far apart the tools are, whichever leads", "What happens to a goal on which the second tool is better?")
def mean_distance(differences):
    return Fraction(sum(map(abs, differences)), len(differences))


def two_tools(differences):
    first = [d + second for d, second in zip(differences, SECOND)]
    return f"On five goals one tool has AP values of {written(first).replace(' ', ', ')} hundredths, and another has {written(SECOND).replace(' ', ', ')} on the same goals. Which difference between the two, in hundredths, belongs in the sentence of a paper, next to both means?"


QUESTIONS = (
    Question(
        "difference-in-the-sentence", two_tools, LEADS, mean_lead, (mean_without_equal_goals, median_lead, mean_distance),
        lambda differences: f"The leads are {written(differences).replace(' ', ', ')}; their sum is {sum(differences)}, so the mean over five goals is {mean_lead(differences)}.", minutes=4, objective=2,
    ),
    Question(
        "p-by-flipping", lambda differences: f"On four goals, one tool leads another by {written(differences).replace(' ', ', ')} (a negative lead is a loss). What is the p-value by flipping signs, with both sides counted?",
        FOUR, p_by_flipping, (one_side, strictly_beyond), lambda differences: f"Of the 16 sums, {16 * p_by_flipping(differences)} are at least as far from 0 as {sum(differences)}, so p = {p_by_flipping(differences)}.", minutes=6,
    ),
    Question(
        "p-by-holm", lambda first, second, third: f"Three comparisons have the p-values {first / 100}, {second / 100} and {third / 100}. What is the second p-value, corrected by Holm's method, as a fraction?",
        P_VALUES, holm, (uncorrected, bonferroni), lambda first, second: f"Three times the smallest is {Fraction(3 * first, 100)}, and twice the second is {Fraction(2 * second, 100)}; the larger of these is {holm(first, second)}.", minutes=5, objective=4,
    ),
    Question(
        "p-with-ties", lambda differences, equal: f"On four goals one tool leads another by {written(differences).replace(' ', ', ')}, and on {equal} more goals they are equal. What is the p-value by flipping signs, with both sides counted?",
        FOUR.with_each("equal", "equal", (2, 3, 5)), lambda differences: p_by_flipping(differences), (one_side, shrunk_by_equal_goals),
        lambda differences: f"Goals on which the tools are equal change no sum. Of the 16 sums, {16 * p_by_flipping(differences)} are at least as far from 0 as {sum(differences)}, so p = {p_by_flipping(differences)}.", minutes=6,
    ),
)  # fmt: skip

@belief("you take the level for the probability of being right", "Where is the middle of a bell that is centred on the border?", "S7")
def the_level_of_the_test(alpha):
    return 1 - alpha


@belief("you expect a sample to show exactly what is true", "How often is the mean of a sample below the true mean?", "S7")
def as_expected():
    return 1


@belief("you take the level for the probability of seeing the difference", "The level says how often, at most, the test says yes if there is no difference.", "S7")
def the_level_itself(alpha):
    return alpha


def found_if_planned_for_the_border(alpha):
    """The probability of a significant difference, if the true one lies just where significance begins."""
    border = NormalDist().inv_cdf(1 - alpha / 2)
    return round(1 - NormalDist(border).cdf(border) + NormalDist(border).cdf(-border), 3)


def squares(groups):
    return sum(d * d for group in groups for d in group)


def times_the_variance(groups):
    return Fraction(sum(sum(group) ** 2 for group in groups), squares(groups))


@belief("a goal is one of its own neighbours", "How many neighbours does a goal have in a group of three?", "S8")
def its_own_neighbour(groups):
    return 1 + Fraction(len(groups[0]), max(1, len(groups[0]) - 1)) * (times_the_variance(groups) - 1)


VOTES = shuffled(
    __name__,
    Vote(
        "diff-promise",
        r"You test many pairs of tools, and call a difference real whenever $p \le 0.05$. Of the differences that you call real, how many are luck?",
        "you cannot tell from that",
        r"The promise is about pairs without a difference. For at most one in twenty of these, a difference is called real. If no pair has a difference, everything that you call real is luck.",
        (
            Saying("at most one in twenty", r"One in twenty is a share of the pairs without a difference, not of those that you call real. What if no pair has one?"),
            Saying("none of them", r"Coins alone give $p \le 0.05$ now and then. What do you call the difference then?"),
            Saying("those with a small lead", "A large lead on few goals can be luck, and a small one on very many need not be, because p takes the number of goals into account."),
        ),
    ),
    Vote(
        "diff-which-notices",
        "On six goals the differences are $+9, +3, +1, -2, -4$ and $-5$ hundredths. Which of these notices if the $9$ becomes $90$: the mean, Wilcoxon's sums of ranks, or the number of goals won?",
        "the mean alone", "The largest size has the largest rank, whatever it is, and a goal won is a goal won. Only the mean looks at the size of a lead.",
        (
            Saying("the mean and the sums of ranks", "Which rank has the size $9$ among the six? Which rank has $90$?"),
            Saying("all three", "Has the first tool won another goal?"),
            Saying("none of them, since the signs are the same", "Which of the three adds up the differences themselves?"),
        ),
        objective=3,
    ),
    Vote(
        "diff-planned",
        r"You know the true difference, and choose the number of goals so that a measured difference of exactly this size has $p = 0.05$. How often will you see $p \le 0.05$? (Means are roughly normal.)",
        found_if_planned_for_the_border,
        "Measured differences vary around the true one, and are as often below it as above it. To see such a p-value more often, you need a true difference beyond the border.",
        (the_level_of_the_test, as_expected, the_level_itself),
        {"alpha": 0.05}, lambda value: f"{float(value):.0%} of the time", objective=5,
    ),
    Vote(
        "diff-sections",
        "So far each goal had a coin of its own. Now one coin flips all goals of a section. What happens to p, as a rule?",
        "it rises if the goals of a section favour the same tool", "Such goals can no longer balance each other, so luck alone strays further. Goals of a section that favour different tools still balance each other, however their coin falls.",
        (
            Saying("it stays the same, since coins change only signs", "Which goals can still balance each other, if one coin flips them together?"),
            Saying("it rises, whichever tools the goals of a section favour", "Let the differences in a section be $+5$ and $-5$. How far can its coin move the sum?"),
            Saying("it falls, since there are fewer coins", "With a single coin there are two patterns of signs. How many of them are as extreme as yours?"),
        ),
        objective=4,
    ),
)  # fmt: skip

# Which exercises measure an objective on the chapter's card, by its number.
EXERCISES = {
    1: ["ex-four-goals", "ex-cannot-fail"],
    2: ["ex-the-sentence"],
    3: ["ex-four-goals"],
    4: ["ex-holm", "ex-forty-goals"],
    5: ["ex-how-many"],
}
