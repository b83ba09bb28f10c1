"""NumPy in the page: the wheels that Pyodide's own lock file names, fetched once by `make wheels`, checked, and served by the book itself.

The lock, in Pyodide's archive from npm, has the name and the SHA-256 of each wheel, but not where it lies: that address is given.
Without the wheels the book is built all the same, and cells that need NumPy say that they run elsewhere.
"""

import hashlib
from urllib.parse import urljoin
from urllib.request import urlopen

from .paths import BUILD

FOLDER = BUILD / ".pyodide" / "wheels"


def fetch(address, lock, folder=FOLDER):
    """Bring the wheel of NumPy that `lock` names from `address`; OSError if it does not come, or is not the one that is meant."""
    folder.mkdir(parents=True, exist_ok=True)
    for other in kept(folder).values():
        other.unlink()
    wheel = lock["packages"]["numpy"]
    place = urljoin(address.rstrip("/") + "/", wheel["file_name"])
    with urlopen(place) as response:
        content = response.read()
    digest = hashlib.sha256(content).hexdigest()
    if digest != wheel["sha256"]:
        raise OSError(f"{place} is not the wheel that Pyodide names: its SHA-256 is {digest}, not {wheel['sha256']}")
    (folder / wheel["file_name"]).write_bytes(content)
    print(f"{wheel['file_name']}, {len(content) / 1e6:.1f} MB")


def kept(folder=FOLDER):
    """The wheels that were fetched: library -> path."""
    return {path.name.partition("-")[0]: path for path in folder.glob("*.whl")}
