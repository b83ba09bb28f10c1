"""A course built on beliefs: homework that gives feedback, a grader for it, and exams, all made from one source. Nothing here imports NumPy.

    from metrics.course import check, task

A *belief* is a wrong function that a student takes for the right one. So the answers of its holder can be computed. They
make the wrong options of a question and of a vote, and name the mistake in a student's function that agrees with the belief.
`beliefs` has the mechanism, `judging` tries what a student wrote, `votes` has what a chapter asks, and `chapters` has the material
of each chapter; `sheets`, `grading` and `exams` have what is made from this material.
"""

from .chapters import ask, task
from .judging import check

__all__ = ["ask", "check", "task"]
