"""Types: the package and a script of a user are clean, the script has every public name, and what it is told comes out when it runs."""

import ast
import runpy
import subprocess
import sys
import typing
from pathlib import Path

import pytest

import metrics

ROOT = Path(__file__).resolve().parent.parent
SCRIPT = ROOT / "tests" / "typed_script.py"
pytestmark = pytest.mark.check


def test_package_and_script_are_clean():
    done = subprocess.run([sys.executable, "-m", "mypy"], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, f"python -m mypy\n{done.stdout}{done.stderr}"


def test_the_script_has_every_public_name_and_is_told_the_truth(monkeypatch):
    nodes = ast.walk(ast.parse(SCRIPT.read_text(encoding="utf-8")))
    named = {node.attr for node in nodes if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "metrics"}
    assert named == set(metrics.__all__), f"tests/typed_script.py: call {', '.join(set(metrics.__all__) - named)}"
    monkeypatch.setattr(typing, "assert_type", of_kind)
    runpy.run_path(str(SCRIPT))


def of_kind(value, kind):
    """The value, which is what the type says, and so is each element of a list."""
    assert kind is typing.Any or isinstance(value, typing.get_origin(kind) or kind), f"{value!r} is no {kind}"
    for element in value if typing.get_origin(kind) is list else ():
        of_kind(element, *typing.get_args(kind))
    return value
