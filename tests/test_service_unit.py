"""The unit file: what it says, and that systemd takes it without a word."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from popout.service import unit
from popout.service.unit import NAME, RootRefused, Unit, UnknownUser, checked_user, groups_here, this_popout
from users import somebody

ROOT = Path(__file__).parent.parent

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="systemd is for Linux")


def lines(**fields: object) -> list[str]:
    return Unit(**{"popout": ("/usr/bin/popout",), "user": "pi", **fields}).text().splitlines()


@pytest.fixture
def verify(tmp_path: Path):
    """What systemd says of a unit file."""
    assert shutil.which("systemd-analyze"), "install systemd, which checks the unit file"

    def check(text: str) -> tuple[int, str]:
        (tmp_path / NAME).write_text(text, "utf-8")
        done = subprocess.run(
            ["systemd-analyze", "verify", "--man=no", str(tmp_path / NAME)],
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )
        return done.returncode, done.stderr

    return check


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"groups": groups_here()},
        {"arguments": ("--rules", "five+pop 9x7 connect=5", "--layout", '/a b/"my" 100% $board\\.toml')},
        {"board": ("--board", "gpio"), "writable": (Path("/srv/our games"),)},
    ],
)
def test_systemd_finds_nothing_wrong_with_it(verify, fields: dict):
    assert verify(Unit(popout=this_popout(), user=somebody(), **fields).text()) == (0, "")


def test_systemd_would_find_a_mistake(verify):
    text = Unit(popout=this_popout(), user=somebody()).text()

    assert "Unknown key" in verify(text.replace("RestartSec=", "RestartSoon="))[1]
    assert verify(text.replace("ExecStart=/", "ExecStart=/no/such/"))[0] != 0


def test_it_says_who_plays_what_and_with_which_rights():
    unit_file = lines(groups=("gpio", "spi"), arguments=("--board", "gpio", "--verbose"), board=("--board", "gpio"))

    assert "User=pi" in unit_file
    assert "SupplementaryGroups=gpio spi" in unit_file
    assert "ExecStart=/usr/bin/popout play --no-browser --board gpio --verbose" in unit_file
    assert "ExecStopPost=/usr/bin/popout dark --as-set --board gpio" in unit_file


def test_what_is_not_needed_is_left_out():
    unit_file = lines()

    assert "ExecStart=/usr/bin/popout play --no-browser" in unit_file
    assert not [line for line in unit_file if line.startswith(("SupplementaryGroups", "ReadWritePaths"))]
    assert "CapabilityBoundingSet=" in unit_file  # empty on purpose
    assert not [line for line in unit_file if "@" in line]


@pytest.mark.parametrize(
    "wanted",
    [
        *("Type=notify", "NotifyAccess=main", "Restart=on-failure", "StateDirectory=popout", "RuntimeDirectory=popout"),
        *("NoNewPrivileges=yes", "ProtectSystem=strict", "WantedBy=multi-user.target", "WatchdogSec=30"),
    ],
)
def test_it_is_a_service_that_is_watched_and_restarted_with_folders_of_its_own(wanted: str):
    assert wanted in lines()


def test_the_devices_stay_within_reach():
    assert not [
        line
        for line in lines()
        if line.startswith(("PrivateDevices=", "DevicePolicy=", "DeviceAllow=", "ProtectClock="))
    ]


def test_a_word_with_spaces_stays_one_and_nothing_in_it_is_obeyed():
    (start,) = [line for line in lines(arguments=("a b", 'c"d', "100%", "$HOME", "e\\f")) if "ExecStart=" in line]

    assert start == 'ExecStart=/usr/bin/popout play --no-browser "a b" "c\\"d" "100%%" "$$HOME" "e\\\\f"'


def test_the_template_comes_with_the_package():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))

    shipped = project["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"]

    assert shipped["hardware/service"] == "popout/service/units"
    assert (ROOT / "hardware/service" / NAME).is_file()


def test_an_installed_template_is_taken_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "units").mkdir()
    (tmp_path / "units" / NAME).write_text("# a template\n\nUser=@USER@\n", "utf-8")
    monkeypatch.setattr(unit, "__file__", str(tmp_path / "unit.py"))

    assert lines()[1:] == ["", "User=pi"]


def test_this_popout_can_be_run():
    done = subprocess.run([*this_popout(), "--version"], capture_output=True, text=True, check=True, timeout=60)

    assert done.stdout.startswith("popout ")
    assert Path(this_popout()[0]).is_absolute()


def test_root_does_not_play():
    with pytest.raises(RootRefused) as refused:
        checked_user("root")
    assert str(refused.value) == (
        "The game is not played as root, which it does not need. Name another user with --user."
    )


@pytest.mark.parametrize(
    ("name", "shown"),
    [("nobody-of-this-name", "nobody-of-this-name"), ("a\0b", "a\\x00b"), ("x" * 10_000, "x" * 40 + "…")],
)
def test_a_user_who_is_not_there_is_named(name: str, shown: str):
    with pytest.raises(UnknownUser) as refused:
        checked_user(name)
    assert str(refused.value) == f"There is no user “{shown}” on this system. Name one that there is with --user."


@pytest.mark.parametrize("name", [None, ""])
def test_without_a_user_one_is_asked_for(name: str | None):
    with pytest.raises(UnknownUser) as refused:
        checked_user(name)
    assert str(refused.value) == "Say with --user who is to play, such as: --user pi"


def test_a_user_who_is_there_is_taken():
    assert checked_user(somebody()) == somebody()
