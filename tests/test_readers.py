"""INST against cwl_eval, and what team draft refuses."""

import pytest

import metrics
from metrics.exact import definitions, rankings

# EU of cwl_eval 1.0.12 for hits at ranks 1, 3 and 6, with --max_n 100, 1000, 10000 and 100000: the longer the list, the nearer to the end.
BY_CWL_EVAL = {1: (0.744593, 0.743317, 0.743191, 0.743179), 2: (0.486337, 0.480348, 0.479755, 0.479695)}


@pytest.mark.parametrize("expected", BY_CWL_EVAL)
def test_cwl_eval_comes_nearer_the_deeper_it_looks(expected):
    ours = metrics.inst([1, 0, 1, 0, 0, 1], expected=expected)
    beyond = [value - ours for value in BY_CWL_EVAL[expected]]
    assert beyond == sorted(beyond, reverse=True) and 0 < beyond[-1] < 2e-5


def test_a_reader_who_found_more_gives_up_sooner():
    for ranking in rankings(5):
        for k in (k for k, hit in enumerate(ranking) if not hit):
            before, after = (definitions.inst_continuation(each, 3) for each in (ranking, (*ranking[:k], 1, *ranking[k + 1 :])))
            assert before[:k] == after[:k] and all(more < less for more, less in zip(after[k:], before[k:], strict=True))


def test_too_few_coins():
    with pytest.raises(ValueError, match="coins: got 1 coins, expected one for each round"):
        metrics.team_draft([*"abc"], [*"bca"], coins=[0])
