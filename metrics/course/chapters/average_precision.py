"""Average precision: tasks and questions."""

from fractions import Fraction

from metrics.exact import definitions, exchanged, grid, heights, hit_ranks, placements, rankings, sizes

from ..beliefs import Question, Task, belief, written
from ..votes import Saying, Vote, shuffled

TITLE = "Average precision"
ap = definitions.average_precision


@belief("you divide by the hits that you see", "What does a relevant item add if it was never ranked?", "A32")
def over_hits_seen(relevance):
    return sum(heights(relevance)) / Fraction(len(hit_ranks(relevance)))


@belief("each hit counts as 1 over its rank, as if it were the first", "Is every hit the first one?", "A7")
def each_as_the_first(relevance, n_relevant):
    return sum(Fraction(1, k) for k in hit_ranks(relevance)) / Fraction(n_relevant)


@belief("you divide by the length of the list", "The area has one step for each relevant item. How wide is a step?", "A6")
def over_the_length(relevance):
    return sum(heights(relevance)) / Fraction(len(relevance))


@belief("you average the precision over all ranks, even those without a hit", "Which ranks give the curve a new step?", "A6")
def over_every_rank(relevance):
    return definitions.mean(definitions.precision_curve(relevance))


@belief("you count ranks from 0", "What is the rank of the first item?", "A7")
def ranks_from_zero(relevance, n_relevant):
    return sum(Fraction(j, k - 1) for j, k in enumerate(hit_ranks(relevance), 1)) / Fraction(n_relevant)


@belief("you take the precision of the whole list", "Would a swap change your value?", "A11")
def precision_of_the_list(relevance):
    return Fraction(sum(relevance), len(relevance))


@belief("you divide by the length of the list where more items are relevant than it has", "Does the number of relevant items depend on how long the list is?", "A6")
def over_the_shorter(relevance, n_relevant):
    return sum(heights(relevance)) / Fraction(min(n_relevant, len(relevance)))


def average_precision(relevance, n_relevant):
    hits, total = 0, Fraction(0)
    for rank, relevant in enumerate(relevance, 1):
        if relevant:
            hits += 1
            total += Fraction(hits, rank)
    return total / n_relevant


def gain(relevance, n_relevant, i):
    return ap(exchanged(relevance, i), n_relevant) - ap(relevance, n_relevant)


def with_hits_above(s, i, n_relevant):
    """The gain of a swap at rank i in a list that has s hits above this rank."""
    return gain((1,) * s + (0,) * (i - s) + (1,), n_relevant, i)


@belief("a rank has a fixed weight, whatever is above it", "What is the number of the moved hit, counted from the top?", "A11")
def fixed_weight(i, n_relevant):
    return Fraction(1, n_relevant * i * (i + 1))


@belief("you count the hits above, but not the one that moves", "Does the swap gain nothing if there is no hit above?", "A11")
def only_the_hits_above(s, i, n_relevant):
    return Fraction(s, n_relevant * i * (i + 1))


@belief("you do not divide by the number of relevant items", "AP is a mean over which items?", "A11")
def not_shared(s, i):
    return Fraction(s + 1, i * (i + 1))


@belief("you subtract the new value from the old one", "Does the swap move the relevant item up or down?", "A11")
def loss_of_a_swap(s, i, n_relevant):
    return -Fraction(s + 1, n_relevant * i * (i + 1))


def gain_of_a_swap(s, i, n_relevant):
    return Fraction(s + 1, n_relevant * i * (i + 1))


def smallest(N, R):
    return min(ap(ranking) for ranking in placements(N, R))


@belief("the worst value is 0", "Can a full ranking leave out a relevant item?", "A12")
def worst_is_zero():
    return 0


@belief("the worst value is the share of relevant items, R/N", "Try N = 3 and R = 2 by hand.", "A12")
def worst_is_the_prevalence(N, R):
    return Fraction(R, N)


@belief("all relevant items are at the last rank", "Two items cannot share a rank.", "A12")
def all_at_the_last_rank(N, R):
    return Fraction(R + 1, 2 * N)


def worst_average_precision(N, R):
    return sum(Fraction(j, N - R + j) for j in range(1, R + 1)) / R


TASKS = (
    Task(
        average_precision,
        "Write average precision, exactly. `relevance` is a list of 0s and 1s, best first; `n_relevant` is the number of *all* relevant items, including those that are not in the list.",
        ap, rankings(7).with_n_relevant(unranked=2),
        (over_hits_seen, each_as_the_first, over_the_length, over_every_rank, ranks_from_zero, precision_of_the_list, over_the_shorter), points=4,
    ),
    Task(
        gain_of_a_swap,
        "An irrelevant item at rank `i` and the relevant item below it change places; `s` hits are above both, and `n_relevant` items are relevant in all. By how much does AP rise? Give a formula, without computing an AP.",
        with_hits_above,
        grid("s from 0 to 4", s=range(5)).with_each("i from s + 1 to 8", "i", lambda s: range(s + 1, 9)).with_each("R from s + 1 to 6", "n_relevant", lambda s: range(s + 1, 7)),
        (fixed_weight, only_the_hits_above, not_shared, loss_of_a_swap), objective=3,
    ),
    Task(
        worst_average_precision, "Write the smallest AP that a ranking of all `N` items can have, if `R` of them are relevant.",
        smallest, sizes(8), (worst_is_zero, worst_is_the_prevalence, all_at_the_last_rank), objective=4,
    ),
)  # fmt: skip


@belief("a rank has a fixed weight", "The gain grows with the hits above.", "A11")
def fixed_weight_in_the_list(n_relevant, i):
    return Fraction(1, n_relevant * i * (i + 1))


@belief("AP is a sum, not a mean", "Divide by the number of relevant items.", "A11")
def not_shared_in_the_list(relevance, i):
    return Fraction(sum(relevance[:i]) + 1, i * (i + 1))


@belief("only the hits above count", "The item that moves is a hit, too.", "A11")
def only_those_above_in_the_list(relevance, n_relevant, i):
    return Fraction(sum(relevance[:i]), n_relevant * i * (i + 1))


def lost(relevance, n_relevant):
    return ap(relevance, n_relevant) - ap(relevance, n_relevant + 1)


@belief("the list has not changed, so its value has not changed", "What is the sum divided by?", "A32")
def nothing_is_lost():
    return 0


@belief("you take away the old share of one relevant item", "How many relevant items are there now?", "A32")
def a_share_of_the_old(relevance, n_relevant):
    return ap(relevance, n_relevant) / n_relevant


@belief("the new item had a whole share, although nobody had counted it", "What was the sum, and what is it divided by now?", "A32")
def a_share_of_the_new(n_relevant):
    return Fraction(1, n_relevant + 1)


def terms(ranks):
    return " + ".join(f"{j}/{k}" for j, k in enumerate(ranks, 1))


def by_hand(relevance, n_relevant):
    return f"The hits are at ranks {', '.join(map(str, hit_ranks(relevance)))}, so AP is ({terms(hit_ranks(relevance))}) / {n_relevant} = {ap(relevance, n_relevant)}."


def by_hits_above(relevance, n_relevant, i):
    above = sum(relevance[:i])
    return f"With {above} hit{'s' * (above > 1)} above, the rise is ({above} + 1) / ({n_relevant} · {i} · {i + 1}) = {gain(relevance, n_relevant, i)}."


def by_one_more(relevance, n_relevant):
    before, after = ap(relevance, n_relevant), ap(relevance, n_relevant + 1)
    return f"The sum {terms(hit_ranks(relevance))} does not change, but is divided by {n_relevant + 1} instead of {n_relevant}: {before} - {after} = {before - after}."


SOME_UNRANKED = (
    rankings(7, at_least=6)
    .with_n_relevant()
    .where("2 or 3 hits, and a relevant item unranked", lambda relevance, n_relevant: 1 < sum(relevance) < 4 and n_relevant > sum(relevance))
)
SWAPS = rankings(7, at_least=6).with_n_relevant(unranked=1).with_swaps().where("a hit above", lambda relevance, i: any(relevance[:i]) and sum(relevance) < 5)

QUESTIONS = (
    Question(
        "ap-by-hand",
        lambda relevance, n_relevant: f"A tool returns this list (1 means relevant, best first): {written(relevance)}. In all, {n_relevant} items are relevant. What is its average precision?",
        SOME_UNRANKED.where("not all at the top", lambda relevance: relevance != tuple(sorted(relevance, reverse=True))),
        ap, (over_hits_seen, each_as_the_first, over_the_length), by_hand,
        steps=("the ranks of the hits", "the sum", "the divisor"),
    ),
    Question(
        "ap-gain-of-a-swap",
        lambda relevance, n_relevant, i: f"In the list {written(relevance)} the items at ranks {i} and {i + 1} change places; {n_relevant} items are relevant in all. By how much does average precision rise?",
        SWAPS, gain, (fixed_weight_in_the_list, not_shared_in_the_list, only_those_above_in_the_list), by_hits_above, minutes=6, objective=3,
        steps=("the hits above", "the hit that moves", "the number of relevant items", "the two ranks"),
    ),
    Question(
        "ap-one-more-judgement",
        lambda relevance, n_relevant: f"A list is judged (1 means relevant, best first): {written(relevance)}. In all, {n_relevant} items are relevant. Then one more relevant item is found, which is not in the list. By how much does average precision fall?",
        SOME_UNRANKED, lost, (nothing_is_lost, a_share_of_the_old, a_share_of_the_new), by_one_more, minutes=6, objective=3,
        steps=("the ranks of the hits", "the sum, which does not change", "the two divisors", "the difference"), deeper="Can one more judgement lower AP?",
    ),
)  # fmt: skip

@belief("the function knows of the missing lemma", "It is handed six zeros and ones. How would it know that the proof needs four lemmas?", "A32")
def told_of_the_missing(relevance, n_relevant):
    return ap(relevance, n_relevant)


@belief("the first draw may give any item of the list, needed or not", "Which items can the first draw give?", "A9")
def from_any_rank(relevance):
    return definitions.mean(definitions.precision_curve(relevance))


VOTES = shuffled(
    __name__,
    Vote(
        "ap-ten-more",
        "Draw one of the needed lemmas, then a rank from 1 down to the rank of that lemma: AP is your chance of finding a needed lemma there. Now ten lemmas that the proof does not need are appended to the list. What happens to AP?",
        "it stays the same", "The second draw never goes below the lemma that you drew first, so it never sees what is appended. As long as you count the same relevant items, AP does not change.",
        (
            Saying("it falls", "It would fall if the second draw could give any rank of the list. How far down can that draw go?"),
            Saying("it rises", "AUC rises, because it counts new pairs in the right order. Which of the ten lemmas can the second draw fall on?"),
            Saying("it depends on where the needed lemmas are", "Let one needed lemma be at the top, and then at the end of the list. Which ranks can the second draw give in each case?"),
        ),
        objective=2,
    ),
    Vote(
        "ap-two-swaps",
        "In one list a relevant lemma moves from rank 3 to rank 2, with no hit above. In another list for the same goal, a relevant lemma moves from rank 4 to rank 3, with two hits above. Which list's AP gains more?",
        "the second", r"The second gains $\frac{3}{12R}$ and the first $\frac{1}{6R}$. The hit that moves in the second list is number three, so its term counts three times as much.",
        (
            Saying("the first", "The move nearer to the top would gain more if both had equally many hits above. What is the number of each moved hit, counted from the top?"),
            Saying("both gain the same", "They would if one rank were worth the same everywhere. Write down the term that changes, before and after the move."),
        ),
        objective=3,
    ),
    Vote(
        "ap-better-than-luck",
        "One tool ranks ten items, nine of them relevant, and has an AP of $0.84$. Another tool ranks a thousand items, one of them relevant, and has an AP of $0.25$. Which of the two is better than a shuffled list is on average?",
        "the second alone", "A shuffled list has a mean AP of $0.92$ in the first case and of $0.007$ in the second. The worst list of the first ten items still has $0.79$.",
        (
            Saying("the first alone", "How bad can a list be if nine of its ten items are relevant?"),
            Saying("both", "Nine of ten items are relevant. What AP would you expect from luck?"),
            Saying("neither", "The only relevant one of a thousand items is at rank 4. How often does luck put it there, or higher?"),
        ),
        objective=4,
    ),
    Vote(
        "ap-never-ranked",
        "A proof needs four lemmas, and a list has three of them. A function for AP gets the zeros and ones of this list, and nothing else. What does it return?",
        r"$\frac43$ of AP", "It takes the three hits that it sees to be all the relevant items, so it divides the same sum by 3 instead of 4.",
        (
            Saying("AP, since a missing lemma adds nothing to the sum", "The sum is right. What is it divided by?"),
            Saying(r"$\frac34$ of AP", "Which divisor is larger: the number of hits that the function sees, or that of the lemmas that the proof needs?"),
            Saying("more or less than AP, depending on the order of the list", "Does the order change what the sum is divided by?"),
        ),
        objective=5,
    ),
)  # fmt: skip

# Which exercises measure an objective on the chapter's card, by its number.
EXERCISES = {
    1: ["ex-ap-by-hand", "ex-same-ap", "ex-first-doubt"],
    2: ["ex-when-does-he-stop"],
    3: ["ex-which-move", "ex-late-flip"],
    4: ["ex-worse-than-random"],
    5: ["ex-ap-by-hand", "ex-cut-lists"],
}
