// The dialog of earlier games: the list of the record, and each game to be stepped through and taken along.

import { byId, h, set, token, write } from "./dom.js";
import { ways } from "./picture.js";
import { say } from "./say.js";
import { SmallBoard } from "./smallboard.js";
import { dayAndTime, duration, fetchJson, t } from "./words.js";

export class History {
  constructor() {
    this.dialog = byId("history");
    this.board = new SmallBoard(byId("replay-board"));
    this.list = byId("history-list");
    write(byId("history-title"), t("history"));
    const on = (id, action) => byId(id).addEventListener("click", action);
    on("open-history", () => this.open());
    on("history-more", () => this.more());
    on("replay-back", () => this.showList());
    on("replay-copy", () => this.copy());
    const steps = { first: () => 0, previous: () => this.ply - 1, next: () => this.ply + 1, last: () => this.last };
    for (const [name, ply] of Object.entries(steps)) on(`replay-${name}`, () => this.step(ply()));
    byId("replay").addEventListener("keydown", (event) => {
      const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (by && !event.target.closest("input, select, textarea")) this.step(this.ply + by);
    });
  }

  async open() {
    this.showList();
    this.list.replaceChildren();
    this.smallest = null;
    this.dialog.showModal();
    await this.more();
    this.list.querySelector("button")?.focus();
  }

  /** Fetch the next games and put them under those that are listed. */
  async more() {
    const answer = await this.ask(this.smallest === null ? "/games.json" : `/games.json?before=${this.smallest}`);
    if (!answer) return;
    const { games, more } = answer;
    this.smallest = games.at(-1)?.number ?? this.smallest;
    // What was begun and left without a move is no game that anybody looks for.
    this.list.append(...games.filter((game) => game.moves || game.result !== "unfinished").map((game) => this.row(game)));
    byId("history-more").hidden = !more;
    byId("history-none").hidden = Boolean(this.list.children.length) || more;
    if (more && !this.list.children.length) await this.more();
  }

  row(game) {
    const { number, title, size, moves, names } = game;
    const players = names.red || names.yellow ? t("players", { red: names.red ?? t("red"), yellow: names.yellow ?? t("yellow") }) : null;
    const details = [size && t("size", { columns: size[0], rows: size[1] }), t("moveCount", { moves }), duration(game.seconds)];
    const button = h(
      "button", { type: "button", class: "past-game" },
      resultSign(game.result),
      h("span", { class: "past-title" }, players ?? title),
      h("span", { class: "past-when" }, dayAndTime(game.began)),
      h("span", { class: "past-result" }, resultText(game)),
      h("span", { class: "past-details" }, [players && title, ...details].filter(Boolean).join(" · ")),
    );
    button.addEventListener("click", () => this.replay(number, button));
    return h("li", {}, button);
  }

  async replay(number, from) {
    const game = await this.ask(`/games/${number}.json`);
    if (!game) return;
    this.game = game;
    this.from = from;
    byId("history-all").hidden = true;
    byId("replay").hidden = false;
    write(byId("history-title"), t("gameNumber", { number, title: game.title }));
    write(byId("replay-when"), [dayAndTime(game.began), t("moveCount", { moves: game.moves })].filter(Boolean).join(" · "));
    write(byId("replay-result"), game.outcome?.sentence ?? resultText(game));
    byId("replay-corrected").hidden = !game.corrected;
    set(byId("replay-download"), { href: `/games/${number}.txt`, download: `popout-game-${number}.txt` });
    write(byId("replay-copied"), "");
    const replayed = game.positions.length > 0;
    for (const id of ["replay-board", "replay-steps", "replay-said"]) byId(id).hidden = !replayed;
    byId("replay-long").hidden = replayed;
    this.last = game.positions.length - 1;
    this.ply = null;
    if (replayed) {
      this.board.shape(game.rules);
      this.step(this.last);
    }
    this.dialog.scrollTop = 0;
    byId("replay-back").focus();
  }

  step(ply) {
    const to = Math.min(Math.max(ply, 0), this.last);
    if (to === this.ply) return;
    const { positions, said, outcome } = this.game;
    const { grid, last, signs } = positions[to];
    const played = said.slice(0, to).map((move) => move.text);
    const before = this.ply === null ? null : { grid: positions[this.ply].grid, played: said.slice(0, this.ply).map((move) => move.text) };
    this.board.show({ grid, last, signs, ...ways(before, grid, played, "closed"), outcome: to === this.last ? outcome : null });
    this.ply = to;
    write(byId("replay-place"), t("stepPlace", { ply: to, count: this.last }));
    const move = said[to - 1];
    byId("replay-said").replaceChildren(...(move ? [token(move.side)] : []), move ? move.said : t("beginning"));
    if (before) say(move ? move.said : t("beginning"));
    for (const [name, dead] of [["first", to === 0], ["previous", to === 0], ["next", to === this.last], ["last", to === this.last]]) {
      set(byId(`replay-${name}`), { "aria-disabled": dead ? "true" : null });
    }
  }

  showList() {
    this.say("");
    byId("history-all").hidden = false;
    byId("replay").hidden = true;
    write(byId("history-title"), t("history"));
    this.from?.focus();
  }

  async copy() {
    try {
      const answer = await fetch(byId("replay-download").href, { cache: "no-store" });
      if (!answer.ok) throw new Error(answer.statusText);
      await navigator.clipboard.writeText(await answer.text());
      write(byId("replay-copied"), t("copied"));
      say(t("copied"));
    } catch {
      write(byId("replay-copied"), t("copyRefused"));
    }
  }

  async ask(address) {
    this.say("");
    try {
      return await fetchJson(address);
    } catch (error) {
      this.say(error.message);
      return null;
    }
  }

  say(text) {
    write(byId("history-refused"), text);
    byId("history-refused").hidden = !text;
  }
}

const RESULTS = { red: "wonRed", yellow: "wonYellow", draw: "drawn" };

function resultText({ result, current }) {
  if (current && result === "unfinished") return t("goesOn");
  return t(RESULTS[result] ?? "unfinished");
}

/** The winner's disc; both halves of a draw; an empty place for a game without an end. */
function resultSign(result) {
  const sign = h("span", { class: `past-sign ${result}` });
  if (result === "red" || result === "yellow") sign.append(token(result));
  else if (result === "draw") sign.append(token("red"), token("yellow"));
  return sign;
}
