"""Discounted gain, RBP and ERR: tasks, questions and votes."""

from fractions import Fraction
from itertools import product

from metrics.exact import definitions, grid, rankings

from ..beliefs import Question, Task, belief, reduced, written
from ..votes import Saying, Vote, shuffled

TITLE = "Discounted gain"
HALF, THIRD = Fraction(1, 2), Fraction(1, 3)
rbp, err = definitions.rank_biased_precision, definitions.expected_reciprocal_rank


@belief("you forget the factor 1 - p in front", "What value should an endless list of hits have?")
def without_the_factor(relevance, p):
    return sum(Fraction(hit) * p**k for k, hit in enumerate(relevance))


@belief("you discount the first rank, too", "What is the probability that the first item is read?")
def first_discounted(relevance, p):
    return (1 - p) * sum(hit * p**k for k, hit in enumerate(relevance, 1))


@belief("the reader goes on with probability 1 - p", "Does a patient reader have a large p or a small one?")
def turned(relevance, p):
    return p * sum(hit * (1 - p) ** k for k, hit in enumerate(relevance))


@belief("you divide by the largest value that the list could have", "What does RBP say about the ranks below the list?")
def normalised(relevance, p):
    return sum(Fraction(hit) * p**k for k, hit in enumerate(relevance)) / sum(p**k for k in range(len(relevance)))


def rank_biased_precision(relevance, p):
    total = Fraction(0)
    for k, relevant in enumerate(relevance):
        total += relevant * p**k
    return (1 - p) * total


@belief("the reader is certain to stop at the first relevant item", "What does it mean if a grade is below the highest one?")
def stops_for_certain(grades):
    return next((Fraction(1, k) for k, grade in enumerate(grades, 1) if grade), Fraction(0))


@belief("each item counts as if nothing above it could have stopped the reader", "What is the probability that the reader reaches rank k?")
def nothing_above(grades):
    return sum(Fraction(2**grade - 1, 4 * k) for k, grade in enumerate(grades, 1))


@belief("the probability of stopping is the grade divided by the highest grade", "What does the formula with 2^g give for grade 1 of 2?")
def linear_chance(grades):
    value, here = Fraction(0), Fraction(1)
    for k, grade in enumerate(grades, 1):
        value += here * Fraction(grade, 2) / k
        here *= 1 - Fraction(grade, 2)
    return value


@belief("you do not divide by the rank", "What is the value of an item that stops the reader at rank 2?")
def any_rank(grades):
    here = Fraction(1)
    for grade in grades:
        here *= 1 - Fraction(2**grade - 1, 4)
    return 1 - here


def expected_reciprocal_rank(grades):
    value, here = Fraction(0), Fraction(1)
    for rank, grade in enumerate(grades, 1):
        stops = Fraction(2**grade - 1, 4)
        value += here * stops / rank
        here *= 1 - stops
    return value


def err_of_grades(grades):
    return err(grades, 2)


def six_digits(value):
    return round(float(value), 6)


def cut(grades, ideal, k, **more):
    return six_digits(definitions.dcg(grades, k, **more) / definitions.dcg(sorted(ideal, reverse=True), k, **more))


@belief("the ideal is made only from the items in the list", "What does an item cost that the tool did not return?", "C11")
def ideal_of_the_list(grades, k):
    return cut(grades, grades, k)


@belief("you do not cut the ideal at k", "How many items has the best list of k items?", "C11")
def ideal_not_cut(grades, all_grades, k):
    return six_digits(definitions.dcg(grades, k) / definitions.dcg(sorted(all_grades, reverse=True)))


@belief("you discount by the rank itself", "By what is the second item divided? The logarithm is that of the rank plus 1.", "C11")
def over_the_rank(grades, all_grades, k):
    return cut(grades, all_grades, k, discount=lambda rank: Fraction(1, rank))


@belief("the gain is 2^g - 1", "Which gain does the task ask for?")
def power_gain(grades, all_grades, k):
    return cut(grades, all_grades, k, gain="exponential")


def ndcg_at(grades, all_grades, k):
    from math import log2

    def dcg(listed):
        return sum(grade / log2(rank + 1) for rank, grade in enumerate(listed[:k], 1))

    return round(dcg(grades) / dcg(sorted(all_grades, reverse=True)), 6)


def right_ndcg(grades, all_grades, k):
    return six_digits(definitions.ndcg(grades, k, ideal=all_grades))


ALL_GRADES = grid("lists of three grades from 0 to 2", every=True, grades=list(product(range(3), repeat=3))).with_each(
    "up to two more items", "all_grades", lambda grades: [grades + more for more in ((), (1,), (2, 1)) if any(grades + more)]
).with_each("k from 1 to 3", "k", (1, 2, 3))  # fmt: skip
GRADES = grid("all lists of grades 0 to 2 of length 1 to 5", every=True, grades=[case[0] for case in rankings(5, max_grade=2).make()])
PERSISTENCE = rankings(6).with_each("p of 1/2, 1/3, 3/4", "p", (HALF, THIRD, Fraction(3, 4)))
TASKS = (
    Task(
        ndcg_at, "Write nDCG at `k`, rounded to six decimal places (`round(value, 6)`). `grades` is the list of grades, best item first; `all_grades` has the grades of all items, also of those that the tool did not return. The gain of an item is its grade, and the discount at rank r is 1/log2(r + 1), with `log2` of the module `math`.",
        right_ndcg, ALL_GRADES, (ideal_of_the_list, ideal_not_cut, over_the_rank, power_gain), points=4, objective=1,
    ),
    Task(
        rank_biased_precision, "Write the rank-biased precision of a list of 0s and 1s, for a reader who goes on from each item with probability `p` (a `Fraction`).",
        lambda relevance, p: rbp(relevance, p), PERSISTENCE, (without_the_factor, first_discounted, turned, normalised), objective=4,
    ),
    Task(
        expected_reciprocal_rank, "Write the ERR of a list of grades from 0 to 2. An item of grade g stops the reader with probability (2^g - 1)/4, and a reader who stops at rank k has the value 1/k.",
        err_of_grades, GRADES, (stops_for_certain, nothing_above, linear_chance, any_rank), objective=4,
    ),
)  # fmt: skip

SHORT = rankings(5, at_least=4).with_a_hit().with_each("p of 1/2 or 1/3", "p", (HALF, THIRD))
THREE = grid("grades", every=True, grades=[case[0] for case in rankings(4, at_least=3, max_grade=2).make() if sum(map(bool, case[0])) > 1])


@belief("only what is in the list counts", "What is the probability that the reader gets below the list?")
def nothing_below():
    return 0


@belief("only one more item follows the list", "What else is below the list, and with what probability is it read?")
def one_more_rank(relevance, p):
    return (1 - p) * p ** len(relevance)


@belief("the reader has gone one rank further", "What is the probability that the first item below the list is read?")
def one_too_far(relevance, p):
    return p ** (len(relevance) + 1)


def left_open(relevance, p):
    """What all items below the list could add to RBP: 1 minus the RBP of a list of this length that holds only hits."""
    return 1 - rbp((1,) * len(relevance), p)


WHOLE = grid("grades at ranks 1, 3 and 7", every=True, grades=[(a, 0, b, 0, 0, 0, c) for a, b, c in product(range(4), repeat=3) if b and c and (a, b, c) != (1, 1, 1)])


@belief("you do not discount", "What is the discount at rank 3?", "C11")
def without_a_discount(grades):
    return sum(grades)


@belief("you discount by the rank itself", "The logarithm is that of the rank plus 1. What is it at rank 3?", "C11")
def by_the_rank(grades):
    return sum(Fraction(grade, rank) for rank, grade in enumerate(grades, 1))


@belief("the gain is 2^g - 1", "Which gain does the question ask for?")
def with_power_gain(grades):
    return sum(Fraction(2**grade - 1) / {1: 1, 3: 2, 7: 3}[rank] for rank, grade in enumerate(grades, 1) if grade)


def whole_dcg(grades):
    return sum(Fraction(grade) / {1: 1, 3: 2, 7: 3}[rank] for rank, grade in enumerate(grades, 1) if grade)


@belief("the ideal is made only from the items in the list", "Which item would the best tool put first?", "C11")
def best_of_the_list(shown):
    return Fraction(shown[0], max(shown))


@belief("you divide the first grade by the sum of all", "How many items has the best list of one item?", "C11")
def over_the_sum(shown, missed):
    return Fraction(shown[0], sum(shown) + missed)


@belief("twice as many judged items leave half as much open", "Of the readers who get below rank 10, how many get below rank 20?")
def half_is_left(relevance, p):
    return left_open(relevance[: len(relevance) // 2], p) / 2


@belief("the reader goes on as before, so as much is open as before", "How many readers get as far as rank 20?")
def as_much_is_left(relevance, p):
    return left_open(relevance[: len(relevance) // 2], p)


QUESTIONS = (
    Question(
        "dcg-by-hand", lambda grades: f"A tool returns items with the grades {written(grades)} (best first). The gain of an item is its grade, and it is divided by log₂ (rank + 1), the binary logarithm. What is the DCG of this list?",
        WHOLE, whole_dcg, (without_a_discount, by_the_rank, with_power_gain),
        lambda grades: f"At ranks 1, 3 and 7 the divisors are 1, 2 and 3: {grades[0]}/1 + {grades[2]}/2 + {grades[6]}/3 = {whole_dcg(grades)}.", minutes=4, objective=1,
    ),
    Question(
        "ndcg-at-one", lambda shown, missed: f"A tool returns items with the grades {written(shown)} (best first), and misses an item of grade {missed}. All other items have grade zero, and the gain of an item is its grade. What is nDCG for a cutoff of one?",
        grid("grades", every=True, shown=[(a, b, c) for a in range(1, 5) for b in range(5) for c in range(5) if a < max(b, c)], missed=(5, 6, 7)),
        lambda shown, missed: Fraction(shown[0], max(*shown, missed)), (best_of_the_list, over_the_sum),
        lambda shown, missed: f"The best list of one item has the item of grade {missed}, so the value is {reduced(shown[0], missed)}.", minutes=3, objective=2,
    ),
    Question(
        "rbp-by-hand", lambda relevance, p: f"A reader goes on from each item with probability {p}. What is the rank-biased precision of the list {written(relevance)} (1 means relevant, best first)?",
        SHORT, lambda relevance, p: rbp(relevance, p), (without_the_factor, first_discounted),
        lambda relevance, p: f"(1 - {p}) · ({' + '.join(str(p**k) for k, hit in enumerate(relevance) if hit)}) = {rbp(relevance, p)}.", objective=4,
    ),
    Question(
        "err-by-hand", lambda grades: f"A list has the grades {written(grades)}, on a scale from 0 to 2. An item of grade g stops the reader with probability (2^g - 1)/4. What is the expected reciprocal rank (ERR)?",
        THREE, err_of_grades, (nothing_above, any_rank), lambda grades: f"Multiply each of the probabilities {', '.join(str(Fraction(2**g - 1, 4)) for g in grades)} by the probability of getting that far, and divide the product by the rank. The sum is {err_of_grades(grades)}.", minutes=6, objective=4,
    ),
    Question(
        "rbp-left-open", lambda relevance, p: f"A list of length {len(relevance)} is all that is judged, and a reader goes on from each item with probability {p}. By how much would rank-biased precision rise if an endless list of relevant items followed?",
        grid("lengths", relevance=[(0,) * n for n in range(1, 7)]).with_each("p", "p", [Fraction(a, b) for b in range(2, 11) for a in range(1, b) if Fraction(a, b).denominator == b]),
        left_open, (nothing_below, one_more_rank, one_too_far), lambda relevance, p: f"The reader gets below the list with probability ({p})^{len(relevance)}, which is {left_open(relevance, p)}.", minutes=4, objective=4,
    ),
)  # fmt: skip

def worst_ndcg(N, R):
    """The nDCG, without a cutoff, of a list of N items that has all R relevant items last."""
    discounts = [definitions.log2_discount(i) for i in range(1, N + 1)]
    return sum(discounts[N - R :]) / sum(discounts[:R])


@belief("the worst list scores 0", "What is the discount at the last rank? And at the rank in the middle?", "C13")
def worst_is_nothing():
    return 0


@belief("the worst list scores the share of relevant items", "Try it with two items, one of them relevant.", "C13")
def worst_is_the_share(N, R):
    return Fraction(R, N)


@belief("each hit gets the last discount, and each hit of the ideal counts in full", "Are the hits of the ideal not discounted as well?", "C13")
def worst_is_the_last_discount(N):
    return definitions.log2_discount(N)


VOTES = shuffled(
    __name__,
    Vote(
        "dcg-whose-ideal",
        "A third tool returns `b x y`, with grades $1, 0, 0$, and misses `a` (grade $2$) and `c` (grade $1$). What is the denominator of its nDCG@3?",
        r"$\frac{2}{\log_2 2} + \frac{1}{\log_2 3} + \frac{1}{\log_2 4}$", "The best list would hold the three lemmas with the largest grades, whether the tool returned them or not. The denominator is 3.131, and nDCG@3 is 0.319.",
        (
            Saying(r"$\frac{1}{\log_2 2}$", "This is the ideal of the items in the list. What does a lemma that the tool did not return cost?"),
            Saying(r"$\frac{1}{\log_2 2} + \frac{1}{\log_2 3} + \frac{1}{\log_2 4}$", "Here each relevant lemma has grade 1. Which grades do `a`, `b` and `c` have?"),
            Saying("$2 + 1 + 1$", "What does the numerator do with a grade at rank 2? And the best list?"),
        ),
        objective=2,
    ),
    Vote(
        "dcg-worst-list",
        "Half of a hundred thousand items are relevant, and a tool ranks all the relevant items last. How large, roughly, is its nDCG without a cutoff?",
        worst_ndcg, "The logarithm hardly tells the middle of a long list from its end, so even the worst list gets most of what the ideal one gets.",
        (worst_is_nothing, worst_is_the_share, worst_is_the_last_discount),
        {"N": 100_000, "R": 50_000}, lambda value: f"{float(value):.2f}", objective=3,
    ),
    Vote(
        "dcg-residual",
        "You judged ten items of a long list. For a reader with $p = 0.8$, the items below them could still add $0.107$ to RBP. You judge ten more. How much could the items below rank 20 add?",
        left_open, "A reader gets below rank 10 with probability $0.107$, and from there below rank 20 with the same probability, so $0.107^2$ is left. Twice the work leaves about a ninth open, not half.",
        (nothing_below, half_is_left, as_much_is_left),
        {"relevance": (0,) * 20, "p": Fraction(4, 5)}, lambda value: f"{float(value):.3f}", objective=4,
    ),
    Vote(
        "dcg-company",
        "In each of two lists for the same goal, a hit moves up from rank 4 to 3, past an irrelevant item. In the first list two hits are above it; in the second list, none are. Which metric rewards the move in the first list more than the move in the second?",
        "AP", "The moved hit is the third in the first list, so its precision rises by 3/3 - 3/4, not by 1/3 - 1/4.",
        (
            Saying("ERR", "After two good items, few readers of ERR are left. Is the move worth more to them, or less?"),
            Saying("nDCG", "Its discount depends only on the rank. Does it matter to DCG which items are above?"),
            Saying("none, since the ranks are the same", "That is so for metrics that give each rank a fixed weight. Which metric has no such weight?"),
        ),
        objective=5,
    ),
)  # fmt: skip

# Which exercises measure an objective on the chapter's card, by its number.
EXERCISES = {
    1: ["ex-ndcg-by-hand", "ex-two-gains"],
    2: ["ex-ndcg-by-hand"],
    3: ["ex-worse-than-shuffled"],
    4: ["ex-residual", "ex-answer-read-aloud"],
    5: ["ex-err-or-ap"],
}
