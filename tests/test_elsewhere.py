"""A chapter runs wherever it is opened: the archive of the built book is unpacked into an empty folder, and run in new environments.
So does what the README shows, with what it says to install. And the core of the package gives the same values with other NumPys.

    .venv/bin/python -m pytest -m elsewhere tests/test_elsewhere.py      what `make test-elsewhere` runs: three chapters
    .venv/bin/python -m pytest -m everywhere tests/test_elsewhere.py     what CHAPTERS=all adds: all, also with the versions of Google Colab

Both ask the package index, so they stay out of a run of all tests. The tests compare what is printed there with what
is stored; with other versions outputs may differ, but every cell runs to its end, and every claim that is made passes.
"""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import nbformat
import numpy as np
import pytest
from nbclient import NotebookClient

from tools.__main__ import python_of

ROOT = Path(__file__).resolve().parent.parent
ARCHIVE = ROOT / "_build" / "html" / "download" / "chapters.zip"
COLAB = {"numpy": "2.0.2", "sympy": "1.13.1", "ipykernel": "6.17.1", "ipython": "7.34.0", "matplotlib": "3.10.0"}
SOME = ["averaging", "discounted-gain"]  # and the cover: with both libraries to compare with, the data, SymPy, and a claim that is left out
CLEAN = {key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "PYTHONHOME") and not key.startswith("PYTEST_")}


class Elsewhere:
    """A folder with the unpacked chapters, and an environment of its own beside it."""

    def __init__(self, place, *install):
        assert ARCHIVE.exists(), f"{ARCHIVE} is missing: make book"
        with ZipFile(ARCHIVE) as archive:
            archive.extractall(place)
        self.folder, self.kernels = place / "chapters", place / "jupyter"
        [self.wheel] = self.folder.glob("*.whl")
        subprocess.run([sys.executable, "-m", "venv", place / "env"], check=True, env=CLEAN)
        self.python = python_of(place / "env")
        self.pip("install", "--quiet", "--no-compile", *(text.format(wheel=self.wheel.name) for text in install))
        start = {"argv": [str(self.python), "-m", "ipykernel_launcher", "-f", "{connection_file}"], "env": {"PYTHONPATH": ""},
                 "display_name": "elsewhere", "language": "python"}  # fmt: skip
        (self.kernels / "kernels" / "elsewhere").mkdir(parents=True)
        (self.kernels / "kernels" / "elsewhere" / "kernel.json").write_text(json.dumps(start))

    def pip(self, *words):
        """What pip prints here."""
        words = [self.python, "-m", "pip", "--disable-pip-version-check", *words]
        return subprocess.run(words, cwd=self.folder, env=CLEAN, check=True, capture_output=True, text=True).stdout

    def nbval(self, names, *options):
        """Run notebooks with nbval, as many at once as there are processors; the text of the failures."""
        command = [sys.executable, "-m", "pytest", "-q", "-c", ROOT / "pyproject.toml", "--rootdir", self.folder, "-n", "auto", "--dist", "loadfile",
                   "-p", "tools.kernel_files", "--nbval-kernel-name", "elsewhere", *options, *(self.folder / f"{name}.ipynb" for name in names)]  # fmt: skip
        environment = CLEAN | {"JUPYTER_PATH": str(self.kernels), "PYTHONPATH": str(ROOT)}
        done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
        return "" if done.returncode == 0 else done.stdout + done.stderr


def names():
    with ZipFile(ARCHIVE) as archive:
        return [Path(name).stem for name in archive.namelist() if name.endswith(".ipynb")]


@pytest.fixture(scope="module")
def pinned(tmp_path_factory):
    """A place with the versions that the book was built with."""
    return Elsewhere(tmp_path_factory.mktemp("pinned"), "./{wheel}[run,dask]", "scikit-learn", "pytrec-eval-terrier", "-c", "versions.txt")


@pytest.mark.parametrize("chosen, options", [
    pytest.param(lambda: ["cover", *SOME], [], marks=pytest.mark.elsewhere), pytest.param(names, ["-p", "tools.plain_processor"], marks=pytest.mark.everywhere),
])  # fmt: skip
def test_chapters_print_what_is_stored(pinned, chosen, options):
    failures = pinned.nbval(chosen(), "--nbval", *options)
    assert not failures, failures


@pytest.fixture(scope="module")
def colab(tmp_path_factory):
    """A place with the versions of Google Colab, where a first chapter has been run: its first cell installed the package."""
    if sys.version_info >= (3, 13):
        pytest.skip("the versions of Google Colab are for Python 3.12")
    here = Elsewhere(tmp_path_factory.mktemp("colab"), *(f"{name}=={version}" for name, version in COLAB.items()))
    cover = nbformat.read(here.folder / "cover.ipynb", as_version=4)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("JUPYTER_PATH", str(here.kernels))
        where = {"metadata": {"path": str(here.folder)}}
        NotebookClient(cover, kernel_name="elsewhere", resources=where, allow_errors=True).execute()
    return here


@pytest.mark.everywhere
def test_the_first_cell_installs_the_package_and_changes_nothing_else(colab):
    there = {entry["name"].lower(): entry["version"] for entry in json.loads(colab.pip("list", "--format=json"))}
    assert {name: there.get(name) for name in COLAB} == COLAB
    assert "precision-recall-and-all-that" in there and not {"scikit-learn", "pytrec-eval-terrier", "jupyter-book"} & there.keys()


@pytest.mark.everywhere
def test_every_notebook_runs_with_the_versions_of_colab(colab):
    failures = colab.nbval(names(), "--nbval-lax")
    assert not failures, failures


# ---- The README ----------------------------------------------------------------------------------------

README = ROOT / "README.md"
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```", README.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
NOT_HERE = ("make", "py -m tools")  # the commands that make .venv and run this test; test_commands.py looks at them


@pytest.fixture(scope="module")
def reader(tmp_path_factory):
    """The Python of a reader who has the README and the data of the book, and has installed what the README says, as it says."""
    place = tmp_path_factory.mktemp("reader")
    shutil.copy(README, place)
    shutil.copytree(ROOT / "book" / "data", place / "book" / "data")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", place / "env"], check=True, env=CLEAN)
    into = [sys.executable, "-m", "pip", "--python", python_of(place / "env"), "--disable-pip-version-check"]
    commands = [line for kind, text in BLOCKS for line in text.splitlines() if kind == "bash" and not line.startswith(NOT_HERE)]
    for command in commands:
        pip, *words = shlex.split(command)
        assert pip == "pip"
        subprocess.run([*into, *words, "--quiet", "--no-compile"], cwd=ROOT, check=True, env=CLEAN)

    def python(*words):
        environment = {key: value for key, value in CLEAN.items() if key != "COLUMNS"}
        done = subprocess.run([python_of(place / "env"), *words], cwd=place, env=environment, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stderr + done.stdout

    installed = subprocess.run([*into, "list", "--format=json"], check=True, env=CLEAN, capture_output=True).stdout
    assert {entry["name"] for entry in json.loads(installed)} == {"numpy", "precision-recall-and-all-that"}
    return python


@pytest.mark.elsewhere
def test_the_python_of_the_readme_prints_what_it_shows(reader):
    assert {kind for kind, _ in BLOCKS} == {"bash", "python", "console"}
    reader("-X", "utf8", "-m", "doctest", "README.md")


@pytest.mark.elsewhere
def test_the_commands_of_the_readme_print_what_it_shows(reader):
    shown = "".join(text for kind, text in BLOCKS if kind == "console")
    for one in re.split(r"^\$ ", shown, flags=re.MULTILINE)[1:]:
        command, printed = one.split("\n", 1)
        python, *words = shlex.split(command)
        assert python == "python" and reader(*words) == printed
        for options in re.findall(r"`(-[^`]*)`", README.read_text(encoding="utf-8")):  # what the text names
            assert reader(*words, *shlex.split(options))


def pythons():
    """The folders of every Python that README promises and this machine has, by version: on the PATH, or of pyenv."""
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    folders = [*map(Path, os.environ["PATH"].split(os.pathsep)), *sorted(pyenv.glob("*/bin"))]
    found = {path.name[8:]: path.parent for folder in folders for path in sorted(folder.glob("python3.*"))}
    return {f"3.{minor}": folder for minor, folder in sorted(found.items()) if minor.isdigit() and int(minor) >= 11}


@pytest.mark.everywhere
@pytest.mark.parametrize("version", pythons())
def test_the_commands_of_the_readme_run_with_every_python_in_a_folder_of_any_name(version, tmp_path):
    names, clone = tmp_path / "names", tmp_path / "ein schöner Ort"
    names.mkdir()
    (names / "python3").write_text(f'#!/bin/sh\nexec "{pythons()[version]}/python{version}" "$@"\n')
    (names / "python3").chmod(0o755)
    subprocess.run(["git", "clone", "--quiet", ROOT, clone], check=True)
    environment = {key: value for key, value in CLEAN.items() if not key.startswith(("MAKE", "MFLAGS"))}
    commands = [line for kind, text in BLOCKS for line in text.splitlines() if kind == "bash" and line.startswith("make")]
    assert [command.split()[1] for command in commands] == ["book", "test"]
    for command in commands:
        done = subprocess.run(command, shell=True, cwd=clone, env=environment | {"PATH": f"{names}{os.pathsep}{os.environ['PATH']}"},
                              capture_output=True, text=True)  # fmt: skip
        assert done.returncode == 0, done.stdout[-20_000:] + done.stderr[-20_000:]


# ---- Other NumPys ---------------------------------------------------------------------------------------

CORE = ["metrics", *(f"tests/test_{name}.py" for name in ("definitions", "lookup", "ties", "measures", "command_line"))]
WANT_MORE = ["exact/proofs", "inputs/frames", "library/predictors", "ir_measures_provider", "plots", "predictors", "many"]  # other packages
NOT_HERE_EITHER = "not are_compared and not runs_as_a_program and not picture and not docx"  # with SciPy or Matplotlib, or by the path of Python
MIRROR = ["apt-get", "indextargets", "--format", "$(REPO_URI)"]
APT = """Dir "{0}"; Dir::State::status "{0}/status"; Dir::Etc::sourceparts "-"; APT::Architecture "i386"; APT::Architectures "i386";
APT::Install-Recommends "false"; """


def from_the_index(*versions):
    """A Python that has NumPy of this version, and what the tests need."""

    def python(place):
        subprocess.run([sys.executable, "-m", "venv", place / "env"], check=True, env=CLEAN)
        subprocess.run([python_of(place / "env"), "-m", "pip", "install", "--quiet", "--no-compile", "pytest", "hypothesis", *versions], check=True, env=CLEAN)
        return [python_of(place / "env")]

    return python


def of_32_bits(place):
    """Python and NumPy of Debian's next release for i386, from the mirror of this machine, unpacked into a folder: nothing is installed.

    `np.intp` has 32 bits there, as in the NumPy of the pages, which was built for Pyodide and is in no registry: that one is not run here.
    """
    if not all(map(shutil.which, ("apt-get", "dpkg-deb"))) or os.uname().machine != "x86_64":
        pytest.skip("only Debian for x86-64 unpacks and runs Debian's packages for i386")
    mirrors = [line for line in subprocess.run(MIRROR, capture_output=True, text=True).stdout.split() if line.endswith("/debian/")]
    if not mirrors:
        pytest.skip("apt knows no mirror of Debian")
    for name in ("state/lists/partial", "cache/archives/partial", "etc/apt.conf.d", "etc/preferences.d"):
        (place / "apt" / name).mkdir(parents=True)
    (place / "apt" / "status").touch()
    (place / "apt" / "etc" / "sources.list").write_text(f"deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] {mirrors[0]} trixie main\n")
    (place / "apt.conf").write_text(APT.format(place / "apt") + 'Dir::State "state"; Dir::Cache "cache"; Dir::Etc "etc";')
    wanted = ["install", "--yes", "--download-only", "python3-numpy", "python3-pytest", "python3-hypothesis"]
    for words in (["update"], wanted):
        subprocess.run(["apt-get", "-qq", *words], check=True, env=CLEAN | {"APT_CONFIG": str(place / "apt.conf")})
    root = place / "root"
    for package in (place / "apt" / "cache" / "archives").glob("*.deb"):
        subprocess.run(["dpkg-deb", "--extract", package, root], check=True)
    libraries = root / "usr" / "lib" / "i386-linux-gnu"
    [program] = (root / "usr" / "bin").glob("python3.[0-9]*[0-9]")
    path = ":".join(str(libraries / name) for name in ("", "blas", "lapack"))
    variables = ["env", f"PYTHONHOME={root / 'usr'}", f"PYTHONPATH={root / 'usr' / 'lib' / 'python3' / 'dist-packages'}:{ROOT}"]
    return [*variables, libraries / "ld-linux.so.2", "--library-path", path, program]


@pytest.mark.everywhere
@pytest.mark.parametrize("python_with", [from_the_index("numpy==1.26.0"), from_the_index("numpy>=2,<3", "--upgrade"), of_32_bits],
                         ids=["the oldest", "the newest", "32 bits"])
def test_the_core_has_the_same_values_with_every_numpy(python_with, tmp_path):
    def printed(python, *words):
        done = subprocess.run([*python, *words], cwd=ROOT, env=CLEAN | {"PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"},
                              capture_output=True, text=True)  # fmt: skip
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    python = python_with(tmp_path)
    tests = printed(python, "-m", "pytest", "-q", "-o", f"cache_dir={tmp_path}", "-W", "ignore::pytest.PytestConfigWarning", "-k", NOT_HERE_EITHER,
                    *(f"--ignore=metrics/{name}.py" for name in WANT_MORE), *CORE)  # fmt: skip
    assert int(re.search(r"(\d+) passed", tests)[1]) > 500 and "failed" not in tests
    here, there = (json.loads(printed(each, "tests/large_values.py", tmp_path)) for each in ([sys.executable], python))
    assert here.keys() == there.keys() and len(here) > 800
    for name, values in here.items():
        np.testing.assert_allclose(there[name], values, rtol=1e-12, atol=1e-15, err_msg=name)
