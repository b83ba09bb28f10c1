"""A course from beliefs: homework that gives feedback, a grader, and exams, from one source. Nothing here imports NumPy.

    from metrics.course import check, task

A *belief* is a wrong function that a student takes for the right one. So the answers of its holder can be computed. They
make the wrong options of a question and of a vote, and name the mistake in a student's function that agrees with the belief.
`beliefs` has the mechanism, `votes` what a chapter asks, and `chapters` the material of each chapter; `sheets`, `grading` and `exams` what is made from it.
"""

from .beliefs import check
from .chapters import ask, task

__all__ = ["ask", "check", "task"]
