// The table of claims: sort it by a column, filter it. Without this script it is a plain, full table.

const STRENGTHS = ["proved", "exhausted", "sampled", "cited"];
const collator = new Intl.Collator("en", {numeric: true});

const table = document.querySelector("table.claims-table");
const body = table.tBodies[0];
const bookOrder = [...body.rows];
const heads = [...table.tHead.rows[0].cells];
// A formula says the same thing three times over; a statement bears its words as plain text.
const text = (row, column) => {
  const content = row.cells[column].lastElementChild;
  return content.dataset.words ?? content.textContent.trim();
};
const column = name => heads.findIndex(head => head.textContent.trim() === name);
const STRENGTH = column("Strength"), CASES = column("Cases"), CHAPTER = column("Chapter");
const words = new Map(bookOrder.map(row => [row, heads.map((_, i) => text(row, i)).join(" ").toLowerCase()]));
const values = index => [...new Set(bookOrder.map(row => text(row, index)))];

// ---- Controls ----

const strengths = STRENGTHS.filter(strength => values(STRENGTH).includes(strength));
const form = make("form", {autocomplete: "off"});
form.innerHTML = `
  <label>Find words <input type="search" name="search"></label>
  <label>Chapter <select name="chapter"><option value="">all</option></select></label>
  <fieldset><legend>Strength</legend></fieldset>
  <button type="button">All claims, in the book's order</button>
  <p role="status"></p>`;
for (const chapter of values(CHAPTER)) form.elements.chapter.add(new Option(chapter));
for (const strength of strengths) {
  const box = make("input", {type: "checkbox", name: "strength", value: strength, defaultChecked: true});  // a reset checks it again
  form.querySelector("fieldset").append(make("label", {}, box, ` ${strength}`));
}
const count = form.querySelector("[role=status]");

function filter() {
  const wanted = form.elements.search.value.toLowerCase().split(/\s+/);
  const chapter = form.elements.chapter.value;
  const chosen = [...form.querySelectorAll(":checked[name=strength]")].map(box => box.value);
  for (const row of bookOrder)
    row.hidden = !(wanted.every(word => words.get(row).includes(word)) && chosen.includes(text(row, STRENGTH))
      && (!chapter || text(row, CHAPTER) === chapter));
  const shown = bookOrder.filter(row => !row.hidden).length;
  count.textContent = `${shown} of ${bookOrder.length} claims shown`
    + (shown ? "" : ". No claim fits: remove a word, or widen the selection.");
}

// ---- Order ----

const keys = {[STRENGTH]: row => STRENGTHS.indexOf(text(row, STRENGTH)), [CASES]: row => Number(text(row, CASES).replaceAll(",", "")) || 0};

function compare(index) {
  const key = keys[index] || (row => text(row, index));
  return (one, other) => typeof key(one) === "number"
    ? key(one) - key(other) : collator.compare(key(one), key(other));
}

// Equal rows stay in the order of the book, which is "none": there all rows count as equal.
const SIGN = {ascending: 1, descending: -1, none: 0};

function sort(index, direction) {
  const by = compare(index);
  heads.forEach((head, i) => head.setAttribute("aria-sort", i === index ? direction : "none"));
  body.append(...[...bookOrder].sort((one, other) => SIGN[direction] * by(one, other)));
}

const NEXT = {none: "ascending", ascending: "descending", descending: "none"};
heads.forEach((head, index) => {
  const button = make("button", {type: "button", textContent: head.textContent.trim()});
  button.addEventListener("click", () => sort(index, NEXT[head.getAttribute("aria-sort")]));
  head.replaceChildren(button);
});

// ---- A link to a row leads there, even if the row was filtered out ----

function showAll() {
  form.reset();
  sort(0, "none");
  filter();
}

function showTarget() {
  const row = document.getElementById(location.hash.slice(1));
  if (!bookOrder.includes(row)) return;
  if (row.hidden) showAll();
  row.scrollIntoView();
}

form.addEventListener("input", filter);
form.addEventListener("submit", event => event.preventDefault());
form.querySelector("button").addEventListener("click", showAll);
window.addEventListener("hashchange", showTarget);
document.querySelector(".claims-controls").append(form);
showAll();
showTarget();
