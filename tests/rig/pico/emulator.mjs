// A Raspberry Pi Pico and its surroundings: what hangs on its pins, its plug, and the time.
//
// JSON lines on standard input: [number, verb, ...what the verb needs]; on standard output {re: number, ...} for each, and of
// its own accord {usb: ...} when the board is there, {gone: why} when it is not any more, {data: bytes of it as Latin-1}, and
// {at: the time} now and then; {locked_up: why} if the processor did what it cannot.
import fs from 'node:fs';
import readline from 'node:readline';
import { createRequire } from 'node:module';
import { parseArgs } from 'node:util';
import { Chip, FLASH_SIZE, writeUf2 } from './chip.mjs';
import { Chain } from './lamps.mjs';
import { UsbHost } from './usb.mjs';

const { values: options } = parseArgs({
  options: Object.fromEntries(['library', 'bootrom', 'uf2', 'lamps', 'mode', 'id', 'slower'].map(name => [name, { type: 'string' }])),
});
const library = createRequire(options.library + '/')('rp2040js');
const bootrom = new Uint32Array(JSON.parse(fs.readFileSync(options.bootrom)));
const uniqueId = Buffer.from(options.id, 'hex');

const say = what => process.stdout.write(JSON.stringify(what) + '\n');
const VBUS_PIN = 24;
const MOST_BEHIND = 50e6; // ns: more than this is not caught up with, so that time never runs much faster than the wall's
const SLICE_MS = 5;

let flash = new Uint8Array(FLASH_SIZE).fill(0xff);
writeUf2(flash, fs.readFileSync(options.uf2));
const levels = new Array(30).fill(undefined);
const chains = new Map(options.lamps.split(',').filter(Boolean).map(pin => [Number(pin), new Chain()]));

let chip = null, host = null, clock = null, Clock = null;
let base = 0; // ns of the rig's time at which the clock began
let resets = 0, inBootLoader = false, cutSupply = false;
const now = () => base + (clock ? clock.nanos : 0);

// ---- power

function start({ reason = 0, scratch = [] } = {}) {
  const before = now(), line = host?.line, deaf = host?.deaf;
  base = before;
  chip = new Chip(library, { bootrom, flash, uniqueId, slower: Number(options.slower), reason, scratch });
  clock = chip.clock;
  Clock = clock.constructor;
  inBootLoader = false; cutSupply = false;
  levels[VBUS_PIN] = true;
  chip.connect(levels);
  for (const [pin, chain] of chains) chain.power(chip, pin, base);
  host = new UsbHost(chip.mcu.usbCtrl, {
    told: found => say({ usb: found, at: now() / 1e3 }),
    said: bytes => say({ data: Buffer.from(bytes).toString('latin1'), at: now() / 1e3 }),
  });
  if (line) host.line = { open: false, baud: line.baud };
  host.deaf = Boolean(deaf);
  armPlayer();
}

function stop(why) {
  say({ gone: why, at: now() / 1e3 });
  if (!chip) return;
  flash = chip.flash.slice();
  host.unplug();
  base = now();
  clock = new Clock();
  for (const chain of chains.values()) chain.power();
  chip = null;
  levels[VBUS_PIN] = false;
  armPlayer();
}

function reset(why) {
  const { reason, scratch, wantsBootLoader } = chip;
  resets++;
  stop(why);
  if (wantsBootLoader) inBootLoader = true;
  else start({ reason, scratch });
}

// ---- hands

const planned = []; // [ns, pin, level] in order of time
let player = null;

function drive(pin, level) {
  levels[pin] = level === null ? undefined : level;
  chip?.settle(pin);
}

function armPlayer() {
  player = clock.createAlarm(() => {
    while (planned.length && planned[0][0] <= now()) { const [, pin, level] = planned.shift(); drive(pin, level); }
    if (planned.length) player.schedule(planned[0][0] - now());
  });
  if (planned.length) player.schedule(Math.max(0, planned[0][0] - now()));
}

function plan(pin, edges, at) {
  for (const [micros, level] of edges) planned.push([at + micros * 1e3, pin, level]);
  planned.sort((one, other) => one[0] - other[0]);
  player.cancel();
  player.schedule(Math.max(0, planned[0][0] - now()));
}

// ---- time

let mode = options.mode, anchor = null; // anchor: [wall in ms, rig in ns] that belong together
const waiters = []; // {at, re, advance}
const wall = () => performance.now();
const anchorHere = () => { anchor = [wall(), now()]; };

function allowed() {
  if (mode === 'free' || waiters.some(waiter => waiter.advance)) return Infinity;
  if (mode === 'still') return now();
  const may = anchor[1] + (wall() - anchor[0]) * 1e6;
  if (may - now() > MOST_BEHIND) anchorHere();
  return Math.max(may, now());
}

function answerWaiters() {
  for (let i = waiters.length - 1; i >= 0; i--) {
    if (waiters[i].at > now()) continue;
    const [waiter] = waiters.splice(i, 1);
    if (waiter.advance) anchorHere();
    say({ re: waiter.re, at: now() / 1e3 });
  }
}

function turn() {
  const end = wall() + SLICE_MS;
  const until = Math.min(allowed(), ...waiters.map(waiter => waiter.at));
  if (until > now()) {
    if (chip) chip.run(until - base, () => wall() >= end);
    else for (let i = 0; i < 1000 && now() < until; i++) {
      clock.tick(Math.min(1e6, until - now(), clock.nextAlarm ? clock.nanosToNextAlarm : Infinity));
    }
    if (chip?.lockedUp && !chip.told) { chip.told = true; say({ locked_up: chip.lockedUp }); }
    if (chip?.resetWanted) reset('watchdog');
    say({ at: now() / 1e3 });
  }
  answerWaiters();
  if (allowed() > now()) setImmediate(turn);
  else setTimeout(turn, 1);
}

// ---- commands

const verbs = {
  drive: (pin, level) => { drive(pin, level); return { at: now() / 1e3 }; },
  plan: (pin, edges, at) => {
    const begin = at === null ? now() : at * 1e3;
    plan(pin, edges, begin);
    return { at: begin / 1e3 };
  },
  level: pin => ({ level: chip ? chip.level(pin) : 'off' }),
  pictures: (pin, since) => {
    if (!chains.has(pin)) throw new Error(`no lamps hang on pin ${pin}`);
    const { count, pictures, pulses } = chains.get(pin);
    return { count, pulses, pictures: pictures.filter(([number]) => number > since) };
  },
  about: () => ({
    at: now() / 1e3, since_start: clock.nanos / 1e3, resets, reason: chip ? chip.reason : null, powered: Boolean(chip),
    boot_loader: inBootLoader, rss: process.memoryUsage().rss,
  }),
  lock_up: () => { chip.lockedUp = 'as was wished'; chip.told = true; return {}; },
  memory: (address, count) => ({ bytes: Array.from({ length: count }, (_, i) => chip.mcu.readUint8(address + i)) }),
  mode: name => { mode = name; anchorHere(); return {}; },
  power_cycle: () => { if (chip) stop('power'); start(); return {}; },
  unplug: powered => {
    if (powered && chip) { cutSupply = true; host.unplug(); levels[VBUS_PIN] = false; chip.settle(VBUS_PIN); say({ gone: 'unplugged' }); }
    else stop('unplugged');
    return {};
  },
  replug: () => {
    if (cutSupply) { cutSupply = false; levels[VBUS_PIN] = true; chip.settle(VBUS_PIN); host.reconnect(); } else if (!chip) start();
    return {};
  },
  flash: path => { if (chip) stop('power'); writeUf2(flash, fs.readFileSync(path)); start(); return {}; },
  data: text => { host.write(Buffer.from(text, 'latin1')); },
  taken: count => { host.taken(count); },
  line: (open, baud) => { host.setLine(open, baud); },
  deaf: deaf => { host.setDeaf(deaf); return {}; },
};

readline.createInterface({ input: process.stdin }).on('line', line => {
  const [re, verb, ...rest] = JSON.parse(line);
  if (verb === 'wait' || verb === 'advance') {
    const at = rest[0] * 1e3;
    waiters.push({ at, re, advance: verb === 'advance' });
    return;
  }
  let answer;
  try { answer = verbs[verb](...rest); } catch (error) { answer = { wrong: error.message }; }
  if (answer) say({ re, ...answer });
}).on('close', () => process.exit(0));

start();
anchorHere();
turn();
