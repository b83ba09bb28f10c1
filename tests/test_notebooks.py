"""Every notebook of the book keeps the rules of lint.py."""

import pytest

from book._sphinx import sources
from book._sphinx.claims_page import label_problems
from tools import lint

pytestmark = pytest.mark.check
NOTEBOOKS = sorted((sources.ROOT / "book").glob("*.ipynb"))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_keeps_the_rules(path):
    found = lint.problems(sources.read(path))
    assert not found, "\n" + "\n".join(map(str, found))


def test_python_files_and_cells_keep_the_rules_of_ruff():
    found = lint.ruff()
    assert not found, f"\n{found}Much of it is mended by: .venv/bin/ruff check --fix"


def test_every_statement_of_the_book_has_one_check_and_a_label_of_its_own():
    notebooks = [sources.read(path) for path in NOTEBOOKS]
    stated = [label for each in notebooks for label in lint.placed(each, *(f"prf:{kind}" for kind in lint.STATEMENTS))]
    checked = [claim["label"] for each in notebooks for claim in each.claims]
    assert len(checked) > 100 and label_problems(stated, checked) == []


README_PICTURE = sources.ROOT / "book/_static/four-denominators.svg"


def picture_of_the_cover():
    """The figure that the cover stores, with the background that it needs on a page of its own."""
    outputs = [output for cell in sources.read(sources.ROOT / "book/cover.ipynb").cells for output in cell.outputs]
    [figure] = [output["data"]["image/svg+xml"] for output in outputs if "image/svg+xml" in output.get("data", {})]
    return "".join(figure).replace("<svg ", '<svg style="background: #ffffff" ', 1)


def test_the_picture_of_the_readme_is_that_of_the_cover():
    again = ".venv/bin/python tests/test_notebooks.py"
    assert README_PICTURE.read_text() == picture_of_the_cover(), f"the cover has a new figure; store it with {again}"


if __name__ == "__main__":
    README_PICTURE.write_text(picture_of_the_cover())
