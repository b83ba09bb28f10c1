// Suggestions below a search field while somebody types: a combobox with a list. The arrow keys choose, Enter opens, Escape closes the list.

const MOST = 7;
const root = document.documentElement.dataset.content_root ?? "./";

function words({ instead, unknown, hits }) {
  const used = instead.map(([, other]) => other);
  return [
    used.length && `Showing suggestions for ${used.join(" and ")}.`,
    unknown.length && hits.length && `No suggestion contains “${unknown.join("” or “")}”; these are for the other words.`,
    !hits.length && "No suggestion. Press Enter to search the text of every page.",
  ].filter(Boolean).join(" ");
}

function suggest(input, number) {
  const form = input.form;
  const list = make("ul", { id: `search-suggestions-${number}`, role: "listbox", ariaLabel: "Suggestions" });
  const note = make("p", { role: "status", className: "search-note" });
  const box = make("div", { className: "search-suggestions", hidden: true }, note, list);
  form.after(box);
  for (const [name, value] of Object.entries({ role: "combobox", "aria-controls": list.id, "aria-autocomplete": "list", "aria-expanded": "false" })) {
    input.setAttribute(name, value);
  }
  let chosen = -1;

  const options = () => [...list.children];

  function choose(place) {
    chosen = place;
    options().forEach((option, i) => option.setAttribute("aria-selected", i === chosen));
    const option = options()[chosen];
    if (option) input.setAttribute("aria-activedescendant", option.id);
    else input.removeAttribute("aria-activedescendant");
    option?.scrollIntoView({ block: "nearest" });
  }

  function close() {
    box.hidden = true;
    input.setAttribute("aria-expanded", "false");
    choose(-1);
  }

  function open(option) {
    if (!option.dataset.target) return form.requestSubmit();
    close();
    form.closest("dialog")?.close();
    location.href = new URL(root + option.dataset.target, location.href).href;
  }

  function show() {
    const query = input.value.trim();
    if (!query) return close();
    const found = findAnswers(query, MOST);
    const shown = found.hits.map(({ shown, target }) => {
      const place = whereIs(target);
      return [target, make("span", { className: "shown", textContent: shown }), place === shown ? "" : make("span", { className: "where", textContent: place })];
    });
    shown.push(["", make("span", { className: "shown", textContent: `All results for “${query}”` })]);
    list.replaceChildren(...shown.map(([target, ...parts], i) => {
      const option = make("li", { id: `${list.id}-${i}`, role: "option" }, ...parts);
      option.dataset.target = target;
      return option;
    }));
    note.textContent = words(found);
    box.hidden = false;
    input.setAttribute("aria-expanded", "true");
    choose(-1);
  }

  input.addEventListener("input", show);
  input.addEventListener("blur", close);
  input.addEventListener("close-suggestions", close);  // on Escape, see search-field.js
  input.addEventListener("keydown", event => {
    const many = options().length;
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by && box.hidden) show();
    else if (by) choose(chosen + by < -1 ? many - 1 : chosen + by >= many ? -1 : chosen + by);
    else if (event.key === "Enter" && options()[chosen] && !box.hidden) open(options()[chosen]);
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  box.addEventListener("pointerdown", event => event.preventDefault());  // the field keeps the focus
  list.addEventListener("click", ({ target }) => { if (target.closest("li")) open(target.closest("li")); });
  if (document.activeElement === input && input.value && !document.body.classList.contains("on-search")) show();  // typed before this was here
}

document.querySelectorAll("form.bd-search input").forEach(suggest);
