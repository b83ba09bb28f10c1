"""Every page of the built book in a real browser, in both widths and both colour schemes.

Run with `make browser-test`. It needs Chromium on the PATH (on Debian: apt-get install chromium) and
is no part of a plain `pytest`. With SCREENSHOTS=folder it keeps a picture of every page it sees.
"""

import gzip
import os
import re
from pathlib import Path

import pytest
from browser.visits import CLIPPED, THIN, WIDTHS, Visit, serving, violations
from test_pages import book_folder, pages_of

from book._sphinx import sources

HEAVIEST = 350_000  # bytes of one page and all that it loads, gzipped
MOST_REQUESTS = 25
MOST_SHIFT = 0.02
SMALLEST_TEXT = 10.9  # pixels

BOOK = book_folder()
PAGES = [path for path in pages_of(BOOK) if 'http-equiv="Refresh"' not in (BOOK / path).read_text(encoding="utf-8")]

# Elements that reach beyond the window, and are in no box that scrolls or hides on purpose.
CUT = """() => {
  const scrolls = element => {
    for (let box = element; box && box !== document.body; box = box.parentElement) {
      const style = getComputedStyle(box);
      if (/(auto|scroll)/.test(style.overflowX) || style.clipPath !== "none" || style.visibility === "hidden"
          || style.position === "fixed" || box.matches(".katex-mathml, .katex .hide-tail, dialog, .bd-sidebar")) return true;
    }
    return false;
  };
  return [...document.querySelectorAll("body *")]
    .filter(e => { const box = e.getBoundingClientRect(); return box.width > 0 && (box.right > innerWidth + 1 || box.left < -1) && !scrolls(e); })
    .map(e => e.outerHTML.slice(0, 100));
}"""

# LaTeX, a table or a role of the source left in what the reader sees.
RAW_MARKUP = r"""() => {
  const walker = document.createTreeWalker(document.querySelector("article") || document.body, NodeFilter.SHOW_TEXT);
  const found = [];
  while (walker.nextNode()) {
    const node = walker.currentNode;
    if (node.parentElement.closest("pre, code, script, style, .katex-mathml")) continue;
    if (/\\[([]|\$\$|\\(frac|sum|mathrm|text|le|ge|begin)\b|\|\s*[-–—]+\s*\||^:::|\{[a-z]+(:[a-z]+)?\}/.test(node.textContent))
      found.push(node.textContent.trim().slice(0, 80));
  }
  return found;
}"""

# Formulas without a picture, or without what a screen reader speaks.
UNRENDERED = """() => {
  const faulty = ".math:not(.katex, :has(.katex)), .katex-error, .formula-error, .katex:not(:has(math))";
  return [...document.querySelectorAll(faulty)].map(e => e.outerHTML.slice(0, 100));
}"""

# The size of the labels of each figure, in pixels of the screen, drawn with the size of the house style.
SMALL_LABELS = """() => [...document.querySelectorAll("svg:is(.house-figure, .part):not(.chapter-picture svg)")]
  .filter(svg => svg.getBoundingClientRect().width > 0)  // on a telephone the parts of a figure stand for the whole
  .map(svg => {
    const scale = svg.getBoundingClientRect().width / svg.viewBox.baseVal.width;
    return [(svg.getAttribute("aria-label") || "a part of a figure").slice(0, 40), 12 * scale];
  })"""

# ---- Every page ----------------------------------------------------------------------------------------

# Two looks meet both widths and both colour schemes. What neither changes is looked at once, in the first of them.
LOOKS = [(1280, "light"), (390, "dark")]
CLAIMS = "book/claims.html"
CHAPTERS = [f"{page}.html" for page in sources.chapters()]
SAMPLE = ("book/notation.html", CLAIMS)  # looked at in the other two as well


@pytest.fixture(params=[pytest.param(path, marks=pytest.mark.xdist_group(path)) for path in PAGES], ids=lambda path: Path(path).stem, scope="module")
def visits(request, browser, address):
    """A page, opened once in each look."""
    visits = [Visit(browser, address, request.param, *look) for look in LOOKS]
    yield visits
    folder = os.environ.get("SCREENSHOTS")
    for visit in visits:
        if folder:
            visit.page.screenshot(path=Path(folder, f"{Path(request.param).stem}-{visit.look}.png"), full_page=True)
        visit.context.close()


def found(visits, guard):
    """What a guard, a function in JavaScript, finds in each look."""
    return [(visit.look, each) for visit in visits for each in visit.page.evaluate(guard)]


def test_nothing_is_asked_of_another_host(visits, address):
    assert [url for visit in visits for url in visit.requests if not url.startswith((address, "data:"))] == []


def test_nothing_fails(visits):
    failed = [f"{response.status}: {response.url}" for visit in visits for response in visit.responses if response.status >= 400]
    assert failed + [trouble for visit in visits for trouble in visit.troubles] == []


def test_formulas_are_rendered(visits):
    page = visits[0].page
    assert page.evaluate(UNRENDERED) + page.evaluate(RAW_MARKUP) == []
    assert visits[0].path not in CHAPTERS or page.locator(".katex").count() > 0


def test_nothing_is_cut_or_overflows(visits):
    for visit in visits:
        assert visit.page.evaluate("document.documentElement.scrollWidth") <= visit.width
    assert found(visits, CUT) == []


def test_nothing_jumps(visits):
    for visit in visits:
        visit.page.evaluate("document.fonts.ready")
        shifts = visit.page.evaluate("window.shifts")
        assert sum(value for value, _ in shifts) < MOST_SHIFT, (visit.look, shifts)


def test_weight(visits):
    sizes = {response.url: len(compressed(response)) for response in visits[0].responses}
    heaviest = sorted(sizes.items(), key=lambda item: -item[1])[:5]
    assert sum(sizes.values()) <= HEAVIEST, heaviest
    assert len(sizes) <= MOST_REQUESTS, sorted(sizes)


def compressed(response):
    packed = re.search(r"\.(woff2|png|jpe?g)\b", response.url)
    return response.body() if packed else gzip.compress(response.body())


def test_labels_of_figures_are_legible(visits):
    assert [label for label in found(visits, SMALL_LABELS) if label[1][1] < SMALLEST_TEXT] == []


# ---- A chapter is made for reading ----------------------------------------------------------------------

# What of a chapter is in the first two screens: figures with their texts, formulas of their own, and what to report.
AT_FIRST_SIGHT = """() => {
  const early = e => e.checkVisibility() && e.getBoundingClientRect().bottom + scrollY < 2 * innerHeight;
  const within = selector => [...document.querySelectorAll(`article ${selector}`)].filter(early);
  const text = e => e.getAttribute("alt") || e.getAttribute("aria-label");
  return {figure: within(":is(svg[role=img], img, .ranking-lab)").some(text) || within("hands-on table").length > 0,
          formula: within(".katex-display").length > 0,
          "in a hurry": within(".in-a-hurry").length > 0};
}"""

# A fold that is closed still has a size; what is in it is not seen.
SEEN = "e => e.checkVisibility() && e.getBoundingClientRect().height > 0"


# What of a lab is beyond the window, and not in its table, which scrolls.
BEYOND = """all => all.filter(e => e.getBoundingClientRect().right > innerWidth + 1 && !e.closest(".lab-table")).map(e => e.outerHTML.slice(0, 80))"""


@pytest.fixture
def chapter(visits):
    """The page of a chapter in its first look, as it was opened; afterwards it has its size again."""
    visit = visits[0]
    if visit.path not in CHAPTERS:
        pytest.skip("no chapter")
    yield visit.page
    visit.page.set_viewport_size({"width": visit.width, "height": WIDTHS[visit.width]})


def test_nothing_of_a_chapter_is_clipped(chapter):
    """On a telephone what is wide may scroll, if the keyboard reaches it; elsewhere all is seen."""
    found = []
    for width in (390, 1000, 1400, 1920):
        chapter.set_viewport_size({"width": width, "height": 900})
        found += [(width, each["html"]) for each in chapter.evaluate(CLIPPED) if width > 390 or not each["scrolls"]]
    chapter.set_viewport_size({"width": 320, "height": 800})  # as 1280 pixels at 400 per cent
    assert found + chapter.locator("ranking-lab *").evaluate_all(BEYOND) == []


def test_a_chapter_begins_with_a_figure_a_formula_and_what_to_report(chapter):
    chapter.set_viewport_size({"width": 1400, "height": 900})
    assert chapter.evaluate(AT_FIRST_SIGHT) == {"figure": True, "formula": True, "in a hurry": True}


def test_the_contents_mark_the_section_that_is_read(chapter):
    """After a jump as well, down and up."""
    chapter.set_viewport_size({"width": 1400, "height": 900})
    for section in ("exercises", "deeper"):
        chapter.evaluate("name => window.scrollTo(0, document.getElementById(name).getBoundingClientRect().top + scrollY - 100)", section)
        chapter.wait_for_selector(f"#chapter-contents a.active[href='#{section}']")
        assert chapter.locator("#chapter-contents a[aria-current]").count() == 1


def test_checks_are_folded_and_an_anchor_shows_what_it_names(chapter):
    checks = chapter.locator("details.fold.check")
    assert checks.count() > 0 and chapter.locator("details.fold.check[open]").count() == 0
    check = checks.last.get_attribute("id")
    shows = {check: f"#{check} > :not(summary)", check.removeprefix("check-"): f"#{check.removeprefix('check-')}"}
    for section in chapter.locator("section:has(> details.deeper)").all()[:1]:
        shows[section.get_attribute("id")] = f"#{section.get_attribute('id')} > details > :not(summary)"
    for anchor, place in shows.items():
        chapter.evaluate("anchor => location.hash = anchor", anchor)
        chapter.wait_for_function(f"place => ({SEEN})(document.querySelector(place))", arg=place, timeout=5000)
    chapter.evaluate("document.querySelectorAll('details.fold').forEach(fold => fold.open = false)")


def test_on_paper_folds_are_open_and_navigation_is_gone(visits):
    page = visits[0].page
    page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    page.emulate_media(media="print")
    assert page.locator("details:not([open], .fold:is(.check, .code))").count() == 0
    assert page.locator("details.fold:is(.check, .code)[open] .cell_input:visible").count() == 0
    assert page.locator(".bd-sidebar:visible, .bd-header-article:visible, .prev-next-footer:visible").count() == 0
    page.emulate_media(media="screen")
    page.evaluate("window.dispatchEvent(new Event('afterprint'))")


def test_accessibility(visits):
    """The last test of a page, for it thins it."""
    for visit in visits:
        visit.page.evaluate(THIN)
        assert violations(visit.page) == [], visit.look


@pytest.mark.parametrize("width, scheme", [(1280, "dark"), (390, "light")])
@pytest.mark.parametrize("path", SAMPLE)
def test_accessibility_in_the_other_looks(browser, address, path, width, scheme):
    """What stands beside the text in one width only is the same on every page, but for the table of claims."""
    visit = Visit(browser, address, path, width, scheme)
    assert visit.troubles == []  # axe reads the style sheets again, and makes some of its own
    visit.page.evaluate(THIN)
    assert violations(visit.page) == []
    visit.context.close()


# ---- What a reader does ---------------------------------------------------------------------------------


def test_the_keyboard_leads_to_the_text_and_the_colour_scheme_can_be_switched(browser, address):
    visit = Visit(browser, address, PAGES[0])
    page, paper = visit.page, "getComputedStyle(document.body).backgroundColor"
    before, switch = page.evaluate(paper), page.locator(".theme-switch-button").first
    for _ in range(8):
        page.keyboard.press("Tab")
        seen = page.evaluate("(s => s.outlineStyle !== 'none' || s.boxShadow !== 'none')(getComputedStyle(document.activeElement))")
        assert seen, page.evaluate("document.activeElement.outerHTML.slice(0, 120)")
    skip = page.locator("a[href='#main-content']")
    skip.focus()
    page.wait_for_function("document.activeElement.getBoundingClientRect().top >= 0")  # it slides in
    skip.press("Enter")
    assert page.url.endswith("#main-content")
    for _ in range(2):  # from what the system asks for to what it does not
        if page.evaluate(paper) == before:
            switch.click()
    assert page.evaluate(paper) != before and switch.locator("i:visible").count() == 1
    visit.context.close()


def test_without_scripts_an_anchor_shows_its_check_and_nothing_is_offered_that_would_do_nothing(browser, address):
    label = re.findall(r'id="(check-[^"]+)"', (BOOK / CHAPTERS[0]).read_text(encoding="utf-8"))[-1]
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{address}{CHAPTERS[0]}#{label}")
    content = "[...check.querySelectorAll(':scope > :not(summary)')]"
    seen = page.locator("details.fold.check").evaluate_all(f"all => all.filter(check => {content}.some({SEEN})).map(check => check.id)")
    assert seen == [label]
    assert page.locator(".show-checks:visible, .run-controls").count() == 0
    context.close()


def test_all_checks_can_be_shown_which_is_remembered(browser, address):
    visit = Visit(browser, address, CHAPTERS[0])
    page, closed = visit.page, "details.fold.check:not([open])"
    every = page.locator(closed).count()
    assert every > 0
    page.locator(".show-checks").first.click()
    assert page.locator(closed).count() == 0
    page.goto(address + CHAPTERS[1])
    assert page.locator("details.fold.check").count() > 0 and page.locator(closed).count() == 0
    page.locator(".show-checks").first.click()
    page.goto(address + CHAPTERS[0])
    assert page.locator(closed).count() == every
    visit.context.close()


def test_a_malformed_address_breaks_nothing_and_nothing_offers_to_copy_where_the_browser_does_not(browser, address):
    page, errors = browser.new_page(), []
    page.on("pageerror", lambda error: errors.append(error))  # noqa: PLW0108
    page.add_init_script("Object.defineProperty(navigator, 'clipboard', {value: undefined})")
    page.goto(address + CHAPTERS[0] + "#%")
    page.evaluate("location.hash = '#%E0'")
    assert page.locator(".show-checks").count() == 1
    assert page.locator(".admonition.report").count() == 1 and page.locator(".copy-report").count() == 0
    page.get_by_role("link", name=STATEMENT).first.click()
    assert page.locator(".copied").count() == 0 and errors == []
    page.close()


def test_search_works_from_a_file_shows_first_words_and_leads_to_places_that_exist(browser):
    visit = Visit(browser, BOOK.as_uri() + "/", "search.html?q=precision")
    results = visit.page.locator("#search-results li")
    assert results.count() > 20 and results.locator(".context:has-text('precision')").count() > 10
    assert visit.troubles == [] and [url for url in visit.requests if not url.startswith(BOOK.as_uri()) or "/html/book/" in url] == []
    links = results.locator("a[href*='#']").evaluate_all("links => links.map(link => link.getAttribute('href').split('#'))")
    assert len(links) > 5
    assert [link for link in links if f'id="{link[1]}"' not in (BOOK / link[0]).read_text(encoding="utf-8")] == []
    visit.context.close()


STATEMENT = re.compile("Link to this (theorem|proposition)")


def test_the_address_of_a_statement_and_a_sentence_for_a_report_can_be_copied(browser, address):
    visit = Visit(browser, address, "book/averaging.html")
    page, copied = visit.page, "navigator.clipboard.readText()"
    visit.context.grant_permissions(["clipboard-read", "clipboard-write"])
    link = page.get_by_role("link", name=STATEMENT).first
    link.click()
    page.locator(".copied", has_text="copied").wait_for()  # the browser writes in its own time
    assert page.evaluate(copied) == page.url == address + "book/averaging.html" + link.get_attribute("href")
    report = page.locator(".admonition.report")
    words = " ".join(report.locator("p:not(.admonition-title)").all_text_contents()).split()
    report.get_by_role("button", name="Copy", exact=True).click()
    report.locator(".copied", has_text="copied").wait_for()
    assert words and page.evaluate(copied).split() == words
    visit.context.close()


# ---- The table of claims ------------------------------------------------------------------------------

SHOWN = "[...document.querySelectorAll('table.claims-table tbody tr:not([hidden])')].map(row => row.id.slice(6))"
CASES = "[...document.querySelectorAll('tbody .column-cases')].map(cell => Number(cell.lastElementChild.textContent.replaceAll(',', '')))"

IN_VIEW = "id => (box => box.top >= 0 && box.top < innerHeight)(document.getElementById(id).getBoundingClientRect())"


@pytest.fixture(scope="module")
def claims(browser, address):
    """The table, opened once for all tests that leave it as it was."""
    visit = Visit(browser, address, CLAIMS)
    yield visit.page
    assert visit.troubles == []
    visit.context.close()


the_table = pytest.mark.xdist_group("the table of claims")


@the_table
def test_claims_are_sorted_as_numbers_by_strength_and_back_into_the_order_of_the_book(claims):
    book = claims.evaluate(SHOWN)
    button, head = claims.get_by_role("button", name="Cases"), claims.get_by_role("columnheader", name="Cases")
    for direction, descending in [("ascending", False), ("descending", True)]:
        button.click()
        cases = claims.evaluate(CASES)
        assert cases == sorted(cases, reverse=descending) and cases != sorted(cases, key=str)
        assert head.get_attribute("aria-sort") == direction and claims.locator("th[aria-sort]:not([aria-sort=none])").count() == 1
    claims.get_by_role("button", name="Strength").click()
    order = claims.evaluate("[...new Set([...document.querySelectorAll('tbody .claim-strength')].map(badge => badge.textContent))]")
    assert order == [strength for strength in ("proved", "exhausted", "sampled", "cited") if strength in order] and len(order) > 1
    claim = claims.locator("th button:text-is('Claim')")
    claim.press("Enter")
    labels = claims.evaluate(SHOWN)
    assert labels == sorted(labels, key=lambda label: (label[0], int(label[1:])))  # A2 before A10
    claim.press("Space")
    assert claims.evaluate(SHOWN) == labels[::-1] and claims.evaluate("document.activeElement.textContent") == "Claim"
    claim.press("Enter")
    assert claims.evaluate(SHOWN) == book


@the_table
def test_claims_are_filtered_and_counted_and_a_link_to_a_hidden_row_shows_it(claims):
    every, words, count = claims.evaluate(SHOWN), claims.get_by_label("Find words"), claims.get_by_role("status")
    words.fill("triangle JACCARD")
    found = claims.evaluate(SHOWN)
    assert 0 < len(found) < 10 and "B23" in found and count.text_content() == f"{len(found)} of {len(every)} claims shown"
    words.fill("near miss, and where it fails")  # the names of the columns are not searched
    assert claims.evaluate(SHOWN) == [] and "No claim fits" in count.text_content()
    claims.evaluate(f"location.hash = 'claim-{every[-1]}'")
    claims.wait_for_function(IN_VIEW, arg=f"claim-{every[-1]}")
    assert words.input_value() == "" and every[-1] in claims.evaluate(SHOWN)
    chapter = claims.locator("select option").nth(2).text_content()  # it has claims of more than one strength
    claims.get_by_label("Chapter").select_option(chapter)
    claims.get_by_label("proved").uncheck()
    texts = claims.locator("tbody tr:visible").all_text_contents()
    assert texts and all(chapter in text and "Strengthproved" not in text.replace("\n", "") for text in texts)
    claims.get_by_role("button", name="All claims").click()
    assert claims.evaluate(SHOWN) == every and count.text_content() == f"{len(every)} of {len(every)} claims shown"


@the_table
def test_the_table_of_claims_needs_no_scrolling_sideways_and_is_whole_on_paper(claims):
    rows, table = len(claims.evaluate(SHOWN)), claims.locator("table.claims-table")
    for width, height in WIDTHS.items():
        claims.set_viewport_size({"width": width, "height": height})
        assert table.evaluate("table => table.parentElement.scrollWidth <= table.parentElement.clientWidth + 1")
        beyond = "buttons => buttons.filter(button => button.getBoundingClientRect().right > innerWidth).map(button => button.textContent)"
        assert table.locator("th button").evaluate_all(beyond) == [] and table.locator("th button:visible").count() == 7
    claims.set_viewport_size({"width": 1280, "height": 900})
    claims.get_by_label("Find words").fill("no such word")
    claims.emulate_media(media="print")
    assert table.locator("tbody tr:visible").count() == rows
    assert claims.locator(".claims-controls:visible, .column-name:visible").count() == 0
    claims.emulate_media(media="screen")
    claims.get_by_label("Find words").fill("")


def test_a_link_from_a_chapter_opens_at_its_row_and_back(browser, address):
    visit = Visit(browser, address, "book/averaging.html")
    check = visit.page.locator("details.fold.check:not(details.deeper *)").last
    check.locator("summary").click()
    link = check.locator(".claim-label a")
    label = link.text_content()
    link.click()
    visit.page.wait_for_url(f"**/claims.html#claim-{label}")
    assert visit.page.evaluate(IN_VIEW, f"claim-{label}")
    visit.page.locator(f"#claim-{label} .column-claim a").click()
    assert visit.page.url.endswith(f"averaging.html#{label}")
    visit.context.close()


def test_the_table_of_claims_without_scripts(browser, address):
    context = browser.new_context(java_script_enabled=False, viewport={"width": 390, "height": 844})
    page = context.new_page()
    page.goto(address + CLAIMS)
    assert page.locator("article :is(form, input, select, button):visible").count() == 0
    rows = page.locator("table.claims-table tbody tr")
    assert rows.count() > 0 and page.locator("table.claims-table tbody tr:visible").count() == rows.count()
    assert rows.first.locator(".column-name:visible").count() == 7
    context.close()


# ---- The guards can fail ----------------------------------------------------------------------------

FAULTS = {
    "a box wider than the window": (CUT, '<div style="width: 3000px">wide</div>'),
    "a box that begins left of it": (CUT, '<p style="position: relative; left: -50px">cut</p>'),
    "a text that is hidden": (CLIPPED, '<article class="bd-article"><p style="overflow: hidden; width: 3em">incomprehensible</p></article>'),
    "a formula that was not rendered": (UNRENDERED, r'<p><span class="math notranslate">\(x\)</span></p>'),
    "a formula that cannot be heard": (UNRENDERED, '<p><span class="katex math"><span class="katex-html">x</span></span></p>'),
    "a raw formula": (RAW_MARKUP, r"<article><p>\(x\) and \frac{1}{2}</p></article>"),
    "a raw table": (RAW_MARKUP, "<article><p>| case | call | | — | — | | one | two |</p></article>"),
    "a raw role": (RAW_MARKUP, "<article><p>see {glue:text}mean and {doc}cover</p></article>"),
    "a figure drawn too large": (SMALL_LABELS, '<svg class="house-figure" aria-label="large" width="300" viewBox="0 0 900 90"></svg>'),
}


def test_a_fault_in_the_page_is_found_and_what_scrolls_or_is_code_is_none(browser):
    page = browser.new_page(viewport={"width": 390, "height": 844})
    for fault, (guard, html) in FAULTS.items():
        page.set_content(html)
        found = page.evaluate(guard)
        assert found and (guard != SMALL_LABELS or found[0][1] < SMALLEST_TEXT), fault
    page.set_content('<div style="overflow: auto"><div style="width: 3000px">wide</div></div><pre>$$x$$</pre>')
    assert page.evaluate(CUT) == page.evaluate(RAW_MARKUP) == []
    page.close()


def test_what_is_thinned_still_shows_its_faults(browser):
    page = browser.new_page()
    page.set_content(
        '<html lang="en"><title>t</title><main><h1>t</h1><p style="color: #eee">pale <span class="katex">y</span></p>'
        '<pre><span class="k">if</span> <span class="k">is</span> <span class="c" style="color: #eee">pale</span></pre><p><a href="#t"></a></p></main>'
    )
    page.evaluate(THIN)
    assert page.locator("pre").inner_text() == "if is pale" and page.locator("pre span").count() == 2
    found = violations(page)
    assert sum("color-contrast" in line for line in found) >= 2 and any("link-name" in line for line in found)
    page.close()


def test_a_fault_while_loading_is_found(browser, tmp_path):
    (tmp_path / "index.html").write_text(
        '<script src="http://127.0.0.2:9/elsewhere.js"></script><img src="gone.png"><p id="moved">text</p>'
        "<script>setTimeout(() => document.body.prepend(Object.assign(document.createElement('div'), {style: 'height: 400px'})), 100);"
        "setTimeout(() => { throw Error('broken') })</script>"
    )
    with serving(tmp_path) as address:
        visit = Visit(browser, address, "index.html", 390)
        visit.page.wait_for_function("window.shifts.length > 0")
        assert any(not url.startswith(address) for url in visit.requests)
        assert all(any(sign in trouble for trouble in visit.troubles) for sign in ("broken", "elsewhere.js"))
        assert any(response.status == 404 for response in visit.responses)
        assert sum(value for value, _ in visit.page.evaluate("window.shifts")) > MOST_SHIFT
        visit.context.close()
