"""Exam questions whose options are sentences: what happens, why, and which metric for this reader. The right option is computed for each case."""

from fractions import Fraction
from inspect import signature
from itertools import product

from metrics.exact import definitions as d
from metrics.exact.cases import Cases, grid, plain, rankings

from ..beliefs import Choice, written


def signed(difference, falls, stays, rises):
    """Three options, each a sentence with what to say to who chooses it wrongly, for a difference below, equal to and above 0."""
    asks = tuple(signature(difference).parameters)

    def is_signed(sign):
        return lambda **case: (lambda value: (value > 0) - (value < 0))(difference(*map(case.get, asks))) == sign

    return tuple((words, is_signed(sign), feedback) for sign, (words, feedback) in zip((-1, 0, 1), (falls, stays, rises)))


def larger(difference, first, second, equal):
    """The options "the first", "the second" and "neither", for a difference of the first from the second."""
    return signed(difference, ("the second", second), ("neither: the two are equal", equal), ("the first", first))


def table(what, names, *rows):
    """The rows of a table as cases."""
    return Cases(what, names, lambda: iter(rows))


def one_of(column, *options):
    """Options of a table, of which a column names the right one: each a word or sentence with what to say of it."""
    return tuple((words, lambda words=words, **case: case[column] == words, feedback) for words, feedback in options)


def some(number, one, many):
    """A number with its noun: "1 hit", "2 hits"."""
    return f"{number} {one if number == 1 else many}"


def listed(relevance):
    return f"a list (1 means relevant, best first): {written(relevance)}"


# ---- Sets --------------------------------------------------------------------------------------------------------

ONE_MORE = Choice(
    "pr-one-more",
    lambda tp, shown, hit: f"A tool suggests {shown} lemmas, {tp} of which {'is' if tp == 1 else 'are'} needed. It now suggests one more lemma, which is {'' if hit else 'not '}needed. What happens to its precision and its recall?",
    grid("lists", tp=range(1, 5), shown=range(5, 10), hit=range(2)),
    (
        ("both rise", lambda hit: hit, "The new item is not needed. Can it raise a share of needed items?"),
        ("precision falls, and recall stays", lambda hit: not hit, "The new item is needed. How many of the needed items does the tool show now?"),
        ("precision rises, and recall falls", False, "Recall divides by the number of needed lemmas. Can it fall when more is shown?"),
        ("both stay as they are", False, "Write both quotients, before and after."),
    ),
    lambda tp, shown, hit: f"Precision was {tp}/{shown} and is {tp + hit}/{shown + 1}. Recall divides by what is needed, as before, and its numerator {'grows by one' if hit else 'stays'}.",
)  # fmt: skip

RECALL = Choice(
    "pr-which-quotient",
    lambda tp, fp, fn: f"A tool suggests {tp + fp} lemmas, of which {tp} are needed. The proof needs {tp + fn} in all, suggested or not. Which quotient is the recall?",
    grid("counts", tp=range(2, 6), fp=range(3, 7), fn=range(1, 5)).where("all different", lambda tp, fp, fn: len({tp, fp, fn, tp + fp, tp + fn}) == 5),
    (
        (lambda tp, fn: f"{tp}/({tp} + {fn})", True, ""),
        (lambda tp, fp: f"{tp}/({tp} + {fp})", False, "That is the share of the suggestions that are needed: precision."),
        (lambda tp, fp, fn: f"{tp}/({tp} + {fp} + {fn})", False, "Recall does not mind what is suggested besides: that is the Jaccard index."),
        (lambda fn, tp: f"{fn}/({tp} + {fn})", False, "That is the share of the needed lemmas that are missing."),
    ),
    lambda tp, fn: f"Of the {tp + fn} needed lemmas {tp} are suggested.", minutes=2, level="recall",
)  # fmt: skip

WHICH_F = Choice(
    "f-which-tool",
    lambda p1, r1, p2, r2: f"One tool has precision {p1}% and recall {r1}%, another has precision {p2}% and recall {r2}%. Which has the larger F?",
    grid("per cent", p1=(90, 80, 70), r1=(10, 20, 30), p2=(60, 50, 40), r2=(20, 30, 40)),
    larger(lambda p1, r1, p2, r2: Fraction(p1 * r1, p1 + r1) - Fraction(p2 * r2, p2 + r2),
        "F is less than twice the smaller of the two. How large can it be for the first tool?", "Compute the product over the sum for both tools.",
        "Equal arithmetic means do not make F equal. Compute the product over the sum for both."),
    lambda p1, r1, p2, r2: f"F is twice the product over the sum: {2 * p1 * r1}/{p1 + r1} against {2 * p2 * r2}/{p2 + r2}, in per cent.", level="explain", minutes=4,
)  # fmt: skip

BETA = Choice(
    "f-whose-beta", lambda who: f"{who} Which beta suits this reader?",
    table("readers", ("who", "right"),
        ("A paralegal must not miss a document; a few useless ones cost little.", "a beta above 1"),
        ("A doctor screens for a disease that can be treated if it is found; a second test is cheap.", "a beta above 1"),
        ("A program tries each suggested lemma, and is fast; without one lemma the proof fails.", "a beta above 1"),
        ("A shop sends a parcel for each suggestion, and each return is expensive.", "a beta below 1"),
        ("A filter deletes what it takes for spam, and a deleted letter is lost.", "a beta below 1"),
        ("A reader looks at very few suggestions, and one good suggestion is enough.", "a beta below 1"),
        ("A useless suggestion and a missing one cost the same, and as many items are suggested as are needed.", "a beta of 1"),
        ("Two lists of keywords by two librarians are compared, and neither is the standard.", "a beta of 1")),
    one_of("right", ("a beta above 1", "Beta above 1 weighs recall more. Is a missed item worse here than a useless one?"),
        ("a beta below 1", "Beta below 1 weighs precision more. Is a useless item worse here than a missed one?"),
        ("a beta of 1", "Are both errors equally bad for this reader?")),
    lambda right: f"What is worse, a missed item or a useless one? Recall weighs beta squared times as much as precision, so {right} fits.", objective=3, level="choose",
)  # fmt: skip

# ---- Rankings ----------------------------------------------------------------------------------------------------

READER = Choice(
    "rank-which-number", lambda who: f"{who} Which number answers this?",
    table("readers", ("who", "right"),
        ("“I read ten suggestions and no more. How many of them are useful?”", "precision at 10"),
        ("“The first screen shows ten hits. What share of it is good?”", "precision at 10"),
        ("“Ten tests are paid for. What share of them will be positive?”", "precision at 10"),
        ("“My prover tries the first ten lemmas. What share of those that the proof needs does it get?”", "recall at 10"),
        ("“I pass ten candidates on. What share of the suitable ones do I pass on?”", "recall at 10"),
        ("“Ten documents fit into the prompt. What share of the relevant ones is in it?”", "recall at 10"),
        ("“I need two examples. How far must I read?”", "k at recall"),
        ("“The proof needs all its premises. How long must the list be?”", "k at recall"),
        ("“I stop when I have seen half of what there is. At what rank is that?”", "k at recall")),
    one_of("right", ("precision at 10", "Precision divides by what is read. Is that what is asked?"), ("recall at 10", "Recall divides by what is needed. Is that what is asked?"),
        ("k at recall", "This number is a rank. Is a rank asked for?")),
    lambda right: f"Ask what is divided by what, or whether a rank is wanted: {right}.", objective=2, level="choose", minutes=2,
)  # fmt: skip

EVENTS = (
    "an irrelevant item is put at the top of the list", "a relevant item that was missing is appended to the list",
    "the judges find one more relevant item, which is not in the list", "the judges find that the last item of the list is relevant, too",
    "the first two items change places",
)  # fmt: skip


def after(relevance, n_relevant, event):
    """The list, and the number of relevant items, after one of the events."""
    changed = (0, *relevance), (*relevance, 1), relevance, (*relevance[:-1], 1), (relevance[1], relevance[0], *relevance[2:])
    return changed[event], n_relevant + (event in (2, 3))


def ap_changes(relevance, n_relevant, event):
    return d.average_precision(*after(relevance, n_relevant, event)) - d.average_precision(relevance, n_relevant)


AP_EVENT = Choice(
    "ap-what-happens", lambda relevance, n_relevant, event: f"A tool returns {listed(relevance)}. In all, {n_relevant} items are relevant. Then {EVENTS[event]}. What happens to AP?",
    rankings(6, at_least=6).with_n_relevant(2).where("two missing, hits", lambda relevance, n_relevant: n_relevant == sum(relevance) + 2 and 2 <= sum(relevance) <= 3)
    .with_each("events", "event", range(5), every=True).where("possible", lambda relevance, event: event != 3 or not relevance[-1]),
    signed(ap_changes, ("it falls", "Which term of the mean becomes smaller, or does its divisor grow?"),
        ("it stays the same", "Which term of the mean changes, or does its divisor?"), ("it rises", "Which term of the mean becomes larger?")),
    lambda event: ("Each hit moves down by one rank, so each term of the sum falls.", "The new hit adds a term, and the divisor stays.", "The divisor grows, and the sum stays.",
        "The new hit adds the precision at its rank to the mean: compare it with AP.", "If the two differ, the hit moves up or down, and its term with it.")[event],
    objective=3, level="explain", change=lambda event: "terms and divisor" if event == 3 else "terms or divisor", varies=lambda event: event,
    deeper="Can one more judgement lower AP?",
)  # fmt: skip

AP_SWAPS = Choice(
    "ap-which-move", lambda i, s, j, t, n_relevant: f"{n_relevant} items are relevant. In one list a relevant item moves from rank {i + 1} to rank {i}, and {some(s, 'hit is', 'hits are')} above rank {i}. In another list a relevant item moves from rank {j + 1} to rank {j}, and {some(t, 'hit is', 'hits are')} above rank {j}. Each of them passes an irrelevant item. Which list gains more AP?",
    grid("moves", i=(1, 2, 3), s=(0, 1, 2), j=(3, 4, 5, 6), t=(0, 1, 2, 3, 4), n_relevant=(5, 6, 7, 8))
    .where("room above", lambda i, s, j, t: s < i and t < j and i < j)
    .where("nearer the top is not more", lambda i, s, j, t: Fraction(s + 1, i * (i + 1)) <= Fraction(t + 1, j * (j + 1)))
    .where("not the vote ap-two-swaps", lambda i, s, j, t: (i, s, j, t) != (2, 0, 3, 2)),
    larger(lambda i, s, j, t: Fraction(s + 1, i * (i + 1)) - Fraction(t + 1, j * (j + 1)), "How many hits are above the moved one in each list?",
        "A move near the top divides by smaller ranks. Compute both gains.", "One rank is not worth the same everywhere. Compute both gains."),
    lambda i, s, j, t: f"The gains, times R, are {s + 1}/({i}·{i + 1}) and {t + 1}/({j}·{j + 1}).", objective=3, minutes=4,
)  # fmt: skip

LIFTED = Choice(
    "area-lifted", lambda relevance: f"A tool ranks all items: {written(relevance)} (1 means relevant, best first). How does the interpolated area compare with AP?",
    rankings(6, at_least=5).with_a_hit(),
    signed(lambda relevance: d.interpolated_average_precision(relevance) - d.average_precision(relevance),
        ("it is smaller", "Interpolation takes the best precision at this recall or a larger one. Can that be smaller?"),
        ("it is equal", "Look for a hit whose precision is lower than that of a later hit."), ("it is larger", "Is the precision at any hit lower than at a later hit?")),
    lambda relevance: "The precisions at the hits are " + ", ".join(str(d.precision_at(relevance, k)) for k, hit in enumerate(relevance, 1) if hit) + ". Where one is below a later one, it is lifted.",
    objective=2,
)  # fmt: skip

SIDE = Choice(
    "rp-which-is-larger", lambda k, n_relevant, hits: f"In all, {n_relevant} items are relevant. Of the first {k} items of a list, {hits} {'is' if hits == 1 else 'are'} relevant. Which is larger at rank {k}, precision or recall?",
    grid("cutoffs", k=range(2, 10), n_relevant=range(3, 9), hits=range(1, 4)).where("possible", lambda k, n_relevant, hits: hits <= min(k, n_relevant)),
    signed(lambda k, n_relevant: k - n_relevant, ("precision", "Both have the same numerator. Which divides by less?"),
        ("neither: they are equal", "Both have the same numerator. Are the divisors equal?"), ("recall", "Both have the same numerator. Which divides by less?")),
    lambda k, n_relevant, hits: f"Precision is {hits}/{k}, and recall is {hits}/{n_relevant}.", minutes=2,
)  # fmt: skip

DIVISORS = {"the hits found": "retrieved", "all relevant items": "relevant", "the smaller of K and R": "ideal", "K": "k"}


def changed_by_one_more(relevance, k, n_relevant):
    """The divisors with which AP@K changes if one more relevant item is found, which is not in the list."""
    value = lambda total, name: d.average_precision_at(relevance, k, denominator=name, n_relevant=total)
    return {words for words, name in DIVISORS.items() if value(n_relevant, name) != value(n_relevant + 1, name)}


FOUND_ONE = Choice(
    "apk-one-more-judgement", lambda relevance, k, n_relevant: f"A tool returns {listed(relevance)}, of which only the first {k} count. In all, {n_relevant} items are relevant. The judges now find one more relevant item, which is not in the list. Which versions of AP@{k} change?",
    rankings(6, at_least=6).with_cutoff().with_n_relevant(3).where("K from 3 to 5, hits", lambda relevance, k, n_relevant: 3 <= k <= 5 and 2 <= sum(relevance[:k]) and n_relevant > sum(relevance)),
    (
        ("the one that divides by all relevant items, and no other", lambda relevance, k, n_relevant: changed_by_one_more(relevance, k, n_relevant) == {"all relevant items"},
            "Is the smaller of K and R the same as before?"),
        ("those that divide by all relevant items, and by the smaller of K and R",
            lambda relevance, k, n_relevant: changed_by_one_more(relevance, k, n_relevant) == {"all relevant items", "the smaller of K and R"}, "Which is smaller, K or R? Has it changed?"),
        ("all but the one that divides by the hits found", False, "Does K change?"),
        ("none, because the list is the same", False, "The list is the same. Is every divisor?"),
    ),
    lambda k, n_relevant: f"R grows from {n_relevant} to {n_relevant + 1}; the smaller of K and R {'grows with it' if n_relevant < k else f'is {k} before and after'}.", objective=3,
)  # fmt: skip

DIVISOR = Choice(
    "apk-which-divisor", lambda k, n_relevant, divisor: f"A program gets a list of {k} items, of which only the first is a hit, and is told that {n_relevant} items are relevant, so K = {k} and R = {n_relevant}. It says that AP@{k} is 1/{divisor}. By what does it divide?",
    grid("calls", every=True, k=(5, 8, 10), n_relevant=(3, 4, 20, 100)).with_each("divisors", "divisor", lambda k, n_relevant: (k, n_relevant), every=True),
    (
        ("by K, for certain", lambda k, n_relevant, divisor: divisor == k > n_relevant, "Which other divisor has the same value here?"),
        ("by R, for certain", lambda k, n_relevant, divisor: divisor == n_relevant > k, "Which other divisor has the same value here?"),
        ("by K, or by the smaller of K and R", lambda k, n_relevant, divisor: divisor == k < n_relevant, "Compute the smaller of K and R."),
        ("by R, or by the smaller of K and R", lambda k, n_relevant, divisor: divisor == n_relevant < k, "Compute the smaller of K and R."),
    ),
    lambda k, n_relevant, divisor: f"The sum is 1, so the divisor is {divisor}. K is {k}, R is {n_relevant}, and the smaller of the two is {min(k, n_relevant)}.", level="explain",
)  # fmt: skip


def macro_and_micro(first, second):
    """By how much the first tool leads in the mean of shares, and in the share of all; each goal is (hits, suggestions)."""
    macro = lambda goals: sum(Fraction(*goal) for goal in goals)
    micro = lambda goals: Fraction(sum(hits for hits, _ in goals), sum(made for _, made in goals))
    return macro(first) - macro(second), micro(first) - micro(second)


TWO_MEANS = Choice(
    "avg-which-mean", lambda first, second: f"Tool A has {some(first[0][0], 'hit', 'hits')} among {first[0][1]} suggestions for the first of two goals, and {first[1][0]} among {first[1][1]} for the second. Tool B has {some(second[0][0], 'hit', 'hits')} among {second[0][1]} for the first goal, and {second[1][0]} among {second[1][1]} for the second. Which tool has the higher precision by the macro mean, and which by the micro mean?",
    grid("tools", every=True, first=[((a, 2), (b, 10)) for a in (1, 2) for b in (2, 3, 4)], second=[((a, 4), (b, 8)) for a in (1, 2, 3) for b in (2, 3, 5)]),
    (
        ("A by both", lambda first, second: min(macro_and_micro(first, second)) > 0, "Compute the two shares of each tool, and all hits over all suggestions."),
        ("B by both", lambda first, second: max(macro_and_micro(first, second)) < 0, "Compute the two shares of each tool, and all hits over all suggestions."),
        ("A by the macro mean, B by the micro mean", lambda first, second: macro_and_micro(first, second)[0] > 0 > macro_and_micro(first, second)[1], "Which mean counts each goal the same?"),
        ("B by the macro mean, A by the micro mean", lambda first, second: macro_and_micro(first, second)[0] < 0 < macro_and_micro(first, second)[1], "Which mean counts each goal the same?"),
    ),
    lambda first, second: " ".join(f"{name}: the shares are {a[0]}/{a[1]} and {b[0]}/{b[1]}, and over all {a[0] + b[0]}/{a[1] + b[1]}." for name, (a, b) in (("A", first), ("B", second))),
    objective=2, minutes=4,
)  # fmt: skip

# ---- Order, gain, the long tail ----------------------------------------------------------------------------------

AUC_EVENTS = "one more relevant item is put at its top", "one more relevant item is appended to its end", "its last two items change places"


def auc_changes(relevance, event):
    changed = ((1, *relevance), (*relevance, 1), (*relevance[:-2], relevance[-1], relevance[-2]))[event]
    return d.auc(changed) - d.auc(relevance)


AUC_EVENT = Choice(
    "auc-what-happens", lambda relevance, event: f"A ranking of all items is {written(relevance)} (1 means relevant, best first). Then {AUC_EVENTS[event]}. What happens to AUC?",
    rankings(6, at_least=6).mixed().where("two or three hits", lambda relevance: 2 <= sum(relevance) <= 3).with_each("events", "event", range(3), every=True),
    signed(auc_changes, ("it falls", "Which new pairs are in the wrong order?"), ("it stays the same", "How many pairs are there now, and how many of them are in the right order?"),
        ("it rises", "Which new pairs are in the right order?")),
    lambda event: ("The new hit is above all irrelevant items, so its pairs are in the right order; only a perfect list cannot rise.", "The new hit is below all irrelevant items, so its pairs are in the wrong order; only the worst list cannot fall.",
        "If one of the two is a hit, one pair changes its order.")[event], objective=3, varies=lambda event: event,
)  # fmt: skip

CUT = Choice(
    "premise-stop-early", lambda relevance, k: f"A tool suggests a list in which 1 marks a premise that the proof requires: {written(relevance)}. It now stops after {k} suggestions. What happens to its “rank”, the mean number of suggestions above a required one?",
    rankings(6, at_least=6).with_cutoff().where("2 to 4 hits, cut", lambda relevance, k: 2 <= sum(relevance) <= 4 and 2 <= k <= 4 and any(relevance[:k])),
    signed(lambda relevance, k: d.mean_rank(relevance) - d.mean_rank(relevance[:k]), ("it gets worse", "A lower number is better. Which required ones are left in the list?"),
        ("it does not change", "Has the cut taken away a required one?"), ("it gets better", "Has the cut taken away a required one? Only those in the list count.")),
    lambda relevance, k: f"Before: the mean over {sum(relevance)} required ones; after: over {sum(relevance[:k])}, those nearest to the top.", objective=4,
)  # fmt: skip

IDEAL = Choice(
    "ndcg-which-ideal", lambda shown, missed: f"A tool returns three items with the grades {plain(shown)}. It misses items with the grades {plain(missed)}. All others have grade 0. By the DCG of which list is DCG@3 divided?",
    grid("grades", every=True, shown=[(1, 0, 2), (0, 2, 1), (1, 0, 0), (0, 1, 0), (2, 0, 0), (0, 2, 0), (0, 0, 1), (1, 0, 1)], missed=[(3,), (2, 1), (3, 1), (3, 2), (2, 2)]),
    (
        (lambda shown, missed: plain(tuple(sorted(shown + missed, reverse=True)[:3])), True, ""),
        (lambda shown: plain(tuple(sorted(shown, reverse=True))), False, "This list has only what the tool returned. What would the best tool return?"),
        (lambda shown, missed: plain((1,) * min(3, sum(map(bool, shown + missed))) + (0,) * (3 - min(3, sum(map(bool, shown + missed))))), False, "The grades of the ideal are those of the items."),
        (lambda shown, missed: plain(tuple(sorted(shown + missed, reverse=True)[:3])[::-1]), False, "In which order does the ideal have them?"),
    ),
    lambda shown, missed: f"The best list of three has the largest grades of all items, {plain(tuple(sorted(shown + missed, reverse=True)[:3]))}, the best first.", objective=2, minutes=3,
)  # fmt: skip


def gains(i, s):
    """What AP, ERR and nDCG gain from a move from rank i + 1 to i, with s hits above, up to a factor that both lists share."""
    stops = Fraction(1, 2) ** (s + 1)
    return {"AP": Fraction(s + 1, i * (i + 1)), "ERR": stops * Fraction(1, i * (i + 1)), "nDCG": 1}


COMPANY = Choice(
    "dcg-who-minds-company", lambda i, s, more: f"In two lists for the same goal a hit moves from rank {i + 1} to rank {i}, past an irrelevant item. In the first list {some(s, 'hit is', 'hits are')} above it, in the second none. Which metric rewards the move in the first list {'more' if more else 'less'} than the move in the second?",
    grid("moves", i=range(3, 9), s=(1, 2), more=(0, 1)).where("not the vote dcg-company", lambda i, s: (i, s) != (3, 2)),
    tuple((name, lambda i, s, more, name=name: gains(i, s)[name] != gains(i, 0)[name] and (gains(i, s)[name] > gains(i, 0)[name]) == bool(more), feedback) for name, feedback in (
        ("AP", "AP numbers the hits from the top. Does the third hit count less than the first?"),
        ("ERR", "The reader of ERR may have stopped at a hit above. Is the move then worth more?"),
        ("nDCG", "What does nDCG know about the items above?"))) + (("none of them, since the ranks are the same", False, "Which of these metrics look at the items above?"),),
    lambda s, more: f"AP multiplies by the number of the hit, here {s + 1}; the reader of ERR is less likely to get there; nDCG looks at the rank alone.", objective=5,
)  # fmt: skip


def spread(scores, relevance, k):
    """By how many hits the first k can differ between two orders of the tied items."""
    found = {sum(order[:k]) for order in d.orders_of_ties(relevance, scores)}
    return max(found) - min(found)


TIES = Choice(
    "tie-how-much", lambda scores, relevance, k: f"Five items have the scores {plain(scores)}, and those marked 1 are relevant: {written(relevance)}. By how much can P@{k} differ between two orders of the tied items?",
    grid("ties", every=True, scores=[(3, 2, 2, 2, 1), (2, 2, 1, 1, 1), (3, 3, 3, 2, 1), (2, 1, 1, 1, 1)], relevance=[r for r in product((0, 1), repeat=5) if 2 <= sum(r) <= 3], k=(2, 3)),
    tuple((words, lambda scores, relevance, k, least=least: spread(scores, relevance, k) == least, "Which tied items can be among the first, and how many of them must be?")
          for words, least in (("not at all", 0), ("by one hit", 1), ("by two hits", 2))),
    lambda scores, relevance, k: f"The number of hits among the first {k} is {min(sum(order[:k]) for order in d.orders_of_ties(relevance, scores))} at least and {max(sum(order[:k]) for order in d.orders_of_ties(relevance, scores))} at most.",
)  # fmt: skip


def overall(common, share):
    """P@10 of a tool by its precision among common and rare predictions, in per cent, and the share of common ones, in tenths."""
    return share * common[0] + (10 - share) * common[1]


IN_EACH = Choice(
    "tail-better-in-each", lambda first, a, second, b: f"Tool A is right in {first[0]}% of its common predictions and in {first[1]}% of its rare ones, tool B in {second[0]}% of its common ones and in {second[1]}% of its rare ones. Of ten predictions, A makes {a} common ones, and B makes {b}. Which has the higher P@10?",
    grid("tools", every=True, first=[(50, 20), (60, 30), (40, 10)], a=(2, 3, 4), second=[(40, 10), (50, 20), (30, 10)], b=(7, 8, 9)).where("A better in each", lambda first, second: first[0] > second[0] and first[1] > second[1]),
    (
        ("A", lambda first, a, second, b: overall(first, a) > overall(second, b), "How many predictions of each kind does each tool make?"),
        ("B", lambda first, a, second, b: overall(first, a) < overall(second, b), "Weigh each share by the number of predictions."),
        ("neither: they are equal", lambda first, a, second, b: overall(first, a) == overall(second, b), "Weigh each share by the number of predictions."),
    ),
    lambda first, a, second, b: f"A has {overall(first, a)} hits in a thousand predictions, and B {overall(second, b)}.", objective=3, minutes=4,
)  # fmt: skip

# ---- A real library ----------------------------------------------------------------------------------------------

CEILING = Choice(
    "lib-what-can-be-one", lambda sizes: f"Three goals have {plain(sizes)} premises. A perfect tool ranks all premises of a goal first. Which of its values are 1 on all three goals?",
    grid("goals", every=True, sizes=[(3, 7, 9), (2, 4, 20), (12, 15, 40), (10, 10, 10), (1, 10, 5), (10, 11, 30), (6, 25, 10), (2, 3, 5), (10, 18, 12), (11, 9, 10), (14, 22, 16), (8, 8, 10)]),
    (
        ("P@10 alone", lambda sizes: min(sizes) >= 10 and max(sizes) > 10, "A goal with fewer than ten premises cannot fill ten places."),
        ("recall@10 alone", lambda sizes: max(sizes) <= 10 and min(sizes) < 10, "More than ten premises do not fit into ten places."),
        ("both", lambda sizes: set(sizes) == {10}, "Is there a goal with more or fewer than ten premises?"),
        ("neither", lambda sizes: min(sizes) < 10 < max(sizes), "Compute both for the goal with the most premises, and for that with the fewest."),
    ),
    lambda sizes: f"P@10 is 1 if no goal has fewer than ten premises (the fewest are {min(sizes)}), recall@10 if none has more (the most are {max(sizes)}).", objective=2,
)  # fmt: skip

FUSED = Choice(
    "seven-which-first", lambda r, s, t, u: f"Fusion gives a statement at ranks r and s of two lists the score 1/(20 + r) + 1/(20 + s). One statement is at ranks {r} and {s}, another at {t} and {u}. Which comes first?",
    grid("ranks", r=(1, 2, 3), s=(30, 60, 100), t=(8, 12, 20), u=(8, 12, 20)),
    larger(lambda r, s, t, u: Fraction(1, 20 + r) + Fraction(1, 20 + s) - Fraction(1, 20 + t) - Fraction(1, 20 + u),
        "One good rank is worth at most 1/21. What do two middling ranks add up to?", "Compute the better rank of each first.", "Compute both sums."),
    lambda r, s, t, u: f"1/{20 + r} + 1/{20 + s} against 1/{20 + t} + 1/{20 + u}.", objective=3, minutes=4,
)  # fmt: skip


def both_metrics(first, second):
    return d.average_precision(first) - d.average_precision(second), d.auc(first) - d.auc(second)


PREFERS = Choice(
    "disagree-who-prefers", lambda first, second: f"Two tools rank the same eight items, two of them relevant (1 means relevant, best first): {written(first)} and {written(second)}. Which list has the larger AP, and which the larger AUC?",
    table("a hit at the top and one far down, against two in the middle, and the other way round", ("first", "second"), *(pair[::turn] for turn in (1, -1) for pair in product(
        [(1, *(int(rank == k) for rank in range(2, 9))) for k in (5, 6, 7, 8)],
        [tuple(int(rank in pair) for rank in range(1, 9)) for pair in ((2, 3), (2, 4), (3, 4), (2, 5), (3, 5), (4, 6))]))),
    (
        ("the first by both", lambda first, second: min(both_metrics(first, second)) > 0, "Count the pairs in the wrong order."),
        ("the second by both", lambda first, second: max(both_metrics(first, second)) < 0, "What is a hit at rank 1 worth to AP?"),
        ("the first by AP, the second by AUC", lambda first, second: both_metrics(first, second)[0] > 0 > both_metrics(first, second)[1], "Which metric values the top, and which every place the same?"),
        ("the second by AP, the first by AUC", lambda first, second: both_metrics(first, second)[0] < 0 < both_metrics(first, second)[1], "Which metric values the top, and which every place the same?"),
    ),
    lambda first, second: f"AP is {d.average_precision(first)} against {d.average_precision(second)}, and AUC is {d.auc(first)} against {d.auc(second)}.", objective=2, minutes=5,
)  # fmt: skip

PURPOSE = Choice(
    "disagree-for-whom", lambda who: f"{who} Which metric would you report?",
    table("purposes", ("who", "right"),
        ("A user of a search page looks for one known page, and stops when it is found.", "reciprocal rank"),
        ("A voice assistant reads out its answers one by one, until one is right.", "reciprocal rank"),
        ("A program looks up a misspelt name in a list, and takes the first that fits.", "reciprocal rank"),
        ("A prover is given the first hundred lemmas, and needs as many of the right ones as possible; their order does not matter to it.", "recall at 100"),
        ("A first stage passes a hundred documents to a slow model that ranks them anew.", "recall at 100"),
        ("A hundred candidates are interviewed, all of them, and no suitable one should be missed.", "recall at 100"),
        ("Customers see ten films in a row, with grades from 0 to 3, and look at the first ones most.", "nDCG at 10"),
        ("Judges gave documents grades from 0 to 4, and readers look at the first screen.", "nDCG at 10"),
        ("A shop shows ten articles; some fit exactly, some nearly, and the first places are seen most.", "nDCG at 10"),
        ("A list is read to the end by somebody, and a random item of each kind is compared: how often is the relevant one above?", "AUC"),
        ("A risk score orders all patients, and no part of the order is more important than another.", "AUC"),
        ("Two scores are compared by how well they separate two classes, whatever the cutoff will be.", "AUC")),
    one_of("right", ("reciprocal rank", "It looks at the first hit alone. Is one hit enough here?"), ("recall at 100", "It does not see the order of the first hundred. Does the order matter here?"),
        ("nDCG at 10", "It needs grades, or at least readers who look at the top most. Are they like that?"), ("AUC", "It counts each place the same, also the last ones. Does anybody read so far?")),
    lambda right: f"Ask who reads how far, whether order matters, and whether one hit is enough: {right}.", objective=4, level="choose",
)  # fmt: skip

EXCHANGE = Choice(
    "rc-which-exchange", lambda n, i, j: f"One order of {n} tools differs from a reference by an exchange of the tools at ranks {i} and {i + 1}, another by an exchange at ranks {j} and {j + 1}. Which coefficient says that the first order is nearer to the reference?",
    grid("exchanges", n=range(5, 9), i=range(1, 7), j=range(1, 7)).where("different", lambda n, i, j: i != j and max(i, j) < n),
    (
        ("AP correlation, and not Kendall's tau", lambda i, j: i > j, "Where does an exchange cost AP correlation more?"),
        ("Kendall's tau, and not AP correlation", False, "How many pairs does each exchange turn?"),
        ("both", False, "How many pairs does each exchange turn?"),
        ("neither of the two", lambda i, j: i < j, "Is the first exchange further down? Then AP correlation minds it less."),
    ),
    lambda i, j: f"Each turns one pair, so tau is the same. AP correlation loses less further down, and the first exchange is {'further down' if i > j else 'nearer to the top'}.", objective=2,
)  # fmt: skip

SENTENCE = Choice(
    "diff-which-sentence", lambda p, comparisons: f"You compare {comparisons} pairs of tools on the same goals, and one pair has p = {p / 1000:.3f}, uncorrected. The level is 0.05. Which sentence may you write about this pair?",
    grid("tests", p=(1, 2, 4, 6, 9, 20, 30, 45, 60, 120, 300), comparisons=(2, 5, 10)),
    (
        ("The difference is significant, also after Bonferroni's correction.", lambda p, comparisons: p * comparisons <= 50, "Multiply p by the number of comparisons."),
        ("It would be significant alone, but not after Bonferroni's correction.", lambda p, comparisons: p <= 50 < p * comparisons, "Multiply p by the number of comparisons, and compare both with 0.05."),
        ("The data do not show a difference.", lambda p, comparisons: p > 50, "Compare p with the level."),
        ("The tools are equally good.", False, "Is a difference that was not shown a difference of zero?"),
    ),
    lambda p, comparisons: f"p is {p / 1000:.3f}, and {comparisons} times p is {p * comparisons / 1000:.3f}.", objective=2, level="explain",
)  # fmt: skip

MIX = Choice(
    "again-mix-or-tool", lambda leads, after_leads, short, after_short: f"In one library a tool leads by {leads[0]} on short proofs and by {leads[1]} on long ones, in another by {after_leads[0]} on short ones and by {after_leads[1]} on long ones. Of ten goals, {short} have short proofs in the first library, and {after_short} in the second. By what is its mean lead changed from the first library to the second?",
    grid("libraries", every=True, leads=[(4, 1), (5, 2), (3, -1)], after_leads=[(4, 1), (5, 2), (3, -1), (6, 3)], short=(8, 5), after_short=(8, 5, 2)),
    (
        ("by the mix of goals alone", lambda leads, after_leads, short, after_short: leads == after_leads and short != after_short, "Are the leads on each kind of goal the same in both libraries?"),
        ("by the leads within the kinds alone", lambda leads, after_leads, short, after_short: leads != after_leads and short == after_short, "Is the share of short proofs the same in both libraries?"),
        ("by both", lambda leads, after_leads, short, after_short: leads != after_leads and short != after_short, "Compare the shares, and then the leads on each kind."),
    ),
    lambda short, after_short: f"The mix {'changes' if short != after_short else 'is the same'}; compare the leads on short proofs, and on long ones.", objective=2,
)  # fmt: skip

# ---- The field today, and the appendix ---------------------------------------------------------------------------

KAPPA = Choice(
    "judge-which-kappa", lambda agreed, first, second: f"Two pairs of assessors look at a hundred items each, and both pairs agree on {agreed}. In the first pair each assessor calls {first} items relevant, in the second pair each calls {second}. Which pair has the larger kappa?",
    grid("pairs", agreed=(80, 84, 90), first=(10, 20, 30, 50), second=(10, 20, 30, 50)).where("possible", lambda agreed, first, second: 100 - agreed <= 2 * min(first, second)),
    larger(lambda first, second: (first**2 + (100 - first) ** 2) * -1 + second**2 + (100 - second) ** 2, "How often would luck alone make them agree?",
        "How often would luck alone make them agree?", "Equal agreement is not equal kappa. How often would luck alone make each pair agree?"),
    lambda first, second: f"By luck the pairs agree with probability {first}²/100² + {100 - first}²/100² and {second}²/100² + {100 - second}²/100²; the less luck, the larger kappa.", objective=2,
)  # fmt: skip

CLICKS = Choice(
    "rd-which-is-relevant", lambda c, e, f, g: f"Two items were shown a thousand times each. The first, which {e} of ten readers examine, has {c} clicks; the second, which {g} of ten examine, has {f}. A reader who examines an item clicks if it is relevant to her. Which item is relevant to more readers?",
    grid("clicks", c=(60, 90, 120, 200), e=(10, 6, 4), f=(20, 30, 40, 60), g=(1, 2, 3)),
    larger(lambda c, e, f, g: Fraction(c, e) - Fraction(f, g), "It has more clicks. How many readers looked at it?", "Fewer readers looked at it. Divide by how many did.", "Divide the clicks by the share of readers who look."),
    lambda c, e, f, g: f"{c} clicks of {e} in ten are {c}/{e} for each tenth of the readers, and {f} of {g} in ten are {f}/{g}.", objective=2,
)  # fmt: skip

MEANS = Choice(
    "many-which-is-larger", lambda sizes, means: f"Three machines hold {plain(sizes)} goals, with the mean values {plain(means)}. How does the mean of these three means compare with the mean of all goals?",
    grid("machines", every=True, sizes=[(1, 2, 3), (10, 20, 30), (5, 5, 5), (4, 4, 10), (2, 8, 2)], means=[(50, 40, 30), (30, 40, 50), (40, 40, 40), (60, 30, 30)]),
    signed(lambda sizes, means: Fraction(sum(means), 3) - Fraction(sum(n * mean for n, mean in zip(sizes, means)), sum(sizes)),
        ("it is smaller", "Which machine counts for more than its goals?"), ("it is equal", "Are the machines equally large, or their means equal?"), ("it is larger", "Which machine counts for more than its goals?")),
    lambda sizes, means: f"The mean of means is {Fraction(sum(means), 3)}, and the mean of all is {Fraction(sum(n * mean for n, mean in zip(sizes, means)), sum(sizes))}.",
)  # fmt: skip

CHOICES = {
    "precision-and-recall": (ONE_MORE, RECALL), "f-and-e": (WHICH_F, BETA), "from-sets-to-rankings": (READER,), "average-precision": (AP_EVENT, AP_SWAPS),
    "areas-under-the-curve": (LIFTED,), "r-precision": (SIDE,), "ap-at-k": (FOUND_ONE, DIVISOR), "averaging": (TWO_MEANS,), "order-and-auc": (AUC_EVENT,),
    "premise-selection-metrics": (CUT,), "discounted-gain": (IDEAL, COMPANY), "ties-and-samples": (TIES,), "long-tail": (IN_EACH,), "a-library-as-data": (CEILING,),
    "seven-predictors": (FUSED,), "the-metrics-disagree": (PREFERS, PURPOSE), "rank-correlation": (EXCHANGE,), "is-the-difference-real": (SENTENCE,),
    "does-it-replicate": (MIX,), "judges-that-err": (KAPPA,), "readers-and-clicks": (CLICKS,), "one-machine-to-many": (MEANS,),
}  # fmt: skip
