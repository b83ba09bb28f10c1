"""Each variant of each exam question, read from its printed words alone, and computed anew: by a definition, or by counting sets, pairs, orders.

A story that cannot be, such as more hits than places, fails, whatever its solution says.
"""

import re
from fractions import Fraction
from functools import partial
from itertools import combinations, product
from math import comb, prod

import pytest

from metrics.course.beliefs import telling
from metrics.course.chapters import CHAPTERS, chapter
from metrics.exact import definitions as d

QUESTIONS = [each for name in CHAPTERS for each in chapter(name).QUESTIONS]


def mean(values):
    values = list(values)
    return sum(values, Fraction(0)) / len(values)


def in_a_library(N, R, n, h):
    """tp, fp, fn, tn."""
    counts = h, n - h, R - h, N - n - R + h
    assert min(counts) >= 0, "no such sets"
    return counts


def precision(n, h):
    assert 0 <= h <= n, "no such sets"
    return d.precision(h, n - h)


def f(n, h, missing, beta=1):
    return d.weighted_harmonic_mean(precision(n, h), precision(h + missing, h), 1 / Fraction(1 + beta**2))


def ap(ranking, R=None):
    assert sum(ranking) <= (sum(ranking) if R is None else R)
    return d.average_precision(ranking, R)


def of_top(metric, ranking, R, k, **more):
    assert sum(ranking) <= R and k <= len(ranking)
    return metric(ranking, k, n_relevant=R, **more)


def swapped(order, a, b):
    order = list(order)
    order[a - 1], order[b - 1] = order[b - 1], order[a - 1]
    return order


TENTHS = [Fraction(k, 10) for k in range(11)]


def kappa_of_counts(n, agreed, share):
    """Of two assessors of n items who agree about a share of them and call the same share relevant: by their labels."""
    b = int(n * (1 - agreed) / 2)
    a = int(n * share) - b
    assert a >= 0 and n - a - 2 * b >= 0, "no such table"
    return d.cohen_kappa([1] * (a + b) + [0] * (n - a - b), [1] * a + [0] * b + [1] * b + [0] * (n - a - 2 * b))


def gain_over_effort(ranking, *going_on):
    """By the rank that is the last one read: what is found by then on average, over how many items are read."""
    last = d.last_read([*going_on, 0])
    assert sum(last) == 1 and len(ranking) == len(last)
    return sum(end * sum(ranking[:k]) for k, end in enumerate(last, 1)) / sum(end * k for k, end in enumerate(last, 1))


def spread(e, r):
    """The variance of one over e for a click and 0 for none, from the two squared distances."""
    return e * r * (1 / e - r) ** 2 + (1 - e * r) * r**2


def times_as_relevant(e, clicks, f, further):
    """How many times as relevant the second item is: by the relevance with which so many impressions have these clicks."""
    shown = 1000
    one, other = clicks / (shown * e), further / (shown * f)
    assert max(one, other) <= 1, "no such probabilities"
    return other / one


def credit(one, other, *clicked):
    """What the second tool drafts on average of what is clicked, round by round."""
    if not one:
        return Fraction(0)
    totals = []
    for lists in ((one, other), (other, one)):
        a, left = lists[0][0], lists[1]
        b = next((each for each in left if each != a), None)
        own = b if lists[0] is one else a
        rest = [[each for each in ranked if each not in (a, b)] for ranked in (one, other)]
        totals.append((own in clicked) + credit(*rest, *clicked))
    return mean(totals)


def the_only(values):
    [value] = set(values)
    return value


def moved(N, old, new):
    assert new < old <= N
    return d.auc([k == new for k in range(1, N + 1)]) - d.auc([k == old for k in range(1, N + 1)])


def open_auc(N, R, K, h, first, last):
    assert (first, last) == (1, h) and h <= K
    found = [d.auc([k <= h or k in below for k in range(1, N + 1)]) for below in combinations(range(K + 1, N + 1), R - h)]
    return max(found) - min(found)


def in_a_tie(size, hits, k):
    assert k <= size
    return [Fraction(sum(each in range(hits) for each in top), k) for top in combinations(range(size), k)]


def rare(alone, beside, without, needless, k):
    """The mean over the goals that need something rare, of the suggestions that are rare."""
    goals = [({"x"}, {"x"})] * alone + [({"x"}, {"x", "y"})] * beside + [({"x"}, set())] * without + [(set(), {"y"})] * needless
    return mean(mean(each in wanted for each in made) if made else Fraction(0) for wanted, made in goals if wanted)


def mixed(common, right, rare_right):
    size = common.denominator * right.denominator * rare_right.denominator
    labels = size * common
    return (labels * right + (size - labels) * rare_right) / size


def fallback(failing, goals, old, new):
    reached = [1] * (goals - failing)
    return mean(reached + [new] * failing) - mean(reached + [old] * failing)


def tie_of_groups(ahead, behind):
    """Where the straight line from one lead to the other is 0."""
    return the_only(w for bottom in range(1, 25) for w in [Fraction(top, bottom) for top in range(bottom)] if ahead + w * (-behind - ahead) == 0)


def ap_tau(order):
    return d.ap_correlation([-each for each in sorted(order)], [-1 - order.index(each) for each in sorted(order)])


def flipped(*leads):
    sums = [abs(sum(map(prod, zip(signs, leads)))) for signs in product((1, -1), repeat=len(leads))]
    return mean(each >= abs(sum(leads)) for each in sums)


def holm(*p):
    return max(min(1, (3 - k) * each) for k, each in enumerate(sorted(p)[:2]))


# Of each question a function of its rankings, as lists, and then of its other numbers, in their order.
BY_HAND = {
    "pr-precision": lambda *n: d.precision(*in_a_library(*n)[:2]),
    "pr-recall": lambda *n: d.recall(*in_a_library(*n)[:3:2]),
    "pr-another-library": lambda hits, misses, times: d.precision(hits, misses * times),
    "pr-blind-accuracy": lambda N, R, *n: d.accuracy(0, 0, *in_a_library(N, R, 0, 0)[2:]),
    "f-by-hand": f,
    "f-two": f,
    "f-from-jaccard": lambda j: f(j.denominator, j.numerator, 0),
    "rank-precision-at": lambda *given: of_top(lambda ranking, k, n_relevant: d.precision_at(ranking, k), *given),
    "rank-recall-at": partial(of_top, d.recall_at),
    "rank-next-precision": lambda k, hits, then: mean(([1] * hits + [0] * (k - hits) + [1])[:then]),
    "ap-by-hand": ap,
    "ap-gain-of-a-swap": lambda ranking, a, b, R: ap(swapped(ranking, a, b), R) - ap(ranking, R),
    "ap-one-more-judgement": lambda ranking, R: ap(ranking, R) - ap(ranking, R + 1),
    "interpolated-area": d.interpolated_average_precision,
    "trapezoidal-area": lambda ranking, R, *_: d.trapezoidal_area(ranking, R),
    "which-area-is-larger": lambda ranking, R: d.interpolated_average_precision(ranking, R) - ap(ranking, R),
    "r-precision-by-hand": lambda ranking, R: of_top(d.recall_at, ranking, R, R),
    "precision-at-full-recall": lambda ranking: d.precision_at_recall(ranking, 1),
    "wrong-pairs": d.inversions,
    "apk-ideal": lambda ranking, R, k, _: of_top(d.average_precision_at, ranking, R, k, denominator="ideal"),
    "apk-relevant": partial(of_top, d.average_precision_at, denominator="relevant"),
    "apk-retrieved": lambda ranking, R, k, _: ap(ranking[:k]),
    "macro-precision": lambda n, h, m, i: mean([precision(n, h), precision(m, i)]),
    "micro-precision": lambda n, h, m, i: precision(n + m, h + i),
    "mean-without-undefined": lambda n, h, m, i, *_: mean([precision(n, h), precision(m, i)]),
    "bpref-by-hand": lambda judged: d.bpref([each == "r" for each in judged], judged=[each in ("r", "n") for each in judged]),
    "auc-by-hand": d.auc,
    "auc-from-mean-rank": lambda R, N, rank: the_only(
        d.auc([k in ranks for k in range(1, N + 1)]) for ranks in combinations(range(1, N + 1), R) if mean(ranks) == rank
    ),
    "reciprocal-rank": d.reciprocal_rank,
    "premise-recall": d.premise_recall,
    "premise-rank": d.premise_rank,
    "premise-auc": d.premise_auc,
    "premise-cut": lambda made, needed, k: d.premise_recall(made[:k], needed),
    "premise-recall-cap": lambda *n: mean(d.recall_at([1] * R, n[3], R) if R > n[3] else Fraction(1) for R in n[:3]),
    "dcg-by-hand": lambda grades: Fraction(d.dcg(grades)).limit_denominator(100),
    "ndcg-at-one": lambda shown, missed: Fraction(d.ndcg(shown, 1, ideal=[*shown, missed])).limit_denominator(100),
    "rbp-by-hand": d.rank_biased_precision,
    "err-by-hand": lambda grades, _, most: d.expected_reciprocal_rank(grades, most),
    "rbp-left-open": lambda n, p: 1 - d.rank_biased_precision([1] * n, p),
    "tie-precision": lambda *n: mean(in_a_tie(*n)),
    "tie-spread": lambda *n: max(in_a_tie(*n)) - min(in_a_tie(*n)),
    "rank-in-a-sample": lambda above, N, n: 1 + Fraction(sum(j * comb(above, j) * comb(N - above, n - j) for j in range(n + 1)), comb(N, n)),
    "tail-decile-of-mass": lambda *uses: d.frequency_deciles(dict(zip(uses[:-1], uses)), equal="mass")[uses[-1]],
    "tail-by-decile": rare,
    "tail-adds-up": mixed,
    "tail-fallback": fallback,
    "disagree-one-move": moved,
    "disagree-auc-open": open_auc,
    "disagree-tie": tie_of_groups,
    "disagree-stops-early": lambda ranking, k: ap(ranking) - ap(ranking[:k], sum(ranking)),
    "rc-tau-by-hand": lambda order, n, *_: d.kendall_tau(range(1, n + 1), order),
    "rc-ap-correlation-by-hand": lambda order, n, *_: ap_tau(order),
    "rc-cost-of-an-exchange": lambda n, a, b, _: 1 - ap_tau(swapped(range(1, n + 1), a, b)),
    "rc-overlap-by-hand": lambda one, other, _, p: d.rank_biased_overlap(one, other, p),
    "judge-kappa": lambda a, b, c, e: d.cohen_kappa([1] * (a + b) + [0] * (c + e), [1] * a + [0] * b + [1] * c + [0] * e),
    "judge-prevalence": lambda agreed, share: kappa_of_counts(200, agreed, share),
    "judge-share": lambda tpr, fpr, seen: the_only(p for p in TENTHS if p * tpr + (1 - p) * fpr == seen),
    "judge-difference": lambda p, q, tpr, fpr: (p * tpr + (1 - p) * fpr) - (q * tpr + (1 - q) * fpr),
    "rd-value-by-hand": gain_over_effort,
    "rd-variance": spread,
    "rd-position-bias": times_as_relevant,
    "rd-credit": credit,
    "difference-in-the-sentence": lambda *n: abs(mean(n[:5]) - mean(n[5:])),
    "p-by-flipping": flipped,
    "p-by-holm": holm,
    "p-with-ties": lambda *n: flipped(*n[:4], *[0] * n[4]),
}


ROW = r"(?<!\S)[\w?](?: [\w?](?![\w'])){2,}"  # a ranking: 1 0 1, or a b c


def read(text):
    """The rankings in a text, the letters that are required, and the other numbers, without what stands in brackets or is a name."""
    text = re.sub(r" \(.*?\)(/4)?|P@10", "", text)
    rankings = [each.split() for each in re.findall(ROW, text)]
    required = [{*re.findall(r"\b[a-z]\b", words)} for words in re.findall(r"requires ([^.;]+)", text)]
    numbers = [Fraction(each) for each in re.findall(r"(?<![\w^])-?\d+(?:/[1-9]\d*|\.\d+)?", re.sub(ROW, "", text))]
    return [*([int(each) if each.isdigit() else each for each in ranking] for ranking in rankings), *required,
            *(int(each) if each.denominator == 1 else each for each in numbers)]  # fmt: skip


def computed(words):
    """A sum, a product or a fraction as a way to an answer prints it."""
    return eval(re.sub(r"\d+", r"Fraction(\g<0>)", words.replace("·", "*").replace("^", "**")))


@pytest.mark.parametrize("each", QUESTIONS, ids=lambda each: each.name)
def test_each_variant_is_right_by_its_words(each):
    for case, [(right, _), *_] in telling(each):
        asked, way = each.asked(case), each.explained(case)
        assert BY_HAND[each.name](*read(asked)) == right, asked
        for sides in re.findall(r"[\d(][-\d/·()+^ ]*(?: = [-\d(][-\d/·()+^ ]*)+", way):
            assert len(set(map(computed, sides.split(" = ")))) == 1, way
