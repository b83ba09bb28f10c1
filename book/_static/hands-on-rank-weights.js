// What a hit is worth at each rank, drawn by the reader, and what this makes of seven tools. A hit at rank 1 is worth 1; handles hold the
// weights of ranks 10, 100 and 1,000, and one says how many ranks count. The value of a tool is the mean weight of a goal's premises, as a
// mean over the goals, computed from the share of the premises in each of some fifty bands of ranks.

const LAST = 9258, STOPS = [1, 2, 3, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, LAST], ALL = STOPS.length - 1;
const HELD = { ten: 10, hundred: 100, thousand: 1000 }, KNOTS = [1, ...Object.values(HELD), LAST];
// The weights of a metric for a goal with one premise, which is ranked among all 9,258 statements.
const METRICS = {
  AP: { worth: k => 1 / k, cut: ALL }, nDCG: { worth: k => 1 / Math.log2(k + 1), cut: ALL },
  AUC: { worth: k => (LAST - k) / (LAST - 1), cut: ALL }, "recall@100": { worth: () => 1, cut: STOPS.indexOf(100) },
};
const hundredths = weight => Math.round(100 * weight);
const like = metric => ({ ...Object.fromEntries(Object.entries(HELD).map(([key, rank]) => [key, hundredths(METRICS[metric].worth(rank))])), cut: METRICS[metric].cut, like: metric });
const asMetric = state => JSON.stringify(state) === JSON.stringify(like(state.like)), own = state => (asMetric(state) ? state.like : "your own metric");

// ---- The weights

// A curve through the handles: between two of them it falls as that of the metric does, but from one handle to the other.
function curve(state) {
  const { worth } = METRICS[state.like], base = KNOTS.map(worth);
  const knots = [1];
  Object.keys(HELD).forEach((key, at) => knots.push(Math.min(knots[at], state[key] === hundredths(base[at + 1]) ? base[at + 1] : state[key] / 100)));
  knots.push(knots[3] * base[4] / base[3]);
  return rank => {
    const to = Math.max(1, KNOTS.findIndex(knot => rank <= knot || knot === LAST)), [a, b] = [base[to - 1], base[to]];
    const left = a > b ? (worth(rank) - b) / (a - b) : Math.log(KNOTS[to] / rank) / Math.log(KNOTS[to] / KNOTS[to - 1]);
    return knots[to] + left * (knots[to - 1] - knots[to]);
  };
}
const weights = state => ({ worth: curve(state), end: STOPS[state.cut] });
function between(before, after, share) {
  const [from, to] = [weights(before), weights(after)];
  return { worth: rank => from.worth(rank) * (1 - share) + to.worth(rank) * share, end: Math.exp(Math.log(from.end) * (1 - share) + Math.log(to.end) * share) };
}

// The mean weight in each band of ranks, from at most eight ranks in it.
function inBands({ worth, end }, ends) {
  return ends.map((last, band) => {
    const first = (ends[band - 1] ?? 0) + 1, size = last - first + 1, many = Math.min(8, size);
    const ranks = Array.from({ length: many }, (_, i) => first - 0.5 + size * (i + 0.5) / many);
    return ranks.reduce((sum, rank) => sum + (rank <= end ? worth(rank) : 0), 0) / many;
  });
}

const apart = ({ score }) => Math.round(2e4 * score);

// The tools, best first; values that the rounded shares cannot tell apart are equal, and stay in the order of the data.
function scored(drawn, { ends, tools, orders }) {
  const bands = inBands(drawn, ends), scores = tools.map(([name, ...shares], at) => ({ name, at, score: shares.reduce((sum, share, band) => sum + share * bands[band], 0) }));
  const best = [...scores].sort((a, b) => apart(b) - apart(a)), order = String(best.map(({ at }) => at));
  return { bands, scores, best, same: Object.keys(orders).filter(metric => String(orders[metric]) === order) };
}
const values = (state, data) => scored(weights(state), data);

// ---- The drawing

const LEFT = 42, WIDE = 404, FULL = LEFT + WIDE + 14, TOP = 32, LOW = 240, TALL = 166; // LOW, TALL: of the lower plot
const high = ({ brief }) => (brief ? 246 : 128);
const across = rank => +(LEFT + WIDE * Math.log(rank) / Math.log(LAST)).toFixed(1);
const found = share => +(LOW + TALL * (1 - share)).toFixed(1);
const hue = name => `var(--tool-${name.toLowerCase().replaceAll(" ", "-")})`;
const ASKED = "recency"; // the tool of the question
const short = weight => (weight && weight < 0.0095 ? weight.toFixed(3) : weight.toFixed(2));
const count = n => n.toLocaleString("en-US");
const ending = end => (end >= LAST ? "all ranks count" : end < 2 ? "only rank 1 counts" : `only the first ${count(Math.round(end))} count`);

// Names stand where their lines are apart: [rank, share, which end of the text, lines].
const BESIDE = {
  fusion: [23, 0.6, "e"], "k-NN": [13, 0.49, "e"], "naive Bayes": [8, 0.38, "e"], "decayed popularity": [240, 0.64, "e", "decayed", "popularity"],
  popularity: [23, 0.05, ""], recency: [180, 0.24, ""], random: [1150, 0.12, ""],
};

// With `brief`, for the cover, only the weights are drawn, without what the tools have found.
function picture(state, drawn, data, bands) {
  const { ends, tools, brief } = data, up = weight => +(TOP + high(data) * (1 - weight)).toFixed(1);
  const { worth, end } = drawn, cut = across(end), middle = (ends, band) => across(Math.max(1, (ends[band - 1] ?? 0) + 0.5));
  const points = Array.from({ length: 121 }, (_, i) => end ** (i / 120)).map(rank => `${across(rank)} ${up(worth(rank))}`).join("L");
  const beyond = Array.from({ length: 31 }, (_, i) => end * (LAST / end) ** (i / 30)).map(rank => `${across(rank)} ${up(worth(rank))}`).join("L");
  const handle = ([key, rank]) => {
    const y = up(worth(rank)), below = y < TOP + 24;
    return `<g class="held${rank > end ? " idle" : ""}" data-drag="${key}" transform="translate(${across(rank)} ${y})"><circle class="reach"/><circle class="grip"/>${brief && key === "ten" ? '<g class="pull"><path d="M-6 -22l6 -7l6 7M-6 22l6 7l6 -7"/><text x="22" y="-10">drag</text></g>' : ""}\
<text x="${brief ? 15 : 8}" y="${below ? 26 : -14}">${short(worth(rank))}</text></g>`;
  };
  const veils = bands.map((weight, band) => {
    const x = middle(ends, band);
    return `<rect x="${x}" y="${LOW}" width="${(middle(ends, band + 1) - x).toFixed(1)}" height="${TALL}" opacity="${(0.14 * weight).toFixed(3)}"/>`;
  });
  const line = ([name, ...shares]) => {
    let all = 0;
    return `<path class="found${name === "k-NN" ? " above" : ""}${name === ASKED ? " asked" : ""}" style="stroke:${hue(name)}" d="M${shares.map((share, band) => `${across(ends[band])} ${found(Math.min(1, all += share))}`).join("L")}"/>`;
  };
  const beside = ([name, [rank, share, side, ...words]]) => `<text class="name ${side}" style="fill:${hue(name)}" y="${found(share)}">\
${(words.length ? words : [name]).map((line, at) => `<tspan x="${across(rank)}" dy="${at ? "1.05em" : 0}">${line}</tspan>`).join("")}</text>`;
  const left = cut > LEFT + 0.62 * WIDE, axis = brief ? up(0) + 60 : found(0) + 18, foot = brief ? up(0) : found(0);
  const plot = brief ? "" : `<text class="title" x="${LEFT}" y="${LOW - 12}">share of the premises found by that rank</text><path class="ground" d="M${LEFT} ${LOW}V${found(0)}H${LEFT + WIDE}"/><g class="veils">${veils.join("")}</g>\
${[...tools].sort(([one], [other]) => (one === "k-NN") - (other === "k-NN")).map(line).join("")}${Object.entries(BESIDE).map(beside).join("")}<path class="end" d="M${cut} ${up(0)}V${found(0)}"/>`;
  return `<svg class="rank-weights" viewBox="0 0 ${FULL} ${axis + 6}" role="group" aria-label="The weight of a hit by its rank${brief ? "" : ", and below it the share of a goal's premises that each tool has found by each rank"}. \
Ranks stand on a logarithmic axis.">
<text class="title" x="${LEFT}" y="13">${brief ? `<tspan>${own(state)}:</tspan> what a needed lemma` : "what a premise"} is worth at each rank</text>
<path class="ground" d="M${LEFT} ${TOP}V${up(0)}H${LEFT + WIDE}"/>
<path class="guide" d="${brief ? "" : Object.values(HELD).map(rank => `M${across(rank)} ${TOP}V${foot}`).join("")}"/>
${[[1, up(1)], [0, up(0)], ...(brief ? [] : [["100%", found(1)], ["0", found(0)]])].map(([words, y]) => `<text class="e" x="${LEFT - 6}" y="${y + 5}">${words}</text>`).join("")}\
${[1, ...Object.values(HELD)].map(rank => `<text class="m" x="${across(rank)}" y="${axis}">${count(rank)}</text>`).join("")}<text class="e" x="${LEFT + WIDE}" y="${axis}">rank</text>
<path class="under" d="M${LEFT} ${up(0)}L${points}V${up(0)}Z"/><path class="beyond" d="M${beyond}"/><path class="worth" d="M${points}V${up(0)}"/>
${plot}${Object.entries(HELD).map(handle).join("")}<g class="held" data-drag="cut" transform="translate(${cut} ${up(0) + 24})"><circle class="reach"/><rect class="grip" x="-6" y="-11" width="12" height="22" rx="5"/>\
<text class="${left ? "e" : ""}" x="${left ? -13 : 13}" y="5">${ending(end)}</text></g></svg>`;
}

const printed = score => (apart({ score }) / 2e4).toFixed(3); // so that equal tools have equal numbers

function rows({ scores, best }, brief) {
  const most = best[0].score || 1, listed = scores.map(({ name, at, score }) => {
    const place = best.findIndex(tool => tool.at === at);
    return `<li class="${place ? "" : "best"}${name === ASKED ? " asked" : ""}" style="--place:${place};--hue:${hue(name)}"><i>${place + 1}</i><b>${name}${brief && name === ASKED ? ` is ${ordinal(place + 1)}` : ""}</b><span style="transform:scaleX(${(score / most).toFixed(4)})"></span><s>${printed(score)}</s></li>`;
  });
  const spoken = best.map(({ name, score }) => `<li>${name} ${printed(score)}</li>`);
  return `<div><p class="rank-weights-what">score: the mean worth of a premise</p><ol class="rank-weights-rows" aria-hidden="true">${listed.join("")}</ol>\
<ol class="only-spoken" aria-label="The tools, best first">${spoken.join("")}</ol></div>`;
}

// On the cover: the places of the tools by three metrics, joined by ribbons that end in the order which the weights give.
const COLUMNS = { "AP@10/hits": "AP@10/hits", AUC: "AUC", "R@100": "recall@100" };
function ribbons(state, { best }, { tools, orders }) {
  const columns = [...Object.keys(COLUMNS).map(metric => orders[metric]), best.map(({ at }) => at)], wide = 100;
  const ribbon = ([name], at) => {
    const ys = columns.map(order => order.indexOf(at) + 0.5);
    const bends = ys.slice(1).map((y, to) => `C${wide * (to + 0.5)} ${ys[to]} ${wide * (to + 0.5)} ${y} ${wide * (to + 1)} ${y}`).join("");
    return `<g class="${name === ASKED ? "asked" : ""}" style="stroke:${hue(name)}"><path d="M0 ${ys[0]}${bends}"/><path class="dots" d="${ys.map((y, to) => `M${wide * to} ${y}h0`).join("")}"/></g>`;
  };
  const drawn = tools.map(ribbon), recency = tools.findIndex(([name]) => name === ASKED), places = columns.map(order => order.indexOf(recency));
  const heads = [...Object.values(COLUMNS), (asMetric(state) ? "your metric: " : "") + own(state)].map((words, at) => `<span style="--at:${at}">${words}</span>`);
  const numbers = best.map((_, place) => `<i style="--place:${place}">${place + 1}</i>`), notes = [0, 1].map(at => `<b style="--at:${at};--place:${places[at]}">${at ? "" : `${ASKED} is `}${ordinal(places[at] + 1)}</b>`);
  return `<div class="ribbons"><p aria-hidden="true">${heads.join("")}</p><svg viewBox="0 0 ${wide * (columns.length - 1)} 7" preserveAspectRatio="none" role="img" \
aria-label="The places of the seven tools by ${listed([...Object.values(COLUMNS), "your weights"])}, joined by lines that cross. Recency is ${listed(places.map(place => ordinal(place + 1)))}.">\
${[...drawn.slice(0, recency), ...drawn.slice(recency + 1), drawn[recency]].join("")}</svg><p class="notes" aria-hidden="true">${numbers.join("")}${notes.join("")}</p></div>`;
}

function drawing(state, drawn, data) {
  const v = scored(drawn, data);
  return `<div class="rank-weights-body" data-state="${Object.values(state).join("_")}">${data.brief ? ribbons(state, v, data) + rows(v, true) + picture(state, drawn, data, v.bands) : picture(state, drawn, data, v.bands) + rows(v)}</div>`;
}

// ---- What is said

const ordinal = place => `${place}${["st", "nd", "rd"][place - 1] ?? "th"}`;
const listed = names => names.join(", ").replace(/, ([^,]*)$/, " and $1");
const capital = words => words.replace(/^[a-z]+\b(?![-@])/, word => word[0].toUpperCase() + word.slice(1));
const inWords = metric => (COLUMNS[metric] ?? metric).replace(/^(Mean|Full)(.*)$/, (_, one, other) => `${one} ${other}`.toLowerCase());
const sameAs = ({ best, same }, { orders }) => (best[0].score - best.at(-1).score < 1e-3 ? "With these weights all tools are equal." : same.length ? `${capital(listed(same.map(inWords)))} ${same.length > 1 ? "give" : "gives"} the same order.`
  : `None of the ${Object.keys(orders).length} metrics compared here gives this order.`);

function first(state, data) {
  const v = values(state, data), place = name => ordinal(1 + v.best.findIndex(tool => tool.name === name));
  if (data.brief && asMetric(state)) return `Recency is ${place("recency")} by ${state.like}.`;
  return `${capital(v.best[0].name)} is 1st, recency ${place("recency")} and popularity ${place("popularity")}. ${sameAs(v, data)}`;
}

// The rank at which the lead of one tool over another decides: its lead there, times the drop of the weights after it, is the greatest.
function deciding(one, other, bands, { ends, tools }) {
  const [ours, theirs] = [one, other].map(({ at }) => tools[at].slice(1).map((sum => share => (sum += share))(0)));
  const lead = ends.map((end, band) => ({ end, ours: ours[band], theirs: theirs[band], worth: (bands[band] - (bands[band + 1] ?? 0)) * (ours[band] - theirs[band]) }));
  return lead.reduce((most, each) => (each.worth > most.worth ? each : most));
}

function says(before, after, data) {
  const [was, is] = [before, after].map(state => values(state, data)), place = ({ best }, { at }) => best.findIndex(tool => tool.at === at);
  const gain = tool => place(was, tool) - place(is, tool), [climbs] = is.best.filter(tool => gain(tool) > 0).sort((a, b) => gain(b) - gain(a));
  if (!climbs) return `No tool passes another: ${first(after, data)}`;
  const passed = is.best.filter(tool => place(is, tool) > place(is, climbs) && place(was, tool) < place(was, climbs));
  const { end, ours, theirs } = deciding(climbs, passed[0], is.bands, data);
  const digits = Math.round(100 * ours) === Math.round(100 * theirs) ? 1 : 0, percent = share => `${(100 * share).toFixed(digits)}%`;
  const [recency] = is.best.filter(({ name }) => name === ASKED), asked = gain(recency) && climbs.name !== ASKED ? ` Recency is ${ordinal(place(is, recency) + 1)} now.` : "";
  return `${capital(climbs.name)} passes ${listed(passed.map(({ name }) => name))} and is ${ordinal(place(is, climbs) + 1)}: by rank ${count(end)} it has found ${percent(ours)} of a goal’s premises \
against ${percent(theirs)} for ${passed[0].name}.${asked} ${sameAs(is, data)}`;
}

// ---- What is seen to move: the weights glide from one metric to another, and the tools change places on the way

let frame;
function plays(place, before, after, data) {
  cancelAnimationFrame(frame);
  if (!asMetric(after)) return;
  const begun = performance.now(), fresh = document.createElement("template"), body = place.querySelector(".rank-weights-body"), { state } = body.dataset;
  const tick = now => {
    if (body.dataset.state !== state) return; // another step has been taken
    const time = Math.min(1, Math.max(0, now - begun) / 600);
    fresh.innerHTML = drawing(after, between(before, after, time < 0.5 ? 2 * time ** 2 : 1 - 2 * (1 - time) ** 2), data);
    const [shown, next] = [place, fresh.content].map(each => each.querySelectorAll(".rank-weights-body *"));
    next.forEach((each, at) => {
      for (const { name, value } of each.attributes) shown[at].setAttribute(name, value);
      if (!each.firstElementChild) shown[at].textContent = each.textContent;
    });
    if (time < 1) frame = requestAnimationFrame(tick);
  };
  tick(begun);
}

// The nearest stop to a place on the axis.
const stopAt = x => STOPS.reduce((near, rank, at) => (Math.abs(across(rank) - x) < Math.abs(across(STOPS[near]) - x) ? at : near), 0);
const weightAt = (_, data, y) => 100 * (1 - (y - TOP) / high(data));
const handle = rank => ({ as: "handle", words: `what a premise at rank ${count(rank)} is worth`, low: 0, high: 100, shown: weight => (weight / 100).toFixed(2) });

handsOn("rank-weights", {
  task: "Begin with a metric, or drag its curve by a handle. Can you make recency 2nd, or 6th?",
  controls: Object.fromEntries([
    ...Object.entries(HELD).map(([key, rank]) => [key, { ...handle(rank), usual: like("nDCG")[key] }]),
    ["cut", { as: "handle", words: "ranks that count", low: 0, high: ALL, usual: ALL, shown: at => ending(STOPS[at]) }],
  ]),
  more: { like: "nDCG" },
  fits: { like: /^(AP|nDCG|AUC|recall@100)$/ },
  buttons: state => Object.keys(METRICS).map(metric => [metric, metric, state.like === metric && asMetric(state)]),
  act: (_, metric) => like(metric),
  // A hit is never worth less than one further down: a handle takes the others along.
  pushes: (key, weight, state) => (key === "cut" ? {} : Object.fromEntries(Object.keys(HELD).map(other =>
    [other, (HELD[other] < HELD[key] ? Math.max : Math.min)(weight, other === key ? weight : state[other])]))),
  drag: { ten: weightAt, hundred: weightAt, thousand: weightAt, cut: stopAt },
  METRICS: Object.keys(METRICS), like, values, first, draw: (state, data) => drawing(state, weights(state), data), says, plays,
});
