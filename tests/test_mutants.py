"""The tool that breaks the package: what a test notices is killed, what none notices is named, what is explained passes."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tools import mutants

ROOT = Path(__file__).resolve().parent.parent
SOURCE = '''"""A package with little in it; 1 < 2 in a docstring is left as it is."""

from functools import cache


@cache
def larger(a: "int | None", b: int = 0) -> int:
    """The larger of two.

    >>> larger(2, 1)
    2
    """
    return a if a > b else b


def down(n):
    while n > 0:
        n -= 1
    if n < 0:
        return 8
'''
TESTS = """import metrics


def test_larger():
    assert (metrics.larger(1, 2), metrics.larger(1)) == (2, 1)


def test_down():
    assert metrics.down(3) is None
"""
SAME = """
[[equivalent]]
module = "__init__"
function = "larger"
old = "return a if a > b else b"
new = "return a if a >= b else b"
why = "{}"
"""


@pytest.fixture
def project(tmp_path):
    files = {"metrics/__init__.py": SOURCE, "tests/test_it.py": TESTS, "tools/mutants.toml": "",
             "pyproject.toml": '[tool.pytest.ini_options]\naddopts = "--import-mode=importlib --doctest-modules"\n'}
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def run(root, *options):
    """What the command prints of a project, and its exit code."""
    command = [sys.executable, "-m", "tools.mutants", "--root", str(root), "--workers", "2", *options]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300)
    return done.stdout + done.stderr, done.returncode


def row(printed):
    """The counts of all modules: mutants, killed, timed out, survived, explained."""
    [line] = [line for line in printed.splitlines() if line.startswith("all ")]
    return [int(number) for number in line.split()[1:]]


def test_what_survives_is_named_and_what_does_not_end_is_ended(project):
    before = {path: path.read_bytes() for path in project.rglob("*.py")}
    printed, code = run(project, "--limit", "3")
    number, killed, timed_out, survived, explained = row(printed)
    assert code == 1 and killed + timed_out + survived == number and timed_out >= 1 and explained == 0
    assert SAME.format("") in printed
    assert r'new = "def larger(a: \"int | None\", b: int = -1) -> int:"' in printed
    assert re.search(r'SURVIVES \(no test comes there\) \w+  metrics/__init__.py:20\n(.*\n){5}new = "return 9"', printed)
    assert {path: path.read_bytes() for path in project.rglob("*.py")} == before


def test_a_survivor_may_be_explained(project):
    found = {mutant.new: mutant.id for mutant in mutants.Module(project, project / "metrics" / "__init__.py").mutants.values()}
    same, smaller = found["return a if a >= b else b"], found["return a if a <= b else b"]
    notes = project / "tools" / "mutants.toml"
    notes.write_text(SAME.format("Of two equal numbers either is the larger."))
    printed, code = run(project, "--only", same)
    assert (code, row(printed)) == (0, [1, 0, 0, 0, 1]) and "SURVIVES" not in printed
    notes.write_text(SAME.replace(">=", "<=") + SAME.replace("larger", "smaller"))
    printed, code = run(project, "--only", smaller)
    assert code == 1 and "is of one that was killed: " in printed and "fits no mutant: ('__init__', 'smaller'" in printed


def test_of_this_project_the_tests_of_the_package_are_found():
    files = mutants.files_of_tests(ROOT)
    assert {"tests/test_contract.py", "tests/test_definitions.py", "tests/test_claims.py"} <= set(files)
    assert not {"tests/test_pages.py", "tests/test_lint.py", "tests/test_mutants.py", "tests/test_commands.py"} & set(files)
