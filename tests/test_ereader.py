"""The book for e-readers says what the pages say, its links lead somewhere, and the checker of the format has no remark."""

import re
import subprocess
from collections import Counter
from xml.etree import ElementTree
from zipfile import ZipFile

import pytest
from test_pages import book_folder, needs

from tools import built_pages, ereader

X = "{http://www.w3.org/1999/xhtml}"
pytestmark = pytest.mark.everywhere


@pytest.fixture(scope="module")
def book(tmp_path_factory):
    path = tmp_path_factory.mktemp("epub") / "book.epub"
    ereader.write(path, book_folder())
    return path


@pytest.fixture(scope="module")
def pages(book):
    with ZipFile(book) as files:
        return {name.removeprefix("book/"): ElementTree.fromstring(files.read(name)) for name in files.namelist() if name.endswith(".xhtml")}


def words(text):
    return re.sub(r"\s+", " ", text).strip()


def test_each_paragraph_says_what_it_says_on_the_page(pages):
    compared = 0
    for kind, name in built_pages.contents():
        if kind == "page":
            article = built_pages.read(name, book_folder()).article
            expected = [words(paragraph.get_text()) for paragraph in article.find_all("p") if paragraph.parent.name == "section"]
            page = pages[name.split("/")[-1] + ".xhtml"]
            found = [words("".join(child.itertext())) for section in page.iter(f"{X}section") for child in section if child.tag == f"{X}p"]
            assert sorted(found) == sorted(expected), name
            compared += len(expected)
    assert compared > 1_000


def test_each_link_within_the_book_lands(pages):
    anchors = {f"{name}#{element.get('id')}" for name, page in pages.items() for element in page.iter() if element.get("id")} | set(pages)
    links = [link.get("href") for page in pages.values() for link in page.iter(f"{X}a") if not link.get("href").startswith("http")]
    assert len(links) > 1_000 and [address for address in links if address not in anchors] == []


def test_no_formula_no_figure_and_no_colour_is_lost(pages, book):
    with ZipFile(book) as files:
        assert not [name for name in files.namelist() if name.endswith(".xhtml") and b"var(--" in files.read(name)]
    count = Counter(element.tag.rpartition("}")[2] for page in pages.values() for element in page.iter())
    assert count["math"] > 5_000 and count["svg"] > 60 and count["table"] > 100


def test_the_checker_of_the_format_has_no_remark(book):
    java, checker = needs("java", "default-jre-headless"), needs("epubcheck", "epubcheck")
    done = subprocess.run([java, "-jar", checker, book], capture_output=True, text=True, check=False)
    assert "0 fatals / 0 errors / 0 warnings" in done.stdout + done.stderr, (done.stdout + done.stderr)[-3_000:]
