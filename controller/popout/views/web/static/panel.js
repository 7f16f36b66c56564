// Everything in words beside the board: whose turn, the notice, the past, the menu, the hands.

import { byId, h, memo, set, write, writeSentence } from "./dom.js";
import { t } from "./words.js";

const changed = memo();

/** Write the words for this state; `view` as in picture.js. */
export function showPanel(state, view) {
  const { look } = view;
  write(byId("game-title"), t(state.rules.target ? "gameTitleTarget" : "gameTitle", { ...state.rules, game: state.rules.title }));
  write(byId("board-name"), t("playedOn", { board: state.board.description }));
  byId("score").classList.toggle("over", Boolean(state.outcome));
  document.title = t("pageTitle", { status: state.status });
  turn(state);
  notice(state, view);
  byId("past").hidden = !look;
  if (look) write(byId("past-text"), look.text);
  byId("trouble").hidden = !state.trouble;
  write(byId("trouble-text"), state.trouble?.text ?? "");
  differences(state, look);
  menu(state);
  byId("again").hidden = !state.outcome;
  set(byId("take-back"), { "aria-disabled": state.can.takeBack ? null : "true" });
  byId("agree-draw").hidden = !state.can.agreeDraw;
  byId("claim").hidden = !state.legal.claim;
  byId("games-played").hidden = !state.history;
  handModes(state, view);
}

function turn(state) {
  writeSentence(byId("status"), state.status);
  const winner = state.outcome?.winner;
  for (const side of ["red", "yellow"]) {
    const player = byId(`player-${side}`);
    player.classList.toggle("active", state.turn === side || winner === side);
    player.classList.toggle("winner", winner === side);
    write(player.querySelector(".in-hand"), state.inHand ? t("inHand", { count: state.inHand[side] }) : "");
    write(player.querySelector(".role"), winner === side ? t("wins") : state.turn === side ? t("toMove") : "");
  }
  const sentence = state.outcome?.sentence ?? "";
  write(byId("reason"), sentence === state.status ? "" : sentence);
}

function notice(state, view) {
  const shown = noticeNow(state, view);
  const place = byId("notice");
  place.className = `notice ${shown ? shown.kind : "none"}`;
  write(byId("notice-text"), shown?.text ?? "");
}

function noticeNow(state, view) {
  if (state.holding) return { kind: "info", text: t(state.holding.what === "menu" ? "holdMenu" : "holdTakeBack") };
  if (view.own) return { kind: "refused", text: view.own };
  const { notice: newest, status, moves } = state;
  const stale = newest?.kind === "refused" && view.noticePly !== moves.length;
  if (state.menu && newest?.kind !== "refused") return null;
  const told = newest?.kind !== "refused" && [status, state.differs?.text].includes(newest?.text);
  if (newest && !told && !stale && !(view.look && newest.kind === "info")) return newest;
  if (view.look) return null; // beside the past, nothing is said of now
  if (state.differs || state.telling) return null; // and beside what is wrong, nothing of the last move
  return { kind: "quiet", text: moves.at(-1)?.said ?? t("begin") };
}

function differences(state, look) {
  const cells = state.twin?.differences ?? [];
  byId("differs").hidden = Boolean(look) || Boolean(state.telling) || (!state.differs && !cells.length);
  write(byId("differs-text"), state.differs ? why(state.differs) : t("differs"));
  for (const id of ["step-done", "repaired"]) byId(id).hidden = !state.differs;
  byId("tidy-now").hidden = !cells.length;
  byId("open-adopt").hidden = !(state.differs ? state.differs.choices.length : cells.length);
  byId("telling").hidden = Boolean(look) || !state.telling;
  if (state.telling) write(byId("telling-text"), t("telling", { count: String(state.telling.cells.length) }));
}

/** What is wrong, without the step at hand, which stands over it already. */
function why({ text, step }) {
  return text.replace(step, "").replace(/\s+/g, " ").trim();
}

function menu(state) {
  byId("menu").hidden = !state.menu;
  byId("menu").classList.toggle("question", state.menu?.level === "resume");
  write(byId("menu-title"), state.menu?.title ?? "");
  changed("menu", state.menu, () => {
    byId("menu-entries").replaceChildren(
      ...(state.menu?.entries ?? []).map(({ column, text }) =>
        h(
          "li",
          {},
          h("button", { type: "button", class: "entry-button", "data-column": column }, h("span", { class: "ply" }, String(column)), text),
        ),
      ),
    );
  });
}

function handModes(state, view) {
  byId("hands").hidden = !state.twin;
  if (!state.twin) return;
  for (const radio of byId("modes").querySelectorAll("input")) radio.checked = radio.value === view.mode;
  byId("disc-choice").hidden = view.mode !== "disc";
  byId("tidy").hidden = view.mode === "careful";
  byId("empty").hidden = view.mode === "careful";
}
