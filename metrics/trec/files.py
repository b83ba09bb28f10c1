"""The text of a file, packed or not, in pieces of whole lines."""

from __future__ import annotations

import gzip
import io
import os
import stat
import sys
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import IO, Any, BinaryIO, NoReturn, TypeAlias

from .._base.checks import refuse
from .._base.text import visible
from .documents import arrow
from .parquet import lines_of

Path: TypeAlias = str | os.PathLike[str]
Progress: TypeAlias = Callable[[int, int], None] | bool | None
PIECE = 540_000  # bytes of text at a time: a third as many take 1.2 times as long, twice as many 0.9 times and 7 MB more
PLAIN = 6  # so many times smaller are the pieces of plain Python, whose words then stay in the cache: 0.8 times as long
LONGEST = 2**24  # bytes in a line


def wrong(source: str, number: int, line: bytes, expected: str) -> NoReturn:
    """Refuse a line, of which the message shows the beginning."""
    line = line.rstrip(b"\r\n")
    text: str | bytes
    try:
        text, shown = line.decode(), repr(line.decode()[:60])
    except UnicodeDecodeError:
        text, shown = line, repr(line[:60])[1:]
    more = f" and {len(text) - 60} characters more" if len(text) > 60 else ""
    refuse(f"{source}, line {number}", shown + more, expected)


@contextmanager
def opened(path: Path) -> Iterator[tuple[BinaryIO, Any]]:
    """The file, and its text, which a .gz or a .zst holds packed and a Parquet file in columns: known by the first bytes."""
    with open(path, "rb") as file:
        first = file.peek(4)[:4]
        if first[:2] == b"\x1f\x8b":
            yield file, gzip.GzipFile(fileobj=file)
        elif first == b"\x28\xb5\x2f\xfd":
            yield file, unpacked_zst(str(path), file)
        elif first == b"PAR1":
            with lines_of(str(path), file) as text:
                yield file, text
        else:
            yield file, file


def unpacked_zst(source: str, file: BinaryIO) -> BinaryIO:
    """The text of a .zst, which plain Python reads from 3.14 on."""
    if pa := arrow():
        return io.BufferedReader(pa.CompressedInputStream(pa.PythonFile(file), "zstd"))
    try:
        from compression import zstd
    except ImportError:
        refuse(source, "a .zst file", "one that is unpacked, or pyarrow: pip install pyarrow")
    return zstd.ZstdFile(file)


def texts(path: Path, progress: Progress = None) -> Iterator[tuple[int, bytes]]:
    """The text of a file in pieces of whole lines, each with the number of its first line."""
    report = reporter(path, progress)
    with opened(path) as (file, text):
        size = os.fstat(file.fileno()).st_size
        for numbered_piece in whole_lines(str(path), text):
            yield numbered_piece
            if report and file.seekable():
                report(file.tell(), size)


def whole_lines(source: str, text: IO[bytes]) -> Iterator[tuple[int, bytes]]:
    """The text in pieces of whole lines; LF, CR LF and CR end a line, and all become LF."""
    number, rest, more = 1, b"", True
    while more:
        try:
            block = text.read(max(PIECE if arrow() else PIECE // PLAIN, len(rest), 1))
        except (EOFError, OSError, zlib.error) as error:
            where = f"{source}, after line {number - 1}" if number > 1 else source
            refuse(where, f"the error {str(error)!r}", "a .gz or .zst file that can be unpacked to its end")
        more = bool(block)
        if b"\r" in block or rest.endswith(b"\r"):
            rest, block = b"", with_line_feeds(rest + block, ended=not more)
        stop = block.rfind(b"\n") + 1 if more else len(block)
        if stop or not more:
            piece, rest = b"".join((rest, memoryview(block)[:stop])), block[stop:]
        else:
            piece, rest = b"", rest + block
        if len(rest) >= LONGEST:
            wrong(source, number + piece.count(b"\n"), rest, "lines of at most 16 MB")
        if number == 1:
            piece = without_mark(source, piece)
        if piece:
            piece += b"\n" * (not piece.endswith(b"\n"))
            yield number, piece
            number += piece.count(b"\n")


def with_line_feeds(text: bytes, ended: bool) -> bytes:
    """The text with LF at the end of each line; a CR at the end waits for the LF that may follow."""
    waits = b"\r" * (text.endswith(b"\r") and not ended)
    return text[: len(text) - len(waits)].replace(b"\r\n", b"\n").replace(b"\r", b"\n") + waits


def without_mark(source: str, text: bytes) -> bytes:
    """The text without the mark EF BB BF that some editors put first."""
    if text.startswith((b"\xff\xfe", b"\xfe\xff")):
        refuse(f"{source}, line 1", "the byte-order mark of UTF-16", "UTF-8 or ASCII")
    return text.removeprefix(b"\xef\xbb\xbf")


def reporter(path: Path, progress: Progress) -> Callable[[int, int], None] | None:
    """What tells how far the reading is."""
    if callable(progress):
        return progress
    if not progress or not sys.stderr or not sys.stderr.isatty():
        return None

    def line(done: int, size: int) -> None:
        end = "\n" if done >= size else "\r"
        text = f"{visible(str(path))}: {done / max(size, 1):4.0%} of {size / 1e6:.0f} MB"
        print(text, end=end, file=sys.stderr, flush=True)

    return line


def is_pipe(path: Path) -> bool:
    """Whether a file can be read but once."""
    mode = os.stat(path).st_mode
    return not stat.S_ISREG(mode) and not stat.S_ISDIR(mode)
