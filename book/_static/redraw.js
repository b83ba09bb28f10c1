// What the Ranking Lab and the things to move do alike on a page. The build puts it before each of them, in their scope.

const still = globalThis.matchMedia?.("(prefers-reduced-motion: reduce)");

// Change an element into a fresh one in few steps; the focus, a drag and an open fold survive. Children with a data-id keep it.
function become(old, fresh) {
  if (old.nodeName !== fresh.nodeName) return old.replaceWith(fresh);
  if (!old.attributes) return old.data === fresh.data || (old.data = fresh.data);
  for (const { name } of [...old.attributes]) if (name !== "open" && !fresh.hasAttribute(name)) old.removeAttribute(name);
  for (const { name, value } of fresh.attributes) if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  if (old.matches("input[type=range]")) old.value = fresh.value;
  if (old.matches("input[type=radio]")) old.checked = fresh.checked;
  if ([...fresh.children].some(child => child.dataset.id)) {
    const others = [...old.childNodes].filter(child => !child.dataset?.id), same = id => [...old.children].find(each => each.dataset.id === id);
    const items = [...fresh.childNodes].map(child => (child.dataset?.id ? same(child.dataset.id) : others.shift()) ?? child.cloneNode(true));
    if (items.some((item, at) => item !== old.childNodes[at])) old.replaceChildren(...items);
  }
  const children = [...fresh.childNodes];
  while (old.childNodes.length > children.length) old.lastChild.remove();
  children.forEach((child, at) => (old.childNodes[at] ? become(old.childNodes[at], child) : old.append(child)));
}

// Make a change after which what has a data-id is seen to go to its new place, but for what is held; the focus is where it was.
function changePlaces(thing, change, held) {
  const focus = thing.contains(document.activeElement) && document.activeElement;
  const from = still.matches ? [] : [...thing.querySelectorAll("[data-id]")].map(each => [each, each.getBoundingClientRect()]);
  change();
  if (focus && focus !== document.activeElement && thing.contains(focus)) focus.focus({ preventScroll: true });
  for (const [each, was] of from) {
    for (const on of each.getAnimations()) if (!(on instanceof CSSTransition)) on.cancel();
    const is = each.getBoundingClientRect(), [dx, dy] = [was.left - is.left, was.top - is.top];
    if (each !== held() && (dx || dy)) each.animate([{ translate: `${dx}px ${dy}px` }, {}], { duration: 200, easing: "ease-out" });
  }
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
