"""What moves in a chapter, in a real browser: by keyboard and by pointer, with its state in the address."""

import pytest
from test_hands_on import MOVING

from book._sphinx.sources import ROOT

PLACES = [pytest.param(name, path.relative_to(ROOT).with_suffix(".html").as_posix(), id=name) for name, (path, _) in MOVING.items()]

OPEN = "element => { for (let fold = element.closest('details'); fold; fold = fold.parentElement.closest('details')) fold.open = true; }"


@pytest.mark.parametrize("name, path", PLACES)
def test_a_thing_moves_by_keys_and_by_pointer_and_its_address_shows_it_again(visit, name, path):
    page = visit(path)
    thing = page.locator(f"hands-on[data-name='{name}']")
    thing.evaluate(OPEN)
    drawing, line = thing.locator(".hands-on-drawing"), thing.locator(".hands-on-line")
    first, words = drawing.inner_html(), line.inner_text()
    for control in thing.locator("input").all():
        control.focus()
        usual = control.input_value()
        for key in ("ArrowLeft", "ArrowRight", "Home", *(["End"] if usual == control.get_attribute("min") else [])):
            page.keyboard.press(key)
        assert page.evaluate("document.activeElement.name") == control.get_attribute("name")
    moved = drawing.inner_html()
    assert moved != first and line.inner_text() != words and f"{name}=" in page.url
    page.reload()
    assert drawing.inner_html() == moved and drawing.is_visible()
    thing.locator("[data-act='start again']").click()
    assert drawing.inner_html() == first
    for handle in thing.locator("[data-drag]").all():
        handle.scroll_into_view_if_needed()
        key, box = handle.get_attribute("data-drag"), handle.bounding_box()
        slider = thing.locator(f"input[name='{key}']")
        before, middle = slider.input_value(), (box["x"] + box["width"] / 2, box["y"] + min(10, box["height"] / 2))
        for right, down in ((-250, 0), (250, 0), (0, -60)):
            page.mouse.move(*middle)
            page.mouse.down()
            page.mouse.move(middle[0] + right, middle[1] + down, steps=4)
            page.mouse.up()
            if slider.input_value() != before:
                break
        assert slider.input_value() != before, key


def test_an_address_that_cannot_be_shown_is_told(visit):
    name, path = PLACES[0].values
    line = visit(f"{path}?{name}=nonsense").locator(f"hands-on[data-name='{name}'] .hands-on-line")
    assert "cannot be shown" in line.inner_text()


def test_an_exercise_tells_what_is_right_and_what_a_known_mistake_means(visit):
    form = visit("book/ap-at-k.html#ex-four-by-hand").locator("#ex-four-by-hand form.answer")
    boxes, said = form.locator("input").all(), form.locator("output")
    boxes[0].fill("5/6")
    boxes[1].fill("5/6")
    boxes[1].press("Enter")
    assert said.inner_text() == "relevant: You took the two hits that you see for R." and boxes[1].get_attribute("aria-invalid") == "true"
    for box, value in zip(boxes, ("5/6", "5/12", "0.556", "5/9")):
        box.fill(value)
    form.locator("button").click()
    assert said.inner_text() == "✓ Right." and form.locator("input.right").count() == 4
