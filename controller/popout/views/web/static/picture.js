// From the last state message and what this page looks at to what is drawn: pure functions, nothing is kept.

import { keyName } from "./geometry.js";
import { differing } from "./smallboard.js";
import { sideOf, t } from "./words.js";

/**
 * What the board shows. `state` is the last state message; `view` is this page's own: `look` (a look message or null),
 * `down` (the buttons that are held here, by their switches), `mode` (what a press does on a simulated board), `up` (connected).
 * `before` is the picture before, from which the discs know how they moved.
 */
export function picture(state, view, before) {
  const { look } = view;
  const shown = look ?? state;
  const twin = look || state.telling ? null : state.twin;
  const outer = state.rules.firstColumn - 1;
  const told = look ? null : toldDiscs(state);
  const grid = told ?? (twin ? withOuter(twin.grid, shown.grid, outer) : shown.grid);
  const played = state.moves.slice(0, look ? look.ply : state.moves.length).map((move) => move.text);
  const bar = look ? "closed" : (twin?.bar ?? state.bar);
  return {
    grid,
    played,
    bar,
    past: Boolean(look),
    pops: state.rules.pops,
    ...ways(before, grid, played, bar),
    signs: shown.signs ?? [],
    step: look ? null : step(state),
    last: shown.last,
    outcome: look ? look.outcome : state.outcome,
    tentative: look ? null : state.tentative,
    holding: look ? new Set() : new Set(state.holding?.columns ?? [state.holding?.column]),
    progress: state.holding?.progress ?? 0,
    menu: look ? null : state.menu,
    differences: told ? differing(told, state.grid) : (twin?.differences ?? []).map((each) => ({ ...each, column: each.column + outer })),
    asked: look ? [] : (state.differs?.cells ?? []),
    fallen: state.rules.target ? [] : (twin?.fallen ?? []), // where discs are kept or put back, none lies in the tray
    pressed: look ? new Set() : pressed(state, view.down, outer),
    blocked: !view.up || state.you?.rank === "spectator" || Boolean(look) || (Boolean(state.outcome) && !state.menu && view.mode === "careful"),
    labels: Array.from({ length: state.rules.columns }, (_, index) => columnLabel(state, view, index + 1 + outer)),
  };
}

/** What hands say, or are known to have said, of the discs on a board that cannot be seen. */
function toldDiscs({ telling, differs, twin }) {
  return telling?.grid ?? (twin ? null : (differs?.seen ?? null));
}

/** What lies on the board between the filled outer columns, which no hand can change. */
function withOuter(discs, grid, outer) {
  return [...grid.slice(0, outer), ...discs, ...grid.slice(grid.length - outer)];
}

/**
 * How discs have moved between the two pictures, as far as the moves tell: `fromBelow` are the columns in which one rather
 * went or came at the bottom, `crushed` those in which an anvil took the place of all that was there ("in"; "out" if it
 * was taken back).
 */
export function ways(before, grid, played, bar) {
  const fromBelow = new Set();
  const crushed = new Map();
  if (!before) return { fromBelow, crushed };
  let same = 0;
  while (same < played.length && played[same] === before.played[same]) same++;
  const note = (text, way) => {
    const [, kind, column] = /^([ap])(\d+)$/.exec(text) ?? [];
    if (kind === "p") fromBelow.add(Number(column));
    if (kind === "a") crushed.set(Number(column), way);
  };
  for (const text of before.played.slice(same)) note(text, "out");
  for (const text of played.slice(same)) note(text, "in");
  if (bar === "open") {
    grid.forEach((text, index) => {
      if (text.length < (before.grid[index]?.length ?? 0)) fromBelow.add(index + 1);
    });
  }
  return { fromBelow, crushed };
}

/** The cells to which a step of a larger turn, or of a phase of the game, is bound; null in an ordinary turn. */
function step(state) {
  if (state.outcome || state.menu || state.phase === "play") return null;
  const landing = (column) => [column, state.grid[column - 1].length + 1];
  return {
    drops: state.legal.drop.map(landing),
    pops: state.legal.pop.map((column) => [column, 1]),
    barred: state.barred.map(landing),
  };
}

/**
 * How the bar stands for the next press: on a simulated board it follows by itself where a step can only be a pop, or
 * only a drop.
 */
export function barFor(state, view) {
  const only = onlyBar(state);
  return state.twin && view.mode === "careful" && only ? only : barSeen(state, view);
}

/** Where hands see the bar: the board itself hears of one that was just slid a moment later. */
export function barSeen({ bar, twin }, view) {
  return view.slid ?? (twin && twin.bar !== "half" ? twin.bar : bar);
}

/** How the bar must stand for the step at hand; null where it may stand either way. */
export function onlyBar({ phase, rules, legal, menu, outcome, powers }) {
  if (menu || outcome) return null;
  if (phase === "play") return rules.pops && !powers?.chosen ? null : "closed"; // a power disc is dropped
  if (Boolean(legal.drop.length) === Boolean(legal.pop.length)) return null;
  return legal.pop.length ? "open" : "closed";
}

/** The buttons that are down, as `keyName` calls them. */
function pressed({ twin, board }, down, outer) {
  const keys = new Set();
  for (const name of [...down.values(), ...(twin?.pressed ?? [])]) {
    const [, yellow, column] = /^(yellow )?column (\d+)$/.exec(name) ?? [];
    if (column) keys.add(keyName(Number(column) + outer, board.twoRows ? (yellow ? "yellow" : "red") : null));
  }
  return keys;
}

/** The switch of a button: of that side's own, or of the side to move, where each side has a row. */
export function switchOf({ column, side }, { rules, board, turn }) {
  const number = column - rules.firstColumn + 1;
  return board.twoRows && (side ?? turn) === "yellow" ? `yellow column ${number}` : `column ${number}`;
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
  if (state.you?.rank === "spectator") return t("watching");
  if (state.menu) {
    const entry = state.menu.entries.find((each) => each.column === column);
    return entry ? t("pressMenu", { entry: entry.text }) : t("pressNothing");
  }
  if (state.twin && view.mode === "disc") return t(state.twin.bar === "open" ? "pressDiscOut" : "pressDiscIn");
  if (state.twin && view.mode === "take") return t("pressTake");
  if (state.outcome) return t("pressOver");
  if (barFor(state, view) === "open") {
    if (!state.rules.pops) return t("pressNoPops");
    if (state.legal.pop.includes(column)) return t("pressPop");
    if (!text) return t("pressNothingToPop");
    if (sideOf[text[0]] !== state.turn && state.phase !== "bomb") return t(text[0] === "X" ? "pressBottomRed" : "pressBottomYellow");
    return t("pressMayNotPop");
  }
  const { chosen } = state.powers ?? {};
  if (state.legal.drop.includes(column)) return t(chosen ? `drop ${chosen}` : "pressDrop");
  if (state.barred.includes(column)) return t(state.floating ? "pressCameFrom" : "pressWouldLine");
  return t(text.length >= state.rules.rows ? "pressFull" : "pressMayNotDrop");
}
