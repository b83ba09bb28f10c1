"""Coq: the theorems of book/proofs, the pages on which each step of a proof opens what is left to prove, and what the chapters say of them.

`tools/proofs.py` stores the goals; nothing here needs Coq. A heading of a file names the claim, `(** * The gain of a swap (A11) *)`, and
after it says what it leaves out, `(A10, in part: ...)`; the theorems below it are those of the claim.
"""

import hashlib
import json
import re
from functools import cache
from html import escape
from pathlib import Path
from typing import NamedTuple

from sphinx.util.docutils import SphinxDirective

from .html_boxes import raw
from .pages import later

FOLDER = Path(__file__).resolve().parent.parent / "proofs"
HEADING = re.compile(r"\(\*\* \* (?P<title>.*?) \((?P<label>[A-Z]\d+)(?:, in part: (?P<without>.*?))?\)(?P<more>.*?)\*\)", re.DOTALL)
STATED = re.compile(r"\s*(?P<kind>Theorem|Lemma) (?P<name>\w+)")


class Theorem(NamedTuple):
    """A theorem in Coq: its file, the title of its claim there, its name, its statement, and what it leaves out of the book's."""

    file: str
    title: str
    name: str
    statement: str
    without: str

    @property
    def address(self):
        return f"proofs/{self.file}.html#{self.name}"


def checksum(names):
    """The checksum of the files of these names, in their order."""
    return hashlib.sha256(b"".join((FOLDER / f"{name}.v").read_bytes() for name in names)).hexdigest()


@cache
def stored():
    """The files: name -> steps, each a sentence with what is left to prove after it, "" outside a proof."""
    kept = json.loads((FOLDER / "goals.json").read_text(encoding="utf-8"))
    files = {name: [json.loads(step) for step in steps] for name, steps in kept["files"].items()}
    if kept["sources"] != checksum(files):
        raise ValueError("book/proofs/goals.json does not belong to the files beside it: run `python -m tools.proofs` where Coq is")
    return {name: [(part, "\n".join(kept["lines"][number] for number in numbers)) for part, *numbers in steps] for name, steps in files.items()}


@cache
def theorems():
    """Label of a claim -> its theorems."""
    found = {}
    for file, steps in stored().items():
        heading = None
        for part, _ in steps:
            if "(** * " in part:
                heading = HEADING.search(part)
            stated = STATED.match(plain(part))
            if heading and stated and stated["kind"] == "Theorem":
                words = " ".join((heading["without"] or "").split())
                found.setdefault(heading["label"], []).append(Theorem(file, heading["title"], stated["name"], plain(part), words))
    return found


def plain(part):
    """A sentence without the comments before it."""
    return re.sub(r"\(\*.*?\*\)", "", part, flags=re.DOTALL).strip()


def claim_words(label):
    """What is said of a claim that is proved in Coq, or nothing."""
    return "" if label not in theorems() else "in part for all n in Coq" if theorems()[label][0].without else "for all n in Coq"


def in_coq(label, root):
    """The boxes that the check of a claim adds: each theorem as Coq has it, and the link to its proof."""
    for place, theorem in enumerate(theorems().get(label, ())):
        without = f", {theorem.without}" if theorem.without else ""
        words = "And: " if place else f"In Coq, for every length{escape(without)}: "
        link = f'<a href="{root}{theorem.address}">the proof of <code>{theorem.name}</code>, step by step</a>'
        yield raw(f'<p class="check-detail">{words}{link}</p><pre class="coq" tabindex="0">{escape(theorem.statement)}</pre>')


# ---- The pages of the files


def step(part, goals):
    """A sentence of a proof, which opens what is left to prove after it."""
    code = f"<code>{escape(plain(part))}</code>"
    return f"<details><summary>{code}</summary><pre>{escape(goals)}</pre></details>" if goals else f"<p>{code}</p>"


def proof(steps):
    """The steps of a proof, without its first and last words."""
    return "".join(step(part, goals) for part, goals in steps if plain(part) not in ("Proof.", "Qed.", "Defined."))


def body(file, link):
    """The page of a file: what stands outside proofs, and each proof folded."""
    out, inside = [f'<h1>{file}.v</h1><p><a href="../book/proofs.html">Proofs in Coq</a></p>'], []
    for part, goals in stored()[file]:
        words = plain(part)
        if inside:
            inside.append((part, goals))
            if words in ("Qed.", "Defined."):
                many = len(inside) - 2
                out.append(f'<details class="fold coq-proof"><summary>Proof, {many} step{"s" * (many > 1)}</summary>{proof(inside)}</details>')
                inside = []
            continue
        for comment in re.findall(r"\(\*\*(.*?)\*\)", part, re.DOTALL):
            text = escape(" ".join(comment.split()))
            text = re.sub(r"\[([^\]]*)\]", r"<code>\1</code>", text)
            text = re.sub(r"\(([A-Z]\d+)\b", lambda found: f"({link(found[1])}", text)
            out.append(f"<h2>{text[2:]}</h2>" if text.startswith("* ") else f"<p>{text}</p>")
        if words == "Proof.":
            inside = [(part, goals)]
        elif words:
            stated = STATED.match(words)
            name = f' id="{stated["name"]}"' if stated else ""
            out.append(f'<pre class="coq"{name} tabindex="0">{escape(words)}</pre>')
    return "".join(out)


def pages(app):
    """The pages of all files."""
    where = {label: entry["docname"] for label, entry in getattr(app.env, "proof_list", {}).items()}
    link = lambda label: f'<a href="../{where[label]}.html#{label}">{label}</a>' if label in where else label
    for file in stored():
        named = [each.name for found in theorems().values() for each in found if each.file == file] or ["definitions and small facts"]
        about = f"{file}.v, in Coq, where each step of a proof opens what is left to prove: {', '.join(named).replace('_', ' ')}"
        about = about if len(about) <= 160 else f"{about[:158].rpartition(',')[0]}, …"
        yield f"proofs/{file}", {"title": f"{file}.v", "about": about, "body": body(file, link)}, "page.html"


class CoqTheorems(SphinxDirective):
    """The table of the theorems that are proved in Coq."""

    def run(self):
        self.env.note_reread()
        return [later(fill=theorem_table)]


def theorem_table(here, _):
    """A row for each claim: its number and title, and its theorems."""
    where = {label: entry["docname"] for label, entry in here.env.proof_list.items()}
    rows = []
    for label, found in theorems().items():
        links = " ".join(f'<a href="../{each.address}"><code>{each.name.replace("_", "_<wbr>")}</code></a>' for each in found)
        claim = f'<a href="{where[label].split("/")[-1]}.html#{label}">{label}</a> {escape(found[0].title)}'
        rows.append(f"<tr><td>{claim}</td><td>{links}</td><td>{escape(f'in part, {found[0].without}' if found[0].without else 'as a whole')}</td></tr>")
    head = "<tr><th>Claim</th><th>Theorems in Coq</th><th>Proved</th></tr>"
    return [raw(f'<table class="table coq-table"><thead>{head}</thead><tbody>{"".join(rows)}</tbody></table>')]


class CoqProof(SphinxDirective):
    """A proof with its steps: the name of its theorem."""

    required_arguments = 1

    def run(self):
        self.env.note_reread()
        for steps in stored().values():
            at = next((at for at, (part, _) in enumerate(steps) if (found := STATED.match(plain(part))) and found["name"] == self.arguments[0]), None)
            if at is not None:
                end = next(place for place in range(at, len(steps)) if plain(steps[place][0]) == "Qed.")
                return [raw(f'<pre class="coq" tabindex="0">{escape(plain(steps[at][0]))}</pre><div class="coq-proof">{proof(steps[at + 1 : end + 1])}</div>')]
        raise self.error(f"There is no theorem {self.arguments[0]} in book/proofs.")
