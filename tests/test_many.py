"""Evaluation on many processes: the numbers of one process, to the last bit, however the work is cut."""

import sys
from importlib import import_module

import numpy as np
import pytest

import metrics
from metrics import Hits, Total

dask_array = pytest.importorskip("dask.array")
distributed = pytest.importorskip("distributed")

from dask.delayed import delayed  # noqa: E402

from metrics import many, trec  # noqa: E402

MEASURES = "AP nDCG@10 DCG P@10 R@20 RR Rprec Bpref ERR(max_grade=3) RBP(p=0.8) AUC AP@10(denominator=ideal) ElevenPointAP MeanRank"
RANDOM = np.random.default_rng(0)
GRADES = (RANDOM.integers(1, 4, (400, 60)) * (RANDOM.random((400, 60)) < 0.1)).astype(np.uint8)  # few are relevant, of grades 1 to 3
GRADES[::9] = 0  # and in some rankings none
ALONE = metrics.evaluate(GRADES, MEASURES)


@pytest.fixture(scope="module")
def client():
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0") as cluster, distributed.Client(cluster) as client:
        yield client


@pytest.mark.parametrize("chunks", [(400, 60), (1, 60), (7, 13), ((399, 1), (60,)), ((1, 199, 200), (30, 30))])
def test_the_same_bits_for_every_way_to_cut(chunks):
    blocks = dask_array.from_array(GRADES, chunks=chunks)
    found = many.values(blocks, MEASURES)
    assert list(found) == list(ALONE)
    for name, values in found.items():
        np.testing.assert_array_equal(values, ALONE[name], strict=True)
    assert many.totals(blocks, MEASURES) == {name: Total.of(values) for name, values in ALONE.items()}


def test_each_block_has_its_own_rows_of_every_array():
    totals = np.arange(400) % 7 + (GRADES > 0).sum(axis=1)
    expected = metrics.evaluate(GRADES, "AP R@5", n_relevant=totals)

    def backwards(rows, relevant, way):
        return Hits.from_relevance(rows[:, ::way], n_relevant=relevant)

    cut = {"rows": dask_array.from_array(GRADES[:, ::-1], chunks=(33, 7)), "relevant": dask_array.from_array(totals, chunks=50)}
    np.testing.assert_equal(many.values(many.by_block(backwards, **cut, way=-1), "AP R@5"), expected)


def test_blocks_of_lists_and_a_total_that_is_undefined_everywhere():
    lists = [delayed(Hits.from_ids)(rankings=[list("xaybcz")], relevant=[relevant]) for relevant in (["a", "b", "c"], ["z"])]
    assert many.values(lists, "RR")["RR"].tolist() == [1 / 2, 1 / 6]
    nothing = dask_array.zeros((6, 4), chunks=(2, 4))
    assert (many.totals(nothing, "AP")["AP"], many.totals(nothing, "AP", n_relevant=3)["AP"]) == (Total(0, 6), Total.of([0] * 6))


QRELS = "1 0 a 1\n1 0 b 0\n2 0 b 2\n3 0 c 1\n4 0 a 1\n"
RUN = {1: "1 Q0 b 1 0.5 t\n1 Q0 a 2 0.4 t\n", 2: "2 Q0 b 1 0.9 t\n", 3: "3 Q0 a 1 3 t\n3 Q0 b 2 2 t\n3 Q0 c 3 1 t\n", 9: "9 Q0 a 1 1 t\n"}


@pytest.fixture
def files(tmp_path):
    """Judgements, a run in one file, and the same in two."""
    texts = {"qrels": QRELS, "whole": "".join(RUN.values()), "first": RUN[3] + RUN[9], "second": RUN[2] + RUN[1]}
    return {name: tmp_path / name for name, text in texts.items() if (tmp_path / name).write_text(text)}


def contents(evaluation):
    return evaluation.by_query(), evaluation.queries, evaluation.missing, evaluation.unjudged, evaluation.mean(undefined=0)


@pytest.mark.parametrize("judged", [lambda path: path, trec.read_qrels])
def test_many_run_files_give_what_each_gives_alone(client, files, judged):
    runs = [files["first"], files["whole"]]
    found = many.evaluate_runs(judged(files["qrels"]), runs, "AP RR gm_map num_rel", complete=True)
    assert list(found) == runs
    for run, evaluation in found.items():
        assert contents(evaluation) == contents(trec.evaluate(files["qrels"], run, "AP RR gm_map num_rel", complete=True))


@pytest.mark.parametrize("judged", [trec.read_qrels, lambda path: {"1": {"a": 1}}])
def test_a_run_in_parts_is_the_run(client, files, judged):
    """Also where a part has no judged topic."""
    qrels = judged(files["qrels"])
    found = many.evaluate_parts(qrels, [files["first"], files["second"]], "AP RR gm_map num_rel 11pt_avg")
    assert contents(found) == contents(trec.evaluate(qrels, files["whole"], "AP RR gm_map num_rel 11pt_avg"))


JUDGED, ROWS = {"1": {"a": 1}}, dask_array.from_array(np.eye(4, dtype=int), chunks=(2, 4))


@pytest.mark.parametrize("call, message", [
    (lambda _: many.totals([], "AP"), "^blocks: got a list, expected a Dask array, or a list of at least one delayed block"),
    (lambda _: many.values(ROWS[0], "AP"), "^blocks: got an array of shape .4,., expected two axes"),
    (lambda _: many.values(ROWS, "AP", n_relevant=[1, 2]), "^n_relevant: got an entry for each ranking.*; .*by_block takes n_relevant$"),
    (lambda _: many.values(ROWS, "AP", groups=["a", "b"]), "^groups: got an entry for each ranking.*; .*blocks of each group alone$"),
    (lambda _: many.by_block(Hits.from_relevance, relevance=GRADES), "^given: got relevance, expected a Dask array"),
    (lambda _: many.by_block(min, a=dask_array.ones(3), b=dask_array.ones(4)), "^a, b: got lengths \\[3, 4\\], expected arrays of one length"),
    (lambda at: many.evaluate_parts(at["qrels"], [], "AP"), "^parts: got none"),
    (lambda at: many.evaluate_parts(at["qrels"], [at["first"], at["first"]], "AP"), "^parts: got .*first a second time, expected each file once"),
    (lambda at: many.evaluate_parts(JUDGED, [at["first"]], "AP"), "none of which is judged"),
    (lambda at: many.evaluate_parts(at["qrels"], [at["first"]], "AP", complete=True), "^complete: got True, expected no such option for a run in parts"),
    (lambda at: many.evaluate_parts(at["qrels"], [at["first"], at["whole"]], "AP"),
     "^parts: got topic '3' in .*first and in .*whole, expected each topic in one part"),
])  # fmt: skip
def test_bad_input_is_named(call, message, files):
    with pytest.raises(ValueError, match=message):
        call(files)


def test_where_dask_is_missing_it_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "dask.array", None)
    monkeypatch.delitem(sys.modules, "metrics.many")
    with pytest.raises(ImportError, match=r'^metrics.many needs Dask, which is not installed: pip install "dask\[distributed\]"$'):
        import_module("metrics.many")
