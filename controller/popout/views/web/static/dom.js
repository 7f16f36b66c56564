// Elements made from names, attributes and text; never from markup, so that no text can become an element.

const SVG = "http://www.w3.org/2000/svg";

/** An HTML element. */
export function h(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/** An SVG element. */
export function s(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

/** Set attributes that differ; null and false take one away. */
export function set(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === false || value === undefined) element.removeAttribute(name);
    else if (element.getAttribute(name) !== String(value)) element.setAttribute(name, value);
  }
  return element;
}

/** Set the text if it differs. */
export function write(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** The same for a sentence; what it ends with in brackets, such as the name of a rule, is set apart. */
export function writeSentence(element, text) {
  if (element.textContent === text) return;
  const [, sentence, aside] = /^(.*?)( \([^()]*\)\S*)?$/s.exec(text);
  element.replaceChildren(sentence, ...(aside ? [h("span", { class: "aside" }, aside)] : []));
}

export const byId = (id) => document.getElementById(id);

/** Run `build` only when `value` is not what it was the last time for this key. */
export function memo() {
  const known = new Map();
  return (key, value, build) => {
    const now = JSON.stringify(value);
    if (known.get(key) === now) return;
    known.set(key, now);
    build();
  };
}

/** A disc as a small picture beside words. */
export function token(side) {
  return s("svg", { class: "token", viewBox: "-50 -50 100 100", "aria-hidden": "true" }, s("use", { href: `#disc-${side}` }));
}

export const reducedMotion = matchMedia("(prefers-reduced-motion: reduce)");

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value !== null && value !== false && value !== undefined) element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}
