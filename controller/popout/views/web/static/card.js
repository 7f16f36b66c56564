// The rule card of the game at hand, as long as this browser has not seen that game; and the same in the help.

import { byId, h, memo } from "./dom.js";
import { discPicture } from "./signs.js";
import { t } from "./words.js";

const SEEN = "popout-games-seen";

export class Card {
  constructor() {
    this.changed = memo();
    this.seen = new Set(remembered());
    byId("got-it").addEventListener("click", () => {
      this.seen.add(this.game);
      remember([...this.seen]);
      byId("card").hidden = true;
    });
  }

  show({ rules, card }) {
    this.game = rules.game;
    byId("card").hidden = this.seen.has(rules.game);
    this.changed("card", card, () => {
      byId("card-title").textContent = card.title;
      byId("card-aim").textContent = card.aim;
      byId("card-rules").replaceChildren(...ruleLists(card));
    });
  }
}

/** The whole card under its title. */
export function wholeCard(card) {
  return [h("p", { class: "aim" }, card.aim), ...ruleLists(card), h("h3", {}, t("cardNotes")), bullets(card.notes)];
}

function ruleLists(card) {
  return [
    ...stepsOf(card),
    ...card.parts.flatMap((part) => [h("h3", {}, part.title), ...stepsOf({ ...part, steps: [part.aim, ...part.steps] })]),
  ];
}

function stepsOf({ steps, powers }) {
  const lists = steps.length ? [bullets(steps)] : [];
  if (powers.length) {
    const items = powers.map(({ disc, text }) => h("li", {}, discPicture("red", disc, "power-disc"), h("span", {}, text)));
    lists.push(h("ul", { class: "powers" }, ...items));
  }
  return lists;
}

function bullets(sentences) {
  return h("ul", {}, ...sentences.map((sentence) => h("li", {}, sentence)));
}

// A browser may keep nothing for a page; then every game is new again after the page is loaded.

function remembered() {
  try {
    const kept = JSON.parse(localStorage.getItem(SEEN));
    return Array.isArray(kept) ? kept : [];
  } catch {
    return [];
  }
}

function remember(games) {
  try {
    localStorage.setItem(SEEN, JSON.stringify(games));
  } catch {
    // it is seen for as long as the page is open
  }
}
