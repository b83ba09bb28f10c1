"""Boxes: the card that opens a chapter, the questions that end it, the listing of shipped source, solutions that unfold."""

import yaml
from docutils import nodes
from sphinx.errors import ExtensionError
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util.docutils import SphinxDirective

REPEATED_IDS = {"proof", "proof-content", "exercise-content", "solution-content"}
CARD_KEYS = {"objectives", "needs", "minutes", "misconception"}


def read_card(body):
    """The card that a chapter-card holds, as a dictionary; a ValueError says what is wrong with it."""
    card = read_yaml("chapter-card", body)
    if not isinstance(card, dict) or set(card) != CARD_KEYS:
        raise ValueError(f"chapter-card needs exactly the keys {', '.join(sorted(CARD_KEYS))}")
    for key in ("objectives", "needs"):
        if not isinstance(card[key], list):
            raise ValueError(f"chapter-card: {key} must be a list, each item on a line after '- '")
        for text in card[key]:
            if not isinstance(text, str):
                raise ValueError(f"chapter-card: {key}: quote an item that contains ': ', got {text!r}")
    if type(card["minutes"]) is not int or card["minutes"] < 1:
        raise ValueError(f"chapter-card: minutes must be a whole number, got {card['minutes']!r}")
    return card


def read_questions(body):
    """The questions that a check-yourself holds, as a list; a ValueError says what is wrong with them."""
    questions = read_yaml("check-yourself", body)
    if not isinstance(questions, list) or not questions:
        raise ValueError("check-yourself must be a list of questions, each on a line after '- '")
    for question in questions:
        if not isinstance(question, str):
            raise ValueError(f"check-yourself: a question must be a text (quote one that holds a colon), got {question!r}")
        if "{glue" in question:
            raise ValueError(f"check-yourself: the page for teachers shows it too, where nothing is glued: {question!r}")
    return questions


def read_yaml(name, body):
    try:
        return yaml.safe_load(body)
    except yaml.YAMLError as error:
        raise ValueError(f"{name} is no YAML (quote a text that holds a colon): {error}") from None


class YamlDirective(SphinxDirective):
    """A directive whose body is YAML. Its texts may hold formulas and links."""

    has_content = True

    def body(self, read):
        """The body as `read` understands it; what is wrong with it becomes a fault of the build, with its place."""
        try:
            return read("\n".join(self.content))
        except ValueError as problem:
            raise self.error(str(problem)) from None

    def text(self, text):
        return nodes.paragraph("", "", *self.parse_inline(str(text), lineno=self.lineno)[0])

    def list(self, texts, kind=nodes.bullet_list):
        return kind("", *(nodes.list_item("", self.text(text)) for text in texts))


class ChapterCard(YamlDirective):
    """What a chapter lets you do, what it needs, how long it takes, which error it clears.

    The body is YAML with the keys objectives (a list), needs (a list), minutes (a number) and
    misconception (a text).
    """

    def run(self):
        card = self.body(read_card)
        box = nodes.container(classes=["chapter-card"])
        box += self._part("After this chapter you can", self.list(card["objectives"]), "objectives")
        box += self._part("You need", self.list(card["needs"]), "needs")
        box += self._part("Time", self.text(f"about {card['minutes']} minutes"), "minutes")
        box += self._part("A belief to give up", self.text(card["misconception"]), "misconception")
        return [box]

    def _part(self, heading, content, name):
        return nodes.container("", _heading(heading), content, classes=[f"card-{name}"])


class CheckYourself(YamlDirective):
    """Questions that a reader can answer from the chapter. The page for teachers collects them."""

    def run(self):
        questions = self.list(self.body(read_questions), nodes.enumerated_list)
        return [nodes.container("", _heading("Questions to ask yourself"), questions, classes=["check-yourself"])]


def _heading(text):
    return nodes.paragraph("", text, classes=["card-heading"])


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
    app.add_directive("check-yourself", CheckYourself)
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
