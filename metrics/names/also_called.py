"""What people call the metrics elsewhere: in papers, in other libraries, in other languages."""

from __future__ import annotations

import re
from difflib import get_close_matches

# A name of this package, as in `explanations` -> what else it is called. A number of items is written k. MAP, MRR and their like
# are means over queries of what the package computes for each.
ALSO_CALLED: dict[str, tuple[str, ...]] = {
    "AP": ("MAP", "mAP", "average precision", "mean average precision", "average precision score"),
    "AP@k": ("MAP@k", "mAP@k", "MAP cut k", "map_cut.k", "MAP at k", "mapk", "apk"),
    "RR": ("MRR", "MRR@k", "mean reciprocal rank", "recip_rank", "reciprocal rank", "RR@k"),
    "Success@k": ("hit rate", "hit ratio", "hit rate@k", "HR", "HR@k", "hit@k", "success at k", "success_k", "S@k", "top-k accuracy",
                  "top k accuracy", "accuracy in the top k", "recall@k of one item"),
    "P@k": ("precision at k", "precision@k", "P_k", "prec@k", "P at k", "precision_at_k"),
    "R@k": ("recall at k", "recall_k", "R at k", "recall_at_k", "sensitivity at k"),
    "NormalizedRecall@k": ("normalised recall", "capped recall", "R_cap", "relative recall at k"),
    "F@k": ("F1@k", "F1 at k", "F-measure at k"),
    "Accuracy@k": ("accuracy at k",),
    "Rprec": ("R-precision", "R precision", "precision at R"),
    "InterpolatedAP": ("interpolated average precision", "VOC average precision", "all-point interpolated AP"),
    "ElevenPointAP": ("11-point average precision", "eleven-point average precision", "11pt_avg"),
    "TrapezoidalArea": ("PR AUC", "AUPRC", "area under the precision-recall curve", "auc_pr"),
    "DCG@k": ("DCG", "discounted cumulative gain", "DCG at k"),
    "nDCG@k": ("NDCG", "nDCG", "normalised discounted cumulative gain", "normalized discounted cumulative gain", "ndcg_cut_k", "NDCG at k"),
    "RBP": ("rank-biased precision", "rank biased precision"),
    "ERR": ("expected reciprocal rank", "ERR@k"),
    "AUC": ("ROC AUC", "ROC", "ROC curve", "AUROC", "area under the ROC curve", "concordance", "c-statistic", "Mann-Whitney U"),
    "Bpref": ("binary preference",),
    "infAP": ("inferred average precision", "inferred AP"),
    "MeanRank": ("average rank", "mean rank of the hits"),
    "catalogue coverage@k": ("catalogue coverage", "catalog coverage", "catalog coverage at k", "item coverage", "prediction coverage"),
    "Gini@k": ("Gini", "Gini index", "Gini coefficient", "Gini at k"),
    "novelty@k": ("novelty", "self-information", "mean self-information", "novelty at k"),
    "PSP@k": ("PSP", "propensity-scored precision", "propensity scored precision at k", "PSprec@k", "psprecision"),
    "PSnDCG@k": ("PSnDCG", "PSDCG", "propensity-scored nDCG", "propensity scored nDCG at k"),
    "alpha-nDCG@k": ("alpha-nDCG", "alpha nDCG", "α-nDCG", "α-nDCG@k", "aNDCG", "alpha-DCG", "novelty-biased nDCG"),
    "ERR-IA@k": ("ERR-IA", "intent-aware ERR", "intent-aware expected reciprocal rank", "intent aware ERR at k"),
    "precision": ("positive predictive value", "PPV", "Präzision", "Genauigkeit", "précision", "precisión"),
    "recall": ("sensitivity", "true positive rate", "TPR", "hit rate of a classifier", "Trefferquote", "Sensitivität", "rappel",
               "sensibilité", "exhaustividad"),
    "F": ("F1", "F-measure", "F-score", "F1 score", "Dice", "Dice coefficient", "Sørensen-Dice", "F-Maß"),
    "E": ("E-measure", "van Rijsbergen's E"),
    "Jaccard": ("Jaccard index", "IoU", "intersection over union", "Tanimoto", "critical success index"),
    "accuracy": ("share of right decisions", "Rand accuracy"),
    "geometric mean": ("GMAP", "gm_map"),
    "Kendall's tau": ("Kendall tau", "tau-b", "kendalltau", "Kendall rank correlation"),
    "AP correlation": ("tau_ap", "τ_ap", "AP rank correlation", "tauAP"),
    "weighted tau": ("weightedtau", "weighted Kendall tau", "hyperbolic tau", "tau_h"),
    "RBO": ("rank-biased overlap", "rank biased overlap"),
    "mean": ("macro average", "mean over queries"),
}  # fmt: skip


def called_here(name: str) -> str | None:
    """The metric that people mean by `name`, as `explanations` calls it, or None; numbers of items count as k.

    Source: the table of this module.

    >>> called_here("MAP"), called_here("HR@10"), called_here("Recall@5"), called_here("height")
    ('AP', 'Success@k', 'R@k', None)
    """
    return _TABLE.get(_words(name)) or _TABLE.get(_words(re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name)))


def nearly(name: str) -> str | None:
    """What to ask `metrics.evaluate` for if `name` is a misspelt name that people have, as in `asked_for`, or None.

    >>> nearly("Recal@5"), nearly("height")
    ("'R@5'", None)
    """
    written = {" ".join(words): words for words in _TABLE}
    [*close] = get_close_matches(" ".join(_words(name)), written, 1, 0.85)
    numbers = iter(re.findall(r"\d+", name))
    return asked_for(" ".join(next(numbers, word) if word == "k" else word for word in written[close[0]])) if close else None


# What is no measure of a ranking -> what to ask for in its place.
INSTEAD = {
    "precision": "'P@10' or 'SetP'",
    "recall": "'R@10' or 'SetR'",
    "F": "'F@10' or 'SetF'",
    "E": "'F@10' or 'SetF', of which E is the rest to 1",
    "accuracy": "'Success@10', or metrics.accuracy_at",
    "Accuracy@k": "metrics.accuracy_at, which is no measure of `evaluate`",
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


def asked_for(name: str) -> str | None:
    """What to ask `metrics.evaluate` for if people call it `name`, in words for an error; None where nobody does.

    >>> asked_for("Recall@5"), asked_for("top-20 accuracy"), asked_for("MAP"), asked_for("TPR")
    ("'R@5'", "'Success@20'", "'AP'", "'R@10' or 'SetR'")
    """
    here, numbers = called_here(name), re.findall(r"\d+", name)
    if here is None or here in INSTEAD:
        return here and INSTEAD[here]
    if here in ("DCG@k", "nDCG@k", "RR", "ERR", "RBP"):  # with a cutoff or without
        here = here.removesuffix("@k") + "@k" * bool(numbers)
    here = here.replace("@k", f"@{(numbers or [10])[-1]}")
    return f"'{here}(denominator=...)'" if here.startswith("AP@") else repr(here)


def _words(name: str) -> tuple[str, ...]:
    """The words of a name: @ is at, a number k; case and signs do not count."""
    spaced = "".join(each if each.isalnum() else " " for each in name.casefold().replace("@", " at "))
    return tuple("k" if word.isdigit() else word for word in spaced.split())


_TABLE: dict[tuple[str, ...], str] = {}
for _here, _others in ALSO_CALLED.items():
    for _name in (_here, *_others):
        _TABLE.setdefault(_words(_name), _here)
