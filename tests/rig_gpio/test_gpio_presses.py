"""No press is lost and none is invented, however contacts bounce."""

from __future__ import annotations

import asyncio
import os
import random
from collections.abc import Callable
from contextlib import ExitStack

from hands import BOUNCE_MS, Edge, Hands, line_of
from pinboard import SeenLamps, beside
from storm import Ear, contacts, presses

from popout.board.gpio.driver import GpioBoard
from popout.board.switches import SwitchEvent
from popout.play.settings import Settings

PRESSES = int(os.environ.get("PRESSES", "10000"))
BOARDS, COLUMNS = 3, 8
LAYOUTS = [beside(number, COLUMNS) for number in range(BOARDS)]
LINES = {
    line_of(layout, switch): (number, switch) for number, layout in enumerate(LAYOUTS) for switch in layout.switches
}

SETTINGS = Settings()
SLACK_MS = 3.0
"""A line may be read a moment after the time was, and so seem to have changed before it did."""


async def _heard(hands: Hands, edges: list[Edge]) -> tuple[list[Ear], list[tuple[float, float]]]:
    with ExitStack() as stack:
        boards = [stack.enter_context(GpioBoard(layout, lamps=SeenLamps())) for layout in LAYOUTS]
        ears = [Ear(board, SETTINGS) for board in boards]
        listening = [asyncio.create_task(ear.listen()) for ear in ears]
        moved = await hands.doing(edges)
        await asyncio.sleep(2)  # for what is on its way, and for more than there should be
        for task in listening:
            task.cancel()
        await asyncio.gather(*listening, return_exceptions=True)
        return ears, moved


def test_ten_thousand_bouncing_presses_are_heard_one_by_one(hands: Hands, figure: Callable[[str], None]):
    edges = presses(PRESSES, LINES, random.Random(PRESSES))
    ears, moved = asyncio.run(_heard(hands, edges))

    made = contacts(edges, moved)
    assert sum(contact.closed for of_line in made.values() for contact in of_line) == PRESSES
    stopped = 0
    for line, (number, switch) in LINES.items():
        reports = [report for report in ears[number].reports if report.switch == switch]
        for report in reports:
            assert isinstance(report, SwitchEvent), f"{switch} of board {number} is {report.fault}"
        spoilt = False
        for contact in made[line]:
            # The computer may stop the rig for a moment, and the hands with it. A contact that bounces for longer than
            # the lock-out thereby may rightly count twice, and be in the way of the next one.
            spoilt, before = contact.last - contact.first > SETTINGS.lockout_ms, spoilt
            if spoilt or before:
                stopped += 1
                continue
            its = [report for report in reports if contact.first <= report.time + SLACK_MS < contact.next]
            assert [report.closed for report in its] == [contact.closed], f"{switch}, {number}: {contact}, {its}"
    assert stopped < PRESSES / 10, "the computer is too busy to run the rig"
    seconds = (moved[-1][1] - moved[0][0]) / 1000
    figure(
        f"{PRESSES} presses on {len(LINES)} lines in {seconds:.0f} s, each bouncing for up to {BOUNCE_MS:.0f} ms: none "
        f"lost, none invented; {len(edges)} edges made, {sum(ear.edges for ear in ears)} heard; the computer stopped "
        f"{stopped} of {2 * PRESSES} contacts half-way"
    )
