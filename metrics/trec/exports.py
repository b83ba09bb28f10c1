"""The values of topics that `to_csv` or `--format csv` exported, read back, so that yesterday's can be compared with today's."""

from __future__ import annotations

import csv
import os
from collections.abc import Callable
from pathlib import PurePath
from typing import Any

import numpy as np

from .._base.checks import id_list, refuse
from .._base.text import as_before_a_spreadsheet
from .._base.types import Undefined
from ..names import measures as by_name, trec_names
from ..topics.results import Results
from .evaluation import summed_as_trec_eval_does
from .files import Path

EXPECTED = "a CSV with each topic, as to_csv() or --format csv -q writes it, whose first columns are topic, or system and topic, or topic and measure"


def read_results(path: Path, *, topic: Callable[[str], Any] = str, undefined: Undefined | None = None) -> Results:
    """The values of each topic, read from the CSV file to which they were exported.

    path: a file that `to_csv` has written, for one system (which then has the name of the file) or for several, or that
    `python -m metrics -q --format csv` has printed; or any CSV of numbers with a column `topic` and one for each measure;
    topic: a function that makes a topic from its text, such as `int`; undefined: what 0/0 counts as, as in `trec.evaluate`.
    Returns `Results`. An empty cell is 0/0; but a measure that is empty for all topics of a system, or, in a file from
    the command, a topic that is empty for all measures, counts as missing.
    Raises ValueError for a wrong line, which it names; OSError for a file that cannot be opened.
    """
    if not isinstance(path, (str, os.PathLike)):
        refuse("path", repr(path), "the path of a CSV")
    if not callable(topic):
        refuse("topic", repr(topic), "a function that makes a topic from its text, such as int")
    name = os.fspath(path)
    found: dict[str, dict[str, dict[Any, float]]] = {}
    try:
        with open(name, encoding="utf-8-sig", newline="") as file:
            rows = [(place, list(map(as_before_a_spreadsheet, row))) for place, row in enumerate(csv.reader(file), 1) if row]
    except (UnicodeDecodeError, csv.Error) as error:
        refuse(name, f"invalid CSV ({error})", EXPECTED)
    head = rows[0][1] if rows else []
    labels = 1 + (head[:2] in (["system", "topic"], ["topic", "measure"]))
    if "topic" not in head[:labels] or len(head) == labels:
        refuse(f"{name}, line 1", repr(",".join(head)), EXPECTED)
    id_list(f"{name}, line 1", head)
    means = {row[1]: place for place, row in rows if head[:2] == ["topic", "measure"] and row[:1] == ["all"] and row[1:]}  # the last line of each measure
    for place, row in rows[1:]:
        where = f"{name}, line {place}"
        if len(row) != len(head):
            refuse(where, f"{len(row)} columns", f"{len(head)} columns, as in line 1")
        if place in means.values():
            continue
        its = made(where, topic, row[labels - 1 if head[0] == "system" else 0])
        for column, text in zip(head[labels:], row[labels:]):
            system, measure = (column, row[1]) if head[1] == "measure" else (row[0] if labels == 2 else PurePath(name).stem, column)
            values = found.setdefault(system, {}).setdefault(measure, {})
            if its in values:
                refuse(where, f"topic {its!r} a second time", "each topic once")
            values[its] = number_in(where, text)
    if empty := [system for system, values in found.items() if all(value != value for its in values.values() for value in its.values())]:
        refuse(name, f"no value for {empty[0]}", EXPECTED)
    if not found:
        refuse(name, "no topic", EXPECTED)
    return Results({system: of_system(system, values, head[1] == "measure", undefined) for system, values in found.items()})


def made(where: str, topic: Callable[[str], Any], text: str) -> Any:
    """The topic that the function makes from its text."""
    try:
        return topic(text)
    except Exception:
        refuse(where, f"the topic {text!r}", f"a topic that {getattr(topic, '__name__', topic)} accepts")


def number_in(where: str, text: str) -> float:
    """The number in a cell, or nan for an empty cell."""
    try:
        return float(text.replace("_", "x") or "nan")
    except ValueError:
        refuse(where, repr(text), "a number, or an empty cell for 0/0")


def of_system(name: str, values: dict[str, dict[Any, float]], lacks_empty: bool, undefined: Any) -> Any:
    """The evaluation of a system, with what is known about its measures."""
    topics = list(dict.fromkeys(topic for its in values.values() for topic in its))
    if lacks_empty:
        topics = [topic for topic in topics if any(its.get(topic, np.nan) == its.get(topic, np.nan) for its in values.values())]
    columns = {measure: np.array([its.get(topic, np.nan) for topic in topics]) for measure, its in values.items()}
    known = {measure: column for measure, column in columns.items() if not np.isnan(column).all()}
    found = by_name.evaluation(known, topics, name=name, undefined=undefined)
    return summed_as_trec_eval_does(found, [one for one in known if trec_names.is_name(one) and not by_name.is_name(one)])
