"""Run notebooks and store them so that running them again changes nothing.

    make notebooks                              all of them
    make notebooks ONLY=book/notation.ipynb     one

The stored outputs are what the book shows and what the tests compare with. So nothing is written that
differs from run to run: no times, no memory addresses, no settings of an editor. The source of a cell is
never touched, but that of the first, which tools/first_cell.py writes. A notebook that fails is not written.
"""

import json
import os
import re
import sys
from pathlib import Path

import nbformat
from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError
from nbconvert.filters import strip_ansi
from nbconvert.preprocessors import ClearOutputPreprocessor, ExecutePreprocessor
from nbformat.corpus.words import generate_corpus_id

from book._sphinx.sources import Notebook
from tools import first_cell

NOTEBOOK_METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}
CELL_METADATA = {"answer", "jupyter", "mystnb", "tags"}
ADDRESS = re.compile(r"\bat 0x[0-9a-fA-F]{6,}|\b0x[0-9a-fA-F]{9,}")
ERRORS_ONLY = ["--IPKernelApp.log_level=40"]  # the kernel's advice is not about the chapter


class Run(ExecutePreprocessor):
    """A preprocessor that runs every cell, and names the cell that fails."""

    def preprocess_cell(self, cell, resources, index):
        """Run one cell, and refuse an output that the next run would not repeat."""
        where = f"{resources['metadata']['name']}, cell {index + 1} (`{cell.id}`)"
        try:
            super().preprocess_cell(cell, resources, index)
        except (CellExecutionError, CellTimeoutError, DeadKernelError) as error:
            raise ValueError(f"{where}:\n{strip_ansi(str(error))}") from None
        if address := ADDRESS.search(json.dumps(cell.get("outputs", []))):
            raise ValueError(f"{where} prints a memory address: {address.group()}")
        return cell, resources


def prepared(raw):
    """A notebook, read as JSON, with the first cell that it needs and an id of its own for every cell."""
    notebook = nbformat.from_dict(raw | {"cells": first_cell.with_first_cell(raw["cells"]), "nbformat_minor": 5})
    taken = {None}
    for cell in notebook.cells:
        if cell.get("id") in taken:  # a new cell, or a copied one
            cell.id = generate_corpus_id()
        taken.add(cell.id)
    return notebook


def without_settings(notebook):
    """The notebook with the metadata that the book needs, and no other; the code of checks and imports is collapsed in JupyterLab, as on the page."""
    read = Notebook("", notebook)
    folded = {cell.number for run in read.checks for cell in run} | {cell.number for cell in read.code if cell.imports and cell.silent}
    slides = {name: value for name, value in notebook.metadata.items() if name == "slides"}  # book/_sphinx/slides.py says what that is
    notebook.metadata = nbformat.from_dict(NOTEBOOK_METADATA | slides)
    for number, cell in enumerate(notebook.cells, 1):
        cell.metadata = {key: value for key, value in cell.metadata.items() if key in CELL_METADATA and value}
        if cell.get("id") != first_cell.ID:
            cell.metadata.pop("jupyter", None)
            cell.metadata |= {"jupyter": {"source_hidden": True}} if number in folded else {}
    return notebook


def as_canonical_text(raw):
    """The one way to write a notebook: sorted keys, texts as lists of lines, a newline at the end."""
    return nbformat.v4.writes_json(nbformat.from_dict(raw)).rstrip("\n") + "\n"


def run_and_write(path):
    """Run the notebook at `path` in its folder and write it back; return True if the file changed."""
    before = path.read_text(encoding="utf-8")
    run = Run(timeout=300, kernel_name="python3", extra_arguments=ERRORS_ONLY, record_timing=False, coalesce_streams=True)
    notebook = nbformat.v4.rwbase.rejoin_lines(prepared(json.loads(before)))
    ClearOutputPreprocessor(enabled=True).preprocess(notebook, {})
    run.preprocess(notebook, {"metadata": {"path": str(path.parent), "name": str(path)}})
    after = as_canonical_text(without_settings(notebook))
    if after != before:
        draft = path.with_suffix(".part")
        draft.write_text(after, encoding="utf-8")
        os.replace(draft, path)
    return after != before


def main(paths):
    """Store each notebook, say what happened, and return the exit status."""
    failed = 0
    for path in map(Path, paths):
        try:
            outcome = "changed" if run_and_write(path) else "unchanged"
        except (OSError, ValueError, KeyError) as error:
            failed += 1
            outcome = f"NOT STORED. {error}"
        print(f"{path}: {outcome}", flush=True)
    return failed and f"{failed} of {len(paths)} notebooks failed and were left as they were."


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
