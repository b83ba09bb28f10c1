// What style sheets cannot do: let the keyboard reach wide content, print what is folded, open what a link leads to, copy.

// ---- Wide content: the keyboard reaches what scrolls sideways.

const WIDE = ".picture, div.math, .claim-statement p, pre, .cell_output > .output, .pst-scrollable-table-container";

// All is measured before anything changes, or each change would have the page laid out anew; what is folded waits until it opens.
function markScrollable() {
  const boxes = [...document.querySelectorAll(WIDE)].filter(box => box.checkVisibility());
  const measured = boxes.map(box => [box, box.scrollWidth > box.clientWidth]);
  for (const [box, wide] of measured) {
    if (wide) Object.assign(box, {tabIndex: 0, role: "group", ariaLabel: "scrolls sideways"});
    else if (box.ariaLabel === "scrolls sideways") for (const name of ["tabindex", "role", "aria-label"]) box.removeAttribute(name);
  }
}

let marking;

function markScrollableSoon() {
  marking ??= requestAnimationFrame(() => { marking = undefined; markScrollable(); });
}

// ---- Paper: all folds are open, but code and checks, in browsers whose style sheets cannot open them, too.

let unfolded = [];

function unfoldAll() {
  unfolded = [...document.querySelectorAll("details:not([open], .plumbing, .check, .checks, .fold.code, .vote *)")];
  for (const fold of unfolded) fold.open = true;
}

function foldAgain() {
  for (const fold of unfolded) fold.open = false;
}

// ---- Copying: say so for a moment beside what was clicked; where the browser does not allow it, nothing is offered.

async function copy(text, control) {
  const note = make("span", {className: "copied", role: "status"});
  control.after(note);
  note.textContent = await navigator.clipboard.writeText(text).then(() => "copied", () => "");
  setTimeout(() => note.remove(), 2000);
}

function copyAddress({target}) {
  if (target.matches(".admonition-title > .headerlink, .fold.check > .back > a:last-of-type")) copy(target.href, target);
}

function offerReports() {
  for (const report of document.querySelectorAll(".admonition.report")) {
    const words = report.cloneNode(true);
    for (const part of words.querySelectorAll(".admonition-title")) part.remove();
    const button = make("button", {type: "button", className: "copy-report", textContent: "Copy"});
    button.addEventListener("click", () => copy(words.textContent.trim().replace(/\s+/g, " "), button));
    report.querySelector(".admonition-title").append(button);
  }
}

// ---- Folds: a link to what lies in one opens it.

function named(hash) {
  try {
    return document.getElementById(decodeURIComponent(hash.slice(1)));
  } catch {
    return null;  // a malformed address, such as #%
  }
}

function openTarget() {
  const target = named(location.hash);
  const deeper = target?.closest("section")?.querySelector(":scope > details.deeper");  // the section has the anchor, its fold is in it
  const around = deeper ? [deeper] : [];
  for (let fold = target?.closest("details"); fold; fold = fold.parentElement.closest("details")) around.push(fold);
  if (!around.length) return;
  if (around.some(fold => fold.matches(".plumbing"))) show("code", true);
  for (const fold of around) fold.open = true;
  target.scrollIntoView();
}

// The switches of a chapter: "checks" opens each check, "code" shows and opens what is only plumbing. Both are remembered.
const SHOWN = {checks: "details:is(.check, .checks)", code: "details.plumbing"};

function show(what, shown) {
  document.documentElement.dataset[what] = shown ? "on" : "off";
  document.querySelector(`[data-shows="${what}"]`)?.setAttribute("aria-pressed", shown);
  for (const fold of document.querySelectorAll(SHOWN[what])) fold.open = shown;
}

function wireSwitches() {
  for (const button of document.querySelectorAll("[data-shows]")) {
    const what = button.dataset.shows, key = `show-${what}`;
    button.addEventListener("click", () => {
      const shown = button.getAttribute("aria-pressed") !== "true";
      keep(key, shown);
      show(what, shown);
    });
    if (kept(key) === true) show(what, true);
  }
}

// ---- The contents of a chapter mark the section that is read, also after a jump; the bar above the text names it.

const here = make("div", {className: "here", ariaHidden: "true"});

function markSection() {
  const links = [...document.querySelectorAll("#chapter-contents a[href^='#']:not(#chapter-contents ul ul a)")];
  const read = links.filter(link => named(link.hash)?.getBoundingClientRect().top < 130).at(-1);
  for (const link of links) {
    link.classList.toggle("active", link === read);
    link.ariaCurrent = link === read || null;
  }
  read?.scrollIntoView({block: "nearest"});
  const titleIsRead = document.querySelector("article h1")?.getBoundingClientRect().bottom < 50;
  here.textContent = titleIsRead ? (read ?? document.querySelector(".bd-sidebar-primary li.active > a"))?.textContent : "";
  if (!here.isConnected) document.querySelector(".header-article-items__start")?.after(here);
}

let scrolling;

function markSectionSoon() {
  clearTimeout(scrolling);
  scrolling = setTimeout(markSection, 150);
}

// ---- Without a network: what was read is kept, and on a press the whole book, and then Python. A page from a folder needs none of it.

const KEEP = {
  book: {offer: "Keep the whole book for reading offline", kept: "The whole book is kept in this browser, and can be read without a network."},
  python: {offer: "Keep Python, too, for running cells offline", kept: "Python is kept, too: cells run without a network."},
};

// A line with the offer to keep a part. What changes often stands outside of what is read aloud.
class KeepLine {
  constructor(part, bytes, ...more) {
    this.part = part;
    this.button = make("button", {type: "button", textContent: `${KEEP[part].offer} (${Math.ceil(bytes / 1e6)}\u00a0MB)`});
    this.amount = make("span", {className: "amount"});
    this.words = make("span", {role: "status"});
    this.line = make("p", {className: "keep-offline"}, this.button, ...more, this.amount, this.words);
    this.button.addEventListener("click", () => this.keep());
  }

  async keep() {
    navigator.storage?.persist?.();  // or the browser may forget it when its room becomes scarce
    this.words.textContent = "";
    this.hear({share: 0});
    (await navigator.serviceWorker.ready).active.postMessage({keep: this.part});
  }

  hear({share, whole, failed}) {
    this.amount.textContent = share === undefined ? "" : `${share} % is kept`;
    if (failed) this.words.textContent = `Not everything could be kept: ${failed === "QuotaExceededError" ? "this browser has no room for it" : "the connection was lost"}. Press again to go on.`;
    if (whole) this.line.replaceChildren(this.words);
    if (whole) this.words.textContent = KEEP[this.part].kept;
    this.isWhole = whole;
  }
}

async function keepForOffline() {
  const workers = navigator.serviceWorker;
  if (!workers || !location.protocol.startsWith("http")) return;
  const root = new URL(document.documentElement.dataset.content_root, location.href);
  document.head.append(make("link", {rel: "manifest", href: new URL("manifest.webmanifest", root)}));
  const first = !workers.controller, lines = {};
  if (!await workers.register(new URL("service-worker.js", root)).catch(() => null)) return;
  workers.addEventListener("message", ({data}) => {
    const {part, bytes} = data, more = part === "book" ? [make("a", {href: new URL("download/site.zip", root), textContent: "or download it"})] : [];
    if (!lines[part]) document.querySelector(".bd-footer-content__inner")?.append((lines[part] = new KeepLine(part, bytes, ...more)).line);
    lines[part].hear(data);
    if (lines.python) lines.python.line.hidden = !lines.book.isWhole;
  });
  const worker = (await workers.ready).active;
  if (first) worker.postMessage({read: [location.href, ...performance.getEntriesByType("resource").map(entry => entry.name)]});
  worker.postMessage("what is kept?");
}

// ---- When what happens.

for (const prepare of [markScrollable, wireSwitches, openTarget]) document.addEventListener("DOMContentLoaded", prepare);
if (navigator.clipboard) {
  document.addEventListener("DOMContentLoaded", offerReports);
  document.addEventListener("click", copyAddress);
}
document.addEventListener("toggle", markScrollableSoon, true);
document.fonts.addEventListener("loadingdone", markScrollableSoon);
window.addEventListener("resize", markScrollableSoon);
new ResizeObserver(markScrollableSoon).observe(document.querySelector("article h1") ?? document.body);  // side bars come and go slowly
window.addEventListener("hashchange", openTarget);
window.addEventListener("beforeprint", unfoldAll);
window.addEventListener("afterprint", foldAgain);
document.addEventListener("click", ({target}) => target.closest("[data-prints]") && window.print());
window.addEventListener("load", keepForOffline);
window.addEventListener("scroll", markSectionSoon, {passive: true});
