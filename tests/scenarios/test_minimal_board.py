"""Whole games without any page: only the twin's switches in, and only its lamps out."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

from popout.board.frame import DARK
from popout.board.layout import Layout
from popout.rules import GAMES, RED, YELLOW, Drop, Game, Move, Pop, RuleSet, Side
from tabletop import TableTop

SMALL = Layout.load("5x4")
"""Five buttons, a bar, five column lamps and two turn lamps; nothing else."""


class Players:
    """Two people who see lamps and press buttons, and have nothing else to go by."""

    def __init__(self, rules: str, *, layout: Layout = SMALL, **options: object) -> None:
        self._table = TableTop(rules, layout=layout, **options)  # type: ignore[arg-type]
        self.columns = layout.columns

    def whose_turn(self) -> Side | None:
        """The side whose turn lamp is lit; None if both or neither is."""
        return self._table.turn_lamp

    def lit(self) -> list[int]:
        """The columns whose lamp is lit."""
        return self._table.lit_columns

    def drops(self) -> list[int]:
        self._table.slide("closed")
        return self.lit()

    def pops(self) -> list[int]:
        self._table.slide("open")
        return self.lit()

    def make(self, move: Move) -> None:
        assert isinstance(move, Drop | Pop)
        self._table.slide("open" if isinstance(move, Pop) else "closed")
        self._table.tap(move.column)
        self._table.wait(400)

    def tap(self, *columns: int) -> None:
        self._table.tap(*columns)
        self._table.wait(400)

    def take_back(self) -> None:
        self._table.hold(2)
        self._table.wait(800)

    def open_menu(self) -> None:
        self._table.press(1)
        self._table.press(self.columns)
        self._table.wait(1600)
        self._table.release(1)
        self._table.release(self.columns)
        self._table.wait(200)

    def menu_is_open(self) -> bool:
        """The menu is the only picture in which both turn lamps are the same light, and stay it."""
        return len(self.turn_lights(RED)) == len(self.turn_lights(YELLOW)) == 1 and self.whose_turn() is None

    def turn_lights(self, side: Side) -> set[int]:
        """Every light that the turn lamp of a side shows within two seconds."""
        shown = set()
        for _ in range(50):
            self._table.wait(40)
            shown.add(self._table.lamps.turns[side is YELLOW])
        return shown

    def ending(self) -> str:
        """How the game ended, as the lamps say: no column is lit, and the winner's turn lamp pulses or both breathe."""
        assert self.lit() == []
        moving = [side for side in Side if len(self.turn_lights(side)) > 5]
        if len(moving) == 2:
            return "draw"
        (winner,) = moving
        assert self.turn_lights(winner.other) == {DARK}
        return winner.value

    @property
    def record(self) -> Game:
        """What the disk says, to compare with afterwards."""
        return self._table.game


def follow(players: Players, rules: str, chance: random.Random) -> Game:
    """Play at random by what the lamps say, and compare with a referee who knows the rules."""
    referee = Game.start(RuleSet.parse(rules))
    while not referee.outcome:
        assert players.whose_turn() is referee.turn
        moves: list[Move] = [Drop(column) for column in players.drops()]
        if referee.rules.pops:
            moves += [Pop(column) for column in players.pops()]
        assert moves == list(referee.legal_moves)
        # Drops more often, so that the game comes to an end.
        move = chance.choice([*moves, *(move for move in moves if isinstance(move, Drop))])
        players.make(move)
        referee = referee.play(move)
    return referee


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("rules", ["standard 5x4 connect=4", "popout 5x4 connect=4", "popout 5x4 connect=3"])
def test_a_whole_game_by_lamps_and_buttons_alone(rules: str, seed: int):
    players = Players(rules)
    referee = follow(players, rules, random.Random(seed))
    assert referee.outcome is not None
    assert players.ending() == (referee.outcome.winner.value if referee.outcome.winner else "draw")
    assert players.record == referee


def test_a_draw_by_lamps_and_buttons_alone():
    players = Players("standard 5x1 connect=5", layout=Layout.plain(5, 1))
    players.tap(1, 2, 3, 4, 5)
    assert players.ending() == "draw"


def test_a_win_by_a_pop_is_the_one_s_who_popped():
    players = Players("popout 5x4 connect=3")
    for move in (Drop(1), Drop(1), Drop(2), Drop(2), Drop(4), Drop(5), Drop(3)):
        players.make(move)
    assert players.ending() == "red"


def test_a_refused_press_flashes_its_column_and_leaves_the_turn_e5_e9():
    players = Players("popout 5x4 connect=4")
    for _ in range(4):
        players.tap(2)
    assert players.whose_turn() is RED
    players._table.press(2)
    players._table.wait(900)  # a slow child: the answer comes when the hand is done
    players._table.release(2)
    flashes = players._table.lights(2, length=1000)
    white = max(flashes)
    assert flashes.count(white) == 3
    assert players.whose_turn() is RED
    assert players.drops() == [1, 3, 4, 5]


def test_a_take_back_gives_the_turn_and_the_columns_back():
    players = Players("popout 5x4 connect=4")
    for _ in range(4):
        players.tap(2)
    assert players.drops() == [1, 3, 4, 5]
    players.take_back()
    assert players.whose_turn() is YELLOW
    assert players.drops() == [1, 2, 3, 4, 5]


# The menu, on boards of any width

ENTRIES = ["continue", "new", "games", "take-back", "show-last", "swap", "lamps", "draw", "claim"]


def where(entry: str, columns: int, entries: Sequence[str] = ENTRIES) -> tuple[int, int]:
    """On which page of a list an entry is, and in which column."""
    place = list(entries).index(entry)
    if columns >= len(entries):
        return 0, place + 1
    return place // (columns - 1), place % (columns - 1) + 1


def choose(players: Players, entry: str) -> None:
    players.open_menu()
    assert players.menu_is_open()
    tap_entry(players, *where(entry, players.columns))


def tap_entry(players: Players, page: int, column: int) -> None:
    players.tap(*[players.columns] * page)
    assert column in players.lit()
    players.tap(column)


WIDTHS = pytest.mark.parametrize("columns", [9, 7, 5, 2])


def at(columns: int, rules: str = "popout {}x4 connect=4") -> Players:
    return Players(rules.format(columns), layout=SMALL if columns == 5 else Layout.plain(columns, 4))


@WIDTHS
def test_the_menu_goes_on_with_the_game(columns: int):
    players = at(columns)
    players.tap(1)
    choose(players, "continue")
    assert players.whose_turn() is YELLOW
    assert [str(move) for move in players.record.moves] == ["d1"]


@WIDTHS
def test_the_menu_begins_a_new_game(columns: int):
    players = at(columns)
    players.tap(1)
    choose(players, "new")
    assert players.whose_turn() is RED
    assert players.record.moves == ()


@WIDTHS
def test_the_menu_changes_the_game(columns: int):
    players = at(columns)
    for game in (*reversed(GAMES), "standard", "popout"):
        choose(players, "games")
        tap_entry(players, *where(game, columns, list(GAMES)))
        assert players.record.rules.game == game
        assert (players.record.rules.columns, players.record.rules.rows) == (columns, 4)


@WIDTHS
def test_the_menu_lets_the_other_side_begin(columns: int):
    players = at(columns)
    choose(players, "swap")
    assert players.whose_turn() is YELLOW
    choose(players, "swap")
    assert players.whose_turn() is RED


@WIDTHS
def test_the_menu_takes_back(columns: int):
    players = at(columns)
    players.tap(1, 2)
    choose(players, "take-back")
    assert players.whose_turn() is YELLOW
    assert [str(move) for move in players.record.moves] == ["d1"]


@WIDTHS
def test_the_menu_shows_the_last_move_e6(columns: int):
    players = at(columns)
    players.tap(1, 2)
    choose(players, "show-last")
    blinks = players._table.lights(2, length=1600)
    assert DARK in blinks
    assert max(blinks) > DARK
    players._table.wait(3000)
    assert players.whose_turn() is RED


@WIDTHS
def test_the_menu_tests_every_lamp(columns: int):
    players = at(columns)
    choose(players, "lamps")
    seen: list[set[int]] = [set() for _ in range(columns + 2)]
    for _ in range(45):
        players._table.wait(80)
        for shown, light in zip(seen, (*players._table.lamps.columns, *players._table.lamps.turns), strict=True):
            shown.add(light)
    for shown in seen:
        pure = [light for light in shown if [light >> 16 > 0, light >> 8 & 255 > 0, light & 255 > 0].count(True) == 1]
        assert len(pure) == 3, "each lamp was red, green and blue"
    players._table.wait(20_000)
    assert players.whose_turn() is RED
    assert players.record.moves == ()


@WIDTHS
def test_the_menu_agrees_on_a_draw(columns: int):
    players = at(columns)
    players.tap(1)
    choose(players, "draw")
    assert players.ending() == "draw"


@pytest.mark.parametrize("columns", [7, 5, 2])
def test_the_menu_claims_a_draw_on_a_full_grid(columns: int):
    rules = f"popout {columns}x1 connect={columns} full-grid=claim"
    players = Players(rules, layout=Layout.plain(columns, 1))
    players.tap(*range(1, columns + 1))
    choose(players, "claim")
    assert players.ending() == "draw"


@WIDTHS
def test_what_the_menu_does_not_offer_now_is_dark_and_does_nothing(columns: int):
    players = at(columns)
    players.open_menu()
    page, column = where("take-back", columns)
    players.tap(*[columns] * page)
    assert column not in players.lit()
    players.tap(column)
    assert players.menu_is_open()
    players._table.wait(21_000)
    assert players.whose_turn() is RED
