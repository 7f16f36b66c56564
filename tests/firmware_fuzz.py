"""Noise for the firmware on MicroPython's unix port: it goes on, grows by nothing, and understands each good frame.

PYTHONPATH=tests python tests/firmware_fuzz.py --bytes 1000000 --seed 5
"""

from __future__ import annotations

import argparse
import random
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from firmware_on_unix import FIRST_NUMBER, Firmware, flash
from popout.board.layout import Layout
from popout.board.serial.description import description
from popout.link.frames import encode
from popout.link.pictures import chunks

AT_ONCE = 4096
MOST_GROWTH = 4096
"""Bytes: what is kept of the last lines of a log of its own, and no more however long it goes on."""

_KINDS = "hdlpsagxtzyABEHPS"
"""The kinds of made-up frames: all that a host may say but what ends the program, some unknown ones, and echoes."""


@dataclass
class Result:
    """What came of it.

    :ivar noise: bytes that were no good frame. :ivar asked, answered: good frames, and how many were understood.
    :ivar bad: lines of noise as the firmware counted them. :ivar free: of memory, at the start and again and again.
    """

    seed: int
    noise: int = 0
    asked: int = 0
    answered: int = 0
    bad: int = 0
    free: list[int] = field(default_factory=list)

    @property
    def growth(self) -> int:
        """How much more memory is in use at the end than after a tenth of the noise."""
        return self.free[len(self.free) // 10] - min(self.free[len(self.free) // 10 :])


def fuzz(folder: Path, noise_bytes: int, seed: int) -> Result:
    """Say so many bytes of noise, with good frames between.

    :raises AssertionError: the firmware has ended, or a good frame was not understood.
    """
    told = description(Layout.load("7x6-pico"))
    chance = random.Random(seed)
    result = Result(seed)
    made = _makers(chance, told["picture"])
    with Firmware(folder, flash(told)) as board:
        board.hello()
        result.free.append(board.memory())
        while result.noise < noise_bytes:
            burst = b""
            while len(burst) < AT_ONCE:
                burst += chance.choice(made)()
            board.write(burst)
            result.noise += len(burst)
            # Whatever the noise was, after a newline a good frame is one. It may have said goodbye, so greet anew.
            board.write(b"\n")
            board.frames.clear()
            for kind, payload, answer in (
                *(("h", "1.0", "H"), ("p", "", "P"), ("s", "", "S"), ("d", "2:1E:C8", "A"), ("g", "0", "G")),
                ("z", "", "R"),
            ):
                result.asked += 1
                heard, said = board.ask(kind, payload)
                assert heard == answer, f"seed {seed}, after {result.noise} bytes: {kind}{payload} got {heard}{said}"
                result.answered += 1
                if kind == "p":
                    result.bad = int(said.split(":")[3], 16)
            board.pass_time(chance.choice((1, 5, 200, 1600)))
            board.put(told["switches"][chance.randrange(10)]["pin"], chance.randrange(2))
            if chance.random() < 0.2:
                board.hello()
                assert board.show(*chunks(chance.randrange(256), [chance.randrange(64)] * told["picture"]))[0] == "A"
                result.free.append(board.memory())
        board.hello()
        result.free.append(board.memory())
        assert board.process.poll() is None
    assert not (folder / "failure.txt").exists(), (folder / "failure.txt").read_text()
    return result


def _makers(chance: random.Random, lamps: int) -> list[Callable[[], bytes]]:
    """Ways to make noise, of at most some hundred bytes each."""

    def text(most: int) -> str:
        return "".join(chance.choices("0123456789ABCDEFCIRSo:. ~", k=chance.randrange(most)))

    def frame() -> bytes:
        """A line as it should be, of nonsense."""
        return encode(chance.choice(_KINDS), chance.randrange(FIRST_NUMBER), text(chance.choice((4, 12, 240))))

    def picture() -> bytes:
        """Chunks of pictures, some of them missing, some meant for other lamps."""
        colours = [chance.randrange(1 << 24) for _ in range(lamps + chance.choice((0, 0, 7)))]
        some = chance.choices(chunks(chance.randrange(256), colours[: chance.randrange(1, len(colours))]), k=3)
        return b"".join(encode("l", chance.randrange(FIRST_NUMBER), chunk) for chunk in some)

    def flipped() -> bytes:
        """A good line with wrong bits."""
        line = bytearray(frame())
        for _ in range(chance.randrange(1, 4)):
            line[chance.randrange(len(line))] ^= 1 << chance.randrange(8)
        return bytes(line)

    return [
        lambda: chance.randbytes(chance.randrange(64)),
        lambda: bytes(chance.choices(b"\n\r\x03\x04\x00 ~A0", k=chance.randrange(64))),
        lambda: bytes(chance.choices(range(32, 127), k=chance.choice((20, 249, 250, 251, 600)))) + b"\n",
        frame,
        picture,
        flipped,
        lambda: frame()[: chance.randrange(8)],
        lambda: frame()[chance.randrange(8) :],
    ]


def main() -> None:
    """Make noise, and say what came of it."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--bytes", type=int, default=1_000_000, help="of noise (1000000)")
    asked.add_argument("--seed", type=int, default=random.randrange(1 << 32), help="the same one makes the same noise")
    how = asked.parse_args()
    print(f"Seed {how.seed}")
    with tempfile.TemporaryDirectory() as folder:
        result = fuzz(Path(folder), how.bytes, how.seed)
    print(
        f"{result.noise} bytes of noise, {result.bad} bad lines, {result.answered} of {result.asked} frames understood"
    )
    print(f"Free memory: {result.free[0]} bytes at the start, {result.free[-1]} at the end, growth {result.growth}")
    if result.growth > MOST_GROWTH:
        raise SystemExit("The firmware has grown.")


if __name__ == "__main__":
    main()
