// Twenty real differences, and coins that flip their signs, one for each goal or one for each section. The histogram of the means grows
// with each toss inside the outline of all patterns; p is the share that is as far out as what was measured.

const WIDE = 348, BARS = 90, GROUND = 284, HIGH = 118, SIDE = 28, MOST = 20000, SLOW = 3; // BARS: the height of a difference of 1; SIDE: bins on each side of the middle one; SLOW: so many tosses are seen coin by coin
const sumOf = all => all.reduce((a, b) => a + b, 0);
const signed = x => `${x < 0 ? "−" : "+"}${Math.abs(x).toFixed(3)}`;
const whole = x => x.toLocaleString("en");
const share = p => (p < 0.0005 ? "0.000" : p.toFixed(3));

function random(seed) { // mulberry32: the same coins for the same count of tosses
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

// What a coin flips: the sums of the sections, or the differences, in thousandths.
const flipped = ({ coins }, { sections }) => (coins ? sections.map(sumOf) : sections.flat());

// The number of patterns of signs for each sum from -reach to reach: each difference doubles the list.
function patterns(steps) {
  const reach = sumOf(steps.map(Math.abs));
  let counts = new Float64Array(2 * reach + 1);
  counts[reach] = 1;
  for (const step of steps) {
    const next = new Float64Array(counts.length);
    counts.forEach((count, at) => { if (count) for (const sign of [1, -1]) next[at + sign * step] += count; });
    counts = next;
  }
  return { counts, reach };
}

function values(state, data) {
  const steps = flipped(state, data), goals = data.sections.flat().length, found = sumOf(steps), tosses = +state.tosses, coin = random(17);
  const sums = [];
  let signs = steps.map(() => 1);
  for (let toss = 0; toss < tosses; toss++) {
    signs = steps.map(() => (coin() < 0.5 ? 1 : -1));
    sums.push(sumOf(steps.map((step, at) => signs[at] * step)));
  }
  const { counts, reach } = patterns(steps), asFar = sum => Math.abs(sum) >= Math.abs(found);
  const out = sums.filter(asFar).length, all = 2 ** steps.length;
  return {
    goals, found, steps, signs, sums, counts, reach, all, out, mean: found / goals / 1000,
    last: sums.length ? sums.at(-1) / goals / 1000 : null, tossed: (out + 1) / (tosses + 1),
    p: sumOf([...counts].filter((_, at) => asFar(at - reach))) / all, spread: Math.sqrt(sumOf(steps.map(step => step ** 2))) / goals / 1000,
  };
}

// The differences with their signs, and below them the coins. Each knows its place, for they flip one after the other.
function bars(v, { sections }, coins) {
  const zero = 58, step = WIDE / (v.goals + sections.length * 0.6);
  let x = 4, at = 0;
  const coin = (middle, sign, place) => `<g class="coin ${sign > 0 ? "plus" : "minus"}" style="--at:${place}"><circle cx="${middle.toFixed(1)}" cy="113" r="5.5"/>\
<path d="M${(middle - 3).toFixed(1)} 113h6"/><path class="upright" d="M${middle.toFixed(1)} 110v6"/></g>`;
  return sections.map((section, s) => {
    const from = x, drawn = section.map(d => {
      const place = coins ? s : at++, sign = v.signs[place], now = sign * d, height = Math.max(Math.abs(now) / 1000 * BARS, 1), left = x;
      x += step;
      return `<rect class="${now > 0 ? "ahead" : "behind"}" style="--at:${place}" x="${left.toFixed(1)}" y="${(now > 0 ? zero - height : zero).toFixed(1)}" width="${(step - 2).toFixed(1)}" height="${height.toFixed(1)}"/>\
${coins ? "" : coin(left + step / 2 - 1, sign, place)}`;
    });
    const to = x - 2;
    x += step * 0.6;
    return `${drawn.join("")}${coins ? coin((from + to) / 2, v.signs[s], s) : ""}<path class="${coins ? "together" : "section"}" d="M${from.toFixed(1)} 100v4H${to.toFixed(1)}v-4"/>`;
  }).join("");
}

function histogram(v, data) {
  // The measured mean is an edge of bins, on both sides: 2 inner + 1 bins lie between.
  const found = Math.abs(v.found), bins = 2 * SIDE + 1, wanted = 3.6 * values({ coins: 1, tosses: "0" }, data).spread * v.goals * 1000;
  const inner = Math.round((found / wanted * bins - 1) / 2), widest = found * bins / (2 * inner + 1);
  const bin = sum => SIDE + Math.sign(sum) * Math.floor((Math.abs(sum) * (2 * inner + 1) + found) / (2 * found));
  const place = sum => 4 + (sum / widest + 1) / 2 * WIDE, tossed = Array(bins).fill(0), outline = Array(bins).fill(0);
  for (const sum of v.sums) if (Math.abs(sum) < widest) tossed[bin(sum)] += 1;
  v.counts.forEach((count, at) => { if (count && Math.abs(at - v.reach) < widest) outline[bin(at - v.reach)] += count / v.all; });
  const most = Math.max(...outline), scale = v.sums.length ? Math.min(HIGH / most / v.sums.length, HIGH / 12, 1.15 * HIGH / Math.max(...tossed)) : 0;
  const edge = b => (4 + b * WIDE / bins).toFixed(1), slim = (WIDE / bins - 0.6).toFixed(1);
  const columns = tossed.map((n, b) => `<rect class="${Math.abs(b - SIDE) > inner ? "beyond" : "inside"}" x="${edge(b)}" y="${(GROUND - n * scale).toFixed(1)}" \
width="${slim}" height="${(n * scale).toFixed(1)}"/>`).join("");
  const line = outline.map((share, b) => `V${(GROUND - share / most * HIGH).toFixed(1)}H${edge(b + 1)}`).join("");
  const ends = [-1, 1].map(side => `<path class="found" d="M${place(side * found).toFixed(1)} ${GROUND}V${GROUND - HIGH + 14}"/>`).join("");
  const ticks = [-0.1, 0, 0.1].map(mean => `<text class="scale" x="${place(mean * 1000 * v.goals).toFixed(1)}" y="${GROUND + 15}">${mean ? signed(mean).slice(0, 4) : 0}</text>`).join("");
  const mark = `<circle class="last" cx="${place((v.last ?? 0) * 1000 * v.goals).toFixed(1)}" cy="${GROUND}" r="${v.last === null ? 0 : 4}"/>`;
  return `${columns}<path class="outline" d="M4 ${GROUND}${line}V${GROUND}"/><path class="zero" d="M4 ${GROUND}h${WIDE}"/>${ends}${mark}${ticks}\
<text class="scale" x="${place(found).toFixed(1)}" y="${GROUND - HIGH + 8}">measured</text>`;
}

const LONGEST = "20,000 tosses with a coin for each section gave 2,000 means as far out; the pattern measured counts as one more, so p = 2,000/20,001 = 0.000 000.";
function draw(state, data) {
  const v = values(state, data), what = state.coins ? "section" : "goal", tosses = +state.tosses;
  const tossed = tosses ? `<b>${whole(tosses)}</b> ${tosses === 1 ? "toss" : "tosses"} with a coin for each ${what} gave <b>${whole(v.out)}</b> ${v.out === 1 ? "mean" : "means"} as far out; \
the pattern measured counts as one more, so p = <b class="main">${whole(v.out + 1)}/${whole(tosses + 1)} = ${share(v.tossed)}</b>.` : "No toss yet.";
  return `<div class="flips-body"><svg class="flips ${tosses <= SLOW ? "slow" : ""}" viewBox="0 0 356 308" role="img" aria-label="Twenty differences, and below them the means when coins choose the signs, with a coin for each ${what}. \
${tosses ? `Tosses: ${whole(tosses)}; means as far from zero as the one measured: ${whole(v.out)}.` : "No coin has been tossed yet."} Among all patterns, the share as far from zero is ${share(v.p)}.">
<text class="title" x="4" y="10">${tosses ? "the differences, with the signs of the last toss" : "the differences of twenty goals, as measured"}</text>
${bars(v, data, state.coins)}<path class="zero" d="M4 58h${WIDE}"/><text class="title" x="4" y="138">the means with signs by coins; outline: all patterns</text>${histogram(v, data)}</svg>
<p>Measured: <b>${signed(v.mean)}</b>.<br>${handsOn.sized(tossed, [LONGEST])}<br>\
All ${whole(v.all)} patterns of signs: p = <b class="main">${share(v.p)}</b>.<br>The means spread by <b>${v.spread.toFixed(3)}</b> about zero.</p></div>`;
}

function says(before, after, data) {
  const [was, is] = [values(before, data), values(after, data)], more = after.tosses - before.tosses;
  if (before.coins !== after.coins) {
    const who = after.coins ? "One coin for a whole section: its goals flip together and cannot balance each other" : "A coin for each goal again: within a section, plus and minus balance each other";
    return `${who}, so the spread of the means ${is.spread > was.spread ? "rises" : "falls"} from ${was.spread.toFixed(3)} to ${is.spread.toFixed(3)}, and p changes from ${share(was.p)} to ${share(is.p)}. The twenty numbers are the same${+after.tosses ? ", and the tosses are made anew" : ""}.`;
  }
  if (more === 1) return `The coins give a mean of ${signed(is.last)}, ${is.out > was.out ? `as far from zero as the ${signed(is.mean)} measured, or further: luck can do that` : `closer to zero than the ${signed(is.mean)} measured`}.`;
  if (more > 1) return `Of ${whole(more)} more means, ${whole(is.out - was.out)} ${is.out - was.out === 1 ? "is" : "are"} as far out. With more tosses the histogram comes closer to the outline of all patterns, and p, now ${share(is.tossed)}, to the ${share(is.p)} of all patterns.`;
  if (more < 0) return after.tosses === "0" ? "No coin has been tossed." : `${whole(+after.tosses)} ${after.tosses === "1" ? "toss" : "tosses"}, ${whole(is.out)} as far out: p is ${share(is.tossed)}.`;
  return `More than ${whole(MOST)} tosses are not counted here. All patterns give p = ${share(is.p)}.`;
}

handsOn("sign-flips", {
  task: "Toss the coins a few times, then a thousand times: how often is luck as far out as the measured mean? Then let one coin flip a whole section. Which p would you report?",
  controls: { coins: { words: "a coin for each", low: 0, high: 1, usual: 0, shown: each => (each ? "section" : "goal"), as: "choice" } },
  more: { tosses: "0" },
  fits: { tosses: /^(1?\d{1,4}|20000)$/ },
  buttons: () => [["toss", "toss the coins"], ["thousand", "a thousand times"]],
  act: (state, what) => ({ ...state, tosses: String(Math.min(MOST, +state.tosses + (what === "toss" ? 1 : 1000))) }),
  first: (state, data) => {
    const v = values(state, data), tosses = +state.tosses;
    return `The measured mean is ${signed(v.mean)}. ${tosses ? `${whole(tosses)} ${tosses === 1 ? "toss" : "tosses"} gave ${whole(v.out)} as far from zero` : "No coin has been tossed yet"}; among all ${whole(v.all)} patterns of signs, the share as far from zero is ${share(v.p)}.`;
  },
  values, draw, says,
});
