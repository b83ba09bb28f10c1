"""Every NumPy function equals its definition, on all rankings of the stated lengths."""

import inspect
import re
import typing
from fractions import Fraction
from itertools import chain, islice, permutations, product
from math import nan
from operator import attrgetter
from pathlib import Path
from statistics import median

import numpy as np
import pytest

import metrics
from metrics.exact import definitions
from metrics.exact.cases import handed
from metrics.names.sheet import RECORDS

SHORT, LONG = 4, 8  # every k and n_relevant up to SHORT; every ranking, with a few of each, up to LONG


def exact(definition, *args, **kwargs):
    """The value of the definition, nan where it is 0/0."""
    try:
        return definition(*args, **kwargs)
    except ZeroDivisionError:
        return [nan] * len(args[0]) if definition.__name__ == "recall_curve" else nan


def assert_same(values, expected, *case):
    values, expected = np.asarray(values), np.array(expected, dtype=float)
    assert values.shape == expected.shape and np.allclose(values, expected, rtol=0, atol=1e-12, equal_nan=True), (case, values, expected)


def all_rankings(n, grades=(0, 1)):
    return np.array(list(product(grades, repeat=n)), dtype=np.uint8)


def compare(name, batch, extra=None, **given):
    """A function of a whole batch against its definition, ranking by ranking; R is the number of hits and `extra` more."""
    totals = [{}] * len(batch) if extra is None else [{"n_relevant": sum(map(bool, ranking)) + extra} for ranking in batch.tolist()]
    told = {} if extra is None else {"n_relevant": [total["n_relevant"] for total in totals]}
    expected = [exact(getattr(definitions, name), ranking, **given, **total) for ranking, total in zip(batch.tolist(), totals)]
    assert_same(getattr(metrics, name)(batch, **given, **told), expected, name, batch, extra, given)


def words_of(kind):
    """The words of the `Literal`s in a type."""
    return {word for word in typing.get_args(kind) if isinstance(word, str)}.union(*map(words_of, typing.get_args(kind)))


# The values of a parameter as its record has them, or the words of its type.
OF_RECORDS = {key: values for its in RECORDS.values() for key, values in its.tried.items()}
for its in RECORDS.values():
    OF_RECORDS |= {key: tuple(sorted(words)) for key, kind in typing.get_type_hints(its.function).items() if its.of_a_ranking and (words := words_of(kind))}

# The values of each parameter that are tried, on short rankings and on longer ones; `extra` stands for n_relevant.
TRIED = {
    "extra": (lambda n: (None, *range(n + 2)), lambda n: (None,)),
    "k": (lambda n: range(1, n + 3), lambda n: {1, n // 2, n}),
    "level": (lambda n: {Fraction(i, 2 * d) for d in range(1, n + 2) for i in range(2 * d + 1)}, lambda n: (Fraction(1, 3), 1)),
}
for key, values in OF_RECORDS.items():
    TRIED[key] = lambda n, values=values: values, lambda n, values=values: values[-1:] if len(values) > 3 else values
SIGNATURES = {name: inspect.signature(getattr(metrics, name)) for name in metrics.MODULE_OF}
OF_A_RANKING = [name for name, its in SIGNATURES.items() if [*its.parameters][0] == "relevance" and its.return_annotation in ("Values", "Floats")]


@pytest.mark.parametrize("n", [pytest.param(n, marks=pytest.mark.check if n <= SHORT else ()) for n in range(1, LONG + 1)])
@pytest.mark.parametrize("name", OF_A_RANKING)
def test_all_rankings(name, n):
    parameters = SIGNATURES[name].parameters
    needed = {key for key, each in parameters.items() if each.default is each.empty} - {"relevance"}
    assert needed <= TRIED.keys(), f"say in `tried` of its record values of {', '.join(needed - TRIED.keys())}, or a test of {name}"
    tried = {key: values[n > SHORT](n) for key, values in TRIED.items() if key in parameters or key == "extra" and "n_relevant" in parameters}
    for given in product(*tried.values()):
        compare(name, all_rankings(n), **dict(zip(tried, given)))


@pytest.mark.parametrize("n", range(1, SHORT + 1))
def test_graded(n):
    batch = all_rankings(n, grades=(0, 1, 2, 3))
    for gain, k in product(("linear", "exponential"), (None, 1, 3)):
        compare("dcg", batch, k=k, gain=gain)
        for ideal in (None, [3] * n, [3] * n + [2, 1]):
            compare("ndcg", batch, k=k, gain=gain, ideal=ideal)
    for most in (3, 4):
        compare("expected_reciprocal_rank", batch, max_grade=most)
    for name in ("graded_g", "mean_ndcg_at_hits", "mean_ndcg_at_levels"):
        compare(name, batch)
        with pytest.raises(ValueError, match="^ideal: got none for query .*, although not all of the 5 relevant items"):
            getattr(metrics, name)(batch, 5)


def test_bpref_with_judgements():
    for ranking, judged in (pair for n in range(1, 4) for pair in product(all_rankings(n).tolist(), repeat=2)):
        seen = sum(known for r, known in zip(ranking, judged) if not r)
        for extra, unseen in product((0, 2), (None, 0, 1, 5)):
            given = {"judged": judged, "n_irrelevant": None if unseen is None else seen + unseen, "n_relevant": sum(ranking) + extra}
            assert_same(metrics.bpref(ranking, **given), exact(definitions.bpref, ranking, **given), ranking, given)
        assert_same(metrics.bpref(ranking, judged=judged), exact(definitions.bpref, ranking, judged=judged), ranking, judged)
        for unjudged, extra in product(range(len(ranking)), (0, 1)):  # a mapping judges all but one item, and two beyond the list
            grades = {i: r for i, r in enumerate([*ranking, extra, 0]) if i != unjudged or r}
            hits = metrics.Hits.from_ids(rankings=[range(len(ranking) + 1)], relevant=[grades]).top(len(ranking))
            known = {"judged": [i in grades for i in range(len(ranking))], "n_irrelevant": [*grades.values()].count(0)}
            for given in ({}, {"n_irrelevant": 4}, {"judged": judged, "n_irrelevant": None}, {"judged": judged, "n_irrelevant": 4}):
                want = exact(definitions.bpref, ranking, sum(ranking) + extra, **known | given)
                assert_same(metrics.bpref(hits, **given | {"judged": [judged] if "judged" in given else None}), [want], ranking, grades, given)


def test_judged_and_pooled():
    """Each item is relevant, irrelevant, pooled, or not in the pool; some of the judged were not ranked."""
    for kinds, missing in product((kinds for n in range(1, 5) for kinds in product((2, 0, -1, None), repeat=n)), ({}, {90: 1, 91: 0, 92: -2})):
        relevance, judged, pooled = [kind == 2 for kind in kinds], [kind in (0, 2) for kind in kinds], [kind is not None for kind in kinds]
        grades = {i: kind for i, kind in enumerate(kinds) if kind is not None} | missing
        hits = metrics.Hits.from_ids(rankings=[range(len(kinds))], relevant=[grades])
        want = exact(definitions.inferred_average_precision, relevance, sum(relevance) + bool(missing), judged=judged, pooled=pooled)
        assert_same(metrics.inferred_average_precision(hits), [want], kinds)
        for k in range(1, len(kinds) + 2):
            assert_same(metrics.judged_at(hits, k), [definitions.judged_at(relevance, k, judged)], kinds, k)


# What is handed over by name, to a function and its definition alike: the names, and the cases.


def subsets(items):
    return [[i for i, kept in zip(items, mask) if kept] for mask in product((0, 1), repeat=len(items))]


def orders(items):
    """Every list of at most three of the items."""
    return [list(made) for n in range(4) for made in permutations(items, n)]


def each(*values):
    return list(product(*values))


COLUMNS = [pair for n in range(5) for pair in each(*[each(*[range(3)] * n)] * 2)]  # of numbers, with ties
SCORED = [pair for n in range(1, 5) for pair in product(product(range(3), repeat=n), all_rankings(n).tolist())]
QUARTERS = [Fraction(i, 4) for i in range(5)]
TIED = [[{"a", "b"}, "c"], ["a", {"b", "c"}, "d"], [{"a", "b", "c"}], ["b", "x", {"a", "c"}]]
OVERLAPS = (0.5, 0.9), ("extrapolated", "minimum", "residual")
SHOWN = [*map(list, product(orders("abx"), repeat=2)), []]  # to two instances or none: of four labels three, one of them outside the catalogue
JUDGED = list(product(orders("abx"), subsets("abc")))  # what is shown to an instance, and what is relevant to it
INSTANCES = [tuple(map(list, zip(*some))) for some in (*zip(JUDGED), *islice(product(JUDGED, repeat=2), 0, None, 199))] + [([], [])]
# The arguments of a function by their names -> the cases; a function takes the line that has all that it needs, and most of what it can be told.
BY_ARGUMENTS = {
    "reference other": [pair for n in range(1, 6) for pair in product(permutations(range(n)), repeat=2)],
    "scores labels": SCORED,
    "relevance n_relevant": [(r, sum(r) + extra) for n in range(1, 7) for r in all_rankings(n).tolist() for extra in (0, 1)],
    "predictions k catalogue": each(SHOWN, (1, 2, 5), (["a", "b", "c"], ["b"], [])),
    "predicted actual universe_size": each(subsets("abc"), subsets("acx"), (None, 6, 9)),
    "a b variant": [(*pair, variant) for pair in COLUMNS for variant in "ab"],
    "values undefined": each(each(*[QUARTERS[::2]] * 4), ["raise"]),
    "predictions k counts": each(SHOWN, (1, 2, 5), [dict(zip("abx", counts)) for counts in ((1, 2, 4), (0, 1, 1), (0, 0, 0))]),
    "predictions decile k": each(SHOWN[:-1], [{"a": 10, "b": 10, "c": 1}], (1, 2)),
    "suggestions required": each(subsets("abc"), subsets("acx")),
    "suggestions required n": each(subsets("abc"), subsets("acx"), (2, 100)),
    "predictions actual propensity k normalised": [
        (*lists, *more) for lists in INSTANCES for more in product([{"a": Fraction(1, 2), "b": Fraction(1, 8), "c": 1}], (1, 2, 5), (True, False))],
    "a b persistence kind": each(orders("abc"), orders("acx"), *OVERLAPS) + each(TIED, TIED, *OVERLAPS),
    "precision recall alpha": each(QUARTERS, QUARTERS, QUARTERS),
    "a b": COLUMNS,
    "first second": [(one, other) for n in range(4) for one in product((0, 1, 2), repeat=n) for other in product((0, 1, 2), repeat=n)],
    "seen tpr fpr": each(QUARTERS, QUARTERS, QUARTERS),
    "continuation": [(each,) for n in range(1, 5) for each in product((0, Fraction(1, 4), 1), repeat=n)],
    "first second coins": [
        (list(range(n)), list(order), coins) for n in range(1, 5) for order in permutations(range(n)) for coins in product((0, 1), repeat=2)],
}  # fmt: skip


def fitting(name):
    """The line for a function, the longest that fits; nothing where none does."""
    parameters = inspect.signature(attrgetter(name)(metrics)).parameters
    needed = {key for key, its in parameters.items() if its.default is its.empty}
    return max((line for line in BY_ARGUMENTS if needed <= {*line.split()} <= parameters.keys()), key=len, default=None)


NAMED = [*(name for name in metrics.MODULE_OF if name not in OF_A_RANKING), *(f"premise_selection.{name}" for name in metrics.premise_selection.__all__)]
BY_NAME = {name: line for name in NAMED if name != "precision_recall_curve" and (line := fitting(name))}


@pytest.mark.parametrize("name", BY_NAME)
def test_all_cases(name):
    names, cases = BY_NAME[name], BY_ARGUMENTS[BY_NAME[name]]
    ours, theirs = attrgetter(name)(metrics), getattr(definitions, name.replace("premise_selection.", "premise_"))
    for case in cases:
        assert_same(handed(ours, names.split())(case), exact(handed(theirs, names.split()), case), name, case)


def test_the_precision_recall_curve():
    for scores, labels in SCORED:
        curve = metrics.precision_recall_curve(scores=scores, labels=labels)
        if not any(labels):
            assert np.isnan(curve.recall[:-1]).all() and curve.recall[-1] == 0
            continue
        for values, expected in zip(curve, definitions.precision_recall_curve(scores, labels), strict=True):
            assert_same(values, expected, scores, labels)
        for beta in (0, 1, 2):
            above = {least: [label for score, label in zip(scores, labels) if score >= least] for least in scores}
            counts = {least: (sum(chosen), len(chosen) - sum(chosen), sum(labels) - sum(chosen)) for least, chosen in above.items()}
            f, threshold = max((exact(definitions.f_score, *each, beta), least) for least, each in counts.items())
            assert_same(curve.best_f(beta), (threshold, f), scores, labels, beta)


def test_sets():
    counts = np.array(list(product(range(3), repeat=4)))
    options = dict.fromkeys(("f_score", "e_measure"), [{}, {"beta": 0}, {"beta": Fraction(1, 2)}, {"beta": 2}])
    options["utility"] = [{}, {"weights": (2, -1, -0.5, 0.25)}]
    for name in ("precision", "recall", "accuracy", "jaccard", "f_score", "e_measure", "utility"):
        columns = ["tp fp fn tn".split().index(p) for p in SIGNATURES[name].parameters if p in ("tp", "fp", "fn", "tn")]
        for given in options.get(name, [{}]):
            expected = [exact(getattr(definitions, name), *row, **given) for row in counts[:, columns].tolist()]
            assert_same(getattr(metrics, name)(*counts.T[columns], **given), expected, name, given)
    assert metrics.utility(1, 2, 0, nan) == definitions.utility(1, 2, 0, nan) == -1


def test_by_decile():
    """Two instances over four labels in two deciles, one label without a decile."""
    orders = [list("abcx"), list("xcba"), list("ba"), []]
    for made, wanted in islice(product(product(orders, repeat=2), product(subsets("abcx"), repeat=2)), None, None, 37):
        case = {"predictions": list(made), "actual": list(wanted), "decile": {"a": 10, "b": 10, "c": 1}}
        for (k, top), name in product([(1, 500), (2, 2), (1, 1)], ("precision_by_decile", "ndcg_by_decile")):
            want = [exact(definitions.mean, each) for each in getattr(definitions, name)(**case, k=k, top=top)]
            assert_same(getattr(metrics, name)(**case, k=k, top=top), want, name, case)
        for level in (0, Fraction(1, 2), 0.5, 1):
            ranks = definitions.rank_for_recall_by_decile(**case, level=level, unreached=7)
            for name, average in {"mean": definitions.mean, "median": median}.items():
                found = metrics.rank_for_recall_by_decile(**case, level=level, aggregate=name, unreached=7)
                assert_same(found, [average(each) if each else nan for each in ranks], name, case)
        for name in ("prediction_precision_at", "positive_coverage_at"):
            want = [exact(definitions.over, *pair) for pair in getattr(definitions, name)(**case, k=2)]
            assert_same(getattr(metrics, name)(**case, k=2), want, name, case)


def test_frequency_deciles():
    tables = [dict(zip("abcd", counts)) for counts in product(range(3), repeat=4)] + [dict(enumerate(range(size, 0, -1))) for size in (1, 7, 10, 23)]
    for table, equal in product(tables, ("labels", "mass")):
        if equal == "labels" or any(table.values()):
            want = definitions.frequency_deciles(table, equal=equal)
            assert metrics.frequency_deciles(table, equal=equal) == want
            assert metrics.frequency_deciles(list(table.values()), equal=equal).tolist() == [want[label] for label in table]


def test_propensities():
    for counts, n, given in product(product((0, 1, 5, 9), repeat=2), (9, 1000), ({}, {"a": 0.5, "b": 0.4}, {"a": 0})):
        want = definitions.propensities(dict(zip("ab", counts)), n, **given)
        assert_same(list(metrics.propensities(dict(zip("ab", counts)), n_instances=n, **given).values()), list(want.values()), counts)
        assert_same(metrics.propensities(counts, n_instances=n, **given), list(want.values()), counts)
    assert metrics.propensities([0, 9], n_instances=9, b=0)[0] == 0


def test_intents():
    """Up to three intents over three items, in every order of these and of a fourth that nobody wants."""
    rankings = [list(made) for n in (0, 2, 4) for made in permutations("abcx", n)][::5]
    for intents in map(list, chain.from_iterable(islice(product(subsets("abc"), repeat=n), 0, None, (1, 1, 3, 23)[n]) for n in range(4))):
        for k, alpha in product((None, 1, 2), (Fraction(0), Fraction(1, 3), Fraction(1, 2), Fraction(1))):
            want = [exact(definitions.alpha_ndcg, ranking, intents, k, alpha) for ranking in rankings]
            assert_same(metrics.alpha_ndcg(rankings=rankings, intents=[intents] * len(rankings), k=k, alpha=alpha), want, intents, k, alpha)
        graded = [{item: grade for grade, item in enumerate(intent)} for intent in intents]
        for k, given, most in product((None, 1, 2), (intents, graded), (2, 3)):
            want = [exact(definitions.err_ia, ranking, given, k, most) for ranking in rankings]
            by_name = [dict(enumerate(given))] * len(rankings)
            assert_same(metrics.err_ia(rankings=rankings, intents=by_name, k=k, max_grade=most), want, given, k, most)
    for ranking, k in product(rankings, (None, 2)):
        case = {"rankings": [ranking], "intents": [[{"a": 1, "b": 0, "c": -1}, {"b": 2}]], "k": k}
        assert_same(metrics.alpha_ndcg(**case), [definitions.alpha_ndcg(ranking, case["intents"][0], k)], case)
    intents, alpha = ["abce", "ac", "cde", "abde", "bcd"], Fraction(3, 5)  # two gains of the greedy ideal differ by rounding alone
    want = [exact(definitions.alpha_ndcg, "abcde", intents, None, alpha)]
    assert_same(metrics.alpha_ndcg(rankings=[[*"abcde"]], intents=[list(map(list, intents))], alpha=alpha), want, intents)


def test_definitions_are_exact():
    """With a discount that is exact, too: 1/2 of 1 + 1/2 + 1/3."""
    one_over = lambda rank: Fraction(1, rank)
    assert definitions.ndcg([0, 1], n_relevant=3, discount=one_over) == Fraction(3, 11)
    assert definitions.ndcg([0, 1], 2, n_relevant=3, discount=one_over) == Fraction(1, 3)
    assert definitions.mean_ndcg_at_hits([1], 2, one_over) == (1 + Fraction(2, 3)) / 2
    assert definitions.count([0, 2, 1]) == 2 and definitions.count([0], 0) == 0 and definitions.average_precision([0, 1, 0, 1, 1, 0]) == Fraction(8, 15)


@pytest.mark.check
def test_defaults_are_those_of_the_definitions():
    functions = {name: getattr(metrics, name) for name in metrics.MODULE_OF}
    functions |= {f"premise_{name}": function for name, function in vars(metrics.premise_selection).items()}
    for name in functions.keys() & vars(definitions).keys():
        ours, theirs = (inspect.signature(each).parameters for each in (functions[name], getattr(definitions, name)))
        assert all(ours[key].default == theirs[key].default for key in ours.keys() & theirs.keys()), name


@pytest.mark.check
def test_every_metric_is_compared_with_its_definition():
    text = Path(__file__).read_text()
    no_metrics = {"Hits", "Total", "LogTotal", "evaluate", "from_frame", "from_columns", "split_by_item", "compare", "leaderboard"}  # tested elsewhere
    forgotten = [name for name in metrics.MODULE_OF.keys() - no_metrics - {*OF_A_RANKING, *BY_NAME} if not re.search(rf"\b{name}\b", text)]
    assert not forgotten, f"tests/test_definitions.py: add a comparison of {', '.join(forgotten)} with the definition of that name"
