"""Make the data file of the book, byte for byte, from `iset.mm` of Debian's package metamath-databases.

Usage: python -m tools.rebuild_data /usr/share/metamath/databases/iset.mm [OUTPUT]

OUTPUT is the file to write, by default book/data/iset-1001.txt.gz. A file that already
holds the right text stays as it is. Another version of iset.mm gives another text: then nothing
is written, and the checksum found is printed.
"""

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


def write_if_right(program, source, text, sha256, output):
    """Write the text that a source gave, or stop if it is another than the book's; a file that already holds it stays as it is."""
    if checksum(text) != sha256:
        sys.exit(f"{program}: {source} gives another text: expected SHA-256 {sha256}, found {checksum(text)}")
    try:
        unchanged = read_text(output) == text
    except DataError:  # missing or damaged: what these scripts are for
        unchanged = False
    if not unchanged:
        output.write_bytes(pack(text))
    print(f"{output}: {'already right' if unchanged else 'written'}, {output.stat().st_size} bytes, SHA-256 of the text {sha256}")


def main(arguments):
    if len(arguments) not in (1, 2):
        sys.exit(__doc__)
    source, output = arguments[0], Path(arguments[1] if len(arguments) == 2 else ARTEFACT)
    try:
        text = to_text(read_statements(source))
    except (MetamathError, OSError) as error:
        sys.exit(f"rebuild: {error}")
    write_if_right("rebuild", source, text, SHA256, output)


if __name__ == "__main__":
    main(sys.argv[1:])
