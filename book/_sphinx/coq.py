"""Coq: the theorems of book/proofs, the pages on which each step of a proof opens what is left to prove, and what the chapters say of them.

`tools/proofs.py` stores the goals; nothing here needs Coq. A heading of a file names the claim, `(** * The gain of a swap (A11) *)`, and
after it says what it leaves out, `(A10, in part: ...)`; the theorems below it are those of the claim.
"""

import hashlib
import json
import re
from difflib import SequenceMatcher
from functools import cache
from html import escape
from itertools import accumulate
from pathlib import Path
from typing import NamedTuple

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

from .html_boxes import raw
from .pages import later

FOLDER = Path(__file__).resolve().parent.parent / "proofs"
HEADING = re.compile(r"\(\*\* \* .*? \((?P<label>[A-Z]\d+)(?:, in part: (?P<without>.*?))?\)(?P<more>.*?)\*\)", re.DOTALL)
STATED = re.compile(r"\s*(?P<kind>Theorem|Lemma) (?P<name>\w+)")


FIELD = "Context {F : field_with_order}."


class Theorem(NamedTuple):
    """A theorem in Coq: its file, its name, its statement, what it leaves out, and whether F is any field with order."""

    file: str
    name: str
    statement: str
    without: str
    any_field: bool

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
        heading, any_field = None, False
        for part, _ in steps:
            if "(** * " in part:
                heading = HEADING.search(part)
            code = plain(part)
            any_field = code == FIELD or any_field and not code.startswith("End ")
            stated = STATED.match(code)
            if heading and stated and stated["kind"] == "Theorem":
                each = Theorem(file, stated["name"], code, words(heading["without"] or ""), any_field)
                found.setdefault(heading["label"], []).append(each)
    return found


def plain(part):
    """A sentence without the comments before it."""
    return re.sub(r"\(\*.*?\*\)", "", part, flags=re.DOTALL).strip()


def words(text):
    """A text without what Coq's line breaks do to it."""
    return " ".join(text.split())


def claim_words(label):
    """What is said of a claim that is proved in Coq, or nothing."""
    return "" if label not in theorems() else "in part for all n in Coq" if theorems()[label][0].without else "for all n in Coq"


def in_coq(label, root):
    """The boxes that the check of a claim adds: each theorem as Coq has it, and the link to its proof."""
    for place, theorem in enumerate(theorems().get(label, ())):
        without = f", {theorem.without}" if theorem.without else ""
        numbers = ", with numbers of any field with order (rational or real)" if theorem.any_field else ""
        said = f"And{numbers}: " if place else f"In Coq, for every length{numbers}{escape(without)}: "
        link = f'<a href="{root}{theorem.address}">the proof of <code>{theorem.name}</code>, step by step</a>'
        yield raw(f'<p class="check-detail">{said}{link}</p><pre class="coq" tabindex="0">{escape(theorem.statement)}</pre>')


# ---- The steps of a proof


class Goals(NamedTuple):
    """What is left to prove after a step: the facts of the first goal by their names, what it says, and the other goals."""

    facts: dict
    goal: str
    others: str


NOTHING = Goals({}, "", "")
FACT = re.compile(r"(?m)^  (?=\S)")
WORD = re.compile(r"\s+|[\w.']+|[()\[\]{}]|[^\w\s()\[\]{}]+")
BULLET = re.compile(r"[-+*]+|[{}]")
MANY = 3  # more facts, or lines, than this are folded if they are as before
NEAR = 2  # words between two changes that are marked with them


def read(goals):
    """The goals as Coq shows them, or None if no goal is open."""
    _, line, rest = goals.partition("  ============================\n")
    if not line:
        return None
    known = FACT.split(goals[: -len(line + rest)])[1:]
    goal, _, others = rest.partition("\n\n")
    named = lambda fact: re.split(r" :=? ", " ".join(fact.split()), maxsplit=1)[0]
    return Goals({named(fact): fact.rstrip() for fact in known}, goal, others)


def marked(text, spans, tag):
    """A text in which the spans of words are marked, those together between which few words stand."""
    parts = WORD.findall(text)
    places = [place for place, part in enumerate(parts) if part.strip()]
    joined = []
    for start, end in spans:
        if joined and start - joined[-1][1] <= NEAR:
            joined[-1][1] = end
        else:
            joined.append([start, end])
    out, last = [], 0
    for start, end in joined:
        first, after = places[start], places[end - 1] + 1
        span = re.sub(r"\n\s*", lambda gap: f"</{tag}>{gap[0]}<{tag}>", escape("".join(parts[first:after])))
        out += [escape("".join(parts[last:first])), f"<{tag}>{span}</{tag}>"]
        last = after
    return "".join(out) + escape("".join(parts[last:]))


def closed(parts):
    """Whether each bracket among these words has its partner among them."""
    depths = [*accumulate((part in "([{") - (part in ")]}") for part in parts)]
    return min(depths) >= 0 == depths[-1]


def settled(parts, start, end):
    """The span of words that are only gone, or only new: moved, if the text allows it, to where its brackets are closed."""
    for step in (1, -1):
        a, b = start, end
        while not closed(parts[a:b]) and (b < len(parts) and parts[a] == parts[b] if step > 0 else a > 0 and parts[a - 1] == parts[b - 1]):
            a, b = a + step, b + step
        if closed(parts[a:b]):
            return a, b
    return start, end


def compared(old, new):
    """Two texts: the first with the words marked that are gone, the second with those that are new."""
    before, now = ([part for part in WORD.findall(text) if part.strip()] for text in (old, new))
    gone, fresh = [], []
    for kind, a, b, c, d in SequenceMatcher(None, before, now, autojunk=False).get_opcodes():
        if kind in ("replace", "delete"):
            gone.append(settled(before, a, b) if kind == "delete" else (a, b))
        if kind in ("replace", "insert"):
            fresh.append(settled(now, c, d) if kind == "insert" else (c, d))
    return marked(old, gone, "del"), marked(new, fresh, "mark")


def folded(summary, text, kind="coq-same"):
    return f'<details class="{kind}"><summary>{summary}</summary><pre>{text}</pre></details>'


def facts(new, old):
    """The facts, in two parts: above, those that are as before if they are many, and the names of those that are gone; then the lines, new ones with a +."""
    is_same = lambda name: name in old and words(new[name]) == words(old[name])
    same = [f"  {escape(fact)}" for name, fact in new.items() if is_same(name)]
    told = lambda name: f'<span class="visually-hidden">{"changed" if name in old else "new"}: </span>'
    text = lambda name: compared(old[name], new[name])[1] if name in old else escape(new[name])
    fresh = [f'<span class="coq-new">{told(name)}{text(name)}</span>' for name in new if not is_same(name)]
    gone = ", ".join(name for name in old if name not in new)
    lost = f'<p class="coq-gone">no longer known: <code>{escape(gone)}</code></p>' if gone else ""
    count = sum(len(name.split()) for name in new if is_same(name))
    return (folded(f"{count} facts as before", "\n".join(same)) + lost, fresh) if len(same) > MANY else (lost, same + fresh)


def left(goals, before, is_next=False):
    """What is left to prove after a step, with marks at what is not as before; is_next says that the step turned to another goal."""
    now = read(goals)
    if now is None:
        return f"<pre>{escape(goals)}</pre>"
    above, lines = facts(now.facts, before.facts)
    titled = lambda title, text: f'<span class="coq-line">{title}</span>{text}'
    old, new = compared(before.goal, now.goal)
    below = ""
    if is_next or not before.goal:
        lines.append(titled("to prove", escape(now.goal)))
    elif words(now.goal) != words(before.goal):
        lines += [titled("to prove before this step", old)] * ("<del>" in old and before.goal.count("\n") <= MANY) + [titled("to prove now", new)]
    elif now.goal.count("\n") < MANY:
        lines.append(titled("to prove, as before", escape(now.goal)))
    else:
        below = folded("to prove, as before", escape(now.goal))
    if now.others:
        many = now.others.count(" is:")
        same = words(now.others) == words(before.others)
        told = f"and {many} other goal{'s' * (many > 1)}{', as before' * same}"
        below += folded(told, escape(now.others), "coq-same" if same else "coq-others")
    shown = "\n".join(lines)
    return f"{above}{f'<pre>{shown}</pre>' if lines else ''}{below}"


def with_code(comment):
    """A comment in HTML: what stands in square brackets is code."""
    return re.sub(r"\[([^\]]*)\]", r"<code>\1</code>", escape(words(comment)))


def step(part, goals, before):
    """A sentence of a proof, which opens what is left to prove after it, below the comments that stand before it."""
    notes = "".join(f'<p class="coq-note">{with_code(note)}</p>' for note in re.findall(r"\(\*(.*?)\*\)", part, re.DOTALL))
    code = f"<code>{escape(plain(part))}</code>"
    return notes + (f"<details><summary>{code}</summary>{left(goals, before, bool(BULLET.fullmatch(plain(part))))}</details>" if goals else f"<p>{code}</p>")


def proof(steps):
    """The steps of a proof: those after its statement, which comes first, without its first and last words."""
    out, before = [], read(steps[0][1]) or NOTHING
    for part, goals in steps[1:]:
        if plain(part) not in ("Proof.", "Qed.", "Defined."):
            out.append(step(part, goals, before))
        before = read(goals) or before
    return "".join(out)


# ---- The pages of the files


SETTING = re.compile(r"(?:From|Export|Section|End|Context|Add|Open|Local|Implicit|Declare|Delimit|Bind|Arguments|Existing) ")


def body(file, link):
    """The page of a file: what stands outside proofs, and each proof folded."""
    out, inside, setting, stated = [f'<h1>{file}.v</h1><p><a href="../book/proofs.html">Proofs in Coq</a></p>'], [], [], None
    for part, goals in stored()[file]:
        code = plain(part)
        if inside:
            inside.append((part, goals))
            if code in ("Qed.", "Defined."):
                many = len(inside) - 3
                out.append(f'<details class="fold coq-proof"><summary>Proof, {many} step{"s" * (many > 1)}</summary>{proof(inside)}</details>')
                inside = []
            continue
        comments = re.findall(r"\(\*\*(.*?)\*\)", part, re.DOTALL)
        if setting and (comments or not SETTING.match(code)):
            out.append(f'<pre class="coq" tabindex="0">{chr(10).join(setting)}</pre>')
            setting = []
        for comment in comments:
            text = re.sub(r"\(([A-Z]\d+)\b", lambda found: f"({link(found[1])}", with_code(comment))
            out.append(f"<h2>{text[2:]}</h2>" if text.startswith("* ") else f"<p>{text}</p>")
        if code == "Proof.":
            inside = [stated, (part, goals)]
        elif SETTING.match(code):
            setting.append(escape(code))
        elif code:
            stated, named = (part, goals), STATED.match(code)
            name = f' id="{named["name"]}"' if named else ""
            out.append(f'<pre class="coq"{name} tabindex="0">{escape(code)}</pre>')
    return "".join(out + [f'<pre class="coq" tabindex="0">{chr(10).join(setting)}</pre>' for _ in setting[:1]])


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
    """A row for each claim: its number, label and title, and its theorems."""
    rows, parts = [], any(found[0].without for found in theorems().values())
    for label, found in theorems().items():
        links = "<br>".join(f'<a href="../{each.address}"><code>{each.name.replace("_", "_<wbr>")}</code></a>' for each in found)
        box = here.env.proof_list[label]
        page, kind = box["docname"], box["countertype"]
        number = ".".join(map(str, here.env.toc_fignumbers[page][kind][label]))
        [title] = (node[0].astext().strip("() ") for node in here.env.get_doctree(page).findall(nodes.Admonition) if label in node["ids"])
        link = f'<a class="reference internal" href="{page.split("/")[-1]}.html#{label}">{box["realtype"].title()} {number}</a>'
        claim = f"{link} ({label}): {escape(title)}"
        whole = f"<td>{escape(f'in part, {found[0].without}' if found[0].without else 'as a whole')}</td>" if parts else ""
        rows.append(f"<tr><td>{claim}</td><td>{links}</td>{whole}</tr>")
    head = f"<tr><th>Claim</th><th>Theorems in Coq</th>{'<th>Proved</th>' if parts else ''}</tr>"
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
                return [raw(f'<pre class="coq" tabindex="0">{escape(plain(steps[at][0]))}</pre><div class="coq-proof">{proof(steps[at : end + 1])}</div>')]
        raise self.error(f"There is no theorem {self.arguments[0]} in book/proofs.")
