"""A computer in a folder, to which Picos are plugged in: as boards, as drives of their boot loader, or as others."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from popout import __version__
from popout.board.driver import BoardError
from popout.board.layout import Layout
from popout.board.serial import talking
from popout.board.serial.description import description, digest
from popout.board.serial.hello import Hello
from popout.board.serial.ports import SerialPort
from popout.firmware import answer
from popout.firmware.computer import Computer, Firmware, Person
from popout.firmware.drives import Drive, copy, drives, unmounted
from popout.firmware.errors import FirmwareError
from popout.firmware.image import description_in, with_description
from popout.firmware.install import Installation
from popout.firmware.uf2 import Image, read_uf2, write_uf2
from popout.link.words import TO_BOOT_LOADER
from popout.rules.messages import Message
from serial_boards import LAYOUT, PtyBoard

LABELS = {"pico": "RPI-RP2", "pico2": "RP2350"}
FILE = "popout.uf2"


def about(board: str) -> str:
    """What a boot loader has on its drive."""
    return f"UF2 Bootloader v3.0\r\nModel: Raspberry Pi\r\nBoard-ID: {board}\r\n"


def base(model: str = "pico") -> bytes:
    """A firmware without a layout."""
    return write_uf2(Image.of(model, b"code of a Pop Out board"))


def firmware(model: str = "pico", layout: Layout = LAYOUT) -> bytes:
    """A firmware for a layout."""
    return write_uf2(with_description(read_uf2(base(model), "base"), description(layout), "base"))


class Bench:
    """The computer, whose time passes when somebody waits.

    :ivar root: where its files begin. :ivar boards: that are plugged in. :ivar others: what else is on serial ports.
    :ivar touched: the ports that were opened at 1200 baud; :ivar mounted: the devices that were mounted.
    :ivar version: of what is in the firmware that is installed; None if it starts nothing.
    :ivar takes: whether the boot loader takes a firmware. :ivar installed: the files that were taken.
    :ivar copy: what writes a firmware onto a drive. :ivar later: what happens at which time.
    """

    def __init__(self, root: Path) -> None:
        self.root = root
        self.boards: list[PtyBoard] = []
        self.others: list[SerialPort] = []
        self.touched: list[str] = []
        self.mounted: list[Path] = []
        self.version: str | None = __version__
        self.takes = True
        self.digest: str | None = None
        self.copy: Callable[[bytes, Drive], None] = copy
        self.installed: list[bytes] = []
        self.later: list[tuple[float, object]] = []
        self.now = 0.0
        self._plugged = ExitStack()
        self._labels = root / "dev/disk/by-label"
        (root / "proc/self").mkdir(parents=True)
        (root / "proc/self/mounts").write_text("/dev/sda1 / ext4 rw 0 0\n", "utf-8")

    @property
    def computer(self) -> Computer:
        return Computer(
            drives=self.drives,
            unmounted=lambda: unmounted("linux", self.root),
            mount=self._mount,
            copy=self.copy,
            ports=self.ports,
            touch=self._touch,
            now=lambda: self.now,
            sleep=self._sleep,
        )

    def board(self, **options: object) -> PtyBoard:
        """Plug a board in."""
        self.boards.append(self._plugged.enter_context(PtyBoard(**options)))  # type: ignore[arg-type]
        return self.boards[-1]

    def other_pico(self, device: str = "/dev/ttyACM5") -> None:
        """Plug a Pico in on which another MicroPython runs."""
        self.others.append(SerialPort(device, 0x2E8A, 0x0005, "E1", "Board in FS mode"))

    def hold_bootsel(self, model: str = "pico", user: str = "me") -> Path:
        """Plug a Pico in while its button is held; the desktop mounts its drive."""
        folder = self.root / "media" / user / LABELS[model]
        folder.mkdir(parents=True)
        (folder / "INFO_UF2.TXT").write_text(about(LABELS[model]), "utf-8")
        return folder

    def not_mounted(self, model: str = "pico", device: str = "sdb1") -> Path:
        """Plug a Pico in while its button is held, where no desktop mounts its drive."""
        label = self._labels / LABELS[model]
        self._labels.mkdir(parents=True, exist_ok=True)
        label.unlink(missing_ok=True)  # the last one that is plugged in has it
        label.symlink_to(f"../../{device}")
        return self.root / "dev" / device

    def drives(self) -> tuple[Drive, ...]:
        self._pass()
        return drives("linux", self.root)

    def ports(self) -> tuple[SerialPort, ...]:
        self._pass()
        return (*(board.usb for board in self.boards if board.plugged), *self.others)

    def close(self) -> None:
        self._plugged.close()

    def _pass(self) -> None:
        for each in [each for each in self.later if each[0] <= self.now]:
            self.later.remove(each)
            assert callable(each[1])
            each[1]()
        for board in self.boards:
            if board.plugged and board.end.wish == TO_BOOT_LOADER:
                board.unplug()
                self.hold_bootsel(board.about[2])
        for drive in drives("linux", self.root):
            if self.takes and (drive.folder / FILE).exists():
                self._start(drive)

    def _start(self, drive: Drive) -> None:
        data = (drive.folder / FILE).read_bytes()
        image = read_uf2(data, FILE)
        self.installed.append(data)
        shutil.rmtree(drive.folder)
        if self.version is not None:
            digest = self.digest or str(description_in(image, FILE)["digest"])
            self.board(layout_digest=digest, unique="E660BB", about=(self.version, "power-on", image.model))

    def _mount(self, device: Path) -> None:
        self.mounted.append(device)
        label = next(label for label in self._labels.iterdir() if label.resolve() == device)
        label.unlink()
        self.hold_bootsel(next(model for model in LABELS if LABELS[model] == label.name))

    def _touch(self, device: str) -> None:
        self.touched.append(device)
        self.others = [port for port in self.others if port.device != device]
        board = next((board for board in self.boards if board.plugged and board.port == device), None)
        if board is not None:
            board.unplug()
        self.later.append((self.now + 1, self.hold_bootsel))

    def _sleep(self, seconds: float) -> None:
        self.now += seconds
        time.sleep(0.001)  # the boards live in real time


class Story:
    """An installation, and what was said and asked meanwhile."""

    def __init__(self, bench: Bench) -> None:
        self.bench = bench
        self.said: list[str] = []
        self.asked: list[str] = []
        self.made: list[str] = []
        self.allowed: bool | None = None
        self.waits = False
        self.compiled = True

    def install(
        self, *, model: str | None = None, device: str | None = None, drive: Path | None = None
    ) -> tuple[str, Hello]:
        person = Person(
            lambda message: self.said.append(str(message)), None if self.allowed is None else self._may, self.waits
        )
        port, hello = Installation(self._make, model, person, self.bench.computer).run(device, drive)
        return port.device, hello

    def refused(self, kind: type[FirmwareError] | type[BoardError], **options: object) -> str:
        with pytest.raises(kind) as caught:
            self.install(**options)  # type: ignore[arg-type]
        return str(caught.value.message)

    def _make(self, model: str) -> Firmware:
        self.made.append(model)
        return Firmware(firmware(model), model, digest(LAYOUT), self.compiled)

    def _may(self, what: Message) -> bool:
        self.asked.append(str(what))
        return bool(self.allowed)


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    bench = Bench(tmp_path / "computer")
    yield bench
    bench.close()


@pytest.fixture
def story(bench: Bench) -> Story:
    return Story(bench)


@pytest.fixture
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever waits for a board does not do so for long."""
    monkeypatch.setattr(talking, "GREETED_WITHIN_S", 0.2)
    monkeypatch.setattr(answer, "BOARD_WITHIN_S", 1.0)
