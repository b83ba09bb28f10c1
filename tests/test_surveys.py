"""What `make ask` asks and stores of other libraries; most of them are not needed for this."""

import json
import re
import tomllib
from itertools import combinations
from pathlib import Path

import pytest

import metrics
from tools.surveys import BESIDE, OLD, ap_at_k, rosetta, ties
from tools.surveys.survey import answer, changes

ROOT = Path(__file__).resolve().parent.parent
PINNED = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]["surveys"]
SURVEYS = [ap_at_k.SURVEY, ties.SURVEY, rosetta.SURVEY]
STORED = {survey.name: survey.read()["libraries"] for survey in SURVEYS}
each = pytest.mark.parametrize("survey", SURVEYS, ids=lambda survey: survey.name)


def stored_of(survey, name):
    [entry] = [entry for entry in STORED[survey.name] if entry["name"] == name]
    return entry


def made(survey, name, found):
    """What is stored of a library that gives these answers."""
    return json.loads(json.dumps(survey.entry(name, survey.libraries[name], found)))


# ---- What is stored --------------------------------------------------------------------------------------


@each
def test_the_stored_text_is_of_these_examples_and_libraries(survey):
    text = survey.stored.read_text(encoding="utf-8")
    assert text == survey.to_text(STORED[survey.name]) and [entry["name"] for entry in STORED[survey.name]] == list(survey.libraries)
    assert survey.read()["examples"] == json.loads(json.dumps([survey.described(example) for example in survey.examples]))
    assert not re.search(r"(?<![\w./-])/(home|root|tmp|usr|opt|work)\b", text), "a path of the machine that asked"


@each
def test_what_is_said_of_a_library_follows_from_the_table_and_the_stored_values_of_the_pinned_version(survey):
    pins = {True: dict(pin.split("==") for pin in [*BESIDE, OLD]), False: dict(pin.split("==") for pin in PINNED)}
    for entry in STORED[survey.name]:
        library = survey.libraries[entry["name"]]
        found = entry | {"values": [row["values"] for row in entry["rows"]]} if "rows" in entry else entry
        assert entry == made(survey, entry["name"], found)
        assert entry["package"] == "" or entry["version"] == pins[bool(library.beside)][entry["package"]]


def test_no_stored_value_is_an_error():
    values = [value for entry in STORED["ap_at_k"] for value in entry["values"]]
    scored = [entry for entry in STORED["ties"] if entry["takes"] == "scores"]
    values += [value for entry in scored for of_all in (*entry["values"].values(), entry["of_many"].values()) for value in of_all]
    assert all(value == "undefined" or 0 <= value <= 1 for value in values)


# ---- AP@k and ties: the examples tell the conventions apart ------------------------------------------------


@pytest.mark.parametrize("denominator", ap_at_k.DENOMINATORS)
def test_the_values_of_a_denominator_are_diagnosed_as_it(denominator):
    values = [ap_at_k.ours(example, denominator) for example in ap_at_k.EXAMPLES]
    values = [round(value, 6) if value == value else 0.0 for value in values]
    assert ap_at_k.diagnosis(values) == [denominator]
    assert ap_at_k.diagnosis([*values[:-1], values[-1] + 1e-5]) == ap_at_k.diagnosis([*values[:-1], "ValueError: no"]) == ["none"]


@pytest.mark.parametrize("metric", ties.METRICS)
def test_the_values_of_a_rule_are_found_to_be_of_it(metric):
    values = {rule: [ties.expected(example, metric, rule) for example in ties.SHORT] for rule in ties.rules(metric)}
    for rule, of_rule in values.items():
        assert ties.fitting(metric, of_rule, ties.SHORT) == [rule] and ties.rule_of(metric, of_rule, ties.SHORT) == rule
        assert ties.rule_of(metric, [*of_rule[:-1], of_rule[-1] + 1e-5], ties.SHORT) == "unspecified"
        assert ties.rule_of(metric, [*of_rule[:-1], "ValueError: no"], ties.SHORT) == "unspecified"
    for one, other in combinations([*ties.ORDERS, "best", "worst"], 2):
        assert any(ties.expected(example, metric, one) != ties.expected(example, metric, other) for example in ties.LONG)


SHIPPED = {  # a function of a ranking, and its mean over all orders of equal scores, which has a closed form
    "AP": (lambda rows, k: metrics.average_precision(rows), lambda example, **both: metrics.ties.average_precision(example.relevance, **both)),
    "P@k": (metrics.precision_at, lambda example, **both: metrics.ties.precision_at(example.relevance, k=example.k, **both)),
    "RR": (lambda rows, k: metrics.reciprocal_rank(rows), lambda example, **both: metrics.ties.reciprocal_rank(example.relevance, **both)),
    "nDCG@k": (metrics.ndcg, lambda example, **both: metrics.ties.ndcg(example.relevance, k=example.k, **both)),
    "AUC": (lambda rows, k: metrics.auc(rows), lambda example, scores: metrics.auc_from_scores(scores=scores, labels=example.relevance)),
}


@pytest.mark.parametrize("metric", ties.METRICS)
def test_the_rules_that_no_library_follows_give_what_the_package_gives(metric):
    of_ranking, mean = SHIPPED[metric]
    for example in ties.SHORT:
        by_hand = {rule: of_ranking(getattr(metrics.ties, rule)(example.relevance, scores=example.scores), example.k) for rule in ("best", "worst")}
        by_hand[ties.HALF if metric == "AUC" else ties.RANDOM] = mean(example, scores=example.scores)
        assert {rule: ties.expected(example, metric, rule) for rule in by_hand} == pytest.approx(by_hand, abs=1e-12)


# ---- Rosetta: the call of ours gives the number of theirs ---------------------------------------------------


def test_an_input_is_read_from_its_line():
    first, second = rosetta.Example("", "2@1 ? again 0 | 3 0 ; absent | 1").queries.values()
    assert first == (["a", "b", "b", "c"], [1.0, 3.0, 2.0, 1.0], {"a": 2, "c": 0, "d": 3, "e": 0})
    assert (second.items, second.judged) == (None, {"a": 1})


OURS = [
    pytest.param(rosetta.LIBRARIES[entry["name"]], row, stored["values"], id=f"{entry['name']}: {row.metric}")
    for entry in STORED["rosetta"] for row, stored in zip(rosetta.LIBRARIES[entry["name"]].rows, entry["rows"], strict=True)
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


# ---- Asking ----------------------------------------------------------------------------------------------


def test_an_answer_is_rounded_undefined_or_an_error():
    assert answer(lambda example: 1 / 3, None) == 0.333333
    assert answer(lambda example: float("nan"), None) == "undefined"
    assert answer(lambda example: 1 / 0, None) == "ZeroDivisionError: division by zero"


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("survey, name", [
    (ap_at_k.SURVEY, "pytrec_eval"), (ap_at_k.SURVEY, "scikit-learn"), (rosetta.SURVEY, "trec_eval"), (rosetta.SURVEY, "scikit-learn"),
    (rosetta.SURVEY, "Elasticsearch"), (ties.SURVEY, "pytrec_eval"), (ties.SURVEY, "scikit-learn"),
    (ties.SURVEY, "scikit-learn, ranking of labels"),  # not ignore_ties: there, the processor decides
])
def test_what_is_installed_here_answers_as_stored(survey, name):
    assert made(survey, name, survey.answers(survey.libraries[name])) == stored_of(survey, name)


@each
def test_what_is_found_is_compared_or_written(survey, monkeypatch, capsys, tmp_path):
    entries = STORED[survey.name]
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
def test_what_is_missing_keeps_what_is_stored(survey, monkeypatch):
    entries = STORED[survey.name]
    monkeypatch.setattr(survey, "asked", lambda name: None)
    assert survey.ask_all(entries) == (entries, list(survey.libraries)) and survey.ask_all([]) == ([], list(survey.libraries))
