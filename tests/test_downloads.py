"""What the build offers beside the pages: the archives of the chapters and of the homework."""

from zipfile import ZipFile

from test_pages import NOTEBOOKS, book_folder

from metrics.course.chapters import CHAPTERS
from metrics.course.sheets import sheet
from tools import first_cell
from tools.lint import ROOT


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
