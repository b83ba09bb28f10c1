"""Averaging: tasks and questions."""

from fractions import Fraction

from metrics.exact import definitions, grid

from ..beliefs import Question, Task, belief, reduced

TITLE = "Averaging"


def precision_of_each(hits, returned):
    return [Fraction(h, n) if n else None for h, n in zip(hits, returned)]


@belief("you add up all hits and all returned items: that is the micro mean", "Does each goal count the same in yours?")
def micro(hits, returned):
    return Fraction(sum(hits), sum(returned))


@belief("you leave out the goals without a hit", "Is a precision of 0 no value?")
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


@belief("you take the macro mean, in which each goal counts the same", "Does each returned item count the same in yours?")
def macro_instead(hits, returned):
    return macro(hits, returned)


@belief("you count the hits, not their share", "Can a precision be above 1?")
def only_hits(hits):
    return sum(hits)


def micro_precision(hits, returned):
    return Fraction(sum(hits), sum(returned))


def all_together(hits, returned):
    return definitions.precision(sum(hits), sum(returned) - sum(hits))


@belief("0/0 counts 0", "The question says that such goals are left out.")
def undefined_is_zero(hits, returned):
    return sum(value or 0 for value in precision_of_each(hits, returned)) / Fraction(len(hits))


@belief("0/0 counts 1", "The question says that such goals are left out.")
def undefined_is_one(hits, returned):
    return sum(1 if value is None else value for value in precision_of_each(hits, returned)) / Fraction(len(hits))


@belief("you add up all hits and all returned items", "Does each goal count the same in yours?")
def micro_of_all(hits, returned):
    return Fraction(sum(hits), sum(returned))


def skipped(hits, returned):
    some = [value for value in precision_of_each(hits, returned) if value is not None]
    return definitions.mean(some)


GOALS = grid("two and three goals", returned=[(1,), (1, 2), (2, 4), (3, 2), (1, 2, 4), (4, 2, 5)]).with_each(
    "all hits", "hits", lambda returned: [h for h in grid("", every=True, **{f"h{n}": range(most + 1) for n, most in enumerate(returned)}).make()]
)
TASKS = (
    Task(macro_precision, "Write the macro mean of precision: each goal counts the same. `hits` and `returned` have a number for each goal, `returned` no 0.", macro, GOALS, (micro, without_zeros, only_the_sum)),
    Task(micro_precision, "Write the micro mean of precision: each returned item counts the same, with the same arguments.", all_together, GOALS, (macro_instead, only_hits)),
)  # fmt: skip

TWO = grid("two goals", returned=[(a, b) for a in range(2, 6) for b in range(4, 11) if a != b]).with_each(
    "hits", "hits", lambda returned: [(a, b) for a in range(1, returned[0] + 1) for b in range(1, 4)]
)


def said(hits, returned):
    return f"For one goal a tool returns {returned[0]} items, {hits[0]} of them relevant; for another {returned[1]} items, {hits[1]} of them relevant."


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

VOTES = ()
