"""TREC files of judgements and runs, read in pieces, ordered as in trec_eval, and evaluated.

A judgement is a line `topic iteration document grade`, and a ranked document is a line of a run,
`topic Q0 document rank score tag`; a line that begins with # is a comment. Text stays bytes until it is returned,
because trec_eval orders documents of equal score by their bytes.
"""

from ..topics.results import Evaluation as Evaluation, Results as Results
from .evaluation import evaluate as evaluate
from .exports import read_results as read_results
from .source import Run as Run, read_qrels as read_qrels, read_run as read_run, read_subtopics as read_subtopics

__all__ = ["Evaluation", "Results", "Run", "evaluate", "read_qrels", "read_results", "read_run", "read_subtopics"]
