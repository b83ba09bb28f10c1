"""Properties that hold for any input, and agreement with scikit-learn where the definitions coincide."""

from itertools import product

import numpy as np
import pytest
import pytrec_eval
from hypothesis import given, settings, strategies as st
from sklearn import metrics as sk

import metrics
from metrics import Hits
from metrics.hits import nonzero

rankings = st.lists(st.integers(0, 1), min_size=1, max_size=40)
graded = st.lists(st.integers(0, 4), min_size=1, max_size=30)
with_a_hit = rankings.filter(any)
BOUNDED = [
    lambda r: metrics.precision_at(r, 5),
    lambda r: metrics.recall_at(r, 5),
    lambda r: metrics.normalized_recall_at(r, 5),
    lambda r: metrics.f_score_at(r, 5),
    lambda r: metrics.accuracy_at(r, 5),
    metrics.r_precision,
    metrics.average_precision,
    metrics.eleven_point_average_precision,
    metrics.interpolated_average_precision,
    metrics.trapezoidal_area,
    metrics.reciprocal_rank,
    metrics.bpref,
    metrics.ndcg,
    lambda r: metrics.rank_biased_precision(r, 0.8),
    lambda r: metrics.expected_reciprocal_rank(r, 4),
]


@given(with_a_hit)
def test_values_lie_between_0_and_that_of_the_ideal_ranking(ranking):
    ideal = sorted(ranking, reverse=True)
    for metric in BOUNDED:
        assert 0 <= metric(ranking) <= metric(ideal) + 1e-12 <= 1 + 2e-12


@given(with_a_hit, st.integers(0, 5))
def test_irrelevant_items_at_the_end_change_what_they_should(ranking, padding):
    padded = ranking + [0] * padding
    for metric in (metrics.average_precision, metrics.r_precision, metrics.reciprocal_rank, metrics.dcg):
        assert metric(padded) == metric(ranking)
    if 0 < sum(ranking) < len(ranking):
        assert metrics.auc(padded) >= metrics.auc(ranking)


@given(with_a_hit)
def test_envelope_and_areas(ranking):
    levels = np.arange(1, sum(ranking) + 1)
    envelope = [metrics.interpolated_precision(ranking, level / sum(ranking)) for level in levels]
    assert envelope == sorted(envelope, reverse=True)
    assert np.isclose(metrics.interpolated_average_precision(ranking), np.mean(envelope))
    assert metrics.interpolated_average_precision(ranking) >= metrics.average_precision(ranking) - 1e-12


@given(st.lists(st.lists(st.integers(0, 3), max_size=6), max_size=5))
def test_a_batch_is_its_rankings(rows):
    """Rankings of different length, as ranks, give what each gives alone."""
    ranks = [[k for k, grade in enumerate(row, 1) if grade] for row in rows]
    hits = Hits.from_ranks(ranks, [len(row) for row in rows]) if rows else Hits.from_relevance(np.zeros((0, 3)))
    binary = [[int(grade > 0) for grade in row] for row in rows]
    for metric in (metrics.average_precision, metrics.auc, metrics.accuracy_at, metrics.bpref, metrics.ndcg):
        extra = (2,) if metric is metrics.accuracy_at else ()
        np.testing.assert_allclose(metric(hits, *extra), [metric(r, *extra) for r in binary], atol=1e-12)


@given(graded)
def test_ids_and_ranks_and_relevance_agree(grades):
    names = [f"lemma {i}" for i in range(len(grades))]
    wanted = [name for name, grade in zip(names, grades) if grade]
    by_ids = Hits.from_ids(rankings=[names], relevant=[wanted])
    by_ranks = Hits.from_ranks([[names.index(name) + 1 for name in reversed(wanted)]], len(names))
    for hits in (by_ids, by_ranks):
        assert hits.rank.tolist() == Hits.from_relevance(grades).rank.tolist()
        assert hits.n_relevant.tolist() == [len(wanted)]


@settings(max_examples=30)
@given(st.integers(0, 60), st.integers(0, 3), st.sampled_from(["u1", "?", "f4", "f8", "i2", "g"]), st.floats(0, 1))
def test_hits_are_found_wherever_they_lie(n, offset, dtype, density):
    base = (np.random.default_rng(n).random(3 * n + offset) < density).astype(dtype)[offset:]
    array = base[: 3 * n].reshape(3, n)
    hits = Hits.from_relevance(array)
    row, place = np.nonzero(array)
    assert hits.row.tolist() == row.tolist() and hits.rank.tolist() == (place + 1).tolist()


@pytest.mark.parametrize("dtype", ["u1", "?", "i2", "f2", "i4", "f4", "u8", "f8", ">f8", "g"])
def test_one_hit_is_found_at_every_place(dtype):
    """Few hits take the fast way, whatever the size of an entry and the length of what is left over."""
    for shape in [(3, 37), (5, 16), (1, 63)]:
        for hit in np.ndindex(shape):
            array = np.zeros(shape, dtype)
            array[hit] = 1
            hits = Hits.from_relevance(array)
            assert (hits.row.tolist(), hits.rank.tolist()) == ([hit[0]], [hit[1] + 1])


@given(st.lists(st.tuples(st.integers(-3, 3), st.booleans()), min_size=1, max_size=15))
def test_auc_from_scores_without_ties_is_auc(pairs):
    pairs = list({score: (score, label) for score, label in pairs}.values())
    scores, labels = zip(*pairs)
    ranking = [label for _, label in sorted(pairs, reverse=True)]
    np.testing.assert_allclose(metrics.auc_from_scores(scores=scores, labels=labels), metrics.auc(ranking))


@given(st.lists(st.tuples(st.integers(0, 1), st.booleans()), min_size=1, max_size=20), st.integers(0, 3))
def test_bpref_of_a_mask_is_that_of_the_judged_items(pairs, extra):
    """Two ways to say it: a mask, and the ranking without the items that it hides."""
    ranking, judged = zip(*pairs)
    kept = [relevant for relevant, known in pairs if known]
    total = sum(ranking) + extra
    np.testing.assert_array_equal(metrics.bpref(ranking, total, judged=judged), metrics.bpref(kept, total))
    np.testing.assert_array_equal(metrics.bpref(ranking, judged=judged), metrics.bpref(kept))
    names = list(range(len(pairs)))
    grades = {name: pairs[name][0] for name in names if pairs[name][1]} | {-1 - i: 1 for i in range(extra)}
    by_mapping = metrics.bpref(Hits.from_ids(rankings=[names], relevant=[grades]))
    np.testing.assert_array_equal(by_mapping, [metrics.bpref(kept, sum(kept) + extra)])


def test_bpref_of_a_mask_in_a_batch_of_different_lengths():
    hits = Hits.from_ranks([[1, 3], [2], [1]], length=[4, 2, 1], n_relevant=[2, 2, 1])
    mask = [[1, 0, 1, 1], [1, 1, 1, 1], [0, 1, 1, 1]]
    np.testing.assert_array_equal(metrics.bpref(hits, judged=mask), [1, 0, 0])


# scikit-learn, without ties: the scores n, n - 1, ... 1 rank the items as they stand.


@pytest.mark.parametrize("ranking", list(product((0, 1), repeat=3)))
def test_scikit_learn(ranking):
    n = len(ranking)
    scores = np.arange(n, 0, -1)
    graded = [2 * grade for grade in ranking[:1]] + list(ranking[1:])
    assert np.isclose(sk.dcg_score([graded], [scores], k=2), metrics.dcg(graded, 2))
    if any(ranking):
        assert np.isclose(sk.average_precision_score(ranking, scores), metrics.average_precision(ranking))
        precision, recall, _ = sk.precision_recall_curve(ranking, scores)
        assert np.isclose(sk.auc(recall, precision), metrics.trapezoidal_area(ranking))
    for k in range(1, n + 1) if any(ranking) else ():
        predicted = [int(place < k) for place in range(n)]
        tp, fp, fn = (sum(map(f, ranking, predicted)) for f in (lambda a, p: a & p, lambda a, p: p > a, lambda a, p: a > p))
        assert np.isclose(sk.ndcg_score([ranking], [scores], k=k), metrics.ndcg(ranking, k))
        assert np.isclose(sk.precision_score(ranking, predicted), metrics.precision_at(ranking, k))
        assert np.isclose(sk.recall_score(ranking, predicted), metrics.recall_at(ranking, k))
        assert np.isclose(sk.accuracy_score(ranking, predicted), metrics.accuracy_at(ranking, k))
        assert np.isclose(sk.fbeta_score(ranking, predicted, beta=2), metrics.f_score_at(ranking, k, beta=2))
        assert np.isclose(sk.f1_score(ranking, predicted), metrics.f_score(tp, fp, fn))
        assert np.isclose(sk.jaccard_score(ranking, predicted), metrics.jaccard(tp, fp, fn))
    if 0 < sum(ranking) < n:
        assert np.isclose(sk.roc_auc_score(ranking, scores), metrics.auc(ranking))
        tied = [2, 1, 2]
        assert np.isclose(sk.roc_auc_score(ranking, tied), metrics.auc_from_scores(scores=tied, labels=ranking))


def test_few_hits_are_found_word_by_word():
    """The numbers go through NumPy in words of eight bytes, and of the words only the busy ones are opened."""
    matrix = np.zeros((7, 8 * 999), np.uint8)
    matrix[3, 5] = 1
    opened = []

    class Counting(np.ndarray):
        def __array_ufunc__(self, ufunc, method, *inputs, **options):
            opened.append(max(np.size(each) for each in inputs))
            return getattr(ufunc, method)(*(np.asarray(each) for each in inputs), **options)

    found = nonzero(matrix.reshape(-1).view(Counting))
    assert found.tolist() == [3 * 8 * 999 + 5]
    assert opened and max(opened) == matrix.size // 8


@pytest.mark.parametrize("dtype", ["u1", "f4", "i8", "g"])
@pytest.mark.parametrize("every", [1, 2, 5, 40])
def test_hits_are_found_by_either_way(dtype, every):
    """Many hits are looked for entry by entry, few in words; both find what a loop finds."""
    for size in (0, 1, 7, 8, 9, 321):
        flat = np.array([place % every == 0 for place in range(size)], dtype)
        assert nonzero(flat).tolist() == [place for place in range(size) if place % every == 0]


# trec_eval, whose sort by descending score is told apart by distinct scores


def judged_run(generator):
    """Grades for some of the items, negative ones among them, and a ranking of some items, not all of them judged."""
    items = [f"d{i}" for i in range(generator.integers(1, 14))]
    grades = {item: int(generator.integers(-2, 4)) for item in items if generator.random() < 0.7}
    ranking = [item for item in generator.permutation(items).tolist() if generator.random() < 0.7]
    return ranking, grades


def test_a_mapping_gives_the_values_of_trec_eval():
    generator = np.random.default_rng(10)
    runs = [judged_run(generator) for _ in range(1500)]
    runs = [(ranking, grades) for ranking, grades in runs if ranking and max(grades.values(), default=0) > 0]
    assert any(-1 in grades.values() for _, grades in runs) and any(set(ranking) - set(grades) for ranking, grades in runs)
    qrels = {str(query): grades for query, (_, grades) in enumerate(runs)}
    scores = {str(query): {item: -float(k) for k, item in enumerate(ranking)} for query, (ranking, _) in enumerate(runs)}
    cutoffs = (1, 2, 3, 5, 10)
    measures = {"ndcg", "bpref", "map", "Rprec", f"ndcg_cut.{','.join(map(str, cutoffs))}", "recall.3", "map_cut.3"}
    theirs = pytrec_eval.RelevanceEvaluator(qrels, measures).evaluate(scores)
    hits = Hits.from_ids(rankings=[ranking for ranking, _ in runs], relevant=[grades for _, grades in runs])
    ours = {
        "ndcg": metrics.ndcg(hits),
        "bpref": metrics.bpref(hits),
        "map": metrics.average_precision(hits),
        "Rprec": metrics.r_precision(hits),
        "recall_3": metrics.recall_at(hits, 3),
        "map_cut_3": metrics.average_precision(hits.top(3)),
    } | {f"ndcg_cut_{k}": metrics.ndcg(hits, k) for k in cutoffs}
    for name, values in ours.items():
        np.testing.assert_allclose(values, [theirs[str(query)][name] for query in range(len(runs))], rtol=0, atol=1e-12, err_msg=name)


@pytest.mark.filterwarnings("ignore")
def test_a_goal_without_a_relevant_item_is_0_for_trec_eval_and_scikit_learn_and_undefined_here():
    measures = {"ndcg", "bpref", "map", "Rprec", "recall.5"}
    judged = {"no": {"a": 0, "b": -1}, "yes": {"a": 1}}
    theirs = pytrec_eval.RelevanceEvaluator(judged, measures).evaluate({"no": {"a": 2.0, "c": 1.0}})
    assert theirs == {"no": {"ndcg": 0, "bpref": 0, "map": 0, "Rprec": 0, "recall_5": 0}}  # and the unanswered one is left out
    hits = Hits.from_ids(rankings=[["a", "c"]], relevant=[judged["no"]])
    ours = [metrics.ndcg(hits), metrics.bpref(hits), metrics.average_precision(hits), metrics.r_precision(hits), metrics.recall_at(hits, 5)]
    assert np.isnan(ours).all()
    assert sk.average_precision_score([0, 0], [2, 1]) == sk.ndcg_score([[0, 0]], [[2, 1]]) == 0
