"""The line that explains a metric: each has one, its formula gives the metric's number, its call runs, its chapter is there."""

import inspect
import re
from itertools import product
from math import ceil, inf, isclose, log2, nan, prod
from statistics import mean

import numpy as np
import pytest

import metrics
from book._sphinx.sources import ROOT, prose
from metrics import measures, premise_selection
from metrics.explained import ALONE, CHAPTERS, EXPLAINED, OF_TREC_EVAL, explain, explanation, function, plain
from metrics.trec_names import MEASURES

GIVEN = {
    "relevance": [0, 1, 0, 1, 1, 0], "k": 4, "level": 0.5, "max_grade": 1, "persistence": 0.8,
    "tp": 2, "fp": 3, "fn": 1, "tn": 4, "alpha": 0.3, "values": [0.5, 1, 0.2], "unreached": 9, "multiple": 0.5,
    "suggestions": ["a", "x", "b", "y"], "required": ["a", "b", "c"],
    "predictions": [["a", "b"], ["c"]], "actual": [["b"], ["c", "d"]], "decile": {"a": 1, "b": 1, "c": 2, "d": 2},
}  # fmt: skip


def called(row, **given):
    """The value of the call of a row, as it is written there."""
    return eval(f"metrics.{row.call}", {"metrics": metrics} | GIVEN | given)


@pytest.mark.check
@pytest.mark.parametrize("name", EXPLAINED)
def test_a_call_runs_and_its_chapter_is_there(name):
    row = EXPLAINED[name]
    values = {"precision": 0.4, "recall": 2 / 3} if name == "harmonic mean" else {}
    assert np.asarray(called(row, **values)).dtype == np.float64
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
    homes = ("sets", "cutoff", "areas", "order", "gain", "aggregate")
    public = {getattr(metrics, name) for home in homes for name in metrics.HOME[home].split()}
    public |= {getattr(premise_selection, name) for name in premise_selection.__all__}
    assert public - explained == {metrics.confusion, metrics.auc_from_scores}  # counts; and AUC again
    assert {row.chapter for row in EXPLAINED.values()} == set(CHAPTERS)


# The formula of each row, as a terminal shows it, in Python: of rankings, then of the four counts.
OF_A_RANKING = {
    "1/k_1": "1 / k_[0] if k_ else 0",
    "1 if s(k) > 0, else 0": "s(k) > 0",
    "Σ_i 1/i q_i Π[l < i] (1 - q_l), q_i = (2^(g_i) - 1)/2^(g_max)": "sum(1 / i * q(i) * prod(1 - q(l) for l in range(1, i)) for i in ranks)",
    "s(k)/k": "s(k) / k",
    "s(k)/R": "s(k) / R",
    "s(k)/min(k, R)": "s(k) / min(k, R)",
    "((1 + β²) s(k))/(k + β² R)": "(1 + 1) * s(k) / (k + R)",
    "s(k)": "s(k)",
    "s(R)/R": "s(R) / R",
    "1/R Σ_j j/k_j": "1 / R * sum(j / k_j for j, k_j in hits)",
    "1/d Σ[k_j ≤ k] j/k_j, d = s(k), R, min(k, R) or k": "1 / R * sum(j / k_j for j, k_j in hits if k_j <= k)",
    "1/R Σ_j max[i ≥ j] i/k_i": "1 / R * sum(max(i / k_i for i, k_i in hits if i >= j) for j, _ in hits)",
    "1/11 Σ[0 ≤ l ≤ 10] p_int (l/10)": "1 / 11 * sum(max((p(k) for k in ranks if 10 * s(k) >= l * R), default=0) + 0 / R for l in range(11))",
    "Σ_k (p(k - 1) + p(k))/2 (r(k) - r(k - 1)), p(0) = 1": "sum((p(k - 1) + p(k)) / 2 * (r(k) - r(k - 1)) for k in ranks) + 0 / R",
    "Σ[i ≤ k] G(g_i)/log2(i + 1), G(g) = g or 2^g - 1": "dcg(g)",
    "DCG@k/(DCG@k of the ideal)": "dcg(g) / dcg([1] * R)",
    "(1 - p) Σ_j p^(k_j - 1)": "(1 - 0.8) * sum(0.8 ** (k_j - 1) for _, k_j in hits)",
    "min[r(k) ≥ r] k": "min((k for k in ranks if r(k) >= 0.5), default=inf) + 0 / R",
    "p(k), k = min[r(i) ≥ r] i": "next((p(i) for i in ranks if r(i) >= 0.5), 0) + 0 / R",
    "max[r(k) ≥ r] p(k)": "max((p(k) for k in ranks if r(k) >= 0.5), default=0) + 0 / R",
    "k_R": "0 / R + (k_[R - 1] if len(k_) == R else inf)",
    "1/s(N) Σ_j k_j": "1 / s(N) * sum(k_)",
    "1 - 1/(R (N - R)) Σ_j (k_j - j)": "1 - 1 / (s(N) * (N - s(N))) * sum(k_j - j for j, k_j in hits)",
    "Σ_j (k_j - j)": "sum(k_j - j for j, k_j in hits)",
    "s(⌈m R⌉)/⌈m R⌉": "s(ceil(R / 2)) / ceil(R / 2)",
    "1/R Σ_j 1/log2(2 + k_j - j)": "1 / R * sum(1 / log2(2 + k_j - j) for j, k_j in hits)",
    "1/(Σ_i g^*_i) Σ_i g_i/log2(2 + v_i)": "1 / R * sum(g[i - 1] / log2(2 + i - s(i)) for i in ranks)",
    "1/R Σ_j nDCG@k_j": "1 / R * sum(dcg(g, k_j) / dcg([1] * R, k_j) for k_j in (k_ + [9])[:R])",
    "mean nDCG@k, k: g^*_k > g^*[k+1]": "mean([dcg(g, k) / dcg([1] * R, k) for k in ([R, 5] if R < 4 else [R])])",
    "1/R Σ_j (1 + (r_j + i_j + u_j) c_j)/k_j, c_j = (r_j + ε)/(r_j + i_j + 2 ε)":
        "1 / R * sum((1 + (k_j - 1) * (j - 1 + 1e-5) / (k_j - 1 + 2e-5)) / k_j for j, k_j in hits)",
    "(judged in the top k)/min(k, N)": "1",
    "s(N)/N": "s(N) / N",
    "s(N)/R": "s(N) / R",
    "((1 + β²) s(N))/(N + β² R)": "2 * s(N) / (N + R)",
    "s(N)/N s(N)/R": "s(N) / N * s(N) / R",
    "s(N)/min(N, R)": "s(N) / min(N, R)",
    "N": "N",
    "R": "R",
    "s(N)": "s(N)",
    "1/R Σ_j (1 - min(n_j, M)/M)": "1 / R * sum(1 - min(k_j - j, M) / M if M else 1 for j, k_j in hits)",
}
OF_COUNTS = {
    "tp/(tp + fp)": "tp / (tp + fp)",
    "tp/(tp + fn)": "tp / (tp + fn)",
    "((1 + β²) tp)/((1 + β²) tp + fp + β² fn)": "2 * tp / (2 * tp + fp + fn)",
    "1 - F": "1 - 2 * tp / (2 * tp + fp + fn)",
    "1/(α/p + (1 - α)/r)": "1 / (0.3 / (tp / (tp + fp)) + 0.7 / (tp / (tp + fn)))",
    "tp/(tp + fp + fn)": "tp / (tp + fp + fn)",
    "w_1 tp + w_2 fp + w_3 fn + w_4 tn": "tp - fp",
    "(tp + tn)/N": "(tp + tn) / (tp + fp + fn + tn)",
}
ELSEWHERE = {
    "1 - (k + R - 2 s(k))/N": 1 - (4 + 3 - 2 * 2) / 6,
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


@pytest.mark.parametrize("row", EXPLAINED.values(), ids=list(EXPLAINED))
def test_a_formula_gives_the_number_of_the_metric(row):
    formula = plain(row.formula)
    if formula in OF_A_RANKING:
        for ranking, missed in product(product((0, 1), repeat=5), (0, 1)):
            R = sum(ranking) + missed
            given = {"relevance": ranking} if "n_relevant" not in inspect.signature(function(row.call)).parameters else {
                "relevance": metrics.Hits.from_relevance(ranking, n_relevant=R)}  # fmt: skip
            assert same(called(row, **given), expected(OF_A_RANKING[formula], letters(ranking, R))), (ranking, R)
    elif formula in OF_COUNTS:
        for tp, fp, fn in product(range(1, 4), repeat=3):
            counts = {"tp": tp, "fp": fp, "fn": fn}
            given = {"precision": tp / (tp + fp), "recall": tp / (tp + fn)} if "alpha" in row.call else {}
            assert same(called(row, **counts, **given), expected(OF_COUNTS[formula], counts | {"tn": 4}))
    elif formula in BY_DECILE:
        assert np.allclose(called(row)[:2], BY_DECILE[formula], rtol=1e-12)
    else:
        assert same(called(row), ELSEWHERE[formula])


def letters(ranking, R):
    """What the letters of the formulas mean for a ranking; M is 5 - s(5) or R."""
    s = lambda k: sum(ranking[:k])
    p = lambda k: s(k) / k if k else 1
    q = lambda i: (2 ** ranking[i - 1] - 1) / 2
    k_ = [rank for rank, relevant in enumerate(ranking, 1) if relevant]
    dcg = lambda grades, k=4: sum(grade / log2(i + 1) for i, grade in enumerate(grades[:k], 1))
    r = lambda k: s(k) / R
    hits = list(enumerate(k_, 1))
    more = {"M": min(R, 5 - sum(ranking)), "k": 4, "N": 5, "g": ranking, "ranks": range(1, 6)}
    tools = {"sum": sum, "max": max, "min": min, "next": next, "range": range, "len": len, "prod": prod, "inf": inf, "ceil": ceil, "log2": log2, "mean": mean}
    return dict(s=s, p=p, q=q, r=r, R=R, k_=k_, hits=hits, dcg=dcg, **more, **tools)


def expected(formula, meaning):
    try:
        return eval(formula, meaning)
    except ZeroDivisionError:
        return nan


def same(value, right):
    return value == right or isclose(value, right, abs_tol=1e-12) or value != value and right != right


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
