"""Run one function that a student wrote, in a separate process, and hand its values on as plain numbers.

`check` and the grader start this script by `python -I -S`, and send a job as JSON; where no process can be started, as in a browser, `check` calls
`answer_to` itself. So one rule says what of a notebook is run: what gives a value to a name that the function uses, and nothing else. The
script has no answers; those stay with who asked. Before anything of a student's is read, it locks itself in: on Linux and macOS it can no longer
open or start anything or exceed its limits, and where the system allows it, its root is a folder that is gone. Then Python refuses whatever is not
computing. The lock is a border; the refusal, alone, is no border against a determined attacker.
"""

import ast
import dis
import inspect
import json
import os
import re
import sys
from contextlib import suppress
from copy import deepcopy
from fractions import Fraction
from importlib import import_module
from time import process_time
from types import CodeType

ALLOWED = set(
    """abc bisect collections copy dataclasses decimal enum fractions functools heapq itertools math numbers operator random re
    statistics string typing""".split()
)
LARGEST_CELL = 100_000  # characters
LARGEST_ANSWER = 1 << 20  # bytes
GIVEN = ("Fraction",)  # names of the sheet that nobody can give another meaning

# What happened to a function without values, as the page of the class counts it.
KINDS = RENAMED, IMPORT, UNREADABLE, TIME, STOPS, NO_RETURN, BLANK = (
    "no function of this name", "an import that is not run", "cannot be read", "out of time or memory", "stops with an error", "gives nothing back",
    "nothing written yet",
)  # fmt: skip
NOTHING = "nothing (None): a path of your function has no `return`"  # what is said in the place of a value
ONLY = f", for homework may import {', '.join(sorted(ALLOWED))} and nothing else"


# ---- Which statements of a notebook a function needs -------------------------------------------------------------


def statements_of(cells):
    """The outermost statements of the cells that can be read, in order: each with the names that it gives a value or changes, and those that it reads."""
    for text in cells:
        try:
            whole = parsed(text)
            for node in whole.body:
                read, given = names_in(compile(ast.Module([node], []), "student", "exec"))
                match node:
                    case ast.Try(body=[ast.Import(names=[ast.alias(name=module)]), *_]) if module.startswith("metrics"):
                        continue  # the first cell of a sheet, which finds the package; its `sys` is nobody's
                    case ast.Import() if not all(allowed(each.name) for each in node.names):
                        continue
                    case ast.ImportFrom() if node.level or not allowed(node.module):
                        continue
                    case ast.ImportFrom(names=[ast.alias(name="*")]):
                        given = {name for name in dir(import_module(node.module)) if not name.startswith("_")} - {*GIVEN}
                if given := given | changed(node):
                    if not given & {*GIVEN}:
                        yield node, given, read
        except (SyntaxError, ValueError, RecursionError, MemoryError, ImportError):
            continue


def parsed(text):
    """A cell as Python. Raises SyntaxError, or another error of Python's compiler, if it is none.

    A line that only a notebook understands counts as `pass`. It is one only where Python stops, because % may also begin the second line of a formula.
    """
    if len(text) > LARGEST_CELL:
        raise ValueError(f"it has more than {LARGEST_CELL:,} characters")
    lines, stops = text.split("\n"), True
    while stops:
        try:
            whole, stops = AsGiven().visit(ast.parse("\n".join(lines))), False
        except SyntaxError as error:
            at = (error.lineno or 0) - 1
            if not (0 <= at < len(lines) and OF_A_NOTEBOOK.fullmatch(lines[at])):
                raise
            lines[at] = re.sub(r"\S.*", "pass", lines[at])
    compile(whole, "student", "exec")
    return whole


OF_A_NOTEBOOK = re.compile(r"\s*(?:(?:\w[\w, ]*=\s*)?[%!?].*|[\w.]+\?+\s*)")  # `%time f(1)`, `files = !ls`, `f?`


class AsGiven(ast.NodeTransformer):
    """Leaves out the import of what the sheet gives anyway, so that the statement around this import counts."""

    def visit_ImportFrom(self, node):  # noqa: N802
        same = node.module == "fractions" and [(each.name, each.asname) for each in node.names] == [("Fraction", None)]
        return ast.copy_location(ast.Pass(), node) if same else node


def allowed(module):
    return (module or "").partition(".")[0] in ALLOWED


def names_in(code, outermost=True):
    """The global names that compiled code reads, its functions too, and those that it gives a value."""
    read, given = set(), set()
    for step in dis.get_instructions(code):
        if step.opname in ("LOAD_GLOBAL", "LOAD_NAME"):
            read.add(step.argval)
        elif step.opname == "STORE_GLOBAL" or (step.opname == "STORE_NAME" and outermost):
            given.add(step.argval)
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            more, also = names_in(inner, False)
            read |= more
            given |= also
    return read, given


def changed(node):
    """The names whose values a statement changes in place: `table[1] = 2`, `table.append(1)`."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return set()
    parts = [part for part in ast.walk(node) if isinstance(getattr(part, "ctx", None), ast.Store) and not isinstance(part, ast.Name)]
    parts += [part.value.func for part in ast.walk(node) if isinstance(part, ast.Expr) and isinstance(part.value, ast.Call)]
    return {root.id for root in map(root_of, parts) if isinstance(root, ast.Name)}


def root_of(part):
    """`table` of `table[1].rows`; a name alone is called, and not changed."""
    inner = part
    while isinstance(inner, ast.Attribute | ast.Subscript):
        inner = inner.value
    return None if inner is part else inner


def needed(name, statements):
    """The statements that a function uses, directly or not, so that no other part of the notebook can disturb it."""
    wanted, before = {name}, set()
    while wanted != before:
        before = set(wanted)
        for _, given, read in statements:
            if wanted & given:
                wanted |= read
    return [node for node, given, _ in statements if wanted & given]


def imported(cells):
    """The words of all lines that import: the modules, and the names that they would define."""
    return {word for text in cells for line in re.findall(r"(?m)^[ \t]*((?:import|from)[ \t].*)", text) for word in re.findall(r"\w+", line)}


# ---- Its values --------------------------------------------------------------------------------------------------


def number(value):
    """A value as JSON that loses nothing; a value that is not a number is named by its type."""
    kind = type(value)
    if kind is Fraction:
        return [str(int(value.numerator)), str(int(value.denominator))]
    if kind is int:
        return [str(value), "1"]
    return repr(value) if kind is float else no_number(kind)


def no_number(kind):
    """What is said in the place of a value that is no number."""
    return NOTHING if kind is type(None) else f"{article(kind)}, no int, float or Fraction"


def article(kind):
    """The name of a type with its article."""
    name = kind.__name__[:40]
    return f"{'an' if name.startswith(tuple('AEIOUaeiou')) else 'a'} {name}"


def stopped(error):
    """An error in words; some say nothing but their name."""
    return f"it stops with {type(error).__name__}: {error}".removesuffix(": ")


def lock(seconds, memory):
    """Let nothing be opened or started from here on, and no limit be exceeded, as far as the system prevents this; Windows does not."""
    try:
        import resource
    except ImportError:
        return
    with suppress(OSError):
        os.rmdir(os.getcwd())
        os.chroot(".")  # who may not, stays in a folder that is not there
    limits = {"AS": memory, "CPU": seconds, "FSIZE": LARGEST_ANSWER, "CORE": 0, "NOFILE": 0, "NPROC": 0}
    for name, most in limits.items():
        with suppress(OSError, ValueError):
            resource.setrlimit(getattr(resource, f"RLIMIT_{name}"), (most, most))
    nobody = 20_000 + os.getpid() % 40_000  # whom root becomes: another one for each worker
    for become, whom in ((os.setgroups, []), (os.setgid, nobody), (os.setuid, nobody)):
        with suppress(OSError):
            become(whom)


def shut():
    """Make Python refuse, from here on, whatever is not computing: audit events report it, and modules with functions that no event reports are emptied."""

    def watch(event, arguments):  # without a name outside: who found one could give it another meaning
        if event == "import":
            raise ImportError(f"{arguments[0]} is not available here", name=arguments[0])
        if event == "sys._getframemodulename":  # the name of a module, which `namedtuple` asks for
            return
        if event == "sys._getframe":  # the error for which `namedtuple` and `Enum` have another way, without that name
            raise ValueError("there are no frames here")
        its_own = event == "object.__getattr__" and arguments[1].startswith("__")  # no frames
        if not its_own and event not in ("compile", "exec", "builtins.id", "object.__setattr__", "object.__delattr__"):
            raise PermissionError(f"{event} is not allowed here")

    for name in {"os", "posix", "nt", "resource", "_imp"} & {*sys.modules}:
        vars(sys.modules.pop(name)).clear()
    sys.addaudithook(watch)


def understood(part):
    """A part of a job, with its sets and fractions restored, which JSON does not have."""
    match part:
        case {"set": members}:
            return set(members)
        case {"fraction": [numerator, denominator]}:
            return Fraction(numerator, denominator)
    return part


def answer_to(job, given):
    """What the function of a job says, as {"values": numbers} or {"trouble": words, "kind": one of those above}.

    given: the names that it sees without an import; `__builtins__` among them, if there is less than all of Python.
    """
    cells, end = job["cells"], process_time() + job["seconds"]
    nodes = needed(job["name"], list(statements_of(cells)))
    inside, values, case = {"__name__": "student", **given}, [], None
    try:
        exec(compile(ast.Module(nodes, []), "student", "exec"), inside)
        function = inside.get(job["name"])
        if not callable(function):
            return missing(job["name"], cells, function)
        by_place, by_name, strange = asks(function, job)
        if strange:
            words = f"it asks for {', '.join(strange)}, which no case has; keep the names of the sheet: {', '.join(job['asked'])}"
            return {"trouble": words, "kind": STOPS}
        for case in job["cases"]:
            handed = dict(zip(job["names"], deepcopy(case)))  # whoever changes a list does not change what is said of the case
            try:
                values.append(number(function(*(handed[name] for name in by_place), **{name: handed[name] for name in by_name})))
            except ZeroDivisionError:
                values.append("undefined")
            if process_time() > end:
                return {"trouble": f"it takes more than {job['seconds']} seconds", "kind": TIME}
    except NotImplementedError:
        return {"trouble": BLANK, "kind": BLANK}
    except BaseException as error:
        at = ", ".join(f"{name} = {value}" for name, value in zip(job["names"], case) if name in job["asked"]) if case else "its definition"
        said = f"at {at} {stopped(error)}"[:300]
        if isinstance(error, ImportError | NameError) and str(error.name).partition(".")[0] in imported(cells):
            return {"trouble": f"{said}; its import is not run{ONLY}", "kind": IMPORT}
        return {"trouble": said, "kind": TIME if isinstance(error, MemoryError | RecursionError) else STOPS}
    return {"values": values}


def asks(function, job):
    """How a function is handed a case: the names of what it takes by place, of what it takes by name, and of what it needs and no case has."""
    parameters = inspect.signature(function).parameters.values()
    free = [each for each in parameters if each.kind is each.VAR_KEYWORD]  # of a decorator, which hands on what it is handed
    named = [each for each in parameters if each.kind not in (each.VAR_POSITIONAL, each.VAR_KEYWORD)]
    by_place = [each.name for each in named if each.kind is each.POSITIONAL_ONLY and each.name in job["names"]]
    by_name = [name for name in job["names"] if name in {each.name for each in named} or (free and name in job["asked"])]
    strange = [each.name for each in named if each.default is each.empty and each.name not in job["names"]]
    return by_place, [name for name in by_name if name not in by_place], strange


def missing(name, cells, found):
    """Why there is no function of this name: it names a value, its cell cannot be read, or the function has another name."""
    if found is not None:
        return {"trouble": f"`{name}` is {article(type(found))}, not a function", "kind": STOPS}
    for text in reversed(cells):
        if re.search(rf"(?m)^[ \t]*def[ \t]+{name}\b", text):
            try:
                parsed(text)
            except SyntaxError as error:
                return {"trouble": f"its cell cannot be read; Python stops at line {error.lineno}: {error.msg}", "kind": UNREADABLE}
            except (ValueError, RecursionError, MemoryError) as error:
                return {"trouble": f"its cell cannot be read ({error})", "kind": UNREADABLE}
            return {"trouble": f"`def {name}` stands only in a text, or within another function", "kind": UNREADABLE}
    return {"trouble": f"there is no `def {name}`", "kind": RENAMED}


def main():
    job, answer = json.load(sys.stdin, object_hook=understood), os.dup(1)
    write, dumps, leave = os.write, json.dumps, os._exit
    null = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(null, stream)
    for module in ALLOWED:  # before the door is shut
        __import__(module)
    lock(job["seconds"], job["memory"])
    shut()
    data = dumps(answer_to(job, {name: globals()[name] for name in GIVEN})).encode() + b"\n"
    while data:
        data = data[write(answer, data) :]
    leave(0)


if __name__ == "__main__":
    main()
