"""The arguments of the command line, and the combinations that are refused."""

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
How good are the rankings in a run file? Such a file holds lines like
  301 Q0 doc-17 1 9.25 bm25      topic, Q0, document, rank, score, name of the run
and a qrels file says what is relevant, with a grade:
  301 0 doc-17 2                 topic, 0, document, grade
Three columns are enough (topic, document, and the score or the grade). Tables with a
header (CSV, TSV, and Parquet with pyarrow; columns such as qid, docno and score, or
relevance), JSON and JSONL work, too. Each file may be compressed (.gz, .bz2, .xz, and,
with pyarrow, .zst and .lz4). As in trec_eval, documents are in the order of their
scores, and the column of ranks counts only if there are no scores.
"""
EXAMPLES = f"""\
Examples:
  python -m metrics qrels.txt bm25.run                    {DEFAULT}
  python -m metrics qrels.txt bm25.run neural.run -m "AP RBP(p=0.8) AP@10(denominator=relevant)"
  python -m metrics qrels.txt bm25.run -m official --format trec_eval      as trec_eval prints it
  python -m metrics qrels.txt bm25.run neural.run --compare                is their difference real?
  python -m metrics qrels.txt passages.run --passages "#"             documents by their best passages
  python -m metrics --explain AP@10                       what a measure is, and what it rewards

Names such as AP, P@10 and nDCG@10 are those of ir_measures; map, P_10 and all_trec are
those of trec_eval, and give its numbers. The book explains each name, and where the two kinds differ.
In a folder with a metrics.py of your own, type ranking-metrics for python -m metrics.
"""


class Parser(argparse.ArgumentParser):
    """A parser that prints its help and errors as all other text is printed."""

    def _print_message(self, message: str, file: Any = None) -> None:
        if file is sys.stdout:
            write(message, file)
        else:
            complain(message)


def parser_of_arguments() -> argparse.ArgumentParser:
    """The parser of the command line's arguments."""
    parser = Parser(
        prog="python -m metrics", description=DESCRIPTION, epilog=EXAMPLES, allow_abbrev=False,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    add = parser.add_argument
    add("qrels", nargs="?", metavar="QRELS", help="the file that says which documents are relevant")
    add("runs", nargs="*", metavar="RUN", help="a file with rankings; several files are shown side by side")
    add("-m", action="append", dest="measures", metavar="MEASURES",
        help=f"compute these measures: names separated by spaces, in one -m or several (default: {DEFAULT}; with --format trec_eval: {OF_TREC_EVAL})")
    add("-c", action="store_true", dest="complete", help="include judged topics that a run lacks, as topics with nothing found")
    add("-l", type=int, default=1, dest="level", metavar="LEVEL", help="count grades of at least LEVEL as relevant (default: 1)")
    add("--depth", "-M", type=int, metavar="K", help="use only the first K documents of each topic")
    add("--trec-eval", type=int, choices=(9, 10), default=9, dest="version", metavar="VERSION",
        help="order documents, round recall levels and interpret all_trec as trec_eval does in version 9 (default) or 10")
    add("--ties", choices=("trec_eval", "file", "raise"), default="trec_eval",
        help="order documents of equal score by name, as trec_eval does (trec_eval, the default); order all documents "
        "as in the file, whatever their scores (file); or refuse equal scores (raise)")
    add("--passages", metavar="MARK",
        help="read ranked names as passages: the part before MARK names the document, whose best passage counts (with '#', doc7#3 is a passage of doc7)")
    add("--judged-only", "-J", action="store_true",
        help="remove documents without a judgement, or with a negative grade, from the rankings, after --depth has cut them")
    add("--undefined", type=number_or_word, metavar="VALUE",
        help="set the value of a topic for which a measure is undefined: a number, skip (leave the topic out) or raise (stop); "
             "the default is 0, as in trec_eval, but skip with --item-groups or if 0 would be the best value; "
             "measures with trec_eval's own names, such as map, always count as 0")
    sections = parser.add_mutually_exclusive_group()
    sections.add_argument("-q", action="store_true", dest="by_query", help="also show each topic")
    sections.add_argument("--groups", metavar="FILE", help="also show each group of topics; each line of FILE holds a topic and its group")
    sections.add_argument("--item-groups", metavar="FILE",
        help="evaluate each group of documents separately; each line of FILE holds a document and its group; needs memory for whole runs")
    add("--format", choices=FORMATS, default="table", help="set the output format (default: table)")
    add("--compare", nargs="?", const="", metavar="TEST", type=test,
        help=f"test whether the runs differ; for two runs TEST is one of {', '.join(TESTS)}, and for more runs one of {', '.join(CORRECTIONS)}; "
             "t and sign need SciPy")
    add("--plot", metavar="FILE", help="plot the first measure to FILE (.svg, .pdf, .png, ...): for two runs, the differences by topic "
        "(first minus second); for more, the means with intervals and letters; needs Matplotlib")
    add("--quiet", action="store_true", help="suppress the remarks, but not the errors")
    add("--explain", nargs="?", const="", metavar="MEASURE",
        help="explain MEASURE, or the measures given with -m: what each is, and what it rewards; needs no files")
    add("--measures", action="store_true", dest="list_measures", help="list all measures, and what each rewards; needs no files")
    add("--version", action="version", version=f"metrics {__version__}")
    return parser


def misuse(options: argparse.Namespace) -> str:
    """A sentence that says what is wrong with the arguments; empty if nothing is."""
    if not options.runs and (options.qrels or options.explain is None and not options.list_measures):
        return "expected QRELS and one RUN or more"
    if len(set(options.runs)) < len(options.runs):
        return "expected each RUN once"
    if options.format == "trec_eval" and (len(options.runs) > 1 or options.groups or options.item_groups):
        return "--format trec_eval takes one RUN, and no groups"
    if options.format != "table" and (options.compare is not None or options.explain is not None):
        return "--compare and --explain print sentences, so they need --format table; for LaTeX with letters, use to_latex(letters=True) in Python"
    if options.item_groups and (options.ties, options.passages, options.judged_only) != ("trec_eval", None, False):
        return "--ties, --passages and --judged-only do not go with --item-groups"
    if options.plot is not None and not PurePath(options.plot).suffix[1:]:
        return f"--plot needs a file name that ends with the kind of file, such as {options.plot or 'results'}.svg"
    asked = "--compare" if options.compare is not None else "--plot" if options.plot else ""
    if asked and len(options.runs) < 2:
        return f"{asked} needs two runs or more"
    if asked and options.item_groups:
        return f"{asked} uses all documents, so it does not go with --item-groups"
    allowed = TESTS if len(options.runs) == 2 else CORRECTIONS
    if options.compare and options.compare not in allowed:
        return f"--compare {options.compare} is not for {len(options.runs)} runs; use {' or '.join(allowed)}"
    return ""


def number_or_word(text: str) -> float | str:
    """The value as a number, or as the word skip or raise."""
    if text in ("skip", "raise"):
        return text
    if isnan(number := float(text)):
        raise ValueError
    return number


number_or_word.__name__ = "number, skip or raise"  # what argparse calls it in an error


def test(text: str) -> str:
    """The name of a test or of a correction, checked; it may be empty."""
    if text and text not in {**TESTS, **CORRECTIONS}:
        raise argparse.ArgumentTypeError(f"got {text!r}, expected one of {', '.join([*TESTS, *CORRECTIONS])}; to give none, put --compare last")
    return text
