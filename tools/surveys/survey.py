"""A survey of other libraries: the same examples to each, what they answer, and whether that is still what is stored.

    python -m tools.surveys.ties             asks, and writes book/data/ties.json
    python -m tools.surveys.ties --check     says what differs from it, and exits with 1 if anything does

`make ask` does the latter, in an environment that has the libraries. One that is not installed keeps what is stored of it.
"""

import json
import math
import os
import subprocess
import sys
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Callable

from metrics.notebook import data

BESIDE = Path(sys.prefix) / "beside"  # what cannot be installed with the others has a folder of its own there
UNDEFINED = "undefined"


@dataclass
class Survey:
    """What is asked of whom, and where the answers lie."""

    name: str  # of the module beside this one that asks, and of the file of its answers
    examples: list
    libraries: dict  # by name; each has a `package`, and `beside` if it is not installed with the others
    answers: Callable  # of a library: what it answers, or None if it is not installed
    entry: Callable  # of a name, a library and its answers: what is stored of it
    described: Callable  # of an example: what is stored of it

    @property
    def stored(self):
        """The file of the answers."""
        return data(f"{self.name}.json")

    def asked(self, name):
        """The answers of a library from a fresh process, so that two versions of one package never meet."""
        command = [sys.executable, "-m", f"tools.surveys.{self.name}", "--answer", name]
        done = subprocess.run(command, capture_output=True, text=True, env=os.environ | {"PYTHONWARNINGS": "ignore"})
        if done.returncode:
            sys.exit(f"{self.name}: {name} cannot be asked:\n{done.stderr}")
        return json.loads(done.stdout.splitlines()[-1])

    def ask_all(self, stored):
        """What is to be stored, and the names of those that are not installed; they keep what is stored of them."""
        kept, entries, missing = {each["name"]: each for each in stored}, [], []
        for name, library in self.libraries.items():
            print(f"asking {name}", file=sys.stderr)
            if found := self.asked(name):
                entries.append(self.entry(name, library, found))
            else:
                missing.append(name)
                entries.extend([kept[name]] if name in kept else [])
        return entries, missing

    def read(self):
        """What is stored."""
        return json.loads(self.stored.read_text(encoding="utf-8"))

    def to_text(self, entries):
        """What is stored, as text: lists of numbers and words on one line."""
        examples = ",\n".join("    " + json.dumps(self.described(example)) for example in self.examples)
        libraries = ",\n".join("    {\n" + ",\n".join(f"      {json.dumps(key)}: {lines(value)}" for key, value in each.items()) + "\n    }" for each in entries)
        return f'{{\n  "examples": [\n{examples}\n  ],\n  "libraries": [\n{libraries}\n  ]\n}}\n'

    def main(self, arguments):
        """Ask, compare, store; with --check, store nothing. Returns what the script exits with."""
        if arguments[:1] == ["--answer"]:
            print("\n" + json.dumps(self.answers(self.libraries[arguments[1]])))
            return 0
        if arguments not in ([], ["--check"]):
            sys.exit(f"Usage: python -m tools.surveys.{self.name} [--check]")
        stored = self.read()["libraries"] if self.stored.exists() else []
        entries, missing = self.ask_all(stored)
        found = changes(stored, entries)
        print(*[f"{name}: not installed here" for name in missing], *found or ["Nothing has changed."], sep="\n")
        if not arguments:
            self.stored.write_text(self.to_text(entries), encoding="utf-8")
        return int(bool(arguments and found))


def lines(value):
    """A value as JSON, on one line; but a list of objects has a line for each."""
    if isinstance(value, list) and value and isinstance(value[0], dict):
        return "[\n" + ",\n".join(f"        {json.dumps(each)}" for each in value) + "\n      ]"
    return json.dumps(value)


def changes(before, after):
    """One line for every field that differs between two lists of entries."""
    before, after = ({each["name"]: each for each in entries} for entries in (before, after))
    lines = [f"{name}: {'new' if name in after else 'gone'}" for name in before.keys() ^ after.keys()]
    return sorted(lines) + [
        f"{name}: {key} was {before[name].get(key)}, is {after[name].get(key)}"
        for name in after if name in before
        for key in after[name] if before[name].get(key) != after[name].get(key)
    ]


def installed(library):
    """The version of a library, from its own folder if it has one; None if it is not installed."""
    if library.beside:
        sys.path.insert(0, str(BESIDE / library.beside))
    try:
        return version(library.package)
    except PackageNotFoundError:
        return None


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
