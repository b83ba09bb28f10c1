"""Nested dictionaries, as pytrec_eval, ranx and BEIR have them, are ordered, paired and refused as the book says."""

import json
import re
from itertools import product

import numpy as np
import pandas as pd
import pytest
import pytrec_eval
from trec_settings import everywhere, typed

import metrics
from metrics import Hits, trec

QRELS = {"q1": {"a": 1, "b": 0}, "q2": {"c": 2}}
SCORES = {"q1": {"a": 0.5, "b": 0.9}, "q2": {"c": 1}}
LISTS = {"q1": ["b", "a"], "q2": ["c"]}
AP = {"q1": {"AP": 0.5}, "q2": {"AP": 1.0}}


def ap(*runs, **options):
    return metrics.evaluate(*runs, "AP", qrels=QRELS, **options).by_query()


def random_runs(seed, ties, kind=str):
    """Judgements and a run, of which some documents, and a query each, are only in one of them."""
    rng = np.random.default_rng(seed)
    score = (lambda: float(rng.integers(4))) if ties else rng.random
    run = {f"q{q}": {kind(d): score() for d in rng.permutation(30).tolist()} for q in range(7)}
    qrels = {f"q{q}": {kind(d): int(rng.integers(-1, 3)) for d in rng.choice(40, 12, replace=False).tolist()} for q in range(1, 8)}
    return qrels, run


def in_order(its, version):
    """The documents as trec_eval puts them, by a plain sort."""
    score = np.float32 if version == 9 else float
    return sorted(its, key=lambda item: (score(its[item]), str(item).encode()), reverse=True)


def test_evaluate_has_the_order_of_trec_eval_and_its_values():
    for kind in (str, int):
        qrels, run = random_runs(5, True, kind)
        found = metrics.evaluate(run, "AP nDCG@10 Bpref", qrels=qrels, missing="skip")
        lists = {query: in_order(its, 9) for query, its in run.items()}
        for other in (metrics.evaluate(lists, "AP nDCG@10 Bpref", qrels=qrels, missing="skip"), trec.evaluate(qrels, run, "AP nDCG@10 Bpref")):
            assert found.by_query() == other.by_query() and found.missing == other.missing == ("q7",) and found.unjudged == ("q0",)


def test_scores_are_compared_in_single_precision_and_whole_numbers_do_not_wrap():
    close = {"q": {"a": 16.0000002, "b": 16.0000001}}
    assert metrics.evaluate(close, "RR", qrels={"q": {"a": 1}})["RR"].tolist() == [0.5]
    assert metrics.evaluate({"q": {"a": 2**63 + 5, "b": 1}}, "RR", qrels={"q": {"a": 1}})["RR"].tolist() == [1]
    assert metrics.evaluate({"q": {"a": 0.0, "b": -0.0, "c": np.inf}}, "RR", qrels={"q": {"a": 1}})["RR"].tolist() == [1 / 3]


def test_the_leaves_say_which_form_it_is():
    assert ap(SCORES) == ap(LISTS) == ap({"q1": np.array(["b", "a"]), "q2": ("c",)}) == AP
    both = metrics.evaluate(relevance={"x": SCORES, "y": LISTS, "z": {"q1": {}, "q2": []}}, measures="AP", qrels=QRELS)
    assert {name: its.mean() for name, its in both.items()} == {"x": {"AP": 0.75}, "y": {"AP": 0.75}, "z": {"AP": 0.0}}
    assert both.compare("x", "z", "AP").n == 2
    assert ap({"q1": {}, "q2": {"c": 1}}) == {"q1": {"AP": 0.0}, "q2": {"AP": 1.0}}
    assert ap({"q1": {}, "q2": {}}) == {"q1": {"AP": 0.0}, "q2": {"AP": 0.0}}
    nothing = metrics.evaluate({"x": {}, "y": SCORES}, "AP", qrels=QRELS, missing="empty")
    assert {name: its["AP"].tolist() for name, its in nothing.items()} == {"x": [0, 0], "y": [0.5, 1]}
    table = {"q1": pd.Series({"a": 0.5, "b": 0.9}), "q2": pd.Series(["c"])}
    assert ap({"q1": table["q1"], "q2": {"c": 1}}) == ap({"q1": ["b", "a"], "q2": table["q2"]}) == AP
    assert metrics.evaluate(SCORES, "AP", qrels={"q1": pd.Series({"a": 1, "b": 0}), "q2": pd.Series(["c"])}).by_query() == AP
    assert metrics.evaluate(SCORES, "AP", qrels={"q1": {"a"}, "q2": ["c"]}).by_query() == AP


def test_what_one_side_lacks_counts_as_it_is_said():
    assert ap({"q1": {"a": 1}}, missing="skip") == {"q1": {"AP": 1.0}}
    some = metrics.evaluate({"q1": {"a": 1}, "q9": {"a": 1}}, "AP P@1", qrels=QRELS, missing="empty", undefined=0)
    assert some.by_query()["q9"]["P@1"] == 0 and np.isnan(some["AP"][2]) and some["AP"][:2].tolist() == [1, 0]
    assert (some.queries, some.missing, some.unjudged) == (("q1", "q2", "q9"), ("q2",), ("q9",))
    hits = Hits.from_ids(rankings={"q2": ["c"], "q9": ["a"]}, relevant=QRELS, missing="empty")
    assert hits.query_ids == ("q1", "q2", "q9") and hits.length.tolist() == [0, 1, 1] and hits.n_relevant.tolist() == [1, 1, 0]


def test_passages_count_as_documents_and_the_unjudged_can_go():
    passages = {"q1": {"a#1": 0.5, "b#0": 0.7, "a#2": 0.9}, "q2": {"c": 1}}
    assert ap(passages, passages="#") == {"q1": {"AP": 1.0}, "q2": {"AP": 1.0}}
    assert ap({"q1": ["x", "b#0", "a#1", "b#2"], "q2": ["c"]}, passages="#", judged_only=True) == AP
    assert ap({"q1": {"x": 2, "b": 1, "a": 0.5}, "q2": {"c": 1}}, judged_only=True) == AP
    by_bytes = metrics.evaluate({"q1": [b"b#0", b"a#1"], "q2": []}, "RR", qrels={"q1": {b"a": 1}, "q2": {b"c": 1}}, passages="#")
    assert by_bytes["RR"].tolist() == [0.5, 0]
    both = {"passages": "#", "judged_only": True}
    for depth, left in ((1, 0), (2, 0), (3, 1)):  # x#2 and x#1 count once, and in the depth; then only a is left
        found = trec.evaluate({"q": {"a": 1, "b": -1}}, {"q": {"x#2": 5, "x#1": 4, "b#0": 3, "a#0": 2, "a#9": 1}}, "RR num_ret", depth=depth, **both)
        assert [found["RR"].item(), found["num_ret"].item()] == [left, left]


def test_what_can_be_gone_through_once_serves_all_systems():
    found = metrics.evaluate({"s1": {"q": ["a", "b"]}, "s2": {"q": ["b", "a"]}}, "AP", qrels={"q": iter(["a"])})
    assert found.mean() == {"s1": {"AP": 1}, "s2": {"AP": 0.5}}


@pytest.mark.parametrize("run", [{"q1": ["a"], "q2": ["x"]}, {"q1": {"a": 1}, "q2": {"x": 1}}])
def test_nothing_is_judged_for_a_query_that_judgements_by_grade_lack(run):
    found = metrics.evaluate(run, "Judged@1", qrels={"q1": {"a": 1}}, missing="empty")
    assert found.by_query() == {"q1": {"Judged@1": 1}, "q2": {"Judged@1": 0}}


@pytest.mark.parametrize("ranked, message", [
    ({"a": 2, "b": 1, "c": 1}, "run['q']: got the score 1 for 'b' and 'c', expected distinct scores, or ties='trec_eval' or 'file'"),
    ({"a": 1, 2: 0.5}, "run['q']: got 2 beside '2' in qrels"), ({2: 0.5, "a": 1}, "run['q']: got 2 beside '2' in qrels"),
])  # fmt: skip
def test_equal_scores_are_refused_if_that_is_asked_for_and_other_kinds_of_ids_always(ranked, message):
    with pytest.raises(ValueError, match="^" + re.escape(message)):
        trec.evaluate({"q": {"a": 1, "2": 1}}, {"q": ranked}, "AP", ties="raise")


@pytest.mark.parametrize("seed, ties", [(3, False), (4, True)])
@pytest.mark.parametrize("version", [9, 10])
@pytest.mark.parametrize("asked", [{}, {"passages": "#"}, {"judged_only": True}, {"passages": "#", "judged_only": True}], ids=str)
def test_a_mapping_has_the_values_of_its_files(seed, ties, version, asked, tmp_path, monkeypatch):
    """To the last bit, from whichever of the two a mapping comes, narrowed or not, where the lines of topics stand together and where they do not."""
    if not ties:
        everywhere(monkeypatch, arrow=lambda: None)
    qrels, run = random_runs(seed, ties)
    mark, rng = asked.get("passages", ""), np.random.default_rng(seed)
    if mark:
        for query, its in run.items():
            parts = ((item, score, part) for item, score in its.items() for part in range(int(rng.integers(1, 5))))
            run[query] = {f"{item}#{part}": score + part % 3 * (1 if ties else rng.random()) for item, score, part in parts}
    lines = [f"{query} Q0 {item} 0 {score!r} run\n" for query, its in run.items() for item, score in its.items()]
    (tmp_path / "together").write_text("".join(lines))
    (tmp_path / "apart").write_text("".join(rng.permutation(lines)))
    (tmp_path / "qrels").write_text("".join(f"{query} 0 {item} {grade}\n" for query, its in qrels.items() for item, grade in its.items()))
    measures, judged, ranked, apart = "AP nDCG@10 Bpref infAP P_5 num_ret", *(tmp_path / name for name in ("qrels", "together", "apart"))
    for how in ({}, {"depth": 4}, {"complete": True}, {"ties": "file"}):
        expected = trec.evaluate(judged, ranked, measures, version=version, **asked, **how)
        assert expected["num_ret"].any()
        for files in ((qrels, run), (judged, run), (qrels, ranked), (qrels, ranked if "ties" in how else apart)):
            found = trec.evaluate(*files, measures, version=version, **asked, **how)
            assert found.by_query() == expected.by_query() and (found.missing, found.unjudged) == (("q7",), ("q0",))
    if not mark:
        lists = {query: in_order(its, version) for query, its in run.items()}
        own = metrics.evaluate(lists, "nDCG@10", qrels=qrels, missing="skip", **asked)
        assert own.by_query() == trec.evaluate(qrels, run, "nDCG@10", version=version, **asked).by_query()
    if version == 9:
        own, theirs = metrics.evaluate(run, "AP Bpref", qrels=qrels, missing="skip", **asked), trec.evaluate(qrels, apart, "AP Bpref", **asked)
        assert own.by_query() == theirs.by_query()


@pytest.mark.parametrize("seed", range(3))
def test_judged_only_is_that_of_trec_eval(seed):
    """A negative grade is no judgement."""
    qrels, run = random_runs(seed, True)
    names = ("map", "recip_rank", "num_ret", "bpref", "P_5")
    theirs = pytrec_eval.RelevanceEvaluator(qrels, set(names), judged_docs_only_flag=True).evaluate(run)
    ours = trec.evaluate(qrels, run, names, judged_only=True).by_query()
    assert {topic: pytest.approx({name: its[name] for name in names}) for topic, its in theirs.items()} == ours


def test_a_file_is_checked_before_it_is_narrowed(tmp_path):
    run = tmp_path / "run"
    run.write_text("q1 Q0 a#1 1 2 t\nq1 Q0 a#1 2 1 t\n")
    with pytest.raises(ValueError, match="'a#1' of topic 'q1' a second time"):
        trec.evaluate(QRELS, run, "AP", passages="#")
    with pytest.raises(ValueError, match="passages: got ''"):
        trec.evaluate(QRELS, run, "AP", passages="")
    run.write_text("q1 Q0 x 1 3 t\nq1 Q0 b#0 2 2 t\nq1 Q0 a#1 3 1 t\nq1 Q0 b#2 4 0 t\nq2 Q0 c 1 1 t\n")
    (tmp_path / "qrels").write_text("q1 0 a#1 1\n")
    for qrels, ranked in product(({"q1": {"a#1": 1}}, tmp_path / "qrels"), ({"q1": {"b#1": 1}}, run)):
        with pytest.raises(ValueError, match="^qrels: got the id 'a#1', which contains the mark of passages, expected ids of documents, without '#'$"):
            trec.evaluate(qrels, ranked, "AP", passages="#")
    (tmp_path / "qrels").write_text("q1 0 a 1\nq1 0 b 0\nq2 0 c 2\n")
    out, _, code = typed(str(tmp_path / "qrels"), str(run), "-m", "AP", "--passages", "#", "-J", "--format", "json")
    assert (code, json.loads(out)["run"]["all"]["AP"]) == (0, 0.75)


def test_every_door_of_ids_pairs_by_key():
    """As the lists in one order are paired."""
    ranked, wanted = {"r": ["b", "a"], "q": ["a", "x"]}, {"q": ["a"], "r": ["a", "c"]}
    listed = [[lists[key] for key in "qr"] for lists in (ranked, wanted)]
    hits = Hits.from_ids(rankings=ranked, relevant=wanted)
    assert hits.query_ids == ("q", "r")
    np.testing.assert_array_equal(metrics.average_precision(hits), metrics.average_precision(Hits.from_ids(rankings=listed[0], relevant=listed[1])))
    parts = metrics.split_by_item(rankings=ranked, relevant=wanted, group={"a": 1, "b": 1, "c": 2, "x": 2}, ungrouped="raise")
    assert parts[1].query_ids == ("q", "r") and parts[1].rank.tolist() == [1, 2]
    of_labels = {"decile": {"a": 1, "b": 2, "c": 3, "x": 4}, "k": 1}
    one, other = (metrics.precision_by_decile(predictions=made, actual=right, **of_labels) for made, right in ((ranked, wanted), listed))
    np.testing.assert_array_equal(one, other)


TO_PAIR = 'or missing="skip" (such keys are left out) or "empty" (nothing is there)'


@pytest.mark.parametrize("run, qrels, options, message", [
    ({"q1": {"a": 1}}, QRELS, {}, f"relevance: got nothing for 1 of 2 keys ('q2'), expected the keys of qrels; {TO_PAIR}"),
    ({}, QRELS, {}, f"relevance: got nothing for 2 of 2 keys ('q1', 'q2'), expected the keys of qrels; {TO_PAIR}"),
    ({1: {"a": 1}}, {"1": {"a": 1}}, {}, "relevance: got 1 beside '1' in qrels, expected ids of one kind, because these are never equal: convert one side"),
    ({"q1": {"a": np.nan}, "q2": {}}, QRELS, {}, "relevance['q1']['a']: got nan, expected one number or inf"),
    ({"q1": {"a": 1}, "q2": ["c"]}, QRELS, {}, "relevance['q2']: got ['c'], expected documents with their scores, as for other queries"),
    ({"q1": {"a"}, "q2": ["c"]}, QRELS, {}, "relevance['q1']: got {'a'}, expected documents in rank order"),
    ({"x": SCORES, "y": {"q1": 3}}, QRELS, {}, "relevance['y']['q1']: got 3, expected documents in rank order"),
    ({"x": Hits.from_relevance([[1]])}, QRELS, {}, "relevance['x']: got Hits beside qrels, expected no qrels, because hits know what is relevant"),
    ("bm25.run", QRELS, {}, "relevance: got a str, expected query -> document -> score, query -> documents, or system -> either, beside qrels; "
                        "files are for metrics.trec.evaluate"),
    (SCORES, "a.qrels", {}, "qrels: got a str, expected query -> document -> grade, or query -> relevant documents; a file is for metrics.trec.evaluate"),
    (SCORES, None, {}, "relevance['q1']: got a dict, expected grades in rank order, or Hits; for runs by query, qrels=... says what is relevant"),
    ({"q": {1: 2.0, 2: 1.0}}, {"q": {"1": 1}}, {"judged_only": True}, "relevance['q']: got 1 beside '1' in qrels, expected ids of one kind"),
    ({"q": [1, 2]}, {"q": {"1": 1}}, {"judged_only": True}, "relevance['q']: got 1 beside '1' in qrels, expected ids of one kind"),
    ({"q": {"b": 3, 1: 2}}, {"q": {"1": 1}}, {}, "relevance['q']: got 1 beside '1' in qrels, expected ids of one kind"),
    ({"q": {"a#1": 0.5, "a#2": np.nan}}, {"q": {"a": 1}}, {"passages": "#"}, "relevance['q']['a#2']: got nan, expected one number or inf"),
    ({"q": {"a#1": 0.5, "a#2": "x"}}, {"q": {"a": 1}}, {"passages": "#"}, "relevance['q']['a#2']: got 'x', expected one number or inf"),
    ({"q": {"a": 1.0, "b": [2.0]}}, {"q": {"a": 1}}, {}, "relevance['q']['b']: got [2.0], expected one number or inf"),
    ({"q": ["b#0", "a#1"]}, {"q": {"a#1": 1}}, {"passages": "#"}, "qrels: got the id 'a#1', which contains the mark of passages, expected ids of documents"),
    ({"q": [["a"]]}, {"q": {"a": 1}}, {"judged_only": True}, "relevance['q']: got ['a'] at position 0, expected ids that can be looked up"),
    ({"9": {}}, QRELS, {"missing": "empty"}, "relevance: got only empty mappings, none for a query in qrels, expected queries in qrels, or a system"),
    ({"9": {"a": 1}}, QRELS, {"missing": "skip"}, "relevance: got no key of qrels, expected keys such as 'q1'"),
    ({(1, float("nan")): {"a": 1}, "q1": {}}, QRELS, {"missing": "empty"}, "relevance: got (1, nan) at position 0, expected ids that can be looked up"),
    *(({"q": run}, {"q": judged}, {}, f"{side}['q']: got a Series of numbers whose index only counts, expected one whose index names documents")
      for run, judged, side in [
          (pd.DataFrame({"score": [0.1, 0.9]}).iloc[::-1].score, {1: 1}, "relevance"), (pd.Series([0.1, 0.9]), {1: 1}, "relevance"),
          ([2, 1, 0], pd.Series([0, 0.5, 2]), "qrels"),
      ]),
])  # fmt: skip
def test_what_does_not_go_together_is_named(run, qrels, options, message):
    with pytest.raises(ValueError, match="^" + re.escape(message)):
        metrics.evaluate(run, "RR", qrels=qrels, **options)
