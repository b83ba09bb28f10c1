"""The provider for ir_measures: the values of its own pytrec_eval provider, and everything else handed on."""

from itertools import product
from math import inf, nan

import ir_measures
import pytest
from ir_measures import AP, Judged, P, nDCG
from ir_measures.providers import FallbackProvider
from ir_measures.providers.base import NOT_PROVIDED
from test_by_query import random_runs

from metrics import ir_measures_provider
from metrics.ir_measures_provider import PROVIDER

USUAL = {int: [1, 2, 7], float: [0.0, 0.1, 0.125, 0.35, 0.5, 1.0, 3.0], bool: [False], str: [], dict: []}
UNUSUAL = {int: [-1, 0], float: [-1.0, 1e-7, 1e20, inf, nan], bool: [True], str: [], dict: [{1: 3}]}


def every_measure():
    """Each measure that ir_measures knows, at each setting of its parameters, as far as it takes them."""
    for kind in {type(measure): None for measure in ir_measures.measures.registry.values()}:
        settings = []
        for name, about in kind.SUPPORTED_PARAMS.items():
            values = USUAL[about.dtype] + UNUSUAL[about.dtype] + ([] if about.choices is NOT_PROVIDED else about.choices)
            settings.append([{}] * (not about.required) + [{name: value} for value in values])
        for chosen in product(*settings):
            yield kind(**{name: value for one in chosen for name, value in one.items()})


EVERY = list(every_measure())
MEASURES = [measure for measure in EVERY if PROVIDER.supports(measure)]
OTHERS = FallbackProvider([provider for provider in ir_measures.DefaultPipeline.providers if provider is not PROVIDER])


def by_topic(provider, measures, qrels, run):
    return {(metric.query_id, str(metric.measure)): metric.value for metric in provider.iter_calc(measures, qrels, run)}


@pytest.mark.parametrize("seed", range(4))
def test_values_are_those_of_the_provider_that_it_goes_before(seed):
    qrels, run = random_runs(seed, True)
    theirs = by_topic(OTHERS, MEASURES, qrels, run)
    ours = by_topic(PROVIDER, MEASURES, qrels, run)
    assert ours == pytest.approx(theirs, rel=1e-12, abs=1e-12)
    means = OTHERS.calc_aggregate(MEASURES, qrels, run)
    assert PROVIDER.calc_aggregate(MEASURES, qrels, run) == pytest.approx(means, rel=1e-12)


def test_what_it_does_not_support_it_refuses_and_that_is_what_it_says():
    qrels, run = random_runs(1, True)
    for measure in EVERY:
        if not PROVIDER.supports(measure):
            with pytest.raises(ValueError, match="^measures: got "):
                PROVIDER.calc_aggregate([AP, measure], qrels, run)
            unusual = [name for name, value in measure.params.items() if value in UNUSUAL[type(value)] and name != "relative"]
            assert unusual or not ir_measures.pytrec_eval.supports(measure), measure
    assert len({measure.NAME for measure in MEASURES}) == len(PROVIDER.SUPPORTED_MEASURES)


def test_the_default_pipeline_asks_it_first_and_passes_on_what_it_does_not_have(monkeypatch):
    assert ir_measures.DefaultPipeline.providers.count(PROVIDER) == 1
    assert ir_measures.providers.registry["metrics"] is PROVIDER
    qrels, run = random_runs(1, True)
    asked = []
    monkeypatch.setattr(PROVIDER, "_evaluator", lambda measures, qrels: asked.append(measures) or ir_measures_provider.HitsEvaluator(list(measures), qrels))
    both = ir_measures.calc_aggregate([AP, Judged @ 10, AP(judged_only=True)], qrels, run)
    assert asked == [{AP}] and set(both) == {AP, Judged @ 10, AP(judged_only=True)}


def test_every_form_in_which_ir_measures_takes_judgements_and_runs():
    pandas = pytest.importorskip("pandas")
    qrels, run = random_runs(2, True)
    as_tuples = [ir_measures.Qrel(q, d, g) for q, grades in qrels.items() for d, g in grades.items()]
    as_docs = [ir_measures.ScoredDoc(q, d, s) for q, scores in run.items() for d, s in scores.items()]
    expected = by_topic(PROVIDER, [AP, nDCG @ 10], qrels, run)
    assert by_topic(PROVIDER, [AP, nDCG @ 10], iter(as_tuples), iter(as_docs)) == expected
    assert by_topic(PROVIDER, [AP, nDCG @ 10], pandas.DataFrame(as_tuples), pandas.DataFrame(as_docs)) == expected


@pytest.mark.parametrize("run", [{}, {"elsewhere": {"d1": 1.0}}])
def test_a_run_without_a_judged_topic_is_0_as_ir_measures_has_it(run):
    assert PROVIDER.calc_aggregate([AP, P @ 5], {"q1": {"d1": 1}}, run) == {AP: 0.0, P @ 5: 0.0}
