// The worth of a rank, drawn by the reader: the curve falls through two handles and ends at a cut, and seven tools are placed by it.

const CUTS = [10, 20, 50, 100, 200, 500, 1000, Infinity];
const LEFT = 38, TOP = 16, WIDE = 320, HIGH = 150, DECADES = 4;
const sumOf = all => all.reduce((a, b) => a + b, 0);
const across = rank => LEFT + WIDE * Math.log10(rank) / DECADES, up = weight => TOP + HIGH * (1 - weight);
const ordinal = place => `${place}${["st", "nd", "rd"][place - 1] ?? "th"}`;
const percent = share => `${(100 * share).toFixed(0)}%`;

// Straight in the logarithm of the rank up to 100, straight in the rank from there to nothing at the last.
function weight(rank, { ten, hundred, cut }, last) {
  const [a, b] = [ten / 100, Math.min(ten, hundred) / 100];
  if (rank > CUTS[cut]) return 0;
  if (rank <= 10) return 1 - (1 - a) * Math.log10(rank);
  return rank <= 100 ? a - (a - b) * (Math.log10(rank) - 1) : b * (last - rank) / (last - 100);
}

// The tools, best first: a band of ranks counts with the weight of its middle.
function values(state, { edges, tools, orders }) {
  const last = edges.at(-1), weights = edges.slice(1).map((end, band) => weight(Math.sqrt(edges[band] * (end - 1)), state, last));
  const scores = tools.map(([name, ...shares]) => ({ name, shares, score: sumOf(shares.map((share, band) => share * weights[band])) })).sort((a, b) => b.score - a.score);
  const order = String(scores.map(({ name }) => tools.findIndex(tool => tool[0] === name)));
  return { weights, scores, same: Object.keys(orders).filter(metric => String(orders[metric]) === order) };
}

function curve(state, last) {
  const end = Math.min(CUTS[state.cut], last), ranks = [];
  for (let rank = 1; rank < end; rank *= 1.12) ranks.push(rank);
  const points = [...ranks, end].map(rank => `${across(rank).toFixed(1)} ${up(weight(rank, state, last)).toFixed(1)}`);
  const grip = (rank, key) => `<circle class="grip" data-drag="${key}" cx="${across(rank)}" cy="${up(Math.min(state.ten, state[key]) / 100)}" r="8"/>`;
  const bar = `<path class="cut" d="M${across(end)} ${TOP - 6}V${up(0)}"/><path class="cut-grip" data-drag="cut" d="M${across(end)} ${TOP - 6}V${up(0)}"/>`;
  return `<svg class="weights" viewBox="0 0 ${LEFT + WIDE + 16} ${TOP + HIGH + 36}" role="img" aria-label="The weight of a rank, on a logarithmic axis: 1 at rank 1, \
${state.ten} hundredths at rank 10, ${Math.min(state.ten, state.hundred)} hundredths at rank 100, ${end === last ? "nothing at the last rank" : `nothing beyond rank ${end}`}.">
<path class="axis" d="M${LEFT} ${up(0)}h${WIDE}M${LEFT} ${up(0)}V${up(1)}"/>${[0, 1].map(w => `<text class="end" x="${LEFT - 6}" y="${up(w) + 4}">${w}</text>`).join("")}\
${[1, 10, 100, 1000].map(rank => `<text class="tick" x="${across(rank)}" y="${up(0) + 16}">${rank}</text>`).join("")}<text class="tick" x="${across(100)}" y="${up(0) + 32}">rank</text>\
<path class="under" d="M${LEFT} ${up(0)}L${points.join("L")}V${up(0)}"/><path class="worth" d="M${points.join("L")}V${up(0)}"/>${bar}${grip(10, "ten")}${grip(100, "hundred")}</svg>`;
}

function draw(state, data) {
  const { scores, same } = values(state, data), most = scores[0].score || 1;
  const rows = scores.map(({ name, score }, place) => `<tr class="${name === "recency" ? "first" : ""}"><td>${place + 1}.</td><th scope="row">${name}</th>\
<td class="stack"><span class="reached" style="width:${Math.max(0, 96 * score / most)}%"></span></td><td>${score.toFixed(3)}</td></tr>`);
  return `<div class="goal-body weights-body">${curve(state, data.edges.at(-1))}<div><table class="fallback"><tr><td></td><td></td><td class="stack">mean weight of a goal's premises</td><td></td></tr>\
${rows.join("")}</table><p>${same.length ? `The same places as with <b>${same.join(", ")}</b>.` : "No metric of this chapter gives these places."}</p></div></div>`;
}

// The share of a goal's premises that a tool has in the first so many places.
const recall = ({ shares }, rank, { edges }) => sumOf(shares.filter((_, band) => edges[band] <= rank));

function says(before, after, data) {
  const [was, is] = [values(before, data).scores, values(after, data).scores], place = (list, name) => list.findIndex(tool => tool.name === name);
  const [passes] = is.filter(tool => place(is, tool.name) < place(was, tool.name)).sort((a, b) => place(was, b.name) - place(is, b.name) - place(was, a.name) + place(is, a.name));
  if (!passes) return `No tool passes another: ${is[0].name} is first with ${is[0].score.toFixed(3)}, recency ${ordinal(place(is, "recency") + 1)} with ${is[place(is, "recency")].score.toFixed(3)}.`;
  const behind = is.find(tool => place(is, tool.name) > place(is, passes.name) && place(was, tool.name) < place(was, passes.name));
  const at = rank => `${percent(recall(passes, rank, data))} against ${percent(recall(behind, rank, data))} in the first ${rank}`;
  return `${passes.name} passes ${behind.name}, and is ${ordinal(place(is, passes.name) + 1)}. Of a goal's premises the two tools have ${at(10)}, ${at(100)} and ${at(1000)}: the weights decide which of these counts.`;
}

const LIKE = { AP: [10, 1, 7], nDCG: [29, 15, 7], AUC: [100, 99, 7], "recall@100": [100, 100, 3] };
const named = ([ten, hundred, cut]) => ({ ten, hundred, cut });
const handle = rank => ({ words: `weight of rank ${rank}`, low: 0, high: 100, shown: w => (w / 100).toFixed(2) });

handsOn("weights", {
  task: "Draw what a hit is worth at each rank: drag the two handles and the cut, or begin with a metric. When does recency fall behind popularity, and can you bring it ahead of k-NN?",
  controls: {
    ten: { ...handle(10), usual: 10 }, hundred: { ...handle(100), usual: 1 },
    cut: { words: "cut after", low: 0, high: CUTS.length - 1, usual: 7, shown: at => (at === 7 ? "the last rank" : `rank ${CUTS[at]}`) },
  },
  buttons: () => Object.keys(LIKE).map(metric => [metric, `like ${metric}`]),
  act: (_, metric) => named(LIKE[metric]),
  drag: {
    ten: (x, data, y) => 100 * (1 - (y - TOP) / HIGH), hundred: (x, data, y) => 100 * (1 - (y - TOP) / HIGH),
    cut: x => CUTS.findIndex((_, at) => at === 7 || x < (across(CUTS[at]) + across(CUTS[at + 1] === Infinity ? 9000 : CUTS[at + 1])) / 2),
  },
  LIKE, named, weight, values, draw, says,
});
