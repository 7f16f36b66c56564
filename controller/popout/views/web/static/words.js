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

/** What the server has at an address, in the language of this page; an error has its sentence. */
export async function fetchJson(address) {
  const url = new URL(address, location.href);
  url.searchParams.set("lang", words.language);
  let answer;
  try {
    answer = await fetch(url, { cache: "no-store" });
  } catch {
    throw new Error(t("notFetched"));
  }
  if (!answer.ok) throw new Error((await answer.text()).trim() || t("notFetched"));
  return answer.json();
}

const tongue = () => document.documentElement.lang || "en";

/** A moment, from seconds since 1970; nothing for one that is not known. */
export function dayAndTime(seconds) {
  if (seconds === null) return "";
  return new Intl.DateTimeFormat(tongue(), { dateStyle: "medium", timeStyle: "short" }).format(new Date(seconds * 1000));
}

/** A day such as 2026-11-30, short as a label and in full as a name. */
export function day(text) {
  return dated(text, { day: "numeric", month: "short" }, { dateStyle: "long" });
}

/** The month of such a day, likewise. */
export function month(text) {
  return dated(text, { month: "short", year: "2-digit" }, { month: "long", year: "numeric" });
}

function dated(text, short, long) {
  const date = new Date(`${text}T12:00:00`);
  const write = (style) => new Intl.DateTimeFormat(tongue(), style).format(date);
  return { label: write(short), name: write(long) };
}

/** How long something took, in its two largest units; nothing for what is not known. */
export function duration(seconds) {
  if (seconds === null) return "";
  const whole = Math.round(seconds);
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60), whole % 60];
  const parts = hours ? [[hours, "hour"], [minutes, "minute"]] : [[minutes, "minute"], [rest, "second"]];
  const unit = ([value, name]) => new Intl.NumberFormat(tongue(), { style: "unit", unit: name, unitDisplay: "short" }).format(value);
  return parts.filter(([value], index) => value || (index && !hours && !minutes)).map(unit).join(" ").replaceAll(" ", "\u00a0");
}

/** A part of the whole as whole percent. */
export function percent(part) {
  return new Intl.NumberFormat(tongue(), { style: "percent" }).format(part);
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
