"""Precision and recall: tasks and questions."""

from fractions import Fraction

from metrics.exact import confusion_tables, definitions, grid

from ..beliefs import Question, Task, belief, reduced

TITLE = "Precision and recall"


def precision_of_sets(predicted, actual):
    tp, fp, _, _ = definitions.confusion(predicted, actual)
    return definitions.precision(tp, fp)


def recall_of_sets(predicted, actual):
    tp, _, fn, _ = definitions.confusion(predicted, actual)
    return definitions.recall(tp, fn)


@belief("you divide by the relevant items: that is recall", "Of whose items is precision a share?")
def recall_instead(predicted, actual):
    return Fraction(len(predicted & actual), len(actual))


@belief("you divide by all items that either set has", "What has a missed item to do with precision?")
def over_the_union(predicted, actual):
    return Fraction(len(predicted & actual), len(predicted | actual))


@belief("you count what is predicted and wrong", "Is a high value good or bad in yours?")
def wrong_share(predicted, actual):
    return Fraction(len(predicted - actual), len(predicted))


def precision(predicted, actual):
    return Fraction(len(predicted & actual), len(predicted))


@belief("precision belongs to the tool, so it is the same in every library", "How many irrelevant items are there now to be let through?")
def carried_over(tp, fp):
    return Fraction(tp, tp + fp)


@belief("all four counts grow alike", "Which two cells hold the irrelevant items?")
def all_grow(tp, fp, times):
    return Fraction(times * tp, times * tp + times * fp)


@belief("you count the irrelevant items that were refused, too", "Which items does the tool return?")
def with_those_refused(tp, fp, tn, times):
    return Fraction(tp, tp + times * (fp + tn))


@belief("the tool returns more relevant items, too", "How many relevant items are there to return?")
def hits_grow(tp, fp, times):
    return Fraction(times * tp, times * tp + fp)


def in_a_larger_library(tp, fp, times):
    return definitions.precision(tp, times * fp)


def precision_elsewhere(tp, fp, times):
    return Fraction(tp, tp + times * fp)


SETS = grid("all pairs of sets of at most three of the items 1 to 4, the first not empty", every=True, predicted=[{1}, {1, 2}, {1, 2, 3}]).with_each(
    "the other of any of the items 1 to 4", "actual", [{2}, {3}, {1, 4}, {2, 3}, {1, 2}, {1, 2, 4}, {2, 3, 4}, {1, 2, 3, 4}], every=True
)
LARGER = (
    confusion_tables(6).where("a hit", lambda tp, fp: tp and tp + fp).with_each("with 1, 2, 3 or 10 times as many irrelevant items", "times", (1, 2, 3, 10))
)

TASKS = (
    Task(
        precision,
        "Write precision. `predicted`, which is not empty, and `actual` are sets.",
        precision_of_sets, SETS, (recall_instead, over_the_union, wrong_share),
    ),
    Task(
        precision_elsewhere,
        "A tool returned `tp` relevant and `fp` irrelevant items. In a library with `times` as many irrelevant items it lets the same share of them through, and it treats the relevant ones, of which there are as many as before, as before. What is its precision there?",
        in_a_larger_library, LARGER, (carried_over, with_those_refused, hits_grow), objective=2,
    ),
)  # fmt: skip

TABLES = grid("tables", tp=range(2, 6), fp=range(1, 7), fn=range(1, 7), tn=range(6, 9))


@belief("you divide by the relevant items: that is recall", "Of which items is precision a share?")
def recall_of_counts(tp, fn):
    return Fraction(tp, tp + fn)


@belief("you divide by all items in question", "What has a missed item to do with precision?")
def jaccard_of_counts(tp, fp, fn):
    return Fraction(tp, tp + fp + fn)


@belief("you count all right decisions: that is accuracy", "Does precision know what was refused?")
def accuracy_of_counts(tp, fp, fn, tn):
    return Fraction(tp + tn, tp + fp + fn + tn)


@belief("you divide by the items returned: that is precision", "Of which items is recall a share?")
def precision_of_counts(tp, fp):
    return Fraction(tp, tp + fp)


@belief("nothing is accurate where nothing is found", "What does such a tool say of the irrelevant items?")
def nothing_is_right():
    return 0


@belief("you take the share of the relevant items", "Which items does it treat rightly?")
def share_of_relevant(tp, fp, fn, tn):
    return Fraction(tp + fn, tp + fp + fn + tn)


def said(tp, fp, fn, tn):
    return f"A library has {tp + fp + fn + tn} lemmas. A proof needs {tp + fn} of them; a tool suggests {tp + fp}, and {tp} of those are needed."


QUESTIONS = (
    Question(
        "pr-precision", lambda tp, fp, fn, tn: f"{said(tp, fp, fn, tn)} What is its precision?",
        TABLES, definitions.precision, (recall_of_counts, jaccard_of_counts, accuracy_of_counts),
        lambda tp, fp: f"{tp} of the {tp + fp} suggested lemmas are needed: {reduced(tp, tp + fp)}.", minutes=3,
    ),
    Question(
        "pr-recall", lambda tp, fp, fn, tn: f"{said(tp, fp, fn, tn)} What is its recall?",
        TABLES, definitions.recall, (precision_of_counts, jaccard_of_counts, accuracy_of_counts),
        lambda tp, fn: f"{tp} of the {tp + fn} needed lemmas are suggested: {reduced(tp, tp + fn)}.", minutes=3,
    ),
    Question(
        "pr-another-library",
        lambda tp, fp, times: f"A tool returns {tp} relevant and {fp} irrelevant items. In a library with {times} times as many irrelevant items, and as many relevant ones, it lets the same share of each through. What is its precision there?",
        grid("counts", tp=range(2, 8), fp=range(2, 8), times=(2, 3, 4)), in_a_larger_library, (carried_over, hits_grow),
        lambda tp, fp, times: f"{tp} relevant items and {times} · {fp} irrelevant ones are returned: {reduced(tp, tp + times * fp)}.", minutes=4, objective=2,
    ),
    Question(
        "pr-blind-accuracy",
        lambda tp, fp, fn, tn: f"{said(tp, fp, fn, tn)} What accuracy has a tool that suggests nothing?",
        TABLES, lambda tp, fp, fn, tn: definitions.accuracy(0, 0, tp + fn, fp + tn), (nothing_is_right, share_of_relevant, accuracy_of_counts),
        lambda tp, fp, fn, tn: f"It is right about the {fp + tn} lemmas that are not needed: {reduced(fp + tn, tp + fp + fn + tn)}.", minutes=4, objective=3,
    ),
)  # fmt: skip

VOTES = ()
