"""The book for e-readers, as one EPUB 3: the text of the pages, formulas in MathML, figures in light colours.

    make epub

Each check is its one line, solutions stand open below their exercises. The same pages give the same bytes.
"""

import re
from pathlib import Path
from xml.sax.saxutils import escape
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

import matplotlib
from bs4 import BeautifulSoup
from resvg_py import svg_to_bytes

from book._sphinx.pages import STATIC
from book._sphinx.paths import BUILD, HTML
from book._sphinx.published import AUTHORS, CITED, GIVEN, LICENCE, MARK, first_figure
from book._sphinx.still_pages import read
from tools.built_pages import BOOK, as_xml, contents, draw_what_moves, lead, light_colours, name_of, resolved
from tools.paper_fonts import still

MATHML, SVG, XLINK = "http://www.w3.org/1998/Math/MathML", "http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"
STYLE = """body { line-height: 1.45 } h1, h2, h3, h4 { line-height: 1.2 }
pre { font-size: .8em; overflow-wrap: anywhere; white-space: pre-wrap } code { overflow-wrap: anywhere }
table { border-collapse: collapse; font-size: .9em; max-width: 100% }
td, th { border-bottom: 1px solid #888; padding: .2em .5em .2em 0; text-align: left; vertical-align: top }
td, th, p, li, dd, dt { overflow-wrap: anywhere }
table.steps, table.steps tbody, table.steps tr { display: block } table.steps { font-size: .75em } table.steps td { border: 0; display: inline-block }
figure { margin: 1em 0; text-align: center } figcaption { font-size: .9em; text-align: left }
.picture, .svg { background: #fff; border-radius: .4em; color: #1c1b1a; padding: .5em } svg { font-family: sans-serif; height: auto; max-width: 100% }
.admonition, .proof, .vote { border-left: 3px solid #5b87a3; margin: 1em 0; padding-left: .8em } .admonition-title, .summary { font-weight: bold }
.check-line, .chapter-line { font-size: .85em }
div.math, .formula { max-width: 100% } div.math { margin: .8em 0; overflow-x: auto; text-align: center } td .formula { overflow-wrap: anywhere }
img { max-width: 100% } .cover { margin: 0; text-align: center } .cover img { max-height: 100% }
nav ol { list-style: none; padding-left: 1.2em } .part { margin-top: 30%; text-align: center }
mtable { font-size: .85em } .eqno { float: right } .column-name { font-size: .85em; font-weight: bold }
.strip i { border: 1px solid; padding: 0 .2em }"""
CONTAINER = """<?xml version="1.0"?>
<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>
<rootfile full-path="book/book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>"""
KEPT = {"td": {"colspan", "rowspan"}, "th": {"colspan", "rowspan", "scope"}, "col": {"span"}}
CHANGED = "2026-11-23T00:00:00Z"
SUBTITLE = "An executable textbook of ranking metrics"
COVER = 1600, 2560  # pixels


def cover():
    """The cover as PNG: the title above the figure of the first page, in the fonts of the book."""
    wide, high = COVER
    for name, weight in (("serif", 400), ("serif", 600), ("sans", 400)):
        still(STATIC / "fonts" / f"{name}.woff2", weight)
    lines = "".join(f'<tspan x="120" dy="{190 * bool(number)}">{escape(line)}</tspan>' for number, line in enumerate(("Precision,", "Recall,", "and All That")))
    figure = first_figure("book/cover") or f"<svg>{MARK}</svg>"
    head, end = figure.split(">", 1)
    bare = re.sub(r' (?:width|height)="[^"]*"', "", head)
    shown = bare.replace("<svg ", f'<svg x="120" y="1320" width="{wide - 240}" height="700" ', 1) + ">" + end
    svg = f"""<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="{wide}" height="{high}" viewBox="0 0 {wide} {high}">
<rect width="{wide}" height="{high}" fill="#fffefb"/><rect width="{wide}" height="1120" fill="#123a55"/>
<text y="370" font-family="Book Serif" font-size="176" fill="#ffffff">{lines}</text>
<text x="120" y="960" font-family="Book Serif" font-size="62" fill="#dbe7ef">{escape(SUBTITLE)}</text>
<text x="120" y="2420" font-family="Book Sans" font-size="46" fill="#55524e">{CITED["year"]}</text>{shown}</svg>"""
    fonts = [str(BUILD / "pdf" / "fonts"), str(Path(matplotlib.get_data_path()) / "fonts" / "ttf")]
    return bytes(svg_to_bytes(svg_string=svg, font_dirs=fonts, skip_system_fonts=True))


def clean(article):
    """Turn a page into valid XHTML, and return its anchors."""
    for columns in article.select(".formula [class^=columns-]"):  # a table of MathML, for readers have no grid
        cells = columns.find_all("math")  # pairs; four columns are two pairs, for which no reader has room
        markup = "".join(f"<mtd>{cell.decode_contents()}</mtd>" + "</mtr><mtr>" * (number % 2) for number, cell in enumerate(cells))
        table = f'<math displaystyle="true"><mtable columnalign="right left" displaystyle="true"><mtr>{markup}</mtr></mtable></math>'
        columns.replace_with(BeautifulSoup(table.replace("<mtr></mtr>", ""), "html.parser"))
    for math in article.select("math"):
        display = math.get("displaystyle")
        math.attrs = {"xmlns": MATHML, **({"displaystyle": "true"} if display else {})}
    for part in article.select("a.to-slides, svg.part, .how"):
        part.decompose()
    for option in article.select(".vote > .option"):
        letter = "ABCDEFGH"[len(option.find_previous_siblings(class_="option"))]
        option.p.insert(0, f"{letter}. ")
        if "right" in option["class"]:
            option.find_next_siblings("p")[-1].strong.string = f"{letter} is right."
    for fold in article.select("details"):
        fold.name = "div"
        if summary := fold.find("summary", recursive=False):
            summary.name, summary["class"] = "div", ["summary"]
    for button in article.select("button"):
        button.unwrap()
    for picture in article.select("svg"):
        picture["xmlns"], picture["xmlns:xlink"] = SVG, XLINK
        picture["style"] = f"width: {float(picture['width']) / 12:.1f}em"  # letters of a figure are as large as those of the text
        del picture["width"], picture["height"]
    seen = set()
    for tag in article.find_all(True):
        tag.attrs = {name: value for name, value in tag.attrs.items() if not name.startswith("data-")}
        if tag.name in ("table", "tr", "td", "th", "col", "thead", "tbody"):
            tag.attrs = {name: value for name, value in tag.attrs.items() if name in {"id", "class"} | KEPT.get(tag.name, set())}
        if tag.get("id"):
            tag["id"] = anchor(tag["id"])
            if tag["id"] in seen:
                del tag["id"]
            else:
                seen.add(tag["id"])
    return seen


def anchor(name):
    """An identifier that XML allows."""
    name = re.sub(r"[^\w.-]", "-", name)
    return name if re.match(r"[A-Za-z_]", name) else f"id-{name}"


def xhtml(title, body):
    names = 'xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops"'
    return (f'<?xml version="1.0" encoding="utf-8"?>\n<!DOCTYPE html>\n<html {names} xml:lang="en" lang="en">'
            f'<head><title>{escape(title)}</title><link rel="stylesheet" type="text/css" href="book.css"/></head><body>{body}</body></html>')  # fmt: skip


def navigation(order, titles):
    """The contents: pages below their parts, and landmarks."""
    lines, end = "", ""
    for kind, what in order:
        if kind == "part":
            lines += f'{end}<li><a href="{name_of(what)}.xhtml">{escape(what)}</a><ol>'
            end = "</ol></li>"
        else:
            lines += f'<li><a href="{what.split("/")[-1]}.xhtml">{escape(titles[what])}</a></li>'
    body = f'<nav epub:type="toc" id="toc"><h1>Contents</h1><ol>{lines}{end}</ol></nav>'
    marks = '<li><a epub:type="cover" href="title.xhtml">Cover</a></li><li><a epub:type="toc" href="nav.xhtml">Contents</a></li>'
    marks += '<li><a epub:type="bodymatter" href="precision-and-recall.xhtml">Precision and recall</a></li>'
    return xhtml("Contents", f'{body}<nav epub:type="landmarks" hidden="hidden"><h2>Landmarks</h2><ol>{marks}</ol></nav>')


def package(files):
    """The list of all files, and the metadata of the book."""
    items = "".join(f'<item id="{anchor(name)}" href="{name}" media-type="{kind}"{more}/>' for name, (kind, more, _) in files.items())
    spine = "".join(f'<itemref idref="{anchor(name)}"/>' for name, (kind, _, _) in files.items() if kind == "application/xhtml+xml")
    meta = {"schema:accessMode": ["textual", "visual"], "schema:accessModeSufficient": ["textual"], "schema:accessibilityHazard": ["none"],
            "schema:accessibilityFeature": ["MathML", "alternativeText", "structuralNavigation", "tableOfContents", "readingOrder"],
            "schema:accessibilitySummary": ["Formulas are MathML, every figure has a text, and the order of reading is that of the book."],
            "dcterms:modified": [CHANGED]}  # fmt: skip
    metas = "".join(f'<meta property="{name}">{escape(value)}</meta>' for name, values in meta.items() for value in values)
    creators = "".join(f"<dc:creator>{escape(name)}</dc:creator>" for name in AUTHORS)
    creator = escape(", ".join(AUTHORS))
    return (f'<?xml version="1.0" encoding="utf-8"?>\n<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id" xml:lang="en">'
            f'<metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:identifier id="id">urn:precision-recall-and-all-that:{CITED["year"]}</dc:identifier>'
            f"<dc:title>{BOOK}</dc:title><dc:language>en</dc:language>{creators}<dc:publisher>{creator}</dc:publisher><dc:date>{CHANGED[:10]}</dc:date>"
            f"<dc:description>{escape(GIVEN['book/cover'])}</dc:description><dc:rights>{LICENCE}</dc:rights>{metas}"
            f'<meta name="cover" content="cover.png"/></metadata><manifest>{items}</manifest><spine>{spine}</spine></package>')  # fmt: skip


def write(out, html=HTML):
    """Write the whole book to `out`."""
    order, colours = list(contents()), light_colours(html)
    pages = {what: read(what, html) for kind, what in order if kind == "page"}
    for page in pages.values():
        draw_what_moves(page)
    anchors = {page.name: clean(page.article) for page in pages.values()}
    text, titles = "application/xhtml+xml", {what: page.title for what, page in pages.items()}
    files = {"title.xhtml": (text, "", xhtml(BOOK, f'<section epub:type="cover" class="cover"><img src="cover.png" alt="{BOOK}"/></section>')),
             "nav.xhtml": (text, ' properties="nav"', navigation(order, titles))}  # fmt: skip

    def place_of(name, fragment):
        fragment = anchor(fragment) if fragment else ""
        if name in anchors and (not fragment or fragment in anchors[name]):
            return f"{name}.xhtml#{fragment}".removesuffix("#")

    for kind, what in order:
        if kind == "part":
            files[f"{name_of(what)}.xhtml"] = (text, "", xhtml(what, f'<section epub:type="part" class="part"><h1>{escape(what)}</h1></section>'))
        else:
            page = pages[what]
            lead(page, place_of)
            page.article.name, page.article.attrs = "section", {}
            body = resolved(as_xml(page.article), colours)
            holds = " ".join(name for name, sign in (("mathml", "<math"), ("svg", "<svg")) if sign in body)
            files[f"{page.name}.xhtml"] = (text, f' properties="{holds}"' if holds else "", xhtml(page.title, body))
    files |= {"book.css": ("text/css", "", STYLE), "cover.png": ("image/png", ' properties="cover-image"', cover())}
    with ZipFile(out, "w") as book:
        book.writestr(ZipInfo("mimetype"), "application/epub+zip", ZIP_STORED)
        book.writestr(ZipInfo("META-INF/container.xml"), CONTAINER, ZIP_DEFLATED)
        book.writestr(ZipInfo("book/book.opf"), package(files), ZIP_DEFLATED)
        for name, (_, _, content) in files.items():
            book.writestr(ZipInfo(f"book/{name}"), content, ZIP_DEFLATED)
    return len(pages)


if __name__ == "__main__":
    out = BUILD / "epub" / "book.epub"
    out.parent.mkdir(parents=True, exist_ok=True)
    print(f"{write(out)} pages, {out.stat().st_size / 1e6:.1f} MB: {out}")
