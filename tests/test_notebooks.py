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


def test_the_picture_of_the_readme_is_that_of_the_cover():
    """On a page of its own it needs a background; all else is the figure that the cover stores."""
    outputs = [output for cell in lint.read(lint.ROOT / "book/cover.ipynb").cells for output in cell.outputs]
    [figure] = [output["data"]["image/svg+xml"] for output in outputs if "image/svg+xml" in output.get("data", {})]
    expected = "".join(figure).replace("<svg ", '<svg style="background: #ffffff" ', 1)
    assert (lint.ROOT / "book/_static/four-denominators.svg").read_text() == expected, "copy the figure of the cover anew"
