"""One judge: for every shape of cell, `check` in a notebook, `check` in the page and the grader say the same of a function."""

import io
import json
import re
import subprocess
import sys
from contextlib import redirect_stdout
from types import SimpleNamespace

import pytest
from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config

from metrics.course import grading, judging, sheets, task
from tools.lint import ROOT

TASK = task("average_precision")
NAME = TASK.name
DEF = "def average_precision(relevance, n_relevant):\n"
SUM = "sum(Fraction(sum(relevance[:k]), k) for k, hit in enumerate(relevance, 1) if hit)"
RIGHT = f"{DEF}    return {SUM} / n_relevant"


def using(name, before):
    """A right function that counts with ONE, or another name, which some lines before it make."""
    return f"{before}\n{DEF}    return {name} * {SUM} / n_relevant"


def indented(code):
    return "\n".join(f"    {line}" for line in code.splitlines())


CALLING = using("step(0)", "{}").format
WRAPPER = "from functools import wraps\ndef traced(f):\n    {}\n    def inner(*args, **named):\n        return f(*args, **named)\n    return inner\n\n"
FIND = sheets.FIND.format(module="metrics.course", wheel="none.whl", site="", archive="", what='""')
SHAPES = {  # the cells before the check, and whether the function counts
    "plain": ([RIGHT], True),
    "wrong": ([f"{DEF}    return {SUM} / len(relevance)"], False),
    "blank": ([f"{DEF}    raise NotImplementedError"], False),
    "a constant": ([using("ONE", "ONE = 1")], True),
    "a constant expression": ([using("ONE", "ONE = 3 - 2")], True),
    "a fraction": ([using("ONE", "ONE = Fraction(1)")], True),
    "two constants at once": ([using("ONE", "ZERO, ONE = 0, 1")], True),
    "a chain of constants": ([using("ONE", "ONE = AGAIN = 1")], True),
    "a constant with a type": ([using("ONE", "ONE: int = 1")], True),
    "a constant that is raised": ([using("ONE", "ONE = 0\nONE += 1")], True),
    "a constant from another": ([using("ONE", "HALF = Fraction(1, 2)\nONE = HALF + HALF")], True),
    "a constant from a function": ([using("ONE", "def made():\n    return 1\nONE = made()")], True),
    "a walrus": ([using("ONE", "print(ONE := 1)")], True),
    "a lambda": ([CALLING("step = lambda i: 1")], True),
    "the task as a lambda": ([f"average_precision = lambda relevance, n_relevant: {SUM} / n_relevant"], True),
    "a partial": ([CALLING("from functools import partial\nstep = partial(max, 1)")], True),
    "a function of a function": ([CALLING("def maker():\n    return lambda i: 1\nstep = maker()")], True),
    "under if": ([f"if True:\n{indented(RIGHT)}"], True),
    "under else": ([using("ONE", "if 1 > 2:\n    ONE = 5\nelse:\n    ONE = 1")], True),
    "under try": ([using("ONE", "try:\n    import numpy_of_nobody\nexcept ImportError:\n    ONE = 1")], True),
    "in a loop": ([using("ONE", "ONE = 0\nfor each in [1]:\n    ONE += each")], True),
    "the variable of a loop": ([using("each", "for each in [2, 1]:\n    pass")], True),
    "a while": ([using("ONE", "ONE = 9\nwhile ONE > 1:\n    ONE -= 1")], True),
    "a with": ([using("ONE", "from contextlib import nullcontext\nwith nullcontext(1) as ONE:\n    pass")], False),
    "a list that grows": ([using("table[0]", "table = []\ntable.append(1)")], True),
    "a list that grows in a loop": ([using("table[0]", "table = []\nfor each in range(3):\n    table.append(1)")], True),
    "a table that is filled": ([using("table[0]", "table = {}\ntable[0] = 1")], True),
    "a list filled by a function": ([using("table[0]", "table = []\ndef fill(what):\n    what.append(1)\nfill(table)")], False),
    "a comprehension": ([using("table[0]", "table = [1 for each in range(3)]")], True),
    "a decorator": (["from functools import cache\n@cache\ndef share(a, b):\n    return Fraction(a, b)\n" + using("share(1, 1)", "")], True),
    "a class": ([using("Unit().one", "class Unit:\n    one = 1")], True),
    "a class with a base": ([using("Unit().one", "class Base:\n    one = 1\nclass Unit(Base):\n    pass")], True),
    "a dataclass": ([using("Unit(1).one", "from dataclasses import dataclass\n@dataclass\nclass Unit:\n    one: int")], True),
    "an enum": ([using("Unit.ONE.value", "from enum import Enum\nclass Unit(Enum):\n    ONE = 1")], True),
    "a global that changes": ([using("ONE", "ONE = 0\ndef count():\n    global ONE\n    ONE = 1\n    return ONE") + " * count()"], False),
    "itself": (["def average_precision(relevance, n_relevant):\n    if not relevance:\n        return Fraction(0)\n    *above, last = relevance\n"
                "    return average_precision(above, n_relevant) + last * Fraction(sum(relevance), len(relevance)) / n_relevant"], True),
    "a helper below": ([f"{RIGHT.replace('Fraction(', 'share(')}\ndef share(a, b):\n    return Fraction(a, b)"], True),
    "a helper in a cell before": (["def share(a, b):\n    return Fraction(a, b)", RIGHT.replace("Fraction(", "share(")], True),
    "a helper that is written again": ([
        "def share(a, b):\n    return a // b", "def share(a, b):\n    return Fraction(a, b)", RIGHT.replace("Fraction(", "share(")], True),
    "the task that is written again": ([f"{DEF}    return 7", RIGHT], True),
    "spoilt at the end": ([RIGHT, f"{DEF}    return 7"], False),
    "import as": ([using("f(1)", "import math as m\nf = m.floor")], True),
    "import all": ([using("floor(1.5)", "from math import *")], True),
    "import within": ([RIGHT.replace("    return", "    import math\n    return math.floor(1.5) *")], True),
    "numpy": ([f"import numpy as np\n{DEF}    return float(np.array({SUM})) / n_relevant"], False),
    "numpy within": ([RIGHT.replace("    return", "    import numpy\n    return float(numpy.float64(1)) *")], False),
    "the book": ([f"from metrics.exact.definitions import average_precision as ap\n{DEF}    return ap(relevance, n_relevant)"], False),
    "a file": ([RIGHT.replace("    return", "    open('average.txt', 'w').close()\n    return")], False),
    "printed": ([f"{DEF}    print({SUM} / n_relevant)"], False),
    "floats": ([RIGHT.replace("Fraction(sum(relevance[:k]), k)", "sum(relevance[:k]) / k")], True),
    "magic": ([f"%%time\n{RIGHT}"], True),
    "an experiment that shares a name": ([f"k = 3\nhit = 9\n{RIGHT}", "k = average_precision([1, 0], 1)\nhit = 1 / k"], True),
    "an experiment that fails": ([RIGHT, "average_precision(1, 2, 3)"], True),
    "syntax": ([f"{DEF}    return ("], False),
    "defaults": ([RIGHT.replace("n_relevant):", "n_relevant=None):")], True),
    "keywords alone": ([RIGHT.replace("(relevance,", "(*, relevance,", 1)], True),
    "another name": ([RIGHT.replace("def average_precision", "def my_ap")], False),
    "a partial as the task": ([f"from functools import partial\n{RIGHT.replace(NAME + '(', 'ap(one, ')}\n{NAME} = partial(ap, 1)"], True),
    "an object as the task": ([f"class AP:\n{indented(RIGHT.replace(NAME + '(', '__call__(self, '))}\n{NAME} = AP()"], True),
    "a method as the task": ([f"class AP:\n{indented(RIGHT.replace(NAME + '(', 'of(self, '))}\n{NAME} = AP().of"], True),
    "a decorator of the task": ([f"{WRAPPER.format('@wraps(f)')}@traced\n{RIGHT}"], True),
    "a decorator that hides the arguments": ([f"{WRAPPER.format('')}@traced\n{RIGHT}"], True),
    "by place alone": ([RIGHT.replace("n_relevant):", "n_relevant, /):")], True),
    "other arguments": ([RIGHT.replace("relevance", "ranking")], False),
    "a named tuple": ([using("Unit(1).one", "from collections import namedtuple\nUnit = namedtuple('Unit', 'one')")], True),
    "a type variable": ([using("ONE", "from typing import NewType, TypeVar\nT, ONE = TypeVar('T'), NewType('R', int)(1)")], True),
    "an enum that is called": ([using("Unit.ONE.value", "from enum import Enum\nUnit = Enum('Unit', 'ONE')")], True),
    "a formula that goes on with %": ([using("ONE", "ONE = (7\n    % 2)")], True),
    "a text with a line of %": ([RIGHT.replace("    return", "    print('''\n%s''' % relevance)\n    return")], True),
    "a magic within a block": ([f"if True:\n    %matplotlib --list\n{RIGHT}"], True),
    "a magic that gives a value": ([f"names = %who_ls\n{RIGHT}"], True),
    "a question": ([f"{RIGHT}\n\naverage_precision?"], True),
    "beside an import of the sheet": ([f"try:\n    from fractions import Fraction\n{indented(RIGHT)}\nexcept ImportError:\n    pass"], True),
    "a name of the first cell": ([FIND, using("site", "site = 1")], True),
    "a list that is emptied": ([RIGHT.replace("    return", "    relevance, given = relevance[:], relevance\n    given.clear()\n    return")], True),
    "Fraction anew": ([f"class Fraction(float):\n    pass\n{RIGHT}"], True),  # nobody can
}  # fmt: skip
CHECK = 'check(task("average_precision"), average_precision)'
IMPORTS = "from fractions import Fraction\n\nfrom metrics.course import check, task"


def in_a_notebook(cells):
    """What the check prints in IPython, after these cells."""
    InteractiveShell.clear_instance()
    shell = InteractiveShell.instance(config=Config(HistoryManager={"hist_file": ":memory:"}))
    printed = io.StringIO()
    with redirect_stdout(printed):
        for text in [IMPORTS, *cells, CHECK]:
            shell.run_cell(text, store_history=True, silent=False)
    InteractiveShell.clear_instance()
    return printed.getvalue()


def as_a_script(cells, folder):
    """What the check prints where the cells are a Python file that is run."""
    path = folder / "homework.py"
    path.write_text("\n".join([IMPORTS, *cells, CHECK]), encoding="utf-8")
    return subprocess.run([sys.executable, path], cwd=ROOT, env={"PYTHONPATH": str(ROOT)}, capture_output=True, text=True).stdout


@pytest.mark.parametrize("name", ("plain", "a lambda", "numpy", "printed", "spoilt at the end"))
def test_a_script_says_what_the_grader_says(name, tmp_path):
    cells, counts = SHAPES[name]
    said = as_a_script(cells, tmp_path)
    verdict = next(each for each in grading.grade(tmp_path, tmp_path / "out")["homework"] if each.task is TASK)
    assert ("✓" in said) == verdict.right == counts, (said, str(verdict))


def in_the_page(cells, monkeypatch):
    """What the check prints where no process can be started, after these cells."""
    history = SimpleNamespace(history_manager=SimpleNamespace(input_hist_raw=[*cells, CHECK]))
    monkeypatch.setattr(sys, "platform", "emscripten")
    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: history))
    return str(judging.tried(TASK, lambda: None))


@pytest.mark.parametrize("name", SHAPES)
def test_the_notebook_the_page_and_the_grader_say_the_same(name, tmp_path, monkeypatch):
    cells, counts = SHAPES[name]
    (tmp_path / "in").mkdir()
    made = [sheets.cell("code", text, f"cell-{n}") for n, text in enumerate([IMPORTS, *cells, CHECK])]
    (tmp_path / "in" / "ada.ipynb").write_text(json.dumps(json.loads(sheets.sheet("average-precision")) | {"cells": made}))
    noted = in_a_notebook(cells)
    if name in ("syntax", "another name"):
        assert "NameError" in noted  # which is Python's own word
    try:
        graded = grading.grade(tmp_path / "in", tmp_path / "out")["ada"][0]
    except ValueError as error:
        assert name == "another name" and "has a function for a task" in str(error)
        return
    said = {"notebook": "✓" in noted, "page": "✓" in in_the_page(cells, monkeypatch), "grader": graded.points == TASK.points}
    assert said == dict.fromkeys(said, counts), (noted[-400:], str(graded))


SAID = [  # a function, and what is said of it
    ("def average_precision(rel, R):\n    return 1", "it asks for rel, R, which no case has; keep the names of the sheet: relevance, n_relevant."),
    (f"{DEF}    if sum(relevance):\n        return {SUM} / n_relevant", "Yours says nothing (None): a path of your function has no `return`; by the"),
    (f"class All:\n    pass\n{DEF}    return All()", "Yours says an All, no int, float or Fraction"),
    (f"{DEF}    raise MemoryError", "it stops with MemoryError."),
    (f"{DEF}    raise ImportError('of my own')", "it stops with ImportError: of my own."),
    (f"{DEF}    relevance.pop()\n    return relevance[0]", "at relevance = [1], n_relevant = 1 it stops with IndexError"),
    (f"{DEF}    return (", "its cell cannot be read; Python stops at line 2: '(' was never closed."),
    (f"{DEF}    return 1\n{'#' * 100_000}", "its cell cannot be read (it has more than 100,000 characters)."),
    (f"'''\n{DEF}    return 1\n'''", "`def average_precision` stands only in a text, or within another function."),
    ("average_precision = 7", "`average_precision` is an int, not a function."),
    (f"{DEF}    return 0.123456789", "Yours says 0.123456789; by the definition it is 1."),
]


@pytest.mark.parametrize("code, said", SAID, ids=[said for _, said in SAID])
def test_what_is_wrong_is_said_in_words_that_help(code, said):
    assert said in str(judging.answered(TASK, [code]))


def test_a_case_is_shown_as_the_sheet_names_it_and_a_float_as_a_decimal():
    assert "tp = 1, fp = 0, times = 1." in str(judging.answered(task("precision_elsewhere"), ["def precision_elsewhere(tp, fp, times):\n    return 7"]))
    unrounded = task("ndcg_at").solved.replace("return round(", "return (").replace(", 6)", ")")
    said = str(judging.answered(task("ndcg_at"), [unrounded]))
    assert re.search(r"Yours says 0\.\d{7,10}; by the definition it is 0\.\d{1,6}\. Rounded to six places, yours is right in all cases", said), said
