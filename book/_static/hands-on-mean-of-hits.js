// The picture of average precision: a bar for each needed lemma, as high as the precision at its hit. Lemmas can be moved, needed or not,
// and the proof can need some that are not in the list.

const WORDS = ["no", "one", "two", "three"];
const WIDTH = 300, HIGH = 84, TOP = 6;

const gcd = (a, b) => (b ? gcd(b, a % b) : a);
const reduced = ([a, b]) => [a / gcd(a, b), b / gcd(a, b)];
const written = x => (x === null ? "undefined" : x[1] === 1 ? String(x[0]) : x.join("/"));

function values({ list, needed, missing }) {
  const hits = [...list].flatMap((item, place) => (needed.includes(item) ? [{ item, rank: place + 1 }] : [])), R = hits.length + missing;
  const terms = hits.map(({ rank }, before) => [before + 1, rank]);
  const sum = terms.reduce(([a, b], [j, k]) => reduced([a * k + j * b, b * k]), [0, 1]);
  return { hits, terms, R, ap: R ? reduced([sum[0], sum[1] * R]) : null };
}

function draw(state) {
  const { hits, terms, R, ap } = values(state), { list, missing } = state, wide = WIDTH / Math.max(R, 1), y = ([a, b]) => TOP + HIGH * (1 - a / b);
  const tiles = [...list].map((item, place) => {
    const is = state.needed.includes(item) ? "needed" : "not needed";
    return `<button type="button" data-id="${item}" class="${is === "needed" ? is : ""}" data-act="${item}" aria-label="${item} at rank ${place + 1}, ${is}: press to change that">${item}</button>`;
  });
  const below = [...list].map((item, place) => {
    const at = hits.findIndex(hit => hit.rank === place + 1);
    return `<span>${at < 0 ? "" : terms[at].join("/")}</span>`;
  });
  const bars = [...hits.map(({ item }, at) => [item, terms[at]]), ...Array(missing).fill(["0", [0, 1]])].map(([words, height], at) =>
    `<rect x="${at * wide}" y="${y(height)}" width="${wide}" height="${HIGH * height[0] / height[1]}"/>\
<text x="${(at + 0.5) * wide}" y="${TOP + HIGH - 8}">${words}</text>`);
  const mean = ap ? `<path class="mean" d="M0 ${y(ap)}H${WIDTH}"/><text class="mean" x="${WIDTH + 6}" y="${y(ap) + 4}">mean ${written(ap)}</text>` : "";
  return `<div class="mean-of-hits"><div class="ranks" aria-hidden="true">${[...list].map((_, place) => `<span>${place + 1}</span>`).join("")}</div>\
<div class="cut-tiles"><div class="tiles" data-tiles role="group" aria-label="The list, best first">${tiles.join("")}</div></div><div class="at-hits">${below.join("")}</div>\
<svg viewBox="0 0 ${WIDTH + 90} ${TOP + HIGH + 2}" role="img" aria-label="A bar for each needed lemma; the mean height is ${written(ap)}.">${bars.join("")}\
<path class="axis" d="M0 ${TOP + HIGH}H${WIDTH}"/>${mean}</svg></div>`;
}

function computed(state) {
  const { terms, R, ap } = values(state);
  if (!ap) return "Nothing is needed: the mean of no bars is undefined.";
  const sum = [...terms.map(term => term.join("/")), ...Array(state.missing).fill("0")].join(" + ");
  return `Average precision is ${R > 1 ? `(${sum})/${R}` : sum}${R > 1 || written(ap) !== sum ? ` = ${written(ap)}` : ""}${ap[1] > 1 ? ` ≈ ${(ap[0] / ap[1]).toFixed(3)}` : ""}.`;
}

function says(before, after) {
  const what = before.missing !== after.missing
    ? `The proof needs ${WORDS[after.missing]} ${after.missing === 1 ? "lemma that is" : "lemmas that are"} not in the list. The list has not changed.`
    : before.list !== after.list ? "The same lemmas, in another order." : `Now ${values(after).hits.map(({ item }) => item).join(", ") || "none"} of the list ${values(after).hits.length === 1 ? "is" : "are"} needed.`;
  return `${what} ${computed(after)}`;
}

handsOn("mean-of-hits", {
  task: "Drag a lemma to another rank, or press it to change whether it is needed. Then let the proof need a lemma that is not in the list. Which of these steps changes the list, and which the average precision?",
  controls: { missing: { words: "needed, but not in the list", low: 0, high: 3, usual: 0, shown: String, as: "choice" } },
  more: { list: "xaybcz", needed: "abc" },
  tiles: "list",
  fits: { list: { test: text => [...text].sort().join("") === "abcxyz" }, needed: /^(?!.*(.).*\1)[abcxyz]*$/ },
  first: computed, values, draw, says,
  act: (state, item) => ({ ...state, needed: state.needed.includes(item) ? state.needed.replace(item, "") : state.needed + item }),
});
