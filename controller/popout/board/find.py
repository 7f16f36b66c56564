"""Finding the driver of the board to play on.

A driver is a class of type `BoardDriver` behind an entry point of the group ``popout.boards``, so that other packages
can bring one::

    [project.entry-points."popout.boards"]
    mine = "my_package.board:MyBoard"
"""

from __future__ import annotations

import importlib.metadata
import shlex
from importlib.metadata import EntryPoint

from popout.board.contacts import PINS
from popout.board.driver import BoardDriver, BoardError
from popout.board.layout import Layout
from popout.rules.messages import Message, PopoutError

GROUP = "popout.boards"
SIMULATOR = "sim"

_SHIPPED_FOR = {"gpio": "7x6-pi", "serial": "7x6-pico"}


class UnknownDriver(PopoutError, LookupError):
    """There is no board driver of that name."""

    code = "unknown-driver"


class DriverPackageMissing(PopoutError, ImportError):
    """A board driver needs a package that is not installed."""

    code = "driver-package-missing"


class DriverBroken(PopoutError, RuntimeError):
    """A board driver of another package cannot be used."""

    code = "driver-broken"


class LayoutForOtherDriver(BoardError):
    """The layout's pins are those of another driver."""

    code = "layout-for-other-driver"


def driver_names() -> tuple[str, ...]:
    """The names of all board drivers that are installed, sorted."""
    return tuple(sorted(_entry_points()))


def driver(name: str) -> type[BoardDriver]:
    """The driver of that name.

    :raises UnknownDriver: there is none; the message lists those that there are.
    :raises DriverPackageMissing: a package that it needs is missing; the message says how to install it.
    :raises DriverBroken: it fails when it is loaded, or is no `BoardDriver`.
    """
    entry_point = _entry_points().get(name)
    if entry_point is None:
        raise UnknownDriver(
            Message(
                "There is no board driver “{name}”. The drivers are: {names}.",
                name=name,
                names=", ".join(driver_names()),
            )
        )
    try:
        found = entry_point.load()
    except ModuleNotFoundError as error:
        raise package_missing(name, error) from error
    except Exception as error:  # somebody else's code, and hardware packages raise all kinds when imported
        raise DriverBroken(
            Message(
                "The board driver “{name}” cannot be loaded from {place}: {reason}.",
                name=name,
                place=entry_point.value,
                reason=str(error) or type(error).__name__,
            )
        ) from error
    if not (isinstance(found, type) and issubclass(found, BoardDriver)):
        raise DriverBroken(
            Message(
                "The board driver “{name}” cannot be used: {place} is not a class derived from BoardDriver.",
                name=name,
                place=entry_point.value,
            )
        )
    return found


def default_layout(name: str) -> Layout:
    """The layout for the driver `name` when none is chosen: the shipped 7x6 board of that driver, or a plain one."""
    shipped = _SHIPPED_FOR.get(name)
    return Layout.load(shipped) if shipped else Layout.plain(7, 6)


def attached(layout: Layout | None = None) -> type[BoardDriver] | None:
    """The first driver of a real board that sees its board; only those are asked that suit the layout.

    The pins of a Raspberry Pi are there whether or not a board hangs on them, so ``gpio`` is asked last. A driver
    that cannot be loaded sees nothing.
    """
    found, _ = _attached(layout)
    return found


def choose(name: str | None = None, layout: Layout | None = None) -> tuple[type[BoardDriver], Message]:
    """The driver to play on, and a sentence that says which and why.

    It is the one that is named; else the first whose board is attached; else the simulator.

    :raises UnknownDriver, DriverPackageMissing, DriverBroken: see `driver`.
    :raises LayoutForOtherDriver: the layout's pins are not those of the driver that is named.
    """
    if name is not None:
        found = driver(name)
        if layout is not None and name in PINS and layout.driver not in ("", name):
            raise LayoutForOtherDriver(
                Message(
                    "The layout “{layout}” is for the driver “{other}”, not for “{name}”. Choose the other driver, or "
                    "a layout for this one.",
                    layout=layout.name,
                    other=layout.driver,
                    name=name,
                )
            )
        if name == SIMULATOR:
            return found, Message("Playing on the simulator, as chosen.")
        return found, Message("Playing on the board driver “{name}”, as chosen.", name=name)
    real, left_out = _attached(layout)
    if real is not None:
        return real, Message("Playing on the board driver “{name}”, whose board is attached.", name=real.name)
    if left_out is not None:
        return driver(SIMULATOR), Message(
            "Playing on the simulator: no board is attached, and one driver could not be asked. {problem}",
            problem=left_out.message,
        )
    if layout is not None and layout.driver:
        return driver(SIMULATOR), Message(
            "Playing on the simulator, since no board is attached. If there should be one, type: {command}",
            command=shlex.join(("popout", "doctor", "--layout", layout.source or layout.name)),
        )
    return driver(SIMULATOR), Message("Playing on the simulator, since no board is attached.")


def _attached(layout: Layout | None) -> tuple[type[BoardDriver] | None, PopoutError | None]:
    """The driver that sees its board, and what kept the first of the others from being asked."""
    left_out: PopoutError | None = None
    for name in sorted(driver_names(), key=lambda name: (name == "gpio", name)):
        # A driver of another package may serve a layout made for our pins, so it is always asked.
        if name == SIMULATOR or (layout is not None and name in PINS and layout.driver not in ("", name)):
            continue
        try:
            found = driver(name)
            if _is_attached(found, layout if layout is not None else default_layout(name)):
                return found, None
        except (DriverPackageMissing, DriverBroken) as error:
            left_out = left_out or error
    return None, left_out


def _is_attached(driver: type[BoardDriver], layout: Layout) -> bool:
    try:
        return driver.attached(layout)
    except ModuleNotFoundError as error:
        raise package_missing(driver.name, error) from error


def _entry_points() -> dict[str, EntryPoint]:
    return {entry_point.name: entry_point for entry_point in importlib.metadata.entry_points(group=GROUP)}


def package_missing(name: str, error: ModuleNotFoundError) -> DriverPackageMissing:
    """That the driver `name` misses a package, as `error` says, and who says how to install it."""
    package = error.name or str(error)
    if name in _SHIPPED_FOR:
        return DriverPackageMissing(
            Message(
                "The board driver “{name}” needs the Python package “{package}”, which is missing. “popout "
                "doctor” says how to install it.",
                name=name,
                package=package,
            )
        )
    return DriverPackageMissing(
        Message(
            "The board driver “{name}” needs the Python package “{package}”, which is missing. Install the "
            "package that the driver comes from again.",
            name=name,
            package=package,
        )
    )
