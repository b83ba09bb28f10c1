"""The built book: its links, what its pages show of the sources, and that a broken page cannot pass unseen."""

import atexit
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from functools import cache
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urldefrag, urlsplit

import nbformat
import pytest
from docutils import nodes
from sphinx.errors import ExtensionError

from book._sphinx import claims_page, katex_formulas, search_excerpts, sources, theme_edits
from tools.__main__ import HTML, is_built

ROOT = Path(__file__).resolve().parent.parent
NOTEBOOKS = [sources.read(path) for path in sorted((ROOT / "book").glob("*.ipynb"))]
CHAPTERS = [sources.read(ROOT / f"{page}.ipynb") for page in sources.chapters()]


# ---- The book under test ---------------------------------------------------------------------------


def build(source, target):
    """Build a book; return the finished process."""
    command = [Path(sys.executable).with_name("jupyter-book"), "build", source, "-n", "-W", "--keep-going", "--path-output", target]
    return subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False)


@cache
def book_folder():
    """The folder of the built book: that of `make book` if it is newer than every source, else a new build."""
    if is_built():
        return HTML
    target = Path(tempfile.mkdtemp(prefix="book-"))
    atexit.register(shutil.rmtree, target, ignore_errors=True)
    done = build(ROOT, target)
    assert done.returncode == 0, "\n".join(re.findall(r".*(?:WARNING|ERROR|Exception).*", done.stdout + done.stderr))
    return target / "_build" / "html"


def pages_of(folder):
    """The pages of the book, as paths within its folder."""
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.html") if "_static" not in path.parts)


class Page(HTMLParser):
    """What a page holds: its anchors, and all that it leads to or loads."""

    def __init__(self, html):
        super().__init__()
        self.anchors, self.links = [], []
        self.feed(html)

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        self.anchors += [given["id"]] if given.get("id") else []
        self.links += [given[key] for key in ("href", "src") if given.get(key) is not None and tag != "base"]

    handle_startendtag = handle_starttag


@cache
def html(path):
    return path.read_text(encoding="utf-8")


@cache
def parsed(path):
    return Page(html(path))


def text_of(html):
    """The text of some HTML, as it was typed: without the typographer's quotes and dots."""
    typed = {"…": "...", "“": '"', "”": '"', "’": "'", "‘": "'"}
    return unescape(re.sub(r"<[^>]+>", "", html)).translate(str.maketrans(typed))


# ---- The guards, and the book passes them ------------------------------------------------------------


def broken_links(folder):
    """Links and loads of the pages that lead to no file, or to no anchor, of the book."""
    broken = []
    for name in pages_of(folder):
        page = folder / name
        for link in parsed(page).links:
            path, anchor = urldefrag(link)
            if urlsplit(link).scheme or urlsplit(link).netloc:
                continue
            target = (page.parent / unquote(urlsplit(path).path)).resolve() if path else page
            if not target.is_file():
                broken.append(f"{name}: {link}: no such file")
            elif anchor and target.suffix == ".html" and unquote(anchor) not in parsed(target).anchors:
                broken.append(f"{name}: {link}: no such anchor")
    return broken


def repeated_anchors(html):
    """Identifiers that stand more than once in a page."""
    return sorted(anchor for anchor, count in Counter(Page(html).anchors).items() if count > 1)


def icons_without_picture(html, css):
    """Icons of the theme for which book.css draws nothing."""
    used = set(re.findall(r"\bfa-[a-z-]+", " ".join(re.findall(r'<(?:i|span) class="([^"]*\bfa-[^"]*)"', html))))
    return sorted(name for name in used - {"fa-solid", "fa-lg", "fa-regular", "fa-brands"} if f".{name}" not in css)


@pytest.fixture(scope="module")
def folder():
    return book_folder()


def test_every_link_leads_somewhere(folder):
    assert broken_links(folder) == []


def test_no_anchor_is_repeated_and_every_icon_is_drawn(folder):
    css = html(folder / "_static" / "book.css")
    for name in pages_of(folder):
        assert (name, repeated_anchors(html(folder / name))) == (name, [])
        assert (name, icons_without_picture(html(folder / name), css)) == (name, [])


@pytest.mark.parametrize(
    ("link", "problem"),
    [("gone.html", "no such file"), ("other.html#gone", "no such anchor"), ("#gone", "no such anchor"), ("_static/gone.css", "no such file")],
)
def test_a_broken_link_is_found(tmp_path, link, problem):
    (tmp_path / "page.html").write_text(f'<a href="{link}">x</a><a href="other.html#here">y</a><a href="https://example.org">z</a>')
    (tmp_path / "other.html").write_text('<p id="here">')
    assert broken_links(tmp_path) == [f"page.html: {link}: {problem}"]


def test_a_repeated_anchor_and_an_icon_without_picture_are_found():
    assert repeated_anchors('<p id="a"><p id="b"><p id="a">') == ["a"]
    assert icons_without_picture('<i class="fa-solid fa-new"></i><i class="fa-solid fa-old"></i>', ".fa-old {}") == ["fa-new"]


# ---- What the sources hold is on the pages ---------------------------------------------------------------


def held(notebook):
    """How many figures, shown sources, folded solutions, claims and questions a notebook holds."""
    outputs = [data for cell in notebook.code for data in cell.shown]
    text = "\n\n".join(cell.source for cell in notebook.prose)
    boxes = [each.body for each in sources.directives(text, "admonition") if each.options.get("class") == "check-yourself"]
    return {
        "figures": sum("image/svg+xml" in data for data in outputs),
        "sources": sum(sources.joined(data.get("text/markdown", "")).startswith("`metrics.") for data in outputs),
        "solutions": len(list(sources.directives(text, "solution", "solution-start"))) + text.count(":class: dropdown solution"),
        "claims": len(notebook.claims),
        "questions": sum(len(re.findall(r"(?m)^\d+\. ", body)) for body in boxes),
    }


def shown(page):
    """The same, on the page."""
    return {
        "figures": page.count('<svg class="house-figure"') - page.count('class="chapter-picture '),
        "sources": len(re.findall(r'class="[^"]*\bsource-listing\b', page)),
        "solutions": len(re.findall(r'<details class="[^"]*\bsolution\b', page)),
        "claims": len(re.findall(r'href="claims.html#claim-[\w.-]+"', page)),
        "questions": sum(box.count("<li>") for box in re.findall(r'<div class="check-yourself .*?</ol>', page, re.DOTALL)),
    }


def test_what_a_notebook_holds_is_on_its_page_and_the_notebook_can_be_downloaded(folder):
    totals = Counter()
    for notebook in NOTEBOOKS:
        page = folder / notebook.name.replace(".ipynb", ".html")
        assert shown(html(page)) == held(notebook), notebook.name
        totals.update(held(notebook))
        assert f"../_sources/{notebook.name}" in parsed(page).links
        assert html(folder / "_sources" / notebook.name) == notebook.text
    assert all(totals.values()) and len(totals) == 5


def rows(folder):
    """The rows of the table of claims: label -> column -> text."""
    found = re.findall(r'<tr class="row-\w+" id="claim-([^"]+)">(.*?)</tr>', html(folder / "book" / "claims.html"), re.DOTALL)
    cell = r'<td class="column-[\w-]+"><p class="column-name">(.*?)</p>\s*(?:<p>|<div class="claim-statement")(.*?)(?:</p>|</div>)\s*</td>'
    return {label: {name: text_of(text) for name, text in re.findall(cell, row, re.DOTALL)} for label, row in found}


def test_a_row_says_what_was_stored_under_the_name_of_each_column(folder):
    stored = [claim for notebook in CHAPTERS for claim in notebook.claims]
    table = rows(folder)
    assert list(table) == [claim["label"] for claim in stored]  # in the order of the book
    for claim in stored:
        row = table[claim["label"]]
        assert tuple(row) == claims_page.COLUMNS
        assert (row["Strength"], row["Cases"]) == (claim["strength"], f"{claim['cases']:,}")
        assert claim["over"] in row["What was checked"] and f"{claim['cases']:,} cases" not in row["What was checked"]
        assert claim["near_miss"] in row["Near miss, and where it fails"]
        assert f"first at {claim['near_miss_fails_at']}" in row["Near miss, and where it fails"]
    total, parts = re.search(r'class="claims-summary">(\d+) claims: (.*?)\.<', html(folder / "book" / "claims.html")).groups()
    counts = Counter(claim["strength"] for claim in stored)
    assert int(total) == counts.total() and {name: int(count) for count, name in re.findall(r"(\d+) (\w+)", parts)} == counts


def box_of(page, label):
    """The text of the statement with a label on its own page, from its title on, without the number."""
    box = re.search(rf'<div class="proof \w+ [^"]*" id="{label}">(.*?)</section>', page, re.DOTALL)[1]
    return re.sub(r"^\s*\w+ [\d.]+\s*", "", text_of(box)).replace("(", "", 1).replace(")", "", 1)


def test_a_row_has_the_title_and_the_words_of_the_statement(folder):
    """The same letters, formulas included, as on the page of the chapter; no identifier a second time; no TeX to search."""
    cell = r'id="claim-([^"]+)">.*?<div class="claim-statement" data-words="([^"]*)">(.*?)</div>\s*</td>'
    table = re.findall(cell, html(folder / "book" / "claims.html"), re.DOTALL)
    page = {claim["label"]: html(folder / chapter.name.replace(".ipynb", ".html")) for chapter in CHAPTERS for claim in chapter.claims}
    assert len(table) == len(page) > 100
    for label, words, statement in table:
        assert "".join(text_of(statement).split()) == "".join(box_of(page[label], label).split())
        assert not re.search(r'\bid="', statement)
        assert len(words) > 30 and not re.search(r"[\\{}$]", words)


def test_labels_that_do_not_match_are_named():
    assert claims_page.label_problems(["B1", "B2"], ["B1", "B2"]) == []
    assert "B2 has no stored claim" in claims_page.label_problems(["B1", "B2"], ["B1"])[0]
    assert "B3 has no statement" in claims_page.label_problems(["B1"], ["B1", "B3"])[0]
    assert "B1 is stored more than once" in claims_page.label_problems(["B1"], ["B1", "B1"])[0]


def test_the_page_for_teachers_has_every_chapter_with_all_that_it_declares(folder):
    page = html(folder / "book" / "teaching.html")
    assert re.findall(r'<section id="teach-(.*?)">', page) == [Path(chapter.name).stem for chapter in CHAPTERS]
    for chapter in CHAPTERS:
        name, text = Path(chapter.name).stem, "\n\n".join(cell.source for cell in chapter.prose)
        section = re.search(rf'<section id="teach-{name}">(.*?)</section>', page, re.DOTALL)[1]
        card = next(sources.directives(text, "admonition")).body
        assert re.search(r"about \d+ minutes.*", card)[0] in section
        lists = {term: part.count("<li>") for term, part in re.findall(r"<dt>(.*?)</dt><dd>(.*?)</dd>", section, re.DOTALL)}
        assert lists["Afterwards students can"] + lists["They need"] == len(re.findall(r"(?m)^[: ] - ", card))
        assert lists["Ask in class"] == held(chapter)["questions"]
        assert lists.get("May be skipped", 0) == len(re.findall(r"(?m)^### ", text.partition("\n## Deeper")[2].partition("\n## ")[0]))
        labels = [each.options["label"] for each in sources.directives(text, "exercise-start")]
        assert labels == re.findall(rf'href="{name}\.html#(ex-[\w-]+)"', section)


def test_the_cover_has_the_picture_and_the_answer_of_every_chapter(folder):
    cards = html(folder / "book" / "cover.html").split('<div class="chapter-picture')[1:]
    assert len(cards) == len(CHAPTERS)
    for card, chapter in zip(cards, CHAPTERS, strict=True):
        answer = re.search(r"(?m)^\*\*(.+?)[.$@]", "\n".join(cell.source for cell in chapter.prose))[1]  # up to a formula
        assert "<svg" in card and answer.replace("*", "").strip() in text_of(card), chapter.name


def test_the_paths_for_teachers_keep_to_the_book():
    """The chapters of a path stand in the order of the book, with the minutes of their cards, and what these need is taught before, or named."""
    paths = sources.prose(ROOT / "book" / "teaching.md").partition("## Three paths")[2].partition("\n## ")[0].split("\n### ")[1:]
    assert len(paths) == 3
    for path in paths:
        taught = []
        for session, text, most in re.findall(r"(?:Chapters|Session \d):\*\* (.*?) Text: (\d+) minutes .*? class: (\d+)\.", path):
            named = re.findall(r"\{doc\}`([\w-]+)` \((\d+) minutes\)", session)
            taught += [f"book/{name}" for name, _ in named]
            assert set(taught) <= set(sources.chapters()), f"no chapter: {set(taught) - set(sources.chapters())}"
            for name, minutes in named:
                card = next(sources.directives(sources.prose(ROOT / "book" / f"{name}.ipynb"), "admonition")).body
                assert f": about {minutes} minutes" in card, f"the card of {name} has other minutes"
                needs = re.findall(r"{doc}`([\w-]+)`", card.partition("\nYou need\n")[2])
                left_out = [need for need in needs if f"book/{need}" not in taught and f"{{doc}}`{need}`" not in path]
                assert not left_out, f"{name} needs {left_out}, which its path neither has nor names"
            assert sum(int(minutes) for _, minutes in named) == int(text) <= int(most), session
        assert taught and taught == [page for page in sources.chapters() if page in taught], "not in the order of the book"


def test_the_index_leads_to_every_term_definition_and_theorem(folder):
    wanted = {f"book/glossary.html#{anchor}" for anchor in parsed(folder / "book" / "glossary.html").anchors if anchor.startswith("term-")}
    assert len(wanted) >= 60
    for name in pages_of(folder):
        anchors = re.findall(r'<div class="proof (?:definition|theorem) [^"]*" id="([^"]+)"', html(folder / name))
        wanted |= {f"{name}#{anchor}" for anchor in anchors}
    assert wanted - set(parsed(folder / "genindex.html").links) == set()
    terms = re.findall(r"<li><a [^>]*>(.*?)</a>", html(folder / "genindex.html"), re.DOTALL)
    folded = Counter(re.sub(r", (the|an?)$", "", text_of(term)).casefold().strip() for term in terms)
    assert [term for term, count in folded.items() if count > 1] == []


# ---- The build can fail ------------------------------------------------------------------------------------


def test_a_theme_that_changed_is_noticed():
    for block in theme_edits.EDITS:
        with pytest.raises(ExtensionError, match="no longer has"):
            theme_edits.trimmed(block, "<p>another theme</p>")
    whole = ('<div class="bd-content"><li class="toctree-l1 current active"><a class="current reference internal" href="#">1. Title</a></li>'
             '<dialog id="pst-secondary-sidebar-modal"></dialog><nav id="pst-page-toc-nav" aria-labelledby="title">...</nav></div></div></div>'
             '<button class="sidebar-toggle secondary-toggle"></button>')  # fmt: skip
    moved = theme_edits.contents_below_chapter(whole)
    assert '1. Title</a><nav id="chapter-contents" aria-label="Sections of this page">...</nav></li>' in moved and "<dialog" not in moved
    for part in ("pst-secondary-sidebar-modal", "pst-page-toc-nav", "aria-labelledby", "current active", "<button", '"bd-content"'):
        with pytest.raises(ExtensionError, match="no longer has"):
            theme_edits.contents_below_chapter(whole.replace(part, "other"))
    with pytest.raises(ExtensionError, match="icon font"):
        theme_edits.without_icon_font("p { color: red }")
    with pytest.raises(ExtensionError, match="KaTeX_Main-Regular 0 times"):
        katex_formulas.with_fonts("p { color: red }", ROOT / "book" / "_static" / "katex" / "fonts")


def test_a_formula_takes_its_own_comma_and_no_other():
    formula = nodes.math("", "k")
    paragraph = nodes.paragraph("", "", nodes.literal("", "a"), nodes.Text(", "), nodes.literal("", "b"), formula, nodes.Text(", "))
    katex_formulas._take_mark(formula)
    assert formula["mark"] == "," and [str(child) for child in paragraph if isinstance(child, nodes.Text)] == [", ", " "]


def test_a_full_stop_stays_with_its_formula():
    [formula] = katex_formulas.render([("x", False)])
    boxes, mark, end = katex_formulas._closed(formula["html"], ".").rpartition(".")
    assert mark and end == "</span>" * 3 and boxes.startswith('<span class="katex">')
    assert katex_formulas._closed("<code>x</code>", ",") == "<code>x</code>,"


@pytest.mark.parametrize("latex, line", [
    (r"\frac{1}{R} \sum_{j=1}^{R} \frac{j}{k_j}", "1/R∑_(j=1)^R j/k_j"),
    (r"\int_0^{x+1} p(r) dr", "∫_0^(x+1) p(r)dr"),
    (r"2^{g_{\max}}", "2^g_max"),
    (r"\sum_q \max_{i \le k} \log_2 \bar{x}_{i} + G^{*}_{i}", "∑_q max_(i≤k)log_2xˉ_i+G_i^∗"),
])  # fmt: skip
@pytest.mark.parametrize("display", [True, False])
def test_the_excerpts_of_the_search_have_a_formula_on_one_line(latex, line, display):
    [formula] = katex_formulas.render([(latex, display)])
    assert search_excerpts.in_line(formula["html"]) == line


# What the build says -> the fault in the source.
FAULTS = {
    "formula that KaTeX cannot read": r"$\undefinedmacro$",
    "the statement Z9 has no stored claim": ":::{prf:theorem}\n:label: Z9\n\nNobody checked this.\n:::",
    "the claim Z8 is called proved, and no prf:proof follows its statement": ":::{prf:theorem} Title\n:label: Z8\n\nWords.\n:::\n\nWords.",
    "label 'nothing' not found": "{prf:ref}`nothing`",
    "alternative text of a figure: it is missing": "![](picture.svg)",
    "No key 'nothing' found in glue data": "{glue:text}`nothing`",
}


@pytest.fixture(scope="module")
def faulty(tmp_path_factory):
    """A book of one faulty page, built with the extensions and settings of this one."""
    source = tmp_path_factory.mktemp("faulty")
    (source / "book").mkdir()
    shutil.copy(ROOT / "_config.yml", source)
    shutil.copytree(ROOT / "book" / "_sphinx", source / "book" / "_sphinx", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(ROOT / "book" / "_static", source / "book" / "_static")
    for name in ("references.bib", "moved.toml"):
        shutil.copy(ROOT / "book" / name, source / "book")
    shutil.copy(ROOT / "book" / "_static" / "favicon.svg", source / "book" / "picture.svg")
    (source / "_toc.yml").write_text("format: jb-book\nroot: book/cover\n", encoding="utf-8")
    proved = nbformat.v4.new_output("display_data", {sources.RECORD: {"label": "Z8", "strength": "proved"}, "text/plain": "Z8"})
    page = nbformat.v4.new_notebook(cells=[
        nbformat.v4.new_markdown_cell("# Page\n\n" + "\n\n".join(FAULTS.values())),
        nbformat.v4.new_code_cell("claim()", outputs=[proved]),
    ])  # fmt: skip
    nbformat.write(page, source / "book" / "cover.ipynb")
    return build(source, source / "out")


@pytest.mark.parametrize("sign", FAULTS)
def test_a_fault_is_named_and_fails_the_build(faulty, sign):
    assert sign in faulty.stdout + faulty.stderr
    assert faulty.returncode != 0
