"""What each metric is in a line: its formula, its call, what it rewards, and where the book explains it (long: a table)."""

from __future__ import annotations

import re
from collections.abc import Callable
from difflib import get_close_matches
from inspect import getdoc
from operator import attrgetter
from typing import Any, NamedTuple

from .._base.checks import refuse
from .also_called import CHOICES, asked_for, called_here, function_of, nearly
from .measures import NAME, SHORT, as_value
from .trec_names import parsed


class Explanation(NamedTuple):
    """A metric in a line.

    formula: in TeX, by the letters of the chapter on notation;
    call: of a function of `metrics`;
    rewards: one sentence that helps to choose;
    chapter: the name of its page; anchor: of its definition there.
    """

    formula: str
    call: str
    rewards: str
    chapter: str
    anchor: str


Row = Explanation
BY_PURPOSE: dict[str, dict[str, Explanation]] = {
    "One good answer is enough": {
        "RR": Row(
            r"\frac{1}{k_1}", "reciprocal_rank(relevance)",
            "An early first hit; what follows it does not count.",
            "order-and-auc", "def-ranks-of-hits"),
        "Success@k": Row(
            r"1 \text{ if } s(k) > 0, \text{ else } 0", "success_at(relevance, k)",
            "Anything relevant in the top k, at whatever rank.",
            "order-and-auc", "def-ranks-of-hits"),
        "ERR": Row(
            r"\sum_{i} \frac{1}{i}\, q_i \prod_{l < i} (1 - q_l), \quad q_i = \frac{2^{g_i} - 1}{2^{g_{\max}}}",
            "expected_reciprocal_rank(relevance, max_grade)",
            "An early item of a high grade; the better what stood above, the less an item adds.",
            "discounted-gain", "def-err"),
    },
    "The top k is looked at": {
        "P@k": Row(
            r"\frac{s(k)}{k}", "precision_at(relevance, k)",
            "Few wrong items in the top k; cannot be 1 with fewer than k relevant ones.",
            "from-sets-to-rankings", "def-at-k"),
        "R@k": Row(
            r"\frac{s(k)}{R}", "recall_at(relevance, k)",
            "Few relevant items missing from the top k; cannot be 1 with more than k of them.",
            "from-sets-to-rankings", "def-at-k"),
        "NormalizedRecall@k": Row(
            r"\frac{s(k)}{\min(k, R)}", "normalized_recall_at(relevance, k)",
            "As many hits in the top k as there can be.",
            "discounted-gain", "normalised-recall"),
        "F@k": Row(
            r"\frac{(1 + \beta^2)\, s(k)}{k + \beta^2 R}", "f_score_at(relevance, k, beta=1)",
            "Precision and recall of the top k at once; with a larger β recall counts more.",
            "f-and-e", "f-along-a-ranking"),
        "Hits@k": Row(
            r"s(k)", "hits_at(relevance, k)",
            "Each relevant item of the top k, whatever there is to find.",
            "from-sets-to-rankings", "def-ranking"),
        "Accuracy@k": Row(
            r"1 - \frac{k + R - 2 s(k)}{N}", "accuracy_at(relevance, k)",
            "Right decisions about all items, of which most are easy: rarely what you want.",
            "precision-and-recall", "def-accuracy"),
        "Rprec": Row(
            r"\frac{s(R)}{R}", "r_precision(relevance)",
            "Hits at the cutoff that suits the query, where precision equals recall.",
            "r-precision", "def-r-precision"),
        "Rprec@m": Row(
            r"\frac{s(\lceil m R \rceil)}{\lceil m R \rceil}", "r_precision_at(relevance, multiple)",
            "Hits at m times that cutoff: a small m looks at the top, a large one further down.",
            "r-precision", "at-a-multiple-of-r"),
    },
    "All that is relevant, and early": {
        "AP": Row(
            r"\frac{1}{R} \sum_{j} \frac{j}{k_j}", "average_precision(relevance)",
            "Every hit, the upper ones most; what was never ranked counts as missed.",
            "average-precision", "def-average-precision"),
        "AP@k": Row(
            r"\frac{1}{d} \sum_{k_j \le k} \frac{j}{k_j}, \quad d = s(k),\ R,\ \min(k, R) \text{ or } k",
            "average_precision_at(relevance, k, denominator='relevant')",
            "As AP, for a list that was cut; with d = s(k), finding less can score more.",
            "ap-at-k", "def-ap-at-k"),
        "InterpolatedAP": Row(
            r"\frac{1}{R} \sum_{j} \max_{i \ge j} \frac{i}{k_i}", "interpolated_average_precision(relevance)",
            "As AP, for a reader who goes on where precision is going to rise.",
            "areas-under-the-curve", "def-six-areas"),
        "ElevenPointAP": Row(
            r"\frac{1}{11} \sum_{0 \le l \le 10} p_{\mathrm{int}}\bigl(\frac{l}{10}\bigr)",
            "eleven_point_average_precision(relevance)",
            "As InterpolatedAP, seen at eleven levels; for tables of older papers.",
            "areas-under-the-curve", "def-six-areas"),
        "TrapezoidalArea": Row(
            r"\sum_{k} \frac{p(k - 1) + p(k)}{2}\, (r(k) - r(k - 1)), \quad p(0) = 1",
            "trapezoidal_area(relevance)",
            "As AP, by straight lines from point to point; below AP wherever an irrelevant item stands above a hit.",
            "areas-under-the-curve", "def-six-areas"),
    },
    "Grades, and a reader's patience": {
        "DCG@k": Row(
            r"\sum_{i \le k} \frac{G(g_i)}{\log_2(i + 1)}, \quad G(g) = g \text{ or } 2^g - 1", "dcg(relevance, k)",
            "High grades at high ranks; grows with the number of relevant items.",
            "discounted-gain", "def-ndcg"),
        "nDCG@k": Row(
            r"\frac{\mathrm{DCG@}k}{\mathrm{DCG@}k \text{ of the ideal}}", "ndcg(relevance, k)",
            "High grades at high ranks, as a share of what the best list gets.",
            "discounted-gain", "def-ndcg"),
        "RBP": Row(
            r"(1 - p) \sum_{j} p^{k_j - 1}", "rank_biased_precision(relevance, persistence)",
            "Hits where a reader gets who goes on with chance p; needs no R, and what unjudged items can add is known.",
            "discounted-gain", "def-rbp"),
    },
    "Experiments of trec_eval": {
        "BinaryG": Row(
            r"\frac{1}{R} \sum_{j} \frac{1}{\log_2(2 + k_j - j)}", "binary_g(relevance)",
            "Every hit, the less the more irrelevant items stand above it.",
            "discounted-gain", "four-experiments-of-trec-eval"),
        "G": Row(
            r"\frac{1}{\sum_{i} g^*_i} \sum_{i} \frac{g_i}{\log_2(2 + v_i)}", "graded_g(relevance)",
            "High grades, each the less the more gain was missed down to its rank.",
            "discounted-gain", "four-experiments-of-trec-eval"),
        "nDCGAtHits": Row(
            r"\frac{1}{R} \sum_{j} \mathrm{nDCG@}k_j", "mean_ndcg_at_hits(relevance)",
            "As nDCG, with every hit as a cutoff; what was never ranked counts as the whole list does.",
            "discounted-gain", "four-experiments-of-trec-eval"),
        "nDCGAtLevels": Row(
            r"\operatorname{mean} \mathrm{nDCG@}k,\ k:\ g^*_k > g^*_{k+1}, \text{ or } k = N > R + 1",
            "mean_ndcg_at_levels(relevance)",
            "As nDCG, with a cutoff below each grade of the ideal list; uncut, too, if 2 ranks or more follow.",
            "discounted-gain", "four-experiments-of-trec-eval"),
    },
    "How far must one read?": {
        "RankAtRecall@r": Row(
            r"\min_{r(k) \ge r} k", "rank_at_recall(relevance, level)",
            "↓ A short way to a share r of all relevant items.",
            "from-sets-to-rankings", "def-k-at-recall"),
        "PrecisionAtRecall@r": Row(
            r"p(k), \quad k = \min_{r(i) \ge r} i", "precision_at_recall(relevance, level)",
            "Few wrong items on the way to a share r of all relevant ones.",
            "from-sets-to-rankings", "def-precision-at-recall"),
        "IPrec@r": Row(
            r"\max_{r(k) \ge r} p(k)", "interpolated_precision(relevance, level)",
            "The best precision for a reader who wants at least a share r.",
            "areas-under-the-curve", "def-six-areas"),
        "FullRecall": Row(
            r"k_R", "full_recall(relevance)",
            "↓ A short way to the very last relevant item; one straggler decides.",
            "order-and-auc", "def-ranks-of-hits"),
        "MeanRank": Row(
            r"\frac{1}{s(N)} \sum_{j} k_j", "mean_rank(relevance)",
            "↓ Hits high up on average; one that is far down carries it.",
            "order-and-auc", "def-ranks-of-hits"),
    },
    "The order of the whole list": {
        "AUC": Row(
            r"1 - \frac{1}{m (N - m)} \sum_{j} (k_j - j), \quad m = s(N)", "auc(relevance)",
            "Relevant above irrelevant, pair by pair; the top counts no more than the rest.",
            "order-and-auc", "def-auc"),
        "Inversions": Row(
            r"\sum_{j} (k_j - j)", "inversions(relevance)",
            "↓ Few irrelevant items above relevant ones; a longer list can have more.",
            "order-and-auc", "def-auc"),
    },
    "Not everything was judged": {
        "Bpref": Row(
            r"\frac{1}{R} \sum_{j} \bigl(1 - \frac{\min(n_j, M)}{M}\bigr)", "bpref(relevance)",
            "As AUC, against the first R items judged irrelevant; for judgements that are incomplete.",
            "order-and-auc", "def-bpref"),
        "infAP": Row(
            r"\frac{1}{R} \sum_{j} \frac{1 + (r_j + i_j + u_j)\, c_j}{k_j}, "
            r"\quad c_j = \frac{r_j + \epsilon}{r_j + i_j + 2 \epsilon}",
            "inferred_average_precision(relevance)",
            "As AP, where a random sample of a pool was judged.",
            "ties-and-samples", "where-a-sample-of-a-pool-was-judged"),
        "Judged@k": Row(
            r"\frac{\text{judged in the top } k}{\min(k, N)}", "judged_at(relevance, k)",
            "Nothing: it says how far to trust the numbers beside it.", "order-and-auc", "def-bpref"),
    },
    "A set, without an order": {
        "precision": Row(
            r"\frac{\mathrm{tp}}{\mathrm{tp} + \mathrm{fp}}", "precision(tp, fp)",
            "Few wrong items in the set.", "precision-and-recall", "def-precision-recall"),
        "recall": Row(
            r"\frac{\mathrm{tp}}{\mathrm{tp} + \mathrm{fn}}", "recall(tp, fn)",
            "Few relevant items left out.", "precision-and-recall", "def-precision-recall"),
        "F": Row(
            r"\frac{(1 + \beta^2)\, \mathrm{tp}}{(1 + \beta^2)\, \mathrm{tp} + \mathrm{fp} + \beta^2\, \mathrm{fn}}",
            "f_score(tp, fp, fn, beta=1)",
            "Both at once; with β = 1 nearer to the smaller one, with a larger β recall counts more.", "f-and-e", "def-f"),
        "E": Row(
            r"1 - F", "e_measure(tp, fp, fn, beta=1)",
            "↓ The same, as an error.", "f-and-e", "def-f"),
        "harmonic mean": Row(
            r"\frac{1}{\frac{\alpha}{p} + \frac{1 - \alpha}{r}}", "weighted_harmonic_mean(precision, recall, alpha)",
            "Both at once, with the weight α on precision.", "f-and-e", "def-f"),
        "Jaccard": Row(
            r"\frac{\mathrm{tp}}{\mathrm{tp} + \mathrm{fp} + \mathrm{fn}}", "jaccard(tp, fp, fn)",
            "Two sets that are alike; the order of F, and 1 minus it is a distance.", "f-and-e", "f-and-jaccard"),
        "accuracy": Row(
            r"\frac{\mathrm{tp} + \mathrm{tn}}{N}", "accuracy(tp, fp, fn, tn)",
            "Right decisions about all items; misleads where few are relevant.",
            "precision-and-recall", "def-accuracy"),
    },
    "A whole list as a set": {
        "SetP": Row(
            r"\frac{s(N)}{N}", "set_precision(relevance)",
            "Few wrong items in the list, however long it is.", "precision-and-recall", "a-whole-list-as-a-set"),
        "SetR": Row(
            r"\frac{s(N)}{R}", "set_recall(relevance)",
            "Few relevant items left out; a longer list never loses.", "precision-and-recall", "a-whole-list-as-a-set"),
        "SetF": Row(
            r"\frac{(1 + \beta^2)\, s(N)}{N + \beta^2 R}", "set_f_score(relevance, beta=1)",
            "Both at once.", "f-and-e", "def-f"),
        "SetAP": Row(
            r"\frac{s(N)}{N} \frac{s(N)}{R}", "set_average_precision(relevance)",
            "Both at once, by their product.", "precision-and-recall", "a-whole-list-as-a-set"),
        "SetRelP": Row(
            r"\frac{s(N)}{\min(N, R)}", "set_normalized_recall(relevance)",
            "The greater of the two: as many hits as a list so long can hold.",
            "precision-and-recall", "a-whole-list-as-a-set"),
        "utility": Row(
            r"w_1\, \mathrm{tp} + w_2\, \mathrm{fp} + w_3\, \mathrm{fn} + w_4\, \mathrm{tn}",
            "utility(tp, fp, fn, tn, weights=(1, -1, 0, 0))",
            "What an answer is worth, if you know the worth of an item of each kind.",
            "precision-and-recall", "a-whole-list-as-a-set"),
        "NumRet": Row(
            r"N", "number_retrieved(relevance)", "Nothing: how many were ranked.",
            "precision-and-recall", "a-whole-list-as-a-set"),
        "NumRel": Row(
            r"R", "number_relevant(relevance)", "Nothing: how many there are to find.",
            "precision-and-recall", "a-whole-list-as-a-set"),
        "NumRelRet": Row(
            r"s(N)", "number_found(relevance)", "Each relevant item of the list, at whatever rank.",
            "precision-and-recall", "a-whole-list-as-a-set"),
    },
    "Rare and common labels, by decile d": {
        "precision by decile": Row(
            r"\operatorname{mean} \frac{\text{hits in the top } k \text{ of } P_d}{\min(k, |P_d|)}",
            "precision_by_decile(predictions=predictions, actual=actual, decile=decile, k=k)",
            "Few wrong suggestions of the decile, for goals that need some of it.",
            "long-tail", "def-by-decile"),
        "nDCG by decile": Row(
            r"\operatorname{mean} \text{ nDCG@}k \text{ of } P_d",
            "ndcg_by_decile(predictions=predictions, actual=actual, decile=decile, k=k)",
            "The same, early within the decile.", "long-tail", "def-by-decile"),
        "k for recall by decile": Row(
            r"\operatorname{median} \min_{r(k) \ge r} k \text{ in } P_d",
            "rank_for_recall_by_decile(predictions=predictions, actual=actual, decile=decile, "
            "level=level, aggregate='median', unreached=unreached)",
            "↓ A short way through the decile; say what a level never reached counts.",
            "long-tail", "def-by-decile"),
        "proportion": Row(
            r"\frac{n_d}{k\,n}", "prediction_proportions_at(predictions=predictions, decile=decile, k=k)",
            "Nothing: it says what is suggested, right or not.", "long-tail", "def-proportion"),
        "precision of predictions": Row(
            r"\frac{h_d}{n_d}",
            "prediction_precision_at(predictions=predictions, actual=actual, decile=decile, k=k)",
            "Few wrong ones among all suggestions of the decile.", "long-tail", "def-proportion"),
        "positive coverage": Row(
            r"\frac{\text{labels of } d \text{ found at all}}{\text{labels of } d \text{ actual at all}}",
            "positive_coverage_at(predictions=predictions, actual=actual, decile=decile, k=k)",
            "Variety: each label found counts once.", "long-tail", "def-coverage"),
    },
    "A whole catalogue, right or wrong": {
        "catalogue coverage@k": Row(
            r"\frac{\text{labels in some top } k}{\text{labels of the catalogue}}",
            "catalogue_coverage_at(predictions=predictions, catalogue=catalogue, k=k)",
            "Variety, right or wrong: each label of the catalogue counts once.", "long-tail", "def-catalogue"),
        "Gini@k": Row(
            r"\frac{\sum_{i} \sum_{j} |x_i - x_j|}{2 n \sum_{i} x_i}",
            "gini_at(predictions=predictions, catalogue=catalogue, k=k)",
            "↓ Suggestions that are spread evenly, right or wrong.", "long-tail", "def-catalogue"),
        "novelty@k": Row(
            r"\operatorname{mean} \log_2 \frac{1}{c}", "novelty_at(predictions=predictions, counts=counts, k=k)",
            "Rare labels, right or wrong.", "long-tail", "def-catalogue"),
    },
    "Labels that are seldom written down": {
        "PSP@k": Row(
            r"\frac{\text{sum of } 1/p_l \text{, hits in the top } k}{\text{that of the best lists}}",
            "propensity_scored_precision_at(predictions=predictions, actual=actual, propensity=propensity, k=k)",
            "Hits in the top k, those on rare labels most.", "long-tail", "def-propensity-scored"),
        "PSnDCG@k": Row(
            r"\frac{\text{mean of } \mathrm{DCG}(1/p_l) / \mathrm{IDCG}(1)}{\text{that of the best lists}}",
            "propensity_scored_ndcg_at(predictions=predictions, actual=actual, propensity=propensity, k=k)",
            "The same hits, early.", "long-tail", "def-propensity-scored"),
    },
    "Several intents of a query": {
        "alpha-nDCG@k": Row(
            r"\frac{\alpha\text{-DCG@}k}{\alpha\text{-DCG@}k \text{ of the greedy ideal}}",
            "alpha_ndcg(rankings=rankings, intents=intents, k=k)",
            "Items for many intents, early; the more of an intent stood above, the less one more item adds.",
            "discounted-gain", "def-alpha-ndcg"),
        "ERR-IA@k": Row(
            r"\operatorname{mean} \text{ ERR@}k \text{ of an intent}", "err_ia(rankings=rankings, intents=intents, k=k)",
            "An early item for each intent.", "discounted-gain", "def-alpha-ndcg"),
    },
    "Premise selection, as its papers have it": {
        "n-cover": Row(
            r"\frac{s(n)}{R}", "premise_selection.cover(suggestions=suggestions, required=required, n=100)",
            "Recall of the top n suggestions.", "premise-selection-metrics", "def-premise-selection"),
        "n-precision": Row(
            r"\frac{s(n)}{\min(n, L)}",
            "premise_selection.precision(suggestions=suggestions, required=required, n=100)",
            "Few wrong suggestions; making fewer than n costs nothing.",
            "premise-selection-metrics", "def-premise-selection"),
        "“recall”": Row(
            r"k_R, \text{ or } L + 1", "premise_selection.recall(suggestions=suggestions, required=required)",
            "↓ A short way to everything required; or silence.", "premise-selection-metrics", "def-premise-selection"),
        "“rank”": Row(
            r"\frac{1}{s(L)} \sum_{j} (k_j - 1)", "premise_selection.rank(suggestions=suggestions, required=required)",
            "↓ What is found is found high up; what is missing is forgiven.",
            "premise-selection-metrics", "def-premise-selection"),
        "“AUC”": Row(
            r"1 - \frac{1}{m (L - m)} \sum_{j} (k_j - j), \quad m = s(L)",
            "premise_selection.auc(suggestions=suggestions, required=required)",
            "The order of what was suggested; what is missing is forgiven.",
            "premise-selection-metrics", "def-premise-selection"),
    },
    "A mean over many goals": {
        "mean": Row(
            r"\frac{1}{n} \sum_{q} x_q", "mean(values, undefined='skip')",
            "Every goal alike; say what an undefined value counts.", "averaging", "def-means"),
        "median": Row(
            r"\text{the middle of all } x_q", "median(values, undefined='skip')",
            "What the goal in the middle gets; how far above it the best stand does not count.", "averaging", "def-means"),
        "geometric mean": Row(
            r"\bigl(\prod_{q} x_q\bigr)^{1/n}", "geometric_mean(values, undefined='skip', floor=0.00001)",
            "Goals that do badly count most; a zero decides, unless a floor is set.", "averaging", "def-means"),
    },
    "Two orders of the same systems, or two lists": {
        "Kendall's tau": Row(
            r"1 - \frac{4 Q}{n (n - 1)}", "kendall_tau(a, b, variant='b')",
            "Pairs in the same order, wherever they stand.", "rank-correlation", "def-kendall-tau"),
        "AP correlation": Row(
            r"\frac{2}{n - 1} \sum_{i} \frac{C_i}{i} - 1", "ap_correlation(reference=reference, other=other)",
            "Pairs in the same order, those at the top most; which order is the reference matters.",
            "rank-correlation", "def-ap-correlation"),
        "weighted tau": Row(
            r"1 - \frac{1}{(n - 1) H_n} \sum_{i} W_i (\frac{1}{r_i} + \frac{1}{s_i})", "weighted_tau(a, b)",
            "Pairs in the same order, those at the top most; which order comes first does not matter.",
            "rank-correlation", "def-weighted-tau"),
        "RBO": Row(
            r"(1 - p) \sum_{d} p^{d - 1} \frac{X_d}{d}", "rank_biased_overlap(a, b, persistence=persistence)",
            "Lists with the same items at the top; they need not have all items in common.", "rank-correlation", "def-rbo"),
    },
}
EXPLAINED = {name: row for rows in BY_PURPOSE.values() for name, row in rows.items()}

# A letter of a formula, as a pattern -> what it stands for.
SYMBOLS = {
    r"s\(": "s(k): the relevant items in the top k",
    r"p\(": "p(k): precision at k, which is s(k)/k",
    r"r\(": "r(k): recall at k, which is s(k)/R",
    r"k_j": "k_j: the rank of the j-th relevant item",
    r"g_i": "g_i: the grade at rank i",
    r"G\(": "G: the gain of a grade",
    r"q_i": "q_i: the chance that the item at rank i satisfies",
    r"p_int": "p_int(r): the best precision at recall r or above",
    r"\bR\b": "R: the number of relevant items, ranked or not",
    r"\bN\b": "N: the number of items",
    r"n_j": "n_j: the items judged irrelevant above hit j; M: those in all, at most R",
    r"p\^": "p: the persistence, the chance to go on to the next item",
    r"tp\b": "tp: the relevant items that are chosen",
    r"fp\b": "fp: the irrelevant items that are chosen",
    r"fn\b": "fn: the relevant items that are not chosen",
    r"tn\b": "tn: the irrelevant items that are not chosen",
    r"P_d": "P_d: the predictions in decile d, in their order",
    r"g\^\*": "g*: the grades of the ideal list",
    r"v_i": "v_i: what it gains more than the list down to rank i; a rank beyond its end counts 1",
    r"r_j": "r_j, i_j, u_j: judged relevant, judged irrelevant, and pooled items above hit j; ε: 0.00001",
    r"\bm R\b": "m: a multiple",
    r"w_1": "w: the worth of one item of each kind",
    r"\bQ\b": "Q: the pairs of n systems in opposite order",
    r"C_i": "C_i: of the i systems above the one at rank i + 1, those that belong there",
    r"W_i": "W_i: the pairs of system i in opposite order; r_i, s_i: its ranks; H_n: 1 + 1/2 + ... + 1/n",
    r"X_d": "X_d: the items among the first d of both lists",
    r"x_i": "x_i: how often label i of the catalogue, of n, stands in a top k",
    r"1/c\b": "c: the share of a suggested label in all counts",
    r"p_l": "p_l: the propensity of label l, the chance that it is written down",
    r"α-DCG": "α-DCG: DCG in which an item gains (1 - α)^m for each intent that m items above it have, too",
    r"n_d": "n_d: the predictions in decile d",
    r"h_d": "h_d: the right predictions in decile d",
}
CHAPTERS = {
    "ap-at-k": "The AP@K hack",
    "areas-under-the-curve": "Areas under the curve",
    "average-precision": "Average precision",
    "averaging": "Averaging over goals",
    "discounted-gain": "Discounted gain",
    "f-and-e": "F and E",
    "from-sets-to-rankings": "From sets to rankings",
    "long-tail": "The long tail",
    "order-and-auc": "Order and AUC",
    "precision-and-recall": "Precision and recall",
    "premise-selection-metrics": "The metrics of premise selection",
    "r-precision": "R-precision and break-even",
    "rank-correlation": "Rank correlation",
    "ties-and-samples": "Ties and samples",
}

# The names of trec_eval whose numbers are those of a row, but for what the module of these names says.
OF_TREC_EVAL = {
    "num_ret": "NumRet", "num_rel": "NumRel", "num_rel_ret": "NumRelRet", "map": "AP", "gm_map": "AP", "Rprec": "Rprec",
    "bpref": "Bpref", "gm_bpref": "Bpref", "recip_rank": "RR", "iprec_at_recall": "IPrec@r", "P": "P@k", "recall": "R@k",
    "infAP": "infAP", "Rprec_mult": "Rprec@m", "utility": "utility", "11pt_avg": "ElevenPointAP", "binG": "BinaryG",
    "G": "G", "dcg": "DCG@k", "ndcg": "nDCG@k", "ndcg_rel": "nDCGAtHits", "Rndcg": "nDCGAtLevels", "ndcg_cut": "nDCG@k",
    "map_cut": "AP@k", "relative_P": "NormalizedRecall@k", "success": "Success@k", "set_P": "SetP", "rbp": "RBP",
    "set_relative_P": "SetRelP", "set_recall": "SetR", "set_map": "SetAP", "set_F": "SetF",
}  # fmt: skip
NOTES = {
    "gm_map": "the geometric mean over topics, none counting less than 0.00001",
    "gm_bpref": "the geometric mean over topics, none counting less than 0.00001",
    "iprec_at_recall": "a level of recall is rounded to a number of hits in trec_eval's own way",
    "11pt_avg": "a level of recall is rounded to a number of hits in trec_eval's own way",
    "Rprec_mult": "a multiple of R is rounded to a number of ranks in trec_eval's own way",
    "map_cut": "d is R",
    "set_F": "the parameter is the square of beta",
    "SetF": "ir_measures hands its beta to trec_eval, as the square: its SetF(beta=4.0) is SetF(beta=2) here",
    "rbp": "p = 0.9; a grade counts as its share of the topic's greatest",
}
ALONE = {
    "num_q": "the number of topics.",
    "num_nonrel_judged_ret": "the number of ranked items that were judged irrelevant.",
    "ideal_dcg": "the DCG of the best ranking.",
    "rbp_resid": "what RBP may gain at most from items that were not judged; 0 if all that were ranked are.",
    "unj": "the share of the top k that was not judged.",
}


def explain(name: str) -> str:
    """What a metric is, for a terminal.

    name: as in `metrics.evaluate`, such as "AP@10", as in trec_eval, such as "map_cut_10", as on the
    page of all metrics, by the name of the metric or of the function, or as people call it, such as "MAP".
    Returns its definition in words and as a formula, its range, what it rewards, how to call it, and
    the chapter.
    Raises ValueError for a name that is unknown.

    >>> print(explain("P@10"))
    P@10: the fraction of the top k that is relevant.
      formula  s(k)/k
               s(k): the relevant items in the top k
      value    in [0, 1]; where k > n the missing items count as irrelevant
      rewards  Few wrong items in the top k; cannot be 1 with fewer than k relevant ones.
      call     metrics.precision_at(relevance, k)
      chapter  From sets to rankings (book/from-sets-to-rankings.html#def-at-k)
    """
    base = of_trec_eval(name)
    if base in ALONE:
        return f"{name}, of trec_eval: {ALONE[base]}"
    about = explanation(name)
    formula = plain(about.formula)
    words, value = documented(function(about.call))
    symbols = [meaning for letter, meaning in SYMBOLS.items() if re.search(rf"(?<![A-Za-z]){letter}", formula)]
    lines = {
        "formula": "\n           ".join([formula, *symbols]),
        "value": value,
        "rewards": about.rewards,
        "call": f"metrics.{called(name, about.call)}",
        "chapter": f"{CHAPTERS[about.chapter]} (book/{about.chapter}.html#{about.anchor})",
    }
    if about is EXPLAINED.get(OF_TREC_EVAL.get(base, "")):
        undefined = "in trec_eval what is undefined counts as 0" if "nan" in value and base != "utility" else ""
        lines["note"] = "; ".join(filter(None, [undefined, NOTES.get(base)]))
    elif about is EXPLAINED["SetF"]:
        lines["note"] = NOTES["SetF"]
    if name.casefold().startswith(("map", "mrr", "mean ", "gmap")) and not base:
        lines["note"] = "of one query; metrics.mean, or metrics.geometric_mean, makes one number of many"
    for option, choices in (choice for measure, choice in CHOICES.items() if about is EXPLAINED[measure]):
        lines["choose"] = "\n           ".join(f"{option}={choice!r}: {words}" for choice, words in choices.items())
    here = called_here(name) if by_its_name(name) is None else None
    here = here and re.sub(r"(?<=@)k$", (re.findall(r"\d+", name) or ["k"])[-1], here)
    return "\n".join([f"{name}{f', here {here}' if here else ''}: {words}", *(f"  {label:<7}  {line}" for label, line in lines.items() if line)])


def instead_of(name: str) -> str:
    """What to call in place of a function that others have: for an error; nothing where nobody has it.

    >>> instead_of("hit_rate"), instead_of("rbo")
    ("metrics.success_at(relevance, k), or 'Success@10' in metrics.evaluate", 'metrics.rank_biased_overlap(a, b, persistence=...)')
    """
    if call := function_of(name):
        return f"metrics.{call}"
    row = by_its_name(name)
    here = called_here(name) or next((key for key in EXPLAINED if EXPLAINED[key] is row), None) or nearly(name)
    if here is None:
        return ""
    call = re.sub(r"(\b\w+)=(\1\b|'\w+')", r"\1=...", EXPLAINED[here].call)
    asked = asked_for(name) or asked_for(here) or "metrics."
    return f"metrics.{call}" + f", or {asked} in metrics.evaluate" * ("metrics." not in asked)


def explanation(name: str) -> Explanation:
    """The row of a metric, by a name of `metrics.evaluate`, of trec_eval, or of a function, or as people call it."""
    if about := by_its_name(name) or EXPLAINED.get(called_here(name) or ""):
        return about
    nearest = " or ".join(get_close_matches(name, dict.fromkeys(key.partition("@")[0] for key in EXPLAINED))) or "which"
    refuse("name", repr(name), f"one of {', '.join(EXPLAINED)} ({nearest}?)")


def by_its_name(name: str) -> Explanation | None:
    """The row of a metric by the name that it has here, in trec_eval or in ir_measures."""
    of_function = {row.call.partition("(")[0]: row for row in reversed(EXPLAINED.values())}
    if name in EXPLAINED or name in of_function:
        return EXPLAINED.get(name) or of_function[name]
    if (base := of_trec_eval(name)) in OF_TREC_EVAL:
        return EXPLAINED[OF_TREC_EVAL[base]]
    parts = NAME.fullmatch(name)
    if parts and parts["name"] == "NumRet" and "rel" in (parts["before"] or parts["after"] or ""):
        return EXPLAINED["NumRelRet"]  # as ir_measures has it
    at_a_cutoff = {key.partition("@")[0]: row for key, row in EXPLAINED.items() if "@" in key}
    whole = {key: row for key, row in EXPLAINED.items() if "@" not in key}
    either = whole | at_a_cutoff if parts and parts["cutoff"] else at_a_cutoff | whole
    return either.get(parts["name"]) if parts else None


def called(name: str, call: str) -> str:
    """The call of a function, with the parameters that the name gives."""
    parts = NAME.fullmatch(name)
    given = ",".join(filter(None, (parts["before"], parts["after"]))) if parts else ""
    if parts and parts["cutoff"] and not re.search(r"\bk\b|level|multiple", call):
        call = call.replace("relevance", f"hits.top({parts['cutoff']})")  # of RR, ERR and RBP
    for key, equals, value in (each.partition("=") for each in given.split(",")):
        parameter = re.escape(SHORT.get(key.strip(), key.strip()))
        call = re.sub(rf"\b{parameter}\b(=[^,)]*)?", f"{parameter}={as_value(value.strip())!r}", call) if equals else call
    return call


def of_trec_eval(name: str) -> str:
    """A name of trec_eval without its parameters; nothing, if it is none."""
    try:
        return parsed(name)[0]
    except ValueError:
        return ""


def function(call: str) -> Callable[..., Any]:
    """The function of `metrics` that a call is of."""
    import metrics

    return attrgetter(call.partition("(")[0])(metrics)


def documented(metric: Callable[..., Any]) -> tuple[str, str]:
    """The definition in words and the range of its values, as the docstring has them."""
    first, _, rest = (getdoc(metric) or "").partition("\n")
    words = re.sub(r"^[\w@]+: ", "", first)  # the short name, which stands before it already
    returned = re.search(r"Returns (?:a value |\([^a-z]*?\)[:,]? )?(?:of )?(.*?)\.?\n(?:Raises|Source)", rest, re.DOTALL)
    value = re.sub(r"^.*?(?=in \[)", "", " ".join(returned[1].split()) if returned else "")
    return re.sub("^[A-Z](?=[a-z])", lambda letter: letter[0].lower(), words), value


# What TeX writes, and what a line of text has in its place; in this order, until nothing changes.
IN_TEXT: dict[str, Any] = {
    r"\\(?:text|mathrm|operatorname)\{([^{}]*)\}": r"\1",
    r"\\[ ,!]|\\bigl|\\bigr|\\quad": " ",
    r"\\sum": "Σ", r"\\prod": "Π", r"\\le\b": "≤", r"\\ge\b": "≥", r"\\lceil ": "⌈", r" \\rceil": "⌉",
    r"\\alpha": "α", r"\\epsilon": "ε", r"\\beta": "β",
    r"\\log_": "log", r"\\(min|max)": r"\1",
    r"_\{(\w+)\}": r"_\1", r"_\{([^{}]*)\}": r"[\1]", r"\^\{([^{}]*)\}": r"^(\1)", r"\^2": "²",
    r"\\frac\{([^{}]*)\}\{([^{}]*)\}": lambda parts: "/".join(map(bracketed, parts.groups())),
    r" +": " ", r" (?=[,)])|(?<=\() ": "",
}  # fmt: skip


def plain(formula: str) -> str:
    """A formula of the tables as a line of text.

    >>> plain(r"\\frac{1}{R} \\sum_{j} \\frac{j}{k_j}")
    '1/R Σ_j j/k_j'
    """
    before = ""
    while before != formula:
        before = formula
        for tex, text in IN_TEXT.items():
            formula = re.sub(tex, text, formula)
    return formula.strip()


def bracketed(term: str) -> str:
    """The term, in brackets if it has several parts."""
    return f"({term})" if " " in re.sub(r"\([^()]*\)|⌈[^⌉]*⌉", "", term.strip()) else term.strip()
