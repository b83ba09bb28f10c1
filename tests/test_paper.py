"""The book on paper and for e-readers says what the pages say, nothing is cut or lost, and links land. On paper, a chapter stands for the book."""

import re
import subprocess
import unicodedata
from collections import Counter
from xml.etree import ElementTree
from zipfile import ZipFile

import pytest
from pypdf import PdfReader
from test_pages import book_folder, needs

from book._sphinx import paths, still_pages
from tools import built_pages, ereader, paper, paper_pages

pytestmark = pytest.mark.everywhere


@pytest.fixture(scope="module")
def chapter(tmp_path_factory):
    if not paths.chromium():
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
    assert sum("--answer-" in name for name in inside) >= 5


def test_letters_are_letters_and_shadows_are_not_pictures(chapter):
    """No letter is a drawing (a font of type 3), not those of formulas either."""
    fonts = [font.get_object() for page in chapter.pages for font in page["/Resources"].get("/Font", {}).values()]
    assert {font["/Subtype"] for font in fonts} == {"/Type0"}
    described = [font["/DescendantFonts"][0].get_object()["/FontDescriptor"] for font in fonts]
    assert all({"/FontFile2", "/FontFile3"} & set(font) for font in described)
    assert {"BookSerif", "BookSans", "BookMono", "BookMath"} <= {font["/FontName"].partition("+")[2] for font in described}
    assert sum(len(page.images) for page in chapter.pages) == 0


def test_pages_are_named_where_things_stand(chapter):
    """The page after a statement, a solution and a vote is the one on which it stands."""
    text = [bare(page.extract_text()) for page in chapter.pages]
    told = re.findall(r"(Theorem4\.\d+)[(,]p\.(\d+)", "".join(text))
    assert len(told) >= 5 and [(name, page) for name, page in told if f"{name}(" not in text[int(page) - 1]] == []
    solved = re.findall(r"(Exercise4\.\d+)\([^)]*\)\(solutiononpage(\d+)\)", "".join(text))
    assert len(solved) >= 5 and [(name, page) for name, page in solved if name not in text[int(page) - 1]] == []
    assert [number for number, page in enumerate(text, 1) if re.search(rf"[(,]p\.{number}\)", page)] == []  # on the page of its target a reference names none
    assert "(answeronpage" in "".join(text) and "pageof" not in "".join(text) and "p.000" not in "".join(text)


def test_the_file_says_what_it_is(chapter):
    assert chapter.metadata.author and chapter.metadata.subject and chapter.metadata.keywords
    assert chapter.outline[0].title == "4. Average precision" and len(chapter.outline) > 2


def test_the_index_has_each_page_once_and_in_order():
    links = ", ".join(f'<a href="#{name}">{paper.place(name)}</a>' for name in "abcd")
    pages = {"a": 30, "b": 7, "c": 30, "d": 12}
    assert re.findall(r">(\d+)<", paper.numbered(paper.merged(links, pages), pages)) == ["7", "12", "30"]


def test_a_word_of_the_index_leads_to_where_it_is_explained():
    glossary = '<dl><dt id="glossary--term-fallout">fallout</dt><dd><p>A share. <a class="reference" href="#sets">Sets</a></p></dd></dl>'
    chapter = '<section><h1 id="sets--sets">Sets</h1><p>Above fallout, recall.</p><p>The <strong>fallout</strong> is a share.</p></section>'
    pages = {name: still_pages.Page(name, name, built_pages.soup(text)) for name, text in (("glossary", glossary), ("sets", chapter))}
    for word, anchors, said in (("fallout", ["glossary--term-fallout"], "The fallout is"), ("recall", ["sets--sets"], "Above fallout")):
        found = paper.exactly(word, anchors, pages)[-1]
        assert pages["sets"].article.find(id=found).get_text().startswith(said)


def test_what_is_said_of_the_screen_is_on_a_page():
    """Sentences that paper leaves out are there to be left out."""
    pages = " ".join(still_pages.read(name, book_folder()).article.get_text() for kind, name in built_pages.contents() if kind == "page")
    assert [beginning for beginning in (*paper_pages.SAID_OF_THE_SCREEN, *paper_pages.INSTEAD) if beginning not in re.sub(r"\s+", " ", pages)] == []


def test_what_is_written_together_stays_together():
    """A formula with its letters, an option with its hyphens; each line of code is a block."""
    text = "<p>Its <math class='formula'>α</math>-nDCG@<math class='formula'>k</math> (<math class='formula'>j</math>) of <code>rank --by tau</code></p>"
    article = built_pages.soup(f"<article>{text}<pre>for i in r:\n    <b>print</b>(i)\n\n</pre></article>").article
    page = still_pages.Page("here", "Here", article)
    paper_pages.keep_lines(page)
    paper_pages.keep_together(page)
    assert [whole.get_text() for whole in article.select(".together")] == ["α-nDCG@k", "(j)", "--by"]
    assert [line.get_text() for line in article.select("pre > .line")] == ["for i in r:\n", "    print(i)\n"]
    assert article.p.get_text() == "Its α-nDCG@k (j) of rank --by tau"


def test_a_word_and_its_tiles_are_on_one_line():
    row = "<tr><td>✗ no <span class='strip'><i>1</i></span> <span>1/2</span></td></tr>"
    article = built_pages.soup(f"<article><table class='wishes'>{row}</table></article>").article
    paper_pages.part_in_tables(still_pages.Page("here", "Here", article))
    assert [whole.get_text() for whole in article.select("td > .together")] == ["× no 1"]


def test_what_is_wider_than_the_page_is_found(chapter, tmp_path):
    """The program that looks for what is cut sees it."""
    page = tmp_path / "wide.html"
    page.write_text('<section class="sheet" id="here"><pre style="width: 900px">wide</pre><p>narrow</p></section>')
    with paper.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=paths.chromium(), args=paper.ARGUMENTS)
        assert [element.partition(" style")[0] for element in paper.cut_elements(browser, page)] == ["here: <pre"]
        browser.close()


X = "{http://www.w3.org/1999/xhtml}"


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
            article = still_pages.read(name, book_folder()).article
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
    assert all(re.fullmatch(r"width: [\d.]+em", svg.get("style")) for page in pages.values() for svg in page.iter("{http://www.w3.org/2000/svg}svg"))


def test_the_cover_stands_upright_and_the_book_says_when_and_what_it_is(book):
    with ZipFile(book) as files:
        header, package = files.read("book/cover.png")[16:24], files.read("book/book.opf").decode()
        assert not [name for name in files.namelist() if name.endswith(".xhtml") and b"/slides/" in files.read(name)]
    assert (int.from_bytes(header[:4], "big"), int.from_bytes(header[4:], "big")) == ereader.COVER
    assert all(f"<dc:{field}>" in package for field in ("date", "publisher", "description", "creator"))


def test_the_checker_of_the_format_has_no_remark(book):
    java, checker = needs("java", "default-jre-headless"), needs("epubcheck", "epubcheck")
    done = subprocess.run([java, "-jar", checker, book], capture_output=True, text=True, check=False)
    assert "0 fatals / 0 errors / 0 warnings" in done.stdout + done.stderr, (done.stdout + done.stderr)[-3_000:]
