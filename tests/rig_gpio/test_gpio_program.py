"""`popout play --board gpio` as it is started on a Pi: played, stopped, killed, started twice, measured."""

from __future__ import annotations

import asyncio
import re
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from hands import Edge, Fingers, Hands, line_of
from pinboard import PI, in_time, playing, recorded, said
from program import Program, at_the_pins, popout

from popout.board.layout import Layout
from popout.board.switches import column_switch
from rig.gpio.chips import Chip
from tables import moves
from waiting import until

IDLE_S = 10.0
THIRD = line_of(PI, column_switch(3))

SHIPPED = Path(__file__).parents[2] / "hardware" / "boards" / "7x6-pi.toml"

# Another program that uses a pin.
FAN_CONTROL = """
import lgpio, pathlib, sys, time
pathlib.Path("/proc/self/comm").write_text("fan-control")
lgpio.gpio_claim_output(lgpio.gpiochip_open(int(sys.argv[1])), int(sys.argv[2]))
print("held", flush=True)
time.sleep(1000)
"""


def run_folders() -> set[Path]:
    """The folders in which lgpio has its pipes."""
    return set(Path("/run").rglob("popout-lgpio-*"))


def wait_for_moves(record: Path, moves: str) -> None:
    """Wait until the record says that these are the moves of the last game."""
    end = time.monotonic() + 20
    while (said := _moves(record)) != moves:
        assert time.monotonic() < end, said
        time.sleep(0.2)


def _moves(record: Path) -> str:
    with closing(sqlite3.connect(f"file:{record}?mode=ro", uri=True)) as database:
        rows = database.execute("select text from entry where kind = 'move' order by id").fetchall()
    return " ".join(text for (text,) in rows)


def test_it_plays_says_why_there_is_no_light_and_ends_when_told_to(tmp_path: Path, hands: Hands):
    record, before = tmp_path / "games", run_folders()
    with Program(tmp_path, record) as program:
        heard = program.hear("Press Ctrl+C here to stop.")
        assert "The lamps stay dark: SPI, which drives them on GPIO10, is switched off." in heard
        assert run_folders() != before

        fingers = Fingers(hands, PI)
        for column in (4, 4, 3):
            asyncio.run(fingers.tap(column_switch(column)))
            time.sleep(0.1)
        wait_for_moves(record, "d4 d4 d3")

        assert program.end() == 0
    assert run_folders() == before
    listed = popout("games", "--record", record)
    assert listed.returncode == 0
    assert re.search(r"Pop Out 7x6 +3 +goes on", listed.stdout)


def test_a_second_program_is_told_who_has_the_pins(tmp_path: Path):
    with Program(tmp_path, tmp_path / "games") as program:
        program.hear("Press Ctrl+C here to stop.")
        second = popout(*at_the_pins(tmp_path / "others"), environment={"COLUMNS": "1000"})

        assert second.returncode == 2
        assert second.stderr == (
            f"popout: Pin GPIO5 (column 1) is in use: popout plays on this board already, in process {program.pid}. "
            "End it with Ctrl+C where it runs.\n"
        )
        assert program.end() == 0


def test_a_pin_that_another_program_holds_is_named_and_free_when_that_one_ends(tmp_path: Path, chip: Chip):
    with subprocess.Popen(
        [sys.executable, "-c", FAN_CONTROL, str(chip.number), str(THIRD)],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        text=True,
    ) as fan:
        assert fan.stdout is not None
        assert fan.stdout.readline() == "held\n"
        refused = popout(*at_the_pins(tmp_path / "games"), environment={"COLUMNS": "1000"})
        fan.kill()
    assert refused.returncode == 2
    assert refused.stderr == (
        f"popout: Pin GPIO{THIRD} (column 3) is held by another program, known to the kernel as “lg”: stop it (of the "
        f"programs that run, these hold pins: fan-control ({fan.pid})), or give column 3 another pin in the layout "
        "7x6-pi.\n"
    )

    with Program(tmp_path, tmp_path / "games") as program:
        program.hear("Press Ctrl+C here to stop.")


def test_it_needs_no_folder_but_one_and_says_so_when_it_has_none(tmp_path: Path):
    """Field bug G7: the working folder here cannot be written anyway."""
    record = tmp_path / "games"
    refused = popout(*at_the_pins(record), environment={"TMPDIR": "/", "XDG_RUNTIME_DIR": "/", "COLUMNS": "1000"})

    assert refused.returncode == 2
    assert re.fullmatch(
        r"popout: lgpio needs a folder to write in, and none could be found: [^\n]+. "
        r"Name one in the environment variable TMPDIR.\n",
        refused.stderr,
    )


def test_killed_and_started_while_a_button_is_held_it_goes_on_and_waits_for_the_finger(
    tmp_path: Path, chip: Chip, hands: Hands
):
    """Field bug G13: what is closed at the start is stuck, which is said, and no press."""
    # Its switches have resistors of their own: here a pull of the Pi's would outweigh the finger, see test_rig.
    record, file = tmp_path / "games", tmp_path / "own.toml"
    file.write_text(SHIPPED.read_text().replace("[switches]\n", '[switches]\npull = "none"\n', 1))
    layout = Layout.load(file)
    fingers = Fingers(hands, layout)
    with Program(tmp_path, record, "--layout", file) as program:
        program.hear("Press Ctrl+C here to stop.")
        asyncio.run(fingers.tap(column_switch(4)))
        wait_for_moves(record, "d4")
        hands.do([Edge(0, THIRD, False)])
        time.sleep(0.2)
        assert program.end(signal.SIGKILL) == -signal.SIGKILL
    assert not chip.level(THIRD)

    async def second_life() -> None:
        async with playing(record, None, layout) as table:
            stuck = 'The switch "column 3" is stuck: let go of it or free it.'
            await until(lambda: stuck in said(table))
            await fingers.tap(column_switch(5))
            await until(lambda: moves(table) == "d4 d5")
            hands.do([Edge(0, THIRD, True)])
            await until(lambda: 'The switch "column 3" works again.' in said(table))
            await fingers.tap(column_switch(3))
            await until(lambda: moves(table) == "d4 d5 d3")

    in_time(second_life)
    assert [entry for entry in recorded(record) if entry.startswith("move")] == ["move d4", "move d5", "move d3"]


def test_idle_it_leaves_the_processor_alone(tmp_path: Path, figure: Callable[[str], None]):
    with Program(tmp_path, tmp_path / "games") as program:
        program.hear("Press Ctrl+C here to stop.")
        time.sleep(2)
        before = program.processor_seconds()
        time.sleep(IDLE_S)
        after = program.processor_seconds()
        assert program.end() == 0
    shares = [(end - begin) / IDLE_S for begin, end in zip(before, after, strict=True)]
    figure(
        f"idle for {IDLE_S:.0f} s, the whole program with its page takes {sum(shares):.1%} of the rig's processor: "
        f"its own thread {shares[0]:.1%}; the busiest of the others, in which lgpio polls, {max(shares[1:]):.1%}"
    )
    assert shares[0] < 0.1, "it does something although nothing happens"
