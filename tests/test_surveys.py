"""What `make ask` asks and stores of other libraries; none of them is needed for this."""

import json
import re
import tomllib
from itertools import combinations, permutations
from pathlib import Path
from statistics import mean

import pytest

import metrics
from tools.surveys import BESIDE, OLD, rosetta, ties
from tools.surveys.ap_at_k import DENOMINATORS, EXAMPLES, LIBRARIES, SURVEY, diagnosis, ours
from tools.surveys.survey import answer, changes, fits

ROOT = Path(__file__).resolve().parent.parent
ENTRIES = SURVEY.read()["libraries"]
EXTRA = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]["surveys"]


def pins(lines):
    return dict(line.split("==") for line in lines)


def as_called(example, denominator):
    """What the package gives, in the form in which answers are stored."""
    return round(ours(example, denominator), 6)


# ---- What is stored --------------------------------------------------------------------------------------


TIES = ties.SURVEY.read()["libraries"]
ROSETTA = rosetta.SURVEY.read()["libraries"]
both = pytest.mark.parametrize("survey, entries", [(SURVEY, ENTRIES), (ties.SURVEY, TIES)], ids=["AP@k", "ties"])
each = pytest.mark.parametrize("survey, entries", [(SURVEY, ENTRIES), (ties.SURVEY, TIES), (rosetta.SURVEY, ROSETTA)], ids=["AP@k", "ties", "Rosetta"])


@each
def test_the_stored_text_is_of_these_examples_and_libraries(survey, entries):
    text = survey.stored.read_text(encoding="utf-8")
    assert text == survey.to_text(entries) and [entry["name"] for entry in entries] == list(survey.libraries)
    assert survey.read()["examples"] == json.loads(json.dumps([survey.described(example) for example in survey.examples]))
    assert not re.search(r"(?<![\w./-])/(home|root|tmp|usr|opt|work)\b", text), "a path of the machine that asked"


@both
def test_an_entry_is_of_the_library_as_it_is_asked_and_of_the_pinned_version(survey, entries):
    for entry in entries:
        library = survey.libraries[entry["name"]]
        assert entry == entry | json.loads(json.dumps({field: value for field, value in library._asdict().items() if field in entry}))
        assert entry["version"] == pins([*BESIDE, OLD] if library.beside else EXTRA)[entry["package"]]
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

SCORED = [entry for entry in TIES if entry["takes"] == "scores"]
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


# ---- Rosetta: the call of ours gives the number of theirs ---------------------------------------------------


def test_an_input_is_read_from_its_line():
    first, second = rosetta.Example("", "2@1 ? again 0 | 3 0 ; absent | 1").queries.values()
    assert first == (["a", "b", "b", "c"], [1.0, 3.0, 2.0, 1.0], {"a": 2, "c": 0, "d": 3, "e": 0})
    assert (second.items, second.judged) == (None, {"a": 1})


@pytest.mark.parametrize("entry", ROSETTA, ids=lambda entry: entry["name"])
def test_an_entry_of_rosetta_is_of_the_library_as_it_is_asked(entry):
    library = rosetta.LIBRARIES[entry["name"]]
    found = {"version": entry["version"], "values": [row["values"] for row in entry["rows"]]}
    assert entry == json.loads(json.dumps(rosetta.entry(entry["name"], library, found)))
    assert library.source or entry["version"] == pins([*BESIDE, OLD] if library.beside else EXTRA)[entry["package"]]


OURS = [
    pytest.param(rosetta.LIBRARIES[entry["name"]], row, stored["values"], id=f"{entry['name']}: {row.metric}")
    for entry in ROSETTA for row, stored in zip(rosetta.LIBRARIES[entry["name"]].rows, entry["rows"], strict=True)
]


@pytest.mark.parametrize("library, row, values", OURS)
def test_the_call_of_ours_gives_their_number_unless_the_row_says_why_not(library, row, values):
    assert row.but.keys() <= {example.name for example in rosetta.EXAMPLES}
    for example, theirs in zip(rosetta.EXAMPLES, values, strict=True):
        if example.repeats and isinstance(theirs, float):
            with pytest.raises(ValueError, match="a second time"):
                rosetta.ours(library, row, example)
        elif isinstance(theirs, float) or theirs == "undefined":
            mine = rosetta.ours(library, row, example)
            assert rosetta.same(library, row, theirs, mine) == (example.name not in row.but), f"{example}: theirs is {theirs}, ours {mine}"


def test_elasticsearchs_own_tests_expect_what_its_documented_formulas_give():
    assert rosetta.es_dcg([3, 2, 3, 0, 1, 2], []) == pytest.approx(13.84826362927298, abs=1e-13)
    assert rosetta.es_dcg([3, 2, 3, 0, 1, 2], [3, 2, 3, 0, 1, 2], normalize=True) == pytest.approx(13.84826362927298 / 14.595390756454922, abs=1e-13)
    assert rosetta.es_dcg([3, 2, 3, None, 1], []) == pytest.approx(12.779642067948913, abs=1e-13)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", ["trec_eval", "scikit-learn", "Elasticsearch"])
def test_what_is_installed_here_answers_as_rosetta_has_it(name):
    [entry] = [entry for entry in ROSETTA if entry["name"] == name]
    library = rosetta.LIBRARIES[name]
    assert [[rosetta.asked(library, row, example) for example in rosetta.EXAMPLES] for row in library.rows] == [row["values"] for row in entry["rows"]]


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


@each
def test_what_is_found_is_compared_or_written(survey, entries, monkeypatch, capsys, tmp_path):
    assert changes(entries, entries) == []
    first, last = entries[0], entries[-1]["name"]
    changed = [first | {"version": "9.9"}, *entries[1:-1]]
    for found, code, lines in [
        ((changed, [last]), 1, [f"{last}: not installed here", f"{last}: gone", f"{first['name']}: version was {first['version']}, is 9.9"]),
        ((entries, []), 0, ["Nothing has changed."]),
    ]:
        monkeypatch.setattr(survey, "ask_all", lambda stored: found)
        assert (survey.main(["--check"]), capsys.readouterr().out.splitlines()) == (code, lines)
    stored = survey.read()
    monkeypatch.setattr(type(survey), "stored", tmp_path / "stored.json")
    assert survey.main([]) == 0 and json.loads((tmp_path / "stored.json").read_text(encoding="utf-8")) == stored
    with pytest.raises(SystemExit, match=f"Usage: python -m tools.surveys.{survey.name}"):
        survey.main(["--chek"])


@each
def test_what_is_missing_keeps_what_is_stored(survey, entries, monkeypatch):
    monkeypatch.setattr(survey, "asked", lambda name: None)
    assert survey.ask_all(entries) == (entries, list(survey.libraries)) and survey.ask_all([]) == ([], list(survey.libraries))
