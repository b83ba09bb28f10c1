"""The line that explains a metric: each has one, its formula gives the metric's number, its sentence is tried, its call runs, its chapter is there."""

import re
from fractions import Fraction
from functools import cache, reduce
from itertools import chain, combinations, pairwise, permutations, product
from math import ceil, inf, isclose, isnan, log, log2, nan, prod  # noqa: F401
from operator import eq, le, lt
from pathlib import Path
from statistics import mean  # noqa: F401
from typing import NamedTuple

import numpy as np
import pytest
from docutils.nodes import make_id
from test_doors import GOOD

import metrics
from metrics import premise_selection
from metrics.exact.cases import confusion_tables, exchanged, hit_ranks, rankings
from metrics.names import measures, trec_names
from metrics.names.explanations import CHAPTERS, explain, explanation, plain
from metrics.names.sheet import PURPOSES, RECORDS
from metrics.names.trec_names import MEASURES

GIVEN = GOOD | {
    "max_grade": 2, "alpha": 0.3, "actual": [["a"]], "decile": dict(zip("abcd", (1, 1, 2, 2))),
    "a": [3, 1, 2], "b": [3, 2, 1], "reference": [3, 1, 2], "other": [3, 2, 1],
    "catalogue": ["a", "b", "d"], "intents": [[["a", "b"], ["c"]]],
    "counts": dict(zip("abcd", (4, 2, 1, 1))), "propensity": dict(zip("abcd", (0.5, 0.25, 0.125, 1))),
}  # fmt: skip


def called(row, options=(), **known):
    """The value of the call of a row, as it is written there but for the options."""
    call = row.call
    for name, value in dict(options).items():
        call, found = re.subn(rf"\b{name}=[^,()]*(\([^()]*\))?", f"{name}={value!r}", call)
        call = call if found else f"{call[:-1]}, {name}={value!r})"
    return eval(f"metrics.{call}", {"metrics": metrics} | GIVEN | known)


@pytest.mark.check
@pytest.mark.parametrize("name", RECORDS)
def test_a_call_runs_and_its_chapter_is_there(name):
    row = RECORDS[name]
    assert np.asarray(called(row)).dtype == np.float64
    text = (Path(__file__).parents[1] / "book" / f"{row.chapter}.ipynb").read_text(encoding="utf-8")
    labels = re.findall(r':label: ([\w-]+)|"\(([\w-]+)\)=', text)
    places = {*chain(*labels), *(make_id(title) for title in re.findall(r'"#+ (.*?)(?:\\n)?"', text))}
    assert f'"# {CHAPTERS[row.chapter]}' in text and row.anchor in places, f"place of {name}: book/{row.chapter}.ipynb has no {row.anchor}"
    assert re.fullmatch(r"(↓ )?[A-Z][^.]*\.", row.rewards)


@pytest.mark.check
@pytest.mark.parametrize("name", RECORDS)
def test_the_letters_that_are_explained_stand_in_the_formula(name):
    formula, *symbols = explain(name).partition("  formula  ")[2].partition("\n  value ")[0].split("\n")
    letters = [letter for line in symbols for part in line.split("; ") if ": " in part for letter in part.partition(":")[0].split(", ")]
    missing = [each for each in letters if not re.search(rf"(?<![^\W_]){re.escape(each.strip().partition('(')[0].replace('g*', 'g^*'))}(?![a-z])", formula)]
    assert not missing, formula


@pytest.mark.check
def test_every_metric_is_explained():
    explained = {row.function for row in RECORDS.values()}
    named = {re.sub(r"@.*", "", name) for name in RECORDS}
    assert named >= set(measures.KNOWN)
    for metric in measures.OF_THE_RANKING | measures.AT_A_CUTOFF:
        assert explanation(metric) in RECORDS.values() and explanation(f"{metric}@10") in RECORDS.values()
    homes = ("sets", "cutoff", "areas", "order", "gain", "rank_correlation", "judges", "topics.means")
    public = {getattr(metrics, name) for name, home in metrics.MODULE_OF.items() if home in homes}
    public |= {getattr(premise_selection, name) for name in premise_selection.__all__}
    assert public - explained == {metrics.confusion, metrics.auc_from_scores}  # counts; and AUC again
    assert {row.chapter for row in RECORDS.values()} == set(CHAPTERS) and len({row.asks for row in RECORDS.values()}) > 50
    assert list(dict.fromkeys(row.purpose for row in RECORDS.values())) == [purpose for part in PURPOSES.values() for purpose in part]


# ---- The small cases ---------------------------------------------------------------------------------


class Case(NamedTuple):
    """The grades of a ranking, and those of the relevant items that it lacks."""

    grades: tuple
    missing: tuple = ()


CASES = [Case(*case) for case in product(dict.fromkeys([*rankings(5, at_least=0), *rankings(3, max_grade=2)]), ((), (1,), (1, 1), (2,)))]
HITS = metrics.Hits.from_ids(rankings=[range(len(c.grades)) for c in CASES], relevant=[dict(enumerate(c.grades + c.missing)) for c in CASES])
GAIN = {"linear": lambda grade: grade, "exponential": lambda grade: 2**grade - 1}


@cache
def of_a_list(case):
    """What the letters mean for a ranking: M is what was judged irrelevant, at most R; `above` are the irrelevant items above each hit."""
    g, best, k_ = case.grades, sorted(filter(None, case.grades + case.missing), reverse=True), hit_ranks(case.grades)
    N, R, s, hits = len(g), len(best), lambda k: sum(map(bool, g[:k])), list(enumerate(k_, 1))
    return {
        "N": N, "L": N, "R": R, "s": s, "m": s(N), "g": g, "best": best, "k_": k_, "hits": hits, "above": [k - j for j, k in hits], "ranks": range(1, N + 1),
        "tp": s(N), "fp": N - s(N), "fn": R - s(N), "M": min(R, N - s(N)), "first": min(k_, default=inf), "all_but_what_is_right": (N, R),
        "p": lambda k: s(k) / k if k else 1, "r": lambda k: Fraction(s(k), R), "q": lambda i: (2 ** g[i - 1] - 1) / 4,
        "dcg": lambda grades, k=9, by="linear": sum(GAIN[by](grade) / log2(i + 1) for i, grade in enumerate(grades[:k], 1)),
        "missed": lambda i: sum(best[:i]) + max(i - R, 0) - sum(g[:i]),
    }  # fmt: skip


def of_counts(case):
    tp, fp, fn, tn = case
    p, r = tp / (tp + fp) if tp + fp else nan, tp / (tp + fn) if tp + fn else nan
    return {"tp": tp, "fp": fp, "fn": fn, "tn": tn, "N": sum(case), "precision": p, "recall": r}


def weight(labels):
    """What hits on these labels count, by the propensities above."""
    return sum({"a": 2, "b": 4, "c": 8}[label] for label in labels)


def right_ones(found, wanted):
    return Case(tuple(int(each in wanted) for each in found), (1,) * len({*wanted} - {*found}))


def of_labels(case):
    """Of labels that were suggested and labels that are actual: those in the first decile, which are a and b, as a list."""
    in_d, wanted = ([label for label in labels if label in "ab"] for labels in case)
    at_the_top = [label in wanted for label in case[0][:2] if label in "ab"]
    known = {"predictions": case[:1], "actual": case[1:], "k": 2, "level": 0.5, "unreached": 9}
    known |= {"shown": [*case[0][:2]], "right": [label for label in case[0][:2] if label in case[1]], "needed": case[1]}
    return of_a_list(right_ones(in_d, wanted)) | known | {"all_but_what_is_right": case[0], "at_the_top": at_the_top}


def of_two_orders(case):
    """A number for each system by two metrics, also taken for two lists of ids; C by rank; and of each system its reversed pairs and ranks."""
    a, b = case
    n, ranks = len(a), [[sorted(numbers, reverse=True).index(each) + 1 for each in numbers] for numbers in case]
    turned = [sum((a[i] - a[j]) * (b[i] - b[j]) < 0 for j in range(n)) for i in range(n)]
    in_order = sorted(range(n), key=lambda i: -b[i])
    C = [(i, sum(a[above] > a[in_order[i]] for above in in_order[:i])) for i in range(1, n)]
    return {
        "a": a, "b": b, "reference": a, "other": b, "n": n, "Q": sum(turned) / 2, "C": C, "H_n": sum(1 / r for r in range(1, n + 1)),
        "turned": [*zip(turned, *ranks)], "X": lambda d: len({*a[:d]} & {*b[:d]}),
    }  # fmt: skip


def of_intents(case):
    """Of a list and what is relevant to each of two intents: the ranks of the items for each, and the list that is built greedily."""
    found, wanted = case[0], case[1:]
    hit = lambda made: [[rank for rank, item in enumerate(made[:2], 1) if item in intent] for intent in wanted]
    alpha_dcg = lambda made: sum(0.5**m / log2(rank + 1) for ranks in hit(made) for m, rank in enumerate(ranks))
    orders = [*permutations(sorted({*wanted[0], *wanted[1]}))]  # with two intents greedy is the best
    return {"rankings": [found], "intents": [wanted], "k": 2, "hit": hit, "alpha_dcg": alpha_dcg, "ideal": max(map(alpha_dcg, orders)), "found_": found}


def of_two_judges(case):
    """The labels of two judges: the share of equal ones, and the probability of equal ones if each draws one of its own."""
    first, second = case
    n = len(first)
    drawn = [one == other for one in first for other in second]
    return {"first": first, "second": second, "p_o": sum(map(eq, first, second)) / n, "p_e": sum(drawn) / n**2}


def subsets(items):
    return [chosen for size in range(len(items) + 1) for chosen in combinations(items, size)]


def answers(items):
    """All lists of some of these items, and some of a, b and c as the right ones."""
    return [*product((found for n in range(4) for found in permutations(items, n)), subsets("abc"))]


KINDS = {  # the word of a call that tells its kind: the small cases, and what is known of one
    "relevance": (CASES, of_a_list),
    "tp|precision": ([*map(tuple, confusion_tables(5))], of_counts),
    "predictions": (answers("abc"), of_labels),
    "intents": ([*product(dict.fromkeys(found for found, _ in answers("abx")), subsets("ab"), subsets("ab"))], of_intents),
    "suggestions": (answers("abx"), lambda case: of_a_list(right_ones(*case)) | {"suggestions": case[0], "required": case[1], "n": 2}),
    "a, b|reference": ([pair for n in (2, 3, 4) for pair in product(permutations(range(1, n + 1)), repeat=2)], of_two_orders),
    "first": ([*product(product((0, 1, 2), repeat=3), repeat=2)], of_two_judges),
    "seen": ([*product((0, 0.25, 0.5, 1), repeat=3)], lambda case: dict(zip(("seen", "tpr", "fpr"), case)) | {"x": case[0]}),
    "values": ([*product((0, 0.25, 0.5, 1), repeat=3)], lambda case: {"values": case, "x": case}),
}
TRIED = {"k": (1, 2, 3, 7), "level": (Fraction(1, 3), Fraction(1, 2), 1), "multiple": (Fraction(1, 2), 1, 2)}


def parameter(row):
    """The parameter in the name of a metric, and the values of it that are tried."""
    found = re.search(rf"\(relevance, ({'|'.join(TRIED)})\b", row.call)
    return (found[1], TRIED[found[1]]) if found else ("k", (None,))


class Metric:
    """A metric of a row, k the parameter in its name: `found` has every small case with its value, as long as it is one."""

    def __init__(self, name, k=None, relevance=HITS, **options):
        self.row, self.options, self.k = RECORDS[name], options, k
        self.cases, self.letters = next(kind for word, kind in KINDS.items() if re.search(rf"\(.*\b({word})\b", self.row.call))
        letter, _ = parameter(self.row)
        self.given, self.top = {} if k is None else {letter: k}, k if k and letter == "k" else 9
        values = called(self.row, options, relevance=relevance, **self.given) if self.cases is CASES else map(self.again, self.cases)
        self.found = {case: round(float(value), 12) for case, value in zip(self.cases, values, strict=True) if not isnan(value)}

    def again(self, case, **known):
        """Its value for a case of which something else is known; of several, the first."""
        return np.ravel(called(self.row, self.options, **self.letters(case) | known))[0]

    def read(self, words, case):
        """What words say of a case: v is the value, `of` that of another metric, `again` that if something else is known."""
        more = self.given | self.options | {
            "case": case, "v": self.found.get(case, nan), "found": self.found, "again": lambda **known: self.again(case, **known),
            "of": lambda name, k=None, **options: metric(name, k, **options).found.get(case, nan),
        }  # fmt: skip
        try:
            return eval(code(words), globals() | self.letters(case) | more)
        except ZeroDivisionError:
            return nan

    def each(self, words, where="True"):
        """What words say of each case that has a value."""
        return {case: self.read(words, case) for case in self.found if self.read(where, case)}


metric, code = cache(Metric), cache(lambda words: compile(words, "words", "eval"))


# ---- The formulas ------------------------------------------------------------------------------------

# How a formula, as a terminal shows it, is written in Python; and those of which more must be said.
IN_PYTHON = {
    r", m = .*": "", "²": "**2", "β": "beta", r"(?<=[\w)]) (?=[\w(])": " * ", r"Σ_j \* (.*)": r"sum(\1 for j, k_j in hits)",
}
FORMULAS = {
    "1/k_1": "1 / k_[0] if k_ else 0",
    "the middle of all x_q": "sorted(x)[1]",
    "1 if s(k) > 0, else 0": "s(k) > 0",
    "Σ_i 1/i q_i Π[l < i] (1 - q_l), q_i = (2^(g_i) - 1)/2^(g_max)": "sum(1 / i * q(i) * prod(1 - q(l) for l in range(1, i)) for i in ranks)",
    "1 - (k + R - 2 s(k))/N": "1 - (k + R - 2 * s(k)) / (max(N, k) + R - s(N))",
    "1/d Σ[k_j ≤ k] j/k_j, d = s(k), R, min(k, R) or k":
        "1 / {'retrieved': s(k), 'relevant': R, 'ideal': min(k, R), 'cutoff': k}[denominator] * sum(j / k_j for j, k_j in hits if k_j <= k)",
    "1/R Σ_j max[i ≥ j] i/k_i": "1 / R * sum(max(i / k_i for i, k_i in hits if i >= j) for j, _ in hits)",
    "1/11 Σ[0 ≤ l ≤ 10] p_int (l/10)": "1 / 11 * sum(max((p(k) for k in ranks if 10 * s(k) >= l * R), default=0) + 0 / R for l in range(11))",
    "1/R Σ_j (p(k_j - 1) + p(k_j))/2, p(0) = 1": "1 / R * sum((p(k_j - 1) + p(k_j)) / 2 for _, k_j in hits)",
    "Σ[i ≤ k] G(g_i)/log2(i + 1), G(g) = g or 2^g - 1": "dcg(g, k, gain)",
    "DCG@k/(DCG@k of the ideal)": "dcg(g, k) / dcg(best, k)",
    "(1 - p) Σ_j p^(k_j - 1)": "(1 - 0.8) * sum(0.8 ** (k_j - 1) for _, k_j in hits)",
    "min[r(k) ≥ r] k": "min((k for k in ranks if r(k) >= level), default=inf) + 0 / R",
    "p(k), k = min[r(i) ≥ r] i": "next((p(i) for i in ranks if r(i) >= level), 0) + 0 / R",
    "max[r(k) ≥ r] p(k)": "max((p(k) for k in ranks if r(k) >= level), default=0) + 0 / R",
    "k_R": "0 / R + (k_[R - 1] if len(k_) == R else inf)",
    "s(⌈m R⌉)/⌈m R⌉": "s(ceil(multiple * R)) / ceil(multiple * R)",
    "1/(Σ_i g^*_i) Σ_i g_i/log2(2 + v_i)": "1 / sum(best) * sum(g[i - 1] / log2(2 + missed(i)) for i in ranks)",
    "1/R Σ_j nDCG@k_j": "1 / R * sum(dcg(g, k_j) / dcg(best, k_j) for k_j in (k_ + [9] * R)[:R])",
    "mean nDCG@k, k: g^*_k > g^*[k+1], or k = N > R + 1":
        "0 / R + mean(dcg(g, k) / dcg(best, k) for k in range(1, 9) if k <= R and best[k - 1] > (best + [0])[k] or k == N > R + 1)",
    "1/R Σ_j (1 + (r_j + i_j + u_j) c_j)/k_j, c_j = (r_j + ε)/(r_j + i_j + 2 ε)":
        "1 / R * sum((1 + (k_j - 1) * (j - 1 + 1e-5) / (k_j - 1 + 2e-5)) / k_j for j, k_j in hits)",
    "1/R Σ_j (1 - min(n_j, M)/M)": "1 / R * sum(1 - min(k_j - j, M) / M if M else 1 for j, k_j in hits)",
    "(judged in the top k)/min(k, N)": "len(g[:k]) / min(k, N)",
    "1 - F": "1 - (1 + beta**2) * tp / ((1 + beta**2) * tp + fp + beta**2 * fn)",
    "1/(α/p + (1 - α)/r)": "1 / (0.3 / precision + 0.7 / recall) if tp else v",
    "w_1 tp + w_2 fp + w_3 fn + w_4 tn": "2 * tp - 3 * fp - 5 * fn + 7 * tn",
    "k_R, or L + 1": "max(k_, default=0) if s(N) == R else N + 1",
    "2/(n - 1) Σ_i C_i/i - 1": "2 / (n - 1) * sum(C_i / i for i, C_i in C) - 1",
    "1 - 1/((n - 1) H_n) Σ_i W_i (1/r_i + 1/s_i)": "1 - 1 / ((n - 1) * H_n) * sum(W_i * (1 / r_i + 1 / s_i) for W_i, r_i, s_i in turned)",
    "(1 - p) Σ_d p^(d - 1) X_d/d": "(1 - 0.8) * sum(0.8 ** (d - 1) * (X(d) if d < n else d) / d for d in range(1, 400))",
    "1/n Σ_q x_q": "sum(x) / 3",
    "(Π_q x_q)^(1/n)": "prod(max(each, 0.00001) for each in x) ** (1 / 3)",
    "mean (hits in the top k of P_d)/min(k, |P_d|)": "(tp / N if N else 0) + 0 / R",
    "mean nDCG@k of P_d": "dcg(g, k) / dcg(best, k)",
    "median min[r(k) ≥ r] k in P_d": "min((k for k in ranks if r(k) >= level), default=unreached) + 0 / R",
    "n_d/(k n)": "len(at_the_top) / k",
    "h_d/n_d": "sum(at_the_top) / len(at_the_top)",
    "(labels of d found at all)/(labels of d actual at all)": "sum(at_the_top) / R",
    "(labels in some top k)/(labels of the catalogue)": "len({*shown} & {*'abd'}) / 3",
    "(Σ_i Σ_j |x_i - x_j|)/(2 n Σ_i x_i)": "1 - len({*shown} & {*'abd'}) / 3 if {*shown} & {*'abd'} else nan",
    "mean log2 1/c": "mean(log2(8 / {'a': 4, 'b': 2, 'c': 1}[label]) for label in shown) if shown else nan",
    "(sum of 1/p_l, hits in the top k)/(that of the best lists)": "weight(right) / sum(sorted(map(weight, needed))[-2:])",
    "(mean of DCG(1/p_l) / IDCG(1))/(that of the best lists)":
        "dcg([weight(label) if label in needed else 0 for label in shown]) / dcg(sorted(map(weight, needed))[:-3:-1])",
    "α-DCG@k/(α-DCG@k of the greedy ideal)": "alpha_dcg(found_) / ideal",
    "mean ERR@k of an intent": "mean(sum(0.5**m / rank for m, rank in enumerate(ranks, 1)) for ranks in hit(found_))",
}
OPTIONS = {"beta": (1, 2), "denominator": ("retrieved", "relevant", "ideal", "cutoff"), "weights": ((2, -3, -5, 7),), "n": (2, 100)}


def options(row):
    """What else is given to a call, one after the other."""
    if row is RECORDS["DCG@k"]:
        return [{"gain": gain} for gain in GAIN]
    return next(([{name: each} for each in tried] for name, tried in OPTIONS.items() if re.search(rf"\b{name}=", row.call)), [{}])


@pytest.mark.check
@pytest.mark.parametrize("name", RECORDS)
def test_a_formula_gives_the_number_of_the_metric(name):
    formula = plain(RECORDS[name].formula)
    python = FORMULAS.get(formula) or RECORDS[name].reads.get(formula) or reduce(lambda text, rule: re.sub(*rule, text), IN_PYTHON.items(), formula)
    assert set(re.findall(r"\b[NR]\b", formula)) <= set(re.findall(r"\b[NR]\b", python)) or "tn" in python, "it is about other items"
    for k, given in product(parameter(RECORDS[name])[1], options(RECORDS[name])):
        tried = metric(name, k, **given)
        for case in tried.cases:
            try:
                right = tried.read(python, case)
            except (NameError, SyntaxError) as error:
                pytest.fail(f"the formula of {name} was read as {python!r} ({error}): say in its record reads={{{formula!r}: 'the same in Python'}}")
            assert same(tried.found.get(case, nan), right), (case, k, given)


def same(value, right):
    return value == right or isclose(value, right, abs_tol=1e-12) or value != value and right != right


# ---- The sentences: what a claim may say of a metric -------------------------------------------------


def holds(words, where="True"):
    return lambda metric: metric.found and all(isinstance(value, (bool, np.bool_)) and value for value in metric.each(words, where).values())


def equal(words, where="True"):
    return holds(f"isclose(v, {words}, abs_tol=1e-9)", where)


def follows(key, within="0"):
    """The value is the same where the key is, and greater where it is greater, among cases that have the same in common."""

    def claim(metric):
        keys, groups = metric.each(key), metric.each(within)
        in_order = sorted((groups[case], keys[case], value) for case, value in metric.found.items())
        return all((less < more) == (a < b) for (group, less, a), (other, more, b) in pairwise(in_order) if group == other)

    return claim


def alike(key):
    """The value depends on nothing else."""
    return lambda metric: len({*metric.each(key).values()}) == len({*metric.each(f"({key}), v").values()})


def rises(change, what="v", where="True", by=lt):
    """Every change of this kind makes the value greater."""

    def claim(metric):
        found = metric.each(what, where)
        steps = [(found[case], found[other]) for case in found for other in change(case, metric.top) if other in found]
        return steps and all(by(*step) for step in steps)

    return claim


def between(one, other, where):
    """The value lies between two others, and is one of them only where they are equal or one is 0."""
    return holds(f"min({one}, {other}) < v < max({one}, {other}) or v == round(min({one}, {other}), 12) and ({one} == {other} or not v)", where)


def pulled(more, start, goal, where):
    """Another value is nearer to the goal, wherever there is a way and something is found."""
    return holds(f"not v or {goal} == {start} or ({more} - v) * ({goal} - {start}) > 0", where)


def top_most(metric):
    """An exchange of neighbours costs the less the further down it is."""
    first = (4, 3, 2, 1)
    return all(one < other for one, other in pairwise(metric.found[first, exchanged(first, i)] for i in (1, 2, 3)))


def symmetric(metric):
    return all(isclose(value, metric.found[b, a]) for (a, b), value in metric.found.items())


# The changes of a list, down to rank k:


def grade_moved_up(case, k):
    """An item changes places with one of a lower grade directly above it."""
    return [case._replace(grades=exchanged(case.grades, i)) for i in range(1, min(k + 1, len(case.grades))) if case.grades[i - 1] < case.grades[i]]


def hit_moved_up(case, k=9):
    return [moved for moved in grade_moved_up(case, k) if hit_ranks(moved.grades) != hit_ranks(case.grades)]


def changed(values, place, value):
    return (*values[:place], value, *values[place + 1 :])


def one_relevant(case, k):
    """An irrelevant item becomes a relevant one."""
    return [case._replace(grades=changed(case.grades, i, 1)) for i in range(min(k, len(case.grades))) if not case.grades[i]]


def one_found(case, k):
    """An item that was missing stands in the place of an irrelevant one."""
    return [changed._replace(missing=case.missing[1:]) for changed in one_relevant(case, k) if case.missing[:1] == (1,)]


def cut(case, k):
    """The top k, without which the relevant items are missing, too."""
    return [Case(case.grades[:k], tuple(sorted(case.missing + tuple(filter(None, case.grades[k:])))))]


def one_for_an_intent(case, k):
    """An item with an intent, at the end of a list of less than two."""
    found, *wanted = case
    return [((*found, item), *wanted) for item in "ab" if len(found) < 2 and item not in found and any(item in intent for intent in wanted)]


# ---- The parts of the sentences, and the claims that say them ----------------------------------------

AT_K, OF_SETS = ("s(k) / k", "s(k) / R", "R"), ("tp / (tp + fp)", "tp / (tp + fn)", "tp + fp and tp + fn")
BESIDE = "again(predictions=(*predictions, {0}), actual=(*actual, {1}))"
TWO_OF_THEM, TWO_AND_AGAIN = BESIDE.format("[*'acb']", "[*'ac']"), BESIDE.format("*[[*'acb']] * 2", "*[[*'ac']] * 2")
SAID = {
    # One good answer is enough
    "An early first hit": follows("-first"),
    "what follows it does not count": alike("first"),
    "An early item of a high grade": (rises(grade_moved_up), rises(one_relevant)),
    # The top k is looked at
    "Few wrong items in the top k": follows("s(k) - k"),
    "cannot be 1 with fewer than k relevant ones": holds("v < 1 or R >= k"),
    "Few relevant items missing from the top k": follows("s(k) - R", within="R"),
    "cannot be 1 with more than k of them": holds("v < 1 or R <= k"),
    "As many hits in the top k as there can be": holds("(v == 1) == (s(k) == min(k, R))"),
    "Precision and recall of the top k at once": between(*AT_K),
    "with a larger β recall counts more": pulled("of('F@k', k, beta=2)", *AT_K),
    "Hits at the cutoff that suits the query, where precision equals recall": holds("v == of('P@k', R) == of('R@k', R)"),
    "a small m looks at the top, a large one further down": alike("R, s(ceil(multiple * R))"),
    # All that is relevant, and early
    "Every hit, the upper ones most": (rises(one_found), rises(hit_moved_up)),
    "what was never ranked counts as missed": rises(lambda case, k: [case._replace(missing=(*case.missing, 1))], "-v", where="v"),
    "As AP, for a list that was cut": (rises(cut, by=isclose), holds("v == of('AP') if N <= k else v <= of('AP') + 1e-12")),
    "with d = s(k), finding less can score more": lambda ap: ap.k < 3 or not rises(one_found, by=le)(metric("AP@k", ap.k, denominator="retrieved")),
    "As AP, for a reader who goes on where precision is going to rise":
        holds("v > of('AP') if any(a > b for a, b in pairwise(Fraction(k - j, j) for j, k in hits)) else v == of('AP')"),
    "As AP, by straight lines from point to point": (holds("v <= of('AP')"), rises(one_found), rises(hit_moved_up)),
    "below AP wherever an irrelevant item stands above a hit": holds("(v < of('AP')) == any(above)"),
    # Grades, and a reader's patience; experiments of trec_eval
    "High grades at high ranks": rises(grade_moved_up),
    "grows with the number of relevant items": rises(one_relevant),
    "High grades at high ranks, as a share of what the best list gets": rises(grade_moved_up),
    "needs no R, and what unjudged items can add is known":
        (alike("(*k_,)"), holds("isclose(v + sum(0.2 * 0.8**i for i in range(N) if not g[i]), found[Case((1,) * N)])")),
    "Every hit, the less the more irrelevant items stand above it": (rises(one_found), rises(hit_moved_up)),
    "High grades, each the less the more gain was missed down to its rank": rises(grade_moved_up),
    # How far must one read?
    "Few wrong items on the way to a share r of all relevant ones": follows("ceil(level * R) - of('RankAtRecall@r', level)", within="R"),
    "one straggler decides": alike("max(k_, default=0), R == s(N)"),
    "Hits high up on average": (equal("mean(k_)"), rises(hit_moved_up, "-v")),
    "one that is far down carries it": holds("metrics.mean_rank([*g, *[0] * 99, 1]) > N"),
    # The order of the whole list; not everything was judged
    "the top counts no more than the rest":
        holds("all(isclose(found[other] - v, 1 / (s(N) * (N - s(N))), abs_tol=1e-9) for other in hit_moved_up(case))"),
    "a longer list can have more":
        lambda inversions: all(a < b for a, b in pairwise(max(v for case, v in inversions.found.items() if len(case.grades) == n) for n in range(1, 6))),
    "Nothing": alike("all_but_what_is_right"),
    # A set, without an order; a whole list as a set
    "Few wrong items in the set": follows("-fp", within="tp + fp"),
    "Few relevant items left out": follows("-fn", within="tp + fn"),
    "a longer list never loses": holds("not N or found.get(*cut(case, N - 1), v) <= v"),
    "Both at once": between(*OF_SETS),
    "with β = 1 nearer to the smaller one, with a larger β recall counts more":
        (holds("not tp or v <= (tp / (tp + fp) + tp / (tp + fn)) / 2 + 1e-12"), pulled("of('F', beta=2)", *OF_SETS)),
    "Both at once, with the weight α on precision":
        (between(*OF_SETS), pulled("again(alpha=0.9)", "recall", "precision", "True"), holds("same(again(alpha=1), precision)")),
    "Two sets that are alike": holds("(v == 1) == (fp == fn == 0)"),
    "the order of F, and 1 minus it is a distance": follows("of('F')"),  # and theorem B23
    "misleads where few are relevant": lambda accuracy: accuracy.found[0, 0, 1, 4] > accuracy.found[1, 2, 0, 2],
    "as many hits as a list of that length can hold": holds("(v == 1) == (s(N) == min(N, R))"),
    "What an answer is worth, if you know the worth of an item of each kind":
        (equal("tp - fp"), holds("case == tuple(of('utility', weights=changed((0, 0, 0, 0), i, 1)) for i in range(4))")),
    # Rare and common labels, by decile
    "Few wrong suggestions of the decile, for goals that need some of it": (
        equal("tp / N if N else 0"), holds("v == " + BESIDE.format("[*'ac']", "['c']")),
        lambda precision: {case for case in precision.cases if {*"ab"} & {*case[1]}} == {*precision.found}),
    "The same, early within the decile": alike("g, R"),
    "A short way through the decile": equal("first if k_ else 9"),
    "say what a level never reached counts as": holds("again(unreached=7) == (v if k_ else 7)"),
    "Variety": holds(f"isclose({TWO_OF_THEM}, len({{'a'}} | {{*predictions[0][:2]}} & {{*actual[0]}} & {{'b'}}) / len({{'a'}} | {{*actual[0]}} & {{'b'}}))"),
    "each label found counts once": holds(f"{TWO_OF_THEM} == {TWO_AND_AGAIN}"),
    # Two orders of the same systems, or two lists
    "Pairs in the same order, wherever they stand": (follows("-Q", within="n"), symmetric),
    "Pairs in the same order, those at the top most": top_most,
    "which order is the reference matters": lambda ap: not symmetric(ap),
    "which order comes first does not matter": symmetric,
    "Lists with the same items at the top": top_most,
    "they need not have all items in common": lambda _: 0 < metrics.rank_biased_overlap([*"ab"], [*"bc"], persistence=0.8) < 1,
    # A whole catalogue, right or wrong; labels that are seldom written down; several intents of a query
    "Variety, right or wrong": alike("frozenset({*shown} & {*'abd'})"),
    "each label of the catalogue counts once": equal("again(predictions=[*predictions] * 2)"),
    "Suggestions that are spread evenly, right or wrong":
        (alike("len({*shown} & {*'abd'})"), holds("again(predictions=[*predictions, ['d']]) < v"), equal("again(predictions=[*predictions, shown])")),
    "Rare labels, right or wrong": (alike("frozenset(shown)"), holds("again(predictions=[*predictions, ['c']]) > v", where="{*shown} - {'c'}")),
    "Hits in the top k, those on rare labels most": (
        alike("frozenset(right), frozenset(needed)"),
        lambda psp: psp.found[("a",), (*"abc",)] < psp.found[("b",), (*"abc",)] < psp.found[("c",), (*"abc",)]),
    "The same hits, early":
        holds("found[predictions[0][1::-1] + predictions[0][2:], actual[0]] < v", where="len(shown) > 1 and shown[0] in needed and shown[1] not in needed"),
    "Items for many intents, early": (
        rises(one_for_an_intent),
        rises(lambda case, k: [(case[0][1::-1] + case[0][2:], *case[1:])] if case[0][0] == "x" and case[0][1] in case[1] + case[2] else [],
              where="found_[1:]")),
    "the more of an intent stood above, the less one more item adds":
        lambda ndcg: ndcg.found[("a", "b"), ("a",), ("b",)] == 1 and ndcg.letters((("a", "b"), ("a", "b"), ()))["alpha_dcg"]("ab") < 1 + 1 / log2(3),
    "An early item for each intent": (rises(one_for_an_intent), holds("found[found_, (), intents[0][1]] <= v")),
    # Premise selection, as its papers have it; a mean over many goals
    "or silence": holds("not R or found[(), required] <= v"),
    "what is missing is forgiven": alike("g"),
    "Every goal alike": holds("all(isclose(again(values=changed(x, i, x[i] + 0.1)) - v, 0.1 / 3) for i in range(3))"),
    "say what an undefined value counts as": holds("same(metrics.mean(changed(x, 0, nan), undefined=0.25), found[changed(x, 0, 0.25)])"),
    "What the goal in the middle gets": holds("v == sorted(x)[1]"),
    "how far above it the best stand does not count": holds("again(values=changed(x, max(range(3), key=x.__getitem__), max(x) + 0.1)) == v"),
    "Goals that do badly count most":
        holds("0 in x or x[0] >= x[1] or again(values=changed(x, 0, x[0] + 0.1)) > again(values=changed(x, 1, x[1] + 0.1))"),
    "a zero decides, unless a floor is set": holds("v > 0 and (of('geometric mean', floor=None) == 0) == (0 in x)"),
}  # fmt: skip
SAID_BY_THE_FORMULA = {  # and tried with it
    "the better what stood above, the less an item adds",
    "Anything relevant in the top k, at whatever rank", "Each relevant item of the top k, whatever there is to find", "Hits at m times that cutoff",
    "As InterpolatedAP, seen at eleven levels", "As nDCG, with every hit as a cutoff", "what was never ranked counts as the whole list does",
    "As nDCG, with a cutoff below each grade of the ideal list", "uncut, too, if 2 ranks or more follow", "A short way to a share r of all relevant items",
    "The best precision for a reader who wants at least a share r", "A short way to the very last relevant item", "Few irrelevant items above relevant ones",
    "Right decisions about all items", "Both at once, by their product", "The same, as an error", "how many were ranked", "how many there are to find",
    "Each relevant item of the list, at whatever rank", "it says what is suggested, right or not", "Recall of the top n suggestions", "Few wrong suggestions",
    "Right decisions about all items, of which most are easy", "What is found is found high up",
    "Hits that are reached by a reader who goes on with probability p",
    "Few wrong ones among all suggestions of the decile", "Few wrong items in the list, however long it is", "The greater of the two",
    "As AUC, against the first R items judged irrelevant", "Relevant above irrelevant, pair by pair",
    "As AP, where a random sample of a pool was judged", "making fewer than n costs nothing",
    "Hits that are reached by a reader who wants T of them, and gives up the sooner the more of them were found",
    "A short way to everything required", "The order of what was suggested",
}  # fmt: skip
ADVICE = {  # what no value can refute
    "rarely what you want", "for tables of older papers", "for judgements that are incomplete", "it says how far to trust the numbers beside it",
}  # fmt: skip
PARTS = {name: re.split("[;:] ", row.rewards.removeprefix("↓ ").removesuffix(".")) for name, row in RECORDS.items()}
OF_A_LIST = [name for name, row in RECORDS.items() if "(relevance" in row.call]


@pytest.mark.check
def test_each_part_of_a_sentence_is_tried_and_no_claim_is_left_of_one_that_is_gone():
    said = [*SAID, *SAID_BY_THE_FORMULA, *ADVICE]
    parts = {part for name, its in PARTS.items() for part in its if part not in RECORDS[name].reads}
    unread = {name: lost for name, its in PARTS.items() if (lost := [part for part in its if part not in {*said, *RECORDS[name].reads}])}
    assert not unread, f"say in code what these parts say, in `reads` of the record: {unread}"
    assert sorted(said) == sorted(parts), f"no sentence says any more: {sorted({*said} - parts)}"


@pytest.mark.parametrize("name", RECORDS)
def test_a_sentence_is_true_of_all_small_cases(name):
    for k in parameter(RECORDS[name])[1]:
        for part in PARTS[name]:
            words = RECORDS[name].reads.get(part)
            assert not words or re.search(r"\bv\b|found|again", words) and {*map(type, metric(name, k).each(words).values())} <= {bool, np.bool_}, (
                f"reads of {name}: {words!r} says nothing of the value v that is true or false")
            claims = SAID.get(part, holds(words or "True"))
            assert all(claim(metric(name, k)) for claim in (claims if isinstance(claims, tuple) else [claims])), (part, k)
        lower = RECORDS[name].rewards.startswith("↓")
        assert name not in OF_A_LIST or rises(hit_moved_up, "-v" if lower else "v", by=le)(metric(name, k)), "an arrow says that lower is better"


@pytest.mark.parametrize("name", OF_A_LIST)
def test_it_sees_what_it_is_said_to_see(name):
    """The grades or the hits alone, the list or its top k, and what was never ranked or not: by what a change of the others does to the value."""
    for k in parameter(RECORDS[name])[1]:
        tried, sees = metric(name, k), RECORDS[name].sees
        changes = {
            "grades": lambda case: Case(*(tuple(min(grade, 1) for grade in part) for part in case)),
            "also": lambda case: case._replace(missing=()),
            "list": lambda case: case._replace(grades=case.grades[: tried.top] + tuple(sorted(case.grades[tried.top :]))),
        }  # fmt: skip
        for word, change in changes.items():
            moved = [not same(tried.found.get(change(case), nan), tried.found.get(case, nan)) for case in CASES]
            assert word in sees and (any(moved) or word == "list") or not any(moved), (word, k)


OF_ITS_OWN = {"gm_map", "gm_bpref", "iprec_at_recall", "11pt_avg", "rbp", "utility"}  # as the notes say, and test_trec_names


@pytest.mark.parametrize("name", sorted(name for name, its in MEASURES.items() if its.record and name not in OF_ITS_OWN))
def test_a_number_of_trec_eval_is_that_of_its_row(name):
    for one in trec_names.names_of(name):
        row = metric(MEASURES[name].record, *trec_names.measure_named(one)[1] or [99] * ("@" in MEASURES[name].record)).found
        np.testing.assert_allclose(trec_names.value(one, HITS), [row.get(case, 0) for case in CASES], rtol=0, atol=1e-9, err_msg=one)


# ---- The names ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("row, names", {
    "AP@k": "AP@10(denominator=relevant), AP@5, average_precision_at", "nDCG@k": "nDCG, nDCG@10, ndcg", "RBP": "RBP(p=0.8)@5, rank_biased_precision",
    "n-cover": "premise_selection.cover", "AP": "map, gm_map", "P@k": "P_10, P.5,10, precision@3", "R@k": "recall@5, R@5", "Rprec@m": "Rprec_mult_0.20",
    "recall": "recall", "precision": "precision", "F": "f_score",
}.items())  # fmt: skip
def test_a_name_is_found_however_it_is_written(row, names):
    assert all(explanation(name) is RECORDS[row] for name in names.split(", "))


@pytest.mark.parametrize("unknown, words", {"MAPP": "(AP?)", "": "(which?)", "P@@": "(which?)"}.items())
def test_what_is_no_name_is_said(unknown, words):
    with pytest.raises(ValueError, match="name: got .*" + re.escape(words)):
        explain(unknown)


@pytest.mark.parametrize("name", dict.fromkeys([*RECORDS, *MEASURES]))
def test_the_text_for_a_terminal_has_no_tex_and_every_letter(name):
    text = explain(name)
    assert text.startswith((f"{name}: ", f"{name}, of trec_eval: ")) and len(text.splitlines()[0]) < 120
    assert "\\" not in text and "{" not in text and ("of trec_eval" in text or "  value    " in text)
