"""A Raspberry Pi Pico that runs a firmware image: its plug, its pins, its lamps, its time, and its serial port.

Example::

    with EmulatedPico(Path("firmware.uf2")) as pico:
        port = serial.Serial(pico.wait_for_port())
        pico.press(4)
        pico.advance(0.1)
        print(pico.pictures(16)[-1].colours())
"""

from __future__ import annotations

import contextlib
import ctypes
import itertools
import json
import queue
import signal
import subprocess
import tempfile
import threading
from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Literal, Self

from rig.gpio.kernel import RigError
from rig.pico import library
from rig.pico.cable import Cable
from rig.pico.port import Port

HERE = Path(__file__).parent
UNIQUE_ID = "e6605481db318236"
PATIENCE_S = 120.0
"""How long, by the wall, an answer may take. Limits of a test go by the time of the board instead."""
MOST_SAID = 1000

Mode = Literal["paced", "free", "still"]
"""Its time goes with the wall's or slower; as fast as it can; not at all but in `EmulatedPico.advance`."""

_KILL_WITH_PARENT = 1


@dataclass(frozen=True)
class Usb:
    """What the board says it is when it is plugged in."""

    vid: int
    pid: int
    manufacturer: str = ""
    product: str = ""
    serial_number: str = ""


@dataclass(frozen=True)
class Picture:
    """What a chain of lamps has begun to show.

    :ivar number: counted from 1 since the start.
    :ivar at_us: the time of the board.
    :ivar wire: the bytes, in the order of the wire.
    :ivar bits: count of the bits; eight for each byte if it is a whole picture.
    """

    number: int
    at_us: float
    wire: bytes
    bits: int

    def colours(self, order: str = "GRB") -> list[tuple[int, int, int]]:
        """Red, green and blue of each lamp, of a chain that takes them in this order."""
        red, green, blue = (order.index(letter) for letter in "RGB")
        lamps = (self.wire[at : at + 3] for at in range(0, len(self.wire) - 2, 3))
        return [(lamp[red], lamp[green], lamp[blue]) for lamp in lamps]


@dataclass(frozen=True)
class Pulses:
    """Shortest and longest of each kind on a wire of lamps so far, in ns; None if there was none."""

    zero: tuple[float, float] | None
    one: tuple[float, float] | None
    low: tuple[float, float] | None
    pause: tuple[float, float] | None


@dataclass(frozen=True)
class About:
    """How the board is.

    :ivar at_us: time since the rig began; it goes on over resets and while the board has no power.
    :ivar since_start_us: time since the chip began, or since it lost its power.
    :ivar resets: by the watchdog, the program's own ones and those into the boot loader included.
    :ivar reason: the watchdog's register of reasons (0 power, 1 it ran out, 2 forced), or None without power.
    :ivar rss: memory of the emulator, in bytes.
    """

    at_us: float
    since_start_us: float
    resets: int
    reason: int | None
    powered: bool
    boot_loader: bool
    rss: int


class EmulatedPico:
    """A Pico on an emulator of its own; plugged in, and its switches open.

    Times are of the board, in microseconds since the rig began, unless they end in ``_s``.

    :ivar port: the device that its serial port has now, or None while there is none.
    :ivar usb: what it said it is when it was plugged in last.
    :ivar told_us: the time when the board spoke last, at most some milliseconds of the wall ago; asking costs nothing.
    :ivar said: the newest of what the board has sent, with the time of each packet of it.
    :ivar to_board: the cable's wire on which the board hears.
    :ivar from_board: the cable's wire on which the board speaks.
    """

    def __init__(
        self,
        uf2: Path,
        *,
        lamps: Sequence[int] = (16,),
        mode: Mode = "paced",
        unique_id: str = UNIQUE_ID,
        slower: int = 1,
    ) -> None:
        """Start it.

        :param uf2: the firmware.
        :param lamps: pins that have a chain of WS2812 lamps.
        :param unique_id: of its flash: 16 hexadecimal digits.
        :param slower: how often as long each instruction takes; all else keeps its time. A processor that does less is
            emulated faster.
        :raises RigError: it cannot be emulated here.
        """
        self.port: str | None = None
        self.usb: Usb | None = None
        self.told_us = 0.0
        self.said: deque[tuple[float, bytes]] = deque(maxlen=MOST_SAID)
        self.to_board, self.from_board = Cable(), Cable()
        self._unplug_when_broken = False
        self._mend_when_plugged: Cable | None = None
        self._last_name: str | None = None
        self._pty: Port | None = None
        self._numbers = itertools.count()
        self._answers: dict[int, queue.Queue[dict[str, Any]]] = {}
        self._changed = threading.Condition()
        self._sending = threading.Lock()
        self._ended = False
        self._locked_up: str | None = None
        self._folder = tempfile.TemporaryDirectory(prefix="pico")
        try:
            boot_rom = Path(self._folder.name) / "bootrom.json"
            library.write_boot_rom(boot_rom)
            options = {
                "library": library.library(),
                "bootrom": boot_rom,
                "uf2": uf2,
                "lamps": ",".join(str(pin) for pin in lamps),
                "mode": mode,
                "id": unique_id,
                "slower": slower,
            }
            command = [library.node(), str(HERE / "emulator.mjs")]
            for name, value in options.items():
                command += [f"--{name}", str(value)]
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
                encoding="utf-8",
                preexec_fn=_die_with_parent,
            )
        except BaseException:
            self._folder.cleanup()
            raise
        self._listener = threading.Thread(target=self._listen, daemon=True)
        self._listener.start()

    # The plug

    def wait_for_port(self, limit_s: float = PATIENCE_S, *, other_than: str | None = None) -> str:
        """The device of its port, as soon as there is one.

        :raises RigError: there is none after so many seconds of the wall.
        """
        with self._changed:
            there = self._changed.wait_for(lambda: self._ended or self.port not in (None, other_than), limit_s)
            if self._ended or not there or self.port is None:
                raise RigError(f"The emulated Pico had no serial port within {limit_s:g} s.")
            return self.port

    def power_cycle(self) -> None:
        """Take its power and give it back; the port comes back under another name."""
        self._ask("power_cycle")

    def unplug(self, *, powered: bool = False) -> None:
        """Pull the plug; the port is gone. It runs on if it is powered from elsewhere."""
        self._ask("unplug", powered)

    def replug(self) -> None:
        """Put the plug in; the port comes back under another name."""
        self._ask("replug")

    def write_firmware(self, uf2: Path) -> None:
        """Copy an image to it, as to the drive of its boot loader, and let it start."""
        self._ask("flash", str(uf2))

    def deaf_host(self, deaf: bool) -> None:
        """Let the host take nothing from the board, as a program does that does not read."""
        self._ask("deaf", deaf)

    def cut(self, cable: Cable, after: int, *, unplug: bool = False) -> None:
        """Break one wire after so many more bytes.

        :param unplug: pull the plug then, as who stumbles over the cable, and mend it when it is plugged in again; else
            the other wire goes on.
        """
        self._unplug_when_broken = unplug
        cable.cut(after)
        self._stumble(cable)

    # The pins

    def press(self, pin: int) -> float:
        """Connect a pin to ground, as a closed switch does; the time of it."""
        return self.drive(pin, False)

    def release(self, pin: int) -> float:
        """Let a pin hang open, so that its pull decides; the time of it."""
        return self.drive(pin, None)

    def drive(self, pin: int, high: bool | None) -> float:
        """Connect a pin to the supply (True), to ground (False) or to nothing (None); the time of it."""
        return float(self._ask("drive", pin, high)["at"])

    def bounce(self, pin: int, edges: Iterable[tuple[float, bool | None]], *, at_us: float | None = None) -> float:
        """Move a pin at exact times, each counted from `at_us` or else from now, and answer with when they begin.

        The last level stays.
        """
        return float(self._ask("plan", pin, list(edges), at_us)["at"])

    def level(self, pin: int) -> str:
        """What the board makes of a pin: ``high``, ``low``, ``input``, or ``off`` without power."""
        return str(self._ask("level", pin)["level"])

    # The lamps

    def pictures(self, pin: int, *, after: int = 0) -> list[Picture]:
        """The pictures of a chain after that of this number; the newest 2000 are kept."""
        found = self._ask("pictures", pin, after)["pictures"]
        return [Picture(number, at / 1e3, bytes.fromhex(wire), bits) for number, at, wire, bits in found]

    def picture_count(self, pin: int) -> int:
        """How many pictures a chain has shown."""
        return int(self._ask("pictures", pin, 1 << 60)["count"])

    def pulses(self, pin: int) -> Pulses:
        """Shortest and longest pulses of a chain."""
        found = self._ask("pictures", pin, 1 << 60)["pulses"]
        return Pulses(**{kind: None if value[0] is None else (value[0], value[1]) for kind, value in found.items()})

    # The time

    def about(self) -> About:
        """How the board is."""
        found = self._ask("about")
        return About(
            at_us=found["at"],
            since_start_us=found["since_start"],
            resets=found["resets"],
            reason=found["reason"],
            powered=found["powered"],
            boot_loader=found["boot_loader"],
            rss=found["rss"],
        )

    @property
    def now_us(self) -> float:
        """The time of the board."""
        return self.about().at_us

    def mode(self, mode: Mode) -> None:
        """Let its time go otherwise."""
        self._ask("mode", mode)

    def wait_until(self, at_us: float, limit_s: float = PATIENCE_S) -> float:
        """Come back when it is so late on the board, in whatever way its time goes; the time."""
        return float(self._ask("wait", at_us, limit_s=limit_s)["at"])

    def advance(self, seconds: float, limit_s: float = PATIENCE_S) -> float:
        """Let so much of the board's time pass as fast as it can; the time."""
        return float(self._ask("advance", self.now_us + seconds * 1e6, limit_s=limit_s)["at"])

    def hang(self) -> None:
        """Let its program do nothing any more, until the chip is reset."""
        self._ask("lock_up")

    def memory(self, address: int, count: int) -> bytes:
        """Bytes of its memory or flash."""
        return bytes(self._ask("memory", address, count)["bytes"])

    # The end

    def close(self) -> None:
        """End it. The port is gone. May be called twice."""
        if self._process.stdin and not self._process.stdin.closed:
            with contextlib.suppress(OSError):
                self._process.stdin.close()
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._listener.join()
        if self._process.stdout:
            self._process.stdout.close()
        self._folder.cleanup()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _ask(self, verb: str, *words: object, limit_s: float = PATIENCE_S) -> dict[str, Any]:
        number = next(self._numbers)
        self._answers[number] = queue.Queue()
        try:
            self._send(number, verb, *words)
            if self._ended:
                raise RigError("The emulator of the Pico has ended; what it said stands above.")
            answer = self._answers[number].get(timeout=limit_s)
        except queue.Empty:
            raise RigError(f"The emulated Pico did not answer to {verb!r} within {limit_s:g} s.") from None
        finally:
            del self._answers[number]
        if self._locked_up:
            raise RigError(f"The processor of the emulated Pico has locked up: {self._locked_up}.")
        if "wrong" in answer:
            raise RigError(f"The emulated Pico could not do {verb!r}: {answer['wrong']}.")
        return answer

    def _send(self, number: int | None, verb: str, *words: object) -> None:
        assert self._process.stdin is not None
        with self._sending, contextlib.suppress(OSError, ValueError):
            self._process.stdin.write(json.dumps([number, verb, *words]) + "\n")
            self._process.stdin.flush()

    def _listen(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            if not line.endswith("\n"):
                break  # it was ended in the middle of a word
            said = json.loads(line)
            if "at" in said:
                self.told_us = max(self.told_us, said["at"])
            if "data" in said:
                data = said["data"].encode("latin-1")
                self.said.append((said["at"], data))
                self._from_board(data)
            elif "re" in said:
                waiting = self._answers.get(said["re"])
                if waiting is not None:
                    waiting.put(said)
            elif "usb" in said:
                self._plugged(Usb(**said["usb"]))
            elif "gone" in said:
                self._gone()
            elif "locked_up" in said:
                self._locked_up = said["locked_up"]
        self._ended = True
        self._gone()
        for waiting in list(self._answers.values()):
            waiting.put({"wrong": "the emulator has ended"})

    def _plugged(self, usb: Usb) -> None:
        self._gone()
        if self._mend_when_plugged is not None:
            self._mend_when_plugged.mend()
            self._mend_when_plugged = None
        port = Port(self._to_board, lambda up, baud: self._send(None, "line", up, baud), not_named=self._last_name)
        port.start(lambda count: self._send(None, "taken", count))
        with self._changed:
            self._pty = port
            self._last_name = port.name
            self.usb = usb
            self.port = port.name
            self._changed.notify_all()

    def _gone(self) -> None:
        with self._changed:
            port, self._pty, self.port = self._pty, None, None
            self._changed.notify_all()
        if port is not None:
            port.close()

    def _to_board(self, data: bytes) -> None:
        through = self.to_board.through(data)
        if through:
            self._send(None, "data", through.decode("latin-1"))
        self._stumble(self.to_board)

    def _from_board(self, data: bytes) -> None:
        through = self.from_board.through(data)
        port = self._pty
        if port is not None and through:
            port.send(through)
        if lost := len(data) - len(through):
            self._send(None, "taken", lost)
        self._stumble(self.from_board)

    def _stumble(self, cable: Cable) -> None:
        if cable.broken and self._unplug_when_broken:
            self._unplug_when_broken = False
            self._mend_when_plugged = cable
            self._send(None, "unplug", False)


def _die_with_parent() -> None:
    ctypes.CDLL(None).prctl(_KILL_WITH_PARENT, signal.SIGTERM)
