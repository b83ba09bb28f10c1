"""The wishes of an AP@k: each is broken by its smallest counterexample, and by nothing smaller."""

from functools import cache

import pytest

from metrics.exact import definitions, wishes

YES = None
DENOMINATORS = ("retrieved", "relevant", "ideal", "cutoff")
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
CASE = (0, 1, 0, 1), 3, 2
NEIGHBOURS = {  # of the case; the other wishes compare it with none
    wishes.grows_with_k: {((0, 1, 0, 1), 4, 2)},
    wishes.swap_in_the_top_raises: {((1, 0, 0, 1), 3, 2)},
    wishes.swap_across_never_lowers: {((0, 1, 1, 0), 3, 2)},
    wishes.better_for_worse_never_lowers: {((1, 1, 0, 0), 3, 2), ((0, 1, 1, 0), 3, 2)},
    wishes.one_more_judged_relevant_never_lowers: {((1, 1, 0, 1), 3, 3), ((0, 1, 1, 1), 3, 3)},
    wishes.needs_only_the_top: {((0, 1, 0), 3, 3)},
    wishes.one_more_not_found_lowers: {((0, 1, 0, 1), 3, 3)},
}


@pytest.mark.parametrize("wish", wishes.WISHES, ids=lambda wish: wish.__name__)
def test_the_smallest_counterexample_and_what_it_is_compared_with(wish):
    asked = set()
    for denominator, expected in zip(DENOMINATORS, TABLE[wish], strict=True):
        ap = cache(lambda relevance, k, n_relevant: definitions.average_precision_at(relevance, k, denominator=denominator, n_relevant=n_relevant))
        assert wishes.smallest_counterexample(wish, ap, 5) == expected
        assert denominator != "retrieved" or wish(ap, (0, 0), 1, 1) == (wish is not wishes.is_defined), "undefined counts as 0, but for the wish to be defined"

    def score(*arguments):
        asked.add(arguments)
        return arguments != CASE or wish is wishes.one_more_not_found_lowers  # each comparison goes on to the next

    wish(score, *CASE)
    assert asked - {CASE} == NEIGHBOURS.get(wish, set())


def test_the_wishes_have_words_and_those_that_every_denominator_keeps_can_be_broken():
    assert [wishes.words(wish) for wish in wishes.WISHES[1:5:3]] == ["1 for the ideal ranking", "AP at k = N, if all are ranked"]
    assert wishes.smallest_counterexample(wishes.at_most_1, lambda *case: 2, 4) == ((0,), 1, 1)
    assert wishes.smallest_counterexample(wishes.swap_in_the_top_raises, lambda *case: 1, 4) == ((0, 1), 2, 1)


def test_the_cases_come_shortest_first_and_all():
    cases = list(wishes.cases_up_to(3))
    assert cases[:5] == [((0,), 1, 1), ((1,), 1, 1), ((1,), 1, 2), ((0, 0), 1, 1), ((0, 0), 2, 1)]
    assert cases == sorted(cases, key=lambda case: len(case[0])) and len(set(cases)) == len(cases) == sum(n * (2 * 2**n - 1) for n in (1, 2, 3))
