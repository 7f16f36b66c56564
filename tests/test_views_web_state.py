"""What a page sees of a table and may do there: a real table at the twin of a board, without a browser or a server."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from typing import Any

import pytest

from popout.board.driver import HandError
from popout.board.layout import Layout
from popout.play.desk import WrongBoard
from popout.play.gestures import Idle
from popout.play.settings import Settings
from popout.play.table import Table
from popout.record.store import NotSaved, Store
from popout.rules import GAMES, Message, PopoutError, RuleSet
from popout.views.web import commands as do
from popout.views.web.past import NoSuchMove
from popout.views.web.state import LEAST_PRESS_MS, TableView
from popout_sim.contacts import PERFECT
from popout_sim.driver import SimulatedBoard

BOTH_LINES = "d3 d4 d5 d3 d4 d1 d3 d2 d2 d6 d5 d7 p3"

QUICK = Settings(count_down_after_ms=100, take_back_hold_ms=300)


class Sitting:
    """A page at a table: the view, and what a page does through it."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.view = TableView(table)

    @property
    def state(self) -> dict[str, Any]:
        """The state message as a page reads it."""
        return json.loads(json.dumps(self.view.snapshot()))

    async def see(self, expected: Callable[[Mapping[str, Any]], Any]) -> dict[str, Any]:
        """Wait until the state is as expected."""
        async with asyncio.timeout(5):
            async for _ in self.view.changes():
                if expected(self.state):
                    return self.state
        raise AssertionError("the table was left")

    async def tap(self, column: int) -> None:
        """Press a column and let go."""
        await self.view.command(do.Press(f"column {column}"))
        await self.view.command(do.Release(f"column {column}"))

    async def bar(self, to: str) -> None:
        """Slide the bar."""
        await self.view.command(do.Bar(to))
        await self.see(lambda state: state["bar"] == to)

    async def play(self, moves: str) -> None:
        """Make moves by hand."""
        for word in moves.split():
            await self.bar("open" if word[0] == "p" else "closed")
            made = len(self.state["moves"])
            await self.tap(int(word[1:]))
            await self.see(lambda state, made=made: len(state["moves"]) == made + 1)


def at_a_table(
    story: Callable[[Sitting], Awaitable[None]],
    rules: str = "popout 7x6",
    *,
    settings: Settings | None = None,
    board: type[SimulatedBoard] = SimulatedBoard,
    store: type[Store] = Store,
    resizable: bool | None = None,
) -> None:
    """Let a story happen at a running table."""

    async def run() -> None:
        parsed = RuleSet.parse(rules)
        layout = Layout.plain(parsed.columns, parsed.rows)
        with store(None) as record, board(layout, contact=PERFECT) as twin:
            table = Table(twin, record, settings or Settings(), parsed, resizable=resizable)
            running = asyncio.create_task(table.run())
            await asyncio.sleep(0)
            try:
                await story(Sitting(table))
            finally:
                running.cancel()
                with suppress(asyncio.CancelledError):
                    await running

    asyncio.run(run())


def test_a_new_game_is_told_with_everything_that_a_page_draws():
    async def story(page: Sitting) -> None:
        state = page.state

        assert (state["type"], state["version"]) == ("state", 1)
        assert state["board"] == {
            "driver": "sim",
            "description": "the simulator",
            "columns": 7,
            "rows": 6,
            "twoRows": False,
        }
        assert state["rules"] == {
            "game": "popout",
            "title": "Pop Out",
            "text": RuleSet.parse("popout 7x6").text,
            "columns": 7,
            "rows": 6,
            "width": 7,
            "firstColumn": 1,
            "connect": 4,
            "pops": True,
            "target": None,
        }
        assert state["grid"] == [""] * 7
        assert (state["turn"], state["status"], state["bar"]) == ("red", "Red to move.", "closed")
        assert state["legal"] == {"drop": [1, 2, 3, 4, 5, 6, 7], "pop": [], "claim": False}
        assert state["can"] == {"takeBack": False, "agreeDraw": False}
        assert state["limits"] == {"columns": [1, 32], "rows": [1, 32], "connect": [2, 32]}
        assert [game["game"] for game in state["games"]] == list(GAMES)
        assert state["card"]["title"] == "Pop Out"
        assert {option["name"] for option in state["options"]} > {"both-lines", "target", "powers"}
        assert (state["phase"], state["barred"], state["signs"]) == ("play", [], [])
        assert state["sizeFixed"] is False
        assert state["history"] is False
        for nothing in (
            "kept",
            "powers",
            "floating",
            "tentative",
            "holding",
            "last",
            "outcome",
            "notice",
            "menu",
            "trouble",
            "differs",
            "inHand",
        ):
            assert state[nothing] is None
        assert state["twin"]["grid"] == [""] * 7
        assert "lamps" not in state["twin"]

    at_a_table(story)


def test_a_press_is_shown_before_it_counts_and_counts_when_it_is_let_go():
    async def story(page: Sitting) -> None:
        await page.view.command(do.Press("column 4"))
        state = await page.see(lambda state: state["tentative"])
        assert state["tentative"] == {"kind": "drop", "column": 4, "row": 1, "side": "red", "power": None}
        assert state["moves"] == []
        assert state["twin"]["pressed"] == ["column 4"]

        await page.view.command(do.Release("column 4"))
        state = await page.see(lambda state: state["moves"])
        assert state["moves"] == [{"text": "d4", "side": "red", "said": "Red drops a disc in column 4."}]
        assert state["last"] == {
            "text": "d4",
            "side": "red",
            "kind": "drop",
            "column": 4,
            "row": 1,
            "power": None,
        }
        assert state["grid"] == ["", "", "", "X", "", "", ""] == state["twin"]["grid"]
        assert (state["tentative"], state["status"]) == (None, "Yellow to move.")
        assert state["can"] == {"takeBack": True, "agreeDraw": True}

    at_a_table(story)


def test_with_the_bar_open_a_press_pops():
    async def story(page: Sitting) -> None:
        await page.play("d4 d4")
        await page.bar("open")
        assert page.state["legal"]["pop"] == [4]

        await page.view.command(do.Press("column 4"))
        state = await page.see(lambda state: state["tentative"])
        assert state["tentative"] == {"kind": "pop", "column": 4, "row": 1, "side": "red", "power": None}
        await page.view.command(do.Release("column 4"))
        state = await page.see(lambda state: len(state["moves"]) == 3)
        assert state["last"]["text"] == "p4"
        assert state["twin"]["fallen"] == ["X"]

    at_a_table(story)


def test_a_press_that_may_not_be_made_shows_nothing_and_is_refused_with_its_place():
    async def story(page: Sitting) -> None:
        await page.bar("open")
        await page.view.command(do.Press("column 4"))
        await page.see(lambda state: state["twin"]["pressed"])
        assert page.state["tentative"] is None

        await page.view.command(do.Release("column 4"))
        notice = (await page.see(lambda state: state["notice"]))["notice"]

        assert (notice["kind"], notice["code"], notice["column"]) == ("refused", "nothing-to-pop", 4)
        assert page.state["moves"] == []

    at_a_table(story)


def test_a_click_holds_the_button_as_long_as_a_finger_would():
    async def story(page: Sitting) -> None:
        before = page.table.board.now()
        await page.tap(4)
        assert page.table.board.now() - before >= LEAST_PRESS_MS - 2
        await page.see(lambda state: state["moves"])

    at_a_table(story)


def test_a_hold_tells_how_far_it_is_and_takes_back():
    async def story(page: Sitting) -> None:
        await page.play("d4")
        await page.view.command(do.Press("column 2"))

        held = (await page.see(lambda state: state["holding"] and state["holding"]["progress"] > 0))["holding"]
        assert (held["what"], held["column"], held["columns"]) == ("take-back", 2, [2])
        assert 0 < held["progress"] <= 1
        state = await page.see(lambda state: not state["moves"])
        assert state["holding"] is None
        await page.view.command(do.Release("column 2"))
        assert page.state["moves"] == []

    at_a_table(story, settings=QUICK)


def test_both_outer_buttons_held_are_told_as_the_menu_to_come():
    async def story(page: Sitting) -> None:
        for column in (1, 7):
            await page.view.command(do.Press(f"column {column}"))
        held = (await page.see(lambda state: state["holding"]))["holding"]
        assert (held["what"], held["columns"]) == ("menu", [1, 7])

    at_a_table(story)


@pytest.mark.parametrize("way", ["command", "page gone"])
def test_a_finger_that_slips_off_makes_no_move(way):
    async def story(page: Sitting) -> None:
        await page.view.command(do.Press("column 4"))
        await page.see(lambda state: state["tentative"])

        if way == "command":
            await page.view.command(do.Withdraw("column 4"))
        else:
            page.view.withdraw("column 4")

        state = await page.see(lambda state: not state["twin"]["pressed"])
        assert (state["tentative"], state["moves"]) == (None, [])
        await page.see(lambda _: isinstance(page.table.controller.gesture, Idle))
        await page.play("d5")
        assert page.state["grid"][4] == "X"

    at_a_table(story)


def test_a_page_that_goes_away_does_not_lift_the_finger_of_another():
    async def story(page: Sitting) -> None:
        for _ in range(2):
            await page.view.command(do.Press("column 4"))
        await page.see(lambda state: state["tentative"])
        page.view.withdraw("column 4")
        assert page.state["twin"]["pressed"] == ["column 4"]
        assert page.state["tentative"]
        await page.view.command(do.Release("column 4"))
        state = await page.see(lambda state: state["moves"])
        assert [move["text"] for move in state["moves"]] == ["d4"]

    at_a_table(story)


def test_withdrawing_from_a_switch_that_nobody_holds_disturbs_nobody():
    async def story(page: Sitting) -> None:
        await page.view.command(do.Press("column 4"))
        await page.see(lambda state: state["tentative"])
        for switch in ("nope", "column 5"):
            await page.view.command(do.Withdraw(switch))
        await page.view.command(do.Release("column 4"))
        state = await page.see(lambda state: state["moves"])
        assert [move["text"] for move in state["moves"]] == ["d4"]

    at_a_table(story)


def test_withdrawing_from_a_switch_that_is_gone_is_nothing():
    async def story(page: Sitting) -> None:
        await page.view.command(do.New("popout 4x4 connect=3"))
        page.view.withdraw("column 7")
        await page.play("d4")

    at_a_table(story)


@pytest.mark.parametrize(
    ("command", "sentence"),
    [
        (do.Claim(), "The game is not over and the grid is not full"),
        (do.Press("column 8"), "This board has no switch “column 8”."),
        (do.New("popout 33x6"), "33"),
        (do.New("chess"), "chess"),
        (do.Hand({"do": "fly"}), "A hand does not know how to “fly”."),
        (do.Correct(["X"]), "7"),
        (do.Adopt("red"), "Say first what is on the board, cell by cell."),
    ],
    ids=str,
)
def test_what_cannot_be_done_is_refused_and_nothing_changes(command, sentence):
    async def story(page: Sitting) -> None:
        await page.play("d4")
        before = page.state

        with pytest.raises(PopoutError) as refused:
            await page.view.command(command)

        assert isinstance(command, do.Claim) or sentence in str(refused.value)
        assert page.state == before

    at_a_table(story)


def test_commands_take_back_agree_and_begin_anew():
    async def story(page: Sitting) -> None:
        await page.play("d4 d4")
        await page.view.command(do.TakeBack())
        assert len(page.state["moves"]) == 1
        await page.view.command(do.AgreeDraw())
        assert page.state["outcome"] == {
            "winner": None,
            "code": "agreed",
            "sentence": "Draw: the players agreed.",
            "lines": {"red": [], "yellow": []},
        }
        assert page.state["status"] == "Draw: the players agreed."
        assert (page.state["turn"], page.state["can"]["agreeDraw"]) == (None, False)
        await page.view.command(do.New("standard 9x7 connect=5 first=yellow"))
        state = page.state
        assert (state["rules"]["game"], state["rules"]["pops"], state["turn"]) == ("standard", False, "yellow")
        assert (len(state["grid"]), state["twin"]["grid"], state["moves"]) == (9, [""] * 9, [])

    at_a_table(story)


def test_a_board_of_one_size_says_so_and_refuses_another():
    async def story(page: Sitting) -> None:
        assert page.state["sizeFixed"] is True
        with pytest.raises(WrongBoard):
            await page.view.command(do.New("popout 9x7"))
        assert page.state["rules"]["columns"] == 7

    at_a_table(story, resizable=False)


def test_lines_of_both_sides_and_the_past_with_and_without_them():
    async def story(page: Sitting) -> None:
        await page.play(BOTH_LINES)

        outcome = page.state["outcome"]
        assert (outcome["winner"], outcome["code"]) == ("red", "both-lines")
        assert outcome["lines"]["red"] == [[[2, 2], [3, 2], [4, 2], [5, 2]]]
        assert outcome["lines"]["yellow"] == [[[1, 1], [2, 1], [3, 1], [4, 1]]]
        assert page.view.look(13)["outcome"] == page.view.snapshot()["outcome"]
        before = page.view.look(12)
        assert (before["type"], before["ply"], before["outcome"]) == ("look", 12, None)
        assert before["text"] == "Move 12 of 13: Yellow drops a disc in column 7."
        assert before["last"]["text"] == "d7"
        start = page.view.look(0)
        assert (start["text"], start["grid"], start["last"]) == ("The beginning of the game.", [""] * 7, None)
        with pytest.raises(NoSuchMove, match=r"There is no move 14; the game has 13\."):
            page.view.look(14)

    at_a_table(story)


def test_the_past_of_an_agreed_draw_is_not_agreed_yet():
    async def story(page: Sitting) -> None:
        await page.play("d4 d4")
        await page.view.command(do.AgreeDraw())

        assert page.view.look(2)["outcome"]["code"] == "agreed"
        assert page.view.look(1)["outcome"] is None
        assert page.view.look(1)["grid"][3] == "X"

    at_a_table(story)


def test_a_claim_is_offered_made_and_has_no_place():
    async def story(page: Sitting) -> None:
        await page.play("d1 d2 d3 d1 d2 d3")
        assert page.state["legal"]["claim"] is True

        await page.view.command(do.Claim())

        assert page.state["outcome"]["code"] == "claim"
        assert page.state["last"] == {"text": "claim", "side": "red", "kind": "claim", "column": None, "row": None}

    at_a_table(story, "popout 3x2 connect=3 full-grid=claim")


def test_the_discs_in_hand_are_told_where_they_are_counted():
    async def story(page: Sitting) -> None:
        await page.play("d4")
        assert page.state["inHand"] == {"red": 2, "yellow": 3}

    at_a_table(story, "popout 7x6 supply=3")


def test_the_menu_tells_what_each_column_offers_and_a_press_chooses():
    async def story(page: Sitting) -> None:
        await page.view.command(do.Menu())
        entries = page.state["menu"]["entries"]
        assert entries[0] == {"column": 1, "code": "continue", "text": "Continue"}
        await page.view.command(do.Press("column 4"))
        await page.see(lambda _: not isinstance(page.table.controller.gesture, Idle))
        assert page.state["tentative"] is None
        await page.view.command(do.Withdraw("column 4"))
        await page.see(lambda _: isinstance(page.table.controller.gesture, Idle))

        await page.tap(1)
        await page.see(lambda state: state["menu"] is None)
        assert page.state["moves"] == []

    at_a_table(story)


def test_what_hands_do_alone_is_told_as_a_difference_and_can_be_taken_over():
    async def story(page: Sitting) -> None:
        await page.play("d4")
        await page.view.command(do.Hand({"do": "careful", "on": False}))
        await page.view.command(do.Hand({"do": "drop", "column": 5, "disc": "O"}))
        state = page.state
        assert state["twin"]["differences"] == [{"column": 5, "row": 1, "seen": "O", "believed": None}]
        assert (state["grid"][4], state["twin"]["grid"][4]) == ("", "O")

        await page.view.command(do.Correct(state["twin"]["grid"]))
        differs = page.state["differs"]
        assert (differs["cells"], differs["canAdopt"]) == ([[5, 1]], True)
        assert differs["step"] == page.state["status"]
        assert "column 5" in differs["step"]
        await page.view.command(do.Adopt("red"))
        assert (page.state["differs"], page.state["grid"][4], page.state["turn"]) == (None, "O", "red")

    at_a_table(story)


def test_a_record_that_cannot_be_written_is_the_status_until_it_can():
    class FullDisk(Store):
        full = False

        def append(self, entry, after):
            if entry.text == "d4":
                raise NotSaved(Message("The disk is full."))
            super().append(entry, after)

    async def story(page: Sitting) -> None:
        await page.tap(4)
        state = await page.see(lambda state: state["trouble"])
        assert state["trouble"] == {"code": "not-saved", "text": "The disk is full."}
        assert (state["status"], state["moves"]) == ("The disk is full.", [])
        await page.play("d5")
        assert (page.state["trouble"], page.state["status"]) == (None, "Yellow to move.")

    at_a_table(story, store=FullDisk)


def test_a_real_board_has_no_twin_and_its_buttons_can_be_pressed_from_the_page():
    class RealBoard(SimulatedBoard):
        twin = None

    async def story(page: Sitting) -> None:
        assert page.state["twin"] is None
        with pytest.raises(PopoutError, match="This is a real board: move its discs with your own hands"):
            await page.view.command(do.Hand({"do": "tidy"}))
        with pytest.raises(HandError):
            await page.view.command(do.Press("column 8"))
        await page.play("d4")

    at_a_table(story, board=RealBoard)


def test_lamps_are_colours_for_every_lamp_and_change_with_the_turn():
    async def story(page: Sitting) -> None:
        lamps = page.view.lamps()
        assert (lamps["type"], len(lamps["columns"]), [len(column) for column in lamps["cells"]]) == (
            "lamps",
            7,
            [6] * 7,
        )
        assert lamps["turns"][0] != "#000000" == lamps["turns"][1]
        await page.play("d4")
        assert page.view.lamps()["turns"] != lamps["turns"]

    at_a_table(story)


def test_a_change_is_announced_once_as_state_and_lamps_and_nothing_is_without_one():
    async def story(page: Sitting) -> None:
        heard: list[str] = []

        async def listen() -> None:
            async for kind in page.view.changes():
                heard.append(kind)

        async def hear(count: int) -> None:
            async with asyncio.timeout(5):
                while len(heard) < count:
                    await asyncio.sleep(0)

        listening = asyncio.create_task(listen())
        await hear(2)
        await page.view.command(do.Menu())
        await hear(4)
        await asyncio.sleep(0.02)  # if anything more were said, it would be by now
        listening.cancel()

        assert heard[:4] == ["state", "lamps"] * 2
        assert heard.count("state") == 2

    at_a_table(story)


def test_the_record_is_the_game_as_text():
    async def story(page: Sitting) -> None:
        await page.play("d4 d4 p4")
        assert "\nmoves: d4 d4 p4\n" in page.view.record_text()

    at_a_table(story)
