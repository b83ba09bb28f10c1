// One goal, seven tools: press a premise, and each tool says at which rank it has it, and why.

const CONSTANT = 20; // of the fusion
const LEFT = 126, WIDE = 222, ROW = 18, TOP = 8;
const count = n => n.toLocaleString("en-US");
const code = words => `<code>${words.replace(/&/g, "&amp;").replace(/</g, "&lt;")}</code>`;
const rankOf = (one, tool, { tools }) => one.ranks[tools.indexOf(tool)];

// Of each tool: why the premise stands where it stands.
const WHY = {
  random: () => "drawn at random",
  recency: one => `it is ${count(one.before)} statement${one.before === 1 ? "" : "s"} before the goal`,
  popularity: one => (one.cited ? `${count(one.cited)} earlier proof${one.cited === 1 ? " cites" : "s cite"} it` : "no earlier proof cites it"),
  "decayed popularity": one => (one.cited ? `these citations, faded with their age, are worth ${one.faded.toFixed(1)}` : "no earlier proof cites it"),
  "k-NN": one => (one.voters
    ? `${one.voters} of the 100 neighbours vote${one.voters === 1 ? "s" : ""} for it, ${one.first.map(([label, vote]) => `${label === one.label ? "the premise itself" : code(label)} with ${vote.toFixed(4)}`).join(", ")}${
      one.voters > one.first.length ? ", and others" : ""}${one.voters > 1 ? `: ≈ ${one.votes.toFixed(4)} in all` : ""}`
    : "no neighbour votes for it, so it follows in order of popularity"),
  "naive Bayes": one => `it was used ${one.users === 1 ? "once, by itself" : `${count(one.users)} times, itself included`}; ${
    one.lifts[0][1] > 1 ? `the goal's ${one.lifts.slice(0, 2).map(([feature, lift]) => `${code(feature)} is ${lift >= 100 ? count(Math.round(lift)) : lift} times`).join(" and ")} as common among its users as among all statements` : "none of the goal's symbols is common among its users"}`,
  fusion: (one, data) => {
    const [near, bayes] = ["k-NN", "naive Bayes"].map(tool => rankOf(one, tool, data));
    return `1/(${CONSTANT} + ${count(near)}) + 1/(${CONSTANT} + ${count(bayes)}) ≈ ${fused(one, data).toFixed(4)}`;
  },
};
const fused = (one, data) => 1 / (CONSTANT + rankOf(one, "k-NN", data)) + 1 / (CONSTANT + rankOf(one, "naive Bayes", data));
const toolsAt = (rank, { ranks }, { tools }) => tools.filter((tool, at) => ranks[at] === rank);
const best = (one, data) => toolsAt(Math.min(...one.ranks), one, data);

const values = ({ premise }, data) => ({ ...data.premises[premise], fused: fused(data.premises[premise], data), best: best(data.premises[premise], data) });

function draw({ premise }, data) {
  const one = data.premises[premise], x = rank => LEFT + WIDE * Math.log(rank) / Math.log(data.statements);
  const rows = data.tools.map((tool, row) => {
    const y = TOP + ROW * (row + 0.5), others = data.premises.map(other => `<circle cx="${x(rankOf(other, tool, data))}" cy="${y}" r="3.5"/>`);
    return `<text x="${LEFT - 8}" y="${y + 4}">${tool}</text><path d="M${LEFT} ${y}h${WIDE}"/>${others.join("")}<circle class="chosen" cx="${x(one.ranks[row])}" cy="${y}" r="6"/>`;
  });
  const bottom = TOP + ROW * data.tools.length + 16, ticks = [1, 10, 100, 1000].map(rank => `<text class="tick" x="${x(rank)}" y="${bottom}">${count(rank)}</text>`);
  return `<div class="goal-body"><svg viewBox="0 0 ${LEFT + WIDE + 12} ${bottom + 6}" \
role="img" aria-label="The ranks of ${one.label} by seven tools, best first: ${data.tools.map((tool, i) => [one.ranks[i], tool]).sort((a, b) => a[0] - b[0]).map(([rank, tool]) => `${tool} ${count(rank)}`).join(", ")}.">\
${rows.join("")}${ticks.join("")}</svg><table><tr><th scope="col">tool</th><th scope="col">rank</th><th scope="col">because</th></tr>${data.tools.map((tool, i) =>
    `<tr class="${best(one, data).includes(tool) ? "first" : ""}"><th scope="row">${tool}</th><td>${count(one.ranks[i])}</td><td>${handsOn.sized(WHY[tool](one, data), data.premises.map(each => WHY[tool](each, data)))}</td></tr>`).join("")}</table></div>`;
}

function says(before, after, data) {
  const one = data.premises[after.premise], [rank, worst] = [Math.min(...one.ranks), Math.max(...one.ranks)], at = rank => `${toolsAt(rank, one, data).join(" and ")}, at rank ${count(rank)}`;
  return `${one.label} is ranked highest by ${at(rank)}, and lowest by ${at(worst)}. ${
    rank > 100 ? "No tool has it in its first hundred, because none looks at what would reveal it." : ""}`.trim();
}

handsOn("follow-a-goal", {
  task: "Press a premise of arch. Which tool finds it first, and what did that tool look at? Which premise does no tool find?",
  controls: { premise: { words: "premises of arch:", low: 0, high: 8, usual: 0, shown: (at, { premises }) => premises[at].label, as: "choice" } },
  values, draw, says,
});
