"""Run buttons in a real browser: the cells of every chapter give what is stored, and whatever goes wrong leaves a readable page."""

import json
from functools import partial
from hashlib import sha256
from types import SimpleNamespace
from zipfile import ZipFile

import nbformat
import pytest
from browser.visits import open_folds, serving, violations, visiting
from test_pages import book_folder, small_book

from book._sphinx import page_wheels, sources
from metrics.course.grading import grade

BOOK = book_folder()
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


@pytest.fixture
def visit(browser, address):
    with visiting(browser, address, PATIENCE) as visit:
        yield visit


@pytest.fixture
def failing(browser):
    """A page of which something may fail while it loads."""
    page = browser.new_page(service_workers="block")
    page.set_default_timeout(PATIENCE)
    yield page
    page.close()


@pytest.fixture(scope="module")
def alive(browser, address):
    """A page whose Python was started, for all tests that do not stop it."""
    with visiting(browser, address, PATIENCE) as visit:
        page = visit(PAGE)
        assert run(page, CELL)["same"]
        yield page


def run(page, cell, source=None):
    return page.evaluate(RUN, [cell, source])


def result(page, cell=CELL):
    return page.locator(f"#run-{cell}")


def click(page, name, cell=CELL):
    page.locator(f"#code-{cell} > .run-controls button.{name}").click()


def state(page, words):
    page.locator(".python-words", has_text=words).wait_for()


# ---- The chapters ------------------------------------------------------------------------------------------


SOME = ("book/averaging", "book/order-and-auc", "book/precision-and-recall")  # all before a release: Pyodide starts anew for each


@pytest.mark.parametrize("path", [pytest.param(f"{name}.html", marks=[] if name in SOME else pytest.mark.everywhere) for name in sources.chapters()])
def test_the_cells_of_a_chapter_give_the_stored_result(visit, path):
    """All that need nothing of another host: with NumPy's wheel in the book (`make wheels`), those that need NumPy, too."""
    page = visit(path)
    stored = json.loads((BOOK / "_static" / "cells" / path.replace(".html", ".json")).read_text(encoding="utf-8"))
    listings = {cell["id"] for cell in stored["cells"] if "defines" in cell}
    blocks = page.evaluate("[...runCells.blocks.values()].map(({id, wants, asks}) => [id, wants, asks])")
    cells = [name for name, wants, asks in blocks if not wants and not any(stored["libraries"][library]["host"] for library in asks)]
    assert sum(name.startswith("break-") for name in cells) == 1
    for name in cells:
        done, printed = run(page, name), stored["outputs"].get(name)
        same = done["same"] or name in listings or not printed or any(output.get("picture") for output in printed)
        assert done["problem"] is None and same, (name, done)


def test_who_writes_a_function_reads_where_it_is_wrong_and_which_mistake_that_is(visit):
    page = visit("book/average-precision.html")
    page.locator(".write-it summary", has_text="average_precision").first.click()
    box = page.locator("#code-write-average_precision")
    box.get_by_role("button", name="Edit").click()
    editor = box.locator("textarea")
    body = "return sum(Fraction(sum(relevance[:k]), k) for k, hit in enumerate(relevance, 1) if hit) / {}"
    for divisor, said in (("sum(relevance)", "you divide by the hits that you see"), ("n_relevant", "right in all 755 cases")):
        editor.fill(editor.input_value().replace("raise NotImplementedError", body.format("sum(relevance)")).replace("sum(relevance)\n", f"{divisor}\n"))
        page.keyboard.press("Control+Enter")
        page.locator("#run-write-average_precision", has_text=said).wait_for()


def test_who_wrote_a_function_in_the_page_saves_a_sheet_that_the_grader_marks(visit, tmp_path):
    page = visit("book/average-precision.html")
    page.locator(".write-it summary", has_text="gain_of_a_swap").first.click()
    box = page.locator("#code-write-gain_of_a_swap")
    box.get_by_role("button", name="Edit").click()
    editor = box.locator("textarea")
    editor.fill(editor.input_value().replace("raise NotImplementedError", "return Fraction(s + 1, n_relevant * i * (i + 1))"))
    page.keyboard.press("Control+Enter")
    page.locator("#run-write-gain_of_a_swap", has_text="right in all 130 cases").wait_for()
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save as a notebook").click()
    (tmp_path / "in").mkdir()
    saved.value.save_as(tmp_path / "in" / "ada.ipynb")
    verdicts = grade(tmp_path / "in", tmp_path / "out")["ada"]
    assert [each.trouble for each in verdicts] == ["nothing written yet", "", "nothing written yet"] and verdicts[1].right


def test_who_breaks_a_claim_reads_the_counterexample(visit):
    """With the keyboard alone: edit the box, run it, undo."""
    page = visit("book/average-precision.html")
    page.locator(".break-it > summary").focus()
    page.keyboard.press("Enter")
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
    box.locator(".run-result:not(.run-counterexample)", has_text="✓ holds: ").wait_for()
    assert "Tempting but wrong: " in box.locator(".run-result").inner_text() and "before your last change" not in box.inner_text()
    page.evaluate("document.querySelector('main').replaceChildren(document.querySelector('h1'), document.querySelector('.break-it'))")
    assert violations(page) == []


# ---- What a reader does ------------------------------------------------------------------------------------


def test_a_run_says_what_ran_first_and_renders_formulas_and_markdown(alive):
    assert "the same as printed" in result(alive).inner_text() and "ran 1 earlier cell first" in result(alive).inner_text()
    assert run(alive, "x-sp-symbol-x")["same"]
    result(alive, "x-sp-symbol-x").locator(".formula math").first.wait_for()
    source = "from metrics.exact import prove\na = sp.Symbol('a', positive=True)\nprove({'a square': ((a + 1) ** 2, a**2 + 2 * a + 1)})"
    assert run(alive, "x-sp-symbol-x", source)["problem"] is None
    result(alive, "x-sp-symbol-x").locator("table.steps .formula math").first.wait_for()


def test_an_error_names_the_line_and_a_million_lines_leave_a_readable_page(alive):
    assert run(alive, CELL, "a = 1\nb = a / 0")["problem"]["kind"] == "error"
    assert "ZeroDivisionError: division by zero" in result(alive).inner_text() and "In this cell, line 2: b = a / 0" in result(alive).inner_text()
    state(alive, "the cell has an error")
    assert run(alive, CELL, "for i in range(10**6):\n    print(i)")["problem"] is None
    text = result(alive).inner_text()
    assert "998,000 more lines are not shown" in text and len(text) < 30_000


def test_accessibility_while_python_is_alive(alive):
    click(alive, "run", "relevance-sum-axis-1")
    click(alive, "edit")
    alive.locator("textarea").wait_for()
    for scheme, width in ("dark", 390), ("light", 1280):
        alive.set_viewport_size({"width": width, "height": 900})
        alive.emulate_media(color_scheme=scheme)
        alive.locator(f"html[data-theme={scheme}]").wait_for()
        assert violations(alive) == [], scheme
        assert alive.evaluate("document.documentElement.scrollWidth <= innerWidth")
    alive.emulate_media(media="print")
    assert alive.locator(".run-controls:visible, .python-bar:visible").count() == 0
    alive.emulate_media(media="screen")


def test_an_endless_cell_can_be_stopped_and_says_what_is_lost(alive):
    alive.evaluate("([id, source]) => { const block = runCells.blocks.get(id); block.setEdit(source); block.run(); }", [CELL, "while True:\n    print(1)"])
    state(alive, "Running")
    alive.wait_for_timeout(1500)
    alive.locator(".python-stop").click()  # the page is alive
    result(alive).locator("text=forgotten all results").wait_for()
    state(alive, "stopped")
    alive.evaluate(f"runCells.blocks.get('{CELL}').undo()")
    alive.locator(".python-close").click()
    assert run(alive, CELL)["same"] and not alive.locator(".python-bar").is_visible()
    alive.evaluate("document.querySelector('.python-reset').click()")
    assert alive.locator(".python-bar, .run-result").count() == 0


COVERED = """() => [...document.querySelectorAll(".runnable:not(.source-listing)")].filter(each => {
  const text = document.createRange(), {left, bottom} = each.querySelector(".run-controls").getBoundingClientRect();
  text.selectNodeContents(each.querySelector("pre"));
  return [...text.getClientRects()].some(line => line.width && line.right > left && line.top < bottom - 1);
}).map(each => each.id)"""


def test_the_buttons_of_a_cell_are_seen_and_cover_none_of_its_code(visit):
    page = visit("book/precision-and-recall.html", 900)
    open_folds(page)
    assert float(page.locator(".run-controls").first.evaluate("each => getComputedStyle(each).opacity")) > 0.5 and page.evaluate(COVERED) == []


def test_edits_survive_a_reload_and_can_be_undone_and_one_of_older_code_is_not_lost(visit):
    page = visit(PAGE)
    code = page.locator(f"#code-{CELL} pre")
    printed = code.inner_text()
    click(page, "edit")
    page.locator(f"#code-{CELL} textarea").fill("1 + 1")
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


def test_an_edit_of_a_cell_that_is_gone_is_said_saved_or_forgotten(visit):
    page = visit(PAGE)
    page.evaluate("localStorage.setItem('edits of book/how-to-use', JSON.stringify({gone: {source: '2 + 2', of: 'older'}}))")
    page.reload()
    note = page.locator("h1 + .run-note", has_text="You edited a cell that this page no longer has")
    with page.expect_download() as saved:
        note.get_by_role("button", name="Save my notebook").click()
    assert nbformat.read(saved.value.path(), as_version=4).cells[-1].source == "2 + 2"
    note.get_by_role("button", name="Forget it").click()
    assert note.count() == 0 and page.evaluate("localStorage.getItem('edits of book/how-to-use')") is None


def test_what_a_reader_changed_comes_out_as_a_notebook(visit):
    page, plain = visit("book/precision-and-recall.html"), json.loads((BOOK / "_sources" / "book" / "precision-and-recall.ipynb").read_text(encoding="utf-8"))
    kinds = "([id, block]) => [id, id.startsWith('break-') ? 'aside' : block.box.matches('.source-listing') ? 'definition' : 'cell']"
    ids = {kind: id for id, kind in page.evaluate(f"[...runCells.blocks].reverse().filter(([, block]) => !block.wants.length).map({kinds})")}
    for kind, id in ids.items():
        page.evaluate("([id, source]) => runCells.blocks.get(id).setEdit(source)", [id, f"mine = '{kind}'"])
    open_folds(page)
    with page.expect_download() as saved:
        page.locator(".run-controls button.save:visible").first.click()
    state(page, "Saved as my-precision-and-recall.ipynb")
    found = nbformat.read(saved.value.path(), as_version=4)
    nbformat.validate(found)
    [*cells, heading, added] = found.cells
    for before, after in zip(plain["cells"], cells, strict=True):
        kind = next((kind for kind, id in ids.items() if id == before["id"]), None)
        assert kind is None or (after.outputs, after.execution_count) == ([], None)
        assert after.source == sources.joined(before["source"]) if kind is None else after.source.startswith(f"mine = '{kind}'")
        assert (after.source.count("metrics.exact.definitions.") == 1) == (kind == "definition") or kind is None
    assert heading.source == "## My own code" and (added.id, added.source) == (ids["aside"], "mine = 'aside'")
    assert saved.value.suggested_filename == "my-precision-and-recall.ipynb" and saved.value.url.startswith("blob:")


# ---- What may go wrong -------------------------------------------------------------------------------------


@pytest.mark.parametrize("script, words", [
    ("Object.defineProperty(window, 'localStorage', {get() { throw new DOMException('blocked'); }})", "keeps nothing for this page"),
    ("delete window.WebAssembly", "no WebAssembly"),
])  # fmt: skip
def test_a_browser_that_allows_less_is_told(failing, address, script, words):
    failing.add_init_script(script)
    failing.goto(address + PAGE)
    failing.evaluate("id => runCells.blocks.get(id).setEdit('1 + 1')", CELL)
    click(failing, "run")
    result(failing).locator(f"text={words}").wait_for()


def test_a_failed_download_is_said_and_can_be_tried_again(failing, address):
    failing.route("**/pyodide.asm.wasm", lambda route: route.abort())
    failing.goto(address + PAGE)
    click(failing, "run")
    result(failing).locator("text=could not be loaded").wait_for()
    failing.unroute("**/pyodide.asm.wasm")
    assert run(failing, CELL)["same"]


def test_a_notebook_that_cannot_be_saved_is_said(failing, address):
    failing.route("**/_sources/**", lambda route: route.abort())
    failing.goto(address + PAGE)
    failing.evaluate("id => runCells.blocks.get(id).setEdit('1 + 1')", CELL)
    click(failing, "save")
    state(failing, "nothing was saved")


def allowing(host, route):
    """What is asked for, under the policy of a book whose pages load Python from this host."""
    answer = route.fetch()

    def with_host(text):
        for mark in ("'", "&#x27;"):
            text = text.replace(f"{mark}wasm-unsafe-eval{mark}", f"{mark}wasm-unsafe-eval{mark} {host}")
            text = text.replace(f"connect-src {mark}self{mark}", f"connect-src {mark}self{mark} {host}")
        return text

    body = with_host(answer.text()) if "text/html" in answer.headers.get("content-type", "") else answer.body()
    route.fulfill(status=answer.status, headers={name: with_host(value) for name, value in answer.headers.items() if name != "content-length"}, body=body)


def test_a_full_distribution_is_loaded_from_its_address(failing, address):
    """The setting page_python_distribution, with the book's own files at that address."""
    elsewhere, asked = "https://python.example/full/", set()
    kinds = {".mjs": "text/javascript", ".wasm": "application/wasm", ".json": "application/json"}

    def serve(route):
        path = BOOK / "_static" / "pyodide" / route.request.url.removeprefix(elsewhere)
        asked.add(path.name)
        headers = {"access-control-allow-origin": "*", "content-type": kinds.get(path.suffix, "application/octet-stream")}
        route.fulfill(body=path.read_bytes(), headers=headers)

    cells = json.loads((BOOK / "_static/cells/book/how-to-use.json").read_text(encoding="utf-8")) | {"distribution": elsewhere}
    failing.route(f"{address}**", partial(allowing, "https://python.example"))
    failing.route("**/cells/book/how-to-use.json", lambda route: route.fulfill(json=cells))
    failing.route(f"{elsewhere}**", serve)
    failing.goto(address + PAGE)
    assert run(failing, CELL)["same"] and asked >= {"pyodide.mjs", "pyodide.asm.wasm", "python_stdlib.zip"}


def test_from_a_file_the_button_says_what_to_do(failing):
    failing.goto((BOOK / PAGE).as_uri())
    click(failing, "run")
    assert "python -m http.server" in result(failing).inner_text()


# ---- NumPy, from elsewhere: its own wheel lies where tests do not reach -----------------------------------------


def stand_in(folder):
    """A wheel in the place of NumPy's, and the lock that names it."""
    name, info = "numpy-9.9-py3-none-any.whl", "numpy-9.9.dist-info"
    with ZipFile(folder / name, "w") as wheel:
        wheel.writestr("numpy/__init__.py", "def half(n): return n / 2\n")
        wheel.writestr(f"{info}/METADATA", "Metadata-Version: 2.1\nName: numpy\nVersion: 9.9\n")
        wheel.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        wheel.writestr(f"{info}/RECORD", "")
    package = {"name": "numpy", "version": "9.9", "imports": ["numpy"], "depends": [], "install_dir": "site", "package_type": "package"}
    lock = json.loads((BOOK / "_static/pyodide/pyodide-lock.json").read_text(encoding="utf-8"))
    return lock | {"packages": {"numpy": package | {"file_name": name, "sha256": sha256((folder / name).read_bytes()).hexdigest()}}}


CELLS = [nbformat.v4.new_markdown_cell("# Page\n\nIt runs a cell that needs more than the standard library has, and compares the result."),
         nbformat.v4.new_code_cell("import numpy", id="imports"), nbformat.v4.new_code_cell("1 + 1", id="two"),
         nbformat.v4.new_code_cell("import numpy\nprint(numpy.half(5))", outputs=[nbformat.v4.new_output("stream", text="2.5\n")], id="half")]  # fmt: skip


def test_a_wheel_that_was_fetched_lets_a_page_run_what_needs_it(browser, tmp_path):
    """From its address, checked, through the build, to the click, without a question."""
    there, brought = tmp_path / "there", tmp_path / "brought"
    there.mkdir()
    lock = stand_in(there)
    wrong = {"packages": {"numpy": lock["packages"]["numpy"] | {"sha256": "0" * 64}}}
    with serving(there) as source:
        for not_there in (f"{source}gone/", (tmp_path / "gone").as_uri()):
            with pytest.raises(OSError):
                page_wheels.fetch(not_there, lock, brought)
        with pytest.raises(OSError, match="not the wheel that Pyodide names"):
            page_wheels.fetch(source, wrong, brought)
        assert not [*brought.iterdir()]
        for address in (source, there.as_uri()):
            page_wheels.fetch(address, lock, brought)
            assert [path.name for path in brought.iterdir()] == ["numpy-9.9-py3-none-any.whl"]
    (brought / "pyodide-lock.json").write_text(json.dumps(lock))
    folder, said, good = small_book(tmp_path, *CELLS, settings=lambda text: text + f'    page_python_wheels: "{brought}"\n')
    assert good, said
    with serving(folder) as address, visiting(browser, address, PATIENCE) as visit:
        page = visit("book/cover.html")
        done = run(page, "half")
        assert done["problem"] is None and done["same"], done
        assert [each.url for each in page.responses if "numpy-9.9" in each.url]


@pytest.fixture(scope="module")
def offering(tmp_path_factory):
    """A book whose pages offer to fetch NumPy from a host that is there; the folders of the book, of the lock and of the host, and the host."""
    source, lock, there = (tmp_path_factory.mktemp(name) for name in ("source", "lock", "there"))
    (lock / "pyodide-lock.json").write_text(json.dumps(stand_in(there)))
    with serving(there) as host:
        own = {"page_python_wheels": lock, "page_python_offer": host}
        folder, said, good = small_book(source, *CELLS, settings=lambda text: with_settings(text, own))
        assert good, said
        yield SimpleNamespace(book=folder, there=there / "numpy-9.9-py3-none-any.whl", host=host)


def with_settings(text, own):
    kept = [line for line in text.splitlines() if not line.strip().startswith((*(f"{name}:" for name in own),))]
    return "\n".join([*kept, *(f'    {name}: "{value}"' for name, value in own.items())])


@pytest.fixture
def asking(browser, offering):
    """A page of that book, with what it asks of the other host; what the last visit has kept is forgotten."""
    with serving(offering.book) as address:
        page = browser.new_context().new_page()
        page.set_default_timeout(PATIENCE)
        page.asked = []
        page.context.on("request", lambda request: request.url.startswith(offering.host) and page.asked.append(request))
        page.goto(f"{address}book/cover.html")
        page.context.set_default_timeout(PATIENCE)
        yield page
        page.context.close()


def agree(page, cell="half"):
    """Press the button that fetches; what the run came to."""
    page.evaluate("void (window.ended = new Promise(resolve => document.addEventListener('python-done', event => resolve(event.detail), {once: true})))")
    result(page, cell).get_by_role("button", name="Fetch NumPy").click()
    return page.evaluate("ended")


def test_numpy_is_fetched_once_when_the_reader_agrees(asking, offering):
    """Nothing is asked before; then for this cell, the next page and the next visit, and without a network."""
    click(asking, "run", "half")
    text = result(asking, "half").inner_text()
    for words in ("Not yet on this page", "This cell needs NumPy. Fetch it once from 127.0.0.1:", "SHA-256", "To run it elsewhere"):
        assert words in text
    assert run(asking, "two")["problem"] is None and asking.asked == []
    assert agree(asking)["same"] and asking.evaluate("document.activeElement.className") == "run"
    [request] = asking.asked
    headers = request.all_headers()
    assert request.url.endswith("numpy-9.9-py3-none-any.whl") and not {"cookie", "referer"} & {*headers}
    asking.reload()
    asking.context.route(f"{offering.host}**", lambda route: route.abort())
    assert run(asking, "half")["same"] and len(asking.asked) == 1


def test_another_version_asks_again(asking):
    asking.evaluate("localStorage.setItem('fetched libraries', JSON.stringify({numpy: 'older'}))")
    asking.reload()
    click(asking, "run", "half")
    assert "Fetch it once" in result(asking, "half").inner_text()


def test_an_edit_that_comes_to_need_numpy_is_asked_too(asking):
    assert run(asking, "two", "import numpy\nnumpy.half(3)")["problem"]["library"] == "numpy" and asking.asked == []
    assert agree(asking, "two")["outputs"][0]["shown"]["text/plain"] == "1.5"


@pytest.mark.parametrize("harm, words", [
    (lambda route: route.fulfill(body=b"another file", headers={"access-control-allow-origin": "*"}), "sent a file other than the one whose SHA-256"),
    (lambda route: route.abort(), "did not answer"),
    (lambda route: route.fulfill(status=404, headers={"access-control-allow-origin": "*"}), "answered 404"),
    (lambda route: route.fulfill(body=b"", headers={"access-control-allow-origin": "https://another.example"}), "did not answer"),
])  # fmt: skip
def test_a_file_that_does_not_come_or_is_another_is_refused_and_python_goes_on(asking, offering, harm, words):
    asking.context.route(f"{offering.host}**", harm)
    click(asking, "run", "half")
    agree(asking)
    text = result(asking, "half").inner_text()
    assert words in text and "which could not be fetched: 127.0.0.1:" in text and "To run it elsewhere" in text
    assert run(asking, "two")["problem"] is None
    asking.context.unroute(f"{offering.host}**")
    assert run(asking, "half")["same"]


def test_a_book_that_makes_no_offer_says_where_a_cell_runs(browser, tmp_path):
    folder, said, good = small_book(tmp_path, *CELLS, settings=lambda text: with_settings(text, {"page_python_offer": ""}))
    assert good, said
    with serving(folder) as address, visiting(browser, address) as visit:
        page = visit("book/cover.html")
        click(page, "run", "half")
        box = result(page, "half")
        assert "needs NumPy, which this page does not provide" in box.inner_text()
        links = box.locator("a").evaluate_all("links => links.map(link => link.href)")
        assert any("#running" in link for link in links) and any(link.endswith(".ipynb") for link in links)
        assert not [each.url for each in page.responses if "pyodide" in each.url]
