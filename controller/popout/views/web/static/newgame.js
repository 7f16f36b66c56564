// The dialog for a new game: which game, how large, how long a line, and the rules where books differ.

import { byId, h, s, set, write } from "./dom.js";
import { t } from "./words.js";

const PRESETS = [[7, 6, 4], [5, 4, 4], [9, 7, 5], [12, 10, 5]];
const CHOICES = [
  ["both-lines", ["mover", "draw", "other"], true],
  ["full-grid", ["draw", "claim", "continue"], true],
  ["empty-grid", ["draw", "continue"], true],
  ["repetition", ["0", "3"], false],
  ["first", ["red", "yellow"], false],
];
const UNWINNABLE = "allow-unwinnable";

export class NewGame {
  /** `send(command)` sends it and says whether it could. */
  constructor(send) {
    this.send = send;
    this.dialog = byId("new-game");
    this.form = byId("new-game-form");
    this.form.addEventListener("submit", (event) => this.submit(event));
    this.form.addEventListener("input", () => this.update());
    byId("new-game-cancel").addEventListener("click", () => this.dialog.close());
    for (const [columns, rows, connect] of PRESETS) {
      const button = h("button", { type: "button", class: "chip" }, t("size", { columns, rows }));
      button.addEventListener("click", () => {
        Object.assign(this.field("columns"), { value: columns });
        Object.assign(this.field("rows"), { value: rows });
        Object.assign(this.field("connect"), { value: connect });
        this.update();
      });
      byId("presets").append(button);
    }
    for (const [name, values, popsOnly] of CHOICES) {
      const select = h("select", { name }, ...values.map((value) => h("option", { value }, t(`${name}=${value}`))));
      byId("choices").append(h("label", { class: "choice", "data-pops": popsOnly || null }, h("span", {}, t(`${name}?`)), select));
    }
    const supply = h("input", { name: "supply", type: "number", min: 0, max: 999, inputmode: "numeric" });
    byId("choices").append(h("label", { class: "choice" }, h("span", {}, t("supply?")), supply));
    const unwinnable = h("input", { name: UNWINNABLE, type: "checkbox" });
    byId("choices").append(h("label", { class: "check" }, unwinnable, h("span", {}, t(`${UNWINNABLE}?`))));
  }

  field(name) {
    return this.form.elements[name];
  }

  open(state) {
    if (this.dialog.open) return;
    this.state = state;
    const { rules, games, limits, sizeFixed } = state;
    const options = Object.fromEntries([...rules.text.matchAll(/(\S+)=(\S+)/g)].map(([, name, value]) => [name, value]));
    byId("games").replaceChildren(
      ...games.map((game) =>
        h(
          "label",
          { class: "card" },
          h("input", { type: "radio", name: "game", value: game.game }),
          h("span", { class: "card-title" }, game.title),
          h("span", { class: "card-text" }, game.text),
        ),
      ),
    );
    this.form.reset();
    this.field("game").value = rules.game;
    for (const radio of this.form.querySelectorAll("[name=game]")) radio.checked = radio.value === rules.game;
    for (const name of ["columns", "rows", "connect"]) {
      const field = this.field(name);
      set(field, { min: limits[name][0], max: limits[name][1] });
      field.value = rules[name];
    }
    for (const name of ["columns", "rows"]) this.field(name).disabled = sizeFixed;
    byId("presets").hidden = sizeFixed;
    byId("size-fixed").hidden = !sizeFixed;
    for (const [name, values] of CHOICES) {
      const value = options[name] ?? values[0];
      const select = this.field(name);
      if (!values.includes(value)) select.append(h("option", { value }, value));
      select.value = value;
    }
    this.field("supply").value = options.supply ?? 0;
    this.field(UNWINNABLE).checked = options[UNWINNABLE] === "yes";
    byId("losing-game").hidden = !state.moves.length || Boolean(state.outcome);
    this.refuse("");
    this.update();
    this.dialog.showModal();
    this.form.querySelector("[name=game]:checked")?.focus();
  }

  /** Show why the controller refused. */
  refuse(text) {
    write(byId("new-game-refused"), text);
    byId("new-game-refused").hidden = !text;
  }

  get pops() {
    const game = this.state.games.find((each) => each.game === this.chosen);
    return game?.pops ?? this.chosen !== "standard";
  }

  get chosen() {
    return this.form.querySelector("[name=game]:checked")?.value ?? this.state.rules.game;
  }

  update() {
    const { pops } = this;
    for (const choice of this.form.querySelectorAll("[data-pops]")) choice.hidden = !pops;
    this.preview(Number(this.field("columns").value), Number(this.field("rows").value), Number(this.field("connect").value));
  }

  submit(event) {
    event.preventDefault();
    const words = [this.chosen, `${this.field("columns").value}x${this.field("rows").value}`];
    words.push(`connect=${this.field("connect").value}`);
    for (const [name, values, popsOnly] of CHOICES) {
      const { value } = this.field(name);
      if (value !== values[0] && (this.pops || !popsOnly)) words.push(`${name}=${value}`);
    }
    if (Number(this.field("supply").value)) words.push(`supply=${Number(this.field("supply").value)}`);
    if (this.field(UNWINNABLE).checked) words.push(`${UNWINNABLE}=yes`);
    this.refuse("");
    if (!this.send({ do: "new", rules: words.join(" ") })) this.refuse(t("notNow"));
  }

  /** A small picture of the chosen grid, with one line in it. */
  preview(columns, rows, connect) {
    const fits = [columns, rows].every((size) => Number.isInteger(size) && size >= 1 && size <= 32);
    const picture = byId("preview");
    picture.replaceChildren();
    if (!fits) return;
    set(picture, { viewBox: `0 0 ${columns * 10 + 4} ${rows * 10 + 4}` });
    picture.append(s("rect", { width: columns * 10 + 4, height: rows * 10 + 4, rx: 4, class: "preview-panel" }));
    for (let column = 0; column < columns; column++) {
      for (let row = 0; row < rows; row++) {
        const across = connect <= columns;
        const lit = across ? row === 0 && column < connect : column === 0 && row < connect;
        const place = { cx: column * 10 + 7, cy: (rows - row) * 10 - 3, r: 3.9 };
        picture.append(s("circle", { ...place, class: lit ? "preview-disc" : "preview-hole" }));
      }
    }
  }
}
