"""The forms in which runs and judgements are read: how each is recognised from the content of a file, and how it is read."""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from itertools import chain
from typing import Any, TypeAlias

import numpy as np

from .._base.checks import refuse
from .documents import arrow
from .files import JSON, PARQUET
from .lines import QRELS, RUN, Kind, Lines, joined_lines
from .noticed import Noticed
from .parsing import by_arrow, by_columns, is_number, line_by_line, of_mapping
from .tables import Columns, Texts, fields_of, id_of, is_header, of_objects, of_parquet, of_text

Reader: TypeAlias = Callable[[str, Texts, Kind, Noticed], Iterator[Lines]]

LOOKED = 10_000  # lines that say whether a third column has ranks or scores
ROWS = 10_000  # of JSONL, that are taken at once
JUDGED_PAIRS = Kind("three columns: topic document grade", "grade")
RANKED_PAIRS = Kind("three columns: topic document score", "score")
WITHOUT_TAG = Kind("five columns: topic Q0 document rank score", "score")
WITHOUT_Q0 = Kind("five columns: topic document rank score tag", "score")
FIRST_LINE = re.compile(rb"^[^\S\n]*([^#\s][^\n]*)", re.MULTILINE)  # that is neither blank nor a comment


def read_in_its_form(source: str, numbered_texts: Texts, kind: Kind, noticed: Noticed) -> Iterator[Lines]:
    """The lines of a file in any known form."""
    numbered_texts, waiting = iter(numbered_texts), []
    for piece in numbered_texts:
        waiting.append(piece)
        if first := FIRST_LINE.search(piece[1]):
            yield from reader_of(first[1].strip(), kind)(source, chain(waiting, numbered_texts), kind, noticed)


def reader_of(first: bytes, kind: Kind) -> Reader:
    """The reader for a file with this first line: Parquet, JSON or JSONL, a table with or without a header, or columns of words."""
    if PARQUET.match(first):
        return of_parquet
    if JSON.match(first):
        return of_json
    words = first.split()
    numbers = [is_number(word, kind) for word in words]
    for delimiter in ("\t", ",", ";", ""):
        names = fields_of(first, delimiter)
        if is_header(names) and not any(numbers):
            return partial(of_named_columns, names=names, delimiter=delimiter)
    for delimiter in ("\t", ","):  # the columns of trec_eval, or three; between tabs, with blanks in an id
        width = len(fields_of(first, delimiter))
        shape = next((its for its in ((RUN, RANKED_PAIRS) if kind.ranked else (QRELS, JUDGED_PAIRS)) if len(its.columns) == width), None)
        if shape and len(words) != (width if delimiter == "\t" else len(kind.columns)):
            return partial(of_shape, delimiter=delimiter, shape=shape)
    if len(words) == 3 and numbers[2]:
        return of_ranked_pairs if kind.ranked else partial(of_words, as_lines_of=JUDGED_PAIRS)
    if kind.ranked and len(words) == 5 and numbers[3]:
        if words[1].upper() in (b"Q0", b"0") and numbers[4]:
            return partial(of_words, as_lines_of=WITHOUT_TAG)
        if numbers[2] and not numbers[4]:
            return partial(of_words, as_lines_of=WITHOUT_Q0)
    return partial(of_words, as_lines_of=kind)


def of_words(source: str, numbered_texts: Texts, _: Kind, noticed: Noticed, as_lines_of: Kind) -> Iterator[Lines]:
    """The lines whose columns are separated by blanks or tabs."""
    kind, fast = as_lines_of, by_arrow if arrow() else by_columns
    for first, text in numbered_texts:
        lines = fast(source, first, text, kind) or line_by_line(source, first, text, kind, noticed)
        if lines.topics and kind is RUN:
            noticed.last = text
        yield lines


def of_ranked_pairs(source: str, numbered_texts: Texts, kind: Kind, noticed: Noticed) -> Iterator[Lines]:
    """The lines of a run in three columns."""
    return by_rank_or_score(source, of_words(source, numbered_texts, kind, noticed, RANKED_PAIRS), noticed)


def by_rank_or_score(source: str, parts: Iterator[Lines], noticed: Noticed) -> Iterator[Lines]:
    """The lines of a run whose numbers may be ranks, as in MS MARCO, or scores: the first 10,000 lines decide, or more if no topic recurs in them."""
    held: list[Lines] = []
    topics: set[bytes] = set()
    while (part := next(parts, None)) is not None:
        held.append(part)
        topics.update(part.topics)
        if len(topics) < (size := sum(part.value.size for part in held)) and size >= LOOKED:
            break
    first = joined_lines(held)
    place = {topic: place for place, topic in enumerate(dict.fromkeys(first.topics))}
    row = np.array([place[topic] for topic in first.topics], dtype=np.int64)[first.row]
    if np.unique(row[:LOOKED]).size < row[:LOOKED].size:
        row = row[:LOOKED]
    together = np.argsort(row, kind="stable")
    are_ranks = has_ranks(source, row[together], first.value[together], noticed)
    for lines in chain([first], parts):
        if are_ranks and (wrong := np.flatnonzero(~(lines.value >= 1) | (lines.value % 1 != 0))).size:
            refuse(lines.where(wrong[0]), lines.value[wrong[0]], "a rank, as in the lines before, or column names in the first line")
        yield replace(lines, value=-lines.value) if are_ranks else lines


def has_ranks(source: str, row: Any, value: Any, noticed: Noticed) -> bool:
    """Whether the numbers are ranks and not scores; an error if they may be either."""
    step = np.diff(value)[row[1:] == row[:-1]]
    rises, falls = (step > 0).any(), (step < 0).any()
    whole = (value >= 0).all() and np.isfinite(value).all() and (value % 1 == 0).all() and (step != 0).all()
    if not whole and rises and not falls:
        noticed.note("rising", source)
    if not whole or falls and not rises or not step.size:
        return False
    place = np.arange(row.size, dtype=np.int64) - np.searchsorted(row, row) + 1
    if not rises or falls or (place != value).any():
        given = "whole numbers in the third column, which may be ranks or scores"
        refuse(source, given, "a first line that says which they are, 'query_id doc_id rank' or 'query_id doc_id score'")
    noticed.note("ranks", source)
    return True


def of_named_columns(source: str, texts: Texts, kind: Kind, noticed: Noticed, names: list[str], delimiter: str) -> Iterator[Lines]:
    """The lines of a table with a header; if no column has ranks, scores that rise and never fall are noticed."""
    columns = Columns(source, names, kind)
    steps: set[bool] = set()
    for lines in of_text(columns, delimiter, True, texts):
        step = np.diff(lines.value)[lines.row[1:] == lines.row[:-1]]
        steps.update((step[step != 0] > 0).tolist())
        yield lines
    if kind.ranked and not columns.rank and steps == {True}:
        noticed.note("rising", source)


def of_shape(source: str, texts: Texts, kind: Kind, noticed: Noticed, delimiter: str, shape: Kind) -> Iterator[Lines]:
    """The lines of a table without a header, whose columns are those of `shape`."""
    parts = of_text(Columns(source, shape.columns, kind), delimiter, False, texts)
    return by_rank_or_score(source, parts, noticed) if shape is RANKED_PAIRS else parts


def of_json(source: str, texts: Texts, kind: Kind, _: Noticed) -> Iterator[Lines]:
    """The lines in JSON, which is either a single value or one value on each line."""
    text = b"".join(text for _, text in texts)
    lines = [(number, line) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
    if len(lines) == 1 or not is_whole(lines[0][1]):
        given = loaded(source, 1, text)
        yield from of_values(source, "entry", list(enumerate(given, 1)) if isinstance(given, list) else [(1, given)], kind, None, set())
        return
    columns, seen = None, set[str]()
    for start in range(0, len(lines), ROWS):
        values = [(number, loaded(source, number, line)) for number, line in lines[start : start + ROWS]]
        if not columns and isinstance(values[0][1], dict) and is_header(values[0][1]):
            columns = Columns(source, values[0][1], kind)  # which hold to the end of the file
        yield from of_values(source, "line", values, kind, columns, seen)


def is_whole(text: bytes) -> bool:
    """Whether the text by itself is valid JSON."""
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def loaded(source: str, first: int, text: bytes) -> Any:
    """The JSON value of a text that begins at this line of the file."""

    def distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        its = dict(pairs)
        if len(its) < len(pairs):
            refuse(source, f"{first_twice(name for name, _ in pairs)!r} twice in one object", "each name once")
        return its

    try:
        return json.loads(text, object_pairs_hook=distinct, parse_int=lambda digits: int(digits) if len(digits) < 400 else float(digits))
    except json.JSONDecodeError as error:
        refuse(f"{source}, line {first - 1 + error.lineno}", f"invalid JSON at character {error.colno}: {error.msg}", "valid JSON")
    except UnicodeDecodeError:
        refuse(source, "bytes that are not UTF-8", "JSON in UTF-8")
    except RecursionError:
        refuse(source, "brackets that are nested too deeply", "topic -> document -> number, or rows")


def first_twice(items: Iterable[Any]) -> Any:
    """The first item that occurs more than once."""
    return next(item for item, count in Counter(items).items() if count > 1)


def of_values(source: str, unit: str, values: list[tuple[int, Any]], kind: Kind, columns: Columns | None, seen: set[str]) -> Iterator[Lines]:
    """The lines in numbered JSON values, which are either rows or mappings with topics as keys; in mappings, a topic seen before is refused."""
    if all(isinstance(value, dict) and all(isinstance(its, (dict, list)) for its in value.values()) for _, value in values):
        topics = [(topic, its) for _, value in values for topic, its in value.items()]
        if len(by_topic := dict(topics)) < len(topics) or not by_topic.keys().isdisjoint(seen):
            refuse(source, "a topic twice", "each topic once")
        if "" in by_topic or any("" in its for its in by_topic.values()):
            refuse(source, "the id ''", "non-empty text")
        seen.update(by_topic)
        yield from of_mapping(source, {topic: entries(f"{source}[{topic!r}]", its, kind) for topic, its in by_topic.items()}, kind)
    else:
        yield from of_objects(source, unit, values, kind, columns)


def entries(name: str, given: Any, kind: Kind) -> Any:
    """The mapping document -> number; a list of documents has the best document first in a run, and documents of grade 1 in judgements."""
    if isinstance(given, list) and all(isinstance(item, (str, int)) for item in given):
        documents = [id_of(name, item) for item in given]
        if len(set(documents)) < len(documents):
            refuse(name, f"{first_twice(documents)!r} twice", "each document once")
        return {item: len(documents) - place if kind.ranked else 1 for place, item in enumerate(documents)}
    if isinstance(given, dict) and not kind.ranked:
        return {item: int(grade) if isinstance(grade, bool) else grade for item, grade in given.items()}
    return given
