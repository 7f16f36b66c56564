// The list of moves: stepping through the past, and taking the game along as a record.

import { byId, h, memo, set, token, write } from "./dom.js";
import { interrupt, say } from "./say.js";
import { t } from "./words.js";

export class Moves {
  /** `look(ply)` shows the position after that many moves; the newest ply is the game itself. */
  constructor(look) {
    this.look = look;
    this.changed = memo();
    this.count = 0;
    this.ply = 0;
    this.list = byId("moves");
    const steps = { first: () => 0, previous: () => this.ply - 1, next: () => this.ply + 1, last: () => this.count };
    for (const [name, ply] of Object.entries(steps)) {
      byId(`step-${name}`).addEventListener("click", () => look(Math.min(Math.max(ply(), 0), this.count)));
    }
    byId("copy").addEventListener("click", () => copyRecord());
    byId("record-copy").addEventListener("click", () => {
      const area = byId("record-text");
      area.select();
      document.execCommand("copy");
    });
  }

  show(moves, ply) {
    this.count = moves.length;
    this.ply = ply;
    byId("no-moves").hidden = moves.length > 0;
    this.changed("moves", moves, () => this.build(moves));
    this.changed("ply", [ply, moves], () => {
      for (const item of this.list.children) {
        set(item.firstChild, { "aria-current": Number(item.value) === ply ? "step" : null });
      }
      const current = this.list.children[ply - 1];
      // Only the list itself scrolls, never the page.
      if (current) this.list.scrollTop = Math.max(0, current.offsetTop - this.list.clientHeight / 2);
      else this.list.scrollTop = 0;
    });
    for (const [name, dead] of [["first", ply === 0], ["previous", ply === 0], ["next", ply === this.count], ["last", ply === this.count]]) {
      set(byId(`step-${name}`), { "aria-disabled": dead ? "true" : null });
    }
    write(byId("step-place"), t("stepPlace", { ply, count: this.count }));
  }

  build(moves) {
    const items = [...this.list.children];
    moves.forEach((move, index) => {
      const key = `${move.text} ${move.side} ${move.said}`;
      if (items[index]?.dataset.key === key) return;
      const button = h(
        "button",
        { type: "button", class: "move", "aria-label": t("moveLabel", { ply: index + 1, said: move.said }), title: move.said },
        h("span", { class: "ply" }, String(index + 1)), token(move.side), h("span", { class: "text" }, move.text),
      );
      button.addEventListener("click", () => this.look(index + 1));
      const item = h("li", { value: index + 1, "data-key": key, class: move.text.length > 4 ? "long" : null }, button);
      if (items[index]) items[index].replaceWith(item);
      else this.list.append(item);
    });
    items.slice(moves.length).forEach((item) => item.remove());
  }
}

async function copyRecord() {
  let text;
  try {
    const answer = await fetch("/record.txt", { cache: "no-store" });
    if (!answer.ok) throw new Error(answer.statusText);
    text = await answer.text();
  } catch {
    interrupt(t("recordLost"));
    write(byId("copied"), t("recordLost"));
    return;
  }
  try {
    await navigator.clipboard.writeText(text);
    write(byId("copied"), t("copied"));
    say(t("copied"));
  } catch {
    // Without the permission, or on a page that is not on loopback: the person copies it.
    const area = byId("record-text");
    area.value = text;
    byId("record").showModal();
    area.focus();
    area.select();
  }
}
