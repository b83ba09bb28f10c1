"""The material of each chapter, a module a chapter, named after its page: TITLE, TASKS for homework, QUESTIONS for an exam."""

from functools import cache
from importlib import import_module

CHAPTERS = (
    "precision-and-recall", "f-and-e", "from-sets-to-rankings", "average-precision", "areas-under-the-curve", "r-precision", "ap-at-k", "averaging",
    "order-and-auc", "discounted-gain", "ties-and-samples", "is-the-difference-real",
)  # fmt: skip


@cache
def chapter(name):
    """The material of a chapter, by the name of its page. Raises ValueError if it has none."""
    if name not in CHAPTERS:
        raise ValueError(f"no tasks and questions for {name!r}; there are some for: {', '.join(CHAPTERS)}")
    return import_module(f"{__name__}.{name.replace('-', '_')}")


def task(name):
    """The task of this name. Raises ValueError if there is none."""
    tasks = {each.name: each for chapter_name in CHAPTERS for each in chapter(chapter_name).TASKS}
    if name not in tasks:
        raise ValueError(f"no task {name!r}; there are: {', '.join(tasks)}")
    return tasks[name]
