"""Run one function that a student wrote, in a separate process, and hand its values on as plain numbers.

`check` and the grader start this script by `python -I -S`, and send a job as JSON; where no process can be started, as in a browser, `check` calls
`answer_to` itself. So one rule says what of a notebook is run: what gives a value to a name that the function uses, and nothing else. The
script has no answers; those stay with who asked. Before anything of a student's is read, it locks itself in: on Linux and macOS it can no longer
open or start anything or exceed its limits, and where the system allows it, its root is a folder that is gone. Then Python refuses whatever is not
computing. The lock is a border; the refusal, alone, is no border against a determined attacker.
"""

import ast
import dis
import json
import os
import re
import sys
from contextlib import suppress
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


# ---- Which statements of a notebook a function needs -------------------------------------------------------------


def statements_of(cells):
    """The outermost statements of the cells that can be read, in order: each with the names that it gives a value or changes, and those that it reads."""
    for text in cells:
        try:
            whole = ast.parse(re.sub(r"(?m)^[ \t]*[%!].*", "", text)) if len(text) <= LARGEST_CELL else ast.Module([], [])
            compile(whole, "student", "exec")
            for node in whole.body:
                read, given = names_in(compile(ast.Module([node], []), "student", "exec"))
                match node:
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
    """The names that imports at the beginning of a line would define."""
    found = "\n".join(line for text in cells for line in text.splitlines() if line.startswith(("import ", "from ")))
    return {part.split()[-1].partition(".")[0] for line in found.splitlines() for part in line.rpartition("import ")[2].split(",") if part.strip()}


# ---- Its values --------------------------------------------------------------------------------------------------


def number(value):
    """A value as JSON that loses nothing; a value that is not a number is named by its type."""
    kind = type(value)
    if kind is Fraction:
        return [str(int(value.numerator)), str(int(value.denominator))]
    if kind is int:
        return [str(value), "1"]
    return repr(value) if kind is float else f"a {kind.__name__[:40]}, no int, float or Fraction"


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
            raise ImportError(f"{arguments[0]} is not available here")
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
        if not hasattr(function, "__code__"):
            return missing(job["name"], cells)
        code = function.__code__
        wanted = [name for name in code.co_varnames[: code.co_argcount + code.co_kwonlyargcount] if name in job["names"]]
        for case in job["cases"]:
            handed = dict(zip(job["names"], case))
            try:
                values.append(number(function(**{name: handed[name] for name in wanted})))
            except ZeroDivisionError:
                values.append("undefined")
            if process_time() > end:
                return {"trouble": f"it takes more than {job['seconds']} seconds", "kind": TIME}
    except NotImplementedError:
        return {"trouble": BLANK, "kind": BLANK}
    except BaseException as error:
        at = ", ".join(f"{name} = {value}" for name, value in zip(job["names"], case)) if case else "its definition"
        said = f"at {at} it stops with {type(error).__name__}: {error}"[:300]
        if isinstance(error, ImportError) or (isinstance(error, NameError) and error.name in imported(cells)):
            only = f"homework may import {', '.join(sorted(ALLOWED))} and nothing else"
            return {"trouble": f"{said}; its import is not run, for {only}", "kind": IMPORT}
        return {"trouble": said, "kind": TIME if isinstance(error, MemoryError | RecursionError) else STOPS}
    return {"values": values}


def missing(name, cells):
    """Why there is no function of this name: its cell cannot be read, or the function has another name."""
    others = [found for text in cells for found in re.findall(r"(?m)^[ \t]*def[ \t]+(\w+)", text)]
    if name in others:
        return {"trouble": "its cell cannot be read, or it is not a `def`", "kind": UNREADABLE}
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
