"""Nested dictionaries, as pytrec_eval, ranx and BEIR have them, are ordered, paired and refused as the book says."""

import numpy as np
import pytest

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


@pytest.mark.parametrize("seed, ties", [(0, False), (1, True), (2, True)])
@pytest.mark.parametrize("how", [{}, {"complete": True}, {"depth": 5}, {"version": 10}, {"ties": "file"}], ids=str)
def test_a_mapping_has_the_values_of_its_files(seed, ties, how, tmp_path):
    """To the last bit, from whichever of the two a mapping comes; and each list has those of a plain sort."""
    qrels, run = random_runs(seed, ties)
    lines = {
        "qrels": [f"{topic} 0 {item} {grade}\n" for topic, its in qrels.items() for item, grade in its.items()],
        "run": [f"{topic} Q0 {item} 0 {score!r} run\n" for topic, its in run.items() for item, score in its.items()],
    }
    for name, text in lines.items():
        (tmp_path / name).write_text("".join(text))
    measures = "all_trec AP nDCG@10 Bpref infAP"
    expected = trec.evaluate(tmp_path / "qrels", tmp_path / "run", measures, **how)
    for judged, ranked in ((qrels, run), (tmp_path / "qrels", run), (qrels, tmp_path / "run")):
        found = trec.evaluate(judged, ranked, measures, **how)
        assert (found.queries, found.missing, found.unjudged) == (expected.queries, ("q7",), ("q0",))
        for name in expected:
            np.testing.assert_array_equal(found[name], expected[name], err_msg=name)
    if how.keys() <= {"version"}:
        both = sorted(qrels.keys() & run.keys())
        lists = [in_order(run[topic], how.get("version", 9)) for topic in both]
        hits = Hits.from_ids(rankings=lists, relevant=[qrels[topic] for topic in both])
        np.testing.assert_array_equal(metrics.ndcg(hits, k=10), expected["nDCG@10"])


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
    nothing = metrics.evaluate({"x": {}, "y": {}}, "AP", qrels=QRELS, missing="empty")
    assert {name: its["AP"].tolist() for name, its in nothing.items()} == {"x": [0, 0], "y": [0, 0]}
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


def test_every_door_of_ids_pairs_by_key():
    """As the lists in one order are paired."""
    ranked, wanted = {"r": ["b", "a"], "q": ["a", "x"]}, {"q": ["a"], "r": ["a", "c"]}
    order = ["q", "r"]
    listed = [ranked[key] for key in order], [wanted[key] for key in order]
    hits = Hits.from_ids(rankings=ranked, relevant=wanted)
    assert hits.query_ids == ("q", "r")
    np.testing.assert_array_equal(metrics.average_precision(hits), metrics.average_precision(Hits.from_ids(rankings=listed[0], relevant=listed[1])))
    parts = metrics.split_by_item(rankings=ranked, relevant=wanted, group={"a": 1, "b": 1, "c": 2, "x": 2}, ungrouped="raise")
    assert parts[1].query_ids == ("q", "r") and parts[1].rank.tolist() == [1, 2]
    of_labels = {"decile": {"a": 1, "b": 2, "c": 3, "x": 4}, "k": 1}
    for metric in (metrics.precision_by_decile, metrics.positive_coverage_at):
        one, other = (metric(predictions=made, actual=right, **of_labels) for made, right in ((ranked, wanted), listed))
        np.testing.assert_array_equal(one, other)
    for metric in (metrics.alpha_ndcg, metrics.err_ia):
        one, other = (metric(rankings=made, intents=right) for made, right in (
            (ranked, {key: [its] for key, its in wanted.items()}), (listed[0], [[its] for its in listed[1]])))
        np.testing.assert_array_equal(one, other)


TO_PAIR = 'or missing="skip" (both sides must have it) or "empty" (nothing stands there)'


@pytest.mark.parametrize("runs, qrels, message", [
    ({"q1": {"a": 1}}, QRELS, f"relevance: got nothing for 1 of 2 keys ('q2'), expected the keys of qrels; {TO_PAIR}"),
    ({}, QRELS, f"relevance: got nothing for 2 of 2 keys ('q1', 'q2'), expected the keys of qrels; {TO_PAIR}"),
    (SCORES, {}, f"qrels: got nothing for 2 of 2 keys ('q1', 'q2'), expected the keys of relevance; {TO_PAIR}"),
    ({1: {"a": 1}}, {"1": {"a": 1}}, "relevance: got 1 beside '1' in qrels, expected ids of one kind, for these are never equal: convert one side"),
    ({1: {1: 1}}, {1: {"1": 1}}, "relevance[1]: got 1 beside '1' in qrels, expected ids of one kind, for these are never equal: convert one side"),
    ({"q1": {"a": "x"}, "q2": {}}, QRELS, "relevance['q1']['a']: got 'x', expected one number or inf"),
    ({"q1": {"a": np.nan}, "q2": {}}, QRELS, "relevance['q1']['a']: got nan, expected one number or inf"),
    ({"q1": {"a": 1}, "q2": ["c"]}, QRELS, "relevance['q2']: got ['c'], expected documents with their scores, as other queries have them"),
    ({"q1": {"a"}, "q2": ["c"]}, QRELS, "relevance['q1']: got {'a'}, expected documents in rank order"),
    ({"q1": "ab", "q2": ["c"]}, QRELS, "relevance['q1']: got 'ab', expected documents in rank order"),
    ({"q1": ["a", "a"], "q2": ["c"]}, QRELS, "relevance['q1']: got 'a' a second time, at position 1, expected distinct ids"),
    (SCORES, {"q1": {"a": np.inf}, "q2": {"c": 1}}, "qrels['q1']: got inf for id 'a', expected finite grades"),
    ({"x": SCORES, "y": {"q1": 3}}, QRELS, "relevance['y']['q1']: got 3, expected documents in rank order"),
    ({"x": Hits.from_relevance([[1]])}, QRELS, "relevance['x']: got Hits beside qrels, expected no qrels, for hits know what is relevant"),
    ("bm25.run", QRELS, "relevance: got a str, expected query -> document -> score, query -> documents, or system -> either, beside qrels; "
                        "files are for metrics.trec.evaluate"),
    (SCORES, "a.qrels", "qrels: got a str, expected query -> document -> grade, or query -> relevant documents; a file is for metrics.trec.evaluate"),
    (SCORES, None, "relevance['q1']: got a dict, expected grades in rank order, or Hits; of runs by query, qrels=... says what is relevant"),
])  # fmt: skip
def test_what_does_not_go_together_is_named(runs, qrels, message):
    with pytest.raises(ValueError) as error:
        metrics.evaluate(runs, "AP", qrels=qrels)
    assert str(error.value) == message
