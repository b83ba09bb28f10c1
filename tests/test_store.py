"""The tool that runs and stores notebooks: what it writes, it writes again, and nbval accepts it."""

import json
import re
import subprocess
import sys

import pytest

from book._sphinx import sources
from tools import first_cell, lint, store


def write(folder, *sources):
    """A notebook as an editor may leave it: no ids, settings of its own, outputs of another day."""
    cells = [{"cell_type": "code", "execution_count": 9, "metadata": {"collapsed": True, "tags": []}, "outputs": [], "source": source} for source in sources]
    title = {"cell_type": "markdown", "metadata": {"editable": True}, "source": ["# A title\n", "\n", "Text"]}
    path = folder / "draft.ipynb"
    path.write_text(json.dumps({"nbformat": 4, "nbformat_minor": 4, "metadata": {"toc": {}}, "cells": [title, *cells]}), encoding="utf-8")
    return path


def test_running_again_changes_nothing_and_what_imports_the_package_finds_it(tmp_path, capsys):
    code = ["print('a')\nprint('b')", "x = {1, 2}", "sorted(x)  # two  blanks\n\n", "def f():\n    from metrics.exact import claim"]
    path = write(tmp_path, *code)
    assert store.store(path)
    first = path.read_bytes()
    assert not store.main([path]) and path.read_bytes() == first and "unchanged" in capsys.readouterr().out
    title, finder, *cells = sources.read(path).cells
    assert title.source == "# A title\n\nText"
    assert (finder.id, finder.source, finder.tags) == ("find-metrics", first_cell.source(), {"hide-input"})
    assert [cell.source for cell in cells] == code
    assert [cell.count for cell in (title, finder, *cells)] == [None, *range(1, 6)]
    assert cells[0].outputs == [{"name": "stdout", "output_type": "stream", "text": ["a\n", "b\n"]}]
    assert all(cell.metadata == {} for cell in (title, *cells))
    assert not lint.problems(sources.read(path))


@pytest.mark.parametrize(
    "sources, message",
    [
        (("x = 1", "1 / 0"), r"draft.ipynb, cell 3 \(`\w+`\):[\s\S]*1 / 0[\s\S]*ZeroDivisionError"),
        (("object()",), r"draft.ipynb, cell 2 \(`\w+`\): prints a memory address: at 0x"),
    ],
)
def test_a_notebook_that_fails_is_named_and_left_alone(tmp_path, capsys, sources, message):
    path = write(tmp_path, *sources)
    before = path.read_bytes()
    assert store.main([path]).startswith("1 of 1 notebooks failed")
    assert re.search(f"NOT STORED. .*{message}", capsys.readouterr().out)
    assert path.read_bytes() == before and list(tmp_path.iterdir()) == [path]


RICH = """class Rich:
    def _repr_mimebundle_(self, **_):
        return {"text/plain": "rich", "image/svg+xml": "<svg/>"}"""
USED = """from numpy._core._multiarray_umath import __cpu_dispatch__ as names, __cpu_features__ as used
[name for name in names if used[name]]"""


def test_nbval_finds_every_change_and_on_the_simpler_processor_numpy_has_no_chosen_instructions(tmp_path):
    path = write(tmp_path, RICH, "6 * 7", "Rich()", USED, "print('a')", "8")
    store.store(path)
    raw = json.loads(path.read_text())
    cells = raw["cells"]
    assert cells[4]["outputs"][0]["data"]["text/plain"] != "[]"
    for cell, kind, value in [(2, "text/plain", "43"), (3, "image/svg+xml", "<svg></svg>"), (4, "text/plain", "[]")]:  # as the simpler processor has it
        cells[cell]["outputs"][0]["data"][kind] = value
    cells[5]["outputs"][0]["text"] = "b\n"
    cells[6]["outputs"] = []
    path.write_text(store.as_canonical_text(raw))
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "tools.plain_processor", "--nbval", path]
    printed = subprocess.run(command, cwd=sources.ROOT, capture_output=True, text=True).stdout
    assert "4 failed, 2 passed" in printed, printed
