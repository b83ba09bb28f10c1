"""The commands of this project, which run on Linux, macOS and Windows:

    python -m tools                                          lists them
    python -m tools book                                     builds the book
    python -m tools notebooks ONLY=book/notation.ipynb       with a setting

With make, `make book` does the same. Only the standard library is used here, because this runs before anything is
installed. Everything made but not committed is in .venv and _build; what you save in JupyterLab is in my-notebooks.
"""

import filecmp
import hashlib
import inspect
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

from book._sphinx.paths import BUILD, HTML, NO_BROWSER, ROOT, chromium

VENV, BUILT = ROOT / ".venv", BUILD / ".built"
LAB = ROOT / "my-notebooks"  # what a reader runs and changes: `make clean` leaves it


# ---- The environment ---------------------------------------------------------------------------------


# These would change what is installed, or what a cell prints.
UNSET = """PYTHONPATH PYTHONHOME PYTHONHASHSEED NPY_DISABLE_CPU_FEATURES MPLBACKEND MATPLOTLIBRC JUPYTER_PATH
    PIP_USER PIP_TARGET PIP_PREFIX PIP_CONSTRAINT PIP_REQUIREMENT PIP_NO_DEPS PIP_DRY_RUN""".split()
SET = {"PYTHONUTF8": "1", "PYTHONNOUSERSITE": "1", "PIP_DISABLE_PIP_VERSION_CHECK": "1", "JUPYTER_PREFER_ENV_PATH": "1"}
INSIDE = ("IPYTHONDIR", "MPLCONFIGDIR", "IR_DATASETS_HOME")  # what is written down goes to the environment, not to your home


def run(step, *command, folder=VENV, **more):
    """Print the step, run its command from the root, and stop if it fails."""
    print(f"== {step}", flush=True)
    inside = {name: str(folder / f".{name.lower()}") for name in INSIDE}
    variables = {name: value for name, value in os.environ.items() if name not in UNSET} | SET | inside | more
    # Ctrl-C reaches the step as well; it ends as it likes, and its exit code says so.
    before = signal.signal(signal.SIGINT, lambda *_: None)
    try:
        code = subprocess.run([str(word) for word in command], cwd=ROOT, env=variables).returncode
    finally:
        signal.signal(signal.SIGINT, before)
    if code:
        print(f"Stopped: this step failed with exit code {code}: {step}", file=sys.stderr)
        sys.exit(code if 0 < code < 256 else 1)


def python_of(folder):
    """The interpreter of a virtual environment."""
    return folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def remove(path):
    """Remove a folder with its contents, or a link to a folder."""
    if path.is_symlink():
        path.unlink()
    elif path.exists():
        shutil.rmtree(path)


def check_python():
    """Stop and say what is needed if this Python cannot make the environment."""
    if sys.version_info < (3, 11):
        sys.exit(f"This needs Python 3.11 or later, and {sys.executable} is {sys.version.split()[0]}.\n"
                 "If you have one under another name: make book PYTHON=python3.12, or python3.12 -m tools book")
    try:
        import ensurepip  # noqa: F401
        import venv  # noqa: F401
    except ImportError as error:
        sys.exit(f"{sys.executable} cannot make a virtual environment, because it has no {error.name}.\nOn Debian and Ubuntu: apt-get install python3-venv")


def environment(folder, what, install):
    """The interpreter of the environment in `folder`, which `install` fills if the environment is missing, out of date or moved."""
    python, stamp = python_of(folder), folder / "installed.txt"
    files = b"".join((ROOT / name).read_bytes() for name in ("requirements.txt", "pyproject.toml"))
    wanted = [str(folder.absolute()), hashlib.sha256(files).hexdigest()]
    found = stamp.read_text(encoding="utf-8").splitlines() if stamp.exists() else []
    if python.exists() and found == wanted:
        return python
    check_python()
    if folder.is_symlink() or found[:1] not in ([], wanted[:1]):
        remove(folder)  # it was made elsewhere, and its scripts point there
    stamp.unlink(missing_ok=True)
    if not python.exists():
        run(f"Making an environment in {folder.relative_to(ROOT)}", sys.executable, "-m", "venv", folder, folder=folder)
    install(partial(run, f"Installing {what}", python, "-m", "pip", "install", folder=folder))
    stamp.write_text("\n".join(wanted) + "\n", encoding="utf-8")
    return python


def installed():
    """The interpreter of .venv, in which the book and its tests run."""

    def install(pip):
        pip("-r", "requirements.txt")
        pip("--no-build-isolation", "--no-deps", "-e", ".")
        run("Listing the fonts now, because a chapter would do so with a warning", python_of(VENV), "-c", "import matplotlib.font_manager")

    return environment(VENV, "the pinned environment into .venv (once; a few minutes on a slow line)", install)


# ---- The book ----------------------------------------------------------------------------------------


def sources():
    """Every file from which the pages and their downloads are made."""
    yield from (ROOT / name for name in ("_config.yml", "_toc.yml", "pyproject.toml", "requirements.txt", "README.md", "LICENSE"))
    for name in ("book", "metrics"):
        for path in (ROOT / name).rglob("*"):
            if path.is_file() and not {"__pycache__", ".ipynb_checkpoints"} & set(path.parts):
                yield path


def is_built():
    """Whether the book is built from the current sources."""
    return BUILT.exists() and BUILT.stat().st_mtime >= max(path.stat().st_mtime for path in sources())


def build():
    """Build the book afresh, because Sphinx forgets the warnings of pages that it does not read again."""
    python, begun = installed(), time.time()
    BUILT.unlink(missing_ok=True)
    remove(HTML)
    remove(BUILD / ".doctrees")
    remove(BUILD / "notebooks")
    jupyter_book = "from jupyter_book.cli.main import main; main()"
    run("Building the book", python, "-c", jupyter_book, "build", ".", "-n", "-W", "--keep-going")
    BUILT.touch()
    os.utime(BUILT, (begun, begun))  # a page that was saved while this ran is newer


def built():
    """The interpreter of .venv, once the book is built."""
    if not is_built():
        build()
    return installed()


def book():
    """build the book and say where to open it"""
    build()
    print(f"The book is in _build/html. Open {(HTML / 'index.html').as_uri()} or run: make serve")


def slides():
    """build the book and say where to open its slides"""
    build()
    for deck in sorted((HTML / "slides").glob("*.html")):
        print(deck.as_uri())


def serve(port="8000", lan=""):
    """serve the book on this machine (LAN=1: to all in the same network)"""
    python, here = built(), address_in_the_network() if lan else "localhost"
    who = "The room opens" if lan else "Open"
    run(f"{who} http://{here}:{port}/ and stop with Ctrl-C", python, "-m", "http.server", port, "--bind", here if lan else "127.0.0.1", "--directory", HTML)


def address_in_the_network():
    """The address by which others in the network reach this machine; no packet is sent for it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # an address that belongs to nobody
        except OSError:
            sys.exit("This machine is in no network. Without LAN=1, the book is served to this machine alone.")
        return probe.getsockname()[0]


# ---- The tests ---------------------------------------------------------------------------------------


def notebook_paths(only=""):
    """The paths of the notebooks from the root: those named in `only`, or all."""
    paths = only.split() or sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / "book").glob("*.ipynb"))
    missing = [path for path in paths if not (ROOT / path).exists()]
    if missing:
        sys.exit(f"There is no {', '.join(missing)}. ONLY takes a path from the root, such as ONLY=book/notation.ipynb")
    return paths


def test(workers="2", seed=""):
    """run the tests and every notebook, but not in a browser or elsewhere (SEED=7: in another order)"""
    pytest = built(), "-m", "pytest", "-n", workers
    order = f", in the order of SEED={seed}" if seed else ""
    run(f"Tests 1 of 2: the package, the book's files, the doctests{order}", *pytest, SHUFFLED=seed)
    every_notebook = "-p", "tools.plain_processor", "-p", "tools.kernel_files", "--nbval", "--dist", "loadfile", *notebook_paths()
    run("Tests 2 of 2: every notebook prints what is stored in it, on a simpler processor, too", *pytest, *every_notebook)
    print("All tests passed.")


def test_elsewhere(chapters="three"):
    """run each page without NumPy, and three chapters and the README in new environments (CHAPTERS=all: all chapters, and older versions)"""
    marks = "elsewhere" if chapters == "three" else "elsewhere or everywhere"
    files = (f"tests/{path.name}" for path in sorted((ROOT / "tests").glob("test_*.py")) if "pytest.mark.e" in path.read_text(encoding="utf-8"))
    run("Running the book elsewhere", built(), "-m", "pytest", "-n", "2", "-m", marks, *files)


def test_all(workers="2"):
    """run all tests before a release, also in a browser and elsewhere, and in a new order each time"""
    test(workers, str(time.time_ns() % 10**6))
    test_elsewhere("all")
    browser_test(workers, "all")


def check_browser():
    """Stop if there is no browser."""
    if not chromium():
        sys.exit(NO_BROWSER)


def browser_test(workers="2", chapters="three"):
    """look at every page in a real browser, and run the cells of three chapters there (CHAPTERS=all: of all chapters; needs Chromium)"""
    check_browser()
    marks = "not everywhere" if chapters == "three" else ""
    run("Looking at every page in Chromium", built(), "-m", "pytest", "-n", workers, "--dist", "loadgroup", "-m", marks, "tests/browser")


# ---- For authors -------------------------------------------------------------------------------------


def check(workers="2"):
    """check the rules of the notebooks, and run the tests that find most mistakes of authors, in under a minute"""
    run("The quick tests", installed(), "-m", "pytest", "-q", "-n", workers, "-m", "check")


def notebooks(only=""):
    """run the notebooks and store their outputs (one: ONLY=book/notation.ipynb)"""
    run("Running the notebooks", installed(), "-m", "tools.store", *notebook_paths(only))


def lint(only=""):
    """list the rules that the notebooks break (one: ONLY=book/notation.ipynb)"""
    run("Reading the notebooks", installed(), "-m", "tools.lint", *notebook_paths(only))


def epub():
    """write the book for e-readers: _build/epub/book.epub"""
    run("Writing the EPUB", built(), "-m", "tools.ereader")


def pdf(page=""):
    """print the book, a page (PAGE=average-precision), or the volume for teachers (PAGE=teaching) to _build/pdf (needs Chromium; qpdf makes it smaller)"""
    check_browser()
    run("Printing", built(), "-m", "tools.paper", *page.split())


def address(site="", repository=""):
    """write the addresses SITE and REPOSITORY of your copy of the book into its files"""
    run("Writing the addresses", installed(), "-m", "tools.address", site, repository)


def wheels(wheels_url="", wheels=""):
    """fetch NumPy, checked, from WHEELS_URL, or from the file or folder WHEELS, so that pages run cells with NumPy (needs the network)"""
    if wheels:
        kept = Path(wheels).resolve()
        if not kept.exists():
            sys.exit(f"There is no {kept}. WHEELS takes the path of NumPy's wheel, or of the folder in which it lies")
        wheels_url = (kept.parent if kept.is_file() else kept).as_uri()
    run("Fetching the wheels that Pyodide names", installed(), "-m", "book._sphinx.page_python", wheels_url)
    BUILT.unlink(missing_ok=True)


def mutants():
    """break the package in hundreds of ways, and check that its tests notice"""
    run("Breaking the package", installed(), "-m", "tools.mutants")


def lab(source=""):
    """open the chapters in JupyterLab, in a folder of your own (SOURCE=1: as authors write them)"""
    python, folder, paths = built(), LAB, []
    if source:
        folder, paths = "book", notebook_paths()
    else:
        for path in sorted((BUILD / "notebooks" / "book").iterdir()):
            copy, brought = LAB / path.name, LAB / ".as-brought" / path.name
            brought.parent.mkdir(parents=True, exist_ok=True)
            if copy.exists() and not (brought.exists() and filecmp.cmp(copy, brought, shallow=False)):
                print(f"{copy.relative_to(ROOT)} stays as you saved it. Delete it to get today's version.")
            else:
                shutil.copy(path, brought)
                shutil.copy(path, copy)
        paths = sorted(LAB.glob("*.ipynb"))
    run("Signing the notebooks, so that their stored outputs show", python, "-m", "jupyter", "trust", *paths)
    run("Opening JupyterLab", python, "-m", "jupyterlab", f"--notebook-dir={folder}", "--LabApp.default_url=/lab/tree/cover.ipynb")


def requirements(upgrade=""):
    """pin requirements.txt again from pyproject.toml (UPGRADE=1: the newest version of everything)"""
    # Pins stay as they are while they satisfy the ranges. Readers of the book need none of the extras bench and surveys.
    python = installed()
    run("Installing uv", python, "-m", "pip", "install", "uv>=0.5")
    extras = [word for extra in EXTRAS for word in ("--extra", extra)]
    run("Pinning", python, "-m", "uv", "pip", "compile", "--quiet", "pyproject.toml", *extras,
        "--universal", "--python-version", "3.11", "--fork-strategy", "fewest", "--no-emit-index-url", "--no-emit-find-links",
        "--custom-compile-command", "make requirements", *(["--upgrade"] if upgrade else []), "--output-file", "requirements.txt")


EXTRAS = ("book", "test", "lab")


def clean():
    """remove .venv and _build"""
    remove(VENV)
    remove(BUILD)


# ---- Beside other libraries, each time in an environment of its own, for no reader of the book needs them --------


def bench():
    """compare the speed with other libraries, and write book/speed.md"""
    folder = BUILD / "bench"
    python = environment(folder, "what the package is compared with", lambda pip: pip("-c", "requirements.txt", "-e", ".[bench]"))
    # NumPy's matrix products wait busily for their other threads, which would count as work.
    run("Comparing", python, "-m", "tools.benchmark", folder=folder, OPENBLAS_NUM_THREADS="1")


def ask():
    """ask other libraries for their metrics again, and compare the answers with those stored"""
    folder = BUILD / "surveys"

    def install(pip):
        pip("-c", "requirements.txt", "-e", ".[surveys]")
        # These do not go together with the others, and get what they need from them.
        beside = "lenskit==2025.8.1", "recbole==1.2.1", "recommenders==1.2.1", "rectools==0.19.0"
        pip("--no-deps", "--upgrade", "--target", folder / "beside", *beside)

    python = environment(folder, "the libraries that are asked (once; 3 GB or more)", install)
    run("Asking", python, "-m", "tools.rosetta", "--check", folder=folder)


# ---- What was typed ----------------------------------------------------------------------------------


def help():
    """list the commands"""
    print("make NAME, or python -m tools NAME:\n")
    for name, command in COMMANDS.items():
        options = " ".join(f"{option}={default}" for option, default in options_of(command).items() if default)
        print(f"  {name:<16} {command.__doc__}{f' ({options})' if options else ''}")


COMMANDS = {command.__name__.replace("_", "-"): command for command in (
    help, book, slides, serve, lab, test, test_elsewhere, browser_test, test_all, check, lint, notebooks, epub, pdf, address, wheels,
    mutants, bench, ask, requirements, clean)}


def options_of(command):
    """The settings of a command with their defaults: NAME -> value."""
    return {name.upper(): each.default for name, each in inspect.signature(command).parameters.items()}


def main(words):
    """Run the typed command: its name, then NAME=value for each setting."""
    name, *given = words or ["help"]
    if name not in COMMANDS:
        sys.exit(f"There is no command '{name}'. The commands are: {', '.join(COMMANDS)}")
    options, given = options_of(COMMANDS[name]), [word for word in given if not word.startswith("PYTHON=")]  # which make has used
    for word in given:
        if "=" not in word or word.split("=")[0] not in options:
            sys.exit(f"'{name}' takes {' and '.join(f'{option}=value' for option in options) or 'no settings'}, not '{word}'")
    chosen = dict(word.split("=", 1) for word in given)
    COMMANDS[name](**{option.lower(): value for option, value in chosen.items() if value})


if __name__ == "__main__":
    main(sys.argv[1:])
