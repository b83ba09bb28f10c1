"""The tool that runs and stores notebooks: what it writes, it writes again, and nbval accepts it."""

import json
import subprocess
import sys

import pytest

from book._sphinx import sources
from tools import first_cell, lint, store

ROOT = sources.ROOT


def draft(*sources):
    """A notebook as an editor may leave it: no ids, settings of its own, outputs of another day."""
    cells = [{"cell_type": "code", "execution_count": 9, "metadata": {"collapsed": True, "tags": []}, "outputs": [],
              "source": source} for source in sources]
    title = {"cell_type": "markdown", "metadata": {"editable": True}, "source": ["# A title\n", "\n", "Text"]}
    return {"nbformat": 4, "nbformat_minor": 4, "metadata": {"toc": {}}, "cells": [title, *cells]}


def write(folder, *sources):
    path = folder / "draft.ipynb"
    path.write_text(json.dumps(draft(*sources)), encoding="utf-8")
    return path


def test_running_again_changes_nothing(tmp_path):
    path = write(tmp_path, "print('a')\nprint('b')", "x = {1, 2}", "x = {1, 2}", "sorted(x)  # two  blanks\n\n", "from sympy import pi\npi / 2")
    raw = json.loads(path.read_text())
    raw["cells"][1]["id"] = raw["cells"][2]["id"] = "a-good-name"
    path.write_text(json.dumps(raw))
    assert store.store(path)
    first = path.read_bytes()
    assert not store.store(path)
    assert path.read_bytes() == first
    cells = json.loads(first)["cells"]
    assert ["".join(cell["source"]) for cell in cells] == ["".join(cell["source"]) for cell in raw["cells"]]
    assert [cell.get("execution_count") for cell in cells] == [None, 1, 2, 3, 4, 5]
    assert cells[1]["outputs"] == [{"name": "stdout", "output_type": "stream", "text": ["a\n", "b\n"]}]
    assert cells[1]["id"] == "a-good-name" and len({cell["id"] for cell in cells}) == len(cells)
    assert all(cell["metadata"] == {} for cell in cells)
    assert not lint.problems(sources.read(path))


def test_a_notebook_that_imports_the_package_begins_with_the_cell_that_finds_it(tmp_path):
    path = write(tmp_path, "x = 1", "def f():\n    from metrics.exact import claim", "import numpy as metrics")
    store.store(path)
    first, *others = [cell for cell in sources.read(path).cells if cell.kind == "code"]
    assert (first.id, first.source, first.tags) == ("find-metrics", first_cell.source(), {"hide-input"})
    assert [cell.source[:5] for cell in others] == ["x = 1", "def f", "impor"]
    assert not store.store(path)


@pytest.mark.parametrize("source", ["metrics = 1", "import numpy as metrics", "from other import metrics", "import metrics_of_others"])
def test_another_notebook_has_no_such_cell(source):
    assert first_cell.with_first_cell(draft(source)["cells"]) == draft(source)["cells"]


@pytest.mark.parametrize("sources, message", [
    (("x = 1", "1 / 0"), r"draft.ipynb, cell 3 \(`\w+`\):[\s\S]*1 / 0[\s\S]*ZeroDivisionError"),
    (("object()",), r"draft.ipynb, cell 2 \(`\w+`\): prints a memory address: at 0x"),
])
def test_a_notebook_that_fails_is_named_and_left_alone(tmp_path, sources, message):
    path = write(tmp_path, *sources)
    before = path.read_bytes()
    with pytest.raises(store.NotStorable, match=message):
        store.store(path)
    assert path.read_bytes() == before and list(tmp_path.iterdir()) == [path]


def test_the_command_says_what_failed_and_fails(tmp_path):
    done = subprocess.run([sys.executable, "-m", "tools.store", tmp_path / "none.ipynb"], capture_output=True, text=True)
    assert done.returncode == 1 and "none.ipynb: 0.0 s, NOT STORED. [Errno 2]" in done.stdout
    assert "1 of 1 notebooks failed" in done.stderr


def nbval(path, *options):
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--nbval", *options, path]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True)


RICH = """class Rich:
    def _repr_mimebundle_(self, **_):
        return {"text/plain": "rich", "image/svg+xml": "<svg/>", "text/latex": "$1$", "application/x+json": {"n": 1}}"""

TAMPERED = [  # cell, the key of its data, another value than the stored one
    (2, "text/plain", "43"), (3, "image/svg+xml", "<svg></svg>"), (4, "text/latex", "$2$"), (5, "application/x+json", {"n": 2}),
]


def test_nbval_accepts_what_was_stored_and_finds_every_change(tmp_path):
    path = write(tmp_path, RICH, "6 * 7", "Rich()", "Rich()", "Rich()", "print('a')", "8", "x = 9")
    store.store(path)
    assert "8 passed" in nbval(path).stdout
    raw = json.loads(path.read_text())
    cells = raw["cells"]
    for cell, kind, value in TAMPERED:
        cells[cell]["outputs"][0]["data"][kind] = value
    cells[6]["outputs"][0]["text"] = "b\n"
    cells[7]["outputs"] = []
    cells[8]["outputs"] = [{"output_type": "stream", "name": "stdout", "text": "9\n"}]
    path.write_text(store.as_canonical_text(raw))
    assert "7 failed, 1 passed" in nbval(path).stdout


USED = """from numpy._core._multiarray_umath import __cpu_dispatch__ as names, __cpu_features__ as used
[name for name in names if used[name]]"""


def test_a_kernel_on_the_simpler_processor_uses_no_chosen_instructions(tmp_path):
    path = write(tmp_path, USED)
    store.store(path)
    stored = json.loads(path.read_text())
    stored["cells"][1]["outputs"][0]["data"]["text/plain"] = ["[]"]
    path.write_text(store.as_canonical_text(stored))
    done = nbval(path, "-p", "tools.plain_processor")
    assert done.returncode == 0, done.stdout
