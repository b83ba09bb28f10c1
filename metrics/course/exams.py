"""Exams from a seed: forms to print, their solutions, and question banks for Moodle (XML, GIFT). The seed is secret, and the code is public."""

import argparse
import html
import re
from fractions import Fraction
from pathlib import Path
from xml.etree import ElementTree

from .beliefs import drawn, telling
from .chapters import CHAPTERS, chapter

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
STYLE = """
@page { size: A4; margin: 16mm 20mm }
body { font: 11.5pt/1.45 Georgia, serif; max-width: 42rem; margin: 2rem auto; color: #111; background: #fff }
h1 { font-size: 1.4rem; margin: 0 }
header p { border-bottom: 1px solid; padding-bottom: .6rem; margin: .3rem 0 0 }
section { break-inside: avoid; margin: 1.3rem 0 }
.points { float: right; color: #555; margin-left: 1rem }
ol { list-style: none; padding: 0; display: grid; grid-template-columns: 1fr 1fr; gap: .25rem 2rem }
ol.long { grid-template-columns: 1fr }
li::before { content: '☐ '; font-size: 1.2em }
li.right::before { content: '☒ ' }
.lines i { display: block; height: 1.9em; border-bottom: 1px solid #bbb }
.way { border-left: 3px solid #00785a; padding-left: .8rem }
.form + .form { break-before: right }
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


def seen(value):
    """A value as a page shows it: a fraction is set upright, with words for screen readers."""
    value = Fraction(value)
    if value.denominator == 1:
        return str(value)
    return f'<span class="over" role="math" aria-label="{value.numerator} over {value.denominator}"><b>{value.numerator}</b>{value.denominator}</span>'


def option(value, belief, solved):
    """An option with its box; if solved, the box of the right option is ticked, and each wrong option shows the belief behind it."""
    if not solved:
        return f"<li>{seen(value)}</li>"
    return f"<li>{seen(value)} <small>{html.escape(belief.words)}</small></li>" if belief else f'<li class="right">{seen(value)}</li>'


def unbroken(words):
    """The words, with no-break spaces in a list such as 1 0 1 1, so that no line ends within it."""
    return re.sub(r"\b(?:\w ){2,}\w\b", lambda items: items[0].replace(" ", "\N{NO-BREAK SPACE}"), words)


def form(chosen, number, solved):
    """One form of the exam: the variant with this number of each question."""
    parts = []
    for n, (question, variants) in enumerate(chosen, 1):
        case, answers = variants[number]
        options = "".join(option(value, belief, solved) for value, belief in answers)
        below = f'<p class="way">{html.escape(question.explained(case))}</p>' if solved else f'<p>Your working:</p><div class="lines">{"<i></i>" * 4}</div>'
        parts.append(
            f'<section><p><span class="points">{points(question)} points, {question.minutes} minutes</span><b>{n}.</b> '
            f'{unbroken(html.escape(question.asked(case)))}</p>'
            f'<ol class="{"long" if solved else ""}">{options}</ol>{below}</section>'
        )
    total, minutes = sum(points(question) for question, _ in chosen), sum(question.minutes for question, _ in chosen)
    head = f"{total} points, {minutes} minutes. One point of each question is for the answer, the rest for the working. Write values as fractions."
    name = "" if solved else "<br>Name: ____________________________ Number: ____________"
    return f'<div class="form"><header><h1>Form {LETTERS[number]}{", with solutions" if solved else ""}</h1><p>{head}{name}</p></header>{"".join(parts)}</div>'


def sheet(chosen, forms, solved=False):
    """All forms, as one page to print."""
    body = "\n".join(form(chosen, number, solved) for number in range(forms))
    return PAGE.format(title="Exam: solutions" if solved else "Exam", style=STYLE, body=body)


def comment(belief):
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


def exam(chapters, seed, forms=5):
    """An exam with all questions of some chapters: the name and the text of each file. The same arguments give the same bytes.

    chapters: names of pages. seed: any text or number. forms: the number of forms, from 1 to 26.
    Raises ValueError for a chapter without questions, and for a question with too few variants.
    """
    if forms not in range(1, len(LETTERS) + 1):
        raise ValueError(f"forms must be from 1 to {len(LETTERS)}, not {forms}")
    questions = [question for name in dict.fromkeys(chapters) for question in chapter(name).QUESTIONS]
    chosen = [(question, list(drawn(question, forms, seed))) for question in questions]
    return {
        "exam.html": sheet(chosen, forms),
        "solutions.html": sheet(chosen, forms, solved=True),
        "moodle.xml": moodle(chosen),
        "questions.gift": gift(chosen),
    }


def main(arguments=None):
    parser = argparse.ArgumentParser("python -m metrics.exam", description="Make an exam: forms, solutions, and questions for Moodle.")
    parser.add_argument("out", help="the folder into which the files are written")
    parser.add_argument("--chapters", nargs="+", required=True, metavar="CHAPTER", help=f"set questions from these chapters: {', '.join(CHAPTERS)}")
    parser.add_argument("--seed", required=True, help="the seed of the exam; keep it secret: the same seed gives the same exam")
    parser.add_argument("--forms", type=int, default=5, help="the number of forms, each with different numbers (default: 5)")
    given = parser.parse_args(arguments)
    out = Path(given.out)
    try:
        files = exam(given.chapters, given.seed, given.forms)
        out.mkdir(parents=True, exist_ok=True)
        for name, text in files.items():
            (out / name).write_text(text, encoding="utf-8")
    except (ValueError, OSError) as error:
        parser.error(str(error))
    for question in (question for name in dict.fromkeys(given.chapters) for question in chapter(name).QUESTIONS):
        print(f"{question.name}: {len(telling(question))} variants")
    print(f"{', '.join(files)} in {out}")
