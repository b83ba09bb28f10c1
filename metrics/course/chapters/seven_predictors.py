"""Seven predictors: votes."""

from fractions import Fraction

from ..beliefs import belief
from ..votes import Saying, Vote, shuffled


@belief("first place in one list is worth first place in both", "Add up what each of the two statements gets.")
def first_in_both():
    return 1


@belief("first place in one list is worth second place in both, whatever is added to a rank", "That would be so without the constant. What is added to the rank of the first statement?")
def without_the_constant():
    return 2


@belief("you add no constant to the rank that you look for", "The constant is added to both ranks of that statement, too.")
def none_on_the_other_side(c):
    return 2 * c + 2


def worth_the_same(c):
    """The rank in both lists that is worth as much as first place in one list and no place in the other, found by trying the ranks in turn."""
    return next(rank for rank in range(1, 10 * c) if Fraction(2, c + rank) == Fraction(1, c + 1))


@belief("the share among the users is all that counts", "How often would you see the symbol with a statement picked at random?", "P2")
def the_share(t, s):
    return Fraction(s, t)


@belief("you divide the share among all statements by that among the users", "Is a symbol that is more common among a statement's users evidence for the statement or against it?", "P2")
def upside_down(t, s, q):
    return q * t / s


@belief("you count the users with the symbol, and forget how many users there are", "Is three of four the same as three of a hundred?", "P2")
def users_over_the_share(s, q):
    return s / q


def lift(t, s, q):
    return Fraction(s, t) / q


VOTES = shuffled(
    __name__,
    Vote(
        "seven-fast-fade",
        "Each proof votes for what it cites. Let votes fade fast: the proof at distance $d$ before the goal votes with weight $1/2^d$. Which statement comes first?",
        "one that the proof just before the goal cites", r"If that proof cites anything, its vote of $\frac12$ is worth more than all older ones together.",
        (
            Saying("the one just before the goal", "That is what recency suggests. But which proofs vote for a statement: its own, or those that cite it?"),
            Saying("the most cited one", "That one wins where votes hardly fade. How much are a hundred votes from far away worth here?"),
            Saying("the one that the last ten proofs cite most", "The newest of these ten votes is worth more than the other nine together."),
        ),
        objective=3,
    ),
    Vote(
        "seven-lift",
        "A statement was used by four proofs, three of which had the symbol `NN` in what they prove. A quarter of all statements have this symbol. How many times as common is the symbol among the users as among all statements?",
        lift, r"It is $\frac34$ divided by $\frac14$. Where the goal has `NN`, that speaks for the statement.",
        (the_share, upside_down, users_over_the_share),
        {"t": 4, "s": 3, "q": Fraction(1, 4)}, lambda value: f"{float(value):.2f}", objective=1,
    ),
    Vote(
        "seven-fused",
        r"Fusion gives a statement at ranks $r$ and $s$ the score $\frac{1}{20 + r} + \frac{1}{20 + s}$. One statement is first in one list and gets next to nothing from the other. What rank in both lists is worth as much?",
        worth_the_same, r"$\frac{2}{20 + r} = \frac{1}{21}$ gives $r = 22$.",
        (first_in_both, without_the_constant, none_on_the_other_side),
        {"c": 20}, objective=3,
    ),
    Vote(
        "seven-leak",
        "A predictor ranks the statements before the goal by how often the whole library cites them. You delete the goal's proof and all that comes later, and rank again. What do you see?",
        "a different ranking: the predictor has looked at the future", "Some of the citations that it counted were in later proofs, and these are gone now. So the test finds the leak.",
        (
            Saying("the same ranking: later proofs only add to it", "What they added is gone now. Was it the same for each statement?"),
            Saying("the same ranking: it suggests nothing later", "It suggests only what is there. But which proofs do its counts come from?"),
            Saying("nothing: such a leak does not show in a ranking", "If the predictor did not look at what is deleted, no ranking changes. And if it did?"),
        ),
        objective=2,
    ),
)  # fmt: skip

# Which exercises measure an objective on the chapter's card, by its number.
EXERCISES = {1: ["ex-fair-baseline"], 2: ["ex-quiet-leak"], 3: ["ex-halves", "ex-one-sure-list"], 4: ["ex-faster"]}
