"""The index: every term of the glossary, every definition and theorem, and whatever a page marks with {index}.

Nobody maintains it. The titles of definitions and theorems become entries of Sphinx's own index, which knows the glossary
and the {index} entries already, and the directive `index-of-terms` shows all of them by letter.
"""

import re
from itertools import groupby

from docutils import nodes
from sphinx import addnodes
from sphinx.transforms import SphinxTransform
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util.docutils import SphinxDirective

from .page_links import page_link, pages_in_order

INDEXED = {"definition", "theorem"}
ARTICLE = re.compile(r"(the|an?) (.)", re.IGNORECASE)


class IndexTitles(SphinxTransform):
    """Enter the titles of definitions and theorems into Sphinx's index."""

    default_priority = 500  # before Sphinx collects the entries of a page

    def apply(self, **_):
        for box in list(self.document.findall(nodes.Admonition)):
            if box.get("realtype") in INDEXED and box["title"]:
                title = box["title"].strip()[1:-1]  # the brackets are those of the page
                entry = ("single", title.replace(";", ","), box["ids"][0], "main", None)
                box.parent.insert(box.parent.index(box), addnodes.index(entries=[entry]))


class index_of_terms(nodes.General, nodes.Element):
    """The place of the index, until all pages were read."""


class IndexOfTerms(SphinxDirective):
    """The index of the book, with letters to jump to."""

    def run(self):
        self.env.note_reread()  # it depends on every page
        return [index_of_terms()]


class ShowIndex(SphinxPostTransform):
    """Fill in the index."""

    default_priority = 4  # before the links to pages get their texts

    def run(self, **_):
        for place in list(self.document.findall(index_of_terms)):
            terms = indexed_terms(self.env.domains["index"].entries, pages_in_order(self.config))
            letters = {letter: list(group) for letter, group in groupby(terms, lambda item: letter_of(item[0]))}
            place.replace_self([_jumps(letters), *(_letter(letter, group) for letter, group in letters.items())])


def indexed_terms(entries, pages):
    """The terms in the order of the alphabet, each with its places: pairs of a page and an anchor."""
    found = {}
    for page in pages:
        for kind, value, anchor, _, _ in entries.get(page, []):
            for term in terms_of(kind, value):
                names, places = found.setdefault(sort_key(term), (set(), []))
                names.add(term)
                places.append((page, anchor))
    # Of "The blind guess", a title, and "blind guess", of the glossary, the latter comes last in ASCII, and is shown.
    return [(max(names), places) for _, (names, places) in sorted(found.items())]


def terms_of(kind, value):
    """The terms of one of Sphinx's entries: `pair: a; b` stands under both; of the other kinds, the parts are joined."""
    parts = [part.strip() for part in value.split(";")]
    orders = [parts, parts[::-1]] if kind == "pair" else [parts]
    return [article_last(", ".join(order)) for order in orders]


def article_last(term):
    """'The gain of a swap' stands under G."""
    article = ARTICLE.match(term)
    return f"{article[2].upper()}{term[article.end():]}, {article[1].lower()}" if article else term


def sort_key(term):
    """What terms are sorted by: 'The blind guess', put as 'Blind guess, the', is the same term as 'blind guess'."""
    return re.sub(r"\W+", " ", re.sub(r", (the|an?)$", "", term)).strip().casefold()


def letter_of(term):
    first = sort_key(term)[:1].upper()
    return first if first.isalpha() else "0-9"


def _jumps(letters):
    links = [nodes.reference("", letter, refid=f"letter-{letter.lower()}", internal=True) for letter in letters]
    return nodes.bullet_list("", *(nodes.list_item("", nodes.paragraph("", "", link)) for link in links), classes=["index-letters"])


def _letter(letter, terms):
    items = [nodes.list_item("", _term(term, places)) for term, places in terms]
    title = nodes.title("", letter)
    return nodes.section("", title, nodes.bullet_list("", *items, classes=["index-terms"]), ids=[f"letter-{letter.lower()}"])


def _term(term, places):
    paragraph = nodes.paragraph("", f"{term}: ")
    for number, (page, anchor) in enumerate(places):
        paragraph += [nodes.Text("; ")] if number else []
        same_page = number and places[number - 1][0] == page
        paragraph += page_link("", "and again" if same_page else "", page=page, anchor=f"#{anchor}")
    return paragraph


def setup(app):
    app.add_node(index_of_terms)
    app.add_directive("index-of-terms", IndexOfTerms)
    app.add_transform(IndexTitles)
    app.add_post_transform(ShowIndex)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
