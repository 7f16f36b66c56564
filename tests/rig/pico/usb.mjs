// The host's end of the board's USB serial port: it enumerates the board, reads what it is called, and passes bytes.
//
// As on a real host, nothing is taken from the board while nobody has the port open, or whoever has it open does not read.
// Two things upstream leaves out: a transfer to the board completes when there is something to say (upstream answers at
// once with nothing, which makes a storm of interrupts), and one from the board when the host has taken it.

const WINDOW = 1024; // bytes on their way to the reader
const PACKET = 64;
const IN = 0x80, CLASS_TO_INTERFACE = 0x21;
const SET_ADDRESS = 5, GET_DESCRIPTOR = 6, SET_CONFIGURATION = 9, SET_LINE_CODING = 0x20, SET_LINE_STATE = 0x22;
const DEVICE = 1, CONFIGURATION = 2, STRING = 3, INTERFACE = 4, ENDPOINT = 5, ENGLISH = 0x409;
const DATA_CLASS = 10, BULK = 2;

export class UsbHost {
  // told: called with what is found of the board once it can be used; said: called with bytes of the board.
  constructor(usb, { told, said }) {
    Object.assign(this, { usb, told, said });
    this.line = { open: false, baud: 9600 };
    this.deaf = false;
    this.#forget();
    usb.onUSBEnabled = () => usb.resetDevice();
    usb.onResetReceived = () => { this.#forget(); this.#enumerate(); };
    usb.onEndpointWrite = (endpoint, packet) => {
      if (endpoint === 0) this.#controlIn(packet);
      else if (endpoint === this.inEndpoint) this.#fromBoard(packet);
    };
    usb.onEndpointRead = (endpoint, size) => {
      if (endpoint === 0) this.#controlOut(size);
      else if (endpoint === this.outEndpoint) { this.armed = size; this.#deliver(); }
    };
    const ready = usb.indicateBufferReady.bind(usb);
    usb.indicateBufferReady = (endpoint, out) => {
      if (!out && endpoint === this.inEndpoint && !this.#draining()) this.held = () => ready(endpoint, out);
      else ready(endpoint, out);
    };
  }

  // As if the plug were pulled and put in again, on a board that has another supply.
  reconnect() { this.usb.resetDevice(); }

  unplug() { this.plugged = false; }

  write(bytes) { if (this.plugged) { for (const byte of bytes) this.inbox.push(byte); this.#deliver(); } }

  // Somebody has opened the port with this baud rate, or has closed it.
  setLine(open, baud) {
    this.line = { open, baud };
    if (!this.plugged) return;
    this.#tellLine();
    if (!open) { this.inbox = []; this.unread = 0; }
    this.#drain();
  }

  setDeaf(deaf) { this.deaf = deaf; this.#drain(); }

  taken(count) { this.unread = Math.max(0, this.unread - count); this.#drain(); }

  #forget() {
    Object.assign(this, { plugged: false, inEndpoint: -1, outEndpoint: -1, armed: 0, held: null, kept: [], inbox: [], unread: 0 });
    this.requests = []; this.request = null;
  }

  #draining() { return this.plugged && this.line.open && !this.deaf && this.unread < WINDOW; }

  #fromBoard(packet) {
    if (this.#draining() && !this.kept.length) this.#hand(packet);
    else this.kept.push(packet);
  }

  #hand(packet) { this.unread += packet.length; this.said(packet); }

  #drain() {
    while (this.#draining() && this.kept.length) this.#hand(this.kept.shift());
    if (this.held && this.#draining()) { const held = this.held; this.held = null; held(); }
  }

  #deliver() {
    if (!this.armed || !this.inbox.length) return;
    const size = this.armed; this.armed = 0;
    this.usb.endpointReadDone(this.outEndpoint, new Uint8Array(this.inbox.splice(0, Math.min(size, PACKET))));
  }

  #enumerate() {
    const found = {};
    this.#ask([0, SET_ADDRESS, 1, 0, 0]);
    this.#get(DEVICE, 0, 0, 18, bytes => {
      found.vid = bytes[8] | bytes[9] << 8;
      found.pid = bytes[10] | bytes[11] << 8;
      ['manufacturer', 'product', 'serial_number'].forEach((name, i) => {
        if (bytes[14 + i]) this.#get(STRING, bytes[14 + i], ENGLISH, 255, text => {
          found[name] = Buffer.from(text.slice(2)).toString('utf16le');
        });
      });
      this.#get(CONFIGURATION, 0, 0, 9, head => this.#get(CONFIGURATION, 0, 0, head[2] | head[3] << 8, all => {
        Object.assign(this, bulkEndpoints(all));
        this.#ask([0, SET_CONFIGURATION, 1, 0, 0], null, () => {
          this.plugged = true;
          this.#tellLine();
          this.told(found);
        });
      }));
    });
  }

  #tellLine() {
    const { open, baud } = this.line;
    const coding = [baud & 255, baud >> 8 & 255, baud >> 16 & 255, baud >> 24 & 255, 0, 0, 8];
    this.#ask([CLASS_TO_INTERFACE, SET_LINE_CODING, 0, 0, coding.length], coding);
    this.#ask([CLASS_TO_INTERFACE, SET_LINE_STATE, open ? 3 : 0, 0, 0]);
  }

  #get(kind, index, language, length, then) { this.#ask([IN, GET_DESCRIPTOR, kind << 8 | index, language, length], null, then); }

  // A control transfer: type, request, value, index and length; what is sent with it; what is done with the answer.
  #ask([type, code, value, index, length], data = null, then = () => {}) {
    const setup = [type, code, value & 255, value >> 8, index & 255, index >> 8, length & 255, length >> 8];
    this.requests.push({ setup, length, data, then, wantsIn: type & IN, got: [] });
    this.#next();
  }

  #next() {
    if (this.request || !this.requests.length) return;
    this.request = this.requests.shift();
    this.usb.sendSetupPacket(new Uint8Array(this.request.setup));
  }

  #controlIn(packet) {
    const { request } = this;
    if (!request) return;
    if (request.wantsIn) {
      request.got.push(...packet);
      if (packet.length === PACKET && request.got.length < request.length) return;
    }
    this.request = null;
    request.then(request.got);
    this.#next();
  }

  #controlOut() {
    const { request } = this;
    if (request?.data) {
      this.usb.endpointReadDone(0, new Uint8Array(request.data));
      request.data = null;
    }
  }
}

function bulkEndpoints(descriptors) {
  const found = { inEndpoint: -1, outEndpoint: -1 };
  let serial = false;
  for (let at = 0; at < descriptors.length && descriptors[at]; at += descriptors[at]) {
    const [, kind, address, attributes, , deviceClass] = descriptors.slice(at, at + 6);
    if (kind === INTERFACE) serial = deviceClass === DATA_CLASS;
    else if (kind === ENDPOINT && serial && (attributes & 3) === BULK) {
      found[address & IN ? 'inEndpoint' : 'outEndpoint'] = address & 15;
    }
  }
  return found;
}
