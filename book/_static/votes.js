// Votes: the option that a reader opens first is kept in this browser, and can be taken back. What was opened keeps its mark.

for (const vote of document.querySelectorAll(".vote[role=group]")) {
  const options = [...vote.querySelectorAll("details")], key = `chosen ${vote.id}`; // once "vote", when the options had other places
  const again = make("button", { type: "button", className: "again", textContent: "ask me again" });

  function show(chosen) {
    for (const kind of ["chosen", "told"]) options.forEach((option, at) => option.classList.toggle(kind, at === chosen));
    vote.classList.toggle("answered", chosen !== null);
  }

  function choose(chosen) {
    keep(key, chosen);
    show(chosen);
  }

  options.forEach((option, at) => option.addEventListener("toggle", () => {
    if (!option.open) return;
    option.classList.add("told");
    option.lastElementChild.append(again);
    if (!vote.classList.contains("answered")) choose(at);
  }));
  again.addEventListener("click", () => {
    options.forEach(option => { option.open = false; });
    choose(null);
    options[0].firstElementChild.focus();
  });
  show(kept(key));
}

// ---- The setting: the words of the votes for another subject, which a reader or a teacher chooses, kept in this browser. "lemmas" stands on the page.

const SETTINGS = { lemmas: "lemmas", search: "a search page", playlist: "a playlist", medical: "a medical test" };
const setting = Object.hasOwn(SETTINGS, kept("setting") ?? "") ? kept("setting") : "lemmas";

// The text of an element in other words. Its formulas and code stay, in their order; with a formula goes what ends its line.
function retell(place, text) {
  const head = place.querySelector(":scope > strong:first-child"), left = [...place.children].filter(each => each !== head);
  const parts = [];
  text.split(/(\$[^$]+\$|`[^`]+`|\*[^*]+\*)/).forEach((part, n) => {
    if (n % 2) return parts.push(left.shift() ?? part);
    const before = parts.at(-1), closing = before?.matches?.(".closed") ? before.lastChild.textContent : "";
    parts.push(closing && part.startsWith(closing) ? part.slice(closing.length) : part);
  });
  place.replaceChildren(...(head ? [head, " "] : []), ...parts);
}

window.votesIn = texts => {
  for (const vote of document.querySelectorAll(".vote[role=group]")) {
    const told = texts[vote.id.replace(/^vote-/, "")];
    if (!told) continue;
    const [text, ...options] = told;
    retell(vote.querySelector(".asked"), text);
    vote.querySelectorAll("details").forEach((option, at) => {
      retell(option.querySelector("summary > span"), options[at][0]);
      retell(option.querySelector(":scope > p"), options[at][1]);
    });
  }
};
if (setting !== "lemmas" && document.querySelector(".vote[role=group]")) {
  const root = new URL(document.documentElement.dataset.content_root, location.href);
  document.head.append(make("script", { src: new URL(`_static/votes-${setting}.js`, root).href }));
}
for (const place of document.querySelectorAll(".setting-switch")) {
  const choice = make("select", {}, ...Object.entries(SETTINGS).map(([value, textContent]) => make("option", { value, textContent, selected: value === setting })));
  const said = make("span", { role: "status" });
  choice.addEventListener("change", () => {
    const done = keep("setting", choice.value === "lemmas" ? null : choice.value);
    said.textContent = done ? ` From now on, the votes speak of ${SETTINGS[choice.value]}.` : " This browser keeps nothing, so the votes stay as they are.";
  });
  place.replaceChildren(make("label", {}, "Setting: ", choice), said);
}
