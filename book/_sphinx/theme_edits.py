"""Weight and accessibility: what the theme loads but the book does not need, and what it leaves out.

The theme brings an icon font and a script of 1.5 MB for a dozen icons; book.css draws them instead.
Every edit below must find what it edits: if a new version of the theme no longer has it, the build
fails and says so.
"""

import re
from pathlib import Path

import pydata_sphinx_theme
from sphinx.errors import ExtensionError

try:
    import minify
except ImportError:
    minify = None

UNUSED_SHEETS = {"_static/proof.css", "_static/exercise.css"}  # book.css has boxes of its own
IN_BOOK_SHEET = ("reading.css", "ranking-lab.css", "hands-on.css")  # served as the beginning of book.css

# block of the page: (pattern, replacement, what it edits)
EDITS = {
    "css": [
        (r'<!-- So that users can add custom icons -->\s*<script[^>]*fontawesome\.js[^>]*></script>', "", "the script of the icon font"),
        (r'localStorage\.getItem\("theme"\) \|\| "auto"',
         'localStorage.getItem("theme") || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")',
         "the colour scheme, known before the first paint: no white flash in dark mode"),
    ],
    "extrahead": [
        (r'\s*<meta name="viewport"[^>]*/>', "", "the second viewport"),
        (r'<meta name="docsearch:version"[^>]*/>', "", "an empty version"),
    ],
    "content": [
        (r'<div id="ethical-ad-placement"[^>]*>\s*</div>', "", "the place for advertisements"),
        (r'<div id="pst-primary-sidebar"', '<div role="region" aria-label="Book" id="pst-primary-sidebar"', "a landmark for title and search of the side bar"),
        (r' title="Search" aria-label="Search"( data-bs-placement="bottom" data-bs-toggle="tooltip">\s*<i class="fa-solid fa-magnifying-glass"></i>\s*<span)',
         r"\1", "a label that contradicts the visible text of the search button"),
        (r'(<i class="theme-switch[^>]*?) title="[^"]*"', r"\1", "titles inside the labelled colour switch"),
        (r'<span class="fa-solid fa-(bars|list)"></span>', r'<span class="fa-solid fa-\1" aria-hidden="true"></span>', "icons that nobody need hear"),
    ],
}  # fmt: skip
# Only some pages have these; nothing is lost if none has.
OPTIONAL_EDITS = {
    "extrahead": [(r'<script src="[^"]*(?:searchtools|language_data|searchindex)\.js"></script>\s*', "")],
    "content": [
        (r'<summary aria-label="Toggle hidden content">', "<summary>"),
        (r'<div role="list" class="citation-list">', '<div class="citation-list">'),
        (r' role="doc-biblioentry"', ""),
    ],
}

ICON_FONT_RULE = re.compile(r"(?:\.fa[-,.{sbr]|\.fa\b|@font-face|:host)[^{}]*\{[^{}]*\}")


def edited(html, *edits):
    """A part of the theme's page after some edits, each of which finds what it edits."""
    for pattern, replacement, what in edits:
        html, count = re.subn(pattern, replacement, html, flags=re.DOTALL)
        if not count:
            raise ExtensionError(f"theme_edits.py: the theme's page no longer has {what} ({pattern})")
    return html


def trimmed(block, html):
    """A block of the theme's page after its edits."""
    html = edited(html, *EDITS[block])
    if block == "content" and 'class="chapter-line' in html:
        html = contents_below_chapter(html)
    elif block == "content" and 'id="pst-secondary-sidebar"' not in html:
        html = edited(html, ('<div class="bd-content">', '<div class="bd-content without-contents">', "the place of the text"))
    for pattern, replacement in OPTIONAL_EDITS.get(block, []):
        html = re.sub(pattern, replacement, html)
    return html


def contents_below_chapter(html):
    """Move the contents of a chapter from the right side bar to its line in the left one: the right side is for code and figures.

    The list gets another name, so that the theme's script, which does not see a jump, leaves the marking to book.js.
    """
    contents = "".join(re.findall(r'<nav id="pst-page-toc-nav".*?</nav>', html, re.DOTALL))
    contents = edited(
        contents,
        ('id="pst-page-toc-nav"', 'id="chapter-contents"', "contents"),
        ('aria-labelledby="[^"]*"', 'aria-label="Sections of this page"', "contents with a name"),
    )  # fmt: skip
    return edited(
        html,
        (r'<dialog id="pst-secondary-sidebar-modal">.*?</nav></div>\s*</div></div>', "", "a side bar with contents"),
        ('<li class="toctree-l1 current active"><a class="current reference internal" href="#">.*?</a>',
         lambda line: line[0] + contents, "a line of this chapter"),
        ('<button class="sidebar-toggle secondary-toggle.*?</button>', "", "a button for the side bar"),
        ('<div class="bd-content">', '<div class="bd-content two-columns">', "the place of the text"),
    )  # fmt: skip


def drop_unused_sheets(app, pagename, templatename, context, doctree):
    """Take the unused style sheets out of a page, and offer `trimmed` to the layout."""
    loaded = {str(sheet.filename): sheet for sheet in context["css_files"]}
    if gone := UNUSED_SHEETS - set(loaded):
        raise ExtensionError(f"theme_edits.py: no page loads {', '.join(sorted(gone))} any more: take it off the list")
    context["css_files"] = [sheet for name, sheet in loaded.items() if name not in UNUSED_SHEETS]
    context["trimmed"] = trimmed


def without_icon_font(css):
    """The theme's style sheet without the rules of the icon font, which are a third of it."""
    css, count = ICON_FONT_RULE.subn("", css)
    if count < 1000:
        raise ExtensionError(f"theme_edits.py: the theme's style sheet has only {count} rules of the icon font")
    return css


def trim_files(app, exception):
    """Trim the copies of the theme's files in the built book; make the book's own sheets one file, so that a page asks for fewer, and its scripts small."""
    if exception:
        return
    source, target = Path(app.srcdir, "book", "_static"), Path(app.outdir, "_static")
    sheet = "static/styles/pydata-sphinx-theme.css"
    original = Path(pydata_sphinx_theme.__file__).with_name("theme") / "pydata_sphinx_theme" / sheet
    (target.parent / f"_{sheet}").write_text(without_icon_font(original.read_text(encoding="utf-8")), encoding="utf-8")
    for path in target.rglob("*.map"):
        path.unlink()
    texts = {path.name: path.read_text(encoding="utf-8") for path in sorted(source.glob("*.js"))}
    texts["book.css"] = "\n".join((source / name).read_text(encoding="utf-8") for name in (*IN_BOOK_SHEET, "book.css"))
    for name, text in texts.items():
        (target / name).write_text(minified(name, text), encoding="utf-8")
    for name in IN_BOOK_SHEET:
        (target / name).unlink()


def minified(name, text):
    """A script or a sheet without what only its authors need, where the tool can be installed."""
    return minify.string({".js": "application/javascript", ".css": "text/css"}[Path(name).suffix], text) if minify else text


def add_templates(app, config):
    config.templates_path.append(str(Path(__file__).parent / "templates"))


def setup(app):
    app.connect("config-inited", add_templates)
    app.connect("html-page-context", drop_unused_sheets, priority=900)
    app.connect("build-finished", trim_files, priority=900)
