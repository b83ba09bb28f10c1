"""Every notebook of the book keeps the rules of lint.py."""

from pathlib import Path

import lint
import pytest

NOTEBOOKS = sorted((lint.ROOT / "book").glob("*.ipynb"))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_keeps_the_rules(path):
    found = lint.problems(lint.read(path))
    assert not found, "\n" + "\n".join(map(str, found))


def test_there_is_a_notebook_for_every_entry_of_the_contents():
    missing = [file for file in lint.chapters() if not Path(lint.ROOT, f"{file}.ipynb").exists()]
    assert not missing and NOTEBOOKS
