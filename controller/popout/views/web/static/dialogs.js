// The smaller dialogs: how to play, and agreeing a draw.

import { byId, h } from "./dom.js";
import { t } from "./words.js";

/** Prepare the buttons that close a dialog, and closing it by a click beside it. */
export function prepareDialogs() {
  for (const dialog of document.querySelectorAll("dialog")) {
    for (const button of dialog.querySelectorAll("[data-close]")) button.addEventListener("click", () => dialog.close());
    dialog.addEventListener("pointerdown", (event) => {
      if (event.target === dialog) dialog.close();
    });
  }
}

/** The rule card for the game at hand. */
export function openHelp(state) {
  const { rules } = state;
  const options = [...rules.text.matchAll(/(\S+)=(\S+)/g)].map(([, name, value]) => ({ name, value }));
  const value = (name) => options.find((option) => option.name === name)?.value;
  const lines = [t("ruleGoal", { connect: rules.connect }), t("ruleDrop")];
  if (rules.pops) lines.push(t("rulePop"), t("ruleFall"));
  lines.push(t(value("first") === "yellow" ? "ruleYellowStarts" : "ruleRedStarts"));
  const ends = [];
  if (rules.pops) {
    for (const name of ["both-lines", "full-grid", "empty-grid"]) {
      const chosen = value(name);
      if (chosen) ends.push(t(`rule ${name}=${chosen}`));
    }
  } else {
    ends.push(t("ruleFull"));
  }
  for (const name of ["repetition", "move-cap", "supply"]) {
    const count = Number(value(name) ?? 0);
    if (count) ends.push(t(`rule ${name}`, { count }));
  }
  ends.push(t("ruleAgree"));
  byId("help-title").textContent = t("helpTitle", { game: rules.title });
  byId("help-rules").replaceChildren(...lines.map((line) => h("li", {}, line)));
  byId("help-ends").replaceChildren(...ends.map((line) => h("li", {}, line)));
  byId("help-pop-keys").hidden = !rules.pops;
  if (!byId("help").open) byId("help").showModal();
}
