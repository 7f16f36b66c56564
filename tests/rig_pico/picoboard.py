"""Boards on the emulated Pico: layouts, the lamps that were really lit, and people at a table who play there."""

from __future__ import annotations

import asyncio
import os
import random
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Protocol, Self

import serial

from popout.board.chain import TurnPlace
from popout.board.contacts import pin_number
from popout.board.frame import Frame
from popout.board.layout import Layout
from popout.board.serial.driver import SerialBoard
from popout.board.serial.talking import talk_to
from popout.board.switches import BAR, column_switch, moved_by_a_disc
from popout.link import words
from popout.play.settings import Settings
from popout.play.table import Table
from popout.record.store import Store
from popout.rules import Pop, RuleSet, parse_move
from rig.pico.board import EmulatedPico, Mode, Picture
from tables import moves, running

PICO = Layout.load("7x6-pico")
STRIP = 16
"""The pin of the lamps, on every board here."""
BOUNCE_US = 5000.0
TAP_S = 0.08
REST_S = 0.06
LEVER_REST_S = 0.4
"""A lever that a disc moves is not listened to for a while after it closed, and again after it opened."""
PATIENCE_S = 10.0
"""How long, by the time of the board, something may take to come about."""
_WALL_S = 60.0
"""And how long by the wall, in case the time of the board stands still."""

LONG = "d4 d3 p4 d3 d4 p3 d4 d2 d4 d1 d4"
SHORT = "d4 d1 d4 p1 d4"
SHORT_RULES = "popout 7x6 connect=3"

Light = tuple[tuple[int, int, int], ...]


class Boot(Protocol):
    """Gives a Pico current."""

    def __call__(self, layout: Layout = PICO, mode: Mode = "paced", slower: int = 1) -> EmulatedPico: ...


class SeenBoard(SerialBoard):
    """A board of which every picture is remembered that it was to show, from the beginning of it on."""

    def __init__(self, layout: Layout, **how: Any) -> None:
        self.frames: list[Frame] = []
        super().__init__(layout, **how)

    def show(self, frame: Frame) -> None:
        self.frames.append(frame)
        super().show(frame)


class Seat:
    """Two players at a table, who use nothing but the board and see nothing but its lamps.

    :ivar boards: each board that was opened, the newest last.
    """

    def __init__(self, table: Table, pico: EmulatedPico, boards: Sequence[SeenBoard], seed: int = 1) -> None:
        self.table = table
        self.pico = pico
        self.boards = boards
        self.layout = table.board.layout
        self._chance = random.Random(seed)
        self._bar_open = False

    async def play(self, text: str) -> None:
        """Play moves, and see after each that it counts and is shown."""
        for word in text.split():
            wanted = f"{moves(self.table)} {word}".strip()
            await self.move(word)
            await self.until(lambda wanted=wanted: moves(self.table) == wanted)
            await self.until(self.is_right)

    async def insist(self, text: str) -> None:
        """Play moves, whatever happens to the board: what does not count is done again, once the board is right."""
        for word in text.split():
            wanted = f"{moves(self.table)} {word}".strip()
            while moves(self.table) != wanted:
                await self.until(self.is_right, 20)
                await self.move(word)
                try:
                    await self.until(lambda wanted=wanted: moves(self.table) == wanted, 1.2)
                except TimeoutError:
                    self._bar_open = self.table.controller.gesture.bar_open if self.is_right() else self._bar_open
        await self.until(self.is_right, 20)

    async def move(self, word: str) -> None:
        """Do a move with the hands, once."""
        move = parse_move(word)
        if isinstance(move, Pop) != self._bar_open:
            self._bar_open = not self._bar_open
            self.touch(BAR, self._bar_open)
            await self.pause(REST_S)
        await self.tap(column_switch(move.column))

    async def tap(self, switch: str, seconds: float = TAP_S) -> None:
        """Press a button, and let go."""
        self.touch(switch, True)
        await self.pause(seconds)
        self.touch(switch, False)
        await self.pause(LEVER_REST_S if moved_by_a_disc(switch, self.layout.actuation) else REST_S)

    def rest_bar(self) -> None:
        """Close the bar, as at the beginning."""
        if self._bar_open:
            self._bar_open = False
            self.touch(BAR, False)

    def touch(self, switch: str, closed: bool) -> float:
        """Close a switch or open it, with its bounce; when, by the time of the board."""
        return touch(self.pico, self.layout, switch, closed, self._chance)

    def is_right(self) -> bool:
        """Whether the lamps show what the table does."""
        frame = self.table.frame
        return frame is not None and light_of(self.pico, self.layout) == wanted_light(frame, self.layout)

    def was_true(self) -> bool:
        """Whether the lamps showed nothing, ever, but what the table did, and that in its order."""
        shown = [wanted_light(frame, self.layout) for board in self.boards for frame in board.frames]
        dark = wanted_light(Frame.dark(self.layout.columns, self.layout.rows), self.layout)
        at = 0
        for picture in whole(self.pico.pictures(STRIP), self.layout):
            if picture == dark:
                continue
            try:
                at = shown.index(picture, at)
            except ValueError:
                return False
        return True

    async def until(self, condition: Callable[[], object], patience_s: float = PATIENCE_S) -> None:
        """Wait until something has come about, by the time of the board.

        :raises TimeoutError: it has not.
        """
        await until(self.pico, condition, patience_s)

    async def pause(self, seconds: float) -> None:
        """Let time of the board pass."""
        await asyncio.to_thread(self.pico.wait_until, self.pico.now_us + seconds * 1e6)


async def until(pico: EmulatedPico, condition: Callable[[], object], patience_s: float = PATIENCE_S) -> None:
    """Wait until something has come about, by the time of the board.

    :raises TimeoutError: it has not.
    """
    end, wall = pico.now_us + patience_s * 1e6, time.monotonic() + max(_WALL_S, 10 * patience_s)
    while not condition():
        if pico.told_us > end or time.monotonic() > wall:
            raise TimeoutError
        await asyncio.sleep(0.005)


def touch(pico: EmulatedPico, layout: Layout, switch: str, closed: bool, chance: random.Random) -> float:
    """Close a switch or open it, with its bounce; when, by the time of the board."""
    times = [0.0, *sorted(chance.uniform(50, BOUNCE_US) for _ in range(4))]
    edges = [(at, level(layout, switch, closed == (place % 2 == 0))) for place, at in enumerate(times)]
    return pico.bounce(pin_number(layout.switches[switch]), edges)


def level(layout: Layout, switch: str, closed: bool) -> bool | None:
    """What a switch connects its pin to."""
    high = (layout.closed_level(switch) == "high") == closed
    return None if high == (layout.pull == "up") else high


def at_rest(pico: EmulatedPico, layout: Layout) -> None:
    """Open every switch."""
    for switch, pin in layout.switches.items():
        pico.drive(pin_number(pin), level(layout, switch, False))


def at_prompt(pico: EmulatedPico, code: str) -> str:
    """Let the board leave its program for MicroPython's prompt, and run code there: what that prints."""
    _, wire = talk_to()
    assert wire.ask(words.TO_PROMPT) is not None
    wire.close()
    assert pico.port is not None
    with serial.Serial(pico.port, timeout=_WALL_S) as port:
        for said, answer in (
            ("\r\x03\x03\r\x01", "raw REPL; CTRL-B to exit\r\n>"),
            (code + "\x04", "OK"),
        ):
            port.write(said.encode())
            assert port.read_until(answer.encode()).endswith(answer.encode())
        printed, error = (port.read_until(b"\x04").decode().strip("\x04\r\n") for _ in range(2))
    assert not error, error
    return printed


def wanted_light(frame: Frame, layout: Layout) -> Light:
    """What the lamps of the chain are to show."""
    return tuple((colour >> 16, colour >> 8 & 255, colour & 255) for colour in layout.colours(frame))


def light_of(pico: EmulatedPico, layout: Layout) -> Light:
    """What the lamps of the chain show."""
    newest = whole(pico.pictures(STRIP, after=pico.picture_count(STRIP) - 1), layout)
    return newest[-1] if newest else dark(layout)


def turn_of(pico: EmulatedPico) -> str | None:
    """Whose turn it is by the turn lamps of the usual board; None if that cannot be told."""
    light = light_of(pico, PICO)
    lamps = zip(PICO.places, light, strict=True)
    lit = [place.side for place, colour in lamps if isinstance(place, TurnPlace) and any(colour)]
    return lit[0] if len(lit) == 1 else None


def whole(pictures: Sequence[Picture], layout: Layout) -> list[Light]:
    """The pictures, of which none may be one of too few lamps or too many."""
    assert layout.chain is not None
    assert {picture.bits for picture in pictures} <= {24 * len(layout.places)}
    return [tuple(picture.colours(layout.chain.order.upper())) for picture in pictures]


def dark(layout: Layout) -> Light:
    """No light."""
    return ((0, 0, 0),) * len(layout.places)


@asynccontextmanager
async def playing(
    pico: EmulatedPico, path: Path, rules: str | None, layout: Layout = PICO, settings: Settings | None = None
) -> AsyncIterator[Seat]:
    """People at a table that plays on the Pico, with its record in a file, as `popout play` makes it.

    :param rules: of a new game; None goes on with the last one.
    """
    boards: list[SeenBoard] = []

    def open_board() -> SeenBoard:
        unique = boards[-1].hello.unique if boards else None
        boards.append(SeenBoard(layout, unique=unique))
        return boards[-1]

    with Store(path) as store:
        table = Table(open_board(), store, settings or Settings(), rules and RuleSet.parse(rules), reopen=open_board)
        try:
            async with running(table):
                await table.started.wait()
                yield Seat(table, pico, boards)
        finally:
            table.board.close()


def recorded(path: Path) -> list[str]:
    """What the record of the last game says, an entry a text."""
    with Store(path) as store:
        return [f"{entry.kind.value} {entry.text}".strip() for entry in store.current()]


def written(rules: str, text: str) -> list[str]:
    """What a record says of a game of these moves."""
    return [f"new {RuleSet.parse(rules).text}", *(f"move {word}" for word in text.split())]


class Program:
    """`popout play` in a process of its own, at a Pico; its record is the file ``games`` of a folder."""

    def __init__(self, pico: EmulatedPico, folder: Path) -> None:
        assert pico.port is not None
        command = Path(sys.executable).with_name("popout")
        where = ["--board", "serial", "--device", pico.port, "--no-browser", "--port", "0"]
        self._log = (folder / "said").open("ab")
        self._process = subprocess.Popen(
            [command, "play", *where, "--record", folder / "games", "--rules", "popout 7x6"],
            env={**os.environ, "XDG_CONFIG_HOME": str(folder)},
            stdout=self._log,
            stderr=self._log,
        )

    def kill(self) -> None:
        """End it as nothing does that can say farewell."""
        self._process.kill()
        self._process.wait()
        self._log.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()
