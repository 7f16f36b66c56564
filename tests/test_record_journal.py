"""What can happen to a game, and reading it back."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from popout.record.journal import Entry, JournalError, Kind, Source, Step, apply, entry_of, read
from popout.rules import (
    RED,
    YELLOW,
    Claim,
    Drop,
    Game,
    IllegalMove,
    Pop,
    PopoutError,
    RuleSet,
    Termination,
    parse_position,
)

RULES = RuleSet.parse("popout 4x4 both-lines=other first=yellow")


def test_an_empty_journal_is_no_game():
    assert read([]) is None


def test_a_new_game_keeps_its_rules_whole():
    game = read([Entry.new(RULES)])
    assert game == Game.start(RULES)


def test_moves_are_written_as_a_record_writes_them():
    assert Entry.move(Drop(4)) == Entry(Kind.MOVE, "d4")
    assert Entry.move(Pop(4)) == Entry(Kind.MOVE, "p4")
    assert Entry.move(Claim()) == Entry(Kind.MOVE, "claim")


def test_a_journal_leads_to_the_game_that_it_tells():
    entries = [Entry.new(RULES), Entry.move(Drop(1)), Entry.move(Drop(2)), Entry.move(Pop(1))]
    game = read(entries)
    assert game is not None
    assert game.moves == (Drop(1), Drop(2), Pop(1))
    assert game.turn is RED


def test_taking_back_is_going_back_to_the_very_same_game():
    entries = [Entry.new(RULES), Entry.move(Drop(1)), Entry.move(Drop(2)), Entry.move(Pop(1))]
    for kept in range(4):
        assert read([*entries, Entry.take_back(3 - kept)]) == read(entries[: kept + 1])


def test_taking_everything_back_is_no_new_game_e8():
    assert read([Entry.new(RULES), Entry.move(Drop(1)), Entry.take_back()]) == Game.start(RULES)


def test_players_can_end_a_game():
    drawn = read([Entry.new(RULES), Entry(Kind.DRAW)])
    assert drawn is not None
    assert drawn.outcome is not None
    assert drawn.outcome.termination is Termination.AGREED
    resigned = read([Entry.new(RULES), Entry.resign(YELLOW)])
    assert resigned is not None
    assert resigned.outcome is not None
    assert resigned.outcome.winner is RED


def test_a_correction_keeps_both_pictures_and_the_game_goes_on_from_the_second():
    before = Game.start(RULES).play(Drop(1))
    after = parse_position("/O// X", RULES)
    entry = Entry.correction(before.position, after)
    assert entry.text == "O/// X -> /O// X"
    game = apply(before, entry)
    assert game.position == after
    assert game.moves == ()


def test_the_last_new_game_counts():
    other = RuleSet.parse("standard 5x4")
    assert read([Entry.new(RULES), Entry.move(Drop(1)), Entry.new(other)]) == Game.start(other)


def test_what_the_rules_forbid_is_refused_with_their_reason():
    with pytest.raises(IllegalMove) as caught:
        apply(Game.start(RULES), Entry.move(Pop(1)))
    assert str(caught.value) == "Column 1 is empty: there is nothing to pop."


def test_nothing_happens_before_the_beginning():
    with pytest.raises(JournalError) as caught:
        apply(None, Entry.move(Drop(1)))
    assert str(caught.value) == "The record of the game has no beginning."


@pytest.mark.parametrize(
    ("entry", "sentence"),
    [
        (
            Entry(Kind.MOVE, "p3"),
            'Its entry 2, "move p3", cannot be right. Column 3 is empty: there is nothing to pop.',
        ),
        (
            Entry(Kind.TAKE_BACK, "many"),
            'Its entry 2, "take-back many", cannot be right. "many" says nothing as a "take-back".',
        ),
        (
            Entry(Kind.TAKE_BACK, "3"),
            'Its entry 2, "take-back 3", cannot be right. There is no move to take back: the game is at its beginning.',
        ),
        (
            Entry(Kind.RESIGN, "green"),
            'Its entry 2, "resign green", cannot be right. "green" says nothing as a "resign".',
        ),
        (
            Entry(Kind.CORRECTION, "X/// O"),
            'Its entry 2, "correction X/// O", cannot be right. "X/// O" says nothing as a "correction".',
        ),
    ],
)
def test_an_entry_that_cannot_be_is_named_with_its_place_and_reason(entry: Entry, sentence: str):
    with pytest.raises(JournalError) as caught:
        read([Entry.new(RULES), entry])
    assert str(caught.value) == sentence


@given(st.sampled_from(Kind), st.text() | st.sampled_from(["d1", "0", "1", "-1", "²", "x" * 5000, "9" * 5000, " -> "]))
def test_whatever_an_entry_says_it_leads_to_a_game_or_to_a_sentence(kind: Kind, text: str):
    try:
        read([Entry.new(RULES), Entry.move(Drop(1)), Entry(kind, text)])
    except PopoutError as error:
        assert str(error)
        assert len(str(error)) < 500


# As it is written down


@pytest.mark.parametrize("kind", Kind)
@pytest.mark.parametrize("source", [*Source, None])
def test_what_was_written_down_is_read_as_it_was(kind: Kind, source: Source | None):
    found = entry_of(kind.value, "d4", source.value if source else None, 1)
    assert (found, found.source) == (Entry(kind, "d4"), source)
    assert Step(found, 5.0).source is source


def test_two_entries_that_differ_in_their_source_alone_are_equal():
    assert Entry(Kind.MOVE, "d4", Source.PAGE) == Entry(Kind.MOVE, "d4", Source.BOARD)


def test_a_source_that_a_newer_program_wrote_says_nothing_but_its_kind_of_entry_is_refused():
    assert entry_of("move", "d4", "mind", 1).source is None
    with pytest.raises(JournalError) as caught:
        entry_of("swap2", "d4", None, 3)
    assert str(caught.value) == (
        'Its entry 3 is of the kind "swap2", which this popout does not know; a newer one may.'
    )
