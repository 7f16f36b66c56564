// The fixed parts of the board, drawn once for a size: panel, slots, bar, tray, console, buttons, posts.

import { s } from "./dom.js";
import { CELL, DISC, HOLE, SLIDE, circlePath } from "./geometry.js";
import { signs } from "./signs.js";

const STAR = star(5, 20, 9);

/** Gradients and the shapes that are used many times. */
export function definitions() {
  return s(
    "defs",
    {},
    linear("g-panel", ["0", "panel-1"], ["0.5", "panel-2"], ["1", "panel-3"]),
    s("linearGradient", { id: "g-gloss", x1: 0, y1: 0, x2: 0.8, y2: 1 }, stop(["0", "gloss-1"]), stop(["0.42", "gloss-0"])),
    linear("g-lip", ["0", "lip-1"], ["1", "lip-2"]),
    linear("g-steel", ["0", "steel-1"], ["0.35", "steel-2"], ["1", "steel-3"]),
    linear("g-wood", ["0", "wood-1"], ["0.12", "wood-2"], ["1", "wood-3"]),
    linear("g-cap", ["0", "cap-1"], ["1", "cap-2"]),
    linear("g-back", ["0", "back-1"], ["1", "back-2"]),
    linear("g-tray", ["0", "tray-1"], ["1", "tray-2"]),
    linear("g-edge", ["0", "edge-1"], ["1", "edge-2"]),
    linear("g-edge-wood", ["0", "edge-wood-1"], ["1", "edge-wood-2"]),
    radial("g-red", 0.36, 0.28, ["0", "red-1"], ["0.55", "red-2"], ["1", "red-3"]),
    radial("g-yellow", 0.36, 0.28, ["0", "yellow-1"], ["0.55", "yellow-2"], ["1", "yellow-3"]),
    radial("g-shade", 0.5, 0.56, ["0.7", "shade-0"], ["0.9", "shade-1"], ["1", "shade-2"]),
    radial("g-shadow", 0.5, 0.5, ["0", "shadow-1"], ["1", "shadow-0"]),
    disc("red", s("circle", { r: 15.5, "stroke-width": 7.5, fill: "none" })),
    disc("yellow", s("path", { d: STAR, "stroke-width": 3, "stroke-linejoin": "round" })),
    rim("rim", "g-edge"),
    rim("rim-wood", "g-edge-wood"),
    ...signs(),
    s("path", { id: "warning", d: "M0 -19L20 15H-20Z", "stroke-linejoin": "round" }),
  );
}

/** Behind the discs: the dark inside of the board and the tray. */
export function insides(g) {
  return s(
    "g",
    {},
    s("ellipse", { cx: g.width / 2, cy: g.bottom + 8, rx: g.width / 2 - 4, ry: 20, fill: "url(#g-shadow)" }),
    s("rect", {
      x: g.left + 2, y: g.panelTop + 4, width: g.panelWidth - 4, height: g.panelBottom - g.panelTop, fill: "url(#g-back)",
    }),
    ...g.filled.map((column) =>
      s("rect", { x: g.x(column) - 48, y: g.panelTop, width: 96, height: g.panelBottom - g.panelTop, fill: "url(#g-back)" }),
    ),
    s("rect", { x: g.left, y: g.barTop, width: g.panelWidth, height: g.bar + g.tray, fill: "url(#g-tray)" }),
  );
}

/** In front of the discs: the panel with its holes and slots. */
export function panel(g) {
  const { holes, rims } = openings(g, g.playable, "rim");
  const outline = roundedTop(g.left, g.panelTop, g.panelWidth, g.panelBottom - g.panelTop, 14);
  const slots = s("g", {});
  for (const column of g.playable) {
    slots.append(s("rect", { class: "slot", x: g.x(column) - 43, y: g.panelTop + 5, width: 86, height: 8, rx: 4 }));
  }
  return s(
    "g",
    { class: "panel" },
    s("path", { d: outline + holes, "fill-rule": "evenodd", fill: "url(#g-panel)" }),
    s("path", { d: outline + holes, "fill-rule": "evenodd", fill: "url(#g-gloss)" }),
    s("path", { d: roundedTop(g.left, g.panelTop, g.panelWidth, 18, 14), fill: "url(#g-lip)" }),
    slots,
    rims,
  );
}

/** The rail with the sliding bar; the bar itself is returned too. */
export function rail(g) {
  const left = 0;
  const right = g.width - SLIDE;
  const y = g.barTop + 2;
  const height = g.bar - 4;
  let plate = `M${left + 8} ${y}H${right}v${height}H${left + 8}q-8 0 -8 -8v${-(height - 16)}q0 -8 8 -8z`;
  for (const column of g.playable) {
    // The teeth stand under the discs; the gaps between them are as wide as a disc lets through when it slides.
    plate += rounded(g.x(column) - CELL / 2 - 32, y + 6, 64, height - 12, 6);
  }
  const bar = s(
    "g",
    { class: "bar" },
    s("path", { d: plate, "fill-rule": "evenodd", fill: "url(#g-steel)" }),
    s("path", { d: `M${left + 10} ${y + 1.5}H${right - 2}`, class: "glint" }),
  );
  for (let line = 0; line < 3; line++) {
    bar.append(s("path", { d: `M${left + 8 + line * 5} ${y + 6}v${height - 12}`, class: "grip" }));
  }
  return bar;
}

/** The posts, or the towers with the filled outer columns in their place; the console and what does not move on it. */
export function frame(g) {
  const right = g.left + g.panelWidth;
  const posts = g.filled.length
    ? g.filled.map((column, index) => tower(g, column, index ? right : g.postLeft))
    : [post(g, g.postLeft), post(g, right)];
  const width = g.width - 2 * g.postLeft + 16;
  const x = g.postLeft - 8;
  return {
    posts: s("g", {}, ...posts),
    console: s(
      "g",
      {},
      s("rect", { x, y: g.consoleTop, width, height: g.console, rx: 14, fill: "url(#g-wood)" }),
      s("rect", { x: x + 6, y: g.consoleTop + 4, width: width - 12, height: 3, rx: 1.5, class: "gleam" }),
      ...grain(x, g.consoleTop, width, g.console),
      s("rect", { x: x + 22, y: g.bottom - 1, width: 64, height: 12, rx: 5, class: "foot" }),
      s("rect", { x: x + width - 86, y: g.bottom - 1, width: 64, height: 12, rx: 5, class: "foot" }),
    ),
  };
}

function post(g, x) {
  return s(
    "g",
    {},
    s("rect", { x, y: g.panelTop - 12, width: g.post, height: g.bottom - g.panelTop + 4, rx: 8, fill: "url(#g-wood)" }),
    s("rect", { x: x + 3, y: g.panelTop - 9, width: 3, height: g.bottom - g.panelTop - 10, rx: 1.5, class: "gleam" }),
    s("rect", { x: x - 1, y: g.barTop - 1, width: g.post + 2, height: g.bar + 2, class: "guide" }),
  );
}

/** A thick post, closed at the top, with the discs of a filled outer column in it, and its number. */
function tower(g, column, x) {
  const { holes, rims } = openings(g, [column], "rim-wood");
  const top = g.panelTop - 12;
  const height = g.bottom - top - 8;
  const outline = roundedTop(x, top, g.post, height, 16);
  const number = s("text", { x: g.x(column), y: g.trayTop + g.tray / 2 - 2, class: "tower-number" });
  number.textContent = String(column);
  return s(
    "g",
    { class: "tower" },
    s("path", { d: outline + holes, "fill-rule": "evenodd", fill: "url(#g-wood)" }),
    ...[0.24, 0.5, 0.77].map((part) => s("path", { d: `M${x + g.post * part} ${top + 14}v${g.gridTop - top - 22}`, class: "grain" })),
    s("rect", { x: x + 4, y: top + 10, width: 3, height: height - 20, rx: 1.5, class: "gleam" }),
    s("rect", { x: x + 14, y: top + 9, width: g.post - 28, height: 9, rx: 4.5, class: "lid" }),
    rims,
    s("rect", { x: x - 1, y: g.barTop - 1, width: g.post + 2, height: g.bar + 2, class: "guide" }),
    number,
  );
}

/** The holes of these columns as a path, and their rims. */
function openings(g, columns, rim) {
  let holes = "";
  const rims = s("g", {});
  for (const column of columns) {
    for (let row = 1; row <= g.rows; row++) {
      holes += circlePath(g.x(column), g.y(row), HOLE);
      rims.append(s("use", { href: `#${rim}`, x: g.x(column), y: g.y(row), "data-column": column }));
    }
  }
  return { holes, rims };
}

/** The push button of a column: a well, and the cap that goes down in it; with its side's disc, where it is one side's. */
export function button(g, column, { side, y }) {
  const x = g.x(column);
  const number = s("text", { x: side ? x - 11 : x, y: y - 1, class: "number" });
  number.textContent = String(column);
  const cap = s(
    "g",
    { class: "cap" },
    s("rect", { x: x - 31, y: y - 22, width: 62, height: 48, rx: 12, class: "cap-side" }),
    s("rect", { x: x - 31, y: y - 26, width: 62, height: 44, rx: 12, fill: "url(#g-cap)" }),
    s("rect", { x: x - 27, y: y - 24, width: 54, height: 14, rx: 7, class: "cap-shine" }),
    number,
    ...(side ? [s("use", { href: `#disc-${side}`, transform: `translate(${x + 14} ${y - 3}) scale(.26)` })] : []),
  );
  const ring = s("rect", {
    x: x - 37, y: y - 31, width: 74, height: 64, rx: 17, class: "hold", pathLength: 100, "stroke-dasharray": "0 100",
  });
  const group = s(
    "g",
    { class: side ? `button of-${side}` : "button" },
    s("rect", { x: x - 36, y: y - 27, width: 72, height: 60, rx: 16, class: "well" }),
    cap,
    ring,
  );
  return { group, ring };
}

function rim(id, edge) {
  return s(
    "g",
    { id },
    s("circle", { r: HOLE + 0.5, fill: "url(#g-shade)" }),
    s("circle", { r: HOLE + 0.8, class: "rim", stroke: `url(#${edge})` }),
    s("circle", { r: 45, class: "lens" }),
  );
}

function disc(side, mark) {
  // The mark is embossed: once dark and a little lower, once light and a little higher, and once itself.
  const stamp = (name, dy) => {
    const copy = mark.cloneNode(true);
    copy.setAttribute("class", `${side}-${name}`);
    copy.setAttribute("transform", `translate(0 ${dy})`);
    return copy;
  };
  return s(
    "g",
    { id: `disc-${side}` },
    s("circle", { r: DISC, fill: `url(#g-${side})` }),
    s("circle", { r: DISC - 1.2, class: `${side}-edge` }),
    s("circle", { r: 32.5, class: `${side}-groove` }),
    s("circle", { r: 31, class: `${side}-ridge` }),
    stamp("light", 1.6),
    stamp("dark", -1.4),
    stamp("mark", 0),
  );
}

function grain(x, y, width, height) {
  return [0.22, 0.47, 0.71, 0.88].map((part, line) => {
    const at = y + height * part;
    const wave = line % 2 ? 5 : -4;
    const d = `M${x + 12} ${at}q${width / 4} ${wave} ${width / 2 - 12} 0t${width / 2 - 12} 0`;
    return s("path", { d, class: "grain" });
  });
}

function star(points, outer, inner) {
  let path = "";
  for (let step = 0; step < points * 2; step++) {
    const radius = step % 2 ? inner : outer;
    const angle = (Math.PI * step) / points - Math.PI / 2;
    path += `${step ? "L" : "M"}${(radius * Math.cos(angle)).toFixed(2)} ${(radius * Math.sin(angle)).toFixed(2)}`;
  }
  return path + "Z";
}

function rounded(x, y, width, height, r) {
  return `M${x + r} ${y}h${width - 2 * r}q${r} 0 ${r} ${r}v${height - 2 * r}q0 ${r} ${-r} ${r}h${2 * r - width}q${-r} 0 ${-r} ${-r}v${2 * r - height}q0 ${-r} ${r} ${-r}z`;
}

function roundedTop(x, y, width, height, r) {
  return `M${x} ${y + height}v${r - height}q0 ${-r} ${r} ${-r}h${width - 2 * r}q${r} 0 ${r} ${r}v${height - r}z`;
}

function linear(id, ...stops) {
  return s("linearGradient", { id, x1: 0, y1: 0, x2: 0, y2: 1 }, ...stops.map(stop));
}

function radial(id, cx, cy, ...stops) {
  return s("radialGradient", { id, cx, cy, r: id.startsWith("g-sh") ? 0.5 : 0.75 }, ...stops.map(stop));
}

function stop([offset, name]) {
  return s("stop", { offset, class: `stop-${name}` });
}
