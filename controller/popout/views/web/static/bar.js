// The bar as this page slides it, and the presses that wait until the board has heard of it.

const PATIENCE = 400; // ms in which the board hears of a bar that was slid, contacts and network included

export class Bar {
  /** `view.slid` is where this page slid the bar to, until the board has heard of it; else null. */
  constructor(view, send, state) {
    this.view = view;
    this.send = send;
    this.state = state;
    this.waiting = null; // a press: its switch, how the bar must stand, whether the finger is off again
    this.patience = null;
  }

  slide(to) {
    if (!this.send({ do: "bar", to })) return false;
    this.view.slid = to;
    this.bePatient();
    return true;
  }

  /** Press `name` once the bar stands as it must: a press while it moves would be a slip of the hand. */
  press(name, bar) {
    if (this.stands(bar)) this.send({ do: "press", switch: name });
    else if (this.isOnItsWay(bar) || this.slide(bar)) {
      this.waiting = { name, bar, over: false };
      this.bePatient();
    }
  }

  /** The finger is off `name` again, by "release" or "withdraw"; true if its press had not been sent yet. */
  lift(name, how) {
    if (this.waiting?.name !== name) return false;
    if (how === "release") this.waiting.over = true;
    else this.waiting = null;
    return true;
  }

  /** A new state has come. */
  heard() {
    if (this.stands(this.view.slid)) this.view.slid = null;
    if (this.waiting && this.stands(this.waiting.bar)) this.pressWaiting();
  }

  forget() {
    this.view.slid = this.waiting = null;
  }

  /** Whether the bar is there, and the board has heard of it. */
  stands(bar) {
    const { twin, bar: heard } = this.state();
    return heard === bar && (!twin || twin.bar === bar || twin.bar === "half");
  }

  /** Whether this page or another hand slides it there already. */
  isOnItsWay(bar) {
    return this.view.slid === bar || (this.view.slid === null && this.state().twin?.bar === bar);
  }

  /** A bar of which the board does not hear, since it is stuck, holds nothing up. */
  bePatient() {
    clearTimeout(this.patience);
    this.patience = setTimeout(() => {
      this.view.slid = null;
      if (this.waiting) this.pressWaiting();
    }, PATIENCE);
  }

  pressWaiting() {
    const { name, over } = this.waiting;
    this.waiting = null;
    this.send({ do: "press", switch: name });
    if (over) this.send({ do: "release", switch: name });
  }
}
