// From the last state message and what this page looks at to what is drawn: pure functions, nothing is kept.

import { sideOf, t } from "./words.js";

/**
 * What the board shows. `state` is the last state message; `view` is this page's own: `look` (a look message or null),
 * `down` (columns that are held here), `mode` (what a press does on a simulated board), `up` (connected).
 * `before` is the picture before, from which the discs know how they moved.
 */
export function picture(state, view, before) {
  const { look } = view;
  const shown = look ?? state;
  const twin = look ? null : state.twin;
  const grid = twin?.grid ?? shown.grid;
  const played = state.moves.slice(0, look ? look.ply : state.moves.length).map((move) => move.text);
  const bar = look ? "closed" : (twin?.bar ?? state.bar);
  return {
    grid,
    played,
    bar,
    past: Boolean(look),
    pops: state.rules.pops,
    fromBelow: fromBelow(before, grid, played, bar),
    last: shown.last,
    outcome: look ? look.outcome : state.outcome,
    tentative: look ? null : state.tentative,
    holding: look ? new Set() : new Set(state.holding?.columns ?? [state.holding?.column]),
    progress: state.holding?.progress ?? 0,
    menu: look ? null : state.menu,
    differences: twin?.differences ?? [],
    asked: look ? [] : (state.differs?.cells ?? []),
    fallen: twin?.fallen ?? [],
    pressed: look ? new Set() : pressed(twin, view.down),
    blocked: !view.up || Boolean(look) || (Boolean(state.outcome) && !state.menu && view.mode === "careful"),
    labels: Array.from({ length: state.rules.columns }, (_, index) => columnLabel(state, view, index + 1)),
  };
}

/** The columns in which a disc rather went or came at the bottom: by the pops between the two pictures. */
function fromBelow(before, grid, played, bar) {
  const columns = new Set();
  if (!before) return columns;
  let same = 0;
  while (same < played.length && played[same] === before.played[same]) same++;
  for (const text of [...before.played.slice(same), ...played.slice(same)]) {
    const pop = /^p(\d+)$/.exec(text);
    if (pop) columns.add(Number(pop[1]));
  }
  if (bar === "open") {
    grid.forEach((text, index) => {
      if (text.length < (before.grid[index]?.length ?? 0)) columns.add(index + 1);
    });
  }
  return columns;
}

function pressed(twin, down) {
  const columns = new Set(down);
  for (const name of twin?.pressed ?? []) {
    const column = /^(?:yellow )?column (\d+)$/.exec(name);
    if (column) columns.add(Number(column[1]));
  }
  return columns;
}

/** What a screen reader says of a column: which, what is in it, what a press would do. */
export function columnLabel(state, view, column) {
  const text = ((view.look ?? state).grid[column - 1] ?? "");
  const values = { column, count: text.length };
  const top = sideOf[text.at(-1)];
  const holds = top ? t(top === "red" ? "columnTopRed" : "columnTopYellow", values) : t("columnEmpty", values);
  return `${holds} ${effect(state, view, column, text)}`;
}

function effect(state, view, column, text) {
  if (!view.up) return t("pressOffline");
  if (view.look) return t("pressPast");
  if (state.menu) {
    const entry = state.menu.entries.find((each) => each.column === column);
    return entry ? t("pressMenu", { entry: entry.text }) : t("pressNothing");
  }
  if (state.twin && view.mode === "disc") return t(state.twin.bar === "open" ? "pressDiscOut" : "pressDiscIn");
  if (state.twin && view.mode === "take") return t("pressTake");
  if (state.outcome) return t("pressOver");
  if (state.bar === "open") {
    if (!state.rules.pops) return t("pressNoPops");
    if (state.legal.pop.includes(column)) return t("pressPop");
    if (!text) return t("pressNothingToPop");
    if (sideOf[text[0]] !== state.turn) return t(text[0] === "X" ? "pressBottomRed" : "pressBottomYellow");
    return t("pressMayNotPop");
  }
  if (state.legal.drop.includes(column)) return t("pressDrop");
  return t(text.length >= state.rules.rows ? "pressFull" : "pressMayNotDrop");
}
