"""Values from an address are text on every page and deck, and all works under the Content-Security-Policy, in the <meta> and in the header."""

import re
from contextlib import suppress
from urllib.parse import quote, urlencode

import pytest
from browser.visits import serving, visiting
from test_pages import book_folder, pages_of

PAYLOADS = ["<img class=injected src=x onerror=ran=1>", "<script class=injected>ran=1</script><svg class=injected onload=ran=1>",
            "\"><b class=injected>'><b class=injected onfocus=ran=1 autofocus tabindex=0>"]  # fmt: skip
NOTE_PARAMETERS = """
window.asked = [];
for (const way of ["get", "getAll", "has"]) {
  const given = URLSearchParams.prototype[way];
  URLSearchParams.prototype[way] = function (name, ...more) { asked.push(name); return given.call(this, name, ...more); };
}"""
INJECTED = "[window.ran ?? 0, document.querySelectorAll('.injected').length]"
PAYLOAD = " ".join(PAYLOADS)
KNOWN = ["lab", "q", "draw", "highlight", "handout", "print-pdf"]  # what the scripts of pages, of the theme and of slides ask for; a thing, its name
PAGES = [path for path in pages_of(book_folder()) if path != "index.html"]  # which leads to the cover at once
MOVING = "book/cover.html"


def with_payloads(address, names):
    """An address that gives the payloads as each of these parameters, as an unknown one, and as the anchor."""
    return f"{address}?{urlencode(dict.fromkeys([*names, 'unknown'], PAYLOAD), quote_via=quote)}#{quote(PAYLOAD)}"


def injected(page):
    """How many payloads ran or became an element."""
    page.wait_for_timeout(50)  # an image that does not load says so later
    return page.evaluate(INJECTED)


@pytest.mark.parametrize("path", PAGES)
def test_no_parameter_of_a_page_becomes_markup(visit, path):
    """A page that asks for another parameter than those given here fails, too."""
    moving = re.findall(r'<hands-on[^>]*? data-name="([^"]*)', (book_folder() / path).read_text(encoding="utf-8"))
    names = {*KNOWN, *moving}
    page = visit(with_payloads(path, names), first=NOTE_PARAMETERS)
    asked = {*page.evaluate("asked")}
    assert injected(page) == [0, 0]
    assert {*moving} <= asked <= names and (path != MOVING or moving) and ("lab" in asked or not page.locator("ranking-lab").count())


def test_no_setting_of_slides_that_an_address_changes_becomes_markup(browser, address):
    """Reveal takes each of its settings from the address; with some of these values it does not start, and says so."""
    path = f"{address}slides/average-precision.html"
    page = browser.new_page()
    page.goto(path)
    settings = page.evaluate("Object.keys(Reveal.getConfig())")
    assert len(settings) > 40
    found = []
    for at in range(8):
        page.goto(with_payloads(path, settings[at::8]))
        found.append(injected(page))
    page.close()
    assert found == [[0, 0]] * 8


def test_markup_that_is_injected_is_found(browser, tmp_path):
    name = '<p></p><script>document.querySelector("p").innerHTML = new URLSearchParams(location.search).get("name")</script>'
    (tmp_path / "index.html").write_text(name)
    page = browser.new_page()
    with serving(tmp_path) as address:
        page.add_init_script(NOTE_PARAMETERS)
        page.goto(address)
        names = page.evaluate("asked")
        page.goto(with_payloads(address, names))
        found = injected(page)
    page.close()
    assert found == [1, 5] and names == ["name"]


@pytest.mark.parametrize("path", [path for path in PAGES if "slides/" in path])
def test_a_deck_starts_under_the_policy(visit, path):
    visit(path).wait_for_selector("html.fitted")


@pytest.mark.parametrize("path", [MOVING, "slides/average-precision.html"])
@pytest.mark.parametrize("harm", ["<script>ran=1</script>", "<b onclick=ran=1>x</b>", '<img src="http://127.0.0.1:9/x.png">'])
def test_what_is_against_the_policy_does_not_run_and_fails_the_visit(browser, tmp_path, path, harm):
    """With the <meta> alone: no header is sent here."""
    (tmp_path / "index.html").write_text((book_folder() / path).read_text(encoding="utf-8").replace("<body", f"{harm}<body", 1), encoding="utf-8")
    with pytest.raises(AssertionError, match="Content Security Policy"), serving(tmp_path) as address, visiting(browser, address) as visit:
        page = visit("index.html")
        with suppress(Exception):
            page.locator("b").first.click(timeout=1_000)
        assert page.evaluate("window.ran") is None


@pytest.mark.parametrize("way", ["visit", "visit_file"])
def test_the_speaker_sees_notes_and_slides(request, way):
    page = request.getfixturevalue(way)("slides/average-precision.html")
    page.wait_for_selector("html.fitted")
    with page.expect_popup() as opened:
        page.keyboard.press("s")
    page.keyboard.press("PageDown")
    opened.value.locator(".speaker-controls-notes .value", has_text="minutes").wait_for()
    assert len(opened.value.frames) == 3


def test_the_button_for_paper_prints(visit):
    page = visit("book/notation.html")
    page.evaluate("window.print = () => { window.printed = true; }; document.querySelector('[data-prints]').click()")
    assert page.evaluate("window.printed")


def test_one_copy_of_a_page_is_kept_whatever_its_address_asks(browser, address):
    page = browser.new_page()
    page.goto(f"{address}{MOVING}")
    page.locator(".keep-offline button").first.wait_for()
    for state in range(3):
        page.goto(f"{address}{MOVING}?four-denominators={state}")
        page.goto(f"{address}search.html?q={state}#{state}")
    kept = page.evaluate("async () => (await (await caches.open((await caches.keys())[0])).keys()).map(each => each.url)")
    page.close()
    assert {address + MOVING, f"{address}search.html"} <= {*kept} and [url for url in kept if "?" in url] == []
