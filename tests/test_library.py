"""The libraries of the book: their files, whole and damaged; the predictors, as a slow recount had them and without a leak; what they refuse."""

import gzip
import re
from collections import Counter
from contextlib import nullcontext
from dataclasses import replace
from itertools import product
from math import exp, log, sqrt

import numpy as np
import pytest

from metrics import Hits
from metrics.library import predictors, set_994
from metrics.library.data_file import DataError, Statement, from_text, read_text
from metrics.library.iset_1001 import ARTEFACT, SHA256, by_popularity, by_recency, citations_before, load, premise_ranks
from metrics.library.predictors import PREDICTORS, hits_of
from metrics.library.set_994 import by_neighbours_then_recency


@pytest.fixture(scope="module")
def library():
    return load()


def test_the_readme_states_the_checksum_and_the_facts(library):
    kinds, citations = Counter(library.kinds), Counter(premise for premises in library.premises for premise in premises)
    readme, stored = ARTEFACT.with_name("README.md").read_text(), set_994.load_ranks()
    counts = (
        len(library), f"{kinds['theorem']:,} theorems", f"{kinds['axiom']} axioms", f"{kinds['definition']} definitions",
        citations.total(), max(citations.values()), f"{len(set(library.sections))} ", len(library.goals), SHA256,
        f"{len(stored)} goals", f"{sum(map(len, stored.ranks['recency'])):,} premises", f"{len(set(stored.sections))} sections", set_994.SHA256,
    )  # fmt: skip
    assert [fact for fact in counts if (fact if isinstance(fact, str) else f"{fact:,}") not in readme] == []


def test_goals_are_every_eighth_and_every_fortieth_theorem_that_cites(library):
    citing = [i for i in range(1000, len(library)) if library.kinds[i] == "theorem" and library.premises[i]]
    assert library.goals == tuple(citing[::8])
    assert library.development_goals == tuple([i for i in citing if i >= 1004][::40])
    assert not set(library.goals) & set(library.development_goals)


def test_what_a_library_refuses(library):
    with pytest.raises(ValueError, match="^label: got 'sly', expected the name of a statement"):
        library.position("sly")
    for ranker, goal in product((by_recency, by_popularity), (-1, 9259)):
        with pytest.raises(ValueError, match=f"^goal: expected a position from 0 to 9258, got {goal}"):
            ranker(library, goal)
    for ranking in (np.arange(999), np.arange(1001), np.zeros(1000, dtype=int), np.arange(1000) - 1):
        with pytest.raises(ValueError, match="^ranker: got a wrong ranking for goal 1000, expected the positions 0 to 999, each once"):
            premise_ranks(library, lambda *_: ranking, [1000])


# The committed file, whole and damaged

PACKED = ARTEFACT.read_bytes()
GOOD = ["iset-1001, format 1, 2 statements", "section S", "axiom a", "then ph", "theorem b", "if ps", "then ph", "by a", ""]
DAMAGED = [
    *((PACKED[:kept], ": the gzip file is truncated") for kept in (5, 1000, -1)),
    *((PACKED[:at] + bytes([PACKED[at] ^ 0xFF]) + PACKED[at:][1:], ": the gzip file is damaged (") for at in (12, 200_000, len(PACKED) - 6)),
    (gzip.compress("iset-1001 \N{RIGHTWARDS ARROW}".encode()), ": the text is not ASCII at byte 10"),
    (gzip.compress("\n".join(GOOD).encode()), f": wrong checksum (SHA-256 of the text): expected {SHA256}, found "),
]


def test_a_damaged_or_missing_file_is_named_with_what_is_wrong(tmp_path):
    path = tmp_path / "damaged.gz"
    for content, words in DAMAGED:
        path.write_bytes(content)
        with pytest.raises(DataError, match=re.escape(f"{path}{words}")) as caught:
            load(path)
        assert caught.value.__suppress_context__ or caught.value.__context__ is None  # no traceback of gzip or zlib
    for path, words in [(tmp_path / "away.gz", "the file is missing"), (tmp_path, "the file cannot be read (Is a directory)")]:
        with pytest.raises(DataError, match=re.escape(f"{path}: {words}")):
            load(path)


def test_another_text_is_read_without_the_checksum(tmp_path):
    assert from_text("\n".join(GOOD)) == [Statement("a", "axiom", "S", (), "ph", ()), Statement("b", "theorem", "S", ("ps",), "ph", ("a",))]
    (tmp_path / "changed.gz").write_bytes(gzip.compress("\n".join(GOOD).encode()))
    changed = load(tmp_path / "changed.gz", sha256=None)
    assert changed.labels == ("a", "b")
    alone = replace(changed, premises=((), ()))  # nothing is cited
    assert citations_before(alone, 1).tolist() == [0]


def test_the_stored_ranks_of_the_other_library_are_read_as_they_were_written(tmp_path):
    stored, packed, other = set_994.load_ranks(), set_994.ARTEFACT.read_bytes(), tmp_path / "other.txt.gz"
    assert set_994.to_text(stored) == read_text(set_994.ARTEFACT)
    assert len(packed) < 350_000 and packed[3:8] == bytes(5)  # neither a name nor a time
    for name, hits in stored.hits.items():
        assert hits.length.tolist() == stored.lengths.tolist()
        assert hits.count.tolist() == hits.n_relevant.tolist() == [len(ranks) for ranks in stored.ranks[name]]
    other.write_bytes(gzip.compress(set_994.to_text(stored).replace("goal ", "goal x", 1).encode()))
    with pytest.raises(DataError, match=f"wrong checksum .* expected {set_994.SHA256}"):
        set_994.load_ranks(other)
    assert len(set_994.load_ranks(other, sha256=None)) == 994


@pytest.mark.parametrize("line, becomes, message", [
    (1, "iset-1001, format 2, 2 statements", "line 1: expected 'iset-1001, format 1, 2 statements', found 'iset-1001, format 2"),
    (1, 99 * "x", f"line 1: expected 'iset-1001, format 1, 2 statements', found {60 * 'x'!r}"),
    (3, "lemma " + 99 * "a", f"line 3: unknown line {'lemma ' + 54 * 'a'!r}"),
    (3, "then ph", "line 3: 'then' cannot follow 'section'"),
    (5, "theorem a", "line 5: 'a' is stated twice"),
    (8, "by c d", "line 8: 'b' cites 'c', which is not stated before it"),
    (8, "by b", "line 8: 'b' cites 'b', which is not stated before it"),
    (8, "by a a", "line 8: 'b' cites a premise twice"),
])  # fmt: skip
def test_wrong_line(line, becomes, message):
    lines = [*GOOD[: line - 1], becomes, *GOOD[line:]]
    with pytest.raises(DataError, match=re.escape(f"here, {message}")):
        from_text("\n".join(lines), "here")


# ---- The predictors, once more and slowly --------------------------------------------------------------------------------------


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


@pytest.mark.parametrize("ranker", RANKERS.values())
def test_no_predictor_sees_the_future(library, ranker):
    """The ranking stays, when everything that a ranker may not see is deleted."""
    for goal in library.development_goals[::60]:
        seen = library.seen_from(goal)
        assert {len(getattr(seen, field)) for field in ("labels", "kinds", "sections", "hypotheses", "statements", "premises")} == {goal + 1}
        assert (seen.premises[goal], seen.goals, seen.development_goals) == ((), (goal,), ())
        assert np.array_equal(ranker(library, goal), ranker(seen, goal))


def test_chance_is_the_same_for_the_same_goal_and_fair(library):
    at_random = PREDICTORS["random"]
    assert at_random(library, 1000).tolist() == at_random(library, 1000).tolist() != at_random(library, 1001).tolist()[:1000]
    found = [at_random(library, goal) for goal in library.goals]
    middle = np.mean([ranking[0] / (goal - 1) for ranking, goal in zip(found, library.goals)])
    assert abs(middle - 1 / 2) < 3 / sqrt(12 * len(found))


def test_hits_of_are_those_of_premise_ranks_and_the_command_says_what_it_is_for(library, capsys):
    goals = library.development_goals[::50]
    found = hits_of(library, goals=goals, progress=True)
    assert list(found) == list(PREDICTORS)
    assert capsys.readouterr().err.endswith("\r4 of 4 goals\n")
    for name, ranker in PREDICTORS.items():
        expected = Hits.from_ranks(*premise_ranks(library, ranker, goals))
        assert found[name].rank.tolist() == expected.rank.tolist() and found[name].length.tolist() == list(goals)
    assert hits_of(library, {"newest": by_recency})["newest"].shape == (len(library.goals),)
    assert capsys.readouterr().err == ""
    with pytest.raises(SystemExit, match="0"):
        predictors.main(["--help"])
    assert predictors.main.__doc__ in capsys.readouterr().out


def test_a_class_is_one_leaderboard_and_what_is_wrong_with_a_file_costs_nobody_else(tmp_path, capsys):
    good = "my_predictor = lambda library, goal: reversed(range(goal))"
    texts = {
        "a/mine.py": good, "b/mine.py": good, "cleo.py": "raise KeyError('x')", "dan.py": "import numpy as np\nmy_predictor = lambda library, goal: 1 / 0",
        "eve.py": "import numpy as np\ndef my_predictor(library, goal):\n"
        "    return np.argsort(-np.bincount(library.citations[0], minlength=len(library))[:goal], kind='stable')",
    }  # fmt: skip
    for name, text in texts.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    with pytest.raises(SystemExit, match="2"):
        predictors.main([str(tmp_path / name) for name in texts])
    printed = capsys.readouterr()
    assert all(name in printed.out for name in ("a/mine.py", "b/mine.py", "eve.py", *PREDICTORS)) and "cleo" not in printed.out
    assert re.search(r"cleo.py: KeyError.*\ndan.py: ZeroDivisionError.*\neve.py: its ranking changes", printed.err)


@pytest.mark.parametrize("text, words", [
    ("my_predictor = 7", "mine.py: the file defines no function my_predictor(library, goal)"),
    ("my_predictor = lambda library, goal: print(end='')", "mine.py: ranker: got a wrong ranking for goal 1004, expected the positions 0 to 1003, each once"),
    ("my_predictor = lambda library, goal: reversed(range(goal))", ""),
])  # fmt: skip
def test_a_file_of_your_own_is_scored_beside_the_seven_or_told_what_is_wrong(tmp_path, capsys, text, words):
    (tmp_path / "mine.py").write_text(text)
    with pytest.raises(SystemExit) if words else nullcontext() as stopped:
        predictors.main([str(tmp_path / "mine.py")])
    printed = capsys.readouterr()
    assert words in printed.err and (stopped.value.code == 2 if words else all(name in printed.out for name in [*PREDICTORS, "mine.py"]))
