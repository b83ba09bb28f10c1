"""The long tail: tasks and questions."""

from fractions import Fraction
from itertools import combinations, permutations, product
from math import inf

from metrics.exact import Cases, definitions, grid, rankings

from ..beliefs import Question, Task, belief
from ..votes import Saying, Vote, shuffled

TITLE = "The long tail"
RARE = {"a": 10, "b": 10, "u": 1, "v": 1}  # a and b are common, u and v are rare
HALF = Fraction(1, 2)


def rare_in(labels):
    return [label for label in labels if RARE[label] == 1]


def right_in(suggested, needed):
    return len(set(suggested) & set(needed))


def by_decile(predictions, actual, k):
    return definitions.mean(definitions.precision_by_decile(predictions, actual, RARE, k)[0])


def of_each_goal(value, predictions, actual):
    """The mean, over the goals for which it is defined, of a value that is computed from the rare labels of each goal."""
    found = [value(rare_in(made), rare_in(needed)) for made, needed in zip(predictions, actual)]
    return definitions.mean([each for each in found if each is not None])


@belief("a goal that needs nothing rare counts as 0", "What does the definition do with such a goal?")
def skips_nothing(predictions, actual, k):
    return of_each_goal(lambda made, needed: Fraction(right_in(made[:k], needed), len(made[:k])) if made else Fraction(0), predictions, actual)


@belief("a goal without a rare prediction is skipped, too", "Does the definition skip goals that need nothing, or goals that get nothing?")
def skips_the_silent(predictions, actual, k):
    return of_each_goal(lambda made, needed: Fraction(right_in(made[:k], needed), len(made[:k])) if made and needed else None, predictions, actual)


@belief("ranks are counted in the whole list", "What is deleted before the list is cut?")
def cut_first(predictions, actual, k):
    return by_decile([made[:k] for made in predictions], actual, k)


@belief("you divide by k, even where there are fewer predictions", "What do you divide by if only one prediction is rare?")
def over_k(predictions, actual, k):
    return of_each_goal(lambda made, needed: Fraction(right_in(made[:k], needed), k) if needed else None, predictions, actual)


def precision_in_the_tail(predictions, actual, rare, k):
    values = []
    for made, needed in zip(predictions, actual):
        wanted = [label for label in needed if label in rare]
        if wanted:
            shown = [label for label in made if label in rare][:k]
            hits = sum(label in wanted for label in shown)
            values.append(Fraction(hits, len(shown)) if shown else Fraction(0))
    return sum(values) / len(values)


def coverage(predictions, actual, k):
    return Fraction(*definitions.positive_coverage_at(predictions, actual, dict.fromkeys(RARE, 10), k)[9])


def distinct(lists):
    return {label for labels in lists for label in labels}


@belief("every hit counts, even that of a label found before", "What does a label add if it is a hit for the second time?", "C23")
def every_hit(predictions, actual, k):
    return Fraction(sum(right_in(made[:k], needed) for made, needed in zip(predictions, actual)), len(distinct(actual)))


@belief("you take the recall of all goals together", "Does coverage count needs, or labels?", "C23")
def pooled_recall(predictions, actual, k):
    return Fraction(sum(right_in(made[:k], needed) for made, needed in zip(predictions, actual)), sum(map(len, actual)))


@belief("a label counts wherever it is predicted, as long as some goal needs it", "Does the goal that it is predicted for need it?", "C23")
def for_any_goal(predictions, actual, k):
    return Fraction(right_in(distinct(made[:k] for made in predictions), distinct(actual)), len(distinct(actual)))


@belief("you divide by the number of distinct predictions", "Is coverage a precision or a recall?", "C23")
def of_the_suggestions(predictions, actual, k):
    found = {label for made, needed in zip(predictions, actual) for label in made[:k] if label in needed}
    return Fraction(len(found), len(distinct(made[:k] for made in predictions)))


def positive_coverage(predictions, actual, k):
    found, needed_somewhere = set(), set()
    for made, needed in zip(predictions, actual):
        found |= {label for label in made[:k] if label in needed}
        needed_somewhere |= set(needed)
    return Fraction(len(found), len(needed_somewhere))


def rank_or_fallback(relevance, n_relevant, level, fallback):
    k = definitions.rank_at_recall(relevance, level, n_relevant)
    return fallback if k == inf else k


@belief("the level must be exceeded", "Is a recall equal to the level enough?", "C19")
def exceeded(relevance, n_relevant, level, fallback):
    return next((k for k in range(len(relevance) + 1) if definitions.recall_at(relevance, k, n_relevant) > level), fallback)


@belief("recall is a share of the hits in the list", "Can a level be out of reach, then?", "C19")
def of_those_in_the_list(relevance, level, fallback):
    return rank_or_fallback(relevance, sum(relevance), level, fallback) if any(relevance) else fallback


@belief("a list that never reaches the level counts as its length", "What is the fallback for?", "C19")
def length_for_a_failure(relevance, n_relevant, level):
    return rank_or_fallback(relevance, n_relevant, level, len(relevance))


def k_for_recall(relevance, n_relevant, level, fallback):
    hits = 0
    for rank, relevant in enumerate(relevance, 1):
        hits += relevant
        if hits >= level * n_relevant:
            return rank
    return fallback


LISTS = [made for n in range(3) for made in permutations("auv", n)]
GOALS = list(product(LISTS, [(), ("a",), ("u",), ("a", "u")]))
TWO_GOALS = Cases(
    "two goals that need nothing, a, u or both, with lists of up to two of a, u and v", ("predictions", "actual"),
    lambda: (tuple(zip(*pair)) for pair in product(GOALS, repeat=2)), sampled=True,
).with_each("k = 1 and 2", "k", (1, 2))  # fmt: skip
TASKS = (
    Task(
        precision_in_the_tail,
        "Each goal has a list of predictions, best first, and a list of the labels that it needs; `rare` says which labels are rare. Write the precision by decile of the rare labels: delete the predictions that are not rare, and skip the goals that need nothing rare. For each of the other goals, take the first `k` predictions that are left, or all if there are fewer, and divide the number of hits among them by their number; the value is 0 where there are none. Return the mean of these values.",
        lambda predictions, actual, k: by_decile(predictions, actual, k),
        TWO_GOALS.with_each("u and v rare", "rare", [("u", "v")]), (skips_nothing, skips_the_silent, cut_first, over_k), points=4, objective=2,
    ),
    Task(
        positive_coverage, "Write positive coverage at `k`: of the distinct labels that some goal needs, the share that is a hit among the first `k` predictions for some goal.",
        coverage, TWO_GOALS, (every_hit, pooled_recall, for_any_goal, of_the_suggestions), objective=5,
    ),
    Task(
        k_for_recall, "Return the smallest rank at which the recall of a list of 0s and 1s is at least `level` (a `Fraction` above 0), or `fallback` if this level is never reached; in all, `n_relevant` items are relevant.",
        rank_or_fallback, rankings(5).with_n_relevant(1).with_each("half and all", "level", (HALF, Fraction(1))).with_each("fallback 9", "fallback", (9,)),
        (exceeded, of_those_in_the_list, length_for_a_failure), objective=2,
    ),
)  # fmt: skip


def decile_by_mass(counts, label):
    return definitions.frequency_deciles(dict(enumerate(counts)), equal="mass")[label]


@belief("each decile has the same number of labels", "Do the deciles have equal numbers of labels, or equal mass?")
def by_number(counts, label):
    return definitions.frequency_deciles(dict(enumerate(counts)))[label]


@belief("you add up the uses of the rarer labels, but not those of the label itself", "Which label does the sum go up to?")
def without_itself(counts, label):
    return max(1, -(-10 * sum(counts[:label]) // sum(counts)))


@belief("you compare the label's count with the largest count", "The mass is a sum of counts.")
def of_the_largest(counts, label):
    return max(1, -(-10 * counts[label] // max(counts)))


def parts_of_precision(share, common, rare):
    """P@k, computed from the share of common predictions and from the precisions of the common and the rare predictions."""
    return definitions.mean([common] * share.numerator + [rare] * (share.denominator - share.numerator))


@belief("you take the mean of the two precisions", "Are there equally many suggestions of both kinds?", "C21")
def plain_mean(common, rare):
    return (common + rare) / 2


@belief("you give each precision the weight of the other", "How many of the suggestions are common?", "C21")
def weights_changed(share, common, rare):
    return share * rare + (1 - share) * common


@belief("you add the two precisions up", "Could the sum be more than 1?", "C21")
def no_weights(common, rare):
    return common + rare


def four_kinds(right, half, silent, spared):
    """Goals of four kinds: with one rare suggestion, which is right; with two, of which one is right; with none; and with no need of a rare label."""
    predictions = [["u"]] * right + [["u", "v"]] * half + [["a"]] * silent + [["v"]] * spared
    return predictions, [["u"]] * (right + half + silent) + [["a"]] * spared


def over_the_kinds(right, half, silent, spared):
    return by_decile(*four_kinds(right, half, silent, spared), 2)


@belief("you count a goal that needs nothing rare as 0", "Which goals are skipped?")
def over_all_goals(right, half, silent, spared):
    return skips_nothing(*four_kinds(right, half, silent, spared), 2)


@belief("you skip the goals without a rare suggestion", "They need something rare. What do they count as?")
def over_those_with_one(right, half, silent, spared):
    return skips_the_silent(*four_kinds(right, half, silent, spared), 2)


@belief("you take the precision of what was suggested", "Is precision by decile a mean over goals, or over suggestions?", "C21")
def of_what_was_suggested(right, half, silent, spared):
    return Fraction(*definitions.prediction_precision_at(*four_kinds(right, half, silent, spared), RARE, 2)[0])


def raised(goals, fail, old, new):
    """The amount by which the mean of k for recall grows if the fallback grows from `old` to `new`."""
    return definitions.mean([1] * (goals - fail) + [new] * fail) - definitions.mean([1] * (goals - fail) + [old] * fail)


@belief("the mean moves as far as the fallback", "Do all goals count as the fallback?", "C20")
def as_far(old, new):
    return new - old


@belief("the goals that succeed move the mean", "Which goals have the fallback?", "C20")
def by_the_successes(goals, fail, old, new):
    return Fraction((goals - fail) * (new - old), goals)


@belief("you divide by the goals that succeed", "How many goals is the mean over?", "C20")
def over_the_successes(goals, fail, old, new):
    return Fraction(fail * (new - old), goals - fail)


COUNTS = [counts for counts in combinations(range(1, 25), 5) if sum(counts) == 40]
SHARES = [Fraction(1, 4), Fraction(3, 4), Fraction(2, 3), Fraction(3, 5), Fraction(4, 5)]
PRECISIONS = [Fraction(1, 2), Fraction(1, 4), Fraction(1, 3), Fraction(1, 6)]
QUESTIONS = (
    Question(
        "tail-decile-of-mass", lambda counts, label: f"Five labels are used {', '.join(map(str, counts[:-1]))} and {counts[-1]} times. They are cut into ten deciles of equal mass, rarest first. Which decile contains the label that is used {counts[label]} times?",
        grid("five labels", counts=COUNTS, label=(2, 3)), decile_by_mass, (by_number, without_itself, of_the_largest),
        lambda counts, label: f"Up to and including it there are {sum(counts[: label + 1])} of {sum(counts)} uses. Ten times this share, rounded up, is {decile_by_mass(counts, label)}.", minutes=4,
    ),
    Question(
        "tail-by-decile",
        lambda right, half, silent, spared: f"Some goals need one rare label each. For {right} of them, a tool's only rare suggestion is this label; for {half}, the tool suggests this label and a wrong rare one; and for {silent}, it suggests nothing rare. There are also goals that need nothing rare, {spared} in number, and for each of them it makes one rare suggestion. What is the precision by decile of the rare labels, for k = 2?",
        grid("numbers of goals", right=range(1, 5), half=range(1, 5), silent=range(1, 4), spared=range(1, 4)),
        over_the_kinds, (over_all_goals, over_those_with_one, of_what_was_suggested),
        lambda right, half, silent, spared: f"({right} · 1 + {half} · 1/2 + {silent} · 0) / {right + half + silent} = {over_the_kinds(right, half, silent, spared)}; goals that need nothing rare are skipped.", minutes=6, objective=2,
    ),
    Question(
        "tail-adds-up", lambda share, common, rare: f"A tool suggests ten labels for each goal. Of all its suggestions {share} are common labels, and {common} of these are right; the others are rare, and {rare} of them are right. What is its P@10?",
        grid("parts", share=SHARES, common=PRECISIONS, rare=PRECISIONS), parts_of_precision, (plain_mean, weights_changed, no_weights),
        lambda share, common, rare: f"{share} · {common} + {1 - share} · {rare} = {parts_of_precision(share, common, rare)}.", minutes=4, objective=3,
    ),
    Question(
        "tail-fallback", lambda goals, fail, old, new: f"For {fail} of {goals} goals a list never reaches the recall that is asked for, and each of these goals counts with a fallback, a number that is larger than every rank that is reached. The fallback is raised from {old} to {new}. By how much does the mean k for recall grow?",
        grid("goals", goals=(6, 8, 10, 12, 15, 20), fail=(1, 2, 3, 4, 5, 7, 9), old=(500, 1000), new=(1001, 1010, 1040)).where("some succeed", lambda goals, fail: fail < goals),
        raised, (as_far, by_the_successes, over_the_successes), lambda goals, fail, old, new: f"Only the goals that fail change: {fail} · ({new} - {old}) / {goals} = {raised(goals, fail, old, new)}.", minutes=4, objective=4,
    ),
)  # fmt: skip

VOTES = shuffled(
    __name__,
    Vote(
        "tail-equal-mass",
        "Ten labels are used $1, 1, 1, 1, 2, 2, 4, 8, 16$ and $64$ times. They are cut into deciles of equal mass. Which decile contains the label that is used $16$ times?",
        decile_by_mass, "Up to and including this label there are $36$ of $100$ uses, so it is in decile $4$.",
        (by_number, without_itself, of_the_largest),
        {"counts": (1, 1, 1, 1, 2, 2, 4, 8, 16, 64), "label": 8},
    ),
    Vote(
        "tail-in-vain",
        "Some goals need nothing rare. For these goals a tool now predicts rare labels, all of them wrong. What happens to its precision by decile of the rare labels?",
        "nothing, since such goals are skipped", "The value is a mean over the goals that need something rare. So wrong rare predictions for other goals cost nothing.",
        (
            Saying("it falls, since more predictions are wrong", "Over which goals is the mean taken?"),
            Saying("it falls, but only if they are among the first $k$", "Ranks are counted within the decile, so they are. But does the definition look at these goals?"),
            Saying("it rises, since the tool predicts more rare labels", "What is the value of a goal whose rare predictions are all wrong? And does such a goal count here?"),
        ),
        objective=2,
    ),
    Vote(
        "tail-better-in-each",
        "Among their common predictions, tool A has a larger share of hits than tool B, and among their rare predictions, too. Both predict ten labels for each goal. Can B have the higher P@10?",
        "yes, if B predicts more common labels", "Let $0.4$ of B's common predictions and $0.1$ of its rare ones be hits, and let these shares be $0.5$ and $0.2$ for A. If nine tenths of B's predictions and one tenth of A's are common, P@10 is $0.37$ for B and $0.23$ for A.",
        (
            Saying("no, because A is better in both parts", "That would be so if both tools had equally many of each kind. Let B predict common labels nearly always, and A rare ones."),
            Saying("yes, but only if some predictions are of neither kind", "Let every prediction be of one of the two kinds, and let one tool predict mostly what is easy to get right."),
            Saying("no, unless their lists differ in length", "Each list has ten predictions. But how many of the ten are common?"),
        ),
        objective=3,
    ),
    Vote(
        "tail-coverage",
        "Of all relevant labels, 30% are a hit for some goal in the lists of one tool, and 20% in the lists of another. You show both lists for each goal. What is the positive coverage of both together?",
        "30% to 50%, depending on what both find", "A label that both tools find counts once. If they find different labels the coverage is 50%, and if one finds all that the other finds, it is 30%.",
        (
            Saying("50%, the sum", "What does a label add if it is a hit for the second time?"),
            Saying("25%, the mean", "Can the second list take away a label that the first has found?"),
            Saying("30%, the larger of the two", "Can the second tool find a label that the first has missed?"),
        ),
        objective=5,
    ),
)  # fmt: skip

# Which exercises measure an objective on the chapter's card, by its number.
EXERCISES = {
    1: ["ex-ties-in-file-order"],
    2: ["ex-never-worse"],
    3: ["ex-short-lists", "ex-two-answers", "ex-project-tail"],
    4: ["ex-fallback"],
    5: ["ex-coverage-bound", "ex-librarians-wish"],
}
