// The discs behind the panel. They are told a grid; how they move follows from what differs.

import { reducedMotion, s } from "./dom.js";
import { CELL } from "./geometry.js";
import { sideOf } from "./words.js";

const GRAVITY = 6.4e-3; // units per square millisecond: six rows in about 0.43 s
const BOUNCE = 0.05; // of the height that was fallen
const HIGHEST_BOUNCE = 16;

export class Discs {
  constructor(layer, geometry) {
    this.layer = layer;
    this.g = geometry;
    this.columns = Array.from({ length: geometry.gridColumns }, () => []);
    this.shown = null;
  }

  /**
   * Show a grid, one text a column, each from the bottom up.
   * `fromBelow` holds the columns in which discs are more likely to have left or come at the bottom; `crushed` those in
   * which one came from above for all that were there ("in"), or the other way round ("out").
   * `signs` are the power discs among them: column, row and letter of each.
   */
  show(grid, { fromBelow, crushed, signs }) {
    const moving = this.shown !== null && !reducedMotion.matches && !document.hidden;
    const before = this.shown ? this.discsIn(this.shown) : 0;
    this.emptying = before > 1 && !this.discsIn(grid); // a new game lets everything fall out
    grid.forEach((text, index) => {
      const column = index + 1;
      if (this.shown && this.shown[index] === text && !crushed.has(column)) return;
      this.change(column, text, fromBelow.has(column), crushed.get(column), moving);
    });
    this.shown = [...grid];
    this.sign(signs);
  }

  /** How many lie where they can be played. */
  discsIn(grid) {
    return this.g.playable.reduce((sum, column) => sum + (grid[column - 1]?.length ?? 0), 0);
  }

  sign(signs) {
    const at = new Map(signs.map(([column, row, letter]) => [`${column} ${row}`, letter]));
    this.columns.forEach((discs, index) => {
      discs.forEach((disc, row) => {
        const letter = at.get(`${index + 1} ${row + 1}`) ?? null;
        if (disc.sign === letter) return;
        disc.sign = letter;
        disc.element.replaceChildren(disc.element.firstChild, ...(letter ? [s("use", { href: `#sign-${letter}`, class: "disc-sign" })] : []));
      });
    });
  }

  change(column, text, below, crushed, moving) {
    const discs = this.columns[column - 1];
    const old = discs.map((disc) => disc.letter).join("");
    const kept = crushed ? allChanged(old, text, crushed) : align(old, text, below);
    const outBelow = discs.slice(0, kept.from);
    const outAbove = discs.slice(kept.from + kept.length);
    const staying = discs.slice(kept.from, kept.from + kept.length);
    outBelow.forEach((disc) => this.leave(disc, this.g.below, moving));
    outAbove.forEach((disc) => this.leave(disc, this.emptying ? this.g.below : this.g.above - CELL, moving));
    const rising = [...text.slice(0, kept.to)].map((letter) => this.make(column, letter, this.g.below));
    const falling = [...text.slice(kept.to + kept.length)].map((letter, order) =>
      this.make(column, letter, this.g.above - order * CELL),
    );
    const now = [...rising, ...staying, ...falling];
    now.forEach((disc, index) => this.move(disc, this.g.y(index + 1), moving));
    this.columns[column - 1] = now;
  }

  make(column, letter, y) {
    const element = s("g", { class: "disc" }, s("use", { href: `#disc-${sideOf[letter]}` }));
    this.layer.append(element);
    return { element, letter, sign: null, x: this.g.x(column), y };
  }

  move(disc, y, moving) {
    const from = disc.y;
    disc.y = y;
    disc.element.style.transform = place(disc.x, y);
    if (!moving || from === y) return;
    const [frames, duration] = y > from ? fall(disc.x, from, y) : lift(disc.x, from, y);
    disc.element.animate(frames, { duration });
  }

  leave(disc, y, moving) {
    if (!moving) {
      disc.element.remove();
      return;
    }
    const drop = y > disc.y;
    const duration = Math.sqrt((2 * Math.abs(y - disc.y)) / GRAVITY) + 60;
    const frames = [
      { transform: place(disc.x, disc.y), opacity: 1, easing: drop ? "cubic-bezier(.33,0,.67,.33)" : "ease-in" },
      { transform: place(disc.x, y), opacity: drop ? 1 : 0 },
    ];
    // Discs that leave pass behind those that stay.
    this.layer.prepend(disc.element);
    disc.element.animate(frames, { duration }).finished.then(
      () => disc.element.remove(),
      () => disc.element.remove(),
    );
  }
}

/**
 * Which run of discs stays when a column changes: old.slice(from, from + length) = now.slice(to, to + length),
 * as long as possible; among equals the one at the bottom, or with `below` the one that moved most.
 */
export function align(old, now, below) {
  for (let length = Math.min(old.length, now.length); length > 0; length--) {
    let best = null;
    for (let from = 0; from + length <= old.length; from++) {
      for (let to = 0; to + length <= now.length; to++) {
        if (old.slice(from, from + length) !== now.slice(to, to + length)) continue;
        if (best === null || (below && from + to > best.from + best.to)) best = { from, to, length };
      }
    }
    if (best) return best;
  }
  return { from: below ? old.length : 0, to: 0, length: 0 };
}

/** Nothing stays: a pile makes way at the bottom for what comes from above, or comes back while that one is lifted. */
function allChanged(old, now, way) {
  return way === "in" ? { from: old.length, to: 0, length: 0 } : { from: 0, to: now.length, length: 0 };
}

function place(x, y) {
  return `translate(${x}px, ${y}px)`;
}

/** A fall under gravity with two small bounces. */
function fall(x, from, to) {
  const height = Math.min((to - from) * BOUNCE, HIGHEST_BOUNCE);
  const time = (distance) => Math.sqrt((2 * distance) / GRAVITY);
  const steps = [time(to - from), time(height), time(height), time(height / 4), time(height / 4)];
  const duration = steps.reduce((sum, step) => sum + step, 0);
  const down = "cubic-bezier(.33,0,.67,.33)";
  const up = "cubic-bezier(.33,.67,.67,1)";
  const ys = [from, to, to - height, to, to - height / 4, to];
  let at = 0;
  const frames = ys.map((y, index) => {
    if (index) at += steps[index - 1];
    return { transform: place(x, y), offset: Math.min(at / duration, 1), easing: index % 2 ? up : down };
  });
  return [frames, duration];
}

function lift(x, from, to) {
  return [[{ transform: place(x, from), easing: "ease-in-out" }, { transform: place(x, to) }], 260];
}
