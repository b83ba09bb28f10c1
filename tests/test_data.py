"""The libraries of the book: the committed files, whole and damaged, and ranks in them. The rankers: test_predictors."""

import gzip
import re
from collections import Counter
from itertools import product

import numpy as np
import pytest

from metrics.library import set_994
from metrics.library.data_file import DataError, Statement, from_text, read_text
from metrics.library.iset_1001 import ARTEFACT, SHA256, by_popularity, by_recency, load, premise_ranks


def test_the_readme_states_the_checksum_and_the_facts(library):
    kinds, citations = Counter(library.kinds), Counter(premise for premises in library.premises for premise in premises)
    readme = ARTEFACT.with_name("README.md").read_text()
    counts = (
        len(library), f"{kinds['theorem']:,} theorems", f"{kinds['axiom']} axioms", f"{kinds['definition']} definitions",
        citations.total(), max(citations.values()), f"{len(set(library.sections))} ", len(library.goals), SHA256,
    )  # fmt: skip
    assert [fact for fact in counts if (fact if isinstance(fact, str) else f"{fact:,}") not in readme] == []


def test_goals_are_every_eighth_and_every_fortieth_theorem_that_cites(library):
    citing = [i for i in range(1000, len(library)) if library.kinds[i] == "theorem" and library.premises[i]]
    assert library.goals == tuple(citing[::8])
    assert library.development_goals == tuple([i for i in citing if i >= 1004][::40])
    assert not set(library.goals) & set(library.development_goals)


def test_what_a_library_refuses(library):
    with pytest.raises(ValueError, match="^label: no statement .*'sly'"):
        library.position("sly")
    for ranker, goal in product((by_recency, by_popularity), (-1, 9259)):
        with pytest.raises(ValueError, match=f"^goal: expected a position from 0 to 9258, got {goal}"):
            ranker(library, goal)
    for ranking in (np.arange(999), np.arange(1001), np.zeros(1000, dtype=int), np.arange(1000) - 1):
        with pytest.raises(ValueError, match="^ranker: expected the positions 0 to 999, each once, for goal 1000"):
            premise_ranks(library, lambda *_: ranking, [1000])


def test_the_rank_of_a_premise_is_its_place_in_the_ranking(library):
    goals = library.goals[::100]
    for goal, found, length in zip(goals, *premise_ranks(library, by_popularity, goals), strict=True):
        ranking = by_popularity(library, goal).tolist()
        assert length == goal and found.tolist() == sorted(ranking.index(premise) + 1 for premise in library.premises[goal])
    assert premise_ranks(library, by_popularity, [])[1].dtype == int and premise_ranks(library, by_recency)[1].tolist() == list(library.goals)


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
    for path, words in [(tmp_path / "away.gz", "the file is missing"), (tmp_path, "cannot be read (Is a directory)")]:
        with pytest.raises(DataError, match=re.escape(f"{path}: {words}")):
            load(path)


def test_another_text_is_read_without_the_checksum(tmp_path):
    assert from_text("\n".join(GOOD)) == [Statement("a", "axiom", "S", (), "ph", ()), Statement("b", "theorem", "S", ("ps",), "ph", ("a",))]
    (tmp_path / "changed.gz").write_bytes(gzip.compress("\n".join(GOOD).encode()))
    assert load(tmp_path / "changed.gz", sha256=None).labels == ("a", "b")


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
