"""Boxes: solutions that unfold, the listing of shipped source, proofs with the word set apart, links to statements."""

from docutils import nodes
from sphinx.errors import ExtensionError
from sphinx.transforms.post_transforms import SphinxPostTransform

from .sources import NUMBERED

LINKED = {*NUMBERED, "exercise"}
REPEATED_IDS = {"proof", "proof-content", "exercise-content", "solution-content"}


class unfold(nodes.Element):
    """A box that is folded until the reader opens it; its first child is the title."""


class unfold_title(nodes.TextElement):
    """The line of a folded box that is always seen."""


class FoldDropdowns(SphinxPostTransform):
    """Turn boxes of the class "dropdown" into HTML's own details, which need no script."""

    default_priority = 30  # after sphinx-exercise has written the titles of solutions
    formats = ("html",)

    def run(self, **_):
        for box in list(self.document.findall(_is_dropdown)):
            title, *content = box.children
            classes = ["admonition", *(name for name in box["classes"] if name != "dropdown")]
            folded = unfold(ids=box["ids"], classes=classes)
            folded += unfold_title("", "", *title.children)
            folded += content
            box.parent.replace(box, folded)


def _is_dropdown(node):
    folded = isinstance(node, nodes.Element) and "dropdown" in node.get("classes", [])
    if folded and not (node.children and isinstance(node[0], nodes.title)):
        raise ExtensionError(f"a box of the class dropdown has no title: {node.astext()[:60]!r}")
    return folded


class MarkListings(SphinxPostTransform):
    """Give the output of `source(function)`, a name and its code, a box of its own."""

    default_priority = 3  # before myst-nb unwraps the outputs
    formats = ("html",)

    def run(self, **_):
        for output in self.document.findall(nodes.container):
            if output.get("mime_type") == "text/markdown" and _is_listing(output.children):
                output.children = [nodes.container("", *output.children, classes=["source-listing"])]
                output[0].parent = output


class MendProofs(SphinxPostTransform):
    """Set the word "Proof" apart, and drop the identifiers that the extensions repeat in every box."""

    default_priority = 30
    formats = ("html",)

    def run(self, **_):
        for box in self.document.findall(nodes.Element):
            box["ids"] = [name for name in box.get("ids", []) if name not in REPEATED_IDS]
            if "proof" in box.get("classes", []) and box.children and box[0].astext().startswith("Proof. "):
                first = next(box[0].findall(nodes.Text))
                label = nodes.inline("", "Proof.", classes=["proof-label"])
                first.parent.replace(first, [label, nodes.Text(first.removeprefix("Proof."))])


class LinkBoxes(SphinxPostTransform):
    """End the title of each statement and exercise with a link to it, which shows a sign by the style sheet."""

    default_priority = 35  # after MendProofs has left the identifiers that lead somewhere
    formats = ("html",)

    def run(self, **_):
        for box in self.document.findall(nodes.Element):
            kind = next(iter(LINKED.intersection(box.get("classes", []))), None)
            if kind and box["ids"] and isinstance(box[0], nodes.title):
                box[0] += nodes.reference("", "", refuri=f"#{box['ids'][0]}", reftitle=f"Link to this {kind}", classes=["headerlink"], internal=True)


def _is_listing(children):
    return [type(child) for child in children] == [nodes.paragraph, nodes.literal_block]


def setup(app):
    app.add_node(unfold, html=(
        lambda writer, node: writer.body.append(writer.starttag(node, "details")),
        lambda writer, node: writer.body.append("</details>\n"),
    ))
    app.add_node(unfold_title, html=(
        lambda writer, node: writer.body.append('<summary class="admonition-title">'),
        lambda writer, node: writer.body.append("</summary>\n"),
    ))
    app.add_post_transform(FoldDropdowns)
    app.add_post_transform(MarkListings)
    app.add_post_transform(MendProofs)
    app.add_post_transform(LinkBoxes)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
