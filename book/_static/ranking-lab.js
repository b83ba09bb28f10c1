// The Ranking Lab: rankings whose items you switch, move and tie, and every metric of them, as exact fractions.
// One classic script without dependencies. It runs from file://, and node runs the same file: to draw the first
// state of a lab while the book is built (draw), and to be compared with the Python definitions (values).
"use strict";

const RankingLab = (() => {
  // ---- Exact values. A fraction is [numerator, denominator], BigInts in lowest terms; null is undefined (something / 0).

  const gcd = (a, b) => { while (b) [a, b] = [b, a % b]; return a < 0n ? -a : a; };
  const frac = (n, d = 1) => {
    [n, d] = [BigInt(n), BigInt(d)];
    if (!d) return null;
    const g = gcd(n, d);
    return [n / g, d / g];
  };
  const add = (a, b) => a && b && frac(a[0] * b[1] + b[0] * a[1], a[1] * b[1]);
  const mul = (a, b) => a && b && frac(a[0] * b[0], a[1] * b[1]);
  const over = (a, n) => a && frac(a[0], a[1] * BigInt(n));
  const sub = (a, b) => b && add(a, [-b[0], b[1]]);
  const num = a => (Array.isArray(a) ? Number(a[0]) / Number(a[1]) : a === null ? NaN : a);
  const total = fractions => fractions.reduce(add, frac(0));
  const largest = fractions => fractions.reduce((a, b) => (num(b) > num(a) ? b : a), frac(0));
  const plus = (a, b) => a + b;

  // ---- One ranking. grades: best first; o: K, unranked (relevant items that are not in the list), beta, persistence, gain, universe.

  const DEFAULTS = { K: 4, unranked: 0, beta: frac(1), persistence: frac(4, 5), gain: "linear", universe: 100, maxGrade: 3 };

  function ranking(grades, options) {
    const o = { ...DEFAULTS, ...options }, hits = grades.map(g => +(g > 0)), s = [0];
    hits.forEach((hit, i) => s.push(s[i] + hit));
    const N = grades.length, found = s[N], R = found + o.unranked, K = Math.min(o.K, N);
    const ranks = hits.flatMap((hit, i) => (hit ? [i + 1] : []));
    return { ...o, grades, hits, s, N, found, R, K, ranks, misses: N - found, p: k => frac(s[k], k), tp: s[K] };
  }

  const precisions = (r, k = r.N) => r.ranks.filter(rank => rank <= k).map((rank, j) => frac(j + 1, rank));
  const gainOf = (r, g) => (r.gain === "linear" ? g : 2 ** g - 1);
  const dcg = (r, grades) => grades.slice(0, r.K).map((g, i) => gainOf(r, g) / Math.log2(i + 2)).reduce(plus, 0);
  const ideal = r => [...r.grades, ...Array(r.unranked).fill(1)].sort((a, b) => b - a);
  const envelope = (r, level) => largest(r.s.map((found, k) => (k && found * level[1] >= level[0] * r.R ? r.p(k) : frac(0))));
  const inversions = r => r.ranks.map((rank, j) => rank - 1 - j).reduce(plus, 0);

  const METRICS = {
    P: r => frac(r.tp, r.K),
    recall: r => frac(r.tp, r.R),
    F: r => { const b = mul(r.beta, r.beta), whole = add(mul(b, frac(r.R)), frac(r.K)); return frac((b[0] + b[1]) * BigInt(r.tp) * whole[1], b[1] * whole[0]); },
    E: r => sub(frac(1), METRICS.F(r)),
    jaccard: r => frac(r.tp, r.K + r.R - r.tp),
    accuracy: r => frac(r.universe - r.K - r.R + 2 * r.tp, r.universe),
    success: r => frac(r.tp ? 1 : 0),
    rPrecision: r => frac(r.s[Math.min(r.R, r.N)], r.R),
    AP: r => over(total(precisions(r)), r.R),
    retrieved: r => over(total(precisions(r, r.K)), r.tp),
    relevant: r => over(total(precisions(r, r.K)), r.R),
    ideal: r => over(total(precisions(r, r.K)), Math.min(r.K, r.R)),
    cutoff: r => over(total(precisions(r, r.K)), r.K),
    interpolated: r => over(total(r.ranks.map((_, j) => envelope(r, [j + 1, r.R]))), r.R),
    lines: r => over(total(r.ranks.map((rank, j) => over(add(frac(j + 1, rank), rank > 1 ? frac(j, rank - 1) : frac(1)), 2))), r.R),
    eleven: r => r.R ? over(total([...Array(11).keys()].map(i => envelope(r, [i, 10]))), 11) : null,
    RR: r => (r.found ? frac(1, r.ranks[0]) : frac(0)),
    fullRecall: r => (r.R ? (r.unranked ? Infinity : frac(r.ranks.at(-1))) : null),
    meanRank: r => frac(r.ranks.reduce(plus, 0), r.found),
    inversions: r => frac(inversions(r)),
    AUC: r => frac(r.found * r.misses - inversions(r), r.found * r.misses),
    bpref: r => {
      const most = Math.min(r.R, r.misses);
      return over(total(r.ranks.map((rank, j) => (most ? frac(most - Math.min(rank - 1 - j, most), most) : frac(1)))), r.R);
    },
    DCG: r => dcg(r, r.grades),
    nDCG: r => (r.R ? dcg(r, r.grades) / dcg(r, ideal(r)) : null),
    RBP: r => {
      const stay = r.persistence, weights = r.hits.reduce(w => [...w, mul(w.at(-1), stay)], [sub(frac(1), stay)]);
      return total(r.ranks.map(rank => weights[rank - 1]));
    },
    ERR: r => {
      let here = frac(1), sum = frac(0);
      r.grades.forEach((g, i) => {
        const stop = frac(2 ** g - 1, 2 ** r.maxGrade);
        sum = add(sum, over(mul(here, stop), i + 1));
        here = mul(here, sub(frac(1), stop));
      });
      return sum;
    },
  };
  const values = (grades, options) => {
    const r = ranking(grades, options);
    return Object.fromEntries(Object.entries(METRICS).map(([name, of]) => [name, of(r)]));
  };

  // ---- Ties. tied[i]: item i + 1 has the score of item i + 2. Every order of the ties, once for each way it looks.

  const MOST_ORDERS = 4000;

  function arrangements(grades) {
    if (!grades.length) return [[]];
    return [...new Set(grades)].flatMap(g => {
      const rest = [...grades];
      rest.splice(rest.indexOf(g), 1);
      return arrangements(rest).map(order => [g, ...order]);
    });
  }

  function blocks(grades, tied) {
    return grades.reduce((all, g, i) => { i && tied[i - 1] ? all.at(-1).push(g) : all.push([g]); return all; }, []);
  }

  function orders(grades, tied) {
    const factorial = n => (n < 2 ? 1 : n * factorial(n - 1));
    const ways = block => [0, 1, 2, 3].reduce((n, g) => n / factorial(block.filter(one => one === g).length), factorial(block.length));
    const parts = blocks(grades, tied);
    if (parts.reduce((n, block) => n * ways(block), 1) > MOST_ORDERS) return null;
    return parts.reduce((all, block) => all.flatMap(start => arrangements(block).map(order => [...start, ...order])), [[]]);
  }

  // The worst, the mean and the best value of a metric over all orders of the ties; null where it is undefined.
  function spread(name, grades, tied, options) {
    const found = orders(grades, tied)?.map(order => METRICS[name](ranking(order, options)));
    if (!found || found.includes(null)) return null;
    const inOrder = [...found].sort((a, b) => num(a) - num(b));
    const mean = Array.isArray(found[0]) ? over(total(found), found.length) : found.reduce(plus) / found.length;
    return { worst: inOrder[0], mean, best: inOrder.at(-1), orders: found.length };
  }

  // ---- A state, and the text that stands for it in an address: "xAyBCz_K4". A capital is relevant, A2 has grade 2, "-" ties two items,
  // "." separates the tools' rankings of one goal, "~" the goals; then the settings.

  const SETTINGS = { K: [1, 12], u: [0, 4], b: [0, 40], p: [0, 95], g: [0, 1], U: [0, 6] };
  const UNIVERSES = [20, 50, 100, 200, 500, 1000, 10000];
  const LONGEST = 12;

  function read(text) {
    if (!/^[A-Za-z\d.~-]+(_[KubpgU]\d+)*$/.test(text)) throw Error("it has other signs than a ranking");
    const [goals, ...settings] = text.split("_");
    const state = { goals: goals.split("~").map(readGoal), K: 4, u: 0, b: 10, p: 80, g: 0, U: 2, at: [0, 0, 0] };
    for (const one of settings) {
      const [name, value, [low, high]] = [one[0], +one.slice(1), SETTINGS[one[0]]];
      if (value < low || value > high) throw Error(`${name} is not in ${low} to ${high}`);
      state[name] = value;
    }
    state.K = Math.min(state.K, state.goals[0].lists[0].length);
    return state;
  }

  function readGoal(text) {
    const grades = {}, tied = {};
    const lists = text.split(".").map((list, number) => {
      const ids = [];
      for (const [, letter, grade, tie] of list.matchAll(/([A-Za-z])(\d?)(-?)/g)) {
        const id = letter.toLowerCase(), g = letter === id ? 0 : +(grade || 1);
        if (ids.includes(id) || g > 3 || (number && grades[id] !== g)) throw Error(`item ${id} does not fit`);
        if (tie) tied[id] = true;
        grades[id] = g;
        ids.push(id);
      }
      if (ids.length < 2 || ids.length > LONGEST || ids.length !== Object.keys(grades).length) throw Error(`it needs 2 to ${LONGEST} items`);
      return ids;
    });
    return { grades, lists, tied };
  }

  function write(state) {
    const item = (goal, id) => {
      const g = goal.grades[id];
      return (g ? id.toUpperCase() + (g > 1 ? g : "") : id) + (goal.tied[id] ? "-" : "");
    };
    const goals = state.goals.map(goal => goal.lists.map(list => list.map(id => item(goal, id)).join("")).join(".")).join("~");
    const usual = { u: 0, b: 10, p: 80, g: 0, U: 2 };
    return goals + Object.keys(SETTINGS).map(name => (state[name] === usual[name] ? "" : `_${name}${state[name]}`)).join("");
  }

  const options = state => ({
    K: state.K, unranked: state.u, beta: frac(state.b, 10), persistence: frac(state.p, 100), gain: state.g ? "exponential" : "linear",
    universe: UNIVERSES[state.U],
  });
  const gradesOf = (goal, list) => goal.lists[list].map(id => goal.grades[id]);
  const rankingAt = (state, goal = 0, list = 0) => ranking(gradesOf(state.goals[goal], list), options(state));
  const tiedOf = goal => goal.lists[0].slice(0, -1).map(id => !!goal.tied[id]);

  // ---- Words

  const text = a => (a === null ? "undefined" : a === Infinity ? "never" : typeof a === "number" ? a.toFixed(3) : a[1] === 1n ? `${a[0]}` : `${a[0]}/${a[1]}`);
  const signed = a => `${num(a) > 0 ? "+" : ""}${text(a)}`.replace("-", "−");
  const stacked = (n, d, late) => `<span class="fr${late ? " late" : ""}" role="img" aria-label="${n} over ${d}"><span>${n}</span><span>${d}</span></span>`;
  const shown = a => {
    if (!Array.isArray(a)) return a === null ? "<i>undefined</i>" : text(a);
    if (a[1] === 1n) return `<span class="whole">${a[0]}</span>`;
    return `${a[1] < 10 ** 7 ? stacked(a[0], a[1]) : ""} <span class="dec">≈&nbsp;${num(a).toFixed(3)}</span>`;
  };
  const difference = (a, b) => (a === b || Math.abs(num(a) - num(b)) < 1e-12 ? 0 : num(a) - num(b));
  const italic = name => `<i>${name}</i>`;

  const NAMES = {
    P: s => `P@${s.K}`, recall: s => `recall@${s.K}`, F: s => `F<sub>${s.b / 10}</sub>@${s.K}`, E: s => `E@${s.K}`, jaccard: s => `Jaccard@${s.K}`,
    accuracy: s => `accuracy@${s.K}`, success: s => `success@${s.K}`, rPrecision: () => "R-precision", AP: () => "AP",
    retrieved: s => `AP@${s.K} over the hits found`, relevant: s => `AP@${s.K} over all relevant, ${italic("R")}`,
    ideal: s => `AP@${s.K} over min(${italic("K")}, ${italic("R")})`, cutoff: s => `AP@${s.K} over the cutoff ${italic("K")}`,
    interpolated: () => "envelope", lines: () => "straight lines", eleven: () => "eleven points",
    RR: () => "reciprocal rank", fullRecall: () => "full recall", meanRank: () => "mean rank of a hit", inversions: () => "inversions",
    AUC: () => "AUC", bpref: () => "bpref", DCG: s => `DCG@${s.K}`, nDCG: s => `nDCG@${s.K}`, RBP: () => "RBP", ERR: () => "ERR",
  };
  const NO_BAR = ["fullRecall", "meanRank", "inversions", "DCG"];
  const LOWER_IS_BETTER = ["fullRecall", "meanRank", "inversions", "E"];

  // Of a sum over the hits, the term of each: [text of the term, its worth].
  const TERMS = {
    AP: r => r.ranks.map((k, j) => [`${j + 1}/${k}`, (j + 1) / k]),
    relevant: r => r.ranks.filter(k => k <= r.K).map((k, j) => [`${j + 1}/${k}`, (j + 1) / k]),
    AUC: r => r.ranks.map((k, j) => [`${r.misses - (k - 1 - j)} of ${r.misses}`, r.misses - (k - 1 - j)]),
    nDCG: r => r.ranks.filter(k => k <= r.K).map(k => [`${gainOf(r, r.grades[k - 1])}/log₂ ${k + 1}`, gainOf(r, r.grades[k - 1]) / Math.log2(k + 1)]),
    P: r => r.ranks.filter(k => k <= r.K).map(k => [`1/${r.K}`, 1 / r.K]),
  };

  // Which terms of the metric a step has changed, and by which formula.
  function why(name, before, after, ids) {
    if (name === "accuracy") return `right are ${2 * after.tp + after.universe - after.K - after.R} of ${after.universe}: ${after.tp} found, ${after.universe - after.K - after.R + after.tp} rightly left out`;
    const terms = TERMS[name] ?? TERMS.P;
    const [was, is] = [[before, ids.before], [after, ids.after]].map(([r, order]) => new Map(terms(r).map((term, j) => [order[r.ranks[j] - 1], term])));
    const changed = [...new Set([...was.keys(), ...is.keys()])].filter(id => was.get(id)?.[1] !== is.get(id)?.[1]);
    const parts = changed.map(id => `${id} ${was.get(id)?.[0] ?? "nothing"} → ${is.get(id)?.[0] ?? "nothing"}`);
    const divided = before.R === after.R || name === "P" ? "" : `; divided by ${after.R}, no longer by ${before.R}`;
    return parts.length ? `${name === "AUC" ? "misses below" : name === "P" ? "what each adds" : "terms"}: ${parts.join(", ")}${divided}` : divided ? divided.slice(2) : "no term of it changed";
  }

  // ---- Pictures: SVG as text

  const W = 340, H = 250, LEFT = 40, BOTTOM = 34, TOP = 10, RIGHT = 12;
  const x = t => LEFT + t * (W - LEFT - RIGHT), y = t => H - BOTTOM - t * (H - BOTTOM - TOP);
  const line = (kind, x1, y1, x2, y2) => `<line class="${kind}" x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}"/>`;
  const label = (px, py, words, kind = "tick", anchor = "middle") => `<text class="${kind}" x="${px}" y="${py}" text-anchor="${anchor}">${words}</text>`;
  const rect = (kind, px, py, w, h) => `<rect class="${kind}" x="${px}" y="${py}" width="${w}" height="${h}"/>`;
  const dot = (kind, px, py, r) => `<circle class="${kind}" cx="${px}" cy="${py}" r="${r}"/>`;
  const path = (kind, points) => (points.length ? `<path class="${kind}" d="M${points.map(([px, py]) => `${px} ${py}`).join("L")}"/>` : "");
  const svg = (words, parts) => `<svg viewBox="0 0 ${W} ${H}" role="img" aria-label="${words}">${parts.join("")}</svg>`;
  const axes = (below, beside) => [
    ...[0, 0.5, 1].map(t => line("grid", x(0), y(t), x(1), y(t)) + label(LEFT - 6, y(t) + 4, t, "tick", "end")),
    label(x(0.5), H - 2, below, "axis"), `<text class="axis" transform="translate(10 ${y(0.5)}) rotate(-90)" text-anchor="middle">${beside}</text>`,
  ];
  const key = (kind, words) => `<span class="key-${kind}"></span>${words} `;
  const legend = (...keys) => `<p class="legend">${keys.join("")}</p>`;

  // Precision against recall: one step for each relevant item.
  function steps(state, panel) {
    const r = rankingAt(state), parts = axes("recall", "precision"), joins = panel.rows.includes("interpolated");
    if (!r.R) return svg("No relevant item, so no curve.", [...parts, label(x(0.5), y(0.5), "no relevant item: no curve", "axis")]);
    const at = j => x(j / r.R), heights = precisions(r).map(num);
    for (let j = 0; j <= Math.min(r.R, 8); j++) parts.push(label(at(j), H - BOTTOM + 16, j === 0 ? 0 : j === r.R ? 1 : `${j}/${r.R}`));
    r.ranks.forEach((rank, j) => {
      parts.push(rect(rank > r.K && !joins ? "step late" : "step", at(j), y(heights[j]), at(1) - at(0), y(0) - y(heights[j])));
      if (r.R <= 8) parts.push(label((at(j) + at(j + 1)) / 2, Math.min(y(heights[j]) + 16, y(0) - 4), `${j + 1}/${rank}`));
    });
    if (state.u) parts.push(rect("never", at(r.found), y(0) - 3, at(r.R) - at(r.found), 3));
    parts.push(path("curve", heights.flatMap((h, j) => [[at(j), y(h)], [at(j + 1), y(h)]])));
    const points = r.s.map((found, k) => [at(found), k ? y(num(r.p(k))) : y(1)]);
    if (joins) {
      const tops = r.ranks.map((_, j) => y(num(envelope(r, [j + 1, r.R]))));
      parts.push(path("envelope", tops.flatMap((top, j) => [[at(j), top], [at(j + 1), top]])), path("straight", points));
    } else {
      if (r.R <= r.N) parts.push(line("diagonal", x(0), y(0), x(1), y(1)), dot("ring", x(num(METRICS.rPrecision(r))), y(num(METRICS.rPrecision(r))), 6.5));
      parts.push(dot("cut", at(r.tp), y(num(r.p(r.K))), 4.5));
    }
    parts.push(...points.slice(1).map(([px, py]) => dot("point", px, py, 2.2)));
    const keys = joins ? [key("area", "steps: AP"), key("envelope", "envelope"), key("straight", "straight lines")]
      : [key("area", "area = AP"), key("cut", `cutoff ${italic("K")} = ${r.K}`), key("ring", `R-precision, where ${italic("p")} = ${italic("r")}`)];
    return svg(`Precision against recall in ${r.R} steps; the area is AP, ${text(METRICS.AP(r))}.`, parts) + legend(...keys);
  }

  // P@k and recall@k against k.
  function curves(state) {
    const r = rankingAt(state), parts = axes("rank k", "value"), at = k => x((k - 0.5) / r.N);
    parts.push(rect("top", x(0), y(1), at(r.K) - x(0) + (at(1) - x(0)), y(0) - y(1)));
    for (let k = 1; k <= r.N; k++) parts.push(label(at(k), H - BOTTOM + 16, k));
    const of = name => r.hits.map((_, k) => [at(k + 1), y(num(METRICS[name](ranking(r.grades, { ...options(state), K: k + 1 })) ?? frac(0)))]);
    parts.push(path("curve", of("P")), path("recall", r.R ? of("recall") : []), ...of("P").map(([px, py]) => dot("p-dot", px, py, 3.5)));
    if (r.R) parts.push(...of("recall").map(([px, py]) => rect("recall-dot", px - 3, py - 3, 6, 6)));
    return svg(`At ${r.K}: precision ${text(METRICS.P(r))}, recall ${text(METRICS.recall(r))}.`, parts) + legend(key("p", `P@${italic("k")}`), key("recall", `recall@${italic("k")}`));
  }

  // The ROC curve: up for a hit, right for a miss; the cells below it are the pairs in the right order.
  function roc(state) {
    const colours = ["curve", "second"], parts = [], { found, misses } = rankingAt(state);
    if (!found || !misses) return svg("No pair of a hit and a miss.", [label(x(0.5), y(0.5), "no pair of a hit and a miss", "axis")]);
    const cell = Math.min((W - LEFT - RIGHT) / misses, (H - BOTTOM - TOP) / found), at = (a, b) => [LEFT + a * cell, H - BOTTOM - b * cell];
    state.goals[0].lists.forEach((ids, list) => {
      let [across, up] = [0, 0];
      const points = [at(0, 0)];
      for (const id of ids) {
        if (state.goals[0].grades[id]) up += 1;
        else {
          if (!list) for (let below = 0; below < up; below++) parts.push(rect("pair", at(across, 0)[0], at(0, below + 1)[1], cell, cell));
          across += 1;
        }
        points.push(at(across, up));
      }
      parts.push(path(colours[list], points));
    });
    for (let a = 0; a <= misses; a++) parts.unshift(line("grid", ...at(a, 0), ...at(a, found)));
    for (let b = 0; b <= found; b++) parts.unshift(line("grid", ...at(0, b), ...at(misses, b)));
    const r = rankingAt(state), right = found * misses - inversions(r);
    parts.push(label(at(misses / 2, 0)[0], H - BOTTOM + 16, "right: a miss", "axis"), `<text class="axis" transform="translate(${LEFT - 10} ${at(0, found / 2)[1]}) rotate(-90)" text-anchor="middle">up: a hit</text>`);
    return svg(`ROC grid: ${right} of ${found * misses} pairs are in the right order.`, parts) + legend(key("area", `${right} of ${found * misses} pairs in the right order`), ...(state.goals[0].lists[1] ? [key("second", "second tool")] : []));
  }

  // The discounted gain of each rank, inside its undiscounted gain.
  function gains(state) {
    const r = rankingAt(state), parts = [], highest = Math.max(1, ...r.grades.map(g => gainOf(r, g))), w = (W - LEFT - RIGHT) / r.N;
    parts.push(...[0, highest].map(t => line("grid", x(0), y(t / highest), x(1), y(t / highest)) + label(LEFT - 6, y(t / highest) + 4, t, "tick", "end")));
    r.grades.forEach((g, k) => {
      const whole = gainOf(r, g) / highest, kept = whole / Math.log2(k + 2), px = x(0) + k * w + 3;
      parts.push(rect("gain", px, y(whole), w - 6, y(0) - y(whole)), rect(k < r.K ? "kept" : "kept late", px, y(kept), w - 6, y(0) - y(kept)));
      parts.push(label(px + w / 2 - 3, H - BOTTOM + 16, k + 1));
      if (g) parts.push(label(px + w / 2 - 3, y(kept) - 4, (kept * highest).toFixed(2)));
    });
    parts.push(label(x(0.5), H - 2, "rank", "axis"));
    return svg(`DCG at ${r.K} is ${text(METRICS.DCG(r))}.`, parts) + legend(key("kept", "gain after the discount"), key("gain", "gain"));
  }

  // ---- Panels: what a chapter's lab starts with, shows, and how it knows that its challenge is solved.

  const differ = (state, name, goal = 0) => difference(METRICS[name](rankingAt(state, goal, 0)), METRICS[name](rankingAt(state, goal, 1)));
  const one = (state, name, opened) => METRICS[name](rankingAt(opened ?? state));
  const perfect = r => !r.unranked && r.s[r.R] === r.R;

  const PANELS = {
    "from-sets-to-rankings": {
      start: "xAyBCz", picture: curves, rows: ["P", "recall"], main: "P", controls: ["K", "u", "n"],
      solved: (s, b, o) => s.K === 4 && !difference(one(s, "P"), one(o, "P")) && difference(one(s, "recall"), one(o, "recall")) > 0
        && `the top four are as good as before, but fewer items are relevant in all: ${text(METRICS.recall(rankingAt(s)))} of them are found now. Recall depends on what stands below the cutoff, and on what is missing; precision does not.`,
    },
    "average-precision": {
      start: "xAyBCz", picture: steps, rows: ["AP", "P", "recall"], main: "AP", controls: ["K", "u", "n"],
      solved: (s, b) => b.swap && num(sub(one(s, "AP"), one(b, "AP"))) > 0.1666
        && "a swap at the top is worth most, because the difference of 1/i and 1/(i + 1) is largest for i = 1.",
    },
    "ap-at-k": {
      start: "AxyzBw", picture: null, rows: ["retrieved", "relevant", "ideal", "cutoff"], main: "relevant", controls: ["K", "u", "n"],
      solved: (s, b) => rankingAt(s).tp > rankingAt(b).tp && difference(one(s, "retrieved"), one(b, "retrieved")) < 0
        && `one more is found in the top ${s.K}, and the value over the hits found fell from ${text(one(b, "retrieved"))} to ${text(one(s, "retrieved"))}: it is a mean over the hits, and the new hit is below that mean.`,
    },
    "r-precision": {
      start: "xAyBCz", picture: steps, rows: ["rPrecision", "AP"], main: "rPrecision", controls: ["u", "n"],
      solved: (s, b, o) => rankingAt(s).R === rankingAt(o).R && !difference(one(s, "rPrecision"), one(o, "rPrecision")) && num(one(s, "AP")) >= num(one(o, "AP")) + 0.15
        && `R-precision is still ${text(one(s, "rPrecision"))}, and AP rose from ${text(one(o, "AP"))} to ${text(one(s, "AP"))}: R-precision counts the hits in the top ${rankingAt(s).R} and does not see their order, nor what comes later.`,
    },
    "f-and-e": {
      start: "AxByCz", picture: confusion, rows: ["P", "recall", "F", "jaccard", "accuracy"], main: "accuracy", controls: ["K", "u", "b", "U"],
      solved: s => num(one(s, "accuracy")) >= 0.99 && !rankingAt(s).tp && rankingAt(s).R > 0
        && `${text(one(s, "accuracy"))} of all items are classified rightly, and not one suggestion is right. Nearly all that counts are the items that nobody suggested and nobody needed.`,
    },
    "areas-under-the-curve": {
      start: "xAyBCz", picture: steps, rows: ["AP", "interpolated", "lines", "eleven"], main: "AP", controls: ["u", "n"],
      solved: s => { const r = rankingAt(s); return r.R && !perfect(r) && r.found > 1 && !difference(METRICS.AP(r), METRICS.interpolated(r))
        && "no later hit has a higher precision than an earlier one, so the envelope has nothing to lift: it is the steps themselves."; },
    },
    "order-and-auc": {
      start: "xAyBCz.BzxyAC", picture: roc, rows: ["AUC", "AP"], main: "AUC", controls: ["n"],
      solved: s => differ(s, "AUC") === 0 && differ(s, "AP") !== 0
        && "the same number of pairs stand in the right order, but not at the same place: AP prefers the tool that has them at the top.",
    },
    "discounted-gain": {
      start: "xA2yBCz.BxCyA2z", picture: gains, rows: ["nDCG", "RBP", "ERR"], main: "nDCG", controls: ["K", "g", "p", "u"], grades: true,
      solved: s => { const other = { ...s, g: 1 - s.g }; return differ(s, "nDCG") * differ(other, "nDCG") < 0
        && `with a linear gain nDCG prefers the ${differ({ ...s, g: 0 }, "nDCG") > 0 ? "first" : "second"} tool, with an exponential one the other. Change the gain, and see the verdict turn.`; },
    },
    "ties-and-samples": {
      start: "xA-y-zB", picture: null, rows: ["P", "AP", "RR"], main: "AP", controls: ["K", "tie", "n"], ties: true,
      solved: s => { const at = spread("P", gradesOf(s.goals[0], 0), tiedOf(s.goals[0]), options(s)); return at && s.K > 1 && num(at.worst) === 0 && num(at.best) === 1
        && `P@${s.K} is 0 or 1 by luck alone, and ${text(at.mean)} on average. A report that does not say how ties were broken does not say anything here.`; },
    },
    averaging: {
      start: "Axyz.xyAz~BvuCtDE.BCDvutE_K3", picture: null, rows: [], main: "MAP", controls: ["K"], means: true,
      solved: s => { const [macro, micro, map, root] = means(s).map(row => difference(...row.values)); return (macro * micro < 0 || map * root < 0)
        && "the lists are the same for both means, and the verdict is not: it depends on what counts the same, a goal, a lemma or a ratio."; },
    },
    "ranking-lab": {
      start: "xAyBCz", picture: [steps, roc, gains], main: "AP", grades: true, ties: true, controls: ["K", "u", "b", "p", "g", "U", "tie", "n", "second"],
      rows: Object.keys(METRICS),
      solved: s => s.goals[0].lists[1] && differ(s, "AP") * differ(s, "AUC") < 0 && "AP prefers one tool and AUC the other, for the same items.",
    },
  };

  const CONFUSION = [["relevant", "suggested", r => r.tp, "found"], ["not relevant", "suggested", r => r.K - r.tp, "false alarms"],
    ["relevant", "left out", r => r.R - r.tp, "missed"], ["not relevant", "left out", r => r.universe - r.K - r.R + r.tp, "rightly left out"]];
  function confusion(state) {
    const r = rankingAt(state), cell = n => { const [, , of, words] = CONFUSION[n]; return `<td class="${n % 3 ? "wrong" : "right"}"><b>${of(r)}</b> ${words}</td>`; };
    return `<table class="confusion"><caption>The top ${r.K} against ${r.R} relevant of ${r.universe} items</caption><thead><tr><td></td><th scope="col">relevant</th><th scope="col">not relevant</th></tr></thead>
<tbody><tr><th scope="row">suggested</th>${cell(0)}${cell(1)}</tr><tr><th scope="row">left out</th>${cell(2)}${cell(3)}</tr></tbody></table>`;
  }

  function means(state) {
    const tools = [0, 1].map(list => state.goals.map((_, goal) => rankingAt(state, goal, list)));
    const mean = (name, all) => over(total(all.map(METRICS[name])), all.length);
    const root = all => (all.some(r => METRICS.AP(r) === null) ? null : all.map(r => num(METRICS.AP(r))).reduce((a, b) => a * b) ** (1 / all.length));
    return [
      [`recall@${state.K}, macro`, all => mean("recall", all)],
      [`recall@${state.K}, micro`, all => frac(all.map(r => r.tp).reduce(plus), all.map(r => r.R).reduce(plus))],
      ["MAP: the mean of AP", all => mean("AP", all)], ["geometric mean of AP", root],
    ].map(([words, of]) => ({ words, values: tools.map(of) }));
  }

  // ---- The parts of a lab, as HTML

  const TOOLS = ["first tool", "second tool"];
  const graded = (panel, g) => (panel.grades ? (g ? `${g}` : "–") : g ? "✓" : "–");
  const sayTile = (panel, goal, list, at) => {
    const id = goal.lists[list][at], g = goal.grades[id];
    return `rank ${at + 1}, lemma ${id}, ${panel.grades ? `grade ${g}` : g ? "relevant" : "not relevant"}${goal.tied[id] ? ", tied with the next" : ""}`;
  };

  function tile(state, panel, g, list, at) {
    const goal = state.goals[g], id = goal.lists[list][at], [atGoal, atList, atItem] = state.at, last = at === goal.lists[list].length - 1;
    const classes = [at < state.K || !panel.controls.includes("K") ? "" : "late", at === state.K && panel.controls.includes("K") ? "first-late" : "", panel.ties && goal.tied[id] && !last ? "tied" : ""];
    const chosen = atGoal === g && atList === list ? at === atItem : at === 0;
    const glue = panel.ties && !last ? `<button type="button" class="glue" data-glue="${id}" tabindex="-1" aria-label="tie ranks ${at + 1} and ${at + 2}" aria-pressed="${!!goal.tied[id]}">=</button>` : "";
    return `<li class="${classes.join(" ").trim()}"><span class="rank" aria-hidden="true">${at + 1}</span><button type="button" class="tile" data-id="${id}" data-goal="${g}" data-list="${list}" aria-pressed="${goal.grades[id] > 0}" tabindex="${chosen ? 0 : -1}" aria-label="${sayTile(panel, goal, list, at)}"><span class="name">${id}</span><span class="hm" aria-hidden="true">${graded(panel, goal.grades[id])}</span></button>${glue}</li>`;
  }

  function lists(state, panel) {
    const several = state.goals.length > 1, two = state.goals[0].lists.length > 1;
    return state.goals.map((goal, g) => `<div class="goal">${goal.lists.map((ids, list) => {
      const words = [several ? `goal ${g + 1}` : "", two ? TOOLS[list] : ""].filter(Boolean).join(", ");
      return `<div class="list">${words ? `<p class="tool">${words}</p>` : ""}<ol class="tiles" data-goal="${g}" data-list="${list}" aria-label="The ranking${words ? ` of ${words}` : ""}, best first">${ids.map((_, at) => tile(state, panel, g, list, at)).join("")}</ol></div>`;
    }).join("")}</div>`).join("");
  }

  const range = (name, words, value, low, high, step = 1, shownAs = value) =>
    `<label>${words} = <output data-of="${name}">${shownAs}</output> <input type="range" name="${name}" min="${low}" max="${high}" step="${step}" value="${value}" aria-valuetext="${shownAs}"></label>`;
  const act = (what, words, says) => `<button type="button" data-do="${what}"${says ? ` aria-label="${says}"` : ""}>${words}</button>`;
  const CONTROLS = {
    K: s => range("K", `cutoff ${italic("K")}`, s.K, 1, s.goals[0].lists[0].length),
    u: s => `<span class="group">relevant, but not in the list: <output data-of="u">${s.u}</output> ${act("fewer", "−", "one fewer relevant item that is not in the list")}${act("more", "+", "one more relevant item that is not in the list")}</span>`,
    b: s => range("b", italic("β"), s.b, 0, 40, 5, s.b / 10),
    p: s => range("p", "persistence", s.p, 0, 95, 5, s.p / 100),
    g: s => `<label>gain <select name="g">${["linear", "exponential"].map((word, at) => `<option value="${at}"${s.g === at ? " selected" : ""}>${word}</option>`).join("")}</select></label>`,
    U: s => range("U", "items in all", s.U, 0, UNIVERSES.length - 1, 1, UNIVERSES[s.U].toLocaleString("en")),
    tie: () => act("tie", "= tie with the next", "tie the chosen item with the next"),
    n: () => `<span class="group">${act("longer", "+ item")}${act("shorter", "− item")}</span>`,
    second: () => act("second", "a second ranking"),
  };

  function numbers(state, panel) {
    if (panel.means) return compared(means(state).map(({ words, values: [a, b] }) => row(words, a, b)));
    if (panel.ties && tiedOf(state.goals[0]).some(Boolean) && !state.goals[0].lists[1]) return tiedNumbers(state, panel);
    const all = state.goals[0].lists.map((_, list) => rankingAt(state, 0, list));
    if (all.length > 1) return compared(panel.rows.map(name => row(NAMES[name](state), ...all.map(METRICS[name]), LOWER_IS_BETTER.includes(name))));
    const r = all[0];
    return `<table class="numbers"><tbody>${panel.rows.map(name => {
      const a = METRICS[name](r);
      return `<tr><th scope="row">${NAMES[name](state)}</th><td class="bar">${NO_BAR.includes(name) ? "" : `<span style="width:${100 * (num(a) || 0)}%"></span>`}</td><td>${shown(a)}</td></tr>`;
    }).join("")}</tbody></table>`;
  }

  const row = (words, a, b, lower) => ({ words, values: [a, b], better: Math.sign(difference(a, b)) * (lower ? -1 : 1) });
  function compared(rows) {
    const verdict = better => (better ? `<span class="tool-${better > 0 ? 1 : 2}">${TOOLS[better > 0 ? 0 : 1]}</span>` : Number.isNaN(better) ? "" : "equal");
    const split = rows.some(one => one.better > 0) && rows.some(one => one.better < 0);
    return `<table class="numbers two"><thead><tr><td></td>${TOOLS.map(words => `<th scope="col">${words}</th>`).join("")}<th scope="col">prefers</th></tr></thead><tbody>${rows.map(one =>
      `<tr><th scope="row">${one.words}</th>${one.values.map(a => `<td>${shown(a)}</td>`).join("")}<td>${verdict(one.better)}</td></tr>`).join("")}</tbody></table><p class="verdict">${split ? "<b>These metrics disagree.</b>" : "These metrics do not disagree."}</p>`;
  }

  function tiedNumbers(state, panel) {
    const goal = state.goals[0], rows = panel.rows.map(name => [name, spread(name, gradesOf(goal, 0), tiedOf(goal), options(state))]);
    if (rows.every(([, at]) => !at)) return `<p>There are too many orders, or nothing is relevant.</p>`;
    const bar = at => `<span class="spread" style="margin-left:${100 * num(at.worst)}%;width:${100 * (num(at.best) - num(at.worst))}%"></span><span class="mean" style="left:${100 * num(at.mean)}%"></span>`;
    return `<table class="numbers ties"><caption>Over all orders of the ties</caption><thead><tr><td></td><td></td><th scope="col">worst</th><th scope="col">mean</th><th scope="col">best</th></tr></thead><tbody>${rows.filter(([, at]) => at).map(([name, at]) =>
      `<tr><th scope="row">${NAMES[name](state)}</th><td class="bar">${NO_BAR.includes(name) ? "" : bar(at)}</td>${[at.worst, at.mean, at.best].map(a => `<td>${shown(a)}</td>`).join("")}</tr>`).join("")}</tbody></table>`;
  }

  // The main metric written out.
  function sum(state, panel) {
    const r = rankingAt(state);
    if (panel.main === "AP" && !panel.ties && !panel.means) {
      if (!r.R) return "AP is <i>undefined</i>, because no item is relevant.";
      const terms = [...r.ranks.map((k, j) => stacked(j + 1, k, k > r.K && panel.controls.includes("K"))), ...Array(r.unranked).fill("0")];
      return `<b>AP</b> = ${stacked(1, r.R)} <span class="par">(</span>${terms.join(" + ")}<span class="par">)</span> = ${shown(METRICS.AP(r))}`;
    }
    if (panel.main === "relevant") {
      const terms = r.ranks.filter(k => k <= r.K).map((k, j) => stacked(j + 1, k));
      return `One numerator, ${italic("S")}(${r.K}) = ${terms.join(" + ") || "0"}${terms.length > 1 ? ` = ${shown(total(precisions(r, r.K)))}` : ""}, over four denominators: ${r.tp} found, ${italic("R")} = ${r.R}, min(${r.K}, ${r.R}) = ${Math.min(r.K, r.R)}, and ${italic("K")} = ${r.K}`;
    }
    return "";
  }

  const CALLS = {
    P: r => `precision_at(${list(r)}, k=${r.K})`, AP: r => `average_precision(${list(r)}, n_relevant=${r.R})`, rPrecision: r => `r_precision(${list(r)}, n_relevant=${r.R})`,
    relevant: r => `average_precision_at(${list(r)}, k=${r.K}, denominator="relevant", n_relevant=${r.R})`,
    accuracy: r => `accuracy_at(${list(r)}, k=${r.K}, n_relevant=${r.R}, universe_size=${r.universe})`,
    AUC: r => `auc(${list(r)})`, nDCG: r => `ndcg(${list(r)}, k=${r.K}, gain="${r.gain}", ideal=[${ideal(r).filter(Boolean).join(", ")}])`,
  };
  const list = r => `[${r.grades.join(", ")}]`;
  function python(state, panel) {
    if (panel.means) return [0, 1].map(tool => `metrics.mean([${state.goals.map((_, goal) => `metrics.${CALLS.AP(rankingAt(state, goal, tool))}`).join(", ")}], undefined="raise")`).join("\n");
    const goal = state.goals[0], tied = tiedOf(goal);
    if (panel.ties && tied.some(Boolean)) {
      const scores = tied.reduce((all, tie) => [...all, all.at(-1) - (tie ? 0 : 1)], [goal.lists[0].length]);
      return `metrics.ties.average_precision(${list(rankingAt(state))}, scores=[${scores.join(", ")}]${state.u ? `, n_relevant=${rankingAt(state).R}` : ""})`;
    }
    return goal.lists.map((_, at) => `metrics.${CALLS[panel.main](rankingAt(state, 0, at))}`).join("\n");
  }

  const pictures = (state, panel) => [panel.picture].flat().filter(Boolean).map(picture => `<div>${picture(state, panel)}</div>`).join("");

  // The whole lab. node calls this while the book is built; the script of the page only brings it to life.
  function draw(name, state = read(PANELS[name].start)) {
    const panel = PANELS[name];
    return `<div class="lab-lists">${lists(state, panel)}</div>
<div class="live-only"><p class="lab-help">Click a tile${panel.grades ? " for its grade" : ": relevant or not"}. Drag it to move it, or press Shift and an arrow key${panel.ties ? "; = ties it with the next" : ""}.</p>
<div class="lab-controls" role="group" aria-label="Change the ranking"><span class="group">${act("up", "◀ up", "move the chosen item up")}${act("down", "down ▶", "move the chosen item down")}</span>${panel.controls.map(name => CONTROLS[name](state)).join("")}${act("start", "start again")}</div>
<p class="lab-change" role="status">After each step, this line says what has changed, and why.</p><p class="lab-solved" role="status"></p></div>
<div class="lab-body${panel.picture ? "" : " wide"}"><div class="lab-picture">${pictures(state, panel)}</div>
<div class="lab-numbers"><p class="lab-sum">${sum(state, panel)}</p><div class="lab-table" role="region" tabindex="0" aria-label="The metrics">${numbers(state, panel)}</div>
<details class="lab-python"><summary>The same in Python, and a link to this state</summary><pre>${python(state, panel)}</pre><span class="group live-only">${act("copy", "Copy the code")}${act("link", "Copy the link")}</span></details></div></div>`;
  }

  return { values, spread, ranking, frac, draw, read, write, python, lists, numbers, pictures, sum, tile, text, signed, sub, difference, num, why, means, rankingAt, gradesOf, tiedOf, options, sayTile, METRICS, PANELS, UNIVERSES, LONGEST, NAMES };
})();

if (typeof module !== "undefined") module.exports = RankingLab;

// ---- The page

if (typeof customElements !== "undefined") {
  const L = RankingLab, SPARE = "xyzwvutsrqponmlkjihgfedcba";
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  const plain = html => html.replace(/<[^>]*>/g, "");

  class Lab extends HTMLElement {
    connectedCallback() {
      if (this.panel) return;
      this.panel = L.PANELS[this.dataset.lab];
      this.opened = L.read(this.panel.start);
      this.state = structuredClone(this.opened);
      const trouble = this.readAddress();
      this.classList.add("live");
      this.render();
      if (trouble) this.say(trouble);
      for (const kind of ["click", "input", "keydown", "pointerdown", "focusin"]) this.addEventListener(kind, event => this[kind](event));
      if (!navigator.clipboard) for (const button of this.querySelectorAll("[data-do=copy], [data-do=link]")) button.hidden = true;
    }

    $(where) { return this.querySelector(where); }
    say(words) { this.$(".lab-change").textContent = words; }
    goalOf(button) { return this.state.goals[button.dataset.goal]; }
    listOf(button) { return this.goalOf(button).lists[button.dataset.list]; }
    placeOf(button) { return [+button.dataset.goal, +button.dataset.list, this.listOf(button).indexOf(button.dataset.id)]; }

    // The state that the address of the page asks for, if it can be read; else why not, in a sentence.
    readAddress() {
      const asked = new URLSearchParams(location.search).get("lab");
      if (!asked) return "";
      try {
        const state = L.read(asked), shape = one => one.goals.map(goal => goal.lists.length).join();
        if (shape(state) !== shape(this.opened) && !this.panel.controls.includes("second")) throw Error("it was made in another lab");
        this.state = state;
        return "";
      } catch (error) {
        return `The address of this page holds a ranking that cannot be shown here, for ${error.message}. The lab starts with its own.`;
      }
    }

    writeAddress() {
      try {
        history.replaceState(history.state, "", this.address());
      } catch { /* a page that was opened as a file may not change its address */ }
    }
    address() {
      const url = new URL(location);
      url.searchParams.set("lab", L.write(this.state));
      return url.href;
    }

    // Everything anew; `refresh` keeps the tiles, so that the focus and a drag survive.
    render() {
      this.innerHTML = L.draw(this.dataset.lab, this.state);
    }

    refresh() {
      const { state, panel } = this;
      for (const [where, part] of [[".lab-sum", L.sum], [".lab-table", L.numbers], [".lab-picture", L.pictures], [".lab-python pre", L.python]]) {
        const html = part(state, panel), box = this.$(where);
        if (where.endsWith("pre")) box.textContent = html;
        else box.innerHTML = html;
      }
      const lists = this.querySelectorAll(".tiles");
      if (lists.length === state.goals.flatMap(goal => goal.lists).length) lists.forEach(list => this.arrange(list));
      else this.$(".lab-lists").innerHTML = L.lists(state, panel);
      const shown = { K: state.K, u: state.u, b: state.b / 10, p: state.p / 100, U: L.UNIVERSES[state.U].toLocaleString("en") };
      for (const input of this.querySelectorAll(".lab-controls [name]")) {
        if (input.name === "K") input.max = state.goals[0].lists[0].length;
        input.value = state[input.name];
        if (input.type === "range") input.setAttribute("aria-valuetext", shown[input.name]);
      }
      for (const output of this.querySelectorAll("output")) output.textContent = shown[output.dataset.of];
    }

    arrange(list) {
      const fresh = document.createElement("ol"), { goal, list: number } = list.dataset;
      fresh.innerHTML = this.state.goals[goal].lists[number].map((_, at) => L.tile(this.state, this.panel, +goal, +number, at)).join("");
      const old = new Map([...list.children].map(li => [li.querySelector(".tile").dataset.id, li]));
      const places = this.placesOf(list), focus = document.activeElement;
      const wanted = [...fresh.children].map(model => {
        const li = old.get(model.querySelector(".tile").dataset.id);
        if (!li) return model;
        li.className = `${model.className}${li === this.dragged ? " dragged" : ""}`;
        li.firstChild.textContent = model.firstChild.textContent;
        const [tile, now] = [li.querySelector(".tile"), model.querySelector(".tile")];
        for (const { name, value } of now.attributes) tile.setAttribute(name, value);
        tile.lastChild.textContent = now.lastChild.textContent;
        li.querySelector(".glue")?.remove();
        li.append(...model.querySelectorAll(".glue"));
        return li;
      });
      if (wanted.length === list.children.length && wanted.every((li, at) => li === list.children[at])) return;
      list.replaceChildren(...wanted);
      if (this.contains(focus) && document.activeElement !== focus) focus.focus({ preventScroll: true });
      if (still.matches) return;
      for (const [li, from] of places) {
        const to = li.getBoundingClientRect(), [dx, dy] = [from.left - to.left, from.top - to.top];
        if ((dx || dy) && li !== this.dragged && li.isConnected) li.animate([{ transform: `translate(${dx}px, ${dy}px)` }, {}], { duration: 150, easing: "ease-out" });
      }
    }
    placesOf(list) { return new Map([...list.children].map(li => [li, li.getBoundingClientRect()])); }

    // Do a step of the reader, show what it changed, and say so in one sentence.
    step(words, change, kind = {}) {
      const before = { ...structuredClone(this.state), ...kind };
      change(this.state);
      this.state.K = Math.min(this.state.K, this.state.goals[0].lists[0].length);
      this.refresh();
      this.tell(words, before);
      this.writeAddress();
    }

    tell(words, before) {
      const { state, panel } = this, list = Math.min(state.at[1], state.goals[0].lists.length - 1), [now, was] = [L.rankingAt(state, 0, list), L.rankingAt(before, 0, Math.min(list, before.goals[0].lists.length - 1))];
      if (panel.means) {
        const [first, second] = L.means(state)[2].values;
        this.say(`${words}: MAP is ${L.text(first)} for the first tool, ${L.text(second)} for the second.`);
      } else if (panel.ties && L.tiedOf(state.goals[0]).some(Boolean) && !state.goals[0].lists[1]) {
        const at = L.spread(panel.main, L.gradesOf(state.goals[0], 0), L.tiedOf(state.goals[0]), L.options(state));
        this.say(`${words}: ${at ? `AP is ${L.text(at.mean)} on average over ${at.orders} orders, between ${L.text(at.worst)} and ${L.text(at.best)}` : "AP has no mean here"}.`);
      } else {
        const [value, old] = [now, was].map(L.METRICS[panel.main]), name = plain(L.NAMES[panel.main](state));
        const ids = { before: before.goals[0].lists[Math.min(list, before.goals[0].lists.length - 1)], after: state.goals[0].lists[list] };
        const moved = value === null || old === null ? `${name} is ${L.text(value)}` : L.difference(value, old)
          ? `${name} ${L.text(old)} → ${L.text(value)} (${L.signed(Array.isArray(value) ? L.sub(value, old) : value - old)})` : `${name} stays ${L.text(value)}`;
        this.say(`${words}: ${moved}; ${L.why(panel.main, was, now, ids)}.${before.swap ? this.worth(before, now) : ""}`);
      }
      const solved = panel.solved(state, before, this.opened);
      if (solved) this.$(".lab-solved").innerHTML = `<b>✓ Solved.</b> ${solved[0].toUpperCase()}${solved.slice(1)}`;
    }

    // What a swap of neighbours is worth to AP: the formula with its numbers.
    worth({ swap: rank }, r) {
      if (this.panel.main !== "AP" || this.panel.ties) return "";
      const above = r.s[rank - 1];
      return ` A swap of ranks i = ${rank} and ${rank + 1}, with s = ${above} above, is worth (s + 1)/(R i (i + 1)) = ${above + 1}/(${r.R}·${rank}·${rank + 1}).`;
    }

    toggle(tile, grade) {
      const goal = this.goalOf(tile), { id } = tile.dataset, [, , at] = this.state.at = this.placeOf(tile);
      const g = grade ?? (this.panel.grades ? (goal.grades[id] + 1) % 4 : goal.grades[id] ? 0 : 1);
      this.step(`${id} at rank ${at + 1} ${this.panel.grades ? `has grade ${g}` : g ? "is relevant now" : "is not relevant now"}`, () => { goal.grades[id] = g; });
    }

    tie(goal, id) {
      const list = goal.lists[0], rank = list.indexOf(id) + 1;
      if (rank === list.length) return this.say("The last item has no next one to be tied with.");
      this.step(`ranks ${rank} and ${rank + 1} are ${goal.tied[id] ? "not " : ""}tied`, () => { goal.tied[id] = !goal.tied[id]; });
    }

    move(tile, to, quiet) {
      const list = this.listOf(tile), goal = this.goalOf(tile), [g, l, from] = this.placeOf(tile);
      if (to < 0 || to >= list.length || from === to) return;
      const change = () => { list.splice(to, 0, ...list.splice(from, 1)); this.state.at = [g, l, to]; };
      if (quiet) { change(); this.refresh(); return; }
      const swap = Math.abs(from - to) === 1 && !goal.grades[list[from]] !== !goal.grades[list[to]] && !l && !g && Math.min(from, to) + 1;
      this.step(`${tile.dataset.id} moved from rank ${from + 1} to rank ${to + 1}`, change, { swap });
    }

    resize(longer) {
      const goal = this.state.goals[0], [first] = goal.lists;
      if (longer ? first.length >= L.LONGEST : first.length <= 2) return this.say(`A ranking here has 2 to ${L.LONGEST} items.`);
      const id = longer ? [...SPARE].find(letter => !first.includes(letter)) : first.at(-1);
      this.state.at = [0, 0, 0];
      this.step(longer ? `${id} was added at the end` : `${id} was taken away`, () => {
        goal.grades[id] = 0;
        for (const list of goal.lists) longer ? list.push(id) : list.splice(list.indexOf(id), 1);
        if (!longer) { delete goal.grades[id]; delete goal.tied[id]; }
      });
    }

    // Show a ranking from the text: [[id, grade], ...].
    take(items, words) {
      const goal = this.state.goals[0], same = items.every(([id, g]) => goal.grades[id] === g) && items.length === goal.lists[0].length;
      this.state.at = [0, 0, 0];
      this.step(`${words}, taken from the text`, () => {
        const ids = items.map(([id]) => id);
        goal.lists = goal.lists.map((list, number) => (number && same ? list : [...ids]));
        goal.grades = Object.fromEntries(items);
        goal.tied = {};
        this.state.u = 0;
      });
      this.closest("details:not([open])")?.setAttribute("open", "");
      this.scrollIntoView({ block: "start", behavior: still.matches ? "auto" : "smooth" });
      this.$(".tile").focus({ preventScroll: true });
    }

    click({ target }) {
      const button = target.closest("button"), { state } = this;
      if (!button) return;
      if (button.matches(".tile")) return this.wasDragged ? undefined : this.toggle(button);
      if (button.matches(".glue")) return this.tie(state.goals[0], button.dataset.glue);
      const [g, l, at] = state.at, goal = state.goals[g], chosen = this.querySelector(`.tiles[data-goal="${g}"][data-list="${l}"] [data-id="${goal.lists[l][at]}"]`);
      ({
        up: () => this.move(chosen, at - 1),
        down: () => this.move(chosen, at + 1),
        tie: () => this.tie(goal, goal.lists[l][at]),
        longer: () => this.resize(true),
        shorter: () => this.resize(false),
        more: () => this.unranked(1),
        fewer: () => this.unranked(-1),
        second: () => this.second(),
        start: () => { this.state = structuredClone(this.opened); this.render(); this.writeAddress(); this.$("[data-do=start]").focus(); this.say("The lab starts again."); },
        copy: () => this.copy(this.$(".lab-python pre").textContent),
        link: () => this.copy(this.address()),
      })[button.dataset.do]?.();
    }

    unranked(by) {
      const wanted = this.state.u + by;
      if (wanted < 0 || wanted > 4) return this.say("Between none and four relevant items can be missing from the list here.");
      this.step(`${wanted} relevant ${wanted === 1 ? "item is" : "items are"} not in the list`, state => { state.u = wanted; });
    }

    second() {
      const [goal] = this.state.goals;
      this.step(goal.lists[1] ? "the second ranking is gone" : "a second ranking of the same items", () => { goal.lists = goal.lists[1] ? [goal.lists[0]] : [goal.lists[0], [...goal.lists[0]].reverse()]; this.state.at = [0, 0, 0]; });
    }

    async copy(words) {
      try { await navigator.clipboard.writeText(words); this.say("Copied."); } catch { this.say("The browser does not let the page copy. Select the text and copy it."); }
    }

    input({ target }) {
      const says = { K: v => `cutoff ${v}`, b: v => `beta ${v / 10}`, p: v => `persistence ${v / 100}`, g: v => `${v ? "exponential" : "linear"} gain`, U: v => `${L.UNIVERSES[v]} items in all` };
      if (says[target.name]) this.step(says[target.name](+target.value), state => { state[target.name] = +target.value; });
    }

    focusin({ target }) {
      if (!target.matches(".tile")) return;
      this.state.at = this.placeOf(target);
      for (const other of target.closest(".tiles").querySelectorAll(".tile")) other.tabIndex = other === target ? 0 : -1;
    }

    keydown(event) {
      const tile = event.target;
      if (!tile.matches(".tile") || event.altKey || event.ctrlKey || event.metaKey) return;
      const at = this.placeOf(tile)[2], last = this.listOf(tile).length - 1;
      const to = { ArrowLeft: at - 1, ArrowUp: at - 1, ArrowRight: at + 1, ArrowDown: at + 1, Home: 0, End: last }[event.key];
      if (to !== undefined && event.shiftKey) this.move(tile, to);
      else if (to !== undefined) tile.closest("ol").children[Math.max(0, Math.min(last, to))].querySelector(".tile").focus();
      else if (this.panel.grades && /^[0-3]$/.test(event.key)) this.toggle(tile, +event.key);
      else if (this.panel.ties && event.key === "=") this.tie(this.goalOf(tile), tile.dataset.id);
      else return;
      event.preventDefault();
    }

    // Drag with any pointer: the item takes the place of the tile below the pointer, and the numbers follow at once.
    pointerdown(event) {
      const tile = event.target.closest(".tile");
      if (!tile || event.button) return;
      const before = structuredClone(this.state), from = this.placeOf(tile)[2], list = tile.closest("ol");
      const over = move => {
        if (!this.dragged && Math.hypot(move.clientX - event.clientX, move.clientY - event.clientY) < 8) return;
        if (!this.dragged) {
          this.dragged = tile.parentElement;
          this.dragged.classList.add("dragged");
          tile.setPointerCapture(event.pointerId);
        }
        const near = [...list.children].map(li => li.getBoundingClientRect()).map(p => Math.hypot((p.left + p.right) / 2 - move.clientX, (p.top + p.bottom) / 2 - move.clientY));
        this.move(tile, near.indexOf(Math.min(...near)), true);
      };
      const end = () => {
        for (const kind of ["pointermove", "pointerup", "pointercancel"]) window.removeEventListener(kind, kind === "pointermove" ? over : end);
        if (!this.dragged) return;
        this.dragged.classList.remove("dragged");
        this.dragged = null;
        this.wasDragged = true;
        setTimeout(() => { this.wasDragged = false; });
        const to = this.placeOf(tile)[2];
        if (to === from) return;
        const goal = this.goalOf(tile), neighbours = Math.abs(to - from) === 1 && goal.grades[this.listOf(tile)[to]] !== goal.grades[this.listOf(tile)[from]];
        this.tell(`${tile.dataset.id} moved from rank ${from + 1} to rank ${to + 1}`, { ...before, swap: neighbours && Math.min(from, to) + 1 });
        this.writeAddress();
      };
      window.addEventListener("pointermove", over);
      window.addEventListener("pointerup", end);
      window.addEventListener("pointercancel", end);
    }
  }
  customElements.define("ranking-lab", Lab);

  // Rankings in the text become buttons that take them to the lab: `x a y b c z`, and [0, 1, 0, 1, 1, 0].
  const itemsOf = words => {
    const letters = /^[a-z](?: [a-z]){2,11}$/.test(words) && words.split(" "), grades = /^\[[0-3](?:, ?[0-3]){1,11}\]$/.test(words) && words.match(/\d/g);
    const names = { 0: [..."xyzwvutsrqpo"], 1: [..."abcdefghijkl"] };
    if (grades) return grades.map(g => [names[+(g > 0)].shift(), +g]);
    return letters && new Set(letters).size === letters.length && letters.some(letter => letter <= "h") ? letters.map(letter => [letter, +(letter <= "h")]) : null;
  };
  const lab = document.querySelector("ranking-lab");
  for (const place of lab ? document.querySelectorAll("article :is(p, li, td) > :is(code, .katex)") : []) {
    const words = (place.querySelector(".katex-mathml") ?? place).textContent.trim(), items = itemsOf(words);
    if (!items || place.closest("a, summary, .lab-caption") || (items.some(([, g]) => g > 1) && !lab.panel.grades)) continue;
    place.classList.add("take");
    for (const [name, value] of [["role", "button"], ["tabindex", 0], ["title", "Take this ranking to the lab"], ["aria-label", `Take the ranking ${words} to the lab`]]) place.setAttribute(name, value);
    place.addEventListener("click", () => lab.take(items, words));
    place.addEventListener("keydown", event => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      lab.take(items, words);
    });
  }
}
