"""Building the firmware: the base image of a model, compiled once and kept, into which any layout can be put.

The sources are in `sources`: beside this module where the package is installed, else in the source tree.
"""

from __future__ import annotations

import hashlib
import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

import platformdirs
from filelock import FileLock, Timeout

from popout.firmware import debian, uf2
from popout.firmware.debian import Apt, BuildFailed
from popout.firmware.uf2 import Image, write_uf2
from popout.rules.messages import Message

_HERE: Final = Path(__file__).parent
_FINGERPRINT_DIGITS: Final = 16
_ALIVE: Final = "alive"


def base_image(model: str, say: Callable[[Message], None]) -> Path:
    """The file of the base image of a model: `pico` or `pico2`. It is built first if that was not done yet, or if the
    sources have changed since. `licences_of` it are there as well.

    Of several that ask for it at once, one builds it and the others wait. One that is stopped while it does leaves
    nothing of the image behind.

    :param say: told what is done, since it may take minutes.
    :raises FirmwareError: it cannot be built here.
    """
    debian.check_is_debian()
    try:
        return _base_image(model, say)
    except OSError as error:
        raise BuildFailed(
            Message(
                "The firmware could not be built in {folder}: {reason}. Put that right, or let the variable "
                "XDG_CACHE_HOME name a folder that you may write to.",
                folder=str(cache()),
                reason=error.strerror or str(error),
            )
        ) from error


def cache() -> Path:
    """The folder in which base images are kept."""
    return platformdirs.user_cache_path("popout") / "firmware"


def licences_of(image: Path) -> Path:
    """The file beside an image that has the licences of what is in it."""
    return image.with_name(f"{image.name}.licences.txt")


def sources() -> Path:
    """The folder of the firmware's own sources."""
    installed = _HERE / "sources"
    return installed if installed.is_dir() else _HERE.parents[2] / "firmware"


def frozen_modules() -> dict[str, Path]:
    """The modules that are frozen into the firmware besides MicroPython's: where they are there, and here."""
    package = _HERE.parent
    return {
        **{file.name: file for file in sorted((sources() / "program").glob("*.py"))},
        **{
            f"popout/{file.relative_to(package).as_posix()}": file
            for file in (package / "__init__.py", *sorted((package / "link").glob("*.py")))
        },
    }


def fingerprint(versions: Mapping[str, str]) -> str:
    """What changes whenever the base images would: hexadecimal.

    The compiler is left out: another one makes other bytes that do the same, and is no reason to compile again.

    :param versions: of Debian's packages with sources.
    """
    of = hashlib.sha256()
    for name, file in (*frozen_modules().items(), *_build_files()):
        of.update(f"{name}\0{hashlib.sha256(file.read_bytes()).hexdigest()}\0".encode())
    for package, version in sorted(versions.items()):
        of.update(f"{package}\0{version}\0".encode())
    return of.hexdigest()[:_FINGERPRINT_DIGITS]


def _build_files() -> Iterator[tuple[str, Path]]:
    """What the image depends on besides what is frozen into it."""
    folder = sources()
    files = [folder / "build.sh", folder / "manifest.py", *(folder / "boards").rglob("mpconfigboard.*")]
    for file in sorted(files):
        yield f"build/{file.relative_to(folder).as_posix()}", file
    yield "build/uf2.py", Path(uf2.__file__)


def _base_image(model: str, say: Callable[[Message], None]) -> Path:
    folder = cache()
    apt = Apt(folder / "apt")
    kept = _kept(model, apt.versions())
    if kept is not None and kept.exists():
        return kept
    folder.mkdir(parents=True, exist_ok=True)
    with _alone(folder / "lock", say):
        log = folder / "build.log"
        log.write_bytes(b"")
        missing = debian.missing_tools()
        debian.check_may_install(missing)
        apt.update(log)
        kept = _kept(model, apt.versions())
        if kept is None:
            raise BuildFailed(
                Message(
                    "The firmware could not be built: Debian does not offer all of {packages} any more.",
                    packages=", ".join((*debian.SOURCES, *debian.PACKAGES)),
                )
            )
        if not kept.exists():
            if missing:
                say(Message("Installing {tools} ...", tools=", ".join(missing)))
                debian.install(missing, log)
            say(Message("Compiling the firmware; this takes some minutes the first time ..."))
            _build(model, apt, kept, log, say)
        return kept


def _kept(model: str, versions: Mapping[str, str] | None) -> Path | None:
    """Where the image of this model is kept; None while it is not known which it is."""
    return None if versions is None else cache() / f"{fingerprint(versions)}-{model}.uf2"


def _build(model: str, apt: Apt, kept: Path, log: Path, say: Callable[[Message], None]) -> None:
    with _scratch(kept.parent) as (scratch, alive):
        frozen, work = scratch / "frozen", scratch / "work"
        work.mkdir()
        for name, file in frozen_modules().items():
            (frozen / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, frozen / name)
        # Named to bash, since an installed file need not be executable.
        script = str(sources() / "build.sh")
        command = ["bash", script, f"POPOUT_{model.upper()}", str(frozen), str(work)]
        debian.run(
            command,
            log,
            apt.environment,
            still=lambda seconds: say(Message("Still compiling, for {seconds} s now ...", seconds=seconds)),
            keep_open=(alive,),
        )
        made = scratch / "made.uf2"
        made.write_bytes(write_uf2(Image.of(model, (work / "build" / "firmware.bin").read_bytes())))
        (work / "licences.txt").replace(licences_of(kept))
        made.replace(kept)
        for other in set(kept.parent.glob(f"*-{model}.uf2")) - {kept}:
            other.unlink(missing_ok=True)
            licences_of(other).unlink(missing_ok=True)


@contextmanager
def _scratch(parent: Path) -> Iterator[tuple[Path, int]]:
    """A folder for one build, and the descriptor of a file in it: the folder is in use while any process has that open.

    What was killed cannot clean up, and its compiler may still run. So every build has a folder of its own, and removes
    those that are not in use any more.
    """
    import fcntl  # which Windows does not have

    for left in parent.glob("building*"):
        with suppress(OSError), (left / _ALIVE).open("ab") as file:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            shutil.rmtree(left, ignore_errors=True)
    scratch = Path(tempfile.mkdtemp(prefix="building-", dir=parent))
    try:
        with (scratch / _ALIVE).open("wb") as alive:
            fcntl.flock(alive, fcntl.LOCK_EX)
            yield scratch, alive.fileno()
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


@contextmanager
def _alone(lock: Path, say: Callable[[Message], None]) -> Iterator[None]:
    locked = FileLock(lock)
    try:
        locked.acquire(timeout=0)
    except Timeout:
        say(Message("Waiting for another program that builds the firmware ..."))
        locked.acquire()
    try:
        yield
    finally:
        locked.release()
