"""The page for teachers: made from what the chapters themselves declare, so that nobody has to keep it in step.

A chapter declares its card, its questions, its exercises and its starred sections. `teaching-chapters` lists them,
chapter by chapter. `teaching-path` lays chapters out over sessions, adds up the minutes of their cards, and fails
the build if a path names a chapter that does not exist, goes against the order of the book, or takes too long.
"""

import re
from dataclasses import dataclass
from pathlib import Path

from docutils import nodes

from .html_boxes import YamlDirective, read_card, read_questions, read_yaml
from .page_links import page_link, pages_in_order
from .sources import directives, prose

PATH_KEYS = {"title", "minutes", "sessions", "left_out"}
SESSION_KEYS = {"chapters", "sections", "students"}
NAMES = {"ap": "AP", "auc": "AUC", "err": "ERR", "f": "F", "ndcg": "nDCG", "pr": "PR", "rr": "RR"}


@dataclass(frozen=True)
class Chapter:
    """What a chapter declares in its source."""

    page: str
    title: str
    card: dict
    questions: list
    exercises: list  # pairs of label and title
    starred: list  # titles of the sections that nothing later needs
    stated: set  # labels of its statements
    quoted: set  # labels of the statements it refers to

    @property
    def name(self):
        return self.page.rpartition("/")[2]


def read_chapter(page, text):
    """What a page declares; None if it has no card, so that it is no chapter. A broken card is reported on its own page."""
    try:
        card = read_card(next(directives(text, "chapter-card")).body)
        questions = [question for each in directives(text, "check-yourself") for question in read_questions(each.body)]
    except (StopIteration, ValueError):
        return None
    return Chapter(
        page,
        re.search(r"^# +(.*)", text, re.MULTILINE)[1].strip(),
        card,
        questions,
        [exercise(each.argument, each.options["label"]) for each in directives(text, "exercise-start")],
        re.findall(r"^##+ +(★.*?) *$", text, re.MULTILINE),
        set(re.findall(r"^:label: *(\S+)", text, re.MULTILINE)),
        set(re.findall(r"\{prf:ref\}`([^`]+)`", text)),
    )


def exercise(title, label):
    """The label of an exercise and its title; without one the label is put into words: ex-by-hand, 'by hand'."""
    words = label.removeprefix("ex-").split("-")
    return label, title or " ".join(NAMES.get(word, word) for word in words)


def chapters_of_book(env):
    """The chapters by name, in the order of the book."""
    pages = pages_in_order(env.config)
    found = (read_chapter(page, prose(Path(env.doc2path(page)))) for page in pages)
    return {chapter.name: chapter for chapter in found if chapter}


def quoted_chapters(chapter, chapters):
    """The earlier chapters whose statements a chapter refers to."""
    earlier = list(chapters)[: list(chapters).index(chapter.name)]
    return [chapters[name] for name in earlier if chapters[name].stated & chapter.quoted]


class TeachingChapters(YamlDirective):
    """A section for each chapter: time, objectives, what it needs, questions to ask, exercises to set, what to skip."""

    has_content = False

    def run(self):
        self.env.note_reread()  # the sections depend on every chapter
        chapters = chapters_of_book(self.env)
        return [self._section(chapter, chapters) for chapter in chapters.values()]

    def _section(self, chapter, chapters):
        section = _section(chapter.title, f"teach-{chapter.name}")
        section += nodes.paragraph("", "", page_link(page=chapter.page), nodes.Text(f", about {chapter.card['minutes']} minutes of text"))
        parts = {
            "Afterwards students can": self.list(chapter.card["objectives"]),
            "They need": self.list(chapter.card["needs"]),
            "It quotes statements of": _links(page_link(page=other.page) for other in quoted_chapters(chapter, chapters)),
            "They may believe": self.text(chapter.card["misconception"]),
            "Ask in class": self.list(chapter.questions, nodes.enumerated_list),
            "Exercises to set": self.list(f"{{ref}}`{label}`, {title}" for label, title in chapter.exercises),
            "May be skipped": _links(page_link(page=chapter.page, section=title) for title in chapter.starred),
        }
        section += nodes.definition_list("", *(_item(term, part) for term, part in parts.items() if part.children))
        return section


class TeachingPath(YamlDirective):
    """A way through the book in sessions.

    The body is YAML with the keys title, minutes (of one session), left_out (a text), and sessions: a list, each with
    chapters (a list of file names without ending) and, if you like, sections and students (texts).
    """

    def run(self):
        self.env.note_reread()
        path = self.body(read_path)
        chapters = chapters_of_book(self.env)
        if problems := list(path_problems(path, chapters)):
            raise self.error(f"teaching-path '{path['title']}': {'; '.join(problems)}")
        section = _section(path["title"], nodes.make_id(f"path-{path['title']}"))
        sessions = [self._session(number, session, path, chapters) for number, session in enumerate(path["sessions"], 1)]
        section += sessions[0].children if len(sessions) == 1 else nodes.bullet_list("", *sessions, classes=["teaching-path"])
        section += self._note("Left out", path["left_out"])
        return [section]

    def _session(self, number, session, path, chapters):
        named = [chapters[name] for name in session["chapters"]]
        heading = f"Session {number}" if len(path["sessions"]) > 1 else "Chapters"
        first = nodes.paragraph("", "", nodes.strong("", f"{heading}:"))
        for chapter in named:
            first += [nodes.Text(" "), page_link(page=chapter.page), nodes.Text(f" ({chapter.card['minutes']} minutes)")]
            first += nodes.Text("." if chapter is named[-1] else ",")
        total = f" Text: {text_minutes(session, chapters)} minutes if you leave nothing out; class: {path['minutes']}."
        notes = [self._note(key.capitalize(), session[key]) for key in ("sections", "students") if key in session]
        first += nodes.Text(total)
        return nodes.list_item("", first, *notes)

    def _note(self, heading, text):
        paragraph = self.text(text)
        paragraph.insert(0, [nodes.strong("", f"{heading}:"), nodes.Text(" ")])
        return paragraph


def read_path(body):
    """The path that a teaching-path holds; a ValueError says what is wrong with its form."""
    path = read_yaml("teaching-path", body)
    if not isinstance(path, dict) or set(path) != PATH_KEYS:
        raise ValueError(f"teaching-path needs exactly the keys {', '.join(sorted(PATH_KEYS))}")
    if not isinstance(path["sessions"], list) or not path["sessions"]:
        raise ValueError(f"teaching-path '{path['title']}' has no sessions")
    for number, session in enumerate(path["sessions"], 1):
        if not isinstance(session, dict) or not isinstance(session.get("chapters"), list) or not session["chapters"]:
            raise ValueError(f"teaching-path '{path['title']}': session {number} has no list of chapters")
        for key in sorted(set(session) - SESSION_KEYS):
            known = ", ".join(sorted(SESSION_KEYS))
            raise ValueError(f"teaching-path '{path['title']}': session {number} has the key {key}, known: {known}")
    return path


def path_problems(path, chapters):
    """What is wrong with a path: names that are no chapters, the order of the book, sessions that are too short."""
    order = list(chapters)
    last = -1
    for number, session in enumerate(path["sessions"], 1):
        unknown = [name for name in session["chapters"] if name not in chapters]
        if unknown:
            yield f"session {number} names '{unknown[0]}', which is no chapter; the chapters are {', '.join(order)}"
            return
        for name in session["chapters"]:
            if order.index(name) <= last:
                yield f"session {number}: '{name}' must come before '{order[last]}', as in the book, and once"
            last = order.index(name)
        if text_minutes(session, chapters) > path["minutes"]:
            yield f"session {number}: its chapters take {text_minutes(session, chapters)} minutes, and it has {path['minutes']}"


def text_minutes(session, chapters):
    """The minutes that the cards of a session's chapters add up to."""
    return sum(chapters[name].card["minutes"] for name in session["chapters"])


def _section(title, name):
    return nodes.section("", nodes.title("", title), ids=[name], names=[nodes.fully_normalize_name(name)])


def _links(links):
    return nodes.bullet_list("", *(nodes.list_item("", nodes.paragraph("", "", link)) for link in links))


def _item(term, content):
    return nodes.definition_list_item("", nodes.term("", term), nodes.definition("", content))


def setup(app):
    app.add_directive("teaching-chapters", TeachingChapters)
    app.add_directive("teaching-path", TeachingPath)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
