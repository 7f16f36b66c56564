"""What the test of the wiring means for one switch alone: noise on its wire, and how its contact is. Pure."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from popout.board.contacts import crossing
from popout.board.layout import Layout
from popout.board.switches import BAR, numbered
from popout.doctor.asking import Flutter
from popout.doctor.finding import Finding, Severity
from popout.doctor.observations import Trial
from popout.doctor.switch_steps import floats
from popout.link.debounce import BUTTON_LOCKOUT_MS, DISC_LOCKOUT_MS, GLITCH_MS, MOST_LOCKOUT_MS
from popout.rules.messages import Message


@dataclass(frozen=True, slots=True)
class Times:
    """The times of debouncing that this board is played with, in milliseconds; they are settings by these names."""

    glitch_ms: float = GLITCH_MS
    lockout_ms: float = BUTTON_LOCKOUT_MS
    disc_lockout_ms: float = DISC_LOCKOUT_MS


def pin_of(layout: Layout, switch: str) -> str:
    """The pin that the layout names for a switch, as it can stand in a sentence."""
    return layout.switches[switch] or "?"


def by_itself(layout: Layout, switch: str, flutter: Flutter, times: Times) -> Finding:
    """A switch changed while nobody touched it."""
    pin, longest = pin_of(layout, switch), math.ceil(flutter.longest_ms)
    if not floats(flutter):
        severity: Severity = "problem" if flutter.longest_ms >= times.glitch_ms else "advice"
        return _found(
            severity,
            "switch-noise",
            Message(
                "“{switch}” ({pin}) caught noise of {longest} ms while nobody touched it; what lasts {limit} ms counts "
                "as a press. Shorten its wire or lead it away from others, put a resistor of 4.7 kΩ from the pin to "
                "the level it rests at and 100 nF to ground, or set a longer glitch_ms.",
                switch=switch,
                pin=pin,
                longest=longest,
                limit=f"{times.glitch_ms:g}",
            ),
        )
    if crossing(pin):
        text = Message(
            "“{switch}” ({pin}) flutters by itself, {count} changes in a moment. Look for a loose wire of its row and "
            "of its column in the matrix.",
            switch=switch,
            pin=pin,
            count=flutter.changes,
        )
    elif layout.pull == "none":
        text = Message(
            "“{switch}” ({pin}) flutters by itself, {count} changes in a moment: no resistor holds its level. Wire one "
            'of 10 kΩ from the pin to the level it rests at, or use the controller\'s own: pull = "up" for switches '
            'to ground, pull = "down" for switches to 3.3 V.',
            switch=switch,
            pin=pin,
            count=flutter.changes,
        )
    else:
        text = Message(
            "“{switch}” ({pin}) flutters by itself, {count} changes in a moment: something on its wire holds no level. "
            "Look for a loose contact, for a sensor without supply, and for a long wire beside those of the lamps; a "
            "resistor of 4.7 kΩ from the pin to the level it rests at helps.",
            switch=switch,
            pin=pin,
            count=flutter.changes,
        )
    return _found("problem", "switch-floats", text)


def contact(layout: Layout, switch: str, trial: Trial, times: Times) -> Iterator[Finding]:
    """What is wrong with the contact itself of a switch that was tried."""
    if trial.stays:
        yield _found(
            "problem",
            "switch-jams",
            Message("“{switch}” did not come back after it was let go. Free it.", switch=switch),
        )
    if trial.chatters:
        yield _found(
            "problem",
            "switch-chatters",
            Message(
                "“{switch}” chatters: more than 50 changes in a second. Look for a loose contact, or replace the "
                "switch.",
                switch=switch,
            ),
        )
        return
    by_disc = _is_moved_by_a_disc(layout, switch)
    setting = "disc_lockout_ms" if by_disc else "lockout_ms"
    lockout = times.disc_lockout_ms if by_disc else times.lockout_ms
    if trial.bounce_ms >= lockout and switch != BAR:  # a bar is moved slowly, and flutters on its way
        longer = min(MOST_LOCKOUT_MS, math.ceil(trial.bounce_ms * 1.5 / 10) * 10)
        yield _found(
            "problem",
            "switch-bounces",
            Message(
                "“{switch}” bounces for {bounce} ms, longer than it is ignored after a change ({lockout} ms), so one "
                "press can count twice. Write {setting} = {longer} in the settings, or replace the switch.",
                switch=switch,
                bounce=math.ceil(trial.bounce_ms),
                lockout=f"{lockout:g}",
                setting=setting,
                longer=longer,
            ),
        )


def _is_moved_by_a_disc(layout: Layout, switch: str) -> bool:
    kind, _ = numbered(switch) or ("", 0)
    return kind in ("drop sensor", "pop sensor") or (bool(kind) and layout.actuation == "disc")


def _found(severity: Severity, code: str, text: Message) -> Finding:
    return Finding(severity, code, text, area="pins")
