// The page: keeps the last state message and what this page looks at, draws both, and sends what hands do.

import { Bar } from "./bar.js";
import { Board, drawDefinitions } from "./board.js";
import { Controls } from "./controls.js";
import { Card } from "./card.js";
import { openHelp, prepareDialogs } from "./dialogs.js";
import { byId, h } from "./dom.js";
import { Editor } from "./editor.js";
import { History } from "./history.js";
import { offerLanguages } from "./languages.js";
import { Link } from "./link.js";
import { Moves } from "./moves.js";
import { NewGame } from "./newgame.js";
import { showPanel } from "./panel.js";
import { Phones } from "./phones.js";
import { barFor, barSeen, picture, switchOf } from "./picture.js";
import { Racks } from "./racks.js";
import { interrupt, say, sayChanges } from "./say.js";
import { Stats } from "./stats.js";
import { loadWords, t, writeWords } from "./words.js";

const view = {
  up: false,
  was: false, // connected at least once
  look: null,
  wanted: null, // the ply that a look was asked for and not yet given
  down: new Map(), // the buttons that are held here: what holds each, as text, and its switch
  slid: null, // where this page slid the bar to, until the board has heard of it
  over: null, // the column that is pointed at
  mode: "careful",
  discInHand: "turn",
  own: null, // a sentence of this page's own, until the next change
  noticePly: null, // where the notice was given: a refusal is stale after the next move
};
let state = null;
let said = null; // the last state message, of which `state` is what this page may act on
let before = null;
let lamps = null;
let bar, board, card, controls, editor, link, moves, newGame, phones, racks;

async function start() {
  await patiently(loadWords);
  writeWords();
  offerLanguages();
  drawDefinitions();
  prepareDialogs();
  board = new Board(byId("board"));
  bar = new Bar(view, send, () => state);
  phones = new Phones({ view, hands, send, state: () => state, tell: own, redraw });
  const limited = phones.limited();
  controls = new Controls(board, limited);
  moves = new Moves(look);
  racks = new Racks(limited.power, (sentence) => own(sentence));
  card = new Card();
  newGame = new NewGame(send);
  editor = new Editor(send);
  new History();
  new Stats();
  connectButtons();
  link = new Link(receive, connection);
  document.body.classList.add("ready");
}

/** Try until it works: the server may just be starting again. */
async function patiently(action) {
  for (let pause = 300; ; pause = Math.min(pause * 1.7, 5000)) {
    try {
      return await action();
    } catch {
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
}

function receive(message) {
  if (message.type === "state") {
    const old = state;
    said = message;
    state = phones.mine(message);
    if (view.own && old && changedGame(old)) view.own = null;
    if (state.notice?.id !== old?.notice?.id) view.noticePly = state.moves.length;
    if (state.twin?.careful) view.mode = "careful";
    else if (state.twin && view.mode === "careful") view.mode = "button";
    if (view.look && changedGame(old)) lookAgain(old);
    bar.heard();
    editor.show(state);
    render();
    sayChanges(old, state);
  } else if (phones.receive(message)) {
    return;
  } else if (message.type === "lamps") {
    lamps = message;
    showLamps();
  } else if (message.type === "look") {
    if (message.ply !== view.wanted) return;
    view.wanted = null;
    view.look = message;
    render();
    say(message.text);
  } else if (message.type === "considered") {
    editor.considered(message);
  } else if (message.type === "refused") {
    refused(message);
  } else if (message.type === "done") {
    done(message.do);
  }
}

function done(command) {
  if (command === "new") {
    newGame.dialog.close();
    view.look = view.wanted = null;
    if (state) render();
  } else if (command === "correct" || command === "set-up") {
    editor.dialog.close();
  }
}

/** Go on from the discs as they lie: from those that the controller asks about, or from those of a simulated board. */
function openAdopt() {
  if (!state.differs?.choices.length) return editor.open(state, true);
  const answers = state.differs.choices.map(({ turn, text }) => {
    const button = h("button", { type: "button", class: "button primary" }, text);
    button.addEventListener("click", () => {
      byId("adopt").close();
      send({ do: "adopt", turn });
    });
    return button;
  });
  byId("adopt-choices").replaceChildren(...answers);
  return byId("adopt").showModal();
}

function changedGame(old) {
  const texts = (all) => all.moves.map((move) => move.text).join(" ");
  return old.rules.text !== state.rules.text || texts(old) !== texts(state);
}

/** The game went on while this page looks at the past: stay there if that past is still the same. */
function lookAgain(old) {
  const { ply } = view.look;
  const start = (all) => all.moves.slice(0, ply).map((move) => move.text).join(" ");
  if (old.rules.text === state.rules.text && ply < state.moves.length && start(old) === start(state)) look(ply);
  else view.look = view.wanted = null;
}

function refused(message) {
  if (message.do === "bar") bar.forget();
  if (editor.isOpen && ["correct", "consider", "set-up"].includes(message.do)) editor.refused(message);
  else if (message.do === "consider") return;
  else if (newGame.dialog.open && message.do === "new") newGame.refuse(message.text);
  else own(message.text);
}

/** Say a sentence of this page's own, near the board and aloud. */
function own(text) {
  view.own = text;
  render();
  interrupt(text);
}

function connection(up) {
  const lost = view.was && !up && view.up;
  if (up && view.was) say(t("connectedAgain"));
  view.up = up;
  view.was ||= up;
  byId("offline").hidden = up || !view.was;
  if (lost) {
    view.down.clear();
    bar.forget();
    controls.fingers.clear();
    editor.setUp.lost();
    phones.lost();
    interrupt(t("offline"));
  }
  render();
}

function send(command) {
  if (!link.send(command)) {
    own(t("notNow"));
    return false;
  }
  return true;
}

function look(ply) {
  if (!state) return;
  view.own = null;
  if (ply >= state.moves.length) {
    view.look = view.wanted = null;
    render();
    say(state.status);
  } else if (send({ do: "look", ply })) {
    view.wanted = ply;
  }
}

function render() {
  if (!state) return;
  board.shape(state.rules, state.board.twoRows);
  const now = picture(state, view, before);
  board.show(now);
  before = now;
  showLamps();
  showHeld();
  showPanel(state, view);
  phones.show(state);
  racks.show(state, view);
  card.show(state);
  moves.show(state.moves, view.look ? view.look.ply : state.moves.length);
}

/** Draw anew after this page's own bar or power disc has changed. */
function redraw() {
  if (said) state = phones.mine(said);
  render();
}

/** The disc of the side to move, held over the column that is pointed at, where it may be dropped. */
function showHeld() {
  const may = state && view.up && !view.look && !state.menu && !state.tentative && barFor(state, view) === "closed";
  const over = may && state.legal.drop.includes(view.over) ? view.over : null;
  const floats = !over && state && !view.look && !state.menu && !state.tentative ? state.floating : null;
  if (floats) board.hold(floats.column, floats.side, { waiting: true });
  else board.hold(over, over && (state.telling?.disc ?? state.turn), { power: state?.powers?.chosen });
}

function showLamps() {
  if (state) board.lamps.show(view.look || !view.up ? null : lamps);
}

// What hands do; the keys and the pointer meet here.
const hands = {
  press(key) {
    view.own = null;
    if (!view.up) return own(t("notNow"));
    if (view.look) return own(t("notInPast"));
    const { twin } = state;
    const slot = key.column - state.rules.firstColumn + 1; // as the board itself counts its columns
    if (twin && view.mode === "disc" && !state.menu) {
      if (twin.bar === "open") return hand({ do: "pop", column: slot });
      return hand({ do: "drop", column: slot, disc: discInHand() });
    }
    if (twin && view.mode === "take" && !state.menu) return hand({ do: "take", column: slot });
    const name = switchOf(key, state);
    view.down.set(idOf(key), name);
    bar.press(name, barFor(state, view));
    render();
  },
  release(key) {
    leave(key, "release");
  },
  slip(key) {
    leave(key, "withdraw");
  },
  bar(to) {
    if (!state) return;
    if (view.look) return own(t("notInPast"));
    const stands = barSeen(state, view);
    const next = to === "other" ? (stands === "open" ? "closed" : "open") : to;
    if (next !== stands || state.twin?.bar === "half") bar.slide(next);
  },
  hover(column) {
    view.over = column;
    showHeld();
  },
  takeBack() {
    if (view.look) return own(t("notInPast"));
    send({ do: "take-back" });
  },
  newGame() {
    if (state) newGame.open(state);
  },
  help() {
    if (state) openHelp(state);
  },
  now() {
    if (view.look && state) look(state.moves.length);
  },
  escape() {
    if (view.look) hands.now();
    else if (state?.powers?.chosen) send({ do: "power", disc: null });
  },
  /** Choose a power disc for the next drop; the same one again, and it is an ordinary one. */
  power(disc) {
    if (!state?.powers) return;
    view.own = null;
    if (view.look) return own(t("notInPast"));
    send({ do: "power", disc: state.powers.chosen === disc ? null : disc });
  },
  outer(column) {
    if (state) own(t("outerColumn", { column, last: state.rules.width - 1 }));
  },
};

function leave(key, how) {
  const name = view.down.get(idOf(key));
  if (!view.down.delete(idOf(key))) return;
  if (bar.lift(name, how)) return render();
  if (view.up) send({ do: how, switch: name });
  render();
}

/** A button as text, so that its finger is found again. */
function idOf({ column, side }) {
  return `${side} ${column}`;
}

/** A short press of the button of a column, by whoever is to move. */
function tap(column) {
  const name = switchOf({ column: Number(column), side: null }, state);
  send({ do: "press", switch: name });
  send({ do: "release", switch: name });
}

function hand(action) {
  send({ do: "hand", action });
}

function discInHand() {
  if (view.discInHand !== "turn") return view.discInHand;
  return state.turn === "yellow" ? "O" : "X";
}

function connectButtons() {
  const on = (id, action) => byId(id).addEventListener("click", action);
  on("open-new-game", hands.newGame);
  on("again", hands.newGame);
  on("open-help", hands.help);
  on("all-rules", hands.help);
  on("take-back", hands.takeBack);
  on("claim", () => send({ do: "claim" }));
  on("open-menu", () => send({ do: "menu" }));
  on("agree-draw", () => byId("agree").showModal());
  on("agree-yes", () => {
    byId("agree").close();
    send({ do: "agree-draw" });
  });
  on("now", hands.now);
  on("open-adopt", openAdopt);
  on("open-editor", () => state && editor.open(state));
  on("step-done", () => state.differs && tap(state.differs.column));
  on("repaired", () => send({ do: "repaired" }));
  on("tidy", () => hand({ do: "tidy" }));
  on("tidy-now", () => hand({ do: "tidy" }));
  on("empty", () => hand({ do: "empty" }));
  on("reconnect", () => link.hurry());
  byId("modes").addEventListener("change", (event) => {
    view.mode = event.target.value;
    hand({ do: "careful", on: view.mode === "careful" });
    render();
  });
  byId("disc-in-hand").addEventListener("change", (event) => {
    view.discInHand = event.target.value;
  });
  byId("menu-entries").addEventListener("click", (event) => {
    const column = event.target.closest("[data-column]")?.dataset.column;
    if (column) tap(column);
  });
}

start();
