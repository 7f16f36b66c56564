"""When faults strike, and that the same seed makes the same mischief."""

from __future__ import annotations

import itertools

import pytest

from popout.board.driver import BoardError, BoardLost
from popout.board.frame import Frame
from popout.board.layout import Layout
from popout.board.switches import SwitchEvent
from popout_sim.driver import SimulatedBoard
from popout_sim.mischief import NOT_NOW_MS, FaultNotHere, Mischief
from popout_sim.named import parse_faults
from popout_sim.twin import HandError, Twin

LAYOUT = Layout.plain(3, 2)


class Bench:
    """A misbehaving board and a clock that the test turns."""

    def __init__(self, faults: str, *, seed: int = 1) -> None:
        self.time = 0.0
        self.mischief = Mischief(parse_faults(faults), seed=seed)
        self.board = self.open()

    def open(self) -> SimulatedBoard:
        return SimulatedBoard(LAYOUT, clock=lambda: self.time, mischief=self.mischief)

    def until(self, time: float) -> list[SwitchEvent]:
        edges = []
        while (due := self.board.due()) is not None and due + self.mischief.clock_back_ms <= time:
            self.time = max(self.time, due + self.mischief.clock_back_ms)
            edges += self.board.drain()
        self.time = time
        return edges + self.board.drain()


def times(edges: list[SwitchEvent]) -> list[float]:
    return [edge.time for edge in edges if edge.closed]


def test_a_fault_at_a_time_comes_then_and_once():
    assert times(Bench("glitch:2:1ms@5s").until(100_000)) == [5000]


def test_a_fault_about_every_so_often_comes_again_and_again():
    came = times(Bench("glitch:1ms@~10s").until(1_000_000))
    pauses = [later - earlier for earlier, later in itertools.pairwise(came)]
    assert 90 < len(came) < 110
    assert all(5000 <= pause <= 15_000 for pause in pauses)


def test_the_same_seed_makes_the_same_mischief_and_another_another():
    text = "glitch:5ms,chattering,stuck"
    first, again, other = (Bench(text, seed=seed).until(200_000) for seed in (1, 1, 2))
    assert first == again != other


def test_a_fault_that_needs_a_hand_waits_for_one():
    bench = Bench("bounce-on-press@5s")
    for moment, edges in ((1000, 1), (6000, 13), (7000, 1)):
        bench.until(moment)
        bench.board.twin.act({"do": "press", "switch": "column 1"})
        assert len(bench.until(moment + 100)) == edges, "the first time after that"
        bench.board.twin.act({"do": "release", "switch": "column 1"})


def test_what_has_no_occasion_yet_comes_as_soon_as_it_has():
    bench = Bench("top-taken:2@5s")
    bench.until(20_000)
    bench.board.believe(("X", "X", ""))
    bench.until(20_000 + NOT_NOW_MS)
    assert bench.board.twin.grid == ("X", "", "")


def test_the_careful_hand_leaves_what_was_meddled_with_and_goes_on_with_the_turns():
    bench = Bench("top-taken:2@5s")
    bench.board.believe(("X", "O", ""))
    bench.until(6000)
    bench.board.believe(("X", "O", "X"))
    assert bench.board.twin.grid == ("X", "", "X")
    bench.board.believe(("XO", "O", "X"))
    assert bench.board.twin.grid == ("XO", "", "X")
    bench.board.twin.act({"do": "tidy"})
    assert bench.board.twin.grid == ("XO", "O", "X")


def test_a_disc_that_lies_there_already_is_not_dropped_a_second_time_by_the_careful_hand():
    twin = Twin(LAYOUT)
    twin.believe(("O", "", ""))
    twin.meddle({"do": "drop", "column": 2, "disc": "O"})
    twin.believe(("O", "X", ""))
    assert twin.grid == ("O", "O", "")
    twin.believe(("O", "", ""))
    assert twin.grid == ("O", "", ""), "taken back, by hand"
    assert twin.differences() == []


def test_a_pop_goes_on_beside_what_was_meddled_with():
    twin = Twin(LAYOUT)
    twin.believe(("XO", "X", ""))
    twin.meddle({"do": "take", "column": 2})
    twin.act({"do": "bar", "to": "open"})
    twin.believe(("O", "X", ""))
    assert (twin.grid, twin.fallen) == (("O", "", ""), ["X"])


def test_meddling_goes_past_a_closed_bar_and_still_not_past_nature():
    twin = Twin(LAYOUT)
    with pytest.raises(HandError):
        twin.meddle({"do": "pop", "column": 1})
    twin.act({"do": "drop", "column": 1, "disc": "X"})
    twin.meddle({"do": "pop", "column": 1})
    assert (twin.grid, twin.bar) == (("", "", ""), "closed")


def test_a_board_that_is_away_cannot_be_used_or_opened_until_it_is_back():
    bench = Bench("board-away:2s@1s")
    bench.board.twin.act({"do": "drop", "column": 1, "disc": "X"})
    bench.board.twin.act({"do": "bar", "to": "open"})
    bench.until(1000)
    with pytest.raises(BoardLost):
        bench.board.levels()
    with pytest.raises(BoardLost):
        bench.board.show(Frame.dark(3, 2))
    bench.board.close()
    with pytest.raises(BoardError, match="does not answer"):
        bench.open()
    bench.time = 3000
    back = bench.open()
    assert back.twin.grid == ("X", "", "")
    assert back.levels()["bar"], "the bar is where it was"
    assert back.drain() == []


def test_a_clock_that_is_set_back_takes_along_what_is_to_come():
    bench = Bench("clock-back:5s@6s,glitch:1:3ms@7s")
    came = bench.until(20_000)
    assert bench.board.now() == 15_000
    assert [edge.time for edge in came] == [2000, 2003], "a second later, as it would have come"


@pytest.mark.parametrize(
    ("faults", "sentence"),
    [
        (
            "double-edge",
            "The fault “double-edge” is one of levers that discs trip, and this board has buttons. "
            'Name a layout with actuation = "disc".',
        ),
        ("stuck:4", "The fault “stuck” is to be in column 4, and the board has the columns 1 to 3."),
        ("top-taken:4", "The fault “top-taken” is to be in column 4, and the board has the columns 1 to 3."),
        ("dead-lamp:1:3", "The fault “dead-lamp” is to be in row 3, and the board has the rows 1 to 2."),
    ],
)
def test_a_fault_that_cannot_be_on_this_board_is_refused_with_the_reason(faults: str, sentence: str):
    with pytest.raises(FaultNotHere) as refused:
        Bench(faults)
    assert str(refused.value) == sentence
