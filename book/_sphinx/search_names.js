// Finds in NAMES, which has [words, shown, target] each, and in TITLES of sections. The best has all words of a query and few others.
// @ is "at", a number of items is k; case, accents, signs, spelling (British or American), endings and the smallest words do not count.

const SMALL = new Set(`a an and are at be by can could did do does for from get have how i if in is it its me my of on one or our should so that the their
  them these they this to versus vs was we were what when where which why will with would you your am there than much very too against between`.split(/\s+/));
// Words that readers use for the same thing -> one of them.
const SAME = { goal: "query", topic: "query", document: "item", doc: "item", passage: "item", chance: "random", guess: "random", measure: "metric",
  differ: "different", difference: "different", significance: "significant", compute: "calculate", interpret: "mean", interpretation: "mean", trustworthy: "trust",
  solve: "solution", misleading: "mislead", zero: "no", without: "no", misleads: "mislead", tool: "system", benchmarks: "benchmark" };

const plain = text => text.toLowerCase().normalize("NFD").replace(/\p{M}/gu, "").replace(/@/g, " at ").replace(/\d+\.\d+/g, " ");
const wordsIn = text => plain(text).match(/[\p{L}\p{N}]+/gu) ?? [];

// The spelling of the book for that of others, as long as the word is typed.
const british = word => word
  .replace(/(?<=[a-z]{3})iz(?=(e[drs]?|ing|ations?)?$)/, "is").replace(/(?<=[a-z]{2})yz(?=(e[drs]?|ing)$)/, "ys")
  .replace("judgm", "judgem").replace(/^(behavi|col|fav|neighb)or/, "$1our").replace(/^(cata|ana|dia)log(?=s?$)/, "$1logue")
  .replace(/(?<=lab|mod|cance)el(?=ed|ing)/, "ell").replace(/^center/, "centre").replace(/^licens/, "licenc").replace("artifact", "artefact");

// What words of one family share: average, averages, averaged, averaging.
function stem(word) {
  const one = word.length < 4 ? word : word.replace(/ies$/, word.length > 4 ? "y" : "ie").replace(/(?<=ss|x|ch|sh)es$/, "").replace(/(?<![suia])s$/, "");
  const same = SAME[word] ?? SAME[one] ?? one;
  return same.length < 6 ? same : same.replace(/(at|)(?:ions?|ing|ed|e|ors?)$/, "$1").replace(/isat$/, "is");
}

const wordOf = typed => { const word = british(typed); return { word, stem: stem(word), typed }; };
const known = new Map();  // word -> its stem and the places of the entries that have it
const entries = [];

function enter(words, shown, target, kind) {
  const here = wordsIn(words).map(british);
  const all = [...new Set(here)], large = all.filter(word => !SMALL.has(word));
  const entry = { shown, target, kind, line: here.join(" "), together: here.join(""), words: large.length ? large : all };
  for (const word of all) {
    if (!known.has(word)) known.set(word, { stem: stem(word), entries: new Set() });
    known.get(word).entries.add(entries.length);
  }
  entries.push(entry);
}

for (const [words, shown, target] of NAMES) enter(words, shown, target, Number(target.startsWith("book/glossary")));
for (const [page, titles] of Object.entries(TITLES)) {
  for (const [anchor, title] of Object.entries(titles)) enter(title, title, `${page}.html${anchor}`, 1);
}
const stems = new Map();  // -> how many entries have it
for (const { stem, entries: having } of known.values()) stems.set(stem, (stems.get(stem) ?? 0) + having.size);
const weight = stem => Math.log(1 + entries.length / (1 + (stems.get(stem) ?? 0)));
for (const entry of entries) entry.weight = entry.words.reduce((sum, word) => sum + weight(known.get(word).stem), 0);

const isNumber = word => /^\d+$/.test(word);

// How well each entry has a word: 1 for the word or its family, less for what only begins with it.
function entriesWith({ word, stem: wanted }) {
  const found = new Map();
  const number = isNumber(word);
  for (const [other, { stem: its, entries: having }] of known) {
    const fit = other === word ? 1 : its === wanted ? 0.95 : number && other === "k" ? 0.9 : number && isNumber(other) ? 0.5 : !number && word.length > 1 && other.startsWith(word) ? 0.6 : 0;
    if (fit) for (const place of having) found.set(place, Math.max(fit, found.get(place) ?? 0));
  }
  return found;
}

// The steps from one word to another: letters that are left out, added, changed, or that have changed places; more than `most` are not counted.
function steps(one, other, most) {
  if (Math.abs(one.length - other.length) > most) return most + 1;
  let before = [], last = Array.from({ length: other.length + 1 }, (_, j) => j);
  for (let i = 1; i <= one.length; i++) {
    const row = [i];
    for (let j = 1; j <= other.length; j++) {
      row[j] = Math.min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (one[i - 1] !== other[j - 1]));
      if (i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1]) row[j] = Math.min(row[j], before[j - 2] + 1);
    }
    [before, last] = [last, row];
  }
  return last[other.length];
}

function nearest(word) {
  if (word.length < 4 || /\d/.test(word)) return null;
  const most = word.length < 8 ? 1 : 2, begins = other => other[0] === word[0];
  const near = [...known].map(([other, { entries: having }]) => [other, steps(word, other, most), having.size])
    .filter(([other, far]) => far <= most && other.length > 3 && (begins(other) || word.length > 5));
  return near.sort((a, b) => a[1] - b[1] || begins(b[0]) - begins(a[0]) || b[2] - a[2])[0]?.[0] ?? null;
}

const AT_LEAST = 0.3, FAR_BELOW = 0.45;  // of the weight of the words of a query, and of the best score

// What answers a query, best first, each place once: {hits: [{shown, target}], asked, instead: [[typed, used], ...], unknown: [typed, ...]}.
// knows: which other words are no mistakes.
function findAnswers(query, most = 6, knows = () => false) {
  const typed = wordsIn(query), instead = [], unknown = [];
  const large = typed.filter(word => !SMALL.has(word)), asked = [];
  for (const word of large.length ? large : typed) {
    let its = wordOf(word), having = entriesWith(its);
    const isKnown = having.size || knows(word) || entries.some(({ together }) => together === word), other = isKnown ? null : nearest(its.word);
    if (other) {
      instead.push([word, other]);
      having = entriesWith(its = wordOf(other));
    } else if (!isKnown) {
      unknown.push(word);
    }
    if (having.size) asked.push({ ...its, having, weight: weight(its.stem) || 1 });
  }
  const corrected = typed.filter(word => !unknown.includes(word)).map(word => instead.find(([wrong]) => wrong === word)?.[1] ?? british(word));
  const line = corrected.join(" "), together = corrected.join("");
  const same = [...entries.keys()].filter(place => entries[place].together === together);
  const all = asked.reduce((sum, { weight }) => sum + weight, 0);
  const found = new Set(asked.flatMap(({ having }) => [...having.keys()]).concat(same));
  const hits = [...found].map(place => {
    const entry = entries[place];
    const had = asked.filter(({ having }) => having.has(place));
    const has = had.reduce((sum, { having, weight }) => sum + having.get(place) * weight, 0);
    const part = all ? has / all : 0, whole = had.length === asked.length ? 0.5 : 0;
    const order = entry.together === together ? 2 : entry.line.startsWith(line) ? 0.3 : entry.line.includes(line) ? 0.15 : 0;
    return { ...entry, part, score: 2 * part + whole + Math.min(1, has / entry.weight) + order - 0.15 * entry.kind };
  }).filter(({ part, score }) => part >= AT_LEAST || score >= 2).sort((a, b) => b.score - a.score || a.line.length - b.line.length);
  const enough = FAR_BELOW * Math.min(hits[0]?.score ?? 0, 3), seen = new Set();
  const best = hits.filter(({ target, score }) => score >= enough && !seen.has(target) && seen.add(target));
  return { hits: best.slice(0, most), asked: corrected.join(" "), instead, unknown };
}

// The page and the section of a target, in words.
function whereIs(target) {
  const [page, anchor] = target.split(".html");
  const titles = TITLES[page] ?? {};
  return [titles[""], titles[anchor]].filter((title, i, both) => title && both.indexOf(title) === i).join(" › ");
}
