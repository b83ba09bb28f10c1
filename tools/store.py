"""Run notebooks and store them so that running them again changes nothing.

    make notebooks                              all of them
    make notebooks ONLY=book/notation.ipynb     one

The stored outputs are what the book shows and what the tests compare with. So nothing is written that
differs from run to run: no times, no ids made up anew, no settings of an editor. The source of a cell is
never touched, but that of the first, which tools/first_cell.py writes. A notebook that fails is not written.
"""

import hashlib
import json
import os
import re
import sys
import time
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError

from tools.first_cell import with_first_cell

NOTEBOOK_METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}
CELL_METADATA = {"mystnb", "tags"}
ADDRESS = re.compile(r"\bat 0x[0-9a-fA-F]{6,}|\b0x[0-9a-fA-F]{9,}")
ANSI_COLOUR = re.compile(r"\x1b\[[0-9;]*m")
SECONDS_A_CELL = 300


class NotStorable(Exception):
    """A notebook that cannot be stored; the message names the notebook, the cell and the reason."""


def prepare(raw):
    """A notebook read as JSON -> one with ids, minimal metadata and no outputs, ready to run."""
    notebook = nbformat.from_dict({"nbformat": 4, "nbformat_minor": 5, "metadata": NOTEBOOK_METADATA, "cells": []})
    taken = set()
    for cell in with_first_cell(raw["cells"]):
        source = "".join(cell["source"])
        prepared = {
            "id": cell_id(cell.get("id"), source, taken),
            "cell_type": cell["cell_type"],
            "metadata": {key: value for key, value in cell["metadata"].items() if key in CELL_METADATA and value},
            "source": source,
        }
        if cell["cell_type"] == "code":
            prepared |= {"execution_count": None, "outputs": []}
        if cell.get("attachments"):
            prepared["attachments"] = cell["attachments"]
        notebook.cells.append(nbformat.from_dict(prepared))
    return notebook


def cell_id(given, source, taken):
    """The id that the cell has; for a cell with none, or a copied one, an id made from its source."""
    new, copies = given, 0
    while not new or new in taken:
        new = hashlib.sha256(f"{source}{copies or ''}".encode()).hexdigest()[:8]
        copies += 1
    taken.add(new)
    return new


def run(notebook, path, progress=lambda text: None):
    """Fill in the outputs, run in the folder of the notebook as nbval does."""
    cells = len(notebook.cells)
    client = NotebookClient(
        notebook,
        timeout=SECONDS_A_CELL,
        kernel_name="python3",
        extra_arguments=["--IPKernelApp.log_level=40"],  # errors only: its advice is not about the chapter
        resources={"metadata": {"path": str(path.parent)}},
        record_timing=False,
        coalesce_streams=True,
        on_cell_start=lambda cell, cell_index: progress(f"cell {cell_index + 1} of {cells}"),
    )
    try:
        client.execute()
    except (CellExecutionError, CellTimeoutError, DeadKernelError) as error:
        number = last_started(notebook)
        message = ANSI_COLOUR.sub("", str(error))
        raise NotStorable(f"{path}, cell {number} (`{notebook.cells[number - 1].id}`):\n{message}") from None


def last_started(notebook):
    """The number of the cell that failed: the last one with a count, or the first code cell."""
    ran = [n for n, cell in enumerate(notebook.cells, 1) if cell.get("execution_count") or cell.get("outputs")]
    code = [n for n, cell in enumerate(notebook.cells, 1) if cell.cell_type == "code"]
    return ran[-1] if ran else code[0]


def normalise(notebook, path):
    """Remove what differs from run to run, or refuse it where it stands in the text of an output."""
    notebook.metadata = nbformat.from_dict(NOTEBOOK_METADATA)
    count = 0
    for number, cell in enumerate(notebook.cells, 1):
        if cell.cell_type != "code":
            continue
        count += 1
        cell.execution_count = count
        for output in cell.outputs:
            if output.output_type == "execute_result":
                output.execution_count = count
            address = ADDRESS.search(json.dumps(output))
            if address:
                raise NotStorable(f"{path}, cell {number}: prints a memory address: {address.group()}")
    return notebook


def as_text(notebook):
    """The one way to write a notebook: sorted keys, one space of indent, a newline at the end."""
    return nbformat.writes(notebook, version=nbformat.NO_CONVERT).rstrip("\n") + "\n"


def as_canonical_text(raw):
    """How a stored notebook, read as JSON, would be written: equal to its file if the tool wrote it."""
    return json.dumps(raw, indent=1, sort_keys=True, ensure_ascii=False, separators=(",", ": ")) + "\n"


def store(path, progress=lambda text: None):
    """Run the notebook at `path` and write it back. True if the file changed."""
    path = Path(path)
    before = path.read_text(encoding="utf-8")
    notebook = prepare(json.loads(before))
    run(notebook, path, progress)
    after = as_text(normalise(notebook, path))
    if after == before:
        return False
    draft = path.with_suffix(".part")
    draft.write_text(after, encoding="utf-8")
    os.replace(draft, path)
    return True


def main(paths):
    """Store each notebook, say what happened, and return the number that failed."""
    failures = 0
    redraw = sys.stdout.isatty()
    for path in paths:
        def progress(text):
            if redraw:
                print(f"\r\033[K{path}: {text}", end="", flush=True)

        start = time.monotonic()
        print(f"{path}: ", end="", flush=True)
        try:
            outcome = "changed" if store(path, progress) else "unchanged"
        except (NotStorable, OSError, ValueError, KeyError) as error:
            failures += 1
            outcome = f"NOT STORED. {error}"
        lead = f"\r\033[K{path}: " if redraw else ""
        print(f"{lead}{time.monotonic() - start:.1f} s, {outcome}", flush=True)
    if failures:
        print(f"{failures} of {len(paths)} notebooks failed and were left as they were.", file=sys.stderr)
    return failures


if __name__ == "__main__":
    if not sys.argv[1:]:
        sys.exit("No notebook given. Usage: make notebooks ONLY=book/notation.ipynb")
    sys.exit(main(sys.argv[1:]) > 0)
