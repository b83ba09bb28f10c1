// A list of seven suggestions that the reader cuts, and whose items move up: the five metrics of premise selection, at every cut.

const REQUIRED = "abcd", N = 4;
const NAMES = { cover: "4-cover", precision: "4-precision", recall: "“recall”", rank: "“rank”", auc: "AUC" };
const LOWER = ["recall", "rank"];

const gcd = (a, b) => (b ? gcd(b, a % b) : a);
const over = (a, b) => (b ? [a / gcd(a, b), b / gcd(a, b)] : null); // a fraction, or null where it is undefined
const written = x => (x === null ? "–" : x[1] === 1 ? String(x[0]) : `${x[0]}/${x[1]}`);
const num = x => x[0] / x[1];
const sum = all => all.reduce((a, b) => a + b, 0);

function five(list) {
  const hits = [...list].flatMap((item, place) => (REQUIRED.includes(item) ? [place] : [])), m = hits.length, L = list.length;
  const top = hits.filter(place => place < N).length, rightPairs = sum(hits.map((place, j) => L - m - (place - j)));
  return {
    cover: over(top, REQUIRED.length), precision: over(top, Math.min(N, L)),
    recall: over(m === REQUIRED.length ? hits.at(-1) + 1 : L + 1, 1), rank: over(sum(hits), m), auc: over(rightPairs, m * (L - m)),
  };
}
const values = ({ cut, list }) => five(list.slice(0, cut));

const better = (name, x, y) => x !== null && (y === null || (LOWER.includes(name) ? num(x) < num(y) : num(x) > num(y)));
const best = (name, all) => all.reduce((found, each) => (better(name, each[name], found) ? each[name] : found), null);
const same = (x, y) => written(x) === written(y);

function draw({ cut, list }) {
  const all = [...list, ""].map((_, at) => five(list.slice(0, at)));
  const tiles = [...list].map((item, place) => `<button type="button" data-id="${item}" class="${REQUIRED.includes(item) ? "needed" : ""} ${place < cut ? "" : "gone"}" \
data-act="${place}" aria-label="${item} at rank ${place + 1}, ${REQUIRED.includes(item) ? "" : "not "}required${place < cut ? "" : ", cut off"}: press to move it up">${item}</button>`);
  const rows = Object.keys(NAMES).map(name => {
    const top = best(name, all);
    return `<tr><th scope="row">${NAMES[name]}${LOWER.includes(name) ? " ↓" : ""}</th>${all.map((each, at) =>
      `<td class="${at === cut ? "now" : ""} ${each[name] !== null && same(each[name], top) ? "best" : ""}">${written(each[name])}</td>`).join("")}</tr>`;
  });
  const heads = all.map((_, at) => `<th scope="col" class="${at === cut ? "now" : ""}">${at}</th>`);
  return `<div class="cut-list"><div class="cut-tiles held"><div class="tiles" data-tiles role="group" aria-label="The suggestions, best first; the number made is ${cut}">${tiles.join("")}</div>\
<span class="edge" data-drag="cut" style="left:${100 * cut / 7}%"></span></div><table class="every-cut"><caption>The values, by the number of suggestions made (bold: best; ↓&nbsp;lower is better; –&nbsp;undefined)</caption>\
<tr><th></th>${heads.join("")}</tr>${rows.join("")}</table></div>`;
}

const found = state => [...state.list.slice(0, state.cut)].filter(item => REQUIRED.includes(item)).length;
function says(before, after) {
  const [was, is] = [values(before), values(after)];
  const changes = Object.keys(NAMES).filter(name => !same(was[name], is[name])).map(name =>
    `${NAMES[name]} ${written(was[name]).replace("–", "not defined")} → ${written(is[name]).replace("–", "not defined")}${
      was[name] && is[name] ? (better(name, is[name], was[name]) ? " (better)" : " (worse)") : ""}`);
  const [m, now] = [found(before), found(after)];
  const what = after.list !== before.list ? "In this order" : now < m ? `The list now holds ${now} required premise${now === 1 ? "" : "s"} instead of ${m}`
    : now > m ? `The list now holds ${now === 4 ? "all four required premises" : `${now} required premise${now === 1 ? "" : "s"} instead of ${m}`}` : "The list holds the same required premises";
  return changes.length ? `${what}: ${changes.join("; ")}.` : `${what}, and none of the five metrics changes.`;
}

handsOn("cut-the-list", {
  task: "The proof requires a, b, c and d. Drag the bar, and make fewer suggestions, down to none: which metrics get better? Then make all seven, and drag a tile, or press it to move it up.",
  controls: { cut: { words: "suggestions made", low: 0, high: 7, usual: 6, shown: cut => String(cut), as: "handle" } },
  more: { list: "xaybczd" },
  tiles: "list",
  drag: { cut: x => 7 * x },
  fits: { list: { test: text => [...text].sort().join("") === "abcdxyz" } },
  first: state => `With ${state.cut} suggestions, ${found(state)} of the 4 required premises are in the list: ${Object.entries(values(state)).map(([name, x]) => `${NAMES[name]} ${x ? `is ${written(x)}` : "is not defined"}`).join(", ")}.`,
  values, draw, says,
  act: (state, place) => {
    const items = [...state.list], at = Math.max(+place, 1);
    [items[at - 1], items[at]] = [items[at], items[at - 1]];
    return { ...state, list: items.join("") };
  },
});
