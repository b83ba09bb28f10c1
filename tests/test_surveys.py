"""What `make ask` asks and stores of other libraries; most of them are not needed for this."""

import json
import re
import sys
import tomllib
from pathlib import Path

import pytest

from tools.surveys import BESIDE, OLD, ap_at_k, rosetta, ties
from tools.surveys.survey import answer, as_text

ROOT = Path(__file__).resolve().parent.parent
PINNED = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]["surveys"]
SURVEYS = {module.SURVEY.name: module.SURVEY for module in (ap_at_k, ties, rosetta)}
STORED = {name: {entry["name"]: entry for entry in survey.read()["libraries"]} for name, survey in SURVEYS.items()}


# ---- What is stored --------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", SURVEYS)
def test_what_is_said_of_a_library_follows_from_its_stored_values_of_the_pinned_version(name):
    survey, pins = SURVEYS[name], {True: [*BESIDE, OLD], False: PINNED}
    for entry in STORED[name].values():
        assert entry == json.loads(json.dumps(entry | survey.derived(entry)))
        assert entry["package"] == "" or f"{entry['package']}=={entry['version']}" in pins[entry["name"] in survey.beside]
    text = survey.path.read_text(encoding="utf-8")
    assert text == as_text(survey.read()["examples"], STORED[name].values())
    assert not re.search(r"(?<![\w./-])/(home|root|tmp|usr|opt|work)\b", text), "a path of the machine that asked"


def test_no_stored_value_is_an_error():
    values = [value for entry in STORED["ap_at_k"].values() for value in entry["values"]]
    scored = [entry for entry in STORED["ties"].values() if entry["takes"] == "scores"]
    values += [value for entry in scored for of_all in (*entry["values"].values(), entry["of_many"].values()) for value in of_all]
    assert all(value == "undefined" or 0 <= value <= 1 for value in values)


@pytest.mark.parametrize("metric", ties.METRICS)
def test_the_examples_tell_the_rules_for_ties_apart(metric):
    for rule in ties.rules(metric):
        values = [ties.expected(example, metric, rule) for example in ties.SHORT]
        assert ties.rule_of(metric, values, ties.SHORT) == rule
        assert ties.rule_of(metric, [*values[:-1], values[-1] + 1e-5], ties.SHORT) == "unspecified"


OURS = [pytest.param(library, row, id=f"{library['name']}: {row['metric']}") for library in STORED["rosetta"].values() for row in library["rows"]]


@pytest.mark.parametrize("library, row", OURS)
def test_the_call_of_ours_gives_their_number_unless_the_row_says_why_not(library, row):
    assert row["but"].keys() <= {example.name for example in rosetta.EXAMPLES}
    for example, theirs in zip(rosetta.EXAMPLES, row["values"], strict=True):
        if example.repeats and isinstance(theirs, float):
            with pytest.raises(ValueError, match="a second time"):
                rosetta.ours(library, row, example)
        elif isinstance(theirs, float) or theirs == "undefined":
            mine = rosetta.ours(library, row, example)
            assert rosetta.same(library, row, theirs, mine) == (example.name not in row["but"]), f"{example}: theirs is {theirs}, ours {mine}"


def test_elasticsearchs_own_tests_expect_what_its_documented_formulas_give():
    assert rosetta.es_dcg([3, 2, 3, 0, 1, 2], []) == pytest.approx(13.84826362927298, abs=1e-13)
    assert rosetta.es_dcg([3, 2, 3, 0, 1, 2], [3, 2, 3, 0, 1, 2], normalize=True) == pytest.approx(13.84826362927298 / 14.595390756454922, abs=1e-13)
    assert rosetta.es_dcg([3, 2, 3, None, 1], []) == pytest.approx(12.779642067948913, abs=1e-13)


# ---- Asking ----------------------------------------------------------------------------------------------


def test_an_answer_is_rounded_undefined_or_an_error():
    assert answer(lambda example: 1 / 3, None) == 0.333333
    assert answer(lambda example: float("nan"), None) == "undefined"
    assert answer(lambda example: 1 / 0, None) == "ZeroDivisionError: division by zero"


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("survey, name", [
    ("ap_at_k", "pytrec_eval"), ("ap_at_k", "scikit-learn"), ("rosetta", "trec_eval"), ("rosetta", "scikit-learn"), ("rosetta", "Elasticsearch"),
    ("ties", "pytrec_eval"), ("ties", "scikit-learn"), ("ties", "scikit-learn, ranking of labels"),  # not ignore_ties: there, the processor decides
])
def test_what_is_installed_here_answers_as_stored(survey, name):
    stored = STORED[survey][name]
    assert json.loads(json.dumps(SURVEYS[survey].ask(stored))) == stored


@pytest.mark.parametrize("name", SURVEYS)
def test_what_differs_is_said_or_stored_and_what_is_missing_stays(name, monkeypatch, capsys, tmp_path):
    survey, entries, stored = SURVEYS[name], STORED[name], tmp_path / "stored.json"
    first, *_, last = entries.values()
    text = survey.path.read_text(encoding="utf-8")
    stored.write_text(text, encoding="utf-8")
    monkeypatch.setattr(type(survey), "path", stored)

    def told(version, *options):
        """The exit code and what is printed, if the first library answers from this version and the last is missing."""
        found = entries | {first["name"]: first | {"version": version}, last["name"]: None}
        monkeypatch.setattr(survey, "ask_apart", found.get)
        monkeypatch.setattr(sys, "argv", ["", *options])
        return survey.main(), capsys.readouterr().out.removeprefix(f"{last['name']}: not installed here\n")

    changed = f"{first['name']}: version was {first['version']}, is 9.9\n"
    assert told(first["version"], "--check") == (0, "Nothing has changed.\n") and told("9.9", "--check") == (1, changed)
    assert stored.read_text(encoding="utf-8") == text
    assert told("9.9") == (0, changed)
    assert stored.read_text(encoding="utf-8") == text.replace(f'"version": "{first["version"]}"', '"version": "9.9"', 1)
