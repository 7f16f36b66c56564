"""Debian's sources for the firmware, and its tools to compile it: asked of apt, which knows where they are.

The sources are of one release of Debian, whatever release runs here, so that it is the same firmware everywhere. They
are fetched by an apt with its own configuration, which shares with the system's only where it fetches from.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from popout.firmware.errors import FirmwareError
from popout.rules.messages import Message

RELEASE: Final = "trixie"
SOURCES: Final = ("micropython", "mbedtls")
"""Source packages that go into the firmware."""
PACKAGES: Final = ("pico-sdk-source", "tinyusb-source")
"""Packages that are nothing but sources, which go in too."""
TOOLS: Final = (
    *("gcc-arm-none-eabi", "libnewlib-arm-none-eabi", "libstdc++-arm-none-eabi-newlib"),
    *("cmake", "make", "g++", "dpkg-dev", "python3"),
)

STILL_S: Final = 20
"""How often whoever waits for a command is told that it still runs."""

_MOST_LETTERS: Final = 200
_KEYS = Path("/usr/share/keyrings/debian-archive-keyring.gpg")


class NotDebian(FirmwareError):
    """This computer has no Debian, whose sources and tools are needed."""

    code = "not-debian"


class ToolsMissing(FirmwareError):
    """Packages are missing that only root may install."""

    code = "tools-missing"


class BuildFailed(FirmwareError):
    """A command of the build failed."""

    code = "build-failed"


def check_is_debian() -> None:
    """Refuse a system where the firmware cannot be built.

    :raises NotDebian: it is none of Debian's family.
    """
    if shutil.which("apt-get") is None or not _KEYS.exists():
        raise NotDebian(
            Message(
                "The firmware is compiled from Debian's sources with Debian's tools, and this is no Debian. Build it "
                "on a Debian or a Raspberry Pi, and give the file from there to “popout firmware build --base”."
            )
        )


def missing_tools() -> list[str]:
    """Those of `TOOLS` that are not installed."""
    asked = subprocess.run(
        ["dpkg-query", "--show", "--showformat=${Package} ${Status}\n", *TOOLS],
        capture_output=True,
        text=True,
        check=False,
    )
    installed = {line.split()[0] for line in asked.stdout.splitlines() if line.endswith("install ok installed")}
    return [tool for tool in TOOLS if tool not in installed]


def check_may_install(tools: Sequence[str]) -> None:
    """Refuse to go on where tools are missing and this user cannot install them.

    :raises ToolsMissing: with what to type.
    """
    if tools and os.geteuid() != 0:
        raise ToolsMissing(
            Message(
                "The firmware cannot be compiled without the packages {tools}. Type: {command}",
                tools=", ".join(tools),
                command=f"sudo apt-get install --no-install-recommends {' '.join(tools)}",
            )
        )


class Apt:
    """An apt of our own in a folder, which knows the sources of one release of Debian.

    :ivar environment: the variables with which apt's commands are this one's.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._configuration = folder / "apt.conf"
        self.environment: Mapping[str, str] = {**plain_environment(), "APT_CONFIG": str(self._configuration)}

    def versions(self) -> dict[str, str] | None:
        """The version of each package of sources, as far as is known without asking the network; None if not of all."""
        if not self._configuration.exists():
            return None
        found = {
            **{package: self._ask("showsrc", "--only-source", package) for package in SOURCES},
            **{package: self._ask("show", "--no-all-versions", package) for package in PACKAGES},
        }
        known = {package: version for package, version in found.items() if version is not None}
        return known if len(known) == len(found) else None

    def update(self, log: Path) -> None:
        """Look at what there is today.

        :raises FirmwareError: the system's apt does not know where Debian is, or Debian cannot be reached.
        """
        self._write_configuration(_mirror(log))
        run(["apt-get", "update", "-q"], log, self.environment)

    def _write_configuration(self, mirror: str) -> None:
        for part in ("lists/partial", "cache/archives/partial", "sources.d"):
            (self._folder / part).mkdir(parents=True, exist_ok=True)
        (self._folder / "status").touch()
        (self._folder / "sources.d" / "debian.sources").write_text(
            f"Types: deb deb-src\nURIs: {mirror}\nSuites: {RELEASE}\nComponents: main\nSigned-By: {_KEYS}\n", "utf-8"
        )
        settings = {
            "Dir::Etc::sourcelist": "/dev/null",
            "Dir::Etc::sourceparts": str(self._folder / "sources.d"),
            "Dir::Etc::preferencesparts": "/dev/null",
            "Dir::State::lists": str(self._folder / "lists"),
            "Dir::State::status": str(self._folder / "status"),  # what is installed here does not matter
            "Dir::Cache": str(self._folder / "cache"),
            "Acquire::Languages": "none",
            "APT::Update::Error-Mode": "any",
            "APT::Sandbox::User": "root",  # apt's own user may not enter this folder
        }
        self._configuration.write_text("".join(f'{key} "{value}";\n' for key, value in settings.items()), "utf-8")

    def _ask(self, *question: str) -> str | None:
        asked = subprocess.run(
            ["apt-cache", *question], env=dict(self.environment), capture_output=True, text=True, check=False
        )
        version = re.search(r"^Version: (\S+)", asked.stdout, re.MULTILINE)
        return version[1] if version else None


def _mirror(log: Path) -> str:
    """Where the system gets its Debian from."""
    found = _known_mirror()
    if found is None and os.geteuid() == 0:
        run(["apt-get", "update", "-q"], log)
        found = _known_mirror()
    if found is None:
        raise NotDebian(
            Message(
                "The firmware is compiled from Debian's sources, and apt does not know here where those are. If this "
                "is a Debian, type: {command}",
                command="sudo apt-get update",
            )
        )
    return found


def _known_mirror() -> str | None:
    asked = subprocess.run(
        ["apt-get", "indextargets", "--format", "$(LABEL) $(SITE)", "Created-By: Packages"],
        capture_output=True,
        text=True,
        check=False,
    )
    for line in asked.stdout.splitlines():
        label, _, site = line.rpartition(" ")
        if label == "Debian":  # and not its security updates, which are elsewhere, nor what others add
            return site
    return None


def install(tools: Sequence[str], log: Path) -> None:
    """Install packages. Only root may."""
    run(["apt-get", "update", "-q"], log)
    run(["apt-get", "install", "-q", "--yes", "--no-install-recommends", *tools], log)


def plain_environment() -> dict[str, str]:
    """The environment for commands that nobody watches, and whose answers are read by programs."""
    return {**os.environ, "DEBIAN_FRONTEND": "noninteractive", "LC_ALL": "C"}


def run(
    command: Sequence[str],
    log: Path,
    environment: Mapping[str, str] | None = None,
    *,
    still: Callable[[int], None] = lambda _: None,
    keep_open: Sequence[int] = (),
) -> None:
    """Run a command; what it says is added to the log. Stopped with it is all that it has started.

    :param still: told now and then for how many seconds it has run.
    :param keep_open: files that it and all that it starts have open, by their descriptors.
    :raises BuildFailed: it could not be started, or failed.
    """
    with log.open("ab") as said:
        said.write(f"$ {' '.join(command)}\n".encode())
        said.flush()
        try:
            running = subprocess.Popen(
                command,
                env=dict(plain_environment() if environment is None else environment),
                stdin=subprocess.DEVNULL,
                stdout=said,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                pass_fds=keep_open,
            )
        except OSError as error:
            raise BuildFailed(
                Message(
                    "The firmware could not be built: {command} cannot be run ({reason}).",
                    command=command[0],
                    reason=error.strerror or str(error),
                )
            ) from error
        try:
            status = _wait(running, still)
        except BaseException:
            os.killpg(running.pid, signal.SIGKILL)
            running.wait()
            raise
    if status:
        raise BuildFailed(
            Message(
                "The firmware could not be built: {command} failed (exit code {status}): “{said}”. All that it said is "
                "in {log}. If it did not reach the network, try again when it does; or build the firmware on another "
                "computer, and name the file by --base.",
                command=" ".join(command[:2]) if command[0] == "apt-get" else Path(command[0]).name,
                status=status,
                said=_last_line(log),
                log=str(log),
            )
        )


def _wait(running: subprocess.Popen[bytes], still: Callable[[int], None]) -> int:
    """Wait until a command has ended, and give its exit code."""
    seconds = 0
    while True:
        with suppress(subprocess.TimeoutExpired):
            return running.wait(STILL_S)
        seconds += STILL_S
        still(seconds)


def _last_line(log: Path) -> str:
    """The end of what was said; without a word, what was called."""
    lines = [line.strip() for line in log.read_text("utf-8", "replace").splitlines() if line.strip()]
    return lines[-1][-_MOST_LETTERS:] if lines else ""
