// The results of a search, all at once, each with its first words from excerpts.js: no page is asked for.
// What names.js finds comes first. Where a whole page is the result, the first of its places that has all the words is offered as well.

const isInText = term => Search.performTermsSearch(new Set([term]), new Set()).length > 0;

// What to search the text for: a word in the spelling of the book, if only that is there; without what nothing has.
function asInText(query) {
  const stemmer = new Stemmer();
  const has = word => stopwords.includes(word) || isInText(stemmer.stemWord(word));
  return splitQuery(query.toLowerCase()).map(word => [word, british(word)].find(has)).filter(Boolean).join(" ");
}

const quoted = words => `“${words.join("” and “")}” ${words.length > 1 ? "are" : "is"}`;

// What was asked is text everywhere.
function say({ instead, unknown }, query, count) {
  const used = instead.map(([, word]) => word), lines = [];
  if (used.length) lines.push(make("p", {}, "Showing results for ", make("strong", { textContent: used.join(" and ") }), `. ${quoted(instead.map(([word]) => word))} not in the book.`));
  if (unknown.length && count) lines.push(make("p", {}, `${quoted(unknown)} not in the book. These are results for the other words.`));
  if (count) lines.push(make("p", {}, `${count} result${count === 1 ? "" : "s"}`));
  else lines.push(
    make("p", {}, `Nothing was found for “${query}”. Check the spelling, or search for the name of a metric.`),
    make("p", {}, "The ", make("a", { href: "book/metric-finder.html", textContent: "metric finder" }), " leads from a question to a metric; the ",
      make("a", { href: "genindex.html", textContent: "index" }), " and the ", make("a", { href: "book/glossary.html", textContent: "glossary" }), " list the words of the book."));
  Search.status.replaceWith(make("div", { className: "search-summary", role: "status" }, ...lines));
}

// The first words of all places, only when something is asked.
const excerpts = () => new Promise(come => {
  const src = new URL("_static/excerpts.js", new URL(document.documentElement.dataset.content_root, location.href));
  document.head.append(make("script", { src, onload: come, onerror: come }));
});

function showFirst({ shown, target }) {
  const item = Search.output.appendChild(make("li", { className: "name" }));
  item.append(make("a", { href: target, textContent: shown }));
  const [page, anchor] = target.split(".html"), place = EXCERPTS[page]?.find(([at]) => at === anchor);
  if (whereIs(target) !== shown) item.append(make("span", { className: "where", textContent: whereIs(target) }));
  if (place?.[2]) item.append(make("p", { className: "context", textContent: place[2] }));
}

Search.query = async query => {
  await excerpts();
  const found = findAnswers(query, 6, word => asInText(word) !== "");
  const parsed = Search._parseQuery(asInText(found.asked));
  const [, terms, , words] = parsed;
  const letters = [...terms].filter(term => term.length < 2);  // such as the k of MAP@k, which nearly all pages have
  if (letters.length < terms.size) letters.forEach(term => terms.delete(term));
  found.hits.forEach(showFirst);
  const taken = new Set(found.hits.map(({ target }) => target));
  const results = Search._performSearch(...parsed).reverse().filter(([page, , anchor]) => {
    const target = page + ".html" + anchor;
    return !taken.has(target) && taken.add(target);
  });
  for (const [page, title, anchor, kind] of results) {
    const address = page + DOCUMENTATION_OPTIONS.LINK_SUFFIX;
    const places = EXCERPTS[page] ?? [];
    const has = ([, title, text]) => [...terms].every(term => `${title} ${text}`.toLowerCase().includes(term));
    const [first] = anchor ? places.filter(place => place[0] === anchor) : [...places.filter(has), ...places];
    const item = Search.output.appendChild(make("li"));
    item.append(make("a", {href: address + anchor, textContent: new DOMParser().parseFromString(title, "text/html").body.textContent}));
    if (kind) item.append(` (${kind})`);
    if (first) {
      const excerpt = item.appendChild(make("p", {className: "context"}));
      if (first[0] !== anchor || !title.endsWith(first[1]))
        excerpt.append(make("a", {href: address + first[0], textContent: first[1]}), ": ");
      excerpt.append(first[2]);
    }
    for (const word of words) _highlightText(item, word, "highlighted");
  }
  const count = found.hits.length + results.length;
  _finishSearch(count);
  say(found, query, count);
};

document.querySelector(".bd-search-container form.bd-search input")?.select();
