"""A whole game over a cable that fails: hands, board, link, host and controller under one clock that a test owns."""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache

from popout.board.layout import Layout
from popout.board.power import within_limits
from popout.board.serial.conversation import Conversation
from popout.board.serial.ear import Ear, Heard
from popout.board.switches import BAR, moved_by_a_disc, rests
from popout.link.board_end import BoardEnd
from popout.play.controller import Controller
from popout.play.menu import Menu
from popout.play.modes import ShowingLastMove
from popout.play.settings import Settings, without_debouncing
from popout.rules import Drop, Game, Message, Move, Pop, RuleSet

ABOUT = ("1", "E6616407E3", "0", "power-on", "pico")
RIGHT_WITHIN_MS = 1000.0
"""So soon after its return a board shows what it should."""
FIRST_PAUSE_MS, LONGEST_PAUSE_MS = 100.0, 5000.0
BOOT_MS = 400.0
HOLD_MS, REST_MS, PATIENCE_MS = 60.0, 40.0, 1200.0

LONG = ("popout 7x6", ("d4", "d3", "p4", "d3", "d4", "p3", "d4", "d2", "d4", "d1", "d4"))
SHORT = ("popout 7x6 connect=3", ("d4", "d1", "d4", "p1", "d4"))
"""Games of drops and pops by a set of rules; red wins in column 4."""


@cache
def board() -> Layout:
    return Layout.load("7x6-pico")


Fault = Callable[[int, bytes], bytes]
"""From the number of bytes that went over the cable before and the next ones to what arrives."""


def whole(_: int, data: bytes) -> bytes:
    return data


class Unplugged(Exception):
    """The cable was pulled in the middle of this; `arrived` came through."""

    def __init__(self, arrived: bytes) -> None:
        self.arrived = arrived


def cut_at(place: int) -> Fault:
    """Pull the cable once, after so many bytes in both directions."""
    done = False

    def fault(before: int, data: bytes) -> bytes:
        nonlocal done
        if not done and before + len(data) > place:
            done = True
            raise Unplugged(data[: max(0, place - before)])
        return data

    return fault


def flips(chance: float, seed: int) -> Fault:
    """Flip a bit of a byte, each byte with this chance."""
    dice = random.Random(seed)

    def fault(_: int, data: bytes) -> bytes:
        return bytes(byte ^ 1 << dice.randrange(8) if dice.random() < chance else byte for byte in data)

    return fault


def repeats(chance: float, seed: int) -> Fault:
    """Let a piece arrive twice, each with this chance."""
    dice = random.Random(seed)
    return lambda _, data: data * 2 if dice.random() < chance else data


@dataclass
class Cable:
    """One game at a board on a cable.

    :ivar story: the rules and the moves that people want to make.
    :ivar power: whether the board loses its power when the cable is pulled.
    :ivar committed: the moves on disk. :ivar wrong: what must never happen and did.
    """

    fault: Fault = whole
    story: tuple[str, tuple[str, ...]] = LONG
    power: bool = True
    away_ms: float = 0.0
    now: float = 1000.0
    carried: int = 0
    committed: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    losses: int = 0

    def __post_init__(self) -> None:
        self.layout = board()
        self.names = tuple(self.layout.switches)
        self.contacts = [False] * len(self.names)
        self.settings = without_debouncing(Settings())
        rules, self.wanted = self.story
        self.game = Game.start(RuleSet.parse(rules))
        self.board_starts_at: float | None = None
        self.board: BoardEnd | None = self.new_board()
        self.to_board: deque[tuple[float, bytes]] = deque()
        self.to_host: deque[tuple[float, bytes]] = deque()
        self.plugged = True
        self.plug_at = float("inf")
        self.pause = FIRST_PAUSE_MS
        self.ear: Ear | None = None
        self.ready_at: float | None = None
        self.hands: deque[tuple[float, Callable[[], None]]] = deque()
        self.next_tap_at = self.now
        self.talk: Conversation | None = Conversation(self.now)
        self.open_at = float("inf")
        self.controller: Controller | None = None
        self.shown: tuple[int, ...] | None = None

    def new_board(self) -> BoardEnd:
        resting = sum(1 << place for place, name in enumerate(self.names) if rests(name))
        levers = sum(1 << place for place, name in enumerate(self.names) if moved_by_a_disc(name, "button"))
        return BoardEnd(ABOUT, len(self.layout.places), list(self.contacts), self.now, resting, levers)

    # The story

    def play(self, until_ms: float = 120_000) -> Cable:
        """Let hands play the game, and go on until it is over and its light is there."""
        while self.now < until_ms:
            if len(self.committed) == len(self.wanted) and self._is_right() and not self.hands:
                return self
            self.step()
        self.wrong.append("the game was not played to its end")
        return self

    def step(self) -> None:
        """Let what is due happen, and go to the next time at which something is."""
        self._cable()
        self._board()
        self._host()
        self._people()
        times = [self.now + 20]
        times += [queue[0][0] for queue in (self.to_board, self.to_host, self.hands) if queue]
        self.now = max(self.now + 1, min(times))

    def kill_host(self, back_after_ms: float) -> None:
        """Let the host's program end at once, and another one begin later."""
        self.talk = self.controller = self.ear = None
        self.open_at = self.now + back_after_ms
        self.to_board.clear()
        self.to_host.clear()

    def reset_board(self) -> None:
        """Let the board begin anew, as by its watchdog: on USB it goes and comes back."""
        self._unplug(b"", to_board=True)

    # The cable

    def _cable(self) -> None:
        if not self.plugged and self.now >= self.plug_at:
            self.plugged = True
            if self.board is None:
                self.board_starts_at = self.now + BOOT_MS
        if self.board is None and self.board_starts_at is not None and self.now >= self.board_starts_at:
            self.board_starts_at = None
            self.board = self.new_board()

    def _send(self, queue: deque[tuple[float, bytes]], data: bytes) -> None:
        if not data or not self.plugged:
            return
        try:
            arrives = self.fault(self.carried, data)
        except Unplugged as pulled:
            self._unplug(pulled.arrived, to_board=queue is self.to_board)
            return
        self.carried += len(data)
        queue.append((self.now + 1, arrives))

    def _unplug(self, arrived: bytes, *, to_board: bool) -> None:
        if self.board is not None and to_board and not self.power:
            self.board.receive(arrived, len(arrived), self.now)
        if self.talk is not None and not to_board:
            self.talk.receive(arrived, self.now)
            self._hear()
        self.plugged = False
        self.plug_at = self.now + self.away_ms
        self.to_board.clear()
        self.to_host.clear()
        if self.power:
            self.board = None
        self._lose()

    # The board

    def _board(self) -> None:
        board = self.board
        if board is None:
            return
        while self.to_board and self.to_board[0][0] <= self.now:
            data = self.to_board.popleft()[1]
            board.receive(data, len(data), self.now)
        board.poll(self.now, self.contacts)
        board.tick(self.now)
        while self.board is board and (line := board.outgoing(self.now)) is not None:
            self._send(self.to_host, line)

    def move(self, switch: str, closed: bool) -> None:
        place = self.names.index(switch)
        self.contacts[place] = closed
        if self.board is not None:
            self.board.edge(place, closed, self.now)

    # The host

    def _host(self) -> None:
        if self.talk is None:
            if self.now < self.open_at:
                return
            if not self.plugged or self.board is None:
                self._try_later()
                return
            self.talk = Conversation(self.now)
            self.shown = None
        talk = self.talk
        while self.to_host and self.to_host[0][0] <= self.now:
            talk.receive(self.to_host.popleft()[1], self.now)
        if talk.ready and self.ear is None:
            self._begin(talk)
        self._hear()
        controller = self.controller
        if controller is not None and self.ear is not None:
            due = controller.due(self.now)
            if due is not None and due <= self.now:
                controller.tick(self.now, {} if self.talk.is_unsure(self.now) else self.ear.levels)
                self._save()
                self._light()
        self._send(self.to_board, talk.outgoing(self.now))
        if self.talk is talk and talk.problem is not None:
            self._lose()
        self._look_at_the_light()

    def _begin(self, talk: Conversation) -> None:
        self.ear = Ear(self.names, talk.closed_at_first)
        self.pause = FIRST_PAUSE_MS
        self.ready_at = self.now
        if self.controller is None:
            self.controller = Controller(self.layout, self.settings, self.game, levels=self.ear.levels, now=self.now)
        else:
            self.controller.found(self.ear.levels, self.now)
        self._light()

    def _hear(self) -> None:
        if self.talk is None or self.controller is None or self.ear is None:
            return
        for report in self.talk.reports():
            event = self.ear.understood(Heard(self.names[report.switch], report.kind, report.time))
            self.controller.edge(event)
            self._save()
            self._light()

    def _save(self) -> None:
        controller = self.controller
        assert controller is not None
        while controller.unsaved is not None:
            before, self.game = self.game, controller.after
            moves = [_written(move) for move in self.game.moves]
            self.committed = moves
            if moves != list(self.wanted[: len(moves)]) or len(moves) < len(before.moves):
                self.wrong.append(f"after {len(before.moves)} moves the game became {' '.join(moves)}")
            controller.saved(self.now)

    def _light(self) -> None:
        assert self.controller is not None
        assert self.talk is not None
        self.shown = self.layout.colours(within_limits(self.controller.frame(self.now), self.layout))
        self.talk.show(self.shown)

    def _lose(self) -> None:
        self.losses += 1
        self.talk = self.ear = None
        self.ready_at = None
        if self.controller is not None:
            self.controller.lost(Message("The board is lost."), self.now)
        self._try_later()

    def _try_later(self) -> None:
        self.open_at = self.now + self.pause
        self.pause = min(2 * self.pause, LONGEST_PAUSE_MS)

    def _is_right(self) -> bool:
        return (
            self.board is not None
            and self.talk is not None
            and self.talk.ready
            and self.shown is not None
            and tuple(self.board.colours) == self.shown
        )

    def _look_at_the_light(self) -> None:
        if self.ready_at is None:
            return
        if self._is_right():
            self.ready_at = None
        elif self.now - self.ready_at > RIGHT_WITHIN_MS:
            self.wrong.append("the light was not right within a second")
            self.ready_at = None

    # People, who look at the light and do the next move until it counts

    def _people(self) -> None:
        while self.hands and self.hands[0][0] <= self.now:
            self.hands.popleft()[1]()
        if self.hands or self.now < self.next_tap_at or self.talk is None or self.controller is None:
            return
        if not self.talk.ready or len(self.committed) == len(self.wanted):
            return
        overlay = self.controller.overlay
        if isinstance(overlay, ShowingLastMove):
            return
        wanted = "d1" if isinstance(overlay, Menu) else self.wanted[len(self.committed)]
        self._tap(wanted, len(self.committed))

    def _tap(self, move: str, before: int) -> None:
        """Press and let go, with the bar where it must be; the next try comes when it counts, or after a while."""
        column, at = f"column {move[1:]}", self.now
        bar_open = move[0] == "p"
        if self.contacts[self.names.index(BAR)] != bar_open:
            self.hands.append((at, lambda: self.move(BAR, bar_open)))
            at += REST_MS
        self.hands.append((at, lambda: self.move(column, True)))
        self.hands.append((at + HOLD_MS, lambda: self.move(column, False)))
        give_up_at = at + HOLD_MS + PATIENCE_MS

        def wait() -> None:
            if len(self.committed) == before and self.now < give_up_at and not isinstance(self.overlay, Menu):
                self.hands.append((self.now + 20, wait))
            else:
                self.next_tap_at = self.now + REST_MS

        self.hands.append((at + HOLD_MS + REST_MS, wait))

    @property
    def overlay(self) -> object:
        return self.controller.overlay if self.controller else None


def _written(move: Move) -> str:
    assert isinstance(move, (Drop, Pop))
    return ("p" if isinstance(move, Pop) else "d") + str(move.column)
