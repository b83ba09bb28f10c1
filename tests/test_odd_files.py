"""Whatever a file holds and whatever is asked of it: the numbers of its clean copy, or one line that says what is wrong."""

import contextlib
import csv
import gzip
import io
import json
import math
import re
from pathlib import Path

import pytest
from hypothesis import given, settings, strategies as st
from trec_settings import everywhere, typed

from metrics.course import chapters, exams, grading
from metrics.library import predictors
from metrics.trec.documents import arrow as installed
from metrics.trec.files import PIECE

TOPICS = ["1", "2", "10", "all", "=1+1", "a\x1b[31mb", "\u202etopic", "\x9b1m", "NB\xa0SP", "line\u2028end", "é", b"\xff\xe9"]
DOCUMENTS = [*"abcde", '"b', "=cmd|'/C'!A0", "d\x7f", "日本", "x#y", b"\xe9", "x" * 300]
GRADES = ["1", "1", "2", "0", "-1", "3.5", "-0.0", ".5", "5.", "+4", "1e3"]
SCORES = [*GRADES, "16777217", "16777216", "inf", "1e400", "1e-400", "-Infinity"]
NO_NUMBERS = ["nan", "1_0", "0x10", "1,5", "1e", "--1", "n", "٣", "1d5", "NaN(1)"]
BLANKS = [" ", " ", " ", "\t", "  ", " \t", "\x0b", "\x0c"]
ENDS = ["\n", "\n", "\n", "\r\n", "\r", "\r\r\n", "\n\n", " \n", "\n\r"]
NOISE = ["", " ", "# comment", " \t# 1 Q0 a 1 2 t", b"#\0\xff", "#"]
WRONG = ["junk", "1 Q0 a 1", "1 Q0 a\0 1 2 t", "\0", "1\xa0Q0\xa0a\xa01\xa02\xa0t", "1 Q0 a 1 2 ", "\x1b]0;title\x07 x", "1 0 a"]
MEASURES = ["AP nDCG@10", "map P_5 gm_map", "RR P@100000000000000000000 DCG", "official rbp", "num_q Bpref", "ERR(max_grade=1e3)"]
OPTIONS = ["-q", "-c", "-l2", "-l100000000000000000000", "-M1", "-M100000000000000000000", "--trec-eval=10", "--undefined=skip"]
FORMATS = ["table", "csv", "json", "latex", "trec_eval"]


def in_bytes(text):
    return text if isinstance(text, bytes) else text.encode()


@st.composite
def files(draw, topics, form, numbers):
    """The text of a file: lines of a form such as "TOPIC 0 DOCUMENT NUMBER", with oddities, and seldom a mistake."""

    def one_of(few):
        return in_bytes(draw(st.sampled_from(few)))

    def seldom():
        return draw(st.integers(0, 40)) == 7

    documents = st.sampled_from(DOCUMENTS)
    pairs = [(topic, document) for topic in topics for document in draw(st.lists(documents, min_size=1, max_size=6, unique=not seldom()))]
    rows = [{b"TOPIC": in_bytes(topic), b"DOCUMENT": in_bytes(document), b"NUMBER": one_of(numbers)} for topic, document in pairs]
    rows = draw(st.permutations(rows)) if draw(st.booleans()) else rows
    columns, blank, end = form.encode().split(), one_of(BLANKS), draw(st.none() | st.sampled_from(ENDS))
    lines = [blank.join(row.get(column, column) for column in columns) for row in rows]
    lines += [one_of(NOISE)] * draw(st.booleans()) + [one_of(WRONG)] * seldom()
    lines += [columns[0] + b" 0 x 1 " + one_of(NO_NUMBERS) + b" t"] * seldom()
    lines = draw(st.permutations(lines)) if len(lines) > len(rows) else lines
    text = b"".join(line + (one_of(ENDS) if end is None else in_bytes(end)) for line in lines)
    text = text.rstrip(b"\r\n") if draw(st.booleans()) else text
    text = one_of([b"\xff\xfe", b""]) * seldom() + b"\xef\xbb\xbf" * draw(st.booleans()) + text
    return gzip.compress(text)[: -9 if seldom() else None] if draw(st.booleans()) else text


@st.composite
def cases(draw):
    """Name -> the text of each file; and the words of a command that reads them."""
    judged = draw(st.lists(st.sampled_from(TOPICS), min_size=1, max_size=4, unique=True))
    run = st.sampled_from(["TOPIC Q0 DOCUMENT 1 NUMBER tag", "TOPIC Q0 DOCUMENT 1 NUMBER t\x1b and more"])
    texts = {"q": draw(files(judged, "TOPIC 0 DOCUMENT NUMBER", GRADES))}
    for name in draw(st.sampled_from(["r", "r", "rs"])):
        topics = {*judged[draw(st.integers(0, len(judged) - 1)) :], *draw(st.lists(st.sampled_from(TOPICS), max_size=1))}
        texts[name] = draw(files(sorted(topics, key=TOPICS.index), draw(run), SCORES))
    words = [*texts, "-m", draw(st.sampled_from(MEASURES)), *draw(st.lists(st.sampled_from(OPTIONS), max_size=2, unique=True))]
    if len(texts) == 3 and draw(st.booleans()):
        return texts, [*words, "--compare"]
    words += ["--format", draw(st.sampled_from(FORMATS[: len(FORMATS) - len(texts) // 3]))]
    if len(texts) == 2 and "-q" not in words and words[-1] != "trec_eval" and draw(st.booleans()):
        texts["g"] = draw(files(judged, "TOPIC NUMBER", [draw(st.sampled_from(["one", "two words", "all"]))]))
        words += ["--groups", "g"]
    return texts, words


def clean(text, width, judged=None):
    """The same in the plainest form, a line for each row and whole topics; None if something is wrong with it."""
    try:
        text = gzip.decompress(text) if text.startswith(b"\x1f\x8b") else text
    except EOFError:
        return None
    lines = [line.strip() for line in re.split(rb"\r\n|\r|\n", text.removeprefix(b"\xef\xbb\xbf"))]
    lines = [line for line in lines if line and not line.startswith(b"#")]
    if width == 2:
        return b"".join(line + b"\n" for line in lines)
    rows = [line.split() for line in lines]
    if not rows or text.startswith(b"\xff\xfe") or any(len(row) < width or width == 4 < len(row) or b"\0" in b"".join(row) for row in rows):
        return None
    numbers, pairs = [row[4 if width == 6 else 3].lower() for row in rows], [(row[0], row[2]) for row in rows if not judged or row[0] in judged]
    number = rb"[+-]?((\d+\.?\d*|\.\d+)(e[+-]?\d+)?|inf(inity)?)"
    if len(set(pairs)) < len(pairs) or not all(re.fullmatch(number, n) and (width == 6 or math.isfinite(float(n))) for n in numbers):
        return None
    return b"".join(b" ".join(row[:width]) + b"\n" for row in sorted(rows, key=lambda row: row[0]))


def read_by_both(words, piece):
    """The same, whichever reader reads, and however many bytes at a time."""
    seen = []
    for arrow in (installed, lambda: None):
        with pytest.MonkeyPatch.context() as patch:
            everywhere(patch, PIECE=piece)
            everywhere(patch, arrow=arrow)
            seen.append(typed(*words))
    assert seen[0] == seen[1]
    return seen[0]


def check_format(out, kind):
    """It is what its format says."""
    if kind == "csv":
        head, *rows = csv.reader(io.StringIO(out))
        assert all(len(row) == len(head) and not row[0].startswith(tuple("=+-@\t\r")) for row in rows)
        assert [float(number or 0) for row in rows for number in row[2:]]
    if kind == "json":
        assert json.loads(out)
    if kind == "trec_eval":
        assert all(re.fullmatch(r"\S+ *\t[^\t]+\t(-?[\d.]+|tag|t\\x1b|inf|nan)", line) for line in out.splitlines())
    if kind == "latex":
        assert out.startswith(r"\begin{tabular}") and out.endswith("\\end{tabular}\n")
        assert len({line.replace(r"\&", "").count("&") for line in out.splitlines() if line.endswith(r" \\")}) == 1


@settings(max_examples=100, deadline=None)
@given(cases(), st.sampled_from([1, 20, PIECE]))
def test_odd_files(tmp_path_factory, case, piece):
    texts, words = case
    with contextlib.chdir(tmp_path_factory.getbasetemp()):
        for name, text in texts.items():
            Path(name).write_bytes(text)
        out, err, code = read_by_both(words, piece)
        assert not re.search("[\0-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\ud800-\udfff]", out + err), "something that a terminal obeys"
        assert code in (0, 1, 2)
        if code:
            assert re.search(r"(\A|\n)(metrics|python -m metrics: error): [^\n]+\n\Z", err), "one line says what is wrong"
        if out:
            check_format(out, words[-1 - 2 * ("g" in texts)])
        cleaned = {"q": clean(texts["q"], 4)}
        judged = {line.split()[0] for line in (cleaned["q"] or b"").splitlines()}
        cleaned |= {name: clean(text, 2 if name == "g" else 6, judged) for name, text in texts.items() if name != "q"}
        if code and "g" in texts or not all(cleaned.values()):
            assert code == 1
            assert re.search(r"\b[qrsg](, (after )?line \d+)?: got", err), "the message names the file"
            return
        for name, text in cleaned.items():
            Path(name).write_bytes(text)
        assert typed(*words) == (out, err, code)


@pytest.mark.parametrize("main, words, said", [
    (exams.main, "file/out --chapters averaging --seed 1", "Not a directory"),
    (exams.main, "file --chapters averaging --seed 1", "File exists"),
    (exams.main, "out --chapters nothing --seed 1", "no tasks or questions for 'nothing'; there are some for"),
    (exams.main, "out --chapters averaging --seed 1 --forms 0", "forms must be from 1"),
    (grading.main, "homework file --chapters averaging", "File exists"),
    (grading.main, "sheets out", "no notebook in sheets has a function for a task"),
    (grading.main, "empty out", "there is no notebook in empty"),
    (predictors.main, "gone", "gone: no such file"),
    (predictors.main, "file", "file: .*null bytes"),
    (predictors.main, "run", "run: invalid syntax"),
])  # fmt: skip
def test_what_the_other_commands_cannot_use_is_one_line(tmp_path, monkeypatch, capsys, main, words, said):
    monkeypatch.chdir(tmp_path)
    for folder in ("homework", "empty", "sheets"):
        Path(folder).mkdir()
    Path("sheets/a.ipynb").write_text('{"cells": []}')
    for name in ("file", "run", "homework/a.ipynb"):
        Path(name).write_text("1 Q0 a 1 2 t\n" + "\0" * (name == "file"))
    with pytest.raises(SystemExit, match="2"):
        main(words.split())
    assert re.search(rf"error: .*{said}.*\n\Z", capsys.readouterr().err)


def test_a_chapter_named_twice_counts_once(tmp_path):
    assert exams.exam(["averaging", "averaging"], 1) == exams.exam(["averaging"], 1)
    (tmp_path / "a.ipynb").write_text('{"cells": []}')
    assert len(grading.grade(tmp_path, tmp_path / "out", ["averaging"] * 2)["a"]) == len(chapters.chapter("averaging").TASKS)
