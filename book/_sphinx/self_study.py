"""For readers who learn alone: the page that counts what they have done, the final test, and the votes in other settings.

Both pages are made of what chapters declare, so nobody has to keep them in step. `_static/self-study.js` fills in what the browser has kept, and
draws the test; node runs the same file, so one draw stands on the page without scripts, and in print, with its answers at the end.
"""

import json
from html import escape
from pathlib import Path

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

from metrics.course.beliefs import drawn
from metrics.course.chapters import PAGES, module, questions_of
from metrics.course.exams import comment
from metrics.course.settings import LEMMAS, SETTINGS, in_setting

from .html_boxes import raw
from .pages import STATIC, by_node, copies, full_title, later, load, page_link
from .ranking_lab import SCRIPT
from .sources import ROOT, chapters, directives, read
from .teaching_page import exercise, with_commas

VARIANTS = 4  # of a question of the final test
FIXED = "1"  # the draw that stands on the page
KINDS = ("votes", "boxes", "tasks", "labs")
RUNGS = """const {PANELS, rungs} = require(process.argv[1]);
console.log(JSON.stringify(Object.fromEntries(Object.entries(PANELS).map(([name, panel]) => [name, rungs(panel).length]))))"""
DRAW = """const {draw, asked, answered} = require(process.argv[1]), bank = JSON.parse(require("fs").readFileSync(0, "utf8"));
const drawn = draw(bank, process.argv[2]);
console.log(JSON.stringify([asked(drawn), answered(drawn)]))"""


def to_do(page, rungs):
    """What a page offers, by its kind: the votes with the place of the right option, the boxes, the tasks, and the labs with the number of their challenges."""
    notebook, name = read(ROOT / f"{page}.ipynb"), page.rpartition("/")[2]
    boxes = [cell.metadata["answer"]["exercise"] for cell in notebook.code if "answer" in cell.metadata]
    admonitions = [box for cell in notebook.prose for box in directives(cell.source, "admonition")]
    labs = [box.options["name"].removeprefix("lab-") for box in admonitions if "ranking-lab" in box.options.get("class", "").split()]
    return {
        "votes": {vote.name: [option["right"] for option in vote.options].index(True) for vote in module(name).VOTES},
        "boxes": list(dict.fromkeys(boxes)),
        "tasks": [task.name for task in getattr(module(name), "TASKS", ())],
        "labs": {lab: rungs[lab] for lab in labs},
    }


class HowFar(SphinxDirective):
    """A table of the chapters: how many votes, boxes, tasks and challenges each has; the script says how many are done."""

    def run(self):
        load(self, "self-study.css")
        load(self, "self-study.js")
        self.env.note_reread()
        rungs = json.loads(by_node("-e", RUNGS, SCRIPT))
        head = [raw('<div class="how-far"><table class="table"><thead><tr><th scope="col">Chapter</th><th scope="col">Votes</th><th scope="col">Boxes</th>'
                    '<th scope="col">Tasks</th><th scope="col">Labs</th></tr></thead><tbody>')]  # fmt: skip
        rows = [part for page in chapters() for part in self._row(page, to_do(page, rungs))]
        return [*head, *rows, raw("</tbody></table></div>")]

    def _row(self, page, what):
        counts = {kind: sum(what[kind].values()) if kind == "labs" else len(what[kind]) for kind in KINDS}
        cells = "".join(f'<td data-kind="{kind}" data-of="{count}">{count or "–"}</td>' for kind, count in counts.items())
        return [raw(f'<tr data-has="{escape(json.dumps(what))}"><th scope="row">'), nodes.inline("", "", page_link(page)), raw(f"</th>{cells}</tr>")]


# ---- The final test ------------------------------------------------------------------------------------------------------


def bank():
    """The questions of all exams, each with a few variants, the right option first, and what is to be said of the others."""
    found = []
    for page in PAGES:
        for question in questions_of(page):
            variants = []
            for case, answers in drawn(question, VARIANTS, "final test"):
                answers = sorted(answers, key=lambda answer: answer[1] is not None)
                said = [comment(why) for _, why in answers[1:]]
                variants.append([question.asked(case), [str(value) for value, _ in answers], said, question.explained(case)])
            found.append({"page": page, "level": question.level, "objective": f"{page}-{question.objective}", "variants": variants})
    return found


class FinalTest(SphinxDirective):
    """The final test with one draw, whose answers stand folded below it, and the bank from which the script draws others."""

    def run(self):
        load(self, "self-study.css")
        load(self, "self-study.js")
        questions = json.dumps(bank(), ensure_ascii=False)
        asked, answered = json.loads(by_node("-e", DRAW, STATIC / "self-study.js", FIXED, input=questions))
        inert = questions.replace("<", "\\u003c")
        return [raw(f'<form class="final-test" data-fixed="{FIXED}">{asked}</form>'
                    f'<details class="fold final-answers"><summary>Answers</summary>{answered}</details>'
                    f'<script type="application/json" class="final-bank">{inert}</script>')]  # fmt: skip


class Objectives(SphinxDirective):
    """The objectives on the cards of all chapters, each with what to read and to try again."""

    def run(self):
        self.env.note_reread()
        return [later(fill=objectives_of, page=page) for page in chapters()]


def objectives_of(here, place):
    """The objectives of a chapter as a list, under its name."""
    page, material = place["page"], module(place["page"].rpartition("/")[2])
    cards = [box for box in here.env.get_doctree(page).findall(nodes.admonition) if "chapter-card" in box["classes"]]
    card = next(item[1] for box in cards for item in box.findall(nodes.definition_list_item) if item[0].astext() == "After this chapter you can")
    items = []
    for number, item in enumerate(card.findall(nodes.list_item), 1):
        votes = [page_link(page, nodes.Text("its vote"), anchor=f"#vote-{vote.name}") for vote in material.VOTES if vote.objective == number][:1]
        again = [page_link(page), *votes, *(exercise(label)[0] for label in material.EXERCISES[number][:2])]
        text = [*copies(item[0].children, here.env.docname), nodes.Text(": "), *with_commas(again)]
        items.append(nodes.list_item("", nodes.paragraph("", "", *text), ids=[f"objective-{page.rpartition('/')[2]}-{number}"]))
    return [nodes.paragraph("", "", nodes.strong("", full_title(here.env, page))), nodes.bullet_list("", *items, classes=["objectives"])]


# ---- Votes in another setting ------------------------------------------------------------------------------------------------


def write_settings(app):
    """Write, for each setting, what its votes say: a script that a page loads when the reader has chosen it."""
    votes = [vote for page in PAGES for vote in module(page).VOTES]
    for setting in SETTINGS:
        if setting != LEMMAS:
            retold = {vote.name: in_setting(vote, setting) for vote in votes}
            changed = {vote.name: retold[vote.name] for vote in votes if retold[vote.name] is not vote}
            texts = {name: [vote.text, *([row["option"], row["feedback"]] for row in vote.options)] for name, vote in changed.items()}
            words = json.dumps(texts, ensure_ascii=False).replace("'", "’")
            Path(app.outdir, "_static", f"votes-{setting}.js").write_text(f"window.votesIn({words});\n", encoding="utf-8")
