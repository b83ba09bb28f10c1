"""From sets to rankings: tasks and questions."""

from fractions import Fraction

from metrics.exact import definitions, hit_ranks, rankings

from ..beliefs import Question, Task, belief, reduced, written
from ..votes import Saying, Vote, shuffled

TITLE = "From sets to rankings"


@belief("you divide by the length of the list", "How many items does a reader who stops at rank k see?")
def over_the_list(relevance, k):
    return Fraction(sum(relevance[:k]), len(relevance))


@belief("you divide by the length of the list", "Are the relevant items those that the list happens to show?")
def over_all_shown(relevance, k):
    return over_the_list.function(relevance, k)


@belief("you divide by the relevant items, as recall does", "Precision is a share of which items?")
def recall_at(relevance, k, n_relevant):
    return Fraction(sum(relevance[:k]), n_relevant)


@belief("you look only at the item at rank k", "Which items does a reader who stops at rank k see?")
def only_rank_k(relevance, k):
    return relevance[k - 1]


@belief("the first k items are those before rank k", "Does the item at rank k count?")
def one_too_few(relevance, k):
    return Fraction(sum(relevance[: k - 1]), k)


def precision_at(relevance, k):
    return Fraction(sum(relevance[:k]), k)


@belief("the first k items go on to rank k + 1", "How many items has `relevance[:k + 1]`?")
def one_too_many(relevance, k):
    return Fraction(sum(relevance[: k + 1]), k)


@belief("you read as many items as there must be hits", "Are all items at the top relevant?")
def as_many_items(needed):
    return needed


@belief("ranks are counted from 0", "What is the rank of the first item?")
def from_zero(relevance, needed):
    return hit_ranks(relevance)[needed - 1] - 1


@belief("the whole list has to be read", "Where could the reader stop?")
def whole_list(relevance):
    return len(relevance)


def length_for(relevance, needed):
    hits = 0
    for rank, relevant in enumerate(relevance, 1):
        hits += relevant
        if hits == needed:
            return rank


def shortest(relevance, needed):
    return definitions.rank_at_recall(relevance, Fraction(needed, sum(relevance)))


NEEDED = rankings(7).with_a_hit().with_each("each number of hits", "needed", lambda relevance: range(1, sum(relevance) + 1))
TASKS = (
    Task(
        precision_at, "Write the precision of the first `k` items. `relevance` is a list of 0s and 1s, best first, and `k` is at most its length.",
        definitions.precision_at, rankings(7).with_cutoff().with_n_relevant(unranked=1), (over_the_list, recall_at, only_rank_k, one_too_few, one_too_many),
    ),
    Task(
        length_for, "How many items must you read, from the top, to see `needed` relevant ones? The list has at least that many.",
        shortest, NEEDED, (as_many_items, from_zero, whole_list), objective=2,
    ),
)  # fmt: skip

CUT = (
    rankings(8, at_least=7)
    .with_cutoff()
    .with_n_relevant()
    .where("3 <= k <= 6, a hit before", lambda relevance, k, n_relevant: 2 < k < 7 and 0 < sum(relevance[: k - 1]) and n_relevant > sum(relevance))
)


def said(relevance, n_relevant):
    return f"A tool returns this list (1 means relevant, best first): {written(relevance)}. In all, {n_relevant} items are relevant."


@belief("you divide by the hits in the list", "Are all relevant items in the list?")
def of_those_listed(relevance, k):
    return Fraction(sum(relevance[:k]), sum(relevance))


@belief("you divide by the items read, as precision does", "Recall is a share of which items?")
def precision_there(relevance, k):
    return Fraction(sum(relevance[:k]), k)


@belief("one more hit adds the share 1/k to the old precision", "What is the denominator of the new precision?")
def plus_a_share(relevance, k):
    return Fraction(sum(relevance[:k]), k) + Fraction(1, k)


@belief("the precision does not change when the item is relevant", "How many hits are there now, among how many items?")
def stays(relevance, k):
    return Fraction(sum(relevance[:k]), k)


@belief("the next item is not relevant", "Read the question again: it is.")
def falls(relevance, k):
    return Fraction(sum(relevance[:k]), k + 1)


QUESTIONS = (
    Question(
        "rank-precision-at", lambda relevance, k, n_relevant: f"{said(relevance, n_relevant)} What is the precision of the first {k} items?",
        CUT, definitions.precision_at, (over_the_list, recall_at, one_too_few),
        lambda relevance, k: f"The number of hits among the first {k} items, divided by {k}, is {reduced(sum(relevance[:k]), k)}.", minutes=3,
    ),
    Question(
        "rank-recall-at", lambda relevance, k, n_relevant: f"{said(relevance, n_relevant)} What is the recall of the first {k} items?",
        CUT, definitions.recall_at, (of_those_listed, precision_there, over_all_shown),
        lambda relevance, k, n_relevant: f"The number of hits among the first {k} items, divided by the {n_relevant} relevant items, is {reduced(sum(relevance[:k]), n_relevant)}.", minutes=3, objective=4,
    ),
    Question(
        "rank-next-precision",
        lambda relevance, k: f"Among the first {k} items of a list the number of relevant ones is {sum(relevance[:k])}, and the next item is relevant, too. What is the precision of the first {k + 1} items?",
        rankings(12, at_least=12).with_cutoff().where("a miss above", lambda relevance, k: 2 < k < 12 and 0 < sum(relevance[:k]) < k),
        lambda relevance, k: definitions.precision_at((*relevance[:k], 1), k + 1), (plus_a_share, stays, falls),
        lambda relevance, k: f"({sum(relevance[:k])} + 1) / ({k} + 1) is {reduced(sum(relevance[:k]) + 1, k + 1)}.", minutes=4, objective=1,
    ),
)  # fmt: skip


@belief("you give the item its whole share, one in ten", "Do the nine items before it keep their share?", "A2")
def a_whole_share(k):
    return Fraction(1, k + 1)


def there_and_back(relevance, k):
    return definitions.rank_at_recall(relevance, definitions.recall_at(relevance, k))


@belief("you take k@recall to be the inverse of recall", "How many ranks have the same recall as this one?", "A3")
def the_same_rank(k):
    return k


@belief("you go back by only one rank", "Is recall lower one rank earlier?", "A3")
def one_rank_back(k):
    return k - 1


@belief("you read on to the next hit", "What is the recall at the next hit? Is that more than you were asked for?", "A3")
def the_next_hit(relevance, k):
    return next(rank for rank in hit_ranks(relevance) if rank > k)


def on_the_curve(relevance):
    """The number of ranks whose recall and precision are a point of the curve, which has no point at recall 0."""
    pairs = [(definitions.recall_at(relevance, k), definitions.precision_at(relevance, k)) for k in range(1, len(relevance) + 1)]
    return sum(definitions.precision_at_recall(relevance, r) == p for r, p in pairs if r > 0)


@belief("you count a point for each value of recall, including recall 0", "Does the curve have a value at recall 0?", "A5")
def one_for_each_recall(relevance):
    return sum(relevance) + 1


@belief("you count every rank with a hit at or above it", "Two ranks can have the same recall. Can the curve have two values there?", "A5")
def every_pair_with_a_hit(relevance):
    return sum(any(relevance[:k]) for k in range(1, len(relevance) + 1))


@belief("you think that each rank gives a point of the curve", "Two ranks can have the same recall. Can the curve have two values there?", "A5")
def every_rank(relevance):
    return len(relevance)


VOTES = shuffled(
    __name__,
    Vote(
        "rank-cut-list", "A tool shows you six lemmas, `0 1 0 1 1 0` (1 means needed, best first). The proof needs four. What is the recall of the first five lemmas?",
        definitions.recall_at, "Three of the four needed lemmas are among the first five. The fourth was not shown, but it is still needed.",
        (of_those_listed, precision_there, over_all_shown), {"relevance": (0, 1, 0, 1, 1, 0), "k": 5, "n_relevant": 4}, objective=4,
    ),
    Vote(
        "rank-largest-step",
        "Three of the first nine items are relevant. Which moves precision further, a hit at rank ten or a miss?",
        "a hit", "Precision is 1/3 so far, and the tenth item moves it a tenth of the way to 1 or to 0. A hit lifts it by 1/15, and a miss lowers it by 1/30.",
        (
            Saying("a miss", "Most items so far are misses. Is the precision so far nearer to 0 or to 1?"),
            Saying("both move it equally far, as one item in ten", "Either moves precision by a tenth of the way to its own value. Which way is longer?"),
            Saying("it depends on the ranks of the three hits", "Does the mean of nine zeros and ones change if you shuffle them?"),
        ),
    ),
    Vote(
        "rank-there-and-back",
        "You have read the list `0 1 0 0 1` down to rank 4. What is the smallest rank with the recall that you have now?",
        there_and_back, "Rank 4 has the same recall as rank 2, where the last hit was. The two items read since then add nothing.",
        (the_same_rank, one_rank_back, the_next_hit), {"relevance": (0, 1, 0, 0, 1), "k": 4}, objective=2,
    ),
    Vote(
        "rank-on-the-curve",
        "Each of the six ranks of `x a y b c z` has a recall and a precision. How many of these six points are on the precision-recall curve?",
        on_the_curve, "Only those of the three hits are. At every other rank, recall is 0 or the same as at the hit before it, where precision was higher.",
        (one_for_each_recall, every_pair_with_a_hit, every_rank), {"relevance": (0, 1, 0, 1, 1, 0)}, objective=3,
    ),
)  # fmt: skip

# Which exercises measure an objective on the chapter's card, by its number.
EXERCISES = {
    1: ["ex-next-precision", "ex-stands-still"],
    2: ["ex-how-far", "ex-pessimist"],
    3: ["ex-recover-the-ranking"],
    4: ["ex-prover-and-its-cutoff"],
}
