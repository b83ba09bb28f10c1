"""A library as data: votes."""

from fractions import Fraction
from itertools import chain

from metrics.exact import definitions

from ..beliefs import belief
from ..votes import Saying, Vote, shuffled


def citations(proofs):
    every = list(chain(*proofs))
    return [every.count(statement) for statement in range(len(proofs))]


@belief("you draw a proof first, and then one of its premises", "Does the proof with two premises count for more than another proof here?", "L1")
def proof_first(proofs):
    counts = citations(proofs)
    return definitions.mean([definitions.mean([Fraction(counts[premise]) for premise in premises]) for premises in proofs if premises])


VOTES = shuffled(
    __name__,
    Vote(
        "lib-ideal",
        "Three goals have $2$, $4$ and $20$ premises, and a tool ranks all premises of each goal before anything else. For which goal is its P@10 highest?",
        "the goal with 20 premises", r"The values are $\frac{2}{10}$, $\frac{4}{10}$ and $1$, since with few premises the tool has to fill the other places with something.",
        (
            Saying("the goal with 2 premises, since it is easiest", "How many of the ten suggestions can be hits there?"),
            Saying("all three alike, since the tool is perfect", "What precision do ten suggestions have for a goal with two premises?"),
            Saying("the goal with 4 premises, since 20 do not fit into ten", "P@10 divides by ten. Must all premises be among the ten?"),
        ),
        objective=2,
    ),
    Vote(
        "lib-met",
        "Of six statements, the first is cited by all five others, the second by one of these, and the rest by none. Draw one of the six citations. How often is the premise that you meet cited, on average?",
        "more than 3 times", r"Five of the six citations lead to the first statement, which is cited five times, and one leads to the second. So the mean is $\frac{5 \cdot 5 + 1 \cdot 1}{6} \approx 4.33$.",
        (
            Saying("3 times, as the two cited statements are on average", "How often do you meet the first of these two, and how often the second?"),
            Saying("once, as a statement is on average", "How often do you meet a statement that is not cited?"),
            Saying("less than once, since most are not cited", "Can a citation lead to a statement that is not cited?"),
        ),
        objective=2,
    ),
    Vote(
        "lib-cut-off",
        "The fit to all cited statements gives $s = 1.78$. If their counts follow a power law, what $s$ do you expect if you fit only those that are cited ten times or more?",
        "about 1.78 again", "A power law looks the same wherever you start. So a different slope there says that the counts do not follow a power law.",
        (
            Saying("more, because these are the popular ones", "The slope does not depend on the scale of the counts. What does the plot lose if you cut off its right end?"),
            Saying("less, because the long tail is gone", "A straight line is just as steep without its right end."),
            Saying("about 1, by Zipf's law", "Zipf's law has that slope for all counts. Can a straight line change its slope?"),
        ),
        objective=3,
    ),
    Vote(
        "lib-dealt",
        "In the order of the file, recency has a mean AP of $0.11$, and popularity has $0.07$. Now deal the library anew: again and again, write down at random one of the statements whose premises have all been written down. What happens to the two predictors?",
        "recency falls below popularity, which hardly changes",
        "Unlike authors, chance does not put a lemma just before the theorem that needs it. But what many proofs need is cited often in any order.",
        (
            Saying("neither changes much, because no proof has changed", "Recency reads no proof, only the order. What is directly before the goal now?"),
            Saying("both fall to the level of chance", "Popularity counts citations. Does a statement that hundreds of proofs need lose many of its citations?"),
            Saying("both fall, and recency stays ahead", "How often does chance put a premise directly before the goal, if thousands of statements could be there?"),
        ),
        objective=4,
    ),
)  # fmt: skip

# Which exercises measure an objective on the chapter's card, by its number.
EXERCISES = {
    1: ["ex-read-a-proof"],
    2: ["ex-diagonal", "ex-below-the-mean"],
    3: ["ex-fit-by-hand"],
    4: ["ex-count-orders", "ex-order-of-the-file"],
}
