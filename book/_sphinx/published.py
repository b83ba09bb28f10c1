"""Published: what a page says of itself to search engines and link previews, its picture, and the files at the root of the site.

Every page has a description, which for a chapter is its answer, and a picture made of its first figure. What needs the
site's address, `html: baseurl` in _config.yml, is written only where there is one: canonical links, also of slides, pictures in previews,
sitemap.xml, and 404.html, whose links work at any depth.
"""

import hashlib
import json
import re
from html import escape
from pathlib import Path
from textwrap import wrap
from urllib.parse import urljoin, urlsplit
from xml.sax.saxutils import escape as xml

import matplotlib
import yaml
from docutils import nodes

from .pages import full_title, pack, pages_in_order
from .policy import with_policy
from .search import _words
from .sources import ROOT, chapters, read
from .theme_edits import minified

try:
    from resvg_py import svg_to_bytes
except ImportError:  # there is no wheel for this machine: pages have no pictures in previews
    svg_to_bytes = None

LONGEST, SHORTEST = 160, 50  # characters of a description
WIDE, HIGH = 1200, 630  # pixels of a picture for previews
READ = (".html", ".css", ".js", ".mjs", ".json", ".svg", ".png", ".woff2", ".webmanifest")  # what a reader without a network needs
NOT_PACKED = ("download/site.zip", "objects.inv")
NOT_READ = ("_sources/", "_downloads/", "download/", "service-worker.js",
            *(f"_static/{name}/" for name in ("pyodide", "locales", "previews", "images")))  # fmt: skip
PYTHON = r"^_static/pyodide/.*(?<!\.txt)$|^_static/in_the_page\.py$|^download/[^/]*\.whl$"  # what a Run button loads
MARK = '<path d="M820 200h90v60h60v50h50v60" transform="translate(0 40)" fill="none" stroke="#cfe0ee" stroke-width="30"/>'
LICENCE = "https://creativecommons.org/licenses/by/4.0/"
GIVEN = {
    "book/cover": "An executable textbook of ranking metrics: each derived with SymPy, implemented in NumPy, and every numbered claim checked by a machine.",
    "book/bibliography": "Bibliography: the papers, books and theses that this textbook of ranking metrics cites, from retrieval, statistics and mathematics.",
    "genindex": "Index: every term, definition and theorem of the book, in alphabetical order, each with the place where it appears.",
    "search": "Search: metrics under all their names, functions, claims, exercises, and the words of every page.",
    "404": "There is no page at this address. The contents of the book and its search lead to the pages that exist.",
}

CITED = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))["preferred-citation"]
AUTHORS = [author["name"] for author in CITED["authors"]]


# ---- What a page says of itself --------------------------------------------------------------------------------


def described(page, title, document):
    """A description of 50 to 160 characters: the title of a chapter and its answer, or the first sentences of another page."""
    if page in GIVEN:
        return GIVEN[page]
    paragraphs = [node for node in document.findall(nodes.paragraph) if node.astext().strip()] or [document.next_node(nodes.title)]
    opening = next((node for node in paragraphs if _answers(node)), paragraphs[0]) if page in chapters() else paragraphs[0]
    text = " ".join("".join(_words(opening)).split())
    if page in chapters():
        text = f"{title}: {text}"
    if len(text) <= LONGEST:
        return text
    sentences = re.match(rf".{{{SHORTEST},{LONGEST - 1}}}[.?!](?= )", text)
    return sentences[0] if sentences else text[: LONGEST - 1].rpartition(" ")[0].rstrip(",;: ") + "…"


def _answers(paragraph):
    """Whether a paragraph begins with a sentence in bold: the answer to the question above it."""
    first = next((child for child in paragraph if child.astext()), None)
    return isinstance(first, nodes.strong) and first.astext().rstrip()[-1:] in tuple(".?!")


def structured(app, page, title, description, address):
    """The page as schema.org describes books, chapters and what one learns from."""
    authors = [{"@type": "Organization", "name": name} for name in AUTHORS]
    book = {"@type": ["Book", "LearningResource"], "name": app.config.html_title, "author": authors, "inLanguage": "en",
            "license": LICENCE, "bookFormat": "https://schema.org/EBook", "isAccessibleForFree": True, "learningResourceType": "textbook",
            "educationalLevel": "undergraduate and graduate", "about": ["ranking metrics", "information retrieval", "premise selection"],
            **({"url": urljoin(app.config.html_baseurl, "book/cover.html")} if address else {})}  # fmt: skip
    if page == app.config.root_doc:
        return book | {"@context": "https://schema.org", "description": description}
    kind = {"@type": ["Chapter", "LearningResource"], "position": chapters().index(page) + 1} if page in chapters() else {"@type": "WebPage"}
    return {"@context": "https://schema.org", **kind, "name": title, "description": description, "inLanguage": "en", "license": LICENCE,
            "isPartOf": book, **({"url": address} if address else {})}  # fmt: skip


def describe(app, pagename, templatename, context, doctree):
    """Put into the head of a page what it says of itself."""
    if not doctree and pagename not in GIVEN and "about" not in context:
        return
    base = app.config.html_baseurl
    title = full_title(app.env, pagename) if doctree else {"genindex": "Index", "search": "Search"}.get(pagename) or context["title"]
    description = context.get("about") or described(pagename, app.env.titles[pagename].astext() if doctree else title, doctree)
    address = urljoin(base, f"{pagename}.html") if base and pagename != "404" else None
    said = {"description": description, "citation_title": title, "citation_author": "; ".join(AUTHORS), "citation_language": "en",
            "citation_inbook_title": app.config.html_title, "citation_publication_date": CITED["year"], "twitter:card": "summary_large_image",
            "og:title": title, "og:description": description, "og:type": "book" if pagename == app.config.root_doc else "article",
            "og:site_name": app.config.html_title, "og:locale": "en_GB"}  # fmt: skip
    if pagename == "404":
        said["robots"] = "noindex"  # some hosts send it with the status of a page that exists
    if address:
        said["citation_public_url"] = said["og:url"] = address
        if svg_to_bytes:
            picture = urljoin(base, _picture(pagename if doctree else app.config.root_doc))
            said |= {"og:image": picture, "og:image:width": WIDE, "og:image:height": HIGH, "og:image:alt": f"The first figure of: {title}"}
    lines = [f'<meta {"property" if name.startswith("og:") else "name"}="{name}" content="{escape(str(value))}">' for name, value in said.items()]
    data = json.dumps(structured(app, pagename, title, description, address), ensure_ascii=False).replace("<", "\\u003c")
    lines.append(f'<script type="application/ld+json">{data}</script>')
    others = re.sub(r'<meta name="viewport"[^>]*>', "", context.get("metatags", ""))  # the theme has one
    context["metatags"] = "\n    ".join([others.strip(), *lines])
    if not address:
        context["pageurl"] = None


# ---- Pictures --------------------------------------------------------------------------------------------------


def _picture(page):
    return f"_static/previews/{page.split('/')[-1]}.png"


def first_figure(page):
    """The first figure that a notebook stores, as an element of SVG, or nothing."""
    path = ROOT / f"{page}.ipynb"
    stored = [data["image/svg+xml"] for cell in read(path).cells for data in cell.shown if "image/svg+xml" in data] if path.exists() else []
    return re.sub(r"^.*?(?=<svg)", "", "".join(stored[0]), flags=re.DOTALL) if stored else ""


def card(title, book, figure):
    """A picture for previews as SVG: the title above a figure, or the steps of the book's mark where a page has none."""
    lines = wrap(title, 38)
    text = "".join(f'<tspan x="64" dy="{56 * bool(i)}">{xml(line)}</tspan>' for i, line in enumerate(lines))
    top = 64 + 56 * len(lines)
    place = f'x="64" y="{top}" width="{WIDE - 128}" height="{HIGH - 80 - top}" '
    bare = re.sub(r' (?:width|height)="[^"]*"', "", figure[: figure.find(">")])
    shown = bare.replace("<svg ", f"<svg {place}", 1) + figure[figure.find(">") :] if figure else MARK
    return f"""<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="{WIDE}" height="{HIGH}" viewBox="0 0 {WIDE} {HIGH}">
<rect width="{WIDE}" height="{HIGH}" fill="#ffffff"/><rect width="16" height="{HIGH}" fill="#0b5c94"/>
<text y="96" font-family="DejaVu Serif" font-size="46" font-weight="bold" fill="#1b1f24">{text}</text>
<text x="64" y="{HIGH - 36}" font-family="DejaVu Sans" font-size="22" fill="#57606a">{xml(book)}</text>{shown}</svg>"""


def draw(svg, path):
    """Draw an SVG as PNG with the fonts that Matplotlib brings, so that every machine draws the same."""
    fonts = str(Path(matplotlib.get_data_path()) / "fonts" / "ttf")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(bytes(svg_to_bytes(svg_string=svg, font_dirs=[fonts], skip_system_fonts=True)))


# ---- The root of the site --------------------------------------------------------------------------------------

START = "The first page of the site leads to the cover of the textbook, whose chapters derive, compute and check the metrics of rankings."
INDEX = """<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>{book}</title>
<meta name="description" content="{description}">
<meta http-equiv="Refresh" content="0; url=book/cover.html"><link rel="icon" href="_static/favicon.svg">{canonical}
</head>
<body><h1>{book}</h1><p>The book begins <a href="book/cover.html">here</a>.</p></body>
</html>
"""


def page_not_found(app):
    """The page for addresses that lead nowhere, where the address of the site is known."""
    if app.config.html_baseurl:
        links = "".join(f'<li><a href="{page}.html">{escape(full_title(app.env, page))}</a></li>' for page in pages_in_order(app.config))
        words = 'There is no page at this address. You can <a href="search.html">search the book</a>, or choose a page.'
        yield "404", {"title": "Page not found", "body": f"<h1>Page not found</h1><p>{words}</p><ul>{links}</ul>"}, "page.html"


def at_any_depth(html, base):
    """A page whose relative links are from the root of the site on, for it is shown at addresses of any depth."""
    return re.sub(r'\b((?:href|src|action|data-content_root)=")(?![a-z]+:|#|/)(?:\./)?([^"]*")', rf"\g<1>{urlsplit(base).path}\g<2>", html)


def canonical(base, page):
    return f'\n<link rel="canonical" href="{escape(urljoin(base, f"{page}.html"))}">'


def write_site(app):
    """Write the pictures, and the files at the root of the site."""
    out, base, book = Path(app.outdir), app.config.html_baseurl, app.config.html_title
    cover = app.config.root_doc
    pages = pages_in_order(app.config)
    index = INDEX.format(book=escape(book), description=escape(START), canonical=canonical(base, cover) if base else "")
    (out / "index.html").write_text(with_policy(app.config, index), encoding="utf-8")
    (out / ".nojekyll").touch()
    (out / "robots.txt").write_text("User-agent: *\nAllow: /\n" + (f"Sitemap: {urljoin(base, 'sitemap.xml')}\n" if base else ""), encoding="utf-8")
    icons = [{"src": "_static/favicon.svg", "sizes": "any", "type": "image/svg+xml"}]
    if svg_to_bytes:
        icon = out / "_static" / "icon-512.png"
        draw(re.sub(r"<svg ", '<svg width="512" height="512" ', (out / "_static" / "favicon.svg").read_text(encoding="utf-8"), count=1), icon)
        icons.append({"src": "_static/icon-512.png", "sizes": "512x512", "type": "image/png"})
        for page in pages if base else []:
            draw(card(app.env.titles[page].astext(), book, first_figure(page)), out / _picture(page))
    manifest = {"name": book, "short_name": "Ranking metrics", "start_url": f"{cover}.html", "display": "minimal-ui", "icons": icons}
    (out / "manifest.webmanifest").write_text(json.dumps(manifest), encoding="utf-8")
    if base:
        decks = [deck.relative_to(out).with_suffix("").as_posix() for deck in sorted(out.glob("slides/*.html"))]
        for deck in decks:
            path = out / f"{deck}.html"
            path.write_text(path.read_text(encoding="utf-8").replace("</title>", f"</title>{canonical(base, deck)}", 1), encoding="utf-8")
        places = "".join(f"<url><loc>{xml(urljoin(base, f'{page}.html'))}</loc></url>\n" for page in (*pages, *decks))
        (out / "sitemap.xml").write_text(f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n{places}</urlset>\n', encoding="utf-8")
        lost = out / "404.html"
        lost.write_text(at_any_depth(lost.read_text(encoding="utf-8"), base), encoding="utf-8")
    for template in (out / "_static").glob("*webpack-macros.html"):
        template.unlink()  # no page loads them
    files = {path.relative_to(out).as_posix(): path.read_bytes() for path in sorted(out.rglob("*")) if path.is_file()}
    files["service-worker.js"] = service_worker(files, not app.config.page_python_distribution).encode()
    (out / "service-worker.js").write_bytes(files["service-worker.js"])
    pack(out / "download" / "site.zip", {f"ranking-book/{name}": content for name, content in files.items() if name not in NOT_PACKED})


def service_worker(files, brings_python=True):
    """What keeps the site for reading offline: it names the build, so that a newer one takes its place, and the files of the book and of Python."""
    book = {name: content for name, content in files.items() if not name.startswith(NOT_READ) and name.endswith(READ)}
    python = {name: content for name, content in files.items() if brings_python and re.search(PYTHON, name)}
    build = hashlib.sha256(b"".join(hashlib.sha256(content).digest() for content in (*book.values(), *python.values()))).hexdigest()[:12]
    parts = {part: {"bytes": sum(map(len, kept.values())), "files": [*kept]} for part, kept in (("book", book), ("python", python)) if kept}
    script = (Path(__file__).parent / "service_worker.js").read_text(encoding="utf-8")
    return minified("service-worker.js", script.replace("{build}", build).replace("{parts}", json.dumps(parts)))
