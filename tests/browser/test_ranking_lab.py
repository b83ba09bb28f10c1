"""The Ranking Lab as readers use it: mouse, finger and keys, challenges, addresses, and what goes wrong."""

from pathlib import Path

import pytest
from browser.visits import THIN, Visit, violations
from test_pages import book_folder
from test_ranking_lab import first_states

AVERAGE_PRECISION = "book/average-precision.html"
FIRST_LIST = "[data-goal='0'][data-list='0']"
TILE = f"{FIRST_LIST} .tile"
FOCUSED = "document.activeElement.parentElement.dataset.id"


@pytest.fixture
def lab(request, browser, address):
    """The lab of average precision, or of another page that a test asks for."""
    visit = Visit(browser, address, f"book/{getattr(request, 'param', 'average-precision.html')}")
    yield visit.page.locator("ranking-lab")
    assert visit.troubles == []
    visit.context.close()


def on(page):
    """For a test of the lab on another page."""
    return pytest.mark.parametrize("lab", [page], indirect=True)


def order(lab):
    """The items of the first list, the relevant ones as capitals."""
    signs = "all => all.map(tile => [tile.parentElement.dataset.id, tile.ariaPressed === 'true'])"
    return "".join(name.upper() if relevant else name for name, relevant in lab.locator(TILE).evaluate_all(signs))


def said(lab):
    return lab.locator(".lab-change").text_content()


def tile(lab, name):
    return lab.locator(f"{FIRST_LIST} [data-id={name}] .tile")


def middle(tile):
    box = tile.bounding_box()
    return box["x"] + 20, box["y"] + 20


def drag(page, source, target):
    page.mouse.move(*source)
    page.mouse.down()
    page.mouse.move(*target, steps=6)
    page.mouse.up()


def test_a_click_switches_an_item_and_all_follows(lab):
    tile(lab, "x").click()
    assert order(lab) == "XAyBCz"
    assert said(lab).startswith("x at rank 1 is relevant now: AP 8/15 → 71/80 (+17/48), P@4 1/2 → 3/4, recall@4 2/3 → 3/4")
    assert "terms of AP: x adds 1/1, a 1/2 → 2/2, b 2/4 → 3/4, c 3/5 → 4/5; divided by 4" in said(lab)
    assert "4/5" in lab.locator(".lab-sum").inner_text().replace("\n", "/")
    assert "lab=XAyBCz" in lab.page.url
    assert "first = [1, 1, 0, 1, 1, 0]\nprint(metrics.average_precision(first, n_relevant=4))" in lab.locator(".lab-python pre").text_content()


def solved(lab):
    return lab.locator(".lab-solved").text_content()


def test_an_item_moves_and_the_challenge_knows(lab):
    """By the keyboard, by the buttons and by the mouse."""

    def moved():
        assert order(lab) == "AxyBCz"
        assert "AP 8/15 → 7/10 (+1/6); terms of AP: a 1/2 → 1/1." in said(lab) and "1/(3·1·2)" in said(lab)
        lab.locator("[data-do=start]").click()
        assert order(lab) == "xAyBCz" and solved(lab).startswith("1 of 3 solved. Next: Make AP exactly 1/2")

    assert solved(lab) == ""
    tile(lab, "a").press("Shift+ArrowLeft")
    assert lab.page.evaluate(FOCUSED) == "a" and solved(lab).startswith("✓ Solved. In one move.")
    moved()
    tile(lab, "a").focus()
    lab.get_by_role("button", name="moves it up").click()
    tile(lab, "a").click()
    moved()
    lab.scroll_into_view_if_needed()
    drag(lab.page, middle(tile(lab, "a")), middle(tile(lab, "x")))
    moved()


def test_the_ladder_is_climbed_and_kept(lab):
    for name, to in (("a", "Shift+ArrowLeft"), ("a", "Shift+ArrowRight"), ("c", "Shift+ArrowRight")):
        tile(lab, name).press(to)
    assert solved(lab).startswith("✓ Solved. In 2 moves.") and "2 of 3 solved. Next: A fourth relevant item" in solved(lab)
    lab.page.reload(wait_until="networkidle")
    assert solved(lab).startswith("2 of 3 solved.")
    lab.locator("[data-do=start]").click()
    for name in ("a", "b", "b", "c", "c"):
        tile(lab, name).press("Shift+ArrowLeft")
    lab.locator("[name=u]").press("ArrowRight")
    assert solved(lab).startswith("✓ Solved. In 6 moves.") and "That was the last of 3" in solved(lab)
    lab.locator("[data-do=start]").click()
    assert solved(lab) == ""


def test_steps_are_taken_back_and_done_again(lab):
    undo, redo = (lab.locator(f"[data-do={what}]") for what in ("undo", "redo"))
    assert undo.is_disabled() and redo.is_disabled()
    tile(lab, "x").click()
    slider = lab.locator("[name=K]")
    slider.press("ArrowLeft")
    tile(lab, "z").press("Control+z")
    assert slider.get_attribute("aria-valuetext") == "4" and said(lab).startswith("Undone: P@4 2/3 → 3/4")
    undo.click()
    assert order(lab) == "xAyBCz" and undo.is_disabled() and lab.locator("tr.changed").count() == 3
    redo.click()
    assert order(lab) == "XAyBCz" and said(lab).startswith("Done again: AP 8/15 → 71/80") and lab.page.url.endswith("lab=XAyBCz")


@on("ranking-lab.html")
def test_a_ranking_to_begin_with_and_one_of_your_own(lab):
    lab.locator("[name=preset]").select_option(label="two tools")
    assert order(lab) == "AxyzBC" and "prefer the first tool" in lab.locator(".verdict").inner_text()
    lab.locator("[name=own]").fill("d7* d3 d12*")
    lab.locator("[name=own]").press("Enter")
    assert order(lab) == "AxB" and "Your own ranking" in said(lab)
    lab.locator("[name=own]").fill("7")
    lab.locator("[data-do=own]").click()
    assert order(lab) == "AxB" and said(lab).startswith("It cannot be shown, for it needs 2 to 12 items: grades from 0 to 3, or ids with a *")
    lab.locator("[data-do=undo]").click()
    assert order(lab) == "AxyzBC"


@pytest.mark.parametrize("width", [1280, 390])
def test_tiles_line_and_what_changed_are_in_one_view(browser, address, width):
    visit = Visit(browser, address, "book/ranking-lab.html", width)
    lab = visit.page.locator("ranking-lab")
    tile(lab, "x").click()
    rows = lab.locator("tr.changed")
    assert lab.locator("tbody tr").first.inner_text().startswith("changed by this step") and rows.count() > 9
    rows.nth(5).evaluate("row => row.scrollIntoView({block: 'center'})")
    for seen in (tile(lab, "x"), lab.locator(".lab-change"), rows.nth(5)):
        box = seen.bounding_box()
        assert box["y"] >= 40 and box["y"] + box["height"] <= visit.page.viewport_size["height"]
        middle = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        assert visit.page.evaluate("([x, y, row]) => row.contains(document.elementFromPoint(x, y))", [*middle, seen.element_handle()])
    lab.locator("[name=preset]").select_option(label="four items with one score")
    assert lab.locator("table.ties").count() == 1
    assert lab.locator(".lab-table").evaluate("table => table.scrollWidth <= table.clientWidth"), "with a tie something is cut"
    visit.context.close()


def test_a_finger_moves_an_item(browser, address):
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    page = context.new_page()
    page.goto(address + AVERAGE_PRECISION)
    lab = page.locator("ranking-lab")
    tile(lab, "x").tap()
    assert order(lab) == "XAyBCz"
    client = context.new_cdp_session(page)
    at = lambda x, y: [{"x": x, "y": y}]
    start, end = middle(tile(lab, "z")), middle(tile(lab, "x"))
    client.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": at(*start)})
    for step in range(1, 9):
        place = [a + (b - a) * step / 8 for a, b in zip(start, end)]
        client.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": at(*place)})
    client.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    page.wait_for_function("document.querySelector('ranking-lab li').dataset.id === 'z'", timeout=3000)
    context.close()


def test_keys_alone_reach_everything(lab):
    tile(lab, "x").focus()
    for _ in range(12):
        lab.page.keyboard.press("ArrowRight")
    assert lab.page.evaluate(FOCUSED) == "z"
    lab.page.keyboard.press("Space")
    assert order(lab) == "xAyBCZ"
    seen = []
    for _ in range(14):
        lab.page.keyboard.press("Tab")
        seen.append(lab.page.evaluate("(e => e.name || e.dataset.do || e.className || e.tagName)(document.activeElement)"))
    assert {"up", "down", "K", "u", "longer", "shorter", "start"} <= set(seen)
    lab.locator("[name=K]").focus()
    lab.page.keyboard.press("ArrowLeft")
    assert "cutoff K = 3" in said(lab) and lab.locator("[name=K]").get_attribute("aria-valuetext") == "3"


@on("ranking-lab.html")
def test_the_focus_is_never_lost(lab):
    lab.locator(".lab-settings summary").click()
    for what in ("longer", "shorter", "second", "second", "gain", "up", "start"):
        lab.locator(f"[data-do={what}]").press("Enter")
        assert lab.page.evaluate("document.activeElement.dataset.do") == what
    tile(lab, "z").focus()
    lab.page.evaluate("document.querySelector('[data-do=shorter]').click()")
    assert lab.page.evaluate(FOCUSED) == "x"


@on("order-and-auc.html")
def test_a_drag_survives_what_happens_meanwhile(lab):
    """The item that is dragged is taken away; later another is dragged far into the other list, and stays in its own."""
    mouse = lab.page.mouse
    lab.scroll_into_view_if_needed()
    first, last, other = map(middle, (tile(lab, "x"), tile(lab, "z"), lab.locator("[data-list='1'] .tile").last))
    mouse.move(*last)
    mouse.down()
    mouse.move(last[0] - 12, last[1], steps=3)
    lab.page.evaluate("document.querySelector('[data-do=shorter]').click()")
    mouse.move(*first, steps=3)
    mouse.up()
    assert order(lab) == "xAyBC" and "z was taken away" in said(lab)
    drag(lab.page, first, other)
    assert order(lab) == "AyBCx" and "x moved from rank 1 to rank 5: AUC of the first tool 1/6 → " in said(lab)


def test_a_lab_wakes_up_where_it_was_drawn_and_shows_no_controls_without_scripts(browser, address):
    """That nothing jumps meanwhile, on any page, test_browser.py sees."""
    context = browser.new_context(java_script_enabled=False, viewport={"width": 1280, "height": 900})
    page = context.new_page()
    page.goto(address + AVERAGE_PRECISION)
    assert order(page.locator("ranking-lab")) == "xAyBCz"
    assert page.locator("ranking-lab .lab-controls:visible").count() == 0
    context.close()


@on("average-precision.html?lab=%E0")
def test_a_malformed_address_leaves_a_lab_and_a_message(lab):
    """What else may stand there, and what the lab makes of it, test_ranking_lab.py asks in node."""
    assert order(lab) == "xAyBCz" and "cannot be shown here" in said(lab)
    tile(lab, "x").click()
    assert order(lab) == "XAyBCz"


def test_a_state_comes_back_from_its_address_and_its_call_can_be_copied(lab):
    tile(lab, "x").click()
    lab.locator("[name=u]").press("ArrowRight")
    lab.page.reload()
    assert order(lab) == "XAyBCz" and lab.locator("[name=u]").get_attribute("aria-valuetext") == "1"
    lab.locator("[data-do=start]").click()
    lab.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    lab.locator(".lab-python summary").click()
    lab.locator("[data-do=copy]").click()
    assert said(lab) == "Copied."
    assert lab.page.evaluate("navigator.clipboard.readText()") == first_states()["average-precision"]["python"]


def test_a_ranking_of_the_text_goes_to_the_lab(lab):
    places = lab.page.locator(".take")
    assert places.count() > 3
    place = lab.page.get_by_role("button", name="Take the ranking a x y z b c to the lab").first
    place.focus()
    lab.page.keyboard.press("Enter")
    assert order(lab) == "AxyzBC" and "taken from the text" in said(lab)
    lab.page.wait_for_function("(box => box.top >= 0 && box.top < innerHeight)(document.querySelector('ranking-lab').getBoundingClientRect())")


@on("ties-and-samples.html")
def test_ties(lab):
    tile(lab, "z").press("=")
    assert "ranks 4 and 5 are tied" in said(lab) and "on average" in said(lab)
    lab.locator(".glue").first.click()
    assert "ranks 1 and 2 are tied" in said(lab)


@on("discounted-gain.html")
def test_grades(lab):
    tile(lab, "x").press("3")
    tile(lab, "b").click()
    marks = lab.locator(".tile .sign").all_text_contents()
    assert marks[:6] == ["3", "2", "–", "2", "1", "–"] and marks[6:] == ["2", "3", "1", "–", "2", "–"]  # both tools rank the same items


CHILD = r"""() => {
  let seed = 7;
  const chance = n => (seed = (seed * 16807) % 2147483647) % n, lab = document.querySelector("ranking-lab");
  const input = (thing, value) => { thing.value = value; thing.dispatchEvent(new Event("input", {bubbles: true})); };
  const KEYS = ["ArrowLeft", "ArrowRight", "Home", "End", "=", "2", "0"];
  for (let step = 0; step < 200; step++) {
    const things = lab.querySelectorAll(".tile, .glue, [data-do]:not([data-do=copy], [data-do=link]), input");
    const thing = things[chance(things.length)], table = lab.querySelector(".lab-table");
    if (thing.matches("input")) input(thing, +thing.min + chance(+thing.max));
    else if (thing.matches(".tile")) {
      thing.focus();
      thing.dispatchEvent(new KeyboardEvent("keydown", {key: KEYS[chance(7)], shiftKey: chance(2) > 0, bubbles: true}));
    } else thing.click();
    const shown = [...lab.querySelectorAll("[data-list='0'] li")].map(item => item.dataset.id).join("");
    const [text] = (new URLSearchParams(location.search).get("lab") ?? "").split(/[_.]/);
    if (text && shown !== text.toLowerCase().replace(/[^a-z]/g, "")) return [step, thing.outerHTML, shown, text];
    if (/NaN|>null|\[object/.test(table.innerHTML)) return [step, thing.outerHTML, table.innerText];
  }
}"""


@on("ranking-lab.html")
def test_steps_at_random_break_nothing(lab):
    """Five minutes of a child: every control, in an order by chance; what is shown agrees with the address."""
    assert lab.page.evaluate(CHILD) is None


def test_from_a_file_and_without_a_clipboard(browser):
    page = browser.new_page()
    page.add_init_script("Object.defineProperty(navigator, 'clipboard', {value: undefined})")
    page.goto(Path(book_folder(), AVERAGE_PRECISION).as_uri())
    lab = page.locator("ranking-lab")
    tile(lab, "x").click()
    assert order(lab) == "XAyBCz" and "AP 8/15 →" in said(lab)
    lab.locator(".lab-python summary").click()
    assert lab.locator("[data-do=copy]:visible").count() == 0
    page.close()


ONLY_THE_LAB = """() => {
  const box = document.querySelector("div.ranking-lab");
  for (const each of document.querySelectorAll("article section > *")) if (!each.contains(box) && !each.matches("h1, h2")) each.remove();
}"""


@pytest.mark.parametrize("page, width, scheme", [("discounted-gain", 390, "dark"), ("averaging", 1280, "light")])
def test_a_lab_in_use_is_accessible(browser, address, page, width, scheme):
    """All that axe finds in the first state is found with its page; here a step was made, and the fold is open."""
    visit = Visit(browser, address, f"book/{page}.html", width, scheme)
    tile(visit.page.locator("ranking-lab"), "z").click()
    visit.page.evaluate("document.querySelector('.lab-python').open = true")
    visit.page.evaluate(ONLY_THE_LAB)
    visit.page.evaluate(THIN)
    assert violations(visit.page) == []
    assert visit.page.evaluate("document.documentElement.scrollWidth") <= width
    visit.context.close()
