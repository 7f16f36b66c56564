"""Which disc belongs to which press."""

from __future__ import annotations

import pytest

from popout.board.layout import Layout
from popout.play import sensors
from popout.play.listener import DiscSeen
from popout.play.sensors import Watch
from popout.rules import RED, YELLOW, Drop, Game, Pop, RuleSet, parse_move
from tabletop import with_beams


def game(moves: str = "") -> Game:
    played = Game.start(RuleSet.parse("popout 7x6"))
    for word in moves.split():
        played = played.play(parse_move(word))
    return played


def seen(move: Drop | Pop, *, bar_open: bool = False, again: bool = False) -> DiscSeen:
    return DiscSeen(move, bar_open, again, 0)


def test_only_columns_with_a_beam_are_watched():
    assert sensors.watched(Drop(3), with_beams(), outer=0)
    assert sensors.watched(Pop(3), with_beams(), outer=0)
    assert not sensors.watched(Drop(3), Layout.plain(7, 6), outer=0)


def test_behind_a_filled_outer_column_a_beam_has_another_number_than_its_column_of_the_grid():
    layout = with_beams()
    last = layout.columns
    assert sensors.watched(Drop(last + 1), layout, outer=1)
    assert not sensors.watched(Drop(last + 2), layout, outer=1)
    assert not sensors.watched(Drop(1), layout, outer=1)


def test_a_disc_belongs_to_the_press_that_waits_for_it():
    watch = sensors.pressed(Watch(), Drop(4), 3000)
    assert sensors.take_disc(watch, Drop(5), 1000) is None
    assert sensors.take_disc(watch, Pop(4), 1000) is None
    assert sensors.take_disc(watch, Drop(4), 3001) is None
    assert sensors.take_disc(watch, Drop(4), 3000) == Watch()


def test_of_two_presses_of_a_column_each_has_its_own_disc():
    watch = sensors.pressed(sensors.pressed(Watch(), Drop(4), 3000), Drop(4), 3400)
    once = sensors.take_disc(watch, Drop(4), 1000)
    assert once is not None
    assert sensors.due(once) == 3400
    assert sensors.take_disc(once, Drop(4), 1000) == Watch()


def test_a_press_after_its_disc_is_the_same_move_once():
    watch = sensors.made_by_disc(Watch(), Drop(4), 3000, RED)
    assert sensors.take_press(watch, Drop(4), 3001, None) is None
    confirmed = sensors.take_press(watch, Drop(4), 3000, RED)
    assert confirmed == Watch()
    assert sensors.take_press(confirmed, Drop(4), 3000, None) is None
    assert sensors.take_press(watch, Drop(4), 3000, YELLOW) is None


def test_a_disc_that_a_hand_spoke_for_is_nothing_new_once():
    watch = sensors.told(Watch(), Drop(4), 3000)
    assert sensors.take_disc(watch, Drop(4), 2000) == Watch()
    assert sensors.due(watch) is None, "nobody asks for it"


def test_a_disc_that_does_not_come_is_missed_once_and_in_order():
    watch = sensors.pressed(sensors.pressed(Watch(), Drop(4), 3000), Pop(2), 3400)
    assert sensors.missed(watch, 2999) == (watch, None)
    watch, move = sensors.missed(watch, 3500)
    assert move == Drop(4)
    assert sensors.missed(watch, 3500) == (Watch(), Pop(2))


def test_what_is_remembered_does_not_grow_for_ever():
    watch = Watch()
    for time in range(100):
        watch = sensors.made_by_disc(sensors.told(watch, Drop(1), time), Drop(1), time, RED)
    assert len(watch.presses) == len(watch.known) == sensors.REMEMBERED + 1


@pytest.mark.parametrize(
    ("moves", "disc", "code", "sentence"),
    [
        ("d4", seen(Drop(4)), None, None),
        ("d4 d4", seen(Pop(4), bar_open=True), None, None),
        (
            "d4 d4",
            seen(Pop(4)),
            "bar-closed",
            "A disc left column 4 while the bar was closed.",
        ),
        (
            "d4 d4",
            seen(Pop(4), bar_open=True, again=True),
            "second-disc",
            "A second disc has fallen out of column 4. A turn pops one: close the bar after it.",
        ),
        (
            "d4",
            seen(Pop(4), bar_open=True),
            "not-your-disc",
            "Column 4: the bottom disc is red's. You may pop only your own.",
        ),
        (
            "d4",
            seen(Pop(3), bar_open=True),
            "nothing-to-pop",
            "A disc came out of column 3, which should have been empty.",
        ),
        (
            "d4 d4 d4 d4 d4 d4",
            seen(Drop(4)),
            "column-full",
            "Column 4 is full. Choose another column.",
        ),
        (
            "d1 d2 d1 d2 d1 d2 d1",
            seen(Drop(4)),
            "game-over",
            "The game is over. Start a new game to play on.",
        ),
    ],
)
def test_a_disc_that_makes_no_move_has_a_reason(moves: str, disc: DiscSeen, code: str | None, sentence: str | None):
    reason = sensors.unexpected(disc, disc.move, game(moves))
    assert (reason and reason.code) == code
    assert (reason and str(reason.message)) == sentence
