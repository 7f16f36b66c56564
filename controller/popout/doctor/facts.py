"""What can be found out about a machine, as plain data: `gather` looks, and judges nothing.

Nothing here raises: what cannot be read is None, empty or not there. The file system may begin in another folder, and
what is asked of the running system is in `popout.doctor.system`, so that a test can make up any machine.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import stat
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from popout.board import processes
from popout.board.gpio import chips, machine, route
from popout.board.gpio.chips import Chip, Line
from popout.board.gpio.machine import Machine
from popout.board.gpio.pins import Own, own
from popout.board.processes import Process
from popout.doctor import config, files
from popout.doctor.config import Config
from popout.doctor.system import Asked, Package, Python, each, or_else
from popout.service import unit

HEADER_PINS: Final = range(28)
_DEVICES: Final = ("gpiochip*", "spidev*", "i2c-*", "pio*")
_ROOT: Final = Path("/")
_STARTED: Final = re.compile(r"^ExecStart=(.*)$", re.MULTILINE)
_BUFFER: Final = re.compile(r"(?:^|\s)spidev\.bufsiz=(\d{1,9})(?=\s|$)")


@dataclass(frozen=True, slots=True)
class System:
    """The operating system.

    :ivar name: as it calls itself; empty if it does not. :ivar codename: of its release, such as ``bookworm``.
    :ivar is_raspberry_pi_os: whether it is the one that is made for the Pi.
    :ivar kernel: the release of the kernel; empty if unknown.
    :ivar has_raspi_config: whether its tool for switching SPI and I2C on is there.
    :ivar in_container: whether this is a container, which sees of the machine only what it is shown.
    """

    name: str = ""
    codename: str = ""
    is_raspberry_pi_os: bool = False
    kernel: str = ""
    has_raspi_config: bool = False
    in_container: bool = False


@dataclass(frozen=True, slots=True)
class User:
    """Who runs this.

    :ivar groups: the groups that this login has. :ivar enrolled: those that the next one will have.
    """

    name: str = ""
    is_root: bool = False
    groups: frozenset[str] = frozenset()
    enrolled: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Device:
    """A device file.

    :ivar group: the name of its group, or its number. :ivar group_may: whether the group may read and write it.
    :ivar may: whether this user may.
    """

    path: str
    group: str
    group_may: bool
    may: bool


@dataclass(frozen=True, slots=True)
class Header:
    """The GPIO chip of the 40 pins.

    :ivar chip: None if none is seen. :ivar refused: there are chips, and none of them may be opened.
    :ivar lines: what the kernel knows of the lines now, by the GPIO's number. :ivar holders: who has lines open.
    :ivar own: those of the holders that are popout, by their numbers.
    """

    chip: Chip | None = None
    refused: bool = False
    lines: Mapping[int, Line] = field(default_factory=dict)
    holders: tuple[Process, ...] = ()
    own: Mapping[int, Own] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Port:
    """A serial port on USB, with the numbers of its maker and kind, and the programs that have it open."""

    device: Device
    vendor: int | None
    product: int | None
    title: str
    openers: tuple[Process, ...] = ()


@dataclass(frozen=True, slots=True)
class Folder:
    """A folder that is there or is to be made; `free` is in bytes, None if unknown."""

    path: str
    writable: bool
    free: int | None = None


@dataclass(frozen=True, slots=True)
class Service:
    """The board as it is installed as a service.

    :ivar user: who plays. :ivar groups: the groups besides the user's own.
    :ivar options: those of ``popout play``; None if it starts something else, or cannot be read.
    """

    user: str
    groups: frozenset[str]
    options: tuple[str, ...] | None = ()


@dataclass(frozen=True, slots=True)
class Named:
    """What the person named by an option or in the settings; empty what was not. Commands to type name it too."""

    settings: str = ""
    board: str = ""
    layout: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """All that was found out.

    :ivar lamps: what decides on the way to light a chain. :ivar running: the processes of popout that play now.
    :ivar next_buffer: what `lamps.spi_buffer` is to be after the next start; None if that is not set.
    :ivar sound: whether the kernel has the driver of the Pi's own sound.
    :ivar known_groups: the groups of the system. :ivar run_folder: where lgpio's pipe goes; None if there is no folder.
    """

    machine: Machine
    system: System
    python: Python
    packages: Mapping[str, Package]
    user: User
    known_groups: frozenset[str]
    devices: Mapping[str, Device]
    config: Config
    sound: bool
    header: Header
    lamps: route.Facts
    ports: tuple[Port, ...]
    run_folder: Folder | None
    record_folder: Folder
    service: Service | None
    running: frozenset[int]
    next_buffer: int | None
    named: Named = field(default_factory=Named)


def gather(root: Path = _ROOT, asked: Asked | None = None) -> Facts:
    """Look at the machine.

    :param root: where its files begin. :param asked: what is asked of the running system; None asks this one.
    """
    ask = asked or Asked()
    found = machine.look(root)
    groups = _groups(root)
    run_folder = or_else(ask.run_folder, None)
    settings = config.read(root, found)
    return Facts(
        machine=found,
        system=_system(root, ask),
        python=or_else(ask.python, Python((0, 0), 0, "", "", "", ("popout",))),
        packages={package.name: package for package in each(ask.packages)},
        user=_user(root, ask, groups),
        known_groups=frozenset(groups.values()),
        devices={device.path: device for device in _devices(root, ask, groups)},
        config=settings,
        sound=files.exists(root / "sys/module/snd_bcm2835"),
        header=_header(root, ask),
        lamps=or_else(lambda: route.look(root), route.Facts("missing", 0, "missing", frozenset(), False, False)),
        ports=tuple(_ports(root, ask, groups)),
        run_folder=None if run_folder is None else _folder(run_folder),
        record_folder=_folder(or_else(ask.record, Path("games.sqlite3")).parent),
        service=_service(root),
        running=frozenset(each(ask.running)),
        next_buffer=_next_buffer(root / config.beside(settings, "cmdline.txt").removeprefix("/")),
    )


def _system(root: Path, ask: Asked) -> System:
    release = files.values(root / "etc/os-release")
    kernel = files.text(root / "proc/sys/kernel/osrelease") or (or_else(ask.kernel, "") if root == _ROOT else "")
    return System(
        name=release.get("PRETTY_NAME", ""),
        codename=release.get("VERSION_CODENAME", ""),
        # The 64-bit one calls itself Debian; this file is its own.
        is_raspberry_pi_os=release.get("ID") == "raspbian" or files.exists(root / "etc/rpi-issue"),
        kernel=kernel.strip(),
        has_raspi_config=files.exists(root / "usr/bin/raspi-config"),
        in_container=files.exists(root / ".dockerenv") or files.exists(root / "run/.containerenv"),
    )


def _user(root: Path, ask: Asked, groups: Mapping[int, str]) -> User:
    user_id = or_else(ask.user_id, None)
    account = next((entry for entry in files.fields(root / "etc/passwd") if entry[2:3] == [str(user_id)]), [])
    name = account[0] if account else ""
    enrolled = {groups[int(own)] for own in account[3:4] if _is_id(own) and int(own) in groups}
    for entry in files.fields(root / "etc/group"):
        if name and len(entry) > 3 and name in entry[3].split(","):
            enrolled.add(entry[0])
    now = frozenset(groups[number] for number in each(ask.group_ids) if number in groups)
    return User(name, user_id == 0, now, frozenset(enrolled))


def _groups(root: Path) -> dict[int, str]:
    entries = (entry for entry in files.fields(root / "etc/group") if len(entry) > 2 and _is_id(entry[2]))
    return {int(entry[2]): entry[0] for entry in entries}


def _devices(root: Path, ask: Asked, groups: Mapping[int, str]) -> Iterator[Device]:
    for pattern in _DEVICES:
        for path in files.matching(root / "dev", pattern):
            if not files.is_link(path):  # an older name of a chip that is listed anyway
                yield _device(path, root, ask, groups)


def _device(path: Path, root: Path, ask: Asked, groups: Mapping[int, str]) -> Device:
    group, group_may = "", False
    with suppress(OSError):
        found = path.stat()
        group = groups.get(found.st_gid, str(found.st_gid))
        group_may = found.st_mode & (stat.S_IRGRP | stat.S_IWGRP) == stat.S_IRGRP | stat.S_IWGRP
    name = "/" + path.relative_to(root).as_posix() if path.is_relative_to(root) else str(path)
    return Device(name, group, group_may, or_else(lambda: ask.may_use(path), False))


def _header(root: Path, ask: Asked) -> Header:
    try:
        chip = ask.header_chip()
    except PermissionError:
        return Header(refused=True)
    except Exception:
        chip = None
    if chip is None:
        return Header()
    lines = {}
    for pin in HEADER_PINS:
        with suppress(Exception):
            lines[pin] = ask.line(chip, pin)
    holders = each(lambda: chips.holders(root))
    kinds = {process.pid: own(process, root) for process in holders}
    return Header(chip, False, lines, holders, {pid: kind for pid, kind in kinds.items() if kind is not None})


def _ports(root: Path, ask: Asked, groups: Mapping[int, str]) -> Iterator[Port]:
    for path, vendor, product, title in each(ask.ports):
        device = _device(root / path.removeprefix("/") if path.startswith("/") else Path(path), root, ask, groups)
        yield Port(device, vendor, product, title, _openers(root, path))


def _openers(root: Path, device: str) -> tuple[Process, ...]:
    """The programs that can be seen to have a file open; those of other users only root sees."""
    return each(lambda: processes.holders(lambda name: name == device, root))


def _folder(path: Path) -> Folder:
    """How it is with a folder; with one that is not there yet, how it is with the one that it would be made in."""
    with suppress(OSError, ValueError):
        there = next((place for place in (path, *path.absolute().parents) if files.exists(place)), path)
        writable = there.is_dir() and os.access(there, os.W_OK | os.X_OK)
        return Folder(str(path), writable, shutil.disk_usage(there).free)
    return Folder(str(path), False)


def _service(root: Path) -> Service | None:
    file = root / unit.UNITS.relative_to(_ROOT) / unit.NAME
    if not files.exists(file):
        return None
    written = files.values(file)
    options = _options(files.text(file) or "")
    return Service(written.get("User", ""), frozenset(written.get("SupplementaryGroups", "").split()), options)


def _options(written: str) -> tuple[str, ...] | None:
    """The options for ``popout play`` in a unit file of `popout.service.unit`."""
    started = _STARTED.findall(written)
    try:
        words = shlex.split(started[0]) if len(started) == 1 else []
        options = words[words.index("play") + 1 :]
    except ValueError:  # a quotation mark without its other one, or no such word
        return None
    plain = [word.replace("%%", "").replace("$$", "") for word in options]
    if any("%" in word or "$" in word for word in plain):  # what systemd fills in
        return None
    return tuple(word.replace("%%", "%").replace("$$", "$") for word in options if word != "--no-browser")


def _next_buffer(command_line: Path) -> int | None:
    """How many bytes SPI sends in one piece, by the line with which the kernel is started."""
    found = _BUFFER.findall(files.text(command_line) or "")
    return int(found[-1]) if found else None


def _is_id(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) < 11
