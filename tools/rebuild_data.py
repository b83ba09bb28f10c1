"""Make the data file of the book, byte for byte, from `iset.mm` of Debian's package metamath-databases:

    python -m tools.rebuild_data /usr/share/metamath/databases/iset.mm

A file that already holds the right text stays as it is. Another version of iset.mm gives another text:
then nothing is written, and the checksum found is printed.
"""

import argparse
import gzip
import sys
from pathlib import Path

from metrics.library.data_file import TITLE, DataError, checksum, read_text
from metrics.library.iset_1001 import ARTEFACT, SHA256
from tools.metamath import MetamathError, read_statements


def to_text(statements):
    """The text of the data file for a list of `Statement`."""
    lines = [TITLE.format(len(statements))]
    section = None
    for s in statements:
        if s.section != section:
            section = s.section
            lines.append(f"section {section}")
        lines.append(f"{s.kind} {s.label}")
        lines += [f"if {hypothesis}" for hypothesis in s.hypotheses]
        lines.append(f"then {s.statement}")
        if s.premises:
            lines.append("by " + " ".join(s.premises))
    return "\n".join(lines) + "\n"


def pack(text):
    """The text as gzip bytes that carry neither a time nor a name."""
    return gzip.compress(text.encode("ascii"), compresslevel=9, mtime=0)


def write_if_right(about, text_of, sha256, artefact, arguments=None):
    """Read the typed arguments, a database and perhaps another file to write; write the text that `text_of` makes of it if it is the book's."""
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("database")
    parser.add_argument("output", nargs="?", type=Path, default=artefact, help="the file to write (default: %(default)s)")
    given = parser.parse_args(arguments)
    try:
        text = text_of(given.database)
    except (MetamathError, OSError) as error:
        sys.exit(str(error))
    if checksum(text) != sha256:
        sys.exit(f"{given.database} gives another text: expected SHA-256 {sha256}, found {checksum(text)}")
    try:
        unchanged = read_text(given.output) == text
    except DataError:  # missing or damaged: what these programs are for
        unchanged = False
    if not unchanged:
        given.output.write_bytes(pack(text))
    print(f"{given.output}: {'already right' if unchanged else 'written'}, SHA-256 of the text {sha256}")


if __name__ == "__main__":
    write_if_right(__doc__, lambda path: to_text(read_statements(path)), SHA256, ARTEFACT)
