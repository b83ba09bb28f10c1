// Means of ranks in which a stand-in is put for each goal that fails: the reader chooses the stand-in, and so the winner.

const upTo = (first, last, step) => Array.from({ length: (last - first) / step + 1 }, (_, i) => first + i * step);
const FALLBACKS = [...upTo(0, 40, 1), ...upTo(50, 100, 10), ...upTo(150, 450, 50), 501, ...upTo(600, 1000, 100), 2000, 5000, 10000];
const percent = share => `${(100 * share).toFixed(share > 0.1 || share === 0 ? 0 : 1)}%`;
const short = x => (x < 100 ? x.toFixed(1) : Math.round(x).toLocaleString("en"));

// The tools, best first: what successes and what failures bring to the mean, and the median, in which a failure is infinite.
const values = ({ at }, { goals, tools }) => tools
  .map(([name, sum, failed, median]) => ({ name, median, reached: sum / goals, standing: failed * FALLBACKS[at] / goals, failing: failed / goals }))
  .map(tool => ({ ...tool, mean: tool.reached + tool.standing }))
  .sort((a, b) => a.mean - b.mean);

function draw(state, data) {
  const all = values(state, data), most = all.at(-1).mean || 1;
  const rows = all.map(({ name, mean, median, reached, standing, failing }, place) => `<tr data-id="${name}" class="${place ? "" : "first"}"><th scope="row">${name}</th>\
<td class="stack"><span class="reached" style="width:${98 * reached / most}%"></span><span class="standing" style="width:${98 * standing / most}%"></span></td>\
<td>${short(mean)}</td><td>${median ?? "∞"}</td><td>${percent(failing)}</td></tr>`);
  return `<table class="fallback"><caption>Mean rank within the decile, best first: the part from the goals that are <span class="reached">reached</span>, \
and the <span class="standing">stand-ins</span> for those that fail</caption>\
<tr><th></th><td class="stack"></td><th scope="col">mean</th><th scope="col">median</th><th scope="col">fails</th></tr>${rows.join("")}</table>`;
}

function says(before, after, data) {
  const [was, is] = [values(before, data), values(after, data)], c = FALLBACKS[after.at].toLocaleString("en");
  const now = is.find(tool => tool.name === was[0].name), first = is[0];
  if (first !== now) {
    return `With ${c} for a failure, ${first.name} is first instead of ${now.name}. The lists are the same: ${now.name} fails for ${percent(now.failing)} of the goals, ${first.name} for ${percent(first.failing)}, \
and each failure counts as ${c} in a mean. The medians do not change.`;
  }
  const share = tool => percent(tool.standing / tool.mean || 0), last = is.at(-1);
  return `With ${c} for a failure, ${first.name} is still first. Its mean is ${short(first.mean)}, and ${share(first)} of that is from the fallback; for the last tool, ${last.name}, the share is ${share(last)}.`;
}

handsOn("fallback", {
  task: "Move the fallback, the number that counts as the rank for a goal whose labels are not all found. How many of the seven tools can you make the winner? Which columns do not change?",
  controls: { at: { words: "fallback for a failure", low: 0, high: FALLBACKS.length - 1, usual: 14, shown: at => FALLBACKS[at].toLocaleString("en") } },
  first: (state, data) => {
    const all = values(state, data), [{ name, mean }] = all;
    return `With ${FALLBACKS[state.at].toLocaleString("en")} for a failure, ${name} is first with a mean rank of ${short(mean)}, and ${all.at(-1).name} is last with ${short(all.at(-1).mean)}.`;
  },
  FALLBACKS, values, draw, says,
});
