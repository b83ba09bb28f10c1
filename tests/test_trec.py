"""TREC's files: every number of trec_eval from any lawful file, and every wrong line is named."""

import bz2
import csv
import gzip
import io
import itertools
import json
import lzma
import os
import sys
import tracemalloc
from datetime import date
from functools import partial
from math import inf, nan
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow
import pytest
import pytrec_eval
from hypothesis import given, settings, strategies as st
from pyarrow import parquet
from trec_settings import everywhere

import metrics
from metrics import trec
from metrics.trec import documents
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


def peak(run):
    """The most memory that evaluating takes."""
    tracemalloc.start()
    trec.evaluate("a.qrels", run, "AP")
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return most


def test_a_run_is_not_kept_and_a_shuffled_one_read_little_more_than_once_and_kept_in_few_bytes(reader, monkeypatch):
    """And the values are the same to the bit, whatever is read at a time."""
    rng, lines, qrels = np.random.default_rng(0), [], []
    for topic in range(300):
        items = rng.choice(1000, 100, replace=False)
        lines += [b"q%d Q0 doc-%d 1 %.1f t\n" % (topic, item, score) for item, score in zip(items, rng.random(100) * 9)]
        qrels += [b"q%d 0 doc-%d %d\n" % (topic, item, grade) for item, grade in zip(items[::4], rng.integers(0, 4, 100))]
    write("a.run", b"".join(lines))
    write("a.qrels", b"".join(qrels))
    names = "AP P@10 R@100 Rprec RR nDCG nDCG@10 Bpref map ndcg infAP"
    expected = trec.evaluate("a.qrels", "a.run", names).by_query()
    everywhere(monkeypatch, PIECE=2**12, SORTED=2**12, BATCH=16)
    assert peak("a.run") < os.path.getsize("a.run") and trec.evaluate("a.qrels", "a.run", names).by_query() == expected
    np.random.default_rng(1).shuffle(lines)
    assert trec.evaluate("a.qrels", write("b.run", b"".join(lines)), names).by_query() == expected
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


def test_a_packed_file_that_breaks_off_is_named_and_one_that_needs_pyarrow(monkeypatch):
    packed = pyarrow.compress(RUN, "zstd", asbytes=True)
    error, expected = refused(ap, write("RUN.zst", packed[:-9])).split("', expected ")
    assert error.startswith("RUN.zst: got the error '") and expected == "a file that can be decompressed to its end"
    everywhere(monkeypatch, arrow=lambda: None)
    monkeypatch.setitem(sys.modules, "compression", None)
    assert refused(ap, "RUN.zst") == "RUN.zst: got a .zst file, expected an uncompressed file, or pyarrow: pip install pyarrow"


PACKED = {
    "as it is": bytes, "gz": gzip.compress, "bz2": bz2.compress, "xz": lzma.compress, "zst": partial(pyarrow.compress, codec="zstd", asbytes=True),
    "lz4": lambda text: in_arrow("lz4", text), "twice": lambda text: bz2.compress(gzip.compress(text)),
}  # fmt: skip


def in_arrow(codec, text):
    packed = pyarrow.BufferOutputStream()
    with pyarrow.CompressedOutputStream(packed, codec) as stream:
        stream.write(text)
    return packed.getvalue().to_pybytes()


def table(**columns):
    """A Parquet file."""
    packed = pyarrow.BufferOutputStream()
    parquet.write_table(pyarrow.table(columns), packed, row_group_size=2)
    return packed.getvalue().to_pybytes()


NESTED = {"q1": {"b": 2.5, "a": 3.5}, "q2": {"a": 1}}
FORMS = {  # of a run in which a stands above b, if b is there
    "lines": RUN,
    "five columns": b"q1 Q0 b 2 2.5\nq1 Q0 a 1 3.5\nq2 Q0 a 1 1\n",
    "no Q0": b"q1 b 2 2.5 t\nq1 a 1 3.5 t\nq2 a 1 1 t\n",
    "three columns": b"q1\tb\t2.5\nq1\ta\t3.5\nq2\ta\t1.0\n",
    "ranks": b"q1 a 1\nq1 b 2\nq2 a 1\n",
    "ranks, topics apart": b"q1 a 1\nq2 a 1\nq1 b 2\n",
    "a comment above a header": b"# made by a tool\nqid,docno,score,text\nq1,b,2.5,x\nq1,a,3.5,\nq2,a,1,\n",
    "ranks between commas": b"q1,a,1\nq1,b,2\nq2,a,1\n",
    "commas": b"q1,Q0,b,2,2.5,t\nq1,Q0,a,1,3.5,t\nq2,Q0,a,1,1,t\n",
    "CSV": b'\xef\xbb\xbfscore,text,corpus-id,Query ID\r\n2.5,"a, b",b,q1\r\n3.5,,"a",q1\r\n1,x,a,q2\r\n',
    "TSV": b"query-id\tcorpus-id\tscore\nq1\tb\t2.5\nq1\ta\t3.5\nq2\ta\t1",
    "CSV with ;": b"qid;pid;rank\nq1;b;2\nq1;a;1\nq2;a;1\n",
    "a header and blanks": b"qid docno rank score\nq1  b 2 2.5\nq1 a 1 3.5\n\nq2 a 1 1\n",
    "JSON": json.dumps(NESTED).encode(),
    "JSON on lines": json.dumps(NESTED, indent=1).encode(),
    "JSON lists": b'\xef\xbb\xbf\n {"q1": ["a", "b"],\n"q2": ["a"]}',
    "JSON rows": json.dumps([{"qid": topic, "docid": item, "score": score} for topic, of in NESTED.items() for item, score in of.items()]).encode(),
    "JSONL": b'{"query_id": "q1", "passage_id": "b", "score": 2.5}\n{"query_id": "q1", "passage_id": "a", "score": 3.5, "x": null}\n'
             b'{"query_id": "q2", "passage_id": "a", "score": 1}',
    "JSONL by topic": b'{"q1": {"b": 2.5, "a": 3.5}}\n{"q2": {"a": 1}}\n',
    "JSONL of ranks": b'{"qid": "q1", "docid": "a", "rank": 1}\r\n{"qid": "q2", "docid": "a", "rank": 1}',
    "Parquet": table(qid=["q1", "q1", "q2"], docno=["b", "a", "a"], score=[2.5, 3.5, 1], docid=[1, 2, 2]),
    "Parquet of ranks": table(
        query_id=pyarrow.array(["q1", "q1", "q2"]).dictionary_encode(), pid=pyarrow.array([b"b", b"a", b"a"]), rank=[2, 1, 1], relevance=[0, 1, 1]
    ),
}  # fmt: skip
JUDGED = {
    "three columns": b"q1\ta\t1\nq1\tb\t0\nq2\ta\t2\n",
    "commas": b"q1,0,a,1\nq1,0,b,0\nq2,0,a,2\n",
    "BEIR": b"query-id\tcorpus-id\tscore\nq1\ta\t1\nq1\tb\t0\nq2\ta\t2\n",
    "JSON": b'{"q1": {"a": true, "b": 0}, "q2": {"a": 2}}',
    "JSON lists": b'{"q1": ["a"], "q2": ["a"]}',
    "JSONL": b'{"qid": "q1", "docid": "a", "label": true}\n{"qid": "q2", "docid": "a", "label": 1}',
    "Parquet": table(query_id=["q1", "q1", "q2"], doc_id=["a", "b", "a"], relevance=[True, False, True], score=[0, 9, 0]),
}


@pytest.mark.parametrize("piece", [3, 540_000])
@pytest.mark.parametrize("form", FORMS)
def test_a_run_is_read_whatever_its_form(reader, form, piece, piped, monkeypatch):
    everywhere(monkeypatch, PIECE=piece, PLAIN=1)
    if "Parquet" in form and not documents.arrow():
        assert refused(ap, write("a.run", FORMS[form])) == "a.run: got a Parquet file, expected another form, or pyarrow: pip install pyarrow"
        return
    assert ap(write("a.run", FORMS[form])) == ap(piped(FORMS[form])) == {"q1": 1, "q2": 1}
    write("qrels.txt", b"q1 0 b 1\nq2 0 a 1\n")
    assert ap("a.run") == {"q1": 0.0 if b"b" not in FORMS[form] else 0.5, "q2": 1}
    assert list(trec.read_run("a.run")) == ["q1", "q2"]


@pytest.mark.parametrize("form", JUDGED)
def test_judgements_are_read_whatever_their_form(form):
    found = trec.read_qrels(write("a.qrels", JUDGED[form]))
    assert {topic: [item for item, grade in grades.items() if grade > 0] for topic, grades in found.items()} == {"q1": ["a"], "q2": ["a"]}
    both = refused(trec.read_qrels, write("b.qrels", b"qid,docid,label,relevance\nq1,a,1,0\n"))
    assert both == "b.qrels: got the columns label and relevance, expected one column of grades"


def test_rows_of_json_have_the_columns_of_the_first_to_the_end():
    rows = [{"qid": f"t{each}", "docid": "a", "relevance": 1, "score": 9} for each in range(10_000)] + [{"qid": "q1", "docid": "a", "score": 7}]
    path = write("a.qrels", "\n".join(map(json.dumps, rows)).encode())
    assert refused(trec.read_qrels, path).startswith("a.qrels, line 10001: got {'qid': 'q1', 'docid': 'a', 'score': 7}, expected an object with qid, docid and")


def test_a_system_stands_there_once_and_an_error_names_it():
    for runs, name in ((["RUN.txt", "RUN.txt"], "RUN.txt"), ({1: "RUN.txt", "1": "RUN.txt"}, "1")):
        same = refused(lambda runs: trec.evaluate("qrels.txt", runs, "AP"), runs)
        assert same == f"run: got {name!r} a second time, at position 1, expected distinct ids"
    series = pd.Series({"a": 0.1})
    for run, message in [
        ({"s1": {"q1": {"a": 1}}, "s2": {"q1": {"a": "x"}}}, "run['s2']['q1']['a']: got 'x', expected one number or inf"),
        *((run, f"{name}: got {series!r}, expected a mapping document -> score") for run, name in [
            ({"q1": series}, "run['q1']"), ({"s": {"q1": series}, "t": {"q1": {"a": 1}}}, "run['s']['q1']"), ({"s": series}, "run['s']")]),
    ]:  # fmt: skip
        assert refused(lambda runs: trec.evaluate("qrels.txt", runs, "AP"), run) == message


@pytest.mark.parametrize("pack", [bz2.compress, lzma.compress], ids=["bz2", "xz"])
def test_streams_are_unpacked_one_after_the_other_and_what_is_none_is_refused(pack):
    one, other = RUN[:20], RUN[20:]
    whole = pack(one) + pack(other) + b"\0" * 4
    assert ap(write("packed", whole)) == ap("RUN.txt")
    assert ap(write("packed", pack(b"") + whole)) == ap("RUN.txt")
    for broken in (pack(RUN) + b"q3 Q0 a 1 1 t\n", pack(one) + b"?" + pack(other), whole[:-9]):
        assert refused(lambda path: len(trec.read_run(path)), write("packed", broken)).endswith("expected a file that can be decompressed to its end")


@pytest.mark.parametrize("read, text, topic, expected", [
    (trec.read_qrels, b"PAR1-7 0 a 1\n", "PAR1-7", {"a": 1}), (trec.read_qrels, b"qid,docno,label,text\nq1,a,1," + b"x" * 200_000 + b"\n", "q1", {"a": 1}),
    *((trec.read_qrels, text, "q1", {"a b": 1}) for text in (b"q1\ta b\t1\n", b"q1\t0\ta b\t1\n", b"q1,a b,1\n")),
    *((trec.read_run, table(qid=["q1"] * 2, docno=["a", "b"], score=[1.0, 2.0], rank=rank), "q1", {"a": 1, "b": 2}) for rank in (["1", "x"], [1, None])),
    (trec.read_run, table(qid=[1, 2], docno=[7, 8], score=pyarrow.array([1, 2], pyarrow.decimal128(5, 1))), "1", {"7": 1}),
    (trec.read_run, b"".join(b"t%d b 1\n" % topic for topic in range(12_000)) + b"q1 a 1\nq1 b 2\n", "q1", {"a": -1, "b": -2}),
], ids=itertools.count())  # fmt: skip
def test_a_file_is_read_as_it_is_meant(read, text, topic, expected, monkeypatch):
    """A topic may begin as Parquet does, and a field be as long as a line; blanks between tabs or commas are of the id; a rank that is no number
    does not count beside scores; ids may be whole numbers; single lines say nothing about ranks."""
    everywhere(monkeypatch, PIECE=10_000, PLAIN=1)
    assert read(write("a", text))[topic] == expected


def test_the_rows_of_parquet_are_counted_to_the_end():
    packed, long = pyarrow.BufferOutputStream(), {"qid": ["q"] * 70_000, "docno": range(70_000), "score": [1.0] * 69_999 + [nan]}
    parquet.write_table(pyarrow.table(long), packed)
    path = write("a.run", packed.getvalue().to_pybytes())
    assert refused(lambda path: len(trec.read_run(path)), path) == "a.run, row 70000: got nan, expected a number as score"


@pytest.mark.parametrize("form", ["lines", "JSON", "Parquet"])
@pytest.mark.parametrize("packed", PACKED)
def test_a_file_may_be_packed(packed, form, piped):
    assert ap(write("packed", PACKED[packed](FORMS[form]))) == ap(piped(PACKED[packed](FORMS[form]))) == ap("RUN.txt")


ODD = ["#jazz", " blanks ", "tab\tand\nline\r\nends", '"quoted"', "'", "\u2028", "q,1", "é", "{", "17"]


@pytest.mark.parametrize("form", ["JSON", "JSONL", "CSV", "Parquet"])
def test_an_id_survives_whatever_is_in_it(form):
    """Or is an error: a line of CSV ends where an id does."""
    ids = [name for name in ODD if form != "CSV" or "\n" not in name]
    rows = [{"qid": name, "docid": f"{name}{name}", "score": 1} for name in ids]
    text = io.StringIO()
    csv.writer(text).writerows([rows[0], *(row.values() for row in rows)])
    texts = {
        "JSON": json.dumps({name: {f"{name}{name}": 1} for name in ids}), "JSONL": "\n".join(map(json.dumps, rows)), "CSV": text.getvalue(),
        "Parquet": table(qid=ids, docid=[name + name for name in ids], score=[1.0] * len(ids)),
    }  # fmt: skip
    text = texts[form] if form == "Parquet" else texts[form].encode()
    assert trec.read_run(write("a.run", text)) == {name: {f"{name}{name}": 1} for name in ids}
    if form == "CSV":
        assert refused(ap, write("a.run", b'qid,docid,score\nq1,"a\nb",1\n')) == (
            "a.run, line 2: got 'q1,\"a', expected 3 columns, qid, docid, score, with ids and a number as score")


WANTED, OF_IDS = "expected a column called", "expected ids that are text or whole numbers"
MISREAD = {
    "qrels": (table(query=["q1"], doc_id=["a"], relevance=[1]), f": got the columns query, doc_id, relevance (this looks like qrels), {WANTED} score or rank"),
    "no id in a row": (table(qid=["q1", None], docno=["a", "b"], score=[1, 2]), ", column qid, row 2: got nothing, expected a value in each row"),
    "one name twice": (table(qid=["q1"], docno=["a"], score=[1], Score=[2]), ": got two columns called score, expected one such column"),
    "a struct": (table(qid=["q1"], docno=[{"a": 1}], score=[1]), f", column docno: got values of the type struct<a: int64>, {OF_IDS}"),
    "a day": (table(qid=["q1"], docno=["a"], score=[date(2026, 1, 1)]), ", column score: got values of the type date32[day], expected numbers"),
    "ranks or scores": (b"q1 a 2\nq1 b 1\nq2 a 1\nq2 b 2", ": got whole numbers in the third column, which may be ranks or scores, "
                        "expected a first line that says which they are, 'query_id doc_id rank' or 'query_id doc_id score'"),
    "a rank and then none": (b"".join(b"q%d a 1\nq%d b 2\n" % (topic, topic) for topic in range(5001)) + b"q2 c 0.5\n",
                             ", line 10003: got 0.5, expected a rank, as in the lines before, or column names in the first line"),
    "a blank in an id": (b"q1 Q0 a b 1 2 t\n", f", line 1: got 'q1 Q0 a b 1 2 t', {SIX}, without blanks in ids; for such ids use a table with a header"),
    "a blank, and five columns": (b"1 d2 1 2.5 x\n1 d 3 1 2.23 x\n",
                                  ", line 2: got '1 d 3 1 2.23 x', expected five columns: topic document rank score tag"),
    "an empty id": (b"qid,docno,score\nq1,,1\n", ", line 2: got 'q1,,1', expected 3 columns, qid, docno, score, with ids and a number as score"),
    "a list of lists": (b'[["q1", "a", 2.5]]', ", entry 1: got ['q1', 'a', 2.5], expected an object with a topic, a document and a score"),
    "an empty id in JSON": (b'{"q1": {"": 1}}', ": got the id '', expected non-empty text"),
    "a topic twice, far away": (b'{"q1": {"a": 1}}\n' + b"".join(b'{"t%d": {"a": 1}}\n' % each for each in range(10_000)) + b'{"q1": {"b": 1}}',
                                ": got a topic twice, expected each topic once"),
    "a key twice": (b'{"q1": {"a": 1, "b": 2, "a": 3}}', ": got 'a' twice in one object, expected each name once"),
    "an item twice": (b'{"q1": ["a", "b", "a"]}', "['q1']: got 'a' twice, expected each document once"),
    "JSON that breaks off": (b'{"q1": {"a": 1},\n"q2"', ", line 2: got invalid JSON at character 5: Expecting ':' delimiter, expected valid JSON"),
    "too many brackets": (b'{"q1":' + b"[" * 10**5, ": got brackets that are nested too deeply, expected topic -> document -> number, or rows"),
    "a text for a score": (b'{"qid": "q1", "docid": "a", "score": "1"}', ", entry 1['score']: got '1', expected one number or inf"),
    "rows and a number": (b'[{"qid": "q1", "docid": "a", "score": 1}, 7]', ", entry 2: got 7, expected an object with qid, docid and score"),
    "a zip": (b"PK\3\4...", ": got a .zip file or a spreadsheet, expected text or Parquet, uncompressed or compressed as .gz, .bz2, .xz, .zst or .lz4"),
    "no form": (b"one\n", f", line 1: got 'one', {SIX} (or a table with a header, JSON, JSONL, Parquet)"),
}  # fmt: skip


@pytest.mark.parametrize("text, message", MISREAD.values(), ids=MISREAD)
def test_a_form_that_is_wrong_is_named(text, message):
    assert refused(ap, write("a.run", text)) == f"a.run{message}"


def test_remarks_on_files_are_with_the_values_in_python():
    qrels, run = write("q", b"1 0 a 1\n#9 0 a 1\n"), write("r", b"# a comment\n1 Q0 a 1 2 t\n#9 Q0 a 1 2 t\n")
    words = ": 1 line with # first looks like data, the first is line {}: read as a comment; below a header, # is a letter like others"
    for found in (trec.evaluate(qrels, run, "AP"), trec.evaluate(qrels, {"x": run, "y": {"1": {"a": 1}}}, "AP")["x"]):
        assert found.remarks == (f"q{words.format(2)}", f"r{words.format(3)}") and "no value is 0/0; " in repr(found) and repr(found).endswith("has 2 remarks.")
    assert trec.evaluate(qrels, {"y": {"1": {"a": 1}}}, "AP")["y"].remarks == (f"q{words.format(2)}",)
    assert trec.evaluate({"1": {"a": 1}}, {"1": {"a": 1}}, "AP").remarks == ()


def test_a_damaged_parquet_file_is_named_or_read():
    text, seen = FORMS["Parquet"], set()
    for place in range(0, len(text), 3):
        for bit in (0, 5):
            damaged = bytearray(text)
            damaged[place] ^= 1 << bit
            try:
                ap(write("a.run", bytes(damaged)))
            except ValueError as error:
                seen.add(str(error).split(" ")[2])
    assert seen >= {"the"}


UNJUDGED = "RUN.txt: got topics such as '301', none of which is judged, expected topics such as 'q1'"
WRONG = {
    "digits with _": (RUN.replace(b"2.5", b"1_0"), f"RUN.txt, line 2: got 'q1 Q0 b 2 1_0 t', {SIX}, with a number as score"),
    "five columns": (RUN.replace(b"\n", b"\r\n") + b"q2 Q0 b 2 0.5\r", f"RUN.txt, line 4: got 'q2 Q0 b 2 0.5', {SIX}"),
    "a document twice, apart": (
        b"# apart\n" + RUN + b"q1 Q0 a 3 0 t\n",
        "RUN.txt, line 5: got 'a' of topic 'q1' a second time (first in line 2), expected each document of a topic once",
    ),
    "a long line": (RUN + b"x" * 10**6, f"RUN.txt, line 4: got '{'x' * 60}' and 999940 characters more, {SIX}"),
    "empty": (b"", f"RUN.txt: got no lines but comments and column names, expected lines of {SIX[9:]}"),
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
    ({"run": {"q1": {7: 1.0}}}, "run['q1']: got 7 beside 'a' in qrels, expected ids of one kind, because these are never equal: convert one side"),
    ({"run": b"q1 Q0 c 1 17 t\n" + CLOSE, "ties": "raise"}, "RUN.txt, line 3: got the score 16.0000001 for 'a' and 'b' of topic 'q1', "
                                                             "expected distinct scores, or ties='trec_eval' or 'file'"),
    ({"qrels": {"q1": ["a"]}}, "qrels['q1']: got ['a'], expected a mapping document -> grade"),
    ({"qrels": QRELS + b"q2 0 b inf\n"}, f"qrels.txt, line 4: got 'q2 0 b inf', {FOUR}, with a finite number as grade"),
    ({"qrels": QRELS + b"q1 0 a 1\n"}, "qrels.txt, line 4: got 'a' of topic 'q1' a second time (first in line 1), expected each document of a topic once"),
    ({"run": [{"q1": {"a": 1.0}}]}, "run: got a list with a dict, expected a list of files, or a mapping from the names of systems to files or mappings"),
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
    assert refused(ap, name).startswith(f"{name}: got lines of topic 'q1' that are not together, expected a file, because this pipe")


def test_progress_counts_the_bytes(capsys, monkeypatch):
    everywhere(monkeypatch, PIECE=20)
    seen, size = [], len(RUN)
    ap("RUN.txt", progress=lambda done, size: seen.append((done, size)))
    assert seen == sorted(seen) and seen[-1] == (size, size) and len(seen) > 2
    for terminal, said in ((False, ""), (True, "\rRUN.txt: 100% of 0 MB\n")):
        monkeypatch.setattr("sys.stderr.isatty", lambda: terminal)
        ap("RUN.txt", progress=True)
        assert capsys.readouterr().err[-len(said) :] == said


def test_a_name_that_both_have_goes_with_the_others():
    nothing = {"q": {"a": 0}}, {"q": {"a": 1.0}}
    for names, undefined in [("Rprec", True), ("AP Rprec P_5", True), ("map Rprec", False), ("Rprec map P.5", False), ("official", False)]:
        assert np.isnan(trec.evaluate(*nothing, names)["Rprec"]) == [undefined]


def test_judgements_of_subtopics_are_the_intents_of_diversity():
    text = b"1 1 a 1\n1 2 b 1\n# a comment\n2 1 c 0\n1 2 a 2\n\n2 1 d 1\n"
    intents = trec.read_subtopics(write("sub.qrels", text))
    assert intents == {"1": {"1": {"a": 1}, "2": {"b": 1, "a": 2}}, "2": {"1": {"c": 0, "d": 1}}}
    rankings = {"2": ["c", "d"], "1": ["b", "a"]}
    for metric in (metrics.alpha_ndcg, partial(metrics.err_ia, max_grade=2)):
        by_topic = metric(rankings=rankings, intents=intents)
        assert by_topic.topics == ("1", "2") and by_topic.tolist() == metric(
            rankings=[["b", "a"], ["c", "d"]], intents=[[{"a": 1}, {"a": 2, "b": 1}], [{"d": 1}]]).tolist()  # fmt: skip
    for text in (b'{"1": {"1": {"a": 1}}}', b"# nothing\n", b"", b"PAR1\x15"):
        assert "expected" in refused(trec.read_subtopics, write("a.subtopics", text))
    expected = "four columns: topic subtopic document grade, with a finite number as grade"
    assert refused(trec.read_subtopics, write("sub.qrels", b"1 1 a 1\n1 1 b\n")) == f"sub.qrels, line 2: got '1 1 b', expected {expected}"
    assert refused(trec.read_subtopics, write("sub.qrels", b"1 1 a 1\n1 1 a 0\n")).endswith("expected each document of a subtopic once")
