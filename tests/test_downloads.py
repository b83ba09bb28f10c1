"""What the build offers beside the pages: the archive of the chapters, and the buttons that need an address."""

import re
import shutil
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest

from tools import first_cell, store
from tools.lint import ROOT

ADDRESSES = {'  url: ""': "  url: https://github.com/example/book", '  baseurl: ""': "  baseurl: https://example.org/book/"}
PAGE = {"cells": [{"cell_type": "markdown", "id": "title", "metadata": {}, "source": "# Page"}],
        "metadata": store.NOTEBOOK_METADATA, "nbformat": 4, "nbformat_minor": 5}  # fmt: skip


def built(source, addresses):
    """The folder of a book of one page, with the settings and extensions of this one."""
    for name in ("_sphinx", "_static"):
        shutil.copytree(ROOT / "book" / name, source / "book" / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "book" / "references.bib", source / "book")
    settings = (ROOT / "_config.yml").read_text(encoding="utf-8")
    for empty, filled in addresses.items():
        assert settings.count(f"{empty}\n") == 1, f"_config.yml: expected the line {empty!r} once"
        settings = settings.replace(f"{empty}\n", f"{filled}\n")
    (source / "_config.yml").write_text(settings, encoding="utf-8")
    (source / "_toc.yml").write_text("format: jb-book\nroot: book/cover\n", encoding="utf-8")
    (source / "book" / "cover.ipynb").write_text(store.as_canonical_text(PAGE), encoding="utf-8")
    command = [Path(sys.executable).with_name("jupyter-book"), "build", source, "-n", "-W", "--keep-going"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return source / "_build" / "html"


@pytest.fixture(scope="module")
def without(tmp_path_factory):
    return built(tmp_path_factory.mktemp("without"), {})


@pytest.fixture(scope="module")
def with_addresses(tmp_path_factory):
    return built(tmp_path_factory.mktemp("with"), ADDRESSES)


LINKS = [
    "https://colab.research.google.com/github/example/book/blob/main/book/cover.ipynb",
    "https://mybinder.org/v2/gh/example/book/main?urlpath=lab/tree/book/cover.ipynb",
    'href="https://github.com/example/book"',
]


@pytest.mark.parametrize("link", LINKS)
def test_the_buttons_lead_to_the_repository(with_addresses, link):
    assert link in (with_addresses / "book" / "cover.html").read_text(encoding="utf-8")


@pytest.mark.parametrize("host", ["colab.research", "mybinder.org", "github.com", "example.org", "fa-rocket"])
def test_without_an_address_there_is_no_button(without, host):
    assert host not in (without / "book" / "cover.html").read_text(encoding="utf-8")


def test_the_icons_of_the_buttons_are_drawn(with_addresses):
    css = (with_addresses / "_static" / "book.css").read_text(encoding="utf-8")
    html = (with_addresses / "book" / "cover.html").read_text(encoding="utf-8")
    for icon in ("fa-rocket", "fa-github"):
        assert icon in html and re.search(rf"\.{icon}\b", css)


def test_the_archive_holds_the_notebooks_the_wheel_and_how_to_start(without):
    with ZipFile(without / "download" / "chapters.zip") as archive:
        files = {name.removeprefix("chapters/"): archive.read(name) for name in archive.namelist()}
    assert set(files) == {"cover.ipynb", "README.txt", "versions.txt", first_cell.wheel_name()}
    assert files["cover.ipynb"] == store.as_canonical_text(PAGE).encode()
    assert files["versions.txt"] == (ROOT / "requirements.txt").read_bytes()
    assert files[first_cell.wheel_name()] == (without / "download" / first_cell.wheel_name()).read_bytes()
    assert files["README.txt"].decode().count(f'install "./{first_cell.wheel_name()}[run,lab]"') == 2


def test_two_builds_offer_the_same_bytes(without, with_addresses):
    for path in (without / "download").iterdir():
        assert path.read_bytes() == (with_addresses / "download" / path.name).read_bytes(), path.name


def test_the_first_cell_knows_the_address_of_the_site(monkeypatch, tmp_path):
    for name in ("pyproject.toml", "_config.yml"):
        text = (ROOT / name).read_text(encoding="utf-8")
        (tmp_path / name).write_text(text.replace('baseurl: ""', "baseurl: https://example.org/book/"), encoding="utf-8")
    before = first_cell.source()
    monkeypatch.setattr(first_cell, "ROOT", tmp_path)
    assert first_cell.source() == before.replace('whl"), ""', 'whl"), "https://example.org/book"')
