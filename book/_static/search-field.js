// The names that the search knows come when a search field is first used, so that no page has to carry them.

function bringNames({target}) {
  if (!target.matches("form.bd-search input")) return;
  document.removeEventListener("focusin", bringNames);
  if (document.querySelector('script[src*="_static/names.js"]')) return;  // the search page has them
  document.head.append(make("script", {src: `${document.documentElement.dataset.content_root}_static/names.js`}));
}

document.addEventListener("focusin", bringNames);

// Escape closes the suggestions only. This listener is here before that of the theme, which would close the dialog as well.
window.addEventListener("keydown", event => {
  if (event.key !== "Escape" || !event.target.matches('[role="combobox"][aria-expanded="true"]')) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  event.target.dispatchEvent(new Event("close-suggestions"));
}, true);
