"""A library as data: votes."""

from fractions import Fraction
from itertools import chain

from metrics.exact import definitions

from ..beliefs import belief
from ..votes import Saying, Vote, shuffled


@belief("an ideal tool has precision 1, whatever the goal", "What precision do ten suggestions have for a goal with two premises?")
def ideal_is_one():
    return 1


@belief("ten places hold all premises of a goal", "How many of twenty premises can be among ten suggestions?")
def without_an_end(sizes, k):
    return Fraction(sum(sizes), len(sizes) * k)


@belief("you divide by the number of premises, as recall does", "How many suggestions does P@10 divide by?")
def recall_in_its_place(sizes, k):
    return sum(Fraction(min(size, k), size) for size in sizes) / len(sizes)


def best_precision(sizes, k):
    """The mean P@k of a tool that ranks all premises of each goal first, for goals with these numbers of premises."""
    return definitions.mean([definitions.precision_at([1] * size + [0] * k, k) for size in sizes])


def citations(proofs):
    every = list(chain(*proofs))
    return [every.count(statement) for statement in range(len(proofs))]


def premise_met(proofs):
    counts = citations(proofs)
    return definitions.mean([Fraction(counts[premise]) for premise in chain(*proofs)])


@belief("you draw a statement, not a citation", "How often do you meet a statement that is not cited?", "L1")
def of_a_statement(proofs):
    return definitions.mean([Fraction(count) for count in citations(proofs)])


@belief("you count each cited statement once", "How often do you meet the first statement, and how often do you meet the second?", "L1")
def of_a_cited_statement(proofs):
    return definitions.mean([Fraction(count) for count in citations(proofs) if count])


@belief("you draw a proof first, and then one of its premises", "Does the proof with two premises count for more than another proof here?", "L1")
def proof_first(proofs):
    counts = citations(proofs)
    return definitions.mean([definitions.mean([Fraction(counts[premise]) for premise in premises]) for premises in proofs if premises])


VOTES = shuffled(
    __name__,
    Vote(
        "lib-ideal",
        "Three goals have $2$, $4$ and $20$ premises, and a tool ranks all premises of each goal before anything else. What is its mean P@10?",
        best_precision, r"The values for the three goals are $\frac{2}{10}$, $\frac{4}{10}$ and $1$, since the tool has to fill the other places with something.",
        (ideal_is_one, without_an_end, recall_in_its_place),
        {"sizes": (2, 4, 20), "k": 10}, lambda value: f"{float(value):.2f}", objective=2,
    ),
    Vote(
        "lib-met",
        "Of six statements, the first is cited by all five others, the second by one of these, and the rest by none. Draw one of the six citations. How often is the premise that you meet cited, on average?",
        premise_met, r"Five of the six citations lead to the first statement, which is cited five times, and one leads to the second, so the mean is $\frac{5 \cdot 5 + 1 \cdot 1}{6}$.",
        (of_a_statement, of_a_cited_statement, proof_first),
        {"proofs": ((), (0,), (0, 1), (0,), (0,), (0,))}, lambda value: f"{float(value):.2f}", objective=2,
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
