"""Every notebook of the book keeps the rules of lint.py."""

from pathlib import Path

from tools import lint
import pytest

NOTEBOOKS = sorted((lint.ROOT / "book").glob("*.ipynb"))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_keeps_the_rules(path):
    found = lint.problems(lint.read(path))
    assert not found, "\n" + "\n".join(map(str, found))


def test_there_is_a_notebook_for_every_entry_of_the_contents():
    missing = [file for file in lint.chapters() if not Path(lint.ROOT, f"{file}.ipynb").exists()]
    assert not missing and NOTEBOOKS


README_PICTURE = lint.ROOT / "book/_static/four-denominators.svg"


def picture_of_the_cover():
    """The figure that the cover stores, with the background that it needs on a page of its own."""
    outputs = [output for cell in lint.read(lint.ROOT / "book/cover.ipynb").cells for output in cell.outputs]
    [figure] = [output["data"]["image/svg+xml"] for output in outputs if "image/svg+xml" in output.get("data", {})]
    return "".join(figure).replace("<svg ", '<svg style="background: #ffffff" ', 1)


def test_the_picture_of_the_readme_is_that_of_the_cover():
    again = ".venv/bin/python tests/test_notebooks.py"
    assert README_PICTURE.read_text() == picture_of_the_cover(), f"the cover has a new figure; store it with {again}"


if __name__ == "__main__":
    README_PICTURE.write_text(picture_of_the_cover())
