// Finds a name in NAMES: first those that are the same, then those that begin with the words, then those that have them all.
// @ is "at", a number of items is k; case, accents, signs and the smallest words do not count.

const plain = text => text.toLowerCase().normalize("NFD").replace(/\p{M}/gu, "").replace(/@/g, " at ").replace(/\b(of|in|by|for|from|the)\b/g, " ");
const wordsOf = text => plain(text).match(/[\p{L}\p{N}]+/gu) ?? [];
const general = words => words.map(word => (/^\d+$/.test(word) ? "k" : word));
const indexed = NAMES.map(([name, shown, target]) => ({ words: wordsOf(name), shown, target }));

function fit(asked, words) {
  const begins = (word, i) => words[i]?.startsWith(word);
  if (asked.length === words.length && asked.every((word, i) => words[i] === word)) return 0;
  if (asked.every(begins)) return 1;
  return asked.every(word => words.some(other => other.startsWith(word))) ? 2 : 3;
}

// The places of a query, best first, each once: {shown, target}.
function findNames(query, most = 6) {
  const asked = wordsOf(query);
  if (!asked.length) return [];
  const fits = indexed.map(entry => ({ ...entry, how: Math.min(fit(asked, entry.words), fit(general(asked), general(entry.words))) }));
  const best = fits.filter(entry => entry.how < 3).sort((a, b) => a.how - b.how || a.words.length - b.words.length);
  const seen = new Set();
  return best.filter(({ target }) => !seen.has(target) && seen.add(target)).slice(0, most);
}
