"""The first code cell of a notebook that imports `metrics`: it finds the package, or installs it.

So a notebook also runs where it is opened alone. `make notebooks` writes the cell; the page folds it.
The address of the site is that of `baseurl` in _config.yml.
"""

import re

import yaml

from book._sphinx.sources import ROOT, joined, project, wheel_name
from metrics.course.sheets import FIND

ID = "find-metrics"
SOURCE = FIND + """
from metrics.notebook import house_style
house_style()"""


def source():
    """The current text of the cell, with the version of the package and the address of the site."""
    html = yaml.safe_load((ROOT / "_config.yml").read_text(encoding="utf-8"))["html"]
    what = f'f"{project()["name"]}[run] @ {{address}}"'
    return SOURCE.format(module="metrics.notebook", wheel=wheel_name(), site=(html.get("baseurl") or "").rstrip("/"), archive="chapters.zip", what=what)


def with_first_cell(cells):
    """The cells of a notebook, read as JSON, with this one before its first code cell if they import `metrics`."""
    others = [cell for cell in cells if cell.get("id") != ID]
    code = [number for number, cell in enumerate(others) if cell["cell_type"] == "code"]
    if not any(re.search(r"(?m)^\s*(?:from|import) metrics\b", joined(others[number]["source"])) for number in code):
        return others
    count = next((cell["execution_count"] for cell in cells if cell.get("id") == ID), None)
    first = {"cell_type": "code", "execution_count": count, "id": ID, "metadata": {"jupyter": {"source_hidden": True}, "tags": ["hide-input"]},
             "outputs": [], "source": source()}  # fmt: skip
    return [*others[: code[0]], first, *others[code[0] :]]
