"""Reading a layout file: TOML to checked values, or one sentence that says what is wrong, where, and the way out.

Nothing is put right silently: an unknown key, an impossible pin or a size out of range refuses the file (see
`popout.board.layout_checks`).
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Literal

import msgspec

from popout.board.chain import Chain
from popout.board.contacts import Expander, Leds, Level, Matrix, Pull
from popout.board.layout_checks import check
from popout.board.layout_errors import LayoutInvalid, LayoutUnreadable
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
from popout.rules.messages import Message

# A file larger than this is no layout but a mistake in the name.
_LARGEST_BYTES = 64 * 1024


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
    pull: Pull = "up"
    closed: Level | None = None
    inverted: tuple[str, ...] = ()

    def lists(self) -> Iterator[tuple[str, tuple[str, ...], Callable[[int], str]]]:
        """The keys that have one pin a column, with their pins and the name of the switch of a column."""
        yield "columns", self.columns, column_switch
        yield "yellow_columns", self.yellow_columns, second_row_switch
        yield "drop_sensors", self.drop_sensors, drop_sensor
        yield "pop_sensors", self.pop_sensors, pop_sensor

    def uses(self) -> Iterator[tuple[str, str]]:
        """Every switch with its pin."""
        for switches in self.by_key().values():
            yield from switches.items()

    def by_key(self) -> dict[str, dict[str, str]]:
        """The switches with their pins, by the key of this table that gives them."""
        found = {
            key: {switch(column): pin for column, pin in enumerate(pins, start=1)} for key, pins, switch in self.lists()
        }
        singles = {"bar": (BAR, self.bar), "menu": (MENU, self.menu), "take_back": (TAKE_BACK, self.take_back)}
        powers = zip(POWERS, (self.anvil, self.bomb, self.wall, self.x2), strict=True)
        for key, (switch, pin) in {**singles, **{name: (name, pin) for name, pin in powers}}.items():
            found[key] = {} if pin is None else {switch: pin}
        return found

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
    matrix: Matrix | None = None
    expanders: tuple[Expander, ...] = ()
    lamps: Chain | None = None
    leds: Leds | None = None
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
    check(path.name, layout)
    return layout


def _toml(path: Path) -> dict[str, Any]:
    if path.exists() and not path.is_file() and not path.is_dir():
        # Reading a pipe or a device could last for ever.
        raise LayoutUnreadable(Message("{file} is no file, so it cannot be a board layout.", file=str(path)))
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
