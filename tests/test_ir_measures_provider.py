"""The provider for ir_measures: the values of its own pytrec_eval provider, and everything else handed on."""

import ir_measures
import numpy as np
import pytest
from ir_measures import AP, ERR, RR, Bpref, IPrec, Judged, NumQ, NumRel, NumRet, P, R, Rprec, SetAP, SetF, SetP, SetR, Success, infAP, nDCG

from metrics import ir_measures_provider
from metrics.ir_measures_provider import PROVIDER

MEASURES = [
    AP, AP @ 5, AP(rel=2), AP(rel=2) @ 3, nDCG, nDCG @ 1, nDCG @ 10, P @ 1, P @ 10, P(rel=3) @ 5, R @ 5, R(rel=2) @ 20, RR, RR(rel=2), Rprec, Rprec(rel=2),
    Bpref, Bpref(rel=2), Success @ 1, Success(rel=2) @ 5, IPrec @ 0.0, IPrec @ 0.1, IPrec @ 0.35, IPrec @ 0.125, IPrec @ 1.0, IPrec(rel=2) @ 0.5,
    NumQ, NumRel, NumRet, NumRet(rel=1), NumRet(rel=2), SetP, SetP(relative=True), SetP(rel=2),
    SetR, SetR(rel=2), SetF, SetF(beta=0.5), SetF(beta=3.0), SetAP, SetAP(rel=2), infAP, infAP(rel=2),
]  # fmt: skip


def judged_and_ranked(seed):
    """Judgements and a run with ties, unjudged documents, negative grades, and topics on one side only."""
    random = np.random.default_rng(seed)
    documents = [f"d{n}" for n in range(30)]

    def some(at_least):
        return random.choice(documents, random.integers(at_least, 25), replace=False).tolist()

    qrels = {f"q{n}": {d: int(random.choice([-1, 0, 0, 0, 1, 2, 3])) for d in some(5)} | {"d0": 0} for n in range(12)}
    run = {f"q{n}": {d: float(np.round(random.normal(), 1)) for d in some(1)} for n in range(3, 15)}
    return qrels, run


def by_topic(provider, measures, qrels, run):
    return {(metric.query_id, str(metric.measure)): metric.value for metric in provider.iter_calc(measures, qrels, run)}


@pytest.mark.parametrize("seed", range(20))
def test_values_are_those_of_the_provider_that_it_goes_before(seed):
    qrels, run = judged_and_ranked(seed)
    theirs = by_topic(ir_measures.pytrec_eval, MEASURES, qrels, run)
    ours = by_topic(PROVIDER, MEASURES, qrels, run)
    assert ours == pytest.approx(theirs, rel=1e-12, abs=1e-12)
    means = ir_measures.pytrec_eval.calc_aggregate(MEASURES, qrels, run)
    assert PROVIDER.calc_aggregate(MEASURES, qrels, run) == pytest.approx(means, rel=1e-12)
    assert PROVIDER.calc(MEASURES, qrels, run).aggregated == pytest.approx(means, rel=1e-12)


def test_the_default_pipeline_asks_it_first_and_passes_on_what_it_does_not_have(monkeypatch):
    assert ir_measures.DefaultPipeline.providers.count(PROVIDER) == 1
    assert ir_measures.providers.registry["metrics"] is PROVIDER
    assert all(PROVIDER.supports(measure) for measure in MEASURES)
    others = [ERR @ 10, RR @ 10, Judged @ 10, AP(judged_only=True), nDCG(gains={1: 3}), nDCG(dcg="exp-log2") @ 5, NumRel(rel=2)]
    assert not any(PROVIDER.supports(measure) for measure in others)
    qrels, run = judged_and_ranked(1)
    asked = []
    monkeypatch.setattr(PROVIDER, "_evaluator", lambda measures, qrels: asked.append(measures) or ir_measures_provider.HitsEvaluator(list(measures), qrels))
    both = ir_measures.calc_aggregate([AP, Judged @ 10, AP(judged_only=True)], qrels, run)
    assert asked == [{AP}] and set(both) == {AP, Judged @ 10, AP(judged_only=True)}


def test_every_form_in_which_ir_measures_takes_judgements_and_runs():
    pandas = pytest.importorskip("pandas")
    qrels, run = judged_and_ranked(2)
    as_tuples = [ir_measures.Qrel(q, d, g) for q, grades in qrels.items() for d, g in grades.items()]
    as_docs = [ir_measures.ScoredDoc(q, d, s) for q, scores in run.items() for d, s in scores.items()]
    expected = by_topic(PROVIDER, [AP, nDCG @ 10], qrels, run)
    assert by_topic(PROVIDER, [AP, nDCG @ 10], iter(as_tuples), iter(as_docs)) == expected
    assert by_topic(PROVIDER, [AP, nDCG @ 10], pandas.DataFrame(as_tuples), pandas.DataFrame(as_docs)) == expected


def test_a_run_without_a_judged_topic_is_0_as_ir_measures_has_it():
    for run in ({}, {"elsewhere": {"d1": 1.0}}):
        assert PROVIDER.calc_aggregate([AP, P @ 5], {"q1": {"d1": 1}}, run) == {AP: 0.0, P @ 5: 0.0}
