"""Beams that see discs go by: which disc belongs to which press. Pure.

A disc that is seen without a press makes the move itself; the press that may follow is then its confirmation and
no second move. A press whose disc is not seen is asked about. See `popout.board.switches` for the beams.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from popout.board.layout import Layout
from popout.board.switches import drop_sensor, pop_sensor
from popout.play.listener import DiscSeen
from popout.rules import Drop, Game, Message, Move, Pop, Reason, Side, why_illegal

Awaited = tuple[Drop | Pop, float]

REMEMBERED = 8
"""More discs than fall before the first of them is forgotten."""


@dataclass(frozen=True, slots=True)
class Watch:
    """What the beams are waiting for: pairs of a move and the time, in milliseconds, at which the wait ends.

    :ivar discs: moves that were pressed and whose disc has not been seen.
    :ivar presses: moves that a disc made and whose press may follow, each with the side that it was of.
    :ivar known: discs that hands have said to be there, and that may still be seen going there.
    """

    discs: tuple[Awaited, ...] = ()
    presses: tuple[tuple[Drop | Pop, float, Side], ...] = ()
    known: tuple[Awaited, ...] = ()


def unexpected(seen: DiscSeen, played: Move, game: Game) -> Reason | None:
    """Why the disc that was seen does not make the move `played`; None if it does."""
    move = seen.move
    if isinstance(move, Pop):
        column = move.column
        if not game.position.grid[column - 1]:
            return Reason(
                "nothing-to-pop",
                Message("A disc came out of column {column}, which should have been empty.", column=column),
            )
        if not seen.bar_open:
            return Reason("bar-closed", Message("A disc left column {column} while the bar was closed.", column=column))
        if seen.again:
            return Reason(
                "second-disc",
                Message(
                    "A second disc has fallen out of column {column}. A turn pops one: close the bar after it.",
                    column=column,
                ),
            )
    return why_illegal(game, played)


def watched(move: Drop | Pop, layout: Layout, outer: int) -> bool:
    """Whether the board has a beam that sees the disc of `move`; its columns are `outer` behind those of the grid."""
    sensor = pop_sensor if isinstance(move, Pop) else drop_sensor
    return sensor(move.column - outer) in layout.switches


def pressed(watch: Watch, move: Drop | Pop, until: float) -> Watch:
    """After a press made `move`: its disc is waited for until then."""
    return replace(watch, discs=(*watch.discs, (move, until)))


def made_by_disc(watch: Watch, move: Drop | Pop, until: float, side: Side) -> Watch:
    """After a disc of `side` made `move` by itself: a press that goes down no later than `until` is the same move."""
    return replace(watch, presses=(*watch.presses[-REMEMBERED:], (move, until, side)))


def told(watch: Watch, move: Drop | Pop, until: float) -> Watch:
    """After a hand said that the disc of `move` is there: a beam may still see it until then."""
    return replace(watch, known=(*watch.known[-REMEMBERED:], (move, until)))


def take_disc(watch: Watch, move: Drop | Pop, time: float) -> Watch | None:
    """After the disc of `move` was seen; None if nobody has spoken for it."""
    discs = _without(watch.discs, move, time)
    if discs is not None:
        return replace(watch, discs=discs)
    known = _without(watch.known, move, time)
    return None if known is None else replace(watch, known=known)


def take_press(watch: Watch, move: Drop | Pop, time: float, side: Side | None) -> Watch | None:
    """After a press that only confirms what its disc has done; None if it does more than that.

    :param side: whose button it was, where each side has its own.
    """
    for item in watch.presses:
        if item[0] == move and time <= item[1] and side in (None, item[2]):
            return replace(watch, presses=tuple(each for each in watch.presses if each is not item))
    return None


def missed(watch: Watch, now: float) -> tuple[Watch, Drop | Pop | None]:
    """The first pressed move whose disc has not come in time, and the watch without it."""
    for item in watch.discs:
        if item[1] <= now:
            return replace(watch, discs=tuple(each for each in watch.discs if each is not item)), item[0]
    return watch, None


def due(watch: Watch) -> float | None:
    """When the next disc is overdue; None while none is waited for."""
    return min((until for _, until in watch.discs), default=None)


def _without(waiting: tuple[Awaited, ...], move: Drop | Pop, time: float) -> tuple[Awaited, ...] | None:
    for item in waiting:
        if item[0] == move and time <= item[1]:
            return tuple(each for each in waiting if each is not item)
    return None
