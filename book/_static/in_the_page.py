"""Python in the page: which earlier cells a cell needs, and what it shows when it runs, as in a notebook.

It runs in the reader's browser, and in plain Python for the build and the tests; so it uses the standard library alone.
A cell is a dictionary: its `id`, its `source` as it stands now, and its `place`, the number of cells before it on the page.
"""

import __future__

import ast
import builtins
import hashlib
import linecache
import sys
import time
import traceback
from bisect import bisect_left
from contextlib import redirect_stderr, redirect_stdout
from dis import get_instructions
from functools import lru_cache
from importlib import import_module
from inspect import CO_OPTIMIZED, unwrap
from types import CodeType, ModuleType, SimpleNamespace

# ---- What Python does with names -------------------------------------------------------------------------

CHANGING = set(
    "add append appendleft clear discard extend insert pop popitem popleft remove reverse rotate setdefault sort update".split()
)
PRINTING = "how SymPy prints"  # as if it were a name: some calls change it, and all that comes later needs it
SETTING = {"house_style", "init_printing", "set_global_settings"}  # these calls
COMPREHENSIONS = {"<genexpr>", "<listcomp>", "<setcomp>", "<dictcomp>"}  # functions to Python alone


class Code:
    """What some Python does with the names of the outermost level. What is no Python does nothing.

    binds: the names that it gives a value. changes: those whose value it changes, or gives a new one under a condition.
    uses: those that must have a value before. later: those that its functions read when they are called.
    """

    def __init__(self, body):
        if isinstance(body, str):
            try:
                body = ast.parse(body).body
                compile(ast.Module(body, []), "cell", "exec")
            except SyntaxError:
                body = []
        self.body = body
        self.binds, self.changes, self.uses, self.later = set(), set(), {PRINTING}, set()
        self.follow(body)
        if not all(isinstance(part, ast.FunctionDef) for part in body):  # which by themselves call nothing
            self.uses |= self.later - self.binds
        self.changes -= self.binds

    def follow(self, body, certain=True):
        """Note what these statements do, one after the other."""
        for statement in body:
            match statement:
                case ast.For(target=target, iter=header):
                    self.note(ast.Assign([target], header))
                case ast.With(items=items):
                    for item in items:
                        self.note(ast.Assign([item.optional_vars], item.context_expr) if item.optional_vars else ast.Expr(item.context_expr))
                case ast.While(test=header) | ast.If(test=header):
                    self.note(ast.Expr(header))
                case ast.Break() | ast.Continue():
                    continue
                case ast.Try(handlers=handlers):
                    for handler in handlers:
                        self.follow(handler.body, False)
                case _:
                    self.note(statement, certain)
                    continue
            for part in (statement.body, *(getattr(statement, name, []) for name in ("orelse", "finalbody"))):
                self.follow(part, certain and isinstance(statement, ast.For | ast.With))

    def note(self, statement, certain=True):
        """Note what a simple statement does."""
        at_once, later, bound = names(compile(ast.fix_missing_locations(ast.Module([statement], [])), "cell", "exec"))
        match statement:
            case ast.Expr(ast.Call(ast.Attribute(owner, method))):
                self.changes |= root(owner) if method in CHANGING else set()
                self.changes |= {PRINTING} if method in SETTING else set()
            case ast.Expr(ast.Call(ast.Name(name))):
                self.changes |= {PRINTING} if name in SETTING else set()
        for target in getattr(statement, "targets", [getattr(statement, "target", None)]):
            for part in getattr(target, "elts", [target]):
                self.changes |= root(part) if isinstance(part, ast.Subscript | ast.Attribute) else set()
        self.uses |= at_once - self.binds
        self.later |= later
        if certain:
            self.binds |= bound
        else:
            self.changes |= bound


def root(node):
    """The name at the beginning of `name.attribute[index]`."""
    while isinstance(node, ast.Attribute | ast.Subscript | ast.Starred):
        node = node.value
    return {node.id} if isinstance(node, ast.Name) else set()


def names(code, later=False):
    """The names of the outermost level that compiled code reads at once, that its functions read when they are called, and that it binds."""
    later = later or code.co_flags & CO_OPTIMIZED and code.co_name not in COMPREHENSIONS
    at_once, when_called, bound = set(), set(), set()
    for step in get_instructions(code):
        if step.opname in ("LOAD_NAME", "LOAD_GLOBAL"):
            (when_called if later else at_once).add(step.argval)
        elif step.opname in ("STORE_NAME", "DELETE_NAME"):
            bound.add(step.argval)
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            read, called, own = names(inner, later)
            at_once |= read - own  # those of a class
            when_called |= called
    return at_once, when_called, bound


read_code = lru_cache(maxsize=None)(Code)


@lru_cache(maxsize=None)
def steps(source):
    """The statements of a cell, each as code of its own."""
    return [Code([statement]) for statement in read_code(source).body]


# ---- What a cell needs ---------------------------------------------------------------------------------------


class Page:
    """The statements of the cells of a page, in order, and what each needs of those before it.

    A statement is needed, not its whole cell: what an earlier cell only shows is not run again.
    """

    def __init__(self, cells, salt=""):
        self.steps, self.cell_of, self.first, self.makers = [], [], [], {}
        for place, cell in enumerate(cells):
            self.first.append(len(self.steps))
            for code in steps(cell["source"]):
                for name in code.binds | code.changes:
                    self.makers.setdefault(name, []).append(len(self.steps))
                self.steps.append(code)
                self.cell_of.append(place)
        self.first.append(len(self.steps))
        self.versions = []  # of each statement a mark that differs if its code differs, or what it needs
        for at, code in enumerate(self.steps):
            needs = [(name, self.expected(name, at)) for name in sorted(self.needs(code, at))]
            text = "".join(ast.unparse(part) for part in code.body)
            self.versions.append(hashlib.sha256(repr((text, needs, salt)).encode()).hexdigest()[:16])

    def history(self, name, before):
        """The statements that make the value that a name has before a place: the last that binds it, and those that change it since."""
        makers = self.makers.get(name, [])
        found = []
        for at in reversed(makers[: bisect_left(makers, before)]):
            found.insert(0, at)
            if name in self.steps[at].binds:
                break
        return found

    def needs(self, code, before):
        """The names that some code needs at a place, with what the functions read that it may call."""
        found, left = set(), code.uses | code.changes
        while left:
            name = left.pop()
            if name not in found and (history := self.history(name, before)):
                found.add(name)
                left |= set().union(*(self.steps[at].later for at in history))
        return found

    def expected(self, name, before):
        """What a name holds before a place: the versions of the statements that made it."""
        return tuple(self.versions[at] for at in self.history(name, before))

    def closure(self, code, before):
        """All statements that some code at a place needs, also by way of others."""
        found, left = set(), [(code, before)]
        while left:
            code, before = left.pop()
            new = {at for name in self.needs(code, before) for at in self.history(name, before)} - found
            found |= new
            left += [(self.steps[at], at) for at in new]
        return sorted(found)

    def to_run(self, code, before, state):
        """The statements to run before some code, if `state` has the versions that made each name as it is now."""
        chosen = set()
        while missing := self.missing(code, before, chosen, dict(state)):
            chosen |= missing
        return sorted(chosen)

    def missing(self, code, before, chosen, state):
        """The statements that must run as well, so that each of the chosen, and the code after them, finds what it needs."""
        for at in [*sorted(chosen), before]:
            here = code if at == before else self.steps[at]
            for name in self.needs(here, at):
                if state.get(name) != self.expected(name, at) and (more := set(self.history(name, at)) - chosen):
                    return more
            if at != before:
                record(state, here, self.versions[at])
        return set()


def record(state, code, version):
    """Note in a state what some code has made."""
    for name in code.changes:
        before = state.get(name, ())
        state[name] = (*before[: before.index(version) if version in before else None], version)
    for name in code.binds:
        state[name] = (version,)


# ---- Libraries that are not there --------------------------------------------------------------------------

LIBRARIES = {
    "numpy": "NumPy", "scipy": "SciPy", "matplotlib": "matplotlib", "sklearn": "scikit-learn", "pytrec_eval": "pytrec_eval", "sympy": "SymPy",
    "pathlib": "the files of the book",
}  # fmt: skip


class Wanting:
    """Stands for what was imported from a library that is not there; its first use says so."""

    def __init__(self, library):
        object.__setattr__(self, "_library", library)

    def _refuse(self, *_, **__):
        library = object.__getattribute__(self, "_library")
        raise ModuleNotFoundError(f"No module named {library!r}", name=library)

    __hash__ = object.__hash__
    __getattr__ = __setattr__ = __call__ = __iter__ = __getitem__ = __len__ = __bool__ = __eq__ = __lt__ = __gt__ = __le__ = __ge__ = _refuse
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = __pow__ = __rpow__ = __neg__ = _refuse


def missing_library(error):
    """The library for want of which something failed, such as "numpy", or None."""
    while error is not None:
        name = getattr(error, "name", None) or ""
        if isinstance(error, ModuleNotFoundError) and name.split(".")[0] in LIBRARIES and sys.modules.get(name.split(".")[0]) is None:
            return name.split(".")[0]
        error = error.__cause__ or error.__context__
    return None


def bring(statement, namespace, filename):
    """Import name by name, so that a library that is not there fails only where it is used."""
    for alias in statement.names:
        one = type(statement)(**{**vars(statement), "names": [alias]})
        try:
            exec(compile(ast.Module([one], []), filename, "exec"), namespace)
        except ImportError as error:
            library = missing_library(error)
            if library is None:
                raise
            namespace[alias.asname or alias.name.split(".")[0]] = Wanting(library)


# ---- What a value looks like -------------------------------------------------------------------------------

METHODS = {
    "text/html": "_repr_html_", "text/markdown": "_repr_markdown_", "text/latex": "_repr_latex_", "image/svg+xml": "_repr_svg_",
    "image/png": "_repr_png_",
}  # fmt: skip
WIDTH = 79


class Formatter(dict):
    """What IPython calls a formatter: functions by type, or by the module and the name of one, as SymPy's init_printing and the book give them."""

    for_type = dict.__setitem__
    type_printers = property(lambda self: self)

    def for_type_by_name(self, module, name, function):
        self[module, name] = function

    def of(self, value):
        keys = (key for kind in type(value).__mro__ for key in (kind, (kind.__module__, kind.__name__)))
        return next((self[key] for key in keys if key in self), None)


formatters = {kind: Formatter() for kind in ("text/plain", *METHODS)}


def bundle(value):
    """The forms of a value, by kind, as IPython finds them."""
    forms = {"text/plain": pretty(value)}
    for kind, method in METHODS.items():
        form = formatters[kind].of(value)
        shown = form(value) if form else None if isinstance(value, type) else getattr(value, method, lambda: None)()
        if shown is not None:
            forms[kind] = shown
    if hasattr(type(value), "_repr_mimebundle_"):
        more = value._repr_mimebundle_(include=None, exclude=None)
        forms |= more[0] if isinstance(more, tuple) else more
    return forms


def pretty(value, indent=0):
    """The text of a value: lists and the like are wrapped as IPython does, and sets sorted."""
    kind = type(value)
    if form := formatters["text/plain"].of(value):
        pieces = []
        form(value, SimpleNamespace(text=pieces.append), False)
        return "".join(map(str, pieces))
    if isinstance(value, type):
        return value.__qualname__ if value.__module__ == "builtins" else f"{value.__module__}.{value.__qualname__}"
    text = repr(value)
    if kind not in (list, tuple, set, frozenset, dict) or kind.__repr__ is not getattr(builtins, kind.__name__).__repr__ or not value:
        return text
    if kind is dict:
        start, end, parts = "{", "}", [f"{pretty(key)}: {pretty(item, indent + 1)}" for key, item in value.items()]
    else:
        start, end = {list: "[]", tuple: "()", set: "{}", frozenset: ("frozenset({", "})")}[kind]
        try:
            items = sorted(value) if kind in (set, frozenset) else value
        except TypeError:
            items = value
        parts = [pretty(item, indent + len(start)) for item in items]
    ending = ",)" if kind is tuple and len(value) == 1 else end
    flat = start + ", ".join(parts) + ending
    return flat if len(flat) + indent <= WIDTH and "\n" not in flat else start + (",\n" + " " * (indent + len(start))).join(parts) + ending


def display_module(show):
    """Stand-ins for IPython and IPython.display; `show` takes what is displayed."""

    def display(*values, raw=False, **_):
        for value in values:
            show(value if raw else bundle(value))

    def form(name, kind):
        method = METHODS[kind]
        start, end = ("$\\displaystyle ", "$") if name == "Math" else ("", "")
        return type(name, (), {
            "__init__": lambda self, data="": setattr(self, "data", data),
            method: lambda self: start + self.data.strip("$") + end if start else self.data,
            "__repr__": lambda self: f"<IPython.core.display.{name} object>",
        })  # fmt: skip

    kinds = {"Markdown": "text/markdown", "Math": "text/latex", "Latex": "text/latex", "HTML": "text/html", "SVG": "image/svg+xml"}
    events = SimpleNamespace(register=lambda *_: None, unregister=lambda *_: None)  # which matplotlib wants
    shell = SimpleNamespace(display_formatter=SimpleNamespace(formatters=formatters), colors="LightBG", events=events,
                            history_manager=SimpleNamespace(input_hist_raw=[]))  # fmt: skip
    builtins.get_ipython = lambda: shell
    contents = {
        "IPython": {"__version__": "9", "version_info": (9, 0), "__path__": [], "display": display, "get_ipython": builtins.get_ipython},
        "IPython.display": {name: form(name, kind) for name, kind in kinds.items()} | {"display": display},
        "IPython.lib": {}, "IPython.lib.latextools": {"latex_to_png": None}, "IPython.lib.pretty": {"pretty": pretty},
    }  # fmt: skip
    parts = {name: ModuleType(name) for name in contents}
    for name, module in parts.items():
        vars(module).update(contents[name])
        if around := name.rpartition(".")[0]:
            setattr(parts[around], name.rpartition(".")[2], module)
    return parts


# ---- Running -----------------------------------------------------------------------------------------------

MOST_LINES, MOST_LETTERS = 2000, 200_000
OFTEN = 0.15  # seconds between two messages


class Printed:
    """What is printed: sent in pieces; what is beyond the most that a page shows is only counted."""

    encoding = "utf-8"

    def __init__(self, send):
        self.send = send
        self.waiting, self.letters, self.lines, self.hidden, self.sent = [], 0, 0, 0, 0.0

    def write(self, text):
        lines = text.count("\n")
        if self.lines < MOST_LINES and self.letters < MOST_LETTERS:
            text = text[: MOST_LETTERS - self.letters]
            self.waiting.append(text)
            self.letters += len(text)
            self.lines += lines
        else:
            self.hidden += lines
        if time.monotonic() - self.sent > OFTEN:
            self.flush()
        return len(text)

    def flush(self):
        if self.waiting or self.hidden:
            self.send({"printed": "".join(self.waiting), "hidden": self.hidden})
            self.waiting = []
        self.sent = time.monotonic()

    def isatty(self):
        return False


class Session:
    """What has run since Python was started: the names, and which versions of which cells made them.

    send: takes each output: {"printed": text, "hidden": lines that are not shown} or {"shown": forms by kind}.
    """

    def __init__(self, send):
        self.send = send
        self.redefined, self.known = {}, (None, None)
        self.printed = Printed(send)
        self.state = {}
        main = sys.modules["__main__"] = ModuleType("__main__")
        self.namespace = vars(main)
        self.namespace["__builtins__"] = builtins
        sys.modules.update(display_module(self.show))

    def show(self, forms):
        self.printed.flush()
        shown = {kind: form for kind, form in forms.items() if not kind.startswith("application/papermill")}
        if shown:
            self.send({"shown": shown})

    @property
    def salt(self):
        """Every cell must run again if a definition of the book was changed."""
        return repr(sorted(self.redefined.items()))

    def run(self, cells, target, started=lambda ids: None):
        """Run a cell, and before it what it needs of earlier ones. Returns None, or what went wrong, in words for the reader.

        started: is told the ids of the earlier cells that run first.
        """
        if "defines" in target:
            return self.redefine(target)
        page, code = self.page(cells), read_code(target["source"])
        before = page.first[target["place"]]
        earlier = page.to_run(code, before, self.state)
        started(list(dict.fromkeys(cells[page.cell_of[at]]["id"] for at in earlier)))
        for at in earlier:
            cell = cells[page.cell_of[at]]
            number = at - page.first[page.cell_of[at]]
            problem = self.execute(cell, slice(number, number + 1), [page.versions[at]], quiet=True)
            if problem and PRINTING not in page.steps[at].changes:
                return problem | {"cell": cell["id"]}
        versions = page.versions[before : page.first[target["place"] + 1]] if not target.get("aside") else None
        return self.execute(target, slice(None), versions)

    def page(self, cells):
        """The page with these cells, made anew only where one was changed."""
        key = (tuple((cell["id"], cell["source"]) for cell in cells), self.salt)
        if self.known[0] != key:
            self.known = (key, Page(cells, self.salt))
        return self.known[1]

    def execute(self, cell, part, versions, quiet=False):
        """Run the statements of a part of a cell; what they show is not sent if that should be quiet."""
        source, filename = cell["source"], f"<{cell['id']}>"
        linecache.cache[filename] = (len(source), None, source.splitlines(keepends=True), filename)
        self.printed.__init__((lambda _: None) if quiet else self.send)
        builtins.get_ipython().history_manager.input_hist_raw[:] = [source]  # for `check`, by which a box stands alone
        try:
            body = ast.parse(source, filename).body[part]
            shows = part == slice(None) and not source.rstrip().endswith(";")
            with redirect_stdout(self.printed), redirect_stderr(self.printed):
                for number, statement in enumerate(body):
                    code, version = Code([statement]), versions[number] if versions else f"aside {time.monotonic()}"
                    before = dict(self.state)
                    record(self.state, code, "unfinished")
                    self.step(statement, filename, shows and statement is body[-1])
                    self.state = before
                    record(self.state, code, version)
        except BaseException as error:
            return described(error, filename, source)
        finally:
            self.printed.flush()

    def step(self, statement, filename, shows):
        """Run a statement; if it is the last of a cell, and an expression, show its value."""
        if isinstance(statement, ast.Import | ast.ImportFrom):
            bring(statement, self.namespace, filename)
        elif shows and isinstance(statement, ast.Expr):
            value = eval(compile(ast.Expression(statement.value), filename, "eval"), self.namespace)
            if value is not None:
                self.show(bundle(value))
        else:
            exec(compile(ast.Module([statement], []), filename, "exec"), self.namespace)

    def redefine(self, target):
        """Give a function of the book the code of the reader, wherever it is used."""
        module, name = target["defines"].rsplit(".", 1)
        function = unwrap(getattr(import_module(module), name))
        filename = function.__code__.co_filename
        scope = dict(import_module(module).__dict__)
        try:
            exec(compile(target["source"], filename, "exec", flags=__future__.annotations.compiler_flag), scope)
            new = unwrap(scope[name])
            function.__code__, function.__defaults__, function.__kwdefaults__ = new.__code__, new.__defaults__, new.__kwdefaults__
        except BaseException as error:
            return described(error, filename, target["source"])
        self.redefined[target["defines"]] = target["source"]
        if target["source"] == target.get("printed"):
            del self.redefined[target["defines"]]
        whose = "yours" if target["defines"] in self.redefined else "the book's"
        self.send({"printed": f"From now on {name} is {whose}, in every cell and check that you run.\n", "hidden": 0})

    def forget(self, library):
        """Let the cells run again that imported from a library that was missing."""
        for name, value in list(self.namespace.items()):
            if isinstance(value, Wanting) and object.__getattribute__(value, "_library") == library:
                self.state.pop(name, None)


def described(error, filename, source):
    """An error in words: the line of the cell, what happened; of a claim, the counterexample; of a library that is missing, its name."""
    if library := missing_library(error):
        return {"kind": "needs", "library": library, "message": f"This needs {LIBRARIES[library]}, which this page does not bring."}
    name, words = type(error).__name__, str(error)
    if name == "ClaimFailed":
        return {"kind": "counterexample" if " fails at " in words else "claim", "message": words, **getattr(error, "counterexample", {})}
    line = getattr(error, "lineno", None) if isinstance(error, SyntaxError) and error.filename == filename else None
    words = error.msg if line else words
    for frame in traceback.extract_tb(error.__traceback__):
        if frame.filename == filename:
            line = frame.lineno
    lines = source.splitlines()
    place = {"line": line, "code": lines[line - 1].strip()} if line and line <= len(lines) else {}
    return {"kind": "error", "message": f"{name}: {words}" if words else name, **place}
