"""Ranking metrics by hit positions: the NumPy side of the book "Precision, Recall, and All That".

NumPy is loaded when a function that needs it is first asked for, so that `metrics.exact`
also runs where there is none.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # `as` says to type checkers that the name is meant to be had from here
    from . import premise_selection as premise_selection, ties as ties, trec as trec
    from .aggregate import geometric_mean as geometric_mean, mean as mean
    from .areas import (
        average_precision as average_precision,
        average_precision_at as average_precision_at,
        eleven_point_average_precision as eleven_point_average_precision,
        inferred_average_precision as inferred_average_precision,
        interpolated_average_precision as interpolated_average_precision,
        trapezoidal_area as trapezoidal_area,
    )
    from .curve import (
        break_even_ranks as break_even_ranks,
        interpolated_precision as interpolated_precision,
        precision_at_recall as precision_at_recall,
        precision_curve as precision_curve,
        rank_at_recall as rank_at_recall,
        recall_curve as recall_curve,
    )
    from .cutoff import (
        accuracy_at as accuracy_at,
        f_score_at as f_score_at,
        hits_at as hits_at,
        judged_at as judged_at,
        normalized_recall_at as normalized_recall_at,
        precision_at as precision_at,
        r_precision as r_precision,
        r_precision_at as r_precision_at,
        recall_at as recall_at,
        success_at as success_at,
    )
    from .exact import claims as claims, definitions as definitions
    from .frames import from_frame as from_frame
    from .gain import (
        binary_g as binary_g,
        dcg as dcg,
        expected_reciprocal_rank as expected_reciprocal_rank,
        graded_g as graded_g,
        mean_ndcg_at_hits as mean_ndcg_at_hits,
        mean_ndcg_at_levels as mean_ndcg_at_levels,
        ndcg as ndcg,
        rank_biased_precision as rank_biased_precision,
    )
    from .groups import split_by_item as split_by_item
    from .hits import Hits as Hits
    from .long_tail import (
        frequency_deciles as frequency_deciles,
        ndcg_by_decile as ndcg_by_decile,
        positive_coverage_at as positive_coverage_at,
        precision_by_decile as precision_by_decile,
        prediction_precision_at as prediction_precision_at,
        prediction_proportions_at as prediction_proportions_at,
        rank_for_recall_by_decile as rank_for_recall_by_decile,
    )
    from .measures import evaluate as evaluate
    from .merge import LogTotal as LogTotal, Total as Total
    from .order import (
        auc as auc,
        auc_from_scores as auc_from_scores,
        bpref as bpref,
        full_recall as full_recall,
        inversions as inversions,
        mean_rank as mean_rank,
        reciprocal_rank as reciprocal_rank,
    )
    from .scores import precision_recall_curve as precision_recall_curve
    from .sets import (
        accuracy as accuracy,
        confusion as confusion,
        e_measure as e_measure,
        f_score as f_score,
        jaccard as jaccard,
        number_found as number_found,
        number_relevant as number_relevant,
        number_retrieved as number_retrieved,
        precision as precision,
        recall as recall,
        set_average_precision as set_average_precision,
        set_f_score as set_f_score,
        set_normalized_recall as set_normalized_recall,
        set_precision as set_precision,
        set_recall as set_recall,
        utility as utility,
        weighted_harmonic_mean as weighted_harmonic_mean,
    )
    from .significance import compare as compare, leaderboard as leaderboard

__version__ = "0.2.0"

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
    "scores": "precision_recall_curve",
    "frames": "from_frame",
    "gain": "dcg ndcg rank_biased_precision expected_reciprocal_rank binary_g graded_g mean_ndcg_at_hits "
    "mean_ndcg_at_levels",
    "groups": "split_by_item",
    "long_tail": "frequency_deciles precision_by_decile ndcg_by_decile rank_for_recall_by_decile "
    "prediction_proportions_at prediction_precision_at positive_coverage_at",
    "aggregate": "mean geometric_mean",
    "measures": "evaluate",
    "merge": "Total LogTotal",
    "significance": "compare leaderboard",
}
MODULE_OF = {name: module for module, names in HOME.items() for name in names.split()}

NAMESPACES = ("claims", "definitions", "premise_selection", "ties", "trec")

__all__ = [*NAMESPACES, *MODULE_OF]


def __getattr__(name: str) -> Any:
    if name in MODULE_OF:
        value = getattr(import_module(f".{MODULE_OF[name]}", __name__), name)
    elif name in NAMESPACES:
        value = import_module(f".{name}", __name__)
    else:
        raise AttributeError(f"module 'metrics' has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
