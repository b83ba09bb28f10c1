"""The Ranking Lab as readers use it: mouse, finger and keys, challenges, addresses, and what goes wrong."""

import pytest
from browser.visits import open_folds, until, violations
from test_ranking_lab import first_states

FIRST_LIST = "[data-goal='0'][data-list='0']"
TILE = f"{FIRST_LIST} .tile"
FOCUSED = "document.activeElement.parentElement.dataset.id"


@pytest.fixture
def lab(request, visit):
    """The lab of average precision, or of another page that a test asks for."""
    return visit(f"book/{getattr(request, 'param', 'average-precision.html')}").locator("ranking-lab")


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


def test_a_click_switches_an_item_all_follows_and_it_is_taken_back_and_done_again(lab):
    undo, redo = (lab.locator(f"[data-do={what}]") for what in ("undo", "redo"))
    assert undo.is_disabled() and redo.is_disabled()
    tile(lab, "x").click()
    assert order(lab) == "XAyBCz" and lab.page.url.endswith("lab=XAyBCz")
    assert said(lab).startswith("x at rank 1 is now relevant: AP 8/15 → 71/80 (+17/48), P@4 1/2 → 3/4, recall@4 2/3 → 3/4")
    assert "4/5" in lab.locator(".lab-sum").inner_text().replace("\n", "/")
    assert "first = [1, 1, 0, 1, 1, 0]\nprint(metrics.average_precision(first, n_relevant=4))" in lab.locator(".lab-python pre").text_content()
    lab.page.reload()
    assert order(lab) == "XAyBCz"
    lab.locator("[data-do=start]").click()
    lab.locator("[name=K]").press("ArrowLeft")
    assert "cutoff K = 3" in said(lab) and lab.locator("[name=K]").get_attribute("aria-valuetext") == "3"
    tile(lab, "z").press("Control+z")
    assert lab.locator("[name=K]").get_attribute("aria-valuetext") == "4" and said(lab).startswith("Undone: P@4 1/3 → 1/2")
    redo.click()
    assert said(lab).startswith("Redone: P@3 1/2 → 1/3")


def solved(lab):
    return lab.locator(".lab-solved").text_content()


def test_an_item_moves_and_the_challenge_knows(lab):
    """By the keyboard, by the buttons and by the mouse."""

    def moved():
        assert order(lab) == "AxyBCz"
        assert "AP 8/15 → 7/10 (+1/6); terms of AP: a 1/2 → 1/1." in said(lab) and "1/(3·1·2)" in said(lab)
        lab.locator("[data-do=start]").click()
        assert order(lab) == "xAyBCz" and solved(lab).startswith("1 of 3 solved. Next: Make AP exactly 1/2")

    assert solved(lab).startswith("0 of 3 solved.") and said(lab).startswith("AP is 8/15; P@4 is 1/2")
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
    lab.page.reload()
    lab.locator(".lab-solved", has_text="2 of 3 solved.").wait_for()


@on("ranking-lab.html")
def test_a_ranking_to_begin_with_and_one_of_your_own(lab):
    lab.locator("[name=preset]").select_option(label="two tools")
    assert order(lab) == "AxyzBC" and "prefer the first tool" in lab.locator(".verdict").inner_text()
    lab.locator("[name=own]").fill("d7* d3 d12*")
    lab.locator("[name=own]").press("Enter")
    assert order(lab) == "AxB" and "Your own ranking" in said(lab)
    lab.locator("[name=own]").fill("7")
    lab.locator("[data-do=own]").click()
    assert order(lab) == "AxB" and said(lab).startswith("This ranking cannot be shown, because it needs 2 to 12 items: grades from 0 to 3, or ids with a *")
    lab.locator("[data-do=undo]").click()
    assert order(lab) == "AxyzBC"


@pytest.mark.parametrize("width", [1280, 390])
def test_tiles_line_and_what_changed_are_in_one_view(visit, width):
    page = visit("book/ranking-lab.html", width)
    lab = page.locator("ranking-lab")
    tile(lab, "x").click()
    rows = lab.locator("tr.changed")
    assert lab.locator("tbody tr").first.inner_text().startswith("changed by this step") and rows.count() > 9
    rows.nth(5).evaluate("row => row.scrollIntoView({block: 'center'})")
    for seen in (tile(lab, "x"), lab.locator(".lab-change"), rows.nth(5)):
        box = seen.bounding_box()
        assert box["y"] >= 40 and box["y"] + box["height"] <= 900
        middle = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        assert page.evaluate("([x, y, row]) => row.contains(document.elementFromPoint(x, y))", [*middle, seen.element_handle()])
    lab.locator("[name=preset]").select_option(label="four items with one score")
    assert lab.locator("table.ties").count() == 1
    assert lab.locator(".lab-table").evaluate("table => table.scrollWidth <= table.clientWidth"), "with a tie something is cut"


@pytest.mark.parametrize("width", [1400, 390])
@pytest.mark.parametrize("name", ["from-sets-to-rankings", "order-and-auc", "average-precision"])
def test_a_step_moves_nothing_below_a_lab_and_what_it_says_fits(visit, name, width):
    page = visit(f"book/{name}.html", width)
    open_folds(page)
    lab, places = page.locator("ranking-lab"), set()
    for act in ("[name=K]", f"{TILE} >> nth=0", f"{TILE} >> nth=3", "[data-do=undo]", "[data-do=start]"):
        if act.startswith("[name") and lab.locator(act).count():
            lab.locator(act).press("Home")
        elif lab.locator(act).count():
            lab.locator(act).click()
        places.add(lab.evaluate("lab => ['.lab-body', '.lab-controls'].map(part => lab.querySelector(part).offsetTop).join()"))
        assert lab.locator(".lab-change").evaluate("line => line.scrollHeight <= line.clientHeight"), said(lab)
    assert len(places) == 1, places


def test_what_is_solved_is_no_longer_said_of_a_list_that_does_not_solve_it(lab):
    tile(lab, "a").press("Shift+ArrowLeft")
    assert "✓ Solved" in solved(lab)
    tile(lab, "a").press("z")
    assert "✓ Solved" not in solved(lab) and solved(lab).startswith("1 of 3 solved. Next:") and order(lab) == "xAyBCz"


def test_the_list_of_a_reader_goes_along_and_is_forgotten(lab):
    page = lab.page
    tile(lab, "x").click()
    assert "Take this list along to the other chapters?" in lab.locator(".lab-own").inner_text()
    lab.locator("[data-do=along]").click()
    for path, found in (("order-and-auc", "XAyBCz"), ("ranking-lab", "XAyBCz")):
        page.goto(page.url.replace(page.url.rsplit("/", 1)[1], f"{path}.html"))
        open_folds(page)
        lab.locator("[data-do=mine]").click()
        assert order(lab) == found and "Your list" in said(lab)
    lab.locator("[data-do=forget]").click()
    assert "forgotten" in said(lab) and lab.locator("[data-do=mine]").count() == 0


FULL = """const set = Storage.prototype.setItem;
Storage.prototype.setItem = function (key, value) {
  if (key === "list of the reader") throw new DOMException("", "QuotaExceededError");
  set.call(this, key, value);
};"""


@pytest.mark.parametrize("stored", ['{"text": "<img src=x onerror=alert(1)>"}', '{"text": 7}', "nonsense", '{"text": "xAyBczdefghijk"}', "forbidden"])
def test_what_is_kept_is_read_like_an_address_and_a_browser_may_keep_nothing(visit, stored):
    page = visit("book/average-precision.html")
    if stored == "forbidden":
        page.add_init_script(FULL)
    else:
        page.evaluate("text => localStorage.setItem('list of the reader', text)", stored)
    page.reload()
    lab = page.locator("ranking-lab")
    assert lab.locator("[data-do=mine]").count() == 0
    tile(lab, "x").click()
    lab.locator("[data-do=along]").click()
    assert ("keeps nothing" in said(lab)) == (stored == "forbidden") == (lab.locator("[data-do=mine]").count() == 0)


def test_a_finger_moves_an_item(visit):
    page = visit("book/average-precision.html", 390, has_touch=True, is_mobile=True)
    lab = page.locator("ranking-lab")
    tile(lab, "x").tap()
    assert order(lab) == "XAyBCz"
    client = page.context.new_cdp_session(page)
    at = lambda x, y: [{"x": x, "y": y}]
    start, end = middle(tile(lab, "z")), middle(tile(lab, "x"))
    client.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": at(*start)})
    for step in range(1, 9):
        place = [a + (b - a) * step / 8 for a, b in zip(start, end)]
        client.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": at(*place)})
    client.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    until(page, "document.querySelector('ranking-lab li').dataset.id === 'z'")


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
def test_an_item_that_is_dragged_far_stays_in_its_own_list(lab):
    lab.scroll_into_view_if_needed()
    drag(lab.page, middle(tile(lab, "x")), middle(lab.locator("[data-list='1'] .tile").last))
    assert order(lab) == "AyBCzx" and "x moved from rank 1 to rank 6 (first tool): AUC of the first tool " in said(lab)


@on("average-precision.html?lab=%E0")
def test_a_malformed_address_leaves_a_lab_and_a_message(lab):
    """What else may stand there, and what the lab makes of it, test_ranking_lab.py asks in node."""
    assert order(lab) == "xAyBCz" and "cannot be shown here" in said(lab)
    tile(lab, "x").click()
    assert order(lab) == "XAyBCz"


def test_a_ranking_of_the_text_goes_to_the_lab(lab):
    open_folds(lab.page, "details.deeper")
    places = lab.page.locator(".take")
    assert places.count() > 3
    place = lab.page.get_by_role("button", name="Take the ranking a x y z b c to the lab").first
    place.focus()
    lab.page.keyboard.press("Enter")
    assert order(lab) == "AxyzBC" and "taken from the text" in said(lab)
    until(lab.page, "(box => box.top >= 0 && box.top < innerHeight)(document.querySelector('ranking-lab').getBoundingClientRect())")


@on("ranking-lab.html")
def test_grades_and_ties(lab):
    tile(lab, "x").press("3")
    tile(lab, "b").click()
    assert lab.locator(f"{FIRST_LIST} .sign").all_text_contents()[0] == "3"
    tile(lab, "y").press("=")
    assert "ranks 3 and 4 are tied" in said(lab) and "on average" in said(lab)
    lab.locator(".glue").first.click()
    assert "ranks 1 and 2 are tied" in said(lab)


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


def test_the_call_can_be_copied_but_not_where_the_browser_does_not_and_a_file_has_a_lab_too(visit_file):
    lab = visit_file("book/average-precision.html").locator("ranking-lab")
    copy = lab.locator("[data-do=copy]")
    lab.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    lab.locator(".lab-python summary").click()
    copy.click()
    lab.locator(".lab-change", has_text="Copied.").wait_for()
    assert lab.page.evaluate("navigator.clipboard.readText()") == first_states()["average-precision"]["python"]
    lab.page.add_init_script("Object.defineProperty(navigator, 'clipboard', {value: undefined})")
    lab.page.reload()
    tile(lab, "x").click()
    assert order(lab) == "XAyBCz" and "AP 8/15 →" in said(lab)
    lab.locator(".lab-python summary").click()
    assert copy.count() == 0 or not copy.is_visible()


@pytest.mark.parametrize("name, width, scheme", [("discounted-gain", 390, "dark"), ("averaging", 1280, "light")])
def test_a_lab_in_use_is_accessible(visit, name, width, scheme):
    """All that axe finds in the first state is found with its page; here a step was made, and the fold is open."""
    page = visit(f"book/{name}.html", width, scheme)
    tile(page.locator("ranking-lab"), "z").click()
    page.evaluate("document.querySelector('.lab-python').open = true")
    page.evaluate("document.querySelector('article').replaceChildren(document.querySelector('h1'), document.querySelector('div.ranking-lab'))")
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width
