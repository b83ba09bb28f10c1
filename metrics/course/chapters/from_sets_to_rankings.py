"""From sets to rankings: tasks and questions."""

from fractions import Fraction

from metrics.exact import definitions, hit_ranks, rankings

from ..beliefs import Question, Task, belief, reduced, written

TITLE = "From sets to rankings"


@belief("you divide by the length of the list", "How many items does a reader see who stops at rank k?")
def over_the_list(relevance, k):
    return Fraction(sum(relevance[:k]), len(relevance))


@belief("you divide by the relevant items: that is recall", "Of which items is precision a share?")
def recall_at(relevance, k, n_relevant):
    return Fraction(sum(relevance[:k]), n_relevant)


@belief("you look at the item at rank k alone", "Which items does a reader see who stops at rank k?")
def only_rank_k(relevance, k):
    return relevance[k - 1]


@belief("the first k are those before rank k", "Does the item at rank k count?")
def one_too_few(relevance, k):
    return Fraction(sum(relevance[: k - 1]), k)


def precision_at(relevance, k):
    return Fraction(sum(relevance[:k]), k)


@belief("as many items as there must be hits", "Are all items at the top relevant?")
def as_many_items(needed):
    return needed


@belief("ranks are counted from 0", "At which rank does the first item stand?")
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
        precision_at, "Write the precision of the first `k` items. `relevance` is a list of 0s and 1s, the best first, and `k` is at most its length.",
        definitions.precision_at, rankings(7).with_cutoff().with_n_relevant(unranked=1), (over_the_list, recall_at, only_rank_k, one_too_few),
    ),
    Task(
        length_for, "How many items, from the top, must one read to see `needed` relevant ones? The list has at least so many.",
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
    return f"A tool returns this list (1 is relevant, the best first): {written(relevance)}. In all, {n_relevant} items are relevant."


@belief("you divide by the hits in the list", "Are all relevant items in the list?")
def of_those_listed(relevance, k):
    return Fraction(sum(relevance[:k]), sum(relevance))


@belief("you divide by the items read: that is precision", "Of which items is recall a share?")
def precision_there(relevance, k):
    return Fraction(sum(relevance[:k]), k)


@belief("a hit more adds the share 1/k to what was there", "By what is the new precision divided?")
def plus_a_share(relevance, k):
    return Fraction(sum(relevance[:k]), k) + Fraction(1, k)


@belief("the precision stays where the item is relevant", "How many hits are there now, among how many items?")
def stays(relevance, k):
    return Fraction(sum(relevance[:k]), k)


@belief("the next item is not relevant", "Read the question again: it is.")
def falls(relevance, k):
    return Fraction(sum(relevance[:k]), k + 1)


QUESTIONS = (
    Question(
        "rank-precision-at", lambda relevance, k, n_relevant: f"{said(relevance, n_relevant)} What is the precision of the first {k}?",
        CUT, definitions.precision_at, (over_the_list, recall_at, one_too_few),
        lambda relevance, k: f"The hits among the first {k}, over {k}: {reduced(sum(relevance[:k]), k)}.", minutes=3,
    ),
    Question(
        "rank-recall-at", lambda relevance, k, n_relevant: f"{said(relevance, n_relevant)} What is the recall of the first {k}?",
        CUT, definitions.recall_at, (of_those_listed, precision_there, over_the_list),
        lambda relevance, k, n_relevant: f"The hits among the first {k}, over the {n_relevant} relevant items: {reduced(sum(relevance[:k]), n_relevant)}.", minutes=3, objective=4,
    ),
    Question(
        "rank-next-precision",
        lambda relevance, k: f"Among the first {k} items of a list the number of relevant ones is {sum(relevance[:k])}, and the next item is relevant, too. What is the precision of the first {k + 1}?",
        rankings(12, at_least=12).with_cutoff().where("a miss above", lambda relevance, k: 2 < k < 12 and 0 < sum(relevance[:k]) < k),
        lambda relevance, k: definitions.precision_at((*relevance[:k], 1), k + 1), (plus_a_share, stays, falls),
        lambda relevance, k: f"({sum(relevance[:k])} + 1) / ({k} + 1) is {reduced(sum(relevance[:k]) + 1, k + 1)}.", minutes=4, objective=1,
    ),
)  # fmt: skip

VOTES = ()
