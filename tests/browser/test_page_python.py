"""Run buttons in a real browser: the cells of every chapter give what is stored, and whatever goes wrong leaves a readable page."""

import json
import re
from hashlib import sha256
from zipfile import ZipFile

import nbformat
import pytest
from browser.visits import THIN, Visit, serving, violations
from test_pages import book_folder, small_book

from book._sphinx import page_wheels, sources

BOOK = book_folder()
CHAPTERS = [f"{page}.html" for page in sources.chapters()]
PAGE, CELL = "book/how-to-use.html", "22eeaeff"
PATIENCE = 120_000  # milliseconds for Python to start on a busy machine

if not (BOOK / "_static" / "pyodide").exists():
    pytest.skip("this book was built without npm, so it has no Run buttons", allow_module_level=True)

# Run a cell through its block, as its button does, with another source if one is given; wait until it is done.
RUN = """async ([id, source]) => {
  const block = runCells.blocks.get(id);
  if (source !== null) block.setEdit(source);
  const done = new Promise(resolve => document.addEventListener("python-done", event => resolve(event.detail), {once: true}));
  await block.run();
  return await done;
}"""

# What can run on a page, in order.
RUNNABLE = "() => [...runCells.blocks.values()].filter(block => !block.wants.length).map(block => block.id)"


@pytest.fixture
def visit(browser, address):
    visit = Visit(browser, address, PAGE)
    visit.page.set_default_timeout(PATIENCE)
    yield visit
    visit.context.close()


@pytest.fixture(scope="module")
def alive(browser, address):
    """A page whose Python was started, for all tests that neither stop nor reload it."""
    visit = Visit(browser, address, PAGE)
    visit.page.set_default_timeout(PATIENCE)
    run(visit.page, CELL)
    yield visit
    visit.context.close()


def run(page, cell, source=None):
    return page.evaluate(RUN, [cell, source])


def result(page, cell=CELL):
    return page.locator(f"#run-{cell}")


def click(page, name, cell=CELL):
    page.locator(f"#code-{cell} > .run-controls button.{name}").click()


def state(page, words):
    page.locator(".python-words", has_text=re.compile(words)).wait_for()


together = pytest.mark.xdist_group("python in the page")


# ---- The chapters ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", [pytest.param(path, marks=pytest.mark.xdist_group(path)) for path in CHAPTERS])
def test_the_cells_of_a_chapter_give_the_stored_result(browser, address, path):
    """By the real worker, without another host; before the first click nothing of it is loaded."""
    visit = Visit(browser, address, path)
    page = visit.page
    page.set_default_timeout(PATIENCE)
    assert not [url for url in visit.requests if re.search("pyodide|/cells/|run-page|run-worker|katex.min", url)]
    stored = json.loads((BOOK / "_static" / "cells" / path.replace(".html", ".json")).read_text(encoding="utf-8"))
    listings = {cell["id"] for cell in stored["cells"] if "defines" in cell}
    cells = page.evaluate(RUNNABLE)
    assert sum(name.startswith("break-") for name in cells) == 1
    found = {name: run(page, name) for name in cells}
    assert {name: done["problem"] for name, done in found.items() if done["problem"]} == {}
    shows = {name for name in cells if stored["outputs"].get(name) and name not in listings}
    assert {name: done["outputs"] for name, done in found.items() if name in shows and not done["same"]} == {}
    assert [url for url in visit.requests if not url.startswith((address, "data:", "blob:"))] == []
    assert visit.troubles == []
    visit.context.close()


@pytest.mark.xdist_group("book/average-precision.html")
def test_who_breaks_a_claim_reads_the_counterexample(browser, address):
    """With the keyboard alone: edit the box, run it, undo."""
    visit = Visit(browser, address, "book/average-precision.html")
    page = visit.page
    page.set_default_timeout(PATIENCE)
    box = page.locator(".break-it .runnable")
    box.locator("button.edit").focus()
    page.keyboard.press("Enter")
    editor = box.locator("textarea")
    editor.wait_for()
    editor.fill(editor.input_value().replace("return total / n_relevant", "return total / len(ranks)"))
    page.keyboard.press("Control+Enter")
    counterexample = box.locator(".run-counterexample")
    counterexample.wait_for()
    assert "Counterexample" in counterexample.inner_text() and "mine gives" in counterexample.inner_text()
    state(page, "Python is ready: counterexample found")
    page.keyboard.press("Escape")
    assert page.evaluate("document.activeElement.className") == "edit"
    box.locator("button.undo").focus()
    page.keyboard.press("Enter")
    assert "return total / n_relevant" in box.locator("pre").first.inner_text()
    assert "From the code before your last change" in counterexample.inner_text()
    page.keyboard.press("Enter")  # the focus is on Run again
    box.locator(".run-result:not(.run-counterexample)", has_text="✓ holds").wait_for()
    assert "Tempting but wrong: " in box.locator(".run-result").inner_text() and "before your last change" not in box.inner_text()
    page.evaluate(THIN)
    assert violations(page) == []
    visit.context.close()


# ---- What a reader does ------------------------------------------------------------------------------------


@together
def test_a_run_says_what_ran_first_and_that_it_is_the_same(alive):
    assert "the same as printed" in result(alive.page).inner_text()
    assert "ran 1 earlier cell first" in result(alive.page).inner_text()
    assert "Python is ready" in alive.page.locator(".python-words").inner_text()


@together
def test_formulas_and_markdown_of_a_result_are_rendered(alive):
    done = run(alive.page, "x-sp-symbol-x")
    assert done["problem"] is None and done["same"]
    result(alive.page, "x-sp-symbol-x").locator(".katex").first.wait_for()
    source = "from metrics.exact import prove\na = sp.Symbol('a', positive=True)\nprove({'a square': ((a + 1) ** 2, a**2 + 2 * a + 1)})"
    assert run(alive.page, "x-sp-symbol-x", source)["problem"] is None
    result(alive.page, "x-sp-symbol-x").locator("table.steps .katex").first.wait_for()
    alive.page.evaluate("runCells.blocks.get('x-sp-symbol-x').undo()")


@together
def test_an_error_names_the_line(alive):
    problem = run(alive.page, CELL, "a = 1\nb = a / 0")["problem"]
    assert problem == {"kind": "error", "message": "ZeroDivisionError: division by zero", "line": 2, "code": "b = a / 0"}
    assert "In this cell, line 2: b = a / 0" in result(alive.page).inner_text()
    assert "the cell has an error" in alive.page.locator(".python-words").inner_text()
    alive.page.evaluate(f"runCells.blocks.get('{CELL}').undo()")


@together
def test_a_million_lines_leave_a_readable_page(alive):
    assert run(alive.page, CELL, "for i in range(10**6):\n    print(i)")["problem"] is None
    text = result(alive.page).inner_text()
    assert "998,000 more lines are not shown" in text and len(text) < 30_000
    alive.page.evaluate(f"runCells.blocks.get('{CELL}').undo()")


@together
def test_accessibility_while_python_is_alive(visit):
    page = visit.page
    run(page, CELL)
    page.locator("#code-relevance-sum-axis-1 button.run").click()
    page.locator(f"#code-{CELL} button.edit").click()
    page.locator("textarea").wait_for()
    page.evaluate(THIN)
    for scheme, width in ("light", 1280), ("dark", 390):
        page.set_viewport_size({"width": width, "height": 900})
        page.emulate_media(color_scheme=scheme)
        page.locator(f"html[data-theme={scheme}]").wait_for()
        assert violations(page) == [], scheme
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.emulate_media(media="print")
    assert page.locator(".run-controls:visible, .python-bar:visible").count() == 0


@together
def test_an_endless_cell_can_be_stopped_and_says_what_is_lost(visit):
    page = visit.page
    for source in ("while True:\n    pass", "while True:\n    print(1)"):
        page.evaluate("([id, source]) => { const block = runCells.blocks.get(id); block.setEdit(source); block.run(); }", [CELL, source])
        state(page, "Running")
        page.wait_for_timeout(1500)
        late = page.evaluate("new Promise(done => { const t = performance.now(); setTimeout(() => done(performance.now() - t), 0); })")
        assert late < 1000  # the page is alive
        page.locator(".python-stop").click()
        result(page).locator("text=forgotten all results").wait_for()
        state(page, "stopped")
    page.evaluate(f"runCells.blocks.get('{CELL}').undo()")
    assert run(page, CELL)["same"]
    page.locator(".python-close").click()
    assert not page.locator(".python-bar").is_visible()
    assert run(page, CELL)["same"] and not page.locator(".python-bar").is_visible()
    page.evaluate("document.querySelector('.python-reset').click()")
    assert page.locator(".python-bar, .run-result").count() == 0


@together
def test_edits_survive_a_reload_and_can_be_undone_and_one_of_older_code_is_not_lost(visit):
    page, code = visit.page, visit.page.locator(f"#code-{CELL} pre")
    printed = code.inner_text()
    click(page, "edit")
    editor = page.locator(f"#code-{CELL} textarea")
    editor.wait_for()
    editor.fill("1 + 1")
    page.keyboard.press("Tab")  # it does not trap the focus
    assert page.evaluate("document.activeElement.tagName") != "TEXTAREA"
    page.reload()
    assert code.inner_text() == "1 + 1"
    page.locator(f"#code-{CELL} .if-edited").wait_for()
    click(page, "undo")
    assert code.inner_text() == printed and page.evaluate("localStorage.getItem('edits of book/how-to-use')") is None
    page.evaluate("id => localStorage.setItem('edits of book/how-to-use', JSON.stringify({[id]: {source: '2 + 2', of: 'older'}}))", CELL)
    page.reload()
    assert code.inner_text() == printed
    page.get_by_role("button", name="Bring back your edit").click()
    assert code.inner_text() == "2 + 2"


@together
def test_a_cell_that_needs_numpy_says_so_and_where_it_runs(visit):
    click(visit.page, "run", "relevance-sum-axis-1")
    box = result(visit.page, "relevance-sum-axis-1")
    assert "needs NumPy, which this page does not bring" in box.inner_text()
    links = box.locator("a").evaluate_all("links => links.map(link => link.href)")
    assert any("#running" in link for link in links) and any(link.endswith(".ipynb") for link in links)
    assert not [url for url in visit.requests if "pyodide" in url]


# ---- What may go wrong -------------------------------------------------------------------------------------


@pytest.mark.parametrize("script, words", [
    ("Object.defineProperty(window, 'localStorage', {get() { throw new DOMException('blocked'); }})", "keeps nothing for this page"),
    ("delete window.WebAssembly", "no WebAssembly"),
])  # fmt: skip
@together
def test_a_browser_that_allows_less_is_told(visit, script, words):
    visit.page.add_init_script(script)
    visit.page.reload()
    visit.page.evaluate("id => runCells.blocks.get(id).setEdit('1 + 1')", CELL)
    click(visit.page, "run")
    result(visit.page).locator(f"text={words}").wait_for()


@together
def test_a_failed_download_is_said_and_can_be_tried_again(visit):
    page = visit.page
    page.route("**/pyodide.asm.wasm", lambda route: route.abort())
    click(page, "run")
    result(page).locator("text=could not be loaded").wait_for()
    page.unroute("**/pyodide.asm.wasm")
    assert run(page, CELL)["same"]


@together
def test_from_a_file_the_button_says_what_to_do(browser):
    page = browser.new_page()
    page.goto((BOOK / PAGE).as_uri())
    click(page, "run")
    assert "python -m http.server" in result(page).inner_text()
    page.close()


@together
def test_a_full_distribution_is_loaded_from_its_address(visit):
    """The setting page_python_distribution, with the book's own files at that address."""
    elsewhere, page = "https://python.example/full/", visit.page
    files = BOOK / "_static" / "pyodide"
    page.route("**/cells/book/how-to-use.json", lambda route: route.fulfill(
        json=json.loads((BOOK / "_static/cells/book/how-to-use.json").read_text(encoding="utf-8")) | {"distribution": elsewhere}))  # fmt: skip
    kinds = {".mjs": "text/javascript", ".wasm": "application/wasm", ".json": "application/json"}

    def serve(route):
        path = files / route.request.url.removeprefix(elsewhere)
        headers = {"access-control-allow-origin": "*", "content-type": kinds.get(path.suffix, "application/octet-stream")}
        route.fulfill(body=path.read_bytes(), headers=headers)

    page.route(f"{elsewhere}**", serve)
    assert run(page, CELL)["same"]
    loaded = {url.removeprefix(elsewhere) for url in visit.requests if url.startswith(elsewhere)}
    assert loaded >= {"pyodide.mjs", "pyodide.asm.wasm", "python_stdlib.zip"}


def stand_in(folder):
    """A wheel in the place of NumPy's, and the lock that names it."""
    name, info = "numpy-9.9-py3-none-any.whl", "numpy-9.9.dist-info"
    with ZipFile(folder / name, "w") as wheel:
        wheel.writestr("numpy/__init__.py", "def half(n): return n / 2\n")
        wheel.writestr(f"{info}/METADATA", "Metadata-Version: 2.1\nName: numpy\nVersion: 9.9\n")
        wheel.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        wheel.writestr(f"{info}/RECORD", "")
    return {"packages": {"numpy": {"file_name": name, "sha256": sha256((folder / name).read_bytes()).hexdigest()}}}


def test_a_wheel_that_was_fetched_lets_a_page_run_what_needs_it(browser, tmp_path):
    """From its address, checked, through the build, to the click; NumPy's own wheel lies where tests do not reach."""
    there, kept = tmp_path / "there", tmp_path / "kept"
    there.mkdir()
    lock = stand_in(there)
    wrong = {"packages": {"numpy": lock["packages"]["numpy"] | {"sha256": "0" * 64}}}
    with serving(there) as source:
        with pytest.raises(OSError, match="not the wheel that Pyodide names"):
            page_wheels.fetch(source, wrong, kept)
        assert page_wheels.kept(kept) == {}
        page_wheels.fetch(source, lock, kept)
    code = nbformat.v4.new_code_cell("import numpy\nprint(numpy.half(5))", outputs=[nbformat.v4.new_output("stream", text="2.5\n")], id="half")
    imports = nbformat.v4.new_code_cell("import numpy", id="imports")
    page = nbformat.v4.new_markdown_cell("# Page\n\nIt runs a cell that needs more than the standard library has, and compares the result.")
    folder, said, good = small_book(tmp_path, page, imports, code, settings=lambda text: text + f'    page_python_wheels: "{kept}"\n')
    assert good, said
    with serving(folder) as address:
        visit = Visit(browser, address, "book/cover.html")
        visit.page.set_default_timeout(PATIENCE)
        assert not [url for url in visit.requests if "numpy" in url]
        done = run(visit.page, "half")
        assert done["problem"] is None and done["same"], done
        assert [url for url in visit.requests if "numpy-9.9" in url] and visit.troubles == []
        visit.context.close()
