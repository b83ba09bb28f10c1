// One classifier in worlds of different prevalence: a field of dots by score, a threshold, and what is above it.

const ITEMS = 2000, HIGH = 25, WIDE = ITEMS / HIGH; // a dot each, in columns
// Of each threshold, the strictest first, in thousandths: recall and fallout. And of each world, in thousandths: the prevalence.
const THRESHOLDS = [[0, 0], [200, 0], [500, 1], [700, 2], [800, 4], [900, 10], [950, 30], [980, 100], [990, 250], [1000, 500], [1000, 1000]];
const WORLDS = [1, 2, 5, 10, 20, 50, 100, 200, 500];

function values({ threshold, world }) {
  const [recall, fallout] = THRESHOLDS[threshold].map(each => each / 1000), prevalence = WORLDS[world] / 1000;
  const relevant = prevalence * ITEMS, others = ITEMS - relevant;
  const tp = recall * relevant, fp = fallout * others;
  const precision = tp + fp ? tp / (tp + fp) : null;
  return { prevalence, recall, fallout, tp, fp, fn: relevant - tp, tn: others - fp, precision, before: prevalence / (1 - prevalence), odds: fp ? tp / fp : null };
}

// How many relevant and other dots lie between two neighbouring thresholds: whole numbers that add up.
function bands(world) {
  const at = THRESHOLDS.map((_, threshold) => values({ threshold, world })).map(({ tp, fp }) => [Math.round(tp), Math.round(fp)]);
  return at.slice(1).map(([tp, fp], j) => [tp - at[j][0], fp - at[j][1]]);
}

// The dots in the order of their scores, column by column; in a band the relevant ones are spread evenly among the others.
function dots(world) {
  const relevant = [];
  for (const [r, n] of bands(world)) for (let i = 0; i < r + n; i++) relevant.push(Math.floor((i + 1) * r / (r + n) + 0.5) > Math.floor(i * r / (r + n) + 0.5));
  return relevant;
}
const path = (all, wanted) => all.map((is, i) => (is === wanted ? `M${10 * Math.floor(i / HIGH) + 5} ${10 * (i % HIGH) + 5}h0` : "")).join("");
const shownAt = (threshold, world) => bands(world).slice(0, threshold).flat().reduce((a, b) => a + b, 0);

const short = x => (x === null ? "undefined" : x >= 100 ? x.toFixed(0) : x >= 10 ? x.toFixed(1) : x >= 0.0995 ? String(+x.toFixed(3)) : String(+x.toPrecision(2)));
const share = x => (x === null ? "0/0" : x.toFixed(3));
const count = x => (x >= 100 || Number.isInteger(x) ? x.toFixed(0) : x.toFixed(1));

function draw(state) {
  const v = values(state), all = dots(state.world), shown = shownAt(state.threshold, state.world);
  const column = Math.floor(shown / HIGH), rest = 10 * (shown % HIGH), low = 10 * HIGH;
  const edge = `M0 0H${10 * column + (rest ? 10 : 0)}V${rest || low}H${10 * column}V${low}H0Z`;
  const bar = v.precision === null ? "" : `<rect class="tp" width="${800 * v.precision}" height="24"/><rect class="fp" x="${800 * v.precision}" width="${800 * (1 - v.precision)}" height="24"/>`;
  const cell = (words, number, kind) => `<td class="${kind}">${words} <b>${count(number)}</b></td>`;
  return `<svg class="field" viewBox="-6 -26 812 290" role="img" aria-label="A field of ${ITEMS} lemmas in order of their scores, the highest at the left: \
${count(v.tp + v.fn)} are needed, and ${count(v.tp + v.fp)} are above the threshold."><path class="chosen" d="${edge}"/>\
<path class="others" d="${path(all, false)}"/><path class="relevant" d="${path(all, true)}"/>\
<g data-drag="threshold"><path class="threshold" d="M${10 * column + (rest ? 10 : 0)} -14V${rest || low}H${10 * column}V${low + 8}"/>\
<path class="grip" d="M${10 * column - 22} -14h44"/></g></svg>
<svg class="shown-bar" viewBox="-6 0 812 24" role="img" aria-label="Of what is shown, ${v.precision === null ? "nothing" : `${(100 * v.precision).toFixed(1)} per cent`} is needed.">${bar}</svg>
<div class="hands-on-numbers"><table><caption>Of ${ITEMS} lemmas, on average</caption><tr><th></th><th scope="col">needed</th><th scope="col">not needed</th></tr>\
<tr><th scope="row">shown</th>${cell("tp", v.tp, "tp")}${cell("fp", v.fp, "fp")}</tr><tr><th scope="row">not shown</th>${cell("fn", v.fn, "fn")}${cell("tn", v.tn, "tn")}</tr></table>
<p>recall <b>${share(v.recall)}</b>, fallout <b>${share(v.fallout)}</b>, precision <b class="main">${share(v.precision)}</b></p>
<p>odds of a lemma being needed: <b>${short(v.before)}</b> before${v.odds === null ? "" : `, times recall / fallout <b>${short(v.recall / v.fallout)}</b>, gives <b>${short(v.odds)}</b> after`}</p></div>`;
}

function says(before, after) {
  const [was, is] = [values(before), values(after)], becomes = (x, y) => (share(x) === share(y) ? `stays ${share(y)}` : `changes from ${share(x)} to ${share(y)}`);
  if (before.world !== after.world && before.threshold === after.threshold)
    return `Recall stays ${share(is.recall)} and fallout ${share(is.fallout)}, because the classifier is the same. Only the world has changed: precision ${becomes(was.precision, is.precision)}.`;
  if (before.world === after.world && before.threshold !== after.threshold)
    return after.threshold > before.threshold
      ? `A lower threshold shows more lemmas: recall ${becomes(was.recall, is.recall)}, and fallout ${becomes(was.fallout, is.fallout)}, so precision ${becomes(was.precision, is.precision)}.`
      : `A higher threshold shows fewer lemmas: recall ${becomes(was.recall, is.recall)}, and fallout ${becomes(was.fallout, is.fallout)}, so precision ${becomes(was.precision, is.precision)}.`;
  return `Recall ${becomes(was.recall, is.recall)}, fallout ${becomes(was.fallout, is.fallout)}, and precision ${becomes(was.precision, is.precision)}.`;
}

handsOn("two-worlds", {
  task: "Take the classifier from a balanced test to a library in which one lemma in a thousand is needed: lower the prevalence. Then drag the threshold, and see how much recall it costs to get the precision back.",
  controls: {
    world: { words: "prevalence", low: 0, high: WORLDS.length - 1, usual: WORLDS.length - 1, shown: world => `${WORLDS[world] / 1000}` },
    threshold: { words: "threshold", low: 0, high: THRESHOLDS.length - 1, usual: 5, shown: t => `recall ${THRESHOLDS[t][0] / 1000}` },
  },
  values, draw, says,
  drag: {
    threshold: (x, _, __, { world }) => { // the threshold whose edge is nearest
      const away = THRESHOLDS.map((_, t) => Math.abs(10 * shownAt(t, world) / HIGH - x));
      return away.indexOf(Math.min(...away));
    },
  },
});
