"""Weight and accessibility: what the theme loads but the book does not need, and what it leaves out.

The theme brings an icon font and a script of 1.5 MB for a dozen icons; book.css draws them instead.
The edits are those of the version in requirements.txt: with another, look at what they find.
"""

import re
from pathlib import Path

import pydata_sphinx_theme
from sphinx.errors import ExtensionError

try:
    import minify
except ImportError:
    minify = None

from .pages import when_built

UNUSED_SHEETS = {"_static/proof.css", "_static/exercise.css"}  # book.css has boxes of its own
IN_BOOK_SHEET = ("reading.css", "ranking-lab.css", "hands-on.css")  # served as the beginning of book.css
IN_BOOK_SCRIPT = ("answers.js", "votes.js")  # of book.js

# block of the page: (pattern, replacement)
EDITS = {
    "css": [
        (r'<!-- So that users can add custom icons -->\s*<script[^>]*fontawesome\.js[^>]*></script>', ""),
        (r'<script data-cfasync="false">.*?</script>', ""),  # before-paint.js does that
    ],
    "extrahead": [
        (r'\s*<meta name="viewport"[^>]*/>', ""),  # the second one
        (r'<meta name="docsearch:version"[^>]*/>|<script src="[^"]*(?:searchtools|language_data|searchindex)\.js"></script>\s*', ""),
    ],
    "content": [
        ('onclick="window.print\\(\\)"', "data-prints"),  # book.js hears of it; no script stands in a page
        (r'<script>\s*// Activate the search field on page load.*?</script>', ""),
        (r'<div id="ethical-ad-placement"[^>]*>\s*</div>', ""),
        (r'<div id="pst-primary-sidebar"', '<div role="region" aria-label="Book" id="pst-primary-sidebar"'),  # a landmark for title and search
        # A label that contradicts the visible text of the search button.
        (r' title="Search" aria-label="Search"( data-bs-placement="bottom" data-bs-toggle="tooltip">\s*<i class="fa-solid fa-magnifying-glass"></i>\s*<span)',
         r"\1"),
        (r'(<i class="theme-switch[^>]*?) title="[^"]*"', r"\1"),
        (r'<span class="fa-solid fa-(bars|list)"></span>', r'<span class="fa-solid fa-\1" aria-hidden="true"></span>'),  # nobody need hear them
        (r'(<div) role="list"( class="citation-list">)| role="doc-biblioentry"', r"\1\2"),
    ],
}  # fmt: skip
IN_THE_LEFT_BAR = [  # the contents of a chapter
    (r'<dialog id="pst-secondary-sidebar-modal">.*?</nav></div>\s*</div></div>', ""),
    ('<button class="sidebar-toggle secondary-toggle.*?</button>', ""),
    ('<div class="bd-content">', '<div class="bd-content two-columns">'),
]

# book.js does that, and has the page laid out once, not for each box.
SCROLLING_BOXES = re.compile(r'document\.querySelectorAll\(\["pre".*?\?0:-1\}\)')
ICON_FONT_RULE = re.compile(r"(?:\.fa[-,.{sbr]|\.fa\b|@font-face|:host)[^{}]*\{[^{}]*\}")


def edited(html, edits):
    for pattern, replacement in edits:
        html = re.sub(pattern, replacement, html, flags=re.DOTALL)
    return html


def trimmed(block, html):
    """A block of the theme's page after its edits."""
    html = edited(html, EDITS[block])
    if block == "content" and 'class="chapter-line' in html:
        return contents_below_chapter(html)
    return html if 'id="pst-secondary-sidebar"' in html else html.replace('<div class="bd-content">', '<div class="bd-content without-contents">')


def contents_below_chapter(html):
    """Move the contents of a chapter from the right side bar to its line in the left one: the right side is for code and figures.

    The list gets another name, so that the theme's script, which does not see a jump, leaves the marking to book.js.
    """
    contents = "".join(re.findall(r'<nav id="pst-page-toc-nav".*?</nav>', html, re.DOTALL))
    contents = contents.replace('id="pst-page-toc-nav"', 'id="chapter-contents"')
    contents = re.sub('aria-labelledby="[^"]*"', 'aria-label="Sections of this page"', contents)
    here = '<li class="toctree-l1 current active"><a class="current reference internal" href="#">.*?</a>'
    return re.sub(here, lambda line: line[0] + contents, edited(html, IN_THE_LEFT_BAR), flags=re.DOTALL)


def drop_unused(app, pagename, templatename, context, doctree):
    """Take the unused style sheets and settings out of a page, and offer `trimmed` to the layout."""
    context["script_files"] = [script for script in context["script_files"] if "DOCUMENTATION_OPTIONS." not in script.attributes.get("body", "")]
    context["css_files"] = [sheet for sheet in context["css_files"] if str(sheet.filename) not in UNUSED_SHEETS]
    context["trimmed"] = trimmed


def trim_files(app):
    """Trim the copies of the theme's files in the built book; make the book's own sheets one file, so that a page asks for fewer, and its scripts small."""
    source, target = Path(app.srcdir, "book", "_static"), Path(app.outdir, "_static")
    theme = Path(pydata_sphinx_theme.__file__).with_name("theme") / "pydata_sphinx_theme"
    for name, edit in (("static/styles/pydata-sphinx-theme.css", ICON_FONT_RULE), ("static/scripts/pydata-sphinx-theme.js", SCROLLING_BOXES)):
        text, count = edit.subn("", (theme / name).read_text(encoding="utf-8"))
        if not count:
            raise ExtensionError(f"theme_edits.py finds nothing to leave out of {name}: look at what this version of the theme has")
        (target.parent / f"_{name}").write_text(text, encoding="utf-8")
    for path in target.rglob("*.map"):
        path.unlink()
    texts = {path.name: path.read_text(encoding="utf-8") for path in sorted(source.glob("*.js"))}
    for whole, parts in {"book.css": IN_BOOK_SHEET, "book.js": IN_BOOK_SCRIPT}.items():
        texts[whole] = "\n".join((source / name).read_text(encoding="utf-8") for name in (*parts, whole))
    for name, text in texts.items():
        (target / name).write_text(minified(name, text), encoding="utf-8")
    for name in (*IN_BOOK_SHEET, *IN_BOOK_SCRIPT):
        (target / name).unlink()


def minified(name, text):
    """A script or a sheet without what only its authors need, where the tool can be installed."""
    return minify.string({".js": "application/javascript", ".css": "text/css"}[Path(name).suffix], text) if minify else text


def setup(app):
    app.config.templates_path.append(str(Path(__file__).parent / "templates"))
    app.connect("html-page-context", drop_unused, priority=900)
    when_built(app, trim_files, priority=900)
