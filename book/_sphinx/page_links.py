"""Pages: their order in the book, and links that bear a page's number and title."""

import re

from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform


def pages_in_order(config):
    """The names of the book's pages, in the order of its table of contents."""
    site_map = config.external_site_map

    def below(page):
        yield page
        for part in site_map[page].subtrees:
            for item in part.items:
                if item in site_map:
                    yield from below(item)
    return list(below(site_map.root.docname))


class page_link(nodes.Inline, nodes.TextElement):
    """A link to a page, to its section of the title `section`, or to an `anchor`; without a text it shows the title."""


class ResolvePageLinks(SphinxPostTransform):
    """Numbers, titles and anchors are known only when all pages were read."""

    default_priority = 5

    def run(self, **_):
        for link in list(self.document.findall(page_link)):
            page, anchor = link["page"], link.get("anchor", "")
            text = link.children or [nodes.Text(full_title(self.env, page))]
            if link.get("section"):
                entry = sections(self.env, page)[bare(link["section"])]
                text, anchor = entry.deepcopy().children, entry["anchorname"]
            address = self.app.builder.get_relative_uri(self.env.docname, page) + anchor
            link.replace_self(nodes.reference("", "", *text, refuri=address, internal=True))


def full_title(env, page):
    """The title of a page, after its number if it has one: '4. Average precision'."""
    number = env.toc_secnumbers.get(page, {}).get("")
    return f"{'.'.join(map(str, number))}. {env.titles[page].astext()}" if number else env.titles[page].astext()


def sections(env, page):
    """The entry of each section of a page in its table of contents, by its bare title."""
    return {bare(entry.astext()): entry for entry in env.tocs[page].findall(nodes.reference)}


def bare(title):
    """A title without the marks that differ between the source and the page: dollar signs, quotes, stars."""
    return re.sub(r"\W", "", title)


def setup(app):
    app.add_node(page_link)
    app.add_post_transform(ResolvePageLinks)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
