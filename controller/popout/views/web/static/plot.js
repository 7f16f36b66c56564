// Bars, drawn as SVG: readable without colours, and with the same numbers as a table for those who do not see them.

import { h, s } from "./dom.js";
import { t } from "./words.js";

const WIDTH = 560;
const HEIGHT = 230;
const LEFT = 40;
const RIGHT = 8;
const TOP = 20;
const BOTTOM = 34;
const WIDEST = 46; // a bar
const LABEL = 54; // room that a label under the bars needs

/** The patterns of the parts, once for the whole page: each has a shape of its own besides its colour. */
export function barPatterns() {
  const pattern = (name, size, ...shapes) =>
    s("pattern", { id: `bar-${name}`, width: size, height: size, patternUnits: "userSpaceOnUse" }, s("rect", { width: size, height: size, class: `bar-${name}` }), ...shapes);
  return s(
    "defs",
    {},
    pattern("red", 6, s("circle", { cx: 3, cy: 3, r: 1.1, class: "bar-red-mark" })),
    pattern("yellow", 8, s("path", { d: "M-2 6L6 -2M2 10L10 2", class: "bar-yellow-mark" })),
    pattern("draw", 6, s("path", { d: "M0 3h6", class: "bar-draw-mark" })),
    pattern("unfinished", 6, s("circle", { cx: 3, cy: 3, r: 0.8, class: "bar-unfinished-mark" })),
    pattern("all", 9),
  );
}

/**
 * A figure of bars. `bars` have a `label` under them (as many are written as there is room for), a `name` in full, and
 * `parts`, numbers from the bottom up; `series` has a key and a name for each of the parts.
 */
export function barFigure(title, axis, bars, series) {
  const totals = bars.map(({ parts }) => parts.reduce((sum, part) => sum + part, 0));
  const { most, by } = scale(Math.max(...totals));
  const y = (value) => HEIGHT - BOTTOM - (value / most) * (HEIGHT - BOTTOM - TOP);
  const room = (WIDTH - LEFT - RIGHT) / bars.length;
  const width = Math.min(room * 0.74, WIDEST);
  const every = Math.ceil(LABEL / room);
  const drawn = [];
  for (let value = 0; value <= most; value += by) {
    drawn.push(s("path", { d: `M${LEFT} ${y(value)}H${WIDTH - RIGHT}`, class: value ? "plot-line" : "plot-floor" }));
    drawn.push(text(LEFT - 8, y(value) + 4, String(value), "plot-number"));
  }
  bars.forEach(({ label, name, parts }, index) => {
    const x = LEFT + room * (index + 0.5);
    let sum = 0;
    const group = s("g", {}, s("title", {}, `${name}: ${amounts(parts, series)}`));
    parts.forEach((part, number) => {
      if (!part) return;
      const top = y(sum + part);
      group.append(s("rect", { x: x - width / 2, y: top, width, height: y(sum) - top, rx: Math.min(2.5, width / 4), class: `bar-part of-${series[number].key}`, fill: `url(#bar-${series[number].key})` }));
      sum += part;
    });
    if (sum && width >= 14) group.append(text(x, y(sum) - 6, String(sum), "plot-total"));
    drawn.push(group);
    if (index % every === 0) drawn.push(text(x, HEIGHT - BOTTOM + 18, label, "plot-label"));
  });
  const picture = s("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "plot", role: "img", "aria-label": `${title}. ${axis}` }, ...drawn);
  const scroller = h("div", { class: "plot-room" }, picture);
  return h("figure", { class: "figure" }, h("figcaption", {}, h("b", {}, title), h("span", { class: "quiet" }, axis)), scroller, ...(series.length > 1 ? [legend(series)] : []), table(title, bars, series));
}

function legend(series) {
  const entries = series.map(({ key, name }) =>
    h("li", {}, s("svg", { class: "swatch", viewBox: "0 0 28 20", "aria-hidden": "true" }, s("rect", { x: 1, y: 1, width: 26, height: 18, rx: 4, class: `bar-part of-${key}`, fill: `url(#bar-${key})` })), name),
  );
  return h("ul", { class: "legend" }, ...entries);
}

function table(title, bars, series) {
  const heads = ["", ...series.map(({ name }) => name)].map((name) => h("th", { scope: "col" }, name));
  const rows = bars.filter(({ parts }) => parts.some(Boolean)).map(({ name, parts }) => h("tr", {}, h("th", { scope: "row" }, name), ...parts.map((part) => h("td", {}, String(part)))));
  return h("details", {}, h("summary", {}, t("asTable")), h("div", { class: "plot-room" }, h("table", { "aria-label": title }, h("thead", {}, h("tr", {}, ...heads)), h("tbody", {}, ...rows))));
}

function amounts(parts, series) {
  return parts.flatMap((part, number) => (part ? [series.length > 1 ? `${series[number].name} ${part}` : String(part)] : [])).join(", ") || "0";
}

/** The highest line and how far the lines are apart, so that there are at most five of them with round numbers. */
function scale(highest) {
  let by = 1;
  for (let power = 1; Math.ceil(highest / by) > 4; power *= 10) {
    for (const step of [1, 2, 5]) {
      by = step * power;
      if (Math.ceil(highest / by) <= 4) break;
    }
  }
  return { by, most: Math.max(Math.ceil(highest / by), 1) * by };
}

function text(x, y, words, kind) {
  const element = s("text", { x, y, class: kind });
  element.textContent = words;
  return element;
}
