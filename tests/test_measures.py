"""Metrics by name: each name means its function, and what is no name is said."""

import inspect
import re
from itertools import product
from math import nan
from operator import attrgetter

import numpy as np
import pytest

import metrics
from metrics import Hits
from metrics.names import measures, trec_names
from metrics.names.sheet import RECORDS

# A name -> the function, and what it is called with besides the ranking.
MEANS = {
    "DCG": ("dcg", {}), "nDCG": ("ndcg", {}), "nDCG(gain=exponential)@3": ("ndcg", {"k": 3, "gain": "exponential"}), "Judged": ("judged_at", {"k": 99}),
    "AP@3(denominator=relevant)": ("average_precision_at", {"k": 3, "denominator": "relevant"}), "F@2(beta=0.5)": ("f_score_at", {"k": 2, "beta": 0.5}),
    "AP(denominator='retrieved')@2": ("average_precision_at", {"k": 2, "denominator": "retrieved"}), "SetF(beta=2)": ("set_f_score", {"beta": 2}),
    "ERR": ("expected_reciprocal_rank", {"max_grade": 4}), "ERR(max_grade=1)": ("expected_reciprocal_rank", {"max_grade": 1}),
    "RBP(p=0.8)": ("rank_biased_precision", {"persistence": 0.8}), "FullRecall(unreached=-1)": ("full_recall", {"unreached": -1}),
    **dict.fromkeys(("RBP(persistence=0.5)", "RBP(, p=0.5, )"), ("rank_biased_precision", {"persistence": 0.5})),
}  # fmt: skip
# The others are those of the records, tried at these values of what stands behind an @.
TRIED = {"k": (2, 100), "level": (0.1, 1), "multiple": (0.5, 2)}
for its in measures.MEASURES:
    given = {name: its.tried[name][-1] if name in its.tried else "cutoff" for name in its.needs}
    asked = its.base + f"({', '.join(f'{name}={value}' for name, value in given.items())})" * bool(given)
    beside = {name: value for name, value in its.default.items() if name != its.after_at} | given
    MEANS |= {f"{asked}@{value}": (its.path, beside | {its.after_at: value}) for value in TRIED.get(its.after_at, ())} or {asked: (its.path, beside)}
OF_A_CUT = {
    "RR@2": ("reciprocal_rank", {}, 2),
    "RBP(p=0.5)@2": ("rank_biased_precision", {"persistence": 0.5}, 2),
    "ERR@2(max_grade=1)": ("expected_reciprocal_rank", {"max_grade": 1}, 2),
}


@pytest.mark.check
@pytest.mark.parametrize("extra", [None, 0, 2])
def test_a_name_means_its_function(extra):
    batch = np.array(list(product((0, 1), repeat=4)))
    n_relevant = None if extra is None else batch.sum(axis=1) + extra
    for given in (batch, Hits.from_relevance(batch)):
        values = metrics.evaluate(given, list(MEANS), n_relevant=n_relevant)
        for name, (function, options) in MEANS.items():
            function = getattr(metrics, function)
            told = {"n_relevant": n_relevant} if "n_relevant" in inspect.signature(function).parameters else {}
            np.testing.assert_array_equal(values[name], function(given, **options, **told), name)
        values = metrics.evaluate(given, " ".join(OF_A_CUT), n_relevant=n_relevant)
        for name, (function, options, k) in OF_A_CUT.items():
            np.testing.assert_array_equal(values[name], getattr(metrics, function)(batch[:, :k], **options), name)


@pytest.mark.check
def test_every_metric_of_a_ranking_has_a_name():
    """Accuracy@k alone has none: ir_measures calls something else Accuracy."""
    signatures = {name: inspect.signature(getattr(metrics, name)) for name in metrics.MODULE_OF}
    of_a_ranking = {name for name, of in signatures.items() if [*of.parameters][0] == "relevance" and of.return_annotation == "Values"}
    named = {function for function, _ in MEANS.values()}
    assert named == of_a_ranking - {"accuracy_at"}
    written = {name.split("@")[0].split("(")[0] for name in [*MEANS, *OF_A_CUT]}
    assert written == set(measures.KNOWN) == {*measures.OF_THE_RANKING, *measures.AT_A_CUTOFF}


def test_names_in_a_text_and_in_a_list():
    expected = {"AP": 1 / 2, "nDCG(gain = 'linear')@1": 0, "P@1": 0, "P@2": 1 / 2, "IPrec@0": 1 / 2, "IPrec@0.5": 1 / 2}
    text = "  AP\n nDCG(gain = 'linear')@1\tP@1,2 IPrec@0,0.5 "
    for given in (text, list(expected), iter(expected), expected.keys(), ["AP", "nDCG(gain = 'linear')@1", "P@1,2", "IPrec@0,0.5"]):
        found = metrics.evaluate([0, 1, 0, 1], given)
        assert found == expected and list(found) == list(expected)
    assert isinstance(metrics.evaluate([0, 1], "AP")["AP"], np.float64)
    assert metrics.evaluate(np.zeros((2, 0, 3)), "AP P@1")["P@1"].shape == (2, 0)


@pytest.mark.parametrize("names, words", [
    ("map", "got 'map', expected 'AP', as it is called here"),
    ("F1@5 HR", "got 'HR', expected 'Success@10', as"),
    ("RBO", "got 'RBO', expected metrics.rank_biased_overlap, of two rankings"),
    ("Accuracy@5", "expected 'Success@5' (whether there is a hit, as in BEIR), or metrics.accuracy_at"),
    ("MAP@10", "expected 'AP@10(denominator=...)', as it is called here, with relevant (R, as in trec_eval"),
    ("MRR RR", "got 'RR' twice, as 'MRR' and as 'RR', expected each measure once"),
    ("P@5,", "got 'P@5,', expected a cutoff on each side of a comma"),
    ("Recall@0.5", "got 'Recall@0.5', expected one of"),
    ("Recall@-5", "got 'Recall@-5', expected"),
    ("ndcg_cut_10", "expected 'nDCG@10', as"),
    ("Recal@5", "('R@5'?)"),
    (["top-5 accuracy"], "expected 'Success@5', as"),
    ("PPV", "expected 'P@10' or 'SetP', as"),
    ("map_cut.10", "expected 'AP@10(denominator=...)', as it is called here, with relevant (R, as in trec_eval"),
    ("zzz", "got 'zzz', expected one of AP, AUC, BinaryG, Bpref,"),
    ("nDGC", "(nDCG?)"),
    ("P", "got 'P', expected a cutoff, such as 'P@10'"),
    ("AUC@3", "got 'AUC@3', expected 'AUC' without a cutoff"),
    ("AP@10", "got 'AP@10' without denominator, expected 'AP@10(denominator=...)'"),
    ("AP@10(denominator=R)", "got 'AP@10(denominator=R)', but denominator: got 'R', expected 'retrieved' or"),
    ("RBP", "got 'RBP' without persistence, expected 'RBP(persistence=...)'"),
    ("nDCG(rel=2)", "got 'rel' in 'nDCG(rel=2)', expected gain"),
    ("P@5,10,5", "got 'P@5' twice, expected each measure once"),
    ("RBP(p=)", "got 'RBP(p=)', expected one value for 'p'"),
    ("RBP(0.5)", "got '0.5' in 'RBP(0.5)', expected persistence"),
    ("RBP(p=.1, persistence=.2)", "expected one value for 'persistence'"),
    ("P@2.0", "got 'P@2.0', but k: got 2.0, expected one whole number"),
    ("P@5(x", "got 'P@5(x', expected a name such as"),
    (" ", "got ' ', expected names such as 'AP P@5 nDCG@10'"),
    ([], "got [], expected names such as"),
    (5, "got 5, expected names such as"),
    (["AP", 5], "got 5, expected the name of a measure, such as 'nDCG@10'"),
    (["AP", "P@1 P@2"], "got 'P@1 P@2', expected a name such as"),
])  # fmt: skip
def test_what_is_no_measure_is_said(names, words):
    with pytest.raises(ValueError) as error:
        metrics.evaluate([0, 1, 0], names)
    assert str(error.value).startswith("measures: got ") and words in str(error.value) and ", expected " in str(error.value)


# What is typed, and the call and the measure that the answer names: functions, classes and measures of scikit-learn, ir_measures, pytrec_eval, ranx,
# torchmetrics, recommenders, RecTools, LightFM, implicit, RecBole, Spark, BEIR, sentence-transformers, ml_metrics, SciPy and rbo.
GUESSED = {
    "success_at(relevance, k)": "hit_rate HitRate hitrate hit_ratio HR Hit retrieval_hit_rate RetrievalHitRate top_k_accuracy_score hit_rate_at_k S@k",
    "reciprocal_rank(relevance)": "mrr MRR mean_reciprocal_rank recip_rank retrieval_reciprocal_rank RetrievalMRR mrr_at_k MRRMetric RR",
    "average_precision(relevance)": "map MAP mean_average_precision meanAveragePrecision average_precision_score label_ranking_average_precision_score "
    "retrieval_average_precision RetrievalMAP MeanAveragePrecisionMetric AP",
    "average_precision_at(relevance, k, denominator=...)": "map_at_k map_at mapk apk mean_average_precision_at_k meanAveragePrecisionAt map_cut",
    "ndcg(relevance, k)": "ndcg_at ndcg_score ndcg_at_k NDCG nDCG ndcgAt retrieval_normalized_dcg RetrievalNormalizedDCG NDCGMetric ndcg_cut normalized_dcg",
    "dcg(relevance, k)": "dcg_score DCG dcg_at_k",
    "precision_at(relevance, k)": "precision_at_k precisionAt P prec_at_k precison_at",
    "recall_at(relevance, k)": "recall_at_k recallAt R recal_at_k",
    "r_precision(relevance)": "r_precision_at_k Rprec RetrievalRPrecision retrieval_r_precision",
    "precision(tp, fp)": "precision_score Precision", "recall(tp, fn)": "recall_score Recall RetrievalRecall",
    "f_score(tp, fp, fn, beta=1)": "f1_score fbeta_score f1 F1Score", "jaccard(tp, fp, fn)": "jaccard_score JaccardIndex iou",
    "accuracy(tp, fp, fn, tn)": "accuracy_score Accuracy", "confusion(predicted=..., actual=...)": "confusion_matrix",
    "auc_from_scores(scores=..., labels=...)": "roc_auc_score roc_curve AUROC BinaryAUROC", "auc(relevance)": "AUC auc_score auc_at_k gauc",
    "trapezoidal_area(relevance)": "pr_auc auprc", "full_recall(relevance)": "coverage_error", "rank_biased_precision(relevance, persistence)": "rbp RBP",
    "catalogue_coverage_at(predictions=..., catalogue=..., k=...)": "coverage catalog_coverage CatalogCoverage item_coverage ItemCoverage",
    "gini_at(predictions=..., catalogue=..., k=...)": "gini GiniIndex", "novelty_at(predictions=..., counts=..., k=...)": "novelty MeanInvUserFreq",
    "propensity_scored_precision_at(predictions=..., actual=..., propensity=..., k=...)": "psprecision psp",
    "alpha_ndcg(rankings=..., intents=..., k=...)": "alpha_nDCG alpha_DCG", "err_ia(rankings=..., intents=..., k=...)": "ERR_IA",
    "expected_reciprocal_rank(relevance, max_grade)": "ERR err", "bpref(relevance)": "Bpref", "judged_at(relevance, k)": "Judged",
    "set_precision(relevance)": "SetP", "inferred_average_precision(relevance)": "infAP", "eleven_point_average_precision(relevance)": "11pt_avg",
    "kendall_tau(a, b, variant=...)": "kendalltau KendallRankCorrCoef", "weighted_tau(a, b)": "weightedtau",
    "ap_correlation(reference=..., other=...)": "tau_ap",
    "rank_biased_overlap(a, b, persistence=...)": "rbo RBO rbo_ext RankingSimilarity", "evaluate(...)": "RelevanceEvaluator calc_aggregate iter_calc",
    "trec.read_run(path)": "read_run read_trec_run parse_run", "trec.read_qrels(path)": "read_qrels read_trec_qrels parse_qrel",
    "trec.read_results(path)": "read_results", "evaluate(runs, measures, qrels=...).average_seeds({system: runs})": "average_seeds",
    "compare(a, b, test=..., undefined=...)": "ttest_rel", "geometric_mean(values, undefined=..., floor=0.00001)": "gmap GMAP",
}  # fmt: skip
ELSEWHERE = sorted({re.sub(r"\W+", "_", name) for its in RECORDS.values() for name in its.names[1:]} - {*metrics.__all__})


@pytest.mark.check
def test_a_name_of_another_library_is_told_what_it_is_here():
    guesses = {name: call for call, names in GUESSED.items() for name in names.split()}
    assert len(guesses) > 100
    for name, call in guesses.items():
        assert not hasattr(metrics, name)
        with pytest.raises(AttributeError, match=f"^module 'metrics' has no attribute '{name}': here it is metrics\\.{re.escape(call)}(, or '.*|)$") as error:
            getattr(metrics, name)
        assert error.value.obj is None  # so that Python does not guess, too
    for name in ("height", "colour", "_repr_html_", "__wrapped__", "", "evaluator"):
        with pytest.raises(AttributeError, match=f"^module 'metrics' has no attribute '{name}'$"):
            getattr(metrics, name)


@pytest.mark.parametrize("name", [*ELSEWHERE, *(name.replace("@k", "@7") for its in RECORDS.values() for name in its.names)])
def test_a_hint_can_be_followed(name):
    """It is asked for as an attribute and as a measure, with a cutoff, too; each measure that the answer names is one, and each call is there."""
    answers = []
    for ask in (lambda: getattr(metrics, name), lambda: metrics.evaluate([0, 1, 1], [name]), lambda: metrics.evaluate([0, 1, 1], [f"{name}@7"])):
        try:
            ask()
        except (AttributeError, ValueError) as error:
            answers.append(str(error).partition(": here it is")[2] or str(error).partition(", expected ")[2])
    assert hasattr(metrics, name) or answers[0]
    for answer in answers:
        for call in re.findall(r"metrics\.([\w.]+)", answer):
            assert attrgetter(call)(metrics), answer
        for measure in re.findall(r"'(\w[^']*)'", answer.partition(", with relevant")[0]) if "one of AP, AUC" not in answer else ():
            measure = re.sub("denominator=[.]{3}", "denominator=ideal", measure).replace("=...", "=0.5")
            assert list(metrics.evaluate([0, 1, 1], measure))


# Other spellings that mean one thing only, and the name that stands in the table.
TAKEN = {
    "NDCG@10": "nDCG@10", "Recall@5": "R@5", "recall@5": "R@5", "MRR": "RR", "MAP": "AP", "Precision@5": "P@5", "hit_rate@10": "Success@10",
    "HR@10": "Success@10", "MAP@10(denominator=ideal)": "AP@10(denominator=ideal)", "mAP(denominator=ideal)@3": "AP(denominator=ideal)@3",
    "HitRate@10": "Success@10", "F1@10": "F@10", "MRR@10": "RR@10", "ndcg_at_10": "nDCG@10", "precision_at_3": "P@3", "Hit@3": "Success@3", "p@5": "P@5",
    "AUROC": "AUC", "ROC_AUC": "AUC", "R_Precision": "Rprec", "NDCG": "nDCG", "NDCG@3(gain=exponential)": "nDCG@3(gain=exponential)",
    "NDCG(gain=exponential)@3": "nDCG(gain=exponential)@3", "Recall(rel=1)@5": "R(rel=1)@5", "top_5_accuracy": "Success@5",
}  # fmt: skip


@pytest.mark.check
def test_a_spelling_that_means_one_thing_is_taken_and_the_name_is_that_of_the_book():
    for name, here in TAKEN.items():
        found = metrics.evaluate([[0, 1, 1]], [name])
        assert list(found) == [here] and found == metrics.evaluate([[0, 1, 1]], [here]), name
        if "(" not in name:
            assert list(metrics.trec.evaluate({"q": {"a": 1}}, {"q": {"a": 1}}, name)) == [here]
    assert list(metrics.evaluate([0, 1], "Recall@5,10 MRR")) == ["R@5", "R@10", "RR"]
    for name in {*trec_names.names_of("all_trec"), "P.5", "success", "ndcg", "map_cut.10"} - {*measures.KNOWN}:
        with pytest.raises(ValueError, match="measures: got"):  # what trec_eval prints by its names may differ: it has no nan
            metrics.evaluate([0, 1], [name])


@pytest.mark.parametrize("relevance, options, words", [
    ([1, 1], {"n_relevant": 1}, "n_relevant: got 1, expected at least the 2"),
    *(([3, 1, 2], {"measures": name, "relevance_level": level, "n_relevant": 4}, "n_relevant: got a number at relevance level .*, expected none beside")
      for name, level in (("AP(rel=2)", None), ("AP(rel=2)", 1), ("nDCG", 2))),
    *((relevance, {"groups": groups}, "groups: got shape .*, expected a label for each of the rankings")
      for relevance, groups in ((np.eye(2).reshape(1, 2, 2), ["new", "old"]), (np.eye(2), ["new"]), ([1, 0], "new"), ([1, 0], ["new"]))),
    ([[1], [0]], {"groups": [nan, 2.0]}, "groups: got nan at position 0, expected a label"),
])  # fmt: skip
def test_bad_rankings_are_no_fault_of_a_measure(relevance, options, words):
    with pytest.raises(ValueError, match=f"^{words}"):
        metrics.evaluate(relevance, **{"measures": "RR"} | options)


GRADED = {"a": 1, "b": 2, "c": 3, "d": 0, "e": -1, "z": 2}
RANKED = ["x", "a", "e", "b", "d", "c"]


def test_a_relevance_level():
    """Binary measures see the grades from the level on, measures of gain all of them."""
    hits = Hits.from_ids(rankings=[RANKED], relevant=[GRADED])
    names = "AP P@4 NumRel NumRet NumRelRet nDCG nDCG@4 ERR(max_grade=3) Bpref Judged Rprec SetF infAP"
    for level in (1, 2, 3):
        lowered = {item: grade if grade >= level else min(grade, 0) for item, grade in GRADED.items()}
        binary = metrics.evaluate(Hits.from_ids(rankings=[RANKED], relevant=[lowered]), names)
        graded = metrics.evaluate(hits, names)
        for name, value in metrics.evaluate(hits, names, relevance_level=level).items():
            assert value == (graded if name.startswith(("nDCG", "ERR")) else binary)[name], (name, level)
    values = metrics.evaluate(hits, "AP(rel=2) P(rel=3)@4,6 NumRet(rel=2) AP nDCG", relevance_level=1)
    assert values["AP(rel=2)"] == metrics.evaluate(hits, "AP", relevance_level=2)["AP"] != values["AP"]
    assert [values[name] for name in ("P(rel=3)@4", "P(rel=3)@6", "NumRet(rel=2)")] == [0, 1 / 6, 2]
    assert [metrics.evaluate([0.5, 0, 1], "P@1", relevance_level=level)["P@1"] for level in (None, 1)] == [1, 0]
    assert metrics.evaluate([3, 1, 2], "AP", relevance_level=2, n_relevant=4)["AP"] == (1 + 2 / 3) / 4


def test_groups_and_labels_that_are_kept_as_they_are():
    batch = np.array([[[1, 0], [0, 1]], [[0, 0], [1, 1]]])
    values = metrics.evaluate(batch, "P@1 RR", groups=[[1, "1"], ["1", 1]])
    assert list(values) == [1, "1"]
    assert {label: {name: each.tolist() for name, each in of.items()} for label, of in values.items()} == {
        1: {"P@1": [1, 1], "RR": [1, 1]},
        "1": {"P@1": [0, 0], "RR": [0.5, 0]},
    }
    assert list(metrics.evaluate([[1], [0]], "P@1", groups=[1, 2**53 + 1])) == [1, 2**53 + 1]
    assert metrics.evaluate(np.zeros((0, 3)), "RR", groups=[]) == {}
    with pytest.raises(ValueError, match="^groups: got a masked"):
        metrics.evaluate([[1], [0]], "P@1", groups=np.ma.array([1, 2], mask=[1, 0]))
