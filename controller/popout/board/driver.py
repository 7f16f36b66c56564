"""The interface between the controller and a board: switch events in, frames of light out.

A driver is found by its name through the entry-point group ``popout.boards`` (see `popout.board.find`), so that
others can add one. It knows its wires and nothing of the rules.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Callable, Mapping
from types import TracebackType
from typing import Any, ClassVar, Protocol, Self

from popout.board.frame import Frame
from popout.board.layout import Layout
from popout.board.switches import SwitchEvent, SwitchFault
from popout.rules.messages import Message, PopoutError


class Twin(Protocol):
    """The hands and eyes of a simulated board, for whoever draws it. A real board has none."""

    def snapshot(self) -> Mapping[str, Any]:
        """What can be seen: plain data that can be written as JSON."""
        ...

    def act(self, action: Mapping[str, Any]) -> None:
        """Do what a hand would do.

        :raises HandError: the hand cannot do that; the message says why.
        """
        ...


class HandError(PopoutError, ValueError):
    """A hand cannot do that on this board."""

    code = "hand"


class BoardDriver(ABC):
    """One board, opened.

    The constructor takes a `Layout` and opens the devices; one that fails leaves nothing open.
    `close()` may be called twice, and is called on every way out::

        with SimulatedBoard(layout) as board:
            async for event in board.events():
                ...
    """

    name: ClassVar[str]
    """The name in the entry-point group, such as ``sim``."""

    debounced: ClassVar[bool] = False
    """True if the events come from a debouncer already (a microcontroller has its own); see `debounce`."""

    resizable: ClassVar[bool] = False
    """True if `reshape` can make it a board of another size."""

    layout: Layout

    dark_on_close: bool = True
    """Whether `close` darkens the lamps; if not, they keep the last picture."""

    @abstractmethod
    def __init__(self, layout: Layout) -> None:
        """Open the board that `layout` describes.

        :raises BoardError: it cannot be opened; the message says why and the way out.
        """

    @classmethod
    @abstractmethod
    def attached(cls, layout: Layout) -> bool:
        """Whether such a board can be seen to be there, without opening it.

        :raises ModuleNotFoundError: it may be there, but a package is missing that it takes.
        """

    @classmethod
    def opener(cls, device: str | None = None) -> Callable[[Layout], BoardDriver]:
        """What opens such a board, and after it was lost, the same one again.

        :param device: which of several, such as a port or a serial number; None takes the one that there is.
        :raises DeviceNotWanted: there is nothing to choose from.
        """
        if device is not None:
            raise DeviceNotWanted(
                Message(
                    "The board driver “{name}” has no devices to choose from. Leave out the device {device}.",
                    name=cls.name,
                    device=device,
                )
            )
        return cls

    @classmethod
    def faults(cls) -> Mapping[str, Message]:
        """The faults that it can be told to make, by name, and what goes wrong with each. A real board makes none."""
        return {}

    @classmethod
    def with_faults(cls, faults: str, seed: int) -> Callable[[Layout], BoardDriver]:
        """What opens boards that misbehave as a text says, such as ``bounce,stuck:3@20s``.

        :param seed: of the chance by which they do.
        :raises PopoutError: it asks for no fault that there is; the message says why.
        """
        raise NotImplementedError(f"the driver {cls.name} makes no faults")

    @property
    @abstractmethod
    def description(self) -> Message:
        """Which board this is, for a person: ``the simulator``, ``the board on /dev/ttyACM0``."""

    @property
    def remarks(self) -> tuple[Message, ...]:
        """What there is to say about this board once it is open, such as why its lamps stay dark."""
        return ()

    @abstractmethod
    def now(self) -> float:
        """The clock of the events, in milliseconds."""

    @abstractmethod
    def levels(self) -> Mapping[str, bool]:
        """The level of every switch now, by name; True is closed.

        A switch may be missing while an edge of it is on its way to `events`: what was heard of it is not up to date.
        """

    @abstractmethod
    def events(self) -> AsyncIterator[SwitchEvent | SwitchFault]:
        """The changes of the switches as they come. Ends when the board is closed.

        A board that is `debounced` also says here what it has found to be the matter with a switch.

        :raises BoardLost: the board went away.
        """

    @abstractmethod
    def show(self, frame: Frame) -> None:
        """Light the lamps. Never waits for the light to be there."""

    @abstractmethod
    def close(self) -> None:
        """Darken the lamps, unless `dark_on_close` says otherwise, and let go of everything."""

    def debounce(self, glitch_ms: float, lockout_ms: float, disc_lockout_ms: float) -> None:  # noqa: B027 - see below
        """Debounce with these times; see `popout.link.debounce`.

        Only a board that is `debounced` has a use for it. It is called before the first levels are asked for.

        :raises BoardLost: the board went away.
        """

    def believe(self, grid: tuple[str, ...]) -> None:  # noqa: B027 - a real board has nothing to do here
        """Hear what the controller believes is on the board.

        `grid` is one text a column from the left, each from the bottom up, ``X`` red and ``O`` yellow. Only a
        simulated board has a use for it: its careful hand follows the lamps.
        """

    @property
    def discs_follow(self) -> bool:
        """Whether the discs go by themselves where the controller believes them; on a real board hands put them."""
        return False

    def reshape(self, columns: int, rows: int) -> None:  # noqa: B027 - a real board stays as it is
        """Become an empty board of this size. Only for a driver that is `resizable`."""

    @property
    def twin(self) -> Twin | None:
        """The hands and eyes of a simulated board; None for a real one."""
        return None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class BoardError(PopoutError, OSError):
    """A board cannot be opened; the message says why and the way out."""

    code = "board"


class DeviceNotWanted(BoardError, ValueError):
    """A device was named to a driver that has none to choose from."""

    code = "device-not-wanted"


class BoardAway(BoardError):
    """No board is there at the moment; it can be waited for."""

    code = "board-away"


class BoardLost(BoardAway):
    """The board went away: a cable was pulled, a chip vanished."""

    code = "board-lost"
