"""The plain edition: each notebook with prose that any viewer shows, written from its page when all numbers are known.

A text cell holds headings, paragraphs, lists, tables, quotations, $formulas$ and `<details>`: no role, no directive. Values, numbers
of statements, titles and citations stand in words, as on the page. Code cells stay as they are stored, with their outputs; beside each
figure stands a PNG, for JupyterLab shows no SVG of a notebook that nobody has trusted. A kind of node without a rule here fails the build.

They stand in `_build/notebooks`, which is also what the branch `notebooks` of a repository holds, with what Binder needs.
"""

import json
import re
from base64 import b64encode
from copy import deepcopy
from functools import cache
from itertools import groupby
from pathlib import Path

from docutils import nodes
from pybtex.backends.markdown import Backend
from sphinx import addnodes
from sphinx.errors import ExtensionError

from metrics.course.chapters import CHAPTERS

from .pages import full_title, notebook_of
from .published import svg_to_bytes
from .sources import ROOT, joined

SPECIAL = re.compile(r"[\\`*_$<\[\]]|&(?=#?\w+;)|~(?=~)")
BLOCK_MARK = re.compile(r"^([#>+-]|\d+[.)])(?=\s)")  # what at the start of a line would begin a heading, a quotation or a list
UNNEEDED = re.compile(r"\\(?=[-.()#+!])")  # backslashes of pybtex before what is no mark within a line
A_POINT, DENSER = 4 / 3, 1.5  # pixels a point of a figure takes on a screen, and how many more the picture has for fine ones
LINK = re.compile(r'\{(?:prf:ref|ref|numref)\}`(?:[^`<]*<)?([\w-]+)>?`|(?:\]\([^)\s]*|href=\\")#([\w-]+)')


class Prose:
    """The Markdown of a page. `blocks` gives texts and, for code cells, their places in the notebook."""

    def __init__(self, here):
        self.env, self.page, self.depth = here.env, here.env.docname, 0
        self.site = here.config.html_baseurl

    # ---- within a line

    def words(self, node):
        return "".join(map(self.in_line, node.children))

    def in_line(self, node):
        match node:
            case nodes.Text():
                return SPECIAL.sub(r"\\\g<0>", " ".join(re.split(r"\s*\n\s*", node.astext())))
            case nodes.math():
                return f"${one_line(node)}$"
            case nodes.literal():
                fence = "``" if "`" in node.astext() else "`"
                return f"{fence}{node.astext()}{fence}"
            case nodes.emphasis():
                return f"*{self.words(node)}*"
            case nodes.strong():
                return f"**{self.words(node)}**"
            case nodes.superscript():
                return f"<sup>{self.words(node)}</sup>"
            case nodes.reference():
                return self.link(node)
            case nodes.inline() | nodes.generated():
                return self.words(node)
            case nodes.target() | addnodes.index():
                return anchors(node)
            case nodes.raw():  # a link to a file of the site
                return ""
        if type(node).__name__ == "number_reference":
            return self.link(node)
        raise self.unknown(node)

    def link(self, node):
        """A link within the notebook, to the notebook beside it, or to the site; words, where none of them has the place."""
        words, (address, _, anchor) = self.words(node), node.get("refuri", f"#{node.get('refid', '')}").partition("#")
        if not words:
            return ""
        if re.match(r"[a-z]+:", address):
            return f"[{words}]({node['refuri']})"
        page = f"book/{Path(address).stem}" if address else self.page
        if page == self.page:
            return f"[{words}](#{anchor})"
        hash_ = f"#{anchor}" * bool(anchor)
        if page in self.env.all_docs and self.env.doc2path(page).endswith(".ipynb"):
            return f"[{words}]({Path(page).name}.ipynb{hash_})"
        return f"[{words}]({self.site}{page}.html{hash_})" if self.site else words

    # ---- blocks

    def blocks(self, children):
        return [part for child in children for part in self.block(child)]

    def block(self, node):
        rule = getattr(self, type(node).__name__, None)
        if rule is None:
            raise self.unknown(node)
        return rule(node)

    def unknown(self, node):
        return ExtensionError(f"plain.py has no way to write {type(node).__name__} in {self.page}: {node.astext()[:60]!r}")

    def text(self, children, first="", rest=""):
        """Blocks without code as one text, with a mark before its first line and one before each other."""
        parts = self.blocks(children)
        if not all(isinstance(part, str) for part in parts):
            raise ExtensionError(f"plain.py: a code cell within a list or a box of {self.page}: {nodes.container('', *children).astext()[:60]!r}")
        first_line, *lines = "\n\n".join(parts).split("\n")
        return "\n".join([first + first_line, *((rest + line).rstrip() for line in lines)])

    def quoted(self, node, title, children):
        return [f"> {anchors(node)}**{title}**\n>\n{self.text(children, '> ', '> ')}"]

    def heading(self, node, words):
        return f"{'#' * min(self.depth, 6)} {words}" + (f"\n\n{marks}" if (marks := anchors(node)) else "")

    def section(self, node):
        self.depth += 1
        place = next(place for place, child in enumerate(node) if isinstance(child, nodes.title))
        number = ".".join(map(str, self.env.toc_secnumbers.get(self.page, {}).get(f"#{node['ids'][0]}", ())))
        title = full_title(self.env, self.page) if self.depth == 1 else f"{number}. {self.words(node[place])}" if number else self.words(node[place])
        found = [self.heading(node, title), *self.blocks(node[place + 1 :])]
        self.depth -= 1
        return found

    def paragraph(self, node):
        text = self.words(node).strip()
        return [BLOCK_MARK.sub(r"\\\1", text)] if text else []

    def container(self, node):
        if node.get("nb_element") != "cell_code":
            return self.blocks(node.children)
        captions = [f"{anchors(figure)}{(number := self.number(figure, 'figure')) and f'**Fig. {number}.** '}{self.words(caption)}"
                    for figure in node.findall(nodes.figure) for caption in figure.findall(nodes.caption)]  # fmt: skip
        return [int(node["cell_index"]), *captions]

    def nothing(self, node):
        return []

    comment = target = index = substitution_definition = raw = toctree = compound = image = nothing

    def transition(self, node):
        return ["---"]

    def math_block(self, node):
        return [f"$${one_line(node)}$$"]

    def literal_block(self, node):
        language = node.get("language", "")
        return [f"```{'' if language in ('default', 'none') else language}\n{node.astext().rstrip()}\n```"]

    def block_quote(self, node):
        return [self.text(node.children, "> ", "> ")]

    def bullet_list(self, node):
        return ["\n".join(self.text(item.children, "- ", "  ") for item in node)]

    def enumerated_list(self, node):
        start = node.get("start", 1)
        return ["\n\n".join(self.text(item.children, f"{number}. ", "   ") for number, item in enumerate(node, start))]

    def definition_list(self, node):
        return ["\n\n".join(f"**{self.words(item[0])}**\n\n{self.text([part for rest in item[1:] for part in rest])}" for item in node)]

    def table(self, node):
        rows = [[" ".join(self.text(entry.children).split()).replace("|", "\\|") for entry in row] for row in node.findall(nodes.row)]
        if not any(node.findall(nodes.thead)):
            rows.insert(0, [""] * len(rows[0]))
        lines = [f"| {' | '.join(row)} |" for row in rows]
        return ["\n".join([lines[0], "|" + " --- |" * len(rows[0]), *lines[1:]])]

    # ---- boxes

    def admonition(self, node):
        classes, (title, *body) = set(node["classes"]), node.children
        if "proof" in classes:
            parts = self.blocks(node.children)
            parts[0] = re.sub(r"^Proof\.", "*Proof.*", parts[0])
            return [*parts[:-1], parts[-1] + ("\n\n" if parts[-1].endswith("$$") else " ") + "$\\square$"]
        if "dropdown" in classes:
            return [folded(self.words(title), self.text(body))]
        if "ranking-lab" in classes:
            body.append(nodes.paragraph("", "The list is on the page of the book, where you can change it by hand."))
        return self.quoted(node, self.words(title), body)

    def number(self, node, kind):
        return ".".join(map(str, self.env.toc_fignumbers[self.page][kind].get(node["ids"][0], ())))

    def statement(self, node):
        title, *body = node.children
        name = f"{node['realtype'].capitalize()} {self.number(node, node['countertype'])}"
        body = [child for part in body for child in (part.children if isinstance(part, nodes.section) else [part])]
        return self.quoted(node, f"{name} {self.words(title).strip()}".strip(), body)

    theorem_node = proposition_node = definition_node = lemma_node = corollary_node = algorithm_node = statement

    def proof_node(self, node):
        return self.blocks(node.children)

    def exercise_enumerable_node(self, node):
        title, *body = node.children
        self.depth += 1
        head = self.heading(node, f"Exercise {self.number(node, 'exercise')} {self.words(title).strip()}")
        self.depth -= 1
        return [head, *self.blocks(child for part in body for child in part.children)]

    def solution_node(self, node):
        """The text of a solution in a fold; its code cells stand below, for a fold ends with its cell."""
        parts, found = self.blocks(child for part in node.children[1:] for child in part.children), []
        for is_text, run in groupby(parts, lambda part: isinstance(part, str)):
            if is_text:
                found.append("\n\n".join(run))
            else:
                said = found.pop() + "\n\n" if found and isinstance(found[-1], str) else ""
                found += [f"{said}*The cell below computes it.*", *map(Hidden, run)]
        texts = [place for place, part in enumerate(found) if isinstance(part, str)]
        for place in texts:
            found[place] = folded("Solution" if place == texts[0] else "Solution, continued", found[place])
        return found


class Hidden(int):
    """The place of a code cell that opens on demand, with its outputs."""


def one_line(node):
    """A formula without line breaks: viewers cut formulas out before they see lists and quotations."""
    return " ".join(node.astext().split())


@cache
def linked():
    """The places to which the prose of a notebook leads, or a table that it stores, by their names."""
    found = [names for path in ROOT.glob("book/*.ipynb") for names in LINK.findall(path.read_text(encoding="utf-8"))]
    return {name for names in found for name in names if name}


def anchors(node):
    return "".join(f'<a id="{name}"></a>' for name in node.get("ids", ()) if name in linked())


def folded(title, text):
    return f"<details><summary>{title}</summary>\n\n{text}\n\n</details>"


def references(here):
    """The papers that a page cites, in the order of the alphabet."""
    domain, backend = here.env.get_domain("cite"), Backend()
    keys = {key for ref in domain.citation_refs if ref.docname == here.env.docname for key in (target.key for target in ref.targets)}
    entries = [each.formatted_entry.text.render(backend) for each in domain.citations if each.key in keys]
    lines = [f"- {' '.join(UNNEEDED.sub('', entry).split())}" for entry in entries]
    return ["## References", "\n".join(lines)] if lines else []


def homework(here):
    """Where a reader finds the functions to write, which stand on the page."""
    name = Path(here.env.docname).name
    words = f"Functions to write, with checks that name what is wrong, are in the notebook `homework-{name}.ipynb`, which the page of this chapter offers."
    return [f"**Write it yourself.** {words}"] * (name in CHAPTERS)


# ---- Code cells --------------------------------------------------------------------------------------------


def picture(svg):
    """A figure as pixels, and how large it is to be shown."""
    size = dict(zip(("width", "height"), re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', svg).groups()))
    svg = re.sub(r' width="[^"]*" height="[^"]*"', ' width="{width}" height="{height}"'.format(**size), re.sub("<!DOCTYPE[^>]*>", "", svg), count=1)
    return b64encode(bytes(svg_to_bytes(svg_string=svg, zoom=A_POINT * DENSER))).decode(), {side: round(float(each) * A_POINT) for side, each in size.items()}


def code(cell, stored, hidden):
    """A code cell with a PNG beside each SVG, and marked where viewers hide its source, or all of it."""
    kept = deepcopy(stored)
    for output in kept["outputs"]:
        if svg_to_bytes and (svg := output.get("data", {}).get("image/svg+xml")):
            output["data"]["image/png"], size = picture(joined(svg))
            output["metadata"]["image/png"] = size | {"alt": cell.metadata.get("mystnb", {}).get("image", {}).get("alt", "")}
    glues = bool(cell.outputs) and cell.silent
    if hidden or glues or "hide-input" in cell.tags:
        kept["metadata"] |= {"cellView": "form", "jupyter": {"source_hidden": True, "outputs_hidden": hidden}}
    return kept


# ---- The notebook ------------------------------------------------------------------------------------------


def folder(app):
    return Path(app.outdir).with_name("notebooks")


def write(here):
    """Write the plain edition of a page that is made from a notebook."""
    notebook, _ = notebook_of(here)
    if not notebook or here.app.builder.name != "html":
        return
    prose, cells, texts = Prose(here), [], []

    def end_of_text():
        if texts:
            cells.append({"cell_type": "markdown", "id": f"text-{len(cells)}", "metadata": {}, "source": "\n\n".join(texts)})
            texts.clear()

    for part in [*prose.blocks(here.document.children), *homework(here), *references(here)]:
        if isinstance(part, str):
            texts.append(part)
        else:
            end_of_text()
            cells.append(code(notebook.cells[part], notebook.raw["cells"][part], isinstance(part, Hidden)))
    end_of_text()
    metadata = {key: value for key, value in notebook.raw["metadata"].items() if key != "slides"}
    path = folder(here.app) / f"{here.env.docname}.ipynb"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({**notebook.raw, "metadata": metadata, "cells": cells}, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
