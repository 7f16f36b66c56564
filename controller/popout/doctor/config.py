"""The firmware's ``config.txt``, read as far as it says which pins the kernel has and how fast the lamps' bus is.

The rules are those of the Raspberry Pi documentation, "config.txt": sections such as ``[pi4]`` hold for one model,
``dtparam`` sets a parameter of the overlay above it or of the Pi itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from popout.board.gpio.machine import Machine
from popout.doctor import files

PLACES: Final = ("boot/firmware/config.txt", "boot/config.txt")
"""Where it is: since Debian 12, and before. Where both are, the other only says that it has moved."""

_DEEPEST = 3
"""So many files may include each other."""

_OF_THE_PI = {
    *("audio", "i2c", "i2c_arm", "i2c_vc", "i2c0", "i2c1", "i2s", "spi", "uart0", "uart0_console"),
}
"""The parameters of the Pi itself that matter here, also where they stand below an overlay."""

_MODELS: Final = {
    "pi0": r"Zero",
    "pi0w": r"Zero (2 )?W",
    "pi02": r"Zero 2",
    "pi3+": r"3 Model [AB] Plus",
    "pi400": r"Pi 400",
    "pi500": r"Pi 500",
    **{name: rf"Compute Module {number}\b" for name, number in (("cm1", 1), ("cm3", 3), ("cm4", 4), ("cm5", 5))},
    "cm3+": r"Compute Module 3 Plus",
    "cm4s": r"Compute Module 4S",
    "cm0": r"Compute Module 0",
}
_GENERATIONS: Final = {"pi1": 1, "pi2": 2, "pi3": 3, "pi4": 4, "pi5": 5}


@dataclass(frozen=True, slots=True)
class Line:
    """A line that holds for this Pi.

    :ivar file: the file it stands in. :ivar number: from 1. :ivar text: as it is written.
    """

    file: str
    number: int
    text: str


@dataclass(frozen=True, slots=True)
class Parameter:
    """What a parameter was set to last."""

    value: str
    line: Line

    @property
    def on(self) -> bool:
        """Whether it switches its thing on."""
        return self.value.lower() in ("", "on", "y", "yes", "true", "1")


@dataclass(frozen=True, slots=True)
class Overlay:
    """An overlay that is loaded, with the parameters that it is given."""

    name: str
    parameters: dict[str, str]
    line: Line


@dataclass(frozen=True, slots=True)
class Config:
    """What ``config.txt`` says.

    :ivar file: its path; empty if there is none. :ivar parameters: those of the Pi itself.
    :ivar values: the other settings, such as ``core_freq``.
    """

    file: str = ""
    parameters: dict[str, Parameter] = field(default_factory=dict)
    overlays: tuple[Overlay, ...] = ()
    values: dict[str, Parameter] = field(default_factory=dict)

    def is_on(self, *names: str) -> bool:
        """Whether one of these parameters of the Pi itself is switched on."""
        return any(name in self.parameters and self.parameters[name].on for name in names)

    def value(self, name: str) -> str:
        """What a setting such as ``core_freq`` is set to; empty if it is not."""
        return self.values[name].value if name in self.values else ""


def read(root: Path, machine: Machine) -> Config:
    """What holds for this Pi. Never raises: a file that cannot be read says nothing."""
    place = next((place for place in PLACES if files.exists(root / place)), None)
    if place is None:
        return Config()
    parameters: dict[str, Parameter] = {}
    values: dict[str, Parameter] = {}
    overlays: list[Overlay] = []
    below: Overlay | None = None
    for line in _lines(root, Path(place), machine, _DEEPEST):
        key, _, value = (part.strip() for part in line.text.partition("="))
        if key in ("dtoverlay", "device_tree_overlay"):
            name, _, given = value.partition(",")
            below = Overlay(name.partition(":")[0].strip(), _pairs(given), line) if name.strip() else None
            if below is not None:
                overlays.append(below)
        elif key in ("dtparam", "device_tree_param"):
            for name, given in _pairs(value).items():
                if below is not None and name not in _OF_THE_PI:
                    below.parameters[name] = given
                else:
                    parameters[name] = Parameter(given, line)
        else:
            values[key] = Parameter(value, line)
    return Config(f"/{place}", parameters, tuple(overlays), values)


def beside(found: Config, name: str) -> str:
    """The path of another file of the firmware, which lies in the same folder."""
    return str(Path(found.file or f"/{PLACES[0]}").with_name(name))


def _lines(root: Path, place: Path, machine: Machine, deepest: int) -> Iterator[Line]:
    for_model = for_rest = True
    for number, written in enumerate((files.text(root / place) or "").splitlines(), start=1):
        text = written.strip()
        if section := re.fullmatch(r"\[(.*)\]", text):
            name = section[1].strip().lower()
            if name == "all":
                for_model = for_rest = True
            elif (matches := _matches(name, machine)) is not None:
                for_model = matches
            else:
                # What hangs on a screen, a serial number or a pin is not known here; [HDMI:0] excludes nothing.
                for_rest = name.startswith("hdmi:")
        elif text and not text.startswith("#") and for_model and for_rest:
            if (included := re.fullmatch(r"include\s+(\S+)", text)) is None:
                yield Line(f"/{place}", number, text)
            elif deepest > 0:
                yield from _lines(root, place.parent / included[1], machine, deepest - 1)


def _matches(section: str, machine: Machine) -> bool | None:
    """Whether a section for a model holds for this one; None if it is no such section."""
    if section in _MODELS:
        return re.search(_MODELS[section], machine.model) is not None
    if section in _GENERATIONS:
        # A Zero is no Pi 1 and a Zero 2 no Pi 3, though their processors are.
        return machine.generation == _GENERATIONS[section] and "Zero" not in machine.model
    return None


def _pairs(text: str) -> dict[str, str]:
    pairs = (part.partition("=") for part in text.split(",") if part.strip())
    return {name.strip(): value.strip() for name, _, value in pairs}
