"""Proofs: checks the proofs in book/proofs with Coq, and stores the goals that their pages show (`python -m tools.proofs`).

It needs `coqc`, `coqchk` and `coqtop` (on Debian the package coq). The book and the package never need them: pages are made from the
stored goals, and a checksum says whether these belong to the sources.
"""

import json
import re
import subprocess
import tempfile
from pathlib import Path

from book._sphinx.coq import FOLDER, checksum, plain

STORED = FOLDER / "goals.json"
NAME = "Book"  # of the library that the files make
# In the order in which they need each other
FILES = (
    "Ranking", "Sets", "Rankings", "Numbers", "AveragePrecision", "QuadraticForm", "RandomRanking", "APAtK", "Areas", "Gain", "Order", "Exchanges", "Means",
)  # fmt: skip
PART = re.compile(r"\(\*.*?\*\)|\.(?=\s|$)|\A\s*(?:[-+*]+|[{}])(?=\s)", re.DOTALL)  # a comment, the end of a sentence, or a bullet
MARK = re.compile(r"fun STEP\d+ : Prop => STEP\d+\s*: Prop -> Prop\s*")


def sentences(text):
    """The sentences of a Coq file, each with the blanks and comments before it; bullets and braces are sentences of their own."""
    start = at = 0
    while found := PART.search(text[start:], at - start) if at > start else PART.search(text[start:]):
        at = start + found.end()
        if not found[0].startswith("(*"):
            yield text[start:at]
            start = at
    if text[start:].strip():
        raise ValueError(f"after the last sentence stands {text[start:].strip()[:60]!r}")


def run(*command, **options):
    """All that a command prints; it stops with that if the command fails."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, **options)
    if done.returncode:
        raise SystemExit(f"{' '.join(command)} stopped:\n{done.stdout}")
    return done.stdout


def compiled(folder):
    """Compile all files in a folder, in which they are copied; the axioms that coqchk finds in them and in what they need.

    Coq's own library is not checked once more, but for one file whose sealed names would else be taken for axioms.
    """
    for name in FILES:
        (folder / f"{name}.v").write_bytes((FOLDER / f"{name}.v").read_bytes())
        run("coqc", "-q", "-Q", ".", NAME, f"{name}.v", cwd=folder)
    checked = [*(f"{NAME}.{name}" for name in FILES), "Coq.ssr.ssrunder"]
    said = run("coqchk", "-silent", "-o", "-Q", ".", NAME, *(word for each in checked for word in ("-norec", each)), cwd=folder)
    return re.search(r"\* Axioms:\s*(.*?)\s*\n *\n", said, re.DOTALL)[1]


def with_goals(name, folder):
    """The sentences of a file, each with what is left to prove after it: "" outside a proof."""
    parts = list(sentences((FOLDER / f"{name}.v").read_text(encoding="utf-8")))
    bare = [plain(part).replace("\n", " ") for part in parts]
    asked = "Set Printing Width 90.\n" + "".join(f"{part}\nCheck (fun STEP{n} : Prop => STEP{n}).\n" for n, part in enumerate(bare))
    said = MARK.split(run("coqtop", "-q", "-quiet", "-color", "off", "-w", "none", "-Q", ".", NAME, input=asked, cwd=folder))
    return [[part, shown(answer)] for part, answer in zip(parts, said, strict=False)]


def shown(answer):
    """The goals of an answer, without prompts: the first with what is known, of the others what is to prove."""
    answer = re.sub(r"(?m)^(?:[\w']+ < )+", "", answer)
    found = re.search(r"(?:^|\n)(\d+ goals?\b.*|No more goals.*|All the remaining goals.*)", answer, re.DOTALL)
    return re.sub(r"[ \t]+\n", "\n", found[1]).strip() if found else ""


def stored(files):
    """What is stored: the sentences of each file with the numbers of the lines that its goals have, and each line once."""
    lines = {}
    number = lambda line: lines.setdefault(line, len(lines))
    step = lambda part, goals: json.dumps([part, *map(number, goals.splitlines())], ensure_ascii=False)
    steps = {name: [step(*each) for each in parts] for name, parts in files.items()}
    return {"sources": checksum(FILES), "lines": [*lines], "files": steps}


def main():
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        axioms = compiled(folder)
        files = {name: with_goals(name, folder) for name in FILES}
    theorems = sum("Theorem " in part for parts in files.values() for part, _ in parts)
    print(f"{len(FILES)} files, {theorems} theorems. Axioms: {axioms}")
    if axioms != "<none>":
        raise SystemExit("A proof rests on an axiom.")
    STORED.write_text(json.dumps(stored(files), ensure_ascii=False, indent=0) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
