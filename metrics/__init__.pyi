# What each public name is, for type checkers; a test compares it with HOME in __init__.py.

from . import plots as plots, premise_selection as premise_selection, ties as ties, trec as trec
from .areas import (
    average_precision as average_precision,
    average_precision_at as average_precision_at,
    eleven_point_average_precision as eleven_point_average_precision,
    inferred_average_precision as inferred_average_precision,
    interpolated_average_precision as interpolated_average_precision,
    trapezoidal_area as trapezoidal_area,
)
from .catalogue import (
    catalogue_coverage_at as catalogue_coverage_at,
    gini_at as gini_at,
    novelty_at as novelty_at,
    propensities as propensities,
    propensity_scored_ndcg_at as propensity_scored_ndcg_at,
    propensity_scored_precision_at as propensity_scored_precision_at,
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
from .diversity import alpha_ndcg as alpha_ndcg, err_ia as err_ia
from .exact import claims as claims, definitions as definitions
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
from .hits import Hits as Hits
from .inputs.flat import from_columns as from_columns
from .inputs.frames import from_frame as from_frame
from .inputs.groups import split_by_item as split_by_item
from .inputs.scores import precision_recall_curve as precision_recall_curve
from .long_tail import (
    frequency_deciles as frequency_deciles,
    ndcg_by_decile as ndcg_by_decile,
    positive_coverage_at as positive_coverage_at,
    precision_by_decile as precision_by_decile,
    prediction_precision_at as prediction_precision_at,
    prediction_proportions_at as prediction_proportions_at,
    rank_for_recall_by_decile as rank_for_recall_by_decile,
)
from .names import trec_names as trec_names
from .names.measures import evaluate as evaluate
from .order import (
    auc as auc,
    auc_from_scores as auc_from_scores,
    bpref as bpref,
    full_recall as full_recall,
    inversions as inversions,
    mean_rank as mean_rank,
    reciprocal_rank as reciprocal_rank,
)
from .rank_correlation import (
    ap_correlation as ap_correlation,
    kendall_tau as kendall_tau,
    rank_biased_overlap as rank_biased_overlap,
    weighted_tau as weighted_tau,
)
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
from .topics.means import geometric_mean as geometric_mean, mean as mean, median as median
from .topics.significance import compare as compare, leaderboard as leaderboard
from .topics.totals import LogTotal as LogTotal, Total as Total

__version__: str
