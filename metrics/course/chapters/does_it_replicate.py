"""Does it replicate?: votes."""

from fractions import Fraction

from ..beliefs import belief
from ..votes import Saying, Vote, shuffled


def overall(shares, means):
    return sum(share * mean for share, mean in zip(shares, means))


def of_the_mix(shares, means, new_shares, new_means):
    """The part of the change of a mean that is due to the mix: for each group, the change of its share times the midpoint of its two means, summed."""
    return sum((v - w) * (x + y) / 2 for w, x, v, y in zip(shares, means, new_shares, new_means))


@belief("you take the means of the first library for the mix part", "And if you start from the second library?", "U1")
def by_the_first(shares, means, new_shares):
    return overall(new_shares, means) - overall(shares, means)


@belief("you take the means of the second library for the mix part", "And if you start from the first library?", "U1")
def by_the_second(shares, new_shares, new_means):
    return overall(new_shares, new_means) - overall(shares, new_means)


@belief("all of the change is mix", "On long proofs the tool does worse in the second library. Does that have anything to do with shares?", "U1")
def all_of_it(shares, means, new_shares, new_means):
    return overall(new_shares, new_means) - overall(shares, means)


@belief("the second collection agrees whenever it is right", "What if the first is the one that is wrong?", "U2")
def as_one(a):
    return a


VOTES = shuffled(
    __name__,
    Vote(
        "again-zero",
        "You predict that a second library will show no difference between two tools, and find an interval from $-0.20$ to $0.15$, which contains $0$. Has your prediction been tested?",
        "hardly: a small sample would nearly always give such an interval",
        "An interval that is wide enough contains $0$ whatever is true. Name a margin beforehand, and ask whether the whole interval lies within it.",
        (
            Saying("yes, and it has held", "What would you have found with ten goals, if the tools did differ?"),
            Saying("yes, and it has failed", "It contains $0$, so what you predicted did happen. But could it have failed?"),
            Saying("no, a zero cannot be predicted", "You can predict that a difference is smaller than a margin. Which interval would speak against that?"),
        ),
        objective=4,
    ),
    Vote(
        "again-cannot-fail",
        "Before you look at a second library, you predict some signs in it. Which of these predictions cannot fail, whatever the library is like?",
        "the first 100 suggestions find no fewer premises than the first 10",
        "The first 100 contain the first 10. Such a prediction says that the program works, but says no more about the library than a theorem does.",
        (
            Saying("recency leads popularity on short proofs, by AP", "That depends on authors who put a lemma just before its theorem. What if they do not?"),
            Saying("popularity leads recency by AUC", "That is so where old statements stay in use. Think of a library that stops using them."),
            Saying("k-NN leads recency by AP", "k-NN finds more wherever goals that look alike are proved alike. Does a theorem promise that?"),
        ),
    ),
    Vote(
        "again-mix",
        "Three quarters of the goals have short proofs in the first library, and one quarter in the second. On short proofs a tool leads by $4$ in both libraries; on long ones it is behind by $2$ in the first and by $6$ in the second. So its mean lead falls by $6$. How much of this fall is due to the mix, if both libraries are treated alike?",
        of_the_mix, r"The shares change by one half, and the midpoints between the means of the two libraries are $4$ and $-4$, so the mix part is $-\frac12 \cdot 4 + \frac12 \cdot (-4) = -4$. The other $-2$ comes from the long proofs, on which the tool does worse.",
        (by_the_first, by_the_second, all_of_it),
        {"shares": (Fraction(3, 4), Fraction(1, 4)), "means": (4, -2), "new_shares": (Fraction(1, 4), Fraction(3, 4)), "new_means": (4, -6)}, lambda value: f"{-value}", objective=2,
    ),
    Vote(
        "again-agree",
        "Each of two independent collections shows the right sign of a real difference with probability $0.9$. How often do they agree?",
        "less often than 0.9", "Both are right with probability $0.81$, and both are wrong with probability $0.01$. So they agree with probability $0.82$, although the difference is real.",
        (
            Saying("more often than 0.9, since two are safer than one", "How often are both right?"),
            Saying("with probability 0.9, as each is right", "What if the first is the one that is wrong?"),
            Saying("it depends on the size of the difference", "The size is already in the $0.9$. In which two cases do they agree?"),
        ),
        objective=4,
    ),
)  # fmt: skip

# Which exercises measure an objective on the chapter's card, by its number.
EXERCISES = {1: ["ex-project-library"], 2: ["ex-two-mixes"], 3: ["ex-no-mix", "ex-what-to-report"], 4: ["ex-all-ten"]}
