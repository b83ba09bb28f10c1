"""The book on paper, 17 by 24 centimetres, printed by Chromium from the built pages: _build/pdf/book.pdf, or one page of it.

    make pdf
    make pdf PAGE=average-precision
    make pdf PAGE=teaching            the volume for teachers, which the book leaves out

It is printed until no number of a page changes, some seven times. Links lead within the file; solutions and answers stand at the end.
"""

import re
import shutil
import subprocess
import sys
import time
from collections import Counter
from functools import partial
from html import escape
from itertools import chain, takewhile
from pathlib import Path

from bs4 import BeautifulSoup
from playwright.sync_api import sync_playwright
from pypdf import PdfReader, PdfWriter
from pypdf.generic import Fit

from book._sphinx.index_entries import IDEAS, LIBRARIES
from book._sphinx.paths import BUILD, HTML, chromium
from book._sphinx.published import AUTHORS, CITED, LICENCE
from book._sphinx.still_pages import read
from tools.built_pages import BOOK, BROWSER_ONLY, as_xml, contents, light_colours, name_of, resolved
from tools.paper_fonts import faces
from tools.paper_pages import REFERENCE, numbered, place, ready

ELSEWHERE = {"book/api-reference", "book/cover", "book/claims", "book/publish"}  # what stands elsewhere in the book, or is of use online only
NOT_PRINTED = BROWSER_ONLY | ELSEWHERE
VOLUMES = {"book/teaching"}  # what is printed by itself, not in the book
SUBTITLE = "An executable textbook of ranking metrics"
FRONT = Path(__file__).with_name("paper_front.html")
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--font-render-hinting=none", "--allow-file-access-from-files", "--disable-background-networking"]
MOST_PRINTS = 10
CLOSEST = 3  # how many times a chapter that ends on a few lines is set closer; where that does not help, it is set as the others
OFTEN = 6  # a heading that so many chapters have, such as "Exercises", is not listed in the contents, unless a chapter begins with it
say = partial(print, flush=True)
WIDTH = 506  # pixels between the margins of a page
FEW_LINES = 537  # points from the foot of a page: what ends above this has only a few lines on its last page

# Elements that reach beyond the text, or show less than is in them.
CUT = """() => [...document.querySelectorAll(".formula, table, svg, pre, img, td, p, figure")].filter(element => {
  const box = element.getBoundingClientRect(), text = document.body.getBoundingClientRect();
  const [left, right] = element.matches(".house-figure") ? [0, innerWidth] : [text.left - 2, text.right + 2];
  return box.width && (box.right > right || box.left < left || (element.matches("pre, td") && element.scrollWidth > element.clientWidth + 2));
}).map(element => `${element.closest(".sheet")?.id}: ${element.outerHTML.slice(0, 160)}`)"""

# Put each short result beside its code where both fit and nothing is cut; let what is said of a long step of a proof stand below it. What is
# short stands on one page; wide tables have smaller letters; a paragraph with a line much too short has its words one space apart, and no even edge.
FIT = """() => {
  const loose = text => {
    if (text.closest("td, th, figcaption, .option") || text.offsetHeight < 30) return false;  // one line
    text.style.textAlign = "left";
    const range = document.createRange(), lines = [], edge = text.getBoundingClientRect().right;
    range.selectNodeContents(text);
    for (const {bottom, right, height} of range.getClientRects()) {
      const line = lines.find(each => Math.abs(each.bottom - bottom) < 9 );
      if (line) line.right = Math.max(line.right, right); else if (height) lines.push({bottom, right});
    }
    text.style.textAlign = "";
    return lines.slice(0, -1).some(({right}) => edge - right > 60);
  };
  const balance = table => {  // columns as wide as make the table the least high
    const rows = [...table.rows], columns = rows[0].cells.length, room = table.offsetWidth, height = table.offsetHeight;
    if (columns < 3 || height < 22 * rows.length || rows.some(row => [...row.cells].some(cell => cell.colSpan > 1))) return;
    const widths = [...rows[0].cells].map(cell => cell.offsetWidth);
    table.style.width = "1px";
    const narrowest = () => [...rows[0].cells].map(cell => Math.max(34, cell.offsetWidth + 1));
    const ways = ["parted", "parted-anywhere"].filter(way => table.classList.contains(way)), parted = narrowest();
    table.classList.remove(...ways);
    const least = narrowest(), sum = lengths => lengths.reduce((one, other) => one + other);
    table.classList.add(...ways);
    table.style.width = "";
    while (sum(least) > room && sum(least) > sum(parted)) {  // words are parted in the columns that gain most by it
      const gains = least.map((width, column) => width - parted[column]), most = gains.indexOf(Math.max(...gains));
      least[most] = parted[most];
    }
    if (sum(least) <= room) least.forEach((width, column) => {
      const more = Math.max(0, width - widths[column]), widest = widths.indexOf(Math.max(...widths));
      widths[column] += more, widths[widest] -= more;
    });
    table.querySelector("colgroup")?.remove();
    const group = table.createCaption && document.createElement("colgroup");
    widths.forEach(() => group.append(document.createElement("col")));
    (table.caption ?? rows[0].parentElement).insertAdjacentElement(table.caption ? "afterend" : "beforebegin", group);
    table.style.tableLayout = "fixed";
    const set = wide => [...group.children].forEach((column, place) => column.style.width = `${wide[place]}px`);
    const range = document.createRange(), cells = rows.flatMap(row => [...row.cells]);
    const said = () => cells.reduce((sum, cell) => (range.selectNodeContents(cell), sum + range.getBoundingClientRect().height), 0);
    const cost = () => 1e5 * table.offsetHeight + said();  // the table first, then each cell
    set(widths);
    let best = cost();
    for (const step of [48, 24, 12, 6]) {
      for (let better = true; better;) {
        better = false;
        for (let from = 0; from < columns; from++) for (let to = 0; to < columns; to++) {
          if (from === to || widths[from] - step < least[from]) continue;
          widths[from] -= step, widths[to] += step;
          set(widths);
          const now = cost();
          if (now < best) best = now, better = true;
          else widths[from] += step, widths[to] -= step;
        }
      }
    }
    set(widths);
    if (table.offsetHeight > height) table.style.tableLayout = "", group.remove();
  };
  const outside = (part, edge) => part.getBoundingClientRect().right > edge + 1 || part.scrollWidth > part.clientWidth + 1;
  const cells = [...document.querySelectorAll(".cell:has(> .cell_input + .cell_output:last-child)")].filter(cell => !cell.querySelector("svg, table"));
  cells.forEach(cell => cell.classList.add("beside-code"));
  const wraps = formula => {
    formula.style.flexWrap = "nowrap";
    const wide = formula.scrollWidth > formula.clientWidth + 1;
    formula.style.flexWrap = "";
    return wide;
  };
  const unfit = cells.filter(({children: [code, result]}) => {
    const room = result.getBoundingClientRect();
    return code.getBoundingClientRect().height > 120 || room.width < 90 || room.height > 110
      || [...result.querySelectorAll("math, pre, .formula")].some(part => outside(part, room.right))
      || [...result.querySelectorAll(".math > .formula")].some(wraps)
      || result.querySelector("pre")?.textContent.split("\\n").some(line => line.length * 6 + 20 > room.width);
  });
  unfit.forEach(cell => cell.classList.remove("beside-code"));
  const long = [...document.querySelectorAll("table.steps")].filter(table => table.scrollWidth > table.parentElement.clientWidth + 1
    || table.getBoundingClientRect().width > table.parentElement.clientWidth + 1);
  long.forEach(table => table.classList.add("long"));
  document.querySelectorAll("table.steps, pre, .admonition, p, table:not(.metric-sheet)").forEach(each => {
    const lead = each.matches(".leads") ? 110 : 70;
    const most = each.matches("p") ? lead : each.matches("pre") ? 160 : each.matches("table:not(.steps)") ? 200 : each.matches(".proof") ? 320 : 240;
    each.classList.toggle("short", each.offsetHeight < most);
  });
  for (const text of document.querySelectorAll("p")) {  // one line that announces what follows
    const announces = text.offsetHeight < 22 && !text.closest("td, th, li, figcaption, .vote");
    const other = "p, ul, ol, dl, h2, h3, h4, section, .vote, .exercise, .in-a-hurry, .report";
    if (announces && text.nextElementSibling?.matches(`:not(${other})`)) text.classList.add("leads");
  }
  for (const formula of document.querySelectorAll(".metric-sheet td .formula")) {
    formula.classList.toggle("tight", formula.getBoundingClientRect().right > formula.closest("td").getBoundingClientRect().right - 4);
  }
  const wide = table => table.scrollWidth > table.parentElement.clientWidth + 1 || outside(table, document.body.getBoundingClientRect().right);
  for (const table of document.querySelectorAll("table:not(.steps)")) {  // smaller letters, before words are parted anywhere
    ["small", "parted", "smaller", "parted-anywhere"].forEach(way => wide(table) && table.classList.add(way));
  }
  document.querySelectorAll("table:not(.steps, .metric-sheet)").forEach(balance);
  for (const text of document.querySelectorAll("p, li")) if (loose(text)) text.classList.add("ragged");
}"""


# ---- One document ----------------------------------------------------------------------------------------------


def quoted(words):
    return words.replace("\\", "\\\\").replace('"', '\\"')


def sheet(name, left, right, body, kind=""):
    """A part of the book that begins on a new page, with what stands at the top of its pages, left and right."""
    heads = "".join(f'@page {name}:{side} {{ @top-{side} {{ content: "{quoted(words)}"; }} }} ' for side, words in (("left", left), ("right", right)))
    style = f"<style>{heads}#{name} {{ page: {name}; }}</style>" if left else ""
    return f'{style}<section class="sheet {kind}" id="{name}">{body}<div id="{name}--end"></div></section>'


class Book:
    """Everything that is printed, before the page numbers are known."""

    def __init__(self, html, only=""):
        plan = [(kind, what) for kind, what in contents() if what not in NOT_PRINTED and (what.split("/")[-1] == only if only else what not in VOLUMES)]
        if not plan:
            sys.exit(f"There is no page {only} in the book. PAGE takes the name of a page, such as average-precision")
        self.only, self.sheets, self.entries, answers = only, [], [], []  # entries: level, anchor, words
        pages = {what: read(what, html) for kind, what in plan if kind == "page"}
        names = {page.name for page in pages.values()}
        said = {what: ready(page, names) for what, page in pages.items()}
        self.index = [] if only else [(words, exactly(words, anchors, pages)) for words, anchors in index_entries(html, names)]
        colours, part, opening = light_colours(html), BOOK, ""
        for kind, what in plan:
            if kind == "part":
                part, anchor = what, name_of(what)
                opening = f'<p class="part-line" id="{anchor}">{escape(what)}</p>'
                self.entries.append(("part", anchor, what))
                continue
            page = pages[what]
            if found := "".join(resolved(each, colours) for each in said[what]):
                answers.append(f'<h2 id="answers-{page.name}">{escape(page.title)}</h2>{found}')
            self.entries.append(("page", page.name, page.title))
            for number, heading in enumerate(page.article.find_all("h2"), 1):
                heading["id"] = heading.get("id") or f"{page.name}--heading-{number}"
                self.entries.append(("section", heading["id"], re.sub(r"\s+", " ", heading.get_text(" ")).strip()))
            page.article.name = "div"
            self.sheets.append(sheet(page.name, part, page.title, opening + resolved(as_xml(page.article), colours)))
            opening = ""
        if answers:
            self.add("answers", "Solutions and answers", "".join(answers))
        if self.index:
            self.add("index", "Index", index(self.index))
        self.references = {found[2]: found[1] for each in self.sheets for found in REFERENCE.finditer(each)}  # each with its target
        self.style = faces() + Path(__file__).with_name("paper.css").read_text(encoding="utf-8")

    def add(self, name, title, body):
        self.entries.append(("page", name, title))
        self.sheets.append(sheet(name, BOOK, title, f"<h1>{title}</h1>{body}", name))

    def document(self, pages, here, tight, settled):
        """The whole book as HTML: `pages` has the page numbers, `here` the references that stand on the page of their target and so name none.

        The parts that `tight` names are set closer, some more than once; until that is settled, references and the end of each part have a place.
        """
        often = Counter(re.sub(r"^[A-Z\d.]+ ", "", words) for level, _, words in self.entries if level == "section")
        begin = {words.partition(" ")[2] for level, _, words in self.entries if level == "section" and ".1. " in words}
        listed = [(level, anchor, words) for level, anchor, words in self.entries if self.only or level != "section"
                  or re.match(r"[A-Z\d]+\.\d", words) and (often[words.partition(" ")[2]] < OFTEN or words.partition(" ")[2] in begin)]  # fmt: skip
        lines = "".join(f'<p class="{level}"><a href="#{anchor}"><span class="words">{escape(words)}</span><span>{place(anchor)}</span></a></p>'
                        for level, anchor, words in listed)  # fmt: skip
        body = f'<section class="front">{front_matter()}</section>' if not self.only else ""
        body += sheet("contents", BOOK, "Contents", f"<h1>Contents</h1><div class='lines'>{lines}</div>")
        body += "".join(self.sheets)
        body = REFERENCE.sub(lambda found: f'<span id="{found[2]}"></span>' if found[2] in here else found[0], body)
        if not settled:  # only what is linked to has a place
            ends = (f"{name}--end" for level, name, _ in self.entries if level == "page")
            links = " ".join(f'<a href="#{name}">·</a>' for name in (*self.references, *ends))  # a line must end somewhere, or all is printed smaller
            body += f'<section class="sheet">{links}</section>'
        if self.index and pages:
            body = INDEXED.sub(lambda found: merged(found[0], pages), body)
        for name in (name for name in tight if tight[name] <= CLOSEST):
            body = body.replace(f' id="{name}">', f' id="{name}" data-tight="{tight[name]}">', 1)
        return (f'<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>{BOOK}</title>'
                f"<style>{self.style}</style></head><body>{numbered(body, pages)}</body></html>")  # fmt: skip


def front_matter():
    """Title, imprint and preface."""
    title = CITED["title"]
    said = {"book": BOOK, "subtitle": SUBTITLE, "authors": ", ".join(AUTHORS), "year": CITED["year"], "title": title, "version": version(),
            "checks": place("how-to-use")}  # fmt: skip
    return FRONT.read_text(encoding="utf-8").format(**{name: escape(str(value)) for name, value in said.items()})


def version():
    return re.search(r"^version: (.*)", (Path(__file__).parents[1] / "CITATION.cff").read_text(encoding="utf-8"), re.MULTILINE)[1]


# ---- The index ---------------------------------------------------------------------------------------------------

INDEXED = re.compile(r'(?<=<span class="places">).*?(?=</span>)')


def index_entries(html, names):
    """The words of the index with their anchors, among those that are printed."""
    for line in BeautifulSoup((html / "genindex.html").read_text(encoding="utf-8"), "html.parser").select("table.genindextable li"):
        links = line.find_all("a", recursive=False)
        places = [re.fullmatch(r"book/([\w-]+)\.html#(.+)", link["href"]) for link in links]
        anchors = [f"{place[1]}--{place[2]}" for place in places if place and place[1] in names]
        if anchors:
            yield links[0].get_text().strip(), anchors


def exactly(words, anchors, pages):
    """The anchors of a word, each where its section says it; of an entry of the glossary, also where the chapter to which that leads explains it."""
    found, articles = [], {page.name: page.article for page in pages.values()}
    for number, anchor in enumerate(anchors):
        here = articles[anchor.partition("--")[0]].find(id=anchor)
        if here is None:  # in a solution
            found.append(anchor)
            continue
        if here.name == "dt":
            found.append(anchor)
            block = explained(words, here, articles)
        else:
            block = first_said(around(here), said_as(words)) or here
        if block is not None:
            block["id"] = block.get("id") or f"{anchor}--{number}-{re.sub(r'[^a-z]+', '-', words.lower())}"
            found.append(block["id"])
    return [*dict.fromkeys(found)]


def explained(words, term, articles):
    """The block where the chapter to which an entry of the glossary leads explains the word, or another one of that entry."""
    links = term.find_next_sibling("dd").find_all("a", class_="reference", href=re.compile("^#"))
    target = links[-1]["href"][1:] if links else ""
    place = articles.get(target) or next((part for article in articles.values() if (part := article.find(id=target))), None)
    others = (takewhile(lambda tag: tag.name == "dt", tags) for tags in (term.find_next_siblings(True), term.find_previous_siblings(True)))
    entry = [words, term.get_text().strip(), *(other.get_text().strip() for other in chain.from_iterable(others))]
    return next(filter(None, (first_said(around(place), said_as(word)) for word in entry)), None) if place else None


def around(place):
    """The section of a heading, or what else has an anchor."""
    return place.find_parent("section") or place if place.name in HEADINGS or place.find(HEADINGS, recursive=False) else place


HEADINGS = ["h1", "h2", "h3", "h4"]


def said_as(words):
    """How a word of the index is found in a text."""
    word = words.partition(",")[0]
    pattern = (LIBRARIES | IDEAS).get(word) or rf"\b{re.escape(word)}"
    return re.compile(pattern, 0 if any(letter.isupper() for letter in word) else re.IGNORECASE)


def first_said(region, pattern):
    """The block of a region that explains what the pattern finds, in bold or slanted letters or as a title, or else the first that says it."""
    has = lambda tag: pattern.search(tag.get_text().replace("\u00ad", ""))  # noqa: E731
    explained = region.find(lambda tag: (tag.name in ("strong", "em", "dfn") or "admonition-title" in tag.get("class", [])) and has(tag))
    block = explained.find_parent(["p", "li", "td"]) or explained if explained else None
    return block or next(filter(has, region.find_all(["p", "li", "td", "h2", "h3", "h4"])), None)


def index(entries):
    """The lines of the index, below the letter with which they begin."""
    lines, letter = [], ""
    for words, anchors in entries:
        if (begins := words[0].upper()) != letter:
            letter = begins
            lines.append(f'<li class="letter">{letter}</li>')
        links = ", ".join(f'<a href="#{anchor}">{place(anchor)}</a>' for anchor in anchors)
        lines.append(f'<li>{escape(words)}, <span class="places">{links}</span></li>')
    return f"<ul>{''.join(lines)}</ul>"


def merged(links, pages):
    """The links of a line, in the order of their pages, one for each page."""
    anchors = {pages.get(anchor): anchor for anchor in reversed(re.findall(r'href="#([^"]*)"', links))}
    return ", ".join(f'<a href="#{anchors[page]}">{place(anchors[page])}</a>' for page in sorted(anchors, key=lambda page: page or 0))


# ---- Printing --------------------------------------------------------------------------------------------------


def printed(browser, text, out):
    """Print a document to a file."""
    source = out.with_suffix(".html")
    source.write_text(text, encoding="utf-8")
    page = browser.new_page(viewport={"width": WIDTH, "height": 900})
    page.emulate_media(media="print")
    page.goto(source.resolve().as_uri(), wait_until="load", timeout=600_000)
    page.evaluate("document.fonts.ready.then(() => 1)")
    page.evaluate(FIT)
    page.pdf(path=out, prefer_css_page_size=True, print_background=True, tagged=True)
    page.close()


def places(path):
    """Where each anchor to which a link leads stands: the number of its page, counted from 1, and the points from the foot of the page."""
    reader = PdfReader(path)
    return {name.removeprefix("/"): (reader.get_destination_page_number(place) + 1, place.top) for name, place in reader.named_destinations.items()}


def ends_on_a_few_lines(found):
    """The names of the parts of the book whose last page has only a few lines."""
    for anchor, (page, height) in found.items():
        name = anchor.removesuffix("--end")
        if name != anchor and height > FEW_LINES and page > found[name][0]:
            yield name


HEAD = re.compile(rb"BT\n(?:(?!ET\n).)*? 4\d Tm\n.*?ET\n", re.DOTALL)  # the first words of a page, within 50 pixels from its edge


def without_head(page):
    """Take away what stands at the top of a page, on which a chapter begins."""
    content = page["/Contents"].get_object()
    content.set_data(HEAD.sub(b"", content.get_data(), count=1))


def cut_elements(browser, path):
    """The elements of a document that paper would cut."""
    page = browser.new_page(viewport={"width": WIDTH, "height": 900})
    page.goto(path.resolve().as_uri(), wait_until="load", timeout=600_000)
    page.emulate_media(media="print")
    page.evaluate(FIT)
    found = page.evaluate(CUT)
    page.close()
    return found


def describe(path, entries, title):
    """Write into a PDF what it is, and its bookmarks: the title, then parts, chapters and sections."""
    book = PdfWriter(clone_from=path)
    book.add_metadata({"/Title": title, "/Author": ", ".join(AUTHORS), "/Subject": f"{SUBTITLE}. {LICENCE}", "/Keywords": ", ".join(keywords())})
    reader = PdfReader(path)
    places = {name.removeprefix("/"): found for name, found in reader.named_destinations.items()}
    book.add_outline_item(title=title, page_number=0)
    above = {}
    for level, anchor, words in entries:
        parent = above.get("part") if level == "page" else above.get("page") if level == "section" else None
        if found := places.get(anchor):
            page = reader.get_destination_page_number(found)
            if level == "page":
                without_head(book.pages[page])
            above[level] = book.add_outline_item(title=words, page_number=page, parent=parent, fit=Fit.xyz(left=0, top=found.top), is_open=False)
        if level == "part":
            above.pop("page", None)
    book.page_mode = "/UseOutlines"
    book.write(path)


def keywords():
    listed = re.search(r"^keywords: \[(.*)\]", (Path(__file__).parents[1] / "CITATION.cff").read_text(encoding="utf-8"), re.MULTILINE)[1]
    return listed.split(", ")


def write(out, html=HTML, only=""):
    """Print the book, or a page of it, to `out`, and return the elements that are cut."""
    out.parent.mkdir(parents=True, exist_ok=True)
    say("Reading the pages")
    book = Book(html, only)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=ARGUMENTS)
        pages, here, back, tight, settled = {}, set(), set(), Counter(), False
        for count in range(1, MOST_PRINTS + 1):
            began = time.monotonic()
            printed(browser, book.document(pages, here, tight, settled), out)
            found = places(out)
            changed = sum(pages.get(anchor) != page for anchor, (page, _) in found.items())
            pages |= {anchor: page for anchor, (page, _) in found.items()}  # two entries of a word on one page: only one is a place in the next print
            say(f"Print {count}, {time.monotonic() - began:.0f} s: {changed} of {len(found)} page numbers are new")
            if settled and not changed:
                break
            if not settled:
                few = [name for name in ends_on_a_few_lines(found) if tight[name] <= CLOSEST] if count > 1 else []
                tight.update(few)
                now = {reference for reference, target in book.references.items() if pages.get(target) == pages.get(reference, "unknown")}
                left = here - now - back  # they get their number back, once: else some would come and go for ever
                settled = count == MOST_PRINTS - 2 or count > 1 and not (changed or few or now - here or left)
                here, back = (here | now) - left, back | left
        cut = cut_elements(browser, out.with_suffix(".html"))
        browser.close()
    describe(out, book.entries, BOOK if not only else book.entries[0][2])
    if shutil.which("qpdf"):
        small = out.with_suffix(".small.pdf")
        options = ["--object-streams=generate", "--compress-streams=y", "--recompress-flate", "--compression-level=9"]
        subprocess.run(["qpdf", *options, out, small], check=True)
        small.replace(out)
    return cut


if __name__ == "__main__":
    only, began = sys.argv[1] if len(sys.argv) > 1 else "", time.monotonic()
    out = BUILD / "pdf" / f"{only or 'book'}.pdf"
    for element in write(out, only=only):
        say(f"cut at the edge: {element}")
    minutes, seconds = divmod(round(time.monotonic() - began), 60)
    say(f"{len(PdfReader(out).pages)} pages, {out.stat().st_size / 1e6:.1f} MB, in {minutes} min {seconds} s: {out}")
