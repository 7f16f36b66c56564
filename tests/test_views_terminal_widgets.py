"""What stands on the terminal's screen, by the mouse: the moves."""

from __future__ import annotations

from popout.play.table import Table
from popout.views.terminal.widgets import Moves
from terminals import Seat, at_a_terminal


def test_a_click_on_a_move_looks_at_it_and_the_wheel_goes_on_from_there():
    async def story(seat: Seat, _: Table) -> None:
        await seat.play("d1 d2 d3")
        await seat.pilot.click(Moves, offset=(20, 1))
        await seat.see(lambda: seat.says("status").startswith("Move 2 of 3"))
        await seat.pilot._post_mouse_events([_scroll("Up")], widget=Moves)
        await seat.see(lambda: seat.says("status").startswith("Move 1 of 3"))
        await seat.pilot._post_mouse_events([_scroll("Down")], widget=Moves)
        await seat.see(lambda: seat.says("status").startswith("Move 2 of 3"))
        await seat.pilot.click(Moves, offset=(20, 6))  # no move is there

        assert seat.says("status").startswith("Move 2 of 3")

    at_a_terminal(story)


def _scroll(way: str) -> type:
    from textual import events

    return events.MouseScrollUp if way == "Up" else events.MouseScrollDown


def test_where_not_all_moves_have_room_the_newest_are_in_view():
    async def story(seat: Seat, _: Table) -> None:
        await seat.play("d1 d2 d1 d2 d2 d1 d1 d2 d3 d4 d3 d4 d4 d3 d3 d4")
        assert seat.shows("1 ● d1       2 ○ d2")
        await seat.press("m")
        await seat.see(lambda: seat.state["menu"])

        assert seat.shows("15 ● d3      16 ○ d4")
        assert not seat.shows("1 ● d1       2 ○ d2")

    at_a_terminal(story, "popout 7x6 connect=5")
