"""Explanations of metrics for a terminal: formula, call, what a metric sees and rewards, and where the book explains it."""

from __future__ import annotations

import re
from difflib import get_close_matches
from typing import Any

from .._base.checks import refuse
from .._base.records import Record
from .also_called import asked_for, called_here, function_of, nearly
from .measures import NAME, SHORT, as_value
from .sheet import RECORDS
from .trec_names import MEASURES, parsed

# A letter of a formula, as a pattern -> what it stands for.
SYMBOLS = {
    r"s\(": "s(k): the relevant items in the top k",
    r"p\(": "p(k): precision at k, which is s(k)/k",
    r"r\(": "r(k): recall at k, which is s(k)/R",
    r"k_j": "k_j: the rank of the j-th relevant item",
    r"g_i": "g_i: the grade at rank i",
    r"G\(": "G: the gain of a grade",
    r"q_i": "q_i: the probability that the item at rank i satisfies",
    r"p_int": "p_int(r): the best precision at recall r or above",
    r"\bR\b": "R: the number of relevant items, ranked or not",
    r"\bN\b": "N: the number of items",
    r"n_j": "n_j: the items judged irrelevant above hit j; M: those in all, at most R",
    r"p\^": "p: the persistence, the probability of going on to the next item",
    r"V\(": "V(k): the probability that rank k is read; V: their sum over all ranks, without end",
    r"tp\b": "tp: the relevant items that are chosen",
    r"fp\b": "fp: the irrelevant items that are chosen",
    r"fn\b": "fn: the relevant items that are not chosen",
    r"tn\b": "tn: the irrelevant items that are not chosen",
    r"P_d": "P_d: the predictions in decile d, in their order",
    r"g\^\*": "g*: the grades of the ideal list",
    r"v_i": "v_i: how much more it gains than the list down to rank i; a rank beyond its end counts as 1",
    r"r_j": "r_j, i_j, u_j: judged relevant, judged irrelevant, and pooled items above hit j; ε: 0.00001",
    r"\bm R\b": "m: a multiple",
    r"w_1": "w: the worth of one item of each kind",
    r"\bQ\b": "Q: the pairs of n systems in opposite order",
    r"C_i": "C_i: how many of the i systems above the one at rank i + 1 belong there",
    r"W_i": "W_i: the pairs of system i in opposite order; r_i, s_i: its ranks; H_n: 1 + 1/2 + ... + 1/n",
    r"X_d": "X_d: the items among the first d of both lists",
    r"x_i": "x_i: how often label i of the catalogue, of n, stands in a top k",
    r"1/c\b": "c: the share of a suggested label in all counts",
    r"p_l": "p_l: the propensity of label l, the probability that it is written down",
    r"α-DCG": "α-DCG: DCG in which an item gains (1 - α)^m for each of its intents that m items above it have, too",
    r"n_d": "n_d: the predictions in decile d",
    r"p_o": "p_o: the share of equal labels; p_e: what luck would give",
    r"x - FPR": "x: the share that the judge calls relevant",
    r"TPR": "TPR: the share of the relevant items that it calls relevant; FPR: the same share of the others",
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
    "judges-that-err": "Judges that err",
    "long-tail": "The long tail",
    "order-and-auc": "Order and AUC",
    "precision-and-recall": "Precision and recall",
    "premise-selection-metrics": "The metrics of premise selection",
    "r-precision": "R-precision and break-even",
    "rank-correlation": "Rank correlation",
    "readers-and-clicks": "Readers and clicks",
    "ties-and-samples": "Ties and samples",
}

OF_IR_MEASURES = "ir_measures hands its beta to trec_eval, which takes it as the square: its SetF(beta=4.0) is SetF(beta=2) here"


def explain(name: str) -> str:
    """The explanation of a metric, for a terminal.

    name: as in `metrics.evaluate`, such as "AP@10", as in trec_eval, such as "map_cut_10", as on the
    page of all metrics, by the name of the metric or of the function, or as people call it, such as "MAP".
    Returns its definition in words and as a formula, its range, what it sees and rewards, how to call it,
    and the chapter.
    Raises ValueError for an unknown name.

    >>> print(explain("P@10"))
    P@10: the fraction of the top k that is relevant.
      formula  s(k)/k
               s(k): the relevant items in the top k
      value    in [0, 1]; where k > n the missing items count as irrelevant
      sees     hits in the top k; not what was never ranked
      rewards  Few wrong items in the top k; cannot be 1 with fewer than k relevant ones.
      call     metrics.precision_at(relevance, k)
      chapter  From sets to rankings (book/from-sets-to-rankings.html#def-at-k)
    """
    base = of_trec_eval(name)
    if base and not MEASURES[base].record:
        return f"{name}, of trec_eval: {MEASURES[base].note}"
    about = explanation(name)
    formula = plain(about.formula)
    words, value = about.documented
    symbols = [meaning for letter, meaning in SYMBOLS.items() if re.search(rf"(?<![A-Za-z]){letter}", formula)]
    lines = {
        "formula": "\n           ".join([formula, *symbols]),
        "value": value,
        "sees": about.sees,
        "rewards": about.rewards,
        "call": f"metrics.{called(name, about.call)}",
        "chapter": f"{CHAPTERS[about.chapter]} (book/{about.chapter}.html#{about.anchor})",
    }
    if base and about is RECORDS[MEASURES[base].record]:
        undefined = "in trec_eval an undefined value counts as 0" if "nan" in value and base != "utility" else ""
        lines["note"] = "; ".join(filter(None, [undefined, MEASURES[base].note]))
    elif about is RECORDS["SetF"]:
        lines["note"] = OF_IR_MEASURES
    if name.casefold().startswith(("map", "mrr", "mean ", "gmap")) and not base:
        lines["note"] = "for one query; metrics.mean, or metrics.geometric_mean, makes one number of many"
    for option, choices in about.choose.items():
        lines["choose"] = "\n           ".join(f"{option}={choice!r}: {words}" for choice, words in choices.items())
    here = called_here(name) if by_its_name(name) is None else None
    here = here and re.sub(r"(?<=@)k$", (re.findall(r"\d+", name) or ["k"])[-1], here)
    return "\n".join([f"{name}{f', here {here}' if here else ''}: {words}", *(f"  {label:<7}  {line}" for label, line in lines.items() if line)])


def instead_of(name: str) -> str:
    """The call to use instead of another library's function, worded for an error message; empty if the function is unknown.

    >>> instead_of("hit_rate"), instead_of("rbo")
    ("metrics.success_at(relevance, k), or 'Success@10' in metrics.evaluate", 'metrics.rank_biased_overlap(a, b, persistence=...)')
    """
    if call := function_of(name):
        return f"metrics.{call}"
    row = by_its_name(name)
    here = called_here(name) or (row and row.name) or nearly(name)
    if here is None:
        return ""
    call = re.sub(r"(\b\w+)=(\1\b|'\w+')", r"\1=...", RECORDS[here].call)
    asked = asked_for(name) or asked_for(here) or "metrics."
    return f"metrics.{call}" + f", or {asked} in metrics.evaluate" * ("metrics." not in asked)


def explanation(name: str) -> Record:
    """The record of a metric, found by its name in `metrics.evaluate` or trec_eval, by its function, or by a name that people use."""
    if about := by_its_name(name) or RECORDS.get(called_here(name) or ""):
        return about
    nearest = " or ".join(get_close_matches(name, dict.fromkeys(key.partition("@")[0] for key in RECORDS))) or "which"
    refuse("name", repr(name), f"one of {', '.join(RECORDS)} ({nearest}?)")


def by_its_name(name: str) -> Record | None:
    """The record of a metric, found by its name here, in trec_eval or in ir_measures."""
    if row := ({its.path: its for its in reversed(RECORDS.values())} | RECORDS).get(name):
        return row
    if (base := of_trec_eval(name)) and MEASURES[base].record:
        return RECORDS[MEASURES[base].record]
    parts = NAME.fullmatch(name)
    if parts and parts["name"] == "NumRet" and "rel" in (parts["before"] or parts["after"] or ""):
        return RECORDS["NumRelRet"]  # as ir_measures has it
    at_a_cutoff = {its.base: its for its in RECORDS.values() if its.after_at}
    whole = {key: its for key, its in RECORDS.items() if not its.after_at and (its.of_a_ranking or not (parts and parts["cutoff"]))}
    either = whole | at_a_cutoff if parts and parts["cutoff"] else at_a_cutoff | whole
    return either.get(parts["name"]) if parts else None


def called(name: str, call: str) -> str:
    """The call of a function, with the parameters that are given in the name of the metric."""
    parts = NAME.fullmatch(name)
    given = ",".join(filter(None, (parts["before"], parts["after"]))) if parts else ""
    if parts and parts["cutoff"] and not re.search(r"\bk\b|level|multiple", call):
        call = call.replace("relevance", f"hits.top({parts['cutoff']})")  # of RR, ERR and RBP
    for key, equals, value in (each.partition("=") for each in given.split(",")):
        parameter = re.escape(SHORT.get(key.strip(), key.strip()))
        call = re.sub(rf"\b{parameter}\b(=[^,)]*)?", f"{parameter}={as_value(value.strip())!r}", call) if equals else call
    return call


def of_trec_eval(name: str) -> str:
    """The name without parameters if it is one of trec_eval's; otherwise empty."""
    try:
        return parsed(name)[0]
    except ValueError:
        return ""


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
    """A formula in TeX, as a line of text.

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
