"""Boxes: solutions that unfold, the listing of shipped source, proofs with the word set apart, links to statements."""

from docutils import nodes
from sphinx.errors import ExtensionError

from .sources import NUMBERED

REPEATED_IDS = {"proof", "proof-content", "exercise-content", "solution-content"}


class fold(nodes.General, nodes.Element):
    """A details element, which needs no script; `line` is the HTML of its line."""


def visit_fold(writer, node):
    writer.body.append(writer.starttag(node, "details") + (f"<summary>{node['line']}</summary>\n" if "line" in node else ""))


def raw(html):
    return nodes.raw("", html, format="html")


def fold_dropdowns(here):
    """Fold boxes of the class "dropdown" until the reader opens them."""
    for box in list(here.document.findall(nodes.Element)):
        if "dropdown" in box.get("classes", ()):
            if not (box.children and isinstance(box[0], nodes.title)):
                raise ExtensionError(f"a box of the class dropdown has no title: {box.astext()[:60]!r}")
            title, *content = box.children
            line = [raw('<summary class="admonition-title">'), *title.children, raw("</summary>\n")]
            classes = ["admonition", *(name for name in box["classes"] if name != "dropdown")]
            box.parent.replace(box, fold("", *line, *content, ids=box["ids"], classes=classes))


def mark_listings(here):
    """Give the output of `source(function)`, a name and its code, a box of its own."""
    for output in here.document.findall(nodes.container):
        parts = [type(child) for child in output.children]
        if output.get("mime_type") == "text/markdown" and parts == [nodes.paragraph, nodes.literal_block]:
            output.children = [nodes.container("", *output.children, classes=["source-listing"])]
            output[0].parent = output


def mend_proofs(here):
    """Set the word "Proof" apart, and drop the identifiers that the extensions repeat in every box."""
    for box in here.document.findall(nodes.Element):
        box["ids"] = [name for name in box.get("ids", []) if name not in REPEATED_IDS]
        if "proof" in box.get("classes", []) and box.children and box[0].astext().startswith("Proof. "):
            first = next(box[0].findall(nodes.Text))
            label = nodes.inline("", "Proof.", classes=["proof-label"])
            first.parent.replace(first, [label, nodes.Text(first.removeprefix("Proof."))])


def link_boxes(here):
    """End the title of each statement with a link to it, which shows a sign by the style sheet."""
    for box in here.document.findall(nodes.Element):
        kind = next(iter(NUMBERED.intersection(box.get("classes", []))), None)
        if kind and box["ids"] and isinstance(box[0], nodes.title):
            box[0] += nodes.reference("", "", refuri=f"#{box['ids'][0]}", reftitle=f"Link to this {kind}", classes=["headerlink"], internal=True)
