"""Break the package in one place at a time, and see that its tests notice.

    python -m tools.mutants                          some mutants of every module
    python -m tools.mutants --module hits            of one module
    python -m tools.mutants --only 1a2b3c4d          one mutant, with what pytest says of it
    python -m tools.mutants --frozen                 those of mutants-frozen.jsonl.gz: the list that must still die when tests are cut

A mutant is one change: `<` for `<=`, 2 for 1, `max` for `min`, a condition negated, an argument or a refusal left out ...
It is killed if a test fails or does not end. If it survives, a test is missing; or it is equivalent, and mutants.toml says
why, in an entry like the one that is printed. The command fails while a survivor is not explained, and if an explanation fits no mutant or one that is killed.

Which tests: the doctests of the package, and the files of tests/ that import it and nothing else of this project.
They run once on the package as it is. Then it is known which tests enter which block of statements: no other can notice
a change there. These run, the quickest first, until one fails, in a fork of a process that has the libraries loaded. There
the module is imported with the change; no file is. (A program that a test starts imports it as it is.)
"""

import argparse
import ast
import builtins
import contextlib
import gzip
import hashlib
import importlib
import itertools
import json
import os
import re
import shutil
import signal
import sys
import tempfile
import time
import tomllib
import traceback
import warnings
from collections import Counter
from dataclasses import dataclass
from importlib.machinery import SourceFileLoader
from pathlib import Path

os.environ |= {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}  # a fork would not have the threads
import pytest  # noqa: E402

HERE = Path(__file__).resolve().parent
PACKAGE = "metrics"
PARTS = ("module", "function", "old", "new")  # the key of a mutant
LIBRARIES = ("hypothesis", "IPython", "matplotlib.pyplot", "myst_nb", "numpy", "pytrec_eval", "sklearn.metrics", "sympy")  # loaded once, for all
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
    block: str | None  # where a test must come to notice it; None: any test may
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
        """Where it is, and its entry in mutants.toml; JSON writes text as TOML reads it."""
        entry = "".join(f"{part} = {json.dumps(getattr(self, part), ensure_ascii=False)}\n" for part in PARTS)
        return f'{self.id}  {self.path}:{self.line}\n\n[[equivalent]]\n{entry}why = ""\n'

    def of(self, source):
        return source[: self.start] + self.text.encode() + source[self.end :]


def blocks(node):
    """The lists of statements in a node."""
    return [value for _, value in ast.iter_fields(node) if isinstance(value, list) and value and isinstance(value[0], ast.stmt)]


def name_of(path, block):
    return f"{path}:{block[0].lineno}:{block[0].col_offset}"


def squeezed(source):
    return " ".join(source.decode().split())


class Module:
    """The source of a module, and its mutants by their keys."""

    def __init__(self, root, path):
        self.path, self.source, self.mutants = path.relative_to(root).as_posix(), path.read_bytes(), {}
        self.lines = [0, *itertools.accumulate(map(len, self.source.splitlines(keepends=True)))]
        self.tree = ast.parse(self.source)
        self.visit(self.tree, "", None, False)

    def at(self, node):
        return self.lines[node.lineno - 1] + node.col_offset

    def until(self, node):
        return self.lines[node.end_lineno - 1] + node.end_col_offset

    def text(self, node):
        return self.source[self.at(node) : self.until(node)].decode(errors="replace")

    def visit(self, node, function, block, cached):
        """Find the mutants of a node and of what is in it, but for what the tools for types read."""
        match node:
            case ast.If(test=ast.Name(id="TYPE_CHECKING")) | ast.AnnAssign(annotation=ast.Name(id="TypeAlias")):
                return
            case ast.FormattedValue() if not self.is_located(node.value):
                return
            case ast.Call(func=ast.Attribute(attr="reshape"), args=[ast.UnaryOp()]):  # to NumPy, -2 is -1 there
                return self.visit(node.func, function, block, cached)
            case ast.FunctionDef() | ast.ClassDef():
                scope = f"{function}.{node.name}".lstrip(".")
                cached = cached or any("cache" in self.text(decorator) for decorator in node.decorator_list)
            case _:
                scope = function
        for start, end, text in self.changes(node):
            self.add(function or "(module)", block, start, end, text)
        once = cached or isinstance(node, (ast.Module, ast.ClassDef))  # done once, for all tests
        for name, value in ast.iter_fields(node):
            if name not in ("annotation", "returns", "format_spec"):
                is_block = any(value is one for one in blocks(node))
                below = (scope, None if once else name_of(self.path, value)) if is_block else (scope, block)
                for child in value if isinstance(value, list) else [value]:
                    if isinstance(child, ast.AST):
                        self.visit(child, *below, cached)

    def is_located(self, node):
        """Whether an expression in an f-string stands where Python says; in 3.11 it does not always."""
        with contextlib.suppress(SyntaxError):
            return ast.dump(ast.parse(f"({self.text(node)})", mode="eval").body) == ast.dump(node)

    def changes(self, node):
        """(start, end, text) for each change of this node itself."""
        at, until, text = self.at, self.until, self.text
        match node:
            case ast.Compare():
                for left, operator, right in zip([node.left, *node.comparators], node.ops, node.comparators):
                    yield from self.operators(left, operator, right)
            case ast.BoolOp():
                for left, right in zip(node.values, node.values[1:]):
                    yield from self.operators(left, node.op, right)
            case ast.BinOp():
                yield from self.operators(node.left, node.op, node.right)
            case ast.AugAssign():
                yield from self.operators(node.target, node.op, node.value)
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

    def operators(self, left, operator, right):
        """The changes of an operator, which stands somewhere between two nodes."""
        old, *others = OPERATORS.get(type(operator), ("",))
        found = re.search(re.escape(old).replace(r"\ ", r"\s+").encode(), self.source[self.until(left) : self.at(right)])
        return [(self.until(left) + found.start(), self.until(left) + found.end(), other) for other in others]

    def add(self, function, block, start, end, text):
        first, last = self.source.rfind(b"\n", 0, start) + 1, self.source.find(b"\n", end)
        before, after = self.source[first:last], self.source[first:start] + text.encode() + self.source[end:last]
        line, old, new = self.source.count(b"\n", 0, start) + 1, squeezed(before), squeezed(after)
        while (twin := self.mutants.get((function, old, new))) and twin.line != line:
            new += " (again)"  # the line stands in the function once more
        self.mutants[function, old, new] = Mutant(self.path, function, old, new, line, block, start, end, text)

    def is_program(self, mutant):
        with contextlib.suppress(SyntaxError):
            return ast.dump(ast.parse(mutant.of(self.source))) != ast.dump(self.tree)

    def sample(self):
        """Some mutants, the same at every run: a line that is edited exchanges none but its own."""
        in_order = sorted(self.mutants.values(), key=lambda mutant: hashlib.sha256(f"0 {mutant.id}".encode()).digest())
        return list(itertools.islice(filter(self.is_program, in_order), EACH))


# ---- The tests -------------------------------------------------------------------------------------------


def files_of_tests(root):
    """The test files that are about the package alone."""
    ours = {path: set(re.findall(r"(?m)^(?:from|import) (metrics|tools|book)\b", path.read_text(encoding="utf-8"))) for path in root.glob("tests/test_*.py")}
    return sorted(f"tests/{path.name}" for path, names in ours.items() if names == {PACKAGE})


def import_changed(change):
    """From now on, import each module of the package for which `change(its source, its path)` gives something as that says."""
    as_it_is = SourceFileLoader.get_code

    def get_code(loader, name):
        path = loader.path[loader.path.rfind(f"/{PACKAGE}/") + 1 :]
        changed = change(Path(loader.path).read_bytes(), path) if name.split(".")[0] == PACKAGE else None
        return compile(changed, loader.path, "exec", dont_inherit=True) if changed else as_it_is(loader, name)

    SourceFileLoader.get_code = get_code


class Survey:
    """A plugin of pytest for the package as it is: it writes down how long each test takes and which blocks it enters."""

    def __init__(self, report):
        self.report, self.entered, self.tests, self.shared = report, set(), {}, set()

    def pytest_configure(self):
        builtins._entered = self.entered.add
        import_changed(watched)

    def pytest_collection_finish(self):
        self.shared |= self.entered

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_setup(self):
        result = yield
        self.shared |= self.entered  # other tests may have the same fixture
        return result

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item):
        self.entered.clear()
        began = time.monotonic()
        result = yield
        self.tests[item.nodeid] = time.monotonic() - began, list(self.entered)
        return result

    def pytest_sessionfinish(self):
        self.report.write_text(json.dumps([list(self.shared), self.tests]))


def watched(source, path):
    """The module with a note at the head of every block that it is entered."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if not isinstance(node, (ast.Module, ast.ClassDef)):
            for block in blocks(node):
                [note] = ast.parse(f"_entered({name_of(path, block)!r})").body
                block.insert(isinstance(node, ast.FunctionDef) and ast.get_docstring(node) is not None, note)
    return tree


class Trial:
    """A plugin of pytest for a mutant: it runs the tests that may notice, the quickest first, each with a limit of time."""

    def __init__(self, mutant, known, chosen, limit):
        self.mutant, self.known, self.chosen, self.limit = mutant, known, chosen, limit

    def pytest_configure(self):
        signal.alarm(120)  # nothing catches it, so it ends the process
        import_changed(lambda source, path: self.mutant.of(source) if path == self.mutant.path else None)
        for path in Path(PACKAGE).rglob("*.py"):  # once: pytest would import the first one of a folder a second time
            importlib.import_module(".".join(path.with_suffix("").parts).removesuffix(".__init__"))

    def pytest_collection_modifyitems(self, items):
        items[:] = [item for item in items if item.nodeid in self.chosen or item.nodeid not in self.known]
        items.sort(key=lambda item: self.chosen.get(item.nodeid, 0))

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self, item):
        signal.alarm(self.limit + int(10 * self.chosen.get(item.nodeid, 0)))


# ---- The run ---------------------------------------------------------------------------------------------


def fork(tree, paths, plugin, log):
    """The id of a new process that runs tests in a tree; without a log it prints what pytest says."""
    sys.stdout.flush()
    if child := os.fork():
        return child
    try:
        os.setsid()
        sys.modules["__main__"].__spec__ = None  # or a process that a test spawns would look for this module
        os.chdir(tree)
        os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"  # the package's tests need none, and one takes seconds to load
        sys.dont_write_bytecode = False  # what is compiled once serves all
        sys.path[:] = [str(tree), *(path for path in sys.path if path and Path(path) != HERE.parent)]
        with contextlib.suppress(ValueError, OSError):
            import resource  # there is none on Windows, nor is there fork

            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        if log:
            for stream in (1, 2):
                os.dup2(os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_APPEND, 0o600), stream)
        os._exit(pytest.main(["-xq", "--assert=plain", "-p", "no:cacheprovider", *QUIET, *paths], plugins=[plugin]))
    except BaseException:
        traceback.print_exc()
        sys.stderr.flush()
        os._exit(3)


def at_once(workers, jobs, start):
    """(job, exit code) of each as it ends; so many run at once. `start(job)` forks."""
    waiting, running = list(reversed(jobs)), {}
    try:
        while waiting or running:
            while waiting and len(running) < workers:
                job = waiting.pop()
                running[start(job)] = job
            child, status = os.wait()
            end(child)
            yield running.pop(child), os.waitstatus_to_exitcode(status)
    finally:
        for child in running:
            end(child)


def end(group):
    """End what a process has started and left."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(group, signal.SIGKILL)


def surveyed(tree, files, workers):
    """What `Survey` writes down of all files: the blocks that any test may enter, and the tests."""
    shared, tests = set(), {}
    report, log = ({file: tree / f"{Path(file).stem}.{kind}" for file in files} for kind in ("json", "log"))
    for file, code in at_once(workers, files, lambda file: fork(tree, [file], Survey(report[file]), log[file])):
        if code not in (0, 5):  # 5: it has no tests
            sys.exit(f"{log[file].read_text()}\n{file} fails on the package as it is, so it says nothing of mutants.")
        part = json.loads(report[file].read_text())
        shared, tests = shared | set(part[0]), tests | part[1]
    return shared, tests


def may_notice(survey, block):
    """The tests that may notice a change in a block, with the seconds that they take."""
    shared, tests = survey
    anywhere = block is None or block in shared
    return {test: took for test, (took, entered) in tests.items() if anywhere or block in entered}


def outcomes(tree, mutants, survey, workers, limit, log):
    """(mutant, what became of it) for each, as they come."""

    def start(mutant):
        chosen = may_notice(survey, mutant.block)
        paths = sorted({test.split("::")[0] for test in chosen}) or [PACKAGE]
        return fork(tree, paths, Trial(mutant, survey[1], chosen, limit), log)

    for mutant, code in at_once(workers, mutants, start):
        yield mutant, {0: "survived", 5: "survived", -signal.SIGALRM: "timed out"}.get(code, "killed")


def explanations(path):
    """Why a mutant is equivalent: its key -> a sentence."""
    entries = tomllib.loads(path.read_text(encoding="utf-8")).get("equivalent", []) if path.exists() else []
    return {tuple(entry[part] for part in PARTS): entry["why"] for entry in entries}


def frozen(root, modules):
    """The mutants of the frozen list that are there still, by function and line; how many are gone is printed."""
    lines = gzip.decompress((root / "tools" / "mutants-frozen.jsonl.gz").read_bytes()).decode().splitlines()
    listed = {tuple(json.loads(line)[1:]) for line in lines}
    found = {mutant.key[1:]: mutant for module in modules for mutant in module.mutants.values() if mutant.key[1:] in listed}
    print(f"Of the frozen list {len(listed) - len(found)} of {len(listed)} fit no line of these modules.")
    return sorted(found.values(), key=lambda mutant: mutant.id)


def options_of(arguments):
    parser = argparse.ArgumentParser(prog="python -m tools.mutants", description=__doc__.split("\n")[0])
    parser.add_argument("--module", action="append", help="a module of the package, such as hits; may be given several times")
    parser.add_argument("--frozen", action="store_true", help="the mutants of the frozen list, wherever their function stands now")
    parser.add_argument("--only", metavar="ID", action="append", help="this mutant, with what pytest says of it; may be given several times")
    parser.add_argument("--workers", type=int, default=os.cpu_count(), help="how many at once (%(default)s)")
    parser.add_argument("--limit", type=int, default=10, help="seconds that each test has, beside ten times what it takes (%(default)s)")
    parser.add_argument("--root", type=Path, default=HERE.parent, help="the project (this one)")
    return parser.parse_args(arguments)


def main(arguments=None):
    options, began = options_of(arguments), time.monotonic()
    root = options.root.resolve()
    notes = root / "tools" / "mutants.toml"
    explained, files, fates = explanations(notes), files_of_tests(root), {}
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder).resolve()  # a copy, so that the files may be edited meanwhile
        shutil.copytree(root, tree, ignore=shutil.ignore_patterns(".*", "_build", "tools", "browser", "__pycache__"), dirs_exist_ok=True)
        modules = [Module(tree, path) for path in sorted((tree / PACKAGE).rglob("*.py")) if path.stem in (options.module or [path.stem])]
        known = {mutant.key: mutant for module in modules for mutant in module.mutants.values()}
        if options.only:
            mutants = [mutant for mutant in known.values() if mutant.id in options.only]
        else:
            mutants = frozen(root, modules) if options.frozen else [mutant for module in modules for mutant in module.sample()]
        print(f"{len(mutants)} mutants of {len(modules)} modules. Tests: {', '.join([PACKAGE, *files])}", flush=True)
        texts = "".join((root / file).read_text(encoding="utf-8") for file in files)
        for name in filter(lambda name: re.search(rf"(?m)^(from|import) {name.split('.')[0]}\b", texts), LIBRARIES):
            with contextlib.suppress(ImportError), warnings.catch_warnings(action="ignore"):
                importlib.import_module(name)
        survey = surveyed(tree, [PACKAGE, *files], options.workers)
        print(f"The package as it is passes its {len(survey[1])} tests; {time.monotonic() - began:.0f} seconds.")
        for mutant, fate in outcomes(tree, mutants, survey, options.workers, options.limit, None if options.only else os.devnull):
            fates[mutant] = "explained" if fate == "survived" and mutant.key in explained else fate
            if fates[mutant] == "survived":
                print(f"SURVIVES{'' if may_notice(survey, mutant.block) else ' (no test comes there)'} {mutant}")

    columns = ("killed", "timed out", "survived", "explained")
    print(f"\n{'module':20}{'mutants':>10}" + "".join(f"{column:>11}" for column in columns))
    for name in [*dict.fromkeys(mutant.module for mutant in mutants), "all"]:
        row = Counter(fate for mutant, fate in fates.items() if name in ("all", mutant.module))
        print(f"{name:20}{row.total():>10}" + "".join(f"{row[column]:>11}" for column in columns))
    wrong = [f"fits no mutant: {key}" for key in explained if key not in known and key[0] in (options.module or [key[0]])]
    wrong += [f"is of one that was {fate}: {mutant}" for mutant, fate in fates.items() if mutant.key in explained and fate != "explained"]
    print("".join(f"An explanation {line}\n" for line in wrong) + f"{time.monotonic() - began:.0f} seconds in all.")
    return int(bool(wrong) or "survived" in fates.values())


if __name__ == "__main__":
    sys.exit(main())
