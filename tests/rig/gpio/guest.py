"""The first process of the guest: it makes a Raspberry Pi of the bare kernel, runs the command and switches it off.

It is started by `rig.gpio.run`, with the file that says what to run.
"""

from __future__ import annotations

import ctypes
import fcntl
import json
import os
import socket
import struct
import subprocess
import sys
import termios
import traceback
from pathlib import Path

from rig.gpio import chips, devicetree

DIED = 125

_BIND = 4096
_POWER_OFF = 0x4321FEDC
_SET_FLAGS, _UP = 0x8914, 0x41

_libc = ctypes.CDLL(None, use_errno=True)


def main() -> None:
    """Run what the file of the first argument says; it is a JSON object as `rig.gpio.run` writes it."""
    status = DIED
    wanted = json.loads(Path(sys.argv[1]).read_text("utf-8"))
    try:
        _mount_everything(wanted["out"])
        _plain_console()
        _raise_loopback()
        _pretend_to_be_a_pi()
        for name, label, lines in wanted["chips"]:
            chips.Chip.make(name, label, lines)
        status = _run(wanted["command"], Path(wanted["folder"]), wanted["environment"])
    except BaseException:
        traceback.print_exc()
    finally:
        Path(wanted["status"]).write_text(str(status))
        sys.stdout.flush()
        os.sync()
        _libc.reboot(_POWER_OFF)


def _mount_everything(outs: list[str]) -> None:
    _mount("proc", "/proc")
    _mount("sysfs", "/sys")
    _mount("configfs", "/sys/kernel/config")
    _mount("tmpfs", "/run")
    for folder, kind in (("/dev/pts", "devpts"), ("/dev/shm", "tmpfs")):
        Path(folder).mkdir(exist_ok=True)
        _mount(kind, folder)
    for folder in ("/run/tmp", "/run/user"):
        Path(folder).mkdir()
    for out in outs:
        _mount("hostfs", out, options=out)


def _mount(kind: str, folder: str, *, options: str = "") -> None:
    if _libc.mount(b"none", folder.encode(), kind.encode(), 0, options.encode() or None):
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number), folder)


def _plain_console() -> None:
    """Let what is written to the console come out as it is, and only what is fatal of the kernel's own."""
    Path("/proc/sys/kernel/printk").write_text("2")
    settings = termios.tcgetattr(1)
    settings[1] &= ~termios.OPOST
    termios.tcsetattr(1, termios.TCSANOW, settings)


def _raise_loopback() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        fcntl.ioctl(any_socket, _SET_FLAGS, struct.pack("16sh", b"lo", _UP))


def _pretend_to_be_a_pi() -> None:
    """Write into /proc/cpuinfo what older programs look for; the device tree is the kernel's own."""
    text = Path("/proc/cpuinfo").read_text()
    text += f"Revision\t: {devicetree.PI_4_REVISION:x}\nModel\t\t: {devicetree.PI_4_MODEL}\n"
    pretended = Path("/run/cpuinfo")
    pretended.write_text(text)
    if _libc.mount(str(pretended).encode(), b"/proc/cpuinfo", None, _BIND, None):
        raise OSError(ctypes.get_errno(), "/proc/cpuinfo cannot be replaced")


def _run(command: list[str], folder: Path, environment: dict[str, str]) -> int:
    own = {"HOME": "/run/user", "TMPDIR": "/run/tmp", "XDG_RUNTIME_DIR": "/run/user", "RIG_GPIO": "guest"}
    process = subprocess.Popen(command, cwd=folder, env=environment | own, stdin=subprocess.DEVNULL)
    while True:
        ended, status = os.wait()  # the orphans of others too
        if ended == process.pid:
            code = os.waitstatus_to_exitcode(status)
            return code if code >= 0 else 128 - code


if __name__ == "__main__":
    main()
