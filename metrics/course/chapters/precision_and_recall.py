"""Precision and recall: tasks and questions."""

from fractions import Fraction

from metrics.exact import confusion_tables, definitions, grid, placements

from ..beliefs import Question, Task, belief, reduced
from ..votes import Vote, shuffled

TITLE = "Precision and recall"


def precision_of_sets(predicted, actual):
    tp, fp, _, _ = definitions.confusion(predicted, actual)
    return definitions.precision(tp, fp)


def recall_of_sets(predicted, actual):
    tp, _, fn, _ = definitions.confusion(predicted, actual)
    return definitions.recall(tp, fn)


@belief("you divide by the relevant items, as recall does", "Precision is a share of which items?")
def recall_instead(predicted, actual):
    return Fraction(len(predicted & actual), len(actual))


@belief("you divide by all items in either set", "What does a missed item have to do with precision?")
def over_the_union(predicted, actual):
    return Fraction(len(predicted & actual), len(predicted | actual))


@belief("you count the wrong predictions", "Is a high value good or bad in your version?")
def wrong_share(predicted, actual):
    return Fraction(len(predicted - actual), len(predicted))


def precision(predicted, actual):
    return Fraction(len(predicted & actual), len(predicted))


@belief("precision belongs to the tool, so it is the same in every library", "How many irrelevant items can be let through now?")
def carried_over(tp, fp):
    return Fraction(tp, tp + fp)


@belief("all four counts grow by the same factor", "Which two cells hold the irrelevant items?")
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
        "Write precision. `predicted` and `actual` are sets, and `predicted` is not empty.",
        precision_of_sets, SETS, (recall_instead, over_the_union, wrong_share),
    ),
    Task(
        precision_elsewhere,
        "A tool returned `tp` relevant and `fp` irrelevant items. In a library with `times` times as many irrelevant items, the tool lets the same share of them through. The number of relevant items is the same, and the tool treats these as before. What is its precision there?",
        in_a_larger_library, LARGER, (carried_over, with_those_refused, hits_grow), objective=2,
    ),
)  # fmt: skip

TABLES = grid("tables", tp=range(2, 6), fp=range(1, 7), fn=range(1, 7), tn=range(6, 9))


@belief("you divide by the relevant items, as recall does", "Precision is a share of which items?")
def recall_of_counts(tp, fn):
    return Fraction(tp, tp + fn)


@belief("you divide by all items that are returned or relevant", "What does a missed item have to do with precision?")
def jaccard_of_counts(tp, fp, fn):
    return Fraction(tp, tp + fp + fn)


@belief("you count all correct decisions, as accuracy does", "Does precision depend on what was refused?")
def accuracy_of_counts(tp, fp, fn, tn):
    return Fraction(tp + tn, tp + fp + fn + tn)


@belief("you take the accuracy of the tool that suggests something", "Which tool's accuracy is asked for?")
def accuracy_of_the_first(tp, fp, fn, tn):
    return accuracy_of_counts(tp, fp, fn, tn)


@belief("you divide by the items returned, as precision does", "Recall is a share of which items?")
def precision_of_counts(tp, fp):
    return Fraction(tp, tp + fp)


@belief("nothing is accurate where nothing is found", "What does such a tool say about the irrelevant items?")
def nothing_is_right():
    return 0


@belief("you take the share of the relevant items", "Which items does such a tool get right?")
def share_of_relevant(tp, fp, fn, tn):
    return Fraction(tp + fn, tp + fp + fn + tn)


def said(tp, fp, fn, tn):
    return f"A library has {tp + fp + fn + tn} lemmas. A proof needs {tp + fn} of them; a tool suggests {tp + fp}, {tp} of which {'is' if tp == 1 else 'are'} needed."


QUESTIONS = (
    Question(
        "pr-precision", lambda tp, fp, fn, tn: f"{said(tp, fp, fn, tn)} What is its precision?",
        TABLES, definitions.precision, (recall_of_counts, jaccard_of_counts, accuracy_of_counts),
        lambda tp, fp: f"{tp} of the {tp + fp} suggested lemmas are needed, so precision is {reduced(tp, tp + fp)}.", minutes=3,
    ),
    Question(
        "pr-recall", lambda tp, fp, fn, tn: f"{said(tp, fp, fn, tn)} What is its recall?",
        TABLES, definitions.recall, (precision_of_counts, jaccard_of_counts, accuracy_of_counts),
        lambda tp, fn: f"{tp} of the {tp + fn} needed lemmas are suggested, so recall is {reduced(tp, tp + fn)}.", minutes=3,
    ),
    Question(
        "pr-another-library",
        lambda tp, fp, times: f"A tool returns {tp} relevant and {fp} irrelevant items. Another library has as many relevant items, and {times} times as many irrelevant ones; the tool lets through the same share of each kind as before. What is its precision there?",
        grid("counts", tp=range(2, 8), fp=range(2, 8), times=(2, 3, 4)), in_a_larger_library, (carried_over, hits_grow),
        lambda tp, fp, times: f"{tp} relevant items and {times} · {fp} irrelevant ones are returned, so precision is {reduced(tp, tp + times * fp)}.", minutes=4, objective=2,
    ),
    Question(
        "pr-blind-accuracy",
        lambda tp, fp, fn, tn: f"{said(tp, fp, fn, tn)} Another tool suggests nothing. What is the accuracy of this other tool, the share of all lemmas that it is right about?",
        TABLES, lambda tp, fp, fn, tn: definitions.accuracy(0, 0, tp + fn, fp + tn), (nothing_is_right, share_of_relevant, accuracy_of_the_first),
        lambda tp, fp, fn, tn: f"It is right about the {fp + tn} lemmas that are not needed, so its accuracy is {reduced(fp + tn, tp + fp + fn + tn)}.", minutes=4, objective=3,
    ),
)  # fmt: skip


@belief("you take the share of all lemmas that is shown", "You know more about this lemma: the proof needs it.", "B1")
def share_shown(tp, fp, fn, tn):
    return Fraction(tp + fp, tp + fp + fn + tn)


@belief("you draw from the whole library", "Which lemmas is this one drawn from?", "B1")
def drawn_from_all(tp, fp, fn, tn):
    return Fraction(tp, tp + fp + fn + tn)


def by_bayes(prevalence, recall, fallout):
    return definitions.precision(prevalence * recall, (1 - prevalence) * fallout)


@belief("you leave out the prevalence, as if every second item were relevant", "How many irrelevant items are there for each relevant one?", "B22")
def as_on_a_balanced_test(recall, fallout):
    return recall / (recall + fallout)


@belief("you take the share of the relevant items that the classifier finds, which is recall", "Precision is a share of which items?", "B22")
def recall_of_rates(recall):
    return recall


@belief("you think that the classifier chooses no better than a blind guess", "Is a relevant item let through as rarely as an irrelevant one?", "B22")
def no_better_than_blind(prevalence):
    return prevalence


def fewest_hits(enough, k):
    """The smallest number of hits among k suggestions that is enough."""
    return next(s for s in range(k + 1) if enough(s))


def hits_to_beat_silence(N, R, k):
    nothing = definitions.accuracy(0, 0, R, N - R)
    return fewest_hits(lambda s: definitions.accuracy(s, k - s, R - s, N - k - R + s) > nothing, k)


@belief("you think that one hit is better than none", "The other nine are errors that the silent tool does not make.", "B15")
def a_hit_at_all(k):
    return fewest_hits(lambda s: s > 0, k)


@belief("you ask for more hits than a blind guess has on average", "How many errors does a blind guess make, and how many does silence make?", "B15")
def more_than_blind(N, R, k):
    return fewest_hits(lambda s: Fraction(s, k) > Fraction(R, N), k)


@belief("you allow no error", "How many errors does the silent tool make?", "B15")
def no_miss_at_all(k):
    return k


def mean_blind_precision(N, R, k):
    return definitions.mean([definitions.precision_at(one, k) for one in placements(N, R)])


@belief("you take the share of the lemmas that are picked, which is the recall of a guess", "Precision is a share of which lemmas?", "C8")
def share_picked(N, k):
    return Fraction(k, N)


@belief("you give each pick a probability of 1/2, since it is either right or wrong", "Are there as many needed lemmas as other lemmas?", "C8")
def heads_or_tails():
    return Fraction(1, 2)


@belief("you take the best possible precision", "Must all needed lemmas be among the picks?", "C8")
def lucky_guess(R, k):
    return Fraction(min(R, k), k)


VOTES = shuffled(
    __name__,
    Vote(
        "pr-which-share",
        "A library has 50 lemmas. A tool shows ten of them; a proof needs five, and four of these are shown. You draw one of the needed lemmas blindly. How likely is it that the tool shows this lemma?",
        definitions.recall, "Four of the five needed lemmas are shown. Recall is the probability that a needed lemma is shown; precision is the probability that a shown lemma is needed.",
        (precision_of_counts, share_shown, drawn_from_all),
        {"tp": 4, "fp": 6, "fn": 1, "tn": 39}, objective=2,
    ),
    Vote(
        "pr-larger-library",
        "A classifier finds nine tenths of the relevant items, and one irrelevant item in a hundred fools it. In your library one item in a thousand is relevant. What is the classifier's precision there?",
        by_bayes, "Of 100,000 items, 100 are relevant, and the classifier finds 90. But 999 of the 99,900 irrelevant ones fool it, so 90 of 1,089 suggestions are hits.",
        (as_on_a_balanced_test, recall_of_rates, no_better_than_blind),
        {"prevalence": Fraction(1, 1000), "recall": Fraction(9, 10), "fallout": Fraction(1, 100)}, lambda value: f"{100 * float(value):.1f}%", objective=2,
    ),
    Vote(
        "pr-beat-silence",
        "A proof needs 20 of 100 lemmas, and a tool suggests ten. At least how many of the ten must be hits for the tool to be more accurate than one that suggests nothing?",
        hits_to_beat_silence, "A hit removes one of the 20 errors of silence, and a miss adds one. So there must be more hits than misses: six hits and four misses.",
        (a_hit_at_all, more_than_blind, no_miss_at_all),
        {"N": 100, "R": 20, "k": 10}, objective=3,
    ),
    Vote(
        "pr-blind-picks",
        "A proof needs three of ten lemmas, and you pick four blindly. What is your precision, on average?",
        mean_blind_precision, "Each pick is needed with probability 3/10, whatever the number of picks.",
        (share_picked, heads_or_tails, lucky_guess),
        {"N": 10, "R": 3, "k": 4}, objective=4,
    ),
)  # fmt: skip

# Which exercises measure an objective on the chapter's card, by its number.
EXERCISES = {
    1: ["ex-by-hand", "ex-recover-the-table"],
    2: ["ex-larger-library"],
    3: ["ex-below-nothing", "ex-better-in-both", "ex-mean-accuracy", "ex-two-readers"],
    4: ["ex-cheap-recall"],
}
