// What is drawn over the panel: the last move, the move being made, lines, differences, the menu.

import { s } from "./dom.js";
import { CELL, HOLE } from "./geometry.js";
import { sideOf } from "./words.js";

/** The marks for one picture; a new group each time, since they are few. */
export function marks(g, { last, tentative, outcome, differences, asked, menu, step }) {
  const group = s("g", { class: "marks" });
  if (step) group.append(...whereTo(g, step));
  if (last) group.append(lastMove(g, last));
  if (tentative) group.append(...ghost(g, tentative));
  if (outcome) group.append(...lines(g, outcome));
  asked.forEach((cell, order) => group.append(s("circle", { ...at(g, cell), r: HOLE + 4, class: order ? "asked" : "asked first" })));
  for (const difference of differences) group.append(differs(g, difference));
  if (menu) group.append(...entries(g, menu));
  return group;
}

/** Where the step at hand may go, and where it may not. */
function whereTo(g, { drops, pops, barred }) {
  return [
    ...drops.map((cell) => s("circle", { ...at(g, cell), r: HOLE - 7, class: "may-drop" })),
    ...pops.flatMap((cell) => {
      const { cx, cy } = at(g, cell);
      return [
        s("circle", { cx, cy, r: HOLE + 1, class: "may-pop" }),
        s("path", { d: `M${cx - 13} ${cy + 47}h26l-13 15z`, class: "may-pop-arrow" }),
      ];
    }),
    ...barred.map((cell) => {
      const { cx, cy } = at(g, cell);
      return s(
        "g",
        { class: "barred", transform: `translate(${cx} ${cy})` },
        s("circle", { r: HOLE, class: "barred-veil" }),
        s("circle", { r: 21, class: "barred-ring" }),
        s("path", { d: "M-14 14L14 -14", class: "barred-ring" }),
      );
    }),
  ];
}

function lastMove(g, { kind, column, row }) {
  if (kind === "pop") {
    const x = g.x(column);
    const y = g.panelBottom - 17;
    return s("path", { d: `M${x - 17} ${y}L${x} ${y + 12}L${x + 17} ${y}`, class: "last" });
  }
  if (kind !== "drop") return s("g");
  const x = g.x(column);
  const y = g.y(row);
  const corner = (start) => {
    const point = (angle) => `${x + 50 * Math.cos(angle)} ${y + 50 * Math.sin(angle)}`;
    return `M${point(start)}A50 50 0 0 1 ${point(start + 0.62)}`;
  };
  const d = [0, 1, 2, 3].map((quarter) => corner((quarter + 0.5) * (Math.PI / 2) - 0.31)).join("");
  return s("path", { d, class: "last" });
}

function ghost(g, { kind, column, row, side, power }) {
  const x = g.x(column);
  if (kind === "pop") {
    const y = g.y(1);
    return [
      s("circle", { cx: x, cy: y, r: HOLE - 3, class: "ghost-ring" }),
      s("path", { d: `M${x} ${y - 12}v34M${x - 15} ${y + 9}L${x} ${y + 24}L${x + 15} ${y + 9}`, class: "ghost-arrow" }),
    ];
  }
  const y = g.y(row);
  return [
    s("use", { href: `#disc-${side}`, transform: `translate(${x} ${y}) scale(.9)`, class: "ghost" }),
    ...(power ? [s("use", { href: `#sign-${power}`, transform: `translate(${x} ${y}) scale(1.15)`, class: "ghost-sign" })] : []),
    s("circle", { cx: x, cy: y, r: HOLE - 3, class: "ghost-ring" }),
  ];
}

function lines(g, { winner, lines: found }) {
  const drawn = [];
  const sides = ["red", "yellow"].sort((one, other) => (one === winner) - (other === winner));
  for (const side of sides) {
    const won = side === winner;
    for (const line of found?.[side] ?? []) {
      const points = line.map(([column, row]) => `${g.x(column)} ${g.y(row)}`);
      const d = `M${points.join("L")}`;
      if (won) drawn.push(s("path", { d, class: "line-casing" }));
      drawn.push(s("path", { d, class: won ? "line-won" : "line-lost" }));
    }
    for (const cell of new Set((found?.[side] ?? []).flat().map(String))) {
      const [column, row] = cell.split(",").map(Number);
      if (won) drawn.push(s("circle", { ...at(g, [column, row]), r: HOLE - 1, class: "cell-casing" }));
      drawn.push(s("circle", { ...at(g, [column, row]), r: HOLE - 1, class: won ? "cell-won" : "cell-lost" }));
    }
  }
  return drawn;
}

function differs(g, { column, row, seen, believed }) {
  const x = g.x(column);
  const y = g.y(row);
  const group = s("g", {});
  if (believed) {
    if (!seen) {
      group.append(s("use", { href: `#disc-${sideOf[believed]}`, transform: `translate(${x} ${y}) scale(.8)`, class: "believed" }));
    }
    group.append(s("circle", { cx: x, cy: y, r: HOLE - 4, class: `outline outline-${sideOf[believed]}` }));
  } else {
    const d = `M${x - 17} ${y - 17}l34 34m0 -34l-34 34`;
    group.append(s("path", { d, class: "too-much-casing" }), s("path", { d, class: "too-much" }));
  }
  const badge = s(
    "g",
    { transform: `translate(${x + 31} ${y - 31})` },
    s("use", { href: "#warning", class: "warning" }),
    s("path", { d: "M0 -8v11M0 8v1", class: "warning-sign" }),
  );
  group.append(badge);
  return group;
}

function entries(g, { entries: all, level }) {
  const height = g.panelBottom - g.panelTop;
  const asks = level === "resume"; // after the game that it asks about, which must be seen
  const veil = { x: g.left, y: g.panelTop, width: g.panelWidth, height, rx: 14, class: "veil" };
  const drawn = asks ? [] : [s("rect", veil)];
  for (const { column, text } of all) {
    if (column > g.last) continue;
    const x = g.x(column);
    const length = g.rows * CELL - 30;
    // An entry that is too long for the column gets smaller letters, never fewer.
    const size = Math.min(38, length / (text.length * 0.56));
    const tall = asks ? Math.min(text.length * size * 0.68 + 50, g.rows * CELL) : g.rows * CELL;
    drawn.push(s("rect", { x: x - 40, y: g.gridTop, width: 80, height: tall, rx: 18, class: asks ? "entry alone" : "entry" }));
    const label = s("text", {
      transform: `translate(${x} ${g.gridTop + tall - 14}) rotate(-90)`, class: "entry-text", "font-size": size,
    });
    label.textContent = text;
    drawn.push(label);
  }
  return drawn;
}

function at(g, [column, row]) {
  return { cx: g.x(column), cy: g.y(row) };
}
