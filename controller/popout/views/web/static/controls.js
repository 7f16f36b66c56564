// Hands on the board: pointer, touch and keys become "a finger goes down" and "a finger lets go".

const DRAG = 14; // pixels after which the bar follows the finger instead of the click

/**
 * `hands` has press(key), release(key), slip(key), bar(to), hover(column or null) and the commands of the keyboard. A key
 * is the column of a button and the side whose it is, or null for whoever is to move. The commands:
 * takeBack, newGame, help, escape, power(letter), and outer(column) for one that is filled and stays. `board` is the Board; its buttons may be replaced at any time.
 */
export class Controls {
  constructor(board, hands) {
    this.board = board;
    this.hands = hands;
    this.fingers = new Map(); // what holds a button down: a pointer or a key of the keyboard, and the button
    this.slide = null;
    const root = board.root;
    root.addEventListener("pointerdown", (event) => this.pointerDown(event));
    root.addEventListener("pointerout", (event) => this.pointerOut(event));
    root.addEventListener("pointerover", (event) => this.hover(event));
    root.addEventListener("click", (event) => this.click(event));
    root.addEventListener("contextmenu", (event) => event.preventDefault());
    root.addEventListener("focusin", (event) => this.focused(event));
    root.addEventListener("focusout", () => hands.hover(null));
    addEventListener("pointermove", (event) => this.pointerMove(event));
    addEventListener("pointerup", (event) => this.pointerUp(event));
    addEventListener("pointercancel", (event) => this.pointerUp(event));
    addEventListener("keydown", (event) => this.keyDown(event));
    addEventListener("keyup", (event) => this.keyUp(event));
    addEventListener("blur", () => this.letGo());
    document.addEventListener("visibilitychange", () => document.hidden && this.letGo());
    document.addEventListener("click", (event) => leaveFocus(event));
  }

  /** Take every finger away without a move: nobody chose to let go. */
  letGo() {
    for (const finger of [...this.fingers.keys()]) this.slip(finger);
  }

  down(finger, key) {
    if (this.fingers.has(finger)) return;
    this.fingers.set(finger, key);
    this.hands.press(key);
  }

  up(finger) {
    const key = this.lift(finger);
    if (key) this.hands.release(key);
  }

  slip(finger) {
    const key = this.lift(finger);
    if (key) this.hands.slip(key);
  }

  lift(finger) {
    const key = this.fingers.get(finger);
    this.fingers.delete(finger);
    return key;
  }

  pointerDown(event) {
    if (event.button !== 0) return;
    const outer = event.target.closest("[data-outer]");
    if (outer) this.hands.outer(Number(outer.dataset.outer));
    const key = keyOf(event.target);
    const bar = event.target.closest(".slide");
    if (!key && !bar) return;
    // No focus by pointer: the space key must stay the bar's.
    event.preventDefault();
    document.activeElement?.blur?.();
    if (key) this.down(event.pointerId, key);
    else this.slide = { pointer: event.pointerId, x: event.clientX, moved: false };
  }

  pointerMove(event) {
    if (this.slide?.pointer !== event.pointerId || this.slide.moved) return;
    const distance = event.clientX - this.slide.x;
    if (Math.abs(distance) < DRAG) return;
    this.slide.moved = true;
    this.hands.bar(distance > 0 ? "open" : "closed");
  }

  pointerUp(event) {
    // A touch belongs to the column where it began, wherever it goes.
    const over = keyOf(document.elementFromPoint(event.clientX, event.clientY));
    if (event.type === "pointerup" && same(over, this.fingers.get(event.pointerId))) this.up(event.pointerId);
    else this.slip(event.pointerId);
    if (this.slide?.pointer !== event.pointerId) return;
    const { moved } = this.slide;
    this.slide = null;
    if (!moved && event.type === "pointerup" && event.target.closest?.(".slide")) this.hands.bar("other");
  }

  pointerOut(event) {
    const from = event.target.closest(".column, .key");
    if (!from || from === event.relatedTarget) return;
    // What was lifted is not in the column any more either: pointerup comes first, and then there is nothing to slip.
    this.slip(event.pointerId);
    if (event.pointerType === "mouse") this.hands.hover(null);
  }

  hover(event) {
    if (event.pointerType !== "mouse") return;
    const key = keyOf(event.target);
    if (key) this.hands.hover(key.column);
  }

  focused(event) {
    const key = keyOf(event.target);
    if (!key) return;
    this.hands.hover(key.column);
    for (const button of event.target.parentElement.children) button.tabIndex = button === event.target ? 0 : -1;
  }

  /** A click without a pointer is a screen reader's: a short press. */
  click(event) {
    if (event.detail !== 0) return;
    const key = keyOf(event.target);
    if (key) {
      this.down("click", key);
      this.up("click");
    } else if (event.target.closest(".slide")) {
      this.hands.bar("other");
    }
  }

  keyDown(event) {
    if (event.ctrlKey || event.altKey || event.metaKey || document.querySelector("dialog[open]")) return;
    const target = event.target;
    const button = keyOf(target);
    const key = event.key;
    if (button && (key === "Enter" || key === " ")) {
      event.preventDefault();
      if (!event.repeat) this.down(`key ${event.code}`, button);
      return;
    }
    if (target.closest("input:not([type=radio]), select, textarea")) return;
    if (button && this.arrows(key, button.column, target.parentElement.children)) {
      event.preventDefault();
      return;
    }
    // Where a key has a meaning of its own, it keeps it.
    if (key === " " && target.closest("button, a, summary, input")) return;
    if (key.startsWith("Arrow") && target.closest("input")) return;
    this.shortcut(event);
  }

  shortcut(event) {
    const { key } = event;
    if (/^[0-9]$/.test(key)) {
      const column = Number(key) || 10;
      const { playable, filled } = this.board.g;
      if (event.repeat) return;
      if (playable.includes(column)) this.down(`key ${event.code}`, { column, side: null });
      else if (filled.includes(column)) this.hands.outer(column);
    } else if (event.repeat) {
      return;
    } else if (key === " ") {
      event.preventDefault();
      this.hands.bar("other");
    } else if (key === "ArrowLeft" || key === "ArrowRight") {
      event.preventDefault();
      this.board.columnButtons.find((button) => button.tabIndex === 0)?.focus();
    } else {
      const power = /^[abwx]$/i.test(key) ? key.toLowerCase() : null;
      const command = power ? "power" : { u: "takeBack", n: "newGame", "?": "help", escape: "escape" }[key.toLowerCase()];
      if (!command) return;
      event.preventDefault();
      this.hands[command](power);
    }
  }

  keyUp(event) {
    if (this.fingers.has(`key ${event.code}`)) event.preventDefault();
    this.up(`key ${event.code}`);
  }

  arrows(key, column, row) {
    const { first, last } = this.board.g;
    const to = { ArrowLeft: column - 1, ArrowRight: column + 1, Home: first, End: last }[key];
    if (to === undefined) return false;
    row[Math.min(Math.max(to, first), last) - first].focus();
    return true;
  }
}

function keyOf(target) {
  const button = target?.closest?.(".column, .key");
  return button ? { column: Number(button.dataset.column), side: button.dataset.side ?? null } : null;
}

function same(one, other) {
  return one?.column === other?.column && one?.side === other?.side;
}

/** After a click with a pointer the focus leaves a button, so that the space key is the bar's again. */
function leaveFocus(event) {
  const button = event.target.closest?.("button");
  if (event.detail > 0 && button && !button.closest("dialog") && document.activeElement === button) button.blur();
}
