"""What `make ask` asks and stores of other libraries; none of them is needed for this."""

import json
import re
import sys
import tomllib
from itertools import combinations
from pathlib import Path

import pytest
from data import ask_libraries
from data.ask_libraries import DENOMINATORS, EXAMPLES, LIBRARIES, STORED, changes, diagnosis, fits, ours, read, to_text

import metrics

ROOT = Path(__file__).resolve().parent.parent
ENTRIES = read()["libraries"]
EXTRA = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]["wild"]
APART = re.findall(r"^(?:OLD|BESIDE) := (.*)$", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
FIELDS = ["name", "package", "version", "licence", "call", "takes_relevant", "takes_k", "note", "values", "diagnosis"]


def pins(lines):
    return dict(line.split("==") for line in lines)


def as_called(example, denominator):
    """What the package gives, in the form in which answers are stored."""
    return round(ours(example, denominator), 6)


# ---- What is stored --------------------------------------------------------------------------------------


def test_the_stored_text_is_of_these_examples_and_libraries():
    assert STORED.read_text(encoding="utf-8") == to_text(ENTRIES)
    assert read()["examples"] == [example._asdict() for example in EXAMPLES]
    assert [entry["name"] for entry in ENTRIES] == list(LIBRARIES)


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry["name"])
def test_an_entry_is_well_formed(entry):
    library = LIBRARIES[entry["name"]]
    assert list(entry) == FIELDS
    assert all(entry[field] == getattr(library, field) for field in ("package", "licence", "call", "takes_relevant", "takes_k", "note"))
    assert re.fullmatch(r"\d+(\.\d+)+", entry["version"])
    assert entry["licence"] and len(entry["values"]) == len(EXAMPLES)
    assert all(isinstance(value, float) and 0 <= value <= 1 or value == "undefined" for value in entry["values"])


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry["name"])
def test_the_stored_diagnosis_follows_from_the_stored_values(entry):
    assert entry["diagnosis"] == diagnosis(entry["values"])
    [denominator] = entry["diagnosis"]
    for example, value in zip(EXAMPLES, entry["values"]):
        ranking = dict(relevance=example.relevance, k=example.k, n_relevant=example.n_relevant)
        expected = metrics.average_precision_at(**ranking, denominator=denominator)
        assert value == pytest.approx(expected, abs=1e-6) or expected != expected


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry["name"])
def test_the_stored_version_is_the_pinned_one(entry):
    pinned = pins(" ".join(APART).split()) if LIBRARIES[entry["name"]].beside else pins(EXTRA)
    assert entry["version"] == pinned[entry["package"]]


def test_every_denominator_is_met():
    assert {name for entry in ENTRIES for name in entry["diagnosis"]} == set(DENOMINATORS)


def test_nothing_of_this_machine_is_stored():
    assert not re.search(r"https?:|(?<![\w.])/(home|root|tmp|usr|opt|work)\b", STORED.read_text(encoding="utf-8"))


# ---- The examples and the diagnosis ----------------------------------------------------------------------


@pytest.mark.parametrize("one, other", list(combinations(DENOMINATORS, 2)))
def test_the_examples_tell_the_denominators_apart(one, other):
    assert any(not fits(as_called(example, one), ours(example, other)) for example in EXAMPLES)


@pytest.mark.parametrize("denominator", DENOMINATORS)
def test_the_values_of_a_denominator_are_diagnosed_as_it(denominator):
    values = [0.0 if value != value else value for value in (as_called(example, denominator) for example in EXAMPLES)]
    assert diagnosis(values) == [denominator]
    assert diagnosis([*values[:-1], values[-1] + 1e-5]) == ["none"]
    assert diagnosis([*values[:-1], "ValueError: no"]) == ["none"]


def test_the_items_of_an_example_are_as_many_as_it_says():
    for example in EXAMPLES:
        ranked = [item for item in example.ranking if item in example.relevant]
        assert len(set(example.relevant)) == len(example.relevant) == example.n_relevant
        assert len(ranked) == sum(example.relevance) == example.n_relevant - example.missing
        assert sorted(example.scores, key=example.scores.get, reverse=True) == example.ranking


# ---- Asking ----------------------------------------------------------------------------------------------


def test_an_answer_is_rounded_undefined_or_an_error():
    assert ask_libraries.answer(lambda example: 1 / 3, None) == 0.333333
    assert ask_libraries.answer(lambda example: float("nan"), None) == "undefined"
    assert ask_libraries.answer(lambda example: 1 / 0, None) == "ZeroDivisionError: division by zero"


def test_what_is_not_installed_is_no_answer():
    assert ask_libraries.answers(ask_libraries.Library("no-such-package", "", None, "")) is None


@pytest.mark.filterwarnings("ignore:No positive class")
def test_what_is_installed_here_answers_as_stored():
    for name in ("pytrec_eval", "scikit-learn"):
        [entry] = [entry for entry in ENTRIES if entry["name"] == name]
        assert [ask_libraries.answer(LIBRARIES[name].ask, example) for example in EXAMPLES] == entry["values"]


def test_a_change_is_named_and_fails_the_check(monkeypatch, capsys):
    changed = [ENTRIES[0] | {"version": "9.9"}, *ENTRIES[1:-1]]
    monkeypatch.setattr(ask_libraries, "ask_all", lambda stored: (changed, [ENTRIES[-1]["name"]]))
    assert ask_libraries.main(["--check"]) == 1
    lines = capsys.readouterr().out.splitlines()
    name, last = ENTRIES[0]["name"], ENTRIES[-1]["name"]
    assert lines == [f"{last}: not installed here", f"{last}: gone", f"{name}: version was {ENTRIES[0]['version']}, is 9.9"]


def test_a_check_without_a_change_passes_and_writes_nothing(monkeypatch, capsys, tmp_path):
    monkeypatch.setattr(ask_libraries, "ask_all", lambda stored: (ENTRIES, []))
    monkeypatch.setattr(ask_libraries, "to_text", None)
    assert ask_libraries.main(["--check"]) == 0
    assert capsys.readouterr().out == "Nothing has changed.\n"
    assert changes(ENTRIES, ENTRIES) == []


def test_what_is_missing_keeps_what_is_stored(monkeypatch):
    monkeypatch.setattr(ask_libraries, "asked", lambda name: None)
    assert ask_libraries.ask_all(ENTRIES) == (ENTRIES, list(LIBRARIES))
    assert ask_libraries.ask_all([]) == ([], list(LIBRARIES))


def test_it_writes_what_it_found(monkeypatch, tmp_path):
    monkeypatch.setattr(ask_libraries, "STORED", tmp_path / "stored.json")
    monkeypatch.setattr(ask_libraries, "ask_all", lambda stored: (ENTRIES, []))
    assert ask_libraries.main([]) == 0
    assert json.loads((tmp_path / "stored.json").read_text(encoding="utf-8")) == read()


def test_other_arguments_show_the_usage():
    with pytest.raises(SystemExit, match="Usage"):
        ask_libraries.main(["--chek"])


def test_the_others_are_not_imported():
    assert not {"ranx", "torch", "haystack", "ragas", "llama_index"} & sys.modules.keys()
