"""The data of the book: the committed file, the reader of Metamath, and the rankers of `iset_1001`."""

import gzip
import re
import shutil
import subprocess
import sys
from collections import Counter
from dataclasses import FrozenInstanceError
from pathlib import Path

import numpy as np
import pytest

from metrics.iset_1001 import (
    ARTEFACT,
    SHA256,
    DataError,
    by_popularity,
    by_recency,
    citations_before,
    library_of,
    load,
    premise_ranks,
)
from metrics.statements import Statement, from_text, read_text
from tools.metamath import MetamathError, read_statements
from tools.rebuild_data import pack, to_text

DATABASE = Path("/usr/share/metamath/databases/iset.mm")  # where Debian's package installs it
needs_database = pytest.mark.skipif(not DATABASE.exists(), reason="Debian's package metamath-databases is not installed")
needs_program = pytest.mark.skipif(
    not (DATABASE.exists() and shutil.which("metamath")),
    reason="the program metamath and Debian's package metamath-databases are not both installed",
)


@pytest.fixture(scope="module")
def library():
    return load()


# The facts that the README states


def test_number_of_statements(library):
    assert len(library) == 9259
    assert Counter(library.kinds) == {"theorem": 8988, "axiom": 83, "definition": 188}


def test_definitions_are_the_labels_that_begin_with_df(library):
    assert all((kind == "definition") == label.startswith("df-") for kind, label in zip(library.kinds, library.labels))


def test_number_of_citations_and_the_most_cited(library):
    citations = Counter(premise for premises in library.premises for premise in premises)
    assert citations.total() == 71_291
    (syl, count), (_, runner_up) = citations.most_common(2)
    assert (library.labels[syl], count) == ("syl", 1332)
    assert runner_up < count


def test_number_of_section_paths(library):
    assert len(set(library.sections)) == 172


def test_labels_are_distinct(library):
    assert len(set(library.labels)) == len(library)


def test_premises_are_distinct_and_stand_before_their_user(library):
    for position, premises in enumerate(library.premises):
        assert len(set(premises)) == len(premises)
        assert all(0 <= premise < position for premise in premises)


def test_only_three_theorems_cite_nothing(library):
    assert [
        label for label, kind, premises in zip(library.labels, library.kinds, library.premises) if kind == "theorem" and not premises
    ] == ["dummylink", "idi", "conventions"]


def test_axioms_and_definitions_cite_nothing(library):
    assert not any(premises for kind, premises in zip(library.kinds, library.premises) if kind != "theorem")


def test_goals(library):
    def every(step, start):
        return tuple(
            [i for i in range(len(library)) if i >= start and library.kinds[i] == "theorem" and library.premises[i] != ()][::step]
        )

    assert len(library.goals) == 1001
    assert library.goals == every(8, 1000)
    assert len(library.development_goals) == 200
    assert library.development_goals == every(40, 1004)
    assert not set(library.goals) & set(library.development_goals)
    assert library.goals[0] == 1000 and library.development_goals[0] == 1004


def test_one_statement_in_full(library):
    syl = library.position("syl")
    assert library.hypotheses[syl] == ("( ph -> ps )", "( ps -> ch )")
    assert library.statements[syl] == "( ph -> ch )"
    assert [library.labels[premise] for premise in library.premises[syl]] == ["a1i", "mpd"]
    assert library.sections[syl] == "FIRST ORDER LOGIC WITH EQUALITY > Propositional calculus > Logical implication"
    assert library.text(library.position("ax-1")) == "( ph -> ( ps -> ph ) )"


def test_readme_states_the_checksum_and_the_facts():
    readme = ARTEFACT.with_name("README.md").read_text()
    for fact in (SHA256, "9,259", "8,988 theorems", "83 axioms", "188 definitions", "71,291", "1,332", "172 ", "1,001", "CC0"):
        assert fact in readme


# The library as an object


def test_library_is_frozen(library):
    with pytest.raises(FrozenInstanceError):
        library.goals = ()
    assert all(isinstance(field, tuple) for field in (library.labels, library.premises, library.premises[20], library.goals))


def test_unknown_label(library):
    with pytest.raises(ValueError, match="^label: .*'sly'"):
        library.position("sly")


@pytest.mark.parametrize("goal", [-1, 9259])
@pytest.mark.parametrize("ranker", [by_recency, by_popularity])
def test_a_goal_outside_the_library(library, ranker, goal):
    with pytest.raises(ValueError, match=f"^goal: .*9258, got {goal}"):
        ranker(library, goal)


# Rankings


def slow_popularity(library, goal):
    """The same ranking once more, with nothing but a count and one sort."""
    cited = Counter()
    for user in range(goal):
        for premise in library.premises[user]:
            cited[premise] += 1
    return sorted(range(goal), key=lambda position: (-cited[position], -position))


def test_popularity_against_a_slow_recount(library):
    for goal in library.goals[::50]:
        assert by_popularity(library, goal).tolist() == slow_popularity(library, goal)


def test_citations_before_the_goal_only(library):
    syl = library.position("syl")
    for goal in library.goals[::100]:
        assert citations_before(library, goal)[syl] == sum(syl in premises for premises in library.premises[:goal])


def test_recency(library):
    assert by_recency(library, 1000).tolist() == list(range(999, -1, -1))


def test_the_first_statement_has_nothing_to_rank(library):
    assert by_popularity(library, 0).tolist() == []


def leaks(library, ranker, goals):
    """Does the ranking change when everything that a ranker may not see is deleted?"""
    return any(not np.array_equal(ranker(library, goal), ranker(library.seen_from(goal), goal)) for goal in goals)


@pytest.mark.parametrize("ranker", [by_popularity, by_recency])
def test_deleting_everything_after_the_goal_changes_no_ranking(library, ranker):
    assert not leaks(library, ranker, library.goals[::20])


def by_popularity_in_the_whole_library(library, goal):
    cited, _ = library.citations
    return np.argsort(-np.bincount(cited, minlength=len(library))[:goal], kind="stable")


def by_peeking_at_the_proof(library, goal):
    return np.array(sorted(range(goal), key=lambda position: position not in library.premises[goal]))


@pytest.mark.parametrize("ranker", [by_popularity_in_the_whole_library, by_peeking_at_the_proof])
def test_the_leakage_test_catches_a_leak(library, ranker):
    assert leaks(library, ranker, library.goals[::200])


def test_what_a_ranker_may_see(library):
    goal = library.goals[3]
    seen = library.seen_from(goal)
    assert len(seen) == goal + 1
    assert seen.text(goal) == library.text(goal)
    assert seen.premises[goal] == () != library.premises[goal]
    assert seen.premises[:goal] == library.premises[:goal]
    assert (seen.goals, seen.development_goals) == ((goal,), ())
    fields = (seen.labels, seen.kinds, seen.sections, seen.hypotheses, seen.statements, seen.premises)
    assert {len(field) for field in fields} == {goal + 1}


def test_premise_ranks(library):
    goals = library.goals[::50]
    ranks, lengths = premise_ranks(library, by_popularity, goals)
    assert lengths.tolist() == list(goals)
    for goal, found in zip(goals, ranks, strict=True):
        ranking = by_popularity(library, goal).tolist()
        assert found.tolist() == sorted(ranking.index(premise) + 1 for premise in library.premises[goal])


def test_premise_ranks_takes_the_goals_of_the_library(library):
    ranks, lengths = premise_ranks(library, by_recency)
    assert len(ranks) == len(lengths) == 1001
    # The newest statement, at position goal - 1, has rank 1: rank + position = goal.
    for goal, found in zip(library.goals, ranks):
        assert found.tolist() == sorted(goal - premise for premise in library.premises[goal])


@pytest.mark.parametrize(
    "ranker",
    [
        lambda library, goal: np.arange(goal - 1),
        lambda library, goal: np.arange(goal + 1),
        lambda library, goal: np.zeros(goal, dtype=int),
        lambda library, goal: np.arange(goal) - 1,
    ],
    ids=["leaves one out", "ranks the goal", "repeats", "negative"],
)
def test_premise_ranks_rejects_what_is_no_ranking(library, ranker):
    with pytest.raises(ValueError, match="^ranker: expected the positions 0 to 999, each once, for goal 1000"):
        premise_ranks(library, ranker, [1000])


# The committed file, whole and damaged


@pytest.mark.parametrize("content", [ARTEFACT.read_bytes, lambda: pack(read_text(ARTEFACT))], ids=["committed", "packed now"])
def test_the_file_is_small_and_carries_neither_time_nor_name(content):
    packed = content()
    assert len(packed) < 300_000
    assert packed[3:8] == bytes(5)  # no flags, so no name; time 0


def test_text_to_statements_and_back():
    text = read_text(ARTEFACT)
    assert to_text(from_text(text)) == text


def test_missing_file(tmp_path):
    with pytest.raises(DataError, match="away.gz: the file is missing"):
        load(tmp_path / "away.gz")


def test_a_folder_in_place_of_the_file(tmp_path):
    with pytest.raises(DataError, match=re.escape(f"{tmp_path}: cannot be read (Is a directory)")):
        load(tmp_path)


@pytest.fixture
def damaged(tmp_path):
    """Loads a file with the given bytes, and gives the message of the error."""

    def message(content):
        path = tmp_path / "damaged.gz"
        path.write_bytes(content)
        with pytest.raises(DataError) as caught:
            load(path)
        assert str(caught.value).startswith(str(path))
        assert caught.value.__suppress_context__ or caught.value.__context__ is None  # no traceback of gzip or zlib
        return str(caught.value).removeprefix(str(path))

    return message


@pytest.mark.parametrize("kept", [5, 11, 1000, 277_000, -1])
def test_truncated_file(damaged, kept):
    assert damaged(ARTEFACT.read_bytes()[:kept]) == ": the gzip file is truncated"


def test_empty_file(damaged):
    assert damaged(b"") == ", line 1: expected 'iset-1001, format 1, 0 statements', found ''"


def test_not_a_gzip_file(damaged):
    assert damaged(b"version https://git-lfs\n").startswith(": the gzip file is damaged (Not a gzipped file")


@pytest.mark.parametrize("at", [12, 2000, 200_000, -6])
def test_one_flipped_byte(damaged, at):
    content = bytearray(ARTEFACT.read_bytes())
    content[at] ^= 0xFF
    assert damaged(bytes(content)).startswith(": the gzip file is damaged (")


def test_text_that_is_not_ascii(damaged):
    assert damaged(gzip.compress("iset-1001 \N{RIGHTWARDS ARROW}".encode())) == ": the text is not ASCII at byte 10"


def test_wrong_checksum(damaged):
    text = read_text(ARTEFACT).replace("then ( ph -> ch )", "then ( ph -> ph )", 1)
    message = damaged(pack(text))
    found = re.fullmatch(r": wrong checksum \(SHA-256 of the text\): expected (\w{64}), found (\w{64})", message)
    assert found[1] == SHA256 != found[2]


def test_checksum_can_be_left_out(tmp_path):
    path = tmp_path / "changed.gz"
    path.write_bytes(pack(read_text(ARTEFACT).replace("then ( ph -> ch )", "then ( ph -> ph )", 1)))
    assert len(load(path, sha256=None)) == 9259


GOOD = ["iset-1001, format 1, 2 statements", "section S", "axiom a", "then ph", "theorem b", "if ps", "then ph", "by a", ""]


def test_the_small_text_is_good():
    first, second = from_text("\n".join(GOOD))
    assert first == Statement("a", "axiom", "S", (), "ph", ())
    assert second == Statement("b", "theorem", "S", ("ps",), "ph", ("a",))


@pytest.mark.parametrize(
    "line, becomes, message",
    [
        (1, "iset-1001, format 2, 2 statements", "line 1: expected 'iset-1001, format 1, 2 statements', found 'iset-1001, format 2"),
        (1, "iset-1001, format 1, 3 statements", "line 1: expected 'iset-1001, format 1, 2 statements'"),
        (3, "lemma a", "line 3: unknown line 'lemma a'"),
        (3, "axiom", "line 3: unknown line 'axiom'"),
        (3, "then ph", "line 3: 'then' cannot follow 'section'"),
        (2, "axiom z", "line 2: 'axiom' cannot follow 'title'"),
        (4, "by a", "line 4: 'by' cannot follow 'axiom'"),
        (6, "then ps", "line 7: 'then' cannot follow 'then'"),
        (5, "theorem a", "line 5: 'a' is stated twice"),
        (8, "by c", "line 8: 'b' cites 'c', which is not stated before it"),
        (8, "by b", "line 8: 'b' cites 'b', which is not stated before it"),
        (8, "by a a", "line 8: 'b' cites a premise twice"),
        (8, "", "line 8: unknown line ''"),
    ],
)
def test_wrong_line(line, becomes, message):
    lines = list(GOOD)
    lines[line - 1] = becomes
    with pytest.raises(DataError, match=re.escape(f"here, {message}")):
        from_text("\n".join(lines), "here")


# Rebuilding the file


def rebuild(*arguments):
    return subprocess.run([sys.executable, "-m", "tools.rebuild_data", *arguments], capture_output=True, text=True)


@needs_database
def test_rebuild_gives_the_same_text(tmp_path):
    output = tmp_path / "again.gz"
    done = rebuild(DATABASE, output)
    assert done.returncode == 0, done.stderr
    assert read_text(output) == read_text(ARTEFACT)
    assert "written" in done.stdout and SHA256 in done.stdout


@needs_database
def test_rebuild_repairs_a_damaged_file_and_leaves_a_good_one_alone(tmp_path):
    output = tmp_path / "again.gz"
    output.write_bytes(b"damaged")
    assert "written" in rebuild(DATABASE, output).stdout
    packed_otherwise = gzip.compress(read_text(ARTEFACT).encode(), compresslevel=1)
    output.write_bytes(packed_otherwise)
    assert "already right" in rebuild(DATABASE, output).stdout
    assert output.read_bytes() == packed_otherwise


def test_rebuild_from_another_database_writes_nothing(tmp_path, database):
    output = tmp_path / "other.gz"
    done = rebuild(database(SMALL), output)
    assert done.returncode == 1
    assert f"small.mm gives another text: expected SHA-256 {SHA256}, found " in done.stderr
    assert not output.exists()


def test_rebuild_from_a_malformed_or_missing_database(tmp_path, database):
    done = rebuild(database("a $p ph $."), tmp_path / "other.gz")
    assert done.returncode == 1
    assert done.stderr == f"rebuild: {tmp_path}/small.mm, line 1: a: expected '$=', found '$.'\n"
    done = rebuild(tmp_path / "away.mm", tmp_path / "other.gz")
    assert done.returncode == 1
    assert re.fullmatch(r"rebuild: .*No such file.*away\.mm'\n", done.stderr)


def test_rebuild_without_arguments_says_how_to_use_it():
    done = rebuild()
    assert done.returncode == 1
    assert "Usage: python -m tools.rebuild_data" in done.stderr


# The reader of Metamath files

SMALL = """
$( A small database; $c and $p in a comment are only words. $)
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
        path.write_bytes(text.encode())
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


def test_a_comment_may_hold_any_bytes(tmp_path):
    path = tmp_path / "latin.mm"
    path.write_bytes(b"$c |- ph $. $( caf\xe9 $) a $a |- ph $.")
    assert [statement.label for statement in read_statements(path)] == ["a"]


def test_library_of_a_small_database(database):
    library = library_of(read_statements(database(SMALL)), goals=[3, 6])
    assert library.premises == ((), (), (1,), (0, 1, 2), (), (), (4, 0))
    ranks, lengths = premise_ranks(library, by_popularity)
    # At position 3 only statement 1 is cited; at position 6, 1 twice, 2 and 0 once, 5, 4 and 3 never.
    assert [found.tolist() for found in ranks] == [[1, 2, 3], [3, 5]]
    assert lengths.tolist() == [3, 6]


START = "$c |- wff $. $v ph $. wph $f wff ph $.\n"


@pytest.mark.parametrize(
    "text, message",
    [
        ("$c ph $.\n$( never closed", "line 2: comment is not closed: '$( never closed'"),
        ("\n$( first $( second $)", "line 2: comment is not closed: '$( first $( second $)'"),
        ("\n$x ph $.", "line 2: unknown word '$x'"),
        ("$[ other.mm $]", "line 1: unknown word '$['"),
        ("$)", "line 1: unknown word '$)'"),
        (START + "a $a |- ph $.\nb! $a |- ph $.", "line 3: unknown word 'b!'"),
        (START + "a $a |- ps $.", "line 2: a: unknown symbol 'ps'"),
        (START + "$c ph\N{GREEK SMALL LETTER PHI} $.", "line 2: 'ph\ufffd\ufffd' is not ASCII"),
        (START + "a $a $.", "line 2: a: empty statement"),
        (START + "$a |- ph $.", "line 2: label missing before '$a'"),
        (START + "$p |- ph $= wph $.", "line 2: label missing before '$p'"),
        (START + "a\nb $a |- ph $.", "line 3: label 'a' is followed by 'b', not by one of $f $e $a $p"),
        (START + "a", "line 2: label 'a' is followed by 'the end of the file'"),
        (START + "a $a |- ph $.\na $a |- ph $.", "line 3: label 'a' is used twice"),
        (START + "a $p |- ph\n$.", "line 3: a: expected '$=', found '$.'"),
        (START + "a $a |- ph\n${", "line 3: a: expected '$.', found '${'"),
        (START + "a $a |- ph", "line 2: a: the file ends before '$.'"),
        (START + "a $p |- ph $= $.", "line 2: a: the proof is unfinished"),
        (START + "a $p |- ph $= ? $.", "line 2: a: the proof is unfinished"),
        (START + "a $p |- ph $= ( wph ) A?B $.", "line 2: a: the proof is unfinished"),
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


# The real database and the program `metamath`


@needs_database
def test_the_file_holds_what_the_database_says(library):
    assert library_of(read_statements(DATABASE), library.goals, library.development_goals) == library


@needs_database
def test_syntax_statements_left_out(library):
    text = re.sub(r"\$\(\s.*?\s\$\)", "", DATABASE.read_text(), flags=re.DOTALL)
    provable = re.findall(r"\s(\S+)\s+\$[ap]\s+\|-\s", text)
    everything = re.findall(r"\s(\S+)\s+\$[ap]\s", text)
    assert provable == list(library.labels)
    assert len(everything) - len(provable) == 198


def ask_metamath(*commands):
    """What the program answers to each command."""
    script = [f'read "{DATABASE}"', "set scroll continuous", "set width 9999", *commands, "exit"]
    done = subprocess.run(["metamath"], input="\n".join(script) + "\n", capture_output=True, text=True, timeout=60)
    return done.stdout.split("MM> ")[4:-1]


@needs_program
def test_users_agree_with_show_usage(library):
    sample = ["syl", "ax-mp", "idi", "df-1o", *library.labels[7::400]]
    for label, answer in zip(sample, ask_metamath(*(f"show usage {label}" for label in sample)), strict=True):
        position = library.position(label)
        users = {library.labels[user] for user, premises in enumerate(library.premises) if position in premises}
        head, names = answer.split("\n", 1)
        assert f'"{label}"' in head
        assert set(names.split()) == (users or {"(None)"})


@needs_program
def test_everything_a_proof_rests_on_agrees_with_show_trace_back(library):
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
