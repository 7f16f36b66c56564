// What a screen reader hears: one region that waits its turn, one that interrupts.

import { byId, h } from "./dom.js";
import { t } from "./words.js";

/** Say it when there is a pause. */
export function say(...sentences) {
  put(byId("polite"), sentences);
}

/** Say it at once: a refusal, a fault. */
export function interrupt(...sentences) {
  put(byId("assertive"), sentences);
}

/** Say what is new in `now` against `before`; at first, whose turn it is. */
export function sayChanges(before, now) {
  if (!before) {
    say(now.status);
    return;
  }
  const news = [];
  const same = before.rules.text === now.rules.text && before.moves.every((move, ply) => move.text === now.moves[ply]?.text);
  const played = same ? now.moves.slice(before.moves.length) : [];
  const notice = now.notice && now.notice.id !== before.notice?.id ? now.notice : null;
  const loud = notice && notice.kind !== "info";
  if (notice && !loud) news.push(notice.text);
  news.push(...played.map((move) => move.said));
  const chosen = now.powers?.chosen;
  if (same && !played.length && now.powers && chosen !== before.powers?.chosen) {
    news.push(t(chosen ? `chosen ${chosen}` : "chosenNone"));
  }
  if (before.bar !== now.bar) news.push(t(now.bar === "open" ? "barOpen" : "barClosed"));
  if (now.outcome && !before.outcome) news.push(now.outcome.sentence);
  else if (played.length || !same) news.push(now.status);
  if (!same && now.rules.game !== before.rules.game) news.push(now.card.aim);
  if (now.differs && !before.differs) news.push(now.differs.text);
  if (now.menu && !before.menu) news.push(t("menuOpen"), ...now.menu.entries.map((entry) => t("menuEntry", entry)));
  if (news.length) say(...new Set(news));
  if (loud) interrupt(notice.text);
  else if (now.trouble && now.trouble.text !== before.trouble?.text) interrupt(now.trouble.text);
}

function put(region, sentences) {
  // A new element each time, so that the same sentence is said again.
  region.replaceChildren(h("p", {}, sentences.join(" ")));
}
