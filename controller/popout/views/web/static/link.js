// The connection to the controller: one WebSocket, opened again with growing pauses when it is lost.

import { language } from "./words.js";

const FIRST_PAUSE = 300;
const LONGEST_PAUSE = 5000;

export class Link {
  /** `onMessage(message)` for each message; `onChange(up)` when the connection comes or goes. */
  constructor(onMessage, onChange) {
    this.onMessage = onMessage;
    this.onChange = onChange;
    this.pause = FIRST_PAUSE;
    this.timer = null;
    this.open();
    // A machine that wakes up or finds its network again need not wait for the pause to end.
    addEventListener("online", () => this.hurry());
    document.addEventListener("visibilitychange", () => document.hidden || this.hurry());
  }

  get up() {
    return this.socket.readyState === WebSocket.OPEN;
  }

  /** Send a command; false if there is no connection. Nothing is kept for later: a late press would be a wrong one. */
  send(command) {
    if (!this.up) return false;
    this.socket.send(JSON.stringify(command));
    return true;
  }

  open() {
    this.timer = null;
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(`${scheme}//${location.host}/ws?${new URLSearchParams({ lang: language() })}`);
    this.socket = socket;
    socket.onopen = () => {
      this.pause = FIRST_PAUSE;
      this.onChange(true);
    };
    socket.onmessage = (event) => this.onMessage(JSON.parse(event.data));
    socket.onclose = () => {
      if (socket !== this.socket) return;
      this.onChange(false);
      this.timer = setTimeout(() => this.open(), this.pause);
      this.pause = Math.min(this.pause * 1.7, LONGEST_PAUSE);
    };
  }

  hurry() {
    if (this.timer === null) return;
    clearTimeout(this.timer);
    this.pause = FIRST_PAUSE;
    this.open();
  }
}
