"""The tool that breaks the package: what a test notices is killed, what none notices is named, what is explained passes."""

import re
import subprocess
import sys
from pathlib import Path

from tools import mutants

ROOT = Path(__file__).resolve().parent.parent
SOURCE = '''
def larger(a, b=0):
    return a if a > b else b


def down(n):
    while n > 0:
        n -= 1
    if n < 0:
        return 8
'''
TESTS = """import metrics


def test_both():
    assert (metrics.larger(1, 2), metrics.larger(2, 1), metrics.down(3)) == (2, 2, None)
"""
SAME = """
[[equivalent]]
module = "__init__"
function = "larger"
old = "return a if a > b else b"
new = "return a if a >= b else b"
why = "{}"
"""


def test_what_survives_is_named_or_explained_and_what_does_not_end_is_ended(tmp_path):
    explained = SAME.format("Of two equal numbers either is the larger.") + SAME.replace(">=", "<=") + SAME.replace("larger", "x")
    files = {"metrics/__init__.py": SOURCE, "tests/test_it.py": TESTS, "tools/mutants.toml": explained,
             "pyproject.toml": '[tool.pytest.ini_options]\naddopts = "--import-mode=importlib --doctest-modules"\n'}
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    command = [sys.executable, "-m", "tools.mutants", "--root", str(tmp_path), "--workers", "2", "--limit", "3"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300)
    number, killed, timed_out, survived, explained = (int(number) for number in re.search(r"(?m)^all (.*)", done.stdout)[1].split())
    assert done.returncode == 1 and killed + timed_out + survived + explained == number and timed_out >= 1 and explained == 1
    assert SAME.format("") not in done.stdout and "is of one that was killed: " in done.stdout and "fits no mutant: ('__init__', 'x'" in done.stdout
    assert re.search(r'SURVIVES \(no test comes there\) \w+  metrics/__init__.py:10\n(.*\n){5}new = "return 9"', done.stdout)
    assert all((tmp_path / name).read_text() == text for name, text in files.items())


def test_of_this_project_the_tests_of_the_package_are_found():
    files = mutants.files_of_tests(ROOT)
    assert {"tests/test_contract.py", "tests/test_definitions.py", "tests/test_claims.py"} <= set(files)
    assert not {"tests/test_pages.py", "tests/test_lint.py", "tests/test_mutants.py", "tests/test_commands.py"} & set(files)
