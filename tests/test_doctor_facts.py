"""What the doctor finds out about a machine, from its files; and that no file can stop it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from computers import PICO, PYTHON, Computer, laptop, pi_4, pi_5
from popout.board.gpio.chips import Line
from popout.board.gpio.machine import Machine
from popout.board.processes import Process
from popout.doctor.facts import Facts, Service, gather
from popout.doctor.system import Asked, Package, installed, usb_ports

TEXTS = ("etc/os-release", "etc/passwd", "etc/group", "proc/sys/kernel/osrelease", "proc/cpuinfo")


def test_this_computer_can_be_looked_at():
    found = gather()

    assert isinstance(found, Facts)
    assert found.python.version >= (3, 11)
    assert found.record_folder.path.endswith("popout")


def test_a_pi_and_its_system(tmp_path: Path):
    found = pi_4(tmp_path).facts()

    assert found.machine == Machine("Raspberry Pi 4 Model B Rev 1.4", 4)
    assert found.system.name == "Debian GNU/Linux 12 (bookworm)"
    assert found.system.codename == "bookworm"
    assert found.system.is_raspberry_pi_os
    assert found.system.has_raspi_config
    assert found.system.kernel == "6.6.51+rpt-rpi-v8"
    assert found.python == PYTHON


def test_a_32_bit_raspberry_pi_os_calls_itself_so(tmp_path: Path):
    made = laptop(tmp_path)
    made.write("etc/os-release", "ID=raspbian\n")

    assert made.facts().system.is_raspberry_pi_os


def test_a_container_is_seen(tmp_path: Path):
    made = laptop(tmp_path)
    made.write(".dockerenv")

    assert made.facts().system.in_container


def test_packages_by_their_names(tmp_path: Path):
    made = laptop(tmp_path)
    made.packages = {"gpiozero": "2.0.1"}

    assert made.facts().packages == {"gpiozero": Package("gpiozero", "2.0.1")}


def test_packages_that_are_installed_are_found_and_those_of_the_system_told_apart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    own, of_the_system = tmp_path / "venv/site-packages", tmp_path / "usr/lib/python3/dist-packages"
    for folder, name, version in ((own, "lgpio", "0.0.0.2"), (of_the_system, "gpiozero", "2.0.1")):
        metadata = folder / f"{name}-{version}.dist-info/METADATA"
        metadata.parent.mkdir(parents=True)
        metadata.write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n", "utf-8")
    monkeypatch.setattr(
        "sys.path", [str(tmp_path / "venv/site-packages"), str(tmp_path / "usr/lib/python3/dist-packages")]
    )

    assert list(installed()) == [
        Package("gpiozero", "2.0.1", of_the_system=True),
        Package("lgpio", "0.0.0.2", of_the_system=False),
    ]


def test_a_user_has_the_groups_of_this_login_and_will_have_those_of_the_next(tmp_path: Path):
    made = laptop(tmp_path)
    made.enrol("gpio", "spi")
    made.group_ids = [1000, 997]

    user = made.facts().user

    assert user.name == "ann"
    assert not user.is_root
    assert user.groups == {"ann", "gpio"}
    assert user.enrolled == {"ann", "gpio", "spi"}


def test_a_device_with_its_group_and_what_this_user_may(tmp_path: Path):
    made = laptop(tmp_path)
    made.write("dev/spidev0.0")
    (tmp_path / "dev/spidev0.0").chmod(0o660)
    made.write("etc/group", f"lamps:x:{(tmp_path / 'dev/spidev0.0').stat().st_gid}:\n")
    made.refused.add("/dev/spidev0.0")

    device = made.facts().devices["/dev/spidev0.0"]

    assert (device.path, device.group, device.group_may, device.may) == ("/dev/spidev0.0", "lamps", True, False)


def test_a_device_that_its_group_may_not_use(tmp_path: Path):
    made = laptop(tmp_path)
    made.write("dev/pio0")
    (tmp_path / "dev/pio0").chmod(0o600)

    assert not made.facts().devices["/dev/pio0"].group_may


def test_an_older_name_of_a_chip_is_no_other_chip(tmp_path: Path):
    made = laptop(tmp_path)
    made.write("dev/gpiochip0")
    (tmp_path / "dev/gpiochip4").symlink_to("gpiochip0")

    assert list(made.facts().devices) == ["/dev/gpiochip0"]


def test_the_header_with_its_lines_and_who_holds_them(tmp_path: Path):
    made = pi_5(tmp_path)
    made.lines = {17: "lg"}
    (tmp_path / "proc/812/fd").mkdir(parents=True)
    (tmp_path / "proc/812/fd/3").symlink_to("anon_inode:gpio-line")
    made.write("proc/812/comm", "fan-control\n")

    header = made.facts().header

    assert header.chip is not None
    assert header.chip.label == "pinctrl-rp1"
    assert header.lines[17] == Line("GPIO17", True, "lg")
    assert not header.lines[5].used
    assert header.holders == (Process(812, "fan-control"),)


def test_a_header_that_may_not_be_opened(tmp_path: Path):
    made = pi_4(tmp_path)
    made.chip = PermissionError(13, "Permission denied")

    header = made.facts().header

    assert header.chip is None
    assert header.refused


def test_a_port_and_the_program_that_has_it_open(tmp_path: Path):
    made = laptop(tmp_path)
    made.ports = [PICO]
    made.write("dev/ttyACM0")
    (tmp_path / "proc/77/fd").mkdir(parents=True)
    (tmp_path / "proc/77/fd/5").symlink_to("/dev/ttyACM0")
    made.write("proc/77/comm", "thonny\n")

    (port,) = made.facts().ports

    assert (port.device.path, port.vendor, port.product, port.title) == PICO
    assert port.device.may
    assert port.openers == (Process(77, "thonny"),)


def test_the_ports_of_this_computer_can_be_asked_for():
    assert all(port.vendor is not None for port in usb_ports())


def test_the_service_as_it_is_installed(tmp_path: Path):
    made = laptop(tmp_path)
    made.write("etc/systemd/system/popout.service", "[Service]\nUser=ann\nSupplementaryGroups=gpio spi\n")

    assert made.facts().service == Service("ann", frozenset({"gpio", "spi"}), None)


def test_without_a_service_there_is_none(tmp_path: Path):
    assert laptop(tmp_path).facts().service is None


def test_the_record_s_folder_need_not_be_there_yet(tmp_path: Path):
    folder = laptop(tmp_path).facts().record_folder

    assert folder.path == str(tmp_path / "games")
    assert folder.writable
    assert folder.free


def test_where_the_record_s_folder_would_be_is_a_file(tmp_path: Path):
    made = laptop(tmp_path)
    made.write("games", "not a folder")

    assert not made.facts().record_folder.writable


def test_without_a_folder_for_passing_files_there_is_none(tmp_path: Path):
    def none_is_usable() -> Path:
        raise FileNotFoundError(2, "No usable temporary directory found")

    assert gather(tmp_path, Asked(run_folder=none_is_usable)).run_folder is None


def test_the_driver_of_the_pi_s_own_sound(tmp_path: Path):
    made = pi_4(tmp_path)
    made.write("sys/module/snd_bcm2835/initstate", "live\n")

    assert made.facts().sound
    assert not laptop(tmp_path / "other").facts().sound


# Nothing can stop it


@pytest.mark.parametrize(
    "junk",
    [b"", b"\0" * 50, bytes(range(256)) * 4, b"a" * 200_000, b"::::\n=\n[\n]\n[[[[\n", "ø“€\n=ø:ø:ø\n".encode()],
    ids=["empty", "zeros", "every byte", "huge", "punctuation", "letters"],
)
def test_junk_in_every_file(tmp_path: Path, junk: bytes):
    made = pi_5(tmp_path)
    for file in [file for file in tmp_path.rglob("*") if file.is_file()]:
        file.write_bytes(junk)
    for text in (*TEXTS, "etc/systemd/system/popout.service", "proc/1/comm", "sys/module/spidev/parameters/bufsiz"):
        made.write(text, junk)

    assert isinstance(made.facts(), Facts)


def test_a_folder_in_the_place_of_every_file(tmp_path: Path):
    made = pi_5(tmp_path)
    for file in [file for file in tmp_path.rglob("*") if file.is_file()]:
        file.unlink()
        file.mkdir()

    assert isinstance(made.facts(), Facts)


def test_a_tree_without_anything(tmp_path: Path):
    found = gather(tmp_path / "nowhere", Computer(tmp_path).asked())

    assert found.machine == Machine("", 0)
    assert found.system.name == found.system.kernel == ""
    assert found.devices == {}
    assert found.user.name == ""


@pytest.mark.skipif(os.name == "nt", reason="links are for Unix")
def test_links_that_lead_nowhere_or_round_and_round(tmp_path: Path):
    for path in TEXTS:
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).symlink_to(tmp_path / path)
    (tmp_path / "dev").mkdir()
    (tmp_path / "dev/spidev0.0").symlink_to("gone")

    assert isinstance(gather(tmp_path), Facts)


@pytest.mark.parametrize("name", Asked.__dataclass_fields__)
def test_whatever_cannot_be_asked(tmp_path: Path, name: str):
    answers = dict.fromkeys([name], _fails)

    assert isinstance(gather(tmp_path, Asked(**answers)), Facts)


def _fails(*_: object) -> None:
    raise RuntimeError("no answer")
