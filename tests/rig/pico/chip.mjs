// The microcontroller: rp2040js' RP2040, with what it leaves out and the firmware of a board needs.
//
// - The state machines of the PIO advance with the processor's cycles; upstream they run from setTimeout, whenever that is.
// - The watchdog resets the chip, whoever lets it bite: a chip that ran out of time, machine.reset(), the boot loader.
// - The flash can be written and has a number of its own.
// - A pin that nothing drives follows its pull.
// - The processor locks up when it reads a word that does not lie on a word's boundary; upstream just reads it.

const PERIPHERAL = { ssi: 0x18000, watchdog: 0x40058 };
const SSI_DATA = 0x60, PIO_CONTROL = 0;
const READ_UNIQUE_ID = 0x4b, UNIQUE_ID_AFTER = 5; // one byte of the command and four dummies come before it
const ROM_TABLE = 0x14;
const STAY_IN_BOOT_LOADER = 0xb007c0d3; // in scratch 4: start at the address in scratch 7, which is one of the ROM's
const ROM_END = 0x4000;
const SIO = 5;
export const FLASH_SIZE = 2 << 20;
export const NS_PER_CYCLE = 8; // at 125 MHz

export class Chip {
  // flash: what the flash held before; slower: how often as long each instruction takes, while lamps, plug and time stay
  // as they are; reason, scratch: of the watchdog, which keeps them over its reset.
  constructor(library, { bootrom, flash, uniqueId, slower = 1, reason = 0, scratch = [] }) {
    const { RP2040, GPIOPinState } = library;
    this.states = GPIOPinState;
    this.instructionNanos = NS_PER_CYCLE * slower;
    const mcu = this.mcu = new RP2040();
    mcu.loadBootrom(bootrom);
    this.lockedUp = null; // why it has, and does nothing more until it is reset
    const silent = () => {};
    mcu.logger = { debug: silent, info: silent, warn: silent, error: (name, text) => { this.lockedUp ??= text; } };
    mcu.flash.set(flash);
    this.clock = mcu.clock;
    this.watchdog = mcu.peripherals[PERIPHERAL.watchdog];
    this.watchdog.reason = reason;
    this.watchdog.scratchData.set(scratch);
    this.resetWanted = false;
    this.watchdog.onWatchdogTrigger = () => {
      this.watchdog.alarm.enable = false; // upstream would let it ring again at once, for ever
      this.resetWanted = true;
    };
    this.edgeNanos = 0; // when the last pin changed that a state machine moved
    this.#giveFlashItsNumber(uniqueId);
    this.#letFlashBeWritten();
    this.#pacePio();
    mcu.core.PC = 0x10000000;
  }

  get reason() { return this.watchdog.reason; }
  get scratch() { return this.watchdog.scratchData; }
  get flash() { return this.mcu.flash.subarray(0, FLASH_SIZE); }
  get wantsBootLoader() {
    return this.scratch[4] === STAY_IN_BOOT_LOADER && this.scratch[7] < ROM_END;
  }

  // Connect every pin to what is outside: levels[pin] is true or false if it is driven, undefined if it hangs open.
  connect(levels) {
    this.levels = levels;
    this.mcu.gpio.forEach((pin, index) => {
      pin.addListener(() => this.settle(index));
      this.settle(index);
    });
  }

  settle(index) {
    const pin = this.mcu.gpio[index], { value } = pin, { High, Low, InputPullUp } = this.states;
    let level = this.levels[index];
    if (level === undefined) {
      if (value === High || value === Low) {
        if (pin.functionSelect !== SIO) return;
        level = value === High;
      } else level = value === InputPullUp;
    }
    if (level !== pin.rawInputValue) pin.setInputValue(level);
  }

  level(index) {
    const { value } = this.mcu.gpio[index], { High, Low } = this.states;
    return value === High ? 'high' : value === Low ? 'low' : 'input';
  }

  // Run until its clock shows so many ns, it is reset, or `late` says that it is time to do something else.
  run(until, late) {
    const { clock } = this, { core } = this.mcu;
    do {
      for (let i = 0; i < 2000; i++) {
        if (clock.nanosCounter >= until || this.resetWanted) return;
        let nanos;
        if (core.waiting || this.lockedUp) {
          // Without an alarm upstream's time would stand still.
          nanos = Math.min(clock.nextAlarm ? clock.nanosToNextAlarm : 1e6, until - clock.nanosCounter);
          if (this.#pioBusy()) nanos = Math.min(nanos, 400);
        } else nanos = core.executeInstruction() * this.instructionNanos;
        // What the clock's tick() does, without the call if no alarm is due: this is where the time goes.
        const then = clock.nanosCounter + nanos, alarm = clock.nextAlarm;
        if (alarm !== null && alarm.nanos <= then) clock.tick(nanos);
        else clock.nanosCounter = then;
        if (this.machines.length) this.#advancePio(nanos / NS_PER_CYCLE);
      }
    } while (!late());
  }

  #pacePio() {
    this.machines = []; // those that run
    const every = this.mcu.pio.flatMap(pio => pio.machines);
    for (const machine of every) {
      machine.credit = 0; // how long ago its next instruction was due, in 1/256 of a cycle
      machine.clkDivRestart = () => { machine.credit = 0; };
    }
    for (const pio of this.mcu.pio) {
      pio.run = () => {};
      const write = pio.writeUint32.bind(pio);
      pio.writeUint32 = (offset, value) => {
        write(offset, value);
        if (offset === PIO_CONTROL) this.machines = every.filter(machine => machine.enabled);
        this.edgeNanos = this.clock.nanos;
        pio.checkChangedPins();
      };
    }
  }

  #pioBusy() {
    for (const machine of this.machines) if (!machine.waiting) return true;
    return false;
  }

  #advancePio(cycles) {
    for (const machine of this.machines) {
      if (machine.waiting) { machine.credit = 0; continue; }
      const divider = ((machine.clockDivInt || 65536) << 8) + machine.clockDivFrac;
      machine.credit += cycles * 256;
      while (machine.credit >= 0 && !machine.waiting) {
        const before = machine.cycles;
        machine.step();
        this.edgeNanos = this.clock.nanos - machine.credit / 256 * NS_PER_CYCLE;
        machine.pio.checkChangedPins();
        machine.credit -= Math.max(1, machine.cycles - before) * divider;
      }
    }
  }

  // The SPI of the flash answers the one command that is asked of it by ordinary code: read the unique id.
  #giveFlashItsNumber(uniqueId) {
    const ssi = this.mcu.peripherals[PERIPHERAL.ssi];
    const read = ssi.readUint32.bind(ssi), write = ssi.writeUint32.bind(ssi);
    let answer = [];
    ssi.writeUint32 = (offset, value) => {
      if (offset === SSI_DATA && value === READ_UNIQUE_ID) answer = [...new Array(UNIQUE_ID_AFTER).fill(0), ...uniqueId];
      else write(offset, value);
    };
    ssi.readUint32 = offset => offset === SSI_DATA && answer.length ? answer.shift() : read(offset);
  }

  // The ROM's functions that erase and program the flash do it, in no time.
  #letFlashBeWritten() {
    const { mcu } = this, { core } = mcu;
    const erase = this.#romFunction('RE'), program = this.#romFunction('RP');
    core.blTaken = () => {
      if (core.PC === erase) mcu.flash.fill(0xff, core.registers[0], core.registers[0] + core.registers[1]);
      else if (core.PC === program) {
        const [at, from, count] = core.registers;
        for (let i = 0; i < count; i++) mcu.flash[at + i] &= mcu.readUint8(from + i);
      } else return;
      core.PC = core.LR & ~1;
    };
  }

  #romFunction(code) {
    const wanted = code.charCodeAt(0) | code.charCodeAt(1) << 8;
    for (let at = this.mcu.readUint16(ROM_TABLE); this.mcu.readUint16(at); at += 4) {
      if (this.mcu.readUint16(at) === wanted) return this.mcu.readUint16(at + 2) & ~1;
    }
    throw new Error(`the boot ROM has no function ${code}`);
  }
}

const UF2_MAGIC = 0x0a324655, UF2_NOT_FOR_FLASH = 1, FLASH_BASE = 0x10000000;

// Write a UF2 file's blocks into a flash; the rest of it stays as it is.
export function writeUf2(flash, uf2) {
  for (let at = 0; at + 512 <= uf2.length; at += 512) {
    if (uf2.readUInt32LE(at) !== UF2_MAGIC || uf2.readUInt32LE(at + 8) & UF2_NOT_FOR_FLASH) continue;
    const offset = uf2.readUInt32LE(at + 12) - FLASH_BASE, size = uf2.readUInt32LE(at + 16);
    flash.set(uf2.subarray(at + 32, at + 32 + size), offset);
  }
}
