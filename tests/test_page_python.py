"""Python in the page: what a cell needs, what it shows without NumPy, what a change does."""

import builtins
import hashlib
import json
import re
import subprocess
import sys
import textwrap
from inspect import getsource
from types import SimpleNamespace
from urllib.parse import urlsplit

import IPython
import numpy as np
import pytest
import yaml
from docutils import nodes
from IPython.core.formatters import DisplayFormatter
from IPython.lib.pretty import pretty as of_ipython

from book._sphinx import page_cells, page_python, page_wheels, sources
from book._static.in_the_page import Session, formatters, pretty
from metrics.exact import definitions
from metrics.notebook import house_style
from tools.lint import ROOT

PAGES = [f"{page}.ipynb" for page in (*sources.chapters(), "book/how-to-use", "book/notation", "book/corrections")]

# Beside what wants NumPy, these fail in another way.
OTHERWISE = {"source-metrics-curve-hits-needed": "AttributeError"}


# ---- The chapters ----------------------------------------------------------------------------------------


SOME = ("book/averaging.ipynb", "book/notation.ipynb", "book/order-and-auc.ipynb")  # and all in a step of its own, for it takes a minute


@pytest.fixture(autouse=True)
def ipython():
    """IPython as it was: a session of the page puts stand-ins in its place, for the whole process."""
    kept = {name: module for name, module in sys.modules.items() if name.partition(".")[0] == "IPython"}
    yield
    for name in [name for name in sys.modules if name.partition(".")[0] == "IPython"]:
        del sys.modules[name]
    sys.modules.update(kept)
    vars(builtins).pop("get_ipython", None)
    for learned in formatters.values():
        learned.clear()


def as_in_the_page(*given):
    """What the cells of a page come to in a Python of their own, in which the libraries are there that are given."""
    done = subprocess.run([sys.executable, "tests/as_in_the_page.py", *given], cwd=ROOT, capture_output=True, text=True, encoding="utf-8")
    assert done.returncode == 0, done.stderr
    return map(json.loads, done.stdout.splitlines())


A_FEW = [path if path in SOME else pytest.param(path, marks=pytest.mark.elsewhere) for path in PAGES]


@pytest.mark.parametrize("path", A_FEW)
def test_a_cell_that_needs_numpy_gives_what_is_stored_from_what_it_needs_alone(path):
    """As in a page that has fetched it; but with the book's own NumPy, in plain Python, and pictures are not compared."""
    stored = {cell.id: page_cells.stored_outputs(cell) for cell in sources.read(ROOT / path).code}
    results = [*as_in_the_page(path, *page_wheels.PACKAGES)]
    assert len(results) > 3
    for result in results:
        printed = stored[result["id"]]
        assert result["problem"] is None, result
        if not any(output.get("picture") for output in printed):
            assert comparable(result["outputs"]) == comparable(printed), result["id"]


@pytest.mark.parametrize("path", A_FEW)
def test_a_page_without_numpy(path):
    """Cells show what is stored or say what they want; the change that a box asks for gives a counterexample. One test, so that the page runs once."""
    results = as_in_the_page(path)
    notebook = sources.read(ROOT / path)
    cells = page_cells.cells_of(notebook)
    wanted = dict(zip((cell["id"] for cell in cells), page_cells.wants(cells)))
    stored = {cell.id: page_cells.stored_outputs(cell) for cell in notebook.code}
    listings = {cell["id"] for cell in cells if "defines" in cell}
    kinds = {}
    for result in results:
        name, problem = result["id"], result["problem"]
        kinds[name] = problem and problem["kind"]
        if name.endswith(", changed"):
            assert name.startswith("break-") or "right in all" in result["outputs"][0]["printed"], result
            continue
        if not wanted.get(name):
            assert problem is None, (name, problem)
            if name in stored and name not in listings:
                assert comparable(result["outputs"]) == comparable(stored[name]), name
        elif problem and problem["kind"] != "needs":
            assert problem["message"].startswith(OTHERWISE.get(name, "?")) or "pathlib" in wanted[name], (name, problem)
        elif not problem:  # it is offered elsewhere, and would it run? Only for a comparison that is left out.
            assert wanted[name] & {"sklearn", "pytrec_eval", "pathlib"}, (name, wanted[name])
    changed = [f"break-{label}, changed" for label, *_ in page_cells.break_its(notebook)]
    assert len(changed) == notebook.chapter and [kinds[name] for name in changed] == ["counterexample"] * len(changed)


def comparable(outputs):
    """Outputs with single spaces, printed text in one piece."""
    found = []
    for output in outputs:
        if "shown" in output:
            found.append({kind: " ".join(form.split()) for kind, form in output["shown"].items()})
        else:
            before = found.pop() if found and isinstance(found[-1], str) else ""
            found.append(before + output["printed"])
    return [" ".join(each.split()) if isinstance(each, str) else each for each in found]


def test_most_of_a_chapter_runs_in_the_page():
    """A floor: a change of the analysis that switches cells off is seen."""
    counts = {page: [not wanted for wanted in page_cells.wants(page_cells.cells_of(sources.read(ROOT / page)))] for page in PAGES[:13]}
    assert {page: round(sum(runs) / len(runs), 2) for page, runs in counts.items() if sum(runs) < 0.4 * len(runs)} == {}


def test_sizes_are_as_the_book_says():
    built = ROOT / "_build" / "html" / "_static" / "pyodide" / "sizes.json"
    if not built.exists():
        pytest.skip("built without npm")
    said = re.search(r"(\d+) MB, and (\d+) MB more for SymPy", sources.prose(ROOT / "book" / "how-to-use.ipynb"))
    sizes = json.loads(built.read_text(encoding="utf-8"))
    assert [round(sizes[part] / 1e6) for part in ("python", "sympy")] == [int(size) for size in said.groups()]


# ---- What a cell needs -----------------------------------------------------------------------------------


def page(*sources):
    return [{"id": f"c{place}", "source": textwrap.dedent(source), "place": place} for place, source in enumerate(sources)]


def started(cells, place, session=None):
    """The ids of the cells that run before one, and the texts that are shown."""
    outputs, first = [], []
    session = session or Session(outputs.append)
    session.send = outputs.append
    problem = session.run(cells, cells[place], first.extend)
    return first, [output["shown"]["text/plain"] for output in outputs if "shown" in output], problem


@pytest.mark.parametrize("cells, place, first, shown", [
    (("a = 1", "b = 2", "a + 1"), 2, ["c0"], "2"),
    (("a = 1", "b = a + 1", "a = 5", "b"), 3, ["c0", "c1"], "2"),
    (("notes = []", "notes.append(1)", "notes"), 2, ["c0", "c1"], "[1]"),
    (("d = {}", "d['x'] = 1", "d"), 2, ["c0", "c1"], "{'x': 1}"),
    (("a = 1", "a += 1", "a"), 2, ["c0", "c1"], "2"),
    (("a = 1", "if a:\n    a = 3", "a"), 2, ["c0", "c1"], "3"),
    (("t = 0", "for i in range(3):\n    t += i", "t"), 2, ["c0", "c1"], "3"),
    (("def f():\n    return g() + 1", "def g():\n    return 1", "f()"), 2, ["c0", "c1"], "2"),
    (("k = 1", "def f():\n    return k", "k = 2", "f()"), 3, ["c1", "c2"], "2"),  # as it is when the function is called
    (("x = 9", "[x for x in range(2)]"), 1, [], "[0, 1]"),  # its own x
    (("i = 9", "for i in range(2):\n    pass\ni"), 1, [], "1"),
    (("a = 1\nprint(undefined)", "a"), 1, ["c0"], "1"),  # what an earlier cell only shows is not run
    (("a, *b = 1, 2, 3", "b"), 1, ["c0"], "[2, 3]"),
    (("def f():\n    return g", "def g():\n    return f", "f().__name__"), 2, ["c0", "c1"], "'g'"),  # a cycle ends
    (("class A:\n    one = 1", "A.one"), 1, ["c0"], "1"),
])  # fmt: skip
def test_a_cell_runs_first_what_it_needs(cells, place, first, shown):
    assert started(page(*cells), place) == (first, [shown], None)


@pytest.mark.parametrize("steps", [
    [  # it runs again only if it was changed
        (("a = 1", "b = a + 1", "a * b"), 2, ["c0", "c1"], "2"), (("a = 1", "b = a + 1", "a * b"), 2, [], "2"),
        (("a = 5", "b = a + 1", "a * b"), 2, ["c0", "c1"], "30"), (("a = 5", "b = a + 2", "a * b"), 2, ["c1"], "35"),
    ],
    [  # to go back on the page brings earlier values back
        (("a = 1", "a", "a = 2", "a"), 3, ["c2"], "2"), (("a = 1", "a", "a = 2", "a"), 1, ["c0"], "1"), (("a = 1", "a", "a = 2", "a"), 3, ["c2"], "2"),
    ],
    [(("notes = []", "notes.append(1)\nnotes"), 1, ["c0"], "[1]")] * 2,
])  # fmt: skip
def test_what_has_run_before_is_remembered(steps):
    session = Session(print)
    for cells, place, first, shown in steps:
        assert started(page(*cells), place, session) == (first, [shown], None)


def test_an_error_names_its_line_and_its_cell_and_is_forgotten_when_it_is_mended():
    session, what = Session(print), {"kind": "error", "message": "ZeroDivisionError: division by zero"}
    assert started(page("a = 1 / 0", "a"), 1, session)[2] == what | {"line": 1, "code": "a = 1 / 0", "cell": "c0"}
    assert started(page("a = 1 / 1", "a"), 1, session) == (["c0"], ["1.0"], None)
    assert started(page("def f(x):\n    return 1 / x\n\nf(0)"), 0)[2] == what | {"line": 2, "code": "return 1 / x"}
    problem = started(page("a = 1\nb = = 2"), 0)[2]
    assert (problem["line"], problem["code"]) == (2, "b = = 2") and problem["message"].startswith("SyntaxError")


def test_a_claim_that_fails_shows_its_counterexample():
    source = """
        from metrics.exact import claim, definitions, rankings
        def mine(relevance):
            return len(relevance)
        claim("A1", sum, mine, rankings(4), near_miss=("it is one", lambda relevance: 1))
        """
    _, _, problem = started(page(source.replace("sum,", "lambda relevance: sum(relevance),")), 0)
    assert problem == {
        "kind": "counterexample", "message": "claim A1 fails at relevance = [0]: 0 = 1 is false",
        "at": "relevance = [0]", "sides": [("", "0"), ("", "1")], "relation": "=", "agreed": 0,
    }  # fmt: skip


def test_a_definition_of_the_book_can_be_changed_and_brought_back():
    cells = page("from metrics.exact import definitions\nr = definitions.recall_at", "", "r((1, 0), 1)")
    session, printed = Session(lambda _: None), getsource(definitions.recall_at)
    listing = {"id": "c1", "place": 1, "defines": "metrics.exact.definitions.recall_at", "printed": printed}
    own = "def recall_at(relevance, k, n_relevant=None):\n    return 7\n"
    for source, shown in (None, "Fraction(1, 1)"), (own, "7"), (printed, "Fraction(1, 1)"):
        assert source is None or session.run(cells, listing | {"source": source}) is None
        assert started(cells, 2, session) == (["c0"], [shown], None)
    assert session.run(cells, listing | {"source": "def recall_at(:"})["kind"] == "error"


# ---- What is shown -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("value, text", [
    ([1, "a"], "[1, 'a']"), ((1,), "(1,)"), ({3, 1, 2}, "{1, 2, 3}"), ({"b": 1, "a": (2,)}, "{'b': 1, 'a': (2,)}"), (int, "int"),
    (["x" * 40, "y" * 40], f"['{'x' * 40}',\n '{'y' * 40}']"), (frozenset({2, 1}), "frozenset({1, 2})"), ([], "[]"),
])  # fmt: skip
def test_values_are_written_as_ipython_does(value, text):
    assert pretty(value) == text == of_ipython(value)


@pytest.mark.parametrize("code, text, formula", [
    ("2 / 3", "0.667", None), ("(0.5, [1e-9, 2])", "(0.500, [0.000, 2])", None), ("{'a': float('nan')}", "{'a': undefined}", None),
    ("Fraction(8, 15)", "Fraction(8, 15)", r"\frac{8}{15}"), ("[Fraction(1, 2), 1]", "[Fraction(1, 2), 1]", r"\left[ \frac{1}{2}, \  1\right]"),
    ("sp.harmonic(sp.Symbol('N'))", "harmonic(N)", "H_{N}"), ("sp.Symbol('tp') - 1", "tp - 1", r"\mathrm{tp} - 1"), ("(1, 2)", "(1, 2)", None),
    ("[(Fraction(1, 2), 0.5)]", "[(Fraction(1, 2), 0.500)]", None),
    ("sp.Matrix([[1]])", "Matrix([[1]])", r"\begin{matrix}1\end{matrix}"), ("True", "True", None),
])  # fmt: skip
def test_results_look_as_the_book_prints_them(code, text, formula, monkeypatch):
    """In the page as in IPython."""
    before = "from fractions import Fraction\nimport sympy as sp\nfrom metrics.notebook import house_style\nhouse_style()"
    outputs = []
    assert Session(outputs.append).run(page(before, code), page(before, code)[1]) is None
    formatter, names = DisplayFormatter(), {}
    monkeypatch.setattr(sys.modules["IPython"], "get_ipython", lambda: SimpleNamespace(display_formatter=formatter))
    exec(before, names)
    shown = formatter.format(eval(code, names))[0]
    assert outputs[-1]["shown"] == {kind: form for kind, form in shown.items() if form} == {
        "text/plain": text, **({"text/latex": f"$\\displaystyle {formula}$"} if formula else {})}


def test_numbers_of_numpy_look_so_too(monkeypatch):
    formatter = DisplayFormatter()
    monkeypatch.setattr(IPython, "get_ipython", lambda: SimpleNamespace(display_formatter=formatter))
    house_style()
    values = (np.float64(2 / 3), np.int64(3), np.True_, np.array([2 / 3, 1e-9]))
    assert formatter.format(values)[0]["text/plain"] == "(0.667, 3, True, array([0.667, 0.   ]))"


def test_a_semicolon_and_none_show_nothing():
    assert started(page("1;"), 0)[1] == started(page("None"), 0)[1] == []


# ---- The build ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("npm, said", [
    (lambda *_, **__: subprocess.CompletedProcess([], 1, "", "npm error code ENOTFOUND\n"), "npm error code ENOTFOUND"),
    (lambda words, **__: subprocess.CompletedProcess([], 0, str(ROOT / "README.md"), ""), "is not the expected one"),
])  # fmt: skip
def test_without_npm_the_build_goes_on_and_says_why_there_are_no_buttons(monkeypatch, tmp_path, capsys, npm, said):
    monkeypatch.setattr(page_python, "kept", lambda: tmp_path / "kept" / "here")
    monkeypatch.setattr(page_python, "run_npm", npm)
    app = SimpleNamespace(builder=SimpleNamespace(format="html"))
    page_python.prepare(app)
    printed = capsys.readouterr().out
    assert app.page_python is None and printed.count("\n") == 1 and "no Run buttons" in printed and said in printed


def config(**own):
    return SimpleNamespace(**{"page_python_distribution": "", "page_python_offer": "", "page_python_wheels": "nowhere"} | own)


def package(file_name, depends=()):
    return {"file_name": file_name, "sha256": hashlib.sha256(file_name.encode()).hexdigest(), "depends": depends}


@pytest.fixture
def python(tmp_path):
    """The folder of a Pyodide, whose lock names NumPy, SciPy and one that no page asks for; and the wheel of NumPy."""
    packages = {"numpy": package("numpy-2.whl"), "scipy": package("scipy-1.whl", ["numpy"]), "yt": package("yt-4.whl")}
    (tmp_path / "pyodide-lock.json").write_text(json.dumps({"info": {"pyodide": "1.2"}, "packages": packages}))
    (tmp_path / "wheels").mkdir()
    (tmp_path / "wheels" / "numpy-2.whl").write_text("")
    return tmp_path


@pytest.mark.parametrize("own, hosts", [
    ({}, {}),
    ({"page_python_offer": "https://host.example/v{pyodide}/"}, {"numpy": "host.example", "scipy": "host.example"}),
    ({"page_python_distribution": "https://python.example/full/"}, dict.fromkeys(("numpy", "scipy", "matplotlib", "sklearn"), "")),
])  # fmt: skip
def test_what_pages_load_beside_sympy_is_brought_or_offered_or_not_there(python, own, hosts):
    assert {name: each["host"] for name, each in page_wheels.libraries(python, config(**own)).items()} == hosts
    served = config(page_python_wheels=python / "wheels", **own)
    brought = page_wheels.libraries(python, served)
    assert brought["numpy"]["host"] == "" and {*brought} == {"numpy", *hosts}
    lock, beside = page_wheels.placed(python, served)
    assert [path.name for path in beside] == ["numpy-2.whl"] and lock["packages"]["numpy"]["file_name"] == "numpy-2.whl"
    assert "yt" not in lock["packages"] and "yt" not in page_wheels.placed(python, config(**own))[0]["packages"]
    if own.get("page_python_offer"):
        assert lock["packages"]["scipy"]["file_name"] == "https://host.example/v1.2/scipy-1.whl" and brought["scipy"]["packages"] == ["scipy", "numpy"]


def test_the_address_of_the_offer_is_the_one_that_pyodide_itself_names():
    python = page_python.kept()
    if not python.exists():
        pytest.skip("built without npm")
    offer = yaml.safe_load((ROOT / "_config.yml").read_text(encoding="utf-8"))["sphinx"]["config"]["page_python_offer"]
    lock = json.loads((python / "pyodide-lock.json").read_text(encoding="utf-8"))
    own = re.search(r"https://[^`]*", (python / "pyodide.mjs").read_text(encoding="utf-8").partition("cdnUrl=")[2])[0]
    assert own.startswith("https://") and re.sub(r"\$\{\w+\}", page_python.VERSION, own) == offer.format(**lock["info"])
    found = page_wheels.libraries(python, config(page_python_offer=offer))
    assert {*found} == {*page_wheels.PACKAGES} and {each["host"] for each in found.values()} == {urlsplit(offer).netloc}


def test_a_block_asks_for_what_the_page_loads_and_wants_the_rest():
    block = nodes.container()
    page_python.mark(block, "cell", {"numpy", "pytrec_eval"}, {"numpy": {}})
    assert block["classes"] == ["runnable", "asks-numpy", "wants-pytrec_eval"] and block["ids"] == ["code-cell"]
