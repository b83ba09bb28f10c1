"""The sheet of all metrics: their records, sorted by the purpose for which you choose among them."""

from __future__ import annotations

from importlib import import_module

import metrics

from .._base.checks import choice
from .._base.records import BY_NAME, Record

# A part of the metric finder -> the purposes for which one chooses among its metrics, in the order of the sheet of all metrics.
PURPOSES = {
    "One list for one goal": (
        "One good answer is enough", "The top k is looked at", "All that is relevant, and early", "Grades, and a reader's patience",
        "Experiments of trec_eval", "How far must one read?", "The order of the whole list", "Not everything was judged",
        "Premise selection, as its papers have it",
    ),
    "A set, without an order": ("A set, without an order", "A whole list as a set"),
    "Many goals": (
        "Rare and common labels, by decile d", "A whole catalogue, right or wrong", "Labels that are seldom written down",
        "Several intents of a query", "A mean over many goals",
        "Two orders of the same systems, or two lists", "Judgements that differ, or err",
    ),
}  # fmt: skip


def in_order() -> dict[str, Record]:
    """The mapping of names to records, sorted by purpose, then by module, then by position in the module."""
    modules = [f"metrics.{module}" for module in (*metrics.MODULES, "premise_selection") if not module.startswith("names.")]
    for module in modules:
        import_module(module)
    purposes = [purpose for part in PURPOSES.values() for purpose in part]
    for its in BY_NAME.values():
        choice(f"purpose of {its.name}", its.purpose, purposes)
    places = {name: (purposes.index(its.purpose), modules.index(its.function.__module__)) for name, its in BY_NAME.items()}
    return {name: BY_NAME[name] for name in sorted(places, key=places.__getitem__)}


RECORDS = in_order()
