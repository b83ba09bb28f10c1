"""The commands: what `make` and `python -m tools` do, those that the texts tell the reader to type, and the installed package."""

import os
import re
import subprocess
import sys
import tomllib
import zipfile
from contextlib import nullcontext
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import metrics
from tools import __main__ as tools, first_cell

ROOT = Path(__file__).resolve().parent.parent
CLEAN = {key: value for key, value in os.environ.items() if key not in ("MAKEFLAGS", "MAKELEVEL", "MFLAGS", "MAKE_TERMOUT")}
PHONY = re.search(r"^\.PHONY: (.*)$", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)[1].split()


# ---- What is typed ---------------------------------------------------------------------------------------


def test_make_knows_the_commands_and_lists_them():
    assert PHONY == list(tools.COMMANDS)
    by_make, directly = (subprocess.run(command, cwd=ROOT, env=CLEAN, capture_output=True, text=True).stdout
                         for command in (["make", f"PYTHON={sys.executable}"], [sys.executable, "-m", "tools"]))
    assert re.findall(r"(?m)^  ([a-z-]+) +\S", by_make) == PHONY and by_make == directly


@pytest.mark.parametrize("words, message", [
    (["bok"], "There is no command 'bok'. The commands are: help, book"),
    (["lint", "WORKERS=4"], "'lint' takes ONLY=value, not 'WORKERS=4'"),
    (["notebooks", "ONLY=book/gone.ipynb cover"], "There is no book/gone.ipynb, cover. ONLY takes a path"),
])
def test_what_is_mistyped_is_named_with_what_is_expected(words, message):
    done = subprocess.run(["make", f"PYTHON={sys.executable}", *words], cwd=ROOT, env=CLEAN, capture_output=True, text=True)
    assert done.returncode and message in done.stderr


# ---- What the commands do, in a folder of the test -----------------------------------------------------------


@pytest.fixture
def steps(tmp_path, monkeypatch):
    """A clone with a blank in its name, in which each step only says its name. What is in `steps.fail` fails."""
    folder = tmp_path / "a clone"
    for name in ("book/page.ipynb", "metrics/__init__.py", "requirements.txt", "pyproject.toml", "_config.yml", "_toc.yml", "README.md", "LICENSE"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("text\n")
    steps = Steps()
    steps.folder = folder
    monkeypatch.setattr(tools.subprocess, "run", steps.run)
    for name, path in {"ROOT": "", "VENV": ".venv", "BUILD": "_build", "HTML": "_build/html", "BUILT": "_build/.built",
                       "LAB": "my-notebooks"}.items():
        monkeypatch.setattr(tools, name, folder / path)
    return steps


class Steps(list):
    """A runner of commands that only notes what each of them is."""

    KINDS = {"venv": "make", "install": "install", "font_manager": "fonts", "jupyter_book": "build", "-m elsewhere": "elsewhere",
             "--nbval": "notebooks", "pytest": "tests", "trust": "sign", "jupyterlab": "lab"}  # fmt: skip
    fail = "no step"

    def run(self, command, cwd, env):
        assert cwd == self.folder and env["PYTHONUTF8"] == "1" and "PYTHONHASHSEED" not in env
        line = " ".join(command[1:])
        self.append(next(kind for mark, kind in self.KINDS.items() if mark in line.replace(str(self.folder), "")))
        if self[-1] == "make":
            python = tools.python_of(Path(command[-1]))
            python.parent.mkdir(parents=True)
            python.touch()
        if self[-1] == "build":
            tools.HTML.mkdir(parents=True)
            (tools.HTML / "index.html").touch()
        return subprocess.CompletedProcess(command, 7 * (self.fail in line))

    def of(self, *words, code=0):
        """The steps that a command takes."""
        self.clear()
        with pytest.raises(SystemExit, match=f"^{code}$") if code else nullcontext():
            tools.main(list(words))
        return list(self)


INSTALL = ["make", "install", "install", "fonts"]


def test_the_environment_is_installed_once(steps):
    assert steps.of("test") == INSTALL + ["build", "tests", "notebooks"] and tools.is_built()
    assert steps.of("test") == ["tests", "notebooks"] and steps.of("test-elsewhere") == ["elsewhere"]
    (steps.folder / "requirements.txt").write_text("more\n")
    assert steps.of("book") == INSTALL[1:] + ["build"]


@pytest.mark.parametrize("fail", ["-e .", "jupyter_book", "-m pytest -n 2", "--nbval"])
def test_a_step_that_fails_ends_the_command_and_is_tried_again(steps, capsys, fail):
    steps.fail = fail
    first = steps.of("test", code=7)
    output = capsys.readouterr()
    assert output.err.startswith("Stopped: this step failed with exit code 7: ") and "All tests passed" not in output.out
    assert steps.of("test", code=7)[-1] == first[-1]


def test_what_a_reader_saves_in_jupyterlab_stays_and_the_rest_is_that_of_today(steps, capsys):
    plain = tools.BUILD / "notebooks" / "book"
    steps.of("book")
    plain.mkdir(parents=True)
    for day in ("first", "second"):
        for name in ("run.ipynb", "read.ipynb"):
            (plain / name).write_text(day)
        assert steps.of("lab") == ["sign", "lab"]
        if day == "first":
            (tools.LAB / "run.ipynb").write_text("mine")
    assert [(tools.LAB / name).read_text() for name in ("run.ipynb", "read.ipynb")] == ["mine", "second"]
    assert "my-notebooks/run.ipynb stays as you saved it" in capsys.readouterr().out.replace("\\", "/")
    steps.of("clean")
    assert (tools.LAB / "run.ipynb").read_text() == "mine" and steps.of("lab", "SOURCE=1")[-2:] == ["sign", "lab"]


def test_wheels_come_from_an_address_or_a_path(monkeypatch, tmp_path):
    asked, wheel = [], tmp_path / "numpy.whl"
    wheel.touch()
    monkeypatch.setattr(tools, "installed", lambda: "python")
    monkeypatch.setattr(tools, "run", lambda step, *command: asked.append(command[-1]))
    monkeypatch.setattr(tools, "BUILT", tmp_path / "built")
    for given in ("WHEELS_URL=https://there.example/", f"WHEELS={wheel}", f"WHEELS={tmp_path}"):
        tools.main(["wheels", given])
    assert asked == ["https://there.example/", tmp_path.as_uri(), tmp_path.as_uri()]
    with pytest.raises(SystemExit, match="There is no .*gone. WHEELS takes the path"):
        tools.main(["wheels", f"WHEELS={tmp_path / 'gone'}"])


@pytest.mark.parametrize("command, missing", [("browser-test", "apt-get install chromium"), ("book", "it has no ensurepip")])
def test_what_is_missing_is_named(steps, monkeypatch, command, missing):
    monkeypatch.setattr(tools.shutil, "which", lambda name: None)
    monkeypatch.setitem(sys.modules, "ensurepip", None)
    with pytest.raises(SystemExit, match=missing):
        tools.main([command])
    assert steps == []


# ---- What the texts tell the reader to type --------------------------------------------------------------


@pytest.mark.parametrize("name", ["README.md", "CONTRIBUTING.md"])
def test_every_command_in_a_text_works(name):
    text = (ROOT / name).read_text(encoding="utf-8")
    shell = "\n".join(re.findall(r"(?ms)^```(?:bash|sh|shell)\n(.*?)^```", text) + re.findall(r"(?m)^\$ (.*)$", text))
    ours = re.compile(r"(?m)(?:^|`)(?:make|python3? -m tools|py -m tools) ([a-z-]+)((?: [A-Z]+=\S+)*)")
    for command, options in ours.findall(text):
        assert command in tools.COMMANDS and set(re.findall(r"([A-Z]+)=", options)) <= tools.options_of(tools.COMMANDS[command]).keys(), command
    others = [line for line in re.sub(r"#.*", "", ours.sub("", shell)).splitlines() if line.strip()]
    assert all(line == "pip install ." or line.startswith("python -m metrics ") for line in others), others
    assert all((ROOT / file).exists() for line in others for file in line.split()[3:])


# ---- The environment and the package ---------------------------------------------------------------------

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
LINES = [line for line in (ROOT / "requirements.txt").read_text(encoding="utf-8").splitlines() if not line.strip().startswith("#")]
PINS = {canonicalize_name(Requirement(line).name): Requirement(line) for line in LINES if not line.startswith("-")}


def test_every_line_of_the_requirements_is_one_exact_version_and_none_names_a_server_or_path():
    loose = [line for line in LINES if not re.fullmatch(r"[A-Za-z0-9._-]+==[A-Za-z0-9.!+]+( ; .+)?", line)]
    assert not loose and len(PINS) == len(LINES)
    assert not re.findall(r"\w+://\S*|(?<!\w)/\w+/\S*", (ROOT / "requirements.txt").read_text(encoding="utf-8"))


def test_what_readers_are_told_to_install_is_a_path_or_pinned():
    """A name that no index has could be taken by anybody."""
    sources = [path for folder in ("metrics", "tools", "book") for path in (ROOT / folder).rglob("*.*") if path.suffix in (".py", ".md", ".ipynb")]
    for path in (*sources, *ROOT.glob("*.md")):
        for target in re.findall(r"pip install (?:-\S+ )*[\"'\\]*([^\s\"'`\\]+)", path.read_text(encoding="utf-8")):
            known = target.startswith(".") or canonicalize_name(re.split(r"[\[=<>]", target)[0]) in PINS
            assert known, f"{path.relative_to(ROOT)} says pip install {target}"


def test_the_environment_is_the_pinned_one_and_satisfies_the_ranges():
    """Nothing is left to install: neither of the pins, nor of what pyproject.toml asks for."""
    extras = ",".join(tools.EXTRAS)
    done = subprocess.run([sys.executable, "-m", "pip", "install", "--dry-run", "--no-index", "--no-build-isolation", "--quiet",
                           "-r", "requirements.txt", "-e", f".[{extras}]"], cwd=ROOT, env=CLEAN, capture_output=True, text=True)
    assert done.returncode == 0, f"make requirements\n{done.stderr}"


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
    assert modules | files | {"metrics/py.typed", "metrics/__init__.pyi"} == {name for name in names if ".dist-info/" not in name}
    assert any(name.endswith("/LICENSE") for name in names)
    for line in (f"Version: {PROJECT['version']}", "License-Expression: MIT", f"Summary: {PROJECT['description']}",
                 "Requires-Python: >=3.11"):
        assert line in about.splitlines(), line


def test_the_installed_command_is_that_of_the_package_and_of_the_page(capsys):
    [(command, target)] = PROJECT["scripts"].items()
    assert EntryPoint(command, target, "console_scripts").load()(["--explain", "AP"]) == 0 and "average precision" in capsys.readouterr().out.lower()
    assert f"`{command} " in (ROOT / "book" / "your-runs.md").read_text(encoding="utf-8")


def test_the_versions_agree():
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert str(citation["version"]) == metrics.__version__ == PROJECT["version"]
