// What style sheets cannot do: let the keyboard reach wide content, print what is folded, copy.

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

// Copy a text where the browser allows it, and say so for a moment beside what was clicked.
async function copy(text, control) {
  const note = Object.assign(document.createElement("span"), {className: "copied", role: "status"});
  control.after(note);
  note.textContent = await navigator.clipboard?.writeText(text).then(() => "copied", () => "") ?? "";
  setTimeout(() => note.remove(), 2000);
}

function copyAddress({target}) {
  if (target.matches(".admonition-title > .headerlink")) copy(target.href, target);
}

function offerReports() {
  for (const report of document.querySelectorAll(".admonition.report")) {
    const words = report.cloneNode(true);
    for (const part of words.querySelectorAll(".admonition-title, .katex-html")) part.remove();
    const button = Object.assign(document.createElement("button"), {type: "button", className: "copy-report", textContent: "Copy"});
    button.addEventListener("click", () => copy(words.textContent.trim().replace(/\s+/g, " "), button));
    report.querySelector(".admonition-title").append(button);
  }
}

document.addEventListener("DOMContentLoaded", offerReports);
document.addEventListener("click", copyAddress);
document.addEventListener("DOMContentLoaded", markScrollable);
document.fonts.addEventListener("loadingdone", markScrollable);
document.addEventListener("toggle", markScrollable, true);
window.addEventListener("resize", markScrollable);
window.addEventListener("beforeprint", unfoldAll);
window.addEventListener("afterprint", foldAgain);
