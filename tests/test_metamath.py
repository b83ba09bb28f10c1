"""The reader of Metamath files, and the file that is made of what it reads."""

import gzip
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from metrics.library.data_file import Statement, checksum, from_text, read_text
from metrics.library.iset_1001 import ARTEFACT, SHA256, load
from tools import rebuild_data
from tools.metamath import MetamathError, read_statements

DATABASE = Path("/usr/share/metamath/databases/iset.mm")  # where Debian's package installs it
needs_database = pytest.mark.skipif(not DATABASE.exists(), reason="Debian's package metamath-databases is not installed")
needs_program = pytest.mark.skipif(
    not (DATABASE.exists() and shutil.which("metamath")),
    reason="the program metamath and Debian's package metamath-databases are not both installed",
)


# The reader of Metamath files

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


@pytest.fixture
def database(tmp_path):
    """Writes a Metamath file and gives its path."""

    def write(text):
        path = tmp_path / "small.mm"
        path.write_bytes(text.encode("latin"))
        return path

    return write


def test_reader_on_a_small_database(database):
    basics = "Basics > Logic of implication"
    assert read_statements(database(SMALL)) == [
        Statement("ax-1", "axiom", basics, (), "( ph -> ( ps -> ph ) )", ()),
        Statement("mp", "axiom", basics, ("ph", "( ph -> ps )"), "ps", ()),
        Statement("normal", "theorem", basics, ("ph", "( ph -> ps )"), "ps", ("mp",)),
        Statement("a1i", "theorem", basics, ("ph",), "( ps -> ph )", ("ax-1", "mp", "normal")),
        Statement("df-x", "definition", "More", (), "( ph -> ph )", ()),
        Statement("dfy", "axiom", "More", (), "( ps -> ps )", ()),
        Statement("twice", "theorem", "More", (), "( ph -> ( ps -> ph ) )", ("df-x", "ax-1")),
    ]


START = "$c |- wff $. $v ph $. wph $f wff ph $.\n"


@pytest.mark.parametrize(
    "text, message",
    [
        ("$c ph $.\n$( never closed", "line 2: comment is not closed: '$( never closed'"),
        ("\n$( first $( second $)", "line 2: comment is not closed: '$( first $( second $)'"),
        ("\n$x ph $.", "line 2: unknown word '$x'"),
        *((word, f"line 1: unknown word '{word[:2]}'") for word in ("$[ other.mm $]", "$)")),
        (START + "a $a |- ph $.\nb! $a |- ph $.", "line 3: unknown word 'b!'"),
        (START + "a $a |- ps $.", "line 2: a: unknown symbol 'ps'"),
        (START + "$c ph\N{LATIN SMALL LETTER O WITH STROKE} $.", "line 2: 'ph\ufffd' is not ASCII"),
        (START + "a $a $.", "line 2: a: empty statement"),
        *((START + f"{kind} |- ph $.", f"line 2: label missing before '{kind}'") for kind in ("$a", "$p")),
        (START + "a\nb $a |- ph $.", "line 3: label 'a' is followed by 'b', not by one of $f $e $a $p"),
        (START + "a", "line 2: label 'a' is followed by 'the end of the file'"),
        (START + "a $a |- ph $.\na $a |- ph $.", "line 3: label 'a' is used twice"),
        (START + "a $p |- ph\n$.", "line 3: a: expected '$=', found '$.'"),
        (START + "a $a |- ph\n${", "line 3: a: expected '$.', found '${'"),
        (START + "a $a |- ph", "line 2: a: the file ends before '$.'"),
        *((START + f"a $p |- ph $= {proof}$.", "line 2: a: the proof is unfinished") for proof in ("", "? ", "( wph ) A?B ")),
        (START + "a $p |- ph $= ( wph ABC $.", "line 2: a: the list of labels in the proof is not closed by ')'"),
        (START + "a $p |- ph $= ( b ) A $.\nb $a |- ph $.", "line 2: a: the proof cites 'b', which is not stated before it"),
        (START + "a $p |- ph $= wph a $.", "line 2: a: the proof cites 'a', which is not stated before it"),
        ("$}", "line 1: '$}' closes no block"),
        ("${\n$c ph $.", "line 2: the file ends before '$}'"),
    ],
)
def test_malformed_database(database, text, message):
    path = database(text)
    with pytest.raises(MetamathError, match="^" + re.escape(f"{path}, {message}")):
        read_statements(path)


# The file that is made of it


def test_text_to_statements_and_back_in_a_small_file_without_time_and_name():
    text = read_text(ARTEFACT)
    assert rebuild_data.to_text(from_text(text)) == text
    for packed in (ARTEFACT.read_bytes(), rebuild_data.pack("text")):
        assert len(packed) < 300_000 and packed[3:8] == bytes(5)  # no flags, so no name; time 0


def test_what_is_not_the_database_of_the_book_writes_nothing(tmp_path, database):
    output = tmp_path / "other.gz"
    for source, words in [
        (SMALL, f"small.mm gives another text: expected SHA-256 {SHA256}, found "),
        ("a $p ph $.", f"^rebuild: {tmp_path}/small.mm, line 1: a: expected '\\$=', found '\\$.'$"),
        (None, r"^rebuild: .*No such file.*away\.mm'$"),
    ]:
        with pytest.raises(SystemExit, match=words):
            rebuild_data.main([str(database(source) if source else tmp_path / "away.mm"), str(output)])
        assert not output.exists()
    with pytest.raises(SystemExit, match="Usage: python -m tools.rebuild_data"):
        rebuild_data.main([])


def test_the_right_text_is_written_where_it_is_missing_or_damaged(tmp_path, database, monkeypatch, capsys):
    output, source = tmp_path / "again.gz", database(SMALL)
    text = rebuild_data.to_text(read_statements(source))
    monkeypatch.setattr(rebuild_data, "SHA256", checksum(text))
    for before, done in [(None, "written"), (b"damaged", "written"), (gzip.compress(text.encode(), 1), "already right")]:
        if before:
            output.write_bytes(before)
        rebuild_data.main([str(source), str(output)])
        assert read_text(output) == text and f"{output}: {done}, " in capsys.readouterr().out
    assert output.read_bytes() == before


# The real database and the program `metamath`


@needs_database
def test_rebuild_gives_the_same_text():
    assert rebuild_data.to_text(read_statements(DATABASE)) == read_text(ARTEFACT)


def ask_metamath(*commands):
    """What the program answers to each command."""
    script = [f'read "{DATABASE}"', "set scroll continuous", "set width 9999", *commands, "exit"]
    done = subprocess.run(["metamath"], input="\n".join(script) + "\n", capture_output=True, text=True, timeout=60)
    return done.stdout.split("MM> ")[4:-1]


@needs_program
def test_users_agree_with_show_usage():
    library = load()
    sample = ["syl", "ax-mp", "idi", "df-1o", *library.labels[7::400]]
    for label, answer in zip(sample, ask_metamath(*(f"show usage {label}" for label in sample)), strict=True):
        position = library.position(label)
        users = {library.labels[user] for user, premises in enumerate(library.premises) if position in premises}
        head, names = answer.split("\n", 1)
        assert f'"{label}"' in head and set(names.split()) == (users or {"(None)"})


@needs_program
def test_everything_a_proof_rests_on_agrees_with_show_trace_back():
    library = load()
    sample = ["2on", "syl", *(library.labels[goal] for goal in library.goals[::250])]
    commands = (f"show trace_back {label} /essential" for label in sample)
    for label, answer in zip(sample, ask_metamath(*commands), strict=True):
        reached, to_visit = set(), [library.position(label)]
        while to_visit:
            new = set(library.premises[to_visit.pop()]) - reached
            reached |= new
            to_visit += new
        names = answer.split("\n", 1)[1].replace("($a)", "").split()
        assert set(names) == {library.labels[position] for position in reached}
