"""Exams from a seed: forms to print, a key, their solutions, and question banks for Moodle (XML, GIFT). The seed is secret, and the code is public."""

import argparse
import html
import random
import re
from collections import Counter
from fractions import Fraction
from itertools import chain, combinations, islice
from pathlib import Path
from xml.etree import ElementTree

from .beliefs import Choice, Question, Saying, drawn, telling
from .chapters import PAGES, questions_of
from .settings import LEMMAS, SETTINGS, in_setting

A_PAGE = 3  # questions, at most
READING = 10  # one minute of so many is for reading
TOO_SHORT = 5  # minutes that may be left beside, because no question fits them; where more are left, the exam is shorter than it may be
LINES = 14  # for the working, as many as the longest space takes
WORKING = {1: "1 for a way that leads to the answer", 2: "1 for the right numbers, 1 for the calculation"}  # the points beside that for the letter
WORKING |= {n: f"1 for the formula, {n - 2} for the right numbers in it, 1 for the calculation" for n in (3, 4)}
REASONS = {1: "1 for the reason", 2: "1 for what is compared, 1 for the reason", 3: "2 for what is compared, 1 for the reason"}
ORDERS = 40  # of the right letters of a question, of which that counts with which forms agree least
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
STYLE = """
@page { size: A4; margin: 16mm 20mm }
body { font: 11.5pt/1.45 Georgia, serif; max-width: 42rem; margin: 2rem auto; color: #111; background: #fff }
h1 { font-size: 1.4rem; margin: 0 }
header p { border-bottom: 1px solid; padding-bottom: .6rem; margin: .3rem 0 0 }
section { break-inside: avoid; margin: 1.3rem 0 }
.page { display: flex; flex-direction: column; height: 255mm }
.page section { display: flex; flex: 1 1 85mm; flex-direction: column; margin: 0; max-height: 110mm; padding-top: 3mm }
.page .short { flex: none; padding-bottom: 6mm }
.page + .page { break-before: page }
.points { float: right; color: #555; margin-left: 1rem }
ol { display: grid; gap: .25rem 3rem; grid-template-columns: 1fr 1fr; list-style: upper-alpha; padding-left: 1.6rem }
ol.long { grid-template-columns: 1fr }
li.right { font-weight: 700 }
li.right::after { content: ' ✓' }
table { border-collapse: collapse }
td, th { border: 1px solid #bbb; padding: .2rem .7rem; text-align: center }
th:first-child { text-align: left }
.page p { margin: 0 0 1mm }
.page ol { margin: 1mm 0 }
.lines { flex: 1; overflow: hidden; position: relative }
.lines div { inset: 0; position: absolute }
.lines i { border-bottom: .3mm solid #888; display: block; height: 8mm }
.way { border-left: 3px solid #00785a; padding-left: .8rem }
.form + .form { break-before: page }
.over { display: inline-block; text-align: center; vertical-align: -.55em; line-height: 1.15; font-size: .9em }
.over b { display: block; border-bottom: 1px solid; font-weight: 400; padding: 0 .2em }
"""
PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>{title}</title><style>{style}</style></head>
<body>{body}</body></html>
"""


def points(question):
    """The points of a question: one for the answer, the rest for the working."""
    return question.minutes - 1


def in_words(number):
    """A number of points: "1 point", "2 points"."""
    return "1 point" if number == 1 else f"{number} points"


def divided(question):
    """What each point of a question is for, in words."""
    if points(question) == 1:
        return "The point is for the letter."
    rest = ", ".join(f"1 for {step}" for step in getattr(question, "steps", ()))
    return f"1 for the letter, {rest or (REASONS if isinstance(question, Choice) else WORKING)[points(question) - 1]}."


def seen(value):
    """An option as a page shows it: a fraction is set upright, with words for screen readers."""
    if isinstance(value, str):
        return html.escape(value)
    value = Fraction(value)
    if value.denominator == 1:
        return str(value)
    return f'<span class="over" role="math" aria-label="{value.numerator} over {value.denominator}"><b>{value.numerator}</b>{value.denominator}</span>'


def option(value, belief, solved):
    """An option with its box; if solved, the box of the right option is ticked, and each wrong option shows the belief behind it."""
    if not solved:
        return f"<li>{seen(value)}</li>"
    return f"<li>{seen(value)} <small>{html.escape(thought(belief))}</small></li>" if belief else f'<li class="right">{seen(value)}</li>'


def thought(behind):
    """What is behind a wrong option, in words for a teacher."""
    return behind.feedback if isinstance(behind, Saying) else behind.words


def unbroken(words):
    """The words, with no-break spaces in a list such as 1 0 1 1, so that no line ends within it."""
    return re.sub(r"\b(?:\w ){2,}\w\b", lambda items: items[0].replace(" ", "\N{NO-BREAK SPACE}"), words)


def form(chosen, number, solved, limit=None):
    """One form of the exam: the variant with this number of each question."""
    parts, short = [], ' class="short"'
    for n, (question, variants) in enumerate(chosen, 1):
        case, answers = variants[number]
        options = "".join(option(value, belief, solved) for value, belief in answers)
        ask = "Why? One or two sentences" if isinstance(question, Choice) else "Your working"
        below = f'<p>{ask}:</p><div class="lines"><div>{"<i></i>" * LINES}</div></div>' if points(question) > 1 else ""
        if solved:
            below = f'<p class="way">{html.escape(question.explained(case))}<br><small>{html.escape(divided(question))}</small></p>'
        wide = solved or any(len(str(value)) > 34 for value, _ in answers)
        parts.append(
            f'<section{"" if solved or points(question) > 1 else short}><p><span class="points">{in_words(points(question))}, '
            f'{question.minutes} minutes</span><b>{n}.</b> {unbroken(html.escape(question.asked(case)))}</p>'
            f'<ol class="{"long" if wide else ""}">{options}</ol>{below}</section>'
        )
    total, minutes = sum(points(question) for question, _ in chosen), sum(question.minutes for question, _ in chosen)
    rest = "the rest for what you write on the lines below it. Where there are no lines, the letter alone counts"
    rest = "each solution says what the rest is for" if solved else rest
    head = f"{in_words(total)}, {lasts(minutes, limit)}. One point of each question is for the letter of the answer, {rest}."
    name = "" if solved else "<br>Name: ____________________________ Number: ____________"
    head = f'<header><h1>Form {LETTERS[number]}{", with solutions" if solved else ""}</h1><p>{head}{name}</p></header>'
    return f'<div class="form">{head + "".join(parts) if solved else in_pages(head, parts)}</div>'


def reading(minutes):
    """The minutes of an exam that are for reading it: 3 of 30."""
    return -(-minutes // READING)


def lasts(minutes, limit):
    """How long an exam takes whose questions take so many minutes: as long as was asked, unless the questions leave far more time than it takes to read them.

    >>> lasts(27, 30), lasts(28, None), lasts(28, 90)
    ('30 minutes (questions: 27, reading: 3)', '28 minutes', '28 minutes')
    """
    left = (limit or 0) - minutes
    return f"{limit} minutes (questions: {minutes}, reading: {left})" if limit and 0 < left <= reading(limit) + TOO_SHORT else f"{minutes} minutes"


def in_pages(head, parts):
    """The head and the questions of a form, three on a page, and two on the last ones where they do not come out even.

    The number of pages is even, so forms that are printed on both sides of a sheet stay apart.
    """
    number = -(-len(parts) // A_PAGE)
    fewer, with_more = divmod(len(parts), number)
    rest = iter(parts)
    pages = ["".join(islice(rest, fewer + (n < with_more))) for n in range(number)]
    pages[0] = head + pages[0]
    return "".join(f'<div class="page">{page}</div>' for page in pages + ["<p>Notes</p>"] * (number % 2))


def sheet(chosen, forms, solved=False, limit=None):
    """All forms, as one page to print."""
    body = "\n".join(form(chosen, number, solved, limit) for number in range(forms))
    return PAGE.format(title="Exam: solutions" if solved else "Exam", style=STYLE, body=body)


def key(chosen, forms):
    """The letters of the right options, a row for each question and a column for each form, on one page."""
    right = [[LETTERS[[belief for _, belief in variants[n][1]].index(None)] for n in range(forms)] for _, variants in chosen]
    heads = "".join(f"<th>{LETTERS[n]}</th>" for n in range(forms))
    rows = "".join(f"<tr><th>{n}. {question.name}</th>{''.join(f'<td>{letter}</td>' for letter in letters)}<td>{points(question)}</td></tr>"
                   for n, ((question, _), letters) in enumerate(zip(chosen, right), 1))  # fmt: skip
    table = f"<table><tr><th>Question</th>{heads}<th>Points</th></tr>{rows}</table>"
    return PAGE.format(title="Exam: key", style=STYLE, body=f"<h1>Key</h1><p>The right letter, by form.</p>{table}")


def comment(belief):
    if isinstance(belief, Saying):
        return belief.feedback
    return f"This is what you get if {belief.words}. {belief.hint}" if belief else "Right."


def moodle(chosen):
    """The variants as questions for Moodle, with a category for the variants of each question."""
    quiz = ElementTree.Element("quiz")
    for question, variants in chosen:
        node = ElementTree.SubElement(quiz, "question", type="category")
        with_text(node, "category", f"$course$/top/{question.name}")
        for n, (case, answers) in enumerate(variants, 1):
            node = ElementTree.SubElement(quiz, "question", type="multichoice")
            with_text(node, "name", f"{question.name} {n}")
            with_text(node, "questiontext", f"<p>{html.escape(question.asked(case))}</p>", format="html")
            with_text(node, "generalfeedback", f"<p>{html.escape(question.explained(case))}</p>", format="html")
            settings = {
                "defaultgrade": points(question),
                "penalty": "0.3333333",
                "hidden": 0,
                "single": "true",
                "shuffleanswers": "true",
                "answernumbering": "abc",
            }
            for tag, value in settings.items():
                ElementTree.SubElement(node, tag).text = str(value)
            for value, belief in answers:
                answer = with_text(node, "answer", str(value), fraction="0" if belief else "100", format="html")
                with_text(answer, "feedback", html.escape(comment(belief)), format="html")
    ElementTree.indent(quiz)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{ElementTree.tostring(quiz, encoding="unicode")}\n'


def with_text(parent, tag, words, **attributes):
    node = ElementTree.SubElement(parent, tag, attributes)
    ElementTree.SubElement(node, "text").text = words
    return node


def gift(chosen):
    """The variants in GIFT, which most learning platforms read."""
    blocks = []
    for question, variants in chosen:
        blocks.append(f"$CATEGORY: $course$/top/{question.name}\n")
        for n, (case, answers) in enumerate(variants, 1):
            options = "\n".join(f"  {'~' if belief else '='}{escaped(value)}#{escaped(comment(belief))}" for value, belief in answers)
            blocks.append(f"::{question.name} {n}::{escaped(question.asked(case))} {{\n{options}\n  ####{escaped(question.explained(case))}\n}}\n")
    return "\n".join(blocks)


def escaped(words):
    return "".join(f"\\{letter}" if letter in "~=#{}:\\" else letter for letter in str(words))


def exam(chapters, seed, forms=5, minutes=None, questions=(), objectives=(), levels=(), setting=LEMMAS, core=False):
    """An exam with questions of some chapters: the name and the text of each file. The same arguments give the same bytes.

    chapters: names of pages. seed: any text or number. forms: the number of forms, from 1 to 26.
    minutes: its length, with a tenth or more for reading; if None, all questions are set. questions: the names of those that are set, in this order.
    objectives: numbers on the chapters' cards; levels: of "recall", "apply", "explain", "choose"; if given, only questions of these.
    setting: what the questions speak of, "lemmas", "search", "playlist" or "medical"; the numbers are the same in all.
    core: whether questions are left out that need a section of a chapter's part "Deeper".
    Raises ValueError for a chapter without questions, for names that there are not, and for a question with too few variants.
    """
    if forms not in range(1, len(LETTERS) + 1):
        raise ValueError(f"forms must be from 1 to {len(LETTERS)}, not {forms}")
    found = [in_setting(question, setting) for question in chosen_from(chapters, seed, minutes, questions, objectives, levels, core)]
    chosen = [(question, list(drawn(question, forms, seed))) for question in found]
    chosen = with_letters_apart(chosen, forms, seed)
    return {
        "exam.html": sheet(chosen, forms, limit=minutes),
        "key.html": key(chosen, forms),
        "solutions.html": sheet(chosen, forms, True, minutes),
        "moodle.xml": moodle(chosen),
        "questions.gift": gift(chosen),
    }


def with_letters_apart(chosen, forms, seed):
    """The questions with their variants, whose right options are moved so that in any two forms as few right letters as possible agree."""
    chance, agreed, moved = random.Random(f"{seed}/letters"), Counter(), []
    for question, variants in chosen:
        options = len(variants[0][1])
        tried = [[*chain(*(chance.sample(range(options), options) for _ in range(0, forms, options)))][:forms] for _ in range(ORDERS)]
        pairs_of = lambda places: [pair for pair in combinations(range(forms), 2) if places[pair[0]] == places[pair[1]]]
        cost = lambda places: (max([agreed[pair] for pair in pairs_of(places)], default=-1), sum(agreed[pair] for pair in pairs_of(places)))
        places = min(tried, key=cost)
        agreed.update(pairs_of(places))
        moved.append((question, [(case, with_right_at(place, answers)) for place, (case, answers) in zip(places, variants, strict=True)]))
    return moved


def with_right_at(place, answers):
    """Options of which the right one changes places with the one at this place."""
    answers, at = list(answers), [belief for _, belief in answers].index(None)
    answers[at], answers[place] = answers[place], answers[at]
    return answers


def chosen_from(chapters, seed, minutes=None, questions=(), objectives=(), levels=(), core=False):
    """The questions of an exam, in the order of the chapters: see `exam`."""
    all_of = {question.name: (name, question) for name in dict.fromkeys(chapters) for question in questions_of(name)}
    if unknown := [name for name in questions if name not in all_of]:
        raise ValueError(f"no question {unknown[0]!r} in these chapters; there are: {', '.join(all_of)}")
    if unknown := [level for level in levels if level not in LEVELS]:
        raise ValueError(f"no level {unknown[0]!r}; the levels are: {', '.join(LEVELS)}")
    listed = lambda question: (not objectives or question.objective in objectives) and (not levels or question.level in levels)
    fits = lambda question: listed(question) and not (core and question.deeper)
    found = [(name, question) for name, question in (map(all_of.get, questions) if questions else all_of.values()) if fits(question)]
    if not found:
        asked = f"an objective of {objectives}" if objectives else f"a level of {levels or LEVELS}"
        raise ValueError(f"no question of these chapters {'without a Deeper section ' * core}has {asked}")
    if minutes is not None:
        found = within(found, seed, minutes)
    return [question for _, question in found]


def within(found, seed, minutes):
    """As many of these questions as fit: first a computed one of each chapter, then of as many chapters, objectives and levels as possible.

    Each next one is of the kind that was taken least, and no third task nearly like two others is taken while there is something else.
    """
    whole, minutes = minutes, minutes - reading(minutes)
    left = list(found)
    random.Random(f"{seed}/questions").shuffle(left)
    taken = one_of_each(left, minutes)
    left = [each for each in left if each not in taken]
    while fitting := [each for each in left if each[1].minutes <= minutes - used(taken)]:
        alike = lambda each: [sum(same(each, other) for other in taken) for same in SAME]
        taken.append(min(fitting, key=lambda each: (sum(nearly_the_same(each, other) for other in taken) > 1, alike(each))))
        left.remove(taken[-1])
    if not taken:
        raise ValueError(f"no question fits into {whole} minutes, of which {whole - minutes} are for reading")
    return [each for each in found if each in taken]


def one_of_each(questions, minutes):
    """A computed question of each chapter, or of as many chapters as the minutes allow: the first one that leaves time for those of the other chapters."""
    computed, taken = {}, []
    for name, question in questions:
        if isinstance(question, Question):
            computed.setdefault(name, []).append((name, question))
    shortest = {name: min(question.minutes for _, question in those) for name, those in computed.items()}
    order = sorted(computed, key=shortest.get) if sum(shortest.values()) > minutes else list(computed)
    for n, name in enumerate(order, 1):
        most = max(shortest[name], minutes - used(taken) - sum(map(shortest.get, order[n:])))
        if shortest[name] <= minutes - used(taken):
            taken.append(next(each for each in computed[name] if each[1].minutes <= most))
    return taken


def used(taken):
    """The minutes of the questions that are taken."""
    return sum(question.minutes for _, question in taken)


LEVELS = "recall", "apply", "explain", "choose"
def nearly_the_same(one, other):
    """Whether two questions put the same cases, for the same objective: AP@K with one denominator and with another."""
    return one[1].pool is other[1].pool and one[1].objective == other[1].objective


SAME = (
    lambda one, other: one[0] == other[0],
    nearly_the_same,
    lambda one, other: one[1].level == other[1].level,
    lambda one, other: (one[0], one[1].objective) == (other[0], other[1].objective),
)


def main(arguments=None):
    parser = argparse.ArgumentParser("python -m metrics.exam", description="Make an exam: forms, a key, solutions, and questions for Moodle.")
    parser.add_argument("out", help="the folder into which the files are written")
    parser.add_argument("--chapters", nargs="+", required=True, metavar="CHAPTER", help=f"set questions from these chapters: {', '.join(PAGES)}")
    parser.add_argument("--seed", required=True, help="the seed of the exam; keep it secret: the same seed gives the same exam")
    parser.add_argument("--forms", type=int, default=5, help="the number of forms, each with different numbers (default: 5)")
    parser.add_argument("--minutes", type=int, help="how long the exam takes, a tenth or more to read; the seed draws the questions (default: all)")
    parser.add_argument("--questions", type=names, default=(), metavar="NAME,NAME", help="set these questions, in this order")
    parser.add_argument("--objectives", type=lambda text: [int(part) for part in names(text)], default=(), metavar="1,2", help="only of these objectives")
    parser.add_argument("--levels", type=names, default=(), metavar="LEVEL,LEVEL", help=f"only of these levels: {', '.join(LEVELS)}")
    parser.add_argument("--setting", choices=SETTINGS, default=LEMMAS, help="what the questions speak of; numbers are the same in all (default: lemmas)")
    parser.add_argument("--core", action="store_true", help="leave out the questions that need a section of a chapter's part Deeper")
    given = parser.parse_args(arguments)
    out, wanted = Path(given.out), (given.chapters, given.seed, given.minutes, given.questions, given.objectives, given.levels)
    try:
        files = exam(*wanted[:2], given.forms, *wanted[2:], given.setting, given.core)
        out.mkdir(parents=True, exist_ok=True)
        for name, text in files.items():
            (out / name).write_text(text, encoding="utf-8")
    except (ValueError, OSError) as error:
        parser.error(str(error))
    chosen = chosen_from(*wanted, given.core)
    for question in chosen:
        needs = f'; needs "{question.deeper}" from the part Deeper' if question.deeper else ""
        print(f"{question.name}: {question.minutes} minutes, {question.level}, {len(telling(question))} variants{needs}")
    if any(question.deeper for question in chosen):
        print("Let students read what a question needs from the part Deeper before the exam, or leave such questions out with --core.")
    print(f"{lasts(sum(question.minutes for question in chosen), given.minutes)}; {', '.join(files)} in {out}")


def names(text):
    """The names in "one,other"."""
    return [part.strip() for part in text.split(",") if part.strip()]
