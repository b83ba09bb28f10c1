"""Without a network: what was read, the whole book after a press, and Python after another; the next build takes the place of this one."""

import shutil

import pytest
from browser.visits import serving, until
from test_pages import book_folder

CHAPTER = "book/average-precision.html"
CACHES = "async () => (await caches.keys()).join()"
HAS_PYTHON = "async () => Boolean(await caches.match(new URL('../_static/pyodide/pyodide.asm.wasm', location)))"

UPDATE = """async () => {
  const all = await navigator.serviceWorker.getRegistration();
  await all.update();
  const newer = all.installing, ends = ["activated", "redundant"];
  return new Promise(end => newer.addEventListener("statechange", () => ends.includes(newer.state) && end(newer.state)));
}"""


def press(page, part, said):
    """Keep a part, and wait until the page says so."""
    page.locator(".keep-offline button", has_text=part).click()
    page.locator(".keep-offline", has_text=said).wait_for()


def run_python(page):
    until(page, "window.runCells?.blocks.size")
    page.evaluate("[...runCells.blocks.values()].find(block => !block.wants.length && !block.box.matches('[class*=asks-]')).run()")
    page.locator(".python-words", has_text="Python is ready").wait_for()


@pytest.fixture
def page(browser):
    page = browser.new_page()
    page.set_default_timeout(120_000)
    yield page
    page.close()


def test_what_was_read_is_there_when_the_server_is_gone_and_nothing_else_is_pretended(page):
    with serving(book_folder()) as address:
        page.goto(f"{address}book/notation.html")
        page.locator(".keep-offline button").first.wait_for()
        until(page, "async () => (await (await caches.open((await caches.keys())[0])).match(location.href)) !== undefined")
    page.reload()
    assert "Notation" in page.locator("article h1").inner_text()
    for path in (CHAPTER, "book/nowhere.html"):
        with pytest.raises(Exception, match="ERR_"):
            page.goto(f"{address}{path}")


def test_after_a_press_the_book_and_after_another_python_are_there_when_the_server_is_gone(page):
    with serving(book_folder()) as address:
        page.goto(f"{address}book/how-to-use.html")
        press(page, "whole book", "can be read without a network")
        assert not page.evaluate(HAS_PYTHON)
        press(page, "Python", "cells run without a network")
    shown = {"book/discounted-gain.html": "svg.house-figure", "search.html?q=bpref": "#search-results li a", "book/ranking-lab.html": ".tile"}
    for path, seen in shown.items():
        page.goto(address + path)
        page.locator(seen).first.wait_for()
    page.goto(address)
    page.wait_for_url("**/book/cover.html")
    for path in ("nowhere", "book/no/where.html"):
        assert page.goto(address + path).status == 404
        page.get_by_role("link", name="search").click()
        page.wait_for_url(f"{address}search.html")
    page.goto(address + CHAPTER)
    run_python(page)


def test_a_newer_build_takes_the_place_of_a_kept_one_when_all_of_it_has_come(page, tmp_path):
    folder = shutil.copytree(book_folder(), tmp_path / "site", ignore=shutil.ignore_patterns("download", "_sources", "_downloads", "pyodide"))
    worker, text, missing = folder / "service-worker.js", folder / "book/notation.html", folder / "book/glossary.html"
    with serving(folder) as address:
        page.goto(f"{address}book/how-to-use.html")
        press(page, "whole book", "can be read without a network")
        older = page.evaluate(CACHES)
        build = older.rpartition(" ")[2]
        worker.write_text(worker.read_text(encoding="utf-8").replace(build, "newer"), encoding="utf-8")
        text.write_text(text.read_text(encoding="utf-8").replace("<h1>", "<h1>Newer: "), encoding="utf-8")
        missing.rename(folder / "away")
        assert page.evaluate(UPDATE) == "redundant" and older in page.evaluate(CACHES)
        (folder / "away").rename(missing)
        assert page.evaluate(UPDATE) == "activated" and page.evaluate(CACHES) == older.replace(build, "newer")
    page.goto(f"{address}book/notation.html")
    assert page.locator("article h1").inner_text().startswith("Newer")
    page.goto(f"{address}book/glossary.html")
