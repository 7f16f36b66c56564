// The lamps, exactly as the controller lights them: rings round the cells, one by each button, two for the turn.

import { s } from "./dom.js";
import { HOLE } from "./geometry.js";

export class Lamps {
  constructor(g) {
    this.behind = s("g", { class: "lamps" });
    this.front = s("g", { class: "lamps" });
    this.cells = [];
    for (const column of g.playable) {
      for (let row = 1; row <= g.rows; row++) this.cells.push(this.cell(g.x(column), g.y(row)));
    }
    this.columns = [];
    for (const column of g.playable) {
      this.columns.push(this.small(g.x(column), g.lamp, 7));
    }
    this.turns = ["red", "yellow"].map((side, index) => {
      const y = (g.keyRows[index] ?? g.keyRows[0]).y - 8;
      const inwards = g.filled.length ? g.post / 2 : 24;
      const x = index ? g.width - g.postLeft - inwards : g.postLeft + inwards;
      const lamp = this.small(x, y, 15);
      this.front.append(
        s("use", { href: `#disc-${side}`, transform: `translate(${x} ${y + 38}) scale(.27)`, class: "turn-sign" }),
      );
      return lamp;
    });
    this.shown = new Map();
  }

  /** Show a lamps message, whose columns are the playable ones; null is dark. */
  show(lamps) {
    let index = 0;
    const rows = this.cells.length / this.columns.length;
    for (let column = 0; column < this.columns.length; column++) {
      for (let row = 0; row < rows; row++) light(this.cells[index++], lamps?.cells?.[column]?.[row]);
      light(this.columns[column], lamps?.columns?.[column]);
    }
    this.turns.forEach((lamp, turn) => light(lamp, lamps?.turns?.[turn]));
  }

  cell(x, y) {
    const inside = s("circle", { cx: x, cy: y, r: HOLE, class: "glow-inside" });
    const ring = s("g", {}, s("circle", { cx: x, cy: y, r: 45, class: "glow" }), s("circle", { cx: x, cy: y, r: 45, class: "ring" }));
    this.behind.append(inside);
    this.front.append(ring);
    return [inside, ring];
  }

  small(x, y, r) {
    const lit = s(
      "g",
      {},
      s("circle", { cx: x, cy: y, r: r * 1.9, class: "halo" }),
      s("circle", { cx: x, cy: y, r: r * 1.35, class: "halo" }),
      s("circle", { cx: x, cy: y, r, class: "bulb" }),
      s("circle", { cx: x, cy: y, r: r * 0.55, class: "core" }),
    );
    this.front.append(
      s("circle", { cx: x, cy: y, r: r + 3, class: "socket" }),
      s("circle", { cx: x, cy: y, r, class: "unlit" }),
      lit,
      s("circle", { cx: x - r * 0.3, cy: y - r * 0.35, r: r * 0.28, class: "reflex" }),
    );
    return [lit];
  }
}

function light(parts, colour = "#000000") {
  if (parts.colour === colour) return;
  parts.colour = colour;
  const [hue, strength] = seen(colour);
  for (const part of parts) {
    part.setAttribute("color", hue);
    part.setAttribute("opacity", strength);
  }
}

/** How an eye sees a lamp: its hue at full strength, and how strong; a tenth of the current is far from a tenth of the light. */
function seen(colour) {
  const parts = [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16) || 0);
  const most = Math.max(...parts);
  if (most === 0) return ["#000", 0];
  const hue = parts.map((part) => Math.round((part / most) * 255));
  return [`rgb(${hue})`, Math.pow(most / 255, 0.45).toFixed(3)];
}
