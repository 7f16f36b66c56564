// The smaller dialogs: how to play, and agreeing a draw.

import { wholeCard } from "./card.js";
import { byId } from "./dom.js";
import { t } from "./words.js";

/** Prepare the buttons that close a dialog, and closing it by a click beside it. */
export function prepareDialogs() {
  for (const dialog of document.querySelectorAll("dialog")) {
    for (const button of dialog.querySelectorAll("[data-close]")) button.addEventListener("click", () => dialog.close());
    dialog.addEventListener("close", () => {
      // The browser gives the focus back to the button that opened it. Who uses a mouse does not see that, and would
      // press that button again with the space bar, which is to slide the board's.
      if (document.activeElement?.matches("button:not(:focus-visible)")) document.activeElement.blur();
    });
    dialog.addEventListener("pointerdown", (event) => {
      if (event.target === dialog) dialog.close();
    });
  }
}

/** The rule card of the game at hand, and how it is played on this board. */
export function openHelp({ card, rules, powers, twin }) {
  byId("help-title").textContent = t("helpTitle", { game: card.title });
  byId("help-card").replaceChildren(...wholeCard(card));
  for (const element of document.querySelectorAll("#help [data-for=pops]")) element.hidden = !rules.pops && !powers;
  for (const element of document.querySelectorAll("#help [data-for=powers]")) element.hidden = !powers;
  byId("help-itself").hidden = !twin || (!rules.pops && !powers);
  if (!byId("help").open) byId("help").showModal();
}
