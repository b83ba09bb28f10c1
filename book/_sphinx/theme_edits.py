"""Weight and accessibility: what the theme loads but the book does not need, and what it leaves out.

The theme brings an icon font and a script of 1.5 MB for a dozen icons; book.css draws them instead.
The edits are those of the version in requirements.txt; with another, one that finds nothing fails the build.
"""

import re
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import NamedTuple

import pydata_sphinx_theme
import sphinx
from sphinx.errors import ExtensionError

from .ranking_lab import with_records

try:
    import minify
except ImportError:
    minify = None


# What is served as the beginning of another file.
BEGINNINGS = {
    "book.css": ("type.css", "reading.css", "targets.css", "ranking-lab.css", "hands-on.css", "search.css"),
    "book.js": ("shared.js", "answers.js", "votes.js", "search-field.js"),
    "hands-on.js": ("redraw.js",), "ranking-lab.js": ("shared.js", "redraw.js"),
    **dict.fromkeys(("claims.js", "rosetta.js", "run.js", "search.js", "self-study.js"), ("shared.js",)),
}  # fmt: skip

# Six small scripts of Sphinx, its theme and the button that copies, served as one, in this order.
OF_SPHINX = "documentation_options", "doctools", "sphinx_highlight", "scripts/sphinx-book-theme", "clipboard.min", "copybutton"

BOX = '<div class="bd-content">'
HERE = '<li class="toctree-l1 current active"><a class="current reference internal" href="#">.*?</a>'  # in the left side bar


class Edit(NamedTuple):
    """A change of what the theme makes. Where it does not find its pattern, the theme is not the one that it was written for, and the build fails."""

    name: str
    pattern: str
    replacement: str | Callable = ""
    pages: Callable = lambda page: True  # those that have the pattern, by their names


def is_written(page):
    """Whether a page has a source of ours: those that Sphinx makes have no buttons at their head."""
    return page not in ("404", "genindex", "search") and not page.startswith("proofs/")


# block of the page: its edits
EDITS = {
    "css": [
        Edit("the script of the icon font", r'<!-- So that users can add custom icons -->\s*<script[^>]*fontawesome\.js[^>]*></script>'),
        Edit("the script of the mode", r'<script data-cfasync="false">.*?</script>'),  # before-paint.js does that
        Edit("a sheet that only imports another", r'(?<=_static/)styles/theme\.css[^"]*', "basic.css"),
        Edit("the sheet of proofs", r'<link [^>]*_static/proof\.css[^>]*/>\s*'),  # book.css has boxes of its own
        Edit("the sheet of exercises", r'<link [^>]*_static/exercise\.css[^>]*/>\s*'),
    ],
    "scripts": [
        Edit("the settings of scripts", r'<script>DOCUMENTATION_OPTIONS\..*?</script>\s*'),
        Edit("the small scripts", r'\s*'.join(rf'<script src="([^"]*)_static/{re.escape(name)}\.js[^>]*></script>' for name in OF_SPHINX),
             rf'<script src="\1_static/sphinx.js?v={sphinx.__version__}"></script>'),
    ],
    "content": [
        Edit("the print button", r'onclick="window.print\(\)"', "data-prints", is_written),  # book.js hears of it; no script stands in a page
        Edit("the focus of the search field", r'<script>\s*// Activate the search field on page load.*?</script>', pages=lambda page: page == "search"),
        Edit("the place of advertisements", r'<div id="ethical-ad-placement"[^>]*>\s*</div>'),
        # The cover shows its chapters in pictures. A class of the theme's, which its button takes away.
        Edit("the side bar of the cover", r'(?<=id="pst-primary-sidebar" class=")', "pst-sidebar-hidden ", lambda page: page == "book/cover"),
        Edit("the landmark of title and search", r'<div id="pst-primary-sidebar"', '<div role="region" aria-label="Book" id="pst-primary-sidebar"'),
        # It contradicts the visible text.
        Edit("the label of the search button", r' title="Search" aria-label="Search"(?=[^>]*>\s*<i class="fa-solid fa-magnifying-glass"></i>\s*<span)'),
        Edit("the titles of the modes", r'(<i class="theme-switch[^>]*?) title="[^"]*"', r"\1"),
        Edit("the icons that nobody need hear", r'<span class="fa-solid fa-(bars|list)"></span>', r'<span class="fa-solid fa-\1" aria-hidden="true"></span>'),
        Edit("the role of a list of papers", r'(?<=<div) role="list"(?= class="citation-list">)', pages=lambda page: page == "book/bibliography"),
        Edit("the role of a paper", r' role="doc-biblioentry"', pages=lambda page: page == "book/bibliography"),
    ],
}  # fmt: skip
TO_THE_LEFT = [  # the contents of a chapter, which get another name, so that the theme's script, which does not see a jump, leaves the marking to book.js
    Edit("the name of the contents", 'id="pst-page-toc-nav"', 'id="chapter-contents"'),
    Edit("the label of the contents", 'aria-labelledby="[^"]*"', 'aria-label="Sections of this page"'),
]
IN_TWO_COLUMNS = [
    Edit("the right side bar", r'<dialog id="pst-secondary-sidebar-modal">.*?</nav></div>\s*</div></div>'),
    Edit("the switch of the right side bar", '<button class="sidebar-toggle secondary-toggle.*?</button>'),
    Edit("the box of a chapter", BOX, '<div class="bd-content two-columns">'),
]
WITHOUT_CONTENTS = [Edit("the box of a page without contents", BOX, '<div class="bd-content without-contents">')]
FILES = {
    # book.js does that, and has the page laid out once, not for each box.
    "static/scripts/pydata-sphinx-theme.js": [Edit("the boxes that scroll", r'document\.querySelectorAll\(\["pre".*?\?0:-1\}\)')],
    "static/styles/pydata-sphinx-theme.css": [Edit("the icon font", r"(?:\.fa[-,.{sbr]|\.fa\b|@font-face|:host)[^{}]*\{[^{}]*\}")],
}  # fmt: skip


def edited(page, html, edits):
    """A page or a part of it after these edits."""
    for edit in edits:
        if edit.pages(page):
            html, count = re.subn(edit.pattern, edit.replacement, html, flags=re.DOTALL)
            if not count:
                raise ExtensionError(f"theme_edits.py finds nothing for its edit “{edit.name}” in {page}: look at what this version of the theme has")
    return html


def trimmed(page, block, html):
    """A block of the theme's page after its edits."""
    html = edited(page, html, EDITS[block])
    if block != "content":
        return html
    if 'class="chapter-line' in html:
        return contents_below_chapter(page, html)
    return html if 'id="pst-secondary-sidebar"' in html else edited(page, html, WITHOUT_CONTENTS)


def contents_below_chapter(page, html):
    """Move the contents of a chapter from the right side bar to its line in the left one: the right side is for code and figures."""
    contents = edited(page, "".join(re.findall(r'<nav id="pst-page-toc-nav".*?</nav>', html, re.DOTALL)), TO_THE_LEFT)
    return edited(page, html, [*IN_TWO_COLUMNS, Edit("the line of a chapter in the left side bar", HERE, lambda line: line[0] + contents)])


def offer_edits(app, pagename, templatename, context, doctree):
    """Let the layout call `trimmed` for the blocks of a page."""
    context["trimmed"] = partial(trimmed, pagename)


def trim_files(app):
    """Trim the copies of the theme's files in the built book; make the book's own sheets one file, so that a page asks for fewer, and its scripts small."""
    source, target = Path(app.srcdir, "book", "_static"), Path(app.outdir, "_static")
    theme = Path(pydata_sphinx_theme.__file__).with_name("theme") / "pydata_sphinx_theme"
    for name, edits in FILES.items():
        (target.parent / f"_{name}").write_text(edited(name, (theme / name).read_text(encoding="utf-8"), edits), encoding="utf-8")
    for path in target.rglob("*.map"):
        path.unlink()
    parts = {part for beginning in BEGINNINGS.values() for part in beginning}
    for name in {"book.css", *(path.name for path in source.glob("*.js"))} - parts:
        text = "\n".join((source / part).read_text(encoding="utf-8") for part in (*BEGINNINGS.get(name, ()), name))
        (target / name).write_text(minified(name, scoped(with_records(text)) if name.endswith(".js") else text), encoding="utf-8")
    for name in parts:
        (target / name).unlink()
    scripts = [target / f"{name}.js" for name in OF_SPHINX]
    (target / "sphinx.js").write_text(";\n".join(path.read_text(encoding="utf-8") for path in scripts), encoding="utf-8")
    for path in scripts:
        path.unlink()


def scoped(script):
    """A script in strict mode whose names are its own, as in node; a module is that by itself."""
    return script if "\nexport " in script else f'(() => {{"use strict";\n{script}}})();\n'


def minified(name, text):
    """A script or a sheet without what only its authors need, where the tool can be installed."""
    return minify.string({".js": "application/javascript", ".css": "text/css"}[Path(name).suffix], text) if minify else text
