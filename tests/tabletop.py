"""A table without an event loop, for tests: the twin of a board, its controller, and a clock that the test turns."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from popout.board.frame import DARK, Colour, Frame
from popout.board.layout import Layout
from popout.board.power import within_limits
from popout.board.switches import SwitchEvent, drop_sensor, pop_sensor, second_row_switch
from popout.play.controller import Controller
from popout.play.menu import NOBODY
from popout.play.settings import Settings
from popout.record.journal import Entry, Levels, read
from popout.rules import RED, YELLOW, Game, Message, RuleSet, Side
from popout_sim.contacts import PERFECT, Contact
from popout_sim.driver import SimulatedBoard
from popout_sim.mischief import Mischief
from popout_sim.named import parse_faults


def with_beams(columns: int = 7, rows: int = 6, *, actuation: str = "button") -> Layout:
    """A plain board with a drop sensor and a pop sensor in every column."""
    beams = [sensor(column) for sensor in (drop_sensor, pop_sensor) for column in range(1, columns + 1)]
    return _with_switches(replace(Layout.plain(columns, rows), actuation=actuation), beams)


def with_two_rows(columns: int = 7, rows: int = 6) -> Layout:
    """A plain board on which each side has its own row of buttons."""
    return _with_switches(Layout.plain(columns, rows), map(second_row_switch, range(1, columns + 1)))


def with_levers(columns: int = 7, rows: int = 6) -> Layout:
    """A plain board whose discs trip levers."""
    return replace(Layout.plain(columns, rows), actuation="disc")


def _with_switches(layout: Layout, switches: Iterable[str]) -> Layout:
    return replace(layout, switches={**layout.switches, **dict.fromkeys(switches, "")})


class PowerGone(Exception):
    """The power was cut: nothing that the program would do next is done."""


def cut_power() -> None:
    """End the test's program as SIGKILL would."""
    raise PowerGone


class TableTop:
    """A game at the twin. Time passes only by `wait`; what is to be saved is saved at once unless `disk` says no.

    :ivar time: now, in milliseconds. :ivar saved: the entries on disk.
    :ivar disk: ``"quick"``, ``"slow"`` (entries wait for `finish_saving`) or ``"full"`` (nothing can be saved).

    `closed` are the switches that are closed already at the start, `faults` what goes wrong with the board, as
    ``popout sim --faults`` takes it; `opponent` are the sides that no person plays.
    """

    def __init__(
        self,
        rules: str = "popout 7x6",
        *,
        layout: Layout | None = None,
        settings: Settings | None = None,
        contact: Contact = PERFECT,
        game: Game | None = None,
        closed: tuple[str, ...] = (),
        faults: str = "",
        opponent: Levels = NOBODY,
    ) -> None:
        self.time = 1000.0
        self.disk = "quick"
        self.rules = RuleSet.parse(rules)
        self.saved: list[Entry] = [Entry.new(self.rules)]
        self._from_start = game is None
        layout = layout or Layout.plain(self.rules.columns, self.rules.rows)
        mischief = Mischief(parse_faults(faults) if faults else (), seed=1, cut_power=cut_power)
        self.board = SimulatedBoard(layout, clock=lambda: self.time, contact=contact, seed=1, mischief=mischief)
        self.board.inject(SwitchEvent(switch, True, 0) for switch in closed)
        self.board.drain()
        self.controller = Controller(
            layout,
            settings or Settings(),
            game or Game.start(self.rules),
            levels=self.board.levels(),
            now=self.time,
            opponent=opponent,
        )
        self._settle()

    # Hands

    def press(self, column: int | str) -> None:
        """Put a finger on a column's button, or on a switch by its name."""
        self.act(do="press", switch=column if isinstance(column, str) else f"column {column}")

    def release(self, column: int | str) -> None:
        """Take the finger off."""
        self.act(do="release", switch=column if isinstance(column, str) else f"column {column}")

    def tap(self, *columns: int | str, length: float = 100) -> None:
        """Press and let go, one column after the other."""
        for column in columns:
            self.press(column)
            self.wait(length)
            self.release(column)
            self.wait(200)

    def hold(self, column: int | str, length: float = 1700) -> None:
        """Press for long."""
        self.tap(column, length=length)

    def slide(self, to: str) -> None:
        """Slide the bar: ``open``, ``half`` or ``closed``."""
        self.act(do="bar", to=to)
        self.wait(200)

    def pop(self, *columns: int) -> None:
        """Open the bar, tap, close it."""
        self.slide("open")
        self.tap(*columns)
        self.slide("closed")

    def play(self, moves: str) -> None:
        """Play moves as a record writes them, by hand: ``d4 d4 p4``."""
        for word in moves.split():
            (self.pop if word[0] == "p" else self.tap)(int(word[1:]))

    def act(self, **action: object) -> None:
        """Anything that the twin's hands can do."""
        self.board.twin.act(action)
        self._settle()

    def inject(self, edges: Iterable[SwitchEvent]) -> None:
        """Let a fault put raw edges on the wires, see `popout_sim.faults`."""
        self.board.inject(edges)
        self._settle()

    # Time

    def wait(self, length: float) -> None:
        """Let `length` milliseconds pass, waking the controller whenever it asks to be woken."""
        end = self.time + length
        while True:
            due = self.controller.due(self.time)
            edges = self.board.due()
            times = [time for time in (due, edges) if time is not None and time <= end]
            if not times:
                break
            self.time = max(self.time, min(times))
            self._settle()
            if due is not None and due <= self.time:
                self.controller.tick(self.time, self.board.levels())
                self._settle()
                due = self.controller.due(self.time)
                assert due is None or due > self.time, "it asks to be woken all the time"
        self.time = end
        self._settle()

    def finish_saving(self) -> None:
        """The slow disk has written what waited."""
        self._write_down()
        self._settle()

    # Eyes

    @property
    def lamps(self) -> Frame:
        """What the lamps of the twin show."""
        return self.board.lamps

    @property
    def game(self) -> Game:
        """The game as the controller believes it; the same as what is on disk."""
        if self._from_start:
            assert read(self.saved) == self.controller.game
        return self.controller.game

    @property
    def turn_lamp(self) -> Side | None:
        """Whose turn lamp is lit, looking until yellow's is not in its dark moment; None if neither is or both are."""
        seen: set[Side] = set()
        for _ in range(12):
            self.wait(40)
            seen |= {side for side, lamp in zip((RED, YELLOW), self.lamps.turns, strict=True) if lamp != DARK}
        return seen.pop() if len(seen) == 1 else None

    @property
    def lit_columns(self) -> list[int]:
        """The columns whose lamp is lit, looking until yellow's are not in their dark moment."""
        seen: set[int] = set()
        for _ in range(12):
            self.wait(40)
            seen |= {column for column, lamp in enumerate(self.lamps.columns, 1) if lamp != DARK}
        return sorted(seen)

    def lights(self, column: int, row: int | None = None, length: float = 1200) -> list[Colour]:
        """What a cell's lamp, or without `row` a column's, shows from now on: every colour once for each change."""
        shown: list[Colour] = []
        end = self.time + length
        while self.time < end:
            light = self.lamps.columns[column - 1] if row is None else self.lamps.cells[column - 1][row - 1]
            if not shown or shown[-1] != light:
                shown.append(light)
            self.wait(20)
        return shown

    @property
    def moves(self) -> str:
        """The moves of the game, as a record writes them."""
        return " ".join(map(str, self.game.moves))

    @property
    def said(self) -> list[str]:
        """Every sentence so far, in order."""
        return [str(notice.message) for notice in self.controller.notices.since(0)]

    @property
    def codes(self) -> list[str]:
        """The code of every sentence so far."""
        return [notice.code for notice in self.controller.notices.since(0)]

    def _settle(self) -> None:
        for event in self.board.drain():
            self.controller.edge(event)
        while self.controller.unsaved is not None and self.disk != "slow":
            if self.disk == "full":
                self.controller.save_failed(Message("The disk is full."), self.time)
            else:
                self._write_down()
        self.board.believe(self.controller.game.position.playable_grid)
        self.board.show(within_limits(self.controller.frame(self.time), self.board.layout))

    def _write_down(self) -> None:
        assert self.controller.unsaved is not None
        self.saved.append(self.controller.unsaved)
        self.controller.saved(self.time)
