"""Votes, tasks and questions in another setting: the same numbers, no word of lemmas, whole sentences."""

import json
import re
from itertools import chain

import pytest

from metrics.course import exams, sheets, task
from metrics.course.beliefs import Choice, telling
from metrics.course.chapters import CHAPTERS, PAGES, chapter, module, questions_of
from metrics.course.settings import FIXED, FREE, LEMMAS, SETTINGS, WORDS, in_setting, lines

VOTES = [vote for page in PAGES for vote in module(page).VOTES]
TASKS = [each for name in CHAPTERS for each in chapter(name).TASKS]
QUESTIONS = [each for page in PAGES for each in questions_of(page)]
EVERY = [*VOTES, *TASKS, *QUESTIONS]
OTHERS = [setting for setting in SETTINGS if setting != LEMMAS]
NUMBERS = re.compile(r"\d+(?:[./]\d+)?")
LEFT = {  # words that a setting must not keep
    "search": "lemma|item|goal|proof|premise|statement|tool|suggest",
    "playlist": "lemma|item|goal|proof|premise|statement|tool|needed|reader|is read|items read",
    "medical": "lemma|item|goal|proof|premise|statement|tool|needed|reader|relevant|suggest|library|returned|assessor",
}
WRONG = re.compile(  # articles, pronouns, what stands for a number or a formula, a sentence without a capital
    r"\b[Aa] (?:evening|ill|irrelevant)\b|\b[Aa]n (?:document|song|patient|healthy|test|day)\b|\bpatients? (?:which|that)\b"
    r"|[\ue000-\uf8ff]|\w[.?!] [a-z]\w"
)


def texts(each, variant=None):
    """All that a reader sees of a vote, a task, or a variant of a question."""
    if hasattr(each, "statement"):
        return [each.statement, *chain(*((belief.words, belief.hint) for belief in each.beliefs))]
    if hasattr(each, "why"):
        return [each.text, *chain(*((row["option"], row["feedback"]) for row in each.options))]
    case, answers = variant, each.answers(variant)
    behind = [text for _, why in answers if why for text in ([why.feedback] if isinstance(each, Choice) else [why.words, why.hint])]
    return [each.asked(case), each.explained(case), *getattr(each, "steps", ()), *(value for value, _ in answers if isinstance(value, str)), *behind]


def some(each):
    """Some variants of a question, from all over its pool; one that stands for nothing, of a vote or a task."""
    found = [case for case, _ in telling(each)] if hasattr(each, "pool") else [None]
    return found[:: len(found) // 8 or 1]


@pytest.mark.parametrize("setting", OTHERS)
@pytest.mark.parametrize("each", EVERY, ids=lambda each: each.name)
def test_numbers_formulas_and_code_stay_and_no_word_of_another_setting(each, setting):
    told = in_setting(each, setting)
    for before, after in [pair for case in some(each) for pair in zip(texts(each, case), texts(told, case), strict=True)]:
        assert FIXED.findall(before) == FIXED.findall(after) and NUMBERS.findall(before) == NUMBERS.findall(after)
        words = FIXED.sub("", after)
        assert told is each or not re.search(rf"\b(?:{LEFT[setting]})s?\b", words, re.IGNORECASE), after
        assert before == after or not WRONG.search(re.sub(r"^[a-z]", "X", words)), after


@pytest.mark.parametrize("setting", OTHERS)
@pytest.mark.parametrize("each", QUESTIONS, ids=lambda each: each.name)
def test_a_question_has_the_same_answers_in_each_setting(each, setting):
    told = in_setting(each, setting)
    for case in some(each):
        answers, others = each.answers(case), told.answers(case)
        assert [bool(why) for _, why in answers] == [bool(why) for _, why in others]
        assert isinstance(each, Choice) or [value for value, _ in answers] == [value for value, _ in others]


def test_lemmas_are_the_default_and_another_name_is_an_error():
    assert all(in_setting(each, LEMMAS) is each for each in EVERY)
    with pytest.raises(ValueError, match="no setting 'music'; the settings are: lemmas, search, playlist, medical"):
        in_setting(VOTES[0], "music")


def test_each_line_and_each_exception_has_its_text():
    """A line that another above it hides, or whose text has changed, is found."""
    used = set()
    for setting in OTHERS:
        pattern, _ = lines(setting)
        assert all(any(each.name.startswith(start) for each in EVERY) for start in FREE[setting])
        for each in EVERY:
            for text in [text for case in some(each) for text in texts(each, case) if not each.name.startswith(FREE[setting])]:
                used |= {match.lastgroup for match in pattern.finditer(FIXED.sub("\ue000", text))}
    assert [line for n, line in enumerate(WORDS.strip().splitlines()) if f"line{n}" not in used] == []
    assert {line.count("|") for line in WORDS.strip().splitlines()} == {3}


def test_an_exam_and_a_sheet_in_another_setting_have_the_same_answers(tmp_path, capsys):
    usual, other = (exams.exam(["averaging", "precision-and-recall"], "s", 3, setting=setting) for setting in (LEMMAS, "medical"))
    assert usual["key.html"] == other["key.html"] and usual["exam.html"] != other["exam.html"]
    assert "patients" in other["exam.html"] and "patients" not in usual["exam.html"]
    sheets.main([str(tmp_path), "--chapters", "averaging", "--setting", "search", "--solved"])
    assert "1 notebook in" in capsys.readouterr().out
    cells = json.loads((tmp_path / "homework-averaging.ipynb").read_text())["cells"]
    source = "\n".join("".join(cell["source"]) for cell in cells)
    assert "each query counts the same" in source and 'check(task("macro_precision", "search"), macro_precision)' in source
    assert task("macro_precision", "search").right is task("macro_precision").right
