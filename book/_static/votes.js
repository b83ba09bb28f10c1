// Votes: the option that a reader opens first is kept in this browser, and can be taken back.

for (const vote of document.querySelectorAll(".vote[role=group]")) {
  const options = [...vote.querySelectorAll("details")], key = `vote ${vote.id}`;
  const again = Object.assign(document.createElement("button"), { type: "button", className: "again", textContent: "ask me again" });

  function show(chosen) {
    options.forEach((option, at) => option.classList.toggle("chosen", at === chosen));
    vote.classList.toggle("answered", chosen >= 0);
    again.hidden = !(chosen >= 0);
  }

  function kept() {
    try { return +(localStorage.getItem(key) ?? -1); } catch { return -1; }
  }

  function keep(chosen) {
    try { chosen < 0 ? localStorage.removeItem(key) : localStorage.setItem(key, chosen); } catch { /* then it lasts as long as the page */ }
    show(chosen);
  }

  options.forEach((option, at) => option.addEventListener("toggle", () => {
    if (option.open && !vote.classList.contains("answered")) keep(at);
  }));
  again.addEventListener("click", () => {
    options.forEach(option => { option.open = false; });
    keep(-1);
    options[0].firstElementChild.focus();
  });
  vote.append(again);
  show(kept());
}
