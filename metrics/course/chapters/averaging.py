"""Averaging: tasks, questions and votes."""

from fractions import Fraction

from metrics.exact import definitions, grid, heights

from ..beliefs import Question, Task, belief, reduced
from ..votes import Saying, Vote, shuffled

TITLE = "Averaging"


def precision_of_each(hits, returned):
    return [Fraction(h, n) if n else None for h, n in zip(hits, returned)]


@belief("you add up all hits and all returned items, as the micro mean does", "Does each goal count the same in your version?")
def micro(hits, returned):
    return Fraction(sum(hits), sum(returned))


@belief("you leave out the goals without a hit", "Is a precision of 0 not a value?")
def without_zeros(hits, returned):
    some = [value for value in precision_of_each(hits, returned) if value]
    return sum(some) / Fraction(len(some))


@belief("you do not divide by the number of goals", "Can a mean of precisions be above 1?")
def only_the_sum(hits, returned):
    return sum(precision_of_each(hits, returned), Fraction(0))


def macro_precision(hits, returned):
    return sum(Fraction(h, n) for h, n in zip(hits, returned)) / len(hits)


def macro(hits, returned):
    return definitions.mean([definitions.precision(h, n - h) for h, n in zip(hits, returned)])


@belief("you take the macro mean, in which each goal counts the same", "Does each returned item count the same in your version?")
def macro_instead(hits, returned):
    return macro(hits, returned)


@belief("you count the hits, not their share", "Can a precision be above 1?")
def only_hits(hits):
    return sum(hits)


def micro_precision(hits, returned):
    return Fraction(sum(hits), sum(returned))


def all_together(hits, returned):
    return definitions.precision(sum(hits), sum(returned) - sum(hits))


@belief("0/0 counts as 0", "The question says that such goals are left out.")
def undefined_is_zero(hits, returned):
    return sum(value or 0 for value in precision_of_each(hits, returned)) / Fraction(len(hits))


@belief("0/0 counts as 1", "The question says that such goals are left out.")
def undefined_is_one(hits, returned):
    return sum(1 if value is None else value for value in precision_of_each(hits, returned)) / Fraction(len(hits))


@belief("you add up all hits and all returned items", "Does each goal count the same in your version?")
def micro_of_all(hits, returned):
    return Fraction(sum(hits), sum(returned))


def skipped(hits, returned):
    some = [value for value in precision_of_each(hits, returned) if value is not None]
    return definitions.mean(some)


GOALS = grid("two and three goals", returned=[(1,), (1, 2), (2, 4), (3, 2), (1, 2, 4), (4, 2, 5)]).with_each(
    "all hits", "hits", lambda returned: [h for h in grid("", every=True, **{f"h{n}": range(most + 1) for n, most in enumerate(returned)}).make()]
)
TASKS = (
    Task(macro_precision, "Write the macro mean of precision, in which each goal counts the same. `hits` and `returned` have a number for each goal, with no 0 in `returned`.", macro, GOALS, (micro, without_zeros, only_the_sum)),
    Task(micro_precision, "Write the micro mean of precision, in which each returned item counts the same. The arguments are those of `macro_precision`.", all_together, GOALS, (macro_instead, only_hits)),
)  # fmt: skip

TWO = grid("two goals", returned=[(a, b) for a in range(2, 6) for b in range(4, 11) if a != b]).with_each(
    "hits", "hits", lambda returned: [(a, b) for a in range(1, returned[0] + 1) for b in range(1, 4)]
)


def said(hits, returned):
    return f"For one goal a tool returns {returned[0]} items, {hits[0]} of them relevant; for another it returns {returned[1]} items, {hits[1]} of them relevant."


QUESTIONS = (
    Question(
        "macro-precision", lambda hits, returned: f"{said(hits, returned)} What is the macro mean of its precision?", TWO, macro, (micro, only_the_sum),
        lambda hits, returned: f"({hits[0]}/{returned[0]} + {hits[1]}/{returned[1]}) / 2 = {macro(hits, returned)}.", minutes=4,
    ),
    Question(
        "micro-precision", lambda hits, returned: f"{said(hits, returned)} What is the micro mean of its precision?", TWO, all_together, (macro_instead, only_the_sum),
        lambda hits, returned: f"({hits[0]} + {hits[1]}) / ({returned[0]} + {returned[1]}) is {reduced(sum(hits), sum(returned))}.", minutes=4,
    ),
    Question(
        "mean-without-undefined", lambda hits, returned: f"{said(hits, returned)} For a third goal it returns nothing, so its precision there is 0/0. What is the macro mean of its precision, if undefined values are left out?",
        grid("three goals", returned=[(a, b, 0) for a in range(2, 6) for b in range(4, 9) if a != b]).with_each("hits", "hits", lambda returned: [(a, b, 0) for a in range(1, returned[0]) for b in range(1, 4)]),
        skipped, (undefined_is_zero, undefined_is_one, micro_of_all), lambda hits, returned: f"Two goals are left: ({hits[0]}/{returned[0]} + {hits[1]}/{returned[1]}) / 2 = {skipped(hits, returned)}.", minutes=5, objective=4,
    ),
)  # fmt: skip

@belief("each hit counts the same, whichever goal it belongs to", "How wide is a step in the curve of a goal with few lemmas?", "A28")
def pool_of_hits(lists):
    return definitions.mean(sum(map(heights, lists), []))


def gains_a_root(factor, goals):
    return factor ** (1 / goals)


@belief("the mean grows by the same factor as the one value", "What happens to the other values, and which root do you take?", "A27")
def whole_factor(factor):
    return factor


@belief("you divide the factor among the goals, as in a sum", "If all four values became 4 times as large, what would happen to their product?", "A27")
def shared_factor(factor, goals):
    return Fraction(factor, goals)


VOTES = shuffled(
    __name__,
    Vote(
        "avg-same-lengths",
        "Two tools suggest ten lemmas for each of fifty goals. Can macro precision prefer one of them, and micro precision the other?",
        "no, the two means are equal", "Each goal has the same denominator, ten. So both means are the number of all hits divided by 500.",
        (
            Saying("yes, if the goals need different numbers of lemmas", "That number is the denominator of recall. What is the denominator of precision here?"),
            Saying("yes, if a tool has its hits on only a few goals", "Try two goals with 8 and 0 hits in ten suggestions each. What are the two means?"),
        ),
        objective=2,
    ),
    Vote(
        "avg-mean-curve",
        "A tool has a precision-recall curve for each of two goals. At each level of recall, take the mean height of the two curves. What is the area below this mean curve?",
        "the mean of the two AP values", "The area below a mean of curves is the mean of their areas. So MAP is an area, too: that below the mean curve.",
        (
            Saying("the AP of the two lists, merged into one", "Which goal comes first at each rank of the merged list, and who decides that?"),
            Saying("the mean precision over the hits of both goals", "How wide is a step in the curve of a goal with few lemmas?"),
            Saying("it depends on how many lemmas each goal needs", "At which levels of recall does each curve begin and end?"),
        ),
    ),
    Vote(
        "avg-one-factor",
        "On one of four goals, a hard one, the AP of a tool becomes 16 times as large. What happens to the geometric mean over the four?",
        gains_a_root, "The product is multiplied by 16, and its fourth root by 2, whatever the other three values are, as long as none is 0.",
        (
            whole_factor, shared_factor,
            Saying("it depends on the other three values", "That is so for the arithmetic mean. By what factor is the product of the four values multiplied, and by what factor its root?"),
        ),
        {"factor": 16, "goals": 4}, lambda value: f"it is multiplied by {value}", objective=3,
    ),
    Vote(
        "avg-no-answer",
        "A goal needs five lemmas, and a tool returns nothing for it. What value should this goal have in the mean AP of the tool?",
        "0", "The tool found none of the five, so the sum is 0, and it is divided by 5.",
        (
            Saying("none, because the goal is left out", "Then silence is rewarded, because a tool that answers only the easy goals gets the mean of the easy goals."),
            Saying("0 or 1, as you like, since AP is 0/0 here", "AP is divided by the number of lemmas that the goal needs. Is that 0 here?"),
            Saying("the mean over the other goals", "This is the same as leaving the goal out. What would a tool gain by silence?"),
        ),
        objective=4,
    ),
)  # fmt: skip

# Which exercises measure an objective on the chapter's card, by its number.
EXERCISES = {
    1: ["ex-one-heavy-user"],
    2: ["ex-three-lists"],
    3: ["ex-doubling", "ex-one-zero"],
    4: ["ex-skip-to-win"],
    5: ["ex-project-means"],
}
