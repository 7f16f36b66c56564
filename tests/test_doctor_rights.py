"""Who may open what, and how to be allowed to, word for word."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from computers import CHIP, EXPANDED, SPI, codes, device, found, pi_4, pi_5, says, with_devices, with_lamps


def test_what_the_user_may(tmp_path: Path):
    facts = with_devices(pi_4(tmp_path).facts(), replace(CHIP, may=True), replace(SPI, may=True))

    assert says(facts, "devices") == ("fine", "You may use /dev/gpiochip0, /dev/spidev0.0.")


def test_a_user_who_is_in_no_group(tmp_path: Path):
    made = pi_4(tmp_path)
    made.enrol()
    made.group_ids = [1000]
    facts = with_devices(made.facts(), CHIP, SPI)

    assert says(facts, "group-missing") == (
        "problem",
        "You may not use /dev/gpiochip0, /dev/spidev0.0, since you are not in the groups gpio, spi. Type this, then "
        "log out and in again.",
        "sudo usermod -aG gpio,spi ann",
    )


def test_a_user_who_lacks_one_group(tmp_path: Path):
    made = pi_4(tmp_path)
    made.enrol("gpio")
    made.group_ids = [1000, 997]
    facts = with_devices(made.facts(), replace(CHIP, may=True), SPI)

    assert says(facts, "group-missing") == (
        "problem",
        "You may not use /dev/spidev0.0, since you are not in the group spi. Type this, then log out and in again.",
        "sudo usermod -aG spi ann",
    )


def test_a_user_who_has_not_logged_in_anew(tmp_path: Path):
    made = pi_4(tmp_path)
    made.group_ids = [1000]

    assert says(with_devices(made.facts(), CHIP), "group-not-yet") == (
        "problem",
        "You are in the group gpio, but not since you logged in. Log out and in again, or restart the Pi.",
    )
    assert says(with_devices(made.facts(), CHIP, SPI), "group-not-yet")[1].startswith(
        "You are in the groups gpio, spi,"
    )


def test_something_else_forbids_it(tmp_path: Path):
    assert says(with_devices(pi_4(tmp_path).facts(), CHIP), "device-refused") == (
        "problem",
        "/dev/gpiochip0 cannot be opened, although you are in its group gpio. Something else forbids it, such as a "
        "container or the settings of a service.",
    )


def test_a_device_that_no_group_has(tmp_path: Path):
    made = pi_4(tmp_path)
    made.enrol("gpio")
    facts = with_devices(made.facts(), replace(CHIP, may=True), device("/dev/spidev0.0", "root"))

    assert says(facts, "device-of-root") == (
        "problem",
        "/dev/spidev0.0 may be opened by root only. This gives it to the group spi; log out and in again after it.",
        """echo 'SUBSYSTEM=="spidev", GROUP="spi", MODE="0660"' | sudo tee -a /etc/udev/rules.d/99-popout.rules""",
        "sudo udevadm control --reload-rules && sudo udevadm trigger",
        "sudo usermod -aG spi ann",
    )


def test_a_system_that_has_no_such_group(tmp_path: Path):
    made = pi_5(tmp_path)
    made.write("etc/group", "root:x:0:\n")
    facts = with_devices(made.facts(), device("/dev/gpiochip0", "root"))

    assert found(facts, "device-of-root").what_to_type[0] == "sudo groupadd --system gpio"


def test_the_pi_5_s_pio_belongs_to_root_where_the_rule_is_missing(tmp_path: Path):
    facts = with_devices(pi_5(tmp_path).facts(), device("/dev/pio0", "root"))

    assert found(facts, "device-of-root", with_lamps("GPIO18", "pio")).what_to_type[0] == (
        """echo 'SUBSYSTEM=="*-pio", GROUP="gpio", MODE="0660"' | sudo tee -a /etc/udev/rules.d/99-popout.rules"""
    )


def test_root_is_not_needed(tmp_path: Path):
    """Field bug L2: nothing of the game needs root."""
    made = pi_4(tmp_path)
    made.is_root = True

    assert says(made.facts(), "root") == (
        "advice",
        "This runs as root. The game needs no such power, and what goes wrong has it too: play as yourself.",
    )


def test_a_header_that_may_not_be_opened_is_a_matter_of_rights(tmp_path: Path):
    made = pi_4(tmp_path)
    made.chip = PermissionError(13, "Permission denied")
    made.enrol()
    made.group_ids = [1000]
    facts = with_devices(made.facts(), CHIP, replace(SPI, may=True))

    assert codes(facts, severity="problem") == ["group-missing"]


def test_an_expander_needs_the_bus(tmp_path: Path):
    made = pi_4(tmp_path)
    made.enrol()
    made.group_ids = [1000]
    facts = with_devices(made.facts(), replace(CHIP, may=True), device("/dev/i2c-1", "i2c"))
    layout = replace(EXPANDED, chain=None)

    assert found(facts, "group-missing", layout).what_to_type == ("sudo usermod -aG i2c ann",)
