// Before the first paint: light slides or dark ones, as the reader has chosen in the book, or else as the system has it. Paper is light,
// and so is the deck with ?light in its address, for a projector; the key D changes it (slides.js).

function scheme() {
  if (/[?&](light|print-pdf|handout)\b/.test(location.search)) return "light";
  let mode = null;
  try { mode = localStorage.getItem("mode"); } catch { /* a page from a folder may have no storage */ }
  return mode === "light" || mode === "dark" ? mode : matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
}

document.documentElement.dataset.theme = scheme();
