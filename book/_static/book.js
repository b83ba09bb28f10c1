// What style sheets cannot do: let the keyboard reach wide content, and print what is folded.

const WIDE = "div.math, .cell_output li > p, .claim-statement p, div.highlight pre, .pst-scrollable-table-container";

function markScrollable() {
  for (const box of document.querySelectorAll(WIDE)) {
    const wide = box.scrollWidth > box.clientWidth;
    if (wide) {
      box.tabIndex = 0;
      box.setAttribute("role", "group");
      box.setAttribute("aria-label", "scrolls sideways");
    } else if (box.getAttribute("aria-label") === "scrolls sideways") {
      for (const name of ["tabindex", "role", "aria-label"]) box.removeAttribute(name);
    }
  }
}

let unfolded = [];

function unfoldAll() {
  unfolded = [...document.querySelectorAll("details:not([open])")];
  for (const fold of unfolded) fold.open = true;
}

function foldAgain() {
  for (const fold of unfolded) fold.open = false;
}

document.addEventListener("DOMContentLoaded", markScrollable);
document.fonts.addEventListener("loadingdone", markScrollable);
document.addEventListener("toggle", markScrollable, true);
window.addEventListener("resize", markScrollable);
window.addEventListener("beforeprint", unfoldAll);
window.addEventListener("afterprint", foldAgain);
