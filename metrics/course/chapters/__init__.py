"""The material of each chapter, in a module named after its page: the VOTES that the chapter asks and, for most chapters, TASKS for homework and QUESTIONS for an exam."""

from functools import cache
from importlib import import_module

from ..settings import LEMMAS, in_setting

# Chapters with homework and an exam; and all pages that ask votes.
CHAPTERS = (
    "precision-and-recall", "f-and-e", "from-sets-to-rankings", "average-precision", "areas-under-the-curve", "r-precision", "ap-at-k", "averaging",
    "order-and-auc", "premise-selection-metrics", "discounted-gain", "ties-and-samples", "long-tail", "the-metrics-disagree", "rank-correlation",
    "is-the-difference-real", "judges-that-err", "readers-and-clicks",
)  # fmt: skip
PAGES = (
    *CHAPTERS, "a-library-as-data", "seven-predictors", "does-it-replicate", "one-machine-to-many",
)  # fmt: skip



def questions_of(page):
    """The exam questions of a page: those whose answer is computed, and those whose options are sentences. Raises ValueError if there are none."""
    found = (*getattr(module(page), "QUESTIONS", ()), *import_module(f"{__name__}.choices").CHOICES.get(page, ())) if page in PAGES else ()
    if not found:
        raise ValueError(f"no tasks or questions for {page!r}; there are some for: {', '.join(PAGES)}")
    return found


@cache
def chapter(name):
    """The material of a chapter with homework, by the name of its page. Raises ValueError if the chapter has no homework."""
    if name not in CHAPTERS:
        raise ValueError(f"no tasks or questions for {name!r}; there are some for: {', '.join(CHAPTERS)}")
    return module(name)


def module(page):
    """The module of a page, which has at least VOTES."""
    return import_module(f"{__name__}.{page.replace('-', '_')}")


def task(name, setting=LEMMAS):
    """The task with this name, in the words of a setting. Raises ValueError if there is none, and for another setting."""
    tasks = {each.name: each for chapter_name in CHAPTERS for each in chapter(chapter_name).TASKS}
    if name not in tasks:
        raise ValueError(f"no task {name!r}; the tasks are: {', '.join(tasks)}")
    return in_setting(tasks[name], setting)


def ask(name):
    """The vote with this name, which a cell shows as its last line. Raises ValueError if there is none."""
    votes = {vote.name: vote for page in PAGES for vote in module(page).VOTES}
    if name not in votes:
        raise ValueError(f"no vote {name!r}; the votes are: {', '.join(votes)}")
    return votes[name]
