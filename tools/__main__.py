"""The commands of this project, which run on Linux, macOS and Windows:

    python -m tools                                          lists them
    python -m tools book                                     builds the book
    python -m tools notebooks ONLY=book/notation.ipynb       with a setting

`make book` is the same, where there is make. Only the standard library is used here, for this runs before anything
is installed. All that is made and not committed lies in .venv and _build.
"""

import hashlib
import inspect
import os
import shutil
import signal
import subprocess
import sys
import time
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV, BUILD = ROOT / ".venv", ROOT / "_build"
HTML, BUILT = BUILD / "html", BUILD / ".built"


class Stop(Exception):
    """What ends a command: the message for the user, and the exit code."""

    def __init__(self, message, code=1):
        super().__init__(message)
        self.code = code


# ---- The environment ---------------------------------------------------------------------------------


def settings(folder):
    """The variables that differ from those of your shell, for what runs in this environment; None is unset."""
    return {
        # These would change what is installed, or what a cell prints.
        "PYTHONPATH": None, "PYTHONHOME": None, "PYTHONHASHSEED": None, "NPY_DISABLE_CPU_FEATURES": None,
        "MPLBACKEND": None, "MATPLOTLIBRC": None, "JUPYTER_PATH": None,
        "PIP_USER": None, "PIP_TARGET": None, "PIP_PREFIX": None, "PIP_CONSTRAINT": None, "PIP_REQUIREMENT": None,
        "PIP_NO_DEPS": None, "PIP_DRY_RUN": None,
        "PYTHONUTF8": "1",
        "PYTHONNOUSERSITE": "1",
        "PIP_DISABLE_PIP_VERSION_CHECK": "1",
        "JUPYTER_PREFER_ENV_PATH": "1",
        # What is written down goes to the environment, not to your home.
        "IPYTHONDIR": str(folder / ".ipython"),
        "MPLCONFIGDIR": str(folder / ".matplotlib"),
        "IR_DATASETS_HOME": str(folder / ".ir_datasets"),
    }  # fmt: skip


def run(step, *command, folder=VENV, **more):
    """Say the step, run its command from the root, and stop if it fails."""
    print(f"== {step}", flush=True)
    variables = settings(folder) | more
    environment = {name: value for name, value in (os.environ | variables).items() if value is not None}
    # Ctrl-C reaches the step as well; it ends as it likes, and its exit code says so.
    before = signal.signal(signal.SIGINT, lambda *_: None)
    try:
        code = subprocess.run([str(word) for word in command], cwd=ROOT, env=environment).returncode
    except OSError as error:
        raise Stop(f"Stopped: {step}: {error}") from None
    finally:
        signal.signal(signal.SIGINT, before)
    if code:
        raise Stop(f"Stopped: this step failed with exit code {code}: {step}", code if 0 < code < 256 else 1)


def python_of(folder):
    """The interpreter of a virtual environment."""
    return folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def remove(path):
    """Remove a folder with all that is in it, or a link to one."""
    if path.is_symlink():
        path.unlink()
    elif path.exists():
        shutil.rmtree(path)


def check_python():
    """Stop with what is needed if this Python cannot make the environment."""
    if sys.version_info < (3, 11):
        raise Stop(f"This needs Python 3.11 or later, and {sys.executable} is {sys.version.split()[0]}.\n"
                   "If you have one under another name: make book PYTHON=python3.12, or python3.12 -m tools book")
    try:
        import ensurepip  # noqa: F401
        import venv  # noqa: F401
    except ImportError as error:
        raise Stop(f"{sys.executable} cannot make a virtual environment, for it has no {error.name}.\n"
                   "On Debian and Ubuntu: apt-get install python3-venv") from None


def environment(folder, what, install):
    """The interpreter of the environment in `folder`, which `install` fills if it is missing, out of date or was moved here."""
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
    """The interpreter of .venv, which the book and its tests run in."""

    def install(pip):
        pip("-r", "requirements.txt")
        pip("--no-build-isolation", "--no-deps", "-e", ".")
        run("Listing the fonts, or a chapter would, with a warning", python_of(VENV), "-c", "import matplotlib.font_manager")

    return environment(VENV, "the pinned environment into .venv (once; a few minutes on a slow line)", install)


# ---- The book ----------------------------------------------------------------------------------------


def sources():
    """Every file that the pages and what they offer are made from."""
    yield from (ROOT / name for name in ("_config.yml", "_toc.yml", "pyproject.toml", "requirements.txt", "README.md", "LICENSE"))
    for name in ("book", "metrics"):
        for path in (ROOT / name).rglob("*"):
            if path.is_file() and not {"__pycache__", ".ipynb_checkpoints"} & set(path.parts):
                yield path


def is_built():
    """Whether the book is built, from the sources as they are now."""
    return BUILT.exists() and BUILT.stat().st_mtime >= max(path.stat().st_mtime for path in sources())


def build():
    """Build the book afresh, for Sphinx forgets the warnings of pages that it does not read again."""
    python, begun = installed(), time.time()
    BUILT.unlink(missing_ok=True)
    remove(HTML)
    remove(BUILD / ".doctrees")
    jupyter_book = "from jupyter_book.cli.main import main; main()"
    run("Building the book", python, "-c", jupyter_book, "build", ".", "-n", "-W", "--keep-going")
    if not (HTML / "index.html").exists():
        raise Stop(f"Stopped: the build left no {HTML / 'index.html'}")
    BUILT.touch()
    os.utime(BUILT, (begun, begun))  # a page that was saved while this ran is newer


def book():
    """build the book and say where to open it"""
    build()
    print(f"The book is in _build/html. Open {(HTML / 'index.html').as_uri()} or run: make serve")


def serve(port="8000"):
    """serve the book on this machine"""
    try:
        ThreadingHTTPServer.allow_reuse_address = os.name != "nt"  # where it means that two may listen
        server = ThreadingHTTPServer(("127.0.0.1", int(port)), partial(SimpleHTTPRequestHandler, directory=HTML))
    except (OSError, OverflowError, ValueError) as error:
        raise Stop(f"Cannot listen on port {port}: {error}. Another: make serve PORT={'8001' if port == '8000' else '8000'}") from None
    with server:
        if not is_built():
            build()
        print(f"Open http://localhost:{server.server_port}/ and stop with Ctrl-C", flush=True)
        server.serve_forever()


# ---- The tests ---------------------------------------------------------------------------------------


def notebook_paths(only=""):
    """The notebooks that are meant, as paths from the root: those named, or all."""
    paths = only.split() or sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / "book").glob("*.ipynb"))
    missing = [path for path in paths if not (ROOT / path).exists()]
    if missing:
        raise Stop(f"There is no {', '.join(missing)}. ONLY takes a path from here, such as ONLY=book/notation.ipynb")
    return paths


def test(workers="2"):
    """run the tests and every notebook (not: in a browser, or elsewhere)"""
    if not is_built():
        build()
    pytest = installed(), "-m", "pytest", "-n", workers
    run("Tests 1 of 2: the package, the book's files, the doctests", *pytest)
    every_notebook = "-p", "tools.plain_processor", "--nbval", "--dist", "loadfile", *notebook_paths()
    run("Tests 2 of 2: every notebook prints what is stored in it, on a simpler processor, too", *pytest, *every_notebook)
    print("All tests passed.")


def test_elsewhere(chapters="three"):
    """run each page without NumPy, and three chapters and the README in new environments (CHAPTERS=all: all, and older versions)"""
    if chapters not in ("three", "all"):
        raise Stop(f"CHAPTERS is three or all, not {chapters}", 2)
    if not is_built():
        build()
    marks = "elsewhere" if chapters == "three" else "elsewhere or everywhere"
    files = (f"tests/test_{name}.py" for name in ("page_python", "elsewhere", "published", "ereader", "paper"))
    run("The book where it is not", installed(), "-m", "pytest", "-n", "2", "-m", marks, *files)


def test_all(workers="2"):
    """before a release: all tests, in a browser and elsewhere too"""
    test(workers)
    test_elsewhere("all")
    browser_test(workers)


def check_browser():
    """Stop if there is no browser."""
    if not shutil.which("chromium"):
        raise Stop("No 'chromium' on the PATH. On Debian: apt-get install chromium")


def browser_test(workers="2"):
    """look at every page in a real browser (needs Chromium)"""
    check_browser()
    if not is_built():
        build()
    run("Looking at every page in Chromium", installed(), "-m", "pytest", "-n", workers, "--dist", "loadgroup", "tests/browser")


# ---- For authors -------------------------------------------------------------------------------------


def check():
    """in under a minute: the rules of the notebooks, and the tests that find most mistakes of authors"""
    run("The quick tests", installed(), "-m", "pytest", "-q", "-m", "check")


def notebooks(only=""):
    """run the notebooks and store their outputs (one: ONLY=book/notation.ipynb)"""
    paths = notebook_paths(only)
    run("Running the notebooks", installed(), "-m", "tools.store", *paths)


def lint(only=""):
    """say which rules the notebooks break (one: ONLY=book/notation.ipynb)"""
    paths = notebook_paths(only)
    run("Reading the notebooks", installed(), "-m", "tools.lint", *paths)


def epub():
    """write the book for e-readers: _build/epub/book.epub"""
    if not is_built():
        build()
    run("Writing the EPUB", installed(), "-m", "tools.ereader")


def pdf(page=""):
    """print the book, or one page (PAGE=average-precision), to _build/pdf (needs Chromium; with qpdf it is smaller)"""
    check_browser()
    if not is_built():
        build()
    run("Printing", installed(), "-m", "tools.paper", *page.split())


def address(site="", repository=""):
    """write the addresses SITE and REPOSITORY of your copy of the book to where they belong"""
    run("Writing the addresses", installed(), "-m", "tools.address", site, repository)


def wheels(wheels_url=""):
    """bring NumPy for the pages from WHEELS_URL, checked, so that they run what needs it (needs the network)"""
    run("Fetching the wheels that Pyodide names", installed(), "-m", "book._sphinx.page_wheels", wheels_url)
    BUILT.unlink(missing_ok=True)


def mutants():
    """break the package in hundreds of ways, and see that its tests notice"""
    run("Breaking the package", installed(), "-m", "tools.mutants")


def lab():
    """open the chapters in JupyterLab"""
    python = installed()
    run("Signing the notebooks, so that their stored figures show", python, "-m", "jupyter", "trust", *notebook_paths())
    run("Opening JupyterLab", python, "-m", "jupyterlab", "--notebook-dir=book")


def requirements(upgrade=""):
    """pin requirements.txt anew from pyproject.toml (all to the newest: UPGRADE=1)"""
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
    """ask other libraries for their metrics again, and compare with what is stored"""
    folder = BUILD / "surveys"

    def install(pip):
        pip("-c", "requirements.txt", "-e", ".[surveys]")
        # These two do not go together with the others, and get what they need from them.
        pip("--no-deps", "--upgrade", "--target", folder / "beside", "recommenders==1.2.1", "rectools==0.19.0")

    python = environment(folder, "the libraries that are asked (once; 2 GB or more)", install)
    run("Asking", python, "-m", "tools.rosetta", "--check", folder=folder)


# ---- What was typed ----------------------------------------------------------------------------------


def help():
    """list the commands"""
    print("make NAME, or python -m tools NAME:\n")
    for name, command in COMMANDS.items():
        options = " ".join(f"{option}={default}" for option, default in options_of(command).items() if default)
        print(f"  {name:<16} {command.__doc__}{f' ({options})' if options else ''}")


COMMANDS = {command.__name__.replace("_", "-"): command for command in (
    help, book, serve, lab, test, test_elsewhere, browser_test, test_all, check, lint, notebooks, epub, pdf, address, wheels,
    mutants, bench, ask, requirements, clean)}


def options_of(command):
    """The settings that a command takes, with their defaults: NAME -> value."""
    return {name.upper(): each.default for name, each in inspect.signature(command).parameters.items()}


def main(words):
    """Do what was typed: the name of a command, and NAME=value for its settings. Returns the exit code."""
    name, *given = words or ["help"]
    try:
        if name not in COMMANDS:
            raise Stop(f"There is no command '{name}'. There are: {', '.join(COMMANDS)}", 2)
        options = options_of(COMMANDS[name])
        chosen = dict(word.partition("=")[::2] for word in given)
        unknown = [word for word in given if "=" not in word or word.split("=")[0] not in options]
        if unknown:
            takes = " and ".join(f"{option}=value" for option in options) or "no settings"
            raise Stop(f"'{name}' takes {takes}, not '{unknown[0]}'", 2)
        COMMANDS[name](**{option.lower(): value for option, value in chosen.items() if value})
    except Stop as stop:
        print(stop, file=sys.stderr)
        return stop.code
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
