"""One judge: what `check` says in a sheet or in the page is what a grader says of the same cells.

Both hand the cells of the notebook to the worker, which runs what a task's function uses, apart and without answers. The values that come
back are compared here, as plain numbers. In a browser no process can be started: there `check` asks the worker's own function, in place.
"""

import builtins
import io
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import redirect_stdout
from fractions import Fraction
from functools import cache
from pathlib import Path

from .._base.text import in_a_cell
from ..exact.cases import handed
from . import worker
from .beliefs import UNDEFINED, Verdict, exact, judge

WORKER = Path(__file__).with_name("worker.py")
SECONDS, MEMORY = 10, 1 << 29  # of the processor, and bytes
AT_MOST = SECONDS // 2  # of these seconds for who checks, so that no slower grader disagrees
PATIENCE = 3  # times these seconds, for who sleeps, or has to share the processor
NEEDED = {name: os.environ[name] for name in ("SYSTEMROOT",) if name in os.environ}  # Python does not start on Windows without it
LONGEST_WORDS = 1000  # characters


# ---- For who writes ----------------------------------------------------------------------------------------------


def check(task, function, seconds=AT_MOST):
    """Try a function on all cases of a task, and say how it did; nothing is sent anywhere.

    task: from `metrics.course.task`. function: what the student wrote; it is handed, by name, the arguments that it asks for.
    seconds: the time after which the check gives up. Prints the verdict, and returns nothing. In a notebook the verdict
    is that of a grader: what the cells up to here define is run by itself.

    >>> from metrics.course import task
    >>> def average_precision(relevance):
    ...     ranks = [k for k, relevant in enumerate(relevance, 1) if relevant]
    ...     return sum(Fraction(j, k) for j, k in enumerate(ranks, 1)) / len(ranks)
    >>> check(task("average_precision"), average_precision)
    ✗ average_precision: right in 247 of 755 cases. The smallest case where it is wrong: relevance = [0], n_relevant = 1.
      Yours says undefined; by the definition it is 0.
      Yours is, in every case, what you get if you divide by the hits that you see. What does a relevant item add if it was never ranked?
    """
    print(tried(task, function, seconds))


def tried(task, function, seconds=AT_MOST):
    """The verdict on a function, as `check` prints it. For a test of your own, write `assert tried(task("average_precision"), average_precision).right`."""
    cells = cells_here()
    if any(task.name in given for _, given, _ in worker.statements_of(cells)):
        return answered(task, cells, seconds)
    return tried_live(task, function, seconds)


def cells_here():
    """What was run in this notebook so far, cell by cell, or the script that is run; nothing where there is neither."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    if history := getattr(getattr(shell, "history_manager", None), "input_hist_raw", None):
        return [text for text in history if text]
    try:
        return [Path(sys.modules["__main__"].__file__).read_text(encoding="utf-8-sig")]
    except (AttributeError, TypeError, OSError, ValueError):
        return []


def tried_live(task, function, seconds):
    """The verdict on a function that neither a cell of a notebook nor the script defines."""
    try:
        call = handed(function, task.cases.names)
    except TypeError as error:
        return Verdict(task, trouble=str(error))
    start, values = time.monotonic(), []
    for case in task.cases.make():
        try:
            values.append(exact(call(tuple(list(part) if isinstance(part, tuple) else part for part in case))))
        except ZeroDivisionError:
            values.append(UNDEFINED)
        except NotImplementedError:
            return Verdict(task, trouble=worker.BLANK, kind=worker.BLANK)
        except Exception as error:
            return Verdict(task, trouble=f"at {task.describe(case)} {worker.stopped(error)}", kind=worker.STOPS)
        if time.monotonic() - start > seconds:
            return Verdict(task, trouble=f"after {seconds} seconds the function was not done; it was at {task.describe(case)}", kind=worker.TIME)
    return judge(task, values)


# ---- For who judges ----------------------------------------------------------------------------------------------


def answered(task, cells, seconds=None):
    """The verdict on the function that these cells define for a task."""
    said = ran(task, cells, seconds or SECONDS)
    return Verdict(task, **said) if "trouble" in said else judge(task, map(understood, said["values"]))


def ran(task, cells, seconds):
    """What the worker says about a task: {"values": a list} or {"trouble": the reason why there is none, "kind": one of those that the worker names}."""
    cases = list(task.cases.make())
    job = {"name": task.name, "names": task.cases.names, "asked": task.asked, "cases": cases, "cells": cells, "seconds": seconds, "memory": MEMORY}
    job = json.dumps(job, default=written)
    if sys.platform == "emscripten":
        return told(json.dumps(ran_here(json.loads(job, object_hook=worker.understood))))
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryFile() as answer:  # a file: the system limits its size
        command = [*alone(), sys.executable, "-I", "-S", str(WORKER)]
        with subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=answer, stderr=subprocess.DEVNULL, cwd=folder, env=NEEDED, start_new_session=True
        ) as process:
            try:
                process.communicate(job.encode(), timeout=seconds * PATIENCE)
            except subprocess.TimeoutExpired:
                pass
            finally:
                end(process)
        answer.seek(0)
        return told(answer.read(worker.LARGEST_ANSWER), seconds)


def ran_here(job):
    """What the worker would say, from this process, with the builtins that are left to a function there."""

    def only_allowed(name, *given, **more):
        if not worker.allowed(name):
            raise ImportError(f"{name} is not available here", name=name)
        return __import__(name, *given, **more)

    def refused(*_, **__):
        raise PermissionError("this is not allowed here")

    left = vars(builtins) | {"__import__": only_allowed, "open": refused, "input": refused}
    with redirect_stdout(io.StringIO()):
        return worker.answer_to(job, {"Fraction": Fraction, "__builtins__": left})


def written(value):
    """A set or a fraction as JSON that the worker can read."""
    return {"fraction": [value.numerator, value.denominator]} if isinstance(value, Fraction) else {"set": list(value)}


def told(answer, seconds=SECONDS):
    """What was written by a worker, or by a student who has taken the worker over: a list of values or, in words, what went wrong."""
    try:
        said = json.loads(answer)
    except (ValueError, RecursionError):
        said = None
    match said:
        case {"values": list(values)}:
            return {"values": values}
        case {"trouble": str(words), "kind": str(kind)}:
            return {"trouble": in_a_cell(words)[:LONGEST_WORDS], "kind": kind if kind in worker.KINDS else worker.STOPS}
    return {"trouble": f"there is no answer; a function may take {seconds} seconds and {MEMORY >> 20} megabytes", "kind": worker.TIME}


def understood(value):
    """The exact value of a number that the worker wrote; for anything else, a few words."""
    try:
        match value:
            case [str(top), str(bottom)] if len(top + bottom) <= LONGEST_WORDS:
                return exact(Fraction(int(top), int(bottom)))
            case str() if value != UNDEFINED:
                return exact(float(value))
    except (ValueError, ZeroDivisionError):
        pass
    return in_a_cell(value[:80]) if isinstance(value, str) else "not a number that can be read"


@cache
def alone():
    """The words that, put before a command, hide the network and other processes from it; none where the system cannot do this."""
    for user in ([], ["--user", "--map-root-user"]):
        words = ["unshare", *user, "--net", "--ipc", "--pid", "--fork", "--kill-child", "--"]
        try:
            if subprocess.run([*words, "true"], capture_output=True, timeout=10).returncode == 0:
                return words
        except (OSError, subprocess.TimeoutExpired):
            break
    return []


def end(process):
    """Stop a worker, and whatever it may have started."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except AttributeError:  # Windows
        process.kill()
    except ProcessLookupError:
        pass
