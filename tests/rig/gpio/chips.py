"""Simulated GPIO chips of the guest: made and unmade through the kernel's gpio-sim, and moved as fingers would."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Self

PI_4 = "pinctrl-bcm2711"
"""The label of the chip behind the header of a Raspberry Pi 4."""

_CONFIG = Path("/sys/kernel/config/gpio-sim")


class Chip:
    """A chip of so many lines named ``GPIO0``, ``GPIO1`` and so on, each of which rests high.

    :ivar name: what it was made as.
    :ivar device: its character device, such as ``/dev/gpiochip0``.
    """

    def __init__(self, name: str) -> None:
        """The chip that was made under this name."""
        self.name = name
        self._folder = _CONFIG / name
        chip = (self._folder / "bank" / "chip_name").read_text().strip()
        device = (self._folder / "dev_name").read_text().strip()
        self.device = Path("/dev") / chip
        self._lines = Path("/sys/devices/platform") / device / chip

    @classmethod
    def make(cls, name: str, label: str = PI_4, lines: int = 28) -> Self:
        """Let there be a chip. It takes the lowest number that is free."""
        bank = _CONFIG / name / "bank"
        bank.mkdir(parents=True)
        (bank / "num_lines").write_text(str(lines))
        (bank / "label").write_text(label)
        for number in range(lines):
            line = bank / f"line{number}"
            line.mkdir()
            (line / "name").write_text(f"GPIO{number}")
        return cls.plug(name)

    @classmethod
    def plug(cls, name: str) -> Self:
        """Let a chip that was unplugged be there again. It takes the lowest number that is free."""
        (_CONFIG / name / "live").write_text("1")
        chip = cls(name)
        chip.rest()
        return chip

    @property
    def number(self) -> int:
        """The number in the name of its device."""
        return int(self.device.name.removeprefix("gpiochip"))

    def rest(self) -> None:
        """Let every line be high, as it is when no finger closes its switch."""
        for pull in self._lines.glob("sim_gpio*/pull"):
            pull.write_text("pull-up")

    def unplug(self) -> None:
        """Let the chip be gone, whoever uses it."""
        (self._folder / "live").write_text("0")

    def remove(self) -> None:
        """Let there be no such chip."""
        self.unplug()
        bank = self._folder / "bank"
        for line in bank.glob("line*"):
            line.rmdir()
        bank.rmdir()
        self._folder.rmdir()

    def level(self, line: int) -> bool:
        """Whether the line is high."""
        return (self._attribute(line) / "value").read_text().strip() == "1"

    def wire(self, line: int) -> Wire:
        """The outer end of a line."""
        return Wire(self._attribute(line) / "pull")

    def _attribute(self, line: int) -> Path:
        return self._lines / f"sim_gpio{line}"


class Wire:
    """What hangs on a line: whoever claims the line with a pull of its own overrides it until it is moved again."""

    def __init__(self, pull: Path) -> None:
        self._pull = os.open(pull, os.O_WRONLY)

    def move(self, high: bool) -> None:
        """Connect the line to the supply, or to ground."""
        os.pwrite(self._pull, b"pull-up" if high else b"pull-down", 0)

    def close(self) -> None:
        """Leave it as it is."""
        os.close(self._pull)
