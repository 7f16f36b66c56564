"""What to say about an entry, and which cells it changed."""

from __future__ import annotations

import pytest

from popout.play.consequences import cells_of, column_cells, consequences, moved_cells
from popout.record.journal import Entry, Kind, apply, read
from popout.rules import RED, YELLOW, Claim, Drop, Game, Pop, RuleSet, parse_move, parse_position


def journal(rules: str, moves: str) -> list[Entry]:
    return [Entry.new(RuleSet.parse(rules)), *(Entry.move(parse_move(word)) for word in moves.split())]


def said(rules: str, moves: str, entry: Entry | None = None) -> list[str]:
    """What is said about the last move, or about `entry` after all of them."""
    entries = journal(rules, moves)
    entry = entry or entries.pop()
    before = read(entries)
    assert before is not None
    return [str(each.message) for each in consequences(entry, before, apply(before, entry))]


def test_a_move_is_said():
    assert said("popout 7x6", "d4") == ["Red drops a disc in column 4."]
    assert said("popout 7x6", "d4 d4 p4") == ["Red pops a disc out of column 4."]


def test_a_move_that_ends_the_game_is_said_with_its_end():
    assert said("popout 7x6 connect=2", "d1 d2 d1") == ["Red drops a disc in column 1.", "Red wins: 2 in a row."]


def test_a_claim_is_said_with_its_end():
    assert said("popout 2x1 connect=2 full-grid=claim", "d1 d2 claim") == [
        "Red claims the draw.",
        "Draw: claimed on a full grid (rule full-grid=claim).",
    ]


def test_a_side_that_is_passed_over_is_named():
    assert said("standard 3x1 connect=3 supply=1", "d1 d2") == [
        "Yellow drops a disc in column 2.",
        "Draw: neither side can move.",
    ]


def test_the_third_time_of_a_position_is_said_where_it_is_no_draw_by_itself():
    moves = "d3 d4 d1 d2 p1 p2 d1 d2 p1 p2"
    assert said("popout 4x4", moves)[-1] == (
        "This position stands for the third time. If you both like, agree on a draw."
    )
    assert said("popout 4x4 repetition=3", moves)[-1] == (
        "Draw: this position has now stood 3 times (rule repetition=3)."
    )


@pytest.mark.parametrize(
    ("rules", "sentence"),
    [
        ("popout 7x6", "A new game of Pop Out. Red to move."),
        ("standard 7x6 first=yellow", "A new game of The original. Yellow to move."),
    ],
)
def test_a_new_game_says_which_and_who_begins(rules: str, sentence: str):
    assert said("popout 7x6", "d4", Entry.new(RuleSet.parse(rules))) == [sentence]


@pytest.mark.parametrize(
    ("moves", "sentence"),
    [
        ("d4", "Taken back: red's disc in column 4. Red to move."),
        ("d4 d3", "Taken back: yellow's disc in column 3. Yellow to move."),
        ("d4 d4 p4", "Taken back: red's pop of column 4. Red to move."),
        ("d4 d3 d4 p3", "Taken back: yellow's pop of column 3. Yellow to move."),
    ],
)
def test_a_take_back_says_what_and_whose_turn_it_is_again(moves: str, sentence: str):
    assert said("popout 7x6", moves, Entry.take_back()) == [sentence]


def test_an_end_that_the_players_made_is_taken_back_as_such():
    entries = [*journal("popout 7x6", "d4"), Entry(Kind.DRAW)]
    before = read(entries)
    assert before is not None
    (only,) = consequences(Entry.take_back(), before, before.take_back())
    assert str(only.message) == "The end of the game is taken back. Yellow to move."


def test_the_ends_that_players_make_are_said():
    assert said("popout 7x6", "d4", Entry(Kind.DRAW)) == ["Draw: the players agreed."]
    assert said("popout 7x6", "d4", Entry.resign(RED)) == ["Yellow wins: red gave up."]


def test_a_correction_says_who_is_to_move_e7():
    before = read(journal("popout 4x4", "d1"))
    assert before is not None
    after = parse_position("/X// O", before.rules)
    assert said("popout 4x4", "d1", Entry.correction(before.position, after)) == [
        "The game goes on from what is on the board.",
        "Yellow to move.",
    ]


def test_a_drop_changes_its_cell_and_a_pop_its_column():
    game = read(journal("popout 7x6", "d4 d4 d4"))
    assert game is not None
    assert moved_cells(Drop(4), game.position) == ((4, 3),)
    popped = game.play(Drop(1)).play(Pop(4))
    assert moved_cells(Pop(4), popped.position) == ((4, 1), (4, 2))
    assert column_cells(Pop(4), popped.position) == ((4, 1), (4, 2))
    assert column_cells(Claim(), popped.position) == ()
    assert moved_cells(Claim(), popped.position) == ()


def test_a_column_that_a_pop_has_emptied_is_pointed_at_in_its_bottom_row():
    game = read(journal("popout 7x6", "d4 d3 p4"))
    assert game is not None
    assert moved_cells(Pop(4), game.position) == ((4, 1),)


def test_a_take_back_shows_the_discs_that_are_left_in_the_column():
    before = read(journal("popout 7x6", "d4 d4"))
    assert before is not None
    entry = Entry.take_back()
    assert cells_of(entry, before, apply(before, entry)) == ((4, 1),)
    first = read(journal("popout 7x6", "d4"))
    assert first is not None
    assert cells_of(entry, first, apply(first, entry)) == ()


def test_other_entries_change_no_cell_to_be_shown():
    before = read(journal("popout 7x6", "d4"))
    assert before is not None
    for entry in (Entry(Kind.DRAW), Entry.resign(YELLOW), Entry.new(before.rules)):
        assert cells_of(entry, before, apply(before, entry)) == ()
    agreed = before.agree_draw()
    assert cells_of(Entry.take_back(), agreed, agreed.take_back()) == ()


def test_a_game_from_a_set_up_position_can_be_continued_and_said():
    game = Game.from_position(parse_position("X/// O", RuleSet.parse("popout 4x4")))
    entry = Entry.move(Drop(1))
    assert [str(each.message) for each in consequences(entry, game, apply(game, entry))] == [
        "Yellow drops a disc in column 1."
    ]
