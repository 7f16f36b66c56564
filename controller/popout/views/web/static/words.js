// The page's own words, as the server's catalogue gives them; places such as {column} are filled in here.

let words = {};

export async function loadWords() {
  const answer = await fetch("/texts.json");
  words = await answer.json();
  document.documentElement.lang = words.language;
}

/** The words under a key; a list is indexed by `values.count`. */
export function t(key, values = {}) {
  const found = words[key];
  const text = Array.isArray(found) ? found[Math.min(values.count, found.length - 1)] : found;
  return (text ?? key).replace(/\{(\w+)\}/g, (place, name) => values[name] ?? place);
}

/** Fill every element of the page that names its words in data-text or data-label. */
export function writeWords(root = document) {
  for (const element of root.querySelectorAll("[data-text]")) element.textContent = t(element.dataset.text);
  for (const element of root.querySelectorAll("[data-label]")) {
    element.setAttribute("aria-label", t(element.dataset.label));
    if (element.classList.contains("icon")) element.title = t(element.dataset.label);
  }
}

export const sideOf = { X: "red", O: "yellow" };
