"""A layout: the one description of a board, from which drivers, simulator, wiring and parts list are made.

A layout is a TOML file such as ``hardware/boards/7x6-pi.toml``; its keys are explained there. It is taken as it
stands or refused with a sentence that says what is wrong and where (see `popout.board.layout_file`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Literal, Self

from popout.board.chain import CellLamps, Chain, ColumnLamps, Kind, Place, TurnLamps, light
from popout.board.contacts import Expander, Leds, Level, Matrix, Pull, other
from popout.board.frame import Colour, Frame
from popout.board.layout_checks import SIZES
from popout.board.layout_errors import (
    LayoutError,
    LayoutInvalid,
    LayoutMissing,
    LayoutPinConflict,
    LayoutSizeError,
    LayoutUnreadable,
)
from popout.board.layout_file import LayoutFile, read
from popout.board.switches import BAR, MENU, POWERS, TAKE_BACK, column_switch
from popout.rules.messages import Message

__all__ = [
    "Layout",
    "LayoutError",
    "LayoutInvalid",
    "LayoutMissing",
    "LayoutPinConflict",
    "LayoutSizeError",
    "LayoutUnreadable",
    "shipped",
]

# What a WS2812 takes: for one of its three colours at full light, and for its chip when it is dark.
_CHANNEL_MILLIAMPS = 20.0
_IDLE_MILLIAMPS = 1.0


@dataclass(frozen=True, slots=True)
class Layout:
    """A board, described.

    :ivar name: the name of the file without its ending, such as ``7x6-pi``.
    :ivar title: what the board is called, for people.
    :ivar driver: the driver whose pins it names, ``gpio`` or ``serial``; empty if any may play it.
    :ivar columns: columns of the playable grid, 1 to 32. A board with fixed flanks does not count those.
    :ivar rows: rows of the playable grid, 1 to 32.
    :ivar actuation: ``button`` if the player presses after dropping, ``disc`` if the disc trips a lever.
    :ivar switches: the pin of every switch by the switch's name; all empty on a board without wires.
    :ivar chain: the lamps on their data line, or None for a board without lamps.
    :ivar milliamps: what the supply can give to the lamps.
    :ivar channel_milliamps: what one colour of one lamp takes at full light.
    :ivar idle_milliamps: what one lamp takes when it is dark.
    :ivar brightness: the cap of all light, 0 to 1.
    :ivar pull: the resistor of the controller at every switch; ``none`` if there is one outside.
    :ivar closed: the level of a closed switch.
    :ivar inverted: the names of the switches of which that is the level of an open one.
    :ivar matrix: the lines between which switches with pins such as ``R1C2`` lie.
    :ivar expanders: those on which pins such as ``X1.A0`` are.
    :ivar leds: plain LEDs in place of the turn lamps of the chain.
    :ivar source: what it was loaded by, a name or a path, with which commands name it; empty if it was not.
    """

    name: str
    title: str
    driver: str
    columns: int
    rows: int
    actuation: Literal["button", "disc"]
    switches: Mapping[str, str] = field(hash=False)
    chain: Chain | None
    milliamps: float
    channel_milliamps: float
    idle_milliamps: float
    brightness: float
    pull: Pull = "up"
    closed: Level = "low"
    inverted: frozenset[str] = frozenset()
    matrix: Matrix | None = None
    expanders: tuple[Expander, ...] = ()
    leds: Leds | None = None
    source: str = field(default="", repr=False, compare=False)
    places: tuple[Place, ...] = field(init=False, repr=False, compare=False)
    """Where each lamp of the chain is, in the order of the wire."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "switches", MappingProxyType(dict(self.switches)))
        places = () if self.chain is None else self.chain.places(self.columns, self.rows)
        object.__setattr__(self, "places", places)

    @classmethod
    def load(cls, name_or_path: str | Path) -> Self:
        """Read a layout: a shipped one by its name (``7x6-pi``), or any file by its path (``my-board.toml``).

        :raises LayoutMissing: there is no such layout; the message lists the shipped ones.
        :raises LayoutUnreadable: the file cannot be read, or is no layout at all.
        :raises LayoutInvalid: a key is unknown, missing or has an impossible value.
        :raises LayoutSizeError: the grid is too large or too small.
        :raises LayoutPinConflict: a pin is used twice.
        """
        path = path_of(name_or_path)
        try:
            return cls._of(path.stem, str(name_or_path), read(path))
        except FileNotFoundError:
            raise LayoutMissing(
                Message(
                    "There is no board layout “{layout}”. Name one of the shipped ones ({names}) or the path of a "
                    "layout file.",
                    layout=str(name_or_path),
                    names=", ".join(shipped()),
                )
            ) from None

    @classmethod
    def plain(cls, columns: int, rows: int) -> Self:
        """A board of this size with every kind of lamp and switch and no wires: what the simulator plays on.

        :raises LayoutSizeError: not 1 to 32 columns and rows.
        """
        for count, text in (
            (columns, Message("A board has 1 to 32 columns, not {count}.", count=columns)),
            (rows, Message("A board has 1 to 32 rows, not {count}.", count=rows)),
        ):
            if count not in SIZES:
                raise LayoutSizeError(text)
        lamps = columns * rows + columns + 2
        return cls(
            name=f"{columns}x{rows}",
            title=f"Plain {columns}x{rows} board",
            driver="",
            columns=columns,
            rows=rows,
            actuation="button",
            switches=dict.fromkeys([*map(column_switch, range(1, columns + 1)), BAR, MENU, TAKE_BACK, *POWERS], ""),
            chain=Chain(
                pin="",
                order="grb",
                parts=(
                    CellLamps(start="bottom left", along="column", serpentine=True),
                    ColumnLamps(start="right"),
                    TurnLamps(start="red"),
                ),
            ),
            milliamps=lamps * (3 * _CHANNEL_MILLIAMPS + _IDLE_MILLIAMPS),
            channel_milliamps=_CHANNEL_MILLIAMPS,
            idle_milliamps=_IDLE_MILLIAMPS,
            brightness=1.0,
        )

    def has_lamps(self, kind: Kind) -> bool:
        """Whether the board has the lamps of this kind: ``cells``, ``columns`` or ``turns``."""
        if kind == "turns" and self.leds is not None:
            return True
        return self.chain is not None and kind in self.chain.kinds

    def closed_level(self, switch: str) -> Level:
        """The level of `switch` while it is closed."""
        return other(self.closed) if switch in self.inverted else self.closed

    def colours(self, frame: Frame) -> tuple[Colour, ...]:
        """The colours of `frame` in the order of the chain, the lamp next to the pin first.

        They are 0xRRGGBB whatever the order of the lamp's colours is: that is the driver's to send.
        """
        return tuple(light(frame, place) for place in self.places)

    @classmethod
    def _of(cls, name: str, source: str, file: LayoutFile) -> Self:
        supply, switches = file.supply, file.switches
        by_key = switches.by_key()
        return cls(
            name=name,
            title=file.title,
            driver=file.driver,
            columns=file.columns,
            rows=file.rows,
            actuation=file.actuation,
            switches=switches.pins(),
            chain=file.lamps,
            milliamps=supply.milliamps if supply else 0.0,
            channel_milliamps=supply.channel_milliamps if supply else _CHANNEL_MILLIAMPS,
            idle_milliamps=supply.idle_milliamps if supply else _IDLE_MILLIAMPS,
            brightness=supply.brightness if supply else 1.0,
            pull=switches.pull,
            closed=switches.closed or ("high" if switches.pull == "down" else "low"),
            inverted=frozenset(switch for key in switches.inverted for switch in by_key[key]),
            matrix=file.matrix,
            expanders=file.expanders,
            leds=file.leds,
            source=source,
        )


def shipped() -> tuple[str, ...]:
    """The names of the layouts that come with the package, sorted."""
    return tuple(sorted(path.stem for path in _folder().glob("*.toml")))


def path_of(name_or_path: str | Path) -> Path:
    """The file of a layout: a shipped one by its name, any other by its path. It may not be there."""
    if isinstance(name_or_path, str) and name_or_path in shipped():
        return _folder() / f"{name_or_path}.toml"
    try:
        return Path(name_or_path).expanduser()
    except RuntimeError:  # of a user who is not there
        return Path(name_or_path)


def _folder() -> Path:
    """Beside the installed module; in the source tree, the folder that the build takes them from."""
    here = Path(__file__).parent
    installed = here / "layouts"
    return installed if installed.is_dir() else here.parents[2] / "hardware" / "boards"
