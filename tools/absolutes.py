"""Sentences of the book that say never, always or all, each looked at once. Run: .venv/bin/python -m tools.absolutes

What no machine checks is where a book is wrong, and most often in a word that allows no exception. `absolutes.txt` holds every
sentence with such a word, outside numbered statements and their proofs, with the verdict of who tried to refute it:

    true       tried with code, or follows from a definition or a numbered claim
    data       a number or an order in the stored data, which a cell prints or asserts
    cited      what a source, or the documentation of a library, says
    advice     a rule, a plan or a definition: nothing that could be false
    idiom      the word is no claim ("at all", "all in all", "first of all")

Running this writes the list anew: verdicts stay with their sentences, those of sentences that are gone go, and new or changed ones get
the verdict ?. The tests fail until somebody has tried to refute them, and has written another verdict in its place.
"""

import re
import sys
from pathlib import Path

from book._sphinx.sources import ROOT, STATEMENTS, prose

KEPT = Path(__file__).with_suffix(".txt")
VERDICTS = ("true", "data", "cited", "advice", "idiom")
WORDS = re.compile(r"\b(never|always|only|all|none|every|largest|smallest|nothing)\b", re.IGNORECASE)
LEFT_OUT = "|".join([*(f"prf:{kind}" for kind in (*STATEMENTS, "proof")), "code-block", "figure", "bibliography", "toctree"])
NOT_SENTENCES = [
    rf"(?ms)^\s*(:{{3,}}|`{{3,}})\{{({LEFT_OUT})\}}.*?^\s*\1\s*$",
    r"(?ms)^\s*```.*?^\s*```\s*$",  # code
    r"(?m)^\s*(?::[\w-]+:.*|:{3,}.*|\(.*\)=|%.*)$",  # options, fences, labels and comments
]
END = re.compile(r"(?<=[.?!…:;])[”\"’')\]*]*\s+(?=[“\"‘'(\[*`$]*[A-Z0-9])|\n\s*\n|\n(?=\s*(?:[-*|]|\d+\.)\s)")


def sentences(text):
    """The sentences with a word that allows no exception, each on one line."""
    for pattern in NOT_SENTENCES:
        text = re.sub(pattern, "\n\n", text)
    for sentence in END.split(text):
        sentence = " ".join(sentence.split())
        if WORDS.search(re.sub(r"`[^`]*`|\$[^$]*\$", "", sentence)):
            yield sentence


def kept():
    """Page -> sentence -> verdict, as they are stored."""
    verdicts, page = {}, None
    for line in KEPT.read_text(encoding="utf-8").splitlines():
        if line.startswith("# "):
            page = verdicts.setdefault(line[2:], {})
        elif line:
            verdict, _, sentence = line.partition(" | ")
            page[sentence] = verdict
    return verdicts


def up_to_date():
    """Page -> sentence -> verdict, of the sentences that the pages have now; ? for a new one."""
    known, pages = kept(), [ROOT / "README.md", *sorted([*(ROOT / "book").glob("*.ipynb"), *(ROOT / "book").glob("*.md")])]
    now = {page.name: {one: known.get(page.name, {}).get(one, "?") for one in sentences(prose(page))} for page in pages}
    return {page: its for page, its in now.items() if its}


def main():
    verdicts = up_to_date()
    blocks = ("\n".join([f"# {page}", *(f"{verdict} | {one}" for one, verdict in its.items())]) for page, its in verdicts.items())
    KEPT.write_text("\n\n".join(blocks) + "\n", encoding="utf-8")
    new = [f"{page}: {one}" for page, its in verdicts.items() for one, verdict in its.items() if verdict not in VERDICTS]
    print(*new, f"{len(new)} sentences in {KEPT.name} need a verdict.", sep="\n")
    return bool(new)


if __name__ == "__main__":
    sys.exit(main())
