"""Run a command in the rig: on a Linux of its own that is a Raspberry Pi 4 with simulated GPIO lines.

    PYTHONPATH=tests python -m rig.gpio.run COMMAND [ARGUMENT ...]

The guest is an ordinary process and needs no rights. Its files are the host's and cannot be written, but for /run
(with its TMPDIR), which is empty at first, and for the folder of ``--out``. Its output is the command's, and so is the
exit status; 124 is that of a command that took too long, 125 that of a guest that died.
"""

from __future__ import annotations

import argparse
import ctypes
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from contextlib import suppress
from pathlib import Path
from typing import IO

from rig.gpio import devicetree
from rig.gpio.chips import PI_4
from rig.gpio.guest import DIED
from rig.gpio.kernel import RigError, kernel, leave

TOO_LONG = 124
MEMORY = "512M"

_NOISE = re.compile(rb"reboot: |random: ")
_NOT_FOR_THE_GUEST = ("HOME", "TMPDIR", "TEMP", "TMP", "PWD", "OLDPWD", "LG_WD", "XDG_CACHE_HOME", "XDG_DATA_HOME")
_KILL_WITH_PARENT = 1


def run(
    command: list[str],
    *,
    linux: Path,
    chips: list[tuple[str, str, int]] | None = None,
    out: Path | None = None,
    limit_s: float = 600,
    to: IO[bytes] | None = None,
) -> int:
    """Run a command in the guest, and answer with its exit status.

    :param linux: the guest's kernel.
    :param chips: name, label and number of lines of each GPIO chip; a Pi 4's alone unless they are named.
    :param out: a folder that the guest may write into.
    :param to: where the output goes; standard output unless it is said.
    """
    to = to or sys.stdout.buffer
    # Short: a socket of the kernel's lies in it, whose path may have 107 letters at most.
    work = Path(tempfile.mkdtemp(prefix="rig"))
    try:
        status = work / "out" / "status"
        status.parent.mkdir()
        (work / "pi.dtb").write_bytes(devicetree.raspberry_pi())
        wanted = {
            "command": command,
            "folder": str(Path.cwd()),
            "environment": _environment(to),
            "chips": chips or [("pi", PI_4, 28)],
            "out": [str(folder) for folder in (status.parent, out) if folder],
            "status": str(status),
        }
        (work / "wanted.json").write_text(json.dumps(wanted), "utf-8")
        _write_init(work)
        arguments = [
            *(f"mem={MEMORY}", "root=none", "rootfstype=hostfs", "rootflags=/", "ro", "quiet"),
            *(f"uml_dir={work}", f"dtb={work / 'pi.dtb'}", f"init={work / 'init'}", "con=null", "con0=null,fd:1"),
        ]
        in_time = _live([str(linux), *arguments], limit_s, to)
        if status.exists():
            return int(status.read_text())
        return DIED if in_time else TOO_LONG
    finally:
        shutil.rmtree(work)


def _environment(to: IO[bytes]) -> dict[str, str]:
    kept = {key: value for key, value in os.environ.items() if key not in _NOT_FOR_THE_GUEST}
    # To the guest its console is always a terminal.
    return kept if to.isatty() else kept | {"TERM": "dumb"}


def _write_init(work: Path) -> None:
    init = work / "init"
    tests = Path(__file__).parents[2]
    init.write_text(
        f"#!/bin/sh\nPYTHONPATH='{tests}' exec '{sys.executable}' -B -m rig.gpio.guest '{work / 'wanted.json'}'\n"
    )
    init.chmod(0o755)


def _live(command: list[str], limit_s: float, to: IO[bytes]) -> bool:
    """Let the kernel live, and pass on what it says; False if it had to be stopped."""
    guest = subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
        preexec_fn=_die_with_parent,
    )
    limit = threading.Timer(limit_s, _kill, (guest,))
    limit.start()
    try:
        assert guest.stdout is not None
        with guest.stdout as said:
            for line in said:
                if not _NOISE.match(line):
                    to.write(line)
                    to.flush()
        guest.wait()
        return not limit.finished.is_set()
    finally:
        limit.cancel()
        _kill(guest)
        guest.wait()


def _die_with_parent() -> None:
    ctypes.CDLL(None).prctl(_KILL_WITH_PARENT, signal.SIGTERM)


def _kill(guest: subprocess.Popen[bytes]) -> None:
    """End the kernel and the processes of the host that its own ones run in."""
    with suppress(ProcessLookupError):
        os.killpg(guest.pid, signal.SIGKILL)


def main() -> int:
    """Run what the command line says."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, help="a folder that the guest may write into")
    parser.add_argument("--limit", type=float, default=600, metavar="SECONDS", help="how long it may take (600)")
    parser.add_argument("command", nargs=argparse.REMAINDER)
    arguments = parser.parse_args()
    if not arguments.command:
        parser.error("no command was named")
    signal.signal(signal.SIGTERM, leave)
    try:
        if arguments.out:
            arguments.out.mkdir(parents=True, exist_ok=True)
            arguments.out = arguments.out.resolve()
        return run(arguments.command, linux=kernel(), out=arguments.out, limit_s=arguments.limit)
    except RigError as error:
        print(error, file=sys.stderr)
        return DIED
    except KeyboardInterrupt:
        return 128 + signal.SIGINT


if __name__ == "__main__":
    sys.exit(main())
