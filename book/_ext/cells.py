"""What the code cells of a notebook are for, read from their outputs alone: no tags.

A cell is *silent* if it shows nothing; a value glued for the prose is not shown where it stands. A *check* is a run of
silent cells, no prose between, that ends in the record of a claim. Imports belong to no check.
"""

import ast
import json
from dataclasses import dataclass
from pathlib import Path

RECORD = "application/vnd.metrics.claim+json"
GLUED = "application/papermill.record/"


@dataclass
class Cell:
    """A code cell: its place in the notebook, its source, and the mime bundles of its outputs ("" for printed text)."""

    place: int
    source: str
    shown: list

    @property
    def claim(self):
        """The record of the claim that it checks, or None."""
        return next((data[RECORD] for data in self.shown if RECORD in data), None)

    @property
    def silent(self):
        return all(any(kind.startswith(GLUED) for kind in data) for data in self.shown)

    @property
    def imports(self):
        try:
            first = ast.parse(self.source).body[:1]
        except SyntaxError:
            return False
        return bool(first) and isinstance(first[0], (ast.Import, ast.ImportFrom))

    @property
    def lines(self):
        """The lines that are not blank."""
        return sum(bool(line.strip()) for line in self.source.splitlines())


def read(path):
    """The cells of a notebook file: a `Cell` for code, None for prose."""
    cells = json.loads(Path(path).read_text(encoding="utf-8"))["cells"]
    return [
        Cell(place, "".join(cell["source"]), [output.get("data", {"": ""}) for output in cell["outputs"]])
        if cell["cell_type"] == "code" else None
        for place, cell in enumerate(cells)
    ]


def checks(cells):
    """The runs of cells that only check: lists of cells, the last of which holds the claim."""
    found, run = [], []
    for cell in cells:
        if cell is None:
            run = []
        elif cell.claim:
            found.append([*run, cell])
            run = []
        else:
            run = [*run, cell] if cell.silent and not cell.imports else []
    return found
