"""Notes for the speaker: where a note says what to ask and no more, the chapter says what they will answer, and what to say then.

That is taken from what the chapter has already: the belief on its card, the near miss of a statement with the smallest case at which it
fails, the beliefs that its homework recognises, the wrong options of its votes, and the alt texts of its pictures.
"""

import re
from html import unescape

from metrics.course.chapters import CHAPTERS, chapter
from metrics.exact.claims import Claim

ANSWERED = re.compile(r"\bThey (?:will|may|should) |\b[Ww]ait for\b")  # a note that says what they will answer
SIDES = {"True": "yes", "False": "no", "-1": "negative", "0": "zero", "1": "positive"}  # what a check answers that has no other numbers
NAMED = {"n_relevant": "R", "universe_size": "N", "alpha": "α", "beta": "β"}  # arguments as the book writes them


def expected(deck, kind, name, body):
    """What the chapter says of the answers to the question of a note, in sentences; nothing where it says nothing."""
    claim = next((Claim(**record) for record in deck.notebook.claims if record["label"] == (name or kind)), None)
    if kind == "question":
        return f"They will start from the belief of the first slide, “{deck.belief()}” Take their answers, and do not correct them yet."
    if kind == "hurry":
        return f"Then ask again who would sign the first slide: “{deck.belief()}”"
    if kind == "vote":
        return of_wrong_option(body)
    if claim:
        return of_near_miss(claim) if kind == "near" else f"{of_statement(claim, f'near {claim.label}' in deck.shown)} {of_homework(deck, claim.label)}".strip()
    if kind.startswith("def-"):
        return of_homework(deck) if kind == next(part for part, *_ in deck.slides if part.startswith("def-")) else ""
    return of_picture(deck, kind)


def of_near_miss(claim):
    """That they will agree with a near miss, and what to say then."""
    return f"They will agree at first. {refuted(claim)}"


def of_statement(claim, has_a_slide):
    """The near miss of a statement, which may have a slide of its own."""
    return f"They may say: “{claim.near_miss}”. {'Then: the slide “Tempting but wrong” has the case.' if has_a_slide else refuted(claim)}"


def refuted(claim):
    """The smallest case at which a near miss fails, and what is right there."""
    says = SIDES if {claim.near_miss_claims, claim.near_miss_truth} <= {*SIDES} else {}
    case = re.sub(r"\b[a-z]\w*(?= = )", lambda name: NAMED.get(name[0], name[0]), claim.near_miss_fails_at)
    claimed, true = (says.get(side, side) for side in (claim.near_miss_claims, claim.near_miss_truth))
    return f"Then: at {case}, it says {claimed}, and right is {true}."


def of_homework(deck, label=""):
    """A belief that the homework of the chapter recognises: one that misses this claim, or else the first of all."""
    page = deck.page.rpartition("/")[2]
    beliefs = [each for task in chapter(page).TASKS for each in task.beliefs] if page in CHAPTERS else []
    found = next((each for each in beliefs if each.claim == label or not label), None)
    if not found:
        return ""
    return f"They may {'also ' * bool(label)}hold a belief that the homework recognises: “{found.words}”. Ask then: {found.hint}"


def of_wrong_option(html):
    """The first wrong option of a vote, and what to say to who chooses it."""
    plain = lambda part: " ".join(unescape(re.sub("<[^>]*>", "", part)).split())
    option, feedback = re.search(r'<details class="wrong"[^>]*><summary>(.*?)</summary>(.*?)</details>', html, re.DOTALL).groups()
    return f"They may say: {plain(option)}. Then: {plain(feedback).removeprefix('Not so. ')}"


def of_picture(deck, kind):
    """What a figure, or the picture of the answer, has to show."""
    shown = [data.get("mystnb", {}) for data in (cell.metadata for cell in deck.notebook.code)]
    drawn = [data for data in shown if "alt" in data.get("image", {})]
    found = drawn[:1] if kind == "answer" else [data for data in drawn if data.get("figure", {}).get("name") == kind]
    return f"What they should see: {found[0]['image']['alt']}" if found else ""
