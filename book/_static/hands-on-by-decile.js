// One rare statement in the lists of several goals, and what its decile sees of them: the reader moves it down, and adds wrong ones.

const COMMON = "acdefghij";
const GOALS = 5; // that need nothing rare
const place = at => `style="grid-column:${at}"`;
const times = (n, made) => Array.from({ length: n }, (_, i) => made(i));
const getWrong = n => (n === 1 ? "1 goal that needs nothing rare gets" : `${n} goals that need nothing rare get`);

// By decile the rare one is alone in its part of the list, and goals that need nothing rare are skipped.
const values = ({ before, wrong }) => ({ byDecile: 1, goals: 1, suggested: 1 + wrong, right: 1, rank: before + 1 });

// A list in ten columns; u can be held in the first.
function row(goal, needs, { before, wrong }) {
  const common = times(before, i => `<span data-id="${COMMON[i]}" class="common" ${place(i + 1)}>${COMMON[i]}<small>${i + 1}</small></span>`).join("");
  const rare = (kind, more) => `<span data-id="u" class="rare ${kind}" ${place(before + 1)} ${more}>u<small>${before + 1}</small></span>`;
  const seen = goal ? "skipped: needs nothing rare" : '<span class="rare">u<small>1</small></span> right, at rank 1';
  return `<tr><th scope="row">needs ${needs}</th><td class="ranks"><div>${common}${goal === 0 ? rare("", 'data-drag="before"') : goal <= wrong ? rare("wrong", "") : ""}</div></td><td>${seen}</td></tr>`;
}

function draw(state) {
  const { suggested, rank } = values(state), rows = [row(0, "b, u", state), ...times(GOALS, i => row(i + 1, "a, b", state))];
  return `<table class="as-made"><tr><th></th><th scope="col">the list as it was made</th><th scope="col">what the rare decile sees</th></tr>${rows.join("")}</table>
<p class="hands-on-numbers"><span>precision by decile <b class="main">1</b> = 1/1</span><span>share of the suggestions of u that are right <b class="main">${(1 / suggested).toFixed(2)}</b> = 1/${suggested}</span>\
<span>reciprocal rank of the right u <b class="main">${(1 / rank).toFixed(2)}</b> = 1/${rank}</span></p>`;
}

function says(before, after) {
  const [was, is] = [values(before), values(after)];
  if (is.rank !== was.rank) {
    return `In the list the right u is now at rank ${is.rank} instead of ${was.rank}, so a reader meets it ${is.rank > was.rank ? "later" : "sooner"}. The decile deletes the \
common items first, and sees u at rank 1, as before, so its precision stays 1.`;
  }
  return `Now ${getWrong(is.suggested - 1)} a wrong u, so ${is.suggested === 1 ? "the only suggestion of u is right" : `one of the ${is.suggested} suggestions of u is right`}. \
The decile skips such goals, so its precision stays 1.`;
}

handsOn("by-decile", {
  task: "Make the tool worse for the rare u: drag u further down, and suggest it wrongly for more goals. What does the precision by decile say?",
  controls: {
    before: { words: "common items before u", low: 0, high: 9, usual: 1, shown: n => String(n), as: "handle" },
    wrong: { words: "goals with a wrong u", low: 0, high: GOALS, usual: 1, shown: n => String(n) },
  },
  drag: { before: x => 10 * x - 0.5 },
  first: state => {
    const { suggested, rank } = values(state);
    return `The right u is at rank ${rank} of its list, and ${suggested === 1 ? "the only suggestion of u is right" : `one of the ${suggested} suggestions of u is right`}. The decile sees it at rank 1, so its precision is 1.`;
  },
  values, draw, says,
});
