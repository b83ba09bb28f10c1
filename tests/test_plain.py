"""The plain edition: no syntax of the sources is left in it, its numbers are those of the notebook and of the page, its code is the code."""

import json
import re
from pathlib import Path
from zipfile import ZipFile

import nbformat
import pytest
from bs4 import BeautifulSoup
from markdown_it import MarkdownIt
from mdit_py_plugins.dollarmath import dollarmath_plugin
from test_pages import NOTEBOOKS, book_folder

from book._sphinx import formulas, sources

FOLDER = book_folder().with_name("notebooks") / "book"
RAW = re.compile(r"\{[\w:-]+\}`|(?m:^\s*>?\s*(:{3,}|`{3}\{|:[\w-]+:(?:\s|$)|\([\w-]+\)=))|<(?!/?(?:a|details|summary|sup)\b)[a-z]+[ >]")
NUMBERED = r"(?:Theorem|Proposition|Lemma|Corollary|Definition|Exercise|Figure|Fig\.)\s(?:\d+|[A-Z])\.\d+"
ROLE = re.compile(r"\{glue:text\}`([^`:]+)(?::[^`]*)?`")


def plain(notebook):
    return sources.read(FOLDER / Path(notebook.name).name)


def prose_of(notebook):
    return "\n\n".join(cell.source for cell in notebook.prose)


@pytest.fixture(params=NOTEBOOKS, ids=lambda notebook: Path(notebook.name).stem)
def both(request):
    return request.param, plain(request.param)


def test_nothing_of_the_sources_is_left_and_the_file_is_a_notebook(both):
    _, there = both
    assert [cell.source for cell in there.prose if RAW.search(re.sub(r"(?<!\})`+[^`{]*`+", "", cell.source))] == []
    nbformat.validate(there.raw)
    assert len({cell.id for cell in there.cells}) == len(there.cells)


def test_code_and_outputs_are_unchanged_and_each_figure_has_a_picture_that_every_viewer_shows(both):
    here, there = both
    for output in (output for cell in there.code for output in cell.outputs if "data" in output):
        size = output["metadata"].pop("image/png", {})
        assert ("image/svg+xml" in output["data"]) == bool(output["data"].pop("image/png", None)) == (size.get("width", 0) > 100)
    assert [(cell.id, cell.source, cell.outputs) for cell in there.code] == [(cell.id, cell.source, cell.outputs) for cell in here.code]


def test_numbers_stand_where_the_text_quotes_them(both):
    """What a cell has glued, between the words around it."""
    here, there = both
    values = {}
    for cell in here.code:
        for output in cell.outputs:
            name = output.get("metadata", {}).get("scrapbook", {}).get("name")
            if name:
                values[name] = sources.joined(next(text for kind, text in output["data"].items() if kind.endswith("text/plain"))).strip("'\"")
    text = re.sub(r"[*>\s]+", " ", prose_of(there).replace("\\", ""))
    for role in ROLE.finditer(prose_of(here)):
        before = re.split(r"[^\w ,.]", prose_of(here)[: role.start()])[-1].replace("\n", " ")[-20:]
        after = re.split(r"[^\w ,.]", prose_of(here)[role.end() :])[0].replace("\n", " ")[:20]
        assert f"{before}{values[role[1]]}{after}".strip() in text, role[0]


def test_the_numbers_of_statements_figures_and_exercises_are_those_of_the_page(both):
    here, there = both
    article = BeautifulSoup((book_folder() / here.name).with_suffix(".html").read_text(encoding="utf-8"), "html.parser").article
    for code in article.find_all(["pre", "svg", "script"]):
        code.decompose()

    def numbers(text):
        return {re.sub(r"\s", " ", found).replace("Fig. ", "Figure ") for found in re.findall(NUMBERED, text)}

    assert numbers(prose_of(there)) == numbers(article.get_text())


def test_formulas_pass_katex(both):
    reader = MarkdownIt("commonmark").enable("table").use(dollarmath_plugin, allow_space=False, allow_digits=False)
    tokens = [token for cell in both[1].prose for block in reader.parse(cell.source) for token in (block, *(block.children or ()))]
    found = [(token.content.strip(), token.type != "math_inline") for token in tokens if token.type.startswith("math")]
    assert [result for result in formulas.render(found) if "error" in result] == []
    assert len(found) == len(re.findall(r"\$\$|(?<!\\)\$", re.sub(r"```.*?```|`[^`]*`", "", prose_of(both[1]), flags=re.DOTALL))) / 2


def test_links_lead_to_notebooks_and_places_that_there_are():
    places, links = {}, []
    for path in FOLDER.glob("*.ipynb"):
        text = prose_of(sources.read(path))
        places[path.name] = set(re.findall(r'<a id="([^"]+)"', text))
        links += [(path.name, link) for link in re.findall(r"\]\(([^)\s]+)\)", text) if not link.startswith("http")]
    lost = [(name, link) for name, link in links for file, _, place in [link.partition("#")]
            if (file or name) not in places or (place and place not in places[file or name])]  # fmt: skip
    assert links and lost == []


def test_it_is_what_the_page_and_the_archive_offer():
    with ZipFile(book_folder() / "download" / "chapters.zip") as archive:
        for notebook in NOTEBOOKS:
            text = (FOLDER / Path(notebook.name).name).read_bytes()
            assert text == (book_folder() / "_sources" / notebook.name).read_bytes() == archive.read(f"chapters/{Path(notebook.name).name}")


def test_the_branch_has_what_binder_needs():
    folder = FOLDER.parent
    [wheel] = FOLDER.glob("*.whl")
    assert f"./book/{wheel.name}[run,lab]" in (folder / "requirements.txt").read_text().split()
    assert "numpy==" in (folder / "versions.txt").read_text() and json.loads((FOLDER / "cover.ipynb").read_text(encoding="utf-8"))["cells"]
