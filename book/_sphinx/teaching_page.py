"""The page for teachers: what the chapters declare, copied from their pages, so that nobody has to keep it in step.

A chapter declares its card, its votes, its exercises, and in the section "Deeper" what may be skipped. `teaching-chapters` makes a
section for each chapter while the page is read; its contents follow when all pages were read.
"""

import re
from itertools import takewhile

from docutils import nodes
from sphinx.addnodes import pending_xref
from sphinx.util.docutils import SphinxDirective, SphinxRole
from sphinx_exercise.nodes import is_exercise_node

from metrics.course.chapters import CHAPTERS, chapter, module, questions_of

from .html_boxes import fold, raw
from .pages import copies, later, page_link, table
from .slides import kinds_of, timed
from .sources import ROOT, chapters, prose, read
from .votes import in_words, inline

SESSION, OPENS, CLOSES = 90, 8, 5  # minutes: of a session, for the homework at its beginning, and for the next one at its end
SLIDES = {
    "question": "question", "answer": "answer", "by-hand": "by hand", "pair": "formula and code, side by side", "lab": "the lab, in pairs",
    "moves": "the figure that moves", "hurry": "In a hurry",
}  # fmt: skip
NAMES = {"ap": "AP", "auc": "AUC", "err": "ERR", "f": "F", "ndcg": "nDCG", "pr": "PR", "rr": "RR"}


class TeachingChapters(SphinxDirective):
    """A section for each chapter: time, objectives, what it needs, questions to ask, exercises to set, what to skip."""

    def run(self):
        self.env.note_reread()  # the sections depend on every chapter
        return [self._section(page) for page in chapters()]

    def _section(self, page):
        title = re.search(r"^# +(.*)", prose(ROOT / f"{page}.ipynb"), re.MULTILINE)[1].strip()
        name = f"teach-{page.rpartition('/')[2]}"
        return nodes.section("", nodes.title("", title), later(fill=declared_parts, page=page), ids=[name], names=[name])


class SheetCost(SphinxRole):
    """The minutes and points of the sheets of one or more chapters, with blanks between their names."""

    def run(self):
        try:
            return [nodes.Text(sheet_cost(*self.text.split()))], []
        except ValueError as error:
            return [], [self.inliner.reporter.error(str(error), line=self.lineno)]


def sheet_cost(*names):
    """How long the sheets of some chapters take, and what they give, in words. Raises ValueError for a chapter without homework."""
    tasks = [task for name in names for task in chapter(name).TASKS]
    return f"{sum(task.minutes for task in tasks)} minutes, {sum(task.points for task in tasks)} points"


def declared_parts(here, place):
    """Copies of what a chapter declares, from its page."""
    page, doctree = place["page"], here.env.get_doctree(place["page"])
    boxes = [(box, box["classes"]) for box in doctree.findall(nodes.admonition)]
    cards = [item for box, kinds in boxes if "chapter-card" in kinds for item in box.findall(nodes.definition_list_item)]
    declared = {item[0].astext(): item[1].children for item in cards}
    deeper = [part for section in doctree.findall(nodes.section) if "deeper" in section["ids"] for part in section if isinstance(part, nodes.section)]
    name = page.rpartition("/")[2]
    parts = {
        "Afterwards students can": listed(measured(page, declared["After this chapter you can"])),
        "They need": declared.get("You need"),
        "It quotes statements from": listed([page_link(other)] for other in quoted(here, page, doctree)),
        "They may believe": declared.get("A belief to give up"),
        "Ask in class": listed(inline(vote.text) for vote in module(name).VOTES),
        "The sheet takes": [nodes.paragraph("", sheet_cost(name))] if name in CHAPTERS else [],
        "Exercises to set": listed(exercise(box["label"]) for box in doctree.findall(is_exercise_node)),
        "Mistakes that homework and exam recognise": listed(mistakes(page)),
        "May be skipped": listed([page_link(page, *part[0].children, anchor=f"#{part['ids'][0]}")] for part in deeper),
    }
    time = "".join(f", {text.astext()}" for text in declared.get("Time", []))
    copied = {term: nodes.definition("", *copies(part, here.env.docname)) for term, part in parts.items() if part}
    items = [nodes.definition_list_item("", nodes.term("", term), part) for term, part in copied.items()]
    return [nodes.paragraph("", "", page_link(page), nodes.Text(time)), *deck(page, doctree), nodes.definition_list("", *items)]


def deck(page, doctree):
    """How long a chapter's deck takes, and a fold with its plan for one session, made from what its slides take; nothing without a deck."""
    slides, minute, rows = timed(read(ROOT / f"{page}.ipynb")), 0 if page == chapters()[0] else OPENS, []
    if not slides:
        return []
    if minute:
        rows.append((0, [nodes.Text("the homework: what the class believes (")] + [nodes.literal("", "class.html"), nodes.Text(")")], OPENS))
    for part, takes, *_ in slides:
        rows.append((minute, shown(page, doctree, part), takes))
        minute += takes
    rows.append((minute, [nodes.Text("homework for the next session; how the exam will ask")], CLOSES))
    if spare := SESSION - minute - CLOSES:
        rows.append((minute + CLOSES, [nodes.Text("spare")], spare))
    cells = [[[nodes.Text(str(start))], words, [nodes.Text(str(takes))]] for start, words, takes in rows]
    lines = [nodes.row("", *(nodes.entry("", nodes.paragraph("", "", *cell)) for cell in row)) for row in cells]
    plan = table(("minute", "slide", "takes"), lines, (12, 76, 12), "deck-plan")
    of = nodes.paragraph("", f"{doctree.next_node(nodes.title).astext()}, one session", classes=["column-name"])
    here = nodes.container("", of, plan, ids=[f"plan-{page.rpartition('/')[2]}"])  # in the fold, so a browser that comes here opens it
    line = [raw('<summary class="admonition-title">'), nodes.Text("One deck, one session, minute by minute"), raw("</summary>\n")]
    return [nodes.paragraph("", f"The deck takes {kinds_of(slides)}."), fold("", *line, here, classes=["admonition"])]


def shown(page, doctree, part):
    """What a slide shows, in words, with a link."""
    kind, _, name = part.partition(" ")
    if kind == "vote":
        return [nodes.Text("vote "), nodes.emphasis("", "", page_link(page, nodes.Text(in_words(name)), anchor=f"#vote-{name}"))]
    if kind == "exercise":
        return exercise(name)
    if kind == "near":
        return [nodes.Text("what is tempting beside "), reference("prf", "ref", name)]
    if kind == "table":
        return [nodes.Text(f"the table of {name.partition(' ')[0]}")]
    if kind in SLIDES:
        return [nodes.Text(SLIDES[kind])]
    if kind.startswith("fig-"):
        return [reference("std", "numref", kind)]
    titles = (box["title"].strip() for box in doctree.findall(nodes.Element) if kind in box.get("ids", ()) and "title" in box)
    words = next((f" {title}" for title in titles if title and not {"$", "\\"} & {*title}), "")
    return [reference("prf", "ref", kind), nodes.Text(words)]


def reference(domain, kind, label):
    """A link to a statement or a figure, by its number."""
    text = nodes.inline("", label, classes=["std", "std-ref"])
    return pending_xref("", text, refdomain=domain, reftype=kind, reftarget=label, refexplicit=False, refwarn=True)


def quoted(here, page, doctree):
    """The earlier chapters whose statements, definitions or algorithms a chapter refers to."""
    labels = {link["reftarget"] for link in doctree.findall(pending_xref) if link["refdomain"] == "prf"}
    pages = {here.env.proof_list[label]["docname"] for label in labels if label in here.env.proof_list}
    return [other for other in takewhile(lambda other: other != page, chapters()) if other in pages]


def exercise(label):
    """A link to an exercise, by its number, and its label in words: ex-auc-by-hand is 'AUC by hand'."""
    number = reference("std", "ref", label)
    words = label.removeprefix("ex-").split("-")
    return [number, nodes.Text(", " + " ".join(NAMES.get(word, word) for word in words))]


def measured(page, objectives):
    """The objectives on a chapter's card, each with the votes, exercises, tasks and questions that measure it."""
    material = module(page.rpartition("/")[2])
    for number, item in enumerate((each for part in objectives for each in part.findall(nodes.list_item)), 1):

        def those(kind, number=number):
            found = questions_of(page.rpartition("/")[2]) if kind == "QUESTIONS" else getattr(material, kind, ())
            return [each.name for each in found if each.objective == number]

        ways = {
            "vote": [page_link(page, nodes.Text(in_words(name)), anchor=f"#vote-{name}") for name in those("VOTES")],
            "in the text": [exercise(label)[0] for label in material.EXERCISES[number]],
            "homework": [nodes.literal("", name) for name in those("TASKS")],
            "exam": [nodes.literal("", name) for name in those("QUESTIONS")],
        }
        line = [nodes.Text(": ")]
        for kind, found in ways.items():
            line += [nodes.Text("; ")] * (bool(found) and len(line) > 1) + [nodes.emphasis("", kind), nodes.Text(" ")] * bool(found) + with_commas(found)
        yield [*(each.deepcopy() for each in item[0].children), *line]


def with_commas(items):
    return [each for place, item in enumerate(items) for each in ([nodes.Text(", ")] * bool(place) + [item])]


def mistakes(page):
    """The tasks and questions of a chapter, each with the mistakes that it knows."""
    material = module(page.rpartition("/")[2])
    for each in (*getattr(material, "TASKS", ()), *getattr(material, "QUESTIONS", ())):
        yield [nodes.literal("", each.name), nodes.Text(f": {'; '.join(belief.words for belief in each.beliefs)}.")]


def listed(items):
    """A bullet list of items, each a list of nodes; nothing, if there are none."""
    items = [nodes.list_item("", nodes.paragraph("", "", *item)) for item in items]
    return [nodes.bullet_list("", *items)] if items else []
