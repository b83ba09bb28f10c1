"""Metrics by name: each name means its function, and what is no name is said."""

import inspect
import re
from itertools import product
from math import nan

import numpy as np
import pytest

import metrics
from metrics import Hits, measures
from metrics.names.explanations import EXPLAINED

# A name -> the function, and what it is called with besides the ranking.
MEANS = {
    "DCG": ("dcg", {}), "nDCG": ("ndcg", {}), "nDCG(gain=exponential)@3": ("ndcg", {"k": 3, "gain": "exponential"}), "Judged": ("judged_at", {"k": 99}),
    "AP@3(denominator=relevant)": ("average_precision_at", {"k": 3, "denominator": "relevant"}), "F@2(beta=0.5)": ("f_score_at", {"k": 2, "beta": 0.5}),
    "AP(denominator='retrieved')@2": ("average_precision_at", {"k": 2, "denominator": "retrieved"}), "SetF(beta=2)": ("set_f_score", {"beta": 2}),
    "ERR": ("expected_reciprocal_rank", {"max_grade": 4}), "ERR(max_grade=1)": ("expected_reciprocal_rank", {"max_grade": 1}),
    "RBP(p=0.8)": ("rank_biased_precision", {"persistence": 0.8}), "FullRecall(unreached=-1)": ("full_recall", {"unreached": -1}),
    **dict.fromkeys(("RBP(persistence=0.5)", "RBP(, p=0.5, )"), ("rank_biased_precision", {"persistence": 0.5})),
}  # fmt: skip
# The others are rows of the sheet of all metrics, tried at these values of what stands behind an @.
TRIED = {"k": (2, 100), "level": (0.1, 1), "multiple": (0.5, 2)}
for name, row in EXPLAINED.items():
    call = re.fullmatch(rf"(\w+)\(relevance(?:, ({'|'.join(TRIED)}))?(?:, beta=1)?\)", row.call)
    if call and name.partition("@")[0] in measures.KNOWN:
        MEANS |= {f"{name[:-1]}{value}": (call[1], {call[2]: value}) for value in TRIED[call[2]]} if call[2] else {name: (call[1], {})}
OF_A_CUT = {
    "RR@2": ("reciprocal_rank", {}, 2),
    "RBP(p=0.5)@2": ("rank_biased_precision", {"persistence": 0.5}, 2),
    "ERR@2(max_grade=1)": ("expected_reciprocal_rank", {"max_grade": 1}, 2),
}


@pytest.mark.check
@pytest.mark.parametrize("extra", [None, 0, 2])
def test_a_name_means_its_function(extra):
    batch = np.array(list(product((0, 1), repeat=4)))
    n_relevant = None if extra is None else batch.sum(axis=1) + extra
    for given in (batch, Hits.from_relevance(batch)):
        values = metrics.evaluate(given, list(MEANS), n_relevant=n_relevant)
        for name, (function, options) in MEANS.items():
            function = getattr(metrics, function)
            told = {"n_relevant": n_relevant} if "n_relevant" in inspect.signature(function).parameters else {}
            np.testing.assert_array_equal(values[name], function(given, **options, **told), name)
        values = metrics.evaluate(given, " ".join(OF_A_CUT), n_relevant=n_relevant)
        for name, (function, options, k) in OF_A_CUT.items():
            np.testing.assert_array_equal(values[name], getattr(metrics, function)(batch[:, :k], **options), name)


@pytest.mark.check
def test_every_metric_of_a_ranking_has_a_name():
    """Accuracy@k alone has none: ir_measures calls something else Accuracy."""
    signatures = {name: inspect.signature(getattr(metrics, name)) for name in metrics.MODULE_OF}
    of_a_ranking = {name for name, of in signatures.items() if [*of.parameters][0] == "relevance" and of.return_annotation == "Values"}
    named = {function for function, _ in MEANS.values()}
    assert named == of_a_ranking - {"accuracy_at"}
    written = {name.split("@")[0].split("(")[0] for name in [*MEANS, *OF_A_CUT]}
    assert written == set(measures.KNOWN) == {*measures.OF_THE_RANKING, *measures.AT_A_CUTOFF}


def test_names_in_a_text_and_in_a_list():
    expected = {"AP": 1 / 2, "nDCG(gain = 'linear')@1": 0, "P@1": 0, "P@2": 1 / 2, "IPrec@0": 1 / 2, "IPrec@0.5": 1 / 2}
    text = "  AP\n nDCG(gain = 'linear')@1\tP@1,2 IPrec@0,0.5 "
    for given in (text, list(expected), iter(expected), expected.keys(), ["AP", "nDCG(gain = 'linear')@1", "P@1,2", "IPrec@0,0.5"]):
        found = metrics.evaluate([0, 1, 0, 1], given)
        assert found == expected and list(found) == list(expected)
    assert isinstance(metrics.evaluate([0, 1], "AP")["AP"], np.float64)
    assert metrics.evaluate(np.zeros((2, 0, 3)), "AP P@1")["P@1"].shape == (2, 0)


@pytest.mark.parametrize("names, words", [
    ("MAP", "got 'MAP', expected 'AP', as it is called here"),
    ("ndcg_cut_10", "expected 'nDCG@10', as"),
    ("HitRate@10", "expected 'Success@10', as"),
    ("Recal@5", "('R@5'?)"),
    (["top-5 accuracy"], "expected 'Success@5', as"),
    ("PPV", "expected 'P@10' or 'SetP', as"),
    ("map_cut.10", "expected 'AP@10(denominator=...)', as it is called here, with relevant (R, as in trec_eval"),
    ("zzz", "got 'zzz', expected one of AP, AUC, BinaryG, Bpref,"),
    ("nDGC", "(nDCG?)"),
    ("P", "got 'P', expected a cutoff, such as 'P@10'"),
    ("AUC@3", "got 'AUC@3', expected 'AUC' without a cutoff"),
    ("AP@10", "got 'AP@10' without denominator, expected 'AP@10(denominator=...)'"),
    ("AP@10(denominator=R)", "got 'AP@10(denominator=R)', but denominator: got 'R', expected 'retrieved' or"),
    ("RBP", "got 'RBP' without persistence, expected 'RBP(persistence=...)'"),
    ("nDCG(rel=2)", "got 'rel' in 'nDCG(rel=2)', expected gain"),
    ("P@5,10,5", "got 'P@5' twice, expected each measure once"),
    ("RBP(p=)", "got 'RBP(p=)', expected one value for 'p'"),
    ("RBP(0.5)", "got '0.5' in 'RBP(0.5)', expected persistence"),
    ("RBP(p=.1, persistence=.2)", "expected one value for 'persistence'"),
    ("P@2.0", "got 'P@2.0', but k: got 2.0, expected one whole number"),
    ("P@5(x", "got 'P@5(x', expected a name such as"),
    (" ", "got ' ', expected names such as 'AP P@5 nDCG@10'"),
    ([], "got [], expected names such as"),
    (5, "got 5, expected names such as"),
    (["AP", 5], "got 5, expected the name of a measure, such as 'nDCG@10'"),
    (["AP", "P@1 P@2"], "got 'P@1 P@2', expected a name such as"),
])  # fmt: skip
def test_what_is_no_measure_is_said(names, words):
    with pytest.raises(ValueError) as error:
        metrics.evaluate([0, 1, 0], names)
    assert str(error.value).startswith("measures: got ") and words in str(error.value) and ", expected " in str(error.value)


@pytest.mark.parametrize("relevance, options, words", [
    ([1, 1], {"n_relevant": 1}, "n_relevant: got 1, expected at least the 2"),
    *(([3, 1, 2], {"measures": name, "relevance_level": level, "n_relevant": 4}, "n_relevant: got a number at relevance level .*, expected none beside")
      for name, level in (("AP(rel=2)", None), ("AP(rel=2)", 1), ("nDCG", 2))),
    *((relevance, {"groups": groups}, "groups: got shape .*, expected a label for each of the rankings")
      for relevance, groups in ((np.eye(2).reshape(1, 2, 2), ["new", "old"]), (np.eye(2), ["new"]), ([1, 0], "new"), ([1, 0], ["new"]))),
    ([[1], [0]], {"groups": [nan, 2.0]}, "groups: got nan at position 0, expected a label"),
])  # fmt: skip
def test_bad_rankings_are_no_fault_of_a_measure(relevance, options, words):
    with pytest.raises(ValueError, match=f"^{words}"):
        metrics.evaluate(relevance, **{"measures": "RR"} | options)


GRADED = {"a": 1, "b": 2, "c": 3, "d": 0, "e": -1, "z": 2}
RANKED = ["x", "a", "e", "b", "d", "c"]


def test_a_relevance_level():
    """Binary measures see the grades from the level on, measures of gain all of them."""
    hits = Hits.from_ids(rankings=[RANKED], relevant=[GRADED])
    names = "AP P@4 NumRel NumRet NumRelRet nDCG nDCG@4 ERR(max_grade=3) Bpref Judged Rprec SetF infAP"
    for level in (1, 2, 3):
        lowered = {item: grade if grade >= level else min(grade, 0) for item, grade in GRADED.items()}
        binary = metrics.evaluate(Hits.from_ids(rankings=[RANKED], relevant=[lowered]), names)
        graded = metrics.evaluate(hits, names)
        for name, value in metrics.evaluate(hits, names, relevance_level=level).items():
            assert value == (graded if name.startswith(("nDCG", "ERR")) else binary)[name], (name, level)
    values = metrics.evaluate(hits, "AP(rel=2) P(rel=3)@4,6 NumRet(rel=2) AP nDCG", relevance_level=1)
    assert values["AP(rel=2)"] == metrics.evaluate(hits, "AP", relevance_level=2)["AP"] != values["AP"]
    assert [values[name] for name in ("P(rel=3)@4", "P(rel=3)@6", "NumRet(rel=2)")] == [0, 1 / 6, 2]
    assert [metrics.evaluate([0.5, 0, 1], "P@1", relevance_level=level)["P@1"] for level in (None, 1)] == [1, 0]
    assert metrics.evaluate([3, 1, 2], "AP", relevance_level=2, n_relevant=4)["AP"] == (1 + 2 / 3) / 4


def test_groups_and_labels_that_are_kept_as_they_are():
    batch = np.array([[[1, 0], [0, 1]], [[0, 0], [1, 1]]])
    values = metrics.evaluate(batch, "P@1 RR", groups=[[1, "1"], ["1", 1]])
    assert list(values) == [1, "1"]
    assert {label: {name: each.tolist() for name, each in of.items()} for label, of in values.items()} == {
        1: {"P@1": [1, 1], "RR": [1, 1]},
        "1": {"P@1": [0, 0], "RR": [0.5, 0]},
    }
    assert list(metrics.evaluate([[1], [0]], "P@1", groups=[1, 2**53 + 1])) == [1, 2**53 + 1]
    assert metrics.evaluate(np.zeros((0, 3)), "RR", groups=[]) == {}
    with pytest.raises(ValueError, match="^groups: got a masked"):
        metrics.evaluate([[1], [0]], "P@1", groups=np.ma.array([1, 2], mask=[1, 0]))
