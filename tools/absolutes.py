"""Sentences of the book that say never, always or all, each looked at once. Run: make absolutes

What no machine checks is where a book is wrong, and most often in a word that allows no exception. `absolutes.txt` holds every
sentence with such a word, outside numbered statements and their proofs, with the verdict of who tried to refute it:

    true       tried with code, or follows from a definition or a numbered claim
    data       a number or an order in the stored data, which a cell prints or asserts
    cited      what a source, or the documentation of a library, says
    advice     a rule, a plan or a definition: nothing that could be false
    idiom      the word is no claim ("at all", "all in all", "first of all")

A sentence that is not there, or that has been changed, is printed, and the tests fail until somebody has tried to refute it.
"""

import re
import sys
from pathlib import Path

from book._sphinx.sources import ROOT, STATEMENTS, directives, prose

KEPT = Path(__file__).with_suffix(".txt")
VERDICTS = ("true", "data", "cited", "advice", "idiom")
WORDS = re.compile(r"\b(never|always|only|all|none|every|largest|smallest|nothing)\b", re.IGNORECASE)
LEFT_OUT = (*STATEMENTS, "prf:proof", "code-block", "figure", "bibliography", "toctree")
END = re.compile(r"(?<=[.?!…:;])[”\"’')\]*]*\s+(?=[“\"‘'(\[*`$]*[A-Z0-9])|\n\s*\n|\n(?=\s*(?:[-*|]|\d+\.)\s)")


def pages():
    """The pages with prose, and the README."""
    yield ROOT / "README.md"
    yield from sorted([*(ROOT / "book").glob("*.ipynb"), *(ROOT / "book").glob("*.md")])


def without_statements(text):
    """The Markdown without numbered statements, proofs, code and options."""
    lines = text.splitlines()
    for each in directives(text):
        if each.name.removeprefix("prf:") in STATEMENTS or each.name in LEFT_OUT:
            fence = re.match(r"\s*([:`]+)", lines[each.line] or ":::")
            fence = fence[1] if fence else ":::"
            end = next((n for n in range(each.line + 1, len(lines)) if lines[n].strip() == fence), len(lines) - 1)
            lines[each.line : end + 1] = [""] * (end + 1 - each.line)
    text = "\n".join(lines)
    text = re.sub(r"(?ms)^\s*```.*?^\s*```\s*$", "", text)
    return re.sub(r"(?m)^\s*(?::[\w-]+:.*|:{3,}.*|\(.*\)=|%.*)$", "", text)


def sentences(text):
    """The sentences with a word that allows no exception, each on one line."""
    for sentence in END.split(without_statements(text)):
        sentence = " ".join(sentence.split())
        if WORDS.search(re.sub(r"`[^`]*`|\$[^$]*\$", "", sentence)):
            yield sentence


def found():
    """Page -> its sentences, each once."""
    return {page.name: list(dict.fromkeys(sentences(prose(page)))) for page in pages()}


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


def new():
    """Page -> the sentences without a verdict."""
    known = kept()
    missing = {page: [one for one in its if known.get(page, {}).get(one) not in VERDICTS] for page, its in found().items()}
    return {page: its for page, its in missing.items() if its}


def main():
    for page, its in new().items():
        print(f"# {page}")
        print(*(f"? | {sentence}" for sentence in its), sep="\n")
    return bool(new())


if __name__ == "__main__":
    sys.exit(main())
