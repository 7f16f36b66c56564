// The dialog of statistics: who won how often, how long the games took, and when they were.

import { byId, h, token, write } from "./dom.js";
import { barFigure, barPatterns } from "./plot.js";
import { day, duration, fetchJson, month, percent, t } from "./words.js";

const RESULTS = ["red", "yellow", "draw", "unfinished"];
const UNITS = { day: "gamesByDay", week: "gamesByWeek", month: "gamesByMonth" };

export class Stats {
  constructor() {
    this.dialog = byId("stats");
    byId("definitions").append(barPatterns());
    byId("open-stats").addEventListener("click", () => this.open());
  }

  async open() {
    const place = byId("stats-all");
    place.replaceChildren();
    byId("stats-refused").hidden = true;
    this.dialog.showModal();
    try {
      place.replaceChildren(...pages(await fetchJson("/stats.json")));
    } catch (error) {
      write(byId("stats-refused"), error.message);
      byId("stats-refused").hidden = false;
    }
  }
}

function pages({ total, kinds, seconds, moves, periods, lengths }) {
  if (!total.games) return [h("p", {}, t("noGames"))];
  const series = RESULTS.map((key) => ({ key, name: nameOf(key) }));
  const { unit, bars } = periods;
  const found = [tiles(total), times(seconds, moves, total)];
  if (bars.length) {
    const drawn = bars.map(({ from, parts }) => ({ ...(unit === "month" ? month(from) : day(from)), parts }));
    found.push(barFigure(t(UNITS[unit]), t("gamesAxis"), drawn, series));
  }
  if (lengths.length) {
    const drawn = lengths.map(({ least, most, count }) => {
      const label = least === most ? String(least) : `${least}–${most}`;
      return { label, name: t("moveCount", { moves: label }), parts: [count] };
    });
    found.push(barFigure(t("gameLengths"), t("lengthsAxis"), drawn, [{ key: "all", name: t("gamesColumn") }]));
  }
  if (kinds.length > 1) found.push(byGame(kinds, series));
  return found;
}

function nameOf(key) {
  return t({ red: "wonRed", yellow: "wonYellow", draw: "drawn", unfinished: "unfinished" }[key]);
}

/** The four numbers that are looked for first. */
function tiles(total) {
  const ended = total.games - total.unfinished;
  const share = (count) => (ended ? percent(count / ended) : "");
  const tile = (name, count, sign, more) => h("div", { class: "tile" }, h("dt", {}, ...sign, name), h("dd", {}, h("b", {}, String(count)), h("span", { class: "quiet" }, more)));
  return h(
    "dl", { class: "tiles" },
    tile(t("gamesColumn"), total.games, [], total.unfinished ? t("ofThemUnfinished", { count: String(total.unfinished) }) : ""),
    tile(t("wonRed"), total.red, [token("red")], share(total.red)),
    tile(t("wonYellow"), total.yellow, [token("yellow")], share(total.yellow)),
    tile(t("drawn"), total.draw, [], share(total.draw)),
  );
}

function times(seconds, moves, { starter, follower }) {
  const lines = [];
  if (seconds) lines.push([t("howLong"), t("spread", { shortest: duration(seconds.shortest), median: duration(seconds.median), longest: duration(seconds.longest) })]);
  if (moves) lines.push([t("howManyMoves"), t("spread", moves)]);
  if (starter + follower) lines.push([t("whoBegan"), t("beganWon", { share: percent(starter / (starter + follower)) })]);
  return h("dl", { class: "facts" }, ...lines.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value))));
}

function byGame(kinds, series) {
  const head = h("tr", {}, ...[t("whichGame"), t("gamesColumn"), ...series.map(({ name }) => name)].map((name) => h("th", { scope: "col" }, name)));
  const rows = kinds.map((kind) => h("tr", {}, h("th", { scope: "row" }, kind.title), h("td", {}, String(kind.games)), ...RESULTS.map((key) => h("td", {}, String(kind[key])))));
  return h("section", { class: "by-game" }, h("h3", {}, t("byGame")), h("div", { class: "plot-room" }, h("table", {}, h("thead", {}, head), h("tbody", {}, ...rows))));
}
