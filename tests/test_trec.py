"""TREC's files: every number of trec_eval from any lawful file, and every wrong line is named."""

import gzip
import os
import pickle
import tracemalloc
from contextlib import ExitStack
from math import isnan
from pathlib import Path

import numpy as np
import pyarrow
import pytest
import pytrec_eval
from hypothesis import given, settings, strategies as st
from trec_settings import everywhere

from metrics import Hits, evaluate as evaluate_hits, trec, trec_names
from metrics.trec.documents import arrow
from metrics.trec.evaluation import kinds_of_names
from metrics.trec.source import Source

DOCUMENTS = [*(f"d{i}" for i in range(12)), "é", "ü", "zürich", "日本", "ﬀ", "𝔸", "D"]
# In single precision some of them are equal: 0 and 1e-46, two infinities, 2^24 and 2^24 + 1.
SCORES = ["0", "-0.0", "1e-46", "1e-45", "1e39", "inf", "-1e39", "16777216", "16777217", "0.3", "0.30000001", "2.5", "-1"]
TOPICS = ["q1", "q2", "q10", "é"]

QRELS = b"q1 0 a 1\nq1 0 b 0\nq2 0 a 2\n"
RUN = b"q1 Q0 a 1 3.5 t\nq1 Q0 b 2 2.5 t\nq2 Q0 a 1 1 t\n"
SIX = "expected six columns: topic Q0 document rank score tag"
FOUR = "expected four columns: topic iteration document grade"


@pytest.fixture(params=["pyarrow", "plain Python"])
def reader(request, monkeypatch):
    """Both readers."""
    if request.param == "plain Python":
        everywhere(monkeypatch, arrow=lambda: None)


@pytest.fixture(autouse=True)
def files(tmp_path, monkeypatch):
    """A folder to write in, with good judgements."""
    monkeypatch.chdir(tmp_path)
    write("qrels.txt", QRELS)


def write(name, text):
    with open(name, "wb") as file:
        file.write(text)
    return name


def refused(call, *arguments, **options):
    with pytest.raises(ValueError) as refusal:
        call(*arguments, **options)
    return str(refusal.value)


def ap(run, **options):
    return {topic: values["AP"] for topic, values in trec.evaluate("qrels.txt", run, "AP", **options).by_query().items()}


def mappings(values):
    return st.dictionaries(st.sampled_from(TOPICS), st.dictionaries(st.sampled_from(DOCUMENTS), values, min_size=1), min_size=1)


def lines(rows, separator, end, shuffled, comments):
    if shuffled is not None:
        shuffled.shuffle(rows)
    if comments:
        rows = [["# a comment"], [""], *rows]
    return "".join(separator.join(row) + end for row in rows).encode()


@settings(max_examples=60, deadline=None)
@given(
    qrels=mappings(st.integers(-2, 3)), run=mappings(st.sampled_from(SCORES)), level=st.integers(1, 2),
    separator=st.sampled_from([" ", "\t", "  ", " \t"]), end=st.sampled_from(["\n", "\r\n"]),
    shuffled=st.none() | st.randoms(use_true_random=False), comments=st.booleans(), piece=st.sampled_from([1, 60, 180_000]),
    with_arrow=st.booleans(),
)
def test_every_number_is_trec_evals(qrels, run, level, separator, end, shuffled, comments, piece, with_arrow):
    # trec_eval 9.0.8 crashes where the first topic has negative grades only.
    qrels = {topic: grades for topic, grades in qrels.items() if max(grades.values()) >= 0}
    if not qrels.keys() & run.keys():
        return
    ranked = [[topic, "Q0", item, "1", score, "tag"] for topic, scores in run.items() for item, score in scores.items()]
    judged = [[topic, "0", item, str(grade)] for topic, grades in qrels.items() for item, grade in grades.items()]
    write("a.run", lines(ranked, separator, end, shuffled, comments))
    write("a.qrels", lines(judged, separator, end, shuffled, comments))
    scores = {topic: {item: float(score) for item, score in of.items()} for topic, of in run.items()}
    peer = pytrec_eval.RelevanceEvaluator(qrels, pytrec_eval.supported_measures, relevance_level=level)
    expected = peer.evaluate(scores)
    known = next(iter(expected.values()))
    names = [name for name in trec_names.names_of("all_trec") if name in known]
    assert len(names) > 80
    with pytest.MonkeyPatch.context() as patch:
        everywhere(patch, PIECE=piece)
        if not with_arrow:
            everywhere(patch, arrow=lambda: None)
        found = trec.evaluate("a.qrels", "a.run", "all_trec", relevance_level=level)
        again = trec.evaluate(qrels, scores, "all_trec", relevance_level=level)
        assert trec.read_qrels("a.qrels") == qrels and dict(trec.read_run("a.run")) == scores
    assert found.by_query() == again.by_query()
    assert found.queries == tuple(sorted(expected, key=str.encode))
    for topic, values in expected.items():
        same = {name: found.by_query()[topic][name] for name in names}
        assert same == pytest.approx({name: values[name] for name in names}, abs=1e-12)


def big(topics=600, documents=30, seed=0):
    """A run and its judgements, as the text of files."""
    rng = np.random.default_rng(seed)
    run, qrels = [], []
    for topic in range(topics):
        items = rng.choice(1000, documents, replace=False)
        run += [f"q{topic} Q0 doc-{item} 1 {score:.1f} t\n" for item, score in zip(items, rng.random(documents) * 9)]
        qrels += [f"q{topic} 0 doc-{item} {grade}\n" for item, grade in zip(items[::4], rng.integers(0, 4, documents))]
    return "".join(run).encode(), "".join(qrels).encode()


NAMES = "AP P@10 R@100 Rprec RR nDCG nDCG@10 Bpref map ndcg infAP"


def test_values_are_the_same_to_the_bit_whatever_is_read_at_a_time(monkeypatch):
    run, qrels = (write(name, text) for name, text in zip(("a.run", "a.qrels"), big(60)))
    expected = trec.evaluate(qrels, run, NAMES)
    for reader in (arrow, lambda: None):
        everywhere(monkeypatch, arrow=reader)
        for piece, batch in ((1, 1), (1000, 7), (2**22, 10**6)):
            everywhere(monkeypatch, PIECE=piece)
            everywhere(monkeypatch, BATCH=batch)
            found = trec.evaluate(qrels, run, NAMES)
            assert found.queries == expected.queries
            assert all(np.array_equal(found[name], expected[name], equal_nan=True) for name in expected)


def test_the_numbers_are_those_of_the_ids(reader):
    """The book's measures, undefined ones included, of the lists that the file means."""
    qrels = {"q1": {"a": 1, "x": 2}, "q2": {"a": 0}}
    run = {"q1": {"b": 0.5, "a": 0.5, "c": 0.75}, "q2": {"a": 1.0}}
    found = trec.evaluate(qrels, run, "AP nDCG RR")
    hits = Hits.from_ids(rankings=[["c", "b", "a"], ["a"]], relevant=list(qrels.values()))
    for name, values in evaluate_hits(hits, "AP nDCG RR").items():
        assert np.array_equal(found[name], values, equal_nan=True)
    assert isnan(found.by_query()["q2"]["AP"])


def test_memory_does_not_grow_with_the_run(monkeypatch):
    """Twenty times the lines a topic take hardly more memory, besides one topic."""
    everywhere(monkeypatch, arrow=lambda: None)
    everywhere(monkeypatch, PIECE=2**12)
    peaks = []
    for documents in (20, 400):
        run, qrels = big(topics=100, documents=documents)
        write("a.run", run)
        write("a.qrels", b"".join(qrels.splitlines(keepends=True)[:50]))
        tracemalloc.start()
        trec.evaluate("a.qrels", "a.run", "AP")
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < peaks[0] + 400_000 < len(run) + 400_000


@pytest.mark.parametrize("ties, expected", [("trec_eval", 0.5), ("file", 1.0)])
def test_ties(reader, ties, expected):
    run = write("RUN.txt", b"q1 Q0 a 1 2 t\nq1 Q0 b 2 2 t\n")
    assert ap(run, ties=ties) == {"q1": expected}
    assert ap({"q1": {"a": 2.0, "b": 2.0}}, ties=ties) == {"q1": expected}


def test_the_file_order_is_that_of_the_lines(reader):
    assert ap(write("RUN.txt", b"q1 Q0 b 1 1 t\nq1 Q0 a 2 2 t\n"), ties="file") == {"q1": 0.5}


def test_equal_scores_can_be_refused(reader):
    run = write("RUN.txt", b"q1 Q0 c 1 3 t\nq1 Q0 a 1 16777216 t\nq1 Q0 b 2 16777217 t\n")
    message = refused(ap, run, ties="raise")
    assert message == ("RUN.txt, line 3: got the score 16777217.0 for 'a' and 'b' of topic 'q1', "
                       "expected distinct scores, or ties='trec_eval' or 'file'")
    assert ap({"q1": {"a": 1, "b": 2}}, ties="raise") == {"q1": 0.5}


def test_topics_of_one_side(reader):
    write("qrels.txt", QRELS + b"q3 0 a 1\n")
    write("RUN.txt", RUN.replace(b"q2", b"q9"))
    found = trec.evaluate("qrels.txt", "RUN.txt", "AP num_rel")
    assert (found.queries, found.missing, found.unjudged) == (("q1",), ("q2", "q3"), ("q9",))
    found = trec.evaluate("qrels.txt", "RUN.txt", "AP map num_rel", complete=True)
    assert found.queries == ("q1", "q2", "q3") and found.missing == ("q2", "q3")
    assert found["AP"].tolist() == [1, 0, 0]
    assert found.mean(undefined="raise") == {"AP": 1 / 3, "map": 1 / 3, "num_rel": 3.0}


def test_depth(reader):
    write("RUN.txt", RUN.replace(b"3.5", b"2.0"))
    assert ap("RUN.txt") == {"q1": 0.5, "q2": 1.0}
    assert ap("RUN.txt", depth=1) == {"q1": 0.0, "q2": 1.0}
    assert trec.evaluate("qrels.txt", "RUN.txt", "num_ret", depth=1).mean(undefined="raise") == {"num_ret": 2.0}


def test_relevance_level(reader):
    found = trec.evaluate("qrels.txt", write("RUN.txt", RUN), "AP map", relevance_level=2)
    assert found["map"].tolist() == [0, 1] and isnan(found["AP"][0]) and found["AP"][1] == 1


def test_grades_may_have_fractions(reader):
    qrels = write("a.qrels", b"q1 0 a 0.5\nq1 0 b -1\nq1 0 c 1e10\nq1 0 d 2.0\n")
    grades = trec.read_qrels(qrels)["q1"]
    assert grades == {"a": 0.5, "b": -1, "c": 10**10, "d": 2} and isinstance(grades["d"], int)
    assert trec.evaluate(qrels, {"q1": {"a": 1, "c": 0}}, "DCG")["DCG"].tolist() == pytest.approx([0.5 + 1e10 / np.log2(3)])


@pytest.mark.parametrize("pack, ending", [(gzip.compress, "gz"), (lambda text: pyarrow.compress(text, "zstd", asbytes=True), "zst")])
def test_packed_files(pack, ending):
    """Known by their first bytes, whatever they are called."""
    run, qrels = big(50)
    write("a.run", run)
    write("a.qrels", qrels)
    write(f"b.{ending}", pack(run))
    write("c", pack(qrels))
    found, expected = trec.evaluate("c", f"b.{ending}", NAMES), trec.evaluate("a.qrels", "a.run", NAMES)
    assert all(np.array_equal(found[name], expected[name], equal_nan=True) for name in expected)
    write(f"b.{ending}", pack(run)[:-9])
    message = refused(trec.evaluate, "c", f"b.{ending}", NAMES)
    assert message.startswith(f"b.{ending}: got the error '")
    assert message.endswith("', expected a .gz or .zst file that can be unpacked to its end")


def test_zst_without_pyarrow(monkeypatch):
    write("RUN.zst", pyarrow.compress(RUN, "zstd", asbytes=True))
    everywhere(monkeypatch, arrow=lambda: None)
    monkeypatch.setitem(__import__("sys").modules, "compression", None)
    assert refused(ap, "RUN.zst") == ('RUN.zst: got a .zst file, expected one that is unpacked, '
                                      'or pyarrow: pip install pyarrow')


WRONG = {
    "five columns": (RUN.replace(b"\n", b"\r\n") + b"q2 Q0 b 2 0.5\r", f"RUN.txt, line 4: got 'q2 Q0 b 2 0.5', {SIX}"),
    "nan": (RUN + b"q2 Q0 b 2 nan t\n", f"RUN.txt, line 4: got 'q2 Q0 b 2 nan t', {SIX}, with a number as score"),
    "a document twice, apart": (
        b"# apart\n" + RUN + b"q1 Q0 a 3 0 t\n",
        "RUN.txt, line 5: got 'a' of topic 'q1' a second time (first in line 2), expected each document of a topic once",
    ),
    "a long line": (RUN + b"x" * 10**6, f"RUN.txt, line 4: got '{'x' * 60}' and 999940 characters more, {SIX}"),
    "empty": (b"", f"RUN.txt: got an empty file, expected lines of {SIX[9:]}"),
    "a zero byte": (RUN + b"q2 Q0 b\0 2 0.5 t\n", f"RUN.txt, line 4: got 'q2 Q0 b\\x00 2 0.5 t', expected text of {SIX[9:]}, not a binary file"),
    "UTF-16": ("q1".encode("utf-16"), "RUN.txt, line 1: got the byte-order mark of UTF-16, expected UTF-8 or ASCII"),
    "qrels": (QRELS, f"RUN.txt, line 1: got 'q1 0 a 1', {SIX} (this looks like qrels)"),
    "no topic is judged": (
        b"301 Q0 a 1 1 t\n",
        "RUN.txt: got topics such as '301', none of which is judged, expected topics such as 'q1'",
    ),
    "no topic is judged, shuffled": (
        b"".join(b"301 Q0 a%d 1 1 t\n302 Q0 a%d 1 1 t\n" % (i, i) for i in range(9)),
        "RUN.txt: got topics such as '301', none of which is judged, expected topics such as 'q1'",
    ),
}


@pytest.mark.parametrize("piece", [1, 16, 180_000])
@pytest.mark.parametrize("text, message", WRONG.values(), ids=WRONG)
def test_wrong_runs_are_named(reader, text, message, piece, monkeypatch):
    everywhere(monkeypatch, PIECE=piece)
    assert refused(ap, write("RUN.txt", text)) == message


def test_an_endless_line_is_not_read_to_its_end(reader, monkeypatch):
    everywhere(monkeypatch, LONGEST=1000)
    everywhere(monkeypatch, PIECE=100)
    everywhere(monkeypatch, PLAIN=1)
    message = f"RUN.txt, line 1: got '{'x' * 60}' and 1540 characters more, expected lines of at most 16 MB"
    assert refused(ap, write("RUN.txt", b"x" * 10**5)) == message


WRONG_QRELS = {
    "a run": (RUN, f"a.qrels, line 1: got 'q1 Q0 a 1 3.5 t', {FOUR} (this looks like a run)"),
    "inf": (QRELS + b"q2 0 b inf\n", f"a.qrels, line 4: got 'q2 0 b inf', {FOUR}, with a finite number as grade"),
    "twice, apart": (
        QRELS + b"q1 0 a 1\n",
        "a.qrels, line 4: got 'a' of topic 'q1' a second time (first in line 1), expected each document of a topic once",
    ),
}


@pytest.mark.parametrize("text, message", WRONG_QRELS.values(), ids=WRONG_QRELS)
def test_wrong_qrels_are_named(reader, text, message):
    qrels = write("a.qrels", text)
    assert refused(trec.read_qrels, qrels) == refused(trec.evaluate, qrels, {"q1": {"a": 1}}, "AP") == message


RANKED, JUDGED = {"q1": {"a": 1.0}}, {"q1": {"a": 1}}
WRONG_MAPPINGS = {
    "nan": (JUDGED, {"q1": {"a": float("nan")}}, "run['q1']['a']: got nan, expected one number or inf"),
    "text": (JUDGED, {"q1": {"a": "2"}}, "run['q1']['a']: got '2', expected one number or inf"),
    "infinite": ({"q1": {"a": float("inf")}}, RANKED, "qrels['q1']['a']: got inf, expected one number that is finite"),
    "no text": (JUDGED, {"q1": {7: 1.0}}, "run: got the id 7 of type int, expected ids that are text, as in files"),
    "a list": ({"q1": ["a"]}, RANKED, "qrels['q1']: got ['a'], expected a mapping document -> grade"),
    "nothing": (JUDGED, {}, "run: got no topics, expected a mapping topic -> document -> score"),
    "no judgements": ({}, RANKED, "qrels: got no topics, expected a mapping topic -> document -> grade"),
    "None": (JUDGED, None, "run: got None, expected a path, or a mapping topic -> document -> score"),
    "no topic is judged": (JUDGED, {"1": {"a": 1}}, "run: got topics such as '1', none of which is judged, expected topics such as 'q1'"),
}


@pytest.mark.parametrize("qrels, run, message", WRONG_MAPPINGS.values(), ids=WRONG_MAPPINGS)
def test_wrong_mappings_are_named(reader, qrels, run, message):
    assert refused(trec.evaluate, qrels, run, "AP") == message


def test_wrong_options_are_named():
    assert "measures: got 'AX'" in refused(trec.evaluate, JUDGED, RANKED, "AX")
    assert refused(trec.evaluate, JUDGED, RANKED, "AP", ties="random") == "ties: got 'random', expected 'trec_eval' or 'file' or 'raise'"
    assert refused(trec.evaluate, JUDGED, RANKED, "AP", depth=0) == "depth: got 0, expected one whole number >= 1"
    assert refused(trec.evaluate, JUDGED, RANKED, "AP", relevance_level=0) == "relevance_level: got 0, expected one number > 0"


def test_files_that_cannot_be_opened():
    for call in (trec.read_run, trec.read_qrels):
        with pytest.raises(FileNotFoundError, match="nothing.txt"):
            call("nothing.txt")
        with pytest.raises(IsADirectoryError):
            call(".")


@pytest.fixture
def piped():
    """What makes a pipe of a text: the name of its end."""
    with ExitStack() as stack:
        def pipe(text):
            read, written = os.pipe()
            stack.callback(os.close, read)
            os.write(written, text)
            os.close(written)
            return f"/dev/fd/{read}"

        yield pipe


SHUFFLED = b"".join(b"q%d Q0 %c 1 %d t\n" % (topic, document, score) for score, document in enumerate(b"dafghi") for topic in (1, 2, 3))


@pytest.mark.parametrize("text", [RUN, RUN + b"q1 Q0 c 3 0 t\n", SHUFFLED], ids=["whole topics", "a topic again", "shuffled"])
def test_pipes_are_read_once(reader, piped, text, monkeypatch):
    everywhere(monkeypatch, PIECE=32)
    expected = ap(write("RUN.txt", b"".join(sorted(text.splitlines(keepends=True)))))
    found = trec.evaluate(piped(b"q1 0 z 0\n" + QRELS + b"q1 0 y 0\n"), piped(text), "AP")
    assert {topic: values["AP"] for topic, values in found.by_query().items()} == expected
    assert trec.evaluate(piped(QRELS), piped(text), "AP").unjudged == trec.evaluate("qrels.txt", "RUN.txt", "AP").unjudged
    assert trec.read_run(piped(text)) == trec.read_run("RUN.txt")
    run = trec.read_run(piped(text))
    assert len(run["q1"]) > 1 and ap(run) == expected, "what was read is not asked for again"


def test_a_long_pipe_is_not_kept(piped, monkeypatch):
    everywhere(monkeypatch, COPIED=9)
    assert ap(piped(RUN)) == {"q1": 1.0, "q2": 1.0}
    name = piped(RUN + b"q1 Q0 c 3 0 t\n")
    assert refused(ap, name).startswith(f"{name}: got lines of topic 'q1' that do not stand together, expected a file, for this pipe")


def test_a_shuffled_run_is_read_little_more_than_once_and_kept_in_few_bytes(reader, monkeypatch):
    run, qrels = (write(name, text) for name, text in zip(("a.run", "a.qrels"), big(topics=300, documents=100)))
    lines = Path(run).read_bytes().splitlines(keepends=True)
    np.random.default_rng(1).shuffle(lines)
    shuffled, size, read = write("b.run", b"".join(lines)), os.path.getsize(run), []
    for name, value in {"PIECE": 2**12, "SORTED": 2**12, "BATCH": 16}.items():
        everywhere(monkeypatch, **{name: value})
    expected = trec.evaluate(qrels, run, NAMES)
    found = trec.evaluate(qrels, shuffled, NAMES)
    assert all(np.array_equal(found[name], expected[name], equal_nan=True) for name in expected)
    understood = Source.parsed
    monkeypatch.setattr(Source, "parsed", lambda *given: (read.append(part.value.size) or part for part in understood(*given)))
    tracemalloc.start()
    trec.evaluate(qrels, shuffled, "AP")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert sum(read) < 1.2 * len(lines) + 300 * 25 and peak < 5 * size


def test_progress_counts_the_bytes(reader, capsys, monkeypatch):
    run, qrels = (write(name, text) for name, text in zip(("a.run", "a.qrels"), big(50)))
    everywhere(monkeypatch, PIECE=1000)
    seen = []
    trec.evaluate(qrels, run, "AP", progress=lambda done, size: seen.append((done, size)))
    size = os.path.getsize(run)
    assert seen == sorted(seen) and seen[-1] == (size, size) and len(seen) > 20
    trec.evaluate(qrels, run, "AP", progress=True)
    assert capsys.readouterr().err == ""
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    trec.evaluate(qrels, run, "AP", progress=True)
    assert capsys.readouterr().err.endswith("\ra.run: 100% of 0 MB\n")


def test_a_run_is_a_mapping(reader):
    run = trec.read_run(write("RUN.txt", RUN))
    assert repr(run) == "Run('RUN.txt')"
    assert run["q1"] == {"a": 3.5, "b": 2.5} and list(run) == ["q1", "q2"] and len(run) == 2
    assert "q9" not in run and run == {"q1": {"a": 3.5, "b": 2.5}, "q2": {"a": 1.0}}
    with pytest.raises(KeyError):
        run["q9"]
    assert pickle.loads(pickle.dumps(run)) == run
    assert ap(run) == ap("RUN.txt") == ap(dict(run))


def test_a_run_is_not_kept_unless_it_is_asked_for():
    run = trec.read_run(write("RUN.txt", RUN))
    ap(run)
    assert "_scores" not in vars(run)


def test_an_evaluation_is_a_mapping():
    found = trec.evaluate("qrels.txt", write("RUN.txt", RUN), "P@1 official")
    assert list(found)[:2] == ["P@1", "num_q"] and len(found) == len(list(found)) and "P@1" in found
    assert found["P@1"].tolist() == [1, 1] and found["P@1"].dtype == np.float64
    assert repr(trec.evaluate("qrels.txt", "RUN.txt", "P@1 map")) == "Evaluation(P@1 map; 2 topics, 0 missing, 0 unjudged)"
    assert pickle.loads(pickle.dumps(found)).by_query() == found.by_query()


def test_means():
    write("RUN.txt", RUN)
    write("qrels.txt", b"q1 0 a 1\nq1 0 b 1\nq2 0 a 0\n")
    found = trec.evaluate("qrels.txt", "RUN.txt", ["AP", "map", "gm_map", "num_ret", "num_rel_ret"])
    with pytest.raises(ValueError, match="undefined"):
        found.mean(undefined="raise")
    expected = {"AP": 1.0, "map": 0.5, "gm_map": 1e-5**0.5, "num_ret": 3.0, "num_rel_ret": 2.0}
    assert found.mean(undefined="skip") == pytest.approx(expected)
    assert found.mean(undefined=0)["AP"] == 0.5


def test_a_name_that_both_have_goes_with_the_others():
    assert kinds_of_names("Rprec") == {"Rprec": False}
    assert kinds_of_names("AP Rprec P_5") == {"AP": False, "Rprec": False, "P_5": True}
    assert kinds_of_names("Rprec map P.5") == {"Rprec": True, "map": True, "P_5": True} and kinds_of_names("official")["Rprec"]
    assert kinds_of_names("map Rprec G") == {"map": True, "Rprec": True, "G": True}
    nothing = {"q": {"a": 0}}, {"q": {"a": 1.0}}
    assert np.isnan(trec.evaluate(*nothing, "AP Rprec")["Rprec"]) and trec.evaluate(*nothing, "map Rprec")["Rprec"] == [0]


def test_version_10_orders_by_double_precision(reader):
    run = write("RUN.txt", b"q1 Q0 a 1 16.0000002 t\nq1 Q0 b 2 16.0000001 t\n")
    for version, expected in ((9, 0.5), (10, 1.0)):
        assert ap(run, version=version) == {"q1": expected}
    assert ap(run, version=10, ties="raise") == {"q1": 1.0}
    assert "for 'a' and 'b'" in refused(ap, run, ties="raise")
    assert ap({"q1": {"a": -0.0, "b": 0.0, "c": float("-inf")}}, version=10) == {"q1": 0.5}


def test_the_rounding_of_recall_levels_is_that_of_the_version():
    given = {"q": {"a": 1, "b": 1, "c": 1}}, {"q": {"a": 5.0, "x": 4.0, "b": 3.0, "y": 2.0, "c": 1.0}}
    nine, ten = (trec.evaluate(*given, "11pt_avg", version=version)["11pt_avg"][0] for version in (9, 10))
    assert (round(nine, 3), round(ten, 3)) == (0.770, 0.806)
    with pytest.raises(ValueError, match="version: got 11, expected 9 or 10"):
        trec.evaluate(*given, "map", version=11)
