"""The firmware of the board, as a whole, on MicroPython's unix port: what its host hears, and what keeps it safe."""

from __future__ import annotations

from pathlib import Path

import pytest

from firmware_boards import BAR, DARK, LAMPS, OPEN, PINS, TOLD, Start, board_of, closed, grb
from firmware_on_unix import POWER_ON, RESTART, WATCHDOG, Firmware, flash
from popout import __version__
from popout.board.serial.ports import PRODUCT
from popout.firmware.image import ADDRESS, with_description
from popout.firmware.uf2 import FLASH, Image
from popout.link.debounce import HEALED, PRESSED, RELEASED
from popout.link.pictures import chunks

# Greeting


def test_the_hello_says_what_the_board_is(start: Start):
    board = start()
    assert board.hello() == [
        "1.0", __version__, "e6613852830012ab", TOLD["digest"], f"{len(PINS):X}", f"{LAMPS:X}", "power-on", "pico"
    ]  # fmt: skip


def test_the_sector_that_the_image_gets_is_the_one_that_the_program_reads(tmp_path: Path):
    base = Image.of("pico", PRODUCT.encode())
    assert base.sectors.keys() == {FLASH}
    sector = with_description(base, TOLD, "base.uf2").sectors[ADDRESS]
    assert sector == flash(TOLD)
    with Firmware(tmp_path, sector) as board:
        assert board.hello()[3] == TOLD["digest"]


def test_a_host_of_another_protocol_is_told_which_one_is_spoken(start: Start):
    board = start()
    assert board.ask("h", "2.0") == ("R", "protocol:1.0")
    assert board.ask("p") == ("R", "hello-first:")


def test_a_kind_that_is_not_known_is_refused_by_name(start: Start):
    board = start()
    board.hello()
    assert board.ask("z", "anything") == ("R", "unknown-kind:z")
    assert board.ask("p")[0] == "P"


def test_the_board_says_how_it_is(start: Start):
    board = start()
    board.hello()
    board.write(b"some noise\n")
    board.pass_time(20)
    at, free, _, bad = (int(field, 16) for field in board.ask("p")[1].split(":"))
    assert at >= 20
    assert free > 100_000
    assert bad == 1


@pytest.mark.parametrize("sector", [b"\xff" * 4096, flash(TOLD)[:100] + b"?" + flash(TOLD)[101:]])
def test_without_a_description_the_board_still_talks_and_takes_another_firmware(tmp_path: Path, sector: bytes):
    with Firmware(tmp_path, sector) as board:
        assert board.hello()[3:6] == ["00000000", "0", "0"]
        assert board.log() == ["started: power-on", "no board is described in the firmware"]
        board.ask("b")
        board.wait_for("boot loader")


def test_a_description_for_another_firmware_is_said_and_not_used(start: Start):
    board = start({**TOLD, "lamps": {"pin": 16}})
    assert board.hello()[3:6] == ["00000000", "0", "0"]
    assert "the description of the board is not understood" in board.log()[1]


# Switches


def test_a_press_is_an_event_with_the_time_of_its_edge_and_the_level_of_all_switches(start: Start):
    board = start(clock_ms=1000)
    board.hello()
    board.pass_time(10)
    board.put(PINS[3], 0)
    board.pass_time(5)
    board.put(PINS[3], 1)
    board.pass_time(100)
    pressed, released = (event.split(":") for event in board.events())
    assert pressed[1:] == ["3", f"{PRESSED:X}", "8"]
    assert released[1:] == ["3", f"{RELEASED:X}", "0"]
    # The clock of the board begins with the board.
    assert int(pressed[0], 16) == 10
    assert int(released[0], 16) == 15


def test_a_bounce_is_no_press(start: Start):
    board = start()
    board.hello()
    board.put(PINS[0], 0)
    board.pass_time(1)
    board.put(PINS[0], 1)
    board.pass_time(100)
    assert board.events() == []


def test_switches_that_are_closed_by_a_high_level_are_read_so(start: Start):
    switch = {"name": "column 1", "pin": 7, "closed": 1, "rests": False, "disc": False}
    board = start(board_of(switches=[switch], pull="down"), levels=0)
    board.hello()
    board.put(7, 1)
    board.pass_time(5)
    assert [event.split(":")[1:] for event in board.events()] == [["0", f"{PRESSED:X}", "1"]]


def test_a_switch_that_is_closed_at_the_start_is_stuck_until_it_opens(start: Start):
    lever = {"name": "sensor", "pin": 2, "closed": 0, "rests": False, "disc": True}
    board = start(board_of(switches=[lever]), levels=OPEN & ~(1 << 2))
    board.hello()
    assert board.ask("s")[1].split(":")[2:] == ["1", "1", "0"]
    board.put(2, 1)
    board.pass_time(300)
    assert [event.split(":")[2] for event in board.events()] == [f"{HEALED:X}"]


def test_the_bar_rests_where_it_was_put_and_is_no_stuck_button(start: Start):
    board = start(levels=closed(BAR))
    board.hello()
    assert board.ask("s")[1].split(":")[2:] == [f"{1 << BAR:X}", "0", "0"]


def test_an_event_is_said_again_until_it_is_acknowledged(start: Start):
    board = start()
    board.hello()
    board.put(PINS[0], 0)
    board.pass_time(150)
    board.pass_time(150)
    said = [frame for frame in board.frames if frame[0] == "E"]
    assert len(said) >= 2
    assert len(set(said)) == 1
    board.events()
    board.ask("p")
    board.frames.clear()
    board.pass_time(500)
    assert board.events() == []


# Safety


def test_a_board_that_hears_nothing_goes_dark_within_a_second_and_a_half(start: Start):
    board = start()
    board.hello()
    board.pass_time(5)
    board.show(*chunks(1, [0x010101] * LAMPS))
    board.pass_time(1400)
    assert board.wire[-1] == grb(*[0x010101] * LAMPS)
    board.pass_time(110)
    assert board.wire[-1] == DARK
    assert board.ask("p") == ("R", "hello-first:")
    board.hello()
    assert board.log() == ["started: power-on", "the host fell silent"]


def test_a_host_that_says_goodbye_leaves_the_board_dark_at_once(start: Start):
    board = start()
    board.hello()
    board.pass_time(5)
    board.show(*chunks(1, [0x010101] * LAMPS))
    board.pass_time(5)
    assert board.ask("x") == ("A", "")
    board.pass_time(5)
    assert board.wire[-1] == DARK


def test_the_byte_that_stops_a_program_at_the_prompt_does_nothing_here(start: Start):
    board = start()
    board.write(b"\x03\x03\x04\x01\n")
    assert board.hello()


def test_a_program_that_goes_on_is_not_started_anew_by_its_watchdog(start: Start):
    board = start()
    board.hello()
    for _ in range(10):
        board.pass_time(1000)
        assert board.ask("p")[0] == "P"


def test_a_program_that_fails_is_dark_and_the_watchdog_starts_it_anew_with_a_note_in_its_log(
    start: Start, tmp_path: Path
):
    board = start()
    board.hello()
    board.pass_time(5)
    board.show(*chunks(1, [0x010101] * LAMPS))
    board.pass_time(5)
    board.tell("fail")
    board.wait_for("watchdog")
    assert board.wire[-1] == DARK
    assert board.fails() == ""
    note = (tmp_path / "failure.txt").read_text()
    assert note.startswith("Traceback")
    assert note.endswith("RuntimeError: the pins have gone\n")
    again = start(reset=WATCHDOG)
    assert again.hello()[6] == "watchdog"
    log = again.log()
    assert log[0] == "started: watchdog"
    assert log[-1] == "the program failed: RuntimeError: the pins have gone"


@pytest.mark.parametrize("reset", [POWER_ON, RESTART])
def test_what_failed_before_the_board_was_without_current_or_got_a_firmware_is_forgotten(
    start: Start, tmp_path: Path, reset: str
):
    (tmp_path / "failure.txt").write_text("Traceback\nRuntimeError: once\n")
    board = start(reset=reset)
    assert board.hello()[6] == reset
    assert board.log() == [f"started: {reset}"]
    assert not (tmp_path / "failure.txt").exists()


# What the host wishes of the program


def test_at_the_prompt_the_board_is_dark_and_no_watchdog_runs(start: Start):
    board = start()
    board.hello()
    board.pass_time(5)
    board.show(*chunks(1, [0x010101] * LAMPS))
    board.pass_time(5)
    assert board.ask("q") == ("A", "")
    assert board.wait_for("prompt") == "prompt, no watchdog"
    assert board.wire[-1] == DARK


def test_on_its_way_to_the_boot_loader_the_board_answers_and_goes_dark(start: Start):
    board = start()
    board.hello()
    board.pass_time(5)
    board.show(*chunks(1, [0x010101] * LAMPS))
    board.pass_time(5)
    assert board.ask("b") == ("A", "")
    board.wait_for("boot loader")
    assert board.wire[-1] == DARK
