"""The sources of the pages, as the build, the rules for authors and the tests read them: notebooks, cells, directives.

What a code cell is for is read from its outputs alone, without tags. A cell is *silent* if it shows nothing; a value
glued for the prose is not shown where it stands. A *check* is a run of silent cells, no prose between, that ends in
the record of a claim. Imports belong to no check.
"""

import ast
import json
import re
import tomllib
from dataclasses import dataclass, field
from functools import cached_property
from html import unescape
from itertools import takewhile
from pathlib import Path
from typing import NamedTuple

import yaml

from .._static.in_the_page import PRINTING, read_code
from .paths import ROOT

RECORD = "application/vnd.metrics.claim+json"
GLUED = "application/papermill.record/"
STATEMENTS = ("theorem", "proposition", "lemma", "corollary")
NUMBERED = {*STATEMENTS, "definition"}


@dataclass
class Cell:
    """A cell as stored. Its number is that of JupyterLab: from 1, prose included."""

    number: int
    kind: str  # "code" or "markdown"
    source: str
    metadata: dict = field(default_factory=dict)
    id: str | None = None
    count: int | None = None
    outputs: list = field(default_factory=list)

    @property
    def tags(self):
        return set(self.metadata.get("tags", []))

    @property
    def shown(self):
        """The mime bundles of the outputs, without those of printed text."""
        return [output["data"] for output in self.outputs if "data" in output]

    @property
    def claim(self):
        """The record of the claim that the cell checks, or None."""
        return next((data[RECORD] for data in self.shown if RECORD in data), None)

    @property
    def silent(self):
        return all(any(kind.startswith(GLUED) for kind in output.get("data", ())) for output in self.outputs)

    @cached_property
    def tree(self):
        """The code as a syntax tree; an empty one where it is no Python."""
        try:
            return ast.parse(self.source)
        except SyntaxError:
            return ast.parse("")

    @property
    def imports(self):
        """Whether the cell begins with an import."""
        return bool(self.tree.body) and isinstance(self.tree.body[0], ast.Import | ast.ImportFrom)

    @property
    def binds(self):
        """The names to which the cell gives a value for later cells, or whose value it changes."""
        return (self.code.binds | self.code.changes) - {PRINTING}

    @property
    def uses(self):
        """The names that the cell reads, also within its functions, before it gives them a value itself."""
        return (self.code.uses | (self.code.later - self.code.binds)) - {PRINTING}

    @property
    def code(self):
        return read_code(self.source)


@dataclass
class Notebook:
    """A notebook as stored, unchanged: `name` is its path in the project, `raw` its JSON, `text` its file."""

    name: str
    raw: dict
    text: str = ""

    @cached_property
    def cells(self):
        return [
            Cell(number, cell["cell_type"], joined(cell["source"]), cell.get("metadata", {}), cell.get("id"),
                 cell.get("execution_count"), cell.get("outputs", []))
            for number, cell in enumerate(self.raw["cells"], 1)
        ]  # fmt: skip

    @property
    def code(self):
        return [cell for cell in self.cells if cell.kind == "code"]

    @property
    def prose(self):
        return [cell for cell in self.cells if cell.kind == "markdown"]

    @property
    def chapter(self):
        return self.name.removesuffix(".ipynb") in chapters()

    @property
    def claims(self):
        """The records of the claims that it stores, in order."""
        return [cell.claim for cell in self.code if cell.claim]

    @property
    def moving(self):
        """The things that its figures are to move as: (name, data) each."""
        return [moves for cell in self.code for data in cell.shown if (moves := moves_as("".join(data.get("image/svg+xml", ""))))]

    @property
    def checks(self):
        """The runs of cells that only check: lists of cells, the last of which holds the claim."""
        found, run = [], []
        for cell in self.cells:
            if cell.kind != "code":
                run = []
            elif cell.claim:
                found.append([*run, cell])
                run = []
            else:
                run = [*run, cell] if cell.silent and not cell.imports else []
        return found


def read(path):
    """The notebook in a file."""
    path = Path(path).resolve()
    text = path.read_text(encoding="utf-8")
    name = path.relative_to(ROOT).as_posix() if path.is_relative_to(ROOT) else str(path)
    return Notebook(name, json.loads(text), text)


def moves_as(svg):
    """The name of the thing as which a figure is to move, and what that needs; None if the figure does not move."""
    found = re.search(r'<svg data-moves="([\w-]+)" data-of-it="([^"]*)"', svg)
    return found and (found[1], json.loads(unescape(found[2])))


def chapters():
    """The pages in the numbered parts of the table of contents: 'book/precision-and-recall', ..."""
    contents = yaml.safe_load((ROOT / "_toc.yml").read_text(encoding="utf-8"))
    return [entry["file"] for part in contents.get("parts", []) if part.get("numbered") for entry in part["chapters"]]


def project():
    """What pyproject.toml says of the package."""
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def wheel_name():
    """The file name of the wheel of this version."""
    return f"{project()['name'].replace('-', '_')}-{project()['version']}-py3-none-any.whl"


def joined(text):
    """The text of a field that holds it whole or line by line."""
    return text if isinstance(text, str) else "".join(text)


def prose(path):
    """The Markdown of a page: of a notebook, that of its prose cells."""
    if Path(path).suffix != ".ipynb":
        return Path(path).read_text(encoding="utf-8")
    return "\n\n".join(cell.source for cell in read(path).prose)


class Directive(NamedTuple):
    """A directive in Markdown: `:::{name} argument`, its options, its body."""

    name: str
    argument: str
    options: dict
    body: str


OPENING = re.compile(r"^\s*(?P<fence>:{3,}|`{3,})\{(?P<name>[^}]+)\}(?P<argument>.*)$")
OPTION = re.compile(r"^\s*:(?P<key>[\w-]+):(?P<value>.*)$")


def directives(text, *names):
    """The directives of these names in Markdown (of all, without a name), in order; those inside others too."""
    lines = text.splitlines()
    for start, line in enumerate(lines, 1):
        opening = OPENING.match(line)
        if opening and opening["name"] in (names or [opening["name"]]):
            inside = list(takewhile(lambda line: line.strip() != opening["fence"], lines[start:]))
            options = list(takewhile(bool, map(OPTION.match, inside)))
            body = "\n".join(inside[len(options) :]).strip("\n")
            yield Directive(opening["name"], opening["argument"].strip(), {each["key"]: each["value"].strip() for each in options}, body)
