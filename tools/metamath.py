"""Read the statements of a Metamath database, and which statements each proof cites.

A Metamath file is a list of words. This reader keeps what says "it is provable that" (the words
after `|-`) and leaves out the rest: variables, grammar, and the proofs themselves, of which it
keeps the statements they cite. It does not check proofs; the program `metamath` does that. Nor does it check
the file: the programs that use it know the checksum of what is to come out.
The language: N. Megill and D. A. Wheeler, Metamath (2019), chapter 4.
"""

import re
from itertools import takewhile
from pathlib import Path

from metrics.library.data_file import Statement


class MetamathError(ValueError):
    """The error for a file that is not in the language of Metamath."""


WORD = re.compile(r"\$\((?=\s).*?(?<=\s)\$\)(?!\S)|\S+", re.DOTALL)  # a comment is one word here
LEVELS = ("####", "#*#*", "=-=-", "-.-.")  # the rule above and below a heading tells its depth
HEADING = re.compile(r"\$\(\s*\n(####|#\*#\*|=-=-|-\.-\.)[^\n]*\n(.*?)\n\1", re.DOTALL)


def words_of(text, headings):
    """The words of a file without its comments; `headings` becomes the path of headings at each word, depth -> title."""
    for match in WORD.finditer(text):
        if not match[0].startswith("$("):
            yield match[0]
        elif heading := HEADING.match(match[0]):
            depth = LEVELS.index(heading[1])
            for below in [level for level in headings if level > depth]:
                del headings[below]
            headings[depth] = " ".join(heading[2].split())


def until(end, words):
    """The words up to the keyword `end`, which is read, too."""
    return list(takewhile(lambda word: word != end, words))


def read_statements(path):
    """The provable statements of the Metamath file at `path`, a list of `Statement` in file order.

    A definition is an axiom whose label begins with `df-`.
    """
    statements, headings = [], {}
    typecodes = {}  # label -> first symbol of an axiom or theorem, None for a hypothesis
    blocks = [[]]  # the hypotheses of each block that is open
    words = words_of(Path(path).read_text(encoding="ascii", errors="replace"), headings)
    for word in words:
        if word in ("$c", "$v", "$d"):
            until("$.", words)
        elif word == "${":
            blocks.append([])
        elif word == "$}":
            blocks.pop()
        else:
            keyword = next(words, "the end of the file")
            if keyword not in ("$f", "$e", "$a", "$p"):
                raise MetamathError(f"{path}: got {keyword!r} after {word!r}, expected one of $f $e $a $p")
            typecode, *symbols = until("$=" if keyword == "$p" else "$.", words)
            premises = cited(until("$.", words), typecodes) if keyword == "$p" else ()
            typecodes[word] = typecode if keyword in ("$a", "$p") else None
            if typecode == "|-" and keyword == "$e":
                blocks[-1].append(" ".join(symbols))
            elif typecode == "|-":
                kind = "theorem" if keyword == "$p" else "definition" if word.startswith("df-") else "axiom"
                section = " > ".join(headings[depth] for depth in sorted(headings))
                statements.append(Statement(word, kind, section, tuple(sum(blocks, [])), " ".join(symbols), premises))
    return statements


def cited(proof, typecodes):
    """The distinct provable statements that a proof cites."""
    labels = proof[1 : proof.index(")")] if proof[0] == "(" else proof  # compressed: ( the labels it uses ) then letters
    return tuple(label for label in dict.fromkeys(labels) if typecodes[label] == "|-")
