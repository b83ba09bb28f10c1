"""The reference of every public name, made by Sphinx's autodoc of the docstrings; `metrics.name` in a text leads there."""

import inspect
import re
from pathlib import Path
from pkgutil import resolve_name

from docutils import nodes
from sphinx import addnodes
from sphinx.transforms import SphinxTransform

import metrics
from metrics.names.sheet import RECORDS

PAGE = "book/api-reference"
NAMESPACES = {"premise_selection": "Premise selection", "ties": "Ties", "trec": "Files of TREC", "plots": "Pictures"}
BY_PATH = {f"metrics.{its.path}": its for its in RECORDS.values()}
RESULTS = ("metrics.topics.significance.Comparison", "metrics.topics.significance.Leaderboard", "metrics.topics.results.Interval")


def sections():
    """Title -> the full names of what is public."""
    found = {}
    for name, module in metrics.MODULE_OF.items():
        title = resolve_name(f"metrics.{module}").__doc__.strip().split("\n")[0].split(" (long")[0].rstrip(".:")
        found.setdefault(title.replace("`", ""), []).append(f"metrics.{name}")
    for module, title in NAMESPACES.items():
        public = getattr(metrics, module)
        names = getattr(public, "__all__", None) or [name for name, each in vars(public).items() if getattr(each, "__module__", "") == public.__name__]
        found[title] = [f"metrics.{module}.{name}" for name in names if inspect.getdoc(getattr(public, name))]
    return found | {"What comparisons give": list(RESULTS)}


def fill(app, page, source):
    """The entries, in place of the page's last word."""
    if page != PAGE:
        return
    for path in Path(metrics.__file__).parent.rglob("*.py"):
        app.env.note_dependency(str(path))
    text = "".join(f"## {title}\n\n```{{eval-rst}}\n{chr(10).join(map(entry, names))}\n```\n\n" for title, names in sections().items())
    source[0] = source[0].replace("(entries)", text)


def entry(name):
    """The directive of a function or a class; of `Hits`, what metrics ask of it is left out."""
    if not inspect.isclass(made := resolve_name(name)):
        return f".. autofunction:: {name}"
    members = [member for member, its in vars(made).items() if member[0] != "_" and ">>>" * (made is metrics.Hits) in (inspect.getdoc(its) or "")
               and not isinstance(its, property) and callable(getattr(made, member))]  # fmt: skip
    return f".. autoclass:: {name}\n   :members: {', '.join(members)}\n" if members else f".. autoclass:: {name}"


def as_fields(app, what, name, of, options, lines):
    """A docstring of the house as reStructuredText: what each name is, what is returned and raised, each in a paragraph, and no markup by chance."""
    names = set(dir(of)) | set(getattr(of, "__annotations__", ()))
    if callable(of) and not isinstance(of, type) or "__init__" in vars(of):
        names |= set(inspect.signature(of).parameters)
    text, *examples = re.split(r"(?m)^(?=>>> )", "\n".join(lines), maxsplit=1)
    text = re.sub(r"([*|@]|_(?!\w))", r"\\\1", text)
    text = re.sub(r"`([^`]+)`", lambda code: f"``{code[1]}``".replace("\\", ""), text)
    text = re.sub(r"(?:^|(?<=[;.])\s)(\w+(?:, \w+)*): ", lambda part: f"\n\n**{part[1]}** " if set(part[1].split(", ")) <= names else part[0], text, flags=re.M)
    text = re.sub(r"(?m)^(Returns?|Raises|Source:) ", r"\n\1 ", text)
    examples = [re.sub(r"(?m)^(See also:|When not to use:)(.*)", closing(name), part) for part in examples]
    lines[:] = "".join([text, *examples]).split("\n")


def closing(name):
    """What makes of the last lines of a docstring a paragraph each; what is to be seen besides are links, the chapter the first."""

    def paragraph(line):
        links = re.sub(r"[\w.]*\w", r"`metrics.\g<0> <#metrics.\g<0>>`__", line[2])
        return f"\n**{line[1][:-1]}** " + (f":doc:`{BY_PATH[name].chapter}`,{links}" if line[1] == "See also:" else line[2].replace("`", "``"))

    return paragraph


class NoIndexEntries(SphinxTransform):
    """The index of the book is of its terms; the names stand on this page."""

    default_priority = 210

    def apply(self, **_):
        for entries in list(self.document.findall(addnodes.index)) if self.env.docname == PAGE else ():
            entries.parent.remove(entries)


def link_to_reference(here):
    """`metrics.compare` in a text is a link to its entry."""
    for literal in list(here.document.findall(nodes.literal)) if here.env.docname != PAGE else ():
        name, inside = literal.astext().partition("(")[0], isinstance(literal.parent, nodes.reference | nodes.title)
        if name.startswith("metrics.") and name[8:] in metrics.MODULE_OF and not inside:
            uri = here.app.builder.get_relative_uri(here.env.docname, PAGE)
            literal.replace_self(nodes.reference("", "", literal.deepcopy(), refuri=f"{uri}#{name}", internal=True, classes=["to-reference"]))
