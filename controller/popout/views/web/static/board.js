// The board: its parts as SVG, and over them the real buttons that mouse, touch, keyboard and screen reader use.

import { byId, h, memo, reducedMotion, s, set, write } from "./dom.js";
import { Discs } from "./discs.js";
import { DISC, SLIDE, geometry, keyName } from "./geometry.js";
import { Lamps } from "./lamps.js";
import { marks } from "./marks.js";
import { button, definitions, frame, insides, panel, rail } from "./parts.js";
import { sideOf, t } from "./words.js";

export class Board {
  constructor(root) {
    this.root = root;
    this.size = "";
  }

  /** Draw the parts for these rules, if the board is another than before; `twoRows`: each side has its own buttons. */
  shape({ columns, rows, firstColumn }, twoRows) {
    const size = `${columns}x${rows} from ${firstColumn} ${twoRows}`;
    if (this.size === size) return;
    this.size = size;
    this.changed = memo();
    const g = geometry(columns, rows, firstColumn, twoRows);
    this.g = g;
    const discLayer = s("g", {});
    this.discs = new Discs(discLayer, g);
    this.lamps = new Lamps(g);
    this.fallen = s("g", {});
    this.held = s("use", { class: "held" });
    this.heldSign = s("use", { class: "held-sign" });
    this.holding = s("g", { class: "holding" }, this.held, this.heldSign);
    this.bar = rail(g);
    this.marks = s("g");
    this.caption = s("text", { x: g.width / 2, y: g.trayTop + g.tray / 2 - 2, class: "caption" });
    const { posts, console } = frame(g);
    this.keys = g.keyRows.flatMap((row) => g.playable.map((column) => ({ column, side: row.side, ...button(g, column, row) })));
    const keys = s("g", {}, ...this.keys.map((key) => key.group));
    const svg = s(
      "svg",
      { viewBox: `0 0 ${g.width} ${g.height}`, "aria-hidden": "true", focusable: "false", class: "picture" },
      insides(g), this.lamps.behind, this.caption, this.fallen, this.holding, discLayer, panel(g), this.bar,
      posts, console, keys, this.lamps.front,
    );
    this.svg = svg;
    svg.append(this.marks);
    this.buttons = h("div", { class: "columns", role: "group", "aria-label": t("columns") });
    this.columnButtons = g.playable.map((column, index) =>
      h("button", { type: "button", class: "column", "data-column": column, tabindex: index ? -1 : 0 }),
    );
    this.buttons.append(...this.columnButtons);
    this.barButton = h("button", { type: "button", class: "slide", role: "switch", "aria-label": t("bar") });
    this.place(this.buttons, g.gridLeft, 0, columns * 100, g.bottom);
    this.place(this.barButton, 0, g.barTop - 4, g.width, g.bar + g.tray);
    this.root.style.setProperty("--units-wide", g.width);
    this.root.style.setProperty("--units-high", g.height);
    this.root.style.setProperty("--columns", columns);
    const outer = g.filled.map((column) => {
      const tower = h("div", { class: "outer", role: "img", "data-outer": column, "aria-label": t("outer", { column }) });
      this.place(tower, g.x(column) - g.post / 2, g.panelTop - 12, g.post, g.panelBottom - g.panelTop + 12);
      return tower;
    });
    this.ownKeys = twoRows ? g.keyRows.map((row) => this.ownRow(row)) : [];
    this.root.replaceChildren(svg, this.buttons, ...outer, this.barButton, ...this.ownKeys);
  }

  /** Show one picture of the game; see `picture` in main.js for what it holds. */
  show(picture) {
    const { grid, bar, past } = picture;
    this.root.classList.toggle("past", past);
    this.discs.show(grid, picture);
    this.changed("bar", bar, () => {
      const part = { open: 1, half: 0.5, closed: 0 }[bar] ?? 0;
      this.bar.style.transform = `translateX(${part * SLIDE}px)`;
      this.bar.classList.toggle("open", bar === "open");
      set(this.barButton, { "aria-checked": bar === "open" ? "true" : "false", title: t(bar === "open" ? "barOpen" : "barClosed") });
    });
    this.changed("caption", [bar, past], () => {
      this.caption.classList.toggle("open", bar !== "closed");
      write(this.caption, past || this.g.columns < 4 ? "" : t(bar === "closed" ? "captionClosed" : "captionOpen"));
    });
    this.changed("fallen", picture.fallen, () => this.showFallen(picture.fallen));
    const { last, tentative, outcome, differences, asked, menu, step } = picture;
    this.changed("marks", [last, tentative, outcome, differences, asked, menu, step], () => {
      const fresh = marks(this.g, picture);
      this.marks.replaceWith(fresh);
      this.marks = fresh;
    });
    for (const { group, ring, column, side } of this.keys) {
      const pressed = picture.pressed.has(keyName(column, side));
      group.classList.toggle("pressed", pressed);
      const held = picture.holding.has(column) && (pressed || !side) ? Math.round(picture.progress * 100) : 0;
      set(ring, { "stroke-dasharray": `${held} 100` });
    }
    const blocked = picture.blocked ? "true" : null;
    this.columnButtons.forEach((each, index) => set(each, { "aria-label": picture.labels[index], "aria-disabled": blocked }));
    for (const row of this.ownKeys) for (const key of row.children) set(key, { "aria-disabled": blocked });
  }

  /** The row of buttons of one side; elsewhere in a column, a press is that of the side to move. */
  ownRow({ side, y }) {
    const keys = this.g.playable.map((column, index) =>
      h("button", {
        type: "button", class: "key", "data-column": column, "data-side": side, tabindex: index ? -1 : 0,
        "aria-label": t(side === "red" ? "keyRed" : "keyYellow", { column }),
      }),
    );
    const row = h("div", { class: "columns", role: "group", "aria-label": t(side === "red" ? "keysRed" : "keysYellow") }, ...keys);
    this.place(row, this.g.gridLeft, y - 30, this.g.columns * 100, 62);
    return row;
  }

  /** Hold a disc over a column, where it would go in, or where it came from if it is `waiting`; null takes it away. */
  hold(column, side, { power = null, waiting = false } = {}) {
    const there = Boolean(column && side);
    for (const part of [this.held, this.heldSign]) part.classList.toggle("there", there);
    this.holding.classList.toggle("waiting", there && waiting);
    if (!there) return;
    set(this.held, { href: `#disc-${side}` });
    set(this.heldSign, { href: power ? `#sign-${power}` : null });
    this.holding.style.transform = `translate(${this.g.x(column)}px, ${this.g.above}px)`;
  }

  showFallen(fallen) {
    const room = this.g.panelWidth - 2 * DISC;
    const step = Math.min(94, room / Math.max(fallen.length - 1, 1));
    const lying = fallen.map((letter, index) =>
      s("use", {
        href: `#disc-${sideOf[letter]}`,
        class: "lying",
        transform: `translate(${this.g.left + DISC + 6 + index * step} ${this.g.floor + (index % 3) * 3}) scale(.9 .3)`,
      }),
    );
    const fresh = fallen.length - this.fallen.childElementCount;
    const moving = this.discs.shown !== null && !reducedMotion.matches && fresh > 0;
    this.fallen.replaceChildren(...lying);
    // A disc lies in the tray once it has fallen there.
    if (moving) for (const disc of lying.slice(-fresh)) disc.animate([{ opacity: 0 }, { opacity: 0, offset: 0.99 }, { opacity: 1 }], 260);
  }

  place(element, x, y, width, height) {
    const { g } = this;
    element.style.left = `${(x / g.width) * 100}%`;
    element.style.top = `${(y / g.height) * 100}%`;
    element.style.width = `${(width / g.width) * 100}%`;
    element.style.height = `${(height / g.height) * 100}%`;
  }
}

/** The gradients and disc shapes, once for the whole page. */
export function drawDefinitions() {
  byId("definitions").append(definitions());
}
