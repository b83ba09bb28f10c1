"""Boxes: the card that opens a chapter, the listing of shipped source, solutions that unfold."""

import yaml
from docutils import nodes
from sphinx.errors import ExtensionError
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util.docutils import SphinxDirective

REPEATED_IDS = {"proof", "proof-content", "exercise-content", "solution-content"}
CARD_KEYS = {"objectives", "needs", "minutes", "misconception"}


class ChapterCard(SphinxDirective):
    """What a chapter lets you do, what it needs, how long it takes, which error it clears.

    The body is YAML with the keys objectives (a list), needs (a list), minutes (a number) and
    misconception (a text). Texts may hold formulas and links.
    """

    has_content = True

    def run(self):
        try:
            card = yaml.safe_load("\n".join(self.content))
        except yaml.YAMLError as error:
            raise self.error(f"chapter-card is no YAML (quote a text that holds a colon): {error}") from None
        if not isinstance(card, dict) or set(card) != CARD_KEYS:
            raise self.error(f"chapter-card needs exactly the keys {', '.join(sorted(CARD_KEYS))}")
        for key in ("objectives", "needs"):
            if not isinstance(card[key], list):
                raise self.error(f"chapter-card: {key} must be a list, each item on a line after '- '")
        box = nodes.container(classes=["chapter-card"])
        box += self._part("After this chapter you can", self._list(card["objectives"]), "objectives")
        box += self._part("You need", self._list(card["needs"]), "needs")
        box += self._part("Time", self._text(f"about {card['minutes']} minutes"), "minutes")
        box += self._part("A belief to give up", self._text(card["misconception"]), "misconception")
        return [box]

    def _part(self, heading, content, name):
        title = nodes.paragraph("", heading, classes=["card-heading"])
        return nodes.container("", title, content, classes=[f"card-{name}"])

    def _list(self, texts):
        items = [nodes.list_item("", self._text(text)) for text in texts]
        return nodes.bullet_list("", *items)

    def _text(self, text):
        return nodes.paragraph("", "", *self.parse_inline(str(text), lineno=self.lineno)[0])


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
            box.replace_self(folded)


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


def _is_listing(children):
    return [type(child) for child in children] == [nodes.paragraph, nodes.literal_block]


def setup(app):
    app.add_directive("chapter-card", ChapterCard)
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
    return {"parallel_read_safe": True, "parallel_write_safe": True}
