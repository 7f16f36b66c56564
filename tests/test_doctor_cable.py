"""Boards on a cable, word for word."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from computers import PICO, POPOUT, codes, device, laptop, says, silent
from popout.board.layout import Layout
from popout.board.processes import Process
from popout.doctor.facts import Named
from popout.doctor.findings import likely_board
from popout.doctor.system import UsbPort


def test_a_pico_on_a_laptop(tmp_path: Path):
    made = laptop(tmp_path)
    made.ports = [PICO]
    made.write("dev/ttyACM0")

    assert codes(made.facts(), None, severity="problem") == []
    assert says(made.facts(), "pico", None) == (
        "fine",
        "A Pico is on /dev/ttyACM0 (Pop Out board).",
        f"{POPOUT} play --board serial",
    )


def test_a_pico_that_may_not_be_opened(tmp_path: Path):
    """Field bug S4: the group and the file are named."""
    made = laptop(tmp_path)
    made.enrol()
    made.group_ids = [1000]
    made.ports = [PICO]
    facts = made.facts()
    port = replace(facts.ports[0], device=device("/dev/ttyACM0", "dialout"))

    assert says(replace(facts, ports=(port,)), "group-missing", None) == (
        "problem",
        "You may not use /dev/ttyACM0, since you are not in the group dialout. Type this, then log out and in again.",
        "sudo usermod -aG dialout ann",
    )


def test_a_port_of_root(tmp_path: Path):
    """Field bug S4."""
    made = laptop(tmp_path)
    made.ports = [PICO]
    facts = made.facts()
    port = replace(facts.ports[0], device=device("/dev/ttyACM0", "root"))

    assert says(replace(facts, ports=(port,)), "device-of-root", None) == (
        "problem",
        "/dev/ttyACM0 may be opened by root only. Its owner can allow it.",
    )


def test_a_port_that_another_program_has_open(tmp_path: Path):
    """Field bug S2: the owner is named."""
    made = laptop(tmp_path)
    made.ports = [PICO]
    facts = made.facts()
    port = replace(facts.ports[0], openers=(Process(77, "thonny"),))

    assert says(replace(facts, ports=(port,)), "port-held", None) == (
        "problem",
        "/dev/ttyACM0 is open in another program: 77 “thonny”. Stop that program; one at a time can speak with the "
        "board.",
        "ps -o pid,user,args -p 77",
    )


def test_a_port_with_something_else_on_it(tmp_path: Path):
    """Field bug S3: a board is told by its numbers, whatever its port is called."""
    made = laptop(tmp_path)
    made.ports = [UsbPort("/dev/ttyUSB0", 0x1A86, 0x7523, "")]

    assert says(made.facts(), "other-ports", None) == ("fine", "No Pico is on these serial ports: /dev/ttyUSB0 (USB).")
    assert likely_board(made.facts()) == "sim"


def test_what_calls_itself_nothing_as_on_windows_may_be_a_board_if_it_speaks_as_one(tmp_path: Path):
    made = laptop(tmp_path)
    made.ports = [PICO._replace(title="")]

    assert likely_board(made.facts()) == "serial"
    assert says(made.facts(), "pico", None)[1] == "A Pico is on /dev/ttyACM0 (USB)."

    made.ports = [PICO._replace(title="", product=0x000A)]  # with a program of somebody else
    assert likely_board(made.facts()) == "sim"
    assert says(made.facts(), "pico-without-firmware", None)[1] == (
        "A Pico is on /dev/ttyACM0 (USB), without the firmware of this program. Install it."
    )


def test_no_board_where_one_is_wanted(tmp_path: Path):
    assert says(laptop(tmp_path).facts(), "no-pico", None, "serial") == (
        "problem",
        "No board is seen on a USB cable. Plug it in, with a cable that has wires for data and is not for charging "
        "only. A Pico that shows itself as a drive has no firmware of this program yet: install it.",
        "lsusb",
        f"{POPOUT} firmware install",
    )


def test_the_layout_that_was_named_is_the_one_to_install(tmp_path: Path):
    """Also where the layout is that of settings that are not the usual ones."""
    made = laptop(tmp_path)
    given = Named("own.toml", "serial", "my board.toml")
    install = f"{POPOUT} firmware install --settings own.toml --layout 'my board.toml'"

    assert says(replace(made.facts(), named=given), "no-pico", None, "serial")[-1] == install
    made.ports = [PICO._replace(title="Board in FS mode")]
    assert says(replace(made.facts(), named=given), "pico-without-firmware", None, "serial")[-1] == install


def test_a_layout_for_another_board_is_not_installed_on_a_pico(tmp_path: Path):
    made = laptop(tmp_path)
    made.ports = [PICO._replace(title="Board in FS mode")]
    facts = replace(made.facts(), named=Named("", "sim", "7x6-pi"))

    assert says(facts, "pico-without-firmware", None, "sim")[-1] == f"{POPOUT} firmware install --layout 7x6-pico"


def test_that_there_is_no_board_is_told_where_none_was_named(tmp_path: Path):
    facts = laptop(tmp_path).facts()

    assert says(facts, "no-port", None) == (
        "fine",
        "No board is seen on a USB cable. If there should be one, type this.",
        f"{POPOUT} doctor --board serial",
    )
    assert silent(replace(facts, named=Named(board="sim")), "no-port")


def test_a_pico_with_the_firmware_of_others(tmp_path: Path):
    made = laptop(tmp_path)
    made.ports = [PICO._replace(title="Board in FS mode")]
    told = (
        "A Pico is on /dev/ttyACM0 (Board in FS mode), without the firmware of this program. Install it.",
        f"{POPOUT} firmware install",
    )

    assert says(made.facts(), "pico-without-firmware", None) == ("advice", *told)
    assert says(made.facts(), "pico-without-firmware", Layout.load("7x6-pico")) == ("problem", *told)
    assert silent(made.facts(), "pico", None)
