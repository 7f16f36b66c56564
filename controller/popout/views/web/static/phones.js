// Other devices on the network: what the board's own page shows of them, and what this page may do if it is one of them.

import { byId, h, memo, write } from "./dom.js";
import { onlyBar, switchOf } from "./picture.js";
import { say } from "./say.js";
import { t } from "./words.js";

const TOKEN = "popout-token"; // the browser keeps it, so that a reload or a lost connection does not end the game
const SIDES = ["red", "yellow"];

export class Phones {
  /**
   * `page` has `view`, `hands` (what a page of the board's own machine does), `state()`, send(command), tell(sentence)
   * and redraw(), which takes the state through `mine` again.
   */
  constructor(page) {
    this.page = page;
    this.rank = "local";
    this.bar = "closed"; // of this page alone: a phone moves no bar of the board
    this.power = null;
    this.moves = 0;
    this.asked = false; // to be let in again, on this connection
    this.clock = null;
    this.changed = memo();
    this.prepare();
  }

  /** The hands of this page: all that there are, or those of a player, or none. */
  limited() {
    const { hands } = this.page;
    const own = {
      press: (key) => this.press(key),
      release: (key) => this.release(key),
      slip: (key) => this.lift(key),
      bar: (to) => this.slide(to),
      hover: (column) => hands.hover(this.atTurn ? column : null),
      power: (disc) => this.choose(disc),
      escape: () => (this.page.view.look ? hands.now() : this.choose(null)),
      takeBack() {},
      newGame() {},
    };
    const may = (name) => (...what) => (this.rank === "local" ? hands : { ...hands, ...own })[name](...what);
    return Object.fromEntries(Object.keys(hands).map((name) => [name, may(name)]));
  }

  /** A state message as it is for this page: with the bar and the power disc of its own if it is no page of the board. */
  mine(message) {
    const { you } = message;
    this.rank = you.rank;
    this.side = you.side;
    if (message.moves.length !== this.moves) this.power = null;
    this.moves = message.moves.length;
    if (you.rank === "local") return message;
    this.atTurn = you.side !== null && you.side === message.turn;
    const { twin, powers, legal, differs } = message;
    const mine = {
      ...message,
      menu: null,
      legal: { ...legal, claim: legal.claim && this.atTurn },
      can: { takeBack: false, agreeDraw: false },
      powers: powers && { ...powers, chosen: this.power, playable: this.atTurn ? powers.playable : [] },
      differs: differs && { ...differs, choices: [] },
    };
    mine.bar = onlyBar(mine) ?? this.bar;
    mine.twin = twin && { ...twin, bar: mine.bar, pressed: [], careful: true };
    return mine;
  }

  /** A message for this part of the page; false if it is none. */
  receive(message) {
    if (message.type === "admitted") {
      this.token = message.token;
      byId("code").value = "";
      this.refuse("");
      say(t(`plays ${message.side}`));
      return true;
    }
    if (message.type !== "refused") return false;
    if (message.do === "enter") this.refuse(message.text);
    else if (message.do === "return") this.token = null;
    else return false;
    return true;
  }

  /** The connection is lost: on the next one this device has to show its token again. */
  lost() {
    this.asked = false;
  }

  show(state) {
    const { you, network } = state;
    document.body.dataset.rank = you.rank;
    byId("open-phones").hidden = !network;
    byId("rank").hidden = you.rank === "local";
    byId("enter").hidden = you.rank !== "spectator";
    if (you.rank !== "local") write(byId("rank-text"), t(you.side ? `plays ${you.side}` : "watching"));
    if (you.rank === "spectator" && this.token && !this.asked) {
      this.asked = this.page.send({ do: "return", token: this.token });
    }
    if (network) this.showNetwork(network);
  }

  // A phone

  get token() {
    try {
      return localStorage.getItem(TOKEN);
    } catch {
      return null; // the browser keeps nothing
    }
  }

  set token(token) {
    try {
      if (token) localStorage.setItem(TOKEN, token);
      else localStorage.removeItem(TOKEN);
    } catch {
      // Then it has to be typed again.
    }
  }

  press(key) {
    const { view, tell, redraw } = this.page;
    view.own = null;
    if (!view.up) return tell(t("notNow"));
    if (view.look) return tell(t("notInPast"));
    if (!this.side) return tell(t("watchingPress"));
    view.down.set(key.column, switchOf(key, this.page.state()));
    return redraw();
  }

  release(key) {
    if (!this.lift(key)) return;
    const { bar } = this.page.state();
    this.page.send({ do: "move", move: `${bar === "open" ? "p" : (this.power ?? "d")}${key.column}` });
  }

  lift(key) {
    const was = this.page.view.down.delete(key.column);
    this.page.redraw();
    return was;
  }

  slide(to) {
    const { view, tell, redraw } = this.page;
    if (view.look) return tell(t("notInPast"));
    if (!this.side) return tell(t("watchingPress"));
    this.bar = to === "other" ? (this.bar === "open" ? "closed" : "open") : to;
    return redraw();
  }

  choose(disc) {
    const { tell, redraw } = this.page;
    if (!this.side && disc) return tell(t("watchingPress"));
    this.power = disc === this.power ? null : disc;
    return redraw();
  }

  refuse(text) {
    byId("enter-refused").hidden = !text;
    write(byId("enter-refused"), text);
  }

  // The board's own page

  showNetwork({ addresses, name, players, invited }) {
    this.changed("addresses", [addresses, name], () => {
      byId("addresses").replaceChildren(...addresses.map((address) => h("li", {}, address)));
      byId("network-name").hidden = !name;
      write(byId("network-name"), t("networkName", { name: name ?? "" }));
      const src = `/qr.svg?${new URLSearchParams({ of: addresses[0] })}`;
      byId("qr").replaceChildren(h("img", { src, alt: addresses[0], width: 190, height: 190 }));
    });
    this.changed("players", players, () => {
      byId("no-players").hidden = players.length > 0;
      byId("players").replaceChildren(...players.map((player) => this.device(player)));
    });
    this.invited = invited;
    this.showCodes();
  }

  device({ id, side, since, address }) {
    const time = new Date(since).toLocaleTimeString(document.documentElement.lang || "en", { timeStyle: "short" });
    const words = t(`device ${side}`, { address, time });
    const button = h("button", { type: "button", class: "button small", "aria-label": `${t("putOut")}: ${words}` }, t("putOut"));
    button.addEventListener("click", () => this.page.send({ do: "put-out", id }));
    return h("li", {}, h("span", {}, words), button);
  }

  /** The codes and how long they are good for; the clock runs while there is one to be seen. */
  showCodes() {
    const now = Date.now();
    const open = byId("phones").open;
    for (const side of SIDES) {
      const code = this.invited.find((each) => each.side === side && each.until > now);
      byId(`code-${side}`).hidden = !code;
      if (!code) continue;
      const seconds = Math.ceil((code.until - now) / 1000);
      write(byId(`digits-${side}`), `${code.code.slice(0, 3)} ${code.code.slice(3)}`);
      const left = { minutes: Math.floor(seconds / 60), seconds: String(seconds % 60).padStart(2, "0") };
      write(byId(`left-${side}`), t("codeLeft", left));
    }
    clearTimeout(this.clock);
    if (open && this.invited.some((each) => each.until > now)) this.clock = setTimeout(() => this.showCodes(), 500);
  }

  prepare() {
    byId("open-phones").addEventListener("click", () => {
      byId("phones").showModal();
      this.showCodes();
    });
    for (const side of SIDES) {
      byId(`invite-${side}`).addEventListener("click", () => this.page.send({ do: "invite", side }));
    }
    byId("enter").addEventListener("submit", (event) => {
      event.preventDefault();
      const code = byId("code").value.replace(/\D/g, "");
      if (code.length === 6) this.page.send({ do: "enter", code });
      else this.refuse(t("sixDigits"));
    });
  }
}
