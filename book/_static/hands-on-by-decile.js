// One rare statement in the lists of several goals, and what its decile sees of them: the reader moves it down, and adds wrong ones.

const COMMON = "acdefghij";
const tile = (item, kind, rank) => `<span class="${kind}">${item}${rank ? `<small>${rank}</small>` : ""}</span>`;
const times = (n, made) => Array.from({ length: n }, (_, i) => made(i));
const getWrong = n => (n === 1 ? "1 goal that needs nothing rare gets" : `${n} goals that need nothing rare get`);

// By decile the rare one is alone in its part of the list, and goals that need nothing rare are skipped.
const values = ({ before, wrong }) => ({ byDecile: 1, goals: 1, suggested: 1 + wrong, right: 1, rank: before + 1 });

function row(needs, before, needed) {
  const rare = tile("u", needed ? "rare" : "rare wrong", before + 1);
  const seen = needed ? `${tile("u", "rare", 1)} right, at rank 1` : "skipped: it needs nothing rare";
  return `<tr><th scope="row">needs ${needs}</th><td>${times(before, i => tile(COMMON[i], "common", i + 1)).join("")}${rare}</td><td>${seen}</td></tr>`;
}

function draw(state) {
  const { before, wrong } = state, { suggested, rank } = values(state);
  const rows = [row("b, u", before, true), ...times(wrong, () => row("a, b", before, false))];
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
  task: "Make the tool worse for the rare u: put u further down, and suggest it wrongly for more goals. What does the precision by decile say?",
  controls: {
    before: { words: "common items before u", low: 0, high: 9, usual: 1, shown: n => String(n) },
    wrong: { words: "goals with a wrong u", low: 0, high: 6, usual: 1, shown: n => String(n) },
  },
  values, draw, says,
});
