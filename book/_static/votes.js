// Votes: the option that a reader opens first is kept in this browser, and can be taken back.

for (const vote of document.querySelectorAll(".vote[role=group]")) {
  const options = [...vote.querySelectorAll("details")], key = `vote ${vote.id}`;
  const again = make("button", { type: "button", className: "again", textContent: "ask me again" });

  function show(chosen) {
    options.forEach((option, at) => option.classList.toggle("chosen", at === chosen));
    vote.classList.toggle("answered", chosen !== null);
    again.hidden = chosen === null;
  }

  function choose(chosen) {
    keep(key, chosen);
    show(chosen);
  }

  options.forEach((option, at) => option.addEventListener("toggle", () => {
    if (option.open && !vote.classList.contains("answered")) choose(at);
  }));
  again.addEventListener("click", () => {
    options.forEach(option => { option.open = false; });
    choose(null);
    options[0].firstElementChild.focus();
  });
  vote.append(again);
  show(kept(key));
}
