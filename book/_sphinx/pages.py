"""Pages: their order in the book, and what one page takes from another: its number and title, copies of its contents."""

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


def copies(children, page):
    """Copies of nodes, to stand on another page: without their identifiers, and with links that lead from there."""
    copied = [child.deepcopy() for child in children]
    for element in (element for child in copied for element in child.findall(nodes.Element)):
        element["ids"] = []
        if "refdoc" in element:
            element["refdoc"] = page
    return copied


class page_link(nodes.Inline, nodes.TextElement):
    """A link to a page, or to an anchor of it; without a text it shows the number and the title of the page."""


class ResolvePageLinks(SphinxPostTransform):
    """Numbers and titles are known only when all pages were read."""

    default_priority = 5

    def run(self, **_):
        for link in list(self.document.findall(page_link)):
            text = link.children or [nodes.Text(full_title(self.env, link["page"]))]
            address = self.app.builder.get_relative_uri(self.env.docname, link["page"]) + link.get("anchor", "")
            link.replace_self(nodes.reference("", "", *text, refuri=address, internal=True))


def full_title(env, page):
    """The title of a page, after its number if it has one: '4. Average precision'."""
    number = env.toc_secnumbers.get(page, {}).get("")
    return f"{'.'.join(map(str, number))}. {env.titles[page].astext()}" if number else env.titles[page].astext()


def setup(app):
    app.add_node(page_link)
    app.add_post_transform(ResolvePageLinks)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
