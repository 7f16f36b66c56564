"""`popout firmware info`: what it says of a board of any layout, to people and to programs."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from commanded_boards import Plug
from popout import __version__
from popout.board.serial.description import digest
from popout.cli import main
from popout.link import board_end
from serial_boards import LAYOUT, PtyBoard
from waiting import until

Run = Callable[..., tuple[int, list[str], str]]
DIGEST = digest(LAYOUT)


@pytest.fixture
def run(capfd: pytest.CaptureFixture[str]) -> Run:
    def call(*arguments: str) -> tuple[int, list[str], str]:
        code = main(["firmware", *arguments])
        said = capfd.readouterr()
        return code, said.out.splitlines(), said.err

    return call


def press(board: PtyBoard, switch: str) -> None:
    """Press a button long enough that it counts."""
    board.move(switch, True)
    bit = 1 << board.names.index(switch)
    asyncio.run(until(lambda: board.end._levels.closed & bit))


def test_a_board_that_is_well(plug: Plug, run: Run):
    board = plug()
    board.end.free_bytes = 150_000
    board.end.loop_us = 2345

    assert run("info") == (
        0,
        [
            f"The board on {board.port} is a Pico with the id E660AA.",
            f"Its firmware is version {__version__}, as this program is, and speaks protocol 1.0.",
            f"It was made for the layout “7x6-pico” (board {DIGEST}).",
            "Switches: 10. Lamps: 51.",
            "It started when it got its current, or was reset.",
            "Free memory: 150000 bytes. Longest turn of its loop: 2.3 ms. Lines that came damaged: 0.",
            "No switch is closed now.",
        ],
        "",
    )


def test_a_board_that_is_no_pico_says_what_it_is(plug: Plug, run: Run):
    board = plug(about=(__version__, "power-on", "simulated"))
    board.end.loop_us = 2345

    out = run("info")[1]

    assert out[0] == f"The board on {board.port} is no Pico but “simulated”, with the id E660AA."
    assert out[5] == "Longest turn of its loop: 2.3 ms. Lines that came damaged: 0."  # it knows of no memory


def test_its_switches_are_told_by_name(plug: Plug, run: Run):
    board = plug()
    press(board, "bar")
    press(board, "column 3")

    code, out, _ = run("info")

    assert code == 0
    assert out[6] == "Closed now: column 3, bar."


def test_a_switch_that_is_stuck_is_to_be_put_right(plug: Plug, run: Run):
    board = plug()
    board.contacts[board.names.index("column 3")] = True
    board.unplug()  # it starts with the button held
    board.plug()

    code, out, _ = run("info")

    assert code == 1
    assert out[6:] == ["Closed now: column 3.", 'The switch "column 3" is stuck: let go of it or free it.']


def test_a_switch_that_flickers_is_to_be_put_right(plug: Plug, run: Run):
    board = plug()
    board.end._levels.report(board.names.index("menu"), 4)

    code, out, _ = run("info")

    assert code == 1
    assert out[7] == (
        'The switch "menu" flickers and is ignored until it is quiet. Check its wire, and take back the moves that '
        "nobody made."
    )


def test_an_older_firmware_is_to_be_updated(plug: Plug, run: Run):
    plug(about=("0.0.9", "power-on", "pico2"))

    code, out, _ = run("info")

    assert code == 1
    assert "is a Pico 2 with the id" in out[0]
    assert out[1] == (
        f"Its firmware is version 0.0.9 and speaks protocol 1.0. This program is newer ({__version__}). Update the "
        "board: popout firmware install --layout 7x6-pico"
    )


def test_for_a_newer_firmware_this_program_is_to_be_updated(plug: Plug, run: Run):
    plug(about=("12.0.0", "power-on", "pico"))

    code, out, _ = run("info")

    assert code == 1
    assert out[1] == (
        f"Its firmware is version 12.0.0 and speaks protocol 1.0. This program is older ({__version__}): update it."
    )


def test_a_firmware_of_another_protocol_is_told_what_to_do(plug: Plug, run: Run, monkeypatch: pytest.MonkeyPatch):
    plug()
    monkeypatch.setattr(board_end, "MAJOR", 0)

    assert run("info") == (
        2,
        [],
        "popout: The board's firmware speaks protocol 0.0, this program 1.0. Update the board: popout firmware "
        "install\n",
    )


def test_a_board_that_was_started_anew_by_its_watchdog(plug: Plug, run: Run):
    plug(about=(__version__, "watchdog", "pico"))

    assert run("info")[1][4] == (
        "It started anew because its program failed or stood still. See what it wrote: popout firmware log"
    )


def test_a_reason_that_is_not_known_is_told_as_it_is(plug: Plug, run: Run):
    plug(about=(__version__, "brown-out", "pico"))

    assert run("info")[1][4] == "It started for this reason: brown-out."


def test_a_layout_that_nobody_knows(plug: Plug, run: Run):
    board = plug(layout_digest="0BADC0DE")
    press(board, "bar")

    code, out, _ = run("info")

    assert code == 1
    assert out[2] == (
        "It was made for another layout (board 0BADC0DE) than those that are known here. Name the right one by "
        "--layout, or install the firmware for yours: popout firmware install --layout LAYOUT"
    )
    assert out[6] == "Closed now: 8."


def test_a_firmware_without_a_board(plug: Plug, run: Run):
    plug(layout_digest="00000000")

    code, out, _ = run("info")

    assert code == 1
    assert out[2] == "No board is described in its firmware. Install one that has yours: popout firmware install"


def test_a_layout_that_is_named_is_compared(plug: Plug, run: Run, mine: Path):
    plug()

    code, out, _ = run("info", "--layout", str(mine))

    assert code == 1
    assert out[2] == (
        f"It was made for the layout “7x6-pico” (board {DIGEST}), not for “{mine}”. Use that layout, or install the "
        f"firmware for this one: popout firmware install --layout {mine}"
    )


def test_a_board_for_the_layout_that_is_named_is_well(plug: Plug, run: Run, mine: Path):
    plug(layout_digest=digest(LAYOUT.load(mine)))

    code, out, _ = run("info", "--layout", str(mine))

    assert code == 0
    assert out[2].startswith(f"It was made for the layout “{mine}” (board ")


def test_the_layout_of_the_settings_is_known(plug: Plug, run: Run, mine: Path):
    plug(layout_digest=digest(LAYOUT.load(mine)))
    settings = mine.parent / "settings.toml"
    settings.write_text('layout = "mine.toml"\n', "utf-8")

    code, out, _ = run("info", "--settings", str(settings))

    assert code == 0
    assert out[2].startswith(f"It was made for the layout “{mine}” (board ")


def test_a_layout_in_the_settings_that_cannot_be_read_is_no_reason_to_fail(plug: Plug, run: Run, tmp_path: Path):
    plug()
    settings = tmp_path / "settings.toml"
    settings.write_text('layout = "gone.toml"\n', "utf-8")

    assert run("info", "--settings", str(settings))[0] == 0


@pytest.mark.parametrize(
    ("layout", "sentence"),
    [
        ("7x6-pi", "The layout “7x6-pi” is for the driver “gpio”, whose pins a Pico does not have."),
        ("nothing.toml", "There is no board layout “nothing.toml”."),
    ],
)
def test_a_layout_that_is_named_must_be_one_for_a_pico(plug: Plug, run: Run, layout: str, sentence: str):
    plug()

    code, out, err = run("info", "--layout", layout)
    assert (code, out) == (2, [])
    assert err.startswith(f"popout: {sentence}")


def test_of_two_boards_one_can_be_named(plug: Plug, run: Run):
    plug(unique="E660AA")
    second = plug(unique="E660BB")

    for named in (second.port, "e660bb"):
        assert run("info", "--device", named)[1][0].endswith("id E660BB.")


def test_the_board_of_the_settings_is_asked(plug: Plug, run: Run, tmp_path: Path):
    plug(unique="E660AA")
    plug(unique="E660BB")
    settings = tmp_path / "settings.toml"
    settings.write_text('device = "E660BB"\n', "utf-8")

    assert run("info", "--settings", str(settings))[1][0].endswith("id E660BB.")


@pytest.mark.usefixtures("plug")
@pytest.mark.parametrize("command", ["info", "log"])
def test_without_a_board_there_is_nothing_to_say(run: Run, command: str):
    assert run(command) == (
        2,
        [],
        "popout: No board was found on USB. Plug in the Pico, or name its port, such as --device /dev/ttyACM0. If it "
        "has no firmware of this program yet, type: popout firmware install\n",
    )


@pytest.mark.usefixtures("plug")
@pytest.mark.parametrize("command", ["info", "log"])
def test_without_a_board_the_layout_of_the_settings_is_the_one_to_install(run: Run, mine: Path, command: str):
    settings = mine.parent / "settings.toml"
    settings.write_text('layout = "mine.toml"\n', "utf-8")

    assert run(command, "--settings", str(settings))[2].endswith(f"popout firmware install --layout {mine}\n")


@pytest.mark.usefixtures("plug")
def test_without_a_board_the_layout_that_is_named_is_the_one_to_install(run: Run):
    assert run("info", "--layout", "my board.toml")[2].endswith("popout firmware install --layout 'my board.toml'\n")


def test_a_board_that_knows_no_layout_gets_that_of_the_settings(plug: Plug, run: Run, mine: Path):
    plug(layout_digest="00000000")
    settings = mine.parent / "settings.toml"
    settings.write_text('layout = "mine.toml"\n', "utf-8")

    assert run("info", "--settings", str(settings))[1][2].endswith(f"popout firmware install --layout {mine}")


def test_for_programs(plug: Plug, run: Run):
    board = plug(about=("0.0.9", "watchdog", "pico2"))
    board.end.free_bytes = 150_000
    press(board, "bar")

    code, out, _ = run("info", "--json")

    assert code == 1
    assert json.loads("\n".join(out)) == {
        "ok": False,
        "exit": 1,
        "port": board.port,
        "id": "E660AA",
        "model": "pico2",
        "version": "0.0.9",
        "program": __version__,
        "protocol": "1.0",
        "digest": DIGEST,
        "layout": "7x6-pico",
        "switches": 10,
        "lamps": 51,
        "reset": "watchdog",
        "freeBytes": 150_000,
        "loopUs": 0,
        "badLines": 0,
        "closed": ["bar"],
        "stuck": [],
        "muted": [],
        "wanted": None,
        "problems": ["other-version"],
    }


def test_a_program_is_told_that_another_layout_was_meant(plug: Plug, run: Run, mine: Path):
    plug()

    told = json.loads("\n".join(run("info", "--json", "--layout", str(mine))[1]))

    assert (told["ok"], told["wanted"], told["layout"]) == (False, str(mine), "7x6-pico")
    assert told["problems"] == ["other-layout"]
