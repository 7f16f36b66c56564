// What a position has beside its discs: whose turn it is, the step that is waited for, discs kept and in hand. It is asked
// after with every change what that position would be, so that it is seen before it is set.

import { byId, h, set, write } from "./dom.js";
import { t } from "./words.js";

const PAUSE = 150; // milliseconds without a change after which it is asked

export class SetUp {
  /** `send(command)` sends it and says whether it could; `discs()` are those of the columns that can be played. */
  constructor(send, discs) {
    this.send = send;
    this.discs = discs;
    this.fields = byId("set-up");
    this.asked = 0; // questions without an answer yet
    this.fields.addEventListener("input", () => this.changed());
  }

  open({ turn, beside, grid, powers, rules }) {
    this.beside = beside;
    const { phases, phase, kept, source, hands } = beside;
    this.rows = [choice("turn", t("whoMoves"), [["red", t("red")], ["yellow", t("yellow")]], turn ?? "red")];
    if (phases.length > 1) {
      this.rows.push(select("phase", t("whichStep"), phases.map(({ value, text }) => [value, text]), phase));
      this.rows.push(number("source", t("cameFrom"), source ?? this.withRoom(rules), rules.firstColumn, rules.firstColumn + rules.columns - 1));
    }
    if (kept) this.rows.push(pair("kept", t("keptDiscs"), kept));
    if (hands) this.rows.push(pair("hands", t("handDiscs"), this.hands(hands, grid)));
    if (beside.powers) {
      for (const [index, side] of ["red", "yellow"].entries()) this.rows.push(ticks(side, t(index ? "powersYellow" : "powersRed"), powers.discs, beside.powers[index]));
    }
    this.fields.replaceChildren(...this.rows);
    this.changed();
  }

  /** The first column that is not full: only from such a one can a disc have come that is to be put back. */
  withRoom({ rows, firstColumn }) {
    return firstColumn + Math.max(this.discs().findIndex((column) => column.length < rows), 0);
  }

  close() {
    clearTimeout(this.timer);
    this.ready = false;
    this.closed = true;
  }

  /** The discs that have come onto the board or gone from it came out of the hands, or went back into them. */
  hands(before, grid) {
    const count = (all, letter) => all.join("").split(letter).length - 1;
    const outer = (grid.length - this.discs().length) / 2;
    const inner = grid.slice(outer, grid.length - outer);
    return ["X", "O"].map((letter, side) => Math.max(before[side] + count(inner, letter) - count(this.discs(), letter), 0));
  }

  changed() {
    this.closed = false;
    const source = this.field("source");
    if (source) source.closest("label").hidden = this.field("phase").value !== "put";
    this.tell("", "waiting");
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.ask(), PAUSE);
  }

  ask() {
    if (this.send({ do: "consider", ...this.said() })) this.asked += 1;
    else this.tell(t("notNow"), "refused");
  }

  /** The fields of the question, and of the command that sets the position up. */
  said() {
    const numbers = (name) => ["red", "yellow"].map((side) => Number(this.field(`${name}-${side}`).value));
    const { phases, kept, hands, powers } = this.beside;
    const said = { grid: this.discs(), turn: this.fields.querySelector("[name=set-turn]:checked").value };
    if (phases.length > 1) said.phase = this.field("phase").value;
    if (said.phase === "put") said.source = Number(this.field("source").value);
    if (kept) said.kept = numbers("kept");
    if (hands) said.hands = numbers("hands");
    if (powers) said.powers = ["red", "yellow"].map((side) => [...this.fields.querySelectorAll(`[name=set-powers-${side}]:checked`)].map((box) => box.value).join(""));
    return said;
  }

  field(name) {
    return this.fields.querySelector(`[name=set-${name}]`);
  }

  considered({ text, difference }) {
    if (this.isNewest()) this.tell(`${text} ${difference}`, "ready");
  }

  refused(text) {
    if (this.isNewest()) this.tell(text, "refused");
  }

  /** The connection is lost: questions that are under way get no answer. */
  lost() {
    this.asked = 0;
  }

  isNewest() {
    this.asked = Math.max(this.asked - 1, 0);
    return !this.asked && !this.closed;
  }

  tell(text, how) {
    this.ready = how === "ready";
    const place = byId("considered");
    place.className = `considered ${how}`;
    if (how !== "waiting") write(place, text);
    set(byId("editor-set"), { "aria-disabled": this.ready ? null : "true" });
  }
}

function choice(name, title, answers, chosen) {
  const options = answers.map(([value, text]) => {
    const input = h("input", { type: "radio", name: `set-${name}`, value });
    input.checked = value === chosen;
    return h("label", { class: "check" }, input, h("span", {}, text));
  });
  return h("fieldset", { class: "choice" }, h("legend", {}, title), h("div", { class: "ticks" }, ...options));
}

function select(name, title, answers, chosen) {
  const field = h("select", { name: `set-${name}` }, ...answers.map(([value, text]) => h("option", { value }, text)));
  field.value = chosen;
  return h("label", { class: "choice" }, h("span", {}, title), field);
}

function number(name, title, value, least, most) {
  const field = h("input", { type: "number", name: `set-${name}`, min: least, max: most, inputmode: "numeric" });
  field.value = value;
  return h("label", { class: "choice" }, h("span", {}, title), field);
}

/** Two numbers, red's and yellow's. */
function pair(name, title, values) {
  const fields = ["red", "yellow"].map((side, index) => number(`${name}-${side}`, t(side), values[index], 0, 9999));
  return h("fieldset", { class: "choice" }, h("legend", {}, title), h("div", { class: "pair" }, ...fields));
}

function ticks(side, title, discs, left) {
  const boxes = discs.map(({ disc }) => {
    const input = h("input", { type: "checkbox", name: `set-powers-${side}`, value: disc });
    input.checked = left.includes(disc);
    return h("label", { class: "check" }, input, h("span", {}, t(`power ${disc}`)));
  });
  return h("fieldset", { class: "choice" }, h("legend", {}, title), h("div", { class: "ticks" }, ...boxes));
}
