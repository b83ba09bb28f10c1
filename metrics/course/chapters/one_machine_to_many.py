"""From one machine to many: votes."""

from fractions import Fraction

from ..beliefs import belief
from ..votes import Saying, Vote, shuffled


@belief("the largest and the smallest block decide", "Does the block between them count for nothing?", "W1")
def by_the_extremes(sizes, means):
    two = sorted(zip(sizes, means))
    (n, x), (m, y) = two[0], two[-1]
    return Fraction(x + y, 2) - Fraction(n * x + m * y, n + m)


VOTES = shuffled(
    __name__,
    Vote(
        "many-off",
        "Each of several machines reports the mean of its goals. The fewer goals a machine has, the higher its mean. How does the mean of these means compare with the mean of all goals?",
        "it is higher", "In the mean of means each machine counts the same, so the small blocks, which have the high means, count for more than their goals do.",
        (
            Saying("it is lower", "Which blocks count for more than their goals do, the small or the large ones?"),
            Saying("it is the same, since errors of small and large blocks cancel", "Take one goal with the value 1, and two with 0. What are the two means?"),
            Saying("it depends on the number of machines", "Try two machines, and then three. Which blocks count for too much?"),
        ),
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
        "The same 1,001 values of AP are cut into one to sixty-four blocks, and the sums of the blocks are added as floats. How many different means result?",
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
        "One process works for $100$ seconds. With Dask, each of ten processes takes $2$ seconds to start, all at once, and the total work grows by a tenth. What happens to your wait if you take twenty processes?",
        "it falls to more than half", "It falls from $2 + 11 = 13$ seconds to $2 + 5.5 = 7.5$. Each process needs its own time to start, however many there are.",
        (
            Saying("it falls to half", "The work is shared by twice as many. What is not shared?"),
            Saying("it falls to less than half", "The total work is the same. Which part of the wait could fall by more than half?"),
            Saying("it grows, since twenty processes must start", "They start all at once. How long does that take?"),
        ),
        objective=5,
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
