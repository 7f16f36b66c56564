"""How the lamps are lit, what clashes with it and what they take, word for word."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from computers import EDIT, MODULES, PIP, POPOUT, WIRED, found, pi_3, pi_4, pi_5, says, silent, with_lamps
from popout.doctor.findings import examine


def test_the_way_of_the_lamps_and_why(tmp_path: Path):
    """Field bug L1: SPI is the way that shares nothing with the sound."""
    assert says(pi_4(tmp_path).facts(), "light-by-spi") == (
        "fine",
        "The lamps are driven by SPI on GPIO10, which needs no rights of root.",
    )


@pytest.mark.parametrize(
    ("config", "has_tool", "cure"),
    [
        ("", True, ["sudo raspi-config nonint do_spi 0", "sudo reboot"]),
        ("", False, ["echo dtparam=spi=on | sudo tee -a /boot/firmware/config.txt", "sudo reboot"]),
        ("dtparam=spi=on", True, ["sudo reboot"]),
    ],
)
def test_without_spi_there_is_no_light(tmp_path: Path, config: str, has_tool: bool, cure: list[str]):
    made = pi_4(tmp_path)
    made.config(config)
    (tmp_path / "dev/spidev0.0").unlink()
    if not has_tool:
        (tmp_path / "usr/bin/raspi-config").unlink()
    it = found(made.facts(), "no-light")

    assert it.severity == "problem"
    assert str(it.text).startswith("The lamps stay dark: SPI, which drives them on GPIO10, is switched off.")
    assert list(it.what_to_type) == cure


def test_a_chain_that_is_longer_than_the_kernel_sends_at_once(tmp_path: Path):
    """Field bug L5: long chains are cut."""
    facts = pi_4(tmp_path).facts()
    facts = replace(facts, lamps=replace(facts.lamps, spi_buffer=1000))

    assert found(facts, "no-light").what_to_type == (
        "sudo sed -i '1 s/$/ spidev.bufsiz=32768/' /boot/firmware/cmdline.txt",
        "sudo reboot",
    )


def test_spi_that_is_off_and_too_short_is_told_at_once_with_one_restart(tmp_path: Path):
    """Field bug L5."""
    made = pi_4(tmp_path)
    made.config("")
    (tmp_path / "dev/spidev0.0").unlink()
    long = replace(WIRED, columns=14, rows=12)
    told = [each for each in examine(made.facts(), long) if each.code == "no-light"]

    assert [each.severity for each in told] == ["problem", "problem"]
    assert "SPI, which drives them on GPIO10, is switched off" in str(told[0].text)
    assert "the kernel sends only 4096 in one piece" in str(told[1].text)
    assert [each.what_to_type for each in told] == [
        ("sudo raspi-config nonint do_spi 0",),
        ("sudo sed -i '1 s/$/ spidev.bufsiz=32768/' /boot/firmware/cmdline.txt", "sudo reboot"),
    ]


def test_a_buffer_that_is_set_already_waits_for_the_restart(tmp_path: Path):
    made = pi_4(tmp_path)
    made.write("boot/firmware/cmdline.txt", "root=/dev/sda spidev.bufsiz=65536 quiet\n")
    long = replace(WIRED, columns=14, rows=12)

    assert found(made.facts(), "no-light", long).what_to_type == ("sudo reboot",)
    (tmp_path / "dev/spidev0.0").unlink()
    assert "switched off" in str(found(made.facts(), "no-light", long).text)


def test_a_package_and_the_bus_that_are_both_missing_are_told_at_once(tmp_path: Path):
    made = pi_4(tmp_path)
    made.modules = ()
    (tmp_path / "dev/spidev0.0").unlink()

    assert [each.what_to_type for each in examine(made.facts(), WIRED) if each.code == "no-light"] == [
        (f"{PIP} install --upgrade adafruit-circuitpython-neopixel-spi",),
        ("sudo reboot",),
    ]


def test_a_clock_that_changes(tmp_path: Path):
    """Field bug L5: the bus's clock follows that of the core."""
    made = pi_4(tmp_path)
    made.config("dtparam=spi=on\n")

    assert found(made.facts(), "spi-clock").what_to_type == (
        "echo core_freq_fixed=1 | sudo tee -a /boot/firmware/config.txt",
        "sudo reboot",
    )


def test_a_package_that_the_lamps_need(tmp_path: Path):
    made = pi_4(tmp_path)
    made.modules = ()

    assert found(made.facts(), "no-light").what_to_type == (
        f"{PIP} install --upgrade adafruit-circuitpython-neopixel-spi",
    )


def test_a_pi_5_without_its_pio(tmp_path: Path):
    """Field bug L4: on a Pi 5 the old way is refused, and the new one needs its device."""
    made = pi_5(tmp_path)
    made.modules = (*MODULES, "adafruit_raspberry_pi5_neopixel_write")

    assert found(made.facts(), "no-light", with_lamps("GPIO18")).what_to_type == (
        "sudo apt update && sudo apt full-upgrade",
        "sudo rpi-eeprom-update -a",
        "sudo reboot",
    )


def test_a_pi_5_without_its_pio_and_without_its_package_is_told_both(tmp_path: Path):
    """Field bug L4."""
    told = [each for each in examine(pi_5(tmp_path).facts(), with_lamps("GPIO18")) if each.code == "no-light"]

    assert [each.what_to_type[-1] for each in told] == [
        "sudo reboot",
        f"{PIP} install --upgrade adafruit-circuitpython-neopixel Adafruit-Blinka-Raspberry-Pi5-Neopixel",
    ]


def test_a_pi_5_whose_pio_lacks_its_package(tmp_path: Path):
    """Field bug L4."""
    made = pi_5(tmp_path)
    made.write("dev/pio0")

    assert found(made.facts(), "no-light", with_lamps("GPIO18")).what_to_type == (
        f"{PIP} install --upgrade adafruit-circuitpython-neopixel Adafruit-Blinka-Raspberry-Pi5-Neopixel",
    )


def test_pwm_without_its_package(tmp_path: Path):
    made = pi_4(tmp_path)
    made.is_root = True

    assert found(made.facts(), "no-light", with_lamps("GPIO18")).what_to_type == (
        f"{PIP} install --upgrade adafruit-circuitpython-neopixel rpi-ws281x",
    )


@pytest.mark.parametrize("config", ["dtparam=audio=on", ""], ids=["switched on", "its driver is loaded"])
def test_sound_beside_lamps_on_pwm(tmp_path: Path, config: str):
    """Field bug L1: random colours, since PWM is shared with the sound."""
    made = pi_4(tmp_path)
    made.is_root = True
    made.modules = ("neopixel", "gpiod", "_rpi_ws281x")
    made.config(config)
    if not config:
        made.write("sys/module/snd_bcm2835/initstate", "live")

    assert says(made.facts(), "sound-on-pwm", with_lamps("GPIO18")) == (
        "problem",
        "The Pi's own sound uses the same PWM as the lamps on GPIO18: they would show random colours. Switch the sound "
        "off by dtparam=audio=off in /boot/firmware/config.txt, or wire the lamps to GPIO10.",
        *EDIT,
    )


def test_sound_beside_lamps_on_spi_is_no_clash(tmp_path: Path):
    made = pi_4(tmp_path)
    made.config("dtparam=spi=on\ndtparam=audio=on\n")

    assert silent(made.facts(), "sound-on-pwm")


def test_the_order_of_the_colours(tmp_path: Path):
    """Field bug L3: it is shown, and the way to have it asked."""
    assert says(pi_4(tmp_path).facts(), "colour-order") == (
        "fine",
        "The lamps are sent their colours in the order GRB. If red and green come out exchanged, change the key order "
        "under [lamps] in the layout “7x6-pi”, or type this: the test of the wiring asks what you see, and corrects "
        "the layout.",
        f"{POPOUT} doctor --hands",
    )


def test_what_the_lamps_take(tmp_path: Path):
    """Field bug L8: the lamps' current against the supply."""
    assert says(pi_4(tmp_path).facts(), "current") == (
        "fine",
        "51 lamps take 3.1 A if all are white at full light; the supply gives them 2 A. popout holds a white picture "
        "at a share of that light (50 %), so that it never takes more.",
    )


def test_a_supply_that_is_too_small_for_the_cap(tmp_path: Path):
    """Field bug L8."""
    weak = replace(WIRED, milliamps=1000, brightness=1.0)

    assert "share of that light (31 %)" in str(found(pi_4(tmp_path).facts(), "current", weak).text)


def test_lamps_that_take_more_than_the_header_gives(tmp_path: Path):
    """Field bug L8."""
    assert says(pi_3(tmp_path).facts(), "supply-cable") == (
        "advice",
        "Do not feed the lamps from the 5 V pins of the header: besides a Pi like this these give about 660 mA, and "
        "the lamps may take 1581 mA. Run a cable from the supply to the lamps, and join its ground to the Pi's.",
    )


def test_few_lamps_may_hang_on_the_header(tmp_path: Path):
    assert silent(pi_4(tmp_path).facts(), "supply-cable", replace(WIRED, milliamps=500))


def test_the_data_is_weaker_than_the_lamps_want(tmp_path: Path):
    assert says(pi_4(tmp_path).facts(), "level-shifter") == (
        "advice",
        "The Pi sends data at 3.3 V, and lamps on 5 V want 3.5 V or more. If they flicker or stay dark, put a level "
        "shifter such as a 74AHCT125 between GPIO10 and the first lamp.",
    )


def test_a_board_without_a_chain(tmp_path: Path):
    assert says(pi_4(tmp_path).facts(), "no-chain", replace(WIRED, chain=None)) == (
        "fine",
        "The layout “7x6-pi” has no chain of lamps.",
    )
