// What a chain of WS2812 lamps makes of the edges on its wire, in emulated time.

const ONE_FROM = 500; // ns: a pulse this long is a 1
const LATCH_AFTER = 50000; // ns of low after which the lamps show what they got
const KEPT = 2000;

export class Chain {
  constructor() {
    this.count = 0; // pictures since the start
    this.pictures = []; // the newest ones: [number, ns, the bits as hex in the order of the wire, count of bits]
    // Shortest and longest, in ns: pulses of a 0, pulses of a 1, the low between two bits; and the pause between pictures.
    this.pulses = { zero: [null, null], one: [null, null], low: [null, null], pause: [null, null] };
    this.power();
  }

  // It hangs on a chip that has just begun, at this time of the rig.
  power(chip, pin, base) {
    this.bits = []; this.rise = null; this.fall = null; this.latched = null;
    if (!chip) return;
    const { High, Low } = chip.states;
    const latch = chip.clock.createAlarm(() => {
      armed = false;
      const rest = this.fall + LATCH_AFTER - base - chip.clock.nanos;
      if (this.rise !== null) return; // high: the next fall arms it anew
      if (rest > 0) { latch.schedule(rest); armed = true; } else this.#latch();
    });
    let armed = false;
    chip.mcu.gpio[pin].addListener((now, before) => {
      const pio = chip.mcu.gpio[pin].functionSelect > 5;
      const at = base + (pio ? chip.edgeNanos : chip.clock.nanos);
      if (now === High) this.#risen(at);
      else if (now === Low && before === High) {
        this.#fallen(at);
        if (!armed) { latch.schedule(LATCH_AFTER); armed = true; }
      }
    });
  }

  #risen(at) {
    if (this.bits.length) {
      if (at - this.fall >= LATCH_AFTER) this.#latch();
      else this.#seen('low', at - this.fall);
    }
    if (!this.bits.length && this.latched !== null) this.#seen('pause', at - this.fall);
    this.rise = at;
  }

  #fallen(at) {
    if (this.rise === null) return;
    const one = at - this.rise >= ONE_FROM;
    this.#seen(one ? 'one' : 'zero', at - this.rise);
    this.bits.push(one ? 1 : 0);
    this.rise = null; this.fall = at;
  }

  #latch() {
    let wire = '';
    for (let i = 0; i + 8 <= this.bits.length; i += 8) {
      wire += parseInt(this.bits.slice(i, i + 8).join(''), 2).toString(16).padStart(2, '0');
    }
    this.latched = this.fall + LATCH_AFTER;
    this.count++;
    this.pictures.push([this.count, this.latched, wire, this.bits.length]);
    if (this.pictures.length > KEPT) this.pictures.shift();
    this.bits = [];
  }

  #seen(what, nanos) {
    const range = this.pulses[what];
    if (range[0] === null || nanos < range[0]) range[0] = nanos;
    if (nanos > range[1]) range[1] = nanos;
  }
}
