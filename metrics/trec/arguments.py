"""What may be said on the command line, and what does not go together."""

import argparse
import sys
from math import isnan
from pathlib import PurePath
from typing import Any

from .. import __version__
from ..topics.significance import CORRECTIONS, TESTS
from .reports import FORMATS, complain, write

DEFAULT = "AP nDCG@10 P@10 R@100 RR Bpref Judged@10"
OF_TREC_EVAL = "official"
DESCRIPTION = """\
How good are the rankings of a run file? It holds lines such as
  301 Q0 doc-17 1 9.25 bm25      topic, Q0, document, rank, score, name of the run
and a qrels file says what is relevant, with a grade:
  301 0 doc-17 2                 topic, 0, document, grade
Three columns will do (topic, document, and the score or the grade), and so will
tables with a header (CSV, TSV, and Parquet with pyarrow: columns such as qid, docno
and score, or relevance), JSON and JSONL; each may be packed (.gz, .bz2, .xz, and
.zst and .lz4 with pyarrow). As in trec_eval, documents are in the order of their
scores, and the column of ranks counts only where there are no scores.
"""
EXAMPLES = f"""\
Examples:
  python -m metrics qrels.txt bm25.run                    {DEFAULT}
  python -m metrics qrels.txt bm25.run neural.run -m "AP RBP(p=0.8) AP@10(denominator=relevant)"
  python -m metrics qrels.txt bm25.run -m official --format trec_eval      as trec_eval prints it
  python -m metrics qrels.txt bm25.run neural.run --compare                do they surely differ?
  python -m metrics qrels.txt passages.run --passages "#"             documents by their best passages
  python -m metrics --explain AP@10                       what a measure is, and what it rewards

Names such as AP, P@10 and nDCG@10 are those of ir_measures; map, P_10 and all_trec are
those of trec_eval, and give its numbers. The book explains each, and where they differ.
In a folder with a metrics.py of your own, type ranking-metrics for python -m metrics.
"""


class Parser(argparse.ArgumentParser):
    """A parser whose help and errors are written as all else is."""

    def _print_message(self, message: str, file: Any = None) -> None:
        if file is sys.stdout:
            write(message, file)
        else:
            complain(message)


def parser_of_arguments() -> argparse.ArgumentParser:
    """What may be said on the command line."""
    parser = Parser(
        prog="python -m metrics", description=DESCRIPTION, epilog=EXAMPLES, allow_abbrev=False,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    add = parser.add_argument
    add("qrels", nargs="?", metavar="QRELS", help="the file that says what is relevant")
    add("runs", nargs="*", metavar="RUN", help="a file with rankings; several runs are shown side by side")
    add("-m", action="append", dest="measures", metavar="MEASURES",
        help=f"compute these measures: names separated by blanks, in one -m or in several (default: {DEFAULT}; {OF_TREC_EVAL} for --format trec_eval)")
    add("-c", action="store_true", dest="complete", help="count judged topics that a run lacks, with nothing found")
    add("-l", type=int, default=1, dest="level", metavar="LEVEL", help="take grades of at least LEVEL as relevant (default: 1)")
    add("--depth", "-M", type=int, metavar="K", help="look only at the first K documents of each topic")
    add("--trec-eval", type=int, choices=(9, 10), default=9, dest="version", metavar="VERSION",
        help="order documents, round levels of recall and understand all_trec as version 9 (default) or 10 of trec_eval does")
    add("--ties", choices=("trec_eval", "file", "raise"), default="trec_eval",
        help="order documents of equal score by their names, as trec_eval does (default); or order all documents "
        "as the lines stand, whatever the scores; or refuse equal scores")
    add("--passages", metavar="MARK",
        help="take what stands before MARK in the name of a ranked document as the document, whose best passage counts: with '#', doc7#3 is a passage of doc7")
    add("--judged-only", "-J", action="store_true",
        help="take documents without a judgement, or with a negative grade, out of the rankings, once --depth has cut them")
    add("--undefined", type=number_or_word, metavar="VALUE",
        help="say what a topic counts as where a measure is undefined: a number, skip (leave it out) or raise (stop); "
             "default: 0, as in trec_eval, but skip with --item-groups, and where 0 would be the best value; "
             "measures by trec_eval's own names, such as map, count as 0 in any case")
    sections = parser.add_mutually_exclusive_group()
    sections.add_argument("-q", action="store_true", dest="by_query", help="show each topic as well")
    sections.add_argument("--groups", metavar="FILE", help="show each group of topics as well; each line of FILE holds a topic and its group")
    sections.add_argument("--item-groups", metavar="FILE",
        help="evaluate each group of documents alone; each line of FILE holds a document and its group; needs memory for whole runs")
    add("--format", choices=FORMATS, default="table", help="set the output format (default: table)")
    add("--compare", nargs="?", const="", metavar="TEST", type=test,
        help=f"test whether the runs differ. For two runs: {', '.join(TESTS)}; for more: {', '.join(CORRECTIONS)}; "
             "t and sign need SciPy")
    add("--plot", metavar="FILE", help="plot the first measure to FILE (.svg, .pdf, .png, ...): for two runs, the differences by topic "
        "(first minus second); for more, the means with intervals and letters; needs Matplotlib")
    add("--quiet", action="store_true", help="leave out the remarks, but not the errors")
    add("--explain", nargs="?", const="", metavar="MEASURE",
        help="explain MEASURE, or those of -m: what it is, and what it rewards; needs no files")
    add("--measures", action="store_true", dest="list_measures", help="list all measures, each with what it rewards; needs no files")
    add("--version", action="version", version=f"metrics {__version__}")
    return parser


def misuse(options: argparse.Namespace) -> str:
    """What does not go together, in a sentence."""
    if not options.runs and (options.qrels or options.explain is None and not options.list_measures):
        return "expected QRELS and one RUN or more"
    if len(set(options.runs)) < len(options.runs):
        return "expected each RUN once"
    if options.format == "trec_eval" and (len(options.runs) > 1 or options.groups or options.item_groups):
        return "--format trec_eval takes one RUN, and no groups"
    if options.format != "table" and (options.compare is not None or options.explain is not None):
        return "--compare and --explain are sentences, for --format table; for LaTeX with letters there is to_latex(letters=True) in Python"
    if options.item_groups and (options.ties, options.passages, options.judged_only) != ("trec_eval", None, False):
        return "--ties, --passages and --judged-only do not go with --item-groups"
    if options.plot is not None and not PurePath(options.plot).suffix[1:]:
        return f"--plot needs the name of a file that says its kind, such as {options.plot or 'results'}.svg"
    asked = "--compare" if options.compare is not None else "--plot" if options.plot else ""
    if asked and len(options.runs) < 2:
        return f"{asked} needs two runs or more"
    if asked and options.item_groups:
        return f"{asked} looks at all documents"
    allowed = TESTS if len(options.runs) == 2 else CORRECTIONS
    if options.compare and options.compare not in allowed:
        return f"--compare {options.compare} is not for {len(options.runs)} runs, but {' or '.join(allowed)} is"
    return ""


def number_or_word(text: str) -> float | str:
    """A number, or skip or raise."""
    if text in ("skip", "raise"):
        return text
    if isnan(number := float(text)):
        raise ValueError
    return number


number_or_word.__name__ = "number, skip or raise"  # what argparse calls it in an error


def test(text: str) -> str:
    """The name of a test or of a correction, or nothing."""
    if text and text not in {**TESTS, **CORRECTIONS}:
        raise argparse.ArgumentTypeError(f"{text!r} is none of {', '.join([*TESTS, *CORRECTIONS])}; without one, put --compare last")
    return text
