// One list of ten in the reader's hand, and the four values that libraries give it under one name.

const HELP = [...Array(20).keys()].map(i => i + 1).concat(30, 50, 100, 200, 500, 1000);
const WORDS = { retrieved: "those found here", ideal: "all that help, at most ten", cutoff: "ten", relevant: "all that help" };
const gcd = (a, b) => (b ? gcd(b, a % b) : a);

// The sum of the fractions of helpful ones, at each of them, over 2520 = the least common multiple of 1 to 10; and the four divisors.
function values({ help, list }) {
  let found = 0, sum = 0;
  [...list].forEach((hit, place) => {
    found += +hit;
    if (+hit) sum += 2520 * found / (place + 1);
  });
  const all = Math.max(HELP[help], found), over = { retrieved: found, ideal: Math.min(10, all), cutoff: 10, relevant: all };
  return { sum, all, over, at: Object.fromEntries(Object.entries(over).map(([name, divisor]) => [name, divisor ? sum / 2520 / divisor : null])) };
}

const fraction = sum => (sum % 2520 ? `${sum / gcd(sum, 2520)}/${2520 / gcd(sum, 2520)}` : String(sum / 2520));
const whole = x => x.toLocaleString("en");
const shown = x => (x === null ? "0/0" : x.toFixed(x && x < 0.0005 ? 5 : 3));

function draw(state) {
  const { sum, over, at } = values(state);
  const found = place => [...state.list.slice(0, place + 1)].filter(hit => +hit).length;
  const fractions = [...state.list].map((hit, place) => `<span>${+hit ? `${found(place)}/${place + 1}` : ""}</span>`);
  const tiles = [...state.list].map((hit, place) => `<button type="button" class="${+hit ? "needed" : ""}" data-act="${place}" aria-pressed="${!!+hit}" \
aria-label="rank ${place + 1}, ${+hit ? "helpful" : "useless"}: press to switch it">${place + 1}</button>`);
  const rows = Object.keys(WORDS).map(name => `<tr><th scope="row">÷ ${WORDS[name]}</th><td>${whole(over[name])}</td>\
<td class="stack"><span class="reached" style="width:${96 * (at[name] ?? 0)}%"></span></td><td>${shown(at[name])}</td></tr>`);
  return `<div class="cut-tiles ten"><div class="tiles" data-tiles role="group" aria-label="The ten suggestions, best first">${tiles.join("")}</div><div class="tiles fractions">${fractions.join("")}</div></div>
<table class="fallback"><caption>The fractions of helpful lemmas add up to <b>${fraction(sum)}</b>, which is divided by …</caption>${rows.join("")}</table>`;
}

function says(before, after) {
  const [was, is] = [values(before), values(after)], names = Object.keys(WORDS);
  const moved = names.filter(name => is.at[name] !== was.at[name]).map(name => `“÷ ${WORDS[name]}” ${is.at[name] === null ? "becomes" : (was.at[name] ?? -1) < is.at[name] ? "rises to" : "falls to"} ${shown(is.at[name])}`);
  const what = before.list === after.list ? `Of all lemmas, ${whole(is.all)} would help` : is.over.retrieved === was.over.retrieved ? "As many helpful lemmas, at other ranks" : is.over.retrieved > was.over.retrieved ? "More helpful lemmas" : "Fewer helpful lemmas";
  const against = is.over.retrieved > was.over.retrieved && is.at.retrieved < was.at.retrieved ? " The list is better, but this value is lower: the mean over those found includes one more fraction, a smaller one." : "";
  return moved.length ? `${what}: ${moved.join(", ")}.${against}` : `${what}, and none of the four values changes.`;
}

handsOn("four-denominators", {
  task: "Press a place to make its lemma helpful (blue) or useless, or drag it. Can you make the list better, and one of the four values lower?",
  controls: { help: { words: "all that help, in the list or not", low: 0, high: HELP.length - 1, usual: HELP.length - 1, shown: at => whole(HELP[at]) } },
  more: { list: "1000000000" },
  fits: { list: /^[01]{10}$/ },
  tiles: "list",
  first: state => {
    const { all, over, at } = values(state), known = Object.values(at).filter(x => x !== null);
    return `The list has ${over.retrieved} helpful lemma${over.retrieved === 1 ? "" : "s"} of the ${whole(all)} that would help, and the four values run from ${shown(Math.min(...known))} to ${shown(Math.max(...known))}.`;
  },
  values, HELP, draw, says,
  act: (state, place) => ({ ...state, list: [...state.list].map((hit, at) => (at === +place ? 1 - hit : hit)).join("") }),
});
