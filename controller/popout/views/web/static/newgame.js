// The dialog for a new game: which game and with what combined, how large, how long a line, and the rules where books
// differ. The games, the options and what they mean come with the state; nothing of them is known here.

import { byId, h, s, set, write } from "./dom.js";
import { t } from "./words.js";

const SIZES = [[7, 6], [5, 4], [9, 7], [12, 10]];
const CELL = 10;

export class NewGame {
  /** `send(command)` sends it and says whether it could. */
  constructor(send) {
    this.send = send;
    this.dialog = byId("new-game");
    this.form = byId("new-game-form");
    this.form.addEventListener("submit", (event) => this.submit(event));
    this.form.addEventListener("input", (event) => {
      if (event.target.name === "game") for (const box of this.boxes) box.checked = false;
      this.update();
    });
    byId("new-game-cancel").addEventListener("click", () => this.dialog.close());
    for (const [columns, rows] of SIZES) {
      const button = h("button", { type: "button", class: "chip" }, t("size", { columns, rows }));
      button.addEventListener("click", () => {
        this.field("columns").value = columns;
        this.field("rows").value = rows;
        this.field("connect").value = this.chosen.connect;
        this.update();
      });
      byId("presets").append(button);
    }
  }

  field(name) {
    return this.form.elements[name];
  }

  open(state) {
    if (this.dialog.open) return;
    this.state = state;
    const { rules, games, limits, sizeFixed } = state;
    this.single = games.filter((game) => game.parts.length < 2);
    const now = games.find((game) => game.game === rules.game);
    const base = this.single.find((game) => game.parts.length === Math.min(1, now.parts.length) && game.parts.every((part) => now.parts.includes(part)));
    byId("games").replaceChildren(...this.single.map((game) => radio(game, game === base)));
    byId("combine").replaceChildren(
      ...this.single.filter((game) => game.parts.length).map((game) => tick("with", game.parts[0], game.title, game !== base && now.parts.includes(game.parts[0]))),
    );
    for (const name of ["columns", "rows", "connect"]) {
      const field = this.field(name);
      set(field, { min: limits[name][0], max: limits[name][1] });
      field.value = rules[name];
    }
    for (const name of ["columns", "rows"]) this.field(name).disabled = sizeFixed;
    byId("presets").hidden = sizeFixed;
    byId("size-fixed").hidden = !sizeFixed;
    this.options = state.options.map((option) => ({ ...option, row: rowOf(option) }));
    const essential = this.options.filter(isEssential);
    for (const row of byId("numbers").querySelectorAll(".essential")) row.remove();
    for (const { row } of essential) row.classList.add("essential");
    byId("numbers").append(...essential.map(({ row }) => row));
    byId("choices").replaceChildren(...this.options.filter((option) => !isEssential(option)).map(({ row }) => row));
    byId("losing-game").hidden = !state.moves.length || Boolean(state.outcome);
    this.form.querySelector("details").open = false;
    this.usual = now.connect;
    this.refuse("");
    this.update();
    this.dialog.showModal();
    this.form.querySelector("[name=game]:checked")?.focus();
  }

  /** Show why the controller refused. */
  refuse(text) {
    write(byId("new-game-refused"), text);
    byId("new-game-refused").hidden = !text;
    if (text) byId("new-game-refused").scrollIntoView({ block: "nearest" });
  }

  /** The game that is chosen, with all that it is combined with. */
  get chosen() {
    return this.made(this.parts) ?? this.base;
  }

  get base() {
    const name = this.form.querySelector("[name=game]:checked")?.value;
    return this.single.find((game) => game.game === name) ?? this.single[0];
  }

  get boxes() {
    return [...this.form.querySelectorAll("[name=with]")];
  }

  get parts() {
    return new Set([...this.base.parts, ...this.boxes.filter((box) => box.checked).map((box) => box.value)]);
  }

  /** The game that is made of exactly these parts, if there is one. */
  made(parts) {
    return this.state.games.find((game) => game.parts.length === parts.size && game.parts.every((part) => parts.has(part)));
  }

  update() {
    const { base, boxes } = this;
    for (const box of boxes) {
      // What goes with the game at all is offered; what does not go with the other ticks is not at the moment.
      box.closest("label").hidden = base.parts.includes(box.value) || !base.parts.length || !this.made(new Set([...base.parts, box.value]));
      box.disabled = !box.checked && !this.made(new Set([...this.parts, box.value]));
    }
    byId("combining").hidden = boxes.every((box) => box.closest("label").hidden);
    const { chosen } = this;
    write(byId("combined"), chosen === base ? "" : `${chosen.title}: ${chosen.text}`);
    if (chosen.connect !== this.usual && Number(this.field("connect").value) === this.usual) this.field("connect").value = chosen.connect;
    this.usual = chosen.connect;
    for (const option of this.options) option.row.hidden = !meansSomething(option, chosen.parts);
    this.preview(chosen);
  }

  submit(event) {
    event.preventDefault();
    const { chosen } = this;
    const words = [chosen.game, `${this.field("columns").value}x${this.field("rows").value}`];
    words.push(`connect=${this.field("connect").value}`);
    for (const option of this.options) {
      const value = valueOf(option);
      if (value !== option.default && meansSomething(option, chosen.parts)) words.push(`${option.name}=${value}`);
    }
    this.refuse("");
    if (!this.send({ do: "new", rules: words.join(" ") })) this.refuse(t("notNow"));
  }

  /** A small picture of the chosen grid, with one line in it. */
  preview({ parts }) {
    const [columns, rows, connect] = ["columns", "rows", "connect"].map((name) => Number(this.field(name).value));
    const fits = [columns, rows].every((size) => Number.isInteger(size) && size >= 1 && size <= 32);
    const picture = byId("preview");
    picture.replaceChildren();
    if (!fits) return;
    const outer = parts.includes("five") ? 1 : 0;
    const width = (columns + 2 * outer) * CELL + 4;
    set(picture, { viewBox: `0 0 ${width} ${rows * CELL + 4}` });
    if (outer) picture.append(s("rect", { width, height: rows * CELL + 4, rx: 4, class: "preview-tower" }));
    picture.append(s("rect", { x: outer * CELL, width: columns * CELL + 4, height: rows * CELL + 4, rx: outer ? 0 : 4, class: "preview-panel" }));
    const lowest = this.field("flanks")?.value ?? "RR";
    for (let column = 0; column < columns + 2 * outer; column++) {
      for (let row = 0; row < rows; row++) {
        const flank = outer && (column === 0 || column > columns);
        const red = (lowest[column ? 1 : 0] === "R") === (row % 2 === 0);
        const across = connect <= columns;
        const lit = across ? row === 0 && column - outer < connect : column === outer && row < connect;
        const kind = flank ? (red ? "preview-red" : "preview-disc") : lit ? "preview-disc" : "preview-hole";
        picture.append(s("circle", { cx: column * CELL + 7, cy: (rows - row) * CELL - 3, r: 3.9, class: kind }));
      }
    }
  }
}

/** A number that cannot be left out belongs beside the size. */
function isEssential({ kind, least }) {
  return kind === "number" && least > 0;
}

function meansSomething({ parts, notWith }, of) {
  return (!parts.length || parts.some((part) => of.includes(part))) && !of.includes(notWith);
}

function radio({ game, title, text }, checked) {
  const input = h("input", { type: "radio", name: "game", value: game });
  input.checked = checked;
  return h("label", { class: "card" }, input, h("span", { class: "card-title" }, title), h("span", { class: "card-text" }, text));
}

function tick(name, value, text, checked) {
  const input = h("input", { type: "checkbox", name, value });
  input.checked = checked;
  return h("label", { class: "check" }, input, h("span", {}, text));
}

/** The field or fields in which an option is answered. */
function rowOf({ name, kind, question, choices, value, least }) {
  if (kind === "flag") return tick(name, "yes", question, value === "yes");
  if (kind === "set") {
    const ticks = choices.map((choice) => tick(name, choice.value, choice.text, value.includes(choice.value)));
    return h("fieldset", { class: "choice" }, h("legend", {}, question), h("div", { class: "ticks" }, ...ticks));
  }
  const field = kind === "number"
    ? h("input", { name, type: "number", min: least, inputmode: "numeric", value })
    : h("select", { name }, ...choices.map((choice) => h("option", { value: choice.value }, choice.text)));
  field.value = value;
  return h("label", { class: "choice" }, h("span", {}, question), field);
}

/** The answer as a rule set writes it. */
function valueOf({ kind, row }) {
  if (kind === "flag") return row.querySelector("input").checked ? "yes" : "no";
  if (kind === "set") return [...row.querySelectorAll(":checked")].map((box) => box.value).join("");
  return row.querySelector("input, select").value;
}
