"""Orders at a table, and the one entry at a time that waits to be saved."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from popout.board.layout import Layout
from popout.play.desk import BoardDiffers, Busy, Desk, WrongBoard, check_fits, fits
from popout.play.menu import Menu
from popout.play.modes import Playing
from popout.record.journal import Entry, Kind
from popout.rules import (
    RED,
    YELLOW,
    Claim,
    Drop,
    IllegalMove,
    Message,
    Phase,
    PopoutError,
    RuleSet,
    SetupError,
    Side,
)
from stories import game_of

RULES = RuleSet.parse("popout 7x6")
FAILED = Message("The disk is full.")


def desk(moves: str = "", rules: RuleSet = RULES) -> Desk:
    return Desk(Layout.plain(rules.columns, rules.rows), game_of(rules.text, moves), 0)


def said(desk: Desk) -> list[str]:
    return [str(notice.message) for notice in desk.notices.since(0)]


def codes(desk: Desk) -> list[str]:
    return [notice.code for notice in desk.notices.since(0)]


def test_a_move_counts_only_when_it_is_saved_e9():
    table = desk()
    table.play(Drop(4))
    assert table.unsaved == Entry.move(Drop(4))
    assert table.game.moves == ()
    assert table.game.turn is RED
    table.saved(10)
    assert table.unsaved is None
    assert table.game.moves == (Drop(4),)
    assert table.game.turn is YELLOW
    assert said(table) == ["Red drops a disc in column 4."]


def test_a_move_that_could_not_be_saved_has_not_happened_and_the_turn_stays_e9():
    table = desk("d4")
    before = table.game
    table.play(Drop(3))
    table.save_failed(FAILED, 10)
    assert table.game is before
    assert table.unsaved is None
    assert table.trouble == ("not-saved", FAILED, 10)
    assert said(table) == ["The disk is full."]


def test_the_trouble_is_over_with_the_next_entry_that_is_saved():
    table = desk()
    table.play(Drop(4))
    table.save_failed(FAILED, 10)
    table.play(Drop(4))
    assert table.trouble is not None
    table.saved(20)
    assert table.trouble is None


ORDERS: list[tuple[Callable[[Desk], None], Entry]] = [
    (lambda table: table.play(Drop(1)), Entry.move(Drop(1))),
    (Desk.take_back, Entry.take_back()),
    (lambda table: table.new_game(RULES), Entry.new(RULES)),
    (Desk.agree_draw, Entry(Kind.DRAW)),
    (lambda table: table.resign(RED), Entry.resign(RED)),
]


@pytest.mark.parametrize(("order", "entry"), ORDERS)
def test_every_order_is_one_entry_to_be_saved_e13(order: Callable[[Desk], None], entry: Entry):
    table = desk("d4 d4")
    order(table)
    assert table.unsaved == entry


@pytest.mark.parametrize(("order", "entry"), ORDERS)
def test_no_second_entry_is_begun_while_one_is_being_saved(order: Callable[[Desk], None], entry: Entry):
    table = desk("d4 d4")
    table.play(Drop(7))
    with pytest.raises(Busy) as caught:
        order(table)
    assert str(caught.value) == "The last move is still being saved. Try again in a moment."
    assert table.unsaved == Entry.move(Drop(7)) != entry


def test_what_the_rules_forbid_changes_nothing():
    table = desk("d4 d4 d4 d4 d4 d4")
    with pytest.raises(IllegalMove) as caught:
        table.play(Drop(4))
    assert str(caught.value) == "Column 4 is full. Choose another column."
    assert table.unsaved is None
    with pytest.raises(PopoutError):
        table.play(Claim())
    with pytest.raises(PopoutError):
        desk().take_back()


def test_taking_back_the_end_lets_the_game_go_on():
    table = desk("d1 d2", RuleSet.parse("popout 7x6 connect=2"))
    table.play(Drop(1))
    table.saved(500)
    assert table.game.outcome
    assert table.ended_at == 500
    table.take_back()
    table.saved(600)
    assert table.game.turn is RED
    assert codes(table) == ["moved", "line", "taken-back"]


def test_a_game_of_another_size_is_refused_unless_the_board_can_be_any_size():
    table = desk()
    other = RuleSet.parse("popout 9x7")
    with pytest.raises(WrongBoard) as caught:
        table.new_game(other)
    assert str(caught.value) == "This board has 7 columns and 6 rows, so no game of another size fits on it."
    table.new_game(other, any_size=True)
    assert table.unsaved == Entry.new(other)


def test_what_fits_fits():
    assert fits(RULES, Layout.plain(7, 6))
    assert not fits(RULES, Layout.plain(6, 7))
    check_fits(RULES, Layout.plain(7, 6))


def test_the_menu_is_opened_and_left():
    table = desk()
    table.toggle_menu(50)
    assert table.mode == Menu("main", 0, 50)
    table.toggle_menu(60)
    assert table.mode == Playing()


def test_a_board_that_is_right_is_said_to_be():
    table = desk("d4")
    table.correct(("", "", "", "X", "", "", ""), 10)
    assert table.correction is None
    assert said(table) == ["The board is right."]


def test_a_board_that_differs_is_put_right_first():
    table = desk("d4")
    table.correct(("", "", "", "", "X", "", ""), 10)
    assert table.mode is table.correction
    assert said(table) == [
        "2 cells are not as they should be. Put a red disc into column 4 (row 1), then press its button."
    ]
    with pytest.raises(BoardDiffers) as caught:
        table.play(Drop(1))
    assert str(caught.value) == "Put a red disc into column 4 (row 1), then press its button."


def test_a_correction_outlives_the_menu_over_it_e11():
    table = desk("d4")
    table.correct(("", "", "", "", "X", "", ""), 10)
    table.toggle_menu(20)
    assert isinstance(table.mode, Menu)
    table.toggle_menu(30)
    assert table.mode is table.correction


def test_a_take_back_may_be_what_was_wrong():
    table = desk("d4")
    table.correct(("",) * 7, 10)
    table.take_back()
    table.saved(20)
    assert table.correction is None


def test_a_take_back_that_does_not_put_the_board_right_leaves_the_rest_to_do():
    table = desk("d4 d4")
    table.correct(("", "", "", "", "", "", ""), 10)
    table.take_back()
    table.saved(20)
    assert table.correction is not None
    assert len(table.correction.steps) == 1


def test_a_new_game_needs_no_correction():
    table = desk("d4 d4")
    table.correct(("", "", "", "", "", "", ""), 10)
    table.new_game(RULES)
    table.saved(20)
    assert table.mode == Playing()


def test_what_is_on_the_board_is_taken_over_with_the_side_that_somebody_names_e7():
    table = desk("d4 d4")
    table.correct(("", "", "X", "O", "", "", ""), 10)
    table.adopt(RED)
    assert table.unsaved == Entry(Kind.CORRECTION, "///XO/// X -> //X/O/// X")
    table.saved(20)
    assert table.game.position.grid == ("", "", "X", "O", "", "", "")
    assert said(table)[-2:] == ["The game goes on from what is on the board.", "Red to move."]
    assert table.mode == Playing()


def test_a_wrong_side_to_move_is_named_e7():
    table = desk("d4 d4")
    table.correct(("", "", "X", "O", "", "", ""), 10)
    with pytest.raises(SetupError) as caught:
        table.adopt(YELLOW)
    assert str(caught.value) == (
        "With 2 discs on the grid it is red's turn, not yellow's. Let red move, or correct the discs."
    )
    assert table.correction is not None


@pytest.mark.parametrize("seen", [("XXXX", "OOO", "", "", "", "", ""), ("XXXXOX", "OOOO", "", "", "", "", "")])
def test_a_game_that_is_won_already_is_not_taken_over(seen: tuple[str, ...]):
    table = desk("d4 d4")
    table.correct(seen, 10)
    with pytest.raises(SetupError):
        table.adopt(YELLOW if sum(map(len, seen)) % 2 else RED)
    assert table.unsaved is None


@pytest.mark.parametrize(
    ("rules", "moves", "seen", "turn", "after"),
    [
        ("power 5x4", "d1 a1 x3 d3", ("O", "", "XX", "", "X"), YELLOW, "O//XX//X O powers=abw,bwx"),
        ("power 5x4", "d1 a1 x3", ("O", "", "X", "", "X"), RED, "O//X//X X phase=x2 powers=abw,bwx"),
        ("power 5x4", "d1 a1 x3", ("O", "", "X", "", "X"), YELLOW, "O//X//X O powers=abw,bwx"),
        ("power 3x4", "d1 b2", ("", "O", ""), YELLOW, "/O/ O powers=abwx,awx"),
        ("popout 4x4 supply=6", "d1 d2 d3 d4 p1 p2", ("X", "", "X", "O"), YELLOW, "X//X/O O hands=3,4"),
        (
            "pop10 4x2 connect=2 target=3",
            "d1 d2 d3 d4 d1 d2 d3 d4 p1",
            ("XX", "OO", "X", "OO"),
            YELLOW,
            "XX/OO/X/OO O phase=pop kept=1,0",
        ),
    ],
    ids=["power-discs", "second-disc", "turn-over", "no-target-left", "discs-in-hand", "kept-discs"],
)
def test_what_a_side_has_beside_the_board_stays_when_the_board_is_taken_over(
    rules: str, moves: str, seen: tuple[str, ...], turn: Side, after: str
):
    table = desk(moves, RuleSet.parse(rules))
    table.correct(seen, 10)
    table.adopt(turn)
    assert table.unsaved is not None
    assert table.unsaved.text.partition(" -> ")[2] == after


def test_a_disc_to_be_put_back_stays_out_when_the_board_is_taken_over():
    table = desk("d1 d2 d3 d4 d1 d2 d3 d4 d1 d2 d3 d4 p1", RuleSet.parse("pop10 4x3 connect=4 target=3"))
    assert table.game.position.phase is Phase.PUT
    table.correct(("XX", "OOO", "XOX", "OOO"), 10)
    table.adopt(RED)
    assert table.unsaved is not None
    assert table.unsaved.text.endswith(" -> XX/OOO/XOX/OOO X phase=put kept=0,0 from=1")


def test_nothing_is_taken_over_that_nobody_has_said():
    with pytest.raises(IllegalMove) as caught:
        desk("d4").adopt(RED)
    assert str(caught.value) == "Say first what is on the board, cell by cell."


def test_everything_that_may_be_seen_makes_the_revision_grow():
    table = desk("d4 d4")
    for do in (
        lambda: table.play(Drop(1)),
        lambda: table.saved(1),
        table.take_back,
        lambda: table.save_failed(FAILED, 2),
        lambda: table.toggle_menu(3),
        lambda: table.correct(("",) * 7, 4),
    ):
        before = table.revision
        do()
        assert table.revision > before
