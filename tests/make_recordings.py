"""Make the recordings in `tests/data/recordings`: what hands did to the switches of the twin, and the games meant.

    python tests/make_recordings.py

Each game is written down here by hand as the people at the board meant it, so that it is no copy of what the
controller makes of the recording. The same program makes the same bytes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from popout.board.switches import SwitchEvent, column_switch
from popout.rules import Game, RuleSet, parse_move, write_record
from popout_sim import faults
from popout_sim.contacts import LIGHT, WORN, Contact, Contacts
from popout_sim.hands import perform, recording

FOLDER = Path(__file__).parent / "data" / "recordings"


@dataclass(frozen=True)
class Session:
    """People at a board: what they did, and the last game that they meant to play."""

    rules: str
    edges: Sequence[SwitchEvent]
    moves: str
    end: Literal["", "draw"] = ""
    ended_rules: str = ""
    actuation: Literal["button", "disc"] = "button"
    closed: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The recording."""
        rules = RuleSet.parse(self.rules)
        return recording(
            self.edges,
            columns=rules.columns,
            rows=rules.rows,
            rules=self.rules,
            actuation=self.actuation,
            closed=self.closed,
        )

    @property
    def record(self) -> str:
        """The game that was meant, as a record."""
        game = Game.start(RuleSet.parse(self.ended_rules or self.rules))
        for word in self.moves.split():
            game = game.play(parse_move(word))
        return write_record(game.agree_draw() if self.end else game)


def sessions() -> dict[str, Session]:
    """Every recording by its name."""
    return {
        "full-game": Session(
            "popout 7x6 connect=4",
            perform(
                [
                    "tap 4",
                    "tap 4",
                    "tap 3",
                    "tap 2 and 3",  # a slip: two buttons
                    "tap 5",
                    "tap 3",
                    "open bar",
                    "tap 4",  # refused: yellow may not pop red's disc
                    "close bar",
                    "tap 1",
                    "hold 6 for 1700",  # yellow takes the move back
                    "tap 3",
                    "tap 3 and open bar",  # a slip: the bar moves under the finger
                    "tap 4",  # red pops
                    "close bar",
                    "hold 1 and 7 for 900",  # too short for the menu
                    "tap 2",
                    "tap 2",
                    "tap 5",
                    "tap 1",
                    "tap 6",
                    "tap 6",
                    "tap 7",  # yellow wins in the bottom row
                ],
                seed=11,
            ),
            "d4 d4 d3 d5 d3 d3 p4 d2 d2 d5 d1 d6 d6 d7",
        ),
        "original-in-a-hurry": Session(
            "standard 7x6 connect=4",
            in_a_hurry([4, 4, 3, 3, 5, 5, 2], seed=12),
            "d4 d4 d3 d3 d5 d5 d2",
        ),
        "bar-left-open": Session(
            "popout 7x6 connect=4",
            perform(
                [
                    *("tap 4", "tap 4", "tap 3", "tap 5", "open bar"),
                    *("tap 4", "tap 6", "tap 5", "tap 3", "close bar", "tap 6"),  # nothing to pop in column 6
                ],
                seed=13,
            ),
            "d4 d4 d3 d5 p4 p5 p3 d6",
        ),
        "menu-other-rules": Session(
            "popout 7x6 connect=4",
            perform(
                [
                    *("tap 4", "tap 5", "hold 1 and 7 for 1800", "tap 3", "tap 1"),  # the original
                    *("tap 1", "open bar", "tap 1", "close bar", "tap 2"),
                    *("tap menu", "tap 7", "tap 1", "tap 3", "tap menu", "wait 21000", "tap 4"),
                ],
                seed=14,
            ),
            "d1 d2 d3 d4",
            ended_rules="standard 7x6 connect=4",
        ),
        "menu-agreed-draw": Session(
            "popout 5x4 connect=4",
            perform(
                [
                    *("tap 3", "tap 3", "hold 1 and 5 for 1600", "tap 5", "tap 4"),  # agreed
                    *("tap 1", "hold 2 for 1700", "tap 1"),  # taken back
                    *("hold 1 and 5 for 1600", "tap 5", "tap 4"),
                ],
                seed=15,
            ),
            "d3 d3 d1",
            end="draw",
        ),
        "slow-presses": Session(
            "popout 7x6 connect=4",
            perform(
                ["hold 4 for 1100", "hold 4 for 1450", "hold 3 for 700", "open bar", "hold 4 for 900", "close bar"],
                seed=16,
            ),
            "d4 d4 d3",
        ),
        "worn-contacts": Session(
            "popout 7x6 connect=4",
            perform(
                [
                    "tap 1",
                    "tap 7",
                    "tap 1",
                    "tap 7",
                    "open bar",
                    "tap 1",
                    "tap 7",
                    "close bar",
                    "tap 1",
                    "hold 2 for 1600",
                    "tap 4",
                    "tap 4",
                ],
                seed=17,
                contact=WORN,
            ),
            "d1 d7 d1 d7 p1 p7 d4 d4",
        ),
        "chattering-button": Session(
            "popout 7x6 connect=4",
            [
                *perform(["tap 4", "tap 4"], seed=18),
                *loose_wire("column 2", 6000, 3000),
                *perform(["tap 5", "tap 5"], seed=19, start=6500),
                *perform(["tap 2", "tap 6"], seed=20, start=16_000),
            ],
            "d4 d4 d5 d5 d2 d6",
        ),
        "levers": Session(
            "popout 7x6 connect=4",
            [
                *perform(["tap 4"], seed=21, contact=Contact()),
                *faults.double_edge(4, 3000),
                *faults.half_inserted(5, 5000),
                *perform(["tap take back", "tap 5", "open bar", "tap 4", "close bar"], seed=22, start=6000),
                *faults.two_columns(1, 7, 14_000),  # two discs at once are two moves
            ],
            "d4 d4 d5 d1 d7",
            actuation="disc",
        ),
        "noise-and-a-stuck-button": Session(
            "popout 7x6 connect=4",
            [
                *faults.held_across_start("column 3", 2500),
                *perform(["tap 4"], seed=23),
                *(edge for number in range(8) for edge in faults.pulse("column 5", 3000 + 90 * number, 1.4)),
                *perform(["tap 3", "tap 2"], seed=24, start=4000),
                *faults.lost_edge(faults.pulse("column 6", 9000, 100), 0),
                *perform(["tap 6", "tap 1"], seed=25, start=9500),
            ],
            "d4 d3 d2 d6 d1",
            closed=("column 3",),
        ),
    }


def in_a_hurry(columns: Sequence[int], *, seed: int) -> list[SwitchEvent]:
    """Two people who do not wait for each other: a tap every 170 ms."""
    contacts = Contacts(LIGHT, seed)
    return [
        edge
        for number, column in enumerate(columns)
        for edge in contacts.press(column_switch(column), 500.0 + 170 * number, 60.0 + 10 * (number % 5))
    ]


def loose_wire(switch: str, start: float, span: float) -> list[SwitchEvent]:
    """A contact that closes for a moment too short to be a press, all the time."""
    return [edge for time in range(int(start), int(start + span), 12) for edge in faults.pulse(switch, time, 1.2)]


def files() -> dict[Path, str]:
    """What has to be in each file."""
    made: dict[Path, str] = {}
    for name, session in sessions().items():
        made[FOLDER / f"{name}.jsonl"] = session.text
        made[FOLDER / f"{name}.txt"] = session.record
    return made


if __name__ == "__main__":
    FOLDER.mkdir(parents=True, exist_ok=True)
    for file, text in files().items():
        file.write_text(text, "utf-8", newline="\n")
        print(file.relative_to(FOLDER.parent.parent.parent))
