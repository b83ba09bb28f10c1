"""Without a network: what was read, the whole book after a press, and Python once it has run; the next build takes the place of this one."""

import pytest
from browser.visits import Visit, serving
from test_pages import book_folder

PATIENCE = 120_000


@pytest.mark.xdist_group("without a network")
def test_the_book_is_read_when_its_server_is_gone(browser):
    with serving(book_folder()) as address:
        visit = Visit(browser, address, "book/how-to-use.html", workers="allow")
        page = visit.page
        page.set_default_timeout(PATIENCE)
        page.locator(".keep-offline button").click()
        page.get_by_text("can be read without a network").wait_for()
        page.goto(f"{address}book/average-precision.html")  # under the eyes of the worker
        page.wait_for_function("window.runCells?.blocks.size")
        block = page.evaluate("[...runCells.blocks.values()].find(block => !block.wants.length).id")
        page.evaluate("id => runCells.blocks.get(id).run()", block)
        page.locator(".python-words", has_text="Python is ready").wait_for()
    page.goto(f"{address}book/discounted-gain.html")  # never opened before
    assert "Discounted gain" in page.locator("article h1").inner_text() and page.locator("svg.house-figure").count()
    page.goto(f"{address}search.html?q=bpref")
    page.locator("#search-results li a", has_text="bpref").first.wait_for()
    page.goto(f"{address}book/ranking-lab.html")
    page.locator("ranking-lab button").first.wait_for()
    page.goto(f"{address}book/average-precision.html")
    page.wait_for_function("window.runCells?.blocks.size")
    page.evaluate("id => runCells.blocks.get(id).run()", block)
    page.locator(".python-words", has_text="Python is ready").wait_for()
    visit.context.close()


@pytest.mark.xdist_group("without a network")
def test_a_page_that_was_read_stays_and_others_are_not_pretended(browser):
    with serving(book_folder()) as address:
        visit = Visit(browser, address, "book/notation.html", workers="allow")
        page = visit.page
        page.locator(".keep-offline button").wait_for()
        page.wait_for_function("async () => (await (await caches.open((await caches.keys())[0])).match(location.href)) !== undefined")
    page.reload()
    assert "Notation" in page.locator("article h1").inner_text()
    with pytest.raises(Exception, match="ERR_"):
        page.goto(f"{address}book/glossary.html")
    visit.context.close()
