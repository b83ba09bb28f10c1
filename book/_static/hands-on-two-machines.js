// Six values on two machines: where the cut stands, what each machine reports, and what becomes of the reports.

const VALUES = [[0, 1], [1, 4], [1, 2], [1, 1]]; // reciprocal ranks, as fractions; a state holds their places in this list
const COLUMN = 58, LEFT = 34, HIGH = 130, TOP = 24;

const gcd = (a, b) => (b ? gcd(b, a % b) : a);
const written = ([a, b]) => (b / gcd(a, b) === 1 ? String(a / gcd(a, b)) : `${a / gcd(a, b)}/${b / gcd(a, b)}`);
const num = ([a, b]) => a / b;
const short = x => x.toFixed(2);

function share(all) {
  const quarters = all.reduce((sum, [a, b]) => sum + 4 * a / b, 0);
  return { n: all.length, sum: [quarters, 4], mean: [quarters, 4 * all.length] };
}
function values({ cut, goals }) {
  const all = [...goals].map(place => VALUES[place]), parts = [share(all.slice(0, cut)), share(all.slice(cut))];
  const [{ mean: [a, b] }, { mean: [c, d] }] = parts;
  return { parts, ofMeans: [a * d + b * c, 2 * b * d], mean: share(all).mean };
}

function draw(state) {
  const { parts, ofMeans, mean } = values(state), all = [...state.goals].map(place => num(VALUES[place]));
  const y = value => TOP + HIGH * (1 - value), x = goal => LEFT + COLUMN * goal, of = goal => (goal < state.cut ? "one" : "two");
  const bars = all.map((value, goal) => `<rect class="${of(goal)}" x="${x(goal) + 5}" y="${y(value)}" width="${COLUMN - 10}" height="${HIGH * value + 1}"/>`);
  const lines = parts.map(({ mean: m }, i) => {
    const [from, to] = i ? [state.cut, 6] : [0, state.cut];
    return `<path class="${i ? "two" : "one"}" d="M${x(from) + 3} ${y(num(m))}H${x(to) - 3}"/>\
<text class="${i ? "two" : "one"}" x="${(x(from) + x(to)) / 2}" y="${y(num(m)) - 5}">${short(num(m))}</text>`;
  });
  const edge = x(state.cut), scale = [0, 0.5, 1].map(value => `<text class="scale" x="${LEFT - 6}" y="${y(value) + 4}">${value}</text>`);
  const report = ({ n, sum, mean: m }, name) => `<tr><th scope="row">${name}</th><td>${n}</td><td>${written(sum)}</td><td>${written(m)}</td></tr>`;
  return `<div class="machines-picture"><svg class="machines" viewBox="0 0 ${LEFT + 6 * COLUMN + 6} ${TOP + HIGH + 8}" role="group" aria-label="Six bars; the cut is after goal ${state.cut}. \
The first machine has mean ${short(num(parts[0].mean))}, the second has mean ${short(num(parts[1].mean))}.">${scale.join("")}${bars.join("")}\
<path class="axis" d="M${LEFT} ${TOP + HIGH + 1}h${6 * COLUMN}"/>${lines.join("")}<g data-drag="cut"><path class="cut" d="M${edge} ${TOP - 10}V${TOP + HIGH + 8}"/>\
<circle class="reach" cx="${edge}" cy="${TOP - 12}" r="22"/><circle class="knob" cx="${edge}" cy="${TOP - 12}" r="7"/></g></svg>
<div class="goals">${all.map((value, goal) => `<button type="button" class="${of(goal)}" data-act="${goal}" \
aria-label="goal ${goal + 1}: ${written(VALUES[state.goals[goal]])}, press for another value">${written(VALUES[state.goals[goal]])}</button>`).join("")}</div></div>
<div class="hands-on-numbers"><table><tr><th></th><th scope="col">goals</th><th scope="col">sum</th><th scope="col">mean</th></tr>\
${report(parts[0], "first machine")}${report(parts[1], "second machine")}</table>\
<p>mean of the two means <b class="main">${short(num(ofMeans))}</b> = ${written(ofMeans)}<br>sums over counts <b class="main">${short(num(mean))}</b> = ${written(mean)}</p></div>`;
}

function because({ parts: [first, second], ofMeans, mean }) {
  if (num(ofMeans) === num(mean)) return `both machines ${first.n === second.n ? "hold three goals" : "have the same mean"}, so the mean of means is the mean over all goals.`;
  return `the ${first.n} goal${first.n > 1 ? "s" : ""} of the first machine ${first.n > 1 ? "count" : "counts"} as much as the ${second.n} of the second.`;
}

function says(before, after) {
  const [was, is] = [values(before), values(after)];
  const means = num(was.ofMeans) === num(is.ofMeans) ? `The mean of means stays ${short(num(is.ofMeans))}` : `The mean of means changes from ${short(num(was.ofMeans))} to ${short(num(is.ofMeans))}`;
  const sums = num(was.mean) === num(is.mean) ? `sums over counts stay ${short(num(is.mean))}` : `sums over counts change from ${short(num(was.mean))} to ${short(num(is.mean))}`;
  return `${means}, and ${sums}: ${because(is)}`;
}

handsOn("two-machines", {
  task: "Drag the cut between the machines, and press a bar’s number to change it. Which of the two numbers below depends on which machine got which goal?",
  controls: { cut: { words: "the first machine holds", low: 1, high: 5, usual: 1, shown: cut => `${cut} goal${cut > 1 ? "s" : ""}`, as: "handle" } },
  more: { goals: "321301" },
  fits: { goals: /^[0-3]{6}$/ },
  first: state => {
    const v = values(state);
    return `The mean of means is ${short(num(v.ofMeans))}, and sums over counts give ${short(num(v.mean))}: ${because(v)}`;
  },
  values, draw, says,
  act: (state, goal) => ({ ...state, goals: [...state.goals].map((place, at) => (at === +goal ? (+place + 1) % 4 : place)).join("") }),
  drag: { cut: x => (x - LEFT) / COLUMN },
});
