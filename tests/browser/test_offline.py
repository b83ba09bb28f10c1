"""Without a network: what was read, the whole book after a press, and Python once it has run; the next build takes the place of this one."""

import pytest
from browser.visits import serving, until
from test_pages import book_folder

CHAPTER = "book/average-precision.html"


def run_python(page):
    until(page, "window.runCells?.blocks.size")
    page.evaluate("[...runCells.blocks.values()].find(block => !block.wants.length).run()")
    page.locator(".python-words", has_text="Python is ready").wait_for()


def test_what_was_read_and_after_a_press_the_book_and_python_are_there_when_the_server_is_gone(browser):
    page = browser.new_page()
    with serving(book_folder()) as address:
        page.goto(f"{address}book/notation.html")
        page.locator(".keep-offline button").wait_for()
        until(page, "async () => (await (await caches.open((await caches.keys())[0])).match(location.href)) !== undefined")
    page.reload()
    assert "Notation" in page.locator("article h1").inner_text()
    with pytest.raises(Exception, match="ERR_"):
        page.goto(f"{address}{CHAPTER}")  # which is not pretended
    page.close()
    page = browser.new_page()
    page.set_default_timeout(120_000)
    with serving(book_folder()) as address:
        page.goto(f"{address}book/how-to-use.html")
        page.locator(".keep-offline button").click()
        page.get_by_text("can be read without a network").wait_for()
        page.goto(address + CHAPTER)  # under the eyes of the worker
        run_python(page)
    for path, seen in {"discounted-gain.html": "svg.house-figure", "../search.html?q=bpref": "#search-results li a", "ranking-lab.html": ".tile"}.items():
        page.goto(f"{address}book/{path}")
        page.locator(seen).first.wait_for()
    page.goto(address + CHAPTER)
    run_python(page)
    page.close()
