"""What an installation has to do with: the firmware, the person who wants it, and the computer on which it runs."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from popout.board.serial.port import touch
from popout.board.serial.ports import SerialPort, ports
from popout.board.serial.talking import greet
from popout.board.serial.wire import Wire
from popout.firmware import drives as disks
from popout.firmware.drives import Drive
from popout.rules.messages import Message


@dataclass(frozen=True, slots=True)
class Firmware:
    """What is to be installed.

    :ivar data: the UF2 file. :ivar digest: of its layout. :ivar compiled: whether it was made of this program's
        own sources, so that its version is known.
    """

    data: bytes
    model: str
    digest: str
    compiled: bool


@dataclass(frozen=True, slots=True)
class Person:
    """Who wants it: told what is done, and asked what may be.

    :ivar say: shows a sentence. :ivar may: whether what is on a Pico may be replaced; None if nobody can be asked.
    :ivar waits: whether somebody is there who can plug in a Pico meanwhile.
    """

    say: Callable[[Message], None]
    may: Callable[[Message], bool] | None
    waits: bool


@dataclass(frozen=True, slots=True)
class Computer:
    """All that is asked of the computer: the drives, the ports and what is on them, and the time in seconds."""

    drives: Callable[[], Sequence[Drive]] = disks.drives
    unmounted: Callable[[], Sequence[Path]] = disks.unmounted
    mount: Callable[[Path], None] = disks.mount
    drive_at: Callable[[Path], Drive] = disks.drive_at
    copy: Callable[[bytes, Drive], None] = disks.copy
    ports: Callable[[], Sequence[SerialPort]] = ports
    greet: Callable[[SerialPort], Wire] = greet
    touch: Callable[[str], None] = touch
    now: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep
