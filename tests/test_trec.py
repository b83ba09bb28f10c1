"""TREC's files: every number of trec_eval from any lawful file, and every wrong line is named."""

import os
import pickle
import sys
import tracemalloc
from math import inf, nan
from pathlib import Path

import numpy as np
import pyarrow
import pytest
import pytrec_eval
from hypothesis import given, settings, strategies as st
from pyarrow import parquet
from trec_settings import everywhere

from metrics import trec
from metrics.trec.files import LONGEST
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
    """A folder to write in, with good files."""
    monkeypatch.chdir(tmp_path)
    write("qrels.txt", QRELS)
    write("RUN.txt", RUN)


def write(name, text):
    Path(name).write_bytes(text)
    return name


def refused(call, *arguments, **options):
    with pytest.raises(ValueError) as refusal:
        call(*arguments, **options)
    return str(refusal.value)


def ap(run, **options):
    return {topic: values["AP"] for topic, values in trec.evaluate("qrels.txt", run, "AP", **options).by_query().items()}


def mappings(values):
    return st.dictionaries(st.sampled_from(TOPICS), st.dictionaries(st.sampled_from(DOCUMENTS), values, min_size=1), min_size=1)


@settings(max_examples=60, deadline=None)
@given(qrels=mappings(st.integers(-2, 3)), run=mappings(st.sampled_from(SCORES)), level=st.integers(1, 2))
def test_every_number_is_trec_evals(qrels, run, level):
    """Of files and of mappings; what else may stand in a file is in test_odd_files."""
    # trec_eval 9.0.8 crashes where the first topic has negative grades only.
    qrels = {topic: grades for topic, grades in qrels.items() if max(grades.values()) >= 0}
    if not qrels.keys() & run.keys():
        return
    write("a.run", "".join(f"{topic} Q0 {item} 1 {score} tag\n" for topic, of in run.items() for item, score in of.items()).encode())
    write("a.qrels", "".join(f"{topic} 0 {item} {grade}\n" for topic, of in qrels.items() for item, grade in of.items()).encode())
    scores = {topic: {item: float(score) for item, score in of.items()} for topic, of in run.items()}
    expected = pytrec_eval.RelevanceEvaluator(qrels, pytrec_eval.supported_measures, relevance_level=level).evaluate(scores)
    assert trec.read_qrels("a.qrels") == qrels and dict(trec.read_run("a.run")) == scores
    found = trec.evaluate("a.qrels", "a.run", "all_trec", relevance_level=level)
    assert found.by_query() == trec.evaluate(qrels, scores, "all_trec", relevance_level=level).by_query()
    assert found.queries == tuple(sorted(expected, key=str.encode))
    for topic, values in expected.items():
        same = {name: value for name, value in found.by_query()[topic].items() if name in values}
        assert len(same) > 80 and same == pytest.approx({name: values[name] for name in same}, abs=1e-12)


NAMES = "AP P@10 R@100 Rprec RR nDCG nDCG@10 Bpref map ndcg infAP"


def big(topics, documents=30):
    """A run and its judgements, as lines of files."""
    rng = np.random.default_rng(0)
    run, qrels = [], []
    for topic in range(topics):
        items = rng.choice(1000, documents, replace=False)
        run += [b"q%d Q0 doc-%d 1 %.1f t\n" % (topic, item, score) for item, score in zip(items, rng.random(documents) * 9)]
        qrels += [b"q%d 0 doc-%d %d\n" % (topic, item, grade) for item, grade in zip(items[::4], rng.integers(0, 4, documents))]
    write("a.run", b"".join(run))
    write("a.qrels", b"".join(qrels))
    return run


def peak(run):
    """The most memory that evaluating takes."""
    tracemalloc.start()
    trec.evaluate("a.qrels", run, "AP")
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return most


def test_a_run_is_not_kept_and_a_shuffled_one_read_little_more_than_once_and_kept_in_few_bytes(reader, monkeypatch):
    """And the values are the same to the bit, whatever is read at a time."""
    lines = big(300, 100)
    expected = trec.evaluate("a.qrels", "a.run", NAMES).by_query()
    everywhere(monkeypatch, PIECE=2**12, SORTED=2**12, BATCH=16)
    assert peak("a.run") < os.path.getsize("a.run") and trec.evaluate("a.qrels", "a.run", NAMES).by_query() == expected
    np.random.default_rng(1).shuffle(lines)
    assert trec.evaluate("a.qrels", write("b.run", b"".join(lines)), NAMES).by_query() == expected
    read, understood = [], Source.parsed
    monkeypatch.setattr(Source, "parsed", lambda *given: (read.append(part.value.size) or part for part in understood(*given)))
    assert peak("b.run") < 5 * os.path.getsize("b.run") and sum(read) < 1.2 * len(lines) + 300 * 25


TIED, MIXED, CLOSE = RUN.replace(b"3.5", b"2.5"), b"q1 Q0 b 1 1 t\nq1 Q0 a 2 2 t\n", b"q1 Q0 a 1 16.0000002 t\nq1 Q0 b 2 16.0000001 t\n"


@pytest.mark.parametrize("run, options, expected", [
    (TIED, {"ties": "file"}, [1, 1]), (MIXED, {"ties": "file"}, [0.5]), (TIED, {"depth": 1}, [0, 1]), (RUN, {"relevance_level": 2}, [nan, 1]),
    (CLOSE, {"version": 9}, [0.5]), (CLOSE, {"version": 10, "ties": "raise"}, [1]),
    ({"q1": {"a": -0.0, "b": 0.0, "c": -inf}}, {"version": 10}, [0.5]), ({"q1": {"a": 2, "b": 2}}, {"ties": "file"}, [1]),
])  # fmt: skip
def test_options(reader, run, options, expected):
    found = ap(run if isinstance(run, dict) else write("RUN.txt", run), **options)
    assert list(found.values()) == pytest.approx(expected, nan_ok=True)


def test_grades_may_have_fractions(reader):
    qrels = write("a.qrels", b"#q1 0 a 1\nq1 0 a 0.5\nq1 0 b -1\nq1 0 c 1e10\nq1 0 d 2.0\n")
    [grades] = trec.read_qrels(qrels).values()
    assert grades == {"a": 0.5, "b": -1, "c": 10**10, "d": 2} and isinstance(grades["d"], int)
    assert trec.evaluate(qrels, {"q1": {"a": 1, "c": 0}}, "DCG")["DCG"].tolist() == pytest.approx([0.5 + 1e10 / np.log2(3)])


def test_zst_is_known_by_its_first_bytes(monkeypatch):
    packed = pyarrow.compress(RUN, "zstd", asbytes=True)
    assert ap(write("packed", packed)) == ap("RUN.txt")
    error, expected = refused(ap, write("RUN.zst", packed[:-9])).split("', expected ")
    assert error.startswith("RUN.zst: got the error '") and expected == "a .gz or .zst file that can be unpacked to its end"
    everywhere(monkeypatch, arrow=lambda: None)
    monkeypatch.setitem(sys.modules, "compression", None)
    assert refused(ap, "RUN.zst") == "RUN.zst: got a .zst file, expected one that is unpacked, or pyarrow: pip install pyarrow"


@pytest.mark.parametrize("columns, expected", [
    ({"qid": ["q1", "q1", "q2"], "docno": ["a", "b", "a"], "score": [3.5, 4.5, 1]}, {"q1": 0.5, "q2": 1}),
    ({"query": ["q1"], "doc_id": ["a"], "relevance": [1]},
     "a.run, line 1: got 'q1 0 a 1', expected six columns: topic Q0 document rank score tag (this looks like qrels)"),
    ({"qid": ["q1"], "docno": ["a"]}, "a.run: got the columns qid, docno, expected one called relevance or grade or label or score"),
    ({"qid": ["q1"], "docno": ["a b"], "score": [1]}, "a.run: got an id with a blank, a quotation mark or a line break: 'a b', expected ids without"),
    ({"qid": ["q1"], "docno": [None], "score": [1]}, "a.run: got a row without an id or a number, expected a value in each column of every row"),
    (None, "a.run: got a Parquet file that cannot be read, expected a whole one, and no pipe"),
])  # fmt: skip
def test_a_parquet_file_is_read_as_its_lines_would_be(monkeypatch, columns, expected):
    if columns:
        parquet.write_table(pyarrow.table(columns), "a.run", row_group_size=2)
    else:
        write("a.run", b"PAR1, and no more")
    assert (refused(ap, "a.run") if isinstance(expected, str) else ap("a.run")) == expected
    everywhere(monkeypatch, arrow=lambda: None)
    assert refused(ap, "a.run") == "a.run: got a Parquet file, expected a file of lines, or pyarrow: pip install pyarrow"


UNJUDGED = "RUN.txt: got topics such as '301', none of which is judged, expected topics such as 'q1'"
WRONG = {
    "five columns": (RUN.replace(b"\n", b"\r\n") + b"q2 Q0 b 2 0.5\r", f"RUN.txt, line 4: got 'q2 Q0 b 2 0.5', {SIX}"),
    "a document twice, apart": (
        b"# apart\n" + RUN + b"q1 Q0 a 3 0 t\n",
        "RUN.txt, line 5: got 'a' of topic 'q1' a second time (first in line 2), expected each document of a topic once",
    ),
    "a long line": (RUN + b"x" * 10**6, f"RUN.txt, line 4: got '{'x' * 60}' and 999940 characters more, {SIX}"),
    "a long line in no encoding": (RUN + b"\xff" * 70, "RUN.txt, line 4: got '" + r"\xff" * 60 + f"' and 10 characters more, {SIX}"),
    "empty": (b"", f"RUN.txt: got an empty file, or one of comments, expected lines of {SIX[9:]}"),
    "UTF-16": ("q1".encode("utf-16"), "RUN.txt, line 1: got the byte-order mark of UTF-16, expected UTF-8 or ASCII"),
    "qrels": (QRELS, f"RUN.txt, line 1: got 'q1 0 a 1', {SIX} (this looks like qrels)"),
    "no topic is judged": (b"301 Q0 a 1 1 t\n", UNJUDGED),
    "no topic is judged, shuffled": (b"".join(b"301 Q0 a%d 1 1 t\n302 Q0 a%d 1 1 t\n" % (i, i) for i in range(9)), UNJUDGED),
}


@pytest.mark.parametrize("piece", [1, 16, 180_000])
@pytest.mark.parametrize("text, message", WRONG.values(), ids=WRONG)
def test_wrong_runs_are_named(reader, text, message, piece, monkeypatch):
    everywhere(monkeypatch, PIECE=piece)
    assert refused(ap, write("RUN.txt", text)) == message


def test_an_endless_line_is_not_read_to_its_end(reader, monkeypatch):
    everywhere(monkeypatch, LONGEST=1000, PIECE=100, PLAIN=1)
    message = f"RUN.txt, line 1: got '{'x' * 60}' and 1540 characters more, expected lines of at most {LONGEST // 2**20} MB"
    assert refused(ap, write("RUN.txt", b"x" * 10**5)) == message


@pytest.mark.parametrize("given, message", [
    ({"run": {"q1": {"a": nan}}}, "run['q1']['a']: got nan, expected one number or inf"),
    ({"run": {"q1": {7: 1.0}}}, "run['q1']: got 7 beside 'a' in qrels, expected ids of one kind, for these are never equal: convert one side"),
    ({"run": {}}, "run: got no topics, expected a mapping topic -> document -> score"),
    ({"run": b"q1 Q0 c 1 17 t\n" + CLOSE, "ties": "raise"}, "RUN.txt, line 3: got the score 16.0000001 for 'a' and 'b' of topic 'q1', "
                                                             "expected distinct scores, or ties='trec_eval' or 'file'"),
    ({"qrels": {"q1": ["a"]}}, "qrels['q1']: got ['a'], expected a mapping document -> grade"),
    ({"qrels": QRELS + b"q2 0 b inf\n"}, f"qrels.txt, line 4: got 'q2 0 b inf', {FOUR}, with a finite number as grade"),
    ({"qrels": QRELS + b"q1 0 a 1\n"}, "qrels.txt, line 4: got 'a' of topic 'q1' a second time (first in line 1), expected each document of a topic once"),
    ({"version": 11}, "version: got 11, expected 9 or 10"),
])  # fmt: skip
def test_what_else_is_wrong_is_named(reader, given, message):
    given = given | {side: write(name, given[side]) for side, name in (("run", "RUN.txt"), ("qrels", "qrels.txt")) if isinstance(given.get(side), bytes)}
    assert refused(trec.evaluate, **{"qrels": {"q1": {"a": 1}}, "run": {"q1": {"a": 1.0}}, "measures": "AP"} | given) == message
    assert given.get("qrels") != "qrels.txt" or refused(trec.read_qrels, "qrels.txt") == message


SHUFFLED = b"".join(b"q%d Q0 %c 1 %d t\n" % (topic, document, score) for score, document in enumerate(b"dafghi") for topic in (1, 2, 3))


@pytest.mark.parametrize("text", [RUN, RUN + b"q1 Q0 c 3 0 t\n", SHUFFLED], ids=["whole topics", "a topic again", "shuffled"])
def test_pipes_are_read_once(reader, piped, text, monkeypatch):
    everywhere(monkeypatch, PIECE=32)
    expected = ap(write("RUN.txt", b"".join(sorted(text.splitlines(keepends=True)))))
    found = trec.evaluate(piped(b"q1 0 z 0\n" + QRELS + b"q1 0 y 0\n"), piped(text), "AP")
    assert {topic: values["AP"] for topic, values in found.by_query().items()} == expected
    run = trec.read_run(piped(text))
    assert run == trec.read_run("RUN.txt") and ap(run) == expected, "what was read is not asked for again"
    assert repr(trec.read_run("RUN.txt")) == "Run('RUN.txt')"


def test_a_long_pipe_is_not_kept(piped, monkeypatch):
    everywhere(monkeypatch, COPIED=9)
    assert ap(piped(RUN)) == {"q1": 1.0, "q2": 1.0}
    name = piped(RUN + b"q1 Q0 c 3 0 t\n")
    assert refused(ap, name).startswith(f"{name}: got lines of topic 'q1' that do not stand together, expected a file, for this pipe")


def test_progress_counts_the_bytes(capsys, monkeypatch):
    everywhere(monkeypatch, PIECE=20)
    seen, size = [], len(RUN)
    ap("RUN.txt", progress=lambda done, size: seen.append((done, size)))
    assert seen == sorted(seen) and seen[-1] == (size, size) and len(seen) > 2
    for terminal, said in ((False, ""), (True, "\rRUN.txt: 100% of 0 MB\n")):
        monkeypatch.setattr("sys.stderr.isatty", lambda: terminal)
        ap("RUN.txt", progress=True)
        assert capsys.readouterr().err[-len(said) :] == said


def test_an_evaluation_is_a_mapping_with_means():
    write("qrels.txt", b"q1 0 a 1\nq1 0 b 1\nq2 0 a 0\n")
    found = trec.evaluate("qrels.txt", "RUN.txt", ["AP", "map", "gm_map", "num_ret"])
    assert repr(found).split() == """measure mean  AP nan  map 0.500  gm_map 0.003  num_ret 3
        Means over 2 topics; nan: 0/0 for some topic, and nobody said what it counts (undefined=...).""".split()
    assert found.mean(undefined="skip") == pytest.approx({"AP": 1.0, "map": 0.5, "gm_map": 1e-5**0.5, "num_ret": 3.0})
    assert str(pickle.loads(pickle.dumps(found)).by_query()) == str(found.by_query())


def test_a_name_that_both_have_goes_with_the_others():
    nothing = {"q": {"a": 0}}, {"q": {"a": 1.0}}
    for names, undefined in [("Rprec", True), ("AP Rprec P_5", True), ("map Rprec", False), ("Rprec map P.5", False), ("official", False)]:
        assert np.isnan(trec.evaluate(*nothing, names)["Rprec"]) == [undefined]
