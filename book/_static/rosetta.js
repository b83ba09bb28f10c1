// The tables of Rosetta: what is typed hides the libraries and rows that lack a word of it. Without this script all are there.
// A number stands for any number, so that ndcg@10 finds the row of ndcg@3.

const folds = [...document.querySelectorAll("details.library")];
const general = text => text.toLowerCase().replace(/\d+/g, "0");
const rows = folds.flatMap(fold => [...fold.querySelectorAll("tbody tr")].map(row => ({
  fold, row, words: general(`${fold.querySelector("summary").textContent} ${row.textContent}`),
})));
const form = make("form", {autocomplete: "off"});
form.innerHTML = `<label>Show rows with <input type="search" name="words" placeholder="LightGBM ndcg@10"></label><p role="status"></p>`;

function filter() {
  const wanted = general(form.elements.words.value).split(/\s+/).filter(Boolean);
  for (const each of rows) each.row.hidden = !wanted.every(word => each.words.includes(word));
  const shown = rows.filter(({ row }) => !row.hidden);
  for (const fold of folds) {
    fold.hidden = !shown.some(each => each.fold === fold);
    fold.open = wanted.length > 0 && !fold.hidden;
  }
  form.querySelector("[role=status]").textContent = wanted.length ? `${shown.length} of ${rows.length} rows` : "";
}

// A link to a row leads there, even if the row was filtered out.
function showTarget() {
  const target = document.getElementById(location.hash.slice(1));
  if (!target?.closest("[hidden]")) return;
  form.reset();
  filter();
  for (const fold of folds) fold.open = fold.contains(target);
  target.scrollIntoView();
}

form.addEventListener("input", filter);
form.addEventListener("submit", event => event.preventDefault());
window.addEventListener("hashchange", showTarget);
document.querySelector(".row-filter").append(form);
