// For readers who learn alone: how far they are, from what this browser keeps, and the final test, which draws ten questions.
// node runs the same file, for the draw that stands on the page without scripts.

const ASKED = 10, LETTERS = "ABCDEFGH";
const escaped = text => String(text).replace(/[&<>"]/g, letter => `&#${letter.charCodeAt(0)};`);

// Numbers from 0 to 1 that a text determines (xmur3 and mulberry32).
function chance(text) {
  let h = 1779033703 ^ text.length;
  for (const letter of text) h = Math.imul(h ^ letter.codePointAt(0), 3432918353), h = (h << 13) | (h >>> 19);
  return () => {
    let t = (h += 0x6d2b79f5);
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

function shuffled(items, next) {
  const found = [...items];
  for (let n = found.length - 1; n > 0; n--) {
    const other = Math.floor(next() * (n + 1));
    [found[n], found[other]] = [found[other], found[n]];
  }
  return found;
}

// Ten questions of the bank, of as many chapters and levels as possible, in the order of the book, each with one of its variants and its options shuffled.
function draw(bank, seed) {
  const next = chance(seed), left = shuffled(bank, next), taken = [];
  const alike = (question, what) => taken.filter(other => other[what] === question[what]).length;
  while (taken.length < Math.min(ASKED, bank.length)) {
    const costs = left.map(question => 100 * alike(question, "page") + alike(question, "level"));
    taken.push(left.splice(costs.indexOf(Math.min(...costs)), 1)[0]);
  }
  return taken.sort((a, b) => bank.indexOf(a) - bank.indexOf(b)).map(({ objective, variants }) => {
    const [text, options, feedback, way] = variants[Math.floor(next() * variants.length)];
    const order = shuffled(options.keys(), next);
    return { objective, text, way, options: order.map(at => options[at]), right: order.indexOf(0), feedback: order.map(at => feedback[at - 1] ?? "") };
  });
}

const asked = drawn => drawn.map(({ text, options }, n) => `<fieldset><legend>${n + 1}. ${escaped(text)}</legend>${options.map((option, at) =>
  `<label><input type="radio" name="question-${n}" value="${at}"> <b>${LETTERS[at]}</b> <span>${escaped(option)}</span></label>`).join("")}<p class="verdict"></p></fieldset>`).join("");
const answered = drawn => `<ol>${drawn.map(({ right, options, way }) => `<li><b>${LETTERS[right]}</b> (${escaped(options[right])}). ${escaped(way)}</li>`).join("")}</ol>`;

if (typeof module === "object") {
  module.exports = { draw, asked, answered };
  return;
}

// ---- How far am I?

const KEPT = [/^chosen vote-/, /^solved ex-/, /^passed \w+$/, /^ranking lab /]; // the keys of what is counted
const whole = value => (Number.isInteger(value) && value >= 0 ? value : null);

// How many of the votes, boxes, tasks and challenges of a chapter are done, and how many votes were right the first time.
function done({ votes, boxes, tasks, labs }) {
  const first = Object.entries(votes).map(([name, right]) => [whole(kept(`chosen vote-${name}`)), right]);
  const solved = Object.entries(labs).map(([name, most]) => {
    const fewest = kept(`ranking lab ${name}`)?.fewest;
    return Array.isArray(fewest) ? Math.min(most, fewest.filter(moves => whole(moves) !== null).length) : 0;
  });
  return {
    votes: first.filter(([chosen]) => chosen !== null).length, right: first.filter(([chosen, right]) => chosen === right).length,
    boxes: boxes.filter(name => kept(`solved ${name}`) === true).length, tasks: tasks.filter(name => kept(`passed ${name}`) === true).length,
    labs: solved.reduce((a, b) => a + b, 0),
  };
}

function countAll(table) {
  const totals = {};
  for (const row of table.querySelectorAll("tr[data-has]")) {
    const found = done(JSON.parse(row.dataset.has));
    for (const cell of row.querySelectorAll("td")) {
      const { kind, of } = cell.dataset, words = `${found[kind]} of ${of}`;
      if (+of) cell.textContent = kind === "votes" && found.votes ? `${words}, ${found.right} right` : words;
      cell.classList.toggle("all", +of > 0 && found[kind] === +of);
      totals[kind] = (totals[kind] ?? 0) + found[kind];
    }
  }
  return Object.values(totals).reduce((a, b) => a + b, 0);
}

function keysThatCount() {
  try {
    return Object.keys(localStorage).filter(key => KEPT.some(kind => kind.test(key)));
  } catch {
    return [];
  }
}

// One button forgets all, after a question, and until the page is left what was forgotten can be brought back.
function offerToForget(table) {
  const words = make("span", { role: "status" }), line = make("p", { className: "forget" });
  const press = (textContent, action) => {
    const made = make("button", { type: "button", textContent });
    made.addEventListener("click", action);
    return made;
  };
  const show = (said, ...buttons) => {
    words.textContent = said;
    line.replaceChildren(words, ...buttons.flatMap(each => [" ", each]));
    buttons[0].focus({ preventScroll: true });
  };
  const again = press("Forget all of this", () => show("Forget everything that is counted here?", press("Yes, forget it", forget), press("No, keep it", () => show("Nothing was forgotten.", again))));
  function forget() {
    const before = keysThatCount().map(key => [key, kept(key)]);
    for (const [key] of before) keep(key, null);
    countAll(table);
    show("This browser has forgotten it.", press("Bring it back", () => {
      for (const [key, value] of before) keep(key, value);
      countAll(table);
      show("It is back.", again);
    }));
  }
  line.append(words, again);
  table.after(line);
}

const table = document.querySelector(".how-far");
if (table) {
  const any = countAll(table);
  offerToForget(table);
  if (!any) table.nextElementSibling.after(make("p", { className: "nothing-yet", textContent: "This browser has kept nothing yet: begin with the votes of any chapter." }));
  window.addEventListener("pageshow", ({ persisted }) => persisted && countAll(table));
  window.addEventListener("storage", () => countAll(table));
}

// ---- The final test.

// A question as `asked` writes it.
function drawnField({ text, options }, n) {
  const labels = options.map((option, at) => make("label", {}, make("input", { type: "radio", name: `question-${n}`, value: at }), " ",
    make("b", { textContent: LETTERS[at] }), " ", make("span", { textContent: option })));
  return make("fieldset", {}, make("legend", { textContent: `${n + 1}. ${text}` }), ...labels, make("p", { className: "verdict" }));
}

function test(form) {
  const bank = JSON.parse(document.querySelector(".final-bank").textContent), { fixed } = form.dataset;
  const given = new URLSearchParams(location.search).get("draw"), seed = (given ?? "").trim().slice(0, 40) || fixed, drawn = draw(bank, seed);
  document.querySelector(".final-answers").remove();
  if (seed !== fixed) form.replaceChildren(...drawn.map(drawnField));
  const result = make("div", { className: "final-result", tabIndex: -1 }), check = make("button", { textContent: "Check my answers" });
  const [other, name] = [Math.random().toString(36).slice(2, 8), make("b", { textContent: seed })];
  const address = value => `?${new URLSearchParams({ draw: value })}`;
  form.append(make("p", { className: "final-buttons" }, check, " ", make("a", { href: address(other), textContent: "Draw ten others" })),
    make("p", { className: "final-seed" }, "This is draw ", name, ". The same draw again, for somebody else: ", make("a", { href: address(seed), textContent: "its address" }), "."), result);
  const fields = [...form.querySelectorAll("fieldset")], chosenIn = field => field.querySelector("input:checked")?.value ?? null;

  form.addEventListener("submit", event => {
    event.preventDefault();
    const open = fields.filter(field => chosenIn(field) === null);
    if (open.length && !result.textContent) {
      result.replaceChildren(make("p", {}, `${open.length === 1 ? "One question has" : `${open.length} questions have`} no answer yet. Press again to check the others.`));
      return open[0].querySelector("input").focus();
    }
    const missed = drawn.filter(({ right, feedback, options, way }, n) => {
      const chosen = chosenIn(fields[n]), correct = chosen === String(right), verdict = fields[n].querySelector(".verdict");
      fields[n].className = correct ? "right" : "wrong";
      fields[n].querySelectorAll("input").forEach(input => { input.disabled = true; });
      const says = correct ? "✓ Right." : `✗ ${chosen === null ? "No answer." : `Not ${LETTERS[chosen]}. ${feedback[chosen]}`} The right option is ${LETTERS[right]}, ${options[right].replace(/\.$/, "")}.`;
      verdict.textContent = `${says} ${way}`;
      return !correct;
    });
    const again = [...new Set(missed.map(({ objective }) => objective))].map(objective => document.getElementById(`objective-${objective}`)).filter(Boolean);
    const list = again.map(item => make("li", {}, ...item.cloneNode(true).childNodes));
    result.replaceChildren(make("p", {}, make("b", { textContent: `${drawn.length - missed.length} of ${drawn.length} are right.` }), list.length ? " Read again how to" : " Nothing to read again: try ten others."), ...(list.length ? [make("ul", {}, ...list)] : []));
    check.remove();
    result.focus();
  });
}

const form = document.querySelector("form.final-test");
if (form) test(form);
