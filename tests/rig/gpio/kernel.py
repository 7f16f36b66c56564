"""The kernel of the rig: made once from Debian's kernel source, and kept outside of the checkout.

PYTHONPATH=tests python -m rig.gpio.kernel      makes it if there is none, and prints where it is
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

HERE = Path(__file__).parent
BUILD = HERE / "build_kernel.sh"
CONFIG = HERE / "kernel.config"
TOOLS = ("bc", "bison", "flex", "gcc", "libc6-dev", "make", "xz-utils")


class RigError(Exception):
    """The rig cannot be used; the text says why and what to type."""


@dataclass(frozen=True)
class Source:
    """A package of kernel source, such as ``linux-source-6.1`` in version ``6.1.192-3``."""

    package: str
    version: str


def kernel() -> Path:
    """The kernel. It is made first if it was not yet, or if Debian's source or the files here have changed since.

    Of several that ask for it at once, one makes it and the others wait. One that is stopped while it does leaves no
    half of a kernel behind.

    :raises RigError: it cannot be made here.
    """
    source = _offered()
    if source is not None and _place(source).exists():
        return _place(source)
    folder = cache()
    folder.mkdir(parents=True, exist_ok=True)
    with _alone(folder / "lock"):
        source = _newest_source()
        if not _place(source).exists():
            _make(source, folder / "making")
        return _place(source)


def cache() -> Path:
    """The folder in which kernels are kept."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "popout" / "rigs" / "gpio"


def fingerprint(source: Source) -> str:
    """What changes whenever the kernel would: hexadecimal."""
    parts = (BUILD.read_bytes(), CONFIG.read_bytes(), source.package.encode(), source.version.encode())
    return hashlib.sha256(b"\0".join(parts)).hexdigest()[:16]


def _place(source: Source) -> Path:
    return cache() / f"linux-{fingerprint(source)}"


def _newest_source() -> Source:
    """What is offered after a look at what there is today, where that is allowed; else as far as apt knows."""
    if os.geteuid() == 0 and shutil.which("apt-get"):
        _run("apt-get", "update", "-qq")
    source = _offered()
    if source is None:
        raise RigError(
            "The rig's kernel is made from Debian's package linux-source, of which apt knows nothing here. "
            "On Debian, type: sudo apt-get update"
        )
    return source


def _offered() -> Source | None:
    """The kernel source that this Debian offers, as far as apt knows."""
    if shutil.which("apt-cache") is None:
        return None
    asked = subprocess.run(
        ["apt-cache", "show", "--no-all-versions", "linux-source"], capture_output=True, text=True, check=False
    )
    package = re.search(r"^Depends:.*\b(linux-source-[\d.]+)", asked.stdout, re.MULTILINE)
    version = re.search(r"^Version: (\S+)", asked.stdout, re.MULTILINE)
    return Source(package[1], version[1]) if package and version else None


def _make(source: Source, scratch: Path) -> None:
    _fetch_tools()
    print(f"Making the rig's kernel of {source.package} {source.version}; this takes some minutes ...", flush=True)
    shutil.rmtree(scratch, ignore_errors=True)  # of one that was killed
    scratch.mkdir()
    try:
        built = scratch / "built"
        _run(str(BUILD), source.package, source.version, str(built), folder=scratch)
        built.replace(_place(source))
    finally:
        shutil.rmtree(scratch)


def _fetch_tools() -> None:
    missing = [tool for tool in TOOLS if not _installed(tool)]
    if not missing:
        return
    if os.geteuid() != 0:
        raise RigError(
            f"The rig's kernel cannot be made without {', '.join(missing)}. "
            f"Type: sudo apt-get install {' '.join(missing)}"
        )
    print(f"Installing {', '.join(missing)} ...", flush=True)
    _run("apt-get", "install", "-qq", "--yes", "--no-install-recommends", *missing)


def _installed(package: str) -> bool:
    asked = subprocess.run(
        ["dpkg-query", "--show", "--showformat=${Status}", package], capture_output=True, text=True, check=False
    )
    return asked.stdout == "install ok installed"


def _run(*command: str, folder: Path | None = None) -> None:
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive", "LC_ALL": "C"}
    try:
        # In a session of its own, so that it can be stopped with everything that it has started.
        running = subprocess.Popen(
            command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, start_new_session=True
        )
    except OSError as error:
        raise RigError(f"The rig's kernel could not be made: {error}") from error
    try:
        status = running.wait()
    except BaseException:
        os.killpg(running.pid, signal.SIGKILL)
        running.wait()
        raise
    if status:
        raise RigError(f"The rig's kernel could not be made: {command[0]} ended with {status}.")


@contextmanager
def _alone(lock: Path) -> Iterator[None]:
    with lock.open("w") as opened:
        try:
            fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            print("Waiting for another run that makes the rig's kernel ...", flush=True)
            fcntl.flock(opened, fcntl.LOCK_EX)
        yield


def leave(number: int, _: object) -> NoReturn:
    """End because of a signal, and clear away what there is to clear away."""
    sys.exit(128 + number)


def main() -> int:
    """Print the path of the kernel."""
    signal.signal(signal.SIGTERM, leave)
    try:
        print(kernel())
    except RigError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
