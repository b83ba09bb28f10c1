"""Break the package in one place at a time, and see that its tests notice.

    python -m tools.mutants                          some mutants of every module
    python -m tools.mutants --module hits            of one module
    python -m tools.mutants --only 1a2b3c4d          one mutant, with what pytest says about it

A mutant is one change: `<` for `<=`, 2 for 1, `max` for `min`, a condition negated, an argument or a refusal left out ...
It is killed if a test fails or does not end. If it survives, a test is missing; or it is equivalent, and mutants.toml says
why, in an entry like the one that is printed. The command fails while a survivor is not explained, and if an explanation fits no mutant or one that is killed.

Which tests: the doctests of the package, and the files of tests/ that import it and nothing else of this project.
They run once on the package as it is, under coverage.py. Then it is known which tests come to which line: no other test can notice
a change there. These run, the quickest first, until one fails, in a fork of a process that has the libraries loaded. There
the module is imported with the change; no file is. (A program that a test starts imports it as it is.)
"""

import argparse
import ast
import contextlib
import hashlib
import importlib
import itertools
import json
import os
import re
import resource
import shutil
import signal
import sys
import tempfile
import time
import tomllib
import warnings
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from importlib.machinery import SourceFileLoader
from multiprocessing import get_context
from pathlib import Path

os.environ |= {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}  # a fork would not have the threads
import pytest  # noqa: E402
from coverage import Coverage, CoverageData  # noqa: E402

HERE = Path(__file__).resolve().parent
PACKAGE = "metrics"
PARTS = ("module", "function", "old", "new")  # the key of a mutant
QUIET = ["-W", "ignore:Module already imported", "-W", "ignore:Unknown config option"]
EACH = 45  # mutants of a module
MEMORY = 8 << 30  # bytes; a mutant that asks for more is killed

# ---- The mutants -----------------------------------------------------------------------------------------

OPERATORS = {
    ast.Lt: ("<", "<=", ">="), ast.LtE: ("<=", "<", ">"), ast.Gt: (">", ">=", "<="), ast.GtE: (">=", ">", "<"),
    ast.Eq: ("==", "!="), ast.NotEq: ("!=", "=="), ast.In: ("in", "not in"), ast.NotIn: ("not in", "in"),
    ast.Is: ("is", "is not"), ast.IsNot: ("is not", "is"), ast.And: ("and", "or"), ast.Or: ("or", "and"),
    ast.Add: ("+", "-"), ast.Sub: ("-", "+"), ast.Mult: ("*", "/"), ast.Div: ("/", "*"), ast.FloorDiv: ("//", "/"),
    ast.Mod: ("%", "//"), ast.Pow: ("**", "*"), ast.BitAnd: ("&", "|"), ast.BitOr: ("|", "&"),
}  # fmt: skip
PAIRS = "min max, any all, minimum maximum, floor ceil, zeros ones, argmin argmax, lt le, gt ge, eq ne, isnan isfinite"
OTHER = {one: other for pair in PAIRS.split(", ") for one, other in itertools.permutations(pair.split())}


@dataclass(frozen=True)
class Mutant:
    """One change: the bytes from `start` to `end` of the module become `text`."""

    path: str  # of the module, from the root
    function: str
    old: str  # the line as it is
    new: str  # as the mutant has it
    line: int
    first: int | None  # the first line of its statement: a test must come there, or to a line up to it, to notice; None: any test may
    start: int
    end: int
    text: str

    @property
    def module(self):
        return Path(self.path).stem

    @property
    def key(self):
        return tuple(getattr(self, part) for part in PARTS)

    @property
    def id(self):
        return hashlib.sha256(repr(self.key).encode()).hexdigest()[:8]

    def __str__(self):
        """The place of the mutant, and its entry in mutants.toml; JSON writes text as TOML reads it."""
        entry = "".join(f"{part} = {json.dumps(getattr(self, part), ensure_ascii=False)}\n" for part in PARTS)
        return f'{self.id}  {self.path}:{self.line}\n\n[[equivalent]]\n{entry}why = ""\n'

    def of(self, source):
        return source[: self.start] + self.text.encode() + source[self.end :]


def squeezed(source):
    return " ".join(source.decode().split())


class Module:
    """The source of a module, and its mutants by their keys."""

    def __init__(self, root, path):
        self.path, self.source, self.mutants = path.relative_to(root).as_posix(), path.read_bytes(), {}
        self.lines = [0, *itertools.accumulate(map(len, self.source.splitlines(keepends=True)))]
        self.tree = ast.parse(self.source)
        self.visit(self.tree, "", 1, False)

    def at(self, node):
        return self.lines[node.lineno - 1] + node.col_offset

    def until(self, node):
        return self.lines[node.end_lineno - 1] + node.end_col_offset

    def text(self, node):
        return self.source[self.at(node) : self.until(node)].decode(errors="replace")

    def visit(self, node, function, first, cached):
        """Find the mutants of a node and of its contents, except in code that only type checkers read."""
        match node:
            case ast.If(test=ast.Name(id="TYPE_CHECKING")) | ast.AnnAssign(annotation=ast.Name(id="TypeAlias")):
                return
            case ast.FormattedValue() if not self.is_located(node.value):
                return
            case ast.Call(func=ast.Attribute(attr="reshape"), args=[ast.UnaryOp()]):  # to NumPy, -2 is -1 there
                return self.visit(node.func, function, first, cached)
            case ast.FunctionDef() | ast.ClassDef():
                scope = f"{function}.{node.name}".lstrip(".")
                cached = cached or any("cache" in self.text(decorator) for decorator in node.decorator_list)
            case _:
                scope = function
        first = node.lineno if isinstance(node, ast.stmt) else first
        for start, end, text in self.changes(node):
            self.add(function or "(module)", None if cached else first, start, end, text)
        for name, value in ast.iter_fields(node):
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.AST) and name not in ("annotation", "returns", "format_spec"):
                    self.visit(child, scope, first, cached)

    def is_located(self, node):
        """Whether an expression in an f-string is where Python says it is; in 3.11 it sometimes is not."""
        with contextlib.suppress(SyntaxError):
            return ast.dump(ast.parse(f"({self.text(node)})", mode="eval").body) == ast.dump(node)

    def changes(self, node):
        """(start, end, text) for each change of this node itself."""
        at, until, text = self.at, self.until, self.text
        match node:
            case ast.Compare(left, operators, others):
                yield from self.operators([left, *others], operators)
            case ast.BoolOp(operator, values):
                yield from self.operators(values, itertools.repeat(operator))
            case ast.BinOp(left, operator, right) | ast.AugAssign(left, operator, right):
                yield from self.operators([left, right], [operator])
            case ast.UnaryOp():
                yield at(node), at(node.operand), ""
            case ast.Constant(value=bool(value)):
                yield at(node), until(node), str(not value)
            case ast.Constant(value=int(value)):
                yield from ((at(node), until(node), str(value + step)) for step in (1, -1))
            case ast.Constant(value=float(value)):
                yield at(node), until(node), repr(value * (2 if 0.001 < value < 1000 else 1000) or 1.0)
            case ast.Name(id=name) | ast.Attribute(attr=name) if name in OTHER:
                yield until(node) - len(name), until(node), OTHER[name]
            case ast.Call():
                given = sorted([*node.args, *node.keywords], key=at)
                for before, argument, after in zip([None, *given], given, [*given[1:], None]):
                    if isinstance(argument, ast.keyword) and argument.arg:
                        yield until(before) if before else at(argument), at(after) if after and not before else until(argument), ""
            case ast.Slice():
                for bound in (node.lower, node.upper):
                    if bound and not isinstance(bound, ast.Constant):
                        yield at(bound), until(bound), f"({text(bound)}) + 1"
            case ast.Return() if node.value:
                yield at(node.value), until(node.value), "None"
            case ast.Raise() | ast.Expr(value=ast.Call()):
                yield at(node), until(node), "pass"
            case ast.Break() | ast.Continue():
                yield at(node), until(node), "break" if isinstance(node, ast.Continue) else "continue"
        conditions = [node.test] if isinstance(node, (ast.If, ast.While, ast.IfExp)) else getattr(node, "ifs", [])
        for condition in conditions:
            if not isinstance(condition, (ast.Compare, ast.UnaryOp)):
                yield at(condition), until(condition), f"(not ({text(condition)}))"

    def operators(self, nodes, operators):
        """The changes of the operators, each of which is between two nodes."""
        for left, right, operator in zip(nodes, nodes[1:], operators):
            old, *others = OPERATORS.get(type(operator), ("",))
            found = re.search(re.escape(old).replace(r"\ ", r"\s+").encode(), self.source[self.until(left) : self.at(right)])
            yield from ((self.until(left) + found.start(), self.until(left) + found.end(), other) for other in others)

    def add(self, function, first, start, end, text):
        begin, last = self.source.rfind(b"\n", 0, start) + 1, self.source.find(b"\n", end)
        before, after = self.source[begin:last], self.source[begin:start] + text.encode() + self.source[end:last]
        line, old, new = self.source.count(b"\n", 0, start) + 1, squeezed(before), squeezed(after)
        while (twin := self.mutants.get((function, old, new))) and twin.line != line:
            new += " (again)"  # the line stands in the function once more
        self.mutants[function, old, new] = Mutant(self.path, function, old, new, line, first, start, end, text)

    def is_program(self, mutant):
        with contextlib.suppress(SyntaxError):
            return ast.dump(ast.parse(mutant.of(self.source))) != ast.dump(self.tree)

    def sample(self):
        """A sample of mutants, the same in every run: an edited line changes only its own mutants."""
        in_order = sorted(self.mutants.values(), key=lambda mutant: hashlib.sha256(f"0 {mutant.id}".encode()).digest())
        return list(itertools.islice(filter(self.is_program, in_order), EACH))


# ---- The tests -------------------------------------------------------------------------------------------


def files_of_tests(root):
    """The test files that are about the package alone."""
    ours = {path: set(re.findall(r"(?m)^(?:from|import) (metrics|tools|book)\b", path.read_text(encoding="utf-8"))) for path in root.glob("tests/test_*.py")}
    return sorted(f"tests/{path.name}" for path, names in ours.items() if names == {PACKAGE})


class Survey:
    """A pytest plugin for the unchanged package: it times each test, and coverage.py records which tests reach which line."""

    def __init__(self, report):
        self.report, self.coverage, self.tests = report, Coverage(report.with_suffix(".coverage"), include=f"*/{PACKAGE}/*"), {}

    def pytest_configure(self):
        self.coverage.start()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item):  # what is done before the tests, and in fixtures, belongs to no test
        self.coverage.switch_context(item.nodeid)
        began = time.monotonic()
        result = yield
        self.tests[item.nodeid] = time.monotonic() - began
        self.coverage.switch_context("")
        return result

    def pytest_sessionfinish(self):
        self.coverage.stop()
        self.coverage.save()
        self.report.write_text(json.dumps(self.tests))


def may_notice(mutant, lines, tests):
    """The tests that may notice a mutant, with the seconds that they take, from the records of `Survey`: those that reach the lines of its module."""
    come = set().union(*(lines.get(line, ()) for line in range(min(mutant.first or 1, mutant.line), mutant.line + 1)))
    return tests if mutant.first is None or "" in come else {test: tests[test] for test in come}


class Trial:
    """A pytest plugin for a mutant: it runs the tests that may notice the mutant, quickest first, each with a time limit."""

    known = {}  # the tests of the package as it is

    def __init__(self, tree, mutant, chosen, limit):
        self.tree, self.mutant, self.chosen, self.limit = tree, mutant, chosen, limit

    def pytest_configure(self):
        signal.alarm(120)  # nothing catches it, so it ends the process
        as_it_is, changed = SourceFileLoader.get_code, str(self.tree / self.mutant.path)

        def get_code(loader, name):
            source = self.mutant.of(Path(changed).read_bytes()) if loader.path == changed else None
            return compile(source, changed, "exec", dont_inherit=True) if source else as_it_is(loader, name)

        SourceFileLoader.get_code = get_code
        for path in Path(PACKAGE).rglob("*.py"):  # once: pytest would import the first one of a folder a second time
            importlib.import_module(".".join(path.with_suffix("").parts).removesuffix(".__init__"))

    def pytest_collection_modifyitems(self, items):
        # A table that is changed may give a test another name.
        items[:] = [item for item in items if item.nodeid in self.chosen or item.nodeid not in self.known]
        items.sort(key=lambda item: self.chosen.get(item.nodeid, 0))

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self, item):
        signal.alarm(self.limit + int(10 * self.chosen.get(item.nodeid, 0)))


# ---- The run ---------------------------------------------------------------------------------------------


def run_pytest(tree, paths, plugin, loud):
    """Run pytest in a tree and end this process with pytest's exit code."""
    os.setsid()
    sys.modules["__main__"].__spec__ = None  # or a process that a test spawns would look for this module
    os.chdir(tree)
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"  # the package's tests need none, and one takes seconds to load
    sys.path[:] = [str(tree), *(path for path in sys.path if path and Path(path) != HERE.parent)]
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    for stream in () if loud else (1, 2):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream)
    os._exit(pytest.main(["-xq", "--assert=plain", "-p", "no:cacheprovider", *QUIET, *paths], plugins=[plugin]))


def tested(tree, paths, plugin, loud=True):
    """The exit code of pytest in a fork, in a tree, with a plugin."""
    child = get_context("fork").Process(target=run_pytest, args=(tree, paths, plugin, loud))
    child.start()
    child.join()
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child.pid, signal.SIGKILL)  # what it has started and left
    return child.exitcode


def fate(tree, limit, loud, job):
    """A mutant, and its fate in the tests that may notice it."""
    mutant, chosen = job
    code = tested(tree, {test.split("::")[0] for test in chosen}, Trial(tree, mutant, chosen, limit), loud) if chosen else 0
    return mutant, {0: "survived", 5: "survived", -signal.SIGALRM: "timed out"}.get(code, "killed")


def explanations(path):
    """The mapping of each equivalent mutant's key to a sentence that says why."""
    entries = tomllib.loads(path.read_text(encoding="utf-8")).get("equivalent", []) if path.exists() else []
    return {tuple(entry[part] for part in PARTS): entry["why"] for entry in entries}


def main(arguments=None):
    parser = argparse.ArgumentParser(prog="python -m tools.mutants", description=__doc__.split("\n")[0])
    parser.add_argument("--module", action="append", help="break only this module of the package, such as hits; may be given several times")
    parser.add_argument("--only", metavar="ID", action="append", help="run this mutant, and show what pytest says about it; may be given several times")
    parser.add_argument("--workers", type=int, default=os.cpu_count(), help="run this many mutants at once (default: %(default)s)")
    parser.add_argument("--limit", type=int, default=10, help="allow each test this many seconds beyond ten times its usual time (default: %(default)s)")
    parser.add_argument("--root", type=Path, default=HERE.parent, help="use the project in this folder (default: this one)")
    options, began = parser.parse_args(arguments), time.monotonic()
    root = options.root.resolve()
    explained, files, fates = explanations(root / "tools" / "mutants.toml"), files_of_tests(root), {}
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder).resolve()  # a copy, so that the files may be edited meanwhile
        shutil.copytree(root, tree, ignore=shutil.ignore_patterns(".*", "_build", "tools", "browser", "__pycache__"), dirs_exist_ok=True)
        modules = [Module(tree, path) for path in sorted((tree / PACKAGE).rglob("*.py")) if path.stem in (options.module or [path.stem])]
        known = {mutant.key: mutant for module in modules for mutant in module.mutants.values()}
        if options.only:
            mutants = [mutant for mutant in known.values() if mutant.id in options.only]
        else:
            mutants = [mutant for module in modules for mutant in module.sample()]
        print(f"{len(mutants)} mutants of {len(modules)} modules. Tests: {', '.join([PACKAGE, *files])}", flush=True)
        texts = "\n".join((root / file).read_text(encoding="utf-8") for file in files)
        for library in sorted(set(re.findall(rf"(?m)^(?:from|import) (?!{PACKAGE}\b)([\w.]+)", texts))):  # loaded once, for all
            with contextlib.suppress(ImportError), warnings.catch_warnings(action="ignore"):
                importlib.import_module(library)
        report = tree / "survey.json"
        if tested(tree, [PACKAGE, *files], Survey(report)):
            sys.exit("A test fails on the package as it is, so it says nothing about mutants.")
        data, tests = CoverageData(report.with_suffix(".coverage")), json.loads(report.read_text())
        data.read()
        Trial.known = tests
        print(f"The package as it is passes its {len(tests)} tests; {time.monotonic() - began:.0f} seconds.")
        lines = {path: data.contexts_by_lineno(str(tree / path)) for path in {mutant.path for mutant in mutants}}
        chosen = {mutant: may_notice(mutant, lines[mutant.path], tests) for mutant in mutants}
        with ProcessPoolExecutor(options.workers, get_context("fork")) as pool:
            for mutant, became in pool.map(partial(fate, tree, options.limit, bool(options.only)), chosen.items()):
                if len(fates) % 100 == 0:
                    print(f"{len(fates)} of {len(mutants)} after {time.monotonic() - began:.0f} seconds", file=sys.stderr)
                fates[mutant] = "explained" if became == "survived" and mutant.key in explained else became
                if fates[mutant] == "survived":
                    print(f"SURVIVES{'' if chosen[mutant] else ' (no test comes there)'} {mutant}", flush=True)

    columns = ("killed", "timed out", "survived", "explained")
    print(f"\n{'module':20}{'mutants':>10}" + "".join(f"{column:>11}" for column in columns))
    for name in [*dict.fromkeys(mutant.module for mutant in mutants), "all"]:
        row = Counter(fate for mutant, fate in fates.items() if name in ("all", mutant.module))
        print(f"{name:20}{row.total():>10}" + "".join(f"{row[column]:>11}" for column in columns))
    wrong = [f"fits no mutant: {key}" for key in explained if key not in known and key[0] in (options.module or [key[0]])]
    wrong += [f"is of one that was {fate}: {mutant}" for mutant, fate in fates.items() if mutant.key in explained and fate not in ("explained", "timed out")]
    print("".join(f"An explanation {line}\n" for line in wrong) + f"{time.monotonic() - began:.0f} seconds in all.")
    return int(bool(wrong) or "survived" in fates.values())


if __name__ == "__main__":
    sys.exit(main())
