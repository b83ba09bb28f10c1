"""Seven predictors: votes."""


from ..votes import Saying, Vote, shuffled

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
        "Three of the four users of a statement have the symbol `NN` in what they prove, and so do nine tenths of all statements. The goal has `NN`. What does this say about the statement?",
        "it speaks against the statement", r"The symbol is rarer among its users than among all statements: $\frac34$ divided by $\frac{9}{10}$ is less than $1$.",
        (
            Saying("it speaks for the statement", "Three of four is a large share. How often would you see the symbol with a statement picked at random?"),
            Saying("it says nothing, since nearly all statements have `NN`", "It would say nothing if the two shares were equal. Are they?"),
            Saying("it says nothing, since the statement has only four users", "With four users the evidence is weak. But which way does it point?"),
        ),
    ),
    Vote(
        "seven-fused",
        r"Fusion gives a statement at ranks $r$ and $s$ the score $\frac{1}{c + r} + \frac{1}{c + s}$. Which statements gain on the others if you make $c$ larger?",
        "those that both lists rank fairly high", "With $c = 0$, first place in one list is worth as much as second place in both. With $c = 20$, it is worth as much as rank $22$ in both.",
        (
            Saying("those that one list ranks first", "Let $c$ be 0, and then 100. How much more is rank 1 worth than rank 10?"),
            Saying("those at the end of both lists, whose scores fall least", "Can a statement that is behind another in both lists ever have the larger sum?"),
            Saying("none, since the same constant is added to every rank", "It is added before the fraction is taken. What happens to the quotient of two scores?"),
        ),
        objective=3,
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
