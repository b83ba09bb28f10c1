"""A survey of other libraries: the same examples to each, what they answer, and whether that is still what is stored.

    python -m tools.surveys.ties             asks, and stores the answers in book/data/ties.json
    python -m tools.surveys.ties --check     says what differs from it, and exits with 1 if anything does

`make ask` does the latter, in an environment that has the libraries. One that is not installed keeps what is stored of it.
The stored file is the table of what is asked, too: its examples, and what is known of each library. To ask for more, copy a line there.
"""

import json
import math
import os
import subprocess
import sys
from argparse import ArgumentParser
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from metrics.notebook import data

UNDEFINED = "undefined"


@dataclass
class Survey:
    """What is asked, and of whom."""

    name: str  # of the module beside this one that asks, and of the file of its answers
    answers: Callable  # from what is stored of a library, the fields of its answers
    derived: Callable = lambda entry: {}  # from what is stored of a library, the fields that follow from its answers
    beside: tuple = ()  # the libraries that cannot be installed with the others: each package has a folder of its own

    @property
    def path(self):
        return data(f"{self.name}.json")

    def read(self):
        """What is stored: the examples and the libraries."""
        return json.loads(self.path.read_text(encoding="utf-8"))

    def ask(self, entry):
        """What is to be stored of a library now; None if it is not installed."""
        if entry["name"] in self.beside:
            sys.path.insert(0, str(Path(sys.prefix) / "beside" / entry["package"]))
        try:
            found = version(entry["package"]) if entry["package"] else "as documented"
        except PackageNotFoundError:
            return None
        entry = entry | {"version": found} | self.answers(entry)
        return entry | self.derived(entry)

    def ask_apart(self, name):
        """The same from a fresh process, so that two versions of one package never meet."""
        command = [sys.executable, "-m", f"tools.surveys.{self.name}", "--answer", name]
        done = subprocess.run(command, capture_output=True, text=True, env=os.environ | {"PYTHONWARNINGS": "ignore"})
        if done.returncode:
            sys.exit(f"{self.name}: {name} cannot be asked:\n{done.stderr}")
        return json.loads(done.stdout.splitlines()[-1])

    def main(self):
        """Ask, compare, store; with --check, store nothing. Returns what the script exits with."""
        parser = ArgumentParser(prog=f"python -m tools.surveys.{self.name}")
        parser.add_argument("--check", action="store_true", help="only say what differs from what is stored")
        parser.add_argument("--answer", metavar="LIBRARY", help="only print the answers of one")
        options, stored = parser.parse_args(), self.read()
        entries, changes = {entry["name"]: entry for entry in stored["libraries"]}, []
        if options.answer:
            print("\n" + json.dumps(self.ask(entries[options.answer])))
            return 0
        for name, before in entries.items():
            print(f"asking {name}", file=sys.stderr)
            if after := self.ask_apart(name):
                entries[name] = after
                changes += [f"{name}: {key} was {before.get(key)}, is {now}" for key, now in after.items() if before.get(key) != now]
            else:
                print(f"{name}: not installed here")
        print(*changes or ["Nothing has changed."], sep="\n")
        if not options.check:
            self.path.write_text(as_text(stored["examples"], list(entries.values())), encoding="utf-8")
        return int(options.check and bool(changes))


def as_text(examples, libraries):
    """What is stored, as text: an example a line, and a field of a library a line."""
    lines = ",\n".join("    " + json.dumps(example) for example in examples)
    each = ",\n".join("    {\n" + ",\n".join(f"      {json.dumps(key)}: {of_field(value)}" for key, value in entry.items()) + "\n    }" for entry in libraries)
    return f'{{\n  "examples": [\n{lines}\n  ],\n  "libraries": [\n{each}\n  ]\n}}\n'


def of_field(value):
    """A value as JSON, on one line; but a list of objects has a line for each."""
    if isinstance(value, list) and value and isinstance(value[0], dict):
        return "[\n" + ",\n".join(f"        {json.dumps(each)}" for each in value) + "\n      ]"
    return json.dumps(value)


# ---- Those that every survey asks, of judgements and a run: dictionaries of dictionaries ------------------------


def ask_pytrec_eval(measure, qrels, run, level=1):
    """The mean over the queries, as trec_eval takes it."""
    pytrec_eval = import_module("pytrec_eval")
    found = pytrec_eval.RelevanceEvaluator(qrels, {measure}, relevance_level=level).evaluate(run)
    return pytrec_eval.compute_aggregated_measure(measure, [next(iter(each.values())) for each in found.values()])


def ask_ir_measures(measure, qrels, run):
    ir = import_module("ir_measures")
    [value] = ir.calc_aggregate([ir.parse_measure(measure)], qrels, run).values()
    return value


def ask_ranx(measure, qrels, run, **options):
    ranx = import_module("ranx")
    return ranx.evaluate(ranx.Qrels(qrels), ranx.Run(run), measure, **options)


# ---- What they answer ----------------------------------------------------------------------------------------


def answer(ask, *question, digits=6):
    """A value rounded to so many digits, "undefined", or the error."""
    try:
        value = float(ask(*question))
    except ImportError:
        raise  # half installed is no answer
    except Exception as error:
        return f"{type(error).__name__}: {error}".splitlines()[0]
    return UNDEFINED if math.isnan(value) else round(value, digits)


def fits(value, expected):
    """Whether a value is the expected one. What a library says where we have 0/0 is its own choice, and fits."""
    return math.isnan(expected) or (isinstance(value, float) and abs(value - expected) <= 1e-6)
