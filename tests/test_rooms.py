"""The package is a house of rooms, and every arrow points down: pyproject.toml says which room stands on which."""

import sys
from pathlib import Path

import pytest
from importlinter.cli import lint_imports

import metrics

HOME = Path(metrics.__file__).parent
LONG = 450  # lines, from which on the first line of a module says why


@pytest.mark.check
def test_every_arrow_points_down(monkeypatch):
    monkeypatch.chdir(HOME.parent)
    monkeypatch.setattr(sys, "path", [str(HOME.parent), *sys.path])
    assert lint_imports(no_cache=True) == 0


@pytest.mark.check
def test_a_long_module_says_why():
    lines = {path: path.read_text(encoding="utf-8").splitlines() for path in HOME.rglob("*.py")}
    silent = [str(path) for path, text in lines.items() if len(text) > LONG and "long" not in text[0].lower()]
    assert not silent
