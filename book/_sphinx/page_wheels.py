"""NumPy and its like in the page: the wheels that Pyodide's own lock file names, by their SHA-256.

The lock, in Pyodide's archive from npm, has the name and the hash of each wheel, but not where it lies. Those that `make wheels` has
fetched are served by the book itself; the others a page offers to fetch, when its reader agrees, from the address that
`page_python_offer` in _config.yml gives. In the lock of the site each file has its place, and the browser refuses one with another hash.
"""

import hashlib
import json
from pathlib import Path
from urllib.error import URLError
from urllib.parse import urljoin, urlsplit
from urllib.request import urlopen

from .paths import BUILD

FOLDER = BUILD / ".pyodide" / "wheels"
PACKAGES = {"numpy": "numpy", "scipy": "scipy", "matplotlib": "matplotlib", "sklearn": "scikit-learn"}  # library -> what it is called in the lock


def closure(lock, names=tuple(PACKAGES.values())):
    """Of these packages, and all that they need, those that a lock names."""
    found, waiting = {}, [*names]
    while waiting:
        name = waiting.pop()
        if name not in found and name in lock["packages"]:
            found[name] = lock["packages"][name]
            waiting += found[name]["depends"]
    return found


def fetch(address, lock, folder=FOLDER):
    """Bring NumPy, and what else of its like lies there, from `address`; OSError if NumPy does not come, or a file is not the one that is meant."""
    folder.mkdir(parents=True, exist_ok=True)
    for other in folder.glob("*.whl"):
        other.unlink()
    for name, wheel in closure(lock).items():
        place = urljoin(address.rstrip("/") + "/", wheel["file_name"])
        try:
            with urlopen(place) as response:
                content = response.read()
        except URLError:
            if name == "numpy":
                raise
            print(f"{wheel['file_name']} is not there, so pages offer to fetch it, or do without")
            continue
        digest = hashlib.sha256(content).hexdigest()
        if digest != wheel["sha256"]:
            raise OSError(f"{place} is not the wheel that Pyodide names: its SHA-256 is {digest}, not {wheel['sha256']}")
        (folder / wheel["file_name"]).write_bytes(content)
        print(f"{wheel['file_name']}, {len(content) / 1e6:.1f} MB")


def placed(python, config):
    """The lock of the site, each file beside it or at the address of the offer; and the wheels that lie beside it."""
    folder = Path(config.page_python_wheels or FOLDER)
    own = folder / "pyodide-lock.json"  # in the place of Pyodide's, for who has wheels of their own
    lock = json.loads((own if own.exists() else python / "pyodide-lock.json").read_text(encoding="utf-8"))
    offer, packages, beside = config.page_python_offer.format(**lock["info"]), {}, []
    for name, package in closure(lock).items():
        if (folder / package["file_name"]).exists():
            packages[name] = package
            beside.append(folder / package["file_name"])
        elif offer:
            packages[name] = package | {"file_name": urljoin(offer, package["file_name"])}
    return lock | {"packages": packages}, beside


def libraries(python, config):
    """What pages can load beside SymPy: library -> its packages, the host that is asked for one of them (or ""), and a mark, another for another version."""
    if config.page_python_distribution:
        return {library: {"packages": [name], "host": ""} for library, name in PACKAGES.items()}
    packages, found = placed(python, config)[0]["packages"], {}
    for library, name in PACKAGES.items():
        needed = closure({"packages": packages}, [name])
        if needed and all(other in packages for package in needed.values() for other in package["depends"]):
            hosts = {urlsplit(package["file_name"]).netloc for package in needed.values()} - {""}
            found[library] = {"packages": [*needed], "host": "".join(hosts), "mark": needed[name]["sha256"][:16]}
    return found
