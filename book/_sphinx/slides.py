"""Slides: a deck for each chapter whose metadata says which of its parts to show, for how many minutes, and what to say.

    "slides": [["question", 3, "Take numbers by a show of hands before you go on."], ["vote ap-never-ranked", null, "..."], ...]

A vote has no minutes of its own: each takes `VOTE`. Parts are `question`, `answer`, `by-hand`, `pair`, `lab`, `moves`, `hurry`,
`near A6` (what is tempting but wrong), `vote NAME`, `exercise LABEL` (its solution comes sentence by sentence), `table CLASS COLUMN`
(the rows of a table, gathered by what a column says), and the label of a statement, a definition or a figure. They are taken from the
page as it is written. A fourth entry says what the letters on the slide stand for that no slide before it defines: "$N$ is the length
of the list." reveal.js (MIT) shows the slides, in one pinned version, which npm brings once; where it cannot, there are no slides. A
note says what to ask, what they will say, and what to say then; `{A14}` in it is the number of this statement; what a note leaves out,
the chapter adds (slide_notes.py). With `?handout`, a deck is a handout: lines for notes, and no answers.
"""

import re
import shutil
from decimal import Decimal
from fractions import Fraction
from html import escape, unescape
from itertools import count, pairwise, zip_longest
from pathlib import Path

from docutils import nodes
from sphinx.errors import ExtensionError

from metrics.exact.claims import Claim

from .answer_boxes import parts_of
from .html_boxes import fold, raw
from .page_python import brought
from .pages import full_title
from .paths import BUILD
from .slide_notes import ANSWERED, NAMED, SIDES, expected
from .sources import read
from .votes import in_words, inline

VERSION = "6.0.2"
INTEGRITY = "sha512-JYIg5D9aoxoaLeb84O+OvAwsKWdIavVgEDScxtYEXFCT6t6TQrhNtSgogcjdCpdLsWglhJn3zyE3fUOwiH5KEg=="
FILES = {"dist/reveal.js": "reveal.js", "dist/reveal.css": "reveal.css", "dist/plugin/notes.js": "notes.js", "LICENSE": "LICENSE-reveal.txt"}
COLUMNS = {"beside", "beside-main", "beside-side"}
LINK = re.compile(r'<a class="(?:to-reference )?reference internal"[^>]*?href="[^"#]*#?([^"]*)"[^>]*>(.*?)</a>', re.DOTALL)
NUMBERED = re.compile(r"(Theorem|Proposition|Lemma|Corollary|Definition|Algorithm|Exercise|Figure|Fig\.) \d")
QUOTED = re.compile(r"\s*\([^()\0]*\0[^()]*\)|\0")  # in brackets, with what else they hold


def fill(package, folder):
    for name, target in FILES.items():
        shutil.copy(package / name, folder / target)


def bring(app):
    app.reveal = brought(BUILD / ".reveal" / VERSION, "reveal.js", VERSION, INTEGRITY, fill, "There are no slides")
    app.decks = {}


class Deck:
    """The slides of one page."""

    def __init__(self, app, page, doctree):
        self.app, self.page, self.doctree = app, page, doctree
        self.notebook = read(app.env.doc2path(page))
        self.top = next(doctree.findall(nodes.section))
        self.opening = list(flat(self.top))
        self.first_picture = next(at for at, node in enumerate(self.opening) if self.picture(node))  # which stands between the question and its answer
        self.before = ""  # what the slide before shows
        self.slides = timed(self.notebook)
        self.shown = {part for part, *_ in self.slides}

    def html(self, node):
        """A node as on the page, without identifiers and links."""
        node = node.deepcopy()
        for part in node.findall(nodes.Element):
            part["ids"] = []
        fragment = self.app.builder.render_partial(node)["fragment"]
        fragment = QUOTED.sub("", LINK.sub(self.unlinked, fragment))
        return re.sub(r"<(/?)section\b", r"<\1div", fragment)  # a section would be a slide

    def unlinked(self, link):
        """The words of a link, for a slide leads nowhere, marked if they quote the number of what the deck does not show."""
        label, words = link.groups()
        return words if label in self.shown or not NUMBERED.match(re.sub("<[^>]*>", "", words)) else f"\0{words}"

    def picture(self, box):
        """What is drawn in a box, without its caption."""
        found = next((part.astext() for part in box.findall(nodes.raw) if "<svg" in part.astext() or "<hands-on" in part.astext()), None)
        return found and f'<div class="drawn">{found}</div>'

    def of_class(self, name):
        return self.first(f"of the class {name}", lambda node: name in node.get("classes", ()))

    def first(self, what, fits):
        """The first node of the page that fits, which is `what`."""
        for node in self.doctree.findall(nodes.Element):
            if fits(node):
                return node
        raise ExtensionError(f"slides.py: {self.page} has nothing {what}")

    # ---- the parts, each a headline and its contents

    def question(self):
        texts = [self.html(node) for node in self.opening[: self.first_picture] if isinstance(node, nodes.paragraph) and "belief" not in node["classes"]]
        return "", f'<div class="large">{"".join(texts)}</div>'

    def answer(self):
        answered = self.opening[self.first_picture :]
        bold = next(part for node in answered if isinstance(node, nodes.paragraph) for part in node if isinstance(part, nodes.strong))
        words, drawn = f'<div class="large">{self.html(nodes.paragraph("", "", bold.deepcopy()))}</div>', self.picture(answered[0])
        return "", words if drawn in self.before else drawn + later(words)

    def by_hand(self):
        section = next(part for part in self.top if isinstance(part, nodes.section))
        every = [*flat(section), None]
        kept = [(node, self.html(node), after) for node, after in pairwise(every) if isinstance(node, KEPT)]
        kept = [(node, before_code(html) if node.astext().rstrip().endswith(":") and not isinstance(after, KEPT) else html) for node, html, after in kept]
        kept = [(node, html) for node, html in kept if html and not node.astext().startswith("The program ")]
        shown = next((place for place, (node, _) in enumerate(kept) if isinstance(node, nodes.math_block)), len(kept)) + 1  # the rest comes step by step
        return section[0].astext(), "".join(html for _, html in kept[:shown]) + "".join(later(html) for _, html in kept[shown:])

    def moves(self):
        return "", next(text for text in map(self.picture, self.doctree.findall(nodes.container)) if text and "<hands-on" in text)

    def hurry(self):
        box = self.of_class("in-a-hurry")
        return box[0].astext(), "".join(map(self.html, box[1:]))

    def near(self, label):
        claim = Claim(**next(record for record in self.notebook.claims if record["label"] == label))
        words = re.sub(r"^(a(?= )|[a-z]{2,}(?= ))", lambda first: first[0].capitalize(), claim.near_miss)
        sides = side_by_side(claim.near_miss_claims, claim.near_miss_truth)
        tried = f'<div class="fragment case">{in_tiles(claim.near_miss_fails_at)}</div>{later(sides)}'
        return "Tempting but wrong", f'<div class="large"><p>{typeset(words)}.</p></div><p class="soft">Beside {self.named(label)}.</p>{tried}'

    def vote(self, name):
        box = self.first(f"that is the vote {name}", lambda node: isinstance(node, nodes.raw) and f'id="vote-{name}"' in node.astext())
        return f"Vote: {in_words(name)}", self.html(box.parent).replace(f'name="vote-{name}"', "")

    def table(self, kind_and_column):
        """A table of the page, its first column gathered by what another column says, with its last column in brackets."""
        kind, _, column = kind_and_column.partition(" ")
        table = self.first(f"with the table {kind}", lambda node: isinstance(node, nodes.raw) and f'<table class="{kind}"' in node.astext()).astext()
        heads = re.findall(r'<th scope="col">(.*?)</th>', table)
        by, groups = heads.index(column), {}
        for row in re.findall(r'<tr><th scope="row">.*?</tr>', table, re.DOTALL):
            name, *facts = (" ".join(cell.split()) for cell in re.findall(r"<t[hd].*?>(.*?)</t[hd]>", row, re.DOTALL))
            remark = facts[-1].partition("; ")[0].replace(" (", ", ").removesuffix(")")
            groups.setdefault(facts[by - 1], []).append(f"<b>{name}</b>" + f" ({remark})" * (remark not in ("", "cut the list yourself")))
        rows = "".join(f'<tr class="fragment"><th scope="row">{value}</th><td>{", ".join(names)}</td></tr>' for value, names in groups.items())
        caption = re.search(r"<caption>(.*?)</caption>", table)[1]
        return caption.partition(".")[0], f'<table class="gathered"><tbody>{rows}</tbody></table>'

    def exercise(self, label):
        """An exercise, and what its solution says without code, a sentence at each press of a key."""
        box = self.labelled(label)
        shown = lambda node, box: isinstance(node, WORDED) and in_sight(node, box) and "back" not in node["classes"]
        inside = lambda box: [self.html(part) for part in box.findall(lambda node: shown(node, box))]
        title = next(words for words in map(TITLE.search, box.astext().splitlines()) if words)[1]
        number = self.app.env.toc_fignumbers[self.page]["exercise"][label]
        solution = inside(next(node for node in box.findall(fold) if "solution" in node["classes"]))
        steps = [sentences(re.sub(r":(?=(?:</span>)*</p>)", ".", html)) if html.startswith("<p") else later(html) for html in solution]
        asked, solved = (f'<div class="{name}">{"".join(parts)}</div>' for name, parts in (("large", inside(box)), ("solved", steps)))
        return f"Exercise {'.'.join(map(str, number))}: {escape(title)}", asked + solved

    def answered(self, label):
        """What an exercise's box takes for right, and what it says to other answers, for the notes."""
        cell = next((cell for cell in self.notebook.code if cell.metadata.get("answer", {}).get("exercise") == label), None)
        parts = [*parts_of(cell)] if cell else []
        right = "; ".join(f"{words} = {', '.join(numbers)}" for words, numbers, _ in parts)
        wrong = " ".join(f"To those who say {number} for {words}: {said}" for words, _, meanings in parts for number, said in meanings.items())
        return f"Right: {right}. {wrong}".strip() if parts else ""

    def named(self, label):
        """A statement's title, with its number if the deck shows it: 'Theorem 4.1 (The area is a sum)'."""
        box = self.labelled(label)
        title = escape(box[0].astext().strip("() "))
        number = self.app.env.toc_fignumbers.get(self.page, {}).get(box.get("countertype"), {}).get(label)
        return f"{box['realtype'].title()} {'.'.join(map(str, number))} ({title})" if number and label in self.shown else f"“{title}”"

    def number(self, label):
        """The number of a statement of the page, for the notes, which may point to one that the deck does not show: 'Theorem 4.3'."""
        box = self.labelled(label)
        return f"{box['realtype'].title()} {'.'.join(map(str, self.app.env.toc_fignumbers[self.page][box['countertype']][label]))}"

    def labelled(self, label):
        return self.first(f"with the label {label}", lambda node: label in node.get("ids", ()) and len(node))

    def by_label(self, label):
        node = self.labelled(label)
        if drawn := self.picture(node):
            captions = "".join(caption.astext() for caption in node.findall(nodes.caption))
            return "", f'{drawn}<p class="soft">{escape(captions)}</p>'
        return self.named(label), "".join(self.html(part) for part in node[1:] if not isinstance(part, fold) and "check-line" not in part["classes"])

    # ---- the deck

    def slide(self, part, minutes, say, where=""):
        kind, _, name = part.partition(" ")
        method = getattr(self, kind.replace("-", "_"), None) if kind in PARTS else None
        if kind in SHOWN:
            title, body = "", self.html(self.of_class(SHOWN[kind]))
        else:
            title, body = method(*([name] if name else [])) if method else self.by_label(part)
        self.before, say = body, re.sub(r"\{(\w+)\}", lambda label: self.number(label[1]), say)
        if kind == "answer" or HIDES.search(say):
            body = in_steps(body)
        if HIDES.search(say) and "fragment" not in body and kind not in ("vote", "moves", "lab"):  # which open by themselves
            body = later(body)
        if where:
            body += self.html(nodes.paragraph("", "", *inline(where), classes=["where"]))
        own = re.sub(r"\W", "", part)  # a figure may stand on several slides, with names of its own on each
        body = re.sub(r'(id="|url\(#|href="#)(fig\d+-)', rf"\1{own}-\2", body)
        head = f"<h2>{title}</h2>" if title else ""
        first = part == next((each for each, *_ in self.slides if each.startswith("vote ")), "")
        more = f"{right_of(body)} {VOTING * first}" if kind == "vote" else self.answered(name) if kind == "exercise" else ""
        answers = "" if ANSWERED.search(say) or kind == "exercise" else expected(self, kind, name, body)
        notes = escape(" ".join(filter(None, (f"{minutes} minutes. {say}", answers, more.strip()))))
        return f'<section class="of-{kind}" data-timing="{60 * minutes}"><div class="fit">{head}{body}</div><aside class="notes">{notes}</aside></section>'

    def belief(self):
        return self.of_class("belief").astext().partition("“")[2].removesuffix("”")

    def cover(self):
        belief, title = self.belief(), full_title(self.app.env, self.page)
        notes = f"{OPENING} The deck takes {kinds_of(self.slides)}."
        head = f'<h1>{escape(title)}</h1><p class="belief">“{escape(belief)}”</p>'
        return f'<section class="of-cover"><div class="fit">{head}</div><aside class="notes">{notes}</aside></section>'

    def __str__(self):
        slides = "\n".join([self.cover(), *(self.slide(*part) for part in self.slides)])
        things = dict.fromkeys(name for name, _ in self.notebook.moving if f'data-name="{name}"' in slides)
        files = ["ranking-lab"] * ("<ranking-lab" in slides) + ["hands-on"] * bool(things) + [f"hands-on-{name}" for name in things]
        scripts = "".join(f'<script defer src="../_static/{name}.js"></script>' for name in files)
        return PAGE.format(title=escape(full_title(self.app.env, self.page)), slides=slides, scripts=scripts, page=self.page.rpartition("/")[2])


def timed(notebook):
    """The slides that the metadata of a notebook name, each with its minutes: those of a vote are the same everywhere."""
    return [(part, VOTE if part.startswith("vote ") else minutes, *rest) for part, minutes, *rest in notebook.raw["metadata"].get("slides", ())]


def kinds_of(slides):
    """How long a deck takes, and its parts.

    >>> kinds_of([("question", 3), ("lab", 4), ("vote ap-ten-more", 7), ("vote ap-two-swaps", 7), ("exercise ex-ap-by-hand", 3)])
    '24 minutes: votes 14 (7 each), lab 4, exercises 3, other slides 3'
    """
    taken = {kind: sum(minutes for part, minutes, *_ in slides if part.partition(" ")[0] == kind) for kind in ("vote", "lab", "exercise")}
    whole, rest = sum(minutes for _, minutes, *_ in slides), sum(minutes for _, minutes, *_ in slides) - sum(taken.values())
    words = {"vote": f"votes {taken['vote']} ({VOTE} each)", "lab": f"lab {taken['lab']}", "exercise": f"exercises {taken['exercise']}"}
    return f"{whole} minutes: {', '.join(words[kind] for kind, each in taken.items() if each)}, other slides {rest}"


def in_sight(node, box):
    """Whether a node of a box lies in no cell and in no fold within it."""
    while (node := node.parent) is not box:
        if isinstance(node, fold) or "cell" in node.get("classes", ()):
            return False
    return True


def sentences(html):
    """A paragraph whose sentences come one by one: a mark ends one, if all that was opened in it is closed."""
    opening, inner, closing = re.fullmatch(r"(<p[^>]*>)(.*)(</p>)\s*", html, re.DOTALL).groups()
    found = [""]
    for piece in re.split(r"(?<=[.?])((?:</span>)*\s+)(?=[A-Z<])", inner):
        found[-1] += piece
        opened = len(re.findall(r"<(?!wbr|br)[a-z][^>]*(?<!/)>", found[-1]))
        if re.search(r"[.?](?:</span>)*\s+$", found[-1]) and opened == found[-1].count("</"):
            found.append("")
    return opening + "".join(f'<span class="fragment">{sentence}</span>' for sentence in found if sentence) + closing


HIDES = re.compile(r"before you (?:show|read)|\b(?:[Hh]ide|Cover) the\b")  # a note that asks the speaker to keep something back


def in_tiles(case):
    """The smallest case at which a near miss fails: its rankings as tiles, relevant items beyond the list dashed; of all other letters the values."""
    given = {name: value for name, value in re.findall(r"(\w+) = (.*?)(?=, \w+ = |$)", case)}
    shown = []
    for name, value in given.items():
        lists = re.findall(r"\[([\d, ]+)\]", value) if name in RANKINGS else []
        missing = int(given.get("n_relevant", 0)) - len(re.findall("[1-9]", value)) if name == "relevance" else 0
        strips = "".join(strip(re.findall(r"\d+", one), name == "order", missing) for one in lists)
        shown.append(strips or f"<span>{typeset(f'{NAMED.get(name, name)} = {value}')}</span>")
    return "".join(shown)


def typeset(words):
    """Words with formulas as a programmer types them: letters in italics, indices and exponents in their places."""
    words = re.sub(r"(?<!\w)-(?=\d)| - ", lambda minus: minus[0].replace("-", "−"), escape(words))
    words = re.sub(r"\^\((.*?)\)", r"<sup>\1</sup>", words)
    letters = r"(?<![\w&])([b-zB-DG-OQ-Zα-ω]|mρ|A(?= −)|a(?=[],]| =))(?:_(\d))?(?![\w@’])"
    return re.sub(letters, lambda found: f"<i>{found[1]}</i>" + (f"<sub>{found[2]}</sub>" if found[2] else ""), words)


def strip(items, named, missing=0):
    """One ranking as tiles: relevant items are a, b, c and the others x, y, z, a grade above 1 stands beside its letter."""
    hits, misses = iter("abcdefgh"), iter("xyzuvw")
    kinds = [("miss", item) if named else ("hit", next(hits) + item * (item > "1")) if item != "0" else ("miss", next(misses)) for item in items]
    kinds += [("lost", next(hits)) for _ in range(missing)]
    return f'<span class="strip">{"".join(f"<i class={kind}>{item}</i>" for kind, item in kinds)}</span>'


def side_by_side(claimed, true):
    """What a near miss claims of a case and what is true, as two bars if both are numbers."""
    numbers = [re.findall(r"-?\d[\d./e+-]*", side) for side in (claimed, true)]
    apart = next(((one, other) for one, other in zip(*numbers) if one != other), ()) if len(numbers[0]) == len(numbers[1]) else ()
    words, values = [SIDES.get(side, side) for side in (claimed, true)], ()
    if apart and not {claimed, true} <= {*SIDES}:
        words, values = (claimed, true) if len(numbers[0]) == 1 else apart, [*map(Fraction, apart)]
    low, high = min([0, *values]), max([0, *values])
    rows = ""
    for name, text, value in zip_longest(("claimed", "true"), words, values):
        text = text if len(text) < 20 else f"{Decimal(value.numerator) / value.denominator:.20f}" if values else text
        bar = f'<i style="margin-left: {share(min(value, 0) - low, high - low)}; width: {share(abs(value), high - low)}"></i>' if values else ""
        rows += f'<dt>{name}</dt><dd class="{name}">{bar and f"<span>{bar}</span>"}<b>{typeset(text)}</b></dd>'
    return f'<dl class="sides">{rows}</dl>'


def share(part, whole):
    return f"{float(100 * part / whole) if whole else 0:.4g}%"


RANKINGS = {"relevance", "lists", "order"}


def before_code(html):
    """A paragraph without the sentences that lead to the code below it."""
    ends = [end.end() for end in re.finditer(r"\.(?:</span>)*\s+(?=[A-Z])", html)]
    cut = next((end for end in ends if html.startswith("In code", end)), ends[-1] if ends else 0)
    return f"{html[:cut].rstrip()}</p>" if cut else ""


def later(html):
    """What a slide shows at the next press of a key."""
    return f'<div class="fragment">{html}</div>'


def in_steps(html):
    """A slide whose picture comes part by part, or layer by layer, where it has parts or layers."""
    number = count()

    def step(part):
        return f'<svg class="part{" fragment" if next(number) else ""}"{part[1]} style="flex: {part[2]} 1 0"'

    html = re.sub(r'data-step="(\d)"', r'class="fragment" data-fragment-index="\1"', html)
    parts = re.findall(r'<svg class="part" aria-hidden="true" viewBox="\S+ \S+ (\S+) (\S+)"', html)
    if parts:
        ratio = sum(float(wide) for wide, _ in parts) / float(parts[0][1])
        html = re.sub(r'<div class="picture stacks ([^"]*")', rf'<div style="--ratio: {ratio:.3f}" class="picture in-steps stacks \1', html)
    return re.sub(r'<svg class="part"( aria-hidden="true" viewBox="\S+ \S+ (\S+) \S+") style="[^"]*"', step, html)


def right_of(vote):
    """Which option of a vote is right, for the notes: by its letter, as slides.css writes it."""
    kinds = re.findall(r'<details class="(right|wrong)"', vote)
    words = re.search(r'<details class="right"[^>]*><summary>(.*?)</summary>', vote, re.DOTALL)[1]
    return f"Right is {'ABCDEFGH'[kinds.index('right')]}: {unescape(re.sub('<[^>]*>', '', words))}."


VOTE = 7  # minutes, with its discussion and a second vote; the page for teachers says so, too
VOTING = (
    "All votes go like this: everybody votes alone. Fewer than 35 per cent right: explain. "
    "Up to 70: let neighbours talk for two minutes, and vote again. More: go on."
)
OPENING = "Ask who would sign this sentence. They will raise many hands. Then: keep the number, and ask again after the last slide."
KEPT = nodes.paragraph | nodes.raw | nodes.math_block  # of a computation by hand; its code is left out
WORDED = nodes.paragraph | nodes.math_block
TITLE = re.compile(r"\((.*), \d+ min\)")
PARTS = {"exercise", "question", "answer", "by-hand", "moves", "hurry", "near", "table", "vote"}
SHOWN = {"pair": "pair", "lab": "ranking-lab"}
PAGE = """<!DOCTYPE html>
<html lang="en" data-theme="light"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}: slides</title>
<script src="../_static/slides.scheme.js"></script>
<link rel="icon" href="../_static/favicon.svg">
<link rel="stylesheet" href="reveal.css" media="(scripting)"><link rel="stylesheet" href="../_static/pygments.css">
<link rel="stylesheet" href="../_static/book.css"><link rel="stylesheet" href="../_static/slides.css"></head>
<body class="reveal-viewport"><main class="reveal"><div class="slides">
{slides}
</div></main><footer class="foot"><a href="../book/{page}.html">{title}</a> <a href="{page}.html?handout">Handout</a>
<a href="../book/teaching.html#plan-{page}">Minutes</a></footer>
<script defer src="reveal.js"></script><script defer src="notes.js"></script>{scripts}<script defer src="../_static/slides.js"></script>
</body></html>
"""


def flat(section):
    """The nodes of a section, those in columns one by one; not its sections."""
    for node in section:
        if COLUMNS & set(node.get("classes", ())):
            yield from flat(node)
        elif not isinstance(node, nodes.section):
            yield node


def make_deck(app, pagename, templatename, context, doctree):
    if doctree and getattr(app, "reveal", None) and wanted(app.env.doc2path(pagename)):
        app.decks[pagename.rpartition("/")[2]] = str(Deck(app, pagename, doctree))


def wanted(path):
    return path.endswith(".ipynb") and "slides" in read(path).raw["metadata"]


def offer(here):
    """A link to the slides in the line of the chapter."""
    path = here.env.doc2path(here.env.docname)
    if getattr(here.app, "reveal", None) and wanted(path):
        line = next(node for node in here.document.findall(nodes.container) if "chapter-line" in node["classes"])
        line.insert(2, raw(f'<a class="to-slides" href="../slides/{Path(path).stem}.html">Slides</a>'))  # after the objectives


def with_script_in_a_file(notes):
    """The plugin for notes writes a window for the speaker, with a script in it: the same with the script in a file, and this file."""
    before, script, after = re.fullmatch(r"(.*<script)>(.*)(<\\/script>.*)", notes, re.DOTALL).groups()
    return f'{before} src="speaker.js">{after}', script.replace("\\\\", "\\")  # which stood in a text


def write(app):
    if app.decks:
        folder = Path(app.outdir, "slides")
        shutil.copytree(app.reveal, folder, dirs_exist_ok=True)
        notes = (folder / "notes.js").read_text(encoding="utf-8")
        for name, text in zip(("notes.js", "speaker.js"), with_script_in_a_file(notes), strict=True):
            (folder / name).write_text(text, encoding="utf-8")
        for name, text in app.decks.items():
            (folder / f"{name}.html").write_text(text, encoding="utf-8")
