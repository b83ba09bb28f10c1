// One classifier in worlds of different prevalence: a field of dots by score, a threshold, and what is above it.

const ITEMS = 2000, HIGH = 25, WIDE = 10 * ITEMS / HIGH; // a dot each, in columns
// Of each threshold, the strictest first, in thousandths: recall and fallout. And of each world, in thousandths: the prevalence.
const THRESHOLDS = [[0, 0], [200, 0], [500, 1], [700, 2], [800, 4], [900, 10], [950, 30], [980, 100], [990, 250], [1000, 500], [1000, 1000]];
const WORLDS = [1, 2, 5, 10, 20, 50, 100, 200, 500];
const STEP = WIDE / (THRESHOLDS.length - 1); // between thresholds on their scale: where few are needed, the edges of most stand in one column

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

const LONGEST = "odds of a lemma being needed: 0.00100 before, times recall / fallout 0000, gives 0.00000 after";
function draw(state) {
  const v = values(state), all = dots(state.world), shown = shownAt(state.threshold, state.world);
  const column = Math.floor(shown / HIGH), rest = 10 * (shown % HIGH), low = 10 * HIGH;
  const top = 10 * column + (rest ? 10 : 0), edge = `M0 0H${top}V${rest || low}H${10 * column}V${low}H0Z`, knob = STEP * state.threshold;
  const p = v.precision ?? 0, bar = `<rect class="tp" x="0" width="${WIDE * p}" height="24"/><rect class="fp" x="${WIDE * p}" width="${v.precision === null ? 0 : WIDE * (1 - p)}" height="24"/>`;
  const odds = `odds of a lemma being needed: <b>${short(v.before)}</b> before${v.odds === null ? "" : `, times recall / fallout <b>${short(v.recall / v.fallout)}</b>, gives <b>${short(v.odds)}</b> after`}`;
  const cell = (words, number, kind) => `<td class="${kind}">${words} <b>${count(number)}</b></td>`;
  return `<svg class="field" viewBox="-14 -59 828 325" role="group" aria-label="A field of ${ITEMS} lemmas in order of their scores, the highest at the left: \
${count(v.tp + v.fn)} are needed, and ${count(v.tp + v.fp)} are above the threshold."><path class="chosen" d="${edge}"/>\
<g><path class="others" d="${path(all, false)}"/></g><path class="relevant" d="${path(all, true)}"/>\
<path class="scale" d="M0 -31H${WIDE}${THRESHOLDS.map((_, t) => `M${STEP * t} -36v10`).join("")}"/>\
<g data-drag="threshold"><path class="threshold" d="M${knob} -31L${top} -4V${rest || low}H${10 * column}V${low + 8}"/>\
<circle class="reach" cx="${knob}" cy="-31" r="26"/><circle class="knob" cx="${knob}" cy="-31" r="11"/></g></svg>
<svg class="shown-bar" viewBox="-14 0 828 24" role="img" aria-label="Of what is shown, ${v.precision === null ? "nothing" : `${(100 * v.precision).toFixed(1)} per cent`} is needed.">${bar}</svg>
<div class="hands-on-numbers"><table><caption>Of ${ITEMS} lemmas, on average (dots: rounded)</caption>\
<tr><th></th><th scope="col" class="tp">needed</th><th scope="col" class="fp">not needed</th></tr><tr class="chosen"><th scope="row">shown</th>${cell("tp", v.tp, "tp")}${cell("fp", v.fp, "fp")}</tr><tr><th scope="row">not shown</th>${cell("fn", v.fn, "fn")}${cell("tn", v.tn, "tn")}</tr></table>
<div><p>recall <b>${share(v.recall)}</b>, fallout <b>${share(v.fallout)}</b>, precision <b class="main">${share(v.precision)}</b></p>
<p>${handsOn.sized(odds, [LONGEST])}</p></div></div>`;
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

// The needed dots become fewer, and dots that are not needed pour in from above, column by column.
function plays(drawing, before, after) {
  if (after.world >= before.world) return;
  const field = drawing.querySelector(".field"), others = field.querySelector(".others"), all = others.getAttribute("d"), slices = 10;
  const [was, is] = [dots(before.world), dots(after.world)], fresh = is.map((needed, i) => !needed && was[i]);
  const falling = Array.from({ length: slices }, (_, slice) => {
    const piece = others.cloneNode();
    piece.setAttribute("d", path(fresh.map((each, i) => each && Math.floor(slices * i / ITEMS) === slice), true));
    others.after(piece);
    return piece.animate([{ translate: "0 -280px" }, {}], { duration: 160, delay: 13 * slice, fill: "backwards", easing: "ease-in" });
  });
  others.setAttribute("d", path(is.map((needed, i) => !needed && !fresh[i]), true));
  Promise.all(falling.map(each => each.finished)).then(() => {
    if (!falling[0].effect.target.isConnected) return;
    for (const { effect } of falling) effect.target.remove();
    others.setAttribute("d", all);
  }, () => {});
}

handsOn("two-worlds", {
  task: "Take the classifier from a balanced test to a library in which one lemma in a thousand is needed: lower the prevalence. Then drag the threshold, and see how much recall it costs to get the precision back.",
  controls: {
    world: { words: "prevalence", low: 0, high: WORLDS.length - 1, usual: WORLDS.length - 1, shown: world => `${WORLDS[world] / 1000}` },
    threshold: { words: "threshold", low: 0, high: THRESHOLDS.length - 1, usual: 5, shown: t => `recall ${THRESHOLDS[t][0] / 1000}`, as: "handle" },
  },
  first: state => {
    const v = values(state);
    return `At a prevalence of ${v.prevalence}, ${v.precision === null ? "nothing is shown" : `a share of ${share(v.precision)} of what is shown is needed`}: recall is ${share(v.recall)}, fallout ${share(v.fallout)}, precision ${share(v.precision)}.`;
  },
  values, draw, says, plays,
  drag: { threshold: x => x / STEP },
});
