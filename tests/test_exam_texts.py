"""Each variant of each exam question, read from its printed words and computed anew: by counting sets, pairs, orders, in no other code's way.

A story that cannot be, such as more hits than places, cannot be built here: it fails, whatever its solution says.
"""

import re
from fractions import Fraction
from itertools import combinations, product
from math import comb, prod

import pytest

from metrics.course.beliefs import telling
from metrics.course.chapters import CHAPTERS, chapter

QUESTIONS = [each for name in CHAPTERS for each in chapter(name).QUESTIONS]


def mean(values):
    values = list(values)
    return sum(values, Fraction(0)) / len(values)


def tables(n, h, missing=0, others=0):
    """Suggested and wanted items, of which h are in both, out of all."""
    assert 0 <= h <= n and min(missing, others) >= 0, "no such sets"
    return set(range(n)), set(range(n - h, n + missing)), set(range(n + missing + others))


def in_a_library(N, R, n, h):
    return tables(n, h, R - h, N - n - R + h)


def precision(suggested, wanted, _=()):
    return Fraction(len(suggested & wanted), len(suggested))


def f(n, h, missing, beta=1):
    suggested, wanted, _ = tables(n, h, missing)
    p, r = precision(suggested, wanted), precision(wanted, suggested)
    return (1 + beta**2) * p * r / (beta**2 * p + r)


def jaccard_to_f(j):
    one, other, _ = tables(j.denominator, j.numerator)
    assert Fraction(len(one & other), len(one | other)) == j
    return 2 * Fraction(len(one & other), len(one) + len(other))


def at(ranking, R, k):
    assert sum(ranking) <= R and k <= len(ranking)
    return sum(ranking[:k])


def ap(ranking, R=None):
    """Each two hits, and each hit with itself, add 1 over the later rank."""
    ranks, R = [k for k, hit in enumerate(ranking, 1) if hit], sum(ranking) if R is None else R
    assert len(ranks) <= R
    return mean([Fraction(1, max(pair)) for pair in [*combinations(ranks, 2), *zip(ranks, ranks)]] + [0]) * (comb(len(ranks) + 1, 2) + 1) / R


def swapped(order, a, b):
    order = list(order)
    order[a - 1], order[b - 1] = order[b - 1], order[a - 1]
    return order


def curve(ranking, R):
    return [(Fraction(sum(ranking[:k]), R), Fraction(sum(ranking[:k]), k)) for k in range(1, len(ranking) + 1)]


def interpolated(ranking, R):
    return mean(max([p for recall, p in curve(ranking, R) if recall * R >= j], default=0) for j in range(1, R + 1))


def trapezoidal(ranking, R):
    points = [(0, 1), *curve(ranking, R)]
    return sum((x - w) * Fraction(y + z) / 2 for (w, z), (x, y) in zip(points, points[1:]))


def auc(ranking):
    """The share of pairs of a hit and a miss in which the hit stands first."""
    return mean(first > second for first, second in combinations(ranking, 2) if first != second)


def the_only(values):
    [value] = set(values)
    return value


def auc_of_mean(R, N, rank):
    return the_only(auc([k in ranks for k in range(1, N + 1)]) for ranks in combinations(range(1, N + 1), R) if mean(ranks) == rank)


def moved(N, old, new):
    assert new < old <= N
    return auc([k == new for k in range(1, N + 1)]) - auc([k == old for k in range(1, N + 1)])


def open_auc(N, R, K, h, first, last):
    assert (first, last) == (1, h) and h <= K
    found = [auc([k <= h or k in below for k in range(1, N + 1)]) for below in combinations(range(K + 1, N + 1), R - h)]
    return max(found) - min(found)


def bpref(judged):
    R, most = judged.count("r"), min(judged.count("r"), judged.count("n"))
    return mean(1 - Fraction(min(judged[:k].count("n"), R), most) for k, each in enumerate(judged) if each == "r")


def last_found(suggested, required):
    """The shortest list that has them all, or one more than there is."""
    return next((k for k in range(len(suggested) + 1) if required <= {*suggested[:k]}), len(suggested) + 1)


def rbp(ranking, p):
    return (1 - p) * ranking[0] + p * rbp(ranking[1:], p) if ranking else 0


def err(grades, most, rank=1):
    stop = Fraction(2 ** grades[0] - 1, 2**most) if grades else 0
    return stop / rank + (1 - stop) * err(grades[1:], most, rank + 1) if grades else 0


def in_a_tie(size, hits, k):
    assert k <= size
    return [Fraction(sum(each in range(hits) for each in top), k) for top in combinations(range(size), k)]


def sampled(above, N, n):
    return 1 + Fraction(sum(j * comb(above, j) * comb(N - above, n - j) for j in range(n + 1)), comb(N, n))


def decile(*numbers):
    *uses, asked = numbers
    place = max(k for k, each in enumerate(sorted(each for each in uses for _ in range(each)), 1) if each == asked)
    return sum(10 * place > j * sum(uses) for j in range(10))


def rare(alone, beside, without, needless, k):
    """The mean over the goals that need something rare, of the suggestions that are rare."""
    goals = [({"x"}, {"x"})] * alone + [({"x"}, {"x", "y"})] * beside + [({"x"}, set())] * without + [(set(), {"y"})] * needless
    return mean(precision(made, wanted) if made else Fraction(0) for wanted, made in goals if wanted)


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


def tau(order):
    assert sorted(order) == [*range(1, len(order) + 1)]
    return mean(1 if a < b else -1 for a, b in combinations(order, 2))


def ap_tau(order):
    return mean(2 * mean(above < each for above in order[:k]) - 1 for k, each in enumerate(order) if k)


def overlap(one, other, p):
    """Weights by depth, and at all depths below the lists, which have the same items, 1."""
    assert {*one} == {*other}
    return 1 - sum((1 - p) * p ** (d - 1) * (1 - Fraction(len({*one[:d]} & {*other[:d]}), d)) for d in range(1, len(one) + 1))


def flipped(*leads):
    sums = [abs(sum(map(prod, zip(signs, leads)))) for signs in product((1, -1), repeat=len(leads))]
    return mean(each >= abs(sum(leads)) for each in sums)


def holm(*p):
    return max(min(1, (3 - k) * each) for k, each in enumerate(sorted(p)[:2]))


# Of each question a function of its rankings, as lists, and then of its other numbers, in their order.
BY_HAND = {
    "pr-precision": lambda *n: precision(*in_a_library(*n)),
    "pr-recall": lambda *n: precision(*in_a_library(*n)[1::-1]),
    "pr-another-library": lambda hits, misses, times: precision(*tables(hits + misses * times, hits)),
    "pr-blind-accuracy": lambda *n: 1 - mean(each in in_a_library(*n)[1] for each in in_a_library(*n)[2]),
    "f-by-hand": f,
    "f-two": f,
    "f-from-jaccard": jaccard_to_f,
    "rank-precision-at": lambda ranking, R, k: Fraction(at(ranking, R, k), k),
    "rank-recall-at": lambda ranking, R, k: Fraction(at(ranking, R, k), R),
    "rank-next-precision": lambda k, hits, then: mean(([1] * hits + [0] * (k - hits) + [1])[:then]),
    "ap-by-hand": ap,
    "ap-gain-of-a-swap": lambda ranking, a, b, R: ap(swapped(ranking, a, b), R) - ap(ranking, R),
    "ap-one-more-judgement": lambda ranking, R: ap(ranking, R) - ap(ranking, R + 1),
    "interpolated-area": interpolated,
    "trapezoidal-area": lambda ranking, R, *_: trapezoidal(ranking, R),
    "which-area-is-larger": lambda ranking, R: interpolated(ranking, R) - ap(ranking, R),
    "r-precision-by-hand": lambda ranking, R: Fraction(at(ranking, R, R), R),
    "precision-at-full-recall": lambda ranking: max(p for recall, p in curve(ranking, sum(ranking)) if recall == 1),
    "wrong-pairs": lambda ranking: sum(a < b for a, b in combinations(ranking, 2)),
    "apk-ideal": lambda ranking, R, k, _: ap(ranking[:k], R) * R / min(k, R),
    "apk-relevant": lambda ranking, R, k: ap(ranking[:k], R),
    "apk-retrieved": lambda ranking, R, k, _: ap(ranking[:k]),
    "macro-precision": lambda n, h, m, i: mean([precision(*tables(n, h)), precision(*tables(m, i))]),
    "micro-precision": lambda n, h, m, i: precision(*tables(n + m, h + i)),
    "mean-without-undefined": lambda n, h, m, i, *_: mean([precision(*tables(n, h)), precision(*tables(m, i))]),
    "bpref-by-hand": bpref,
    "auc-by-hand": auc,
    "auc-from-mean-rank": auc_of_mean,
    "reciprocal-rank": lambda ranking: max(Fraction(hit, k) for k, hit in enumerate(ranking, 1)),
    "premise-recall": last_found,
    "premise-rank": lambda made, needed: mean(made.index(each) for each in {*made} & needed),
    "premise-auc": lambda made, needed: auc([each in needed for each in made]),
    "premise-cut": lambda made, needed, k: last_found(made[:k], needed),
    "rbp-by-hand": rbp,
    "err-by-hand": lambda grades, _, most: err(grades, most),
    "rbp-left-open": lambda n, p: 1 - rbp([1] * n, p),
    "tie-precision": lambda *n: mean(in_a_tie(*n)),
    "tie-spread": lambda *n: max(in_a_tie(*n)) - min(in_a_tie(*n)),
    "rank-in-a-sample": sampled,
    "tail-decile-of-mass": decile,
    "tail-by-decile": rare,
    "tail-adds-up": mixed,
    "tail-fallback": fallback,
    "disagree-one-move": moved,
    "disagree-auc-open": open_auc,
    "disagree-tie": tie_of_groups,
    "disagree-stops-early": lambda ranking, k: ap(ranking) - ap(ranking[:k], sum(ranking)),
    "rc-tau-by-hand": lambda order, n, *_: tau(order),
    "rc-ap-correlation-by-hand": lambda order, n, *_: ap_tau(order),
    "rc-cost-of-an-exchange": lambda n, a, b, _: 1 - ap_tau(swapped(range(1, n + 1), a, b)),
    "rc-overlap-by-hand": lambda one, other, _, p: overlap(one, other, p),
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
    for case, (right, *_) in telling(each):
        asked, way = each.asked(case), each.explained(case)
        assert BY_HAND[each.name](*read(asked)) == right, asked
        for sides in re.findall(r"[\d(][-\d/·()+^ ]*(?: = [-\d(][-\d/·()+^ ]*)+", way):
            assert len(set(map(computed, sides.split(" = ")))) == 1, way
