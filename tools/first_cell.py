"""The first code cell of a notebook that imports `metrics`: it finds the package, or installs it.

So a notebook also runs where it is opened alone. `make notebooks` writes the cell; the page folds it.
The address of the site is that of `baseurl` in _config.yml.
"""

import re

import yaml

from book._sphinx.sources import ROOT, joined, project, wheel_name

ID = "find-metrics"
SOURCE = '''\
# Finds the package of this book, or installs it: from the wheel beside this notebook, or else from the book's site.
try:
    import metrics.notebook  # noqa: F401
except ImportError:
    import subprocess
    import sys
    from pathlib import Path
    wheel, site = Path("{wheel}"), "{site}"
    if not (wheel.exists() or site):
        raise FileNotFoundError(f"Put {{wheel}}, from the book's chapters.zip, into {{Path.cwd()}}, and run this again.") from None
    address = wheel.resolve().as_uri() if wheel.exists() else f"{{site}}/download/{{wheel}}"
    subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", f"{name}[run] @ {{address}}"], check=True)
    sys.modules.pop("metrics", None)  # another package of this name
from metrics.notebook import house_style
house_style()'''


def source():
    """The current text of the cell, with the version of the package and the address of the site."""
    html = yaml.safe_load((ROOT / "_config.yml").read_text(encoding="utf-8"))["html"]
    return SOURCE.format(name=project()["name"], wheel=wheel_name(), site=(html.get("baseurl") or "").rstrip("/"))


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
