"""Reading a layout file: TOML to checked values, or one sentence that says what is wrong, where, and the way out.

Nothing is put right silently: an unknown key, an impossible pin or a size out of range refuses the file.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Literal

import msgspec

from popout.board.chain import Chain
from popout.board.strict import explain
from popout.board.switches import (
    BAR,
    MENU,
    POWERS,
    TAKE_BACK,
    column_switch,
    drop_sensor,
    pop_sensor,
    second_row_switch,
)
from popout.rules.messages import Message, PopoutError

SIZES = range(1, 33)

PINS: Mapping[str, tuple[str, ...]] = {
    # GPIO0 and GPIO1 belong to the chip that identifies a HAT.
    "gpio": tuple(f"GPIO{number}" for number in range(2, 28)),
    # A Pico uses GP23 to GP25 itself and does not bring them out.
    "serial": tuple(f"GP{number}" for number in range(29) if number not in (23, 24, 25)),
}
"""The pins that a layout for this driver may use."""

# A file larger than this is no layout but a mistake in the name.
_LARGEST_BYTES = 64 * 1024
# A switched-mode supply for lamps of 5 V gives 60 A at the most.
_MOST_SUPPLY_MILLIAMPS = 60_000
_MOST_CHANNEL_MILLIAMPS = 100
_MOST_IDLE_MILLIAMPS = 20


class LayoutError(PopoutError):
    """A board layout cannot be used."""

    code = "layout"


class LayoutMissing(LayoutError, FileNotFoundError):
    """There is no layout of that name."""

    code = "layout-missing"


class LayoutUnreadable(LayoutError, OSError):
    """The file cannot be opened, or is not TOML at all."""

    code = "layout-unreadable"


class LayoutInvalid(LayoutError, ValueError):
    """A key of the layout is unknown, missing or has an impossible value."""

    code = "layout-invalid"


class LayoutSizeError(LayoutInvalid):
    """The grid is smaller than 1x1 or larger than 32x32."""

    code = "layout-size"


class LayoutPinConflict(LayoutError, ValueError):
    """A pin is used for two things."""

    code = "layout-pin-conflict"


class Switches(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The ``[switches]`` table: the pin of each; the lists go from the left column to the right one."""

    columns: tuple[str, ...]
    bar: str
    menu: str | None = None
    take_back: str | None = None
    anvil: str | None = None
    bomb: str | None = None
    wall: str | None = None
    x2: str | None = None
    yellow_columns: tuple[str, ...] = ()
    drop_sensors: tuple[str, ...] = ()
    pop_sensors: tuple[str, ...] = ()

    def lists(self) -> Iterator[tuple[str, tuple[str, ...], Callable[[int], str]]]:
        """The keys that have one pin a column, with their pins and the name of the switch of a column."""
        yield "columns", self.columns, column_switch
        yield "yellow_columns", self.yellow_columns, second_row_switch
        yield "drop_sensors", self.drop_sensors, drop_sensor
        yield "pop_sensors", self.pop_sensors, pop_sensor

    def uses(self) -> Iterator[tuple[str, str]]:
        """Every switch with its pin."""
        for _, pins, switch in self.lists():
            for column, pin in enumerate(pins, start=1):
                yield switch(column), pin
        singles = ((BAR, self.bar), (MENU, self.menu), (TAKE_BACK, self.take_back))
        powers = zip(POWERS, (self.anvil, self.bomb, self.wall, self.x2), strict=True)
        for name, single in (*singles, *powers):
            if single is not None:
                yield name, single

    def pins(self) -> dict[str, str]:
        """The pin of each switch, by the switch's name."""
        return dict(self.uses())


class Supply(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The ``[supply]`` table: what the lamps may take, in milliamps, and the cap of their brightness, 0 to 1."""

    milliamps: float
    channel_milliamps: float = 20.0
    idle_milliamps: float = 1.0
    brightness: float = 1.0


class LayoutFile(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A layout file as it is written."""

    title: str
    columns: int
    rows: int
    actuation: Literal["button", "disc"]
    switches: Switches
    driver: str = ""
    lamps: Chain | None = None
    supply: Supply | None = None


def read(path: Path) -> LayoutFile:
    """Read and check a layout file.

    :raises FileNotFoundError: it is not there.
    :raises LayoutError: it cannot be used; the message names the file and the key.
    """
    data = _toml(path)
    try:
        layout = msgspec.convert(data, LayoutFile)
    except msgspec.ValidationError as error:
        raise LayoutInvalid(explain(error, data, LayoutFile, path.name)) from None
    _check_head(path.name, layout)
    _check_switches(path.name, layout)
    _check_pins(path.name, layout)
    if layout.supply is not None:
        _check_supply(path.name, layout.supply)
    if layout.lamps is not None:
        _check_lamps(path.name, layout, layout.lamps)
    return layout


def _toml(path: Path) -> dict[str, Any]:
    try:
        with path.open("rb") as file:
            content = file.read(_LARGEST_BYTES + 1)
    except FileNotFoundError:
        raise
    except OSError as error:
        raise LayoutUnreadable(
            Message(
                "The board layout {file} cannot be read: {reason}.",
                file=str(path),
                reason=error.strerror or str(error),
            )
        ) from None
    if len(content) > _LARGEST_BYTES:
        raise LayoutUnreadable(
            Message("{file} is too large to be a board layout: the limit is 64 KiB.", file=path.name)
        )
    try:
        return tomllib.loads(content.decode("utf-8-sig"))  # some editors put a byte order mark first
    except (ValueError, RecursionError) as error:
        # Besides TOML's own error: bytes that are not UTF-8, and numbers or nesting too large for the parser.
        place = re.search(r"\(at line (\d+), column (\d+)\)", str(error))
        if place is None:
            raise LayoutUnreadable(
                Message("{file} is not TOML, so it cannot be a board layout.", file=path.name)
            ) from None
        raise LayoutUnreadable(
            Message(
                "{file}, line {line}, column {column}: this is not TOML. Compare it with one of the shipped layouts.",
                file=path.name,
                line=int(place[1]),
                column=int(place[2]),
            )
        ) from None


def _check_head(file: str, layout: LayoutFile) -> None:
    if not layout.title.strip():
        raise LayoutInvalid(
            Message("{file}, key title: it is empty. Give the board a title that tells it from others.", file=file)
        )
    if layout.driver not in ("", *PINS):
        raise LayoutInvalid(
            Message(
                "{file}, key driver: there is no driver “{driver}” whose pins are known. Write “gpio” for the pins of "
                "a Raspberry Pi or “serial” for those of a Pico, or leave the key out if the board has another driver.",
                file=file,
                driver=layout.driver,
            )
        )
    if layout.columns not in SIZES:
        raise LayoutSizeError(Message("{file}, key columns: a board has 1 to 32 columns.", file=file))
    if layout.rows not in SIZES:
        raise LayoutSizeError(Message("{file}, key rows: a board has 1 to 32 rows.", file=file))


def _check_switches(file: str, layout: LayoutFile) -> None:
    for key, pins, _ in layout.switches.lists():
        if len(pins) != layout.columns and (pins or key == "columns"):
            raise LayoutInvalid(
                Message(
                    "{file}, key switches.{key}: it must list one pin for each column. The board has "
                    "columns = {columns}, but the number of pins is {count}.",
                    file=file,
                    key=key,
                    columns=layout.columns,
                    count=len(pins),
                )
            )


def _check_pins(file: str, layout: LayoutFile) -> None:
    uses = list(layout.switches.uses())
    if layout.lamps is not None:
        uses.append(("lamps", layout.lamps.pin))
    taken: dict[str, str] = {}
    for use, pin in uses:
        if layout.driver == "gpio" and pin not in PINS["gpio"]:
            raise LayoutInvalid(
                Message(
                    "{file}, pin of “{use}”: a Raspberry Pi has no pin “{pin}” for it. Write GPIO2 to GPIO27, the "
                    "GPIO's own number and not its place on the header.",
                    file=file,
                    use=use,
                    pin=pin,
                )
            )
        if layout.driver == "serial" and pin not in PINS["serial"]:
            raise LayoutInvalid(
                Message(
                    "{file}, pin of “{use}”: a Pico has no pin “{pin}” for it. Write GP0 to GP22 or GP26 to GP28, the "
                    "GP's own number and not its place on the edge.",
                    file=file,
                    use=use,
                    pin=pin,
                )
            )
        if not pin.strip():
            raise LayoutInvalid(
                Message("{file}, pin of “{use}”: it is empty. Write the name of the pin.", file=file, use=use)
            )
        if pin in taken:
            raise LayoutPinConflict(
                Message(
                    "{file}: the pin {pin} is used twice, for “{first}” and for “{second}”. Give one of them another "
                    "pin.",
                    file=file,
                    pin=pin,
                    first=taken[pin],
                    second=use,
                )
            )
        taken[pin] = use


def _check_supply(file: str, supply: Supply) -> None:
    for key, value, least, most in (
        ("milliamps", supply.milliamps, 1, _MOST_SUPPLY_MILLIAMPS),
        ("channel_milliamps", supply.channel_milliamps, 1, _MOST_CHANNEL_MILLIAMPS),
        ("idle_milliamps", supply.idle_milliamps, 0, _MOST_IDLE_MILLIAMPS),
    ):
        if not least <= value <= most:
            raise LayoutInvalid(
                Message(
                    "{file}, key supply.{key}: {value} mA is not possible. It must be from {least} to {most} mA.",
                    file=file,
                    key=key,
                    value=f"{value:g}",
                    least=least,
                    most=most,
                )
            )
    if not 0 <= supply.brightness <= 1:
        raise LayoutInvalid(
            Message(
                "{file}, key supply.brightness: {value} is not possible. It must be from 0 (dark) to 1 (full light).",
                file=file,
                value=f"{supply.brightness:g}",
            )
        )


def _check_lamps(file: str, layout: LayoutFile, lamps: Chain) -> None:
    if not lamps.parts:
        raise LayoutInvalid(
            Message(
                "{file}, key lamps.parts: it is empty. Describe the lamps, or leave out [lamps] on a board without.",
                file=file,
            )
        )
    for number, kind in enumerate(lamps.kinds):
        if kind in lamps.kinds[:number]:
            raise LayoutInvalid(
                Message(
                    "{file}, key lamps.parts: the kind “{kind}” is there twice. Each can be in the chain once.",
                    file=file,
                    kind=kind,
                )
            )
    if layout.supply is None:
        raise LayoutInvalid(
            Message(
                "{file}: the table [supply] is missing. Say in it how many milliamps the lamps may take together.",
                file=file,
            )
        )
    count = len(lamps.places(layout.columns, layout.rows))
    idle = count * layout.supply.idle_milliamps
    if idle >= layout.supply.milliamps:
        raise LayoutInvalid(
            Message(
                "{file}, key supply.milliamps: {limit} mA leave nothing for light, since the dark lamps alone "
                "({count}) take {idle} mA. Use a stronger supply or fewer lamps.",
                file=file,
                limit=f"{layout.supply.milliamps:g}",
                count=count,
                idle=f"{idle:g}",
            )
        )
