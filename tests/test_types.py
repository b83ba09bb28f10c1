"""Types: the package and a script of a user are clean, the script has every public name, and what it is told comes out when it runs.

The calls of what has a record are made of the records, and stand below those of typed_script.py."""

import ast
import runpy
import subprocess
import sys
import typing
from pathlib import Path

import pytest
from test_doors import DOORS

import metrics
from metrics.names.sheet import RECORDS

ROOT = Path(__file__).resolve().parent.parent
SCRIPT = ROOT / "tests" / "typed_script.py"
pytestmark = pytest.mark.check


@pytest.fixture(scope="module")
def script(tmp_path_factory):
    """The script of a user, and a call of each metric that has a record."""
    path = tmp_path_factory.mktemp("types") / "script.py"
    path.write_text("\n".join([SCRIPT.read_text(encoding="utf-8"), *map(call, RECORDS.values())]), encoding="utf-8")
    return path


def call(record):
    """A line that calls a metric with all its arguments; one of a ranking gives a number."""
    [good] = [good for name, _, good in DOORS if name == record.path]
    called = f"metrics.{record.path}({', '.join(f'{name}={value!r}' for name, value in good.items())})"
    return f"assert_type({called}, np.float64)" if record.of_a_ranking else called


def test_package_and_script_are_clean(script):
    done = subprocess.run([sys.executable, "-m", "mypy", "metrics", str(script)], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, f"python -m mypy\n{done.stdout}{done.stderr}"


def test_the_script_has_every_public_name_and_is_told_the_truth(script, monkeypatch):
    nodes = ast.walk(ast.parse(script.read_text(encoding="utf-8")))
    named = {node.attr for node in nodes if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "metrics"}
    assert named == set(metrics.__all__), f"tests/typed_script.py: call {', '.join(set(metrics.__all__) - named)}"
    monkeypatch.setattr(typing, "assert_type", of_kind)
    runpy.run_path(str(script))


def of_kind(value, kind):
    """The value, which is what the type says, and so is each element of a list."""
    assert kind is typing.Any or isinstance(value, typing.get_origin(kind) or kind), f"{value!r} is no {kind}"
    for element in value if typing.get_origin(kind) is list else ():
        of_kind(element, *typing.get_args(kind))
    return value
