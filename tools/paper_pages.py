"""A built page made ready for paper: what opens is open, what moves is drawn, what can only be done on a screen is gone.

A reference gets the number of its page, a vote letters, a long word places where it may be parted, and a line of code room for what follows below it.
"""

import re
from functools import cache, reduce
from html import escape
from itertools import takewhile

from bs4 import NavigableString
from pyphen import Pyphen

from tools.built_pages import draw_what_moves, lead, soup

# What is of use on a screen only: parts of pages, and paragraphs by their beginnings.
ON_SCREEN = {
    "how-to-use": "#reading, #running, #teaching",
    "rosetta": "form",
}
SAID_OF_THE_SCREEN = (
    "Click a library to open its table.",
    "Each row has an address:",
    "The line below the theorem opens to show its check",
    "Open this page as a notebook",
    "Change things.",
)
INSTEAD = {
    "The line opens to show the cell that made it. Here is such a cell,": "A cell makes that line. Here is one,",
    "; when opened, it says the same in more words.": ".",
    " Print this page on both sides of a sheet.": "",
}
LETTERS = 332  # points that a figure may be wide
SMALLER = 0.7  # letters of 12 points in a figure are then no larger than the text
TOO_WIDE = 1.3  # times the page: the letters of such a figure would be too small
ONE_PLOT = re.compile("--fig-(places|replicates|arch-in-its-library|cast)$")  # what a telephone alone cuts in two
WORD = re.compile(r"[A-Za-z]?[a-z]{6,}(?![a-z]|\u00a0\d)")


# ---- What is on a screen only ------------------------------------------------------------------------------------


def leave_the_screen(page):
    """Take away what only a screen has, and open what is folded."""
    article = page.article
    for part in article.select(ON_SCREEN.get(page.name, "none") + ", .how, a.to-slides, form, .again"):
        part.decompose()
    for paragraph in article.find_all("p"):
        for source in paragraph.find_all("a", string=re.compile("^Its source")):
            source.decompose()
        if paragraph.get_text().strip().startswith(SAID_OF_THE_SCREEN):
            paragraph.decompose()
    for text in article.find_all(string=re.compile("|".join(map(re.escape, INSTEAD)))):
        text.replace_with(reduce(lambda words, pair: words.replace(*pair), INSTEAD.items(), text))
    for fold in article.select("details:not(.solution), details:not(.solution) > summary"):
        fold.name = "div"
    for detail in article.select(".check-line + .check-detail"):
        line = detail.find_previous_sibling()
        line.append(f". {detail.get_text()}")
        detail.decompose()
    for button in article.select("button"):
        button.name = "span"
    for section in article.select("section section"):  # of a lab alone
        if heading := section.find(["h2", "h3", "h4"]):
            if section.get_text().strip() == heading.get_text().strip() and not section.svg:
                section.decompose()


# ---- Exercises and votes -----------------------------------------------------------------------------------------


def answers_of(page):
    """Take the solutions of exercises and the answers of votes out of a page, in their order; each place says on which page its answer is."""
    for number, found in enumerate(page.article.select("details.solution, div.vote"), 1):
        mark = f"{page.name}--answer-{number}"
        is_vote = "vote" in found["class"]
        where = found.find(class_="asked") if is_vote else found.find_previous(class_=["exercise", "break-it"])
        title = where if is_vote or where is None else where.find(class_="admonition-title")
        name = "What do you think?" if is_vote else title.get_text().strip() if title else "Exercise"
        body = _verdict(found) if is_vote else _solution(found)
        if title:
            home = title.get("id") or (where.get("id") if not is_vote else None)
            if not home:
                home = title["id"] = f"{page.name}--asked-{number}"
            title.append(soup(f' <a class="answer-at" href="#{mark}">({"answer" if is_vote else "solution"} on page {place(mark)})</a>'))
            back = f' <a class="answer-at" href="#{home}">(page {place(home)})</a>'
        else:
            back = ""
        yield f'<div class="answer" id="{mark}"><h3>{escape(name)}{back}</h3>{body}</div>'


def _solution(found):
    found.extract()
    found.summary.decompose()
    return found.decode_contents(formatter="minimal")


def _verdict(vote):
    """Give the options of a vote letters, and return what is to be said of the right one."""
    right = ""
    for letter, option in zip("ABCDEFGH", vote.select(".option")):
        (option.find("p") or option).insert(0, soup(f'<b class="letter">{letter}</b> '))
        if "right" in option["class"]:
            right = letter
    said = vote.find_all("p", recursive=False)[-1].extract()
    if said.strong:
        said.strong.string = f"{right}."
    return str(said)


# ---- References ----------------------------------------------------------------------------------------------------


def place(anchor):
    """What stands for the number of the page of a place until that is known."""
    return f"{{page of {anchor}}}"


def numbered(text, pages):
    """A text with the numbers of pages, "000" where they are not known yet."""
    return re.sub(r"\{page of ([^}]*)\}", lambda name: str(pages.get(name[1], "000")), text)


def within(page, names):
    """Give every identifier on a page a form that is unique in the whole book, and let links and references follow."""
    lead(page, lambda name, anchor: name in names and (f"#{name}--{anchor}" if anchor else f"#{name}"))
    for tag in page.article.find_all(True):
        if tag.get("id"):
            tag["id"] = f"{page.name}--{tag['id']}"
        for key in tag.attrs.keys() & {"href", "xlink:href", "style", "clip-path"} if tag.name != "a" else ():
            tag[key] = re.sub(r"(^|url\()#", rf"\g<1>#{page.name}--", tag[key])


def name_headings(page):
    """Give the name of each section to its heading, for a section can begin on the page before it."""
    for section in page.article.select("section[id]"):
        if heading := section.find(["h1", "h2", "h3", "h4"]):
            heading["id"] = section["id"]
            del section["id"]


def give_references_pages(page):
    """Put the number of its page after the first reference to a place in each section, entry or row; citations are found by the alphabet.

    A name stays with its number, and the title of a chapter or a section is slanted.
    """
    for number, link in enumerate(page.article.select('a.reference[href^="#"]')):
        target, section = link["href"][1:], link.find_parent(["section", "dd", "tr"])
        told = section.__dict__.setdefault("told", set()) if section else set()
        if target.startswith("bibliography") or link.find_parent(["h1", "h2", "h3", "h4", "th"]):
            continue
        if NUMBERED.match(words := link.get_text()) and not link.math:
            link.string = re.sub(r"\s", "\u00a0", words, count=1)
        elif words[:1].isupper() and not link.find_parent(class_="column-name"):
            link["class"].append("title-of")
        if target not in told:
            told.add(target)
            before = "".join(takewhile(lambda text: link not in text.parents, link.find_parent(BLOCKS).find_all(string=True)))
            form = ", p.&nbsp;{}" if before.count("(") > before.count(")") else " (p.&nbsp;{})"
            link.insert_after(soup(f'<span class="on-page" id="{page.name}--ref-{number}" data-of="{target}">{form.format(place(target))}</span>'))


BLOCKS = ["p", "li", "dd", "td", "figcaption", "div"]
NUMBERED = re.compile(r"(?:Theorem|Proposition|Lemma|Corollary|Definition|Exercise|Fig\.|Table)\s[A-Z\d]")
REFERENCE = re.compile(r'<span class="on-page" data-of="([^"]*)" id="([^"]*)">.*?</span>', re.DOTALL)


# ---- Lines -----------------------------------------------------------------------------------------------------------


@cache
def parted(word):
    """A word with soft hyphens where it may be parted, at least three letters from its ends."""
    return HYPHENS.inserted(word, "\u00ad")


HYPHENS = Pyphen(lang="en_GB", left=3, right=3)


WHOLE = ["code", "pre", "math", "svg", "td", "th", "figcaption", "h1", "h2", "h3", "h4"]


def part_words(page):
    """Let long words of the running text be parted at the end of a line."""
    for block in page.article.find_all(["p", "li", "dd"]):
        for text in block.find_all(string=True):
            if type(text) is NavigableString and not text.find_parent(WHOLE) and not text.find_parent(class_="on-page"):
                if (new := WORD.sub(lambda word: parted(word[0]), text)) != text:
                    text.replace_with(new)


def keep_what_leads(page):
    """Mark paragraphs that lead to what follows: no page ends on a colon or within a sentence, and a formula stands below its sentence."""
    for paragraph in page.article.select("p:not(td p, th p, figcaption p)"):
        after = paragraph.find_next_sibling()
        if not re.search(r"[.!?][”’\")]*$", paragraph.get_text().rstrip()) or after and "math" in after.get("class", ()):
            paragraph["class"] = [*paragraph.get("class", []), "leads"]


def keep_lines(page):
    """Let what goes on below a line of code stand four letters further in than the line."""
    for line in page.article.select("pre .line"):
        if first := len(line.get_text()) - len(line.get_text().lstrip(" ")):
            line["style"] = f"--in: {first + 4}ch"


def size_figures(page):
    """Print figures so that their letters are no larger than the text, and those much wider than the page in parts, where they have parts."""
    for svg in page.article.select("svg.house-figure"):
        width, parts = SMALLER * float(svg["width"]), svg.find_next_siblings(class_="part")
        del svg["width"], svg["height"]
        svg["style"] = f"width: {min(LETTERS, width):.0f}pt"
        apart = parts and width > TOO_WIDE * LETTERS and not svg.find_parent("figure", id=ONE_PLOT)
        if apart:
            svg["style"] = "height: 0; position: absolute; width: 0"  # the parts are windows on it
        for part in parts:
            if apart:
                part["style"] = f"width: {min(LETTERS, SMALLER * float(part['viewbox'].split()[2])):.0f}pt"
            else:
                part.decompose()


def ready(page, names):
    """Make a page ready, and return what is said at the end of the book of its exercises and votes."""
    draw_what_moves(page)
    leave_the_screen(page)
    name_headings(page)
    within(page, names)
    give_references_pages(page)
    part_words(page)
    keep_what_leads(page)
    keep_lines(page)
    size_figures(page)
    return list(answers_of(page))
