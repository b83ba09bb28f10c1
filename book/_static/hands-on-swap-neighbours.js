// Two orders of seven tools. In the lower one a tool that is pressed overtakes its neighbour, and four coefficients say what that costs.

const BY_AP = "ABCDEFG", REFERENCE = [...BY_AP], N = REFERENCE.length, PAIRS = N * (N - 1) / 2;
const WORDS = { tau: "τ", ap: "AP correlation", weighted: "weighted τ", rbo: "RBO" };
const sumOf = all => all.reduce((a, b) => a + b, 0);
const number = x => (x < 0 ? "−" : "") + Math.abs(x).toFixed(3);
const letters = state => [...state.order];

function values({ order, p }) {
  const other = [...order], at = other.map(tool => REFERENCE.indexOf(tool)), persistence = p / 100;
  const right = at.map((tool, place) => at.slice(0, place).filter(above => above < tool).length); // C of each place
  const turned = PAIRS - sumOf(right), harmonic = sumOf(at.map((_, place) => 1 / (place + 1)));
  // The weights of the turned pairs, by the ranks in either order.
  let lost = 0;
  at.forEach((tool, place) => at.slice(0, place).forEach((above, higher) => {
    if (above > tool) lost += 1 / (place + 1) + 1 / (higher + 1) + 1 / (tool + 1) + 1 / (above + 1);
  }));
  const common = at.map((_, place) => at.slice(0, place + 1).filter(tool => tool <= place).length);
  return {
    turned, tau: 1 - 2 * turned / PAIRS, ap: 2 * sumOf(right.slice(1).map((found, i) => found / (i + 1))) / (N - 1) - 1,
    weighted: 1 - lost / ((N - 1) * harmonic),
    rbo: (1 - persistence) * sumOf(common.map((both, place) => persistence ** place * both / (place + 1))) + persistence ** N,
  };
}

function draw(state) {
  const other = letters(state), v = values(state);
  const lines = REFERENCE.map((tool, from) => {
    const to = other.indexOf(tool), crossed = REFERENCE.some((rival, place) => (place < from) !== (other.indexOf(rival) < to) && rival !== tool);
    return `<path class="${crossed ? "crossed" : ""}" d="M${10 * from + 5} 0L${10 * to + 5} 20"/>`;
  });
  const tiles = other.map((tool, place) => `<button type="button" data-id="${tool}" data-act="${place}" aria-label="${tool}, at rank ${place + 1}${place ? `: press, and it overtakes ${other[place - 1]}` : ""}">${tool}</button>`);
  const rows = Object.entries(WORDS).map(([key, words]) => `<tr><th scope="row">${words}</th><td class="stack"><span class="reached" style="margin-left:${48 * (1 + Math.min(0, v[key]))}%;width:${48 * Math.abs(v[key])}%"></span></td><td>${number(v[key])}</td></tr>`);
  return `<div class="goal-body"><div class="two-orders"><p>by AP</p><div class="order">${REFERENCE.map(tool => `<span>${tool}</span>`).join("")}</div>
<svg viewBox="0 0 70 20" preserveAspectRatio="none" role="img" aria-label="Lines from each tool to itself in the other order; ${v.turned} of ${PAIRS} pairs of lines cross.">${lines.join("")}</svg>
<div class="order" data-tiles role="group" aria-label="The other order, best first">${tiles.join("")}</div><p>${v.turned} of ${PAIRS} pairs turned</p></div>
<div><table class="fallback coefficients">${rows.join("")}</table></div></div>`;
}

const moved = (key, was, is) => (Math.abs(is[key] - was[key]) < 1e-9 ? `${WORDS[key]} does not change` : `${WORDS[key]} ${is[key] > was[key] ? "rises" : "falls"} by ${number(Math.abs(is[key] - was[key]))}`);

const turnedIn = v => `${v.turned} of ${PAIRS} pairs ${v.turned === 1 ? "is" : "are"} turned against the order by AP, so τ is ${number(v.tau)}; AP correlation is ${number(v.ap)}.`;

function says(before, after) {
  const [was, is] = [values(before), values(after)], [old, now] = [letters(before), letters(after)], places = now.map((tool, at) => at).filter(at => now[at] !== old[at]);
  if (before.p !== after.p) {
    const first = share => (100 * (1 - share ** 3)).toFixed(0);
    return `With persistence ${(after.p / 100).toFixed(2)}, the first three depths have ${first(after.p / 100)}% of the weight, and RBO is ${number(is.rbo)}. The other coefficients do not use the persistence.`;
  }
  if (!places.length) return "This tool is already first, with nothing above it.";
  if (places.length > 2 || places[1] !== places[0] + 1) return turnedIn(is);
  const rank = places[0] + 1, others = ["ap", "weighted", "rbo"].map(key => moved(key, was, is)).join(", ");
  const one = Math.abs(Math.abs(is.ap - was.ap) - 2 / (N - 1) / rank) < 1e-9;
  const why = rank === 1 ? "Now another tool is best" : one ? `For AP correlation, one of the ${rank} tools above the lower of the two has changed` : "In AP correlation, the shares of both tools have changed";
  return `${now[rank - 1]} overtakes ${now[rank]}, and is at rank ${rank}: ${moved("tau", was, is)} (as with each exchange), ${others}. ${why}.`;
}

function act(state, what, { orders }) {
  if (what === "AP" || orders[what]) return { ...state, order: orders[what] ?? BY_AP };
  const order = letters(state), place = +what;
  if (place) [order[place - 1], order[place]] = [order[place], order[place - 1]];
  return { ...state, order: order.join("") };
}

handsOn("swap-neighbours", {
  task: "Drag a tool in the lower row to another place, or press it, and it overtakes its neighbour. Which exchange lowers τ most, and which lowers AP correlation most? Or begin with the order by a metric.",
  controls: { p: { words: "persistence of RBO", low: 50, high: 98, usual: 90, shown: p => (p / 100).toFixed(2) } },
  more: { order: "BACEFDG" },
  fits: { order: /^(?!.*(.).*\1)[A-G]{7}$/ },
  buttons: ({ order }, { orders }) => Object.entries({ AP: BY_AP, ...orders }).map(([metric, its]) => [metric, `like ${metric}`, order === its]),
  tiles: "order",
  first: state => turnedIn(values(state)),
  values, draw, says, act,
});
