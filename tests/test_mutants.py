"""The tool that breaks the package: what a test notices is killed, what none notices is named, what is explained passes."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tools import mutants

ROOT = Path(__file__).resolve().parent.parent
SOURCE = '''"""A package with one function; 1 < 2 in a docstring is left as it is."""

from functools import cache


@cache
def larger(a: "int | None", b: int = 0) -> int:
    """The larger of two."""
    return a if a > b else b


def count(items):
    found = 0
    for item in items:
        found += 1
    return found
'''
TESTS = '''import metrics


def test_larger():
    assert (metrics.larger(2, 1), metrics.larger(1, 2), metrics.larger(1)) == (2, 2, 1)


def test_count():
    assert metrics.count("ab") == 2
'''
HALF = '''def half(n):
    """A doctest alone notices what is changed here.

    >>> half(4)
    2
    """
    return n // 2
'''
SETTINGS = '''[tool.pytest.ini_options]
addopts = "--import-mode=importlib --doctest-modules"
'''
SAME = '''
[[equivalent]]
module = "__init__"
function = "larger"
old = "return a if a > b else b"
new = "return a if a >= b else b"
why = "Of two equal numbers either is the larger."
'''


@pytest.fixture
def project(tmp_path):
    for name, text in {"metrics/__init__.py": SOURCE, "metrics/half.py": HALF, "tests/test_it.py": TESTS, "pyproject.toml": SETTINGS}.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
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


def test_a_survivor_is_named_and_may_be_explained(project):
    before = {path: path.read_bytes() for path in project.rglob("*.py")}
    printed, code = run(project)
    number, killed, timed_out, survived, explained = row(printed)
    assert (code, survived, timed_out, explained) == (1, 3, 0, 0) and killed == number - 3
    assert "    - return a if a > b else b\n    + return a if a >= b else b\n" in printed
    assert "    + def larger(a: \"int | None\", b: int = -1) -> int:\n" in printed
    assert {path: path.read_bytes() for path in project.rglob("*.py")} == before

    (project / "tools").mkdir()
    [name] = re.findall(r"SURVIVES (\w+) .*\n.*\n    \+ return a if a >= b else b\n", printed)
    assert run(project, "--only", name, "--explain", "Of two equal numbers either is the larger.") == ("", 0)
    assert (project / "tools" / "mutants.toml").read_text() == SAME
    (project / "tests" / "test_it.py").write_text(TESTS + "    assert metrics.larger(-1) == 0\n")
    printed, code = run(project)
    assert (code, row(printed)) == (0, [number, number - 1, 0, 0, 1]) and "SURVIVES" not in printed

    (project / "tools" / "mutants.toml").write_text(SAME + SAME.replace(">=", "<=") + SAME.replace("larger", "smaller"))
    printed, code = run(project)
    assert code == 1 and "is of one that was killed: " in printed and "fits no mutant: ('__init__', 'smaller'" in printed


def test_an_endless_loop_is_ended_and_a_block_without_a_test_is_told(project):
    (project / "metrics" / "__init__.py").write_text("def down(n):\n    while n > 0:\n        n -= 1\n    if n < 0:\n        return 8\n")
    (project / "tests" / "test_it.py").write_text("import metrics\n\n\ndef test_down():\n    assert metrics.down(3) is None\n")
    printed, code = run(project)
    assert code == 1 and row(printed)[2] >= 1
    assert "    - return 8\n    + return 9\n    (no test comes there)\n" in printed


def test_nothing_is_said_of_mutants_if_the_tests_fail_anyway(project):
    (project / "tests" / "test_it.py").write_text(TESTS + "    assert metrics.count([]) == 1\n")
    printed, code = run(project)
    assert code == 1 and "tests/test_it.py fails on the package as it is" in printed and "SURVIVES" not in printed


def test_docstrings_annotations_and_decorators_stay(project):
    found = mutants.Module(project, project / "metrics" / "__init__.py").mutants.values()
    assert {mutant.function for mutant in found} == {"larger", "count"}
    assert not [mutant for mutant in found if "|" in mutant.text or '"""' in mutant.old]


def test_the_tests_of_the_package_are_found():
    files = mutants.files_of_tests(ROOT)
    assert {"tests/test_contract.py", "tests/test_definitions.py", "tests/test_claims.py"} <= set(files)
    assert not {"tests/test_pages.py", "tests/test_lint.py", "tests/test_mutants.py", "tests/test_commands.py"} & set(files)


def test_every_module_has_mutants_and_there_are_enough():
    modules = [mutants.Module(ROOT, path) for path in (ROOT / "metrics").rglob("*.py")]
    assert sum(min(len(module.mutants), mutants.EACH) for module in modules) >= 600
