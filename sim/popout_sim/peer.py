"""The simulated board as a microcontroller on a serial port, for people who write a host of their own.

It speaks as the firmware of a Pico does, by the same end of the link; only its wires are those of the simulator.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Final

from popout.board.chain import Place
from popout.board.driver import BoardLost
from popout.board.frame import DARK, Colour, Frame
from popout.board.layout import Layout
from popout.board.serial.description import digest
from popout.board.switches import moved_by_a_disc, rests
from popout.link.board_end import BoardEnd
from popout.link.pictures import REPAINT_MS, least_lit, limits, within_limits
from popout.link.self_test import SelfTest
from popout.link.words import LAST_WORDS_MS, SELF_TEST
from popout_sim.board_faults import lit
from popout_sim.driver import SimulatedBoard
from popout_sim.pseudo_terminal import PseudoTerminal
from popout_sim.twin import Twin

MODEL: Final = "simulated"
UNIQUE: Final = b"SIMULATE".hex()
"""Its id, in the form of a Pico's. It is always the same, so that a host finds the board again."""
POWER_ON: Final = "power-on"
WATCHDOG: Final = "watchdog"
"""Why a Pico's program starts after the boot loader, and after the prompt was left: the watchdog does it for both."""

AWAY_MS: Final = 1000.0
"""How long the board is gone when the host has sent it to the boot loader or to the prompt."""

_TURN_S: Final = 0.002
_REST_S: Final = 0.02
"""So long the next turn waits where nothing is going on, unless a host says something."""
_AGAIN_MS: Final = 100.0
"""So often a board that a fault has made go away is looked for."""


def serial_peer(
    layout: Layout,
    version: str,
    *,
    faults: str | None = None,
    seed: int = 0,
    news: Callable[[], object] = lambda: None,
) -> SerialPeer:
    """A simulated board as a microcontroller on a serial port; see `popout.board.peer` and `SerialPeer`.

    :raises FaultUnreadable: the text asks for no fault that there is.
    """
    opens = SimulatedBoard.with_faults(faults, seed) if faults is not None else partial(SimulatedBoard, seed=seed)
    return SerialPeer(opens(layout), version, news=news)


class SerialPeer:
    """A simulated board behind a pseudo terminal.

    Wiring: none. A host opens `port` as it would open that of a Pico; hands act through `twin`::

        peer = SerialPeer(SimulatedBoard(Layout.load("7x6-pico")), "1.0")
        being = asyncio.create_task(peer.run())
        peer.twin.act({"do": "press", "switch": "column 4"})

    Its program begins anew whenever it was without power, and when a fault sets back the clock.

    :param board: what is behind the port, of a layout for the driver ``serial``. It is closed with this.
    :param version: of the firmware, as hosts are told.
    :param news: is called when there is another port or none any more, and when other lamps are lit.
    :raises LayoutNotForPico: the layout is not for the driver ``serial``.
    :raises PseudoTerminalMissing: the system has none, or none is left.
    """

    def __init__(
        self,
        board: SimulatedBoard,
        version: str,
        *,
        news: Callable[[], object] = lambda: None,
    ) -> None:
        self.layout = board.layout
        self._version = version
        self._board = board
        self._news = news
        self._program: _Program | None = None
        self._former_port = ""
        self._starts_at: float | None = None
        self._reset = POWER_ON
        board.twin.act({"do": "careful", "on": False})  # no host says which discs it believes in
        try:
            self._digest = digest(board.layout)
            self.plug()
        except BaseException:
            board.close()
            raise

    @property
    def port(self) -> str | None:
        """The name of the port to open; None while it is unplugged."""
        return None if self._program is None else self._program.wire.name

    @property
    def twin(self) -> Twin:
        """The hands and eyes, also while it is unplugged. The careful hand is off."""
        return self._board.twin

    @property
    def lamps(self) -> Frame:
        """The light of the lamps now."""
        return self.twin.lamps

    async def run(self) -> None:
        """Be the board until this is cancelled.

        :raises BoardError: there is no port to come back on.
        """
        while True:
            self._turn()
            if self._program is None:
                await asyncio.sleep(_REST_S)
            else:
                await self._program.rest()

    def unplug(self) -> None:
        """Pull the cable: no power, no light, and the port is gone."""
        self._pull()

    def plug(self) -> None:
        """Plug the cable in. The board is on another port than before."""
        if self._program is None:
            self._come_back(POWER_ON, 0)
            self._turn()

    def close(self) -> None:
        """Let go of the port. May be called twice."""
        self._pull()
        self._board.close()

    def _turn(self) -> None:
        if self._program is not None:
            before = self.lamps
            try:
                reset = self._program.turn()
            except BoardLost:
                self._lose()
                return
            if reset is not None:
                self._pull()
                self._come_back(reset, AWAY_MS)
            elif self.lamps != before:
                self._news()
        elif self._starts_at is not None and _now() >= self._starts_at:
            try:
                self._start()
            except BoardLost:
                self._lose()

    def _start(self) -> None:
        """Get power."""
        wire = PseudoTerminal(other_than=self._former_port)
        about = (self._version, UNIQUE, self._digest, self._reset, MODEL)
        try:
            self._program = _Program(self._board, wire, about)
        except BaseException:
            wire.close()
            raise
        self._former_port = wire.name
        self._starts_at = None
        self._news()

    def _pull(self) -> None:
        """Lose the power, until somebody plugs it in."""
        self._starts_at = None
        if self._program is not None:
            self._program.wire.close()
            self._program = None
            self.twin.see(Frame.dark(self.layout.columns, self.layout.rows))
            self._news()

    def _come_back(self, reset: str, after_ms: float) -> None:
        self._reset = reset
        self._starts_at = _now() + after_ms

    def _lose(self) -> None:
        """A fault has made the board go away."""
        self._pull()
        self._come_back(POWER_ON, _AGAIN_MS)


class _Program:
    """What the microcontroller does from when it gets power, turn by turn; see ``firmware/program/board.py``.

    :raises BoardLost: a fault has made the board go away.
    """

    def __init__(self, board: SimulatedBoard, wire: PseudoTerminal, about: tuple[str, str, str, str, str]) -> None:
        self.wire = wire
        self._board = board
        self._lamps = _Lamps(board.layout)
        board.drain()  # what was before nobody has seen
        levels = board.levels()
        self._places = {switch: place for place, switch in enumerate(levels)}
        self._closed = list(levels.values())
        self._began = self._before = board.now()
        resting = _mask(rests(switch) for switch in levels)
        levers = _mask(moved_by_a_disc(switch, board.layout.actuation) for switch in levels)
        self._end = BoardEnd(about, self._lamps.count, list(self._closed), 0.0, resting, levers)
        self._end.note(f"started: {about[3]}")
        self._buttons = ~(resting | levers)
        # Whoever holds a button while the board gets its current wants to see its lamps.
        self._test = SelfTest(self._lamps.count, 0.0, True) if self._held() else None
        self._busy = True
        self._leaves_at: float | None = None
        self._shown_at = 0.0

    def turn(self) -> str | None:
        """One turn: why the program begins anew after it, None if it goes on."""
        began = time.perf_counter()
        heard = self._hear()
        if self._board.now() < self._before:
            return POWER_ON  # only with its power a chip's clock is set back
        self._before = self._board.now()
        now = self._before - self._began
        end = self._end
        if data := self.wire.read():
            end.receive(data, len(data), now)
        end.tick(now)
        said = False
        while self.wire.free() and (line := end.outgoing(now)) is not None:
            self.wire.write(line)
            said = True
        if end.wish and self.wire.free():  # what was to be said to it is said
            if end.wish == SELF_TEST:
                end.wish = ""
                self._test = SelfTest(self._lamps.count, now)
            elif self._leaves_at is None:
                self._leaves_at = now + LAST_WORDS_MS
            elif now >= self._leaves_at:
                return WATCHDOG
        self._show(now)
        self._busy = bool(heard or data or said or end.due() is not None or end.wish or self._test)
        end.loop_us = max(end.loop_us, int((time.perf_counter() - began) * 1_000_000))
        return None

    async def rest(self) -> None:
        """Wait for the next turn."""
        await self.wire.wait(_TURN_S if self._busy else _REST_S)

    def _hear(self) -> bool:
        """Take in the edges, and levels that changed without one: a chip looks at all its pins in each turn.

        :return: whether there were edges.
        """
        levels = self._board.levels()
        now = self._board.now()
        edges = self._board.drain()
        for edge in edges:
            self._change(edge.switch, edge.closed, edge.time)
        unread = {edge.switch for edge in edges}
        for switch, closed in levels.items():
            if switch not in unread and closed != self._closed[self._places[switch]]:
                self._change(switch, closed, now)
        self._end.poll(now - self._began, self._closed)
        return bool(edges)

    def _change(self, switch: str, closed: bool, time: float) -> None:
        self._end.poll(time - self._began, self._closed)
        self._closed[self._places[switch]] = closed
        self._end.edge(self._places[switch], closed, time - self._began)

    def _show(self, now: float) -> None:
        is_new = self._end.picture_is_new()
        colours = self._end.colours
        if (test := self._test) is not None:
            if test.is_over(self._end.greeted, test.by_hand and self._held()):
                self._test = None
                is_new = True
            else:
                colours = test.colours
                is_new = test.step(now) or is_new
        if is_new or now - self._shown_at >= REPAINT_MS:
            self._board.show(self._lamps.frame(colours))
            self._shown_at = now

    def _held(self) -> bool:
        """Whether a button is closed."""
        return bool(_mask(self._closed) & self._buttons)


class _Lamps:
    """The lamps on the link: those of the chain, then the turn lamps if they are plain LEDs.

    The board keeps within its brightness and its current by itself, whatever a host sends.
    """

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self._chain: tuple[Place, ...] = layout.places
        self.count = len(self._chain) + (0 if layout.leds is None else 2)
        self._dark = Frame.dark(layout.columns, layout.rows)
        self._limits = limits(
            len(self._chain),
            layout.brightness,
            layout.milliamps,
            layout.idle_milliamps,
            layout.channel_milliamps,
        )
        self._least = least_lit(layout.brightness if self._chain else 1)

    def frame(self, colours: Sequence[Colour]) -> Frame:
        """The light of these colours."""
        chain = list(colours[: len(self._chain)])
        numerator, denominator = within_limits(chain, *self._limits)
        frame = lit(
            self._dark,
            {
                place: _each(colour, lambda level: level * numerator // denominator)
                for place, colour in zip(self._chain, chain, strict=True)
            },
        )
        if self._layout.leds is None:
            return frame
        red, yellow = (colour if max(colour.to_bytes(3)) >= self._least else DARK for colour in colours[-2:])
        return Frame(frame.cells, frame.columns, (red, yellow))


def _each(colour: Colour, change: Callable[[int], int]) -> Colour:
    return change(colour >> 16) << 16 | change(colour >> 8 & 0xFF) << 8 | change(colour & 0xFF)


def _mask(yes: Iterable[bool]) -> int:
    return sum(1 << place for place, it_is in enumerate(yes) if it_is)


def _now() -> float:
    return time.monotonic() * 1000
