"""The data file of the book: statements as gzipped text, one line per fact.

book/data/README.md describes the format. A line begins with a word that says what it holds.
"""

import gzip
import hashlib
import zlib
from typing import NamedTuple

TITLE = "iset-1001, format 1, {} statements"
KINDS = ("axiom", "definition", "theorem")
# For the first word of each line, what may stand on the line before.
MAY_FOLLOW = {
    "section": ("title", "then", "by"),
    **{kind: ("section", "then", "by") for kind in KINDS},
    "if": (*KINDS, "if"),
    "then": (*KINDS, "if"),
    "by": ("then",),
}


class Statement(NamedTuple):
    """One axiom, definition or theorem."""

    label: str
    kind: str  # "axiom", "definition" or "theorem"
    section: str  # the headings above it, outermost first, joined by " > "
    hypotheses: tuple[str, ...]  # each is symbols with one space between, without the leading |-
    statement: str  # likewise
    premises: tuple[str, ...]  # labels of the distinct statements its proof cites, in that order


class DataError(ValueError):
    """The error raised if the data file is missing or damaged; its message names the file and the problem."""


def from_text(text, path="text"):
    """The list of `Statement` from a text written by `tools.rebuild_data.to_text`; DataError names `path` and the line."""

    def fail(problem):
        raise DataError(f"{path}, line {number}: {problem}")

    number, previous, section = 1, "title", None
    title, *lines = text.removesuffix("\n").split("\n")
    statements, stated = [], set()
    for number, line in enumerate(lines, start=2):
        word, _, rest = line.partition(" ")
        if word not in MAY_FOLLOW or not rest:
            fail(f"unknown line {line[:60]!r}")
        if previous not in MAY_FOLLOW[word]:
            fail(f"{word!r} cannot follow {previous!r}")
        if word == "section":
            section = rest
        elif word in KINDS:
            kind, label, hypotheses = word, rest, []
            if label in stated:
                fail(f"{label!r} is stated twice")
        elif word == "if":
            hypotheses.append(rest)
        elif word == "then":
            statements.append(Statement(label, kind, section, tuple(hypotheses), rest, ()))
            stated.add(label)
        else:
            premises = tuple(rest.split(" "))
            unknown = [premise for premise in premises if premise not in stated or premise == label]
            if unknown:
                fail(f"{label!r} cites {unknown[0]!r}, which is not stated before it")
            if len(set(premises)) < len(premises):
                fail(f"{label!r} cites a premise twice")
            statements[-1] = statements[-1]._replace(premises=premises)
        previous = word
    if title != TITLE.format(len(statements)):
        number = 1
        fail(f"expected {TITLE.format(len(statements))!r}, found {title[:60]!r}")
    return statements


def checksum(text):
    """The SHA-256 of the text, in hexadecimal; different versions of zlib may compress the same text differently."""
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def read_text(path, sha256=None):
    """The text in the gzip file at `path`; DataError if the file cannot be read to its end or the checksum is wrong."""
    try:
        with open(path, "rb") as file:
            text = gzip.decompress(file.read()).decode("ascii")
    except FileNotFoundError:
        raise DataError(f"{path}: the file is missing; install the package again, or, in a clone, restore it with `git checkout book/data`") from None
    except EOFError:
        raise DataError(f"{path}: the gzip file is truncated") from None
    except (gzip.BadGzipFile, zlib.error) as error:
        raise DataError(f"{path}: the gzip file is damaged ({error})") from None
    except UnicodeDecodeError as error:
        raise DataError(f"{path}: the text is not ASCII at byte {error.start}") from None
    except OSError as error:
        raise DataError(f"{path}: the file cannot be read ({error.strerror})") from None
    if sha256 is not None and (found := checksum(text)) != sha256:
        raise DataError(f"{path}: wrong checksum (SHA-256 of the text): expected {sha256}, found {found}")
    return text
