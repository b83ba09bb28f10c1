// The Ranking Lab: rankings whose items you switch, move and tie, and every metric of them, as exact fractions.
// One classic script without dependencies. It runs from file://, and node runs the same file: to draw the first
// state of a lab while the book is built (draw), and to be compared with the Python definitions (METRICS).

// ---- Exact values. A fraction is [numerator, denominator], BigInts in lowest terms; null is undefined (something / 0).

const gcd = (a, b) => (b ? gcd(b, a % b) : a < 0n ? -a : a);
const frac = (n, d = 1) => {
  [n, d] = [BigInt(n), BigInt(d)];
  return d ? [n / gcd(n, d), d / gcd(n, d)] : null;
};
const [ZERO, ONE] = [frac(0), frac(1)];
const add = (a, b) => a && b && frac(a[0] * b[1] + b[0] * a[1], a[1] * b[1]);
const mul = (a, b) => a && b && frac(a[0] * b[0], a[1] * b[1]);
const sub = (a, b) => b && add(a, [-b[0], b[1]]);
const divide = (a, b) => b && mul(a, [b[1], b[0]]);
const over = (a, n) => divide(a, frac(n));
const num = a => (Array.isArray(a) ? Number(a[0]) / Number(a[1]) : a ?? NaN);
const difference = (a, b) => (a === b || Math.abs(num(a) - num(b)) < 1e-12 ? 0 : num(a) - num(b));
const total = fractions => fractions.reduce(add, ZERO);
const plus = (a, b) => a + b;

// ---- One ranking: its grades, best first, and the settings, of which `unranked` counts the relevant items that it lacks.

const HIGHEST_GRADE = 3;

function ranking(grades, options) {
  const r = { ...options, grades, hits: grades.map(g => +(g > 0)), s: [0], N: grades.length };
  for (const hit of r.hits) r.s.push(r.s.at(-1) + hit);
  r.found = r.s[r.N];
  r.misses = r.N - r.found;
  r.R = r.found + r.unranked;
  r.K = Math.min(r.K, r.N);
  r.tp = r.s[r.K];
  r.ranks = r.hits.flatMap((hit, i) => (hit ? [i + 1] : []));
  return r;
}

const precision = (r, k) => frac(r.s[k], k);
const precisions = r => r.ranks.map(rank => precision(r, rank));
const topSum = r => total(precisions(r).slice(0, r.tp));
const gainOf = (r, g) => (r.gain === "linear" ? g : 2 ** g - 1);
const dcg = (r, grades) => grades.slice(0, r.K).map((g, i) => gainOf(r, g) / Math.log2(i + 2)).reduce(plus, 0);
const ideal = r => [...r.grades, ...Array(r.unranked).fill(1)].sort((a, b) => b - a);
const inversions = r => r.ranks.map((rank, j) => rank - 1 - j).reduce(plus, 0);
const envelope = (r, n, d) => // the highest precision at a recall of at least n/d
  r.ranks.map(rank => (r.s[rank] * d >= n * r.R ? precision(r, rank) : ZERO)).reduce((a, b) => (num(b) > num(a) ? b : a), ZERO);

const DENOMINATORS = { retrieved: r => r.tp, relevant: r => r.R, ideal: r => Math.min(r.K, r.R), cutoff: r => r.K };
const METRICS = {
  P: r => frac(r.tp, r.K),
  recall: r => frac(r.tp, r.R),
  F: r => {
    const weight = mul(r.beta, r.beta);
    return divide(mul(add(weight, ONE), frac(r.tp)), add(mul(weight, frac(r.R)), frac(r.K)));
  },
  E: r => sub(ONE, METRICS.F(r)),
  jaccard: r => frac(r.tp, r.K + r.R - r.tp),
  accuracy: r => frac(r.universe - r.K - r.R + 2 * r.tp, r.universe),
  success: r => frac(r.tp > 0),
  rPrecision: r => frac(r.s[Math.min(r.R, r.N)], r.R),
  AP: r => over(total(precisions(r)), r.R),
  ...Object.fromEntries(Object.entries(DENOMINATORS).map(([name, of]) => [name, r => over(topSum(r), of(r))])),
  interpolated: r => over(total(r.ranks.map((_, j) => envelope(r, j + 1, r.R))), r.R),
  lines: r => over(total(r.ranks.map((rank, j) => over(add(frac(j + 1, rank), rank > 1 ? frac(j, rank - 1) : ONE), 2))), r.R),
  eleven: r => (r.R ? over(total([...Array(11).keys()].map(level => envelope(r, level, 10))), 11) : null),
  RR: r => (r.found ? frac(1, r.ranks[0]) : ZERO),
  fullRecall: r => (r.R ? (r.unranked ? Infinity : frac(r.ranks.at(-1))) : null),
  meanRank: r => frac(r.ranks.reduce(plus, 0), r.found),
  inversions: r => frac(inversions(r)),
  AUC: r => frac(r.found * r.misses - inversions(r), r.found * r.misses),
  bpref: r => {
    const most = Math.min(r.R, r.misses);
    return over(total(r.ranks.map((rank, j) => (most ? frac(Math.max(most - rank + 1 + j, 0), most) : ONE))), r.R);
  },
  DCG: r => dcg(r, r.grades),
  nDCG: r => (r.R ? dcg(r, r.grades) / dcg(r, ideal(r)) : null),
  RBP: r => {
    const weights = r.hits.reduce(all => [...all, mul(all.at(-1), r.persistence)], [sub(ONE, r.persistence)]);
    return total(r.ranks.map(rank => weights[rank - 1]));
  },
  ERR: r => {
    let [here, sum] = [ONE, ZERO];
    r.grades.forEach((g, i) => {
      const stop = frac(2 ** g - 1, 2 ** HIGHEST_GRADE);
      sum = add(sum, over(mul(here, stop), i + 1));
      here = mul(here, sub(ONE, stop));
    });
    return sum;
  },
};

// ---- Ties. tied[i]: rank i + 1 has the score of rank i + 2. Every order of the ties, once for each way it looks.

const MOST_ORDERS = 4000;

function arrangements(grades) {
  if (!grades.length) return [[]];
  return [...new Set(grades)].flatMap(g => arrangements(grades.toSpliced(grades.indexOf(g), 1)).map(rest => [g, ...rest]));
}

function orders(grades, tied) {
  const blocks = [];
  grades.forEach((g, i) => (tied[i - 1] ? blocks.at(-1).push(g) : blocks.push([g])));
  const ways = block => block.reduce((n, g, i) => n * (i + 1) / block.slice(0, i + 1).filter(other => other === g).length, 1);
  if (blocks.map(ways).reduce((a, b) => a * b, 1) > MOST_ORDERS) return null;
  return blocks.reduce((all, block) => all.flatMap(start => arrangements(block).map(rest => [...start, ...rest])), [[]]);
}

// The worst, the mean and the best value of a metric over all orders of the ties; null where it is undefined.
function spread(name, grades, tied, options) {
  const found = orders(grades, tied)?.map(order => METRICS[name](ranking(order, options)));
  if (!found || found.includes(null)) return null;
  const inOrder = found.toSorted((a, b) => num(a) - num(b));
  const mean = Array.isArray(found[0]) ? over(total(found), found.length) : found.reduce(plus) / found.length;
  return { worst: inOrder[0], mean, best: inOrder.at(-1), orders: found.length };
}

// ---- A state, and the text that stands for it in an address: "xA-yB2Cz_K3". A capital is relevant, B2 has grade 2, "-" ties a rank
// to the next, "." separates the tools' rankings of one goal, "~" the goals; then the settings that are not as usual.

const UNIVERSES = [20, 50, 100, 200, 500, 1000, 10000];
const LONGEST = 12;
const same = value => value;
const SETTINGS = {
  K: { words: "cutoff <i>K</i>", usual: 4, low: 1, high: LONGEST, step: 1, shown: same },
  u: { words: "relevant, not in the list", usual: 0, low: 0, high: 4, step: 1, shown: same },
  b: { words: "<i>β</i>", usual: 10, low: 0, high: 40, step: 5, shown: b => b / 10 },
  p: { words: "persistence", usual: 80, low: 0, high: 95, step: 5, shown: p => p / 100 },
  g: { words: "gain", usual: 0, low: 0, high: 1, step: 1, shown: g => (g ? "exponential" : "linear") },
  U: { words: "items in all", usual: 2, low: 0, high: UNIVERSES.length - 1, step: 1, shown: U => UNIVERSES[U] },
};

function readGoal(text) {
  const goal = { grades: {}, tied: [] };
  goal.lists = text.split(".").map((items, list) => [...items.matchAll(/([a-z])(\d?)(-(?=.))?/gi)].map(([, letter, grade, tie], at) => {
    const id = letter.toLowerCase(), g = letter === id ? 0 : +(grade || 1);
    if (list && goal.grades[id] !== g) throw Error(`item ${id} does not fit the first list`);
    if (!list && tie) goal.tied[at] = true;
    goal.grades[id] = g;
    return id;
  }));
  const items = Object.keys(goal.grades).length;
  if (items < 2 || items > LONGEST) throw Error(`it needs 2 to ${LONGEST} items`);
  if (goal.lists.some(ids => ids.length !== items || new Set(ids).size !== items)) throw Error("an item occurs twice, or not at all");
  return goal;
}

function read(text) {
  if (!/^(([A-Z][1-3]?|[a-z])-?[.~]?)+(_[KubpgU]\d+)*$/.test(text)) throw Error("it is not written as a ranking");
  const [goals, ...settings] = text.split("_"), state = { goals: goals.split("~").map(readGoal), chosen: [0, 0, 0], click: "switch" };
  for (const name in SETTINGS) state[name] = SETTINGS[name].usual;
  for (const [name, ...digits] of settings) {
    const value = +digits.join(""), { low, high, step } = SETTINGS[name];
    if (value < low || value > high || value % step) throw Error(`${name} is not in ${low} to ${high}, in steps of ${step}`);
    state[name] = value;
  }
  state.K = Math.min(state.K, lengthOf(state));
  return state;
}

// The state that an address asks a panel for, without what the panel cannot show or change.
function readFor(panel, text) {
  const state = read(text), opened = read(panel.start);
  const [asked, own] = [state, opened].map(({ goals }) => goals.map(goal => goal.lists.length).join());
  if (asked !== own && !(panel.controls.includes("second") && asked === "2")) throw Error("it was made in another lab");
  for (const name in SETTINGS) if (!panel.controls.includes(name)) state[name] = opened[name];
  for (const goal of state.goals) {
    if (!panel.ties) goal.tied = [];
    if (!panel.grades) for (const id in goal.grades) goal.grades[id] = Math.min(goal.grades[id], 1);
  }
  return state;
}

function write(state) {
  const item = ({ grades, tied }, list) => (id, at) =>
    (grades[id] ? id.toUpperCase() : id) + (grades[id] > 1 ? grades[id] : "") + (tied[at] && !list ? "-" : "");
  const goals = state.goals.map(goal => goal.lists.map((ids, list) => ids.map(item(goal, list)).join("")).join(".")).join("~");
  return goals + Object.keys(SETTINGS).map(name => (state[name] === SETTINGS[name].usual ? "" : `_${name}${state[name]}`)).join("");
}

const lengthOf = state => state.goals[0].lists[0].length;
const options = state => ({
  K: state.K, unranked: state.u, beta: frac(state.b, 10), persistence: frac(state.p, 100), gain: SETTINGS.g.shown(state.g),
  universe: UNIVERSES[state.U],
});
function rankingAt(state, goal = 0, list = 0) {
  const ids = state.goals[goal].lists[list];
  return { ...ranking(ids.map(id => state.goals[goal].grades[id]), options(state)), ids };
}
const rankings = state => state.goals[0].lists.map((_, list) => rankingAt(state, 0, list));
const canTie = (state, panel) => panel.ties && !state.goals[0].lists[1];
const tiedOf = state => rankingAt(state).ids.slice(1).map((_, i) => !!state.goals[0].tied[i]);
const isTied = (state, panel) => canTie(state, panel) && tiedOf(state).includes(true);
const tooManyOrders = state => !orders(rankingAt(state).grades, tiedOf(state));
const spreadOf = (state, name) => spread(name, rankingAt(state).grades, tiedOf(state), options(state));

// ---- Words

function text(a) {
  if (Array.isArray(a)) return a[1] === 1n ? `${a[0]}` : a.join("/");
  return a === null ? "undefined" : a === Infinity ? "never" : a.toFixed(3);
}
const stacked = (n, d, kind = "") =>
  `<span class="fr ${kind}" role="img" aria-label="${n} over ${d}"><span>${n}</span><span>${d}</span></span>`;
const about = a => `≈ ${num(a).toFixed(3)}`;
const isLong = a => Array.isArray(a) && a[1] >= 10 ** 7;
const brief = a => (isLong(a) ? about(a) : text(a));
const inFull = a => {
  if (!Array.isArray(a) || a[1] === 1n) return a === null ? "<i>undefined</i>" : text(a);
  return `${isLong(a) ? "" : text(a)} <span class="dec">${about(a)}</span>`;
};

const TOOLS = ["first tool", "second tool"];
const NAMES = {
  P: "P@K", recall: "recall@K", F: "F<sub>β</sub>@K", E: "E@K", jaccard: "Jaccard@K", accuracy: "accuracy@K", success: "success@K",
  rPrecision: "R-precision", retrieved: "AP@K over the hits found", relevant: "AP@K over all relevant, <i>R</i>",
  ideal: "AP@K over min(<i>K</i>, <i>R</i>)", cutoff: "AP@K over the cutoff <i>K</i>", interpolated: "envelope", lines: "straight lines",
  eleven: "eleven points", RR: "reciprocal rank", fullRecall: "full recall", meanRank: "mean rank of a hit", DCG: "DCG@K", nDCG: "nDCG@K",
};
const nameOf = (name, state) => (NAMES[name] ?? name).replace("@K", `@${state.K}`).replace("β", state.b / 10);
const NO_BAR = ["fullRecall", "meanRank", "inversions", "DCG"];

// What the package knows of each metric; the build puts the records of the metrics here. One of a set is that of the top k.
const RECORDS = {};
const RECORD_OF = {
  P: "P@k", recall: "R@k", F: "F@k", E: "E", jaccard: "Jaccard", accuracy: "Accuracy@k", success: "Success@k", rPrecision: "Rprec", AP: "AP",
  ...Object.fromEntries(Object.keys(DENOMINATORS).map(name => [name, "AP@k"])), interpolated: "InterpolatedAP", lines: "TrapezoidalArea",
  eleven: "ElevenPointAP", RR: "RR", fullRecall: "FullRecall", meanRank: "MeanRank", inversions: "Inversions", AUC: "AUC", bpref: "Bpref",
  DCG: "DCG@k", nDCG: "nDCG@k", RBP: "RBP", ERR: "ERR",
};
const recordOf = name => RECORDS[RECORD_OF[name]], takes = (name, parameter) => recordOf(name).parameters.includes(parameter);
const [CALLED, OF_SETS] = [true, false].map(of => Object.keys(METRICS).filter(name => takes(name, "relevance") === of));
const CALLS = Object.fromEntries(CALLED.map(name => [name, recordOf(name)]));
const LOWER_IS_BETTER = Object.keys(METRICS).filter(name => recordOf(name).lower);
const AT_K = [...OF_SETS, ...CALLED.filter(name => takes(name, "k"))];

// What the j-th hit, at rank k, adds to the sum of a metric, if it counts; and what the sum is divided by.
const TERMS = {
  P: (r, k) => k <= r.K && `1/${r.K}`,
  rPrecision: (r, k) => k <= r.R && `1/${r.R}`,
  AP: (r, k, j) => `${j}/${k}`,
  relevant: (r, k, j) => k <= r.K && `${j}/${k}`,
  AUC: (r, k, j) => `${r.misses - k + j} misses below`,
  nDCG: (r, k) => k <= r.K && `${gainOf(r, r.grades[k - 1])}/log₂ ${k + 1}`,
};
const DIVISORS = { AP: r => r.R, relevant: r => r.R, AUC: r => r.found, nDCG: r => +dcg(r, ideal(r)).toFixed(3) };

// Which terms of the metric a step has changed, and by which formula.
function why(name, was, is, tool) {
  if (name === "accuracy") {
    const leftOut = is.universe - is.K - is.R + is.tp;
    return `; ${is.tp + leftOut} of ${is.universe} are right: ${is.tp} found, ${leftOut} rightly left out`;
  }
  const term = (r, id) => {
    const rank = r.ids.indexOf(id) + 1;
    return (r.hits[rank - 1] && TERMS[name](r, rank, r.s[rank])) || "";
  };
  const terms = [...new Set([...was.ids, ...is.ids])].map(id => [id, term(was, id), term(is, id)]).filter(([, old, now]) => old !== now);
  const say = ([id, old, now]) => (old ? `${id} ${old} → ${now || "nothing"}` : `${id} adds ${now}`);
  const [old, now] = [was, is].map(DIVISORS[name] ?? (() => 1));
  const most = MOST_TOLD - !!tool, more = terms.length - most;
  return (terms.length ? `; terms of ${nameOf(name, is)}${tool}: ${terms.slice(0, most).map(say).join(", ")}${more > 0 ? ` and ${more} more` : ""}` : "")
    + (old === now ? "" : `; divided by ${now}, no longer by ${old}${terms.length ? "" : tool}`);
}

// The rank i if all that changed is that a hit and a miss at the ranks i and i + 1 have changed places, else 0.
function swapped(was, is) {
  const changed = is.ids.flatMap((id, i) => (was.ids[i] === id && was.hits[i] === is.hits[i] ? [] : [i]));
  const [i, next] = changed;
  return changed.length === 2 && next === i + 1 && was.R === is.R && was.hits[i] !== is.hits[i] ? i + 1 : 0;
}

// The rows of a panel's table: the metric in words, and its value for each ranking.
const rowsOf = (state, panel) => (panel.means ? means(state)
  : panel.rows.map(name => ({ name, words: nameOf(name, state), values: rankings(state).map(METRICS[name]) })));

// Its numbers as text, and whether a step tells of them first.
const ofTool = (state, tool) => (state.goals[0].lists[1] ? ` of the ${TOOLS[tool]}` : "");
function numbersOf(state, panel) {
  return rowsOf(state, panel).flatMap(({ name, words, values }) => {
    const row = { name, metric: words, of: "", told: !panel.tells || panel.tells.includes(name), main: name === panel.main };
    if (!isTied(state, panel)) return values.map((value, tool) => ({ ...row, of: ofTool(state, tool), value, shown: brief(value) }));
    const at = spreadOf(state, name);
    if (!at) return [{ ...row, shown: tooManyOrders(state) ? "not computed, because the ties have too many orders" : "undefined" }];
    return [{ ...row, shown: difference(at.worst, at.best) ? `${brief(at.mean)} on average, from ${brief(at.worst)} to ${brief(at.best)}` : `${brief(at.mean)} in every order` }];
  });
}

// The numbers that a step has changed, with what they were; null if it made other numbers.
function changedBy(panel, before, state) {
  const [old, now] = [before, state].map(each => numbersOf(each, panel));
  if (old.length !== now.length || isTied(state, panel) !== isTied(before, panel)) return null;
  return now.map((each, i) => ({ ...each, was: old[i] })).filter(({ shown, was }) => shown !== was.shown);
}

// Of some numbers those that a line tells, the main one among them, in their order.
const MOST_TOLD = 3;
const fewOf = all => all.filter(each => [...all].sort((a, b) => b.main - a.main).indexOf(each) < MOST_TOLD - !!each.of);
const is = ({ metric, of, shown }) => `${metric}${of} is ${shown}`;
const standing = (panel, state) => `${fewOf(numbersOf(state, panel).filter(({ told }) => told)).map(is).join("; ")}.`;

// What a step did to the numbers of a panel, and why.
function report(panel, before, state) {
  const changed = changedBy(panel, before, state), tied = isTied(state, panel);
  if (!changed) return standing(panel, state);
  if (!changed.length) return "no number here changes.";
  const told = changed.filter(each => each.told), first = fewOf(told[0] ? told : changed), others = changed.length - first.length;
  const also = others ? ` Other numbers that change: ${others}.` : "";
  if (panel.means || tied) return `${first.map(tied ? is : became).join("; ")}.${also}`;
  const [reason, formula] = because(panel, before, state);
  return `${first.map(became).join(", ")}${reason}.${also}${formula}`;
}

function became({ metric, of, value, shown, main, was }) {
  const by = main && value !== null && was.value !== null && (Array.isArray(value) ? sub(value, was.value) : value - was.value);
  return `${metric}${of} ${was.shown} → ${shown}${by ? ` (${text(by).replace(/^(?!-)/, "+").replace("-", "−")})` : ""}`;
}

// Why the main metric of the ranking that was changed last has another value, and the formula of a swap.
function because(panel, before, state) {
  const list = state.chosen[1], [now, earlier] = [state, before].map(each => rankingAt(each, 0, list));
  const [value, was] = [now, earlier].map(METRICS[panel.main]), rank = panel.main === "AP" && swapped(earlier, now);
  const reason = difference(value, was) === 0 ? "" : why(panel.main, earlier, now, ofTool(state, list) && ` (${TOOLS[list]})`), above = rank && now.s[rank - 1];
  return [reason, rank ? ` A swap of ranks i = ${rank} and ${rank + 1}, with s = ${above} above, `
    + `is worth (s + 1)/(R i (i + 1)) = ${above + 1}/(${now.R}·${rank}·${rank + 1}).` : ""];
}

// ---- Pictures: SVG as text

const LEFT = 40, WIDTH = 288, FLOOR = 216, HEIGHT = 206;
const x = t => LEFT + t * WIDTH, y = t => FLOOR - t * HEIGHT;
const path = (kind, points) => (points.length ? `<path class="${kind}" d="M${points.join("L")}"/>` : "");
const rect = (kind, px, py, w, h) => `<rect class="${kind}" x="${px}" y="${py}" width="${w}" height="${h}"/>`;
const column = (kind, from, to, height) => rect(kind, x(from), y(height), (to - from) * WIDTH, height * HEIGHT);
const dot = (kind, [px, py], r) => `<circle class="${kind}" cx="${px}" cy="${py}" r="${r}"/>`;
const label = (px, py, words, more = "") => `<text x="${px}" y="${py}" ${more}>${words}</text>`;
const below = (t, words) => label(x(t), FLOOR + 16, words);
const axes = (across, up, marks = [0, 0.5, 1]) => [
  ...marks.map(mark => {
    const height = y(mark / marks.at(-1));
    return path("grid", [[x(0), height], [x(1), height]]) + label(LEFT - 6, height + 4, mark, 'class="height"');
  }),
  label(x(0.5), FLOOR + 32, across), label(-y(0.5), 10, up, 'transform="rotate(-90)"'),
];
const stairs = heights => heights.flatMap((height, j) => [[x(j / heights.length), y(height)], [x((j + 1) / heights.length), y(height)]]);

// The legend shows the marks of the picture themselves.
const key = (mark, words) => `<span><svg class="key" viewBox="0 0 18 12" aria-hidden="true">${mark}</svg> ${words}</span> `;
const areaKey = (kind, words) => key(rect(kind, 0, 0, 18, 12), words);
const lineKey = (kind, words) => key(path(kind, [[0, 6], [18, 6]]), words);
const dotKey = (kind, words) => key(dot(kind, [9, 6], 4.5), words);
const picture = (words, parts, keys) =>
  `<svg viewBox="0 0 340 250" role="img" aria-label="${words}">${parts.join("")}</svg><p class="legend">${keys.join("")}</p>`;
const noPicture = words => picture(words, [label(x(0.5), y(0.5), words)], []);

// Precision against recall: one step for each relevant item.
function steps(state, panel) {
  const r = rankingAt(state), areas = panel.rows.includes("interpolated"), cut = hasCutoff(panel);
  if (!r.R) return noPicture("no relevant item: no curve");
  const heights = precisions(r).map(num), all = [...heights, ...Array(r.unranked).fill(0)], few = r.R <= 8;
  const points = r.s.map((found, k) => [x(found / r.R), y(k ? found / k : 1)]);
  const parts = axes("recall", "precision");
  all.forEach((height, j) => {
    const hit = j < r.found;
    parts.push(column(hit ? (cut && r.ranks[j] > r.K ? "step late" : "step") : "never", j / r.R, (j + 1) / r.R, hit ? height : 0.015));
    if (few && hit) parts.push(label(x((j + 0.5) / r.R), Math.min(y(height) + 16, FLOOR - 4), `${j + 1}/${r.ranks[j]}`));
    if (few && j) parts.push(below(j / r.R, `${j}/${r.R}`));
  });
  parts.push(below(0, 0), below(1, 1), path("curve", stairs(all).slice(0, 2 * r.found)));
  const keys = [areaKey("step", areas ? "steps: AP" : "area = AP")];
  if (areas) {
    parts.push(path("dashed", stairs(all.map((_, j) => num(envelope(r, j + 1, r.R)))).slice(0, 2 * r.found)), path("straight", points));
    keys.push(lineKey("dashed", "envelope"), lineKey("straight", "straight lines"));
  }
  if (cut) {
    parts.push(dot("cut", points[r.K], 4.5));
    keys.push(dotKey("cut", `cutoff <i>K</i> = ${r.K}`));
  }
  if (!areas && r.R <= r.N) {
    parts.push(path("diagonal", [[x(0), y(0)], [x(1), y(1)]]), dot("ring", points[r.R], 6.5));
    keys.push(dotKey("ring", "R-precision, where <i>p</i> = <i>r</i>"));
  }
  parts.push(...points.slice(1).map(point => dot("point", point, 2.2)));
  return picture(`Precision against recall in ${r.R} ${r.R === 1 ? "step" : "steps"}; the area is AP, ${text(METRICS.AP(r))}.`, parts, keys);
}

// P@k and recall@k against k.
function curves(state) {
  const r = rankingAt(state), parts = [...axes("rank k", "value"), column("top", 0, r.K / r.N, 1)];
  const points = per => r.hits.map((_, i) => [x((i + 0.5) / r.N), y(r.s[i + 1] / per(i + 1))]);
  const P = points(k => k), recall = r.R ? points(() => r.R) : [];
  parts.push(path("curve", P), path("dashed", recall));
  P.forEach((point, i) => parts.push(dot("p-dot", point, 3.5), below((i + 0.5) / r.N, i + 1)));
  parts.push(...recall.map(point => dot("cut", point, 3.5)));
  return picture(`At ${r.K}: precision ${text(METRICS.P(r))}, recall ${text(METRICS.recall(r))}.`, parts,
    [lineKey("curve", "P@<i>k</i>"), lineKey("dashed", "recall@<i>k</i>")]);
}

// The ROC curve: up for a hit, right for a miss; the cells below it are the pairs in the right order.
function roc(state) {
  const [r, second] = rankings(state), pairs = r.found * r.misses, right = `${pairs - inversions(r)} of ${pairs} pairs`;
  if (!pairs) return noPicture("no pair of a hit and a miss");
  const curve = each => each.s.map((hits, k) => [x((k - hits) / r.misses), y(hits / r.found)]);
  const parts = axes("right: a miss", "up: a hit", []), [w, h] = [WIDTH / r.misses, HEIGHT / r.found];
  curve(r).slice(1).forEach(([px, py], i) => {
    for (let up = 1; !r.hits[i] && up <= r.found; up++) parts.push(rect(up > r.s[i] ? "cell" : "step", px - w, y(up / r.found), w, h));
  });
  parts.push(path("curve", curve(r)), second ? path("dashed", curve(second)) : "");
  const keys = [areaKey("step", `${second ? `${TOOLS[0]}: ` : ""}${right} in the right order`)];
  if (second) keys.push(lineKey("dashed", `${TOOLS[1]}: ${pairs - inversions(second)} of ${pairs}`));
  return picture(`ROC grid: ${right} are in the right order.`, parts, keys);
}

// The discounted gain of each rank, inside its undiscounted gain.
function gains(state) {
  const r = rankingAt(state), highest = Math.max(1, ...r.grades.map(g => gainOf(r, g))), parts = axes("rank", "gain", [0, highest]);
  r.grades.forEach((g, i) => {
    const whole = gainOf(r, g) / highest, kept = whole / Math.log2(i + 2), middle = (i + 0.5) / r.N;
    const bar = (kind, height) => column(kind, (i + 0.1) / r.N, (i + 0.9) / r.N, height);
    parts.push(bar("cell", whole), bar(i < r.K ? "step" : "step late", kept), below(middle, i + 1));
    if (g) parts.push(label(x(middle), y(kept) - (kept > 0.95 ? -14 : 4), (kept * highest).toFixed(2)));
  });
  return picture(`DCG at ${r.K} is ${text(METRICS.DCG(r))}.`, parts,
    [areaKey("step", "gain after the discount"), areaKey("cell", "gain")]);
}

function confusion(state) {
  const r = rankingAt(state), cell = (kind, number, words) => `<div class="${kind}"><b>${number}</b> ${words}</div>`;
  return table("confusion", ["relevant", "not relevant"], [
    ["suggested", cell("right", r.tp, "found"), cell("wrong", r.K - r.tp, "false alarms")],
    ["left out", cell("wrong", r.R - r.tp, "missed"), cell("right", r.universe - r.K - r.R + r.tp, "rightly left out")],
  ], `The top ${r.K} against the relevant items (${r.R} of ${r.universe})`);
}

// ---- Panels: what a chapter's lab starts with, shows, and how it knows that its challenge is solved, from the state, the one before
// the step, and the first one.

const hasCutoff = panel => panel.controls.includes("K");
const valueIn = (state, name) => METRICS[name](rankingAt(state));
const rise = (name, from, to) => difference(valueIn(to, name), valueIn(from, name));
const lead = (name, state) => difference(...rankings(state).map(METRICS[name]));

const PANELS = {
  "from-sets-to-rankings": {
    more: [
      ["Make P@K rise and recall@K fall at the same cutoff.", (state, before, opened) => state.K === opened.K && rise("P", opened, state) > 0 && rise("recall", opened, state) < 0
        && "the top has more hits, but the number of relevant items has grown by a larger factor, and recall divides by that number."],
      ["Find half of the relevant items at a cutoff where precision and recall are equal.", state => rankingAt(state).R === state.K && num(valueIn(state, "P")) === 0.5
        && "precision and recall have the same numerator, and the same denominator where K = R."],
    ],
    start: "xAyBCz", picture: [curves], rows: ["P", "recall"], main: "P", controls: ["K", "u", "n"],
    solved: (state, before, opened) => state.K === 4 && !rise("P", opened, state) && rise("recall", opened, state) > 0
      && "the top four hold as many hits as before, but fewer items are relevant in all. Recall depends on their number; precision does not.",
  },
  "average-precision": {
    more: [
      ["Make AP exactly 1/2, with three relevant items in the list.", state => rankingAt(state).found === 3 && num(valueIn(state, "AP")) === 0.5
        && "for example, the j-th hit is at rank 2j, so each hit adds a half."],
      ["A fourth relevant item is to be missing from the list: set “relevant, not in the list” to 1, and bring AP back above 8/15 by moves alone.",
        (state, before, opened) => state.u === 1 && rankingAt(state).found === 3 && rise("AP", opened, state) > 0
          && "the missing item adds nothing, but still counts in the denominator."],
    ],
    start: "xAyBCz", picture: [steps], rows: ["AP", "P", "recall"], main: "AP", controls: ["K", "u", "n"],
    solved: (state, before) => swapped(rankingAt(before), rankingAt(state)) && rise("AP", before, state) > 0.1666
      && "the gain has i (i + 1) in the denominator, which is smallest at the top.",
  },
  "ap-at-k": {
    more: [
      ["Make all four values equal, and above 0.", state => num(valueIn(state, "cutoff")) > 0 && !["retrieved", "relevant", "ideal"].some(name => difference(valueIn(state, name), valueIn(state, "cutoff")))
        && "the four denominators are equal only if the top K are all hits, and no other item is relevant."],
      ["Make the value over the hits found 1, and the value over all relevant items at most 1/5.", state => num(valueIn(state, "retrieved")) === 1 && num(valueIn(state, "relevant")) <= 0.2
        && "the value over the hits found is a mean over them, so it does not know how much was missed."],
    ],
    start: "AxyzBw", picture: [], rows: ["retrieved", "relevant", "ideal", "cutoff"], main: "relevant", controls: ["K", "u", "n"],
    solved: (state, before) => rankingAt(state).tp > rankingAt(before).tp && rise("retrieved", before, state) < 0
      && state.K === before.K && rankingAt(state).R === rankingAt(before).R
      && "the value over the hits found is a mean over them, and the new hit adds a fraction below that mean. The other three divide by numbers that do not change.",
  },
  "r-precision": {
    more: [
      ["Now the other way round: raise R-precision, and make AP fall. The same three items are relevant, but the list may grow.",
        (state, before, opened) => rankingAt(state).R === 3 && rankingAt(state).found === 3 && rise("rPrecision", opened, state) > 0 && rise("AP", opened, state) < 0
          && "one hit has moved into the top three, and the last hit has moved far down, where only AP looks."],
    ],
    start: "xAyBCz", picture: [steps], rows: ["rPrecision", "AP"], main: "rPrecision", controls: ["u", "n"],
    solved: (state, before, opened) => rankingAt(state).R === rankingAt(opened).R && !rise("rPrecision", opened, state)
      && rise("AP", opened, state) >= 0.15
      && `R-precision counts the hits in the top ${rankingAt(state).R}, and does not see their order.`,
  },
  "f-and-e": {
    more: [
      ["Make F exactly 1/2 with β = 1, while precision and recall differ.", state => state.b === 10 && num(valueIn(state, "F")) === 0.5 && difference(valueIn(state, "P"), valueIn(state, "recall")) !== 0
        && "F is 2 s over K + R, so F = 1/2 needs K + R = 4 s."],
      ["Start again, leave the list and the cutoff as they are, and bring F within 0.02 of recall.",
        (state, before, opened) => write({ ...state, b: opened.b, U: opened.U }) === write({ ...opened, U: opened.U }) && Math.abs(num(valueIn(state, "F")) - num(valueIn(state, "recall"))) < 0.02
          && "with a large β, recall has nearly all the weight."],
    ],
    start: "AxByCz", picture: [confusion], rows: ["P", "recall", "F", "jaccard", "accuracy"], main: "accuracy",
    controls: ["K", "u", "b", "U"],
    solved: state => num(valueIn(state, "accuracy")) >= 0.99 && !rankingAt(state).tp && rankingAt(state).R > 0
      && "nearly all the items that accuracy counts were neither suggested nor needed; the other metrics leave them out.",
  },
  "areas-under-the-curve": {
    more: [
      ["Make the value at eleven points exceed AP by more than 0.12.", state => difference(valueIn(state, "eleven"), valueIn(state, "AP")) > 0.12
        && "if few items are relevant, the eleven levels give them weights other than 1/R, and the envelope lifts the precisions in between."],
    ],
    start: "xAyBCz", picture: [steps], rows: ["AP", "interpolated", "lines", "eleven"], main: "AP", controls: ["u", "n"],
    solved: state => {
      const r = rankingAt(state), perfect = r.s[r.R] === r.R;
      return r.found > 1 && !perfect && !difference(METRICS.AP(r), METRICS.interpolated(r))
        && "no hit has a higher precision than an earlier one, so the envelope has nothing to lift.";
    },
  },
  "order-and-auc": {
    more: [
      ["Make the AUC of the first tool exactly 1/2, and its AP at least 0.6.", state => num(valueIn(state, "AUC")) === 0.5 && num(valueIn(state, "AP")) >= 0.6
        && "one hit at the top raises AP, and one at the bottom loses as many pairs as the first wins."],
    ],
    start: "xAyBCz.BzxyAC", picture: [roc], rows: ["AUC", "AP"], main: "AUC", controls: ["n"],
    solved: state => lead("AUC", state) === 0 && lead("AP", state) !== 0
      && "both tools have the same number of pairs in the right order, and AUC sees no more than that. For AP it matters where the pairs are.",
  },
  "discounted-gain": {
    more: [
      ["Make nDCG 1 for both tools, while their lists differ.", state => [0, 1].every(list => Math.abs(METRICS.nDCG(rankingAt(state, 0, list)) - 1) < 1e-12) && state.goals[0].lists[0].join() !== state.goals[0].lists[1].join()
        && "nDCG does not look below the cutoff, and does not tell items of the same grade apart."],
    ],
    start: "xA2yBCz.BxCyA2z", picture: [gains], rows: ["DCG", "nDCG"], main: "nDCG", controls: ["K", "g", "u"], grades: true,
    solved: state => {
      const [linear, exponential] = [0, 1].map(g => lead("nDCG", { ...state, g }));
      return linear * exponential < 0
        && `a linear gain prefers the ${TOOLS[+(linear < 0)]}, and an exponential gain the other, because it makes high grades worth more.`;
    },
  },
  "ties-and-samples": {
    more: [
      ["Tie some items so that AP is still certain. At least one item must be relevant, and at least one irrelevant.", state => tiedOf(state).includes(true) && rankingAt(state).found > 0 && rankingAt(state).misses > 0
        && difference(spreadOf(state, "AP")?.worst, spreadOf(state, "AP")?.best) === 0 && "items of the same kind may be tied: their order does not change the list of hits and misses."],
    ],
    start: "xA-y-zB", picture: [], rows: ["P", "AP", "RR"], main: "AP", controls: ["K", "n"], ties: true,
    solved: state => {
      const at = spreadOf(state, "P");
      return at && state.K > 1 && num(at.worst) === 0 && num(at.best) === 1
        && `P@${state.K} is ${text(at.mean)} on average, but the tie-breaking decides. So a report has to say how ties are broken.`;
    },
  },
  averaging: {
    more: [
      ["Make all four means prefer the same tool.", state => new Set(means(state).map(({ values }) => Math.sign(difference(...values)))).size === 1 && difference(...means(state)[0].values) !== 0
        && "for example, a tool that is better on each of the goals is preferred by every mean."],
    ],
    start: "Axyz.xyAz~BvuCtDE.BCDvutE_K3", picture: [], rows: [], main: "MAP", controls: ["K"], means: true,
    solved: state => {
      const [macro, micro, map, root] = means(state).map(({ values }) => difference(...values));
      return (macro * micro < 0 || map * root < 0) && "a macro mean gives each goal the same weight, and a micro mean each lemma. In a "
        + "geometric mean, one bad goal weighs heavily.";
    },
  },
  "ranking-lab": {
    presets: true, folded: ["g", "p", "b", "U"],
    more: [
      ["Find two rankings, each preferred by the same number of metrics, and by at least one.", (state, before, opened) => {
        const signs = state.goals[0].lists[1] && Object.keys(METRICS).map(name => Math.sign(lead(name, state)) * (LOWER_IS_BETTER.includes(name) ? -1 : 1));
        return signs && signs.includes(1) && signs.reduce(plus) === 0 && "each metric rewards different places in the list, so a tally of metrics is not a vote of readers.";
      }],
      ["Tie items of one ranking so that P@4 is certain and AP is not.", state => !state.goals[0].lists[1] && state.K === 4 && tiedOf(state).includes(true)
        && difference(spreadOf(state, "P")?.worst, spreadOf(state, "P")?.best) === 0 && difference(spreadOf(state, "AP")?.worst, spreadOf(state, "AP")?.best) !== 0
        && "the tie is wholly within the top four, or wholly below it: P@4 does not see the order there, and AP does."],
    ],
    start: "xAyBCz", picture: [steps, roc, gains], rows: Object.keys(METRICS), tells: ["AP", "AUC"], main: "AP", grades: true, ties: true,
    controls: ["K", "u", "b", "p", "g", "U", "n", "second"],
    solved: state => state.goals[0].lists[1] && lead("AP", state) * lead("AUC", state) < 0
      && `AP prefers the ${TOOLS[+(lead("AP", state) < 0)]}, and AUC the other: AP rewards hits at the top, and AUC rewards every pair alike.`,
  },
};

// The challenges of a panel, in the order in which they rise: the first is the text of its box.
const rungs = panel => [{ solved: panel.solved }, ...(panel.more ?? []).map(([task, solved]) => ({ task, solved }))];

function means(state) {
  const tools = [0, 1].map(list => state.goals.map((_, goal) => rankingAt(state, goal, list)));
  const mean = name => all => over(total(all.map(METRICS[name])), all.length);
  const sum = (all, name) => all.map(r => r[name]).reduce(plus);
  const root = all => (mean("AP")(all) && all.map(r => num(METRICS.AP(r))).reduce((a, b) => a * b) ** (1 / all.length));
  return [
    [`recall@${state.K}, macro`, mean("recall")],
    [`recall@${state.K}, micro`, all => frac(sum(all, "tp"), sum(all, "R"))],
    ["MAP", mean("AP")],
    ["geometric mean of AP", root],
  ].map(([words, of]) => ({ words, values: tools.map(of) }));
}

// ---- The parts of a lab, as HTML

function tile(state, panel, g, list, at) {
  const goal = state.goals[g], id = goal.lists[list][at], grade = goal.grades[id], last = !goal.lists[list][at + 1];
  const [chosenGoal, chosenList, chosenItem] = state.chosen, ties = canTie(state, panel), tied = ties && !last && !!goal.tied[at];
  const reached = at === (chosenGoal === g && chosenList === list ? chosenItem : 0);
  const words = `${panel.grades ? `grade ${grade}` : `${grade ? "" : "not "}relevant`}${tied ? ", tied with the next" : ""}`;
  const name = `<span>${id}</span><span class="sign">${!grade ? "–" : panel.grades ? grade : "✓"}</span>`;
  const toggle = (kind, reach, says, pressed, content) =>
    `<button type="button" class="${kind}" tabindex="${reach}" aria-label="${says}" aria-pressed="${pressed}">${content}</button>`;
  return `<li data-id="${id}" class="${hasCutoff(panel) && at >= state.K ? "late" : ""}">\
<span class="rank" aria-hidden="true">${at + 1}</span>\
${toggle("tile", reached ? 0 : -1, `rank ${at + 1}, lemma ${id}, ${words}`, grade > 0, name)}\
${ties ? toggle("glue", -1, `tie ranks ${at + 1} and ${at + 2}`, tied, "=") : ""}</li>`;
}

const nameOfList = ({ goals }, g, list) => [goals[1] ? `goal ${g + 1}` : "", goals[g].lists[1] ? TOOLS[list] : ""].filter(Boolean).join(", ");
const lists = (state, panel) => state.goals.map((goal, g) => `<div class="goal">${goal.lists.map((ids, list) => {
  const words = nameOfList(state, g, list);
  return `<div>${words && `<p class="tool">${words}</p>`}\
<ol class="tiles" data-goal="${g}" data-list="${list}" aria-label="The ranking${words && ` of ${words}`}, best first">\
${ids.map((_, at) => tile(state, panel, g, list, at)).join("")}</ol></div>`;
}).join("")}</div>`).join("");

const CLICKS = [["switch", "✓ switches it"], ["up", "◀ moves it up"], ["down", "moves it down ▶"]];
const button = (what, words, more = "") => `<button type="button" data-do="${what}" ${more}>${words}</button>`;
const BUTTONS = {
  g: state => button("gain", `gain: ${SETTINGS.g.shown(state.g)}`),
  n: () => button("longer", "+ item") + button("shorter", "− item"),
  second: state => button("second", state.goals[0].lists[1] ? "one ranking only" : "a second ranking"),
};
function control(name, state) {
  if (BUTTONS[name]) return BUTTONS[name](state);
  const { words, low, high, step, shown } = SETTINGS[name], value = shown(state[name]);
  const widest = Math.max(...[low, name === "K" ? LONGEST : high].map(each => String(shown(each)).length));
  return `<label>${words} = <span class="value" style="min-width:${widest}ch">${value}</span> <input type="range" name="${name}" min="${low}" \
max="${name === "K" ? lengthOf(state) : high}" step="${step}" value="${state[name]}" aria-valuetext="${value}"></label>`;
}

const cells = (tag, contents) => contents.map(content => `<${tag}>${content}</${tag.slice(0, 2)}>`).join("");
const table = (kind, heads, rows, caption, columns = heads.length + 1 || 3) => `<table class="${kind}">${caption ? `<caption>${caption}</caption>` : ""}\
${heads.length ? `<thead><tr><td></td>${cells('th scope="col"', heads)}</tr></thead>` : ""}\
<tbody>${rows.map(row => {
  if (row.group) return `<tr class="rows"><th colspan="${columns}">${row.group}</th></tr>`;
  const [head, ...rest] = row.cells ?? row;
  return `<tr${row.changed ? ' class="changed"' : ""}><th scope="row">${head}</th>${cells("td", rest)}</tr>`;
}).join("")}</tbody></table>`;

// The rows of a table, those that the last step has changed marked. In a long one they come first, and the others by what they look at.
function ordered(rows, state, panel, since) {
  const changed = new Map((since && changedBy(panel, since, state))?.map(({ name, metric, was }) => [name ?? metric, was.shown]));
  const marked = rows.map(row => ({ ...row, changed: changed.has(row.name ?? row.words), was: changed.get(row.name ?? row.words) }));
  if (rows.length < 10) return marked;
  const group = (words, belongs) => (marked.some(belongs) ? [{ group: words }, ...marked.filter(belongs)] : []);
  return [...group("changed by this step", row => row.changed), ...group(`looks at the top ${state.K}`, row => !row.changed && AT_K.includes(row.name)),
    ...group("does not know <i>K</i>", row => !row.changed && !AT_K.includes(row.name))];
}
const headOf = ({ name, words }) => words + (LOWER_IS_BETTER.includes(name) ? '<span class="lower"></span>' : "");

// How many metrics prefer which tool, and on which side of the question they stand.
function tally(rows, signs) {
  const count = of => [1, -1].map(sign => rows.filter((row, i) => signs[i] === sign && of(row)).length);
  const [first, second] = count(() => true), equal = signs.filter(sign => sign === 0).length;
  const by = (words, of) => (rows.some(of) ? [`${words} ${count(of).join(" to ")}`] : []);
  return ` ${first} ${first === 1 ? "prefers" : "prefer"} the ${TOOLS[0]}, ${second} the ${TOOLS[1]}, and ${equal} ${equal === 1 ? "sees" : "see"} no difference. Among those that look at the top `
    + [...by("<i>K</i> it is", row => AT_K.includes(row.name)), ...by("among the others", row => !AT_K.includes(row.name))].join(", ") + ".";
}

function compared(rows, state, panel, since) {
  const signs = rows.map(({ values, lower }) => (values.includes(null) ? NaN : Math.sign(difference(...values)) * (lower ? -1 : 1)));
  const said = signs.includes(1) && signs.includes(-1) ? "These metrics disagree."
    : signs.includes(0) && signs.some(Boolean) ? "One of these metrics sees a difference, but another does not." : "These metrics agree.";
  const verdict = sign => (sign ? `<b>${sign < 0 ? "second" : "first"}</b>` : sign === 0 ? "equal" : "");
  const all = ordered(rows.map((row, i) => ({ ...row, sign: signs[i] })), state, panel, since);
  return table("two", [...TOOLS, "prefers"], all.map(row => (row.group ? row : { ...row, cells: [headOf(row), ...row.values.map(inFull), verdict(row.sign)] })))
    + `<p class="verdict"><b>${said}</b>${rows.length < 10 ? "" : tally(rows, signs)}</p>`;
}

function numbers(state, panel, since) {
  const rows = rowsOf(state, panel), [first] = rankings(state);
  if (panel.means) return compared(rows, state, panel, since);
  if (state.goals[0].lists[1]) return compared(rows.map(row => ({ ...row, lower: LOWER_IS_BETTER.includes(row.name) })), state, panel, since);
  const bar = (name, from, to, mark = "") => (NO_BAR.includes(name) ? ""
    : `<div class="bar"><span style="left:${100 * from}%;width:${100 * (to - from)}%"></span>${mark}</div>`);
  const divisor = name => (DENOMINATORS[name] ? ` = ${DENOMINATORS[name](first)}` : "");
  const alone = row => ({ ...row, cells: [headOf(row) + divisor(row.name), bar(row.name, 0, num(row.values[0]) || 0),
    inFull(row.values[0]) + (row.changed ? ` <span class="was">was ${row.was}</span>` : "")] });
  if (!isTied(state, panel)) return table("one", [], ordered(rows, state, panel, since).map(row => (row.group ? row : alone(row))));
  const spreads = rows.map(row => ({ ...row, ...spreadOf(state, row.name) })).filter(row => row.orders);
  if (!spreads.length) return `<p>${tooManyOrders(state) ? `The ties have more than ${MOST_ORDERS} orders` : "No item is relevant"}.</p>`;
  return table("ties", ["", "worst", "mean", "best"], ordered(spreads, state, panel, since).map(row => (row.group ? row : { ...row, cells: [
    headOf(row), bar(row.name, num(row.worst), num(row.best), `<b style="left:${100 * num(row.mean)}%"></b>`),
    ...[row.worst, row.mean, row.best].map(inFull)] })), "Over all orders of the ties");
}

const legend = (state, panel) => [hasCutoff(panel) && `@${state.K}: at the cutoff <i>K</i> = ${state.K}`,
  panel.rows.some(name => LOWER_IS_BETTER.includes(name)) && "↓ lower is better"].filter(Boolean).join("; ");

// The main metric written out.
function sum(state, panel) {
  const r = rankingAt(state), terms = r.ranks.map((k, j) => stacked(j + 1, k, k > r.K && hasCutoff(panel) ? "late" : ""));
  if (panel.main === "AP" && !panel.ties) {
    if (!r.R) return "AP is <i>undefined</i>, because no item is relevant.";
    const zeros = Array(r.unranked).fill(0);
    return `<b>AP</b> = ${stacked(1, r.R)} <span class="big">(</span>${[...terms, ...zeros].join(" + ")}<span class="big">)</span> = ${inFull(METRICS.AP(r))}`;
  }
  if (panel.main !== "relevant") return "";
  return `One numerator, <i>S</i>(${r.K}) = ${terms.slice(0, r.tp).join(" + ") || 0}${r.tp > 1 ? ` = ${inFull(topSum(r))}` : ""}, over four denominators:`;
}

// Of each metric its function, and what it is told besides the ranking.
const ARGUMENTS = {
  k: r => r.K, denominator: (r, name) => `"${name}"`, n_relevant: r => r.R, beta: r => num(r.beta), universe_size: r => r.universe,
  gain: r => `"${r.gain}"`, ideal: r => `[${ideal(r).filter(Boolean).join(", ")}]`, persistence: r => num(r.persistence), max_grade: () => HIGHEST_GRADE,
};
function call(name, r, ranking) {
  const { path, parameters } = CALLS[name];
  const told = parameters.filter(each => ARGUMENTS[each] && !(each === "n_relevant" && parameters.includes("ideal")));
  return `metrics.${path}(${[ranking, ...told.map(each => `${each}=${ARGUMENTS[each](r, name)}`)].join(", ")})`;
}
const inPython = r => `[${r.grades.join(", ")}]`;
function python(state, panel) {
  const print = expression => `print(${expression})`, all = rankings(state);
  if (panel.means) {
    const values = tool => state.goals.map((_, goal) => rankingAt(state, goal, tool)).map(r => call("AP", r, inPython(r))).join(", ");
    const both = tool => ["mean", "geometric_mean"].map(mean => print(`metrics.${mean}([${values(tool)}], undefined="raise")`));
    return ["import metrics", ...both(0), ...both(1)].join("\n");
  }
  if (isTied(state, panel)) {
    const scores = tiedOf(state).reduce((scores, tie) => [...scores, scores.at(-1) - !tie], [lengthOf(state)]), [r] = all;
    return `from metrics import ties\nprint(ties.average_precision(${inPython(r)}, scores=[${scores.join(", ")}], n_relevant=${r.R}))`;
  }
  const names = ["first", "second"], calls = panel.rows.filter(name => CALLS[name]);
  const lists = all.map((r, i) => `${names[i]} = ${inPython(r)}`);
  return ["import metrics", ...lists, ...all.flatMap((r, i) => calls.map(name => print(call(name, r, names[i]))))].join("\n");
}

// Rankings to begin with, and a place for your own.
const PRESETS = {
  "the book's example": "xAyBCz", "a page of ten, with grades": "A3xB2yCzwD2vu_K10", "the first hit comes late": "xyzwABC",
  "hits at both ends": "AxyzwvB", "four items with one score": "xA-y-B-zC", "two tools": "AxyzBC.xyABzC",
};
const choices = () => `<div class="lab-controls"><label>begin with <select name="preset"><option value="">…</option>${Object.entries(PRESETS)
  .map(([words, text]) => `<option value="${text}">${words}</option>`).join("")}</select></label>\
<label>your own <input name="own" placeholder="0 1 0 2, or d7* d3 d12*" size="22"></label>${button("own", "show it")}</div>`;

// What somebody typed: grades in rank order, or ids with a star at the relevant ones. As the text of a state.
function ofTheirs(typed) {
  const compact = typed.trim().replace(/[\s,;[\]]+/g, " ").trim(), digits = compact.replaceAll(" ", "");
  const grades = /^[0-3]+$/.test(digits) ? [...digits].map(Number) : compact.split(" ").map(id => +id.endsWith("*"));
  if (grades.length < 2 || grades.length > LONGEST || !compact) throw Error(`it needs 2 to ${LONGEST} items: grades from 0 to 3, or ids with a * at the relevant ones`);
  const neither = compact.includes("*") ? null : compact.split(" ").find(word => !/^[0-3]+$/.test(word));
  if (neither) throw Error(`“${neither}” is not a grade from 0 to 3, and no id has a * for relevant`);
  const hits = [..."abcdefghijkl"], others = [..."xyzwvutsrqpo"];
  return grades.map(g => (g ? hits.shift().toUpperCase() + (g > 1 ? g : "") : others.shift())).join("");
}

// What may hold what somebody typed or an address says, as text within markup.
const asText = words => words.replace(/[&<>"']/g, letter => `&#${letter.charCodeAt()};`);

// Which challenge of a panel is next.
function asked(panel, rung) {
  const ladder = rungs(panel), so = `<b>${rung} of ${ladder.length} solved.`;
  return ladder[rung] ? `<p>${rung ? `${so} Next:</b> ${ladder[rung].task}` : `${so}</b> The first challenge stands above the list.`}</p>` : `<p>${so}</b> Can you solve them in fewer moves?</p>`;
}

// The list that readers take along to the labs of other chapters, as a state of a panel. Of two tools, the second has it from below.
function taken(panel, text) {
  const { goals: [{ grades, tied, lists: [ids] }] } = read(text), opened = read(panel.start);
  const lists = opened.goals[0].lists[1] ? [ids, ids.toReversed()] : [ids];
  return write({ ...opened, goals: [{ grades, tied: lists[1] ? [] : tied, lists }] });
}
const firstList = ({ goals: [{ grades, tied, lists: [ids] }] }) => write({ goals: [{ grades, tied, lists: [ids] }] }).split("_")[0];

// The whole lab. node calls this while the book is built; on the page each step brings the lab to what it draws.
function draw(name, state = read(PANELS[name].start), { said = standing(PANELS[name], state), solved = asked(PANELS[name], 0), since, undo, redo, own = "" } = {}) {
  const panel = PANELS[name], able = can => (can ? "" : "disabled");
  return `<div class="lab-top"><div class="lab-lists">${lists(state, panel)}</div>
<p class="lab-change live-only" role="status">${said}</p></div>
<div class="live-only"><div class="lab-solved" role="status">${solved}</div><p class="lab-help">Click a tile to ${{ switch: panel.grades ? "change its grade" : "switch it", up: "move it up", down: "move it down" }[state.click]}, or drag it to another place. \
Keys: the arrows select an item, Space switches it, Shift with an arrow moves it${panel.ties ? ", = ties it with the next" : ""}, and Z undoes the last step.</p>
<div class="lab-controls" role="group" aria-label="Change the ranking">\
<span class="group">a click ${CLICKS.map(([what, words]) => button(what, words, `aria-pressed="${what === state.click}"`)).join("")}</span>\
${panel.controls.filter(each => !panel.folded?.includes(each)).map(each => control(each, state)).join("")}<span class="group">${button("undo", "undo", able(undo))}${button("redo", "redo", able(redo))}\
${button("start", "reset")}</span>${state.taken ? button("back", "back to the text") : ""}<span class="lab-own">${own}</span></div>${panel.presets ? choices() : ""}\
${panel.folded ? `<details class="lab-settings"><summary>Gain, persistence, <i>β</i>, items in all</summary><div class="lab-controls">${panel.folded.map(each => control(each, state)).join("")}</div></details>` : ""}</div>
<div class="lab-body"><div class="lab-picture">${panel.picture.map(each => `<div>${each(state, panel)}</div>`).join("")}</div>
<div class="lab-numbers"><p class="lab-sum">${sum(state, panel)}</p>\
<div class="lab-table" role="region" tabindex="0" aria-label="The metrics">${numbers(state, panel, since)}\
<p class="legend">${legend(state, panel)}</p></div>
<details class="lab-python"><summary>The same in Python, and a link to this state</summary><pre>${python(state, panel)}</pre>\
<span class="live-only">${button("copy", "Copy the code")} ${button("link", "Copy the link")}</span></details></div></div>`;
}

if (typeof module === "object") {
  module.exports = { AT_K, CALLS, METRICS, PANELS, PRESETS, SETTINGS, draw, frac, python, ranking, rankingAt, read, readFor, report, rungs, spread, write, ofTheirs, taken };
  return;
}

// ---- The page

const OWN_LIST = "list of the reader";
const SPARE = "xyzwvutsrqponmlkjihgfedcba";

function bringToLife(lab) {
  const panel = PANELS[lab.dataset.lab], opened = read(panel.start);
  let state = structuredClone(opened), said = standing(panel, state), solved = "", sliding = null, source = null, nextList = 0;
  let pressed = false, dragged = null, wasDragged = false, since = null, past = [], future = [];

  function show(words = said) {
    const focus = lab.contains(document.activeElement) && document.activeElement, fresh = lab.cloneNode();
    fresh.innerHTML = draw(lab.dataset.lab, state, { said: said = words, solved, since, undo: past.length, redo: future.length, own: ownWords() });
    changePlaces(lab, () => become(lab, fresh), () => dragged);
    dragged?.classList.add("dragged");
    lab.classList.toggle("sliding", sliding !== null);
    if (focus && focus !== document.activeElement) tileAt(state.chosen).focus({ preventScroll: true });
  }

  // The list that the reader takes along: kept in this browser, asked once. What is kept there is read like an address.
  function ownList() {
    try {
      const { text } = kept(OWN_LIST);
      return taken(panel, text) && text;
    } catch {
      return null;
    }
  }
  function ownWords() {
    if (panel.means) return "";
    const own = ownList(), made = past.length && firstList(state) !== firstList(opened), here = made && firstList(state) !== own;
    if (own) return `${button("mine", "your list")} ${here ? button("along", "take this list along instead") : ""} ${button("forget", "forget your list")}`;
    if (!here) return "";
    return kept(OWN_LIST) ? button("along", "take this list along") : `Take this list along to the other chapters? ${button("along", "yes")} ${button("stay", "no")}`;
  }
  function keepList(value, words) {
    show(keep(OWN_LIST, value) ? words : "This browser keeps nothing, so the list stays in this chapter.");
  }

  const address = () => addressWith("lab", write(state));

  // The ladder of challenges: how many are solved, in how few moves, kept in this browser.
  const ladder = rungs(panel), name = `ranking lab ${lab.dataset.lab}`;
  let { rung, fewest } = kept(name) ?? { rung: 0, fewest: [] }, begun = 0;
  function climb(because) {
    const moves = Math.max(1, past.length - begun), best = Math.min(moves, fewest[rung] ?? Infinity);
    fewest[rung++] = best;
    begun = past.length;
    keep(name, { rung: rung % ladder.length, fewest });
    const why = `<details><summary>Why?</summary>${because.replace(/^./, letter => letter.toUpperCase())}</details>`;
    solved = `<b>✓ Solved.</b> ${moves === 1 ? "In one move" : `In ${moves} moves`}${best < moves ? `; your fewest: ${best}` : ""}. ${why}`
      + asked(panel, rung);
  }

  // Show what a step of the reader changed, and say so in one sentence.
  function tell(words, before) {
    state.K = Math.min(state.K, lengthOf(state));
    const origin = sliding ?? before;
    if (past.at(-1) !== origin) past.push(origin);
    [future, since] = [[], origin];
    const because = ladder[rung]?.solved(state, before, opened);
    if (because) climb(because);
    else solved = asked(panel, rung);
    show(`${words}: ${report(panel, before, state)}`);
    setAddress(address());
  }
  function travel(from, to, words) {
    if (!from.length) return;
    [since, sliding] = [state, null];
    to.push(state);
    state = from.pop();
    solved = asked(panel, rung);
    show(`${words}: ${report(panel, since, state)}`);
    setAddress(address());
  }
  function begin(textOf, words) {
    const before = structuredClone(state);
    try {
      state = readFor(panel, textOf());
    } catch (error) {
      return show(`This ranking cannot be shown, because ${asText(error.message)}.`);
    }
    tell(words, before);
  }
  function step(words, change, before = structuredClone(state)) {
    change();
    tell(words, before);
  }

  const listAt = ([goal, list]) => state.goals[goal].lists[list];
  const tileAt = ([goal, list, at]) => lab.querySelectorAll(`[data-goal="${goal}"][data-list="${list}"] .tile`)[at];
  const placeOf = tile => {
    const { parentElement: li } = tile, { dataset, children } = li.parentElement;
    return [+dataset.goal, +dataset.list, [...children].indexOf(li)];
  };

  function switchGrade(place, grade) {
    const [g, , at] = state.chosen = place, { grades } = state.goals[g], id = listAt(place)[at];
    const next = grade ?? (grades[id] + 1) % (panel.grades ? HIGHEST_GRADE + 1 : 2);
    const words = panel.grades ? `has grade ${next}` : `is ${next ? "now" : "no longer"} relevant`;
    step(`${id}${state.goals[g].lists[1] ? "" : ` at rank ${at + 1}`} ${words}${state.goals[g].lists[1] ? " in both lists" : ""}`, () => { grades[id] = next; });
  }

  function tie([, , at]) {
    const { tied } = state.goals[0];
    if (!canTie(state, panel)) return show("Only a single ranking can have ties here.");
    if (at + 1 === lengthOf(state)) return show("There is no item after the last one.");
    step(`ranks ${at + 1} and ${at + 2} are ${tied[at] ? "not " : ""}tied`, () => { tied[at] = !tied[at]; });
  }

  function movedWords(id, [g, list, from], to) {
    const name = nameOfList(state, g, list);
    return `${id} moved from rank ${from + 1} to rank ${to + 1}${name && ` (${name})`}`;
  }
  function put(place, to) {
    const list = listAt(place), [g, l, from] = place;
    list.splice(to, 0, ...list.splice(from, 1));
    state.chosen = [g, l, to];
  }
  function move(place, to) {
    const list = listAt(place), [, , from] = place;
    if (list[to] && to !== from) step(movedWords(list[from], place, to), () => put(place, to));
  }

  function resize(longer) {
    const { lists: all, grades, tied } = state.goals[0], [first] = all;
    if (first.length === (longer ? LONGEST : 2)) return show(`A ranking here has 2 to ${LONGEST} items.`);
    const id = longer ? [...SPARE].find(letter => !first.includes(letter)) : first.at(-1);
    step(`${id} was ${longer ? "added at the end" : "removed"}`, () => {
      state.chosen = [0, 0, 0];
      for (const list of all) longer ? list.push(id) : list.splice(list.indexOf(id), 1);
      tied.length = Math.min(tied.length, first.length - 1);
      if (longer) grades[id] = 0;
      else delete grades[id];
    });
  }

  function second() {
    const [goal] = state.goals, [first, other] = goal.lists;
    step(other ? "the second ranking was removed" : "a second ranking of the same items", () => {
      goal.lists = other ? [first] : [first, first.toReversed()];
      state.chosen = [0, 0, 0];
    });
  }

  const set = (name, value, before) => step(`${SETTINGS[name].words} = ${SETTINGS[name].shown(value)}`, () => { state[name] = value; }, before);

  function startAgain() {
    [state, since, past, future, begun] = [structuredClone(opened), null, [], [], 0];
    if (rung === ladder.length) rung = 0;
    solved = asked(panel, rung);
    show(`As at first. ${standing(panel, state)}`);
    setAddress(address());
  }

  async function copy(words) {
    try {
      await navigator.clipboard.writeText(words);
      show("Copied.");
    } catch {
      show("Copying is not allowed here.");
    }
  }

  const ACTIONS = {
    longer: () => resize(true),
    shorter: () => resize(false),
    gain: () => set("g", 1 - state.g),
    second,
    back: () => source?.focus(),
    mine: () => begin(() => taken(panel, ownList()), "Your list"),
    along: () => keepList({ text: firstList(state) }, "Each lab with a list like this offers it now as “your list”."),
    stay: () => keepList({ text: null }, "The list stays here."),
    forget: () => keepList(null, "Your list is forgotten."),
    start: startAgain,
    undo: () => travel(past, future, "Undone"),
    redo: () => travel(future, past, "Redone"),
    own: () => begin(() => ofTheirs(lab.querySelector("[name=own]").value), "Your own ranking"),
    copy: () => copy(python(state, panel)),
    link: () => copy(address()),
  };

  function click({ target }) {
    const clicked = target.closest("button");
    if (!clicked) return;
    if (clicked.matches(".glue")) tie(placeOf(clicked));
    else if (CLICKS.some(([what]) => what === clicked.dataset.do)) {
      state.click = clicked.dataset.do;
      show();
    } else if (!clicked.matches(".tile")) ACTIONS[clicked.dataset.do]?.();
    else if (!wasDragged) clickTile(placeOf(clicked));
  }

  function clickTile(place) {
    if (state.click === "switch") return switchGrade(place);
    const to = place[2] + (state.click === "up" ? -1 : 1);
    if (listAt(place)[to]) move(place, to);
    else show(`It is already ${to < 0 ? "first" : "last"}.`);
  }

  // While a slider is drawn, what it has changed is told from where it began.
  function input({ target }) {
    if (target.name === "preset" && target.value) begin(() => target.value, "A ranking to begin with");
    if (!SETTINGS[target.name]) return;
    sliding ??= structuredClone(state);
    set(target.name, +target.value, structuredClone(sliding));
  }
  const change = () => { sliding = null; };

  function focusin({ target }) {
    if (!target.matches(".tile")) return;
    state.chosen = placeOf(target);
    show();
  }

  function keydown(event) {
    const tile = event.target, { key } = event;
    if (/^[zy]$/i.test(key) && tile.name !== "own" && !event.altKey) {
      event.preventDefault();
      return ACTIONS[key === "z" ? "undo" : "redo"]();
    }
    if (key === "Enter" && tile.name === "own") return ACTIONS.own();
    if (!tile.matches(".tile") || event.altKey || event.ctrlKey || event.metaKey) return;
    const place = placeOf(tile), at = place[2], last = listAt(place).length - 1;
    const to = { ArrowLeft: at - 1, ArrowUp: at - 1, ArrowRight: at + 1, ArrowDown: at + 1, Home: 0, End: last, ...(event.shiftKey && { PageUp: Math.max(0, at - 10), PageDown: Math.min(last, at + 10) }) }[key];
    if (to !== undefined && event.shiftKey) move(place, to);
    else if (to !== undefined) tileAt(place.with(2, Math.max(0, Math.min(last, to)))).focus();
    else if (panel.grades && /^[0-3]$/.test(key)) switchGrade(place, +key);
    else if (panel.ties && key === "=") tie(place);
    else return;
    event.preventDefault();
  }

  // Drag with any pointer: the item takes the place of the nearest tile of its list, and the numbers follow at once.
  function pointerdown(event) {
    const tile = event.target.closest(".tile"), released = new AbortController();
    if (!tile || event.button || pressed) return;
    pressed = true;
    sliding = null;
    const before = structuredClone(state), praise = solved, start = placeOf(tile), id = listAt(start)[start[2]], list = tile.closest("ol");
    const places = [...list.children].map(li => li.getBoundingClientRect());
    const on = (kind, listener) =>
      addEventListener(kind, moved => moved.pointerId === event.pointerId && listener(moved), { signal: released.signal });
    on("pointermove", ({ clientX, clientY }) => {
      if (!tile.isConnected || (!dragged && Math.hypot(clientX - event.clientX, clientY - event.clientY) < 8)) return;
      dragged = tile.parentElement;
      dragged.classList.add("dragged");
      const away = places.map(box => Math.hypot((box.left + box.right) / 2 - clientX, (box.top + box.bottom) / 2 - clientY));
      const to = away.indexOf(Math.min(...away)), place = placeOf(tile);
      if (to === place[2]) return;
      put(place, to);
      solved = asked(panel, rung);
      show();
    });
    const end = () => {
      released.abort();
      pressed = false;
      if (!dragged) return;
      dragged.classList.remove("dragged");
      dragged = null;
      wasDragged = true;
      setTimeout(() => { wasDragged = false; });
      const to = tile.isConnected ? placeOf(tile)[2] : start[2];
      if (to !== start[2]) return tell(movedWords(id, start, to), before);
      solved = praise;
      show();
    };
    on("pointerup", end);
    on("pointercancel", end);
  }

  // Show a ranking of the text: [[id, grade], ...].
  function take(items, words, place) {
    const [goal] = state.goals, ids = items.map(([id]) => id);
    const sameItems = ids.length === lengthOf(state) && items.every(([id, g]) => goal.grades[id] === g);
    if (!sameItems) nextList = 0;
    step(`${words}, taken from the text`, () => {
      goal.lists = goal.lists.map((list, number) => (sameItems && number !== nextList ? list : [...ids]));
      Object.assign(goal, { grades: Object.fromEntries(items), tied: [] });
      Object.assign(state, { u: 0, chosen: [0, nextList, 0], taken: true });
    });
    source = place;
    nextList = goal.lists[1] ? 1 - nextList : 0;
    lab.closest("details")?.setAttribute("open", "");
    lab.parentElement.scrollIntoView({ block: "start", behavior: still.matches ? "auto" : "smooth" });
    tileAt(state.chosen).focus({ preventScroll: true });
  }

  let words;
  try {
    const text = askedState("lab", lab);
    if (text) state = readFor(panel, text);
  } catch (error) {
    words = `The ranking in this address cannot be shown here, because ${asText(error.message)}. The lab starts with its own ranking.`;
  }
  solved = asked(panel, rung);
  lab.classList.add("live");
  lab.classList.toggle("no-clipboard", !navigator.clipboard);
  show(words);
  for (const [kind, listener] of Object.entries({ change, click, input, keydown, pointerdown, focusin })) lab.addEventListener(kind, listener);
  return take;
}

// Rankings in the text become buttons that take them to the lab: `x a y b c z`, and [0, 1, 0, 1, 1, 0].
function itemsOf(words) {
  const spare = [[..."xyzwvutsrqpo"], [..."abcdefghijkl"]];
  if (/^\[[0-3](, ?[0-3]){1,11}\]$/.test(words)) return words.match(/\d/g).map(g => [spare[+(g > 0)].shift(), +g]);
  const letters = /^[a-z]( [a-z]){2,11}$/.test(words) ? words.split(" ") : [], once = new Set(letters).size === letters.length;
  return once && letters.some(letter => letter <= "h") ? letters.map(letter => [letter, +(letter <= "h")]) : [];
}

const lab = document.querySelector("ranking-lab"), take = bringToLife(lab), panel = PANELS[lab.dataset.lab];
for (const text of document.querySelectorAll("article :is(p, li, td) > :is(code, .formula)")) {
  const place = text.matches("math") ? document.createElement("span") : text;  // no button is of MathML
  const words = (text.querySelector("math") ?? text).textContent.trim(), items = itemsOf(words);
  if (!items.length || place.closest("a, summary, .solution, .lab-caption") || panel.means || (items.some(([, g]) => g > 1) && !panel.grades)) continue;
  if (place !== text) text.replaceWith(place), place.append(text);
  place.classList.add("take");
  const title = `Take the ranking ${words} to the lab`;
  Object.assign(place, { role: "button", tabIndex: 0, title, ariaLabel: title });
  place.addEventListener("click", () => take(items, words, place));
  place.addEventListener("keydown", event => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    take(items, words, place);
  });
}
