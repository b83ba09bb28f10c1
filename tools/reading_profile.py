"""What a reader meets on the page of each chapter: how long it is, what it consists of, how its sentences read.

    make reading-profile                                        the book as it was built
    make reading-profile PAGES=folder BESIDE=_build/html        another built book, and this one beside it

Pages are opened in Chromium, 1400 pixels wide; a screen has a height of 900. A block counts with the gap above it. Where blocks stand
side by side, in `.beside` or `.pair`, the height of the row counts once, divided by their areas. So the shares add up to the
text of the page, without its header and footer.

Sentences are those of the paragraphs that are seen as the page is opened: no lists, titles, tables, captions or outputs. A formula or
a name in code is a word, and a formula on lines of its own belongs to the sentence around it. Clipped is a block that hides or
scrolls a part of what is in it, or reaches into the next column or beyond the window, with all but the checks open.
"""

import argparse
import json
import re
from pathlib import Path
from shutil import which
from statistics import mean

from playwright.sync_api import sync_playwright

from book._sphinx.sources import ROOT, chapters

HEIGHT, WIDTHS = 900, (390, 1000, 1400, 1920)
SHORT = 8  # words

# The first that an element matches is its kind.
KINDS = {
    "checks": "details.check",
    "exercises": "#exercises *, .exercise, .solution",
    "headings": "h1, h2, h3, h4, summary:has(h2, h3, h4)",
    "figures": "figure, .ranking-lab, :is(div.cell, .pair-result):has(svg.house-figure, figure, img)",
    "shipped sources": ".source-listing, div.cell:has(.source-listing)",
    "definitions and theorems": ".definition, .theorem, .proposition, .lemma, .corollary",
    "proofs": ".proof",
    "cards and boxes": ".admonition, .chapter-line",
    "formulas": "div.math, .pair-formula, :is(div.cell, .pair-result):has(.math)",
    "code": "div.cell, .cell_input, details.fold, div.highlight, .pair-code, .pair-result",
    "prose": "*",
}

MEASURE = r"""kinds => {
  const article = document.querySelector("article.bd-article"), all = (selector, within = article) => [...within.querySelectorAll(selector)];
  const box = e => e.getBoundingClientRect(), area = e => box(e).width * box(e).height, from_top = e => e ? [box(e).top + scrollY] : [];
  const seen = e => e.checkVisibility() && box(e).height > 0, sum = numbers => numbers.reduce((a, b) => a + b, 0);
  const measures = {};
  const add = (name, number) => measures[name] = (measures[name] || 0) + number;

  const TIERS = {"deeper": "#deeper", "real data": "#real-data", "rest": "#what-goes-wrong-in-practice, #exercises, #further-reading"};
  const kind = e => Object.keys(kinds).find(name => e.matches(kinds[name]));
  const tier = e => Object.keys(TIERS).find(name => e.closest(TIERS[name])) || "core";

  const ROW = ".beside, .pair", GROUP = `section, details.deeper, .beside-main, .beside-side, ${ROW}, :is(div.cell, div.cell *):has(.pair)`;
  const parts = e => {  // the blocks of a row or box: [kind, area]
    if (!seen(e)) return [];
    if (e.matches(GROUP)) return [...e.children].flatMap(parts);
    const inside = e.matches(kinds.checks) ? [] : all("details.check", e).filter(seen).map(check => ["checks", area(check)]);
    return [[kind(e), Math.max(0, area(e) - sum(inside.map(([, size]) => size)))], ...inside];
  };
  let bottom = box(article).top;  // down to here all is counted
  const visit = e => {
    if (!seen(e)) return;
    if (e.matches(GROUP) && !e.matches(ROW)) return [...e.children].forEach(visit);
    const height = Math.max(0, box(e).bottom - bottom), blocks = parts(e), whole = sum(blocks.map(([, size]) => size)) || 1;
    for (const [name, size] of blocks) add(name, height * size / whole);
    add(tier(e), height);
    bottom += height;
  };
  visit(article.querySelector("section"));

  const plain = e => {
    const copy = e.cloneNode(true);
    all(".proof-label", copy).forEach(label => label.remove());
    for (const formula of copy.matches(".math") ? [copy] : all(".math", copy))
      formula.textContent = "FORMULA" + (formula.querySelector(".katex-html")?.textContent.trim().match(/[.,;:?]$/) || "");
    for (const code of all("code", copy)) code.textContent = "CODE";
    return copy.textContent.trim();
  };
  const OTHER = "li, td, th, dd, figcaption, summary, .cell, .pair, .admonition-title, .chapter-line";
  const text = all("p, div.math").filter(e => seen(e) && !e.closest(OTHER)).map(e => [e.tagName === "P" ? "text" : "formula", plain(e)]);
  const code = all(":is(.cell_input, .source-listing, .pair-code) pre").filter(seen).map(pre => pre.textContent.split("\n").filter(line => line.trim()).length);
  const central = article.querySelector(`.pair, :is(${kinds["definitions and theorems"]}) div.math`);
  return {...measures, text, "code lines": sum(code), page: document.documentElement.scrollHeight,
          "to figure": from_top(all("figure, svg.house-figure, .ranking-lab").find(seen)), "to formula": from_top(central)};
}"""

OPEN = "() => document.querySelectorAll('details:not(.check)').forEach(fold => fold.open = true)"

# The outermost blocks of the article that show less than what is in them, and whether they scroll, from the keyboard too.
CLIPPED = r"""() => {
  const small = e => e.getBoundingClientRect().width < 2 || getComputedStyle(e).clipPath !== "none";  // for screen readers
  const clips = e => {
    const {overflowX, overflowY} = getComputedStyle(e), box = e.getBoundingClientRect();
    return e.scrollWidth > e.clientWidth + 1 && e.clientWidth > 0 && (overflowX !== "visible" || e.matches(".beside > *, .pair > *"))
      || e.scrollHeight > e.clientHeight + 4 && e.clientHeight > 0 && /hidden|clip/.test(overflowY)  // the box of a formula is larger than its ink
      || box.right > innerWidth + 1 || box.left < -1;
  };
  const blocks = [...document.querySelectorAll("article.bd-article :not(.katex, .katex *, svg, svg *)")];
  const found = blocks.filter(e => e.checkVisibility() && !small(e) && clips(e));
  const scrolls = e => /auto|scroll/.test(getComputedStyle(e).overflowX) && e.tabIndex === 0;
  return found.filter(e => !found.some(other => other !== e && other.contains(e))).map(e => ({html: e.outerHTML.slice(0, 100), scrolls: scrolls(e)}));
}"""


# ---- How sentences read ------------------------------------------------------------------------------

END = re.compile(r"(?<=[.?!…])[”\"’')\]]*\s+(?=[“\"‘'(\[]*[A-Z0-9])")
ABBREVIATED = re.compile(r"\b(?:e\.g|i\.e|cf|vs|al|pp?|[Ff]igs?|[Ee]qs?|[Nn]o|Dr|St|[A-Z])\.$")


def paragraphs(text):
    """The paragraphs of a page, from its ("text" or "formula", words) in order."""
    found, before = [], None
    for kind, words in text:
        goes_on = kind == "formula" or before == "formula" and words[:1].islower()
        if found and goes_on and not found[-1].endswith((".", "?", "!")):
            found[-1] += f" {words}"
        else:
            found.append(words)
        before = kind
    return found


def sentences(paragraph):
    """The sentences of a paragraph; an abbreviation ends none."""
    found, start = [], 0
    for end in END.finditer(paragraph):
        if not ABBREVIATED.search(paragraph[start : end.start()]):
            found.append(paragraph[start : end.end()].strip())
            start = end.end()
    return [*found, paragraph[start:].strip()]


def lengths(text):
    """How many words each sentence has, without formulas that stand for themselves."""
    found = (re.findall(r"\S*\w\S*", sentence) for paragraph in paragraphs(text) for sentence in sentences(paragraph))
    return [len(words) for words in found if any(not re.search("FORMULA|CODE", word) for word in words)]


# ---- The measures of pages, and their tables -----------------------------------------------------------


def measured(page, address):
    """The measures of a page: numbers, and lists where the mean or a share is wanted."""
    page.set_viewport_size({"width": 1400, "height": HEIGHT})
    page.goto(address)
    page.evaluate("document.fonts.ready")
    measures = page.evaluate(MEASURE, KINDS)
    measures["sentences"] = lengths(measures.pop("text"))
    page.evaluate(OPEN)
    measures["opened"] = page.evaluate("document.documentElement.scrollHeight")
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": HEIGHT})
        measures[f"clipped at {width}"] = len(page.evaluate(CLIPPED))
    return measures


def total(pages):
    """The measures of all pages together: numbers are added, lists are joined."""
    names = dict.fromkeys(name for measures in pages for name in measures)
    empty = {name: [] if any(isinstance(measures.get(name), list) for measures in pages) else 0 for name in names}
    return {name: sum((measures.get(name, empty[name]) for measures in pages), empty[name]) for name in names}


def screens(name):
    return lambda page: page.get(name, 0) / HEIGHT


def mean_of(name, divisor=1):
    return lambda page: mean(page[name]) / divisor if page[name] else float("nan")


def share(kind):
    return lambda page: page.get(kind, 0) / sum(page.get(name, 0) for name in KINDS)


# Title of a table -> column -> (value from the measures of a page, its format).
TABLES = {
    "Screens": {
        "as opened": (screens("page"), ".1f"), "all but checks open": (screens("opened"), ".1f"),
        **{tier: (screens(tier), ".1f") for tier in ("core", "deeper", "real data", "rest")},
        "to the first figure": (mean_of("to figure", HEIGHT), ".1f"), "to the central formula": (mean_of("to formula", HEIGHT), ".1f"),
    },
    "Share of the height": {kind: (share(kind), ".0%") for kind in reversed(KINDS)},
    "Reading": {
        "sentences": (lambda page: len(page["sentences"]), ".0f"),
        f"of at most {SHORT} words": (lambda page: mean(length <= SHORT for length in page["sentences"]), ".0%"),
        "mean words": (mean_of("sentences"), ".1f"),
        "code lines": (lambda page: page["code lines"], ".0f"),
        "code lines per 1,000 words": (lambda page: 1000 * page["code lines"] / sum(page["sentences"]), ".0f"),
        **{name: (lambda page, name=name: page[name], ".0f") for name in (f"clipped at {width}" for width in WIDTHS)},
    },
}  # fmt: skip


def table(columns, *books):
    """A table in Markdown: a row a chapter and a total, of one book, or of two with the change."""
    def cell(value, form, *pages):
        values = [value(page) for page in pages]
        change = f" ({values[-1] - values[0]:+{form}})" if len(pages) > 1 else ""
        return (" → ".join(format(each, form) for each in values) + change).replace("nan", "–")

    yield "| chapter | " + " | ".join(columns) + " |"
    yield "| --- |" + " ---: |" * len(columns)
    for name in books[0]:
        yield f"| {name} | " + " | ".join(cell(value, form, *(book[name] for book in books)) for value, form in columns.values()) + " |"


def main():
    parser = argparse.ArgumentParser(prog="python -m tools.reading_profile", description=__doc__.split("\n")[0])
    parser.add_argument("chapters", nargs="*", default=chapters(), help="such as book/notation.ipynb (all chapters)")
    parser.add_argument("--pages", type=Path, default=ROOT / "_build" / "html", help="a built book (%(default)s)")
    parser.add_argument("--beside", type=Path, help="another, to compare with")
    parser.add_argument("--json", type=Path, help="a file for the measures")
    options = parser.parse_args()
    folders = [folder for folder in (options.pages, options.beside) if folder]
    names = [Path(name).stem for name in options.chapters]
    names = [name for name in names if all((folder / "book" / f"{name}.html").exists() for folder in folders)]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=which("chromium"), args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page(color_scheme="light")
        books = [{name: measured(page, (folder / "book" / f"{name}.html").resolve().as_uri()) for name in names} for folder in folders]
        browser.close()
    for book in books:
        book["all"] = total(list(book.values()))
    for title, columns in TABLES.items():
        print(f"\n## {title}\n", *table(columns, *books), sep="\n")
    if options.json:
        options.json.write_text(json.dumps(books, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
