"""What `make ask` asks and stores of other libraries; none of them is needed for this."""

import json
import re
import sys
import tomllib
from fractions import Fraction
from itertools import combinations, permutations
from statistics import mean
from pathlib import Path

import pytest
from tools.surveys import ap_at_k, ties
from tools.surveys.ap_at_k import DENOMINATORS, EXAMPLES, LIBRARIES, SURVEY, diagnosis, ours
from tools.surveys.survey import answer, changes, fits

import metrics
from metrics.exact import definitions

ROOT = Path(__file__).resolve().parent.parent
ENTRIES = SURVEY.read()["libraries"]
EXTRA = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]["wild"]
APART = re.findall(r"^(?:OLD|BESIDE) := (.*)$", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
def pins(lines):
    return dict(line.split("==") for line in lines)


def as_called(example, denominator):
    """What the package gives, in the form in which answers are stored."""
    return round(ours(example, denominator), 6)


# ---- What is stored --------------------------------------------------------------------------------------


def test_the_stored_text_is_of_these_examples_and_libraries():
    assert SURVEY.stored.read_text(encoding="utf-8") == SURVEY.to_text(ENTRIES)
    assert SURVEY.read()["examples"] == [example._asdict() for example in EXAMPLES]
    assert [entry["name"] for entry in ENTRIES] == list(LIBRARIES)


@pytest.mark.parametrize("survey, entries", [(SURVEY, ENTRIES), (ties.SURVEY, ties.SURVEY.read()["libraries"])], ids=["AP@k", "ties"])
def test_an_entry_is_of_the_library_as_it_is_asked_and_of_the_pinned_version(survey, entries):
    for entry in entries:
        library = survey.libraries[entry["name"]]
        assert [field for field, value in entry.items() if field in getattr(library, "_fields", vars(library)) and value != json.loads(json.dumps(getattr(library, field)))] == []
        assert entry["version"] == pins(" ".join(APART).split() if library.beside else EXTRA)[entry["package"]]
        values = entry.get("values", [])
        listed = [*values.values(), entry["of_many"].values()] if isinstance(values, dict) else [values]
        assert all(isinstance(value, float) and 0 <= value <= 1 or value == "undefined" for each in listed for value in each)


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry["name"])
def test_the_stored_diagnosis_follows_from_the_stored_values(entry):
    assert entry["diagnosis"] == diagnosis(entry["values"])
    [denominator] = entry["diagnosis"]
    for example, value in zip(EXAMPLES, entry["values"]):
        ranking = dict(relevance=example.relevance, k=example.k, n_relevant=example.n_relevant)
        expected = metrics.average_precision_at(**ranking, denominator=denominator)
        assert value == pytest.approx(expected, abs=1e-6) or expected != expected


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


# ---- Ties: what is stored --------------------------------------------------------------------------------

TIES = ties.SURVEY.read()["libraries"]
SCORED = [entry for entry in TIES if entry["takes"] == "scores"]
ANSWERS = [(entry, metric) for entry in SCORED for metric in entry["values"]]
def of(answers):
    return [f"{metric} of {entry['name']}" for entry, metric in answers]


def test_the_stored_ties_are_of_these_examples_and_libraries():
    assert ties.SURVEY.stored.read_text(encoding="utf-8") == ties.SURVEY.to_text(TIES)
    assert ties.SURVEY.read()["examples"] == json.loads(json.dumps([ties.described(example) for example in ties.EXAMPLES]))
    assert [entry["name"] for entry in TIES] == list(ties.LIBRARIES)
    assert {library.package for library in LIBRARIES.values()} <= {entry["package"] for entry in TIES}


def test_nothing_of_this_machine_is_stored():
    text = SURVEY.stored.read_text(encoding="utf-8") + re.sub(r"https://github\.com/[\w./-]+", "", ties.SURVEY.stored.read_text(encoding="utf-8"))
    assert not re.search(r"https?:|(?<![\w.])/(home|root|tmp|usr|opt|work)\b", text)


@pytest.mark.parametrize("entry", SCORED, ids=lambda entry: entry["name"])
def test_what_is_said_of_ties_follows_from_the_stored_values(entry):
    assert entry == ties.entry(entry["name"], ties.LIBRARIES[entry["name"]], entry)


# The same once more, with other means: the shipped functions, over every order of the items that the scores allow.

SHIPPED = {
    "AP": lambda rows, k: metrics.average_precision(rows),
    "P@k": metrics.precision_at,
    "RR": lambda rows, k: metrics.reciprocal_rank(rows),
    "nDCG@k": metrics.ndcg,
    "AUC": lambda rows, k: metrics.auc(rows),
}


def allowed(example):
    """Every order of the items in which no score is below a later one."""
    orders = permutations(range(len(example.ids)))
    return [order for order in orders if all(example.scores[i] >= example.scores[j] for i, j in zip(order, order[1:]))]


def by_all_orders(example, metric, rule):
    """The value of a rule, from the list of all allowed orders."""
    orders = allowed(example)
    named = [tuple(example.ids[item] for item in order) for order in orders]
    values = SHIPPED[metric]([[example.relevance[item] for item in order] for order in orders], example.k)
    if rule == "one threshold per block of equal scores":
        relevant = [score for score, hit in zip(example.scores, example.relevance) if hit]
        return mean(sum(score >= each for score in relevant) / sum(score >= each for score in example.scores) for each in relevant)
    if rule == "half a pair":
        return metrics.auc_from_scores(scores=example.scores, labels=example.relevance)
    levels = [example.scores[item] for item in orders[0]]
    tied = [(i, i + 1) for i in range(len(levels) - 1) if levels[i] == levels[i + 1]]
    keep = {
        "input order": lambda order, names: all(order[i] < order[j] for i, j in tied),
        "reverse input order": lambda order, names: all(order[i] > order[j] for i, j in tied),
        "by id, ascending": lambda order, names: all(names[i] < names[j] for i, j in tied),
        "by id, descending": lambda order, names: all(names[i] > names[j] for i, j in tied),
    }
    if rule in keep:
        [value] = [value for order, names, value in zip(orders, named, values) if keep[rule](order, names)]
        return value
    return {"best": max, "worst": min, "expected over random order": mean}[rule](values.tolist())


@pytest.mark.parametrize("metric", SHIPPED)
def test_the_value_of_a_rule_is_that_over_all_orders(metric):
    for example in ties.SHORT:
        for rule in ties.rules(metric):
            assert ties.expected(example, metric, rule) == pytest.approx(by_all_orders(example, metric, rule), abs=1e-12)


@pytest.mark.parametrize("entry, metric", ANSWERS, ids=of(ANSWERS))
def test_the_stored_rule_fits_over_all_orders_and_no_other_does(entry, metric):
    def is_rule(rule):
        return all(abs(value - by_all_orders(example, metric, rule)) <= 1e-6 for value, example in zip(entry["values"][metric], ties.SHORT))

    rule = entry["rule"][metric]
    assert [each for each in ties.rules(metric) if is_rule(each)] == ([] if rule == "unspecified" else [rule])
    assert entry["rule_in_long_lists"][metric] in (rule, "unspecified")


# ---- Ties: the examples and the rules ----------------------------------------------------------------------


@pytest.mark.parametrize("metric", SHIPPED)
def test_the_examples_tell_the_rules_apart(metric):
    values = {rule: [ties.expected(example, metric, rule) for example in ties.SHORT] for rule in ties.rules(metric)}
    for rule, of_rule in values.items():
        assert ties.fitting(metric, of_rule, ties.SHORT) == [rule] and ties.rule_of(metric, of_rule, ties.SHORT) == rule
        assert ties.rule_of(metric, [*of_rule[:-1], of_rule[-1] + 1e-5], ties.SHORT) == "unspecified"
        assert ties.rule_of(metric, [*of_rule[:-1], "ValueError: no"], ties.SHORT) == "unspecified"


@pytest.mark.parametrize("metric", SHIPPED)
def test_the_long_lists_tell_the_orders_apart(metric):
    for one, other in combinations([*ties.ORDERS, "best", "worst"], 2):
        assert any(ties.expected(example, metric, one) != ties.expected(example, metric, other) for example in ties.LONG)


# ---- Asking ----------------------------------------------------------------------------------------------


def test_an_answer_is_rounded_undefined_or_an_error():
    assert answer(lambda example: 1 / 3, None) == 0.333333
    assert answer(lambda example: float("nan"), None) == "undefined"
    assert answer(lambda example: 1 / 0, None) == "ZeroDivisionError: division by zero"


@pytest.mark.filterwarnings("ignore:No positive class")
def test_what_is_installed_here_answers_as_stored():
    for name in ("pytrec_eval", "scikit-learn"):
        [entry] = [entry for entry in ENTRIES if entry["name"] == name]
        assert [answer(LIBRARIES[name].ask, example) for example in EXAMPLES] == entry["values"]


@pytest.mark.parametrize("name", [
    "pytrec_eval", "scikit-learn", "scikit-learn, ranking of labels",  # not ignore_ties: there, the processor decides
])
def test_what_is_installed_here_treats_ties_as_stored(name):
    [entry] = [entry for entry in TIES if entry["name"] == name]
    found = ties.answers(ties.LIBRARIES[name])
    assert {field: found[field] for field in ("values", "of_many")} == {field: entry[field] for field in ("values", "of_many")}


both = pytest.mark.parametrize("survey, entries", [(SURVEY, ENTRIES), (ties.SURVEY, TIES)], ids=["AP@k", "ties"])


@both
def test_a_change_is_named_and_fails_the_check(survey, entries, monkeypatch, capsys):
    changed = [entries[0] | {"version": "9.9"}, *entries[1:-1]]
    monkeypatch.setattr(survey, "ask_all", lambda stored: (changed, [entries[-1]["name"]]))
    assert survey.main(["--check"]) == 1
    lines = capsys.readouterr().out.splitlines()
    name, last = entries[0]["name"], entries[-1]["name"]
    assert lines == [f"{last}: not installed here", f"{last}: gone", f"{name}: version was {entries[0]['version']}, is 9.9"]


@both
def test_a_check_without_a_change_passes_and_writes_nothing(survey, entries, monkeypatch, capsys):
    monkeypatch.setattr(survey, "ask_all", lambda stored: (entries, []))
    monkeypatch.setattr(survey, "to_text", None)
    assert survey.main(["--check"]) == 0
    assert capsys.readouterr().out == "Nothing has changed.\n"
    assert changes(entries, entries) == []


@both
def test_what_is_missing_keeps_what_is_stored(survey, entries, monkeypatch):
    monkeypatch.setattr(survey, "asked", lambda name: None)
    assert survey.ask_all(entries) == (entries, list(survey.libraries))
    assert survey.ask_all([]) == ([], list(survey.libraries))


@both
def test_it_writes_what_it_found(survey, entries, monkeypatch, tmp_path):
    stored = survey.read()
    monkeypatch.setattr(type(survey), "stored", tmp_path / "stored.json")
    monkeypatch.setattr(survey, "ask_all", lambda stored: (entries, []))
    assert survey.main([]) == 0
    assert json.loads((tmp_path / "stored.json").read_text(encoding="utf-8")) == stored


@both
def test_other_arguments_show_the_usage(survey, entries):
    with pytest.raises(SystemExit, match=f"Usage: python -m tools.surveys.{survey.name}"):
        survey.main(["--chek"])


