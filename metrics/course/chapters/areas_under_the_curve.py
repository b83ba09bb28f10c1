"""Areas under the curve: tasks and questions."""

from fractions import Fraction

from metrics.exact import definitions, heights, hit_ranks, rankings

from ..beliefs import Question, Task, belief, written
from ..votes import Saying, Vote, shuffled

TITLE = "Areas under the curve"
ap, interpolated, trapezoids = definitions.average_precision, definitions.interpolated_average_precision, definitions.trapezoidal_area


@belief("you leave the dips unfilled, as average precision does", "What happens to a height that is below a later one?")
def not_filled(relevance, n_relevant):
    return ap(relevance, n_relevant)


@belief("you fill a dip from the left, with an earlier height", "At a level of recall, which precisions can a reader still reach?")
def filled_from_the_left(relevance, n_relevant):
    steps = heights(relevance)
    return sum((max(steps[: j + 1]) for j in range(len(steps))), Fraction(0)) / n_relevant


@belief("you average over the hits in the list", "How high is the curve at levels that the list never reaches?")
def over_hits_seen(relevance):
    steps = heights(relevance)
    return sum(max(steps[j:]) for j in range(len(steps))) / Fraction(len(steps))


@belief("you take the highest precision for every level", "Is the whole curve that high?")
def highest_everywhere(relevance):
    return max(heights(relevance), default=Fraction(0))


def interpolated_average_precision(relevance, n_relevant):
    hits, steps = 0, []
    for rank, relevant in enumerate(relevance, 1):
        if relevant:
            hits += 1
            steps.append(Fraction(hits, rank))
    total = Fraction(0)
    for j in range(len(steps)):
        total += max(steps[j:])
    return total / n_relevant


TASKS = (
    Task(
        interpolated_average_precision,
        "Write the area under the *interpolated* precision: at each level of recall, the highest precision at this level or a higher one. `relevance` is a list of 0s and 1s, best first; `n_relevant` is the number of all relevant items. Levels that the list never reaches count as 0.",
        interpolated, rankings(7).with_n_relevant(unranked=2), (not_filled, filled_from_the_left, over_hits_seen, highest_everywhere), points=4,
    ),
)  # fmt: skip

DIPS = rankings(8, at_least=6).where("2 to 4 hits", lambda relevance: 2 <= sum(relevance) <= 4).with_n_relevant(unranked=1)


def said(relevance, n_relevant):
    return f"A tool returns this list (1 means relevant, best first): {written(relevance)}. In all, {n_relevant} items are relevant."


def filled(relevance):
    steps = heights(relevance)
    return " + ".join(str(max(steps[j:])) for j in range(len(steps)))


@belief("you take the boxes under the curve, as average precision does", "What kind of line joins one point to the next?")
def boxes(relevance, n_relevant):
    return ap(relevance, n_relevant)


@belief("you fill the dips, too", "What kind of line joins one point to the next?")
def filled_boxes(relevance, n_relevant):
    return interpolated(relevance, n_relevant)


@belief("you take the height at the left end of each line", "What is the mean height of a slanted line?")
def left_ends(relevance, n_relevant):
    precisions = [1, *definitions.precision_curve(relevance)]
    return sum(Fraction(precisions[k - 1]) for k in hit_ranks(relevance)) / n_relevant


@belief("the area is the mean of the precision at all ranks", "How wide is a step at a rank without a hit?")
def over_all_ranks(relevance):
    return definitions.mean(definitions.precision_curve(relevance))


@belief("the two areas are the same", "What happens to a dip?")
def equal_areas():
    return 0


@belief("you do not divide by the number of relevant items", "How wide is a step?")
def sum_of_the_gains(relevance, n_relevant):
    return n_relevant * (interpolated(relevance, n_relevant) - ap(relevance, n_relevant))


def sides(relevance):
    precisions = [1, *definitions.precision_curve(relevance)]
    return " + ".join(f"({precisions[k - 1]} + {precisions[k]})/2" for k in hit_ranks(relevance))


QUESTIONS = (
    Question(
        "interpolated-area", lambda relevance, n_relevant: f"{said(relevance, n_relevant)} What is the area under its interpolated precision?",
        DIPS, interpolated, (not_filled, over_hits_seen), lambda relevance, n_relevant: f"The sum of the heights, filled from the right, is {filled(relevance)}; divided by {n_relevant}, it is {interpolated(relevance, n_relevant)}.",
    ),
    Question(
        "trapezoidal-area", lambda relevance, n_relevant: f"{said(relevance, n_relevant)} What is the area below straight lines between the points of all ranks, starting at recall 0 with precision 1?",
        DIPS, trapezoids, (boxes, left_ends, over_all_ranks), lambda relevance, n_relevant: f"Only the steps at hits have a width: ({sides(relevance)}) / {n_relevant} = {trapezoids(relevance, n_relevant)}.", minutes=6,
    ),
    Question(
        "which-area-is-larger", lambda relevance, n_relevant: f"{said(relevance, n_relevant)} By how much is the area under the interpolated precision larger than average precision?",
        DIPS, lambda relevance, n_relevant: interpolated(relevance, n_relevant) - ap(relevance, n_relevant), (equal_areas, sum_of_the_gains),
        lambda relevance, n_relevant: f"{interpolated(relevance, n_relevant)} - {ap(relevance, n_relevant)} = {interpolated(relevance, n_relevant) - ap(relevance, n_relevant)}.", minutes=6, objective=2,
    ),
)  # fmt: skip


@belief("precision falls evenly from the first point to the second", "How many items have been read at the halfway point? What share of them are the first ten?", "A34")
def on_the_line(a, b, read, more):
    return (Fraction(a, read) + Fraction(b, more)) / 2


@belief("you take half of the lower precision", "Can precision fall below both ends?", "A34")
def half_of_the_lower(b, more):
    return Fraction(b, 2 * more)


@belief("precision stays as it was at the first point until the second is reached", "How many items have been read at the halfway point? How many of them are hits?", "A34")
def as_at_the_first_point(a, read):
    return Fraction(a, read)


VOTES = shuffled(
    __name__,
    Vote(
        "auc-through-hits",
        "In `x a y b c z` the precisions at the hits are 1/2, 1/2 and 3/5, and AP is their mean. Join the three points by straight lines that begin at $(0, 1)$. Is the area under the lines larger or smaller than AP?",
        "larger, since the anchor is higher than the last hit", r"Lines replace half of the last height with half of the anchor's. Here $1$ takes the place of $\frac35$, so the area is $\frac35$, and AP is $\frac{8}{15}$.",
        (
            Saying("larger, since lines are never lower than steps", "Compare the line from the second hit to the third with the step that is as high as the third."),
            Saying("smaller, since precision falls between two hits", "That is so for lines through the points of all ranks. Which points are joined here?"),
            Saying("equal, since lines only smooth the steps", "Each line has the mean height of its two ends. Which height of a step counts only by half now, and which height takes the other half?"),
        ),
    ),
    Vote(
        "auc-half-way",
        "Precision is 1/3 at rank 3. The item at rank 4 is a hit, so precision is 1/2 there. Imagine that this item is read bit by bit. When half of it has been read, and counts as half a hit, where is the precision?",
        r"above the midpoint of $\frac13$ and $\frac12$", r"There are one and a half hits among three and a half items. Their ratio is $\frac37$, and the midpoint is $\frac{5}{12}$.",
        (
            Saying("at the midpoint", "That is where a straight line is. Halfway, how many hits are there among how many items?"),
            Saying("below the midpoint", "Half of a hit counts in a list that is shorter than four items. Does that help or hurt?"),
            Saying(r"at $\frac12$, as at the hit", "Halfway, has all of the fourth item been read?"),
        ),
    ),
    Vote(
        "auc-which-is-lifted",
        "Which of these full rankings has an interpolated area larger than its AP?",
        "[0, 1, 1]", r"Precision rises from $\frac12$ at its first hit to $\frac23$ at its second, so its first step is lifted to $\frac23$.",
        (
            Saying("[0, 1]", "It has a single hit. Is there a better one further down that could lift its step?"),
            Saying("[1, 0, 1]", "There is a dip between its two hits, but compare the precisions at the hits themselves: 1 and 2/3."),
            Saying("[1, 1, 0]", "What is the precision at its two hits? Nothing can be higher."),
        ),
        objective=2,
    ),
    Vote(
        "auc-distant-points",
        "A tool has ten hits among its first ten items, and a thousand among its first ten thousand. Between these two points the counts change evenly. What is the precision halfway?",
        lambda a, b, read, more: Fraction(a + b, read + more), "Halfway, there are 505 hits among 5,005 items, so the long list has nearly all the weight. A straight line would give 0.55.",
        (on_the_line, half_of_the_lower, as_at_the_first_point),
        {"a": 10, "b": 1000, "read": 10, "more": 10_000}, lambda value: f"{float(value):.2f}", objective=4,
    ),
)  # fmt: skip

# Which exercises measure an objective on the chapter's card, by its number.
EXERCISES = {
    1: ["ex-hundred-and-one", "ex-number-from-1995"],
    2: ["ex-same-envelope"],
    3: ["ex-six-by-hand"],
    4: ["ex-two-thresholds"],
    5: ["ex-balanced"],
}
