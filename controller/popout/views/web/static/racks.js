// What each side has beside the board: power discs in a rack, kept discs in a tray; and what the game waits for.

import { byId, h, memo, s, set, write } from "./dom.js";
import { barFor, onlyBar } from "./picture.js";
import { discPicture } from "./signs.js";
import { list, t } from "./words.js";

const SIDES = { red: "powersRed", yellow: "powersYellow" };
const TRAY = { width: 190, height: 34, disc: 0.3 };

export class Racks {
  /** `choose(letter)` chooses a power disc; `tell(sentence)` says why nothing happened. */
  constructor(choose, tell) {
    this.choose = choose;
    this.tell = tell;
    this.changed = memo();
  }

  show(state, view) {
    const { powers, kept, rules, turn } = state;
    const now = !view.look;
    byId("beside").hidden = !powers && !kept;
    for (const side of Object.keys(SIDES)) {
      this.changed(side, [powers, kept?.[side], rules.target, turn, now], () => {
        byId(`beside-${side}`).classList.toggle("at-turn", turn === side && now);
        byId(`beside-${side}`).replaceChildren(
          ...(powers ? [this.rack(side, powers, turn === side && now)] : []),
          ...(kept ? [tray(side, kept[side], rules.target)] : []),
        );
      });
    }
    this.step(state, view);
  }

  rack(side, { discs, left, playable, chosen }, atTurn) {
    const row = h("div", { class: "rack", role: "group", "aria-label": t(SIDES[side]) });
    for (const { disc, text } of discs) {
      if (!left[side].includes(disc)) {
        row.append(h("span", { class: "power used", role: "img", "aria-label": t(`used ${disc}`), title: t(`used ${disc}`) }));
        continue;
      }
      const may = atTurn && playable.includes(disc);
      const button = h(
        "button",
        {
          type: "button", class: "power", "data-power": disc, title: text, "aria-label": t(`power ${disc}`),
          "aria-pressed": atTurn && chosen === disc ? "true" : "false", "aria-disabled": may ? null : "true",
        },
        discPicture(side, disc, "power-disc"),
      );
      // What may not be played now is asked for all the same: the controller says why not.
      button.addEventListener("click", () => (atTurn ? this.choose(disc) : this.tell(t("powersOther"))));
      row.append(button);
    }
    return row;
  }

  /** The sentence between the racks: what the step at hand is, and which columns it may go to. */
  step(state, view) {
    const { phase, powers, legal, outcome, menu } = state;
    const shown = !outcome && !menu && !view.look;
    const bound = shown && phase !== "play";
    const key = `phase ${phase}${state.barred.length && (phase === "put" || phase === "wall") ? " barred" : ""}`;
    const words = [];
    if (bound) {
      words.push(t(key));
      const columns = [...new Set([...legal.drop, ...legal.pop])].sort((one, other) => one - other);
      if (columns.length < state.rules.columns) words.push(t("mayPress", { count: columns.length, columns: list(columns) }));
      if (onlyBar(state) && barFor(state, view) !== onlyBar(state)) words.push(t(legal.pop.length ? "openBar" : "closeBar"));
    } else if (shown && powers) {
      words.push(t(powers.chosen ? `chosen ${powers.chosen}` : "chosenNone"));
      if (powers.chosen) words.push(t("chooseAgain"));
    }
    set(byId("step"), { class: `step ${bound || powers?.chosen ? "calls" : ""}`, "data-phase": bound ? phase : null });
    write(byId("step-text"), words.join(" "));
    const icon = [state.turn, bound ? phase : "play", powers?.chosen ?? powers?.atWork];
    this.changed("icon", shown ? icon : null, () => {
      byId("step-icon").replaceChildren(...(shown && state.turn ? [pictureOf(...icon)] : []));
    });
  }
}

/** The disc of the step, with the way that it goes. */
function pictureOf(side, phase, power) {
  const out = phase === "pop" || phase === "bomb";
  return s(
    "svg",
    { viewBox: "-50 -66 100 132", "aria-hidden": "true" },
    s("use", { href: `#disc-${side}`, transform: `translate(0 ${out ? -16 : 16})` }),
    ...(power ? [s("use", { href: `#sign-${power}`, transform: `translate(0 ${out ? -16 : 16}) scale(1.35)` })] : []),
    s("path", { d: out ? "M-15 38h30l-15 22z" : "M-15 -60h30l-15 22z", class: "way" }),
  );
}

/** The kept discs, lying side by side; where there are many they overlap. */
function tray(side, count, target) {
  const { width, height, disc } = TRAY;
  const places = Math.max(target, count);
  const room = width - height;
  const step = Math.min(room / Math.max(places - 1, 1), height - 4);
  const y = height / 2;
  const x = (index) => height / 2 + index * step;
  const svg = s("svg", { class: "tray", viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" });
  svg.append(s("rect", { width, height, rx: height / 2, class: "tray-floor" }));
  for (let index = 0; index < Math.min(places, 64); index++) {
    if (index < count) {
      svg.append(s("use", { href: `#disc-${side}`, transform: `translate(${x(index)} ${y}) scale(${disc})` }));
    } else if (index >= places - 1 || step > 9) {
      svg.append(s("circle", { cx: x(index), cy: y, r: index === places - 1 ? 9 : 3, class: index === places - 1 ? "tray-goal" : "tray-place" }));
    }
  }
  return h("div", { class: "kept" }, svg, h("p", {}, t("kept", { count, target })));
}
