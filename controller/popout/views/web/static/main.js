// The page: keeps the last state message and what this page looks at, draws both, and sends what hands do.

import { Board, drawDefinitions } from "./board.js";
import { Controls } from "./controls.js";
import { Card } from "./card.js";
import { openHelp, prepareDialogs } from "./dialogs.js";
import { byId } from "./dom.js";
import { offerLanguages } from "./languages.js";
import { Link } from "./link.js";
import { Moves } from "./moves.js";
import { NewGame } from "./newgame.js";
import { showPanel } from "./panel.js";
import { barFor, picture } from "./picture.js";
import { Racks } from "./racks.js";
import { interrupt, say, sayChanges } from "./say.js";
import { loadWords, t, writeWords } from "./words.js";

const view = {
  up: false,
  was: false, // connected at least once
  look: null,
  wanted: null, // the ply that a look was asked for and not yet given
  down: new Set(),
  waiting: null, // a press that waits for the bar: the column, how the bar must stand, whether the finger is off again
  over: null, // the column that is pointed at
  mode: "careful",
  discInHand: "turn",
  adopting: null, // the side to move from the discs as they are, while the controller compares them
  own: null, // a sentence of this page's own, until the next change
  noticePly: null, // where the notice was given: a refusal is stale after the next move
};
let state = null;
let before = null;
let lamps = null;
let board, card, controls, link, moves, newGame, racks;

async function start() {
  await patiently(loadWords);
  writeWords();
  offerLanguages();
  drawDefinitions();
  prepareDialogs();
  board = new Board(byId("board"));
  controls = new Controls(board, hands);
  moves = new Moves(look);
  racks = new Racks(hands.power, (sentence) => own(sentence));
  card = new Card();
  newGame = new NewGame(send);
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
    state = message;
    if (view.own && old && changedGame(old)) view.own = null;
    if (state.notice?.id !== old?.notice?.id) view.noticePly = state.moves.length;
    if (state.twin?.careful) view.mode = "careful";
    else if (state.twin && view.mode === "careful") view.mode = "button";
    if (view.look && changedGame(old)) lookAgain(old);
    pressWaiting();
    render();
    sayChanges(old, state);
  } else if (message.type === "lamps") {
    lamps = message;
    showLamps();
  } else if (message.type === "look") {
    if (message.ply !== view.wanted) return;
    view.wanted = null;
    view.look = message;
    render();
    say(message.text);
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
  } else if (command === "correct" && view.adopting) {
    send({ do: "adopt", turn: view.adopting });
    view.adopting = null;
  }
}

/** Go on from the discs as they lie; those of a simulated board can be seen and are compared first. */
function adopt(turn) {
  byId("adopt").close();
  if (!state.twin) return send({ do: "adopt", turn });
  view.adopting = turn;
  return send({ do: "correct", grid: state.twin.grid });
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
  if (message.do === "correct") view.adopting = null;
  if (newGame.dialog.open && message.do === "new") newGame.refuse(message.text);
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
    view.waiting = null;
    controls.fingers.clear();
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
  board.shape(state.rules);
  const now = picture(state, view, before);
  board.show(now);
  before = now;
  showLamps();
  showHeld();
  showPanel(state, view);
  racks.show(state, view);
  card.show(state);
  moves.show(state.moves, view.look ? view.look.ply : state.moves.length);
}

/** The disc of the side to move, held over the column that is pointed at, where it may be dropped. */
function showHeld() {
  const may = state && view.up && !view.look && !state.menu && !state.tentative && barFor(state, view) === "closed";
  const over = may && state.legal.drop.includes(view.over) ? view.over : null;
  const floats = !over && state && !view.look && !state.menu && !state.tentative ? state.floating : null;
  if (floats) board.hold(floats.column, floats.side, { waiting: true });
  else board.hold(over, over && state.turn, { power: state?.powers?.chosen });
}

function showLamps() {
  if (state) board.lamps.show(view.look || !view.up ? null : lamps);
}

// What hands do; the keys and the pointer meet here.
const hands = {
  press(column) {
    view.own = null;
    if (!view.up) return own(t("notNow"));
    if (view.look) return own(t("notInPast"));
    const { twin } = state;
    const slot = column - state.rules.firstColumn + 1; // as the board itself counts its columns
    if (twin && view.mode === "disc" && !state.menu) {
      if (twin.bar === "open") return hand({ do: "pop", column: slot });
      return hand({ do: "drop", column: slot, disc: discInHand() });
    }
    if (twin && view.mode === "take" && !state.menu) return hand({ do: "take", column: slot });
    const bar = barFor(state, view);
    view.down.add(column);
    if (bar === state.bar) send({ do: "press", switch: switchOf(column) });
    else if (send({ do: "bar", to: bar })) view.waiting = { column, bar, over: false };
    render();
  },
  release(column) {
    leave(column, "release");
  },
  slip(column) {
    leave(column, "withdraw");
  },
  bar(to) {
    if (!state) return;
    if (view.look) return own(t("notInPast"));
    const next = to === "other" ? (state.bar === "open" ? "closed" : "open") : to;
    if (next !== state.bar || state.twin?.bar === "half") send({ do: "bar", to: next });
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

function leave(column, how) {
  if (!view.down.delete(column)) return;
  if (view.waiting?.column === column) {
    if (how === "release") view.waiting.over = true;
    else view.waiting = null;
    return render();
  }
  if (view.up) send({ do: how, switch: switchOf(column) });
  render();
}

/** A press that had to wait for the bar: a press while it moves would be a slip of the hand. */
function pressWaiting() {
  const { column, bar, over } = view.waiting ?? {};
  if (!column || state.bar !== bar) return;
  view.waiting = null;
  send({ do: "press", switch: switchOf(column) });
  if (over) send({ do: "release", switch: switchOf(column) });
}

/** The switch of a column of the grid. */
function switchOf(column) {
  return `column ${column - state.rules.firstColumn + 1}`;
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
  on("open-adopt", () => byId("adopt").showModal());
  for (const button of document.querySelectorAll("[data-adopt]")) {
    button.addEventListener("click", () => adopt(button.dataset.adopt));
  }
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
    if (!column) return;
    send({ do: "press", switch: switchOf(column) });
    send({ do: "release", switch: switchOf(column) });
  });
}

start();
