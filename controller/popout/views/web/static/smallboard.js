// A board in a dialog: the panel with its discs and marks, without bar, tray and buttons.

import { h, memo, s } from "./dom.js";
import { Discs } from "./discs.js";
import { CELL, geometry } from "./geometry.js";
import { marks } from "./marks.js";
import { frame, insides, panel } from "./parts.js";

const ABOVE = 16; // room over the panel for the tops of the posts
const BELOW = 2;

const NOTHING = {
  fromBelow: new Set(), crushed: new Map(), signs: [], last: null, tentative: null, outcome: null, differences: [],
  asked: [], menu: null, step: null,
};

export class SmallBoard {
  constructor(root) {
    this.root = root;
    root.classList.add("small-board");
    this.size = "";
  }

  /** Draw the parts for these rules, if the board is another than before. */
  shape({ columns, rows, firstColumn }) {
    const size = `${columns}x${rows} from ${firstColumn}`;
    if (this.size === size) return false;
    this.size = size;
    this.changed = memo();
    const g = geometry(columns, rows, firstColumn);
    this.g = g;
    this.top = g.panelTop - ABOVE;
    this.height = g.panelBottom + BELOW - this.top;
    const discLayer = s("g", {});
    this.discs = new Discs(discLayer, g);
    this.marks = s("g");
    this.root.style.setProperty("--shape", g.width / this.height);
    this.root.style.setProperty("--units-wide", g.width);
    this.root.replaceChildren(
      s(
        "svg",
        { viewBox: `0 ${this.top} ${g.width} ${this.height}`, class: "small-picture", "aria-hidden": "true", focusable: "false" },
        insides(g), discLayer, panel(g), frame(g).posts, this.marks,
      ),
    );
    return true;
  }

  /** Show a grid; what else there is to show is as in the picture of the large board. */
  show(given) {
    const picture = { ...NOTHING, ...given };
    this.discs.show(picture.grid, picture);
    const { last, outcome, differences, asked } = picture;
    this.changed("marks", [last, outcome, differences, asked], () => {
      const fresh = marks(this.g, picture);
      this.marks.replaceWith(fresh);
      this.marks = fresh;
    });
  }

  /** Lay a grid of elements over the cells that can be played: `make(column, row)` gives each, from the upper left. */
  overlay(attributes, make) {
    const { g } = this;
    const cells = [];
    for (let row = g.rows; row >= 1; row--) for (const column of g.playable) cells.push(make(column, row));
    const over = h("div", attributes, ...cells);
    const part = (length, whole) => `${(length / whole) * 100}%`;
    over.style.left = part(g.gridLeft, g.width);
    over.style.top = part(g.gridTop - this.top, this.height);
    over.style.width = part(g.columns * CELL, g.width);
    over.style.height = part(g.rows * CELL, this.height);
    over.style.gridTemplateColumns = `repeat(${g.columns}, minmax(0, 1fr))`;
    over.style.gridTemplateRows = `repeat(${g.rows}, minmax(0, 1fr))`;
    this.root.append(over);
    return cells;
  }
}

/** Where two grids differ, as the marks show it: what is seen and what is believed in each such cell. */
export function differing(seen, believed) {
  const found = [];
  seen.forEach((discs, index) => {
    const other = believed[index] ?? "";
    for (let row = 1; row <= Math.max(discs.length, other.length); row++) {
      const cell = { column: index + 1, row, seen: discs[row - 1] ?? null, believed: other[row - 1] ?? null };
      if (cell.seen !== cell.believed) found.push(cell);
    }
  });
  return found;
}
