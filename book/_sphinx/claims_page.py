"""Claims: the page that lists every checked claim, and the links between claim and statement.

A claim is stored in the output of the cell that checked it, as a data record beside its text.
The page is made from these records, in the order of the book, never by hand; the title and the words of a
claim are those of its statement, copied from the page where it stands. A statement without a check, a check without
a statement, or a claim called proved whose statement has no proof fails the build.
"""

import re
from collections import Counter
from functools import cache
from html import escape
from itertools import takewhile
from pathlib import Path

from docutils import nodes
from sphinx.addnodes import pending_xref
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective
from sphinx_proof.nodes import proof_node

from metrics.exact.claims import STRENGTHS, Claim, joined

from . import sources
from .coq import claim_words
from .html_boxes import raw
from .pages import copies, later, load, page_link, pages_in_order, table

logger = logging.getLogger(__name__)

CLAIMS_PAGE = "book/claims"
TEX = re.compile(r"\\(begin|end)\{\w+\}|\\[a-zA-Z]+|[\\{}$&^_]")  # what nobody searches
COLUMNS = ("Claim", "Statement", "Strength", "Cases", "What was checked", "Near miss, and where it fails", "Chapter")


def claims_of_book(env):
    """Every stored claim of the book with its page, in the order of the book."""
    paths = {page: Path(env.doc2path(page)) for page in pages_in_order(env.config)}
    return [(page, claim) for page, path in paths.items() if path.suffix == ".ipynb" for claim in sources.read(path).claims]


def label_problems(statements, claims):
    """What is wrong between the labels of the statements and those of the stored claims."""
    return [
        *(f"the statement {label} has no stored claim: add a cell that ends in claim(...)" for label in sorted({*statements} - {*claims})),
        *(f"the claim {label} has no statement: add a prf:theorem (or proposition, ...) with this label" for label in sorted({*claims} - {*statements})),
        *(f"the claim {label} is stored more than once" for label, count in sorted(Counter(claims).items()) if count > 1),
    ]


def check_labels(app, env):
    stored = claims_of_book(env)
    stated = [label for label, entry in getattr(env, "proof_list", {}).items() if entry["realtype"] in sources.STATEMENTS]
    for problem in label_problems(stated, [claim["label"] for _, claim in stored]):
        logger.warning(problem)
    for page, claim in stored:
        box = found_statements(env, page).get(claim["label"])
        if claim["strength"] == "proved" and box and not has_proof(box):
            logger.warning("the claim %s is called proved, and no prf:proof follows its statement", claim["label"])


@cache
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
        load(self, "claims.js")
        claims = claims_of_book(self.env)
        counts = Counter(claim["strength"] for _, claim in claims)
        parts = ", ".join(f"{counts[strength]} {strength}" for strength in STRENGTHS if counts[strength])
        summary = nodes.paragraph("", f"{len(claims)} claims: {parts}.", classes=["claims-summary"])
        controls = nodes.container("", classes=["claims-controls"])
        rows = (_claim_row(page, claim) for page, claim in claims)
        return [summary, controls, table(COLUMNS, rows, [1] * len(COLUMNS), "claims-table")]  # the style sheet has the real widths


def _claim_row(page, claim):
    label, strength = claim["label"], claim["strength"]
    record = Claim(**claim)  # it puts itself into the same words as beside the check
    place = pending_xref("", nodes.inline("", label), refdomain="prf", reftype="ref", reftarget=label, refwarn=True)
    shown = (f" Shown: {'; '.join(record.shown)}." if strength == "proved" else "") + (f" Proved {words}." if (words := claim_words(label)) else "")
    contents = [
        [nodes.strong("", label), nodes.Text(" "), place],
        [later(fill=copied_statement, label=label, page=page)],
        [nodes.inline("", strength, classes=["claim-strength", f"claim-{strength}"])],
        [nodes.Text(f"{record.cases:,}" if record.cases else "none")],
        [nodes.Text(f"{joined(record.by_proof, record.by_cases, record.by_source)}.{shown}")],
        [nodes.Text(record.refuted or "none")],
        [page_link(page)],
    ]
    return nodes.row("", *map(_cell, COLUMNS, contents), ids=[f"claim-{label}"])


def _cell(column, content):
    """A cell with its column's name, which only narrow screens show: there a row is a block of its own."""
    name = nodes.paragraph("", column, classes=["column-name"])
    content = content if column == "Statement" else [nodes.paragraph("", "", *content)]
    return nodes.entry("", name, *content, classes=["column-" + nodes.make_id(column)])


def copied_statement(here, place):
    """The title and the words of a statement, links and formulas included, from the page where it stands."""
    box = found_statements(here.env, place["page"]).get(place["label"])
    if box is None:
        return []  # `check_labels` says so
    title, words = copies(box[:2], here.env.docname)
    title[0] = nodes.Text(title[0].lstrip().removeprefix("("))
    title[-1] = nodes.Text(title[-1].removesuffix(")"))
    searched = " ".join(TEX.sub(" ", f"{title.astext()} {words.astext()}").split())  # as the search of the table reads it
    name = nodes.paragraph("", "", nodes.strong("", "", *title.children))
    return [raw(f'<div class="claim-statement" data-words="{escape(searched)}">'), name, *words.children, raw("</div>")]


def link_claims(here):
    """Link the label in the output of a claim check to its row in the table of claims, and colour its strength."""
    claims = here.app.builder.get_relative_uri(here.env.docname, CLAIMS_PAGE)
    for output in here.document.findall(nodes.raw):
        if 'class="claim-check"' in (box := output.astext()):
            label = re.search(r'data-claim="([^"]+)"', box)[1]
            box = re.sub(r'class="claim-strength">(\w+)', r'class="claim-strength claim-\1">\1', box)
            box = re.sub(r'(?s)(<b class="claim-label">)(.*?)(</b>)', rf'\1<a href="{claims}#claim-{label}">\2</a>\3', box, count=1)
            output.children = [nodes.Text(box)]
