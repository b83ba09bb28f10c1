"""Downloads: the chapters in one archive, with the package that they run on; a course in another; and the buttons that open them elsewhere.

Beside the pages, `download/` holds the wheel of `metrics`, which the first cell of a chapter installs from there,
chapters.zip: all notebooks in their plain edition, the wheel, and how to start; the sheets of the chapters that have one, and homework.zip:
all of them, and the wheel;
and course.zip: slides, homework, the wheel, the page for teachers, and a page that opens first.
All are the same, byte for byte, at every build.
The buttons of the repository appear as soon as _config.yml has its address. Those for Colab and Binder, which open a file of a branch,
appear where the variable NOTEBOOKS_BRANCH names the one that gets the plain notebooks, as in the workflow that publishes the book.
"""

import os
import re
import shutil
from pathlib import Path
from urllib.parse import urlsplit

from hatchling.builders.wheel import WheelBuilder

from metrics.course.chapters import CHAPTERS
from metrics.course.sheets import README as HOMEWORK, sheet

from . import plain
from .pages import pack, pages_in_order
from .paths import BUILD, ROOT
from .policy import with_policy
from .slides import timed
from .sources import chapters, read as source
from .still_pages import read

FIRST_PAGE = Path(__file__).with_name("course.html")  # of course.zip
README = """\
The chapters of "Precision, Recall, and All That", to run on your machine. You need Python 3.11 or later.
Open a terminal in this folder, and type, on Linux or a Mac:

    python3 -m venv .venv
    .venv/bin/python -m pip install "./{wheel}[run,lab]"
    .venv/bin/python -m jupyterlab

On Windows:

    py -m venv .venv
    .venv\\Scripts\\python -m pip install "./{wheel}[run,lab]"
    .venv\\Scripts\\python -m jupyterlab

Some cells compare results with scikit-learn and pytrec_eval. Without these two packages those cells say so,
and all others run. To get both, in the versions used for the book, and every number as it is printed there,
add to the line with "pip install":  scikit-learn pytrec-eval-terrier -c versions.txt
"""

BRANCH = """\
The notebooks of "Precision, Recall, and All That", written from its pages, which readers open in Colab, in Binder or here.
Do not change them here: they are written anew with each version of the book. To suggest a change, use the button on its page.
"""


def write_downloads(app):
    """Build the wheel and the archive into the built book."""
    folder = Path(app.outdir, "download")
    [wheel] = map(Path, WheelBuilder(str(ROOT)).build(directory=str(folder), versions=["standard"]))
    sources = [page for page in pages_in_order(app.config) if app.env.doc2path(page).endswith(".ipynb")]
    notebooks = {f"{page}.ipynb": (plain.folder(app) / f"{page}.ipynb").read_bytes() for page in sources}
    for name, content in notebooks.items():
        Path(app.outdir, "_sources", name).write_bytes(content)  # which the page offers
    files = {Path(name).name: content for name, content in notebooks.items()} | {wheel.name: wheel.read_bytes()}
    files["README.txt"] = README.format(wheel=wheel.name).encode()
    files["versions.txt"] = (ROOT / "requirements.txt").read_bytes()
    pack(folder / "chapters.zip", {f"chapters/{name}": content for name, content in files.items()})
    prepare_branch(plain.folder(app), wheel)
    site = (app.config.html_baseurl or "").rstrip("/")
    sheets = {f"homework-{chapter}.ipynb": sheet(chapter, site=site).encode() for chapter in CHAPTERS}
    files = sheets | {wheel.name: files[wheel.name], "README.txt": HOMEWORK.format(wheel=wheel.name).encode()}
    for name, content in sheets.items():
        (folder / name).write_bytes(content)
    pack(folder / "homework.zip", {f"homework/{name}": content for name, content in files.items()})


def printed_editions():
    """The editions on paper and for e-readers that `make pdf` and `make epub` have made: the name of each file below `download/`, where it lies, its words."""
    made = (("pdf", "a PDF of 17 by 24 cm"), ("epub", "an EPUB for e-readers"))
    return [(f"book.{kind}", path, words) for kind, words in made if (path := BUILD / kind / f"book.{kind}").exists()]


def copy_printed(app):
    """Put these editions beside the pages."""
    for name, path, _ in printed_editions():
        shutil.copy(path, Path(app.outdir, "download", name))


def offer_printed(app, pagename, templatename, context, doctree):
    """Say on the page on how to use the book which of these editions there are."""
    if pagename == "book/how-to-use" and (editions := printed_editions()):
        links = " and as ".join(f'<a href="../download/{name}">{words}</a> ({path.stat().st_size / 1e6:.1f} MB)' for name, path, words in editions)
        context["body"] = context["body"].replace("</h1>", f'</h1>\n<p class="editions">You can also have the whole book as {links}.</p>', 1)


def prepare_branch(folder, wheel):
    """Put beside the plain notebooks what Binder needs to open them in a repository, whose branch holds this folder."""
    shutil.copy(wheel, folder / "book")
    shutil.copy(ROOT / "requirements.txt", folder / "versions.txt")
    wanted = f"-c versions.txt\n./book/{wheel.name}[run,lab]\npytrec-eval-terrier\nscikit-learn\n"
    files = {"requirements.txt": wanted, "runtime.txt": "python-3.11\n", "README.md": BRANCH}
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")


def pack_course(app):
    """The slides, the homework and the package in one archive, with a page that opens first; made when all files of the book are there."""
    html = Path(app.outdir)
    decks = [deck for page in chapters() if (deck := html / f"slides/{page.rpartition('/')[2]}.html").exists()]
    if not decks:
        return
    shown = [path for pattern in ("slides/*.*s", "_static/slides.*", "_static/hands-on*.js", "_static/fonts/*") for path in html.glob(pattern)]
    shown += [html / "_static" / name for name in ("book.css", "favicon.svg", "pygments.css", "ranking-lab.js")]
    files = {path.relative_to(html).as_posix(): path.read_bytes() for path in shown}
    [wheel] = html.glob("download/*.whl")
    rows = []
    for deck in decks:
        text, name = deck.read_text(encoding="utf-8"), deck.stem
        files[f"slides/{name}.html"] = text.replace(f"../book/{name}.html", "../index.html").replace("../book/teaching.html", "../teaching.html").encode()
        takes = sum(minutes for _, minutes, *_ in timed(source(ROOT / f"book/{name}.ipynb")))
        homework = f'<a href="homework/homework-{name}.ipynb">notebook</a>' if name in CHAPTERS else ""
        links = f'<a href="slides/{name}.html">slides</a></td><td><a href="teaching.html#plan-{name}">{takes} minutes</a>'
        rows.append(f'<tr><td>{re.search("<title>(.*): slides", text)[1]}</td><td>{links}</td><td>{homework}</td></tr>')
    files |= {f"homework/{path.name}": path.read_bytes() for path in html.glob("download/homework-*.ipynb")}
    files[f"homework/{wheel.name}"] = wheel.read_bytes()  # beside the sheets, whose first cell installs it
    first = FIRST_PAGE.read_text(encoding="utf-8").format(rows="\n".join(rows), wheel=wheel.name)
    pages = {"index.html": first, "teaching.html": teaching(html)}
    files |= {name: with_policy(app.config, page).encode() for name, page in pages.items()}
    pack(html / "download" / "course.zip", {f"course/{name}": content for name, content in files.items()})


def teaching(html):
    """The page for teachers by itself, whose links to other pages are words."""
    page = read("book/teaching", html)
    for link in page.article.find_all("a"):
        if not link.get("href", "").startswith("#"):
            link.unwrap()
    style = "body { font: 17px/1.5 var(--serif); margin: 2rem auto; max-width: 46rem; padding: 0 1rem } td { padding-right: 1rem; vertical-align: top }"
    head = f'<meta charset="utf-8"><title>{page.title}</title><link rel="stylesheet" href="_static/book.css"><style>{style}</style>'
    return f'<!DOCTYPE html><html lang="en"><head>{head}</head><body>{page.article}</body></html>'


def offer_buttons(app, config):
    """The buttons of the theme that need the address of the repository: on where it is known, off where it is not."""
    options = config.html_theme_options
    host = urlsplit(options.get("repository_url") or "").netloc
    known = any(name in host for name in ("github", "gitlab", "bitbucket"))  # of others the theme does not know where to edit a page
    for name in ("repository", "edit_page", "issues"):
        options[f"use_{name}_button"] = known
    if not (known and os.environ.get("NOTEBOOKS_BRANCH")):
        options.pop("launch_buttons", None)
    elif host != "github.com" or not config.html_baseurl:  # Colab reads from GitHub alone, and a chapter there installs the package from the site
        options.get("launch_buttons", {}).pop("colab_url", None)


def open_from_branch(app):
    """Let those for Colab and Binder open the branch of the plain notebooks; by now the theme knows where pages are edited."""
    app.config.html_theme_options["repository_branch"] = os.environ.get("NOTEBOOKS_BRANCH")
