"""Run one function that a student wrote, in a separate process, and hand its values to the grader as plain numbers.

The grader starts this script by `python -I -S`, and sends a job as JSON. The script has no answers; those stay with the grader. Before
anything of a student's is read, it locks itself in: on Linux and macOS it can no longer open or start anything or exceed its limits, and where
the system allows it, its root is a folder that is gone. Then Python refuses whatever is not computing. The lock is a border; the refusal,
alone, is no border against a determined attacker.
"""

import ast
import json
import os
import re
import sys
from contextlib import suppress
from fractions import Fraction

ALLOWED = set(
    """abc bisect collections copy dataclasses decimal enum fractions functools heapq itertools math numbers operator random re
    statistics string typing""".split()
)
LARGEST_CELL = 100_000  # characters
LARGEST_ANSWER = 1 << 20  # bytes
GIVEN = ("Fraction",)  # names of the sheet that nobody can give another meaning


def definitions_of(cells):
    """The imports from the short list, constants, functions and classes, in order, each with the names that it defines and with its syntax tree."""
    for text in cells:
        try:
            statements = ast.parse(re.sub(r"(?m)^[ \t]*[%!].*", "", text)).body if len(text) <= LARGEST_CELL else []
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            continue
        for node in statements:
            names = defined(node)
            if names and not {*names} & {*GIVEN}:
                yield names, node


def imported(cells):
    """The names that imports at the beginning of a line would define."""
    found = "\n".join(line for text in cells for line in text.splitlines() if line.startswith(("import ", "from ")))
    return {part.split()[-1].partition(".")[0] for line in found.splitlines() for part in line.rpartition("import ")[2].split(",") if part.strip()}


def defined(node):
    """The names that a statement defines, if it is run: an import, a constant, a function or a class."""
    match node:
        case ast.FunctionDef() | ast.ClassDef():
            return [node.name]
        case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
            return [name] if constant(node.value) else []
        case ast.Import() if all(each.name.partition(".")[0] in ALLOWED for each in node.names):
            return [each.asname or each.name.partition(".")[0] for each in node.names]
        case ast.ImportFrom(level=0) if (node.module or "").partition(".")[0] in ALLOWED:
            return [each.asname or each.name for each in node.names]
    return []


def constant(value):
    try:
        ast.literal_eval(value)
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
        return False
    return True


def needed(name, definitions):
    """The definitions that a function uses, directly or not, so that no other function in the notebook can disturb it."""
    wanted, before = {name}, set()
    while wanted != before:
        before = set(wanted)
        for names, node in definitions:
            if wanted & {*names}:
                wanted |= {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}
    return [node for names, node in definitions if wanted & {*names}]


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


def main():
    job, answer = json.load(sys.stdin, object_hook=understood), os.dup(1)
    write, dumps, leave = os.write, json.dumps, os._exit
    null = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(null, stream)

    def say(**what):
        data = dumps(what).encode() + b"\n"
        while data:
            data = data[write(answer, data) :]
        leave(0)

    for module in ALLOWED:  # before the door is shut
        __import__(module)
    lock(job["seconds"], job["memory"])
    shut()
    names_of_imports = imported(job["cells"])
    nodes = needed(job["name"], list(definitions_of(job["cells"])))
    if not any(isinstance(node, ast.FunctionDef) and node.name == job["name"] for node in nodes):
        say(trouble="its cell cannot be read, or it is not a `def`")
    inside, values, case = {"__name__": "student", **{name: globals()[name] for name in GIVEN}}, [], None
    try:
        exec(compile(ast.Module(nodes, []), "student", "exec"), inside)
        function = inside[job["name"]]
        code = function.__code__
        wanted = [name for name in code.co_varnames[: code.co_argcount + code.co_kwonlyargcount] if name in job["names"]]
        for case in job["cases"]:
            given = dict(zip(job["names"], case))
            try:
                values.append(number(function(**{name: given[name] for name in wanted})))
            except ZeroDivisionError:
                values.append("undefined")
    except NotImplementedError:
        say(trouble="nothing written yet")
    except BaseException as error:
        at = ", ".join(f"{name} = {value}" for name, value in zip(job["names"], case)) if case else "its definition"
        said = f"at {at} it stops with {type(error).__name__}: {error}"[:300]
        if isinstance(error, NameError) and error.name in names_of_imports:
            said += f"; its import is not run, for homework may import {', '.join(sorted(ALLOWED))} and nothing else"
        say(trouble=said)
    say(values=values)


if __name__ == "__main__":
    main()
