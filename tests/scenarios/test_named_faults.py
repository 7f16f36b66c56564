"""Each fault that `popout sim --faults` makes, by its name: what the board does with it."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import pytest

from popout.board.frame import DARK
from popout.board.layout import Layout
from popout.play import reopening
from popout.play.settings import Settings
from popout.play.table import Table
from popout.record.journal import Entry, read
from popout.record.store import Store
from popout.rules import Game
from popout_sim.driver import SimulatedBoard
from popout_sim.mischief import Mischief
from popout_sim.named import FAULTS, parse_faults
from tabletop import PowerGone, TableTop, with_beams, with_levers, with_two_rows
from turned_clock import TurnedLoop

NAMES = [fault.name for fault in FAULTS]


@pytest.mark.parametrize("name", NAMES)
def test_every_fault_has_a_scenario_that_is_named_after_it(name: str):
    prefix = "test_" + name.replace("-", "_")
    assert any(story.startswith(prefix) for story in dir(sys.modules[__name__]))


# Contacts


def test_bounce_on_press_makes_one_move():
    table = TableTop(faults="bounce-on-press")
    table.play("d4 d4 p4")
    assert table.moves == "d4 d4 p4"


def test_bounce_on_release_makes_one_move_and_no_second_press():
    table = TableTop(faults="bounce-on-release")
    table.play("d4 d4 p4")
    table.hold(2)
    table.wait(2000)
    assert table.moves == "d4 d4"


@pytest.mark.parametrize(("length", "moves"), [("1ms", ""), ("5ms", "d4"), ("15ms", "d4"), ("50ms", "d4")])
def test_glitch_is_nothing_below_the_glitch_limit_and_a_tap_above_it(length: str, moves: str):
    table = TableTop(faults=f"glitch:4:{length}@2s")
    table.wait(3000)
    assert table.moves == moves


def test_glitch_while_a_button_is_down_does_not_let_it_go():
    table = TableTop(faults="glitch:4:1ms@2s")
    table.wait(1900)
    table.tap(4, length=200)
    assert table.moves == "d4"


def test_two_columns_are_a_slip_of_the_hand_and_no_move():
    table = TableTop(faults="two-columns:100%")
    table.tap(4)
    assert (table.moves, table.codes) == ("", ["second-button"])


def test_double_edge_of_a_wobbling_disc_is_one_move():
    table = TableTop(layout=with_levers(), faults="double-edge")
    for column, disc in ((4, "X"), (4, "O")):
        table.act(do="careful", on=False)
        table.act(do="drop", column=column, disc=disc)
        table.wait(1000)
    assert table.moves == "d4 d4"


def test_held_at_start_is_said_and_ignored_until_the_button_was_up():
    table = TableTop(faults="held-at-start:4:5s")
    table.wait(1000)
    assert table.said == ['The switch "column 4" is stuck: let go of it or free it.']
    table.tap(5)
    table.wait(5000)
    assert table.moves == "d5"
    table.tap(4)
    assert table.moves == "d5 d4"


def test_stuck_is_said_and_the_others_play_on():
    table = TableTop(faults="stuck:4@5s")
    table.play("d1 d2 d3")
    table.wait(60_000)
    assert table.said[-1] == 'The switch "column 4" is stuck: let go of it or free it.'
    assert table.moves == "d1 d2", "it was held for so long that it took back"
    table.tap(4)
    table.tap(5)
    assert table.moves == "d1 d2 d5"


def test_chattering_is_muted_said_and_tried_again():
    table = TableTop(faults="chattering:4@2s")
    table.wait(5000)
    assert "switch-faulty" in table.codes
    made = table.moves
    table.tap(5)
    assert table.moves == f"{made} d5".strip()
    table.wait(8000)
    assert table.said[-1] == 'The switch "column 4" works again.'


def test_bar_half_open_settles_without_a_move():
    table = TableTop(faults="bar-half-open")
    table.play("d4 d4")
    table.slide("open")
    table.wait(1000)
    assert table.controller.gesture.bar_open
    table.slide("closed")
    table.wait(1000)
    assert not table.controller.gesture.bar_open
    assert table.moves == "d4 d4"


@pytest.mark.parametrize("seconds", [0.9, 1.05])
def test_lost_edge_is_found_by_reading_the_level(seconds: float):
    table = TableTop(faults=f"lost-edge:100%@{seconds}s")
    table.wait(1000)
    table.tap(4)
    table.wait(12_000)
    table.tap(5, 6)
    assert table.moves in ("d4 d5 d6", "d5 d6"), "its own move may be lost with the edge, but nothing else"


def test_half_inserted_disc_is_asked_about_where_a_beam_can_tell():
    table = TableTop(layout=with_beams(actuation="disc"), faults="half-inserted:4@1s")
    table.act(do="careful", on=False)
    table.wait(6000)
    assert table.codes == ["moved", "no-disc-seen"]
    table.tap("take back")
    assert table.moves == ""


# Hands and discs


def test_out_of_turn_is_named_where_each_side_has_its_own_buttons():
    table = TableTop(layout=with_two_rows(), faults="out-of-turn:5@5s")
    table.tap(4)
    table.wait(6000)
    assert table.moves == "d4"
    assert table.codes[-1] == "wrong-side"
    assert table.board.twin.grid == ("", "", "", "X", "X", "", "")


def test_out_of_turn_with_one_row_of_buttons_counts_as_the_other_side_and_is_seen_when_somebody_compares():
    table = TableTop(faults="out-of-turn:5@5s")
    table.play("d4")
    table.wait(6000)
    assert table.moves == "d4 d5"
    table.play("d1")
    assert table.board.twin.differences() == [{"column": 5, "row": 1, "seen": "X", "believed": "O"}], "left as it is"
    table.controller.correct(table.board.twin.grid, table.time)
    assert table.said[-1] == (
        "One cell is not as it should be. Take the top disc (row 1) out of column 5, then press its button."
    )


@pytest.mark.parametrize("beams", [False, True])
def test_into_full_column_is_refused_with_the_reason(beams: bool):
    layout = with_beams(4, 2) if beams else None
    table = TableTop("popout 4x2 connect=4", layout=layout, faults="into-full-column@1s")
    table.play("d1 d1")
    table.wait(8000)
    assert any(said.startswith("Column 1 is full. Choose another column.") for said in table.said)
    assert table.moves == "d1 d1"


@pytest.mark.parametrize("beams", [False, True])
def test_after_the_end_columns_do_nothing_and_say_so(beams: bool):
    layout = with_beams() if beams else None
    table = TableTop("popout 7x6 connect=2", layout=layout, faults="after-the-end")
    for word in "d1 d3 d1".split():
        table.play(word)
        table.wait(1000)
    table.wait(12_000)
    assert table.codes.count("line") == 1
    assert "game-over" in table.codes
    assert table.moves == "d1 d3 d1"
    assert table.board.twin.differences()


def test_after_the_end_waits_for_the_end():
    table = TableTop(faults="after-the-end")
    table.play("d1 d3 d1")
    table.slide("open")
    table.wait(20_000)
    table.slide("closed")
    table.wait(20_000)
    assert table.board.twin.differences() == []


def test_wrong_pop_is_seen_and_put_back():
    table = TableTop(layout=with_beams(), faults="wrong-pop:4@5s")
    for word in "d4 d4 d3".split():
        table.play(word)
        table.wait(1000)
    table.slide("open")
    table.wait(8000)
    assert table.moves == "d4 d4 d3"
    assert table.codes[-1] == "not-your-disc"
    assert table.controller.correction is not None


def test_pop_with_bar_closed_stops_the_game():
    table = TableTop(layout=with_beams(), faults="pop-with-bar-closed:4@8s")
    for word in "d4 d4".split():
        table.play(word)
        table.wait(1000)
    table.wait(8000)
    assert table.moves == "d4 d4"
    assert table.codes[-1] == "bar-closed"


def test_bar_left_open_lets_several_discs_fall_and_all_are_known():
    table = TableTop(layout=with_beams(), faults="bar-left-open:4@5s")
    for word in "d4 d4 d3 d4".split():
        table.play(word)
        table.wait(1000)
    table.slide("open")
    table.wait(8000)
    assert table.moves == "d4 d4 d3 d4 p4"
    assert table.board.twin.grid[3] == ""
    assert table.controller.correction is not None
    assert len(table.controller.correction.steps) == 2


def test_top_taken_changes_nothing_and_is_named_when_somebody_compares():
    table = TableTop(faults="top-taken:4@5s")
    table.play("d4 d4")
    table.wait(8000)
    assert table.moves == "d4 d4"
    table.controller.correct(table.board.twin.grid, table.time)
    assert table.said[-1] == (
        "One cell is not as it should be. Put a yellow disc into column 4 (row 2), then press its button."
    )


def test_tray_emptied_in_mid_game_stops_it():
    table = TableTop(layout=with_beams(), faults="tray-emptied@8s")
    for word in "d4 d3 d5".split():
        table.play(word)
        table.wait(1000)
    table.wait(8000)
    assert table.moves == "d4 d3 d5"
    assert table.controller.correction is not None
    assert table.controller.correction.there == ("",) * 7


# Lamps: the game goes on, and what is shown is what such lamps show


def test_dead_lamp_is_dark_and_the_others_are_not():
    table = TableTop(faults="dead-lamp:4:1,dead-lamp:2")
    table.play("d4 d4")
    assert table.moves == "d4 d4"
    assert table.lamps.cells[3][0] == DARK
    assert table.lamps.cells[3][1] != DARK
    assert table.lit_columns == [1, 3, 4, 5, 6, 7]


def test_swapped_colours_show_red_as_green():
    right, wrong = TableTop(), TableTop(faults="swapped-colours")
    for table in (right, wrong):
        table.play("d4")
    red = right.lamps.cells[3][0]
    assert red & 0xFF0000
    assert wrong.lamps.cells[3][0] == red >> 8
    assert wrong.moves == "d4"


def test_reversed_chain_shows_every_light_at_the_other_end():
    right, wrong = TableTop(), TableTop(faults="reversed-chain")
    for table in (right, wrong):
        table.play("d4")
    layout = right.board.layout
    assert layout.colours(wrong.lamps) == layout.colours(right.lamps)[::-1]
    assert wrong.moves == "d4"


# The cable, the power and the clock


def test_board_away_is_said_and_the_game_goes_on_when_it_is_back(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(reopening, "FIRST_PAUSE_S", 0.001)
    monkeypatch.setattr(reopening, "LONGEST_PAUSE_S", 0.004)
    reopen = SimulatedBoard.with_faults("board-away:20ms@10ms", seed=1)

    async def story() -> tuple[list[str], tuple[str, ...], tuple[str, ...]]:
        with Store(None) as store:
            layout = Layout.plain(7, 6)
            table = Table(reopen(layout), store, Settings(), reopen=lambda: reopen(layout))
            twin = table.board.twin
            assert twin is not None
            twin.act({"do": "careful", "on": False})
            twin.act({"do": "drop", "column": 4, "disc": "X"})
            before = twin.snapshot()["grid"]
            running = asyncio.create_task(table.run())
            async with asyncio.timeout(10):
                async for _ in table.changes():
                    said = [str(notice.message) for notice in table.controller.notices.since(0)]
                    if said and table.controller.trouble is None:
                        break
            running.cancel()
            await asyncio.gather(running, return_exceptions=True)
            assert table.board.twin is not None
            table.board.close()
            return said, before, table.board.twin.snapshot()["grid"]

    said, before, after = asyncio.run(story())
    assert said == ["The board does not answer.", "The board is back. The game goes on."]
    assert after == before, "the discs stay where they are"


@pytest.mark.parametrize(("moment", "moves"), [("before", "d1"), ("during", "d1"), ("after", "d1 d4")])
def test_power_cut_leaves_what_was_committed(moment: str, moves: str, tmp_path: Path):
    with Store(tmp_path / "games.sqlite3") as store:
        table = TableTop(faults=f"power-cut:{moment}@3s")
        table.disk = "slow"
        game: Game = table.game
        store.append(Entry.new(table.rules), game)

        def save() -> None:
            if table.controller.unsaved:
                store.append(table.controller.unsaved, table.controller.after)
                table.finish_saving()

        table.tap(1)
        save()
        table.wait(3000)
        with pytest.raises(PowerGone):
            # The disk is at work when the power goes, and has written nothing that anybody saw.
            table.tap(4)
            save()
            table.wait(1000)
    with Store(tmp_path / "games.sqlite3") as store:
        last = read(store.current())
        assert last is not None
        assert " ".join(map(str, last.moves)) == moves


@pytest.mark.parametrize(("back", "by_ms"), [("5s", 5_000), ("60min", 3_600_000)])
def test_clock_back_loses_nothing_and_the_board_plays_on_at_once(back: str, by_ms: float):
    loop = TurnedLoop()

    async def story() -> str:
        mischief = Mischief(parse_faults(f"clock-back:{back}@1s"), seed=1)
        with Store(None) as store:
            board = SimulatedBoard(Layout.plain(7, 6), clock=lambda: loop.time() * 1000, mischief=mischief)
            table = Table(board, store, Settings())
            running = asyncio.create_task(table.run())
            for column, pause in ((4, 1.0), (5, 1.0), (6, 1.0)):
                await asyncio.sleep(0.1)
                table.finger(f"column {column}", True)
                await asyncio.sleep(0.1)
                table.finger(f"column {column}", False)
                await asyncio.sleep(pause)
            assert board.now() == pytest.approx(loop.time() * 1000 - by_ms)
            assert not running.done()
            running.cancel()
            await asyncio.gather(running, return_exceptions=True)
            return " ".join(map(str, table.controller.game.moves))

    with asyncio.Runner(loop_factory=lambda: loop) as runner:
        assert runner.run(story()) == "d4 d5 d6"
