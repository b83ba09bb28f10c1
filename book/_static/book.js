// What style sheets cannot do: let the keyboard reach wide content, print what is folded, follow what moved to another page, copy.

const WIDE = ".picture, div.math, .cell_output li > p, .claim-statement p, div.highlight pre, .pst-scrollable-table-container";

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
  unfolded = [...document.querySelectorAll("details:not([open], .fold:is(.check, .code, .card))")];
  for (const fold of unfolded) fold.open = true;
}

function foldAgain() {
  for (const fold of unfolded) fold.open = false;
}

function followMoved() {
  const place = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (place?.matches(".moved-away")) location.replace(place.querySelector("a").href);
}

// Copy a text where the browser allows it, and say so for a moment beside what was clicked.
async function copy(text, control) {
  const note = Object.assign(document.createElement("span"), {className: "copied", role: "status"});
  control.after(note);
  note.textContent = await navigator.clipboard?.writeText(text).then(() => "copied", () => "") ?? "";
  setTimeout(() => note.remove(), 2000);
}

function copyAddress({target}) {
  if (target.matches(".admonition-title > .headerlink, .fold.check > .back > a:last-of-type")) copy(target.href, target);
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
document.addEventListener("DOMContentLoaded", followMoved);
document.fonts.addEventListener("loadingdone", markScrollable);
document.addEventListener("toggle", markScrollable, true);
window.addEventListener("resize", markScrollable);
window.addEventListener("hashchange", followMoved);
window.addEventListener("beforeprint", unfoldAll);
window.addEventListener("afterprint", foldAgain);

// ---- Folds: a link to what lies in one opens it; one switch opens all checks, and is remembered.

function openTarget() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  const deeper = target?.closest("section")?.querySelector(":scope > details.deeper");  // the section has the anchor, its fold is in it
  const around = deeper ? [deeper] : [];
  for (let fold = target?.closest("details"); fold; fold = fold.parentElement.closest("details")) around.push(fold);
  if (!around.length) return;
  for (const fold of around) fold.open = true;
  target.scrollIntoView();
}

function addCheckSwitch() {
  const checks = document.querySelectorAll("details.fold.check");
  const line = document.querySelector(".chapter-line");
  if (!line || !checks.length) return;
  const remembered = { get: () => { try { return localStorage.getItem("show-checks") === "true"; } catch { return false; } },
                       set: on => { try { localStorage.setItem("show-checks", on); } catch { /* then it is forgotten */ } } };
  const button = Object.assign(document.createElement("button"), { className: "show-checks", type: "button" });
  const show = on => {
    button.setAttribute("aria-pressed", on);
    button.textContent = "Show all checks";
    for (const check of checks) check.open = on;
  };
  button.addEventListener("click", () => { const on = button.getAttribute("aria-pressed") !== "true"; remembered.set(on); show(on); });
  line.append(button);
  show(remembered.get());
}

window.addEventListener("hashchange", openTarget);
document.addEventListener("DOMContentLoaded", () => { addCheckSwitch(); openTarget(); });

// ---- The contents mark the section that is read, also after a jump, which the theme's script does not see.

function markSection() {
  const links = [...document.querySelectorAll("#pst-page-toc-nav a[href^='#']")];
  const read = links.filter(link => document.getElementById(decodeURIComponent(link.hash.slice(1)))?.getBoundingClientRect().top < 130).at(-1);
  for (const link of links) {
    link.classList.toggle("active", link === read);
    if (link === read) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  }
  read?.scrollIntoView({ block: "nearest" });
}

let scrolling;
window.addEventListener("scroll", () => { clearTimeout(scrolling); scrolling = setTimeout(markSection, 150); }, { passive: true });
