"""The reader of Metamath files, and the two files that are made of what it reads: the first library, and stored ranks of the second."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from metrics.library import set_994
from metrics.library.data_file import Statement, checksum, from_text, read_text
from metrics.library.iset_1001 import ARTEFACT, SHA256, by_recency
from metrics.library.predictors import PREDICTORS
from tools import replicate
from tools.metamath import read_statements
from tools.rebuild_data import pack, to_text, write_if_right

DATABASES = Path("/usr/share/metamath/databases")  # where Debian's package installs them
DATABASE = DATABASES / "iset.mm"
needs_database = pytest.mark.skipif(not DATABASE.exists(), reason="Debian's package metamath-databases is not installed")

SMALL = """
$( A small café; $c and $p in a comment are only words. $)
$( The comment right before a heading. $)
$(
#*#*#*#*#
  Basics
#*#*#*#*#
$)
$c ( ) -> |- wff $.
$v ph ps ch $.
wph $f wff ph $.  wps $f wff ps $.  wch $f wff ch $.
wi $a wff ( ph -> ps ) $.
$(
=-=-=-=-=
  Logic of
  implication
=-=-=-=-=
  Some text below the heading.
$)
ax-1 $a |- ( ph -> ( ps -> ph ) ) $.
${
  mp.1 $e |- ph $.
  $d ph ps $.
  ${
    mp.2 $e |- ( ph -> ps ) $.
    mp $a |- ps $.
    normal $p |- ps $= wph wps mp.1 mp.2 $( a comment in a proof $) mp $.
  $}
  a1i $p |- ( ps -> ph ) $= ( wi ax-1 mp normal ) ABACDEABFGH $.
$}
$(
#*#*#*#*#
  More
#*#*#*#*#
$)
wi2 $p wff ( ph -> ( ph -> ph ) ) $= ( wi ) AAABB $.
df-x $a |- ( ph -> ph ) $.
dfy $a |- ( ps -> ps ) $.
twice $p |- ( ph -> ( ps -> ph ) ) $= wps df-x wph ax-1 wps df-x ax-1 $.
"""


def test_a_small_database_is_read_and_written_if_its_text_is_the_right_one(tmp_path):
    database, output, basics = tmp_path / "small.mm", tmp_path / "again.gz", "Basics > Logic of implication"
    database.write_bytes(SMALL.encode("latin"))
    statements = read_statements(database)
    assert statements == [
        Statement("ax-1", "axiom", basics, (), "( ph -> ( ps -> ph ) )", ()),
        Statement("mp", "axiom", basics, ("ph", "( ph -> ps )"), "ps", ()),
        Statement("normal", "theorem", basics, ("ph", "( ph -> ps )"), "ps", ("mp",)),
        Statement("a1i", "theorem", basics, ("ph",), "( ps -> ph )", ("ax-1", "mp", "normal")),
        Statement("df-x", "definition", "More", (), "( ph -> ph )", ()),
        Statement("dfy", "axiom", "More", (), "( ps -> ps )", ()),
        Statement("twice", "theorem", "More", (), "( ph -> ( ps -> ph ) )", ("df-x", "ax-1")),
    ]
    rebuild = lambda sha256: write_if_right("Make it.", lambda path: to_text(read_statements(path)), sha256, ARTEFACT, [str(database), str(output)])
    with pytest.raises(SystemExit, match=f"small.mm gives another text: expected SHA-256 {SHA256}, found "):
        rebuild(SHA256)
    assert not output.exists()
    rebuild(checksum(to_text(statements)))
    assert read_text(output) == to_text(statements)


def test_text_to_statements_and_back_in_a_small_file_without_time_and_name():
    text = read_text(ARTEFACT)
    assert to_text(from_text(text)) == text
    for packed in (ARTEFACT.read_bytes(), pack("text")):
        assert len(packed) < 300_000 and packed[3:8] == bytes(5)  # no flags, so no name; time 0


@needs_database
def test_rebuild_gives_the_same_text():
    assert to_text(read_statements(DATABASE)) == read_text(ARTEFACT)


STORED = set_994.load_ranks()


def test_the_file_holds_what_every_metric_needs():
    assert list(STORED.ranks) == list(replicate.RANKERS) == [*PREDICTORS, "k-NN, then recency"]
    assert len(set(STORED.labels)) == len(STORED.sections) == len(STORED.lengths) == 994
    same = [np.minimum(found, 101).tolist() for found in (STORED.hits["k-NN"].rank, STORED.hits["k-NN, then recency"].rank)]
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
def test_a_few_goals_again():
    library = replicate.library_at(DATABASES / "set.mm")
    assert library.goals == tuple(STORED.lengths)
    few = replace(library.seen_from(library.goals[3]), goals=library.goals[:3])
    again = replicate.rank_premises(few)
    for name, ranks in again.ranks.items():
        assert [found.tolist() for found in ranks] == [found.tolist() for found in STORED.ranks[name][:3]], name
