"""The browser, the address of the built book, and how its pages are opened, which all tests in a browser share."""

import pytest
from browser.visits import ARGUMENTS, serving, visiting
from playwright.sync_api import sync_playwright
from test_pages import book_folder

from book._sphinx import paths


@pytest.fixture(scope="session")
def address():
    with serving(book_folder()) as address:
        yield address


@pytest.fixture(scope="session")
def browser():
    if not paths.chromium():
        pytest.exit(paths.NO_BROWSER, returncode=1)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=paths.chromium(), args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture
def visit(browser, address):
    with visiting(browser, address) as visit:
        yield visit


@pytest.fixture
def visit_file(browser):
    """As a book is visited that nobody serves."""
    with visiting(browser, book_folder().as_uri() + "/") as visit:
        yield visit
