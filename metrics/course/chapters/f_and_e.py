"""F and E: tasks and questions."""

from fractions import Fraction
from math import sqrt

from metrics.exact import confusion_tables, definitions, grid

from ..beliefs import Question, Task, belief
from ..votes import Saying, Vote, shuffled

TITLE = "F and E"


@belief("you take the plain mean of precision and recall", "What should F be when recall is nearly 0?")
def plain_mean(tp, fp, fn):
    return (Fraction(tp, tp + fp) + Fraction(tp, tp + fn)) / 2


@belief("you count the hits only once, as Jaccard does", "How many times does the harmonic mean count each hit?")
def jaccard(tp, fp, fn):
    return Fraction(tp, tp + fp + fn)


@belief("you multiply precision and recall", "What do you get if both are 1/2, and what should you get?")
def product(tp, fp, fn):
    return Fraction(tp, tp + fp) * Fraction(tp, tp + fn)


@belief("you take the smaller of precision and recall", "Does the larger one count for nothing?")
def smaller(tp, fp, fn):
    return min(Fraction(tp, tp + fp), Fraction(tp, tp + fn))


def f_score(tp, fp, fn):
    return Fraction(2 * tp, 2 * tp + fp + fn)


@belief("beta is not squared", "How does beta enter the formula if recall is beta times as important as precision?")
def beta_not_squared(tp, fp, fn, beta):
    return Fraction((1 + beta) * tp, (1 + beta) * tp + beta * fn + fp)


@belief("beta weighs the items returned in vain", "A large beta is for a reader who hates to miss something. Which count does that reader care about?")
def beta_at_fp(tp, fp, fn, beta):
    return Fraction((1 + beta**2) * tp, (1 + beta**2) * tp + fn + beta**2 * fp)


@belief("F is the same for each beta", "What does beta say about the reader?")
def without_beta(tp, fp, fn):
    return Fraction(2 * tp, 2 * tp + fp + fn)


def f_beta(tp, fp, fn, beta):
    return Fraction((1 + beta**2) * tp, (1 + beta**2) * tp + beta**2 * fn + fp)


def by_means(tp, fp, fn, beta=1):
    """F from precision and recall, as their weighted harmonic mean."""
    p, r = definitions.precision(tp, fp), definitions.recall(tp, fn)
    return definitions.weighted_harmonic_mean(p, r, Fraction(1, 1 + beta**2))


FOUND = confusion_tables(9).where("a hit and tn = 0", lambda tp, tn: tp and not tn)
TASKS = (
    Task(
        f_score, "Write F, the harmonic mean of precision and recall, from the counts: `tp` hits (at least one), `fp` items returned in vain and `fn` items missed.",
        by_means, FOUND, (plain_mean, jaccard, product, smaller),
    ),
    Task(
        f_beta, "Write F for a reader to whom recall is `beta` times as important as precision, from the same counts.",
        by_means, FOUND.with_each("beta 1, 2, 3", "beta", (1, 2, 3)), (beta_not_squared, beta_at_fp, without_beta),
    ),
)  # fmt: skip

COUNTS = grid("counts", tp=range(1, 7), fp=range(1, 8), fn=range(2, 8)).where("fp and fn differ", lambda fp, fn: fp != fn)


def said(tp, fp, fn):
    return f"A tool returns {tp + fp} items, {tp} of them relevant; {fn} other relevant items are missing."


@belief("F is the mean of Jaccard and 1", "Try a Jaccard index of 0.")
def halfway(tp, fp, fn):
    return (1 + jaccard(tp, fp, fn)) / 2


@belief("F and Jaccard are the same", "How many times does each count the hits?")
def the_same(tp, fp, fn):
    return jaccard(tp, fp, fn)


@belief("F is twice Jaccard", "Can F be above 1?")
def twice(tp, fp, fn):
    return 2 * jaccard(tp, fp, fn)


QUESTIONS = (
    Question(
        "f-by-hand", lambda tp, fp, fn: f"{said(tp, fp, fn)} What is F (with beta = 1)?",
        COUNTS, definitions.f_score, (plain_mean, jaccard, product),
        lambda tp, fp, fn: f"F = 2 · {tp} / (2 · {tp} + {fp} + {fn}) = {definitions.f_score(tp, fp, fn)}.",
    ),
    Question(
        "f-two", lambda tp, fp, fn, beta: f"{said(tp, fp, fn)} To the reader, recall is {beta} times as important as precision. What is F?",
        COUNTS.with_each("beta 2 or 3", "beta", (2, 3)), definitions.f_score, (beta_not_squared, beta_at_fp, without_beta),
        lambda tp, fp, fn, beta: f"F = {1 + beta**2} · {tp} / ({1 + beta**2} · {tp} + {beta**2} · {fn} + {fp}) = {definitions.f_score(tp, fp, fn, beta)}.",
    ),
    Question(
        "f-from-jaccard", lambda tp, fp, fn: f"The Jaccard index of two sets is {jaccard(tp, fp, fn)}. What is F (with beta = 1)?",
        COUNTS, definitions.f_score, (halfway, the_same, twice),
        lambda tp, fp, fn: f"F = 2 J / (1 + J), with J = {jaccard(tp, fp, fn)}: F = {2 * jaccard(tp, fp, fn) / (1 + jaccard(tp, fp, fn))}.", objective=4,
    ),
)  # fmt: skip


def balanced_beta(p, r):
    """The beta at which a little more precision is worth as much as a little more recall: the weight solves alpha r² = (1 - alpha) p²."""
    alpha = p**2 / (p**2 + r**2)
    return sqrt((1 - alpha) / alpha)


@belief("you divide precision by recall", "Her recall is twice her precision, and a little more of either is worth the same to her. Which of the two does she value more?", "B7")
def precision_over_recall(p, r):
    return p / r


@belief("you give recall twice the weight of precision in the formula", "That is a statement about the formula. She spoke of two small gains, at a point that she named.", "B7")
def twice_in_the_formula(p, r):
    return sqrt(r / p)


@belief("you square once too often", "The square of beta is a weight in the formula. What is beta itself?", "B7")
def squared_again(p, r):
    return (r / p) ** 2


VOTES = shuffled(
    __name__,
    Vote(
        "f-of-everything",
        "A tool suggests a whole library, so its recall is $1$; its precision is $0.003$. Which of their three means, the arithmetic, the geometric and the harmonic one, are less than $0.01$?",
        "the harmonic mean alone", "The arithmetic mean is $0.50$, the geometric mean is $0.055$, and the harmonic mean is $0.006$. It is less than twice the smaller value, however large the other one is.",
        (
            Saying("the geometric mean and the harmonic mean", "The geometric mean is the root of the product. Is the root of $0.003$ smaller or larger than $0.003$?"),
            Saying("all three", "The arithmetic mean contains half of the recall. How large is that half?"),
            Saying("none of them", "The harmonic mean adds up the reciprocals. How large is the reciprocal of $0.003$, and how much does that of $1$ add to it?"),
        ),
    ),
    Vote(
        "f-which-to-double",
        "Precision is $0.1$ and recall is $0.5$. You can double one of the two. Which one do you double, if you want F to rise most?",
        "precision, the smaller one", r"F was $\frac16$. It is $\frac27$ with twice the precision, and $\frac{2}{11}$ with twice the recall: even with all relevant items found, F is less than twice the precision.",
        (
            Saying("recall, the larger one", "Twice the recall is 1. Is F then nearer to recall, or to precision?"),
            Saying("either, since F treats the two alike", "F is the same if the two exchange their values. Do both values count as much when one is small?"),
            Saying("it depends on the sizes of the sets", "Write F in terms of precision and recall. Is anything else in the formula?"),
        ),
        objective=2,
    ),
    Vote(
        "f-whose-beta",
        "A reader says: “At precision 0.3 and recall 0.6 a little more of either is worth the same to me.” What is her $\\beta$?",
        balanced_beta, "The two gains are worth the same where recall is $\\beta$ times precision, and at her point it is twice precision. In the formula, recall then has $\\beta^2$ times, or four times, the weight of precision.",
        (precision_over_recall, twice_in_the_formula, squared_again),
        {"p": Fraction(3, 10), "r": Fraction(6, 10)}, lambda value: f"{float(value):.3g}", objective=3,
    ),
    Vote(
        "f-two-means",
        "On two goals the first tool has F values of 1 and 0, and the second has 0.55 and 0.55, so the second has the larger mean F. Which tool has the larger mean Jaccard index?",
        "the first", "An F of 0.55 corresponds to a Jaccard index of 0.38, while 1 and 0 do not change, so the means are 0.5 and 0.38.",
        (
            Saying("the second", "Jaccard orders two predictions for one goal as F does, but it does not keep the distances. Which of the values 0, 0.55 and 1 change?"),
            Saying("it depends on the sets", "The Jaccard index of a goal is a function of its F (see the theorem)."),
        ),
        objective=4,
    ),
)  # fmt: skip

# Which exercises measure an objective on the chapter's card, by its number.
EXERCISES = {
    1: ["ex-f-by-hand"],
    2: ["ex-lower-bound"],
    3: ["ex-choose-beta", "ex-price-of-a-link"],
    4: ["ex-three-sets"],
    5: ["ex-stop-early", "ex-project-sets"],
}
