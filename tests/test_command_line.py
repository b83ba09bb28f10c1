"""The command line: what it prints, what it says beside it, and what it refuses."""

import contextlib
import csv
import doctest
import gzip
import io
import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
import pytrec_eval

from metrics import measures, trec, trec_names
from metrics.trec.command_line import DEFAULT, main
from metrics.trec.evaluation import kinds_of_names

ROOT = Path(__file__).resolve().parent.parent
DATA = ROOT / "book" / "data"
PAGE = ROOT / "book" / "your-runs.md"
QRELS, BM25, NEURAL = "example.qrels", "example-bm25.run", "example-neural.run"


@pytest.fixture(autouse=True)
def in_the_folder_of_the_data(monkeypatch):
    monkeypatch.chdir(DATA)
    monkeypatch.setenv("COLUMNS", "76")  # what the page has room for


def typed(*words):
    """What is printed, what is said beside it, and the exit code."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            code = main(words)
        except SystemExit as exit:
            code = exit.code
    return out.getvalue(), err.getvalue(), code


def printed(*words):
    return typed(*words)[0]


def refused(*words):
    out, err, code = typed(*words)
    assert out == "" and code == 1 and err.count("\n") == 1 and err.startswith("metrics: ")
    return err.removeprefix("metrics: ").strip()


# ---- The page ---------------------------------------------------------------------------------------


def commands_of(path):
    """The commands of a text, each with what stands below it."""
    return re.findall(r"```console\n\$ python -m metrics (.*)\n((?:.*\n)*?)```", path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("command, shown", commands_of(PAGE))
def test_a_text_shows_what_the_command_prints(command, shown):
    out, err, _ = typed(*shlex.split(command))
    assert err + out == shown


def test_the_page_has_the_commands_that_it_is_for_and_its_python_runs():
    every = " ".join(command for command, _ in commands_of(PAGE))
    assert all(option in every for option in ("-m", "-q", "-c", "-l", "--compare", "--explain", "--groups", "--item-groups", "--undefined"))
    for library in ("pandas", "narwhals", "ir_measures"):
        pytest.importorskip(library)
    result = doctest.testfile(str(PAGE), module_relative=False, encoding="utf-8")
    assert result.attempted > 15 and result.failed == 0


def test_it_runs_as_a_program_of_its_own(tmp_path):
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "metrics", QRELS, BM25, "-m", "AP"]
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    assert done.returncode == 0 and re.search(r"(?m)^AP +0\.\d{4}  Every hit", done.stdout)
    assert subprocess.run([*command, "-l", "x"], capture_output=True, env=environment).returncode == 2


@pytest.mark.parametrize("redirected, code, printed, said", [
    ("-q -m all_trec | head -1", 0, 1, ""), (">&-", 1, 0, "standard output: Bad file descriptor"),
    (">/dev/full", 1, 0, "standard output: No space left on device"), ("2>&-", 0, 2, ""), ("-m App 2>/dev/full", 1, 0, ""),
])  # fmt: skip
def test_an_output_that_is_closed_or_full(redirected, code, printed, said):
    if "full" in redirected and not os.path.exists("/dev/full"):
        pytest.skip("there is no /dev/full")
    command = shlex.join([sys.executable, "-m", "metrics", QRELS, BM25, "-m", "P_5", "--format", "csv"])
    done = subprocess.run(f"{command} {redirected}", shell=True, capture_output=True, text=True, env=os.environ | {"PYTHONPATH": str(ROOT)})
    assert (done.returncode, done.stdout.count("\n"), done.stderr) == (code, printed, said and f"metrics: {said}\n")


def test_an_interruption_is_no_traceback(monkeypatch):
    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("metrics.trec.evaluation.judged_ranks", interrupted)
    assert typed(QRELS, BM25) == ("", "", 130)


@pytest.mark.parametrize("encoding", ["ascii", "cp1252"])
def test_letters_that_the_output_lacks_are_written_out(encoding, monkeypatch, tmp_path):
    monkeypatch.setattr("sys.stdout", io.TextIOWrapper(io.BytesIO(), encoding=encoding))
    Path(tmp_path / "日.run").write_bytes(Path(BM25).read_bytes())
    assert main([QRELS, str(tmp_path / "日.run"), "-m", "MeanRank", "--explain", "F@5", "--undefined", "0"]) == 0
    out = sys.stdout.buffer.getvalue().decode(encoding)
    assert "lower is better: Hits high up" in out and r"\u65e5.run" in out and "larger beta recall" in out


def test_all_files_may_be_pipes():
    """Process substitution: `<(zcat run.gz)`."""
    files = [QRELS, BM25, NEURAL, "example-topics.txt"]
    options = ["-c", "-m", "AP", "--format", "csv", "--groups"]
    expected = printed(*files[:3], *options, files[3])
    with contextlib.ExitStack() as stack:
        def piped(path):
            read, written = os.pipe()
            stack.callback(os.close, read)
            os.write(written, Path(path).read_bytes())
            os.close(written)
            return f"/dev/fd/{read}"

        pipes = [piped(path) for path in files]
        assert printed(*pipes[:3], *options, pipes[3]).splitlines()[1:] == expected.splitlines()[1:]
        one = printed(piped(QRELS), piped(BM25), "--format", "trec_eval")
        assert one == printed(QRELS, BM25, "--format", "trec_eval") and one.startswith("runid                 \tall\tbm25\n")
        in_groups = [printed(qrels, run, "-m", "AP", "--item-groups", "example-documents.txt", "--format", "csv").splitlines()[1:]
                     for qrels, run in ((QRELS, BM25), (piped(QRELS), piped(BM25)))]
        assert in_groups[0] == in_groups[1]


# ---- The numbers ---------------------------------------------------------------------------------------


def by_pytrec_eval(run, complete=False):
    """name -> topic or all -> what trec_eval prints."""
    qrels, run = trec.read_qrels(QRELS), dict(trec.read_run(run))
    topics = pytrec_eval.RelevanceEvaluator(qrels, pytrec_eval.supported_measures).evaluate(run)
    lines = {}
    for topic in sorted(topics):
        for name, value in topics[topic].items():
            lines[name, topic] = value
    of = {}
    for (name, _), value in lines.items():
        of.setdefault(name, []).append(value)
    means = pytrec_eval.compute_aggregated_measure
    return lines | {(name, "all"): means(name, values) for name, values in of.items()}


def test_trec_evals_own_format_line_by_line():
    expected = by_pytrec_eval(BM25)
    out = printed(QRELS, BM25, "--format", "trec_eval", "-q", "-m", "all_trec")
    lines = [line.split("\t") for line in out.splitlines()]
    assert len(lines) > 1000 and {topic for _, topic, _ in lines} == {str(n) for n in range(1, 13)} | {"all"}
    for name, topic, value in lines:
        assert len(name) >= 22
        if name.strip() == "runid":
            assert (topic, value) == ("all", "bm25")
            continue
        assert trec_names.printed(name.strip(), expected[name.strip(), topic]) == value
    of_one_topic = [name for name, topic, _ in lines if topic == "1"]
    assert not {"num_q", "gm_map", "gm_bpref"} & {name.strip() for name in of_one_topic}
    assert [topic for _, topic, _ in lines][:: len(of_one_topic)][:4] == ["1", "10", "11", "12"], "as trec_eval sorts them"


def test_trec_evals_format_has_its_default_and_its_order(tmp_path):
    out = printed(QRELS, BM25, "--format", "trec_eval")
    names = [line.split("\t")[0].strip() for line in out.splitlines()]
    assert names == ["runid", *trec_names.names_of("official")]
    assert out.startswith("runid                 \tall\tbm25\nnum_q                 \tall\t12\n")
    mixed = printed(QRELS, BM25, "--format", "trec_eval", "-m", "P.10,5", "-m", "AP map num_ret")
    assert [line.split("\t")[0].strip() for line in mixed.splitlines()] == ["num_ret", "map", "P_5", "P_10", "AP"]
    assert "Rprec                 \t7\t0.0000" in printed(QRELS, BM25, "--format", "trec_eval", "-q", "-m", "Rprec"), "0/0 is 0"
    run = tmp_path / "of_two.run"
    run.write_bytes(b"# the tag\n\n1 Q0 x 1 9 first\n1 Q0 a 2 8 last\xff more\n \n# end")
    assert printed(QRELS, str(run), "--format", "trec_eval").startswith("runid                 \tall\tlast\ufffd\n")
    ten = [line.split("\t")[0].strip() for line in printed(QRELS, BM25, "--format", "trec_eval", "-m", "all_trec", "--trec-eval", "10").splitlines()]
    assert ten[-6:] == ["num_nonrel_judged_ret", "rbp", "rbp_resid", "unj_5", "unj_10", "unj_20"] and "dcg" not in ten


def test_missing_topics_count_with_c_and_are_not_printed_alone_by_trec_eval():
    left_out, counted = (json.loads(printed(QRELS, NEURAL, "-m", "map num_q num_rel", "--format", "json", *c)) for c in ((), ("-c",)))
    assert left_out[NEURAL]["all"]["num_q"] == 11 and counted[NEURAL]["all"]["num_q"] == 12
    assert counted[NEURAL]["all"]["map"] == pytest.approx(left_out[NEURAL]["all"]["map"] * 11 / 12)
    assert "\t12\t" not in printed(QRELS, NEURAL, "-c", "-q", "--format", "trec_eval", "-m", "map")
    assert "\t12\t" in printed(QRELS, BM25, "-c", "-q", "--format", "trec_eval", "-m", "map")
    assert "map                   \t12\t0.0000" in printed(QRELS, NEURAL, "-c", "-q", "--format", "trec_eval", "-m", "map", "--trec-eval", "10")
    assert printed(QRELS, NEURAL, "-c", "-l2", "--format", "trec_eval", "-m", "num_rel").endswith("\t50\n"), "all grades above 0, as in trec_eval"
    assert printed(QRELS, NEURAL, "-l2", "--format", "trec_eval", "-m", "num_rel").endswith("\t20\n")


def test_the_measures_of_the_contract():
    names = "AP nDCG@10 P@10 R@1000 RR Rprec Bpref Success@5 IPrec@0.1 AP@10(denominator=relevant) ERR@20(max_grade=2) RBP(p=0.8) Judged@10 SetF"
    found = json.loads(printed(QRELS, BM25, "-m", names, "--format", "json"))[BM25]["all"]
    assert list(found) == names.split()
    assert found == {name: pytest.approx(value) for name, value in trec.evaluate(QRELS, BM25, names).mean(undefined=0).items()}


def test_depth_level_and_undefined():
    def number(*words):
        return json.loads(printed(QRELS, BM25, "--format", "json", *words))[BM25]["all"]

    assert number("-m", "num_ret", "-M", "3") == {"num_ret": 36} == number("-m", "num_ret", "--depth", "3")
    assert number("-m", "num_ret P@100000000000000000000 unj.100000000000000000000", "-M", "1" * 20)["num_ret"] == 120
    at_two = number("-l2", "-m", "AP AP(rel=1) nDCG map")
    at_one = number("-m", "AP nDCG")
    assert at_two["AP"] == at_two["map"] != at_one["AP"] == at_two["AP(rel=1)"] and at_two["nDCG"] == at_one["nDCG"]
    zero, one, skip = (number("-m", "AP", "--undefined", word)["AP"] for word in ("0", "1", "skip"))
    assert one == pytest.approx(zero + 1 / 12) and skip == pytest.approx(zero * 12 / 11)
    assert refused(QRELS, BM25, "--undefined", "raise").startswith(f"{BM25}: got nothing is relevant for 1 topic (7), so AP, nDCG@10")


def test_groups_of_topics_average_their_own():
    out = json.loads(printed(QRELS, BM25, "-m", "AP P_5 num_q", "--groups", "example-topics.txt", "--format", "json"))[BM25]
    of_topics = trec.evaluate(QRELS, BM25, "AP P_5")
    long = [place for place, topic in enumerate(of_topics.queries) if int(topic) % 3 == 0]
    assert out["long"] == {"AP": pytest.approx(of_topics["AP"][long].mean()), "P_5": pytest.approx(of_topics["P_5"][long].mean()), "num_q": 4}
    assert list(out) == ["short", "long", "all"]


def test_groups_of_documents_are_worlds_of_their_own():
    out = json.loads(printed(QRELS, BM25, "-m", "R@3 recall_3 num_rel P_3", "--item-groups", "example-documents.txt", "--format", "json", "-c"))[BM25]
    qrels, run = trec.read_qrels(QRELS), trec.read_run(BM25)

    def of(group, items):
        return {topic: {d: value for d, value in its.items() if d.startswith(group)} for topic, its in items.items()}

    for group in ("news", "wiki", "blog"):
        found = trec.evaluate(of(group, qrels), of(group, run), "R@3 recall_3 num_rel P_3", complete=True)
        assert out[group] == pytest.approx(found.mean(undefined="skip"))


# ---- The formats ---------------------------------------------------------------------------------------


def test_csv_has_every_digit_and_json_null():
    out, err, _ = typed(QRELS, BM25, NEURAL, "-q", "-m", "AP RR", "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(out)))
    values = {(row["topic"], row["measure"]): (row[BM25], row[NEURAL]) for row in rows}
    assert len(rows) == 26 and values["7", "AP"] == ("", "") and values["12", "AP"][1] == ""
    assert float(values["2", "AP"][0]) == trec.evaluate(QRELS, BM25, "AP").by_query()["2"]["AP"]
    assert "different topics" in err
    by_run = json.loads(printed(QRELS, BM25, NEURAL, "-q", "-m", "AP", "--format", "json"))
    assert by_run[BM25]["7"] == {"AP": None} and "12" not in by_run[NEURAL] and by_run[BM25]["12"]["AP"] > 0
    assert "undefined" in printed(QRELS, BM25, NEURAL, "-q", "-m", "AP") and re.search(r"12 +AP +0\.\d+ +-\n", printed(QRELS, BM25, NEURAL, "-q", "-m", "AP"))


def test_a_name_does_nothing_to_a_terminal_or_a_spreadsheet(tmp_path):
    name, written = "=1\x1b[2J\u202e\x9b\n.run", r"=1\x1b[2J\u202e\x9b\n.run"
    run = tmp_path / name
    run.write_bytes(Path(BM25).read_bytes())
    out = {kind: typed(QRELS, str(run), "-m", "AP", "--format", kind)[:2] for kind in ("table", "csv", "json", "latex")}
    assert not re.search(r"[\0-\x09\x0b-\x1f\x7f-\x9f\u202e]", "".join(map("".join, out.values()))) and f"metrics: {written}: nothing" in out["csv"][1]
    assert out["csv"][0].startswith(f"topic,measure,'{written}\nall,AP,0.5") and list(json.loads(out["json"][0])) == [name]


def test_latex_is_a_table_with_its_names_written_out():
    out = printed(QRELS, BM25, NEURAL, "-m", "P_10 AP", "-c", "--format", "latex")
    assert out.splitlines()[0] == r"\begin{tabular}{lrr}  % \usepackage{booktabs}"
    assert out.splitlines()[2] == rf"measure & {BM25} & {NEURAL} \\" and out.splitlines()[4].startswith(r"P\_10 & 0.3583 & ")
    assert out.splitlines()[-1] == r"\end{tabular}"


def test_every_default_measure_and_every_name_of_trec_eval_has_a_meaning():
    lines = printed(QRELS, BM25).splitlines()[1:]
    assert [line.split()[0] for line in lines if line[0] != " "] == DEFAULT.split()
    assert all(len(line.split()) > 3 for line in lines if line[0] != " ")
    assert printed(QRELS, BM25, "-m", "map P_10").count("  ") > 2


def test_runs_of_one_name_are_told_apart_by_their_paths(tmp_path):
    other = tmp_path / BM25
    other.write_text(Path(NEURAL).read_text())
    assert set(json.loads(printed(QRELS, BM25, str(other), "--format", "json"))) == {BM25, str(other)}


# ---- Comparing and explaining --------------------------------------------------------------------------


def test_two_runs_are_compared_and_more_are_ranked(tmp_path):
    two = printed(QRELS, BM25, NEURAL, "-c", "-m", "AP num_q", "--compare", "sign")
    assert "two-sided sign test" in two and two.count("Over 12 goals") == 1
    third = tmp_path / "third.run"
    third.write_text("".join(f"{line}\n" for line in Path(BM25).read_text().splitlines()[::2]))
    board = printed(QRELS, BM25, NEURAL, str(third), "-c", "-m", "AP MeanRank", "--undefined", "20", "--compare", "max")
    assert "Tukey" in board and re.search(r"1 +example-neural.run", board)


def test_a_comparison_that_fails_does_not_lose_the_table(monkeypatch):
    words = [QRELS, BM25, NEURAL, "-m", "AP gm_map"]
    out, err, code = typed(*words, "--compare")
    assert (out, code) == (printed(*words), 1) and "metrics: gm_map: no value for a single topic, so there is nothing to compare\n" in err
    assert err.endswith(f"metrics: {NEURAL}: got no topic '12', expected the topics of {BM25}; -c counts it with nothing found\n")
    monkeypatch.setitem(sys.modules, "scipy", None)
    out, err, code = typed(*words, "-c", "--compare", "wilcoxon")
    assert (out, code) == (printed(*words, "-c"), 1) and "needs SciPy, which is not installed" in err.splitlines()[-1]


def test_explaining_needs_no_files_and_takes_what_was_asked():
    assert printed("--explain", "AP@10").startswith("AP@10: ") and "The AP@K hack" in printed("--explain", "AP@10")
    assert printed("-m", "P@5 RR", "--explain").count("chapter") == 2
    assert printed("--explain").count("chapter") == len(DEFAULT.split())
    both = printed(QRELS, BM25, "-m", "RR", "--explain")
    assert both.index("0.7361") < both.index("RR: ")
    assert refused("--explain", "APP").startswith("name: got 'APP'")


# ---- What is refused -----------------------------------------------------------------------------------


@pytest.mark.parametrize("words, message", [
    ([], "expected QRELS and one RUN or more"),
    ([QRELS], "expected QRELS and one RUN or more"),
    ([QRELS, BM25, BM25], "expected each RUN once"),
    ([QRELS, BM25, NEURAL, "--format", "trec_eval"], "--format trec_eval has one RUN, and no groups"),
    ([QRELS, BM25, "--compare"], "--compare needs two runs or more"),
    ([QRELS, "--compare", BM25, NEURAL], "'example-bm25.run' is none of randomisation, t, wilcoxon, sign, holm, max; without one, --compare stands last"),
    ([QRELS, BM25, NEURAL, "--compare", "holm"], "--compare holm is not for 2 runs, but randomisation or t or wilcoxon or sign is"),
    ([QRELS, BM25, NEURAL, "--compare", "--format", "csv"], "--compare and --explain are sentences, for --format table"),
    ([QRELS, BM25, "-q", "--groups", "example-topics.txt"], "not allowed with argument"),
    ([QRELS, BM25, "--undefined", "nothing"], "invalid number, skip or raise value: 'nothing'"),
    ([QRELS, BM25, "--undefined", "nan"], "invalid number, skip or raise value: 'nan'"),
    ([QRELS, BM25, "--formt", "csv"], "unrecognized arguments"),
])  # fmt: skip
def test_a_wrong_use_is_named_and_ends_with_2(words, message):
    out, err, code = typed(*words)
    assert (out, code) == ("", 2) and message in err and "Traceback" not in err


@pytest.mark.parametrize("words, message", [
    ([BM25, QRELS], f"{BM25}, line 1: got "),
    ([QRELS, QRELS], f"{QRELS}, line 1: got "),
    ([QRELS, "gone.run"], "gone.run: No such file or directory"),
    ([QRELS, "."], ".: "),
    ([QRELS, BM25, "-m", "App"], "measures: got 'App', expected "),
    ([QRELS, BM25, "-m", "AP AP"], "measures: got 'AP' twice, expected each measure once"),
    ([QRELS, BM25, "-m", "AP@10"], "measures: got 'AP@10' without denominator, expected 'AP@10(denominator=...)'"),
    ([QRELS, BM25, "-l", "0"], "relevance_level: got 0, expected one number > 0"),
    ([QRELS, BM25, "-M", "0"], "depth: got 0, expected one whole number >= 1"),
    ([QRELS, BM25, "--item-groups", "example-documents.txt", "-M", "0"], "depth: got 0, expected one whole number >= 1"),
    ([QRELS, BM25, "-l", "9" * 400], "relevance_level: got a number beyond the range of floats"),
    ([QRELS, BM25, "-m", "P@" + "9" * 400], f"measures: got 'P@{'9' * 400}', but k: got a number beyond the range of floats"),
    ([QRELS, BM25, "--groups", "gone.txt"], "gone.txt: No such file or directory"),
    ([QRELS, BM25, "--groups", "example-documents.txt"], f"example-documents.txt: got no group for topic '1' of {BM25}, expected a line 'topic group'"),
    ([QRELS, BM25, "--item-groups", "example-topics.txt"], "example-topics.txt: got no group for document "),
])  # fmt: skip
def test_a_wrong_input_is_one_line_and_ends_with_1(words, message):
    assert refused(*words).startswith(message)


def test_a_wrong_file_of_groups_is_named_by_its_line(tmp_path):
    groups = tmp_path / "groups.txt"
    for text, message in {"1 a\n2\n": "line 2: got '2', expected one topic and its group", "1 a\n1 b\n": "line 2: got another group 'b' for '1'",
                          "1 all\n": "line 1: got a group of the name 'all'"}.items():
        groups.write_text(text)
        assert f"{groups}, {message}" in refused(QRELS, BM25, "--groups", str(groups))
    groups.write_bytes(gzip.compress(b"\xef\xbb\xbf# a comment\r\n" + Path("example-topics.txt").read_bytes().replace(b" ", b"\tof\xa0") + b"\r"))
    assert "of\\udca0long" in printed(QRELS, BM25, "--groups", str(groups)) and "comment" not in printed(QRELS, BM25, "--groups", str(groups))


def test_names_of_all_kinds_go_together():
    names = list(kinds_of_names("AP P@5,10 map P.5,10 official"))
    out = json.loads(printed(QRELS, BM25, "-m", "AP P@5,10", "-m", "map P.5,10", "-m", "official", "--format", "json"))
    assert list(out[BM25]["all"]) == names and measures.names_of("P@5,10") == ["P@5", "P@10"]


def test_the_help_has_the_examples_and_every_option():
    out, _, code = typed("--help")
    assert code == 0 and "--explain AP@10" in out and "-m official --format trec_eval" in out
    assert max(map(len, out.splitlines())) <= 100
