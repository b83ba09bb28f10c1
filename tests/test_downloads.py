"""What the build offers beside the pages: the archive of the chapters, and the buttons that need an address."""

import re
from zipfile import ZipFile

import nbformat
from test_pages import NOTEBOOKS, book_folder, small_book

from metrics.course.chapters import CHAPTERS
from metrics.course.sheets import sheet
from tools import first_cell
from tools.lint import ROOT

ADDRESSES = {'  url: ""': "  url: https://github.com/example/book", '  baseurl: ""': "  baseurl: https://example.org/book/"}
BUTTONS = [
    "https://colab.research.google.com/github/example/book/blob/main/book/cover.ipynb",
    "https://mybinder.org/v2/gh/example/book/main?urlpath=lab/tree/book/cover.ipynb",
    'href="https://github.com/example/book"',
]


def with_addresses(settings):
    for empty, filled in ADDRESSES.items():
        settings = settings.replace(f"{empty}\n", f"{filled}\n")
    return settings


def test_with_an_address_there_are_buttons_that_lead_to_the_repository_and_the_same_package(tmp_path):
    folder, said, good = small_book(tmp_path, nbformat.v4.new_markdown_cell("# Page"), settings=with_addresses)
    assert good, said
    page, css = ((folder / name).read_text(encoding="utf-8") for name in ("book/cover.html", "_static/book.css"))
    assert [link for link in BUTTONS if link not in page] == []
    assert [icon for icon in ("fa-rocket", "fa-github") if icon not in page or not re.search(rf"\.{icon}\b", css)] == []
    wheels = {(each / "download" / first_cell.wheel_name()).read_bytes() for each in (folder, book_folder())}
    assert len(wheels) == 1, "two builds offer different bytes"
    page = (book_folder() / "book" / "cover.html").read_text(encoding="utf-8")
    assert [link for link in [*BUTTONS, "fa-rocket"] if link in page] == [], "without an address there is no button"


def test_the_homework_of_each_chapter_is_offered_with_the_package_and_without_answers():
    wheel = first_cell.wheel_name()
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
    notebooks = {notebook.name.removeprefix("book/"): notebook.text.encode() for notebook in NOTEBOOKS}
    assert files.pop("README.txt").decode().count(f'install "./{wheel}[run,lab]"') == 2
    others = {"versions.txt": (ROOT / "requirements.txt").read_bytes(), wheel: (download / wheel).read_bytes()}
    assert files == notebooks | others


def test_the_first_cell_knows_the_address_of_the_site(monkeypatch, tmp_path):
    for name in ("pyproject.toml", "_config.yml"):
        (tmp_path / name).write_text(with_addresses((ROOT / name).read_text(encoding="utf-8")), encoding="utf-8")
    before = first_cell.source()
    monkeypatch.setattr(first_cell, "ROOT", tmp_path)
    assert first_cell.source() == before.replace('whl"), ""', 'whl"), "https://example.org/book"') != before
