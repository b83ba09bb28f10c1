// What the Ranking Lab and the things to move do alike on a page. The build puts it before each of them, in their scope.

// Change an element into a fresh one in few steps; the focus, a drag and an open fold survive. Tiles keep their items.
function become(old, fresh) {
  if (old.nodeName !== fresh.nodeName) return old.replaceWith(fresh);
  if (!old.attributes) return old.data === fresh.data || (old.data = fresh.data);
  for (const { name } of [...old.attributes]) if (name !== "open" && !fresh.hasAttribute(name)) old.removeAttribute(name);
  for (const { name, value } of fresh.attributes) if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  if (old.matches("input[type=range]")) old.value = fresh.value;
  if (old.matches("ol")) {
    const items = [...fresh.children].map(li => old.querySelector(`[data-id=${li.dataset.id}]`) ?? li.cloneNode(true));
    if (items.some((li, at) => li !== old.children[at])) old.replaceChildren(...items);
  }
  const children = [...fresh.childNodes];
  while (old.childNodes.length > children.length) old.lastChild.remove();
  children.forEach((child, at) => (old.childNodes[at] ? become(old.childNodes[at], child) : old.append(child)));
}

// The address of the page with a state in it, under a name.
function addressWith(name, text) {
  const url = new URL(location);
  url.searchParams.set(name, text);
  return url.href;
}

// The state that the address of the page has under a name, or null; the folds around the place that shows it are opened.
function askedState(name, place) {
  const text = new URLSearchParams(location.search).get(name);
  for (let fold = text && place.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
  return text;
}

function setAddress(address) {
  try {
    history.replaceState(history.state, "", address);
  } catch { /* a page that was opened as a file may not change its address */ }
}
