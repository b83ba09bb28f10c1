"""Areas under the curve: tasks and questions."""

from fractions import Fraction

from metrics.exact import definitions, heights, hit_ranks, rankings

from ..beliefs import Question, Task, belief, written

TITLE = "Areas under the curve"
ap, interpolated, trapezoids = definitions.average_precision, definitions.interpolated_average_precision, definitions.trapezoidal_area


@belief("you do not fill the dips: that is average precision", "What becomes of a height that is below a later one?")
def not_filled(relevance, n_relevant):
    return ap(relevance, n_relevant)


@belief("you fill a dip from the left, by what stood before", "At a level of recall, which precisions can a reader still reach?")
def filled_from_the_left(relevance, n_relevant):
    steps = heights(relevance)
    return sum((max(steps[: j + 1]) for j in range(len(steps))), Fraction(0)) / n_relevant


@belief("you average over the hits in the list", "With which height do the levels count that the list never reaches?")
def over_hits_seen(relevance):
    steps = heights(relevance)
    return sum(max(steps[j:]) for j in range(len(steps))) / Fraction(len(steps))


@belief("you take the highest precision for every level", "Is the whole curve so high?")
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
        "Write the area under the *interpolated* precision: at each level of recall, the highest precision at this level or a higher one. `relevance` is a list of 0s and 1s, the best first; `n_relevant` is the number of all relevant items. Levels that the list never reaches count 0.",
        interpolated, rankings(7).with_n_relevant(unranked=2), (not_filled, filled_from_the_left, over_hits_seen, highest_everywhere), points=4,
    ),
)  # fmt: skip

DIPS = rankings(8, at_least=6).where("2 to 4 hits", lambda relevance: 2 <= sum(relevance) <= 4).with_n_relevant(unranked=1)


def said(relevance, n_relevant):
    return f"A tool returns this list (1 is relevant, the best first): {written(relevance)}. In all, {n_relevant} items are relevant."


def filled(relevance):
    steps = heights(relevance)
    return " + ".join(str(max(steps[j:])) for j in range(len(steps)))


@belief("you take the boxes under the curve: that is average precision", "Which line goes from one point to the next?")
def boxes(relevance, n_relevant):
    return ap(relevance, n_relevant)


@belief("you fill the dips, too", "Which line goes from one point to the next?")
def filled_boxes(relevance, n_relevant):
    return interpolated(relevance, n_relevant)


@belief("you take the height at the left end of each line", "What is the mean height of a slanted line?")
def left_ends(relevance, n_relevant):
    precisions = [1, *definitions.precision_curve(relevance)]
    return sum(Fraction(precisions[k - 1]) for k in hit_ranks(relevance)) / n_relevant


@belief("the mean of the precision at all ranks is the area", "How wide is a step at a rank without a hit?")
def over_all_ranks(relevance):
    return definitions.mean(definitions.precision_curve(relevance))


@belief("both are the same area", "What becomes of a dip?")
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
        DIPS, interpolated, (not_filled, over_hits_seen), lambda relevance, n_relevant: f"The heights, filled from the right, are {filled(relevance)}, over {n_relevant}: {interpolated(relevance, n_relevant)}.",
    ),
    Question(
        "trapezoidal-area", lambda relevance, n_relevant: f"{said(relevance, n_relevant)} What is the area below straight lines between the points of all ranks, from recall 0 with precision 1 on?",
        DIPS, trapezoids, (boxes, left_ends, over_all_ranks), lambda relevance, n_relevant: f"Only the steps at hits have a width: ({sides(relevance)}) / {n_relevant} = {trapezoids(relevance, n_relevant)}.", minutes=6,
    ),
    Question(
        "which-area-is-larger", lambda relevance, n_relevant: f"{said(relevance, n_relevant)} By how much is the area under the interpolated precision larger than average precision?",
        DIPS, lambda relevance, n_relevant: interpolated(relevance, n_relevant) - ap(relevance, n_relevant), (equal_areas, sum_of_the_gains),
        lambda relevance, n_relevant: f"{interpolated(relevance, n_relevant)} - {ap(relevance, n_relevant)} = {interpolated(relevance, n_relevant) - ap(relevance, n_relevant)}.", minutes=6, objective=2,
    ),
)  # fmt: skip

VOTES = ()
