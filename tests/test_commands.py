"""The commands: those of the Makefile, those that the texts tell the reader to type, and the installed package."""

import doctest
import importlib.metadata
import os
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tools import first_cell

ROOT = Path(__file__).resolve().parent.parent
CLEAN = {key: value for key, value in os.environ.items() if key not in ("MAKEFLAGS", "MAKELEVEL", "MFLAGS", "MAKE_TERMOUT")}
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")
TEXTS = [ROOT / "README.md", ROOT / "CONTRIBUTING.md"]


def make(*arguments, folder=ROOT, **environment):
    """What `make` with these arguments does; never one `make` inside another's settings."""
    return subprocess.run(["make", *arguments], cwd=folder, env=CLEAN | environment, capture_output=True, text=True)


# ---- The list of targets -------------------------------------------------------------------------------

PHONY = set(re.search(r"^\.PHONY: (.*)$", MAKEFILE, re.MULTILINE)[1].split()) - {"FORCE"}
VARIABLES = set(re.findall(r"^(\w+) \?=", MAKEFILE, re.MULTILINE)) | {"ONLY", "UPGRADE"}


def test_make_alone_lists_every_target_on_one_line():
    lines = make().stdout.splitlines()
    assert all(re.fullmatch(r"make [a-z-]+ +\S.*", line) for line in lines)
    assert sorted(line.split()[1] for line in lines) == sorted(PHONY)


# ---- A project of stubs: what the Makefile does, without doing it ----------------------------------------

PYTHON_STUB = """#!/bin/sh
echo "$*" >> commands.log
case "$*" in *"$FAIL"*) exit 1;; esac
case "$*" in *"$SAVE"*) sleep 0.05; echo more >> book/page.ipynb; sleep 0.05;; esac
case "$*" in *jupyter-book*) mkdir -p _build/html; echo page > _build/html/index.html;; esac
"""


STEPS = {  # what a command holds -> the step that it is; the first that fits
    "matplotlib": "fonts", "pip install": "install", "jupyter-book": "build",
    "simpler_processor": "simpler", "tests.benchmark": "bench", "ask_libraries": "ask", "ask_ties": "ask", "--nbval": "notebooks", "pytest": "tests",
}


@pytest.fixture
def stubs(tmp_path):
    """A folder, with a blank in its name, in which .venv/bin/python only writes down what it is asked for."""
    folder = tmp_path / "a clone"
    for name in ("book/page.ipynb", "book/other.md", "metrics/__init__.py", "tests/test_x.py", "requirements.txt",
                 "pyproject.toml", "_config.yml", "_toc.yml", "README.md"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("text\n")
    shutil.copy(ROOT / "Makefile", folder)
    python = folder / ".venv/bin/python"
    python.parent.mkdir(parents=True)
    python.write_text(PYTHON_STUB)
    python.chmod(0o755)
    return folder


def commands(folder, *arguments, fail="no such command", save="no such command"):
    """The exit code and output of make, and the steps that it took."""
    log = folder / "commands.log"
    log.write_text("")
    done = make(*arguments, folder=folder, FAIL=fail, SAVE=save)
    took = [next(step for mark, step in STEPS.items() if mark in line) for line in log.read_text().splitlines()]
    return done, [step for step in took if step != "fonts"]


def later(path):
    """Write to the file so that it is newer than everything that was made."""
    path.write_text(path.read_text() + "more\n" if path.exists() else "new\n")
    newest = max(file.stat().st_mtime for file in path.parents[1].rglob("*") if file.is_file())
    os.utime(path, (newest + 1, newest + 1))


def test_make_book_installs_builds_and_repeats_nothing(stubs):
    done, took = commands(stubs, "book")
    assert (done.returncode, took) == (0, ["install", "install", "build"]), done.stderr
    again, took = commands(stubs, "book")
    assert (again.returncode, took) == (0, [])
    assert again.stdout.strip() == done.stdout.strip().splitlines()[-1]
    assert "_build/html/index.html" in again.stdout


def test_make_test_does_everything_once(stubs):
    done, took = commands(stubs, "test")
    assert (done.returncode, took) == (0, ["install", "install", "build", "tests", "notebooks", "simpler"]), done.stderr
    assert done.stdout.splitlines()[-1] == "All tests passed."
    again, took = commands(stubs, "test")
    assert (again.returncode, took) == (0, [])
    assert again.stdout.startswith("Nothing has changed since all tests passed") and "make -B test" in again.stdout
    forced, took = commands(stubs, "-B", "test")
    assert took[-3:] == ["tests", "notebooks", "simpler"] and forced.stdout.splitlines()[-1] == "All tests passed."


@pytest.mark.parametrize("change, expected", [
    ("book/page.ipynb", ["build", "tests", "notebooks", "simpler"]),
    ("metrics/__init__.py", ["build", "tests", "notebooks", "simpler"]),
    ("book/new.md", ["build", "tests", "notebooks", "simpler"]),
    ("tests/test_x.py", ["tests", "notebooks", "simpler"]),
    ("tests/test_new.py", ["tests", "notebooks", "simpler"]),
])
def test_a_change_repeats_the_work_that_depends_on_it(stubs, change, expected):
    commands(stubs, "test")
    later(stubs / change)
    assert commands(stubs, "test")[1] == expected


@pytest.mark.parametrize("step", ["jupyter-book", "simpler_processor"])
def test_a_page_saved_while_a_step_runs_is_a_change(stubs, step):
    commands(stubs, "test", save=step)
    assert commands(stubs, "test")[1] == ["build", "tests", "notebooks", "simpler"]


def test_a_deleted_page_is_a_change(stubs):
    commands(stubs, "test")
    (stubs / "book/other.md").unlink()
    assert commands(stubs, "book")[1] == ["build"]


@pytest.mark.parametrize("fail", ["-r requirements.txt", "-e .", "jupyter-book", "-m pytest -n 2", "--nbval", "simpler_processor"])
def test_a_step_that_fails_fails_make_and_is_tried_again(stubs, fail):
    done, took = commands(stubs, "test", fail=fail)
    assert done.returncode != 0 and "All tests passed" not in done.stdout
    again, took_again = commands(stubs, "test", fail=fail)
    assert again.returncode != 0 and took_again[-1] == took[-1]
    assert commands(stubs, "test")[0].returncode == 0


def test_an_environment_made_elsewhere_is_installed_again(stubs):
    commands(stubs, "book")
    moved = stubs.rename(stubs.with_name("moved"))
    assert commands(moved, "book")[1][:2] == ["install", "install"]


def test_make_bench_installs_once_and_touches_nothing_else(stubs):
    python = stubs / "_build/bench/bin/python"
    python.parent.mkdir(parents=True)
    shutil.copy(stubs / ".venv/bin/python", python)
    assert commands(stubs, "bench")[1] == ["install", "bench"]
    assert commands(stubs, "bench")[1] == ["bench"]
    assert commands(stubs, "bench", fail="tests.benchmark")[0].returncode != 0


def test_make_ask_installs_once_and_touches_nothing_else(stubs):
    python = stubs / "_build/wild/bin/python"
    python.parent.mkdir(parents=True)
    shutil.copy(stubs / ".venv/bin/python", python)
    apart = re.search(r"^BESIDE := (.*)$", MAKEFILE, re.MULTILINE)[1].split()
    assert commands(stubs, "ask", fail="ml_metrics")[1] == ["install"] * (len(apart) + 3) + ["ask", "ask"]
    assert commands(stubs, "ask")[1] == ["ask", "ask"]
    for script in ("ask_libraries", "ask_ties"):
        done, steps = commands(stubs, "ask", fail=f"{script}.py --check")
        assert done.returncode != 0 and steps == ["ask", "ask"]


@pytest.mark.parametrize("script, message", [
    ("#!/bin/sh\ncase \"$1\" in --version) echo Python 3.9.2;; *) exit 1;; esac\n", "is Python 3.9.2"),
    (None, "is missing"),
])
def test_an_old_or_missing_python_is_named_with_what_is_needed(stubs, script, message):
    python = stubs / "python-of-the-test"
    if script:
        python.write_text(script)
        python.chmod(0o755)
    done, took = commands(stubs, "book", "PYTHON=./python-of-the-test")
    assert done.returncode != 0 and took == []
    assert "Python 3.11 or later" in done.stderr and message in done.stderr and "make book PYTHON=" in done.stderr


# ---- What the texts tell the reader to type --------------------------------------------------------------


def fenced(path, *languages):
    """The lines of the fenced blocks of these languages in a Markdown file."""
    blocks = re.findall(rf"^```(?:{'|'.join(languages)})\n(.*?)^```", path.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    return [line for block in blocks for line in block.splitlines()]


def typed(path):
    """The commands in the shell blocks of a Markdown file, without comments."""
    lines = (line.split("  #")[0].strip().removeprefix("$ ") for line in fenced(path, "bash", "sh", "shell", "console"))
    return [line for line in lines if line and not line.startswith("#")]


def known_command(line):
    """Whether a command is one that works here: a target of the Makefile, or a step on the way to it."""
    words = line.split()
    if words[0] == "make":
        return all(word in PHONY | {"-B"} or word.split("=")[0] in VARIABLES for word in words[1:])
    if words[:2] == [".venv/bin/python", "-m"] and words[2] == "pytest":
        return all((ROOT / word.split("::")[0]).exists() for word in words[3:] if not word.startswith("-"))
    if words[:2] == ["pip", "install"]:
        return words[2:] == ["."]
    return bool(re.fullmatch(r"git clone \S+( \S+)?|cd [\w-]+|source \.venv/bin/activate", line))


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.name)
def test_every_command_in_a_text_works(path):
    unknown = [line for line in typed(path) if not known_command(line)]
    assert not unknown, f"{path.name}: {unknown}"


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.name)
def test_every_target_in_a_sentence_exists(path):
    named = re.findall(r"`make ([a-z][a-z-]*)", path.read_text(encoding="utf-8"))
    assert set(named) <= PHONY, f"{path.name}: {set(named) - PHONY}"


def test_the_readme_gives_the_two_commands():
    assert {"make book", "make test"} <= set(typed(ROOT / "README.md"))


def test_the_python_of_the_readme_runs():
    result = doctest.testfile(str(ROOT / "README.md"), module_relative=False, encoding="utf-8")
    assert result.attempted and not result.failed


@pytest.mark.parametrize("line", ["make bok", "make book PYHTON=x", "pip install metrics-book", "./build.sh", "curl x | sh"])
def test_a_command_that_does_not_work_is_found(line):
    assert not known_command(line)


def test_the_machine_runs_the_commands_of_the_readme():
    script = ROOT / ".ci/run"
    assert os.access(script, os.X_OK)
    lines = [line.strip() for line in script.read_text().splitlines()]
    assert "set -euo pipefail" in lines
    install = next(number for number, line in enumerate(lines) if "apt-get install" in line and "chromium" in line)
    assert lines.index("make test") < install < lines.index("make browser-test")
    assert subprocess.run(["bash", "-n", script]).returncode == 0


# ---- The environment and the package ---------------------------------------------------------------------

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
LINES = [line for line in (ROOT / "requirements.txt").read_text(encoding="utf-8").splitlines() if not line.strip().startswith("#")]
PINS = {canonicalize_name(Requirement(line).name): Requirement(line) for line in LINES if not line.startswith("-")}


def here(requirement, extra=""):
    return requirement.marker is None or requirement.marker.evaluate({"extra": extra})


def test_every_line_of_the_requirements_is_one_exact_version():
    loose = [line for line in LINES if not re.fullmatch(r"[A-Za-z0-9._-]+==[A-Za-z0-9.!+]+( ; .+)?", line)]
    assert not loose and len(PINS) == len(LINES)


def test_the_requirements_name_no_server_and_no_path():
    text = (ROOT / "requirements.txt").read_text(encoding="utf-8")
    assert not re.findall(r"(?m)^\s*-.*$|\w+://\S*|(?<!\w)/\w+/\S*", text)


EXTRAS = PROJECT["optional-dependencies"]
APART = {"bench", "surveys"}  # each in an environment of its own, not in requirements.txt


def test_the_pins_satisfy_the_ranges():
    ranges = PROJECT["dependencies"] + sum((needs for extra, needs in EXTRAS.items() if extra not in APART), [])
    for requirement in map(Requirement, ranges):
        if requirement.name == PROJECT["name"]:  # an extra that takes in another
            assert requirement.extras < EXTRAS.keys()
            continue
        [pin] = PINS[canonicalize_name(requirement.name)].specifier
        assert requirement.specifier.contains(pin.version, prereleases=True), f"{requirement} but {pin}"


def test_what_has_an_environment_of_its_own_stays_out_of_the_requirements():
    assert set(re.search(r"^EXTRAS := (.*)$", MAKEFILE, re.MULTILINE)[1].split()) == EXTRAS.keys() - APART - {"run"}  # part of `book`
    assert not {"numba", "ranx", "torch", "ragas", "haystack-ai"} & PINS.keys()


@pytest.mark.parametrize("extra", sorted(APART))
def test_what_has_an_environment_of_its_own_fits_the_requirements(extra):
    for requirement in map(Requirement, EXTRAS[extra]):
        for pin in PINS[canonicalize_name(requirement.name)].specifier if canonicalize_name(requirement.name) in PINS else ():
            assert requirement.specifier.contains(pin.version), f"{requirement} but {pin}"


def test_the_environment_is_the_pinned_one_and_complete():
    """What is installed has the pinned version, and needs nothing that is not pinned."""
    for name, pin in PINS.items():
        if not here(pin):
            continue
        found = importlib.metadata.distribution(name)
        assert pin.specifier.contains(found.version, prereleases=True), f"{pin} but {found.version}"
        needs = [need for need in map(Requirement, found.requires or []) if here(need)]
        missing = [need.name for need in needs if canonicalize_name(need.name) not in PINS]
        assert not missing, f"{name} needs {missing}: make requirements"


def test_the_package_needs_numpy_alone():
    assert [Requirement(line).name for line in PROJECT["dependencies"]] == ["numpy"]


def test_the_wheel_holds_the_package_its_types_its_data_and_its_description(tmp_path):
    subprocess.run([sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "--no-index",
                    "--wheel-dir", tmp_path, ROOT], check=True, env=CLEAN)
    [wheel] = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        about = archive.read(next(name for name in names if name.endswith("/METADATA"))).decode()
    modules = {path.relative_to(ROOT).as_posix() for path in (ROOT / "metrics").rglob("*.py")}
    files = {f"metrics/data/{path.name}" for path in (ROOT / "book" / "data").iterdir()}
    assert wheel.name == first_cell.wheel_name()
    assert modules | files | {"metrics/py.typed"} == {name for name in names if ".dist-info/" not in name}
    assert any(name.endswith("/LICENSE") for name in names)
    for line in (f"Version: {PROJECT['version']}", "License-Expression: MIT", f"Summary: {PROJECT['description']}",
                 "Requires-Python: >=3.11"):
        assert line in about.splitlines(), line


def test_the_versions_agree():
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f"version: {PROJECT['version']}\n" in citation
    import metrics

    assert metrics.__version__ == PROJECT["version"]
