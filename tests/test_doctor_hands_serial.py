"""The test of the wiring on a board that debounces its own switches: a Pico, as a board on a pseudo terminal."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import replace

import pytest

from popout.board.serial.driver import SerialBoard
from popout.doctor.asking import Paces
from popout.doctor.diagnosis import judge
from popout.doctor.hands import examine_board
from popout.link import debounce
from popout.rules import Message
from serial_boards import LAYOUT, PtyBoard

BOARD = replace(
    LAYOUT, chain=None, switches={switch: LAYOUT.switches[switch] for switch in ("column 1", "column 2", "menu")}
)
QUICK = Paces(rest_ms=40, blink_ms=10, settle_ms=40, held_ms=10_000)
PRESS_MS = 8


@pytest.fixture(autouse=True)
def quiet_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A switch that was muted is heard again as soon as it is quiet."""
    monkeypatch.setattr(debounce, "QUIET_MS", 60)


def problems(hands: Callable[[PtyBoard, str], Awaitable[None]], *, held: tuple[str, ...] = ()) -> list[tuple[str, str]]:
    """What is found out, where `hands` do what a sentence asks for; `held` are closed from before the test on."""
    said: asyncio.Queue[str] = asyncio.Queue()

    async def answers() -> AsyncIterator[str]:
        while True:
            sentence = await said.get()
            if sentence.startswith("Take all discs"):
                yield ""
            elif not sentence.startswith("Touch nothing"):
                await hands(board, sentence)

    def say(message: Message) -> None:
        said.put_nowait(str(message))

    async def test() -> list[tuple[str, str]]:
        with SerialBoard(BOARD, device=board.port) as driver:
            seen = await asyncio.wait_for(examine_board(driver, answers(), say, paces=QUICK), timeout=60)
        assert seen is not None
        found = judge(BOARD, seen).findings
        return [(each.code, str(each.text)) for each in found if each.severity == "problem"]

    with PtyBoard(BOARD) as board:
        for switch in held:
            board.move(switch, True)
        found = asyncio.run(test())
        assert board.end._times == (0, 1, 1)  # hardly debounced
        return found


def asked(sentence: str) -> str:
    return next(switch for switch in BOARD.switches if switch in sentence)


async def press(board: PtyBoard, sentence: str, *, closed: bool = True) -> None:
    board.move(asked(sentence), closed)
    await asyncio.sleep(PRESS_MS / 1000)
    board.move(asked(sentence), not closed)


def chatter(board: PtyBoard, switch: str) -> None:
    """Let a contact change so often at once that the board mutes the switch; it is open afterwards."""
    with board._lock:
        place, now = board.names.index(switch), board.now()
        for edge in range(debounce.MOST_EDGES + 2):
            board.end.edge(place, edge % 2 == 0, now)


def test_a_right_board_has_no_problem():
    assert problems(press) == []


def test_a_contact_that_chatters_is_found():
    async def hands(board: PtyBoard, sentence: str) -> None:
        if asked(sentence) == "column 2":
            chatter(board, "column 2")
        else:
            await press(board, sentence)

    assert problems(hands) == [
        (
            "switch-chatters",
            "“column 2” chatters: more than 50 changes in a second. Look for a loose contact, or replace the switch.",
        )
    ]


def test_a_button_that_is_closed_at_rest_is_told_by_its_press():
    async def hands(board: PtyBoard, sentence: str) -> None:
        await press(board, sentence, closed=asked(sentence) != "menu")

    assert [code for code, _ in problems(hands, held=("menu",))] == ["switch-inverted"]
