"""The seven predictors: against slow transcriptions with dictionaries and loops, without a leak, and what they refuse."""

from collections import Counter
from contextlib import nullcontext
from math import exp, log, sqrt

import numpy as np
import pytest

from metrics import Hits
from metrics.library import predictors
from metrics.library.iset_1001 import premise_ranks
from metrics.library.predictors import PREDICTORS, by_recency, hits_of
from metrics.library.set_994 import by_neighbours_then_recency

# ---- Once more, slowly --------------------------------------------------------------------------------------


def parts(library, position):
    """The features as a set: symbols, and texts of two neighbours."""
    found = set()
    for expression in [library.statements[position], *library.hypotheses[position]]:
        symbols = expression.split()
        found |= set(symbols) | {f"{left} {right}" for left, right in zip(symbols, symbols[1:])}
    return found


def sorted_by(library, goal, score):
    """By score, then by citations so far, then the newest first."""
    cited = Counter(premise for premises in library.premises[:goal] for premise in premises)
    return sorted(range(goal), key=lambda i: (-round(score.get(i, 0), 10), -cited[i], -i))


def slow_decayed_popularity(library, goal, scale=500):
    score = Counter()
    for i in range(goal):
        for premise in library.premises[i]:
            score[premise] += exp((i - goal) / scale)
    return sorted_by(library, goal, score)


def slow_nearest_neighbours(library, goal, neighbours=100):
    having = [parts(library, i) for i in range(goal + 1)]
    frequency = Counter(part for own in having for part in own)
    idf = {part: log((goal + 1) / times) for part, times in frequency.items()}

    def dot(some, others):
        return sum(idf[part] ** 2 for part in some & others)

    norms = [dot(own, own) for own in having]
    alike = {i: dot(having[i], having[goal]) / (sqrt(norms[i] * norms[goal]) or 1) for i in range(goal)}
    nearest = sorted(alike, key=lambda i: (-round(alike[i], 10), -i))[:neighbours]
    score = Counter()
    for i in nearest:
        score[i] += 0.3 * alike[i] ** 4
        for premise in library.premises[i]:
            score[premise] += alike[i] ** 4 / sqrt(len(library.premises[i]))
    return sorted_by(library, goal, score)


def slow_naive_bayes(library, goal, trust=0.2, smoothing=0.1):
    having = [parts(library, i) for i in range(goal + 1)]
    share = {part: sum(part in own for own in having) / (goal + 1) for part in having[goal]}
    score = {}
    for i in range(goal):
        users = [j for j in range(goal) if i == j or i in library.premises[j]]
        score[i] = log(len(users))
        for part in having[goal]:
            with_it = sum(part in having[j] for j in users)
            conditional = (with_it + smoothing * share[part]) / (len(users) + smoothing)
            score[i] += trust * log(conditional / share[part])
    return sorted_by(library, goal, score)


def slow_fusion(library, goal):
    score = Counter()
    for ranker in slow_nearest_neighbours, slow_naive_bayes:
        for rank, i in enumerate(ranker(library, goal), 1):
            score[i] += 1 / (20 + rank)
    return sorted_by(library, goal, score)


SLOW = {
    "recency": (lambda library, goal: [*reversed(range(goal))], {}),
    "popularity": (lambda library, goal: sorted_by(library, goal, {}), {}),
    "decayed popularity": (slow_decayed_popularity, {"scale": 9}),
    "k-NN": (slow_nearest_neighbours, {"neighbours": 3}),
    "naive Bayes": (slow_naive_bayes, {"trust": 1, "smoothing": 2}),
    "fusion": (slow_fusion, {}),
    "k-NN, then recency": (lambda library, goal: [*dict.fromkeys([*slow_nearest_neighbours(library, goal)[:100], *reversed(range(goal))])], {}),
}
RANKERS = PREDICTORS | {"k-NN, then recency": by_neighbours_then_recency}


@pytest.mark.parametrize("name", SLOW)
def test_the_predictors_against_a_slow_recount(library, name):
    start, (slow, settings) = library.seen_from(1200), SLOW[name]
    for goal in (*range(30), 1000, 1093, 1200):
        assert RANKERS[name](start, goal).tolist() == slow(start, goal), goal
    assert RANKERS[name](start, 1200, **settings).tolist() == slow(start, 1200, **settings)


# ---- No leak ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ranker", RANKERS.values())
def test_no_predictor_sees_the_future(library, ranker):
    """The ranking stays, when everything that a ranker may not see is deleted."""
    for goal in library.development_goals[::60]:
        seen = library.seen_from(goal)
        assert {len(getattr(seen, field)) for field in ("labels", "kinds", "sections", "hypotheses", "statements", "premises")} == {goal + 1}
        assert (seen.premises[goal], seen.goals, seen.development_goals) == ((), (goal,), ())
        assert np.array_equal(ranker(library, goal), ranker(seen, goal))


# ---- Chance ----------------------------------------------------------------------


def test_chance_is_the_same_for_the_same_goal_and_fair(library):
    at_random = PREDICTORS["random"]
    assert at_random(library, 1000).tolist() == at_random(library, 1000).tolist() != at_random(library, 1001).tolist()[:1000]
    found = [at_random(library, goal) for goal in library.goals]
    middle = np.mean([ranking[0] / (goal - 1) for ranking, goal in zip(found, library.goals)])
    assert abs(middle - 1 / 2) < 3 / sqrt(12 * len(found))


# ---- All goals ----------------------------------------------------------------------------------------------


def test_hits_of_are_those_of_premise_ranks(library, capsys):
    goals = library.development_goals[::50]
    found = hits_of(library, goals=goals, progress=True)
    assert list(found) == list(PREDICTORS)
    assert capsys.readouterr().err.endswith("\r4 of 4 goals\n")
    for name, ranker in PREDICTORS.items():
        expected = Hits.from_ranks(*premise_ranks(library, ranker, goals))
        assert found[name].rank.tolist() == expected.rank.tolist() and found[name].length.tolist() == list(goals)
    assert hits_of(library, {"newest": by_recency})["newest"].shape == (len(library.goals),)
    assert capsys.readouterr().err == ""


def test_the_command_says_what_it_is_for(capsys):
    with pytest.raises(SystemExit, match="0"):
        predictors.main(["--help"])
    assert predictors.main.__doc__ in capsys.readouterr().out


@pytest.mark.parametrize(
    "text, words",
    [
        ("my_predictor = 7", "mine.py: expected a function my_predictor(library, goal)"),
        ("my_predictor = lambda library, goal: print(end='')", "mine.py: ranker: expected the positions 0 to 1003, each once, for goal 1004"),
        ("my_predictor = lambda library, goal: reversed(range(goal))", ""),
    ],
)
def test_a_file_of_your_own_is_scored_beside_the_seven_or_told_what_is_wrong(tmp_path, capsys, text, words):
    (tmp_path / "mine.py").write_text(text)
    with pytest.raises(SystemExit) if words else nullcontext() as stopped:
        predictors.main([str(tmp_path / "mine.py")])
    printed = capsys.readouterr()
    assert words in printed.err and (stopped.value.code == 2 if words else all(name in printed.out for name in [*PREDICTORS, "mine.py"]))
