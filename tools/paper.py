"""The book on paper, printed by Chromium from the built pages: _build/pdf/book.pdf, or one page of it.

    make pdf
    make pdf PAGE=average-precision

It is printed twice: the first time says on which page everything stands, for the contents, the index, and the blank
pages before chapters, which begin on the right. Links lead within the file; solutions stand at the end.
"""

import re
import shutil
import subprocess
import sys
from functools import partial
from html import escape
from pathlib import Path

from bs4 import BeautifulSoup
from playwright.sync_api import sync_playwright
from pypdf import PdfReader

from book._sphinx.paths import BUILD, HTML
from book._sphinx.still_pages import read
from tools.built_pages import BOOK, BROWSER_ONLY, as_xml, contents, lead, light_colours, name_of, resolved

NOT_PRINTED = BROWSER_ONLY | {"book/api-reference", "book/cover", "book/claims", "book/publish"}  # what stands elsewhere in the book, or is of use online only
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--allow-file-access-from-files", "--disable-background-networking"]
say = partial(print, flush=True)
WIDTH = 665  # pixels between the margins of a page

# Elements that reach beyond the text, or show less than is in them.
CUT = """width => [...document.querySelectorAll(".formula, table, svg, pre, img, td, p, figure")].filter(element => {
  const box = element.getBoundingClientRect();
  return box.width && (box.right > width + 2 || box.left < -2 || (element.matches("pre, td") && element.scrollWidth > element.clientWidth + 2));
}).map(element => `${element.closest(".sheet")?.id}: ${element.outerHTML.slice(0, 160)}`)"""


# ---- One document ----------------------------------------------------------------------------------------------


def within(page, names):
    """Give every identifier on a page a form that is unique in the whole book, and let links and references follow."""
    lead(page, lambda name, anchor: name in names and (f"#{name}--{anchor}" if anchor else f"#{name}"))
    for tag in page.article.find_all(True):
        if tag.get("id"):
            tag["id"] = f"{page.name}--{tag['id']}"
        for key in tag.attrs.keys() & {"href", "xlink:href", "style", "clip-path"} if tag.name != "a" else ():
            tag[key] = re.sub(r"(^|url\()#", rf"\g<1>#{page.name}--", tag[key])


def solutions_of(page):
    """Take the solutions out of a page, each with the name of its exercise, which then says where its solution is."""
    for number, solution in enumerate(page.article.select("details.solution"), 1):
        exercise = solution.find_previous(class_=["exercise", "break-it"])
        title = exercise.find(class_="admonition-title") if exercise else None
        name, mark = title.get_text().strip() if title else "Exercise", f"{page.name}--solution-{number}"
        if title:
            title.append(BeautifulSoup(f' <a class="solution-of" href="#{mark}">(solution at the end)</a>', "html.parser"))
        solution.extract()
        solution.summary.decompose()
        solution.name, solution.attrs = "div", {"class": "solution", "id": mark}
        solution.insert(0, BeautifulSoup(f'<h3 class="solution-title">{escape(name)}</h3>', "html.parser"))
        yield solution


def sheet(name, title, body, kind="", blank=False):
    """A part of the book that begins on a new page, with its title at the top of every page."""
    rule = f'@page {name} {{ @top-right {{ content: "{title}"; font: italic 9pt serif; color: #444; }} }} #{name} {{ page: {name}; }}' if title else ""
    empty = '<div class="sheet blank">&nbsp;</div>' if blank else ""
    return f'<style>{rule}</style>{empty}<section class="sheet bd-article {kind}" id="{name}">{body}</section>'


class Book:
    """Everything that is printed, before the page numbers are known."""

    def __init__(self, html, only=""):
        self.html = html
        plan = [(kind, what) for kind, what in contents() if what not in NOT_PRINTED and only in ("", what.split("/")[-1])]
        if not plan:
            sys.exit(f"There is no page {only} in the book. PAGE takes the name of a page, such as average-precision")
        self.sheets, self.entries, solutions = [], [], []
        pages = {what: read(what, html) for kind, what in plan if kind == "page"}
        names = {page.name for page in pages.values()}
        colours = light_colours(html)
        for kind, what in plan:
            if kind == "part":
                self.add(name_of(what), what, f"<h1>{escape(what)}</h1>", "part-page", "part", head=False)
                continue
            page = pages[what]
            for fold in page.article.select("details:not(.solution), details:not(.solution) > summary"):
                fold.name = "div"
            within(page, names)
            if found := "".join(resolved(as_xml(each), colours) for each in solutions_of(page)):
                solutions.append(f"<h2>{escape(page.title)}</h2>{found}")
            sections = []
            for number, heading in enumerate(page.article.find_all("h2"), 1):  # a section can begin on the page before its heading
                heading["id"] = f"{page.name}--heading-{number}"
                sections.append((heading["id"], heading.get_text(" ").strip()))
            self.add(page.name, page.title, resolved(as_xml(page.article), colours), sections=sections)
        if solutions:
            self.add("solutions", "Solutions", "<h1>Solutions</h1>" + "".join(solutions), "solutions")
        self.index = [] if only else list(index_entries(html, names))
        self.only = only

    def add(self, name, title, body, kind="", level="page", sections=(), head=True):
        self.sheets.append((name, title if head else "", body, kind))
        self.entries.append((level, name, title))
        self.entries += [("section", anchor, words) for anchor, words in sections]

    def document(self, pages):
        """The whole book as HTML; `pages` has the page numbers, if they are known."""
        blank, shift = set(), {}
        for name, *_ in self.sheets if pages and not self.only else ():
            if (pages[name] + len(blank)) % 2 == 0:  # each begins on the right, on an odd page, and each blank page moves what comes after it
                blank.add(name)
            shift[name] = len(blank)

        def number(anchor):
            return pages[anchor] + shift.get(anchor.partition("--")[0], 0) if anchor in pages else ""

        lines = "".join(f'<p class="{level}"><a href="#{anchor}"><span class="words">{escape(words)}</span><span>{number(anchor)}</span></a></p>'
                        for level, anchor, words in self.entries)  # fmt: skip
        title = f'<h1>{BOOK}</h1><p>An executable textbook of ranking metrics</p><p class="last">Text and figures: CC BY 4.0. Code: MIT.</p>'
        body = "" if self.only else sheet("title", "", title, "title-page")
        body += sheet("contents", "Contents" if not self.only else "", f"<h1>Contents</h1><div class='lines'>{lines}</div>", "contents")
        body += "".join(sheet(name, title, text, kind, name in blank) for name, title, text, kind in self.sheets)
        if self.index:
            items = "".join(f"<li>{escape(words)}, " + ", ".join(f'<a href="#{anchor}">{number(anchor) or "000"}</a>' for anchor in anchors) + "</li>"
                            for words, anchors in self.index)  # fmt: skip
            body += sheet("index", "Index", f"<h1>Index</h1><ul>{items}</ul>", "index")
        sheets = re.findall(r'<link[^>]*href="\.\./(_static/[^"?]*\.css)[^"]*"', (self.html / "book/notation.html").read_text(encoding="utf-8"))
        links = "".join(f'<link rel="stylesheet" href="{(self.html / name).resolve().as_uri()}">' for name in sheets)
        style = (Path(__file__).parent / "paper.css").read_text(encoding="utf-8")
        return (f'<!DOCTYPE html><html lang="en" data-theme="light" data-mode="light"><head><meta charset="utf-8"><title>{BOOK}</title>{links}'
                f"<style>{style}</style></head><body>{body}</body></html>")  # fmt: skip


def index_entries(html, names):
    """The words of the index with their anchors, among those that are printed."""
    for line in BeautifulSoup((html / "genindex.html").read_text(encoding="utf-8"), "html.parser").select("table.genindextable li"):
        links = line.find_all("a", recursive=False)
        places = [re.fullmatch(r"book/([\w-]+)\.html#(.+)", link["href"]) for link in links]
        anchors = [f"{place[1]}--{place[2]}" for place in places if place and place[1] in names]
        if anchors:
            yield links[0].get_text().strip(), anchors


# ---- Printing --------------------------------------------------------------------------------------------------


def printed(browser, text, out):
    """Print a document to a file."""
    source = out.with_suffix(".html")
    source.write_text(text, encoding="utf-8")
    page = browser.new_page()
    page.goto(source.resolve().as_uri(), wait_until="load", timeout=300_000)
    page.evaluate("document.fonts.ready.then(() => 1)")
    page.pdf(path=out, prefer_css_page_size=True, print_background=True, tagged=True, outline=True)
    page.close()


def page_numbers(path):
    """The page number, counted from 1, of each anchor to which a link leads."""
    reader = PdfReader(path)
    return {name.removeprefix("/"): reader.get_destination_page_number(place) + 1 for name, place in reader.named_destinations.items()}


def cut_elements(browser, path):
    """The elements of a document that paper would cut."""
    page = browser.new_page(viewport={"width": WIDTH, "height": 900})
    page.goto(path.resolve().as_uri(), wait_until="load", timeout=300_000)
    page.emulate_media(media="print")
    found = page.evaluate(CUT, WIDTH)
    page.close()
    return found


def write(out, html=HTML, only=""):
    """Print the book, or a page of it, to `out`, and return the elements that are cut."""
    out.parent.mkdir(parents=True, exist_ok=True)
    say("Reading the pages")
    book = Book(html, only)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=ARGUMENTS)
        say("Printing once, to see on which page everything stands")
        printed(browser, book.document({}), out)
        pages = page_numbers(out)
        say(f"Printing with the numbers of {len(pages)} places")
        printed(browser, book.document(pages), out)
        cut = cut_elements(browser, out.with_suffix(".html"))
        browser.close()
    if shutil.which("qpdf"):
        small = out.with_suffix(".small.pdf")
        options = ["--object-streams=generate", "--compress-streams=y", "--recompress-flate", "--compression-level=9"]
        subprocess.run(["qpdf", *options, out, small], check=True)
        small.replace(out)
    return cut


if __name__ == "__main__":
    only = sys.argv[1] if len(sys.argv) > 1 else ""
    out = BUILD / "pdf" / f"{only or 'book'}.pdf"
    for element in write(out, only=only):
        say(f"cut at the edge: {element}")
    say(f"{len(PdfReader(out).pages)} pages, {out.stat().st_size / 1e6:.1f} MB: {out}")
