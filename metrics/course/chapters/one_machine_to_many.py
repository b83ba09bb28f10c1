"""From one machine to many: votes."""

from fractions import Fraction

from metrics.exact import definitions

from ..beliefs import belief
from ..votes import Saying, Vote, shuffled


@belief("the largest and the smallest block decide", "Does the block between them count for nothing?", "W1")
def by_the_extremes(sizes, means):
    two = sorted(zip(sizes, means))
    (n, x), (m, y) = two[0], two[-1]
    return Fraction(x + y, 2) - Fraction(n * x + m * y, n + m)


@belief("the errors of large and small blocks cancel", "Which blocks are the good ones here, the large or the small ones?", "W1")
def nothing_off():
    return 0


@belief("you take the mean of all minus the mean of the means", "Which of the two is larger?", "W1")
def the_other_way(sizes, means):
    return -too_high(sizes, means)


def too_high(sizes, means):
    """The mean of means minus the mean of all values."""
    of_all = Fraction(sum(n * m for n, m in zip(sizes, means)), sum(sizes))
    return definitions.mean([Fraction(mean) for mean in means]) - of_all


@belief("all of the work is shared, and sharing costs nothing", "What does a process do before it works?")
def all_is_shared(work, processes):
    return Fraction(work, processes)


@belief("the start is shared like the work", "Can one process start for another?")
def start_is_shared(start, work, processes):
    return (start + work * Fraction(11, 10)) / processes


@belief("there is no more work than before", "Blocks travel, and each task must be scheduled. How much work did that add?")
def no_more_work(start, work, processes):
    return start + Fraction(work, processes)


def wait(start, work, processes):
    return start + work * Fraction(11, 10) / processes


VOTES = shuffled(
    __name__,
    Vote(
        "many-off",
        "Three machines hold $1$, $2$ and $3$ goals, with the means $100$, $40$ and $40$. By how much does the mean of the three means exceed the mean of all six goals?",
        too_high, r"The mean of the means is $60$, and the mean of all goals is $\frac{100 + 80 + 120}{6} = 50$. The smallest block is the best, and it speaks as loudly as the others.",
        (by_the_extremes, nothing_off, the_other_way),
        {"sizes": (1, 2, 3), "means": (100, 40, 40)}, lambda value: f"{value}".replace("-", "−"), objective=1,
    ),
    Vote(
        "many-merges",
        "Each machine may send a few numbers, however many goals it has. Which of these is enough to compute the value over all goals, whatever values above 0 the goals have?",
        "sums of logarithms and counts, for the geometric mean",
        "Both can be added up, and the exponential of their quotient is the geometric mean of all goals.",
        (
            Saying("medians and counts, for the median", "The blocks `[4, 5, 6]` and `[1, 5, 9]` send the same numbers. Merge each of them with `[7, 8, 9]`."),
            Saying("geometric means, for the geometric mean", "How much does a block of one goal count then?"),
            Saying("standard deviations and counts, for the standard deviation", "First let one machine hold only ones and the other only twos, then let both hold only ones. Do they send anything different?"),
        ),
        objective=2,
    ),
    Vote(
        "many-floats",
        "The same 1001 values of AP are cut into one to sixty-four blocks, and the sums of the blocks are added as floats. How many different means result?",
        "several, which differ in the last digits",
        "Each addition rounds, and what it rounds away depends on what was added before.",
        (
            Saying("one: addition is associative", "On paper it is. What does Python say to `(0.1 + 0.2) + 0.3 == 0.1 + (0.2 + 0.3)`?"),
            Saying("one: sixteen digits are enough", "They are enough for any reader. But is each of the 64 sums rounded in the same way?"),
            Saying("several, which differ in the third digit", "An addition rounds in the sixteenth digit or so. How many additions are there?"),
        ),
        objective=3,
    ),
    Vote(
        "many-wait",
        "One process works for $100$ seconds. With Dask, each of ten processes takes $2$ seconds to start, all at once, and the total work grows by a tenth. How many seconds do you wait?",
        wait, r"You wait for one start and a tenth of $110$ seconds. However many processes there are, you wait for the start.",
        (all_is_shared, start_is_shared, no_more_work),
        {"start": 2, "work": 100, "processes": 10}, lambda value: f"{float(value):.1f}", objective=5,
    ),
)  # fmt: skip

# Which exercises measure an objective on the chapter's card, by its number.
EXERCISES = {
    1: ["ex-three-machines"],
    2: ["ex-median-p100", "ex-micro-two", "ex-fifty-dashboards"],
    3: ["ex-project-parts"],
    4: ["ex-how-many-processes"],
    5: ["ex-project-parts"],
}
