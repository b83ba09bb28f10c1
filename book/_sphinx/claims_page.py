"""Claims: the page that lists every checked claim, and the links between claim and statement.

A claim is stored in the output of the cell that checked it, as a data record beside its text.
The page is made from these records, in the order of the book, never by hand; the title and the words of a
claim are those of its statement, copied from the page where it stands. A statement without a check, a check without
a statement, or a claim called proved whose statement has no proof fails the build.
"""

import re
from collections import Counter
from html import escape
from itertools import takewhile
from pathlib import Path

from docutils import nodes
from sphinx.addnodes import pending_xref
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective
from sphinx_proof.nodes import proof_node

from metrics.exact.claims import STRENGTHS, Claim, joined

from . import sources
from .pages import copies, page_link, pages_in_order

logger = logging.getLogger(__name__)

CLAIMS_PAGE = "book/claims"
COLUMNS = ("Claim", "Statement", "Strength", "Cases", "What was checked", "Near miss, and where it fails", "Chapter")


def claims_of_book(env):
    """Every stored claim of the book with its page, in the order of the book."""
    paths = {page: Path(env.doc2path(page)) for page in pages_in_order(env.config)}
    return [(page, claim) for page, path in paths.items() if path.suffix == ".ipynb" for claim in sources.read(path).claims]


def label_problems(statements, claims):
    """What is wrong between the labels of the statements and those of the stored claims."""
    missing = sorted(set(statements) - set(claims))
    orphaned = sorted(set(claims) - set(statements))
    doubled = sorted(label for label, count in Counter(claims).items() if count > 1)
    return [
        *(f"the statement {label} has no stored claim: add a cell that ends in claim(...)" for label in missing),
        *(f"the claim {label} has no statement: add a prf:theorem (or proposition, ...) with this label" for label in orphaned),
        *(f"the claim {label} is stored more than once" for label in doubled),
    ]


def statement_labels(env):
    """The labels of all theorems, propositions, lemmas and corollaries of the book."""
    return [label for label, entry in getattr(env, "proof_list", {}).items() if entry["realtype"] in sources.STATEMENTS]


def check_labels(app, env):
    stored = claims_of_book(env)
    problems = label_problems(statement_labels(env), [claim["label"] for _, claim in stored])
    for page in dict.fromkeys(page for page, _ in stored):
        boxes = found_statements(env, page)
        called_proved = [claim["label"] for where, claim in stored if where == page and claim["strength"] == "proved"]
        problems += [f"the claim {label} is called proved, and no prf:proof follows its statement" for label in called_proved
                     if label in boxes and not has_proof(boxes[label])]
    for problem in problems:
        logger.warning(problem)


def found_statements(env, docname):
    """The statements of a page: label -> node, as it was read."""
    boxes = env.get_doctree(docname).findall(lambda node: isinstance(node, nodes.Element) and node.get("realtype") in sources.STATEMENTS)
    return {box["label"]: box for box in boxes}


def has_proof(box):
    """Whether the next box after a statement, if no other statement or section comes first, is its proof."""
    following = (node for node in box.findall(descend=False, siblings=True, include_self=False) if isinstance(node, nodes.Element))
    return any(isinstance(node, proof_node) for node in takewhile(lambda node: not node.get("realtype") and not isinstance(node, nodes.section), following))


class ClaimsTable(SphinxDirective):
    """The table of all claims of the book, with a count of each strength and a place for the controls, which claims.js makes."""

    def run(self):
        self.env.note_reread()  # the table depends on every notebook
        claims = claims_of_book(self.env)
        summary = nodes.paragraph("", _summary([claim for _, claim in claims]), classes=["claims-summary"])
        controls = nodes.container("", classes=["claims-controls"])
        return [summary, controls, _table(claims)]


def _summary(claims):
    counts = Counter(claim["strength"] for claim in claims)
    parts = [f"{counts[strength]} {strength}" for strength in STRENGTHS if counts[strength]]
    return f"{len(claims)} claims: {', '.join(parts)}."


def _table(claims):
    head = nodes.thead("", nodes.row("", *(nodes.entry("", nodes.paragraph("", column)) for column in COLUMNS)))
    body = nodes.tbody("", *(_claim_row(page, claim) for page, claim in claims))
    widths = [nodes.colspec(colwidth=1) for _ in COLUMNS]  # the style sheet has the real ones
    return nodes.table("", nodes.tgroup("", *widths, head, body, cols=len(COLUMNS)), classes=["claims-table"])


def _claim_row(page, claim):
    label, strength = claim["label"], claim["strength"]
    record = Claim(**claim)  # it puts itself into the same words as beside the check
    place = pending_xref("", nodes.inline("", label), refdomain="prf", reftype="ref", reftarget=label, refwarn=True)
    columns = {
        "Claim": [nodes.strong("", label), nodes.Text(" "), place],
        "Statement": [statement(label=label, page=page)],
        "Strength": [nodes.inline("", strength, classes=["claim-strength", f"claim-{strength}"])],
        "Cases": [nodes.Text(f"{record.cases:,}" if record.cases else "none")],
        "What was checked": [nodes.Text(_checked(record))],
        "Near miss, and where it fails": [nodes.Text(record.refuted or "none")],
        "Chapter": [page_link(page=page)],
    }
    return nodes.row("", *(_cell(column, columns[column]) for column in COLUMNS), ids=[f"claim-{label}"])


def _cell(column, content):
    """A cell with its column's name, which only narrow screens show: there a row is a block of its own."""
    name = nodes.paragraph("", column, classes=["column-name"])
    content = content if isinstance(content[0], statement) else [nodes.paragraph("", "", *content)]
    return nodes.entry("", name, *content, classes=["column-" + nodes.make_id(column)])


class statement(nodes.General, nodes.Element):
    """The place of a statement that stands on another page: its title and its words, when all pages were read."""


class CopyStatements(SphinxPostTransform):
    """Fill the table with the statements, links and formulas included, from the pages where they stand."""

    default_priority = 3  # before references, glued values and formulas are resolved

    def run(self, **_):
        pages = {}
        for place in self.document.findall(statement):
            page, label = place["page"], place["label"]
            box = pages.setdefault(page, found_statements(self.env, page)).get(label)
            if box is None:
                continue  # `check_labels` says so
            title, words = copied(box, self.env.docname)
            place["words"] = spoken(title, words)
            place += [nodes.paragraph("", "", nodes.strong("", "", *title.children)), *words.children]


def copied(box, page):
    """The title of a statement, without its brackets, and its body, to stand on another page."""
    title, words = copies(box[:2], page)
    title[0] = nodes.Text(title[0].lstrip().removeprefix("("))
    title[-1] = nodes.Text(title[-1].removesuffix(")"))
    return title, words


TEX = re.compile(r"\\(begin|end)\{\w+\}|\\[a-zA-Z]+|[\\{}$&^_]")


def spoken(title, words):
    """A statement as the search of the table reads it: its words, and its formulas without the commands of TeX."""
    return " ".join(TEX.sub(" ", f"{title.astext()} {words.astext()}").split())


def _checked(record):
    """What was done, in words; the number of cases has a column of its own."""
    steps = f" Shown: {'; '.join(record.shown)}." if record.strength == "proved" else ""
    return f"{joined(record.by_proof, record.by_cases, record.by_source)}.{steps}"


def add_script(app, pagename, templatename, context, doctree):
    if pagename == CLAIMS_PAGE:
        app.add_js_file("claims.js", loading_method="defer")


class LinkClaims(SphinxPostTransform):
    """Link the label in the output of a claim check to its row in the table of claims."""

    default_priority = 9
    formats = ("html",)

    def run(self, **_):
        table = self.app.builder.get_relative_uri(self.env.docname, CLAIMS_PAGE)
        for output in self.document.findall(nodes.raw):
            if 'class="claim-check"' in output.astext():
                output.children = [nodes.Text(linked(output.astext(), table))]


def linked(box, table):
    """The HTML of a claim check, its label made a link into the table, its strength coloured."""
    label = re.search(r'data-claim="([^"]+)"', box)[1]
    box = re.sub(r'class="claim-strength">(\w+)', r'class="claim-strength claim-\1">\1', box)
    return re.sub(
        r'(<b class="claim-label">)(.*?)(</b>)',
        rf'\1<a href="{table}#claim-{label}">\2</a>\3', box, count=1, flags=re.DOTALL,
    )


def open_statement(writer, node):
    writer.body.append(f'<div class="claim-statement" data-words="{escape(node.get("words", ""))}">')


def setup(app):
    app.add_directive("claims-table", ClaimsTable)
    app.add_node(statement, html=(open_statement, lambda writer, node: writer.body.append("</div>")))
    app.add_post_transform(CopyStatements)
    app.add_post_transform(LinkClaims)
    app.connect("env-check-consistency", check_labels)
    app.connect("html-page-context", add_script)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
