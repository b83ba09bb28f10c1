"""What people call the metrics elsewhere: in papers, in other libraries, in other languages."""

from __future__ import annotations

import re
from difflib import get_close_matches

# A name of this package, as in `explanations` -> what else it is called. A number of items is written k. MAP, MRR and their like
# are means over queries of what the package computes for each.
ALSO_CALLED: dict[str, tuple[str, ...]] = {
    "AP": ("MAP", "mAP", "average precision", "mean average precision", "average precision score", "label ranking average precision", "LRAP"),
    "AP@k": ("MAP@k", "mAP@k", "MAP cut k", "map_cut.k", "MAP at k", "mean average precision at k", "average precision at k", "mapk", "apk"),
    "RR": ("MRR", "MRR@k", "mean reciprocal rank", "recip_rank", "reciprocal rank", "mean reciprocal rank at k", "reciprocal rank at k", "RR@k"),
    "Success@k": ("hit rate", "hit ratio", "hit rate@k", "HR", "HR@k", "hit@k", "hit", "hit ratio@k", "success at k", "success_k", "S@k", "top-k accuracy",
                  "top k accuracy", "accuracy in the top k", "recall@k of one item"),
    "P@k": ("precision at k", "precision@k", "P_k", "prec@k", "P at k", "precision_at_k"),
    "R@k": ("recall at k", "recall_k", "R at k", "recall_at_k", "sensitivity at k"),
    "NormalizedRecall@k": ("normalised recall", "capped recall", "R_cap", "relative recall at k"),
    "F@k": ("F1@k", "F1 at k", "F-measure at k", "F-beta at k"),
    "Accuracy@k": ("accuracy at k",),
    "Rprec": ("R-precision", "R precision", "precision at R", "R-precision at k"),
    "InterpolatedAP": ("interpolated average precision", "VOC average precision", "all-point interpolated AP"),
    "ElevenPointAP": ("11-point average precision", "eleven-point average precision", "11pt_avg"),
    "TrapezoidalArea": ("PR AUC", "AUPRC", "area under the precision-recall curve", "auc_pr", "precision recall AUC"),
    "DCG@k": ("DCG", "discounted cumulative gain", "discounted cumulative gain at k", "DCG at k"),
    "nDCG@k": ("NDCG", "nDCG", "normalised discounted cumulative gain", "normalized discounted cumulative gain", "ndcg_cut_k", "NDCG at k",
               "normalized DCG", "normalised DCG", "normalized DCG at k", "mean NDCG", "normalized discounted cumulative gain at k"),
    "RBP": ("rank-biased precision", "rank biased precision", "RBP@k"),
    "ERR": ("expected reciprocal rank", "ERR@k"),
    "AUC": ("ROC AUC", "ROC", "ROC curve", "AUROC", "area under the ROC curve", "concordance", "c-statistic", "Mann-Whitney U", "GAUC", "AUC at k"),
    "FullRecall": ("coverage error",),
    "Bpref": ("binary preference",),
    "infAP": ("inferred average precision", "inferred AP"),
    "MeanRank": ("average rank", "mean rank of the hits"),
    "catalogue coverage@k": ("catalogue coverage", "catalog coverage", "catalog coverage at k", "item coverage", "prediction coverage",
                             "coverage", "coverage at k"),
    "Gini@k": ("Gini", "Gini index", "Gini coefficient", "Gini at k"),
    "novelty@k": ("novelty", "self-information", "mean self-information", "novelty at k", "mean inverse user frequency", "mean inv user freq", "MIUF"),
    "PSP@k": ("PSP", "propensity-scored precision", "propensity scored precision at k", "PSprec@k", "psprecision", "psprecision at k"),
    "PSnDCG@k": ("PSnDCG", "PSDCG", "propensity-scored nDCG", "propensity scored nDCG at k"),
    "alpha-nDCG@k": ("alpha-nDCG", "alpha nDCG", "α-nDCG", "α-nDCG@k", "aNDCG", "alpha-DCG", "novelty-biased nDCG"),
    "ERR-IA@k": ("ERR-IA", "intent-aware ERR", "intent-aware expected reciprocal rank", "intent aware ERR at k"),
    "precision": ("positive predictive value", "PPV", "Präzision", "Genauigkeit", "précision", "precisión"),
    "recall": ("sensitivity", "true positive rate", "TPR", "hit rate of a classifier", "Trefferquote", "Sensitivität", "rappel",
               "sensibilité", "exhaustividad"),
    "F": ("F1", "F-measure", "F-score", "F1 score", "Dice", "Dice coefficient", "Sørensen-Dice", "F-Maß", "F-beta"),
    "E": ("E-measure", "van Rijsbergen's E"),
    "Jaccard": ("Jaccard index", "IoU", "intersection over union", "Tanimoto", "critical success index"),
    "accuracy": ("share of right decisions", "Rand accuracy"),
    "geometric mean": ("GMAP", "gm_map"),
    "median": ("median over queries",),
    "Kendall's tau": ("Kendall tau", "tau-b", "kendalltau", "Kendall rank correlation", "Kendall rank corr coef"),
    "AP correlation": ("tau_ap", "τ_ap", "AP rank correlation", "tauAP"),
    "weighted tau": ("weightedtau", "weighted Kendall tau", "hyperbolic tau", "tau_h"),
    "RBO": ("rank-biased overlap", "rank biased overlap", "rbo_ext", "ranking similarity"),
    "mean": ("macro average", "mean over queries"),
}  # fmt: skip


def called_here(name: str) -> str | None:
    """The metric that people mean by `name`, as `explanations` calls it, or None; numbers of items count as k.

    Source: the table of this module.

    >>> called_here("MAP"), called_here("HR@10"), called_here("retrieval_hit_rate"), called_here("height")
    ('AP', 'Success@k', 'Success@k', None)
    """
    return _TABLE.get(_key(name))


def nearly(name: str) -> str | None:
    """The same of a misspelt name.

    >>> nearly("Recal@5"), nearly("height")
    ('R@k', None)
    """
    close = get_close_matches(_key(name), _TABLE, 1, 0.85)
    return _TABLE[close[0]] if close else None


# What is no measure of a ranking -> what to ask for in its place.
INSTEAD = {
    "precision": "'P@10' or 'SetP'",
    "recall": "'R@10' or 'SetR'",
    "F": "'F@10' or 'SetF'",
    "E": "'F@10' or 'SetF', of which E is the rest to 1",
    "accuracy": "'Success@1' (of the first item), 'AUC' (of pairs, as in ir_measures), or metrics.accuracy (of counts)",
    "Accuracy@k": "'Success@10' (whether there is a hit, as in BEIR), or metrics.accuracy_at (of all decisions)",
    "TrapezoidalArea": "'AP' or, of straight lines between the points, 'TrapezoidalArea'",
    "Kendall's tau": "metrics.kendall_tau, of two lists of numbers",
    "AP correlation": "metrics.ap_correlation, of two lists of numbers",
    "weighted tau": "metrics.weighted_tau, of two lists of numbers",
    "RBO": "metrics.rank_biased_overlap, of two rankings",
    "Jaccard": "metrics.jaccard, of sets",
    "catalogue coverage@k": "metrics.catalogue_coverage_at, which needs the catalogue",
    "Gini@k": "metrics.gini_at, which needs the catalogue",
    "novelty@k": "metrics.novelty_at, which needs the counts of the labels",
    "PSP@k": "metrics.propensity_scored_precision_at, which needs the propensities",
    "PSnDCG@k": "metrics.propensity_scored_ndcg_at, which needs the propensities",
    "alpha-nDCG@k": "metrics.alpha_ndcg, which needs what is relevant to each intent",
    "ERR-IA@k": "metrics.err_ia, which needs what is relevant to each intent",
    "mean": "the name of a measure, and metrics.mean of its values",
    "geometric mean": "'AP', and metrics.geometric_mean of its values",
    "median": "the name of a measure, and metrics.median of its values",
}
# Of AP at a cutoff -> what it is, and who has it.
DENOMINATORS = {
    "relevant": "R, as in trec_eval, ir_measures, ranx and RecTools",
    "ideal": "the smaller of k and R, as in Spark and map_at_k of recommenders",
    "retrieved": "the hits in the top k, as in torchmetrics",
    "cutoff": "k, as in RecTools with divide_by_k",
}
GAINS = {
    "linear": "the grade, as in trec_eval, ir_measures, scikit-learn, torchmetrics and CatBoost",
    "exponential": "2^grade - 1, as in LightGBM, XGBoost and Elasticsearch",
}
CHOICES = {"AP@k": ("denominator", DENOMINATORS), "nDCG@k": ("gain", GAINS)}
*_first, _last = (f"{name} ({words})" for name, words in DENOMINATORS.items())
WHICH = f"with {', '.join(_first)} or {_last}"


def meant(name: str, here: str | None = None) -> str | None:
    """The measure of `metrics.evaluate` that has only one other name, this one; None where a choice or a cutoff is missing.

    >>> meant("Recall@5"), meant("F1@10"), meant("MRR"), meant("MAP@10"), meant("hit_rate")
    ('R@5', 'F@10', 'RR', None, None)
    """
    here, numbers = here or called_here(name), [word for word in _words(name) if word.isdigit()]
    if here in ("DCG@k", "nDCG@k", "RR", "ERR", "RBP"):  # with a cutoff or without
        here = here.removesuffix("@k") + "@k" * bool(numbers)
    if here is None or here in INSTEAD or here == "AP@k" or ("@k" in here and not numbers):
        return None
    return here.replace("@k", f"@{numbers[0]}") if numbers else here


def asked_for(name: str, misspelt: bool = False) -> str | None:
    """What to ask `metrics.evaluate` for if people call it `name`, in words for an error; None where nobody does.

    >>> asked_for("Recall@5"), asked_for("top-20 accuracy"), asked_for("MAP@3"), asked_for("TPR")
    ("'R@5'", "'Success@20'", "'AP@3(denominator=...)'", "'R@10' or 'SetR'")
    """
    here = nearly(name) if misspelt else called_here(name)
    number = next((word for word in _words(name) if word.isdigit()), "10")
    if here is None or here in INSTEAD:
        return here and INSTEAD[here].replace("@10", f"@{number}")
    return f"'AP@{number}(denominator=...)'" if here == "AP@k" else repr(meant(name, here) or here.replace("@k", f"@{number}"))


def function_of(name: str) -> str | None:
    """The call of what others name so and is no metric of a line here, or None."""
    return next((call for call, names in FUNCTIONS.items() if _key(name) in map(_key, names)), None)


# A call of `metrics` -> what it is elsewhere.
FUNCTIONS = {
    "auc_from_scores(scores=..., labels=...)": ("ROC AUC score", "AUROC", "binary AUROC", "ROC curve"),
    "confusion(predicted=..., actual=...)": ("confusion matrix", "multilabel confusion matrix", "precision recall f-score support"),
    "trec.read_run(path)": ("read run", "read trec run", "parse run", "run from file"),
    "trec.read_qrels(path)": ("read qrels", "read trec qrels", "parse qrel", "qrels from file"),
    "trec.read_results(path)": ("read results",),
    "evaluate(runs, measures, qrels=...).average_seeds({system: runs})": ("average seeds",),
    "evaluate(...)": ("relevance evaluator", "calc aggregate", "iter calc", "compute measures", "ranking metrics at k", "ranking metrics"),
    "compare(a, b, test=..., undefined=...)": ("ttest_rel", "paired t-test", "wilcoxon", "Fisher randomisation test"),
}
NO_PART = {"at", "retrieval", "score", "metric"}  # of a name: libraries add them


def _words(name: str) -> list[str]:
    """The words of a name: case and signs do not count, and an `at` at the end wants a number."""
    apart = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", " ", name).casefold().replace("@", " at ")
    words = "".join(each if each.isalnum() else " " for each in apart).split()
    return [*words[:-1], "k"] if words[1:] and words[-1] == "at" and "@" not in name else words


def _key(name: str) -> str:
    """A name as it is looked up: without blanks, a number as k."""
    words = _words(name)
    return "".join("k" if word.isdigit() else word for word in words if word not in NO_PART) or "".join(words)


_TABLE: dict[str, str] = {}
for _here, _others in ALSO_CALLED.items():
    for _name in (_here, *_others):
        _TABLE.setdefault(_key(_name), _here)
