"""Where the book lives: the addresses of its site and of its repository go into _config.yml, and the site's into the first cell of each notebook.

    make address SITE=https://you.github.io/ranking-book REPOSITORY=https://github.com/you/ranking-book
"""

import json
import re
import sys
from urllib.parse import urlsplit

from book._sphinx.sources import ROOT
from tools import store

LINES = {"site": r'^(  baseurl: )".*"$', "repository": r'^(  url: )".*"$'}


def write(site, repository):
    """Write the two addresses into their files, without running anything; a wrong address raises a ValueError that names it."""
    given = {"site": site.rstrip("/"), "repository": repository.rstrip("/").removesuffix(".git")}
    for name, address in given.items():
        parts = urlsplit(address)
        if address and not (parts.scheme in ("http", "https") and parts.netloc and not re.search(r'["\\\s]', address)):
            raise ValueError(f"{name.upper()}: got {address}, expected an address such as https://you.github.io/ranking-book")
    config = ROOT / "_config.yml"
    text = config.read_text(encoding="utf-8")
    for name, address in given.items():
        text, count = re.subn(LINES[name], rf'\g<1>"{address}"', text, flags=re.MULTILINE)
        if count != 1:
            raise ValueError(f"_config.yml: got {count} lines for the address of the {name}, expected one")
    config.write_text(text, encoding="utf-8")
    for path in sorted((ROOT / "book").glob("*.ipynb")):
        path.write_text(store.as_canonical_text(store.prepared(json.loads(path.read_text(encoding="utf-8")))), encoding="utf-8")


if __name__ == "__main__":
    try:
        write(*sys.argv[1:])
    except ValueError as error:
        sys.exit(f"Nothing was written: {error}")
    print(*(f"{name}: {address or 'none, as none was given'}" for name, address in zip(LINES, sys.argv[1:])), sep="\n")
