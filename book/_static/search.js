// The results of a search, all at once, each with its first words from excerpts.js: no page is asked for.
// Where a whole page is the result, the first of its places that has all the words is offered as well.

Search.query = query => {
  const parsed = Search._parseQuery(query);
  const [, terms, , words] = parsed;
  const letters = [...terms].filter(term => term.length < 2);  // such as the k of MAP@k, which nearly all pages have
  if (letters.length < terms.size) letters.forEach(term => terms.delete(term));
  const named = findNames(query);
  for (const { shown, target } of named) {
    const item = Search.output.appendChild(make("li", { className: "name" }));
    item.append(make("a", { href: target, textContent: shown }));
    const [page, anchor] = target.split(/\.html/);
    const place = EXCERPTS[page]?.find(([at]) => at === anchor);
    if (place?.[2]) item.append(make("p", { className: "context", textContent: place[2] }));
  }
  const taken = new Set(named.map(({ target }) => target));
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
  _finishSearch(named.length + results.length);
};

document.querySelector("form.bd-search input")?.select();
