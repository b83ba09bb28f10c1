"""What moves in a chapter, in a real browser: by keyboard and by pointer, with its state in the address."""

import pytest
from test_hands_on import MOVING

from book._sphinx.sources import ROOT

PLACES = [pytest.param(name, path.relative_to(ROOT).with_suffix(".html").as_posix(), id=name) for name, (path, _) in MOVING.items()]

# Open the folds around a thing, and hide what stands beside these, for a page is slow to lay out.
OPEN = """element => {
  for (let around = element; !around.matches("article"); around = around.parentElement) {
    if (around.matches("details")) around.open = true;
    for (const beside of around.parentElement.children)
      if (beside !== around && !beside.matches("summary, figcaption")) beside.style.display = "none";
  }
}"""


def thing_on(page, name):
    thing = page.locator(f"hands-on[data-name='{name}']")
    thing.evaluate(OPEN)
    return thing


HELD = "input[type=range], [data-drag]"
POSITION = "element => (box => [box.x + box.width / 2, box.y + box.height / 2])(element.getBoundingClientRect())"
# The height of a thing, with what does not fit in its line.
SPACE = "thing => thing.offsetHeight + (line => line.scrollHeight - line.clientHeight)(thing.querySelector('.hands-on-line'))"
SEEN = f"held => [(held.querySelector('.knob') ?? held).getBoundingClientRect().toJSON(), ({SPACE})(held.closest('hands-on'))]"
PRESSED = """thing => {
  const heights = [];
  for (const each of thing.querySelectorAll("input[type=radio], [data-act]")) {
    each.click();
    heights.push((SPACE)(thing));
  }
  return heights;
}""".replace("SPACE", SPACE)


@pytest.mark.parametrize("width", [1400, 390])
@pytest.mark.parametrize("name, path", PLACES)
def test_what_is_held_stays_under_the_pointer_over_its_whole_range_and_nothing_changes_its_height(visit, name, path, width):
    page = visit(path, width)
    thing = thing_on(page, name)
    heights = []
    for held in thing.locator(HELD).all():
        held.evaluate("element => element.scrollIntoView({block: 'center', behavior: 'instant'})")
        box, height = held.evaluate(SEEN)
        heights.append(height)
        slides, here = held.get_attribute("type") == "range", thing.bounding_box()
        begin, end = (box["left"], box["right"]) if slides else (here["x"], here["x"] + here["width"])
        x, y = (begin, box["y"] + box["height"] / 2) if slides else (box["x"] + box["width"] / 2, box["bottom"] - 5)
        page.mouse.move(x, y)
        page.mouse.down()
        for step in range(13):
            page.mouse.move(begin + (end - begin) * step / 12, y)
            now, height = held.evaluate(SEEN)
            heights.append(height)
            assert abs(now["y"] - box["y"]) <= 1 or held.get_attribute("data-drag") in ("ten", "hundred", "thousand"), (step, "it has left the pointer")
        page.mouse.up()
        assert held.evaluate("held => getComputedStyle(held).outlineStyle") == "none", "an outline stays after a drag"
    heights += thing.evaluate(PRESSED)
    assert max(heights) - min(heights) < 1, heights


def text_states(thing):
    """The drawing, in whatever order its attributes stand, and the line."""
    tree = """drawing => [...drawing.querySelectorAll('*')].map(each =>
        [each.nodeName, ...[...each.attributes].map(({name, value}) => `${name}=${value.trim()}`).sort()].join(' '))"""
    drawing = thing.locator(".hands-on-drawing")
    return [drawing.evaluate(tree), drawing.inner_text()], thing.locator(".hands-on-line").inner_text()


@pytest.mark.parametrize("name, path", PLACES)
def test_a_thing_moves_by_keys_alone_is_taken_back_and_its_address_shows_it_again(visit, name, path):
    page = visit(path, reduced_motion="reduce")  # or else a state is reached a little later
    thing = thing_on(page, name)
    first, line = text_states(thing)
    assert "will say" not in line and line.endswith(".")
    for control in thing.locator(f"{HELD}, input:checked").all():
        control.focus()
        for key in ("Home", "End", "ArrowLeft") if control.get_attribute("type") != "radio" else ("ArrowRight",):
            page.keyboard.press(key)
        assert thing.evaluate("thing => thing.contains(document.activeElement)")
    for act in thing.locator(".hands-on-drawing [data-act]").all()[1:2]:
        act.press("Enter")
    moved, said = text_states(thing)
    assert moved != first and said != line and f"{name}=" in page.url
    page.reload()
    assert text_states(thing)[0] == moved and thing.locator(".hands-on-drawing").is_visible()
    thing.locator("[data-act='start again']").click()
    assert text_states(thing)[0] == first
    page.keyboard.press("z")
    assert text_states(thing)[0] == moved and text_states(thing)[1].startswith("Taken back. ") and thing.locator("[data-act=undo]").is_disabled()
    page.locator("body").press("z")
    assert text_states(thing)[0] == moved


def tiles(thing):
    return "".join(thing.locator("[data-tiles] > button").all_inner_texts())


@pytest.mark.parametrize("name, path", [each for each in PLACES if each.id in ("rank-weights", "two-worlds", "two-machines")])
def test_neither_a_finger_on_a_handle_of_a_picture_nor_space_scrolls_the_page(visit, name, path):
    page = visit(path, 390, has_touch=True, is_mobile=True)
    thing = thing_on(page, name)
    held = thing.locator("svg [data-drag]").first
    held.focus()
    at, before = page.evaluate("scrollY"), text_states(thing)[0]
    page.keyboard.press("Space")
    page.wait_for_timeout(300)
    assert page.evaluate("scrollY") == at
    x, y = held.locator("circle").first.evaluate(POSITION)
    session = page.context.new_cdp_session(page)
    for kind, points in [("touchStart", [(x, y)]), *(("touchMove", [(x + 12 * step, y - 12 * step)]) for step in range(1, 9)), ("touchEnd", [])]:
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": left, "y": top} for left, top in points]})
        page.wait_for_timeout(30)
    assert page.evaluate("scrollY") == at and text_states(thing)[0] != before


@pytest.mark.parametrize("name, path", [each for each in PLACES if each.id in ("swap-neighbours", "cut-the-list")])
def test_a_tile_is_drawn_to_another_place_or_sent_there_by_keys_and_a_press_moves_it_by_one(visit, name, path):
    page = visit(path)
    thing = thing_on(page, name)
    first, places = tiles(thing), thing.locator("[data-tiles] > button")
    places.first.evaluate("tile => tile.scrollIntoView({block: 'center', behavior: 'instant'})")
    source, target = (places.nth(at).evaluate(POSITION) for at in (1, 5))
    page.mouse.move(*source)
    page.mouse.down()
    page.mouse.move(*target, steps=10)
    page.mouse.up()
    assert tiles(thing) == first[0] + first[2:6] + first[1] + first[6]
    places.nth(5).focus()
    for _ in range(4):
        page.keyboard.press("Shift+ArrowLeft")
    assert tiles(thing) == first and places.nth(1).evaluate("tile => tile === document.activeElement")
    page.wait_for_timeout(300)
    places.nth(1).click()
    assert tiles(thing) == first[1] + first[0] + first[2:]


STEPS = """() => {
  document.body.offsetHeight;  // what was before is seen
  for (const each of document.querySelectorAll("hands-on input, ranking-lab input[type=range]")) {
    if (each.type === "radio") each.click();
    else each.dispatchEvent(new KeyboardEvent("keydown", {key: each.value === each.min ? "End" : "Home", bubbles: true}));
  }
  document.querySelectorAll("hands-on [data-act]:not([data-act=undo], [data-act='start again']), ranking-lab .tile").forEach(each => each.click());
  document.querySelector("ranking-lab .tile")?.dispatchEvent(new KeyboardEvent("keydown", {key: "End", shiftKey: true, bubbles: true}));
  const where = matchMedia("(prefers-reduced-motion: reduce)").matches ? "html" : "hands-on, ranking-lab";
  return document.getAnimations().map(each => each.effect.target).filter(each => each.closest(where)).map(each => each.outerHTML.slice(0, 90));
}"""


@pytest.mark.parametrize("path", [*dict.fromkeys(each.values[1] for each in PLACES), "book/order-and-auc.html", "book/ranking-lab.html"])
def test_nothing_animates_for_those_who_do_not_want_it_and_something_does_for_others(visit, path):
    for motion in ("reduce", "no-preference"):
        page = visit(path, reduced_motion=motion)
        page.evaluate("document.querySelectorAll('details').forEach(fold => { fold.open = true; })")
        moving = page.evaluate(STEPS)
        assert bool(moving) == (motion == "no-preference"), moving


def test_an_address_that_cannot_be_shown_is_told(visit):
    name, path = PLACES[0].values
    line = visit(f"{path}?{name}=nonsense").locator(f"hands-on[data-name='{name}'] .hands-on-line")
    assert "cannot be shown" in line.inner_text()


def test_each_column_of_cut_the_list_stands_under_its_tile(visit):
    for width in (1400, 390):
        thing = thing_on(visit("book/premise-selection-metrics.html", width), "cut-the-list")
        tiles, heads = (thing.locator(which).evaluate_all(f"all => all.map({POSITION})") for which in ("[data-tiles] > button", "th[scope=col]"))
        assert all(abs(tile[0] - head[0]) < 2 for tile, head in zip(tiles, heads[1:], strict=True)), width


PLACES_OF_OPTIONS = "all => all.map(option => [option.offsetLeft, option.offsetTop, option.offsetWidth].join())"


def test_the_options_of_a_vote_stay_where_they_are_and_keep_their_marks(visit):
    vote = visit("book/precision-and-recall.html").locator(".vote").first
    options = vote.locator("summary")
    before, right = options.evaluate_all(PLACES_OF_OPTIONS), vote.locator("details.right > summary")
    for option in (vote.locator("details.wrong > summary").first, right, right):
        option.click()
        assert options.evaluate_all(PLACES_OF_OPTIONS) == before
    assert "✓" in right.evaluate("right => getComputedStyle(right, '::after').content") and vote.locator("details[open]").count() == 0


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
