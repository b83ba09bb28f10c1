"""The built book: its links, also those of earlier editions, what its pages show of the sources, and that a broken page cannot pass unseen."""

import ast
import atexit
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from fractions import Fraction
from functools import cache
from graphlib import TopologicalSorter
from html import unescape
from itertools import chain
from pathlib import Path
from types import SimpleNamespace
from urllib.parse import unquote, urldefrag, urlsplit
from zipfile import ZipFile

import nbformat
import pytest
import yaml
from bs4 import BeautifulSoup
from sphinx.errors import ExtensionError

from book._sphinx import formulas, policy, search, slide_notes, slides, sources, theme_edits
from book._sphinx.paths import HTML
from book._sphinx.teaching_page import sheet_cost
from metrics.course.chapters import CHAPTERS as WITH_HOMEWORK, chapter as chapter_of
from tools.__main__ import is_built

ROOT = sources.ROOT
NOTEBOOKS = [sources.read(path) for path in sorted((ROOT / "book").glob("*.ipynb"))]
CHAPTERS = [sources.read(ROOT / f"{page}.ipynb") for page in sources.chapters()]


# ---- The book under test ---------------------------------------------------------------------------


def build(source, target):
    """Build a book; return the folder of its pages, what the build said, and whether all went well."""
    command = [Path(sys.executable).with_name("jupyter-book"), "build", source, "-n", "-W", "--keep-going", "--path-output", target]
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False)
    return target / "_build" / "html", done.stdout + done.stderr, done.returncode == 0


@cache
def book_folder():
    """The folder of the built book: that of `make book` if it is newer than every source, else a new build."""
    if is_built():
        return HTML
    target = Path(tempfile.mkdtemp(prefix="book-"))
    atexit.register(shutil.rmtree, target, ignore_errors=True)
    folder, said, good = build(ROOT, target)
    assert good, "\n".join(re.findall(r".*(?:WARNING|ERROR|Exception).*", said))
    return folder


def needs(program, package):
    """The path of a program that a test needs; without it the test is skipped, but where all is to be tested it fails."""
    found = shutil.which(program)
    if not found:
        message = f"No '{program}' on the PATH. On Debian: apt-get install {package}"
        pytest.fail(message) if "NOTHING_SKIPPED" in os.environ else pytest.skip(message)
    return found


def small_book(source, *cells, settings=lambda text: text):
    """Build a book of one page, with the settings and the extensions of this one."""
    shutil.copytree(ROOT / "book" / "_static", source / "book" / "_static")
    for name in ("references.bib", "_static/favicon.svg"):
        shutil.copy(ROOT / "book" / name, source / "book")
    (source / "_config.yml").write_text(settings((ROOT / "_config.yml").read_text(encoding="utf-8")), encoding="utf-8")
    (source / "_toc.yml").write_text("format: jb-book\nroot: book/cover\n", encoding="utf-8")
    nbformat.write(nbformat.v4.new_notebook(cells=cells, metadata={"language_info": {"name": "python"}}), source / "book" / "cover.ipynb")
    return build(source, source / "out")


def pages_of(folder):
    """The pages of the book, as paths within its folder."""
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.html") if "_static" not in path.parts)


@cache
def html(path):
    return path.read_text(encoding="utf-8")


@cache
def parsed(path):
    """What a page holds: its anchors, and all that it leads to or loads."""
    given = [(kind, unescape(value)) for tag in re.findall(r"<\w[^<]*", html(path)) for kind, value in re.findall(r'\s(id|href|src)="([^"]*)"', tag)]
    return SimpleNamespace(anchors=[value for kind, value in given if kind == "id" and value], links=[value for kind, value in given if kind != "id"])


def page_of(folder, notebook):
    return folder / notebook.name.replace(".ipynb", ".html")


def prose_of(notebook):
    return "\n\n".join(cell.source for cell in notebook.prose)


def text_of(html):
    """The text of some HTML, as it was typed: without the typographer's quotes and dots."""
    typed = {"…": "...", "“": '"', "”": '"', "’": "'", "‘": "'"}
    return unescape(re.sub(r"<[^>]+>", "", html)).translate(str.maketrans(typed))


# ---- The guards, and the book passes them ------------------------------------------------------------


@pytest.fixture(scope="module")
def folder():
    return book_folder()


def test_every_link_leads_somewhere(folder):
    """To a file of the book, and to an anchor of it."""
    lost, followed = [], 0
    for name in pages_of(folder):
        page = folder / name
        for link in parsed(page).links:
            path, anchor = urldefrag(link)
            if not urlsplit(link).scheme and not urlsplit(link).netloc:
                target = (page.parent / unquote(urlsplit(path).path)).resolve() if path else page
                if not target.is_file() or (anchor and target.suffix == ".html" and unquote(anchor) not in parsed(target).anchors):
                    lost.append((name, link))
                followed += 1
            elif urlsplit(link).scheme == "mailto":  # k@recall is no address
                lost.append((name, link))
    assert lost == [] and followed > 5_000


def icons_not_drawn(folder):
    """The icons of pages for which the style sheet has no drawing."""
    css = html(folder / "_static" / "book.css")
    pages = "".join(html(folder / name) for name in pages_of(folder))
    icons = {*re.findall(r"\bfa-[a-z-]+", " ".join(re.findall(r'<(?:i|span) class="([^"]*\bfa-[^"]*)"', pages)))}
    return [icon for icon in icons - {"fa-solid", "fa-lg", "fa-regular", "fa-brands"} if f".{icon}" not in css]


def test_every_icon_is_drawn(folder):
    assert icons_not_drawn(folder) == []


# ---- What a page may run ------------------------------------------------------------------------------------

# What makes markup or code of a text -> why each of these places may.
FROM_TEXT = re.compile(r"^.*?(?:\b(?:inner|outer)HTML\b|insertAdjacentHTML|document\.write|setHTML|createContextualFragment|srcdoc|parseFromString"
                       r"|\beval\(|\bFunction\(|javascript:|\bset(?:Timeout|Interval)\(['\"`]).*$", re.MULTILINE)  # fmt: skip
MAY = {
    "hands-on.js: fresh.innerHTML = draw(thing, data, state, past.length);": "a state of whole numbers and of texts that fit a pattern",
    "hands-on-rank-weights.js: fresh.innerHTML = drawing(after,": "the same, on the way to such a state",
    "ranking-lab.js: fresh.innerHTML = draw(lab.dataset.lab, state, { said: said = words, solved, since,": "the same, with words of the lab",
    "claims.js: form.innerHTML = `": "no value",
    "rosetta.js: form.innerHTML = `<label>": "no value",
    'search.js: item.append(make("a", {href: address + anchor, textContent: new DOMParser()': "taken as text again",
    'run-page.js: const {body} = new DOMParser().parseFromString(markup, "text/html");': "parsed where nothing runs, and cleaned",
    "run-page.js: for (const {name, value} of [...part.attributes])": "what cleans it",
}


def test_no_script_makes_markup_or_code_of_a_value():
    scripts = [path for folder in ("_static", "_sphinx") for path in (ROOT / "book" / folder).rglob("*") if path.suffix in (".js", ".mjs", ".html")]
    found = [f"{path.name}: {line[0].strip()}" for path in scripts for line in FROM_TEXT.finditer(path.read_text(encoding="utf-8"))]
    assert len(scripts) > 25 and [line for line in found if not line.startswith(tuple(MAY))] == []
    assert [place for place in MAY if not any(line.startswith(place) for line in found)] == [], "these are gone"
    for name in ("claims", "rosetta"):
        [markup] = re.findall(r"innerHTML = `(.*?)`;", (ROOT / f"book/_static/{name}.js").read_text(encoding="utf-8"), re.DOTALL)
        assert "${" not in markup


def run_by_markup(page):
    """The scripts, attributes and addresses in the markup of a page that would run, and which its policy forbids."""
    return [str(tag)[:80] for tag in BeautifulSoup(page, "html.parser").find_all(True)
            if tag.name == "script" and not tag.get("src") and "json" not in tag.get("type", "")
            or any(name.startswith("on") or str(value).lower().startswith("javascript:") for name, value in tag.attrs.items())]  # fmt: skip


def test_every_page_has_the_policy_before_all_else_and_nothing_that_it_forbids(folder):
    assert len(run_by_markup("<b onclick=x></b><script>x</script><a href=javascript:x></a><script src=x></script>")) == 3
    for name in pages_of(folder):
        head = re.search("<head>(<meta[^>]*>)", html(folder / name))
        assert head and html(folder / name).count('http-equiv="Content-Security-Policy"') == 1, name
        assert BeautifulSoup(head[1], "html.parser").meta["content"] == policy.rules(SETTINGS), name
        assert run_by_markup(html(folder / name)) == [], name
    with ZipFile(folder / "download" / "course.zip") as course:
        for name in (name for name in course.namelist() if name.endswith(".html")):
            page = course.read(name).decode()
            assert "Content-Security-Policy" in page and run_by_markup(page) == [], name


SETTINGS = SimpleNamespace(**yaml.safe_load((ROOT / "_config.yml").read_text(encoding="utf-8"))["sphinx"]["config"])


def test_the_policy_runs_no_inline_script_and_no_text_and_its_header_is_the_one_that_is_published(folder):
    rules = dict(each.split(" ", 1) for each in policy.header(SETTINGS).split("; "))
    assert rules["script-src"] == "'self' 'wasm-unsafe-eval'" and rules["default-src"] == "'self'" and rules["object-src"] == "'none'"
    assert rules["connect-src"] == f"'self' {SETTINGS.page_python_offer.partition('/pyodide')[0]}"
    assert [name for name, sources in rules.items() if "unsafe-inline" in sources] == ["style-src"]
    assert html(folder / "_headers").splitlines() == ["/*", f"  Content-Security-Policy: {policy.header(SETTINGS)}"]
    published = text_of(html(folder / "book" / "publish.html"))
    assert published.count(policy.header(SETTINGS)) >= 2 and policy.PLACE not in published
    elsewhere = SimpleNamespace(page_python_distribution="https://python.example/pyodide/", page_python_offer=SETTINGS.page_python_offer)
    for line in (policy.rules(elsewhere), policy.header(elsewhere)):
        assert line.count(" https://python.example") == 2 and "connect-src 'self' https://python.example;" in line
    for line in (policy.rules(SETTINGS), policy.header(SimpleNamespace(page_python_distribution="", page_python_offer=""))):
        assert "connect-src 'self';" in line  # a page asks nothing of the host of the offer, and without an offer nobody does


# ---- What the sources hold is on the pages ---------------------------------------------------------------


def test_what_a_notebook_holds_is_on_its_page_and_the_notebook_can_be_downloaded(folder):
    """Its figures, the sources that it shows, and its folded solutions."""
    totals = Counter()
    for notebook in NOTEBOOKS:
        page, outputs = html(page_of(folder, notebook)), [data for cell in notebook.code for data in cell.shown]
        held = {
            "figures": sum("image/svg+xml" in data for data in outputs),
            "sources": sum(sources.joined(data.get("text/markdown", "")).startswith("`metrics.") for data in outputs),
            "solutions": len([*sources.directives(prose_of(notebook), "solution", "solution-start")]) + prose_of(notebook).count(":class: dropdown solution"),
        }
        assert held == {
            "figures": page.count('<svg class="house-figure"') + page.count("<hands-on ") - page.count('class="chapter-picture '),
            "sources": len(re.findall(r'class="[^"]*\bsource-listing\b', page)),
            "solutions": len(re.findall(r'<details class="[^"]*\bsolution\b', page)),
        }, notebook.name
        totals.update(held)
        assert f"../_sources/{notebook.name}" in parsed(page_of(folder, notebook)).links
    assert min(totals.values()) > 40


def test_the_table_of_claims_says_what_was_stated_and_what_was_checked(folder):
    """In the order of the book: the letters of the statement, as on its page, and the stored record under the name of each column."""
    table = html(folder / "book" / "claims.html")
    found = re.findall(r'<tr class="row-\w+" id="claim-([^"]+)">(.*?)</tr>', table, re.DOTALL)
    stored = [(claim, html(page_of(folder, chapter))) for chapter in CHAPTERS for claim in chapter.claims]
    content = r'(?:<p>|<div class="claim-statement" data-words="([^"]*)">)(.*?)(?:</p>|</div>)'
    for (label, html_of_row), (claim, page) in zip(found, stored, strict=True):
        cells = re.findall(rf'<p class="column-name">(.*?)</p>\s*{content}\s*</td>', html_of_row, re.DOTALL)
        row = {name: text_of(text) for name, _, text in cells}
        box = text_of(re.search(rf'<div class="proof \w+ [^"]*" id="{label}">(.*?)</section>', page, re.DOTALL)[1])
        assert label == claim["label"] and re.sub(r"[\s()]", "", box).endswith(re.sub(r"[\s()]", "", row["Statement"]))
        assert len(cells[1][1]) > 30 and not re.search(r"[\\{}$]", cells[1][1]), "what the search reads has TeX"
        assert (row["Strength"], row["Cases"]) == (claim["strength"], f"{claim['cases']:,}") and claim["over"] in row["What was checked"]
        miss = row["Near miss, and where it fails"]
        assert claim["near_miss"] in miss and f"first at {claim['near_miss_fails_at']}" in miss
    counts = Counter(claim["strength"] for claim, _ in stored)
    summary = ", ".join(f"{counts[strength]} {strength}" for strength in ("proved", "exhausted", "sampled", "cited") if counts[strength])
    assert counts.total() > 100 and f">{counts.total()} claims: {summary}" in table


def test_the_page_for_teachers_has_every_chapter_with_all_that_it_declares(folder):
    page = html(folder / "book" / "teaching.html")
    sections = re.findall(r'<section id="teach-(.*?)">(.*?)</section>', page, re.DOTALL)
    for (name, section), chapter in zip(sections, CHAPTERS, strict=True):
        text, card = prose_of(chapter), card_of(chapter)
        assert name == Path(chapter.name).stem and re.search(r"about \d+ minutes.*", card)[0] in section
        lists = {term: part.count("<li>") for term, part in re.findall(r"<dt>(.*?)</dt><dd>(.*?)</dd>", section, re.DOTALL)}
        assert lists["Afterwards students can"] + lists["They need"] == len(re.findall(r"(?m)^[: ] - ", card))
        assert lists["Ask in class"] > 2
        assert (f"<p>{sheet_cost(name)}</p>" if name in WITH_HOMEWORK else name) in section and ("The sheet takes" in section) == (name in WITH_HOMEWORK)
        assert lists.get("May be skipped", 0) == len(re.findall(r"(?m)^### ", text.partition("\n## Deeper")[2].partition("\n## ")[0]))
        labels = [each.options["label"] for each in sources.directives(text, "exercise-start")]
        assert {*labels} == {*re.findall(rf'href="{name}\.html#(ex-[\w-]+)"', section)}


def card_of(chapter):
    return next(sources.directives(prose_of(chapter), "admonition")).body


def test_the_cover_has_the_picture_and_the_answer_of_every_chapter(folder):
    cards = html(folder / "book" / "cover.html").split('<div class="chapter-picture')[1:]
    for card, chapter in zip(cards, CHAPTERS, strict=True):
        answer = re.search(r"(?m)^\*\*(.+?)[.$@]", prose_of(chapter))[1]  # up to a formula
        assert "<svg" in card and answer.replace("*", "").strip() in text_of(card), chapter.name


def test_a_chapter_has_at_most_25_lines_that_open_and_each_check_one_place(folder):
    answered = "details:is(.solution, .deeper, .answer, .exercise, .break-it, .plumbing), .vote > details"
    for chapter in CHAPTERS:
        article = BeautifulSoup(html(folder / Path(chapter.name).with_suffix(".html")), "html.parser").article
        assert len(article.select("details")) - len(article.select(answered)) <= 25, chapter.name
        checks = [check["id"] for check in article.select(".fold.check")]
        assert len(checks) == len(set(checks)) == len(chapter.checks) and all(article.select(f'[id="{check}"] .claim-check') for check in checks)


def test_what_a_note_asks_the_speaker_to_keep_back_comes_at_the_press_of_a_key(folder):
    kept_back = 0
    for deck in sorted((folder / "slides").glob("*.html")):
        for slide in BeautifulSoup(html(deck), "html.parser").select("section"):
            if slide.aside and slides.HIDES.search(slide.aside.get_text()) and not slide.select(".vote, hands-on, ranking-lab"):
                assert slide.select(".fragment"), f"{deck.name}: {slide.aside.get_text()}"
                kept_back += 1
    assert kept_back > 8


def slides_of(folder):
    """Each slide of each deck, with the chapter, what its metadata say, and the slide before."""
    for chapter in CHAPTERS:
        if "slides" in chapter.raw["metadata"]:
            shown = BeautifulSoup(html(folder / "slides" / Path(chapter.name).with_suffix(".html").name), "html.parser").select("section")
            yield from zip([chapter] * len(shown), slides.timed(chapter), shown[1:], shown[:-1], strict=False)


def test_a_near_miss_is_tried_on_its_smallest_case_and_its_bars_are_as_long_as_its_record_says(folder):
    bars = strips = 0
    for chapter, (part, *_), slide, _ in slides_of(folder):
        if part.startswith("near "):
            record = next(record for record in chapter.claims if record["label"] == part[5:])
            if ranking := re.match(r"relevance = \[(.*?)\]", record["near_miss_fails_at"]):
                tiles = [tile["class"] == ["hit"] for tile in slide.select(".strip i:not(.lost)")]
                assert tiles == [grade != "0" for grade in ranking[1].split(", ")], part
                strips += 1
            claimed, true = (slide.select_one(f".sides .{side}") for side in ("claimed", "true"))
            assert claimed.get_text() != true.get_text() and len(slide.select(".fragment")) == 2, part
            if claimed.i:
                wide = [float(re.search(r"width: ([\d.e+-]+)%", side.i["style"])[1]) for side in (claimed, true)]
                said = [re.findall(r"-?\d[\d./]*", record[f"near_miss_{side}"]) for side in ("claims", "truth")]
                said = [abs(Fraction(number)) for number in next(pair for pair in zip(*said, strict=True) if pair[0] != pair[1])]
                assert wide[0] * said[1] == pytest.approx(wide[1] * float(said[0]), abs=0.02), part
                bars += 1
    assert bars > 25 and strips > 15


def test_no_slide_repeats_the_picture_of_the_slide_before(folder):
    def drawn(slide):
        return {re.sub(r"[\w-]*fig\d+-|class=\".*?\"", "", str(picture)) for picture in slide.select("svg, hands-on")}

    assert [(chapter.name, part) for chapter, (part, *_), slide, before in slides_of(folder) if drawn(slide) & drawn(before)] == []


def test_every_note_has_words_of_its_own_and_every_main_picture_comes_in_steps(folder):
    for chapter, (part, minutes, say, *_), slide, before in slides_of(folder):
        begins = f"{minutes} minutes. {say.partition('{')[0]}"
        assert len(say.split()) > 3 and slide.aside.get_text().startswith(begins) and before.aside, f"{chapter.name}: {part}"
        if part == "answer" and slide.svg and not slide.select("hands-on"):
            assert 2 <= len({step.get("data-fragment-index", step) for step in slide.select(".fragment")}) <= 4, chapter.name


def test_each_exercise_that_is_set_in_class_has_a_slide_whose_solution_comes_step_by_step(folder):
    paths = sources.prose(ROOT / "book" / "teaching.md").partition("## Four paths")[2].partition("\n## ")[0]
    in_class = {*re.findall(r"\{ref\}`(ex-[\w-]+)`", re.sub(r"(?:As homework|at home) they do [^.;]*", "", paths))}
    shown = set()
    for chapter, (part, minutes, *_), slide, _ in slides_of(folder):
        kind, _, label = part.partition(" ")
        if kind == "exercise":
            shown.add(label)
            assert minutes == int(re.search(rf", (\d+) min\n:label: {label}\n", prose_of(chapter))[1]), label
            solved = slide.select_one(".solved")
            assert solved.select(".fragment") and all(part.find_parent(class_="fragment") for part in solved.find_all(string=str.strip)), label
            assert len(slide.select_one(".large").get_text().split()) > 8 and "Solution" not in slide.get_text(), label
            boxes = [cell.metadata["answer"] for cell in chapter.code if cell.metadata.get("answer", {}).get("exercise") == label]
            assert ("Right: " in slide.aside.get_text()) is bool(boxes), label
            meanings = [said for box in boxes for _, _, *more in box["parts"] for each in more for said in each.values()]
            assert all(said in slide.aside.get_text() for said in meanings), label
    assert len(in_class) > 12 and in_class <= shown, in_class - shown


CORE = {f"{name}.ipynb" for name in ("precision-and-recall", "average-precision", "order-and-auc", "discounted-gain", "ap-at-k")}


def test_a_note_says_what_they_will_answer_in_its_own_words_or_from_the_chapter(folder):
    said = []
    for chapter, (part, _, say, *_), slide, _ in slides_of(folder):
        note = slide.aside.get_text()
        assert slide_notes.ANSWERED.search(say) or Path(chapter.name).name not in CORE, f"{chapter.name}: {part}"
        if part.startswith("near ") and not slide_notes.ANSWERED.search(say):
            record = next(record for record in chapter.claims if record["label"] == part[5:])
            assert "They will agree at first. Then: at " in note and record["near_miss_fails_at"].split(" = ", 1)[1].split(", ")[0] in note, note
        says = bool(slide_notes.ANSWERED.search(note)) or "What they should see: " in note or "ask again who would sign" in note
        assert says or not (part in ("question", "hurry") or part.startswith(("vote ", "near ", "fig-"))), f"{chapter.name}: {note}"
        said.append(says)
    assert sum(said) > 0.85 * len(said), f"{sum(said)} of {len(said)}"


def test_the_paths_for_teachers_keep_to_the_book():
    """The chapters of a path stand in the order of the book, with the minutes of their cards, and what these need is taught before, or named."""
    paths = sources.prose(ROOT / "book" / "teaching.md").partition("## Four paths")[2].partition("\n## ")[0].split("\n### ")[1:]
    cards = {Path(chapter.name).stem: card_of(chapter) for chapter in CHAPTERS}
    assert len(paths) == 4
    for path in paths:
        taught = []
        for session, text, most in re.findall(r"(?:Chapters|Session \d):\*\* (.*?) Text: (\d+) minutes .*? class: (\d+)\.", path):
            named = re.findall(r"\{doc\}`([\w-]+)` \((\d+) minutes\)", session)
            taught += [name for name, _ in named]
            for name, minutes in named:
                assert f": about {minutes} minutes" in cards[name], f"the card of {name} has other minutes"
                needs = re.findall(r"{doc}`([\w-]+)`", cards[name].partition("\nYou need\n")[2])
                left_out = [need for need in needs if need not in taught and f"{{doc}}`{need}`" not in path]
                assert not left_out, f"{name} needs {left_out}, which its path neither has nor names"
            assert sum(int(minutes) for _, minutes in named) == int(text) <= int(most), session
        assert taught and taught == [name for name in cards if name in taught], "not in the order of the book"


SIGNS = {"question": "question", "answer": "answer", "by hand": "by-hand", "the lab": "lab", "move the two worlds": "moves", "In a hurry": "hurry"}
NO_SLIDES = {"the homework", "homework", "how the exam will ask", "spare"}
SHOWN, SKIPPED = 45, 10  # seconds for a slide, while one prepares


def plans():
    """The plans of *Two sessions*: for each, the sessions, and for each of these the rows as a minute and the items of a cell."""
    text = sources.prose(ROOT / "book" / "teaching.md").partition("### Two sessions")[2].partition("\n### ")[0]
    for words, votes in (("Four", {2, 3}), ("Two", {4})):
        table = text.partition(f"**{words} decks, minute by minute")[2].partition("| --- | --- | --- | --- |\n")[2].partition("\n\n")[0]
        rows = [[cell.strip() for cell in row.strip("|").split("|")] for row in table.splitlines()]
        yield [[(int(row[at]), row[at + 1].split("; ")) for row in rows] for at in (0, 2)], votes, text


def slide_of(item, names):
    """The part of a deck that an item of a plan is, and the votes in brackets, for a class that is ahead; no part for what needs no slide."""
    ahead = [f"vote {names[name]}" for name in re.findall(r"\(\*(.*?)\*\)", item)]
    item = re.sub(r" \(\*.*?\*\)", "", item)
    if found := re.search(r"\{(?:prf:ref|numref)\}`(.*?)`", item):
        return f"near {found[1]}" if "tempting beside" in item else found[1], ahead
    if found := re.search(r"vote \*(.*?)\*", item):
        return f"vote {names[found[1]]}", ahead
    if found := re.search(r"\{ref\}`(ex-.*?)`", item):
        return f"exercise {found[1]}", ahead
    plain = re.split("[,:]", item)[0]
    return (None if plain in NO_SLIDES else SIGNS[plain]), ahead


def test_each_item_of_the_plans_for_two_sessions_is_a_slide_of_its_deck_and_fits_its_minutes():
    decks = {re.search(r"^# +(.*)", prose_of(chapter), re.MULTILINE)[1].strip(): chapter for chapter in CHAPTERS}
    costs = []
    for sessions, cores, text in plans():
        seen = skipped = 0
        for rows in sessions:
            votes, shown = 0, {}  # the parts that the plan names, by deck
            for (start, items), (end, _) in zip(rows, [*rows[1:], (90, [])], strict=True):
                needed = 0
                for item in items:
                    head = re.match(r"\*(.*?)\*: ", item)
                    if head:
                        deck, shown[head[1]] = decks[head[1]], []
                        minutes = {part: each for part, each, *_ in slides.timed(deck)}
                        names = {part.partition("-")[2].replace("-", " "): part[5:] for part in minutes if part.startswith("vote ")}
                    part, ahead = slide_of(item[head.end() :] if head else item, names if shown else {})
                    for each in [*ahead, *[part] * bool(part)]:
                        assert each in minutes, f"{item}: the deck has no slide {each}"
                        for found in shown.values() if "both chapters" in item else [[*shown.values()][-1]]:
                            found.append(each)
                            needed += 0 if each in ahead else minutes[each]
                    votes += (part or "").startswith("vote")
                assert start + needed <= end, f"minute {start}: {items} take {needed} minutes"
            assert votes in cores
            for name, parts in shown.items():
                order = [part for part, *_ in decks[name].raw["metadata"]["slides"]]
                assert [part for part in parts if not part.startswith("vote")] == [part for part in order if part in parts and not part.startswith("vote")]
                assert "hurry" in parts
                seen += len(parts) + 1  # with the cover
                skipped += len({*order} - {*parts})
        costs.append(round((SHOWN * seen + SKIPPED * skipped) / 60))
    assert f"{SHOWN} seconds for a slide that you show and {SKIPPED} for one that you skip" in text
    assert f"the two decks in about {costs[1]} minutes, and the four in about {costs[0]}." in text, costs


def test_a_vote_takes_the_same_minutes_everywhere_and_its_rules_are_said_once_in_a_deck(folder):
    rules = Counter()
    for chapter, (part, minutes, *_), slide, _ in slides_of(folder):
        if part.startswith("vote "):
            stored = next(each for name, each, *_ in chapter.raw["metadata"]["slides"] if name == part)
            assert stored is None and minutes == slides.VOTE and int(slide["data-timing"]) == 60 * slides.VOTE, part
            rules[chapter.name] += "everybody votes alone" in slide.aside.get_text()
    assert len(rules) == len(CHAPTERS) and {*rules.values()} == {1}
    text = sources.prose(ROOT / "book" / "teaching.md")
    assert "A vote takes seven minutes" in text and "each takes seven minutes more" in text and slides.VOTE == 7
    assert "six to seven" not in text


def test_each_deck_has_a_plan_for_one_session_whose_minutes_add_up(folder):
    page = BeautifulSoup(html(folder / "book" / "teaching.html"), "html.parser")
    for chapter in CHAPTERS:
        name, parts = Path(chapter.name).stem, slides.timed(chapter)
        plan = page.select_one(f'#teach-{name} details [id="plan-{name}"]')
        rows = [[" ".join(cell.get_text().split()) for cell in row.select("td")] for row in plan.select("tbody tr")]
        starts, takes = ([int(row[at]) for row in rows] for at in (0, 2))
        assert starts == [sum(takes[:n]) for n in range(len(takes))] and sum(takes) == 90, name
        first = next(n for n, row in enumerate(rows) if row[1] == "question")
        assert first == (0 if chapter is CHAPTERS[0] else 1) and takes[first : first + len(parts)] == [minutes for _, minutes, *_ in parts], name
        whole = sum(minutes for _, minutes, *_ in parts)
        votes = [part.partition("-")[2].replace("-", " ") for part, *_ in parts if part.startswith("vote ")]
        assert [row[1].removeprefix("vote ") for row in rows if row[1].startswith("vote ")] == votes, name
        assert f"The deck takes {whole} minutes: " in page.select_one(f"#teach-{name}").get_text()
        cover = BeautifulSoup(html(folder / "slides" / f"{name}.html"), "html.parser")
        assert f"The deck takes {whole} minutes: " in cover.select_one(".of-cover .notes").get_text()
        assert cover.select_one(f'.foot a[href="../book/teaching.html#plan-{name}"]'), name


def test_a_table_on_a_slide_has_each_row_of_the_table_of_its_chapter(folder):
    rows = BeautifulSoup(html(folder / "book" / "ap-at-k.html"), "html.parser").select("table.libraries")[0].select("tbody tr")
    [slide] = [slide for _, (part, *_), slide, _ in slides_of(folder) if part.startswith("table ")]
    gathered = {row.th.get_text(): [each.get_text() for each in row.select("td b")] for row in slide.select(".gathered tr")}
    wanted = {}
    for row in rows:
        wanted.setdefault(row.select("td")[1].get_text(), []).append(row.th.get_text())
    assert gathered == wanted and len(wanted) == 4


def test_minutes_and_points_of_sheets_are_counted():
    names = ("precision-and-recall", "average-precision")
    tasks = [task for name in names for task in chapter_of(name).TASKS]
    assert sheet_cost(*names) == f"{sum(task.minutes for task in tasks)} minutes, {sum(task.points for task in tasks)} points"
    assert sheet_cost("ap-at-k") == "15 minutes, 4 points"
    text = sources.prose(ROOT / "book" / "teaching.md")
    weeks = re.findall(r"(?m)^\| \d+ \| \{doc\}.*? \| ([\w-]+) \(\{sheet-cost\}`([\w-]+)`\) \|", text)
    assert len(weeks) == 13 and all(sheet == counted for sheet, counted in weeks)


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


def test_open_figures_have_numbers_without_gaps_and_those_in_folds_letters(folder):
    """A figure in a fold has the number of the last open one, and a letter; one on a page without a number has neither."""
    lettered = 0
    for path in folder.glob("book/*.html"):
        last, letters = 0, iter(())
        for number in BeautifulSoup(html(path), "html.parser").select("figcaption .caption-number"):
            *chapter, own = number.get_text().removeprefix("Fig.").strip().split(".")
            if number.find_parent("details"):
                lettered, expected = lettered + 1, f"{last}{next(letters)}"
            else:
                last, letters = last + 1, iter("abcdefgh")
                expected = f"{last}"
            assert chapter and own == expected, (path.name, number.get_text())
    assert lettered > 10


# ---- Formulas ------------------------------------------------------------------------------------------------


def test_a_mark_after_a_formula_stays_with_it_and_is_heard_too(folder):
    """A mark that follows a formula stands in one box with its last piece, as text."""
    page, marked = BeautifulSoup(html(folder / "book/average-precision.html"), "html.parser"), 0
    for formula in page.select(".formula"):
        assert not formula.select("[aria-hidden]")
        assert not str(formula.next_sibling or "").startswith(tuple(".,;:?")), formula
        marked += (formula.select_one(".closed") or formula).get_text()[-1:] in tuple(".,;:?")
    assert marked > 50


def test_a_name_of_several_letters_is_one_element_in_pages_and_slides(folder):
    """A screen reader spells what stands in several."""
    upright, shown = r'<mi mathvariant="normal">[A-Za-z@]+</mi>', 0
    for path in (*folder.glob("book/*.html"), *folder.glob("slides/*.html")):
        html = path.read_text(encoding="utf-8")
        assert not re.search(f"{upright}(?={upright})", html), path.name
        shown += html.count('<mi mathvariant="normal">tp</mi>')
    assert shown > 100


@pytest.mark.parametrize("latex, line", [
    (r"\frac{1}{R} \sum_{j=1}^{R} \frac{j}{k_j}", "1/R∑_(j=1)^R j/k_j"),
    (r"\sum_q \max_{i \le k} \log_2 \bar{x}_{i} + G^{*}_{i}", "∑_q max_(i≤k)log_2x¯_i+G_i^∗"),
])  # fmt: skip
def test_the_excerpts_of_the_search_have_a_formula_on_one_line(latex, line):
    results = formulas.render([(latex, True), (latex, False)])
    assert [search.in_line(formula["math"]) for formula in results] == [line, line]


@pytest.mark.parametrize("latex, line", [
    (r"p = \frac{12}{128} \ge \frac1k", r"p = 12/128 \ge 1/k"),
    (r"(1 - \frac{1}{k'_j})^j, x^{\frac12}", r"(1 - 1/k'_j)^j, x^{1/2}"),
    *((kept, kept) for kept in (r"\frac12 x", r"\frac1R \sum_j j", r"2\frac12", r"\frac12^2", r"\frac12 \cdot \frac23", r"a + \frac{x + 1}{2}")),
    (r"\frac12 + \frac{1}{x + 1}", r"\frac12 + \frac{1}{x + 1}"),
])  # fmt: skip
def test_a_fraction_of_a_sentence_has_a_slash_where_that_cannot_be_misread(latex, line):
    assert formulas.in_a_line(latex) == line


# ---- The rooms that make pages -----------------------------------------------------------------------------


def imported(path):
    """The modules of this project that a file imports, each with the names that it takes of it."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            around = ".".join(path.relative_to(ROOT).parts[: -node.level]) if node.level else ""
            yield ".".join(filter(None, (around, node.module))), [alias.name for alias in node.names]
        elif isinstance(node, ast.Import):
            yield from ((alias.name, []) for alias in node.names)


def arrows(paths):
    """For each file as a module, the modules that it imports: `from book._sphinx import slides` leads to the module that it names."""
    modules = {".".join(path.relative_to(ROOT).with_suffix("").parts): path for path in paths}
    return {module: {name for source, names in imported(path) for name in (source, *(f"{source}.{each}" for each in names)) if name in modules}
            for module, path in modules.items()}  # fmt: skip


def test_tools_build_on_what_makes_pages_and_nothing_there_on_tools_or_in_a_circle():
    found = arrows([path for folder in ("book/_static", "book/_sphinx", "tools") for path in (ROOT / folder).glob("*.py")])
    assert sum(map(len, found.values())) > 60
    assert [(module, name) for module, names in found.items() for name in names if module.startswith("book") and name.startswith("tools")] == []
    assert list(TopologicalSorter(found).static_order()), "a circle is a CycleError, which names its modules"


def test_no_module_has_the_name_of_something_in_it():
    """Where the one is imported, the other would be hidden."""
    paths = [path for folder in ("book", "tools") for path in (ROOT / folder).rglob("*.py")]
    named = [path.name for path in paths for node in ast.parse(path.read_text(encoding="utf-8")).body if getattr(node, "name", None) == path.stem]
    assert len(paths) > 40 and named == []


# ---- The theme ---------------------------------------------------------------------------------------------


EDITS = [*chain(*theme_edits.EDITS.values(), *theme_edits.FILES.values()), *theme_edits.TO_THE_LEFT, *theme_edits.IN_TWO_COLUMNS]


@pytest.mark.parametrize("edit", EDITS, ids=lambda edit: edit.name)
def test_an_edit_of_the_theme_that_finds_nothing_is_named_with_its_page(edit):
    page = next(filter(edit.pages, ("book/bibliography", "book/cover", "search")))
    with pytest.raises(ExtensionError, match=f"{edit.name}.* in {page}"):
        theme_edits.edited(page, "<body>another theme</body>", [edit])


# ---- The build can fail ------------------------------------------------------------------------------------


# What the build says -> the fault in the source.
FAULTS = {
    "formula that KaTeX cannot read": r"$\undefinedmacro$",
    "the statement Z9 has no stored claim": ":::{prf:theorem}\n:label: Z9\n\nNobody checked this.\n:::",
    "the claim Z8 is called proved, and no prf:proof follows its statement": ":::{prf:theorem} Title\n:label: Z8\n\nWords.\n:::\n\nWords.",
    "label 'nothing' not found": "{prf:ref}`nothing`",
    "alternative text of a figure: it is missing": "![](favicon.svg)",
    "No key 'nothing' found in glue data": "{glue:text}`nothing`",
}


def test_a_fault_is_named_and_fails_the_build(tmp_path):
    record = {sources.RECORD: {"label": "Z8", "strength": "proved"}, "text/plain": "Z8"}
    claim = nbformat.v4.new_code_cell("claim()", outputs=[nbformat.v4.new_output("display_data", record)])
    _, said, good = small_book(tmp_path, nbformat.v4.new_markdown_cell("# Page\n\n" + "\n\n".join(FAULTS.values())), claim)
    assert [sign for sign in FAULTS if sign not in said] == [], said
    assert not good
