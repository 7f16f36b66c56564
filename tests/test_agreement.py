"""Whatever people do at the board, at the page and at the terminal, and however often it is switched off: the position,
the lamps, the record, the page and the terminal agree.

The program is the real one, with its record in a file; only the clock is turned instead of waited for.
"""

from __future__ import annotations

import asyncio
import json
import shutil
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from popout.board.layout import Layout
from popout.board.power import within_limits
from popout.play.settings import Settings
from popout.play.table import Table
from popout.record.archive import Archive
from popout.record.journal import Entry, Source, read
from popout.record.store import NotSaved, Store
from popout.rules import Game, Message, PopoutError, RuleSet
from popout.views.terminal.picture import MARGIN, SMALL, draw
from popout.views.terminal.widgets import picture_of
from popout.views.web.commands import read_command
from popout.views.web.state import TableView
from popout_sim.contacts import LIGHT
from popout_sim.driver import SimulatedBoard
from tabletop import with_beams, with_two_rows
from turned_clock import TurnedLoop

GAMES = (
    "popout 5x4",
    "popout 4x3 connect=3 full-grid=claim",
    "standard 4x4 connect=3",
    "pop10 4x3 connect=3 target=3",
    "five 4x4 connect=4",
    "power 5x4",
    "power+pop 5x4",
    "popout 5x4 supply=8 repetition=3",
)
BOARDS = {"plain": Layout.plain, "beams": with_beams, "two rows": with_two_rows}
COLUMNS = st.integers(1, 5)


class FickleStore(Store):
    """A record whose disk is full when a test says so."""

    is_full = False

    def append(self, entry: Entry, after: Game) -> None:
        if self.is_full:
            raise NotSaved(Message("The disk is full."))
        super().append(entry, after)


class Everything(RuleBasedStateMachine):
    """One board with its page and its terminal, switched on and off again."""

    def __init__(self) -> None:
        super().__init__()
        self.loop = TurnedLoop()
        self.folder = Path(tempfile.mkdtemp())
        self.received: dict[str, Any] = {}

    @initialize(game=st.sampled_from(GAMES), board=st.sampled_from(sorted(BOARDS)))
    def begin(self, game: str, board: str) -> None:
        rules = RuleSet.parse(game)
        self.layout = BOARDS[board](rules.columns, rules.rows)
        self.switch_on(rules)

    def switch_on(self, rules: RuleSet | None = None) -> None:
        self.store = FickleStore(self.folder / "games.sqlite3")
        self.board = SimulatedBoard(
            self.layout, clock=lambda: self.loop.time() * 1000, contact=LIGHT, seed=len(self.received)
        )
        self.table = Table(self.board, self.store, Settings(), rules, resizable=False)
        self.view = TableView(self.table)
        self.tasks = [self.loop.create_task(self.table.run()), self.loop.create_task(self.read_page())]
        self.wait(100)

    def switch_off(self) -> None:
        """End the program at this very instant, without a word to anybody."""
        for task in self.tasks:
            task.cancel()
        self.table._saving = None  # what was on its way to the disk does not get there
        self.loop.run_until_complete(asyncio.gather(*self.tasks, return_exceptions=True))
        self.store.close()

    async def read_page(self) -> None:
        """A page: it knows only what it was sent."""
        async for kind in self.view.changes():
            if kind == "state":
                self.received = json.loads(json.dumps(self.view.snapshot()))

    def wait(self, milliseconds: float) -> None:
        self.loop.run_until_complete(asyncio.sleep(milliseconds / 1000))

    def hand(self, **action: Any) -> None:
        with suppress(PopoutError):
            self.board.twin.act(action)
            self.table.touched()

    def say(self, source: Source, **command: Any) -> None:
        """Somebody at the page or at the terminal says something; a refusal changes nothing."""
        with suppress(PopoutError):
            asked = read_command(json.dumps(command))
            if self.view.answer(asked) is None:
                self.loop.run_until_complete(self.view.command(asked, source))

    # What people do

    @rule(column=COLUMNS, length=st.sampled_from([40, 120, 400, 900, 1600]), second=st.booleans())
    def press(self, column: int, length: float, second: bool) -> None:
        switch = f"yellow column {column}" if second else f"column {column}"
        self.hand(do="press", switch=switch)
        self.wait(length)
        self.hand(do="release", switch=switch)
        self.wait(60)

    @rule(to=st.sampled_from(["open", "half", "closed"]))
    def slide(self, to: str) -> None:
        self.hand(do="bar", to=to)
        self.wait(60)

    @rule(columns=st.sets(COLUMNS, min_size=2, max_size=2), length=st.sampled_from([100, 1700]))
    def press_two(self, columns: set[int], length: float) -> None:
        for column in columns:
            self.hand(do="press", switch=f"column {column}")
        self.wait(length)
        for column in columns:
            self.hand(do="release", switch=f"column {column}")
        self.wait(60)

    @rule(column=COLUMNS, source=st.sampled_from([Source.PAGE, Source.TERMINAL]))
    def press_from_afar(self, column: int, source: Source) -> None:
        for name in ("press", "release"):
            self.say(source, do=name, switch=f"column {column}")
        self.wait(60)

    @rule(data=st.data(), source=st.sampled_from([Source.PAGE, Source.TERMINAL]))
    def move_from_afar(self, data: st.DataObject, source: Source) -> None:
        legal = [str(move) for move in self.table.controller.game.legal_moves]
        if legal:
            self.say(source, do="move", move=data.draw(st.sampled_from(legal)))

    @rule(
        command=st.sampled_from(["take-back", "menu", "agree-draw", "claim", "repaired"]),
        source=st.sampled_from([Source.PAGE, Source.TERMINAL]),
    )
    def order(self, command: str, source: Source) -> None:
        self.say(source, do=command)

    @rule(disc=st.sampled_from(["a", "b", "w", "x", None]))
    def choose_power_disc(self, disc: str | None) -> None:
        self.say(Source.PAGE, do="power", disc=disc)

    @rule(game=st.sampled_from(GAMES))
    def new_game(self, game: str) -> None:
        self.say(Source.PAGE, do="new", rules=game)

    @rule(grid=st.lists(st.text("XO", max_size=4), min_size=4, max_size=5), turn=st.sampled_from(["red", "yellow"]))
    def say_what_is_there(self, grid: list[str], turn: str) -> None:
        self.say(Source.PAGE, do="correct", grid=grid)
        self.say(Source.TERMINAL, do="adopt", turn=turn)

    @rule(data=st.data(), turn=st.sampled_from(["red", "yellow"]))
    def set_up(self, data: st.DataObject, turn: str) -> None:
        grid = list(self.table.controller.game.position.playable_grid)
        column = data.draw(st.integers(0, len(grid) - 1))
        grid[column] = data.draw(st.sampled_from([grid[column][:-1], grid[column] + "X", grid[column] + "O"]))
        self.say(Source.TERMINAL, do="set-up", grid=grid, turn=turn)

    @rule(milliseconds=st.sampled_from([50, 1000, 3500, 21_000]))
    def let_time_pass(self, milliseconds: float) -> None:
        self.wait(milliseconds)

    @rule(full=st.booleans())
    def fill_the_disk(self, full: bool) -> None:
        self.store.is_full = full

    @rule()
    def restart(self) -> None:
        before = self.table.controller.game
        self.switch_off()
        self.switch_on()
        assert self.table.controller.game == before

    @precondition(lambda self: self.table.controller.game.legal_moves)
    @rule(data=st.data())
    def power_cut_in_mid_move(self, data: st.DataObject) -> None:
        before = self.table.controller.game
        move = data.draw(st.sampled_from(before.legal_moves))
        with suppress(PopoutError):
            self.table.controller.play(move)  # and before the next turn of the loop the power is gone
        self.switch_off()
        self.switch_on()
        assert self.table.controller.game == before

    # What must be so, always

    @invariant()
    def nothing_is_on_its_way(self) -> None:
        if self.received:
            self.wait(40)
            assert self.table.controller.unsaved is None
            assert not any(task.done() for task in self.tasks)
            assert "part-failed" not in {notice.code for notice in self.table.controller.notices.since(0)}

    @invariant()
    def the_record_is_the_game(self) -> None:
        if self.received:
            assert read(self.store.current()) == self.table.controller.game

    @invariant()
    def the_lamps_show_the_game(self) -> None:
        if self.received:
            wanted = within_limits(self.table.controller.frame(self.board.now()), self.board.layout)
            assert self.table.frame == wanted
            assert self.board.lamps == wanted

    @invariant()
    def the_careful_hand_has_the_discs_where_the_lamps_show_them(self) -> None:
        if self.received:
            assert self.board.twin.grid == self.table.controller.game.position.playable_grid

    @invariant()
    def the_page_shows_the_game(self) -> None:
        if not self.received:
            return
        game, state = self.table.controller.game, self.received
        assert state == json.loads(json.dumps(self.view.snapshot()))
        assert state["grid"] == list(game.position.grid)
        assert state["turn"] == (game.turn.value if game.turn else None)
        assert [move["text"] for move in state["moves"]] == [str(move) for move in game.moves]
        assert (state["outcome"] is None) == (game.outcome is None)

    @invariant()
    def the_terminal_shows_the_game(self) -> None:
        if not self.received:
            return
        picture = picture_of({**self.received, "tentative": None, "telling": None}, None, 1)
        rows = [line.plain for line in draw(picture, SMALL)[: picture.rows]]
        drawn = tuple(
            "".join(_letter(row[MARGIN + column * SMALL.wide + 1]) for row in reversed(rows)).rstrip(".")
            for column in range(len(picture.grid))
        )
        signs = {(column, row) for column, row, _ in self.received["signs"]}
        for column, discs in enumerate(self.table.controller.game.position.grid, 1):
            for row, disc in enumerate(discs, 1):
                assert (column, row) in signs or drawn[column - 1][row - 1] == disc
            assert len(drawn[column - 1]) == len(discs)

    def teardown(self) -> None:
        try:
            if self.received:
                self.switch_off()
                self.the_stored_outcomes_are_those_of_the_games()
        finally:
            self.loop.close()
            shutil.rmtree(self.folder)

    def the_stored_outcomes_are_those_of_the_games(self) -> None:
        with Archive(self.folder / "games.sqlite3") as archive:
            for summary in archive.games():
                game = archive.game(summary.number)
                assert (summary.outcome is None) == (game.outcome is None)
                assert summary.moves >= len(game.moves)  # those before a correction cannot be taken back


def _letter(glyph: str) -> str:
    """The disc that a letter of the terminal's small board stands for; a power disc's letter for any."""
    return {"●": "X", "○": "O", "·": "."}.get(glyph, "?")


TestEverythingAgrees = Everything.TestCase
TestEverythingAgrees.settings = settings(
    max_examples=40,
    stateful_step_count=40,
    phases=[Phase.explicit, Phase.reuse, Phase.generate],
    suppress_health_check=list(HealthCheck),
)
