"""What moves in a chapter, in a real browser: by keyboard and by pointer, with its state in the address."""

import pytest
from browser.visits import Visit
from test_hands_on import MOVING

from book._sphinx.sources import ROOT

PLACES = [
    pytest.param(name, path.relative_to(ROOT).with_suffix(".html").as_posix(), id=name, marks=pytest.mark.xdist_group(path.stem))
    for name, (path, _) in MOVING.items()
]


@pytest.mark.parametrize("name, path", PLACES)
def test_a_thing_moves_by_keys_and_its_address_shows_it_again(browser, address, name, path):
    visit = Visit(browser, address, path)
    thing = visit.page.locator(f"hands-on[data-name='{name}']")
    drawing, line, controls = thing.locator(".hands-on-drawing"), thing.locator(".hands-on-line"), thing.locator("input")
    first, words = drawing.inner_html(), line.inner_text()
    for at in range(controls.count()):
        control = controls.nth(at)
        control.focus()
        usual = control.input_value()
        for key in ("ArrowLeft", "ArrowRight", "Home", *(["End"] if usual == control.get_attribute("min") else [])):
            visit.page.keyboard.press(key)
        assert visit.page.evaluate("document.activeElement.name") == control.get_attribute("name")
    moved = drawing.inner_html()
    assert moved != first and line.inner_text() != words and f"{name}=" in visit.page.url
    visit.page.goto(visit.page.url, wait_until="networkidle")
    assert drawing.inner_html() == moved
    thing.locator("[data-act='start again']").click()
    assert drawing.inner_html() == first
    visit.page.goto(f"{address}{path}?{name}=nonsense", wait_until="networkidle")
    assert drawing.inner_html() == first and "cannot be shown" in line.inner_text()
    assert visit.troubles == []
    visit.context.close()


@pytest.mark.parametrize("name, path", PLACES)
def test_what_can_be_drawn_along_follows_the_pointer(browser, address, name, path):
    visit = Visit(browser, address, path)
    thing = visit.page.locator(f"hands-on[data-name='{name}']")
    for handle in thing.locator("[data-drag]").all():
        handle.scroll_into_view_if_needed()
        key, box = handle.get_attribute("data-drag"), handle.bounding_box()
        slider = thing.locator(f"input[name='{key}']")
        before, middle = slider.input_value(), (box["x"] + box["width"] / 2, box["y"] + min(10, box["height"] / 2))
        for right, down in ((-250, 0), (250, 0), (0, -60)):
            visit.page.mouse.move(*middle)
            visit.page.mouse.down()
            visit.page.mouse.move(middle[0] + right, middle[1] + down, steps=4)
            visit.page.mouse.up()
            if slider.input_value() != before:
                break
        assert slider.input_value() != before, key
    visit.context.close()


def test_an_exercise_tells_what_is_right_and_what_a_known_mistake_means(browser, address):
    visit = Visit(browser, address, "book/ap-at-k.html")
    form = visit.page.locator("#ex-four-by-hand form.answer")
    first, second = form.locator("input").nth(0), form.locator("input").nth(1)
    first.fill("5/6")
    second.fill("5/6")
    second.press("Enter")
    assert form.locator("output").inner_text() == "relevant: You took the two hits that you see for R." and second.get_attribute("aria-invalid") == "true"
    for box, value in zip(form.locator("input").all(), ("5/6", "5/12", "0.556", "5/9")):
        box.fill(value)
    form.locator("button").click()
    assert form.locator("output").inner_text() == "✓ Right." and form.locator("input.right").count() == 4
    visit.context.close()
