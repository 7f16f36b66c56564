// The dialog in which somebody says what is really on the board: it is compared with what the game has, and then either
// the hands are guided to put it right, or the game goes on from it.

import { byId, h, set, write } from "./dom.js";
import { SetUp } from "./setup.js";
import { SmallBoard, differing } from "./smallboard.js";
import { sideOf, t } from "./words.js";

const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

export class Editor {
  /** `send(command)` sends it and says whether it could. */
  constructor(send) {
    this.send = send;
    this.dialog = byId("editor");
    this.board = new SmallBoard(byId("editor-board"));
    this.setUp = new SetUp(send, () => this.discs);
    const on = (id, action) => byId(id).addEventListener("click", action);
    on("editor-again", () => this.begin(this.believed));
    on("editor-empty", () => this.begin(this.believed.map(() => "")));
    on("editor-guide", () => this.differences.length && this.tell({ do: "correct", grid: this.discs }));
    on("editor-take", () => this.turnTo(true));
    on("editor-back", () => this.turnTo(false));
    on("editor-set", () => this.setUp.ready && this.tell({ do: "set-up", ...this.setUp.said() }));
    byId("editor-board").addEventListener("click", (event) => this.tapped(event));
    byId("editor-board").addEventListener("keydown", (event) => this.keyDown(event));
  }

  get isOpen() {
    return this.dialog.open;
  }

  /** Open it with what is known of the discs; `setting`: go on from those at once. */
  open(state, setting = false) {
    this.state = state;
    this.outer = state.rules.firstColumn - 1;
    if (this.board.shape(state.rules)) this.layCells();
    this.begin(known(state, this.outer));
    this.turnTo(setting);
    if (!this.isOpen) this.dialog.showModal();
    this.cells.find((cell) => cell.tabIndex === 0)?.focus();
  }

  /** The state has changed: what differs may be something else; with other rules nothing of this makes sense. */
  show(state) {
    if (!this.isOpen) return;
    const same = this.state.rules.text === state.rules.text;
    this.state = state;
    if (!same) this.dialog.close();
    else this.draw();
  }

  considered(message) {
    this.setUp.considered(message);
  }

  refused(message) {
    if (message.do === "consider") this.setUp.refused(message.text);
    else this.say(message.text);
  }

  /** What the game has in the columns that can be played. */
  get believed() {
    return this.inner(this.state.grid);
  }

  inner(grid) {
    return grid.slice(this.outer, grid.length - this.outer);
  }

  /** All columns, the filled outer ones as well. */
  get whole() {
    const { grid } = this.state;
    return [...grid.slice(0, this.outer), ...this.discs, ...grid.slice(grid.length - this.outer)];
  }

  begin(discs) {
    this.discs = [...discs];
    this.draw();
  }

  turnTo(setting) {
    this.say("");
    for (const each of this.dialog.querySelectorAll("[data-when]")) each.hidden = (each.dataset.when === "setting") !== setting;
    this.dialog.classList.toggle("setting", setting);
    for (const cell of this.cells) cell.disabled = setting;
    if (setting) this.setUp.open(this.state);
    else this.setUp.close();
    this.dialog.scrollTop = 0;
  }

  tell(command) {
    this.say("");
    if (!this.send(command)) this.say(t("notNow"));
  }

  say(text) {
    write(byId("editor-refused"), text);
    byId("editor-refused").hidden = !text;
  }

  layCells() {
    const { g } = this.board;
    this.cells = this.board.overlay({ class: "cells", role: "group", "aria-label": t("editorCells") }, (column, row) =>
      h("button", { type: "button", class: "cell", "data-column": column, "data-row": row, tabindex: column === g.first && row === 1 ? 0 : -1 }),
    );
  }

  draw() {
    this.differences = differing(this.whole, this.state.grid);
    this.board.show({ grid: this.whole, differences: this.differences });
    const wrong = new Map(this.differences.map((each) => [`${each.column} ${each.row}`, each]));
    for (const cell of this.cells) {
      const { column, row } = cell.dataset;
      const side = sideOf[this.discs[column - 1 - this.outer][row - 1]];
      const what = t(side ? `cell ${side}` : "cell empty", { column, row });
      const difference = wrong.get(`${column} ${row}`);
      const other = difference && sideOf[difference.believed];
      set(cell, { "aria-label": difference ? `${what} ${t(other ? `game ${other}` : "game empty")}` : what });
    }
    const count = this.differences.length;
    write(byId("editor-count"), count ? t("editorCount", { count: String(count) }) : t("editorSame"));
    byId("editor-count").classList.toggle("calls", count > 0);
    set(byId("editor-guide"), { "aria-disabled": count ? null : "true" });
  }

  tapped(event) {
    const cell = event.target.closest(".cell");
    if (cell) this.put(cell, this.dialog.querySelector("[name=brush]:checked").value);
  }

  /** Put a disc on top or change the one that is there; or with no letter take one out, so that those above come down. */
  put(cell, letter) {
    const index = cell.dataset.column - 1 - this.outer;
    const row = Number(cell.dataset.row);
    const column = this.discs[index];
    const at = Math.min(row, letter ? column.length + 1 : column.length) - 1;
    if (at < 0) return;
    this.discs[index] = column.slice(0, at) + letter + column.slice(at + 1);
    this.say("");
    this.draw();
  }

  keyDown(event) {
    const cell = event.target.closest(".cell");
    if (!cell) return;
    if (event.key === "Delete" || event.key === "Backspace") {
      event.preventDefault();
      this.put(cell, "");
    } else if (STEPS[event.key]) {
      event.preventDefault();
      const [right, up] = STEPS[event.key];
      const at = (name, by) => Number(cell.dataset[name]) + by;
      const to = this.cells.find(({ dataset }) => Number(dataset.column) === at("column", right) && Number(dataset.row) === at("row", up));
      if (!to) return;
      cell.tabIndex = -1;
      to.tabIndex = 0;
      to.focus();
    }
  }
}

/** What is known of the discs: those of a simulated board, or what was said before, or else what the game has. */
function known({ grid, twin, differs }, outer) {
  if (twin?.differences.length) return twin.grid;
  return (differs?.seen ?? grid).slice(outer, grid.length - outer);
}
