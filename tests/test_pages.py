"""The built book: its links, its labels, what it loads, and that a broken page cannot pass unseen."""

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
import yaml
from docutils import nodes
from sphinx.errors import ExtensionError

from book._sphinx import (
    claims_page as claims,
    html_boxes as boxes,
    index_entries as terms,
    inline_figures as figures,
    katex_formulas as formulas,
    page_links as pages,
    sources as cells,
    teaching_page as teaching,
    theme_edits as trim,
)

ROOT = Path(__file__).resolve().parent.parent
NOTEBOOKS = sorted((ROOT / "book").glob("*.ipynb"))


# ---- The book under test ---------------------------------------------------------------------------


def build(source, target):
    """Build a book; return the finished process."""
    command = [Path(sys.executable).with_name("jupyter-book"), "build", source, "-n", "-W", "--keep-going", "--path-output", target]
    return subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False)


def sources():
    """Every file that the pages are made from."""
    yield from (ROOT / "_config.yml", ROOT / "_toc.yml")
    for folder in ("book", "metrics"):
        yield from (path for path in (ROOT / folder).rglob("*") if path.is_file() and "__pycache__" not in path.parts)


@cache
def book_folder():
    """The folder of the built book: that of `make book` if it is newer than every source, else a new build."""
    built = ROOT / "_build" / ".built"
    if built.exists() and built.stat().st_mtime >= max(path.stat().st_mtime for path in sources()):
        return ROOT / "_build" / "html"
    target = Path(tempfile.mkdtemp(prefix="book-"))
    atexit.register(shutil.rmtree, target, ignore_errors=True)
    done = build(ROOT, target)
    assert done.returncode == 0, warnings_in(done)
    return target / "_build" / "html"


def warnings_in(done):
    return "\n".join(re.findall(r".*(?:WARNING|ERROR|Exception).*", done.stdout + done.stderr))


def pages_of(folder):
    """The pages of the book, as paths within its folder."""
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.html") if "_static" not in path.parts)


class Page(HTMLParser):
    """What a page holds: its anchors, its links, and what it loads by itself."""

    LOADS = {"script": "src", "img": "src", "iframe": "src", "source": "src", "video": "src", "audio": "src", "embed": "src", "object": "data"}
    LOADING_LINKS = {"stylesheet", "preload", "icon", "modulepreload", "manifest", "prefetch", "preconnect", "dns-prefetch"}

    def __init__(self, html):
        super().__init__()
        self.anchors, self.links, self.loads = [], [], []
        self.feed(html)

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        if given.get("id"):
            self.anchors.append(given["id"])
        if tag == "a" and given.get("name"):
            self.anchors.append(given["name"])
        if tag in ("a", "area", "link") and given.get("href") is not None:
            self.links.append(given["href"])
        if tag == "link" and self.LOADING_LINKS & set(given.get("rel", "").split()):
            self.loads.append(given.get("href", ""))
        if given.get(self.LOADS.get(tag)):
            self.loads.append(given[self.LOADS[tag]])

    handle_startendtag = handle_starttag


@cache
def parsed(path):
    return Page(path.read_text(encoding="utf-8"))


# ---- The guards ------------------------------------------------------------------------------------


def is_elsewhere(link):
    parts = urlsplit(link)
    return bool(parts.scheme or parts.netloc)


def broken_links(folder):
    """Links and loads of the pages that lead to no file, or to no anchor, of the book."""
    broken = []
    for name in pages_of(folder):
        page = folder / name
        for link in parsed(page).links + parsed(page).loads:
            if is_elsewhere(link):
                continue
            path, anchor = urldefrag(link)
            target = (page.parent / unquote(urlsplit(path).path)).resolve() if path else page
            if not target.is_file():
                broken.append(f"{name}: {link}: no such file")
            elif anchor and target.suffix == ".html" and unquote(anchor) not in parsed(target).anchors:
                broken.append(f"{name}: {link}: no such anchor")
    return broken


def loads_from_elsewhere(html):
    """What a page would load from another host."""
    return [link for link in Page(html).loads if is_elsewhere(link) and not link.startswith("data:")]


def style_loads_from_elsewhere(css):
    """What a style sheet would load from another host."""
    return re.findall(r"""(?:url\(\s*["']?|@import\s+["'])((?:https?:)?//[^"')]+)""", css)


def repeated_anchors(html):
    """Identifiers that stand more than once in a page."""
    anchors = Page(html).anchors
    return sorted({anchor for anchor in anchors if anchors.count(anchor) > 1})


def icons_without_picture(html, css):
    """Icons of the theme for which book.css draws nothing."""
    used = set(re.findall(r"\bfa-[a-z-]+", " ".join(re.findall(r'<(?:i|span) class="([^"]*\bfa-[^"]*)"', html))))
    return sorted(name for name in used - {"fa-solid", "fa-lg", "fa-regular", "fa-brands"} if f".{name}" not in css)


# ---- The book passes them ----------------------------------------------------------------------------


@pytest.fixture(scope="module")
def folder():
    return book_folder()


def test_every_link_leads_somewhere(folder):
    assert broken_links(folder) == []


def test_nothing_is_loaded_from_elsewhere(folder):
    found = {name: loads_from_elsewhere((folder / name).read_text(encoding="utf-8")) for name in pages_of(folder)}
    assert {name: loads for name, loads in found.items() if loads} == {}


def test_no_style_sheet_loads_from_elsewhere(folder):
    found = {path.name: style_loads_from_elsewhere(path.read_text(encoding="utf-8")) for path in folder.rglob("*.css")}
    assert {name: loads for name, loads in found.items() if loads} == {}


def test_no_anchor_is_repeated(folder):
    found = {name: repeated_anchors((folder / name).read_text(encoding="utf-8")) for name in pages_of(folder)}
    assert {name: anchors for name, anchors in found.items() if anchors} == {}


def test_every_icon_is_drawn(folder):
    css = (folder / "_static" / "book.css").read_text(encoding="utf-8")
    assert {name: icons_without_picture((folder / name).read_text(encoding="utf-8"), css) for name in pages_of(folder)} == {
        name: [] for name in pages_of(folder)
    }


def test_every_chapter_can_be_downloaded_as_a_notebook(folder):
    for notebook in NOTEBOOKS:
        page = folder / "book" / f"{notebook.stem}.html"
        assert f"../_sources/book/{notebook.name}" in parsed(page).links, page
        assert (folder / "_sources" / "book" / notebook.name).read_bytes() == notebook.read_bytes()


def test_the_table_has_a_row_for_every_claim_and_every_statement_its_claim(folder):
    stored = [claim["label"] for notebook in NOTEBOOKS for claim in claims.stored_claims(notebook)]
    rows = [anchor.removeprefix("claim-") for anchor in parsed(folder / "book" / "claims.html").anchors if anchor.startswith("claim-")]
    assert sorted(rows) == sorted(stored)
    statements = []
    for name in pages_of(folder):
        html = (folder / name).read_text(encoding="utf-8")
        statements += re.findall(r'<div class="proof (?:theorem|proposition|lemma|corollary) [^"]*" id="([^"]+)"', html)
    assert claims.label_problems(statements, stored) == []


def rows(folder):
    """The rows of the table of claims: label -> column -> text."""
    html = (folder / "book" / "claims.html").read_text(encoding="utf-8")
    found = re.findall(r'<tr class="row-\w+" id="claim-([^"]+)">(.*?)</tr>', html, re.DOTALL)
    cell = r'<td class="column-[\w-]+"><p class="column-name">(.*?)</p>\s*(?:<p>|<div class="claim-statement")(.*?)(?:</p>|</div>)\s*</td>'
    return {label: {name: plain(text) for name, text in re.findall(cell, row, re.DOTALL)} for label, row in found}


def plain(html):
    """The text of some HTML, as it was typed: without the typographer's quotes and dots."""
    return unescape(re.sub(r"<[^>]+>", "", html)).translate(str.maketrans({"…": "...", "“": '"', "”": '"', "’": "'", "‘": "'"}))


def test_a_row_says_what_was_stored_under_the_name_of_each_column(folder):
    stored = [claim for name in teaching_order(folder) for claim in claims.stored_claims(ROOT / "book" / f"{name}.ipynb")]
    table = rows(folder)
    assert list(table) == [claim["label"] for claim in stored]  # in the order of the book
    for claim in stored:
        row = table[claim["label"]]
        assert tuple(row) == claims.COLUMNS
        assert (row["Strength"], row["Cases"]) == (claim["strength"], f"{claim['cases']:,}")
        assert claim["over"] in row["What was checked"] and f"{claim['cases']:,} cases" not in row["What was checked"]
        assert claim["near_miss"] in row["Near miss, and where it fails"]
        assert f"first at {claim['near_miss_fails_at']}" in row["Near miss, and where it fails"]


def box_of(html, label):
    """The text of the statement with a label on its own page, from its title on, without the number."""
    box = re.search(rf'<div class="proof \w+ [^"]*" id="{label}">(.*?)</section>', html, re.DOTALL)[1]
    return re.sub(r"^\s*\w+ [\d.]+\s*", "", unescape(re.sub(r"<[^>]+>", "", box))).replace("(", "", 1).replace(")", "", 1)


def test_a_row_has_the_title_and_the_words_of_the_statement(folder):
    """The same letters, formulas included, as on the page of the chapter; and no identifier a second time."""
    table = (folder / "book" / "claims.html").read_text(encoding="utf-8")
    shown = dict(re.findall(r'id="claim-([^"]+)">.*?<div class="claim-statement" data-words="[^"]*">(.*?)</div>\s*</td>', table, re.DOTALL))
    compared = 0
    for notebook in NOTEBOOKS:
        html = (folder / "book" / f"{notebook.stem}.html").read_text(encoding="utf-8")
        for claim in claims.stored_claims(notebook):
            there = unescape(re.sub(r"<[^>]+>", "", shown[claim["label"]]))
            assert "".join(there.split()) == "".join(box_of(html, claim["label"]).split())
            assert not re.search(r'\bid="', shown[claim["label"]])
            compared += 1
    assert compared > 100


def test_the_search_of_the_table_reads_words_and_no_tex(folder):
    words = re.findall(r'<div class="claim-statement" data-words="([^"]*)"', (folder / "book" / "claims.html").read_text(encoding="utf-8"))
    assert len(words) > 100 and not [text for text in words if re.search(r"[\\{}$]", text) or len(text) < 30]


def test_the_count_above_the_table_is_that_of_its_rows(folder):
    html = (folder / "book" / "claims.html").read_text(encoding="utf-8")
    total, parts = re.search(r'class="claims-summary">(\d+) claims: (.*?)\.<', html).groups()
    counts = Counter(row["Strength"] for row in rows(folder).values())
    assert int(total) == counts.total()
    assert {name: int(count) for count, name in re.findall(r"(\d+) (\w+)", parts)} == counts


def test_without_its_script_the_table_has_no_controls(folder):
    article = (folder / "book" / "claims.html").read_text(encoding="utf-8").partition("<article")[2].partition("</article>")[0]
    assert not re.search(r"<(form|input|select|button)\b", article)
    loads = {name: sum("claims.js" in load for load in parsed(folder / name).loads) for name in pages_of(folder)}
    assert {name for name, count in loads.items() if count} == {"book/claims.html"}


# ---- What is made from the chapters: the page for teachers, the index


def teaching_order(folder):
    """The names of the chapters, in the order of the page for teachers."""
    anchors = parsed(folder / "book" / "teaching.html").anchors
    return [anchor.removeprefix("teach-") for anchor in anchors if anchor.startswith("teach-")]


def test_the_page_for_teachers_has_every_chapter_with_all_that_it_declares(folder):
    html = (folder / "book" / "teaching.html").read_text(encoding="utf-8")
    assert [f"book/{name}" for name in teaching_order(folder)] == lint_chapters()
    for name in teaching_order(folder):
        section = re.search(rf'<section id="teach-{name}">(.*?)</section>', html, re.DOTALL)[1]
        chapter = teaching.read_chapter(f"book/{name}", pages.prose(ROOT / "book" / f"{name}.ipynb"))
        assert f"about {chapter.card['minutes']} minutes of text" in section
        assert [label for label, _ in chapter.exercises] == re.findall(rf'href="{name}\.html#(ex-[\w-]+)"', section)
        assert len(chapter.starred) == len(set(re.findall(rf'href="({name}\.html#[\w-]+)">★', section)))
        asked = re.search(r"<dt>Ask in class</dt><dd><ol.*?</ol>", section, re.DOTALL)
        assert len(chapter.questions) == (asked[0].count("<li>") if asked else 0)


def lint_chapters():
    toc = yaml.safe_load((ROOT / "_toc.yml").read_text(encoding="utf-8"))
    return [entry["file"] for part in toc["parts"] if part.get("numbered") for entry in part["chapters"]]


def test_the_minutes_of_a_path_are_those_of_its_cards(folder):
    html = (folder / "book" / "teaching.html").read_text(encoding="utf-8")
    section = re.search(r'<section id="path-five-sessions">(.*?)</section>', html, re.DOTALL)[1]
    sessions = section.split("Text: ")
    for before, after in zip(sessions, sessions[1:]):
        minutes = [int(minutes) for minutes in re.findall(r"</a> \((\d+) minutes\)", before)]
        assert minutes and sum(minutes) == int(after.split()[0])


def test_the_index_leads_to_every_term_definition_and_theorem(folder):
    wanted = {f"glossary.html#{anchor}" for anchor in parsed(folder / "book" / "glossary.html").anchors if anchor.startswith("term-")}
    assert len(wanted) >= 60
    for name in pages_of(folder):
        html = (folder / name).read_text(encoding="utf-8")
        anchors = re.findall(r'<div class="proof (?:definition|theorem) [^"]*" id="([^"]+)"', html)
        wanted |= {f"{Path(name).name}#{anchor}" for anchor in anchors}
    index = parsed(folder / "book" / "index-of-terms.html")
    assert wanted - set(index.links) == set()
    letters = [anchor for anchor in index.anchors if anchor.startswith("letter-")]
    assert letters == sorted(letters) and {f"#{letter}" for letter in letters} <= set(index.links)


def test_every_figure_states_what_it_shows(folder):
    for name in pages_of(folder):
        html = (folder / name).read_text(encoding="utf-8")
        for text in re.findall(r'<svg class="house-figure" role="img" aria-label="([^"]*)"', html):
            assert figures.text_problem(text) is None, (name, text)


def stored(notebook):
    """How many figures, shown sources, folded solutions and claims a notebook holds."""
    cells = nbformat.read(notebook, 4).cells
    outputs = [output.get("data", {}) for cell in cells if cell.cell_type == "code" for output in cell.outputs]
    text = "\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
    return {
        "figures": sum("image/svg+xml" in data for data in outputs),
        "sources": sum(data.get("text/markdown", "").startswith("`metrics.") for data in outputs),
        "solutions": len(re.findall(r"^`+\{solution(-start)?\}", text, re.MULTILINE)),
        "claims": len(claims.stored_claims(notebook)),
        "questions": sum(len(boxes.read_questions(body)) for _, body in pages.directives(text, "check-yourself")),
    }


def shown(html):
    """The same, on the page."""
    return {
        "figures": html.count('<svg class="house-figure"'),
        "sources": len(re.findall(r'class="[^"]*\bsource-listing\b', html)),
        "solutions": len(re.findall(r'<details class="[^"]*\bsolution\b', html)),
        "claims": len(re.findall(r'href="claims.html#claim-[\w.-]+"', html)),
        "questions": sum(box.count("<li>") for box in re.findall(r'<div class="check-yourself .*?</ol>', html, re.DOTALL)),
    }


def test_what_a_notebook_holds_is_on_its_page(folder):
    totals = Counter()
    for notebook in NOTEBOOKS:
        html = (folder / "book" / f"{notebook.stem}.html").read_text(encoding="utf-8")
        assert shown(html) == stored(notebook), notebook.name
        totals.update(stored(notebook))
    assert all(totals[kind] for kind in ("figures", "sources", "solutions", "claims", "questions"))


# ---- The guards can fail --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("link", "problem"),
    [("gone.html", "no such file"), ("other.html#gone", "no such anchor"), ("#gone", "no such anchor"), ("_static/gone.css", "no such file")],
)
def test_a_broken_link_is_found(tmp_path, link, problem):
    (tmp_path / "page.html").write_text(f'<a href="{link}">x</a><a href="other.html#here">y</a><a href="https://example.org">z</a>')
    (tmp_path / "other.html").write_text('<p id="here">')
    assert broken_links(tmp_path) == [f"page.html: {link}: {problem}"]


@pytest.mark.parametrize(
    "html",
    [
        '<script src="https://example.org/a.js"></script>',
        '<link rel="stylesheet" href="//example.org/a.css">',
        '<img src="http://example.org/a.png"/>',
        '<link rel="preconnect" href="https://example.org">',
    ],
)
def test_a_load_from_elsewhere_is_found(html):
    assert loads_from_elsewhere(html)
    assert not loads_from_elsewhere('<a href="https://example.org">a link loads nothing</a><img src="a.png">')


def test_a_style_that_loads_from_elsewhere_is_found():
    assert style_loads_from_elsewhere('@import "https://example.org/a.css";') == ["https://example.org/a.css"]
    assert style_loads_from_elsewhere("a { background: url(//example.org/a.png) }") == ["//example.org/a.png"]
    assert not style_loads_from_elsewhere("""a { background: url("data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg'/%3E") }""")


def test_a_repeated_anchor_is_found():
    assert repeated_anchors('<p id="a"><p id="b"><p id="a">') == ["a"]


def test_an_icon_without_picture_is_found():
    assert icons_without_picture('<i class="fa-solid fa-new"></i><i class="fa-solid fa-old"></i>', ".fa-old {}") == ["fa-new"]


def test_what_was_checked_is_told_whole():
    record = claims.Claim("Z1", "exhausted", over="all 2 cases, 2 cases, of it", cases=2)
    assert claims._checked(record) == "exact: all 2 cases, 2 cases, of it."


def test_labels_that_do_not_match_are_named():
    assert claims.label_problems(["B1", "B2"], ["B1", "B2"]) == []
    assert "B2 has no stored claim" in claims.label_problems(["B1", "B2"], ["B1"])[0]
    assert "B3 has no statement" in claims.label_problems(["B1"], ["B1", "B3"])[0]
    assert "B1 is stored more than once" in claims.label_problems(["B1"], ["B1", "B1"])[0]


CARD = "```{chapter-card}\nobjectives: [a]\nneeds: [b]\nminutes: %d\nmisconception: none\n```\n"
CHAPTERS = {
    name: teaching.read_chapter(f"book/{name}", f"# {name}\n\n{CARD % minutes}\n{text}")
    for name, minutes, text in [("one", 30, ":label: A1"), ("two", 25, "{prf:ref}`A1`"), ("three", 40, "## ★ Aside\n\n## Main")]
}


def path(*sessions, minutes=90):
    return {"title": "Path", "minutes": minutes, "sessions": [{"chapters": list(names)} for names in sessions]}


def test_a_sound_path_has_no_problem():
    assert list(teaching.path_problems(path(["one", "two"], ["three"]), CHAPTERS)) == []


@pytest.mark.parametrize(
    ("wrong", "problem"),
    [
        (path(["one"], ["tow"]), "session 2 names 'tow', which is no chapter; the chapters are one, two, three"),
        (path(["two"], ["one"]), "session 2: 'one' must come before 'two', as in the book, and once"),
        (path(["one", "one"]), "session 1: 'one' must come before 'one', as in the book, and once"),
        (path(["one", "two", "three"]), "session 1: its chapters take 95 minutes, and it has 90"),
    ],
)
def test_a_path_that_goes_wrong_is_named(wrong, problem):
    assert list(teaching.path_problems(wrong, CHAPTERS)) == [problem]


def test_what_a_chapter_declares():
    assert [other.name for other in teaching.quoted_chapters(CHAPTERS["two"], CHAPTERS)] == ["one"]
    assert CHAPTERS["three"].starred == ["★ Aside"]
    assert teaching.read_chapter("book/page", "# No card") is None
    assert teaching.exercise("", ":label: ex-by-hand\n") == ("ex-by-hand", "by hand")
    assert teaching.exercise("", ":label: ex-err-or-ap\n") == ("ex-err-or-ap", "ERR or AP")
    assert teaching.exercise("By hand", ":label: ex-1\n") == ("ex-1", "By hand")


def test_the_index_merges_and_sorts_terms():
    entries = {
        "one": [("single", "The gain of a swap", "A11", "main", None), ("single", "Average precision", "def", "main", None)],
        "two": [("single", "average precision", "term", "main", None), ("pair", "hit; rank", "index-0", "", None)],
        "three": [("single", "Hit", "def", "main", None), ("single", "A hit", "A1", "main", None)],
    }
    assert terms.indexed_terms(entries, ["two", "one", "three"]) == [
        ("average precision", [("two", "term"), ("one", "def")]),
        ("Gain of a swap, the", [("one", "A11")]),
        ("Hit, a", [("three", "def"), ("three", "A1")]),
        ("hit, rank", [("two", "index-0")]),
        ("rank, hit", [("two", "index-0")]),
    ]
    assert [terms.letter_of(term) for term in ("Gain of a swap, the", "k@recall", "11 points")] == ["G", "K", "0-9"]


def test_a_theme_that_changed_is_noticed():
    for block in trim.EDITS:
        with pytest.raises(ExtensionError, match="no longer has"):
            trim.trimmed(block, "<p>another theme</p>")
    with pytest.raises(ExtensionError, match="icon font"):
        trim.without_icon_font("p { color: red }")
    with pytest.raises(ExtensionError, match="KaTeX_Main-Regular 0 times"):
        formulas.with_fonts("p { color: red }", ROOT / "book" / "_static" / "katex" / "fonts")


def test_a_formula_takes_its_own_comma_and_no_other():
    formula = nodes.math("", "k")
    paragraph = nodes.paragraph("", "", nodes.literal("", "a"), nodes.Text(", "), nodes.literal("", "b"), nodes.Text(" and "), formula, nodes.Text(", "))
    formulas._take_mark(formula)
    assert formula["mark"] == "," and [str(child) for child in paragraph if isinstance(child, nodes.Text)] == [", ", " and ", " "]


def test_a_full_stop_stays_with_its_formula():
    [formula] = formulas.render([("x", False)])
    boxes, mark, end = formulas._closed(formula["html"], ".").rpartition(".")
    assert mark and end == "</span>" * 3 and boxes.startswith('<span class="katex">')
    assert formulas._closed("<code>x</code>", ",") == "<code>x</code>,"


def test_a_formula_that_katex_cannot_read_is_an_error():
    good, bad = formulas.render([(r"\frac{1}{2}", False), (r"\undefinedmacro x", True)])
    assert "<math" in good["html"]
    assert r"\undefinedmacro" in bad["error"]


PATH = "```{teaching-path}\ntitle: Path\nminutes: 90\nleft_out: none\nsessions:\n  - chapters: %s\n```"
FAULTS = {
    "an unknown macro": r"$\undefinedmacro$",
    "a statement without claim": "```{prf:theorem}\n:label: Z9\n\nNobody checked this.\n```",
    "a claim called proved without proof": "```{prf:theorem} Title\n:label: Z8\n\nNobody proved this.\n```\n\nWords.",
    "a reference to nothing": "{prf:ref}`nothing`",
    "a card without its keys": "```{chapter-card}\nminutes: 5\n```",
    "a card with a bare colon": "```{chapter-card}\nobjectives: [a]\nneeds: [b]\nminutes: 5\nmisconception: It is all: or not.\n```",
    "a card without a list": "```{chapter-card}\nobjectives: [a]\nneeds: sets\nminutes: 5\nmisconception: none\n```",
    "a card without whole minutes": "```{chapter-card}\nobjectives: [a]\nneeds: [b]\nminutes: half an hour\nmisconception: none\n```",
    "questions that are no list": "```{check-yourself}\nWhy?\n```",
    "a question with a bare colon": "```{check-yourself}\n- Which is it: this?\n```",
    "a question with a glued number": "```{check-yourself}\n- Why {glue:text}`number`?\n```",
    "a path to no chapter": PATH % "[nowhere]",
    "a session without chapters": PATH % "[]",
    "a path with a misspelt key": PATH % "[cover]\n    student: none",
    "a picture without text": "![](picture.svg)",
    "a value that was never glued": "{glue:text}`nothing`",
}
SIGNS = {
    "an unknown macro": "formula that KaTeX cannot read",
    "a statement without claim": "the statement Z9 has no stored claim",
    "a claim called proved without proof": "the claim Z8 is called proved, and no prf:proof follows its statement",
    "a reference to nothing": "label 'nothing' not found",
    "a card without its keys": "chapter-card needs exactly the keys",
    "a card with a bare colon": "chapter-card is no YAML (quote a text that holds a colon)",
    "a card without a list": "chapter-card: needs must be a list",
    "a card without whole minutes": "chapter-card: minutes must be a whole number, got 'half an hour'",
    "questions that are no list": "check-yourself must be a list of questions",
    "a question with a bare colon": "a question must be a text (quote one that holds a colon)",
    "a question with a glued number": "where nothing is glued: 'Why {glue:text}`number`?'",
    "a path to no chapter": "teaching-path 'Path': session 1 names 'nowhere', which is no chapter",
    "a session without chapters": "teaching-path 'Path': session 1 has no list of chapters",
    "a path with a misspelt key": "session 1 has the key student, known: chapters, sections, students",
    "a picture without text": "alternative text of a figure: it is missing",
    "a value that was never glued": "No key 'nothing' found in glue data",
}


@pytest.fixture(scope="module")
def faulty(tmp_path_factory):
    """A book of one faulty page, built with the extensions and settings of this one."""
    source = tmp_path_factory.mktemp("faulty")
    (source / "book").mkdir()
    shutil.copy(ROOT / "_config.yml", source)
    shutil.copytree(ROOT / "book" / "_sphinx", source / "book" / "_sphinx", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(ROOT / "book" / "_static", source / "book" / "_static")
    shutil.copy(ROOT / "book" / "references.bib", source / "book")
    shutil.copy(ROOT / "book" / "_static" / "favicon.svg", source / "book" / "picture.svg")
    (source / "_toc.yml").write_text("format: jb-book\nroot: book/cover\n", encoding="utf-8")
    proved = nbformat.v4.new_output("display_data", {cells.RECORD: {"label": "Z8", "strength": "proved"}, "text/plain": "Z8"})
    page = nbformat.v4.new_notebook(cells=[
        nbformat.v4.new_markdown_cell("# Page\n\n" + "\n\n".join(FAULTS.values())),
        nbformat.v4.new_code_cell("claim()", outputs=[proved]),
    ])  # fmt: skip
    nbformat.write(page, source / "book" / "cover.ipynb")
    return build(source, source / "out")


def test_a_faulty_page_fails_the_build(faulty):
    assert faulty.returncode != 0


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_named_by_the_build(faulty, fault):
    assert SIGNS[fault] in faulty.stdout + faulty.stderr

