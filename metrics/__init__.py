"""Ranking metrics by hit positions: the NumPy side of the book "Precision, Recall, and All That".

NumPy is loaded when a function that needs it is first asked for, so that `metrics.exact`
also runs where there is none.
"""

from importlib import import_module

__version__ = "0.2.0"

# Where each public name is defined. Type checkers read the same in __init__.pyi, which a test compares.
HOME = {
    "hits": "Hits",
    "sets": "confusion precision recall accuracy jaccard f_score e_measure weighted_harmonic_mean "
    "utility number_retrieved number_relevant number_found set_precision set_recall set_f_score "
    "set_average_precision set_normalized_recall",
    "cutoff": "hits_at precision_at recall_at normalized_recall_at f_score_at success_at accuracy_at "
    "r_precision r_precision_at judged_at",
    "curve": "precision_curve recall_curve rank_at_recall precision_at_recall interpolated_precision "
    "break_even_ranks",
    "areas": "average_precision average_precision_at eleven_point_average_precision "
    "interpolated_average_precision trapezoidal_area inferred_average_precision",
    "order": "reciprocal_rank full_recall mean_rank inversions auc bpref auc_from_scores",
    "gain": "dcg ndcg rank_biased_precision expected_reciprocal_rank binary_g graded_g mean_ndcg_at_hits "
    "mean_ndcg_at_levels",
    "long_tail": "frequency_deciles precision_by_decile ndcg_by_decile rank_for_recall_by_decile "
    "prediction_proportions_at prediction_precision_at positive_coverage_at",
    "rank_correlation": "kendall_tau ap_correlation weighted_tau rank_biased_overlap",
    "catalogue": "catalogue_coverage_at gini_at novelty_at propensities propensity_scored_precision_at "
    "propensity_scored_ndcg_at",
    "diversity": "alpha_ndcg err_ia",
    "inputs.flat": "from_columns",
    "inputs.frames": "from_frame",
    "inputs.groups": "split_by_item",
    "inputs.scores": "precision_recall_curve",
    "names.measures": "evaluate",
    "topics.means": "mean median geometric_mean",
    "topics.significance": "compare leaderboard",
    "topics.totals": "Total LogTotal",
}
MODULE_OF = {name: module for module, names in HOME.items() for name in names.split()}
NAMESPACES = {
    "claims": "exact.claims",
    "definitions": "exact.definitions",
    "plots": "plots",
    "premise_selection": "premise_selection",
    "ties": "ties",
    "trec": "trec",
    "trec_names": "names.trec_names",
}
__all__ = [*NAMESPACES, *MODULE_OF]


def __getattr__(name):
    if name in MODULE_OF:
        value = getattr(import_module(f".{MODULE_OF[name]}", __name__), name)
    elif name in NAMESPACES:
        value = import_module(f".{NAMESPACES[name]}", __name__)
    elif name[:1] != "_" and (instead := called_here(name)):
        raise AttributeError(f"module 'metrics' has no attribute {name!r}: here it is {instead}", name=name)
    else:
        raise AttributeError(f"module 'metrics' has no attribute {name!r}")
    globals()[name] = value
    return value


def called_here(name):
    """What a function of another library is called here."""
    try:
        return import_module(".names.explanations", __name__).instead_of(name)
    except ImportError:  # there is no NumPy
        return ""


def __dir__():
    return sorted([*__all__, "__version__", "__doc__", "__path__"])
