"""What goes wrong with switches and hands, as raw edges: each fault is one small function.

Times are in milliseconds and ascend. The edges go to `SimulatedBoard.inject`, into a recording, or straight to
a debouncer.
Faults that move discs are acts of the twin (`popout_sim.twin.Twin.act`).
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from popout.board.switches import BAR, SwitchEvent, column_switch
from popout_sim.contacts import Contact, Contacts


def bounce_on_press(switch: str, at: float, *, length: float = 120, seed: int = 0) -> list[SwitchEvent]:
    """A press whose closing bounces for 15 ms and whose opening is clean."""
    return Contacts(Contact(press_bounces=6, press_span_ms=15), seed).press(switch, at, length)


def bounce_on_release(switch: str, at: float, *, length: float = 120, seed: int = 0) -> list[SwitchEvent]:
    """A press whose closing is clean and whose opening bounces for 15 ms."""
    return Contacts(Contact(release_bounces=6, release_span_ms=15), seed).press(switch, at, length)


def pulse(switch: str, at: float, length: float) -> list[SwitchEvent]:
    """One clean pulse: noise if it is short, a quick tap if it is not."""
    return Contacts().press(switch, at, length)


def two_columns(first: int, second: int, at: float, *, apart: float = 20, length: float = 120) -> list[SwitchEvent]:
    """Two columns pressed `apart` milliseconds after each other and let go in the same order."""
    presses = [
        *Contacts().press(column_switch(first), at, length),
        *Contacts().press(column_switch(second), at + apart, length),
    ]
    return sorted(presses, key=lambda edge: edge.time)


def double_edge(column: int, at: float) -> list[SwitchEvent]:
    """One disc that wobbles past its lever and trips it a second time 60 ms after the first."""
    lever = column_switch(column)
    return [*pulse(lever, at, 40), *pulse(lever, at + 60, 30)]


def half_inserted(column: int, at: float, *, length: float = 400) -> list[SwitchEvent]:
    """A disc put half into its slot, which holds the lever down, and pulled back: no disc falls."""
    return pulse(column_switch(column), at, length)


def held_across_start(switch: str, until: float) -> list[SwitchEvent]:
    """A button that was down before anybody listened, so that only its opening is seen.

    Its level at the start must be said too: `SimulatedBoard.levels`, or `closed` of a recording.
    """
    return [SwitchEvent(switch, False, until)]


def stuck(switch: str, at: float) -> list[SwitchEvent]:
    """A button that goes down and never comes back."""
    return [SwitchEvent(switch, True, at)]


def chattering(
    switch: str, at: float, *, span: float = 2000, edges_a_second: int = 120, seed: int = 0
) -> list[SwitchEvent]:
    """A loose contact that closes and opens all the time, about evenly, and ends open."""
    chance = random.Random(seed)
    pairs = round(span * edges_a_second / 2000)
    slot = span / (2 * pairs)
    return [
        SwitchEvent(switch, number % 2 == 0, at + slot * (number + chance.uniform(0, 0.9)))
        for number in range(2 * pairs)
    ]


def half_open_bar(at: float, *, opened: bool, seed: int = 0) -> list[SwitchEvent]:
    """A bar left at its contact's threshold: it flutters for half a second, then settles as `opened` says."""
    flutter = chattering(BAR, at, span=500, edges_a_second=24, seed=seed)
    return [*flutter, SwitchEvent(BAR, True, at + 500)] if opened else flutter


def lost_edge(edges: Sequence[SwitchEvent], index: int) -> list[SwitchEvent]:
    """The same edges, of which the one at `index` was never reported; for recordings and debouncers.

    On a board, `SimulatedBoard.lose_edge` does the same and keeps the switch's true level, too.
    """
    return [*edges[:index], *edges[index + 1 :]]
