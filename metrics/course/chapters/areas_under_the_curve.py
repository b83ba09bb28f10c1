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


def from_hit_to_hit(relevance, anchor=1):
    """The area of the trapezoids from hit to hit, beginning at an anchor of this height."""
    ends = [Fraction(anchor), *heights(relevance)]
    return sum((left + right) / 2 for left, right in zip(ends, ends[1:])) / (len(ends) - 1)


@belief("you take each step at the height of its right end", "The first line falls from 1 to 1/2. How high is it in the middle?", "A15")
def steps_of_the_hits(relevance):
    return ap(relevance, sum(relevance))


@belief("you join the points of all ranks", "Which points does the question join?", "A16")
def through_all_points(relevance):
    return trapezoids(relevance, sum(relevance))


@belief("your lines begin at (0, 0)", "How high is the anchor in the question?", "A15")
def from_an_anchor_of_0(relevance):
    return from_hit_to_hit(relevance, anchor=0)


def half_way(h, c):
    """The precision when half of the next hit counts, with h hits and c other items above it."""
    return (h + Fraction(1, 2)) / (h + Fraction(1, 2) + c)


@belief("you take the mean of the two precisions, as a straight line does", "Halfway, how many hits are there among how many items?", "A16")
def mean_of_both_ends(h, c):
    return (Fraction(h, h + c) + Fraction(h + 1, h + 1 + c)) / 2


@belief("precision is as high all along the step as at the hit", "Halfway along the step, has all of the fourth item been read?", "A16")
def as_at_the_hit(h, c):
    return Fraction(h + 1, h + 1 + c)


@belief("you count half of the hit, but all of the item", "Half of an item has been read. How many items does that make altogether?", "A16")
def half_a_hit_in_a_whole_item(h, c):
    return (h + Fraction(1, 2)) / (h + 1 + c)


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
        "In `x a y b c z` the precisions at the hits are 1/2, 2/4 and 3/5. Join only these three points by straight lines, and begin at $(0, 1)$. How large is the area under the lines?",
        from_hit_to_hit, r"The three parts have mean heights $\frac34$, $\frac12$ and $\frac{11}{20}$. The area is larger than AP, because the first line begins at a height that nobody measured.",
        (steps_of_the_hits, through_all_points, from_an_anchor_of_0),
        {"relevance": (0, 1, 0, 1, 1, 0)},
    ),
    Vote(
        "auc-half-way",
        "At rank 3 of a list, the precision is 1/3, and the item at rank 4 is a hit. Imagine that this item is read bit by bit. When half of it has been read, and counts as half a hit, what is the precision?",
        half_way, r"There are one and a half hits among three and a half items. Their ratio is a little more than $\frac{5}{12}$, the mean of $\frac13$ and $\frac24$.",
        (mean_of_both_ends, as_at_the_hit, half_a_hit_in_a_whole_item),
        {"h": 1, "c": 2},
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
