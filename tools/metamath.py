"""Read the statements of a Metamath database, and which statements each proof cites.

A Metamath file is a list of words. This reader keeps what says "it is provable that" (the words
after `|-`) and leaves out the rest: variables, grammar, and the proofs themselves, of which it
keeps the statements they cite. It does not check proofs; the program `metamath` does that.
The language: N. Megill and D. A. Wheeler, Metamath (2019), chapter 4.
"""

import re

from metrics.library.data_file import Statement


class MetamathError(ValueError):
    """A Metamath file is malformed; the message names the file, the line and the text."""


# A comment is one word here; an opening that is never closed stays a lone "$(".
WORD = re.compile(r"\$\((?=\s).*?(?<=\s)\$\)(?!\S)|\S+", re.DOTALL)
LEVELS = ("####", "#*#*", "=-=-", "-.-.")  # the rule above and below a heading tells its depth
HEADING = re.compile(r"\$\(\s*\n(####|#\*#\*|=-=-|-\.-\.)[^\n]*\n(.*?)\n\1", re.DOTALL)
LABELLED = ("$f", "$e", "$a", "$p")


class Words:
    """The words of a file without its comments; `section` is the path of headings read so far."""

    def __init__(self, path):
        self.path = path
        with open(path, "rb") as file:
            # Metamath is ASCII; what is not becomes a mark, which is an error outside a comment.
            self.text = file.read().decode("ascii", errors="replace")
        self.matches = WORD.finditer(self.text)
        self.offset = 0
        self.headings = {}

    @property
    def section(self):
        return " > ".join(self.headings[level] for level in sorted(self.headings))

    def fail(self, problem):
        line = self.text.count("\n", 0, self.offset) + 1
        raise MetamathError(f"{self.path}, line {line}: {problem}")

    def __iter__(self):
        return self

    def __next__(self):
        for match in self.matches:
            self.offset = match.start()
            word = match[0]
            if word.startswith("$("):
                self.read_comment(word)
            elif "\N{REPLACEMENT CHARACTER}" in word:
                self.fail(f"{word!r} is not ASCII")
            else:
                return word
        raise StopIteration

    def read_comment(self, comment):
        if not comment.endswith("$)") or "$(" in comment[2:].split():
            start = self.text[self.offset : self.offset + 40].split("\n")[0]
            self.fail(f"comment is not closed: {start!r}")
        heading = HEADING.match(comment)
        if heading:
            level = LEVELS.index(heading[1])
            self.headings = {above: title for above, title in self.headings.items() if above < level}
            self.headings[level] = " ".join(heading[2].split())

    def until(self, end, owner):
        """The words up to the keyword `end`, which must be the next keyword."""
        found = []
        for word in self:
            if word == end:
                return found
            if word.startswith("$"):
                self.fail(f"{owner}: expected {end!r}, found {word!r}")
            found.append(word)
        self.fail(f"{owner}: the file ends before {end!r}")


def read_statements(path):
    """The provable statements of the Metamath file at `path`, a list of `Statement` in file order.

    A definition is an axiom whose label begins with `df-`. Malformed input raises MetamathError.
    """
    words = Words(path)
    statements = []
    symbols = set()  # declared so far
    typecodes = {}  # label -> first symbol of an axiom or theorem, None for a hypothesis
    blocks = [[]]  # the hypotheses of each block that is open

    for word in words:
        if word in ("$c", "$v"):
            symbols.update(words.until("$.", word))
        elif word == "$d":
            words.until("$.", word)
        elif word == "${":
            blocks.append([])
        elif word == "$}":
            blocks.pop()
            if not blocks:
                words.fail("'$}' closes no block")
        elif word in LABELLED:
            words.fail(f"label missing before {word!r}")
        elif not re.fullmatch(r"[A-Za-z0-9._-]+", word):
            words.fail(f"unknown word {word!r}")
        else:
            if word in typecodes:
                words.fail(f"label {word!r} is used twice")
            keyword = next(words, "the end of the file")
            if keyword not in LABELLED:
                words.fail(f"label {word!r} is followed by {keyword!r}, not by one of {' '.join(LABELLED)}")
            expression = words.until("$=" if keyword == "$p" else "$.", word)
            undeclared = [symbol for symbol in expression if symbol not in symbols]
            if undeclared or not expression:
                words.fail(f"{word}: " + (f"unknown symbol {undeclared[0]!r}" if undeclared else "empty statement"))
            premises = cited(words, word, typecodes) if keyword == "$p" else ()
            typecode, text = expression[0], " ".join(expression[1:])
            typecodes[word] = typecode if keyword in ("$a", "$p") else None
            if typecode == "|-" and keyword == "$e":
                blocks[-1].append(text)
            elif typecode == "|-" and keyword in ("$a", "$p"):
                kind = "theorem" if keyword == "$p" else "definition" if word.startswith("df-") else "axiom"
                hypotheses = tuple(hypothesis for block in blocks for hypothesis in block)
                statements.append(Statement(word, kind, words.section, hypotheses, text, premises))
    if len(blocks) > 1:
        words.fail("the file ends before '$}'")
    return statements


def cited(words, label, typecodes):
    """The distinct provable statements that the proof of `label`, which comes next, cites."""
    proof = words.until("$.", label)
    names = proof
    if proof and proof[0] == "(":  # compressed: ( the labels it uses ) then letters
        if ")" not in proof:
            words.fail(f"{label}: the list of labels in the proof is not closed by ')'")
        names = proof[1 : proof.index(")")]
    if not proof or any("?" in step for step in proof):
        words.fail(f"{label}: the proof is unfinished")
    for name in names:
        if name not in typecodes:
            words.fail(f"{label}: the proof cites {name!r}, which is not stated before it")
    return tuple(name for name in dict.fromkeys(names) if typecodes[name] == "|-")
