"""Who plays, as people write it, and as the journal keeps it."""

from __future__ import annotations

import pytest

from popout.opponent.levels import UnknownLevel
from popout.play.seats import OpponentUnreadable, level_title, read_levels
from popout.record.journal import Entry, JournalError, Kind, Levels, apply, last_levels
from popout.rules import RED, YELLOW, Drop, Game, RuleSet


@pytest.mark.parametrize(
    ("text", "levels"),
    [
        ("yellow=5", {YELLOW: 5}),
        ("red=3,yellow=7", {RED: 3, YELLOW: 7}),
        (" Yellow = Club Player , red=1", {YELLOW: 6, RED: 1}),
        ("off", {}),
        ("OFF", {}),
    ],
)
def test_sides_and_levels_are_read(text: str, levels: Levels):
    assert read_levels(text) == levels


@pytest.mark.parametrize("text", ["", "5", "yellow", "green=5", "yellow=5,yellow=6", "yellow=5,", "off,red=3"])
def test_what_names_no_side_is_refused_with_how_to_write_it(text: str):
    with pytest.raises(OpponentUnreadable) as caught:
        read_levels(text)
    assert str(caught.value) == (
        f'The opponent "{text}" cannot be read. Write such as yellow=5, or red=3,yellow=7 for both sides, '
        "or off for none."
    )


@pytest.mark.parametrize("text", ["yellow=11", "yellow=0", "yellow=god", "red="])
def test_a_level_that_is_not_there_is_refused(text: str):
    with pytest.raises(UnknownLevel):
        read_levels(text)


def test_a_level_has_a_number_and_a_name():
    assert str(level_title(5)) == "5 (Thinker)"


# In the journal

GAME = Game.start(RuleSet.parse("popout 7x6"))


@pytest.mark.parametrize(
    ("levels", "text"), [({}, "off"), ({YELLOW: 5}, "yellow=5"), ({YELLOW: 10, RED: 3}, "red=3 yellow=10")]
)
def test_an_entry_says_who_plays_and_changes_no_game(levels: Levels, text: str):
    entry = Entry.opponent(levels)
    assert entry == Entry(Kind.OPPONENT, text)
    assert entry.levels == levels
    assert apply(GAME, entry) is GAME


@pytest.mark.parametrize("text", ["", "green=5", "yellow=0", "yellow=5,red=3", "yellow", "yellow=5 off"])
def test_an_entry_that_says_nothing_of_that_cannot_be(text: str):
    entry = Entry(Kind.OPPONENT, text)
    assert entry.levels is None
    with pytest.raises(JournalError):
        apply(GAME, entry)


def test_the_last_entry_of_a_journal_says_who_plays():
    before = [Entry.new(GAME.rules), Entry.opponent({YELLOW: 5}), Entry.move(Drop(4))]
    assert last_levels(before[:1]) is None
    assert last_levels(before) == {YELLOW: 5}
    assert last_levels([*before, Entry.opponent({}), Entry.take_back()]) == {}


def test_other_entries_say_nothing_of_who_plays():
    assert Entry.move(Drop(4)).levels is None
