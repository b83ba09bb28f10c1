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
