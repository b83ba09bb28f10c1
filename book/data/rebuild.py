"""Make the data file of the book, byte for byte, from `iset.mm` of Debian's package metamath-databases.

Usage: python book/data/rebuild.py /usr/share/metamath/databases/iset.mm [OUTPUT]

OUTPUT is the file to write, by default iset-1001.txt.gz beside this script. A file that already
holds the right text stays as it is. Another version of iset.mm gives another text: then nothing
is written, and the checksum found is printed.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # the folder book/, for `data`

from data.artefact import DataError, checksum, pack, read_text, to_text
from data.iset_1001 import ARTEFACT, SHA256
from data.metamath import MetamathError, read_statements


def main(arguments):
    if len(arguments) not in (1, 2):
        sys.exit(__doc__)
    source, output = arguments[0], Path(arguments[1] if len(arguments) == 2 else ARTEFACT)
    try:
        text = to_text(read_statements(source))
    except (MetamathError, OSError) as error:
        sys.exit(f"rebuild: {error}")
    if checksum(text) != SHA256:
        sys.exit(f"rebuild: {source} gives another text: expected SHA-256 {SHA256}, found {checksum(text)}")
    try:
        unchanged = read_text(output) == text
    except DataError:  # missing or damaged: what this script is for
        unchanged = False
    if not unchanged:
        output.write_bytes(pack(text))
    print(f"{output}: {'already right' if unchanged else 'written'}, {output.stat().st_size} bytes, SHA-256 of the text {SHA256}")


if __name__ == "__main__":
    main(sys.argv[1:])
