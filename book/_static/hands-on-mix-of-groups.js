// Two libraries whose goals fall into groups: each group's lead is that of its library, and the reader moves the mix from the one to the other.

const LEFT = 40, WIDE = 312, ROW = 136, UNIT = 330; // UNIT: the height of a lead of 1
const sumOf = all => all.reduce((a, b) => a + b, 0);
const lead = (shares, means) => sumOf(shares.map((share, g) => share * means[g]));
const signed = x => `${x < 0 ? "−" : "+"}${Math.abs(x).toFixed(3)}`;

function values({ mix }, { shares, means }) {
  const now = shares[0].map((w, g) => w + (shares[1][g] - w) * mix / 100);
  return { shares: now, leads: means.map(each => lead(now, each)), measured: means.map((each, i) => lead(shares[i], each)) };
}

// Where on the way from the first mix to the second a library's lead is zero: in hundredths, or null.
function turn(library, data) {
  const [start, end] = data.shares.map(shares => lead(shares, data.means[library]));
  return start * end < 0 ? 100 * start / (start - end) : null;
}

function row(library, v, { means, groups }) {
  const zero = 30 + 0.155 * UNIT + ROW * library;
  let left = LEFT;
  const blocks = v.shares.map((share, g) => {
    const height = means[library][g] * UNIT, kind = height > 0 ? "ahead" : "behind", x = left;
    left += share * WIDE;
    return `<rect class="${kind}" x="${x}" y="${zero - Math.max(height, 0)}" width="${share * WIDE}" height="${Math.abs(height)}"/>\
<text x="${x + share * WIDE / 2}" y="${height > 0 ? zero + 14 : zero - 5}">${groups[g]}</text>`;
  });
  const total = v.leads[library];
  return `<text class="title" x="${LEFT}" y="${14 + ROW * library}">${["first", "second"][library]} library: ${signed(total)}</text>${blocks.join("")}\
<path class="zero" d="M${LEFT} ${zero}h${WIDE}"/><path class="lead ${total > 0 ? "ahead" : "behind"}" d="M${LEFT - 14} ${zero}v${-total * UNIT}"/>\
<circle class="${total > 0 ? "ahead" : "behind"}" cx="${LEFT - 14}" cy="${zero - total * UNIT}" r="4"/>`;
}

function draw(state, data) {
  const v = values(state, data), [first, second] = v.leads.map(signed);
  return `<svg class="blocks" viewBox="0 0 ${LEFT + WIDE + 4} ${2 * ROW + 4}" role="img" aria-label="Two rows of four blocks, each as wide as the share of its group and as high as the lead there. \
With this mix the lead is ${first} in the first library and ${second} in the second.">${row(0, v, data)}${row(1, v, data)}</svg>
<p>Recency's lead over popularity, with this mix in both libraries: first library <b class="main">${first}</b> (measured ${signed(v.measured[0])}), \
second library <b class="main">${second}</b> (measured ${signed(v.measured[1])}). Goals with ten premises or more: <b>${(100 * (v.shares[2] + v.shares[3])).toFixed(0)}%</b>.</p>`;
}

function says(before, after, data) {
  const [was, is] = [values(before, data), values(after, data)], names = ["first", "second"];
  const turned = names.filter((_, i) => was.leads[i] * is.leads[i] < 0);
  const leads = `recency’s lead is ${signed(is.leads[0])} in the first library and ${signed(is.leads[1])} in the second`;
  const longer = after.mix > before.mix ? "More goals with long proofs" : "Fewer goals with long proofs";
  if (turned.length) return `${longer}, and the verdict is reversed in the ${turned.join(" and the ")} library: ${leads}. In each group the predictors do what they did before.`;
  if (after.mix === 0) return `Both libraries have the mix of the first: ${leads}. The difference that is left comes from what the predictors do within the groups.`;
  if (after.mix === 100) return `Both libraries have the mix of the second: ${leads}. The difference that is left comes from what the predictors do within the groups.`;
  return `${longer}: ${leads}, and this step reverses no verdict.`;
}

handsOn("mix-of-groups", {
  task: "Take both libraries from the mix of the first to that of the second. Which mix turns recency’s lead into a defeat, and is it the same mix for both?",
  controls: { mix: { words: "mix of the goals", low: 0, high: 100, usual: 0, shown: m => (m === 0 ? "as in the first" : m === 100 ? "as in the second" : `${m}% of the way`) } },
  first: (state, data) => {
    const { leads } = values(state, data), mix = state.mix ? `the mix ${state.mix}% of the way to that of the second` : "the mix of the first";
    return `With ${mix} in both libraries, recency’s lead over popularity is ${signed(leads[0])} in the first and ${signed(leads[1])} in the second.`;
  },
  values, turn, draw, says,
});
