// The names that the search knows come when a search field is first used, so that no page has to carry them.

function bringNames({target}) {
  if (!target.matches("form.bd-search input")) return;
  document.removeEventListener("focusin", bringNames);
  if (document.querySelector('script[src*="_static/names.js"]')) return;  // the search page has them
  document.head.append(make("script", {src: `${document.documentElement.dataset.content_root}_static/names.js`}));
}

document.addEventListener("focusin", bringNames);
