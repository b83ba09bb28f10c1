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
EXTRA = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]["surveys"]
APART = re.findall(r"^(?:OLD|BESIDE) := (.*)$", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
FIELDS = ["name", "package", "version", "licence", "call", "takes_relevant", "takes_k", "note", "values", "diagnosis"]


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


# ---- Ties: what is stored --------------------------------------------------------------------------------

TIES = ties.SURVEY.read()["libraries"]
SCORED = [entry for entry in TIES if entry["takes"] == "scores"]
ANSWERS = [(entry, metric) for entry in SCORED for metric in entry["values"]]
DESCRIBED = ["name", "package", "version", "licence", "note", "takes"]
DERIVED = ["rule", "rule_in_long_lists", "changes_with", "ties_of_its_own"]


def of(answers):
    return [f"{metric} of {entry['name']}" for entry, metric in answers]


def test_the_stored_ties_are_of_these_examples_and_libraries():
    assert ties.SURVEY.stored.read_text(encoding="utf-8") == ties.SURVEY.to_text(TIES)
    assert ties.SURVEY.read()["examples"] == json.loads(json.dumps([ties.described(example) for example in ties.EXAMPLES]))
    assert [entry["name"] for entry in TIES] == list(ties.LIBRARIES)
    assert {library.package for library in LIBRARIES.values()} <= {entry["package"] for entry in TIES}


@pytest.mark.parametrize("entry", TIES, ids=lambda entry: entry["name"])
def test_an_entry_of_ties_is_well_formed(entry):
    library = ties.LIBRARIES[entry["name"]]
    assert all(entry[field] == getattr(library, field) for field in ("package", "licence", "note"))
    assert entry["version"] == (pins(" ".join(APART).split()) if library.beside else pins(EXTRA))[entry["package"]]
    if entry["takes"] == "a list":
        assert list(entry) == DESCRIBED and not library.calls
        return
    assert list(entry) == DESCRIBED + ["calls", "see", "values", "of_many"] + DERIVED
    assert entry["calls"] == library.calls and entry["see"] == list(library.see) and list(entry["of_many"]) == list(library.at_once)
    for field in ("values", "rule", "rule_in_long_lists", "changes_with"):
        assert list(entry[field]) == list(library.calls)
    assert all(isinstance(value, float) and 0 <= value <= 1 for values in [*entry["values"].values(), entry["of_many"].values()] for value in values)
    assert {len(values) for values in entry["values"].values()} == {len(ties.EXAMPLES)}


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


@pytest.mark.parametrize("entry, metric", ANSWERS, ids=of(ANSWERS))
def test_no_answer_is_better_than_the_best_or_worse_than_the_worst(entry, metric):
    for example, value in zip(ties.SHORT + ties.LONG, entry["values"][metric]):
        worst, best = (ties.expected(example, metric, rule) for rule in ("worst", "best"))
        assert worst - 1e-6 <= value <= best + 1e-6


def test_many_queries_at_once_are_as_one_but_for_torchmetrics():
    other = {(entry["name"], metric) for entry in SCORED for metric, value in entry["of_many"].items() if abs(value - entry["values"][metric][0]) > 2e-6}
    assert other == {("torchmetrics", metric) for metric in ("AP", "P@k", "RR")}


def test_every_rule_but_two_is_met():
    met = {rule for entry in SCORED for rule in entry["rule"].values()}
    assert met == {rule for metric in SHIPPED for rule in ties.rules(metric)} - {"best", "worst"} | {"unspecified"}


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


def test_the_expected_auc_counts_half_a_pair():
    for example in ties.SHORT:
        assert definitions.mean(ties.over_all_orders(example, "AUC")) == definitions.auc_from_scores(example.scores, example.relevance)


def test_the_values_of_the_rules_are_exact():
    first = ties.SHORT[0]
    assert definitions.mean(ties.over_all_orders(first, "AP")) == Fraction(25, 48)
    assert ties.one_threshold_per_block(ties.blocks(first)) == Fraction(1, 4)


def test_the_examples_are_what_their_names_say():
    first, last, renamed, *_ = ties.SHORT
    assert (first.scores, first.relevance, first.k) == (renamed.scores, renamed.relevance, renamed.k) and first.ids == renamed.ids[::-1]
    assert (last.ids, last.scores, last.relevance, last.k) == (renamed.ids[::-1], renamed.scores[::-1], renamed.relevance[::-1], renamed.k)
    for example in ties.SHORT:
        descending = sorted(example.scores, reverse=True)
        assert descending[example.k - 1] == descending[example.k]
    *_, numbers = ties.SHORT
    assert sorted(numbers.ids) != sorted(numbers.ids, key=int)
    for example in ties.EXAMPLES:
        assert len(set(example.ids)) == len(example.ids) == len(example.scores) == len(example.relevance)
    for low, high in zip(ties.NEAR[::2], ties.NEAR[1::2]):
        assert low.scores[0] < low.scores[1] and high.scores == low.scores[::-1]
        assert all(ties.expected(example, metric, "worst") == 1 for example in (low, high) for metric in SHIPPED)


# ---- Asking ----------------------------------------------------------------------------------------------


def test_an_answer_is_rounded_undefined_or_an_error():
    assert answer(lambda example: 1 / 3, None) == 0.333333
    assert answer(lambda example: float("nan"), None) == "undefined"
    assert answer(lambda example: 1 / 0, None) == "ZeroDivisionError: division by zero"


def test_what_is_not_installed_is_no_answer():
    assert ap_at_k.answers(ap_at_k.Library("no-such-package", "", None, "")) is None
    assert ties.answers(ties.Library("no-such-package", "")) is None


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


def test_ties_are_asked_in_a_process_of_their_own():
    assert ties.SURVEY.asked("rectools") is None  # one that is not installed with the book


def test_the_others_are_not_imported():
    assert not {"ranx", "torch", "haystack", "ragas", "llama_index"} & sys.modules.keys()
