"""Reading first: what checks a claim is one line in the box of its statement, and what belongs together stands side by side.

What a cell is for is read from its outputs (sources.py), so nobody tags a cell. On the finished page, for HTML only:

    checks      of a claim, in one fold at the foot of its statement; its box "near-miss" with it
    pairs       a formula | the code that computes it, what they share in one colour
    code        of figures, of tables, of imports and of real data in a fold, with the silent cells before it
    deeper      each section below "Deeper" is one line that opens
    exercises   each is one line that opens, with its solution, a line in it
    opening     the picture that opens a chapter, and what moves there, is as wide as the text, its caption in the margin
    beside      a statement, its proof and the text after it | the sources and the figure that follow
    card        the box that opens a chapter is one line, and the belief to give up; imports stand at the foot
"""

import ast
import re
from html import escape
from itertools import groupby

from docutils import nodes
from myst_nb.sphinx_ import HideCodeCellNode
from pygments import highlight
from pygments.lexers import PythonLexer
from sphinx.errors import ExtensionError
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx_exercise.nodes import is_exercise_node

from metrics.exact.claims import Claim
from metrics.notebook import absent, alone

from .coq import claim_words, in_coq
from .html_boxes import fold, raw
from .inline_figures import points
from .pages import notebook_of
from .sources import NUMBERED
from .wrapped_code import FewElements

LONG_LISTING = 6  # lines, as they are wrapped at the right
LISTING = 46  # characters of such a line
MAIN = 75  # characters that the column of the text has
TILES = re.compile(r"\S( \S){1,8}")  # a list such as x a y b, which stands on one line
LARGER = 1.5  # how many characters are as wide as a letter of a formula
WIDE = 400  # points: a figure that is wider has a line of its own
MANY_CHECKS = 25  # with more, a chapter has too many lines that open
WHOLE = 690  # points: a figure that is wider has the whole width of the page; a narrower one has its caption in the margin
PAIR = "application/vnd.metrics.pair+json"
SVG = "image/svg+xml"


def folded(kind, line, content, name=None):
    return fold("", *content, classes=["fold", *kind.split()], line=line, ids=[name] if name else [])


# ---- Words ---------------------------------------------------------------------------------------------


def check_line(record):
    """The line of a check: its label, how strong it is, and what was tried."""
    claim = Claim(**record)
    on = {"proved": ", and checked on", "exhausted": ", on all", "sampled": ", on"}[claim.strength] if claim.cases else ""
    facts = (f"{claim.strength}{on} {claim.cases:,} cases" if claim.cases else claim.by_source) + (f"; {words}" if (words := claim_words(claim.label)) else "")
    return f'<b class="claim-label"><span aria-hidden="true">✓ </span>{escape(claim.label)}</b> {escape(facts)}'


def check_detail(record):
    """What a check adds when it opens: how exactly it compares, and where the near miss fails."""
    claim = Claim(**record)
    compared = [f"Compared {'exactly' if claim.precision == 'exact' else claim.precision.replace('floats', 'as floats,')}."] if claim.cases else []
    wrong = [f"Tempting but wrong: {claim.near_miss} (fails at {short(claim.near_miss_fails_at)})."] if claim.near_miss else []
    return " ".join(compared + wrong)


LONGEST_CASE = 34


def short(case):
    """'relevance = [0, 1], n_relevant = 1' is '[0, 1]': R is left out where it is the number of hits."""
    ranking = re.match(r"relevance = (\[[\d, ]+\])(?:, n_relevant = (\d+))?(, .*)?$", case)
    if ranking:
        hits, total, rest = re.findall("1", ranking[1]), ranking[2], ranking[3] or ""
        case = ranking[1] + ("" if total in (None, str(len(hits))) else f", R = {total}") + rest
    return case if len(case) <= LONGEST_CASE else f"{case[:LONGEST_CASE].rsplit(',', 1)[0]}, …"


# ---- The page --------------------------------------------------------------------------------------------


class ReadingFirst(SphinxPostTransform):
    """Rearrange a page that is made from a notebook."""

    default_priority = 210  # after myst-nb has hidden inputs (199), before formulas are rendered (900)

    def run(self, **_):
        self.notebook, found = notebook_of(self)
        if not self.notebook:
            return
        self.boxes = {cell.id: found[cell.number - 1] for cell in self.notebook.code}
        self.cells = {id(box): cell for cell, box in zip(self.notebook.code, self.boxes.values(), strict=True)}
        self.fold_checks()
        self.set_pairs()
        self.mark_steps()
        self.mark_listings()
        for tiles in self.document.findall(lambda node: isinstance(node, nodes.literal) and TILES.fullmatch(node.astext())):
            tiles["classes"].append("closed")
        self.fold_code()
        self.point_to_folds()
        self.shorten_card()
        for box in self.boxes.values():
            pictures = [part.astext() for part in box.findall(nodes.raw) if "<svg" in part.astext() or "<hands-on" in part.astext()]
            if pictures:
                width = max(WIDE + 1 if "<hands-on" in each else points(each) for each in pictures)
                box["classes"] += ["wide"] * (width > WIDE) + ["figure-cell"] * (width <= WHOLE or box.parent is self.document[0])
        if self.notebook.chapter:
            self.gather_checks()
            self.fold_deeper()
            self.fold_exercises()
            for section in list(self.document.findall(nodes.section)):
                children = [child for child in section.children if not isinstance(child, nodes.Invisible)]
                for row in rows([self.kind(child) for child in children]):
                    put_beside(section, [(column, [children[place] for place in places]) for column, places in row])

    # ---- folds

    def fold_checks(self):
        """Each check, with the box of its near miss, into the box of its statement."""
        self.hidden = {}  # id of a cell -> where its code is: in words, and the label of a check
        statements = {name: box for box in self.document.findall(is_statement) for name in box["ids"]}
        for run in self.notebook.checks:
            record, boxes = run[-1].claim, [self.boxes[cell.id] for cell in run]
            label = record["label"]
            before = boxes[0].parent[boxes[0].parent.index(boxes[0]) - 1]
            if "near-miss" in before.get("classes", ()):
                boxes.insert(0, before)
            for box in boxes:
                box.parent.remove(box)
            name = f"check-{label}"
            links = [anchor_link(f"Back to {label}", label), nodes.Text(" · "), anchor_link("Link to this check", name)]
            detail = [nodes.paragraph("", words, classes=["check-detail"])] if (words := check_detail(record)) else []
            back = nodes.paragraph("", "", *links, classes=["back"])
            statements[label] += folded("check", check_line(record), [*in_coq(label, "../"), *detail, *boxes, back], name)
            self.hidden |= dict.fromkeys((cell.id for cell in run), ("the check of ", label))

    def gather_checks(self):
        """Where a chapter has many checks, those of a section below "Deeper" open together, at its end; the line at the foot of a statement leads there."""
        if len(self.notebook.checks) <= MANY_CHECKS:
            return
        for section in self.deeper_sections():
            together = []
            for check in [box for box in section.findall(fold) if "check" in box["classes"]]:
                [name] = check["ids"]
                line = nodes.paragraph("", "", raw(f'<a href="#{name}">{check["line"]}</a>'), classes=["check-line"])
                together.append(nodes.container("", nodes.paragraph("", "", raw(check["line"])), *check.children, ids=[name], classes=["fold", "check"]))
                check.parent.replace(check, line)
            if together:
                section += folded("checks", "The checks of this section", together)

    def fold_code(self):
        """The code of imports, of figures, and of all that shows something in the section on real data."""
        first = [cell for cell in self.notebook.code if cell.id == "find-metrics"]
        real_data = [section for section in self.document.findall(nodes.section) if "real-data" in section["ids"]]
        real = {id(box) for section in real_data for box in section.findall(nodes.container)}
        importing = [cell for cell in self.notebook.code if cell.imports and cell.silent]
        names = [name for cell in importing for name in re.findall(r"(?m)^(?:from|import) (\w+)", cell.source)]
        self.wrap([*first, *importing] if importing else [], f"Imports: {', '.join(dict.fromkeys(names))}", "imports plumbing")
        run = []  # of silent cells
        for cell in self.notebook.cells:
            what = None
            if cell.kind == "code" and cell not in first + importing and cell.id not in self.hidden:
                if cell.silent:
                    run.append(cell)
                    continue
                what = "a figure" if shows(cell, SVG) else "a table" if is_table(cell) else "real data" if id(self.boxes[cell.id]) in real else None
            if what:
                self.code_below([*run, cell], what)
            else:
                self.wrap([silent for silent in run if "glue(" in silent.source], "The code for the numbers in the text", "code plumbing")
            run = []

    def wrap(self, cells, line, kind):
        """These cells in a fold of their own, where the first of them stands."""
        boxes = [self.boxes[cell.id] for cell in cells]
        for hidden in [node for box in boxes for node in box.findall(HideCodeCellNode)]:
            hidden.parent.replace(hidden, hidden.children)
        if boxes:
            parent, place = boxes[0].parent, boxes[0].parent.index(boxes[0])
            for box in boxes:
                box.parent.remove(box)
            parent.insert(place, folded(kind, escape(line), boxes))

    def code_below(self, cells, what):
        """The code of these cells in a fold below the output of the last, which is `what`."""
        shown = self.boxes[cells[-1].id]
        sources = []
        for cell in cells:
            box = self.boxes[cell.id]
            for source in cell_parts(box, "cell_code_source"):
                source.parent.remove(source)
                sources.append(source)
            if box is not shown:
                box.parent.remove(box)
        shown.children = [child for child in shown.children if child.get("nb_element") == "cell_code_output"]
        shown += folded("code plumbing", "The code", sources)
        self.hidden |= dict.fromkeys((cell.id for cell in cells), (f"the code of {what}", None))

    def set_pairs(self):
        """The output of `pair(...)`: steps, code, the number; the terms that the first two share are coloured."""
        for cell in self.notebook.code:
            if not shows(cell, PAIR):
                continue
            record, box = next(data[PAIR] for data in cell.shown if PAIR in data), self.boxes[cell.id]
            code = next(box.findall(lambda node: isinstance(node, nodes.literal_block) and node.parent.get("nb_element") != "cell_code_source"))
            output = code.parent
            at = output.index(code)
            formulas, result = output.children[:at], output.children[at + 1 :]
            in_latex, in_code = zip(*record["terms"]) if record["terms"] else ((), ())
            colour_terms([part for node in formulas for part in node.findall(nodes.math)], in_latex)
            title = nodes.paragraph("", "", nodes.Text("The shipped code: "), nodes.literal("", f"metrics.{record['name']}"))
            steps = nodes.container("", nodes.paragraph("", "The formula, step by step"), *formulas, classes=["pair-formula"])
            code = nodes.container("", title, raw(coloured(code.astext(), in_code)), classes=["pair-code"])
            output.children = []
            output += nodes.container("", steps, code, nodes.container("", *result, classes=["pair-result"]), classes=["pair"])
            box["classes"].append("wide")
            self.code_below([cell], "the pair")

    def mark_steps(self):
        """The steps of a proof are a table without a head."""
        for table in self.document.findall(nodes.table):
            head = next(table.findall(nodes.thead), None)
            if head is not None and not head.astext().strip():
                head.parent.remove(head)
                table["classes"] = [*(name for name in table["classes"] if name != "colwidths-auto"), "steps"]

    def mark_listings(self):
        """Of the source that ships, the first line of its docstring (with *Code* on, the whole); what would tower above its text is one line that opens."""
        for box in self.boxes.values():
            if listing := listing_of(box):
                for call in cell_parts(box, "cell_code_source"):
                    call.parent.remove(call)
                whole = next(listing.findall(nodes.literal_block))
                short = first_line_of_docstring(whole.astext())
                shown = nodes.literal_block(short, short, language="python") if short != whole.astext() else whole
                if sum(len(line) // LISTING + 1 for line in short.splitlines()) >= LONG_LISTING and "runnable" not in listing["classes"]:
                    listing.replace(whole, folded("code", f"<code>{escape(call_of(whole.astext()))}</code>", [shown]))
                elif shown is not whole:
                    listing.replace(whole, shown)
                    listing += folded("code plumbing", "with its whole docstring", [whole])

    def point_to_folds(self):
        """Below an open cell, say from which fold the names come that it uses."""
        made = {}
        for cell in self.notebook.code:
            if cell.id not in self.hidden:
                names = {name: self.hidden[made[name]] for name in sorted(cell.uses) if made.get(name) in self.hidden}
                if names:
                    note = nodes.paragraph("", "", classes=["from-fold"])
                    for number, ((words, label), group) in enumerate(groupby(sorted(names, key=names.get), key=names.get)):
                        note += nodes.Text(f"{'; ' if number else ''}{', '.join(group)}: made in {words}")
                        if label:
                            note += anchor_link(label, f"check-{label}")
                    self.boxes[cell.id].append(note)
            made |= dict.fromkeys(cell.binds, cell.id)

    def shorten_card(self):
        """The card as one line, with the objectives behind a click; below it the belief to give up; the imports at the foot of the page."""
        card = next((box for box in self.document.findall(nodes.admonition) if "chapter-card" in box["classes"]), None)
        imports = next((box for box in self.document.findall(fold) if "imports" in box["classes"]), None)
        if imports:
            imports.parent.remove(imports)
            (list(self.document.findall(nodes.section)) or [self.document])[0].append(imports)
        if card is None:
            return
        parts = {item[0].astext(): item[1] for item in card.findall(nodes.definition_list_item)}
        time = parts["Time"].astext().removeprefix("about ")
        line = nodes.paragraph("", f"{time.partition(',')[0]} · needs ")
        for number, paragraph in enumerate(parts["You need"].findall(nodes.paragraph)):
            line += [nodes.Text(", ")] * bool(number) + paragraph.children
        whole = nodes.paragraph("", f"Time: {time}.")
        shown = ["Checks", "Code"] if any("check" in box["classes"] for box in self.document.findall(fold)) else ["Code"]
        switches = "".join(f'<button class="switch" type="button" data-shows="{name.lower()}" aria-pressed="false">{name}</button>' for name in shown)
        objectives = folded("objectives", "Objectives", [*parts["After this chapter you can"].children, whole])
        content = [line, objectives, raw(f'<span class="switches">{switches}</span>')]  # in the page itself: nothing moves when the script arrives
        said = nodes.paragraph("", "", nodes.inline("", "A belief to give up", classes=["label"]), nodes.Text(" “"), classes=["belief"])
        for paragraph in parts["A belief to give up"].findall(nodes.paragraph):
            said += paragraph.children
        said += nodes.Text("”")
        card.parent.replace(card, [nodes.container("", *content, classes=["chapter-line"]), said])

    def fold_deeper(self):
        """Each section below "Deeper" opens by its title, and keeps its number and its anchors."""
        for part in self.deeper_sections():
            part.insert(1, raw("</summary>"))
            part.insert(0, raw('<details class="fold deeper"><summary>'))
            part += raw("</details>")

    def deeper_sections(self):
        return [part for part in self.document.findall(nodes.section) if "deeper" in part.parent.get("ids", ())]

    def fold_exercises(self):
        """Each exercise opens by its title; its solution is a fold in it."""
        numbers = self.env.toc_fignumbers[self.env.docname].get("exercise", {})
        for box in list(self.document.findall(is_exercise_node)):
            title, *content = box.children
            after = box.parent[box.parent.index(box) + 1 :]
            solution = [node for node in after[:1] if "solution" in node.get("classes", ())]
            for node in solution:
                node.parent.remove(node)
            name = box["ids"][0]
            line = nodes.inline("", f"Exercise {'.'.join(map(str, numbers[name]))}", *title.children)
            link = nodes.paragraph("", "", anchor_link("Link to this exercise", name), classes=["back"])
            opens_by_title(box, [line], [*content, *solution, link])
        for box in list(self.document.findall(nodes.admonition)):
            if "break-it" in box["classes"]:
                opens_by_title(box, box[0].children, box[1:])

    # ---- what stands beside what

    def kind(self, node):
        """What a node of a section is, for its place on the page."""
        classes, cell = set(node.get("classes", ())), self.cells.get(id(node))
        if "in-a-hurry" in classes:
            return "hurry"
        if is_statement(node):
            return "statement"
        if isinstance(node, nodes.section | nodes.title | nodes.raw) or classes & OWN_LINE:
            return "own line"
        if isinstance(node, fold):
            return "fold"
        if cell is None:
            return "text"
        if listing_of(node):
            return "listing"
        if shows(cell, SVG):
            return "figure"
        if cell.id in self.hidden and output_width(cell) <= MAIN:
            return "text"
        tables = [table["classes"] for table in node.findall(nodes.table)]
        return "steps" if any("steps" in names for names in tables) else "table" if tables else "cell"


def opens_by_title(box, title, content):
    """Put in the place of a box a fold whose line is its title."""
    line = [raw('<summary class="admonition-title">'), *title, raw("</summary>")]
    box.parent.replace(box, fold("", *line, *content, ids=box["ids"], classes=["admonition", *box["classes"]]))


OWN_LINE = {"chapter-line", "belief", "exercise", "solution", "report", "check-yourself", "wide"}
SIDE = ("listing", "figure", "hurry")
STEP = ("cell", "steps", "table")


def rows(kinds):
    """The rows of a section, of whose nodes these are the kinds: a statement with its proof, or other text, | the sources and the figure that belong to it."""
    found = [[]]
    for place, kind in enumerate(kinds):
        row = found[-1]
        beside = any(kinds[before] in SIDE for before in row)
        before = [kinds[place] for place in row[-2:]]
        if kind == "own line" or (kind == "fold" and not row):
            found.append([])
            continue
        if kind == "hurry":  # stands beside all that was said before it
            found = [[before for before in range(place) if kinds[before] != "own line"]]
        elif kind in SIDE and not beside:  # beside the last step, not the first
            del row[: max((at for at, before in enumerate(row) if kinds[before] in STEP), default=0)]
        elif beside and kind == "figure" and before[-1] not in SIDE:  # with the text that introduces it, if that is not all
            introduction = row[-1:] if set(before) <= {"text", "fold"} and len(before) == 2 else []
            found[-1:] = [row[: len(row) - len(introduction)], introduction]
        elif beside and kind in STEP or kind == "statement" and before[-1:] != ["statement"]:
            found.append([])
        found[-1].append(place)
    return [columns(row, kinds) for row in found if {kinds[place] in SIDE for place in row} == {True, False}]


def columns(row, kinds):
    """The text before the first source or figure, these, and the text after it; stacked, they are read in this order."""
    side = [place for place in row if kinds[place] in SIDE]
    text = [place for place in row if place not in side]
    parts = ("main", [place for place in text if place < side[0]]), ("side", side), ("main", [place for place in text if place > side[0]])
    return [(column, places) for column, places in parts if places]


def put_beside(section, row):
    """Set the columns of a row, each its name and its nodes, where the first node stands."""
    at = section.index(row[0][1][0])
    for node in [node for _, content in row for node in content]:
        section.remove(node)
    section.insert(at, nodes.container("", *(nodes.container("", *content, classes=[f"beside-{column}"]) for column, content in row), classes=["beside"]))


def anchor_link(words, name):
    return nodes.reference("", words, refuri=f"#{name}", internal=True)


def colours(terms):
    return {term: f"{number}term" for number, term in zip(("first", "second", "third", "fourth"), terms, strict=False)}


def colour_terms(formulas, terms):
    """Give each of the terms in these formulas its colour; a term that is in none of them was not meant."""
    if missing := absent(terms, " ".join(formula.astext() for formula in formulas)):
        raise ExtensionError(f"reading.py: no formula of the pair has the term {missing[0]}")
    for formula in formulas:
        text = alone(terms).sub(lambda term: rf"\textcolor{{{colours(terms)[term[0]]}}}{{{term[0]}}}", formula.astext())
        formula.children = [nodes.Text(text)]


def coloured(code, terms):
    """Python code as HTML, each of the terms in a colour of its own."""
    lexer, formatter, inside = PythonLexer(stripnl=False, ensurenl=False), FewElements(nowrap=True), ""
    for piece in re.split(f"({alone(terms).pattern})", code):
        html, kind = highlight(piece + "\n", lexer, formatter).removesuffix("\n"), colours(terms).get(piece)
        inside += f'<span class="{kind}">{html}</span>' if kind else html
    return f'<div class="highlight-python notranslate"><div class="highlight"><pre>{inside}\n</pre></div></div>'


def first_line_of_docstring(code):
    """The code of a function, its docstring cut after the first line."""
    docstring = ast.get_docstring(ast.parse(code).body[0], clean=False) or ""
    return code.replace(docstring, docstring.partition("\n")[0], 1)


def call_of(code):
    """How a function is called, of its code: `name(one, other)`."""
    function = ast.parse(code).body[0]
    return f"{function.name}({', '.join(argument.arg for argument in function.args.posonlyargs + function.args.args + function.args.kwonlyargs)})"


def is_statement(node):
    return isinstance(node, nodes.Element) and bool(NUMBERED & set(node.get("classes", ()))) and bool(node.get("ids"))


def shows(cell, kind):
    return any(kind in data for data in cell.shown)


def is_table(cell):
    """Whether a cell shows a table of text; the steps of a proof have no head."""
    shown = ["".join(data.get("text/html", "")) + "".join(data.get("text/markdown", "")) for data in cell.shown if PAIR not in data]
    return any("<table" in text or (text.startswith("|") and not text.startswith("| | |")) for text in shown)


def cell_parts(box, kind):
    """The parts of a cell that MyST-NB marks so: its code, or its outputs."""
    return [part for part in box.findall(nodes.container) if part.get("nb_element") == kind]


def listing_of(box):
    return next((part for part in box.findall(nodes.container) if "source-listing" in part["classes"]), None)


def output_width(cell):
    """How wide the outputs are, in characters."""
    formulas = [LARGER * letters("".join(data["text/latex"])) for data in cell.shown if "text/latex" in data]
    plain = [output for output in cell.outputs if "text/latex" not in output.get("data", {})]
    texts = ["".join(output.get("text", "") or output.get("data", {}).get("text/plain", "")) for output in plain]
    return max(formulas + [len(line) for text in texts for line in text.splitlines()], default=0)


UNSEEN = re.compile(r"\\(?:displaystyle|left|right|limits|operatorname|mathrm)(?![a-zA-Z])|\\,")
STACKED = re.compile(r"\\(?:d?frac|(?:sum|prod|int)_)\{([^{}]*)\}\^?\{([^{}]*)\}")  # the parts of a fraction, the bounds of a sum
GROUP = re.compile(r"(?:[_^]|(?<!frac)(?<!\}))\{([^{}]*)\}")  # an index or an argument, but none of a fraction


def letters(latex):
    """How many letters and signs a formula has in a line: of what is stacked, the wider part."""
    text = UNSEEN.sub("", latex)
    while (flat := STACKED.sub(lambda parts: max(*parts.groups(), key=letters), text)) != text or (flat := GROUP.sub(r" \1", text)) != text:
        text = flat
    return len(re.sub(r"\s", "", re.sub(r"\\[a-zA-Z]+", "x", text)))
