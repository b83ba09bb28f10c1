"""The sheet of all metrics, made from the lines that explain them in the package, so that nobody has to keep it in step."""

import re

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

from metrics.names.explanations import BY_PURPOSE

from .pages import load, page_link, table

COLUMNS = ("Metric", "Formula", "Call", "What it rewards")
WIDTHS = (17, 28, 29, 26)


class AllMetrics(SphinxDirective):
    """A section with a table for each purpose: the name, which leads to the chapter, the formula, the call, what it rewards."""

    def run(self):
        load(self, "all-metrics.css")
        return [self._section(purpose, rows) for purpose, rows in BY_PURPOSE.items()]

    def _section(self, purpose, rows):
        sheet = table(COLUMNS, (self._row(name, about) for name, about in rows.items()), WIDTHS, "metric-sheet colwidths-given")
        return nodes.section("", nodes.title("", purpose), sheet, ids=[nodes.make_id(purpose)], names=[nodes.fully_normalize_name(purpose)])

    def _row(self, name, about):
        call = re.sub(r"\b(\w+)=\1\b", r"\1=…", about.call).replace("(relevance", "(…")
        link = page_link(f"book/{about.chapter}", nodes.Text(name), anchor=f"#{about.anchor}")
        cells = link, nodes.math("", about.formula), nodes.literal("", call), nodes.Text(about.rewards)
        return nodes.row("", *(nodes.entry("", nodes.paragraph("", "", cell)) for cell in cells))
