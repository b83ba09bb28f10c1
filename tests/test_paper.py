"""The book on paper: nothing is cut, the numbers of pages are right, links land, fonts are in the file. A chapter stands for the book."""

import re
import shutil
import unicodedata

import pytest
from pypdf import PdfReader
from test_pages import book_folder, needs

from tools import paper

pytestmark = pytest.mark.everywhere


@pytest.fixture(scope="module")
def chapter(tmp_path_factory):
    needs("chromium", "chromium")
    out = tmp_path_factory.mktemp("paper") / "average-precision.pdf"
    assert paper.write(out, book_folder(), "average-precision") == []
    return PdfReader(out)


def test_the_contents_name_the_page_on_which_each_section_begins(chapter):
    lines = re.findall(r"^(4\.\d+\. .*?)\s*(\d+)$", chapter.pages[0].extract_text(), re.MULTILINE)
    assert len(lines) > 5
    text = [bare(page.extract_text()) for page in chapter.pages]
    assert [title for title, number in lines if bare(title) not in text[int(number) - 1]] == []


def bare(text):
    """A text without blanks and ligatures."""
    return re.sub(r"\s+", "", unicodedata.normalize("NFKC", text))


def test_links_land_and_each_exercise_leads_to_its_solution(chapter):
    links = [link.get_object() for page in chapter.pages for link in page.get("/Annots", []) if link.get_object()["/Subtype"] == "/Link"]
    inside = [str(link["/Dest"]).removeprefix("/") for link in links if "/Dest" in link]
    places = {name.removeprefix("/") for name in chapter.named_destinations}
    assert len(inside) > 30 and set(inside) <= places
    assert sum("--solution-" in name for name in inside) >= 5


def test_fonts_are_in_the_file_and_shadows_are_not_pictures(chapter):
    fonts = [font.get_object() for page in chapter.pages for font in page["/Resources"].get("/Font", {}).values()]
    described = [(font["/DescendantFonts"][0].get_object() if "/DescendantFonts" in font else font) for font in fonts]
    assert fonts and all(font["/Subtype"] == "/Type3" or {"/FontFile", "/FontFile2", "/FontFile3"} & set(font["/FontDescriptor"]) for font in described)
    assert sum(len(page.images) for page in chapter.pages) == 0


def test_what_is_wider_than_the_page_is_found(chapter, tmp_path):
    """The program that looks for what is cut sees it."""
    page = tmp_path / "wide.html"
    page.write_text('<section class="sheet" id="here"><pre style="width: 900px">wide</pre><p>narrow</p></section>')
    with paper.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=paper.ARGUMENTS)
        assert [element.partition(" style")[0] for element in paper.cut_elements(browser, page)] == ["here: <pre"]
        browser.close()
