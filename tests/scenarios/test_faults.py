"""Each fault that the simulator can make with switches, hands, discs, the record and the clock."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from popout.board.frame import Frame
from popout.play.menu import Menu
from popout.play.settings import Settings
from popout.record.journal import Entry, read
from popout.record.store import NotSaved, Store
from popout.rules import Drop, Game, Message, RuleSet
from popout_sim import faults
from popout_sim.contacts import Contact
from tabletop import TableTop, with_beams, with_levers

# Contacts


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("fault", [faults.bounce_on_press, faults.bounce_on_release])
def test_a_contact_that_bounces_makes_one_move_g1(fault: object, seed: int):
    table = TableTop()
    table.inject(fault("column 4", table.time + 10, seed=seed))  # type: ignore[operator]
    table.wait(3000)
    assert table.moves == "d4"


def test_the_release_of_a_long_press_bounces_into_no_second_press_g1():
    table = TableTop()
    table.play("d1")
    table.inject(faults.bounce_on_release("column 4", table.time + 10, length=1700))
    table.wait(5000)
    assert table.moves == "", "one take-back and nothing else"


@pytest.mark.parametrize(("length", "moves"), [(1, ""), (1.9, ""), (5, "d4"), (15, "d4"), (50, "d4")])
def test_a_pulse_shorter_than_the_glitch_limit_is_nothing_g3(length: float, moves: str):
    table = TableTop()
    table.inject(faults.pulse("column 4", table.time + 10, length))
    table.wait(3000)
    assert table.moves == moves


def test_noise_of_ten_milliseconds_is_nothing_with_a_longer_glitch_limit_g3():
    table = TableTop(settings=Settings(glitch_ms=12))
    for _ in range(5):
        table.inject(faults.pulse("column 4", table.time + 10, 10))
        table.wait(300)
    assert table.said == []
    table.tap(4)
    assert table.moves == "d4"


def test_noise_while_a_button_is_down_does_not_let_it_go_g3():
    table = TableTop(contact=Contact(glitches=((40, 1), (60, 1.5))))
    table.tap(4, length=300)
    table.wait(1000)
    assert table.moves == "d4"


@pytest.mark.parametrize("apart", [5, 20, 29])
def test_two_columns_within_thirty_milliseconds_are_a_slip_and_no_move(apart: float):
    table = TableTop()
    table.inject(faults.two_columns(3, 4, table.time + 10, apart=apart))
    table.wait(3000)
    assert table.moves == ""
    assert table.codes == ["second-button"]
    table.tap(3)
    assert table.moves == "d3"


@pytest.mark.parametrize("lost", [0, 1])
def test_an_edge_that_is_lost_is_found_by_reading_the_level_g2(lost: int):
    table = TableTop()
    if lost == 0:
        table.board.lose_edge("column 4")
    table.press(4)
    table.wait(100)
    if lost == 1:
        table.board.lose_edge("column 4")
    table.release(4)
    table.wait(12_000)
    table.tap(5, 6)
    assert table.moves.endswith("d5 d6")
    assert table.moves in ("d4 d5 d6", "d5 d6"), "its own move may be lost with the edge, but nothing else"


def test_a_release_that_is_lost_within_the_lock_out_is_found_at_its_end_g2():
    table = TableTop()
    table.press(4)
    table.wait(10)
    table.board.lose_edge("column 4")
    table.release(4)
    table.wait(500)
    assert table.moves == "d4"


# Buttons that stay down


@pytest.mark.parametrize("column", [1, 4])
def test_a_button_held_across_start_up_is_said_and_ignored_until_it_was_up_g13(column: int):
    table = TableTop(closed=(f"column {column}",))
    table.wait(15_000)
    assert table.said == [f'The switch "column {column}" is stuck: let go of it or free it.']
    table.tap(5)
    assert table.moves == "d5", "the others play on"
    table.inject(faults.held_across_start(f"column {column}", table.time + 10))
    table.wait(500)
    assert table.moves == "d5"
    table.tap(column)
    assert table.moves == f"d5 d{column}"


def test_a_button_that_sticks_in_the_game_takes_back_once_and_then_the_others_play_on_g9():
    table = TableTop()
    table.play("d1 d2 d3")
    table.inject(faults.stuck("column 4", table.time + 10))
    table.wait(60_000)
    assert table.moves == "d1 d2"
    assert table.said[-1] == 'The switch "column 4" is stuck: let go of it or free it.'
    table.tap(5)
    assert table.moves == "d1 d2 d5"


def test_a_chattering_button_is_muted_said_and_tried_again_and_the_others_play_on():
    table = TableTop()
    table.inject(faults.chattering("column 4", table.time + 10, seed=2))
    table.wait(2100)
    made = table.moves
    assert "switch-faulty" in table.codes
    table.tap(5)
    assert table.moves == f"{made} d5".strip()
    table.wait(6000)
    assert table.said[-1] == 'The switch "column 4" works again.'
    while table.moves:  # what it did before it was found out
        table.hold(2)
    table.tap(4)
    assert table.moves == "d4"


# The bar


@pytest.mark.parametrize("opened", [True, False])
def test_a_bar_half_open_flutters_and_settles_without_a_move(opened: bool):
    table = TableTop()
    table.play("d4 d4")
    table.inject(faults.half_open_bar(table.time + 10, opened=opened))
    table.wait(1000)
    assert table.controller.gesture.bar_open == opened
    assert table.moves == "d4 d4"
    table.tap(4)
    assert table.moves == ("d4 d4 p4" if opened else "d4 d4 d4")


def test_a_bar_that_flutters_under_a_press_cancels_it():
    table = TableTop()
    table.play("d4 d4")
    table.press(4)
    table.wait(50)
    table.inject(faults.half_open_bar(table.time + 10, opened=True))
    table.wait(1000)
    table.release(4)
    table.wait(500)
    assert table.moves == "d4 d4"
    assert table.codes[-1] == "bar-moved"


def test_a_pop_with_the_bar_closed_is_a_drop_and_shown_as_one():
    table = TableTop()
    table.play("d4 d4")
    table.press(4)
    table.wait(40)
    assert table.lights(4, 3, length=500).count(0xFF0000) >= 1, "the lamps say what it will be"
    table.release(4)
    table.wait(100)
    assert table.moves == "d4 d4 d4"


def test_a_bar_left_open_makes_every_tap_a_pop_and_the_lamps_say_so():
    table = TableTop()
    table.play("d4 d3")
    table.slide("open")
    assert table.lit_columns == [4]
    table.tap(4)
    assert table.lit_columns == [3]
    table.tap(5)
    assert table.codes[-1] == "nothing-to-pop"
    table.slide("closed")
    table.tap(5)
    assert table.moves == "d4 d3 p4 d5"


# Levers and discs


def test_a_disc_that_wobbles_past_its_lever_is_one_move_g14():
    table = TableTop(layout=with_levers())
    table.inject(faults.double_edge(4, table.time + 10))
    table.wait(3000)
    assert table.moves == "d4"


def test_a_disc_put_in_half_and_pulled_back_is_asked_about_where_a_beam_can_tell_e17():
    table = TableTop(layout=with_beams(actuation="disc"))
    table.act(do="careful", on=False)
    table.inject(faults.half_inserted(4, table.time + 10))
    table.wait(5000)
    assert table.codes == ["moved", "no-disc-seen"]
    table.tap("take back")
    assert table.moves == ""
    table.act(do="drop", column=4, disc="X")
    table.wait(4000)
    assert table.moves == "d4"
    assert table.controller.correction is None


def test_a_disc_put_in_half_is_one_move_that_is_taken_back_where_nothing_can_tell_e17():
    table = TableTop(layout=with_levers())
    table.inject(faults.half_inserted(4, table.time + 10))
    table.wait(5000)
    assert table.moves == "d4"
    table.tap("take back")
    assert table.moves == ""


def test_a_disc_past_lever_and_beam_is_one_move_whichever_sees_it_first():
    table = TableTop(layout=with_beams(actuation="disc"))
    table.act(do="careful", on=False)
    for column, disc in ((4, "X"), (4, "O"), (3, "X")):
        table.act(do="drop", column=column, disc=disc)
        table.wait(1000)
    table.inject(
        sorted(
            [*faults.pulse("drop sensor 2", table.time + 10, 80), *faults.pulse("column 2", table.time + 40, 80)],
            key=lambda edge: edge.time,
        )
    )
    table.wait(5000)
    assert table.moves == "d4 d4 d3 d2"


def test_a_disc_taken_from_the_top_by_hand_changes_nothing_and_is_put_back():
    table = TableTop()
    table.play("d4 d4")
    table.act(do="careful", on=False)
    table.act(do="take", column=4)
    table.wait(1000)
    assert table.moves == "d4 d4"
    table.controller.correct(table.board.twin.grid, table.time)
    assert table.said[-1] == (
        "One cell is not as it should be. Put a yellow disc into column 4 (row 2), then press its button."
    )
    table.act(do="drop", column=4, disc="O")
    table.tap(4)
    assert table.said[-1] == "The board is right again."
    assert table.moves == "d4 d4"


def test_a_disc_dropped_out_of_turn_is_seen_by_nobody_until_somebody_says_so():
    table = TableTop()
    table.play("d4")
    table.act(do="careful", on=False)
    table.act(do="drop", column=5, disc="X")
    table.tap(5)
    assert table.moves == "d4 d5"
    table.controller.correct(table.board.twin.grid, table.time)
    assert table.said[-1] == (
        "One cell is not as it should be. Take the top disc (row 1) out of column 5, then press its button."
    )


def test_the_whole_tray_emptied_in_mid_game_stops_it_and_everything_is_put_back():
    table = TableTop(layout=with_beams())
    for word in "d4 d3 d5".split():
        table.play(word)
        table.wait(1000)
    table.wait(3000)
    table.act(do="careful", on=False)
    table.act(do="empty")
    table.wait(2000)
    assert table.moves == "d4 d3 d5"
    correction = table.controller.correction
    assert correction is not None
    assert correction.there == ("",) * 7
    for column in (3, 4, 5):
        table.act(do="drop", column=column, disc="O" if column == 3 else "X")
        table.wait(1000)
    assert table.controller.correction is None
    assert table.board.twin.differences() == []
    assert table.moves == "d4 d3 d5"


def test_the_tray_emptied_on_a_board_without_beams_is_found_by_saying_so():
    table = TableTop()
    table.play("d4 d3")
    table.act(do="careful", on=False)
    table.act(do="empty")
    table.wait(1000)
    assert table.moves == "d4 d3"
    table.controller.correct(("",) * 7, table.time)
    assert table.controller.correction is not None
    assert len(table.controller.correction.steps) == 2


# The record


def test_the_power_is_cut_before_during_and_after_the_commit_and_the_game_goes_on_from_what_is_on_disk(tmp_path: Path):
    path = tmp_path / "games.sqlite3"
    table = TableTop()
    with Store(path) as store:
        store.append(Entry.new(table.rules), table.game)
        for moment in ("before", "after"):
            table.disk = "slow"
            table.tap(4)
            assert table.controller.unsaved == Entry.move(Drop(4))
            if moment == "after":
                store.append(table.controller.unsaved, table.controller.after)
            break_in = read(store.current())
            assert break_in is not None
            # The power is gone: what the controller believed is forgotten.
            table = TableTop(game=break_in)
            assert table.moves == ("d4" if moment == "after" else "")
    with Store(path) as store:
        game = read(store.current())
        assert game is not None
        again = TableTop(game=game)
        assert again.said == ["The last game goes on."]
        again.wait(4000)
        again.tap(1)  # yes, go on
        again.tap(3)
        assert again.moves == "d4 d3"


def test_a_full_disk_never_lets_the_game_play_on_unrecorded(tmp_path: Path):
    table = TableTop("popout 7x6 connect=7")
    failures = 0
    with Store(tmp_path / "games.sqlite3") as store:
        store.append(Entry.new(table.rules), table.game)
        (pages,) = store._db.execute("pragma page_count").fetchone()
        store._db.execute(f"pragma max_page_count = {pages}")
        table.disk = "slow"
        while failures < 3:
            (table.tap if len(table.game.moves) < 12 else table.hold)(4 + len(table.game.moves) % 2)
            assert table.controller.unsaved is not None
            try:
                store.append(table.controller.unsaved, table.controller.after)
            except NotSaved as error:
                table.controller.save_failed(error.message, table.time)
                failures += 1
            else:
                table.finish_saving()
                assert not failures
            assert read(store.current()) == table.game


def test_when_saving_fails_the_game_stops_with_a_plain_reason_and_goes_on_when_there_is_room():
    table = TableTop()
    table.play("d4")
    table.disk = "full"
    for _ in range(3):
        table.tap(4)
    assert table.moves == "d4"
    assert table.said[-3:] == ["The disk is full."] * 3
    assert table.controller.trouble is not None
    table.disk = "quick"
    table.tap(4)
    assert table.moves == "d4 d4"
    assert table.controller.trouble is None


@pytest.mark.parametrize("what", ["take-back", "menu", "draw"])
def test_everything_is_saved_by_the_same_path_and_fails_by_the_same_e13(what: str):
    table = TableTop("popout 9x6")
    table.play("d4")
    before = table.game
    table.disk = "full"
    match what:
        case "take-back":
            table.hold(2)
        case "menu":
            table.tap("menu", 2)
        case "draw":
            table.tap("menu", 8)
    assert table.game == before
    assert table.codes[-1] == "not-saved"


def test_one_impossible_event_is_no_reason_never_to_recover_e11():
    table = TableTop()
    chance = random.Random(1)
    for _ in range(300):
        switch = chance.choice(["column 1", "column 4", "column 7", "bar", "menu", "take back"])
        table.inject([faults.stuck(switch, table.time)[0], *faults.held_across_start(switch, table.time + 1)][:1])
        table.wait(chance.choice([1, 3, 40, 300]))
    for switch in table.board.layout.switches:
        table.inject(faults.held_across_start(switch, table.time))
    table.wait(30_000)
    if isinstance(table.controller.mode, Menu):
        table.wait(30_000)
    before = len(table.game.moves)
    table.tap(3)
    assert len(table.game.moves) == before + 1


# The clock


def test_a_clock_that_is_set_back_neither_wakes_all_the_time_nor_loses_the_game():
    table = TableTop()
    table.play("d4")
    table.press(3)
    table.wait(100)
    then = table.time
    table.time = 10.0
    due = table.controller.due(table.time)
    assert due is None or due > table.time
    table.controller.tick(table.time, table.board.levels())
    table.controller.frame(table.time)
    table.time = then
    table.release(3)
    table.wait(500)
    assert table.moves == "d4 d3"


def test_a_program_that_slept_finds_the_old_press_as_old_as_it_is_g12():
    table = TableTop()
    table.play("d4")
    table.press(3)
    table.time += 80
    table.act(do="release", switch="column 3")
    table.time += 3_600_000
    table.wait(100)
    assert table.moves == "d4 d3", "a short press stays a short one"


def test_a_game_that_never_began_can_be_begun_after_any_trouble():
    game = Game.start(RuleSet.parse("popout 7x6"))
    table = TableTop(game=game)
    table.controller.lost(Message("Gone."), table.time)
    table.controller.found(table.board.levels(), table.time)
    table.tap(4)
    assert table.moves == "d4"


def test_a_game_that_is_left_alone_stays_awake_and_is_played_on_e12():
    table = TableTop()
    table.play("d4")
    table.wait(5000)
    lit = table.lamps

    table.wait(4 * 60 * 60 * 1000)

    assert lit != Frame.dark(7, 6)
    assert table.lamps == lit
    table.play("d4")
    assert table.moves == "d4 d4"
