"""The pins of the layout, and who else has them, word for word."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from computers import EDIT, EXPANDED, HOME, TRIXIE, WIRED, codes, pi_4, pi_5, says, silent
from popout.board.processes import Process


def test_the_header_is_found_under_the_number_that_it_has(tmp_path: Path):
    """Field bug G6: it is found by its label."""
    assert says(pi_5(tmp_path).facts(), "header") == (
        "fine",
        "Kernel 6.12.47+rpt-rpi-2712 calls the header gpiochip0 (pinctrl-rp1).",
    )


def test_a_number_that_other_programs_do_not_know(tmp_path: Path):
    """Field bug G6: kernel 6.12.96 gave it another number once more."""
    made = pi_5(tmp_path)
    made.be("Raspberry Pi 5 Model B Rev 1.0", 0xD04170, "6.12.96+rpt-rpi-2712", TRIXIE)
    made.packages["adafruit-lgpio"] = "0.2.2.0"
    made.header(15, "pinctrl-rp1")

    assert codes(made.facts(), severity="problem") == []
    assert says(made.facts(), "header-renumbered") == (
        "advice",
        "Kernel 6.12.96+rpt-rpi-2712 calls the header gpiochip15 (pinctrl-rp1). popout finds it by its label; other "
        "programs may look for gpiochip4 or gpiochip0, and fail.",
    )


def test_a_pi_without_a_header(tmp_path: Path):
    made = pi_4(tmp_path)
    made.chip = None

    assert says(made.facts(), "no-header") == (
        "problem",
        "The GPIO chip of the header is not there, though this is a Raspberry Pi 4 Model B Rev 1.4. Look at what is; "
        "in a container or on another kernel there may be none.",
        "ls -l /dev/gpiochip*",
    )


def test_where_the_pins_are(tmp_path: Path):
    assert says(pi_4(tmp_path).facts(), "pins") == (
        "fine",
        "The layout “7x6-pi” uses these pins of the header: 18 (GPIO24, take back), 19 (GPIO10, lamps), 22 "
        "(GPIO25, menu), 29 (GPIO5, column 1), 31 (GPIO6, column 2), 33 (GPIO13, column 3), 35 (GPIO19, column 4), 36 "
        "(GPIO16, bar), 37 (GPIO26, column 5), 38 (GPIO20, column 7), 40 (GPIO21, column 6).",
    )


def test_a_pin_that_an_overlay_has(tmp_path: Path):
    """Field bug G15: the pin, what it is for, and the line that takes it."""
    made = pi_4(tmp_path)
    made.config("dtparam=spi=on\ndtoverlay=w1-gpio,gpiopin=24\ncore_freq_fixed=1\n")

    assert says(made.facts(), "pin-claimed") == (
        "problem",
        "GPIO24 (take back) is taken by “dtoverlay=w1-gpio,gpiopin=24” (/boot/firmware/config.txt, line 2). Give it "
        "another pin in the layout “7x6-pi”, or remove that line and restart the Pi.",
        *EDIT,
    )


def test_pins_that_a_sound_card_has(tmp_path: Path):
    """Field bug G15."""
    made = pi_4(tmp_path)
    made.config("dtparam=spi=on\ncore_freq_fixed=1\ndtoverlay=hifiberry-dac\n")

    assert says(made.facts(), "pin-claimed") == (
        "problem",
        "GPIO19 (column 4), GPIO20 (column 7), GPIO21 (column 6) are taken by “dtoverlay=hifiberry-dac” "
        "(/boot/firmware/config.txt, line 3). Give them other pins in the layout “7x6-pi”, or remove that line and "
        "restart the Pi.",
        *EDIT,
    )


@pytest.mark.parametrize(
    ("pin", "line", "taken"),
    [
        ("GPIO8", "dtparam=spi=on", True),
        ("GPIO8", "dtparam=spi=on\ndtoverlay=spi0-0cs", False),
        ("GPIO2", "dtparam=i2c_arm=on", True),
        ("GPIO14", "enable_uart=1", True),
        ("GPIO4", "dtoverlay=w1-gpio", True),
        ("GPIO4", "[pi5]\ndtoverlay=w1-gpio", False),
        ("GPIO3", "dtoverlay=gpio-shutdown", True),
        ("GPIO12", "dtoverlay=gpio-fan", True),
        ("GPIO12", "#dtoverlay=gpio-fan", False),
    ],
)
def test_a_switch_on_a_pin_of_the_kernel(tmp_path: Path, pin: str, line: str, taken: bool):
    """Field bug G15."""
    made = pi_4(tmp_path)
    made.config(line)
    layout = replace(WIRED, chain=None, switches={**WIRED.switches, "menu": pin})

    assert silent(made.facts(), "pin-claimed", layout) is not taken


def test_the_bus_that_lights_the_lamps_is_no_clash(tmp_path: Path):
    assert silent(pi_4(tmp_path).facts(), "pin-claimed")


def test_a_pin_that_another_program_holds(tmp_path: Path):
    """Field bug G8: the pin and the other program are named."""
    made = pi_4(tmp_path)
    made.lines = {13: "lg"}
    facts = made.facts()
    facts = replace(facts, header=replace(facts.header, holders=(Process(812, "fan-control"),)))

    assert says(facts, "pin-held") == (
        "problem",
        "GPIO13 (column 3) is held by another program, “lg”: 812 “fan-control”. Stop that program, or give it another "
        "pin in the layout “7x6-pi”.",
        "ps -o pid,user,args -p 812",
    )


def test_pins_that_somebody_unseen_holds(tmp_path: Path):
    """Field bug G8."""
    made = pi_4(tmp_path)
    made.lines = {5: "", 6: ""}

    assert says(made.facts(), "pin-held") == (
        "problem",
        "GPIO5 (column 1), GPIO6 (column 2) are held by “?”, a driver of the kernel or a program of another user. Stop "
        "that, or give them other pins in the layout “7x6-pi”. Root sees which program it is.",
        f"sudo {HOME}/bin/popout doctor",
    )


def test_a_pin_that_a_driver_of_the_kernel_holds_is_not_blamed_on_a_program(tmp_path: Path):
    made = pi_4(tmp_path)
    made.config("dtparam=spi=on\ndtoverlay=gpio-shutdown,gpio_pin=25\n")
    made.lines = {25: "shutdown"}
    facts = made.facts()
    facts = replace(facts, header=replace(facts.header, holders=(Process(812, "fan-control"),)))

    assert says(facts, "pin-held")[1].startswith("GPIO25 (menu) is held by “shutdown”, a driver of the kernel")


def test_a_pin_that_the_layout_does_not_use_may_be_held(tmp_path: Path):
    made = pi_4(tmp_path)
    made.lines = {17: "lg"}

    assert silent(made.facts(), "pin-held")


def test_a_game_on_the_simulator_holds_no_pins(tmp_path: Path):
    made = pi_4(tmp_path)
    made.lines = {5: "lg"}
    made.running = [900]

    assert not silent(made.facts(), "pin-held")


def test_popout_s_own_game_is_no_other_program(tmp_path: Path):
    made = pi_4(tmp_path)
    made.lines = {5: "lg", 6: "lg"}
    made.running = [900]
    facts = made.facts()
    facts = replace(facts, header=replace(facts.header, holders=(Process(900, "popout"),)))

    assert silent(facts, "pin-held")
    assert says(facts, "pins-of-popout") == (
        "fine",
        "popout has the pins right now (process 900). Before it is started once more, end it with Ctrl+C "
        "where it runs.",
        f"{HOME}/bin/popout status",
    )


@pytest.mark.parametrize(
    ("file", "content"), [("comm", "popout\n"), ("cmdline", "/usr/bin/python3\0-m\0popout\0doctor\0--hands\0")]
)
def test_a_test_of_the_wiring_beside_this_one_is_told_as_that(tmp_path: Path, file: str, content: str):
    """Field bug G8: it tells of itself in no file, and is known by its name."""
    made = pi_4(tmp_path)
    made.lines = {5: "lg"}
    made.write("proc/900/comm", "python3\n")
    made.write(f"proc/900/{file}", content)
    made.hold(900)

    assert says(made.facts(), "pins-of-popout")[0] == "fine"
    assert silent(made.facts(), "pin-held")


def test_the_service_is_named_with_the_way_to_stop_it(tmp_path: Path):
    """Field bug G8."""
    made = pi_4(tmp_path)
    made.lines = {5: "lg"}
    made.write("proc/900/comm", "popout\n")
    made.write("proc/900/cgroup", "0::/system.slice/popout.service\n")
    made.hold(900)

    assert says(made.facts(), "pins-of-popout") == (
        "fine",
        "popout has the pins right now, as the service of the system. Before it is started by hand, stop the service: "
        "type this.",
        "sudo systemctl stop popout",
    )


def test_expanders_without_their_bus(tmp_path: Path):
    assert says(pi_4(tmp_path).facts(), "i2c-off", EXPANDED) == (
        "problem",
        "The layout “7x6-pi” has expanders on I2C, which is switched off.",
        "sudo raspi-config nonint do_i2c 0",
        "sudo reboot",
    )


def test_a_bus_that_is_switched_on_and_not_there(tmp_path: Path):
    made = pi_4(tmp_path)
    made.config("dtparam=spi=on\ndtparam=i2c_arm=on\n")

    assert says(made.facts(), "i2c-not-there", EXPANDED) == (
        "problem",
        "The layout “7x6-pi” has expanders on I2C. It is switched on in /boot/firmware/config.txt, but /dev/i2c-1 is "
        "not there: its module is not loaded, or the Pi was not restarted.",
        "sudo modprobe i2c-dev",
        "sudo reboot",
    )


def test_switches_without_any_resistor(tmp_path: Path):
    assert says(pi_4(tmp_path).facts(), "no-pull", replace(WIRED, pull="none")) == (
        "advice",
        'With pull = "none" each switch of the layout “7x6-pi” needs a resistor of its own, such as 10 kΩ. Without '
        "one its pin floats, and presses by itself.",
    )


def test_a_wide_board_has_long_wires(tmp_path: Path):
    """Field bug G11: long wires press when a lamp changes."""
    assert says(pi_4(tmp_path).facts(), "long-wires", replace(WIRED, columns=9)) == (
        "advice",
        "Wires to 9 columns are long, and may press when lamps change. Give each switch 10 kΩ to 3.3 V and 100 nF to "
        "ground at the Pi, and lead its wire away from those of the lamps.",
    )
    assert silent(pi_4(tmp_path).facts(), "long-wires")
    high = replace(WIRED, columns=9, pull="down", closed="high")
    assert "10 kΩ to GND and" in says(pi_4(tmp_path).facts(), "long-wires", high)[1]
