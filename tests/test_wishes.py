"""The wishes of an AP@k: each is broken by its smallest counterexample, and by nothing smaller."""

from functools import cache

import pytest

from metrics.exact import definitions, wishes

DENOMINATORS = ("retrieved", "relevant", "ideal", "cutoff")


@cache
def ap_at(denominator):
    return cache(lambda relevance, k, n_relevant: definitions.average_precision_at(relevance, k, denominator=denominator, n_relevant=n_relevant))


YES = None
TABLE = {  # (relevance, k, n_relevant) for each denominator
    wishes.at_most_1: (YES, YES, YES, YES),
    wishes.ideal_is_1: (YES, ((1, 1), 1, 2), YES, ((1, 0), 2, 1)),
    wishes.only_ideal_is_1: (((1, 0), 2, 2), YES, YES, YES),
    wishes.is_defined: (((0,), 1, 1), YES, YES, YES),
    wishes.is_ap_at_the_end: (YES, YES, YES, ((0, 1), 2, 1)),
    wishes.grows_with_k: (((1, 0, 1), 2, 2), YES, ((1, 0), 1, 2), ((1, 0), 1, 1)),
    wishes.swap_in_the_top_raises: (YES, YES, YES, YES),
    wishes.swap_across_never_lowers: (((1, 0, 0, 1), 3, 2), YES, YES, YES),
    wishes.better_for_worse_never_lowers: (((1, 0, 0, 1), 3, 2), YES, YES, YES),
    wishes.one_more_judged_relevant_never_lowers: (((1, 0, 0), 3, 1), ((1, 0, 0), 3, 1), ((1, 0, 0), 3, 1), YES),
    wishes.needs_only_the_top: (YES, ((1,), 1, 1), ((0, 1), 2, 1), YES),
    wishes.one_more_not_found_lowers: (((1,), 1, 1), YES, ((1,), 1, 1), ((1,), 1, 1)),
}


def test_every_wish_is_in_the_table_once():
    assert list(TABLE) == list(wishes.WISHES)
    texts = [wishes.words(wish) for wish in wishes.WISHES]
    assert len(set(texts)) == len(texts) and not any(text.endswith(".") for text in texts) and texts[3] == "defined if R ≥ 1"


@pytest.mark.parametrize("wish", TABLE, ids=lambda wish: wish.__name__)
def test_the_smallest_counterexample(wish):
    for denominator, expected in zip(DENOMINATORS, TABLE[wish], strict=True):
        assert wishes.smallest_counterexample(wish, ap_at(denominator), 5) == expected
        assert expected is None or not wish(ap_at(denominator), *expected)


def test_the_wishes_that_every_denominator_keeps_can_be_broken():
    assert wishes.smallest_counterexample(wishes.at_most_1, lambda *case: 2, 4) == ((0,), 1, 1)
    assert wishes.smallest_counterexample(wishes.swap_in_the_top_raises, lambda *case: 1, 4) == ((0, 1), 2, 1)


NEIGHBOURS = {  # beside the case itself, ((0, 1, 0, 1), 3, 2), and only as far as it matters; the other wishes have none
    wishes.grows_with_k: {((0, 1, 0, 1), 4, 2)},
    wishes.swap_in_the_top_raises: {((1, 0, 0, 1), 3, 2)},
    wishes.swap_across_never_lowers: {((0, 1, 1, 0), 3, 2)},
    wishes.better_for_worse_never_lowers: {((1, 1, 0, 0), 3, 2), ((0, 1, 1, 0), 3, 2)},
    wishes.one_more_judged_relevant_never_lowers: {((1, 1, 0, 1), 3, 3), ((0, 1, 1, 1), 3, 3)},
    wishes.needs_only_the_top: {((0, 1, 0), 3, 3)},
    wishes.one_more_not_found_lowers: {((0, 1, 0, 1), 3, 3)},
}


@pytest.mark.parametrize("wish", TABLE, ids=lambda wish: wish.__name__)
def test_a_wish_compares_a_case_with_its_neighbours_and_no_others(wish):
    case = (0, 1, 0, 1), 3, 2
    asked = set()

    def score(*arguments):
        asked.add(arguments)
        return 0 if arguments == case and wish is not wishes.one_more_not_found_lowers else 1  # each comparison goes on to the next

    wish(score, *case)
    assert asked - {case} == NEIGHBOURS.get(wish, set())


def test_undefined_counts_as_0_but_for_the_wish_to_be_defined():
    nothing = (0, 0), 1, 1
    assert wishes.value(ap_at("retrieved"), *nothing) == 0
    assert wishes.is_defined(ap_at("retrieved"), *nothing) is False
    assert all(wish(ap_at("retrieved"), *nothing) for wish in wishes.WISHES if wish is not wishes.is_defined)


def test_the_cases_come_shortest_first_and_all():
    cases = list(wishes.cases_up_to(3))
    assert cases[:5] == [((0,), 1, 1), ((1,), 1, 1), ((1,), 1, 2), ((0, 0), 1, 1), ((0, 0), 2, 1)]
    lengths = [len(relevance) for relevance, _, _ in cases]
    assert lengths == sorted(lengths)
    assert len(cases) == len(set(cases)) == sum(n * (2 * 2**n - 1) for n in (1, 2, 3))
