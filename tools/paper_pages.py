"""A built page made ready for paper: what opens is open, what moves is drawn, what can only be done on a screen is gone.

A reference gets the number of its page, a vote letters, a long word places where it may be parted, and a line of code room for what follows below it.
"""

import re
from functools import cache, reduce
from html import escape
from itertools import takewhile

from bs4 import NavigableString
from pyphen import Pyphen

from tools.built_pages import BROWSER_ONLY, draw_what_moves, lead, soup

# What is of use on a screen only: parts of pages, and paragraphs by their beginnings.
ON_SCREEN = {
    "how-to-use": "#reading, #running, #teaching",
    "rosetta": "form",
}
SAID_OF_THE_SCREEN = (
    "Click a library to open its table.",
    "Each row has an address:",
    "Open this page as a notebook",
    "Change things.",
)
INSTEAD = {
    "The line opens to show the cell that made it. Here is such a cell,": "A cell makes that line. Here is one,",
    "; when opened, it says the same in more words.": ".",
    " Print this page on both sides of a sheet.": "",
    "The line that begins with ✓ opens to show how": "The line that begins with ✓ says how",
    "and opens the statement, which leaves nothing of the claim out": "and, online, opens the statement, which leaves nothing of the claim out",
    "open one to see what is left to prove after it": "below each stands what is left to prove after it",
    "Where many facts are as before, they are folded": "Facts that are as before are only counted",
    "In Coq, for every length": "Theorem in Coq",
    "Move the fallback in": "Follow the fallback along the axis of",
    "Now draw the weights yourself. In": "Online you can draw the weights yourself: in",
    "A button begins with the weights": "You begin with the weights",
    "computes the mean of such a metric over the goals for the seven tools.": "computes, online, the mean of such a metric over the goals for the seven tools.",
    "with another order, which you can change:": "with another order:",
    "Fill it in": "What the table says",
    "Where a row has a link, we read": "Where a row online has a link, we read",
    "the package, this page, and a page to open first": "the package, this volume as a page, and a page to open first",
    "That page says exactly how each works, and lets you ask why each premise is where it is.": "That chapter says exactly how each works.",
    "come from the page itself": "come from the chapter itself",
    "the rest of the page does not need them": "the rest of the chapter does not need them",
    ", at first the order by AUC": ", the order by AUC",
    "The name of a metric leads to its chapter.": "Beside the name of a metric stands the page of its chapter.",
    "On this page": "In this chapter",
    "on this page": "in this chapter",
    "This page": "This chapter",
    "this page": "this chapter",
}
ONLINE = {*map(lambda name: name.split("/")[-1], BROWSER_ONLY), "claims", "publish"}  # pages of which a reference says that they are online only
WIDEST = 376  # points that a figure may be wide, 22 on either side beside the text
LETTERS = 332  # points that the text is wide
SMALLER = 0.7  # letters of 12 points in a figure are then no larger than the text
SCREEN_WORDS = re.compile("|".join(map(re.escape, INSTEAD)).replace("\\ ", r"\s+"))
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
    for text in article.find_all(string=SCREEN_WORDS):
        text.replace_with(reduce(lambda words, pair: words.replace(*pair), INSTEAD.items(), re.sub(r"\s+", " ", text)))
    for fold in article.select("details:not(.solution), details:not(.solution) > summary"):
        fold.name = "div"
    for detail in article.select(".check-line ~ .check-detail"):
        for text in detail.find_all(string=re.compile("^the proof of $|^, step by step$")):
            text.extract()
        detail.find_previous_sibling(class_="check-line").extend([". ", *detail.contents])
        detail.decompose()
    for words in article.select(".pair-formula > p:first-child:not(:last-child)"):
        words["class"] = ["column-name"]
    for button in article.select("button"):
        button.name = "span"



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
            told = soup(f' <a class="answer-at" href="#{mark}">({"answer" if is_vote else "solution"} on page {place(mark)})</a>')
            if is_vote and title.strong:  # not at the end, where it would often stand on a line of its own
                title.strong.insert_after(told)
            else:
                title.append(told)
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
        for text in option.find_all(string=re.compile(r"^\s*-\d")):
            text.replace_with(text.replace("-", "\N{MINUS SIGN}", 1))
        (option.find("p") or option).insert(0, soup(f'<b class="letter">{letter}</b> '))
        if "right" in option["class"]:
            right = letter
    said = vote.find_all("p", recursive=False)[-1].extract()
    if said.strong:
        said.strong.string = f"{right}."
    for text in said.find_all(string=re.compile(r"\d - \d")):
        text.replace_with(re.sub(r"(?<=\d) - (?=\d)", " \N{MINUS SIGN} ", text))
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
    told = set()
    for link in page.article.select('a.reference[href*=".html"]'):
        name = link["href"].partition("#")[0].split("/")[-1].removesuffix(".html")
        where = name, id(link.find_parent("dd"))
        if name in ONLINE - names and where not in told and not link.find_parent(["h1", "h2", "h3", "h4"]):
            told.add(where)
            link.insert_after(" (online)")
    lead(page, lambda name, anchor: name in names and (f"#{name}--{anchor}" if anchor else f"#{name}"))
    for tag in page.article.find_all(True):
        if tag.get("id"):
            tag["id"] = f"{page.name}--{tag['id']}"
        for key in tag.attrs.keys() & {"href", "xlink:href", "style", "clip-path"} if tag.name != "a" else ():
            tag[key] = re.sub(r"(^|url\()#", rf"\g<1>#{page.name}--", tag[key])


def name_headings(page):
    """Give the name of each section to its heading, for a section can begin on the page before it; below sections, the name that the author gave."""
    for section in page.article.select("section[id]"):
        if heading := section.find(["h1", "h2", "h3", "h4"]):
            heading["id"] = section["id"]
            del section["id"]
    for name in page.article.select("section > span[id]:empty"):
        if (heading := name.find_next(["h1", "h2", "h3", "h4"])).name in ("h3", "h4") and name.parent in heading.parents:
            name.name = "div"  # what stands in a line has the place before the break of the page
            heading.wrap(name.extract())


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
    """Let long words of the running text be parted at the end of a line, and an apostrophe be one."""
    for text in page.article.find_all(string=re.compile(r"\w'\w")):
        if type(text) is NavigableString and not text.find_parent(["code", "pre", "math"]):
            text.replace_with(re.sub(r"(?<=\w)'(?=\w)", "\N{RIGHT SINGLE QUOTATION MARK}", text))
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
    """Let each line of code be a block, for no page to begin or end on one of them; what goes on below it stands four letters further in than the line."""
    for block in page.article.select("pre"):
        lines = [[]]
        for part in block.contents:
            if isinstance(part, NavigableString):
                first, *more = part.split("\n")
                lines[-1].append(NavigableString(first))
                lines += [[NavigableString(each)] for each in more]
            elif "line" in part.get("class", []):
                lines[-1] += [*part.contents]
            else:
                lines[-1].append(part)
            if not isinstance(part, NavigableString) and part.get_text().endswith("\n"):
                lines.append([])
        lines = [parts for parts in lines if not GLUED.fullmatch("".join(part.get_text() for part in parts))]
        while len(lines) > 1 and not "".join(part.get_text() for part in lines[-1]).strip():
            lines.pop()
        block.clear()
        for parts in lines:
            line = soup('<span class="line"></span>').span
            line.extend(parts)
            words = line.get_text()
            if first := len(words) - len(words.lstrip(" ")):
                line["style"] = f"--in: {first + 4}ch"
            if not words.endswith("\n"):
                line.append("\n")
            block.append(line)


GLUED = re.compile(r"glue\(.*\)\s*")  # what only puts a number into a sentence


def keep_together(page):
    """Let no line end within what is written without a space around a formula, such as the j-th, or within an option of a program, such as --compare."""
    for formula in page.article.select(".formula"):
        if formula.find_parent(["td", "th", "svg", "pre"]) or formula.find_parent("div", class_="math") or formula.find_parent(class_="together"):
            continue
        parts = [formula]
        while isinstance(after := parts[-1].next_sibling, NavigableString) and (begin := re.match(r"\S+", after)):
            after.replace_with(NavigableString(begin[0]), rest := NavigableString(after[begin.end():]))
            parts.append(parts[-1].next_sibling)
            if rest or not (following := rest.next_sibling) or "formula" not in (following.get("class") or []):
                break
            rest.extract()
            parts.append(following)
        if isinstance(before := formula.previous_sibling, NavigableString) and (end := re.search(r"\S*[(\[“‘@=–-]$", before)):
            before.replace_with(NavigableString(before[: end.start()]), NavigableString(end[0]))
            parts.insert(0, formula.previous_sibling)
        if len(parts) > 1:
            whole = soup('<span class="together"></span>').span
            parts[0].insert_before(whole)
            whole.extend(parts)
    for code in page.article.select("code, pre .line"):
        for text in code.find_all(string=OPTION):
            text.replace_with(soup(OPTION.sub(r'<span class="together">\g<0></span>', escape(text, quote=False))))
    for text in page.article.find_all(string=re.compile(r"\b[A-Zk] = \d")):
        if not text.find_parent(WHOLE[:4]):
            text.replace_with(re.sub(r"\b([A-Zk]) = (?=\d)", "\\1\u00a0=\u00a0", text))
    for equals in page.article.find_all("mo", string="="):  # the formula ends on it: it has its room
        if not equals.next_sibling and isinstance(after := equals.find_parent("math").next_sibling, NavigableString) and after.startswith(" "):
            after.replace_with(after[1:])


OPTION = re.compile(r"(?<![^\s(\[])--?[A-Za-z][\w-]*")


def part_in_tables(page):
    """Let what is long in a table be parted where it has parts: a name before a capital, code after a bracket, a low line or a point."""
    for columns in page.article.select("table.metric-sheet colgroup"):
        columns.decompose()
    for text in page.article.find_all(string=PARTS):
        if (cell := text.find_parent("td")) and not text.find_parent(["pre", "math", "svg"]):
            if text.find_parent("code") or "metric-sheet" in cell.find_parent("table").get("class", []):
                text.replace_with(soup(PARTS.sub("<wbr>", escape(text, quote=False))))
    for code in page.article.select("td:first-child code"):  # a short list stays on its line
        if len(code.get_text()) <= 16:
            code["class"] = [*code.get("class", []), "together"]
    for text in page.article.find_all(string=re.compile("✗")):
        if text.find_parent("table", class_="wishes"):
            text.replace_with(text.replace("✗", "×"))  # which looks like a slanted letter
    for tiles in page.article.select("table.wishes td .strip"):  # on the line of the word before them
        whole = tiles.wrap(soup('<span class="together"></span>').span)
        whole.insert(0, whole.previous_sibling)


PARTS = re.compile(r"(?<=[a-z]{3})(?=[A-Z])|(?<=[a-z)][(_.=])(?=\w)")


def size_figures(page):
    """Print figures whole, with letters no larger than the text; what is wider than the text reaches into both margins."""
    for svg in page.article.select("svg.house-figure"):
        width = min(WIDEST, SMALLER * float(svg["width"]))
        del svg["width"], svg["height"]
        svg["style"] = f"--width: {width:.0f}pt"
        if width > LETTERS:
            svg["class"] = [*svg["class"], "wide"]
        for part in svg.find_next_siblings(class_="part"):
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
    keep_together(page)
    part_in_tables(page)
    size_figures(page)
    return list(answers_of(page))
