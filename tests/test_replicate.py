"""The stored ranks of the second library, and the program that makes them; the file itself is in test_data."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from metrics.library.iset_1001 import by_recency
from metrics.library.predictors import PREDICTORS
from metrics.library.set_994 import ARTEFACT, SHA256, load_ranks
from tools import replicate

DATABASE = Path("/usr/share/metamath/databases/set.mm")  # where Debian's package installs it
needs_database = pytest.mark.skipif(not DATABASE.exists(), reason="Debian's package metamath-databases is not installed")


@pytest.fixture(scope="module")
def stored():
    return load_ranks()


def test_the_readme_states_the_checksum_and_the_facts(stored):
    readme = ARTEFACT.with_name("README.md").read_text()
    premises = sum(map(len, stored.ranks["recency"]))
    counts = f"{len(stored)} goals", f"{premises:,} premises", f"{len(set(stored.sections))} sections", SHA256
    assert [fact for fact in counts if fact not in readme] == []


def test_the_file_holds_what_every_metric_needs(stored):
    assert list(stored.ranks) == list(replicate.RANKERS) == [*PREDICTORS, "k-NN, then recency"]
    assert len(stored.labels) == len(stored.sections) == len(stored.lengths) == 994 and len(set(stored.labels)) == 994
    same = [np.minimum(found, 101).tolist() for found in (stored.hits["k-NN"].rank, stored.hits["k-NN, then recency"].rank)]
    assert same[0] == same[1]  # the two differ only below the first hundred


def test_every_premise_has_its_rank(tmp_path):
    """In a Metamath file of which every statement cites the one before it."""
    proofs = "".join(f"t{i} $p |- ph $= wph {before} $.\n" for i, before in enumerate(["ax", *(f"t{i}" for i in range(2080))]))
    (tmp_path / "small.mm").write_text(f"$c |- wff $.\n$v ph $.\nwph $f wff ph $.\nax $a |- ph $.\n{proofs}")
    library = replicate.library_at(tmp_path / "small.mm")
    assert library.goals == (2000, 2036, 2072)
    found = replicate.rank_premises(library, {"recency": by_recency})
    assert [ranks.tolist() for ranks in found.ranks["recency"]] == [[1], [1], [1]]
    assert found.labels == ("t1999", "t2035", "t2071") and found.lengths.tolist() == [2000, 2036, 2072]


@needs_database
def test_a_few_goals_again(stored):
    library = replicate.library_at(DATABASE)
    assert library.goals == tuple(stored.lengths)
    few = replace(library.seen_from(library.goals[3]), goals=library.goals[:3])
    again = replicate.rank_premises(few)
    for name, ranks in again.ranks.items():
        assert [found.tolist() for found in ranks] == [found.tolist() for found in stored.ranks[name][:3]], name
