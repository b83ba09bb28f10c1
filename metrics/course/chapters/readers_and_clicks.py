"""Readers and clicks: votes."""

from ..votes import Saying, Vote

VOTES = (
    Vote(
        "rd-which-reader",
        "A reader reads rank 1, and goes on with probability 1/2 after each of ranks 1 and 2, and stops at rank 3. Which share of the items read is at rank 1?",
        "4/7", r"The ranks are read with probabilities $1$, $\frac12$ and $\frac14$, and $1 : \frac74$ is $\frac47$.",
        (
            Saying("1/2", "That is the probability that rank 1 is the last one read. How many readers read it?"),
            Saying("1/3", "Are all three ranks read equally often?"),
            Saying("all of them", "Every reader reads rank 1. How many items does a reader read in all?"),
        ),
    ),
    Vote(
        "rd-rank-ten",
        "Item a is at rank 1 and item b at rank 10, and both get ten clicks in a thousand impressions. Every reader examines rank 1, and one in ten examines rank 10. Which item is more relevant?",
        "b, ten times as relevant", r"A click has probability $e r$, so $r$ is $\frac{1}{100}$ for item a and $\frac{1}{10}$ for item b.",
        (
            Saying("neither, since both have as many clicks", "How many readers have looked at item b?"),
            Saying("a, since it is at rank 1", "Rank 1 shows what the tool thinks. What do the readers think who looked?"),
            Saying("nobody can tell", "What if you divide the clicks by the readers who examined the item?"),
        ),
        objective=2,
    ),
    Vote(
        "rd-fair",
        "A reader clicks at each rank with a probability that depends only on the rank. In team draft of two rankings of the same items, which tool gets more credit on average?",
        "neither", "In each round a fair coin decides which tool owns which of two ranks.",
        (
            Saying("the one whose coin falls first", "How often does it fall for either tool?"),
            Saying("the one that ranks more items higher than the other", "So it is in balanced interleaving. Who owns rank 1 here, and how often?"),
            Saying("that depends on how steeply the clicks fall", "Is there any rank that one tool owns more often?"),
        ),
        objective=3,
    ),
    Vote(
        "rd-shared",
        "Only c is relevant, and always clicked. Tool A ranks a b c, tool B ranks b c a. What does team draft say after very many readers?",
        "no preference", "Both tools draft one of a and b in round 1, so the coin of round 2 decides who drafts c.",
        (
            Saying("B is better", "It is, by rank. Who drafts c if B begins, and what did A take?"),
            Saying("A is better", "Who owns c if the coin of round 2 falls for B?"),
            Saying("B is better, but only with many readers", "What is the probability that c belongs to B?"),
        ),
        objective=3,
    ),
)  # fmt: skip

# Which exercises measure an objective on the chapter's card, by its number.
EXERCISES = {
    1: ["ex-reader-by-hand"],
    2: ["ex-price-of-rank-ten"],
    3: ["ex-no-winner"],
    4: ["ex-two-reports"],
}
