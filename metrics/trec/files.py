"""The text of a file, compressed or not, in pieces of whole lines."""

import io
import os
import re
import stat
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from typing import IO, Any, BinaryIO, NoReturn, TypeAlias, TypeVar

import numpy as np

from .._base.checks import refuse
from .._base.text import visible
from .documents import arrow

T = TypeVar("T")
Path: TypeAlias = str | os.PathLike[str]
Progress: TypeAlias = Callable[[int, int], None] | bool | None
PIECE = 540_000  # bytes of text at a time: a third as many take 1.2 times as long, twice as many 0.9 times and 7 MB more
PLAIN = 6  # so many times smaller are the pieces of plain Python, whose words then stay in the cache: 0.8 times as long
LONGEST = 2**24  # bytes in a line
CONTROL = re.compile(rb"[\0-\x08\x0e-\x1a\x1c-\x1f]")


def wrong(source: str, number: int, line: bytes, expected: str) -> NoReturn:
    """Refuse a line; the message shows how the line begins."""
    line = line.rstrip(b"\r\n")
    text: str | bytes
    try:
        text, shown = line.decode(), repr(line.decode()[:60])
    except UnicodeDecodeError:
        text, shown = line, "bytes that are not text" if CONTROL.search(line) else repr(line[:60])[1:]
    more = f" and {len(text) - 60} characters more" if len(text) > 60 else ""
    refuse(f"{source}, line {number}", shown + more, expected)


class Streams(io.RawIOBase):
    """A reader of the compressed streams in a file; unlike the files of `bz2` and `lzma`, it refuses bytes after a stream, zeros aside, that begin no other."""

    def __init__(self, file: BinaryIO, stream: Callable[[], Any]) -> None:
        self.file, self.stream, self.now, self.rest = file, stream, stream(), b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while True:
            if self.now.eof:
                self.rest = self.now.unused_data.lstrip(b"\0") or self.file.read(PIECE).lstrip(b"\0")  # .xz may be padded
                if not self.rest:
                    return 0
                self.now = self.stream()
            elif self.now.needs_input and not self.rest:
                self.rest = self.file.read(PIECE)
                if not self.rest:
                    raise EOFError("Compressed file ended before the end-of-stream marker was reached")
            some = self.now.decompress(self.rest, len(buffer))
            self.rest = b""
            if some:
                buffer[: len(some)] = some
                return len(some)


def unpacked(module: str, source: str, file: BinaryIO) -> Any:
    """The decompressed content of a file; .lz4 needs pyarrow, and .zst needs pyarrow or Python 3.14."""
    if module == "gzip":
        return import_module(module).open(file)
    if module in ("bz2", "lzma"):
        return Streams(file, getattr(import_module(module), f"{module.upper()}Decompressor"))
    if pa := arrow():
        return pa.CompressedInputStream(pa.PythonFile(file), module)
    try:
        return import_module(f"compression.{module}").open(file)
    except ImportError:
        refuse(source, f"a .{module[:3]} file", "an uncompressed file, or pyarrow: pip install pyarrow")


PACKED = {  # how a packed file begins -> the module that unpacks it
    rb"\x1f\x8b": "gzip", rb"BZh[1-9](1AY&SY|\x17rE8P\x90)": "bz2", rb"\xfd7zXZ\0": "lzma", rb"\x28\xb5\x2f\xfd": "zstd", rb"\x04\x22\x4d\x18": "lz4",
}  # fmt: skip
FOREIGN = {  # how a file begins that cannot be read -> what it is
    rb"PK\x03\x04": "a .zip file or a spreadsheet", rb"7z\xbc\xaf": "a .7z file", rb"Rar!\x1a": "a .rar file", rb"\x1f\x9d": "a .Z file",
    rb"ARROW1\0": "a Feather file", rb"\x89HDF": "an HDF5 file", rb"\x93NUMPY": "a NumPy array", rb"SQLite for": "an SQLite database",
    rb"%PDF-": "a PDF", rb"\x80[\x02-\x05]": "a pickle",
}  # fmt: skip
PARQUET = re.compile(rb"PAR1(?![ -~\t])")  # no topic of this name
JSON = re.compile(rb'(\xef\xbb\xbf)?\s*(\{\s*("|\}|\Z)|\[\s*([\{\[]|\]|\Z))')
READ = "text or Parquet, uncompressed or compressed as .gz, .bz2, .xz, .zst or .lz4"


@contextmanager
def opened(path: Path) -> Iterator[tuple[BinaryIO, Any]]:
    """The file and its decompressed content; the first bytes tell what kind of file it is."""
    with open(path, "rb") as file:
        content: Any = file
        while module := begins(str(path), content, PACKED):
            content = io.BufferedReader(unpacked(module, str(path), content))
        if foreign := begins(str(path), content, FOREIGN):
            refuse(str(path), foreign, READ)
        yield file, content


def begins(source: str, content: Any, known: Mapping[Any, T]) -> T | None:
    """The entry of `known` that fits the first bytes of the content, or None; these bytes remain to be read."""
    with unpacking(source):
        first = content.peek(10)
    return next((its for start, its in known.items() if re.match(start, first)), None)


@contextmanager
def unpacking(where: str) -> Iterator[None]:
    """Report where a compressed file is broken, whatever error the module that unpacks it raises."""
    try:
        yield
    except Exception as error:
        refuse(where, f"the error {str(error)!r}", "a file that can be decompressed to its end")


def texts(path: Path, progress: Progress = None) -> Iterator[tuple[int, bytes]]:
    """The text of a file in pieces of whole lines, each piece with the number of its first line."""
    report = reporter(path, progress)
    with opened(path) as (file, content):
        size = os.fstat(file.fileno()).st_size
        for numbered_piece in pieces_of(str(path), content):
            yield numbered_piece
            if report and file.seekable():
                report(file.tell(), size)


def numbered_lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """The lines of a text file, each with its number, even if the file begins like JSON or Parquet."""
    with opened(path) as (_, content):
        for first, text in whole_lines(str(path), content):
            yield from enumerate(text.split(b"\n")[:-1], first)


def pieces_of(source: str, content: IO[bytes]) -> Iterator[tuple[int, bytes]]:
    """Pieces of whole lines, each with the number of its first line; a Parquet or JSON file forms one piece."""
    if begins(source, content, {PARQUET: True, JSON: True}):
        with unpacking(source):
            whole = content.read()
        yield 1, without_mark(source, whole)
    else:
        yield from whole_lines(source, content)


def whole_lines(source: str, text: IO[bytes]) -> Iterator[tuple[int, bytes]]:
    """The text in pieces of whole lines; LF, CR LF and CR each end a line, and each becomes LF."""
    number, rest, more = 1, b"", True
    while more:
        with unpacking(f"{source}, after line {number - 1}" if number > 1 else source):
            block = text.read(max(PIECE if arrow() else PIECE // PLAIN, len(rest), 1))
        more = bool(block)
        if b"\r" in block or rest.endswith(b"\r"):
            rest, block = b"", rest + block
            waits = b"\r" * (more and block.endswith(b"\r"))  # for the LF that may follow
            block = block.removesuffix(waits).replace(b"\r\n", b"\n").replace(b"\r", b"\n") + waits
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
            number += int(np.count_nonzero(np.frombuffer(piece, dtype=np.uint8) == ord("\n")))  # five times as fast as bytes.count


def without_mark(source: str, text: bytes) -> bytes:
    """The text without the byte-order mark EF BB BF that some editors put at the beginning."""
    if text.startswith((b"\xff\xfe", b"\xfe\xff")):
        refuse(f"{source}, line 1", "the byte-order mark of UTF-16", "UTF-8 or ASCII")
    return text.removeprefix(b"\xef\xbb\xbf")


def reporter(path: Path, progress: Progress) -> Callable[[int, int], None] | None:
    """The function that reports the progress of reading, or None."""
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
    """Whether a file can be read only once."""
    mode = os.stat(path).st_mode
    return not stat.S_ISREG(mode) and not stat.S_ISDIR(mode)
