// Things to move in a chapter, all in one manner: controls stand above the drawing that they move, what can be held in the drawing is held
// there, and a line below says what a step has changed, and why. Nothing changes its height.
// Each thing has a file of its own that calls handsOn(name, thing); node runs the same files, to draw the first state while the book is
// built and to compare `values` with the Python definitions. A thing has
//   task      what to try, in a sentence
//   controls  key -> {words, low, high, usual, shown(value, data), as}: a slider each; with as "choice" a button for each value; with as
//             "handle" the drawing has data-drag="key", which arrow keys move too. The state is key -> whole number
//   more      key -> what else the state holds at first, as text; fits: key -> the pattern of such a text
//   values    (state, data) -> the numbers of the drawing, by name
//   draw      (state, data) -> HTML, in which a button with data-act="what" calls act, and what has data-drag="key" can be drawn along;
//             elements with data-id stay the same when they change places, and are seen to move there
//   tiles     the key of a text whose letters are buttons in an element with data-tiles: they can be drawn to other places
//   first     (state, data) -> the sentence on a state that no step has led to; says: (before, after, data) -> that on what changed
//   act       (state, what, data) -> the next state; pushes: (key, value, state) -> what else changes when a control is set to a value
//   drag      key -> (x in the units of the drawing, or as a share of the width, data, y, state) -> the value of the control
//   plays     (drawing, before, after, data): what else is seen to move, where motion is welcome

const THINGS = {};

const usual = thing => ({ ...Object.fromEntries(Object.entries(thing.controls).map(([key, { usual }]) => [key, usual])), ...thing.more });
const write = state => Object.values(state).join("_");
function read(thing, text) {
  const state = usual(thing), parts = text.split("_");
  Object.keys(state).forEach((key, at) => {
    const { low, high } = thing.controls[key] ?? {}, value = parts[at] ?? String(state[key]);
    const fits = low === undefined ? thing.fits?.[key].test(value) ?? true : Number.isInteger(+value) && low <= +value && +value <= high;
    if (!fits) throw Error(`${key} = ${value} is not a value of this figure`);
    state[key] = low === undefined ? value : +value;
  });
  return state;
}
const first = (thing, state, data) => thing.first?.(state, data) ?? thing.says(state, state, data);

const range = ({ low, high }) => Array.from({ length: high - low + 1 }, (_, i) => low + i);
function slider(key, control, now, data) {
  const { words, low, high, shown } = control, widest = Math.max(...range(control).map(value => shown(value, data).length));
  return `<label>${words} <span class="value" style="min-width:${widest}ch">${shown(now, data)}</span>\
<input type="range" name="${key}" min="${low}" max="${high}" value="${now}" aria-valuetext="${shown(now, data)}"></label>`;
}
const choice = (key, control, now, data) => `<div class="hands-on-choice" role="radiogroup" aria-label="${control.words}"><span aria-hidden="true">${control.words}</span>\
${range(control).map(value => `<label><input type="radio" name="${key}" value="${value}"${value === now ? " checked" : ""}><span>${control.shown(value, data)}</span></label>`).join("")}</div>`;
const control = ([key, its], state, data) => (its.as === "handle" ? "" : (its.as === "choice" ? choice : slider)(key, its, state[key], data));

// What can be held in the drawing is a slider for the keyboard and for a screen reader.
const withHandles = (thing, drawn, state, data) => drawn.replace(/data-drag="(\w+)"/g, (held, key) => {
  const { as, words, low, high, shown } = thing.controls[key];
  return as === "handle" ? `${held} tabindex="0" role="slider" aria-label="${words}" aria-valuemin="${low}" aria-valuemax="${high}" aria-valuenow="${state[key]}" \
aria-valuetext="${shown(state[key], data)}"` : held;
});

// The whole thing. node calls this while the book is built; on the page each step brings the thing to what it draws.
function draw(thing, data, state = usual(thing), steps = 0) {
  return `<p class="hands-on-task live-only"><b>Try it.</b> ${thing.task}</p><div class="hands-on-controls live-only" role="group" aria-label="Change it">\
${Object.entries(thing.controls).map(each => control(each, state, data)).join("")}${(thing.buttons?.(state, data) ?? [])
    .map(([what, words, pressed]) => `<button type="button" data-act="${what}"${pressed === undefined ? "" : ` aria-pressed="${pressed}"`}>${words}</button>`).join("")}\
<span class="group"><button type="button" data-act="undo"${steps ? "" : " disabled"}>undo</button><button type="button" data-act="start again">reset</button></span></div>\
<div class="hands-on-drawing">${withHandles(thing, thing.draw(state, data), state, data)}</div><p class="hands-on-line live-only" role="status">${first(thing, state, data)}</p>`;
}

const handsOn = (name, thing) => {
  THINGS[name] = thing;
  if (typeof document !== "undefined") document.querySelectorAll(`hands-on[data-name="${name}"]`).forEach(place => bringToLife(place, name, thing));
};
// Words in the space of the longest of their forms: the two with most letters are laid out unseen.
const plain = html => html.replace(/<code>(.*?)<\/code>/g, (_, code) => `mm${code.replaceAll(" ", "\u00a0")}`).replace(/<[^>]*>/g, "").replace(/"/g, "&quot;");
handsOn.sized = (words, all) => {
  const [longest, next] = all.map(plain).sort((a, b) => b.length - a.length);
  return `<span class="sized" data-longest="${longest}" data-next="${next ?? ""}"><span>${words}</span></span>`;
};
globalThis.handsOn = handsOn;
if (typeof module === "object") {
  module.exports = {
    THINGS, draw: (name, data) => draw(THINGS[name], data), read: (name, text) => read(THINGS[name], text), usual: name => usual(THINGS[name]), write,
    first: (name, state, data) => first(THINGS[name], state, data),
  };
  return;
}

function bringToLife(place, name, thing) {
  const data = JSON.parse(place.querySelector("script")?.textContent ?? "null"), live = place.querySelector(".hands-on-live"), past = [];
  let state = usual(thing), sliding = null, held = null, wasDragged = false;

  // The drawing has markup, of a state that was read; what is said is text.
  function show(words = first(thing, state, data)) {
    const fresh = live.cloneNode();
    fresh.innerHTML = draw(thing, data, state, past.length);
    fresh.querySelector(".hands-on-line").textContent = words;
    changePlaces(live, () => become(live, fresh), () => held);
  }
  function step(next, before = state, words = undefined) {
    const was = state;
    if (past.at(-1) !== before) past.push(before);
    state = next;
    place.classList.toggle("sliding", sliding !== null);
    show(words ?? thing.says(before, state, data));
    if (!still.matches) thing.plays?.(live.querySelector(".hands-on-drawing"), was, state, data);
    setAddress(addressWith(name, write(state)));
  }
  function undo() {
    if (!past.length) return;
    const before = state;
    state = past.pop();
    sliding = null;
    show(`Taken back. ${thing.says(before, state, data)}`);
    setAddress(addressWith(name, write(state)));
  }
  function once(key, value, before = state) {
    const { low, high } = thing.controls[key], next = Math.min(high, Math.max(low, value));
    if (next !== state[key]) step({ ...state, [key]: next, ...thing.pushes?.(key, next, state) }, before);
  }
  const set = (key, value) => once(key, value, sliding ??= state);

  const tilesOf = () => [...live.querySelectorAll("[data-tiles] > button")];
  function put(from, to, before = state) {
    const items = [...state[thing.tiles]];
    items.splice(to, 0, ...items.splice(from, 1));
    if (items[to] !== undefined && items.join("") !== state[thing.tiles]) step({ ...state, [thing.tiles]: items.join("") }, before);
  }

  live.addEventListener("input", ({ target }) => (target.type === "radio" ? once : set)(target.name, +target.value));
  live.addEventListener("change", () => { sliding = null; });
  live.addEventListener("click", ({ target }) => {
    const what = target.closest("[data-act]")?.dataset.act;
    if (!what || wasDragged) return;
    sliding = null;
    if (what === "undo") undo();
    else if (what === "start again") step(usual(thing), state, `As at first. ${first(thing, usual(thing), data)}`);
    else step(thing.act(state, what, data));
  });

  // Arrows, Page, Home and End move what can be held by 1, by 10 and to its ends; Shift with an arrow moves a tile.
  function press(event) {
    const { target, key, shiftKey } = event, { drag } = target.dataset, name = drag ?? (target.type === "range" ? target.name : null);
    if (/^z$/i.test(key) && !event.altKey) undo();
    else if (event.ctrlKey || event.metaKey || event.altKey || (key.startsWith("Page") && live.closest(".reveal"))) return; // a clicker turns slides
    else if (name) {
      const { low, high } = thing.controls[name], by = { ArrowUp: 1, ArrowRight: 1, ArrowDown: -1, ArrowLeft: -1, PageUp: 10, PageDown: -10, Home: low - high, End: high - low }[key];
      if (!by) {
        if (key === " " && drag) event.preventDefault(); // which would scroll the page
        return;
      }
      sliding = null;
      once(name, state[name] + by);
    } else if (target.parentElement.matches("[data-tiles]")) {
      const tiles = tilesOf(), at = tiles.indexOf(target), last = tiles.length - 1;
      const to = { ArrowLeft: at - 1, ArrowUp: at - 1, ArrowRight: at + 1, ArrowDown: at + 1, Home: 0, End: last, PageUp: 0, PageDown: last }[key];
      if (to === undefined) return;
      if (!shiftKey) tiles[to]?.focus();
      else if (0 <= to && to <= last) {
        put(at, to);
        tilesOf()[to].focus();
      }
    } else return;
    event.preventDefault();
  }
  live.addEventListener("keydown", press);

  // While a pointer is down, every step is told from where it began.
  function follow(event, move, end) {
    const over = new AbortController(), ours = listener => moved => moved.pointerId === event.pointerId && listener(moved);
    sliding = null;
    addEventListener("pointermove", ours(move), { signal: over.signal });
    for (const kind of ["pointerup", "pointercancel"]) addEventListener(kind, ours(() => {
      over.abort();
      sliding = null;
      end();
    }), { signal: over.signal });
  }
  function drag(event, handle) {
    const { drag: key } = handle.dataset, svg = handle.ownerSVGElement, box = handle.parentElement;
    const move = ({ clientX, clientY }) => {
      const { left, width } = box.getBoundingClientRect();
      const { x, y } = svg ? new DOMPoint(clientX, clientY).matrixTransform(svg.getScreenCTM().inverse()) : { x: (clientX - left) / width };
      set(key, Math.round(thing.drag[key](x, data, y, state)));
    };
    event.preventDefault();
    handle.focus({ focusVisible: false, preventScroll: true });
    follow(event, move, () => {});
    move(event);
  }
  function dragTile(event, tile) {
    const before = state, places = tilesOf().map(each => each.getBoundingClientRect());
    let at = tilesOf().indexOf(tile);
    const hold = now => {
      held?.classList.remove("dragged");
      held = now;
      held?.classList.add("dragged");
    };
    follow(event, ({ clientX, clientY }) => {
      if (!held && Math.hypot(clientX - event.clientX, clientY - event.clientY) < 8) return;
      const away = places.map(box => Math.hypot((box.left + box.right) / 2 - clientX, (box.top + box.bottom) / 2 - clientY)), to = away.indexOf(Math.min(...away));
      hold(tilesOf()[at]);
      if (to === at) return;
      put(at, to, sliding ??= before);
      at = to;
      hold(tilesOf()[at]);
    }, () => {
      wasDragged = held !== null;
      hold(null);
      setTimeout(() => { wasDragged = false; });
    });
  }
  // A finger that is put on a handle of a picture moves it, and not the page: Chromium heeds touch-action only on the whole picture.
  live.addEventListener("touchstart", event => event.target.closest("svg [data-drag]") && event.preventDefault(), { passive: false });
  live.addEventListener("pointerdown", event => {
    const handle = event.target.closest("[data-drag]"), tile = thing.tiles && event.target.closest("[data-tiles] > button");
    if (event.button || !event.isPrimary) return;
    if (handle) drag(event, handle);
    else if (tile) dragTile(event, tile);
  });

  let words;
  try {
    const text = askedState(name, place);
    if (text) state = read(thing, text);
  } catch (error) {
    words = `The state in this address cannot be shown, because ${error.message}. The figure starts with its own state.`;
  }
  place.classList.add("live");
  show(words);
}
