// The boxes of exercises: is the number of the reader that of the solution, and if not, is it one whose mistake is known?
// That a box is solved is kept in this browser, for the page that counts.

// A number as people write it: 3/4, 0.75, .75, 75%, 1,051, -0.01; NaN if it is none.
function number(text) {
  const [, sign, above, below, percent] = /^([-−]?)([\d,]*\.?\d+)(?:\/(\d+))?(%?)$/.exec(text.trim().replace(/\s*\/\s*/, "/")) ?? [];
  return above === undefined ? NaN : (sign ? -1 : 1) * +above.replaceAll(",", "") / (below ?? 1) / (percent ? 100 : 1);
}

// Whole numbers are right or not; what was rounded is right to its last place, and a fraction to three decimals.
function same(given, right) {
  const digits = right.includes("/") ? 3 : right.split(".")[1]?.length;
  return Math.abs(number(given) - number(right)) <= (digits ? 0.6 / 10 ** Math.min(digits, 4) : 1e-9);
}

// What is said of a text: nothing of an empty one.
function verdict(text, right, meanings) {
  const given = text.trim().replace(/[[\]();]/g, " ").trim().split(/\s+(?![/])(?<!\/\s*)|,\s+/);
  if (!text.trim()) return null;
  if (given.some(each => Number.isNaN(number(each)))) return { says: `“${text.trim()}” is not a number. Write 3/4, 0.75 or 75%.` };
  if (given.length === right.length && given.every((each, at) => same(each, right[at]))) return { right: true, says: "Right." };
  const known = given.length === 1 && Object.entries(meanings).find(([wrong]) => same(given[0], wrong));
  if (known) return { says: known[1] };
  return { says: given.length === right.length ? "Not yet." : `${right.length} number${right.length === 1 ? " is" : "s are"} asked for.` };
}

if (typeof module === "object") {
  module.exports = { number, same, verdict };
  return;
}

document.addEventListener("submit", event => {
  if (!event.target.matches("form.answer")) return;
  event.preventDefault();
  const fields = [...event.target.querySelectorAll("input")], judged = fields.map(field => verdict(field.value, ...JSON.parse(field.dataset.answer)));
  fields.forEach((field, at) => field.setAttribute("aria-invalid", String(!!judged[at] && !judged[at].right)));
  fields.forEach((field, at) => field.classList.toggle("right", !!judged[at]?.right));
  const words = fields.flatMap((field, at) => (judged[at] && !judged[at].right ? [`${field.labels[0].textContent.trim()}: ${judged[at].says}`] : []));
  const right = judged.filter(each => each?.right).length, all = right === fields.length;
  if (all) keep(`solved ${event.target.dataset.exercise}`, true);
  event.target.querySelector("output").textContent = all ? "✓ Right." : words.join(" ") || (right ? "Right so far." : "Write what you have found.");
});
