"""The code cells of a notebook as its page offers them to run, and the library for want of which one cannot.

What a cell needs is read from its code, and from the table of what the rooms of the package want. No cell is tagged.
"""

import ast
import re

from metrics.course import chapters

from .._static.in_the_page import LIBRARIES, Page
from .sources import GLUED, directives, joined

WANTED = set(LIBRARIES) - {"sympy"}  # which the page can load
ROOMS = {  # what a part of the package wants, unless one that is named within it wants something else
    "metrics": {"numpy"}, "metrics.exact": set(), "metrics.exact.shipped": {"numpy"}, "metrics.exact.together": {"numpy"},
    "metrics.library.data_file": set(), "metrics.course": set(), "metrics.library.predictors": {"numpy", "scipy"},
    "metrics.library.set_994.by_neighbours_then_recency": {"numpy", "scipy"},
    "metrics.notebook": set(), "metrics.notebook.pair": {"numpy"}, **{f"metrics.notebook.{name}": {"matplotlib"} for name in ("figure", "show", "tiles")},
}  # fmt: skip


def cells_of(notebook):
    """The code cells of a notebook, in order: id, source, place; of a shown definition, its name and its own source."""
    cells = [{"id": cell.id, "source": cell.source, "place": place} for place, cell in enumerate(notebook.code)]
    for cell, stored in zip(cells, notebook.code, strict=True):
        if shown := shown_definition(stored):
            cell["defines"] = shown
            cell["printed"] = cell["source"] = joined(stored.shown[0]["text/plain"])
    return cells


def shown_definition(cell):
    """The full name of the exact definition that a cell such as `source(definitions.recall)` shows, or None."""
    match cell.tree.body[-1:]:
        case [ast.Expr(ast.Call(ast.Name("source"), [ast.Attribute(ast.Name("definitions" | "d"), name)], []))]:
            return f"metrics.exact.definitions.{name}"


# ---- What a cell wants ---------------------------------------------------------------------------------------


def wants(cells):
    """The libraries that each cell wants, itself or by way of what it needs; those that the page brings do not count."""
    page, origins, direct = Page(cells), {}, []
    for code in page.steps:
        for name in code.binds:
            origins.pop(name, None)
        for statement in code.body:
            origins |= imports(statement)
        direct.append(set() if imports(code.body[0]) else wanted_by(code, origins))
    found = []
    for place in range(len(cells)):
        own = range(page.first[place], page.first[place + 1])
        needed = {before for at in own for before in page.closure(page.steps[at], at)}
        called = {at for at in own if not isinstance(page.steps[at].body[0], ast.FunctionDef)}  # to define a function calls nothing
        found.append(set().union(*(direct[at] for at in called | needed)))
    return found


def wanted_by(code, origins):
    """The libraries that some code uses by names of which `origins` tells what they are."""
    names, used = {name for name in (code.uses | code.later) if name in origins}, {}
    owners = [node.value for node in ast.walk(ast.Module(code.body, [])) if isinstance(node, ast.Attribute)]
    for node in ast.walk(ast.Module(code.body, [])):
        if isinstance(node, ast.Name) and node.id in names:
            whole = node not in owners and origins[node.id] == "metrics"
            used[node] = "numpy" if whole else origins[node.id]
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in names:
            used[node] = f"{origins[node.value.id]}.{node.attr}"
        elif isinstance(node, ast.Import | ast.ImportFrom):
            used |= {(node, name): origin for name, origin in imports(node).items()}
    return set().union(*map(libraries, used.values()))


def imports(statement):
    """The names that an import binds, with what they are."""
    if isinstance(statement, ast.Import):
        return {alias.asname or alias.name.split(".")[0]: alias.name if alias.asname else alias.name.split(".")[0] for alias in statement.names}
    if isinstance(statement, ast.ImportFrom) and not statement.level:
        return {alias.asname or alias.name: f"{statement.module}.{alias.name}" for alias in statement.names}
    return {}


def libraries(origin):
    """The libraries that are wanted to use a module, or a name of one."""
    package = origin.partition(".")[0]
    if origin == package or package != "metrics":
        return {package} & WANTED
    while origin not in ROOMS:
        origin = origin.rpartition(".")[0]
    return ROOMS[origin]


# ---- What else is on the page ----------------------------------------------------------------------------------

CHANGE = re.compile(r"`([^`]+)` (?:to|into|by) `([^`]+)`")  # what the box asks the reader to change
FENCED = re.compile(r"^```(?:python|\{code-block\} *python) *\n(.*?)^```", re.MULTILINE | re.DOTALL)


def break_its(notebook):
    """The boxes "Break it" of a chapter: (the label of a claim, the directive, the number of code cells before it)."""
    place = 0
    for cell in notebook.cells:
        place += cell.kind == "code"
        if cell.kind == "markdown":
            for box in directives(cell.source, "admonition"):
                if "break-it" in box.options.get("class", "").split():
                    yield box.options.get("name", "").removeprefix("break-"), box, place


def asides(notebook, cells):
    """The code of each box "Break it": what stands in it, or else that of the check of its claim, as if it stood where that does."""
    places = {cell["id"]: cell["place"] for cell in cells}
    checks = {run[-1].claim["label"]: run for run in notebook.checks}
    for label, box, place in break_its(notebook):
        if own := FENCED.search(box.body):
            source = own[1].rstrip()
        else:
            source, place = "\n\n".join(cell.source for cell in checks[label]), places[checks[label][0].id]
        change = CHANGE.search(" ".join(box.body.split()))
        yield {"id": f"break-{label}", "source": source, "place": place, "aside": True, "change": change.groups() if change else None}


TRIED = "from fractions import Fraction\n\nfrom metrics.course import check, task\n\n{hole}\n\ncheck(task(\"{name}\"), {name})"


def tasks(notebook, cells):
    """The functions that the homework of a chapter asks for, each with the code to write it on its page: (task, code)."""
    page = notebook.name.rpartition("/")[2].removesuffix(".ipynb")
    for task in chapters.chapter(page).TASKS if page in chapters.CHAPTERS else ():
        source = TRIED.format(hole=task.hole, name=task.name)
        yield task, {"id": f"write-{task.name}", "source": source, "place": len(cells), "aside": True, "change": (task.hole, task.solved)}


KINDS = ("text/plain", "text/html", "text/markdown", "text/latex")


def stored_outputs(cell):
    """What a cell shows on the page, in the form in which its run is told; of pictures, only that there is one."""
    found = []
    for output in cell.outputs:
        if "text" in output:
            found.append({"printed": joined(output["text"])})
        elif not any(kind.startswith(GLUED) for kind in output.get("data", ())):
            shown = {kind: joined(form) for kind, form in output["data"].items() if kind in KINDS}
            found.append({"shown": shown, "picture": "image/svg+xml" in output["data"]})
    return found
