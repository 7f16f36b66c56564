"""Show that what a Raspberry Pi needs can be had there, and that a laptop gets none of it.

    python tools/pi_packages.py

Asks pip, as it is configured, for all that ``.[pi]`` names on 64-bit Raspberry Pi OS, ready-made, and downloads it into
a folder that is thrown away. Ends with 1 and a sentence if something is missing there, or if plain ``.`` brings
hardware.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from packaging.markers import default_environment
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parent.parent
HARDWARE = re.compile(
    r"adafruit-.*|binho-.*|gpiod|gpiozero|(rpi-)?lgpio|pigpio|pyftdi|pyusb|rpi-.*|smbus2?|spidev|sysv-ipc"
)
"""The names, in their plain form, of packages that only a board's hardware needs. PySerial is not one: every computer
may have a board on a USB cable."""


@dataclass(frozen=True, slots=True)
class System:
    """A system on an aarch64 processor: its name, its Python, and the minor number of its glibc, version 2."""

    title: str
    python: str
    glibc: int

    @property
    def environment(self) -> dict[str, str]:
        """What the conditions of requirements are about there."""
        return {
            **default_environment(),
            "implementation_name": "cpython",
            "implementation_version": f"{self.python}.0",
            "os_name": "posix",
            "platform_machine": "aarch64",
            "platform_python_implementation": "CPython",
            "platform_system": "Linux",
            "python_full_version": f"{self.python}.0",
            "python_version": self.python,
            "sys_platform": "linux",
            "extra": "",
        }

    @property
    def options(self) -> list[str]:
        """How pip is asked for packages for it."""
        # The oldest is what "manylinux2014" meant, by which some files are still named.
        platforms = [*(f"manylinux_2_{minor}_aarch64" for minor in range(self.glibc, 16, -1)), "manylinux2014_aarch64"]
        return [
            "--only-binary=:all:",
            "--implementation=cp",
            f"--python-version={self.python}",
            *(f"--platform={platform}" for platform in platforms),
        ]


PATIENCE_S = 300

SYSTEMS = (
    System("Raspberry Pi OS bookworm", python="3.11", glibc=36),
    System("Raspberry Pi OS trixie", python="3.13", glibc=41),
)


@dataclass(frozen=True, slots=True)
class Package:
    """A package that was found: its name, its version, and what it requires in turn."""

    name: str
    version: str
    requires: tuple[str, ...]


class CannotBeInstalled(Exception):
    """Something does not exist for a system, or is there where it should not be; the text says what."""


def applying(requirements: Iterable[str], system: System) -> list[Requirement]:
    """Those that hold on `system`, without their conditions.

    pip itself judges conditions by the Python that it runs on, whichever it is asked for.
    """
    found = []
    for text in requirements:
        requirement = Requirement(text)
        if requirement.marker is None or requirement.marker.evaluate(system.environment):
            requirement.marker = None
            found.append(requirement)
    return found


def resolved(requirements: Sequence[str], system: System) -> dict[str, Package]:
    """All packages that these lead to on `system`, by the plain form of their names.

    :raises CannotBeInstalled: pip finds no ready-made ones that fit together.
    """
    asked = [str(requirement) for requirement in applying(requirements, system)]
    while True:
        found = _asked(asked, system)
        left_out = [
            str(needed)
            for package in found.values()
            for needed in applying(package.requires, system)
            if not _meets(found.get(canonicalize_name(needed.name)), needed)
        ]
        if not left_out:
            return _reached(requirements, found, system)
        asked += left_out


def hardware(names: Iterable[str]) -> list[str]:
    """The packages among `names` that only a board's hardware needs."""
    return sorted(name for name in names if HARDWARE.fullmatch(name))


def check(table: Mapping[str, Any], system: System, folder: Path) -> list[str]:
    """Resolve and download everything for `system` into `folder`, and say what there is, in lines.

    :param table: the ``[project]`` table of a pyproject.toml.
    :raises CannotBeInstalled: see `resolved`; also an empty stub in the place of lgpio, or hardware without the extra.
    """
    plain = resolved(table["dependencies"], system)
    surprising = hardware(plain)
    if surprising:
        raise CannotBeInstalled(f"A plain installation brings packages for hardware: {', '.join(surprising)}.")
    whole = resolved([*table["dependencies"], *table["optional-dependencies"]["pi"]], system)
    pinned = [f"{package.name}=={package.version}" for package in whole.values()]
    _pip(["download", "--no-deps", f"--dest={folder}", *system.options, *pinned], system)
    files = sorted(path.name for path in folder.iterdir())
    if not any(re.match(r"(adafruit_)?lgpio-.*_aarch64\.whl", name) for name in files):
        raise CannotBeInstalled(f"{system.title}: lgpio is not there as a library for aarch64, only an empty stub.")
    size = sum(path.stat().st_size for path in folder.iterdir()) / 1e6
    return [
        f"{system.title}, Python {system.python}, glibc 2.{system.glibc}, aarch64: {len(files)} files, {size:.1f} MB;",
        f"{len(plain)} packages without [pi], none of them for hardware; with it also",
        *(f"  {package.name} {package.version}" for name, package in sorted(whole.items()) if name not in plain),
    ]


def main(root: Path = ROOT) -> None:
    """Check the project in `root` for all systems."""
    table = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    for system in SYSTEMS:
        with tempfile.TemporaryDirectory() as folder:
            try:
                print(*check(table, system, Path(folder)), sep="\n")
            except CannotBeInstalled as error:
                sys.exit(str(error))


def _asked(requirements: Sequence[str], system: System) -> dict[str, Package]:
    """What pip would install, for conditions judged by the Python that runs it."""
    with tempfile.TemporaryDirectory() as folder:
        arguments = ["install", "--dry-run", "--ignore-installed", "--quiet", "--report=-", f"--target={folder}"]
        report = json.loads(_pip([*arguments, *system.options, *requirements], system))
    packages = (entry["metadata"] for entry in report["install"])
    return {
        str(canonicalize_name(package["name"])): Package(
            package["name"], package["version"], tuple(package.get("requires_dist", ()))
        )
        for package in packages
    }


def _reached(requirements: Iterable[str], found: Mapping[str, Package], system: System) -> dict[str, Package]:
    """Those of `found` to which the requirements lead on `system`."""
    reached: dict[str, Package] = {}
    waiting = applying(requirements, system)
    while waiting:
        name = str(canonicalize_name(waiting.pop().name))
        if name not in reached:
            reached[name] = found[name]
            waiting += applying(found[name].requires, system)
    return reached


def _meets(package: Package | None, needed: Requirement) -> bool:
    return package is not None and needed.specifier.contains(package.version, prereleases=True)


def _pip(arguments: Sequence[str], system: System) -> str:
    try:
        ran = subprocess.run(
            [sys.executable, "-m", "pip", "--disable-pip-version-check", *arguments],
            capture_output=True,
            text=True,
            check=False,
            timeout=PATIENCE_S,
        )
    except subprocess.TimeoutExpired:
        # pip before 25 can look through the versions of the packages for hours.
        raise CannotBeInstalled(
            f"{system.title}, Python {system.python}: pip found no answer in {PATIENCE_S} s. Type: make check, so "
            "that a newer pip is installed."
        ) from None
    if ran.returncode != 0:
        said = "\n".join(line for line in ran.stderr.splitlines() if line.startswith("ERROR"))
        raise CannotBeInstalled(f"{system.title}, Python {system.python}: pip finds no packages that fit.\n{said}")
    return ran.stdout


if __name__ == "__main__":
    main()
