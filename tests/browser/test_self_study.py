"""How far am I?, the final test, and votes in another setting; votes and labs by keyboard, on paper and without scripts."""

import json
import re

import pytest
from browser.visits import until, violations

from metrics.course.chapters import ask
from metrics.course.settings import in_setting

CHAPTER, HOW_FAR, TEST, TEACHING = (f"book/{name}.html" for name in ("average-precision", "how-far", "final-test", "teaching"))
ROW = "tr:has(a[href^='average-precision.html'])"
DONE = {
    "chosen vote-ap-ten-more": next(n for n, row in enumerate(ask("ap-ten-more").options) if row["right"]),
    "chosen vote-ap-two-swaps": next(n for n, row in enumerate(ask("ap-two-swaps").options) if not row["right"]),
    "solved ex-ap-by-hand": True, "passed average_precision": True, "ranking lab average-precision": {"rung": 1, "fewest": [3]}, "theme": "dark",
}  # fmt: skip


def keep(page, values):
    page.evaluate("values => Object.entries(values).forEach(([key, value]) => localStorage.setItem(key, value))", values)


def counts(page, row=ROW):
    return {cell.get_attribute("data-kind"): cell.text_content() for cell in page.locator(f"{row} td").all()}


# ---- How far am I? ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("way", ["visit", "visit_file"])
def test_what_is_kept_is_counted_forgotten_and_brought_back(request, way):
    page = request.getfixturevalue(way)(HOW_FAR)
    assert page.locator(".nothing-yet").is_visible() and counts(page)["votes"] == "0 of 4"
    keep(page, {key: json.dumps(value) for key, value in DONE.items()})
    page.reload()
    of = counts(page)
    assert of["votes"] == "2 of 4, 1 right" and of["boxes"].startswith("1 of ") and of["tasks"] == "1 of 3" and of["labs"].startswith("1 of ")
    assert page.locator(".nothing-yet").count() == 0
    forget = page.get_by_role("button", name="Forget all of this")
    forget.press("Enter")
    page.get_by_role("button", name="No, keep it").press("Enter")
    assert counts(page) == of and forget.evaluate("button => button === document.activeElement")
    forget.press("Enter")
    assert page.evaluate("document.activeElement.textContent") == "Yes, forget it"
    page.keyboard.press("Enter")
    assert counts(page)["votes"] == "0 of 4" and not {*DONE} & {*page.evaluate("Object.keys(localStorage)")} - {"theme"}
    page.get_by_role("button", name="Bring it back").press("Enter")
    assert counts(page) == of and "back" in page.locator(".forget [role=status]").text_content()


@pytest.mark.parametrize("odd", ["{", "null", "[]", '"<img src=x onerror=ran=1>"', '{"fewest": "<b>"}', '{"fewest": [null, -1, "x", {}]}', "1e999", "true"])
def test_what_is_broken_counts_as_nothing_and_breaks_nothing(visit, odd):
    page = visit(HOW_FAR)
    keep(page, {key: odd for key in DONE})
    page.reload()
    of = counts(page)
    assert of["votes"] == "0 of 4" and of["labs"].startswith("0 of ") and page.get_by_role("button", name="Forget all of this").is_visible()
    assert page.evaluate("window.ran") is None and page.locator(".how-far :is(img, b)").count() == 0


def test_where_nothing_can_be_kept_the_page_says_so(visit, address):
    page = visit(HOW_FAR)
    blocked = "key => { if (/^(chosen|solved|passed|ranking)/.test(key)) throw new DOMException('blocked'); return null; }"
    page.add_init_script(f"Storage.prototype.getItem = {blocked}")
    page.goto(address + HOW_FAR)
    assert page.locator(".nothing-yet").is_visible() and counts(page)["votes"] == "0 of 4"


def test_a_vote_a_box_and_a_challenge_that_are_done_are_counted(visit, address):
    page = visit(CHAPTER)
    page.locator("#vote-ap-two-swaps summary").first.press("Enter")
    box = page.locator("form.answer").first
    box.evaluate("form => { for (let at = form; at; at = at.parentElement) if (at.matches('details')) at.open = true; }")
    for field in box.locator("input").all():
        field.fill(" ".join(json.loads(field.get_attribute("data-answer"))[0]))
    box.locator("button").press("Enter")
    assert "Right" in box.locator("output").text_content()
    page.goto(address + HOW_FAR)
    assert re.match(r"1 of 4, [01] right", counts(page)["votes"]) and counts(page)["boxes"].startswith("1 of ")


# ---- The final test ----------------------------------------------------------------------------------------


def options(page):
    return [[label.text_content() for label in field.locator("label").all()] for field in page.locator(".final-test fieldset").all()]


def bank(page):
    return json.loads(page.locator(".final-bank").text_content())


def test_a_draw_is_the_same_again_and_another_is_another(visit, address):
    page = visit(TEST)
    drawn = {}
    for seed in ("", "?draw=autumn", "?draw=winter", "?draw=autumn"):
        page.goto(f"{address}{TEST}{seed}")
        found = options(page)
        assert len(found) == 10 and drawn.setdefault(seed, found) == found
    assert len({json.dumps(found) for found in drawn.values()}) == 3
    page.get_by_role("link", name="Draw ten others").click()
    until(page, "location.search.startsWith('?draw=')")
    assert options(page) not in drawn.values()


def test_a_draw_is_of_ten_chapters_and_of_several_levels(visit, address):
    page = visit(TEST)
    of = {text: question for question in bank(page) for text, *_ in question["variants"]}
    for seed in range(5):
        page.goto(f"{address}{TEST}?draw={seed}")
        asked = [of[text.partition(". ")[2]] for text in page.locator(".final-test legend").all_text_contents()]
        assert len({question["page"] for question in asked}) == 10 and len({question["level"] for question in asked}) >= 3


def right_ones(page):
    right = {text: answers[0] for question in bank(page) for text, answers, *_ in question["variants"]}
    return [right[text.partition(". ")[2]] for text in page.locator(".final-test legend").all_text_contents()]


def test_nothing_of_the_answers_is_seen_before_the_keyboard_has_sent_them(visit, address):
    page = visit(TEST)
    page.goto(f"{address}{TEST}?draw=spring")
    assert page.locator(".final-answers").count() == 0 and page.locator(".final-test .verdict:visible").count() == 0
    fields, right = page.locator(".final-test fieldset").all(), right_ones(page)
    for n, (field, answer) in enumerate(zip(fields, right, strict=True)):
        places = [label.locator("span").text_content() for label in field.locator("label").all()]
        at = places.index(answer)
        chosen = at if n < 8 else (at + 1) % len(places)  # the last two are wrong
        field.locator("input").nth(chosen).press("Space")
    page.get_by_role("button", name="Check my answers").press("Enter")
    result = page.locator(".final-result")
    assert "8 of 10 are right." in result.text_content() and result.evaluate("one => one === document.activeElement")
    verdicts = page.locator(".final-test .verdict").all_text_contents()
    assert [text[0] for text in verdicts] == ["✓"] * 8 + ["✗"] * 2 and all("The right option is" in text for text in verdicts[8:])
    links = [link.get_attribute("href") for link in result.locator("li a").all()]
    assert 1 <= result.locator("li").count() <= 2 and len(links) >= 2
    assert all(page.request.get(f"{address}book/{link.partition('#')[0]}").ok for link in links)
    assert violations(page) == []


def test_what_is_open_is_said_once(visit):
    page = visit(TEST)
    page.get_by_role("button", name="Check my answers").press("Enter")
    assert "10 questions have no answer yet" in page.locator(".final-result").text_content()
    page.get_by_role("button", name="Check my answers").press("Enter")
    assert "0 of 10 are right." in page.locator(".final-result").text_content()


def test_without_scripts_and_on_paper_there_is_one_draw_with_its_answers_at_the_end(visit):
    page = visit(TEST, java_script_enabled=False)
    assert page.locator(".final-test fieldset").count() == 10 and page.locator("article :is(input, button, select):visible").count() == 0
    answers = page.locator(".final-answers li")
    assert answers.count() == 10 and not answers.first.is_visible()
    page.emulate_media(media="print")
    assert answers.first.is_visible()


# ---- Votes in another setting ------------------------------------------------------------------------------


@pytest.mark.parametrize("path", [TEACHING, HOW_FAR])
def test_a_setting_is_chosen_and_kept_and_the_votes_of_a_chapter_speak_of_it(visit, address, path):
    page = visit(path)
    page.get_by_label("Setting:").select_option("medical")
    assert "a medical test" in page.locator(".setting-switch [role=status]").text_content()
    for name, chapter in (("ap-two-swaps", CHAPTER), ("apk-fourth-item", "book/ap-at-k.html")):
        page.goto(address + chapter)
        until(page, "name => !/lemma|item/.test(document.querySelector(`#vote-${name} .asked`).textContent)", arg=name)
        told = in_setting(ask(name), "medical")
        assert told.text.replace("'", "’") in page.locator(f"#vote-{name} .asked").text_content()
    page.goto(address + path)
    page.get_by_label("Setting:").select_option("lemmas")
    page.goto(address + CHAPTER)
    assert "relevant lemma" in page.locator("#vote-ap-two-swaps .asked").text_content()


@pytest.mark.parametrize("setting", ["search", "playlist", "medical"])
@pytest.mark.parametrize("path", [CHAPTER, "book/order-and-auc.html", "book/discounted-gain.html"])
def test_the_formulas_of_a_vote_stay_in_another_setting(visit, path, setting):
    page, formulas = visit(path), "[...document.querySelectorAll('.vote')].map(vote => [...vote.querySelectorAll('math, code')].map(each => each.outerHTML))"
    ends = "[...document.querySelectorAll('.vote .closed')].map(each => each.textContent)"
    before, closed = page.evaluate(formulas), page.evaluate(ends)
    keep(page, {"setting": json.dumps(setting)})
    page.reload()
    page.wait_for_load_state("networkidle")
    assert page.evaluate(formulas) == before and page.evaluate(ends) == closed
    assert page.locator(".vote", has_text=re.compile(r"\$|undefined|\[object")).count() == 0


@pytest.mark.parametrize("odd", ['"music"', "{", '"__proto__"', "7"])
def test_an_unknown_setting_is_the_usual_one(visit, odd):
    page = visit(CHAPTER)
    keep(page, {"setting": odd})
    page.reload()
    assert "relevant lemma" in page.locator("#vote-ap-two-swaps .asked").text_content()


# ---- Votes and labs by keyboard, on paper and without scripts ------------------------------------------------


def test_a_vote_is_answered_by_keys_alone_and_asked_again(visit):
    page = visit(CHAPTER)
    first = page.locator("#vote-ap-two-swaps summary").first
    first.focus()
    page.keyboard.press("Space")
    page.locator("#vote-ap-two-swaps details[open] p .again").wait_for()  # the browser says a moment later that a fold has opened
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "ask me again"
    page.keyboard.press("Enter")
    assert page.locator("#vote-ap-two-swaps details[open]").count() == 0 and first.evaluate("one => one === document.activeElement")


@pytest.mark.parametrize("scripts", [True, False])
def test_without_scripts_and_on_paper_a_vote_shows_its_options_and_a_lab_its_list(visit, scripts):
    page = visit(CHAPTER, java_script_enabled=scripts)
    options, told = page.locator("#vote-ap-two-swaps summary"), page.locator("#vote-ap-two-swaps details > p")
    assert options.filter(visible=True).count() == 3 and told.filter(visible=True).count() == 0
    if not scripts:
        options.first.press("Enter")
        assert told.filter(visible=True).count() == 1
    page.emulate_media(media="print")
    assert options.filter(visible=True).count() == 3 and page.locator("ranking-lab .tile:visible").count() == 6
    assert page.locator("ranking-lab .lab-controls:visible, .vote .again:visible").count() == 0
