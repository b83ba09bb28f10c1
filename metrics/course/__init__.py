"""A course from beliefs: homework that answers, a grader, and exams, from one source. Nothing here imports NumPy.

    from metrics.course import check, task

A *belief* is a wrong function that a student takes for the right one. So what its holder answers can be computed: that
makes the wrong options of a question and of a vote, and names the mistake in a student's function that agrees with it.
`beliefs` has the mechanism, `votes` what a chapter asks, `chapters` the material of each chapter; `sheets`, `grading` and `exams` what is made of it.
"""

from .beliefs import check
from .chapters import ask, task

__all__ = ["ask", "check", "task"]
