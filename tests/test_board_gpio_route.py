"""Which way the lamps' data takes, and what is said of it."""

from dataclasses import replace

import msgspec
import pytest

from popout.board.gpio.machine import NO_PI, Machine
from popout.board.gpio.route import Facts, choose_route, clock_remark, look, spi_bytes
from popout.board.layout import Layout

PI_1 = Machine("Raspberry Pi Model B Rev 2", 1)
PI_4 = Machine("Raspberry Pi 4 Model B Rev 1.4", 4)
PI_5 = Machine("Raspberry Pi 5 Model B Rev 1.0", 5)

ALL_THERE = Facts(
    spi="open",
    spi_buffer=4096,
    pio="open",
    packages=frozenset(
        {
            "gpiod",
            "neopixel",
            "Adafruit_PureIO",
            "neopixel_spi",
            "_rpi_ws281x",
            "adafruit_raspberry_pi5_neopixel_write",
        }
    ),
    root=False,
    clock_fixed=True,
)
SPI = "The lamps are driven by SPI on GPIO10, which needs no rights of root."


def on(pin="GPIO10", route="auto", order="grb", columns=7, rows=6):
    """A board with its lamps on this pin, and the route that its layout asks for."""
    plain = Layout.plain(columns, rows)
    return replace(plain, chain=msgspec.structs.replace(plain.chain, pin=pin, route=route, order=order))


def without(*packages):
    return ALL_THERE.packages.difference(packages)


def test_spi_is_the_default_up_to_the_pi_4():
    """L1, L2: the way that leaves sound alone and asks for no rights."""
    for machine in (PI_1, Machine("Raspberry Pi Zero 2 W Rev 1.0", 3), PI_4):
        way, reason = choose_route(on(), machine, replace(ALL_THERE, root=True))
        assert (way, str(reason)) == ("spi", SPI)


def test_a_pi_5_lights_lamps_on_any_pin_by_its_pio():
    """L4: the library of the older boards does not know a Pi 5."""
    way, reason = choose_route(on("GPIO17"), PI_5, ALL_THERE)
    assert way == "pio"
    assert str(reason) == "The lamps are driven by the Pi 5's PIO on GPIO17, which needs no rights of root."


@pytest.mark.parametrize(
    "facts",
    [
        replace(ALL_THERE, pio="missing"),
        replace(ALL_THERE, pio="denied"),
        replace(ALL_THERE, packages=without("adafruit_raspberry_pi5_neopixel_write")),
        replace(ALL_THERE, packages=without("gpiod")),
    ],
)
def test_a_pi_5_without_a_pio_for_us_lights_lamps_by_spi(facts):
    way, reason = choose_route(on(), PI_5, facts)
    assert (way, str(reason)) == ("spi", SPI)


def test_a_named_route_is_taken():
    assert choose_route(on(route="spi"), PI_5, ALL_THERE)[0] == "spi"
    assert choose_route(on(route="pio"), PI_5, ALL_THERE)[0] == "pio"
    assert choose_route(on("GPIO18", "pwm"), PI_4, replace(ALL_THERE, root=True))[0] == "pwm"


def test_pwm_says_what_it_costs():
    """L1: the headphone jack is driven by the same part of the Pi."""
    way, reason = choose_route(on("GPIO18"), PI_4, replace(ALL_THERE, root=True))
    assert way == "pwm"
    assert str(reason) == (
        "The lamps are driven by PWM on GPIO18, with rights of root. The Pi's headphone jack cannot be used meanwhile; "
        "with the lamps on GPIO10 it could."
    )


def dark(layout, machine, facts):
    """Why there is no light."""
    way, reason = choose_route(layout, machine, facts)
    assert way is None
    return str(reason)


def test_spi_that_is_switched_off():
    assert dark(on(), PI_4, replace(ALL_THERE, spi="missing")) == (
        "The lamps stay dark: SPI, which drives them on GPIO10, is switched off. Type “sudo raspi-config nonint do_spi "
        "0” and restart the Pi."
    )


def test_spi_that_belongs_to_another_group():
    assert dark(on(), PI_4, replace(ALL_THERE, spi="denied")) == (
        "The lamps stay dark: /dev/spidev0.0 may not be opened. Type “sudo usermod -aG spi $USER”, then log out and in "
        "again."
    )


def test_spi_without_its_package():
    assert dark(on(), PI_4, replace(ALL_THERE, packages=without("neopixel_spi"))) == (
        "The lamps stay dark: the Python package “adafruit-circuitpython-neopixel-spi” or one that it needs is "
        "missing. “popout doctor” says how to install it."
    )


@pytest.mark.parametrize(("size", "most"), [("grb", 150), ("grbw", 113)])
def test_a_chain_is_never_longer_than_what_leaves_in_one_piece(size, most):
    """L5: long chains were cut."""
    assert spi_bytes(most, len(size)) <= 4096 < spi_bytes(most + 1, len(size))


def test_a_chain_that_is_too_long_for_the_buffer():
    """L5: instead of half a picture, what to put in which file."""
    assert dark(on(columns=15, rows=12), PI_4, ALL_THERE) == (
        "The lamps stay dark: a picture of the whole chain is 5208 bytes on SPI, and the kernel sends only 4096 in one "
        "piece. Append spidev.bufsiz=32768 to the one line of /boot/firmware/cmdline.txt and restart the Pi."
    )
    assert choose_route(on(columns=15, rows=12), PI_4, replace(ALL_THERE, spi_buffer=32768))[0] == "spi"


def test_the_longest_chain_gets_a_buffer_that_holds_it():
    assert "spidev.bufsiz=65536" in dark(on(order="grbw", columns=32, rows=32), PI_4, ALL_THERE)
    assert choose_route(on(order="grbw", columns=32, rows=32), PI_4, replace(ALL_THERE, spi_buffer=65536))[0] == "spi"


def test_pwm_without_rights_of_root_is_not_a_reason_to_take_them():
    """L2: the way out is another pin, never a game that runs as root."""
    for route in ("auto", "pwm"):
        assert dark(on("GPIO18", route), PI_4, ALL_THERE) == (
            "The lamps stay dark: GPIO18 is driven by PWM, which needs rights of root, and a game should not have "
            'them. Wire the lamps\' data to GPIO10 (pin 19 of the header), and write pin = "GPIO10" and route = "auto" '
            "under [lamps] in the layout."
        )


@pytest.mark.parametrize("machine", [PI_5, NO_PI])
def test_pwm_is_never_tried_on_a_board_where_its_library_crashes(machine):
    """L4: on a Pi 5, and off a Pi, even as root."""
    assert dark(on("GPIO18", "pwm"), machine, replace(ALL_THERE, root=True)) == (
        "The lamps stay dark: PWM can drive them up to the Raspberry Pi 4 only. Wire their data to GPIO10 (pin 19 of "
        'the header), and write pin = "GPIO10" and route = "auto" under [lamps] in the layout.'
    )


def test_pwm_without_its_package():
    root = replace(ALL_THERE, root=True)
    assert dark(on("GPIO18"), PI_4, replace(root, packages=without("_rpi_ws281x"))) == (
        "The lamps stay dark: PWM on GPIO18 needs the Python package “rpi_ws281x”, which is missing. “popout doctor” "
        "says how to install it."
    )
    assert "“adafruit-circuitpython-neopixel”" in dark(on("GPIO18"), PI_4, replace(root, packages=without("neopixel")))


def test_a_pio_that_is_not_there():
    assert dark(on(route="pio"), PI_4, ALL_THERE) == (
        'The lamps stay dark: only a Raspberry Pi 5 has the PIO that the layout asks for. Write route = "auto" under '
        "[lamps] in the layout."
    )
    assert dark(on("GPIO17"), PI_5, replace(ALL_THERE, pio="missing")) == (
        "The lamps stay dark: GPIO17 is driven by the Pi 5's PIO, and there is no /dev/pio0. Type “sudo apt "
        "full-upgrade” and “sudo rpi-eeprom-update -a”, then restart the Pi."
    )


def test_a_pio_that_belongs_to_another_group():
    assert dark(on("GPIO17"), PI_5, replace(ALL_THERE, pio="denied")) == (
        'The lamps stay dark: /dev/pio0 may not be opened. Write the line SUBSYSTEM=="*-pio", GROUP="gpio", '
        'MODE="0660" into /etc/udev/rules.d/99-pio.rules, type “sudo usermod -aG gpio $USER” and restart the Pi.'
    )


def test_a_pio_without_its_package():
    facts = replace(ALL_THERE, packages=without("adafruit_raspberry_pi5_neopixel_write"))
    assert dark(on("GPIO17"), PI_5, facts) == (
        "The lamps stay dark: GPIO17 is driven by the Pi 5's PIO, for which a Python package is missing. “popout "
        "doctor” says how to install it."
    )
    assert "“adafruit-circuitpython-neopixel”" in dark(
        on("GPIO17"), PI_5, replace(ALL_THERE, packages=without("neopixel"))
    )


def test_a_pin_on_which_nothing_of_this_pi_can_send():
    assert dark(on("GPIO17"), PI_4, ALL_THERE) == (
        "The lamps stay dark: this computer cannot send their data on GPIO17. Wire it to GPIO10 (pin 19 of the header) "
        'and write pin = "GPIO10" under [lamps] in the layout.'
    )


def test_a_board_without_a_chain_has_no_way():
    assert dark(replace(on(), chain=None), PI_4, ALL_THERE) == "The board has no chain of lamps."


def test_a_clock_that_changes_with_the_load_is_named():
    """L5: on a Pi 4 that idles, the lamps' signal was too slow."""
    remark = clock_remark(PI_4, replace(ALL_THERE, clock_fixed=False))
    assert str(remark) == (
        "The clock of the lamps follows that of the processor's core. If they flicker or show wrong colours, add the "
        "line core_freq_fixed=1 to /boot/firmware/config.txt and restart the Pi."
    )
    assert clock_remark(PI_4, ALL_THERE) is None
    assert clock_remark(PI_5, replace(ALL_THERE, clock_fixed=False)) is None, "a Pi 5's SPI has a clock of its own"


def test_what_decides_is_looked_up(tmp_path):
    (tmp_path / "dev").mkdir()
    for device in ("spidev0.0", "pio0"):
        (tmp_path / "dev" / device).touch()
    (tmp_path / "sys/module/spidev/parameters").mkdir(parents=True)
    (tmp_path / "sys/module/spidev/parameters/bufsiz").write_text("32768\n")
    (tmp_path / "boot/firmware").mkdir(parents=True)
    (tmp_path / "boot/firmware/config.txt").write_text("dtparam=spi=on\n  core_freq_fixed=1  # for the lamps\n")
    facts = look(tmp_path)
    assert (facts.spi, facts.spi_buffer, facts.pio, facts.clock_fixed) == ("open", 32768, "open", True)
    assert facts.packages >= {"neopixel_spi", "neopixel", "Adafruit_PureIO"}
    assert "_rpi_ws281x" not in facts.packages


def test_what_is_not_there_is_not_there(tmp_path):
    (tmp_path / "boot").mkdir()
    (tmp_path / "boot/config.txt").write_text("#core_freq_fixed=1\nforce_turbo=0\n")
    facts = look(tmp_path)
    assert (facts.spi, facts.spi_buffer, facts.pio, facts.clock_fixed) == ("missing", 4096, "missing", False)


def test_a_device_of_another_group_is_denied(tmp_path, monkeypatch):
    (tmp_path / "dev").mkdir()
    (tmp_path / "dev/spidev0.0").touch()
    monkeypatch.setattr("os.access", lambda _path, mode: mode == 0)  # root may open anything, so it is only said
    assert look(tmp_path).spi == "denied"
