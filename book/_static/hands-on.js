// Things to move in a chapter: sliders and buttons beside a drawing, and a line that says what a step has changed, and why.
// Each thing has a file of its own that calls handsOn(name, thing); node runs the same files, to draw the first state while the book is
// built and to compare `values` with the Python definitions. A thing has
//   task      what to try, in a sentence
//   controls  key -> {words, low, high, usual, shown(value)}: a slider each; the state is key -> whole number
//   more      key -> what else the state holds at first, as text; fits: key -> the pattern of such a text
//   values    (state, data) -> the numbers of the drawing, by name
//   draw      (state, data) -> HTML, in which a button with data-act="what" calls act, and what has data-drag="key" can be drawn along
//   says      (before, after, data) -> the sentence on what changed
//   act       (state, what, data) -> the next state
//   pushes    (key, value, state) -> what else changes when a control is set to a value
//   drag      key -> (x in the units of the drawing, data) -> the value of the control

const THINGS = {};
const FIRST_WORDS = "This line will say what a step has changed, and why.";

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

const slider = ([key, { words, low, high, shown }], state) => `<label>${words} <span class="value">${shown(state[key])}</span>\
<input type="range" name="${key}" min="${low}" max="${high}" value="${state[key]}" aria-valuetext="${shown(state[key])}"></label>`;

// The whole thing. node calls this while the book is built; on the page each step brings the thing to what it draws.
function draw(thing, data, state = usual(thing)) {
  return `<p class="hands-on-task live-only"><b>Try it.</b> ${thing.task}</p><div class="hands-on-drawing">${thing.draw(state, data)}</div><div class="live-only"><div class="hands-on-controls" role="group" \
aria-label="Change it">${Object.entries(thing.controls).map(each => slider(each, state)).join("")}${(thing.buttons?.(state, data) ?? [])
    .map(([what, words, pressed]) => `<button type="button" data-act="${what}"${pressed === undefined ? "" : ` aria-pressed="${pressed}"`}>${words}</button>`).join("")}\
<button type="button" data-act="start again">start again</button></div><p class="hands-on-line" role="status">${FIRST_WORDS}</p></div>`;
}

const handsOn = (name, thing) => {
  THINGS[name] = thing;
  if (typeof document !== "undefined") document.querySelectorAll(`hands-on[data-name="${name}"]`).forEach(place => bringToLife(place, name, thing));
};
globalThis.handsOn = handsOn;
if (typeof module === "object") {
  module.exports = { THINGS, draw: (name, data) => draw(THINGS[name], data), read: (name, text) => read(THINGS[name], text), usual: name => usual(THINGS[name]), write };
  return;
}

function bringToLife(place, name, thing) {
  const data = JSON.parse(place.querySelector("script")?.textContent ?? "null"), live = place.querySelector(".hands-on-live");
  let state = usual(thing), sliding = null;

  // The drawing has markup, of a state that was read; what is said is text.
  function show(words = FIRST_WORDS) {
    const fresh = live.cloneNode();
    fresh.innerHTML = draw(thing, data, state);
    fresh.querySelector(".hands-on-line").textContent = words;
    become(live, fresh);
  }
  function step(next, before = state) {
    state = next;
    show(thing.says(before, state, data));
    setAddress(addressWith(name, write(state)));
  }
  const set = (key, value) => {
    const { low, high } = thing.controls[key], next = Math.min(high, Math.max(low, value));
    sliding ??= state;
    if (next !== state[key]) step({ ...state, [key]: next, ...thing.pushes?.(key, next, state) }, sliding);
  };

  live.addEventListener("input", ({ target }) => set(target.name, +target.value));
  live.addEventListener("change", () => { sliding = null; });
  live.addEventListener("click", ({ target }) => {
    const what = target.closest("[data-act]")?.dataset.act;
    if (!what) return;
    if (what !== "start again") return step(thing.act(state, what, data));
    step(usual(thing));
    show("The figure starts again.");
  });
  live.addEventListener("pointerdown", event => {
    const handle = event.target.closest("[data-drag]");
    if (!handle || event.button) return;
    const { drag: key } = handle.dataset, svg = handle.ownerSVGElement, over = new AbortController();
    const move = ({ clientX, clientY }) => {
      const { x, y } = new DOMPoint(clientX, clientY).matrixTransform(svg.getScreenCTM().inverse());
      set(key, Math.round(thing.drag[key](x, data, y, state)));
    };
    event.preventDefault();
    addEventListener("pointermove", move, { signal: over.signal });
    for (const kind of ["pointerup", "pointercancel"]) addEventListener(kind, () => { over.abort(); sliding = null; }, { signal: over.signal });
    move(event);
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
