"""The line that explains a metric: each has one, its formula gives the metric's number, its sentence is tried, its call runs, its chapter is there."""

import re
from fractions import Fraction
from functools import cache
from itertools import combinations, pairwise, permutations, product
from math import ceil, inf, isclose, isnan, log, log2, nan, prod
from statistics import mean
from typing import NamedTuple

import numpy as np
import pytest

import metrics
from book._sphinx.sources import ROOT, prose
from metrics import measures, premise_selection, trec_names
from metrics.exact.cases import confusion_tables, exchanged, hit_ranks, pairs_of_sets, rankings
from metrics.names.explanations import ALONE, CHAPTERS, EXPLAINED, OF_TREC_EVAL, documented, explain, explanation, function, plain
from metrics.names.trec_names import MEASURES

GIVEN = {
    "relevance": [0, 1, 0, 1, 1, 0], "k": 4, "level": 0.5, "max_grade": 2, "persistence": 0.8,
    "tp": 2, "fp": 3, "fn": 1, "tn": 4, "precision": 0.4, "recall": 2 / 3, "alpha": 0.3, "values": [0.5, 1, 0.2], "unreached": 9, "multiple": 0.5,
    "suggestions": ["a", "x", "b", "y"], "required": ["a", "b", "c"],
    "predictions": [["a", "b"], ["c"]], "actual": [["b"], ["c", "d"]], "decile": {"a": 1, "b": 1, "c": 2, "d": 2},
}  # fmt: skip


def called(row, options=(), **known):
    """The value of the call of a row, as it is written there but for the options."""
    call = row.call
    for name, value in dict(options).items():
        call, found = re.subn(rf"\b{name}=[^,()]*(\([^()]*\))?", f"{name}={value!r}", call)
        call = call if found else f"{call[:-1]}, {name}={value!r})"
    return eval(f"metrics.{call}", {"metrics": metrics} | GIVEN | known)


@pytest.mark.check
@pytest.mark.parametrize("name", EXPLAINED)
def test_a_call_runs_and_its_chapter_is_there(name):
    row = EXPLAINED[name]
    assert np.asarray(called(row)).dtype == np.float64
    text = prose(ROOT / "book" / f"{row.chapter}.ipynb")
    titles = re.findall(r"^#+ (.*?)\s*$", text, re.MULTILINE)
    assert titles[0] == CHAPTERS[row.chapter]
    anchors = {re.sub(r"[\W_]+", "-", title.lower()).strip("-") for title in titles} | set(re.findall(r"^:label: (\S+)", text, re.MULTILINE))
    assert row.anchor in anchors
    assert re.fullmatch(r"(↓ )?[A-Z][^.]*\.", row.rewards)


@pytest.mark.check
def test_every_metric_is_explained():
    explained = {function(row.call) for row in EXPLAINED.values()}
    named = {re.sub(r"@.*", "", name) for name in EXPLAINED}
    assert named >= set(measures.KNOWN)
    for metric in measures.OF_THE_RANKING | measures.AT_A_CUTOFF:
        assert explanation(metric) in EXPLAINED.values() and explanation(f"{metric}@10") in EXPLAINED.values()
    homes = ("sets", "cutoff", "areas", "order", "gain", "topics.means")
    public = {getattr(metrics, name) for home in homes for name in metrics.HOME[home].split()}
    public |= {getattr(premise_selection, name) for name in premise_selection.__all__}
    assert public - explained == {metrics.confusion, metrics.auc_from_scores}  # counts; and AUC again
    assert {row.chapter for row in EXPLAINED.values()} == set(CHAPTERS)


# ---- The formulas ------------------------------------------------------------------------------------


class Case(NamedTuple):
    """The grades of a ranking, and those of the relevant items that it lacks."""

    grades: tuple
    missing: tuple = ()

    @property
    def N(self):
        return len(self.grades)

    @property
    def R(self):
        return self.s(self.N) + len(self.missing)

    @property
    def ranks(self):
        return hit_ranks(self.grades)

    @property
    def above(self):
        """The irrelevant items above each hit."""
        return [k - j for j, k in enumerate(self.ranks, 1)]

    @property
    def best(self):
        return sorted(filter(None, self.grades + self.missing), reverse=True)

    def s(self, k):
        return sum(map(bool, self.grades[:k]))


CASES = [Case(grades, missing) for grades in dict.fromkeys([*rankings(5, at_least=0), *rankings(3, max_grade=2)]) for missing in ((), (1,), (1, 1), (2,))]
JUDGED = [dict(enumerate((*c.grades, *c.missing))) for c in CASES]
HITS = metrics.Hits.from_ids(rankings=[range(c.N) for c in CASES], relevant=JUDGED)
BELOW_AN_UNJUDGED_ITEM = metrics.Hits.from_ids(rankings=[[-1, *range(c.N)] for c in CASES], relevant=JUDGED)
TRIED = {"k": (1, 2, 3, 7), "level": (Fraction(1, 3), Fraction(1, 2), 1), "multiple": (Fraction(1, 2), 1, 2)}


def parameter(row):
    """The parameter in the name of a metric, and the values of it that are tried."""
    found = re.search(rf"\(relevance, ({'|'.join(TRIED)})\b", row.call)
    return (found[1], TRIED[found[1]]) if found else ("k", (None,))


@cache
def values(name, k=None, relevance=HITS, **options):
    """Every case with the value of the metric, as long as it is one; k is the parameter in its name."""
    row = EXPLAINED[name]
    return defined(CASES, called(row, options, relevance=relevance, **{parameter(row)[0]: k}))


def defined(cases, values):
    return {case: round(value, 12) for case, value in zip(cases, np.asarray(values, dtype=float).tolist(), strict=True) if not isnan(value)}


# The formula of each row, as a terminal shows it, in Python: of rankings, then of the four counts.
OF_A_RANKING = {
    "1/k_1": "1 / k_[0] if k_ else 0",
    "1 if s(k) > 0, else 0": "s(k) > 0",
    "Σ_i 1/i q_i Π[l < i] (1 - q_l), q_i = (2^(g_i) - 1)/2^(g_max)": "sum(1 / i * q(i) * prod(1 - q(l) for l in range(1, i)) for i in ranks)",
    "s(k)/k": "s(k) / k",
    "s(k)/R": "s(k) / R",
    "s(k)/min(k, R)": "s(k) / min(k, R)",
    "((1 + β²) s(k))/(k + β² R)": "(1 + beta**2) * s(k) / (k + beta**2 * R)",
    "s(k)": "s(k)",
    "1 - (k + R - 2 s(k))/N": "1 - (k + R - 2 * s(k)) / (max(N, k) + R - s(N))",
    "s(R)/R": "s(R) / R",
    "1/R Σ_j j/k_j": "1 / R * sum(j / k_j for j, k_j in hits)",
    "1/d Σ[k_j ≤ k] j/k_j, d = s(k), R, min(k, R) or k":
        "1 / {'retrieved': s(k), 'relevant': R, 'ideal': min(k, R), 'cutoff': k}[denominator] * sum(j / k_j for j, k_j in hits if k_j <= k)",
    "1/R Σ_j max[i ≥ j] i/k_i": "1 / R * sum(max(i / k_i for i, k_i in hits if i >= j) for j, _ in hits)",
    "1/11 Σ[0 ≤ l ≤ 10] p_int (l/10)": "1 / 11 * sum(max((p(k) for k in ranks if 10 * s(k) >= l * R), default=0) + 0 / R for l in range(11))",
    "Σ_k (p(k - 1) + p(k))/2 (r(k) - r(k - 1)), p(0) = 1": "sum((p(k - 1) + p(k)) / 2 * (r(k) - r(k - 1)) for k in ranks) + 0 / R",
    "Σ[i ≤ k] G(g_i)/log2(i + 1), G(g) = g or 2^g - 1": "dcg(g, k, gain)",
    "DCG@k/(DCG@k of the ideal)": "dcg(g, k) / dcg(best, k)",
    "(1 - p) Σ_j p^(k_j - 1)": "(1 - 0.8) * sum(0.8 ** (k_j - 1) for _, k_j in hits)",
    "min[r(k) ≥ r] k": "min((k for k in ranks if r(k) >= level), default=inf) + 0 / R",
    "p(k), k = min[r(i) ≥ r] i": "next((p(i) for i in ranks if r(i) >= level), 0) + 0 / R",
    "max[r(k) ≥ r] p(k)": "max((p(k) for k in ranks if r(k) >= level), default=0) + 0 / R",
    "k_R": "0 / R + (k_[R - 1] if len(k_) == R else inf)",
    "1/s(N) Σ_j k_j": "1 / s(N) * sum(k_)",
    "1 - 1/(m (N - m)) Σ_j (k_j - j), m = s(N)": "1 - 1 / (s(N) * (N - s(N))) * sum(k_j - j for j, k_j in hits)",
    "Σ_j (k_j - j)": "sum(k_j - j for j, k_j in hits)",
    "s(⌈m R⌉)/⌈m R⌉": "s(ceil(multiple * R)) / ceil(multiple * R)",
    "1/R Σ_j 1/log2(2 + k_j - j)": "1 / R * sum(1 / log2(2 + k_j - j) for j, k_j in hits)",
    "1/(Σ_i g^*_i) Σ_i g_i/log2(2 + v_i)": "1 / sum(best) * sum(g[i - 1] / log2(2 + sum(best[:i]) + max(i - R, 0) - sum(g[:i])) for i in ranks)",
    "1/R Σ_j nDCG@k_j": "1 / R * sum(dcg(g, k_j) / dcg(best, k_j) for k_j in (k_ + [9] * R)[:R])",
    "mean nDCG@k, k: g^*_k > g^*[k+1], or k = N > R + 1":
        "0 / R + mean(dcg(g, k) / dcg(best, k) for k in range(1, 9) if k <= R and best[k - 1] > (best + [0])[k] or k == N > R + 1)",
    "1/R Σ_j (1 + (r_j + i_j + u_j) c_j)/k_j, c_j = (r_j + ε)/(r_j + i_j + 2 ε)":
        "1 / R * sum((1 + (k_j - 1) * (j - 1 + 1e-5) / (k_j - 1 + 2e-5)) / k_j for j, k_j in hits)",
    "1/R Σ_j (1 - min(n_j, M)/M)": "1 / R * sum(1 - min(k_j - j, M) / M if M else 1 for j, k_j in hits)",
    "(judged in the top k)/min(k, N)": "len(g[:k]) / min(k, N)",
    "s(N)/N": "s(N) / N",
    "s(N)/R": "s(N) / R",
    "((1 + β²) s(N))/(N + β² R)": "(1 + beta**2) * s(N) / (N + beta**2 * R)",
    "s(N)/N s(N)/R": "s(N) / N * s(N) / R",
    "s(N)/min(N, R)": "s(N) / min(N, R)",
    "N": "N",
    "R": "R",
    "s(N)": "s(N)",
}
OF_COUNTS = {
    "tp/(tp + fp)": "tp / (tp + fp)",
    "tp/(tp + fn)": "tp / (tp + fn)",
    "((1 + β²) tp)/((1 + β²) tp + fp + β² fn)": "(1 + beta**2) * tp / ((1 + beta**2) * tp + fp + beta**2 * fn)",
    "1 - F": "1 - (1 + beta**2) * tp / ((1 + beta**2) * tp + fp + beta**2 * fn)",
    "1/(α/p + (1 - α)/r)": "1 / (0.3 / (tp / (tp + fp)) + 0.7 / (tp / (tp + fn)))",
    "tp/(tp + fp + fn)": "tp / (tp + fp + fn)",
    "w_1 tp + w_2 fp + w_3 fn + w_4 tn": "2 * tp - 3 * fp - 5 * fn + 7 * tn",
    "(tp + tn)/N": "(tp + tn) / (tp + fp + fn + tn)",
}
ELSEWHERE = {
    "s(n)/R": 2 / 3,
    "s(n)/min(n, L)": 2 / 4,
    "k_R, or L + 1": 4 + 1,
    "1/s(L) Σ_j (k_j - 1)": (0 + 2) / 2,
    "1 - 1/(m (L - m)) Σ_j (k_j - j), m = s(L)": 1 - 1 / 4,
    "1/n Σ_q x_q": (0.5 + 1 + 0.2) / 3,
    "(Π_q x_q)^(1/n)": 0.1 ** (1 / 3),
}  # fmt: skip
BY_DECILE = {
    "mean (hits in the top k of P_d)/min(k, |P_d|)": (1 / 2, 1),
    "mean nDCG@k of P_d": (1 / log2(3), 1 / (1 + 1 / log2(3))),
    "median min[r(k) ≥ r] k in P_d": (2, 1),
    "n_d/(k n)": (2 / (4 * 2), 1 / (4 * 2)),
    "h_d/n_d": (1 / 2, 1),
    "(labels of d found at all)/(labels of d actual at all)": (1, 1 / 2),
}
OPTIONS = {"beta": (1, 2), "denominator": ("retrieved", "relevant", "ideal", "cutoff"), "weights": ((2, -3, -5, 7),)}


def options(row):
    """What else is given to a call, one after the other."""
    if row is EXPLAINED["DCG@k"]:
        return [{"gain": "linear"}, {"gain": "exponential"}]
    return next(([{name: each} for each in tried] for name, tried in OPTIONS.items() if f"{name}=" in row.call), [{}])


@pytest.mark.parametrize("name", EXPLAINED)
def test_a_formula_gives_the_number_of_the_metric(name):
    row = EXPLAINED[name]
    formula = plain(row.formula)
    if formula in OF_A_RANKING:
        python, letter = OF_A_RANKING[formula], r"\b[NR]\b"
        assert set(re.findall(letter, formula)) <= set(re.findall(letter, python)), "it is about other items"
        shown, (what, tried) = compile(python, formula, "eval"), parameter(row)
        for k, given in product(tried, options(row)):
            found = values(name, k, **given)
            for case in CASES:
                want = expected(shown, letters(case) | given | {what: k})
                assert same(found.get(case, nan), want), (case, k, given)
    elif formula in OF_COUNTS:
        for (tp, fp, fn), given in product(product(range(1, 4), repeat=3), options(row)):
            counts = {"tp": tp, "fp": fp, "fn": fn, "tn": 4}
            shares = {"precision": tp / (tp + fp), "recall": tp / (tp + fn)}
            assert same(called(row, given, **counts, **shares), expected(OF_COUNTS[formula], counts | given))
    elif formula in BY_DECILE:
        assert np.allclose(called(row)[:2], BY_DECILE[formula], rtol=1e-12)
    else:
        assert same(called(row), ELSEWHERE[formula])


@cache
def letters(case):
    """What the letters of the formulas mean for a ranking; M is what was judged irrelevant, at most R."""
    N, R, s, g, best = case.N, case.R, case.s, case.grades, case.best
    p = lambda k: s(k) / k if k else 1
    r = lambda k: Fraction(s(k), R)
    q = lambda i: (2 ** g[i - 1] - 1) / 4
    gain = {"linear": lambda grade: grade, "exponential": lambda grade: 2**grade - 1}
    dcg = lambda grades, k=9, by="linear": sum(gain[by](grade) / log2(i + 1) for i, grade in enumerate(grades[:k], 1))
    more = {"k_": case.ranks, "hits": list(enumerate(case.ranks, 1)), "ranks": range(1, N + 1), "M": min(R, N - s(N))}
    tools = {"sum": sum, "max": max, "min": min, "next": next, "range": range, "len": len, "prod": prod, "inf": inf, "ceil": ceil, "log2": log2, "mean": mean}
    return dict(N=N, R=R, s=s, g=g, best=best, p=p, r=r, q=q, dcg=dcg, **more, **tools)


def expected(formula, meaning):
    try:
        return eval(formula, meaning)
    except ZeroDivisionError:
        return nan


def same(value, right):
    return value == right or isclose(value, right, abs_tol=1e-12) or value != value and right != right


# ---- The sentences -----------------------------------------------------------------------------------


def follows(found, key, within=lambda case: None):
    """The value is the same where the key is, and greater where it is greater, among cases that have the same in common."""
    groups = {}
    for case, value in found.items():
        groups.setdefault(within(case), {}).setdefault(key(case), set()).add(value)
    steps = [list(dict(sorted(by_key.items())).values()) for by_key in groups.values()]
    return all(len(each) == 1 for by_key in steps for each in by_key) and all(max(a) < min(b) for by_key in steps for a, b in pairwise(by_key))


def alike(found, key):
    """The value depends on nothing else."""
    return len({key(case) for case in found}) == len({(key(case), value) for case, value in found.items()})


def rises(found, change, by=lambda less, more: less < more):
    """Every change of this kind makes the value greater."""
    steps = [(found[case], found[other]) for case in found for other in change(case) if other in found]
    return steps and all(by(*step) for step in steps)


def never_falls(found, change):
    return rises(found, change, by=lambda less, more: less <= more)


def hit_moved_up(case, k=9):
    """A hit changes places with the irrelevant item directly above it, within the top k or into it."""
    return [case._replace(grades=exchanged(case.grades, i)) for i in range(1, min(k + 1, case.N)) if not case.grades[i - 1] and case.grades[i]]


def grade_moved_up(case, k=9):
    """An item changes places with one of a lower grade directly above it, within the top k or into it."""
    return [case._replace(grades=exchanged(case.grades, i)) for i in range(1, min(k + 1, case.N)) if case.grades[i - 1] < case.grades[i]]


def with_item(case, i, grade):
    return case._replace(grades=(*case.grades[:i], grade, *case.grades[i + 1 :]))


def one_found(case, k=9):
    """An item that was missing stands in the place of an irrelevant one, in the top k."""
    free = [i for i in range(min(k, case.N)) if not case.grades[i]]
    return [with_item(case, i, case.missing[0])._replace(missing=case.missing[1:]) for i in free if case.missing]


def one_relevant(case, k=9):
    """An irrelevant item of the top k becomes a relevant one."""
    return [with_item(case, i, 1) for i in range(min(k, case.N)) if not case.grades[i]]


def one_better(case):
    """An item above the last one has a higher grade."""
    return [with_item(case, i, case.grades[i] + 1) for i in range(case.N - 1)]


def one_missed(case):
    return [case._replace(missing=(*case.missing, 1))]


def cut(case, k):
    """The top k, without which the relevant items are missing, too."""
    return Case(case.grades[:k], tuple(sorted(case.missing + tuple(filter(None, case.grades[k:])))))


def between(found, *others):
    """The value lies between the two others, and is one of them only where they are equal or one is 0."""
    lowest, highest = ({case: of(other[case] for other in others) for case in found if all(case in other for other in others)} for of in (min, max))
    return lowest and all(
        lowest[case] < found[case] < highest[case] or lowest[case] == found[case] and lowest[case] in (0, highest[case]) for case in lowest
    )


def pulled(found, more, start, goal):
    """The second value is nearer to the goal than the first, wherever there is a way and something is found."""
    return all((more[c] - found[c]) * (goal[c] - start[c]) > 0 for c in found if c in goal and c in start and found[c] and goal[c] != start[c])


def equal(found, right):
    return found and all(isclose(value, right(case), abs_tol=1e-9) for case, value in found.items())


def pairs(case, of=99):
    """The share of the pairs of a relevant item and one of the first irrelevant ones that are in the right order."""
    irrelevant = min(of, case.N - case.s(case.N))
    return sum(irrelevant - min(above, irrelevant) for above in case.above) / (irrelevant * case.R) if irrelevant else len(case.ranks) / case.R


def adds_up(found, weights, lost):
    """Each hit counts for itself, the less the more it has lost: as much as a lone hit that has lost so much."""
    alone = [found[Case((0,) * n + (1,))] for n in range(5)]
    each = lambda case: [(g, lost(case, k)) for k, g in zip(case.ranks, weights(case))]
    known = {case: value for case, value in found.items() if all(n < 5 for _, n in each(case))}
    return alone == sorted(set(alone), reverse=True) and equal(known, lambda case: sum(g * alone[n] for g, n in each(case)) / sum(weights(case, True)))


def share_of_best(found, gained):
    """The value is the share of the greatest gain of any list of the same items."""
    best = {}
    for case, value in gained.items():
        best[tuple(case.best)] = max(value, best.get(tuple(case.best), 0))
    known = {case: value for case, value in found.items() if Case(tuple(case.best)) in gained}
    return equal(known, lambda case: gained[case] / best[tuple(case.best)])


def expected_rate(case, p=0.8):
    """The hits that a reader gets who stops after each item with chance 1 - p, for each item that he reads."""
    after = [(1 - p) * p ** (n - 1) * case.s(n) for n in range(1, case.N + 1)]
    return (sum(after) + p**case.N * case.s(case.N)) * (1 - p)


def first(case):
    return min(case.ranks, default=inf)


# Of each metric of a ranking: the parts of its sentence, and what each says in code, of the values and the parameter in its name.
OF_A_LIST = {
    "RR": {
        "An early first hit": lambda v, _: follows(v, lambda c: -first(c)),
        "what follows it does not count": lambda v, _: alike(v, first)},
    "Success@k": {
        "Anything relevant in the top k, at whatever rank": lambda v, k: equal(v, lambda c: any(c.grades[:k]))},
    "ERR": {
        "An early item of a high grade": lambda v, _: rises(v, grade_moved_up) and rises(v, one_relevant),
        "the better what stood above, the less an item adds": lambda v, _: rises(
            {c: v[c._replace(grades=c.grades[:-1])] - v[c] for c in v if c.N and c.grades[-1]}, one_better)},
    "P@k": {
        "Few wrong items in the top k": lambda v, k: follows(v, lambda c: c.s(k) - k),
        "cannot be 1 with fewer than k relevant ones": lambda v, k: {c.R >= k for c in v if v[c] == 1} <= {True}},
    "R@k": {
        "Few relevant items missing from the top k": lambda v, k: follows(v, lambda c: c.s(k) - c.R, within=lambda c: c.R),
        "cannot be 1 with more than k of them": lambda v, k: {c.R <= k for c in v if v[c] == 1} <= {True}},
    "NormalizedRecall@k": {
        "As many hits in the top k as there can be": lambda v, k: all((v[c] == 1) == (c.s(k) == min(k, c.R)) for c in v)},
    "F@k": {
        "Precision and recall of the top k at once": lambda v, k: between(v, values("P@k", k), values("R@k", k)),
        "with a larger β recall counts more": lambda v, k: pulled(v, values("F@k", k, beta=2), values("P@k", k), values("R@k", k))},
    "Hits@k": {
        "Each relevant item of the top k, whatever there is to find": lambda v, k: equal(v, lambda c: c.s(k))},
    "Accuracy@k": {
        "Right decisions about all items, of which most are easy": lambda v, k: equal(
            v, lambda c: mean([*((g > 0) == (i < k) for i, g in enumerate(c.grades)), *(False for _ in range(c.N, k)), *(False for _ in c.missing)]))},
    "Rprec": {
        "Hits at the cutoff that suits the query, where precision equals recall": lambda v, _: equal(
            v, lambda c: c.s(c.R) / c.R) and all(v[c] == values("P@k", c.R)[c] == values("R@k", c.R)[c] for c in v)},
    "Rprec@m": {
        "Hits at m times that cutoff": lambda v, m: all(v[c] == values("P@k", ceil(m * c.R))[c] for c in v),
        "a small m looks at the top, a large one further down": lambda v, m: alike(v, lambda c: (c.R, c.s(ceil(m * c.R))))},
    "AP": {
        "Every hit, the upper ones most": lambda v, _: rises(v, one_found) and rises(v, hit_moved_up),
        "what was never ranked counts as missed": lambda v, _: rises({c: -v[c] for c in v if v[c]}, one_missed)},
    "AP@k": {
        "As AP, for a list that was cut": lambda v, k: rises(v, lambda c: [cut(c, k)], by=isclose) and rises(
            values("AP"), lambda c: [cut(c, k)], by=lambda whole, top: top <= whole) and all(v[c] == values("AP")[c] for c in v if c.N <= k),
        "with d = s(k), finding less can score more": lambda v, k: k < 3 or not never_falls(values("AP@k", k, denominator="retrieved"), one_found)},
    "InterpolatedAP": {
        "As AP, for a reader who goes on where precision is going to rise": lambda v, _: all(
            v[c] > values("AP")[c] if any(a > b for a, b in pairwise(above_by_hits(c))) else v[c] == values("AP")[c] for c in v)},
    "ElevenPointAP": {
        "As InterpolatedAP, seen at eleven levels": lambda v, _: equal(v, lambda c: mean(values("IPrec@r", Fraction(l, 10))[c] for l in range(11)))},
    "TrapezoidalArea": {
        "As AP, by straight lines from point to point": lambda v, _: all(v[c] <= values("AP")[c] for c in v) and rises(v, one_found) and rises(v, hit_moved_up),
        "below AP wherever an irrelevant item stands above a hit": lambda v, _: all((v[c] < values("AP")[c]) == any(c.above) for c in v)},
    "DCG@k": {
        "High grades at high ranks": lambda v, k: rises(v, lambda c: grade_moved_up(c, k)),
        "grows with the number of relevant items": lambda v, k: rises(v, lambda c: one_relevant(c, k))},
    "nDCG@k": {
        "High grades at high ranks, as a share of what the best list gets": lambda v, k: rises(
            v, lambda c: grade_moved_up(c, k)) and share_of_best(v, values("DCG@k", k))},
    "RBP": {
        "Hits where a reader gets who goes on with chance p": lambda v, _: equal(v, expected_rate),
        "needs no R, and what unjudged items can add is known": lambda v, _: alike(v, lambda c: tuple(c.ranks)) and all(
            isclose(v[c] + sum(0.2 * 0.8**i for i in range(c.N) if not c.grades[i]), v[Case((1,) * c.N)]) for c in v)},
    "BinaryG": {
        "Every hit, the less the more irrelevant items stand above it": lambda v, _: rises(v, one_found) and adds_up(
            v, lambda c, all=False: [1] * (c.R if all else len(c.ranks)), lambda c, k: k - c.s(k))},
    "G": {
        "High grades, each the less the more gain was missed down to its rank": lambda v, _: adds_up(
            v, lambda c, all=False: c.best if all else [g for g in c.grades if g], lambda c, k: sum(c.best[:k]) + max(k - c.R, 0) - sum(c.grades[:k]))},
    "nDCGAtHits": {
        "As nDCG, with every hit as a cutoff": lambda v, _: equal(
            {c: v[c] for c in v if not c.missing}, lambda c: mean(values("nDCG@k", k)[c] for k in c.ranks)),
        "what was never ranked counts as the whole list does": lambda v, _: equal(
            v, lambda c: mean(values("nDCG@k", k)[c] for k in (c.ranks + [99] * c.R)[: c.R]))},
    "nDCGAtLevels": {
        "As nDCG, with a cutoff below each grade of the ideal list": lambda v, _: equal(
            {c: v[c] for c in v if c.N < c.R + 2}, lambda c: mean(values("nDCG@k", k)[c] for k in ends(c))),
        "uncut, too, if 2 ranks or more follow": lambda v, _: equal(
            {c: v[c] for c in v if c.N >= c.R + 2}, lambda c: mean(values("nDCG@k", k)[c] for k in [*ends(c), 99]))},
    "RankAtRecall@r": {
        "A short way to a share r of all relevant items": lambda v, r: all(
            v[c] == min((k for k in range(1, c.N + 1) if c.s(k) >= r * c.R), default=inf) for c in v)},
    "PrecisionAtRecall@r": {
        "Few wrong items on the way to a share r of all relevant ones": lambda v, r: follows(
            v, lambda c: ceil(r * c.R) - values("RankAtRecall@r", r)[c], within=lambda c: c.R)},
    "IPrec@r": {
        "The best precision for a reader who wants at least a share r": lambda v, r: equal(
            v, lambda c: max((values("P@k", k)[c] for k in range(1, c.N + 1) if c.s(k) >= r * c.R), default=0))},
    "FullRecall": {
        "A short way to the very last relevant item": lambda v, _: all(v[c] == (inf if c.missing else max(c.ranks)) for c in v),
        "one straggler decides": lambda v, _: alike(v, lambda c: (max(c.ranks, default=0), c.missing > ()))},
    "MeanRank": {
        "Hits high up on average": lambda v, _: equal(v, lambda c: mean(c.ranks)) and rises({c: -v[c] for c in v}, hit_moved_up),
        "one that is far down carries it": lambda v, _: all(metrics.mean_rank([*c.grades, *[0] * 99, 1]) > c.N for c in v)},
    "AUC": {
        "Relevant above irrelevant, pair by pair": lambda v, _: equal(v, lambda c: pairs(c._replace(missing=()))),
        "the top counts no more than the rest": lambda v, _: alike(
            {(c, i): round(v[other] - v[c], 9) for c in v for i, other in enumerate(hit_moved_up(c))}, lambda step: (step[0].N, step[0].s(9)))},
    "Inversions": {
        "Few irrelevant items above relevant ones": lambda v, _: equal(v, lambda c: sum(c.above)),
        "a longer list can have more": lambda v, _: all(a < b for a, b in pairwise([max(v[c] for c in v if c.N == n) for n in range(1, 6)]))},
    "Bpref": {
        "As AUC, against the first R items judged irrelevant": lambda v, _: equal(
            v, lambda c: pairs(c, of=c.R)) and v == values("Bpref", relevance=BELOW_AN_UNJUDGED_ITEM)},
    "infAP": {
        "As AP, where a random sample of a pool was judged": lambda v, _: all(isclose(v[c], values("AP")[c], abs_tol=1e-4) for c in v)},
    "Judged@k": {
        "Nothing": lambda v, k: alike(v, lambda c: c.N) and alike(values("Judged@k", k, relevance=BELOW_AN_UNJUDGED_ITEM), lambda c: c.N)},
    "SetP": {
        "Few wrong items in the list, however long it is": lambda v, _: follows(v, lambda c: Fraction(c.s(c.N), c.N))},
    "SetR": {
        "Few relevant items left out": lambda v, _: follows(v, lambda c: c.s(c.N) - c.R, within=lambda c: c.R),
        "a longer list never loses": lambda v, _: never_falls({c: -v[c] for c in v}, lambda c: [cut(c, c.N - 1)] * (c.N > 0))},
    "SetF": {
        "Both at once": lambda v, _: between(v, values("SetP"), values("SetR"))},
    "SetAP": {
        "Both at once, by their product": lambda v, _: equal(v, lambda c: values("SetP")[c] * values("SetR")[c])},
    "SetRelP": {
        "The greater of the two": lambda v, _: all(v[c] == max(values("SetP")[c], values("SetR")[c]) for c in v),
        "as many hits as a list so long can hold": lambda v, _: all((v[c] == 1) == (c.s(c.N) == min(c.N, c.R)) for c in v)},
    "NumRet": {
        "Nothing": lambda v, _: alike(v, lambda c: c.N),
        "how many were ranked": lambda v, _: equal(v, lambda c: c.N)},
    "NumRel": {
        "Nothing": lambda v, _: alike(v, lambda c: c.R),
        "how many there are to find": lambda v, _: equal(v, lambda c: len(c.best))},
    "NumRelRet": {
        "Each relevant item of the list, at whatever rank": lambda v, _: equal(v, lambda c: c.s(c.N))},
}  # fmt: skip


def above_by_hits(case):
    """The irrelevant items above each hit, for each hit down to it: it falls where precision rises from hit to hit."""
    return [Fraction(above, j) for j, above in enumerate(case.above, 1)]


def ends(case):
    """The ranks below which the ideal list goes on with a lower grade, or ends."""
    return [k for k in range(1, case.R + 1) if case.best[k - 1] > (*case.best, 0)[k]]


# Of the four counts; of weights and shares.
COUNTS = list(map(tuple, confusion_tables(5)))


@cache
def of_counts(name, alpha=0.3, **options):
    """Every confusion table with the value of the metric, as long as it is one."""
    told = [{"tp": tp, "fp": fp, "fn": fn, "tn": tn, "alpha": alpha} for tp, fp, fn, tn in COUNTS]
    shares = [{"precision": tp / (tp + fp) if tp + fp else nan, "recall": tp / (tp + fn) if tp + fn else nan} for tp, fp, fn, _ in COUNTS]
    return defined(COUNTS, [called(EXPLAINED[name], options, **counts, **share) for counts, share in zip(told, shares)])


def of_sets(metric):
    """Pairs of sets with the value of the metric."""
    counts = [(frozenset(a), frozenset(b), metrics.confusion(predicted=a, actual=b)) for a, b, size in pairs_of_sets(3) if size == 3]
    return {(a, b): metric(*table[:3]) for a, b, table in counts if a | b}


def is_distance(far):
    """By way of a third set it is never nearer."""
    return all(far[a, c] <= far[a, b] + far[b, c] + 1e-9 for (a, b), (d, c) in product(far, repeat=2) if b == d and (a, c) in far)


OF_A_SET = {
    "precision": {
        "Few wrong items in the set": lambda v: follows(v, lambda t: -t[1], within=lambda t: t[0] + t[1])},
    "recall": {
        "Few relevant items left out": lambda v: follows(v, lambda t: -t[2], within=lambda t: t[0] + t[2])},
    "F": {
        "Both at once": lambda v: between(v, of_counts("precision"), of_counts("recall")),
        "with β = 1 nearer to the smaller one, with a larger β recall counts more": lambda v: pulled(
            v, of_counts("F", beta=2), of_counts("precision"), of_counts("recall")) and all(
            v[t] <= mean((of_counts("precision")[t], of_counts("recall")[t])) + 1e-12 for t in v if t[0])},
    "E": {
        "The same, as an error": lambda v: equal(v, lambda t: 1 - of_counts("F")[t]) and v.keys() == of_counts("F").keys()},
    "harmonic mean": {
        "Both at once, with the weight α on precision": lambda v: between(v, of_counts("precision"), of_counts("recall")) and pulled(
            v, of_counts("harmonic mean", alpha=0.9), of_counts("recall"), of_counts("precision"))
        and equal(of_counts("harmonic mean", alpha=1), lambda t: of_counts("precision")[t])},
    "Jaccard": {
        "Two sets that are alike": lambda v: all((v[t] == 1) == (t[1] == t[2] == 0) for t in v),
        "the order of F, and 1 minus it is a distance": lambda v: follows(v, lambda t: of_counts("F")[t]) and is_distance(
            of_sets(lambda *counts: 1 - metrics.jaccard(*counts)))},
    "accuracy": {
        "Right decisions about all items": lambda v: equal(v, lambda t: (t[0] + t[3]) / sum(t)),
        "misleads where few are relevant": lambda v: v[0, 0, 1, 4] > v[1, 2, 0, 2]},
    "utility": {
        "What an answer is worth, if you know the worth of an item of each kind": lambda v: equal(v, lambda t: t[0] - t[1]) and all(
            equal(of_counts("utility", weights=tuple(int(one == kind) for one in range(4))), lambda t: t[kind]) for kind in range(4))},
}  # fmt: skip


# Of labels in two deciles: what was found, up to three labels, and what was actual; d is the first decile, which has a and b.
ANSWERS = [(found, actual) for n in range(4) for found in permutations("abc", n) for size in range(4) for actual in combinations("abc", size)]
ANOTHER = (("a", "c", "b"), ("a", "c"))


@cache
def of_labels(name, *more, unreached=9):
    """Every answer, beside those that are given, with the value of the metric for d, as long as it is one."""
    systems = [tuple(zip(answer, *more)) for answer in ANSWERS]
    known = {"k": 2, "unreached": unreached}
    return defined(ANSWERS, [called(EXPLAINED[name], predictions=found, actual=actual, **known)[0] for found, actual in systems])


def in_d(labels):
    return [label for label in labels if label in "ab"]


def right(answer):
    """Whether each suggestion of d is right."""
    return [label in answer[1] for label in in_d(answer[0])]


def top_2(answer):
    return answer[0][:2], answer[1]


def right_one_moved_up(answer):
    """The two labels of d change places, if the first is wrong and the second is right."""
    found = tuple({"a": "b", "b": "a"}.get(label, label) for label in answer[0])
    return [(found, answer[1])] * (right(answer) == [False, True])


OF_LABELS = {
    "precision by decile": {
        "Few wrong suggestions of the decile, for goals that need some of it": lambda v: equal(v, lambda a: mean(right(a) or [0])) and set(v) == {
            a for a in ANSWERS if in_d(a[1])} and v.items() <= of_labels("precision by decile", (("a", "c"), ("c",))).items()},
    "nDCG by decile": {
        "The same, early within the decile": lambda v: rises(v, right_one_moved_up) and alike(v, lambda a: (*in_d(a[0]), 0, *in_d(a[1])))},
    "k for recall by decile": {
        "A short way through the decile": lambda v: equal(v, lambda a: right(a).index(True) + 1 if any(right(a)) else 9),
        "say what a level never reached counts": lambda v: equal(
            of_labels("k for recall by decile", unreached=7), lambda a: v[a] if any(right(a)) else 7)},
    "proportion": {
        "Nothing": lambda v: "actual" not in EXPLAINED["proportion"].call,
        "it says what is suggested, right or not": lambda v: equal(v, lambda a: len(in_d(a[0][:2])) / 2)},
    "precision of predictions": {
        "Few wrong ones among all suggestions of the decile": lambda v: equal(v, lambda a: mean(right(top_2(a)))) and equal(
            of_labels("precision of predictions", ANOTHER), lambda a: mean(right(top_2(a)) + right(top_2(ANOTHER))))},
    "positive coverage": {
        "Variety": lambda v: equal(of_labels("positive coverage", ANOTHER), lambda a: len(
            {x for found, actual in (a, ANOTHER) for x in in_d(found[:2]) if x in actual}) / len({x for _, actual in (a, ANOTHER) for x in in_d(actual)})),
        "each label found counts once": lambda v: of_labels("positive coverage", ANOTHER) == of_labels("positive coverage", ANOTHER, ANOTHER)},
}  # fmt: skip


# Of premises: up to three suggestions, and what was required.
PROOFS = [(found, required) for n in range(4) for found in permutations("abx", n) for size in range(4) for required in combinations("abc", size)]


@cache
def of_proofs(name, **options):
    return defined(PROOFS, [called(EXPLAINED[name], options, suggestions=found, required=required) for found, required in PROOFS])


def suggested(proof):
    """The suggestions alone."""
    return Case(tuple(int(one in proof[1]) for one in proof[0]))


OF_PREMISES = {
    "n-cover": {
        "Recall of the top n suggestions": lambda v: equal(of_proofs("n-cover", n=2), lambda p: suggested(p).s(2) / len(p[1]))},
    "n-precision": {
        "Few wrong suggestions": lambda v: equal(of_proofs("n-precision", n=2), lambda p: mean(suggested(p).grades[:2])),
        "making fewer than n costs nothing": lambda v: equal(v, lambda p: mean(suggested(p).grades))},
    "“recall”": {
        "A short way to everything required": lambda v: equal({p: v[p] for p in v if p[1]}, lambda p: max(
            suggested(p).ranks) if {*p[1]} <= {*p[0]} else len(p[0]) + 1),
        "or silence": lambda v: all(v[(), required] <= v[found, required] for found, required in v if required)},
    "“rank”": {
        "What is found is found high up": lambda v: equal(v, lambda p: mean(suggested(p).ranks) - 1),
        "what is missing is forgiven": lambda v: alike(v, suggested)},
    "“AUC”": {
        "The order of what was suggested": lambda v: equal(v, lambda p: pairs(suggested(p))),
        "what is missing is forgiven": lambda v: alike(v, suggested)},
}  # fmt: skip


# Of three goals.
GOALS = tuple(product((0, 0.25, 0.5, 1), repeat=3))


@cache
def of_goals(name, goals=GOALS, **options):
    return defined(GOALS, [called(EXPLAINED[name], options, values=values) for values in goals])


def gained(name, place):
    """What it gains that the goal at this place does better."""
    better = tuple((*goals[:place], goals[place] + 0.1, *goals[place + 1 :]) for goals in GOALS)
    return {goals: of_goals(name, better)[goals] - value for goals, value in of_goals(name).items() if 0 not in goals}


OF_GOALS = {
    "mean": {
        "Every goal alike": lambda v: all(equal(gained("mean", place), lambda goals: 0.1 / 3) for place in range(3)),
        "say what an undefined value counts": lambda v: equal(
            of_goals("mean", tuple((nan, *goals[1:]) for goals in GOALS), undefined=0.25), lambda goals: v[0.25, *goals[1:]])},
    "geometric mean": {
        "Goals that do badly count most": lambda v: all(
            gained("geometric mean", 0)[g] > gained("geometric mean", 1)[g] for g in gained("geometric mean", 0) if g[0] < g[1]),
        "a zero decides, unless a floor is set": lambda v: all(v.values()) and all(
            (value == 0) == (0 in goals) for goals, value in of_goals("geometric mean", floor=None).items())},
}  # fmt: skip
ADVICE = {  # what no value can refute
    "rarely what you want", "for tables of older papers", "for judgements that are incomplete", "it says how far to trust the numbers beside it",
}  # fmt: skip
CLAIMS = OF_A_LIST | OF_A_SET | OF_LABELS | OF_PREMISES | OF_GOALS


@pytest.mark.parametrize("name", EXPLAINED)
def test_a_sentence_is_true_of_all_small_cases(name):
    row = EXPLAINED[name]
    parts = re.split("[;:] ", row.rewards.removeprefix("↓ ").removesuffix("."))
    assert [part for part in parts if part not in ADVICE] == list(CLAIMS[name]), "say in code what it says"
    tables = {of_counts: OF_A_SET, of_labels: OF_LABELS, of_proofs: OF_PREMISES, of_goals: OF_GOALS}
    tried = [(of(name),) for of, table in tables.items() if name in table] or [(values(name, k), k) for k in parameter(row)[1]]
    for (part, claim), found in product(CLAIMS[name].items(), tried):
        assert claim(*found), (part, *found[1:])


@pytest.mark.parametrize("name", OF_A_LIST)
def test_an_arrow_says_that_lower_is_better(name):
    row = EXPLAINED[name]
    for k in parameter(row)[1]:
        sign = -1 if row.rewards.startswith("↓") else 1
        assert never_falls({case: sign * value for case, value in values(name, k).items()}, hit_moved_up)


# What the range of a value is, and where it is undefined: in words, as the docstring has them, and in the letters of a formula.
BOUNDS = {
    "in [0, 1]": "0 <= v <= 1", "0 or 1": "v in (0, 1)", "in 0 ... k": "v in range(k + 1)", "in 0 ... n": "v in range(N + 1)", ">= 0": "v >= 0",
    "in [1, n]": "1 <= v <= N", "in 0 ... m (n - m)": "v in range(s(N) * (N - s(N)) + 1)", "n or the length of each list": "v == N",
    "a rank in 1 ... n, `unreached` where a relevant item was not ranked": "v in ([inf] if R > s(N) else range(1, N + 1))",
    "0 at level 0, inf where the level is never reached": "v in range(1, N + 1) if s(N) >= k * R else v == inf",
    "in [0, 1]: 0 where the level is never reached": "0 < v <= 1 if s(N) >= k * R else v == 0",
    "in [0, 1]: 0 above the recall reached": "0 < v <= 1 if s(N) >= k * R else v == 0",
    "in [0, 1], 0 where nothing relevant is ranked": "0 < v <= 1 if s(N) else v == 0",
    "in [0, 1], the greater of set precision and set recall": "v == round(max(s(N) / N, s(N) / R), 12)",
}  # fmt: skip
UNDEFINED = {
    "nothing is relevant": "R == 0", "the denominator is 0": "R == 0", "the ideal DCG is 0": "R == 0", "it is 0": "R == 0", "there are none": "s(N) == 0",
    "all items are relevant or none is": "s(N) in (0, N)", "nothing is ranked": "N == 0", "none is": "N == 0",
    "nothing is ranked or nothing is relevant": "N == 0 or R == 0", "nothing is ranked or relevant": "N == 0 or R == 0",
    "the formula is 0/0: nothing is ranked, and nothing is relevant or beta = 0": "N == 0 and R == 0",
}  # fmt: skip


@pytest.mark.parametrize("name", OF_A_LIST)
def test_a_value_is_in_its_range_and_undefined_where_it_says(name):
    row = EXPLAINED[name]
    words = documented(function(row.call))[1]
    bounds = next(BOUNDS[start] for start in sorted(BOUNDS, key=len, reverse=True) if words.startswith(start))
    where = next((UNDEFINED[end] for end in sorted(UNDEFINED, key=len, reverse=True) if re.search(rf"nan (\w+ \w+ \w+ and )?where {end}\b", words)), "False")
    assert ("nan" in words) == (where != "False")
    for k in parameter(row)[1]:
        found = values(name, k)
        for case in CASES:
            meaning = letters(case) | {"k": k, "v": found.get(case)}
            assert (case not in found) == bool(eval(where, meaning)), (case, k)
            assert case not in found or eval(bounds, meaning), (case, k)


# What the notes of the measures of trec_eval say: of a case and the value of its row, for those that differ; and of those that have no row.
NOTED = {
    "gm_map": lambda c, value: log(max(value, 1e-5)),
    "gm_bpref": lambda c, value: log(max(value, 1e-5)),
    "rbp": lambda c, _: sum(0.1 * 0.9 ** (k - 1) * c.grades[k - 1] / c.best[0] for k in c.ranks),
    "11pt_avg": lambda c, _: mean(of_trec_eval(f"iprec_at_recall_{level / 10:.2f}")[c] for level in range(11)),
}  # fmt: skip
WITHOUT_A_ROW = {  # below an item that was not judged
    "num_q": lambda c: 1,
    "num_nonrel_judged_ret": lambda c: c.N - c.s(c.N),
    "ideal_dcg": lambda c: sum(grade / log2(k + 1) for k, grade in enumerate(c.best, 1)),
    "rbp_resid": lambda c: 0.1 + 0.9 ** (c.N + 1),
    "unj_5": lambda c: 1 / 5,
}


@cache
def of_trec_eval(name, relevance=HITS):
    return defined(CASES, trec_names.value(name, relevance))


@pytest.mark.parametrize("name", [name for name in OF_TREC_EVAL if name != "utility"])
def test_a_number_of_trec_eval_is_that_of_its_row_but_for_the_note(name):
    for one in trec_names.names_of(name):
        _, numbers = trec_names.measure_named(one)
        row = values(OF_TREC_EVAL[name], *numbers or [99] * ("@" in OF_TREC_EVAL[name]))
        found = of_trec_eval(one)
        if name == "iprec_at_recall":  # where the level is a whole number of hits
            found = {case: found[case] for case in found if round(10 * numbers[0]) * case.R % 10 == 0}
        assert equal(found, lambda case: NOTED.get(name, lambda _, value: value)(case, row.get(case, 0))), one


def test_the_measures_of_trec_eval_that_have_no_row_are_what_is_said_of_them():
    assert {name.removesuffix("_5") for name in WITHOUT_A_ROW} == set(ALONE)
    for name, right in WITHOUT_A_ROW.items():
        assert equal(of_trec_eval(name, BELOW_AN_UNJUDGED_ITEM), right), name
    assert equal(of_trec_eval("rbp_resid"), lambda case: 0)


def test_a_name_is_found_however_it_is_written():
    assert explanation("AP@10(denominator=relevant)") is explanation("AP@5") is explanation("average_precision_at") is EXPLAINED["AP@k"]
    assert explanation("nDCG") is explanation("nDCG@10") is explanation("ndcg") is EXPLAINED["nDCG@k"]
    assert explanation("RBP(p=0.8)@5") is explanation("rank_biased_precision") is EXPLAINED["RBP"]
    assert explanation("premise_selection.cover") is EXPLAINED["n-cover"]
    assert explanation("map") is explanation("gm_map") is EXPLAINED["AP"] and explanation("P_10") is explanation("P.5,10") is EXPLAINED["P@k"]
    assert explanation("Rprec_mult_0.20") is EXPLAINED["Rprec@m"] and explanation("recall") is EXPLAINED["recall"]
    assert explanation("precision") is EXPLAINED["precision"] and explanation("f_score") is EXPLAINED["F"]
    for unknown, words in {"MAPP": "(AP?)", "": "(which?)", "P@@": "(which?)"}.items():
        with pytest.raises(ValueError, match=re.escape("name: got ")) as error:
            explain(unknown)
        assert words in str(error.value)


@pytest.mark.parametrize("name", MEASURES)
def test_every_measure_of_trec_eval_is_explained(name):
    assert explain(name).startswith((f"{name}: ", f"{name}, of trec_eval: "))
    assert set(OF_TREC_EVAL) | set(ALONE) == set(MEASURES) and not set(OF_TREC_EVAL) & set(ALONE)


@pytest.mark.parametrize("name", EXPLAINED)
def test_the_text_for_a_terminal_has_no_tex_and_every_letter(name):
    text = explain(name)
    assert "\\" not in text and "{" not in text and "  value    " in text
    assert len(text.splitlines()[0]) < 100
