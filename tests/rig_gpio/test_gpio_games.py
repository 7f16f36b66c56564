"""Whole games, pressed with bouncing fingers through the kernel's lines, to the record and to the lamps."""

from __future__ import annotations

from pathlib import Path

from hands import Fingers, Hands
from pinboard import PI, SeenLamps, in_time, playing, recorded, seen, wide

from popout.board.layout import Layout
from popout.board.switches import BAR, MENU, TAKE_BACK, column_switch
from popout.play.menu import Menu, shown
from popout.play.table import Table
from popout.rules import Game, Pop, RuleSet, parse_move
from popout.rules.outcome import Termination
from tables import moves
from waiting import until

POPPED_TO_A_WIN = "d5 d2 d1 p2 d3 d5 p3 d1 d5 d3 d3 d4 d4 d2 d2 p3 d3 d6 p5"
FIVE = "d9 d4 d10 d5 d7 d6 d7 d2 d9 d7 d7 d3"


class Seat:
    """Two players at a table, who use nothing but the board."""

    def __init__(self, table: Table, hands: Hands, lamps: SeenLamps) -> None:
        self.table = table
        self.lamps = lamps
        self.fingers = Fingers(hands, table.board.layout)
        self._bar_open = False

    async def play(self, text: str) -> None:
        """Play moves, and see after each that it counts and is shown."""
        for word in text.split():
            wanted = f"{moves(self.table)} {word}".strip()
            since = len(self.lamps.frames)
            await self.move(word)
            await until(lambda wanted=wanted: moves(self.table) == wanted)
            await seen(self.lamps, self.table.controller.game.position.playable_grid, since)

    async def move(self, word: str) -> None:
        move = parse_move(word)
        if isinstance(move, Pop) != self._bar_open:
            self._bar_open = not self._bar_open
            await self.fingers.move(BAR, self._bar_open)
            await until(lambda: self.table.controller.gesture.bar_open == self._bar_open)
        await self.fingers.tap(column_switch(move.column - self.table.controller.outer))


def written(rules: str, *lines: str) -> list[str]:
    return [f"new {RuleSet.parse(rules).text}", *lines]


def as_moves(text: str) -> list[str]:
    return [f"move {word}" for word in text.split()]


def whole_game(path: Path, hands: Hands, rules: str, text: str, layout: Layout) -> Game:
    """Play a game to its end and look at the record; the answer is the game as the table has it."""
    lamps = SeenLamps()
    games = []

    async def story() -> None:
        async with playing(path, rules, layout, lamps) as table:
            await Seat(table, hands, lamps).play(text)
            games.append(table.controller.game)

    in_time(story)
    assert recorded(path) == written(rules, *as_moves(text))
    assert lamps.closed == [True]
    return games[0]


def test_a_game_of_pop_out_is_won_by_a_pop(tmp_path: Path, hands: Hands):
    game = whole_game(tmp_path / "games", hands, "popout 7x6", POPPED_TO_A_WIN, PI)

    assert game.outcome is not None
    assert game.outcome.termination is Termination.LINE
    assert isinstance(game.moves[-1], Pop)


def test_a_game_of_five_in_a_row_is_won(tmp_path: Path, hands: Hands):
    game = whole_game(tmp_path / "games", hands, "five 9x6", FIVE, wide(9))

    assert game.outcome is not None
    assert game.outcome.termination is Termination.LINE


def test_moves_are_taken_back_by_holding_a_column_and_by_the_button(tmp_path: Path, hands: Hands):
    path, lamps = tmp_path / "games", SeenLamps()

    async def story() -> None:
        async with playing(path, "popout 7x6", PI, lamps) as table:
            seat = Seat(table, hands, lamps)
            await seat.play("d4 d4 d3")
            await seat.fingers.tap(column_switch(3), length_ms=table.settings.take_back_hold_ms + 200)
            await until(lambda: moves(table) == "d4 d4")
            await seat.fingers.tap(TAKE_BACK)
            await until(lambda: moves(table) == "d4")
            await seat.play("d5")

    in_time(story)
    assert recorded(path) == written(
        "popout 7x6", "move d4", "move d4", "move d3", "take-back 1", "take-back 1", "move d5"
    )


def test_the_menu_begins_another_game(tmp_path: Path, hands: Hands):
    path, lamps = tmp_path / "games", SeenLamps()

    async def story() -> None:
        async with playing(path, "popout 7x6", PI, lamps) as table:
            seat = Seat(table, hands, lamps)
            await seat.play("d4 d4")
            await seat.fingers.tap(MENU)
            await until(lambda: isinstance(table.controller.overlay, Menu))
            menu = table.controller.overlay
            assert isinstance(menu, Menu)
            offered = {entry.code: column for column, entry in shown(menu, table.controller.game, 7).items()}
            await seat.fingers.tap(column_switch(offered["new"]))
            await until(lambda: moves(table) == "" and table.controller.overlay is None)
            await seat.play("d1")

    in_time(story)
    assert recorded(path) == written("popout 7x6", "move d1")


def test_two_columns_at_once_are_no_move(tmp_path: Path, hands: Hands):
    path, lamps = tmp_path / "games", SeenLamps()

    async def story() -> None:
        async with playing(path, "popout 7x6", PI, lamps) as table:
            seat = Seat(table, hands, lamps)
            await seat.fingers.tap(column_switch(3), column_switch(4))
            await seat.play("d4")

    in_time(story)
    assert recorded(path) == written("popout 7x6", "move d4")
