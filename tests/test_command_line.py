"""The command line: what it prints, what it says beside it, and what it refuses."""

import doctest
import io
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from trec_settings import typed

from metrics import plots, trec
from metrics.names import trec_names
from metrics.trec.command_line import main, parser_of_arguments

ROOT = Path(__file__).resolve().parent.parent
DATA = ROOT / "book" / "data"
PAGE = ROOT / "book" / "your-runs.md"
QRELS, BM25, NEURAL = "example.qrels", "example-bm25.run", "example-neural.run"
TOPICS, DOCUMENTS = "example-topics.txt", "example-documents.txt"
PROGRAM, ENVIRONMENT = [sys.executable, "-m", "metrics", QRELS, BM25], os.environ | {"PYTHONPATH": str(ROOT)}


@pytest.fixture(autouse=True)
def in_the_folder_of_the_data(monkeypatch):
    monkeypatch.chdir(DATA)
    monkeypatch.setenv("COLUMNS", "76")  # what the page has room for


def printed(*words):
    return typed(*words)[0]


def numbers(*words, run=BM25):
    """Topic or group or all -> measure -> number, of one run."""
    return json.loads(printed(QRELS, run, "--format", "json", *words))[run]


def as_trec_eval(*words, run=BM25):
    """(name, topic, value) of each line."""
    lines = [line.split("\t") for line in printed(QRELS, run, "--format", "trec_eval", *words).splitlines()]
    assert all(len(name) >= 22 for name, _, _ in lines)
    return [(name.strip(), topic, value) for name, topic, value in lines]


# ---- The page ---------------------------------------------------------------------------------------


COMMANDS = re.findall(r"```console\n\$ python -m metrics (.*)\n((?:.*\n)*?)```", PAGE.read_text(encoding="utf-8"))


@pytest.mark.parametrize("command, shown", COMMANDS)
def test_the_page_shows_what_the_command_prints(command, shown):
    out, err, _ = typed(*shlex.split(command))
    assert err + out == shown


def test_the_page_has_the_commands_that_it_is_for_and_its_python_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(shutil.copytree(DATA, tmp_path / "data"))  # where it writes a file
    every = " ".join(command for command, _ in COMMANDS)
    assert all(option in every for option in ("-m", "-q", "-c", "-l", "--compare", "--explain", "--groups", "--item-groups", "--undefined"))
    for library in ("pandas", "narwhals", "ir_measures"):
        pytest.importorskip(library)
    result = doctest.testfile(str(PAGE), module_relative=False, encoding="utf-8")
    assert result.attempted > 15 and result.failed == 0


# ---- A program -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("more, code, lines, said", [
    ("", 0, 2, ""), ("-l x 2>/dev/null", 2, 0, ""), ("-q -m all_trec | head -1", 0, 1, ""), (">&-", 1, 0, "standard output: Bad file descriptor"),
    (">/dev/full", 1, 0, "standard output: No space left on device"), ("2>&-", 0, 2, ""), ("-m App 2>/dev/full", 1, 0, ""),
])  # fmt: skip
def test_it_runs_as_a_program_whose_outputs_may_be_closed_or_full(more, code, lines, said):
    if "full" in more and not os.path.exists("/dev/full"):
        pytest.skip("there is no /dev/full")
    command = f"{shlex.join([*PROGRAM, '-m', 'P_5', '--format', 'csv'])} {more}"
    done = subprocess.run(command, shell=True, capture_output=True, text=True, env=ENVIRONMENT)
    assert (done.returncode, done.stdout.count("\n"), done.stderr) == (code, lines, said and f"metrics: {said}\n")


@pytest.mark.parametrize("error, code", [(KeyboardInterrupt, 130), (BrokenPipeError, 0)])
def test_an_interruption_is_no_traceback(monkeypatch, error, code):
    def interrupted(*_):
        raise error

    monkeypatch.setattr("metrics.trec.evaluation.judged_ranks", interrupted)
    assert typed(QRELS, BM25) == ("", "", code)


@pytest.mark.parametrize("encoding", ["ascii", "cp1252"])
def test_letters_that_the_output_lacks_are_written_out(encoding, monkeypatch, tmp_path):
    monkeypatch.setattr("sys.stdout", io.TextIOWrapper(io.BytesIO(), encoding=encoding))
    Path(tmp_path / "日.run").write_bytes(Path(BM25).read_bytes())
    assert main([QRELS, str(tmp_path / "日.run"), "-m", "MeanRank", "--explain", "F@5", "--undefined", "0"]) == 0
    out = sys.stdout.buffer.getvalue().decode(encoding)
    assert "lower is better: Hits high up" in out and r"\u65e5.run" in out and "larger beta recall" in out


# ---- The numbers ---------------------------------------------------------------------------------------


def test_trec_evals_format_has_its_default_and_its_order(tmp_path):
    official = as_trec_eval()
    assert official[0] == ("runid", "all", "bm25") and [name for name, _, _ in official] == ["runid", *trec_names.names_of("official")]
    assert [name for name, _, _ in as_trec_eval("-m", "P.10,5", "-m", "AP map num_ret")] == ["num_ret", "map", "P_5", "P_10", "AP"]
    assert ("Rprec", "7", "0.0000") in as_trec_eval("-q", "-m", "Rprec"), "0/0 is 0"
    run = tmp_path / "of_two.run"
    run.write_bytes(b"# the tag\n\n1 Q0 x 1 9 first\n1 Q0 a 2 8 last\xff more\n \n# end")
    assert printed(QRELS, str(run), "--format", "trec_eval").startswith("runid                 \tall\tlast\ufffd\n")


def test_missing_topics_count_with_c_and_are_not_printed_alone_by_trec_eval_and_a_depth_cuts():
    left_out, counted = (numbers("-m", "map num_q num_rel", *c, run=NEURAL)["all"] for c in ((), ("-c",)))
    assert (left_out["num_q"], counted["num_q"]) == (11, 12) and counted["map"] == pytest.approx(left_out["map"] * 11 / 12)
    nine, ten = (as_trec_eval("-c", "-q", "-m", "map", "--trec-eval", version, run=NEURAL) for version in ("9", "10"))
    assert "12" not in [topic for _, topic, _ in nine] and ("map", "12", "0.0000") in ten
    assert as_trec_eval("-c", "-l2", "-m", "num_rel", run=NEURAL) == [("num_rel", "all", "50")], "all grades above 0, as in trec_eval"
    assert as_trec_eval("-l2", "-m", "num_rel", run=NEURAL) == [("num_rel", "all", "20")]
    assert numbers("-m", "num_ret", "-M", "3") == {"all": {"num_ret": 36}} == numbers("-m", "num_ret", "--depth", "3")
    assert numbers("-m", "num_ret P@100000000000000000000 unj.100000000000000000000", "-M", "1" * 20)["all"]["num_ret"] == 120


# ---- What is said beside them --------------------------------------------------------------------------

RISE = "r: in 1 topic, the first of them '1', the lower ranks have the higher scores: ordered by score, the highest first; change the sign of distances"
EQUAL = "".join(f"1 Q0 {name} {rank} 7 t\n" for rank, name in enumerate("bcadefg", 1))


@pytest.mark.parametrize("qrels, run, remarks", [
    ("1 0 d4 1\n2 0 d5 1\n", "1 Q0 d4#0 1 2 t\n2 Q0 d5 1 2 t\n",
     ["r: for 1 topic, the first of them '1', where the run has 'd4#0' and the judgements 'd4', no ranked document is judged"]),
    ("1 0 a 1\n", "1 Q0 a 1 0.1 t\n1 Q0 b 2 0.2 t\n", [RISE]),
    ("1 0 a 1\n2 0 a 1\n", "1 Q0 a 1 0.1 t\n2 Q0 a 1 0.2 t\n1 Q0 b 2 0.2 t\n2 Q0 b 2 0.1 t\n", [RISE]),
    ("1 0 a 1\n", '[{"qid": "1", "docid": "a", "score": 1, "rank": {}}, {"qid": "1", "docid": "b", "score": 2, "rank": "2"}]', []),
    ("1 0 a 1\n", "1 a 0.1\n1 b 0.2\n",
     ["r: the scores rise from line to line in each topic: ordered by score, the highest first; change the sign of distances"]),
    ("1 0 a 1\n", "qid,docno,score\n1,a,0.1\n1,b,0.2\n1,c,0.1\n", []),
    ("1 0 a 1\n", "1 a 1\n1 b 2\n", ["r: the third column counts 1, 2, 3 ... in each topic, so it is read as ranks; a header would say what it is"]),
    ("1 0 a 1\n", EQUAL, ["r: for 1 topic, the first of them '1', a relevant document in the first ranks shares its score with many others: their names "
                          "decide; --ties file takes the order of the lines, --ties raise refuses"]),
    ("1 0 a 1\n#9 0 a 1\n# a comment\n", "1 Q0 a 1 2 t\n#9 Q0 a 1 2 t\n#8 Q0 a 1 2 t\n",
     ["q: 1 line with # first looks like data, the first is line 2: read as a comment; below a header, # is a letter like others",
      "r: 2 lines with # first look like data, the first is line 2: read as comments; below a header, # is a letter like others"]),
    ("1 0 a 1\n2 0 a 1\n", "1 Q0 b 1 2 t\n2 Q0 a 1 1 t\n1 Q0 a 2 1 t\n", []),
])  # fmt: skip
def test_what_is_odd_is_remarked_on_unless_quiet(tmp_path, monkeypatch, qrels, run, remarks):
    monkeypatch.chdir(tmp_path)
    Path("q").write_text(qrels)
    Path("r").write_text(run)
    out, err, code = typed("q", "r", "-m", "AP")
    assert (err, code) == ("".join(f"metrics: {remark}\n" for remark in remarks), 0)
    assert typed("q", "r", "-m", "AP", "--quiet") == (out, "", 0)


def test_remarks_are_made_of_what_a_depth_leaves_and_with_groups_of_documents(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("q").write_text("1 0 a 1\n2 0 a 1\n")
    Path("r").write_text("1 Q0 x 1 9 t\n1 Q0 y 2 8 t\n" + EQUAL + "2 Q0 a#0 1 1 t\n")
    for depth, tied in ((2, False), (3, True), (100, True)):
        _, err, code = typed("q", "r", "-m", "AP", "--depth", str(depth))
        assert code == 0 and ("shares its score" in err) == tied and "'2', where the run has 'a#0' and the judgements 'a', no ranked document is judged" in err
    for name, text in {"q": "1 0 a 1\n#9 0 a 1\n", "r": "1 Q0 a#0 1 2 t\n", "g": "a x\na#0 x\n"}.items():
        Path(name).write_text(text)
    said = typed("q", "r", "-m", "P@1", "--item-groups", "g")[1].splitlines()
    assert [words.partition(", ")[0] for words in said[:2]] == ["metrics: q: 1 line with # first looks like data", "metrics: r: for 1 topic"]


def test_ties_may_be_told_apart_by_the_file_or_refused(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("q").write_text("1 0 a 1\n")
    Path("r").write_text(EQUAL)
    values = {ties: typed("q", "r", "-m", "RR", "--format", "json", "--ties", ties) for ties in ("trec_eval", "file", "raise")}
    assert [json.loads(values[ties][0])["r"]["all"]["RR"] for ties in ("trec_eval", "file")] == [1 / 7, 1 / 3]
    assert "r, line 2: got the score 7.0" in values["raise"][1] and values["raise"][2] == 1


# ---- The formats ---------------------------------------------------------------------------------------


def test_what_is_undefined_is_null_in_json_and_a_word_in_a_table():
    words = QRELS, BM25, NEURAL, "-q", "-m", "AP RR"
    by_run = json.loads(printed(*words, "--format", "json"))
    assert by_run[BM25]["7"]["AP"] is None and "12" not in by_run[NEURAL]
    assert re.search(r"7 +AP +undefined +undefined\n", printed(*words)) and re.search(r"12 +AP +0\.\d+ +-\n", printed(*words))


def test_a_name_does_nothing_to_a_terminal_or_a_spreadsheet(tmp_path):
    name, written = "=1\x1b[2J\u202e\x9b\n.run", r"=1\x1b[2J\u202e\x9b\n.run"
    run = tmp_path / name
    run.write_bytes(Path(BM25).read_bytes())
    out = {kind: typed(QRELS, str(run), "-m", "AP", "--format", kind)[:2] for kind in ("table", "csv", "json", "latex")}
    assert not re.search(r"[\0-\x09\x0b-\x1f\x7f-\x9f\u202e]", "".join(map("".join, out.values()))) and f"metrics: {written}: nothing" in out["csv"][1]
    assert out["csv"][0].startswith(f"topic,measure,'{written}\nall,AP,0.5") and list(json.loads(out["json"][0])) == [name]


# ---- Comparing ------------------------------------------------------------------------------------------


def test_two_runs_are_compared_and_more_are_ranked(tmp_path):
    assert "two-sided sign test" in printed(QRELS, BM25, NEURAL, "-c", "-m", "AP num_q", "--compare", "sign")
    third = tmp_path / "third.run"
    third.write_text("".join(f"{line}\n" for line in Path(BM25).read_text().splitlines()[::2]))
    board = printed(QRELS, BM25, NEURAL, str(third), "-c", "-m", "AP MeanRank", "--undefined", "20", "--compare", "max")
    assert "Tukey" in board and re.search(r"1 +example-neural.run", board)


def test_a_comparison_that_fails_does_not_lose_the_table(monkeypatch):
    words = [QRELS, BM25, NEURAL, "-m", "AP gm_map"]
    out, err, code = typed(*words, "--compare")
    assert (out, code) == (printed(*words), 1) and "metrics: gm_map: no value for a single topic, so there is nothing to compare\n" in err
    way_out = '-c counts the topic with nothing found; in Python, missing="skip" leaves it out'
    assert err.endswith(f"metrics: {NEURAL}: got no topic '12', expected the topics of {BM25}; {way_out}\n")
    monkeypatch.setitem(sys.modules, "scipy", None)
    out, err, code = typed(*words, "-c", "--compare", "sign")
    assert (out, code) == (printed(*words, "-c"), 1) and "needs SciPy, which is not installed" in err.splitlines()[-1]


# ---- What is refused -----------------------------------------------------------------------------------


def test_the_picture_is_of_the_first_measure_best_first_and_of_the_same_topics(tmp_path, monkeypatch):
    drawn = []
    for name in ("differences", "systems"):
        monkeypatch.setattr(plots, name, lambda *given, draw=getattr(plots, name), **options: drawn.append(draw(*given, **options)) or drawn[-1])
    third, picture = tmp_path / "third.run", tmp_path / "picture.svg"
    third.write_text("".join(line for line in Path(BM25).read_text().splitlines(keepends=True) if int(line.split()[3]) > 2))
    for runs in ([BM25, NEURAL], [BM25, NEURAL, str(third)]):
        words = QRELS, *runs, "-m", "MeanRank AP", "--undefined", "0", "--plot", str(picture)
        out, err, code = typed(*words)
        assert code == 1 and "-c counts the topic with nothing found; in Python" in err and not picture.exists()
        out, err, code = typed(*words, "-c")
        assert code == 0 and picture.read_text().startswith("<?xml") and "MeanRank" in drawn[-1].get_xlabel() + drawn[-1].get_ylabel()
        picture.unlink()
    of = trec.evaluate(QRELS, [BM25, NEURAL, str(third)], "MeanRank", complete=True, undefined=0)
    assert [label.get_text() for label in drawn[-1].get_yticklabels()] == sorted(of, key=lambda name: of[name].mean()["MeanRank"])


@pytest.mark.parametrize("words, message", [
    ([], "expected QRELS and one RUN or more"),
    ([QRELS, BM25, BM25], "expected each RUN once"),
    ([QRELS, BM25, NEURAL, "--format", "trec_eval"], "--format trec_eval takes one RUN, and no groups"),
    ([QRELS, BM25, "--compare"], "--compare needs two runs or more"),
    ([QRELS, "--compare", BM25, NEURAL],
     "got 'example-bm25.run', expected one of randomisation, t, wilcoxon, sign, holm, max; to give none, put --compare last"),
    ([QRELS, BM25, NEURAL, "--compare", "holm"], "--compare holm is not for 2 runs; use randomisation or t or wilcoxon or sign"),
    ([QRELS, BM25, NEURAL, "--compare", "--format", "csv"], "--compare and --explain print sentences, so they need --format table"),
    ([QRELS, BM25, NEURAL, "--compare", "--item-groups", DOCUMENTS], "--compare uses all documents, so it does not go with --item-groups"),
    ([QRELS, BM25, "--ties", "file", "--item-groups", DOCUMENTS], "--ties, --passages and --judged-only do not go with --item-groups"),
    ([QRELS, BM25, NEURAL, "--plot", "results"], "--plot needs a file name that ends with the kind of file, such as results.svg"),
    ([QRELS, BM25, "--undefined", "nan"], "invalid number, skip or raise value: 'nan'"),
])  # fmt: skip
def test_a_wrong_use_is_named_and_ends_with_2(words, message):
    out, err, code = typed(*words)
    assert (out, code) == ("", 2) and message in err and "Traceback" not in err


@pytest.mark.parametrize("words, message", [
    ([QRELS, "gone.run"], "gone.run: No such file or directory"),
    ([QRELS, BM25, NEURAL, "-c", "-m", "gm_map", "--plot", "no.svg", "--quiet", "--format", "json"], "--plot: got gm_map, expected a measure"),
    ([QRELS, BM25, NEURAL, "--plot", "results.docx"], "--plot: got 'results.docx', expected a file that ends in ."),
    ([QRELS, BM25, "--undefined", "raise"], f"{BM25}: got nothing is relevant for 1 topic (7), so AP, nDCG@10"),
    ([QRELS, BM25, "--item-groups", DOCUMENTS, "--undefined", "raise"], f"{Path(BM25).name}: got for "),
    ([QRELS, BM25, "--item-groups", TOPICS], f"{TOPICS}: got no group for document "),
    *(([QRELS, BM25, "--groups", text], f"groups.txt, {message}") for text, message in [
        ("1 a\n2\n", "line 2: got '2', expected one topic and its group"), ("1 a\n1 b\n", "line 2: got another group 'b' for '1'"),
        ("1 all\n", "line 1: got a group called 'all'"),
    ]),
])  # fmt: skip
def test_a_wrong_input_is_one_line_and_ends_with_1(words, message, tmp_path):
    if words[-1].endswith("\n"):
        (tmp_path / "groups.txt").write_text(words[-1])
        words = [*words[:-1], str(tmp_path / "groups.txt")]
    out, err, code = typed(*words)
    assert (out, code, err.count("\n")) == ("", 1, 1) and err.startswith("metrics: ") and message in err


def test_every_option_says_what_it_does_and_what_it_takes():
    for option in parser_of_arguments()._actions:
        assert option.help and (option.metavar or option.choices or option.nargs == 0), option
    said = " ".join(parser_of_arguments().format_help().split())
    assert "t and sign need SciPy" in said and "How good are the rankings in a run file?" in said
