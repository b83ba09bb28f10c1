"""Every page of the built book in a real browser, at many widths, and what a reader does on a page.

Run with `make browser-test`. It needs Chromium on the PATH (on Debian: apt-get install chromium-headless-shell) and
is no part of a plain `pytest`.
"""

import gzip
import io
import re
from pathlib import Path

import pytest
from browser.visits import THIN_OUT, open_folds, serving, until, violations, visiting
from fontTools.ttLib import TTFont
from test_pages import book_folder, pages_of

from book._sphinx import sources
from tools.fonts import FONTS, letters_of_pages, slanted
from tools.paper_fonts import still

HEAVIEST = 350_000  # bytes of one page and all that it loads, gzipped
MOST_REQUESTS = 26  # one for the script before the first paint, which the policy wants in a file
MOST_SHIFT = 0.02
SMALLEST_TEXT = 10.9  # pixels

BOOK = book_folder()
PAGES = [path for path in pages_of(BOOK) if "slides/" not in path and 'http-equiv="Refresh"' not in (BOOK / path).read_text(encoding="utf-8")]
CHAPTERS = [f"{page}.html" for page in sources.chapters()]
CHAPTER, CLAIMS = "book/average-precision.html", "book/claims.html"

# The outermost blocks of the article that show less than what is in them, and whether they scroll, from the keyboard too.
CLIPPED = r"""() => {
  const small = e => e.getBoundingClientRect().width < 2 || getComputedStyle(e).clipPath !== "none";  // for screen readers
  const clips = e => {
    const {overflowX, overflowY} = getComputedStyle(e), box = e.getBoundingClientRect();
    return e.scrollWidth > e.clientWidth + 1 && e.clientWidth > 0 && (overflowX !== "visible" || e.matches(".beside > *, .pair > *"))
      || e.scrollHeight > e.clientHeight + 4 && e.clientHeight > 0 && /hidden|clip/.test(overflowY)  // the box of a formula is larger than its ink
      || box.right > innerWidth + 1 || box.left < -1;
  };
  const blocks = [...document.querySelectorAll("article.bd-article :not(.formula, .formula *, svg, svg *)")];
  const found = blocks.filter(e => e.checkVisibility() && !small(e) && clips(e));
  const scrolls = e => /auto|scroll/.test(getComputedStyle(e).overflowX) && e.tabIndex === 0;
  return found.filter(e => !found.some(other => other !== e && other.contains(e))).map(e => ({html: e.outerHTML.slice(0, 100), scrolls: scrolls(e)}));
}"""

# The size of the smallest letters of each figure, in pixels of the screen.
LABELS = """() => [...document.querySelectorAll("svg:is(.house-figure, .part):not(.chapter-picture svg)")]
  .map(svg => {
    const letters = [...(svg.closest(".picture") ?? svg).querySelectorAll("text")].map(text => parseFloat(getComputedStyle(text).fontSize));
    return Math.min(...letters, letters.length ? Infinity : 12) * svg.getBoundingClientRect().width / svg.viewBox.baseVal.width;
  })
  .filter(size => size > 0)  // on a telephone the parts of a figure stand for the whole"""

# The texts that reach more than 2 points beyond their figure (of one that is turned, the box has room above its letters), or through which a part ends.
BEYOND = """() => [...document.querySelectorAll("svg.house-figure:not(.chapter-picture svg)")].flatMap(svg => {
  const {x, width} = svg.viewBox.baseVal, on = svg.getScreenCTM(), texts = svg.querySelectorAll("text:not([transform*=rotate])");
  const ends = [...texts].map(text => [text, ...["left", "right"].map(side => (text.getBoundingClientRect()[side] - on.e) / on.a)]);
  const cuts = [...svg.parentElement.querySelectorAll("svg.part:not(:last-child)")].map(part => part.viewBox.baseVal).map(part => part.x + part.width);
  const wrong = ([, left, right]) => left < x - 2 || right > x + width + 2 || cuts.some(at => left < at - 1 && at + 1 < right);
  return on.a ? ends.filter(wrong).map(([text]) => text.textContent) : [];
})"""

# What is pressed and is less than 24 pixels high or wide, but for links in a sentence, and for buttons whose label is pressed as well.
SMALL_TARGETS = r"""() => {
  const words = e => e.textContent.trim().length, around = e => e.closest("p, li, td, th, dt, dd, h2, h3, h4, summary, div");
  const isInSentence = e => getComputedStyle(e).display === "inline" && words(around(e)) > words(e) + 3 && !e.matches(".headerlink");
  const targets = "a[href], button, summary, input, select, textarea, label:has(input), [role=button]";
  const all = [...document.querySelectorAll(targets)].filter(e => !e.closest("svg") && !e.matches("label input:is([type=radio], [type=checkbox])"));
  const sizes = all.map(e => [e, e.getBoundingClientRect()]).filter(([, {width, height}]) => width > 1 && height > 1);
  const small = sizes.filter(([e, {width, height}]) => Math.min(width, height) < 23.5 && !isInSentence(e));
  return small.map(([e, {width, height}]) => `${Math.round(width)} x ${Math.round(height)}: ${e.outerHTML.slice(0, 120)}`);
}"""

# LaTeX, a table or a role of the source left in what the reader sees.
RAW_MARKUP = r"""() => {
  const article = (document.querySelector("article") ?? document.body).cloneNode(true);
  for (const part of article.querySelectorAll("pre, code, script, style")) part.remove();
  return article.textContent.match(/\\[([]|\$\$|\\(frac|sum|mathrm|text|le|ge|begin)\b|\|\s*[-–—]+\s*\||^:::|\{[a-z]+(:[a-z]+)?\}/gm);
}"""

# ---- Every page ----------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def slow_address():
    with serving(BOOK, wait=0.4) as address:  # the sheets have come by then, and the beginning is seen
        yield address


@pytest.fixture(params=[pytest.param(path, marks=pytest.mark.xdist_group(path)) for path in PAGES], ids=lambda path: Path(path).stem, scope="module")
def page(request, browser, slow_address):
    """A page, opened once for all that is looked at: every other one on a telephone in the dark."""
    with visiting(browser, slow_address) as visit:
        yield visit(request.param, *((390, "dark") if PAGES.index(request.param) % 2 else (1280, "light")))


def test_weight(page):
    """Nothing of Python is loaded before it is asked for."""
    page.wait_for_load_state("networkidle")
    packed = re.compile(r"\.(woff2|png|jpe?g)\b")
    sizes = {each.url: len(each.body() if packed.search(each.url) else gzip.compress(each.body())) for each in page.responses}
    assert sum(sizes.values()) <= HEAVIEST and len(sizes) <= MOST_REQUESTS, sizes
    assert not [url for url in sizes if re.search("pyodide|/cells/|run-page|run-worker|katex.min", url)]


def test_no_markup_is_left(page):
    assert page.evaluate(RAW_MARKUP) is None


def test_nothing_jumps_while_it_loads(page):
    opened = page.viewport_size["width"]
    for width in (opened, {1280: 390, 390: 1280}[opened]):
        if width != opened:
            page.set_viewport_size({"width": width, "height": 900})
            page.reload()
        page.evaluate("document.fonts.ready")
        page.wait_for_timeout(200)
        shifts = page.evaluate("shifts")
        assert sum(value for value, _ in shifts) < MOST_SHIFT, (width, shifts)


def test_nothing_is_clipped_and_labels_are_legible(page):
    """What is wide may scroll, if the keyboard reaches it; where a chapter has the room of 1,000 or 1,400 pixels, nothing need."""
    chapter = page.locator("body.chapter").count()
    for width in (320, 390, 1000, 1280, 1400, 1920):  # the first is 1280 pixels at 400 per cent
        page.set_viewport_size({"width": width, "height": 900})
        roomy = chapter and width in (1000, 1400, 1920)
        for _ in range(20):  # until the page has heard of it, and a lab is drawn anew
            page.wait_for_timeout(100)
            clipped = [each["html"] for each in page.evaluate(CLIPPED) if roomy or not each["scrolls"]]
            if not clipped:
                break
        assert clipped == [], width
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert width == 320 or min(page.evaluate(LABELS), default=12) >= SMALLEST_TEXT, width
    assert page.evaluate(BEYOND) == []


def test_the_first_tab_leads_past_all_to_the_text_and_what_is_pressed_is_large_enough(page):
    """With every fold open: 24 pixels, but for a link in a sentence."""
    page.evaluate("scrollTo(0, 0)")
    if "/search.html" not in page.url:  # where the field is active from the start
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.matches('a[href=\"#main-content\"]')")
        page.keyboard.press("Enter")
        page.keyboard.press("Tab")
        assert page.evaluate("document.querySelector('#main-content').contains(document.activeElement)")
    page.evaluate("document.activeElement.blur()")  # whose tooltip would stand outside of all landmarks
    open_folds(page)
    for width in (390, 1400):
        page.set_viewport_size({"width": width, "height": 900})
        page.wait_for_timeout(200)
        assert page.evaluate(SMALL_TARGETS) == [], width


def test_accessibility(page):
    """With every fold open. The last test of a page, for it leaves only what axe does not find many times over."""
    open_folds(page)
    page.evaluate(THIN_OUT)
    assert violations(page) == []


@pytest.mark.parametrize("path", CHAPTERS)
def test_a_chapter_begins_with_a_figure_a_formula_and_code_and_is_light(visit, path):
    page = visit(path, 1400)
    assert page.locator("*").count() <= 12_000
    for what, part in ((":is([role=img], img, .ranking-lab, hands-on table)", 1), ("div.math", 1), ("div.cell_input", 0)):  # code has begun there
        box = page.locator(f"article {what}:visible").first.bounding_box()
        assert box["y"] + part * box["height"] < 2 * 900, what


@pytest.mark.parametrize("width, scheme", [(1280, "dark"), (1280, "light"), (390, "dark"), (390, "light")])
def test_accessibility_in_every_look(visit, width, scheme):
    """What stands beside the text in one width only, the colours, and what is folded, are alike in all chapters."""
    page = visit(CHAPTER, width, scheme)
    open_folds(page)
    page.evaluate(THIN_OUT)
    assert violations(page) == []


def test_the_fonts_have_every_letter_of_the_pages():
    has = {path.stem: set(map(chr, TTFont(io.BytesIO(still(path, 400))).getBestCmap())) for path in FONTS.glob("*.woff2")}
    words, formulas = letters_of_pages(BOOK)
    assert sorted(words - has["serif"] - has["sans"] - has["math"]) == sorted(set().union(*map(slanted, formulas)) - has["math"] - has["serif"]) == []


# ---- What a reader does ---------------------------------------------------------------------------------


def test_the_keyboard_leads_to_the_text_and_the_colour_scheme_can_be_switched(visit):
    page, paper = visit(PAGES[0]), "getComputedStyle(document.body).backgroundColor"
    before, switch = page.evaluate(paper), page.locator(".theme-switch-button").first
    for _ in range(8):
        page.keyboard.press("Tab")
        seen = page.evaluate("(s => s.outlineStyle !== 'none' || s.boxShadow !== 'none')(getComputedStyle(document.activeElement))")
        assert seen, page.evaluate("document.activeElement.outerHTML.slice(0, 120)")
    skip = page.locator("a[href='#main-content']")
    skip.focus()
    until(page, "document.activeElement.getBoundingClientRect().top >= 0")  # it slides in
    skip.press("Enter")
    assert page.url.endswith("#main-content")
    for _ in range(2):  # from what the system asks for to what it does not
        if page.evaluate(paper) == before:
            switch.click()
    assert page.evaluate(paper) != before and switch.locator("i:visible").count() == 1


def test_the_contents_mark_the_section_that_is_read(visit):
    """After a jump as well, down and up."""
    page = visit(CHAPTER, 1400)
    for section in ("exercises", "deeper"):
        page.evaluate("name => window.scrollTo(0, document.getElementById(name).getBoundingClientRect().top + scrollY - 100)", section)
        page.wait_for_selector(f"#chapter-contents a.active[href='#{section}']")
        assert page.locator("#chapter-contents a[aria-current]").count() == 1


CHECK = re.findall(r'id="(check-[^"]+)"', (BOOK / CHAPTER).read_text(encoding="utf-8"))[-1]


def test_without_scripts_deeper_sections_and_exercises_are_open(visit):
    for scripts in (True, False):
        page = visit(CHAPTER, java_script_enabled=scripts)
        for kind in ("deeper", "exercise"):
            shown = page.locator(f"details.{kind} > :not(summary)").first
            assert shown.is_visible() is not scripts, kind


def test_folds_are_closed_an_anchor_opens_what_it_names_and_paper_all_but_checks_and_code(visit):
    page = visit(CHAPTER)
    assert page.locator("details.fold.check[open]").count() == 0
    deeper, exercise = (page.locator(kind).first.get_attribute("id") for kind in ("section:has(> details.deeper)", "details.exercise"))
    opened = {CHECK: f"#{CHECK} > :not(summary)", deeper: f"#{deeper} > details > :not(summary)", exercise: f"#{exercise} > :not(summary)"}
    for anchor, shown in opened.items():
        page.evaluate("anchor => location.hash = anchor", anchor)
        page.locator(f"{shown}:visible").first.wait_for()
    solutions = page.locator("details.solution:not([open]) > :not(summary)")
    assert solutions.count() > 3 and solutions.filter(visible=True).count() == 0
    page.emulate_media(media="print")
    assert solutions.filter(visible=True).count() == solutions.count()
    assert page.locator("details.fold.code .cell_input:visible").count() == 0
    assert page.locator(".bd-sidebar:visible, .bd-header-article:visible, .prev-next-footer:visible").count() == 0


def test_without_scripts_an_anchor_shows_its_check_and_nothing_is_offered_that_would_do_nothing(visit):
    page = visit(f"{CHAPTER}#{CHECK}", java_script_enabled=False)
    assert page.locator(f"#{CHECK} > :not(summary)").first.is_visible() and page.locator("ranking-lab .tile:visible").count() == 6
    assert page.locator("[data-shows=checks]:visible, .run-controls, .lab-controls:visible").count() == 0
    page = visit(CLAIMS, 390, java_script_enabled=False)
    assert page.locator("article :is(form, input, select, button):visible").count() == 0
    assert page.locator("table.claims-table tbody tr:visible").count() == page.locator("table.claims-table tbody tr").count() > 100


def test_all_checks_can_be_shown_which_is_remembered(visit, address):
    page, closed = visit(CHAPTER), "details.fold.check:not([open])"
    every = page.locator(closed).count()
    page.locator("[data-shows=checks]").first.click()
    assert page.locator(closed).count() == 0 < every
    page.goto(address + CHAPTERS[1])
    assert page.locator("details.fold.check").count() > 0 and page.locator(closed).count() == 0
    page.locator("[data-shows=checks]").first.click()
    page.goto(address + CHAPTER)
    assert page.locator(closed).count() == every


STATEMENT = re.compile("Link to this (theorem|proposition)")


def test_a_malformed_address_breaks_nothing_and_nothing_offers_to_copy_where_the_browser_does_not(visit):
    page = visit(CHAPTER)
    page.add_init_script("Object.defineProperty(navigator, 'clipboard', {value: undefined})")
    for malformed in ("#%E0", "#%"):
        page.evaluate("hash => { location.hash = hash; }", malformed)
    page.reload()
    assert page.locator("[data-shows=checks]").count() == page.locator(".admonition.report").count() == 1 and page.locator(".copy-report").count() == 0
    page.get_by_role("link", name=STATEMENT).first.click()
    assert page.locator(".copied").count() == 0


def test_the_address_of_a_statement_and_a_sentence_for_a_report_can_be_copied(visit, address):
    page, copied = visit("book/averaging.html"), "navigator.clipboard.readText()"
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    link = page.get_by_role("link", name=STATEMENT).first
    link.click()
    page.locator(".copied", has_text="copied").wait_for()  # the browser writes in its own time
    assert page.evaluate(copied) == page.url == address + "book/averaging.html" + link.get_attribute("href")
    report = page.locator(".admonition.report")
    words = " ".join(report.locator("p:not(.admonition-title)").all_text_contents()).split()
    report.get_by_role("button", name="Copy", exact=True).click()
    report.locator(".copied", has_text="copied").wait_for()
    assert words and page.evaluate(copied).split() == words


# ---- The table of claims ------------------------------------------------------------------------------

SHOWN = "[...document.querySelectorAll('table.claims-table tbody tr:not([hidden])')].map(row => row.id.slice(6))"
CASES = "[...document.querySelectorAll('tbody .column-cases')].map(cell => Number(cell.lastElementChild.textContent.replaceAll(',', '')))"
IN_VIEW = "id => (box => box.top >= 0 && box.top < innerHeight)(document.getElementById(id).getBoundingClientRect())"


def test_claims_are_sorted_as_numbers_by_strength_and_back_into_the_order_of_the_book(visit):
    page = visit(CLAIMS, 390)
    book, head = page.evaluate(SHOWN), page.get_by_role("columnheader", name="Cases")
    for direction, descending in [("ascending", False), ("descending", True)]:
        page.get_by_role("button", name="Cases").click()
        cases = page.evaluate(CASES)
        assert cases == sorted(cases, reverse=descending) and head.get_attribute("aria-sort") == direction
    page.get_by_role("button", name="Strength").click()
    order = page.evaluate("[...new Set([...document.querySelectorAll('tbody .claim-strength')].map(badge => badge.textContent))]")
    assert order == [strength for strength in ("proved", "exhausted", "sampled", "cited") if strength in order] and len(order) > 1
    claim = page.locator("th button:text-is('Claim')")
    claim.press("Enter")
    assert page.evaluate(SHOWN) == sorted(book, key=lambda label: (label[0], int(label[1:])))  # A2 before A10
    for key in ("Space", "Enter"):
        claim.press(key)
    assert page.evaluate(SHOWN) == book


def test_claims_are_filtered_and_counted_a_link_to_a_hidden_row_shows_it_and_paper_all(visit):
    page = visit(CLAIMS)
    every, words, count = page.evaluate(SHOWN), page.get_by_label("Find words"), page.get_by_role("status")
    words.fill("triangle JACCARD")
    found = page.evaluate(SHOWN)
    assert 0 < len(found) < 10 and "B23" in found and count.text_content() == f"{len(found)} of {len(every)} claims shown"
    words.fill("near miss, and where it fails")  # the names of the columns are not searched
    assert page.evaluate(SHOWN) == [] and "No claim fits" in count.text_content()
    page.emulate_media(media="print")
    assert page.locator("table.claims-table tbody tr:visible").count() == len(every)
    assert page.locator(".claims-controls:visible").count() == 0
    page.emulate_media(media="screen")
    page.evaluate(f"location.hash = 'claim-{every[-1]}'")
    until(page, IN_VIEW, arg=f"claim-{every[-1]}")
    chapter = page.locator("select option").nth(2).text_content()  # it has claims of more than one strength
    page.get_by_label("Chapter").select_option(chapter)
    page.get_by_label("proved").uncheck()
    texts = page.locator("tbody tr:visible").all_text_contents()
    assert texts and all(chapter in text and "Strengthproved" not in text.replace("\n", "") for text in texts)
    page.get_by_role("button", name="All claims").click()
    assert page.evaluate(SHOWN) == every


def test_a_link_from_a_chapter_opens_at_its_row_and_back(visit):
    page = visit(CHAPTER)
    check = page.locator("details.fold.check:not(details.deeper *)").last
    check.locator("summary").click()
    link = check.locator(".claim-label a")
    label = link.text_content().removeprefix("✓ ")
    link.click()
    page.wait_for_url(f"**/claims.html#claim-{label}")
    assert page.evaluate(IN_VIEW, f"claim-{label}")
    page.locator(f"#claim-{label} .column-claim a").click()
    assert page.url.endswith(f"{CHAPTER}#{label}")


# ---- The guards can fail ----------------------------------------------------------------------------


def test_a_fault_in_the_page_is_found(browser):
    page = browser.new_page()
    page.set_content(r"""<article class="bd-article"><p style="position: relative; left: -50px">cut</p>
        <p style="overflow: hidden; width: 3em">incomprehensible</p><p>\(x\) and {doc}</p><pre>$$x$$</pre>
        <svg class="house-figure" width="300" viewBox="0 0 900 90"></svg><p style="color: #eee">pale</p></article>""")
    assert len(page.evaluate(CLIPPED)) == 2 and len(page.evaluate(RAW_MARKUP)) == 2 and page.evaluate(LABELS) == [4]
    page.evaluate(THIN_OUT)
    assert any("color-contrast" in line for line in violations(page))


def test_a_fault_while_loading_is_found(browser, tmp_path):
    (tmp_path / "index.html").write_text("<img src=gone.png><p>text</p><script>setTimeout(() => { throw Error('broken') })</script>")
    with pytest.raises(AssertionError) as failed, serving(tmp_path) as address, visiting(browser, address) as visit:
        page = visit("index.html", 390)
        until(page, "performance.getEntriesByType('paint').length")  # what was never painted does not jump
        page.evaluate("document.querySelector('p').style.marginTop = '800px'")
        until(page, f"shifts.some(([value]) => value > {MOST_SHIFT})")
    assert "broken" in str(failed.value) and "404" in str(failed.value)


# ---- Slides --------------------------------------------------------------------------------------------

# The slides of which something is beyond the frame or too small to read (a formula below 24 pixels of 720), as they come, and with all options of a vote open.
BEYOND_THE_FRAME = """async () => {
  const found = [];
  function look(slide, how) {
    const content = slide.querySelector(".fit"), {top, bottom, left, right, height} = content.getBoundingClientRect();
    const hidden = [...content.querySelectorAll("p, summary, table")].some(part => part.checkVisibility() && part.getBoundingClientRect().bottom > innerHeight);
    const small = [...content.querySelectorAll("math")].some(sum => parseFloat(getComputedStyle(sum).fontSize) * sum.currentCSSZoom < 24 / Reveal.getScale());
    if (small || top < -1 || bottom > innerHeight + 1 || left < -1 || right > innerWidth + 1 || height < 60 || hidden || content.style.zoom < 0.6)
      found.push(`${Reveal.getIndices().h + 1} ${slide.className}${how}`);
  }
  for (const [at, slide] of Reveal.getSlides().entries()) {
    Reveal.slide(at);
    look(slide, "");
    const options = slide.querySelectorAll(".vote > details");
    if (!options.length) continue;
    for (const option of options) option.open = true;
    await new Promise(done => setTimeout(done, 60));  // that it is open is told afterwards
    look(slide, ", all options open");
  }
  return found;
}"""


@pytest.mark.parametrize("name", [Path(path).stem for path in CHAPTERS])
def test_every_slide_fits_its_frame_from_a_folder_too(visit_file, name):
    page = visit_file(f"slides/{name}.html", viewport={"width": 1280, "height": 720})
    page.wait_for_selector("html.fitted")  # what is too high was made smaller
    assert page.evaluate("Reveal.getTotalSlides()") > 12
    for overview in (True, False):  # all slides at once, and back
        page.evaluate("on => Reveal.toggleOverview(on)", overview)
        page.wait_for_timeout(60)
    assert page.evaluate(BEYOND_THE_FRAME) == []
    things = page.locator(":is(ranking-lab, hands-on) :is(button:enabled, input)")
    for key, moved in (("ArrowDown", 0), ("PageDown", 1)) if things.count() else ():  # a lab needs the arrows, and not what leaves it
        before = page.evaluate("Reveal.slide(Reveal.getSlides().findIndex(slide => slide.querySelector('ranking-lab, hands-on'))), Reveal.getIndices().h")
        things.first.focus()
        page.keyboard.press(key)
        assert page.evaluate("Reveal.getIndices().h") == before + moved, key


def test_slides_are_printed_with_all_that_is_said_of_the_votes(visit_file):
    page = visit_file("slides/average-precision.html?print-pdf", viewport={"width": 1280, "height": 720})
    page.wait_for_selector("html.fitted")
    votes = page.locator(".pdf-page:has(.vote)")
    inside = votes.evaluate_all("""pages => pages.map(page => [...page.querySelectorAll("details > p")].filter(words => words.checkVisibility()
        && words.getBoundingClientRect().bottom <= page.getBoundingClientRect().bottom).length === page.querySelectorAll("details").length)""")
    assert inside == [True] * 4
    assert votes.locator("details.right[open]").count() == 4


@pytest.mark.parametrize("scheme, asked, dark", [
    ("dark", "", True), ("light", "", False), ("dark", "?light", False), ("dark", "?handout", False), ("dark", "?print-pdf", False),
])  # fmt: skip
def test_slides_are_as_dark_as_the_system_but_for_a_projector_and_paper(visit_file, scheme, asked, dark):
    page = visit_file(f"slides/average-precision.html{asked}", color_scheme=scheme)
    page.wait_for_selector("html.fitted, html.handout")
    paper = "parseInt(getComputedStyle(document.body).backgroundColor.match(/\\d+/)[0]) < 128"
    assert page.evaluate(paper) is dark
    if not asked:
        page.keyboard.press("d")
        assert page.evaluate(paper) is not dark


def test_a_handout_has_lines_in_the_place_of_answers(visit_file):
    page = visit_file("slides/average-precision.html?handout")
    page.wait_for_selector("html.handout")
    assert page.locator("section").count() > 15 and page.locator(".vote summary").count() > 10
    assert page.locator(".fragment, .notes, .right, .vote p:not(.asked)").count() == 0
    assert len(re.findall(rb"/Type /Page\b", page.pdf(format="A4"))) <= page.locator("section").count() / 1.5
