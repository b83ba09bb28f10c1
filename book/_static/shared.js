// What several scripts of the book need. The build puts it before each of them, in their scope.

function make(tag, properties = {}, ...content) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...content);
  return element;
}

// What is kept in this browser under a key, or null: a browser may keep nothing.
function kept(key) {
  try { return JSON.parse(localStorage.getItem(key)); } catch { return null; }
}

// Keep a value, or nothing more if it is null; false if the browser does not.
function keep(key, value) {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}
