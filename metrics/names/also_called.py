"""Other names of the metrics in papers, in other libraries and in other languages."""

from __future__ import annotations

import re
from difflib import get_close_matches

from .sheet import RECORDS


def called_here(name: str) -> str | None:
    """The metric that people mean by `name`, under its name in `explanations`, or None; a number in the name is read as k.

    Source: the records of the metrics.

    >>> called_here("MAP"), called_here("HR@10"), called_here("retrieval_hit_rate"), called_here("height")
    ('AP', 'Success@k', 'Success@k', None)
    """
    return _TABLE.get(_key(name))


def nearly(name: str) -> str | None:
    """The metric that people mean by a misspelt name, under its name in `explanations`, or None.

    >>> nearly("Recal@5"), nearly("height")
    ('R@k', None)
    """
    close = get_close_matches(_key(name), _TABLE, 1, 0.85)
    return _TABLE[close[0]] if close else None


*_first, _last = (f"{name} ({words})" for name, words in RECORDS["AP@k"].choose["denominator"].items())
WHICH = f"with {', '.join(_first)} or {_last}"


def meant(name: str, here: str | None = None) -> str | None:
    """The measure of `metrics.evaluate` that is the only meaning of this name; None if the name lacks a cutoff or leaves a choice open.

    >>> meant("Recall@5"), meant("F1@10"), meant("MRR"), meant("MAP@10"), meant("hit_rate")
    ('R@5', 'F@10', 'RR', None, None)
    """
    here, numbers = here or called_here(name), [word for word in _words(name) if word.isdigit()]
    record = RECORDS[here] if here else None
    if record is None or record.elsewhere or record.name == "AP@k":
        return None
    if numbers and (record.at_k or record.after_at == "k"):
        return f"{record.base}@{numbers[0]}"
    return record.base if record.whole else None


def asked_for(name: str, misspelt: bool = False) -> str | None:
    """The measures to ask `metrics.evaluate` for instead of `name`, worded for an error message; None if nobody uses that name.

    >>> asked_for("Recall@5"), asked_for("top-20 accuracy"), asked_for("MAP@3"), asked_for("TPR")
    ("'R@5'", "'Success@20'", "'AP@3(denominator=...)'", "'R@10' or 'SetR'")
    """
    here = nearly(name) if misspelt else called_here(name)
    number = next((word for word in _words(name) if word.isdigit()), "10")
    if here is None or RECORDS[here].elsewhere:
        return here and RECORDS[here].elsewhere.replace("@10", f"@{number}")
    record = RECORDS[here]
    asked = meant(name, here) or f"{record.base}@{number if record.after_at == 'k' else 0.5}"
    needed = ", ".join(f"{parameter}=..." for parameter in record.needs)
    return repr(asked + f"({needed})" * bool(needed))


def function_of(name: str) -> str | None:
    """The call in `FUNCTIONS` for what others call `name`, or None; a metric with a record is not in that table."""
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
    """The words of a name; case and signs do not count, and a final `at` becomes k."""
    apart = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", " ", name).casefold().replace("@", " at ")
    words = "".join(each if each.isalnum() else " " for each in apart).split()
    return [*words[:-1], "k"] if words[1:] and words[-1] == "at" and "@" not in name else words


def _key(name: str) -> str:
    """The key under which a name is looked up: without blanks, and with k for each number."""
    words = _words(name)
    return "".join("k" if word.isdigit() else word for word in words if word not in NO_PART) or "".join(words)


# Of several that share a name, the first has it; a name in quotation marks is another thing than that of the name.
_TABLE = {_key(name): its.name for its in reversed(RECORDS.values()) for name in its.names if name[0] != "“"}
