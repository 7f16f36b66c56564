"""Where popout writes, and its service, word for word."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from computers import CHIP, HOME, POPOUT, SPI, Computer, laptop, pi_4, says, silent, with_devices
from popout.doctor.facts import Folder, Service
from popout.service.unit import Unit

Make = Callable[[Path], Computer]


@pytest.mark.parametrize(("folder", "named"), [(Folder("/var/tmp", False), "/var/tmp"), (None, "/tmp")])
def test_no_folder_for_the_pipe(tmp_path: Path, folder: Folder | None, named: str):
    """Field bug G7: lgpio makes a pipe, and fails where it cannot."""
    assert says(replace(pi_4(tmp_path).facts(), run_folder=folder), "run-folder") == (
        "problem",
        f"lgpio needs a folder to make a pipe in, and {named} cannot be written. Name one that can be in the "
        "environment variable TMPDIR, or free it.",
        "df -h /tmp",
    )


def test_the_pipe_is_no_matter_without_pins(tmp_path: Path):
    """Field bug G7."""
    assert silent(replace(laptop(tmp_path).facts(), run_folder=None), "run-folder", None)


def test_where_the_games_are_recorded(tmp_path: Path):
    assert says(laptop(tmp_path).facts(), "record-folder", None) == (
        "fine",
        f"The games are recorded in {tmp_path}/games.",
    )


def test_games_that_cannot_be_recorded(tmp_path: Path):
    facts = replace(laptop(tmp_path).facts(), record_folder=Folder("/srv/my games", False))

    assert says(facts, "record-folder", None) == (
        "problem",
        "The games cannot be recorded: /srv/my games cannot be written. Let it belong to you, or name another place "
        "with --record.",
        "ls -ld '/srv/my games'",
    )


@pytest.mark.parametrize(("free", "left", "severity"), [(1_500_000, 1, "problem"), (100_000_000, 95, "advice")])
def test_a_disk_that_is_full(tmp_path: Path, free: int, left: int, severity: str):
    facts = replace(laptop(tmp_path).facts(), record_folder=Folder("/games", True, free))

    assert says(facts, "disk-full", None) == (
        severity,
        f"On the disk of /games, where the games are recorded, {left} MB are left. Make room.",
        "df -h",
    )


def test_a_board_that_does_not_start_with_the_machine(tmp_path: Path):
    assert says(pi_4(tmp_path).facts(), "no-service") == (
        "fine",
        "The board does not start with the machine. If it is to, type this.",
        f"sudo {HOME}/bin/popout service install",
    )


def test_a_service_that_may_use_everything(tmp_path: Path):
    facts = with_devices(pi_4(tmp_path).facts(), replace(CHIP, may=True), replace(SPI, may=True))

    assert says(replace(facts, service=Service("ann", frozenset({"gpio", "spi"}))), "service") == (
        "fine",
        "The board starts with the machine, as a service of user “ann”.",
        f"{POPOUT} status",
    )


def test_a_service_that_lacks_a_group(tmp_path: Path):
    facts = with_devices(pi_4(tmp_path).facts(), replace(CHIP, may=True), replace(SPI, may=True))

    assert says(replace(facts, service=Service("ann", frozenset({"gpio"}))), "service-groups") == (
        "problem",
        "The service of user “ann” may not use the group spi, to which devices of the board belong. Install it anew.",
        f"sudo {HOME}/bin/popout service install --user ann",
    )


def test_a_service_that_is_installed_anew_keeps_its_options(tmp_path: Path):
    made = pi_4(tmp_path)
    unit = Unit(
        popout=["/srv/pop out/bin/popout"],
        user="ann",
        arguments=["--layout", '/srv/50 % "best"/$my.toml', "--listen"],
        board=["--layout", '/srv/50 % "best"/$my.toml'],
    )
    made.write("etc/systemd/system/popout.service", unit.text())
    facts = with_devices(made.facts(), replace(CHIP, may=True), replace(SPI, may=True))

    assert says(facts, "service-groups")[2:] == (
        f"sudo {HOME}/bin/popout service install --user ann -- --layout '/srv/50 % \"best\"/$my.toml' --listen",
    )


def test_a_service_without_options_is_installed_anew_without_any(tmp_path: Path):
    made = pi_4(tmp_path)
    made.write("etc/systemd/system/popout.service", Unit(popout=["/bin/popout"], user="ann").text())
    facts = with_devices(made.facts(), replace(CHIP, may=True))

    assert says(facts, "service-groups")[2:] == (f"sudo {HOME}/bin/popout service install --user ann",)


@pytest.mark.parametrize(
    "started",
    ["ExecStart=/srv/start 'my board", "ExecStart=/srv/start", "ExecStart=/bin/popout play --layout %h/my.toml", ""],
)
def test_a_service_that_somebody_wrote_is_not_overwritten_unseen(tmp_path: Path, started: str):
    made = pi_4(tmp_path)
    made.write("etc/systemd/system/popout.service", f"[Service]\nUser=ann\n{started}\n")
    facts = with_devices(made.facts(), replace(CHIP, may=True))

    assert says(facts, "service-changed") == (
        "advice",
        "The service was changed by hand. Installing it anew forgets that, so look first at what it says.",
        f"{POPOUT} service show",
    )
