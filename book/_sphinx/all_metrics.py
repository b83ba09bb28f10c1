"""The sheet of all metrics and the finder by questions, made of the records in the package: nobody has to keep them in step."""

import re
from itertools import groupby

from docutils import nodes
from docutils.statemachine import StringList
from sphinx.util.docutils import SphinxDirective

from metrics.names.sheet import PURPOSES, RECORDS

from .pages import load, page_link, table

COLUMNS = ("Metric", "Formula", "Call", "What it rewards")
WIDTHS = (17, 28, 29, 26)


class AllMetrics(SphinxDirective):
    """A section with a table for each purpose: the name, which leads to the chapter, the formula, the call, what it rewards."""

    def run(self):
        load(self, "all-metrics.css")
        return [self._section(purpose, list(its)) for purpose, its in groupby(RECORDS.values(), lambda its: its.purpose)]

    def _section(self, purpose, its):
        sheet = table(COLUMNS, map(self._row, its), WIDTHS, "metric-sheet colwidths-given")
        return nodes.section("", nodes.title("", purpose), sheet, ids=[nodes.make_id(purpose)], names=[nodes.fully_normalize_name(purpose)])

    def _row(self, about):
        call = re.sub(r"\b(\w+)=\1\b", r"\1=…", about.call).replace("(relevance", "(…")
        link = page_link(f"book/{about.chapter}", nodes.Text(about.name), anchor=f"#{about.anchor}")
        cells = link, nodes.math("", about.formula), nodes.literal("", call), nodes.Text(about.rewards)
        return nodes.row("", *(nodes.entry("", nodes.paragraph("", "", cell)) for cell in cells))


def asked_by_name(its):
    """Whether `metrics.evaluate` takes a metric by a name that its title is not already."""
    return its.of_a_ranking and its.measure and its.title.casefold() not in ("", its.name.casefold())


class MetricFinder(SphinxDirective):
    """The questions of a part of the metrics, each with what answers it; its body is a table of what has no record."""

    required_arguments, final_argument_whitespace, has_content = 1, True, True

    def run(self):
        by_question = {}
        for its in RECORDS.values():
            if its.purpose in PURPOSES[self.arguments[0]]:
                by_question.setdefault(its.asks, []).append(its)
        head, body = self.content[:2], self.content[2:]
        rows = StringList([*head, *(self._row(question, its) for question, its in by_question.items()), *body], self.env.docname)
        found = nodes.container()
        self.state.nested_parse(rows, self.content_offset, found)
        for listing in found.findall(nodes.table):
            listing["classes"].append("listing-table")
        return found.children

    def _row(self, question, its):
        called = [(each.title or each.name) + f" ({each.name})" * asked_by_name(each) + " ↓" * each.lower for each in its]
        chapters = [f"{{doc}}`{chapter}`" for chapter in dict.fromkeys(each.chapter for each in its)]
        return f"| {question} | {', '.join(called)} | {', '.join(chapters)} | {', '.join(f'`{each.path}`' for each in its)} |"
