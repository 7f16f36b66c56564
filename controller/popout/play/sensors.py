"""Beams that see discs go by: which disc belongs to which press. Pure.

A disc that is seen without a press makes the move itself; the press that may follow is then its confirmation and
no second move. A press whose disc is not seen is asked about. See `popout.board.switches` for the beams.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from popout.board.layout import Layout
from popout.board.switches import drop_sensor, pop_sensor
from popout.rules import Drop, Move, Pop


@dataclass(frozen=True, slots=True)
class Watch:
    """What the beams are waiting for: pairs of a move and the time, in milliseconds, at which the wait ends.

    :ivar discs: moves that were pressed and whose disc has not been seen.
    :ivar presses: moves that a disc made and whose press may follow.
    """

    discs: tuple[tuple[Move, float], ...] = ()
    presses: tuple[tuple[Move, float], ...] = ()


def watched(move: Move, layout: Layout) -> bool:
    """Whether the board has a beam that sees the disc of `move`."""
    match move:
        case Drop(column):
            return drop_sensor(column) in layout.switches
        case Pop(column):
            return pop_sensor(column) in layout.switches
    return False


def pressed(watch: Watch, move: Move, until: float) -> Watch:
    """After a press made `move`: its disc is waited for until then."""
    return replace(watch, discs=(*watch.discs, (move, until)))


def made_by_disc(watch: Watch, move: Move, until: float) -> Watch:
    """After a disc made `move` by itself: a press may follow until then."""
    return replace(watch, presses=(*watch.presses, (move, until)))


def take_disc(watch: Watch, move: Move, time: float) -> Watch | None:
    """After the disc of `move` was seen; None if no press waits for it."""
    left = _without(watch.discs, move, time)
    return None if left is None else replace(watch, discs=left)


def take_press(watch: Watch, move: Move, time: float) -> Watch | None:
    """After a press that only confirms what its disc has done; None if it does more than that."""
    left = _without(watch.presses, move, time)
    return None if left is None else replace(watch, presses=left)


def missed(watch: Watch, now: float) -> tuple[Watch, Move | None]:
    """The first pressed move whose disc has not come in time, and the watch without it."""
    for item in watch.discs:
        if item[1] <= now:
            return replace(watch, discs=tuple(each for each in watch.discs if each is not item)), item[0]
    return watch, None


def due(watch: Watch) -> float | None:
    """When the next disc is overdue; None while none is waited for."""
    return min((until for _, until in watch.discs), default=None)


def _without(waiting: tuple[tuple[Move, float], ...], move: Move, time: float) -> tuple[tuple[Move, float], ...] | None:
    for item in waiting:
        if item[0] == move and time <= item[1]:
            return tuple(each for each in waiting if each is not item)
    return None
