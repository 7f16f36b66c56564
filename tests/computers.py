"""Made-up computers: a tree of the files that say what a computer is, and answers to what no file says."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Literal

from popout.board.chain import CellLamps, Chain
from popout.board.contacts import Expander
from popout.board.gpio.chips import Chip, Line
from popout.board.layout import Layout
from popout.doctor.facts import Device, Facts, gather
from popout.doctor.finding import Finding
from popout.doctor.findings import examine
from popout.doctor.system import Asked, Package, Python, UsbPort

PICO = UsbPort("/dev/ttyACM0", 0x2E8A, 0x0005, "Pop Out board")

HOME = "/srv/ann/popout"
PYTHON = Python((3, 11), 64, "aarch64", f"{HOME}/bin/python", HOME, (f"{HOME}/bin/popout",))

BOOKWORM = 'PRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\nVERSION_CODENAME=bookworm\nID=debian\n'
TRIXIE = BOOKWORM.replace("12", "13").replace("bookworm", "trixie")

GOOD = {
    "gpiozero": "2.0.1.post3",
    "lgpio": "0.2.2.0",
    "rpi-lgpio": "0.6",
    "Adafruit-Blinka": "10.0.0",
    "adafruit-circuitpython-neopixel-spi": "1.0.16",
}
MODULES = ("Adafruit_PureIO", "neopixel_spi", "neopixel", "gpiod")


class Computer:
    """A computer in a folder. What is not set is as on a laptop with nothing on it, whose user is Ann.

    :ivar packages: the versions of the packages of the pins by their names. :ivar modules: the Python modules of lamps.
    :ivar chip: the chip of the header; an error to be raised instead of it. :ivar lines: its lines that are used.
    """

    def __init__(self, root: Path) -> None:
        self.root = root
        self.python = PYTHON
        self.packages: dict[str, str] = {}
        self.modules: Iterable[str] = MODULES
        self.chip: Chip | Exception | None = None
        self.lines: dict[int, str] = {}
        self.ports: list[UsbPort] = []
        self.running: list[int] = []
        self.group_ids = [1000, 997, 996, 995, 994]
        self.is_root = False
        self.refused: set[str] = set()
        self.write("etc/os-release", BOOKWORM)
        self.write("proc/sys/kernel/osrelease", "6.1.0-18-amd64\n")
        self.write("etc/passwd", "root:x:0:0::/:/bin/bash\nann:x:1000:1000::/srv/ann:/bin/bash\n")
        self.enrol("gpio", "spi", "i2c", "dialout")

    def enrol(self, *groups: str) -> None:
        """Let Ann be in these groups of a system that has all that matter."""
        numbers = {"gpio": 997, "spi": 996, "i2c": 995, "dialout": 994}
        lines = [f"{name}:x:{number}:{'ann' if name in groups else ''}" for name, number in numbers.items()]
        self.write("etc/group", "\n".join(["root:x:0:", "ann:x:1000:", *lines]) + "\n")

    def write(self, path: str, content: str | bytes = "") -> None:
        """Put a file into the tree."""
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content.encode() if isinstance(content, str) else content)

    def config(self, text: str) -> None:
        """Write the firmware's settings."""
        self.write("boot/firmware/config.txt", text)

    def be(self, model: str, revision: int, kernel: str, release: str = BOOKWORM) -> None:
        """Be a Raspberry Pi with Raspberry Pi OS, ready to play: good packages, SPI switched on, nothing in the way."""
        self.write("proc/device-tree/model", f"{model}\0")
        self.write("proc/device-tree/system/linux,revision", revision.to_bytes(4, "big"))
        self.write("proc/sys/kernel/osrelease", f"{kernel}\n")
        self.write("etc/os-release", release)
        self.write("etc/rpi-issue", "Raspberry Pi reference 2024-11-19\n")
        self.write("usr/bin/raspi-config")
        self.write("dev/gpiochip0")
        self.write("dev/spidev0.0")
        self.config("dtparam=spi=on\ncore_freq_fixed=1\n")
        self.packages = dict(GOOD)
        self.header(0, "pinctrl-rp1" if " 5 " in model else "pinctrl-bcm2711" if " 4 " in model else "pinctrl-bcm2835")

    def hold(self, pid: int) -> None:
        """Let a process hold lines of the header."""
        (self.root / f"proc/{pid}/fd").mkdir(parents=True)
        (self.root / f"proc/{pid}/fd/3").symlink_to("anon_inode:gpio-line")

    def header(self, number: int, label: str) -> None:
        """Have a header of this number and label."""
        self.chip = Chip(number, Path(f"/dev/gpiochip{number}"), label, 54)
        self.write(f"dev/gpiochip{number}")

    def facts(self) -> Facts:
        """What the doctor finds out about it."""
        found = gather(self.root, self.asked())
        return replace(found, lamps=replace(found.lamps, packages=frozenset(self.modules), root=self.is_root))

    def asked(self) -> Asked:
        """What it answers."""
        return Asked(
            python=lambda: self.python,
            kernel=lambda: "",
            packages=lambda: [Package(name, version) for name, version in self.packages.items()],
            user_id=lambda: 0 if self.is_root else 1000,
            group_ids=lambda: self.group_ids,
            may_use=lambda path: f"/{path.relative_to(self.root)}" not in self.refused,
            header_chip=self._header_chip,
            line=lambda _, pin: Line(f"GPIO{pin}", pin in self.lines, self.lines.get(pin, "")),
            ports=lambda: self.ports,
            run_folder=lambda: self.root,
            record=lambda: self.root / "games/games.sqlite3",
            running=lambda: self.running,
        )

    def _header_chip(self) -> Chip | None:
        if isinstance(self.chip, Exception):
            raise self.chip
        return self.chip


def laptop(root: Path) -> Computer:
    """A computer that is no Pi."""
    return Computer(root)


def pi_zero_2(root: Path) -> Computer:
    """A Zero 2 W with Raspberry Pi OS bookworm."""
    made = Computer(root)
    made.be("Raspberry Pi Zero 2 W Rev 1.0", 0x902120, "6.6.51+rpt-rpi-v8")
    return made


def pi_3(root: Path) -> Computer:
    """A Pi 3 with Raspberry Pi OS bookworm."""
    made = Computer(root)
    made.be("Raspberry Pi 3 Model B Rev 1.2", 0xA02082, "6.6.51+rpt-rpi-v8")
    return made


def pi_4(root: Path) -> Computer:
    """A Pi 4 with Raspberry Pi OS bookworm."""
    made = Computer(root)
    made.be("Raspberry Pi 4 Model B Rev 1.4", 0xC03114, "6.6.51+rpt-rpi-v8")
    return made


def pi_5(root: Path) -> Computer:
    """A Pi 5 with Raspberry Pi OS trixie, whose Python is 3.13."""
    made = Computer(root)
    made.be("Raspberry Pi 5 Model B Rev 1.0", 0xD04170, "6.12.47+rpt-rpi-2712", TRIXIE)
    made.python = replace(PYTHON, version=(3, 13))
    made.packages["adafruit-lgpio"] = made.packages.pop("lgpio")
    return made


WIRED = Layout.load("7x6-pi")
EXPANDED = replace(WIRED, expanders=(Expander(address=0x20, interrupt="GPIO17"),))
PIP = f"{HOME}/bin/python -m pip"
POPOUT = f"{HOME}/bin/popout"
EDIT = ("sudo nano /boot/firmware/config.txt", "sudo reboot")


def with_lamps(pin: str, route: Literal["auto", "spi", "pwm", "pio"] = "auto") -> Layout:
    """The wired board with its lamps on another pin."""
    cells = CellLamps(start="bottom left", along="column", serpentine=True)
    return replace(WIRED, chain=Chain(pin=pin, order="grb", route=route, parts=(cells,)))


def codes(facts: Facts, layout: Layout | None = WIRED, board: str | None = None, *, severity: str) -> list[str]:
    """The codes of all findings that are as bad."""
    return [each.code for each in examine(facts, layout, board) if each.severity == severity]


def found(facts: Facts, code: str, layout: Layout | None = WIRED, board: str | None = None) -> Finding:
    """The one finding of that code."""
    (only,) = [each for each in examine(facts, layout, board) if each.code == code]
    return only


def says(facts: Facts, code: str, layout: Layout | None = WIRED, board: str | None = None) -> tuple[str, ...]:
    """How bad it is, the sentence, and what to type."""
    it = found(facts, code, layout, board)
    return (it.severity, str(it.text), *it.what_to_type)


def silent(facts: Facts, code: str, layout: Layout | None = WIRED) -> bool:
    """Whether nothing of that code is found."""
    return code not in [each.code for each in examine(facts, layout)]


def device(path: str, group: str, *, may: bool = False, group_may: bool = True) -> Device:
    """A device, which this user may not open unless it is said."""
    return Device(path, group, group_may, may)


CHIP = device("/dev/gpiochip0", "gpio")
SPI = device("/dev/spidev0.0", "spi")


def with_devices(facts: Facts, *devices: Device) -> Facts:
    """With these devices and no others."""
    return replace(facts, devices={each.path: each for each in devices})
