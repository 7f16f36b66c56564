// The page's own words, as the server's catalogue gives them; places such as {column} are filled in here.

let words = {};

/** Fetch the words in the language that the page's address names; if it names none, the server chooses. */
export async function loadWords() {
  const asked = new URLSearchParams(location.search).get("lang") ?? "";
  const answer = await fetch(`/texts.json?${new URLSearchParams({ lang: asked })}`);
  words = await answer.json();
  document.documentElement.lang = words.language.replace("_", "-");
}

/** The code of the language of this page. */
export const language = () => words.language;

/** Every language that there is: its code and what it calls itself. */
export const languages = () => words.languages;

/** The words under a key; a list is indexed by `values.count`. */
export function t(key, values = {}) {
  const found = words[key];
  const text = Array.isArray(found) ? found[Math.min(values.count, found.length - 1)] : found;
  return (text ?? key).replace(/\{(\w+)\}/g, (place, name) => values[name] ?? place);
}

/** Numbers as a sentence counts them up: 1, 2 and 5. */
export function list(numbers) {
  return new Intl.ListFormat(document.documentElement.lang || "en").format(numbers.map(String));
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
